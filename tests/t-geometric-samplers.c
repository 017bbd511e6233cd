/* t-geometric-samplers - samples by weight over hops, by time, over types, of pairs without edges, of subgraphs: against
   their graphs, by frequencies (chi squared), the same for a key, and every failure. */
#include "geometric.h"

#include <agnesi/geometric_pool.h>
#include <agnesi/geometric_sample.h>

enum { N = 6, M = 10 };
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1, 5}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2, 3};

static void test_weighted_hops(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){M}, (double[]){1, 0, 3, 1, 1, 1, 1, 0, 1, 1}), *seeds = whole(1, (int64_t[]){1});
    int64_t count[M] = {0};
    for (int k = 0; k < 4000; k++) { /* node 1 is reached by edges 0, 2 and 7, of weights 1, 3 and 0 */
        agn_tensor *key = key_of(k), *s, *d, *nodes, *edges;
        must(agn_graph_sample_khop_weighted(&s, &d, &nodes, &edges, g, seeds, (int64_t[]){1, -1}, 2, w, key));
        count[at(edges, 0)]++;
        for (int64_t e = 0; e < agn_numel(edges); e++)
            check(&q, at(nodes, at(s, e)) == src[at(edges, e)] && at(nodes, at(d, e)) == dst[at(edges, e)] &&
                          creal(peekz(w, at(edges, e))) > 0, "edge %d", (int)e);
        agn_release(key);
        agn_release(s);
        agn_release(d);
        agn_release(nodes);
        agn_release(edges);
    }
    double chi = pow((double)count[0] - 1000, 2) / 1000 + pow((double)count[2] - 3000, 2) / 3000;
    check(&q, count[7] == 0 && chi < 10.8, "by weight: %d, %d, %d", (int)count[0], (int)count[2], (int)count[7]);
    tell(&q, "hops by weight");
    agn_release(w);
    agn_release(seeds);
    agn_graph_release(g);
}

static void test_temporal(void)
{
    tally q = {0, 0};
    enum { E = 40 };
    int64_t from[E], to[E];
    double time[E];
    for (int e = 0; e < E; e++) {
        from[e] = e;
        to[e] = e < 30 ? 0 : 1;
        time[e] = (e * 7) % 15; /* each twice or thrice */
    }
    agn_graph *g = make_graph(E, from, to, E, 3);
    agn_tensor *times = of_reals(AGN_F64, 1, (int64_t[]){E}, time), *nodes = whole(4, (int64_t[]){0, 1, 2, 0}), *key = key_of(5);
    agn_tensor *by = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){6, 100, 1, -1}), *n, *c, *e, *n2, *c2, *e2;
    for (int64_t most = -1; most < 8; most++) {
        must(agn_graph_sample_temporal(&n, &c, &e, g, nodes, by, times, most, NULL));
        for (int64_t i = 0, k = 0; i < 4; i++) {
            int64_t node = at(nodes, i), want = 0;
            for (int j = 0; j < E; j++) /* an edge is among the latest if fewer than most are later */
                if (to[j] == node && time[j] <= creal(peekz(by, i))) {
                    int64_t later = 0;
                    for (int l = 0; l < E; l++)
                        later += to[l] == node && time[l] <= creal(peekz(by, i)) && (time[l] > time[j] || (time[l] == time[j] && l > j));
                    if (most >= 0 && later >= most)
                        continue;
                    check(&q, k < agn_numel(e) && at(e, k) == j && at(n, k) == from[j], "latest %d of node %d", (int)k, (int)node);
                    k++;
                    want++;
                }
            check(&q, at(c, i) == want, "node %d has %d, not %d", (int)node, (int)at(c, i), (int)want);
        }
        agn_release(n);
        agn_release(c);
        agn_release(e);
        must(agn_graph_sample_temporal(&n, &c, &e, g, nodes, by, times, most, key));
        must(agn_graph_sample_temporal(&n2, &c2, &e2, g, nodes, by, times, most, key));
        check(&q, same(n, n2) && same(c, c2) && same(e, e2), "by key");
        for (int64_t i = 0, k = 0; i < 4; i++)
            for (int64_t j = 0; j < at(c, i); j++, k++)
                check(&q, to[at(e, k)] == at(nodes, i) && time[at(e, k)] <= creal(peekz(by, i)) && at(n, k) == from[at(e, k)] &&
                              (j == 0 || at(e, k - 1) < at(e, k)), "drawn %d", (int)k);
        agn_tensor *all[] = {n, c, e, n2, c2, e2};
        for (int k = 0; k < COUNT(all); k++)
            agn_release(all[k]);
    }
    int64_t count[E] = {0};
    agn_tensor *one = whole(1, (int64_t[]){0}), *six = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){6});
    for (int k = 0; k < 2800; k++) { /* 14 edges by 6, 3 of them */
        agn_tensor *lot = key_of(k);
        must(agn_graph_sample_temporal(&n, &c, &e, g, one, six, times, 3, lot));
        for (int j = 0; j < 3; j++)
            count[at(e, j)]++;
        agn_release(n);
        agn_release(c);
        agn_release(e);
        agn_release(lot);
    }
    double chi = 0;
    for (int j = 0; j < 30; j++)
        chi += time[j] <= 6 ? pow((double)count[j] - 600, 2) / 600 : (double)count[j] * 1e6;
    check(&q, chi < 34.5, "alike: chi squared %g", chi); /* 13 degrees of freedom, 0.001 */
    tell(&q, "edges up to a time: the latest ones, and drawn");
    agn_tensor *all[] = {times, nodes, key, by, one, six};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(g);
}

