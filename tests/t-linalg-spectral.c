/* t-linalg-spectral - eigenvalues, singular values and QR: by their identities, in every mode, at ties, and
   every documented failure. */
#include "t-linalg.h"

static agn_tensor *hermitian(int dtype, int64_t b, int64_t n)
{
    int64_t shape[] = {b, n, n};
    agn_tensor *x = random_of(dtype, 3, shape, -1, 1), *y = NULL;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, &y, ag_add(s, x, adjoint(s, x)));
    must(agn_scope_close(s));
    agn_release(x);
    return y;
}

static double off_identity(agn_scope *s, const agn_tensor *q)
{
    const agn_tensor *g = ag_matmul(s, adjoint(s, q), q);
    double worst = 0;
    int64_t n = agn_shape(g)[agn_ndim(g) - 1];
    for (int64_t i = 0; i < agn_numel(g); i++)
        worst = fmax(worst, cabs(peekz(g, i) - (i % (n * n) / n == i % n)));
    return worst;
}

static const agn_tensor *scaled_columns(agn_scope *s, const agn_tensor *v, const agn_tensor *w)
{
    return ag_mul(s, v, ag_expand_dims(s, w, -2));
}

/* the first of the largest entries of each column is real and positive */
static bool phases_hold(const agn_tensor *v, int64_t m, int64_t n)
{
    for (int64_t b = 0; n && m && b < agn_numel(v) / (m * n); b++)
        for (int64_t j = 0; j < n; j++) {
            double most = 0;
            int64_t k = 0;
            for (int64_t i = 0; i < m; i++)
                most = fmax(most, cabs(peekz(v, (b * m + i) * n + j)));
            while (cabs(peekz(v, (b * m + k) * n + j)) < most * (1 - 0x1p-6))
                k++;
            double complex z = peekz(v, (b * m + k) * n + j);
            if (!(creal(z) > 0) || cimag(z) != 0)
                return false;
        }
    return true;
}

static void test_eigh(void)
{
    static const int64_t sizes[][2] = {{1, 0}, {0, 3}, {1, 1}, {2, 2}, {3, 5}, {200, 4}, {1, 40}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t n = sizes[k][1], upper = l % 2;
                agn_tensor *a = hermitian(dtypes[d], sizes[k][0], n), *w = NULL, *v = NULL, *e = NULL;
                agn_tensor *x = laid_out(a, l);
                agn_scope *s = agn_scope_open(NULL);
                agn_status st = agn_linalg_eigh(&w, &v, x, upper);
                check(&q, !st && same_shapes(v, a), "%s", agn_error_message());
                st = agn_linalg_eigvalsh(&e, x, upper);
                check(&q, !st && same_shapes(e, w), "%s", agn_error_message());
                double tol = 10 * (double)(n + 2) * eps_of(dtypes[d]);
                const agn_tensor *back = ag_matmul(s, scaled_columns(s, v, w), adjoint(s, v));
                check(&q, relative(back, a) < tol, "%s n %d: a - v w v^H is %.1e",
                      agn_dtype_name(dtypes[d]), (int)n, relative(back, a));
                check(&q, off_identity(s, v) < tol, "v^H v - 1 is %.1e", off_identity(s, v));
                check(&q, relative(e, w) < tol, "values alone differ by %.1e", relative(e, w));
                check(&q, phases_hold(v, n, n), "a phase is free");
                for (int64_t i = 1; i < agn_numel(w); i++)
                    check(&q, i % n == 0 || peek(w, i - 1) <= peek(w, i), "not ascending");
                must(agn_scope_close(s));
                agn_release(a);
                agn_release(x);
                agn_release(w);
                agn_release(v);
                agn_release(e);
            }
    tell(&q, "eigh: a = v w v^H, dtypes, layouts, batches, both triangles");
}

