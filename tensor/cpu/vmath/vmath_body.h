/* exp, log and their kin for the element type bound by real.h; see vmath.h. */

/* p = 0 .. P-1, unrolled */
#undef EACH
#define EACH(P) AGNI_UNROLL for (int p = 0; p < (P); p++)
/* adding 1.5 2^MANT leaves the nearest integer in the low bits */
#undef SHIFT
#undef ONE_BITS
#undef FINITE_MAX
#undef NORMAL_MIN
#define SHIFT PICK(0x1.8p52, 0x1.8p23)
#define ONE_BITS ((UINT)BIAS << MANT)
#define FINITE_MAX PICK(0x1.fffffffffffffp1023, 0x1.fffffep127)
#define NORMAL_MIN PICK(0x1p-1022, 0x1p-126)

/* The largest argument that matters to e^x, and the smallest */
#define EXP_TOP PICK(710.0, 89.0)
#define EXP_BOTTOM PICK(-746.0, -104.0)

/* x = n ln 2 + r; *t holds n in its low bits */
AGNI_INLINE VEC FN(agni_exp_reduce)(VEC x, UVEC *t)
{
    const VEC v = FMA(x, SPLAT(PICK(0x1.71547652b82fep0, 0x1.715476p0)), SPLAT(SHIFT));
    const VEC n = v - SHIFT;
    *t = (UVEC)v;
    return FNMA(n, SPLAT(K(LN2_2)), FNMA(n, SPLAT(K(LN2_1)), x));
}

/* y 2^n for the t of agni_exp_reduce; where no instruction does it in two steps, so that a
 * result in the subnormal range rounds once, at the end */
#ifdef AGNI_SCALES
AGNI_INLINE VEC FN(agni_scale)(VEC y, UVEC t)
{
    return FN(agni_times_power)(y, (VEC)t - SHIFT);
}
#else
AGNI_INLINE VEC FN(agni_scale)(VEC y, UVEC t)
{
    const UVEC k = t + (UINT)(2 * BIAS), h = k >> 1;
    return y * (VEC)(h << MANT) * (VEC)((k - h) << MANT);
}
#endif

AGNI_INLINE VEC FN(agni_exp_bounded)(VEC x)
{
    UVEC t;
    const VEC r = FN(agni_exp_reduce)(x, &t);
    return FN(agni_scale)(FMA(r * r, POLY(exp, r), r) + (REAL)1, t);
}

AGNI_INLINE VEC FN(agni_vx_exp)(VEC x)
{
    return FN(agni_exp_bounded)(AT_LEAST(AT_MOST(x, EXP_TOP), EXP_BOTTOM));
}
AGNI_INLINE void FN(agni_exp_group)(REAL *y, const REAL *x, int P)
{
    VEC a[4];
    UVEC t[4];
    EACH(P) a[p] = AT_LEAST(AT_MOST(LOAD(x + p * LANES), EXP_TOP), EXP_BOTTOM);
    EACH(P) a[p] = FN(agni_exp_reduce)(a[p], &t[p]);
    EACH(P) a[p] = FMA(a[p] * a[p], POLY(exp, a[p]), a[p]) + (REAL)1;
    EACH(P) STORE(y + p * LANES, FN(agni_scale)(a[p], t[p]));
}

/* 2^n (c + r + (e^r - 1 - r)) with c = 1 - 2^-n: where c and r nearly cancel their
 * sum is exact, and for n = 0 it is r. */
AGNI_INLINE VEC FN(agni_vx_expm1)(VEC x)
{
    const UVEC sign = FN(agni_sign)(x);
    UVEC t;
    x = AT_LEAST(AT_MOST(x, EXP_TOP), PICK(-40.0, -20.0));
    const VEC r = FN(agni_exp_reduce)(x, &t);
    const VEC inv = (VEC)(ONE_BITS - (t << MANT));
    const VEC c = SELECT(x > (REAL)64, SPLAT(1), (REAL)1 - inv);
    const VEC y = FN(agni_scale)(FMA(r * r, POLY(exp, r), r + c), t);
    return FN(agni_signed)(ABS(y), sign);
}

