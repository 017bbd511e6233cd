/* tests/t-reduce.c - reductions, scans and sorting against plain loops. */
#include "laws.h"

/* ---- every subset of axes ------------------------------------------------------------- */

typedef agn_status reduction(agn_tensor **, const agn_tensor *, const int32_t *,
                             int32_t, bool);
enum { SUM, MEAN, PROD, MAX, MIN, LSE, SUM2, N_REDUCTIONS };
static reduction *const reductions[] = {agn_sum, agn_mean,      agn_prod,           agn_max,
                                        agn_min, agn_logsumexp, agn_sum_compensated};
static const char *const names[] = {"sum", "mean",      "prod",           "max",
                                    "min", "logsumexp", "sum_compensated"};

static int result_dtype(int r, int d)
{
    if (r == MAX || r == MIN)
        return d;
    if (kind_of(d) <= KIND_INT)
        return r == SUM || r == PROD || r == SUM2 ? AGN_I64 : AGN_F64;
    return d;
}
static bool defined(int r, int d)
{
    return kind_of(d) != KIND_COMPLEX || r == SUM || r == MEAN || r == PROD || r == SUM2;
}
static double unit_of(int d)
{
    return d == AGN_F16                   ? 0x1p-10
           : d == AGN_BF16                ? 0x1p-7
           : d == AGN_F32 || d == AGN_C64 ? 0x1p-22
                                          : 0x1p-50;
}

/* one reduction over elements v[n]; *scale is what its error is measured by */
static double complex reduce(int r, const double complex *v, int64_t n, double *scale)
{
    double complex acc = r == PROD ? 1 : 0;
    double most = -(double)INFINITY, sum = 0;
    *scale = 0;
    if (r == MAX || r == MIN) {
        acc = v[0];
        for (int64_t i = 1; i < n; i++) {
            double a = creal(acc), b = creal(v[i]);
            if (!isnan(a) && (isnan(b) || (r == MAX ? b > a : b < a)))
                acc = v[i];
        }
        return acc;
    }
    if (r == LSE) {
        for (int64_t i = 0; i < n; i++)
            most = fmax(most, creal(v[i]));
        for (int64_t i = 0; i < n; i++)
            sum += exp(creal(v[i]) - most);
        *scale = 4 + fabs(most);
        return n ? most + log(sum) : -(double)INFINITY;
    }
    for (int64_t i = 0; i < n; i++) {
        acc = r == PROD ? acc * v[i] : acc + v[i];
        sum += cabs(v[i]);
    }
    *scale = r == PROD ? 16 * cabs(acc) : r == MEAN ? sum / (double)n : sum;
    return r == MEAN ? acc / (double)n : acc;
}

static void reduce_all(tally *t, const agn_tensor *x, int mask, int r)
{
    int nd = agn_ndim(x), d = agn_dtype_of(x), nk = 0;
    int32_t axes[6], n = 0;
    int64_t kept[6], full[6], outs = 1, many = 1;
    const int64_t *shape = agn_shape(x);
    for (int k = 0; k < nd; k++) {
        if (mask >> k & 1) {
            axes[n++] = k % 2 ? k : k - nd;
            many *= shape[k];
            full[k] = 1;
        } else {
            kept[nk++] = full[k] = shape[k];
            outs *= shape[k];
        }
    }
    for (int keep = 0; keep < 2; keep++) {
        agn_tensor *y = untouched;
        agn_status st = reductions[r](&y, x, axes, n, keep);
        if (many == 0 && (r == MAX || r == MIN)) {
            check(t, refused(st, AGN_ESHAPE, names[r], SHAPE_TEXT(x), NULL, y),
                  "%s of nothing", names[r]);
            continue;
        }
        check(t, !st, "%s of %s %s: %s", names[r], agn_dtype_name(d), SHAPE_TEXT(x),
              agn_error_message());
        if (st)
            continue;
        bool good = (keep ? has_shape(y, nd, full) : has_shape(y, nk, kept)) &&
                    agn_dtype_of(y) == result_dtype(r, d);
        double complex *v = room_for((size_t)(many + 1) * sizeof *v), want = 0;
        double scale = 0, off = 0;
        for (int64_t o = 0; good && o < outs; o++) {
            int64_t m = 0;
            for (int64_t i = 0; i < agn_numel(x);
                 i++) { /* those whose kept axes spell o */
                int64_t rest = i, at = 0, unit = 1;
                for (int k = nd - 1; k >= 0; k--) {
                    if (!(mask >> k & 1)) {
                        at += rest % shape[k] * unit;
                        unit *= shape[k];
                    }
                    rest /= shape[k];
                }
                if (at == o)
                    v[m++] = peekz(x, i);
            }
            want = reduce(r, v, m, &scale);
            agn_dtype_facts f = {.size = sizeof f};
            must(agn_dtype_describe(&f, result_dtype(r, d)));
            if (f.kind == AGN_KIND_REAL && fabs(creal(want)) >= f.largest * (1 + f.eps / 4))
                want = copysign((double)INFINITY, creal(want)); /* rounds beyond all numbers */
            double complex have = peekz(y, o);
            off = cabs(have - want);
            bool exact = r == MAX || r == MIN ||
                         kind_of(result_dtype(r, d)) == KIND_INT;
            if (isnan(creal(want)))
                good = isnan(creal(have));
            else if (isinf(creal(want)) || exact)
                good = creal(have) == creal(want);
            else
                good = off <=
                       unit_of(result_dtype(r, d)) * (fabs(scale) + cabs(want)) + 1e-30;
        }
        check(t, good,
              "%s of %s %s, axes %d, keep %d: %s %s, want %.17g, off %.3g, scale %.3g",
              names[r], agn_dtype_name(d), SHAPE_TEXT(x), mask, keep,
              agn_dtype_name(agn_dtype_of(y)), SHAPE_TEXT(y), creal(want), off, scale);
        free(v);
        agn_release(y);
    }
}

