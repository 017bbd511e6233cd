/* t-geometric-points - graphs of near points and graphs from graphs: against loops over all pairs and edges, and every
   failure. */
#include "geometric.h"

#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_points.h>
#include <agnesi/geometric_transform.h>

enum { N = 5, M = 9, MOST = 600 };
/* a loop, parallel edges, node 4 without edges that reach it */
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};

static agn_graph *graph_of(int64_t n_src, int64_t n_dst)
{
    return make_graph(M, src, dst, n_src, n_dst);
}
static int64_t end_of(const agn_graph *g, int side, int64_t e)
{
    agn_tensor *s, *d;
    must(agn_graph_edges(&s, &d, g));
    int64_t v = (int64_t)get(side ? d : s, e);
    agn_release(s);
    agn_release(d);
    return v;
}

/* ---- near points --------------------------------------------------------------------------------- */

/* nearest first among points of one id, by a loop over all; how many */
static int64_t neighbours(const agn_tensor *x, int64_t n, const agn_tensor *y, int64_t i, int d, const int64_t *id_x,
                          const int64_t *id_y, double radius, int64_t most, int64_t *to)
{
    static double at[MOST];
    int64_t k = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int a = 0; a < d; a++)
            sum += pow(get(y ? y : x, i * d + a) - get(x, j * d + a), 2);
        if ((!y && i == j) || sum > radius * radius || (id_x && id_x[j] != (y ? id_y : id_x)[i]))
            continue;
        int64_t p = k++;
        for (; p > 0 && at[p - 1] > sum; p--) {
            at[p] = at[p - 1];
            to[p] = to[p - 1];
        }
        at[p] = sum;
        to[p] = j;
    }
    return most >= 0 && most < k ? most : k;
}

static void test_neighbours(int d, bool grid, bool batched, bool other)
{
    tally q = {0, 0};
    enum { POINTS = 300, QUERIES = 60 };
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){POINTS, d}, 0, 4), *y = NULL;
    if (grid) { /* equal distances and equal points */
        agn_tensor *f = NULL;
        must(agn_floor(&f, x));
        agn_release(x);
        x = f;
    }
    if (other)
        y = random_of(AGN_F64, 2, (int64_t[]){QUERIES, d}, -1, 5);
    int64_t id_x[POINTS], id_y[QUERIES], found[MOST], m = other ? QUERIES : POINTS, n_src, n_dst, edges;
    for (int i = 0; i < POINTS; i++)
        id_x[i] = i * 7 % 3 * 10;
    for (int i = 0; i < QUERIES; i++)
        id_y[i] = i % 4 * 10; /* one cloud has no point */
    agn_tensor *ix = batched ? whole(POINTS, id_x) : NULL, *iy = batched && other ? whole(QUERIES, id_y) : NULL;
    for (int what = 0; what < 3; what++) {
        agn_graph *g = NULL;
        double radius = what ? 1 : (double)INFINITY;
        int64_t most = what == 0 ? 9 : what == 1 ? -1 : 3, e = 0;
        must(what ? agn_graph_radius(&g, x, y, ix, iy, radius, most) : agn_graph_knn(&g, x, y, ix, iy, most));
        must(agn_graph_size(&n_src, &n_dst, &edges, g));
        check(&q, n_src == POINTS && n_dst == m, "nodes");
        agn_tensor *s, *t;
        must(agn_graph_edges(&s, &t, g));
        for (int64_t i = 0; i < m; i++) {
            int64_t k = neighbours(x, POINTS, y, i, d, batched ? id_x : NULL, id_y, radius, most, found);
            for (int64_t j = 0; j < k; j++, e++)
                check(&q, e < edges && get(s, e) == found[j] && get(t, e) == i, "%d: point %d, neighbour %d", what, (int)i,
                      (int)j);
        }
        check(&q, e == edges, "%d edges, not %d", (int)edges, (int)e);
        agn_release(s);
        agn_release(t);
        agn_graph_release(g);
    }
    tell(&q, "neighbours in %d-d%s%s%s", d, grid ? ", on a grid" : "", batched ? ", clouds" : "", other ? ", of others" : "");
    agn_release(x);
    agn_release(y);
    agn_release(ix);
    agn_release(iy);
}

