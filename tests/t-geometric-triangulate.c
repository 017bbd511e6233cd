/* t-geometric-triangulate - triangulations: empty spheres and full hulls by loops, points on grids
   and far from 0, memory that ends inside Qhull; nearest points where space repeats; every
   failure. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "geometric.h"

#include <agnesi/geometric_mesh.h>
#include <agnesi/geometric_points.h>
#include <dlfcn.h>
#include <stdlib.h>

/* ---- memory of Qhull ------------------------------------------------------------------------- */

static struct {
    bool on, onwards, failed;
    int64_t made, fails_at;
} theirs;

#if !TAP_SANITIZED && defined(__GLIBC__)
void *__libc_malloc(size_t n);
__attribute__((visibility("default"))) void *malloc(size_t n);
void *malloc(size_t n)
{
    if (theirs.on) {
        Dl_info by;
        theirs.on = false;
        bool qhull = dladdr(__builtin_return_address(0), &by) && by.dli_fname &&
                     strstr(by.dli_fname, "qhull");
        theirs.on = true;
        if (qhull) {
            int64_t k = theirs.made++;
            if (theirs.onwards ? k >= theirs.fails_at : k == theirs.fails_at) {
                theirs.failed = true;
                return NULL;
            }
        }
    }
    return __libc_malloc(n);
}
#endif

static void test_memory(void)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){60, 3}, 0, 1), *want, *y;
    must(agn_mesh_triangulate(&want, x));
    int64_t before, after, calls = 0;
    agn_memory_live(NULL, &before, NULL);
    for (int onwards = 0; onwards < 2; onwards++)
        for (int64_t k = 0;; k++) {
            theirs.onwards = onwards, theirs.failed = false, theirs.made = 0, theirs.fails_at = k;
            theirs.on = true;
            agn_status st = agn_mesh_triangulate(&y, x);
            theirs.on = false;
            calls += theirs.failed;
            check(&q, theirs.failed ? st == AGN_ENOMEM : !st, "allocation %d: %s", (int)k,
                  agn_error_message());
            agn_memory_live(NULL, &after, NULL);
            check(&q, after == before + !st, "%d blocks are left", (int)(after - before));
            if (!st) {
                check(&q, same(y, want), "the same again");
                agn_release(y);
            }
            if (!theirs.failed)
                break;
        }
    if (calls)
        tell(&q, "memory ends inside of Qhull, %d times", (int)calls);
    else
        skip("calls of malloc by Qhull are not seen in this build");
    agn_release(want);
    agn_release(x);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* twice or six times the signed volume of cell c */
static double volume(const agn_tensor *x, const agn_tensor *cells, int64_t c)
{
    int64_t d = agn_shape(x)[1];
    double v[3][3] = {{0}, {0}, {0, 0, 1}};
    for (int64_t k = 0; k < d; k++)
        for (int64_t a = 0; a < d; a++)
            v[k][a] = get(x, at(cells, c * (d + 1) + k + 1) * d + a) -
                      get(x, at(cells, c * (d + 1)) * d + a);
    return v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
           v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
}

/* the centre c of the sphere through a cell by Cramer's rule, and the square of its radius */
static double sphere_of(const agn_tensor *x, const agn_tensor *cells, int64_t cell, double *c)
{
    int64_t d = agn_shape(x)[1];
    double m[3][3] = {{0}, {0}, {0, 0, 1}}, r[3] = {0}, det = volume(x, cells, cell), square = 0;
    const int64_t first = at(cells, cell * (d + 1));
    for (int64_t k = 0; k < d; k++)
        for (int64_t a = 0; a < d; a++) {
            m[k][a] = get(x, at(cells, cell * (d + 1) + k + 1) * d + a) - get(x, first * d + a);
            r[k] += m[k][a] * m[k][a] / 2;
        }
    for (int64_t a = 0; a < d; a++) {
        double n[3][3];
        memcpy(n, m, sizeof n);
        for (int k = 0; k < 3; k++)
            n[k][a] = r[k];
        double by = n[0][0] * (n[1][1] * n[2][2] - n[1][2] * n[2][1]) -
                    n[0][1] * (n[1][0] * n[2][2] - n[1][2] * n[2][0]) +
                    n[0][2] * (n[1][0] * n[2][1] - n[1][1] * n[2][0]);
        c[a] = by / det;
        square += c[a] * c[a];
        c[a] += get(x, first * d + a);
    }
    return square;
}

