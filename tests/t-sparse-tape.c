/* t-sparse-tape - sparse tensors watched as they are; masks of sparse ones; matrices on the integers of
   someone else. */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

static agn_tensor *matrix(int layout, int64_t n)
{
    int64_t at[64];
    double v[32];
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if ((3 * i + j) % 4 < 2)
                at[m++] = i * n + j;
    int64_t both[64];
    for (int64_t e = 0; e < m; e++) {
        both[e] = at[e] / n;
        both[m + e] = at[e] % n;
        v[e] = sin((double)e + 1) + 2;
    }
    agn_tensor *x = NULL, *w = of_reals(AGN_F64, 1, &m, v), *c = NULL, *y = NULL;
    must(agn_from_host(&x, AGN_I64, 2, (int64_t[]){2, m}, both));
    must(agn_sparse_coo(&c, 2, (int64_t[]){n, n}, x, w));
    must(layout == AGN_COO   ? agn_copy(&y, c)
         : layout == AGN_CSR ? agn_sparse_to_csr(&y, c)
                             : agn_sparse_to_csc(&y, c));
    agn_release(x);
    agn_release(w);
    agn_release(c);
    return y;
}
static bool agree(T a, T b)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_layout_of(a) == AGN_DENSE ? agn_copy(&x, a) : agn_sparse_to_dense(&x, a));
    must(agn_layout_of(b) == AGN_DENSE ? agn_copy(&y, b) : agn_sparse_to_dense(&y, b));
    bool same = modes_apart(x, y) < 1e-14;
    agn_release(x);
    agn_release(y);
    return same;
}

static void test_watch(void)
{
    static const int layouts[] = {AGN_CSR, AGN_CSC, AGN_COO};
    for (int k = 0; k < 3; k++) {
        agn_tensor *a = matrix(layouts[k], 5), *w = NULL, *g[2] = {NULL, NULL}, *b = NULL, *h = NULL;
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){5, 2}, -1, 1), *u = NULL, *loss = NULL, *z = NULL;
        must(agn_watch(&w, a));
        must(agn_watch(&u, x));
        agn_scope *s = agn_scope_open(NULL);
        T y = ag_sin(s, w);
        agn_scope_return(s, &loss, ag_sum_all(s, ag_square(s, ag_matmul(s, y, u))));
        agn_scope_return(s, &z, y);
        must(agn_scope_close(s));
        ok(agn_is_watched(w) && agn_layout_of(w) == layouts[k] && agn_sparse_same_pattern(w, a),
           "a watched %s is one", agn_brief(a));
        must(agn_gradient(g, (T const *)&loss, 1, (T[]){w, u}, 2, NULL));
        /* 2 (sin(a) x) x^T cos(a), on the pattern */
        s = agn_scope_open(NULL);
        T d = ag_sparse_to_dense(s, a), sx = ag_matmul(s, ag_sin(s, d), x);
        T full = ag_mul_c(s, ag_mul(s, ag_matmul(s, sx, ag_transpose(s, x)), ag_cos(s, d)), 2);
        agn_scope_return(s, &b, ag_sparse_mask_as(s, full, a));
        must(agn_scope_close(s));
        ok(agn_sparse_same_pattern(g[0], a) && agree(g[0], b) && agn_layout_of(g[1]) == AGN_DENSE,
           "its gradient lives on its pattern");
        /* a sparse result, with ones and with a sparse cotangent */
        agn_tensor *one = NULL, *two = NULL, *cot = NULL;
        must(agn_gradient(&one, (T const *)&z, 1, (T const *)&w, 1, NULL));
        must(agn_mul_c(&cot, a, 3));
        must(agn_gradient(&two, (T const *)&z, 1, (T const *)&w, 1, (T const *)&cot));
        s = agn_scope_open(NULL);
        T cosine = ag_sparse_mask_as(s, ag_cos(s, ag_sparse_to_dense(s, a)), a);
        T thrice = ag_mul_c(s, ag_mul(s, cosine, a), 3);
        must(agn_scope_status(s));
        ok(agree(one, cosine) && agree(two, thrice), "gradients of sparse results");
        must(agn_scope_close(s));
        agn_grads *sum = NULL;
        must(agn_grads_new(&sum));
        must(agn_backward(sum, loss, NULL));
        must(agn_grads_get(&h, sum, w));
        ok(agn_sparse_same_pattern(h, a) && agree(h, g[0]), "a map of gradients gives it, too");
        agn_grads_release(sum);
        agn_tensor *bad = untouched;
        ok(refused(agn_gradient(&bad, (T const *)&loss, 1, (T const *)&a, 1, NULL), AGN_EARG, "gradient",
                   "watched", NULL, bad), "what is not watched is refused");
        agn_tensor *all[] = {a, w, g[0], g[1], b, h, x, u, loss, z, one, two, cot};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
}

