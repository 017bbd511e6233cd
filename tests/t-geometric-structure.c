/* t-geometric-structure - simple graphs, line graphs, components, cores, encodings, angles: against loops over edges and
   closed forms, in every mode, and every failure. */
#include "geometric.h"

#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_structure.h>

enum { N = 5, M = 9, MOST = 200 };
/* a loop, parallel edges, node 4 without edges that reach it */
static const int64_t src[M] = {0, 1, 2, 2, 3, 4, 0, 0, 1}, dst[M] = {1, 0, 1, 3, 2, 3, 0, 1, 2};

/* ---- simpler graphs -------------------------------------------------------------------------------- */

static void test_simple(int64_t n, int64_t m, const int64_t *from, const int64_t *to)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(m, from, to, n, n), *h;
    agn_tensor *x;
    static int64_t a[4 * MOST * MOST], b[4 * MOST * MOST], want_a[2 * MOST], want_b[2 * MOST], want_e[2 * MOST];
    must(agn_graph_coalesce(&h, &x, g));
    int64_t k = read_edges(h, a, b), w = 0;
    for (int64_t e = 0; e < m; e++) {
        int64_t j = 0;
        while (j < w && (want_a[j] != from[e] || want_b[j] != to[e]))
            j++;
        check(&q, (int64_t)get(x, e) == j, "edge %d becomes %g", (int)e, get(x, e));
        if (j == w) {
            want_a[w] = from[e];
            want_b[w++] = to[e];
        }
    }
    check(&q, k == w && !memcmp(a, want_a, (size_t)w * sizeof *a) && !memcmp(b, want_b, (size_t)w * sizeof *b), "coalesced");
    agn_release(x);
    agn_graph_release(h);
    must(agn_graph_undirected(&h, &x, g));
    k = read_edges(h, a, b);
    w = 0;
    for (int64_t e = 0; e < 2 * m; e++) {
        int64_t i = e < m ? from[e] : to[e - m], j = e < m ? to[e] : from[e - m], f = 0;
        while (f < w && (want_a[f] != i || want_b[f] != j))
            f++;
        if (f == w) {
            want_a[w] = i;
            want_b[w] = j;
            want_e[w++] = e % m;
        }
    }
    check(&q, k == w, "%d edges both ways, not %d", (int)k, (int)w);
    for (int64_t e = 0; e < w && e < k; e++)
        check(&q, a[e] == want_a[e] && b[e] == want_b[e] && (int64_t)get(x, e) == want_e[e], "edge %d both ways", (int)e);
    agn_release(x);
    agn_graph_release(h);
    must(agn_graph_drop_loops(&h, &x, g));
    k = read_edges(h, a, b);
    w = 0;
    for (int64_t e = 0; e < m; e++)
        if (from[e] != to[e]) {
            check(&q, w < k && a[w] == from[e] && b[w] == to[e] && (int64_t)get(x, w) == e, "edge %d is no loop", (int)e);
            w++;
        }
    check(&q, k == w, "loops");
    agn_release(x);
    agn_graph_release(h);
    for (int back = 0; back < 2; back++) {
        int64_t n_src, n_dst;
        must(agn_graph_line(&h, &x, g, back));
        must(agn_graph_size(&n_src, &n_dst, NULL, h));
        k = read_edges(h, a, b);
        w = 0;
        for (int64_t e = 0; e < m; e++)
            for (int64_t f = 0; f < m; f++)
                if (to[e] == from[f] && (back || to[f] != from[e])) {
                    check(&q, w < k && a[w] == e && b[w] == f && (int64_t)get(x, w) == to[e], "pair %d %d", (int)e, (int)f);
                    w++;
                }
        check(&q, k == w && n_src == m && n_dst == m, "%d pairs, not %d", (int)k, (int)w);
        agn_release(x);
        agn_graph_release(h);
    }
    tell(&q, "simple graphs and line graphs of %d edges against loops", (int)m);
    agn_graph_release(g);
}

