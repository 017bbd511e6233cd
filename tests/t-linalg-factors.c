/* t-linalg-factors - LU factors taken apart and used again, solves of badly scaled systems, batches that go on
   after a failure: by their identities, in every mode, and every documented failure. */
#include "t-linalg.h"

static const agn_tensor *formed(agn_scope *s, const agn_tensor *a, int form)
{
    if (form == AGN_FORM_ADJOINT)
        a = ag_conj(s, a);
    return form ? ag_swapaxes(s, a, -1, -2) : a;
}

static void test_factors(void)
{
    static const int64_t sizes[][3] = {{1, 0, 0}, {0, 3, 3}, {2, 0, 3}, {2, 3, 0}, {1, 1, 1}, {2, 4, 2},
                                       {2, 2, 4}, {3, 5, 5}, {50, 3, 3}, {1, 70, 70}, {1, 30, 80}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t m = sizes[k][1], n = sizes[k][2];
                agn_tensor *a = random_of(dtypes[d], 3, sizes[k], -1, 1), *x = laid_out(a, l);
                agn_tensor *lu = NULL, *perm = NULL, *p = NULL, *lo = NULL, *up = NULL;
                double tol = 20 * (double)(m + n + 1) * eps_of(dtypes[d]);
                agn_scope *s = agn_scope_open(NULL);
                agn_status st = agn_linalg_lu(&p, &lo, &up, x);
                check(&q, !st, "lu: %s", agn_error_message());
                double e = relative(ag_matmul(s, p, ag_matmul(s, lo, up)), a);
                check(&q, e < tol, "%s [%d,%d]: p l u - a is %.1e", agn_dtype_name(dtypes[d]), (int)m, (int)n, e);
                for (int64_t i = 0; i < agn_numel(lo); i++) /* partial pivoting, of complex numbers by |re| + |im| */
                    check(&q, cabs(peekz(lo, i)) <= (d < 2 ? 1 : 1.4143) + 4 * eps_of(dtypes[d]), "a multiplier of %g", cabs(peekz(lo, i)));
                st = agn_linalg_lu_factor(&lu, &perm, x);
                check(&q, !st && agn_dtype_of(perm) == AGN_I64, "lu_factor: %s", agn_error_message());
                agn_tensor *again[3] = {NULL};
                st = agn_linalg_lu_unpack(&again[0], &again[1], &again[2], lu, perm);
                check(&q, !st && same_values(again[0], p) && same_values(again[1], lo) && same_values(again[2], up),
                      "lu_unpack: %s", agn_error_message());
                for (int form = 0; form < 3 && m == n; form++) {
                    const agn_tensor *b = ag_matmul(s, formed(s, a, form), a);
                    const agn_tensor *y = ag_linalg_lu_solve(s, lu, perm, b, (agn_matrix_form)form);
                    double back = relative(ag_matmul(s, formed(s, a, form), y), b);
                    check(&q, back < 30 * tol, "form %d: residual %.1e", form, back);
                }
                must(agn_scope_close(s));
                agn_tensor *all[] = {a, x, lu, perm, p, lo, up, again[0], again[1], again[2]};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&q, "lu: p l u = a, every shape; solves plain, transposed, adjoint");
}

/* Batches of b beside one factor, a vector, and multipliers that no reciprocal gives: 1 / 1e-310 overflows. */
static void test_solves(void)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *lu = NULL, *perm = NULL;
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1e-310, 3e-310, 4e-310, 2e-310});
    agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){5e-310, 0});
    agn_tensor *b = random_of(AGN_F64, 3, (int64_t[]){5, 2, 2}, -1, 1), *w = random_of(AGN_F64, 2, (int64_t[]){2, 2}, 1, 2);
    must(agn_linalg_lu_factor(&lu, &perm, a));
    const agn_tensor *x = ag_linalg_lu_solve(s, lu, perm, v, AGN_FORM_PLAIN);
    ok(agn_ndim(x) == 1 && fabs(peek(x, 0) + 1) < 1e-12 && fabs(peek(x, 1) - 2) < 1e-12,
       "factors of subnormal numbers solve: %g %g", peek(x, 0), peek(x, 1));
    agn_release(lu);
    agn_release(perm);
    must(agn_linalg_lu_factor(&lu, &perm, w));
    x = ag_linalg_lu_solve(s, lu, perm, b, AGN_FORM_PLAIN);
    ok(relative(ag_matmul(s, w, x), b) < 1e-12, "one factor, a batch of right-hand sides");
    must(agn_scope_close(s));
    agn_tensor *all[] = {a, v, b, w, lu, perm};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* r x c y = z with powers of 2 in r and c is as good as x y = z: in every form, of vectors and derivatives */
