/* t-geometric-sample - samples of a graph: against its edges, by frequencies (chi squared), the same for a
   key and any number of threads, and every failure. */
#include "geometric.h"

#include <agnesi/geometric_sample.h>

enum { MOST = 400 };
static int64_t src[MOST], dst[MOST];

static agn_graph *graph_of(int64_t n, int64_t m)
{
    return make_graph(m, src, dst, n, n);
}

static void test_neighbors(void)
{
    enum { N = 30, M = 400 };
    static const int64_t most[] = {-1, 0, 1, 3, 8, 1000};
    tally q = {0, 0};
    for (int k = 0; k < M; k++)
        src[k] = rnd_below(N), dst[k] = k < 60 ? 0 : rnd_below(N - 1);
    agn_graph *g = graph_of(N, M);
    int64_t list[N + 2], degree[N] = {0}, positive[N] = {0};
    double weight[M];
    for (int i = 0; i < N + 2; i++)
        list[i] = i % N;
    for (int k = 0; k < M; k++) {
        weight[k] = k % 3 ? 0.5 + k % 5 : 0;
        degree[dst[k]]++, positive[dst[k]] += weight[k] > 0;
    }
    agn_tensor *nodes = whole(N + 2, list), *w = of_reals(AGN_F64, 1, (int64_t[]){M}, weight), *key = key_of(3);
    for (int k = 0; k < COUNT(most); k++)
        for (int weighted = 0; weighted < 2; weighted++) {
            agn_tensor *from, *count, *edge, *again = NULL, *c2 = NULL;
            int64_t e = 0;
            must(agn_graph_sample_neighbors(&from, &count, &edge, g, nodes, most[k], weighted ? w : NULL, key));
            must(agn_graph_sample_neighbors(&again, &c2, NULL, g, nodes, most[k], weighted ? w : NULL, key));
            check(&q, same_values(from, again) && same_values(count, c2), "the same again");
            for (int i = 0; i < N + 2; i++) {
                int64_t all = weighted ? positive[list[i]] : degree[list[i]], before = -1;
                int64_t want = most[k] < 0 || most[k] > all ? all : most[k];
                check(&q, at(count, i) == want, "place %d has %lld, %lld wanted", i, (long long)at(count, i),
                      (long long)want);
                for (int64_t j = 0; j < at(count, i); j++, e++) {
                    int64_t at_edge = at(edge, e);
                    check(&q, at_edge > before && dst[at_edge] == list[i] && src[at_edge] == at(from, e) &&
                                  (!weighted || weight[at_edge] > 0),
                          "edge %lld at place %d", (long long)at_edge, i);
                    before = at_edge;
                }
            }
            check(&q, e == agn_numel(from), "all are counted");
            agn_tensor *each[] = {from, count, edge, again, c2};
            for (int i = 0; i < COUNT(each); i++)
                agn_release(each[i]);
        }
    tell(&q, "neighbours are edges, distinct, as many as asked for");
    agn_release(nodes);
    agn_release(w);
    agn_release(key);
    agn_graph_release(g);
}

/* sum (n - want)^2 / want over the cells; 45 is beyond 1e-6 for 9 degrees of freedom */
static double chi_squared(int n, const double *have, const double *want)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (have[i] - want[i]) * (have[i] - want[i]) / want[i];
    return sum;
}

static void test_frequencies(void)
{
    enum { D = 10, TRIES = 6000 };
    double count[D] = {0}, want[D], weight[D], sum = 0;
    for (int k = 0; k < D; k++)
        src[k] = k, dst[k] = 0, weight[k] = 1 + k, sum += 1 + k;
    agn_graph *g = graph_of(D, D);
    agn_tensor *zeros = NULL, *key = key_of(11), *from, *n, *edge;
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){D}, weight);
    must(agn_full(&zeros, AGN_I64, 1, (int64_t[]){TRIES}, 0));
    for (int64_t most = 1; most < 9; most += 3) { /* pairs too: neighbours in a ring */
        must(agn_graph_sample_neighbors(&from, &n, &edge, g, zeros, most, NULL, key));
        for (int k = 0; k < D; k++)
            count[k] = 0, want[k] = (double)(TRIES * most) / D;
        for (int64_t i = 0; i < agn_numel(from); i++)
            count[at(from, i)]++;
        ok(chi_squared(D, count, want) < 45, "%d of 10: every edge as often: %.1f", (int)most,
           chi_squared(D, count, want));
        agn_release(from), agn_release(n), agn_release(edge);
    }
    must(agn_graph_sample_neighbors(&from, &n, &edge, g, zeros, 1, w, key));
    for (int k = 0; k < D; k++)
        count[k] = 0, want[k] = TRIES * weight[k] / sum;
    for (int64_t i = 0; i < TRIES; i++)
        count[at(from, i)]++;
    ok(chi_squared(D, count, want) < 45, "one by weight: %.1f", chi_squared(D, count, want));
    agn_release(from), agn_release(n), agn_release(edge);
    /* two by weight: i first, or j first and then i of those that are left */
    must(agn_graph_sample_neighbors(&from, &n, &edge, g, zeros, 2, w, key));
    for (int i = 0; i < D; i++) {
        double p = weight[i] / sum;
        for (int j = 0; j < D; j++)
            p += j == i ? 0 : weight[j] / sum * weight[i] / (sum - weight[j]);
        count[i] = 0, want[i] = TRIES * p;
    }
    for (int64_t i = 0; i < 2 * TRIES; i++)
        count[at(from, i)]++;
    ok(chi_squared(D, count, want) < 45, "two by weight: %.1f", chi_squared(D, count, want));
    agn_release(from), agn_release(n), agn_release(edge);
    agn_release(zeros), agn_release(key), agn_release(w);
    agn_graph_release(g);
}

