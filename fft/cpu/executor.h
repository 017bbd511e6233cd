/* fft/cpu/executor.h - passes over the axes of a tensor, which the kernels are made of. */
#ifndef AGNI_FFT_EXECUTOR_H
#define AGNI_FFT_EXECUTOR_H

#include "fft/fft.h"

/* one pass over a tensor: which axes are transformed, from where to where */
typedef struct agni_fft_pass {
    int kind, sign;
    bool single;
    int ndim, n_axes;
    int *axes;            /* which; read alone but by who made them */
    const int64_t *n;     /* along axes: logical lengths */
    const int64_t *shape; /* of the batch axes */
    void *in, *out;
    const int64_t *is, *os;
    const agni_fft_factors *factors; /* NULL: by FFTW's plan of that kind */
} agni_fft_pass;

/* all lines of w; messages begin with op */
agn_status agni_fft_run_pass(const char *op, const agni_fft_pass *w);
/* too large for one core, and too few lines to share */
bool agni_fft_wants_passes(const agni_fft_pass *w);
/* The axes of w together, or one after the other where they give threads something to share: the
   first from in to out, the others within out. */
agn_status agni_fft_run_axes(const char *op, const agni_fft_pass *w, const int64_t *out_shape);

#endif
