/* t-geometric-propagation - APPNP, GCNII, SGC, directional messages, quantiles of segments, GraphNorm and PairNorm: against
   their formulas by loops, in every mode, failures, allocations. */
#include "geometric.h"

#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_segment.h>

enum { N = 5, M = 9, F = 3, O = 2, K = 2 };
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};
static const int64_t group[M] = {2, 0, 0, 3, 2, 0, 3, 2, 0}; /* segment 1 has no row */

enum { APPNP, GCN2, SGC, DIRECTIONAL, QUANTILE, GRAPH_NORM, PAIR_NORM, EACH_NORM, CALLS };
static const char *const names[] = {"graph_appnp", "graph_gcn2", "graph_sgc", "graph_directional", "geometric_segment_quantile",
                                    "geometric_graph_norm", "geometric_pair_norm", "geometric_pair_norm"};
static const struct {
    int n, ndim[5];
    int64_t shape[5][2];
} args[CALLS] = {
    {2, {2, 1}, {{N, F}, {M}}},
    {4, {2, 2, 1, 2}, {{N, F}, {N, F}, {M}, {F, F}}},
    {4, {2, 1, 2, 1}, {{N, F}, {M}, {O, F}, {O}}},
    {4, {2, 2, 2, 2}, {{N, F}, {M, K}, {O, F}, {O, K}}},
    {1, {2}, {{M, F}}},
    {4, {2, 1, 1, 1}, {{M, F}, {F}, {F}, {F}}},
    {1, {2}, {{M, F}}},
    {1, {2}, {{M, F}}},
};

typedef struct call {
    const agn_graph *g;
    const agn_tensor *ids;
    int what;
} call;
static agn_status run(int what, agn_tensor **out, const agn_graph *g, const agn_tensor *ids, const agn_tensor *const *x)
{
    switch (what) {
    case APPNP: return agn_graph_appnp(out, g, x[0], x[1], 0.2, 3);
    case GCN2: return agn_graph_gcn2(out, g, x[0], x[1], x[2], x[3], 0.3, 0.4);
    case SGC: return agn_graph_sgc(out, g, x[0], x[1], x[2], x[3], 2);
    case DIRECTIONAL: return agn_graph_directional(out, g, x[0], x[1], x[2], x[2], x[3]);
    case QUANTILE: return agn_geometric_segment_quantile(out, x[0], ids, 4, 0.3);
    case GRAPH_NORM: return agn_geometric_graph_norm(out, x[0], ids, x[1], x[2], x[3], 1e-2);
    case PAIR_NORM: return agn_geometric_pair_norm(out, x[0], ids, 1.5, false, 1e-2);
    default: return agn_geometric_pair_norm(out, x[0], ids, 1.5, true, 1e-2);
    }
}
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    agn_tensor *y = NULL;
    agn_status st = run(q->what, &y, q->g, q->ids, in);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* d A d x of n columns */
static void propagate(double *y, const double *x, const agn_tensor *w, int n)
{
    double degree[N] = {0};
    for (int e = 0; e < M; e++)
        degree[dst[e]] += get(w, e);
    for (int i = 0; i < N * n; i++)
        y[i] = 0;
    for (int e = 0; e < M; e++)
        for (int f = 0; f < n && degree[src[e]] > 0; f++)
            y[dst[e] * n + f] += get(w, e) / sqrt(degree[src[e]] * degree[dst[e]]) * x[src[e] * n + f];
}
static double product(const double *x, const agn_tensor *w, int row, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * get(w, row * n + i);
    return sum;
}

