/* Messages over graphs on a device, with their derivatives, beside the CPU; so products of sparse matrices and derivatives
   of eigenvalues, also where they are equal. */
#include "cuda.h"

enum { NODES = 7, EDGES = 15, WIDE = 3, HEADS = 2 };

typedef struct subject {
    const agn_graph *g;
    agn_tensor *ids; /* on the device of the call */
    agn_tensor *pattern;
    int kind;
} subject;

/* operands: x [NODES, WIDE], e [EDGES, WIDE]: every message, extreme and side */
static agn_status messages(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const subject *q = user;
    const agn_tensor *sum = ag_graph_gspmm(s, q->g, in[0], in[1], AGN_MESSAGE_MUL, AGN_GEOMETRIC_MEAN);
    const agn_tensor *less = ag_graph_gspmm(s, q->g, in[0], in[1], AGN_MESSAGE_SUB, AGN_GEOMETRIC_MAX);
    const agn_tensor *part = ag_graph_gspmm(s, q->g, in[0], ag_exp(s, in[1]), AGN_MESSAGE_DIV, AGN_GEOMETRIC_SUM);
    const agn_tensor *dot = ag_graph_gsddmm(s, q->g, in[0], AGN_GRAPH_SRC, in[0], AGN_GRAPH_DST, AGN_MESSAGE_DOT);
    const agn_tensor *soft = ag_graph_edge_softmax(s, q->g, ag_mul(s, dot, in[1]), AGN_GRAPH_DST);
    const agn_tensor *back = ag_graph_edge_softmax(s, q->g, in[1], AGN_GRAPH_SRC);
    const agn_tensor *low = ag_graph_gspmm(s, q->g, NULL, ag_add(s, soft, back), AGN_MESSAGE_COPY, AGN_GEOMETRIC_MIN);
    out[0] = ag_sum_all(s, ag_sin(s, ag_add(s, ag_add(s, sum, less), ag_mul(s, part, low))));
    return agn_scope_status(s);
}

/* u [NODES, HEADS, WIDE], s and t [HEADS, WIDE] */
static agn_status attention(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const subject *q = user;
    out[0] = ag_sum_all(s, ag_sin(s, ag_graph_gat(s, q->g, in[0], in[0], in[1], in[2], 0.2)));
    return agn_scope_status(s);
}

/* x [EDGES, WIDE] of segments */
static agn_status segments(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const subject *q = user;
    const agn_tensor *x = in[0];
    const agn_tensor *a = ag_geometric_segment_softmax(s, x, q->ids);
    const agn_tensor *v = ag_geometric_segment_std(s, x, q->ids, NODES, 0);
    const agn_tensor *p = ag_geometric_segment_prod(s, x, q->ids, NODES);
    const agn_tensor *m = ag_geometric_segment_mean(s, ag_mul(s, a, x), q->ids);
    const agn_tensor *f = ag_geometric_segment_quantile(s, x, q->ids, NODES, 0.3);
    f = ag_where(s, ag_isnan(s, f), ag_lit(s, 0), f);
    out[0] = ag_sum_all(s, ag_add(s, ag_add(s, ag_sin(s, v), p), ag_add(s, m, f)));
    return agn_scope_status(s);
}

/* a A B A^T over patterns, entries of a [n] */
static agn_status products(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const subject *q = user;
    const agn_tensor *a = ag_sparse_with_values(s, q->pattern, in[0]);
    const agn_tensor *b = ag_sparse_with_values(s, q->pattern, ag_sin(s, in[0]));
    const agn_tensor *c = ag_add(s, ag_matmul(s, a, b), ag_transpose(s, a));
    out[0] = ag_sum_all(s, ag_square(s, ag_sparse_to_dense(s, c)));
    return agn_scope_status(s);
}

