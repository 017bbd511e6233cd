/* audio/music/chroma.c - energy of pitch classes (Ellis 2007), their place in the tonal space of
   fifths and thirds (Harte, Sandler & Gasser 2006), pitches as numbers, and how loud the ear hears
   a frequency (IEC 61672). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

/* x over its largest or its sum along the last axis but one; as it is where that is 0 */
static const agn_tensor *over_norm(agn_scope *s, const agn_tensor *x, bool sum)
{
    const agn_tensor *a = ag_abs(s, x);
    a = sum ? ag_sum(s, a, (int32_t[]){-2}, 1, true) : ag_max(s, a, (int32_t[]){-2}, 1, true);
    if (!a)
        return NULL;
    double least = a->dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN;
    return ag_div(
        s, x, ag_where(s, ag_lt(s, a, agni_full_like(s, least, a)), agni_full_like(s, 1, a), a));
}

agn_status agn_audio_chroma(agn_tensor **out, const agn_tensor *x, double rate, int64_t classes,
                            double a4)
{
    static const char op[] = "audio_chroma";
    agn_tensor *w = NULL;
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && x->shape[x->ndim - 2] < 2)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; there are two bins at least", op, AGNI_SHAPE(x));
    if (!st)
        st = agni_rename_error(op, agn_audio_chroma_filters(&w, agni_audio_dtype(x->dtype), rate,
                                                            2 * (x->shape[x->ndim - 2] - 1),
                                                            classes, a4));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = agni_adopt_constant(s, AGN_OK, w),
                     *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    return agni_return(op, s, out, over_norm(s, ag_matmul(s, f, y), false));
}

agn_status agn_audio_tonnetz(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "audio_tonnetz";
    /* semitones of circles of fifths, minor and major thirds, as steps of half a turn, and their
       radii */
    static const double steps[] = {7.0 / 6, 3.0 / 2, 2.0 / 3}, radii[] = {1, 1, 0.5};
    agn_tensor *w = NULL;
    agn_status st = agni_audio_check_spectrum(op, out, x);
    int64_t n = st ? 1 : x->shape[x->ndim - 2];
    if (!st && n > 4096)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; there are 4096 classes at most", op,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    double *v = agni_alloc((size_t)(6 * n) * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)(6 * n) * sizeof *v);
    for (int64_t c = 0; c < n; c++)
        for (int k = 0; k < 3; k++) {
            double turn = PI * steps[k] * 12 * (double)c / (double)n;
            v[2 * k * n + c] = radii[k] * sin(turn);
            v[(2 * k + 1) * n + c] = radii[k] * cos(turn);
        }
    int dtype = agni_audio_dtype(x->dtype);
    st = agni_audio_make(&w, dtype, 2, (int64_t[]){6, n}, v);
    agni_free(v);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = agni_adopt_constant(s, AGN_OK, w);
    return agni_return(op, s, out, ag_matmul(s, f, over_norm(s, ag_cast(s, x, dtype), true)));
}

/* ---- pitches as numbers, weights of hearing ------------------------------------------------- */

agn_status agn_audio_hz_to_midi(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "audio_hz_to_midi";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_log2(s, ag_div_c(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), 440));
    return agni_return(op, s, out, ag_add_c(s, ag_mul_c(s, y, 12), 69));
}

agn_status agn_audio_midi_to_hz(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "audio_midi_to_hz";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_div_c(s, ag_sub_c(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), 69),
                                   12);
    return agni_return(op, s, out, ag_mul_c(s, ag_exp2(s, y), 440));
}

/* dB of poles in Hz, 20 log10 of f^order over the product of their powers, and a constant; of D the
   quotient of two resonances stands beside them */
static const struct curve {
    double half_order, pole[4];
    int power[4];
    double add;
    bool resonant;
} curves[] = {
    [AGN_AUDIO_WEIGHTING_A] =
        {4, {12194.217, 20.598997, 107.65265, 737.86223}, {2, 2, 1, 1}, 2, false},
    [AGN_AUDIO_WEIGHTING_B] = {3, {12194.217, 20.598997, 158.48932}, {2, 2, 1, 0}, 0.17, false},
    [AGN_AUDIO_WEIGHTING_C] = {2, {12194.217, 20.598997}, {2, 2, 0, 0}, 0.062, false},
    [AGN_AUDIO_WEIGHTING_D] = {1, {282.7, 1160}, {1, 1, 0, 0}, 0, true}};

/* log10 of (f0^2 - f^2)^2 + w^2 f^2 */
static const agn_tensor *log_resonance(agn_scope *s, const agn_tensor *square, double at,
                                       double width)
{
    const agn_tensor *off = ag_square(s, ag_add_c(s, square, -at * at));
    return ag_log10(s, ag_add(s, off, ag_mul_c(s, square, width * width)));
}

