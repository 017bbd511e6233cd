/* t-geometric-subgraphs - weights of GraphSAINT, visits of walks, shared draws, paths of two
   edges, subgraphs of edges: by closed forms, frequencies and loops, the same for a key, and every
   failure. */
#include "geometric.h"

#include <agnesi/geometric_sample.h>
#include <agnesi/geometric_transform.h>

enum { N = 6, M = 10, MOST = 400 };
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1, 5},
                     dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2, 3};

/* ---- weights of samples ---------------------------------------------------------------------- */

static void test_weights(void)
{
    tally q = {0, 0};
    enum { SAMPLES = 20000 };
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *key = key_of(1), *v, *w, *v2, *w2;
    double arrive[N] = {0};
    for (int e = 0; e < M; e++)
        arrive[dst[e]]++;
    must(agn_graph_saint_weights(&v, &w, g, AGN_SAINT_NODE, 1, 0, SAMPLES, key));
    must(agn_graph_saint_weights(&v2, &w2, g, AGN_SAINT_NODE, 1, 0, SAMPLES, key));
    check(&q,
          has_shape(v, 1, (int64_t[]){N}) && has_shape(w, 1, (int64_t[]){M}) &&
              same_values(v, v2) && same_values(w, w2),
          "shapes, the same for a key");
    for (int i = 0; i < N;
         i++) { /* one node a sample: 1 / p of M p; edges but loops are never seen */
        double p = arrive[i] / M;
        check(&q, p > 0 ? fabs(1 / get(v, i) - p) < 5 * sqrt(p / SAMPLES) : get(v, i) == 0,
              "node %d: %g", i, get(v, i));
    }
    for (int e = 0; e < M; e++)
        check(&q, get(w, e) == (src[e] == dst[e]), "edge %d: %g", e, get(w, e));
    RELEASE(v, w, v2, w2);
    must(agn_graph_saint_weights(&v, &w, g, AGN_SAINT_WALK, 500, 3, 20,
                                 key)); /* all nodes in all samples */
    for (int i = 0; i < N; i++)
        check(&q, get(v, i) == 1, "node %d is always there", i);
    for (int e = 0; e < M; e++)
        check(&q, get(w, e) == 1, "edge %d is always there", e);
    RELEASE(v, w);
    /* two draws of edges: unbiased sums of losses and of messages over the samples that made the
       weights */
    must(agn_graph_saint_weights(&v, &w, g, AGN_SAINT_EDGE, 2, 0, SAMPLES, key));
    double degree[N] = {0}, p[M], all = 0;
    for (int e = 0; e < M; e++)
        degree[src[e]]++, degree[dst[e]]++;
    for (int e = 0; e < M; e++)
        all += p[e] = 1 / degree[src[e]] + 1 / degree[dst[e]];
    for (int i = 0; i < N; i++) {
        double miss = 1;
        for (int e = 0; e < M; e++)
            miss -= src[e] == i || dst[e] == i ? p[e] / all : 0;
        double have = 1 - miss * miss;
        check(&q, fabs(1 / get(v, i) - have) < 5 * sqrt(have * miss * miss / SAMPLES) + 1e-9,
              "node %d: %g, not %g", i, 1 / get(v, i), have);
    }
    for (int e = 0; e < M; e++)
        check(&q, get(w, e) >= 1, "an edge is not there more often than its end: %g", get(w, e));
    RELEASE(v, w);
    must(agn_graph_saint_weights(&v, &w, g, AGN_SAINT_NODE, 1, 0, 0, key));
    check(&q, get(v, 1) == 0 && get(w, 0) == 0, "no samples");
    RELEASE(v, w, key);
    agn_graph_release(g);
    tell(&q, "weights of samples by nodes, edges, walks");
}

/* ---- visits ---------------------------------------------------------------------------------- */

