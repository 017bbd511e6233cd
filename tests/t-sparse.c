/* t-sparse - patterns and values, products and solves: against dense loops, in every
   mode, one factorisation for a value and its derivatives, and every documented
   failure. */
#include "modes.h"

#include <dlfcn.h>
#include <suitesparse/cholmod.h>

/* factorisations are counted on their way to CHOLMOD */
static int n_factor, n_analyze;
#define SEEN __attribute__((visibility("default")))
SEEN int cholmod_l_factorize(cholmod_sparse *a, cholmod_factor *l, cholmod_common *cm)
{
    union {
        void *p;
        int (*f)(cholmod_sparse *, cholmod_factor *, cholmod_common *);
    } next = {dlsym(RTLD_NEXT, "cholmod_l_factorize")};
    n_factor++;
    return next.f(a, l, cm);
}
SEEN cholmod_factor *cholmod_l_analyze(cholmod_sparse *a, cholmod_common *cm)
{
    union {
        void *p;
        cholmod_factor *(*f)(cholmod_sparse *, cholmod_common *);
    } next = {dlsym(RTLD_NEXT, "cholmod_l_analyze")};
    n_analyze++;
    return next.f(a, cm);
}

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

static agn_tensor *ints(int dtype, int64_t n, const int64_t *v)
{
    double *d = room_for((size_t)n * sizeof *d);
    for (int64_t i = 0; i < n; i++)
        d[i] = (double)v[i];
    agn_tensor *x = of_reals(dtype, 1, &n, d);
    free(d);
    return x;
}

/* A random matrix with about the given share of entries; rows shuffled if asked. */
static agn_tensor *random_csr(int dtype, int64_t rows, int64_t cols, double share,
                              bool shuffled)
{
    int64_t *p = room_for((size_t)(rows + 1) * sizeof *p);
    int64_t *ix = room_for((size_t)(rows * cols + 1) * sizeof *ix), nnz = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++)
            if (rnd_in(0, 1) < share &&
                (share >= 1 || i % 5 != 3)) /* some rows are empty */
                ix[nnz++] = j;
        p[i + 1] = nnz;
        for (int64_t e = p[i + 1] - 1; shuffled && e > p[i]; e--) {
            int64_t f = p[i] + rnd_below(e - p[i] + 1), t = ix[e];
            ix[e] = ix[f];
            ix[f] = t;
        }
    }
    agn_tensor *tp = ints(AGN_I64, rows + 1, p), *ti = ints(AGN_I32, nnz, ix),
               *a = NULL;
    agn_tensor *v = random_of(dtype, 1, &nnz, -1, 1);
    must(agn_sparse_csr(&a, rows, cols, tp, ti, v));
    agn_release(tp);
    agn_release(ti);
    agn_release(v);
    free(p);
    free(ix);
    return a;
}

/* the five-point Laplacian of a k x k grid plus 1 on the diagonal; only the lower
   triangle if asked; complex ones have i below and -i above the diagonal mixed in */
static agn_tensor *grid(int dtype, int64_t k, bool lower)
{
    int64_t n = k * k, nnz = 0, *p = room_for((size_t)(n + 1) * sizeof *p);
    int64_t *ix = room_for((size_t)(5 * n) * sizeof *ix);
    size_t b = agn_dtype_size(dtype);
    char *v = room_for((size_t)(5 * n) * b);
    for (int64_t i = 0; i < n; i++) {
        const int64_t to[5] = {i - k, i % k ? i - 1 : -1, i, (i + 1) % k ? i + 1 : n,
                               i + k};
        for (int m = 0; m < 5; m++)
            if (to[m] >= 0 && to[m] < n && (!lower || to[m] <= i)) {
                double im = kind_of(dtype) == KIND_COMPLEX ? 0.25 * (to[m] < i   ? 1
                                                                     : to[m] > i ? -1
                                                                                 : 0)
                                                           : 0;
                poke(v + (size_t)nnz * b, dtype,
                     to[m] == i ? 5 + 0.1 * (double)(i % 3) : -1, im);
                ix[nnz++] = to[m];
            }
        p[i + 1] = nnz;
    }
    agn_tensor *tp = ints(AGN_I64, n + 1, p), *ti = ints(AGN_I64, nnz, ix), *tv = NULL,
               *a = NULL;
    must(agn_from_host(&tv, dtype, 1, &nnz, v));
    must(agn_sparse_csr(&a, n, n, tp, ti, tv));
    agn_release(tp);
    agn_release(ti);
    agn_release(tv);
    free(p);
    free(ix);
    free(v);
    return a;
}

/* ---- making and products --------------------------------------------------------- */

