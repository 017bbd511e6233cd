/* t-geometric-layers - layers of graph networks against their formulas by loops, in every mode, and every
   failure. */
#include "geometric.h"

#include <agnesi/geometric_layers.h>

enum { N = 5, M = 9, F = 3, O = 2, HEADS = 2 };
/* a loop, parallel edges, node 4 without edges that reach it */
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};

static agn_graph *graph_of(int64_t n_src, int64_t n_dst)
{
    return make_graph(M, src, dst, n_src, n_dst);
}

/* ---- values -------------------------------------------------------------------------------------- */

static void test_convolutions(void)
{
    tally q = {0, 0};
    agn_graph *g = graph_of(N, N);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *b = random_of(AGN_F64, 1, (int64_t[]){O}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){O, F}, -1, 1), *v = random_of(AGN_F64, 2, (int64_t[]){O, F}, -1, 1);
    agn_tensor *a = random_of(AGN_F64, 1, (int64_t[]){M}, 0.5, 2), *eps = scalar_of(AGN_F64, 0.3), *y = NULL;
    agn_tensor *tall = random_of(AGN_F64, 2, (int64_t[]){F + 2, F}, -1, 1);
    for (int weighted = 0; weighted < 2; weighted++)
        for (int wide = 0; wide < 2; wide++) {
            double degree[N] = {0};
            int o = wide ? F + 2 : O;
            const agn_tensor *u = wide ? tall : w;
            for (int e = 0; e < M; e++)
                degree[dst[e]] += weighted ? get(a, e) : 1;
            must(agn_graph_gcn(&y, g, x, weighted ? a : NULL, u, wide ? NULL : b));
            for (int i = 0; i < N; i++)
                for (int j = 0; j < o; j++) {
                    double sum = wide ? 0 : get(b, j);
                    for (int e = 0; e < M; e++)
                        for (int f = 0; f < F && dst[e] == i; f++)
                            sum += degree[src[e]] > 0
                                       ? (weighted ? get(a, e) : 1) / sqrt(degree[i] * degree[src[e]]) *
                                             get(x, src[e] * F + f) * get(u, j * F + f)
                                       : 0;
                    check(&q, fabs(sum - get(y, i * o + j)) < 1e-14, "gcn at %d %d", i, j);
                }
            agn_release(y);
        }
    must(agn_graph_gcn(&y, g, x, NULL, NULL, NULL));
    check(&q, has_shape(y, 2, (int64_t[]){N, F}), "gcn without weights");
    agn_release(y);
    for (int reduce = 0; reduce < 4; reduce++)
        for (int own = 0; own < 2; own++) {
            must(agn_graph_sage(&y, g, x, own ? x : NULL, w, own ? v : NULL, own ? b : NULL, reduce));
            for (int i = 0; i < N; i++)
                for (int j = 0; j < O; j++) {
                    double sum = own ? get(b, j) : 0;
                    for (int f = 0; f < F; f++) {
                        double r = 0;
                        int n = 0;
                        for (int e = 0; e < M; e++) {
                            double at = get(x, src[e] * F + f);
                            if (dst[e] == i)
                                r = !n++ ? at : reduce < 2 ? r + at : reduce == 2 ? fmax(r, at) : fmin(r, at);
                        }
                        r = reduce == AGN_GEOMETRIC_MEAN && n ? r / n : r;
                        sum += r * get(w, j * F + f) + (own ? get(x, i * F + f) * get(v, j * F + f) : 0);
                    }
                    check(&q, fabs(sum - get(y, i * O + j)) < 1e-14, "sage %d at %d %d", reduce, i, j);
                }
            agn_release(y);
        }
    for (int with = 0; with < 2; with++) {
        must(agn_graph_gin(&y, g, x, with ? eps : NULL));
        for (int i = 0; i < N * F; i++) {
            double sum = get(x, i) * (with ? 1.3 : 1);
            for (int e = 0; e < M; e++)
                sum += dst[e] == i / F ? get(x, src[e] * F + i % F) : 0;
            check(&q, fabs(sum - get(y, i)) < 1e-14, "gin at %d", i);
        }
        agn_release(y);
    }
    agn_graph *loops = NULL;
    agn_tensor *s, *d;
    int64_t m = 0;
    must(agn_graph_add_loops(&loops, g));
    must(agn_graph_size(NULL, NULL, &m, loops));
    must(agn_graph_edges(&s, &d, loops));
    check(&q, m == M + N - 1, "node 0 has a loop");
    for (int64_t e = 0; e < m; e++)
        check(&q, e < M ? get(s, e) == src[e] && get(d, e) == dst[e] : get(s, e) == e - M + 1 && get(d, e) == e - M + 1,
              "edge %lld", (long long)e);
    tell(&q, "gcn, sage, gin, loops against their formulas");
    RELEASE(x, b, w, v, a, eps, tall, s, d);
    agn_graph_release(loops);
    agn_graph_release(g);
}

