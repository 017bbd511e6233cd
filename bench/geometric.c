/* bench/geometric.c - messages along the edges of a graph of 100 000 nodes and 1 500 000 edges,
   sampling, renumbering. Ids and inputs as those of other libraries; ids that begin with graph-
   have the graph made before the call. */
#include "matrices.h"
#include "task.h"

#include <agnesi/ag.h>
#include <agnesi/geometric.h>
#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_sample.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, E = 1500000, K = 64, SEEDS = 1024 };

/* ---- the graph: edges by destination, then by source; parallel ones are kept ----------------- */

typedef struct edge {
    int64_t src, dst;
} edge;

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    return (x->src > y->src) - (x->src < y->src);
}

static agn_tensor *integers(int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    TRY(agn_from_host(&x, AGN_I64, 1, &n, v));
    return x;
}

/* loops: one at each node as well */
static void make_edges(agn_tensor **src, agn_tensor **dst, bool loops)
{
    int64_t m = loops ? E + N : E;
    double *u = bench_mix_of(E, 0, 1, 0), *v = bench_mix_of(E, 0, 1, 1);
    edge *e = malloc((size_t)m * sizeof *e);
    int64_t *end = malloc((size_t)m * 2 * sizeof *end);
    if (!e || !end)
        bench_die("memory");
    for (int64_t k = 0; k < E; k++) {
        volatile double uu = u[k] * u[k], vv = v[k] * v[k];
        e[k] = (edge){((int64_t)floor(vv * N) * 7919 + 13) % N, (int64_t)floor(uu * N)};
    }
    for (int64_t k = E; k < m; k++)
        e[k] = (edge){k - E, k - E};
    qsort(e, (size_t)m, sizeof *e, compare_edges);
    for (int64_t k = 0; k < m; k++) {
        end[k] = e[k].src;
        end[m + k] = e[k].dst;
    }
    *src = integers(m, end);
    *dst = integers(m, end + m);
    free(u);
    free(v);
    free(e);
    free(end);
}

/* ---- one op ---------------------------------------------------------------------------------- */

enum { SEGMENT, SEND_U, GRAPH_U, SEND_UE, GRAPH_UE, SEND_UV, GRAPH_UV, SOFTMAX };
typedef struct passing {
    int what, reduce;
    agn_tensor *x, *y, *src, *dst, *out;
    agn_graph *g;
} passing;

static void call(void *user)
{
    passing *p = user;
    agn_release(p->out);
    p->out = NULL;
    switch (p->what) {
    case SEGMENT:
        TRY(agn_geometric_segment_reduce(&p->out, p->x, p->dst, N, p->reduce));
        break;
    case SEND_U:
        TRY(agn_geometric_send_u_recv(&p->out, p->x, p->src, p->dst, N, p->reduce));
        break;
    case GRAPH_U:
        TRY(agn_graph_gspmm(&p->out, p->g, p->x, NULL, AGN_MESSAGE_COPY, p->reduce));
        break;
    case SEND_UE:
        TRY(agn_geometric_send_ue_recv(&p->out, p->x, p->y, p->src, p->dst, N, AGN_MESSAGE_MUL,
                                       p->reduce));
        break;
    case GRAPH_UE:
        TRY(agn_graph_gspmm(&p->out, p->g, p->x, p->y, AGN_MESSAGE_MUL, p->reduce));
        break;
    case SEND_UV:
        TRY(agn_geometric_send_uv(&p->out, p->x, p->y, p->src, p->dst, AGN_MESSAGE_ADD));
        break;
    case GRAPH_UV:
        TRY(agn_graph_gsddmm(&p->out, p->g, p->x, AGN_GRAPH_SRC, p->y, AGN_GRAPH_DST,
                             AGN_MESSAGE_ADD));
        break;
    default:
        TRY(agn_graph_edge_softmax(&p->out, p->g, p->x, AGN_GRAPH_DST));
    }
}

/* sum |y|, sum y_k (k mod 7 + 1) */
static int weighted(const agn_tensor *y, double *value)
{
    agn_tensor *z = bench_f64(y);
    const double *v = agn_data(z);
    value[0] = value[1] = 0;
    for (int64_t k = 0; k < agn_numel(z); k++) {
        value[0] += fabs(v[k]);
        value[1] += v[k] * (double)(k % 7 + 1);
    }
    agn_release(z);
    return 2;
}
static int check(void *user, double *value)
{
    return weighted(((passing *)user)->out, value);
}

