/* t-sparse-semiring - products over semirings: dense loops say what they are; shortest paths, longest
   ones and what can be reached; derivatives. */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_graph.h>
#include <agnesi/sparse_layout.h>

typedef const agn_tensor *T;

enum { PLUS = AGN_SEMIRING_PLUS_TIMES, MIN = AGN_SEMIRING_MIN_PLUS, MAX = AGN_SEMIRING_MAX_PLUS,
       OR = AGN_SEMIRING_OR_AND };
static agn_tensor *ints(int64_t n, const int64_t *at) /* [2, n] */
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_I64, 2, (int64_t[]){2, n}, at));
    return x;
}
static double neutral(int ring)
{
    return ring == MIN ? (double)INFINITY : ring == MAX ? -(double)INFINITY : 0;
}
static double plus(int ring, double a, double b)
{
    switch (ring) {
    case PLUS:
        return a + b;
    case OR:
        return a != 0 || b != 0;
    default:
        return (ring == MIN) == (a < b) ? a : b;
    }
}
static double times(int ring, double a, double b)
{
    return ring == PLUS ? a * b : ring == OR ? a != 0 && b != 0 : a + b;
}

/* [m, n] of a [m, k] and b [k, n], full of neutral elements where nothing is stored */
static void by_loops(int ring, int64_t m, int64_t k, int64_t n, const double *a, const double *b,
                     double *c)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            c[i * n + j] = neutral(ring);
            for (int64_t l = 0; l < k; l++)
                c[i * n + j] = plus(ring, c[i * n + j], times(ring, a[i * k + l], b[l * n + j]));
        }
}

/* small whole numbers at about a third of the places; the same with neutral elements elsewhere */
static agn_tensor *operand(int ring, int layout, int64_t m, int64_t n, int seed, double *full)
{
    double v[64] = {0};
    int64_t at[128], e = 0;
    for (int64_t i = 0; i < m * n; i++)
        full[i] = neutral(ring);
    for (int64_t i = 0; i < m * n; i++)
        if ((i * 7 + seed) % 3 == 0) {
            v[e] = (double)((i * 5 + seed) % 7 - 2);
            full[i] = v[e];
            at[e++] = i;
        }
    int64_t both[128];
    for (int64_t k = 0; k < e; k++) {
        both[k] = at[k] / n;
        both[e + k] = at[k] % n;
    }
    agn_tensor *y = NULL, *x = ints(e, both);
    agn_tensor *w = of_reals(AGN_F64, 1, &e, v);
    agn_scope *s = agn_scope_open(NULL);
    T c = ag_sparse_coo(s, 2, (int64_t[]){m, n}, x, w);
    agn_scope_return(s, &y, layout == AGN_CSR   ? ag_sparse_to_csr(s, c)
                            : layout == AGN_CSC ? ag_sparse_to_csc(s, c)
                                                : c);
    must(agn_scope_close(s));
    agn_release(x);
    agn_release(w);
    return y;
}

static bool equals(T x, const double *v)
{
    double got[64];
    agn_tensor *wide = NULL;
    bool same = !agn_cast(&wide, x, AGN_F64) && !agn_to_host(got, wide, (size_t)agn_numel(x) * 8);
    for (int64_t k = 0; same && k < agn_numel(x); k++)
        same = got[k] == v[k];
    agn_release(wide);
    return same;
}

