/* audio/descriptors.c - numbers that describe a spectrum or a frame (Peeters 2004). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <math.h>

static const int32_t bins_axis[] = {-2};

/* frequencies [bins, 1] of bins that reach to half the rate */
static const agn_tensor *make_frequencies(agn_scope *s, int dtype, double rate, int64_t bins)
{
    agn_tensor *made = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_linspace(&made, dtype, 0, bins > 1 ? rate / 2 : 0, bins);
    const agn_tensor *f = agni_adopt_constant(s, st, made);
    return ag_expand_dims(s, f, -1);
}

static agn_status check_rate(const char *op, double rate, const agn_tensor *x)
{
    return rate > 0 && isfinite(rate)
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: a rate of %g for x %s; it is positive", op, rate,
                           AGNI_SHAPE(x));
}

/* sum f w / sum w along the bins, 0 of silence */
static const agn_tensor *weighted_mean(agn_scope *s, const agn_tensor *w, const agn_tensor *f)
{
    const agn_tensor *total = ag_sum(s, w, bins_axis, 1, true);
    const agn_tensor *silent = ag_eq(s, total, ag_full_like(s, total, 0));
    const agn_tensor *safe = ag_where(s, silent, ag_full_like(s, total, 1), total);
    return ag_div(s, ag_sum(s, ag_mul(s, w, f), bins_axis, 1, true), safe);
}

agn_status agn_audio_spectral_centroid(agn_tensor **out, const agn_tensor *x, double rate)
{
    static const char op[] = "audio_spectral_centroid";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st)
        st = check_rate(op, rate, x);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_cast(s, x, dtype),
                     *f = make_frequencies(s, dtype, rate, x->shape[x->ndim - 2]);
    return agni_return(op, s, out, ag_squeeze(s, weighted_mean(s, w, f), -2));
}

agn_status agn_audio_spectral_bandwidth(agn_tensor **out, const agn_tensor *x, double rate,
                                        double p)
{
    static const char op[] = "audio_spectral_bandwidth";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st)
        st = check_rate(op, rate, x);
    if (!st && (!(p > 0) || !isfinite(p)))
        st = agni_fail(AGN_EARG, "%s: a power of %g for x %s; it is positive", op, p,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_cast(s, x, dtype),
                     *f = make_frequencies(s, dtype, rate, x->shape[x->ndim - 2]);
    const agn_tensor *away = ag_abs(s, ag_sub(s, f, weighted_mean(s, w, f)));
    away = p == 2 ? ag_square(s, away) : ag_pow_c(s, away, p);
    const agn_tensor *y = weighted_mean(s, w, away);
    y = p == 2 ? ag_sqrt(s, y) : ag_pow_c(s, y, 1 / p);
    return agni_return(op, s, out, ag_squeeze(s, y, -2));
}

agn_status agn_audio_spectral_rolloff(agn_tensor **out, const agn_tensor *x, double rate,
                                      double part)
{
    static const char op[] = "audio_spectral_rolloff";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st)
        st = check_rate(op, rate, x);
    if (!st && !(part > 0 && part < 1))
        st = agni_fail(AGN_EARG, "%s: a part of %g for x %s; it is between 0 and 1", op, part,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    int64_t bins = x->shape[x->ndim - 2];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sums = ag_cumsum(s, ag_cast(s, x, dtype), -2);
    const agn_tensor *most = ag_max(s, sums, bins_axis, 1, true);
    const agn_tensor *below = ag_lt(s, sums, ag_mul_c(s, most, part));
    const agn_tensor *count = ag_sum(s, ag_cast(s, below, dtype), bins_axis, 1, false);
    const agn_tensor *y = ag_mul_c(s, count, bins > 1 ? rate / 2 / (double)(bins - 1) : 0);
    most = ag_squeeze(s, most, -2);
    return agni_return(op, s, out, ag_where(s, ag_isnan(s, most), most, y));
}

