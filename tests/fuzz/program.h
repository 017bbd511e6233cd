/* tests/fuzz/program.h - random programs as data: drawn, run, nested in transforms, shrunk.

   A program is a list of steps, each an op of the table with operands and attributes, or a
   constant; values are numbered: inputs, then the results of the steps in order. Being data it
   can be made smaller and tried again.                                                     */
#ifndef AGN_FUZZ_PROGRAM_H
#define AGN_FUZZ_PROGRAM_H

#include "tensor/dispatch/op.h"
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const agn_tensor *T;
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

enum {
    MOST_INPUTS = 8,
    MOST_ARGS = 10,
    MOST_INTS = 12,
    MOST_STEPS = 200,
    MOST_VALUES = MOST_INPUTS + 2 * MOST_STEPS,
    DIRECTIONS = 3,
    MOST_ORDER = 3
};

typedef struct step {
    const agni_op *op;   /* NULL: a constant, or an alias; fuzz_form, fuzz_call: several at once */
    agn_tensor *value;   /* of a constant */
    int alias;           /* the value this one stands for, -1: none */
    agni_obj *obj;       /* attribute of sparse ops */
    int n_in, n_out, in[MOST_ARGS];
    int first;           /* number of its first result */
    int n_int, n_real;
    int64_t ints[MOST_INTS];
    double reals[3];
} step;

/* SMALL: values of few numbers. WIDE: of many rows, along the first axis or the last, as batches have them.
   LOOPS: of few numbers, with loops among the steps */
typedef enum fuzz_kind { FUZZ_SMALL, FUZZ_WIDE, FUZZ_LOOPS } fuzz_kind;

typedef struct program {
    uint64_t seed;
    fuzz_kind kind;
    int n_x;                                /* its inputs, the first a number */
    agn_tensor *x[MOST_INPUTS];             /* the point */
    agn_tensor *v[DIRECTIONS][MOST_INPUTS]; /* directions of derivatives */
    agn_tensor *d[MOST_INPUTS];             /* along which lanes and turns of loops lie */
    int n_step, n_value;
    int n_out, out[MOST_ARGS]; /* results: one number, but for the body of a loop */
    step s[MOST_STEPS];
    agn_tensor *noise[MOST_VALUES]; /* for each value its pattern of roundings, or NULL */
    double level;                   /* of the noise that runs add: 0 */
    bool apart;                     /* it parts equal values */
    bool unrolled;                  /* loops are taken step by step */
    bool single;                    /* its numbers are f32 */
} program;

/* ---- random numbers (splitmix64, Steele et al. 2014) ------------------------------------ */

static inline uint64_t fuzz_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static inline uint64_t fuzz_draw(uint64_t *state)
{
    return fuzz_mix(*state += 0x9E3779B97F4A7C15u);
}

/* ---- program-draw.c ------------------------------------------------------------------------ */

/* judged: only what an interpreter outside of the library can follow. NULL: no memory */
program *fuzz_program(uint64_t seed, fuzz_kind kind, bool judged);
program *fuzz_copy(const program *p);
void fuzz_free(program *p);
/* is the op drawn at all? else why not */
const char *fuzz_left_out(const agni_op *op);

/* ---- program-sparse.c ---------------------------------------------------------------------- */

/* what several ops make together is traced as one node, for an interpreter that knows what it means */
extern bool fuzz_whole;

/* stands for a function of sparse tensors of any layout, whose values are the operands */
extern const agni_op fuzz_form;
enum { FUZZ_FORMS = 6, FUZZ_FORM_WAYS = 23 };
/* ints: the layouts of both tensors, and which function */
agn_status fuzz_form_apply(agn_tensor **out, const step *q, const T *in);

/* 3 x 3: symmetric with a full diagonal, 7 entries; 3 entries, some elsewhere; the lower triangle of the
   first, 5. 4 x 2, 6 entries */
enum { FUZZ_SQUARE, FUZZ_FEW, FUZZ_LOWER, FUZZ_TALL };
struct agni_pattern *fuzz_pattern(int which); /* a reference; NULL: no memory */

