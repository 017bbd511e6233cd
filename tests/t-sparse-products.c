/* t-sparse-products - products with a pattern stored in i32 and in i64: against plain loops
   over dtypes, shapes and hard patterns, and the same bits for any number of threads. */
#include "modes.h"

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

/* Patterns: 0 random, 1 an arrow (a dense row, a dense column, the diagonal), 2 a band,
   3 without entries, 4 full, 5 one dense row among empty ones */
static bool stored(int what, int64_t i, int64_t j)
{
    switch (what) {
    case 0:
        return i % 4 != 2 && rnd_in(0, 1) < 0.15;
    case 1:
        return i == 0 || j == 0 || i == j;
    case 2:
        return i - j <= 2 && j - i <= 3;
    case 3:
        return false;
    case 4:
        return true;
    default:
        return i == 1;
    }
}

static agn_tensor *made(int what, int dtype, int64_t rows, int64_t cols)
{
    int64_t *p = room_for((size_t)(rows + 1) * sizeof *p), nnz = 0;
    int64_t *ix = room_for((size_t)(rows * cols + 1) * sizeof *ix);
    p[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++)
            if (stored(what, i, j))
                ix[nnz++] = j;
        p[i + 1] = nnz;
    }
    agn_tensor *tp = NULL, *ti = NULL, *a = NULL;
    agn_tensor *v = random_of(dtype, 1, &nnz, -1, 1);
    must(agn_from_host(&tp, AGN_I64, 1, (int64_t[]){rows + 1}, p));
    must(agn_from_host(&ti, AGN_I64, 1, &nnz, ix));
    must(agn_sparse_csr(&a, rows, cols, tp, ti, v));
    agn_release(tp);
    agn_release(ti);
    agn_release(v);
    free(p);
    free(ix);
    return a;
}

/* A x or A^T x entry by entry */
static agn_tensor *by_loops(const agn_tensor *a, const agn_tensor *x, bool turned)
{
    agn_tensor *p = NULL, *ix = NULL, *v = NULL, *y = NULL;
    must(agn_sparse_indptr(&p, a));
    must(agn_sparse_indices(&ix, a));
    must(agn_sparse_values(&v, a));
    const int64_t *begin = agn_data(p), *col = agn_data(ix), *shape = agn_shape(a);
    int64_t n = agn_shape(x)[1], m = shape[turned];
    double complex *sum = room_for((size_t)(m * n + 1) * sizeof *sum);
    for (int64_t k = 0; k < m * n; k++)
        sum[k] = 0;
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t e = begin[i]; e < begin[i + 1]; e++)
            for (int64_t k = 0; k < n; k++)
                sum[(turned ? col[e] : i) * n + k] += peekz(v, e) *
                                                      peekz(x,
                                                            (turned ? i : col[e]) * n +
                                                                k);
    int dtype = agn_dtype_of(x);
    size_t b = agn_dtype_size(dtype);
    char *to = room_for((size_t)(m * n + 1) * b);
    for (int64_t k = 0; k < m * n; k++)
        poke(to + (size_t)k * b, dtype, creal(sum[k]), cimag(sum[k]));
    must(agn_from_host(&y, dtype, 2, (int64_t[]){m, n}, to));
    agn_release(p);
    agn_release(ix);
    agn_release(v);
    free(sum);
    free(to);
    return y;
}

static bool narrow(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64;
}

static agn_tensor *times(const agn_tensor *a, const agn_tensor *x, bool turned)
{
    agn_tensor *y = NULL;
    must(turned ? agn_sparse_matmul_t(&y, a, x) : agn_sparse_matmul(&y, a, x));
    return y;
}