static void test_farthest(void)
{
    tally q = {0, 0};
    const double line[] = {0, 1, 2, 3, 10, 10, 4};
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){7, 1}, line), *y;
    must(agn_graph_farthest_points(&y, x, 7, 1));
    static const int64_t want[] = {1, 4, 6, 0, 2, 3, 5}; /* 10 is 9 away, then 4 is 3 away; of equal ones the first */
    for (int i = 0; i < 7; i++)
        check(&q, get(y, i) == want[i], "%d: point %g", i, get(y, i));
    agn_release(y);
    must(agn_graph_farthest_points(&y, x, 0, 99));
    check(&q, has_shape(y, 1, (int64_t[]){0}), "none");
    agn_release(y);
    agn_release(x);
    agn_graph *g = NULL;
    int64_t n, e;
    must(agn_full(&x, AGN_F64, 2, (int64_t[]){0, 3}, 0));
    must(agn_graph_knn(&g, x, NULL, NULL, NULL, 4));
    must(agn_graph_size(&n, NULL, &e, g));
    check(&q, n == 0 && e == 0, "no points");
    agn_graph_release(g);
    agn_release(x);
    must(agn_full(&x, AGN_I64, 2, (int64_t[]){40, 2}, 7)); /* all alike */
    must(agn_graph_knn(&g, x, NULL, NULL, NULL, 2));
    must(agn_graph_size(NULL, NULL, &e, g));
    check(&q, e == 80 && end_of(g, 0, 0) == 1 && end_of(g, 0, 79) == 1 && end_of(g, 0, 78) == 0, "equal points: by number");
    agn_graph_release(g);
    agn_release(x);
    must(agn_full(&x, AGN_F32, 2, (int64_t[]){1, 2}, 7));
    must(agn_graph_radius(&g, x, x, NULL, NULL, 0, -1));
    must(agn_graph_size(NULL, NULL, &e, g));
    check(&q, e == 1, "a point of others at the same place");
    agn_graph_release(g);
    agn_release(x);
    tell(&q, "farthest points; none, one, equal ones");
}

/* ---- graphs from graphs ------------------------------------------------------------------------------ */

