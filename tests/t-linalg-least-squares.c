/* t-linalg-least-squares - LAPACK's four drivers, damped and constrained least squares, general linear models, solutions
   with error bounds and by looking: identities over dtypes, shapes and layouts, SciPy's numbers, every mode, and every
   documented failure. */
#include "t-linalg.h"

#define DATA_LEAST_SQUARES
#include "data/pencils.inc"

static double most_of(const agn_tensor *x)
{
    double most = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        most = fmax(most, cabs(peekz(x, i)));
    return most;
}
static double apart(const agn_tensor *x, const double *want, int n)
{
    double d = agn_numel(x) == n ? 0 : (double)INFINITY;
    for (int i = 0; i < n && d == 0 + d && d < 1e300; i++)
        d = fmax(d, fabs(peek(x, i) - want[i]));
    return d;
}

static void test_drivers(void)
{
    static const int64_t sizes[][3] = {{0, 4, 2}, {2, 3, 0}, {2, 0, 3}, {1, 1, 1}, {3, 4, 2}, {2, 5, 5}, {30, 2, 3}, {1, 40, 15}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++)
                for (int v = AGN_LSTSQ_GELS; v <= AGN_LSTSQ_GELSS; v++) {
                    int64_t b = sizes[k][0], m = sizes[k][1], n = sizes[k][2], least = m < n ? m : n, rhs[] = {b, m, 2};
                    agn_tensor *a = random_of(dtypes[d], 3, sizes[k], -1, 1), *x = laid_out(a, l), *y = random_of(dtypes[d], 3, rhs, -1, 1);
                    agn_tensor *z = NULL, *rank = NULL, *values = NULL;
                    agn_scope *s = agn_scope_open(NULL);
                    double tol = 4000 * (double)(m + n + 2) * eps_of(dtypes[d]);
                    agn_status st = agn_linalg_lstsq_with(&z, &rank, &values, x, y, (agn_lstsq_driver)v, -1);
                    check(&t, !st, "driver %d: %s", v, agn_error_message());
                    if (!st) {
                        const agn_tensor *rest = ag_sub(s, ag_matmul(s, a, z), y), *normal = ag_matmul(s, adjoint(s, a), rest);
                        check(&t, most_of(normal) <= tol * (1 + most_of(z)), "driver %d: the residual is not orthogonal: %.1e", v, most_of(normal));
                        for (int64_t i = 0; i < b; i++)
                            check(&t, peek_int(rank, i) == least, "driver %d: rank %d", v, (int)peek_int(rank, i));
                        const agn_tensor *w = ag_linalg_svdvals(s, a);
                        check(&t, v < AGN_LSTSQ_GELSD ? agn_numel(values) == 0 : relative(values, w) < tol || !agn_numel(w), "singular values");
                    }
                    must(agn_scope_close(s));
                    agn_tensor *all[] = {a, x, y, z, rank, values};
                    release_all(all, COUNT(all));
                }
    tell(&t, "four drivers: dtypes, shapes, layouts");
}

