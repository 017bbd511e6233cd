/* tests/t-tensor.c - life and facts of tensors: creation, wrapping, promotion, casts, views,
   host access, sizes that cannot exist. */
#include "laws.h"

/* ---- dtypes and promotion ------------------------------------------------------------ */

/* Made by numpy.promote_types (NumPy 2.4, bfloat16 of ml_dtypes) over all pairs, which
   agrees with the array API standard wherever that defines a result. Differences: ml_dtypes
   refuses bf16 beside f16, i16 and wider integers; there we take the smallest float that
   holds both, f32 or f64, as JAX does for floats (marked by capitals). */
static const char *const promotion[AGN_NDTYPES] = {
    "bu1248hgsdcz", /* bool */
    "uu2248hgsdcz", /* u8 */
    "121248hgsdcz", /* i8 */
    "222248sSsdcz", /* i16 */
    "444448dDddzz", /* i32 */
    "888888dDddzz", /* i64 */
    "hhhsddhSsdcz", /* f16 */
    "gggSDDSgsdcz", /* bf16 */
    "ssssddsssdcz", /* f32 */
    "ddddddddddzz", /* f64 */
    "cccczzccczcz", /* c64 */
    "zzzzzzzzzzzz", /* c128 */
};
static const char letters[] = "bu1248hgsdcz";

static int dtype_of_letter(char c)
{
    const char *p = strchr(letters, c == 'S' ? 's' : c == 'D' ? 'd' : c);
    return (int)(p - letters);
}

static void test_dtypes(void)
{
    static const char *const names[] = {"bool", "u8",   "i8",  "i16", "i32", "i64",
                                        "f16",  "bf16", "f32", "f64", "c64", "c128"};
    static const size_t sizes[] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
    tally t = {0};
    for (int d = 0; d < AGN_NDTYPES; d++) {
        check(&t, !strcmp(agn_dtype_name(d), names[d]), "name of dtype %d", d);
        check(&t, agn_dtype_size(d) == sizes[d], "size of %s", names[d]);
    }
    check(&t, !strcmp(agn_dtype_name(-1), "?") && !strcmp(agn_dtype_name(12), "?"),
          "bad name");
    check(&t, agn_dtype_size(-1) == 0 && agn_dtype_size(12) == 0, "bad size");
    check(&t, agn_promote(-1, 3) == -1 && agn_promote(3, 12) == -1,
          "bad dtype promotes");
    tell(&t, "names and sizes of dtypes");
    t = (tally){0};
    for (int a = 0; a < AGN_NDTYPES; a++)
        for (int b = 0; b < AGN_NDTYPES; b++) {
            int want = dtype_of_letter(promotion[a][b]);
            check(&t, agn_promote(a, b) == want, "promote(%s, %s) is %s, not %s",
                  names[a], names[b], agn_dtype_name(agn_promote(a, b)), names[want]);
            agn_tensor *x = scalar_of(a, 1), *y = scalar_of(b, 1), *w = NULL;
            must(agn_mul(&w, x, y));
            check(&t, agn_dtype_of(w) == want, "%s * %s is %s", names[a], names[b],
                  agn_dtype_name(agn_dtype_of(w)));
            check(&t, agn_ndim(w) == 0 && peek(w, 0) == 1, "value of %s * %s", names[a],
                  names[b]);
            agn_release(x), agn_release(y), agn_release(w);
        }
    tell(&t, "A16 D3: promotion of all pairs of dtypes");
}

static void test_literals(void)
{
    tally t = {0};
    static const struct {
        double v;
        int with_bool, with_int;
    } lits[] = {{2, AGN_I64, -1},
                {-7, AGN_I64, -1},
                {2.5, AGN_F64, AGN_F64},
                {0, AGN_I64, -1},
                {(double)INFINITY, AGN_F64, AGN_F64},
                {(double)NAN, AGN_F64, AGN_F64},
                {-0.0, AGN_F64, AGN_F64}};
    for (int d = 0; d < AGN_NDTYPES; d++)
        for (int k = 0; k < COUNT(lits); k++) {
            agn_tensor *x = scalar_of(d, 1), *l = NULL, *y = NULL, *z = NULL, *c = NULL;
            int want = kind_of(d) == KIND_BOOL ? lits[k].with_bool
                       : kind_of(d) == KIND_INT && lits[k].with_int >= 0
                           ? lits[k].with_int
                           : d;
            must(agn_lit(&l, lits[k].v));
            if (d == AGN_U8 && lits[k].v == -7) { /* not one of its numbers */
                y = untouched;
                check(&t, refused(agn_add(&y, x, l), AGN_EDOMAIN, "add", "-7", "u8", y), "u8 - 7");
                agn_release(x), agn_release(l);
                continue;
            }
            must(agn_add(&y, x, l));
            must(agn_add(&z, l, x));
            must(agn_add_c(&c, x, lits[k].v));
            check(&t,
                  agn_dtype_of(y) == want && agn_dtype_of(z) == want &&
                      agn_dtype_of(c) == want,
                  "%s + %g is %s, not %s", agn_dtype_name(d), lits[k].v,
                  agn_dtype_name(agn_dtype_of(y)), agn_dtype_name(want));
            check(&t, same_values(y, c), "the _c form differs: %s, %g",
                  agn_dtype_name(d), lits[k].v);
            agn_release(x), agn_release(l), agn_release(y), agn_release(z),
                agn_release(c);
        }
    tell(&t, "a literal takes the other operand's dtype within its kind");

    agn_tensor *two = NULL, *half = NULL, *w = NULL, *f = scalar_of(AGN_F32, 1),
               *y = NULL;
    must(agn_lit(&two, 2));
    must(agn_lit(&half, 0.5));
    must(agn_add(&w, two, half));
    must(agn_mul(&y, w, f));
    ok(agn_dtype_of(y) == AGN_F32 && peek(y, 0) == 2.5,
       "sums of literals stay literals");
    agn_release(w), agn_release(y);
    agn_tensor *strong = NULL, *i32 = scalar_of(AGN_I32, 3);
    must(agn_cast(&strong, two, AGN_I64));
    must(agn_add(&y, i32, strong));
    is_int(agn_dtype_of(y), AGN_I64, "a cast literal is a literal no more");
    agn_release(y), agn_release(strong);
    agn_tensor *zero = scalar_of(AGN_F64, 0), *one = scalar_of(AGN_F64, 1), *neg = NULL;
    must(agn_lit(&neg, -0.0));
    must(agn_atan2(&y, neg, neg));
    ok(peek(y, 0) < -3, "-0.0 is a literal with its sign");
    agn_release(y);
    must(agn_mul_c(&y, one, -0.0));
    ok(signbit(peek(y, 0)), "1 times the literal -0.0");
    agn_release(y);
    /* what no number of the dtype can hold is refused, not wrapped */
    y = untouched;
    agn_status st = agn_add_c(&y, i32, 0x1p40);
    ok(refused(st, AGN_EDOMAIN, "add_c", "1099511627776", "i32", y),
       "a literal beyond i32 is refused");
    agn_tensor *i64 = scalar_of(AGN_I64, 1), *big = NULL;
    must(agn_add_c(&big, i64, 1e17));
    ok(agn_dtype_of(big) == AGN_I64 && peek_int(big, 0) == 100000000000000001,
       "whole literals above 2^53 are integers too");
    agn_release(big), agn_release(i64);
    agn_release(two), agn_release(half), agn_release(f), agn_release(i32),
        agn_release(neg);
    agn_release(zero), agn_release(one);
}

