/* t-linalg-subspaces - polar factors, Procrustes' problem, angles between subspaces, RQ, least squares of any rank,
   generalised Hermitian eigenpairs: by their identities, in every mode, and every documented failure. */
#include "t-linalg.h"

static double off_identity(agn_scope *s, const agn_tensor *q)
{
    const agn_tensor *g = ag_matmul(s, adjoint(s, q), q);
    int64_t n = agn_shape(g)[agn_ndim(g) - 1];
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(g); i++)
        worst = fmax(worst, cabs(peekz(g, i) - (i % (n * n) / n == i % n)));
    return worst;
}

static void test_identities(void)
{
    static const int64_t sizes[][3] = {{0, 4, 2}, {2, 3, 0}, {1, 1, 1}, {3, 4, 2}, {2, 5, 5}, {30, 3, 2}, {1, 40, 15}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t b = sizes[k][0], m = sizes[k][1], n = sizes[k][2], square[] = {b, m, m};
                agn_tensor *a = random_of(dtypes[d], 3, sizes[k], -1, 1), *x = laid_out(a, l), *c0 = random_of(dtypes[d], 3, square, -1, 1);
                agn_tensor *u = NULL, *h = NULL, *r = NULL, *q = NULL, *r2 = NULL, *q2 = NULL, *w = NULL, *v = NULL;
                agn_scope *s = agn_scope_open(NULL);
                double tol = 40 * (double)(m + n + 2) * eps_of(dtypes[d]);
                agn_status st = agn_linalg_polar(&u, &h, x);
                check(&t, !st && off_identity(s, u) < tol && relative(ag_matmul(s, u, h), a) < tol && relative(adjoint(s, h), h) == 0,
                      "polar: %s", agn_error_message());
                st = agn_linalg_rq(&r, &q, x);
                check(&t, !st && relative(ag_matmul(s, r, q), a) < tol && off_identity(s, adjoint(s, q)) < tol, "rq: %s",
                      agn_error_message());
                const agn_tensor *wide = adjoint(s, x);
                st = agn_linalg_rq(&r2, &q2, wide);
                check(&t, !st && relative(ag_matmul(s, r2, q2), wide) < tol && off_identity(s, adjoint(s, q2)) < tol, "rq, wide: %s",
                      agn_error_message());
                check(&t, relative(ag_triu(s, r2, 0), r2) == 0, "r is not upper triangular");
                /* a turned by an orthonormal matrix comes back */
                const agn_tensor *by = ag_linalg_procrustes(s, a, ag_square(s, a)), *turned = ag_matmul(s, a, by);
                const agn_tensor *p = ag_linalg_procrustes(s, a, turned);
                double loss = relative(ag_matmul(s, a, p), turned);
                check(&t, loss < 100 * tol && off_identity(s, p) < tol, "procrustes: %.1e", loss);
                const agn_tensor *g = ag_add(s, ag_matmul(s, c0, adjoint(s, c0)), ag_eye(s, dtypes[d], m, m, 0));
                const agn_tensor *e = ag_add(s, c0, adjoint(s, c0));
                st = agn_linalg_eigh_generalized(&w, &v, e, g, l % 2);
                const agn_tensor *left = ag_matmul(s, e, v), *right = ag_mul(s, ag_matmul(s, g, v), ag_expand_dims(s, w, -2));
                check(&t, !st && (!b || relative(left, right) < 20 * tol), "a v = b v w: %s", agn_error_message());
                const agn_tensor *one = ag_broadcast_like(s, ag_eye(s, dtypes[d], m, m, 0), g);
                check(&t, relative(ag_matmul(s, adjoint(s, v), ag_matmul(s, g, v)), one) < 10 * tol, "v^H b v = 1");
                must(agn_scope_close(s));
                agn_tensor *all[] = {a, x, c0, u, h, r, q, r2, q2, w, v};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "polar, rq, procrustes, generalised eigenpairs: dtypes, shapes, layouts");
}

/* angles that are known, small ones to full accuracy; a rank of 1 */
static void test_values(void)
{
    for (int k = 0; k < 3; k++) {
        double t = k == 0 ? 0.5 : k == 1 ? 1e-9 : 1.5;
        agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){2, 1, 0, 3, 0, 0});
        agn_tensor *b = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){0, cos(t), sin(t)}), *y = NULL;
        must(agn_linalg_subspace_angles(&y, a, b));
        ok(agn_numel(y) == 1 && fabs(peek(y, 0) - t) < 1e-15 * (1 + t) && fabs(peek(y, 0) / t - 1) < 1e-6, "an angle of %g: %.17g", t, peek(y, 0));
        agn_release(a);
        agn_release(b);
        agn_release(y);
    }
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){1, 2, 1, 2, 1, 2}), *x = NULL, *rank = NULL;
    agn_tensor *b = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 6});
    must(agn_linalg_lstsq_min_norm(&x, &rank, a, b, -1));
    ok(peek_int(rank, 0) == 1 && fabs(peek(x, 0) - 0.6) < 1e-14 && fabs(peek(x, 1) - 1.2) < 1e-14, "rank 1: the shortest, %g %g", peek(x, 0),
       peek(x, 1));
    agn_tensor *all[] = {a, b, x, rank};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