static void test_values(void)
{
    tally t = {0, 0};
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){6, 5}, lstsq_a), *b = of_reals(AGN_F64, 2, (int64_t[]){6, 2}, lstsq_b), *x = NULL, *rank = NULL, *s = NULL;
    for (int v = AGN_LSTSQ_GELSY; v <= AGN_LSTSQ_GELSS; v++) {
        must(agn_linalg_lstsq_with(&x, &rank, &s, a, b, (agn_lstsq_driver)v, 1e-12));
        check(&t, apart(x, lstsq_x, 10) < 1e-11 && peek_int(rank, 0) == 3, "driver %d, rank 3: off by %.1e", v, apart(x, lstsq_x, 10));
        check(&t, v == AGN_LSTSQ_GELSY || apart(s, lstsq_s, 5) < 1e-12, "singular values");
        agn_tensor *all[] = {x, rank, s};
        release_all(all, 3);
        x = rank = s = NULL;
    }
    must(agn_linalg_lstsq_with(&x, NULL, NULL, a, b, AGN_LSTSQ_GELSD, 1e-12)); /* the others are not asked for */
    check(&t, apart(x, lstsq_x, 10) < 1e-11, "x alone");
    agn_release(a);
    agn_release(b);
    agn_release(x);
    x = NULL;
    a = of_reals(AGN_F64, 2, (int64_t[]){6, 4}, gglse_a);
    b = of_reals(AGN_F64, 2, (int64_t[]){2, 4}, gglse_b);
    agn_tensor *c = of_reals(AGN_F64, 1, (int64_t[]){6}, gglse_c), *d = of_reals(AGN_F64, 1, (int64_t[]){2}, gglse_d), *y = NULL;
    must(agn_linalg_lstsq_constrained(&x, a, c, b, d));
    check(&t, apart(x, gglse_x, 4) < 1e-12, "gglse: off by %.1e", apart(x, gglse_x, 4));
    agn_tensor *all[] = {a, b, c, d, x};
    release_all(all, 5);
    x = NULL;
    a = of_reals(AGN_F64, 2, (int64_t[]){5, 2}, ggglm_a);
    b = of_reals(AGN_F64, 2, (int64_t[]){5, 4}, ggglm_b);
    d = of_reals(AGN_F64, 1, (int64_t[]){5}, ggglm_d);
    must(agn_linalg_gauss_markov(&x, &y, a, b, d));
    check(&t, apart(x, ggglm_x, 2) < 1e-12 && apart(y, ggglm_y, 4) < 1e-12, "ggglm: off by %.1e and %.1e", apart(x, ggglm_x, 2),
          apart(y, ggglm_y, 4));
    tell(&t, "SciPy's numbers: rank-deficient, constrained, general linear model");
    agn_tensor *rest[] = {a, b, d, x, y};
    release_all(rest, 5);
}

/* normal equations, which are good enough where a is; a batch of alphas */
static void test_ridge(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(dtypes); k++) {
        agn_tensor *a = random_of(dtypes[k], 3, (int64_t[]){2, 6, 3}, -1, 1), *b = random_of(dtypes[k], 3, (int64_t[]){2, 6, 2}, -1, 1);
        agn_tensor *alpha = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0.5, 3});
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *x = ag_linalg_ridge(s, a, b, ag_cast(s, alpha, k % 2 ? AGN_F64 : AGN_F32));
        const agn_tensor *h = adjoint(s, a), *eye = ag_eye(s, dtypes[k], 3, 3, 0);
        const agn_tensor *damp = ag_mul(s, ag_cast(s, ag_reshape(s, alpha, 3, (int64_t[]){2, 1, 1}), dtypes[k]), eye);
        const agn_tensor *want = ag_linalg_solve(s, ag_add(s, ag_matmul(s, h, a), damp), ag_matmul(s, h, b));
        check(&t, relative(x, want) < 200 * eps_of(dtypes[k]), "ridge: %.1e", relative(x, want));
        must(agn_scope_close(s));
        agn_tensor *all[] = {a, b, alpha};
        release_all(all, 3);
    }
    tell(&t, "ridge against normal equations");
}

