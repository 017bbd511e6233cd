/* t-linalg-bands - banded, tridiagonal, Toeplitz and circulant systems: against dense matrices, in every mode, and
   every documented failure. */
#include "fft/fft.h"
#include "t-linalg.h"

static double largest(const agn_tensor *x)
{
    double y = 0;
    for (int64_t i = 0; x && i < agn_numel(x); i++)
        y = fmax(y, cabs(peekz(x, i)));
    return y;
}

/* the dense matrices of a batch of bands, in the numbers of c128 */
static agn_tensor *dense_of(const agn_tensor *ab, int64_t l, int64_t batch)
{
    int64_t w = agn_shape(ab)[agn_ndim(ab) - 2], n = agn_shape(ab)[agn_ndim(ab) - 1], u = w - 1 - l;
    agn_tensor *y = NULL;
    void *p = NULL;
    must(agn_zeros(&y, AGN_C128, 3, (int64_t[]){batch, n, n}));
    must(agn_data_mut(&p, y));
    for (int64_t b = 0; b < batch; b++)
        for (int64_t r = 0; r < w; r++)
            for (int64_t j = 0; j < n; j++)
                if (j + r - u >= 0 && j + r - u < n)
                    ((double complex *)p)[(b * n + j + r - u) * n + j] = peekz(ab, (b * w + r) * n + j);
    return y;
}

static void test_bands(void)
{
    static const int64_t sizes[][5] = {{2, 5, 1, 1, 2}, {1, 1, 0, 0, 1}, {3, 6, 2, 1, 3}, {2, 3, 2, 3, 1}, {0, 4, 1, 1, 2},
                                       {2, 0, 1, 0, 2}, {2, 4, 1, 2, 0}, {1, 40, 5, 3, 2}, {2, 1, 1, 1, 2}, {1, 7, 0, 3, 1}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int layout = 0; layout < N_LAYOUTS; layout++) {
                int64_t b = sizes[k][0], n = sizes[k][1], l = sizes[k][2], u = sizes[k][3], w = l + u + 1, shape[] = {b, w, n},
                        right[] = {b, n, sizes[k][4]};
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *raw = random_of(dtypes[d], 3, shape, -1, 1), *rhs = random_of(dtypes[d], 3, right, -1, 1), *ab = NULL;
                /* a main diagonal that leads; NaN where nothing is read */
                must(agn_copy(&ab, raw));
                void *p = NULL;
                must(agn_data_mut(&p, ab));
                for (int64_t i = 0; i < b * w * n; i++) {
                    int64_t r = i / n % w, j = i % n, row = j + r - u;
                    bool outside = row < 0 || row >= n;
                    if (dtypes[d] == AGN_F32)
                        ((float *)p)[i] = outside ? NAN : ((float *)p)[i] + (float)(r == u ? 2 + w : 0);
                    else if (dtypes[d] == AGN_F64)
                        ((double *)p)[i] = outside ? (double)NAN : ((double *)p)[i] + (double)(r == u ? 2 + w : 0);
                    else if (dtypes[d] == AGN_C64)
                        ((float complex *)p)[i] = outside ? NAN : ((float complex *)p)[i] + (float)(r == u ? 2 + w : 0);
                    else
                        ((double complex *)p)[i] = outside ? (double)NAN : ((double complex *)p)[i] + (double)(r == u ? 2 + w : 0);
                }
                agn_tensor *a = laid_out(ab, layout), *v = laid_out(rhs, layout), *x = NULL, *dense = dense_of(ab, l, b);
                agn_status st = agn_linalg_solve_banded(&x, a, v, l, u);
                const agn_tensor *back = ag_cast(s, ag_matmul(s, dense, ag_cast(s, x, AGN_C128)), dtypes[d]);
                check(&t, !st && relative(back, rhs) < 100 * eps_of(dtypes[d]), "banded %d: %s", k, agn_error_message());
                must(agn_scope_close(s));
                agn_tensor *all[] = {raw, rhs, ab, a, v, x, dense};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "banded: dtypes, shapes, layouts");
}