static void run(const char *id, int what, int reduce)
{
    if (!bench_asked(id))
        return;
    bool edges = what == SEGMENT;
    passing p = {.what = what, .reduce = reduce};
    int64_t rows = edges ? E : N, bytes = (int64_t)E * K * 4 + (int64_t)N * K * 4;
    make_edges(&p.src, &p.dst, false);
    if (what == GRAPH_U || what == GRAPH_UE || what == GRAPH_UV || what == SOFTMAX)
        TRY(agn_graph_from_edges(&p.g, p.src, p.dst, N, N));
    if (what == SOFTMAX) {
        agn_tensor *x = bench_mix(2, (int64_t[]){E, 8}, -1, 1, 7, AGN_F32);
        TRY(agn_mul_c(&p.x, x, 4));
        agn_release(x);
        bytes = (int64_t)E * 8 * 4 * 2;
    } else {
        p.x = bench_mix(2, (int64_t[]){rows, K}, -1, 1, 5, AGN_F32);
    }
    if (what == SEND_UE || what == GRAPH_UE)
        p.y = bench_mix(2, (int64_t[]){E, K}, -1, 1, 6, AGN_F32);
    if (what == SEND_UV || what == GRAPH_UV)
        p.y = bench_mix(2, (int64_t[]){N, K}, -1, 1, 6, AGN_F32);
    bench_measure(id, &(bench_work){call, check, &p, bench_bytes_ms((double)bytes)});
    agn_tensor *all[] = {p.x, p.y, p.src, p.dst, p.out};
    for (int k = 0; k < 5; k++)
        agn_release(all[k]);
    agn_graph_release(p.g);
}

/* send-u-recv-sum as a product with a sparse matrix that is ready */
static void multiply(void *user)
{
    passing *p = user;
    agn_release(p->out);
    p->out = NULL;
    TRY(agn_sparse_matmul(&p->out, p->y, p->x));
}
static void run_matmul(const char *id)
{
    if (!bench_asked(id))
        return;
    passing p = {.x = bench_mix(2, (int64_t[]){N, K}, -1, 1, 5, AGN_F32)};
    make_edges(&p.src, &p.dst, false);
    bench_triplets t = {N,
                        N,
                        E,
                        malloc(E * sizeof(int64_t)),
                        malloc(E * sizeof(int64_t)),
                        malloc(E * sizeof(double))};
    if (!t.row || !t.col || !t.v)
        bench_die("memory");
    for (int64_t k = 0; k < E; k++) {
        t.row[k] = ((const int64_t *)agn_data(p.dst))[k];
        t.col[k] = ((const int64_t *)agn_data(p.src))[k];
        t.v[k] = 1;
    }
    p.y = bench_matrix(&t, AGN_F32);
    bench_measure(id, &(bench_work){multiply, check, &p, 0});
    agn_tensor *all[] = {p.x, p.y, p.src, p.dst, p.out};
    for (int k = 0; k < 5; k++)
        agn_release(all[k]);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const agn_tensor *mean_square(agn_scope *s, const agn_tensor *y)
{
    return ag_mul_c(s, ag_sum_all(s, ag_square(s, y)), 1.0 / ((double)N * K));
}

typedef struct layer {
    const agn_graph *g;
    const agn_tensor *w;
} layer;
static agn_status gcn(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const layer *q = user;
    const agn_tensor *z = ag_matmul(s, in[0], in[1]);
    out[0] = mean_square(
        s, ag_relu(s, ag_graph_gspmm(s, q->g, z, q->w, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM)));
    return agn_scope_status(s);
}
static agn_status gat(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const layer *q = user;
    const agn_tensor *z = ag_reshape(s, ag_matmul(s, in[0], in[1]), 3, (int64_t[]){N, 4, 16});
    out[0] = mean_square(s, ag_graph_gat(s, q->g, z, NULL, in[2], in[3], 0.2));
    return agn_scope_status(s);
}
/* a message that the caller wrote: x[s] sigmoid(x[s] + x[d]) */
static agn_status gate(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, in[0], ag_sigmoid(s, ag_add(s, in[0], in[1])));
    return agn_scope_status(s);
}
/* and one that has a name: x[s] y[e] */
static agn_status weigh(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, in[0], in[2]);
    return agn_scope_status(s);
}
static agn_status hand_on(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)user, (void)s;
    out[0] = in[0];
    return AGN_OK;
}
enum { GCN, GAT, GATE, NAMED_GATE, OWN_COPY, NAMED_COPY, OWN_MUL, NAMED_MUL };
typedef struct gated {
    int what;
    const agn_graph *g;
    const agn_fn *f; /* NULL: by name */
} gated;
static agn_status gates(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const gated *q = user;
    const agn_tensor *w = q->what >= OWN_MUL ? in[1] : NULL;
    if (q->what == NAMED_GATE)
        w = ag_sigmoid(s, ag_graph_gsddmm(s, q->g, in[0], AGN_GRAPH_SRC, in[0], AGN_GRAPH_DST,
                                          AGN_MESSAGE_ADD));
    out[0] = mean_square(
        s, q->f ? ag_graph_mpnn(s, q->g, q->f, in[0], in[0], w, AGN_GEOMETRIC_SUM)
                : ag_graph_gspmm(s, q->g, in[0], w, w ? AGN_MESSAGE_MUL : AGN_MESSAGE_COPY,
                                 AGN_GEOMETRIC_SUM));
    return agn_scope_status(s);
}

