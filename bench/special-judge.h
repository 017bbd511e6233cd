/* bench/special-judge.h - arguments that a function is measured at, balls of Arb that hold its values, and
   what it errs by: what accuracy-special.c and special-intervals.c share. */
#ifndef AGN_SPECIAL_JUDGE_H
#define AGN_SPECIAL_JUDGE_H

#include "bench/special-table.h"

#include <time.h>

enum { BLOCK = 256, LEAST_BITS = 100, MOST_BITS = 3200 };

extern uint64_t agni_seed;
uint64_t agni_draw_bits(void);
double agni_draw_unit(void);
void agni_draw_arguments(const special *f, double *x);
void agni_draw_attributes(const special *f, int64_t *k);

/* whether y has a radius of 2^-68 of unit, which is at least the least normal number */
bool agni_is_known(arb_srcptr y, arb_t unit);
/* y to 2^-68 of unit, by balls of least bits and more; false: not to be had */
bool agni_find_reference(const special *f, arb_ptr y, arb_t unit, arb_srcptr x, const int64_t *k,
                         slong least);
/* what was found of n arguments, two parts a number; z: by f32, or NULL */
void agni_run_both(const special *f, int64_t n, double (*x)[BLOCK], const int64_t *k, double (*y)[2],
                   double (*z)[2], result *r);
/* what was found of one argument, y and z by f32, against its reference; unit is changed */
void agni_judge_argument(const special *f, const double *point, const int64_t *k, const double *y,
                         const double *z, arb_srcptr want, arb_t unit, result *r);

static inline double cpu_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* functions that are measured on short intervals of one argument, the others drawn anew for each */
typedef struct interval {
    const char *name;
    int argument, blocks; /* of BLOCK points in an interval */
} interval;
const interval *agni_find_interval(const char *name);
void agni_measure_intervals(const special *f, const interval *v, int64_t n, double end, result *r);

#endif
