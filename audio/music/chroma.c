/* audio/music/chroma.c - energy of pitch classes (Ellis 2007), their place in the tonal space of
   fifths and thirds (Harte, Sandler & Gasser 2006), pitches as numbers, and how loud the ear hears
   a frequency (IEC 61672). */
#include "audio/audio.h"

#include <agnesi/ag.h>
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

agn_status agn_audio_weighting(agn_tensor **out, const agn_tensor *x, int32_t curve)
{
    static const char op[] = "audio_weighting";
    /* poles in Hz: gain in dB is 20 log10 of f^order over the product of their powers, and a
       constant */
    static const struct {
        int order;
        double pole[4];
        int power[4];
        double add;
    } curves[] = {
        [AGN_AUDIO_WEIGHTING_A] = {4,
                                   {12194.217, 20.598997, 107.65265, 737.86223},
                                   {2, 2, 1, 1},
                                   2},
        [AGN_AUDIO_WEIGHTING_B] = {3, {12194.217, 20.598997, 158.48932}, {2, 2, 1, 0}, 0.17},
        [AGN_AUDIO_WEIGHTING_C] = {2, {12194.217, 20.598997}, {2, 2, 0, 0}, 0.062}};
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (curve < 0 || curve > AGN_AUDIO_WEIGHTING_C))
        st = agni_fail(AGN_EARG, "%s: curve %d for x %s is none of 0, 1, 2", op, curve,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = ag_square(s, ag_cast(s, x, agni_audio_dtype(x->dtype)));
    const agn_tensor *y = ag_mul_c(s, ag_log10(s, f), 10 * curves[curve].order);
    double add = curves[curve].add + 40 * log10(12194.217);
    for (int k = 0; k < 4; k++)
        if (curves[curve].power[k]) {
            double p = curves[curve].pole[k];
            y = ag_sub(
                s, y, ag_mul_c(s, ag_log10(s, ag_add_c(s, f, p * p)), 10 * curves[curve].power[k]));
        }
    return agni_return(op, s, out, ag_add_c(s, y, add));
}