static void test_hops(void)
{
    enum { N = 60, M = 300 };
    tally q = {0, 0};
    for (int k = 0; k < M; k++)
        src[k] = rnd_below(N), dst[k] = rnd_below(N);
    agn_graph *g = graph_of(N, M);
    agn_tensor *seeds = whole(3, (int64_t[]){5, 41, 8});
    for (int seed = 0; seed < 5; seed++) {
        static const int64_t most[2][3] = {{3, 2, 2}, {-1, -1, 1}};
        for (int hops = 0; hops < 4; hops++)
            for (int k = 0; k < 2; k++) {
                agn_tensor *key = key_of(seed), *s, *d, *nodes, *edge, *s2 = NULL, *d2, *n2;
                must(agn_graph_sample_khop(&s, &d, &nodes, &edge, g, seeds, most[k], hops, key));
                must(agn_graph_sample_khop(&s2, &d2, &n2, NULL, g, seeds, most[k], hops, key));
                check(&q, same_values(s, s2) && same_values(d, d2) && same_values(nodes, n2), "again");
                int64_t n = agn_numel(nodes), m = agn_numel(s), met = 3, depth[N] = {0};
                check(&q, n >= 3 && at(nodes, 0) == 5 && at(nodes, 1) == 41 && at(nodes, 2) == 8, "seeds first");
                for (int64_t i = 0; i < n; i++)
                    for (int64_t j = 0; j < i; j++)
                        check(&q, at(nodes, i) != at(nodes, j), "each node once");
                for (int64_t e = 0; e < m; e++) {
                    int64_t from = at(s, e), to = at(d, e), k0 = at(edge, e);
                    check(&q, src[k0] == at(nodes, from) && dst[k0] == at(nodes, to), "edge %lld", (long long)e);
                    check(&q, to < met && from <= met, "numbered as they are met");
                    if (from == met)
                        depth[from] = depth[to] + 1, met++;
                    check(&q, depth[to] < hops, "no more hops");
                }
                check(&q, met == n, "every node is met");
                for (int64_t i = 0; i < n && k == 1; i++) { /* all edges of a node, in the first hops */
                    int64_t want = 0, have = 0;
                    for (int j = 0; j < M; j++)
                        want += dst[j] == at(nodes, i);
                    for (int64_t e = 0; e < m; e++)
                        have += at(d, e) == i;
                    if (depth[i] < 2 && depth[i] < hops)
                        check(&q, have == want, "node %lld has %lld of %lld", (long long)i, (long long)have,
                              (long long)want);
                }
                agn_tensor *each[] = {key, s, d, nodes, edge, s2, d2, n2};
                for (int i = 0; i < COUNT(each); i++)
                    agn_release(each[i]);
            }
    }
    tell(&q, "hops: edges, numbers, seeds first");
    agn_release(seeds);
    agn_graph_release(g);
}