/* a matrix of each kind of order n */
static agn_tensor *of_kind(int dtype, int kind, int64_t n)
{
    int64_t shape[] = {n, n};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *r = random_of(dtype, 2, shape, -1, 1), *out = NULL;
    const agn_tensor *big = ag_add(s, r, ag_mul_c(s, ag_eye(s, dtype, n, n, 0), 4)), *y = big;
    switch (kind) {
    case AGN_MATRIX_DIAGONAL: y = ag_diag(s, ag_diagonal(s, big, 0, 0, 1), 0); break;
    case AGN_MATRIX_LOWER: y = ag_tril(s, big, 0); break;
    case AGN_MATRIX_UPPER: y = ag_triu(s, big, 0); break;
    case AGN_MATRIX_TRIDIAGONAL: y = ag_triu(s, ag_tril(s, big, 1), -1); break;
    case AGN_MATRIX_BANDED: y = ag_triu(s, ag_tril(s, big, 1), -2); break;
    case AGN_MATRIX_POSITIVE: y = ag_add(s, ag_matmul(s, r, adjoint(s, r)), ag_eye(s, dtype, n, n, 0)); y = ag_add(s, y, adjoint(s, y)); break;
    case AGN_MATRIX_HERMITIAN: y = ag_add(s, r, adjoint(s, r)); break;
    case AGN_MATRIX_SYMMETRIC: y = ag_add(s, r, ag_swapaxes(s, r, 0, 1)); break;
    default: break;
    }
    agn_scope_return(s, &out, ag_positive(s, y));
    must(agn_scope_close(s));
    agn_release(r);
    return out;
}

static void test_systems(void)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int kind = AGN_MATRIX_GENERAL; kind <= AGN_MATRIX_SYMMETRIC; kind++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                if (d < 2 && kind == AGN_MATRIX_SYMMETRIC)
                    continue;
                int64_t n = 32, shape[] = {n, 2};
                agn_tensor *a = of_kind(dtypes[d], kind, n), *x = laid_out(a, l), *b = random_of(dtypes[d], 2, shape, -1, 1), *y = NULL, *found = NULL,
                           *f[4] = {NULL};
                agn_scope *s = agn_scope_open(NULL);
                agn_status st = agn_linalg_solve_structured(&y, &found, x, b);
                const agn_tensor *want = ag_linalg_solve(s, a, b), *rcond = ag_linalg_rcond(s, a);
                double tol = 100 * eps_of(dtypes[d]) / peek(rcond, 0);
                check(&t, !st && relative(y, want) < tol, "kind %d: %.1e: %s", kind, relative(y, want), agn_error_message());
                check(&t, !st && peek_int(found, 0) == kind, "kind %d found as %d", kind, (int)peek_int(found, 0));
                st = agn_linalg_solve_refined(&f[0], &f[1], &f[2], &f[3], x, b);
                check(&t, !st && relative(f[0], want) < tol && peek(f[1], 0) > 0 && peek(f[1], 0) <= 1.0001, "refined: %s", agn_error_message());
                for (int j = 0; !st && j < 2; j++)
                    check(&t, peek(f[3], j) <= 8 * eps_of(dtypes[d]) && peek(f[2], j) < tol, "bounds %g and %g", peek(f[2], j), peek(f[3], j));
                must(agn_scope_close(s));
                agn_tensor *all[] = {a, x, b, y, found, f[0], f[1], f[2], f[3]};
                release_all(all, COUNT(all));
            }
    tell(&t, "by looking and with bounds: kinds, dtypes, layouts");
    /* the forward bound holds: Hilbert's matrix of order 8, whose solution is known */
    agn_tensor *h = NULL, *f[4] = {NULL};
    must(agn_linalg_hilbert(&h, AGN_F64, 8));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *exact = ag_ones(s, AGN_F64, 1, (int64_t[]){8}), *scaled = ag_mul_c(s, h, 360360), *whole = ag_round(s, scaled);
    must(agn_linalg_solve_refined(&f[0], &f[1], &f[2], &f[3], whole, ag_matmul(s, whole, exact)));
    double off = relative(f[0], exact);
    ok(off <= peek(f[2], 0) && peek(f[2], 0) < 1e-3 && agn_ndim(f[2]) == 0, "Hilbert, 8: off by %.1e, the bound is %.1e, rcond %.1e", off, peek(f[2], 0),
       peek(f[1], 0));
    must(agn_scope_close(s));
    release_all(f, 4);
    agn_release(h);
    /* near the ends of the range */
    tally r = {0, 0};
    static const double size[] = {0x1p-1060, 0x1p-700, 0x1p700, 0x1p1020};
    for (int k = 0; k < COUNT(size); k++)
        for (int kind = 0; kind < 3; kind++) {
            const double c = size[k], m[][4] = {{3 * c, c, 2 * c, 2 * c}, {3 * c, c, c, 2 * c}, {c, 2 * c, 2 * c, c}};
            agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, m[kind]), *b = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){m[kind][0], m[kind][2]}), *x = NULL;
            agn_status st = agn_linalg_solve_structured(&x, NULL, a, b);
            check(&r, !st && fabs(peek(x, 0) - 1) < 1e-10 && fabs(peek(x, 1)) < 1e-10, "scale %g, kind %d: %s", c, kind, agn_error_message());
            agn_tensor *all[] = {a, b, x};
            release_all(all, 3);
        }
    tell(&r, "subnormal and huge systems");
}