static void test_spread(const call *c, agn_tensor *const *x, const agn_tensor *y, tally *t)
{
    double z[N * F], next[N * F], want = 0;
    for (int i = 0; i < N * F; i++)
        z[i] = get(x[0], i);
    const agn_tensor *w = x[c->what == GCN2 ? 2 : 1];
    for (int step = 0; step < (c->what == APPNP ? 3 : c->what == SGC ? 2 : 1); step++) {
        double alpha = c->what == APPNP ? 0.2 : c->what == GCN2 ? 0.3 : 0;
        propagate(next, z, w, F);
        for (int i = 0; i < N * F; i++)
            z[i] = (1 - alpha) * next[i] + alpha * get(x[c->what == GCN2 ? 1 : 0], i);
    }
    for (int i = 0; i < agn_numel(y); i++) {
        if (c->what == APPNP)
            want = z[i];
        else if (c->what == GCN2)
            want = 0.6 * z[i] + 0.4 * product(z + i / F * F, x[3], i % F, F);
        else
            want = product(z + i / O * F, x[2], i % O, F) + get(x[3], i % O);
        check(t, fabs(get(y, i) - want) < 1e-13, "%s, element %d", names[c->what], i);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_segments(const call *c, const agn_tensor *x, const agn_tensor *const *all, const agn_tensor *y, tally *t)
{
    for (int s = 0; s < 4; s++)
        for (int f = 0; f < F; f++) {
            double v[M], mean[F] = {0}, two = 0, var = 0;
            int n = 0;
            for (int k = 0; k < M; k++)
                if (group[k] == s) {
                    v[n++] = get(x, k * F + f);
                    for (int j = 0; j < F; j++)
                        mean[j] += get(x, k * F + j);
                }
            if (c->what == QUANTILE) {
                qsort(v, (size_t)n, sizeof *v, ascending);
                int at = n ? (int)(0.3 * (n - 1)) : 0;
                double want = n ? v[at] + (0.3 * (n - 1) - at) * (v[at + (n > 1)] - v[at]) : (double)NAN, is = get(y, s * F + f);
                check(t, n ? fabs(is - want) < 1e-14 : isnan(is), "quantile of segment %d, column %d: %g, %g", s, f, is, want);
                continue;
            }
            for (int j = 0; j < F; j++)
                mean[j] /= n ? n : 1;
            double alpha = c->what == GRAPH_NORM ? get(all[1], f) : 1;
            for (int k = 0; k < M; k++)
                if (group[k] == s) {
                    for (int j = 0; j < F; j++)
                        two += pow(get(x, k * F + j) - mean[j], 2) / n;
                    var += pow(get(x, k * F + f) - alpha * mean[f], 2) / n;
                }
            for (int k = 0; k < M; k++)
                if (group[k] == s) {
                    double apart = get(x, k * F + f) - alpha * mean[f], own = 0, want;
                    for (int j = 0; j < F; j++)
                        own += pow(get(x, k * F + j) - mean[j], 2);
                    if (c->what == GRAPH_NORM)
                        want = apart / sqrt(var + 1e-2) * get(all[2], f) + get(all[3], f);
                    else
                        want = 1.5 * apart / sqrt((c->what == PAIR_NORM ? two : own) + 1e-2);
                    check(t, fabs(get(y, k * F + f) - want) < 1e-13, "%s, row %d", names[c->what], k);
                }
        }
}

static void test_values(call c)
{
    tally t = {0, 0};
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[5], *y = NULL;
        for (int i = 0; i < args[c.what].n; i++)
            x[i] = random_of(AGN_F64, args[c.what].ndim[i], args[c.what].shape[i], 0.5, 1.5);
        must(run(c.what, &y, c.g, c.ids, (const agn_tensor *const *)x));
        if (c.what <= SGC)
            test_spread(&c, x, y, &t);
        else if (c.what >= QUANTILE)
            test_segments(&c, x[0], (const agn_tensor *const *)x, y, &t);
        for (int i = 0; c.what == DIRECTIONAL && i < N * O; i++) {
            double want = 0;
            for (int f = 0; f < F; f++)
                want += get(x[0], i / O * F + f) * get(x[2], i % O * F + f);
            for (int e = 0; e < M; e++)
                if (dst[e] == i / O) {
                    double a = 0, b = 0;
                    for (int f = 0; f < F; f++)
                        a += get(x[0], src[e] * F + f) * get(x[2], i % O * F + f);
                    for (int k = 0; k < K; k++)
                        b += get(x[1], e * K + k) * get(x[3], i % O * K + k);
                    want += a * b;
                }
            check(&t, fabs(get(y, i) - want) < 1e-13, "directional, element %d", i);
        }
        agn_release(y);
        release_all(x, args[c.what].n);
    }
    tell(&t, "values by loops");
}

/* rows whose squares have no number are normalised to none */
static void test_large_rows(void)
{
    tally t = {0, 0};
    const double u = 1e160;
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){u, 0, 0, u, -u, u / 2}), *i = whole(3, (int64_t[]){0, 0, 0}), *y;
    for (int k = 0; k < 3; k++) {
        agn_status st = k == 2 ? agn_geometric_graph_norm(&y, x, i, NULL, NULL, NULL, 1e-5)
                               : agn_geometric_pair_norm(&y, x, i, 1, k, 1e-5);
        must(st);
        for (int j = 0; j < 6; j++)
            check(&t, isnan(get(y, j)), "norm %d, element %d: %g", k, j, get(y, j));
        agn_release(y);
    }
    RELEASE(x, i);
    tell(&t, "norms of rows of 1e160 are none");
}