/* ---- creation ------------------------------------------------------------------------ */

static void test_full(void)
{
    tally t = {0};
    static const double v[] = {0,
                               1,
                               -1,
                               255,
                               2.5,
                               -0.0,
                               0x1p53,
                               1e300,
                               (double)INFINITY,
                               -(double)INFINITY,
                               (double)NAN};
    for (int d = 0; d < AGN_NDTYPES; d++)
        for (int k = 0; k < COUNT(v); k++) {
            int64_t shape[2] = {7, 300};
            agn_tensor *x = untouched;
            agn_status st = agn_full(&x, d, 2, shape, v[k]);
            static const double lo[] = {0, 0, -128, -32768, -0x1p31, -0x1p63};
            static const double hi[] = {0, 255, 127, 32767, 0x1p31 - 1, 0x1p62};
            bool fits = kind_of(d) != KIND_INT ||
                        (v[k] == rint(v[k]) && v[k] >= lo[d] && v[k] <= hi[d]);
            if (!fits) {
                check(&t, refused(st, AGN_EDOMAIN, "full", agn_dtype_name(d), NULL, x),
                      "full(%s, %g) is refused", agn_dtype_name(d), v[k]);
                continue;
            }
            check(&t, !st, "full(%s, %g)", agn_dtype_name(d), v[k]);
            char want[16];
            poke(want, d, v[k], 0);
            bool same = agn_dtype_of(x) == d && has_shape(x, 2, shape);
            for (int64_t i = 0; same && i < 2100; i++)
                same = !memcmp(place(x, i), want, agn_dtype_size(d)) ||
                       (isnan(v[k]) && isnan(peek(x, i)));
            check(&t, same, "elements of full(%s, %g)", agn_dtype_name(d), v[k]);
            agn_release(x);
        }
    static const int64_t n[] = {INT64_MIN, INT64_MAX, ((int64_t)1 << 53) + 1,
                                255,       256,       -1};
    for (int d = 0; d < AGN_NDTYPES; d++)
        for (int k = 0; k < COUNT(n); k++) {
            static const int64_t lo[] = {0, 0, -128, -32768, INT32_MIN, INT64_MIN};
            static const int64_t hi[] = {1, 255, 127, 32767, INT32_MAX, INT64_MAX};
            agn_tensor *x = untouched;
            agn_status st = agn_full_i64(&x, d, 1, (int64_t[]){3}, n[k]);
            if (kind_of(d) == KIND_INT && (n[k] < lo[d] || n[k] > hi[d])) {
                check(&t,
                      refused(st, AGN_EDOMAIN, "full_i64", agn_dtype_name(d), NULL, x),
                      "full_i64(%s) refuses %" PRId64, agn_dtype_name(d), n[k]);
                continue;
            }
            check(&t, !st, "full_i64 of %s", agn_dtype_name(d));
            if (kind_of(d) == KIND_INT)
                check(&t, peek_int(x, 2) == n[k], "full_i64 is exact: %s %" PRId64,
                      agn_dtype_name(d), n[k]);
            else if (d == AGN_F32)
                check(&t, peek(x, 1) == (double)(float)n[k], "full_i64 rounds once");
            agn_release(x);
        }
    tell(&t, "full and full_i64: every dtype, values exact or refused");
}

