/* tensor/value/dtype.c - dtypes: facts, and promotion as in the array API standard and NumPy. */
#include "tensor/value/tensor.h"

#include <agnesi/dtype.h>
#include <math.h>

#define ROW(NAME, n, npy, bytes, kind, wide, real) \
    [AGN_##NAME] = {n, npy, bytes, AGNI_KIND_##kind, AGN_##wide, AGN_##real}
const agni_dtype_info agni_dtypes[AGN_NDTYPES] = {
    ROW(BOOL, "bool", "|b1", 1, BOOL, BOOL, BOOL),
    ROW(U8, "u8", "|u1", 1, INT, I32, U8),
    ROW(I8, "i8", "|i1", 1, INT, I32, I8),
    ROW(I16, "i16", "<i2", 2, INT, I32, I16),
    ROW(I32, "i32", "<i4", 4, INT, I32, I32),
    ROW(I64, "i64", "<i8", 8, INT, I64, I64),
    ROW(F16, "f16", "<f2", 2, FLOAT, F32, F16),
    ROW(BF16, "bf16", "<V2", 2, FLOAT, F32, BF16),
    ROW(F32, "f32", "<f4", 4, FLOAT, F32, F32),
    ROW(F64, "f64", "<f8", 8, FLOAT, F64, F64),
    ROW(C64, "c64", "<c8", 8, COMPLEX, C64, F32),
    ROW(C128, "c128", "<c16", 16, COMPLEX, C128, F64),
};

static bool is_valid_dtype(int32_t d)
{
    return d >= 0 && d < AGN_NDTYPES;
}

const char *agn_dtype_name(agn_dtype dtype)
{
    return is_valid_dtype(dtype) ? agni_dtypes[dtype].name : "?";
}

size_t agn_dtype_size(agn_dtype dtype)
{
    return is_valid_dtype(dtype) ? (size_t)agni_dtypes[dtype].bytes : 0;
}

/* the smallest float that holds an integer dtype as NumPy has it */
static int float_holding(int d)
{
    switch (d) {
    case AGN_BOOL:
    case AGN_U8:
    case AGN_I8:
        return AGN_F16;
    case AGN_I16:
        return AGN_F32;
    default:
        return AGN_F64;
    }
}

static int promote_same_kind(int a, int b)
{
    if (a == b)
        return a;
    int lo = a < b ? a : b, hi = a < b ? b : a;
    if (lo == AGN_U8 && hi == AGN_I8)
        return AGN_I16;
    if (lo == AGN_F16 && hi == AGN_BF16)
        return AGN_F32;
    return hi;
}

int agni_promote(int a, int b)
{
    if (agni_kind(a) > agni_kind(b)) {
        int t = a;
        a = b;
        b = t;
    }
    int ka = agni_kind(a), kb = agni_kind(b);
    if (ka == kb)
        return promote_same_kind(a, b);
    if (ka == AGNI_KIND_BOOL)
        return b;
    if (b == AGN_BF16 && (a == AGN_U8 || a == AGN_I8))
        return AGN_BF16; /* holds eight bits, as f16 does */
    if (kb == AGNI_KIND_FLOAT)
        return promote_same_kind(float_holding(a), b);
    int real = promote_same_kind(ka == AGNI_KIND_INT ? float_holding(a) : a, agni_dtypes[b].real);
    return real == AGN_F64 ? AGN_C128 : AGN_C64;
}

int agni_promote_weak(int weak, int strong)
{
    int kw = agni_kind(weak), ks = agni_kind(strong);
    if (kw <= ks)
        return strong;
    if (kw == AGNI_KIND_FLOAT)
        return AGN_F64; /* a fraction with an integer */
    if (kw == AGNI_KIND_COMPLEX)
        return agni_dtypes[strong].bytes == 8 || ks < AGNI_KIND_FLOAT ? AGN_C128 : AGN_C64;
    return weak;
}

agn_status agn_result_type(agn_dtype *out, const agn_tensor *const *xs, int32_t n)
{
    if (!out || !xs)
        return agni_fail(AGN_ENULL, "result_type: %s is NULL", out ? "xs" : "out");
    if (n < 1)
        return agni_fail(AGN_EARG, "result_type: %d tensors, at least 1 is needed", n);
    agni_promotion mix = {-1, -1};
    for (int32_t i = 0; i < n; i++) {
        if (!xs[i])
            return agni_fail(AGN_ENULL, "result_type: xs[%d] is NULL", i);
        agni_promotion_add(&mix, xs[i]);
    }
    *out = agni_promotion_dtype(&mix);
    return AGN_OK;
}

agn_dtype agn_promote(agn_dtype a, agn_dtype b)
{
    return is_valid_dtype(a) && is_valid_dtype(b) ? agni_promote(a, b) : -1;
}

agn_status agni_dtype_check(const char *op, agn_dtype dtype)
{
    if (is_valid_dtype(dtype))
        return AGN_OK;
    return agni_fail(AGN_EDTYPE, "%s: %d is no dtype; there are %d", op, (int)dtype,
                     (int)AGN_NDTYPES);
}

bool agni_dtype_holds(int dtype, double v)
{
    static const double lo[] = {0, 0, -128, -32768, -0x1p31, -0x1p63};
    static const double hi[] = {1, 255, 127, 32767, 0x1p31 - 1, 0x1p63};
    return agni_kind(dtype) != AGNI_KIND_INT ||
           (v == rint(v) && v >= lo[dtype] &&
            (v < hi[dtype] || (v == hi[dtype] && dtype != AGN_I64)));
}

/* complex numbers are two real ones in C (6.2.5) */
int agni_alignment(int dtype)
{
    return agni_dtypes[agni_dtypes[dtype].real].bytes;
}

/* ---- facts ----------------------------------------------------------------------------- */

_Static_assert((int)AGN_KIND_INTEGER == AGNI_KIND_INT && (int)AGN_KIND_REAL == AGNI_KIND_FLOAT &&
                   (int)AGN_KIND_COMPLEX == AGNI_KIND_COMPLEX,
               "kinds are named twice");
static bool is_kind(agn_dtype dtype, int kind)
{
    return is_valid_dtype(dtype) && agni_kind(dtype) == kind;
}
bool agn_is_floating(agn_dtype dtype)
{
    return is_kind(dtype, AGNI_KIND_FLOAT);
}
bool agn_is_complex(agn_dtype dtype)
{
    return is_kind(dtype, AGNI_KIND_COMPLEX);
}
bool agn_is_integer(agn_dtype dtype)
{
    return is_kind(dtype, AGNI_KIND_INT);
}
bool agn_is_signed(agn_dtype dtype)
{
    return is_valid_dtype(dtype) && dtype != AGN_BOOL && dtype != AGN_U8;
}
bool agn_can_cast(agn_dtype from, agn_dtype to)
{
    return is_valid_dtype(from) && is_valid_dtype(to) && agni_promote(from, to) == to;
}

/* binary digits, and the exponent of the smallest normal number (IEEE 754-2019, table 3.5) */
static const struct {
    int32_t digits, lowest;
} significands[AGN_NDTYPES] = {
    [AGN_BOOL] = {1, 0},      [AGN_U8] = {8, 0},        [AGN_I8] = {7, 0},
    [AGN_I16] = {15, 0},      [AGN_I32] = {31, 0},      [AGN_I64] = {63, 0},
    [AGN_F16] = {11, -14},    [AGN_BF16] = {8, -126},   [AGN_F32] = {24, -126},
    [AGN_F64] = {53, -1022},  [AGN_C64] = {24, -126},   [AGN_C128] = {53, -1022},
};

agn_status agn_dtype_describe(agn_dtype_facts *facts, agn_dtype dtype)
{
    if (!facts)
        return agni_fail(AGN_ENULL, "dtype_describe: facts is NULL");
    if (agni_check_size("dtype_describe", agn_dtype_facts, facts))
        return AGN_EARG;
    agn_status st = agni_dtype_check("dtype_describe", dtype);
    if (st)
        return st;
    int digits = significands[dtype].digits, low = significands[dtype].lowest;
    agn_dtype_facts f = {.size = sizeof f,
                         .name = agni_dtypes[dtype].name,
                         .kind = agni_kind(dtype),
                         .is_signed = agn_is_signed(dtype),
                         .bytes = agni_dtypes[dtype].bytes,
                         .digits = digits};
    if (f.kind <= AGNI_KIND_INT) {
        f.max = (int64_t)(UINT64_MAX >> (64 - digits));
        f.min = f.is_signed ? -f.max - 1 : 0;
        f.lowest = (double)f.min;
        f.largest = (double)f.max;
        f.eps = f.smallest = f.tiniest = 1;
    } else {
        f.eps = ldexp(1, 1 - digits);
        f.largest = ldexp(2 - f.eps, 1 - low);
        f.lowest = -f.largest;
        f.smallest = ldexp(1, low);
        f.tiniest = ldexp(f.eps, low);
    }
    *facts = f;
    return AGN_OK;
}