static void test_masks(void)
{
    agn_tensor *a = matrix(AGN_CSR, 5), *m = NULL, *y = NULL, *d = NULL, *t = NULL;
    agn_scope *s = agn_scope_open(NULL);
    T turned = ag_transpose(s, a);
    agn_scope_return(s, &t, turned);
    agn_scope_return(s, &m, ag_sparse_to_coo(s, ag_tril(s, turned, 0), -1));
    must(agn_scope_close(s));
    must(agn_sparse_mask_as(&y, a, m));
    s = agn_scope_open(NULL);
    T full = ag_sparse_to_dense(s, a);
    agn_scope_return(s, &d, ag_sparse_mask_as(s, full, m));
    must(agn_scope_close(s));
    ok(agn_layout_of(y) == AGN_COO && agn_sparse_same_pattern(y, m) && agree(y, d),
       "a sparse tensor at the places of a mask");
    agn_tensor *out = untouched;
    agn_tensor *b = NULL, *one = scalar_of(AGN_F64, 1);
    must(agn_cast(&b, m, AGN_BOOL));
    ok(refused(agn_where(&out, b, a, one), AGN_EUNSUPPORTED, "where", "stay 0", "[5,5]", out),
       "where: a number where nothing is stored");
    agn_tensor *all[] = {a, m, y, d, t, b, one};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

/* ---- someone else's integers ------------------------------------------------------------------ */

static int given_back;
static void give_back(void *user)
{
    (void)user;
    given_back++;
}

static void test_wrap(void)
{
    static const int32_t p32[] = {0, 2, 2, 5}, i32[] = {0, 3, 1, 2, 3};
    static const int64_t p64[] = {0, 2, 2, 5}, i64[] = {0, 3, 1, 2, 3};
    agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){5}, (double[]){1, 2, 3, 4, 5}), *a = NULL, *b = NULL;
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){1, 10, 100, 1000}), *y = NULL, *z = NULL;
    int64_t before, bytes, blocks, peak;
    agn_memory_live(&before, &blocks, &peak);
    must(agn_sparse_csr_wrap(&a, 3, 4, AGN_I32, p32, i32, v, give_back, NULL));
    agn_memory_live(&bytes, &blocks, &peak);
    must(agn_sparse_csr_wrap(&b, 3, 4, AGN_I64, p64, i64, v, give_back, NULL));
    ok(agn_sparse_index_dtype(a) == AGN_I32 && agn_sparse_index_dtype(b) == AGN_I64 && bytes - before < 1024,
       "integers as they are, %d bytes more", (int)(bytes - before));
    must(agn_matmul(&y, a, x));
    must(agn_sparse_matmul(&z, b, x));
    ok(peek(y, 0) == 2001 && peek(y, 1) == 0 && peek(y, 2) == 5430 && same_shapes(y, z) &&
           peek(z, 2) == 5430, "products");
    agn_tensor *t = NULL, *c = NULL;
    must(agn_transpose(&t, a));
    must(agn_sparse_to_csr(&c, t));
    agn_release(a);
    ok(given_back == 0, "as long as a transpose has them, they are needed");
    agn_release(t);
    agn_release(c);
    ok(given_back == 1, "then they are given back");
    agn_release(b);
    ok(given_back == 2, "once each");
    agn_tensor *out = untouched;
    static const char op[] = "sparse_csr_wrap";