static void test_products(void)
{
    static const int64_t sizes[][3] = {
        {0, 0, 2}, {0, 3, 2}, {3, 0, 2},   {1, 1, 1},    {4, 3, 0},
        {5, 7, 1}, {7, 5, 3}, {40, 30, 8}, {33, 50, 19}, {900, 60, 5}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int s = 0; s < 4; s++) {
                int64_t rows = sizes[k][0], cols = sizes[k][1], n = sizes[k][2];
                double share = s == 0 ? 0 : s == 1 ? 0.2 : s == 2 ? 0.6 : 1;
                agn_tensor *a = random_csr(dtypes[d], rows, cols, share, s == 2),
                           *dense = NULL, *y = NULL;
                agn_tensor *x0 = random_of(dtypes[d], 2, (int64_t[]){cols, n}, -1, 1);
                agn_tensor *x = laid_out(x0, (k + s) % N_LAYOUTS), *z = NULL,
                           *back = NULL;
                must(agn_sparse_to_dense(&dense, a));
                must(agn_sparse_matmul(&y, a, x));
                must(agn_matmul(&z, dense, x0));
                double e = modes_apart(y, z);
                check(&q,
                      e < (agn_dtype_size(dtypes[d]) /
                                       (kind_of(dtypes[d]) == KIND_COMPLEX ? 2 : 1) ==
                                   4
                               ? 1e-5
                               : 1e-13),
                      "%s [%d,%d] share %g: apart %.1e", agn_dtype_name(dtypes[d]),
                      (int)rows, (int)cols, share, e);
                must(agn_sparse_from_dense(&back, dense));
                agn_tensor *v = NULL, *w = NULL;
                must(agn_sparse_values(&v, a));
                must(agn_sparse_values(&w, back));
                check(&q, same_values(v, w), "to dense and back");
                check(&q,
                      agn_layout_of(a) == AGN_CSR && agn_data(a) == NULL &&
                          !agn_is_watched(a) && !agn_is_symbolic(a) &&
                          agn_numel(a) == rows * cols,
                      "facts of a handle");
                agn_release(a);
                agn_release(dense);
                agn_release(y);
                agn_release(x0);
                agn_release(x);
                agn_release(z);
                agn_release(back);
                agn_release(v);
                agn_release(w);
            }
    tell(&q,
         "products, to and from dense: dtypes, shapes, empty rows, unsorted columns");

    /* unsorted columns are sorted, their values with them */
    agn_tensor *p = ints(AGN_I32, 3, (int64_t[]){0, 3, 5}),
               *i = ints(AGN_I64, 5, (int64_t[]){2, 0, 1, 2, 1});
    agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){5}, (double[]){1, 2, 3, 4, 5}),
               *a = NULL, *w = NULL;
    agn_tensor *ip = NULL, *ii = NULL, *g = NULL, *wv = NULL;
    must(agn_watch(&wv, v));
    must(agn_sparse_csr(&a, 2, 3, p, i, wv));
    must(agn_sparse_values(&w, a));
    must(agn_sparse_indptr(&ip, a));
    must(agn_sparse_indices(&ii, a));
    const double vals[] = {2, 3, 1, 5, 4};
    const int64_t cols[] = {0, 1, 2, 1, 2};
    bool same = true;
    for (int e = 0; e < 5; e++)
        same = same && peek(w, e) == vals[e] && peek_int(ii, e) == cols[e];
    ok(same && peek_int(ip, 1) == 3, "columns are sorted, values move along");
    ok(agn_is_watched(a) && agn_is_watched(w), "a matrix of watched values is watched");
    char text[400];
    size_t need = 0;
    must(agn_format(text, sizeof text, &need, a));
    is_str(
        text,
        "csr f64 [2,3], 5 entries\nindptr  [0 3 5]\nindices [0 1 2 1 2]\nvalues  [2. 3. 1. 5. 4.]",
        "printed as its parts");
    is_int((int64_t)need, (int64_t)strlen(text) + 1, "the length it needs");
    char few[12];
    must(agn_format(few, sizeof few, &need, a));
    is_str(few, "csr f64 [2,", "cut off where there is no room");
    agn_tensor *sq = NULL, *sum = NULL, *dn = NULL;
    must(agn_sparse_to_dense(&dn, a));
    must(agn_mul(&sq, dn, dn));
    must(agn_sum_all(&sum, sq));
    must(agn_gradient(&g, (const agn_tensor *const *)&sum, 1,
                      (const agn_tensor *const *)&wv, 1, NULL));
    same = true;
    for (int e = 0; e < 5; e++)
        same = same && peek(g, e) == 2 * (e + 1);
    ok(same, "the gradient comes in the order that was given");
    agn_release(ip); /* views outlive the matrix */
    agn_release(a);
    ok(peek_int(ii, 4) == 2, "indices outlive the matrix");
    agn_release(ii);
    agn_release(p);
    agn_release(i);
    agn_release(v);
    agn_release(w);
    agn_release(wv);
    agn_release(dn);
    agn_release(sq);
    agn_release(sum);
    agn_release(g);

    /* batches of values, vectors, and dtypes that meet */
    tally b = {0, 0};
    a = random_csr(AGN_F64, 4, 3, 0.7, false);
    int64_t nnz;
    w = NULL;
    must(agn_sparse_values(&w, a));
    nnz = agn_numel(w);
    agn_tensor *many = random_of(AGN_F64, 2, (int64_t[]){5, nnz}, -1, 1), *am = NULL,
               *y = NULL, *z = NULL;
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1), *d = NULL;
    must(agn_sparse_with_values(&am, a, many));
    check(&b, has_shape(am, 3, (int64_t[]){5, 4, 3}), "shape of a batch");
    must(agn_sparse_matmul(&y, am, x));
    must(agn_sparse_to_dense(&d, am));
    must(agn_matmul(&z, d, x));
    check(&b, modes_apart(y, z) < 1e-14 && has_shape(y, 2, (int64_t[]){5, 4}),
          "batch of values, one vector");
    agn_release(y);
    agn_release(z);
    agn_release(d);
    agn_release(x);
    x = random_of(AGN_C64, 4, (int64_t[]){2, 5, 3, 2}, -1, 1);
    y = z = d = NULL;
    must(agn_sparse_matmul(&y, am, x));
    must(agn_sparse_to_dense(&d, am));
    must(agn_matmul(&z, d, x));
    check(&b, agn_dtype_of(y) == AGN_C128 && modes_apart(y, z) < 1e-14,
          "f64 and c64 meet in c128, batches broadcast");
    tell(&b, "batches, vectors, dtypes");
    agn_release(y);
    agn_release(z);
    agn_release(d);
    agn_release(x);
    agn_release(am);
    agn_release(many);
    agn_release(w);
    agn_release(a);

    /* the same bits for any number of threads, and all rows of a large one */
    uint64_t h[3] = {0};
    a = random_csr(AGN_F64, 3000, 300, 0.05, false);
    x = random_of(AGN_F64, 2, (int64_t[]){300, 20}, -1, 1);
    int32_t width = agn_threads();
    for (int k = 0; k < 3; k++) {
        must(agn_threads_set(k + 1));
        y = NULL;
        must(agn_sparse_matmul(&y, a, x));
        h[k] = hash_of(y);
        agn_release(y);
    }
    must(agn_threads_set(width));
    ok(h[0] == h[1] && h[1] == h[2], "the same bits on 1, 2 and 3 threads");
    agn_release(a);
    agn_release(x);
}

