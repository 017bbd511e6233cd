/* tests/t-ew.c - what functions of one element give at ends, ties and odd widths, and functions
   that are made of them. Numbers follow from definitions. */
#include "laws.h"

#include <float.h>

#undef I /* of <complex.h> */
#define INF ((double)INFINITY)
#define NOT_A ((double)NAN)

static tally t;

static agn_tensor *row_of(int dtype, int64_t n, const double *v)
{
    return of_reals(dtype, 1, &n, v);
}
static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}
static void expect(const char *what, agn_status st, agn_tensor *y, int dtype, int n,
                   const double *want)
{
    check(&t, !st && agn_dtype_of(y) == dtype && agn_numel(y) == n, "%s: %s", what,
          st ? agn_error_message() : agn_dtype_name(agn_dtype_of(y)));
    for (int i = 0; !st && i < n && i < agn_numel(y); i++)
        check(&t, same(peek(y, i), want[i]), "%s[%d] is %.17g, not %.17g", what, i, peek(y, i),
              want[i]);
    if (!st)
        agn_release(y);
}
#define V(...) ((const double[]){__VA_ARGS__})
#define N_OF(...) ((int)(sizeof V(__VA_ARGS__) / sizeof(double)))
/* f of rows a and b of one dtype */
static void two(const char *what, agn_status (*f)(agn_tensor **, const agn_tensor *, const agn_tensor *),
                int dtype, int result, int n, const double *a, const double *b, const double *want)
{
    agn_tensor *x = row_of(dtype, n, a), *z = row_of(dtype, n, b), *y = NULL;
    agn_status st = f(&y, x, z);
    expect(what, st, y, result, n, want);
    agn_release(x), agn_release(z);
}
static void one(const char *what, agn_status (*f)(agn_tensor **, const agn_tensor *), int dtype,
                int result, int n, const double *a, const double *want)
{
    agn_tensor *x = row_of(dtype, n, a), *y = NULL;
    agn_status st = f(&y, x);
    expect(what, st, y, result, n, want);
    agn_release(x);
}

