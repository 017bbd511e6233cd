/* audio/effects/levels.c - levels and distortion sample by sample, after SoX 14.4.2; noise at a
   ratio, and before rounding (Lipshitz, Wannamaker & Vanderkooy 1992). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_effects.h>
#include <math.h>

#define PI 3.14159265358979323846

static const int32_t time_axis[] = {-1};

agn_status agn_audio_gain(agn_tensor **out, const agn_tensor *x, double db)
{
    static const char op[] = "audio_gain";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && !isfinite(db))
        st = agni_fail(AGN_EARG, "%s: %g dB for x %s; they are finite", op, db, AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    return agni_return(op, s, out, ag_mul_c(s, y, pow(10, db / 20)));
}

agn_status agn_audio_contrast(agn_tensor **out, const agn_tensor *x, double amount)
{
    static const char op[] = "audio_contrast";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && !(amount >= 0 && amount <= 100))
        st = agni_fail(AGN_EARG, "%s: an amount of %g for x %s; it is 0 to 100", op, amount,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = ag_mul_c(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), PI / 2);
    const agn_tensor *more = ag_mul_c(s, ag_sin(s, ag_mul_c(s, t, 4)), amount / 750);
    return agni_return(op, s, out, ag_sin(s, ag_add(s, t, more)));
}

agn_status agn_audio_overdrive(agn_tensor **out, const agn_tensor *x, double gain, double colour)
{
    static const char op[] = "audio_overdrive";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!x->ndim || !x->shape[x->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it has a sample", op, AGNI_SHAPE(x));
    if (!st && (!(gain >= 0 && gain <= 100) || !(colour >= 0 && colour <= 100)))
        st = agni_fail(AGN_EARG, "%s: a gain of %g dB, a colour of %g; both are 0 to 100", op, gain,
                       colour);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    agn_tensor *b = NULL, *a = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, dtype);
    const agn_tensor *t = ag_add_c(s, ag_mul_c(s, y, pow(10, gain / 20)), colour / 200);
    t = ag_clip_c(s, t, -1, 1);
    t = ag_sub(s, t, ag_mul_c(s, ag_mul(s, t, ag_square(s, t)), 1.0 / 3));
    st = agni_audio_make(&b, dtype, 1, (int64_t[]){2}, (double[]){1, -1});
    const agn_tensor *up = agni_adopt_constant(s, st, b);
    st = agni_audio_make(&a, dtype, 1, (int64_t[]){2}, (double[]){1, -0.995});
    const agn_tensor *down = agni_adopt_constant(s, st, a);
    t = ag_signal_lfilter(s, up, down, t);
    y = ag_add(s, ag_mul_c(s, y, 0.5), ag_mul_c(s, t, 0.75));
    return agni_return(op, s, out, ag_clip_c(s, y, -1, 1));
}

agn_status agn_audio_dcshift(agn_tensor **out, const agn_tensor *x, double shift, double limit)
{
    static const char op[] = "audio_dcshift";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!(fabs(shift) <= 2) || !(limit >= 0) || (limit > 0 && limit >= fabs(shift))))
        st = agni_fail(AGN_EARG,
                       "%s: a shift of %g, a limiter of %g; the shift is -2 to 2, the limiter not "
                       "negative and below the size of the shift",
                       op, shift, limit);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    /* downwards is upwards of minus x */
    double sign = shift < 0 ? -1 : 1, up = fabs(shift), edge = 1 - (up - limit);
    const agn_tensor *t = ag_mul_c(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), sign);
    const agn_tensor *y = ag_clip_c(s, ag_add_c(s, t, up), -1, 1);
    if (limit > 0) {
        const agn_tensor *rest = ag_mul_c(s, ag_add_c(s, t, -edge), limit / (1 - edge));
        rest = ag_minimum_c(s, ag_add_c(s, rest, edge + up), edge);
        y = ag_where(s, ag_gt(s, t, ag_full_like(s, t, edge)), rest, y);
    }
    return agni_return(op, s, out, ag_mul_c(s, y, sign));
}