static void test_scaling(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < 40; k++) {
            int dtype = dtypes[d], n = 1 + k % 5, far = dtype == AGN_F32 || dtype == AGN_C64 ? 50 : 500;
            int64_t shape[] = {3, n, n}, rows[] = {n, 1}, cols[] = {n}, one[] = {3, n, 1};
            agn_tensor *a = random_of(dtype, 3, shape, -1, 1), *z = random_of(dtype, 3, one, -1, 1);
            double e[2][8];
            for (int i = 0; i < 2 * n; i++)
                e[i / n][i % n] = ldexp(1, (int)rnd_below(2 * far) - far);
            for (int i = 0; i < n && k % 3 == 0; i++) /* all faint, or all huge */
                e[0][i] = e[1][i] = ldexp(1, k % 2 ? far + 11 : -far - 11);
            agn_tensor *r = of_reals(dtype, 2, rows, e[0]), *c = of_reals(dtype, 1, cols, e[1]);
            agn_scope *s = agn_scope_open(NULL);
            const agn_tensor *want = ag_linalg_solve(s, a, z);
            const agn_tensor *bad = ag_mul(s, ag_mul(s, a, r), c), *x = ag_linalg_solve(s, bad, ag_mul(s, z, r));
            if (!x) /* singular as it stands, for numbers that vanished */
                check(&q, false, "%s", agn_error_message());
            else {
                const agn_tensor *y = ag_mul(s, x, ag_expand_dims(s, c, -1));
                double err = relative(y, want);
                check(&q, err < 1e6 * eps_of(dtype), "%s n %d: %.1e", agn_dtype_name(dtype), n, err);
            }
            must(agn_scope_close(s));
            agn_tensor *all[] = {a, z, r, c};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
        }
    tell(&q, "solve: rows and columns of any scale");
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *faint = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){3e-310, 1e-310, 1e-310, 2e-310}),
               *one = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){5e-310, 5e-310});
    const agn_tensor *x = ag_linalg_solve(s, faint, one);
    ok(fabs(peek(x, 0) - 1) < 1e-13 && fabs(peek(x, 1) - 2) < 1e-13, "solve: subnormal: %.17g %.17g", peek(x, 0), peek(x, 1));
    agn_tensor *huge = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1e308, 1e308, -1e308, 1e308}),
               *two = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1e308, 0});
    x = ag_linalg_solve(s, huge, two);
    ok(fabs(peek(x, 0) - 0.5) < 1e-15 && fabs(peek(x, 1) - 0.5) < 1e-15, "solve: elimination would overflow: %g %g",
       peek(x, 0), peek(x, 1));
    const agn_tensor *t = ag_linalg_triangular_solve(s, faint, one, false);
    ok(fabs(peek(t, 0) - 5.0 / 3) < 1e-13 && fabs(peek(t, 1) - 5.0 / 3) < 1e-13, "triangular solve: subnormal: %g %g", peek(t, 0),
       peek(t, 1));
    must(agn_scope_close(s));
    agn_release(faint);
    agn_release(one);
    agn_release(huge);
    agn_release(two);
}

/* Wilkinson's matrix, whose pivots along columns grow to 2^(n - 1), and its transpose, where pivots along rows do:
   solve seeks them along the others then. A system with blocks of both kinds is refused. Times 2^scale, where
   they overflow, as well. */