static void test_svd_qr(void)
{
    static const int64_t sizes[][3] = {{1, 0, 3}, {0, 2, 3}, {1, 3, 0}, {1, 1, 1},  {2, 4, 2},
                                       {2, 2, 4}, {3, 5, 5}, {100, 3, 4}, {1, 40, 30}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int l = 0; l < N_LAYOUTS; l++)
                for (int full = 0; full < 2; full++) {
                    int64_t m = sizes[k][1], n = sizes[k][2], r = m < n ? m : n;
                    agn_tensor *a = random_of(dtypes[d], 3, sizes[k], -1, 1), *x = laid_out(a, l);
                    agn_tensor *u = NULL, *w = NULL, *vh = NULL, *e = NULL, *o = NULL, *t = NULL;
                    agn_scope *s = agn_scope_open(NULL);
                    double tol = 10 * (double)(m + n + 2) * eps_of(dtypes[d]);
                    agn_status st = agn_linalg_svd(&u, &w, &vh, x, full);
                    check(&q, !st, "svd: %s", agn_error_message());
                    st = agn_linalg_svdvals(&e, x);
                    check(&q, !st && relative(e, w) < tol, "svdvals: %s", agn_error_message());
                    check(&q, off_identity(s, u) < tol && off_identity(s, adjoint(s, vh)) < tol,
                          "bases are not orthonormal");
                    const int64_t zero[3] = {0}, one[3] = {1, 1, 1}, su[] = {sizes[k][0], m, r},
                                  sv[] = {sizes[k][0], r, n};
                    const agn_tensor *u1 = ag_slice(s, u, 3, zero, su, one),
                                     *v1 = ag_slice(s, vh, 3, zero, sv, one);
                    const agn_tensor *back = ag_matmul(s, scaled_columns(s, u1, w), v1);
                    check(&q, relative(back, a) < tol, "%s [%d,%d] full %d: a - u s vh is %.1e",
                          agn_dtype_name(dtypes[d]), (int)m, (int)n, full, relative(back, a));
                    check(&q, phases_hold(ag_contiguous(s, u1), m, r), "a phase is free");
                    st = agn_linalg_qr(&o, &t, x, full);
                    check(&q, !st, "qr: %s", agn_error_message());
                    check(&q, off_identity(s, o) < tol, "q^H q - 1 is %.1e", off_identity(s, o));
                    back = ag_matmul(s, o, t);
                    check(&q, relative(back, a) < tol, "a - q r is %.1e", relative(back, a));
                    int64_t rows = agn_shape(t)[1];
                    for (int64_t i = 0; i < agn_numel(t); i++)
                        check(&q,
                              i % n > i / n % rows ||
                                  (i % n == i / n % rows ? cimag(peekz(t, i)) == 0
                                                         : peekz(t, i) == 0),
                              "r is not triangular with a real diagonal");
                    must(agn_scope_close(s));
                    agn_tensor *all[] = {a, x, u, w, vh, e, o, t};
                    for (int i = 0; i < COUNT(all); i++)
                        agn_release(all[i]);
                }
    tell(&q, "svd and qr: identities, dtypes, layouts, batches, reduced and full");
}

/* ---- derivatives ----------------------------------------------------------------- */

typedef enum which { VALUES, VECTORS, ALONE, SINGULAR, LEFT, RIGHT, SINGULAR_ALONE, ORTHO, TRIANGLE } which;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    which w = *(const which *)user;
    agn_tensor *y[3] = {NULL};
    agn_status st = AGN_OK;
    int n = 0, pick = 0;
    if (w == ALONE || w == SINGULAR_ALONE) {
        out[0] = w == ALONE ? ag_linalg_eigvalsh(s, in[0], false) : ag_linalg_svdvals(s, in[0]);
        return agn_scope_status(s);
    }
    if (w <= VECTORS)
        st = agn_linalg_eigh(&y[0], &y[1], in[0], false), n = 2, pick = w == VECTORS;
    else if (w <= RIGHT)
        st = agn_linalg_svd(&y[0], &y[1], &y[2], in[0], false), n = 3,
        pick = w == SINGULAR ? 1 : w == LEFT ? 0 : 2;
    else
        st = agn_linalg_qr(&y[0], &y[1], in[0], false), n = 2, pick = w == TRIANGLE;
    for (int i = 0; i < n; i++) {
        const agn_tensor *kept = agn_scope_adopt(s, st, &y[i]);
        if (i == pick)
            out[0] = kept;
    }
    return agn_scope_status(s);
}