static void test_graphs(void)
{
    tally q = {0, 0};
    agn_graph *g = graph_of(N, N), *two = graph_of(N, N + 2), *h = NULL;
    agn_tensor *ids, *edges;
    int64_t a, b, e;
    must(agn_graph_batch(&h, &ids, (const agn_graph *[]){g, two, g}, 3));
    must(agn_graph_size(&a, &b, &e, h));
    check(&q, a == 3 * N && b == 3 * N + 2 && e == 3 * M, "batch: %d %d %d", (int)a, (int)b, (int)e);
    for (int i = 0; i < b; i++)
        check(&q, get(ids, i) == (i < N ? 0 : i < 2 * N + 2 ? 1 : 2), "graph of node %d", i);
    for (int k = 0; k < 3 * M; k++)
        check(&q, end_of(h, 0, k) == src[k % M] + k / M * N &&
                      end_of(h, 1, k) == dst[k % M] + k / M * N + (k >= 2 * M ? 2 : 0), "edge %d", k);
    agn_release(ids);
    agn_graph_release(h);
    must(agn_graph_batch(&h, NULL, NULL, 0));
    must(agn_graph_size(&a, NULL, &e, h));
    check(&q, a == 0 && e == 0, "of no graphs");
    agn_graph_release(h);

    static const int64_t type[M] = {2, 0, 2, 0, 3, 2, 0, 0, 3};
    agn_tensor *types = whole(M, type);
    agn_graph *part[4];
    must(agn_graph_split(part, 4, g, types));
    for (int t = 0; t < 4; t++) {
        int64_t k = 0;
        must(agn_graph_size(&a, NULL, &e, part[t]));
        for (int i = 0; i < M; i++)
            if (type[i] == t) {
                check(&q, k < e && end_of(part[t], 0, k) == src[i] && end_of(part[t], 1, k) == dst[i], "type %d", t);
                k++;
            }
        check(&q, k == e && a == N, "%d edges of type %d", (int)e, t);
        agn_graph_release(part[t]);
    }
    agn_release(types);

    static const int64_t nodes[] = {3, 0, 1};
    agn_tensor *some = whole(3, nodes);
    must(agn_graph_subgraph(&h, &edges, g, some));
    must(agn_graph_size(&a, NULL, &e, h));
    int64_t k = 0;
    for (int i = 0; i < M; i++)
        if (src[i] != 2 && src[i] != 4 && dst[i] != 2 && dst[i] != 4) {
            check(&q, get(edges, k) == i && nodes[end_of(h, 0, k)] == src[i] && nodes[end_of(h, 1, k)] == dst[i],
                  "kept edge %d", i);
            k++;
        }
    check(&q, a == 3 && k == e && agn_numel(edges) == e, "subgraph");
    agn_release(edges);
    agn_graph_release(h);
    agn_release(some);
    must(agn_graph_reverse(&h, two));
    must(agn_graph_size(&a, &b, NULL, h));
    check(&q, a == N + 2 && b == N, "reversed");
    for (int i = 0; i < M; i++)
        check(&q, end_of(h, 0, i) == dst[i] && end_of(h, 1, i) == src[i], "reversed edge %d", i);
    agn_graph_release(h);
    tell(&q, "batch, split, subgraph, reverse");

    /* as many edges stay as should, each with the same probability, by key alone */
    tally r = {0, 0};
    double stays[M] = {0};
    for (int seed = 0; seed < 2000; seed++) {
        agn_tensor *key = key_of(seed), *again;
        must(agn_graph_drop_edges(&h, &edges, g, 0.3, key));
        must(agn_graph_size(NULL, NULL, &e, h));
        check(&r, e == agn_numel(edges), "edges");
        for (int i = 0; i < e; i++) {
            int was = (int)get(edges, i);
            stays[was]++;
            check(&r, seed || (end_of(h, 0, i) == src[was] && end_of(h, 1, i) == dst[was]), "edge %d", was);
        }
        agn_graph_release(h);
        must(agn_graph_drop_edges(&h, &again, g, 0.3, key));
        check(&r, same_values(edges, again), "the same key");
        agn_release(edges);
        agn_release(again);
        agn_release(key);
        agn_graph_release(h);
    }
    double chi = 0;
    for (int i = 0; i < M; i++)
        chi += pow(stays[i] - 1400, 2) / (2000 * 0.7 * 0.3);
    check(&r, chi < 30, "chi squared of 9: %.1f", chi); /* above 27.9 once in 1000 */
    agn_tensor *key = key_of(3);
    for (int p = 0; p < 2; p++) {
        must(agn_graph_drop_edges(&h, NULL, g, p, key));
        must(agn_graph_size(NULL, NULL, &e, h));
        check(&r, e == (p ? 0 : M), "p = %d", p);
        agn_graph_release(h);
    }
    agn_release(key);
    tell(&r, "dropped edges by frequency, by key");
    agn_graph_release(g);
    agn_graph_release(two);
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *to = nothing, *g = graph_of(N, N), *two = graph_of(N, N + 1);
    agn_tensor *out = untouched, *sp = NULL, *x = random_of(AGN_F64, 2, (int64_t[]){4, 2}, 0, 1);
    agn_tensor *flat = random_of(AGN_F64, 1, (int64_t[]){4}, 0, 1), *z = random_of(AGN_C128, 2, (int64_t[]){4, 2}, 0, 1);
    agn_tensor *y = random_of(AGN_F64, 2, (int64_t[]){4, 3}, 0, 1), *id = whole(4, src), *few = whole(3, src);
    agn_tensor *hole = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){0, (double)NAN}), *key = key_of(1);
    agn_tensor *twice = whole(4, (int64_t[]){1, 2, 3, 1}), *far = whole(2, (int64_t[]){1, 5}), *types = whole(M, src);
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define KNN(x_, y_, i_, j_, k_, st, m1, m2) \
    BAD(agn_graph_knn(&to, x_, y_, i_, j_, k_), "graph_knn", st, m1, m2); \
    BAD(agn_graph_radius(&to, x_, y_, i_, j_, (k_) < 0 ? -1 : 1, -1), "graph_radius", (k_) < 0 ? AGN_EDOMAIN : st, \
        (k_) < 0 ? "-1" : m1, m2)
    KNN(NULL, NULL, NULL, NULL, 1, AGN_ENULL, "x is NULL", NULL);
    KNN(x, NULL, NULL, id, 1, AGN_ENULL, "y is NULL", NULL);
    KNN(x, x, id, NULL, 1, AGN_ENULL, "ids_y is NULL", NULL);
    KNN(x, x, NULL, id, 1, AGN_ENULL, "ids_x is NULL", NULL);
    KNN(x, NULL, NULL, NULL, -1, AGN_EARG, "-1 neighbours", NULL);
    KNN(flat, NULL, NULL, NULL, 1, AGN_ESHAPE, "x is [4]", "1 axes");
    KNN(x, y, NULL, NULL, 1, AGN_ESHAPE, "x is [4,2]", "y is [4,3]");
    KNN(x, NULL, few, NULL, 1, AGN_ESHAPE, "ids are [3]", "[4,2]");
    KNN(x, NULL, flat, NULL, 1, AGN_EDTYPE, "ids is f64", NULL);
    KNN(z, NULL, NULL, NULL, 1, AGN_EDTYPE, "c128", NULL);
    KNN(hole, NULL, NULL, NULL, 1, AGN_EDOMAIN, "point 1", "nan");
    KNN(sp, NULL, NULL, NULL, 1, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_radius(&to, x, NULL, NULL, NULL, (double)INFINITY, -1), "graph_radius", AGN_EDOMAIN, "inf", NULL);
    check(&q, agn_graph_knn(NULL, x, NULL, NULL, NULL, 1) == AGN_ENULL, "out");
