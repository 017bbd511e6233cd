/* audio/music/rhythm.c - what repeats in onsets, and how fast (Grosche, Mueller & Kurth 2010),
   beats by dynamic programming (Ellis 2007), single onsets (Boeck, Krebs & Schedl 2012). */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

agn_status agni_audio_check_onset(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!x->ndim || !x->shape[x->ndim - 1] || x->ndim + 1 > AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE,
                       "%s: x is %s; its last axis holds a frame, and there is room for one more",
                       op, AGNI_SHAPE(x));
    return st;
}

agn_status agni_audio_check_tempogram(const char *op, agn_tensor *const *out, const agn_tensor *x,
                                      int64_t window)
{
    agn_status st = agni_audio_check_onset(op, out, x);
    return st || (window >= 1 && window <= 1 << 24)
               ? st
               : agni_fail(AGN_EARG, "%s: a window of %lld frames for x %s; it has 1 to 2^24", op,
                           (long long)window, AGNI_SHAPE(x));
}

static agn_status check_speed(const char *op, double per_second, const agn_tensor *x)
{
    return per_second > 0 && per_second <= 1e9
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: %g frames per second for x %s; they are positive", op,
                           per_second, AGNI_SHAPE(x));
}

/* ---- tempogram ------------------------------------------------------------------------------ */

/* x after a line from 0 to its first, before one from its last to 0, half each */
static const agn_tensor *with_ramps(agn_scope *s, const agn_tensor *x, int64_t half)
{
    agn_tensor *up = NULL, *down = NULL;
    if (!x || !half)
        return x;
    int64_t n = x->shape[x->ndim - 1];
    double h = (double)half;
    agn_status st = agn_linspace(&up, x->dtype, 0, (h - 1) / h, half);
    const agn_tensor *rise = agni_adopt_constant(s, st, up);
    st = agn_scope_status(s) ? agn_scope_status(s)
                             : agn_linspace(&down, x->dtype, (h - 1) / h, 0, half);
    const agn_tensor *fall = agni_adopt_constant(s, st, down);
    const agn_tensor *parts[] = {ag_mul(s, agni_audio_part(s, x, 0, 1), rise), x,
                                 ag_mul(s, agni_audio_part(s, x, n - 1, 1), fall)};
    return agn_scope_status(s) ? NULL : ag_concat(s, parts, 3, -1);
}

/* [..., frames, window]: autocorrelations about each frame, over their largest */
static const agn_tensor *correlate_frames(agn_scope *s, const agn_tensor *x, int64_t window)
{
    int64_t size = 0, n = x ? x->shape[x->ndim - 1] : 0;
    agn_tensor *w = NULL;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_fft_next_fast_length(&size, 2 * window - 1);
    if (!st)
        st = agn_signal_window(&w, AGN_WINDOW_HANN, x->dtype, window, NULL, 0, false);
    const agn_tensor *hann = agni_adopt_constant(s, st, w);
    const agn_tensor *f = ag_signal_frame(s, with_ramps(s, x, window / 2), window, 1);
    f = ag_swapaxes(s, agni_audio_part(s, ag_swapaxes(s, f, -1, -2), 0, n), -1,
                    -2); /* of an even window one too many */
    const agn_tensor *z = ag_fft_rfft(s, ag_mul(s, f, hann), size, -1, AGN_FFT_BACKWARD);
    z = ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z)));
    z = z ? ag_complex(s, z, agni_full_like(s, 0, z)) : NULL;
    const agn_tensor *r = agni_audio_part(s, ag_fft_irfft(s, z, size, -1, AGN_FFT_BACKWARD), 0,
                                          window);
    const agn_tensor *most = ag_max(s, ag_abs(s, r), (int32_t[]){-1}, 1, true);
    if (!most)
        return NULL;
    const agn_tensor *least = agni_full_like(s, most->dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN,
                                             most);
    return ag_div(s, r, ag_where(s, ag_lt(s, most, least), agni_full_like(s, 1, most), most));
}

