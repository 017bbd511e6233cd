/* audio/pitch.c - fundamental frequency (de Cheveigne & Kawahara 2002, YIN), onsets (Boeck & Widmer
   2013), pitch classes (Ellis 2007). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <float.h>
#include <math.h>

/* ---- YIN ------------------------------------------------------------------------------------ */

/* [..., frames, lo to hi]: sum (x_i - x_(i+k))^2 of a frame that zeros follow, over its mean for
   lags to k */
const agn_tensor *agni_audio_normal_difference(agn_scope *s, const agn_tensor *f, int64_t lo,
                                               int64_t hi)
{
    int64_t size = 0;
    agn_status st = f ? agn_fft_next_fast_length(&size, f->shape[f->ndim - 1] + hi) : AGN_OK;
    if (!f || st) {
        if (st)
            agn_scope_fail(s, st);
        return NULL;
    }
    const agn_tensor *z = ag_fft_rfft(s, f, size, -1, AGN_FFT_BACKWARD);
    z = ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z)));
    const agn_tensor *r = ag_fft_irfft(
        s, ag_mul(s, z, z ? ag_complex(s, agni_full_like(s, 1, z), agni_full_like(s, 0, z)) : NULL),
        size, -1, AGN_FFT_BACKWARD);
    const agn_tensor *sums = ag_cumsum(s, ag_square(s, f), -1);
    const agn_tensor *d = ag_mul_c(
        s, ag_sub(s, agni_audio_part(s, r, 0, 1), agni_audio_part(s, r, 1, hi)), 2);
    d = ag_sub(s, d, agni_audio_part(s, sums, 0, hi));
    agn_tensor *made = NULL;
    st = agn_scope_status(s);
    if (!st)
        st = agn_arange(&made, f->dtype, 1, (double)hi + 1, 1);
    const agn_tensor *mean = ag_div(s, ag_cumsum(s, d, -1), agni_adopt_constant(s, st, made));
    mean = ag_add_c(s, agni_audio_part(s, mean, lo - 1, hi - lo + 1),
                    f->dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN);
    return ag_div(s, agni_audio_part(s, d, lo - 1, hi - lo + 1), mean);
}

/* the vertex of the parabola through three neighbours, from the middle one; 0 at ends and where it
   is farther than 1 */
const agn_tensor *agni_audio_vertex(agn_scope *s, const agn_tensor *d)
{
    int64_t n = d ? d->shape[d->ndim - 1] : 0, one[AGNI_MAX_RANK] = {0};
    if (!d)
        return NULL;
    one[d->ndim - 1] = 1;
    if (n < 3)
        return agni_full_like(s, 0, d);
    const agn_tensor *left = agni_audio_part(s, d, 0, n - 2),
                     *mid = agni_audio_part(s, d, 1, n - 2),
                     *right = agni_audio_part(s, d, 2, n - 2);
    const agn_tensor *a = ag_sub(s, ag_add(s, left, right), ag_mul_c(s, mid, 2)),
                     *b = ag_mul_c(s, ag_sub(s, right, left), 0.5);
    if (!a || !b)
        return NULL;
    const agn_tensor *far = ag_ge(s, ag_abs(s, b), ag_abs(s, a));
    const agn_tensor *v = ag_neg(s, ag_div(s, b, ag_where(s, far, agni_full_like(s, 1, a), a)));
    v = ag_where(s, far, agni_full_like(s, 0, a), v);
    return ag_pad(s, v, d->ndim, one, one, 0);
}

