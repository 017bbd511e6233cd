/* t-geometric-recurrent - recurrent networks over segments and states of nodes, gated messages, vector
   attention: against their formulas by loops, in every mode, hostile numbers, failures, allocations. */
#include "geometric-calls.h"

#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_pool.h>

/* loops, parallel edges, node 5 alone; segments in any order, 2 has no row */
enum { N = 6, M = 10, F = 2, O = 3, ROWS = 9, SEGMENTS = 5, STEPS = 2, WIDEST = 12 };
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1, 3}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2, 2};
static const int64_t segment[ROWS] = {1, 0, 1, 4, 1, 3, 0, 1, 3};

enum { LSTM, GRU, GATED, RES_GATED, VECTOR, ONE_WEIGHT, CALLS };
static const char *const names[CALLS] = {"geometric_segment_lstm", "geometric_segment_gru", "graph_gated",
                                         "graph_res_gated", "graph_vector_attention", "graph_vector_attention"};
static const struct {
    int n, ndim[7];
    int64_t shape[7][3];
} args[CALLS] = {
    {4, {2, 2, 2, 1}, {{ROWS, F}, {4 * O, F}, {4 * O, O}, {4 * O}}},
    {5, {2, 2, 2, 1, 1}, {{ROWS, F}, {3 * O, F}, {3 * O, O}, {3 * O}, {3 * O}}},
    {7, {2, 1, 3, 2, 2, 1, 1}, {{N, F}, {M}, {STEPS, F, F}, {3 * F, F}, {3 * F, F}, {3 * F}, {3 * F}}},
    {3, {2, 2, 2}, {{N, F}, {N, F}, {N, F}}},
    {3, {2, 2, 2}, {{N, F}, {N, F}, {M, F}}},
    {3, {2, 2, 2}, {{N, F}, {N, F}, {M, F}}},
};

/* scores (u - v + e)^2 / 2 or their sum over the row, rows sin(u) + e */
static agn_status score(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const int32_t last = -1;
    const agn_tensor *d = ag_add(s, ag_sub(s, in[0], in[1]), in[2]);
    out[0] = ag_mul_c(s, ag_square(s, d), 0.5);
    if (*(const bool *)user)
        out[0] = ag_sum(s, out[0], &last, 1, true);
    out[1] = ag_add(s, ag_sin(s, in[0]), in[2]);
    return agn_scope_status(s);
}