typedef enum which { POLAR_U, POLAR_H, PROCRUSTES, ANGLES, RQ, SHORTEST, VALUES } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *y = NULL, *z = NULL;
    agn_status st = AGN_OK;
    const agn_tensor *a = in[0], *sq = ag_matmul(s, adjoint(s, a), a);
    if (!sq)
        return agn_scope_status(s);
    switch (*(const which *)user) {
    case POLAR_U: st = agn_linalg_polar(&y, &z, a); break;
    case POLAR_H: st = agn_linalg_polar(&z, &y, a); break;
    case RQ: st = agn_linalg_rq(&y, &z, adjoint(s, a)); break;
    case SHORTEST: st = agn_linalg_lstsq_min_norm(&y, &z, a, ag_mul(s, a, a), -1); break;
    case VALUES: st = agn_linalg_eigh_generalized(&y, &z, ag_add(s, sq, ag_mul(s, sq, sq)), sq, false); break;
    case PROCRUSTES: out[0] = ag_linalg_procrustes(s, a, ag_mul(s, a, a)); return agn_scope_status(s);
    default: out[0] = ag_linalg_subspace_angles(s, a, ag_expand_dims(s, ag_index_axis(s, ag_mul(s, a, a), -1, 0), -1)); return agn_scope_status(s);
    }
    out[0] = agn_scope_adopt(s, st, &y);
    agn_scope_adopt(s, st, &z);
    return agn_scope_status(s);
}
static void test_modes(void)
{
    static const char *const names[] = {"polar, u", "polar, h", "procrustes", "angles", "rq", "lstsq_min_norm", "generalised values"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            which w = (which)k;
            int dtype = c ? AGN_C128 : AGN_F64;
            /* orthonormal columns for the polar factors: their singular values are equal */
            agn_tensor *x = of_reals(dtype, 2, (int64_t[]){3, 2}, k < PROCRUSTES ? (double[]){0, 1, 1, 0, 0, 0} : (double[]){1.5, 0.25, -0.5, 0.75, 0.3, -1});
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

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}), *tall = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2), *sparse = NULL;
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}), *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1});
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, (double)NAN, 1}), *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2),
               *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2), *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched, "%s", agn_error_message())
    static const char po[] = "linalg_polar", pr[] = "linalg_procrustes", an[] = "linalg_subspace_angles", rq[] = "linalg_rq",
                      mn[] = "linalg_lstsq_min_norm", ge[] = "linalg_eigh_generalized";
    BAD(agn_linalg_polar(NULL, &o2, sq), AGN_ENULL, po, "u is", NULL);
    BAD(agn_linalg_polar(&o, NULL, sq), AGN_ENULL, po, "h is", NULL);
    BAD(agn_linalg_polar(&o, &o2, NULL), AGN_ENULL, po, "a is", NULL);
    BAD(agn_linalg_polar(&o, &o2, vec), AGN_ESHAPE, po, "[2]", NULL);
    BAD(agn_linalg_polar(&o, &o2, flat), AGN_ESHAPE, po, "[2,3]", "columns");
    BAD(agn_linalg_polar(&o, &o2, nan), AGN_EDOMAIN, po, "not finite", "[1,0]");
    BAD(agn_linalg_polar(&o, &o2, sparse), AGN_EUNSUPPORTED, po, "sparse", NULL);
    BAD(agn_linalg_procrustes(NULL, sq, sq), AGN_ENULL, pr, "out is", NULL);
    BAD(agn_linalg_procrustes(&o, NULL, sq), AGN_ENULL, pr, "a is", NULL);
    BAD(agn_linalg_procrustes(&o, sq, NULL), AGN_ENULL, pr, "b is", NULL);
    BAD(agn_linalg_procrustes(&o, vec, sq), AGN_ESHAPE, pr, "[2]", NULL);
    BAD(agn_linalg_procrustes(&o, sq, tall), AGN_ESHAPE, pr, "[2,2]", "[3,2]");
    BAD(agn_linalg_procrustes(&o, sq, flat), AGN_ESHAPE, pr, "columns differ", "[2,3]");
    BAD(agn_linalg_procrustes(&o, two, three), AGN_ESHAPE, pr, "[2,2,2]", "[3,2,2]");
    BAD(agn_linalg_procrustes(&o, nan, sq), AGN_EDOMAIN, pr, "not finite", NULL);
    BAD(agn_linalg_procrustes(&o, sparse, sq), AGN_EUNSUPPORTED, pr, "sparse", NULL);
    BAD(agn_linalg_subspace_angles(NULL, sq, sq), AGN_ENULL, an, "out is", NULL);
    BAD(agn_linalg_subspace_angles(&o, NULL, sq), AGN_ENULL, an, "a is", NULL);
    BAD(agn_linalg_subspace_angles(&o, sq, NULL), AGN_ENULL, an, "b is", NULL);
    BAD(agn_linalg_subspace_angles(&o, vec, sq), AGN_ESHAPE, an, "[2]", NULL);
    BAD(agn_linalg_subspace_angles(&o, sq, tall), AGN_ESHAPE, an, "[2,2]", "[3,2]");
    BAD(agn_linalg_subspace_angles(&o, eye, flat), AGN_ESHAPE, an, "more columns", "[2,3]");
    BAD(agn_linalg_subspace_angles(&o, two, three), AGN_ESHAPE, an, NULL, NULL);
    BAD(agn_linalg_subspace_angles(&o, eye, sq), AGN_EDOMAIN, an, NULL, NULL);
    BAD(agn_linalg_subspace_angles(&o, nan, eye), AGN_EDOMAIN, an, "not finite", NULL);
    BAD(agn_linalg_subspace_angles(&o, sparse, eye), AGN_EUNSUPPORTED, an, "sparse", NULL);
    BAD(agn_linalg_rq(NULL, &o2, sq), AGN_ENULL, rq, "r is", NULL);
    BAD(agn_linalg_rq(&o, NULL, sq), AGN_ENULL, rq, "q is", NULL);
    BAD(agn_linalg_rq(&o, &o2, NULL), AGN_ENULL, rq, "a is", NULL);
    BAD(agn_linalg_rq(&o, &o2, vec), AGN_ESHAPE, rq, "[2]", NULL);
    BAD(agn_linalg_rq(&o, &o2, nan), AGN_EDOMAIN, rq, "not finite", NULL);
    BAD(agn_linalg_rq(&o, &o2, sparse), AGN_EUNSUPPORTED, rq, "sparse", NULL);
    BAD(agn_linalg_lstsq_min_norm(NULL, &o2, sq, vec, -1), AGN_ENULL, mn, "out is", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, NULL, sq, vec, -1), AGN_ENULL, mn, "rank is", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, NULL, vec, -1), AGN_ENULL, mn, "a is", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, sq, NULL, -1), AGN_ENULL, mn, "b is", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, sq, vec, 1), AGN_EARG, mn, "rcond is 1", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, vec, vec, -1), AGN_ESHAPE, mn, "[2]", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, sq, tall, -1), AGN_ESHAPE, mn, "[2,2]", "[3,2]");
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, two, three, -1), AGN_ESHAPE, mn, "[2,2,2]", "[3,2,2]");
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, nan, vec, -1), AGN_EDOMAIN, mn, "not finite", NULL);
    BAD(agn_linalg_lstsq_min_norm(&o, &o2, sparse, vec, -1), AGN_EUNSUPPORTED, mn, "sparse", NULL);
    BAD(agn_linalg_eigh_generalized(NULL, &o2, sq, eye, 0), AGN_ENULL, ge, "w is", NULL);
    BAD(agn_linalg_eigh_generalized(&o, NULL, sq, eye, 0), AGN_ENULL, ge, "v is", NULL);
    BAD(agn_linalg_eigh_generalized(&o, &o2, NULL, eye, 0), AGN_ENULL, ge, "a is", NULL);
    BAD(agn_linalg_eigh_generalized(&o, &o2, sq, NULL, 0), AGN_ENULL, ge, "b is", NULL);
    BAD(agn_linalg_eigh_generalized(&o, &o2, flat, eye, 0), AGN_ESHAPE, ge, "[2,3]", NULL);
    BAD(agn_linalg_eigh_generalized(&o, &o2, sq, sq, 0), AGN_EDOMAIN, ge, "not positive definite", NULL);
    BAD(agn_linalg_eigh_generalized(&o, &o2, nan, eye, 0), AGN_EDOMAIN, ge, "not finite", NULL);
    BAD(agn_linalg_eigh_generalized(&o, &o2, sparse, eye, 0), AGN_EUNSUPPORTED, ge, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, tall, vec, sq, nan, two, three, eye, sparse};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make(void *user, agn_tensor **out)
{
    return agn_linalg_subspace_angles(out, user, user);
}

int main(void)
{
    test_identities();
    test_values();
    test_modes();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){1, 2, -1, 1, 1, 0});
    every_allocation(make, a, "subspace_angles");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
