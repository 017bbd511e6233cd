/* tensor/cpu/vmath/vmath_normal.h - the normal distribution function, its logarithm and its inverse on
   vectors, by erfcx (Schonfelder 1978), its asymptotic series (DLMF 7.12.1) and PPND16 (Wichura 1988, AS
   241). */

/* a / sqrt 2 and a^2 / 2 in two parts each: erfc would magnify their roundings by a^2 */
typedef struct agni_half_square {
    agni_vpair z, q;
} agni_half_square;
AGNI_INLINE agni_half_square agni_halve_square(vf64 a)
{
    const vf64 h = agni_upper_f64(a), root = SPLAT(0x1.6a09e667f3bcdp-1), z = a * root;
    const vf64 low = a * -0x1.bdd3413b26456p-55 - agni_residual_f64(a, root, z);
    return (agni_half_square){{z, low}, {h * h * 0.5, (a - h) * (a + h) * 0.5}};
}
/* Phi(-a), a >= 0.92 */
AGNI_INLINE vf64 agni_normal_tail(agni_half_square s)
{
    return agni_erfc_far_f64(s.z.hi, s.z.lo, s.q.hi, s.q.lo, SPLAT(0.5));
}

AGNI_INLINE vf64 agni_ndtr_lanes(vf64 x)
{
    const agni_half_square s = agni_halve_square(AT_MOST(ABS(x), 40));
    const vi64 neg = x < 0.0;
    const vf64 far = agni_normal_tail(s), erf = agni_with_sign_f64(agni_erf_near_f64(s.z.hi), x);
    return SELECT(s.z.hi < 0.65, FMA(erf, SPLAT(0.5), SPLAT(0.5)), SELECT(neg, far, 1.0 - far));
}

/* log Phi(x), below -1 as log(exp(z^2) erfc(z) / 2) - z^2 for z = -x / sqrt 2 */
AGNI_INLINE vf64 agni_log_ndtr_lanes(vf64 x)
{
    const vi64 low = x < -1.0, up = x > 0.0;
    vf64 y = {0};
    if (ANY(~low)) {
        const vf64 p = agni_ndtr_lanes(SELECT(up, -x, AT_LEAST(x, -1)));
        const vf64 u = SELECT(up, -p, p - 1.0);
        y = SELECT(up, agni_log1p_core_f64(u), agni_log_parts_f64(SELECT(up, SPLAT(1), p), (vf64){0}, 0));
    }
    if (ANY(low)) {
        const agni_half_square s = agni_halve_square(AT_MOST(AT_LEAST(-x, 1), 1e150));
        const vf64 z = s.z.hi, r = 1.0 / z, q = r * r * 0.5, c = AT_MOST(z, 28);
        const vf64 t = (c - AGNI_ERFCX_C_F64) / (c + AGNI_ERFCX_C_F64);
        const vf64 near = POLY(erfcx, t) / FMA(c, SPLAT(4), SPLAT(2));
        vf64 series = FNMA(q, SPLAT(9), SPLAT(1));
        series = FNMA(series * q, SPLAT(7), SPLAT(1));
        series = FNMA(series * q, SPLAT(5), SPLAT(1));
        series = FNMA(series * q, SPLAT(3), SPLAT(1));
        series = FNMA(series, q, SPLAT(1));
        const vf64 e = SELECT(z > 28.0, series * r * 0.28209479177387814347, near);
        y = SELECT(low, (agni_log_parts_f64(e, (vf64){0}, 0) - s.q.lo) - s.q.hi, y);
    }
    return -ABS(y);
}

#define AGNI_AS241(name) \
    static const double agni_c_as241_##name##_f64[8] = {AGNI_AS241_##name};
AGNI_AS241(A)
AGNI_AS241(B)
AGNI_AS241(C)
AGNI_AS241(D)
#undef AGNI_AS241

/* the quantile at 1/2 + q, part the smaller one of that and 1/2 - q; sqrt(-log part) <= 5 */
AGNI_INLINE vf64 agni_quantile_lanes(vf64 q, vf64 part)
{
    const vi64 tail = ABS(q) > 0.425;
    const vf64 w = FNMA(q, q, SPLAT(0.180625));
    vf64 y = q * (POLY(as241_A, w) / POLY(as241_B, w));
    if (ANY(tail)) {
        part = AT_MOST(part, 0.075);
        const vf64 r = agni_sqrt_f64(-agni_log_parts_f64(part, (vf64){0}, 0)) - 1.6;
        y = SELECT(tail, agni_with_sign_f64(POLY(as241_C, r) / POLY(as241_D, r), q), y);
    }
    return y;
}
AGNI_INLINE vf64 agni_ndtri_lanes(vf64 p)
{
    return agni_quantile_lanes(p - 0.5, SELECT(p < 0.5, p, 1.0 - p));
}
AGNI_INLINE vf64 agni_erfinv_lanes(vf64 x)
{
    return agni_quantile_lanes(x * 0.5, (1.0 - ABS(x)) * 0.5) * 0x1.6a09e667f3bcdp-1;
}