agn_status agn_audio_spectral_flatness(agn_tensor **out, const agn_tensor *x, double least)
{
    static const char op[] = "audio_spectral_flatness";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && (!(least > 0) || !isfinite(least)))
        st = agni_fail(AGN_EARG, "%s: a least power of %g for x %s; it is positive", op, least,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *p = ag_maximum_c(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), least);
    const agn_tensor *y = ag_div(s, ag_exp(s, ag_mean(s, ag_log(s, p), bins_axis, 1, false)),
                                 ag_mean(s, p, bins_axis, 1, false));
    return agni_return(op, s, out, y);
}

/* frames of a signal, centred as librosa's: padded by half a frame at both ends */
static const agn_tensor *centred_frames(agn_scope *s, const agn_tensor *x, int64_t length,
                                        int64_t hop, agn_pad_kind kind, bool zero)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    if (!x)
        return NULL;
    lo[x->ndim - 1] = hi[x->ndim - 1] = length / 2;
    x = zero ? ag_pad(s, x, x->ndim, lo, hi, 0) : ag_pad_with(s, x, x->ndim, lo, hi, kind);
    return ag_signal_frame(s, x, length, hop);
}

static agn_status check_frames(const char *op, agn_tensor *const *out, const agn_tensor *x,
                               int64_t length, int64_t hop)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!x->ndim || !x->shape[x->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds at least one sample", op,
                       AGNI_SHAPE(x));
    if (!st && (length < 1 || hop < 1 || length > INT32_MAX ||
                length > x->shape[x->ndim - 1] + length / 2 * 2))
        st = agni_fail(AGN_EARG, "%s: frames of %lld in steps of %lld do not fit x %s", op,
                       (long long)length, (long long)hop, AGNI_SHAPE(x));
    return st;
}

agn_status agn_audio_rms(agn_tensor **out, const agn_tensor *x, int64_t length, int64_t hop)
{
    static const char op[] = "audio_rms";
    agn_status st = check_frames(op, out, x, length, hop);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = ag_cast(s, x, agni_audio_dtype(x->dtype));
    f = centred_frames(s, ag_square(s, f), length, hop, AGN_PAD_EDGE, true);
    return agni_return(op, s, out, ag_sqrt(s, ag_mean(s, f, (int32_t[]){-1}, 1, false)));
}

agn_status agn_audio_zero_crossing_rate(agn_tensor **out, const agn_tensor *x, int64_t length,
                                        int64_t hop)
{
    static const char op[] = "audio_zero_crossing_rate";
    agn_status st = check_frames(op, out, x, length, hop);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = centred_frames(s, ag_cast(s, x, dtype), length, hop, AGN_PAD_EDGE, false);
    const agn_tensor *sign = ag_cast(s, ag_lt(s, f, ag_full_like(s, f, 0)), dtype);
    const agn_tensor *cross = ag_sum(s, ag_abs(s, ag_diff(s, sign, 1, -1, NULL, NULL)),
                                     (int32_t[]){-1}, 1, false);
    const agn_tensor *most = ag_max(s, f, (int32_t[]){-1}, 1, false); /* NaN has no sign */
    return agni_return(op, s, out,
                       ag_where(s, ag_isnan(s, most), most, ag_div_c(s, cross, (double)length)));
}

agn_status agn_audio_preemphasis(agn_tensor **out, const agn_tensor *x, double coefficient,
                                 bool inverse)
{
    static const char op[] = "audio_preemphasis";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (!isfinite(coefficient) || (inverse && fabs(coefficient) >= 1))
        return agni_fail(AGN_EARG,
                         "%s: a coefficient of %g for x %s; it is finite, and below 1 where it is "
                         "undone",
                         op, coefficient, AGNI_SHAPE(x));
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *taps = NULL, *one = NULL;
    st = agni_audio_make(&taps, dtype, 1, (int64_t[]){2}, (double[]){1, -coefficient});
    const agn_tensor *b = agni_adopt_constant(s, st, taps);
    st = agni_audio_make(&one, dtype, 1, (int64_t[]){1}, (double[]){1});
    const agn_tensor *a = agni_adopt_constant(s, st, one);
    x = ag_cast(s, x, dtype);
    return agni_return(op, s, out, ag_signal_lfilter(s, inverse ? a : b, inverse ? b : a, x));
}
