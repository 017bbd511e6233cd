/* y = f(x) over arrays, for the element type bound by real.h. The last, partial
 * vector goes through the same function, so an element's result does not depend on
 * n. Groups of four vectors may go through a function of their own, which takes the
 * same steps. */

typedef void FN(agni_group)(REAL *y, const REAL *x);

AGNI_INLINE void FN(agni_map)(void *yv, const void *xv, int64_t n, VEC (*f)(VEC),
                              FN(agni_group) * group)
{
    REAL *y = yv;
    const REAL *x = xv;
    int64_t i = 0;
    if (group)
        for (; i + 4 * LANES <= n; i += 4 * LANES)
            group(y + i, x + i);
    for (; i + LANES <= n; i += LANES)
        STORE(y + i, f(LOAD(x + i)));
    if (i < n)
        STORE_PART(y + i, f(LOAD_PART(x + i, n - i)), n - i);
}

AGNI_INLINE VEC FN(agni_vx_neg)(VEC x)
{
    return -x;
}
AGNI_INLINE VEC FN(agni_vx_abs)(VEC x)
{
    return ABS(x);
}
AGNI_INLINE VEC FN(agni_vx_square)(VEC x)
{
    return x * x;
}
AGNI_INLINE VEC FN(agni_vx_copy)(VEC x)
{
    return x;
}
/* NaN stays NaN, -0 stays -0, as of maximum(x, 0); the slope at 0 is 0 */
AGNI_INLINE VEC FN(agni_vx_relu)(VEC x)
{
    return SELECT(x < (REAL)0, (VEC){0}, x);
}
/* 0 of -0, too */
AGNI_INLINE VEC FN(agni_vx_sign)(VEC x)
{
    const VEC one = FN(agni_signed)(SPLAT(1), FN(agni_sign)(x));
    return SELECT(x != x, x, SELECT(x == (REAL)0, (VEC){0}, one));
}
/* 1 where x > 0, else 0: the slope of relu */
AGNI_INLINE VEC FN(agni_vx_step)(VEC x)
{
    return SELECT(x > (REAL)0, SPLAT(1), SELECT(x != x, x, (VEC){0}));
}

/* Round to integer: 2^MANT in and out, exact below it; larger numbers are integers. */
AGNI_INLINE VEC FN(agni_vx_rint)(VEC x)
{
    const REAL big = PICK(0x1p52, 0x1p23);
    const VEC a = ABS(x), r = (a + big) - big;
    return SELECT(a < big, FN(agni_signed)(r, FN(agni_sign)(x)), x);
}
AGNI_INLINE VEC FN(agni_vx_floor)(VEC x)
{
    const VEC r = FN(agni_vx_rint)(x);
    return SELECT(r > x, r - (REAL)1, r);
}
AGNI_INLINE VEC FN(agni_vx_ceil)(VEC x)
{
    return -FN(agni_vx_floor)(-x);
}
AGNI_INLINE VEC FN(agni_vx_trunc)(VEC x)
{
    return FN(agni_signed)(FN(agni_vx_floor)(ABS(x)), FN(agni_sign)(x));
}

#undef AGNI_MAP
#define AGNI_MAP(name)                                                    \
    void AGNI_LV(FN(agni_simd_map_##name))(void *y, const void *x, int64_t n) \
    {                                                                     \
        FN(agni_map)(y, x, n, FN(agni_vx_##name), NULL);                  \
    }
AGNI_VMAPS_PLAIN(AGNI_MAP)

#undef AGNI_MAP_FOUR
#define AGNI_MAP_FOUR(name)                                               \
    AGNI_INLINE void FN(agni_##name##_four)(REAL *y, const REAL *x)       \
    {                                                                     \
        FN(agni_##name##_group)(y, x, 4);                                 \
    }                                                                     \
    void AGNI_LV(FN(agni_simd_map_##name))(void *y, const void *x, int64_t n) \
    {                                                                     \
        FN(agni_map)(y, x, n, FN(agni_vx_##name), FN(agni_##name##_four)); \
    }
AGNI_VMAPS_FOUR(AGNI_MAP_FOUR)

void AGNI_LV(FN(agni_simd_sincos))(void *sv, void *cv, const void *xv, int64_t n)
{
    REAL *s = sv, *c = cv;
    const REAL *x = xv;
    int64_t i = 0;
    VEC u, v;
    for (; i + LANES <= n; i += LANES) {
        FN(agni_vx_sincos)(LOAD(x + i), &u, &v);
        STORE(s + i, u);
        STORE(c + i, v);
    }
    if (i < n) {
        FN(agni_vx_sincos)(LOAD_PART(x + i, n - i), &u, &v);
        STORE_PART(s + i, u, n - i);
        STORE_PART(c + i, v, n - i);
    }
}
