/* geometric/mesh/sample.c - points on a triangulated surface, by area (Osada et al. 2002). */
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_mesh.h>
#include <math.h>

/* the area of the triangle, in any number of coordinates: half the length of the wedge */
static double measure_triangle(const agni_cloud *c, const int64_t *node)
{
    const double *p = c->x + node[0] * c->d, *q = c->x + node[1] * c->d, *r = c->x + node[2] * c->d;
    double area = 0;
    for (int64_t a = 0; a < c->d; a++)
        for (int64_t b = a + 1; b < c->d; b++)
            area = hypot(area, (q[a] - p[a]) * (r[b] - p[b]) - (q[b] - p[b]) * (r[a] - p[a]));
    return area / 2;
}

/* areas up to each triangle: sum[m + 1] */
static agn_status add_areas(const char *op, const agni_cloud *c, const int64_t *node, int64_t m,
                            double *sum)
{
    sum[0] = 0;
    for (int64_t k = 0; k < m; k++) {
        for (int i = 0; i < 3; i++)
            if (node[3 * k + i] < 0 || node[3 * k + i] >= c->n)
                return agni_fail(AGN_EINDEX, "%s: cell %lld has node %lld, out of range for %lld",
                                 op, (long long)k, (long long)node[3 * k + i], (long long)c->n);
        sum[k + 1] = sum[k] + measure_triangle(c, node + 3 * k);
    }
    return isfinite(sum[m]) ? AGN_OK
                            : agni_fail(AGN_EDOMAIN, "%s: the area of %lld cells is %g", op,
                                        (long long)m, sum[m]);
}

/* the triangle k with sum[k] <= at < sum[k + 1], of m with some area */
static int64_t find_triangle(const double *sum, int64_t m, double at)
{
    int64_t lo = 0, hi = m;
    while (hi - lo > 1) {
        int64_t middle = lo + (hi - lo) / 2;
        if (sum[middle] <= at)
            lo = middle;
        else
            hi = middle;
    }
    while (sum[lo + 1] == sum[lo]) /* at is the whole sum, by rounding */
        lo--;
    return lo;
}

/* u: three numbers in [0, 1) for each point; the corners of its triangle and their weights */
static void place_points(const double *sum, int64_t m, const int64_t *node, const double *u,
                         int64_t count, int64_t *cell, int64_t *corner, double *weight)
{
    for (int64_t i = 0; i < count; i++) {
        double root = sqrt(u[3 * i + 1]);
        cell[i] = find_triangle(sum, m, u[3 * i] * sum[m]);
        weight[3 * i] = 1 - root;
        weight[3 * i + 1] = root * (1 - u[3 * i + 2]);
        weight[3 * i + 2] = root * u[3 * i + 2];
        for (int k = 0; k < 3; k++)
            corner[3 * i + k] = node[3 * cell[i] + k];
    }
}

static agn_status check_mesh(const char *op, const agn_tensor *x, const agn_tensor *cells,
                             int64_t count)
{
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_require_dense(cells, op);
    if (!st && x->ndim == 2 && x->shape[1] < 2)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, two coordinates or more are needed", op,
                       AGNI_SHAPE(x));
    if (!st && (cells->ndim != 2 || cells->shape[1] != 3))
        st = agni_fail(AGN_ESHAPE, "%s: cells are %s, [m,3] is needed", op, AGNI_SHAPE(cells));
    if (!st && count < 0)
        st = agni_fail(AGN_EARG, "%s: %lld points, 0 or more are needed", op, (long long)count);
    return st;
}

agn_status agn_mesh_sample(agn_tensor **points, agn_tensor **cell, agn_tensor **weight,
                           const agn_tensor *x, const agn_tensor *cells, int64_t count,
                           const agn_tensor *key)
{
    static const char op[] = "mesh_sample";
    agn_tensor *made[3] = {NULL};
    agni_cloud c = {0};
    int64_t size = 0;
    AGNI_NEED(op, points);
    AGNI_NEED(op, x);
    AGNI_NEED(op, cells);
    AGNI_NEED(op, key);
    agn_status st = check_mesh(op, x, cells, count);
    if (st)
        return st;
    const int64_t m = cells->shape[0], shape[2] = {count, 3};
    agn_scope *s = agn_scope_open(NULL);
    bool good = agni_read_cloud(s, op, "x", x, NULL, &c);
    const agn_tensor *flat = good ? agni_reshape(s, cells, 1, (int64_t[]){3 * m}) : NULL;
    const int64_t *node = flat ? agni_read_integers(s, op, "cells", flat, &size) : NULL;
    const agn_tensor *u = node ? ag_uniform(s, key, AGN_F64, 2, shape) : NULL;
    u = u ? agni_read_in(s, op, u) : NULL;
    double *sum = u ? agni_alloc((size_t)(m + 1) * sizeof *sum) : NULL;
    if (u && !sum)
        agn_scope_fail(s, agni_nomem(op, (size_t)m * sizeof *sum));
    if (sum)
        st = add_areas(op, &c, node, m, sum);
    if (sum && !st && u->ndim != 2)
        st = agni_fail(AGN_ESHAPE, "%s: key is %s, [2] is needed", op, AGNI_SHAPE(key));
    if (sum && !st && count && !(sum[m] > 0))
        st = agni_fail(AGN_EDOMAIN, "%s: %lld cells have no area", op, (long long)m);
    for (int i = 0; sum && !st && i < 3; i++)
        st = agni_tensor_make(&made[i], op, i < 2 ? AGN_I64 : AGN_F64, i ? 2 : 1, shape, AGN_CPU);
    if (sum && !st)
        place_points(sum, m, node, u->data, count, made[0]->data, made[1]->data, made[2]->data);
    agni_free(sum);
    if (st)
        for (int i = 0; i < 3; i++) {
            agn_release(made[i]);
            made[i] = NULL;
        }
    agn_scope_fail(s, st);
    const agn_tensor *y = NULL, *z[3] = {NULL};
    for (int i = 0; i < 3 && !agn_scope_status(s); i++) {
        z[i] = agni_beside(s, agn_scope_adopt(s, AGN_OK, &made[i]), x);
        made[i] = NULL;
    }
    if (!agn_scope_status(s)) {
        int dtype = agni_kind(x->dtype) == AGNI_KIND_FLOAT ? x->dtype : AGN_F64;
        y = ag_gather(s, agni_cast(s, x, dtype), z[1], 0);
        y = ag_mul(s, y, ag_expand_dims(s, agni_cast(s, z[2], dtype), -1));
        y = y ? agni_sum_axes(s, y, 1, (int64_t[]){-2}, false) : NULL;
    }
    agn_scope_return(s, points, y);
    if (cell)
        agn_scope_return(s, cell, z[0]);
    if (weight)
        agn_scope_return(s, weight, z[2]);
    st = agni_rename_error(op, agn_scope_close(s));
    for (int i = 0; i < 3; i++)
        agn_release(made[i]);
    return st;
}