typedef struct call {
    const agn_graph *g;
    const agn_tensor *ids;
    int what;
} call;
static agn_status run(const void *user, agn_tensor **out, const agn_tensor *const *x)
{
    const call *c = user;
    static const bool sum[2] = {false, true};
    agn_fn *f = NULL;
    agn_status st;
    switch (c->what) {
    case LSTM: return agn_geometric_segment_lstm(out, x[0], c->ids, SEGMENTS, x[1], x[2], x[3]);
    case GRU: return agn_geometric_segment_gru(out, x[0], c->ids, SEGMENTS, x[1], x[2], x[3], x[4]);
    case GATED: return agn_graph_gated(out, c->g, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    case RES_GATED: return agn_graph_res_gated(out, c->g, x[0], x[1], x[2]);
    default:
        st = agn_fn_new(&f, score, (void *)(uintptr_t)&sum[c->what == ONE_WEIGHT], NULL, 3, 2);
        st = st ? st : agn_graph_vector_attention(out, c->g, f, x[0], x[1], x[2]);
        agn_fn_release(f);
        return st;
    }
}
static void draw(int what, agn_tensor **x)
{
    for (int i = 0; i < args[what].n; i++)
        x[i] = random_of(AGN_F64, args[what].ndim[i], args[what].shape[i], -1, 1);
}

/* ---- values --------------------------------------------------------------------------------- */

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}
/* gate k of w x + b, x of n numbers */
static double gate(const agn_tensor *w, int64_t k, const double *x, int64_t n, const agn_tensor *b)
{
    double y = b ? get(b, k) : 0;
    for (int64_t i = 0; i < n; i++)
        y += get(w, k * n + i) * x[i];
    return y;
}
static void step_gru(double *h, int64_t o, const double *x, int64_t f, agn_tensor *const *w)
{
    double next[WIDEST];
    for (int64_t i = 0; i < o; i++) {
        double r = sigmoid(gate(w[0], i, x, f, w[2]) + gate(w[1], i, h, o, w[3]));
        double z = sigmoid(gate(w[0], o + i, x, f, w[2]) + gate(w[1], o + i, h, o, w[3]));
        double n = tanh(gate(w[0], 2 * o + i, x, f, w[2]) + r * gate(w[1], 2 * o + i, h, o, w[3]));
        next[i] = (1 - z) * n + z * h[i];
    }
    memcpy(h, next, (size_t)o * sizeof *h);
}
static void step_lstm(double *h, double *c, const double *x, agn_tensor *const *w)
{
    double next[O], k[4];
    for (int64_t i = 0; i < O; i++) {
        for (int j = 0; j < 4; j++)
            k[j] = gate(w[0], j * O + i, x, F, w[2]) + gate(w[1], j * O + i, h, O, NULL);
        c[i] = sigmoid(k[1]) * c[i] + sigmoid(k[0]) * tanh(k[2]);
        next[i] = sigmoid(k[3]) * tanh(c[i]);
    }
    memcpy(h, next, sizeof next);
}
static double want_segment(int what, agn_tensor *const *x, int64_t i, int64_t o)
{
    double h[WIDEST] = {0}, c[O] = {0};
    for (int k = 0; k < ROWS; k++) {
        double row[F] = {get(x[0], k * F), get(x[0], k * F + 1)};
        if (segment[k] == i && what == LSTM)
            step_lstm(h, c, row, x + 1);
        else if (segment[k] == i)
            step_gru(h, O, row, F, x + 1);
    }
    return h[o];
}
static double want_gated(agn_tensor *const *x, int64_t node, int64_t column)
{
    double h[N][F], m[N][F];
    for (int i = 0; i < N * F; i++)
        h[i / F][i % F] = get(x[0], i);
    for (int t = 0; t < STEPS; t++) {
        memset(m, 0, sizeof m);
        for (int e = 0; e < M; e++)
            for (int i = 0; i < F; i++)
                for (int j = 0; j < F; j++)
                    m[dst[e]][i] += get(x[1], e) * get(x[2], (t * F + i) * F + j) * h[src[e]][j];
        for (int i = 0; i < N; i++)
            step_gru(h[i], F, m[i], F, x + 3);
    }
    return h[node][column];
}
static double want_attended(bool sum, agn_tensor *const *x, int64_t i, int64_t k)
{
    double over = 0, under = 0;
    for (int e = 0; e < M; e++) {
        double a = 0;
        for (int j = 0; j < F && dst[e] == i; j++) {
            double d = get(x[0], src[e] * F + j) - get(x[1], i * F + j) + get(x[2], e * F + j);
            a += sum || j == k ? d * d / 2 : 0;
        }
        if (dst[e] == i) {
            over += exp(a) * (sin(get(x[0], src[e] * F + k)) + get(x[2], e * F + k));
            under += exp(a);
        }
    }
    return under > 0 ? over / under : 0;
}
static double want_of(int what, agn_tensor *const *x, int64_t k)
{
    double y = 0;
    if (what <= GRU)
        return want_segment(what, x, k / O, k % O);
    if (what == GATED)
        return want_gated(x, k / F, k % F);
    if (what >= VECTOR)
        return want_attended(what == ONE_WEIGHT, x, k / F, k % F);
    for (int e = 0; e < M; e++)
        if (dst[e] == k / F)
            y += sigmoid(get(x[0], k) + get(x[1], src[e] * F + k % F)) * get(x[2], src[e] * F + k % F);
    return y;
}

