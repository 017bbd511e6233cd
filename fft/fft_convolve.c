/* fft/fft_convolve.c - fast convolution and correlation: ifft(fft(a) fft(v)). */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>

/* x along its last d axes to the lengths n and to frequencies */
static const agn_tensor *transform_forward(agn_scope *s, const agn_tensor *x, bool real, int32_t d,
                                           const int64_t *n)
{
    return real ? ag_fft_rfftn(s, x, n, NULL, d, AGN_FFT_BACKWARD)
                : ag_fft_fftn(s, x, n, NULL, d, AGN_FFT_BACKWARD);
}

static const agn_tensor *transform_inverse(agn_scope *s, const agn_tensor *x, bool real, int32_t d,
                                           const int64_t *n)
{
    return real ? ag_fft_irfftn(s, x, n, NULL, d, AGN_FFT_BACKWARD)
                : ag_fft_ifftn(s, x, n, NULL, d, AGN_FFT_BACKWARD);
}

/* the range of mode within the n + m - 1 elements of the full convolution of sizes n, m */
static void output_range(int32_t mode, int64_t n, int64_t m, int64_t *start, int64_t *stop)
{
    int64_t less = n < m ? n : m, more = n < m ? m : n;
    *start = mode == AGN_FULL ? 0 : mode == AGN_SAME ? (m - 1) / 2 : less - 1;
    *stop = *start + (mode == AGN_FULL ? n + m - 1 : mode == AGN_SAME ? n : more - less + 1);
}

static agn_status convolve_by_fft(agn_tensor **out, const char *op, const agn_tensor *a,
                                  const agn_tensor *v, int32_t d, int32_t mode, bool is_convolution)
{
    int64_t n[AGN_MAX_RANK], start[AGN_MAX_RANK] = {0}, stop[AGN_MAX_RANK], step[AGN_MAX_RANK];
    int32_t last[AGN_MAX_RANK];
    agn_status st = agni_check_sliding(op, out, a, v, d, mode);
    if (st)
        return st;
    for (int32_t k = 0; k < d; k++) {
        int64_t na = a->shape[a->ndim - d + k], nv = v->shape[v->ndim - d + k];
        if (na > INT32_MAX / 2 || nv > INT32_MAX / 2)
            return agni_fail(AGN_EARG, "%s: %lld and %lld places are beyond 2^30 - 1", op,
                             (long long)na, (long long)nv);
        n[k] = agni_fft_fast_length(na + nv - 1);
        last[k] = k - d;
    }
    int dtype = agni_promote(a->dtype, v->dtype);
    int wide = agni_kind(dtype) <= AGNI_KIND_INT ? AGN_F64 : agni_dtypes[dtype].wide;
    bool real = agni_kind(wide) != AGNI_KIND_COMPLEX;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_cast(s, a, wide), *w = agni_cast(s, v, wide);
    if (!is_convolution)
        w = ag_flip(s, ag_conj(s, w), last, d);
    const agn_tensor *y = ag_mul(s, transform_forward(s, x, real, d, n),
                                 transform_forward(s, w, real, d, n));
    y = transform_inverse(s, y, real, d, n);
    if (y) {
        for (int k = 0, j; k < y->ndim; k++) {
            j = k - (y->ndim - d);
            stop[k] = y->shape[k];
            step[k] = 1;
            if (j >= 0)
                output_range(mode, a->shape[a->ndim - d + j], v->shape[v->ndim - d + j], start + k,
                             stop + k);
        }
        y = ag_slice(s, y, y->ndim, start, stop, step);
        y = ag_contiguous(s, agni_kind(dtype) <= AGNI_KIND_INT ? y : agni_cast(s, y, dtype));
    }
    return agni_return(op, s, out, y);
}

agn_status agn_fft_convolve(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                            int32_t axes, int32_t mode)
{
    return convolve_by_fft(out, "fft_convolve", a, v, axes, mode, true);
}

agn_status agn_fft_correlate(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                             int32_t axes, int32_t mode)
{
    return convolve_by_fft(out, "fft_correlate", a, v, axes, mode, false);
}