static void test_ends(void)
{
    /* one NaN is ignored, two are not (A8) */
    two("fmax", agn_fmax, AGN_F64, AGN_F64, 4, V(NOT_A, 1, NOT_A, 2), V(3, NOT_A, NOT_A, -1),
        V(3, 1, NOT_A, 2));
    two("fmin", agn_fmin, AGN_F32, AGN_F32, 4, V(NOT_A, 1, NOT_A, 2), V(3, NOT_A, NOT_A, -1),
        V(3, 1, NOT_A, -1));
    two("xlogy", agn_xlogy, AGN_F64, AGN_F64, 4, V(0, 0, 0, 1), V(0, INF, NOT_A, 0),
        V(0, 0, NOT_A, -INF));
    two("rel_entr", agn_rel_entr, AGN_F64, AGN_F64, 4, V(0, 0, 1, -1), V(0, 2, 0, 1),
        V(0, 0, INF, INF));
    two("logaddexp", agn_logaddexp, AGN_F64, AGN_F64, 4, V(-INF, INF, INF, 1000),
        V(-INF, INF, -INF, -1000), V(-INF, INF, INF, 1000));
    two("heaviside", agn_heaviside, AGN_F64, AGN_F64, 4, V(-1, -0.0, 2, NOT_A), V(7, 7, 7, 7),
        V(0, 7, 1, NOT_A));
    two("copysign", agn_copysign, AGN_F64, AGN_F64, 3, V(1, -2, NOT_A), V(-0.0, 3, -1),
        V(-1, 2, NOT_A));
    two("ldexp", agn_ldexp, AGN_F64, AGN_F64, 4, V(0x1p-1074, 1, 3, 1), V(2000, 1e9, -1.9, -1e300),
        V(0x1p926, INF, 1.5, 0));
    two("nextafter", agn_nextafter, AGN_F64, AGN_F64, 3, V(1, 0, 1), V(2, -1, 1),
        V(1 + 0x1p-52, -0x1p-1074, 1));
    two("fmod", agn_fmod, AGN_F64, AGN_F64, 4, V(5, -5, 5, 1), V(3, 3, -3, 0), V(2, -2, 2, NOT_A));
    two("zeta", agn_zeta, AGN_F64, AGN_F64, 5, V(1, 0.5, INF, 2, 2), V(3, 3, 2, 0, -1),
        V(INF, NOT_A, 0, INF, INF));
    two("gammainc", agn_gammainc, AGN_F64, AGN_F64, 6, V(1, 0, 2, 2, -1, 0), V(0, 1, INF, -1, 1, 0),
        V(0, 1, 1, NOT_A, NOT_A, NOT_A));
    two("gammaincc", agn_gammaincc, AGN_F64, AGN_F64, 3, V(1, 0, 2), V(0, 1, INF), V(1, 0, 0));
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "erfcx" : "sinc";
        agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){-1.5, 0, 0.75}), *y = NULL,
                   *z = NULL;
        const agn_tensor *in[] = {x};
        must(k ? agn_erfcx(&y, x) : agn_sinc(&y, x));
        must(agn_op_apply(&z, 1, name, in, 1, (const int64_t[]){0}, 1, NULL, 0));
        ok(same_values(y, z), "%s by its name is derivative 0 of itself", name);
        agn_release(z);
        must(agn_op_apply(&z, 1, name, in, 1, (const int64_t[]){1}, 1, NULL, 0));
        ok(!same_values(y, z), "and derivative 1 is another function");
        agn_release(x), agn_release(y), agn_release(z);
    }
    one("sinc", agn_sinc, AGN_F64, AGN_F64, 4, V(0, 1, -2, INF), V(1, 0, 0, 0));
    one("erfinv", agn_erfinv, AGN_F64, AGN_F64, 4, V(1, -1, 1.5, 0), V(INF, -INF, NOT_A, 0));
    one("ndtri", agn_ndtri, AGN_F64, AGN_F64, 4, V(0, 1, 0.5, -1), V(-INF, INF, 0, NOT_A));
    one("logit", agn_logit, AGN_F64, AGN_F64, 4, V(0, 1, 0.5, 2), V(-INF, INF, 0, NOT_A));
    one("entr", agn_entr, AGN_F64, AGN_F64, 3, V(0, 1, -1), V(0, -0.0, -INF));
    one("i0", agn_i0, AGN_F64, AGN_F64, 3, V(0, INF, 800), V(1, INF, INF));
    one("i1", agn_i1, AGN_F64, AGN_F64, 3, V(0, -INF, -800), V(0, -INF, -INF));
    one("frac", agn_frac, AGN_F64, AGN_F64, 3, V(2.75, -2.75, INF), V(0.75, -0.75, NOT_A));
    one("signbit", agn_signbit, AGN_F64, AGN_BOOL, 3, V(-0.0, 0, -2), V(1, 0, 1));
    one("isposinf", agn_isposinf, AGN_F16, AGN_BOOL, 3, V(INF, -INF, NOT_A), V(1, 0, 0));
    one("isneginf", agn_isneginf, AGN_I8, AGN_BOOL, 2, V(1, -1), V(0, 0));
    tell(&t, "ends of functions of one element (A8)");
    t = (tally){0};
}