/* ---- cores, components, adjacency -------------------------------------------------------------------- */

static void test_cores(int64_t n, int64_t m, const int64_t *from, const int64_t *to)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(m, from, to, n, n);
    agn_tensor *x;
    bool tie[MOST][MOST] = {{false}}, in[MOST];
    check(&q, n > 0, "nodes");
    for (int64_t e = 0; e < m; e++)
        if (from[e] != to[e])
            tie[from[e]][to[e]] = tie[to[e]][from[e]] = true;
    must(agn_graph_k_core(&x, g));
    for (int64_t i = 0; i < n; i++)
        in[i] = true;
    for (int k = 1; k < 12; k++) { /* the k-core: take away what has fewer than k neighbours, until none does */
        for (bool more = true; more;) {
            more = false;
            for (int64_t i = 0; i < n; i++) {
                int d = 0;
                for (int64_t j = 0; j < n; j++)
                    d += in[i] && in[j] && tie[i][j];
                if (in[i] && d < k)
                    more = true, in[i] = false;
            }
        }
        for (int64_t i = 0; i < n; i++)
            check(&q, in[i] == (get(x, i) >= k), "node %d in the %d-core: core number %g", (int)i, k, get(x, i));
    }
    tell(&q, "core numbers of %d nodes against their definition", (int)n);
    agn_release(x);
    agn_graph_release(g);
}

static void test_adjacency(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N), *wide = make_graph(M, src, dst, N, N + 2);
    agn_tensor *w = random_of(AGN_F64, 1, (int64_t[]){M}, 0.5, 2), *a, *d, *labels;
    for (int weighted = 0; weighted < 2; weighted++) {
        double want[N * (N + 2)] = {0};
        must(agn_graph_sparse(&a, wide, weighted ? w : NULL));
        must(agn_sparse_to_dense(&d, a));
        for (int e = 0; e < M; e++)
            want[src[e] * (N + 2) + dst[e]] += weighted ? get(w, e) : 1;
        check(&q, has_shape(d, 2, (int64_t[]){N, N + 2}) && agn_layout_of(a) == AGN_CSR, "shape");
        for (int i = 0; i < N * (N + 2); i++)
            check(&q, fabs(get(d, i) - want[i]) < 1e-15, "entry %d", i);
        agn_release(a);
        agn_release(d);
        for (int side = 0; side < 3; side++) {
            double sum[2][N] = {{0}};
            for (int e = 0; e < M; e++) {
                sum[0][src[e]] += weighted ? get(w, e) : 1;
                sum[1][dst[e]] += weighted ? get(w, e) : 1;
            }
            must(agn_graph_normalize(&a, g, weighted ? w : NULL, side));
            for (int e = 0; e < M; e++) {
                double over = side == 0 ? sum[0][src[e]] : side == 1 ? sum[1][dst[e]] : sqrt(sum[1][src[e]] * sum[1][dst[e]]);
                double v = over > 0 ? (weighted ? get(w, e) : 1) / over : 0;
                check(&q, fabs(get(a, e) - v) < 1e-15, "weight %d of side %d", e, side);
            }
            agn_release(a);
        }
    }
    static const int64_t from[] = {0, 1, 2, 4, 5}, to[] = {1, 2, 0, 5, 6};
    int64_t count;
    agn_graph *h = make_graph(5, from, to, 8, 8);
    static const int64_t weak[] = {0, 0, 0, 1, 2, 2, 2, 3}, strong[] = {0, 0, 0, 1, 2, 3, 4, 5};
    for (int k = 0; k < 2; k++) {
        must(agn_graph_components(&labels, &count, h, k));
        check(&q, count == (k ? 6 : 4), "%d components", (int)count);
        for (int i = 0; i < 8; i++)
            check(&q, get(labels, i) == (double)(k ? strong : weak)[i], "component of %d", i);
        agn_release(labels);
    }
    must(agn_graph_components(&labels, NULL, h, false));
    agn_release(labels);
    tell(&q, "adjacency, weights over degrees, components");
    agn_release(w);
    agn_graph_release(g);
    agn_graph_release(wide);
    agn_graph_release(h);
}