static void test_heter(void)
{
    tally q = {0, 0};
    /* authors (3) write papers (4), papers cite papers */
    static const int64_t a[] = {0, 0, 1, 2}, p[] = {0, 1, 1, 3}, c[] = {1, 2, 3}, d[] = {0, 1, 2};
    agn_graph *g[2] = {make_graph(4, a, p, 3, 4), make_graph(3, c, d, 4, 4)};
    agn_tensor *seeds[2] = {NULL, whole(1, (int64_t[]){0})}, *key = key_of(1), *s[2], *t[2], *nodes[2], *s2[2], *t2[2], *nodes2[2];
    static const int32_t from[] = {0, 1}, to[] = {1, 1};
    static const int64_t most[] = {-1, -1, -1, -1};
    must(agn_graph_sample_heter(s, t, nodes, (const agn_graph *const *)g, from, to, 2, (const agn_tensor *const *)seeds, 2,
                                most, 2, key));
    /* hop 1: author 0 -> paper 0, paper 1 -> paper 0; hop 2: authors 0, 1 -> paper 1, paper 2 -> paper 1 */
    static const int64_t authors[] = {0, 1}, papers[] = {0, 1, 2}, s0[] = {0, 0, 1}, t0[] = {0, 1, 1}, s1[] = {1, 2}, t1[] = {0, 1};
    const struct { const agn_tensor *x; int n; const int64_t *want; } all[] = {
        {nodes[0], 2, authors}, {nodes[1], 3, papers}, {s[0], 3, s0}, {t[0], 3, t0}, {s[1], 2, s1}, {t[1], 2, t1}};
    for (int k = 0; k < COUNT(all); k++) {
        check(&q, has_shape(all[k].x, 1, (int64_t[]){all[k].n}), "list %d has %d", k, (int)agn_numel(all[k].x));
        for (int i = 0; i < all[k].n && i < agn_numel(all[k].x); i++)
            check(&q, at(all[k].x, i) == all[k].want[i], "list %d at %d: %d", k, i, (int)at(all[k].x, i));
    }
    static const int64_t few[] = {1, 1, 1, 0};
    must(agn_graph_sample_heter(s2, t2, nodes2, (const agn_graph *const *)g, from, to, 2, (const agn_tensor *const *)seeds, 2,
                                few, 2, key));
    check(&q, agn_numel(s2[1]) == 1 && agn_numel(s2[0]) == 2, "one a hop and graph");
    for (int k = 0; k < 2; k++) {
        agn_tensor *list[] = {s[k], t[k], nodes[k], s2[k], t2[k], nodes2[k], seeds[k]};
        for (int i = 0; i < COUNT(list); i++)
            agn_release(list[i]);
    }
    must(agn_graph_sample_heter(NULL, NULL, nodes, NULL, NULL, NULL, 0, (const agn_tensor *[]){NULL}, 1, NULL, 3, key));
    check(&q, agn_numel(nodes[0]) == 0, "no graphs");
    agn_release(nodes[0]);
    agn_release(key);
    agn_graph_release(g[0]);
    agn_graph_release(g[1]);
    tell(&q, "hops over types of nodes and edges");
}

