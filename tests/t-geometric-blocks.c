/* t-geometric-blocks - messages by functions of the caller's inside the loop over edges: against arrays of messages for all
   reductions, several blocks, edges in any order; captured parameters; functions that mix edges or draw; in every mode; the
   same bits for any number of threads; a host that stops; what value and gradient write. */
#include "geometric.h"

#include <agnesi/geometric_networks.h>
#include <agnesi/nn.h>

enum { N = 40, F = 3, O = 4 };

enum { SMOOTH, DENSE, NORMED, SUMMED, DRAWN, REVERSED, PIECES, COPIED, MINUS, TIMES, OVER, BODIES };
static const char *const names[] = {"products", "dense layer", "normed over edges", "summed along edges", "dropout",
                                    "reversed edges", "slices and softmax", "a copy", "a difference", "a product of both ends", "a quotient"};
typedef struct call {
    const agn_graph *g;
    const agn_tensor *w; /* captured */
    int what, reduce;
    bool array; /* the message of each edge is written */
} call;

static agn_status message(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    const agn_tensor *t = ag_add(s, in[0], in[1]);
    const int32_t first = 0, last = -1;
    switch (q->what) {
    case SMOOTH: out[0] = ag_mul(s, ag_tanh(s, t), in[2]); break;
    case DENSE: out[0] = ag_sin(s, ag_matmul(s, ag_mul(s, t, in[2]), q->w)); break;
    case NORMED: out[0] = ag_sub(s, t, ag_mean(s, t, &first, 1, true)); break;
    case SUMMED: out[0] = ag_cumsum(s, ag_mul(s, t, in[2]), 0); break;
    case DRAWN: {
        const int64_t shape[2] = {agn_shape(t)[0], F};
        int64_t two = 2;
        const agn_tensor *key = ag_from_host(s, AGN_I64, 1, &two, (int64_t[]){5, 7});
        out[0] = ag_mul(s, t, ag_random_uniform(s, key, ag_full(s, AGN_F64, 0, NULL, 0), ag_full(s, AGN_F64, 0, NULL, 1), 2, shape));
        break;
    }
    case COPIED: out[0] = in[1]; break;
    case MINUS: out[0] = ag_sub(s, in[2], in[0]); break;
    case TIMES: out[0] = ag_mul(s, in[0], in[1]); break;
    case OVER: out[0] = ag_div(s, in[0], in[2]); break;
    case REVERSED: out[0] = ag_flip(s, t, &first, 1); break;
    default: {
        const agn_tensor *both = ag_concat(s, (const agn_tensor *[]){t, in[2]}, 2, 1);
        const agn_tensor *some = ag_slice(s, both, 2, (int64_t[]){0, 1}, (int64_t[]){agn_shape(t)[0], 5}, NULL);
        out[0] = ag_mul(s, ag_nn_softmax(s, some, -1), ag_logsumexp(s, both, &last, 1, true));
    }
    }
    return agn_scope_status(s);
}

/* x, y, e; then w where it is an argument, too */
static agn_status pass(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    call q = *(const call *)user;
    agn_fn *f = NULL;
    q.w = q.w ? q.w : in[3];
    agn_status st = agn_fn_new(&f, message, &q, NULL, 3, 1);
    if (agn_scope_fail(s, st))
        return st;
    if (q.array)
        out[0] = ag_graph_gspmm(s, q.g, NULL, ag_graph_apply_edges(s, q.g, f, in[0], in[1], in[2]), AGN_MESSAGE_COPY, q.reduce);
    else
        out[0] = ag_graph_mpnn(s, q.g, f, in[0], in[1], in[2], q.reduce);
    agn_fn_release(f);
    return agn_scope_status(s);
}

static double largest_gap(const agn_tensor *a, const agn_tensor *b)
{
    double worst = same_shapes(a, b) ? 0 : (double)INFINITY;
    for (int64_t i = 0; worst < (double)INFINITY && i < agn_numel(a); i++) {
        double d = fabs(get(a, i) - get(b, i));
        worst = d > worst || isnan(d) ? d : worst;
    }
    return worst;
}

