/* t-geometric-types - hypergraphs, attention over several types of edges (HGT, HAN), GINE, FiLM,
   PAN, local extremes, SuperGAT: against their formulas by loops, in every mode, failures,
   allocations. */
#include "geometric-calls.h"

#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_transform.h>

/* loops, parallel edges, node 5 alone; the second type has sources of its own */
enum { N = 6, M = 10, M2 = 5, N2 = 3, F = 3, O = 2, HEADS = 2, H = 2, VIEWS = 2, PATHS = 3 };
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1, 3},
                     dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2, 2};
static const int64_t src2[M2] = {2, 0, 1, 2, 0}, dst2[M2] = {0, 1, 1, 5, 0};

enum { GINE, FILM_SUM, FILM_MAX, PAN, LECONV, SUPERGAT, HYPER, HGT, SEMANTIC, CALLS };
static const char *const names[CALLS] = {
    "graph_gine",       "graph_film",   "graph_film",
    "graph_pan",        "graph_leconv", "graph_supergat",
    "graph_hypergraph", "graph_hgt",    "geometric_semantic_attention"};
static const struct {
    int n, ndim[6];
    int64_t shape[6][3];
} args[CALLS] = {
    {3, {2, 2, 0}, {{N, F}, {M, F}, {0}}},
    {3, {2, 2, 2}, {{N, F}, {N, F}, {N, F}}},
    {3, {2, 2, 2}, {{N, F}, {N, F}, {N, F}}},
    {4, {2, 1, 2, 1}, {{N, F}, {PATHS}, {O, F}, {O}}},
    {6, {2, 1, 2, 2, 2, 1}, {{N, F}, {M}, {O, F}, {O, F}, {O, F}, {O}}},
    {4, {3, 3, 2, 2}, {{N, HEADS, F}, {N, HEADS, F}, {HEADS, F}, {HEADS, F}}},
    {4, {2, 1, 2, 1}, {{N, F}, {N}, {O, F}, {O}}},
    {6,
     {3, 3, 3, 3, 3, 2},
     {{N, HEADS, F}, {N, HEADS, F}, {N2, HEADS, F}, {N, HEADS, H}, {N2, HEADS, H}, {2, HEADS}}},
    {4, {3, 2, 1, 1}, {{VIEWS, N, F}, {H, F}, {H}, {H}}},
};

typedef struct call {
    const agn_graph *const *g;
    int what;
} call;
static agn_status run(const void *user, agn_tensor **out, const agn_tensor *const *x)
{
    const call *c = user;
    const agn_graph *g = c->g[0];
    switch (c->what) {
    case GINE:
        return agn_graph_gine(out, g, x[0], x[1], x[2]);
    case FILM_SUM:
        return agn_graph_film(out, g, x[0], x[1], x[2], AGN_GEOMETRIC_SUM);
    case FILM_MAX:
        return agn_graph_film(out, g, x[0], x[1], x[2], AGN_GEOMETRIC_MAX);
    case PAN:
        return agn_graph_pan(out, g, x[0], x[1], x[2], x[3]);
    case LECONV:
        return agn_graph_leconv(out, g, x[0], x[1], x[2], x[3], x[4], x[5]);
    case SUPERGAT:
        return agn_graph_supergat(out, g, x[0], x[1], x[2], x[3], 0.2);
    case HYPER:
        return agn_graph_hypergraph(out, g, x[0], x[1], x[2], x[3]);
    case HGT:
        return agn_graph_hgt(out, c->g, 2, x[0], x + 1, x + 3, x[5]);
    default:
        return agn_geometric_semantic_attention(out, x[0], x[1], x[2], x[3]);
    }
}
static void draw(int what, agn_tensor **x)
{
    for (int i = 0; i < args[what].n; i++)
        x[i] = random_of(AGN_F64, args[what].ndim[i], args[what].shape[i],
                         what == SUPERGAT || what == HGT ? -1 : 0.5, 1.5);
}

/* ---- values --------------------------------------------------------------------------------- */

/* row i of x, [.., n], times row o of w, [.., n] */
static double dot(const agn_tensor *x, int64_t i, const agn_tensor *w, int64_t o, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += get(x, i * n + k) * get(w, o * n + k);
    return sum;
}
static double relu(double v)
{
    return v > 0 ? v : 0;
}