static void test_attention(void)
{
    tally q = {0, 0};
    agn_graph *g = graph_of(N, N);
    agn_tensor *u = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, -1, 1), *y = NULL;
    agn_tensor *v = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, O}, -1, 1);
    agn_tensor *s = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1), *t = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1);
    for (int what = 0; what < 3; what++) { /* gat, gat of one kind, dot products */
        int width = what < 2 ? F : O;
        const agn_tensor *rows = what < 2 ? u : w;
        must(what == 0   ? agn_graph_gat(&y, g, u, v, s, t, 0.2)
             : what == 1 ? agn_graph_gat(&y, g, u, NULL, s, t, 0.2)
                         : agn_graph_attention(&y, g, v, u, w));
        check(&q, has_shape(y, 3, (int64_t[]){N, HEADS, width}), "shape");
        for (int i = 0; i < N; i++)
            for (int h = 0; h < HEADS; h++) {
                double sum = 0, to[F] = {0};
                for (int e = 0; e < M; e++) {
                    double score = 0;
                    for (int f = 0; f < F; f++) {
                        double a = get(u, (src[e] * HEADS + h) * F + f), b = get(what == 1 ? u : v, (i * HEADS + h) * F + f);
                        score += what < 2 ? a * get(s, h * F + f) + b * get(t, h * F + f) : a * b / sqrt(F);
                    }
                    score = exp(what < 2 && score < 0 ? 0.2 * score : score);
                    if (dst[e] != i)
                        continue;
                    sum += score;
                    for (int f = 0; f < width; f++)
                        to[f] += score * get(rows, (src[e] * HEADS + h) * width + f);
                }
                for (int f = 0; f < width; f++)
                    check(&q, fabs(get(y, (i * HEADS + h) * width + f) - (sum > 0 ? to[f] / sum : 0)) < 1e-14,
                          "attention %d at %d %d %d", what, i, h, f);
            }
        agn_release(y);
    }
    tell(&q, "attention against its formulas");
    RELEASE(u, v, w, s, t);
    agn_graph_release(g);
}

/* ---- derivatives ------------------------------------------------------------------------------------ */