static void test_bits(void)
{
    two("i8 >>> b", agn_logical_right_shift, AGN_I8, AGN_I8, 5, V(-1, -1, -128, 5, -1),
        V(1, 7, 7, -1, 8), V(127, 1, 1, 0, 0));
    two("i16 >>> b", agn_logical_right_shift, AGN_I16, AGN_I16, 3, V(-1, -2, 4), V(8, 1, 2),
        V(255, 32767, 1));
    two("u8 >>> b", agn_logical_right_shift, AGN_U8, AGN_U8, 2, V(255, 128), V(1, 7), V(127, 1));
    two("i32 >>> b", agn_logical_right_shift, AGN_I32, AGN_I32, 3, V(-1, -1, -1), V(31, 32, -1),
        V(1, 0, 0));
    two("i32 >> b", agn_right_shift, AGN_I32, AGN_I32, 4, V(-5, -1, 7, -9), V(1, 40, 40, -2),
        V(-3, -1, 0, -1));
    two("i8 << b", agn_left_shift, AGN_I8, AGN_I8, 3, V(1, 3, 64), V(7, 1, 2), V(-128, 6, 0));
    two("bool and", agn_bitwise_and, AGN_BOOL, AGN_BOOL, 3, V(1, 1, 0), V(1, 0, 0), V(1, 0, 0));
    two("bool xor", agn_bitwise_xor, AGN_BOOL, AGN_BOOL, 3, V(1, 1, 0), V(1, 0, 0), V(0, 1, 0));
    one("bool not", agn_bitwise_not, AGN_BOOL, AGN_BOOL, 2, V(1, 0), V(0, 1));
    one("u8 not", agn_bitwise_not, AGN_U8, AGN_U8, 2, V(0, 200), V(255, 55));
    one("i8 popcount", agn_popcount, AGN_I8, AGN_I8, 4, V(-1, 7, -128, 0), V(1, 3, 1, 0));
    two("gcd", agn_gcd, AGN_I64, AGN_I64, 4, V(-12, 0, 0, 7), V(18, 0, -5, 13), V(6, 0, 5, 1));
    two("lcm", agn_lcm, AGN_I32, AGN_I32, 4, V(-4, 0, 21, 6), V(6, 5, 6, 6), V(12, 0, 42, 6));
    two("i32 fmod", agn_fmod, AGN_I32, AGN_I32, 4, V(-7, 7, 7, -2147483648.0), V(3, -3, 0, -1),
        V(-1, 1, 0, 0));
    tell(&t, "bits, shifts and divisors of every width");
    t = (tally){0};
}

static void test_composed(void)
{
    agn_tensor *x = row_of(AGN_F64, 5, V(-2, -0.5, 0, INF, NOT_A)), *y = NULL, *z = NULL;
    agn_tensor *w = row_of(AGN_F64, 5, V(1, 2, 3, 4, 5)), *i = row_of(AGN_I32, 3, V(3, -4, 0));
    agn_status st = agn_clip_c(&y, x, -1, 1);
    expect("clip_c", st, y, AGN_F64, 5, V(-1, -0.5, 0, 1, NOT_A));
    st = agn_clip(&y, x, NULL, w);
    expect("clip from above", st, y, AGN_F64, 5, V(-2, -0.5, 0, 4, NOT_A));
    st = agn_nan_to_num(&y, x, 9, NOT_A, NOT_A);
    expect("nan_to_num", st, y, AGN_F64, 5, V(-2, -0.5, 0, 1.7976931348623157e308, 9));
    st = agn_scale(&y, i, 2, 1);
    expect("scale of integers", st, y, AGN_I32, 3, V(7, -7, 1));
    st = agn_addcmul(&y, i, i, i, 2);
    expect("addcmul", st, y, AGN_I32, 3, V(21, 28, 0));
    st = agn_add_n(&y, (const agn_tensor *[]){w, w, w}, 3);
    expect("add_n", st, y, AGN_F64, 5, V(3, 6, 9, 12, 15));
    st = agn_float_power(&y, i, i);
    expect("float_power", st, y, AGN_F64, 3, V(27, 1.0 / 256, 1));
    st = agn_angle(&y, x);
    expect("angle", st, y, AGN_F64, 5, V(acos(-1), acos(-1), 0, 0, NOT_A));
    st = agn_isclose(&y, x, x, 0, 0, false);
    expect("isclose", st, y, AGN_BOOL, 5, V(1, 1, 1, 1, 0));
    st = agn_isclose(&y, x, x, 0, 0, true);
    expect("isclose of NaN", st, y, AGN_BOOL, 5, V(1, 1, 1, 1, 1));
    st = agn_isclose(&y, w, x, 1, 100, true);
    expect("no number is close to infinity", st, y, AGN_BOOL, 5, V(1, 1, 1, 0, 0));
    st = agn_allclose(&y, w, w, 0, 0, false);
    expect("allclose", st, y, AGN_BOOL, 1, V(1));
    st = agn_equal_all(&y, w, x);
    expect("equal_all", st, y, AGN_BOOL, 1, V(0));
    st = agn_equal_all(&y, w, i);
    expect("equal_all of other shapes", st, y, AGN_BOOL, 1, V(0));
    st = agn_isin(&y, w, i, false);
    expect("isin", st, y, AGN_BOOL, 5, V(0, 0, 1, 0, 0));
    st = agn_isin(&y, x, x, true);
    expect("NaN is in no set", st, y, AGN_BOOL, 5, V(0, 0, 0, 0, 1));
    must(agn_frexp(&y, &z, x));
    expect("mantissa", AGN_OK, y, AGN_F64, 5, V(-0.5, -0.5, 0, INF, NOT_A));
    expect("exponent", AGN_OK, z, AGN_I32, 5, V(2, 0, 0, 0, 0));
    must(agn_divmod(&y, &z, i, i));
    expect("quotient", AGN_OK, y, AGN_I32, 3, V(1, 1, 0));
    expect("remainder", AGN_OK, z, AGN_I32, 3, V(0, 0, 0));
    agn_tensor *rows[2] = {of_reals(AGN_F64, 2, (int64_t[]){3, 2}, V(1, 2, 3, 4, 5, 6)),
                           of_reals(AGN_F64, 2, (int64_t[]){3, 2}, V(7, 8, 9, 10, 11, 12))};
    agn_tensor *pick = row_of(AGN_I64, 3, V(1, 0, -1));
    st = agn_multiplex(&y, (const agn_tensor *const *)rows, 2, pick);
    expect("multiplex", st, y, AGN_F64, 6, V(7, 8, 3, 4, 11, 12));
    st = agn_as_complex(&y, rows[0]);
    check(&t, !st && agn_data(y) == agn_data(rows[0]) && agn_dtype_of(y) == AGN_C128 &&
                  creal(peekz(y, 2)) == 5 && cimag(peekz(y, 2)) == 6,
          "as_complex is a view");
    must(agn_as_real(&z, y));
    check(&t, agn_data(z) == agn_data(rows[0]) && same_values(z, rows[0]), "as_real goes back");
    agn_release(x), agn_release(w), agn_release(i), agn_release(pick), agn_release(y);
    agn_release(z), agn_release(rows[0]), agn_release(rows[1]);
    tell(&t, "functions made of others");
}

