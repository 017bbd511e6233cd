/* t-geometric-networks - more layers of graph networks: GATv2, Chebyshev, TAG, ARMA, RGCN, EdgeConv, PNA, messages by
   functions, NNConv, continuous filters, EGNN, mesh blocks; against their formulas, in every mode, failures. */
#include "geometric.h"

#include <agnesi/geometric_networks.h>

enum { N = 5, M = 9, F = 3, O = 2, HEADS = 2, K = 2 };
/* a loop, parallel edges, node 4 without edges that reach it */
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};

static agn_graph *graph_of(int64_t first, int64_t m, int64_t n_src, int64_t n_dst)
{
    return make_graph(m, src + first, dst + first, n_src, n_dst);
}
static agn_tensor *draw(int ndim, int64_t a, int64_t b, int64_t c)
{
    return random_of(AGN_F64, ndim, (int64_t[]){a, b, c}, 0.5, 1.5);
}
/* row a of x times row b of y, of n elements */
static double dot(const agn_tensor *x, int64_t a, const agn_tensor *y, int64_t b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += get(x, a * n + i) * get(y, b * n + i);
    return sum;
}

/* ---- the calls ----------------------------------------------------------------------------------- */

enum { GATV2, CHEB, TAG, ARMA, RGCN, EDGE_CONV, PNA, NNCONV, CFCONV, BASIS, MPNN, EGNN_H, EGNN_X, BLOCK_V, BLOCK_E, CALLS };
static const char *const names[] = {"graph_gatv2", "graph_cheb", "graph_tag", "graph_arma", "graph_rgcn", "graph_edge_conv",
                                    "graph_pna", "graph_nnconv", "graph_cfconv", "graph_gaussian_basis", "graph_mpnn",
                                    "graph_egnn", "graph_egnn", "graph_network_block", "graph_network_block"};
static const struct {
    int n, ndim[4];
    int64_t shape[4][3];
} args[CALLS] = {
    {3, {3, 3, 2}, {{N, HEADS, F}, {N, HEADS, F}, {HEADS, F}}},
    {4, {2, 1, 3, 1}, {{N, F}, {M}, {4, O, F}, {O}}},
    {4, {2, 1, 3, 1}, {{N, F}, {M}, {3, O, F}, {O}}},
    {4, {2, 3, 3, 3}, {{N, F}, {HEADS, O, F}, {HEADS, O, O}, {HEADS, O, F}}},
    {4, {2, 3, 2, 1}, {{N, F}, {2, O, F}, {O, F}, {O}}},
    {4, {2, 2, 2, 1}, {{N, F}, {O, F}, {O, F}, {O}}},
    {1, {2}, {{N, F}}},
    {4, {2, 2, 3, 2}, {{N, F}, {M, K}, {K, F, O}, {F, O}}},
    {4, {2, 1, 2, 2}, {{N, F}, {M}, {4, K}, {F, 4}}},
    {1, {1}, {{M}}},
    {3, {2, 2, 2}, {{N, F}, {N, F}, {M, F}}},
    {2, {2, 2}, {{N, F}, {N, K}}},
    {2, {2, 2}, {{N, F}, {N, K}}},
    {2, {2, 2}, {{N, F}, {M, F}}},
    {2, {2, 2}, {{N, F}, {M, F}}},
};

/* smooth functions of rows: what of the arguments */
typedef struct rows_of {
    int what;
} rows_of;
static agn_status rows_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const rows_of *q = user;
    switch (q->what) {
    case 0: out[0] = ag_mul(s, ag_tanh(s, ag_add(s, in[0], in[2])), in[1]); break; /* of the edges */
    case 1: out[0] = ag_mul(s, ag_add(s, in[0], in[1]), ag_tanh(s, in[2])); break;     /* with |x_i - x_j|^2 */
    case 2: out[0] = ag_tanh(s, ag_sum(s, in[0], (const int32_t[]){1}, 1, true)); break;
    case 3: out[0] = ag_sin(s, ag_mul(s, in[0], in[1])); break;
    default: out[0] = ag_sum_all(s, in[0]);
    }
    return agn_scope_status(s);
}
static agn_fn *f_edge, *f_pair, *f_shift, *f_node, *f_number;