agn_status agn_audio_dither(agn_tensor **out, const agn_tensor *x, const agn_tensor *key,
                            int32_t bits, int32_t law)
{
    static const char op[] = "audio_dither";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && !key)
        st = agni_fail(AGN_ENULL, "%s: key is NULL", op);
    if (!st && (bits < 1 || bits > 24 || law < AGN_DITHER_TRIANGULAR || law > AGN_DITHER_NORMAL))
        st = agni_fail(AGN_EARG, "%s: %d bits, law %d; bits are 1 to 24, laws 0 to %d", op, bits,
                       law, AGN_DITHER_NORMAL);
    if (st)
        return st;
    double steps = ldexp(1, bits - 1);
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, dtype), *noise = NULL;
    if (law == AGN_DITHER_NORMAL)
        noise = ag_mul_c(s, ag_normal(s, key, (agn_dtype)dtype, x->ndim, x->shape), 0.5);
    for (int k = 0; law != AGN_DITHER_NORMAL && k < (law == AGN_DITHER_TRIANGULAR ? 2 : 1); k++) {
        const agn_tensor *child = ag_key_fold(s, key, ag_full_i64(s, AGN_I64, 0, NULL, k));
        const agn_tensor *u = ag_uniform(s, child, (agn_dtype)dtype, x->ndim, x->shape);
        noise = agni_add_present(s, noise, ag_add_c(s, u, -0.5));
    }
    const agn_tensor *level = ag_round(s, ag_add(s, ag_mul_c(s, y, steps), noise));
    level = ag_mul_c(s, ag_clip_c(s, level, -steps, steps - 1), 1 / steps);
    /* 0, with the gradient of the identity: the levels stay what they are to the bit */
    const agn_tensor *none = ag_sub(s, y, ag_stop_gradient(s, y));
    return agni_return(op, s, out, ag_add(s, ag_stop_gradient(s, level), none));
}

static double rise_at(double t, int32_t shape)
{
    switch (shape) {
    case AGN_FADE_LINEAR:
        return t;
    case AGN_FADE_EXPONENTIAL:
        return t * exp2(t - 1);
    case AGN_FADE_LOGARITHMIC:
        return fmin(fmax(log10(t + 0.1) + 1, 0), 1);
    case AGN_FADE_QUARTER_SINE:
        return sin(t * PI / 2);
    default:
        return 0.5 - 0.5 * cos(t * PI);
    }
}

agn_status agn_audio_fade(agn_tensor **out, const agn_tensor *x, int64_t rise, int64_t fall,
                          int32_t shape)
{
    static const char op[] = "audio_fade";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && !x->ndim)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis is time", op, AGNI_SHAPE(x));
    int64_t n = st ? 0 : x->shape[x->ndim - 1];
    if (!st && (rise < 0 || fall < 0 || rise > n || fall > n || shape < AGN_FADE_LINEAR ||
                shape > AGN_FADE_HALF_SINE))
        st = agni_fail(AGN_EARG,
                       "%s: %lld samples in, %lld out, shape %d of x %s; samples are at most all, "
                       "shapes 0 to %d",
                       op, (long long)rise, (long long)fall, shape, AGNI_SHAPE(x),
                       AGN_FADE_HALF_SINE);
    if (st)
        return st;
    size_t size = (size_t)(n + 1) * sizeof(double);
    double *w = agni_alloc(size);
    if (!w)
        return agni_nomem(op, size);
    for (int64_t i = 0; i < n; i++) {
        int64_t left = n - 1 - i;
        w[i] = i < rise ? rise_at(rise > 1 ? (double)i / (double)(rise - 1) : 0, shape) : 1;
        if (left < fall)
            w[i] *= rise_at(fall > 1 ? (double)left / (double)(fall - 1) : 0, shape);
    }
    int dtype = agni_audio_dtype(x->dtype);
    agn_tensor *made = NULL;
    st = agni_audio_make(&made, dtype, 1, &n, w);
    agni_free(w);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *envelope = agni_adopt_constant(s, st, made);
    return agni_return(op, s, out, ag_mul(s, ag_cast(s, x, dtype), envelope));
}

agn_status agn_audio_add_noise(agn_tensor **out, const agn_tensor *x, const agn_tensor *noise,
                               const agn_tensor *snr)
{
    static const char op[] = "audio_add_noise";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    AGNI_NEED(op, noise);
    AGNI_NEED(op, snr);
    if (agni_kind(noise->dtype) == AGNI_KIND_COMPLEX || agni_kind(snr->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: noise is %s, snr %s; real dtypes are needed", op,
                         agni_dtypes[noise->dtype].name, agni_dtypes[snr->dtype].name);
    int64_t n = x->ndim ? x->shape[x->ndim - 1] : 0;
    if (!n || !noise->ndim || noise->shape[noise->ndim - 1] != n || snr->ndim == AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE,
            "%s: x is %s, noise %s, snr of rank %d; both have the same samples, one at "
            "least",
            op, AGNI_SHAPE(x), AGNI_SHAPE(noise), snr->ndim);
    int dtype = agni_audio_dtype(agni_promote(agni_promote(x->dtype, noise->dtype), snr->dtype));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, dtype), *v = ag_cast(s, noise, dtype);
    const agn_tensor *level = ag_mul_c(s, ag_cast(s, snr, dtype), -log(10) / 20);
    const agn_tensor *ratio = ag_div(s, ag_sum(s, ag_square(s, y), time_axis, 1, true),
                                     ag_sum(s, ag_square(s, v), time_axis, 1, true));
    const agn_tensor *scale = ag_mul(s, ag_sqrt(s, ratio), ag_expand_dims(s, ag_exp(s, level), -1));
    return agni_return(op, s, out, ag_add(s, y, ag_mul(s, scale, v)));
}
