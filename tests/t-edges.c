/* tests/t-edges.c - functions at the edges of dtypes and shapes: what comparing them with NumPy
   and PyTorch on random arguments brought up. Numbers follow from definitions. */
#include "laws.h"

#define INF ((double)INFINITY)
#define NOT_A ((double)NAN)
#define V(...) ((const double[]){__VA_ARGS__})
#define N_OF(v) ((int64_t)(sizeof(v) / sizeof(double)))
#define ROW(dtype, ...) row_of(dtype, N_OF(V(__VA_ARGS__)), V(__VA_ARGS__))

static tally t;

static agn_tensor *row_of(int dtype, int64_t n, const double *v)
{
    return of_reals(dtype, 1, &n, v);
}
/* takes over y */
static void expect(const char *what, agn_status st, agn_tensor *y, int dtype, int64_t n,
                   const double *want)
{
    check(&t, !st && agn_dtype_of(y) == dtype && agn_numel(y) == n, "%s: %s", what,
          st ? agn_error_message() : agn_dtype_name(agn_dtype_of(y)));
    for (int64_t i = 0; !st && i < n && i < agn_numel(y); i++) {
        double v = peek(y, i);
        check(&t, isnan(v) ? isnan(want[i]) : v == want[i] && !signbit(v) == !signbit(want[i]),
              "%s[%d] is %.17g, not %.17g", what, (int)i, v, want[i]);
    }
    if (!st)
        agn_release(y);
}
#define EXPECT(what, call, dtype, ...) \
    do { \
        agn_tensor *y = NULL; \
        agn_status st = call; \
        expect(what, st, y, dtype, N_OF(V(__VA_ARGS__)), V(__VA_ARGS__)); \
    } while (0)

typedef agn_status unary(agn_tensor **, const agn_tensor *);

static void test_whole(void)
{
    static const struct {
        const char *name;
        unary *f;
    } f[] = {{"floor", agn_floor}, {"ceil", agn_ceil}, {"round", agn_round}, {"trunc", agn_trunc}};
    const int64_t big = (INT64_C(1) << 62) + 1;
    for (int k = 0; k < COUNT(f); k++) {
        agn_tensor *x = NULL, *whole = NULL;
        int64_t v = 0;
        must(agn_full_i64(&x, AGN_I64, 0, NULL, big));
        must(f[k].f(&whole, x));
        check(&t, agn_dtype_of(whole) == AGN_I64 && !agn_item_i64(&v, whole) && v == big,
              "%s of 2^62 + 1 is %lld", f[k].name, (long long)v);
        agn_release(x), agn_release(whole);
        x = ROW(AGN_I8, -128, 127, 3);
        EXPECT(f[k].name, f[k].f(&y, x), AGN_I8, -128, 127, 3);
        agn_release(x);
    }
    agn_tensor *most = ROW(AGN_I32, 2147483647, -5, 7), *least = ROW(AGN_I32, -2147483648.0, -5, 8);
    EXPECT("isclose of far integers", agn_isclose(&y, most, least, 0.1, 1, false), AGN_BOOL, 0, 1, 1);
    agn_tensor *yes = ROW(AGN_BOOL, 1), *z = NULL;
    int64_t one = 1;
    must(agn_from_host(&z, AGN_C128, 1, &one, V(1, 5)));
    EXPECT("isclose of a bool and a complex number", agn_isclose(&y, yes, z, 0.1, 1, false), AGN_BOOL, 0);
    agn_release(most), agn_release(least), agn_release(yes), agn_release(z);
    tell(&t, "integers stay whole, and differ by more than their dtype holds");
    t = (tally){0};
}