/* one result; scope-less, so that failures are reported by the function itself */
static agn_status run(int what, agn_tensor **out, const agn_graph *g, const agn_graph *const *typed,
                      const agn_tensor *const *x)
{
    agn_tensor *other = NULL, *y = NULL;
    agn_status st;
    switch (what) {
    case GATV2: return agn_graph_gatv2(out, g, x[0], x[1], x[2], 0.2);
    case CHEB: return agn_graph_cheb(out, g, x[0], x[1], x[2], x[3], 1.7);
    case TAG: return agn_graph_tag(out, g, x[0], x[1], x[2], x[3]);
    case ARMA: return agn_graph_arma(out, g, x[0], NULL, x[1], x[2], x[3], NULL, 3);
    case RGCN: return agn_graph_rgcn(out, typed, 2, x[0], x[0], x[1], x[2], x[3], AGN_GEOMETRIC_MEAN);
    case EDGE_CONV: return agn_graph_edge_conv(out, g, x[0], NULL, x[1], x[2], x[3]);
    case PNA: return agn_graph_pna(out, g, x[0], 0.9);
    case NNCONV: return agn_graph_nnconv(out, g, x[0], x[1], x[2], x[3]);
    case CFCONV: {
        st = agn_graph_gaussian_basis(&other, x[1], 0, 3, K);
        if (!st)
            st = agn_graph_cfconv(out, g, x[0], other, x[1], x[2], NULL, x[3], NULL, 5);
        agn_release(other);
        return st;
    }
    case BASIS: return agn_graph_gaussian_basis(out, x[0], 0, 3, 4);
    case MPNN: return agn_graph_mpnn(out, g, f_edge, x[0], x[1], x[2], AGN_GEOMETRIC_MEAN);
    case EGNN_H:
    case EGNN_X:
        st = agn_graph_egnn(&y, &other, g, x[0], x[1], NULL, f_pair, f_shift, f_node);
        break;
    default: st = agn_graph_network_block(&y, &other, g, x[0], x[1], f_edge, f_node);
    }
    if (st)
        return st;
    bool first = what == EGNN_H || what == BLOCK_V;
    *out = first ? y : other;
    agn_release(first ? other : y);
    return AGN_OK;
}