/* a = n ln(2)/2 + z + lo for 0 <= n < 64. Fused, the first difference is exact but for its last
   bit. */
#if AGNI_HAS_FMA
AGNI_INLINE VEC FN(agni_tanh_reduce)(VEC a, VEC n, VEC *lo)
{
    *lo = n * (-K(LN2_FUSED_2) / 2);
    return FMA(n, SPLAT(-K(LN2_FUSED_1) / 2), a);
}
#else
AGNI_INLINE VEC FN(agni_tanh_reduce)(VEC a, VEC n, VEC *lo)
{
    const VEC c2 = SPLAT(K(LN2_2) / 2), h = FNMA(n, SPLAT(K(LN2_1) / 2), a), z = FNMA(n, c2, h);
    *lo = FNMA(n, c2, h - z);
    return z;
}
#endif

/* With a = n ln(2)/2 + z and h = tanh z, the addition theorem gives tanh a = (A + B
 * h)/(B + A h), A = 2^n - 1, B = 2^n + 1: one division. The same is 1 - 2 (1 - h)/(B
 * + A h), better where tanh a > 1/2, since the sum shrinks the errors of the
 * quotient; the offset 0.09 makes n = 2 begin there. */
/* The commonest activation, so P vectors go through each step together: the
 * dependent steps of one alone would leave the multipliers waiting. Horner's rule
 * then costs least. Of a NaN all that follows is that NaN, but for its sign. */
AGNI_INLINE void FN(agni_tanh_group)(REAL *y, const REAL *x, int P)
{
    enum { MOST = 4, TERMS = sizeof FN(agni_c_tanh) / sizeof(REAL) };
    const VEC rate = SPLAT(PICK(0x1.71547652b82fep1, 0x1.715476p1)); /* 2/ln 2 */
    const IVEC two = (IVEC)SPLAT(SHIFT + (REAL)2);
    const REAL *c = FN(agni_c_tanh);
    VEC a[MOST], t[MOST], z[MOST], lo[MOST], w[MOST], h[MOST], A[MOST], B[MOST];
    /* tanh rounds to 1 from 19.1 (9.02) on */
    EACH(P) a[p] = AT_MOST(ABS(LOAD(x + p * LANES)), PICK(20.0, 10.0));
    EACH(P) t[p] = FMA(a[p], rate, SPLAT(PICK(-0.09, -0.09))) + SHIFT;
    EACH(P) z[p] = FN(agni_tanh_reduce)(a[p], t[p] - SHIFT, &lo[p]);
    EACH(P) w[p] = z[p] * z[p];
    EACH(P) h[p] = SPLAT(c[TERMS - 1]);
    AGNI_UNROLL
    for (int k = TERMS - 2; k >= 0; k--)
        EACH(P) h[p] = FMA(h[p], w[p], SPLAT(c[k]));
    EACH(P) h[p] = z[p] + FMA(z[p] * w[p], h[p], lo[p]);
    EACH(P) B[p] = (VEC)(((UVEC)t[p] << MANT) + ONE_BITS);
    EACH(P) A[p] = B[p] - (REAL)1;
    EACH(P) B[p] = B[p] + (REAL)1;
    EACH(P) a[p] = FMA(B[p], h[p], A[p]);
    EACH(P) B[p] = FMA(A[p], h[p], B[p]);
    EACH(P)
    {
        const IVEC few = (IVEC)t[p] - two; /* below 0 where n < 2 */
        const IVEC small = AGNI_SELECTS_BY_SIGN ? few : few < 0;
        const VEC q = SELECT(small, a[p], (h[p] + h[p]) - (REAL)2) / B[p];
        STORE(y + p * LANES,
              FN(agni_with_sign)(SELECT(small, q, q + (REAL)1), LOAD(x + p * LANES)));
    }
}

AGNI_INLINE VEC FN(agni_vx_tanh)(VEC x)
{
    REAL t[LANES];
    STORE(t, x);
    FN(agni_tanh_group)(t, t, 1);
    return LOAD(t);
}

