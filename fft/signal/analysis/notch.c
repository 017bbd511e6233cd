/* fft/signal/analysis/notch.c - filters of one frequency and of its multiples (Orfanidis 1996, 11.3
   and 11.5). */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/signal_analysis.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { PERIOD_MOST = 1 << 24 };

/* 1 where a notch has its frequency within 0 and half the rate, its width within 0 and that half
   too, and poles within the circle (Jury's triangle, after rounding); NaN elsewhere */
static const agn_tensor *mark_stable(agn_scope *s, const agn_tensor *w, const agn_tensor *half,
                                     const agn_tensor *gain, const agn_tensor *middle)
{
    const agn_tensor *last = ag_add_c(s, ag_mul_c(s, gain, 2), -1);
    const agn_tensor *margins[] = {
        w,
        ag_add_c(s, ag_neg(s, w), PI),
        half,
        ag_add_c(s, ag_neg(s, half), PI / 2),
        ag_add_c(s, ag_neg(s, ag_abs(s, last)), 1),
        ag_sub(s, ag_add_c(s, last, 1), ag_abs(s, middle)),
    };
    const agn_tensor *least = margins[0];
    for (size_t i = 1; i < AGNI_COUNT(margins); i++)
        least = ag_minimum(s, least, margins[i]);
    least = ag_stop_gradient(s, least);
    if (!least)
        return NULL;
    return ag_where(s, ag_gt(s, least, agni_full_like(s, 0, least)), agni_full_like(s, 1, least),
                    agni_full_like(s, (double)NAN, least));
}

agn_status agn_signal_design_notch(agn_tensor **b, agn_tensor **a, const agn_tensor *frequency,
                                   const agn_tensor *q, double rate, bool pass)
{
    static const char op[] = "signal_design_notch";
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    AGNI_NEED(op, frequency);
    AGNI_NEED(op, q);
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){frequency, q});
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: frequency is %s, q %s; real dtypes are needed", op,
                         agni_dtypes[frequency->dtype].name, agni_dtypes[q->dtype].name);
    if (frequency->ndim == AGNI_MAX_RANK || q->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE,
                         "%s: frequency is of rank %d, q of rank %d; coefficients need an axis", op,
                         frequency->ndim, q->ndim);
    if (!(rate > 0) || !isfinite(rate))
        return agni_fail(AGN_EARG, "%s: a rate of %g; it is positive", op, rate);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_mul_c(s, agni_cast(s, frequency, dtype), 2 * PI / rate);
    const agn_tensor *half = ag_mul_c(s, ag_div(s, w, agni_cast(s, q, dtype)), 0.5);
    const agn_tensor *gain = ag_reciprocal(s, ag_add_c(s, ag_tan(s, half), 1));
    const agn_tensor *middle = ag_mul_c(s, ag_mul(s, gain, ag_cos(s, w)), -2);
    const agn_tensor *one = mark_stable(s, w, half, gain, middle), *rest;
    gain = ag_mul(s, gain, one);
    middle = ag_mul(s, middle, one);
    rest = ag_sub(s, one, gain);
    const agn_tensor *up[] = {pass ? rest : gain, pass ? ag_mul_c(s, one, 0) : middle,
                              pass ? ag_neg(s, rest) : gain};
    const agn_tensor *down[] = {one, middle, ag_add_c(s, ag_mul_c(s, gain, 2), -1)};
    if (!agn_scope_status(s)) {
        agn_scope_return(s, b, ag_stack(s, up, 3, -1));
        agn_scope_return(s, a, ag_stack(s, down, 3, -1));
    }
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_signal_design_comb(agn_tensor **b, agn_tensor **a, int64_t period, double q,
                                  bool pass, bool middle)
{
    static const char op[] = "signal_design_comb";
    agn_tensor *up = NULL, *down = NULL;
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    if (period < 2 || period > PERIOD_MOST || !(q > 0.5) || !isfinite(q))
        return agni_fail(
            AGN_EARG,
            "%s: a period of %lld samples, a quality of %g; periods are 2 to %d, "
            "qualities above 1/2",
            op, (long long)period, q, PERIOD_MOST);
    /* a tooth is 2 pi / period / q wide, and period times as wide in the phase of z^period */
    double beta = tan(PI / (2 * q)), pole = (1 - beta) / (1 + beta);
    double gain = pass ? beta / (1 + beta) : 1 / (1 + beta);
    if (!(pole < 1))
        return agni_fail(AGN_EARG,
                         "%s: a quality of %g rounds the %lld poles onto the circle", op, q,
                         (long long)period);
    /* teeth where z^period is 1, or -1 */
    double sign = middle ? -1 : 1;
    int64_t n = period + 1;
    size_t size = (size_t)n * sizeof(double);
    double *v = agni_alloc(size);
    if (!v)
        return agni_nomem(op, size);
    memset(v, 0, size);
    v[0] = gain;
    v[period] = (pass ? 1 : -1) * sign * gain;
    agn_status st = agn_from_host(&up, AGN_F64, 1, &n, v);
    v[0] = 1;
    v[period] = -sign * pole;
    if (!st)
        st = agn_from_host(&down, AGN_F64, 1, &n, v);
    agni_free(v);
    if (st) {
        agn_release(up);
        return st;
    }
    *b = up;
    *a = down;
    return AGN_OK;
}

/* The cepstrum of the magnitudes, folded onto positive times, is that of the filter of least phase.
   */