static void test_axes(void)
{
    tally t[N_REDUCTIONS] = {{0, 0}};
    int dtype = 0;
    for (int nd = 0; nd <= 5; nd++)
        for (int mask = 0; mask < 1 << nd; mask++)
            for (int r = 0; r < N_REDUCTIONS; r++)
                for (int trial = 0; trial < 3; trial++) {
                    int64_t shape[5];
                    for (int k = 0; k < nd; k++)
                        shape[k] = trial == 2 ? rnd_below(3) : 1 + rnd_below(3);
                    do
                        dtype = (dtype + 1) % AGN_NDTYPES;
                    while (!defined(r, dtype));
                    bool narrow = dtype == AGN_I8 || dtype == AGN_U8;
                    agn_tensor *b = random_of(dtype, nd, shape, narrow ? -100 : -3,
                                              narrow ? 100 : 3);
                    agn_tensor *x = laid_out(b, (int)rnd_below(N_LAYOUTS));
                    uint64_t h = hash_of(x);
                    if (r != PROD || !narrow)
                        reduce_all(&t[r], x, mask, r);
                    check(&t[r], hash_of(x) == h, "%s changed its argument", names[r]);
                    agn_release(b), agn_release(x);
                }
    for (int r = 0; r < N_REDUCTIONS; r++)
        tell(
            &t[r],
            "%s: every subset of axes to rank 5, keep, dtypes, layouts, lengths 0 to 3",
            names[r]);
    /* lengths 0, 1 and 2 at every position in every dtype (E1, E2, E3) */
    tally u = {0};
    for (int r = 0; r < N_REDUCTIONS; r++)
        for (int d = 0; d < AGN_NDTYPES; d++)
            for (int64_t n = 0; n <= 2; n++)
                for (int axis = 0; axis < 3; axis++) {
                    int64_t shape[3] = {3, 2, 4};
                    shape[axis] = n;
                    if (!defined(r, d))
                        continue;
                    agn_tensor *x = random_of(d, 3, shape, -9, 9);
                    reduce_all(&u, x, 1 << axis, r);
                    agn_release(x);
                }
    tell(&u, "reductions of lengths 0, 1 and 2 at every axis in every dtype");
    for (int d = AGN_C64; d <= AGN_C128; d++)
        for (int r = 0; r < N_REDUCTIONS; r++) {
            if (defined(r, d))
                continue;
            agn_tensor *x = random_of(d, 1, (int64_t[]){2}, 0, 1), *y = untouched;
            ok(refused(reductions[r](&y, x, NULL, 0, false), AGN_EDTYPE, names[r],
                       agn_dtype_name(d), "[2]", y),
               "%s of %s is refused", names[r], agn_dtype_name(d));
            agn_release(x);
        }
}

