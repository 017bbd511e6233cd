/* t-geometric-pool - pooled rows and graphs: top-k, attention, set to set, pairs, partitions, contraction; against loops, in
   every mode, and every failure. */
#include "geometric.h"

#include <agnesi/geometric_pool.h>

enum { N = 7, M = 9, F = 2 };
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};
static const int64_t ids[N] = {1, 0, 1, 3, 0, 1, 1};

static void test_topk(void)
{
    tally q = {0, 0};
    agn_tensor *score = of_reals(AGN_F64, 1, (int64_t[]){N}, (double[]){3, 1, 5, 2, 1, 4, 5}), *at = whole(N, ids), *y, *x, *g;
    static const int64_t half[] = {1, 2, 6, 3}, all[] = {1, 4, 2, 6, 5, 0, 3}, one[] = {2, 6, 5, 0};
    must(agn_geometric_segment_topk(&y, score, at, 0.5));
    check(&q, has_shape(y, 1, (int64_t[]){4}), "half of 2, 4 and 1 rows");
    for (int k = 0; k < 4; k++)
        check(&q, get(y, k) == (double)half[k], "half: %d is %g", k, get(y, k));
    x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1);
    must(agn_graph_gate_rows(&g, x, score, y));
    for (int k = 0; k < 4 * F; k++)
        check(&q, fabs(get(g, k) - get(x, half[k / F] * F + k % F) * tanh(get(score, half[k / F]))) < 1e-15, "gate %d", k);
    agn_release(g);
    agn_release(y);
    must(agn_geometric_segment_topk(&y, score, at, 1));
    for (int k = 0; k < N; k++)
        check(&q, get(y, k) == (double)all[k], "all: %d is %g", k, get(y, k));
    agn_release(y);
    must(agn_geometric_segment_topk(&y, score, NULL, 0.5));
    for (int k = 0; k < 4; k++)
        check(&q, get(y, k) == (double)one[k], "one segment: %d is %g", k, get(y, k));
    agn_release(y);
    agn_release(score);
    must(agn_full(&score, AGN_F64, 1, (int64_t[]){0}, 0));
    must(agn_geometric_segment_topk(&y, score, NULL, 1));
    check(&q, has_shape(y, 1, (int64_t[]){0}), "nothing");
    agn_release(y);
    agn_release(score);
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){F}, (double[]){3, 4}), *b = scalar_of(AGN_F64, 0.5);
    must(agn_graph_top_k_score(&y, x, w));
    for (int k = 0; k < N; k++)
        check(&q, fabs(get(y, k) - (get(x, k * F) * 3 + get(x, k * F + 1) * 4) / 5) < 1e-15, "score %d", k);
    agn_release(y);
    agn_graph *h = make_graph(M, src, dst, N, N);
    must(agn_graph_sag_score(&y, h, x, w, b));
    double degree[N] = {0};
    for (int e = 0; e < M; e++)
        degree[dst[e]]++;
    for (int i = 0; i < N; i++) {
        double sum = 0.5;
        for (int e = 0; e < M; e++)
            if (dst[e] == i && degree[src[e]] > 0)
                sum += (get(x, src[e] * F) * 3 + get(x, src[e] * F + 1) * 4) / sqrt(degree[i] * degree[src[e]]);
        check(&q, fabs(get(y, i) - sum) < 1e-14, "convolved score %d", i);
    }
    tell(&q, "the best rows of segments, scores, gates");
    agn_graph_release(h);
    agn_release(y);
    agn_release(w);
    agn_release(b);
    agn_release(x);
    agn_release(at);
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static void test_readout(void)
{
    tally q = {0, 0};
    enum { S = 5, STEPS = 3 };
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *score = random_of(AGN_F64, 1, (int64_t[]){N}, -2, 2);
    agn_tensor *at = whole(N, ids), *y;
    must(agn_geometric_attention_pool(&y, x, score, at, S));
    check(&q, has_shape(y, 2, (int64_t[]){S, F}), "shape");
    for (int i = 0; i < S; i++)
        for (int f = 0; f < F; f++) {
            double sum = 0, all = 0;
            for (int k = 0; k < N; k++)
                if (ids[k] == i) {
                    all += exp(get(score, k));
                    sum += exp(get(score, k)) * get(x, k * F + f);
                }
            check(&q, fabs(get(y, i * F + f) - (all > 0 ? sum / all : 0)) < 1e-14, "attention %d", i);
        }
    agn_release(y);
    agn_tensor *wi = random_of(AGN_F64, 2, (int64_t[]){4 * F, 2 * F}, -1, 1), *ws = random_of(AGN_F64, 2, (int64_t[]){4 * F, F}, -1, 1);
    agn_tensor *b = random_of(AGN_F64, 1, (int64_t[]){4 * F}, -1, 1);
    must(agn_geometric_set2set(&y, x, at, S, wi, ws, b, STEPS));
    check(&q, has_shape(y, 2, (int64_t[]){S, 2 * F}), "shape");
    for (int i = 0; i < S; i++) {
        double both[2 * F] = {0}, c[F] = {0};
        for (int step = 0; step < STEPS; step++) {
            double gate[4 * F], e[N], all = 0;
            for (int k = 0; k < 4 * F; k++) {
                gate[k] = get(b, k);
                for (int f = 0; f < 2 * F; f++)
                    gate[k] += get(wi, k * 2 * F + f) * both[f];
                for (int f = 0; f < F; f++)
                    gate[k] += get(ws, k * F + f) * both[f];
            }
            for (int f = 0; f < F; f++) {
                c[f] = logistic(gate[F + f]) * c[f] + logistic(gate[f]) * tanh(gate[2 * F + f]);
                both[f] = logistic(gate[3 * F + f]) * tanh(c[f]);
                both[F + f] = 0;
            }
            for (int k = 0; k < N; k++) {
                e[k] = ids[k] == i ? exp(get(x, k * F) * both[0] + get(x, k * F + 1) * both[1]) : 0;
                all += e[k];
            }
            for (int k = 0; k < N && all > 0; k++)
                for (int f = 0; f < F; f++)
                    both[F + f] += e[k] / all * get(x, k * F + f);
        }
        for (int f = 0; f < 2 * F; f++)
            check(&q, fabs(get(y, i * 2 * F + f) - both[f]) < 1e-14, "set to set %d %d", i, f);
    }
    agn_release(y);
    must(agn_geometric_set2set(&y, x, at, 0, wi, ws, NULL, 0));
    check(&q, has_shape(y, 2, (int64_t[]){4, 2 * F}) && get(y, 3) == 0, "no steps");
    agn_release(y);
    tell(&q, "attention and set to set against loops");
    agn_tensor *all[] = {x, score, at, wi, ws, b};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

/* ---- clusters ------------------------------------------------------------------------------------------ */

static void test_clusters(void)
{
    tally q = {0, 0};
    static const int64_t from[] = {0, 1, 2, 3, 4}, to[] = {1, 2, 3, 4, 5};
    agn_graph *path = make_graph(5, from, to, 7, 7), *h;
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){5}, (double[]){1, 5, 1, 1, 3}), *y, *edges, *key = whole(2, (int64_t[]){3, 1});
    int64_t n;
    static const int64_t plain[] = {0, 0, 1, 1, 2, 2, 3}, heavy[] = {0, 0, 1, 1, 2, 2, 3};
    must(agn_graph_match(&y, &n, path, NULL, NULL));
    for (int i = 0; i < 7; i++)
        check(&q, n == 4 && get(y, i) == (double)plain[i], "pair of %d: %g", i, get(y, i));
    agn_release(y);
    must(agn_graph_match(&y, NULL, path, w, NULL)); /* 0 takes 1 before 1 can take 2 */
    for (int i = 0; i < 7; i++)
        check(&q, get(y, i) == (double)heavy[i], "heavy pair of %d: %g", i, get(y, i));
    must(agn_graph_contract(&h, &edges, path, y, 0));
    static const int64_t kept[] = {-1, 0, -1, 1, -1};
    agn_tensor *a, *b;
    int64_t n_src, m;
    must(agn_graph_size(&n_src, NULL, &m, h));
    must(agn_graph_edges(&a, &b, h));
    check(&q, n_src == 4 && m == 2 && get(a, 0) == 0 && get(b, 0) == 1 && get(a, 1) == 1 && get(b, 1) == 2, "contracted");
    for (int e = 0; e < 5; e++)
        check(&q, get(edges, e) == (double)kept[e], "edge %d became %g", e, get(edges, e));
    agn_release(a);
    agn_release(b);
    agn_release(edges);
    agn_release(y);
    agn_graph_release(h);
    for (int k = 0; k < 20; k++) { /* by keys: neighbours or alone, and no two left that could be joined */
        agn_tensor *lot = whole(2, (int64_t[]){k, 1});
        must(agn_graph_match(&y, &n, path, w, lot));
        int64_t size[7] = {0};
        for (int i = 0; i < 7; i++)
            size[(int64_t)get(y, i)]++;
        for (int i = 0; i < 7; i++)
            check(&q, get(y, i) < (double)n && size[(int64_t)get(y, i)] <= 2, "pairs");
        for (int e = 0; e < 5; e++)
            check(&q, size[(int64_t)get(y, from[e])] == 2 || size[(int64_t)get(y, to[e])] == 2, "edge %d is left", e);
        agn_release(y);
        agn_release(lot);
    }
    agn_release(key);
    agn_release(w);
    agn_graph_release(path);
    tell(&q, "pairs along edges, contraction");
}

