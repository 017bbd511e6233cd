/* t-geometric-space - periodic neighbours, farthest points of clouds, boxes, splines, segments that are kept: against loops
   and closed forms, in every mode, and every failure. */
#include "geometric.h"

#include <agnesi/geometric_networks.h>
#include <agnesi/geometric_points.h>
#include <agnesi/geometric_segment.h>

/* ---- where space repeats ----------------------------------------------------------------------------- */

static void test_periodic(int d, const double *cell, double radius, bool far)
{
    tally q = {0, 0};
    enum { N = 12, REACH = 5 };
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){N, d}, far ? -3 : 0, far ? 3 : 1), *c, *shift, *s, *t;
    c = of_reals(AGN_F64, 2, (int64_t[]){d, d}, cell);
    agn_graph *g;
    must(agn_graph_radius_periodic(&g, &shift, x, c, radius));
    must(agn_graph_edges(&s, &t, g));
    int64_t m = agn_numel(s), found = 0, side = 2 * (far ? 14 : REACH) + 1, all = 1;
    for (int a = 0; a < d; a++)
        all *= side;
    double last = 0;
    check(&q, has_shape(shift, 2, (int64_t[]){m, d}), "shape");
    for (int64_t e = 0; e < m; e++) { /* each is within, nearest first */
        double sum = 0;
        for (int a = 0; a < d; a++) {
            double v = get(x, (int64_t)get(s, e) * d + a) - get(x, (int64_t)get(t, e) * d + a);
            for (int b = 0; b < d; b++)
                v += get(shift, e * d + b) * cell[b * d + a];
            sum += v * v;
        }
        check(&q, sum <= radius * radius * (1 + 1e-12), "edge %d of length %g", (int)e, sqrt(sum));
        check(&q, !e || get(t, e) > get(t, e - 1) || (get(t, e) == get(t, e - 1) && sum >= last - 1e-12), "order");
        last = sum;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int64_t k = 0; k < all; k++) {
                double sum = 0, v[3];
                int64_t rest = k;
                bool none = i == j, skip = false;
                for (int a = 0; a < d; a++)
                    v[a] = get(x, i * d + a) - get(x, j * d + a);
                for (int b = 0; b < d; b++, rest /= side) {
                    double by = (double)(rest % side - side / 2);
                    none &= by == 0;
                    bool zero = true;
                    for (int a = 0; a < d; a++) {
                        v[a] += by * cell[b * d + a];
                        zero &= cell[b * d + a] == 0;
                    }
                    skip |= zero && by != 0;
                }
                for (int a = 0; a < d; a++)
                    sum += v[a] * v[a];
                found += !none && !skip && sum <= radius * radius;
            }
    check(&q, found == m && m > 0, "%d edges, not %d", (int)m, (int)found);
    tell(&q, "periodic in %d-d, radius %g%s: %d edges", d, radius, far ? ", points far apart" : "", (int)m);
    agn_release(x);
    agn_release(c);
    agn_release(shift);
    agn_release(s);
    agn_release(t);
    agn_graph_release(g);
}

