/* sin, cos, tan for the element type bound by real.h; see vmath.h. */

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

AGNI_INLINE VEC FN(agni_sin_core)(VEC r, VEC lo)
{
    const VEC w = r * r;
    return r + FMA(r * w, POLY(sin, w), lo);
}

AGNI_INLINE VEC FN(agni_cos_core)(VEC r, VEC lo)
{
    const VEC w = r * r, hw = w * (REAL)0.5, a = (REAL)1 - hw;
    return a + ((((REAL)1 - a) - hw) + FMA(w * w, POLY(cos, w), -(r * lo)));
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
    const IVEC odd = (IVEC)(q & (UINT)1) != 0;
    const int up = (int)sizeof(REAL) * 8 - 2;
    const UVEC sbit = ((q & (UINT)2) << up) ^ FN(agni_sign)(x),
               cbit = ((q + (UINT)1) & (UINT)2) << up;
    *s = (VEC)((UVEC)SELECT(odd, v, u) ^ sbit);
    *c = (VEC)((UVEC)SELECT(odd, u, v) ^ cbit);
    const IVEC far = FN(agni_trig_far)(x);
    if (ANY(far)) {
        *s = SELECT(far, FN(agni_sin_far)(x), *s);
        *c = SELECT(far, FN(agni_cos_far)(x), *c);
    }
}

AGNI_INLINE VEC FN(agni_vx_sin)(VEC x)
{
    VEC r, lo;
    const UVEC q = FN(agni_trig_reduce)(ABS(x), &r, &lo);
    const VEC u = FN(agni_sin_core)(r, lo), v = FN(agni_cos_core)(r, lo);
    const UVEC bit = ((q & (UINT)2) << (sizeof(REAL) * 8 - 2)) ^ FN(agni_sign)(x);
    const VEC y = (VEC)((UVEC)SELECT((IVEC)(q & (UINT)1) != 0, v, u) ^ bit);
    const IVEC far = FN(agni_trig_far)(x);
    return ANY(far) ? SELECT(far, FN(agni_sin_far)(x), y) : y;
}

AGNI_INLINE VEC FN(agni_vx_cos)(VEC x)
{
    VEC r, lo;
    const UVEC q = FN(agni_trig_reduce)(ABS(x), &r, &lo);
    const VEC u = FN(agni_sin_core)(r, lo), v = FN(agni_cos_core)(r, lo);
    const UVEC bit = ((q + (UINT)1) & (UINT)2) << (sizeof(REAL) * 8 - 2);
    const VEC y = (VEC)((UVEC)SELECT((IVEC)(q & (UINT)1) != 0, u, v) ^ bit);
    const IVEC far = FN(agni_trig_far)(x);
    return ANY(far) ? SELECT(far, FN(agni_cos_far)(x), y) : y;
}

AGNI_INLINE VEC FN(agni_vx_tan)(VEC x)
{
    VEC r, lo;
    const UVEC q = FN(agni_trig_reduce)(ABS(x), &r, &lo);
    const VEC u = FN(agni_sin_core)(r, lo), v = FN(agni_cos_core)(r, lo);
    const IVEC odd = (IVEC)(q & (UINT)1) != 0;
    const UVEC bit = ((q & (UINT)1) << (sizeof(REAL) * 8 - 1)) ^ FN(agni_sign)(x);
    const VEC y = (VEC)((UVEC)(SELECT(odd, v, u) / SELECT(odd, u, v)) ^ bit);
    const IVEC far = FN(agni_trig_far)(x);
    return ANY(far) ? SELECT(far, FN(agni_tan_far)(x), y) : y;
}
