/* t-geometric-attention - graph attention without arrays of scores: against a loop over the
   edges for widths, numbers of heads, hubs and nodes without edges; in every mode; the same bits
   for any number of threads; what it writes. */
#include "modes.h"

#include <agnesi/geometric_layers.h>

enum { N = 5, M = 9, F = 3, HEADS = 2 };
/* a loop, parallel edges, node 4 without edges that reach it */
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};

static agn_graph *graph_of(int64_t n_src, int64_t n_dst, int64_t m, const int64_t *s,
                           const int64_t *d)
{
    agn_tensor *a = NULL, *b = NULL;
    agn_graph *g = NULL;
    must(agn_from_host(&a, AGN_I64, 1, &m, s));
    must(agn_from_host(&b, AGN_I64, 1, &m, d));
    must(agn_graph_from_edges(&g, a, b, n_src, n_dst));
    agn_release(a);
    agn_release(b);
    return g;
}
static double get(const agn_tensor *x, int64_t i)
{
    return creal(peekz(x, i));
}

/* ---- values ---------------------------------------------------------------------------------- */

/* largest difference from softmax over the edges of each node, by two passes in double */
static double apart(const agn_tensor *y, const agn_tensor *u, const agn_tensor *v,
                    const agn_tensor *s, const agn_tensor *t, int64_t m, const int64_t *from,
                    const int64_t *to, double slope)
{
    int64_t nu = agn_shape(u)[0], nv = agn_shape(v)[0], heads = agn_shape(u)[1],
            f = agn_shape(u)[2];
    double *a = calloc((size_t)(nu * heads + 1), sizeof *a),
           *b = calloc((size_t)(nv * heads + 1), sizeof *b);
    double *top = malloc((size_t)(nv * heads + 1) * sizeof *top),
           *sum = calloc((size_t)(nv * heads + 1), sizeof *sum);
    double *want = calloc((size_t)(nv * heads * f + 1), sizeof *want), worst = 0;
    for (int64_t i = 0; i < nu * heads * f; i++)
        a[i / f] += get(u, i) * get(s, i % (heads * f));
    for (int64_t i = 0; i < nv * heads * f; i++)
        b[i / f] += get(v, i) * get(t, i % (heads * f));
    for (int64_t i = 0; i < nv * heads; i++)
        top[i] = -INFINITY;
    for (int pass = 0; pass < 3; pass++)
        for (int64_t e = 0; e < m; e++)
            for (int64_t h = 0; h < heads; h++) {
                int64_t j = from[e] * heads + h, i = to[e] * heads + h;
                double z = a[j] + b[i];
                z = z > 0 ? z : slope * z;
                if (pass == 0)
                    top[i] = fmax(top[i], z);
                else if (pass == 1)
                    sum[i] += exp(z - top[i]);
                for (int64_t k = 0; pass == 2 && k < f; k++)
                    want[i * f + k] += exp(z - top[i]) / sum[i] * get(u, j * f + k);
            }
    for (int64_t i = 0; i < nv * heads * f; i++) {
        double d = fabs(get(y, i) - want[i]);
        worst = d > worst || isnan(d) ? d : worst;
    }
    double *all[] = {a, b, top, sum, want};
    for (int k = 0; k < COUNT(all); k++)
        free(all[k]);
    return worst;
}

static void test_values(void)
{
    static const struct {
        int64_t n_src, n_dst, m, heads, f;
        bool hub; /* all edges but few reach one node */
    } cases[] = {
        {N, N, M, 1, 1, false},    {N, N, M, 2, 3, false},      {N, N, M, 4, 16, false},
        {N, N, M, 8, 8, false},    {7, 3, 40, 3, 17, false},    {7, 3, 40, 70, 2, false},
        {7, 3, 40, 5, 64, false},  {N, N, M, 0, 3, false},      {N, N, M, 2, 0, false},
        {N, N, 0, 2, 3, false},    {1, 1, 1, 1, 5, false},      {0, 0, 0, 1, 2, false},
        {50, 4, 3000, 2, 5, true}, {9, 4, 1000000, 1, 1, true}, {20, 300, 2000, 4, 33, false},
    };
    tally q = {0, 0};
    for (int k = 0; k < COUNT(cases); k++)
        for (int dtype = 0; dtype < 2; dtype++) {
            int64_t m = cases[k].m, n = cases[k].n_src, d = cases[k].n_dst, h = cases[k].heads,
                    f = cases[k].f;
            int64_t *from = malloc((size_t)(m + 1) * sizeof *from),
                    *to = malloc((size_t)(m + 1) * sizeof *to);
            for (int64_t e = 0; e < m; e++) {
                from[e] = m == M ? src[e] : rnd_below((int)n);
                to[e] = m == M ? dst[e] : cases[k].hub && e % 100 ? 1 : rnd_below((int)d);
            }
            agn_graph *g = graph_of(n, d, m, from, to);
            agn_dtype type = dtype ? AGN_F64 : AGN_F32;
            agn_tensor *u = random_of(type, 3, (int64_t[]){n, h, f}, -2, 2), *y = NULL;
            agn_tensor *v = random_of(type, 3, (int64_t[]){d, h, f}, -2, 2);
            agn_tensor *s = random_of(type, 2, (int64_t[]){h, f}, -1, 1),
                       *t = random_of(type, 2, (int64_t[]){h, f}, -1, 1);
            for (int one = 0; one < (n == d ? 2 : 1); one++)
                for (int below = 0; below < 3; below++) {
                    double slope = (double[]){0.2, 0, -0.5}[below], e;
                    must(agn_graph_gat(&y, g, u, one ? NULL : v, s, t, slope));
                    e = apart(y, u, one ? u : v, s, t, m, from, to, slope);
                    check(&q, e < (dtype ? 1e-12 : 2e-5), "case %d dtype %d slope %g: off by %g", k,
                          dtype, slope, e);
                    check(&q, has_shape(y, 3, (int64_t[]){d, h, f}), "case %d: shape", k);
                    agn_release(y);
                }
            agn_tensor *all[] = {u, v, s, t};
            for (int i = 0; i < COUNT(all); i++)
                agn_release(all[i]);
            agn_graph_release(g);
            free(from);
            free(to);
        }
    tell(&q, "values: widths, heads, hubs, no edges, both precisions");
}