agn_status agn_audio_weighting(agn_tensor **out, const agn_tensor *x, int32_t curve)
{
    static const char op[] = "audio_weighting";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (curve < 0 || curve > AGN_AUDIO_WEIGHTING_D))
        st = agni_fail(AGN_EARG, "%s: curve %d for x %s is none of 0 to %d", op, curve,
                       AGNI_SHAPE(x), AGN_AUDIO_WEIGHTING_D);
    if (st)
        return st;
    const struct curve *c = curves + curve;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = ag_square(s, ag_cast(s, x, agni_audio_dtype(x->dtype)));
    const agn_tensor *y = ag_mul_c(s, ag_log10(s, f), 10 * c->half_order);
    double add = c->resonant ? -40 * log10(0.0083046305) : c->add + 40 * log10(12194.217);
    for (int k = 0; k < 4; k++)
        if (c->power[k]) {
            double p = c->pole[k];
            y = ag_sub(s, y, ag_mul_c(s, ag_log10(s, ag_add_c(s, f, p * p)), 10 * c->power[k]));
        }
    if (c->resonant)
        y = ag_add(
            s, y,
            ag_mul_c(s,
                     ag_sub(s, log_resonance(s, f, 1018.7, 1039.6),
                            log_resonance(s, f, 3136.5, 3424)),
                     10));
    return agni_return(op, s, out, ag_add_c(s, y, add));
}

agn_status agn_audio_perceptual_weighting(agn_tensor **out, const agn_tensor *x,
                                          const agn_tensor *frequencies, int32_t curve, double ref,
                                          double least, double range)
{
    static const char op[] = "audio_perceptual_weighting";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (st)
        return st;
    AGNI_NEED(op, frequencies);
    if (frequencies->ndim != 1 || frequencies->size != x->shape[x->ndim - 2])
        return agni_fail(AGN_ESHAPE, "%s: frequencies are %s, x %s; they are [bins]", op,
                         AGNI_SHAPE(frequencies), AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *heard = ag_expand_dims(s, ag_audio_weighting(s, frequencies, curve), -1);
    const agn_tensor *y = ag_audio_power_to_db(s, x, ref, least, range);
    return agni_return(op, s, out, ag_add(s, y, y && heard ? ag_cast(s, heard, y->dtype) : NULL));
}

/* ---- constant Q ----------------------------------------------------------------------------- */

agn_status agn_audio_cqt_frequencies(agn_tensor **out, agn_dtype dtype, int64_t n, double f_min,
                                     int32_t per_octave, double tuning)
{
    static const char op[] = "audio_cqt_frequencies";
    agn_status st = agni_audio_check_new(op, out, dtype);
    if (!st && (n < 1 || n > INT32_MAX || !(f_min > 0) || !isfinite(f_min) || per_octave < 1 ||
                per_octave > 4096 || !isfinite(tuning)))
        st = agni_fail(
            AGN_EARG,
            "%s: %lld bins from %g Hz, %d of an octave, %g higher; bins and frequencies are "
            "positive, "
            "4096 of an octave the most",
            op, (long long)n, f_min, per_octave, tuning);
    if (st)
        return st;
    double *v = agni_alloc((size_t)n * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)n * sizeof *v);
    for (int64_t k = 0; k < n; k++)
        v[k] = f_min * exp2(((double)k + tuning) / per_octave);
    st = agni_audio_make(out, dtype, 1, &n, v);
    agni_free(v);
    return st;
}

agn_status agn_audio_chroma_cqt(agn_tensor **out, const agn_tensor *x, double rate, int32_t classes,
                                const agn_audio_constant_q_options *opts)
{
    static const char op[] = "audio_chroma_cqt";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && agni_check_size(op, agn_audio_constant_q_options, opts))
        st = AGN_EARG;
    int32_t octave = st || !opts || !opts->bins_per_octave ? 12 : opts->bins_per_octave;
    double f_min = st || !opts || opts->f_min == 0 ? 440 * exp2(-45.0 / 12) : opts->f_min;
    if (!st && (classes < 1 || classes > octave || octave % classes))
        st = agni_fail(AGN_EARG, "%s: %d classes of %d bins of an octave; they are a divisor", op,
                       classes, octave);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = ag_audio_constant_q(s, x, rate, opts);
    if (!z)
        return agni_return(op, s, out, NULL);
    int64_t n = z->shape[z->ndim - 2], merge = octave / classes;
    double above = 12 * log2(f_min / 440) + 69; /* of C */
    int64_t turn = (int64_t)rint((above - 12 * floor(above / 12)) * classes / 12);
    agn_tensor *w = NULL;
    double *v = agni_zalloc((size_t)(classes * n) * sizeof *v);
    for (int64_t k = 0; v && k < n; k++)
        v[((k + merge / 2) / merge + turn) % classes * n + k] = 1;
    st = v ? agni_audio_make(&w, agni_audio_dtype(x->dtype), 2, (int64_t[]){classes, n}, v)
           : agni_nomem(op, (size_t)(classes * n) * sizeof *v);
    agni_free(v);
    const agn_tensor *f = agni_adopt_constant(s, st, w);
    return agni_return(op, s, out, over_norm(s, ag_matmul(s, f, ag_abs(s, z)), false));
}
