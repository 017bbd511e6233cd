/* t-geometric-graph - graphs as values, and message passing over them: against loops over the edges, in
   every mode, by the number of threads, and every failure. */
#include "modes.h"

#include <agnesi/geometric.h>

static agn_tensor *whole(int dtype, int64_t n, const int64_t *v)
{
    double *d = room_for((size_t)(n + 1) * sizeof *d);
    for (int64_t i = 0; i < n; i++)
        d[i] = (double)v[i];
    agn_tensor *x = of_reals(dtype, 1, &n, d);
    free(d);
    return x;
}

/* ---- a graph and its edges ---------------------------------------------------------------------- */

enum { MOST = 300 };
typedef struct edges {
    int64_t n_src, n_dst, m, src[MOST], dst[MOST];
    agn_graph *g;
} edges;

/* the last destination is alone where there are several; loops and parallel edges come by chance */
static void draw_edges(edges *q, int64_t n_src, int64_t n_dst, int64_t m)
{
    q->n_src = n_src, q->n_dst = n_dst, q->m = m;
    for (int64_t k = 0; k < m; k++) {
        q->src[k] = rnd_below(n_src);
        q->dst[k] = rnd_below(n_dst > 1 ? n_dst - 1 : n_dst);
    }
    agn_tensor *s = whole(AGN_I32, m, q->src), *d = whole(AGN_I64, m, q->dst);
    must(agn_graph_from_edges(&q->g, s, d, n_src, n_dst));
    agn_release(s);
    agn_release(d);
}

static int64_t row_at(const edges *q, int side, int64_t k)
{
    return side == AGN_GRAPH_SRC ? q->src[k] : side == AGN_GRAPH_DST ? q->dst[k] : k;
}
static int64_t rows_at(const edges *q, int side)
{
    return side == AGN_GRAPH_SRC ? q->n_src : side == AGN_GRAPH_DST ? q->n_dst : q->m;
}

static double message_of(int message, double a, double b)
{
    switch (message) {
    case AGN_MESSAGE_ADD: return a + b;
    case AGN_MESSAGE_SUB: return a - b;
    case AGN_MESSAGE_MUL: return a * b;
    case AGN_MESSAGE_DIV: return a / b;
    default: return a;
    }
}

/* ---- facts ------------------------------------------------------------------------------------------ */