/* the first local minimum below level, else the least of all: [..., frames, 1] */
static const agn_tensor *choose_lag(agn_scope *s, const agn_tensor *d, double level)
{
    int64_t n = d ? d->shape[d->ndim - 1] : 0, front[AGNI_MAX_RANK] = {0},
            behind[AGNI_MAX_RANK] = {0};
    if (!d)
        return NULL;
    front[d->ndim - 1] = behind[d->ndim - 1] = 1;
    int64_t none[AGNI_MAX_RANK] = {0};
    const agn_tensor *past = agni_audio_part(
                         s, ag_pad(s, d, d->ndim, front, none, (double)INFINITY), 0, n),
                     *next = agni_audio_part(
                         s, ag_pad(s, d, d->ndim, none, behind, (double)INFINITY), 1, n);
    const agn_tensor *low = ag_logical_and(s, ag_lt(s, d, past), ag_le(s, d, next));
    /* at the ends only one neighbour counts, and it is not equal */
    const agn_tensor *strict = ag_logical_and(s, ag_lt(s, d, past), ag_lt(s, d, next));
    const agn_tensor *ends[] = {agni_audio_part(s, strict, 0, 1), agni_audio_part(s, low, 1, n - 2),
                                agni_audio_part(s, strict, n - 1, 1)};
    low = agn_scope_status(s) ? NULL : ag_concat(s, ends, 3, -1);
    low = ag_logical_and(s, low, ag_lt(s, d, agni_full_like(s, level, d)));
    const agn_tensor *found = ag_cast(s, low, AGN_I64);
    const agn_tensor *first = ag_argmax(s, found, -1, true), *least = ag_argmin(s, d, -1, true);
    const agn_tensor *any = ag_cast(s, ag_max(s, found, (int32_t[]){-1}, 1, true), AGN_BOOL);
    return ag_where(s, any, first, least);
}

agn_status agni_audio_check_lags(int64_t *lo, int64_t *hi, const char *op, const agn_tensor *x,
                                 double rate, double lowest, double highest, int64_t length,
                                 int64_t hop)
{
    if (!x->ndim || !x->shape[x->ndim - 1] || x->ndim + 1 > AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE, "%s: x is %s; its last axis holds a sample, and there is room for one more",
            op, AGNI_SHAPE(x));
    if (length < 4 || length > 1 << 28 || hop < 1 ||
        length > x->shape[x->ndim - 1] + length / 2 * 2)
        return agni_fail(AGN_EARG, "%s: frames of %lld in steps of %lld do not fit x %s", op,
                         (long long)length, (long long)hop, AGNI_SHAPE(x));
    if (!(rate > 0) || !(lowest > 0) || !(highest > lowest) || !(highest <= rate / 2) ||
        !isfinite(rate))
        return agni_fail(AGN_EARG,
                         "%s: from %g to %g Hz at a rate of %g; they rise to half the rate", op,
                         lowest, highest, rate);
    double longest = ceil(rate / lowest);
    *lo = (int64_t)floor(rate / highest);
    *hi = longest < (double)(length - 1) ? (int64_t)longest : length - 1;
    if (*hi - *lo < 2)
        return agni_fail(AGN_EARG,
                         "%s: lags from %lld to %lld in frames of %lld; there are three at least",
                         op, (long long)*lo, (long long)*hi, (long long)length);
    return AGN_OK;
}

agn_status agn_audio_yin(agn_tensor **out, const agn_tensor *x, double rate, double lowest,
                         double highest, int64_t length, int64_t hop, double level)
{
    static const char op[] = "audio_yin";
    int64_t lo = 0, hi = 0;
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = agni_audio_check_lags(&lo, &hi, op, x, rate, lowest, highest, length, hop);
    if (!st && (!(level > 0) || !isfinite(level)))
        st = agni_fail(AGN_EARG, "%s: minima below %g for x %s; the level is positive", op, level,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    int64_t pad[AGNI_MAX_RANK] = {0};
    agn_scope *s = agn_scope_open(NULL);
    pad[x->ndim - 1] = length / 2;
    const agn_tensor *f = ag_pad(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), x->ndim, pad, pad,
                                 0);
    const agn_tensor *d = agni_audio_normal_difference(s, ag_signal_frame(s, f, length, hop), lo,
                                                       hi);
    const agn_tensor *lag = choose_lag(s, d, level), *shift = agni_audio_vertex(s, d);
    shift = lag && shift ? ag_take_along_axis(s, shift, lag, -1) : NULL;
    const agn_tensor *least = lag && shift ? ag_take_along_axis(s, d, lag, -1) : NULL;
    shift = ag_where(s, ag_isnan(s, least), least, shift); /* no choice among NaN */
    const agn_tensor *period = lag && shift
                                   ? ag_add_c(s, ag_add(s, ag_cast(s, lag, shift->dtype), shift),
                                              (double)lo)
                                   : NULL;
    period = ag_squeeze(s, period, -1);
    return agni_return(op, s, out, ag_mul_c(s, ag_reciprocal(s, period), rate));
}