static double want_modulated(int what, agn_tensor *const *x, int64_t i, int64_t f)
{
    double y = what == GINE ? (1 + get(x[2], 0)) * get(x[0], i * F + f) : 0;
    bool first = true;
    for (int e = 0; e < M; e++) {
        double u = get(x[0], src[e] * F + f);
        if (dst[e] != i)
            continue;
        if (what == GINE) {
            y += relu(u + get(x[1], e * F + f));
            continue;
        }
        double m = relu(get(x[1], i * F + f) * u + get(x[2], i * F + f));
        y = what == FILM_SUM ? y + m : first || m > y ? m : y;
        first = false;
    }
    return y;
}

static double want_pan(agn_tensor *const *x, int64_t i, int64_t o)
{
    double power[N][N] = {{0}}, m[N][N] = {{0}}, z[N] = {0}, y = get(x[3], o);
    for (int a = 0; a < N; a++)
        power[a][a] = 1;
    for (int l = 0; l < PATHS; l++) {
        double next[N][N] = {{0}};
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                m[a][b] += get(x[1], l) * power[a][b];
        for (int e = 0; e < M; e++)
            for (int b = 0; b < N; b++)
                next[dst[e]][b] += power[src[e]][b];
        memcpy(power, next, sizeof power);
    }
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            z[a] += m[a][b];
    for (int b = 0; b < N; b++)
        y += m[i][b] / sqrt(z[i] * z[b]) * dot(x[0], b, x[2], o, F);
    return y;
}

static double want_leconv(agn_tensor *const *x, int64_t i, int64_t o)
{
    double y = dot(x[0], i, x[2], o, F) + get(x[5], o);
    for (int e = 0; e < M; e++)
        if (dst[e] == i)
            y += get(x[1], e) * (dot(x[0], i, x[3], o, F) - dot(x[0], src[e], x[4], o, F));
    return y;
}

/* of one head: scores of edges that reach i, weighed values */
static double want_supergat(agn_tensor *const *x, int64_t i, int64_t h, int64_t f)
{
    double sum = 0, y = 0;
    for (int e = 0; e < M; e++)
        if (dst[e] == i) {
            int64_t u = src[e] * HEADS + h, v = i * HEADS + h;
            double p = dot(x[0], u, x[2], h, F) + dot(x[1], v, x[3], h, F);
            p /= 1 + exp(-dot(x[0], u, x[1], v, F));
            p = exp(p < 0 ? 0.2 * p : p);
            sum += p;
            y += p * get(x[0], u * F + f);
        }
    return sum > 0 ? y / sum : 0;
}
static double want_hgt(agn_tensor *const *x, int64_t i, int64_t h, int64_t f)
{
    double sum = 0, y = 0;
    for (int r = 0; r < 2; r++)
        for (int e = 0; e < (r ? M2 : M); e++)
            if ((r ? dst2 : dst)[e] == i) {
                int64_t u = (r ? src2 : src)[e] * HEADS + h;
                double p = dot(x[0], i * HEADS + h, x[1 + r], u, F) / sqrt(F);
                p = exp(p * get(x[5], r * HEADS + h));
                sum += p;
                y += p * get(x[3 + r], u * H + f);
            }
    return sum > 0 ? y / sum : 0;
}

static double want_hyper(agn_tensor *const *x, int64_t i, int64_t o)
{
    double sum = 0, y = 0;
    for (int e = 0; e < M; e++) /* the hyperedges of i */
        if (src[e] == i) {
            double mean = 0, n = 0;
            for (int k = 0; k < M; k++)
                if (dst[k] == dst[e]) {
                    mean += dot(x[0], src[k], x[2], o, F);
                    n++;
                }
            sum += get(x[1], dst[e]);
            y += get(x[1], dst[e]) * mean / n;
        }
    return (sum > 0 ? y / sum : 0) + get(x[3], o);
}

static double want_semantic(agn_tensor *const *x, int64_t i, int64_t f)
{
    double a[VIEWS] = {0}, sum = 0, y = 0;
    for (int r = 0; r < VIEWS; r++) {
        for (int k = 0; k < N; k++)
            for (int o = 0; o < H; o++)
                a[r] += get(x[3], o) * tanh(dot(x[0], r * N + k, x[1], o, F) + get(x[2], o)) / N;
        sum += exp(a[r]);
    }
    for (int r = 0; r < VIEWS; r++)
        y += exp(a[r]) / sum * get(x[0], (r * N + i) * F + f);
    return y;
}