typedef enum which { GELS, GELSY, GELSD, GELSS, RIDGE, CONSTRAINED, MODEL, REFINED, LOOKED, N_WHICH } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y = NULL, *z[3] = {NULL};
    which w = *(const which *)user;
    agn_status st = AGN_OK;
    const agn_tensor *a = in[0], *b = ag_mul(s, a, a), *sq = ag_matmul(s, adjoint(s, a), a), *row = ag_slice(s, a, 2, (int64_t[]){0, 0}, (int64_t[]){1, 2}, (int64_t[]){1, 1});
    if (!sq || !row)
        return agn_scope_status(s);
    if (w <= GELSS && w != GELS) /* of rank 2 in 3 by 3, moved along matrices of that rank */
        a = ag_matmul(s, a, ag_concat(s, (const agn_tensor *[]){sq, ag_sum(s, sq, (int32_t[]){1}, 1, true)}, 2, -1));
    switch (w) {
    case RIDGE: out[0] = ag_linalg_ridge(s, a, b, ag_real(s, ag_trace(s, sq, 0, 0, 1))); return agn_scope_status(s);
    case CONSTRAINED: out[0] = ag_linalg_lstsq_constrained(s, a, b, row, ag_mul(s, row, row)); return agn_scope_status(s);
    case MODEL: st = agn_linalg_gauss_markov(&y, &z[0], a, ag_matmul(s, b, sq), b); break;
    case REFINED: st = agn_linalg_solve_refined(&y, &z[0], &z[1], &z[2], sq, adjoint(s, a)); break;
    case LOOKED: st = agn_linalg_solve_structured(&y, &z[0], sq, adjoint(s, a)); break;
    default: st = agn_linalg_lstsq_with(&y, &z[0], &z[1], a, b, (agn_lstsq_driver)w, 1e-9); break;
    }
    out[0] = agn_scope_adopt(s, st, &y);
    for (int k = 0; k < 3; k++)
        if (z[k])
            agn_scope_adopt(s, st, &z[k]);
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const char *const names[] = {"gels", "gelsy, rank 2", "gelsd, rank 2", "gelss, rank 2", "ridge", "lstsq_constrained", "gauss_markov",
                                        "solve_refined", "solve_structured"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < N_WHICH; k++) {
            which w = (which)k;
            agn_tensor *x = of_reals(c ? AGN_C128 : AGN_F64, 2, (int64_t[]){3, 2}, (double[]){1.5, 0.25, -0.5, 0.75, 0.3, -1});
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 1, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], c ? "c128" : "f64");
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 2e-3, 1e-5, name);
            agn_fn_release(f);
            agn_release(x);
        }
}

/* rank 1 up to rounding, what is left of the second column large beside the first one: refused, alone and
   in lanes, as it lies and turned */
