/* bench/geometric-blocks.c - value and gradient of messages that are programs of rows (EGNN, GATv2,
   the block of mesh networks, largest gated messages; messages of the caller's by two layers, a
   gate, a distance, scores), of a batch of molecules, of two convolutions on a graph of the size of
   Cora (Sen et al. 2008), and index_reduce: ids and inputs as those of peers/geometric.py. */
#include "matrices.h"
#include "task.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_graph.h>
#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_segment.h>
#include <agnesi/indexing.h>
#include <agnesi/nn.h>
#include <math.h>
#include <stdlib.h>

enum {
    N = 10000,
    E = 160000,
    F = 32,
    HEADS = 4,
    WIDE = 16,
    ATOMS = 20,
    MOLECULES = 128,
    DIM = 64,
    TARGETS = 1,
    PAPERS = 2708,
    CITATIONS = 5429,
    WORDS = 1433,
    HIDDEN = 16,
    TOPICS = 7,
    TOLD = 140
};

static agn_tensor *integers_below(int64_t m, int64_t n, int salt)
{
    double *u = bench_mix_of(m, 0, 1, salt);
    int64_t *v = malloc((size_t)m * sizeof *v);
    agn_tensor *x = NULL;
    if (!u || !v)
        bench_die("memory");
    for (int64_t k = 0; k < m; k++)
        v[k] = (int64_t)floor(u[k] * (double)n);
    TRY(agn_from_host(&x, AGN_I64, 1, &m, v));
    free(u);
    free(v);
    return x;
}

/* edges in any order */
static agn_graph *random_edges(void)
{
    agn_tensor *src = integers_below(E, N, 0), *dst = integers_below(E, N, 1);
    agn_graph *g = NULL;
    TRY(agn_graph_from_edges(&g, src, dst, N, N));
    agn_release(src);
    agn_release(dst);
    return g;
}

/* in each molecule a ring with chords: atom i to i + 1 and i + 5, both ways */
static agn_graph *molecule_edges(void)
{
    enum { M = MOLECULES * ATOMS * 4 };
    static int64_t from[M], to[M];
    int64_t k = 0, m = M;
    for (int64_t i = 0; i < MOLECULES * ATOMS; i++)
        for (int64_t step = 1; step <= 5; step += 4) {
            int64_t j = i / ATOMS * ATOMS + (i % ATOMS + step) % ATOMS;
            from[k] = i, to[k++] = j;
            from[k] = j, to[k++] = i;
        }
    agn_tensor *src = NULL, *dst = NULL;
    agn_graph *g = NULL;
    TRY(agn_from_host(&src, AGN_I64, 1, &m, from));
    TRY(agn_from_host(&dst, AGN_I64, 1, &m, to));
    TRY(agn_graph_from_edges(&g, src, dst, MOLECULES * ATOMS, MOLECULES * ATOMS));
    agn_release(src);
    agn_release(dst);
    return g;
}

/* citations both ways, and a loop at each paper */
static agn_graph *citation_edges(void)
{
    enum { M = 2 * CITATIONS + PAPERS };
    static int64_t from[M], to[M];
    agn_tensor *src = integers_below(CITATIONS, PAPERS, 0),
               *dst = integers_below(CITATIONS, PAPERS, 1);
    const int64_t *a = agn_data(src), *b = agn_data(dst);
    agn_graph *g = NULL;
    for (int64_t k = 0, at = 0; k < CITATIONS + PAPERS; k++) {
        int64_t i = k < CITATIONS ? a[k] : k - CITATIONS, j = k < CITATIONS ? b[k] : i;
        from[at] = i, to[at++] = j;
        if (k < CITATIONS)
            from[at] = j, to[at++] = i;
    }
    agn_release(src);
    agn_release(dst);
    TRY(agn_from_host(&src, AGN_I64, 1, (int64_t[]){M}, from));
    TRY(agn_from_host(&dst, AGN_I64, 1, (int64_t[]){M}, to));
    TRY(agn_graph_from_edges(&g, src, dst, PAPERS, PAPERS));
    agn_release(src);
    agn_release(dst);
    return g;
}

