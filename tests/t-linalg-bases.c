/* t-linalg-bases - bases of ranges and null spaces, pivoted QR, l d l^H, Schur's and Hessenberg's forms, changed
   Cholesky factors, condition estimates: by their identities, in every mode, and every documented failure. */
#include "t-linalg.h"

static double off_identity(agn_scope *s, const agn_tensor *q)
{
    const agn_tensor *g = ag_matmul(s, adjoint(s, q), q);
    int64_t n = agn_shape(g)[agn_ndim(g) - 1];
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(g); i++) {
        double e = cabs(peekz(g, i) - (i % (n * n) / n == i % n));
        worst = e > worst || e != e ? e : worst;
    }
    return worst;
}
static double largest(const agn_tensor *x)
{
    double y = x ? 0 : (double)INFINITY;
    for (int64_t i = 0; x && i < agn_numel(x); i++)
        y = cabs(peekz(x, i)) > y || peekz(x, i) != peekz(x, i) ? cabs(peekz(x, i)) : y;
    return y;
}
/* x with rows and columns in the order of each matrix */
static const agn_tensor *ordered(agn_scope *s, const agn_tensor *x, const agn_tensor *perm, bool rows)
{
    if (rows)
        x = ag_take_along_axis(s, x, ag_broadcast_like(s, ag_expand_dims(s, perm, -1), x), -2);
    return ag_take_along_axis(s, x, ag_broadcast_like(s, ag_expand_dims(s, perm, -2), x), -1);
}

static void test_identities(void)
{
    static const int64_t sizes[][4] = {{2, 4, 3, 2}, {1, 1, 1, 1}, {3, 3, 5, 3}, {1, 12, 12, 7}, {2, 5, 2, 0}, {0, 3, 3, 1}, {2, 0, 3, 0}, {1, 40, 30, 30}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t b = sizes[k][0], m = sizes[k][1], n = sizes[k][2], r = sizes[k][3], one[] = {b, m, r}, two[] = {b, r, n};
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *u = random_of(dtypes[d], 3, one, -1, 1), *v = random_of(dtypes[d], 3, two, -1, 1), *a = NULL, *q = NULL, *f = NULL, *perm = NULL;
                must(agn_matmul(&a, u, v)); /* of rank r */
                agn_tensor *x = laid_out(a, l);
                double tol = 200 * (double)(m + n + 2) * eps_of(dtypes[d]), size = 1 + largest(a);
                const agn_tensor *basis = ag_linalg_orth(s, x, r, 100 * eps_of(dtypes[d])), *none = ag_linalg_null_space(s, x, r, 100 * eps_of(dtypes[d]));
                check(&t, basis && none && off_identity(s, basis) < tol && off_identity(s, none) < tol && agn_shape(basis)[2] == r && agn_shape(none)[2] == n - r &&
                              largest(ag_matmul(s, x, none)) < tol * size && largest(ag_sub(s, a, ag_matmul(s, basis, ag_matmul(s, adjoint(s, basis), a)))) < tol * size,
                      "orth, null_space %d: %s", k, agn_error_message());
                agn_status st = agn_linalg_qr_pivoted(&q, &f, &perm, x, l % 2);
                check(&t, !st && off_identity(s, q) < tol && largest(ag_sub(s, ag_matmul(s, q, f), ordered(s, a, perm, false))) < tol * size &&
                              relative(ag_triu(s, f, 0), f) == 0,
                      "qr_pivoted %d: %s", k, agn_error_message());
                for (int64_t i = 0; i < b; i++)
                    for (int64_t j = 1; !st && j < m && j < n; j++) {
                        int64_t at = agn_shape(f)[1] * n * i;
                        check(&t, cabs(peekz(f, at + j * (n + 1))) <= cabs(peekz(f, at + (j - 1) * (n + 1))) * (1 + tol) + tol * size, "the diagonal falls");
                    }
                must(agn_scope_close(s));
                agn_tensor *all[] = {u, v, a, x, q, f, perm};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "orth, null_space, qr_pivoted: dtypes, shapes, layouts");
}