static void test_structured(void)
{
    static const int64_t sizes[][3] = {{2, 5, 2}, {1, 1, 1}, {0, 3, 2}, {2, 4, 0}, {3, 3, 3}, {1, 200, 2}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int layout = 0; layout < N_LAYOUTS; layout++) {
                int64_t b = sizes[k][0], n = sizes[k][1], line[] = {b, n}, less[] = {b, n - 1}, right[] = {b, n, sizes[k][2]};
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *c0 = random_of(dtypes[d], 2, line, -1, 1), *r0 = random_of(dtypes[d], 2, line, -1, 1),
                           *rhs = random_of(dtypes[d], 3, right, -1, 1), *e0 = random_of(dtypes[d], 2, less, -1, 1),
                           *f0 = random_of(dtypes[d], 2, less, -1, 1);
                agn_tensor *c = laid_out(c0, layout), *r = laid_out(r0, layout), *v = laid_out(rhs, layout), *e = laid_out(e0, layout),
                           *f = laid_out(f0, layout);
                double tol = 2000 * (double)(n + 2) * eps_of(dtypes[d]); /* matrices of condition 1000 may be among them */
                const agn_tensor *x = ag_linalg_solve_toeplitz(s, c, r, v);
                const agn_tensor *t0 = ag_linalg_toeplitz(s, c, r);
                double big = 1 + largest(x);
                check(&t, x && largest(ag_sub(s, ag_matmul(s, t0, x), rhs)) < 16 * big * (double)(n + 1) * eps_of(dtypes[d]), "toeplitz %d: %s", k, agn_error_message());
                x = ag_linalg_solve_toeplitz(s, c, NULL, v);
                big = 1 + largest(x);
                check(&t, x && largest(ag_sub(s, ag_matmul(s, ag_linalg_toeplitz(s, c, NULL), x), rhs)) < 16 * big * (double)(n + 1) * eps_of(dtypes[d]),
                      "toeplitz, Hermitian %d: %s", k, agn_error_message());
                /* a first number that leads: well conditioned */
                const agn_tensor *first = ag_cast(s, ag_eq(s, ag_arange(s, AGN_F64, 0, (double)n, 1), ag_zeros(s, AGN_F64, 0, NULL)), dtypes[d]);
                const agn_tensor *lead = ag_add(s, c, ag_mul_c(s, first, 2 + 2 * (double)n));
                x = ag_linalg_solve_circulant(s, lead, v);
                check(&t, x && relative(ag_matmul(s, ag_linalg_circulant(s, lead), x), rhs) < tol, "circulant %d: %s", k, agn_error_message());
                const agn_tensor *diagonal = ag_add_c(s, c, 5);
                x = ag_linalg_solve_tridiagonal(s, e, diagonal, f, v);
                const agn_tensor *m = ag_add(s, ag_diag_embed(s, diagonal, 0, -2, -1),
                                             ag_add(s, ag_diag_embed(s, e, -1, -2, -1), ag_diag_embed(s, f, 1, -2, -1)));
                check(&t, x && relative(ag_matmul(s, m, x), rhs) < 100 * eps_of(dtypes[d]), "tridiagonal %d: %s", k, agn_error_message());
                must(agn_scope_close(s));
                agn_tensor *all[] = {c0, r0, rhs, e0, f0, c, r, v, e, f};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "Toeplitz, circulant, tridiagonal: dtypes, shapes, layouts");
}

