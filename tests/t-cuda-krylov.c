/* tests/t-cuda-krylov.c - iterative solves whose vectors stay on the device: the host's answers, and
   nothing but single numbers comes back while they run. */
#include "cuda.h"

#include <agnesi/backend.h>
#include <agnesi/eigen.h>
#include <agnesi/krylov.h>
#include <agnesi/sparse_iterative.h>
#include <agnesi/sparse_layout.h>

enum { N = 60, COLUMNS = 3, LONG = 5003 };
static const int floats[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};
static const struct {
    const char *name;
    int method;
    bool definite;
} methods[] = {
    {"gmres", AGN_KRYLOV_GMRES, false},
    {"cg", AGN_KRYLOV_CG, true},
    {"minres", AGN_KRYLOV_MINRES, true},
    {"bicgstab", AGN_KRYLOV_BICGSTAB, false},
};

/* diagonally dominant; Hermitian where definite */
static agn_tensor *matrix_of(int dtype, bool definite)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *r = random_of(dtype, 2, (int64_t[]){N, N}, -0.1, 0.1), *out = NULL;
    const agn_tensor *a = r;
    if (definite)
        a = ag_add(s, r, ag_conj(s, ag_swapaxes(s, r, 0, 1)));
    agn_scope_return(s, &out, ag_add(s, a, ag_mul_c(s, ag_eye(s, dtype, N, N, 0), 4)));
    must(agn_scope_close(s));
    agn_release(r);
    return out;
}

static agn_status multiply(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_matmul(s, in[1], in[0]);
    return agn_scope_status(s);
}
static agn_status quarter(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul_c(s, in[0], 0.25);
    return agn_scope_status(s);
}

static void start_counting(void)
{
    void (*reset)(void) = NULL;
    *(void **)&reset = emulator_symbol("agn_emulator_reset");
    must(agn_device_synchronize(cuda));
    if (reset)
        reset();
}
/* Was the largest copy to the host since then a number? On a real device nobody counts. */
static void check_copies(tally *t, const char *name)
{
    enum { NUMBER = 16 };
    long (*count)(const char *) = NULL;
    *(void **)&count = emulator_symbol("agn_emulator_count");
    long most = count ? count("largest copy to the host") : NUMBER;
    check(t, most == NUMBER, "%s copied %ld bytes to the host at once", name, most);
}

static void test_matrices(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(floats); k++)
        for (int i = 0; i < COUNT(methods); i++)
            for (int form = 0; form < 8; form++) { /* sparse, a guess, several columns */
                int dtype = floats[k];
                bool sparse = form & 1, guess = form & 2, many = form & 4;
                int64_t shape[2] = {N, COLUMNS};
                agn_tensor *a = matrix_of(dtype, methods[i].definite), *b = random_of(dtype, 1 + many, shape, -1, 1);
                agn_tensor *g = guess ? random_of(dtype, 1 + many, shape, -1, 1) : NULL, *want, *y = NULL;
                agn_krylov_options o = {.size = sizeof o, .method = methods[i].method};
                agn_krylov_info info = {.size = sizeof info}, near = {.size = sizeof near};
                agn_tensor *da = on_device(a), *csr[2];
                if (sparse) {
                    must(agn_sparse_from_dense(&csr[0], a));
                    must(agn_sparse_from_dense(&csr[1], da));
                    agn_release(a), agn_release(da);
                    a = csr[0], da = csr[1];
                }
                agn_tensor *db = on_device(b), *dg = g ? on_device(g) : NULL;
                must(agn_krylov_solve(&want, &info, a, b, g, &o));
                int64_t runs[2], reads;
                agn_host_run_count(&runs[0], &reads);
                start_counting();
                agn_status st = agn_krylov_solve(&y, &near, da, db, dg, &o);
                check_copies(&t, methods[i].name);
                agn_host_run_count(&runs[1], &reads);
                check(&t, runs[1] == runs[0], "%s ran on the host", methods[i].name);
                double tol = dtype == AGN_F32 || dtype == AGN_C64 ? 1e-4 : 1e-9;
                check(&t, llabs(near.iterations - info.iterations) <= 1, "%s: %d iterations, %d on the host",
                      methods[i].name, (int)near.iterations, (int)info.iterations);
                if (st)
                    check(&t, false, "%s of %s: %s", methods[i].name, agn_dtype_name(dtype), agn_error_message());
                else
                    check(&t, relative(y, want) <= tol, "%s of %s, form %d: %g", methods[i].name,
                          agn_dtype_name(dtype), form, relative(y, want));
                agn_tensor *drop[] = {a, b, g, want, y, da, db, dg};
                for (int j = 0; j < COUNT(drop); j++)
                    agn_release(drop[j]);
            }
    tell(&t, "solves with a matrix on the device");
}