static void test_square(void)
{
    static const int64_t sizes[][2] = {{2, 4}, {1, 1}, {0, 3}, {2, 0}, {3, 2}, {1, 40}, {30, 3}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int c = 0; c < N_LAYOUTS; c++) {
                int64_t b = sizes[k][0], n = sizes[k][1], shape[] = {b, n, n}, thin[] = {b, n, 2};
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *a = random_of(dtypes[d], 3, shape, -1, 1), *x = laid_out(a, c), *e0 = random_of(dtypes[d], 3, thin, -1, 1), *e = laid_out(e0, c);
                double tol = 60 * (double)(n + 2) * eps_of(dtypes[d]);
                for (int form = 0; form < 4; form++) {
                    bool upper = form & 1, hermitian = form & 2;
                    agn_tensor *l = NULL, *w = NULL, *perm = NULL, *y = NULL;
                    agn_status st = agn_linalg_ldl_factor(&l, &w, &perm, x, upper, hermitian);
                    const agn_tensor *part = upper ? ag_triu(s, a, 1) : ag_tril(s, a, -1), *diag = ag_diagonal(s, a, 0, -2, -1);
                    if (hermitian && d > 1)
                        diag = ag_cast(s, ag_real(s, diag), dtypes[d]);
                    const agn_tensor *h = ag_add(s, ag_add(s, part, hermitian ? adjoint(s, part) : ag_swapaxes(s, part, -1, -2)), ag_diag_embed(s, diag, 0, -2, -1));
                    const agn_tensor *lt = hermitian ? adjoint(s, l) : ag_swapaxes(s, l, -1, -2);
                    check(&t, !st && relative(ag_matmul(s, l, ag_matmul(s, w, lt)), ordered(s, h, perm, true)) < tol && relative(ag_tril(s, l, 0), l) == 0,
                          "ldl %d %d: %s", k, form, agn_error_message());
                    st = agn_linalg_ldl_solve(&y, l, w, perm, e, hermitian);
                    check(&t, !st && largest(ag_sub(s, ag_matmul(s, h, y), e0)) < tol * (1 + largest(y)) * (double)(n + 1), "ldl_solve %d %d: %s", k, form, agn_error_message());
                    agn_release(l), agn_release(w), agn_release(perm), agn_release(y);
                    const agn_tensor *g = ag_add(s, ag_matmul(s, a, adjoint(s, a)), ag_eye(s, dtypes[d], n, n, 0)), *low = ag_linalg_cholesky(s, g, upper);
                    if (form < 2 && low) {
                        const agn_tensor *up = ag_linalg_cholesky_update(s, low, e, upper), *back = ag_linalg_cholesky_downdate(s, up, e, upper);
                        const agn_tensor *full = upper ? ag_matmul(s, adjoint(s, up), up) : ag_matmul(s, up, adjoint(s, up));
                        check(&t, relative(full, ag_add(s, g, ag_matmul(s, e0, adjoint(s, e0)))) < tol && relative(back, low) < 100 * tol &&
                                      relative(upper ? ag_triu(s, up, 0) : ag_tril(s, up, 0), up) == 0,
                              "cholesky_update %d: %s", k, agn_error_message());
                    }
                }
                agn_tensor *f = NULL, *z = NULL, *h = NULL, *q = NULL;
                agn_status st = agn_linalg_schur(&f, &z, x);
                check(&t, !st && off_identity(s, z) < tol && relative(ag_matmul(s, z, ag_matmul(s, f, adjoint(s, z))), a) < tol &&
                              relative(ag_triu(s, f, d > 1 ? 0 : -1), f) == 0,
                      "schur %d: %s", k, agn_error_message());
                st = agn_linalg_hessenberg(&h, &q, x);
                check(&t, !st && off_identity(s, q) < tol && relative(ag_matmul(s, q, ag_matmul(s, h, adjoint(s, q))), a) < tol && relative(ag_triu(s, h, -1), h) == 0,
                      "hessenberg %d: %s", k, agn_error_message());
                const agn_tensor *estimate = ag_linalg_rcond(s, x), *real = n ? ag_linalg_cond(s, x, AGN_NORM_ONE) : NULL;
                for (int64_t i = 0; i < b && estimate; i++) {
                    double ratio = real ? peek(estimate, i) * peek(real, i) : peek(estimate, i);
                    check(&t, ratio > 1 - 1e-3 && ratio < 10, "rcond %d: %g", k, ratio);
                }
                must(agn_scope_close(s));
                agn_tensor *all[] = {a, x, e0, e, f, z, h, q};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "ldl, updates, schur, hessenberg, rcond: dtypes, shapes, layouts");
}

/* Panels of columns, and products behind them: orders about their ends, hostile diagonals, low rank, either triangle.
   Entries of l are bounded by 1 / (1 - alpha), alpha = (1 + sqrt 17) / 8, but where what is left is rounding. */