/* Operands that do not lie side by side pass through strips: lengths beyond one strip, steps of 0,
   2, 3 and -1, results in place and in every second place (D13, D14). */
static void test_strips(void)
{
    enum { MOST = 9000 };
    static const int dtypes[] = {AGN_F32, AGN_F64, AGN_I32, AGN_C128};
    static const int64_t steps[] = {0, 1, 2, 3, -1}, lengths[] = {1, 2, 255, 256, 257, 1025, 2900};
    for (int d = 0; d < COUNT(dtypes); d++) {
        int64_t room = MOST;
        agn_tensor *base = NULL, *from = NULL;
        must(agn_arange(&from, AGN_I64, 0, MOST, 1));
        must(agn_cast(&base, from, dtypes[d]));
        for (int k = 0; k < COUNT(lengths) * COUNT(steps) * COUNT(steps); k++) {
            int64_t n = lengths[k % COUNT(lengths)], a = steps[k / COUNT(lengths) % COUNT(steps)],
                    b = steps[k / COUNT(lengths) / COUNT(steps)], two = 2;
            agn_tensor *x = NULL, *z = NULL, *y = NULL, *every = NULL, *to = NULL;
            must(agn_as_strided(&x, base, 1, &n, &a, a < 0 ? n - 1 : 1));
            must(agn_as_strided(&z, base, 1, &n, &b, b < 0 ? n - 1 : 2));
            must(agn_add(&y, x, z));
            must(agn_zeros(&to, dtypes[d], 1, &room));
            must(agn_as_strided(&every, to, 1, &n, &two, 1));
            must(agn_add_into(every, x, z));
            for (int64_t i = 0; i < n; i += i < 8 || i > n - 8 ? 1 : 61) {
                double want = (double)((a < 0 ? n - 1 : 1) + a * i + (b < 0 ? n - 1 : 2) + b * i);
                check(&t, peek(y, i) == want && peek(to, 1 + 2 * i) == want && peek(to, 2 * i) == 0,
                      "%s: %lld of %lld at steps %lld and %lld: %g and %g, not %g",
                      agn_dtype_name(dtypes[d]), (long long)i, (long long)n, (long long)a,
                      (long long)b, peek(y, i), peek(to, 1 + 2 * i), want);
            }
            agn_release(x), agn_release(z), agn_release(y), agn_release(every);
            agn_release(to);
        }
        agn_release(base), agn_release(from);
    }
    tell(&t, "rows over operands apart, in strips (D13, D14)");
    t = (tally){0};
}