static void test_growth_of(int dtype, int n, int scale)
{
    const double eps = dtype == AGN_F32 ? 0x1p-23 : 0x1p-52, unit = ldexp(1, scale);
    double *v = calloc((size_t)(4 * n * n), sizeof *v), one[300];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            v[i * n + j] = i == j || j == n - 1 ? unit : i > j ? -unit : 0;
    for (int i = 0; i < 2 * n; i++)
        one[i] = 1 + i % 3;
    agn_tensor *a = of_reals(dtype, 2, (int64_t[]){n, n}, v), *b = of_reals(dtype, 1, (int64_t[]){n}, one),
               *out = untouched;
    agn_scope *s = agn_scope_open(NULL);
    for (int t = 0; t < 4; t++) { /* of either shape, by rows or by columns */
        const agn_tensor *m = t & 1 ? ag_transpose(s, a) : a;
        m = t & 2 ? ag_transpose(s, ag_contiguous(s, ag_transpose(s, m))) : ag_contiguous(s, m);
        const agn_tensor *back = ag_matmul(s, m, ag_linalg_solve(s, m, b)),
                         *same = ag_matmul(s, m, ag_linalg_inv(s, m));
        ok(relative(back, b) < 40 * n * eps, "Wilkinson's growth at %d, 2^%d, %d: %.1e", n, scale, t,
           relative(back, b));
        ok(relative(same, ag_eye(s, (agn_dtype)dtype, n, n, 0)) < 40 * n * eps, "inverse at %d, 2^%d, %d",
           n, scale, t);
    }
    memset(v, 0, (size_t)(4 * n * n) * sizeof *v);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            v[i * 2 * n + j] = v[(j + n) * 2 * n + i + n] = i == j || j == n - 1 ? unit : i > j ? -unit : 0;
    agn_tensor *both = of_reals(dtype, 2, (int64_t[]){2 * n, 2 * n}, v),
               *c = of_reals(dtype, 1, (int64_t[]){2 * n}, one);
    ok(agn_linalg_solve(&out, both, c) == AGN_EDOMAIN && out == untouched &&
           strstr(agn_error_message(), "linalg_solve: matrix 0 of 1"),
       "both kinds at %d, 2^%d: %s", n, scale, agn_error_message());
    must(agn_scope_close(s));
    agn_release(a), agn_release(b), agn_release(both), agn_release(c);
    free(v);
}

/* Wilkinson's matrix has the determinant 2^(n - 1), times 2^(n scale), in both layouts, alone and in a batch */
static void test_determinants(int dtype, int n, int batch, int scale)
{
    const double exact = (n - 1 + (double)n * scale) * log(2), unit = ldexp(1, scale);
    const int64_t shape[] = {batch, n, n}, all = (int64_t)batch * n * n;
    double *v = calloc((size_t)all, sizeof *v);
    for (int64_t p = 0; p < all; p++) {
        const int64_t i = p / n % n, j = p % n;
        v[p] = i == j || j == n - 1 ? unit : i > j ? -unit : 0;
    }
    agn_tensor *a = of_reals(dtype, 3, shape, v), *sign = NULL, *logs = NULL;
    agn_scope *s = agn_scope_open(NULL);
    for (int t = 0; t < 2; t++) {
        const agn_tensor *m = t ? ag_contiguous(s, ag_swapaxes(s, a, -1, -2)) : a;
        must(agn_linalg_slogdet(&sign, &logs, m));
        for (int k = 0; k < batch; k += batch > 1 ? batch - 1 : 1)
            ok(cabs(peekz(sign, k) - 1) < 1e-5 && fabs(peek(logs, k) / exact - 1) < 1e-6,
               "%s of %d, 2^%d, %d: log det %.17g, not %.17g", agn_dtype_name(dtype), n, scale, t, peek(logs, k), exact);
        agn_release(sign), agn_release(logs);
        if (!scale && n < 128)
            ok(cabs(peekz(ag_linalg_det(s, m), 0) / ldexp(1, n - 1) - 1) < 1e-5, "det of %d, %d", n, t);
    }
    for (int64_t p = 0; p < all; p++) /* two columns that grow, and cancel: det a = det a^T */
        v[p] = p % n < n - 2 ? v[p] : unit * rnd_in(0.25, 1);
    const agn_tensor *rough = agn_scope_adopt(s, AGN_OK, (agn_tensor *const[]){of_reals(dtype, 3, shape, v)}),
                     *back = ag_contiguous(s, ag_swapaxes(s, rough, -1, -2));
    agn_tensor *other = NULL, *log2s = NULL;
    must(agn_linalg_slogdet(&sign, &logs, rough));
    must(agn_linalg_slogdet(&other, &log2s, back));
    ok(same_values(sign, other) || cabs(peekz(sign, 0) - peekz(other, 0)) < 1e-4, "sign of %d, 2^%d", n, scale);
    ok(fabs(peek(logs, 0) - peek(log2s, 0)) < 40 * n * (eps_of(dtype) + 1e-16 * fabs(exact)),
       "%s of rough %d, 2^%d: log det %.17g and %.17g", agn_dtype_name(dtype), n, scale, peek(logs, 0), peek(log2s, 0));
    agn_release(sign), agn_release(logs), agn_release(other), agn_release(log2s);
    must(agn_scope_close(s));
    agn_release(a);
    free(v);
}

