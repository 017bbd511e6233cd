/* vec_body.h - operations on one vector, for the element type bound by real.h. */

AGNI_INLINE VEC FN(agni_load)(const REAL *p)
{
    return *(const VANY *)p;
}
AGNI_INLINE void FN(agni_store)(REAL *p, VEC a)
{
    *(VANY *)p = a;
}

/* a in every lane: a scalar operand is broadcast, and a - 0 is a, also for -0 */
AGNI_INLINE VEC FN(agni_splat)(REAL a)
{
    return a - (VEC){0};
}

/* The first n < LANES elements at p, 1 at least; the lanes behind them repeat the last one, so
 * that a kernel sees no value that is not an argument. */
#ifndef AGNI_PARTS
AGNI_INLINE VEC FN(agni_load_part)(const REAL *p, int64_t n)
{
    REAL t[LANES];
    for (int l = 0; l < LANES; l++)
        t[l] = p[l < n ? l : n - 1];
    return FN(agni_load)(t);
}
AGNI_INLINE void FN(agni_store_part)(REAL *p, VEC a, int64_t n)
{
    REAL t[LANES];
    FN(agni_store)(t, a);
    for (int64_t l = 0; l < n; l++)
        p[l] = t[l];
}
#endif

/* c - a b */
AGNI_INLINE VEC FN(agni_fnma)(VEC a, VEC b, VEC c)
{
    return FN(agni_fma)(-a, b, c);
}
AGNI_INLINE VEC FN(agni_fms)(VEC a, VEC b, VEC c)
{
    return FN(agni_fma)(a, b, -c);
}

/* a b, and c + a b, where 0 times anything is 0 */
#ifndef AGNI_MASKS
AGNI_INLINE VEC FN(agni_mulz)(VEC a, VEC b)
{
    return FN(agni_select)((a == (REAL)0) | (b == (REAL)0), (VEC){0}, a * b);
}
AGNI_INLINE VEC FN(agni_fmaz)(VEC a, VEC b, VEC c)
{
    return FN(agni_select)((a == (REAL)0) | (b == (REAL)0), c, FN(agni_fma)(a, b, c));
}
#endif

#define SIGN_BIT ((UINT)1 << (MANT + (sizeof(REAL) == 8 ? 11 : 8)))
AGNI_INLINE UVEC FN(agni_sign)(VEC a)
{
    return (UVEC)a & SIGN_BIT;
}
AGNI_INLINE VEC FN(agni_abs)(VEC a)
{
    return (VEC)((UVEC)a & ~SIGN_BIT);
}
/* |a| with the sign bits s that agni_sign gave */
AGNI_INLINE VEC FN(agni_signed)(VEC a, UVEC s)
{
    return (VEC)((UVEC)a | s);
}
/* a with the sign of b */
AGNI_INLINE VEC FN(agni_with_sign)(VEC a, VEC b)
{
    return (VEC)(((UVEC)a & ~SIGN_BIT) | ((UVEC)b & SIGN_BIT));
}
#undef SIGN_BIT

/* Maximum and minimum that keep NaN and, of two equal values, the first. */
AGNI_INLINE VEC FN(agni_max)(VEC a, VEC b)
{
    return FN(agni_select)((a >= b) | (a != a), a, b);
}
AGNI_INLINE VEC FN(agni_min)(VEC a, VEC b)
{
    return FN(agni_select)((a <= b) | (a != a), a, b);
}

/* Sum of the lanes, in a fixed order: halves folded onto each other. */
AGNI_INLINE REAL FN(agni_hsum)(VEC a)
{
    REAL t[LANES];
    FN(agni_store)(t, a);
    for (int h = LANES / 2; h > 0; h /= 2)
        for (int l = 0; l < h; l++)
            t[l] += t[l + h];
    return t[0];
}

/* The largest lane, NaN where there is one. */
AGNI_INLINE REAL FN(agni_hmax)(VEC a)
{
    REAL t[LANES];
    FN(agni_store)(t, a);
    for (int h = LANES / 2; h > 0; h /= 2)
        for (int l = 0; l < h; l++)
            t[l] = ((t[l] >= t[l + h]) | (t[l] != t[l])) ? t[l] : t[l + h];
    return t[0];
}

/* c[0] + c[1] x + ... + c[n-1] x^(n-1), even and odd powers in two chains, four from
 * eight terms on: half or a quarter of Horner's latency at one or two products more. */
AGNI_INLINE VEC FN(agni_poly)(VEC x, const REAL *c, int n)
{
    const VEC x2 = x * x;
    if (n < 8) {
        VEC e = FN(agni_splat)(c[(n - 1) & ~1]),
            o = FN(agni_splat)(c[((n - 2) & ~1) + 1]);
        AGNI_UNROLL
        for (int k = ((n - 1) & ~1) - 2; k >= 0; k -= 2)
            e = FN(agni_fma)(e, x2, FN(agni_splat)(c[k]));
        AGNI_UNROLL
        for (int k = ((n - 2) & ~1) - 1; k >= 1; k -= 2)
            o = FN(agni_fma)(o, x2, FN(agni_splat)(c[k]));
        return FN(agni_fma)(o, x, e);
    }
    const VEC x4 = x2 * x2;
    VEC p[4];
    AGNI_UNROLL
    for (int q = 0; q < 4; q++) {
        int top = (n - 1 - q) / 4 * 4 + q;
        p[q] = FN(agni_splat)(c[top]);
        AGNI_UNROLL
        for (int k = top - 4; k >= 0; k -= 4)
            p[q] = FN(agni_fma)(p[q], x4, FN(agni_splat)(c[k]));
    }
    return FN(agni_fma)(FN(agni_fma)(p[3], x, p[2]), x2, FN(agni_fma)(p[1], x, p[0]));
}