static void test_loops(void)
{
    static const int64_t sizes[][2] = {{0, 4}, {4, 0},   {1, 1},
                                       {9, 6}, {30, 47}, {400, 90}};
    static const int64_t columns[] = {0, 1, 2, 3, 8, 13, 32, 64, 75};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int what = 0; what < 6; what += tap_quick() ? 2 : 1) {
                agn_tensor *a = made(what, dtypes[d], sizes[k][0], sizes[k][1]),
                           *w = NULL;
                must(agn_sparse_with_index(&w, a, AGN_I64));
                check(&q,
                      agn_sparse_index_dtype(a) == AGN_I32 &&
                          agn_sparse_index_dtype(w) == AGN_I64,
                      "widths");
                for (int t = 0; t < 2; t++)
                    for (int c = 0; c < COUNT(columns); c++) {
                        int64_t shape[2] = {sizes[k][!t], columns[c]};
                        agn_tensor *x = random_of(dtypes[d], 2, shape, -1, 1);
                        agn_tensor *want = by_loops(a, x, t), *y = times(a, x, t),
                                   *z = times(w, x, t);
                        double e = modes_apart(y, want);
                        check(&q, e < (narrow(dtypes[d]) ? 2e-5 : 1e-13),
                              "%s pattern %d [%d,%d] n %d turned %d: apart %.1e",
                              agn_dtype_name(dtypes[d]), what, (int)sizes[k][0],
                              (int)sizes[k][1], (int)columns[c], t, e);
                        check(&q, same_values(y, z), "i32 and i64: the same bits");
                        agn_release(x);
                        agn_release(y);
                        agn_release(z);
                        agn_release(want);
                    }
                agn_release(a);
                agn_release(w);
            }
    tell(&q, "products against loops: dtypes, shapes, patterns, columns, i32 and i64");
}

/* gradients of sum(A x) in the values: sampled products, and the adjoint */
static void test_threads(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int what = 0; what < 6; what++)
            for (int n = 1; n <= 40; n += 39) {
                agn_tensor *a = made(what, dtypes[d], 700, 900), *v = NULL,
                           *watched = NULL, *b = NULL, *y[3], *g[3], *t[3];
                agn_tensor *x = random_of(dtypes[d], 2, (int64_t[]){900, n}, -1, 1);
                agn_tensor *u = random_of(dtypes[d], 2, (int64_t[]){700, n}, -1, 1);
                must(agn_sparse_values(&v, a));
                must(agn_watch(&watched, v));
                must(agn_sparse_with_values(&b, a, watched));
                for (int k = 0; k < 3; k++) {
                    must(agn_threads_set(k == 0 ? 1 : k == 1 ? 2 : 4));
                    agn_tensor *yk = NULL;
                    y[k] = times(a, x, false);
                    t[k] = times(a, u, true);
                    must(agn_sparse_matmul(&yk, b, x));
                    must(agn_gradient(&g[k], (const agn_tensor *const *)&yk, 1,
                                      (const agn_tensor *const *)&watched, 1,
                                      (const agn_tensor *const *)&u));
                    agn_release(yk);
                    check(&q,
                          same_values(y[0], y[k]) && same_values(t[0], t[k]) &&
                              same_values(g[0], g[k]),
                          "%s pattern %d n %d", agn_dtype_name(dtypes[d]), what, n);
                }
                for (int k = 0; k < 3; k++) {
                    agn_release(y[k]);
                    agn_release(t[k]);
                    agn_release(g[k]);
                }
                agn_tensor *all[] = {a, v, watched, b, x, u};
                for (int k = 0; k < COUNT(all); k++)
                    agn_release(all[k]);
            }
    tell(&q, "the same bits for 1, 2 and 4 threads");
}

#define BAD(op, call, status, ...)                                                   \
    do {                                                                             \
        out = NULL;                                                                  \
        check(&q, (call) == (status) && !out && said(op, __VA_ARGS__), "%s: %s", op, \
              agn_error_message());                                                  \
    } while (0)
