/* fft/signal/waveforms.c - signals by their formula: sweeps, square and triangular waves, pulses;
   and the power of sines in samples at any times (Lomb 1976; Scargle 1982). */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <math.h>

#define PI 3.14159265358979323846

static agn_status check_times(const char *op, agn_tensor *const *out, const agn_tensor *t)
{
    if (!out || !t)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "t" : "out");
    if (agni_kind(t->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: t is %s %s; times are real", op,
                         agni_dtypes[t->dtype].name, AGNI_SHAPE(t));
    return AGN_OK;
}

/* the phase of a sweep from f0 at 0 to f1 at t1, over 2 pi */
static const agn_tensor *sweep_phase(agn_scope *s, const agn_tensor *t, double f0, double t1,
                                     double f1, int32_t kind)
{
    double rise = (f1 - f0) / t1;
    switch (kind) {
    case AGN_CHIRP_LINEAR:
        return ag_mul(s, t, ag_add_c(s, ag_mul_c(s, t, rise / 2), f0));
    case AGN_CHIRP_QUADRATIC: /* slowest at 0 */
        return ag_mul(s, t, ag_add_c(s, ag_mul_c(s, ag_square(s, t), rise / t1 / 3), f0));
    case AGN_CHIRP_LOGARITHMIC:
        return f0 == f1 ? ag_mul_c(s, t, f0)
                        : ag_mul_c(s, ag_expm1(s, ag_mul_c(s, t, log(f1 / f0) / t1)),
                                   f0 * t1 / log(f1 / f0));
    default: { /* 1 / f is linear */
        double pole = f0 == f1 ? 0 : f1 * t1 / (f1 - f0);
        return f0 == f1
                   ? ag_mul_c(s, t, f0)
                   : ag_mul_c(s, ag_log(s, ag_abs(s, ag_add_c(s, ag_mul_c(s, t, -1 / pole), 1))),
                              -pole * f0);
    }
    }
}

agn_status agn_signal_chirp(agn_tensor **out, const agn_tensor *t, double f0, double t1, double f1,
                            int32_t kind, double phase)
{
    static const char op[] = "signal_chirp";
    agn_status st = check_times(op, out, t);
    if (st)
        return st;
    if (kind < 0 || kind > AGN_CHIRP_HYPERBOLIC)
        return agni_fail(AGN_EARG, "%s: there is no kind %d; there are 0 to %d", op, kind,
                         AGN_CHIRP_HYPERBOLIC);
    bool product = kind >= AGN_CHIRP_LOGARITHMIC && !(f0 * f1 > 0);
    if (!isfinite(f0) || !isfinite(f1) || !isfinite(phase) || !isfinite(t1) || !(t1 != 0) ||
        product)
        return agni_fail(
            AGN_EARG,
            "%s: from %g to %g by the time %g; all are finite, the time not 0, and the sweep of "
            "kind %d does not pass 0",
            op, f0, f1, t1, kind);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *p = sweep_phase(s, agni_cast(s, t, agni_signal_dtype(t->dtype)), f0, t1, f1,
                                      kind);
    return agni_return(op, s, out, ag_cos(s, ag_add_c(s, ag_mul_c(s, p, 2 * PI), phase)));
}

/* t modulo 2 pi, in [0, 2 pi) */
static const agn_tensor *wrap_phase(agn_scope *s, const agn_tensor *t)
{
    return ag_sub(s, t, ag_mul_c(s, ag_floor(s, ag_div_c(s, t, 2 * PI)), 2 * PI));
}

agn_status agn_signal_square(agn_tensor **out, const agn_tensor *t, double duty)
{
    static const char op[] = "signal_square";
    agn_status st = check_times(op, out, t);
    if (!st && !(duty >= 0 && duty <= 1))
        st = agni_fail(AGN_EARG, "%s: a duty of %g for t %s; it is 0 to 1", op, duty,
                       AGNI_SHAPE(t));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = wrap_phase(s, agni_cast(s, t, agni_signal_dtype(t->dtype)));
    w = w ? ag_where(s, ag_lt(s, w, agni_full_like(s, 2 * PI * duty, w)), agni_full_like(s, 1, w),
                     ag_add_c(s, ag_mul_c(s, w, 0), -1)) /* NaN of no time */
          : NULL;
    return agni_return(op, s, out, w);
}

