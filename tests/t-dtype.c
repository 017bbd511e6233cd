/* tests/t-dtype.c - what dtypes say of themselves, against arithmetic in them. */
#include "laws.h"

#include <float.h>

/* limits as C has them; of the 16-bit floats by their definition */
static const struct {
    double lowest, largest, eps, smallest, tiniest;
} limits[AGN_NDTYPES] = {
    [AGN_BOOL] = {0, 1, 1, 1, 1},
    [AGN_U8] = {0, UINT8_MAX, 1, 1, 1},
    [AGN_I8] = {INT8_MIN, INT8_MAX, 1, 1, 1},
    [AGN_I16] = {INT16_MIN, INT16_MAX, 1, 1, 1},
    [AGN_I32] = {INT32_MIN, INT32_MAX, 1, 1, 1},
    [AGN_I64] = {-0x1p63, 0x1p63, 1, 1, 1},
    [AGN_F16] = {-65504, 65504, 0x1p-10, 0x1p-14, 0x1p-24},
    [AGN_BF16] = {-0x1.fep127, 0x1.fep127, 0x1p-7, 0x1p-126, 0x1p-133},
    [AGN_F32] = {-0x1.fffffep127, 0x1.fffffep127, 0x1p-23, 0x1p-126, 0x1p-149},
    [AGN_F64] = {-DBL_MAX, DBL_MAX, DBL_EPSILON, DBL_MIN, 0x1p-1074},
    [AGN_C64] = {-0x1.fffffep127, 0x1.fffffep127, 0x1p-23, 0x1p-126, 0x1p-149},
    [AGN_C128] = {-DBL_MAX, DBL_MAX, DBL_EPSILON, DBL_MIN, 0x1p-1074},
};

static double through(int dtype, double v)
{
    agn_tensor *x = scalar_of(AGN_F64, v), *y = NULL;
    must(agn_cast(&y, x, dtype));
    double back = peek(y, 0);
    agn_release(x), agn_release(y);
    return back;
}

static void test_facts(void)
{
    tally t = {0};
    for (int d = 0; d < AGN_NDTYPES; d++) {
        agn_dtype_facts f = {.size = sizeof f};
        must(agn_dtype_describe(&f, d));
        const char *name = agn_dtype_name(d);
        check(&t, !strcmp(f.name, name) && (size_t)f.bytes == agn_dtype_size(d), "%s: name, bytes", name);
        check(&t, f.kind == kind_of(d), "%s: kind %d", name, f.kind);
        check(&t, f.lowest == limits[d].lowest && f.largest == limits[d].largest &&
                      f.eps == limits[d].eps && f.smallest == limits[d].smallest &&
                      f.tiniest == limits[d].tiniest, "%s: limits", name);
        check(&t, agn_is_complex(d) == (f.kind == AGN_KIND_COMPLEX) &&
                      agn_is_floating(d) == (f.kind == AGN_KIND_REAL) &&
                      agn_is_integer(d) == (f.kind == AGN_KIND_INTEGER) &&
                      agn_is_signed(d) == (f.lowest < 0) && f.is_signed == (f.lowest < 0),
              "%s: queries", name);
        if (f.kind <= AGN_KIND_INTEGER) {
            agn_tensor *x = NULL;
            must(agn_full_i64(&x, d, 0, NULL, f.max));
            check(&t, peek_int(x, 0) == f.max, "%s: largest", name);
            agn_release(x);
            x = NULL;
            must(agn_full_i64(&x, d, 0, NULL, f.min));
            check(&t, peek_int(x, 0) == f.min, "%s: smallest", name);
            agn_release(x);
            continue;
        }
        check(&t, through(d, f.largest) == f.largest && isinf(through(d, f.largest * (1 + f.eps))),
              "%s: nothing is larger", name);
        check(&t, through(d, 1 + f.eps) == 1 + f.eps && through(d, 1 + f.eps / 2) == 1, "%s: eps", name);
        check(&t, f.digits == 1 - ilogb(f.eps), "%s: %d digits", name, f.digits);
        check(&t, through(d, f.tiniest) == f.tiniest && through(d, f.tiniest / 2) == 0 &&
                      through(d, f.smallest * (1 - f.eps)) == f.smallest * (1 - f.eps),
              "%s: the smallest numbers", name);
    }
    for (int d = -1; d <= AGN_NDTYPES; d += AGN_NDTYPES + 1)
        check(&t, !agn_is_complex(d) && !agn_is_floating(d) && !agn_is_integer(d) && !agn_is_signed(d) &&
                      !agn_can_cast(d, AGN_F64) && !agn_can_cast(AGN_F64, d), "no dtype %d", d);
    tell(&t, "facts of every dtype, as casts have them");
}

static void test_result(void)
{
    tally t = {0};
    for (int a = 0; a < AGN_NDTYPES; a++)
        for (int b = 0; b < AGN_NDTYPES; b++) {
            agn_tensor *x = scalar_of(a, 1), *y = scalar_of(b, 1), *half = NULL, *one = NULL, *p = NULL;
            int32_t d = -1, e = -1;
            must(agn_lit(&half, 0.5));
            must(agn_lit(&one, 1));
            must(agn_result_type(&d, (const agn_tensor *[]){x, y}, 2));
            check(&t, d == agn_promote(a, b) && agn_can_cast(a, b) == (d == b), "%s, %s",
                  agn_dtype_name(a), agn_dtype_name(b));
            must(agn_result_type(&d, (const agn_tensor *[]){half, x, y, one}, 4));
            agn_tensor *q = NULL;
            must(agn_mul(&p, x, y));
            must(agn_add(&q, p, half));
            e = agn_dtype_of(q);
            check(&t, d == e, "%s, %s and a fraction: %s", agn_dtype_name(a), agn_dtype_name(b),
                  agn_dtype_name(d));
            agn_release(x), agn_release(y), agn_release(half), agn_release(one), agn_release(p);
            agn_release(q);
        }
    tell(&t, "dtype of a result: what ops give");
}

static void test_errors(void)
{
    tally t = {0};
    agn_dtype_facts f = {.size = sizeof f, .digits = 77}, small = {.size = 8, .digits = 77};
    agn_dtype d = 77;
    agn_tensor *x = scalar_of(AGN_F64, 1);
    check(&t, agn_dtype_describe(NULL, AGN_F64) == AGN_ENULL, "no facts");
    check(&t, agn_dtype_describe(&f, 12) == AGN_EDTYPE && f.digits == 77, "no dtype");
    check(&t, agn_dtype_describe(&small, AGN_F64) == AGN_EARG && small.digits == 77, "size");
    check(&t, agn_result_type(NULL, (const agn_tensor *[]){x}, 1) == AGN_ENULL, "no out");
    check(&t, agn_result_type(&d, NULL, 1) == AGN_ENULL && d == 77, "no tensors");
    check(&t, agn_result_type(&d, (const agn_tensor *[]){x, NULL}, 2) == AGN_ENULL && d == 77, "one NULL");
    check(&t, agn_result_type(&d, (const agn_tensor *[]){x}, 0) == AGN_EARG && d == 77, "none of them");
    agn_release(x);
    tell(&t, "each documented error, provoked");
}

int main(void)
{
    test_facts();
    test_result();
    test_errors();
    return done();
}