/* ---- solves ---------------------------------------------------------------------- */

static const agn_sparse_solver by_lower = {.size = sizeof(agn_sparse_solver),
                                           .method = AGN_SPARSE_CHOLESKY_LOWER};

static void test_solve(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int64_t k = 1; k < 14; k += 4)
            for (int lower = 0; lower < 2; lower++)
                for (int cols = 0; cols < 4; cols++) {
                    agn_tensor *a = grid(dtypes[d], k, lower),
                               *full = grid(dtypes[d], k, false);
                    agn_tensor *x = NULL, *y = NULL;
                    int64_t n = k * k, s[] = {n, cols};
                    agn_tensor *b0 = random_of(dtypes[d], cols ? 2 : 1, s, -1, 1),
                               *b = laid_out(b0, cols % N_LAYOUTS);
                    must(lower ? agn_sparse_solve_with(&x, a, b, &by_lower)
                               : agn_sparse_solve(&x, a, b));
                    must(agn_sparse_matmul(&y, full, x));
                    double e = modes_apart(y, b0);
                    check(&q,
                          e < (dtypes[d] == AGN_F32 || dtypes[d] == AGN_C64 ? 1e-5
                                                                            : 1e-13),
                          "%s order %d lower %d: residual %.1e",
                          agn_dtype_name(dtypes[d]), (int)n, lower, e);
                    agn_release(a);
                    agn_release(full);
                    agn_release(x);
                    agn_release(y);
                    agn_release(b);
                    agn_release(b0);
                }
    tell(&q, "solve: a x = b, dtypes, both triangles or the lower one");
    /* dense enough for supernodes: the same answer and gradient as a dense solve */
    for (int c = 0; c < 2; c++) {
        int dtype = c ? AGN_C128 : AGN_F64;
        int64_t n = 90, shape[] = {n, n};
        agn_tensor *r = random_of(dtype, 2, shape, -1, 1),
                   *b1 = random_of(dtype, 2, (int64_t[]){n, 3}, -1, 1);
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *rh = ag_transpose(s, r), *eye = ag_eye(s, dtype, n, n, 0);
        if (c)
            rh = ag_conj(s, rh);
        const agn_tensor *m = ag_add(s, ag_matmul(s, r, rh), ag_mul_c(s, eye, 10));
        agn_tensor *w = NULL, *gd = NULL, *gs = NULL;
        must(agn_scope_status(s));
        must(agn_watch(&w, m));
        const agn_tensor *h = c ? ag_conj(s, ag_transpose(s, w)) : ag_transpose(s, w);
        const agn_tensor *both = ag_mul_c(s, ag_add(s, w, h), 0.5);
        const agn_tensor *xd = ag_linalg_solve(s, both, b1);
        const agn_tensor *xs = ag_sparse_solve(s, ag_sparse_from_dense(s, both), b1);
        must(agn_scope_status(s));
        check(&q, modes_apart(xs, xd) < 1e-12,
              "a dense matrix in sparse form: apart %.1e", modes_apart(xs, xd));
        must(agn_gradient(&gd, &xd, 1, (const agn_tensor *const *)&w, 1, NULL));
        must(agn_gradient(&gs, &xs, 1, (const agn_tensor *const *)&w, 1, NULL));
        check(&q, modes_apart(gs, gd) < 1e-12, "and its gradient: apart %.1e",
              modes_apart(gs, gd));
        agn_tensor *all[] = {r, b1, w, gd, gs};
        for (int k = 0; k < COUNT(all); k++)
            agn_release(all[k]);
        must(agn_scope_close(s));
    }
    tell(&q, "solve: supernodes");
    agn_tensor *a = random_csr(AGN_F64, 0, 0, 1, false),
               *b = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1), *x = NULL;
    must(agn_sparse_solve(&x, a, b));
    ok(has_shape(x, 2, (int64_t[]){0, 3}), "a system without equations");
    agn_release(a);
    agn_release(b);
    agn_release(x);
    /* batches of values on one pattern: one analysis */
    a = grid(AGN_F64, 3, false);
    agn_tensor *v = NULL, *two = NULL, *both = NULL, *am = NULL, *y = NULL, *z = NULL;
    must(agn_sparse_values(&v, a));
    must(agn_mul_c(&two, v, 2));
    must(agn_stack(&both, (const agn_tensor *[]){v, two}, 2, 0));
    must(agn_sparse_with_values(&am, a, both));
    b = random_of(AGN_F64, 2, (int64_t[]){9, 2}, -1, 1);
    n_analyze = 0;
    x = NULL;
    must(agn_sparse_solve(&x, am, b));
    must(agn_sparse_matmul(&y, am, x));
    must(agn_broadcast_to(&z, b, 3, (int64_t[]){2, 9, 2}));
    ok(modes_apart(y, z) < 1e-13, "a batch of matrices, right-hand sides shared");
    agn_release(x);
    x = NULL;
    must(agn_sparse_solve(&x, a, b));
    is_int(n_analyze, 1, "one analysis for a pattern");
    agn_release(a);
    agn_release(am);
    agn_release(b);
    agn_release(v);
    agn_release(two);
    agn_release(both);
    agn_release(x);
    agn_release(y);
    agn_release(z);
}