static void test_partition(void)
{
    tally q = {0, 0};
    enum { SIDE = 32, CELLS = SIDE * SIDE };
    static int64_t from[4 * CELLS], to[4 * CELLS];
    int64_t m = 0, cut, size[64];
    for (int i = 0; i < CELLS; i++) {
        if (i % SIDE < SIDE - 1)
            from[m] = i, to[m++] = i + 1;
        if (i / SIDE < SIDE - 1)
            from[m] = i, to[m++] = i + SIDE;
    }
    agn_graph *g = make_graph(m, from, to, CELLS, CELLS);
    agn_tensor *y;
    /* what straight cuts of a square grid would take; a factor of 2 is granted */
    static const struct { int64_t parts, straight; } want[] = {{1, 0}, {2, 32}, {4, 64}, {16, 192}, {64, 448}};
    for (int k = 0; k < COUNT(want); k++) {
        must(agn_graph_partition(&y, &cut, g, want[k].parts));
        int64_t between = 0;
        memset(size, 0, sizeof size);
        for (int i = 0; i < CELLS; i++)
            size[(int64_t)get(y, i)]++;
        for (int64_t e = 0; e < m; e++)
            between += get(y, from[e]) != get(y, to[e]);
        for (int64_t p = 0; p < want[k].parts; p++)
            check(&q, size[p] > 0 && (double)size[p] <= 1.05 * CELLS / (double)want[k].parts + 1, "part %d of %d has %d nodes",
                  (int)p, (int)want[k].parts, (int)size[p]);
        check(&q, cut == between && cut <= 2 * want[k].straight, "%d parts cut %d edges, straight ones %d", (int)want[k].parts,
              (int)cut, (int)want[k].straight);
        diag("%d parts of a grid of %d nodes cut %d edges, straight ones %d", (int)want[k].parts, CELLS, (int)cut,
             (int)want[k].straight);
        agn_release(y);
    }
    agn_graph_release(g);
    g = make_graph(0, from, to, 3, 3); /* more parts than nodes, no edges */
    must(agn_graph_partition(&y, NULL, g, 5));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            check(&q, get(y, i) != get(y, j) || get(y, i) < 5, "parts of single nodes");
    agn_release(y);
    agn_graph_release(g);
    m = 0; /* a star: the hub's ties cannot all stay */
    for (int i = 1; i < 200; i++)
        from[m] = 0, to[m++] = i;
    g = make_graph(m, from, to, 200, 200);
    must(agn_graph_partition(&y, &cut, g, 4));
    memset(size, 0, sizeof size);
    for (int i = 0; i < 200; i++)
        size[(int64_t)get(y, i)]++;
    for (int p = 0; p < 4; p++)
        check(&q, size[p] <= 53, "part %d of a star has %d nodes", p, (int)size[p]);
    agn_release(y);
    agn_graph_release(g);
    tell(&q, "partitions: parts of like size, few edges between");
}

