/* fft/cpu/spread_lanes.h - samples of a grid about points that lie anywhere (Barnett, Magland & af
   Klinteberg 2019): the weights of a point along an axis are polynomials in lanes. */
#ifndef AGNI_FFT_SPREAD_LANES_H
#define AGNI_FFT_SPREAD_LANES_H

#include <stdint.h>

enum { AGNI_SPREAD_AXES = 3, AGNI_SPREAD_WIDTH = 16 /* most samples about a point */ };

/* A grid of complex numbers, its last axis the fast one. A point's weights along an axis are
   polynomials of so many terms in the place of its first sample, from -1 to 1: coefficients of the
   highest power first, padded of each, 2 padded a whole number of vectors; along the last axis
   twice as many, each twice. A vector more may be read behind them. */
typedef struct agni_spread_form {
    int axes, width, padded, terms;
    int64_t n[AGNI_SPREAD_AXES];
    const void *coefficient[AGNI_SPREAD_AXES];
} agni_spread_form;

/* m points, u [m, axes] in samples, 0 to n; point k is number at[k] of the pairs at values */
typedef struct agni_spread_kernels {
    int lanes;
    void (*gather)(const agni_spread_form *q, const void *grid, int64_t m, const double *u,
                   const int64_t *at, void *values);
    void (*add)(const agni_spread_form *q, void *grid, int64_t m, const double *u,
                const int64_t *at, const void *values);
} agni_spread_kernels;

/* by precision, f64 first */
extern const agni_spread_kernels agni_spread_base[2], agni_spread_avx2[2], agni_spread_avx512[2];

#endif