/* weights whose sums are no numbers give NaN where they are read, here and in layers; small ones are divided */
static void test_hostile_weights(void)
{
    tally q = {0, 0};
    static const int64_t from[] = {0, 1, 2, 2}, to[] = {1, 0, 1, 0};
    static const double w[][4] = {{NAN, 1, 1, 1}, {(double)INFINITY, 1, 1, 1}, {1e308, 1e308, 1e308, 1e308}, {1e-320, 1e-320, 1e-320, 1e-320}};
    agn_graph *g = make_graph(4, from, to, 3, 3);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){1, 2, 3}), *y, *z;
    for (int k = 0; k < COUNT(w); k++) {
        agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){4}, w[k]);
        must(agn_graph_normalize(&y, g, v, AGN_GRAPH_DST)); /* edges 0 and 2 reach node 1, 1 and 3 node 0 */
        must(agn_graph_gcn(&z, g, x, v, NULL, NULL));
        for (int e = 0; e < 4; e++)
            check(&q, k == 3 || (k < 2 && e % 2) ? get(y, e) == 0.5 : isnan(get(y, e)), "weights %d, edge %d: %g", k, e, get(y, e));
        for (int i = 0; i < 3; i++)
            check(&q, i == 2 ? get(z, i) == 0 : k == 3 ? fabs(get(z, i) - (i ? 0.5 : 1)) < 1e-15 : isnan(get(z, i)), "gcn of weights %d, node %d: %g", k,
                  i, get(z, i));
        RELEASE(v, y, z);
    }
    agn_release(x);
    agn_graph_release(g);
    tell(&q, "sums of weights that are NaN, infinite, or tiny");
}

/* ---- encodings ---------------------------------------------------------------------------------------- */

static void test_encodings(void)
{
    tally q = {0, 0};
    const double pi = acos(-1);
    for (int64_t n = 12; n <= 600; n += 588) { /* a ring: eigenvalues 1 - cos(2 pi k / n), each twice */
        int64_t from[600], to[600];
        for (int64_t i = 0; i < n; i++) {
            from[i] = i;
            to[i] = (i + 1) % n;
        }
        agn_graph *g = make_graph(n, from, to, n, n);
        agn_tensor *v, *x;
        int k = n == 12 ? 5 : 2;
        must(agn_graph_laplacian_encoding(&v, &x, g, NULL, k));
        check(&q, has_shape(v, 1, (int64_t[]){k}) && has_shape(x, 2, (int64_t[]){n, k}), "shapes");
        for (int j = 0; j < k; j++) {
            double value = 1 - cos(2 * pi * (j / 2 + 1) / (double)n);
            check(&q, fabs(get(v, j) - value) < 1e-10, "eigenvalue %d of %d: %.15g, not %.15g", j, (int)n, get(v, j), value);
            for (int64_t i = 0; i < n; i++) {
                double r = get(x, i * k + j) - (get(x, (i + 1) % n * k + j) + get(x, (i + n - 1) % n * k + j)) / 2;
                check(&q, fabs(r - value * get(x, i * k + j)) < 1e-6, "vector %d at %d", j, (int)i);
            }
        }
        agn_release(v);
        agn_release(x);
        agn_graph_release(g);
    }
    agn_graph *g = make_graph(M, src, dst, N, N);
    agn_tensor *w = random_of(AGN_F64, 1, (int64_t[]){M}, 0.5, 2), *x;
    must(agn_graph_random_walk_encoding(&x, g, w, 4));
    check(&q, has_shape(x, 2, (int64_t[]){N, 4}), "shape");
    double p[N][N] = {{0}}, power[N][N] = {{0}}, out[N] = {0};
    for (int e = 0; e < M; e++)
        out[src[e]] += get(w, e);
    for (int e = 0; e < M; e++)
        p[src[e]][dst[e]] += get(w, e) / out[src[e]];
    for (int i = 0; i < N; i++)
        power[i][i] = 1;
    for (int k = 0; k < 4; k++) {
        double next[N][N] = {{0}};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int l = 0; l < N; l++)
                    next[i][j] += power[i][l] * p[l][j];
        memcpy(power, next, sizeof next);
        for (int i = 0; i < N; i++)
            check(&q, fabs(get(x, i * 4 + k) - power[i][i]) < 1e-14, "back at %d after %d", i, k + 1);
    }
    agn_release(x);
    agn_release(w);
    agn_graph_release(g);
    int64_t from[150], to[150]; /* a ring one way, of three blocks: back after all of it */
    for (int i = 0; i < 150; i++) {
        from[i] = i;
        to[i] = (i + 1) % 150;
    }
    g = make_graph(150, from, to, 150, 150);
    must(agn_graph_random_walk_encoding(&x, g, NULL, 150));
    for (int i = 0; i < 150; i++)
        for (int k = 0; k < 150; k++)
            check(&q, get(x, i * 150 + k) == (k == 149), "ring: %d after %d", i, k + 1);
    agn_release(x);
    must(agn_graph_random_walk_encoding(&x, g, NULL, 0));
    check(&q, has_shape(x, 2, (int64_t[]){150, 0}), "no steps");
    agn_release(x);
    agn_graph_release(g);
    agn_tensor *v;
    g = make_graph(0, from, to, 0, 0);
    must(agn_graph_laplacian_encoding(&v, &x, g, NULL, 0));
    check(&q, has_shape(x, 2, (int64_t[]){0, 0}), "no nodes");
    agn_release(v);
    agn_release(x);
    agn_graph_release(g);
    tell(&q, "encodings: rings, powers of a matrix");
}

