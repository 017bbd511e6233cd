/* t-linalg-large - orders at which factorisations take other ways than for small matrices:
   cotangents of Cholesky factors by blocks, inverses from factors, least squares without q,
   exponentials over numbers with units, bands by columns, Toeplitz systems in two passes. */
#include "t-linalg.h"

/* ---- Cholesky: <g, l'(t)> = <l'*(g), t> ------------------------------------------------- */

static agn_status factor(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    out[0] = ag_linalg_cholesky(s, in[0], *(const bool *)user);
    return AGN_OK;
}

static agn_tensor *positive(int dtype, int64_t n)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *g = random_of(dtype, 2, (int64_t[]){n, n}, -1, 1), *y = NULL;
    const agn_tensor *a = ag_mul_c(s, ag_matmul(s, g, adjoint(s, g)), 1 / (double)n);
    agn_scope_return(s, &y, ag_add(s, a, ag_eye(s, (agn_dtype)dtype, n, n, 0)));
    must(agn_scope_close(s));
    agn_release(g);
    return y;
}

static void test_cotangents(void)
{
    static const int64_t orders[] = {128, 129, 300, 515};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(orders); k++)
            for (int u = 0; u < 2; u++) {
                bool upper = u;
                const int64_t n = orders[k], shape[] = {n, n};
                agn_fn *f = NULL, *jvp = NULL, *vjp = NULL;
                agn_tensor *a = positive(dtypes[d], n), *t = random_of(dtypes[d], 2, shape, -1, 1),
                           *g = random_of(dtypes[d], 2, shape, -1, 1), *y[2] = {NULL},
                           *z[2] = {NULL};
                must(agn_fn_new(&f, factor, &upper, NULL, 1, 1));
                must(agn_fn_jvp(&jvp, f));
                must(agn_fn_vjp(&vjp, f));
                must(agn_fn_call(y, 2, jvp, (const agn_tensor *[]){a, t}, 2));
                must(agn_fn_call(z, 2, vjp, (const agn_tensor *[]){a, g}, 2));
                const double along = modes_dot(g, y[1]), back = modes_dot(z[1], t);
                const double size = sqrt(modes_dot(g, g) * modes_dot(y[1], y[1]));
                check(&q, fabs(along - back) <= 30 * (double)n * eps_of(dtypes[d]) * size,
                      "dtype %d, order %d, upper %d: %g and %g", dtypes[d], (int)n, u, along, back);
                double outside = 0;
                for (int64_t i = 0; i < n; i++)
                    for (int64_t j = 0; j < n; j++)
                        if (upper ? i > j : i < j)
                            outside = fmax(outside, cabs(peekz(z[1], i * n + j)));
                check(&q, outside == 0, "the triangle that is not read has no cotangent");
                for (int i = 0; i < 2; i++) {
                    agn_release(y[i]);
                    agn_release(z[i]);
                }
                agn_release(a);
                agn_release(t);
                agn_release(g);
                agn_fn_release(f);
                agn_fn_release(jvp);
                agn_fn_release(vjp);
            }
    tell(&q, "cotangents of Cholesky factors are adjoint to tangents, halved or not");
}

/* a second derivative through the halves: along t, of x -> <g, l'(t)> */
static agn_status quadratic(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *l = ag_linalg_cholesky(s, in[0], false);
    out[0] = ag_sum_all(s, ag_log(s, ag_diagonal(s, l, 0, -2, -1)));
    return AGN_OK;
}

/* d log det a = tr a^-1 da, d tr a^-1 t = -tr a^-1 t a^-1 t */
static void test_second_order(void)
{
    enum { N = 150 };
    const int64_t shape[] = {N, N};
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *f = NULL, *g = NULL, *h = NULL;
    agn_tensor *a = positive(AGN_F64, N), *r = random_of(AGN_F64, 2, shape, -1, 1), *y[2] = {NULL};
    const agn_tensor *t = ag_add(s, r, ag_swapaxes(s, r, 0, 1));
    must(agn_fn_new(&f, quadratic, NULL, NULL, 1, 1));
    must(agn_fn_grad(&g, f, NULL, 0));
    must(agn_fn_jvp(&h, g));
    must(agn_fn_call(y, 2, h, (const agn_tensor *[]){a, t}, 2));
    const agn_tensor *x = ag_linalg_solve(s, a, t);
    const double want = -0.5 * peek(ag_sum_all(s, ag_mul(s, x, ag_swapaxes(s, x, 0, 1))), 0);
    /* the gradient lies in the triangle that is read, so does the tangent that meets it */
    const double got = peek(ag_sum_all(s, ag_mul(s, y[1], t)), 0);
    ok(fabs(got - want) < 1e-9 * fabs(want), "second derivative of a log-determinant: %.12g, %.12g",
       got, want);
    must(agn_scope_close(s));
    for (int i = 0; i < 2; i++)
        agn_release(y[i]);
    agn_release(a);
    agn_release(r);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(h);
}