/* ---- derivatives ---------------------------------------------------------------------------------------- */

typedef struct call {
    agn_graph *g;
    agn_tensor *ids, *nodes;
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    switch (q->what) {
    case 0: out[0] = ag_graph_top_k_score(s, in[0], in[1]); break;
    case 1: out[0] = ag_graph_sag_score(s, q->g, in[0], in[1], NULL); break;
    case 2: out[0] = ag_graph_gate_rows(s, in[0], in[1], q->nodes); break;
    case 3: out[0] = ag_geometric_attention_pool(s, in[0], in[1], q->ids, 5); break;
    default: out[0] = ag_geometric_set2set(s, in[0], q->ids, 4, in[1], in[2], in[3], 2);
    }
    return agn_scope_status(s);
}
static const char *const names[] = {"top_k_score", "sag_score", "gate_rows", "attention_pool", "set2set"};

static void test_modes(call c, const agn_tensor *x, const agn_tensor *w, const agn_tensor *score, const agn_tensor *wi,
                       const agn_tensor *ws, const agn_tensor *b)
{
    for (c.what = 0; c.what < COUNT(names); c.what++) {
        agn_fn *f = NULL;
        int n = c.what == 4 ? 4 : 2;
        must(agn_fn_new(&f, body, &c, NULL, n, 1));
        in_every_mode(f, n, (const agn_tensor *[]){x, c.what < 2 ? w : c.what < 4 ? score : wi, ws, b}, 1e-3, 1e-7,
                      names[c.what]);
        agn_fn_release(f);
    }
}

