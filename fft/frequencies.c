/* fft/frequencies.c - what the bins of a transform stand for, and bins in order of frequency. */
#include "fft/fft.h"

#include <agnesi/ag.h>

static agn_status make_frequencies(agn_tensor **out, const char *op, agn_dtype dtype, int64_t n,
                                   double d, bool half)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: the dtype is %s; f32 or f64 is needed", op,
                         agn_dtype_name(dtype));
    if (n < 1 || !(d > 0 || d < 0))
        return agni_fail(AGN_EARG,
                         "%s: n is %lld and d %g; a positive length and a spacing are needed", op,
                         (long long)n, d);
    agn_tensor *wide = NULL;
    int64_t size = half ? n / 2 + 1 : n;
    agn_status st = agni_tensor_make(&wide, op, AGN_F64, 1, &size, AGN_CPU);
    if (st)
        return st;
    double *f = wide->data;
    for (int64_t k = 0; k < size; k++)
        f[k] = (double)(half || k < (n + 1) / 2 ? k : k - n) / ((double)n * d);
    st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}

agn_status agn_fft_fftfreq(agn_tensor **out, agn_dtype dtype, int64_t n, double d)
{
    return make_frequencies(out, "fft_fftfreq", dtype, n, d, false);
}

agn_status agn_fft_rfftfreq(agn_tensor **out, agn_dtype dtype, int64_t n, double d)
{
    return make_frequencies(out, "fft_rfftfreq", dtype, n, d, true);
}

static agn_status shift_bins(agn_tensor **out, const char *op, const agn_tensor *x,
                             const int32_t *axes, int32_t n_axes, bool inverse)
{
    int64_t by[AGNI_MAX_RANK];
    int32_t which[AGNI_MAX_RANK];
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (n_axes < 0 || n_axes > (axes ? AGNI_MAX_RANK : x->ndim))
        return agni_fail(AGN_EARG, "%s: %d axes are asked for, x is %s", op, n_axes, AGNI_SHAPE(x));
    int count = n_axes || axes ? n_axes : x->ndim, d;
    for (int k = 0; k < count; k++) {
        agn_status st = agni_axis(op, axes ? axes[k] : k - count, x->ndim, &d);
        if (st)
            return st;
        which[k] = d;
        by[k] = inverse ? -(x->shape[d] / 2) : x->shape[d] / 2;
    }
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, count ? ag_roll(s, x, by, which, count) : x);
}

agn_status agn_fft_fftshift(agn_tensor **out, const agn_tensor *x, const int32_t *axes,
                            int32_t n_axes)
{
    return shift_bins(out, "fft_fftshift", x, axes, n_axes, false);
}

agn_status agn_fft_ifftshift(agn_tensor **out, const agn_tensor *x, const int32_t *axes,
                             int32_t n_axes)
{
    return shift_bins(out, "fft_ifftshift", x, axes, n_axes, true);
}