/* ---- onsets --------------------------------------------------------------------------------- */

agn_status agn_audio_onset_strength(agn_tensor **out, const agn_tensor *x, int64_t lag)
{
    static const char op[] = "audio_onset_strength";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && (lag < 1 || lag >= x->shape[x->ndim - 1]))
        st = agni_fail(
            AGN_EARG,
            "%s: a lag of %lld for x %s; it is at least 1, and below the number of frames", op,
            (long long)lag, AGNI_SHAPE(x));
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1], front[AGNI_MAX_RANK] = {0}, none[AGNI_MAX_RANK] = {0};
    front[x->ndim - 2] = lag;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = ag_sub(s, agni_audio_part(s, y, lag, n - lag), agni_audio_part(s, y, 0, n - lag));
    y = ag_mean(s, ag_maximum_c(s, y, 0), (int32_t[]){-2}, 1, false);
    return agni_return(op, s, out, ag_pad(s, y, x->ndim - 1, front, none, 0));
}

/* ---- pitch classes -------------------------------------------------------------------------- */

/* Gaussians about each class in octaves, as wide as a bin or a class; columns of norm 1; octaves
   near 5 count most */
static void fill_classes(double *w, int64_t classes, int64_t bins, int64_t n_fft, double rate,
                         double a4)
{
    double half = rint((double)classes / 2);
    int64_t turn = 3 * (classes / 12);
    for (int64_t k = 0; k < bins; k++) {
        double place[2], norm = 0;
        for (int j = 0; j < 2; j++) {
            int64_t bin = k + j ? k + j : 1;
            place[j] = (double)classes * log2((double)bin * rate / (double)n_fft / (a4 / 16));
        }
        if (k == 0)
            place[0] = place[1] - 1.5 * (double)classes;
        double wide = fmax(place[1] - place[0], 1), octave = place[0] / (double)classes,
               weight = exp(-0.5 * pow((octave - 5) / 2, 2));
        for (int pass = 0; pass < 2; pass++)
            for (int64_t c = 0; c < classes; c++) {
                double d = place[0] - (double)c + half + 10 * (double)classes;
                d -= floor(d / (double)classes) * (double)classes;
                double v = exp(-0.5 * pow(2 * (d - half) / wide, 2));
                if (pass == 0)
                    norm += v * v;
                else /* the first class is C, three semitones above A */
                    w[(c - turn + classes) % classes * bins + k] = v / sqrt(norm) * weight;
            }
    }
}

agn_status agn_audio_chroma_filters(agn_tensor **out, agn_dtype dtype, double rate, int64_t n_fft,
                                    int64_t classes, double a4)
{
    static const char op[] = "audio_chroma_filters";
    agn_status st = agni_audio_check_new(op, out, dtype);
    if (st)
        return st;
    if (!(rate > 0) || !isfinite(rate) || n_fft < 2 || n_fft > INT32_MAX || classes < 1 ||
        classes > 4096 || !(a4 > 0) || !isfinite(a4))
        return agni_fail(
            AGN_EARG,
            "%s: %lld classes of %lld points at a rate of %g, A at %g Hz; there are 1 to 4096, 2 to "
            "2^31 - 1, the others are positive",
            op, (long long)classes, (long long)n_fft, rate, a4);
    int64_t bins = n_fft / 2 + 1;
    double *w = agni_alloc((size_t)(classes * bins) * sizeof *w);
    if (!w)
        return agni_nomem(op, (size_t)(classes * bins) * sizeof *w);
    fill_classes(w, classes, bins, n_fft, rate, a4);
    st = agni_audio_make(out, dtype, 2, (int64_t[]){classes, bins}, w);
    agni_free(w);
    return st;
}