static void test_clouds(void)
{
    tally q = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){8, 1}, (double[]){0, 1, 2, 3, 10, 10, 4, 7}), *y, *size;
    agn_tensor *ids = whole(8, (int64_t[]){5, 5, 2, 5, 5, 2, 5, 2});
    static const int64_t want[] = {2, 5, 0, 4, 6}; /* of cloud 2: 2, 10; of cloud 5: 0, 10, 4 */
    must(agn_graph_farthest_points_batch(&y, x, ids, 0.6));
    check(&q, has_shape(y, 1, (int64_t[]){5}), "ceil of 0.6 times 3 and 5");
    for (int i = 0; i < 5; i++)
        check(&q, get(y, i) == (double)want[i], "%d: point %g", i, get(y, i));
    agn_release(y);
    agn_release(x);
    agn_release(ids);
    enum { N = 500 };
    int64_t count, seen = 0;
    x = random_of(AGN_F64, 2, (int64_t[]){N, 3}, -5, 5);
    size = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){2, 2.5, 4});
    must(agn_graph_grid_cluster(&y, &count, x, size));
    double lo[3] = {9, 9, 9};
    for (int i = 0; i < N * 3; i++)
        lo[i % 3] = fmin(lo[i % 3], get(x, i));
    for (int i = 0; i < N; i++) {
        int first = i;
        for (int j = 0; j < i; j++) {
            bool same = true;
            for (int a = 0; a < 3; a++)
                same &= floor((get(x, i * 3 + a) - lo[a]) / get(size, a)) == floor((get(x, j * 3 + a) - lo[a]) / get(size, a));
            check(&q, same == (get(y, i) == get(y, j)), "points %d and %d", i, j);
            first = same && j < first ? j : first;
        }
        check(&q, first < i || get(y, i) == (double)seen, "numbered by first points");
        seen += first == i;
    }
    check(&q, count == seen, "%d boxes, not %d", (int)count, (int)seen);
    agn_release(y);
    agn_release(x);
    agn_release(size);
    tell(&q, "farthest points of clouds, boxes of a grid");
}

/* ---- splines ------------------------------------------------------------------------------------------------ */

static double spline(double t, int p) /* Cox and de Boor on the integers */
{
    if (p == 0)
        return t >= 0 && t < 1;
    return t / p * spline(t, p - 1) + (p + 1 - t) / p * spline(t - 1, p - 1);
}

static void test_splines(void)
{
    tally q = {0, 0};
    enum { E = 40 };
    agn_tensor *u = random_of(AGN_F64, 2, (int64_t[]){E, 2}, 0, 1), *y;
    poke((char *)(uintptr_t)agn_data(u), AGN_F64, 0, 0);
    poke((char *)(uintptr_t)agn_data(u) + 8, AGN_F64, 1, 0);
    for (int p = 1; p < 4; p++)
        for (int how = 0; how < 4; how++) {
            int32_t size[2] = {5, p + 1};
            bool closed[2] = {how & 1, how & 2};
            must(agn_graph_spline_basis(&y, u, size, how ? closed : NULL, p));
            check(&q, has_shape(y, 2, (int64_t[]){E, 5 * (p + 1)}), "shape");
            for (int e = 0; e < E; e++) {
                double all = 0;
                for (int k = 0; k < 5 * (p + 1); k++) {
                    double v = 1;
                    for (int a = 0; a < 2; a++) {
                        int i = a ? k / 5 : k % 5;
                        double t = get(u, e * 2 + a) * (closed[a] ? size[a] : size[a] - p) - i + p, b = 0;
                        for (int turn = -1; turn <= 1; turn++)
                            b += turn && !closed[a] ? 0 : spline(t + turn * size[a], p);
                        v *= b;
                    }
                    all += get(y, e * 5 * (p + 1) + k);
                    check(&q, fabs(v - get(y, e * 5 * (p + 1) + k)) < 1e-13, "degree %d, %d at %d: %g, not %g", p, k, e,
                          get(y, e * 5 * (p + 1) + k), v);
                }
                check(&q, fabs(all - 1) < 1e-13, "degree %d, how %d: sum %g", p, how, all);
            }
            agn_release(y);
        }
    tell(&q, "splines of degree 1 to 3, open and closed");
    agn_release(u);
}

/* ---- segments that are kept ------------------------------------------------------------------------------- */

enum { ROWS = 9, W = 2, SEGMENTS = 5 };
static const int64_t ids[ROWS] = {2, 0, 2, 4, 1, 2, 4, 1, 0};