static void test_negative(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *key = key_of(9), *a, *b;
    for (int loops = 0; loops < 2; loops++) {
        enum { DRAWS = 20000 };
        int64_t count[N * N] = {0}, pairs = 0;
        bool taken[N * N] = {false};
        for (int e = 0; e < M; e++)
            taken[src[e] * N + dst[e]] = true;
        for (int i = 0; i < N && !loops; i++)
            taken[i * N + i] = true;
        for (int i = 0; i < N * N; i++)
            pairs += !taken[i];
        must(agn_graph_sample_negative(&a, &b, g, DRAWS, loops, key));
        for (int k = 0; k < DRAWS; k++)
            count[at(a, k) * N + at(b, k)]++;
        double chi = 0, mean = (double)DRAWS / (double)pairs;
        for (int i = 0; i < N * N; i++) {
            check(&q, !taken[i] || !count[i], "the edge %d -> %d is drawn", i / N, i % N);
            chi += taken[i] ? 0 : pow((double)count[i] - mean, 2) / mean;
        }
        check(&q, chi < 60, "chi squared %g of %d pairs", chi, (int)pairs); /* at most 27 degrees of freedom, 0.0003 */
        agn_release(a);
        agn_release(b);
    }
    agn_graph_release(g);
    g = make_graph(2, (int64_t[]){0, 1}, (int64_t[]){0, 1}, 2, 3); /* of two kinds */
    must(agn_graph_sample_negative(&a, &b, g, 100, true, key));
    for (int k = 0; k < 100; k++)
        check(&q, at(b, k) != at(a, k) && at(a, k) < 2 && at(b, k) < 3, "bipartite");
    agn_release(a);
    agn_release(b);
    agn_graph_release(g);
    agn_release(key);
    tell(&q, "pairs without edges, all alike");
}