static void test_facts(void)
{
    tally q = {0, 0};
    static edges e;
    draw_edges(&e, 7, 9, 200);
    agn_tensor *src, *dst, *begin, *other, *edge, *degree;
    int64_t n = 0, m = 0, k = 0;
    must(agn_graph_size(&n, &m, &k, e.g));
    check(&q, n == 7 && m == 9 && k == 200, "size");
    must(agn_graph_edges(&src, &dst, e.g));
    for (int side = 0; side < 2; side++) {
        must(agn_graph_incidence(&begin, &other, &edge, e.g, side));
        must(agn_graph_degrees(&degree, e.g, side));
        int64_t at = 0;
        for (int64_t i = 0; i < rows_at(&e, side); i++) {
            check(&q, (int64_t)creal(peekz(begin, i)) == at, "first edge of node %lld", (long long)i);
            int64_t first = at;
            for (int64_t j = 0; j < e.m; j++)
                if (row_at(&e, side, j) == i) {
                    check(&q, (int64_t)creal(peekz(edge, at)) == j &&
                                  (int64_t)creal(peekz(other, at)) == row_at(&e, !side, j),
                          "edge %lld of side %d", (long long)j, side);
                    at++;
                }
            check(&q, (int64_t)creal(peekz(degree, i)) == at - first, "degree of %lld", (long long)i);
        }
        agn_graph *again = NULL; /* the same edges, sorted by this side */
        must(agn_graph_from_compressed(&again, begin, other, rows_at(&e, !side), side));
        agn_tensor *s2, *d2;
        must(agn_graph_edges(&s2, &d2, again));
        for (int64_t j = 0; j < e.m; j++) {
            int64_t old = (int64_t)creal(peekz(edge, j));
            check(&q, (int64_t)creal(peekz(s2, j)) == e.src[old] &&
                          (int64_t)creal(peekz(d2, j)) == e.dst[old],
                  "compressed edge %lld", (long long)j);
        }
        agn_tensor *all[] = {begin, other, edge, degree, s2, d2};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
        agn_graph_release(again);
    }
    agn_graph *kept = agn_graph_retain(e.g);
    agn_graph_release(e.g);
    for (int64_t j = 0; j < e.m; j++)
        check(&q, (int64_t)creal(peekz(src, j)) == e.src[j] && (int64_t)creal(peekz(dst, j)) == e.dst[j],
              "edge %lld", (long long)j);
    agn_graph_release(kept);
    check(&q, (int64_t)creal(peekz(src, 0)) == e.src[0], "views outlive the graph");
    agn_release(src);
    agn_release(dst);
    agn_graph_release(NULL);
    check(&q, agn_graph_retain(NULL) == NULL, "no graph");
    tell(&q, "size, edges, incidence lists, degrees against loops");
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* element (row, f) of x whose features broadcast to those of shape */
static double element(const agn_tensor *x, int64_t row, int64_t f, int features, const int64_t *shape)
{
    int own = agn_ndim(x) - 1;
    int64_t at = 0, width = 1;
    for (int d = features - 1; d >= 0; d--) {
        int64_t i = f % shape[d], axis = d - (features - own);
        f /= shape[d];
        if (axis >= 0) {
            at += agn_shape(x)[1 + axis] == 1 ? 0 : i * width;
            width *= agn_shape(x)[1 + axis];
        }
    }
    return creal(peekz(x, row * width + at));
}

/* y of a (at side_a) and b (at side_b; NULL) into `to`, by a loop */
static double apart(const edges *q, const agn_tensor *y, const agn_tensor *a, int side_a,
                    const agn_tensor *b, int side_b, int to, int message, int reduce, int features,
                    const int64_t *shape)
{
    double worst = 0;
    int64_t width = 1;
    for (int d = 0; d < features; d++)
        width *= shape[d];
    for (int64_t i = 0; i < rows_at(q, to); i++)
        for (int64_t f = 0; f < width; f++) {
            double sum = 0, size = 0;
            int64_t count = 0;
            for (int64_t k = 0; k < q->m; k++) {
                if (row_at(q, to, k) != i)
                    continue;
                double m = message_of(message, element(a, row_at(q, side_a, k), f, features, shape),
                                      b ? element(b, row_at(q, side_b, k), f, features, shape) : 0);
                sum = reduce < AGN_GEOMETRIC_MAX ? sum + m
                      : !count                   ? m
                      : reduce == AGN_GEOMETRIC_MAX ? fmax(sum, m)
                                                    : fmin(sum, m);
                size += fabs(m);
                count++;
            }
            if (reduce == AGN_GEOMETRIC_MEAN && count)
                sum /= (double)count, size /= (double)count;
            double d = fabs(creal(peekz(y, i * width + f)) - sum) / (1 + size);
            worst = d > worst || d != d ? d : worst;
        }
    return worst;
}

static void test_values(void)
{
    static edges e;
    static const int64_t sizes[][3] = {{5, 6, 40}, {1, 1, 3}, {4, 3, 0}, {20, 15, 130}, {3, 1, 90}};
    static const struct {
        int na, nb, n;
        int64_t a[3], b[3], y[3];
    } features[] = {
        {0, 0, 0, {0}, {0}, {0}},          {1, 1, 1, {3}, {3}, {3}},     {1, 0, 1, {17}, {0}, {17}},
        {1, 1, 1, {1}, {21}, {21}},        {1, 1, 1, {33}, {1}, {33}},   {2, 2, 2, {3, 10}, {3, 1}, {3, 10}},
        {2, 1, 2, {5, 1}, {4}, {5, 4}},    {1, 1, 1, {0}, {1}, {0}},     {3, 2, 3, {2, 1, 9}, {6, 1}, {2, 6, 9}},
        {1, 1, 1, {64}, {64}, {64}},
    };
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_I32, AGN_I64, AGN_F16};
    static const double bounds[] = {1e-14, 1e-5, 1e-14, 1e-14, 1e-2};
    tally q = {0, 0}, w = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++) {
        draw_edges(&e, sizes[k][0], sizes[k][1], sizes[k][2]);
        for (int f = 0; f < COUNT(features); f++)
            for (int message = 0; message < 5; message++)
                for (int reduce = 0; reduce < 4; reduce++) {
                    int t = (f + message + reduce + k) % COUNT(dtypes);
                    int na = features[f].na, nb = features[f].nb, n = features[f].n;
                    bool real = dtypes[t] == AGN_F64 || dtypes[t] == AGN_F32 || dtypes[t] == AGN_F16;
                    int64_t sa[4] = {e.n_src}, sb[4] = {e.m}, sy[4] = {e.n_dst};
                    for (int d = 0; d < 3; d++)
                        sa[1 + d] = features[f].a[d], sb[1 + d] = features[f].b[d],
                               sy[1 + d] = features[f].y[d];
                    if (k >= 3 && f > 3 && (message + reduce) % 3)
                        continue;
                    agn_tensor *a = random_of(dtypes[t], 1 + na, sa, real ? 0.5 : -9, real ? 2 : 9);
                    agn_tensor *b = random_of(dtypes[t], 1 + nb, sb, real ? 0.5 : 1, real ? 2 : 9), *y = NULL;
                    bool copy = message == AGN_MESSAGE_COPY;
                    agn_status st = agn_graph_gspmm(&y, e.g, a, copy ? NULL : b, message, reduce);
                    if (copy)
                        n = na, memcpy(sy + 1, sa + 1, sizeof sa - sizeof *sa);
                    check(&q, !st && has_shape(y, 1 + n, sy), "gspmm %d %d features %d: %s", message, reduce,
                          f, st ? agn_error_message() : "shape");
                    double d = st ? 1 : apart(&e, y, a, AGN_GRAPH_SRC, copy ? NULL : b, AGN_GRAPH_EDGE,
                                              AGN_GRAPH_DST, message, reduce, n, sy + 1);
                    check(&q, d < bounds[t], "gspmm %d %d features %d of %s: off by %.1e", message, reduce, f,
                          agn_dtype_name(dtypes[t]), d);
                    agn_release(y);
                    if (copy) { /* edges alone */
                        y = NULL;
                        st = agn_graph_gspmm(&y, e.g, NULL, b, message, reduce);
                        d = st ? 1 : apart(&e, y, b, AGN_GRAPH_EDGE, NULL, 0, AGN_GRAPH_DST, message, reduce,
                                           nb, sb + 1);
                        check(&q, d < bounds[t], "edges %d features %d: off by %.1e", reduce, f, d);
                        agn_release(y);
                    }
                    agn_release(a);
                    agn_release(b);
                }
        for (int f = 0; f < COUNT(features); f++)
            for (int message = 0; message < 5; message++)
                for (int sides = 0; sides < 9; sides++) {
                    int side_a = sides / 3, side_b = sides % 3, n = features[f].n;
                    int64_t sa[4] = {rows_at(&e, side_a)}, sb[4] = {rows_at(&e, side_b)}, sy[4] = {e.m};
                    for (int d = 0; d < 3; d++)
                        sa[1 + d] = features[f].a[d], sb[1 + d] = features[f].b[d],
                               sy[1 + d] = features[f].y[d];
                    if (k >= 3 && (f + sides) % 4)
                        continue;
                    agn_tensor *a = random_of(AGN_F64, 1 + features[f].na, sa, 0.5, 2), *y = NULL;
                    agn_tensor *b = random_of(AGN_F64, 1 + features[f].nb, sb, 0.5, 2);
                    bool copy = message == AGN_MESSAGE_COPY;
                    if (copy)
                        n = features[f].na, memcpy(sy + 1, sa + 1, sizeof sa - sizeof *sa);
                    agn_status st = agn_graph_gsddmm(&y, e.g, a, side_a, copy ? NULL : b, side_b, message);
                    double d = st ? 1 : apart(&e, y, a, side_a, copy ? NULL : b, side_b, AGN_GRAPH_EDGE,
                                              message, 0, n, sy + 1);
                    check(&w, !st && has_shape(y, 1 + n, sy) && d < 1e-14,
                          "gsddmm %d sides %d features %d: off by %.1e: %s", message, sides, f, d,
                          st ? agn_error_message() : "");
                    agn_release(a);
                    agn_release(b);
                    agn_release(y);
                }
        agn_graph_release(e.g);
    }
    tell(&q, "gspmm against a loop: messages, reductions, features, dtypes");
    tell(&w, "gsddmm against a loop: messages, sides, features");
}