static void test_products(void)
{
    static const int layouts[] = {AGN_CSR, AGN_CSC, AGN_COO};
    static const int64_t sizes[][3] = {{4, 5, 3}, {1, 1, 1}, {3, 0, 2}, {0, 3, 2}, {6, 7, 1}, {2, 3, 0}};
    int bad[4] = {0};
    for (int ring = 0; ring < 4; ring++)
        for (int q = 0; q < 9 * 6; q++) {
            const int64_t *z = sizes[q / 9], m = z[0], k = z[1], n = z[2];
            double a[64], b[64], c[64];
            agn_tensor *x = operand(ring, layouts[q % 3], m, k, q, a), *y = NULL, *d = NULL, *f = NULL;
            agn_tensor *w = operand(ring, layouts[q / 3 % 3], k, n, q + 1, b), *back = NULL;
            by_loops(ring, m, k, n, a, b, c);
            must(agn_sparse_filled(&d, w, neutral(ring)));
            bad[ring] += agn_sparse_matmul_over(&y, x, d, ring) != AGN_OK || !equals(y, c);
            agn_release(y);
            y = NULL;
            bad[ring] += agn_sparse_matmul_over(&y, x, w, ring) != AGN_OK ||
                         agn_layout_of(y) == AGN_DENSE ||
                         agn_sparse_filled(&f, y, neutral(ring)) || !equals(f, c);
            agn_release(f);
            f = NULL;
            must(agn_sparse_filled(&f, x, neutral(ring)));
            bad[ring] += agn_sparse_matmul_over(&back, f, w, ring) != AGN_OK || !equals(back, c);
            agn_release(x);
            agn_release(w);
            agn_release(y);
            agn_release(d);
            agn_release(f);
            agn_release(back);
        }
    ok(!bad[PLUS], "plus-times is matmul, in every layout");
    ok(!bad[MIN] && !bad[MAX] && !bad[OR],
       "min-plus, max-plus and or-and by loops: sparse by dense, dense by sparse, sparse by sparse");
}

/* ---- graphs ------------------------------------------------------------------------------------ */

/* lengths of paths of any number of edges: squares of the matrix with zeros on its diagonal */
static agn_status body_paths(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_tensor *pattern = user;
    T a = ag_sparse_with_values(s, pattern, in[0]);
    for (int k = 0; k < 3; k++)
        a = ag_sparse_matmul_over(s, a, a, MIN);
    out[0] = ag_sparse_filled(s, a, (double)INFINITY);
    return agn_scope_status(s);
}
static agn_status body_reached(void *user, agn_scope *s, T const *in, T *out)
{
    T start = in[0], d = start;
    for (int k = 0; k < 7; k++)
        d = ag_minimum(s, d, ag_sparse_matmul_over(s, ag_transpose(s, user), d, MIN));
    out[0] = d;
    return agn_scope_status(s);
}

static agn_tensor *graph(bool loops)
{
    /* 6 nodes; 5 cannot be reached */
    static const struct {
        int i, j;
        double w;
    } edges[] = {{0, 1, 7}, {0, 2, 9}, {0, 4, 14}, {1, 2, 10}, {1, 3, 15},
                 {2, 3, 11}, {2, 4, 2}, {3, 4, 6}, {5, 0, 1}, {5, 3, 0.5}};
    int64_t n = 10 + (loops ? 6 : 0), at[32];
    double v[16] = {0};
    for (int64_t e = 0; e < n; e++) {
        at[e] = e < 10 ? edges[e].i : e - 10;
        at[n + e] = e < 10 ? edges[e].j : e - 10;
        v[e] = e < 10 ? edges[e].w : 0;
    }
    agn_tensor *x = ints(n, at), *w = of_reals(AGN_F64, 1, &n, v);
    agn_tensor *c = NULL, *a = NULL;
    must(agn_sparse_coo(&c, 2, (int64_t[]){6, 6}, x, w));
    must(agn_sparse_to_csr(&a, c));
    agn_release(x);
    agn_release(w);
    agn_release(c);
    return a;
}

