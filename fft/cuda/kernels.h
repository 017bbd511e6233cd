/* fft/cuda/kernels.h - kernels for what cuFFT does not do: scales of transforms. */
#ifndef AGNI_FFT_CUDA_H
#define AGNI_FFT_CUDA_H

#include "tensor/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
/* reals numbers times f */
void agni_cu_scale(bool single, void *p, int64_t reals, double f, cudaStream_t s);
/* complex [lines, bins] of transforms of length n: times f, and inside times w as well */
void agni_cu_scale_bins(bool single, void *p, int64_t lines, int64_t bins, int64_t n, double f,
                        double w, cudaStream_t s);
#ifdef __cplusplus
}
#endif

#endif