static void test_kept(void)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){ROWS, W}, -2, 2), *at = whole(ROWS, ids), *a, *b, *w;
    w = random_of(AGN_F64, 3, (int64_t[]){SEGMENTS, W, 3}, -1, 1);
    agn_graph *g, *h;
    int64_t n_src, n, m;
    must(agn_graph_from_segments(&g, at, SEGMENTS));
    must(agn_graph_size(&n_src, &n, &m, g));
    check(&q, n_src == 1 && n == SEGMENTS && m == ROWS, "sizes");
    must(agn_graph_from_segments(&h, at, 0));
    must(agn_graph_size(NULL, &n, NULL, h));
    check(&q, n == 5, "as many as are named");
    agn_graph_release(h);
    for (int k = 0; k < 7; k++) {
        switch (k) {
        case 0: must(agn_graph_edge_logsumexp(&a, g, x)); must(agn_geometric_segment_logsumexp(&b, x, at, SEGMENTS)); break;
        case 1: must(agn_graph_edge_var(&a, g, x, 1)); must(agn_geometric_segment_var(&b, x, at, SEGMENTS, 1)); break;
        case 2: must(agn_graph_edge_std(&a, g, x, 0)); must(agn_geometric_segment_std(&b, x, at, SEGMENTS, 0)); break;
        case 3: must(agn_graph_edge_prod(&a, g, x)); must(agn_geometric_segment_prod(&b, x, at, SEGMENTS)); break;
        case 4: must(agn_graph_edge_mm(&a, g, x, w)); must(agn_geometric_segment_mm(&b, x, w, at)); break;
        case 5: must(agn_graph_edge_softmax(&a, g, x, AGN_GRAPH_DST)); must(agn_geometric_segment_softmax(&b, x, at)); break;
        default:
            must(agn_geometric_segment_log_softmax(&a, x, at));
            agn_tensor *soft;
            must(agn_geometric_segment_softmax(&soft, x, at));
            must(agn_log(&b, soft));
            agn_release(soft);
        }
        check(&q, same_shapes(a, b), "shapes of %d", k);
        for (int64_t i = 0; i < agn_numel(a); i++)
            check(&q, get(a, i) == get(b, i) || (isnan(get(a, i)) && isnan(get(b, i))) || (k == 6 && fabs(get(a, i) - get(b, i)) < 1e-14),
                  "%d at %d: %g, not %g", k, (int)i, get(a, i), get(b, i));
        agn_release(a);
        agn_release(b);
    }
    agn_tensor *wide = of_reals(AGN_F64, 1, (int64_t[]){ROWS}, (double[]){0, 0, -800, 0, 0, -(double)INFINITY, 1, 2, 3});
    must(agn_geometric_segment_log_softmax(&a, wide, at));
    check(&q, get(a, 2) == -800 && get(a, 5) == -(double)INFINITY && get(a, 0) == 0, "far below: %g %g", get(a, 2), get(a, 5));
    RELEASE(a, wide);
    /* large rows lose nothing of small logarithms; what is not finite is NaN, as of softmax */
    agn_tensor *of = whole(6, (int64_t[]){0, 0, 1, 2, 2, 3});
    wide = of_reals(AGN_F64, 1, (int64_t[]){6}, (double[]){1e16, 1e16, 5, (double)INFINITY, 1, -(double)INFINITY});
    must(agn_geometric_segment_log_softmax(&a, wide, of));
    for (int i = 0; i < 6; i++)
        check(&q, i < 2 ? fabs(get(a, i) + log(2)) < 1e-15 : i == 2 ? get(a, i) == 0 : isnan(get(a, i)), "row %d: %g", i, get(a, i));
    RELEASE(a, wide, of);
    tell(&q, "segments that are kept: the same bits; log_softmax");
    agn_release(x);
    agn_release(at);
    agn_release(w);
    agn_graph_release(g);
}

/* ---- derivatives -------------------------------------------------------------------------------------------- */

