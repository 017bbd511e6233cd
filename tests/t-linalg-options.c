/* t-linalg-options - variables in columns, inverses by eigenvalues, indefinite factors with info, one
   way of least squares for values and traces, Riccati's equations in f32. Values of NumPy 2.4.6. */
#include "t-linalg.h"

static bool entries_are(const agn_tensor *x, int n, const double *want, double tol)
{
    bool good = agn_numel(x) == n;
    for (int i = 0; good && i < n; i++)
        good = fabs(peek(x, i) - want[i]) <= tol * (1 + fabs(want[i]));
    return good;
}

/* numpy.cov(x, rowvar=False), numpy.corrcoef(x, rowvar=False) */
static void test_columns(void)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){4, 3},
                             (double[]){1, 2, 5, 2, 1, 0, 4, 3, -1, 7, -2, 3});
    const double third = 2.5 / 3,
                 cov[] = {7, -4, -third, -4, 14.0 / 3, -2, -third, -2, 22.75 / 3},
                 cor[] = {1, -0.6998542122237652, -0.11437725271791936, -0.6998542122237652, 1,
                          -0.3361990888083155, -0.11437725271791936, -0.3361990888083155, 1};
    ok(entries_are(ag_linalg_cov_columns(s, x, 1), 9, cov, 1e-15), "cov of columns, as NumPy's");
    ok(entries_are(ag_linalg_corrcoef_columns(s, x), 9, cor, 1e-15), "corrcoef of columns, as NumPy's");
    for (int d = 0; d < COUNT(dtypes); d++) {
        agn_tensor *y = random_of(dtypes[d], 3, (int64_t[]){2, 5, 3}, -1, 1);
        const agn_tensor *t = ag_swapaxes(s, y, -1, -2);
        double off = fmax(relative(ag_linalg_cov_columns(s, y, 0), ag_linalg_cov(s, t, 0)),
                          relative(ag_linalg_corrcoef_columns(s, y), ag_linalg_corrcoef(s, t)));
        ok(off < 8 * eps_of(dtypes[d]), "a batch of columns as of rows, %s: %.1e",
           agn_dtype_name((agn_dtype)dtypes[d]), off);
        agn_release(y);
    }
    must(agn_scope_close(s));
    agn_release(x);
}

/* a = v diag(w) v^H of given values: v diag(1/w) v^H where w is large */
static void test_hermitian(void)
{
    static const double values[][6] = {{1, 2, 3, 4, 5, 6}, {-3, 1e-20, 2, 2, 2, 5}, {0, 0, -1, 1, 1e3, -1e3},
                                       {0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, {1e-3, -1e-4, 1, 0, 0, 7}};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(values); k++)
            for (int upper = 0; upper < 2; upper++) {
                agn_scope *s = agn_scope_open(NULL);
                agn_tensor *r = random_of(dtypes[d], 2, (int64_t[]){6, 6}, -1, 1), *v = NULL, *t = NULL;
                double inverse[6];
                for (int i = 0; i < 6; i++)
                    inverse[i] = fabs(values[k][i]) > 1e-10 ? 1 / values[k][i] : 0;
                must(agn_linalg_qr(&v, &t, r, false));
                agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){6}, values[k]),
                           *u = of_reals(AGN_F64, 1, (int64_t[]){6}, inverse);
                const agn_tensor *a = ag_matmul(s, ag_mul(s, v, ag_cast(s, w, dtypes[d])), adjoint(s, v));
                const agn_tensor *want = ag_matmul(s, ag_mul(s, v, ag_cast(s, u, dtypes[d])), adjoint(s, v));
                const agn_tensor *nan = ag_full_like(s, a, (double)NAN); /* the other triangle */
                a = upper ? ag_add(s, ag_triu(s, a, 0), ag_tril(s, nan, -1)) : ag_add(s, ag_tril(s, a, 0), ag_triu(s, nan, 1));
                const agn_tensor *p = ag_linalg_pinv_hermitian(s, a, 1e-5, upper);
                double off = relative(p, want), even = relative(p, adjoint(s, p));
                double worst = k == 5 ? 1e8 : 1e4; /* n times the condition */
                ok(off < worst * eps_of(dtypes[d]) && (even == 0 || k == 3), "pinv_hermitian of values %d, %s, %s: %.1e", k,
                   agn_dtype_name((agn_dtype)dtypes[d]), upper ? "upper" : "lower", off);
                must(agn_scope_close(s));
                agn_tensor *all[] = {r, v, t, w, u};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
}