static void test_values(call c)
{
    tally t = {0, 0};
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[7], *narrow[7], *y = NULL, *z = NULL;
        draw(c.what, x);
        for (int i = 0; i < args[c.what].n; i++)
            must(agn_cast(&narrow[i], x[i], AGN_F32));
        must(run(&c, &y, (const agn_tensor *const *)x));
        must(run(&c, &z, (const agn_tensor *const *)narrow));
        check(&t, agn_numel(y) == (c.what <= GRU ? SEGMENTS * O : N * F), "%s: size", names[c.what]);
        check(&t, agn_dtype_of(z) == AGN_F32, "%s of f32 is %d", names[c.what], agn_dtype_of(z));
        for (int64_t k = 0; k < agn_numel(y); k++) {
            double want = want_of(c.what, x, k);
            check(&t, fabs(get(y, k) - want) < 1e-14, "%s, element %lld: %g, %g", names[c.what], (long long)k,
                  get(y, k), want);
            check(&t, fabs(get(z, k) - want) < 1e-5, "%s of f32, element %lld", names[c.what], (long long)k);
        }
        RELEASE(y, z);
        release_all(x, args[c.what].n);
        release_all(narrow, args[c.what].n);
    }
    tell(&t, "values by loops, f64 and f32");
}

/* no rows, no edges, no nodes; biases left out; scores so large that only their differences are numbers */
static void test_corners(call c)
{
    tally t = {0, 0};
    agn_tensor *x[7], *y, *z, *big, *none = random_of(AGN_F64, 2, (int64_t[]){0, F}, 0, 1), *no_ids = whole(0, NULL);
    agn_graph *empty = make_graph(0, NULL, NULL, N, N);
    draw(LSTM, x);
    must(agn_geometric_segment_lstm(&y, none, no_ids, 3, x[1], x[2], x[3]));
    must(agn_geometric_segment_lstm(&z, none, no_ids, 0, x[1], x[2], NULL));
    check(&t, agn_numel(y) == 3 * O && agn_numel(z) == 0, "sizes of no rows");
    for (int k = 0; k < 3 * O; k++)
        check(&t, get(y, k) == 0, "no rows, element %d: %g", k, get(y, k));
    RELEASE(y, z);
    release_all(x, args[LSTM].n);
    for (c.what = GATED; c.what < CALLS; c.what++) {
        call q = {.g = empty, .ids = c.ids, .what = c.what};
        draw(c.what, x);
        int edges = c.what == GATED ? 1 : 2;
        if (c.what != RES_GATED) {
            agn_release(x[edges]);
            x[edges] = random_of(AGN_F64, args[c.what].ndim[edges], (int64_t[]){0, F}, 0, 1);
        }
        must(run(&q, &y, (const agn_tensor *const *)x));
        for (int k = 0; c.what != GATED && k < N * F; k++)
            check(&t, get(y, k) == 0, "%s without edges, element %d: %g", names[c.what], k, get(y, k));
        check(&t, agn_numel(y) == N * F, "%s without edges: size", names[c.what]);
        agn_release(y);
        release_all(x, args[c.what].n);
    }
    c.what = VECTOR;
    draw(VECTOR, x);
    must(agn_mul_c(&big, x[0], 1e3)); /* exp of a score has no number */
    agn_tensor *in[3] = {big, x[1], x[2]};
    must(run(&c, &y, (const agn_tensor *const *)in));
    for (int k = 0; k < N * F; k++)
        check(&t, isfinite(get(y, k)) && fabs(get(y, k)) <= 2, "scores of 1e5, element %d: %g", k, get(y, k));
    RELEASE(y, big);
    release_all(x, args[VECTOR].n);
    RELEASE(none, no_ids);
    agn_graph_release(empty);
    tell(&t, "no rows, no edges, large scores");
}

static void test_modes(call c)
{
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[7];
        draw(c.what, x);
        call_in_every_mode(run, &c, args[c.what].n, x, 2e-6, names[c.what]);
        release_all(x, args[c.what].n);
    }
}

static agn_status one_result(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_add(s, in[0], in[1]);
    return agn_scope_status(s);
}
static agn_status odd_results(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const int32_t first = 0, last = -1;
    out[0] = in[0];
    out[1] = *(const int *)user == 2 ? ag_cast(s, in[1], AGN_C128)
             : *(const int *)user    ? ag_sum(s, in[1], &first, 1, false)
                                     : ag_sum(s, in[1], &last, 1, false);
    return agn_scope_status(s);
}