typedef struct call {
    const agn_graph *g;
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    switch (q->what) {
    case 0: out[0] = ag_graph_gcn(s, q->g, in[0], in[1], in[2], in[3]); break;
    case 1: out[0] = ag_graph_sage(s, q->g, in[0], in[0], in[1], in[2], in[3], AGN_GEOMETRIC_MEAN); break;
    case 2: out[0] = ag_graph_gin(s, q->g, in[0], in[1]); break;
    case 3: out[0] = ag_graph_gat(s, q->g, in[0], in[1], in[2], in[3], 0.2); break;
    default: out[0] = ag_graph_attention(s, q->g, in[0], in[1], in[2]);
    }
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"gcn", "sage", "gin", "gat", "attention"};
    static const struct {
        int n, ndim[4];
        int64_t shape[4][3];
    } args[] = {
        {4, {2, 1, 2, 1}, {{N, F}, {M}, {O, F}, {O}}},
        {4, {2, 2, 2, 1}, {{N, F}, {O, F}, {O, F}, {O}}},
        {2, {2, 0}, {{N, F}}},
        {4, {3, 3, 2, 2}, {{N, 1, F}, {N, 1, F}, {1, F}, {1, F}}},
        {3, {3, 3, 3}, {{N, 1, F}, {N, 1, F}, {N, 1, O}}},
    };
    agn_graph *g = graph_of(N, N);
    for (int k = 0; k < COUNT(args); k++) {
        agn_tensor *x[4];
        const agn_tensor *in[4];
        call c = {g, k};
        agn_fn *f = NULL;
        for (int i = 0; i < args[k].n; i++)
            in[i] = x[i] = random_of(AGN_F64, args[k].ndim[i], args[k].shape[i], 0.5, 1.5);
        must(agn_fn_new(&f, body, &c, NULL, args[k].n, 1));
        in_every_mode(f, args[k].n, in, 1e-3, 1e-7, names[k]);
        agn_fn_release(f);
        release_all(x, args[k].n);
    }
    agn_graph_release(g);
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *to = nothing;
    agn_graph *g = graph_of(N, N), *two = graph_of(N, N + 1);
    agn_tensor *out = untouched, *sp = NULL;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *w = random_of(AGN_F64, 2, (int64_t[]){O, F}, -1, 1);
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){N, F}, -1, 1), *b = random_of(AGN_F64, 1, (int64_t[]){O}, -1, 1);
    agn_tensor *cube = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, -1, 1), *a = random_of(AGN_F64, 1, (int64_t[]){M}, 0, 1);
    agn_tensor *other = random_of(AGN_F64, 3, (int64_t[]){N, 1, F}, -1, 1), *s = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, 0, 1);
    agn_tensor *column = random_of(AGN_F64, 2, (int64_t[]){M, 1}, 0, 1), *more = random_of(AGN_F64, 2, (int64_t[]){O + 1, F}, 0, 1);
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
    BAD(agn_graph_add_loops(&to, NULL), "graph_add_loops", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_add_loops(NULL, g), "graph_add_loops", AGN_ENULL, "out is NULL", NULL);
    BAD(agn_graph_add_loops(&to, two), "graph_add_loops", AGN_EARG, "5 sources", "6 destinations");
    check(&q, to == nothing, "no graph");
#define GCN(g_, x_, e_, w_, b_, st, m1, m2) BAD(agn_graph_gcn(&out, g_, x_, e_, w_, b_), "graph_gcn", st, m1, m2)
    GCN(NULL, x, NULL, w, b, AGN_ENULL, "g is NULL", NULL);
    GCN(g, NULL, NULL, w, b, AGN_ENULL, "x is NULL", NULL);
    GCN(two, x, NULL, w, b, AGN_EARG, "5 sources", NULL);
    GCN(g, w, NULL, w, b, AGN_ESHAPE, "x is [2,3]", "5 rows");
    GCN(g, cube, NULL, w, b, AGN_ESHAPE, "x is [5,2,3]", "3 axes");
    GCN(g, x, b, w, b, AGN_ESHAPE, "w is [2]", "9 rows");
    GCN(g, x, column, w, b, AGN_ESHAPE, "w is [9,1]", "2 axes");
    GCN(g, x, NULL, b, b, AGN_ESHAPE, "weight is [2]", "[o,3]");
    GCN(g, x, NULL, w, a, AGN_ESHAPE, "bias is [9]", "[2]");
    GCN(g, z, NULL, w, b, AGN_EDTYPE, "c128", NULL);
    GCN(g, sp, NULL, w, b, AGN_EUNSUPPORTED, "sparse", NULL);
