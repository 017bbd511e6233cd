/* t-linalg-complex-lanes - batches of small complex matrices, which are done in the lanes of vectors:
   backward errors of factors, solutions, eigenpairs and singular values over plain, graded, huge and tiny ones in
   every layout, gradients beside those of matrices alone, the same bits at any place, failures by name. */
#include "t-linalg.h"

enum { BATCH = 37, KINDS = 6 };
static const int64_t orders[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33};

/* [BATCH, m, n], kinds in turn: plain, rows and columns graded, huge, tiny, imaginary; definite: a a^H + 1
   of plain ones, times a power of 2 */
static const agn_tensor *batch_of(agn_scope *s, int dtype, int64_t m, int64_t n, bool definite)
{
    const int far = eps_of(dtype) > 1e-10 ? 50 : 400;
    agn_tensor *x = random_of(AGN_C128, 3, (int64_t[]){BATCH, m, n}, -1, 1), *power = NULL;
    void *p = NULL;
    must(agn_zeros(&power, AGN_F64, 3, (int64_t[]){BATCH, m, n}));
    must(agn_data_mut(&p, power));
    for (int64_t i = 0; i < BATCH * m * n; i++) {
        const int64_t kind = i / (m * n) % KINDS, row = i % (m * n) / n, column = i % n;
        const int e = kind == 3   ? far
                      : kind == 4 ? -far
                      : definite  ? 0
                      : kind == 1 ? (int)-row
                      : kind == 2 ? (int)column
                                  : 0;
        ((double *)p)[i] = ldexp(1, e);
        if (kind == 5 && !definite)
            poke((double complex *)(uintptr_t)agn_data(x) + i, AGN_C128, 0,
                 cimag(peekz(x, i)) + (row == column));
    }
    const agn_tensor *a = agn_scope_adopt(s, AGN_OK, &x),
                     *scale = agn_scope_adopt(s, AGN_OK, &power);
    if (definite)
        a = ag_add(s, ag_matmul(s, a, adjoint(s, a)), ag_eye(s, AGN_C128, n, n, 0));
    return ag_cast(s, ag_mul(s, a, ag_cast(s, scale, AGN_C128)), (agn_dtype)dtype);
}

/* largest entry of x - y in each matrix over |size of that matrix|, in n eps */
static double apart(agn_scope *s, const agn_tensor *x, const agn_tensor *y, const agn_tensor *size,
                    int dtype, int64_t n)
{
    static const int32_t both[] = {-2, -1};
    const agn_tensor *d = ag_amax(s, ag_abs(s, ag_sub(s, x, y)), both, 2, false),
                     *q = ag_div(s, d, size), *most = ag_amax(s, q, NULL, 0, false);
    return most ? peek(most, 0) / eps_of(dtype) / (double)n : (double)INFINITY;
}
static const agn_tensor *size_of(agn_scope *s, const agn_tensor *x)
{
    return ag_amax(s, ag_abs(s, x), (int32_t[]){-2, -1}, 2, false);
}
static const agn_tensor *wide(agn_scope *s, const agn_tensor *x)
{
    return ag_cast(s, x, AGN_C128);
}