static bool said(const char *op, const char *a, const char *b)
{
    const char *m = agn_error_message();
    return !strncmp(m, op, strlen(op)) && strstr(m, a) && (!b || strstr(m, b));
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = NULL, *a = made(4, AGN_F64, 2, 3);
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1);
    agn_tensor *x3 = random_of(AGN_F64, 3, (int64_t[]){4, 2, 1}, -1, 1), *ab = NULL;
    agn_tensor *v2 = random_of(AGN_F64, 2, (int64_t[]){3, 6}, -1, 1);
    must(agn_sparse_with_values(&ab, a, v2));
    BAD("sparse_matmul_t", agn_sparse_matmul_t(NULL, a, x), AGN_ENULL, "out is NULL",
        NULL);
    BAD("sparse_matmul_t", agn_sparse_matmul_t(&out, NULL, x), AGN_ENULL, "a is NULL",
        NULL);
    BAD("sparse_matmul_t", agn_sparse_matmul_t(&out, a, NULL), AGN_ENULL, "x is NULL",
        NULL);
    BAD("sparse_matmul_t", agn_sparse_matmul_t(&out, x, x), AGN_EUNSUPPORTED, "dense",
        "[3]");
    BAD("sparse_matmul_t", agn_sparse_matmul_t(&out, a, x), AGN_ESHAPE, "a is [2,3]",
        "x is [3]");
    BAD("sparse_matmul_t", agn_sparse_matmul_t(&out, ab, x3), AGN_ESHAPE, "[3,2,3]",
        "[4,2,1]");
    agn_tensor *u = random_of(AGN_F64, 2, (int64_t[]){2, 4}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){3, 4}, -1, 1);
    agn_tensor *u3 = random_of(AGN_F64, 3, (int64_t[]){5, 2, 4}, -1, 1);
    agn_tensor *w3 = random_of(AGN_F64, 3, (int64_t[]){6, 3, 4}, -1, 1);
    BAD("sparse_sddmm", agn_sparse_sddmm(NULL, a, u, w), AGN_ENULL, "out is NULL",
        NULL);
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, NULL, u, w), AGN_ENULL, "a is NULL",
        NULL);
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, a, NULL, w), AGN_ENULL, "u is NULL",
        NULL);
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, a, u, NULL), AGN_ENULL, "w is NULL",
        NULL);
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, u, u, w), AGN_EUNSUPPORTED, "dense",
        NULL);
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, a, a, w), AGN_EUNSUPPORTED, "sparse",
        NULL);
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, a, w, u), AGN_ESHAPE, "[3,4]", "[2,3]");
    BAD("sparse_sddmm", agn_sparse_sddmm(&out, a, u3, w3), AGN_ESHAPE, "[5,2,4]",
        "[6,3,4]");
    BAD("sparse_with_index", agn_sparse_with_index(NULL, a, AGN_I64), AGN_ENULL, "out",
        NULL);
    BAD("sparse_with_index", agn_sparse_with_index(&out, NULL, AGN_I64), AGN_ENULL,
        "a is NULL", NULL);
    BAD("sparse_with_index", agn_sparse_with_index(&out, x, AGN_I64), AGN_EUNSUPPORTED,
        "dense", NULL);
    BAD("sparse_with_index", agn_sparse_with_index(&out, a, AGN_F64), AGN_EDTYPE, "f64",
        "i32");
    check(&q, agn_sparse_index_dtype(NULL) == -1 && agn_sparse_index_dtype(x) == -1,
          "no index");
    /* too large for 32 bits: columns alone can be, without entries */
    agn_tensor *p = NULL, *i = NULL, *v = NULL, *large = NULL;
    must(agn_zeros(&p, AGN_I32, 1, (int64_t[]){2}));
    must(agn_zeros(&i, AGN_I32, 1, (int64_t[]){0}));
    must(agn_zeros(&v, AGN_F64, 1, (int64_t[]){0}));
    must(agn_sparse_csr(&large, 1, INT64_C(1) << 40, p, i, v));
    check(&q, agn_sparse_index_dtype(large) == AGN_I64, "i64 by size");
    BAD("sparse_with_index", agn_sparse_with_index(&out, large, AGN_I32), AGN_ESHAPE,
        "1099511627776", "i32");
    tell(&q, "failures: status, op, facts, nothing written");
    agn_tensor *all[] = {a, x, x3, ab, v2, p, i, v, large, u, w, u3, w3};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

