/* audio/music/semitones.c - energy of semitones by elliptic filters at three rates, forwards and
   backwards (Mueller 2007, 3.1). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <agnesi/signal_analysis.h>
#include <math.h>

enum { PITCHES = 85, LOWEST = 24 };

/* pitches from first on at one rate */
typedef struct part {
    int64_t rate;
    int first, end;
} part;
static const part parts[] = {{882, 0, 36}, {4410, 36, 70}, {22050, 70, PITCHES}};

/* sections of one pitch */
static agn_status design_pitch(agn_tensor **out, int k, int64_t rate, double tuning)
{
    double f = 440 * exp2((LOWEST + k + tuning - 69) / 12), wide = f / 25;
    agn_signal_iir_options o = {.size = sizeof o,
                                .family = AGN_IIR_ELLIPTIC,
                                .band = AGN_BAND_PASS,
                                .low = f - wide / 2,
                                .high = f + wide / 2,
                                .rate = (double)rate,
                                .ripple = 1,
                                .attenuation = 50};
    agn_status st = agn_signal_choose_iir_order(&o, &o, f - wide, f + wide);
    return st ? st : agn_signal_design_iir(out, &o);
}

/* [n, sections, 6] of the pitches from first on, before end, that have as many sections */
static agn_status make_sections(agn_tensor **out, int *n, int first, int end, int64_t rate,
                                double tuning)
{
    agn_tensor *each[PITCHES] = {NULL};
    agn_status st = AGN_OK;
    *n = 0;
    for (int k = first; !st && k < end; k++) {
        st = design_pitch(each + *n, k, rate, tuning);
        if (st || each[*n]->shape[0] != each[0]->shape[0])
            break;
        ++*n;
    }
    if (!st)
        st = agn_stack(out, (const agn_tensor *const *)each, *n, 0);
    for (int k = 0; k < PITCHES; k++)
        agn_release(each[k]);
    return st;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* the places of frames of width samples, [frames, width], which begin at multiples of step */
static agn_status make_places(agn_tensor **out, const char *op, int64_t frames, int64_t width,
                              double step)
{
    int64_t *at = agni_alloc((size_t)(frames * width) * sizeof *at);
    if (!at)
        return agni_nomem(op, (size_t)(frames * width) * sizeof *at);
    for (int64_t f = 0; f < frames; f++)
        for (int64_t k = 0; k < width; k++)
            at[f * width + k] = (int64_t)rint((double)f * step) + k;
    agn_status st = agn_from_host(out, AGN_I64, 2, (int64_t[]){frames, width}, at);
    agni_free(at);
    return st;
}

/* sums of squares of frames of y [..., n], with zeros behind where the last ones need them */
static const agn_tensor *sum_frames(agn_scope *s, const char *op, const agn_tensor *y,
                                    int64_t frames, int64_t width, double step)
{
    if (!y)
        return NULL;
    int64_t hi[AGNI_MAX_RANK] = {0}, lo[AGNI_MAX_RANK] = {0}, n = y->shape[y->ndim - 1],
            end = (int64_t)rint((double)(frames - 1) * step) + width;
    hi[y->ndim - 1] = end > n ? end - n : 0;
    y = ag_square(s, ag_pad(s, y, y->ndim, lo, hi, 0));
    if (step == rint(step)) {
        y = ag_signal_frame(s, y ? agni_audio_part(s, y, 0, end) : NULL, width, (int64_t)step);
    } else {
        agn_tensor *at = NULL;
        agn_status st = agn_scope_status(s);
        if (!st)
            st = make_places(&at, op, frames, width, step);
        y = ag_gather(s, y, agni_adopt_constant(s, st, at), -1);
    }
    return ag_sum(s, y, (int32_t[]){-1}, 1, false);
}

agn_status agn_audio_semitones(agn_tensor **out, const agn_tensor *x, int64_t rate,
                               int64_t win_length, int64_t hop, double tuning)
{
    static const char op[] = "audio_semitones";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (rate < 882 || rate > 1 << 24 || hop < 1 || win_length < 1 || win_length > 1 << 24 ||
                rint((double)win_length * 882 / (double)rate) < 1 || !(fabs(tuning) <= 0.5)))
        st = agni_fail(
            AGN_EARG,
            "%s: frames of %lld in steps of %lld at a rate of %lld, a tuning of %g; rates "
            "are 882 and more, frames have a sample at 882, tunings half a semitone at most",
            op, (long long)win_length, (long long)hop, (long long)rate, tuning);
    if (!st && (!x->ndim || x->shape[x->ndim - 1] + win_length / 2 * 2 < win_length ||
                !x->shape[x->ndim - 1] || x->ndim + 2 > AGNI_MAX_RANK))
        st = agni_fail(
            AGN_ESHAPE,
            "%s: x is %s; its last axis holds a frame of %lld, and there is room for two "
            "more",
            op, AGNI_SHAPE(x), (long long)win_length);
    if (st)
        return st;
    int64_t half = win_length / 2, lo[AGNI_MAX_RANK] = {0};
    int64_t frames = 1 + (x->shape[x->ndim - 1] + 2 * half - win_length) / hop;
    const agn_tensor *bands[PITCHES] = {NULL}, *slow = NULL;
    lo[x->ndim - 1] = half;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = ag_expand_dims(s, ag_pad(s, y, x->ndim, lo, lo, 0), -2);
    int count = 0;
    for (int k = 0; k < 3; k++)
        for (int first = parts[k].first, n = 0; first < parts[k].end && !agn_scope_status(s);
             first += n) {
            agn_tensor *made = NULL;
            int64_t low = parts[k].rate, d = common_divisor(rate, low);
            double factor = (double)rate / (double)low;
            if (first == parts[k].first)
                slow = rate == low ? y : ag_signal_resample_poly(s, y, low / d, rate / d, NULL);
            st = agn_scope_status(s) ? agn_scope_status(s)
                                     : make_sections(&made, &n, first, parts[k].end, low, tuning);
            const agn_tensor *sos = agni_adopt_constant(s, st, made);
            if (!sos)
                break;
            const agn_tensor *z = ag_signal_sosfiltfilt(s, ag_cast(s, sos, y->dtype), slow);
            z = sum_frames(s, op, z, frames, (int64_t)rint((double)win_length / factor),
                           (double)hop / factor);
            bands[count++] = ag_mul_c(s, z, factor);
        }
    return agni_return(op, s, out,
                       agn_scope_status(s) ? NULL : ag_concat(s, bands, count, -2));
}