/* turned alike, in order, lowest node first, no point inside of a sphere, and a volume in all */
static void check_cells(tally *q, const agn_tensor *x, const agn_tensor *cells, double want,
                        bool spheres)
{
    int64_t n = agn_shape(x)[0], d = agn_shape(x)[1], m = agn_shape(cells)[0];
    double sum = 0, c[3], size = d == 2 ? 2 : 6;
    check(q, agn_shape(cells)[1] == d + 1, "nodes of a cell");
    for (int64_t i = 0; i < m; i++) {
        double v = volume(x, cells, i);
        sum += v / size;
        check(q, v > 0, "cell %d is turned: %g", (int)i, v);
        int64_t order = 0;
        for (int64_t k = 0; i && k <= d && !order; k++)
            order = at(cells, i * (d + 1) + k) - at(cells, (i - 1) * (d + 1) + k);
        check(q, !i || order > 0, "cell %d in order", (int)i);
        for (int64_t k = 1; k <= d; k++)
            check(q, at(cells, i * (d + 1)) < at(cells, i * (d + 1) + k), "lowest node first");
        double r = sphere_of(x, cells, i, c);
        for (int64_t p = 0; spheres && p < n; p++) {
            double far = 0;
            for (int64_t a = 0; a < d; a++)
                far += pow(get(x, p * d + a) - c[a], 2);
            check(q, far >= r * (1 - 1e-9), "point %d is inside of the sphere of cell %d: %g of %g",
                  (int)p, (int)i, far, r);
        }
    }
    check(q, fabs(sum - want) < 1e-12 * want, "volume %.15g, not %.15g", sum, want);
}

/* a cloud in the box from 0 to 1 with its corners */
static agn_tensor *cloud_of(int64_t n, int64_t d)
{
    double *v = room_for((size_t)(n * d) * sizeof *v);
    for (int64_t i = 0; i < n * d; i++)
        v[i] = i / d < 1 << d ? (double)(i / d >> i % d & 1)
                              : ldexp((double)rnd_below(1 << 20), -20);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){n, d}, v);
    free(v);
    return x;
}
static agn_tensor *moved(const agn_tensor *x, double scale, double by)
{
    agn_tensor *y = NULL, *z = NULL;
    must(agn_mul_c(&y, x, scale));
    must(agn_add_c(&z, y, by));
    agn_release(y);
    return z;
}
static agn_tensor *grid_of(int64_t side, int64_t d)
{
    int64_t n = d == 2 ? side * side : side * side * side;
    double *v = room_for((size_t)(n * d) * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0, rest = i; a < d; a++, rest /= side)
            v[i * d + a] = (double)(rest % side);
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){n, d}, v);
    free(v);
    return x;
}

static void test_cells(void)
{
    tally q = {0, 0};
    agn_tensor *x, *y, *cells, *again;
    for (int d = 2; d < 4; d++)
        for (int64_t n = 8; n < 400; n *= 3) {
            x = cloud_of(n, d);
            must(agn_mesh_triangulate(&cells, x));
            check_cells(&q, x, cells, 1, true);
            for (int far = 0; far < 2;
                 far++) { /* by a power of two, and by a number that loses no bits of 2^-20 */
                y = moved(x, far ? 1 : ldexp(1, 300), far ? 4194304 : 0);
                must(agn_mesh_triangulate(&again, y));
                check(&q, same(cells, again), "the same far away");
                agn_release(again);
                agn_release(y);
            }
            agn_release(cells);
            agn_release(x);
        }
    tell(&q, "empty spheres, full hulls, order, turns; large and far away");
    q = (tally){0, 0};
    for (int64_t side = 2; side < 8; side++) {
        x = grid_of(side, 2);
        must(agn_mesh_triangulate(&cells, x));
        double edge = (double)(side - 1);
        check(&q, agn_shape(cells)[0] == 2 * (side - 1) * (side - 1), "two triangles for a square");
        check_cells(&q, x, cells, edge * edge, true);
        agn_release(cells);
        agn_release(x);
        x = grid_of(side, 3);
        must(agn_mesh_triangulate(&cells, x));
        check_cells(&q, x, cells, edge * edge * edge, side < 6);
        agn_release(cells);
        agn_release(x);
    }
    tell(&q, "grids: many points on a sphere");
    q = (tally){0, 0};
    static const double six[] = {0, 0, 1,   0,    0, 1,
                                 1, 0, 0.5, 0.25, 0, 0}; /* two twice, one in the middle */
    x = of_reals(AGN_F32, 2, (int64_t[]){6, 2}, six);
    must(agn_mesh_triangulate(&cells, x));
    check(&q, agn_shape(cells)[0] == 3, "three triangles, not %d", (int)agn_shape(cells)[0]);
    check_cells(&q, x, cells, 0.5, true);
    agn_release(cells);
    agn_release(x);
    tell(&q, "points that coincide");
}