/* blocks of both kinds, [w, 0; 0, w^T], in an order of rows that is odd: -4^(n - 1), times 2^(2 n scale) */
static void test_growth_both_ways(int dtype, int n, int scale)
{
    const int m = 2 * n;
    const double exact = 2 * (n - 1 + (double)n * scale) * log(2), unit = ldexp(1, scale);
    double *v = calloc((size_t)(m * m), sizeof *v);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            v[(i ? i : m - 1) * m + j] = v[(j == n - 1 ? 0 : j + n) * m + i + n] =
                i == j || j == n - 1 ? unit : i > j ? -unit : 0;
    agn_tensor *a = of_reals(dtype, 2, (int64_t[]){m, m}, v), *sign = NULL, *logs = NULL, *det = NULL;
    must(agn_linalg_slogdet(&sign, &logs, a));
    ok(cabs(peekz(sign, 0) + 1) < 1e-6 && fabs(peek(logs, 0) - exact) <= m * eps_of(dtype) * fabs(exact),
       "%s, growth both ways at %d, 2^%d: %g, log det %.17g, not %.17g", agn_dtype_name(dtype), n, scale,
       peek(sign, 0), peek(logs, 0), exact);
    if (!scale && n <= 60) {
        must(agn_linalg_det(&det, a));
        ok(cabs(peekz(det, 0) / -ldexp(1, m - 2) - 1) < 4 * eps_of(dtype), "det at %d: %g", n, peek(det, 0));
        agn_release(det);
    }
    agn_release(a), agn_release(sign), agn_release(logs);
    free(v);
}

/* determinants whose factors lie at both ends of the range: rows of a regular matrix times 2^e and 2^-e by turns, so that
   all of a row, or of a column, is small beside the rest; and products of pivots that leave the range on the way */
static void test_unequal_lines(int dtype, int n, bool columns)
{
    const int far = eps_of(dtype) > 1e-10 ? 120 : 990;
    double *v = calloc((size_t)(2 * n * n), sizeof *v);
    for (int k = 0; k < 2 * n * n; k++) {
        const int i = k / n % n, j = k % n, line = columns ? j : i;
        const double x = i == j ? 2 : i < j ? 1.0 / n : -1.0 / n;
        v[k] = k < n * n ? x : ldexp(x, line == n - 1 && n % 2 ? 0 : line % 2 ? -far : far);
    }
    agn_tensor *a = of_reals(dtype, 3, (int64_t[]){2, n, n}, v), *sign = NULL, *logs = NULL, *det = NULL, *steps = NULL;
    must(agn_linalg_slogdet(&sign, &logs, a));
    must(agn_linalg_det(&det, a));
    const double eps = 100 * n * eps_of(dtype);
    ok(cabs(peekz(sign, 1) - 1) < eps && fabs(peek(logs, 1) - peek(logs, 0)) < eps * (1 + far) &&
           cabs(peekz(det, 1) / peekz(det, 0) - 1) < eps,
       "%s, %s of %d times 2^%d and back: det %g, not %g, log %g, not %g", agn_dtype_name(dtype), columns ? "columns" : "rows",
       n, far, peek(det, 1), peek(det, 0), peek(logs, 1), peek(logs, 0));
    for (int k = 0; k < n * n; k++)
        v[k] = k % (n + 1) ? 0 : ldexp(1, k == 0 ? far * 3 / 10 : k == n + 1 ? far * 10 / 11 : k == 2 * n + 2 ? -far * 10 / 11 : 0);
    steps = of_reals(dtype, 2, (int64_t[]){n, n}, v);
    agn_release(det);
    must(agn_linalg_det(&det, steps));
    ok(peekz(det, 0) == ldexp(1, far * 3 / 10), "%s, pivots 2^%d, 2^%d, back: %g", agn_dtype_name(dtype), far * 3 / 10, far * 10 / 11,
       peek(det, 0));
    agn_tensor *all[] = {a, sign, logs, det, steps};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
    free(v);
}

/* at n = 30 both are exact */
static void test_growth(void)
{
    enum { N = 30 };
    double v[N * N], one[N];
    for (int i = 0; i < N * N; i++)
        v[i] = i / N == i % N || i % N == N - 1 ? 1 : i / N > i % N ? -1 : 0;
    for (int i = 0; i < N; i++)
        one[i] = 1 + i % 3;
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){N, N}, v), *b = of_reals(AGN_F64, 1, (int64_t[]){N}, one), *lu = NULL,
               *perm = NULL;
    agn_scope *s = agn_scope_open(NULL);
    for (int t = 0; t < 2; t++) {
        const agn_tensor *m = ag_contiguous(s, t ? ag_transpose(s, a) : a), *x = ag_linalg_solve(s, m, b);
        const agn_tensor *back = ag_matmul(s, m, x);
        ok(relative(back, b) < 0x1p-52 * 0x1p30, "Wilkinson's growth%s: %.1e", t ? ", transposed" : "", relative(back, b));
    }
    must(agn_linalg_lu_factor(&lu, &perm, a));
    ok(peek(lu, N * N - 1) == 0x1p29, "lu: pivots along columns grow to 2^(n - 1): %g", peek(lu, N * N - 1));
    must(agn_scope_close(s));
    agn_release(a);
    agn_release(b);
    agn_release(lu);
    agn_release(perm);
}