/* ---- derivatives ----------------------------------------------------------------- */

enum { MATMUL, SOLVE, SOLVE_LOWER, SOLVE_SQUARED, DENSE, AT };
typedef struct given {
    const agn_tensor *a;
    int what;
} given;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const given *g = user;
    const agn_tensor *v = in[0], *a;
    if (g->what == SOLVE_SQUARED) /* values that are computed: definite still */
        v = ag_mul(s, v, ag_add_c(s, ag_mul_c(s, v, 0.01), 1));
    a = g->what == AT ? NULL : ag_sparse_with_values(s, g->a, v);
    switch (g->what) {
    case MATMUL:
        out[0] = ag_sparse_matmul(s, a, in[1]);
        break;
    case DENSE:
        out[0] = ag_sparse_to_dense(s, a);
        out[0] = ag_mul(s, out[0], out[0]);
        break;
    case SOLVE:
        out[0] = ag_sparse_solve(s, a, in[1]);
        break;
    default:
        out[0] = ag_sparse_solve_with(s, a, in[1], &by_lower);
    }
    return agn_scope_status(s);
}

static void test_modes(void)
{
    for (int c = 0; c < 2; c++) {
        int dtype = c ? AGN_C128 : AGN_F64;
        agn_tensor *a = random_csr(dtype, 4, 3, 0.6, false), *v = NULL;
        agn_tensor *x = random_of(dtype, 2, (int64_t[]){3, 2}, -1, 1);
        agn_tensor *x1 = random_of(dtype, 1, (int64_t[]){3}, -1, 1);
        must(agn_sparse_values(&v, a));
        char name[96];
        static const char *const what[] = {"matmul", "solve", "solve by the lower triangle",
                                           "solve of computed values", "to_dense"};
        for (int k = 0; k < 3; k++) {
            given g = {a, k == 2 ? DENSE : MATMUL};
            const agn_tensor *in[2] = {v, k ? x1 : x};
            agn_fn *f = NULL;
            must(agn_fn_new(&f, body, &g, NULL, k == 2 ? 1 : 2, 1));
            snprintf(name, sizeof name, "%s, %s%s", what[g.what], agn_dtype_name(dtype),
                     k == 1 ? ", a vector" : "");
            in_every_mode(f, k == 2 ? 1 : 2, in, 1e-2, 1e-9, name);
            agn_fn_release(f);
        }
        agn_release(a);
        agn_release(v);
        agn_release(x);
        agn_release(x1);
        for (int k = 0; k < 3; k++) {
            a = grid(dtype, 2, k != 1);
            v = NULL;
            must(agn_sparse_values(&v, a));
            x = random_of(dtype, k == 2 ? 1 : 2, (int64_t[]){4, 2}, -1, 1);
            given g = {a, k == 2 ? SOLVE_SQUARED : k == 1 ? SOLVE : SOLVE_LOWER};
            const agn_tensor *in[2] = {v, x};
            agn_fn *f = NULL;
            must(agn_fn_new(&f, body, &g, NULL, 2, 1));
            snprintf(name, sizeof name, "%s, %s%s", what[g.what], agn_dtype_name(dtype),
                     k == 1 ? ", both triangles" : "");
            in_every_mode(f, 2, in, 1e-2, 1e-9, name);
            if (k == 1) {
                /* d<w, x>/dv: an entry of the lower triangle stands for both, the upper
                   for none */
                agn_tensor *wv = NULL, *y = NULL, *gr = NULL, *aw = NULL, *ix = NULL,
                           *ip = NULL;
                must(agn_watch(&wv, v));
                must(agn_sparse_with_values(&aw, a, wv));
                must(agn_sparse_solve_with(&y, aw, x, &by_lower));
                must(agn_gradient(&gr, (const agn_tensor *const *)&y, 1,
                                  (const agn_tensor *const *)&wv, 1, NULL));
                must(agn_sparse_indptr(&ip, a));
                must(agn_sparse_indices(&ix, a));
                bool good = true;
                for (int64_t i = 0; i < 4; i++)
                    for (int64_t e = peek_int(ip, i); e < peek_int(ip, i + 1); e++)
                        good = good && (peek_int(ix, e) > i) == (peekz(gr, e) == 0);
                ok(good, "%s: the gradient lies in the lower triangle", name);
                agn_release(wv);
                agn_release(y);
                agn_release(gr);
                agn_release(aw);
                agn_release(ix);
                agn_release(ip);
            }
            agn_fn_release(f);
            agn_release(a);
            agn_release(v);
            agn_release(x);
        }
    }
}