typedef struct call {
    const agn_graph *g, *typed[2];
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    agn_tensor *y = NULL;
    agn_status st = run(q->what, &y, q->g, q->typed, in);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

/* ---- values -------------------------------------------------------------------------------------- */

static void propagate(double *y, const double *x, const agn_tensor *w, int width)
{
    double degree[N] = {0};
    for (int e = 0; e < M; e++)
        degree[dst[e]] += w ? get(w, e) : 1;
    for (int i = 0; i < N * width; i++)
        y[i] = 0;
    for (int e = 0; e < M; e++)
        for (int f = 0; f < width && degree[src[e]] > 0; f++)
            y[dst[e] * width + f] +=
                (w ? get(w, e) : 1) / sqrt(degree[src[e]] * degree[dst[e]]) * x[src[e] * width + f];
}

static void test_spectral(const call *c)
{
    tally q = {0, 0};
    agn_tensor *x = draw(2, N, F, 0), *w = draw(1, M, 0, 0), *weight = draw(3, 4, O, F), *b = draw(1, O, 0, 0), *y;
    for (int what = CHEB; what <= TAG; what++)
        for (int weighted = 0; weighted < 2; weighted++) {
            double t[4][N * F], largest = 1.7;
            must(what == CHEB ? agn_graph_cheb(&y, c->g, x, weighted ? w : NULL, weight, b, largest)
                              : agn_graph_tag(&y, c->g, x, weighted ? w : NULL, weight, b));
            for (int i = 0; i < N * F; i++)
                t[0][i] = get(x, i);
            for (int k = 1; k < 4; k++) {
                propagate(t[k], t[k - 1], weighted ? w : NULL, F);
                for (int i = 0; i < N * F && what == CHEB; i++) {
                    double l = 2 / largest * (t[k - 1][i] - t[k][i]) - t[k - 1][i];
                    t[k][i] = k == 1 ? l : 2 * l - t[k - 2][i];
                }
            }
            for (int i = 0; i < N; i++)
                for (int o = 0; o < O; o++) {
                    double sum = get(b, o);
                    for (int k = 0; k < 4; k++)
                        for (int f = 0; f < F; f++)
                            sum += t[k][i * F + f] * get(weight, (k * O + o) * F + f);
                    check(&q, fabs(sum - get(y, i * O + o)) < 1e-13, "%s at %d %d", names[what], i, o);
                }
            agn_release(y);
        }
    agn_tensor *first = draw(3, HEADS, O, F), *step = random_of(AGN_F64, 3, (int64_t[]){HEADS, O, O}, -1, 1);
    agn_tensor *root = random_of(AGN_F64, 3, (int64_t[]){HEADS, O, F}, -1, 1), *bias = draw(2, HEADS, O, 0);
    must(agn_graph_arma(&y, c->g, x, w, first, step, root, bias, 3));
    double mean[N * O] = {0};
    for (int h = 0; h < HEADS; h++) {
        double now[N * O], own[N * O], p[N * O];
        for (int i = 0; i < N; i++)
            for (int o = 0; o < O; o++) {
                now[i * O + o] = dot(x, i, first, h * O + o, F);
                own[i * O + o] = dot(x, i, root, h * O + o, F) + get(bias, h * O + o);
            }
        for (int k = 0; k < 3; k++) {
            propagate(p, now, w, O);
            for (int i = 0; i < N * O; i++)
                p[i] = fmax(p[i] + own[i], 0);
            for (int i = 0; i < N * O; i++) {
                now[i] = 0;
                for (int j = 0; j < O; j++)
                    now[i] += p[i / O * O + j] * get(step, (h * O + i % O) * O + j);
            }
        }
        for (int i = 0; i < N * O; i++)
            mean[i] += p[i] / HEADS;
    }
    for (int i = 0; i < N * O; i++)
        check(&q, fabs(mean[i] - get(y, i)) < 1e-13, "arma at %d", i);
    tell(&q, "cheb, tag, arma against their formulas");
    agn_release(y);
    agn_release(x);
    agn_release(w);
    agn_release(weight);
    agn_release(b);
    agn_release(first);
    agn_release(step);
    agn_release(root);
    agn_release(bias);
}

static void test_reductions(const call *c)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *w = draw(3, 2, O, F), *y;
    agn_tensor *theta = random_of(AGN_F64, 2, (int64_t[]){O, F}, -1, 1), *b = draw(1, O, 0, 0);
    agn_tensor *phi = random_of(AGN_F64, 2, (int64_t[]){O, F}, -1, 1);
    for (int own = 0; own < 2; own++) {
        must(agn_graph_rgcn(&y, c->typed, 2, x, own ? x : NULL, w, own ? phi : NULL, b, AGN_GEOMETRIC_SUM));
        for (int i = 0; i < N; i++)
            for (int o = 0; o < O; o++) {
                double sum = get(b, o) + (own ? dot(x, i, phi, o, F) : 0);
                for (int e = 0; e < M; e++)
                    sum += dst[e] == i ? dot(x, src[e], w, (e < 4 ? 0 : 1) * O + o, F) : 0;
                check(&q, fabs(sum - get(y, i * O + o)) < 1e-13, "rgcn at %d %d", i, o);
            }
        agn_release(y);
    }
    must(agn_graph_edge_conv(&y, c->g, x, NULL, theta, phi, b));
    for (int i = 0; i < N; i++)
        for (int o = 0; o < O; o++) {
            double most = 0;
            for (int e = 0; e < M; e++)
                if (dst[e] == i)
                    most = fmax(most, dot(x, src[e], theta, o, F) - dot(x, i, theta, o, F) + dot(x, i, phi, o, F) +
                                          get(b, o));
            check(&q, fabs(most - get(y, i * O + o)) < 1e-13, "edge_conv at %d %d", i, o);
        }
    agn_release(y);
    must(agn_graph_pna(&y, c->g, x, 0.9));
    check(&q, has_shape(y, 2, (int64_t[]){N, 12 * F}), "shape");
    for (int i = 0; i < N; i++)
        for (int f = 0; f < F; f++) {
            double sum = 0, two = 0, hi = -9, lo = 9;
            int n = 0;
            for (int e = 0; e < M; e++)
                if (dst[e] == i) {
                    double v = get(x, src[e] * F + f);
                    sum += v, two += v * v, hi = fmax(hi, v), lo = fmin(lo, v), n++;
                }
            double scale = log(1 + fmax(n, 1)) / 0.9, mean = n ? sum / n : 0;
            double want[4] = {mean, n ? hi : 0, n ? lo : 0, n ? sqrt(fmax(two / n - mean * mean, 0)) : 0};
            for (int k = 0; k < 12; k++)
                check(&q, fabs(get(y, (i * 12 + k) * F + f) - want[k % 4] * (k < 4 ? 1 : k < 8 ? scale : 1 / scale)) < 1e-7,
                      "pna at %d %d %d", i, k, f);
        }
    agn_release(y);
    tell(&q, "rgcn, edge_conv, pna against their formulas");
    agn_release(x);
    agn_release(w);
    agn_release(theta);
    agn_release(phi);
    agn_release(b);
}