#define SAGE(g_, u_, v_, wu, wv, b_, r, st, m1, m2) \
    BAD(agn_graph_sage(&out, g_, u_, v_, wu, wv, b_, r), "graph_sage", st, m1, m2)
    SAGE(NULL, x, x, w, w, b, 0, AGN_ENULL, "g is NULL", NULL);
    SAGE(g, NULL, x, w, w, b, 0, AGN_ENULL, "u is NULL", NULL);
    SAGE(g, x, x, NULL, w, b, 0, AGN_ENULL, "w_u is NULL", NULL);
    SAGE(g, x, x, w, NULL, b, 0, AGN_ENULL, "w_v is NULL", NULL);
    SAGE(g, x, NULL, w, w, b, 0, AGN_ENULL, "v is NULL", NULL);
    SAGE(g, x, x, w, w, b, 4, AGN_EARG, "reduce 4", NULL);
    SAGE(g, w, x, w, w, b, 0, AGN_ESHAPE, "u is [2,3]", "5 rows");
    SAGE(g, x, w, w, w, b, 0, AGN_ESHAPE, "v is [2,3]", "5 rows");
    SAGE(g, x, x, s, b, b, 0, AGN_ESHAPE, "w_v is [2]", NULL);
    SAGE(g, x, x, w, more, b, 0, AGN_ESHAPE, "w_u is [2,3]", "w_v is [3,3]");
    SAGE(g, x, x, w, w, a, 0, AGN_ESHAPE, "bias is [9]", "[2]");
    SAGE(g, z, x, w, w, b, 0, AGN_EDTYPE, "c128", NULL);
    SAGE(g, sp, x, w, w, b, 0, AGN_EUNSUPPORTED, "sparse", NULL);
#define GIN(g_, x_, e_, st, m1, m2) BAD(agn_graph_gin(&out, g_, x_, e_), "graph_gin", st, m1, m2)
    GIN(NULL, x, NULL, AGN_ENULL, "g is NULL", NULL);
    GIN(g, NULL, NULL, AGN_ENULL, "x is NULL", NULL);
    GIN(two, x, NULL, AGN_EARG, "6 destinations", NULL);
    GIN(g, w, NULL, AGN_ESHAPE, "x is [2,3]", "5 rows");
    GIN(g, x, b, AGN_ESHAPE, "eps is [2]", "1 axes");
    GIN(g, z, NULL, AGN_EDTYPE, "c128", NULL);
    GIN(g, sp, NULL, AGN_EUNSUPPORTED, "sparse", NULL);
#define GAT(g_, u_, v_, s_, t_, st, m1, m2) BAD(agn_graph_gat(&out, g_, u_, v_, s_, t_, 0.2), "graph_gat", st, m1, m2)
    GAT(NULL, cube, cube, s, s, AGN_ENULL, "g is NULL", NULL);
    GAT(g, NULL, cube, s, s, AGN_ENULL, "u is NULL", NULL);
    GAT(g, cube, cube, NULL, s, AGN_ENULL, "s is NULL", NULL);
    GAT(g, cube, cube, s, NULL, AGN_ENULL, "t is NULL", NULL);
    GAT(g, x, cube, s, s, AGN_ESHAPE, "u is [5,3]", "[5,heads,f]");
    GAT(g, cube, other, s, s, AGN_ESHAPE, "v is [5,1,3]", "[5,2,3]");
    GAT(two, cube, NULL, s, s, AGN_ESHAPE, "u is [5,2,3]", "6 rows");
    GAT(g, cube, cube, b, s, AGN_ESHAPE, "s is [2]", "[5,2,3]");
    GAT(g, cube, cube, s, more, AGN_ESHAPE, "t is [3,3]", "[5,2,3]");
    GAT(g, z, cube, s, s, AGN_EDTYPE, "c128", NULL);
    GAT(g, sp, cube, s, s, AGN_EUNSUPPORTED, "sparse", NULL);
#define ATTEND(g_, q_, k_, v_, st, m1, m2) BAD(agn_graph_attention(&out, g_, q_, k_, v_), "graph_attention", st, m1, m2)
    ATTEND(NULL, cube, cube, cube, AGN_ENULL, "g is NULL", NULL);
    ATTEND(g, NULL, cube, cube, AGN_ENULL, "query is NULL", NULL);
    ATTEND(g, cube, NULL, cube, AGN_ENULL, "key is NULL", NULL);
    ATTEND(g, cube, cube, NULL, AGN_ENULL, "value is NULL", NULL);
    ATTEND(g, x, cube, cube, AGN_ESHAPE, "query is [5,3]", "[5,heads,f]");
    ATTEND(g, cube, other, cube, AGN_ESHAPE, "key is [5,1,3]", "[5,2,3]");
    ATTEND(g, cube, cube, other, AGN_ESHAPE, "value is [5,1,3]", "[5,2,h]");
    ATTEND(g, z, cube, cube, AGN_EDTYPE, "c128", NULL);
    ATTEND(g, sp, cube, cube, AGN_EUNSUPPORTED, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(x, w, z, b, cube, a, other, s, column, more, sp);
    agn_graph_release(g);
    agn_graph_release(two);
}