/* rows of two columns: what is infinite or NaN in one leaves the other alone */
static void test_softmax_columns(void)
{
    tally q = {0, 0};
    const double inf = (double)INFINITY, nan = (double)NAN;
    double v[] = {-inf, 0, 2, 0, nan, 0, 5, 0, -inf, 0, -inf, 0, inf, 0};
    int64_t from[7] = {0, 1, 2, 3, 4, 5, 6}, to[7] = {0, 0, 1, 1, 2, 2, 3};
    for (int t = 0; t < 2; t++) {
        agn_tensor *s = whole(AGN_I64, 7, from), *d = whole(AGN_I64, 7, to), *z = NULL;
        agn_tensor *x = of_reals(t ? AGN_F32 : AGN_F64, 2, (int64_t[]){7, 2}, v);
        agn_graph *g = NULL;
        must(agn_graph_from_edges(&g, s, d, 0, 0));
        must(agn_graph_edge_softmax(&z, g, x, AGN_GRAPH_DST));
        for (int k = 0; k < 7; k++)
            check(&q, creal(peekz(z, 2 * k + 1)) == (k < 6 ? 0.5 : 1), "finite column of edge %d", k);
        check(&q, creal(peekz(z, 0)) == 0 && creal(peekz(z, 2)) == 1, "-inf is absent");
        for (int k = 2; k < 7; k++)
            check(&q, isnan(creal(peekz(z, 2 * k))), "NaN at edge %d", k);
        agn_tensor *all[] = {s, d, x, z};
        for (int k = 0; k < COUNT(all); k++)
            agn_release(all[k]);
        agn_graph_release(g);
    }
    tell(&q, "softmax: infinities and NaN by column");
}