/* eigenvalues and vectors of a Hermitian matrix; kind: of one whose values are equal in pairs */
static agn_status spectrum(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const subject *q = user;
    const agn_tensor *x = in[0], *sym = ag_add(s, x, ag_transpose(s, x));
    if (q->kind) {
        out[0] = ag_sum_all(s, ag_exp(s, ag_mul_c(s, ag_linalg_eigvalsh(s, sym, false), 0.3)));
    } else {
        agn_tensor *w = NULL, *v = NULL;
        agn_status st = agn_linalg_eigh(&w, &v, sym, false);
        const agn_tensor *vectors = agn_scope_adopt(s, st, &v);
        (void)agn_scope_adopt(s, st, &w);
        out[0] = ag_sum_all(s, ag_sin(s, ag_square(s, vectors)));
    }
    return agn_scope_status(s);
}

static agn_status special(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    const agn_tensor *x = in[0], *a = in[1];
    const agn_tensor *y = ag_add(s, ag_sine_integral(s, x), ag_mul(s, ag_clausen(s, x), ag_debye(s, x, 3)));
    y = ag_add(s, y, ag_mul(s, ag_fermi_dirac(s, a, x), ag_kelvin_ber(s, x, 2)));
    y = ag_add(s, y, ag_mul(s, ag_rgamma(s, x), ag_wright_omega(s, ag_digammainv(s, x))));
    y = ag_add(s, y, ag_hyp1f1(s, a, ag_add_c(s, a, 1.5), x));
    y = ag_add(s, y, ag_struve(s, a, x));
    out[0] = ag_sum_all(s, y);
    return agn_scope_status(s);
}

/* value, gradient and Hessian-vector product on the device and on the host */
static void compare(agn_body *body, subject *q, agn_tensor *ids, int n, agn_tensor *const *h, double tol, const char *what)
{
    agn_tensor *d[8], *have[8] = {NULL}, *want[8] = {NULL}, *far = ids ? on_device(ids) : NULL;
    agn_fn *f, *g, *hvp;
    int32_t all[4] = {0, 1, 2, 3};
    for (int i = 0; i < n; i++) {
        d[i] = on_device(h[i]);
        d[n + i] = on_device(h[n + i]);
    }
    must(agn_fn_new(&f, body, q, NULL, n, 1));
    must(agn_fn_value_and_grad(&g, f, all, n));
    must(agn_fn_hvp(&hvp, f, all, n));
    double worst[2] = {0, 0};
    bool there = true;
    for (int k = 0; k < 2; k++) {
        const agn_fn *call = k ? hvp : g;
        int n_in = agn_fn_n_in(call), n_out = agn_fn_n_out(call);
        q->ids = ids;
        must(agn_fn_call(want, n_out, call, (const agn_tensor *const *)h, n_in));
        q->ids = far;
        agn_status st = agn_fn_call(have, n_out, call, (const agn_tensor *const *)d, n_in);
        if (!st)
            st = agn_device_synchronize(cuda);
        if (st)
            diag("%s", agn_error_message());
        for (int o = 0; o < n_out; o++) {
            worst[k] = st ? (double)INFINITY : fmax(worst[k], relative(have[o], want[o]));
            there = there && !st && agn_device_of(have[o]) == cuda;
            agn_release(have[o]), agn_release(want[o]);
            have[o] = want[o] = NULL;
        }
    }
    ok(worst[0] <= tol && worst[1] <= 10 * tol && there, "%s: value and gradient %.2g, Hessian-vector product %.2g", what,
       worst[0], worst[1]);
    for (int i = 0; i < 2 * n; i++)
        agn_release(d[i]);
    agn_release(far);
    agn_fn_release(f), agn_fn_release(g), agn_fn_release(hvp);
}