static void test_edges(const call *c)
{
    tally q = {0, 0};
    agn_tensor *u = draw(3, N, HEADS, F), *v = draw(3, N, HEADS, F), *y;
    agn_tensor *a = random_of(AGN_F64, 2, (int64_t[]){HEADS, F}, -1, 1);
    must(agn_graph_gatv2(&y, c->g, u, v, a, 0.2));
    for (int i = 0; i < N; i++)
        for (int h = 0; h < HEADS; h++) {
            double sum = 0, to[F] = {0};
            for (int e = 0; e < M; e++) {
                double score = 0;
                for (int f = 0; f < F; f++) {
                    double t = get(u, (src[e] * HEADS + h) * F + f) + get(v, (i * HEADS + h) * F + f);
                    score += get(a, h * F + f) * (t < 0 ? 0.2 * t : t);
                }
                if (dst[e] != i)
                    continue;
                sum += exp(score);
                for (int f = 0; f < F; f++)
                    to[f] += exp(score) * get(u, (src[e] * HEADS + h) * F + f);
            }
            for (int f = 0; f < F; f++)
                check(&q, fabs(get(y, (i * HEADS + h) * F + f) - (sum > 0 ? to[f] / sum : 0)) < 1e-13, "gatv2 at %d", i);
        }
    agn_release(y);
    agn_release(u);
    agn_release(v);
    agn_release(a);

    agn_tensor *x = draw(2, N, F, 0), *h = draw(2, M, K, 0), *w = draw(3, K, F, O), *b = draw(2, F, O, 0);
    must(agn_graph_nnconv(&y, c->g, x, h, w, b));
    for (int i = 0; i < N; i++)
        for (int o = 0; o < O; o++) {
            double sum = 0;
            for (int e = 0; e < M; e++)
                for (int f = 0; f < F && dst[e] == i; f++) {
                    double t = get(b, f * O + o);
                    for (int k = 0; k < K; k++)
                        t += get(h, e * K + k) * get(w, (k * F + f) * O + o);
                    sum += t * get(x, src[e] * F + f);
                }
            check(&q, fabs(sum - get(y, i * O + o)) < 1e-13, "nnconv at %d %d", i, o);
        }
    agn_release(y);
    agn_release(w);
    agn_release(h);
    agn_release(b);

    agn_tensor *d = random_of(AGN_F64, 1, (int64_t[]){M}, 0, 6), *w1 = draw(2, 4, K, 0), *b1 = draw(1, 4, 0, 0);
    agn_tensor *w2 = draw(2, F, 4, 0), *b2 = draw(1, F, 0, 0), *basis;
    must(agn_graph_gaussian_basis(&basis, d, 1, 4, K));
    for (int e = 0; e < M; e++)
        for (int k = 0; k < K; k++)
            check(&q, fabs(get(basis, e * K + k) - exp(-pow((get(d, e) - 1 - 3 * k) / 3, 2) / 2)) < 1e-14, "basis");
    must(agn_graph_cfconv(&y, c->g, x, basis, d, w1, b1, w2, b2, 4));
    for (int i = 0; i < N; i++)
        for (int f = 0; f < F; f++) {
            double sum = 0;
            for (int e = 0; e < M; e++) {
                double t = get(b2, f), r = get(d, e);
                for (int k = 0; k < 4; k++)
                    t += get(w2, f * 4 + k) * log(0.5 + exp(get(b1, k) + dot(basis, e, w1, k, K)) / 2);
                sum += dst[e] == i && r < 4 ? t * (cos(acos(-1) * r / 4) + 1) / 2 * get(x, src[e] * F + f) : 0;
            }
            check(&q, fabs(sum - get(y, i * F + f)) < 1e-13, "cfconv at %d %d", i, f);
        }
    agn_release(y);
    agn_release(d);
    agn_release(w1);
    agn_release(w2);
    agn_release(b1);
    agn_release(b2);
    agn_release(basis);
    tell(&q, "gatv2, nnconv, cfconv, Gaussians against their formulas");

    tally r = {0, 0};
    agn_tensor *e = draw(2, M, F, 0), *v2 = NULL, *e2 = NULL;
    must(agn_graph_apply_edges(&y, c->g, f_edge, x, x, e));
    must(agn_graph_network_block(&v2, &e2, c->g, x, e, f_edge, f_node));
    for (int i = 0; i < N * F; i++) {
        double sum = 0;
        for (int k = 0; k < M; k++) {
            double t = tanh(get(x, src[k] * F + i % F) + get(e, k * F + i % F)) * get(x, dst[k] * F + i % F);
            check(&r, fabs(get(y, k * F + i % F) - t) < 1e-14, "edge %d", k);
            t += get(e, k * F + i % F);
            check(&r, fabs(get(e2, k * F + i % F) - t) < 1e-14, "block, edge %d", k);
            sum += dst[k] == i / F ? t : 0;
        }
        check(&r, fabs(get(v2, i) - get(x, i) - sin(get(x, i) * sum)) < 1e-13, "block, node %d", i / F);
    }
    agn_release(y);
    agn_release(v2);
    agn_release(e2);
    agn_release(e);
    tell(&r, "functions of edges, the block of a mesh network");

    /* a rotation, a reflection and a shift of places: those of what comes out */
    tally s = {0, 0};
    agn_tensor *at = draw(2, N, 2, 0), *moved, *h1, *x1, *h2, *x2;
    double turned[2 * N], angle = 0.7;
    for (int i = 0; i < N; i++) {
        turned[2 * i] = cos(angle) * get(at, 2 * i) + sin(angle) * get(at, 2 * i + 1) + 3;
        turned[2 * i + 1] = sin(angle) * get(at, 2 * i) - cos(angle) * get(at, 2 * i + 1) - 2;
    }
    must(agn_from_host(&moved, AGN_F64, 2, (int64_t[]){N, 2}, turned));
    must(agn_graph_egnn(&h1, &x1, c->g, x, at, NULL, f_pair, f_shift, f_node));
    must(agn_graph_egnn(&h2, &x2, c->g, x, moved, NULL, f_pair, f_shift, f_node));
    for (int i = 0; i < N; i++) {
        double a1 = get(x1, 2 * i), a2 = get(x1, 2 * i + 1);
        check(&s, fabs(get(x2, 2 * i) - cos(angle) * a1 - sin(angle) * a2 - 3) < 1e-13 &&
                      fabs(get(x2, 2 * i + 1) - sin(angle) * a1 + cos(angle) * a2 + 2) < 1e-13, "place %d", i);
        for (int f = 0; f < F; f++)
            check(&s, fabs(get(h1, i * F + f) - get(h2, i * F + f)) < 1e-13, "row %d", i);
    }
    check(&s, get(x1, 8) == get(at, 8) && get(x1, 0) != get(at, 0), "node 4 stays, node 0 moves");
    tell(&s, "egnn moves with its places");
    agn_release(h1);
    agn_release(x1);
    agn_release(h2);
    agn_release(x2);
    agn_release(moved);
    agn_release(at);
    agn_release(x);
}