static void test_ldl_by_panels(void)
{
    static const int orders[] = {1, 2, 15, 16, 17, 63, 64, 65, 96, 97, 128, 200, 330};
    enum { RANDOM, NO_DIAGONAL, ALMOST_BLOCKS, LOW_RANK, ONES, TINY, HUGE_NUMBERS, KINDS };
    const double bound = 1 / (1 - (1 + sqrt(17)) / 8) + 1e-3;
    tally t = {0};
    for (int d = 0; d < 2; d++)
        for (int o = 0; o < COUNT(orders); o++)
            for (int kind = 0; kind < KINDS; kind++)
                for (int form = 0; form < 4; form++) {
                    const bool upper = form & 1, turned = form & 2;
                    const int64_t n = orders[o], shape[] = {n, n}, thin[] = {n, 2};
                    const double far = dtypes[d] == AGN_F32 ? 100 : 900;
                    agn_tensor *a = random_of(dtypes[d], 2, shape, -1, 1), *b = random_of(dtypes[d], 2, thin, -1, 1), *l = NULL,
                               *w = NULL, *perm = NULL;
                    agn_scope *s = agn_scope_open(NULL);
                    const agn_tensor *x = ag_add(s, a, ag_swapaxes(s, a, -1, -2)), *off = ag_tril(s, x, -1);
                    if (kind == NO_DIAGONAL || kind == ALMOST_BLOCKS)
                        x = ag_add(s, off, ag_swapaxes(s, off, -1, -2));
                    if (kind == ALMOST_BLOCKS)
                        x = ag_mul(s, x, ag_exp(s, ag_mul_c(s, ag_abs(s, x), -6)));
                    if (kind == LOW_RANK)
                        x = ag_matmul(s, b, ag_swapaxes(s, b, -1, -2));
                    if (kind == ONES)
                        x = ag_ones_like(s, x);
                    x = kind == TINY ? ag_mul_c(s, x, ldexp(1, (int)-far)) : kind == HUGE_NUMBERS ? ag_mul_c(s, x, ldexp(1, (int)far)) : x;
                    const agn_tensor *none = ag_add_c(s, ag_zeros_like(s, x), NAN);
                    const agn_tensor *half = upper ? ag_triu(s, x, 0) : ag_tril(s, x, 0); /* the other half is not read */
                    half = ag_add(s, half, upper ? ag_tril(s, none, -1) : ag_triu(s, none, 1));
                    if (turned)
                        half = ag_swapaxes(s, ag_contiguous(s, ag_swapaxes(s, half, -1, -2)), -1, -2);
                    agn_status st = agn_linalg_ldl_factor(&l, &w, &perm, half, upper, true);
                    const agn_tensor *back = ag_matmul(s, l, ag_matmul(s, w, ag_swapaxes(s, l, -1, -2)));
                    check(&t, !st && relative(back, ordered(s, x, perm, true)) < 4 * (double)(n + 4) * eps_of(dtypes[d]), "ldl of %lld, %d %d: %s",
                          (long long)n, kind, form, agn_error_message());
                    check(&t, !st && (kind == LOW_RANK || kind == ONES || largest(l) < bound) &&
                                  relative(ag_tril(s, l, 0), l) == 0 && relative(ag_triu(s, ag_tril(s, w, 1), -1), w) == 0,
                          "ldl of %lld, %d %d: forms, l up to %g", (long long)n, kind, form, largest(l));
                    must(agn_scope_close(s));
                    agn_release(a), agn_release(b), agn_release(l), agn_release(w), agn_release(perm);
                }
    tell(&t, "ldl by panels");
}

