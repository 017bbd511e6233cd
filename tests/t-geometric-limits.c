/* t-geometric-limits - messages along edges against dense loops at the ends of what a graph may be:
   no nodes, no edges, one node, nodes alone, loops, parallel edges, rows of 0, 1 and 5 numbers, a
   hub of a million edges in any order; messages, attention and segments; ids out of range are named;
   quotients 0 / 0 are NaN, and so are their slopes; threads change no bit. */
#include "geometric.h"

#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_segment.h>

#include <agnesi/core.h>

typedef struct shape {
    const char *name;
    int64_t m, n_src, n_dst;
    int64_t src[8], dst[8];
} shape;
static const shape shapes[] = {
    {"no nodes", 0, 0, 0, {0}, {0}},
    {"no edges", 0, 3, 2, {0}, {0}},
    {"one node", 3, 1, 1, {0, 0, 0}, {0, 0, 0}},
    {"one node, no edge", 0, 1, 1, {0}, {0}},
    {"in any order, nodes alone", 8, 5, 6, {3, 0, 3, 1, 0, 3, 4, 0}, {4, 1, 4, 0, 1, 2, 0, 4}},
    {"in order", 6, 4, 4, {2, 2, 0, 1, 3, 3}, {0, 0, 1, 1, 3, 3}},
    {"a hub", 8, 8, 3, {7, 6, 5, 4, 3, 2, 1, 0}, {1, 1, 1, 1, 1, 1, 1, 2}},
};
static const int64_t widths[] = {0, 1, 5};
static const char *const message_names[] = {"copy", "add", "sub", "mul", "div", "dot"};

static double combine(int message, double a, double b)
{
    switch (message) {
    case AGN_MESSAGE_ADD:
        return a + b;
    case AGN_MESSAGE_SUB:
        return a - b;
    case AGN_MESSAGE_MUL:
        return a * b;
    case AGN_MESSAGE_DIV:
        return a / b;
    default:
        return a;
    }
}

/* column f of node i; rows of width w; e NULL: copies of u */
static double reduce_by_loop(const int64_t *src, const int64_t *dst, int64_t m, int64_t i,
                             int64_t f, int64_t w, const agn_tensor *u, const agn_tensor *e,
                             int message, int reduce)
{
    double y = 0, n = 0;
    for (int64_t k = 0; k < m; k++) {
        if (dst[k] != i)
            continue;
        double v = combine(message, u ? get(u, src[k] * w + f) : get(e, k * w + f),
                           u && e ? get(e, k * w + f) : 0);
        bool first = n++ == 0;
        if (reduce == AGN_GEOMETRIC_MAX)
            y = first || v > y ? v : y;
        else if (reduce == AGN_GEOMETRIC_MIN)
            y = first || v < y ? v : y;
        else
            y += v;
    }
    return reduce == AGN_GEOMETRIC_MEAN && n > 0 ? y / n : y;
}

static void test_reductions(void)
{
    tally t = {0, 0};
    for (int s = 0; s < COUNT(shapes); s++) {
        const shape *q = &shapes[s];
        agn_graph *g = make_graph(q->m, q->src, q->dst, q->n_src, q->n_dst);
        for (int k = 0; k < COUNT(widths); k++) {
            int64_t w = widths[k];
            agn_tensor *u = random_of(AGN_F64, 2, (int64_t[]){q->n_src, w}, 0.5, 2), *y;
            agn_tensor *e = random_of(AGN_F64, 2, (int64_t[]){q->m, w}, 0.5, 2);
            for (int what = 0; what < 6 * 4; what++) {
                int message = what / 4 % 5, reduce = what % 4;
                const agn_tensor *a = what < 20 ? u : NULL, *b = message || !a ? e : NULL;
                must(agn_graph_gspmm(&y, g, a, b, message, reduce));
                check(&t, has_shape(y, 2, (int64_t[]){q->n_dst, w}), "%s: shape", q->name);
                for (int64_t i = 0; i < q->n_dst * w; i++) {
                    double want = reduce_by_loop(q->src, q->dst, q->m, i / w, i % w, w, a, b,
                                                 message, reduce);
                    check(&t, fabs(get(y, i) - want) < 1e-14, "%s, width %d, %s, reduction %d",
                          q->name, (int)w, message_names[message], reduce);
                }
                agn_release(y);
            }
            RELEASE(u, e);
        }
        agn_graph_release(g);
    }
    tell(&t, "messages and reductions against loops");
}