/* ---- derivatives and failures ------------------------------------------------------------------------ */

static void test_modes(call c)
{
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[4];
        const agn_tensor *in[4];
        agn_fn *f = NULL;
        int n = args[c.what].n;
        for (int i = 0; i < n; i++)
            in[i] = x[i] = draw(args[c.what].ndim[i], args[c.what].shape[i][0], args[c.what].shape[i][1],
                                args[c.what].shape[i][2]);
        must(agn_fn_new(&f, body, &c, NULL, n, 1));
        in_every_mode(f, n, in, 1e-3, 1e-6, names[c.what]);
        agn_fn_release(f);
        for (int i = 0; i < n; i++)
            agn_release(x[i]);
    }
}

static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_graph *two = graph_of(0, M, N, N + 1);
    const agn_graph *odd[2] = {c->g, two}, *hole[2] = {c->g, NULL};
    agn_tensor *out = untouched, *other = untouched, *sp = NULL, *z = random_of(AGN_C128, 2, (int64_t[]){N, F}, -1, 1);
    agn_tensor *few = draw(2, 1, F, 0);
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[4];
        const agn_tensor *in[4];
        int n = args[k].n;
        for (int i = 0; i < n; i++)
            in[i] = x[i] = draw(args[k].ndim[i], args[k].shape[i][0], args[k].shape[i][1], args[k].shape[i][2]);
        if (k != BASIS && k != RGCN)
            BAD(run(k, &out, NULL, c->typed, in), names[k], AGN_ENULL, "g is NULL", NULL);
        if (k == RGCN)
            BAD(run(k, &out, NULL, NULL, in), names[k], AGN_ENULL, "g is NULL", NULL);
        if (k != MPNN)
            BAD(run(k, &out, c->g, c->typed, (const agn_tensor *[]){NULL, in[1], in[2], in[3]}), names[k], AGN_ENULL, NULL,
                NULL);
        BAD(run(k, &out, c->g, c->typed, (const agn_tensor *[]){z, in[1], in[2], in[3]}), names[k], AGN_EDTYPE, "c128",
            NULL);
        must(agn_sparse_from_dense(&sp, few));
        BAD(run(k, &out, c->g, c->typed, (const agn_tensor *[]){sp, in[1], in[2], in[3]}), names[k], AGN_EUNSUPPORTED,
            "sparse", NULL);
        agn_release(sp);
        if (k != BASIS) /* every argument in turn is of another shape */
            for (int i = 0; i < n; i++) {
                const agn_tensor *bad[4] = {in[0], in[1], in[2], in[3]};
                bad[i] = few;
                if (k == CFCONV && i == 1)
                    continue; /* told by the basis */
                BAD(run(k, &out, c->g, c->typed, bad), names[k], AGN_ESHAPE, "[1,3]", NULL);
            }
        for (int i = 0; i < n; i++) {
            const agn_tensor *bad[4] = {in[0], in[1], in[2], in[3]};
            agn_tensor *pairs = NULL;
            must(agn_cast(&pairs, in[i], AGN_C128));
            bad[i] = pairs;
            if (k != CFCONV || i != 1) /* told by the basis */
                BAD(run(k, &out, c->g, c->typed, bad), names[k], AGN_EDTYPE, "c128", NULL);
            agn_release(pairs);
        }
        if (k == CHEB || k == TAG || k == ARMA || k >= EGNN_H)
            BAD(run(k, &out, two, c->typed, in), names[k], AGN_EARG, "5 sources", "6 destinations");
        for (int i = 0; i < n; i++)
            agn_release(x[i]);
    }
    agn_tensor *x = draw(2, N, F, 0), *w = draw(3, 2, O, F), *p = draw(2, O, F, 0), *b = draw(1, O, 0, 0);
    agn_tensor *d = draw(1, M, 0, 0), *e = draw(2, M, K, 0), *w2 = draw(2, F, O, 0), *wide = draw(2, O, K, 0);
    agn_tensor *more = draw(2, O + 1, F, 0), *b2 = draw(2, 1, 1, 0), *fe = draw(2, M, F, 0);
    BAD(agn_graph_cheb(&out, c->g, x, NULL, w, b, 0), "graph_cheb", AGN_EDOMAIN, "is 0", NULL);
    BAD(agn_graph_cheb(&out, c->g, x, NULL, NULL, b, 2), "graph_cheb", AGN_ENULL, "weight is NULL", NULL);
    BAD(agn_graph_tag(&out, c->g, x, NULL, NULL, b), "graph_tag", AGN_ENULL, "weight is NULL", NULL);
    BAD(agn_graph_gatv2(&out, c->g, w, NULL, NULL, 0), "graph_gatv2", AGN_ENULL, "a is NULL", NULL);
    BAD(agn_graph_arma(&out, c->g, x, NULL, w, NULL, w, NULL, 0), "graph_arma", AGN_EARG, "0 layers", NULL);
    BAD(agn_graph_arma(&out, c->g, x, NULL, w, NULL, w, NULL, 2), "graph_arma", AGN_ENULL, "weight is NULL", NULL);
    BAD(agn_graph_arma(&out, c->g, x, NULL, w, NULL, w, b, 1), "graph_arma", AGN_ESHAPE, "bias is [2]", "[2,2]");
    BAD(agn_graph_arma(&out, c->g, x, d, NULL, NULL, w, NULL, 1), "graph_arma", AGN_ENULL, "first is NULL", NULL);
    BAD(agn_graph_arma(&out, c->g, x, d, w, NULL, NULL, NULL, 1), "graph_arma", AGN_ENULL, "root is NULL", NULL);
