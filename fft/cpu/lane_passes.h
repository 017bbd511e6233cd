/* fft/cpu/lane_passes.h - discrete Fourier transforms of as many columns side by side as a vector
   has lanes, by the passes of Stockham (Cochran et al. 1967; Van Loan 1992, section 1.7), and a
   transform of rows and columns whose columns they are. */
#ifndef AGNI_FFT_LANE_PASSES_H
#define AGNI_FFT_LANE_PASSES_H

#include <stdbool.h>
#include <stdint.h>

enum { AGNI_LANE_PASSES = 16, AGNI_MOST_LANES = 16 };

/* A length as its radices, each of 2, 3, 4, 5, 7, 8, 16. A pass turns its results by w, pairs of
   reals: of its m groups, radix - 1 each; the last has none. */
typedef struct agni_lane_plan {
    int64_t n;
    int count, radix[AGNI_LANE_PASSES];
    const void *w[AGNI_LANE_PASSES];
} agni_lane_plan;

/* Rows of a buffer are real parts of all lanes, then imaginary ones. */
typedef struct agni_lane_kernels {
    int lanes;
    /* n rows of lanes pairs, step numbers apart, into a buffer, parts exchanged or not, and back;
       past the caches, where whole lines are written, if aside */
    void (*load)(void *to, const void *x, int64_t step, int64_t n, bool exchange);
    void (*store)(void *y, int64_t step, const void *from, int64_t n, bool exchange, bool aside);
    /* a transform of a's rows, forwards; a or b, where its result lies */
    void *(*run)(const agni_lane_plan *p, void *a, void *b);
    /* squares of the buffer turned over: lane l of row k becomes lane k % lanes of row l of block
       k / lanes; blocks lie so many rows apart */
    void (*turn_over)(void *to, int64_t block, const void *from, int64_t n);
    /* row j times row[j] (one pair of reals) times w, a row of a buffer */
    void (*multiply)(void *to, const void *from, const void *row, const void *w, int64_t n);
    /* Transforms of 2 m reals by one of m pairs: the latter's results in x to bins 0 to m in y,
       where x may be y, or such bins to what the transform back is made of. turns: exp(-pi i k /
       m) for k to m / 2. */
    void (*untangle)(void *y, const void *x, const void *turns, int64_t m);
    void (*tangle)(void *y, const void *x, const void *turns, int64_t m);
} agni_lane_kernels;

/* by precision, f64 first */
extern const agni_lane_kernels agni_lane_transforms_base[2], agni_lane_transforms_avx2[2],
    agni_lane_transforms_avx512[2];

#endif