static void test_visits(void)
{
    tally q = {0, 0};
    /* from 0: to 1 with 2/3, to 2 with 1/3; both lead to 3, 3 to 0 */
    static const int64_t from[] = {0, 0, 0, 1, 2, 3}, to[] = {1, 1, 2, 3, 3, 0};
    agn_graph *g = make_graph(6, from, to, 5, 5);
    agn_tensor *key = key_of(5), *list = whole(3, (int64_t[]){0, 4, 0}), *a, *n, *t, *b, *m;
    must(agn_graph_sample_visits(&a, &n, &t, g, list, 3000, 2, 0, -1, key));
    must(agn_graph_sample_visits(&b, &m, NULL, g, list, 3000, 2, 0, -1, key));
    check(&q, same(a, b) && same(n, m), "the same for a key");
    check(&q, at(n, 0) == 3 && at(n, 1) == 0 && at(n, 2) == 3, "of three, of none");
    check(&q, at(a, 0) == 3 && at(t, 0) == 3000 && at(a, 1) == 1 && at(a, 2) == 2,
          "most visited first");
    check(&q, at(t, 1) + at(t, 2) == 3000 && fabs(get(t, 1) - 2000) < 5 * sqrt(3000 * 2.0 / 9),
          "%g visits", get(t, 1));
    check(&q, at(t, 4) != at(t, 1), "another place draws anew");
    RELEASE(a, n, t, b, m);
    must(agn_graph_sample_visits(&a, &n, &t, g, list, 4000, 2, 0.25, 1,
                                 key)); /* 3 of 4 walks go on */
    check(&q,
          agn_numel(a) == 2 && at(n, 0) == 1 && at(a, 0) == 3 &&
              fabs(get(t, 0) - 3000) < 5 * sqrt(750),
          "%g visits", get(t, 0));
    RELEASE(a, n, t);
    must(agn_graph_sample_visits(&a, &n, &t, g, list, 9, 4, 1, -1, key));
    for (int k = 0; k < agn_numel(a); k++)
        check(&q, at(a, k) == 1 || at(a, k) == 2, "walks that end at once");
    RELEASE(a, n, t);
    must(agn_graph_sample_visits(&a, &n, &t, g, list, 0, 4, 1, -1, key));
    check(&q, agn_numel(a) == 0 && agn_numel(n) == 3, "no walks");
    RELEASE(a, n, t, list, key);
    agn_graph_release(g);
    tell(&q, "visits of walks");
}

/* ---- shared draws ---------------------------------------------------------------------------- */

static void test_shared(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *list = whole(4, (int64_t[]){1, 3, 1, 5}), *a, *n, *e;
    int64_t degree[N] = {0}, drawn[M] = {0};
    for (int k = 0; k < M; k++)
        degree[dst[k]]++;
    for (int s = 0; s < 4000; s++) {
        agn_tensor *key = key_of(s);
        bool has[2] = {false, false};
        must(agn_graph_sample_shared(&a, &n, &e, g, list, 1.5, key));
        int64_t at_edge = 0;
        for (int i = 0; i < 4; i++)
            for (int64_t k = 0; k < at(n, i); k++, at_edge++) {
                int64_t edge = at(e, at_edge);
                check(&q,
                      dst[edge] == at(list, i) && src[edge] == at(a, at_edge) &&
                          (!k || edge > at(e, at_edge - 1)),
                      "edge %d", (int)edge);
                drawn[edge] += i < 2;
                has[edge == 0] |= i == 0 && (edge == 0 || edge == 7);
            }
        check(&q, at_edge == agn_numel(e) && at(n, 0) == at(n, 2) && at(n, 3) == 0, "counts");
        check(&q, has[0] == has[1],
              "parallel edges come together"); /* 0 -> 1 twice: of one source */
        RELEASE(a, n, e, key);
    }
    for (int k = 0; k < M; k++) {
        double p = dst[k] == 1 || dst[k] == 3 ? 1.5 / (double)degree[dst[k]] : 0;
        check(&q, fabs((double)drawn[k] - 4000 * p) <= 5 * sqrt(4000 * p),
              "edge %d is drawn %d times, not %g", k, (int)drawn[k], 4000 * p);
    }
    agn_tensor *key = key_of(1);
    must(agn_graph_sample_shared(&a, &n, NULL, g, list, 100, key));
    check(&q, at(n, 0) == 3 && at(n, 1) == 3 && agn_numel(a) == 9, "all of them");
    RELEASE(a, n);
    must(agn_graph_sample_shared(&a, &n, NULL, g, list, 0, key));
    check(&q, agn_numel(a) == 0, "none of them");
    RELEASE(a, n, key, list);
    agn_graph_release(g);
    tell(&q, "edges of shared sources");
}

/* ---- paths and edges ------------------------------------------------------------------------- */

