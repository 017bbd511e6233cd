/* audio/music/activity.c - where a voice is: ratios of likelihoods of a spectrum with and without
   one, with a hang-over by a chain of two states (Sohn, Kim & Sung 1999), and stretches that are
   not silent. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdlib.h>

typedef agn_audio_activity_options options;

static agn_status complete_options(options *o, const char *op, const options *given)
{
    if (agni_check_size(op, agn_audio_activity_options, given))
        return AGN_EARG;
    *o = given ? *given : (options){.size = sizeof *o};
    o->quiet = o->quiet == 0 ? 0.1 : o->quiet;
    o->smoothing = o->smoothing == 0 ? 0.98 : o->smoothing;
    o->begins = o->begins == 0 ? 0.2 : o->begins;
    o->ends = o->ends == 0 ? 0.1 : o->ends;
    if (!(o->quiet > 0 && o->quiet <= 1) || !(o->smoothing >= 0 && o->smoothing < 1) ||
        !(o->begins > 0 && o->begins < 1) || !(o->ends > 0 && o->ends < 1))
        return agni_fail(AGN_EARG,
                         "%s: quiet %g, smoothing %g, begins %g, ends %g; they are parts of 1", op,
                         o->quiet, o->smoothing, o->begins, o->ends);
    return AGN_OK;
}

typedef struct level {
    double power;
    int64_t frame;
} level;

static int compare_numbers(const void *a, const void *b)
{
    const level *x = a, *y = b;
    if (x->power != y->power)
        return x->power < y->power ? -1 : 1;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

/* noise [bins]: the mean of the quietest frames of p [bins, frames] */
static void estimate_noise(double *noise, level *order, const double *p, int64_t bins,
                           int64_t frames, double quiet)
{
    int64_t count = (int64_t)ceil(quiet * (double)frames);
    for (int64_t t = 0; t < frames; t++) {
        order[t] = (level){0, t};
        for (int64_t k = 0; k < bins; k++)
            order[t].power += p[k * frames + t];
    }
    qsort(order, (size_t)frames, sizeof *order, compare_numbers);
    for (int64_t k = 0; k < bins; k++) {
        noise[k] = 0;
        for (int64_t i = 0; i < count; i++)
            noise[k] += p[k * frames + order[i].frame] / (double)count;
    }
}

/* odds [frames]: logarithms of the odds that a voice is there. clean [bins]: the power it had in
   the frame before */
static void follow_noise(double *odds, double *clean, const double *noise, const double *p,
                         int64_t bins, int64_t frames, const options *o)
{
    double past = log(o->begins / o->ends); /* the odds in the long run */
    for (int64_t t = 0; t < frames; t++) {
        double ratio = 0;
        int64_t count = 0;
        for (int64_t k = 0; k < bins; k++) {
            if (!(noise[k] > 0))
                continue;
            double now = p[k * frames + t] / noise[k], more = now > 1 ? now - 1 : 0;
            double snr = t ? o->smoothing * clean[k] + (1 - o->smoothing) * more : more,
                   gain = snr / (1 + snr);
            ratio += now * gain - log1p(snr);
            clean[k] = gain * gain * now;
            count++;
        }
        ratio = count ? ratio / (double)count : 0;
        /* a step of the chain: (begins + (1 - ends) odds) / (1 - begins + ends odds) */
        double e = exp(past < 700 ? past : 700);
        past = log((o->begins + (1 - o->ends) * e) / (1 - o->begins + o->ends * e)) + ratio;
        odds[t] = past;
    }
}

agn_status agn_audio_voice_activity(agn_tensor **out, const agn_tensor *x,
                                    const agn_audio_activity_options *opts)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_voice_activity", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_voice_activity(out ? &h.y[0] : NULL, h.in[0], opts);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_voice_activity";
    options o = {.size = 0};
    agn_tensor *rows = NULL;
    const double *v = NULL;
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && !x->shape[x->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it has a frame", op, AGNI_SHAPE(x));
    if (!st)
        st = complete_options(&o, op, opts);
    if (!st)
        st = agni_audio_host(&rows, &v, op, x);
    if (st)
        return st;
    int64_t bins = x->shape[x->ndim - 2], frames = x->shape[x->ndim - 1],
            batch = x->size / (bins * frames);
    int64_t shape[AGNI_MAX_RANK] = {0};
    for (int64_t i = 0; i < x->size && !st; i++)
        if (!(v[i] >= 0) || !isfinite(v[i]))
            st = agni_fail(AGN_EDOMAIN,
                           "%s: entry %lld of x %s is %g; powers are finite and not negative", op,
                           (long long)i, AGNI_SHAPE(x), v[i]);
    size_t size = (size_t)(batch * frames + 2 * bins + 1) * sizeof(double) +
                  (size_t)frames * sizeof(level);
    level *order = st ? NULL : agni_alloc(size);
    if (!st && !order)
        st = agni_nomem(op, size);
    if (!st) {
        double *noise = (double *)(order + frames), *clean = noise + bins, *odds = clean + bins;
        for (int64_t b = 0; b < batch; b++) {
            const double *p = v + b * bins * frames;
            estimate_noise(noise, order, p, bins, frames, o.quiet);
            follow_noise(odds + b * frames, clean, noise, p, bins, frames, &o);
        }
        for (int d = 0; d < x->ndim - 2; d++)
            shape[d] = x->shape[d];
        shape[x->ndim - 2] = frames;
        st = agni_audio_make(out, agni_audio_dtype(x->dtype), x->ndim - 1, shape, odds);
    }
    agni_free(order);
    agn_release(rows);
    return st;
}

agn_status agn_audio_split(agn_tensor **out, const agn_tensor *x, int64_t length, int64_t hop,
                           double range)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_split", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_split(out ? &h.y[0] : NULL, h.in[0], length, hop,
                                                      range);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_split";
    agn_tensor *power = NULL, *rows = NULL;
    const double *v = NULL;
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (x->ndim != 1 || !x->shape[0]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [n], and has a sample", op, AGNI_SHAPE(x));
    if (!st && (!(range > 0) || !isfinite(range)))
        st = agni_fail(AGN_EARG, "%s: a range of %g dB for x %s; it is positive", op, range,
                       AGNI_SHAPE(x));
    if (!st)
        st = agni_rename_error(op, agn_audio_rms(&power, x, length, hop));
    if (!st)
        st = agni_audio_host(&rows, &v, op, power);
    agn_release(power);
    if (st)
        return st;
    int64_t frames = rows->size, n = x->shape[0], count = 0,
            *ends = agni_alloc((size_t)(frames + 2) * sizeof *ends);
    double most = 0;
    for (int64_t t = 0; t < frames && !st; t++) {
        if (isnan(v[t]))
            st = agni_fail(AGN_EDOMAIN, "%s: x %s has a NaN about sample %lld", op, AGNI_SHAPE(x),
                           (long long)(t * hop));
        most = v[t] > most ? v[t] : most;
    }
    if (!st && !ends)
        st = agni_nomem(op, (size_t)(frames + 2) * sizeof *ends);
    bool inside = false;
    for (int64_t t = 0; t < frames && !st; t++) {
        bool loud = most > 0 && v[t] > most * pow(10, -range / 20);
        if (loud != inside)
            ends[count++] = t * hop < n ? t * hop : n;
        inside = loud;
    }
    if (inside)
        ends[count++] = n;
    count /= 2;
    if (!st)
        st = agn_from_host(out, AGN_I64, 2, (int64_t[]){count, 2}, ends);
    agni_free(ends);
    agn_release(rows);
    return st;
}
