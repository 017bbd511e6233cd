/* audio/effects/delays.c - delays that swing, after SoX 14.4.2. What comes back through a delay is
   summed by doubling: with sums over 2^k steps of each chain of delays, those over 2^(k+1) are one
   gather (Hillis & Steele 1986). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_effects.h>
#include <math.h>

#define PI 3.14159265358979323846

/* sample at of a wave of a period of n samples that goes from lo to hi, a part of it ahead */
static double swing_at(int64_t at, int64_t n, double ahead, bool triangular, double lo, double hi)
{
    int64_t shift = (int64_t)(ahead * (double)n + 0.5), point = (at + shift) % n;
    double t = (double)point / (double)n, d = (sin(2 * PI * t) + 1) / 2;
    if (triangular) {
        d = 2 * t;
        d = t < 0.25 ? d + 0.5 : t < 0.75 ? 1.5 - d : d - 1.5;
    }
    return lo + d * (hi - lo);
}

static agn_status check_sound(const char *op, agn_tensor *const *out, const agn_tensor *x,
                              double rate, int rank)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (x->ndim < rank || !x->shape[x->ndim - 1] || !x->shape[x->ndim - rank]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is %s, with a sample", op, AGNI_SHAPE(x),
                       rank == 2 ? "[..., channels, n]" : "[..., n]");
    if (!st && (!(rate > 0) || !isfinite(rate)))
        st = agni_fail(AGN_EARG, "%s: a rate of %g for x %s; it is positive", op, rate,
                       AGNI_SHAPE(x));
    return st;
}

/* indices of the sample that each one feeds on, n where there is none */
static void find_sources(int64_t *from, int64_t n, double rate, const agn_audio_phaser_options *o)
{
    int64_t longest = (int64_t)(o->delay * 0.001 * rate + 0.5),
            period = (int64_t)(rate / o->speed + 0.5);
    for (int64_t t = 0; t < n; t++) {
        double place = swing_at(t % period, period, 0.25, o->triangular, 1, (double)longest);
        int64_t delay = longest + 1 - (int64_t)(place + 0.5);
        from[t] = t >= delay ? t - delay : n;
    }
    from[n] = n;
}

/* each source becomes the source of the source; false where none is left */
static bool follow_sources(int64_t *from, int64_t n)
{
    bool left = false;
    /* backwards: a source lies before what it feeds, and is still that of the last round */
    for (int64_t t = n - 1; t >= 0; t--) {
        from[t] = from[from[t]];
        left = left || from[t] < n;
    }
    return left;
}

agn_status agn_audio_phaser(agn_tensor **out, const agn_tensor *x, double rate,
                            const agn_audio_phaser_options *opts)
{
    static const char op[] = "audio_phaser";
    agn_audio_phaser_options o = {.size = sizeof o};
    agn_status st = check_sound(op, out, x, rate, 1);
    if (st)
        return st;
    if (agni_check_size(op, agn_audio_phaser_options, opts))
        return AGN_EARG;
    o = opts ? *opts : o;
    o.gain_in = o.gain_in == 0 ? 0.4 : o.gain_in;
    o.gain_out = o.gain_out == 0 ? 0.74 : o.gain_out;
    o.delay = o.delay == 0 ? 3 : o.delay;
    o.decay = o.decay == 0 ? 0.4 : o.decay;
    o.speed = o.speed == 0 ? 0.5 : o.speed;
    double longest = o.delay * 0.001 * rate;
    if (!(longest >= 0.5 && longest < 1e9) || !(fabs(o.decay) < 1) || !(o.speed > 0) ||
        !(rate / o.speed >= 1 && rate / o.speed < 1e15) || !isfinite(o.gain_in) ||
        !isfinite(o.gain_out))
        return agni_fail(AGN_EARG,
                         "%s: a delay of %g ms, a decay of %g, a speed of %g Hz at a rate of %g; "
                         "the delay is a sample at least, the decay below 1, the speed positive",
                         op, o.delay, o.decay, o.speed, rate);
    int64_t n = x->shape[x->ndim - 1];
    size_t size = (size_t)(n + 1) * sizeof(int64_t);
    int64_t *from = agni_alloc(size);
    if (!from)
        return agni_nomem(op, size);
    find_sources(from, n, rate, &o);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_mul_c(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), o.gain_in);
    double weight = o.decay;
    for (bool left = true; left && fabs(weight) > 1e-300 && !agn_scope_status(s);
         weight *= weight) {
        agn_tensor *made = NULL;
        int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
        hi[x->ndim - 1] = 1;
        st = agn_from_host(&made, AGN_I64, 1, &n, from);
        const agn_tensor *index = agni_adopt_constant(s, st, made);
        const agn_tensor *fed = ag_gather(s, ag_pad(s, y, x->ndim, lo, hi, 0), index, -1);
        y = ag_add(s, y, ag_mul_c(s, fed, weight));
        left = follow_sources(from, n);
    }
    agni_free(from);
    return agni_return(op, s, out, ag_clip_c(s, ag_mul_c(s, y, o.gain_out), -1, 1));
}