static void test_paths(int64_t n, int64_t between, int64_t m, int64_t k)
{
    tally q = {0, 0};
    int64_t a[MOST], b[MOST], c[MOST], d[MOST];
    static int64_t from[MOST * MOST], to[MOST * MOST], number[MOST];
    for (int64_t e = 0; e < m; e++)
        a[e] = rnd_below(n), b[e] = rnd_below(between);
    for (int64_t e = 0; e < k; e++)
        c[e] = rnd_below(between), d[e] = rnd_below(n + 1);
    agn_graph *g = make_graph(m, a, b, n, between), *h = make_graph(k, c, d, between, n + 1), *y;
    agn_tensor *paths;
    int64_t n_src, n_dst, all = 0;
    must(agn_graph_compose(&y, &paths, g, h));
    must(agn_graph_size(&n_src, &n_dst, NULL, y));
    int64_t edges = read_edges(y, from, to);
    check(&q, n_src == n && n_dst == n + 1 && has_shape(paths, 1, &edges), "sizes");
    memset(number, 0, sizeof number);
    for (int64_t e = 0; e < m; e++)
        for (int64_t f = 0; f < k; f++)
            if (b[e] == c[f])
                number[a[e] * (n + 1) + d[f]]++, all++;
    for (int64_t e = 0; e < edges; e++) {
        check(&q, at(paths, e) == number[from[e] * (n + 1) + to[e]], "paths from %d to %d",
              (int)from[e], (int)to[e]);
        all -= at(paths, e);
        number[from[e] * (n + 1) + to[e]] = -1; /* each pair once */
    }
    check(&q, all == 0, "%d paths are missing", (int)all);
    agn_release(paths);
    agn_graph_release(y);
    must(agn_graph_compose(&y, NULL, g, h));
    agn_graph_release(y);
    agn_graph_release(g);
    agn_graph_release(h);
    tell(&q, "paths of two edges over %d nodes", (int)between);
}

static void test_edges(void)
{
    tally q = {0, 0};
    static const int64_t a[] = {7, 2, 2, 9, 7}, b[] = {2, 2, 5, 7, 5}, list[] = {3, 1, 3};
    agn_graph *g = make_graph(5, a, b, 11, 11), *y;
    agn_tensor *some = whole(3, list), *nodes;
    int64_t from[8], to[8], n;
    must(agn_graph_edge_subgraph(&y, &nodes, g, some));
    must(agn_graph_size(&n, NULL, NULL, y));
    check(&q,
          n == 3 && read_edges(y, from, to) == 3 && at(nodes, 0) == 2 && at(nodes, 1) == 7 &&
              at(nodes, 2) == 9,
          "nodes");
    for (int k = 0; k < 3; k++)
        check(&q, at(nodes, from[k]) == a[list[k]] && at(nodes, to[k]) == b[list[k]], "edge %d", k);
    agn_release(nodes);
    agn_graph_release(y);
    must(agn_graph_edge_subgraph(&y, &nodes, g, NULL));
    check(&q, agn_numel(nodes) == 4 && read_edges(y, from, to) == 5 && at(nodes, 1) == 5,
          "all edges");
    for (int k = 0; k < 5; k++)
        check(&q, at(nodes, from[k]) == a[k] && at(nodes, to[k]) == b[k], "edge %d", k);
    agn_release(nodes);
    agn_graph_release(y);
    agn_graph_release(g);
    g = make_graph(0, a, b, 3, 3);
    must(agn_graph_edge_subgraph(&y, &nodes, g, NULL));
    must(agn_graph_size(&n, NULL, NULL, y));
    check(&q, n == 0 && agn_numel(nodes) == 0, "no edges");
    agn_release(nodes);
    agn_release(some);
    agn_graph_release(y);
    agn_graph_release(g);
    tell(&q, "subgraphs of edges");
}

/* ---- failures -------------------------------------------------------------------------------- */

static void test_failures(void)
{
    tally q = {0, 0};
    const double nan = (double)NAN, inf = (double)INFINITY;
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *to = nothing;
    agn_graph *g = make_graph(M, src, dst, N, N),
              *two = make_graph(2, (int64_t[]){0, 1}, (int64_t[]){0, 1}, 2, 3);
    agn_graph *bare = make_graph(0, src, dst, 0, 0), *lone = make_graph(0, src, dst, 4, 4);
    agn_tensor *out = untouched, *b = untouched, *key = key_of(1),
               *nodes = whole(2, (int64_t[]){1, 2}), *sp = NULL;
    agn_tensor *far = whole(2, (int64_t[]){1, 99}),
               *v = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0, 1}), *flat = NULL;
    must(agn_full(&flat, AGN_I64, 2, (int64_t[]){1, 2}, 0));
    must(agn_sparse_from_dense(&sp, flat));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out) && b == untouched && to == nothing, \
          "line %d: %s", __LINE__, agn_error_message())
