/* audio/contrast.c - peaks over valleys of octaves (Jiang et al. 2002), and stripes of spectra that
   are taken out to train on the rest (SpecAugment; Park et al. 2019). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/random.h>
#include <math.h>

/* rows from to from + count of the axis before the last */
static const agn_tensor *rows_of(agn_scope *s, const agn_tensor *x, int64_t from, int64_t count)
{
    return ag_swapaxes(s, agni_audio_part(s, ag_swapaxes(s, x, -1, -2), from, count), -1, -2);
}

static const agn_tensor *to_decibels(agn_scope *s, const agn_tensor *x)
{
    return ag_audio_power_to_db(s, x, 1, 1e-10, 80);
}

/* The bins of band k: those of its octave, the one below, and in the last band all above. The
   highest of the others belongs to the next one, too, and is left there. */
typedef struct octave {
    int64_t from, count, wide; /* wide: with the highest */
} octave;

static octave octave_of(int32_t k, int32_t bands, double lowest, double rate, int64_t bins)
{
    double lo = k ? lowest * exp2(k - 1) : 0, hi = lowest * exp2(k),
           step = bins > 1 ? rate / 2 / (double)(bins - 1) : 1;
    octave o = {.from = 0};
    int64_t end = 0;
    while (o.from < bins && (double)o.from * step < lo)
        o.from++;
    for (end = o.from; end < bins && (double)end * step <= hi; end++)
        ;
    if (end > o.from && k)
        o.from -= o.from > 0;
    if (k == bands)
        end = bins;
    o.wide = end - o.from;
    o.count = k < bands ? o.wide - 1 : o.wide;
    return o;
}

agn_status agn_audio_spectral_contrast(agn_tensor **out, const agn_tensor *x, double rate,
                                       double lowest, int32_t bands, double part)
{
    static const char op[] = "audio_spectral_contrast";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (st)
        return st;
    if (!(rate > 0) || !isfinite(rate) || !(lowest > 0) || bands < 1 || bands > 60 ||
        !(part > 0 && part < 1) || !(lowest * exp2(bands - 1) < rate / 2))
        return agni_fail(
            AGN_EARG,
            "%s: %d octaves from %g Hz at a rate of %g, a part of %g; there are 1 to 60 below half "
            "the rate, the part is between 0 and 1",
            op, bands, lowest, rate, part);
    int64_t bins = x->shape[x->ndim - 2];
    for (int32_t k = 0; k <= bands; k++)
        if (octave_of(k, bands, lowest, rate, bins).count < 1)
            return agni_fail(AGN_ESHAPE, "%s: x is %s; octave %d has no bin", op, AGNI_SHAPE(x), k);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype)), *low[64], *high[64];
    for (int32_t k = 0; k <= bands && !agn_scope_status(s); k++) {
        octave o = octave_of(k, bands, lowest, rate, bins);
        int64_t n = (int64_t)rint(part * (double)o.wide);
        n = n < 1 ? 1 : n > o.count ? o.count : n;
        const agn_tensor *sorted = ag_sort(s, rows_of(s, y, o.from, o.count), -2, false);
        low[k] = ag_mean(s, rows_of(s, sorted, 0, n), (int32_t[]){-2}, 1, false);
        high[k] = ag_mean(s, rows_of(s, sorted, o.count - n, n), (int32_t[]){-2}, 1, false);
    }
    const agn_tensor *c = NULL;
    if (!agn_scope_status(s))
        c = ag_sub(s, to_decibels(s, ag_stack(s, high, bands + 1, -2)),
                   to_decibels(s, ag_stack(s, low, bands + 1, -2)));
    return agni_return(op, s, out, c);
}

agn_status agn_audio_mask_stripes(agn_tensor **out, const agn_tensor *x, const agn_tensor *key,
                                  int32_t axis, int32_t stripes, int64_t longest, double value)
{
    static const char op[] = "audio_mask_stripes";
    int d;
    if (!key)
        return agni_fail(AGN_ENULL, "%s: key is NULL", op);
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = agni_axis(op, axis, x->ndim, &d);
    if (!st && (stripes < 0 || stripes > 1 << 16 || longest < 0 || longest > x->shape[d]))
        st = agni_fail(
            AGN_EARG,
            "%s: %d stripes of at most %lld along axis %d of x %s; neither is negative, and they fit",
            op, stripes, (long long)longest, d, AGNI_SHAPE(x));
    if (st)
        return st;
    int64_t n = x->shape[d], shape[AGNI_MAX_RANK];
    agn_tensor *made[2] = {NULL}, *at = NULL;
    const agn_tensor *bound[2];
    agn_scope *s = agn_scope_open(NULL);
    for (int k = 0; k < 2; k++) {
        st = agn_scope_status(s) ? agn_scope_status(s)
                                 : agni_audio_make(&made[k], AGN_F64, 0, NULL, (double[]){k});
        bound[k] = agni_adopt_constant(s, st, made[k]);
    }
    st = agn_scope_status(s) ? agn_scope_status(s) : agn_arange(&at, AGN_F64, 0, (double)n, 1);
    const agn_tensor *place = agni_adopt_constant(s, st, at),
                     *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    if (stripes && !agn_scope_status(s)) {
        /* lengths to longest, then begins that fit, both uniform */
        const agn_tensor *u = ag_random_uniform(s, key, bound[0], bound[1], 3,
                                                (int64_t[]){2, stripes, 1});
        const agn_tensor *length = ag_floor(
            s, ag_mul_c(s, ag_index_axis(s, u, 0, 0), (double)longest + 1));
        const agn_tensor *room = ag_add_c(s, ag_neg(s, length), (double)n + 1);
        const agn_tensor *begin = ag_floor(s, ag_mul(s, ag_index_axis(s, u, 0, 1), room));
        const agn_tensor *in = ag_logical_and(s, ag_ge(s, place, begin),
                                              ag_lt(s, place, ag_add(s, begin, length)));
        in = ag_max(s, ag_cast(s, in, AGN_I64), (int32_t[]){0}, 1, false);
        for (int k = d; k < x->ndim; k++)
            shape[k - d] = k == d ? n : 1;
        in = in ? agni_reshape(s, ag_cast(s, in, AGN_BOOL), x->ndim - d, shape) : NULL;
        y = in && y ? ag_where(s, in, agni_full_like(s, value, y), y) : NULL;
    }
    return agni_return(op, s, out, y);
}