static void test_literals(void)
{
    agn_tensor *x = ROW(AGN_U8, 1, 200), *i = ROW(AGN_I8, -1, -128), *one = NULL, *out = untouched;
    static const struct {
        double v;
        const char *text;
    } bad[] = {{300, "300"}, {-3, "-3"}, {40000, "40000"}};
    for (int k = 0; k < COUNT(bad); k++) {
        check(&t, refused(agn_add_c(&out, x, bad[k].v), AGN_EDOMAIN, "add_c", bad[k].text, "u8", out),
              "u8 + %s", bad[k].text);
        check(&t, refused(agn_maximum_c(&out, x, bad[k].v), AGN_EDOMAIN, "maximum_c", bad[k].text, "u8", out),
              "maximum of u8 and %s", bad[k].text);
    }
    EXPECT("u8 + 255", agn_add_c(&y, x, 255), AGN_U8, 0, 199);
    EXPECT("u8 + 0.5", agn_add_c(&y, x, 0.5), AGN_F64, 1.5, 200.5);
    must(agn_lit(&one, 1));
    EXPECT("bits of i8 moved by a literal", agn_logical_right_shift(&y, i, one), AGN_I8, 127, 64);
    agn_release(x), agn_release(i), agn_release(one);
    tell(&t, "a literal that a narrow dtype cannot hold is refused");
    t = (tally){0};
}

/* all pairs of bit patterns of a sample: one step of the bits, in the order of numbers */
static void test_steps(void)
{
    agn_tensor *x = ROW(AGN_F16, 1, 0, -0.0, INF, 65504, -1, NOT_A, 0x1p-24, 2, 1);
    agn_tensor *z = ROW(AGN_F16, 2, -1, 1, 0, INF, 0, 1, -1, 2, NOT_A);
    EXPECT("next f16", agn_nextafter(&y, x, z), AGN_F16, 1 + 0x1p-10, -0x1p-24, 0x1p-24, 65504, INF,
           -1 + 0x1p-11, NOT_A, 0, 2, NOT_A);
    agn_release(x), agn_release(z);
    x = ROW(AGN_BF16, 1, 0, -INF, 1);
    z = ROW(AGN_F16, 2, -1, 0, 0);
    EXPECT("f16 beside bf16 is f32", agn_nextafter(&y, x, z), AGN_F32, 1 + 0x1p-23, -0x1p-149,
           -0x1.fffffep127, 1 - 0x1p-24);
    agn_release(z);
    z = ROW(AGN_BF16, 2, -1, 0, 0);
    EXPECT("next bf16", agn_nextafter(&y, x, z), AGN_BF16, 1 + 0x1p-7, -0x1p-133, -0x1.fep127,
           1 - 0x1p-8);
    agn_release(x), agn_release(z);
    x = ROW(AGN_F64, 0, -0.0, 1);
    EXPECT("entr", agn_entr(&y, x), AGN_F64, 0, 0, -0.0);
    agn_release(x);
    tell(&t, "steps of narrow floats, zeros");
    t = (tally){0};
}

static void test_quantiles(void)
{
    agn_tensor *x = ROW(AGN_F32, NOT_A, 2, -INF, INF, 1);
    static const int32_t method[] = {AGN_QUANTILE_LINEAR, AGN_QUANTILE_LOWER, AGN_QUANTILE_HIGHER,
                                     AGN_QUANTILE_MIDPOINT, AGN_QUANTILE_NEAREST};
    static const double want[][4] = {{-INF, -INF, 1.5, INF}, /* of -inf 1 2 inf */
                                     {-INF, -INF, 1, INF},
                                     {-INF, 1, 2, INF},
                                     {-INF, -INF, 1.5, INF},
                                     {-INF, 1, 2, INF}};
    for (int k = 0; k < COUNT(method); k++) {
        agn_tensor *y = NULL;
        agn_status st = agn_nanquantile(&y, x, V(0, 0.25, 0.5, 1), 4, NULL, 0, false, method[k]);
        expect("nanquantile", st, y, AGN_F32, 4, want[k]);
    }
    agn_release(x);
    x = ROW(AGN_F32, -1, 1 + 0x1p-23, 3, -2); /* of both sides of 0: their distance has more digits */
    EXPECT("median", agn_median(&y, x, NULL, 0, false), AGN_F32, 0x1p-24);
    EXPECT("nanmedian", agn_nanmedian(&y, x, NULL, 0, false), AGN_F32, 0x1p-24);
    agn_release(x);
    tell(&t, "quantiles beside infinities, medians about 0");
    t = (tally){0};
}