static void test_info(void)
{
    tally q = {0, 0};
    double nan = (double)NAN;
    for (int d = 0; d < COUNT(dtypes); d++) {
        /* definite; a minor of order 2; not finite; singular, its second pivot 0 */
        agn_tensor *a = of_reals(dtypes[d], 3, (int64_t[]){4, 2, 2},
                                 (double[]){2, 1, 1, 3, 1, 2, 2, 1, 1, nan, nan, 2, 1, 2, 2, 4});
        agn_tensor *b = of_reals(dtypes[d], 1, (int64_t[]){2}, (double[]){3, 4}), *y[4] = {NULL}, *info[4] = {NULL}, *perm = NULL;
        static const int want[4][4] = {{0, 2, -1, 2}, {0, 0, -1, 2}, {0, 0, -1, 2}, {0, 0, -1, 2}};
        must(agn_linalg_cholesky_ex(&y[0], &info[0], a, d % 2));
        must(agn_linalg_solve_ex(&y[1], &info[1], a, b));
        must(agn_linalg_inv_ex(&y[2], &info[2], a));
        must(agn_linalg_lu_factor_ex(&y[3], &perm, &info[3], a));
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *first = ag_index_axis(s, a, 0, 0);
        const agn_tensor *good[4] = {ag_linalg_cholesky(s, first, d % 2), ag_linalg_solve(s, first, b), ag_linalg_inv(s, first), NULL};
        for (int k = 0; k < 4; k++)
            for (int64_t i = 0; i < 4; i++) {
                int code = want[k][i];
                check(&q, agn_dtype_of(info[k]) == AGN_I32 && peek_int(info[k], i) == code, "form %d matrix %d: info %d, not %d", k,
                      (int)i, (int)peek_int(info[k], i), code);
                const agn_tensor *got = ag_index_axis(s, y[k], 0, i);
                bool bad = k == 3 ? code < 0 : code != 0;
                check(&q, isnan(creal(peekz(got, 0))) == bad, "form %d matrix %d: NaN where it failed", k, (int)i);
                if (i == 0 && good[k])
                    check(&q, relative(got, good[k]) < 4 * eps_of(dtypes[d]), "form %d: what succeeds has its value", k);
            }
        must(agn_scope_close(s));
        agn_tensor *all[] = {a, b, y[0], y[1], y[2], y[3], info[0], info[1], info[2], info[3], perm};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    agn_tensor *none = NULL, *o = NULL, *i = NULL;
    must(agn_full(&none, AGN_F64, 3, (int64_t[]){2, 0, 0}, 0));
    must(agn_linalg_cholesky_ex(&o, &i, none, false));
    check(&q, agn_numel(i) == 2 && peek_int(i, 1) == 0, "empty matrices succeed");
    agn_release(o);
    agn_release(i);
    must(agn_linalg_solve_ex(&o, &i, none, none));
    check(&q, agn_numel(i) == 2 && peek_int(i, 1) == 0, "empty matrices succeed");
    agn_release(o);
    agn_release(i);
    agn_release(none);
    tell(&q, "forms that go on: info, NaN where a matrix failed, values of the others");
}

typedef enum which { TALL, WIDE, WHOLE, BY_A, BY_TRANSPOSE, BY_ADJOINT, CHOL_EX, SOLVE_EX, INV_EX } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    which w = *(const which *)user;
    agn_tensor *lu = NULL, *perm = NULL, *y = NULL, *info = NULL;
    agn_status st = AGN_OK;
    const agn_tensor *x = in[0];
    int64_t zero[2] = {0}, one[2] = {1, 1}, part[2] = {w == WIDE ? 2 : 3, w == TALL ? 2 : 3};
    if (w == TALL || w == WIDE)
        x = ag_slice(s, x, 2, zero, part, one);
    if (w == CHOL_EX)
        x = ag_matmul(s, x, ag_conj(s, ag_transpose(s, x)));
    if (!x)
        return agn_scope_status(s);
    if (w == CHOL_EX)
        st = agn_linalg_cholesky_ex(&y, &info, x, true);
    else if (w == SOLVE_EX)
        st = agn_linalg_solve_ex(&y, &info, x, ag_index_axis(s, x, 0, 1));
    else if (w == INV_EX)
        st = agn_linalg_inv_ex(&y, &info, x);
    else
        st = agn_linalg_lu_factor(&lu, &perm, x);
    const agn_tensor *f = agn_scope_adopt(s, st, lu ? &lu : &y), *p = lu || perm ? agn_scope_adopt(s, st, &perm) : NULL;
    if (info)
        agn_scope_adopt(s, st, &info);
    if (w >= BY_A && w <= BY_ADJOINT)
        f = ag_linalg_lu_solve(s, f, p, ag_square(s, x), (agn_matrix_form)(w - BY_A));
    out[0] = f;
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"lu tall", "lu wide", "lu square", "lu_solve", "lu_solve transposed",
                                        "lu_solve adjoint", "cholesky_ex", "solve_ex", "inv_ex"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *x = NULL, *a = random_of(dtype, 2, (int64_t[]){3, 3}, -0.5, 0.5);
            agn_scope_return(s, &x, ag_roll(s, ag_add(s, a, ag_mul_c(s, ag_eye(s, dtype, 3, 3, 0), 2)), (int64_t[]){1}, (int32_t[]){0}, 1));
            must(agn_scope_close(s));
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 1, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], agn_dtype_name(dtype));
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 4e-3, 1e-7, name);
            agn_fn_release(f);
            agn_release(a);
            agn_release(x);
        }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched, *o3 = untouched;
    agn_tensor *num = scalar_of(AGN_F64, 1), *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0});
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}), *sparse = NULL, *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2);
    agn_tensor *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 0, 0}), *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2);
    agn_tensor *perm = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){0, 1}), *far = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){0, 5});
    agn_tensor *p3 = of_reals(AGN_I64, 1, (int64_t[]){3}, (double[]){0, 1, 2}), *pp = of_reals(AGN_I64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 0, 1});
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, (double)NAN, 0});
    agn_tensor *grow = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1e308, 1e308, -1e308, 1.7e308});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
    BAD(agn_linalg_lu_factor(NULL, &o, sq), AGN_ENULL, "linalg_lu_factor", "lu is", NULL);
    BAD(agn_linalg_lu_factor(&o, NULL, sq), AGN_ENULL, "linalg_lu_factor", "perm is", NULL);
    BAD(agn_linalg_lu_factor(&o, &o2, NULL), AGN_ENULL, "linalg_lu_factor", "a is", NULL);
    BAD(agn_linalg_lu_factor(&o, &o2, vec), AGN_ESHAPE, "linalg_lu_factor", "[2]", NULL);
    BAD(agn_linalg_lu_factor(&o, &o2, nan), AGN_EDOMAIN, "linalg_lu_factor", "not finite", "[1,0]");
    BAD(agn_linalg_lu_factor(&o, &o2, grow), AGN_EDOMAIN, "linalg_lu_factor", "overflows", "matrix 0 of 1");
    BAD(agn_linalg_lu_factor(&o, &o2, sparse), AGN_EUNSUPPORTED, "linalg_lu_factor", "sparse", NULL);
    BAD(agn_linalg_lu(NULL, &o, &o2, sq), AGN_ENULL, "linalg_lu", "p is", NULL);
    BAD(agn_linalg_lu(&o, NULL, &o2, sq), AGN_ENULL, "linalg_lu", "l is", NULL);
    BAD(agn_linalg_lu(&o, &o2, NULL, sq), AGN_ENULL, "linalg_lu", "u is", NULL);
    BAD(agn_linalg_lu(&o, &o2, &o3, NULL), AGN_ENULL, "linalg_lu", "a is", NULL);
    BAD(agn_linalg_lu(&o, &o2, &o3, vec), AGN_ESHAPE, "linalg_lu", "[2]", NULL);
    BAD(agn_linalg_lu(&o, &o2, &o3, nan), AGN_EDOMAIN, "linalg_lu", "not finite", "[1,0]");
    BAD(agn_linalg_lu(&o, &o2, &o3, grow), AGN_EDOMAIN, "linalg_lu", "overflows", NULL);
    BAD(agn_linalg_lu_unpack(NULL, &o, &o2, sq, perm), AGN_ENULL, "linalg_lu_unpack", "p is", NULL);
    BAD(agn_linalg_lu_unpack(&o, NULL, &o2, sq, perm), AGN_ENULL, "linalg_lu_unpack", "l is", NULL);
    BAD(agn_linalg_lu_unpack(&o, &o2, NULL, sq, perm), AGN_ENULL, "linalg_lu_unpack", "u is", NULL);
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, NULL, perm), AGN_ENULL, "linalg_lu_unpack", "lu is", NULL);
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, sq, NULL), AGN_ENULL, "linalg_lu_unpack", "perm is", NULL);
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, vec, perm), AGN_ESHAPE, "linalg_lu_unpack", "[2]", NULL);
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, sq, p3), AGN_ESHAPE, "linalg_lu_unpack", "[2,2]", "[3]");
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, sq, vec), AGN_EDTYPE, "linalg_lu_unpack", "f64", "[2,2]");
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, sq, far), AGN_EINDEX, "linalg_lu_unpack", "5", NULL);
    BAD(agn_linalg_lu_unpack(&o, &o2, &o3, sparse, perm), AGN_EUNSUPPORTED, "linalg_lu_unpack", "sparse", NULL);
    BAD(agn_linalg_lu_solve(NULL, sq, perm, vec, AGN_FORM_PLAIN), AGN_ENULL, "linalg_lu_solve", "out is", NULL);
    BAD(agn_linalg_lu_solve(&o, NULL, perm, vec, AGN_FORM_PLAIN), AGN_ENULL, "linalg_lu_solve", "lu is", NULL);
    BAD(agn_linalg_lu_solve(&o, sq, NULL, vec, AGN_FORM_PLAIN), AGN_ENULL, "linalg_lu_solve", "perm is", NULL);
    BAD(agn_linalg_lu_solve(&o, sq, perm, NULL, AGN_FORM_PLAIN), AGN_ENULL, "linalg_lu_solve", "b is", NULL);
    BAD(agn_linalg_lu_solve(&o, sq, perm, vec, (agn_matrix_form)3), AGN_EARG, "linalg_lu_solve", "form 3", NULL);
    BAD(agn_linalg_lu_solve(&o, flat, perm, vec, AGN_FORM_PLAIN), AGN_ESHAPE, "linalg_lu_solve", "[2,3]", NULL);
    BAD(agn_linalg_lu_solve(&o, sq, p3, vec, AGN_FORM_PLAIN), AGN_ESHAPE, "linalg_lu_solve", "[2,2]", "[3]");
    BAD(agn_linalg_lu_solve(&o, sq, vec, vec, AGN_FORM_PLAIN), AGN_EDTYPE, "linalg_lu_solve", "f64", NULL);
    BAD(agn_linalg_lu_solve(&o, sq, perm, num, AGN_FORM_PLAIN), AGN_ESHAPE, "linalg_lu_solve", "[2,2]", "[]");
    BAD(agn_linalg_lu_solve(&o, two, pp, three, AGN_FORM_PLAIN), AGN_ESHAPE, "linalg_lu_solve", "[2,2,2]", "[3,2,2]");
    BAD(agn_linalg_lu_solve(&o, sq, perm, vec, AGN_FORM_PLAIN), AGN_EDOMAIN, "linalg_lu_solve", "singular", "[0,0]");
    BAD(agn_linalg_lu_solve(&o, sq, far, vec, AGN_FORM_PLAIN), AGN_EINDEX, "linalg_lu_solve", "5", NULL);
    BAD(agn_linalg_lu_solve(&o, sparse, perm, vec, AGN_FORM_PLAIN), AGN_EUNSUPPORTED, "linalg_lu_solve", "sparse", NULL);
    BAD(agn_linalg_lu_solve(&o, sq, perm, sparse, AGN_FORM_PLAIN), AGN_EUNSUPPORTED, "linalg_lu_solve", "sparse", NULL);