/* leading minors of 0, which Levinson cannot pass; numbers at both ends of the range; one right-hand side */
static void test_hard(void)
{
    agn_tensor *c = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0, 1, 2}), *b = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){8, 4, 4}), *x = NULL;
    must(agn_linalg_solve_toeplitz(&x, c, NULL, b));
    ok(agn_ndim(x) == 1 && fabs(peek(x, 0) - 1) < 1e-14 && fabs(peek(x, 1) - 2) < 1e-14 && fabs(peek(x, 2) - 3) < 1e-14,
       "toeplitz with a first minor of 0: %g %g %g", peek(x, 0), peek(x, 1), peek(x, 2));
    agn_release(x), agn_release(c);
    /* a random one whose second minor is 1e-13: the residual asks for factors */
    c = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 1 + 1e-13, 0.5});
    must(agn_linalg_solve_toeplitz(&x, c, NULL, b));
    double r0 = peek(x, 0) + (1 + 1e-13) * peek(x, 1) + 0.5 * peek(x, 2) - 8, r1 = (1 + 1e-13) * (peek(x, 0) + peek(x, 2)) + peek(x, 1) - 4;
    ok(fabs(r0) + fabs(r1) < 1e-13, "toeplitz with a small minor: %.1e", fabs(r0) + fabs(r1));
    agn_release(x), agn_release(c);
    for (int k = 0; k < 4; k++) {
        double z = k % 2 ? 1e-310 : 1e300, y = 0;
        c = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2 * z, z, 0});
        agn_tensor *d = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2 * z, 2 * z, 2 * z}), *e = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){z, z}),
                   *v = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){4 * z, 8 * z, 8 * z});
        must(k < 2 ? agn_linalg_solve_toeplitz(&x, c, NULL, v) : agn_linalg_solve_tridiagonal(&x, e, d, e, v));
        for (int i = 0; i < 3; i++)
            y = fmax(y, fabs(peek(x, i) - (i + 1)));
        ok(y < 1e-12, "numbers of %.0e: off by %.1e", z, y);
        agn_release(x), agn_release(c), agn_release(d), agn_release(e), agn_release(v);
    }
    agn_release(b);
}

/* what is not finite stays in the rows that the band carries it to */
static void test_not_finite(void)
{
    enum { N = 40, AT = 17 };
    for (int l = 0; l < 3; l++)
        for (int k = 1; k < 3; k++) {
            double ab[3 * N], b[2 * N];
            int strays = 0;
            for (int i = 0; i < 3 * N; i++)
                ab[i] = i < N ? 4 : 1;
            for (int i = 0; i < N * k; i++)
                b[i] = i / k == AT ? (l % 2 ? INFINITY : NAN) : 1;
            agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){l + 1, N}, ab), *x = NULL,
                       *y = of_reals(AGN_F64, 2, (int64_t[]){N, k}, b);
            must(agn_linalg_solve_banded(&x, a, y, l, 0));
            for (int i = 0; i < N * k; i++)
                strays += isfinite(peek(x, i)) != (l ? i / k < AT : i / k != AT);
            ok(!strays, "%d diagonals below, %d sides, one row %g: %d numbers wrong", l, k,
               (double)(l % 2 ? INFINITY : NAN), strays);
            agn_release(a), agn_release(x), agn_release(y);
        }
}