/* ---- what is measured ------------------------------------------------------------------------ */

enum { EGNN, GATV2, MESH, GATE_MAX, MOLECULE, CORA, LAYERS, EDGE_GATE, DISTANCE, SCORES, WHATS };
typedef struct step {
    int what;
    const agn_graph *g;
    const agn_tensor *topic; /* of the papers that are told */
} step;

/* tanh of the arguments side by side times w, which is captured */
typedef struct dense {
    const agn_tensor *w;
    int n;
} dense;
static agn_status dense_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const dense *q = user;
    out[0] = ag_tanh(s, ag_matmul(s, q->n > 1 ? ag_concat(s, in, q->n, 1) : in[0], q->w));
    return agn_scope_status(s);
}
static agn_status gate_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, in[0], ag_sigmoid(s, ag_add(s, in[0], in[1])));
    return agn_scope_status(s);
}

/* messages of rows in[0] of sources, in[1] of destinations, in[2] of edges; the others are weights,
   which are captured */
static agn_status layers_message(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const agn_tensor *const *w = user;
    out[0] = ag_matmul(s, ag_relu(s, ag_matmul(s, ag_concat(s, in, 3, 1), w[2])), w[3]);
    return agn_scope_status(s);
}
static agn_status edge_gate_message(void *user, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, in[0], ag_sigmoid(s, ag_add(s, ag_add(s, in[0], in[1]), in[2])));
    return agn_scope_status(s);
}
/* (x - y) exp(-|x - y|^2) */
static agn_status distance_message(void *user, agn_scope *s, const agn_tensor *const *in,
                                   const agn_tensor **out)
{
    (void)user;
    const agn_tensor *d = ag_sub(s, in[0], in[1]);
    const agn_tensor *far = ag_sum(s, ag_square(s, d), (int32_t[]){1}, 1, true);
    out[0] = ag_mul(s, d, ag_exp(s, ag_neg(s, far)));
    return agn_scope_status(s);
}
/* x sigmoid(x . y / sqrt F) */
static agn_status scores_message(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    (void)user;
    const agn_tensor *dot = ag_sum(s, ag_mul(s, in[0], in[1]), (int32_t[]){1}, 1, true);
    out[0] = ag_mul(s, in[0], ag_sigmoid(s, ag_mul_c(s, dot, 1 / sqrt(F))));
    return agn_scope_status(s);
}

static const agn_tensor *mean_square(agn_scope *s, const agn_tensor *y)
{
    return ag_mean(s, ag_square(s, y), NULL, 0, false);
}

/* two hidden layers of sums over neighbours, the mean of each molecule, one number */
static const agn_tensor *predict(agn_scope *s, const step *q, const agn_tensor *const *in)
{
    const agn_tensor *h = in[0];
    for (int k = 0; k < 2; k++)
        h = ag_relu(
            s, ag_matmul(s, ag_relu(s, ag_matmul(s, ag_graph_gin(s, q->g, h, NULL), in[1 + 2 * k])),
                         in[2 + 2 * k]));
    h = ag_mean(s, ag_reshape(s, h, 3, (int64_t[]){MOLECULES, ATOMS, DIM}), (int32_t[]){1}, 1,
                false);
    return ag_matmul(s, h, in[5]);
}