static void test_errors_of(int dtype, int layout)
{
    tally t = {0, 0};
    for (int o = 0; o < COUNT(orders); o++) {
        const int64_t n = orders[o];
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *a = batch_of(s, dtype, n, n, false), *h = batch_of(s, dtype, n, n, true),
                         *b = batch_of(s, dtype, n, 3, false);
        agn_tensor *la = laid_out(a, layout), *lh = laid_out(h, layout), *lb = laid_out(b, layout);
        const agn_tensor *a2 = wide(s, a), *h2 = wide(s, h), *b2 = wide(s, b),
                         *unit = ag_eye(s, AGN_C128, n, n, 0);
        const agn_tensor *l = wide(s, ag_linalg_cholesky(s, lh, false)),
                         *u = wide(s, ag_linalg_cholesky(s, lh, true));
        check(&t, apart(s, ag_matmul(s, l, adjoint(s, l)), h2, size_of(s, h2), dtype, n) <= 4,
              "cholesky of %d", (int)n);
        check(&t, apart(s, ag_matmul(s, adjoint(s, u), u), h2, size_of(s, h2), dtype, n) <= 4,
              "its upper factor, %d", (int)n);
        const agn_tensor *x = wide(s, ag_linalg_solve(s, la, lb));
        const agn_tensor *around = ag_add(s, ag_mul(s, size_of(s, a2), size_of(s, x)),
                                          size_of(s, b2));
        check(&t, apart(s, ag_matmul(s, a2, x), b2, around, dtype, n) <= 8, "solve of %d", (int)n);
        x = wide(s, ag_linalg_inv(s, la));
        around = ag_add_c(s, ag_mul(s, size_of(s, a2), size_of(s, x)), 1);
        check(&t, apart(s, ag_matmul(s, a2, x), unit, around, dtype, n) <= 8, "inv of %d", (int)n);
        for (int upper = 0; upper < 2; upper++) {
            x = wide(s, ag_linalg_triangular_solve(s, lh, lb, upper));
            const agn_tensor *half = upper ? ag_triu(s, h2, 0) : ag_tril(s, h2, 0);
            around = ag_add(s, ag_mul(s, size_of(s, half), size_of(s, x)), size_of(s, b2));
            check(&t, apart(s, ag_matmul(s, half, x), b2, around, dtype, n) <= 8, "triangle of %d",
                  (int)n);
        }
        agn_tensor *q = NULL, *r = NULL, *sign = NULL, *log = NULL;
        must(agn_linalg_qr(&q, &r, la, false));
        const agn_tensor *q2 = wide(s, agn_scope_adopt(s, AGN_OK, &q)),
                         *r2 = wide(s, agn_scope_adopt(s, AGN_OK, &r));
        check(&t, apart(s, ag_matmul(s, q2, r2), a2, size_of(s, a2), dtype, n) <= 8, "qr of %d",
              (int)n);
        check(&t, apart(s, ag_matmul(s, adjoint(s, q2), q2), unit, size_of(s, unit), dtype, n) <= 8,
              "q of %d", (int)n);
        check(&t,
              apart(s, ag_tril(s, r2, -1), ag_mul_c(s, r2, 0), size_of(s, r2), dtype, n) == 0 &&
                  apart(s, ag_diagonal(s, ag_imag(s, ag_cast(s, r2, AGN_C128)), 0, -2, -1),
                        ag_zeros(s, AGN_F64, 2, (int64_t[]){BATCH, n}), size_of(s, r2), dtype,
                        n) == 0,
              "r of %d: triangular, its diagonal real", (int)n);
        /* the product of the diagonals of l, and that of r but for a phase */
        must(agn_linalg_slogdet(&sign, &log, lh));
        const agn_tensor *logs = ag_mul_c(
                             s,
                             ag_sum(s, ag_log(s, ag_real(s, ag_diagonal(s, l, 0, -2, -1))),
                                    (int32_t[]){-1}, 1, false),
                             2),
                         *have = ag_cast(s, agn_scope_adopt(s, AGN_OK, &log), AGN_F64),
                         *phase = wide(s, agn_scope_adopt(s, AGN_OK, &sign));
        for (int i = 0; i < BATCH; i++)
            check(&t,
                  fabs(peek(have, i) - peek(logs, i)) <=
                          40 * (double)n * eps_of(dtype) * fmax(1, fabs(peek(logs, i))) &&
                      cabs(peekz(phase, i) - 1) <= 40 * (double)n * eps_of(dtype),
                  "slogdet of %d: %.17g, not %.17g", (int)n, peek(have, i), peek(logs, i));
        agn_tensor *sa = NULL, *ga = NULL;
        must(agn_linalg_slogdet(&sa, &ga, la));
        const agn_tensor *d = wide(s, ag_linalg_det(s, la)), *e = agn_scope_adopt(s, AGN_OK, &ga),
                         *f = agn_scope_adopt(s, AGN_OK, &sa);
        for (int i = 0; i < BATCH; i++) {
            const double most = exp(peek(e, i));
            const bool plain = most > (eps_of(dtype) > 1e-10 ? 1e-30 : 1e-290) &&
                               most < (eps_of(dtype) > 1e-10 ? 1e30 : 1e290);
            check(&t,
                  !plain || cabs(peekz(d, i) - peekz(f, i) * most) <=
                                40 * (double)n * eps_of(dtype) * most * fmax(1, fabs(peek(e, i))),
                  "det of %d, matrix %d", (int)n, i);
        }
        must(agn_scope_status(s));
        must(agn_scope_close(s));
        agn_release(la), agn_release(lh), agn_release(lb);
    }
    tell(&t, "%s, layout %d: factors and solutions", agn_dtype_name((agn_dtype)dtype), layout);
}

/* ---- eigenpairs, singular values ----------------------------------------------------------- */

/* u diag(w) v^H beside a, both bases orthonormal, the first entry of columns of u that comes near the largest
   one real and positive, w in order */
