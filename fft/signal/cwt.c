/* fft/signal/cwt.c - continuous wavelet transform of a periodic signal, by its Fourier transform
   (Torrence & Compo 1998), and the signal whose transform is nearest: at each frequency a quotient
   of sums over the scales. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <math.h>

#define PI 3.14159265358979323846
#define UNKNOWN 1e-10 /* of the greatest power: frequencies that no scale sees */

static agn_status check_scales(const char *op, const agn_tensor *scales, int32_t kind, double omega)
{
    if (agni_kind(scales->dtype) == AGNI_KIND_COMPLEX || scales->ndim != 1)
        return agni_fail(scales->ndim == 1 ? AGN_EDTYPE : AGN_ESHAPE,
                         "%s: scales is %s %s; it is real, [scales]", op,
                         agni_dtypes[scales->dtype].name, AGNI_SHAPE(scales));
    if (kind < AGN_CWT_MORLET || kind > AGN_CWT_RICKER || !(omega >= 0) || !isfinite(omega))
        return agni_fail(AGN_EARG,
                         "%s: kind %d with omega %g; there are 0 to %d, and omega is not negative",
                         op, kind, omega, AGN_CWT_RICKER);
    return AGN_OK;
}

/* sqrt(s) Psi(s omega) for n frequencies in the order of the transform: [scales, bins] of a real
   dtype */
static const agn_tensor *make_filters(agn_scope *s, const agn_tensor *scales, int32_t kind,
                                      double omega, int64_t n, int dtype)
{
    agn_tensor *made = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = kind == AGN_CWT_MORLET ? agn_fft_fftfreq(&made, AGN_F64, n, 1)
                                    : agn_fft_rfftfreq(&made, AGN_F64, n, 1);
    const agn_tensor *f = agni_adopt_constant(s, st, made), *a = agni_cast(s, scales, AGN_F64), *h;
    if (!a || !f)
        return NULL;
    /* the bin of both signs, of even n, is that of the positive one: Morlet's wavelet sees no
       other */
    f = ag_where(s, ag_le(s, f, agni_full_like(s, -0.5, f)), ag_neg(s, f), f);
    a = ag_where(s, ag_gt(s, a, agni_full_like(s, 0, a)), a, agni_full_like(s, (double)NAN, a));
    a = ag_expand_dims(s, a, -1);
    const agn_tensor *u = ag_mul(s, a, ag_mul_c(s, f, 2 * PI));
    if (kind == AGN_CWT_MORLET) {
        h = ag_exp(s, ag_mul_c(s, ag_square(s, ag_add_c(s, u, -(omega > 0 ? omega : 6))), -0.5));
        h = ag_mul_c(s, h, sqrt(2 * PI) * pow(PI, -0.25));
    } else {
        u = ag_square(s, u);
        h = ag_mul(s, u, ag_exp(s, ag_mul_c(s, u, -0.5)));
        h = ag_mul_c(s, h, sqrt(2 * PI) * 2 / sqrt(3) * pow(PI, -0.25));
    }
    return agni_cast(s, ag_mul(s, h, ag_sqrt(s, a)), dtype);
}

agn_status agn_signal_cwt(agn_tensor **out, const agn_tensor *x, const agn_tensor *scales,
                          int32_t kind, double omega)
{
    static const char op[] = "signal_cwt";
    if (!scales)
        return agni_fail(AGN_ENULL, "%s: scales is NULL", op);
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = check_scales(op, scales, kind, omega);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!st && (x->shape[x->ndim - 1] > INT32_MAX || x->ndim == AGNI_MAX_RANK))
        st = agni_fail(
            AGN_ESHAPE,
            "%s: x is %s of rank %d; scales need an axis, and 2^31 - 1 samples are the most", op,
            AGNI_SHAPE(x), x->ndim);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1];
    int dtype = agni_signal_dtype(x->dtype);
    bool complex = kind == AGN_CWT_MORLET;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_expand_dims(s, agni_cast(s, x, dtype), -2);
    if (y)
        y = complex ? ag_fft_fft(s, y, 0, -1, AGN_FFT_BACKWARD)
                    : ag_fft_rfft(s, y, 0, -1, AGN_FFT_BACKWARD);
    y = ag_mul(s, y, make_filters(s, scales, kind, omega, n, dtype));
    if (y)
        y = complex ? ag_fft_ifft(s, y, 0, -1, AGN_FFT_BACKWARD)
                    : ag_fft_irfft(s, y, n, -1, AGN_FFT_BACKWARD);
    return agni_return(op, s, out, y);
}

agn_status agn_signal_icwt(agn_tensor **out, const agn_tensor *x, const agn_tensor *scales,
                           int32_t kind, double omega)
{
    static const char op[] = "signal_icwt";
    if (!scales)
        return agni_fail(AGN_ENULL, "%s: scales is NULL", op);
    agn_status st = agni_signal_check(op, out, x);
    if (!st)
        st = check_scales(op, scales, kind, omega);
    if (!st && kind == AGN_CWT_RICKER && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s %s; the transform by this wavelet is real", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!st && (x->ndim < 2 || x->shape[x->ndim - 2] != scales->shape[0] || !scales->shape[0] ||
                x->shape[x->ndim - 1] > INT32_MAX))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, scales %s; x is [..., scales, n], with a scale",
                       op, AGNI_SHAPE(x), AGNI_SHAPE(scales));
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1];
    int dtype = agni_signal_dtype(x->dtype), real = agni_dtypes[dtype].real;
    bool complex = kind == AGN_CWT_MORLET;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *h = make_filters(s, scales, kind, omega, n, real),
                     *y = agni_cast(s, x, dtype);
    if (y)
        y = complex ? ag_fft_fft(s, y, 0, -1, AGN_FFT_BACKWARD)
                    : ag_fft_rfft(s, y, 0, -1, AGN_FFT_BACKWARD);
    y = ag_sum(s, ag_mul(s, y, h), (int32_t[]){-2}, 1, false);
    const agn_tensor *power = ag_sum(s, ag_square(s, h), (int32_t[]){-2}, 1, false);
    if (complex && power) /* a real signal: frequencies of both signs tell of it */
        power = ag_add(
            s, power,
            ag_roll(s, ag_flip(s, power, (int32_t[]){-1}, 1), (int64_t[]){1}, (int32_t[]){-1}, 1));
    if (power && y) {
        const agn_tensor *most = ag_max(s, power, (int32_t[]){-1}, 1, true);
        const agn_tensor *unseen = ag_le(s, power, ag_mul_c(s, most, UNKNOWN)),
                         *none = agni_full_like(s, 0, y);
        power = ag_where(s, unseen, agni_full_like(s, 1, power), power);
        y = ag_where(s, unseen, none, ag_div(s, y, power));
    }
    if (y && complex)
        y = ag_mul_c(s, ag_real(s, ag_fft_ifft(s, y, 0, -1, AGN_FFT_BACKWARD)), 2);
    else if (y)
        y = ag_fft_irfft(s, y, n, -1, AGN_FFT_BACKWARD);
    return agni_return(op, s, out, y);
}