static void test_angles(void)
{
    tally q = {0, 0};
    agn_graph *g = make_graph(M, src, dst, N, N), *simple, *line;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, 3}, -1, 1), *y;
    must(agn_graph_drop_loops(&simple, NULL, g));
    must(agn_graph_line(&line, NULL, simple, false));
    must(agn_graph_angles(&y, line, simple, x));
    int64_t from[MOST], to[MOST], a[MOST], b[MOST], m = read_edges(line, a, b);
    read_edges(simple, from, to);
    for (int64_t k = 0; k < m; k++) {
        double dot = 0, p = 0, r = 0;
        for (int d = 0; d < 3; d++) {
            double u = get(x, from[a[k]] * 3 + d) - get(x, to[a[k]] * 3 + d);
            double v = get(x, to[b[k]] * 3 + d) - get(x, from[b[k]] * 3 + d);
            dot += u * v, p += u * u, r += v * v;
        }
        check(&q, fabs(get(y, k) - acos(dot / sqrt(p * r))) < 1e-14, "angle %d: %g", (int)k, get(y, k));
    }
    check(&q, m > 3, "angles");
    agn_release(y);
    agn_release(x);
    /* nearly straight: 1e-9 from pi is not rounded to it */
    agn_graph *path = make_graph(2, (int64_t[]){0, 1}, (int64_t[]){1, 2}, 3, 3), *pair;
    x = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){-1, 0, 0, 0, 1, 1e-9});
    must(agn_graph_line(&pair, NULL, path, false));
    must(agn_graph_angles(&y, pair, path, x));
    check(&q, fabs(acos(-1) - get(y, 0) - 1e-9) < 1e-15, "nearly straight: %.17g", get(y, 0));
    agn_release(x);
    agn_release(y);
    static const double scale[] = {1e-320, 1e-300, 1e-160, 1e160, 1e308}; /* squares have no number */
    for (int k = 0; k < COUNT(scale); k++) {
        double u = scale[k];
        x = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){u, 0, 0, 0, u, u});
        must(agn_graph_angles(&y, pair, path, x));
        check(&q, fabs(get(y, 0) - acos(-1) / 4) < 1e-15, "half a right angle at %g: %.17g", u, get(y, 0));
        RELEASE(x, y);
    }
    x = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){0, 0.5, 1.9, 2.5});
    must(agn_graph_bessel_basis(&y, x, 3, 2, 6));
    check(&q, has_shape(y, 2, (int64_t[]){4, 3}), "shape");
    for (int i = 0; i < 4; i++)
        for (int k = 1; k <= 3; k++) {
            double d = get(x, i), t = d / 2, u = t < 1 ? 1 - 28 * pow(t, 6) + 48 * pow(t, 7) - 21 * pow(t, 8) : 0;
            double v = u * (d > 0 ? sin(k * acos(-1) * t) / d : k * acos(-1) / 2);
            check(&q, fabs(get(y, i * 3 + k - 1) - v) < 1e-13, "Bessel %d at %g: %g, not %g", k, d, get(y, i * 3 + k - 1), v);
        }
    agn_release(y);
    must(agn_graph_legendre_basis(&y, x, 4));
    for (int i = 0; i < 4; i++) {
        double c = cos(get(x, i)), want[] = {1, c, 1.5 * c * c - 0.5, 2.5 * c * c * c - 1.5 * c};
        for (int k = 0; k < 4; k++)
            check(&q, fabs(get(y, i * 4 + k) - want[k]) < 1e-15, "Legendre %d", k);
    }
    agn_release(y);
    must(agn_graph_legendre_basis(&y, x, 1));
    check(&q, has_shape(y, 2, (int64_t[]){4, 1}) && get(y, 3) == 1, "degree 0");
    agn_release(y);
    agn_release(x);
    agn_graph *const all[] = {g, simple, line, path, pair};
    for (int k = 0; k < COUNT(all); k++)
        agn_graph_release(all[k]);
    tell(&q, "angles, radial and angular functions against their formulas");
}

