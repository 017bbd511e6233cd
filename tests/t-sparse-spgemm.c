/* t-sparse-spgemm - products of two sparse matrices: against dense ones over dtypes, shapes and
   hard patterns, in every mode, the pattern found once for a pair, and every failure. */
#include "modes.h"

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};

/* 0 random, 1 arrow, 2 band, 3 none, 4 full, 5 one dense row, 6 permutation */
static bool stored(int what, int64_t i, int64_t j)
{
    switch (what) {
    case 0:
        return i % 4 != 2 && rnd_in(0, 1) < 0.2;
    case 1:
        return i == 0 || j == 0 || i == j;
    case 2:
        return i - j <= 2 && j - i <= 3;
    case 3:
        return false;
    case 4:
        return true;
    case 5:
        return i == 1;
    default:
        return j == (i * 7 + 3) % 11;
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

static agn_tensor *dense_of(const agn_tensor *a)
{
    agn_tensor *d = NULL;
    must(agn_sparse_to_dense(&d, a));
    return d;
}

static bool single(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64;
}

static void test_dense(void)
{
    static const int64_t sizes[][3] = {{0, 3, 2},      {3, 0, 2}, {3, 4, 0},
                                       {1, 1, 1},      {5, 7, 6}, {40, 33, 50},
                                       {300, 200, 280}};
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++)
            for (int what = 0; what < 49; what++) {
                int64_t m = sizes[k][0], n = sizes[k][1], l = sizes[k][2];
                if (m > 100 && (what % 3 || single(dtypes[d])))
                    continue;
                agn_tensor *a = made(what / 7, dtypes[d], m, n),
                           *t = made(what / 7, dtypes[d], n, m);
                agn_tensor *b = made(what % 7, dtypes[d], n, l), *w = NULL;
                agn_tensor *y = NULL, *z = NULL, *yw = NULL, *want = NULL,
                           *want_t = NULL, *tt = NULL;
                must(agn_sparse_with_index(&w, b, AGN_I64));
                must(agn_sparse_matmul(&y, a, b));
                must(agn_sparse_matmul(&yw, a, w));
                must(agn_sparse_matmul_t(&z, t, b));
                agn_tensor *da = dense_of(a), *db = dense_of(b), *dt = dense_of(t);
                agn_tensor *dy = dense_of(y), *dz = dense_of(z), *dw = dense_of(yw);
                must(agn_matmul(&want, da, db));
                must(agn_transpose(&tt, dt));
                must(agn_matmul(&want_t, tt, db));
                double e = modes_apart(dy, want), et = modes_apart(dz, want_t);
                check(&q, fmax(e, et) < (single(dtypes[d]) ? 1e-4 : 1e-12),
                      "%s patterns %d %d [%d,%d,%d]: apart %.1e, turned %.1e",
                      agn_dtype_name(dtypes[d]), what / 7, what % 7, (int)m, (int)n,
                      (int)l, e, et);
                check(&q, same_values(dy, dw) && agn_sparse_index_dtype(yw) == AGN_I64,
                      "i32 and i64: the same bits");
                agn_tensor *all[] = {a,      t,  b,  w,  y,  z,  yw, want,
                                     want_t, tt, da, db, dt, dy, dz, dw};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&q, "products against dense ones: dtypes, shapes, patterns, i32 and i64");
}

static void test_threads(void)
{
    tally q = {0, 0};
    agn_tensor *a = made(0, AGN_F64, 600, 500), *b = made(0, AGN_F64, 500, 700), *y[3],
               *v[3], *g[3][2], *va = NULL, *vb = NULL, *wa = NULL, *wb = NULL,
               *xa = NULL, *xb = NULL;
    must(agn_sparse_values(&va, a));
    must(agn_sparse_values(&vb, b));
    must(agn_watch(&wa, va));
    must(agn_watch(&wb, vb));
    must(agn_sparse_with_values(&xa, a, wa));
    must(agn_sparse_with_values(&xb, b, wb));
    for (int k = 0; k < 3; k++) {
        must(agn_threads_set(1 << k));
        agn_tensor *s = NULL;
        must(agn_sparse_matmul(&y[k], xa, xb));
        must(agn_sparse_values(&v[k], y[k]));
        must(agn_sin(&s, v[k]));
        must(agn_gradient(g[k], (const agn_tensor *const *)&s, 1,
                          (const agn_tensor *[]){wa, wb}, 2,
                          (const agn_tensor *const *)&v[k]));
        agn_release(s);
        check(&q,
              same_values(v[0], v[k]) && same_values(g[0][0], g[k][0]) &&
                  same_values(g[0][1], g[k][1]),
              "threads %d", 1 << k);
    }
    tell(&q, "the same bits for 1, 2 and 4 threads");
    for (int k = 0; k < 3; k++) {
        agn_release(y[k]);
        agn_release(v[k]);
        agn_release(g[k][0]);
        agn_release(g[k][1]);
    }
    agn_tensor *all[] = {a, b, va, vb, wa, wb, xa, xb};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- modes ------------------------------------------------------------------------- */

typedef struct pair {
    agn_tensor *a, *b;
    bool turned;
} pair;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const pair *p = user;
    const agn_tensor *a = ag_sparse_with_values(s, p->a, in[0]);
    const agn_tensor *b = ag_sparse_with_values(s, p->b, in[1]);
    const agn_tensor *y = p->turned ? ag_sparse_matmul_t(s, a, b)
                                    : ag_sparse_matmul(s, a, b);
    out[0] = ag_sparse_values(s, y);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int turned = 0; turned < 2; turned++) {
            if (single(dtypes[d]))
                continue;
            pair p = {turned ? made(0, dtypes[d], 6, 5) : made(0, dtypes[d], 5, 6),
                      made(2, dtypes[d], 6, 4), turned};
            agn_tensor *in[2] = {NULL, NULL};
            agn_fn *f = NULL;
            must(agn_sparse_values(&in[0], p.a));
            must(agn_sparse_values(&in[1], p.b));
            must(agn_fn_new(&f, body, &p, NULL, 2, 1));
            char name[64];
            snprintf(name, sizeof name, "product %s%s", agn_dtype_name(dtypes[d]),
                     turned ? ", turned" : "");
            in_every_mode(f, 2, (const agn_tensor *const *)in, 1e-2, 1e-9, name);
            agn_fn_release(f);
            agn_release(in[0]);
            agn_release(in[1]);
            agn_release(p.a);
            agn_release(p.b);
        }
}