static void test_ranges(void)
{
    tally t = {0};
    static const double range[][3] = {
        {0, 5, 1},    {0, 1, 0.1},   {5, 0, -1},     {0, 5, -1},    {1, 1, 1},
        {0, 1e-9, 1}, {-3, 3, 0.75}, {10, -1, -2.5}, {0.5, 4.5, 1}, {0, 127, 1}};
    for (int d = AGN_U8; d < AGN_NDTYPES; d++)
        for (int k = 0; k < COUNT(range); k++) {
            double lo = range[k][0], hi = range[k][1], by = range[k][2];
            if (d == AGN_U8 && (lo < 0 || hi < 0))
                continue;
            agn_tensor *x = NULL;
            must(agn_arange(&x, d, lo, hi, by));
            double c = ceil((hi - lo) / by);
            int64_t n = c > 0 ? (int64_t)c : 0;
            bool same = agn_numel(x) == n && agn_ndim(x) == 1 && agn_dtype_of(x) == d;
            for (int64_t i = 0; same && i < n; i++) {
                char want[16];
                poke(want, d, lo + (double)i * by, 0);
                same = !memcmp(place(x, i), want, agn_dtype_size(d));
            }
            check(&t, same, "arange(%s, %g, %g, %g) has %" PRId64 " elements",
                  agn_dtype_name(d), lo, hi, by, agn_numel(x));
            agn_release(x);
        }
    agn_tensor *x = NULL;
    must(agn_arange(&x, AGN_I64, 0x1p53, 0x1p53 + 8, 2));
    check(&t, agn_numel(x) == 4 && peek_int(x, 3) == ((int64_t)1 << 53) + 6,
          "large integers");
    agn_release(x);
    x = untouched;
    agn_status st = agn_arange(&x, AGN_I64, 0x1p70, 0x1p70 + 0x1p60, 0x1p60);
    check(&t, refused(st, AGN_EDOMAIN, "arange", "i64", NULL, x), "arange beyond i64");
    st = agn_arange(&x, AGN_U8, 0, 300, 1);
    check(&t, refused(st, AGN_EDOMAIN, "arange", "u8", NULL, x), "arange beyond u8");
    tell(&t, "arange: start + i * step in every dtype");

    t = (tally){0};
    static const double ends[][2] = {{0, 1},
                                     {-1, 1},
                                     {0.1, 0.7},
                                     {3, -8},
                                     {5, 5},
                                     {1e-3, 60000},
                                     {-(double)INFINITY, 1}};
    static const int64_t counts[] = {0, 1, 2, 3, 10, 1001};
    for (int d = AGN_F16; d < AGN_NDTYPES; d++)
        for (int k = 0; k < COUNT(ends) - 1; k++)
            for (int j = 0; j < COUNT(counts); j++) {
                int64_t n = counts[j];
                must(agn_linspace(&x, d, ends[k][0], ends[k][1], n));
                char first[16], last[16];
                poke(first, d, ends[k][0], 0), poke(last, d, ends[k][1], 0);
                bool good = agn_numel(x) == n && agn_dtype_of(x) == d;
                if (n > 0)
                    good = good && !memcmp(place(x, 0), first, agn_dtype_size(d));
                if (n > 1)
                    good = good && !memcmp(place(x, n - 1), last, agn_dtype_size(d));
                for (int64_t i = 0; good && d == AGN_F64 && i < n; i++) {
                    double w = ends[k][0], f = n > 1 ? (double)i / (double)(n - 1) : 0;
                    w = w + (ends[k][1] - w) * f;
                    good = fabs(peek(x, i) - w) <=
                           4e-16 * (fabs(ends[k][0]) + fabs(ends[k][1]));
                }
                check(&t, good, "linspace(%s, %g, %g, %" PRId64 ")", agn_dtype_name(d),
                      ends[k][0], ends[k][1], n);
                agn_release(x);
            }
    must(agn_linspace(&x, AGN_F64, -1.5e308, 1.5e308, 5));
    check(&t,
          peek(x, 0) == -1.5e308 && peek(x, 4) == 1.5e308 && peek(x, 2) == 0 &&
              peek(x, 1) == -0.75e308,
          "linspace across the whole range");
    agn_release(x);
    tell(&t, "linspace: both ends exact in every dtype");

    t = (tally){0};
    static const int64_t ks[] = {0, 1, -1, 3, -3, 9, -9, INT64_MAX, INT64_MIN};
    for (int d = 0; d < AGN_NDTYPES; d++)
        for (int64_t r = 0; r < 4; r++)
            for (int64_t c = 0; c < 5; c++)
                for (int k = 0; k < COUNT(ks); k++) {
                    must(agn_eye(&x, d, r, c, ks[k]));
                    bool good = has_shape(x, 2, (int64_t[]){r, c});
                    for (int64_t i = 0; i < r; i++)
                        for (int64_t j = 0; j < c; j++) {
                            bool on = ks[k] > -100 && ks[k] < 100 && j - i == ks[k];
                            good = good && peek(x, i * c + j) == (on ? 1 : 0);
                        }
                    check(&t, good, "eye(%s, %d, %d, %" PRId64 ")", agn_dtype_name(d),
                          (int)r, (int)c, ks[k]);
                    agn_release(x);
                }
    tell(&t, "eye: every diagonal of small matrices");
}

/* ---- wrapping ------------------------------------------------------------------------- */

static int destroyed;
static void count_destroy(void *user)
{
    destroyed += user == (void *)&destroyed;
}