/* m - 1 and k + k0 of u = 2^k m, normal and > 0, m between the roots of 1/2 and 2 */
AGNI_INLINE VEC FN(agni_log_split)(VEC u, REAL k0, VEC *exponent)
{
    const UINT half = PICKU(0x3fe6a09e667f3bcdu, 0x3f3504f3u); /* of sqrt(1/2) */
    const UVEC kb = ((UVEC)u - half + ONE_BITS) >> MANT;
    const UINT big = (UINT)(BIAS + MANT) << MANT;
    *exponent = (VEC)(kb | big) - (PICK(0x1p52, 0x1p23) + (REAL)BIAS - k0);
    return (VEC)((UVEC)u - (kb << MANT) + ONE_BITS) - (REAL)1;
}

/* log(u) + c = k ln(2)_1 + f - what is returned, for small c: s = f/(2 + f), log(1 + f) = f - f^2/2
 * + s (f^2/2 + R(s^2)). */
AGNI_INLINE VEC FN(agni_log_rest)(VEC u, VEC c, REAL k0, VEC *exponent, VEC *part)
{
    const VEC f = FN(agni_log_split)(u, k0, exponent);
    const VEC s = f / (f + (REAL)2), w = s * s;
    const VEC hf = f * f * (REAL)0.5;
    const VEC R = w * POLY(log, w);
    const VEC low = FMA(*exponent, SPLAT(K(LN2_2)), c);
    *part = f;
    return hf - FMA(s, hf + R, low);
}
AGNI_INLINE VEC FN(agni_log_parts)(VEC u, VEC c, REAL k0)
{
    VEC k, f;
    const VEC rest = FN(agni_log_rest)(u, c, k0, &k, &f);
    return FMA(k, SPLAT(K(LN2_1)), f - rest);
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
    return FN(agni_exp_bounded)(AT_LEAST(x, EXP_BOTTOM));
}

AGNI_INLINE VEC FN(agni_vx_sigmoid)(VEC x)
{
    const VEC e = FN(agni_exp_negative)(-ABS(x));
    return SELECT(x < (REAL)0, e, SPLAT(1)) / (e + (REAL)1);
}

AGNI_INLINE VEC FN(agni_vx_softplus)(VEC x)
{
    const VEC l = FN(agni_log1p_core)(FN(agni_exp_negative)(-ABS(x)));
    return AT_LEAST(x, 0) + l;
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
    const REAL end = PICK(800.0, 115.0);
    UVEC s;
    z = AT_MOST(z, PICK(28.0, 11.0));
    qlo = SELECT(q > end, (VEC){0}, qlo);
    const VEC x = FN(agni_exp_reduce)(-AT_MOST(q, end), &s) - qlo;
    const VEC f = FMA(x * x, POLY(exp, x), x), e = f + (REAL)1, elo = f - (e - (REAL)1);
    const VEC t = (z - K(ERFCX_C)) / (z + K(ERFCX_C));
    const REAL c0 = FN(agni_c_erfcx)[0];
    const VEC tail = t * FN(agni_poly)(t, FN(agni_c_erfcx) + 1, PICKU(23, 10));
    const VEC r = tail + c0, rlo = tail - (r - c0);
    const VEC d = z + z + (REAL)1, dlo = (z + z) - (d - (REAL)1) + (zlo + zlo);
    const VEC num = FMA(r, e, FMA(rlo, e, elo * r)), inv = (REAL)1 / d;
    const VEC y = num * inv;
    const VEC rest = FNMA(y, dlo, FN(agni_residual)(y, d, num));
    return FN(agni_scale)(g * FMA(rest, inv, y), s);
}

/* erf(a) for 0 <= a <= 0.65 */
AGNI_INLINE VEC FN(agni_erf_near)(VEC a)
{
    return FMA(a, POLY(erf, a * a), a);
}

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

/* 1 - erfc a = (1 - 2^n) - 2^n (2^f - 1) with log2(erfc a) = a p(a) = n + f: next to 0, where n is
   0, the relative error is that of a p(a), and above what is taken away shrinks, and its own
   errors with it. In groups as tanh. */
