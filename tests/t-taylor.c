/* tests/t-taylor.c - Taylor coefficients of the element-wise rows to order 10 against numbers
   of 60 digits (tests/data/make-taylor.py), and the size of programs with jets and lanes. X2-2: none
   lacks an order. */
#include "deriv.h"
#include "graph/program/program.h"

enum { K = 10, GIVEN = 4 };

typedef struct sample {
    const char *op;
    int complex, order, n;
    double x[3][2 * GIVEN], y[2 * (K + 1)];
} sample;

static const sample samples[] = {
#include "data/taylor.inc"
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static bool moves(const sample *q, int i)
{
    bool any = false;
    for (int k = q->complex ? 2 : 1; k < (q->complex ? 2 : 1) * GIVEN; k++)
        any |= q->x[i][k] != 0;
    return any;
}

static agn_status row_body(void *user, agn_scope *s, const T *in, T *out)
{
    const sample *q = user;
    int64_t order = q->order;
    T x[3] = {NULL};
    for (int i = 0; i < q->n; i++) /* a curve that stands still is a number */
        x[i] = moves(q, i) ? in[i] : ag_stop_gradient(s, in[i]);
    out[0] = apply(s, q->op, q->n, x, q->order >= 0, &order);
    return agn_scope_status(s);
}

static agn_tensor *coefficient(const sample *q, int i, int k)
{
    const double zero[2] = {0};
    const double *v = k < GIVEN ? q->x[i] + k * (q->complex ? 2 : 1) : zero;
    agn_tensor *c = NULL;
    if (agn_from_host(&c, q->complex ? AGN_C128 : AGN_F64, 0, NULL, v))
        bail_out("%s", agn_error_message());
    return c;
}

/* worst relative error of orders 0 to 6, and of 7 to 10; complex numbers as a whole */
static bool try_sample(const sample *q, double worst[2])
{
    agn_fn *f = NULL, *jet = NULL;
    agn_tensor *a[3 * (K + 1)] = {NULL}, *y[K + 1] = {NULL};
    for (int i = 0; i < q->n; i++)
        for (int k = 0; k <= K; k++)
            a[i * (K + 1) + k] = coefficient(q, i, k);
    bool good = !agn_fn_new(&f, row_body, (void *)(uintptr_t)q, NULL, q->n, 1) &&
                !agn_fn_jet(&jet, f, K) &&
                !agn_fn_call(y, K + 1, jet, (const T *)a, q->n * (K + 1));
    double scale = 0; /* a coefficient may vanish where its terms cancel */
    for (int k = 0; good && k <= K; k++) {
        double have[2] = {0}, want[2] = {0};
        int n = numbers(have, 4, y[k]);
        for (int i = 0; i < n; i++)
            want[i] = q->y[n * k + i];
        double off = hypot(have[0] - want[0], have[1] - want[1]);
        double size = hypot(want[0], want[1]);
        scale = fmax(scale, size);
        double error = off == 0 ? 0 : off / fmax(size, 1e-2 * scale);
        if (!(error <= (k <= 6 ? 1e-12 : 1e-10))) {
            diag("%s%s: coefficient %d is (%.17g, %.17g), not (%.17g, %.17g): error %.2e", q->op,
                 q->complex ? ", complex" : "", k, have[0], have[1], want[0], want[1], error);
            good = false;
        }
        worst[k > 6] = fmax(worst[k > 6], error);
    }
    for (int i = 0; i < q->n * (K + 1); i++)
        agn_release(a[i]);
    for (int k = 0; k <= K; k++)
        agn_release(y[k]);
    agn_fn_release(jet);
    agn_fn_release(f);
    return good;
}

static void coefficients(const char *only)
{
    double all[2] = {0, 0};
    for (int i = 0; i < SAMPLES;) {
        const char *op = samples[i].op;
        bool good = true;
        double worst[2] = {0, 0};
        int n = 0;
        for (; i < SAMPLES && !strcmp(samples[i].op, op); i++, n++)
            if (strstr(op, only))
                good &= try_sample(&samples[i], worst);
        if (!strstr(op, only))
            continue;
        ok(good, "%s: %d curves, relative error %.1e to order 6, %.1e to 10", op, n, worst[0],
           worst[1]);
        all[0] = fmax(all[0], worst[0]);
        all[1] = fmax(all[1], worst[1]);
    }
    diag("worst relative error %.1e to order 6, %.1e to order 10", all[0], all[1]);
}

/* every row with a derivative has samples for each kind of dtype it computes in */
static void nothing_forgotten(void)
{
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        if (op->ew < 0 || (op->cls != AGNI_EW && op->cls != AGNI_LINEAR) ||
            !strcmp(op->name, "where"))
            continue;
        int have[2] = {0, 0};
        for (int k = 0; k < SAMPLES; k++)
            have[samples[k].complex] += !strcmp(samples[k].op, op->name);
        bool good = have[0] >= 4 || !(op->dtypes >> AGN_F64 & 1);
        good &= have[1] >= 4 || !(op->dtypes >> AGN_C128 & 1);
        if (!good)
            ok(false, "%s has samples; add it to tests/data/make-taylor.py", op->name);
    }
    ok(true, "rows looked through");
}