/* ---- inverses from factors ------------------------------------------------------------------ */

static void test_inverses(void)
{
    static const int64_t orders[] = {9, 33, 100};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(orders); k++)
            for (int kind = 0; kind < 3; kind++) {
                const int64_t n = orders[k], shape[] = {n, n};
                const agn_dtype dtype = (agn_dtype)dtypes[d];
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *a = kind == 1 ? positive(dtypes[d], n)
                                          : random_of(dtypes[d], 2, shape, -1, 1);
                const agn_tensor *eye = ag_eye(s, dtype, n, n, 0), *x = a;
                if (kind == 2) /* factors overflow: scaled before it is factored */
                    x = ag_mul_c(s, a, dtype == AGN_F32 || dtype == AGN_C64 ? 3e38 : 1.5e308);
                const agn_tensor *y = ag_linalg_inv(s, x);
                const agn_tensor *two = ag_mul_c(s, ag_linalg_solve(s, x, ag_mul_c(s, eye, 0.5)),
                                                 2);
                const double bound = 1e3 * (double)n * eps_of(dtypes[d]);
                if (kind < 2)
                    check(&q, relative(ag_matmul(s, y, x), eye) < bound * (kind ? 1 : 100),
                          "dtype %d, order %d, kind %d", dtypes[d], (int)n, kind);
                check(&q, relative(y, two) < bound * 100,
                      "as by substitution, off by %.1e: %d %d %d", relative(y, two), dtypes[d],
                      (int)n, kind);
                must(agn_scope_close(s));
                agn_release(a);
            }
    tell(&q, "inverses from factors: general, positive definite, scaled");
}

/* ---- least squares ---- */

static agn_status fit(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_linalg_lstsq(s, in[0], in[1]);
    return AGN_OK;
}

static void test_least_squares(void)
{
    static const int64_t sizes[][2] = {{40, 7}, {7, 40}, {50, 50}, {90, 60}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++) {
            const int64_t m = sizes[k][0], n = sizes[k][1];
            agn_scope *s = agn_scope_open(NULL);
            agn_fn *f = NULL, *c = NULL;
            agn_tensor *a = random_of(dtypes[d], 2, (int64_t[]){m, n}, -1, 1),
                       *b = random_of(dtypes[d], 2, (int64_t[]){m, 3}, -1, 1), *y = NULL;
            must(agn_fn_new(&f, fit, NULL, NULL, 2, 1));
            must(agn_fn_compile(&c, f, NULL));
            must(agn_fn_call(&y, 1, c, (const agn_tensor *[]){a, b}, 2));
            const agn_tensor *x = ag_linalg_lstsq(s, a, b), *ah = adjoint(s, a);
            const double tol = 1e4 * (double)(m + n) * eps_of(dtypes[d]) * (m == n ? 30 : 1);
            check(&q, relative(x, y) < tol, "%d: a value, and one of a plan: %.1e", k,
                  relative(x, y));
            const agn_tensor *rest = ag_sub(s, ag_matmul(s, a, x), b);
            const agn_tensor *normal = ag_matmul(s, ah, rest);
            if (m > n)
                check(&q,
                      relative(ag_add(s, normal, ag_matmul(s, ah, b)), ag_matmul(s, ah, b)) < tol,
                      "the residual is orthogonal to the columns");
            else
                check(&q, relative(ag_matmul(s, a, x), b) < tol, "the system is solved");
            must(agn_scope_close(s));
            agn_release(a);
            agn_release(b);
            agn_release(y);
            agn_fn_release(f);
            agn_fn_release(c);
        }
    tell(&q, "least squares of values and of plans");
    agn_tensor *flat = NULL, *o = NULL;
    must(agn_full(&flat, AGN_F64, 2, (int64_t[]){40, 3}, 1));
    agn_status st = agn_linalg_lstsq(&o, flat, flat);
    ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "linalg_lstsq"),
       "dependent columns are refused: %s", agn_error_message());
    agn_release(flat);
}

