/* tools/ask.h - what the questions of the op table share. */
#ifndef AGNESI_ASK_H
#define AGNESI_ASK_H

#include "verify.h"

enum { MOST_OUT = 4, LANES = 3 };

static inline bool is_complex(int dtype)
{
    return dtype == AGN_C64 || dtype == AGN_C128;
}

static inline bool is_integer(int dtype)
{
    return dtype <= AGN_I64;
}

/* ---- tools/arguments.c ----------------------------------------------------------- */

/* the dtype in which an op is differentiated, and asked whatever is asked in one */
int main_dtype(const subject *s);
void note_error(answer *a, wide have, wide want);
void fail(answer *a, const char *what);
/* at most LANES * MOST_ELEMENTS integers or reals; both are exact */
agn_status read_wide(wide *dst, const agn_tensor *x);
void release_all(agn_tensor **x, int n);
const agn_tensor *const *borrow(agn_tensor *const *x);
/* x[MOST_ARGS]; other numbers for every lane */
agn_status make_arguments(agn_tensor **x, const subject *s, int dtype, int lane);
agn_status apply(agn_tensor **out, const subject *s, int dtype,
                 const agn_tensor *const *in);

/* ---- tools/bound.c: the op as a function of some of its arguments ---------------- */

typedef struct bound {
    const subject *s;
    int dtype, n_var;
    int var[MOST_ARGS];
    agn_tensor *x[MOST_ARGS];
} bound;

/* all, or those that have a derivative */
agn_status bind(bound *b, const subject *s, bool all, int lane);
void unbind(bound *b);
/* x[] with the variable ones replaced */
void substitute(const bound *b, const agn_tensor *const *in, const agn_tensor **x);
/* a transform of it, called */
typedef agn_status transform(agn_fn **out, const agn_fn *f);
agn_status call_transformed(bound *b, transform *t, agn_tensor **out,
                            agn_tensor *const *in);

/* ---- tools/slopes.c: values along a curve, as a polynomial ------------------------ */

enum { CURVE_NODES = 13 };
#define CURVE_REACH 0.04
/* Chebyshev points of [-CURVE_REACH, CURVE_REACH] */
double curve_node(int j);
/* coefficients of the polynomial through (t[j], y[j]) */
void interpolate(long double *c, const double *t, const double *y);
/* is there one to ask for? else a->why not */
bool has_derivative(answer *a, const subject *s, bool given);
/* tools/verify.c: the word for it */
const char *reason_of(reason why);

#endif