/* rows longer than a tile, whose last one may be a single column, folded alone and beside others */
static void test_wide_rows(void)
{
    static const int64_t rows[] = {2, 3, 7, 8, 9, 130}, widths[] = {513, 1024, 1025, 1026, 1537, 2049};
    tally t = {0, 0};
    for (int r = 0; r < N_REDUCTIONS; r++)
        for (int d = 0; d < AGN_NDTYPES; d++)
            for (int i = 0; i < COUNT(rows); i++)
                for (int j = 0; j < COUNT(widths); j++) {
                    int64_t n = rows[i], m = widths[j], shape[] = {1 + (n < 9 && j % 2), n, m};
                    if (!defined(r, d) || d == AGN_I8 || d == AGN_U8 || (r == PROD && (n > 9 || unit_of(d) > 1e-6)) ||
                        (n > 9 && d != AGN_F32 && d != AGN_F64))
                        continue;
                    agn_tensor *x = random_of(d, 3, shape, -3, 3), *y = NULL;
                    double complex *v = room_for((size_t)n * sizeof *v);
                    must(reductions[r](&y, x, (int32_t[]){1}, 1, false));
                    for (int64_t o = 0; o < shape[0]; o++)
                        for (int64_t k = 0; k < m; k += k + 70 < m && k % 512 > 1 ? 61 : 1) {
                            double scale = 0;
                            for (int64_t a = 0; a < n; a++)
                                v[a] = peekz(x, (o * n + a) * m + k);
                            double complex want = reduce(r, v, n, &scale), have = peekz(y, o * m + k);
                            check(&t, cabs(have - want) <= unit_of(result_dtype(r, d)) *
                                                                   (fabs(scale) + cabs(want)) + 1e-30,
                                  "%s of %s %s, column %d: %.17g, want %.17g", names[r], agn_dtype_name(d),
                                  SHAPE_TEXT(x), (int)k, creal(have), creal(want));
                        }
                    free(v);
                    agn_release(x);
                    agn_release(y);
                }
    for (int i = 0; i < COUNT(rows); i++)
        for (int j = 0; j < COUNT(widths); j++)
            for (int single = 0; single < 2; single++) {
                int64_t n = rows[i], m = widths[j];
                agn_tensor *x = random_of(single ? AGN_F32 : AGN_F64, 2, (int64_t[]){n, m}, 1, 3), *y = NULL;
                must(agn_var(&y, x, (int32_t[]){0}, 1, 0, false));
                for (int64_t k = m - 2; k < m; k++) {
                    double mean = 0, want = 0;
                    for (int64_t a = 0; a < n; a++)
                        mean += peek(x, a * m + k) / (double)n;
                    for (int64_t a = 0; a < n; a++)
                        want += (peek(x, a * m + k) - mean) * (peek(x, a * m + k) - mean) / (double)n;
                    check(&t, fabs(peek(y, k) - want) <= (single ? 1e-6 : 1e-14),
                          "var of %s, column %d: %.17g, want %.17g", SHAPE_TEXT(x), (int)k, peek(y, k), want);
                }
                agn_release(x);
                agn_release(y);
            }
    tell(&t, "rows longer than a tile");
}

/* ---- accuracy ------------------------------------------------------------------------------ */

static agn_tensor *wrap_f32(float *p, int64_t n)
{
    agn_tensor *x = NULL;
    must(agn_wrap_host(&x, AGN_F32, 1, &n, NULL, p, true, free, p));
    return x;
}