static void test_dtype(int dtype, const agn_graph *g, agn_tensor *ids)
{
    double tol = dtype == AGN_F32 ? 2e-4 : 1e-10;
    int64_t xs[2] = {NODES, WIDE}, es[2] = {EDGES, WIDE}, us[3] = {NODES, HEADS, WIDE}, ts[2] = {HEADS, WIDE};
    subject q = {.g = g};
    agn_tensor *x[6];
    for (int i = 0; i < 4; i++)
        x[i] = random_of(dtype, 2, i % 2 ? es : xs, -1, 1);
    compare(messages, &q, NULL, 2, x, tol, "messages");
    for (int i = 0; i < 4; i++)
        agn_release(x[i]);
    for (int i = 0; i < 6; i++)
        x[i] = random_of(dtype, i % 3 ? 2 : 3, i % 3 ? ts : us, -1, 1);
    compare(attention, &q, NULL, 3, x, tol, "attention");
    for (int i = 0; i < 6; i++)
        agn_release(x[i]);
    for (int i = 0; i < 2; i++)
        x[i] = random_of(dtype, 2, es, 0.5, 2);
    compare(segments, &q, ids, 1, x, tol, "segments");
    for (int i = 0; i < 2; i++)
        agn_release(x[i]);
    agn_tensor *ip, *ix, *v = random_of(dtype, 1, (int64_t[]){10}, 0.5, 2), *t = random_of(dtype, 1, (int64_t[]){10}, -1, 1);
    must(agn_from_host(&ip, AGN_I64, 1, (int64_t[]){5}, (int64_t[]){0, 2, 5, 8, 10}));
    must(agn_from_host(&ix, AGN_I64, 1, (int64_t[]){10}, (int64_t[]){0, 1, 0, 1, 2, 1, 2, 3, 2, 3}));
    must(agn_sparse_csr(&q.pattern, 4, 4, ip, ix, v));
    compare(products, &q, NULL, 1, (agn_tensor *[]){v, t}, tol, "products of sparse matrices");
    agn_release(ip), agn_release(ix), agn_release(v), agn_release(t), agn_release(q.pattern);
    for (int kind = 0; kind < 2; kind++) {
        q.kind = kind;
        x[0] = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1);
        x[1] = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1);
        if (kind) { /* one matrix of equal values, and a tangent that parts them */
            agn_release(x[0]);
            must(agn_eye(&x[0], dtype, 4, 4, 0));
        }
        agn_tensor *d[2] = {on_device(x[0]), on_device(x[1])}, *have[2] = {NULL}, *want[2] = {NULL};
        agn_fn *f, *jvp;
        must(agn_fn_new(&f, spectrum, &q, NULL, 1, 1));
        must(agn_fn_jvp(&jvp, f));
        must(agn_fn_call(want, 2, jvp, (const agn_tensor *const *)x, 2));
        agn_status st = agn_fn_call(have, 2, jvp, (const agn_tensor *const *)d, 2);
        st = st ? st : agn_device_synchronize(cuda);
        double e = st ? (double)INFINITY : fmax(relative(have[0], want[0]), relative(have[1], want[1]));
        ok(e <= tol, "a tangent of %s: %.2g %s", kind ? "equal eigenvalues" : "eigenvectors", e, st ? agn_error_message() : "");
        for (int k = 0; k < 2; k++)
            agn_release(x[k]), agn_release(d[k]), agn_release(have[k]), agn_release(want[k]);
        agn_fn_release(f), agn_fn_release(jvp);
    }
    for (int i = 0; i < 4; i++)
        x[i] = random_of(dtype, 1, (int64_t[]){5}, 0.4, 1.8);
    compare(special, &q, NULL, 2, x, 10 * tol, "special functions and their parameters");
    for (int i = 0; i < 4; i++)
        agn_release(x[i]);
}

/* A node at which most edges end, and one at which most begin: their sums are made in parts. The bits are
   the same in every call. */
static void test_hubs(int dtype)
{
    enum { N = 50, MANY = 5000 };
    static int64_t src[MANY], dst[MANY];
    for (int e = 0; e < MANY; e++) {
        src[e] = e % 3 == 0 ? e % N : 2;
        dst[e] = e % 5 == 0 ? e * 7 % N : N - 1;
    }
    int64_t xs[2] = {N, WIDE}, es[2] = {MANY, WIDE}, edges[1] = {MANY};
    agn_tensor *from, *to, *x[4], *d, *y[2] = {NULL};
    agn_graph *g;
    must(agn_from_host(&from, AGN_I64, 1, edges, src));
    must(agn_from_host(&to, AGN_I64, 1, edges, dst));
    must(agn_graph_from_edges(&g, from, to, N, N));
    subject q = {.g = g};
    for (int i = 0; i < 4; i++)
        x[i] = random_of(dtype, 2, i % 2 ? es : xs, -1, 1);
    compare(messages, &q, NULL, 2, x, dtype == AGN_F32 ? 2e-3 : 1e-9, "messages of hubs");
    d = on_device(x[1]);
    for (int i = 0; i < 2; i++)
        must(agn_graph_gspmm(&y[i], g, NULL, d, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM));
    agn_tensor *h[2] = {on_host(y[0]), on_host(y[1])};
    ok(same_values(h[0], h[1]), "the same bits twice");
    for (int i = 0; i < 2; i++)
        agn_release(y[i]), agn_release(h[i]);
    for (int i = 0; i < 4; i++)
        agn_release(x[i]);
    agn_release(d), agn_release(from), agn_release(to);
    agn_graph_release(g);
}