static void test_wrap(void)
{
    double m[12];
    for (int i = 0; i < 12; i++)
        m[i] = i;
    agn_tensor *x = NULL, *y = NULL, *v = NULL;
    /* column-major 3 x 4 */
    must(agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){3, 4}, (int64_t[]){1, 3}, m, false,
                       count_destroy, &destroyed));
    ok(agn_data(x) == m && !agn_is_contiguous(x), "a column-major array is not copied");
    const void *rows = &rows;
    agn_status strided = agn_data_contiguous(&rows, x);
    ok(strided == AGN_EARG && rows == (const void *)&rows &&
           strstr(agn_error_message(), "axis 0 of [3,4] has stride 1, rows without gaps 4"),
       "nor are its columns taken for rows: %s", agn_error_message());
    must(agn_contiguous(&y, x));
    must(agn_data_contiguous(&rows, y));
    ok(rows == agn_data(y) && ((const double *)rows)[1] == 3, "a copy of it has rows");
    agn_release(y);
    y = NULL;
    is_int(agn_data_contiguous(NULL, x), AGN_ENULL, "data_contiguous: out is NULL");
    is_int(agn_data_contiguous(&rows, NULL), AGN_ENULL, "data_contiguous: no tensor");
    tally t = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            check(&t, peek(x, i * 4 + j) == i + 3 * j, "element %d, %d", i, j);
    double flat[12];
    must(agn_to_host(flat, x, sizeof flat));
    for (int i = 0; i < 12; i++)
        check(&t, flat[i] == i / 4 + 3 * (i % 4), "to_host element %d", i);
    must(agn_add(&y, x, x));
    for (int i = 0; i < 12; i++)
        check(&t, peek(y, i) == 2 * flat[i], "sum of the wrapped array");
    tell(&t, "a column-major array reads by its strides");
    must(agn_transpose(&v, x));
    ok(agn_is_contiguous(v) && agn_data(v) == m,
       "its transpose is row-major, without a copy");
    agn_release(x);
    is_int(destroyed, 0, "a view keeps wrapped memory");
    agn_release(v);
    is_int(destroyed, 1, "the last reference calls destroy once");
    agn_release(y);

    must(agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){3, 4}, (int64_t[]){-4, -1}, m + 11,
                       true, NULL, NULL));
    t = (tally){0};
    for (int i = 0; i < 12; i++)
        check(&t, peek(x, i) == 11 - i, "reversed element %d", i);
    must(agn_contiguous(&y, x));
    for (int i = 0; i < 12; i++)
        check(&t, ((const double *)agn_data(y))[i] == 11 - i, "copy of the reversed %d",
              i);
    tell(&t, "negative strides");
    void *p = (void *)m;
    agn_status st = agn_data_mut(&p, x);
    ok(st == AGN_EARG && p == m && strstr(agn_error_message(), "read-only"),
       "memory wrapped read-only is not written");
    must(agn_data_mut(&p, y));
    agn_release(y);
    must(agn_reshape(&y, x, 1, (int64_t[]){12}));
    ok(agn_data(y) == m + 11 && agn_strides(y)[0] == -1,
       "reversed rows reshape to a view");
    st = agn_data_mut(&p, y);
    ok(st == AGN_EARG, "a view of read-only memory is read-only");
    agn_release(x), agn_release(y);

    /* destroy is not called by a wrap that fails */
    x = untouched;
    destroyed = 0;
    st = agn_wrap_host(&x, AGN_F64, 1, (int64_t[]){2}, NULL, (char *)m + 4, false,
                       count_destroy, &destroyed);
    ok(refused(st, AGN_EARG, "wrap_host", "aligned", "f64", x),
       "misaligned memory is refused");
    st = agn_wrap_host(&x, AGN_F64, 1, (int64_t[]){-2}, NULL, m, false, count_destroy,
                       &destroyed);
    ok(st == AGN_ESHAPE && x == untouched, "a negative size is refused");
    for (int64_t n = 0;; n++) {
        x = untouched;
        agn_memory_fail_after(n);
        st = agn_wrap_host(&x, AGN_F64, 1, (int64_t[]){2}, NULL, m, false,
                           count_destroy, &destroyed);
        agn_memory_fail_after(-1);
        if (!st)
            break;
    }
    is_int(destroyed, 0, "a failed wrap does not call destroy");
    agn_release(x);
    is_int(destroyed, 1, "a wrap that succeeded does");
    must(agn_wrap_host(&x, AGN_C128, 2, (int64_t[]){0, 3}, NULL, NULL, false,
                       count_destroy, &destroyed));
    ok(agn_numel(x) == 0, "an empty wrap needs no memory");
    agn_release(x);
    is_int(destroyed, 2, "and is destroyed too");
}

/* ---- casts ------------------------------------------------------------------------------ */

/* what cast promises, from the exact source value */
static void cast_oracle(void *to, int d, int from, const void *p)
{
    double complex z = peek_at(p, from);
    long double v = (long double)creal(z);
    int64_t i = 0;
    bool whole = kind_of(from) <= KIND_INT;
    if (from == AGN_I64) {
        memcpy(&i, p, sizeof i);
        v = (long double)i;
    } else if (whole) {
        i = (int64_t)creal(z);
    }
    static const long double lo[] = {0, 0, -128, -32768, -0x1p31L, -0x1p63L};
    static const long double hi[] = {1, 255, 127, 32767, 0x1p31L - 1, 0x1p63L - 1};
    if (kind_of(d) == KIND_INT && !whole)
        i = isnan(v)     ? 0
            : v <= lo[d] ? (int64_t)lo[d]
            : v >= hi[d] ? (int64_t)hi[d]
                         : (int64_t)v;
    union {
        bool b;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint16_t h;
        float f;
        double g;
        float c[2];
        double z[2];
    } r;
    memset(&r, 0, sizeof r);
    switch (d) {
    case AGN_BOOL:
        r.b = whole ? i != 0 : z != 0;
        break;
    case AGN_U8:
    case AGN_I8:
        r.i8 = (int8_t)(uint8_t)(uint64_t)i;
        break;
    case AGN_I16:
        r.i16 = (int16_t)(uint16_t)(uint64_t)i;
        break;
    case AGN_I32:
        r.i32 = (int32_t)(uint32_t)(uint64_t)i;
        break;
    case AGN_I64:
        r.i64 = i;
        break;
    case AGN_F16:
        r.h = small_of(v, 10, 15);
        break;
    case AGN_BF16:
        r.h = small_of(v, 7, 127);
        break;
    case AGN_F32:
        r.f = (float)v;
        break;
    case AGN_F64:
        r.g = (double)v;
        break;
    case AGN_C64:
        r.c[0] = (float)v, r.c[1] = (float)cimag(z);
        break;
    default:
        r.z[0] = (double)v, r.z[1] = cimag(z);
    }
    memcpy(to, &r, agn_dtype_size(d));
}