/* value and all cotangents of blocks, against those of the array */
static void test_against_arrays(void)
{
    static const int64_t sizes[] = {0, 1, 63, 700, 9000};
    for (int what = 0; what < BODIES; what++) {
        tally t = {0, 0};
        for (int k = 0; k < COUNT(sizes); k++)
            for (int reduce = AGN_GEOMETRIC_SUM; reduce <= AGN_GEOMETRIC_MIN; reduce++)
                for (int sorted = 0; sorted < 2; sorted++) {
                    if (!sizes[k] && (what == NORMED || what == SUMMED || what == REVERSED))
                        continue;
                    agn_graph *g = random_graph(sizes[k], N, N - 7, sorted);
                    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *w = random_of(AGN_F64, 2, (int64_t[]){F, O}, -1, 1);
                    agn_tensor *y = random_of(AGN_F64, 2, (int64_t[]){N - 7, F}, -1, 1), *a[5], *b[5], *value = NULL;
                    agn_tensor *e = random_of(AGN_F64, 2, (int64_t[]){sizes[k], F}, 0.5, 2);
                    call q = {g, NULL, what, reduce, false};
                    agn_fn *f = NULL, *pull = NULL;
                    must(agn_fn_new(&f, pass, &q, NULL, 4, 1));
                    must(agn_fn_vjp(&pull, f));
                    must(agn_fn_call(&value, 1, f, AGN_ARGS(x, y, e, w)));
                    agn_tensor *c = random_of(AGN_F64, agn_ndim(value), agn_shape(value), -1, 1);
                    must(agn_fn_call(a, 5, pull, AGN_ARGS(x, y, e, w, c)));
                    q.array = true;
                    must(agn_fn_call(b, 5, pull, AGN_ARGS(x, y, e, w, c)));
                    check(&t, largest_gap(value, b[0]) < 1e-10, "%lld edges, reduction %d: value", (long long)sizes[k], reduce);
                    for (int i = 0; i < 5; i++)
                        check(&t, largest_gap(a[i], b[i]) < 1e-9, "%lld edges, reduction %d, %s: result %d off by %g",
                              (long long)sizes[k], reduce, sorted ? "sorted" : "any order", i, largest_gap(a[i], b[i]));
                    release_all(a, 5);
                    release_all(b, 5);
                    RELEASE(x, w, y, e, c, value);
                    agn_fn_release(f);
                    agn_fn_release(pull);
                    agn_graph_release(g);
                }
        tell(&t, "%s", names[what]);
    }
}

/* by a loop over the edges, from the C library */
static void test_by_hand(void)
{
    tally t = {0, 0};
    static const int64_t src[] = {0, 1, 2, 2, 1}, dst[] = {1, 0, 1, 1, 0};
    agn_graph *g = make_graph(5, src, dst, 3, 3);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){3, F}, -1, 1), *e = random_of(AGN_F64, 2, (int64_t[]){5, F}, -1, 1), *y;
    for (int reduce = 0; reduce < 4; reduce++) {
        call q = {g, NULL, SMOOTH, reduce, false};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, message, &q, NULL, 3, 1));
        must(agn_graph_mpnn(&y, g, f, x, x, e, reduce));
        for (int i = 0; i < 3 * F; i++) {
            double want = 0;
            int many = 0;
            for (int k = 0; k < 5; k++)
                if (dst[k] == i / F) {
                    double m = tanh(get(x, src[k] * F + i % F) + get(x, i)) * get(e, k * F + i % F);
                    want = reduce == AGN_GEOMETRIC_MAX && many   ? fmax(want, m)
                           : reduce == AGN_GEOMETRIC_MIN && many ? fmin(want, m)
                           : reduce >= AGN_GEOMETRIC_MAX         ? m
                                                                 : want + m;
                    many++;
                }
            want /= reduce == AGN_GEOMETRIC_MEAN && many ? many : 1;
            check(&t, fabs(get(y, i) - want) < 1e-14, "reduction %d, element %d", reduce, i);
        }
        agn_release(y);
        agn_fn_release(f);
    }
    RELEASE(x, e);
    agn_graph_release(g);
    tell(&t, "sums, means, extremes by a loop");
}

static void test_modes(void)
{
    static const int bodies[] = {SMOOTH, DENSE, PIECES, TIMES, OVER};
    agn_graph *g = random_graph(9, 5, 5, false), *more = random_graph(130, 5, 5, false);
    for (int k = 0; k < COUNT(bodies); k++)
        for (int reduce = AGN_GEOMETRIC_SUM; reduce <= AGN_GEOMETRIC_MAX; reduce++) {
            bool large = k == 1 && reduce == AGN_GEOMETRIC_SUM;
            if (bodies[k] != SMOOTH && reduce == AGN_GEOMETRIC_MAX)
                continue; /* differences over so many kinks say nothing */
            int64_t m = large ? 130 : 9;
            agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){5, F}, 0.5, 1.5), *e = random_of(AGN_F64, 2, (int64_t[]){m, F}, 0.5, 1.5);
            agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){F, O}, 0.5, 1.5);
            call q = {large ? more : g, NULL, bodies[k], reduce, false};
            agn_fn *f = NULL;
            must(agn_fn_new(&f, pass, &q, NULL, 4, 1));
            in_every_mode(f, 4, (const agn_tensor *[]){x, x, e, w}, 1e-3, 1e-6, names[bodies[k]]);
            agn_fn_release(f);
            RELEASE(x, e, w);
        }
    agn_graph_release(g);
    agn_graph_release(more);
}

