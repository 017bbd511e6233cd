/* distribution/cpu/density.h - log densities and their slopes of one CPU level (Johnson, Kotz &
   Balakrishnan 1994; Johnson, Kemp & Kotz 2005). */
#ifndef AGNI_CPU_DENSITY_H
#define AGNI_CPU_DENSITY_H

#include <stdbool.h>
#include <stdint.h>

/* Arguments are the number, the parameters, then what is a constant of their slopes: of gamma log
   gamma(concentration) and the log of the rate, of poisson agni_log_gamma_rest of the number and 1,
   of student_t the log of its factor and 1 / sqrt(df), of binomial_logits log of count over number,
   of normal, half_cauchy and exponential the log of the last parameter, of uniform that of the
   width. */
enum {
    AGNI_DENSITY_NORMAL,
    AGNI_DENSITY_HALF_CAUCHY,
    AGNI_DENSITY_UNIFORM,
    AGNI_DENSITY_EXPONENTIAL,
    AGNI_DENSITY_GAMMA,
    AGNI_DENSITY_POISSON,
    AGNI_DENSITY_STUDENT_T,
    AGNI_DENSITY_BINOMIAL_LOGITS,
    AGNI_DENSITIES
};
enum { AGNI_DENSITY_ARGS = 6 };

typedef struct agni_density_row {
    int law, args;
    int64_t n;
    const double *x[AGNI_DENSITY_ARGS]; /* n numbers, */
    bool one[AGNI_DENSITY_ARGS];        /* or the same one for all */
    double *slope[AGNI_DENSITY_ARGS];   /* likewise, of the sum; NULL: nobody asks */
    double *sum;                        /* of the log densities */
} agni_density_row;

typedef struct agni_vdensity {
    void (*sum_row)(const agni_density_row *r);
} agni_vdensity;

#endif