static int value_and_amounts(const task *t, double *value)
{
    value[0] = element(t->out[0], 0);
    for (int k = 1; k < t->n_out; k++)
        bench_amount(t->out[k], value + k);
    return t->n_out;
}

static agn_tensor *edge_weights(const agn_tensor *src, const agn_tensor *dst)
{
    int64_t m = agn_numel(src);
    const int64_t *a = agn_data(src), *b = agn_data(dst);
    double *degree = calloc(N, sizeof *degree), *w = malloc((size_t)m * sizeof *w);
    if (!degree || !w)
        bench_die("memory");
    for (int64_t k = 0; k < m; k++)
        degree[b[k]]++;
    for (int64_t k = 0; k < m; k++)
        w[k] = 1 / sqrt(degree[a[k]]) * (1 / sqrt(degree[b[k]]));
    free(degree);
    return bench_tensor_of(w, AGN_F32, 2, (int64_t[]){m, 1});
}

static void run_step(const char *id, int what)
{
    if (!bench_asked(id))
        return;
    agn_tensor *src, *dst;
    agn_graph *g = NULL;
    agn_fn *f = NULL, *df = NULL, *own = NULL;
    int n = what == GAT ? 4 : what >= GATE && what < OWN_MUL ? 1 : 2;
    task t = {.n_in = n, .n_out = n + 1, .check = value_and_amounts};
    make_edges(&src, &dst, what == GCN);
    TRY(agn_graph_from_edges(&g, src, dst, N, N));
    layer q = {g, what == GCN ? edge_weights(src, dst) : NULL};
    gated r = {what, g, NULL};
    t.in[0] = bench_mix(2, (int64_t[]){N, K}, -1, 1, 5, AGN_F32);
    if (what >= OWN_MUL)
        t.in[1] = bench_mix(2, (int64_t[]){E, K}, -1, 1, 6, AGN_F32);
    else if (n > 1)
        t.in[1] = bench_mix(2, (int64_t[]){K, K}, -0.2, 0.2, 8, AGN_F32);
    for (int k = 2; k < n; k++)
        t.in[k] = bench_mix(2, (int64_t[]){4, 16}, -1, 1, 7 + k, AGN_F32);
    if (what == GATE || what == OWN_COPY || what == OWN_MUL) {
        TRY(agn_fn_new(&own,
                       what == GATE       ? gate
                       : what == OWN_COPY ? hand_on
                                          : weigh,
                       NULL, NULL, what == OWN_MUL ? 3 : 2, 1));
        r.f = own;
    }
    TRY(agn_fn_new(&f,
                   what == GCN   ? gcn
                   : what == GAT ? gat
                                 : gates,
                   what >= GATE ? (void *)&r : (void *)&q, NULL, n, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2, 3}, n));
    task_run(id, &t, f, df);
    task_close(&t);
    agn_fn_release(own);
    agn_release((agn_tensor *)(uintptr_t)q.w);
    agn_release(src);
    agn_release(dst);
    agn_graph_release(g);
}

/* ---- sampling and renumbering ---------------------------------------------------------------- */

typedef struct hops {
    agn_graph *g;
    agn_tensor *a, *b, *c, *key, *out[3];
} hops;
static void release_hops(hops *h)
{
    for (int k = 0; k < 3; k++) {
        agn_release(h->out[k]);
        h->out[k] = NULL;
    }
}
static void sample(void *user)
{
    hops *h = user;
    release_hops(h);
    TRY(agn_graph_sample_khop(&h->out[0], &h->out[1], &h->out[2], NULL, h->g, h->a,
                              (int64_t[]){25, 10}, 2, h->key));
}
static int check_sample(void *user, double *value)
{
    int64_t m = agn_numel(((hops *)user)->out[0]);
    value[0] = m > 0 && m <= (int64_t)SEEDS * 25 * 11;
    return 1;
}
static void renumber(void *user)
{
    hops *h = user;
    release_hops(h);
    TRY(agn_geometric_reindex(&h->out[0], &h->out[1], &h->out[2], h->a, h->b, h->c));
}
static int check_renumbered(void *user, double *value)
{
    hops *h = user;
    for (int k = 0; k < 3; k++) {
        const int64_t *v = agn_data(h->out[k]);
        value[k] = 0;
        for (int64_t i = 0; i < agn_numel(h->out[k]); i++)
            value[k] += (double)v[i];
    }
    value[3] = (double)agn_numel(h->out[2]);
    return 4;
}