/* Cross entropy of the papers that are told: their topics by two convolutions. */
static const agn_tensor *classify(agn_scope *s, const step *q, const agn_tensor *const *in)
{
    const agn_tensor *h = ag_relu(s, ag_graph_gcn(s, q->g, in[0], NULL, in[1], in[2]));
    h = ag_graph_gcn(s, q->g, h, NULL, in[3], in[4]);
    h = ag_slice(s, h, 1, (int64_t[]){0}, (int64_t[]){TOLD}, NULL);
    return ag_nn_cross_entropy(s, h, q->topic, 1, NULL);
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const step *q = user;
    dense layer[3] = {{in[2], 3}, {in[3], 1}, {in[4], 2}};
    agn_fn *f[3] = {NULL};
    agn_tensor *a = NULL, *b = NULL;
    agn_status st = AGN_OK;
    if (q->what == GATV2) {
        out[0] = mean_square(s, ag_graph_gatv2(s, q->g, in[0], in[1], in[2], 0.2));
        return agn_scope_status(s);
    }
    if (q->what == MOLECULE) {
        out[0] = mean_square(s, predict(s, q, in));
        return agn_scope_status(s);
    }
    if (q->what == CORA) {
        out[0] = classify(s, q, in);
        return agn_scope_status(s);
    }
    if (q->what >= LAYERS) {
        agn_body *const message[] = {layers_message, edge_gate_message, distance_message,
                                     scores_message};
        int k = q->what - LAYERS, edges = q->what == LAYERS || q->what == EDGE_GATE;
        TRY(agn_fn_new(&f[0], message[k], (void *)(uintptr_t)in, NULL, 2 + edges, 1));
        out[0] = mean_square(s, ag_graph_mpnn(s, q->g, f[0], in[0], in[0], edges ? in[1] : NULL,
                                              AGN_GEOMETRIC_SUM));
        agn_fn_release(f[0]);
        return agn_scope_status(s);
    }
    if (q->what == GATE_MAX) {
        TRY(agn_fn_new(&f[0], gate_body, NULL, NULL, 2, 1));
        out[0] = mean_square(s,
                             ag_graph_mpnn(s, q->g, f[0], in[0], in[0], NULL, AGN_GEOMETRIC_MAX));
        agn_fn_release(f[0]);
        return agn_scope_status(s);
    }
    for (int k = 0; k < 3; k++)
        TRY(agn_fn_new(&f[k], dense_body, &layer[k], NULL, layer[k].n, 1));
    st = q->what == EGNN ? agn_graph_egnn(&a, &b, q->g, in[0], in[1], NULL, f[0], f[1], f[2])
                         : agn_graph_network_block(&a, &b, q->g, in[0], in[1], f[0], f[2]);
    const agn_tensor *y = agn_scope_adopt(s, st, &a), *z = agn_scope_adopt(s, st, &b);
    out[0] = ag_add(s, mean_square(s, y), mean_square(s, z));
    for (int k = 0; k < 3; k++)
        agn_fn_release(f[k]);
    return agn_scope_status(s);
}

static int check_gradients(const task *t, double *value)
{
    value[0] = element(t->out[0], 0);
    for (int k = 1; k < t->n_out; k++)
        bench_amount(t->out[k], value + k);
    return t->n_out;
}