static void judge_pairs(tally *t, agn_scope *s, const agn_tensor *a, const agn_tensor *u, const agn_tensor *w,
                        const agn_tensor *v, int dtype, const char *what)
{
    const int64_t m = agn_shape(a)[1], n = agn_shape(a)[2], k = agn_shape(w)[1], most = m > n ? m : n;
    const agn_tensor *unit = ag_eye(s, AGN_C128, k, k, 0), *u2 = wide(s, u), *v2 = wide(s, v),
                     *uw = ag_mul(s, u2, wide(s, ag_expand_dims(s, w, -2)));
    check(t, apart(s, ag_matmul(s, uw, adjoint(s, v2)), wide(s, a), size_of(s, wide(s, a)), dtype, most) <= 10,
          "%s of %d x %d", what, (int)m, (int)n);
    check(t, apart(s, ag_matmul(s, adjoint(s, u2), u2), unit, size_of(s, unit), dtype, most) <= 10 &&
              apart(s, ag_matmul(s, adjoint(s, v2), v2), unit, size_of(s, unit), dtype, most) <= 10,
          "%s of %d x %d: bases", what, (int)m, (int)n);
    for (int64_t b = 0; b < BATCH; b++)
        for (int64_t j = 0; j < k; j++) {
            double largest = 0;
            int64_t i = 0;
            check(t, j == 0 || (u == v) == (peek(w, b * k + j) >= peek(w, b * k + j - 1)) ||
                          peek(w, b * k + j) == peek(w, b * k + j - 1),
                  "%s of %d x %d: order", what, (int)m, (int)n);
            for (int64_t r = 0; r < m; r++)
                largest = fmax(largest, cabs(peekz(u2, (b * m + r) * k + j)));
            while (cabs(peekz(u2, (b * m + i) * k + j)) < largest * (1 - 0x1p-6 - 1e-5))
                i++;
            const double complex first = peekz(u2, (b * m + i) * k + j);
            const bool unsure = cabs(first) < largest * (1 - 0x1p-6 + 1e-5); /* another one may be the first */
            check(t, unsure || (cimag(first) == 0 && creal(first) > 0),
                  "%s of %d x %d, matrix %d: phase of vector %d", what, (int)m, (int)n, (int)b, (int)j);
        }
}

/* Hermitian: kind 1 of 6 with ties, kind 2 of rank 1 */
static const agn_tensor *hermitian_of(agn_scope *s, int dtype, int64_t n)
{
    agn_tensor *y = NULL;
    const agn_tensor *a = wide(s, batch_of(s, dtype, n, n, false));
    must(agn_mul_c(&y, ag_add(s, a, adjoint(s, a)), 0.5));
    void *p = NULL;
    must(agn_data_mut(&p, y));
    double complex *z = p, x[32];
    for (int64_t b = 0; b < BATCH; b++, z += n * n) {
        for (int64_t i = 0; i < n && n <= COUNT(x); i++)
            x[i] = z[i];
        for (int64_t i = 0; i < n * n && n <= COUNT(x); i++)
            if (b % KINDS == 1)
                z[i] = i % n == i / n ? 1 + (i / n > 2) : 0;
            else if (n == 1)
                z[i] = 1;
            else if (b % KINDS == 2)
                z[i] = (double complex)(x[i / n] * conj(x[i % n]));
    }
    return ag_cast(s, agn_scope_adopt(s, AGN_OK, &y), (agn_dtype)dtype);
}

