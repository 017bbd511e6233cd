/* fft/signal/analytic.c - the analytic signal (Gabor 1946), resampling by the spectrum, trends. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>

static agn_status check_real_signal(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_signal_check(op, out, x);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return st;
}

/* x + i its Hilbert transform: positive frequencies twice, negative ones not at all */
agn_status agn_signal_hilbert(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "signal_hilbert";
    agn_status st = check_real_signal(op, out, x);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1], inside = n % 2 ? n / 2 : n / 2 - 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = ag_fft_rfft(s, agni_cast(s, x, agni_signal_dtype(x->dtype)), 0, -1,
                                      AGN_FFT_BACKWARD);
    if (inside > 0) {
        const agn_tensor *part[] = {agni_signal_part(s, f, 0, 1),
                                    ag_mul_c(s, agni_signal_part(s, f, 1, inside), 2),
                                    n % 2 ? NULL : agni_signal_part(s, f, inside + 1, 1)};
        f = agn_scope_status(s) ? NULL : ag_concat(s, part, n % 2 ? 2 : 3, -1);
    }
    return agni_return(op, s, out, ag_fft_ifft(s, f, n, -1, AGN_FFT_BACKWARD));
}

agn_status agn_signal_envelope(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "signal_envelope";
    agn_status st = check_real_signal(op, out, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, ag_abs(s, ag_signal_hilbert(s, x)));
}

/* the bins that both lengths have; the one in the middle of an even length stands for both signs */
agn_status agn_signal_resample(agn_tensor **out, const agn_tensor *x, int64_t m)
{
    static const char op[] = "signal_resample";
    agn_status st = check_real_signal(op, out, x);
    if (st)
        return st;
    if (m < 1 || m > INT32_MAX)
        return agni_fail(AGN_EARG, "%s: %lld samples of x %s; there are 1 to 2^31 - 1", op,
                         (long long)m, AGNI_SHAPE(x));
    int64_t n = x->shape[x->ndim - 1], less = n < m ? n : m, bins = less / 2 + 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, agni_signal_dtype(x->dtype));
    const agn_tensor *f = agni_signal_part(s, ag_fft_rfft(s, y, 0, -1, AGN_FFT_BACKWARD), 0, bins);
    if (less % 2 == 0 && n != m) {
        const agn_tensor *part[] = {
            agni_signal_part(s, f, 0, bins - 1),
            ag_mul_c(s, agni_signal_part(s, f, bins - 1, 1), m < n ? 2 : 0.5)};
        f = agn_scope_status(s) ? NULL : ag_concat(s, part, 2, -1);
    }
    y = ag_mul_c(s, ag_fft_irfft(s, f, m, -1, AGN_FFT_BACKWARD), (double)m / (double)n);
    return agni_return(op, s, out, y);
}

agn_status agn_signal_detrend(agn_tensor **out, const agn_tensor *x, bool line)
{
    static const char op[] = "signal_detrend";
    agn_status st = agni_signal_check(op, out, x);
    if (st)
        return st;
    int dtype = agni_signal_dtype(x->dtype), real = agni_dtypes[dtype].real;
    int64_t n = x->shape[x->ndim - 1];
    agn_tensor *made = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, dtype);
    y = ag_sub(s, y, ag_mean(s, y, (int32_t[]){-1}, 1, true));
    if (line && n > 1 && !agn_scope_status(s)) {
        /* times about their middle, of length 1: an orthogonal pair with the constant */
        double half = (double)(n - 1) / 2, size = (double)n * ((double)n * (double)n - 1) / 12;
        st = agn_linspace(&made, real, -half, half, n);
        const agn_tensor *t = agni_adopt_constant(s, st, made);
        const agn_tensor *slope = ag_div_c(s, ag_sum(s, ag_mul(s, y, t), (int32_t[]){-1}, 1, true),
                                           size);
        y = ag_sub(s, y, ag_mul(s, slope, t));
    }
    return agni_return(op, s, out, y);
}