static int64_t row_of(const shape *q, int side, int64_t k)
{
    return side == AGN_GRAPH_EDGE ? k : side == AGN_GRAPH_SRC ? q->src[k] : q->dst[k];
}

static void test_edges(void)
{
    tally t = {0, 0};
    for (int s = 0; s < COUNT(shapes); s++) {
        const shape *q = &shapes[s];
        agn_graph *g = make_graph(q->m, q->src, q->dst, q->n_src, q->n_dst);
        const int64_t rows[3] = {q->n_src, q->n_dst, q->m};
        for (int k = 0; k < COUNT(widths); k++)
            for (int what = 0; what < 9 * 6; what++) {
                int64_t w = widths[k], a = what % 3, b = what / 3 % 3;
                int message = what / 9, dot = message == AGN_MESSAGE_DOT;
                agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){rows[a], w}, 0.5, 2), *y;
                agn_tensor *z = random_of(AGN_F64, 2, (int64_t[]){rows[b], w}, 0.5, 2);
                must(agn_graph_gsddmm(&y, g, x, (int32_t)a, message ? z : NULL, (int32_t)b,
                                      message));
                check(&t, has_shape(y, 2, (int64_t[]){q->m, dot ? 1 : w}), "%s: shape", q->name);
                for (int64_t e = 0; e < q->m; e++) {
                    double sum = 0;
                    for (int64_t f = 0; f < w; f++) {
                        double p = get(x, row_of(q, (int)a, e) * w + f),
                               r = get(z, row_of(q, (int)b, e) * w + f);
                        sum += p * r;
                        check(&t, dot || fabs(get(y, e * w + f) - combine(message, p, r)) < 1e-15,
                              "%s, %s of sides %d and %d", q->name, message_names[message], (int)a,
                              (int)b);
                    }
                    check(&t, !dot || fabs(get(y, e) - sum) < 1e-14, "%s, dot product", q->name);
                }
                RELEASE(x, y, z);
            }
        agn_graph_release(g);
    }
    tell(&t, "rows of edges against loops, of all sides");
}

/* the score of an edge by rows a of its source and b of its destination, from r and s on */
static double score(int layer, const agn_tensor *a, int64_t r, const agn_tensor *b, int64_t s,
                    const agn_tensor *p, int64_t h, int64_t w)
{
    double sum = 0;
    for (int64_t f = 0; f < w; f++) {
        double u = get(a, r + f), v = get(b, s + f), both = u + v, by = get(p, h * w + f);
        sum += layer == 0   ? by * both
               : layer == 1 ? by * (both > 0 ? both : 0.2 * both)
                            : u * v / sqrt((double)w);
    }
    return layer == 0 && sum < 0 ? 0.2 * sum : sum;
}