static void test_dot_and_softmax(void)
{
    static edges e;
    static const int64_t widths[] = {1, 2, 3, 4, 8, 16, 19, 37};
    tally q = {0, 0};
    draw_edges(&e, 12, 9, 150);
    agn_tensor *u = random_of(AGN_F64, 3, (int64_t[]){12, 2, 19}, -1, 1), *y = NULL, *z = NULL;
    agn_tensor *v = random_of(AGN_F64, 3, (int64_t[]){9, 2, 19}, -1, 1);
    must(agn_graph_gsddmm(&y, e.g, u, AGN_GRAPH_SRC, v, AGN_GRAPH_DST, AGN_MESSAGE_DOT));
    check(&q, has_shape(y, 3, (int64_t[]){150, 2, 1}), "shape of dot");
    for (int64_t k = 0; k < 150; k++)
        for (int h = 0; h < 2; h++) {
            double sum = 0;
            for (int j = 0; j < 19; j++)
                sum += creal(peekz(u, (e.src[k] * 2 + h) * 19 + j)) *
                       creal(peekz(v, (e.dst[k] * 2 + h) * 19 + j));
            check(&q, fabs(sum - creal(peekz(y, k * 2 + h))) < 1e-13, "dot of edge %lld", (long long)k);
        }
    agn_release(u);
    agn_release(v);
    agn_release(y);
    tell(&q, "dot products of both ends");
    for (int t = 0; t < 2; t++)
        for (int side = 0; side < 2; side++)
            for (int w = 0; w < COUNT(widths); w++) {
                int64_t width = widths[w];
                agn_tensor *x = random_of(t ? AGN_F32 : AGN_F64, 2, (int64_t[]){150, width}, -30, 30);
                must(agn_graph_edge_softmax(&z, e.g, x, side));
                double worst = 0;
                for (int64_t k = 0; k < 150; k++)
                    for (int64_t j = 0; j < width; j++) {
                        double sum = 0, at = creal(peekz(x, k * width + j));
                        for (int64_t l = 0; l < 150; l++)
                            if (row_at(&e, side, l) == row_at(&e, side, k))
                                sum += exp(creal(peekz(x, l * width + j)) - at);
                        worst = fmax(worst, fabs(creal(peekz(z, k * width + j)) - 1 / sum));
                    }
                check(&q, worst < (t ? 1e-6 : 1e-14), "softmax off by %.1e", worst);
                agn_release(x);
                agn_release(z);
            }
    tell(&q, "softmax over the edges of each node");
    double low[3] = {-(double)INFINITY, 1, -(double)INFINITY};
    int64_t from[3] = {0, 0, 1}, to[3] = {0, 0, 1};
    agn_tensor *s = whole(AGN_I64, 3, from), *d = whole(AGN_I64, 3, to);
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, low);
    agn_graph *g = NULL;
    must(agn_graph_from_edges(&g, s, d, 0, 0));
    must(agn_graph_edge_softmax(&z, g, x, AGN_GRAPH_DST));
    ok(creal(peekz(z, 0)) == 0 && creal(peekz(z, 1)) == 1, "an edge of -inf is absent");
    agn_tensor *all[] = {s, d, x, z};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(g);
    agn_graph_release(e.g);
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

enum { SPMM, SDDMM, SOFTMAX };
typedef struct call {
    const agn_graph *g;
    int kind, message, reduce, side_a, side_b;
} call;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    bool copy = q->message == AGN_MESSAGE_COPY;
    if (q->kind == SPMM)
        out[0] = ag_graph_gspmm(s, q->g, in[0], copy ? NULL : in[1], q->message, q->reduce);
    else if (q->kind == SDDMM)
        out[0] = ag_graph_gsddmm(s, q->g, in[0], q->side_a, copy ? NULL : in[1], q->side_b, q->message);
    else
        out[0] = ag_graph_edge_softmax(s, q->g, in[0], q->side_a);
    return agn_scope_status(s);
}