/* ---- batches, failures, memory ----------------------------------------------------- */

static void test_batches(void)
{
    tally q = {0, 0};
    agn_tensor *a = made(0, AGN_F64, 5, 6), *b = made(2, AGN_F64, 6, 4), *v = NULL;
    must(agn_sparse_values(&v, b));
    agn_tensor *va = random_of(AGN_F64, 3, (int64_t[]){3, 1, 0}, -1, 1), *y = NULL;
    agn_release(va);
    agn_tensor *pa = NULL;
    must(agn_sparse_values(&pa, a));
    va = random_of(AGN_F64, 3, (int64_t[]){3, 1, agn_numel(pa)}, -1, 1);
    agn_tensor *vb = random_of(AGN_F64, 2, (int64_t[]){2, agn_numel(v)}, -1, 1);
    agn_tensor *xa = NULL, *xb = NULL, *want = NULL;
    must(agn_sparse_with_values(&xa, a, va));
    must(agn_sparse_with_values(&xb, b, vb));
    must(agn_sparse_matmul(&y, xa, xb));
    agn_tensor *dy = dense_of(y), *da = dense_of(xa), *db = dense_of(xb);
    must(agn_matmul(&want, da, db));
    check(&q, modes_apart(dy, want) < 1e-13 && agn_ndim(y) == 4, "batches broadcast");
    tell(&q, "batches of values on one pattern");
    agn_tensor *all[] = {a, b, v, va, y, pa, vb, xa, xb, want, dy, da, db};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
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
    return !strncmp(m, op, strlen(op)) && strstr(m, a) && strstr(m, b);
}

typedef struct making {
    agn_tensor *a, *b;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *w = NULL;
    /* a pattern that knows no product yet */
    agn_status st = agn_sparse_with_index(&w, m->a, AGN_I64);
    if (!st)
        st = agn_sparse_matmul_t(out, w, m->b);
    agn_release(w);
    return st;
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = NULL, *a = made(4, AGN_F64, 2, 3), *b = made(4, AGN_F64, 4, 5);
    BAD("sparse_matmul", agn_sparse_matmul(&out, a, b), AGN_ESHAPE, "a is [2,3]",
        "x is [4,5]");
    BAD("sparse_matmul_t", agn_sparse_matmul_t(&out, a, b), AGN_ESHAPE, "a is [2,3]",
        "x is [4,5]");
    agn_tensor *c = made(4, AGN_F64, 3, 2),
               *v2 = random_of(AGN_F64, 2, (int64_t[]){2, 6}, -1, 1);
    agn_tensor *v3 = random_of(AGN_F64, 2, (int64_t[]){3, 6}, -1, 1), *a2 = NULL,
               *c3 = NULL;
    must(agn_sparse_with_values(&a2, a, v2));
    must(agn_sparse_with_values(&c3, c, v3));
    BAD("sparse_matmul", agn_sparse_matmul(&out, a2, c3), AGN_ESHAPE, "[2,2,3]", "[3,3,2]");
    tell(&q, "failures");
    making m = {made(0, AGN_F64, 30, 20), made(0, AGN_F64, 30, 25)};
    every_allocation(make, &m, "product of sparse matrices");
    agn_tensor *all[] = {a, b, c, v2, v3, a2, c3, m.a, m.b};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

int main(void)
{
    test_dense();
    test_threads();
    test_modes();
    test_batches();
    test_failures();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