/* GAT, GATv2 and dot products, of two heads: sums of rows by exponentials over the sum of these */
static void test_attention(void)
{
    enum { HEADS = 2 };
    tally t = {0, 0};
    for (int k = 0; k < COUNT(shapes) * COUNT(widths) * 3; k++) {
        const shape *q = &shapes[k / 3 / COUNT(widths)];
        int layer = k % 3;
        int64_t w = widths[k / 3 % COUNT(widths)];
        agn_graph *g = make_graph(q->m, q->src, q->dst, q->n_src, q->n_dst);
        agn_tensor *u = random_of(AGN_F64, 3, (int64_t[]){q->n_src, HEADS, w}, -1, 1), *y;
        agn_tensor *v = random_of(AGN_F64, 3, (int64_t[]){q->n_dst, HEADS, w}, -1, 1);
        agn_tensor *p = random_of(AGN_F64, 2, (int64_t[]){HEADS, w}, -1, 1);
        must(layer == 0   ? agn_graph_gat(&y, g, u, v, p, p, 0.2)
             : layer == 1 ? agn_graph_gatv2(&y, g, u, v, p, 0.2)
                          : agn_graph_attention(&y, g, v, u, u));
        check(&t, has_shape(y, 3, (int64_t[]){q->n_dst, HEADS, w}), "%s: shape", q->name);
        for (int64_t i = 0; i < q->n_dst * HEADS; i++)
            for (int64_t f = 0; f < w; f++) {
                double all = 0, sum = 0;
                for (int64_t e = 0; e < q->m; e++) {
                    int64_t r = (q->src[e] * HEADS + i % HEADS) * w;
                    double a = q->dst[e] == i / HEADS
                                   ? exp(score(layer, u, r, v, i * w, p, i % HEADS, w))
                                   : 0;
                    all += a;
                    sum += a ? a * get(u, r + f) : 0;
                }
                check(&t, fabs(get(y, i * w + f) - (all > 0 ? sum / all : 0)) < 1e-13,
                      "%s, width %d, layer %d: %g", q->name, (int)w, layer, get(y, i * w + f));
            }
        RELEASE(u, v, p, y);
        agn_graph_release(g);
    }
    tell(&t, "attention against loops");
}

static void test_segments(void)
{
    tally t = {0, 0};
    for (int k = 0; k < COUNT(shapes) * COUNT(widths) * 4; k++) {
        const shape *q = &shapes[k / 4 / COUNT(widths)];
        int reduce = k % 4;
        int64_t w = widths[k / 4 % COUNT(widths)];
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){q->m, w}, -1, 1), *y;
        agn_tensor *ids = whole(q->m, q->dst);
        must(agn_geometric_segment_reduce(&y, x, ids, q->n_dst, reduce));
        check(&t, has_shape(y, 2, (int64_t[]){q->n_dst, w}), "%s: shape", q->name);
        for (int64_t i = 0; i < q->n_dst * w; i++) {
            double want = reduce_by_loop(q->src, q->dst, q->m, i / w, i % w, w, NULL, x,
                                         AGN_MESSAGE_COPY, reduce);
            check(&t, fabs(get(y, i) - want) < 1e-14, "%s, width %d, reduction %d", q->name, (int)w,
                  reduce);
        }
        RELEASE(x, ids, y);
    }
    tell(&t, "segments in any order against loops");
}

/* quotients u / e: by name, by a function of the caller's, and of an array of messages */
typedef struct quotient {
    const agn_graph *g;
    const agn_fn *f;
    int form, reduce;
} quotient;
static agn_status divide(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    out[0] = ag_div(s, in[0], in[1]);
    return agn_scope_status(s);
}
static agn_status divide_rows(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const quotient *q = user;
    const agn_tensor *m;
    switch (q->form) {
    case 0: out[0] = ag_graph_gspmm(s, q->g, in[0], in[1], AGN_MESSAGE_DIV, q->reduce); break;
    case 1: out[0] = ag_graph_mpnn(s, q->g, q->f, in[0], NULL, in[1], q->reduce); break;
    default:
        m = ag_graph_gsddmm(s, q->g, in[0], AGN_GRAPH_SRC, NULL, AGN_GRAPH_SRC, AGN_MESSAGE_COPY);
        out[0] = ag_graph_gspmm(s, q->g, NULL, ag_div(s, m, in[1]), AGN_MESSAGE_COPY, q->reduce);
    }
    return agn_scope_status(s);
}