typedef enum which { ORTH, NONE, PIVOTED, LDL_L, LDL_D, LDL_SYMMETRIC, LDL_SOLVE, UPDATE, DOWNDATE } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y[4] = {NULL};
    agn_status st = AGN_OK;
    const agn_tensor *a = in[0], *wide = ag_slice(s, a, 2, (const int64_t[]){0, 0}, (const int64_t[]){2, 3}, (const int64_t[]){1, 1}), *p;
    const agn_tensor *v = ag_slice(s, a, 2, (const int64_t[]){0, 0}, (const int64_t[]){3, 1}, (const int64_t[]){1, 1}), *g = ag_matmul(s, a, adjoint(s, a));
    if (!g || !v || !wide)
        return agn_scope_status(s);
    which w = *(const which *)user;
    switch (w) {
    case ORTH: /* what depends on the range alone */
        p = ag_linalg_orth(s, adjoint(s, wide), 2, -1);
        out[0] = ag_matmul(s, p, adjoint(s, p));
        return agn_scope_status(s);
    case NONE:
        p = ag_linalg_null_space(s, wide, 2, -1);
        out[0] = ag_matmul(s, p, adjoint(s, p));
        return agn_scope_status(s);
    case UPDATE: out[0] = ag_linalg_cholesky_update(s, a, v, false); return agn_scope_status(s);
    case DOWNDATE: out[0] = ag_linalg_cholesky_downdate(s, a, ag_mul_c(s, v, 0.25), true); return agn_scope_status(s);
    case PIVOTED: st = agn_linalg_qr_pivoted(&y[0], &y[1], &y[2], adjoint(s, wide), false); break;
    case LDL_D: st = agn_linalg_ldl_factor(&y[1], &y[0], &y[2], a, false, true); break;
    case LDL_SYMMETRIC: st = agn_linalg_ldl_factor(&y[0], &y[1], &y[2], a, true, false); break;
    default: st = agn_linalg_ldl_factor(&y[0], &y[1], &y[2], a, true, true);
    }
    if (!st && w == LDL_SOLVE) {
        st = agn_linalg_ldl_solve(&y[3], y[0], y[1], y[2], a, true);
        agn_release(y[0]);
        y[0] = y[3];
        y[3] = NULL;
    }
    out[0] = agn_scope_adopt(s, st, &y[0]);
    agn_scope_adopt(s, st, &y[1]);
    agn_scope_adopt(s, st, &y[2]);
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const char *const names[] = {"orth", "null_space", "qr_pivoted", "ldl, l", "ldl, d", "ldl, symmetric", "ldl_solve", "update", "downdate"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_tensor *x = of_reals(dtype, 2, (int64_t[]){3, 3}, k >= LDL_L && k <= LDL_SOLVE ? (double[]){0.1, 2, 0.5, 2, 0.2, -0.3, 0.5, -0.3, 1.5} : (double[]){2, 0.25, -0.5, 0.75, 1.5, 1, 0.3, -0.4, 1.2});
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &w, NULL, 1, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], agn_dtype_name(dtype));
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 4e-3, 1e-6, name);
            agn_fn_release(f);
            agn_release(x);
        }
}

