/* tensor/value/convert_elements.c - conversion of elements between dtypes, with any steps: rounding
   to nearest even, saturating to integers, the same on every device. */
#include "tensor/value/tensor.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- half precision: IEEE 754 binary16 and bfloat16, to nearest even ------------------- */

static float f16_to_f32(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023, u;
    if (e == 31) {
        u = sign | 0x7f800000 | m << 13;
    } else if (e) {
        u = sign | (e + 112) << 23 | m << 13;
    } else { /* subnormal: m * 2^-24 is exact */
        float f = (float)m * 0x1p-24f;
        memcpy(&u, &f, 4);
        u |= sign;
    }
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint16_t f32_to_f16(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
    u &= 0x7fffffff;
    if (u > 0x7f800000) /* NaN keeps its top payload bits and stays quiet */
        return (uint16_t)(sign | 0x7e00 | (u >> 13 & 0x3ff));
    if (u >= 0x477ff000) /* 65520 and more round to infinity */
        return sign | 0x7c00;
    if (u < 0x38800000) { /* subnormal result: let the addition round */
        float a;
        memcpy(&a, &u, 4);
        a += 0.5f;
        uint32_t r;
        memcpy(&r, &a, 4);
        return (uint16_t)(sign | (r - 0x3f000000));
    }
    uint32_t odd = u >> 13 & 1;
    return (uint16_t)(sign | ((u - 0x38000000 + 0xfff + odd) >> 13));
}

static float bf16_to_f32(uint16_t h)
{
    uint32_t u = (uint32_t)h << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint16_t f32_to_bf16(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    if ((u & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(u >> 16 | 0x40);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* f64 to a 16-bit float through f32 would round twice: round to odd first (Boldo &
   Melquiond 2008) */
static float round_to_odd_f32(double x)
{
    float f = (float)x;
    if (x != x || isinf(f) || (double)f == x)
        return f;
    uint32_t u;
    memcpy(&u, &f, 4);
    if (fabs((double)f) > fabs(x))
        u--;
    u |= 1;
    memcpy(&f, &u, 4);
    return f;
}

/* An integer beyond 2^53 rounded to odd, as far as double goes, for the same reason */
static double round_to_odd_f64(int64_t v)
{
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (u >> 53 && u & 0xfff)
        u = (u & ~(uint64_t)0xfff) | 0x1000;
    return v < 0 ? -(double)u : (double)u;
}

/* ---- element conversion ------------------------------------------------------------------ */

/* towards zero, NaN to 0, saturating: the same on every device */
static int64_t saturate_to_int(double x, double lo, double hi, int64_t ilo, int64_t ihi)
{
    return x != x ? 0 : x <= lo ? ilo : x >= hi ? ihi : (int64_t)x;
}

enum { BLOCK = 256 };
typedef double complex cplx;

/* Elements pass through the widest type of their kind: int64, double or complex double, in
   blocks that stay in the first cache. */
typedef union block {
    int64_t i[BLOCK];
    double r[BLOCK];
    cplx c[BLOCK];
} block;

#define LOAD(T, lvalue, expr) \
    for (int64_t k = 0; k < n; k++, p += stride) { \
        const T v = *(const T *)(const void *)p; \
        lvalue = expr; \
    } \
    break

static void load_block(block *b, int dtype, const char *p, int64_t stride, int64_t n)
{
    switch (dtype) {
    case AGN_BOOL:
    case AGN_U8: LOAD(uint8_t, b->i[k], v);
    case AGN_I8: LOAD(int8_t, b->i[k], v);
    case AGN_I16: LOAD(int16_t, b->i[k], v);
    case AGN_I32: LOAD(int32_t, b->i[k], v);
    case AGN_I64: LOAD(int64_t, b->i[k], v);
    case AGN_F16: LOAD(uint16_t, b->r[k], (double)f16_to_f32(v));
    case AGN_BF16: LOAD(uint16_t, b->r[k], (double)bf16_to_f32(v));
    case AGN_F32: LOAD(float, b->r[k], (double)v);
    case AGN_F64: LOAD(double, b->r[k], v);
    case AGN_C64: LOAD(float complex, b->c[k], (cplx)v);
    default: LOAD(cplx, b->c[k], v);
    }
}

#define STORE(T, expr) \
    for (int64_t k = 0; k < n; k++, p += stride) \
        *(T *)(void *)p = (T)(expr); \
    break
/* integers wrap around; floats saturate; complex numbers drop their imaginary part */
#define STORE_INT(T, lo, hi) \
    if (kind <= AGNI_KIND_INT) { \
        STORE(T, b->i[k]); \
    } else { \
        STORE(T, saturate_to_int(b->r[k], (double)(lo), (double)(hi), lo, hi)); \
    }

static void store_block(block *b, int kind, int dtype, char *p, int64_t stride, int64_t n)
{
    if (kind == AGNI_KIND_COMPLEX && dtype != AGN_C64 && dtype != AGN_C128) {
        if (dtype == AGN_BOOL) {
            for (int64_t k = 0; k < n; k++)
                b->r[k] = b->c[k] != 0;
        } else {
            for (int64_t k = 0; k < n; k++)
                b->r[k] = creal(b->c[k]);
        }
        kind = AGNI_KIND_FLOAT;
    }
    if (kind <= AGNI_KIND_INT && dtype >= AGN_F16 && dtype != AGN_F32) {
        if (dtype == AGN_C64) /* once, not through double */
            for (int64_t k = n - 1; k >= 0; k--)
                b->c[k] = (double)(float)b->i[k];
        else if (dtype == AGN_C128)
            for (int64_t k = n - 1; k >= 0; k--)
                b->c[k] = (double)b->i[k];
        else if (dtype == AGN_BF16)
            for (int64_t k = 0; k < n; k++)
                b->r[k] = round_to_odd_f64(b->i[k]);
        else
            for (int64_t k = 0; k < n; k++)
                b->r[k] = (double)b->i[k];
        kind = dtype >= AGN_C64 ? AGNI_KIND_COMPLEX : AGNI_KIND_FLOAT;
    }
    if (kind == AGNI_KIND_FLOAT && dtype >= AGN_C64) {
        for (int64_t k = n - 1; k >= 0; k--)
            b->c[k] = b->r[k];
    }
    switch (dtype) {
    case AGN_BOOL:
        if (kind <= AGNI_KIND_INT) {
            STORE(bool, b->i[k] != 0);
        } else {
            STORE(bool, b->r[k] != 0);
        }
    case AGN_U8: STORE_INT(uint8_t, 0, UINT8_MAX);
    case AGN_I8: STORE_INT(int8_t, INT8_MIN, INT8_MAX);
    case AGN_I16: STORE_INT(int16_t, INT16_MIN, INT16_MAX);
    case AGN_I32: STORE_INT(int32_t, INT32_MIN, INT32_MAX);
    case AGN_I64: STORE_INT(int64_t, INT64_MIN, INT64_MAX);
    case AGN_F16: STORE(uint16_t, f32_to_f16(round_to_odd_f32(b->r[k])));
    case AGN_BF16: STORE(uint16_t, f32_to_bf16(round_to_odd_f32(b->r[k])));
    case AGN_F32:
        if (kind <= AGNI_KIND_INT) { /* once, not through double */
            STORE(float, b->i[k]);
        } else {
            STORE(float, b->r[k]);
        }
    case AGN_F64: STORE(double, b->r[k]);
    case AGN_C64: STORE(float complex, b->c[k]);
    default: STORE(cplx, b->c[k]);
    }
}

/* Pairs of dtypes for which the compiler's conversion is the right one. */
#define DIRECT(X, Y)                                                               \
    static void X##_to_##Y(char *y, int64_t ys, const char *x, int64_t xs, int64_t n) \
    {                                                                              \
        if (ys == sizeof(Y) && xs == sizeof(X))                                    \
            for (int64_t k = 0; k < n; k++)                                        \
                ((Y *)(void *)y)[k] = (Y)((const X *)(const void *)x)[k];          \
        else                                                                       \
            for (int64_t k = 0; k < n; k++)                                        \
                *(Y *)(void *)(y + k * ys) = (Y) * (const X *)(const void *)(x + k * xs); \
    }
DIRECT(double, float)
DIRECT(float, double)
DIRECT(int64_t, double)
DIRECT(int32_t, double)
DIRECT(int32_t, float)
DIRECT(int32_t, int64_t)
DIRECT(bool, double)
DIRECT(bool, float)
DIRECT(bool, int64_t)

typedef void convert_fn(char *y, int64_t ys, const char *x, int64_t xs, int64_t n);
static convert_fn *const direct_conversions[AGN_NDTYPES][AGN_NDTYPES] = {
    [AGN_F64][AGN_F32] = double_to_float,   [AGN_F32][AGN_F64] = float_to_double,
    [AGN_I64][AGN_F64] = int64_t_to_double, [AGN_I32][AGN_F64] = int32_t_to_double,
    [AGN_I32][AGN_F32] = int32_t_to_float,  [AGN_I32][AGN_I64] = int32_t_to_int64_t,
    [AGN_BOOL][AGN_F64] = bool_to_double,   [AGN_BOOL][AGN_F32] = bool_to_float,
    [AGN_BOOL][AGN_I64] = bool_to_int64_t,
};

void agni_convert_elements(char *to, int to_dtype, int64_t to_step, const char *from,
                           int from_dtype, int64_t from_step, int64_t n)
{
    convert_fn *direct = direct_conversions[from_dtype][to_dtype];
    if (direct) {
        direct(to, to_step, from, from_step, n);
        return;
    }
    block b;
    for (int64_t k = 0; k < n; k += BLOCK) {
        int64_t m = n - k < BLOCK ? n - k : BLOCK;
        load_block(&b, from_dtype, from + k * from_step, from_step, m);
        store_block(&b, agni_kind(from_dtype), to_dtype, to + k * to_step, to_step, m);
    }
}