static void test_paths(void)
{
    agn_tensor *a = graph(false), *looped = graph(true), *v = NULL, *all = NULL, *far = NULL;
    double d[36], one[6], start[6] = {0}, z[6];
    int64_t n = 6;
    agn_fn *f = NULL, *g = NULL;
    for (int i = 1; i < 6; i++)
        start[i] = (double)INFINITY;
    must(agn_sparse_values(&v, looped));
    must(agn_fn_new(&f, body_paths, looped, NULL, 1, 1));
    must(agn_fn_call(&all, 1, f, (T const *)&v, 1));
    must(agn_to_host(d, all, sizeof d));
    int bad = 0;
    for (int i = 0; i < 6; i++) {
        must(agn_sparse_dijkstra(&far, NULL, a, i));
        must(agn_to_host(one, far, sizeof one));
        for (int j = 0; j < 6; j++)
            bad += one[j] != d[6 * i + j];
        agn_release(far);
        far = NULL;
    }
    ok(!bad, "min-plus: three squarings are all shortest paths of six nodes, by Dijkstra's");
    agn_tensor *x = of_reals(AGN_F64, 1, &n, start), *y = NULL;
    must(agn_fn_new(&g, body_reached, a, NULL, 1, 1));
    must(agn_fn_call(&y, 1, g, (T const *)&x, 1));
    must(agn_to_host(z, y, sizeof z));
    ok(!memcmp(z, d, sizeof z), "min-plus: vectors from one node, Bellman and Ford");

    /* which edges a path takes is its derivative: 0 -> 2 -> 4 */
    agn_tensor *leaf = NULL, *path = NULL, *grad = NULL, *slopes = NULL;
    agn_scope *s = agn_scope_open(NULL);
    must(agn_watch(&leaf, v));
    T out = NULL, w = leaf;
    must(body_paths(looped, s, &w, &out));
    agn_scope_return(s, &path, ag_slice(s, out, 2, (int64_t[]){0, 4}, (int64_t[]){1, 5},
                                        (int64_t[]){1, 1}));
    must(agn_scope_close(s));
    must(agn_gradient(&grad, (T const *)&path, 1, (T const *)&leaf, 1, NULL));
    agn_tensor *m = NULL;
    must(agn_sparse_with_values(&m, looped, grad));
    must(agn_sparse_to_dense(&slopes, m));
    must(agn_to_host(d, slopes, sizeof d));
    double off = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            off += i == j ? 0 : fabs(d[6 * i + j]);
    ok(fabs(d[2] - 1) < 1e-14 && fabs(d[2 * 6 + 4] - 1) < 1e-14 && fabs(off - 2) < 1e-14,
       "min-plus: the gradient names the edges of the path");
    agn_release(m);
    agn_release(slopes);
    agn_release(grad);
    agn_release(path);
    agn_release(leaf);
    agn_release(x);
    agn_release(y);
    agn_release(all);
    agn_release(v);
    agn_release(a);
    agn_release(looped);
    agn_fn_release(f);
    agn_fn_release(g);
}

static void test_reach(void)
{
    agn_tensor *a = graph(true), *r = NULL, *t = NULL, *dense = NULL;
    bool b[36];
    must(agn_sparse_matmul_over(&r, a, a, OR));
    must(agn_sparse_matmul_over(&t, r, r, OR));
    must(agn_sparse_to_dense(&dense, t));
    must(agn_to_host(b, dense, sizeof b));
    /* a stored 0 is false: not even loops count */
    ok(agn_dtype_of(t) == AGN_BOOL && b[0 * 6 + 4] && !b[4 * 6 + 0] && !b[0],
       "or-and: what two and four edges reach; a stored 0 is false");
    agn_release(a);
    agn_release(r);
    agn_release(t);
    agn_release(dense);
}

/* ---- derivatives, lanes, plans ------------------------------------------------------------------- */