/* ties share equally; NaN wins and gives no finite slope of it */
static void test_ties(void)
{
    tally t = {0, 0};
    static const int64_t src[] = {0, 1, 0, 2}, dst[] = {0, 0, 0, 1};
    agn_graph *g = make_graph(4, src, dst, 3, 3);
    agn_tensor *x, *y, *e, *w = NULL, *c, *out[5];
    must(agn_from_host(&x, AGN_F64, 2, (int64_t[]){3, F}, (double[]){1, 2, 3, 1, 2, 2, 5, 6, NAN}));
    must(agn_full(&y, AGN_F64, 2, (int64_t[]){3, F}, 0));
    must(agn_full(&e, AGN_F64, 2, (int64_t[]){4, F}, 1));
    must(agn_full(&w, AGN_F64, 2, (int64_t[]){F, O}, 1));
    must(agn_full(&c, AGN_F64, 2, (int64_t[]){3, F}, 6));
    call q = {g, NULL, SMOOTH, AGN_GEOMETRIC_MAX, false};
    agn_fn *f = NULL, *pull = NULL;
    must(agn_fn_new(&f, pass, &q, NULL, 4, 1));
    must(agn_fn_vjp(&pull, f));
    must(agn_fn_call(out, 5, pull, AGN_ARGS(x, y, e, w, c)));
    for (int i = 0; i < F; i++) { /* edges 0, 1, 2 of node 0: 1 1 1, 2 2 2, 3 2 3 */
        double slope = 1 - tanh(get(x, i)) * tanh(get(x, i));
        double lone = i == 2 ? 6 : 4;
        check(&t, fabs(get(out[1], i) - lone * slope) < 1e-14, "column %d: source 0", i);
        check(&t, fabs(get(out[1], F + i) - (i == 2 ? 0 : 2) * slope) < 1e-14, "column %d: source 1", i);
    }
    check(&t, isnan(get(out[0], F + 2)), "NaN wins");
    check(&t, isfinite(get(out[1], 2 * F)) && !(fabs(get(out[1], 2 * F + 2)) > 0), "of NaN no slope but 0 or NaN");
    check(&t, get(out[0], 2 * F) == 0, "0 where no edge ends");
    release_all(out, 5);
    RELEASE(x, y, e, w, c);
    agn_fn_release(f);
    agn_fn_release(pull);
    agn_graph_release(g);
    tell(&t, "ties, NaN, nodes without edges");
}

static void test_threads(void)
{
    tally t = {0, 0};
    enum { NODES = 900, EDGES = 30000 };
    agn_graph *g = random_graph(EDGES, NODES, NODES, false);
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){NODES, F}, -1, 1), *e = random_of(AGN_F32, 2, (int64_t[]){EDGES, F}, -1, 1);
    agn_tensor *w = random_of(AGN_F32, 2, (int64_t[]){F, 48}, -1, 1), *c = random_of(AGN_F32, 2, (int64_t[]){NODES, 48}, -1, 1);
    agn_tensor *first[5] = {NULL}, *out[5];
    call q = {g, NULL, DENSE, AGN_GEOMETRIC_SUM, false};
    agn_fn *f = NULL, *pull = NULL;
    must(agn_fn_new(&f, pass, &q, NULL, 4, 1));
    must(agn_fn_vjp(&pull, f));
    for (int threads = 1; threads <= 4; threads++) {
        must(agn_threads_set(threads));
        must(agn_fn_call(out, 5, pull, AGN_ARGS(x, x, e, w, c)));
        for (int k = 0; k < 5; k++)
            if (threads == 1) {
                first[k] = out[k];
            } else {
                check(&t, !memcmp(agn_data(out[k]), agn_data(first[k]), (size_t)agn_numel(out[k]) * sizeof(float)),
                      "%d threads, result %d", threads, k);
                agn_release(out[k]);
            }
    }
    must(agn_threads_set(1));
    release_all(first, 5);
    RELEASE(x, e, w, c);
    agn_fn_release(f);
    agn_fn_release(pull);
    agn_graph_release(g);
    tell(&t, "the same bits for any number of threads");
}

static int asked, stop_at; /* of the thread of the caller, which may run few of the blocks */
static bool stop_soon(void *user)
{
    (void)user;
    return ++asked == stop_at;
}