agn_status agn_audio_flanger(agn_tensor **out, const agn_tensor *x, double rate,
                             const agn_audio_flanger_options *opts)
{
    static const char op[] = "audio_flanger";
    agn_audio_flanger_options o = {.size = sizeof o, .width = 71, .phase = 25};
    agn_status st = check_sound(op, out, x, rate, 2);
    if (st)
        return st;
    if (agni_check_size(op, agn_audio_flanger_options, opts))
        return AGN_EARG;
    o = opts ? *opts : o;
    o.depth = o.depth == 0 ? 2 : o.depth;
    o.width = o.width == 0 ? 71 : o.width;
    o.speed = o.speed == 0 ? 0.5 : o.speed;
    o.phase = o.phase == 0 ? 25 : o.phase;
    double span = (o.delay + o.depth) * 0.001 * rate;
    if (!(o.delay >= 0) || !(o.depth >= 0) || !(span < 1e9) || !(o.width >= 0 && o.width <= 100) ||
        !(o.phase >= 0 && o.phase <= 100) || !(o.speed > 0) ||
        !(rate / o.speed >= 1 && rate / o.speed < 1e15))
        return agni_fail(AGN_EARG,
                         "%s: a delay of %g ms, a depth of %g, a width of %g, a speed of %g Hz, a "
                         "phase of %g at a rate of %g; none is negative, per cent are at most 100",
                         op, o.delay, o.depth, o.width, o.speed, o.phase, rate);
    int64_t n = x->shape[x->ndim - 1], channels = x->shape[x->ndim - 2];
    int64_t longest = (int64_t)(span + 0.5), room = longest + 1, period = (int64_t)(rate / o.speed);
    double least = floor(o.delay * 0.001 * rate + 0.5);
    size_t size = (size_t)(channels * n) * (2 * sizeof(int64_t) + sizeof(double));
    int64_t *at = agni_alloc(size);
    if (!at)
        return agni_nomem(op, size);
    double *part = (double *)(at + 2 * channels * n);
    for (int64_t c = 0; c < channels; c++) {
        int64_t ahead = (int64_t)((double)(c * period) * o.phase / 100 + 0.5);
        for (int64_t t = 0; t < n; t++) {
            double delay = swing_at((t + ahead) % period, period, 0.75, o.triangular, least,
                                    (double)longest);
            int64_t whole = (int64_t)delay, i = c * n + t;
            part[i] = delay - (double)whole;
            at[i] = c * (n + room) + room + t - whole;
            at[channels * n + i] = at[i] - 1;
        }
    }
    int dtype = agni_audio_dtype(x->dtype);
    agn_tensor *places = NULL, *parts = NULL;
    st = agn_from_host(&places, AGN_I64, 3, (int64_t[]){2, channels, n}, at);
    if (!st)
        st = agni_audio_make(&parts, dtype, 2, (int64_t[]){channels, n}, part);
    agni_free(at);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *index = agni_adopt_constant(s, st, places);
    const agn_tensor *fraction = agni_adopt_constant(s, st, parts);
    const agn_tensor *y = ag_cast(s, x, dtype), *both[2] = {NULL, NULL};
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    lo[x->ndim - 1] = room;
    const agn_tensor *line = ag_flatten(s, ag_pad(s, y, x->ndim, lo, hi, 0), -2, -1);
    for (int k = 0; k < 2; k++)
        both[k] = ag_gather(s, line, ag_index_axis(s, index, 0, k), -1);
    const agn_tensor *late = ag_add(s, both[0], ag_mul(s, ag_sub(s, both[1], both[0]), fraction));
    double width = o.width / 100;
    y = ag_add(s, ag_mul_c(s, y, 1 / (1 + width)), ag_mul_c(s, late, width / (1 + width)));
    return agni_return(op, s, out, ag_clip_c(s, y, -1, 1));
}