/* nodes 0 and 1 meet 0 / 0, node 2 does not, node 3 nothing: value, tangent, gradients of u and e */
static void test_quotients(void)
{
    enum { N_SRC = 3, N_DST = 4, M = 4, ALL = 2 * N_DST + N_SRC + M };
    tally t = {0, 0};
    agn_graph *g = make_graph(M, (int64_t[]){0, 1, 2, 1}, (int64_t[]){0, 0, 1, 2}, N_SRC, N_DST);
    agn_tensor *x[5];
    static const double rows[5][M] = {{0, 2, 0}, {0, 4, 0, 2}, {1, 1, 0}, {0, 0, 1, 0}, {1, 1, 1, 1}};
    for (int k = 0; k < 5; k++)
        must(agn_from_host(&x[k], AGN_F64, 2, (int64_t[]){k % 2 || k == 4 ? M : N_SRC, 1}, rows[k]));
    quotient q = {g, NULL, 0, 0};
    agn_fn *own = NULL;
    must(agn_fn_new(&own, divide, NULL, NULL, 2, 1));
    q.f = own;
    for (q.reduce = 0; q.reduce < 4; q.reduce++) {
        double have[3][ALL];
        for (q.form = 0; q.form < 3; q.form++) {
            agn_fn *f = NULL, *push = NULL, *pull = NULL;
            agn_tensor *y[5];
            must(agn_fn_new(&f, divide_rows, &q, NULL, 2, 1));
            must(agn_fn_jvp(&push, f));
            must(agn_fn_vjp(&pull, f));
            must(agn_fn_call(y, 2, push, (const agn_tensor *[]){x[0], x[1], x[2], x[3]}, 4));
            must(agn_fn_call(y + 2, 3, pull, (const agn_tensor *[]){x[0], x[1], x[4]}, 3));
            for (int k = 0, at = 0; k < 5; k++)
                for (int64_t i = 0; k != 2 && i < agn_numel(y[k]); i++)
                    have[q.form][at++] = get(y[k], i);
            release_all(y, 5);
            agn_fn_release(f);
            agn_fn_release(push);
            agn_fn_release(pull);
        }
        const double *v = have[0];
        check(&t, isnan(v[0]) && isnan(v[1]) && v[2] == 1 && v[3] == 0, "values");
        check(&t, isnan(v[4]) && isnan(v[5]) && v[6] == 0.5 && v[7] == 0, "tangents");
        for (int i = 0; i < ALL; i++)
            for (int form = 1; form < 3; form++)
                check(&t, isnan(v[i]) ? isnan(have[form][i]) : have[form][i] == v[i],
                      "reduction %d, form %d, number %d: %g, not %g", q.reduce, form, i,
                      have[form][i], v[i]);
    }
    release_all(x, 5);
    agn_fn_release(own);
    agn_graph_release(g);
    tell(&t, "quotients 0 / 0");
}

/* sums of integers are exact: the same in any order of operations */
static void test_hub(void)
{
    enum { M = 1000000, W = 3, HUB = 1 };
    static int64_t src[M], dst[M];
    static double rows[3 * W];
    tally t = {0, 0};
    double sum[3][W] = {{0}}, count[3] = {0};
    for (int i = 0; i < 3 * W; i++)
        rows[i] = i - 4;
    for (int64_t k = 0; k < M; k++) {
        src[k] = k * 7 % 3;
        dst[k] = k % 1000 == 999 ? 2 : HUB; /* node 0 is alone */
        count[dst[k]]++;
        for (int f = 0; f < W; f++)
            sum[dst[k]][f] += rows[src[k] * W + f];
    }
    agn_graph *g = make_graph(M, src, dst, 3, 3);
    agn_tensor *x, *degree, *y[4], *again, *e = random_of(AGN_F64, 2, (int64_t[]){M, W}, -1, 1),
                                           *soft;
    must(agn_from_host(&x, AGN_F64, 2, (int64_t[]){3, W}, rows));
    must(agn_graph_degrees(&degree, g, AGN_GRAPH_DST));
    for (int i = 0; i < 3; i++)
        check(&t, get(degree, i) == count[i], "node %d has %g edges", i, get(degree, i));
    for (int reduce = 0; reduce < 4; reduce++) {
        must(agn_graph_gspmm(&y[reduce], g, x, NULL, AGN_MESSAGE_COPY, reduce));
        for (int i = 0; i < 3 * W; i++) {
            double n = count[i / W], all = sum[i / W][i % W], want = 0;
            if (n > 0)
                want = reduce == AGN_GEOMETRIC_SUM    ? all
                       : reduce == AGN_GEOMETRIC_MEAN ? all / n
                       : reduce == AGN_GEOMETRIC_MAX  ? rows[2 * W + i % W]
                                                      : rows[i % W];
            check(&t, get(y[reduce], i) == want, "reduction %d of node %d: %g, %g", reduce, i / W,
                  get(y[reduce], i), want);
        }
    }
    int32_t before = agn_threads();
    must(agn_graph_edge_softmax(&soft, g, e, AGN_GRAPH_DST));
    double shares[3] = {0};
    for (int64_t k = 0; k < M; k++)
        shares[dst[k]] += get(soft, k * W);
    check(&t, fabs(shares[HUB] - 1) < 1e-10 && fabs(shares[2] - 1) < 1e-10, "softmax of a hub");
    for (int n = 1; n <= 3; n++) {
        agn_tensor *one;
        must(agn_threads_set(n));
        must(agn_graph_gspmm(&one, g, NULL, e, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM));
        if (n == 1)
            again = agn_retain(one);
        for (int i = 0; i < 3 * W; i++)
            check(&t, get(one, i) == get(again, i), "bits of %d threads", n);
        agn_release(one);
    }
    must(agn_threads_set(before));
    RELEASE(x, degree, y[0], y[1], y[2], y[3], again, e, soft);
    agn_graph_release(g);
    tell(&t, "a hub of a million edges in any order");
}

