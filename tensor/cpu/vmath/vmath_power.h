/* tensor/cpu/vmath/vmath_power.h - powers on vectors, x^y = exp(y log x), the logarithm to 68
   bits in two parts (Muller 2016, chapter 11), by the series of atanh alone: with a table, each lane
   would fetch from memory. */
#include "tensor/cpu/vmath/coef_power.h"

/* log x, x > 0 normal: of x = 2^k m, s = (m - 1)/(m + 1), k log 2 + 2 s + s^3 (2/3 + s^2 (2/5 ...)) */
AGNI_INLINE agni_vpair agni_log_wide(vf64 x)
{
    const vf64 third = SPLAT(AGNI_TWO_THIRDS), fifth = SPLAT(AGNI_TWO_FIFTHS);
    vf64 k;
    const vf64 f = agni_log_split_f64(x, 0, &k), d = f + 2.0, r = 1.0 / d, q = f * r;
    const vf64 off = FNMA(q, f - (d - 2.0), agni_residual_f64(q, d, f));
    const agni_vpair s = {q, off * r}, w = agni_vtimes(s, s);
    const vf64 t = w.hi * POLY(log_far, w.hi);
    const vf64 u = fifth + t;
    agni_vpair p = agni_vtimes(w, (agni_vpair){u, (t - (u - fifth)) + AGNI_TWO_FIFTHS_LOW});
    const vf64 v = third + p.hi;
    p = (agni_vpair){v, (p.hi - (v - third)) + (p.lo + AGNI_TWO_THIRDS_LOW)};
    p = agni_vtimes(s, agni_vtimes(w, p));
    const vf64 twice = q + q, log_m = twice + p.hi;
    const vf64 low = (p.hi - (log_m - twice)) + (p.lo + 2.0 * s.lo);
    const vf64 log_k = k * AGNI_LN2_1_F64, log = log_k + log_m; /* the product is exact */
    return (agni_vpair){log, (log_m - (log - log_k)) + FMA(k, SPLAT(AGNI_LN2_2_F64), low)};
}

/* exp(p), what is cut off of r = p - n log 2 and of 1 + r carried along */
AGNI_INLINE vf64 agni_exp_pair(agni_vpair p)
{
    const vf64 x = AT_LEAST(AT_MOST(p.hi, EXP_TOP), EXP_BOTTOM);
    const vf64 low = SELECT(x == p.hi, p.lo, (vf64){0});
    const vf64 v = FMA(x, SPLAT(0x1.71547652b82fep0), SPLAT(SHIFT)), n = v - SHIFT;
    const vf64 h = FNMA(n, SPLAT(AGNI_LN2_1_F64), x), t = FNMA(n, SPLAT(AGNI_LN2_2_F64), low);
    const vf64 r = h + t;
    const vf64 far = FMA(r * r, POLY(exp, r), t - (r - h)), y = r + 1.0;
    return agni_scale_f64(y + ((r - (y - 1.0)) + far), (vu64)v);
}

/* x^y of |x|^y, x < 0: that for even y, its opposite for odd y, NaN between whole numbers */
AGNI_INLINE vf64 agni_power_of_negative(vf64 y, vf64 power)
{
    const vf64 half = 0.5 * y;
    const vf64 whole = SELECT(agni_vx_rint_f64(half) != half, -power, power);
    return SELECT(agni_vx_rint_f64(y) != y, SPLAT(NAN), whole);
}

AGNI_INLINE vf64 agni_pow_lanes(vf64 x, vf64 y)
{
    const agni_vpair log = agni_log_wide(x);
    agni_vpair p = agni_vproduct(y, log.hi);
    p.lo = FMA(y, log.lo, p.lo);
    return agni_exp_pair(p);
}
/* to 2^-43 or better, which is enough for f32 */
AGNI_INLINE vf64 agni_pow_narrow_lanes(vf64 x, vf64 y)
{
    return agni_vx_exp_f64(y * agni_log_parts_f64(x, (vf64){0}, 0));
}

/* C99's special values are the C library's. */
AGNI_INLINE vf64 agni_vx_pow_by(vf64 x, vf64 y, vf64 (*f)(vf64, vf64))
{
    const vf64 a = ABS(x), one = SPLAT(1);
    const vi64 odd = ~((a >= NORMAL_MIN) & (a <= FINITE_MAX) & (ABS(y) <= 1e300));
    vf64 power = f(SELECT(odd, one, a), SELECT(odd, one, y));
    const vi64 negative = x < 0.0;
    if (ANY(negative))
        power = SELECT(negative, agni_power_of_negative(y, power), power);
    if (ANY(odd))
        for (int l = 0; l < LANES; l++)
            if (odd[l])
                power[l] = pow(x[l], y[l]);
    return power;
}

/* log x and its square, rounded once, of what agni_log_wide takes */
AGNI_INLINE vf64 agni_log_once(vf64 x)
{
    const vi64 odd = ~((x >= NORMAL_MIN) & (x <= FINITE_MAX));
    const agni_vpair l = agni_log_wide(SELECT(odd, SPLAT(1), x));
    return SELECT(odd, agni_vx_log_f64(x), l.hi + l.lo);
}
AGNI_INLINE vf64 agni_log_squared(vf64 x)
{
    const vi64 odd = ~((x >= NORMAL_MIN) & (x <= FINITE_MAX));
    const agni_vpair l = agni_log_wide(SELECT(odd, SPLAT(1), x)), q = agni_vtimes(l, l);
    const vf64 far = agni_vx_log_f64(x);
    return SELECT(odd, far * far, q.hi + q.lo);
}
AGNI_INLINE vf64 agni_log_squared_narrow(vf64 x)
{
    const vf64 l = agni_vx_log_f64(x);
    return l * l;
}
#define AGNI_POWERS(name, by, log_of, square_of) \
    AGNI_INLINE vf64 agni_vx_pow##name(vf64 x, vf64 y) \
    { \
        return agni_vx_pow_by(x, y, by); \
    } \
    AGNI_INLINE vf64 agni_vx_pow_log##name(vf64 x, vf64 y) \
    { \
        return agni_mulz_f64(agni_vx_pow_by(x, y, by), log_of(x)); \
    } \
    AGNI_INLINE vf64 agni_vx_pow_log2##name(vf64 x, vf64 y) \
    { \
        return agni_mulz_f64(agni_vx_pow_by(x, y, by), square_of(x)); \
    }
AGNI_POWERS(, agni_pow_lanes, agni_log_once, agni_log_squared)
AGNI_POWERS(_narrow, agni_pow_narrow_lanes, agni_vx_log_f64, agni_log_squared_narrow)