typedef struct call {
    agn_graph *g;
    agn_tensor *ids;
    int what;
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const call *q = user;
    static const int32_t size[] = {4, 5};
    static const bool closed[] = {true, false};
    switch (q->what) {
    case 0: out[0] = ag_graph_edge_logsumexp(s, q->g, in[0]); break;
    case 1: out[0] = ag_graph_edge_var(s, q->g, in[0], 0); break;
    case 2: out[0] = ag_graph_edge_std(s, q->g, in[0], 0); break;
    case 3: out[0] = ag_graph_edge_prod(s, q->g, in[0]); break;
    case 4: out[0] = ag_geometric_segment_log_softmax(s, in[0], q->ids); break;
    case 5: out[0] = ag_graph_spline_basis(s, in[0], size, closed, 3); break;
    default: out[0] = ag_graph_edge_mm(s, q->g, in[0], in[1]);
    }
    return agn_scope_status(s);
}
static const char *const names[] = {"edge_logsumexp", "edge_var", "edge_std", "edge_prod", "segment_log_softmax", "spline_basis",
                                    "edge_mm"};

static void test_modes(call c, const agn_tensor *x, const agn_tensor *w, const agn_tensor *u)
{
    for (c.what = 0; c.what < COUNT(names); c.what++) {
        agn_fn *f = NULL;
        int n = c.what == 6 ? 2 : 1;
        must(agn_fn_new(&f, body, &c, NULL, n, 1));
        /* third derivatives of cubic splines jump at knots: between them alone */
        in_every_mode(f, n, (const agn_tensor *[]){c.what == 5 ? u : x, w}, 1e-3, 1e-7, names[c.what]);
        agn_fn_release(f);
    }
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

static void test_failures(const call *c)
{
    tally q = {0, 0};
    const double nan = (double)NAN, inf = (double)INFINITY;
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *to = nothing;
    agn_tensor *out = untouched, *other = untouched, *sp = NULL, *x = random_of(AGN_F64, 2, (int64_t[]){ROWS, W}, 0, 1);
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){ROWS, W}, 0, 1), *flat = random_of(AGN_F64, 1, (int64_t[]){ROWS}, 0, 1);
    agn_tensor *cell = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1}), *few = whole(2, ids), *below;
    agn_tensor *thin = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 2, 2, 4}), *nine = NULL, *nine2 = NULL;
    agn_tensor *hole = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, nan, 1}), *w = random_of(AGN_F64, 3, (int64_t[]){SEGMENTS, W, 2}, 0, 1);
    agn_tensor *size = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 1}), *bad = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 0});
    agn_tensor *tiny = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 1e-300}), *zs = random_of(AGN_C128, 1, (int64_t[]){2}, 1, 2);
    below = whole(ROWS, (int64_t[]){0, 0, 0, -1, 0, 0, 0, 0, 0});
    must(agn_full(&nine, AGN_F64, 2, (int64_t[]){1, 9}, 0));
    must(agn_eye(&nine2, AGN_F64, 9, 9, 0));
    must(agn_sparse_from_dense(&sp, x));
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
#define PER(o_, s_, x_, c_, r_, st, m1, m2) \
    BAD(agn_graph_radius_periodic(o_, s_, x_, c_, r_), "graph_radius_periodic", st, m1, m2)
    PER(NULL, &out, x, cell, 1, AGN_ENULL, "out is NULL", NULL);
    PER(&to, NULL, x, cell, 1, AGN_ENULL, "shift is NULL", NULL);
    PER(&to, &out, NULL, cell, 1, AGN_ENULL, "x is NULL", NULL);
    PER(&to, &out, x, NULL, 1, AGN_ENULL, "cell is NULL", NULL);
    PER(&to, &out, x, cell, 0, AGN_EDOMAIN, "radius is 0", NULL);
    PER(&to, &out, x, cell, inf, AGN_EDOMAIN, "radius is inf", NULL);
    PER(&to, &out, x, thin, 1, AGN_EDOMAIN, "no volume", NULL);
    PER(&to, &out, hole, cell, 1, AGN_EDOMAIN, "point 1 of x", "nan");
    PER(&to, &out, x, hole, 1, AGN_EDOMAIN, "point 1 of cell", "nan");
    PER(&to, &out, flat, cell, 1, AGN_ESHAPE, "1 axes", NULL);
    PER(&to, &out, x, x, 1, AGN_ESHAPE, "cell is [9,2]", "[2,2]");
    PER(&to, &out, z, cell, 1, AGN_EDTYPE, "c128", NULL);
    PER(&to, &out, nine, nine2, 1, AGN_EUNSUPPORTED, "9 coordinates", NULL);
    PER(&to, &out, sp, cell, 1, AGN_EUNSUPPORTED, "sparse", NULL);
    PER(&to, &out, x, cell, 1e12, AGN_ENOMEM, NULL, NULL);
