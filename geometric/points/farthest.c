/* geometric/points/farthest.c - farthest point sampling (Gonzalez 1985; Eldar et al. 1997), and
   points by the boxes of a grid. */
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_points.h>
#include <math.h>
#include <stdlib.h>

/* count of the n points of[0] .. of[n - 1], of the first one on that is of[at]; square[n] is
   room */
static void spread_points(const agni_cloud *c, const int64_t *of, int64_t n, int64_t at,
                          int64_t count, double *square, int64_t *to)
{
    for (int64_t i = 0; i < n; i++)
        square[i] = (double)INFINITY;
    for (int64_t k = 0; k < count; k++) {
        int64_t next = 0;
        to[k] = of[at];
        square[at] = -1; /* taken once */
        for (int64_t i = 0; i < n; i++) {
            double sum = 0;
            for (int64_t j = 0; j < c->d; j++) {
                double e = c->x[of[i] * c->d + j] - c->x[of[at] * c->d + j];
                sum += e * e;
            }
            square[i] = sum < square[i] ? sum : square[i];
            next = square[i] > square[next] ? i : next;
        }
        at = next;
    }
}

agn_status agn_graph_farthest_points(agn_tensor **out, const agn_tensor *x, int64_t count,
                                     int64_t start)
{
    static const char op[] = "graph_farthest_points";
    agni_cloud c;
    agn_tensor *y = NULL;
    double *square = NULL;
    int64_t *of = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_scope *s = agn_scope_open(NULL);
    bool good = agni_read_cloud(s, op, "x", x, NULL, &c);
    if (good && (count < 0 || count > c.n))
        agn_scope_fail(s, agni_fail(AGN_EARG, "%s: %lld of %lld points", op, (long long)count,
                                    (long long)c.n));
    else if (good && count && (start < 0 || start >= c.n))
        agn_scope_fail(s, agni_fail(AGN_EINDEX, "%s: start %lld is out of range for %lld points",
                                    op, (long long)start, (long long)c.n));
    if (good && !agn_scope_status(s))
        agni_scale_clouds(s, op, &c, NULL);
    if (good && !agn_scope_status(s)) {
        agn_status st = agni_tensor_make(&y, op, AGN_I64, 1, &count, AGN_CPU);
        square = agni_alloc((size_t)(c.n + 1) * sizeof *square);
        of = agni_alloc((size_t)(c.n + 1) * sizeof *of);
        if (!st && (!square || !of))
            st = agni_nomem(op, (size_t)c.n * 2 * sizeof *square);
        for (int64_t i = 0; !st && i < c.n; i++)
            of[i] = i;
        if (!st)
            spread_points(&c, of, c.n, start, count, square, y->data);
        if (st) {
            agn_release(y);
            y = NULL;
        }
        agn_scope_return(s, out, agni_beside(s, agn_scope_adopt(s, st, &y), x));
    }
    agni_free(square);
    agni_free(of);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- by clouds ------------------------------------------------------------------------------ */

typedef struct keyed {
    int64_t key, point;
} keyed;
static int by_key(const void *a, const void *b)
{
    const keyed *p = a, *q = b;
    return p->key != q->key      ? (p->key < q->key ? -1 : 1)
           : p->point < q->point ? -1
                                 : p->point > q->point;
}

static int64_t count_share(double ratio, int64_t n)
{
    int64_t k = (int64_t)ceil(ratio * (double)n);
    return k > n ? n : k;
}

static const agn_tensor *spread_clouds(agn_scope *s, const char *op, const agni_cloud *c,
                                       double ratio)
{
    keyed *v = agni_alloc((size_t)(c->n + 1) * sizeof *v);
    double *square = agni_alloc((size_t)(c->n + 1) * sizeof *square);
    int64_t *of = agni_alloc((size_t)(2 * c->n + 1) * sizeof *of), *to = of ? of + c->n : NULL,
            k = 0;
    const agn_tensor *y = NULL;
    if (v && square && of) {
        for (int64_t i = 0; i < c->n; i++)
            v[i] = (keyed){c->id[i], i};
        if (c->n)
            qsort(v, (size_t)c->n, sizeof *v, by_key);
        for (int64_t i = 0; i < c->n; i++)
            of[i] = v[i].point;
        for (int64_t lo = 0, hi; lo < c->n; lo = hi) {
            for (hi = lo; hi < c->n && v[hi].key == v[lo].key;)
                hi++;
            int64_t n = count_share(ratio, hi - lo);
            spread_points(c, of + lo, hi - lo, 0, n, square, to + k);
            k += n;
        }
        y = ag_from_host(s, AGN_I64, 1, &k, to);
    } else {
        agn_scope_fail(s, agni_nomem(op, (size_t)c->n * 4 * sizeof *of));
    }
    agni_free(v);
    agni_free(square);
    agni_free(of);
    return y;
}

agn_status agn_graph_farthest_points_batch(agn_tensor **out, const agn_tensor *x,
                                           const agn_tensor *ids, double ratio)
{
    static const char op[] = "graph_farthest_points_batch";
    agni_cloud c;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, ids);
    if (!(ratio > 0 && ratio <= 1))
        return agni_fail(AGN_EDOMAIN, "%s: ratio is %g, not in (0, 1]", op, ratio);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL;
    if (agni_read_cloud(s, op, "x", x, ids, &c)) {
        agni_scale_clouds(s, op, &c, NULL);
        y = agn_scope_status(s) ? NULL : spread_clouds(s, op, &c, ratio);
    }
    return agni_return(op, s, out, agni_beside(s, y, x));
}