#define NO(st, f1, f2, ...) \
    ok(refused(agn_sparse_csr_wrap(&out, __VA_ARGS__, give_back, NULL), st, op, f1, f2, out), "%s %s", #st, f1)
    static const int32_t falls[] = {0, 3, 2, 5}, one[] = {1, 2, 2, 5}, past[] = {0, 9, 2, 5};
    static const int32_t twice[] = {0, 3, 1, 1, 3}, down[] = {3, 0, 1, 2, 3}, wide[] = {0, 4, 1, 2, 3},
                         minus[] = {0, 3, -1, 2, 3};
    NO(AGN_EARG, "row 1", "3 to 2", 3, 4, AGN_I32, falls, i32, v);
    NO(AGN_EARG, "begins with 1", NULL, 3, 4, AGN_I32, one, i32, v);
    NO(AGN_EARG, "row 0", "0 to 9", 3, 4, AGN_I32, past, i32, v);
    NO(AGN_EARG, "entry 3", "column 1", 3, 4, AGN_I32, p32, twice, v);
    NO(AGN_EARG, "entry 1", "rise", 3, 4, AGN_I32, p32, down, v);
    NO(AGN_EINDEX, "entry 1", "column 4", 3, 4, AGN_I32, p32, wide, v);
    NO(AGN_EINDEX, "entry 2", "column -1", 3, 4, AGN_I32, p32, minus, v);
    NO(AGN_EDTYPE, "i32", NULL, 3, 4, AGN_F64, p32, i32, v);
    NO(AGN_ESHAPE, "negative", "-1", -1, 4, AGN_I32, p32, i32, v);
    NO(AGN_ESHAPE, "[4]", "5 entries", 3, 4, AGN_I32, p32, i32, x);
    NO(AGN_ESHAPE, "too large", NULL, 3, INT64_C(1) << 32, AGN_I32, p32, i32, v);
    NO(AGN_ENULL, "indptr", NULL, 3, 4, AGN_I32, NULL, i32, v);
    NO(AGN_ENULL, "indices", NULL, 3, 4, AGN_I32, p32, NULL, v);
    NO(AGN_EARG, "misaligned", NULL, 3, 4, AGN_I32, (const char *)p32 + 1, i32, v);
    ok(given_back == 2, "a failure gives nothing back");
    agn_tensor *none = NULL, *e = NULL;
    must(agn_zeros(&none, AGN_F64, 1, (int64_t[]){0}));
    must(agn_sparse_csr_wrap(&e, 0, 0, AGN_I32, p32, NULL, none, NULL, NULL));
    ok(agn_sparse_nnz(e) == 0, "nothing at all");
    agn_tensor *all[] = {v, x, y, z, none, e};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

typedef struct making {
    T a, m;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    static const int32_t p[] = {0, 2, 2, 5}, i[] = {0, 3, 1, 2, 3};
    const making *q = user;
    agn_tensor *w = NULL, *v = NULL, *y = NULL;
    agn_status st;
    switch (q->what) {
    case 0:
        return agn_watch(out, q->a);
    case 1:
        return agn_sparse_mask_as(out, q->a, q->m);
    case 2:
        return agn_prod(out, q->a, (int32_t[]){0}, 1, false);
    case 3:
        if (!(st = agn_cast(&w, q->m, AGN_BOOL)))
            st = agn_where(out, w, q->a, q->m);
        break;
    case 4:
        if (!(st = agn_full(&v, AGN_F64, 1, (int64_t[]){5}, 1)))
            st = agn_sparse_csr_wrap(out, 3, 4, AGN_I32, p, i, v, NULL, NULL);
        break;
    default:
        if (!(st = agn_watch(&w, q->a)) && !(st = agn_square(&y, w)))
            st = agn_gradient(out, (T const *)&y, 1, (T const *)&w, 1, NULL);
    }
    agn_release(w);
    agn_release(v);
    agn_release(y);
    return st;
}
static void test_allocations(void)
{
    static const char *const names[] = {"watch", "mask_as", "prod", "where", "csr_wrap", "gradient"};
    agn_tensor *a = matrix(AGN_CSR, 4), *m = NULL;
    must(agn_transpose(&m, a));
    for (making q = {a, m, 0}; q.what < COUNT(names); q.what++)
        every_allocation(make, &q, names[q.what]);
    agn_release(a);
    agn_release(m);
}

int main(void)
{
    test_watch();
    test_masks();
    test_wrap();
    test_allocations();
    return done();
}