#define FAR(o_, x_, i_, r_, st, m1, m2) \
    BAD(agn_graph_farthest_points_batch(o_, x_, i_, r_), "graph_farthest_points_batch", st, m1, m2)
    FAR(NULL, x, c->ids, 1, AGN_ENULL, "out is NULL", NULL);
    FAR(&out, NULL, c->ids, 1, AGN_ENULL, "x is NULL", NULL);
    FAR(&out, x, NULL, 1, AGN_ENULL, "ids is NULL", NULL);
    FAR(&out, x, c->ids, 0, AGN_EDOMAIN, "ratio is 0", NULL);
    FAR(&out, x, few, 1, AGN_ESHAPE, "ids are [2]", NULL);
    FAR(&out, flat, c->ids, 1, AGN_ESHAPE, "1 axes", NULL);
    FAR(&out, z, c->ids, 1, AGN_EDTYPE, "c128", NULL);
    FAR(&out, x, flat, 1, AGN_EDTYPE, "ids is f64", NULL);
    FAR(&out, hole, few, 1, AGN_EDOMAIN, "point 1", NULL);
    FAR(&out, sp, c->ids, 1, AGN_EUNSUPPORTED, "sparse", NULL);
#define GRID(o_, x_, s_, st, m1, m2) BAD(agn_graph_grid_cluster(o_, NULL, x_, s_), "graph_grid_cluster", st, m1, m2)
    GRID(NULL, x, size, AGN_ENULL, "ids is NULL", NULL);
    GRID(&out, NULL, size, AGN_ENULL, "x is NULL", NULL);
    GRID(&out, x, NULL, AGN_ENULL, "size is NULL", NULL);
    GRID(&out, x, flat, AGN_ESHAPE, "size is [9]", "[2]");
    GRID(&out, flat, size, AGN_ESHAPE, "1 axes", NULL);
    GRID(&out, x, bad, AGN_EDOMAIN, "0 at 1", NULL);
    GRID(&out, x, tiny, AGN_EDOMAIN, "boxes along axis 1", NULL);
    GRID(&out, hole, size, AGN_EDOMAIN, "point 1 of x", NULL);
    GRID(&out, z, size, AGN_EDTYPE, "c128", NULL);
    GRID(&out, x, zs, AGN_EDTYPE, "c128", NULL);
    GRID(&out, sp, size, AGN_EUNSUPPORTED, "sparse", NULL);
    static const int32_t sizes[] = {3, 3}, small[] = {3, 1};
#define SPL(o_, u_, s_, p_, st, m1, m2) BAD(agn_graph_spline_basis(o_, u_, s_, NULL, p_), "graph_spline_basis", st, m1, m2)
    SPL(NULL, x, sizes, 1, AGN_ENULL, "out is NULL", NULL);
    SPL(&out, NULL, sizes, 1, AGN_ENULL, "u is NULL", NULL);
    SPL(&out, x, NULL, 1, AGN_ENULL, "sizes is NULL", NULL);
    SPL(&out, x, sizes, 0, AGN_EARG, "degree is 0", NULL);
    SPL(&out, x, sizes, 4, AGN_EARG, "degree is 4", NULL);
    SPL(&out, x, small, 1, AGN_EARG, "1 at 1", NULL);
    SPL(&out, flat, sizes, 1, AGN_ESHAPE, "1 axes", NULL);
    SPL(&out, z, sizes, 1, AGN_EDTYPE, "c128", NULL);
    SPL(&out, sp, sizes, 1, AGN_EUNSUPPORTED, "sparse", NULL);