static void test_pairs_of(int dtype, int layout)
{
    static const int64_t shapes[][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {9, 9}, {16, 16}, {32, 32}, {33, 33},
                                        {2, 1}, {1, 3}, {5, 3}, {3, 7}, {32, 9}, {10, 31}};
    tally t = {0, 0};
    for (int o = 0; o < COUNT(shapes); o++) {
        const int64_t m = shapes[o][0], n = shapes[o][1];
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *a = batch_of(s, dtype, m, n, false);
        agn_tensor *la = laid_out(a, layout), *u = NULL, *w = NULL, *vh = NULL;
        must(agn_linalg_svd(&u, &w, &vh, la, false));
        const agn_tensor *uc = agn_scope_adopt(s, AGN_OK, &u), *wc = agn_scope_adopt(s, AGN_OK, &w),
                         *vc = adjoint(s, agn_scope_adopt(s, AGN_OK, &vh));
        judge_pairs(&t, s, a, uc, wc, vc, dtype, "svd");
        const agn_tensor *most = ag_amax(s, wc, (int32_t[]){-1}, 1, false);
        check(&t, apart(s, ag_expand_dims(s, ag_linalg_svdvals(s, la), -1), ag_expand_dims(s, wc, -1), most, dtype,
                        m > n ? m : n) <= 10,
              "svdvals of %d x %d", (int)m, (int)n);
        agn_release(la);
        for (int upper = 0; m == n && upper < 2; upper++) {
            const agn_tensor *h = hermitian_of(s, dtype, n), /* the other triangle may hold anything */
                             *half = upper ? ag_triu(s, h, 0) : ag_tril(s, h, 0);
            agn_tensor *lh = laid_out(half, layout), *v = NULL;
            must(agn_linalg_eigh(&w, &v, lh, upper));
            const agn_tensor *w2 = agn_scope_adopt(s, AGN_OK, &w), *v2 = agn_scope_adopt(s, AGN_OK, &v);
            judge_pairs(&t, s, h, v2, w2, v2, dtype, upper ? "eigh, upper" : "eigh");
            most = ag_amax(s, ag_abs(s, w2), (int32_t[]){-1}, 1, false);
            check(&t, apart(s, ag_expand_dims(s, ag_linalg_eigvalsh(s, lh, upper), -1),
                            ag_expand_dims(s, w2, -1), most, dtype, n) <= 10,
                  "eigvalsh of %d", (int)n);
            agn_release(lh);
        }
        must(agn_scope_status(s));
        must(agn_scope_close(s));
    }
    tell(&t, "%s, layout %d: eigenpairs and singular values", agn_dtype_name((agn_dtype)dtype), layout);
}

/* ---- gradients, in which adjoint systems are solved ----------------------------------------------- */

enum { SOLVE, INV, CHOLESKY, LOGDET, QR, CALLS };
static const char *const names[] = {"solve", "inv", "cholesky", "slogdet", "qr"};
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    const int which = *(const int *)user;
    agn_tensor *p = NULL, *q = NULL;
    if (which == SOLVE)
        y[0] = ag_linalg_solve(s, x[0], x[1]);
    else if (which == INV)
        y[0] = ag_linalg_inv(s, x[0]);
    else if (which == CHOLESKY)
        y[0] = ag_linalg_cholesky(s, x[0], false);
    else {
        agn_status st = which == LOGDET ? agn_linalg_slogdet(&p, &q, x[0])
                                        : agn_linalg_qr(&p, &q, x[0], false);
        agn_release(p);
        y[0] = agn_scope_adopt(s, st, &q);
    }
    y[0] = ag_sum(s, ag_real(s, ag_mul(s, y[0], y[0])), NULL, 0, false);
    return AGN_OK;
}

static void test_gradients(void)
{
    tally t = {0, 0};
    static const int64_t some[] = {4, 9, 17, 32};
    for (int which = 0; which < CALLS; which++)
        for (int o = 0; o < COUNT(some); o++) {
            const int64_t n = some[o];
            agn_scope *s = agn_scope_open(NULL);
            agn_fn *f = NULL, *g = NULL;
            int kind = which;
            must(agn_fn_new(&f, body, &kind, NULL, 2, 1));
            must(agn_fn_grad(&g, f, NULL, 0));
            const agn_tensor *a = batch_of(s, AGN_C128, n, n, true),
                             *b = batch_of(s, AGN_C128, n, 2, false);
            agn_tensor *all = NULL, *one = NULL;
            must(agn_fn_call(&all, 1, g, (const agn_tensor *const[]){a, b}, 2));
            for (int64_t i = 0; i < BATCH; i += 6) { /* plain ones */
                const int64_t from = i, to = i + 1;
                const agn_tensor *x[2] = {ag_slice(s, a, 1, &from, &to, NULL),
                                          ag_slice(s, b, 1, &from, &to, NULL)};
                must(agn_fn_call(&one, 1, g, x, 2));
                const agn_tensor *alone = agn_scope_adopt(s, AGN_OK, &one);
                check(&t, relative(ag_slice(s, all, 1, &from, &to, NULL), alone) <= 1e-9,
                      "gradient of %s, %d", names[which], (int)n);
            }
            agn_release(all);
            agn_fn_release(f), agn_fn_release(g);
            must(agn_scope_close(s));
        }
    tell(&t, "gradients of a batch beside those of matrices alone");
}