/* ---- program-call.c ------------------------------------------------------------------------ */

/* stands for ops that hold functions of the user's, of two operands of one shape */
extern const agni_op fuzz_call;
enum { FUZZ_CALLS = 10 };
extern const char *const fuzz_call_ops[FUZZ_CALLS]; /* which op each way is about */
agn_status fuzz_call_apply(agn_tensor **out, const step *q, const T *in);

/* ---- program-loop.c ------------------------------------------------------------------------ */

/* a step that is a loop: operands are what it carries, then what it reads */
extern const agni_op fuzz_loop;
agn_status fuzz_loop_apply(agn_tensor **out, const step *q, const program *p, const T *in);
bool fuzz_loop_noise(const step *q); /* as fuzz_make_noise, of its body */
/* smaller ones are tried: so many, of which some are none: NULL */
int fuzz_loop_ways(const agni_obj *loop);
agni_obj *fuzz_loop_less(const agni_obj *loop, int way);
void fuzz_loop_print(FILE *to, const step *q);

/* ---- program-run.c ------------------------------------------------------------------------- */

/* as a step of p */
agn_status fuzz_apply(agn_tensor **out, const step *q, const program *p, const T *in);
/* marks the steps that the results depend on */
int fuzz_live(const program *p, bool *live);
/* the program as a function of its inputs; p must outlive it */
agn_fn *fuzz_fn(const program *p);
extern const int32_t fuzz_all[MOST_INPUTS]; /* the numbers of its arguments */
/* the elements as doubles, pairs for complex ones; their number, -1 on failure */
int fuzz_numbers(double *to, int room, T x);
/* the same in new memory; NULL on failure */
double *fuzz_all_numbers(T x, int *n);
double fuzz_number(T x);
/* every value of the program at its point, to be released even on failure */
bool fuzz_values(const program *p, agn_tensor **v);
/* gives every value of the program its pattern of roundings */
bool fuzz_make_noise(program *p);

/* ---- program-wide.c ------------------------------------------------------------------------ */

/* Folds, running sums and products of p in f32, each from the numbers that it has in f64: do they lose what
   many rows add? What is off goes to message */
bool fuzz_single(const program *p, char *message, size_t room);
/* the same program in f32; NULL where it has loops, whose bodies stay as they are */
program *fuzz_in_single(const program *p);
/* the same with numbers that are infinite, NaN and -0 among the data, whose results are arrays */
program *fuzz_infinite(const program *p);

/* ---- program-nest.c ------------------------------------------------------------------------ */

/* One letter per transform; the last is the innermost. Each makes a scalar function of the
   program's inputs from another: derivatives along the next direction, or the same values in
   another way, or sums over shifted points.
     F jvp   R grad   V vjp   J jet of order 1   A jacobian   L linearize
     K jet of order 2   H hvp   O operator, of orders 2 and 1 along two directions
     B vmap over lanes   M map, lanes in parts   S scan   W while
     C checkpoint   D cond   Q switch   U custom rule   P compile                     */
#define FUZZ_LETTERS "FRVJALKHOBMSWCDQUP"
int fuzz_order(char letter);
void fuzz_word(char *word, uint64_t *state);
/* plain: by forward mode and loops in C alone. NULL: it cannot be made */
agn_fn *fuzz_nest(const program *p, const char *word, bool plain);

/* ---- program-shrink.c ---------------------------------------------------------------------- */

typedef bool fuzz_fails(const program *p, const char *word, void *with);
/* makes the program, and the word, smaller while it fails; the program it gives is new */
program *fuzz_shrink(const program *p, char *word, fuzz_fails *fails, void *with);
/* step i of p becomes the operand of that number, behind the last one the value it has; false: it cannot */
bool fuzz_step_less(program *p, int i, int way);
/* as text, with its point and directions, for people and for tests/fuzz/judge-nest.py */
void fuzz_print(FILE *to, const program *p, const char *word);

#endif