static void test_short_column(void)
{
    static const double entry[] = {0x1.1ae83e01d38e9p-4, 0x1.dac7362f71939p-3, 0x1.57438d6c02e4bp-3,
                                   0x1.2008e406d78a6p-1};
    for (int batch = 1; batch <= 64; batch *= 64)
        for (int turned = 0; turned < 2; turned++) {
            double numbers[64 * 4];
            for (int i = 0; i < batch * 4; i++)
                numbers[i] = entry[turned ? i % 4 / 2 + i % 2 * 2 : i % 4];
            agn_tensor *o = NULL, *a = of_reals(AGN_F64, 3, (int64_t[]){batch, 2, 2}, numbers),
                       *b = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){1, -2});
            const agn_status st = agn_linalg_lstsq(&o, a, b);
            ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "dependent"),
               "%d of rank 1 up to rounding%s: %s", batch, turned ? ", turned" : "",
               agn_error_message());
            agn_release(st ? NULL : o);
            agn_release(a);
            agn_release(b);
        }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched, *o3 = untouched, *o4 = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}), *tall = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2), *sparse = NULL;
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}), *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1});
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, (double)NAN, 1}), *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2),
               *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2), *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1});
    agn_tensor *one = of_reals(AGN_F64, 0, NULL, (double[]){1}), *minus = of_reals(AGN_F64, 0, NULL, (double[]){-1}), *z = of_reals(AGN_C128, 0, NULL, (double[]){1});
    agn_tensor *row = of_reals(AGN_F64, 2, (int64_t[]){1, 2}, (double[]){1, 1}), *single = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){1}), *tiny = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1e-300, 0, 0, 1});
    agn_tensor *huge = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1e300, 1}), *low = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 1, 0}), *zero = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[4]){0});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched && o3 == untouched && o4 == untouched, "%s", agn_error_message())
    static const char lw[] = "linalg_lstsq_with", ri[] = "linalg_ridge", lc[] = "linalg_lstsq_constrained", gm[] = "linalg_gauss_markov",
                      sr[] = "linalg_solve_refined", ss[] = "linalg_solve_structured";
    BAD(agn_linalg_lstsq_with(NULL, &o2, &o3, sq, vec, 0, -1), AGN_ENULL, lw, "out is", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, NULL, vec, 0, -1), AGN_ENULL, lw, "a is", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, sq, NULL, 0, -1), AGN_ENULL, lw, "b is", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, sq, vec, (agn_lstsq_driver)4, -1), AGN_EARG, lw, "driver 4", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, sq, vec, 2, 1), AGN_EARG, lw, "rcond is 1", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, vec, vec, 2, -1), AGN_ESHAPE, lw, "[2]", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, tall, vec, 2, -1), AGN_ESHAPE, lw, "[3,2]", "[2]");
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, two, three, 2, -1), AGN_ESHAPE, lw, "broadcast", "[3,2,2]");
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, nan, vec, 2, -1), AGN_EDOMAIN, lw, "not finite", "[1,0]");
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, sq, nan, 2, -1), AGN_EDOMAIN, lw, "not finite", "[1,0]");
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, sq, vec, AGN_LSTSQ_GELS, -1), AGN_EDOMAIN, lw, "dependent", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, zero, vec, AGN_LSTSQ_GELS, -1), AGN_EDOMAIN, lw, "dependent", NULL);
    BAD(agn_linalg_lstsq_with(&o, &o2, &o3, sparse, vec, 2, -1), AGN_EUNSUPPORTED, lw, "sparse", NULL);
    BAD(agn_linalg_ridge(NULL, sq, vec, one), AGN_ENULL, ri, "out is", NULL);
    BAD(agn_linalg_ridge(&o, NULL, vec, one), AGN_ENULL, ri, "a is", NULL);
    BAD(agn_linalg_ridge(&o, sq, NULL, one), AGN_ENULL, ri, "b is", NULL);
    BAD(agn_linalg_ridge(&o, sq, vec, NULL), AGN_ENULL, ri, "alpha is", NULL);
    BAD(agn_linalg_ridge(&o, tall, vec, one), AGN_ESHAPE, ri, "[3,2]", "[2]");
    BAD(agn_linalg_ridge(&o, two, three, one), AGN_ESHAPE, ri, "broadcast", "[3,2,2]");
    BAD(agn_linalg_ridge(&o, sq, vec, z), AGN_EDTYPE, ri, "c128", NULL);
    BAD(agn_linalg_ridge(&o, sq, vec, minus), AGN_EDOMAIN, ri, "not finite", NULL);
    BAD(agn_linalg_ridge(&o, nan, vec, one), AGN_EDOMAIN, ri, "not finite", NULL);
    BAD(agn_linalg_ridge(&o, sparse, vec, one), AGN_EUNSUPPORTED, ri, "sparse", NULL);
    BAD(agn_linalg_lstsq_constrained(NULL, sq, vec, row, single), AGN_ENULL, lc, "out is", NULL);
    BAD(agn_linalg_lstsq_constrained(&o, NULL, vec, row, single), AGN_ENULL, lc, "a is", NULL);
    BAD(agn_linalg_lstsq_constrained(&o, sq, NULL, row, single), AGN_ENULL, lc, "c is", NULL);
    BAD(agn_linalg_lstsq_constrained(&o, sq, vec, NULL, single), AGN_ENULL, lc, "b is", NULL);
    BAD(agn_linalg_lstsq_constrained(&o, sq, vec, row, NULL), AGN_ENULL, lc, "d is", NULL);
    BAD(agn_linalg_lstsq_constrained(&o, sq, vec, flat, vec), AGN_ESHAPE, lc, "sizes do not fit", "[2,3]");
    BAD(agn_linalg_lstsq_constrained(&o, sq, single, row, single), AGN_ESHAPE, lc, "rows differ", NULL);
    BAD(agn_linalg_lstsq_constrained(&o, sq, vec, sq, vec), AGN_EDOMAIN, lc, NULL, NULL);
    BAD(agn_linalg_lstsq_constrained(&o, zero, vec, row, single), AGN_EDOMAIN, lc, NULL, NULL);
    BAD(agn_linalg_lstsq_constrained(&o, nan, vec, row, single), AGN_EDOMAIN, lc, NULL, NULL);
    BAD(agn_linalg_lstsq_constrained(&o, sparse, vec, row, single), AGN_EUNSUPPORTED, lc, "sparse", NULL);
    BAD(agn_linalg_gauss_markov(NULL, &o2, tall, tall, tall), AGN_ENULL, gm, "x is", NULL);
    BAD(agn_linalg_gauss_markov(&o, NULL, tall, tall, tall), AGN_ENULL, gm, "y is", NULL);
    BAD(agn_linalg_gauss_markov(&o, &o2, NULL, tall, tall), AGN_ENULL, gm, "a is", NULL);
    BAD(agn_linalg_gauss_markov(&o, &o2, tall, NULL, tall), AGN_ENULL, gm, "b is", NULL);
    BAD(agn_linalg_gauss_markov(&o, &o2, tall, tall, NULL), AGN_ENULL, gm, "d is", NULL);
    BAD(agn_linalg_gauss_markov(&o, &o2, flat, sq, sq), AGN_ESHAPE, gm, "sizes do not fit", "[2,3]");
    BAD(agn_linalg_gauss_markov(&o, &o2, tall, tall, sq), AGN_ESHAPE, gm, "rows differ", "[2,2]");
    BAD(agn_linalg_gauss_markov(&o, &o2, sq, sq, vec), AGN_EDOMAIN, gm, NULL, NULL);
    BAD(agn_linalg_gauss_markov(&o, &o2, nan, sq, vec), AGN_EDOMAIN, gm, "not finite", NULL);
    BAD(agn_linalg_gauss_markov(&o, &o2, sparse, sq, vec), AGN_EUNSUPPORTED, gm, "sparse", NULL);
    BAD(agn_linalg_solve_refined(NULL, &o2, &o3, &o4, eye, vec), AGN_ENULL, sr, "out is", NULL);
    BAD(agn_linalg_solve_refined(&o, NULL, &o3, &o4, eye, vec), AGN_ENULL, sr, "rcond is", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, NULL, &o4, eye, vec), AGN_ENULL, sr, "forward is", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, NULL, eye, vec), AGN_ENULL, sr, "backward is", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, NULL, vec), AGN_ENULL, sr, "a is", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, eye, NULL), AGN_ENULL, sr, "b is", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, flat, vec), AGN_ESHAPE, sr, "[2,3]", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, eye, tall), AGN_ESHAPE, sr, "rows differ", "[3,2]");
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, two, three), AGN_ESHAPE, sr, "broadcast", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, low, vec), AGN_EDOMAIN, sr, "singular", "pivot 1");
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, nan, vec), AGN_EDOMAIN, sr, "not finite", "[1,0]");
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, tiny, huge), AGN_EDOMAIN, sr, "overflows", NULL);
    BAD(agn_linalg_solve_refined(&o, &o2, &o3, &o4, sparse, vec), AGN_EUNSUPPORTED, sr, "sparse", NULL);
    BAD(agn_linalg_solve_structured(NULL, &o2, eye, vec), AGN_ENULL, ss, "out is", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, NULL, vec), AGN_ENULL, ss, "a is", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, eye, NULL), AGN_ENULL, ss, "b is", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, flat, vec), AGN_ESHAPE, ss, "[2,3]", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, eye, tall), AGN_ESHAPE, ss, "rows differ", "[3,2]");
    BAD(agn_linalg_solve_structured(&o, &o2, two, three), AGN_ESHAPE, ss, "broadcast", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, low, vec), AGN_EDOMAIN, ss, "singular", "pivot 1");
    BAD(agn_linalg_solve_structured(&o, &o2, sq, vec), AGN_EDOMAIN, ss, "singular", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, zero, vec), AGN_EDOMAIN, ss, "singular", "pivot 0");
    BAD(agn_linalg_solve_structured(&o, &o2, nan, vec), AGN_EDOMAIN, ss, "not finite", "[1,0]");
    BAD(agn_linalg_solve_structured(&o, &o2, tiny, huge), AGN_EDOMAIN, ss, "overflows", NULL);
    BAD(agn_linalg_solve_structured(&o, &o2, sparse, vec), AGN_EUNSUPPORTED, ss, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, tall, vec, sq, nan, two, three, eye, sparse, one, minus, z, row, single, tiny, huge, low, zero};
    release_all(all, COUNT(all));
}