/* ---- nearest where space repeats ------------------------------------------------------------- */

static double length_of(const agn_tensor *x, int64_t d, const double *cell, int64_t from,
                        int64_t to, const int64_t *shift)
{
    double sum = 0;
    for (int64_t a = 0; a < d; a++) {
        double v = get(x, from * d + a) - get(x, to * d + a);
        for (int64_t b = 0; b < d; b++)
            v += (double)shift[b] * cell[b * d + a];
        sum += v * v;
    }
    return sum;
}

static void test_nearest(int64_t n, int64_t d, const double *cell, int64_t k, double lo, double hi)
{
    tally q = {0, 0};
    enum { REACH = 8 };
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){n, d}, lo, hi),
               *c = of_reals(AGN_F64, 2, (int64_t[]){d, d}, cell), *shift;
    agn_graph *g;
    int64_t *from = room_for((size_t)(n * k + 1) * 8), *to = room_for((size_t)(n * k + 1) * 8),
            few = k;
    bool none = true;
    for (int64_t a = 0; a < d * d; a++)
        none &= cell[a] == 0;
    few = none && k > n - 1 ? n - 1 : k;
    must(agn_graph_knn_periodic(&g, &shift, x, c, k));
    int64_t m = 0;
    must(agn_graph_size(NULL, NULL, &m, g));
    check(&q, m == n * few && has_shape(shift, 2, (int64_t[]){m, d}), "%d edges", (int)m);
    if (m == n * few)
        read_edges(g, from, to);
    for (int64_t e = 0; m == n * few && e < m; e++) {
        int64_t s[3] = {0}, i = e / few;
        for (int64_t a = 0; a < d; a++)
            s[a] = at(shift, e * d + a);
        double far = length_of(x, d, cell, from[e], to[e], s);
        int64_t nearer = 0, side = 2 * REACH + 1, all = 1;
        for (int64_t a = 0; a < d; a++)
            all *= side;
        for (int64_t j = 0; j < n; j++)
            for (int64_t v = 0; v < all; v++) {
                int64_t t[3] = {0}, rest = v;
                bool own = i == j, zero = false;
                for (int64_t a = 0; a < d; a++, rest /= side) {
                    t[a] = rest % side - REACH;
                    own &= t[a] == 0;
                    bool still = true;
                    for (int64_t b = 0; b < d; b++)
                        still &= cell[a * d + b] == 0;
                    zero |= still && t[a];
                }
                nearer += !own && !zero && length_of(x, d, cell, j, i, t) < far * (1 - 1e-12);
            }
        check(&q, to[e] == i && nearer <= e % few, "edge %d: %d are nearer", (int)e, (int)nearer);
        check(&q, from[e] != i || s[0] || s[1] || s[2], "no edge to itself");
    }
    tell(&q, "nearest of %d points in %d axes where space repeats", (int)n, (int)d);
    agn_graph_release(g);
    free(from);
    free(to);
    agn_release(shift);
    agn_release(x);
    agn_release(c);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void test_failures(bool qhull)
{
    tally q = {0, 0};
    const double inf = (double)INFINITY;
    agn_tensor *out = untouched, *x = cloud_of(9, 2);
    agn_graph *nothing = (agn_graph *)(uintptr_t)1, *to = nothing;
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){4, 2}, 0, 1),
               *flat = whole(3, (int64_t[]){1, 2, 3}), *sp = NULL;
    agn_tensor *line = of_reals(AGN_F64, 2, (int64_t[]){4, 2}, (double[]){0, 0, 1, 2, 2, 4, 3, 6}),
               *two = cloud_of(2, 2);
    agn_tensor *one = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){1, 2, 1, 2, 1, 2}),
               *five = NULL;
    agn_tensor *hole = of_reals(AGN_F64, 2, (int64_t[]){3, 2}, (double[]){0, 0, 0, inf, 1, 1});
    agn_tensor *plane = of_reals(AGN_F64, 2, (int64_t[]){5, 3},
                                 (double[]){0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.5, 0.25, 1});
    agn_tensor *cell = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1}),
               *thin = NULL, *nine = NULL, *big = NULL;
    must(agn_sparse_from_dense(&sp, x));
    must(agn_full(&five, AGN_F64, 2, (int64_t[]){9, 5}, 0));
    must(agn_full(&nine, AGN_F64, 2, (int64_t[]){2, 9}, 0));
    must(agn_full(&big, AGN_F64, 2, (int64_t[]){9, 9}, 0));
    thin = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 2, 2});
#define BAD(call, op, st, m1, m2) \
    check(&q, refused(call, st, op, m1, m2, out) && to == nothing, "refusal in line %d: %s", \
          __LINE__, agn_error_message())