static void test_ids(void)
{
    tally q = {0, 0};
    agn_graph *g = NULL, *out = NULL;
    static const int64_t good[4] = {0, 1, 2, 1};
    static const struct {
        int64_t src[4], dst[4];
        const char *edge, *what;
    } bad[] = {{{0, 1, 3, 1}, {0, 0, 0, 0}, "edge 2", "src 3"},
               {{0, 1, 2, -1}, {0, 0, 0, 0}, "edge 3", "src -1"},
               {{0, 1, 2, 1}, {0, -7, 0, 0}, "edge 1", "dst -7"},
               {{0, 1, 2, 1}, {2, 0, 0, 0}, "edge 0", "dst 2"}};
    for (int k = 0; k < COUNT(bad); k++)
        for (int narrow = 0; narrow < 2; narrow++) {
            agn_tensor *s = whole(4, bad[k].src), *d = whole(4, bad[k].dst), *a, *b;
            must(agn_cast(&a, s, narrow ? AGN_I32 : AGN_I64));
            must(agn_cast(&b, d, narrow ? AGN_I32 : AGN_I64));
            agn_status st = agn_graph_from_edges(&out, a, b, 3, 2);
            check(&q,
                  st == AGN_EINDEX && !out && strstr(agn_error_message(), bad[k].edge) &&
                      strstr(agn_error_message(), bad[k].what),
                  "%s", agn_error_message());
            RELEASE(s, d, a, b);
        }
    agn_tensor *s = whole(4, good), *d = whole(4, (int64_t[]){1, 0, 1, 0}), *a, *b, *c;
    must(agn_graph_from_edges(&g, s, d, 3, 2));
    must(agn_graph_incidence(&a, &b, &c, g, AGN_GRAPH_SRC)); /* edges 0, {1, 3}, 2 */
    check(&q, at(c, 0) == 0 && at(c, 1) == 1 && at(c, 2) == 3 && at(c, 3) == 2, "sorted edges");
    RELEASE(s, d, a, b, c);
    agn_graph_release(g);
    s = whole(4, (int64_t[]){2, 0, 1, 1});
    d = whole(4, (int64_t[]){0, 0, 1, 1});
    must(agn_graph_from_edges(&g, s, d, 3, 2));
    must(agn_graph_incidence(&a, &b, &c, g, AGN_GRAPH_DST));
    for (int k = 0; k < 4; k++)
        check(&q, at(c, k) == k && agn_dtype_of(c) == agn_dtype_of(b), "edges that come in order");
    RELEASE(s, d, a, b, c);
    agn_graph_release(g);
    tell(&q, "ids out of range are named with the edge");
}

int main(void)
{
    test_reductions();
    test_edges();
    test_attention();
    test_segments();
    test_quotients();
    test_hub();
    test_ids();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
