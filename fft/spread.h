/* fft/spread.h - sums over the samples of a periodic grid about points that lie anywhere, and their
   adjoint, as two ops, linear in the values and with derivatives of every order in the points:
     fft_gather(grid, points; width, orders; beta)            [..., n...] to [..., points]
     fft_spread(values, points; width, n, orders; beta)       [..., points] to [..., n...]
   A sample i of an axis counts phi(i - u), phi(t) = exp(beta (sqrt(1 - (2 t / width)^2) - 1)) about
   u, in place of it the derivative in u of the axis's order. points, f64, [points, axes] or one
   such table for each of the leading axes, are in samples. */
#ifndef AGNI_FFT_SPREAD_H
#define AGNI_FFT_SPREAD_H

#include "tensor/dispatch/op_helpers.h"

agn_kernel agni_cpu_fft_gather, agni_cpu_fft_spread;

typedef struct agni_spread_kernel {
    int axes, width;
    double beta;
} agni_spread_kernel;

const agn_tensor *agni_fft_gather(agn_scope *s, const agni_spread_kernel *k,
                                  const agn_tensor *grid, const agn_tensor *points);
const agn_tensor *agni_fft_spread(agn_scope *s, const agni_spread_kernel *k,
                                  const agn_tensor *values, const agn_tensor *points,
                                  const int64_t *n);

#endif