static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_graph *two = make_graph(M, src, dst, N, N + 1);
    agn_tensor *out = untouched, *sp = NULL, *few = random_of(AGN_F64, 2, (int64_t[]){1, F + 3}, 0, 1);
    agn_tensor *far = whole(ROWS, (int64_t[]){0, 1, 2, 3, SEGMENTS, 0, 1, 2, 3});
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
    must(agn_sparse_from_dense(&sp, few));
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[7], *z = NULL;
        const agn_tensor *in[7] = {NULL};
        call now = {.g = c->g, .ids = c->ids, .what = k}, nothing = {.what = k}, other = {.g = two, .ids = c->ids, .what = k},
             no_integers = {.g = c->g, .ids = few, .what = k}, out_of_range = {.g = c->g, .ids = far, .what = k};
        draw(k, x);
        memcpy(in, x, (size_t)args[k].n * sizeof *in);
        must(agn_cast(&z, x[0], AGN_C128));
        BAD(run(&now, NULL, in), names[k], AGN_ENULL, "out is NULL", NULL);
        BAD(run(&nothing, &out, in), names[k], AGN_ENULL, "NULL", NULL);
        const agn_tensor *const first = in[0];
        in[0] = z;
        BAD(run(&now, &out, in), names[k], AGN_EDTYPE, "c128", NULL);
        in[0] = sp;
        BAD(run(&now, &out, in), names[k], AGN_EUNSUPPORTED, "sparse", NULL);
        in[0] = first;
        for (int i = 0; i < args[k].n; i++) {
            in[i] = few;
            BAD(run(&now, &out, in), names[k], AGN_ESHAPE, i || k > GRU ? "[1,5]" : "[o,5]", NULL);
            agn_tensor *complex_ = NULL;
            must(agn_cast(&complex_, x[i], AGN_C128));
            in[i] = complex_;
            BAD(run(&now, &out, in), names[k], AGN_EDTYPE, "c128", NULL);
            agn_release(complex_);
            in[i] = x[i];
        }
        if (k <= GRU) {
            BAD(run(&no_integers, &out, in), names[k], AGN_EDTYPE, "ids", "f64");
            BAD(run(&out_of_range, &out, in), names[k], AGN_EINDEX, "4", "5");
        } else if (k == GATED) {
            BAD(run(&other, &out, in), names[k], AGN_EARG, "6 sources", "7 destinations");
        } else {
            BAD(run(&other, &out, in), names[k], AGN_ESHAPE, "[6,2]", "7 rows");
        }
        agn_release(z);
        release_all(x, args[k].n);
    }
    agn_tensor *x[7];
    agn_fn *f = NULL, *odd[3] = {NULL};
    int which[3] = {0, 1, 2};
    draw(VECTOR, x);
    must(agn_fn_new(&f, one_result, NULL, NULL, 2, 1));
    BAD(agn_graph_vector_attention(&out, c->g, f, x[0], x[1], NULL), names[VECTOR], AGN_EARG, "2 arguments", "1 results");
    BAD(agn_graph_vector_attention(&out, c->g, f, NULL, NULL, NULL), names[VECTOR], AGN_ENULL, "NULL", NULL);
    for (int k = 0; k < 3; k++) {
        must(agn_fn_new(&odd[k], odd_results, &which[k], NULL, 2, 2));
        BAD(agn_graph_vector_attention(&out, c->g, odd[k], x[0], x[1], NULL), names[VECTOR], k == 2 ? AGN_EDTYPE : AGN_ESHAPE,
            k == 2 ? "c128" : k ? "result 1 of f is [2]" : "scores are [", NULL);
        agn_fn_release(odd[k]);
    }
    agn_fn_release(f);
    release_all(x, args[VECTOR].n);
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(few, sp, far);
    agn_graph_release(two);
}

typedef struct making {
    call c;
    const agn_tensor *const *in;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    return run(&m->c, out, m->in);
}

int main(void)
{
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *ids = whole(ROWS, segment);
    call c = {.g = g, .ids = ids};
    test_values(c);
    test_corners(c);
    test_failures(&c);
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[7];
        draw(k, x);
        making m = {{.g = g, .ids = ids, .what = k}, (const agn_tensor *const *)x};
        every_allocation(make, &m, names[k]);
        release_all(x, args[k].n);
    }
    test_modes(c);
    agn_graph_release(g);
    agn_release(ids);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