agn_status agn_signal_sawtooth(agn_tensor **out, const agn_tensor *t, double width)
{
    static const char op[] = "signal_sawtooth";
    agn_status st = check_times(op, out, t);
    if (!st && !(width >= 0 && width <= 1))
        st = agni_fail(AGN_EARG, "%s: a width of %g for t %s; it is 0 to 1", op, width,
                       AGNI_SHAPE(t));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = wrap_phase(s, agni_cast(s, t, agni_signal_dtype(t->dtype)));
    const agn_tensor *up = width > 0 ? ag_add_c(s, ag_div_c(s, w, PI * width), -1) : NULL;
    const agn_tensor *down = width < 1 ? ag_div_c(s, ag_add_c(s, ag_neg(s, w), PI * (width + 1)),
                                                  PI * (1 - width))
                                       : NULL;
    const agn_tensor *y = !down ? up
                          : !up ? down
                                : ag_where(s, ag_lt(s, w, agni_full_like(s, 2 * PI * width, w)), up,
                                           down);
    return agni_return(op, s, out, y);
}

agn_status agn_signal_gausspulse(agn_tensor **out, const agn_tensor *t, double frequency,
                                 double bandwidth, double level)
{
    static const char op[] = "signal_gausspulse";
    agn_status st = check_times(op, out, t);
    if (!st && (!(frequency >= 0) || !isfinite(frequency) || !(bandwidth > 0) ||
                !isfinite(bandwidth) || !(level < 0) || !isfinite(level)))
        st = agni_fail(
            AGN_EARG,
            "%s: a frequency of %g, a bandwidth of %g at %g dB; the first is not negative, the "
            "second positive, the third negative",
            op, frequency, bandwidth, level);
    if (st)
        return st;
    double narrow = PI * frequency * bandwidth,
           a = -narrow * narrow / (4 * log(pow(10, level / 20)));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, t, agni_signal_dtype(t->dtype));
    const agn_tensor *y = ag_mul(s, ag_exp(s, ag_mul_c(s, ag_square(s, v), -a)),
                                 ag_cos(s, ag_mul_c(s, v, 2 * PI * frequency)));
    return agni_return(op, s, out, y);
}

/* ---- samples at any times ------------------------------------------------------------------- */

/* Half the square of y in the normalised cosine, and in the sine, of each frequency, at the phase
   that makes the two orthogonal. */
agn_status agn_signal_lombscargle(agn_tensor **out, const agn_tensor *t, const agn_tensor *y,
                                  const agn_tensor *w)
{
    static const char op[] = "signal_lombscargle";
    if (!out || !t || !y || !w)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !t ? "t" : !y ? "y" : "w");
    const agn_tensor *in[] = {t, y, w};
    int dtype = agni_promote(agni_promote(t->dtype, y->dtype), w->dtype);
    for (int k = 0; k < 3; k++)
        if (agni_kind(in[k]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: argument %d is %s; a real dtype is needed", op, k,
                             agni_dtypes[in[k]->dtype].name);
    if (t->ndim != 1 || !t->size || w->ndim != 1 || !y->ndim || y->shape[y->ndim - 1] != t->size)
        return agni_fail(AGN_ESHAPE,
                         "%s: t is %s, y %s, w %s; they are [n], [..., n], [frequencies]", op,
                         AGNI_SHAPE(t), AGNI_SHAPE(y), AGNI_SHAPE(w));
    agn_scope *s = agn_scope_open(NULL);
    dtype = agni_signal_dtype(dtype);
    const agn_tensor *phase = ag_mul(s, ag_expand_dims(s, agni_cast(s, w, dtype), -1),
                                     agni_cast(s, t, dtype));
    /* the phase of each frequency that makes the sines orthogonal */
    const agn_tensor *twice = ag_mul_c(s, phase, 2);
    const agn_tensor *turn = ag_mul_c(
        s,
        ag_atan2(s, ag_sum(s, ag_sin(s, twice), (int32_t[]){-1}, 1, true),
                 ag_sum(s, ag_cos(s, twice), (int32_t[]){-1}, 1, true)),
        0.5);
    phase = ag_sub(s, phase, turn);
    const agn_tensor *v = agni_cast(s, y, dtype), *p = NULL;
    double least = (dtype == AGN_F32 ? 1e-9 : 1e-20) * (double)t->size;
    for (int k = 0; k < 2; k++) {
        const agn_tensor *wave = k ? ag_sin(s, phase) : ag_cos(s, phase);
        const agn_tensor *size = ag_sum(s, ag_square(s, wave), (int32_t[]){-1}, 1, false);
        const agn_tensor *in_y = ag_squeeze(
            s, ag_matmul(s, ag_expand_dims(s, v, -2), ag_swapaxes(s, wave, -1, -2)), -2);
        /* a wave that is 0 at all times but for rounding has no share */
        const agn_tensor *silent = size ? ag_le(s, size, agni_full_like(s, least, size)) : NULL;
        size = ag_where(s, silent, ag_full_like(s, size, 1), size);
        const agn_tensor *share = ag_div(s, ag_square(s, in_y), ag_mul_c(s, size, 2));
        p = agni_add_present(s, p, ag_where(s, silent, ag_full_like(s, share, 0), share));
    }
    return agni_return(op, s, out, p);
}