typedef struct making {
    agn_tensor *x, *w, *u, *s;
    agn_graph *g;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    agn_status st = agn_graph_add_loops(&g, m->g);
    if (!st)
        st = m->what == 0   ? agn_graph_gcn(out, g, m->x, NULL, m->w, NULL)
             : m->what == 1 ? agn_graph_sage(out, g, m->x, m->x, m->w, m->w, NULL, AGN_GEOMETRIC_MAX)
             : m->what == 2 ? agn_graph_gin(out, g, m->x, NULL)
             : m->what == 3 ? agn_graph_gat(out, g, m->u, NULL, m->s, m->s, 0.1)
                            : agn_graph_attention(out, g, m->u, m->u, m->u);
    agn_graph_release(g);
    return st;
}

/* integers become real before they are summed: as many of 8 bits as leave their range */
static void test_integers(void)
{
    tally t = {0, 0};
    agn_graph *g = make_graph(3, (int64_t[]){0, 1, 0}, (int64_t[]){1, 1, 0}, 2, 2);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){60, 120}), *w = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){100, 100, 100});
    agn_tensor *one = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){1}), *x8, *w8, *y[2];
    agn_tensor *terms = of_reals(AGN_F64, 3, (int64_t[]){2, 1, 1}, (double[]){1, 2});
    must(agn_cast(&x8, x, AGN_I8));
    must(agn_cast(&w8, w, AGN_I8));
    for (int what = 0; what < 6; what++) {
        for (int k = 0; k < 2; k++) {
            const agn_tensor *u = k ? x8 : x, *v = k ? w8 : w;
            agn_status st = what == 0   ? agn_graph_gcn(&y[k], g, u, v, NULL, NULL)
                            : what == 1 ? agn_graph_gin(&y[k], g, u, NULL)
                            : what == 2 ? agn_graph_sage(&y[k], g, u, u, one, one, NULL, AGN_GEOMETRIC_SUM)
                            : what == 3 ? agn_graph_appnp(&y[k], g, u, v, 0.1, 3)
                            : what == 4 ? agn_graph_leconv(&y[k], g, u, v, one, one, one, NULL)
                                        : agn_graph_tag(&y[k], g, u, v, terms, NULL);
            must(st);
        }
        check(&t, agn_dtype_of(y[1]) == AGN_F64, "layer %d: dtype %d", what, agn_dtype_of(y[1]));
        for (int i = 0; i < 2; i++)
            check(&t, fabs(get(y[0], i) - get(y[1], i)) < 1e-12, "layer %d of integers: %g, not %g", what, get(y[1], i), get(y[0], i));
        RELEASE(y[0], y[1]);
    }
    RELEASE(x, w, one, terms, x8, w8);
    agn_graph_release(g);
    tell(&t, "layers of integers");
}

int main(void)
{
    test_integers();
    static const char *const names[] = {"gcn", "sage", "gin", "gat", "attention"};
    test_convolutions();
    test_attention();
    test_modes();
    test_failures();
    making m = {random_of(AGN_F64, 2, (int64_t[]){N, F}, 0, 1), random_of(AGN_F64, 2, (int64_t[]){O, F}, 0, 1),
                random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, 0, 1), random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, 0, 1),
                graph_of(N, N), 0};
    for (; m.what < COUNT(names); m.what++)
        every_allocation(make, &m, names[m.what]);
    RELEASE(m.x, m.w, m.u, m.s);
    agn_graph_release(m.g);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