static void test_subsets(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N), *bare = make_graph(0, src, dst, 4, 4);
    agn_tensor *key = key_of(2), *x, *y, *ids = whole(N, (int64_t[]){2, 0, 1, 2, 0, 1});
    int64_t arrive[N] = {0}, count[3][N] = {{0}};
    double degree[N] = {0}, share[N] = {0};
    for (int e = 0; e < M; e++) {
        arrive[dst[e]]++;
        degree[src[e]]++;
        degree[dst[e]]++;
    }
    for (int how = 0; how < 3; how++) {
        must(agn_graph_sample_saint(&x, g, how, 3, 2, key));
        must(agn_graph_sample_saint(&y, g, how, 3, 2, key));
        check(&q, same(x, y) && agn_numel(x) > 0 && agn_numel(x) <= 9, "by key");
        for (int64_t i = 1; i < agn_numel(x); i++)
            check(&q, at(x, i) > at(x, i - 1), "rising");
        agn_release(x);
        agn_release(y);
        for (int k = 0; k < 3000; k++) {
            agn_tensor *lot = key_of(k);
            must(agn_graph_sample_saint(&x, g, how, 1, 0, lot));
            for (int64_t i = 0; i < agn_numel(x); i++)
                count[how][at(x, i)]++;
            agn_release(x);
            agn_release(lot);
        }
    }
    double all = 0;
    for (int e = 0; e < M; e++) {
        double p = 1 / degree[src[e]] + 1 / degree[dst[e]];
        all += p;
        share[src[e]] += p;
        share[dst[e]] += src[e] == dst[e] ? 0 : p;
    }
    for (int i = 0; i < N; i++) {
        double want[3] = {3000 * (double)arrive[i] / M, 3000 * share[i] / all, 500};
        for (int how = 0; how < 3; how++)
            check(&q, fabs((double)count[how][i] - want[how]) <= 4.5 * sqrt(want[how]), "how %d: node %d is drawn %d times, not %g",
                  how, i, (int)count[how][i], want[how]);
    }
    must(agn_graph_sample_saint(&x, bare, AGN_SAINT_NODE, 50, 0, key)); /* no edge: all alike */
    check(&q, agn_numel(x) == 4, "without edges");
    agn_release(x);
    must(agn_graph_sample_saint(&x, bare, AGN_SAINT_WALK, 1, 50, key));
    check(&q, agn_numel(x) == 1, "a walk that cannot go");
    agn_release(x);
    int64_t drawn[3] = {0};
    for (int k = 0; k < 900; k++) {
        agn_tensor *lot = key_of(k);
        must(agn_graph_sample_cluster(&x, ids, 3, 2, lot));
        bool seen[3] = {false};
        for (int64_t i = 0; i < agn_numel(x); i++)
            seen[at(ids, at(x, i))] = true;
        check(&q, agn_numel(x) == 4 && seen[0] + seen[1] + seen[2] == 2, "two of three parts");
        for (int p = 0; p < 3; p++)
            drawn[p] += seen[p];
        agn_release(x);
        agn_release(lot);
    }
    for (int p = 0; p < 3; p++)
        check(&q, drawn[p] > 540 && drawn[p] < 660, "part %d is drawn %d times", p, (int)drawn[p]);
    tell(&q, "nodes of sampled subgraphs by frequencies, parts");
    agn_release(ids);
    agn_release(key);
    agn_graph_release(g);
    agn_graph_release(bare);
}

/* ---- failures ---------------------------------------------------------------------------------------------- */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N), *two = make_graph(M, src, dst, N, N + 1), *none = make_graph(0, src, dst, 0, 0);
    agn_graph *bare = make_graph(0, src, dst, 2, 2), *full = make_graph(1, src, src, 1, 1);
    agn_tensor *out = untouched, *o2 = untouched, *o3 = untouched, *o4 = untouched, *sp = NULL, *key = key_of(1);
    agn_tensor *nodes = whole(2, (int64_t[]){1, 2}), *twice = whole(2, (int64_t[]){1, 1}), *far = whole(2, (int64_t[]){1, 6});
    agn_tensor *v = random_of(AGN_F64, 1, (int64_t[]){2}, 0, 1), *w = random_of(AGN_F64, 1, (int64_t[]){M}, 0, 1);
    agn_tensor *z = random_of(AGN_C128, 1, (int64_t[]){M}, 0, 1), *x = random_of(AGN_F64, 2, (int64_t[]){2, 2}, 0, 1);
    agn_tensor *hole = of_reals(AGN_F64, 1, (int64_t[]){M}, (double[]){0, 1, (double)NAN, 3, 4, 5, 6, 7, 8, 9});
    agn_tensor *minus = of_reals(AGN_F64, 1, (int64_t[]){M}, (double[]){0, 1, 2, -3, 4, 5, 6, 7, 8, 9});
    agn_tensor *gap = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0, (double)NAN});
    static const int64_t most[] = {2, 2, 2, 2};
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define HOP(o_, g_, s_, m_, n_, w_, k_, st, m1, m2) \
    BAD(agn_graph_sample_khop_weighted(o_, &o2, &o3, &o4, g_, s_, m_, n_, w_, k_), "graph_sample_khop_weighted", st, m1, m2)
    HOP(NULL, g, nodes, most, 2, w, key, AGN_ENULL, "src is NULL", NULL);
    HOP(&out, NULL, nodes, most, 2, w, key, AGN_ENULL, "g is NULL", NULL);
    HOP(&out, g, NULL, most, 2, w, key, AGN_ENULL, "seeds is NULL", NULL);
    HOP(&out, g, nodes, NULL, 2, w, key, AGN_ENULL, "most is NULL", NULL);
    HOP(&out, g, nodes, most, 2, NULL, key, AGN_ENULL, "weights is NULL", NULL);
    HOP(&out, g, nodes, most, 2, w, NULL, AGN_ENULL, "key is NULL", NULL);
    HOP(&out, g, nodes, most, -1, w, key, AGN_EARG, "-1 hops", NULL);
    HOP(&out, two, nodes, most, 2, w, key, AGN_EARG, "6 sources", "7 destinations");
    HOP(&out, g, twice, most, 2, w, key, AGN_EARG, "seed 1 is there twice", NULL);
    HOP(&out, g, far, most, 2, w, key, AGN_EINDEX, "6 at 1", NULL);
    HOP(&out, g, nodes, most, 2, v, key, AGN_ESHAPE, "[2]", "10 edges");
    HOP(&out, g, nodes, most, 2, z, key, AGN_EDTYPE, "c128", NULL);
    HOP(&out, g, nodes, most, 2, minus, key, AGN_EDOMAIN, "edge 3", "-3");
    HOP(&out, g, nodes, most, 2, sp, key, AGN_EUNSUPPORTED, "sparse", NULL);