#define RG(g_, n_, v_, r_, b_, how, st, m1, m2) \
    BAD(agn_graph_rgcn(&out, g_, n_, x, v_, w, r_, b_, how), "graph_rgcn", st, m1, m2)
    RG(c->typed, 0, x, p, b, 0, AGN_EARG, "0 graphs", NULL);
    RG(c->typed, 2, x, p, b, 9, AGN_EARG, "reduce 9", NULL);
    RG(c->typed, 2, NULL, p, b, 0, AGN_ENULL, "v is NULL", NULL);
    RG(c->typed, 2, x, NULL, b, 0, AGN_ENULL, "root is NULL", NULL);
    RG(c->typed, 2, x, more, b, 0, AGN_ESHAPE, "root is [3,3]", "[2,2,3]");
    RG(c->typed, 1, x, p, b, 0, AGN_ESHAPE, "weight is [2,2,3]", "[1,o,3]");
    RG(odd, 2, x, p, b, 0, AGN_EARG, "graph 1 has 6", "graph 0 has 5");
    RG(hole, 2, x, p, b, 0, AGN_ENULL, "g[1] is NULL", NULL);
    BAD(agn_graph_edge_conv(&out, c->g, x, x, p, more, b), "graph_edge_conv", AGN_ESHAPE, "theta is [2,3]", "phi is [3,3]");
    BAD(agn_graph_edge_conv(&out, two, x, NULL, p, p, b), "graph_edge_conv", AGN_ESHAPE, "6 rows", NULL);
    BAD(agn_graph_edge_conv(&out, c->g, x, x, NULL, p, b), "graph_edge_conv", AGN_ENULL, "theta is NULL", NULL);
    BAD(agn_graph_edge_conv(&out, c->g, x, x, p, NULL, b), "graph_edge_conv", AGN_ENULL, "phi is NULL", NULL);
    BAD(agn_graph_pna(&out, c->g, x, 0), "graph_pna", AGN_EDOMAIN, "delta is 0", NULL);
    BAD(agn_graph_gaussian_basis(&out, d, 0, 1, 0), "graph_gaussian_basis", AGN_EARG, "0 Gaussians", NULL);
    BAD(agn_graph_gaussian_basis(&out, d, 1, 1, 2), "graph_gaussian_basis", AGN_EDOMAIN, "lo is 1", NULL);
    BAD(agn_graph_cfconv(&out, c->g, x, e, d, wide, NULL, w2, NULL, 0), "graph_cfconv", AGN_EDOMAIN, "cutoff is 0", NULL);
    BAD(agn_graph_cfconv(&out, c->g, x, e, b, wide, NULL, w2, NULL, 1), "graph_cfconv", AGN_ESHAPE, "d is [2]", "9 rows");
    BAD(agn_graph_cfconv(&out, c->g, x, e, e, wide, NULL, w2, NULL, 1), "graph_cfconv", AGN_ESHAPE, "d is [9,2]", "2 axes");
    BAD(agn_graph_cfconv(&out, c->g, x, e, d, wide, d, w2, NULL, 1), "graph_cfconv", AGN_ESHAPE, "bias is [9]", NULL);
    BAD(agn_graph_cfconv(&out, c->g, x, NULL, d, wide, d, w2, NULL, 1), "graph_cfconv", AGN_ENULL, "basis is NULL", NULL);
    BAD(agn_graph_nnconv(&out, c->g, x, NULL, w, NULL), "graph_nnconv", AGN_ENULL, "hidden is NULL", NULL);
    BAD(agn_graph_nnconv(&out, c->g, x, e, NULL, NULL), "graph_nnconv", AGN_ENULL, "w is NULL", NULL);
    BAD(agn_graph_mpnn(&out, c->g, NULL, x, x, fe, 0), "graph_mpnn", AGN_ENULL, "f is NULL", NULL);
    BAD(agn_graph_mpnn(&out, c->g, f_edge, x, x, fe, 4), "graph_mpnn", AGN_EARG, "reduce 4", NULL);
    BAD(agn_graph_mpnn(&out, c->g, f_edge, x, NULL, fe, 0), "graph_mpnn", AGN_EARG, "3 arguments", "2 and 1");
    BAD(agn_graph_apply_edges(&out, c->g, f_number, x, NULL, NULL), "graph_apply_edges", AGN_ESHAPE, "gives []", "9 rows");
    BAD(agn_graph_apply_edges(&out, c->g, NULL, x, NULL, NULL), "graph_apply_edges", AGN_ENULL, "f is NULL", NULL);
    BAD(agn_graph_apply_edges(&out, c->g, f_edge, x, more, NULL), "graph_apply_edges", AGN_ESHAPE, "v is [3,3]", "5 rows");
    BAD(agn_graph_egnn(&out, &other, c->g, x, x, fe, f_pair, f_shift, f_node), "graph_egnn", AGN_EARG, "f_edge has 3", "4");
    BAD(agn_graph_egnn(&out, &other, c->g, x, x, NULL, f_pair, f_pair, f_node), "graph_egnn", AGN_EARG, "f_shift", "1 and 1");
    BAD(agn_graph_egnn(&out, &other, c->g, x, x, NULL, f_pair, f_shift, NULL), "graph_egnn", AGN_ENULL, "f_node", NULL);
    BAD(agn_graph_network_block(&out, &other, c->g, x, fe, f_edge, f_shift), "graph_network_block", AGN_EARG, "f_node", NULL);
    BAD(agn_graph_network_block(&out, NULL, c->g, x, fe, f_edge, f_node), "graph_network_block", AGN_ENULL, "e_out", NULL);
    check(&q, other == untouched, "the other result too");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {z, few, x, w, p, b, d, e, w2, wide, more, b2, fe};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(two);
}