#define SEG(i_, n_, st, m1, m2) BAD(agn_graph_from_segments(&to, i_, n_), "graph_from_segments", st, m1, m2)
    BAD(agn_graph_from_segments(NULL, c->ids, 0), "graph_from_segments", AGN_ENULL, "out", NULL);
    SEG(NULL, 0, AGN_ENULL, "ids is NULL", NULL);
    SEG(x, 0, AGN_EDTYPE, "f64", NULL);
    SEG(below, 0, AGN_EINDEX, "edge 3", "-1");
    SEG(c->ids, 3, AGN_EINDEX, "edge 3", "4");
    SEG(sp, 0, AGN_EUNSUPPORTED, "sparse", NULL);
    for (int k = 0; k < 5; k++) {
        static const char *const op[] = {"graph_edge_logsumexp", "graph_edge_var", "graph_edge_std", "graph_edge_prod", "graph_edge_mm"};
#define EDGE(o_, g_, x_, st, m1, m2) \
        BAD(k == 0   ? agn_graph_edge_logsumexp(o_, g_, x_) \
            : k == 1 ? agn_graph_edge_var(o_, g_, x_, 1) \
            : k == 2 ? agn_graph_edge_std(o_, g_, x_, 1) \
            : k == 3 ? agn_graph_edge_prod(o_, g_, x_) \
                     : agn_graph_edge_mm(o_, g_, x_, w), op[k], st, m1, m2)
        EDGE(NULL, c->g, x, AGN_ENULL, "out is NULL", NULL);
        EDGE(&out, NULL, x, AGN_ENULL, "g is NULL", NULL);
        EDGE(&out, c->g, NULL, AGN_ENULL, "x is NULL", NULL);
        EDGE(&out, c->g, cell, AGN_ESHAPE, "x is [2,2]", "9 rows");
        EDGE(&out, c->g, sp, AGN_EUNSUPPORTED, "sparse", NULL);
        if (k < 3)
            EDGE(&out, c->g, z, AGN_EDTYPE, "c128", NULL);
        if (k == 4)
            EDGE(&out, c->g, flat, AGN_ESHAPE, "x is [9]", "[5,f,o]");
    }
    BAD(agn_graph_edge_mm(&out, c->g, x, NULL), "graph_edge_mm", AGN_ENULL, "w is NULL", NULL);
    BAD(agn_graph_edge_mm(&out, c->g, x, x), "graph_edge_mm", AGN_ESHAPE, "w is [9,2]", NULL);
    BAD(agn_graph_edge_var(&out, c->g, x, nan), "graph_edge_var", AGN_EDOMAIN, "correction", NULL);
    BAD(agn_graph_edge_std(&out, c->g, x, inf), "graph_edge_std", AGN_EDOMAIN, "correction", NULL);
#define LOGS(o_, x_, i_, st, m1, m2) \
    BAD(agn_geometric_segment_log_softmax(o_, x_, i_), "geometric_segment_log_softmax", st, m1, m2)
    LOGS(NULL, x, c->ids, AGN_ENULL, "out is NULL", NULL);
    LOGS(&out, NULL, c->ids, AGN_ENULL, "x is NULL", NULL);
    LOGS(&out, x, NULL, AGN_ENULL, "ids is NULL", NULL);
    LOGS(&out, x, few, AGN_ESHAPE, "[9,2]", "[2]");
    LOGS(&out, z, c->ids, AGN_EDTYPE, "c128", NULL);
    LOGS(&out, x, below, AGN_EINDEX, "edge 3", "-1");
    LOGS(&out, sp, c->ids, AGN_EUNSUPPORTED, "sparse", NULL);
    check(&q, to == nothing && other == untouched, "no graph");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {sp, x, z, flat, cell, few, thin, hole, w, size, bad, tiny, zs, below, nine, nine2};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