/* ---- exponentials: of a diagonal matrix the derivative is e_ij (exp a_i - exp a_j) / (a ---- */

static void test_exponentials(void)
{
    static const double sizes[] = {1, 1e-200, 1e200};
    enum { N = 24 };
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < (eps_of(dtypes[d]) < 1e-10 ? 3 : 1); k++)
            for (int far = 0; far < 3; far++) {
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *e = random_of(dtypes[d], 2, (int64_t[]){N, N}, -1, 1);
                double line[N], want[N * N];
                for (int i = 0; i < N; i++)
                    line[i] = (far == 2 ? 3 : far ? 0.5 : 1e-3) * (i - N / 2) / N * 2;
                for (int i = 0; i < N * N; i++) {
                    const double x = line[i / N], y = line[i % N], h = (x - y) / 2;
                    want[i] = exp((x + y) / 2) * (h == 0 ? 1 : sinh(h) / h) * sizes[k];
                }
                const agn_tensor *diagonal = NULL, *quotient = NULL;
                agn_tensor *p = NULL, *w = NULL, *y = NULL, *dy = NULL;
                agn_status st = agn_from_host(&p, AGN_F64, 1, (int64_t[]){N}, line);
                diagonal = ag_cast(s, ag_diag_embed(s, agn_scope_adopt(s, st, &p), 0, -2, -1),
                                   (agn_dtype)dtypes[d]);
                st = agn_from_host(&w, AGN_F64, 2, (int64_t[]){N, N}, want);
                quotient = agn_scope_adopt(s, st, &w);
                must(agn_linalg_expm_frechet(&y, &dy, diagonal, ag_mul_c(s, e, sizes[k])));
                const agn_tensor *wanted = ag_mul(s, e, ag_cast(s, quotient, (agn_dtype)dtypes[d]));
                check(&q, relative(dy, wanted) < 100 * eps_of(dtypes[d]),
                      "dtype %d, size %g, spread %d: %.1e", dtypes[d], sizes[k], far,
                      relative(dy, wanted));
                must(agn_scope_close(s));
                agn_release(y);
                agn_release(dy);
                agn_release(e);
            }
    tell(&q, "derivatives of exponentials, at any size of the tangent");
}

/* exp [a, e, f; ..] of two and three units against a product that has no such look */
static void test_units(void)
{
    enum { N = 5 };
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int units = 1; units < 4; units++) {
            agn_scope *s = agn_scope_open(NULL);
            const int64_t n = N << units;
            agn_tensor *x = random_of(dtypes[d], 2, (int64_t[]){N, N}, -1, 1),
                       *p = random_of(dtypes[d], 2, (int64_t[]){n, n}, -1, 1);
            const agn_tensor *b = x;
            for (int u = 0; u < units; u++) { /* [b, b / 2; 0, b] */
                const agn_tensor *none = ag_zeros_like(s, b), *half = ag_mul_c(s, b, 0.5 + u);
                const agn_tensor *rows[] = {ag_concat(s, (const agn_tensor *[]){b, half}, 2, -1),
                                            ag_concat(s, (const agn_tensor *[]){none, b}, 2, -1)};
                b = ag_concat(s, rows, 2, -2);
            }
            /* p b p^-1 is dense */
            const agn_tensor *turned = ag_matmul(s, ag_matmul(s, p, b), ag_linalg_inv(s, p));
            const agn_tensor *dense = ag_linalg_matrix_exp(s, turned);
            dense = ag_matmul(s, ag_matmul(s, ag_linalg_inv(s, p), dense), p);
            check(&q, relative(ag_linalg_matrix_exp(s, b), dense) < 1e7 * eps_of(dtypes[d]),
                  "%d units: %.1e", units, relative(ag_linalg_matrix_exp(s, b), dense));
            must(agn_scope_close(s));
            agn_release(x);
            agn_release(p);
        }
    tell(&q, "exponentials over numbers with units are those of dense matrices");
}

/* ---- bands and Toeplitz matrices ---- */