/* ---- sizes of programs ------------------------------------------------------------------ */

enum { LAYERS = 8, WIDTH = 3 };

static agn_status network(void *user, agn_scope *s, const T *in, T *out)
{
    T w = user, h = in[0];
    for (int l = 0; l < LAYERS; l++)
        h = ag_tanh(s, ag_matmul(s, h, w));
    out[0] = h;
    return agn_scope_status(s);
}

static agn_status summed_network(void *user, agn_scope *s, const T *in, T *out)
{
    T y = NULL, row = ag_expand_dims(s, in[0], 0);
    network(user, s, &row, &y);
    out[0] = ag_sum_all(s, y);
    return agn_scope_status(s);
}

static int node_count(const agn_fn *f, const T *in)
{
    agni_prog *p = NULL;
    uint64_t first;
    if (agni_trace(&p, &first, f, in, true)) {
        diag("%s", agn_error_message());
        return -1;
    }
    int n = p->n_node;
    agni_prog_release(p);
    return n;
}

static int jet_nodes(const agn_fn *f, int order)
{
    agn_fn *jet = NULL;
    agn_tensor *x = NULL;
    T in[65];
    if (agn_full(&x, AGN_F64, 2, (int64_t[]){5, WIDTH}, 0.3) || agn_fn_jet(&jet, f, order))
        bail_out("%s", agn_error_message());
    for (int k = 0; k <= order; k++)
        in[k] = x;
    int n = node_count(jet, in);
    agn_fn_release(jet);
    agn_release(x);
    return n;
}

static void sizes(void)
{
    agn_fn *f = NULL, *lanes = NULL;
    agn_tensor *w = NULL, *x[2] = {NULL};
    if (agn_full(&w, AGN_F64, 2, (int64_t[]){WIDTH, WIDTH}, 0.2) ||
        agn_fn_new(&f, network, w, NULL, 1, 1))
        bail_out("%s", agn_error_message());
    int n5 = jet_nodes(f, 5), n10 = jet_nodes(f, 10), n20 = jet_nodes(f, 20);
    diag("jets of %d layers: %d, %d, %d nodes at orders 5, 10, 20", LAYERS, n5, n10, n20);
    ok(n10 > 0 && n10 <= LAYERS * 4 * 11 * 11, "a jet of order 10: %d nodes, at most 4 (K+1)^2 "
                                               "per activation", n10);
    ok(n20 < 4.4 * n10 && n10 < 4.4 * n5, "nodes grow like the square of the order");
    /* lanes */
    static const char *const words[] = {"", "F", "R", "FR", "J"};
    agn_tensor *v = NULL;
    if (agn_full(&v, AGN_F64, 1, (int64_t[]){WIDTH}, 0.5))
        bail_out("%s", agn_error_message());
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    for (int i = 0; i < 2; i++)
        if (agn_full(&x[i], AGN_F64, 2, (int64_t[]){i ? 3000 : 3, WIDTH}, 0.3))
            bail_out("%s", agn_error_message());
    for (int k = 0; k < 5; k++) {
        agn_fn *sum = NULL, *d = NULL;
        if (agn_fn_new(&sum, summed_network, w, NULL, 1, 1) ||
            !(d = nesting(words[k], sum, 1, dir)) || agn_fn_vmap(&lanes, d, NULL, 0, NULL, 0))
            bail_out("%s", agn_error_message());
        int few = node_count(lanes, (const T[]){x[0]}), many = node_count(lanes, (const T[]){x[1]});
        ok(few > 0 && few == many, "vmap of %s: %d nodes for 3 lanes, %d for 3000",
           *words[k] ? words[k] : "f", few, many);
        agn_fn_release(lanes);
        agn_fn_release(d);
        agn_fn_release(sum);
    }
    agn_release(v);
    agn_release(w);
    agn_release(x[0]);
    agn_release(x[1]);
    agn_fn_release(f);
}

int main(int argc, char **argv)
{
    coefficients(argc > 1 ? argv[1] : "");
    if (argc < 2) {
        nothing_forgotten();
        sizes();
    }
    return done();
}
