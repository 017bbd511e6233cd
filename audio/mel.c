/* audio/mel.c - the mel scale and its filters: of HTK (Young et al., The HTK Book, 2006) and of
   Slaney (Auditory Toolbox, 1998), which is linear to 1 kHz and logarithmic above. */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <math.h>

static double to_mel(double f, int32_t scale)
{
    if (scale == AGN_AUDIO_HTK)
        return 2595 * log10(1 + f / 700);
    return f < 1000 ? f * 3 / 200 : 15 + 27 * log(f / 1000) / log(6.4);
}
static double from_mel(double m, int32_t scale)
{
    if (scale == AGN_AUDIO_HTK)
        return 700 * (pow(10, m / 2595) - 1);
    return m < 15 ? m * 200 / 3 : 1000 * exp((m - 15) * log(6.4) / 27);
}

static agn_status check_scale(const char *op, int32_t scale)
{
    return scale == AGN_AUDIO_SLANEY || scale == AGN_AUDIO_HTK
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: scale %d is none of 0, 1", op, scale);
}

static agn_status convert_scale(agn_tensor **out, const char *op, const agn_tensor *x,
                                int32_t scale, bool back)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = check_scale(op, scale);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype)), *lin, *log;
    if (scale == AGN_AUDIO_HTK)
        y = back ? ag_mul_c(s, ag_expm1(s, ag_mul_c(s, y, log1p(9) / 2595)), 700)
                 : ag_mul_c(s, ag_log1p(s, ag_div_c(s, y, 700)), 2595 / log1p(9));
    else {
        /* the argument of the other branch stays in its range, so that neither makes NaN */
        double knee = back ? 15 : 1000;
        const agn_tensor *high = ag_ge(s, y, ag_full_like(s, y, knee));
        const agn_tensor *up = ag_maximum_c(s, y, knee);
        lin = ag_mul_c(s, y, back ? 200.0 / 3 : 3.0 / 200);
        double step = 0.068751777420949123; /* ln(6.4) / 27 */
        log = back ? ag_mul_c(s, ag_exp(s, ag_mul_c(s, ag_sub_c(s, up, 15), step)), 1000)
                   : ag_add_c(s, ag_div_c(s, ag_log(s, ag_div_c(s, up, 1000)), step), 15);
        y = ag_where(s, high, log, lin);
    }
    return agni_return(op, s, out, y);
}

agn_status agn_audio_hz_to_mel(agn_tensor **out, const agn_tensor *x, int32_t scale)
{
    return convert_scale(out, "audio_hz_to_mel", x, scale, false);
}
agn_status agn_audio_mel_to_hz(agn_tensor **out, const agn_tensor *x, int32_t scale)
{
    return convert_scale(out, "audio_mel_to_hz", x, scale, true);
}

static agn_status check_range(const char *op, int64_t n, double lo, double hi)
{
    return n >= 1 && n < INT32_MAX && lo >= 0 && hi > lo && isfinite(hi)
               ? AGN_OK
               : agni_fail(AGN_EARG,
                           "%s: %lld bands from %g to %g Hz; there is one at least, and the "
                           "range is positive",
                           op, (long long)n, lo, hi);
}

/* n frequencies, equidistant in mel, or in Hz */
static void space_frequencies(double *f, int64_t n, double lo, double hi, int32_t scale)
{
    bool linear = scale == AGNI_AUDIO_LINEAR;
    double a = linear ? lo : to_mel(lo, scale), b = linear ? hi : to_mel(hi, scale);
    for (int64_t k = 0; k < n; k++) {
        double m = n > 1 ? a + (b - a) * (double)k / (double)(n - 1) : a;
        f[k] = linear ? m : from_mel(m, scale);
    }
}