static void test_bands(void)
{
    static const int64_t sides[][2] = {{3, 2}, {0, 4}, {4, 0}, {20, 20}, {1, 1}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sides); k++) {
            const int64_t l = sides[k][0], u = sides[k][1], n = 150, w = l + u + 1;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *ab = random_of(dtypes[d], 2, (int64_t[]){w, n}, -1, 1), *a = NULL,
                       *b = random_of(dtypes[d], 2, (int64_t[]){n, 2}, -1, 1);
            must(agn_zeros(&a, (agn_dtype)dtypes[d], 2, (int64_t[]){n, n}));
            const agn_tensor *heavy = ag_eye(s, (agn_dtype)dtypes[d], n, n, 0), *dense = a;
            heavy = ag_mul_c(s, heavy, (double)(2 * w));
            for (int64_t r = 0; r < w; r++) {
                const int64_t off = u - r, first = off > 0 ? off : 0, last = off < 0 ? n + off : n;
                const agn_tensor *line = ag_slice(s, ag_index_axis(s, ab, 0, r), 1, &first, &last,
                                                  (int64_t[]){1});
                dense = ag_diagonal_scatter(s, dense, line, off, 0, 1);
            }
            const agn_tensor *line = ag_full(s, (agn_dtype)dtypes[d], 1, &n, (double)(2 * w));
            const agn_tensor *base = ag_zeros_like(s, ab);
            const agn_tensor *rows[3];
            int parts = 0;
            const int64_t zero[2] = {0}, one[2] = {1, 1}, up[2] = {u, n}, down[2] = {l, n};
            if (u > 0)
                rows[parts++] = ag_slice(s, base, 2, zero, up, one);
            rows[parts++] = ag_expand_dims(s, line, 0);
            if (l > 0)
                rows[parts++] = ag_slice(s, base, 2, zero, down, one);
            const agn_tensor *held = ag_add(s, ab, ag_concat(s, rows, parts, 0));
            const agn_tensor *x = ag_linalg_solve_banded(s, held, b, l, u);
            const agn_tensor *y = ag_matmul(s, ag_add(s, dense, heavy), x);
            check(&q, relative(y, b) < 1e3 * eps_of(dtypes[d]),
                  "dtype %d, %d below, %d above: %.1e", dtypes[d], (int)l, (int)u, relative(y, b));
            must(agn_scope_close(s));
            agn_release(ab);
            agn_release(a);
            agn_release(b);
        }
    tell(&q, "banded systems of order 150");
}

static void test_toeplitz(void)
{
    static const int64_t n = 900;
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++) {
        agn_scope *s = agn_scope_open(NULL);
        agn_tensor *c = random_of(dtypes[d], 1, &n, -1, 1), *r = random_of(dtypes[d], 1, &n, -1, 1),
                   *b = random_of(dtypes[d], 1, &n, -1, 1);
        const agn_tensor *k = ag_add_c(s, ag_arange(s, AGN_F64, 0, (double)n, 1), 0.5);
        const agn_tensor *fall = ag_cast(s, ag_reciprocal(s, ag_square(s, k)),
                                         (agn_dtype)dtypes[d]);
        const agn_tensor *col = ag_mul(s, c, fall), *row = ag_mul(s, r, fall);
        const agn_tensor *heavy = ag_cast(s, ag_lt(s, k, ag_full(s, AGN_F64, 0, NULL, 1)),
                                          (agn_dtype)dtypes[d]);
        col = ag_add(s, col, ag_mul_c(s, heavy, 12));
        const agn_tensor *x = ag_linalg_solve_toeplitz(s, col, row, b);
        const agn_tensor *y = ag_matmul(s, ag_linalg_toeplitz(s, col, row),
                                        ag_expand_dims(s, x, -1));
        check(&q, relative(ag_squeeze(s, y, -1), b) < 64 * eps_of(dtypes[d]), "dtype %d: %.1e",
              dtypes[d], relative(ag_squeeze(s, y, -1), b));
        must(agn_scope_close(s));
        agn_release(c);
        agn_release(r);
        agn_release(b);
    }
    tell(&q, "Toeplitz systems of order 900 have the residual of a stable method");
}

int main(void)
{
    test_cotangents();
    test_second_order();
    test_inverses();
    test_least_squares();
    test_exponentials();
    test_units();
    test_bands();
    test_toeplitz();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