/* ---- failures ---------------------------------------------------------------------------------------------- */

static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *to = nothing, *two = make_graph(M, src, dst, N, N + 1);
    agn_tensor *out = untouched, *sp = NULL, *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1);
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){N, F}, 0, 1), *zv = random_of(AGN_C128, 1, (int64_t[]){N}, 0, 1);
    agn_tensor *v = random_of(AGN_F64, 1, (int64_t[]){N}, 0, 1), *w = random_of(AGN_F64, 1, (int64_t[]){F}, 0, 1);
    agn_tensor *few = whole(2, ids), *below = whole(N, (int64_t[]){0, 0, -1, 0, 0, 0, 0});
    agn_tensor *hole = of_reals(AGN_F64, 1, (int64_t[]){N}, (double[]){0, 1, (double)NAN, 3, 4, 5, 6});
    agn_tensor *edge = of_reals(AGN_F64, 1, (int64_t[]){M}, (double[]){0, 1, (double)NAN, 3, 4, 5, 6, 7, 8});
    agn_tensor *far = whole(2, (int64_t[]){0, 9}), *wi = random_of(AGN_F64, 2, (int64_t[]){4 * F, 2 * F}, -1, 1);
    agn_tensor *ws = random_of(AGN_F64, 2, (int64_t[]){4 * F, F}, -1, 1), *b = random_of(AGN_F64, 1, (int64_t[]){4 * F}, -1, 1);
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define TOP(o_, s_, i_, r_, st, m1, m2) BAD(agn_geometric_segment_topk(o_, s_, i_, r_), "geometric_segment_topk", st, m1, m2)
    TOP(NULL, v, NULL, 1, AGN_ENULL, "out is NULL", NULL);
    TOP(&out, NULL, NULL, 1, AGN_ENULL, "score is NULL", NULL);
    TOP(&out, v, NULL, 0, AGN_EDOMAIN, "ratio is 0", NULL);
    TOP(&out, v, NULL, 1.5, AGN_EDOMAIN, "ratio is 1.5", NULL);
    TOP(&out, x, NULL, 1, AGN_ESHAPE, "2 axes", NULL);
    TOP(&out, v, few, 1, AGN_ESHAPE, "[7]", "[2]");
    TOP(&out, zv, NULL, 1, AGN_EDTYPE, "c128", NULL);
    TOP(&out, v, v, 1, AGN_EDTYPE, "ids is f64", NULL);
    TOP(&out, v, below, 1, AGN_EINDEX, "-1 at 2", NULL);
    TOP(&out, hole, NULL, 1, AGN_EDOMAIN, "row 2", NULL);
    TOP(&out, sp, NULL, 1, AGN_EUNSUPPORTED, "sparse", NULL);