AGNI_INLINE void FN(agni_erf_group)(REAL *y, const REAL *x, int P)
{
    enum {
        MOST = 4,
        TAIL = sizeof FN(agni_c_erftail) / sizeof(REAL),
        TERMS = sizeof FN(agni_c_exp2) / sizeof(REAL)
    };
    const REAL shift = SHIFT + (REAL)BIAS, *tail = FN(agni_c_erftail), *c = FN(agni_c_exp2);
    VEC a[MOST], v[MOST], t[MOST], u[MOST];
    EACH(P) a[p] = AT_MOST(ABS(LOAD(x + p * LANES)), PICK(5.93, 3.93));
    EACH(P) v[p] = SPLAT(tail[TAIL - 1]);
    AGNI_UNROLL
    for (int k = TAIL - 2; k >= 0; k--)
        EACH(P) v[p] = FMA(v[p], a[p], SPLAT(tail[k]));
    EACH(P) v[p] = v[p] * a[p];
    EACH(P) t[p] = v[p] + shift;
    EACH(P) v[p] = v[p] - (t[p] - shift);
    EACH(P) u[p] = SPLAT(c[TERMS - 1]);
    AGNI_UNROLL
    for (int k = TERMS - 2; k >= 0; k--)
        EACH(P) u[p] = FMA(u[p], v[p], SPLAT(c[k]));
    EACH(P) u[p] = u[p] * v[p];
    EACH(P) t[p] = (VEC)((UVEC)t[p] << MANT);
    EACH(P) u[p] = FNMA(u[p], t[p], (REAL)1 - t[p]);
    EACH(P) STORE(y + p * LANES, FN(agni_with_sign)(u[p], LOAD(x + p * LANES)));
}

AGNI_INLINE VEC FN(agni_vx_erf)(VEC x)
{
    REAL t[LANES];
    STORE(t, x);
    FN(agni_erf_group)(t, t, 1);
    return LOAD(t);
}

/* x Phi(x) = x erfc(-x/sqrt 2)/2. The exponent is x^2/2 of the argument itself: that of
 * the rounded x/sqrt 2 would be wrong by x^2 ulp. */
AGNI_INLINE VEC FN(agni_vx_gelu)(VEC x)
{
    /* erfc is 0 from here on, and infinity would make NaN of its own remainders */
    const VEC a = AT_MOST(ABS(x), PICK(40.0, 16.0));
    const VEC h = FN(agni_upper)(a), hx = x * (REAL)0.5;
    const VEC root = SPLAT(PICK(0x1.6a09e667f3bcdp-1, 0x1.6a09e6p-1)), z = a * root;
    const REAL rootlo = PICK(-0x1.bdd3413b26456p-55, 0x1.9fcef4p-27);
    const VEC zlo = a * rootlo - FN(agni_residual)(a, root, z);
    const VEC q = h * h * (REAL)0.5, qlo = (a - h) * (a + h) * (REAL)0.5;
    const IVEC neg = x < (REAL)0;
    const VEC g = SELECT(neg, a * (REAL)-0.5, SPLAT(0.5));
    const VEC far = FN(agni_erfc_far)(z, zlo, q, qlo, g);
    const VEC erf = FN(agni_signed)(FN(agni_erf_near)(z), FN(agni_sign)(x));
    const VEC near = hx * (erf + (REAL)1);
    const VEC up = SELECT(x != x, x, x * ((REAL)1 - far)); /* of two NaN a compiler may take either */
    return SELECT(z < PICK(0.65, 0.65), near, SELECT(neg, far, up));
}

AGNI_INLINE VEC FN(agni_vx_sqrt)(VEC x)
{
    return FN(agni_sqrt)(x);
}
AGNI_INLINE VEC FN(agni_vx_rsqrt)(VEC x)
{
    return (REAL)1 / FN(agni_sqrt)(x);
}
AGNI_INLINE VEC FN(agni_vx_recip)(VEC x)
{
    return (REAL)1 / x;
}