#define EX(name, ...) BAD(agn_linalg_##name##_ex(__VA_ARGS__)
    EX(cholesky, NULL, &o, sq, 0), AGN_ENULL, "linalg_cholesky_ex", "out is", NULL);
    EX(cholesky, &o, NULL, sq, 0), AGN_ENULL, "linalg_cholesky_ex", "info is", NULL);
    EX(cholesky, &o, &o2, NULL, 0), AGN_ENULL, "linalg_cholesky_ex", "a is", NULL);
    EX(cholesky, &o, &o2, flat, 0), AGN_ESHAPE, "linalg_cholesky_ex", "[2,3]", NULL);
    EX(cholesky, &o, &o2, sparse, 0), AGN_EUNSUPPORTED, "linalg_cholesky_ex", "sparse", NULL);
    EX(solve, NULL, &o, sq, vec), AGN_ENULL, "linalg_solve_ex", "out is", NULL);
    EX(solve, &o, NULL, sq, vec), AGN_ENULL, "linalg_solve_ex", "info is", NULL);
    EX(solve, &o, &o2, NULL, vec), AGN_ENULL, "linalg_solve_ex", "a is", NULL);
    EX(solve, &o, &o2, sq, NULL), AGN_ENULL, "linalg_solve_ex", "b is", NULL);
    EX(solve, &o, &o2, flat, vec), AGN_ESHAPE, "linalg_solve_ex", "[2,3]", NULL);
    EX(solve, &o, &o2, sq, num), AGN_ESHAPE, "linalg_solve_ex", "rows", NULL);
    EX(solve, &o, &o2, two, three), AGN_ESHAPE, "linalg_solve_ex", "broadcast", NULL);
    EX(solve, &o, &o2, sparse, vec), AGN_EUNSUPPORTED, "linalg_solve_ex", "sparse", NULL);
    EX(inv, NULL, &o, sq), AGN_ENULL, "linalg_inv_ex", "out is", NULL);
    EX(inv, &o, NULL, sq), AGN_ENULL, "linalg_inv_ex", "info is", NULL);
    EX(inv, &o, &o2, NULL), AGN_ENULL, "linalg_inv_ex", "a is", NULL);
    EX(inv, &o, &o2, flat), AGN_ESHAPE, "linalg_inv_ex", "[2,3]", NULL);
    EX(inv, &o, &o2, sparse), AGN_EUNSUPPORTED, "linalg_inv_ex", "sparse", NULL);
    EX(lu_factor, NULL, &o, &o2, sq), AGN_ENULL, "linalg_lu_factor_ex", "lu is", NULL);
    EX(lu_factor, &o, NULL, &o2, sq), AGN_ENULL, "linalg_lu_factor_ex", "perm is", NULL);
    EX(lu_factor, &o, &o2, NULL, sq), AGN_ENULL, "linalg_lu_factor_ex", "info is", NULL);
    EX(lu_factor, &o, &o2, &o3, NULL), AGN_ENULL, "linalg_lu_factor_ex", "a is", NULL);
    EX(lu_factor, &o, &o2, &o3, flat), AGN_ESHAPE, "linalg_lu_factor_ex", "[2,3]", NULL);
    EX(lu_factor, &o, &o2, &o3, grow), AGN_EDOMAIN, "linalg_lu_factor_ex", "overflows", NULL);
    EX(lu_factor, &o, &o2, &o3, sparse), AGN_EUNSUPPORTED, "linalg_lu_factor_ex", "sparse", NULL);
    check(&q, o2 == untouched && o3 == untouched, "an output was written");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {num, flat, vec, sq, sparse, two, three, perm, far, p3, pp, nan, grow};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *lu = NULL, *perm = NULL;
    agn_status st = agn_linalg_lu_factor(&lu, &perm, user);
    st = st ? st : agn_linalg_lu_solve(out, lu, perm, user, AGN_FORM_ADJOINT);
    agn_release(lu);
    agn_release(perm);
    return st;
}
static agn_status make_with_info(void *user, agn_tensor **out)
{
    agn_tensor *info = NULL;
    agn_status st = agn_linalg_solve_ex(out, &info, user, user);
    agn_release(info);
    return st;
}