#define SCORE(o_, x_, w_, st, m1, m2) \
    BAD(agn_graph_top_k_score(o_, x_, w_), "graph_top_k_score", st, m1, m2); \
    BAD(agn_graph_sag_score(o_, c->g, x_, w_, NULL), "graph_sag_score", st, m1, m2)
    SCORE(NULL, x, w, AGN_ENULL, "out is NULL", NULL);
    SCORE(&out, NULL, w, AGN_ENULL, "x is NULL", NULL);
    SCORE(&out, x, NULL, AGN_ENULL, "w is NULL", NULL);
    SCORE(&out, v, w, AGN_ESHAPE, "1 axes", NULL);
    SCORE(&out, x, v, AGN_ESHAPE, "w is [7]", "[2]");
    SCORE(&out, z, w, AGN_EDTYPE, "c128", NULL);
    SCORE(&out, sp, w, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_sag_score(&out, NULL, x, w, NULL), "graph_sag_score", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_sag_score(&out, two, x, w, NULL), "graph_sag_score", AGN_EARG, "7 sources", "8 destinations");
    BAD(agn_graph_sag_score(&out, c->g, x, w, w), "graph_sag_score", AGN_ESHAPE, "bias is [2]", NULL);
#define GATE(o_, x_, s_, n_, st, m1, m2) BAD(agn_graph_gate_rows(o_, x_, s_, n_), "graph_gate_rows", st, m1, m2)
    GATE(NULL, x, v, few, AGN_ENULL, "out is NULL", NULL);
    GATE(&out, NULL, v, few, AGN_ENULL, "x is NULL", NULL);
    GATE(&out, x, NULL, few, AGN_ENULL, "score is NULL", NULL);
    GATE(&out, x, v, NULL, AGN_ENULL, "nodes is NULL", NULL);
    GATE(&out, x, w, few, AGN_ESHAPE, "score is [2]", "7 rows");
    GATE(&out, x, x, few, AGN_ESHAPE, "2 axes", NULL);
    GATE(&out, z, v, few, AGN_EDTYPE, "c128", NULL);
    GATE(&out, x, v, v, AGN_EDTYPE, "nodes are f64", NULL);
    GATE(&out, x, v, far, AGN_EINDEX, "9", NULL);
    GATE(&out, sp, v, few, AGN_EUNSUPPORTED, "sparse", NULL);
#define ATT(o_, x_, s_, i_, n_, st, m1, m2) \
    BAD(agn_geometric_attention_pool(o_, x_, s_, i_, n_), "geometric_attention_pool", st, m1, m2)
    ATT(NULL, x, v, c->ids, 0, AGN_ENULL, "out is NULL", NULL);
    ATT(&out, NULL, v, c->ids, 0, AGN_ENULL, "x is NULL", NULL);
    ATT(&out, x, NULL, c->ids, 0, AGN_ENULL, "score is NULL", NULL);
    ATT(&out, x, v, NULL, 0, AGN_ENULL, "ids is NULL", NULL);
    ATT(&out, x, w, c->ids, 0, AGN_ESHAPE, "score is [2]", "7 rows");
    ATT(&out, x, x, c->ids, 0, AGN_ESHAPE, "2 axes", NULL);
    ATT(&out, x, v, few, 0, AGN_ESHAPE, "[7,2]", "[2]");
    ATT(&out, z, v, c->ids, 0, AGN_EDTYPE, "c128", NULL);
    ATT(&out, x, v, v, 0, AGN_EDTYPE, "ids is f64", NULL);
    ATT(&out, x, v, c->ids, 2, AGN_EINDEX, "edge 3", "3");
    ATT(&out, sp, v, c->ids, 0, AGN_EUNSUPPORTED, "sparse", NULL);