static double want_of(int what, agn_tensor *const *x, int64_t k)
{
    switch (what) {
    case PAN:
        return want_pan(x, k / O, k % O);
    case LECONV:
        return want_leconv(x, k / O, k % O);
    case SUPERGAT:
        return want_supergat(x, k / F / HEADS, k / F % HEADS, k % F);
    case HYPER:
        return want_hyper(x, k / O, k % O);
    case HGT:
        return want_hgt(x, k / H / HEADS, k / H % HEADS, k % H);
    case SEMANTIC:
        return want_semantic(x, k / F, k % F);
    default:
        return want_modulated(what, x, k / F, k % F);
    }
}

static void test_values(call c)
{
    static const int64_t size[CALLS] = {
        [GINE] = N * F,  [FILM_SUM] = N * F,    [FILM_MAX] = N * F,
        [PAN] = N * O,   [LECONV] = N * O,      [SUPERGAT] = N * HEADS * F,
        [HYPER] = N * O, [HGT] = N * HEADS * H, [SEMANTIC] = N * F};
    tally t = {0, 0};
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[6], *y = NULL;
        draw(c.what, x);
        must(run(&c, &y, (const agn_tensor *const *)x));
        check(&t, agn_numel(y) == size[c.what], "%s: size", names[c.what]);
        for (int64_t k = 0; k < agn_numel(y); k++)
            check(&t, fabs(get(y, k) - want_of(c.what, x, k)) < 1e-13, "%s, element %lld: %g, %g",
                  names[c.what], (long long)k, get(y, k), want_of(c.what, x, k));
        agn_release(y);
        release_all(x, args[c.what].n);
    }
    tell(&t, "values by loops");
}

/* options left out; products before and behind the sums; weights that sum to 0; f32; no edges */
static void test_options(const call *c)
{
    tally t = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, F}, -1, 1), *y, *z, *one, *zero, *far,
               *out;
    agn_tensor *wide = random_of(AGN_F64, 2, (int64_t[]){F + 2, F}, -1, 1);
    agn_graph *none = make_graph(0, NULL, NULL, N, N);
    must(agn_full(&one, AGN_F64, 1, (int64_t[]){N}, 1));
    must(agn_full(&zero, AGN_F64, 1, (int64_t[]){N}, 0));
    must(agn_graph_hypergraph(&y, c->g[0], x, NULL, NULL, NULL));
    must(agn_graph_hypergraph(&z, c->g[0], x, one, NULL, NULL));
    for (int k = 0; k < N * F; k++)
        check(&t, fabs(get(y, k) - get(z, k)) < 1e-14, "hyperedges without weights, element %d", k);
    must(agn_graph_hypergraph(&far, c->g[0], x, NULL, wide, NULL));
    for (int k = 0; k < N * (F + 2); k++)
        check(&t, fabs(get(far, k) - dot(y, k / (F + 2), wide, k % (F + 2), F)) < 1e-14,
              "the product behind, element %d", k);
    RELEASE(y, z, far);
    must(agn_graph_hypergraph(&y, c->g[0], x, zero, NULL, NULL));
    for (int k = 0; k < N * F; k++)
        check(&t, get(y, k) == 0, "weights of 0, element %d: %g", k, get(y, k));
    agn_release(y);
    for (call q = {.g = (const agn_graph *const[]){none, none}}; q.what < CALLS; q.what++) {
        agn_tensor *in[6], *narrow[6];
        if (q.what == GINE || q.what == LECONV || q.what == HGT)
            continue; /* their arguments count edges, or sources of another graph */
        draw(q.what, in);
        for (int i = 0; i < args[q.what].n; i++)
            must(agn_cast(&narrow[i], in[i], AGN_F32));
        must(run(&q, &out, (const agn_tensor *const *)in));
        must(run(&q, &y, (const agn_tensor *const *)narrow));
        check(&t, agn_dtype_of(y) == AGN_F32, "%s of f32 is %d", names[q.what], agn_dtype_of(y));
        for (int64_t k = 0; k < agn_numel(y); k++) {
            bool bias = q.what == HYPER, own = q.what == PAN || q.what == SEMANTIC;
            check(&t, fabs(get(y, k) - get(out, k)) < 1e-5, "f32 of %s", names[q.what]);
            check(&t, own || get(out, k) == (bias ? get(in[3], k % O) : 0), "%s without edges",
                  names[q.what]);
        }
        RELEASE(y, out);
        release_all(in, args[q.what].n);
        release_all(narrow, args[q.what].n);
    }
    RELEASE(x, one, zero, wide);
    agn_graph_release(none);
    tell(&t, "options, f32, no edges");
}