agn_status agn_signal_minimum_phase(agn_tensor **out, const agn_tensor *h, int64_t n_fft,
                                    bool whole)
{
    static const char op[] = "signal_minimum_phase";
    agn_status st = agni_signal_check(op, out, h);
    if (st)
        return st;
    if (agni_kind(h->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: h is %s; a real dtype is needed", op,
                         agni_dtypes[h->dtype].name);
    int64_t taps = h->shape[h->ndim - 1];
    if (taps < 3)
        return agni_fail(AGN_ESHAPE, "%s: h is %s; it has three taps at least", op, AGNI_SHAPE(h));
    for (int64_t n = 1; !n_fft && n > 0; n *= 2)
        n_fft = n >= 200 * (taps - 1) ? n : 0;
    if (n_fft < taps || n_fft > 1 << 28)
        return agni_fail(AGN_EARG,
                         "%s: %lld points for h %s; they are not fewer than taps, at most 2^28", op,
                         (long long)n_fft, AGNI_SHAPE(h));
    int dtype = agni_signal_dtype(h->dtype);
    size_t size = (size_t)n_fft * sizeof(double);
    double *v = agni_alloc(size);
    agn_tensor *wide = NULL, *made = NULL;
    if (!v)
        return agni_nomem(op, size);
    for (int64_t k = 0; k < n_fft; k++)
        v[k] = k == 0 || 2 * k == n_fft ? 1 : 2 * k < n_fft ? 2 : 0;
    if (n_fft % 2 == 0)
        v[n_fft / 2] = 0; /* as of SciPy */
    else
        v[n_fft / 2] = 1;
    st = agn_from_host(&wide, AGN_F64, 1, &n_fft, v);
    if (!st)
        st = agn_cast(&made, wide, (agn_dtype)dtype);
    agni_free(v);
    agn_release(wide);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *fold = agni_adopt_constant(s, st, made);
    const agn_tensor *x = agni_signal_zeros(s, agni_cast(s, h, dtype), 0, n_fft - taps);
    const agn_tensor *m = ag_abs(s, ag_fft_fft(s, x, 0, -1, AGN_FFT_BACKWARD));
    /* zeros on the circle are lifted by a little of the least magnitude that is none */
    const agn_tensor *zero = ag_full_like(s, m, 0), *huge = ag_full_like(s, m, (double)INFINITY);
    const agn_tensor *least = ag_amin(s, ag_where(s, ag_gt(s, m, zero), m, huge), (int32_t[]){-1},
                                      1, true);
    m = ag_add(s, m, ag_mul_c(s, ag_stop_gradient(s, least), 1e-7));
    const agn_tensor *log_ = ag_mul_c(s, ag_log(s, m), whole ? 1 : 0.5);
    const agn_tensor *c = ag_mul(s, ag_real(s, ag_fft_ifft(s, log_, 0, -1, AGN_FFT_BACKWARD)),
                                 fold);
    const agn_tensor *y = ag_exp(s, ag_fft_fft(s, c, 0, -1, AGN_FFT_BACKWARD));
    y = ag_real(s, ag_fft_ifft(s, y, 0, -1, AGN_FFT_BACKWARD));
    return agni_return(op, s, out, agni_signal_part(s, y, 0, whole ? taps : (taps + 1) / 2));
}

agn_status agn_signal_decimate(agn_tensor **out, const agn_tensor *x, int64_t factor, bool fir)
{
    static const char op[] = "signal_decimate";
    agn_status st = agni_signal_check(op, out, x);
    if (st)
        return st;
    if (factor < 1 || factor > 1 << 20)
        return agni_fail(AGN_EARG, "%s: a factor of %lld for x %s; it is 1 to 2^20", op,
                         (long long)factor, AGNI_SHAPE(x));
    if (x->ndim == AGNI_MAX_RANK || (!fir && factor > 1 && x->shape[x->ndim - 1] < 28))
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s of rank %d; the filter needs 28 samples, and an axis", op,
                         AGNI_SHAPE(x), x->ndim);
    int dtype = agni_signal_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, dtype);
    if (factor > 1 && fir) {
        agn_tensor *w = NULL, *h = NULL;
        int64_t taps = 20 * factor + 1;
        double edge = 1 / (double)factor;
        st = agn_signal_window(&w, AGN_WINDOW_HAMMING, AGN_F64, taps, NULL, 0, true);
        agn_signal_fir_options o = {.size = sizeof o, .window = w};
        if (!st)
            st = agn_signal_design_fir(&h, taps, &edge, 1, &o);
        agn_release(w);
        const agn_tensor *c = agni_cast(s, agni_adopt_constant(s, st, h), agni_dtypes[dtype].real);
        y = ag_signal_resample_poly(s, y, 1, factor, c);
    } else if (factor > 1) {
        agn_tensor *sos = NULL;
        agn_signal_iir_options o = {.size = sizeof o,
                                    .family = AGN_IIR_CHEBYSHEV,
                                    .order = 8,
                                    .ripple = 0.05,
                                    .low = 0.8 / (double)factor};
        st = agn_signal_design_iir(&sos, &o);
        const agn_tensor *c = agni_cast(s, agni_adopt_constant(s, st, sos),
                                        agni_dtypes[dtype].real);
        y = ag_signal_sosfiltfilt(s, c, y);
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < x->ndim; d++) {
            stop[d] = x->shape[d];
            step[d] = d == x->ndim - 1 ? factor : 1;
        }
        y = ag_slice(s, y, x->ndim, start, stop, step);
    }
    return agni_return(op, s, out, y);
}
