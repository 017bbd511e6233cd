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

/* e^(x + lo) = (p + *plo) s1 s2, with s1 s2 a power of two in two factors, so that results
 * in the subnormal range round once at the end. x within the clamps of agni_vx_exp; plo is
 * the rounding error of p, for callers that go on computing. */
AGNI_INLINE VEC FN(agni_exp_parts)(VEC x, VEC lo, VEC *plo, VEC *s1, VEC *s2)
{
    const VEC t = FMA(x, SPLAT(PICK(0x1.71547652b82fep0, 0x1.715476p0)), SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC r = FNMA(n, SPLAT(K(LN2_2)), FNMA(n, SPLAT(K(LN2_1)), x)) + lo;
    const VEC y = FMA(r * r, POLY(exp, r), r), p = y + (REAL)1;
    const UVEC k = (UVEC)t + (UINT)(2 * BIAS), h = k >> 1;
    *plo = y - (p - (REAL)1);
    *s1 = (VEC)(h << MANT);
    *s2 = (VEC)((k - h) << MANT);
    return p;
}

AGNI_INLINE VEC FN(agni_vx_exp)(VEC x)
{
    const REAL top = PICK(710.0, 89.0), bottom = PICK(-746.0, -104.0);
    VEC s1, s2, p, plo;
    x = SELECT(x > top, SPLAT(top), x);
    x = SELECT(x < bottom, SPLAT(bottom), x);
    p = FN(agni_exp_parts)(x, (VEC){0}, &plo, &s1, &s2);
    return p * s1 * s2;
}

/* 2^n (c + r + (e^r - 1 - r)) with c = 1 - 2^-n: where c and r nearly cancel their sum is
 * exact, and for n = 0 it is r. */
AGNI_INLINE VEC FN(agni_vx_expm1)(VEC x)
{
    const REAL top = PICK(710.0, 89.0), bottom = PICK(-40.0, -20.0);
    const UVEC sign = FN(agni_sign)(x);
    x = SELECT(x > top, SPLAT(top), x);
    x = SELECT(x < bottom, SPLAT(bottom), x);
    const VEC t = FMA(x, SPLAT(PICK(0x1.71547652b82fep0, 0x1.715476p0)), SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC r = FNMA(n, SPLAT(K(LN2_2)), FNMA(n, SPLAT(K(LN2_1)), x));
    const UVEC k = (UVEC)t + (UINT)(2 * BIAS), h = k >> 1;
    const VEC inv = (VEC)(ONE_BITS - ((UVEC)t << MANT));
    const VEC c = SELECT(x > (REAL)64, SPLAT(1), (REAL)1 - inv);
    const VEC p = FMA(r * r, POLY(exp, r), r + c);
    const VEC y = p * (VEC)(h << MANT) * (VEC)((k - h) << MANT);
    return FN(agni_signed)(ABS(y), sign);
}

/* With a = n ln(2)/2 + z and h = tanh z, the addition theorem gives tanh a =
 * (A + B h)/(B + A h), A = 2^n - 1, B = 2^n + 1: one division. The same is 3/5 +
 * (16/5) h/(B + A h) for n = 2, and 1 - 2 (1 - h)/(B + A h): where these are used the
 * rounding errors of the quotient shrink in the sum. */
AGNI_INLINE VEC FN(agni_vx_tanh)(VEC x)
{
    const REAL top = PICK(20.0, 10.0); /* tanh rounds to 1 from 19.1 (9.02) on */
    VEC a = ABS(x);
    a = SELECT(a > top, SPLAT(top), a);
    const VEC t = FMA(a, SPLAT(PICK(0x1.71547652b82fep1, 0x1.715476p1)), SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC c2 = SPLAT(K(LN2_2) / 2), s = FNMA(n, SPLAT(K(LN2_1) / 2), a);
    const VEC z = FNMA(n, c2, s), zlo = FNMA(n, c2, s - z), w = z * z;
    const VEC h = z + FMA(z * w, POLY(tanh, w), zlo);
    const VEC e = (VEC)(((UVEC)t << MANT) + ONE_BITS);
    const VEC A = e - (REAL)1, B = e + (REAL)1;
    const IVEC large = n > (REAL)2, two = n == (REAL)2;
    const VEC num = SELECT(large, (h + h) - (REAL)2,
                           SELECT(two, h * PICK(3.2, 3.2), FMA(B, h, A)));
    const VEC base = SELECT(large, SPLAT(1), (VEC)(two & (IVEC)SPLAT(PICK(0.6, 0.6))));
    return FN(agni_signed)(num / FMA(A, h, B) + base, FN(agni_sign)(x));
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
    VEC s1, s2, p, plo;
    x = SELECT(x < bottom, SPLAT(bottom), x);
    p = FN(agni_exp_parts)(x, (VEC){0}, &plo, &s1, &s2);
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

/* The upper half of the bits of x: its square is exact. */
AGNI_INLINE VEC FN(agni_upper)(VEC x)
{
    return (VEC)((UVEC)x & ~(((UINT)1 << (MANT / 2 + 1)) - 1));
}

/* c - a b, exact or nearly so: fused, or with a and b split in halves (Dekker 1971). */
AGNI_INLINE VEC FN(agni_residual)(VEC a, VEC b, VEC c)
{
#if AGNI_HAS_FMA
    return FNMA(a, b, c);
#else
    const VEC ah = FN(agni_upper)(a), al = a - ah, bh = FN(agni_upper)(b), bl = b - bh;
    return (((c - ah * bh) - ah * bl) - al * bh) - al * bl;
#endif
}

/* g erfc(z + zlo) for z >= 0.5 or so, (z + zlo)^2 = q + qlo to twice the precision. g
 * goes in before the power of two: a large g rescues a small erfc from underflow. The
 * rounding errors of e^-q, of the polynomial's last sum, of 1 + 2z and of the quotient
 * are carried along, since six of them in a row would make 6 ulp. */
AGNI_INLINE VEC FN(agni_erfc_far)(VEC z, VEC zlo, VEC q, VEC qlo, VEC g)
{
    const REAL top = PICK(28.0, 11.0), bottom = PICK(-800.0, -115.0);
    const IVEC beyond = q > -bottom;
    VEC s1, s2, elo;
    z = SELECT(z > top, SPLAT(top), z);
    const VEC e = FN(agni_exp_parts)(SELECT(beyond, SPLAT(bottom), -q),
                                     SELECT(beyond, (VEC){0}, -qlo), &elo, &s1, &s2);
    const VEC t = (z - K(ERFCX_C)) / (z + K(ERFCX_C));
    const REAL c0 = FN(agni_c_erfcx)[0];
    const VEC tail = t * FN(agni_poly)(t, FN(agni_c_erfcx) + 1, PICKU(23, 10));
    const VEC r = tail + c0, rlo = tail - (r - c0);
    const VEC d = z + z + (REAL)1, dlo = (z + z) - (d - (REAL)1) + (zlo + zlo);
    const VEC num = FMA(r, e, FMA(rlo, e, elo * r)), inv = (REAL)1 / d;
    const VEC y = num * inv;
    const VEC rest = FNMA(y, dlo, FN(agni_residual)(y, d, num));
    return g * FMA(rest, inv, y) * s1 * s2;
}

/* erf(a) for 0 <= a <= 0.65 */
AGNI_INLINE VEC FN(agni_erf_near)(VEC a) { return FMA(a, POLY(erf, a * a), a); }

/* erfc(a) for a >= 0.65 */
AGNI_INLINE VEC FN(agni_erfc_abs)(VEC a)
{
    const VEC h = FN(agni_upper)(a);
    return FN(agni_erfc_far)(a, (VEC){0}, h * h, (a - h) * (a + h), SPLAT(1));
}

AGNI_INLINE VEC FN(agni_vx_erfc)(VEC x)
{
    const VEC a = ABS(x), near = FN(agni_erf_near)(a), far = FN(agni_erfc_abs)(a);
    const IVEC neg = x < (REAL)0, small = a < PICK(0.65, 0.65);
    const VEC y = SELECT(small, SELECT(neg, -near, near), far);
    return SELECT(neg & ~small, (REAL)2 - y, SELECT(small, (REAL)1 - y, y));
}

AGNI_INLINE VEC FN(agni_vx_erf)(VEC x)
{
    const VEC a = ABS(x), near = FN(agni_erf_near)(a);
    const VEC y = SELECT(a < PICK(0.65, 0.65), near, (REAL)1 - FN(agni_erfc_abs)(a));
    return FN(agni_signed)(y, FN(agni_sign)(x));
}

/* x Phi(x) = x erfc(-x/sqrt 2)/2. The exponent is x^2/2 of the argument itself: that of
 * the rounded x/sqrt 2 would be wrong by x^2 ulp. */
AGNI_INLINE VEC FN(agni_vx_gelu)(VEC x)
{
    const VEC a = ABS(x), h = FN(agni_upper)(a), hx = x * (REAL)0.5;
    const VEC root = SPLAT(PICK(0x1.6a09e667f3bcdp-1, 0x1.6a09e6p-1)), z = a * root;
    const REAL rootlo = PICK(-0x1.bdd3413b26456p-55, 0x1.9fcef4p-27);
    const VEC zlo = a * rootlo - FN(agni_residual)(a, root, z);
    const VEC q = h * h * (REAL)0.5, qlo = (a - h) * (a + h) * (REAL)0.5;
    const IVEC neg = x < (REAL)0;
    const REAL end = PICK(40.0, 16.0); /* keeps -inf times 0 away */
    const VEC g = SELECT(neg, SELECT(a > end, SPLAT(-end / 2), hx), SPLAT(0.5));
    const VEC far = FN(agni_erfc_far)(z, zlo, q, qlo, g);
    const VEC erf = FN(agni_signed)(FN(agni_erf_near)(z), FN(agni_sign)(x));
    const VEC near = hx * (erf + (REAL)1);
    return SELECT(z < PICK(0.65, 0.65), near, SELECT(neg, far, FNMA(x, far, x)));
}

AGNI_INLINE VEC FN(agni_vx_sqrt)(VEC x) { return FN(agni_sqrt)(x); }
AGNI_INLINE VEC FN(agni_vx_rsqrt)(VEC x) { return (REAL)1 / FN(agni_sqrt)(x); }
AGNI_INLINE VEC FN(agni_vx_recip)(VEC x) { return (REAL)1 / x; }