/* what LSQR and LSMR find, and its cotangents: the host reads the matrix, and the residual at an end, for the
   cosines that prove it */
static void test_least_squares(void)
{
    enum { LESS = 17 };
    static const int least[] = {AGN_KRYLOV_LSQR, AGN_KRYLOV_LSMR};
    tally t = {0, 0};
    for (int k = 0; k < COUNT(floats); k++)
        for (int form = 0; form < 32; form++) { /* sparse, wide, several columns, damped, method */
            int dtype = floats[k];
            bool sparse = form & 1, wide = form & 2, many = form & 4;
            int64_t shape[2] = {wide ? LESS : N, wide ? N : LESS}, sides[2] = {shape[0], COLUMNS};
            agn_tensor *a = random_of(dtype, 2, shape, -1, 1), *b = random_of(dtype, 1 + many, sides, -1, 1);
            agn_tensor *da = on_device(a), *db = on_device(b), *want = NULL, *y = NULL, *csr[2];
            agn_krylov_options o = {.size = sizeof o, .method = least[form >> 4], .damp = form & 8 ? 0.5 : 0};
            agn_krylov_info info = {.size = sizeof info}, near = {.size = sizeof near};
            if (sparse) {
                must(agn_sparse_from_dense(&csr[0], a));
                must(agn_sparse_from_dense(&csr[1], da));
                agn_release(a), agn_release(da);
                a = csr[0], da = csr[1];
            }
            must(agn_krylov_solve(&want, &info, a, b, NULL, &o));
            int64_t runs[2], reads;
            agn_host_run_count(&runs[0], &reads);
            agn_status st = agn_krylov_solve(&y, &near, da, db, NULL, &o);
            agn_host_run_count(&runs[1], &reads);
            check(&t, runs[1] == runs[0], "form %d ran on the host", form);
            check(&t, near.reason == info.reason, "form %d ended with %d, %d on the host", form, near.reason, info.reason);
            double tol = dtype == AGN_F32 || dtype == AGN_C64 ? 2e-4 : 1e-8;
            if (st)
                check(&t, false, "least squares of %s: %s", agn_dtype_name(dtype), agn_error_message());
            else
                check(&t, agn_device_of(y) == cuda && relative(y, want) <= tol, "least squares of %s, form %d: %g",
                      agn_dtype_name(dtype), form, relative(y, want));
            agn_tensor *drop[] = {a, b, want, y, da, db};
            for (int j = 0; j < COUNT(drop); j++)
                agn_release(drop[j]);
        }
    tell(&t, "least squares on the device");
}

static agn_status nearest(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    agn_tensor *x = NULL;
    if (!agn_scope_fail(s, agn_krylov_solve(&x, NULL, in[0], in[1], NULL, user)))
        out[0] = ag_sum_all(s, ag_square(s, agn_scope_adopt(s, AGN_OK, &x)));
    return agn_scope_status(s);
}
static void test_least_gradient(void)
{
    agn_krylov_options o = {.size = sizeof o, .method = AGN_KRYLOV_LSMR};
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){N, COLUMNS}, -1, 1), *b = random_of(AGN_F64, 1, (int64_t[]){N}, -1, 1);
    agn_tensor *da = on_device(a), *db = on_device(b), *want[2] = {NULL}, *y[2] = {NULL};
    must(agn_fn_new(&f, nearest, &o, NULL, 2, 1));
    must(agn_fn_grad(&g, f, (int32_t[]){0, 1}, 2));
    must(agn_fn_call(want, 2, g, (const agn_tensor *[]){a, b}, 2));
    is_int(agn_fn_call(y, 2, g, (const agn_tensor *[]){da, db}, 2), AGN_OK, "the gradient of a least-squares solution");
    for (int i = 0; i < 2; i++)
        ok(y[i] && relative(y[i], want[i]) <= 1e-8, "by argument %d: %g", i, y[i] ? relative(y[i], want[i]) : (double)NAN);
    agn_tensor *drop[] = {a, b, da, db, want[0], want[1], y[0], y[1]};
    for (int j = 0; j < COUNT(drop); j++)
        agn_release(drop[j]);
    agn_fn_release(f), agn_fn_release(g);
}