#define FAR(x_, n_, s_, st, m1, m2) BAD(agn_graph_farthest_points(&out, x_, n_, s_), "graph_farthest_points", st, m1, m2)
    FAR(NULL, 1, 0, AGN_ENULL, "x is NULL", NULL);
    FAR(x, 5, 0, AGN_EARG, "5 of 4", NULL);
    FAR(x, -1, 0, AGN_EARG, "-1 of 4", NULL);
    FAR(x, 2, 4, AGN_EINDEX, "start 4", "4 points");
    FAR(hole, 1, 0, AGN_EDOMAIN, "point 1", NULL);
    FAR(flat, 1, 0, AGN_ESHAPE, "x is [4]", NULL);
    FAR(z, 1, 0, AGN_EDTYPE, "c128", NULL);
    FAR(sp, 1, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    const agn_graph *gap[2] = {g, NULL};
    BAD(agn_graph_batch(&to, &out, gap, 2), "graph_batch", AGN_ENULL, "g[1] is NULL", NULL);
    BAD(agn_graph_batch(&to, &out, NULL, 2), "graph_batch", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_batch(&to, &out, gap, -1), "graph_batch", AGN_EARG, "-1 graphs", NULL);
    agn_graph *parts[2] = {nothing, nothing};
#define SPLIT(n_, g_, t_, st, m1, m2) BAD(agn_graph_split(parts, n_, g_, t_), "graph_split", st, m1, m2)
    SPLIT(2, NULL, types, AGN_ENULL, "g is NULL", NULL);
    SPLIT(2, g, NULL, AGN_ENULL, "types is NULL", NULL);
    SPLIT(-1, g, types, AGN_EARG, "-1 types", NULL);
    SPLIT(2, g, id, AGN_ESHAPE, "types are [4]", "9 edges");
    SPLIT(2, g, flat, AGN_EDTYPE, "types is f64", NULL);
    SPLIT(2, g, types, AGN_EINDEX, "edge 2 has type 2", "2 types");
    SPLIT(2, g, sp, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_split(NULL, 2, g, types), "graph_split", AGN_ENULL, "out is NULL", NULL);
#define SUB(g_, n_, st, m1, m2) BAD(agn_graph_subgraph(&to, &out, g_, n_), "graph_subgraph", st, m1, m2)
    SUB(NULL, id, AGN_ENULL, "g is NULL", NULL);
    SUB(g, NULL, AGN_ENULL, "nodes is NULL", NULL);
    SUB(g, twice, AGN_EARG, "node 1 is there twice", "0 and 3");
    SUB(g, far, AGN_EINDEX, "5 at 1", "5 nodes");
    SUB(two, few, AGN_EARG, "5 sources", "6 destinations");
    SUB(g, flat, AGN_EDTYPE, "nodes is f64", NULL);
    SUB(g, sp, AGN_EUNSUPPORTED, "sparse", NULL);
#define DROP(g_, p_, k_, st, m1, m2) BAD(agn_graph_drop_edges(&to, &out, g_, p_, k_), "graph_drop_edges", st, m1, m2)
    DROP(NULL, 0.5, key, AGN_ENULL, "g is NULL", NULL);
    DROP(g, 0.5, NULL, AGN_ENULL, "key is NULL", NULL);
    DROP(g, 1.5, key, AGN_EDOMAIN, "p is 1.5", NULL);
    DROP(g, (double)NAN, key, AGN_EDOMAIN, "p is", NULL);
    DROP(g, 0.5, x, AGN_EDTYPE, NULL, NULL);
    BAD(agn_graph_reverse(&to, NULL), "graph_reverse", AGN_ENULL, "g is NULL", NULL);
    check(&q, to == nothing && parts[0] == nothing && parts[1] == nothing, "no graph");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {sp, x, flat, z, y, id, few, hole, key, twice, far, types};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(g);
    agn_graph_release(two);
}