static agn_status make_lstsq(void *user, agn_tensor **out)
{
    agn_tensor *x = NULL, *rank = NULL, *s = NULL;
    agn_status st = agn_linalg_lstsq_with(&x, &rank, &s, user, user, AGN_LSTSQ_GELSD, -1);
    if (!st)
        *out = x;
    agn_release(rank);
    agn_release(s);
    return st;
}
static agn_status make_refined(void *user, agn_tensor **out)
{
    agn_tensor *y[4] = {NULL};
    agn_status st = agn_linalg_solve_refined(&y[0], &y[1], &y[2], &y[3], user, user);
    if (!st)
        *out = y[0];
    release_all(y + 1, 3);
    return st;
}
static agn_status make_structured(void *user, agn_tensor **out)
{
    return agn_linalg_solve_structured(out, NULL, user, user);
}
static agn_status make_constrained(void *user, agn_tensor **out)
{
    return agn_linalg_lstsq_constrained(out, user, user, user, user);
}

/* z (2 + i == j) x = z b for numbers z at both ends of the range, tall and wide, alone and in a batch, below order 33 */
static void test_range(void)
{
    static const double ends[] = {1e-310, 1e-305, 1e300};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(ends); k++)
        for (int64_t n = 1; n <= 32; n += n < 4 ? 1 : 7)
            for (int64_t batch = 1; batch <= 16; batch += 15)
                for (int shape = 0; shape < 3; shape++) {
                    int64_t m = n + (shape == 1), c = n + (shape == 2);
                    agn_tensor *a = NULL, *b = NULL, *x = NULL, *small = NULL, *want = NULL,
                               *rhs = NULL;
                    agn_scope *s = agn_scope_open(NULL);
                    must(agn_eye(&a, AGN_F64, m, c, 0));
                    const agn_tensor *plain = ag_broadcast_to(
                        s,
                        ag_add(s, ag_mul_c(s, a, (double)n),
                               ag_cos(s, ag_reshape(s, ag_arange(s, AGN_F64, 0, (double)(m * c), 1),
                                                    2, (int64_t[]){m, c}))),
                        3, (int64_t[]){batch, m, c});
                    must(agn_mul_c(&small, plain, ends[k] / (double)n));
                    rhs = random_of(AGN_F64, 3, (int64_t[]){batch, m, 2}, 1, 2);
                    must(agn_linalg_lstsq(&want, plain, rhs));
                    must(agn_mul_c(&b, rhs, ends[k] / (double)n));
                    must(agn_linalg_lstsq(&x, small, b));
                    check(&t, relative(x, want) < 1e-9, "numbers of %.0e, %d x %d, batch %d: %.1e",
                          ends[k], (int)m, (int)c, (int)batch, relative(x, want));
                    must(agn_scope_close(s));
                    agn_tensor *all[] = {a, b, x, small, want, rhs};
                    for (int i = 0; i < COUNT(all); i++)
                        agn_release(all[i]);
                }
    tell(&t, "least squares at the ends of the range");
}