int main(void)
{
    test_factors();
    test_solves();
    test_scaling();
    test_growth();
    for (int k = 0; k < 2; k++) {
        test_growth_of(AGN_F64, k ? 140 : 60, 0);
        test_growth_of(AGN_F64, k ? 140 : 60, 990);
        test_growth_of(AGN_F32, k ? 140 : 60, 0);
        test_growth_of(AGN_F32, k ? 140 : 60, 100);
    }
    for (int d = 0; d < COUNT(dtypes); d++) {
        const int far = eps_of(dtypes[d]) > 1e-10 ? 100 : 990;
        for (int e = -1; e <= 1; e++) {
            test_growth_both_ways(dtypes[d], 60, e * far);
            test_growth_both_ways(dtypes[d], 140, e * far);
        }
        for (int n = 3; n <= 40; n += n < 9 ? 1 : 31)
            for (int columns = 0; columns < 2; columns++)
                test_unequal_lines(dtypes[d], n, columns);
        static const int sizes[][2] = {{30, 1}, {30, 24}, {60, 1}, {100, 1}, {200, 2}};
        for (int k = 0; k < COUNT(sizes); k++) {
            test_determinants(dtypes[d], sizes[k][0], sizes[k][1], 0);
            test_determinants(dtypes[d], sizes[k][0], sizes[k][1], far);
        }
    }
    test_info();
    test_modes();
    test_failures();
    agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2);
    every_allocation(make, a, "lu and lu_solve");
    every_allocation(make_with_info, a, "solve_ex");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