static void test_accuracy(void)
{
    int64_t n = tap_scale(10000000);
    float *p = room_for((size_t)n * sizeof *p);
    long double want = 0;
    for (int64_t i = 0; i < n; i++)
        want += (long double)(p[i] = (float)rnd_in(0, 1));
    agn_tensor *x = wrap_f32(p, n), *y = NULL;
    must(agn_sum_all(&y, x));
    double err = fabs((double)((long double)peek(y, 0) - want) / (double)want);
    diag("f32 sum of %" PRId64 " uniform numbers: relative error %.3g", n, err);
    ok(err < 3e-7, "f32 sum of 10^7 numbers is pairwise");
    agn_release(y);
    must(agn_mean_all(&y, x));
    near(peek(y, 0), (double)want / (double)n, 3e-7, "and its mean");
    agn_release(x), agn_release(y);
    p = room_for((size_t)n * sizeof *p);
    for (int64_t i = 0; i < n; i++)
        p[i] = 0.1f;
    x = wrap_f32(p, n);
    must(agn_sum_all(&y, x));
    near(peek(y, 0) / ((double)0.1f * (double)n), 1, 1e-6, "f32 sum of equal numbers");
    agn_release(x), agn_release(y);
    /* columns: the order must not be a running sum either */
    n = tap_scale(1000000);
    p = room_for((size_t)n * 3 * sizeof *p);
    long double col[3] = {0, 0, 0};
    for (int64_t i = 0; i < 3 * n; i++)
        col[i % 3] += (long double)(p[i] = (float)rnd_in(0, 1));
    must(agn_wrap_host(&x, AGN_F32, 2, (int64_t[]){n, 3}, NULL, p, true, free, p));
    must(agn_sum(&y, x, (int32_t[]){0}, 1, false));
    double worst = 0;
    for (int j = 0; j < 3; j++)
        worst = fmax(worst, fabs((double)((long double)peek(y, j) / col[j] - 1)));
    diag("f32 column sums of 10^6 rows: relative error %.3g", worst);
    ok(worst < 3e-7, "f32 column sums are pairwise");
    agn_release(x), agn_release(y);

    /* narrow dtypes accumulate wide (E12) */
    int64_t many = 100000;
    agn_tensor *one = scalar_of(AGN_F16, 1), *half = scalar_of(AGN_F16, 0.5), *w = NULL;
    must(agn_broadcast_to(&x, one, 1, &many));
    must(agn_sum_all(&y, x));
    ok(isinf(peek(y, 0)) && agn_dtype_of(y) == AGN_F16,
       "the f16 sum of 10^5 ones overflows once");
    agn_release(y);
    must(agn_mean_all(&y, x));
    ok(peek(y, 0) == 1 && agn_dtype_of(y) == AGN_F16, "but the mean is 1");
    agn_release(y), agn_release(x);
    many = 60000;
    must(agn_broadcast_to(&x, one, 1, &many));
    must(agn_sum_all(&y, x));
    ok(peek(y, 0) == 60000, "the f16 sum of 60000 ones is computed wide");
    agn_release(y), agn_release(x);
    many = 1000000;
    must(agn_broadcast_to(&x, half, 1, &many));
    must(agn_mean_all(&y, x));
    ok(peek(y, 0) == 0.5, "the f16 mean of 10^6 halves is a half");
    agn_release(y);
    must(agn_logsumexp(&y, x, NULL, 0, false));
    near(peek(y, 0), 0.5 + log(1e6), 5e-4, "f16 logsumexp of 10^6 halves");
    agn_release(y), agn_release(x);
    agn_tensor *b16 = scalar_of(AGN_BF16, 1);
    many = 1000;
    must(agn_broadcast_to(&x, b16, 1, &many));
    must(agn_sum_all(&y, x));
    ok(peek(y, 0) == 1000, "the bf16 sum of 1000 ones");
    agn_release(y), agn_release(x), agn_release(b16);
    agn_tensor *h = of_reals(AGN_F16, 1, (int64_t[]){4},
                             (double[]){1000, 1000, 1e-3, 1e-2});
    must(agn_prod(&y, h, NULL, 0, false));
    must(agn_cast(&w, y, AGN_F64));
    near(peek(w, 0), 10, 2e-3, "an f16 product beyond f16 on its way");
    agn_release(y), agn_release(w), agn_release(h), agn_release(one), agn_release(half);
    agn_tensor *i8 = of_reals(AGN_I8, 1, (int64_t[]){3}, (double[]){127, 127, 127});
    must(agn_sum_all(&y, i8));
    ok(peek_int(y, 0) == 381 && agn_dtype_of(y) == AGN_I64, "the i8 sum does not wrap");
    agn_release(y);
    must(agn_prod(&y, i8, NULL, 0, false));
    ok(peek_int(y, 0) == 127 * 127 * 127, "nor does the product");
    agn_release(y), agn_release(i8);
}

static double lse_of(int n, const double *v)
{
    int64_t m = n;
    agn_tensor *x = of_reals(AGN_F64, 1, &m, v), *y = NULL;
    must(agn_logsumexp(&y, x, NULL, 0, false));
    double r = peek(y, 0);
    agn_release(x), agn_release(y);
    return r;
}