typedef enum which { BANDED, TRIDIAGONAL, TOEPLITZ, HERMITIAN, CIRCULANT } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *a = in[0], *b = in[1], *one = ag_index_axis(s, a, 0, 0), *two = ag_index_axis(s, a, 0, 1), *three = ag_index_axis(s, a, 0, 2);
    const agn_tensor *less = ag_slice(s, a, 2, (const int64_t[]){1, 0}, (const int64_t[]){3, 3}, (const int64_t[]){1, 1});
    switch (*(const which *)user) {
    case BANDED: { /* the first row leads */
        const agn_tensor *rows[] = {ag_expand_dims(s, two, 0), ag_expand_dims(s, one, 0), ag_expand_dims(s, three, 0)};
        out[0] = ag_linalg_solve_banded(s, ag_concat(s, rows, 3, 0), b, 1, 1);
        break;
    }
    case TRIDIAGONAL: out[0] = ag_linalg_solve_tridiagonal(s, ag_index_axis(s, less, 0, 0), one, ag_index_axis(s, less, 0, 1), b); break;
    case TOEPLITZ: out[0] = ag_linalg_solve_toeplitz(s, one, two, b); break;
    case HERMITIAN: out[0] = ag_linalg_solve_toeplitz(s, two, NULL, b); break;
    default: out[0] = ag_linalg_solve_circulant(s, three, b);
    }
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const char *const names[] = {"banded", "tridiagonal", "toeplitz", "toeplitz, Hermitian", "circulant"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_tensor *x = of_reals(dtype, 2, (int64_t[]){3, 4}, (double[]){4, 0.5, 0.3, -0.2, 3, 0.7, -0.6, 0.9, 5, 0.25, 0.4, 1});
            agn_tensor *b = of_reals(dtype, 2, (int64_t[]){4, 2}, (double[]){1, 2, -1, 0.5, 0.25, 1, 0.75, -2});
            const agn_tensor *in[] = {x, b};
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 2, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], agn_dtype_name(dtype));
            in_every_mode(f, 2, in, 4e-3, 1e-6, name);
            agn_fn_release(f);
            agn_release(x);
            agn_release(b);
        }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *ab = random_of(AGN_F64, 2, (int64_t[]){3, 4}, 1, 2), *v = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2),
               *w = random_of(AGN_F64, 1, (int64_t[]){3}, 1, 2), *zero = of_reals(AGN_F64, 2, (int64_t[]){3, 4}, (double[12]){0}),
               *nan = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){1, (double)NAN, 1, 1}), *none = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[4]){0}),
               *two = random_of(AGN_F64, 3, (int64_t[]){2, 3, 4}, 1, 2), *three = random_of(AGN_F64, 3, (int64_t[]){3, 4, 1}, 1, 2), *sparse = NULL,
               *lines = random_of(AGN_F64, 2, (int64_t[]){2, 4}, 1, 2);
    must(agn_sparse_from_dense(&sparse, ab));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
    static const char ba[] = "linalg_solve_banded", tr[] = "linalg_solve_tridiagonal", to[] = "linalg_solve_toeplitz", ci[] = "linalg_solve_circulant";
    BAD(agn_linalg_solve_banded(NULL, ab, v, 1, 1), AGN_ENULL, ba, "out is", NULL);
    BAD(agn_linalg_solve_banded(&o, NULL, v, 1, 1), AGN_ENULL, ba, "ab is", NULL);
    BAD(agn_linalg_solve_banded(&o, ab, NULL, 1, 1), AGN_ENULL, ba, "b is", NULL);
    BAD(agn_linalg_solve_banded(&o, ab, v, -1, 3), AGN_EARG, ba, "-1", "3");
    BAD(agn_linalg_solve_banded(&o, ab, v, 1, 2), AGN_ESHAPE, ba, "1 + 2", "[3,4]");
    BAD(agn_linalg_solve_banded(&o, ab, v, 1, INT64_MAX), AGN_ESHAPE, ba, NULL, "[3,4]");
    BAD(agn_linalg_solve_banded(&o, v, v, 1, 1), AGN_ESHAPE, ba, "[4]", NULL);
    BAD(agn_linalg_solve_banded(&o, ab, w, 1, 1), AGN_ESHAPE, ba, "rows differ", "[3,4]");
    BAD(agn_linalg_solve_banded(&o, two, three, 1, 1), AGN_ESHAPE, ba, "[2,3,4]", "[3,4,1]");
    BAD(agn_linalg_solve_banded(&o, zero, v, 1, 1), AGN_EDOMAIN, ba, "singular", "pivot 0");
    BAD(agn_linalg_solve_banded(&o, zero, v, 2, 0), AGN_EDOMAIN, ba, "singular", "pivot 0");
    BAD(agn_linalg_solve_banded(&o, sparse, v, 1, 1), AGN_EUNSUPPORTED, ba, "sparse", NULL);
    BAD(agn_linalg_solve_tridiagonal(NULL, w, v, w, v), AGN_ENULL, tr, "out is", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, NULL, v, w, v), AGN_ENULL, tr, "dl is", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, w, NULL, w, v), AGN_ENULL, tr, "d is", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, w, v, NULL, v), AGN_ENULL, tr, "du is", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, w, v, w, NULL), AGN_ENULL, tr, "b is", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, v, v, w, v), AGN_ESHAPE, tr, "[4]", "dl is");
    BAD(agn_linalg_solve_tridiagonal(&o, w, v, v, v), AGN_ESHAPE, tr, "[4]", "du is");
    BAD(agn_linalg_solve_tridiagonal(&o, w, v, w, w), AGN_ESHAPE, tr, "rows differ", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, w, nan, w, v), AGN_EDOMAIN, tr, "not finite", NULL);
    BAD(agn_linalg_solve_tridiagonal(&o, sparse, v, w, v), AGN_EUNSUPPORTED, tr, "sparse", NULL);
    BAD(agn_linalg_solve_toeplitz(NULL, v, v, v), AGN_ENULL, to, "out is", NULL);
    BAD(agn_linalg_solve_toeplitz(&o, NULL, v, v), AGN_ENULL, to, "c is", NULL);
    BAD(agn_linalg_solve_toeplitz(&o, v, v, NULL), AGN_ENULL, to, "b is", NULL);
    BAD(agn_linalg_solve_toeplitz(&o, v, w, v), AGN_ESHAPE, to, "[4]", "[3]");
    BAD(agn_linalg_solve_toeplitz(&o, v, NULL, w), AGN_ESHAPE, to, "[4]", "[3]");
    BAD(agn_linalg_solve_toeplitz(&o, lines, NULL, three), AGN_ESHAPE, to, "batches", NULL);
    BAD(agn_linalg_solve_toeplitz(&o, nan, NULL, v), AGN_EDOMAIN, to, "not finite", NULL);
    BAD(agn_linalg_solve_toeplitz(&o, none, NULL, v), AGN_EDOMAIN, to, "singular", "pivot 0");
    BAD(agn_linalg_solve_toeplitz(&o, sparse, NULL, v), AGN_EUNSUPPORTED, to, "sparse", NULL);
    BAD(agn_linalg_solve_circulant(NULL, v, v), AGN_ENULL, ci, "out is", NULL);
    BAD(agn_linalg_solve_circulant(&o, NULL, v), AGN_ENULL, ci, "c is", NULL);
    BAD(agn_linalg_solve_circulant(&o, v, NULL), AGN_ENULL, ci, "b is", NULL);
    BAD(agn_linalg_solve_circulant(&o, v, w), AGN_ESHAPE, ci, "[4]", "[3]");
    BAD(agn_linalg_solve_circulant(&o, lines, three), AGN_ESHAPE, ci, NULL, NULL);
    BAD(agn_linalg_solve_circulant(&o, sparse, v), AGN_EUNSUPPORTED, ci, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    must(agn_linalg_solve_circulant(&o, none, v));
    ok(!isfinite(peek(o, 0)), "a circulant matrix of 0 gives no number: %g", peek(o, 0));
    for (int64_t n = 3; n < 12; n++) { /* differences: their transform at 0 is 0 but for rounding */
        agn_tensor *c = random_of(AGN_F64, 1, &n, 0, 1), *b = random_of(AGN_F64, 1, &n, 0, 1), *mean = NULL, *d = NULL, *y = NULL;
        must(agn_mean(&mean, c, NULL, 0, false));
        must(agn_sub(&d, c, mean));
        must(agn_linalg_solve_circulant(&y, d, b));
        bool all_nan = true;
        for (int64_t i = 0; i < n; i++)
            all_nan = all_nan && isnan(peek(y, i));
        ok(all_nan, "a singular circulant matrix of %d rows gives NaN", (int)n);
        agn_tensor *all[] = {c, b, mean, d, y};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
    agn_tensor *all[] = {o, ab, v, w, zero, nan, none, two, three, sparse, lines};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = agn_linalg_solve_banded(&y, user, user, 2, 0);
    st = st ? st : agn_linalg_solve_toeplitz(out, user, NULL, y);
    agn_release(y);
    return st;
}

int main(void)
{
    test_bands();
    test_structured();
    test_hard();
    test_not_finite();
    test_modes();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){1, 2, -1, 1, 1, 0, 2, 1, 1});
    every_allocation(make, a, "solve_banded, solve_toeplitz");
    agn_release(a);
    agni_fft_clear_plans();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