agn_status agn_audio_mel_frequencies(agn_tensor **out, agn_dtype dtype, int64_t n_mels,
                                     double f_min, double f_max, int32_t scale)
{
    static const char op[] = "audio_mel_frequencies";
    agn_status st = agni_audio_check_new(op, out, dtype);
    if (!st)
        st = check_scale(op, scale);
    if (!st)
        st = check_range(op, n_mels, f_min, f_max);
    if (st)
        return st;
    double *f = agni_alloc((size_t)n_mels * sizeof *f);
    if (!f)
        return agni_nomem(op, (size_t)n_mels * sizeof *f);
    space_frequencies(f, n_mels, f_min, f_max, scale);
    st = agni_audio_make(out, dtype, 1, &n_mels, f);
    agni_free(f);
    return st;
}

agn_status agn_audio_fft_frequencies(agn_tensor **out, agn_dtype dtype, double rate, int64_t n_fft)
{
    static const char op[] = "audio_fft_frequencies";
    agn_status st = agni_audio_check_new(op, out, dtype);
    if (st)
        return st;
    if (!(rate > 0) || !isfinite(rate) || n_fft < 1 || n_fft > INT32_MAX)
        return agni_fail(AGN_EARG, "%s: a rate of %g and an n_fft of %lld; both are positive", op,
                         rate, (long long)n_fft);
    return agn_fft_rfftfreq(out, dtype, n_fft, 1 / rate);
}

agn_status agni_audio_filters(agn_tensor **out, const char *op, agn_dtype dtype, double rate,
                              int64_t n_fft, int64_t n, double lo, double hi, int32_t scale,
                              bool area)
{
    if (!(rate > 0) || !isfinite(rate) || n_fft < 1 || n_fft > INT32_MAX)
        return agni_fail(AGN_EARG, "%s: a rate of %g and an n_fft of %lld; both are positive", op,
                         rate, (long long)n_fft);
    agn_status st = check_range(op, n, lo, hi);
    int64_t bins = n_fft / 2 + 1, size;
    if (st)
        return st;
    if (!agni_checked_mul(n, bins, &size) || size > INT64_MAX / 16)
        return agni_nomem(op, SIZE_MAX);
    double *v = agni_zalloc((size_t)(size + n + 2) * sizeof *v), *edge = v + size;
    if (!v)
        return agni_nomem(op, (size_t)(size + n + 2) * sizeof *v);
    space_frequencies(edge, n + 2, lo, hi, scale);
    for (int64_t m = 0; m < n; m++)
        for (int64_t k = 0; k < bins; k++) {
            double f = (double)k * rate / (double)n_fft;
            double up = (f - edge[m]) / (edge[m + 1] - edge[m]),
                   down = (edge[m + 2] - f) / (edge[m + 2] - edge[m + 1]);
            double w = up < down ? up : down;
            v[m * bins + k] = w > 0 ? area ? w * 2 / (edge[m + 2] - edge[m]) : w : 0;
        }
    st = agni_audio_make(out, dtype, 2, (int64_t[]){n, bins}, v);
    agni_free(v);
    return st;
}

agn_status agn_audio_mel_filters(agn_tensor **out, agn_dtype dtype, double rate, int64_t n_fft,
                                 int64_t n_mels, double f_min, double f_max, int32_t scale,
                                 bool area)
{
    static const char op[] = "audio_mel_filters";
    agn_status st = agni_audio_check_new(op, out, dtype);
    if (!st)
        st = check_scale(op, scale);
    return st ? st
              : agni_audio_filters(out, op, dtype, rate, n_fft, n_mels, f_min, f_max, scale, area);
}

agn_status agn_audio_linear_filters(agn_tensor **out, agn_dtype dtype, double rate, int64_t n_fft,
                                    int64_t n_filters, double f_min, double f_max)
{
    static const char op[] = "audio_linear_filters";
    agn_status st = agni_audio_check_new(op, out, dtype);
    return st ? st
              : agni_audio_filters(out, op, dtype, rate, n_fft, n_filters, f_min, f_max,
                                   AGNI_AUDIO_LINEAR, false);
}