typedef struct making {
    agn_tensor *x, *ids, *types, *nodes, *key;
    agn_graph *g;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL, *part[3] = {NULL};
    agn_tensor *kept = NULL, *s = NULL, *d = NULL;
    agn_status st;
    switch (m->what) {
    case 0: st = agn_graph_knn(&g, m->x, NULL, m->ids, NULL, 3); break;
    case 1: st = agn_graph_radius(&g, m->x, m->x, m->ids, m->ids, 1, -1); break;
    case 2: return agn_graph_farthest_points(out, m->x, 3, 0);
    case 3: st = agn_graph_batch(&g, &kept, (const agn_graph *[]){m->g, m->g}, 2); break;
    case 4: st = agn_graph_split(part, 3, m->g, m->types); break;
    case 5: st = agn_graph_subgraph(&g, &kept, m->g, m->nodes); break;
    case 6: st = agn_graph_drop_edges(&g, &kept, m->g, 0.5, m->key); break;
    default: st = agn_graph_reverse(&g, m->g);
    }
    if (!st)
        st = agn_graph_edges(&s, &d, g ? g : part[0]);
    for (int k = 0; k < 3; k++)
        agn_graph_release(part[k]);
    agn_graph_release(g);
    agn_release(kept);
    agn_release(d);
    if (!st)
        *out = s;
    return st;
}

/* distances whose squares have no number: the same neighbours at any scale */
static void test_scales(void)
{
    tally q = {0, 0};
    static const double scale[] = {1, 0x1p500, 0x1p1020, 0x1p-500, 0x1p-700, 0x1p-1060};
    static const int64_t nearest[] = {2, 2, 0, 0}, spread[] = {0, 1, 3};
    for (int k = 0; k < COUNT(scale); k++) {
        double u = scale[k];
        agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){4, 2}, (double[]){0, 0, 3 * u, 0, u, 0, 0, -2 * u}), *y;
        int64_t from[16], to[16];
        agn_graph *g;
        must(agn_graph_knn(&g, x, NULL, NULL, NULL, 1));
        check(&q, read_edges(g, from, to) == 4 && !memcmp(from, nearest, sizeof nearest), "nearest at %g", u);
        agn_graph_release(g);
        must(agn_graph_radius(&g, x, NULL, NULL, NULL, 2 * u, -1)); /* 0-2, 0-3, 1-2 */
        check(&q, read_edges(g, from, to) == 6, "%d edges in a ball at %g", (int)read_edges(g, from, to), u);
        agn_graph_release(g);
        must(agn_graph_farthest_points(&y, x, 3, 0));
        for (int i = 0; i < 3; i++)
            check(&q, get(y, i) == (double)spread[i], "farthest %d at %g: %g", i, u, get(y, i));
        RELEASE(x, y);
    }
    tell(&q, "near and far points at any scale");
}

int main(void)
{
    static const char *const names[] = {"knn", "radius", "farthest", "batch", "split", "subgraph", "drop_edges", "reverse"};
    test_neighbours(1, false, false, false);
    test_neighbours(2, false, false, true);
    test_neighbours(2, true, true, false);
    test_neighbours(3, false, true, true);
    test_neighbours(3, true, false, false);
    test_neighbours(6, false, false, true);
    test_farthest();
    test_scales();
    test_graphs();
    test_failures();
    making m = {random_of(AGN_F64, 2, (int64_t[]){20, 2}, 0, 1), NULL, NULL, whole(3, (int64_t[]){2, 0, 1}), NULL,
                graph_of(N, N), 0};
    int64_t id[20], type[M];
    for (int i = 0; i < 20; i++)
        id[i] = i % 2;
    for (int i = 0; i < M; i++)
        type[i] = i % 3;
    m.ids = whole(20, id);
    m.types = whole(M, type);
    m.key = key_of(1);
    for (; m.what < COUNT(names); m.what++)
        every_allocation(make, &m, names[m.what]);
    agn_release(m.x);
    agn_release(m.ids);
    agn_release(m.types);
    agn_release(m.nodes);
    agn_release(m.key);
    agn_graph_release(m.g);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