static void differentiate(const edges *e, call c, int na, const int64_t *fa, int nb, const int64_t *fb,
                          const char *name)
{
    int n = c.kind == SOFTMAX || c.message == AGN_MESSAGE_COPY ? 1 : 2;
    int64_t sa[4] = {rows_at(e, c.side_a)}, sb[4] = {rows_at(e, c.side_b)};
    for (int d = 0; d < na; d++)
        sa[1 + d] = fa[d];
    for (int d = 0; d < nb; d++)
        sb[1 + d] = fb[d];
    if (c.kind == SOFTMAX)
        sa[0] = e->m;
    agn_tensor *a = random_of(AGN_F64, 1 + na, sa, 0.6, 1.4), *b = random_of(AGN_F64, 1 + nb, sb, 0.7, 1.6);
    const agn_tensor *in[2] = {a, b};
    agn_fn *f = NULL;
    c.g = e->g;
    must(agn_fn_new(&f, body, &c, NULL, n, 1));
    in_every_mode(f, n, in, 1e-3, 3e-8, name);
    agn_fn_release(f);
    agn_release(a);
    agn_release(b);
}

static void test_modes(void)
{
    static edges e;
    draw_edges(&e, 4, 3, 7);
    const int64_t f2[] = {2}, f1[] = {1}, f22[] = {2, 2}, f21[] = {2, 1};
    const int s = AGN_GRAPH_SRC, d = AGN_GRAPH_DST, m = AGN_GRAPH_EDGE;
    differentiate(&e, (call){NULL, SPMM, 0, 0, s, m}, 1, f2, 1, f2, "copy, sum");
    differentiate(&e, (call){NULL, SPMM, 0, 2, s, m}, 1, f2, 1, f2, "copy, max");
    differentiate(&e, (call){NULL, SPMM, 1, 1, s, m}, 1, f2, 1, f1, "add, mean");
    differentiate(&e, (call){NULL, SPMM, 2, 0, s, m}, 1, f1, 1, f2, "sub, sum");
    differentiate(&e, (call){NULL, SPMM, 3, 0, s, m}, 2, f22, 2, f21, "mul, sum");
    differentiate(&e, (call){NULL, SPMM, 3, 2, s, m}, 2, f22, 2, f21, "mul, max");
    differentiate(&e, (call){NULL, SPMM, 4, 0, s, m}, 1, f2, 1, f1, "div, sum");
    differentiate(&e, (call){NULL, SPMM, 4, 3, s, m}, 1, f2, 1, f1, "div, min");
    differentiate(&e, (call){NULL, SPMM, 2, 3, s, m}, 1, f2, 1, f1, "sub, min");
    differentiate(&e, (call){NULL, SDDMM, 5, 0, s, d}, 1, f2, 1, f2, "dot");
    differentiate(&e, (call){NULL, SDDMM, 3, 0, d, s}, 1, f2, 1, f1, "both ends, mul");
    differentiate(&e, (call){NULL, SDDMM, 1, 0, s, s}, 1, f1, 1, f2, "one end twice, add");
    differentiate(&e, (call){NULL, SDDMM, 4, 0, m, d}, 1, f2, 1, f2, "edge and end, div");
    differentiate(&e, (call){NULL, SOFTMAX, 0, 0, d, m}, 1, f2, 1, f2, "softmax");
    agn_graph_release(e.g);
}

/* cotangents of the arguments, of a call of n of them, for w of the result */
static void pull_call(agn_tensor **gx, call c, int n, const agn_tensor *const *x, const agn_tensor *w)
{
    const agn_tensor *in[3] = {x[0], x[1]};
    agn_tensor *out[3] = {NULL};
    agn_fn *f = NULL, *v = NULL;
    in[n] = w;
    must(agn_fn_new(&f, body, &c, NULL, n, 1));
    must(agn_fn_vjp(&v, f));
    must(agn_fn_call(out, 1 + n, v, in, n + 1));
    agn_release(out[0]);
    memcpy(gx, out + 1, (size_t)n * sizeof *gx);
    agn_fn_release(f);
    agn_fn_release(v);
}

/* an extreme that is NaN is attained by the messages that are, as one of agn_amax is */
static void test_slopes_of_nan(const agn_graph *g)
{
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2, (double)NAN, 1}), *gx = NULL;
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 10, 100});
    for (int min = 0; min < 2; min++) {
        int reduce = min ? AGN_GEOMETRIC_MIN : AGN_GEOMETRIC_MAX;
        pull_call(&gx, (call){g, SPMM, AGN_MESSAGE_COPY, reduce, 0, 0}, 1, (const agn_tensor *const[]){x, NULL}, w);
        ok(creal(peekz(gx, 0)) == 10 && creal(peekz(gx, 1)) == 1 && creal(peekz(gx, 2)) == 0, "NaN takes the slope of the extreme that it is");
        agn_release(gx);
    }
    agn_release(x);
    agn_release(w);
}

