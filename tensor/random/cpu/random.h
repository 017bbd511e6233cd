/* tensor/random/cpu/random.h - kernels of random numbers, one table for each CPU level. They use
   no FMA: the numbers are the same at every level.

   Arrays have AGNI_RANDOM_SLACK elements beyond the last, which vector loops may write. */
#ifndef AGNI_CPU_RANDOM_H
#define AGNI_CPU_RANDOM_H

#include <stdint.h>

enum { AGNI_RANDOM_SLACK = 32 };

typedef struct agni_vrandom {
    /* the four words of n blocks, from block first of key on */
    void (*blocks)(uint32_t *w, uint64_t key, uint64_t first, int64_t n);
    /* words of a try of n elements, or of another block of it */
    void (*tries)(uint32_t *w, uint64_t key, uint64_t first, int64_t n, uint32_t attempt,
                  uint32_t block);
    /* u in [0, 1): 53 bits of two words; 24 bits of one */
    void (*unit53)(double *u, const uint32_t *w, int64_t n);
    void (*unit24)(double *u, const uint32_t *w, int64_t n);
    /* standard normals where p = q + 1/2 is the probability of what lies below; |q| < 1/2.
       z is not q. */
    void (*normal)(double *z, const double *q, int64_t n);
    /* y = -log u, u normal and positive; y may be u */
    void (*minus_log)(double *y, const double *u, int64_t n);
    /* y = u in f32 */
    void (*narrow)(float *y, const double *u, int64_t n);
    /* gamma numbers of a (of a + 1 below 1) by the first try, from normal and uniform numbers; NaN
       where more is needed to accept it */
    void (*gamma_first_try)(double *y, const double *a, const double *z, const double *u,
                            int64_t n);
    /* to numbers of a, by l = -log of uniform ones, or to their logarithms */
    void (*gamma_finish)(double *y, const double *a, const double *l, int64_t n, int log_form);
    /* d = t - psi(a + 1), and the number of terms that the next two need for the element: of the
       first if positive, of the second if negative; 0: none serves. y = e^t */
    void (*gamma_slope_plan)(double *d, double *terms, const double *a, const double *t,
                             const double *y, int64_t n);
    /* derivatives of the gamma distribution function of a at y in a, over the density of t */
    void (*gamma_slope_series)(double *slope, const double *a, const double *y, const double *d,
                               int64_t n, int terms);
    void (*gamma_slope_fraction)(double *slope, const double *a, const double *y, const double *d,
                                 int64_t n, int terms);
} agni_vrandom;

#endif