static void test_walks(void)
{
    tally q = {0, 0};
    /* 0 - 1 - 2 - 0 is a triangle, 1 - 3 an edge, both ways; 4 -> 0, and nothing leaves 5 */
    static const int64_t ends[][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 3}};
    int64_t m = 0;
    for (int k = 0; k < COUNT(ends); k++)
        for (int turn = 0; turn < 2; turn++, m++)
            src[m] = ends[k][turn], dst[m] = ends[k][!turn];
    src[m] = 4, dst[m++] = 0;
    src[m] = 3, dst[m++] = 5;
    agn_graph *g = graph_of(6, m);
    enum { WALKS = 8000, LENGTH = 3 };
    agn_tensor *start = NULL, *key = key_of(5), *y, *z;
    must(agn_full(&start, AGN_I64, 1, (int64_t[]){WALKS}, 0));
    for (int k = 0; k < 2; k++) {
        double p = k ? 4 : 1, far = k ? 0.5 : 1;
        int32_t before = agn_threads();
        must(agn_threads_set(1));
        must(agn_graph_random_walk(&y, g, start, LENGTH, p, far, key));
        must(agn_threads_set(4));
        must(agn_graph_random_walk(&z, g, start, LENGTH, p, far, key));
        must(agn_threads_set(before));
        check(&q, same_values(y, z) && has_shape(y, 2, (int64_t[]){WALKS, LENGTH + 1}), "threads");
        double have[3] = {0}, want[3] = {1 / p, 1, 1 / far}, sum = 0, n = 0;
        for (int64_t i = 0; i < WALKS; i++)
            for (int j = 0; j < LENGTH; j++) {
                int64_t from = at(y, i * (LENGTH + 1) + j), to = at(y, i * (LENGTH + 1) + j + 1);
                bool there = from < 0 || from == 5;
                for (int e = 0; e < m && !there; e++)
                    there = src[e] == from && dst[e] == to;
                check(&q, there && (from != 5 || to == -1) && (from >= 0 || to == -1), "step %lld to %lld",
                      (long long)from, (long long)to);
                if (j == 1 && from == 1 && at(y, i * (LENGTH + 1)) == 0) /* 0, 1, then 0, 2 or 3 */
                    have[to == 0 ? 0 : to == 2 ? 1 : 2]++, n++;
            }
        for (int i = 0; i < 3; i++)
            sum += want[i];
        for (int i = 0; i < 3; i++)
            want[i] *= n / sum;
        ok(n > 1000 && chi_squared(3, have, want) < 28, "steps of a walk, p %g, q %g: %.1f", p, far,
           chi_squared(3, have, want));
        agn_release(y);
        agn_release(z);
    }
    /* nothing but the way back, which has next to no weight */
    agn_tensor *three = NULL;
    src[0] = 0, dst[0] = 1, src[1] = 1, dst[1] = 0;
    agn_graph *pair = graph_of(2, 2);
    must(agn_full(&three, AGN_I64, 1, (int64_t[]){3}, 0));
    must(agn_graph_random_walk(&y, pair, three, 4, 1e300, 1, key));
    check(&q, at(y, 2) == 0 && at(y, 3) == 1 && at(y, 4) == 0, "back and forth");
    tell(&q, "walks go along edges, and end where none leaves");
    agn_tensor *all[] = {start, key, y, three};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(g);
    agn_graph_release(pair);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *b = untouched, *c = untouched, *d = untouched;
    src[0] = 0, dst[0] = 1, src[1] = 2, dst[1] = 1;
    agn_graph *g = graph_of(3, 2), *two = NULL;
    agn_tensor *s = whole(2, src), *t = whole(2, dst), *key = key_of(1), *far = whole(2, (int64_t[]){0, 3});
    agn_tensor *real = random_of(AGN_F64, 1, (int64_t[]){2}, 0, 1), *flat = random_of(AGN_I64, 2, (int64_t[]){2, 1}, 0, 0);
    agn_tensor *neg = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, -2}), *sp = NULL;
    agn_tensor *nan = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){(double)NAN, 2});
    agn_tensor *three = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1), *twice = whole(2, (int64_t[]){1, 1});
    agn_tensor *complex_ = random_of(AGN_C128, 1, (int64_t[]){2}, 0, 1);
    must(agn_graph_from_edges(&two, s, t, 3, 5));
    agn_tensor *full = random_of(AGN_F64, 2, (int64_t[]){2, 2}, 1, 2);
    must(agn_sparse_from_dense(&sp, full));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out) && b == untouched && c == untouched && d == untouched, \
          "refusal in line %d: %s", __LINE__, agn_error_message())