static void test_one_factorisation(bool lower)
{
    agn_tensor *a = grid(AGN_F64, 5, lower), *v = NULL,
               *b = random_of(AGN_F64, 2, (int64_t[]){25, 2}, -1, 1);
    agn_tensor *one = NULL, *out[8] = {NULL};
    must(agn_sparse_values(&v, a));
    given g = {a, lower ? SOLVE_LOWER : SOLVE};
    agn_fn *f = NULL, *gr = NULL, *h = NULL, *jet = NULL;
    must(agn_fn_new(&f, body, &g, NULL, 2, 1));
    must(agn_full(&one, AGN_F64, 2, (int64_t[]){25, 2}, 1));
    const agn_tensor *w[1] = {one}, *in[4] = {v, b, v, b};
    modes_scalar s = {f, 0, 1, 2, 0, w, NULL};
    gr = modes_gradient(&s);
    must(agn_fn_jvp(&h, gr));
    n_factor = n_analyze = 0;
    must(agn_fn_call(out, agn_fn_n_out(h), h, in, 4));
    is_int(n_factor, 1, "value, gradient and second derivative: one factorisation");
    is_int(n_analyze, 1, "and one analysis");
    for (int i = 0; i < 4; i++)
        agn_release(out[i]);
    must(agn_fn_jet(&jet, f, 3));
    agn_tensor *v2 = NULL;
    must(agn_mul_c(&v2, v, 1.5));
    for (int k = 0; k < 2; k++) {
        const agn_tensor *u = k ? v2 : v, *c[8] = {u, u, u, u, b, b, b, b};
        n_factor = n_analyze = 0;
        must(agn_fn_call(out, agn_fn_n_out(jet), jet, c, agn_fn_n_in(jet)));
        is_int(n_factor, k, "Taylor coefficients to order 3, %s",
               k ? "other values: one factorisation" : "values seen before: none");
        is_int(n_analyze, 0, "and no further analysis");
        for (int i = 0; i < 4; i++)
            agn_release(out[i]);
    }
    agn_release(v2);
    agn_fn_release(f);
    agn_fn_release(gr);
    agn_fn_release(h);
    agn_fn_release(jet);
    agn_release(a);
    agn_release(v);
    agn_release(b);
    agn_release(one);
}

/* ---- failures -------------------------------------------------------------------- */

static agn_status identity(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)s;
    out[0] = user ? user : in[0];
    return AGN_OK;
}
static agn_status reads_values(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sparse_to_dense(s, ag_sparse_from_dense(s, in[0]));
    return agn_scope_status(s);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched;
    agn_tensor *p = ints(AGN_I64, 3, (int64_t[]){0, 2, 3}),
               *i = ints(AGN_I64, 3, (int64_t[]){0, 2, 1});
    agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3});
    agn_tensor *flat = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1),
               *num = scalar_of(AGN_F64, 1);
    agn_tensor *a = NULL, *iv = ints(AGN_I64, 3, (int64_t[]){1, 2, 3});
    must(agn_sparse_csr(&a, 2, 3, p, i, v));
#define CSR(r, c, p_, i_, v_, st, m1, m2)                                           \
    check(&q,                                                                       \
          refused(agn_sparse_csr(&out, r, c, p_, i_, v_), st, "sparse_csr", m1, m2, \
                  out),                                                             \
          "csr: " m1)
