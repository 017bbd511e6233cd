/* t-geometric-captured - messages with arrays that they capture, extremes of messages a b + c,
   quotients whose divisors no edge reads: values, gradients and modes. */
#include "geometric.h"

#include <agnesi/geometric_networks.h>
#include <agnesi/nn.h>

enum { F = 3, O = 4 };

/* sin of the source's row times w, which is captured, added up: the slope by w is a sum over all edges, those of
   the last, shorter block too */
static agn_status captured_message(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *const *w = user;
    out[0] = ag_mul(s, ag_sin(s, in[0]), *w);
    return agn_scope_status(s);
}
static agn_status captured_sum(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *w = in[1];
    agn_fn *f = NULL;
    must(agn_fn_new(&f, captured_message, &w, NULL, 1, 1));
    out[0] = ag_sum(s, ag_graph_mpnn(s, user, f, in[0], NULL, NULL, AGN_GEOMETRIC_SUM), NULL, 0, false);
    agn_fn_release(f);
    return agn_scope_status(s);
}
static agn_status captured_layer(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *const *w = user;
    out[0] = ag_sin(s, ag_matmul(s, in[0], *w));
    return agn_scope_status(s);
}
static agn_status captured_sums(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *w = in[1];
    agn_fn *f = NULL;
    must(agn_fn_new(&f, captured_layer, &w, NULL, 1, 1));
    out[0] = ag_graph_mpnn(s, user, f, in[0], NULL, NULL, AGN_GEOMETRIC_MEAN);
    agn_fn_release(f);
    return agn_scope_status(s);
}
static void test_captured_modes(void)
{
    enum { NODES = 7, EDGES = 9001 };
    agn_graph *g = random_graph(EDGES, NODES, NODES, false);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){NODES, F}, 0.5, 1.5), *w = random_of(AGN_F64, 2, (int64_t[]){F, O}, 0.5, 1.5);
    agn_fn *f = NULL;
    must(agn_fn_new(&f, captured_sums, g, NULL, 2, 1));
    in_every_mode(f, 2, (const agn_tensor *[]){x, w}, 1e-3, 1e-6, "what messages capture, several blocks");
    agn_fn_release(f);
    agn_graph_release(g);
    RELEASE(x, w);
}
/* w x + 0.3, in one instruction or in two: the message that is made again is the one that won */
static agn_status affine_message(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *const *w = user;
    out[0] = ag_add_c(s, ag_mul(s, in[0], *w), 0.3);
    return agn_scope_status(s);
}
static agn_status largest_affine(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *w = in[1];
    agn_fn *f = NULL;
    must(agn_fn_new(&f, affine_message, &w, NULL, 1, 1));
    out[0] = ag_sum(s, ag_graph_mpnn(s, user, f, in[0], NULL, NULL, AGN_GEOMETRIC_MAX), NULL, 0, false);
    agn_fn_release(f);
    return agn_scope_status(s);
}
static void draw_edges(int64_t m, int64_t nodes, int64_t *from, int64_t *to)
{
    for (int64_t e = 0; e < m; e++) {
        from[e] = rnd_below(nodes);
        to[e] = rnd_below(nodes);
    }
}
/* the gradient by w, the second argument of body */
static void check_slopes(tally *q, agn_body *body, agn_graph *g, int64_t m, bool planned, const agn_tensor *x,
                         const agn_tensor *w, const double want[F], double bound, const char *what)
{
    agn_tensor *r[2] = {NULL};
    agn_fn *f = NULL, *df = NULL, *plan = NULL;
    must(agn_fn_new(&f, body, g, NULL, 2, 1));
    must(agn_fn_value_and_grad(&df, f, (int32_t[]){1}, 1));
    if (planned)
        must(agn_fn_compile(&plan, df, NULL));
    must(agn_fn_call(r, 2, plan ? plan : df, AGN_ARGS(x, w)));
    for (int j = 0; j < F; j++)
        check(q, fabs(get(r[1], j) - want[j]) < bound, "%s, %lld edges: %g, not %g", what, (long long)m, get(r[1], j),
              want[j]);
    agn_fn_release(plan);
    agn_fn_release(df);
    agn_fn_release(f);
    RELEASE(r[0], r[1]);
}
static void test_largest_affine(void)
{
    enum { NODES = 48 };
    static const int64_t edges[] = {1, 64, 65, 2048, 30001};
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){NODES, F}, -2, 2), *w = random_of(AGN_F64, 1, (int64_t[]){F}, 0.5, 1);
    for (int k = 0; k < COUNT(edges); k++)
        for (int planned = 0; planned < 2; planned++) {
            double want[F] = {0};
            int64_t m = edges[k], *from = malloc((size_t)m * sizeof *from), *to = malloc((size_t)m * sizeof *to);
            draw_edges(m, NODES, from, to);
            for (int64_t i = 0; i < NODES; i++)
                for (int j = 0; j < F; j++) {
                    double most = -INFINITY; /* the largest x has the largest message, as w > 0 */
                    for (int64_t e = 0; e < m; e++)
                        most = to[e] == i ? fmax(most, get(x, from[e] * F + j)) : most;
                    want[j] += isfinite(most) ? most : 0;
                }
            agn_graph *g = make_graph(m, from, to, NODES, NODES);
            check_slopes(&q, largest_affine, g, m, planned, x, w, want, 1e-11, "slope of the largest message");
            agn_graph_release(g);
            free(from);
            free(to);
        }
    RELEASE(x, w);
    tell(&q, "slopes of the largest of messages w x + b");
}
static void test_captured(void)
{
    enum { NODES = 100 };
    static const int64_t edges[] = {1, 63, 65, 30001, 70000};
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){NODES, F}, -2, 2), *w = random_of(AGN_F64, 1, (int64_t[]){F}, -1, 1);
    for (int k = 0; k < COUNT(edges); k++)
        for (int planned = 0; planned < 2; planned++) {
            double want[F] = {0};
            int64_t m = edges[k], *from = malloc((size_t)m * sizeof *from), *to = malloc((size_t)m * sizeof *to);
            draw_edges(m, NODES, from, to);
            for (int64_t e = 0; e < m; e++)
                for (int j = 0; j < F; j++)
                    want[j] += sin(get(x, from[e] * F + j));
            agn_graph *g = make_graph(m, from, to, NODES, NODES);
            check_slopes(&q, captured_sum, g, m, planned, x, w, want, 1e-11 * (double)m, "slope by what is captured");
            agn_graph_release(g);
            free(from);
            free(to);
        }
    RELEASE(x, w);
    tell(&q, "slopes by what messages capture, also of the last block");
}

