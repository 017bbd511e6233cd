/* tensor/cpu/vmath/vmath_special.h - arithmetic in two parts (Knuth 1969; Dekker 1971) and loops of the
   special functions on vectors. What is out of a function's bounds goes one by one
   (tensor/cpu/special/); f32 goes through vectors of f64. */
typedef struct agni_vpair {
    vf64 hi, lo;
} agni_vpair;
AGNI_INLINE agni_vpair agni_vsum(vf64 x, vf64 y)
{
    const vf64 s = x + y, part = s - x;
    return (agni_vpair){s, (x - (s - part)) + (y - part)};
}
AGNI_INLINE agni_vpair agni_vproduct(vf64 x, vf64 y)
{
    const vf64 p = x * y;
    return (agni_vpair){p, -agni_residual_f64(x, y, p)};
}
AGNI_INLINE agni_vpair agni_vtimes(agni_vpair x, agni_vpair y)
{
    agni_vpair p = agni_vproduct(x.hi, y.hi);
    p.lo = p.lo + FMA(x.hi, y.lo, x.lo * y.hi);
    return p;
}
/* x / y, rounded once or nearly so */
AGNI_INLINE vf64 agni_vquotient(agni_vpair x, agni_vpair y)
{
    const vf64 r = 1.0 / y.hi, q = x.hi * r;
    return FMA(FNMA(q, y.lo, agni_residual_f64(q, y.hi, x.hi) + x.lo), r, q);
}
/* log(u) + c, u > 0 normal, c small */
AGNI_INLINE agni_vpair agni_log_pair(vf64 u, vf64 c)
{
    const vf64 ln2 = SPLAT(AGNI_LN2_1_F64); /* its products by k are exact */
    vf64 k, f, rest = agni_log_rest_f64(u, c, 0, &k, &f);
    const vf64 s = f - rest, log = FMA(k, ln2, s);
    return (agni_vpair){log, (s - FNMA(k, ln2, log)) + ((f - s) - rest)};
}

/* a log b, a log(1 + b) */
AGNI_INLINE vf64 agni_xlogy_lanes(vf64 a, vf64 b)
{
    const agni_vpair log = agni_log_pair(b, (vf64){0});
    return FMA(a, log.hi, a * log.lo);
}
AGNI_INLINE vf64 agni_xlog1py_lanes(vf64 a, vf64 b)
{
    const vf64 u = b + 1.0, d = u - 1.0, c = (1.0 - (u - d)) + (b - d);
    const agni_vpair log = agni_log_pair(u, c / u);
    return FMA(a, log.hi, a * log.lo);
}

#include "tensor/cpu/vmath/vmath_gamma.h"
#include "tensor/cpu/vmath/vmath_normal.h"
#include "tensor/cpu/vmath/vmath_power.h"

/* y = f(x), f(a, b) for f32 */
typedef float vf32_half __attribute__((vector_size(AGNI_VBYTES / 2)));

AGNI_INLINE vf64 agni_load_wide(const float *p, int64_t n)
{
    vf32_half v;
    if (n >= LANES)
        memcpy(&v, p, sizeof v);
    else
        for (int l = 0; l < LANES; l++)
            v[l] = p[l < n ? l : n - 1];
    return __builtin_convertvector(v, vf64);
}
AGNI_INLINE void agni_store_wide(float *p, vf64 y, int64_t n)
{
    const vf32_half v = __builtin_convertvector(y, vf32_half);
    memcpy(p, &v, n >= LANES ? sizeof v : (size_t)n * sizeof *p);
}
AGNI_INLINE void agni_map_wide(float *y, const float *x, int64_t n, vf64 (*f)(vf64))
{
    for (int64_t i = 0; i < n; i += LANES)
        agni_store_wide(y + i, f(agni_load_wide(x + i, n - i)), n - i);
}
AGNI_INLINE void agni_map2_wide(float *y, const float *a, const float *b, int64_t n,
                                vf64 (*f)(vf64, vf64))
{
    for (int64_t i = 0; i < n; i += LANES)
        agni_store_wide(y + i, f(agni_load_wide(a + i, n - i), agni_load_wide(b + i, n - i)), n - i);
}
AGNI_INLINE void agni_map2(double *y, const double *a, const double *b, int64_t n,
                           vf64 (*f)(vf64, vf64))
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        STORE(y + i, f(LOAD(a + i), LOAD(b + i)));
    if (i < n)
        STORE_PART(y + i, f(LOAD_PART(a + i, n - i), LOAD_PART(b + i, n - i)), n - i);
}

static double agni_trigamma(double x)
{
    return agni_polygamma(x, 1);
}

#define AGNI_SPECIAL_MAPS(name, least, most) \
    AGNI_INLINE vf64 agni_vx_##name(vf64 x) \
    { \
        const vi64 odd = ~((x >= least) & (x <= most)); \
        vf64 y = agni_##name##_lanes(SELECT(odd, SPLAT(0.5), x)); \
        if (ANY(odd)) \
            for (int l = 0; l < LANES; l++) \
                if (odd[l]) \
                    y[l] = agni_##name(x[l]); \
        return y; \
    } \
    static void agni_special_##name##_f64(void *y, const void *x, int64_t n) \
    { \
        agni_map_f64(y, x, n, agni_vx_##name, NULL); \
    } \
    static void agni_special_##name##_f32(void *y, const void *x, int64_t n) \
    { \
        agni_map_wide(y, x, n, agni_vx_##name); \
    }
AGNI_VSPECIALS(AGNI_SPECIAL_MAPS)

/* maps of pairs: f64 by wide, f32 by narrow, which takes f64 */
#define AGNI_PAIR_MAPS(name, wide, narrow) \
    static void agni_special_##name##_f64(void *y, const void *a, const void *b, int64_t n) \
    { \
        agni_map2(y, a, b, n, wide); \
    } \
    static void agni_special_##name##_f32(void *y, const void *a, const void *b, int64_t n) \
    { \
        agni_map2_wide(y, a, b, n, narrow); \
    }

#define AGNI_SPECIAL_MAPS2(name, least, most) \
    AGNI_INLINE vf64 agni_vx_##name(vf64 a, vf64 b) \
    { \
        const vi64 plain = (b >= least) & (b <= most) & (b != 0.0); \
        const vi64 odd = ~(plain & (a != 0.0) & (ABS(a) <= 1e300)); \
        vf64 y = agni_##name##_lanes(a, SELECT(odd, SPLAT(0.5), b)); \
        if (ANY(odd)) \
            for (int l = 0; l < LANES; l++) \
                if (odd[l]) \
                    y[l] = agni_##name(a[l], b[l]); \
        return y; \
    } \
    AGNI_PAIR_MAPS(name, agni_vx_##name, agni_vx_##name)
AGNI_VSPECIALS2(AGNI_SPECIAL_MAPS2)

#define AGNI_POWER_MAPS(name) AGNI_PAIR_MAPS(name, agni_vx_##name, agni_vx_##name##_narrow)
AGNI_VPOWERS(AGNI_POWER_MAPS)

#define AGNI_POWER_MEMBER(name) .name = {agni_special_##name##_f64, agni_special_##name##_f32},
#define AGNI_MEMBER(name, least, most) AGNI_POWER_MEMBER(name)
const agni_vspecials AGNI_LV(agni_vspecials) = {
    AGNI_VSPECIALS(AGNI_MEMBER) AGNI_VSPECIALS2(AGNI_MEMBER) AGNI_VPOWERS(AGNI_POWER_MEMBER)};
#undef AGNI_MEMBER
#undef AGNI_POWER_MEMBER