/* x[i] */
static const agn_tensor *matrix_of(agn_scope *s, const agn_tensor *x, int i)
{
    const agn_tensor *one = ag_arange(s, AGN_I64, i, i + 1, 1);
    return ag_squeeze(s, ag_gather(s, x, one, 0), 0);
}

static void test_indefinite(void)
{
    double inf = (double)INFINITY, a[4][9] = {{4, 9, 9, 1, 3, 9, 2, 0, -5},
                                              {1, 0, 0, 0, 0, 0, 0, 0, 2},
                                              {1, 0, 0, 2, inf, 0, 3, 4, 5},
                                              {0, 7, 7, 1, 0, 7, 0, 0, 3}};
    int want[] = {0, 3, -1, 0};
    agn_tensor *x = of_reals(AGN_F64, 3, (int64_t[]){4, 3, 3}, a[0]), *l = NULL, *d = NULL, *p = NULL, *info = NULL;
    must(agn_linalg_ldl_factor_ex(&l, &d, &p, &info, x, false, true));
    for (int i = 0; i < 4; i++)
        ok((want[i] == 3 ? peek(info, i) > 0 : peek(info, i) == want[i]) && agn_dtype_of(info) == AGN_I32,
           "ldl_factor_ex: info of matrix %d is %g", i, peek(info, i));
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < 4; i++) {
        const agn_tensor *li = matrix_of(s, l, i), *di = matrix_of(s, d, i), *pi = matrix_of(s, p, i);
        if (want[i] < 0) {
            ok(isnan(peek(li, 4)) && isnan(peek(di, 4)), "no factor where a is not finite");
            continue;
        }
        const agn_tensor *low = ag_tril(s, matrix_of(s, x, i), -1);
        const agn_tensor *full = ag_add(s, ag_add(s, low, ag_swapaxes(s, low, 0, 1)),
                                        ag_diag(s, ag_diagonal(s, matrix_of(s, x, i), 0, 0, 1), 0));
        const agn_tensor *back = ag_matmul(s, ag_matmul(s, li, di), ag_swapaxes(s, li, 0, 1));
        full = ag_gather(s, ag_gather(s, full, pi, 0), pi, 1);
        ok(relative(back, full) < 4 * 0x1p-52, "the factors of matrix %d", i);
    }
    must(agn_scope_close(s));
    agn_tensor *all[] = {x, l, d, p, info};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* ---- least squares: a call and a plan give the same bits ------------------------------------ */

static agn_status fit(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_linalg_lstsq(s, in[0], in[1]);
    return agn_scope_status(s);
}

static void test_one_way(void)
{
    static const int64_t sizes[][2] = {{5, 3}, {32, 32}, {40, 7}, {7, 40}, {33, 33}, {150, 100}, {60, 90}};
    agn_fn *f = NULL, *plan = NULL;
    must(agn_fn_new(&f, fit, NULL, NULL, 2, 1));
    must(agn_fn_compile(&plan, f, NULL));
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++) {
            int64_t m = sizes[k][0], n = sizes[k][1];
            agn_tensor *a = random_of(dtypes[d], 2, (int64_t[]){m, n}, -1, 1),
                       *b = random_of(dtypes[d], 2, (int64_t[]){m, 2}, -1, 1), *x = NULL, *y = NULL;
            must(agn_linalg_lstsq(&x, a, b));
            must(agn_fn_call(&y, 1, plan, (const agn_tensor *[]){a, b}, 2));
            agn_scope *s = agn_scope_open(NULL);
            const agn_tensor *want = ag_matmul(s, ag_linalg_pinv(s, a, -1), b);
            double off = relative(x, want);
            ok(relative(x, y) == 0 && off < (m == n ? 1e5 : 1e3) * eps_of(dtypes[d]),
               "lstsq of %dx%d, %s: a call as a plan, %.1e from the pseudoinverse's", (int)m, (int)n,
               agn_dtype_name((agn_dtype)dtypes[d]), off);
            must(agn_scope_close(s));
            agn_release(a);
            agn_release(b);
            agn_release(x);
            agn_release(y);
        }
    agn_fn_release(plan);
    agn_fn_release(f);
}

/* factors and least squares of numbers of extreme size */
static void test_scales(void)
{
    for (int d = 0; d < 2; d++)
        for (int e = -1; e < 2; e++) {
            int dtype = d ? AGN_F64 : AGN_F32;
            double by = ldexp(1, e * (d ? 1000 : 115));
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *a = random_of(dtype, 2, (int64_t[]){40, 35}, -1, 1), *b = random_of(dtype, 1, (int64_t[]){40}, -1, 1);
            const agn_tensor *big = ag_mul_c(s, a, by), *rhs = ag_mul_c(s, b, by);
            double off = relative(ag_linalg_lstsq(s, big, rhs), ag_linalg_lstsq(s, a, b));
            ok(off < 1e4 * eps_of(dtype), "lstsq of numbers near 2^%d, %s: %.1e", e * (d ? 1000 : 115), d ? "f64" : "f32", off);
            must(agn_scope_close(s));
            agn_release(a);
            agn_release(b);
        }
}

