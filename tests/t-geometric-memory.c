/* t-geometric-memory - no array of messages is written: what value and gradient of message passing need at once, by the
   allocator, against the sizes of what goes in and comes out. */
#include "geometric.h"

#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/nn.h>

enum { N = 2000, DEGREE = 64, M = N * DEGREE, F = 32, HEADS = 2 };
/* graphs beside which blocks of edges, some hundred kilobytes for each program, and rows of nodes are small */
enum { LARGE_M = N * 256, LARGEST_M = N * 512 };

typedef struct call {
    const agn_graph *g;
    const agn_tensor *w, *s, *t;
    const agn_fn *edge, *pair, *shift, *node, *gate;
    int what;
} call;
enum { SUM, MEAN, WEIGHTED, MAX, GAT, GATV2, PNA, GATE, GATE_MAX, EDGES, EGNN, BLOCK, CASES };
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    agn_tensor *a = NULL, *b = NULL;
    agn_status st;
    switch (q->what) {
    case SUM: out[0] = ag_graph_gspmm(s, q->g, in[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM); break;
    case MEAN: out[0] = ag_graph_gspmm(s, q->g, in[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MEAN); break;
    case WEIGHTED: out[0] = ag_graph_gspmm(s, q->g, in[0], q->w, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM); break;
    case MAX: out[0] = ag_graph_gspmm(s, q->g, in[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX); break;
    case GAT: out[0] = ag_graph_gat(s, q->g, in[0], NULL, q->s, q->t, 0.2); break;
    case GATV2: out[0] = ag_graph_gatv2(s, q->g, in[0], in[1], q->s, 0.2); break;
    case PNA: out[0] = ag_graph_pna(s, q->g, in[0], 0.9); break;
    case GATE: out[0] = ag_graph_mpnn(s, q->g, q->gate, in[0], in[0], NULL, AGN_GEOMETRIC_SUM); break;
    case GATE_MAX: out[0] = ag_graph_mpnn(s, q->g, q->gate, in[0], in[0], NULL, AGN_GEOMETRIC_MAX); break;
    case EDGES: out[0] = ag_graph_apply_edges(s, q->g, q->edge, in[0], in[0], in[1]); break;
    default:
        st = q->what == EGNN ? agn_graph_egnn(&a, &b, q->g, in[0], in[1], NULL, q->pair, q->shift, q->node)
                             : agn_graph_network_block(&a, &b, q->g, in[0], in[1], q->edge, q->node);
        out[0] = agn_scope_adopt(s, st, &a);
        out[1] = agn_scope_adopt(s, st, &b);
    }
    return agn_scope_status(s);
}
static const char *const names[CASES] = {"sum", "mean", "weighted sum", "max", "GAT", "GATv2", "PNA", "messages of the caller's",
                                         "largest of them", "rows of edges", "EGNN", "block of a mesh network"};

/* a layer: tanh of all arguments side by side times w, [F, width] */
typedef struct layer {
    const agn_tensor *w;
    int n;
} layer;
static agn_status layer_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const layer *q = user;
    out[0] = ag_tanh(s, ag_nn_linear(s, q->n > 1 ? ag_concat(s, in, q->n, 1) : in[0], q->w, NULL));
    return agn_scope_status(s);
}
static agn_status gate_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mul(s, in[0], ag_sigmoid(s, ag_add(s, in[0], in[1])));
    return agn_scope_status(s);
}

static double bytes_of(const agn_tensor *const *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (double)agn_numel(x[k]) * 8;
    return sum;
}

/* Bytes at the peak above what was alive before, of results and cotangents; of f as a plan, with what the plan keeps. */
static int64_t peak_of(const agn_fn *f, const agn_tensor *const *in, int n_in, int n_out, bool planned)
{
    agn_tensor *out[4] = {NULL};
    agn_fn *plan = NULL;
    int64_t before, blocks, peak;
    agn_memory_live(&before, &blocks, &peak);
    if (planned)
        must(agn_fn_compile(&plan, f, NULL));
    must(agn_fn_call(out, n_out, plan ? plan : f, in, n_in)); /* lists of the graph are found */
    release_all(out, n_out);
    if (!planned)
        agn_memory_live(&before, &blocks, &peak);
    agn_memory_reset_peak();
    must(agn_fn_call(out, n_out, plan ? plan : f, in, n_in));
    agn_memory_live(NULL, NULL, &peak);
    release_all(out, n_out);
    agn_fn_release(plan);
    return peak - before;
}