#define SAMPLE(g_, n_, k_, w_, key_, st, m1, m2) \
    BAD(agn_graph_sample_neighbors(&out, &b, &c, g_, n_, k_, w_, key_), "graph_sample_neighbors", st, m1, m2)
    SAMPLE(NULL, s, 1, NULL, key, AGN_ENULL, "g is NULL", NULL);
    SAMPLE(g, NULL, 1, NULL, key, AGN_ENULL, "nodes is NULL", NULL);
    SAMPLE(g, s, 1, NULL, NULL, AGN_ENULL, "key is NULL", NULL);
    SAMPLE(g, s, 1, NULL, real, AGN_EDTYPE, "key is f64", NULL);
    SAMPLE(g, real, 1, NULL, key, AGN_EDTYPE, "nodes is f64", NULL);
    SAMPLE(g, flat, 1, NULL, key, AGN_ESHAPE, "nodes is [2,1]", NULL);
    SAMPLE(g, far, 1, NULL, key, AGN_EINDEX, "nodes has 3 at 1", "3 nodes");
    SAMPLE(g, s, 1, three, key, AGN_ESHAPE, "weights are [3]", "2 edges");
    SAMPLE(g, s, 1, complex_, key, AGN_EDTYPE, "c128", NULL);
    SAMPLE(g, s, 1, neg, key, AGN_EDOMAIN, "edge 1 has weight -2", NULL);
    SAMPLE(g, s, 1, nan, key, AGN_EDOMAIN, "edge 0 has weight", NULL);
    SAMPLE(g, sp, 1, NULL, key, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, agn_graph_sample_neighbors(NULL, &b, &c, g, s, 1, NULL, key) == AGN_ENULL, "neighbors");
#define HOP(g_, n_, most_, hops_, key_, st, m1, m2) \
    BAD(agn_graph_sample_khop(&out, &b, &c, &d, g_, n_, most_, hops_, key_), "graph_sample_khop", st, m1, m2)
    const int64_t one[] = {1};
    HOP(NULL, s, one, 1, key, AGN_ENULL, "g is NULL", NULL);
    HOP(g, NULL, one, 1, key, AGN_ENULL, "seeds is NULL", NULL);
    HOP(g, s, NULL, 1, key, AGN_ENULL, "most is NULL", NULL);
    HOP(g, s, one, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    HOP(g, s, one, -1, key, AGN_EARG, "-1 hops", NULL);
    HOP(two, s, one, 1, key, AGN_EARG, "3 sources", "5 destinations");
    HOP(g, twice, one, 1, key, AGN_EARG, "seed 1", "0 and 1");
    HOP(g, far, one, 1, key, AGN_EINDEX, "seeds has 3 at 1", "3 nodes");
    HOP(g, real, one, 1, key, AGN_EDTYPE, "seeds is f64", NULL);
#define WALK(g_, n_, l, p, q_, key_, st, m1, m2) \
    BAD(agn_graph_random_walk(&out, g_, n_, l, p, q_, key_), "graph_random_walk", st, m1, m2)
    WALK(NULL, s, 1, 1, 1, key, AGN_ENULL, "g is NULL", NULL);
    WALK(g, NULL, 1, 1, 1, key, AGN_ENULL, "start is NULL", NULL);
    WALK(g, s, 1, 1, 1, NULL, AGN_ENULL, "key is NULL", NULL);
    WALK(g, s, -1, 1, 1, key, AGN_EARG, "length -1", NULL);
    WALK(g, s, 1, 0, 1, key, AGN_EDOMAIN, "p is 0", NULL);
    WALK(g, s, 1, 1, (double)INFINITY, key, AGN_EDOMAIN, "q inf", NULL);
    WALK(two, s, 1, 1, 1, key, AGN_EARG, "3 sources", NULL);
    WALK(g, far, 1, 1, 1, key, AGN_EINDEX, "start has 3 at 1", "3 nodes");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {s, t, key, far, real, flat, neg, nan, three, twice, complex_, sp, full};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(g);
    agn_graph_release(two);
}

typedef struct making {
    agn_graph *g;
    agn_tensor *s, *w, *key;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *a = NULL, *b = NULL, *c = NULL;
    if (m->what == 2)
        return agn_graph_random_walk(out, m->g, m->s, 3, 2, 1, m->key);
    agn_status st = m->what ? agn_graph_sample_khop(out, &a, &b, &c, m->g, m->s, (int64_t[]){2, 1}, 2, m->key)
                            : agn_graph_sample_neighbors(out, &a, &b, m->g, m->s, 1, m->w, m->key);
    if (!st) {
        agn_release(a);
        agn_release(b);
        agn_release(c);
    }
    return st;
}

int main(void)
{
    test_neighbors();
    test_frequencies();
    test_hops();
    test_walks();
    test_failures();
    for (int k = 0; k < 12; k++)
        src[k] = k % 4, dst[k] = (k * 7 + 1) % 5 % 4;
    making m = {graph_of(4, 12), whole(2, (int64_t[]){0, 2}), random_of(AGN_F32, 1, (int64_t[]){12}, 0, 1), key_of(2), 0};
    for (; m.what < 3; m.what++)
        every_allocation(make, &m, m.what == 0 ? "neighbours" : m.what == 1 ? "hops" : "walks");
    agn_graph_release(m.g);
    agn_release(m.s);
    agn_release(m.w);
    agn_release(m.key);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