/* ---- Riccati in f32: the closed loop has values -1e-4 and about -1e3, whose ratio is near the eps
   of f32; x of diagonal systems is a formula ------------------------------------------------------ */

static void test_narrow(void)
{
    const double a[] = {-1e-4, 0, 0, 1e3}, q[] = {0, 0, 0, 1}, one[] = {1, 0, 0, 1};
    int64_t two[] = {2, 2};
    agn_tensor *in[] = {of_reals(AGN_F32, 2, two, a), of_reals(AGN_F32, 2, two, one), of_reals(AGN_F32, 2, two, q),
                        of_reals(AGN_F32, 2, two, one)}, *x = NULL;
    agn_status st = agn_linalg_continuous_riccati(&x, in[0], in[1], in[2], in[3]);
    double want = 1e3 + sqrt(1e6 + 1);
    ok(!st && fabs(peek(x, 0)) < 1e-9 && fabs(peek(x, 3) / want - 1) < 0x1p-23, "f32: values far apart: %s %g",
       st ? agn_error_message() : "", st ? 0 : peek(x, 3));
    agn_release(x);
    x = NULL;
    const double hard[4][4] = {{-0.1, 0, 0, -0.02}, {0.1, 0, 0.001, 0.01}, {100, 1000, 1000, 10000}, {1 + 0x1p-23, 1, 1, 1}};
    for (int k = 0; k < 4; k++) { /* a weight that is regular in the numbers given alone */
        agn_release(in[k]);
        in[k] = of_reals(AGN_F32, 2, two, hard[k]);
    }
    st = agn_linalg_continuous_riccati(&x, in[0], in[1], in[2], in[3]);
    agn_tensor *wide = NULL, *y[4] = {NULL};
    for (int k = 0; k < 4; k++)
        must(agn_cast(&y[k], in[k], AGN_F64));
    must(agn_linalg_continuous_riccati(&wide, y[0], y[1], y[2], y[3]));
    ok(!st && relative(x, wide) < 0x1p-23, "f32: a weight that is nearly singular: %s %.1e",
       st ? agn_error_message() : "", st ? 0 : relative(x, wide));
    agn_release(x);
    agn_release(wide);
    for (int k = 0; k < 4; k++)
        agn_release(y[k]);
    for (int k = 0; k < COUNT(in); k++)
        agn_release(in[k]);
}

/* ---- modes, failures, allocations --------------------------------------------------------------- */

enum { COV, COR, HERMITIAN, INDEFINITE, FIT, MODES_N };
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *a = in[0], *h = ag_add(s, a, adjoint(s, a));
    switch (*(const int *)user) {
    case COV: out[0] = ag_linalg_cov_columns(s, a, 1); break;
    case COR: out[0] = ag_linalg_corrcoef_columns(s, a); break;
    case HERMITIAN: out[0] = ag_linalg_pinv_hermitian(s, ag_add(s, ag_mul_c(s, h, 0.2), ag_diag(s, ag_arange(s, AGN_F64, -2, 7, 3), 0)), -1, true); break;
    case INDEFINITE: {
        agn_tensor *l = NULL, *d = NULL, *p = NULL, *info = NULL;
        agn_status st = agn_linalg_ldl_factor_ex(&l, &d, &p, &info, h, true, true);
        const agn_tensor *x = agn_scope_adopt(s, st, &l), *y = agn_scope_adopt(s, st, &d);
        out[0] = ag_add(s, x, y);
        agn_release(p);
        agn_release(info);
        break;
    }
    default: /* 3 x 3 within 36 rows, so that the blocked driver runs */
        out[0] = ag_linalg_lstsq(s, ag_concat(s, (const agn_tensor *[]){a, ag_eye(s, agn_dtype_of(a), 33, 3, 0)}, 2, 0),
                                 ag_arange(s, AGN_F64, 0, 36, 1));
    }
    return agn_scope_status(s);
}