static void run_hops(void)
{
    static const char draw[] = "geometric/sample-25-10/1024-seeds/i64",
                      name[] = "geometric/reindex/1024-seeds/i64";
    int64_t seed[SEEDS], count[SEEDS], n = 0;
    bool drawn = bench_asked(draw), named = bench_asked(name);
    agn_tensor *src, *dst;
    if (!drawn && !named)
        return;
    hops h = {NULL};
    make_edges(&src, &dst, false);
    TRY(agn_graph_from_edges(&h.g, src, dst, N, N));
    for (int64_t i = 0; i < SEEDS; i++)
        seed[i] = 97 * i % N;
    h.a = integers(SEEDS, seed);
    agn_generator *random = NULL;
    TRY(agn_generator_new(&random, 1));
    TRY(agn_key(&h.key, random));
    agn_generator_release(random);
    if (drawn)
        bench_measure(draw, &(bench_work){sample, check_sample, &h, 0});
    release_hops(&h);
    if (named) {
        const int64_t *from = agn_data(src), *to = agn_data(dst);
        int64_t *near = malloc(SEEDS * 25 * sizeof *near), *begin = calloc(N + 1, sizeof *begin);
        if (!near || !begin)
            bench_die("memory");
        for (int64_t k = 0; k < E; k++)
            begin[to[k] + 1] = k + 1;
        for (int64_t i = 0; i < N; i++)
            begin[i + 1] = begin[i + 1] ? begin[i + 1] : begin[i];
        for (int64_t i = 0; i < SEEDS; i++) {
            int64_t first = begin[seed[i]], m = begin[seed[i] + 1] - first;
            count[i] = m < 25 ? m : 25;
            for (int64_t k = 0; k < count[i]; k++)
                near[n++] = from[first + k];
        }
        h.b = integers(n, near);
        h.c = integers(SEEDS, count);
        free(near);
        free(begin);
        bench_measure(name, &(bench_work){renumber, check_renumbered, &h, 0});
    }
    release_hops(&h);
    agn_tensor *all[] = {h.a, h.b, h.c, h.key, src, dst};
    for (int k = 0; k < 6; k++)
        agn_release(all[k]);
    agn_graph_release(h.g);
}

void bench_geometric(void)
{
    run("geometric/segment-sum/1.5Mx64-100k/f32", SEGMENT, AGN_GEOMETRIC_SUM);
    run("geometric/segment-mean/1.5Mx64-100k/f32", SEGMENT, AGN_GEOMETRIC_MEAN);
    run("geometric/segment-max/1.5Mx64-100k/f32", SEGMENT, AGN_GEOMETRIC_MAX);
    run("geometric/send-u-recv-sum/100k-1.5M-64/f32", SEND_U, AGN_GEOMETRIC_SUM);
    run("geometric/send-u-recv-mean/100k-1.5M-64/f32", SEND_U, AGN_GEOMETRIC_MEAN);
    run("geometric/send-u-recv-max/100k-1.5M-64/f32", SEND_U, AGN_GEOMETRIC_MAX);
    run("geometric/graph-u-recv-sum/100k-1.5M-64/f32", GRAPH_U, AGN_GEOMETRIC_SUM);
    run("geometric/graph-u-recv-max/100k-1.5M-64/f32", GRAPH_U, AGN_GEOMETRIC_MAX);
    run_matmul("geometric/sparse-matmul/100k-1.5M-64/f32");
    run("geometric/send-ue-recv-mul-sum/100k-1.5M-64/f32", SEND_UE, AGN_GEOMETRIC_SUM);
    run("geometric/graph-ue-recv-mul-sum/100k-1.5M-64/f32", GRAPH_UE, AGN_GEOMETRIC_SUM);
    run("geometric/send-uv-add/100k-1.5M-64/f32", SEND_UV, AGN_GEOMETRIC_SUM);
    run("geometric/graph-uv-add/100k-1.5M-64/f32", GRAPH_UV, AGN_GEOMETRIC_SUM);
    run("geometric/edge-softmax/1.5Mx8/f32", SOFTMAX, AGN_GEOMETRIC_SUM);
    run_step("geometric/gcn-grad/100k-1.5M-64-64/f32", GCN);
    run_step("geometric/gat-grad/100k-1.5M-4x16/f32", GAT);
    run_step("geometric/gate-grad/100k-1.5M-64/f32", GATE);
    run_step("geometric/named-gate-grad/100k-1.5M-64/f32", NAMED_GATE);
    run_step("geometric/own-copy-grad/100k-1.5M-64/f32", OWN_COPY);
    run_step("geometric/named-copy-grad/100k-1.5M-64/f32", NAMED_COPY);
    run_step("geometric/own-mul-grad/100k-1.5M-64/f32", OWN_MUL);
    run_step("geometric/named-mul-grad/100k-1.5M-64/f32", NAMED_MUL);
    run_hops();
}
