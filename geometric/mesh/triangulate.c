/* geometric/mesh/triangulate.c - triangulations of points (Delaunay 1934): cells turned alike and
   put in order. */
#include "geometric/mesh/delaunay.h"
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_mesh.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* about the middle of their box and with the largest coordinate near 1, so that squares of lifted
   points keep digits */
static double *centre_cloud(const agni_cloud *c)
{
    double *x = agni_alloc((size_t)(c->n * c->d + 1) * sizeof *x), size = 0;
    for (int64_t a = 0; x && a < c->d; a++) {
        double lo = c->x[a], hi = c->x[a];
        for (int64_t i = 1; i < c->n; i++) {
            lo = fmin(lo, c->x[i * c->d + a]);
            hi = fmax(hi, c->x[i * c->d + a]);
        }
        double middle = lo / 2 + hi / 2;
        for (int64_t i = 0; i < c->n; i++)
            x[i * c->d + a] = c->x[i * c->d + a] / 2 - middle / 2;
        size = fmax(size, hi / 2 - lo / 2);
    }
    int by = 0;
    frexp(size, &by);
    for (int64_t i = 0; x && i < c->n * c->d; i++)
        x[i] = ldexp(x[i], 1 - by);
    return x;
}

/* The sign of the volume of a cell: 0 where it is not larger than what rounding may have made of
   0. */
static int turn_of(const double *x, int64_t d, const int64_t *cell)
{
    double v[3][3] = {{0}}, det = 0, size = 0;
    for (int64_t k = 0; k < d; k++)
        for (int64_t a = 0; a < d; a++)
            v[k][a] = x[cell[k + 1] * d + a] - x[cell[0] * d + a];
    for (int64_t a = 0; a < d; a++) { /* along the first row */
        int64_t b = (a + 1) % d, c = (a + 2) % d;
        double one = d == 2 ? (a ? 0 : v[1][1]) : v[1][b] * v[2][c],
               two = d == 2 ? (a ? v[1][0] : 0) : v[1][c] * v[2][b];
        det += v[0][a] * (one - two);
        size += fabs(v[0][a]) * (fabs(one) + fabs(two));
    }
    return fabs(det) <= 16 * DBL_EPSILON * size ? 0 : det > 0 ? 1 : -1;
}

static int by_nodes(const void *a, const void *b, int64_t n)
{
    const int64_t *p = a, *q = b;
    for (int64_t k = 0; k < n; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}
static int by_three(const void *a, const void *b)
{
    return by_nodes(a, b, 3);
}
static int by_four(const void *a, const void *b)
{
    return by_nodes(a, b, 4);
}

/* rising, but for the last two where that turns the cell */
static void turn_cell(const double *x, int64_t d, int64_t *cell)
{
    for (int64_t i = 1; i <= d; i++)
        for (int64_t j = i; j > 0 && cell[j] < cell[j - 1]; j--) {
            int64_t t = cell[j];
            cell[j] = cell[j - 1];
            cell[j - 1] = t;
        }
    if (turn_of(x, d, cell) < 0) {
        int64_t t = cell[d];
        cell[d] = cell[d - 1];
        cell[d - 1] = t;
    }
}

static agn_status triangulate(agn_tensor **out, const char *op, const agni_cloud *c)
{
    int64_t *cell = NULL, m = 0, kept = 0, d = c->d;
    double *x = centre_cloud(c);
    agn_status st = x ? agni_delaunay_cells(&cell, &m, op, c->n, d, x)
                      : agni_nomem(op, (size_t)(c->n * d) * sizeof *x);
    for (int64_t i = 0; !st && i < m; i++) {
        int64_t *row = cell + i * (d + 1), *to = cell + kept * (d + 1);
        if (!turn_of(x, d, row))
            continue;
        for (int64_t k = 0; k <= d; k++)
            to[k] = row[k];
        turn_cell(x, d, to);
        kept++;
    }
    if (!st && kept)
        qsort(cell, (size_t)kept, (size_t)(d + 1) * sizeof *cell, d == 2 ? by_three : by_four);
    if (!st)
        st = agni_tensor_make(out, op, AGN_I64, 2, (int64_t[]){kept, d + 1}, AGN_CPU);
    for (int64_t i = 0; !st && i < kept * (d + 1); i++)
        ((int64_t *)(*out)->data)[i] = cell[i];
    agni_free(cell);
    agni_free(x);
    return st;
}

agn_status agn_mesh_triangulate(agn_tensor **cells, const agn_tensor *x)
{
    static const char op[] = "mesh_triangulate";
    agni_cloud c = {0};
    agn_tensor *near = NULL, *y = NULL; /* made on the host */
    AGNI_NEED(op, cells);
    AGNI_NEED(op, x);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = agni_read_cloud(s, op, "x", x, NULL, &c) ? AGN_OK : agn_scope_status(s);
    if (!st && c.d != 2 && c.d != 3)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, two or three coordinates are needed", op,
                       AGNI_SHAPE(x));
    if (!st && c.n <= c.d)
        st = agni_fail(AGN_EDOMAIN, "%s: %lld points, a cell has %lld", op, (long long)c.n,
                       (long long)c.d + 1);
    if (!st && c.n > INT32_MAX / 8)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: %lld points, %d at most", op, (long long)c.n,
                       INT32_MAX / 8);
    if (!st)
        st = triangulate(&near, op, &c);
    if (!st)
        st = agn_to_device(&y, near, agn_device_of(x));
    agn_release(near);
    agn_scope_fail(s, st);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_release(y);
    else
        *cells = y;
    return st;
}