/* Operands that lie along the first axis, whole numbers, parts of complex ones and every second,
   beside such as lie along the last, of sides about those of strips, forwards and backwards. */
static void test_transposed(void)
{
    static const int dtypes[] = {AGN_I32, AGN_F32, AGN_F64, AGN_C64, AGN_C128};
    static const int64_t sides[] = {7, 8, 9, 127, 128, 130, 300}, downs[] = {1, 2, -2, 3};
    enum { N = COUNT(sides), ROOM = 300 * (3 * 300 + 1) + 3 * 300 };
    for (int d = 0; d < COUNT(dtypes); d++) {
        agn_tensor *base = NULL, *from = NULL;
        must(agn_arange(&from, AGN_I64, 0, ROOM, 1));
        must(agn_cast(&base, from, dtypes[d]));
        for (int k = 0; k < N * N * COUNT(downs); k++) {
            int64_t shape[] = {sides[k % N], sides[k / N % N]}, down = downs[k / N / N],
                    step[] = {down, 3 * shape[0] + 1}, row[] = {shape[1], 1},
                    at = down < 0 ? -down * (shape[0] - 1) : 1;
            agn_tensor *x = NULL, *z = NULL, *y = NULL;
            must(agn_as_strided(&x, base, 2, shape, step, at));
            must(agn_as_strided(&z, base, 2, shape, row, 0));
            must(agn_sub(&y, x, z));
            int64_t bad = 0;
            for (int64_t i = 0; i < shape[0]; i++)
                for (int64_t j = 0; j < shape[1]; j += j < 9 ? 1 : 7)
                    bad += peek(y, i * shape[1] + j) !=
                           (double)(at + i * down + j * step[1] - i * shape[1] - j);
            check(&t, !bad, "%s [%lld,%lld] in steps of %lld: %lld wrong",
                  agn_dtype_name(dtypes[d]), (long long)shape[0], (long long)shape[1],
                  (long long)down, (long long)bad);
            agn_release(x), agn_release(z), agn_release(y);
        }
        agn_release(base), agn_release(from);
    }
    tell(&t, "operands along another axis than the last");
    t = (tally){0};
}

/* The root of a sum of squares over the whole range of exponents, as vectors and as what is left of
   them: within an ulp of long double. */
static void test_hypot(void)
{
    enum { N = 4099 };
    static double a[N], b[N];
    for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++) {
        bool single = dtype == AGN_F32;
        int range = single ? 126 : 1022;
        for (int i = 0; i < N; i++) {
            int ea = i * 37 % (2 * range) - range - (i % 50 == 0 ? 30 : 0), eb = ea + i % 121 - 60;
            a[i] = ldexp(1 + fmod(i * 0.6180339887, 1), ea);
            b[i] = ldexp(-1 - fmod(i * 0.7548776662, 1), eb > range ? range : eb);
            if (single)
                a[i] = (double)(float)a[i], b[i] = (double)(float)b[i];
        }
        a[5] = INF, b[5] = NOT_A, a[6] = NOT_A, b[6] = -INF, a[7] = NOT_A, a[8] = b[8] = 0;
        a[9] = b[9] = single ? (double)FLT_MAX : DBL_MAX;
        agn_tensor *x = row_of(dtype, N, a), *z = row_of(dtype, N, b), *y = NULL;
        must(agn_hypot(&y, x, z));
        for (int i = 0; i < N; i++) {
            long double want = hypotl(a[i], b[i]);
            double near = single ? (double)(float)want : (double)want, got = peek(y, i);
            double ulp = single ? (double)(nextafterf((float)near, 0) - (float)near)
                                : nextafter(near, 0) - near;
            check(&t, same(got, near) || fabsl(got - want) < 0.75L * fabs(ulp),
                  "hypot(%a, %a) in %s is %a, not %La", a[i], b[i], agn_dtype_name(dtype), got,
                  want);
        }
        agn_release(x), agn_release(z), agn_release(y);
    }
    tell(&t, "hypot over its range");
    t = (tally){0};
}

int main(void)
{
    test_strips();
    test_transposed();
    test_hypot();
    test_ends();
    test_bits();
    test_composed();
    return done();
}