static void test_functions(void)
{
    tally t = {0, 0};
    agn_fn *a = NULL, *m = NULL;
    must(agn_fn_new(&a, multiply, NULL, NULL, 2, 1));
    must(agn_fn_new(&m, quarter, NULL, NULL, 2, 1));
    for (int k = 0; k < COUNT(floats); k++)
        for (int i = 0; i < COUNT(methods); i++)
            for (int form = 0; form < 2; form++) {
                int dtype = floats[k];
                agn_krylov_options o = {.size = sizeof o, .method = methods[i].method, .preconditioner = form ? m : NULL};
                agn_tensor *p = matrix_of(dtype, methods[i].definite), *b = random_of(dtype, 2, (int64_t[]){N, 1}, -1, 1);
                agn_tensor *x0 = NULL, *want = NULL, *y = NULL, *grad[2][4] = {{NULL}};
                agn_fn *f = NULL;
                must(agn_mul_c(&x0, b, 0.1));
                must(agn_fn_krylov_solve(&f, a, &o));
                const agn_tensor *in[] = {x0, b, p};
                agn_tensor *d[] = {on_device(x0), on_device(b), on_device(p)};
                must(agn_fn_call(&want, 1, f, in, 3));
                start_counting();
                agn_status st = agn_fn_call(&y, 1, f, (const agn_tensor *const *)d, 3);
                check_copies(&t, methods[i].name);
                double tol = dtype == AGN_F32 || dtype == AGN_C64 ? 1e-4 : 1e-9;
                if (st)
                    check(&t, false, "%s of %s: %s", methods[i].name, agn_dtype_name(dtype), agn_error_message());
                else
                    check(&t, relative(y, want) <= tol, "%s of %s, form %d: %g", methods[i].name,
                          agn_dtype_name(dtype), form, relative(y, want));
                agn_fn *back_to = NULL; /* the cotangent is a solve with the adjoint */
                must(agn_fn_vjp(&back_to, f));
                must(agn_fn_call(grad[0], 4, back_to, (const agn_tensor *[]){x0, b, p, want}, 4));
                st = y ? agn_fn_call(grad[1], 4, back_to, (const agn_tensor *[]){d[0], d[1], d[2], y}, 4) : st;
                for (int j = 2; j < 4; j++) {
                    bool near = !st && relative(grad[1][j], grad[0][j]) <= 10 * tol;
                    check(&t, near, "cotangent %d of %s of %s: %s", j, methods[i].name, agn_dtype_name(dtype),
                          st ? agn_error_message() : "differs");
                }
                agn_tensor *drop[] = {p, b, x0, want, y, d[0], d[1], d[2]};
                for (int j = 0; j < COUNT(drop); j++)
                    agn_release(drop[j]);
                for (int j = 0; j < 8; j++)
                    agn_release(grad[j / 4][j % 4]);
                agn_fn_release(f), agn_fn_release(back_to);
            }
    agn_fn_release(a), agn_fn_release(m);
    tell(&t, "solves with a function on the device, and their cotangents");
}