static void test_casts(void)
{
    static const double special[] = {0,
                                     -0.0,
                                     0.5,
                                     -0.5,
                                     1.5,
                                     2.5,
                                     -1.5,
                                     -2.5,
                                     1,
                                     -1,
                                     0.99,
                                     -0.99,
                                     127,
                                     128,
                                     128.5,
                                     -128,
                                     -129,
                                     255,
                                     256,
                                     257,
                                     32767,
                                     32768,
                                     -32768,
                                     -32769,
                                     65504,
                                     65519,
                                     65520,
                                     65536,
                                     0x1p31,
                                     0x1p31 - 1,
                                     -0x1p31,
                                     -0x1p31 - 1,
                                     0x1p53,
                                     0x1p63,
                                     -0x1p63,
                                     0x1p64,
                                     1e19,
                                     -1e19,
                                     1e300,
                                     -1e300,
                                     3.4028234e38,
                                     3.4028236e38,
                                     3.39e38,
                                     0x1p-14,
                                     0x1p-15,
                                     0x1.8p-25,
                                     0x1p-25,
                                     0x1p-24,
                                     0x1p-126,
                                     0x1p-130,
                                     0x1p-133,
                                     0x1p-149,
                                     0x1p-150,
                                     4.9e-324,
                                     1e-40,
                                     0.1,
                                     1.0009765625,
                                     1.00048828125,
                                     1.00146484375,
                                     0x1.00200000000001p0,
                                     0x1.002p0,
                                     0x1.006p0,
                                     0x1.01p0,
                                     0x1.03p0,
                                     0x1.0100000000001p0,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     (double)NAN};
    static const int64_t wide[] = {INT64_MAX,
                                   INT64_MIN,
                                   ((int64_t)1 << 53) + 1,
                                   ((int64_t)1 << 60) + ((int64_t)1 << 36) + 1,
                                   ((int64_t)1 << 60) + ((int64_t)1 << 36),
                                   ((int64_t)1 << 60) + ((int64_t)1 << 52) + 1,
                                   ((int64_t)1 << 60) + ((int64_t)1 << 52),
                                   -((int64_t)1 << 60) - ((int64_t)1 << 52) - 1,
                                   -((int64_t)1 << 60) - ((int64_t)1 << 36) - 1,
                                   65520,
                                   65519};
    enum { N = 600 }; /* beyond one block of conversion */
    tally t = {0};
    for (int from = 0; from < AGN_NDTYPES; from++) {
        size_t fb = agn_dtype_size(from);
        char *src = room_for(N * fb);
        for (int i = 0; i < N; i++) {
            double v = special[i % COUNT(special)],
                   w = special[(i / 3) % COUNT(special)];
            if (kind_of(from) == KIND_INT) {
                int64_t n = isnan(v)                     ? wide[i % COUNT(wide)]
                            : v >= 0x1p63 || v < -0x1p63 ? wide[i % COUNT(wide)]
                                                         : (int64_t)v;
                memcpy(src + (size_t)i * fb, &n, fb);
            } else {
                poke(src + (size_t)i * fb, from, v, w);
            }
        }
        agn_tensor *x = NULL;
        must(agn_from_host(&x, from, 2, (int64_t[]){2, N / 2}, src));
        for (int layout = 0; layout < N_LAYOUTS; layout++) {
            agn_tensor *z = laid_out(x, layout);
            for (int d = 0; d < AGN_NDTYPES; d++) {
                size_t b = agn_dtype_size(d);
                agn_tensor *y = NULL;
                must(agn_cast(&y, z, d));
                bool good = agn_dtype_of(y) == d && same_shapes(x, y);
                int bad = -1;
                for (int i = 0; good && i < N; i++) {
                    char want[16];
                    cast_oracle(want, d, from, src + (size_t)i * fb);
                    double complex u = peek_at(want, d), g = peekz(y, i);
                    bool re = creal(u) == creal(g) ||
                              (isnan(creal(u)) && isnan(creal(g)));
                    bool im = cimag(u) == cimag(g) ||
                              (isnan(cimag(u)) && isnan(cimag(g)));
                    bool nan = isnan(creal(u)) || isnan(cimag(u));
                    good = re && im && (nan || !memcmp(want, place(y, i), b));
                    bad = good ? bad : i;
                }
                check(
                    &t, good,
                    "cast %s to %s (%s): element %d: %.17g%+.17gi became %.17g%+.17gi",
                    agn_dtype_name(from), agn_dtype_name(d), layout_names[layout], bad,
                    creal(peek_at(src + (size_t)(bad < 0 ? 0 : bad) * fb, from)),
                    cimag(peek_at(src + (size_t)(bad < 0 ? 0 : bad) * fb, from)),
                    peek(y, bad < 0 ? 0 : bad), cimag(peekz(y, bad < 0 ? 0 : bad)));
                agn_release(y);
            }
            agn_release(z);
        }
        agn_release(x);
        free(src);
    }
    tell(&t, "cast: all 144 pairs, special values, all layouts");
}

/* every pattern of a 16-bit float, and every midpoint between two of them */
static void test_halves(int dtype, int m, int bias)
{
    enum { N = 65536 };
    uint16_t *bits = room_for(N * sizeof *bits);
    for (int i = 0; i < N; i++)
        bits[i] = (uint16_t)i;
    agn_tensor *x = NULL, *f = NULL, *d = NULL, *back = NULL;
    must(agn_from_host(&x, dtype, 1, (int64_t[]){N}, bits));
    must(agn_cast(&f, x, AGN_F32));
    must(agn_cast(&d, x, AGN_F64));
    tally t = {0};
    const float *fv = agn_data(f);
    const double *dv = agn_data(d);
    for (int i = 0; i < N; i++) {
        double want = small_to(bits[i], m, bias);
        check(&t,
              isnan(want) ? isnan(fv[i]) && isnan(dv[i])
                          : (double)fv[i] == want && dv[i] == want &&
                                !signbit(fv[i]) == !signbit(want),
              "%s 0x%04x is %g, not %g", agn_dtype_name(dtype), i, (double)fv[i], want);
    }
    for (int k = 0; k < 2; k++) {
        must(agn_cast(&back, k ? d : f, dtype));
        const uint16_t *b = agn_data(back);
        for (int i = 0; i < N; i++) {
            bool nan = isnan(fv[i]);
            check(&t, b[i] == bits[i] || (nan && b[i] == (bits[i] | 1 << (m - 1))),
                  "%s 0x%04x came back as 0x%04x", agn_dtype_name(dtype), i, b[i]);
        }
        agn_release(back);
    }
    tell(&t, "P10 %s: all 65536 patterns to f32 and f64 and back, NaN payloads kept",
         agn_dtype_name(dtype));
    t = (tally){0};
    double *mid = room_for(6 * N * sizeof *mid);
    int64_t n = 0;
    for (int i = 0; i + 1 < N; i++) {
        double a = small_to(bits[i], m, bias), c = small_to(bits[i + 1], m, bias);
        if (isnan(a) || isnan(c) || isinf(a))
            continue;
        if (isinf(c)) /* the number that would be next */
            c = copysign(ldexp(1, bias + 1), a);
        double h = (a + c) / 2;
        mid[n++] = h;
        mid[n++] = nextafter(h, (double)INFINITY);
        mid[n++] = nextafter(h, -(double)INFINITY);
    }
    agn_tensor *y = NULL, *z = NULL, *g = NULL, *zf = NULL;
    must(agn_from_host(&y, AGN_F64, 1, &n, mid));
    must(agn_cast(&z, y, dtype));
    must(agn_cast(&g, y, AGN_F32));
    must(agn_cast(&zf, g, dtype));
    for (int64_t i = 0; i < n; i++) {
        uint16_t have, want = small_of((long double)mid[i], m, bias);
        memcpy(&have, place(z, i), 2);
        check(&t, have == want, "f64 %a to %s is 0x%04x, not 0x%04x", mid[i],
              agn_dtype_name(dtype), have, want);
        want = small_of((long double)(float)mid[i], m, bias);
        memcpy(&have, place(zf, i), 2);
        check(&t, have == want, "f32 %a to %s is 0x%04x, not 0x%04x", mid[i],
              agn_dtype_name(dtype), have, want);
    }
    tell(&t, "%s: every midpoint and its neighbours round to even, once",
         agn_dtype_name(dtype));
    agn_release(x), agn_release(f), agn_release(d), agn_release(y), agn_release(z);
    agn_release(g), agn_release(zf);
    free(bits), free(mid);
}