static void test_modes(void)
{
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < MODES_N; k++) {
            int dtype = c ? AGN_C128 : AGN_F64;
            agn_tensor *x = random_of(dtype, 2, (int64_t[]){3, 3}, -1, 1);
            agn_fn *f = NULL;
            char name[60];
            must(agn_fn_new(&f, body, &k, NULL, 1, 1));
            snprintf(name, sizeof name, "row %d, %s", k, agn_dtype_name((agn_dtype)dtype));
            in_every_mode(f, 1, (const agn_tensor *[]){x}, 1e-3, 1e-5, name);
            agn_fn_release(f);
            agn_release(x);
        }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched, *o3 = untouched, *sparse = NULL;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){1}), *vec = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 2}),
               *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1});
    must(agn_sparse_from_dense(&sparse, eye));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched && o3 == untouched, "%s", agn_error_message())
    static const char co[] = "linalg_cov_columns", cr[] = "linalg_corrcoef_columns", ld[] = "linalg_ldl_factor_ex";
    BAD(agn_linalg_cov_columns(NULL, eye, 1), AGN_ENULL, co, "out is", NULL);
    BAD(agn_linalg_cov_columns(&o, NULL, 1), AGN_ENULL, co, "x is", NULL);
    BAD(agn_linalg_cov_columns(&o, vec, 1), AGN_ESHAPE, co, "[2]", NULL);
    BAD(agn_linalg_cov_columns(&o, flat, 2), AGN_EARG, co, "ddof 2", "2 samples");
    BAD(agn_linalg_cov_columns(&o, sparse, 1), AGN_EUNSUPPORTED, co, "sparse", NULL);
    BAD(agn_linalg_corrcoef_columns(NULL, eye), AGN_ENULL, cr, "out is", NULL);
    BAD(agn_linalg_corrcoef_columns(&o, NULL), AGN_ENULL, cr, "x is", NULL);
    BAD(agn_linalg_corrcoef_columns(&o, vec), AGN_ESHAPE, cr, "[2]", NULL);
    BAD(agn_linalg_corrcoef_columns(&o, sparse), AGN_EUNSUPPORTED, cr, "sparse", NULL);
    BAD(agn_linalg_ldl_factor_ex(NULL, &o2, &o2, &o3, eye, 0, 1), AGN_ENULL, ld, "l is", NULL);
    BAD(agn_linalg_ldl_factor_ex(&o, NULL, &o2, &o3, eye, 0, 1), AGN_ENULL, ld, "d is", NULL);
    BAD(agn_linalg_ldl_factor_ex(&o, &o2, NULL, &o3, eye, 0, 1), AGN_ENULL, ld, "perm is", NULL);
    BAD(agn_linalg_ldl_factor_ex(&o, &o2, &o3, NULL, eye, 0, 1), AGN_ENULL, ld, "info is", NULL);
    BAD(agn_linalg_ldl_factor_ex(&o, &o2, &o3, &o3, NULL, 0, 1), AGN_ENULL, ld, "a is", NULL);
    BAD(agn_linalg_ldl_factor_ex(&o, &o2, &o3, &o3, flat, 0, 1), AGN_ESHAPE, ld, "[2,3]", NULL);
    BAD(agn_linalg_ldl_factor_ex(&o, &o2, &o3, &o3, sparse, 0, 1), AGN_EUNSUPPORTED, ld, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, vec, eye, sparse};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

typedef struct operands {
    int which;
    agn_tensor *a, *tall, *rhs;
} operands;
static agn_status make_one(void *user, agn_tensor **out)
{
    const operands *o = user;
    agn_tensor *d = NULL, *p = NULL, *info = NULL;
    switch (o->which) {
    case 0: return agn_linalg_cov_columns(out, o->tall, 1);
    case 1: return agn_linalg_corrcoef_columns(out, o->tall);
    case 2: return agn_linalg_pinv_hermitian(out, o->a, -1, false);
    case 3: return agn_linalg_lstsq(out, o->tall, o->rhs);
    default: {
        agn_status st = agn_linalg_ldl_factor_ex(out, &d, &p, &info, o->a, false, false);
        agn_release(d);
        agn_release(p);
        agn_release(info);
        return st;
    }
    }
}
static void test_allocations(void)
{
    operands o = {.a = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2), .tall = random_of(AGN_F64, 2, (int64_t[]){40, 3}, -1, 1),
                  .rhs = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1)};
    for (o.which = 0; o.which < 5; o.which++)
        every_allocation(make_one, &o, "a function of linear algebra");
    agn_release(o.a);
    agn_release(o.tall);
    agn_release(o.rhs);
}

int main(void)
{
    test_columns();
    test_hermitian();
    test_indefinite();
    test_one_way();
    test_scales();
    test_narrow();
    test_failures();
    test_modes();
    test_allocations();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
