/* t-eigen-block - eigenvalues by blocks (LOBPCG), with masses and preconditioners; derivatives of the
   eigenvalues and vectors of matrices that are not Hermitian. */
#include "modes.h"

#include <agnesi/eigen.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

/* -u'' + c u of n points, Hermitian where complex */
static agn_tensor *rod(int dtype, int64_t n, double c)
{
    agn_tensor *d = NULL, *y = NULL, *m = NULL;
    agn_scope *s = agn_scope_open(NULL);
    T two = ag_cast(s, ag_lit(s, 2 + c), AGN_F64), low = ag_cast(s, ag_lit(s, -1), AGN_F64), up = low;
    agn_scope_return(s, &m, ag_sparse_diags(s, (T[]){low, two, up}, (int64_t[]){-1, 0, 1}, 3, n, n));
    must(agn_scope_close(s));
    if (kind_of(dtype) != KIND_COMPLEX) {
        must(agn_cast(&y, m, (agn_dtype)dtype));
    } else {
        s = agn_scope_open(NULL);
        agn_tensor *i = NULL;
        double z[2] = {0.6, 0.8};
        must(agn_from_host(&i, AGN_C128, 0, NULL, z));
        T lower = ag_tril(s, m, -1), upper = ag_triu(s, m, 1), mid = ag_tril(s, ag_triu(s, m, 0), 0);
        T all = ag_add(s, ag_add(s, ag_mul(s, lower, i), ag_mul(s, upper, ag_conj(s, i))), mid);
        agn_scope_return(s, &y, ag_cast(s, all, (agn_dtype)dtype));
        must(agn_scope_close(s));
        agn_release(i);
    }
    agn_release(d);
    agn_release(m);
    return y;
}

static double value_of(int64_t n, int64_t j, double c)
{
    return 2 + c - 2 * cos(acos(-1.0) * (double)(j + 1) / (double)(n + 1));
}

static void test_rod(void)
{
    enum { N = 60, K = 4 };
    static const int dtypes[] = {AGN_F64, AGN_C128, AGN_F32};
    for (int k = 0; k < 6; k++) {
        int dtype = dtypes[k / 2];
        bool largest = k % 2;
        double tol = dtype == AGN_F32 ? 1e-4 : 1e-9;
        agn_tensor *a = rod(dtype, N, 0.1), *l = NULL, *v = NULL, *r = NULL;
        agn_eigen_options o = {.size = sizeof o, .method = AGN_EIGEN_LOBPCG, .tol = 1e-11,
                               .which = largest ? AGN_EIGEN_LARGEST : AGN_EIGEN_SMALLEST};
        agn_eigen_info info = {.size = sizeof info};
        agn_status st = agn_eigsh(&l, &v, &info, a, K, &o);
        ok(!st, "LOBPCG, %s: %s", agn_dtype_name((agn_dtype)dtype), st ? agn_error_message() : "runs");
        double worst = 0;
        for (int j = 0; !st && j < K; j++)
            worst = fmax(worst, fabs(peek(l, j) - value_of(N, largest ? N - K + j : j, 0.1)));
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, &r, ag_amax(s, ag_abs(s, ag_sub(s, ag_matmul(s, a, v), ag_mul(s, v, l))),
                                        NULL, 0, false));
        must(agn_scope_close(s));
        ok(worst < tol && peek(r, 0) < tol && info.converged == K,
           "LOBPCG, %s, %s: off by %.1e, residual %.1e, %d products", agn_dtype_name((agn_dtype)dtype),
           largest ? "largest" : "smallest", worst, peek(r, 0), (int)info.products);
        agn_tensor *all[] = {a, l, v, r};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
}

static agn_status body_inverse(void *user, agn_scope *s, T const *in, T *out)
{
    out[0] = ag_sparse_solve(s, user, in[0]);
    return agn_scope_status(s);
}
static agn_status body_wrong(void *user, agn_scope *s, T const *in, T *out)
{
    (void)user;
    out[0] = ag_sum_all(s, in[0]);
    return agn_scope_status(s);
}

