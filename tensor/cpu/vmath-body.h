/* exp, log and their kin for the element type bound by real.h; see vmath.h. */

/* adding 1.5 2^MANT leaves the nearest integer in the low bits */
#undef SHIFT
#undef ONE_BITS
#undef FINITE_MAX
#undef NORMAL_MIN
#define SHIFT PICK(0x1.8p52, 0x1.8p23)
#define ONE_BITS ((UINT)BIAS << MANT)
#define FINITE_MAX PICK(0x1.fffffffffffffp1023, 0x1.fffffep127)
#define NORMAL_MIN PICK(0x1p-1022, 0x1p-126)

/* e^(x + lo) = p s1 s2, with s1 s2 a power of two in two factors, so that results in the
 * subnormal range round once at the end. x within the clamps of agni_vx_exp. */
AGNI_INLINE VEC FN(agni_exp_parts)(VEC x, VEC lo, VEC *s1, VEC *s2)
{
    const VEC t = FMA(x, SPLAT(PICK(0x1.71547652b82fep0, 0x1.715476p0)), SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC r = FNMA(n, SPLAT(K(LN2_2)), FNMA(n, SPLAT(K(LN2_1)), x)) + lo;
    const VEC p = FMA(r * r, POLY(exp, r), r) + (REAL)1;
    const UVEC k = (UVEC)t + (UINT)(2 * BIAS), h = k >> 1;
    *s1 = (VEC)(h << MANT);
    *s2 = (VEC)((k - h) << MANT);
    return p;
}

AGNI_INLINE VEC FN(agni_vx_exp)(VEC x)
{
    const REAL top = PICK(710.0, 89.0), bottom = PICK(-746.0, -104.0);
    VEC s1, s2, p;
    x = SELECT(x > top, SPLAT(top), x);
    x = SELECT(x < bottom, SPLAT(bottom), x);
    p = FN(agni_exp_parts)(x, (VEC){0}, &s1, &s2);
    return p * s1 * s2;
}

/* 2^n (p + 1 - 2^-n) with p = e^r - 1: nothing cancels for n = 0, and little else. */
AGNI_INLINE VEC FN(agni_vx_expm1)(VEC x)
{
    const REAL top = PICK(710.0, 89.0), bottom = PICK(-40.0, -20.0);
    const UVEC sign = FN(agni_sign)(x);
    x = SELECT(x > top, SPLAT(top), x);
    x = SELECT(x < bottom, SPLAT(bottom), x);
    const VEC t = FMA(x, SPLAT(PICK(0x1.71547652b82fep0, 0x1.715476p0)), SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC r = FNMA(n, SPLAT(K(LN2_2)), FNMA(n, SPLAT(K(LN2_1)), x));
    const VEC p = FMA(r * r, POLY(exp, r), r);
    const UVEC k = (UVEC)t + (UINT)(2 * BIAS), h = k >> 1;
    const VEC inv = (VEC)(ONE_BITS - ((UVEC)t << MANT));
    const VEC c = SELECT(x > (REAL)64, SPLAT(1), (REAL)1 - inv);
    const VEC y = (p + c) * (VEC)(h << MANT) * (VEC)((k - h) << MANT);
    return FN(agni_signed)(ABS(y), sign);
}

/* With a = n ln(2)/2 + z and h = tanh z, the addition theorem gives tanh a =
 * (A + B h)/(B + A h), A = 2^n - 1, B = 2^n + 1: one division, no cancellation. */
AGNI_INLINE VEC FN(agni_vx_tanh)(VEC x)
{
    const REAL top = PICK(20.0, 10.0); /* tanh rounds to 1 from 19.1 (9.02) on */
    VEC a = ABS(x);
    a = SELECT(a > top, SPLAT(top), a);
    const VEC t = FMA(a, SPLAT(PICK(0x1.71547652b82fep1, 0x1.715476p1)), SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC z = FNMA(n, SPLAT(K(LN2_2) / 2), FNMA(n, SPLAT(K(LN2_1) / 2), a));
    const VEC w = z * z;
    const VEC h = FMA(z * w, POLY(tanh, w), z);
    const VEC e = (VEC)(((UVEC)t << MANT) + ONE_BITS);
    const VEC A = e - (REAL)1, B = e + (REAL)1;
    return FN(agni_signed)(FMA(B, h, A) / FMA(A, h, B), FN(agni_sign)(x));
}

/* log(u) + c for normal u > 0 and small c: u = 2^k m, f = m - 1, s = f/(2 + f),
 * log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)). */
AGNI_INLINE VEC FN(agni_log_parts)(VEC u, VEC c, REAL k0)
{
    const UINT half = PICKU(0x3fe6a09e667f3bcdu, 0x3f3504f3u); /* of sqrt(1/2) */
    const UVEC kb = ((UVEC)u - half + ONE_BITS) >> MANT;
    const VEC f = (VEC)((UVEC)u - (kb << MANT) + ONE_BITS) - (REAL)1;
    const UINT big = (UINT)(BIAS + MANT) << MANT;
    const VEC k = (VEC)(kb | big) - (PICK(0x1p52, 0x1p23) + (REAL)BIAS - k0);
    const VEC s = f / (f + (REAL)2), w = s * s;
    const VEC hf = f * f * (REAL)0.5;
    const VEC R = w * POLY(log, w);
    const VEC low = FMA(k, SPLAT(K(LN2_2)), c);
    return FMA(k, SPLAT(K(LN2_1)), f - (hf - FMA(s, hf + R, low)));
}

AGNI_INLINE VEC FN(agni_log_special)(VEC x, VEC y)
{
    y = SELECT(x == (REAL)0, SPLAT(-INFINITY), y);
    y = SELECT(x > FINITE_MAX, x, y);
    return SELECT((x < (REAL)0) | (x != x), SPLAT(NAN), y);
}

AGNI_INLINE VEC FN(agni_vx_log)(VEC x)
{
    VEC y = FN(agni_log_parts)(x, (VEC){0}, 0);
    const IVEC odd = ~((x >= NORMAL_MIN) & (x <= FINITE_MAX));
    if (ANY(odd)) {
        const REAL up = PICK(0x1p54, 0x1p25), k0 = PICK(-54.0, -25.0);
        const VEC small = FN(agni_log_parts)(x * up, (VEC){0}, k0);
        y = FN(agni_log_special)(x, SELECT(x < NORMAL_MIN, small, y));
    }
    return y;
}

/* log(1 + x) for x > -1 finite: the rounding error of 1 + x comes back as c. */
AGNI_INLINE VEC FN(agni_log1p_core)(VEC x)
{
    const VEC u = x + (REAL)1, b = u - (REAL)1;
    const VEC c = ((REAL)1 - (u - b)) + (x - b);
    return FN(agni_log_parts)(u, c / u, 0);
}

AGNI_INLINE VEC FN(agni_vx_log1p)(VEC x)
{
    VEC y = FN(agni_log1p_core)(x);
    const IVEC odd = ~((x > (REAL)-1) & (x <= FINITE_MAX) & (x != (REAL)0));
    if (ANY(odd)) {
        y = SELECT(odd, FN(agni_log_special)(x + (REAL)1, y), y);
        y = SELECT(x == (REAL)0, x, y);
    }
    return y;
}

AGNI_INLINE VEC FN(agni_exp_negative)(VEC x)
{
    const REAL bottom = PICK(-746.0, -104.0);
    VEC s1, s2, p;
    x = SELECT(x < bottom, SPLAT(bottom), x);
    p = FN(agni_exp_parts)(x, (VEC){0}, &s1, &s2);
    return p * s1 * s2;
}

AGNI_INLINE VEC FN(agni_vx_sigmoid)(VEC x)
{
    const VEC e = FN(agni_exp_negative)(-ABS(x));
    return SELECT(x < (REAL)0, e, SPLAT(1)) / (e + (REAL)1);
}

AGNI_INLINE VEC FN(agni_vx_softplus)(VEC x)
{
    const VEC l = FN(agni_log1p_core)(FN(agni_exp_negative)(-ABS(x)));
    return SELECT(x > (REAL)0, x, (VEC){0}) + l;
}

/* g erfc(z) for z >= 0, where z^2 = q + qlo to twice the precision; the factor g goes in
 * before the power of two, so that a large g rescues a small erfc from underflow. */
AGNI_INLINE VEC FN(agni_erfc_parts)(VEC z, VEC q, VEC qlo, VEC g)
{
    const REAL top = PICK(28.0, 11.0), bottom = PICK(-800.0, -115.0);
    VEC s1, s2;
    const VEC x = SELECT(q > -bottom, SPLAT(bottom), -q);
    z = SELECT(z > top, SPLAT(top), z);
    const VEC t = (z - K(ERFCX_C)) / (z + K(ERFCX_C));
    const VEC lo = SELECT(q > -bottom, (VEC){0}, -qlo);
    const VEC p = FN(agni_exp_parts)(x, lo, &s1, &s2);
    const VEC r = POLY(erfcx, t) / (z + z + (REAL)1);
    return g * r * p * s1 * s2;
}

/* The upper half of the bits of x: its square is exact. */
AGNI_INLINE VEC FN(agni_upper)(VEC x)
{
    return (VEC)((UVEC)x & ~(((UINT)1 << (MANT / 2 + 1)) - 1));
}

AGNI_INLINE VEC FN(agni_erfc_abs)(VEC z)
{
    const VEC h = FN(agni_upper)(z);
    return FN(agni_erfc_parts)(z, h * h, (z - h) * (z + h), SPLAT(1));
}

AGNI_INLINE VEC FN(agni_vx_erfc)(VEC x)
{
    const VEC y = FN(agni_erfc_abs)(ABS(x));
    return SELECT(x < (REAL)0, (REAL)2 - y, y);
}

AGNI_INLINE VEC FN(agni_vx_erf)(VEC x)
{
    const VEC a = ABS(x), w = a * a;
    const VEC near = FMA(a, POLY(erf, w), a);
    const VEC y = SELECT(a < PICK(0.65, 0.65), near, (REAL)1 - FN(agni_erfc_abs)(a));
    return FN(agni_signed)(y, FN(agni_sign)(x));
}

/* x Phi(x) = x erfc(-x/sqrt 2)/2. The exponent is x^2/2 of the argument itself: that of
 * the rounded x/sqrt 2 would be wrong by x^2 ulp. */
AGNI_INLINE VEC FN(agni_vx_gelu)(VEC x)
{
    const VEC a = ABS(x), h = FN(agni_upper)(a);
    const VEC z = a * PICK(0x1.6a09e667f3bcdp-1, 0x1.6a09e6p-1);
    const VEC q = h * h * (REAL)0.5, qlo = (a - h) * (a + h) * (REAL)0.5;
    const IVEC neg = x < (REAL)0;
    const REAL far = PICK(40.0, 16.0); /* keeps -inf times 0 away */
    const VEC g = SELECT(a > far, SPLAT(far), a) * (REAL)0.5;
    const VEC e = FN(agni_erfc_parts)(z, q, qlo, SELECT(neg, -g, SPLAT(0.5)));
    return SELECT(neg, e, x * ((REAL)1 - e));
}

AGNI_INLINE VEC FN(agni_vx_sqrt)(VEC x) { return FN(agni_sqrt)(x); }
AGNI_INLINE VEC FN(agni_vx_rsqrt)(VEC x) { return (REAL)1 / FN(agni_sqrt)(x); }
AGNI_INLINE VEC FN(agni_vx_recip)(VEC x) { return (REAL)1 / x; }