/* ---- derivatives ---------------------------------------------------------------------------------------- */

typedef struct call {
    agn_graph *g, *simple, *line;
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    agn_tensor *v = NULL, *x = NULL;
    agn_status st;
    switch (q->what) {
    case 0: out[0] = ag_sparse_to_dense(s, ag_graph_sparse(s, q->g, in[0])); break;
    case 1: out[0] = ag_graph_normalize(s, q->g, in[0], AGN_GRAPH_SRC); break;
    case 2: out[0] = ag_graph_normalize(s, q->g, in[0], AGN_GRAPH_EDGE); break;
    case 3: out[0] = ag_graph_random_walk_encoding(s, q->g, in[0], 3); break;
    case 4: out[0] = ag_graph_angles(s, q->line, q->simple, in[0]); break;
    case 5: out[0] = ag_graph_bessel_basis(s, in[0], 2, 4, 6); break;
    case 6: out[0] = ag_graph_legendre_basis(s, in[0], 4); break;
    default:
        st = agn_graph_laplacian_encoding(&v, &x, q->g, in[0], 2);
        out[0] = agn_scope_adopt(s, st, &v);
        agn_release(x);
    }
    return agn_scope_status(s);
}
static const char *const names[] = {"sparse", "normalize", "normalize both", "random_walk_encoding", "angles", "bessel_basis",
                                    "legendre_basis", "laplacian_encoding"};