/* eigenvectors of the Laplacian of a path, whose values are simple */
static void test_encoding(void)
{
    enum { N = 12, K = 4 };
    int64_t src[N - 1], dst[N - 1], edges[1] = {N - 1};
    for (int e = 0; e < N - 1; e++)
        src[e] = e, dst[e] = e + 1;
    agn_tensor *from, *to, *w, *far, *want[2] = {NULL}, *y[2] = {NULL};
    agn_graph *g;
    must(agn_from_host(&from, AGN_I64, 1, edges, src));
    must(agn_from_host(&to, AGN_I64, 1, edges, dst));
    must(agn_graph_from_edges(&g, from, to, N, N));
    w = random_of(AGN_F64, 1, edges, 0.5, 2);
    far = on_device(w);
    must(agn_graph_laplacian_encoding(&want[0], &want[1], g, w, K));
    agn_status st = agn_graph_laplacian_encoding(&y[0], &y[1], g, far, K);
    for (int i = 0; i < 2; i++) {
        double off = st ? (double)INFINITY : relative(y[i], want[i]);
        ok(off <= 1e-9 && agn_device_of(y[i]) == cuda, "%s of a Laplacian: %.2g %s", i ? "vectors" : "values", off,
           st ? agn_error_message() : "");
        agn_release(want[i]), agn_release(y[i]);
    }
    agn_release(from), agn_release(to), agn_release(w), agn_release(far);
    agn_graph_release(g);
}

static void test_range(const agn_tensor *ids)
{
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){EDGES, WIDE}, -1, 1), *d = on_device(x), *y = NULL, *at, *far;
    int64_t v[EDGES];
    must(agn_to_host(v, ids, sizeof v));
    for (int k = 0; k < 2; k++) {
        v[4] = k ? -1 : NODES;
        must(agn_from_host(&at, AGN_I64, 1, (int64_t[]){EDGES}, v));
        far = on_device(at);
        agn_status st = agn_geometric_segment_reduce(&y, d, far, NODES, AGN_GEOMETRIC_SUM);
        if (!st)
            st = agn_device_synchronize(cuda);
        is_int(st, AGN_EINDEX, "a segment %s is told", k ? "below 0" : "beyond the last");
        agn_release(y), agn_release(at), agn_release(far);
        y = NULL;
    }
    agn_release(x), agn_release(d);
}

int main(void)
{
    int result;
    if (!cuda_ready(&result))
        return result;
    static const int64_t src[EDGES] = {0, 1, 2, 3, 4, 5, 6, 0, 0, 3, 3, 3, 5, 6, 2},
                         dst[EDGES] = {1, 1, 1, 0, 6, 6, 2, 2, 4, 4, 0, 1, 2, 1, 1};
    agn_tensor *from, *to;
    agn_graph *g;
    must(agn_from_host(&from, AGN_I64, 1, (int64_t[]){EDGES}, src));
    must(agn_from_host(&to, AGN_I64, 1, (int64_t[]){EDGES}, dst));
    must(agn_graph_from_edges(&g, from, to, NODES, NODES));
    diag("f64");
    test_dtype(AGN_F64, g, from);
    diag("f32");
    test_dtype(AGN_F32, g, from);
    test_hubs(AGN_F64);
    test_hubs(AGN_F32);
    test_encoding();
    test_range(to);
    is_int(agn_device_synchronize(cuda), AGN_OK, "no fault is left");
    agn_graph_release(g);
    agn_release(from), agn_release(to);
    return done();
}