agn_status agn_audio_tempogram(agn_tensor **out, const agn_tensor *x, int64_t window)
{
    static const char op[] = "audio_tempogram";
    agn_status st = agni_audio_check_tempogram(op, out, x, window);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *r = correlate_frames(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), window);
    return agni_return(op, s, out, ag_swapaxes(s, r, -1, -2));
}

agn_status agn_audio_tempo(agn_tensor **out, const agn_tensor *x, double frames_per_second,
                           double usual)
{
    static const char op[] = "audio_tempo";
    agn_status st = agni_audio_check_onset(op, out, x);
    if (!st)
        st = check_speed(op, frames_per_second, x);
    if (!st && (!(usual > 0) || !isfinite(usual)))
        st = agni_fail(AGN_EARG, "%s: usually %g beats a minute for x %s; they are positive", op,
                       usual, AGNI_SHAPE(x));
    if (st)
        return st;
    double frames = floor(8 * frames_per_second); /* lags to 8 s */
    int64_t window = (int64_t)frames,
            first = (int64_t)floor(60 * frames_per_second / 320) + 1; /* below 320 a minute */
    if (frames > 1 << 24 || first >= window)
        return agni_fail(
            AGN_EARG,
            "%s: %g frames per second have lags from %lld to %lld; there is one at least, and fewer than "
            "2^24",
            op, frames_per_second, (long long)first, (long long)window - 1);
    int64_t n = window - first;
    double *v = agni_alloc((size_t)(2 * n) * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)(2 * n) * sizeof *v);
    for (int64_t k = 0; k < n; k++) {
        v[k] = 60 * frames_per_second / (double)(first + k);
        double octaves = log2(v[k] / usual);
        v[n + k] = -0.5 * octaves * octaves;
    }
    agn_tensor *made[2] = {NULL};
    const agn_tensor *c[2];
    agn_scope *s = agn_scope_open(NULL);
    for (int k = 0; k < 2; k++) {
        st = agn_scope_status(s) ? agn_scope_status(s)
                                 : agni_audio_make(&made[k], AGN_F64, 1, &n, v + k * n);
        c[k] = agni_adopt_constant(s, st, made[k]);
    }
    agni_free(v);
    const agn_tensor *r = correlate_frames(s, ag_cast(s, x, AGN_F64), window);
    r = agni_audio_part(s, ag_mean(s, r, (int32_t[]){-2}, 1, false), first, n);
    const agn_tensor *most = ag_max(s, r, (int32_t[]){-1}, 1, false);
    r = ag_add(s, ag_log1p(s, ag_mul_c(s, ag_maximum_c(s, r, 0), 1e6)), c[1]);
    r = ag_take(s, c[0], ag_argmax(s, r, -1, false), 0);
    return agni_return(op, s, out, ag_where(s, ag_isnan(s, most), most, r)); /* no lag of NaN */
}

/* ---- beats ---------------------------------------------------------------------------------- */

/* onsets over their standard deviation, under a Gaussian of a thirty-second of a beat */
static void smooth_onsets(double *to, const double *x, int64_t n, int64_t beat)
{
    double mean = 0, square = 0;
    for (int64_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    double scale = n > 1 && square > 0 ? 1 / sqrt(square / (double)(n - 1)) : 1;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t k = i > beat ? i - beat : 0; k < n && k <= i + beat; k++) {
            double d = 32 * (double)(k - i) / (double)beat;
            sum += x[k] * exp(-0.5 * d * d);
        }
        to[i] = sum * scale;
    }
}

