/* tensor/cpu/vmath/vmath_gamma.h - log gamma, its first and its second derivative on vectors: below 8
   rational functions, from 8 on Stirling's series (DLMF 5.11, 5.15). Within 2 ulp for positive numbers,
   next to the roots too; other arguments, and the ends of the range, go one by one
   (tensor/cpu/special/special.h). f32 goes through vectors of f64. */
#include "tensor/cpu/vmath/coef_gamma.h"

/* line z + c + a / (z + b) + rest */
AGNI_INLINE agni_vpair agni_near_form(vf64 z, double line, double c, double a, double b, vf64 rest)
{
    const agni_vpair d = agni_vsum(z, SPLAT(b));
    const vf64 r = 1.0 / d.hi, q = a * r;
    const vf64 low = FNMA(q, d.lo, agni_residual_f64(q, d.hi, SPLAT(a))) * r;
    const agni_vpair s = agni_vsum(z * line + c, q), t = agni_vsum(s.hi, rest);
    return (agni_vpair){t.hi, t.lo + (s.lo + low)};
}
#define NEAR_FORM(name, part, line) \
    agni_near_form(z, line, AGNI_##name##_C, AGNI_##name##_A, AGNI_##name##_B, \
                   POLY(part##_over, z) / POLY(part##_under, z))

/* With a = x - 1/2 it is a log x - x + log(2 pi)/2 + the series, log x and its product by a in two
   parts: their rounding would be magnified. */
AGNI_INLINE vf64 agni_lgamma_far(vf64 x, agni_vpair log)
{
    const agni_vpair p = agni_vtimes((agni_vpair){x - 0.5, {0}}, log);
    const vf64 s = p.hi - x, lost = (p.hi - s) - x, r = 1.0 / x;
    return s + (FMA(POLY(lgamma_far, r * r), r, SPLAT(0.91893853320467274178)) + (lost + p.lo));
}
/* Below 1/2 by gamma(x + 1) = x gamma(x) */
AGNI_INLINE vf64 agni_lgamma_lanes(vf64 x)
{
    const vi64 small = x < 0.5, far = x >= 8.0;
    agni_vpair y = {{0}, {0}}, log;
    if (ANY(~far)) {
        const vf64 z = AT_MOST(SELECT(small, x + 1.0, x), 8);
        const agni_vpair w = agni_vproduct(SELECT(small, x, z - 1.0), z - 2.0);
        y = agni_vtimes(w, NEAR_FORM(LGAMMA, lgamma, 0));
    }
    if (ANY(small | far)) {
        log = agni_log_pair(x, (vf64){0});
        y.hi = SELECT(small, y.hi - log.lo, y.hi);
        y.lo = SELECT(small, y.lo - log.hi, y.lo);
        return SELECT(far, agni_lgamma_far(x, log), y.hi + y.lo);
    }
    return y.hi + y.lo;
}

AGNI_INLINE vf64 agni_digamma_lanes(vf64 x)
{
    const vi64 far = x >= 8.0;
    vf64 y = {0};
    if (ANY(~far)) {
        const vf64 z = AT_MOST(x, 8);
        agni_vpair d = agni_vsum(z, SPLAT(-AGNI_DIGAMMA_ROOT));
        d.lo = d.lo - AGNI_DIGAMMA_ROOT_LOW;
        d = agni_vtimes(d, NEAR_FORM(DIGAMMA, digamma, 0));
        y = agni_vquotient(d, (agni_vpair){z, {0}});
    }
    if (ANY(far)) {
        const vf64 r = 1.0 / x, q = r * r, log = agni_log_parts_f64(x, (vf64){0}, 0);
        y = SELECT(far, log - FMA(q, POLY(digamma_far, q), r * 0.5), y);
    }
    return y;
}

AGNI_INLINE vf64 agni_trigamma_lanes(vf64 x)
{
    const vi64 far = x >= 8.0;
    vf64 y = {0};
    if (ANY(~far)) {
        const vf64 z = AT_MOST(x, 8);
        y = agni_vquotient(NEAR_FORM(TRIGAMMA, trigamma, 1), agni_vproduct(z, z));
    }
    if (ANY(far)) {
        const vf64 r = 1.0 / x, q = r * r;
        y = SELECT(far, r + FMA(r * q, POLY(trigamma_far, q), q * 0.5), y);
    }
    return y;
}
#undef NEAR_FORM