/* scores far from 0 leave no exponential infinite */
static void test_large_scores(void)
{
    tally q = {0, 0};
    agn_graph *g = graph_of(N, N, M, src, dst);
    agn_tensor *u = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, 500, 900), *y = NULL;
    agn_tensor *s = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, 1, 3);
    must(agn_graph_gat(&y, g, u, NULL, s, s, 0.2));
    check(&q, apart(y, u, u, s, s, M, src, dst, 0.2) < 1e-7, "scores of thousands");
    agn_release(y);
    *(double *)(uintptr_t)agn_data(u) = (double)NAN;
    must(agn_graph_gat(&y, g, u, NULL, s, s, 0.2));
    check(&q, isnan(get(y, 1 * HEADS * F)) && !isnan(get(y, 2 * HEADS * F)),
          "NaN reaches those that it is sent to");
    tell(&q, "large scores and NaN");
    agn_release(y);
    agn_release(u);
    agn_release(s);
    agn_graph_release(g);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

typedef struct call {
    const agn_graph *g;
    double slope;
    bool both;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const call *q = user;
    out[0] = q->both ? ag_graph_gat(s, q->g, in[0], in[1], in[2], in[3], q->slope)
                     : ag_graph_gat(s, q->g, in[0], NULL, in[1], in[2], q->slope);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    agn_graph *g = graph_of(N, N, M, src, dst);
    for (int k = 0; k < 3; k++) {
        call c = {g, k == 2 ? 0 : 0.2, k == 1};
        agn_tensor *u = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, k ? -1.5 : 0.5, 1.5);
        agn_tensor *v = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, -1.5, 1.5);
        agn_tensor *s = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1),
                   *t = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1);
        const agn_tensor *one[3] = {u, s, t}, *two[4] = {u, v, s, t};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &c, NULL, k == 1 ? 4 : 3, 1));
        in_every_mode(f, k == 1 ? 4 : 3, k == 1 ? two : one, 1e-3, 1e-7,
                      k == 0   ? "one kind of nodes"
                      : k == 1 ? "two kinds"
                               : "slope 0");
        agn_fn_release(f);
        agn_release(u);
        agn_release(v);
        agn_release(s);
        agn_release(t);
    }
    agn_graph_release(g);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void test_threads(void)
{
    enum { NODES = 400, EDGES = 6000, WIDTH = 24 };
    tally q = {0, 0};
    static int64_t from[EDGES], to[EDGES];
    for (int e = 0; e < EDGES; e++) {
        from[e] = rnd_below(NODES);
        to[e] = e % 3 ? rnd_below(NODES) : 7;
    }
    agn_graph *g = graph_of(NODES, NODES, EDGES, from, to);
    call c = {g, 0.1, false};
    agn_tensor *u = random_of(AGN_F32, 3, (int64_t[]){NODES, 2, WIDTH}, -1, 1);
    agn_tensor *s = random_of(AGN_F32, 2, (int64_t[]){2, WIDTH}, -1, 1), *first[4] = {NULL},
               *out[4];
    const agn_tensor *in[4] = {u, s, s, u};
    agn_fn *f = NULL, *pull = NULL;
    must(agn_fn_new(&f, body, &c, NULL, 3, 1));
    must(agn_fn_vjp(&pull, f));
    for (int threads = 1; threads <= 4; threads++) {
        must(agn_threads_set(threads));
        must(agn_fn_call(out, 4, pull, in, 4));
        for (int k = 0; k < 4; k++)
            if (threads == 1) {
                first[k] = out[k];
            } else {
                size_t bytes = (size_t)agn_numel(out[k]) * sizeof(float);
                check(&q, !memcmp(agn_data(out[k]), agn_data(first[k]), bytes),
                      "%d threads, result %d", threads, k);
                agn_release(out[k]);
            }
    }
    must(agn_threads_set(1));
    tell(&q, "the same bits for any number of threads");
    for (int k = 0; k < 4; k++)
        agn_release(first[k]);
    agn_release(u);
    agn_release(s);
    agn_fn_release(pull);
    agn_fn_release(f);
    agn_graph_release(g);
}

int main(void)
{
    int64_t bytes, blocks, peak;
    test_values();
    test_large_scores();
    test_modes();
    test_threads();
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