/* sums of several blocks; what fails is told */
static void test_ends(void)
{
    static double v[2][LONG];
    for (int i = 0; i < LONG; i++)
        v[0][i] = 1 + i % 7, v[1][i] = sin(i);
    agn_tensor *diagonal = of_reals(AGN_F64, 1, (int64_t[]){LONG}, v[0]), *b = of_reals(AGN_F64, 1, (int64_t[]){LONG}, v[1]);
    agn_tensor *dd = on_device(diagonal), *db = on_device(b), *a = NULL, *y[2] = {NULL}, *h[2], *want;
    must(agn_div(&want, b, diagonal));
    must(agn_sparse_diags(&a, (const agn_tensor *[]){dd}, (int64_t[]){0}, 1, LONG, LONG));
    agn_krylov_options o = {.size = sizeof o, .method = AGN_KRYLOV_CG};
    for (int i = 0; i < 2; i++)
        must(agn_krylov_solve(&y[i], NULL, a, db, NULL, &o));
    ok(relative(y[0], want) <= 1e-9, "a long vector: %g", relative(y[0], want));
    h[0] = on_host(y[0]), h[1] = on_host(y[1]);
    ok(same_values(h[0], h[1]), "the same bits again");
    for (int i = 0; i < 2; i++)
        agn_release(y[i]), agn_release(h[i]);
    agn_release(a), agn_release(dd), agn_release(db);

    v[1][LONG - 1] = (double)NAN;
    agn_tensor *bad = of_reals(AGN_F64, 1, (int64_t[]){LONG}, v[1]);
    dd = on_device(diagonal), db = on_device(bad);
    must(agn_sparse_diags(&a, (const agn_tensor *[]){dd}, (int64_t[]){0}, 1, LONG, LONG));
    agn_tensor *none = NULL;
    is_int(agn_krylov_solve(&none, NULL, a, db, NULL, &o), AGN_EDOMAIN, "a right-hand side with a NaN");
    agn_release(a), agn_release(db);
    agn_tensor *neg;
    must(agn_neg(&neg, dd));
    db = on_device(b);
    must(agn_sparse_diags(&a, (const agn_tensor *[]){neg}, (int64_t[]){0}, 1, LONG, LONG));
    is_int(agn_krylov_solve(&none, NULL, a, db, NULL, &o), AGN_EDOMAIN, "a matrix that is not definite");
    o.max_iterations = 2, o.method = AGN_KRYLOV_GMRES;
    is_int(agn_krylov_solve(&none, NULL, a, db, NULL, &o), AGN_ENOCONV, "too few iterations");
    ok(!none, "and there is no result");
    agn_tensor *drop[] = {a, dd, db, neg, bad, diagonal, b, want};
    for (int j = 0; j < COUNT(drop); j++)
        agn_release(drop[j]);
}

/* ---- eigenpairs and singular values ------------------------------------------------------------ */

enum { FIND_EIGSH, FIND_EIGS, FIND_SVDS, FINDS };
static const char *const finders[FINDS] = {"eigsh", "eigs", "svds"};
enum { WANTED = 3 };

static agn_status find_pairs(int which, agn_tensor **y, agn_eigen_info *info, const agn_tensor *a,
                             const agn_eigen_options *o)
{
    return which == FIND_EIGSH  ? agn_eigsh(&y[0], &y[1], info, a, WANTED, o)
           : which == FIND_EIGS ? agn_eigs(&y[0], &y[1], info, a, WANTED, o)
                                : agn_svds(&y[1], &y[0], &y[2], info, a, WANTED, o);
}

/* values far apart on the diagonal, a little beside it; Hermitian for eigsh */
static agn_tensor *spread_matrix(int which, int dtype, int64_t rows, int64_t cols)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *r = random_of(dtype, 2, (int64_t[]){rows, cols}, -0.05, 0.05), *out = NULL;
    const agn_tensor *a = r, *d = ag_exp(s, ag_mul_c(s, ag_arange(s, AGN_F64, 0, (double)cols, 1), -0.35));
    if (which == FIND_EIGSH)
        a = ag_add(s, r, ag_conj(s, ag_swapaxes(s, r, 0, 1)));
    a = ag_add(s, a, ag_cast(s, ag_mul_c(s, ag_mul(s, ag_eye(s, AGN_F64, rows, cols, 0), d), 9), dtype));
    agn_scope_return(s, &out, a);
    must(agn_scope_close(s));
    agn_release(r);
    return out;
}

/* The basis and the products stay on the device: nothing goes to the host's table, copies are the small
   matrices', and the vectors that were found, for their signs. */