/* x / 4 + diag(1, 2, ..): distinct values, and vectors whose largest entries no difference exchanges */
static agn_tensor *apart(const agn_tensor *x)
{
    const int64_t *n = agn_shape(x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *d = ag_add_c(s, ag_arange(s, AGN_F64, 0, (double)n[2], 1), 1);
    agn_tensor *y = NULL;
    d = ag_mul(s, ag_eye(s, AGN_F64, n[1], n[2], 0), d);
    agn_scope_return(s, &y, ag_add(s, ag_mul_c(s, x, 0.25), d));
    must(agn_scope_close(s));
    return y;
}

static void test_modes(void)
{
    static const char *const names[] = {"eigh w",  "eigh v", "eigvalsh", "svd s", "svd u",
                                        "svd vh", "svdvals", "qr q",    "qr r"};
    static const int64_t shapes[][3] = {{2, 3, 3}, {2, 4, 2}, {2, 2, 4}};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++)
            for (int f = 0; f < (k > ALONE ? 3 : 1); f++) {
                which w = (which)k;
                int dtype = c ? AGN_C128 : AGN_F64;
                agn_tensor *x0 = k <= ALONE ? hermitian(dtype, 2, 3)
                                            : random_of(dtype, 3, shapes[f], -1, 1);
                agn_tensor *a = apart(x0);
                const agn_tensor *x[1] = {a};
                agn_fn *g = NULL;
                char name[96];
                must(agn_fn_new(&g, body, &w, NULL, 1, 1));
                snprintf(name, sizeof name, "%s, %s, %s", names[k], agn_dtype_name(dtype),
                         SHAPE_TEXT(a));
                in_every_mode(g, 1, x, 2e-3, 1e-6, name);
                agn_fn_release(g);
                agn_release(a);
                agn_release(x0);
            }
}

/* ---- ties ------------------------------------------------------------------------ */

typedef enum at_tie { SUM_EXP, FIRST, SQUARES, ENTRY, NUCLEAR } at_tie;
static agn_status tie_body(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    at_tie w = *(const at_tie *)user;
    if (w == ENTRY) {
        agn_tensor *y[2] = {NULL};
        agn_status st = agn_linalg_eigh(&y[0], &y[1], in[0], false);
        agn_scope_adopt(s, st, &y[0]);
        out[0] = ag_sum_all(s, ag_index_axis(s, agn_scope_adopt(s, st, &y[1]), 0, 0));
    } else if (w == NUCLEAR) {
        out[0] = ag_sum_all(s, ag_linalg_svdvals(s, in[0]));
    } else {
        const agn_tensor *v = ag_linalg_eigvalsh(s, in[0], false);
        out[0] = w == FIRST     ? ag_index_axis(s, v, 0, 0)
                 : w == SUM_EXP ? ag_sum_all(s, ag_exp(s, v))
                                : ag_sum_all(s, ag_square(s, v));
    }
    return agn_scope_status(s);
}

