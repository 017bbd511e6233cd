/* t-geometric-memory - no array of messages is written: what value and gradient of message passing need at once, by the
   allocator, against the sizes of what goes in and comes out. */
#include "modes.h"

#include <agnesi/geometric_layers.h>

enum { N = 2000, DEGREE = 64, M = N * DEGREE, F = 32, HEADS = 2 };

typedef struct call {
    const agn_graph *g;
    const agn_tensor *w, *s, *t;
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    switch (q->what) {
    case 0: out[0] = ag_graph_gspmm(s, q->g, in[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM); break;
    case 1: out[0] = ag_graph_gspmm(s, q->g, in[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MEAN); break;
    case 2: out[0] = ag_graph_gspmm(s, q->g, in[0], q->w, AGN_MESSAGE_MUL, AGN_GEOMETRIC_SUM); break;
    case 3: out[0] = ag_graph_gspmm(s, q->g, in[0], NULL, AGN_MESSAGE_COPY, AGN_GEOMETRIC_MAX); break;
    default: out[0] = ag_graph_gat(s, q->g, in[0], NULL, q->s, q->t, 0.2);
    }
    return agn_scope_status(s);
}
static const char *const names[] = {"sum", "mean", "weighted sum", "max", "GAT"};

/* Bytes at the peak above what was alive before, of the result and of the cotangent of x. */
static int64_t peak_of(const agn_fn *f, const agn_tensor *const *in, int n_in, int n_out)
{
    agn_tensor *out[2] = {NULL};
    int64_t before, blocks, peak;
    must(agn_fn_call(out, n_out, f, in, n_in)); /* lists of the graph are found */
    for (int k = 0; k < n_out; k++)
        agn_release(out[k]);
    agn_memory_live(&before, &blocks, &peak);
    agn_memory_reset_peak();
    must(agn_fn_call(out, n_out, f, in, n_in));
    agn_memory_live(NULL, NULL, &peak);
    for (int k = 0; k < n_out; k++)
        agn_release(out[k]);
    return peak - before;
}

int main(void)
{
    static int64_t src[M], dst[M];
    int64_t m = M, bytes, blocks, peak;
    for (int e = 0; e < M; e++) {
        src[e] = rnd_below(N);
        dst[e] = e % N;
    }
    agn_tensor *a = NULL, *b = NULL;
    agn_graph *g = NULL;
    must(agn_from_host(&a, AGN_I64, 1, &m, src));
    must(agn_from_host(&b, AGN_I64, 1, &m, dst));
    must(agn_graph_from_edges(&g, a, b, N, N));
    agn_release(a);
    agn_release(b);
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){M, 1}, 0, 1), *p = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *u = random_of(AGN_F64, 3, (int64_t[]){N, HEADS, F}, -1, 1);
    call c = {g, w, p, p, 0};
    for (; c.what < COUNT(names); c.what++) {
        tally q = {0, 0};
        bool gat = c.what == 4;
        agn_fn *f = NULL, *pull = NULL;
        const agn_tensor *in[2] = {gat ? u : x, gat ? u : x};
        double rows = (double)agn_numel(in[0]) * 8, messages = (double)M * F * 8 * (gat ? HEADS : 1), lists = (double)M * 16 + N * 8;
        must(agn_fn_new(&f, body, &c, NULL, 1, 1));
        must(agn_fn_vjp(&pull, f));
        double value = (double)peak_of(f, in, 1, 1), both = (double)peak_of(pull, in, 2, 2);
        /* in and out: edges and lists of them, weights, x and its result; for both the cotangents of these as well */
        double weights = c.what == 2 ? (double)M * 8 : 0;
        double given = lists + weights + rows, all = given + rows;
        diag("%s: value %.2f, with gradient %.2f of what goes in and out; messages would be %.1f", names[c.what],
             (given + value) / all, (given + rows + both) / (all + 2 * rows), messages / all);
        check(&q, value < messages / 4 && both < messages / 4, "%s: no array of messages: %g and %g of %g bytes", names[c.what],
              value, both, messages);
        check(&q, given + value <= 1.3 * all, "%s: value needs %g bytes, in and out are %g", names[c.what], given + value, all);
        check(&q, given + rows + both <= 1.3 * (all + 2 * rows), "%s: value and gradient need %g bytes, in and out are %g",
              names[c.what], given + rows + both, all + 2 * rows);
        tell(&q, "%s: bytes at once", names[c.what]);
        agn_fn_release(f);
        agn_fn_release(pull);
    }
    agn_tensor *all[] = {w, p, x, u};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(g);
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