/* NumPy's quantiles of [3, 1, 2, 7] and of one number; ties, NaN, integers, both ends */
static void test_quantiles(void)
{
    tally t = {0, 0};
    static const double q[] = {0, 0.25, 0.5, 0.9, 1}, want[] = {1, 1.75, 2.5, 5.8, 7};
    static const int64_t ids[] = {1, 0, 1, 1, 1, 2, 2};
    agn_tensor *x, *i = whole(7, ids), *y, *k, *none = whole(0, NULL), *empty;
    int64_t n = 7;
    must(agn_from_host(&x, AGN_F64, 1, &n, (double[]){3, 42, 1, 2, 7, NAN, 1}));
    must(agn_cast(&k, x, AGN_F32));
    for (int j = 0; j < COUNT(q); j++) {
        must(agn_geometric_segment_quantile(&y, x, i, 0, q[j]));
        check(&t, has_shape(y, 1, (int64_t[]){3}) && fabs(get(y, 1) - want[j]) < 1e-14, "quantile %g is %g", q[j], get(y, 1));
        check(&t, get(y, 0) == 42 && isnan(get(y, 2)), "one number, and NaN");
        agn_release(y);
        must(agn_geometric_segment_quantile(&y, k, i, 0, q[j]));
        check(&t, agn_dtype_of(y) == AGN_F32 && fabs(get(y, 1) - want[j]) < 1e-6, "of f32");
        agn_release(y);
    }
    must(agn_full(&empty, AGN_F64, 2, (int64_t[]){0, 2}, 0));
    must(agn_geometric_segment_quantile(&y, empty, none, 3, 0.5));
    check(&t, has_shape(y, 2, (int64_t[]){3, 2}) && isnan(get(y, 0)) && isnan(get(y, 5)), "of no rows NaN");
    agn_release(y);
    must(agn_geometric_segment_quantile(&y, i, i, 0, 0.5));
    check(&t, agn_dtype_of(y) == AGN_F64 && get(y, 1) == 1 && get(y, 2) == 2, "of integers");
    RELEASE(x, i, y, k, none, empty);
    /* ends whose difference is no number */
    const double inf = (double)INFINITY;
    i = whole(10, (int64_t[]){0, 0, 1, 1, 2, 2, 3, 3, 4, 4});
    n = 10;
    must(agn_from_host(&x, AGN_F64, 1, &n, (double[]){inf, inf, -1e308, 1e308, -inf, 1, 1, inf, -inf, inf}));
    must(agn_geometric_segment_quantile(&y, x, i, 0, 0.5));
    check(&t, get(y, 0) == inf && get(y, 1) == 0 && get(y, 2) == -inf && get(y, 3) == inf && isnan(get(y, 4)),
          "far ends: %g %g %g %g %g", get(y, 0), get(y, 1), get(y, 2), get(y, 3), get(y, 4));
    RELEASE(x, i, y);
    tell(&t, "quantiles: NumPy's, ends, NaN, none");
}

/* ---- derivatives, failures --------------------------------------------------------------------------- */