/* q diag(2, 2, 5) q^T for a rotation q, so that vectors at the tie are what LAPACK makes of it */
static agn_tensor *tied(void)
{
    double q[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}, w[] = {2, 2, 5}, a[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            a[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                a[3 * i + j] += q[i][k] * w[k] * q[j][k];
        }
    return of_reals(AGN_F64, 2, (int64_t[]){3, 3}, a);
}

static void test_ties(void)
{
    agn_tensor *a = tied(), *one = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
    agn_tensor *e = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, (double[]){1, 2, 3, 2, -1, 1, 3, 1, 2});
    for (int k = 0; k <= NUCLEAR; k++) {
        at_tie w = (at_tie)k;
        agn_fn *f = NULL, *g = NULL, *h = NULL, *j = NULL;
        must(agn_fn_new(&f, tie_body, &w, NULL, 1, 1));
        must(agn_fn_grad(&g, f, NULL, 1));
        must(agn_fn_jvp(&j, f));
        agn_tensor *y = NULL, *t[2] = {NULL}, *z[2] = {NULL};
        const agn_tensor *x = w == SQUARES || w == NUCLEAR ? one : a;
        agn_status st = agn_fn_call(&y, 1, g, &x, 1);
        if (w == FIRST || w == ENTRY) {
            ok(st == AGN_EDOMAIN && strstr(agn_error_message(), "choice of their vectors"),
               "what depends on the choice has no gradient: %s", agn_error_message());
        } else {
            /* exp(2) (1 - u u^T) + exp(5) u u^T; 2 a; 1, each folded into the lower triangle */
            double u[] = {-0.8, 0, 0.6}, worst = 0;
            for (int i = 0; !st && i < 3; i++)
                for (int m = 0; m <= i; m++) {
                    double want = w == SUM_EXP ? exp(2) * (i == m) + (exp(5) - exp(2)) * u[i] * u[m]
                                  : w == SQUARES ? 2.0 * (i == m)
                                                 : 1.0 * (i == m);
                    want *= i == m || w == NUCLEAR ? 1 : 2;
                    worst = fmax(worst, fabs(peek(y, 3 * i + m) - want));
                }
            ok(!st && worst < 1e-12, "gradient at a tie, case %d: off by %.1e %s", k, worst,
               st ? agn_error_message() : "");
        }
        st = agn_fn_call(t, 2, j, (const agn_tensor *[]){x, e}, 2);
        if (w == ENTRY)
            ok(st == AGN_EDOMAIN, "nor has it a tangent");
        else {
            /* forward: tr(f'(a) e); the smallest value of the block of the tie */
            double want = 0, got = st ? (double)NAN : peek(t[1], 0);
            double u[] = {-0.8, 0, 0.6}, E[] = {1, 2, 3, 2, -1, 1, 3, 1, 2}, ue = 0;
            for (int i = 0; i < 9; i++)
                ue += u[i / 3] * E[i] * u[i % 3];
            if (w == FIRST) {
                double p[] = {0.36, -0.8, 0.48}, q[] = {0.48, 0.6, 0.64}, b[3] = {0};
                for (int i = 0; i < 9; i++) {
                    b[0] += p[i / 3] * E[i] * p[i % 3];
                    b[1] += p[i / 3] * E[i] * q[i % 3];
                    b[2] += q[i / 3] * E[i] * q[i % 3];
                }
                want = (b[0] + b[2]) / 2 - hypot((b[0] - b[2]) / 2, b[1]);
            } else
                want = w == SUM_EXP ? exp(2) * (2 - ue) + exp(5) * ue : w == SQUARES ? 4 : 2;
            ok(fabs(got - want) < 1e-11, "tangent at a tie, case %d: %.15g for %.15g", k, got, want);
        }
        /* second derivatives are refused there */
        must(agn_fn_jvp(&h, g));
        st = agn_fn_call(z, 2, h, (const agn_tensor *[]){x, e}, 2);
        ok(st == AGN_EDOMAIN, "second derivative at a tie, case %d, is refused: %s", k,
           agn_error_message());
        agn_release(y);
        agn_release(t[0]);
        agn_release(t[1]);
        agn_release(z[0]);
        agn_release(z[1]);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_fn_release(h);
        agn_fn_release(j);
    }
    agn_release(a);
    agn_release(one);
    agn_release(e);

    /* of dependent columns qr has no derivative; nor have bases that were completed */
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){1, 2, 2, 4, 3, 6});
    agn_tensor *x = NULL, *q = NULL, *r = NULL, *u = NULL, *v = NULL, *w = NULL, *g = untouched;
    must(agn_watch(&x, flat));
    must(agn_linalg_qr(&q, &r, x, false));
    agn_status st = agn_gradient(&g, (const agn_tensor *const *)&q, 1, (const agn_tensor *const *)&x, 1, NULL);
    ok(st == AGN_EDOMAIN, "qr of dependent columns: no derivative: %s", agn_error_message());
    agn_release(q);
    agn_release(r);
    must(agn_linalg_qr(&q, &r, x, true));
    st = agn_gradient(&g, (const agn_tensor *const *)&q, 1, (const agn_tensor *const *)&x, 1, NULL);
    ok(st == AGN_EUNSUPPORTED, "complete qr: %s", agn_error_message());
    must(agn_linalg_svd(&u, &w, &v, x, true));
    st = agn_gradient(&g, (const agn_tensor *const *)&u, 1, (const agn_tensor *const *)&x, 1, NULL);
    ok(st == AGN_EUNSUPPORTED && g == untouched, "full svd: %s", agn_error_message());
    agn_tensor *all[] = {flat, x, q, r, u, v, w};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* ---- failures -------------------------------------------------------------------- */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *p = untouched, *r = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0});
    agn_tensor *vec = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[3]){0});
    agn_tensor *bad = of_reals(AGN_F64, 3, (int64_t[]){2, 2, 2},
                               (double[]){1, 0, 0, 1, 2, (double)NAN, 0, (double)INFINITY});
    agn_tensor *one = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){1}), *huge = NULL;
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o), "%s", agn_error_message())
    BAD(agn_linalg_eigh(&o, &p, flat, false), AGN_ESHAPE, "linalg_eigh", "[2,3]", "square");
    BAD(agn_linalg_eigvalsh(&o, flat, false), AGN_ESHAPE, "linalg_eigvalsh", "[2,3]", "square");
    BAD(agn_linalg_svd(&o, &p, &r, vec, false), AGN_ESHAPE, "linalg_svd", "[3]", "1 axes");
    BAD(agn_linalg_svdvals(&o, vec), AGN_ESHAPE, "linalg_svdvals", "[3]", "1 axes");
    BAD(agn_linalg_qr(&o, &p, vec, false), AGN_ESHAPE, "linalg_qr", "[3]", "1 axes");
    BAD(agn_linalg_eigh(&o, &p, bad, true), AGN_EDOMAIN, "linalg_eigh", "matrix 1", "[0,1]");
    BAD(agn_linalg_eigvalsh(&o, bad, false), AGN_EDOMAIN, "linalg_eigvalsh", "matrix 1", "[1,1]");
    BAD(agn_linalg_svd(&o, &p, &r, bad, false), AGN_EDOMAIN, "linalg_svd", "matrix 1", "[0,1]");
    BAD(agn_linalg_svdvals(&o, bad), AGN_EDOMAIN, "linalg_svdvals", "matrix 1", "[0,1]");
    BAD(agn_linalg_qr(&o, &p, bad, false), AGN_EDOMAIN, "linalg_qr", "matrix 1", "[0,1]");
    BAD(agn_linalg_eigh(NULL, &p, one, false), AGN_ENULL, "linalg_eigh", "w", NULL);
    BAD(agn_linalg_eigh(&o, NULL, one, false), AGN_ENULL, "linalg_eigh", "v", NULL);
    BAD(agn_linalg_eigh(&o, &p, NULL, false), AGN_ENULL, "linalg_eigh", "a", NULL);
    BAD(agn_linalg_eigvalsh(&o, NULL, false), AGN_ENULL, "linalg_eigvalsh", "a", NULL);
    BAD(agn_linalg_eigvalsh(NULL, one, false), AGN_ENULL, "linalg_eigvalsh", "out", NULL);
    BAD(agn_linalg_svd(NULL, &p, &r, one, false), AGN_ENULL, "linalg_svd", "u", NULL);
    BAD(agn_linalg_svd(&o, NULL, &r, one, false), AGN_ENULL, "linalg_svd", "s", NULL);
    BAD(agn_linalg_svd(&o, &p, NULL, one, false), AGN_ENULL, "linalg_svd", "vh", NULL);
    BAD(agn_linalg_svd(&o, &p, &r, NULL, false), AGN_ENULL, "linalg_svd", "a", NULL);
    BAD(agn_linalg_svdvals(NULL, one), AGN_ENULL, "linalg_svdvals", "out", NULL);
    BAD(agn_linalg_svdvals(&o, NULL), AGN_ENULL, "linalg_svdvals", "a", NULL);
    BAD(agn_linalg_qr(NULL, &p, one, false), AGN_ENULL, "linalg_qr", "q", NULL);
    BAD(agn_linalg_qr(&o, NULL, one, false), AGN_ENULL, "linalg_qr", "r", NULL);
    BAD(agn_linalg_qr(&o, &p, NULL, false), AGN_ENULL, "linalg_qr", "a", NULL);
    /* sizes beyond 32 bits: views with stride 0 of nothing, no memory */
    must(agn_broadcast_to(&huge, one, 2, (int64_t[]){1, INT64_C(1) << 31}));
    BAD(agn_linalg_svd(&o, &p, &r, huge, false), AGN_EUNSUPPORTED, "linalg_svd", "2147483648", "32-bit");
    BAD(agn_linalg_svdvals(&o, huge), AGN_EUNSUPPORTED, "linalg_svdvals", "2147483648", "32-bit");
    BAD(agn_linalg_qr(&o, &p, huge, false), AGN_EUNSUPPORTED, "linalg_qr", "2147483648", "32-bit");
    check(&q, p == untouched && r == untouched, "a later result was written");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, vec, bad, one, huge};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

typedef struct given {
    agn_tensor *a;
    which w;
} given;
static agn_status make(void *user, agn_tensor **out)
{
    given *g = user;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL, *x = ag_watch(s, g->a);
    agn_status st = agn_scope_status(s);
    st = st ? st : body(&g->w, s, &x, &y);
    agn_tensor *grad = NULL;
    if (!st)
        st = agn_gradient(&grad, &y, 1, &x, 1, NULL);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &grad));
    return agn_scope_close(s);
}

static void test_memory(void)
{
    agn_tensor *a = hermitian(AGN_F64, 1, 3);
    static const which some[] = {VECTORS, LEFT, ORTHO};
    static const char *const names[] = {"gradient of eigh", "gradient of svd", "gradient of qr"};
    for (int k = 0; k < COUNT(some); k++) {
        given g = {a, some[k]};
        every_allocation(make, &g, names[k]);
    }
    agn_release(a);
}

int main(void)
{
    test_eigh();
    test_svd_qr();
    test_modes();
    test_ties();
    test_failures();
    test_memory();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
