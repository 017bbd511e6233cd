/* audio/speech/kaldi.c - bands of mel and cepstra with the frames, windows and scale of Kaldi
   (Povey et al. 2011). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_speech.h>
#include <math.h>

#define PI 3.14159265358979323846

/* the least number whose logarithm is taken: 2^-23 */
static const double least_band = 1.1920928955078125e-07;

typedef struct front_end {
    int64_t length, hop, padded, frames, before, behind;
    double rate, low, high;
    agn_audio_kaldi_options o;
} front_end;

static void complete_options(agn_audio_kaldi_options *o)
{
    o->length = o->length == 0 ? 25 : o->length;
    o->hop = o->hop == 0 ? 10 : o->hop;
    o->preemphasis = o->preemphasis == 0 ? 0.97 : o->preemphasis < 0 ? 0 : o->preemphasis;
    o->low = o->low == 0 ? 20 : o->low;
    o->n_bands = o->n_bands ? o->n_bands : 23;
    o->n_coefficients = o->n_coefficients ? o->n_coefficients : 13;
    o->lifter = o->lifter == 0 ? 22 : o->lifter < 0 ? 0 : o->lifter;
}

/* where frames lie, of n samples */
static agn_status place_frames(front_end *f, const char *op, const agn_tensor *x)
{
    int64_t n = x->shape[x->ndim - 1];
    f->padded = f->length;
    for (int64_t p = 1; !f->o.exact_length && p < 2 * f->length; p *= 2)
        f->padded = p;
    if (!f->o.all_frames) {
        f->frames = n < f->length ? 0 : 1 + (n - f->length) / f->hop;
    } else {
        f->frames = (n + f->hop / 2) / f->hop;
        f->before = f->length / 2 - f->hop / 2; /* may be negative: frames begin later */
        int64_t end = (f->frames - 1) * f->hop + f->length - f->before;
        f->behind = end > n ? end - n : 0;
        if (f->before > n || f->behind > n)
            f->frames = 0;
    }
    if (f->frames < 1)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s; frames of %lld samples in steps of %lld do not fit", op,
                         AGNI_SHAPE(x), (long long)f->length, (long long)f->hop);
    return AGN_OK;
}

static agn_status prepare_front_end(front_end *f, const char *op, const agn_tensor *x, double rate,
                                    const agn_audio_kaldi_options *opts)
{
    *f = (front_end){.rate = rate};
    if (agni_check_size(op, agn_audio_kaldi_options, opts))
        return AGN_EARG;
    f->o = opts ? *opts : (agn_audio_kaldi_options){.size = sizeof f->o};
    complete_options(&f->o);
    if (!x->ndim || x->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: x is of rank %d; it is [..., n], with room for frames",
                         op, x->ndim);
    double length = rate * f->o.length * 0.001, hop = rate * f->o.hop * 0.001;
    if (!(rate > 0) || !(length >= 2 && length < 1 << 24) || !(hop >= 1 && hop < 1 << 30))
        return agni_fail(
            AGN_EARG,
            "%s: frames of %g ms in steps of %g ms at a rate of %g; frames have two samples at "
            "least, steps one",
            op, f->o.length, f->o.hop, rate);
    f->length = (int64_t)length;
    f->hop = (int64_t)hop;
    f->low = f->o.low;
    f->high = f->o.high > 0 ? f->o.high : rate / 2 + f->o.high;
    if (!(f->low >= 0 && f->low < f->high && f->high <= rate / 2) || f->o.n_bands < 3 ||
        f->o.n_bands > 65536)
        return agni_fail(
            AGN_EARG,
            "%s: %d bands from %g to %g Hz at a rate of %g; there are 3 to 65536, within "
            "half the rate",
            op, f->o.n_bands, f->low, f->high, rate);
    if (f->o.window < AGN_KALDI_POVEY || f->o.window > AGN_KALDI_BLACKMAN ||
        f->o.n_coefficients < 1 || f->o.n_coefficients > f->o.n_bands || !(f->o.preemphasis <= 1) ||
        !isfinite(f->o.lifter))
        return agni_fail(
            AGN_EARG,
            "%s: window %d, %d coefficients of %d bands, a preemphasis of %g; windows are 0 to %d, "
            "coefficients not more than bands, the preemphasis at most 1",
            op, f->o.window, f->o.n_coefficients, f->o.n_bands, f->o.preemphasis,
            AGN_KALDI_BLACKMAN);
    if (f->o.exact_length && f->length % 2)
        return agni_fail(AGN_EARG,
                         "%s: frames of %lld samples at a rate of %g; not padded, they are even",
                         op, (long long)f->length, rate);
    return place_frames(f, op, x);
}

static void fill_window(double *w, const front_end *f)
{
    for (int64_t i = 0; i < f->length; i++) {
        double t = 2 * PI * (double)i / (double)(f->length - 1), hann = 0.5 - 0.5 * cos(t);
        w[i] = f->o.window == AGN_KALDI_POVEY      ? pow(hann, 0.85)
               : f->o.window == AGN_KALDI_HANN     ? hann
               : f->o.window == AGN_KALDI_HAMMING  ? 0.54 - 0.46 * cos(t)
               : f->o.window == AGN_KALDI_BLACKMAN ? 0.42 - 0.5 * cos(t) + 0.08 * cos(2 * t)
                                                   : 1;
    }
}

static double to_mel(double f)
{
    return 1127 * log(1 + f / 700);
}