/* x of c a x = d b times c / d is that of a x = b, and its gradient by c a that by a divided by c, where squares of c and
   of 1/c leave the range; d is c or 1 */
static void test_scaled(int dtype, int64_t m, int64_t n, int e, bool both)
{
    agn_tensor *a = random_of(dtype, 2, (int64_t[]){m, n}, -1, 1), *b = random_of(dtype, 2, (int64_t[]){m, 2}, -1, 1),
               *g[2] = {NULL};
    agn_scope *s = agn_scope_open(NULL);
    for (int k = 0; k < 2; k++) {
        const double c = k ? ldexp(1, e) : 1, d = both ? c : 1;
        agn_tensor *v = NULL;
        must(agn_watch(&v, ag_mul_c(s, a, c)));
        const agn_tensor *x = ag_mul_c(s, ag_linalg_lstsq(s, v, ag_mul_c(s, b, d)), c / d),
                         *y = ag_sum(s, ag_real(s, ag_mul(s, x, x)), NULL, 0, false);
        must(agn_gradient(&g[k], &y, 1, (const agn_tensor *const *)&v, 1, NULL));
        agn_release(v);
    }
    const agn_tensor *back = ag_mul_c(s, g[1], ldexp(1, e));
    ok(relative(back, g[0]) < 100 * eps_of(dtype), "lstsq [%d,%d], %s, times 2^%d%s: gradient off by %.1e", (int)m,
       (int)n, agn_dtype_name(dtype), e, both ? "" : " alone", relative(back, g[0]));
    must(agn_scope_close(s));
    agn_release(a), agn_release(b), agn_release(g[0]), agn_release(g[1]);
}

int main(void)
{
    test_range();
    test_drivers();
    test_values();
    test_ridge();
    test_systems();
    test_modes();
    test_short_column();
    test_failures();
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < 4; k++) {
            const int e = (k & 1 ? 1 : -1) * (eps_of(dtypes[d]) > 1e-10 ? 90 : 660);
            test_scaled(dtypes[d], 5, 2, e, k & 2);
            test_scaled(dtypes[d], 2, 4, e, k & 2);
            test_scaled(dtypes[d], 3, 3, e, k & 2);
        }
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, -1, 1});
    every_allocation(make_lstsq, a, "lstsq_with");
    every_allocation(make_refined, a, "solve_refined");
    every_allocation(make_structured, a, "solve_structured");
    every_allocation(make_constrained, a, "lstsq_constrained");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