#define SET(o_, x_, i_, wi_, ws_, b_, n_, st, m1, m2) \
    BAD(agn_geometric_set2set(o_, x_, i_, 0, wi_, ws_, b_, n_), "geometric_set2set", st, m1, m2)
    SET(NULL, x, c->ids, wi, ws, b, 1, AGN_ENULL, "out is NULL", NULL);
    SET(&out, NULL, c->ids, wi, ws, b, 1, AGN_ENULL, "x is NULL", NULL);
    SET(&out, x, NULL, wi, ws, b, 1, AGN_ENULL, "ids is NULL", NULL);
    SET(&out, x, c->ids, NULL, ws, b, 1, AGN_ENULL, "w_in is NULL", NULL);
    SET(&out, x, c->ids, wi, NULL, b, 1, AGN_ENULL, "w_state is NULL", NULL);
    SET(&out, v, c->ids, wi, ws, b, 1, AGN_ESHAPE, "1 axes", NULL);
    SET(&out, x, few, wi, ws, b, 1, AGN_ESHAPE, "[7,2]", "[2]");
    SET(&out, x, c->ids, ws, ws, b, 1, AGN_ESHAPE, "w_in is [8,2]", "4");
    SET(&out, x, c->ids, wi, wi, b, 1, AGN_ESHAPE, "w_state is [8,4]", NULL);
    SET(&out, x, c->ids, wi, x, b, 1, AGN_ESHAPE, "w_state is [7,2]", "8 rows");
    SET(&out, x, c->ids, wi, ws, w, 1, AGN_ESHAPE, "bias is [2]", "[8]");
    SET(&out, x, c->ids, wi, ws, b, -1, AGN_EARG, "-1 steps", NULL);
    SET(&out, x, below, wi, ws, b, 1, AGN_EINDEX, "edge 2", "-1");
    SET(&out, x, v, wi, ws, b, 1, AGN_EDTYPE, "ids is f64", NULL);
    SET(&out, z, c->ids, wi, ws, b, 1, AGN_EDTYPE, "c128", NULL);
    SET(&out, sp, c->ids, wi, ws, b, 1, AGN_EUNSUPPORTED, "sparse", NULL);
#define MATCH(o_, g_, w_, k_, st, m1, m2) BAD(agn_graph_match(o_, NULL, g_, w_, k_), "graph_match", st, m1, m2)
    MATCH(NULL, c->g, NULL, NULL, AGN_ENULL, "ids is NULL", NULL);
    MATCH(&out, NULL, NULL, NULL, AGN_ENULL, "g is NULL", NULL);
    MATCH(&out, two, NULL, NULL, AGN_EARG, "7 sources", "8 destinations");
    MATCH(&out, c->g, v, NULL, AGN_ESHAPE, "w is [7]", "9 rows");
    MATCH(&out, c->g, edge, NULL, AGN_EDOMAIN, "edge 2", "NaN");
    MATCH(&out, c->g, z, NULL, AGN_ESHAPE, "w is [7,2]", NULL);
    MATCH(&out, c->g, NULL, x, AGN_EDTYPE, NULL, NULL);
    MATCH(&out, c->g, sp, NULL, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_partition(NULL, NULL, c->g, 2), "graph_partition", AGN_ENULL, "ids is NULL", NULL);
    BAD(agn_graph_partition(&out, NULL, NULL, 2), "graph_partition", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_partition(&out, NULL, c->g, 0), "graph_partition", AGN_EARG, "0 parts", NULL);
    BAD(agn_graph_partition(&out, NULL, two, 2), "graph_partition", AGN_EARG, "7 sources", "8 destinations");