static void test_general(void)
{
    enum { N = 200, K = 3 };
    agn_tensor *a = rod(AGN_F64, N, 0), *m = NULL, *l = NULL, *v = NULL, *w = NULL, *u = NULL;
    agn_tensor *b = rod(AGN_F64, N, 4);
    must(agn_div_c(&m, b, 3)); /* positive definite */
    agn_fn *p = NULL, *bad = NULL;
    must(agn_fn_new(&p, body_inverse, a, NULL, 1, 1));
    must(agn_fn_new(&bad, body_wrong, NULL, NULL, 1, 1));
    agn_eigen_options o = {.size = sizeof o, .method = AGN_EIGEN_LOBPCG, .which = AGN_EIGEN_SMALLEST,
                           .mass = m, .precondition = p, .tol = 1e-11};
    agn_eigen_options q = {.size = sizeof q, .which = AGN_EIGEN_NEAREST, .mass = m};
    agn_eigen_info info = {.size = sizeof info}, plain = {.size = sizeof plain};
    agn_status st = agn_eigsh(&l, &v, &info, a, K, &o);
    ok(!st, "LOBPCG with a mass and a preconditioner: %s", st ? agn_error_message() : "runs");
    must(agn_eigsh(&w, &u, NULL, a, K, &q));
    ok(!st && modes_apart(l, w) < 1e-11 && modes_apart(v, u) < 1e-5 && info.products < 100 * K,
       "as by shift and invert: %.1e, %.1e, %d products", modes_apart(l, w), modes_apart(v, u),
       (int)info.products);
    o.precondition = NULL;
    o.max_products = 30;
    agn_tensor *out = untouched;
    ok(refused(agn_eigsh(&out, NULL, &plain, a, K, &o), AGN_ENOCONV, "eigsh", "of 3", "products", out),
       "too few products");
    o.precondition = bad;
    ok(refused(agn_eigsh(&out, NULL, NULL, a, K, &o), AGN_ESHAPE, "eigsh", "precondition", "[200,3]", out),
       "a preconditioner of another shape");
    o.precondition = NULL;
    o.which = AGN_EIGEN_NEAREST;
    ok(refused(agn_eigsh(&out, NULL, NULL, a, K, &o), AGN_EARG, "eigsh", "LOBPCG", NULL, out),
       "LOBPCG of what is near");
    o.method = 7;
    ok(refused(agn_eigsh(&out, NULL, NULL, a, K, &o), AGN_EARG, "eigsh", "method 7", NULL, out),
       "no such method");
    o.method = AGN_EIGEN_LOBPCG;
    o.mass = NULL;
    ok(refused(agn_eigs(&out, NULL, NULL, a, K, &o), AGN_EARG, "eigs", "LOBPCG", NULL, out),
       "LOBPCG of any matrix");
    agn_fn_release(p);
    agn_fn_release(bad);
    agn_tensor *all[] = {a, m, l, v, w, u, b};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* ---- any matrix: derivatives -------------------------------------------------------------------- */

typedef struct given {
    T pattern;
    int k;
    bool block;
} given;
static agn_status body_values(void *user, agn_scope *s, T const *in, T *out)
{
    const given *g = user;
    T a = g->pattern ? ag_sparse_with_values(s, g->pattern, in[0]) : in[0];
    agn_tensor *l = NULL, *v = NULL;
    agn_eigen_options o = {.size = sizeof o, .tol = 1e-13};
    agn_status st = agn_eigs(&l, &v, NULL, a, g->k, &o);
    T x = agn_scope_adopt(s, st, &l), y = agn_scope_adopt(s, st, &v);
    T c = ag_add(s, ag_sum_all(s, ag_square(s, ag_real(s, x))),
                 ag_sum_all(s, ag_sin(s, ag_imag(s, x))));
    T w = ag_add(s, ag_sum_all(s, ag_sin(s, ag_real(s, y))), ag_sum_all(s, ag_square(s, ag_imag(s, y))));
    out[0] = ag_add(s, c, w);
    return agn_scope_status(s);
}
static agn_status body_block(void *user, agn_scope *s, T const *in, T *out)
{
    const given *g = user;
    T a = ag_sparse_with_values(s, g->pattern, in[0]), x, y;
    agn_tensor *l = NULL, *v = NULL;
    agn_eigen_options o = {.size = sizeof o, .which = AGN_EIGEN_SMALLEST, .method = AGN_EIGEN_LOBPCG,
                           .tol = 1e-14};
    a = ag_add(s, a, ag_transpose(s, a));
    agn_status st = agn_eigsh(&l, &v, NULL, a, g->k, &o);
    x = agn_scope_adopt(s, st, &l);
    y = agn_scope_adopt(s, st, &v);
    out[0] = ag_add(s, ag_sum_all(s, ag_square(s, x)), ag_sum_all(s, ag_sin(s, y)));
    return agn_scope_status(s);
}

static void test_slopes(void)
{
    enum { N = 6 };
    double full[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            full[i * N + j] = i == j ? 3 * i + 1 : (i + 2 * j) % 3 == 0 ? 0.4 * sin(i + 2.0 * j + 1) : 0;
    full[1] = 2;
    full[N] = -3; /* a pair of complex values */
    agn_tensor *d = of_reals(AGN_F64, 2, (int64_t[]){N, N}, full), *a = NULL, *v = NULL, *z = NULL;
    must(agn_sparse_from_dense(&a, d));
    must(agn_sparse_values(&v, a));
    given g = {a, 2, false}, h = {NULL, 3, false}, b = {a, 2, true};
    agn_fn *f = NULL, *e = NULL, *c = NULL;
    must(agn_fn_new(&f, body_values, &g, NULL, 1, 1));
    must(agn_fn_new(&e, body_values, &h, NULL, 1, 1));
    must(agn_fn_new(&c, body_block, &b, NULL, 1, 1));
    agn_check_options o = {.size = sizeof o, .orders = 2, .step = 1e-2, .tolerance = 1e-6,
                           .modes = AGN_CHECK_FORWARD | AGN_CHECK_REVERSE | AGN_CHECK_TAYLOR};
    agn_status st = agn_check_grads(NULL, f, (T const *)&v, 1, &o);
    ok(!st, "eigs, sparse, two orders%s%s", st ? ": " : "", st ? agn_error_message() : "");
    must(agn_cast(&z, d, AGN_C128));
    st = agn_check_grads(NULL, e, (T const *)&z, 1, &o);
    ok(!st, "eigs, dense and complex, two orders%s%s", st ? ": " : "", st ? agn_error_message() : "");
    st = agn_check_grads(NULL, c, (T const *)&v, 1, &o);
    ok(!st, "eigsh by LOBPCG, two orders%s%s", st ? ": " : "", st ? agn_error_message() : "");
    /* the slope of a value, by the left vector */
    agn_fn_release(f);
    agn_fn_release(e);
    agn_fn_release(c);
    agn_tensor *all[] = {d, a, v, z};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

int main(void)
{
    test_rod();
    test_general();
    test_slopes();
    return done();
}