static void test_modes(call c)
{
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[5];
        agn_fn *f = NULL;
        for (int i = 0; i < args[c.what].n; i++)
            x[i] = random_of(AGN_F64, args[c.what].ndim[i], args[c.what].shape[i], 0.5, 1.5);
        must(agn_fn_new(&f, body, &c, NULL, args[c.what].n, 1));
        if (c.what != QUANTILE)
            in_every_mode(f, args[c.what].n, (const agn_tensor *const *)x, 1e-3, 1e-6, names[c.what]);
        agn_fn_release(f);
        release_all(x, args[c.what].n);
    }
}

/* of a quantile: the slopes are those of the values that are met */
static void test_slopes(const call *c)
{
    tally t = {0, 0};
    call q = {c->g, c->ids, QUANTILE};
    agn_fn *f = NULL, *pull = NULL;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){M, F}, 0.5, 1.5), *g, *out[2], *near, *y;
    must(agn_fn_new(&f, body, &q, NULL, 1, 1));
    must(agn_fn_vjp(&pull, f));
    must(agn_full(&g, AGN_F64, 2, (int64_t[]){4, F}, 1));
    must(agn_fn_call(out, 2, pull, AGN_ARGS(x, g)));
    for (int k = 0; k < M * F; k++) {
        double v[M * F], h = 1e-6, rise = 0;
        for (int i = 0; i < M * F; i++)
            v[i] = get(x, i) + (i == k ? h : 0);
        must(agn_from_host(&near, AGN_F64, 2, (int64_t[]){M, F}, v));
        must(run(QUANTILE, &y, c->g, c->ids, (const agn_tensor *[]){near}));
        for (int i = 0; i < 4 * F; i++)
            rise += isnan(get(y, i)) ? 0 : (get(y, i) - get(out[0], i)) / h;
        check(&t, fabs(rise - get(out[1], k)) < 1e-6, "element %d: %g, differences say %g", k, get(out[1], k), rise);
        RELEASE(near, y);
    }
    RELEASE(x, g, out[0], out[1]);
    agn_fn_release(f);
    agn_fn_release(pull);
    tell(&t, "slopes of quantiles");
}