static void test_bits(void)
{
    tally t = {0, 0};
    for (int o = 0; o < COUNT(orders); o++)
        for (int z = 0; z < 2; z++) {
            const int64_t n = orders[o];
            agn_scope *s = agn_scope_open(NULL);
            const agn_tensor *a = batch_of(s, z ? AGN_C128 : AGN_C64, n, n, true),
                             *back = ag_flip(s, a, (int32_t[]){0}, 1);
            const agn_tensor *x = ag_linalg_inv(s, a),
                             *y = ag_flip(s, ag_linalg_inv(s, back), (int32_t[]){0}, 1);
            check(&t, same_values(x, y), "inv of %d in another order", (int)n);
            x = ag_linalg_cholesky(s, a, true),
            y = ag_flip(s, ag_linalg_cholesky(s, back, true), (int32_t[]){0}, 1);
            check(&t, same_values(x, y), "cholesky of %d in another order", (int)n);
            agn_tensor *w[2] = {NULL}, *v[2] = {NULL}, *u[2] = {NULL};
            must(agn_linalg_eigh(w, v, a, false));
            must(agn_linalg_eigh(w + 1, v + 1, back, false));
            check(&t, same_values(w[0], ag_flip(s, w[1], (int32_t[]){0}, 1)) &&
                          same_values(v[0], ag_flip(s, v[1], (int32_t[]){0}, 1)),
                  "eigh of %d in another order", (int)n);
            for (int i = 0; i < 2; i++) {
                agn_release(w[i]), agn_release(v[i]);
                must(agn_linalg_svd(u + i, w + i, v + i, i ? back : a, false));
            }
            check(&t, same_values(w[0], ag_flip(s, w[1], (int32_t[]){0}, 1)) &&
                          same_values(u[0], ag_flip(s, u[1], (int32_t[]){0}, 1)) &&
                          same_values(v[0], ag_flip(s, v[1], (int32_t[]){0}, 1)),
                  "svd of %d in another order", (int)n);
            for (int i = 0; i < 2; i++)
                agn_release(w[i]), agn_release(v[i]), agn_release(u[i]);
            must(agn_scope_close(s));
        }
    tell(&t, "the same bits at any place");
}

static void test_failures(void)
{
    tally t = {0, 0};
    for (int o = 0; o < COUNT(orders); o++)
        for (int part = 0; part < 2; part++) {
            const int64_t n = orders[o];
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *a = NULL, *y = untouched;
            must(agn_contiguous(&a, batch_of(s, AGN_C128, n, n, true)));
            agn_tensor *nan = NULL;
            must(agn_mul_c(&nan, a, 1));
            void *p = NULL;
            must(agn_data_mut(&p, nan));
            ((double *)p)[2 * (12 * n * n + (n - 1) * (n + 1)) + part] = (double)NAN;
            check(&t,
                  agn_linalg_cholesky(&y, nan, false) == AGN_EDOMAIN &&
                      strstr(agn_error_message(), "matrix 12") && y == untouched,
                  "cholesky of a NaN: %s", agn_error_message());
            check(&t,
                  agn_linalg_inv(&y, nan) == AGN_EDOMAIN &&
                      strstr(agn_error_message(), "matrix 12") && y == untouched,
                  "inv of a NaN: %s", agn_error_message());
            check(&t,
                  agn_linalg_svdvals(&y, nan) == AGN_EDOMAIN &&
                      strstr(agn_error_message(), "matrix 12") && y == untouched,
                  "svdvals of a NaN: %s", agn_error_message());
            check(&t,
                  agn_linalg_eigvalsh(&y, nan, false) == AGN_EDOMAIN &&
                      strstr(agn_error_message(), "matrix 12") && y == untouched,
                  "eigvalsh of a NaN: %s", agn_error_message());
            must(agn_data_mut(&p, a));
            for (int64_t i = 0; i < 2 * n; i++) /* a row of zeros */
                ((double *)p)[2 * 7 * n * n + 2 * n * (n - 1) + i] = 0;
            check(&t,
                  agn_linalg_inv(&y, a) == AGN_EDOMAIN && strstr(agn_error_message(), "matrix 7") &&
                      y == untouched,
                  "inv: %s", agn_error_message());
            check(&t,
                  agn_linalg_cholesky(&y, a, false) == AGN_EDOMAIN &&
                      strstr(agn_error_message(), "matrix 7") && y == untouched,
                  "cholesky: %s", agn_error_message());
            agn_release(a), agn_release(nan);
            must(agn_scope_close(s));
        }
    tell(&t, "failures name their matrix");
}

int main(void)
{
    for (int layout = 0; layout < N_LAYOUTS; layout++) {
        test_errors_of(AGN_C128, layout);
        test_errors_of(AGN_C64, layout);
        test_pairs_of(AGN_C128, layout);
        test_pairs_of(AGN_C64, layout);
    }
    test_gradients();
    test_bits();
    test_failures();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