static agn_status form_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = *(const bool *)user ? agn_linalg_schur(&y[0], &y[1], in[0]) : agn_linalg_hessenberg(&y[0], &y[1], in[0]);
    const agn_tensor *t = agn_scope_adopt(s, st, &y[0]);
    agn_scope_adopt(s, st, &y[1]);
    out[0] = ag_sum_all(s, t);
    return agn_scope_status(s);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched, *o3 = untouched;
    agn_tensor *flat = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 1, 2), *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}),
               *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1}), *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, (double)NAN, 1}),
               *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1}), *none = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[4]){0}), *sparse = NULL,
               *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2), *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2), *perm = NULL, *far = NULL;
    must(agn_sparse_from_dense(&sparse, sq));
    must(agn_arange(&perm, AGN_I64, 0, 2, 1));
    must(agn_arange(&far, AGN_I64, 5, 7, 1));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched && o3 == untouched, "%s", agn_error_message())
    static const char qp[] = "linalg_qr_pivoted", ot[] = "linalg_orth", ns[] = "linalg_null_space", up[] = "linalg_cholesky_update", dn[] = "linalg_cholesky_downdate",
                      lf[] = "linalg_ldl_factor", ls[] = "linalg_ldl_solve", sc[] = "linalg_schur", he[] = "linalg_hessenberg", rc[] = "linalg_rcond";
    BAD(agn_linalg_qr_pivoted(NULL, &o2, &o3, sq, 0), AGN_ENULL, qp, "q is", NULL);
    BAD(agn_linalg_qr_pivoted(&o, NULL, &o3, sq, 0), AGN_ENULL, qp, "r is", NULL);
    BAD(agn_linalg_qr_pivoted(&o, &o2, NULL, sq, 0), AGN_ENULL, qp, "perm is", NULL);
    BAD(agn_linalg_qr_pivoted(&o, &o2, &o3, NULL, 0), AGN_ENULL, qp, "a is", NULL);
    BAD(agn_linalg_qr_pivoted(&o, &o2, &o3, vec, 0), AGN_ESHAPE, qp, "[2]", NULL);
    BAD(agn_linalg_qr_pivoted(&o, &o2, &o3, nan, 0), AGN_EDOMAIN, qp, "not finite", "[1,0]");
    BAD(agn_linalg_qr_pivoted(&o, &o2, &o3, sparse, 0), AGN_EUNSUPPORTED, qp, "sparse", NULL);
    for (int k = 0; k < 2; k++) {
        agn_status (*fn)(agn_tensor **, const agn_tensor *, int64_t, double) = k ? agn_linalg_null_space : agn_linalg_orth;
        const char *op = k ? ns : ot;
        BAD(fn(NULL, sq, 1, -1), AGN_ENULL, op, "out is", NULL);
        BAD(fn(&o, NULL, 1, -1), AGN_ENULL, op, "a is", NULL);
        BAD(fn(&o, sq, 3, -1), AGN_EARG, op, "rank of 3", "[2,2]");
        BAD(fn(&o, sq, -1, -1), AGN_EARG, op, "rank of -1", "[2,2]");
        BAD(fn(&o, sq, 1, 1), AGN_EARG, op, "rcond is 1", NULL);
        BAD(fn(&o, vec, 1, -1), AGN_ESHAPE, op, "[2]", NULL);
        BAD(fn(&o, nan, 1, -1), AGN_EDOMAIN, op, "not finite", "[1,0]");
        BAD(fn(&o, sparse, 1, -1), AGN_EUNSUPPORTED, op, "sparse", NULL);
        agn_tensor *y = NULL;
        must(fn(&y, eye, 1, -1));
        check(&q, isnan(peek(y, 0)), "a matrix of another rank: NaN");
        agn_release(y);
        agn_status (*change)(agn_tensor **, const agn_tensor *, const agn_tensor *, bool) = k ? agn_linalg_cholesky_downdate : agn_linalg_cholesky_update;
        op = k ? dn : up;
        BAD(change(NULL, eye, vec, 0), AGN_ENULL, op, "out is", NULL);
        BAD(change(&o, NULL, vec, 0), AGN_ENULL, op, "l is", NULL);
        BAD(change(&o, eye, NULL, 0), AGN_ENULL, op, "x is", NULL);
        BAD(change(&o, flat, vec, 0), AGN_ESHAPE, op, "[2,3]", NULL);
        BAD(change(&o, two, three, 0), AGN_ESHAPE, op, "[2,2,2]", "[3,2,2]");
        BAD(change(&o, eye, nan, 0), AGN_EDOMAIN, op, "not finite", NULL);
        BAD(change(&o, sparse, vec, 0), AGN_EUNSUPPORTED, op, "sparse", NULL);
    }
    BAD(agn_linalg_cholesky_downdate(&o, eye, vec, 0), AGN_EDOMAIN, dn, "not positive definite", "column 0");
    BAD(agn_linalg_ldl_factor(NULL, &o2, &o3, sq, 0, 0), AGN_ENULL, lf, "l is", NULL);
    BAD(agn_linalg_ldl_factor(&o, NULL, &o3, sq, 0, 0), AGN_ENULL, lf, "d is", NULL);
    BAD(agn_linalg_ldl_factor(&o, &o2, NULL, sq, 0, 0), AGN_ENULL, lf, "perm is", NULL);
    BAD(agn_linalg_ldl_factor(&o, &o2, &o3, NULL, 0, 0), AGN_ENULL, lf, "a is", NULL);
    BAD(agn_linalg_ldl_factor(&o, &o2, &o3, flat, 0, 0), AGN_ESHAPE, lf, "[2,3]", NULL);
    BAD(agn_linalg_ldl_factor(&o, &o2, &o3, nan, 0, 0), AGN_EDOMAIN, lf, "not finite", "[1,0]");
    BAD(agn_linalg_ldl_factor(&o, &o2, &o3, sparse, 0, 0), AGN_EUNSUPPORTED, lf, "sparse", NULL);
    BAD(agn_linalg_ldl_solve(NULL, eye, eye, perm, vec, 0), AGN_ENULL, ls, "out is", NULL);
    BAD(agn_linalg_ldl_solve(&o, NULL, eye, perm, vec, 0), AGN_ENULL, ls, "l is", NULL);
    BAD(agn_linalg_ldl_solve(&o, eye, NULL, perm, vec, 0), AGN_ENULL, ls, "d is", NULL);
    BAD(agn_linalg_ldl_solve(&o, eye, eye, NULL, vec, 0), AGN_ENULL, ls, "perm is", NULL);
    BAD(agn_linalg_ldl_solve(&o, eye, eye, perm, NULL, 0), AGN_ENULL, ls, "b is", NULL);
    BAD(agn_linalg_ldl_solve(&o, flat, eye, perm, vec, 0), AGN_ESHAPE, ls, "[2,3]", NULL);
    BAD(agn_linalg_ldl_solve(&o, eye, two, perm, vec, 0), AGN_ESHAPE, ls, "sizes differ", "[2,2,2]");
    BAD(agn_linalg_ldl_solve(&o, eye, eye, vec, vec, 0), AGN_EDTYPE, ls, "perm is f64", "[2,2]");
    BAD(agn_linalg_ldl_solve(&o, eye, eye, far, vec, 0), AGN_EINDEX, ls, NULL, NULL);
    BAD(agn_linalg_ldl_solve(&o, eye, none, perm, vec, 0), AGN_EDOMAIN, ls, "singular", "pivot 0");
    BAD(agn_linalg_ldl_solve(&o, sparse, eye, perm, vec, 0), AGN_EUNSUPPORTED, ls, "sparse", NULL);
    for (int k = 0; k < 2; k++) {
        agn_status (*fn)(agn_tensor **, agn_tensor **, const agn_tensor *) = k ? agn_linalg_hessenberg : agn_linalg_schur;
        const char *op = k ? he : sc;
        BAD(fn(NULL, &o2, sq), AGN_ENULL, op, k ? "h is" : "t is", NULL);
        BAD(fn(&o, NULL, sq), AGN_ENULL, op, k ? "q is" : "z is", NULL);
        BAD(fn(&o, &o2, NULL), AGN_ENULL, op, "a is", NULL);
        BAD(fn(&o, &o2, flat), AGN_ESHAPE, op, "[2,3]", NULL);
        BAD(fn(&o, &o2, nan), AGN_EDOMAIN, op, "not finite", "[1,0]");
        BAD(fn(&o, &o2, sparse), AGN_EUNSUPPORTED, op, "sparse", NULL);
        bool schur = !k;
        agn_fn *f = NULL, *g = NULL;
        agn_tensor *one = NULL, *turn = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, -1, 0});
        must(agn_eye(&one, AGN_F64, 3, 3, 0));
        must(agn_fn_new(&f, form_body, &schur, NULL, 1, 1));
        must(agn_fn_grad(&g, f, NULL, 1));
        const agn_tensor *in[1] = {one}; /* equal eigenvalues; zeros below the diagonal */
        BAD(agn_fn_call(&o, 1, g, in, 1), AGN_EDOMAIN, "linalg_gap_quotient", "matrix 0", NULL);
        in[0] = turn;
        if (schur) /* a real form in blocks */
            BAD(agn_fn_call(&o, 1, g, in, 1), AGN_EDOMAIN, "linalg_gap_quotient", "matrix 0", NULL);
        agn_fn_release(f), agn_fn_release(g);
        agn_release(one), agn_release(turn);
    }
    BAD(agn_linalg_rcond(NULL, sq), AGN_ENULL, rc, "out is", NULL);
    BAD(agn_linalg_rcond(&o, NULL), AGN_ENULL, rc, "a is", NULL);
    BAD(agn_linalg_rcond(&o, flat), AGN_ESHAPE, rc, "[2,3]", NULL);
    BAD(agn_linalg_rcond(&o, nan), AGN_EDOMAIN, rc, "not finite", "[1,0]");
    BAD(agn_linalg_rcond(&o, sparse), AGN_EUNSUPPORTED, rc, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *y = NULL;
    must(agn_linalg_rcond(&y, sq));
    ok(peek(y, 0) == 0, "a singular matrix: 0");
    agn_tensor *all[] = {y, flat, vec, sq, nan, eye, none, sparse, two, three, perm, far};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *l = NULL, *d = NULL, *perm = NULL;
    agn_status st = agn_linalg_ldl_factor(&l, &d, &perm, user, false, true);
    st = st ? st : agn_linalg_ldl_solve(out, l, d, perm, user, true);
    agn_release(l);
    agn_release(d);
    agn_release(perm);
    return st;
}
static agn_status make_basis(void *user, agn_tensor **out)
{
    return agn_linalg_orth(out, user, 2, -1);
}

int main(void)
{
    test_identities();
    test_square();
    test_ldl_by_panels();
    test_modes();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, 2, 1});
    every_allocation(make, a, "ldl_factor, ldl_solve");
    every_allocation(make_basis, a, "orth");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