/* ---- facts and host access ----------------------------------------------------------------- */

static void test_null(void)
{
    tally t = {0};
    check(&t, agn_retain(NULL) == NULL, "retain");
    agn_release(NULL);
    check(&t, agn_ndim(NULL) == -1, "ndim");
    check(&t, agn_numel(NULL) == -1, "numel");
    check(&t, agn_dtype_of(NULL) == -1, "dtype_of");
    check(&t, agn_layout_of(NULL) == -1, "layout_of");
    check(&t, agn_shape(NULL) == NULL, "shape");
    check(&t, agn_strides(NULL) == NULL, "strides");
    check(&t, !agn_is_symbolic(NULL), "is_symbolic");
    check(&t, !agn_is_watched(NULL), "is_watched");
    check(&t, !agn_is_contiguous(NULL), "is_contiguous");
    check(&t, agn_device_of(NULL) == -1, "device_of");
    check(&t, agn_data(NULL) == NULL, "data");
    tell(&t, "accessors take NULL");
}

static void test_host_access(void)
{
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){3, 4}, -1, 1), *w = NULL,
               *y = NULL;
    void *p = NULL;
    must(agn_data_mut(&p, x));
    ok(p == agn_data(x), "data_mut gives the address of the elements");
    must(agn_transpose(&y, x));
    ((float *)p)[1] = 42;
    ok(peek(y, 3) == 42, "a write through the base shows in a view (A12)");
    void *q = NULL;
    must(agn_data_mut(&q, y));
    ((float *)q)[0] = 17;
    ok(peek(x, 0) == 17, "a write through a view shows in the base");
    must(agn_watch(&w, x));
    p = &p;
    agn_status st = agn_data_mut(&p, w);
    ok(st == AGN_EARG && p == (void *)&p && strstr(agn_error_message(), "[3,4]") &&
           strstr(agn_error_message(), "watch"),
       "the output of a recorded op is not writable");
    ok(agn_is_watched(w) && !agn_is_watched(x), "is_watched");
    agn_release(w), agn_release(y), agn_release(x);

    tally t = {0};
    for (int d = 0; d < AGN_NDTYPES; d++) {
        agn_tensor *s = of_reals(d, 3, (int64_t[]){1, 1, 1}, (double[]){1}),
                   *z = scalar_of(d, 1);
        double f = -5;
        int64_t i = -5;
        agn_status sf = agn_item_f64(&f, s), si = agn_item_i64(&i, z);
        if (kind_of(d) == KIND_COMPLEX)
            check(&t, sf == AGN_EDTYPE && f == -5 && si == AGN_EDTYPE && i == -5,
                  "item of complex");
        else
            check(&t, !sf && f == 1, "item_f64 of %s", agn_dtype_name(d));
        if (kind_of(d) <= KIND_INT)
            check(&t, !si && i == 1, "item_i64 of %s", agn_dtype_name(d));
        else
            check(&t, si == AGN_EDTYPE && i == -5, "item_i64 of %s", agn_dtype_name(d));
        char buf[16] = {0}, want[16];
        poke(want, d, 1, 0);
        check(&t,
              !agn_to_host(buf, s, agn_dtype_size(d)) &&
                  !memcmp(buf, want, agn_dtype_size(d)),
              "to_host of %s", agn_dtype_name(d));
        agn_release(s), agn_release(z);
    }
    agn_tensor *e = NULL, *big = NULL;
    must(agn_full_i64(&big, AGN_I64, 0, NULL, INT64_MAX));
    int64_t i = 0;
    check(&t, !agn_item_i64(&i, big) && i == INT64_MAX, "item_i64 is exact");
    must(agn_empty(&e, AGN_F64, 2, (int64_t[]){0, 5}, AGN_CPU));
    check(&t, !agn_to_host(NULL, e, 0), "to_host of nothing");
    double f = 3;
    check(&t,
          agn_item_f64(&f, e) == AGN_ESHAPE && f == 3 &&
              strstr(agn_error_message(), "[0,5]"),
          "item of an empty tensor");
    agn_release(e), agn_release(big);
    agn_tensor *m = random_of(AGN_I32, 2, (int64_t[]){2, 2}, -9, 9);
    check(&t, agn_item_i64(&i, m) == AGN_ESHAPE && strstr(agn_error_message(), "[2,2]"),
          "item of four elements");
    int32_t host[4], keep = 77;
    host[3] = keep;
    check(&t,
          agn_to_host(host, m, 12) == AGN_EARG && host[3] == keep &&
              strstr(agn_error_message(), "16") && strstr(agn_error_message(), "12"),
          "to_host with a wrong size");
    agn_release(m);
    tell(&t, "item and to_host in every dtype");
    is_str(agn_device_name(AGN_CPU), "cpu", "name of the host");
    is_str(agn_device_name(-1), "?", "name of no device");
    is_str(agn_device_name(12345678), "?", "name of no device either");
    int32_t dev = -7;
    must(agn_device_find(&dev, "cpu"));
    is_int(dev, AGN_CPU, "the host by name");
    ok(agn_device_find(&dev, "abacus") == AGN_EDEVICE && dev == AGN_CPU,
       "no such device");
    agn_tensor *z = untouched;
    st = agn_empty(&z, AGN_F32, 1, (int64_t[]){3}, 12345678);
    ok(refused(st, AGN_EDEVICE, "empty", "12345678", NULL, z), "empty on no device");
    x = scalar_of(AGN_F32, 1);
    st = agn_to_device(&z, x, 12345678);
    ok(refused(st, AGN_EDEVICE, "to_device", "12345678", NULL, z),
       "to_device without one");
    must(agn_to_device(&y, x, AGN_CPU));
    ok(y == x, "to_device to where x is gives x");
    agn_release(x), agn_release(y);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void test_shapes(void)
{
    static const struct {
        int ndim;
        int64_t shape[4];
        agn_status want;
    } row[] = {
        {1, {-1}, AGN_ESHAPE},
        {2, {3, INT64_MIN}, AGN_ESHAPE},
        {1, {(int64_t)1 << 62}, AGN_ENOMEM},
        {2, {(int64_t)1 << 31, (int64_t)1 << 31}, AGN_ENOMEM},
        {3, {INT64_MAX, INT64_MAX, 0}, AGN_ENOMEM},
        {4, {(int64_t)1 << 20, (int64_t)1 << 20, (int64_t)1 << 20, 4}, AGN_ENOMEM},
        {1, {(int64_t)1 << 50}, AGN_ENOMEM},
        {33, {1, 1, 1, 1}, AGN_ESHAPE},
        {-1, {1, 1, 1, 1}, AGN_ESHAPE},
    };
    tally t = {0};
    agn_generator *g = NULL;
    agn_tensor *key = NULL, *one = scalar_of(AGN_F32, 1);
    must(agn_generator_new(&g, 1));
    must(agn_key(&key, g));
    for (int k = 0; k < COUNT(row); k++) {
        int64_t shape[33];
        for (int d = 0; d < 33; d++)
            shape[d] = d < 4 ? row[k].shape[d] : 1;
        const int nd = row[k].ndim;
        agn_tensor *z = untouched;
        bool half = row[k].want == AGN_ENOMEM && shape[0] == (int64_t)1 << 50;
        static const char byte = 1;
        if (half && TAP_SANITIZED) /* whose malloc takes such a request for a mistake */
            continue;
#define REFUSED(call, op) \
    check(&t, refused(call, row[k].want, op, NULL, NULL, z), "%s of shape %d", op, k)
        if (!half) {
            REFUSED(agn_from_host(&z, AGN_U8, nd, shape, &byte), "from_host");
            REFUSED(agn_wrap_host(&z, AGN_U8, nd, shape, NULL, (void *)(uintptr_t)&byte,
                                  true, NULL, NULL),
                    "wrap_host");
            REFUSED(agn_broadcast_to(&z, one, nd, shape), "broadcast_to");
        }
        REFUSED(agn_empty(&z, AGN_U8, nd, shape, AGN_CPU), "empty");
        REFUSED(agn_full(&z, AGN_F64, nd, shape, 1), "full");
        REFUSED(agn_full_i64(&z, AGN_C128, nd, shape, 1), "full_i64");
        REFUSED(agn_uniform(&z, key, AGN_F32, nd, shape), "uniform");
        REFUSED(agn_normal(&z, key, AGN_F64, nd, shape), "normal");
    }
    agn_tensor *z = untouched;
    const int64_t huge = (int64_t)1 << 62;
    check(&t,
          refused(agn_eye(&z, AGN_U8, huge, huge, 0), AGN_ENOMEM, "eye", NULL, NULL, z),
          "eye");
    check(&t, refused(agn_eye(&z, AGN_U8, -1, 2, 0), AGN_ESHAPE, "eye", "-1", NULL, z),
          "eye");
    check(&t,
          refused(agn_linspace(&z, AGN_F32, 0, 1, huge), AGN_ENOMEM, "linspace", NULL,
                  NULL, z),
          "linspace");
    check(&t,
          refused(agn_arange(&z, AGN_F32, 0, 1e300, 1e-300), AGN_ENOMEM, "arange", NULL,
                  NULL, z),
          "arange");
    check(&t,
          refused(agn_arange(&z, AGN_F32, 0, 0x1p60, 1), AGN_ENOMEM, "arange", NULL,
                  NULL, z),
          "arange");
    /* products of broadcast views overflow although each view exists */
    agn_tensor *wide = NULL, *tall = NULL,
               *col = of_reals(AGN_F32, 2, (int64_t[]){1, 1}, (double[]){1});
    must(agn_broadcast_to(&wide, col, 2, (int64_t[]){1, (int64_t)1 << 40}));
    must(agn_broadcast_to(&tall, col, 2, (int64_t[]){(int64_t)1 << 40, 1}));
    check(&t, refused(agn_add(&z, wide, tall), AGN_ENOMEM, "add", NULL, NULL, z),
          "add");
    check(&t, refused(agn_matmul(&z, tall, wide), AGN_ENOMEM, "matmul", NULL, NULL, z),
          "matmul");
    if (!TAP_SANITIZED)
        check(&t, refused(agn_copy(&z, wide), AGN_ENOMEM, "copy", NULL, NULL, z),
              "copy");
    agn_tensor *flat = NULL;
    must(agn_broadcast_to(&flat, one, 1, (int64_t[]){(int64_t)1 << 58}));
    const agn_tensor *many[40];
    for (int i = 0; i < 40; i++)
        many[i] = flat;
    check(&t, refused(agn_concat(&z, many, 40, 0), AGN_ENOMEM, "concat", NULL, NULL, z),
          "concat");
    check(&t, refused(agn_stack(&z, many, 40, 0), AGN_ENOMEM, "stack", NULL, NULL, z),
          "stack");
    check(&t,
          agn_pad(&z, flat, 1, (int64_t[]){INT64_MAX}, (int64_t[]){INT64_MAX}, 0) ==
                  AGN_ESHAPE &&
              z == untouched,
          "pad");
    agn_release(flat), agn_release(wide), agn_release(tall), agn_release(col);
    tell(&t,
         "sizes that cannot exist, negative ones and rank 33 are refused everywhere");

    /* rank 32, 0-D and empty shapes are ordinary (A1, B1) */
    t = (tally){0};
    int64_t shape[32];
    for (int d = 0; d < 32; d++)
        shape[d] = d % 11 == 0 ? 2 : 1;
    agn_tensor *x = random_of(AGN_F64, 32, shape, -1, 1), *y = NULL, *s = NULL;
    must(agn_add(&y, x, x));
    check(&t, agn_ndim(y) == 32 && agn_numel(y) == 8 && peek(y, 5) == 2 * peek(x, 5),
          "rank 32");
    must(agn_sum(&s, x, NULL, 0, false));
    check(&t, agn_ndim(s) == 0, "full reduction of rank 32 is 0-D");
    agn_release(s);
    must(agn_max(&s, x, NULL, 0, true));
    check(&t, agn_ndim(s) == 32 && agn_numel(s) == 1, "keep");
    agn_release(s);
    s = untouched;
    check(&t,
          refused(agn_expand_dims(&s, x, 0), AGN_ESHAPE, "expand_dims", "33", NULL, s),
          "expand_dims to rank 33");
    agn_release(x), agn_release(y);
    static const struct {
        int nd;
        int64_t shape[3];
    } empty[] = {{1, {0}}, {2, {0, 3}}, {2, {2, 0}}, {3, {2, 0, 4}}};
    for (int k = 0; k < COUNT(empty); k++) {
        x = random_of(AGN_F32, empty[k].nd, empty[k].shape, 0, 1);
        must(agn_exp(&y, x));
        check(&t, same_shapes(x, y) && agn_is_contiguous(y), "exp of %s",
              SHAPE_TEXT(x));
        agn_release(y);
        must(agn_sum_all(&y, x));
        check(&t, agn_ndim(y) == 0 && peek(y, 0) == 0, "sum of %s", SHAPE_TEXT(x));
        agn_release(y);
        must(agn_reshape(&y, x, 1, (int64_t[]){-1}));
        check(&t, has_shape(y, 1, (int64_t[]){0}), "reshape of %s to [-1] (A9 B4)",
              SHAPE_TEXT(x));
        agn_release(y), agn_release(x);
    }
    tell(&t, "0-D, empty and 32-D tensors are ordinary");
    agn_release(key), agn_release(one);
    agn_generator_release(g);
}