/* slopes of a / b by b where b^2 leaves the range and they do not */
static void test_slopes_of_quotients(void)
{
    static const double a[2] = {1e300, 1e-300}, b[2] = {1e200, 1e-200}, slope[2] = {-1e-100, -1e100};
    int64_t from[] = {0, 1}, to[] = {0, 1};
    agn_tensor *s = whole(AGN_I64, 2, from), *d = whole(AGN_I64, 2, to);
    agn_graph *g = NULL;
    must(agn_graph_from_edges(&g, s, d, 2, 2));
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){2}, a), *y = of_reals(AGN_F64, 1, (int64_t[]){2}, b), *gx[2];
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 1});
    for (int max = 0; max < 2; max++) {
        int reduce = max ? AGN_GEOMETRIC_MAX : AGN_GEOMETRIC_SUM;
        pull_call(gx, (call){g, SPMM, AGN_MESSAGE_DIV, reduce, 0, 0}, 2, (const agn_tensor *const[]){x, y}, w);
        for (int k = 0; k < 2; k++)
            ok(fabs(creal(peekz(gx[1], k)) / slope[k] - 1) < 1e-14, "slope of %g / %g: %g", a[k], b[k], creal(peekz(gx[1], k)));
        release_all(gx, 2);
    }
    release_all((agn_tensor *[]){x, y, w, s, d}, 5);
    agn_graph_release(g);
}

/* equal messages share the slope, where they come from one node too */
static void test_ties(void)
{
    int64_t from[] = {0, 1, 2, 0}, to[] = {0, 0, 0, 1};
    agn_tensor *s = whole(AGN_I64, 4, from), *d = whole(AGN_I64, 4, to), *y = NULL;
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2, 2, 1});
    call c = {NULL, SPMM, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX, 0, 0};
    agn_graph *g = NULL;
    agn_fn *f = NULL, *v = NULL;
    must(agn_graph_from_edges(&g, s, d, 3, 3));
    c.g = g;
    must(agn_fn_new(&f, body, &c, NULL, 1, 1));
    must(agn_fn_vjp(&v, f));
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 10, 100}), *all[2] = {NULL, NULL};
    must(agn_fn_call(all, agn_fn_n_out(v), v, AGN_ARGS(x, w)));
    y = all[agn_fn_n_out(v) - 1];
    ok(creal(peekz(y, 0)) == 10.5 && creal(peekz(y, 1)) == 0.5 && creal(peekz(y, 2)) == 0,
       "ties share equally, a node without edges gives nothing");
    agn_release(all[0]);
    agn_release(all[1]);
    agn_fn_release(f);
    agn_fn_release(v);
    agn_release(x);
    agn_release(w);
    x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2, (double)NAN, 1});
    must(agn_graph_gspmm(&y, g, x, NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX));
    ok(isnan(creal(peekz(y, 0))) && creal(peekz(y, 1)) == 2 && creal(peekz(y, 2)) == 0,
       "NaN wins, 0 where nothing arrives");
    agn_release(x);
    agn_release(y);
    test_slopes_of_nan(g);
    agn_release(s);
    agn_release(d);
    agn_graph_release(g);
}

/* ---- threads, one graph for all ----------------------------------------------------------------------------- */

static void test_threads(void)
{
    enum { N = 600, M = 9000, F = 24 };
    static int64_t from[M], to[M];
    tally q = {0, 0};
    for (int k = 0; k < M; k++) {
        from[k] = rnd_below(N);
        to[k] = rnd_below(4) ? rnd_below(N) : 0; /* a hub */
    }
    agn_tensor *s = whole(AGN_I64, M, from), *d = whole(AGN_I64, M, to);
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){N, F}, -1, 1);
    agn_tensor *w = random_of(AGN_F32, 2, (int64_t[]){M, 1}, -1, 1);
    int32_t before = agn_threads();
    for (int reduce = 0; reduce < 4; reduce++) {
        agn_tensor *y[3] = {NULL};
        for (int t = 0; t < 3; t++) {
            agn_graph *g = NULL;
            must(agn_threads_set(1 + 2 * t));
            must(agn_graph_from_edges(&g, s, d, N, N));
            must(agn_graph_gspmm(&y[t], g, x, w, AGN_MESSAGE_MUL, reduce));
            agn_graph_release(g);
            check(&q, same_values(y[t], y[0]), "%d threads, reduce %d", 1 + 2 * t, reduce);
        }
        for (int t = 0; t < 3; t++)
            agn_release(y[t]);
    }
    must(agn_threads_set(before));
    tell(&q, "the same bits for any number of threads");
    agn_release(s);
    agn_release(d);
    agn_release(x);
    agn_release(w);
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    static edges e;
    tally q = {0, 0};
    draw_edges(&e, 3, 4, 5);
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *g = nothing;
    agn_tensor *out = untouched, *b = untouched, *c = untouched;
    agn_tensor *two = whole(AGN_I64, 2, (int64_t[]){0, 2}), *one = whole(AGN_I64, 1, (int64_t[]){0});
    agn_tensor *neg = whole(AGN_I64, 2, (int64_t[]){0, -1}), *none = whole(AGN_I64, 0, NULL);
    agn_tensor *real = random_of(AGN_F64, 1, (int64_t[]){2}, 0, 1), *flat = random_of(AGN_I64, 2, (int64_t[]){2, 1}, 0, 0);
    agn_tensor *u = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2), *v = random_of(AGN_F64, 2, (int64_t[]){5, 3}, 1, 2);
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){3, 2}, 1, 2), *w = random_of(AGN_F64, 1, (int64_t[]){5}, 1, 2);
    agn_tensor *num = scalar_of(AGN_F64, 1), *sp = NULL;
    must(agn_sparse_from_dense(&sp, u));