static void test_special(void)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    near(lse_of(2, (double[]){1e4, 1e4}), 1e4 + log(2), 1e-15,
         "logsumexp of large elements");
    near(lse_of(2, (double[]){-1e4, -1e4}), -1e4 + log(2), 1e-15,
         "of very negative ones (E7)");
    near(lse_of(3, (double[]){-330, -340, -331}), -330 + log(1 + exp(-10) + exp(-1)),
         1e-15, "of logits near -330");
    ok(lse_of(2, (double[]){-inf, -inf}) == -inf, "of -inf only");
    ok(lse_of(3, (double[]){-inf, 2, -inf}) == 2, "-inf adds nothing");
    ok(lse_of(2, (double[]){inf, 1}) == inf, "of inf");
    ok(lse_of(2, (double[]){inf, inf}) == inf, "of two inf");
    ok(isnan(lse_of(3, (double[]){1, nan, 2})), "of NaN");
    ok(isnan(lse_of(2, (double[]){nan, inf})), "of NaN and inf");
    ok(isnan(lse_of(2, (double[]){-inf, nan})), "of -inf and NaN");
    /* extremes that equal any sentinel (X2-9) */
    static const struct {
        int dtype;
        double v[3], max, min;
        int at_max, at_min;
    } row[] = {
        {AGN_F64,
         {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY},
         -(double)INFINITY,
         -(double)INFINITY,
         0,
         0},
        {AGN_F32, {(double)INFINITY, 1, (double)INFINITY}, (double)INFINITY, 1, 0, 1},
        {AGN_F64, {1, (double)NAN, 2}, (double)NAN, (double)NAN, 1, 1},
        {AGN_F32, {(double)NAN, (double)NAN, 2}, (double)NAN, (double)NAN, 0, 0},
        {AGN_F16, {2, 2, (double)NAN}, (double)NAN, (double)NAN, 2, 2},
        {AGN_I32, {INT32_MIN, INT32_MIN, INT32_MIN}, INT32_MIN, INT32_MIN, 0, 0},
        {AGN_I32, {INT32_MAX, INT32_MIN, INT32_MAX}, INT32_MAX, INT32_MIN, 0, 1},
        {AGN_U8, {255, 0, 255}, 255, 0, 0, 1},
        {AGN_I8, {-128, 127, 127}, 127, -128, 1, 0},
        {AGN_BOOL, {0, 1, 1}, 1, 0, 1, 0},
        {AGN_F64, {0, -0.0, 0}, 0, 0, 0, 0},
    };
    tally t = {0};
    for (int k = 0; k < COUNT(row); k++) {
        agn_tensor *x = of_reals(row[k].dtype, 1, (int64_t[]){3}, row[k].v),
                   *y[4] = {NULL};
        must(agn_max(&y[0], x, NULL, 0, false));
        must(agn_min(&y[1], x, NULL, 0, false));
        must(agn_argmax(&y[2], x, 0, false));
        must(agn_argmin(&y[3], x, -1, true));
        double max = peek(y[0], 0), min = peek(y[1], 0);
        check(&t, max == row[k].max || (isnan(max) && isnan(row[k].max)),
              "max of row %d", k);
        check(&t, min == row[k].min || (isnan(min) && isnan(row[k].min)),
              "min of row %d", k);
        check(&t, peek_int(y[2], 0) == row[k].at_max, "argmax of row %d", k);
        check(&t, peek_int(y[3], 0) == row[k].at_min && agn_ndim(y[3]) == 1,
              "argmin of row %d", k);
        check(&t, agn_dtype_of(y[2]) == AGN_I64, "argmax is i64");
        for (int i = 0; i < 4; i++)
            agn_release(y[i]);
        agn_release(x);
    }
    tell(&t, "max, min, argmax, argmin: NaN, first of ties, extreme values (E14)");
}

static void test_arg(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(2000); trial++) {
        int nd = 1 + (int)rnd_below(4), axis = (int)rnd_below(nd), d = trial % AGN_C64;
        int64_t shape[4], kept[4], full[4], inner = 1;
        int nk = 0;
        for (int k = 0; k < nd; k++)
            shape[k] = 1 + rnd_below(5);
        for (int k = 0; k < nd; k++) {
            full[k] = k == axis ? 1 : shape[k];
            if (k != axis)
                kept[nk++] = shape[k];
            if (k > axis)
                inner *= shape[k];
        }
        agn_tensor *b = random_of(d, nd, shape, -2, 2),
                   *x = laid_out(b, trial % N_LAYOUTS);
        agn_tensor *y = NULL;
        bool least = trial % 2, keep = trial % 3 == 0;
        must((least ? agn_argmin : agn_argmax)(&y, x, trial % 5 ? axis : axis - nd,
                                               keep));
        bool good = keep ? has_shape(y, nd, full) : has_shape(y, nk, kept);
        for (int64_t o = 0; good && o < agn_numel(y); o++) {
            int64_t first = o / inner * shape[axis] * inner + o % inner, best = 0;
            for (int64_t k = 1; k < shape[axis]; k++) {
                double a = peek(x, first + best * inner),
                       c = peek(x, first + k * inner);
                if (least ? c < a : c > a)
                    best = k;
            }
            good = peek_int(y, o) == best;
        }
        check(&t, good, "%s of %s %s axis %d", least ? "argmin" : "argmax",
              agn_dtype_name(d), SHAPE_TEXT(x), axis);
        agn_release(b), agn_release(x), agn_release(y);
    }
    tell(&t, "argmax and argmin: axes, ties, dtypes, layouts");
}