static const struct {
    const char *id;
    int n, data; /* arguments, of which the first have no gradient */
    struct {
        int ndim;
        int64_t shape[3];
        double most;
    } in[6];
} steps[WHATS] = {
    {"geometric/egnn-grad/10k-160k-32/f32",
     5, 0,
     {{2, {N, F}, 1},
      {2, {N, 3}, 1},
      {2, {2 * F + 1, F}, 0.2},
      {2, {F, 1}, 0.2},
      {2, {2 * F, F}, 0.2}}},
    {"geometric/gatv2-grad/10k-160k-4x16/f32",
     3, 0,
     {{3, {N, HEADS, WIDE}, 1}, {3, {N, HEADS, WIDE}, 1}, {2, {HEADS, WIDE}, 1}}},
    {"geometric/mesh-grad/10k-160k-32/f32",
     5, 0,
     {{2, {N, F}, 1},
      {2, {E, F}, 1},
      {2, {3 * F, F}, 0.2},
      {2, {F, 1}, 0.2},
      {2, {2 * F, F}, 0.2}}},
    {"geometric/gate-max-grad/10k-160k-32/f32", 1, 0, {{2, {N, F}, 1}}},
    {"geometric/molecules-gin-grad/128x20-64/f32",
     6, 0,
     {{2, {MOLECULES * ATOMS, DIM}, 1},
      {2, {DIM, DIM}, 0.2},
      {2, {DIM, DIM}, 0.2},
      {2, {DIM, DIM}, 0.2},
      {2, {DIM, DIM}, 0.2},
      {2, {DIM, TARGETS}, 0.2}}},
    {"geometric/cora-step/2708-10858-1433-16/f32",
     5, 1,
     {{2, {PAPERS, WORDS}, 1},
      {2, {HIDDEN, WORDS}, 0.1},
      {1, {HIDDEN}, 0.1},
      {2, {TOPICS, HIDDEN}, 0.2},
      {1, {TOPICS}, 0.1}}},
    {"geometric/message-layers-grad/10k-160k-32/f32",
     4, 0,
     {{2, {N, F}, 1}, {2, {E, F}, 1}, {2, {3 * F, F}, 0.2}, {2, {F, F}, 0.2}}},
    {"geometric/message-gate-grad/10k-160k-32/f32", 2, 0, {{2, {N, F}, 1}, {2, {E, F}, 1}}},
    {"geometric/message-distance-grad/10k-160k-32/f32", 1, 0, {{2, {N, F}, 1}}},
    {"geometric/message-scores-grad/10k-160k-32/f32", 1, 0, {{2, {N, F}, 1}}},
};

static void run_step(int what)
{
    if (!bench_asked(steps[what].id))
        return;
    int n = steps[what].n, data = steps[what].data;
    agn_graph *g = what == MOLECULE ? molecule_edges()
                   : what == CORA   ? citation_edges()
                                    : random_edges();
    agn_tensor *topic = integers_below(TOLD, TOPICS, 2);
    step q = {what, g, topic};
    task t = {.n_in = n, .n_out = n - data + 1, .check = check_gradients};
    agn_fn *f = NULL, *df = NULL;
    for (int k = 0; k < n; k++)
        t.in[k] = bench_mix(steps[what].in[k].ndim, steps[what].in[k].shape,
                            -steps[what].in[k].most, steps[what].in[k].most, 5 + k, AGN_F32);
    TRY(agn_fn_new(&f, body, &q, NULL, n, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2, 3, 4, 5} + data, n - data));
    task_run(steps[what].id, &t, f, df);
    task_close(&t);
    agn_release(topic);
    agn_graph_release(g);
}

/* ---- extremes of slices -------------------------------------------------------------------- */

typedef struct reduction {
    agn_tensor *x, *idx, *v, *out;
} reduction;
static void reduce(void *user)
{
    reduction *r = user;
    agn_release(r->out);
    r->out = NULL;
    TRY(agn_index_reduce(&r->out, r->x, r->idx, r->v, 0, AGN_REDUCE_AMAX, true));
}
static int check_reduction(void *user, double *value)
{
    return bench_amount(((reduction *)user)->out, value);
}
static void run_reduction(const char *id)
{
    enum { ROWS = 100000, SLICES = 1500000, K = 64 };
    if (!bench_asked(id))
        return;
    reduction r = {bench_mix(2, (int64_t[]){ROWS, K}, -1, 1, 5, AGN_F32),
                   integers_below(SLICES, ROWS, 1),
                   bench_mix(2, (int64_t[]){SLICES, K}, -1, 1, 6, AGN_F32), NULL};
    bench_measure(id, &(bench_work){reduce, check_reduction, &r, 0});
    agn_release(r.x);
    agn_release(r.idx);
    agn_release(r.v);
    agn_release(r.out);
}

void bench_geometric_blocks(void)
{
    for (int what = 0; what < WHATS; what++)
        run_step(what);
    run_reduction("geometric/index-reduce-amax/1.5Mx64-100k/f32");
}