static void test_shapes(void)
{
    agn_tensor *none = NULL, *out = untouched;
    must(agn_zeros(&none, AGN_F64, 2, (int64_t[]){0, 3}));
    check(&t, refused(agn_reshape(&out, none, 2, (int64_t[]){0, -1}), AGN_ESHAPE, "reshape", "axis 1",
                      "[0,-1]", out),
          "any size would do");
    must(agn_reshape(&out, none, 2, (int64_t[]){-1, 3}));
    check(&t, agn_shape(out)[0] == 0, "one size does");
    agn_release(out), agn_release(none);
    agn_tensor *x = ROW(AGN_I32, 0, 1, 2), *i = ROW(AGN_I64, 1), *v = ROW(AGN_I32, 7, 8);
    EXPECT("one place for two", agn_insert(&y, x, i, v, 0), AGN_I32, 0, 7, 8, 1, 2);
    agn_release(x), agn_release(i), agn_release(v);
    x = ROW(AGN_I32, -5, 5);
    EXPECT("a ramp of integers is rounded down",
           agn_pad_with(&y, x, 1, (int64_t[]){3}, (int64_t[]){3}, AGN_PAD_LINEAR_RAMP), AGN_I32, 0, -2,
           -4, -5, 5, 3, 1, 0);
    agn_release(x);
    double number = 0;
    agn_tensor *flat = NULL, *one = NULL;
    must(agn_wrap_host(&flat, AGN_F64, 2, (int64_t[]){0, 3}, (int64_t[]){0, 0}, &number, false, NULL,
                       NULL));
    must(agn_zeros(&x, AGN_F64, 2, (int64_t[]){0, 3}));
    check(&t, !agn_abs_into(flat, x), "no elements lie in one place: %s", agn_error_message());
    agn_release(flat);
    must(agn_wrap_host(&flat, AGN_F64, 2, (int64_t[]){2, 3}, (int64_t[]){0, 0}, &number, false, NULL,
                       NULL));
    must(agn_ones(&one, AGN_F64, 2, (int64_t[]){2, 3}));
    check(&t, refused(agn_abs_into(flat, one), AGN_EARG, "abs_into", "one place", "[2,3]", untouched) &&
                  number == 0,
          "six do");
    agn_release(flat), agn_release(x), agn_release(one);
    agn_tensor *wide = ROW(AGN_F32, 5, 5), *half = ROW(AGN_F16, 1, 2);
    check(&t, refused(agn_exp_into(wide, half), AGN_EDTYPE, "exp_into", "f16", "f32", untouched) &&
                  peek(wide, 0) == 5 && peek(wide, 1) == 5,
          "memory of a wider dtype is left alone");
    check(&t, refused(agn_logsumexp_into(wide, half, NULL, 0, false), AGN_ESHAPE, "logsumexp_into",
                      "[]", "[2]", untouched) &&
                  peek(wide, 0) == 5,
          "and of another shape");
    agn_release(wide), agn_release(half);
    agn_tensor *counts = ROW(AGN_I64, 2, -7, 1), *sheet = NULL, *mask = NULL, *few = ROW(AGN_F64, 1, 2, 3);
    must(agn_zeros(&sheet, AGN_F64, 2, (int64_t[]){3, 4}));
    must(agn_ones(&mask, AGN_BOOL, 2, (int64_t[]){3, 4}));
    out = untouched;
    check(&t, refused(agn_bincount(&out, counts, NULL, -1), AGN_EINDEX, "bincount", "[3]", "-7", out),
          "the number below 0");
    check(&t, refused(agn_masked_scatter(&out, sheet, mask, few), AGN_EINDEX, "masked_scatter", "12",
                      "has 3", out),
          "too few values");
    check(&t, refused(agn_stack(&out, (const agn_tensor *[]){sheet, few}, 2, 0), AGN_ESHAPE, "stack",
                      " [3,4] ", " [3]", out),
          "shapes as they were given");
    agn_release(counts), agn_release(sheet), agn_release(mask), agn_release(few);
    tell(&t, "sizes and places");
    t = (tally){0};
}

