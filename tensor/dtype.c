/* tensor/dtype.c - facts about dtypes and promotion. */
#include "tensor/tensor.h"

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

static bool valid(int32_t d)
{
    return d >= 0 && d < AGN_NDTYPES;
}

const char *agn_dtype_name(agn_dtype dtype)
{
    return valid(dtype) ? agni_dtypes[dtype].name : "?";
}

size_t agn_dtype_size(agn_dtype dtype)
{
    return valid(dtype) ? (size_t)agni_dtypes[dtype].bytes : 0;
}

/* the smallest float that holds an integer dtype as NumPy has it */
static int float_for(int d)
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
        return promote_same_kind(float_for(a), b);
    int real = promote_same_kind(ka == AGNI_KIND_INT ? float_for(a) : a, agni_dtypes[b].real);
    return real == AGN_F64 ? AGN_C128 : AGN_C64;
}

int agni_promote_weak(int weak, int strong)
{
    int kw = agni_kind(weak), ks = agni_kind(strong);
    if (kw <= ks)
        return strong;
    if (kw == AGNI_KIND_FLOAT)
        return AGN_F64; /* a fraction beside an integer */
    if (kw == AGNI_KIND_COMPLEX)
        return agni_dtypes[strong].bytes == 8 || ks < AGNI_KIND_FLOAT ? AGN_C128 : AGN_C64;
    return weak;
}

agn_dtype agn_promote(agn_dtype a, agn_dtype b)
{
    return valid(a) && valid(b) ? agni_promote(a, b) : -1;
}

agn_status agni_dtype_check(const char *op, agn_dtype dtype)
{
    if (valid(dtype))
        return AGN_OK;
    return agni_fail(AGN_EDTYPE, "%s: %d is no dtype; there are %d", op, (int)dtype,
                     (int)AGN_NDTYPES);
}

/* complex numbers are two real ones in C (6.2.5) */
int agni_alignment(int dtype)
{
    return agni_dtypes[agni_dtypes[dtype].real].bytes;
}