/* ---- by boxes ------------------------------------------------------------------------------- */

/* One axis after the other: points of one box so far and of one slice of the axis are of one box;
   ids are numbered by first points each time. */
static agn_status split_axis(const char *op, const agni_cloud *c, int64_t axis, double size,
                             keyed *v, int64_t *id, int64_t *count)
{
    double least = (double)INFINITY;
    for (int64_t i = 0; i < c->n; i++)
        least = fmin(least, c->x[i * c->d + axis]);
    int64_t *slice = agni_alloc((size_t)(2 * c->n + 1) * sizeof *slice),
            *first = slice ? slice + c->n : NULL, n = 0;
    if (!slice)
        return agni_nomem(op, (size_t)c->n * 2 * sizeof *slice);
    for (int64_t i = 0; i < c->n; i++) {
        double at = floor((c->x[i * c->d + axis] - least) / size);
        if (!(at < 4611686018427387904.0)) {
            agni_free(slice);
            return agni_fail(AGN_EDOMAIN, "%s: point %lld lies %g boxes along axis %lld", op,
                             (long long)i, at, (long long)axis);
        }
        slice[i] = (int64_t)at;
    }
    for (int64_t i = 0; i < c->n; i++)
        v[i] = (keyed){slice[i], i};
    qsort(v, (size_t)c->n, sizeof *v, by_key);
    for (int64_t i = 0, rank = 0; i < c->n; i++) { /* ranks of slices are below n, so that pairs are numbers */
        int64_t now = v[i].key;
        first[v[i].point] = rank;
        rank += i + 1 < c->n && v[i + 1].key != now;
    }
    for (int64_t i = 0; i < c->n; i++)
        v[i] = (keyed){id[i] * c->n + first[i], i};
    qsort(v, (size_t)c->n, sizeof *v, by_key);
    for (int64_t i = 0; i < c->n; i++) /* the first point of each box */
        slice[v[i].point] = i && v[i].key == v[i - 1].key ? slice[v[i - 1].point] : v[i].point;
    for (int64_t i = 0; i < c->n; i++)
        id[i] = slice[i] == i ? n++ : id[slice[i]];
    *count = n;
    agni_free(slice);
    return AGN_OK;
}

agn_status agn_graph_grid_cluster(agn_tensor **ids, int64_t *count, const agn_tensor *x,
                                  const agn_tensor *size)
{
    static const char op[] = "graph_grid_cluster";
    agni_cloud c, box = {0};
    agn_tensor *y = NULL, *row = NULL;
    keyed *v = NULL;
    int64_t n = 0;
    AGNI_NEED(op, ids);
    AGNI_NEED(op, size);
    agn_scope *s = agn_scope_open(NULL);
    bool good = agni_read_cloud(s, op, "x", x, NULL, &c);
    agn_status st = good ? agni_require_dense(size, op) : agn_scope_status(s);
    if (!st && (size->ndim != 1 || size->shape[0] != c.d))
        st = agni_fail(AGN_ESHAPE, "%s: size is %s, [%lld] is needed", op, AGNI_SHAPE(size),
                       (long long)c.d);
    if (!st)
        st = agn_reshape(&row, size, 2, (int64_t[]){1, c.d});
    if (!st && !agni_read_cloud(s, op, "size", row, NULL, &box))
        st = agn_scope_status(s);
    if (!st && c.n > INT32_MAX)
        st = agni_fail(AGN_EUNSUPPORTED, "%s: %lld points, %d at most", op, (long long)c.n,
                       INT32_MAX);
    for (int64_t a = 0; !st && a < c.d; a++)
        if (!(box.x[a] > 0))
            st = agni_fail(AGN_EDOMAIN, "%s: size has %g at %lld, not above 0", op, box.x[a],
                           (long long)a);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &c.n, AGN_CPU);
    if (!st && !(v = agni_alloc((size_t)(c.n + 1) * sizeof *v)))
        st = agni_nomem(op, (size_t)c.n * sizeof *v);
    for (int64_t i = 0; !st && i < c.n; i++)
        ((int64_t *)y->data)[i] = 0;
    n = !st && c.n ? 1 : 0;
    for (int64_t a = 0; !st && c.n && a < c.d; a++)
        st = split_axis(op, &c, a, box.x[a], v, y->data, &n);
    agni_free(v);
    if (st) {
        agn_release(y);
        y = NULL;
    }
    agn_scope_return(s, ids, agni_beside(s, agn_scope_adopt(s, st, &y), x));
    st = agni_rename_error(op, agn_scope_close(s));
    agn_release(row);
    if (!st && count)
        *count = n;
    return st;
}