static void test_modes(call c)
{
    agn_tensor *w = random_of(AGN_F64, 1, (int64_t[]){M}, 0.5, 2), *x = random_of(AGN_F64, 2, (int64_t[]){N, 3}, -1, 1);
    for (c.what = 0; c.what < 7; c.what++) {
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &c, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *[]){c.what == 4 ? x : w}, 1e-3, 1e-7, names[c.what]);
        agn_fn_release(f);
    }
    tally q = {0, 0}; /* an eigenvalue against differences */
    agn_fn *f = NULL, *d = NULL;
    agn_tensor *t = random_of(AGN_F64, 1, (int64_t[]){M}, -1, 1), *out[2], *v;
    double side[2];
    must(agn_fn_new(&f, body, &c, NULL, 1, 1));
    must(agn_fn_jvp(&d, f));
    must(agn_fn_call(out, 2, d, (const agn_tensor *[]){w, t}, 2));
    for (int k = 0; k < 2; k++) {
        agn_tensor *moved = modes_moved(w, t, k ? 1e-5 : -1e-5);
        must(agn_fn_call(&v, 1, f, (const agn_tensor *[]){moved}, 1));
        side[k] = get(v, 1);
        agn_release(v);
        agn_release(moved);
    }
    check(&q, fabs((side[1] - side[0]) / 2e-5 - get(out[1], 1)) < 1e-8, "slope of an eigenvalue: %g", get(out[1], 1));
    tell(&q, "laplacian_encoding: the slope of an eigenvalue in weights");
    agn_release(out[0]);
    agn_release(out[1]);
    agn_release(t);
    agn_fn_release(f);
    agn_fn_release(d);
    agn_release(w);
    agn_release(x);
}

/* ---- failures ---------------------------------------------------------------------------------------------- */