/* a divisor of 0 at a node without edges is read by none, and has no slope */
static agn_status over_source(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_div(s, in[1], in[0]);
    return agn_scope_status(s);
}
typedef struct quotients {
    const agn_graph *g;
    const agn_fn *f;
    int32_t reduce;
} quotients;
static agn_status sum_quotients(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const quotients *q = user;
    out[0] = ag_sum_all(s, ag_graph_mpnn(s, q->g, q->f, in[0], NULL, in[1], q->reduce));
    return agn_scope_status(s);
}
static void test_lone_divisors(void)
{
    tally t = {0, 0};
    agn_graph *g = make_graph(1, (int64_t[]){0}, (int64_t[]){0}, 2, 1);
    agn_tensor *u = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){2, 0}), *slope = NULL;
    agn_tensor *e = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){3});
    agn_fn *f, *sum, *grad;
    must(agn_fn_new(&f, over_source, NULL, NULL, 2, 1));
    for (int reduce = AGN_GEOMETRIC_SUM; reduce <= AGN_GEOMETRIC_MIN; reduce++) {
        quotients q = {g, f, reduce};
        must(agn_fn_new(&sum, sum_quotients, &q, NULL, 2, 1));
        must(agn_fn_grad(&grad, sum, (int32_t[]){0}, 1));
        must(agn_fn_call(&slope, 1, grad, AGN_ARGS(u, e)));
        check(&t, get(slope, 0) == -0.75 && get(slope, 1) == 0, "reduction %d: %g %g", reduce, get(slope, 0), get(slope, 1));
        agn_release(slope);
        agn_fn_release(sum);
        agn_fn_release(grad);
    }
    RELEASE(u, e);
    agn_fn_release(f);
    agn_graph_release(g);
    tell(&t, "divisors that no edge reads");
}

/* rows that are turned so often that a walk over all ways back from the sum would not end */
static agn_status turn_often(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    const agn_tensor *x = in[0];
    for (int k = 0; k < 49; k++)
        x = ag_roll(s, x, (const int64_t[]){1}, (const int32_t[]){-1}, 1);
    out[0] = ag_add_c(s, x, 1);
    return agn_scope_status(s);
}
static void test_moves(void)
{
    agn_graph *g = make_graph(2, (int64_t[]){0, 1}, (int64_t[]){0, 0}, 2, 1);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, F}, (double[]){1, 5, 3, 2, 4, 6});
    agn_fn *f = NULL;
    must(agn_fn_new(&f, turn_often, NULL, NULL, 1, 1));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_graph_mpnn(s, g, f, x, NULL, NULL, AGN_GEOMETRIC_MAX);
    ok(y && get(y, 0) == 7 && get(y, 1) == 3 && get(y, 2) == 6, "extremes of rows turned 49 times");
    must(agn_scope_close(s));
    agn_fn_release(f);
    agn_graph_release(g);
    agn_release(x);
}

int main(void)
{
    int64_t bytes, blocks, peak;
    test_moves();
    test_captured_modes();
    test_captured();
    test_largest_affine();
    test_lone_divisors();
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
