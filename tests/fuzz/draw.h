/* tests/fuzz/draw.h - what the drawing of programs shares: a pool of values known by number,
   and steps pushed onto the program. A value that could not be made is -1, and so is what is
   made of it. */
#ifndef AGN_FUZZ_DRAW_H
#define AGN_FUZZ_DRAW_H

#include "program.h"

#define I64(...) ((const int64_t[]){__VA_ARGS__})
#define ARGS(...) ((const int[]){__VA_ARGS__})

enum { REAL = 1, CPLX = 2, INT = 4, TRUTH = 8, FLOAT = REAL | CPLX };

enum { FEW_ELEMENTS = 24, LOOP_ELEMENTS = 256, MOST_AXES = 3 };

typedef struct drawing {
    uint64_t state;
    program *p;
    fuzz_kind kind;
    int most;              /* elements of a value */
    double *room;          /* for as many, complex */
    int64_t rows, size[2]; /* of wide programs, and their columns */
    bool last;             /* they lie along the last axis */
    int within;            /* so many loops */
    bool moves; /* values change from step to step: none is where an op wants it for good */
    agn_tensor *value[MOST_VALUES];
    bool used[MOST_VALUES];
    bool hidden[MOST_VALUES]; /* a factor: of use to its solve alone */
    bool ties;   /* elements from a small set, so that many are alike */
    bool judged; /* only what tests/fuzz/judge-nest.py knows */
} drawing;

static inline int below(drawing *g, int n)
{
    return (int)(fuzz_draw(&g->state) % (uint64_t)n);
}
static inline double between(drawing *g, double lo, double hi)
{
    return lo + (hi - lo) * (double)(fuzz_draw(&g->state) >> 11) * 0x1p-53;
}

static inline int rank_of(const drawing *g, int v)
{
    return v < 0 ? 0 : agn_ndim(g->value[v]);
}
static inline const int64_t *shape_of(const drawing *g, int v)
{
    return agn_shape(g->value[v]);
}
/* size of an axis counted from the end */
static inline int64_t length_of(const drawing *g, int v, int axis)
{
    return shape_of(g, v)[rank_of(g, v) + axis];
}
int kind_of(const drawing *g, int v);

/* a value of one of the kinds, recent and unused ones more often; with at least rank axes */
int pick(drawing *g, int kinds);
int pick_ranked(drawing *g, int kinds, int rank);
/* one of exactly this shape */
int of_shape(drawing *g, int kinds, int ndim, const int64_t *shape);
/* v brought into (lo, hi) smoothly, itself if it lies there */
int within(drawing *g, int v, double lo, double hi);

/* room for what is drawn; false without memory. drawn: gives it back, with the values */
bool drawing_room(drawing *g, int most);
void drawn(drawing *g);

int push_constant(drawing *g, int dtype, int ndim, const int64_t *shape, const void *data);
int push_integers(drawing *g, int ndim, const int64_t *shape, int lo, int hi);
int push_scalar(drawing *g, double v);
/* the first result of an op; -1 where it fails or its values are not fit to go on with */
int push_op(drawing *g, const step *q, bool any_size);
int push_ints(drawing *g, const char *op, int n_in, const int *in, int n_int, const int64_t *ints);
int push(drawing *g, const char *op, int n_in, const int *in);
int push_scaled(drawing *g, int v, double scale, double shift);
/* an element-wise row, any or this one; any op that a kind of program has, by name */
int draw_some_row(drawing *g);
int draw_row(drawing *g, const agni_op *op);
int draw_by_name(drawing *g, const char *op);
int draw_step(drawing *g); /* any of the drawing's kind */

/* ---- program-menu.c: ops that are no element-wise rows -------------------------------------- */

typedef struct dish {
    const char *op;
    int (*draw)(drawing *g, const char *op);
    bool unjudged; /* random, or an exponential of a matrix: the interpreter outside cannot follow */
    const char *left_out; /* why it is not drawn */
} dish;
extern const dish fuzz_menu[];
extern const int fuzz_dishes;

/* ---- program-wide.c: values of many rows ----------------------------------------------------- */

void wide_begin(drawing *g);
int wide_elements(const drawing *g);
/* the shape of an input; its number of axes */
int wide_input(drawing *g, int i, int64_t *shape);
int wide_step(drawing *g);
int draw_common(drawing *g); /* a row that is common in networks and physics */

/* ---- program-loop.c ---------------------------------------------------------------------------- */

int draw_loop(drawing *g);

#endif