#define BAD(name, call, st, m1, m2) \
    check(&q, refused(call, st, name, m1, m2, out), #call)
    CSR(2, 3, NULL, i, v, AGN_ENULL, "indptr", NULL);
    CSR(2, 3, p, NULL, v, AGN_ENULL, "indices", NULL);
    CSR(2, 3, p, i, NULL, AGN_ENULL, "values", NULL);
    CSR(-1, 3, p, i, v, AGN_ESHAPE, "[-1,3]", NULL);
    CSR(2, -3, p, i, v, AGN_ESHAPE, "[2,-3]", NULL);
    CSR(INT64_MAX, 3, p, i, v, AGN_ESHAPE, "9223372036854775807", NULL);
    CSR(3, 3, p, i, v, AGN_ESHAPE, "[3]", "need 4");
    CSR(2, 3, flat, i, v, AGN_EDTYPE, "indptr is f64", NULL);
    CSR(2, 3, p, flat, v, AGN_EDTYPE, "indices is f64", NULL);
    CSR(2, 3, p, i, num, AGN_ESHAPE, "[]", "3 entries");
    agn_tensor *wide = random_of(AGN_F64, 2, (int64_t[]){2, 4}, -1, 1);
    CSR(2, 3, p, i, wide, AGN_ESHAPE, "[2,4]", "3 entries");
    agn_release(wide);
    CSR(2, 3, p, i, a, AGN_EUNSUPPORTED, "sparse", NULL);
    static const struct {
        int64_t p[3], i[3];
        agn_status st;
        const char *a, *b;
    } wrong[] = {
        {{1, 2, 3}, {0, 2, 1}, AGN_EARG, "from 1 to 3", "3 indices"},
        {{0, 2, 4}, {0, 2, 1}, AGN_EARG, "from 0 to 4", "3 indices"},
        {{0, 4, 3}, {0, 2, 1}, AGN_EARG, "falls at row 1", "4, then 3"},
        {{0, -1, 3}, {0, 2, 1}, AGN_EARG, "falls at row 0", "0, then -1"},
        {{0, 2, 3}, {0, 3, 1}, AGN_EINDEX, "entry 1 has column 3", "3 columns"},
        {{0, 2, 3}, {0, -1, 1}, AGN_EINDEX, "entry 1 has column -1", "3 columns"},
        {{0, 3, 3}, {0, 2, 0}, AGN_EARG, "[0,0] is there twice", "0 and 2"}};
    for (int k = 0; k < COUNT(wrong); k++) {
        agn_tensor *wp = ints(AGN_I64, 3, wrong[k].p),
                   *wi = ints(AGN_I64, 3, wrong[k].i);
        check(&q,
              refused(agn_sparse_csr(&out, 2, 3, wp, wi, v), wrong[k].st, "sparse_csr",
                      wrong[k].a, wrong[k].b, out),
              "pattern %d", k);
        agn_release(wp);
        agn_release(wi);
    }
    check(&q, agn_sparse_csr(NULL, 2, 3, p, i, v) == AGN_ENULL, "out");
    check(&q,
          agn_sparse_with_values(NULL, a, v) == AGN_ENULL &&
              agn_sparse_values(NULL, a) == AGN_ENULL &&
              agn_sparse_indptr(NULL, a) == AGN_ENULL &&
              agn_sparse_indices(NULL, a) == AGN_ENULL &&
              agn_sparse_from_dense(NULL, v) == AGN_ENULL &&
              agn_sparse_to_dense(NULL, a) == AGN_ENULL &&
              agn_sparse_matmul(NULL, a, v) == AGN_ENULL &&
              agn_sparse_solve(NULL, a, v) == AGN_ENULL,
          "out");
    BAD("sparse_with_values", agn_sparse_with_values(&out, NULL, v), AGN_ENULL,
        "a is NULL", NULL);
    BAD("sparse_with_values", agn_sparse_with_values(&out, a, NULL), AGN_ENULL,
        "values is NULL", NULL);
    BAD("sparse_with_values", agn_sparse_with_values(&out, v, v), AGN_EUNSUPPORTED,
        "dense", "[3]");
    BAD("sparse_with_values", agn_sparse_with_values(&out, a, a), AGN_EUNSUPPORTED,
        "sparse", "[2,3]");
    BAD("sparse_with_values", agn_sparse_with_values(&out, a, num), AGN_ESHAPE, "[]",
        "3 entries");
    BAD("sparse_values", agn_sparse_values(&out, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD("sparse_values", agn_sparse_values(&out, v), AGN_EUNSUPPORTED, "dense", "[3]");
    BAD("sparse_indptr", agn_sparse_indptr(&out, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD("sparse_indptr", agn_sparse_indptr(&out, v), AGN_EUNSUPPORTED, "dense", "[3]");
    BAD("sparse_indices", agn_sparse_indices(&out, NULL), AGN_ENULL, "a is NULL", NULL);
    BAD("sparse_indices", agn_sparse_indices(&out, v), AGN_EUNSUPPORTED, "dense",
        "[3]");
    BAD("sparse_to_dense", agn_sparse_to_dense(&out, NULL), AGN_ENULL, "a is NULL",
        NULL);
    BAD("sparse_to_dense", agn_sparse_to_dense(&out, v), AGN_EUNSUPPORTED, "dense",
        "[3]");
    BAD("sparse_from_dense", agn_sparse_from_dense(&out, NULL), AGN_ENULL, "x is NULL",
        NULL);
    BAD("sparse_from_dense", agn_sparse_from_dense(&out, v), AGN_ESHAPE, "[3]",
        "1 axes");
    BAD("sparse_from_dense", agn_sparse_from_dense(&out, iv), AGN_ESHAPE, "[3]", NULL);
    BAD("sparse_from_dense", agn_sparse_from_dense(&out, a), AGN_EUNSUPPORTED, "sparse",
        NULL);
    agn_tensor *whole = random_of(AGN_I64, 2, (int64_t[]){2, 2}, -3, 3);
    BAD("sparse_matmul", agn_sparse_matmul(&out, NULL, v), AGN_ENULL, "a is NULL",
        NULL);
    BAD("sparse_matmul", agn_sparse_matmul(&out, a, NULL), AGN_ENULL, "x is NULL",
        NULL);
    BAD("sparse_matmul", agn_sparse_matmul(&out, v, v), AGN_EUNSUPPORTED, "dense",
        "[3]");
    BAD("sparse_matmul", agn_sparse_matmul(&out, a, a), AGN_ESHAPE, "a is [2,3]",
        "x is [2,3]");
    BAD("sparse_matmul", agn_sparse_matmul(&out, a, flat), AGN_ESHAPE, "[2,3]",
        "x is [2,3]");
    BAD("sparse_matmul", agn_sparse_matmul(&out, a, num), AGN_ESHAPE, "[2,3]",
        "x is []");
    agn_tensor *b2 = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1), *ab = NULL;
    agn_tensor *x3 = random_of(AGN_F64, 3, (int64_t[]){4, 3, 1}, -1, 1);
    must(agn_sparse_with_values(&ab, a, b2));
    BAD("sparse_matmul", agn_sparse_matmul(&out, ab, x3), AGN_ESHAPE, "[2,2,3]", "[4,3,1]");
    BAD("sparse_solve", agn_sparse_solve(&out, NULL, v), AGN_ENULL, "a is NULL", NULL);
    BAD("sparse_solve", agn_sparse_solve(&out, a, NULL), AGN_ENULL, "b is NULL", NULL);
    BAD("sparse_solve", agn_sparse_solve(&out, v, v), AGN_EUNSUPPORTED, "dense", "[3]");
    BAD("sparse_solve", agn_sparse_solve(&out, a, a), AGN_EUNSUPPORTED, "sparse",
        "[2,3]");
    BAD("sparse_solve", agn_sparse_solve(&out, a, v), AGN_ESHAPE, "[2,3]", "3 entries");
    agn_tensor *g = grid(AGN_F64, 2, false), *gv = NULL;
    must(agn_sparse_values(&gv, g));
    BAD("sparse_solve", agn_sparse_solve(&out, g, v), AGN_ESHAPE, "[4,4]", "[3]");
    BAD("sparse_solve", agn_sparse_solve(&out, g, num), AGN_ESHAPE, "[4,4]", "[]");
    /* patterns: an entry above without its mirror image */
    agn_tensor *up = ints(AGN_I64, 4, (int64_t[]){0, 2, 3, 4}),
               *ui = ints(AGN_I64, 4, (int64_t[]){0, 2, 1, 2});
    agn_tensor *uv = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){2, 1, 2, 2}),
               *u = NULL;
    must(agn_sparse_csr(&u, 3, 3, up, ui, uv));
#define SOLVE_LOWER_(a, b) agn_sparse_solve_with(&out, a, b, &by_lower)
    BAD("sparse_solve_with", SOLVE_LOWER_(u, v), AGN_EARG, "[0,2]", "without [2,0]");
    /* values: not definite, not finite, not symmetric */
    agn_tensor *bad = NULL, *gb = NULL;
    void *data = NULL;
    must(agn_copy(&bad, gv));
    must(agn_data_mut(&data, bad));
    agn_tensor *ones = NULL;
    must(agn_full(&ones, AGN_F64, 1, (int64_t[]){4}, 1));
    must(agn_sparse_with_values(&gb, g, bad));
    double *d = data;
    d[4] = -5; /* entry [1,1] */
    BAD("sparse_solve_with", SOLVE_LOWER_(gb, ones), AGN_EDOMAIN,
        "matrix 0 is not positive definite", "of 4");
    d[4] = (double)NAN;
    BAD("sparse_solve", agn_sparse_solve(&out, gb, ones), AGN_EDOMAIN,
        "matrix 0 is not finite", "[1,1]");
    d[4] = 5;
    d[1] = -1.001; /* entry [0,1] */
    BAD("sparse_solve_with", SOLVE_LOWER_(gb, ones), AGN_EDOMAIN, "not symmetric", "[1,0]");
    /* one column fails: it is named as the user knows it */
    agn_tensor *dp = ints(AGN_I64, 4, (int64_t[]){0, 1, 2, 3}),
               *di = ints(AGN_I64, 3, (int64_t[]){0, 1, 2});
    agn_tensor *dv = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2, -1, 2}),
               *diag_ = NULL;
    must(agn_sparse_csr(&diag_, 3, 3, dp, di, dv));
    BAD("sparse_solve_with", SOLVE_LOWER_(diag_, v), AGN_EDOMAIN, "matrix 0",
        "column 1 of 3");
    /* no method factors what has no inverse */
    agn_tensor *row0 = NULL, *sv = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){0, 0, 2, 2});
    must(agn_sparse_csr(&row0, 3, 3, up, ui, sv));
    BAD("sparse_solve", agn_sparse_solve(&out, row0, v), AGN_EDOMAIN, "matrix 0 is singular", NULL);
    agn_release(row0);
    agn_release(sv);

    /* dense ops, transforms, host access */
    BAD("exp", agn_exp(&out, a), AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, agn_to_host(d, a, 48) == AGN_EUNSUPPORTED, "to_host");
    double item;
    check(&q, agn_item_f64(&item, a) == AGN_ESHAPE, "item");
    agn_fn *f = NULL, *gf = NULL, *vm = NULL;
    agn_tensor *res[3];
    must(agn_fn_new(&f, identity, NULL, NULL, 1, 1));
    must(agn_fn_jvp(&gf, f));
    check(&q, agn_fn_call(res, 2, gf, AGN_ARGS(a, a)) == AGN_EUNSUPPORTED,
          "a sparse argument of a transform: %s", agn_error_message());
    agn_fn_release(gf);
    agn_fn_release(f);
    must(agn_fn_new(&f, identity, a, NULL, 1, 1));
    must(agn_fn_jvp(&gf, f));
    check(&q, agn_fn_call(res, 2, gf, AGN_ARGS(v, v)) == AGN_EUNSUPPORTED,
          "a sparse result of a transform: %s", agn_error_message());
    agn_fn_release(gf);
    agn_fn_release(f);
    must(agn_fn_new(&f, reads_values, NULL, NULL, 1, 1));
    must(agn_fn_vmap(&vm, f, NULL, 0, NULL, 0));
    agn_tensor *xs = random_of(AGN_F64, 3, (int64_t[]){2, 3, 3}, -1, 1);
    check(&q, agn_fn_call(res, 1, vm, (const agn_tensor *const *)&xs, 1) == AGN_ESYMBOLIC,
          "a pattern while tracing: %s", agn_error_message());
    agn_fn_release(vm);
    agn_fn_release(f);
    /* primitives by name, without a pattern */
    check(&q,
          agn_op_apply(&out, 1, "sparse_spmm", (const agn_tensor *[]){v, v}, 2,
                       (int64_t[]){0}, 1, NULL, 0) == AGN_EARG,
          "no pattern");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {p,  i,  v,  flat, num, a,  iv,   whole, b2, ab, x3,    g, gv,
                         up, ui, uv, u,    bad, gb, ones, dp,    di, dv, diag_, xs};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- memory ---------------------------------------------------------------------- */