#define TIME(o_, g_, n_, t_, e_, k_, st, m1, m2) \
    BAD(agn_graph_sample_temporal(o_, &o2, &o3, g_, n_, t_, e_, 2, k_), "graph_sample_temporal", st, m1, m2)
    TIME(NULL, g, nodes, v, w, key, AGN_ENULL, "neighbors is NULL", NULL);
    TIME(&out, NULL, nodes, v, w, key, AGN_ENULL, "g is NULL", NULL);
    TIME(&out, g, NULL, v, w, key, AGN_ENULL, "nodes is NULL", NULL);
    TIME(&out, g, nodes, NULL, w, key, AGN_ENULL, "times is NULL", NULL);
    TIME(&out, g, nodes, v, NULL, key, AGN_ENULL, "edge_times is NULL", NULL);
    TIME(&out, g, nodes, w, w, key, AGN_ESHAPE, "times is [10]", "[2]");
    TIME(&out, g, nodes, v, v, key, AGN_ESHAPE, "edge_times is [2]", "[10]");
    TIME(&out, g, v, v, w, key, AGN_EDTYPE, "nodes is f64", NULL);
    TIME(&out, g, nodes, v, z, key, AGN_EDTYPE, "c128", NULL);
    TIME(&out, g, far, v, w, key, AGN_EINDEX, "6 at 1", NULL);
    TIME(&out, g, nodes, gap, w, key, AGN_EDOMAIN, "times has NaN at 1", NULL);
    TIME(&out, g, nodes, v, hole, key, AGN_EDOMAIN, "edge_times has NaN at 2", NULL);
    TIME(&out, g, nodes, v, w, v, AGN_EDTYPE, NULL, NULL);
    TIME(&out, g, nodes, v, sp, key, AGN_EUNSUPPORTED, "sparse", NULL);
    static const int32_t zero[] = {0, 0}, other[] = {0, 1};
    const agn_graph *gs[2] = {g, two}, *lack[2] = {g, NULL};
    const agn_tensor *seed[2] = {nodes, NULL}, *wrong[2] = {far, NULL}, *again[2] = {twice, NULL}, *real[2] = {v, NULL};
    agn_tensor *a[2] = {untouched, untouched}, *b[2] = {untouched, untouched}, *c[2] = {untouched, untouched};
