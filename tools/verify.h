/* tools/verify.h - one cell of the op table: an op, a question, a measured error. */
#ifndef AGNESI_VERIFY_H
#define AGNESI_VERIFY_H

#include "oracle.h"

#include <agnesi/agnesi.h>
#include <agnesi/backend.h>
#include <complex.h>

/* ---- what any other op is called with, and should give (tools/cases.c) ----------- */

enum { MOST_ARGS = 4, MOST_AXES = 4, MOST_INTS = 12, MOST_ELEMENTS = 64 };

typedef struct shape {
    int ndim;
    int64_t size[MOST_AXES];
} shape;
int64_t shape_count(const shape *s);

/* D data in the op's domain; B bools; I the integers of the case; K a key; N one
   integer */
typedef struct op_case {
    const char *op;
    int n_in;
    char role[MOST_ARGS + 1];
    shape in[MOST_ARGS], out;
    int n_int;
    int64_t ints[MOST_INTS];
    int64_t index[4];
    double reals[3];
    int n_real;
    /* y[] from the arguments as they are in memory; dtype is the one under test */
    void (*want)(const struct op_case *c, int dtype, wide *const *x, wide *y);
    bool dtype_first; /* the first attribute is the dtype under test */
    /* where the op cannot be called with the data itself: makes what it needs of
       them; the result is one, and arguments in run_diff have a derivative */
    agn_status (*run)(agn_tensor **out, const struct op_case *c, int dtype,
                      const agn_tensor *const *x);
    uint32_t run_diff;
    uint32_t fixed; /* arguments in which no derivative is known, and a call that asks is refused */
    uint32_t run_dtypes; /* those that it takes; 0: all of the op's */
    bool host;  /* the op calls functions of the host */
    bool inner; /* run makes other values beside those of the op */
    bool path;    /* its value does not depend on what its derivative is taken in */
} op_case;
const op_case *case_of(const char *op); /* NULL */

/* ---- asking (tools/measure.c, tools/slopes.c, tools/frozen.c) ------------------------------------ */

typedef struct subject {
    agn_op_info info;
    op_case c;        /* also of an element-wise op */
    bool elementwise; /* f says what it gives */
    oracle f;
    int n_out;
    uint32_t diff;
} subject;

/* why a question does not arise: the only reasons there are */
typedef enum reason {
    ASKED,
    NO_DTYPE,
    NO_SLOPE,
    NO_DRAW,
    NO_DIFFERENCE,
    NO_RULE,
    NO_ORDER,
    NO_FORMULA,
    NO_LIBRARY,
    NO_DEVICE,
    NO_KERNEL,
    NO_FILE,
    N_REASONS
} reason;

typedef struct answer {
    reason why;   /* not asked */
    bool failed;  /* the call failed: see message */
    double error; /* largest |have - want| / max(1, |want|) */
    double allowed;
    char message[200];
} answer;

/* false: no arguments are known for the op */
bool subject_of(subject *s, int32_t id);

/* Each fills an answer that is zero before. k: a dtype, for eval. */
typedef void question(answer *a, const subject *s, int k);
question ask_eval, ask_jvp, ask_vjp, ask_jet, ask_vmap, ask_plan, ask_file, ask_cpu, ask_cuda;

#endif