static void test_pairs(void)
{
    tally t = {0, 0};
    for (int which = 0; which < FINDS; which++)
        for (int k = 0; k < COUNT(floats); k++)
            for (int sparse = 0; sparse < 2; sparse++) {
                int dtype = floats[k];
                int64_t rows = which == FIND_SVDS && k % 2 ? N / 2 : N;
                agn_tensor *a = spread_matrix(which, dtype, rows, which == FIND_SVDS ? N - 7 : N), *da = on_device(a);
                agn_tensor *csr[2] = {a, da}, *want[3] = {NULL}, *y[3] = {NULL};
                agn_eigen_options o = {.size = sizeof o, .basis = 12};
                agn_eigen_info near = {.size = sizeof near}, far = {.size = sizeof far};
                int64_t before, after;
                if (sparse) {
                    must(agn_sparse_from_dense(&csr[0], a));
                    must(agn_sparse_from_dense(&csr[1], da));
                }
                must(find_pairs(which, want, &near, csr[0], &o));
                agn_host_run_count(&before, NULL);
                start_counting();
                agn_status st = find_pairs(which, y, &far, csr[1], &o);
                agn_host_run_count(&after, NULL);
                st = st ? st : agn_device_synchronize(cuda);
                long (*count)(const char *) = NULL;
                *(void **)&count = emulator_symbol("agn_emulator_count");
                long most = count ? count("largest copy to the host") : 0;
                check(&t, !st && after == before, "%s: %s, %lld runs on the host", finders[which],
                      st ? agn_error_message() : "", (long long)(after - before));
                check(&t, which == FIND_EIGS || most <= 16 * N, "%s copies %ld bytes at once", finders[which], most);
                for (int i = 0; i < 2 + (which == FIND_SVDS); i++) {
                    double off = st ? (double)INFINITY : relative(y[i], want[i]);
                    check(&t, off <= 1e3 * tolerance(dtype) && (st || agn_device_of(y[i]) == cuda), "%s %s: result %d off by %g",
                          finders[which], agn_dtype_name(dtype), i, off);
                    agn_release(y[i]), agn_release(want[i]);
                }
                check(&t, abs((int)(near.products - far.products)) <= 12 && far.converged == WANTED, "%lld products, not %lld",
                      (long long)far.products, (long long)near.products);
                for (int i = 0; i < 2 && sparse; i++)
                    agn_release(csr[i]);
                agn_release(a), agn_release(da);
            }
    tell(&t, "eigenpairs and singular values");
}

/* the sum of all values and of sines of the vectors */
static agn_status sum_pairs(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    int which = *(const int *)user;
    agn_tensor *y[3] = {NULL};
    agn_status st = find_pairs(which, y, NULL, in[0], NULL);
    out[0] = ag_lit(s, 0);
    for (int i = 0; i < 2; i++) {
        const agn_tensor *x = agn_scope_adopt(s, st, &y[i]);
        x = st || agn_dtype_of(x) != AGN_C128 ? x : ag_real(s, ag_mul(s, x, ag_conj(s, x)));
        out[0] = ag_add(s, out[0], ag_sum_all(s, i ? ag_sin(s, ag_square(s, x)) : x));
    }
    agn_release(y[2]);
    return agn_scope_status(s);
}

static void test_pair_gradients(void)
{
    tally t = {0, 0};
    for (int which = 0; which < FINDS; which++) {
        agn_tensor *a = spread_matrix(which, AGN_F64, N / 2, N / 2), *da = on_device(a), *want = NULL, *y = NULL;
        agn_fn *f, *g;
        int32_t first = 0;
        must(agn_fn_new(&f, sum_pairs, &which, NULL, 1, 1));
        must(agn_fn_grad(&g, f, &first, 1));
        must(agn_fn_call(&want, 1, g, (const agn_tensor *[]){a}, 1));
        int64_t before, after;
        agn_host_run_count(&before, NULL);
        agn_status st = agn_fn_call(&y, 1, g, (const agn_tensor *[]){da}, 1);
        agn_host_run_count(&after, NULL);
        st = st ? st : agn_device_synchronize(cuda);
        double off = st ? (double)INFINITY : relative(y, want);
        check(&t, off <= 1e-9 && after == before, "gradient of %s: %g off, %lld runs on the host: %s", finders[which], off,
              (long long)(after - before), st ? agn_error_message() : "");
        agn_release(a), agn_release(da), agn_release(want), agn_release(y);
        agn_fn_release(f), agn_fn_release(g);
    }
    tell(&t, "their gradients");
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    test_matrices();
    test_least_squares();
    test_least_gradient();
    test_functions();
    test_ends();
    test_pairs();
    test_pair_gradients();
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    return done();
}