/* ---- scans ------------------------------------------------------------------------------------- */

static bool scan_is(const agn_tensor *y, const agn_tensor *x, int64_t n, int64_t inner,
                    bool back)
{
    int d = agn_dtype_of(y);
    bool good = same_shapes(x, y);
    for (int64_t o = 0; good && o < agn_numel(x) / (n * inner); o++)
        for (int64_t j = 0; good && j < inner; j++) {
            long double complex acc = 0;
            uint64_t whole = 0;
            double scale = 0;
            for (int64_t k = 0; good && k < n; k++) {
                int64_t at = (o * n + (back ? n - 1 - k : k)) * inner + j;
                acc += peekz(x, at);
                whole += (uint64_t)(kind_of(d) == KIND_INT ? peek_int(x, at) : 0);
                scale += cabs(peekz(x, at));
                good = kind_of(d) == KIND_INT
                           ? peek_int(y, at) == (int64_t)whole
                           : cabs(peekz(y, at) - (double complex)acc) <=
                                 unit_of(d) * scale * (double)(k + 1) / 4 + 1e-30;
            }
        }
    return good;
}

static void test_cumsum(void)
{
    tally t = {0};
    int d = 0;
    for (int64_t n = 1; n <= 2050; n += n < 70     ? 1
                                        : n < 1000 ? 61
                                        : n < 1020 ? 1
                                        : n < 2040 ? 97
                                                   : 1)
        for (int64_t outer = 1; outer <= 5; outer += 2)
            for (int64_t inner = 1; inner <= 5; inner += 2) {
                d = (d + 1) % AGN_NDTYPES;
                bool back = n % 2;
                agn_tensor *b = random_of(d, 3, (int64_t[]){outer, n, inner}, -9, 9),
                           *y = NULL;
                agn_tensor *x = laid_out(b, d % N_LAYOUTS);
                if (!back)
                    must(agn_cumsum(&y, x, n % 4 ? 1 : -2));
                else if (d >= AGN_I32)
                    must(agn_op_apply(&y, 1, "cumsum", (const agn_tensor *const *)&x, 1,
                                      (int64_t[]){-2, 1}, 2, NULL, 0));
                if (y) {
                    int want = kind_of(d) <= KIND_INT && !(back && d == AGN_I32)
                                   ? AGN_I64
                                   : d;
                    check(&t, agn_dtype_of(y) == want, "cumsum of %s is %s",
                          agn_dtype_name(d), agn_dtype_name(agn_dtype_of(y)));
                    check(&t, scan_is(y, x, n, inner, back), "cumsum of %s %s",
                          agn_dtype_name(d), SHAPE_TEXT(x));
                }
                agn_release(b), agn_release(x), agn_release(y);
            }
    tell(&t, "cumsum: lengths 1 to 2050, outer and inner, reverse (E4)");
    agn_tensor *x = random_of(AGN_F32, 3, (int64_t[]){2, 1280, 1280}, -1, 1), *y = NULL,
               *z = NULL;
    must(agn_cumsum(&y, x, 0));
    ok(scan_is(y, x, 2, 1280 * 1280, false), "cumsum of [2,1280,1280] along axis 0");
    uint64_t h = hash_of(y);
    bool same = true;
    for (int i = 0; i < 3; i++) {
        must(agn_cumsum(&z, x, 0));
        same = same && hash_of(z) == h;
        agn_release(z);
    }
    ok(same, "gives the same bits again");
    agn_release(y), agn_release(x);
    x = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1);
    must(agn_cumsum(&y, x, 0));
    ok(same_shapes(x, y), "cumsum of nothing");
    agn_release(x), agn_release(y);
}

/* ---- sorting -------------------------------------------------------------------------------------- */

/* does b come after a? NaN is last either way */
static int after(double a, double b, bool down)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b) ? 1 : !isnan(a) && isnan(b) ? -1 : 0;
    return a == b ? 0 : (a > b) == !down ? 1 : -1;
}

