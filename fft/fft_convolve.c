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

agn_status agn_fft_autocorrelate(agn_tensor **out, const agn_tensor *x, int64_t lags)
{
    static const char op[] = "fft_autocorrelate";
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    int64_t n = x->ndim ? x->shape[x->ndim - 1] : 0;
    if (n < 1 || n > INT32_MAX / 2)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis has 1 to 2^30 - 1 samples", op,
                         AGNI_SHAPE(x));
    if (lags < 0 || lags > n)
        return agni_fail(AGN_EARG, "%s: %lld lags of %s; they are at most its samples", op,
                         (long long)lags, AGNI_SHAPE(x));
    lags = lags ? lags : n;
    int wide = agni_kind(x->dtype) <= AGNI_KIND_INT ? AGN_F64 : agni_dtypes[x->dtype].wide;
    bool real = agni_kind(wide) != AGNI_KIND_COMPLEX;
    int64_t size = agni_fft_fast_length(n + lags - 1), stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK],
            start[AGNI_MAX_RANK] = {0};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = transform_forward(s, agni_cast(s, x, wide), real, 1, &size);
    const agn_tensor *p = ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z)));
    const agn_tensor *y = transform_inverse(s, p ? agni_fft_to_complex(s, p) : NULL, real, 1,
                                            &size);
    if (y) {
        for (int d = 0; d < y->ndim; d++) {
            stop[d] = d == y->ndim - 1 ? lags : y->shape[d];
            step[d] = 1;
        }
        y = ag_contiguous(s, ag_slice(s, y, y->ndim, start, stop, step));
        y = agni_kind(x->dtype) <= AGNI_KIND_INT ? y : agni_cast(s, y, x->dtype);
    }
    return agni_return(op, s, out, y);
}