static agn_status body_mixed(void *user, agn_scope *s, T const *in, T *out)
{
    T a = ag_sparse_with_values(s, user, in[0]);
    T y = ag_sparse_matmul_over(s, a, in[1], MIN);
    T z = ag_sparse_matmul_over(s, ag_transpose(s, a), y, MAX);
    T p = ag_sparse_values(s, ag_sparse_matmul_over(s, a, ag_transpose(s, a), MAX));
    out[0] = ag_add(s, ag_sum_all(s, ag_square(s, z)), ag_sum_all(s, ag_sin(s, p)));
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const double all[] = {0.3, -1.1, 2.2, 0.7, -0.4, 1.9, 0.11, -2.3, 0.95, 1.3};
    agn_tensor *a = graph(false), *v = of_reals(AGN_F64, 1, (int64_t[]){10}, all);
    int64_t shape[] = {6, 2};
    agn_tensor *x = random_of(AGN_F64, 2, shape, -2, 2), *pattern = NULL;
    /* rows and columns without an entry are left out: infinities have no differences */
    must(agn_slice(&pattern, a, 2, (int64_t[]){0, 1}, (int64_t[]){4, 5}, (int64_t[]){1, 1}));
    agn_tensor *w = NULL, *u = NULL, *values = NULL;
    must(agn_sparse_values(&values, pattern));
    int64_t nnz = agn_numel(values);
    must(agn_slice(&w, v, 1, (int64_t[]){0}, &nnz, (int64_t[]){1}));
    must(agn_slice(&u, x, 1, (int64_t[]){0}, (int64_t[]){4}, (int64_t[]){1}));
    agn_fn *f = NULL;
    must(agn_fn_new(&f, body_mixed, pattern, NULL, 2, 1));
    T in[2] = {w, u};
    agn_check_options o = {.size = sizeof o, .orders = 2, .step = 1e-3};
    agn_status st = agn_check_grads(NULL, f, in, 2, &o);
    ok(st == AGN_OK, "derivatives in every mode, lanes and plans%s%s", st ? ": " : "",
       st ? agn_error_message() : "");
    agn_fn_release(f);
    agn_release(a);
    agn_release(v);
    agn_release(x);
    agn_release(pattern);
    agn_release(values);
    agn_release(w);
    agn_release(u);
}

#define BAD(call, st, op, a_) ok(refused(call, st, op, a_, NULL, y), "%s: " #st, op)
static void test_faults(void)
{
    agn_tensor *a = graph(false), *i = NULL, *d = NULL, *y = untouched, *three = NULL;
    must(agn_cast(&i, a, AGN_I32));
    must(agn_sparse_to_dense(&d, a));
    must(agn_zeros(&three, AGN_F64, 1, (int64_t[]){3}));
    BAD(agn_sparse_matmul_over(&y, a, d, 4), AGN_EARG, "sparse_matmul_over", "semiring 4");
    BAD(agn_sparse_matmul_over(&y, a, d, -1), AGN_EARG, "sparse_matmul_over", "semiring -1");
    BAD(agn_sparse_matmul_over(&y, d, d, MIN), AGN_EUNSUPPORTED, "sparse_matmul_over", "dense");
    BAD(agn_sparse_matmul_over(&y, i, i, MIN), AGN_EDTYPE, "sparse_matmul_over", "i32");
    BAD(agn_sparse_matmul_over(&y, a, three, MAX), AGN_ESHAPE, "sparse_matmul_over", "inner dimensions differ");
    BAD(agn_sparse_filled(&y, d, 0), AGN_EUNSUPPORTED, "sparse_filled", "a is dense");
    ok(agn_sparse_filled(NULL, a, 0) == AGN_ENULL, "sparse_filled: out is NULL");
    agn_release(a);
    agn_release(i);
    agn_release(d);
    agn_release(three);
}

typedef struct making {
    T a, d;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    const making *m = user;
    switch (m->what) {
    case 0:
        return agn_sparse_matmul_over(out, m->a, m->d, MIN);
    case 1:
        return agn_sparse_matmul_over(out, m->a, m->a, MAX);
    case 2:
        return agn_sparse_matmul_over(out, m->d, m->a, OR);
    default:
        return agn_sparse_filled(out, m->a, 1);
    }
}
static void test_allocations(void)
{
    agn_tensor *a = graph(false), *d = NULL;
    must(agn_sparse_to_dense(&d, a));
    for (making m = {a, d, 0}; m.what < 4; m.what++)
        every_allocation(make, &m, m.what < 3 ? "sparse_matmul_over" : "sparse_filled");
    agn_release(a);
    agn_release(d);
}

int main(void)
{
    test_products();
    test_paths();
    test_reach();
    test_modes();
    test_faults();
    test_allocations();
    return done();
}