static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_graph *two = make_graph(M, src, dst, N, N + 1);
    agn_tensor *out = untouched, *sp = NULL, *z = random_of(AGN_C128, 2, (int64_t[]){M, F}, -1, 1);
    agn_tensor *few = random_of(AGN_F64, 2, (int64_t[]){1, F + 1}, 0, 1), *one = random_of(AGN_F64, 1, (int64_t[]){M}, 0, 1);
    agn_tensor *zn = random_of(AGN_C128, 2, (int64_t[]){N, F}, -1, 1), *far = whole(M, (int64_t[]){0, 1, 2, 3, 4, 0, 0, 0, 0});
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[5];
        const agn_tensor *in[5] = {NULL};
        int n = args[k].n;
        for (int i = 0; i < n; i++)
            in[i] = x[i] = random_of(AGN_F64, args[k].ndim[i], args[k].shape[i], 0.5, 1.5);
        bool rows = k >= QUANTILE;
        BAD(run(k, &out, rows ? c->g : NULL, rows ? NULL : c->ids, in), names[k], AGN_ENULL, rows ? "ids is NULL" : "is NULL", NULL);
        BAD(run(k, NULL, c->g, c->ids, in), names[k], AGN_ENULL, "out is NULL", NULL);
        BAD(run(k, &out, c->g, c->ids, (const agn_tensor *[]){NULL, in[1], in[2], in[3], in[4]}), names[k], AGN_ENULL, "is NULL",
            NULL);
        BAD(run(k, &out, c->g, c->ids, (const agn_tensor *[]){rows ? z : zn, in[1], in[2], in[3], in[4]}), names[k], AGN_EDTYPE,
            "c128", NULL);
        must(agn_sparse_from_dense(&sp, few));
        BAD(run(k, &out, c->g, c->ids, (const agn_tensor *[]){sp, in[1], in[2], in[3], in[4]}), names[k], AGN_EUNSUPPORTED,
            "sparse", NULL);
        agn_release(sp);
        for (int i = 0; i < n; i++) {
            const agn_tensor *bad[5] = {in[0], in[1], in[2], in[3], in[4]};
            bad[i] = few;
            BAD(run(k, &out, c->g, c->ids, bad), names[k], AGN_ESHAPE, "[1,4]", NULL);
            agn_tensor *pairs = NULL;
            must(agn_cast(&pairs, x[i], AGN_C128));
            bad[i] = pairs;
            BAD(run(k, &out, c->g, c->ids, bad), names[k], AGN_EDTYPE, "c128", NULL);
            agn_release(pairs);
        }
        if (!rows)
            BAD(run(k, &out, two, c->ids, in), names[k], AGN_EARG, "5 sources", "6 destinations");
        if (rows)
            BAD(run(k, &out, c->g, one, in), names[k], AGN_EDTYPE, "f64", NULL);
        release_all(x, n);
    }
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, 0, 1), *w = random_of(AGN_F64, 2, (int64_t[]){O, F}, 0, 1);
    agn_tensor *r = random_of(AGN_F64, 2, (int64_t[]){M, F}, 0, 1);
    BAD(agn_graph_appnp(&out, c->g, x, NULL, 1.5, 1), "graph_appnp", AGN_EDOMAIN, "1.5", NULL);
    BAD(agn_graph_appnp(&out, c->g, x, NULL, NAN, 1), "graph_appnp", AGN_EDOMAIN, "nan", NULL);
    BAD(agn_graph_appnp(&out, c->g, x, NULL, 0.5, -1), "graph_appnp", AGN_EARG, "-1 steps", NULL);
    BAD(agn_graph_sgc(&out, c->g, x, NULL, w, NULL, -1), "graph_sgc", AGN_EARG, "-1 steps", NULL);
    BAD(agn_graph_sgc(&out, c->g, x, NULL, NULL, NULL, 1), "graph_sgc", AGN_ENULL, "weight is NULL", NULL);
    BAD(agn_graph_gcn2(&out, c->g, x, x, NULL, w, 0.5, 0.5), "graph_gcn2", AGN_ESHAPE, "[2,3]", "square");
    BAD(agn_graph_gcn2(&out, c->g, x, x, NULL, w, -1, 0.5), "graph_gcn2", AGN_EDOMAIN, "alpha is -1", NULL);
    BAD(agn_graph_gcn2(&out, c->g, x, x, NULL, w, 1, 2), "graph_gcn2", AGN_EDOMAIN, "beta is 2", NULL);
    BAD(agn_geometric_segment_quantile(&out, r, c->ids, 4, -0.1), "geometric_segment_quantile", AGN_EDOMAIN, "-0.1", NULL);
    BAD(agn_geometric_segment_quantile(&out, r, c->ids, 4, NAN), "geometric_segment_quantile", AGN_EDOMAIN, "nan", NULL);
    BAD(agn_geometric_segment_quantile(&out, r, far, 3, 0.5), "geometric_segment_quantile", AGN_EINDEX, "edge 3", "3");
    BAD(agn_geometric_graph_norm(&out, r, c->ids, NULL, NULL, NULL, 0), "geometric_graph_norm", AGN_EDOMAIN, "eps is 0", NULL);
    BAD(agn_geometric_pair_norm(&out, r, c->ids, 1, false, NAN), "geometric_pair_norm", AGN_EDOMAIN, "eps is nan", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(z, few, one, zn, far, x, w, r);
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
    return run(m->what, out, m->c->g, m->c->ids, m->in);
}

int main(void)
{
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *ids = whole(M, group);
    call c = {g, ids, 0};
    test_values(c);
    test_quantiles();
    test_large_rows();
    test_slopes(&c);
    test_failures(&c);
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[5];
        for (int i = 0; i < args[k].n; i++)
            x[i] = random_of(AGN_F64, args[k].ndim[i], args[k].shape[i], 0.5, 1.5);
        making m = {&c, (const agn_tensor *const *)x, k};
        every_allocation(make, &m, names[k]);
        release_all(x, args[k].n);
    }
    test_modes(c);
    agn_release(ids);
    agn_graph_release(g);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