/* total [n]: of the best beats to each frame; back: the one before, -1 of the first */
static void link_beats(double *total, int64_t *back, const double *score, int64_t n, int64_t beat,
                       double tightness)
{
    double most = score[0];
    bool silent = true;
    for (int64_t i = 0; i < n; i++)
        most = score[i] > most ? score[i] : most;
    for (int64_t i = 0; i < n; i++) {
        double best = -(double)INFINITY;
        int64_t from = -1, near = (int64_t)rint((double)beat / 2);
        for (int64_t k = i - (near ? near : 1); k >= 0 && k >= i - 2 * beat; k--) {
            double off = log((double)(i - k) / (double)beat), v = total[k] - tightness * off * off;
            if (v > best) {
                best = v;
                from = k;
            }
        }
        total[i] = score[i] + (from >= 0 ? best : 0);
        back[i] = silent && score[i] < 0.01 * most ? -1 : from;
        silent = silent && score[i] < 0.01 * most;
    }
}

static bool is_peak(const double *x, int64_t i, int64_t n)
{
    return i > 0 && x[i] > x[i - 1] && (i + 1 == n || x[i] >= x[i + 1]);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* the last peak of the totals that is not below half of the peaks' median; n - 1 without one. room:
   [n] */
static int64_t last_beat(const double *total, int64_t n, double *room)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (is_peak(total, i, n))
            room[count++] = total[i];
    if (!count)
        return n - 1;
    qsort(room, (size_t)count, sizeof *room, compare_numbers);
    double median = 0.5 * (room[(count - 1) / 2] + room[count / 2]);
    for (int64_t i = n - 1; i > 0; i--)
        if (is_peak(total, i, n) && total[i] >= 0.5 * median)
            return i;
    return n - 1;
}

/* half the root mean square of the scores of beats, smoothed by (1/2, 1, 1/2) */
static double weak_score(const double *score, const int64_t *beat, int64_t count)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++) {
        double v = score[beat[k]] +
                   0.5 * ((k ? score[beat[k - 1]] : 0) + (k + 1 < count ? score[beat[k + 1]] : 0));
        sum += v * v;
    }
    return 0.5 * sqrt(sum / (double)count);
}

/* beats in order to beat [n], with scores [n] and room [2 n]; how many */
static int64_t find_beats(int64_t *beat, const double *x, int64_t n, int64_t period,
                          double tightness, bool trim, double *score, double *room, int64_t *back)
{
    int64_t count = 0, first = 0, low = 0, high = n - 1;
    smooth_onsets(score, x, n, period);
    link_beats(room, back, score, n, period, tightness);
    for (int64_t i = last_beat(room, n, room + n); i >= 0; i = back[i])
        beat[count++] = i;
    for (int64_t k = 0; k < count / 2; k++) {
        int64_t other = beat[k];
        beat[k] = beat[count - 1 - k];
        beat[count - 1 - k] = other;
    }
    double least = trim ? weak_score(score, beat, count) : 0;
    while (low < n && score[low] <= least)
        low++;
    while (high >= 0 && score[high] <= least)
        high--;
    while (first < count && beat[first] < low)
        first++;
    while (count > first && beat[count - 1] > high)
        count--;
    for (int64_t k = first; k < count; k++)
        beat[k - first] = beat[k];
    return count - first;
}

