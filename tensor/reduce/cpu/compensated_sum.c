/* tensor/reduce/cpu/compensated_sum.c - compensated sums of runs, compiled once per CPU level.
   Sums of f32 are accumulated in f64, compensated too. */
#include "tensor/reduce/cpu/compensated_sum.h"

#include "tensor/cpu/vmath/vmath.h"

/* independent accumulators */
enum { W = 16 };

#define RUN(T, s) \
    static void run_##s(agni_sum2 *y, const void *xv, int64_t n, int64_t step) \
    { \
        const T *x = xv; \
        double sum[W] = {0}, rest[W] = {0}; \
        int64_t k = 0; \
        for (; step == 1 && k + W <= n; k += W) \
            for (int j = 0; j < W; j++) { \
                double a = (double)x[k + j], t = sum[j] + a, z = t - sum[j]; \
                rest[j] += (sum[j] - (t - z)) + (a - z); \
                sum[j] = t; \
            } \
        for (int j = 0; k > 0 && j < W; j++) \
            agni_sum2_add(y, sum[j], rest[j]); \
        for (; k < n; k++) \
            agni_sum2_add(y, (double)x[k * step], 0); \
    }
RUN(float, f32)
RUN(double, f64)

agni_sum2_fns AGNI_LV(agni_sum2) = {run_f32, run_f64};