typedef struct making {
    agn_tensor *a, *x;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *w = NULL;
    if (m->what == 0)
        return agn_sparse_with_index(out, m->a, AGN_I64);
    /* a pattern whose facts are not known yet */
    agn_status st = agn_sparse_with_index(&w, m->a, AGN_I64);
    if (!st)
        st = agn_sparse_matmul_t(out, w, m->x);
    agn_release(w);
    return st;
}

static void test_memory(void)
{
    making m = {made(0, AGN_F64, 300, 300), NULL, 0};
    every_allocation(make, &m, "with_index");
    m.what = 1;
    must(agn_threads_set(2));
    for (int n = 1; n <= 2; n++) {
        m.x = random_of(AGN_F64, 2, (int64_t[]){300, n}, -1, 1);
        every_allocation(make, &m,
                         n == 1 ? "matmul_t, columns cut" : "matmul_t, turned");
        agn_release(m.x);
    }
    agn_release(m.a);
}

/* ---- the gradient of A x in both, which a plan finds in one pass ------------------------------ */

static agn_status sines(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *a = ag_sparse_with_values(s, user, in[0]);
    out[0] = ag_sum_all(s, ag_real(s, ag_sin(s, ag_sparse_matmul(s, a, in[1]))));
    return agn_scope_status(s);
}

static void test_along(void)
{
    /* few entries, more than one thread takes, many to a column */
    static const int64_t sizes[][2] = {{7, 9}, {300, 700}, {900, 40}, {2500, 120}, {40, 2000}, {7, 524400}};
    int threads = agn_threads();
    for (int w = 0; w < 6; w += tap_quick() ? 2 : 1)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int d = 0; d < COUNT(dtypes); d++) {
                bool far = sizes[k][1] > 1 << 19; /* more than caches hold, of 16 bytes each */
                if (far && (dtypes[d] != AGN_C128 || w != 4))
                    continue;
                agn_tensor *a = made(w, dtypes[d], sizes[k][0], sizes[k][1]), *in[2] = {NULL};
                agn_tensor *want[3], *got[3];
                agn_fn *f = NULL, *g = NULL, *p = NULL;
                char text[4096];
                must(agn_sparse_values(&in[0], a));
                in[1] = random_of(dtypes[d], 1, &sizes[k][1], far ? -0.01 : -1, far ? 0.01 : 1);
                must(agn_fn_new(&f, sines, a, NULL, 2, 1));
                must(agn_fn_value_and_grad(&g, f, (int32_t[]){0, 1}, 2));
                must(agn_fn_compile(&p, g, NULL));
                must(agn_fn_call(want, 3, g, (const agn_tensor *const *)in, 2));
                bool same = true;
                static const int counts[] = {1, 2, 3, 20}; /* the last: more than there are folds */
                for (int n = 0; n < COUNT(counts); n++) {
                    must(agn_threads_set(counts[n]));
                    must(agn_fn_call(got, 3, p, (const agn_tensor *const *)in, 2));
                    for (int o = 1; o < 3; o++)
                        same &= modes_apart(got[o], want[o]) <= (dtypes[d] < AGN_C64 ? 0 : 1e-6);
                    for (int o = 0; o < 3; o++)
                        agn_release(got[o]);
                }
                must(agn_threads_set(threads));
                must(agn_plan_explain(text, sizeof text, NULL, p));
                ok(same && strstr(text, "<- sparse_spmm_sddmm") &&
                       strstr(text, "entries, i32, turned 1"),
                   "pattern %d, %d x %d, %s: one pass, the same bits", w, (int)sizes[k][0],
                   (int)sizes[k][1], agn_dtype_name(dtypes[d]));
                for (int o = 0; o < 3; o++)
                    agn_release(want[o]);
                agn_fn_release(p);
                agn_fn_release(g);
                agn_fn_release(f);
                agn_release(in[0]);
                agn_release(in[1]);
                agn_release(a);
            }
}

int main(void)
{
    test_loops();
    test_threads();
    test_along();
    test_failures();
    test_memory();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