#define HETER(g_, f_, t_, n_, s_, ns_, m_, h_, k_, st, m1, m2) \
    BAD(agn_graph_sample_heter(a, b, c, g_, f_, t_, n_, s_, ns_, m_, h_, k_), "graph_sample_heter", st, m1, m2)
    HETER(gs, zero, zero, -1, seed, 1, most, 1, key, AGN_EARG, "-1 graphs", NULL);
    HETER(gs, zero, zero, 1, seed, 0, most, 1, key, AGN_EARG, "0 types", NULL);
    HETER(gs, zero, zero, 1, seed, 1, most, -1, key, AGN_EARG, "-1 hops", NULL);
    HETER(NULL, zero, zero, 1, seed, 1, most, 1, key, AGN_ENULL, "g is NULL", NULL);
    HETER(gs, NULL, zero, 1, seed, 1, most, 1, key, AGN_ENULL, "from is NULL", NULL);
    HETER(gs, zero, NULL, 1, seed, 1, most, 1, key, AGN_ENULL, "to is NULL", NULL);
    HETER(gs, zero, zero, 1, NULL, 1, most, 1, key, AGN_ENULL, "seeds is NULL", NULL);
    HETER(gs, zero, zero, 1, seed, 1, NULL, 1, key, AGN_ENULL, "most is NULL", NULL);
    HETER(gs, zero, zero, 1, seed, 1, most, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    HETER(lack, zero, zero, 2, seed, 1, most, 1, key, AGN_ENULL, "g[1] is NULL", NULL);
    HETER(gs, other, other, 2, seed, 1, most, 1, key, AGN_EARG, "type 1 of 1", NULL);
    HETER(gs, zero, zero, 2, seed, 1, most, 1, key, AGN_EARG, "type 0 has 6 nodes", "graph 1 7");
    HETER(gs, zero, zero, 1, wrong, 1, most, 1, key, AGN_EINDEX, "6 at 1", NULL);
    HETER(gs, zero, zero, 1, again, 1, most, 1, key, AGN_EARG, "seed 1 of type 0", "twice");
    HETER(gs, zero, zero, 1, real, 1, most, 1, key, AGN_EDTYPE, "seeds is f64", NULL);
    HETER(gs, zero, zero, 1, seed, 1, most, 1, v, AGN_EDTYPE, NULL, NULL);
    BAD(agn_graph_sample_heter(NULL, b, c, gs, zero, zero, 1, seed, 1, most, 1, key), "graph_sample_heter", AGN_ENULL, "src", NULL);
#define NEG(o_, g_, n_, l_, k_, st, m1, m2) \
    BAD(agn_graph_sample_negative(o_, &o2, g_, n_, l_, k_), "graph_sample_negative", st, m1, m2)
    NEG(NULL, g, 1, true, key, AGN_ENULL, "src is NULL", NULL);
    NEG(&out, NULL, 1, true, key, AGN_ENULL, "g is NULL", NULL);
    NEG(&out, g, -1, true, key, AGN_EARG, "-1 pairs", NULL);
    NEG(&out, g, 1, true, NULL, AGN_ENULL, "key is NULL", NULL);
    NEG(&out, g, 1, true, v, AGN_EDTYPE, NULL, NULL);
    NEG(&out, full, 1, true, key, AGN_EDOMAIN, "no pair", NULL);
    NEG(&out, none, 1, true, key, AGN_EDOMAIN, "no pair", NULL);
#define SAINT(o_, g_, h_, n_, l_, k_, st, m1, m2) \
    BAD(agn_graph_sample_saint(o_, g_, h_, n_, l_, k_), "graph_sample_saint", st, m1, m2)
    SAINT(NULL, g, 0, 1, 1, key, AGN_ENULL, "nodes is NULL", NULL);
    SAINT(&out, NULL, 0, 1, 1, key, AGN_ENULL, "g is NULL", NULL);
    SAINT(&out, g, 3, 1, 1, key, AGN_EARG, "how 3", NULL);
    SAINT(&out, g, 0, -1, 1, key, AGN_EARG, "-1 draws", NULL);
    SAINT(&out, g, 2, 1, -1, key, AGN_EARG, "length -1", NULL);
    SAINT(&out, two, 0, 1, 1, key, AGN_EARG, "6 sources", "7 destinations");
    SAINT(&out, none, 0, 1, 1, key, AGN_EDOMAIN, "0 nodes", NULL);
    SAINT(&out, bare, 1, 1, 1, key, AGN_EDOMAIN, "0 edges", NULL);
    SAINT(&out, g, 0, 1, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    SAINT(&out, g, 0, 1, 1, v, AGN_EDTYPE, NULL, NULL);
#define PART(o_, i_, p_, n_, k_, st, m1, m2) BAD(agn_graph_sample_cluster(o_, i_, p_, n_, k_), "graph_sample_cluster", st, m1, m2)
    PART(NULL, nodes, 3, 1, key, AGN_ENULL, "nodes is NULL", NULL);
    PART(&out, NULL, 3, 1, key, AGN_ENULL, "ids is NULL", NULL);
    PART(&out, nodes, 3, 4, key, AGN_EARG, "4 of 3 parts", NULL);
    PART(&out, nodes, -1, 0, key, AGN_EARG, "-1 parts", NULL);
    PART(&out, nodes, 2, 1, key, AGN_EINDEX, "2 at 1", "2 parts");
    PART(&out, v, 3, 1, key, AGN_EDTYPE, "ids is f64", NULL);
    PART(&out, x, 3, 1, key, AGN_EDTYPE, "f64", NULL);
    PART(&out, nodes, 3, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    PART(&out, sp, 3, 1, key, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, o2 == untouched && o3 == untouched && o4 == untouched && a[0] == untouched && b[1] == untouched && c[0] == untouched,
          "nothing else is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {sp, key, nodes, twice, far, v, w, z, x, hole, minus, gap};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph *graphs[] = {g, two, none, bare, full};
    for (int k = 0; k < COUNT(graphs); k++)
        agn_graph_release(graphs[k]);
}

typedef struct making {
    agn_graph *g;
    agn_tensor *nodes, *times, *w, *key;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *a = NULL, *b = NULL, *c = NULL;
    static const int64_t most[] = {1, 1};
    static const int32_t zero[1];
    agn_status st;
    switch (m->what) {
    case 0: st = agn_graph_sample_khop_weighted(&a, &b, &c, NULL, m->g, m->nodes, most, 2, m->w, m->key); break;
    case 1: st = agn_graph_sample_temporal(&a, &b, &c, m->g, m->nodes, m->times, m->w, 1, m->key); break;
    case 2: st = agn_graph_sample_temporal(&a, &b, &c, m->g, m->nodes, m->times, m->w, 1, NULL); break;
    case 3:
        st = agn_graph_sample_heter(&a, &b, &c, (const agn_graph *const[]){m->g}, zero, zero, 1,
                                    (const agn_tensor *[]){m->nodes}, 1, most, 2, m->key);
        break;
    case 4: st = agn_graph_sample_negative(&a, &b, m->g, 5, false, m->key); break;
    case 8: return agn_graph_sample_cluster(out, m->nodes, 3, 2, m->key);
    default: return agn_graph_sample_saint(out, m->g, m->what - 5, 2, 2, m->key);
    }
    agn_release(b);
    agn_release(c);
    if (!st)
        *out = a;
    return st;
}

int main(void)
{
    static const char *const made[] = {"khop_weighted", "temporal", "latest", "heter", "negative", "saint by nodes",
                                       "saint by edges", "saint by walks", "cluster"};
    test_weighted_hops();
    test_temporal();
    test_heter();
    test_negative();
    test_subsets();
    test_failures();
    making m = {make_graph(M, src, dst, N, N), whole(2, (int64_t[]){1, 2}), of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){5, 6}),
                random_of(AGN_F64, 1, (int64_t[]){M}, 1, 2), key_of(3), 0};
    for (; m.what < COUNT(made); m.what++)
        every_allocation(make, &m, made[m.what]);
    agn_release(m.nodes);
    agn_release(m.times);
    agn_release(m.w);
    agn_release(m.key);
    agn_graph_release(m.g);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