static void test_failures(const call *c)
{
    tally q = {0, 0};
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *to = nothing, *two = make_graph(M, src, dst, N, N + 1);
    agn_tensor *out = untouched, *other = untouched, *sp = NULL, *w = random_of(AGN_F64, 1, (int64_t[]){M}, 0, 1);
    agn_tensor *few = random_of(AGN_F64, 1, (int64_t[]){2}, 0, 1), *z = random_of(AGN_C128, 1, (int64_t[]){M}, 0, 1);
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, 3}, 0, 1), *zx = random_of(AGN_C128, 2, (int64_t[]){N, 3}, 0, 1);
    int64_t ones[AGN_MAX_RANK];
    for (int d = 0; d < AGN_MAX_RANK; d++)
        ones[d] = 1;
    agn_tensor *deep = random_of(AGN_F64, AGN_MAX_RANK, ones, 0, 1);
    agn_tensor *hole = of_reals(AGN_F64, 1, (int64_t[]){M}, (double[]){1, 1, (double)NAN, 1, 1, 1, 1, 1, 1});
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define GRAPH(name_, ...) \
    BAD(agn_graph_##name_(&to, &out, NULL __VA_ARGS__), "graph_" #name_, AGN_ENULL, "g is NULL", NULL); \
    BAD(agn_graph_##name_(NULL, &out, c->g __VA_ARGS__), "graph_" #name_, AGN_ENULL, "out is NULL", NULL)
#define COMMA ,
    GRAPH(coalesce, );
    GRAPH(undirected, );
    GRAPH(drop_loops, );
    GRAPH(line, COMMA false);
    BAD(agn_graph_undirected(&to, &out, two), "graph_undirected", AGN_EARG, "5 sources", "6 destinations");
    BAD(agn_graph_drop_loops(&to, &out, two), "graph_drop_loops", AGN_EARG, "5 sources", "6 destinations");
    BAD(agn_graph_line(&to, &out, two, false), "graph_line", AGN_EARG, "5 sources", "6 destinations");
#define EDGES(name_, ...) \
    BAD(agn_graph_##name_(__VA_ARGS__ NULL, w OPT), "graph_" #name_, AGN_ENULL, "g is NULL", NULL); \
    BAD(agn_graph_##name_(__VA_ARGS__ c->g, few OPT), "graph_" #name_, AGN_ESHAPE, "[2]", "9 rows"); \
    BAD(agn_graph_##name_(__VA_ARGS__ c->g, z OPT), "graph_" #name_, AGN_EDTYPE, "c128", NULL); \
    BAD(agn_graph_##name_(__VA_ARGS__ c->g, sp OPT), "graph_" #name_, AGN_EUNSUPPORTED, "sparse", NULL)
#define OPT
    EDGES(sparse, &out COMMA);
#undef OPT
#define OPT , 1
    EDGES(normalize, &out COMMA);
    EDGES(random_walk_encoding, &out COMMA);
    EDGES(laplacian_encoding, &other COMMA &out COMMA);
    BAD(agn_graph_sparse(NULL, c->g, w), "graph_sparse", AGN_ENULL, "out", NULL);
    BAD(agn_graph_normalize(NULL, c->g, w, 0), "graph_normalize", AGN_ENULL, "out", NULL);
    BAD(agn_graph_normalize(&out, c->g, w, 3), "graph_normalize", AGN_EARG, "side 3", NULL);
    BAD(agn_graph_normalize(&out, two, w, AGN_GRAPH_EDGE), "graph_normalize", AGN_EARG, "5 sources", "6 destinations");
    BAD(agn_graph_random_walk_encoding(NULL, c->g, w, 1), "graph_random_walk_encoding", AGN_ENULL, "out", NULL);
    BAD(agn_graph_random_walk_encoding(&out, c->g, w, -1), "graph_random_walk_encoding", AGN_EARG, "-1 steps", NULL);
    BAD(agn_graph_random_walk_encoding(&out, two, w, 1), "graph_random_walk_encoding", AGN_EARG, "5 sources", NULL);
    BAD(agn_graph_laplacian_encoding(&other, NULL, c->g, w, 1), "graph_laplacian_encoding", AGN_ENULL, "vectors", NULL);
    BAD(agn_graph_laplacian_encoding(&other, &out, c->g, w, 5), "graph_laplacian_encoding", AGN_EARG, "5 vectors", "5 nodes");
    BAD(agn_graph_laplacian_encoding(&other, &out, c->g, w, -1), "graph_laplacian_encoding", AGN_EARG, "-1 vectors", NULL);
    BAD(agn_graph_laplacian_encoding(&other, &out, two, w, 1), "graph_laplacian_encoding", AGN_EARG, "5 sources", NULL);
    BAD(agn_graph_laplacian_encoding(&other, &out, c->g, hole, 1), "graph_laplacian_encoding", AGN_EDOMAIN, NULL, NULL);
    BAD(agn_graph_components(NULL, NULL, c->g, false), "graph_components", AGN_ENULL, "labels", NULL);
    BAD(agn_graph_components(&out, NULL, NULL, false), "graph_components", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_components(&out, NULL, two, false), "graph_components", AGN_EARG, "5 sources", "6 destinations");
    BAD(agn_graph_k_core(NULL, c->g), "graph_k_core", AGN_ENULL, "out", NULL);
    BAD(agn_graph_k_core(&out, NULL), "graph_k_core", AGN_ENULL, "g is NULL", NULL);
    BAD(agn_graph_k_core(&out, two), "graph_k_core", AGN_EARG, "5 sources", "6 destinations");
#define ANGLES(l_, g_, x_, st, m1, m2) BAD(agn_graph_angles(&out, l_, g_, x_), "graph_angles", st, m1, m2)
    ANGLES(NULL, c->simple, x, AGN_ENULL, "line", NULL);
    ANGLES(c->line, NULL, x, AGN_ENULL, "g is NULL", NULL);
    ANGLES(c->line, c->simple, NULL, AGN_ENULL, "x is NULL", NULL);
    ANGLES(c->line, c->g, x, AGN_EARG, "8 nodes", "9 edges");
    ANGLES(c->line, two, x, AGN_EARG, "5 sources", NULL);
    ANGLES(c->line, c->simple, few, AGN_ESHAPE, "x is [2]", "5 rows");
    ANGLES(c->line, c->simple, zx, AGN_EDTYPE, "c128", NULL);
    ANGLES(c->line, c->simple, sp, AGN_EUNSUPPORTED, "sparse", NULL);
    for (int k = 0; k < 2; k++) {
        const char *op = k ? "graph_legendre_basis" : "graph_bessel_basis";
#define BASIS(x_, n_, st, m1, m2) \
    BAD(k ? agn_graph_legendre_basis(&out, x_, n_) : agn_graph_bessel_basis(&out, x_, n_, 1, 6), op, st, m1, m2)
        BASIS(NULL, 1, AGN_ENULL, k ? "angle is NULL" : "d is NULL", NULL);
        BASIS(z, 1, AGN_EDTYPE, "c128", NULL);
        BASIS(w, 0, AGN_EARG, "0 functions", NULL);
        BASIS(deep, 1, AGN_ESHAPE, "32 axes", NULL);
        BASIS(sp, 1, AGN_EUNSUPPORTED, "sparse", NULL);
    }
    BAD(agn_graph_bessel_basis(&out, w, 1, 0, 6), "graph_bessel_basis", AGN_EDOMAIN, "cutoff is 0", NULL);
    BAD(agn_graph_bessel_basis(&out, w, 1, 1, 0), "graph_bessel_basis", AGN_EARG, "p is 0", NULL);
    check(&q, to == nothing && other == untouched, "nothing else is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {w, few, z, x, zx, deep, hole, sp};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(two);
}

typedef struct making {
    const call *c;
    agn_tensor *w, *x;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    agn_tensor *v = NULL, *s = NULL, *d = NULL;
    agn_status st;
    switch (m->what) {
    case 0: return agn_graph_sparse(out, m->c->g, m->w);
    case 1: return agn_graph_normalize(out, m->c->g, m->w, AGN_GRAPH_EDGE);
    case 2: return agn_graph_random_walk_encoding(out, m->c->g, m->w, 3);
    case 3: return agn_graph_angles(out, m->c->line, m->c->simple, m->x);
    case 4: return agn_graph_bessel_basis(out, m->w, 2, 4, 6);
    case 5: return agn_graph_legendre_basis(out, m->w, 4);
    case 6: return agn_graph_components(out, NULL, m->c->g, true);
    case 7: return agn_graph_k_core(out, m->c->g);
    case 8:
        st = agn_graph_laplacian_encoding(&v, &d, m->c->g, m->w, 2);
        agn_release(d);
        if (!st)
            *out = v;
        return st;
    case 9: st = agn_graph_coalesce(&g, &v, m->c->g); break;
    case 10: st = agn_graph_undirected(&g, &v, m->c->g); break;
    case 11: st = agn_graph_drop_loops(&g, &v, m->c->g); break;
    default: st = agn_graph_line(&g, &v, m->c->g, true);
    }
    if (!st)
        st = agn_graph_edges(&s, &d, g);
    agn_graph_release(g);
    agn_release(v);
    agn_release(d);
    if (!st)
        *out = s;
    return st;
}

int main(void)
{
    static int64_t from[MOST], to[MOST];
    static const char *const made[] = {"sparse", "normalize", "random_walk_encoding", "angles", "bessel_basis", "legendre_basis",
                                       "components", "k_core", "laplacian_encoding", "coalesce", "undirected", "drop_loops",
                                       "line"};
    test_simple(N, M, src, dst);
    test_simple(0, 0, src, dst);
    test_cores(N, M, src, dst);
    for (int k = 0; k < MOST; k++) {
        from[k] = rnd_below(40);
        to[k] = rnd_below(1 + rnd_below(40));
    }
    test_simple(40, MOST, from, to);
    test_cores(40, MOST, from, to);
    test_adjacency();
    test_hostile_weights();
    test_encodings();
    test_angles();
    call c = {make_graph(M, src, dst, N, N), NULL, NULL, 0};
    must(agn_graph_drop_loops(&c.simple, NULL, c.g));
    must(agn_graph_line(&c.line, NULL, c.simple, false));
    test_modes(c);
    test_failures(&c);
    making m = {&c, random_of(AGN_F64, 1, (int64_t[]){M}, 0.5, 2), random_of(AGN_F64, 2, (int64_t[]){N, 3}, -1, 1), 0};
    for (; m.what < COUNT(made); m.what++)
        every_allocation(make, &m, made[m.what]);
    agn_release(m.w);
    agn_release(m.x);
    agn_graph_release(c.g);
    agn_graph_release(c.simple);
    agn_graph_release(c.line);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