/* ---- peaks of a spectrum ------------------------------------------------------------------- */

agn_status agn_audio_pitch_peaks(agn_tensor **frequency, agn_tensor **magnitude,
                                 const agn_tensor *x, double rate, double low, double high,
                                 double threshold)
{
    static const char op[] = "audio_pitch_peaks";
    agn_tensor *made = NULL;
    AGNI_NEED(op, magnitude);
    agn_status st = agni_audio_check_spectrum(op, frequency, x);
    if (!st && x->shape[x->ndim - 2] < 3)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; a peak has two neighbours", op, AGNI_SHAPE(x));
    if (!st && (!(rate > 0) || !isfinite(rate) || !(low >= 0) || !(high >= low) ||
                !(threshold >= 0) || !(threshold <= 1)))
        st = agni_fail(
            AGN_EARG,
            "%s: a rate of %g, %g to %g Hz, a threshold of %g; the rate is positive, the "
            "threshold 0 to 1",
            op, rate, low, high, threshold);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    int64_t bins = x->shape[x->ndim - 2], none[AGNI_MAX_RANK] = {0}, one[AGNI_MAX_RANK] = {0};
    double step = rate / (double)(2 * (bins - 1));
    one[x->ndim - 1] = 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = ag_swapaxes(s, ag_cast(s, x, dtype), -1, -2);
    const agn_tensor *shift = agni_audio_vertex(s, v);
    const agn_tensor *slope = ag_pad(
        s, ag_sub(s, agni_audio_part(s, v, 2, bins - 2), agni_audio_part(s, v, 0, bins - 2)),
        x->ndim, one, one, 0);
    st = agn_scope_status(s);
    if (!st)
        st = agn_arange(&made, (agn_dtype)dtype, 0, (double)bins, 1);
    const agn_tensor *bin = agni_adopt_constant(s, st, made);
    /* below the threshold is nothing, so its neighbour may be a peak; the first bin is none */
    const agn_tensor *most = x->shape[x->ndim - 1] && !agn_scope_status(s)
                                 ? ag_mul_c(s, ag_max(s, v, (int32_t[]){-1}, 1, true), threshold)
                                 : agni_audio_part(s, v, 0, 1);
    const agn_tensor *loud = ag_where(s, ag_gt(s, v, most), v, agni_full_like(s, 0, v));
    const agn_tensor *past = agni_audio_part(
                         s, ag_pad(s, loud, x->ndim, one, none, (double)INFINITY), 0, bins),
                     *next = agni_audio_part(s, ag_pad(s, loud, x->ndim, none, one, 0), 1, bins);
    const agn_tensor *peak = ag_logical_and(s, ag_gt(s, loud, past), ag_ge(s, loud, next));
    const agn_tensor *f = ag_mul_c(s, bin, step);
    const agn_tensor *within = ag_logical_and(
        s, ag_ge(s, f, agni_full_like(s, low, f)),
        ag_lt(s, f, agni_full_like(s, high < rate / 2 ? high : rate / 2, f)));
    peak = ag_logical_and(s, peak, within);
    const agn_tensor *zero = agni_full_like(s, 0, v);
    const agn_tensor *at = ag_mul_c(s, ag_add(s, shift, bin), step),
                     *top = ag_add(s, v, ag_mul_c(s, ag_mul(s, slope, shift), 0.25));
    if (!agn_scope_status(s)) {
        agn_scope_return(s, frequency, ag_swapaxes(s, ag_where(s, peak, at, zero), -1, -2));
        agn_scope_return(s, magnitude, ag_swapaxes(s, ag_where(s, peak, top, zero), -1, -2));
    }
    return agni_rename_error(op, agn_scope_close(s));
}