/* a host that stops: told by the thread of the caller, and nothing is left */
static void test_stopping(void)
{
    tally t = {0, 0};
    enum { NODES = 900, EDGES = 300000 };
    agn_graph *g = random_graph(EDGES, NODES, NODES, true);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){NODES, F}, -1, 1), *e = random_of(AGN_F64, 2, (int64_t[]){EDGES, F}, -1, 1);
    agn_tensor *y = NULL;
    agn_fn *f = NULL;
    call q = {g, NULL, SMOOTH, AGN_GEOMETRIC_SUM, false};
    must(agn_fn_new(&f, message, &q, NULL, 3, 1));
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks), .interrupt = stop_soon}));
    for (int threads = 1; threads <= 4; threads++) {
        must(agn_threads_set(threads));
        asked = 0;
        stop_at = threads == 1 ? 3 : 1;
        agn_status st = agn_graph_mpnn(&y, g, f, x, x, e, AGN_GEOMETRIC_SUM);
        check(&t, st == AGN_ECANCELLED && !y, "%d threads: stopped with status %d", threads, (int)st);
    }
    must(agn_hooks_set(NULL));
    must(agn_threads_set(1));
    must(agn_graph_mpnn(&y, g, f, x, x, e, AGN_GEOMETRIC_SUM));
    agn_release(y);
    agn_fn_release(f);
    RELEASE(x, e);
    agn_graph_release(g);
    tell(&t, "a host that stops");
}

/* what is written at once, without the edges' own rows */
static void test_memory(void)
{
    tally t = {0, 0};
    enum { NODES = 3000, EDGES = 200000, WIDE = 32 };
    agn_graph *g = random_graph(EDGES, NODES, NODES, false);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){NODES, F}, -1, 1), *e = random_of(AGN_F64, 2, (int64_t[]){EDGES, F}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){F, WIDE}, -1, 1), *c = random_of(AGN_F64, 2, (int64_t[]){NODES, WIDE}, -1, 1);
    call q = {g, NULL, DENSE, AGN_GEOMETRIC_SUM, false};
    agn_fn *f = NULL, *pull = NULL;
    agn_tensor *out[5];
    must(agn_fn_new(&f, pass, &q, NULL, 4, 1));
    must(agn_fn_vjp(&pull, f));
    int64_t before, blocks, peak, need[2];
    for (int array = 0; array < 2; array++)
        for (int again = 0; again < 2; again++) { /* the second time lists of the graph are there */
            q.array = array;
            agn_memory_live(&before, &blocks, &peak);
            agn_memory_reset_peak();
            must(agn_fn_call(out, 5, pull, AGN_ARGS(x, x, e, w, c)));
            agn_memory_live(NULL, NULL, &peak);
            need[array] = peak - before;
            release_all(out, 5);
        }
    double messages = (double)EDGES * WIDE * 8, edges = (double)EDGES * F * 8;
    diag("value and gradient: %.1f MB in blocks, %.1f MB by arrays; one array of messages has %.1f", (double)need[0] / 1e6,
         (double)need[1] / 1e6, messages / 1e6);
    check(&t, (double)need[0] < edges + messages / 8, "blocks: %g bytes, cotangents of edges are %g, messages %g", (double)need[0],
          edges, messages);
    check(&t, (double)need[1] > 2 * messages, "arrays need %g bytes", (double)need[1]);
    RELEASE(x, e, w, c);
    agn_fn_release(f);
    agn_fn_release(pull);
    agn_graph_release(g);
    tell(&t, "no array of messages, forward or backward");
}

typedef struct making {
    call q;
    agn_fn *f;
    const agn_tensor *const *in;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_tensor *y[5] = {NULL};
    agn_status st = agn_fn_call(y, 5, m->f, m->in, 5);
    if (!st)
        *out = y[1];
    for (int k = 0; k < 5; k++)
        if (k != 1)
            agn_release(y[k]);
    return st;
}
static void test_allocations(void)
{
    agn_graph *g = random_graph(9, 5, 5, false);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){5, F}, -1, 1), *e = random_of(AGN_F64, 2, (int64_t[]){9, F}, -1, 1);
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){F, O}, -1, 1), *c = random_of(AGN_F64, 2, (int64_t[]){5, O}, -1, 1);
    making m = {{g, NULL, DENSE, AGN_GEOMETRIC_MAX, false}, NULL, (const agn_tensor *[]){x, x, e, w, c}};
    agn_fn *f = NULL;
    must(agn_fn_new(&f, pass, &m.q, NULL, 4, 1));
    must(agn_fn_vjp(&m.f, f));
    every_allocation(make, &m, "value and gradient of messages");
    agn_fn_release(f);
    agn_fn_release(m.f);
    RELEASE(x, e, w, c);
    agn_graph_release(g);
}

int main(void)
{
    int64_t bytes, blocks, peak;
    test_by_hand();
    test_against_arrays();
    test_ties();
    test_threads();
    test_stopping();
    test_memory();
    test_allocations();
    test_modes();
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