#define SAINT(v_, w_, g_, h_, c_, l_, s_, k_, st, m1, m2) \
    BAD(agn_graph_saint_weights(v_, w_, g_, h_, c_, l_, s_, k_), "graph_saint_weights", st, m1, m2)
    SAINT(NULL, &b, g, 0, 1, 0, 1, key, AGN_ENULL, "nodes is NULL", NULL);
    SAINT(&out, NULL, g, 0, 1, 0, 1, key, AGN_ENULL, "edges is NULL", NULL);
    SAINT(&out, &b, NULL, 0, 1, 0, 1, key, AGN_ENULL, "g is NULL", NULL);
    SAINT(&out, &b, g, 3, 1, 0, 1, key, AGN_EARG, "how 3", NULL);
    SAINT(&out, &b, g, 0, -1, 0, 1, key, AGN_EARG, "-1 draws", NULL);
    SAINT(&out, &b, g, 2, 1, -2, 1, key, AGN_EARG, "length -2", NULL);
    SAINT(&out, &b, g, 0, 1, 0, -5, key, AGN_EARG, "-5 samples", NULL);
    SAINT(&out, &b, two, 0, 1, 0, 1, key, AGN_EARG, "2 sources", "3 destinations");
    SAINT(&out, &b, bare, 0, 1, 0, 1, key, AGN_EDOMAIN, "0 nodes", NULL);
    SAINT(&out, &b, lone, 1, 1, 0, 1, key, AGN_EDOMAIN, "0 edges", NULL);
    SAINT(&out, &b, g, 0, 1, 0, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    SAINT(&out, &b, g, 0, 1, 0, 1, v, AGN_EDTYPE, "f64", NULL);
#define VISIT(a_, n_, g_, x_, w_, l_, s_, k_, st, m1, m2) \
    BAD(agn_graph_sample_visits(a_, n_, NULL, g_, x_, w_, l_, s_, -1, k_), "graph_sample_visits", \
        st, m1, m2)
    VISIT(NULL, &b, g, nodes, 1, 1, 0, key, AGN_ENULL, "neighbors is NULL", NULL);
    VISIT(&out, NULL, g, nodes, 1, 1, 0, key, AGN_ENULL, "counts is NULL", NULL);
    VISIT(&out, &b, NULL, nodes, 1, 1, 0, key, AGN_ENULL, "g is NULL", NULL);
    VISIT(&out, &b, g, NULL, 1, 1, 0, key, AGN_ENULL, "nodes is NULL", NULL);
    VISIT(&out, &b, g, nodes, 1, 1, 0, NULL, AGN_ENULL, "key is NULL", NULL);
    VISIT(&out, &b, g, nodes, -1, 1, 0, key, AGN_EARG, "-1 walks", NULL);
    VISIT(&out, &b, g, nodes, 1, -1, 0, key, AGN_EARG, "length -1", NULL);
    VISIT(&out, &b, g, nodes, 1, 1, 1.5, key, AGN_EDOMAIN, "1.5", NULL);
    VISIT(&out, &b, g, nodes, 1, 1, nan, key, AGN_EDOMAIN, "nan", NULL);
    VISIT(&out, &b, two, nodes, 1, 1, 0, key, AGN_EARG, "2 sources", "3 destinations");
    VISIT(&out, &b, g, far, 1, 1, 0, key, AGN_EINDEX, "99", "1");
    VISIT(&out, &b, g, v, 1, 1, 0, key, AGN_EDTYPE, "f64", NULL);
    VISIT(&out, &b, g, flat, 1, 1, 0, key, AGN_ESHAPE, "[1,2]", NULL);
    VISIT(&out, &b, g, sp, 1, 1, 0, key, AGN_EUNSUPPORTED, "sparse", NULL);
    VISIT(&out, &b, g, nodes, INT64_MAX, INT64_MAX, 0, key, AGN_ENOMEM, NULL, NULL);
#define SHARE(a_, n_, g_, x_, m_, k_, st, m1, m2) \
    BAD(agn_graph_sample_shared(a_, n_, NULL, g_, x_, m_, k_), "graph_sample_shared", st, m1, m2)
    SHARE(NULL, &b, g, nodes, 1, key, AGN_ENULL, "neighbors is NULL", NULL);
    SHARE(&out, NULL, g, nodes, 1, key, AGN_ENULL, "counts is NULL", NULL);
    SHARE(&out, &b, NULL, nodes, 1, key, AGN_ENULL, "g is NULL", NULL);
    SHARE(&out, &b, g, NULL, 1, key, AGN_ENULL, "nodes is NULL", NULL);
    SHARE(&out, &b, g, nodes, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    SHARE(&out, &b, g, nodes, -1, key, AGN_EDOMAIN, "-1", NULL);
    SHARE(&out, &b, g, nodes, nan, key, AGN_EDOMAIN, "nan", NULL);
    SHARE(&out, &b, g, nodes, inf, key, AGN_EDOMAIN, "inf", NULL);
    SHARE(&out, &b, g, far, 1, key, AGN_EINDEX, "99", "1");
    SHARE(&out, &b, g, v, 1, key, AGN_EDTYPE, "f64", NULL);
    SHARE(&out, &b, g, flat, 1, key, AGN_ESHAPE, "[1,2]", NULL);
    SHARE(&out, &b, g, sp, 1, key, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_compose(NULL, &b, g, g), "graph_compose", AGN_ENULL, "out is NULL", NULL);
    BAD(agn_graph_compose(&to, &b, NULL, g), "graph_compose", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_compose(&to, &b, g, NULL), "graph_compose", AGN_ENULL, "h is NULL", NULL);
    BAD(agn_graph_compose(&to, &b, two, two), "graph_compose", AGN_EARG, "3 destinations",
        "2 sources");
#define EDGES(t_, n_, g_, e_, st, m1, m2) \
    BAD(agn_graph_edge_subgraph(t_, n_, g_, e_), "graph_edge_subgraph", st, m1, m2)
    EDGES(NULL, &b, g, nodes, AGN_ENULL, "out is NULL", NULL);
    EDGES(&to, NULL, g, nodes, AGN_ENULL, "nodes is NULL", NULL);
    EDGES(&to, &b, NULL, nodes, AGN_ENULL, "g is NULL", NULL);
    EDGES(&to, &b, two, nodes, AGN_EARG, "2 sources", "3 destinations");
    EDGES(&to, &b, g, far, AGN_EINDEX, "99 at 1", "10 edges");
    EDGES(&to, &b, g, v, AGN_EDTYPE, "f64", NULL);
    EDGES(&to, &b, g, flat, AGN_ESHAPE, "[1,2]", NULL);
    EDGES(&to, &b, g, sp, AGN_EUNSUPPORTED, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(key, nodes, sp, far, v, flat);
    agn_graph_release(g);
    agn_graph_release(two);
    agn_graph_release(bare);
    agn_graph_release(lone);
}

typedef struct making {
    agn_graph *g;
    agn_tensor *nodes, *key;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *b = NULL, *c = NULL;
    agn_graph *h = NULL;
    agn_status st;
    switch (m->what) {
    case 0:
        st = agn_graph_saint_weights(out, &b, m->g, AGN_SAINT_EDGE, 2, 0, 2, m->key);
        break;
    case 1:
        st = agn_graph_saint_weights(out, &b, m->g, AGN_SAINT_WALK, 2, 2, 2, m->key);
        break;
    case 2:
        st = agn_graph_sample_visits(out, &b, &c, m->g, m->nodes, 3, 3, 0, 2, m->key);
        break;
    case 3:
        st = agn_graph_sample_shared(out, &b, &c, m->g, m->nodes, 5, m->key);
        break;
    case 4:
        st = agn_graph_compose(&h, out, m->g, m->g);
        break;
    default:
        st = agn_graph_edge_subgraph(&h, out, m->g, m->nodes);
        break;
    }
    agn_release(b);
    agn_release(c);
    agn_graph_release(h);
    return st;
}

int main(void)
{
    static const char *const made[] = {"weights by edges", "weights by walks", "visits",
                                       "shared",           "compose",          "edge_subgraph"};
    test_weights();
    test_visits();
    test_shared();
    test_paths(5, 4, 30, 20);
    test_paths(7, 1, 12, 9);
    test_paths(3, 9, 6, 0);
    test_paths(1, 1, 1, 1);
    test_edges();
    test_failures();
    making m = {NULL, whole(2, (int64_t[]){1, 2}), key_of(3), 0};
    for (; m.what < COUNT(made); m.what++) {
        m.g = make_graph(M, src, dst, N, N); /* its lists are found anew */
        every_allocation(make, &m, made[m.what]);
        agn_graph_release(m.g);
    }
    agn_release(m.nodes);
    agn_release(m.key);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
