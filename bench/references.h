/* bench/references.h - values of what bench/accuracy.c measures: to hundreds of bits, and quick
   ones in long double that say which arguments are worth them. functions.def lists them. */
#ifndef AGN_REFERENCES_H
#define AGN_REFERENCES_H

#include <float.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

enum { PRECISION = 256, MOST_POINTS = 26 };
#define END DBL_MAX /* of a list of points */

typedef struct function {
    const char *name, *op;
    int64_t order; /* -1: none */
    void (*value)(mpfr_t y, mpfr_t *x, int64_t order);
    long double (*quick)(const long double *x, int64_t order);
    bool (*skip)(const double *x);        /* no reference there; NULL: everywhere */
    void (*lead)(double *x, double step); /* puts the last argument next to a curve of roots or
                                             joints; or NULL */
    int n;                                /* arguments */
    double box[3][2];                     /* where the bound is promised */
    double point[3][MOST_POINTS];         /* roots, poles, joints; then END */
} function;

extern const function functions[];
extern const int n_functions;

#define ROW(id, ...) \
    void v_##id(mpfr_t y, mpfr_t *x, int64_t order); \
    long double q_##id(const long double *x, int64_t order);
#include "bench/functions.def"
#undef ROW

#endif