#define MAKE(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, untouched) && g == nothing, "refusal in line %d: %s", __LINE__, \
          agn_error_message())
#define EDGES(s_, d_, n, m, st, m1, m2) MAKE(agn_graph_from_edges(&g, s_, d_, n, m), "graph_from_edges", st, m1, m2)
    check(&q, agn_graph_from_edges(NULL, two, two, 0, 0) == AGN_ENULL, "out");
    EDGES(NULL, two, 0, 0, AGN_ENULL, "src is NULL", NULL);
    EDGES(two, NULL, 0, 0, AGN_ENULL, "dst is NULL", NULL);
    EDGES(real, two, 0, 0, AGN_EDTYPE, "src is f64", "integer");
    EDGES(two, flat, 0, 0, AGN_ESHAPE, "dst is [2,1]", "2 axes");
    EDGES(two, one, 0, 0, AGN_ESHAPE, "[2]", "[1]");
    EDGES(two, neg, 0, 0, AGN_EINDEX, "edge 1 has dst -1", "3 nodes");
    EDGES(two, two, 2, 0, AGN_EINDEX, "edge 1 has src 2", "2 nodes");
    EDGES(two, two, 3, 2, AGN_EINDEX, "edge 1 has dst 2", "2 nodes");
    EDGES(sp, two, 0, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, agn_graph_from_edges(&g, two, two, INT64_MAX, 0) == AGN_ENOMEM && g == nothing, "no room");
#define ROWS(p_, i_, n, side, st, m1, m2) \
    MAKE(agn_graph_from_compressed(&g, p_, i_, n, side), "graph_from_compressed", st, m1, m2)
    agn_tensor *begin = whole(AGN_I64, 3, (int64_t[]){0, 1, 2}), *down = whole(AGN_I64, 3, (int64_t[]){0, 3, 2});
    agn_tensor *late = whole(AGN_I64, 3, (int64_t[]){1, 1, 2}), *few = whole(AGN_I64, 2, (int64_t[]){0, 1});
    check(&q, agn_graph_from_compressed(NULL, begin, two, 0, 1) == AGN_ENULL, "out");
    ROWS(NULL, two, 0, 1, AGN_ENULL, "indptr is NULL", NULL);
    ROWS(begin, NULL, 0, 1, AGN_ENULL, "index is NULL", NULL);
    ROWS(begin, two, 0, 2, AGN_EARG, "side 2", NULL);
    ROWS(real, two, 0, 1, AGN_EDTYPE, "indptr is f64", NULL);
    ROWS(begin, flat, 0, 1, AGN_ESHAPE, "index is [2,1]", NULL);
    ROWS(none, two, 0, 1, AGN_ESHAPE, "indptr is [0]", NULL);
    ROWS(down, two, 0, 1, AGN_EARG, "from 0 to 3 at node 0", "2 edges");
    ROWS(late, two, 0, 1, AGN_EARG, "from 1 to 2", "2 edges");
    ROWS(few, two, 0, 1, AGN_EARG, "from 0 to 1", "2 edges");
    ROWS(begin, two, 2, 1, AGN_EINDEX, "edge 1 has src 2", "2 nodes");
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out) && b == untouched && c == untouched, \
          "refusal in line %d: %s", __LINE__, agn_error_message())
    BAD(agn_graph_size(NULL, NULL, NULL, NULL), "graph_size", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_edges(&out, &b, NULL), "graph_edges", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_edges(&out, NULL, e.g), "graph_edges", AGN_ENULL, "dst is NULL", NULL);
    BAD(agn_graph_incidence(&out, &b, &c, NULL, 0), "graph_incidence", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_incidence(&out, &b, &c, e.g, 2), "graph_incidence", AGN_EARG, "side 2", NULL);
    BAD(agn_graph_degrees(&out, NULL, 0), "graph_degrees", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_degrees(&out, e.g, -1), "graph_degrees", AGN_EARG, "side -1", NULL);