static void test_views(void)
{
    tally t = {0};
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){2, 3, 4}, -1, 1), *y = NULL;
    const double *base = agn_data(x);
#define VIEW(call, off)                                                         \
    must(call);                                                                 \
    check(&t, (const double *)agn_data(y) == base + (off), #call " is a view"); \
    agn_release(y)
    VIEW(agn_reshape(&y, x, 2, (int64_t[]){6, 4}), 0);
    VIEW(agn_permute(&y, x, (int32_t[]){2, 0, 1}, 3), 0);
    VIEW(agn_transpose(&y, x), 0);
    VIEW(agn_expand_dims(&y, x, -1), 0);
    VIEW(agn_broadcast_to(&y, x, 4, (int64_t[]){5, 2, 3, 4}), 0);
    VIEW(agn_slice(&y, x, 3, (int64_t[]){1, 0, 3}, (int64_t[]){2, 3, AGN_END},
                   (int64_t[]){1, 2, -1}),
         12 + 3);
    VIEW(agn_index_axis(&y, x, 1, -1), 8);
    VIEW(agn_flip(&y, x, NULL, 0), 23);
    agn_tensor *z = NULL;
    must(agn_transpose(&z, x));
    must(agn_reshape(&y, z, 1, (int64_t[]){24}));
    check(&t, agn_data(y) != agn_data(x) && agn_is_contiguous(y),
          "a reshape that must copy does");
    for (int i = 0; i < 24; i++)
        check(&t, peek(y, i) == peek(z, i), "element %d of it", i);
    agn_release(y), agn_release(z);
    must(agn_contiguous(&y, x));
    check(&t, y == x, "contiguous of a row-major tensor is itself");
    agn_release(y);
    must(agn_copy(&y, x));
    check(&t, agn_data(y) != agn_data(x) && same_values(x, y), "copy");
    agn_release(y);
    must(agn_cast(&y, x, AGN_F64));
    check(&t, y == x, "cast to its own dtype is itself");
    agn_release(y);
    for (int d = 0; d < AGN_NDTYPES; d++) { /* B11 */
        agn_tensor *u = random_of(d, 2, (int64_t[]){2, 3}, 0, 1);
        must(agn_transpose(&y, u));
        check(&t, agn_dtype_of(y) == d, "a view keeps %s", agn_dtype_name(d));
        agn_release(u), agn_release(y);
    }
    agn_release(x);
    tell(&t, "basic indexing gives views that keep dtype and memory");
    double v = 7;
    agn_tensor *c = NULL;
    must(agn_from_host(&c, AGN_F64, 0, NULL, &v));
    v = 8;
    ok(peek(c, 0) == 7, "from_host copies");
    agn_release(c);
    unsigned char odd[4] = {0, 1, 2, 255};
    must(agn_from_host(&c, AGN_BOOL, 1, (int64_t[]){4}, odd));
    must(agn_cast(&y, c, AGN_I32));
    ok(peek(y, 0) == 0 && peek(y, 1) == 1 && peek(y, 2) == 1 && peek(y, 3) == 1,
       "bools from the host are 0 or 1, whatever byte was given");
    agn_release(c), agn_release(y);
}

int main(void)
{
    test_dtypes();
    test_literals();
    test_full();
    test_ranges();
    test_wrap();
    test_casts();
    test_halves(AGN_F16, 10, 15);
    test_halves(AGN_BF16, 7, 127);
    test_null();
    test_host_access();
    test_views();
    test_shapes();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    is_int(blocks, 0, "nothing is left alive");
    return done();
}