/* |y - want| in eps of the size of want */
static double off(const agn_tensor *y, int64_t i, double complex want)
{
    return cabs(peekz(y, i) - want) / (cabs(want) * 0x1p-52);
}
static void test_complex(void)
{
    const double pi = acos(-1), ln2 = log(2), ln10 = log(10);
    const double complex in[] = {z_of(0, 8), z_of(-100, 0.0), z_of(1e-12, -3e-9), z_of(0.4, 2)};
    const double complex logs[] = {z_of(3 * ln2, pi / 2), z_of(2 * ln10, pi)};
    const int64_t n = COUNT(in);
    agn_tensor *x = NULL, *y = NULL, *z = NULL, *sum = NULL;
    must(agn_from_host(&x, AGN_C128, 1, &n, in));
    must(agn_log2(&y, x));
    must(agn_log10(&z, x));
    for (int64_t i = 0; i < COUNT(logs); i++)
        check(&t, off(y, i, logs[i] / ln2) < 4 && off(z, i, logs[i] / ln10) < 4, "logarithm %d", (int)i);
    agn_release(z);
    must(agn_exp2(&z, y));
    for (int64_t i = 0; i < n; i++)
        check(&t, off(z, i, in[i]) < 64, "2 to the log2: %d is off by %g eps", (int)i, off(z, i, in[i]));
    agn_release(y), agn_release(z);
    must(agn_expm1(&y, x));
    must(agn_log1p(&z, y));
    check(&t, agn_dtype_of(z) == AGN_C128 && off(z, 2, in[2]) < 4 && off(z, 3, in[3]) < 4,
          "log1p of expm1 keeps small numbers: %g eps", off(z, 2, in[2]));
    agn_release(y), agn_release(z);
    must(agn_rsqrt(&y, x));
    check(&t, off(y, 0, csqrt(1 / in[0])) < 4 && off(y, 1, z_of(0, -0.1)) < 4, "rsqrt");
    agn_release(y);
    must(agn_sigmoid(&y, x));
    must(agn_neg(&z, x));
    must(agn_sigmoid_into(z, z));
    must(agn_add(&sum, y, z));
    check(&t, off(sum, 3, 1) < 4 && peekz(y, 1) == conj(peekz(y, 1)) && cabs(peekz(y, 1)) < 1e-43,
          "sigmoid");
    agn_release(x), agn_release(y), agn_release(z), agn_release(sum);
    /* many turns: values by mpmath of 40 digits */
    const double complex far_up[] = {z_of(0, -79.890133498653441), z_of(3, 1000.5)},
                         turned[] = {z_of(0.38734437307244937424, 0.92193510435882153587),
                                     z_of(-5.5838468532308685867, 5.7289313418528351856)};
    const int64_t turns = COUNT(far_up);
    must(agn_from_host(&x, AGN_C128, 1, &turns, far_up));
    must(agn_exp2(&y, x));
    for (int64_t i = 0; i < turns; i++)
        check(&t, off(y, i, turned[i]) < 4, "exp2 after many turns: %g eps", off(y, i, turned[i]));
    agn_release(x), agn_release(y);
    const double complex ends[] = {0, z_of(-INF, 0.0)};
    const int64_t two = 2;
    must(agn_from_host(&x, AGN_C128, 1, &two, ends));
    must(agn_log2(&y, x));
    check(&t, creal(peekz(y, 0)) == -INF && cimag(peekz(y, 0)) == 0, "log2 of 0");
    agn_release(y);
    must(agn_exp2(&y, x));
    check(&t, peekz(y, 0) == 1 && peekz(y, 1) == 0, "ends of exp2");
    agn_release(x), agn_release(y);
    tell(&t, "real functions of complex numbers");
    t = (tally){0};
    /* a direction: of infinite parts where there is one, as NumPy's, and of numbers whose |x|
       overflows; next to NaN an infinite part still has one */
    const double complex far[] = {z_of(INF, 7), z_of(-3, -INF), z_of(-INF, INF), z_of(INF, NOT_A),
                                  z_of(1.7e308, -1.7e308), z_of(NOT_A, 1), z_of(3e-320, 4e-320)};
    const double h = sqrt(0.5);
    const double complex sign[] = {1, z_of(0, -1), z_of(-h, h), 1, z_of(h, -h), 0, z_of(0.6, 0.8)};
    const int64_t m = COUNT(far);
    must(agn_from_host(&x, AGN_C128, 1, &m, far));
    must(agn_sign(&y, x));
    for (int64_t i = 0; i < m; i++)
        check(&t, i == 5 ? isnan(creal(peekz(y, i))) : cabs(peekz(y, i) - sign[i]) < (i == 6 ? 1e-3 : 1e-15),
              "sign %d is %g + %g i", (int)i, creal(peekz(y, i)), cimag(peekz(y, i)));
    agn_release(x), agn_release(y);
    tell(&t, "signs of complex numbers far away");
    t = (tally){0};
    /* exp(b log a): large exponents, whose error an exponential makes relative */
    const int64_t many = tap_scale(20000);
    double worst[2] = {0};
    for (int d = 0; d < 2; d++) {
        agn_tensor *a = NULL, *b = NULL;
        uint64_t seed = 77;
        double complex *av = malloc((size_t)many * sizeof *av), *bv = malloc((size_t)many * sizeof *bv);
        for (int64_t i = 0; i < many; i++) {
            double u[4];
            for (int k = 0; k < 4; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                u[k] = (double)(seed >> 11) * 0x1p-53 * 2 - 1;
            }
            /* within range and exactly f32: |a| <= 3, |b| <= 15 or 200 */
            double far_b = d ? 15 : 200;
            av[i] = z_of((double)(float)(3 * u[0]), (double)(float)(3 * u[1]));
            bv[i] = z_of((double)(float)(far_b * u[2]), (double)(float)(far_b * u[3]));
        }
        must(agn_from_host(&x, AGN_C128, 1, &many, av));
        must(agn_cast(&a, x, d ? AGN_C64 : AGN_C128));
        agn_release(x);
        must(agn_from_host(&x, AGN_C128, 1, &many, bv));
        must(agn_cast(&b, x, d ? AGN_C64 : AGN_C128));
        agn_release(x);
        must(agn_pow(&y, a, b));
        for (int64_t i = 0; i < many; i++) {
            long double complex want = cpowl((long double complex)av[i], (long double complex)bv[i]);
            long double size = cabsl(want);
            if (!(size > (d ? 1e-30L : 1e-290L) && size < (d ? 1e30L : 1e290L)))
                continue;
            double e = (double)(cabsl((long double complex)peekz(y, i) - want) / size) /
                       (d ? 0x1p-23 : 0x1p-52);
            worst[d] = e > worst[d] ? e : worst[d];
        }
        agn_release(a), agn_release(b), agn_release(y);
        free(av), free(bv);
    }
    ok(worst[0] < 4 && worst[1] < 4, "powers of complex numbers: %.2g eps of c128, %.2g of c64",
       worst[0], worst[1]);
}

int main(void)
{
    test_complex();
    test_whole();
    test_literals();
    test_steps();
    test_quantiles();
    test_shapes();
    return done();
}