#define SPMM_(u_, e_, m, r, st, m1, m2) BAD(agn_graph_gspmm(&out, e.g, u_, e_, m, r), "graph_gspmm", st, m1, m2)
    BAD(agn_graph_gspmm(&out, NULL, u, NULL, 0, 0), "graph_gspmm", AGN_ENULL, "g is NULL", NULL);
    SPMM_(NULL, NULL, 0, 0, AGN_ENULL, "u", "NULL");
    SPMM_(u, v, 5, 0, AGN_EARG, "message 5", NULL);
    SPMM_(u, v, 1, 4, AGN_EARG, "reduce 4", NULL);
    SPMM_(u, v, 0, 0, AGN_EARG, "message 0", "both");
    SPMM_(u, NULL, 1, 0, AGN_EARG, "message 1", "NULL");
    SPMM_(v, NULL, 0, 0, AGN_ESHAPE, "u is [5,3]", "3 rows");
    SPMM_(num, NULL, 0, 0, AGN_ESHAPE, "u is []", "3 rows");
    SPMM_(u, u, 1, 0, AGN_ESHAPE, "e is [3,2]", "5 rows");
    SPMM_(u, v, 1, 0, AGN_ESHAPE, "[3,2]", "[5,3]");
    SPMM_(u, v, 3, 2, AGN_ESHAPE, "[3,2]", "[5,3]");
    SPMM_(z, NULL, 0, 0, AGN_EDTYPE, "c128", NULL);
    SPMM_(sp, NULL, 0, 0, AGN_EUNSUPPORTED, "sparse", NULL);
#define SDDMM_(a_, sa, b_, sb, m, st, m1, m2) \
    BAD(agn_graph_gsddmm(&out, e.g, a_, sa, b_, sb, m), "graph_gsddmm", st, m1, m2)
    SDDMM_(NULL, 0, u, 0, 1, AGN_ENULL, "a is NULL", NULL);
    SDDMM_(u, 0, NULL, 0, 1, AGN_ENULL, "b is NULL", NULL);
    SDDMM_(u, 3, u, 0, 1, AGN_EARG, "side 3", NULL);
    SDDMM_(u, 0, u, -1, 1, AGN_EARG, "side -1", NULL);
    SDDMM_(u, 0, u, 0, 6, AGN_EARG, "message 6", NULL);
    SDDMM_(u, 1, u, 0, 1, AGN_ESHAPE, "a is [3,2]", "4 rows");
    SDDMM_(u, 0, u, 2, 1, AGN_ESHAPE, "b is [3,2]", "5 rows");
    SDDMM_(u, 0, v, 2, 1, AGN_ESHAPE, "[3,2]", "[5,3]");
    SDDMM_(w, 2, w, 2, 5, AGN_ESHAPE, "[5]", "sum over");
    SDDMM_(z, 0, u, 0, 1, AGN_EDTYPE, "c128", NULL);
    SDDMM_(sp, 0, u, 0, 1, AGN_EUNSUPPORTED, "sparse", NULL);
    BAD(agn_graph_edge_softmax(&out, e.g, NULL, 0), "graph_edge_softmax", AGN_ENULL, "x is NULL", NULL);
    BAD(agn_graph_edge_softmax(&out, e.g, v, 2), "graph_edge_softmax", AGN_EARG, "side 2", NULL);
    BAD(agn_graph_edge_softmax(&out, e.g, u, 1), "graph_edge_softmax", AGN_ESHAPE, "x is [3,2]", "5 rows");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {two, one, neg, none, real, flat, u, v, z, w, num, sp, begin, down, late, few};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(e.g);
}

typedef struct making {
    agn_tensor *x, *w, *s;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    agn_tensor *y = NULL, *z = NULL;
    agn_status st = agn_graph_from_edges(&g, m->s, m->s, 3, 3);
    if (!st)
        st = agn_graph_gspmm(&y, g, m->x, m->w, AGN_MESSAGE_MUL, AGN_GEOMETRIC_MEAN);
    if (!st)
        st = agn_graph_gsddmm(&z, g, y, AGN_GRAPH_SRC, y, AGN_GRAPH_DST, AGN_MESSAGE_DOT);
    if (!st)
        st = agn_graph_edge_softmax(out, g, z, AGN_GRAPH_DST);
    agn_release(y);
    agn_release(z);
    agn_graph_release(g);
    return st;
}

int main(void)
{
    test_facts();
    test_values();
    test_dot_and_softmax();
    test_softmax_columns();
    test_modes();
    test_ties();
    test_slopes_of_quotients();
    test_threads();
    test_failures();
    making m = {random_of(AGN_F64, 3, (int64_t[]){3, 6, 2}, -1, 1),
                random_of(AGN_F64, 3, (int64_t[]){2, 1, 2}, -1, 1), whole(AGN_I32, 2, (int64_t[]){0, 2})};
    every_allocation(make, &m, "attention");
    agn_release(m.x);
    agn_release(m.w);
    agn_release(m.s);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