/* x [n] of the host, finite */
static agn_status read_onsets(agn_tensor **owner, const double **v, const char *op,
                              agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_audio_check_onset(op, out, x);
    if (!st && x->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [frames]", op, AGNI_SHAPE(x));
    if (!st)
        st = agni_audio_host(owner, v, op, x);
    for (int64_t i = 0; !st && i < x->size; i++)
        if (!isfinite((*v)[i])) {
            st = agni_fail(AGN_EDOMAIN, "%s: frame %lld of x %s is %g", op, (long long)i,
                           AGNI_SHAPE(x), (*v)[i]);
            agn_release(*owner);
        }
    return st;
}

agn_status agn_audio_beats(agn_tensor **out, const agn_tensor *x, double frames_per_second,
                           double tempo, double tightness, bool trim)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_beats", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_beats(out ? &h.y[0] : NULL, h.in[0],
                                                      frames_per_second, tempo, tightness, trim);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_beats";
    agn_tensor *rows = NULL, *own = NULL;
    const double *v = NULL;
    if (out && x && (!(tempo >= 0) || !(tightness > 0) || !isfinite(tempo + tightness)))
        return agni_fail(
            AGN_EARG,
            "%s: %g beats a minute, tightness %g for x %s; neither is negative, the second not 0",
            op, tempo, tightness, AGNI_SHAPE(x));
    agn_status st = out && x ? check_speed(op, frames_per_second, x) : AGN_OK;
    if (!st)
        st = read_onsets(&rows, &v, op, out, x);
    if (st)
        return st;
    if (tempo == 0) {
        agn_tensor *t = NULL;
        st = agni_rename_error(op, agn_audio_tempo(&t, rows, frames_per_second, 120));
        if (!st)
            st = agni_rename_error(op, agn_item_f64(&tempo, t));
        agn_release(t);
    }
    int64_t n = x->shape[0], count = 0;
    double period = st ? 1 : rint(60 * frames_per_second / tempo);
    if (!st && !(period >= 1 && period < 1 << 30))
        st = agni_fail(
            AGN_EARG,
            "%s: %g beats a minute at %g frames per second are %g frames each; they have 1 to 2^30",
            op, tempo, frames_per_second, period);
    size_t size = (size_t)n * (3 * sizeof(double) + 2 * sizeof(int64_t));
    double *room = st ? NULL : agni_alloc(size);
    if (!st && !room)
        st = agni_nomem(op, size);
    if (!st) {
        int64_t *beat = (int64_t *)(room + 3 * n);
        count = find_beats(beat, v, n, (int64_t)period, tightness, trim, room, room + n, beat + n);
        st = agn_from_host(&own, AGN_I64, 1, &count, beat);
    }
    agni_free(room);
    agn_release(rows);
    if (!st)
        *out = own;
    return st;
}

/* ---- single onsets -------------------------------------------------------------------------- */

agn_status agn_audio_onsets(agn_tensor **out, const agn_tensor *x, double frames_per_second,
                            double threshold)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_onsets", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_onsets(out ? &h.y[0] : NULL, h.in[0],
                                                       frames_per_second, threshold);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_onsets";
    agn_tensor *rows = NULL;
    const double *v = NULL;
    if (out && x && !(threshold >= 0 && isfinite(threshold)))
        return agni_fail(AGN_EARG, "%s: a threshold of %g for x %s; it is not negative", op,
                         threshold, AGNI_SHAPE(x));
    agn_status st = out && x ? check_speed(op, frames_per_second, x) : AGN_OK;
    if (!st)
        st = read_onsets(&rows, &v, op, out, x);
    if (st)
        return st;
    int64_t n = x->shape[0], count = 0, *at = agni_alloc((size_t)n * sizeof *at);
    if (!at)
        st = agni_nomem(op, (size_t)n * sizeof *at);
    /* the largest since 30 ms, above the mean of 100 ms to both sides, 30 ms behind the last */
    double least = v[0], most = v[0], gap = floor(0.03 * frames_per_second),
           side = floor(0.1 * frames_per_second);
    int64_t before = gap < (double)n ? (int64_t)gap : n,
            around = side < (double)n ? (int64_t)side : n;
    for (int64_t i = 1; i < n; i++) {
        least = v[i] < least ? v[i] : least;
        most = v[i] > most ? v[i] : most;
    }
    for (int64_t i = 0; !st && most > least && i < n; i++) {
        bool first = true;
        double sum = 0;
        int64_t lo = i > around ? i - around : 0, hi = i + around < n ? i + around : n - 1;
        for (int64_t k = i > before ? i - before : 0; k < i; k++)
            first = first && v[k] <= v[i];
        for (int64_t k = lo; k <= hi; k++)
            sum += (v[k] - least) / (most - least);
        if (first && (v[i] - least) / (most - least) >= sum / (double)(hi - lo + 1) + threshold) {
            at[count++] = i;
            i += before;
        }
    }
    if (!st)
        st = agn_from_host(out, AGN_I64, 1, &count, at);
    agni_free(at);
    agn_release(rows);
    return st;
}
