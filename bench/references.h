/* bench/references.h - values to hundreds of bits of what bench/accuracy.c measures. */
#ifndef AGN_REFERENCES_H
#define AGN_REFERENCES_H

#include <float.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

enum { PRECISION = 192, MOST_POINTS = 12 };
#define END DBL_MAX /* of a list of points */

typedef struct function {
    const char *name, *op;
    int n;
    int64_t order; /* -1: none */
    void (*value)(mpfr_t y, mpfr_t *x, int64_t order);
    double box[3][2]; /* where the bound is promised */
    double point[3][MOST_POINTS]; /* roots, poles, joints; then END */
    int64_t most;                 /* arguments, where references are slow; 0: any number */
    bool (*skip)(const double *x); /* no reference there */
} function;

extern const function functions[];
extern const int n_functions;

#endif