#define CON(o_, g_, i_, n_, st, m1, m2) BAD(agn_graph_contract(o_, &out, g_, i_, n_), "graph_contract", st, m1, m2)
    CON(NULL, c->g, c->ids, 0, AGN_ENULL, "out is NULL", NULL);
    CON(&to, NULL, c->ids, 0, AGN_ENULL, "g is NULL", NULL);
    CON(&to, c->g, NULL, 0, AGN_ENULL, "ids is NULL", NULL);
    CON(&to, two, c->ids, 0, AGN_EARG, "7 sources", "8 destinations");
    CON(&to, c->g, few, 0, AGN_ESHAPE, "ids are [2]", "7 nodes");
    CON(&to, c->g, v, 0, AGN_EDTYPE, "ids is f64", NULL);
    CON(&to, c->g, below, 0, AGN_EINDEX, "-1 at 2", NULL);
    CON(&to, c->g, c->ids, 2, AGN_EINDEX, "3 at 3", "2 clusters");
    CON(&to, c->g, sp, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, to == nothing, "no graph");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {sp, x, z, zv, v, w, few, below, hole, edge, far, wi, ws, b};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(two);
}

typedef struct making {
    const call *c;
    agn_tensor *x, *w, *score, *wi, *ws, *b;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    agn_tensor *v = NULL, *s = NULL, *d = NULL;
    switch (m->what) {
    case 0: return agn_graph_top_k_score(out, m->x, m->w);
    case 1: return agn_graph_sag_score(out, m->c->g, m->x, m->w, NULL);
    case 2: return agn_graph_gate_rows(out, m->x, m->score, m->c->nodes);
    case 3: return agn_geometric_attention_pool(out, m->x, m->score, m->c->ids, 0);
    case 4: return agn_geometric_set2set(out, m->x, m->c->ids, 0, m->wi, m->ws, m->b, 2);
    case 5: return agn_geometric_segment_topk(out, m->score, m->c->ids, 0.5);
    case 6: return agn_graph_match(out, NULL, m->c->g, NULL, NULL);
    case 7: return agn_graph_partition(out, NULL, m->c->g, 2);
    default: break;
    }
    agn_status st = agn_graph_contract(&g, &v, m->c->g, m->c->ids, 0);
    if (!st)
        st = agn_graph_edges(&s, &d, g);
    agn_graph_release(g);
    agn_release(v);
    agn_release(d);
    if (!st)
        *out = s;
    return st;
}

int main(void)
{
    static const char *const made[] = {"top_k_score", "sag_score", "gate_rows", "attention_pool", "set2set", "segment_topk",
                                       "match", "partition", "contract"};
    test_topk();
    test_readout();
    test_clusters();
    test_partition();
    call c = {make_graph(M, src, dst, N, N), whole(N, ids), whole(3, (int64_t[]){2, 0, 5}), 0};
    making m = {&c, random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), random_of(AGN_F64, 1, (int64_t[]){F}, 0.5, 1),
                random_of(AGN_F64, 1, (int64_t[]){N}, -1, 1), random_of(AGN_F64, 2, (int64_t[]){4 * F, 2 * F}, -1, 1),
                random_of(AGN_F64, 2, (int64_t[]){4 * F, F}, -1, 1), random_of(AGN_F64, 1, (int64_t[]){4 * F}, -1, 1), 0};
    test_modes(c, m.x, m.w, m.score, m.wi, m.ws, m.b);
    test_failures(&c);
    for (; m.what < COUNT(made); m.what++)
        every_allocation(make, &m, made[m.what]);
    agn_tensor *all[] = {m.x, m.w, m.score, m.wi, m.ws, m.b, c.ids, c.nodes};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(c.g);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