/* ---- derivatives, failures ------------------------------------------------------------------ */

static void test_modes(call c)
{
    for (c.what = 0; c.what < CALLS; c.what++) {
        agn_tensor *x[6];
        draw(c.what, x);
        call_in_every_mode(run, &c, args[c.what].n, x, 2e-6, names[c.what]);
        release_all(x, args[c.what].n);
    }
}

static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_graph *two = make_graph(M, src, dst, N, N + 1), *few_dst = make_graph(0, NULL, NULL, 2, 2);
    agn_tensor *out = untouched, *sp = NULL;
    agn_tensor *few = random_of(AGN_F64, 2, (int64_t[]){1, F + 1}, 0, 1);
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, \
          agn_error_message())
    must(agn_sparse_from_dense(&sp, few));
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[6], *z = NULL;
        const agn_tensor *in[6] = {NULL};
        call now = {.g = c->g, .what = k},
             other = {.g = (const agn_graph *const[]){two, two}, .what = k},
             nothing = {.g = (const agn_graph *const[]){NULL, NULL}, .what = k};
        draw(k, x);
        memcpy(in, x, (size_t)args[k].n * sizeof *in);
        must(agn_cast(&z, x[0], AGN_C128));
        BAD(run(&now, NULL, in), names[k], AGN_ENULL, "out is NULL", NULL);
        if (k != SEMANTIC)
            BAD(run(&nothing, &out, in), names[k], AGN_ENULL, "NULL", NULL);
        const agn_tensor *const first = in[0];
        in[0] = NULL;
        BAD(run(&now, &out, in), names[k], AGN_ENULL, "is NULL", NULL);
        in[0] = z;
        BAD(run(&now, &out, in), names[k], AGN_EDTYPE, "c128", NULL);
        in[0] = sp;
        BAD(run(&now, &out, in), names[k], AGN_EUNSUPPORTED, "sparse", NULL);
        in[0] = first;
        for (int i = 0; i < args[k].n; i++) {
            in[i] = few;
            BAD(run(&now, &out, in), names[k], AGN_ESHAPE, "[1,4]", NULL);
            agn_tensor *complex_ = NULL;
            must(agn_cast(&complex_, x[i], AGN_C128));
            in[i] = complex_;
            BAD(run(&now, &out, in), names[k], AGN_EDTYPE, "c128", NULL);
            agn_release(complex_);
            in[i] = x[i];
        }
        if (k == GINE || k == PAN || k == LECONV)
            BAD(run(&other, &out, in), names[k], AGN_EARG, "6 sources", "7 destinations");
        if (k == FILM_SUM)
            BAD(agn_graph_film(&out, c->g[0], in[0], in[1], in[2], 4), names[k], AGN_EARG,
                "reduce 4", NULL);
        if (k == HGT) {
            const agn_graph *mixed[2] = {c->g[0], few_dst};
            BAD(agn_graph_hgt(&out, c->g, 0, in[0], in + 1, in + 3, NULL), names[k], AGN_EARG,
                "0 graphs", NULL);
            BAD(agn_graph_hgt(&out, mixed, 2, in[0], in + 1, in + 3, NULL), names[k], AGN_EARG,
                "2 destinations", "6");
        }
        agn_release(z);
        release_all(x, args[k].n);
    }
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(few, sp);
    agn_graph_release(two);
    agn_graph_release(few_dst);
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
    agn_graph *g = make_graph(M, src, dst, N, N), *own = make_graph(M2, src2, dst2, N2, N);
    call c = {.g = (const agn_graph *const[]){g, own}};
    test_values(c);
    test_options(&c);
    test_failures(&c);
    for (int k = 0; k < CALLS; k++) {
        agn_tensor *x[6];
        draw(k, x);
        making m = {{.g = c.g, .what = k}, (const agn_tensor *const *)x};
        every_allocation(make, &m, names[k]);
        release_all(x, args[k].n);
    }
    test_modes(c);
    agn_graph_release(g);
    agn_graph_release(own);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