/* triangles in mel, [bins, bands]; the bin at half the rate counts for none */
static void fill_bands(double *v, const front_end *f)
{
    int64_t bins = f->padded / 2 + 1, n = f->o.n_bands;
    double first = to_mel(f->low), step = (to_mel(f->high) - first) / (double)(n + 1);
    for (int64_t k = 0; k < bins; k++) {
        double mel = to_mel(f->rate / (double)f->padded * (double)k);
        for (int64_t m = 0; m < n; m++) {
            double up = (mel - first) / step - (double)m, down = 2 - up;
            double w = up < down ? up : down;
            v[k * n + m] = k < bins - 1 && w > 0 ? w : 0;
        }
    }
}

/* numbers that fill makes, as a constant of the scope */
static const agn_tensor *make_table(agn_scope *s, int dtype, int ndim, const int64_t *shape,
                                    const front_end *f, void (*fill)(double *, const front_end *))
{
    size_t size = (size_t)(shape[0] * (ndim > 1 ? shape[1] : 1)) * sizeof(double);
    double *v = agn_scope_status(s) ? NULL : agni_alloc(size);
    agn_tensor *made = NULL;
    if (!v) {
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_nomem("audio_kaldi", size));
        return NULL;
    }
    fill(v, f);
    agn_status st = agni_audio_make(&made, (agn_dtype)dtype, ndim, shape, v);
    agni_free(v);
    return agni_adopt_constant(s, st, made);
}

/* frames of samples, without their mean, less a part of the sample before, under the window */
static const agn_tensor *cut_frames(agn_scope *s, const agn_tensor *x, const front_end *f)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    int last = x ? x->ndim - 1 : 0;
    if (!x)
        return NULL;
    lo[last] = f->before > 0 ? f->before : 0;
    hi[last] = f->behind;
    const agn_tensor *y = lo[last] || hi[last]
                              ? ag_pad_with(s, x, x->ndim, lo, hi, AGN_PAD_SYMMETRIC)
                              : x;
    if (y && f->before < 0)
        y = agni_audio_part(s, y, -f->before, y->shape[last] + f->before);
    y = ag_signal_frame(s, y, f->length, f->hop);
    if (y && y->shape[last] > f->frames) { /* those of the last axis but one */
        y = ag_swapaxes(s, agni_audio_part(s, ag_swapaxes(s, y, -1, -2), 0, f->frames), -1, -2);
    }
    if (!f->o.keep_mean)
        y = ag_sub(s, y, ag_mean(s, y, (int32_t[]){-1}, 1, true));
    if (f->o.preemphasis > 0 && y) {
        const agn_tensor *both[] = {agni_audio_part(s, y, 0, 1),
                                    agni_audio_part(s, y, 0, f->length - 1)};
        const agn_tensor *before = agn_scope_status(s) ? NULL : ag_concat(s, both, 2, -1);
        y = ag_sub(s, y, ag_mul_c(s, before, f->o.preemphasis));
    }
    return ag_mul(s, y, make_table(s, x->dtype, 1, &f->length, f, fill_window));
}

/* [..., frames, bands] */
static const agn_tensor *sum_bands(agn_scope *s, const agn_tensor *x, const front_end *f,
                                   bool linear)
{
    const agn_tensor *z = ag_fft_rfft(s, cut_frames(s, x, f), f->padded, -1, 0);
    if (!z)
        return NULL;
    const agn_tensor *p = f->o.magnitude
                              ? ag_abs(s, z)
                              : ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z)));
    const agn_tensor *bands = make_table(
        s, x->dtype, 2, (int64_t[]){f->padded / 2 + 1, f->o.n_bands}, f, fill_bands);
    p = ag_matmul(s, p, bands);
    return linear ? p : ag_log(s, ag_maximum_c(s, p, least_band));
}

agn_status agn_audio_kaldi_fbank(agn_tensor **out, const agn_tensor *x, double rate,
                                 const agn_audio_kaldi_options *opts)
{
    static const char op[] = "audio_kaldi_fbank";
    front_end f;
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = prepare_front_end(&f, op, x, rate, opts);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out,
                       sum_bands(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), &f, f.o.linear));
}

/* orthonormal cosines, [bands, coefficients], with the lifter */
static void fill_cosines(double *v, const front_end *f)
{
    int64_t n = f->o.n_bands, m = f->o.n_coefficients;
    for (int64_t k = 0; k < m; k++) {
        double lift = f->o.lifter > 0 ? 1 + 0.5 * f->o.lifter * sin(PI * (double)k / f->o.lifter)
                                      : 1;
        double scale = sqrt((k ? 2.0 : 1.0) / (double)n) * lift;
        for (int64_t j = 0; j < n; j++)
            v[j * m + k] = scale * cos(PI / (double)n * ((double)j + 0.5) * (double)k);
    }
}

agn_status agn_audio_kaldi_mfcc(agn_tensor **out, const agn_tensor *x, double rate,
                                const agn_audio_kaldi_options *opts)
{
    static const char op[] = "audio_kaldi_mfcc";
    front_end f;
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = prepare_front_end(&f, op, x, rate, opts);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *bands = sum_bands(s, ag_cast(s, x, dtype), &f, false);
    const agn_tensor *c = make_table(s, dtype, 2, (int64_t[]){f.o.n_bands, f.o.n_coefficients}, &f,
                                     fill_cosines);
    return agni_return(op, s, out, ag_matmul(s, bands, c));
}