/* How much value and gradient of c need at once, as calls and as a plan. */
static void measure_case(call c, int64_t nodes, int64_t m, bool as_call, bool as_plan)
{
    tally q = {0, 0};
    bool heads = c.what == GAT || c.what == GATV2, two = c.what == EGNN || c.what == BLOCK;
    bool rows = c.what == BLOCK || c.what == EDGES;
    int n = two || c.what == GATV2 || c.what == EDGES ? 2 : 1, n_out = two ? 2 : 1;
    agn_fn *f = NULL, *pull = NULL;
    agn_tensor *u = random_of(AGN_F64, heads ? 3 : 2, heads ? (int64_t[]){nodes, HEADS, F} : (int64_t[]){nodes, F}, -1, 1);
    agn_tensor *v = random_of(AGN_F64, 2, (int64_t[]){rows ? m : nodes, rows ? F : 3}, -1, 1), *y[2] = {NULL};
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){m, 1}, 0, 1);
    const agn_tensor *in[4] = {u, c.what == GATV2 ? u : v};
    c.w = w;
    must(agn_fn_new(&f, body, &c, NULL, n, n_out));
    must(agn_fn_call(y, n_out, f, in, n));
    for (int k = 0; k < n_out; k++)
        in[n + k] = y[k]; /* cotangents */
    must(agn_fn_vjp(&pull, f));
    /* in and out: edges and lists of them, weights, arguments and results; for both the cotangents of these as well */
    double lists = (double)m * 16 + (double)nodes * 8, weights = c.what == WEIGHTED ? (double)m * 8 : 0;
    double messages = (double)m * F * 8 * (heads ? HEADS : 1), results = bytes_of((const agn_tensor *const *)y, n_out);
    double given = lists + weights + bytes_of(in, n), all = given + results, gradients = bytes_of(in, n);
    for (int planned = !as_call; planned < 1 + as_plan; planned++) {
        double value = (double)peak_of(f, in, n, n_out, planned);
        double both = (double)peak_of(pull, in, n + n_out, n + n_out, planned);
        diag("%s%s: value %.2f, with gradient %.2f of what goes in and out; messages would be %.1f", names[c.what],
             planned ? ", planned" : "", (given + value) / all, (given + results + both) / (all + results + gradients),
             messages / all);
        check(&q, value - results < messages / 4 && both - results - gradients < messages / 4,
              "%s: no array of messages: %g and %g of %g bytes", names[c.what], value, both, messages);
        check(&q, given + value <= 1.3 * all, "%s: value needs %g bytes, in and out are %g", names[c.what], given + value, all);
        check(&q, given + results + both <= 1.3 * (all + results + gradients),
              "%s: value and gradient need %g bytes, in and out are %g", names[c.what], given + results + both,
              all + results + gradients);
    }
    tell(&q, "%s: bytes at once, %lld edges", names[c.what], (long long)m);
    RELEASE(u, v, w, y[0], y[1]);
    agn_fn_release(f);
    agn_fn_release(pull);
}

static agn_graph *graph_of(int64_t nodes, int64_t m)
{
    int64_t *from = malloc((size_t)m * sizeof *from), *to = malloc((size_t)m * sizeof *to);
    for (int64_t e = 0; e < m; e++) {
        from[e] = rnd_below((int)nodes);
        to[e] = e % nodes;
    }
    agn_graph *g = make_graph(m, from, to, nodes, nodes);
    free(from);
    free(to);
    return g;
}

int main(void)
{
    int64_t bytes, blocks, peak;
    enum { LAYERS = 4 };
    static const int64_t wide[LAYERS][2] = {{F, 3 * F}, {F, 2 * F + 1}, {1, F}, {F, 2 * F}};
    agn_fn *fs[LAYERS + 1] = {NULL};
    layer layers[LAYERS] = {{.n = 3}, {.n = 3}, {.n = 1}, {.n = 2}};
    agn_tensor *weight[LAYERS], *p = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1);
    for (int k = 0; k < LAYERS; k++) {
        layers[k].w = weight[k] = random_of(AGN_F64, 2, wide[k], -1, 1);
        must(agn_fn_new(&fs[k], layer_body, &layers[k], NULL, layers[k].n, 1));
    }
    must(agn_fn_new(&fs[LAYERS], gate_body, NULL, NULL, 2, 1));
    must(agn_threads_set(1)); /* each has tiles of its own */
    agn_graph *small = graph_of(N, M), *large = graph_of(N, LARGE_M), *largest = graph_of(N, LARGEST_M);
    call c = {small, NULL, p, p, fs[0], fs[1], fs[2], fs[3], fs[4], 0};
    for (; c.what < CASES; c.what++) {
        bool rows = c.what == EDGES || c.what == BLOCK;
        c.g = small;
        if (c.what <= GAT || rows)
            measure_case(c, N, M, true, c.what < GAT || rows);
        bool programs = c.what == GATE_MAX || c.what == EGNN || c.what == GATV2; /* several over the edges */
        c.g = programs ? largest : large;
        if (!rows) /* calls keep the rows of nodes that gradients of PNA and of the caller's functions of nodes are made of */
            measure_case(c, N, programs ? LARGEST_M : LARGE_M, c.what != PNA && c.what != EGNN, true);
    }
    for (int k = 0; k <= LAYERS; k++)
        agn_fn_release(fs[k]);
    release_all(weight, LAYERS);
    agn_release(p);
    agn_graph_release(small);
    agn_graph_release(large);
    agn_graph_release(largest);
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
