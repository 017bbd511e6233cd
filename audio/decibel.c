/* audio/decibel.c - powers and amplitudes as decibels, and companding (ITU-T G.711). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <math.h>

/* factor log10(max(x, floor) / max(ref, floor)), not below its maximum less range */
static agn_status to_decibel(agn_tensor **out, const char *op, const agn_tensor *x, double factor,
                             double ref, double least, double range)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (!(ref > 0) || !(least > 0) || !isfinite(ref) || !isfinite(least) || !(range >= 0))
        return agni_fail(AGN_EARG,
                         "%s: ref is %g, the least %g, the range %g; the first two are positive, "
                         "the range is not negative",
                         op, ref, least, range);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = ag_mul_c(s, ag_log(s, ag_maximum_c(s, y, least)), factor / log(10));
    double level = factor * log10(ref > least ? ref : least);
    y = level == 0 ? y : ag_sub_c(s, y, level);
    if (range > 0 && y && y->size) {
        int32_t axes[] = {-2, -1};
        int n = x->ndim < 2 ? x->ndim : 2;
        y = ag_maximum(s, y, ag_sub_c(s, ag_max(s, y, axes + 2 - n, n, true), range));
    }
    return agni_return(op, s, out, y);
}

agn_status agn_audio_power_to_db(agn_tensor **out, const agn_tensor *x, double ref, double least,
                                 double range)
{
    return to_decibel(out, "audio_power_to_db", x, 10, ref, least, range);
}
agn_status agn_audio_amplitude_to_db(agn_tensor **out, const agn_tensor *x, double ref,
                                     double least, double range)
{
    return to_decibel(out, "audio_amplitude_to_db", x, 20, ref, least, range);
}

static agn_status from_decibel(agn_tensor **out, const char *op, const agn_tensor *x, double factor,
                               double ref)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (!(ref > 0) || !isfinite(ref))
        return agni_fail(AGN_EARG, "%s: ref is %g for x %s; it is positive", op, ref,
                         AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    return agni_return(op, s, out, ag_mul_c(s, ag_exp(s, ag_mul_c(s, y, log(10) / factor)), ref));
}

agn_status agn_audio_db_to_power(agn_tensor **out, const agn_tensor *x, double ref)
{
    return from_decibel(out, "audio_db_to_power", x, 10, ref);
}
agn_status agn_audio_db_to_amplitude(agn_tensor **out, const agn_tensor *x, double ref)
{
    return from_decibel(out, "audio_db_to_amplitude", x, 20, ref);
}

agn_status agn_audio_mu_law_encode(agn_tensor **out, const agn_tensor *x, int32_t levels)
{
    static const char op[] = "audio_mu_law_encode";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (levels < 2)
        return agni_fail(AGN_EARG, "%s: %d levels for x %s; there are two at least", op, levels,
                         AGNI_SHAPE(x));
    double mu = levels - 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    const agn_tensor *c = ag_mul(s, ag_sign(s, y), ag_log1p(s, ag_mul_c(s, ag_abs(s, y), mu)));
    c = ag_add_c(s, ag_mul_c(s, ag_add_c(s, ag_div_c(s, c, log1p(mu)), 1), mu / 2), 0.5);
    return agni_return(op, s, out, ag_cast(s, ag_floor(s, ag_clip_c(s, c, 0, mu)), AGN_I64));
}

agn_status agn_audio_mu_law_decode(agn_tensor **out, const agn_tensor *x, int32_t levels)
{
    static const char op[] = "audio_mu_law_decode";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (levels < 2)
        return agni_fail(AGN_EARG, "%s: %d levels for x %s; there are two at least", op, levels,
                         AGNI_SHAPE(x));
    double mu = levels - 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = ag_sub_c(s, ag_mul_c(s, y, 2 / mu), 1);
    y = ag_mul(s, ag_sign(s, y),
               ag_div_c(s, ag_expm1(s, ag_mul_c(s, ag_abs(s, y), log1p(mu))), mu));
    return agni_return(op, s, out, y);
}
