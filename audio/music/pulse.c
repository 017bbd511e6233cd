/* audio/music/pulse.c - periods of onsets by a short-time transform, and the pulse that is the sum
   of the strongest one of each frame (Grosche & Mueller 2011). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <math.h>

static agn_signal_stft_options use_window(int64_t window)
{
    return (agn_signal_stft_options){.size = sizeof(agn_signal_stft_options),
                                     .n_fft = window,
                                     .hop = 1,
                                     .edge = AGN_SIGNAL_ZERO};
}

agn_status agn_audio_fourier_tempogram(agn_tensor **out, const agn_tensor *x, int64_t window)
{
    static const char op[] = "audio_fourier_tempogram";
    agn_status st = agni_audio_check_tempogram(op, out, x, window);
    if (st)
        return st;
    agn_signal_stft_options o = use_window(window);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out,
                       ag_signal_stft(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), &o));
}

/* [bins, 1], 1 between two tempi; how many there are in *count */
static agn_status make_band(agn_tensor **out, int64_t *count, const char *op, int dtype,
                            double frames_per_second, int64_t window, double slowest,
                            double fastest)
{
    int64_t bins = window / 2 + 1;
    double *v = agni_alloc((size_t)bins * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)bins * sizeof *v);
    *count = 0;
    for (int64_t k = 0; k < bins; k++) {
        double tempo = 60 * frames_per_second * (double)k / (double)window;
        bool in = tempo >= slowest && tempo <= fastest;
        v[k] = in ? 1 : 0;
        *count += in;
    }
    agn_status st = *count ? agni_audio_make(out, dtype, 2, (int64_t[]){bins, 1}, v)
                           : agni_fail(AGN_EARG,
                                       "%s: no bin of %lld frames lies between %g and %g a minute",
                                       op, (long long)window, slowest, fastest);
    agni_free(v);
    return st;
}

/* x over its largest along an axis, where that is not 0 */
static const agn_tensor *divide_by_most(agn_scope *s, const agn_tensor *x, const agn_tensor *most)
{
    if (!x || !most)
        return NULL;
    const agn_tensor *none = ag_eq(s, most, agni_full_like(s, 0, most)); /* NaN stays one */
    return ag_div(s, x, ag_where(s, none, agni_full_like(s, 1, most), most));
}

agn_status agn_audio_pulse(agn_tensor **out, const agn_tensor *x, double frames_per_second,
                           int64_t window, double slowest, double fastest)
{
    static const char op[] = "audio_pulse";
    agn_tensor *made = NULL;
    int64_t count;
    agn_status st = agni_audio_check_onset(op, out, x);
    if (!st && (window < 2 || window > 1 << 24 || window % 2 ||
                !(frames_per_second > 0 && frames_per_second <= 1e9) || !(slowest >= 0) ||
                !(fastest > slowest)))
        st = agni_fail(
            AGN_EARG,
            "%s: windows of %lld at %g frames per second, %g to %g beats a minute; windows "
            "are even, from 2 to 2^24, speeds positive, tempi rise",
            op, (long long)window, frames_per_second, slowest, fastest);
    int dtype = st ? AGN_F64 : agni_audio_dtype(x->dtype);
    if (!st)
        st = make_band(&made, &count, op, dtype, frames_per_second, window, slowest, fastest);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1];
    agn_signal_stft_options o = use_window(window);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *band = agni_adopt_constant(s, AGN_OK, made);
    const agn_tensor *z = ag_signal_stft(s, ag_cast(s, x, dtype), &o);
    const agn_tensor *size = ag_mul(s, ag_abs(s, z), band);
    const agn_tensor *most = ag_max(s, size, (int32_t[]){-2}, 1, true);
    const agn_tensor *keep = size && most
                                 ? ag_logical_and(s, ag_ge(s, size, most),
                                                  ag_gt(s, size, agni_full_like(s, 0, size)))
                                 : NULL;
    z = z && keep ? ag_where(s, keep, z, agni_full_like(s, 0, z)) : NULL;
    const agn_tensor *y = ag_signal_istft(s, divide_by_most(s, z, most), n, &o);
    y = ag_maximum_c(s, y, 0);
    return agni_return(op, s, out,
                       divide_by_most(s, y, ag_max(s, y, (int32_t[]){-1}, 1, true)));
}

static agn_status check_tempi(const char *op, agn_tensor *const *out, agn_dtype dtype, int64_t n,
                              double frames_per_second)
{
    agn_status st = agni_audio_check_new(op, out, dtype);
    if (!st && (n < 1 || n > INT32_MAX || !(frames_per_second > 0) || !isfinite(frames_per_second)))
        st = agni_fail(AGN_EARG, "%s: %lld at %g frames per second; both are positive, to 2^31 - 1",
                       op, (long long)n, frames_per_second);
    return st;
}

agn_status agn_audio_tempo_frequencies(agn_tensor **out, agn_dtype dtype, int64_t n,
                                       double frames_per_second)
{
    static const char op[] = "audio_tempo_frequencies";
    agn_status st = check_tempi(op, out, dtype, n, frames_per_second);
    if (st)
        return st;
    double *v = agni_alloc((size_t)n * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)n * sizeof *v);
    for (int64_t k = 0; k < n; k++)
        v[k] = 60 * frames_per_second / (double)k;
    st = agni_audio_make(out, dtype, 1, &n, v);
    agni_free(v);
    return st;
}

agn_status agn_audio_fourier_tempo_frequencies(agn_tensor **out, agn_dtype dtype, int64_t window,
                                               double frames_per_second)
{
    static const char op[] = "audio_fourier_tempo_frequencies";
    agn_status st = check_tempi(op, out, dtype, window, frames_per_second);
    return st ? st
              : agni_rename_error(
                    op, agn_fft_rfftfreq(out, dtype, window, 1 / (60 * frames_per_second)));
}
