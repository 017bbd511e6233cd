/* sin, cos, tan for the element type bound by real.h; see vmath.h. */

#if AGNI_HAS_FMA

/* x = n pi/2 + r + lo, |r| <= pi/4. Each of the first parts of pi/2 fills a number: next to n
 * of them the first difference is exact, for what it cancels, and the second where it lies below
 * the last bit of pi/2's first part; elsewhere its rounding is one of r, half an ulp of sin r. */
AGNI_INLINE UVEC FN(agni_trig_reduce)(VEC x, VEC *r, VEC *lo)
{
    const VEC t = FMA(x, SPLAT(PICK(0x1.45f306dc9c883p-1, 0x1.45f306p-1)),
                      SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    *r = FMA(n, SPLAT(-K(PIO2_FUSED_2)), FMA(n, SPLAT(-K(PIO2_FUSED_1)), x));
    *lo = n * -K(PIO2_FUSED_3);
    return (UVEC)t;
}

/* cos r is above 0.7: what lo would add is beyond its last bit */
AGNI_INLINE VEC FN(agni_cos_core)(VEC r, VEC lo)
{
    const VEC w = r * r;
    (void)lo;
    return FMA(w, FMA(w, POLY(cos, w), SPLAT(-0.5)), SPLAT(1));
}

#else

/* x = n pi/2 + r + lo, |r| <= pi/4: parts of pi/2 whose products with n are exact, and
 * two compensated subtractions, so that cancellation next to a multiple of pi/2 costs
 * nothing. Right for |n| < 2^20 (2^9 in f32). */
AGNI_INLINE UVEC FN(agni_trig_reduce)(VEC x, VEC *r, VEC *lo)
{
    const VEC t = FMA(x, SPLAT(PICK(0x1.45f306dc9c883p-1, 0x1.45f306p-1)),
                      SPLAT(SHIFT));
    const VEC n = t - SHIFT;
    const VEC a = FNMA(n, SPLAT(K(PIO2_1)), x);
    const VEC b = n * K(PIO2_2), c = n * K(PIO2_3);
    const VEC h = a - b, hl = (a - h) - b;
    const VEC g = h - c, gl = (h - g) - c;
    *r = g;
    *lo = FNMA(n, SPLAT(K(PIO2_4)), hl + gl);
    return (UVEC)t;
}

AGNI_INLINE VEC FN(agni_cos_core)(VEC r, VEC lo)
{
    const VEC w = r * r, hw = w * (REAL)0.5, a = (REAL)1 - hw;
    return a + ((((REAL)1 - a) - hw) + FMA(w * w, POLY(cos, w), -(r * lo)));
}

#endif

AGNI_INLINE VEC FN(agni_sin_core)(VEC r, VEC lo)
{
    const VEC w = r * r;
    return r + FMA(r * w, POLY(sin, w), lo);
}

/* a where q is odd, else b */
AGNI_INLINE VEC FN(agni_select_odd)(UVEC q, VEC a, VEC b)
{
    const int top = (int)sizeof(REAL) * 8 - 1;
    return SELECT(AGNI_SELECTS_BY_SIGN ? (IVEC)(q << top) : (IVEC)(q & (UINT)1) != 0, a, b);
}

AGNI_INLINE IVEC FN(agni_trig_far)(VEC x)
{
    return ~(ABS(x) < PICK(1647000.0, 803.0));
}

/* sin of x into *s and cos of x into *c */
AGNI_INLINE void FN(agni_vx_sincos)(VEC x, VEC *s, VEC *c)
{
    VEC r, lo;
    const UVEC q = FN(agni_trig_reduce)(ABS(x), &r, &lo);
    const VEC u = FN(agni_sin_core)(r, lo), v = FN(agni_cos_core)(r, lo);
    const int up = (int)sizeof(REAL) * 8 - 2;
    const UVEC sbit = ((q & (UINT)2) << up) ^ FN(agni_sign)(x),
               cbit = ((q + (UINT)1) & (UINT)2) << up;
    *s = (VEC)((UVEC)FN(agni_select_odd)(q, v, u) ^ sbit);
    *c = (VEC)((UVEC)FN(agni_select_odd)(q, u, v) ^ cbit);
    const IVEC far = FN(agni_trig_far)(x);
    if (ANY(far)) {
        *s = SELECT(far, FN(agni_sin_far)(x), *s);
        *c = SELECT(far, FN(agni_cos_far)(x), *c);
    }
}

/* sin (turn = 0) and cos (turn = 1) of P vectors, in groups as tanh; even n take one of the two
   cores,
 * odd ones the other. */
AGNI_INLINE void FN(agni_turned_group)(REAL *y, const REAL *x, int P, UINT turn,
                                       VEC (*far)(VEC))
{
    enum { MOST = 4, TOP = sizeof(REAL) * 8 - 1 };
    const VEC end = SPLAT(PICK(1647000.0, 803.0));
    VEC r[MOST], lo[MOST], u[MOST], v[MOST];
    UVEC q[MOST];
    IVEC within = (IVEC){0} - 1;
    EACH(P) within &= (IVEC)ABS(LOAD(x + p * LANES)) - (IVEC)end; /* by the sign bit */
    EACH(P) q[p] = FN(agni_trig_reduce)(ABS(LOAD(x + p * LANES)), &r[p], &lo[p]) + turn;
    EACH(P) u[p] = FN(agni_sin_core)(r[p], lo[p]);
    EACH(P) v[p] = FN(agni_cos_core)(r[p], lo[p]);
    EACH(P) u[p] = FN(agni_select_odd)(q[p], v[p], u[p]);
    EACH(P)
    {
        const UVEC sign = turn ? (UVEC){0} : (UVEC)LOAD(x + p * LANES);
        u[p] = (VEC)((UVEC)u[p] ^ (((q[p] << (TOP - 1)) ^ sign) & ((UINT)1 << TOP)));
    }
    if (ANY(within >= 0))
        EACH(P)
        {
            const VEC z = LOAD(x + p * LANES);
            const IVEC out = FN(agni_trig_far)(z);
            u[p] = ANY(out) ? SELECT(out, far(z), u[p]) : u[p];
        }
    EACH(P) STORE(y + p * LANES, u[p]);
}

AGNI_INLINE void FN(agni_sin_group)(REAL *y, const REAL *x, int P)
{
    FN(agni_turned_group)(y, x, P, 0, FN(agni_sin_far));
}
AGNI_INLINE void FN(agni_cos_group)(REAL *y, const REAL *x, int P)
{
    FN(agni_turned_group)(y, x, P, 1, FN(agni_cos_far));
}

AGNI_INLINE VEC FN(agni_vx_sin)(VEC x)
{
    REAL t[LANES];
    STORE(t, x);
    FN(agni_sin_group)(t, t, 1);
    return LOAD(t);
}
AGNI_INLINE VEC FN(agni_vx_cos)(VEC x)
{
    REAL t[LANES];
    STORE(t, x);
    FN(agni_cos_group)(t, t, 1);
    return LOAD(t);
}

AGNI_INLINE VEC FN(agni_vx_tan)(VEC x)
{
    VEC r, lo;
    const UVEC q = FN(agni_trig_reduce)(ABS(x), &r, &lo);
    const VEC u = FN(agni_sin_core)(r, lo), v = FN(agni_cos_core)(r, lo);
    const UVEC bit = ((q & (UINT)1) << (sizeof(REAL) * 8 - 1)) ^ FN(agni_sign)(x);
    const VEC y = (VEC)((UVEC)(FN(agni_select_odd)(q, v, u) / FN(agni_select_odd)(q, u, v)) ^ bit);
    const IVEC far = FN(agni_trig_far)(x);
    return ANY(far) ? SELECT(far, FN(agni_tan_far)(x), y) : y;
}