#define TRI(o_, x_, st, m1, m2) BAD(agn_mesh_triangulate(o_, x_), "mesh_triangulate", st, m1, m2)
    TRI(NULL, x, AGN_ENULL, "cells is NULL", NULL);
    TRI(&out, NULL, AGN_ENULL, "x is NULL", NULL);
    TRI(&out, flat, AGN_ESHAPE, "[3]", NULL);
    TRI(&out, five, AGN_ESHAPE, "[9,5]", "two or three");
    TRI(&out, z, AGN_EDTYPE, "c128", NULL);
    TRI(&out, two, AGN_EDOMAIN, "2 points", "3");
    TRI(&out, hole, AGN_EDOMAIN, "point 1", NULL);
    TRI(&out, sp, AGN_EUNSUPPORTED, "sparse", NULL);
    if (qhull) {
        TRI(&out, line, AGN_EDOMAIN, "on a line", NULL);
        TRI(&out, one, AGN_EDOMAIN, "on a line", NULL);
        TRI(&out, plane, AGN_EDOMAIN, "in a plane", NULL);
    } else {
        TRI(&out, line, AGN_EUNSUPPORTED, "without Qhull", NULL);
    }
#define KNN(g_, s_, x_, c_, k_, st, m1, m2) \
    BAD(agn_graph_knn_periodic(g_, s_, x_, c_, k_), "graph_knn_periodic", st, m1, m2)
    KNN(NULL, &out, x, cell, 1, AGN_ENULL, "out is NULL", NULL);
    KNN(&to, NULL, x, cell, 1, AGN_ENULL, "shift is NULL", NULL);
    KNN(&to, &out, NULL, cell, 1, AGN_ENULL, "x is NULL", NULL);
    KNN(&to, &out, x, NULL, 1, AGN_ENULL, "cell is NULL", NULL);
    KNN(&to, &out, x, cell, -1, AGN_EARG, "-1 neighbours", NULL);
    KNN(&to, &out, flat, cell, 1, AGN_ESHAPE, "[3]", NULL);
    KNN(&to, &out, x, five, 1, AGN_ESHAPE, "[9,5]", "[2,2]");
    KNN(&to, &out, z, cell, 1, AGN_EDTYPE, "c128", NULL);
    KNN(&to, &out, hole, cell, 1, AGN_EDOMAIN, "point 1", NULL);
    KNN(&to, &out, x, thin, 1, AGN_EDOMAIN, "no volume", NULL);
    KNN(&to, &out, nine, big, 1, AGN_EUNSUPPORTED, "9 coordinates", NULL);
    KNN(&to, &out, sp, cell, 1, AGN_EUNSUPPORTED, "sparse", NULL);
    tell(&q, "failures: status, op, two facts, nothing written");
    RELEASE(x, z, flat, sp, line, two, one, five, hole, plane, cell, thin, nine, big);
}

typedef struct making {
    agn_tensor *x, *cell;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    if (m->what)
        return agn_mesh_triangulate(out, m->x);
    agn_status st = agn_graph_knn_periodic(&g, out, m->x, m->cell, 3);
    agn_graph_release(g);
    return st;
}

int main(void)
{
    static const double square[] = {1, 0, 0, 1}, skew[] = {1, 0.3, -0.2, 0.7},
                        strip[] = {0.8, 0, 0, 0}, none[4] = {0};
    static const double box[] = {1, 0, 0, 0.5, 0.9, 0, 0.1, 0.2, 1.1};
    making m = {cloud_of(12, 2), of_reals(AGN_F64, 2, (int64_t[]){2, 2}, skew), 0};
    agn_tensor *cells = NULL;
    bool qhull = !agn_mesh_triangulate(&cells, m.x);
    agn_release(cells);
    if (qhull) {
        test_cells();
        test_memory();
    } else {
        skip("built without Qhull");
    }
    test_nearest(9, 2, square, 5, 0, 1);
    test_nearest(4, 2, skew, 12, -1.5, 1.5);
    test_nearest(1, 2, skew, 6, 0, 1);
    test_nearest(8, 2, strip, 4, 0, 2);
    test_nearest(6, 2, none, 9, 0, 1);
    test_nearest(6, 2, square, 0, 0, 1);
    test_nearest(0, 2, square, 3, 0, 1);
    test_nearest(3, 3, box, 14, -1, 1);
    test_failures(qhull);
    every_allocation(make, &m, "knn_periodic");
    m.what = 1;
    if (qhull)
        every_allocation(make, &m, "triangulate");
    agn_release(m.x);
    agn_release(m.cell);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