static void test_sort(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(3000); trial++) {
        int nd = 1 + (int)rnd_below(3), axis = (int)rnd_below(nd), d = trial % AGN_C64;
        int64_t shape[3], inner = 1;
        for (int k = 0; k < nd; k++)
            shape[k] = rnd_below(trial % 10 ? 6 : 50);
        for (int k = axis + 1; k < nd; k++)
            inner *= shape[k];
        agn_tensor *b = random_of(d, nd, shape, -3, 3);
        if (kind_of(d) == KIND_FLOAT) { /* ties, NaN, signed zeros, infinities */
            static const double some[] = {
                0, -0.0, 1, 1, (double)NAN, 2, (double)INFINITY, -(double)INFINITY, -1};
            double *v = room_for((size_t)agn_numel(b) * sizeof *v);
            for (int64_t i = 0; i < agn_numel(b); i++)
                v[i] = some[rnd_below(COUNT(some))];
            agn_release(b);
            b = of_reals(d, nd, shape, v);
            free(v);
        }
        agn_tensor *x = laid_out(b, trial % N_LAYOUTS), *y = NULL, *p = NULL;
        bool down = trial % 2;
        must(agn_sort(&y, x, trial % 3 ? axis : axis - nd, down));
        must(agn_argsort(&p, x, axis, down));
        int64_t n = shape[axis], lanes = n ? agn_numel(x) / n : 0;
        bool good = same_shapes(y, x) && agn_dtype_of(y) == d &&
                    agn_dtype_of(p) == AGN_I64;
        for (int64_t l = 0; good && l < lanes; l++) {
            int64_t first = l / inner * n * inner + l % inner;
            bool seen[64] = {false};
            for (int64_t k = 0; good && k < n; k++) {
                int64_t i = peek_int(p, first + k * inner);
                good = i >= 0 && i < n && !seen[i];
                if (!good)
                    break;
                seen[i] = true;
                good = !memcmp(place(y, first + k * inner), place(x, first + i * inner),
                               agn_dtype_size(d));
                if (k == 0)
                    continue;
                int64_t j = peek_int(p, first + (k - 1) * inner);
                int c = after(peek(x, first + j * inner), peek(x, first + i * inner),
                              down);
                good = good && (c < 0 || (c == 0 && j < i)); /* in order, and stable */
            }
        }
        check(&t, good, "sort of %s %s axis %d%s", agn_dtype_name(d), SHAPE_TEXT(x),
              axis, down ? " descending" : "");
        agn_release(b), agn_release(x), agn_release(y), agn_release(p);
    }
    tell(
        &t,
        "sort and argsort: stable both ways, NaN last, axes, dtypes, layouts (E5, A17)");
    int64_t n = tap_scale(1000000);
    agn_tensor *x = random_of(AGN_F64, 1, &n, -1, 1), *y = NULL, *p = NULL;
    must(agn_sort(&y, x, 0, false));
    must(agn_argsort(&p, x, 0, false));
    const double *v = agn_data(y), *u = agn_data(x);
    const int64_t *q = agn_data(p);
    bool good = true;
    double a = 0, b = 0;
    for (int64_t i = 0; i < n; i++) {
        good = good && (i == 0 || v[i - 1] <= v[i]) && v[i] == u[q[i]];
        a += u[i] * u[i], b += v[i] * v[i];
    }
    ok(good && fabs(a - b) < 1e-6, "10^6 numbers in order (E6)");
    agn_release(x), agn_release(y), agn_release(p);
}

/* Lanes long enough for every way of sorting: all alike, few alike, in order, backwards, alike in
   the upper or lower half of their bits, with NaN and both zeros. */
static double pattern(int which, int64_t k, int64_t n)
{
    switch (which) {
    case 0: return 1;
    case 1: return (double)rnd_below(5) - 2;
    case 2: return (double)k / 64;
    case 3: return (double)(n - k) / 64;
    case 4: return 1 + (double)rnd_below(1000) * 0x1p-45;
    case 5: return ldexp(1, (int)rnd_below(40) - 20);
    case 6: return rnd_below(9) ? rnd_in(-1, 1) : rnd_below(2) ? (double)NAN : -0.0;
    default: return rnd_in(-100, 100);
    }
}