typedef struct making {
    const call *c;
    const agn_tensor *const *in;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    return run(m->what, out, m->c->g, m->c->typed, m->in);
}

int main(void)
{
    static rows_of what[5] = {{0}, {1}, {2}, {3}, {4}};
    agn_graph *g = graph_of(0, M, N, N), *first = graph_of(0, 4, N, N), *second = graph_of(4, M - 4, N, N);
    call c = {g, {first, second}, 0};
    must(agn_fn_new(&f_edge, rows_body, &what[0], NULL, 3, 1));
    must(agn_fn_new(&f_pair, rows_body, &what[1], NULL, 3, 1));
    must(agn_fn_new(&f_shift, rows_body, &what[2], NULL, 1, 1));
    must(agn_fn_new(&f_node, rows_body, &what[3], NULL, 2, 1));
    must(agn_fn_new(&f_number, rows_body, &what[4], NULL, 1, 1));
    test_spectral(&c);
    test_reductions(&c);
    test_edges(&c);
    test_failures(&c);
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[4];
        for (int i = 0; i < args[k].n; i++)
            x[i] = draw(args[k].ndim[i], args[k].shape[i][0], args[k].shape[i][1], args[k].shape[i][2]);
        making m = {&c, (const agn_tensor *const *)x, k};
        every_allocation(make, &m, names[k]);
        for (int i = 0; i < args[k].n; i++)
            agn_release(x[i]);
    }
    test_modes(c);
    agn_fn *const fs[] = {f_edge, f_pair, f_shift, f_node, f_number};
    for (int k = 0; k < COUNT(fs); k++)
        agn_fn_release(fs[k]);
    agn_graph_release(g);
    agn_graph_release(first);
    agn_graph_release(second);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
