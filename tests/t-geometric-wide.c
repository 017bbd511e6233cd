/* t-geometric-wide - graphs whose integers are wide: nodes, and where they are asked for edges, beyond
   2^31. */
#include "geometric.h"

#include <agnesi/geometric_sample.h>
#include <agnesi/geometric_segment.h>

/* Nodes beyond 2^31 make integers wide: the same edges from nodes so far up give the bits of those from
   low ones, in everything that reads rows of edges and of destinations. */
static void test_wide(void)
{
    enum { EDGES = 3000, NODES = 200, W = 3 };
    const int64_t far = ((int64_t)1 << 31) + 5;
    tally t = {0, 0};
    static int64_t src[EDGES], up[EDGES], dst[EDGES], drawn[EDGES];
    for (int sorted = 0; sorted < 2; sorted++) {
        for (int e = 0; e < EDGES; e++) {
            src[e] = rnd_below(NODES);
            up[e] = src[e] + far;
            dst[e] = sorted ? e * (int64_t)NODES / EDGES : rnd_below(NODES);
        }
        agn_graph *g[2] = {make_graph(EDGES, src, dst, NODES, NODES), make_graph(EDGES, up, dst, far + NODES, NODES)};
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){EDGES, W}, -1, 1), *y = random_of(AGN_F64, 2, (int64_t[]){NODES, W}, -1, 1);
        agn_tensor *m = random_of(AGN_F64, 3, (int64_t[]){NODES, W, 2}, -1, 1), *out[2], *ptr, *other, *edge;
        for (int what = 0; what < 12; what++) {
            for (int k = 0; k < 2; k++)
                switch (what) {
                case 0: case 1: case 2: case 3: must(agn_graph_gspmm(&out[k], g[k], NULL, x, AGN_MESSAGE_COPY, what)); break;
                case 4: must(agn_graph_gsddmm(&out[k], g[k], x, AGN_GRAPH_EDGE, y, AGN_GRAPH_DST, AGN_MESSAGE_DOT)); break;
                case 5: must(agn_graph_edge_softmax(&out[k], g[k], x, AGN_GRAPH_DST)); break;
                case 6: must(agn_graph_edge_logsumexp(&out[k], g[k], x)); break;
                case 7: must(agn_graph_edge_std(&out[k], g[k], x, 1)); break;
                case 8: must(agn_graph_edge_prod(&out[k], g[k], x)); break;
                case 9: must(agn_graph_edge_mm(&out[k], g[k], x, m)); break;
                case 10: must(agn_graph_degrees(&out[k], g[k], AGN_GRAPH_DST)); break;
                default:
                    must(agn_graph_incidence(&ptr, &other, &edge, g[k], AGN_GRAPH_DST));
                    check(&t, agn_dtype_of(ptr) == (k ? AGN_I64 : AGN_I32), "integers of %s", k ? "many nodes" : "few");
                    for (int e = 0; e < EDGES; e++)
                        check(&t, at(other, e) == (k ? up : src)[at(edge, e)], "the other end of entry %d", e);
                    must(agn_cast(&out[k], edge, AGN_F64));
                    RELEASE(ptr, other, edge);
                }
            check(&t, same_shapes(out[0], out[1]), "%d: shapes", what);
            for (int64_t i = 0; i < agn_numel(out[0]); i++)
                check(&t, get(out[0], i) == get(out[1], i), "%d at %d: %g, not %g", what, (int)i, get(out[1], i), get(out[0], i));
            RELEASE(out[0], out[1]);
        }
        agn_tensor *list = whole(60, dst);
        for (int k = 0; k < 2; k++) {
            agn_tensor *key = key_of(3), *near, *count;
            must(agn_graph_sample_neighbors(&near, &count, &edge, g[k], list, 4, NULL, key));
            int64_t n = agn_numel(near);
            for (int64_t i = 0; i < n; i++)
                check(&t, at(near, i) == (k ? up : src)[at(edge, i)] && (k == 0 || i >= EDGES || at(edge, i) == drawn[i]), "sample %d", (int)i);
            for (int64_t i = 0; k == 0 && i < n && i < EDGES; i++)
                drawn[i] = at(edge, i);
            RELEASE(key, near, count, edge);
        }
        RELEASE(x, y, m, list);
        agn_graph_release(g[0]);
        agn_graph_release(g[1]);
    }
    tell(&t, "nodes beyond 2^31: the bits of low ones");
}

/* edge e from node e % 3 to node e / half: sums of rows that are all 1 count them */
static void test_many(int64_t m)
{
    enum { NODES = 3 };
    tally t = {0, 0};
    agn_tensor *src = NULL, *dst = NULL, *q, *by[2], *ones, *y;
    agn_graph *g = NULL;
    const int64_t half = m / 2;
    must(agn_arange(&q, AGN_I64, 0, (double)m, 1));
    must(agn_full(&by[0], AGN_I64, 0, NULL, NODES));
    must(agn_full(&by[1], AGN_I64, 0, NULL, (double)half));
    must(agn_remainder(&src, q, by[0]));
    must(agn_floor_divide(&dst, q, by[1]));
    RELEASE(q, by[0], by[1]);
    must(agn_graph_from_edges(&g, src, dst, NODES, NODES));
    RELEASE(src, dst);
    must(agn_full(&ones, AGN_I64, 2, (int64_t[]){NODES, 1}, 1));
    must(agn_graph_degrees(&y, g, AGN_GRAPH_DST));
    check(&t, at(y, 0) == half && at(y, 1) == half && at(y, 2) == m - 2 * half, "degrees");
    agn_release(y);
    must(agn_graph_gspmm(&y, g, ones, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM));
    check(&t, at(y, 0) == half && at(y, 1) == half && at(y, 2) == m - 2 * half, "sums of 1: %g", get(y, 0));
    RELEASE(ones, y);
    agn_graph_release(g);
    tell(&t, "%lld edges", (long long)m);
}

static void test_beyond(void)
{
    const char *asked = getenv("AGNESI_TEST_LARGE"), *room = getenv("AGNESI_TEST_LARGE_GIB");
    test_many(1001);
    if (!asked || strcmp(asked, "1") || !room || atoi(room) < 96)
        skip("2^31 edges are asked for by AGNESI_TEST_LARGE=1 and AGNESI_TEST_LARGE_GIB=96 or more");
    else
        test_many(((int64_t)1 << 31) + 9);
}

int main(void)
{
    int64_t bytes, blocks, peak;
    test_wide();
    test_beyond();
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