static void test_long_lanes(void)
{
    static const int dtypes[] = {AGN_BOOL, AGN_I32, AGN_I64, AGN_F16, AGN_F32, AGN_F64};
    tally t = {0};
    for (int64_t n = 4095; n <= 70000; n += n < 5000 ? 2 : 61003)
        for (int p = 0; p < 8; p += tap_quick() ? 3 : 1)
            for (int i = 0; i < COUNT(dtypes); i++) {
                double *v = room_for((size_t)n * sizeof *v);
                for (int64_t k = 0; k < n; k++) {
                    v[k] = pattern(p, k, n);
                    if (kind_of(dtypes[i]) <= KIND_INT)
                        v[k] = isnan(v[k]) ? 7 : floor(v[k] * (dtypes[i] == AGN_BOOL ? 1 : 1e3));
                }
                agn_tensor *x = of_reals(dtypes[i], 1, &n, v), *y = NULL, *q = NULL;
                bool down = p % 2;
                must(agn_sort(&y, x, 0, down));
                must(agn_argsort(&q, x, 0, down));
                bool good = true;
                for (int64_t k = 0; good && k < n; k++) {
                    int64_t at = peek_int(q, k), before = k ? peek_int(q, k - 1) : 0;
                    int c = k ? after(peek(x, before), peek(x, at), down) : -1;
                    good = at >= 0 && at < n && (c < 0 || (c == 0 && before < at)) &&
                           !memcmp(place(y, k), place(x, at), agn_dtype_size(dtypes[i]));
                }
                check(&t, good, "%d %s, pattern %d", (int)n, agn_dtype_name(dtypes[i]), p);
                const int64_t windows[][2] = {{0, 1}, {0, 100}, {n / 2, 2}, {n - 3, 3}, {9, n / 3}};
                for (int w = 0; w < COUNT(windows); w++) {
                    agn_tensor *z = NULL;
                    const int64_t at[4] = {-1, down, windows[w][0], windows[w][1]};
                    must(agn_op_apply(&z, 1, "argsort_window", (const agn_tensor *[]){x}, 1, at, 4,
                                      NULL, 0));
                    bool same = agn_numel(z) == windows[w][1];
                    for (int64_t k = 0; same && k < windows[w][1]; k++)
                        same = peek_int(z, k) == peek_int(q, windows[w][0] + k);
                    check(&t, same, "%d %s, pattern %d, window %d", (int)n,
                          agn_dtype_name(dtypes[i]), p, w);
                    agn_release(z);
                }
                agn_release(x), agn_release(y), agn_release(q);
                free(v);
            }
    tell(&t, "long lanes: sort, argsort and windows of the order agree (E5, E6, E15)");
}

/* ---- threads ----------------------------------------------------------------------------------------- */

static void test_threads(void)
{
    static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_I64};
    tally t = {0};
    for (int k = 0; k < COUNT(dtypes); k++) {
        int d = dtypes[k];
        agn_tensor *x = random_of(d, 3, (int64_t[]){37, 101, 67}, -1, 1);
        for (int mask = 1; mask < 8; mask++)
            for (int r = 0; r < N_REDUCTIONS; r++) {
                if (!defined(r, d))
                    continue;
                int32_t axes[3], n = 0;
                for (int a = 0; a < 3; a++)
                    if (mask >> a & 1)
                        axes[n++] = a;
                uint64_t h = 0;
                for (int threads = 1; threads <= 8;
                     threads = threads == 3 ? 8 : threads + 1) {
                    agn_tensor *y = NULL;
                    must(agn_threads_set(threads));
                    must(reductions[r](&y, x, axes, n, false));
                    if (threads == 1)
                        h = hash_of(y);
                    check(&t, hash_of(y) == h, "%s of %s over %d with %d threads",
                          names[r], agn_dtype_name(d), mask, threads);
                    agn_release(y);
                }
            }
        agn_release(x);
    }
    must(agn_threads_set(0));
    tell(&t, "reductions: the same bits for 1, 2, 3 and 8 threads");
}

/* the log of a running sum of ones counts: its error must not grow with the length */
static void test_long_logs(void)
{
    enum { LONG = (1 << 20) + 1 };
    tally t = {0, 0};
    for (int side = 0; side < 4; side++) {
        agn_tensor *x = NULL, *y = NULL;
        const int64_t m = side & 1 ? 3 : 1;
        must(agn_zeros(&x, AGN_F32, 2, (int64_t[]){LONG, m}));
        must(agn_logcumsumexp(&y, x, 0, side & 2 ? AGN_SCAN_REVERSE : 0));
        for (int64_t k = 1; k <= LONG; k = 2 * k - 1 + (k == 1)) {
            double have = peek(y, (side & 2 ? LONG - k : k - 1) * m + m - 1), want = log((double)k);
            check(&t, fabs(have - want) <= 1e-6, "after %d: %.9g, want %.9g", (int)k, have, want);
        }
        agn_release(x);
        agn_release(y);
    }
    tell(&t, "long running logs of sums");
}

int main(void)
{
    test_axes();
    test_wide_rows();
    test_accuracy();
    test_special();
    test_arg();
    test_cumsum();
    test_sort();
    test_long_lanes();
    test_long_logs();
    test_threads();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