typedef struct making {
    const call *c;
    agn_tensor *x, *cell, *size, *w;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    agn_tensor *s = NULL, *d = NULL;
    static const int32_t size[] = {3, 3};
    agn_status st;
    switch (m->what) {
    case 0:
        st = agn_graph_radius_periodic(&g, &s, m->x, m->cell, 0.6);
        agn_graph_release(g);
        if (!st)
            *out = s;
        return st;
    case 1: return agn_graph_farthest_points_batch(out, m->x, m->c->ids, 0.5);
    case 2: return agn_graph_grid_cluster(out, NULL, m->x, m->size);
    case 3: return agn_graph_spline_basis(out, m->x, size, NULL, 2);
    case 4: return agn_graph_edge_logsumexp(out, m->c->g, m->x);
    case 5: return agn_graph_edge_std(out, m->c->g, m->x, 1);
    case 6: return agn_graph_edge_prod(out, m->c->g, m->x);
    case 7: return agn_graph_edge_mm(out, m->c->g, m->x, m->w);
    case 8: return agn_geometric_segment_log_softmax(out, m->x, m->c->ids);
    case 9: return agn_graph_edge_var(out, m->c->g, m->x, 1);
    default: break;
    }
    st = agn_graph_from_segments(&g, m->c->ids, 0);
    if (!st)
        st = agn_graph_edges(&s, &d, g);
    agn_graph_release(g);
    agn_release(d);
    if (!st)
        *out = s;
    return st;
}

int main(void)
{
    static const char *const made[] = {"radius_periodic", "farthest_points_batch", "grid_cluster", "spline_basis", "edge_logsumexp",
                                       "edge_std", "edge_prod", "edge_mm", "segment_log_softmax", "edge_var", "from_segments"};
    static const double line[] = {1}, square[] = {1, 0, 0, 1}, skew[] = {1, 0, 0.9, 0.5}, cube[] = {1, 0, 0, 0.3, 1, 0, -0.2, 0.4, 0.8},
                        slab[] = {1, 0, 0, 0, 1.5, 0, 0, 0, 0}, tilted[] = {0, 0, 0, 0.5, 0.5, 0.5, 0, 0, 0};
    test_periodic(1, line, 2.2, false);
    test_periodic(2, square, 0.4, false);
    test_periodic(2, square, 1.3, true);
    test_periodic(2, skew, 0.7, false);
    test_periodic(3, cube, 0.7, false);
    test_periodic(3, slab, 0.8, false);
    test_periodic(3, tilted, 0.9, false);
    test_clouds();
    test_splines();
    test_kept();
    static const int64_t two[ROWS] = {2, 0, 2, 1, 1, 2, 0, 1, 0};
    call c = {NULL, whole(ROWS, two), 0};
    must(agn_graph_from_segments(&c.g, c.ids, 0));
    agn_tensor *x, *w = random_of(AGN_F64, 3, (int64_t[]){3, W, 2}, -1, 1), *line9, *u;
    must(agn_linspace(&line9, AGN_F64, 0.3, 3, ROWS * W));
    must(agn_reshape(&x, line9, 2, (int64_t[]){ROWS, W}));
    u = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){0.1, 0.2, 0.4, 0.7, 0.85, 0.3});
    test_modes(c, x, w, u);
    agn_release(c.ids);
    agn_graph_release(c.g);
    c.ids = whole(ROWS, ids);
    must(agn_graph_from_segments(&c.g, c.ids, 0));
    test_failures(&c);
    making m = {&c, random_of(AGN_F64, 2, (int64_t[]){ROWS, W}, 0, 1), of_reals(AGN_F64, 2, (int64_t[]){2, 2}, square),
                of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0.5, 0.5}), random_of(AGN_F64, 3, (int64_t[]){SEGMENTS, W, 2}, 0, 1), 0};
    for (; m.what < COUNT(made); m.what++)
        every_allocation(make, &m, made[m.what]);
    agn_tensor *all[] = {m.x, m.cell, m.size, m.w, x, w, u, line9, c.ids};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_graph_release(c.g);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