typedef struct making {
    agn_tensor *p, *i, *v, *a, *b;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    switch (m->what) {
    case 0:
        return agn_sparse_csr(out, 2, 3, m->p, m->i, m->v);
    case 1:
        return agn_sparse_with_values(out, m->a, m->b);
    case 2:
        return agn_sparse_to_dense(out, m->a);
    case 3:
        return agn_sparse_indices(out, m->a);
    case 4:
        return agn_sparse_matmul(out, m->a, m->p);
    default:
        break;
    }
    agn_tensor *a = NULL, *y = NULL, *w = NULL, *d = NULL;
    agn_status st = agn_watch(&w, m->b);
    if (!st)
        st = agn_sparse_with_values(&a, m->a, w);
    if (!st && m->what == 5) {
        st = agn_sparse_to_dense(&d, a);
        if (!st)
            st = agn_sparse_from_dense(out, d);
    } else if (!st) {
        st = m->what == 6 ? agn_sparse_solve(&y, a, m->v)
                          : agn_sparse_matmul(&y, a, m->v);
        if (!st)
            st = agn_gradient(out, (const agn_tensor *const *)&y, 1,
                              (const agn_tensor *const *)&w, 1, NULL);
    }
    agn_release(a);
    agn_release(y);
    agn_release(w);
    agn_release(d);
    return st;
}

static void test_memory(void)
{
    static const char *const names[] = {
        "csr, unsorted", "with_values", "to_dense",          "indices",
        "matmul",        "from_dense",  "gradient of solve", "gradient of matmul"};
    making m = {ints(AGN_I64, 3, (int64_t[]){0, 3, 3}),
                ints(AGN_I64, 3, (int64_t[]){2, 0, 1}),
                of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 2, 3}),
                NULL,
                NULL,
                0};
    every_allocation(make, &m, names[0]);
    agn_tensor *g = grid(AGN_F64, 2, false), *gv = NULL,
               *x = random_of(AGN_F64, 1, (int64_t[]){4}, -1, 1);
    must(agn_sparse_values(&gv, g));
    making s = {x, NULL, x, g, gv, 0};
    for (int k = 1; k < COUNT(names); k++) {
        s.what = k;
        every_allocation(make, &s, names[k]);
    }
    agn_tensor *all[] = {m.p, m.i, m.v, g, gv, x};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

int main(void)
{
    test_products();
    test_solve();
    test_modes();
    test_one_factorisation(false);
    test_one_factorisation(true);
    test_failures();
    test_memory();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
