/* geometric/points/neighbours.c - graphs of near points: k nearest neighbours and balls, in one
   cloud or many. */
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_points.h>
#include <math.h>
#include <stdlib.h>

/* Points by clouds: those of number i of `cloud` are order[begin[i]] .. */
typedef struct clouds {
    int64_t n, *begin, *id;
} clouds;

typedef struct pair {
    int64_t id, point;
} pair;
static int by_id(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    return p->id != q->id        ? (p->id < q->id ? -1 : 1)
           : p->point < q->point ? -1
                                 : p->point > q->point;
}

/* all points in one cloud, or in the order of their ids */
static agn_status sort_clouds(const char *op, const agni_cloud *c, clouds *to, int64_t *order)
{
    *to = (clouds){0, agni_alloc((size_t)(c->n + 2) * sizeof(int64_t)),
                   agni_alloc((size_t)(c->n + 1) * sizeof(int64_t))};
    pair *p = agni_alloc((size_t)(c->n + 1) * sizeof *p);
    if (!to->begin || !to->id || !p) {
        agni_free(p);
        return agni_nomem(op, (size_t)c->n * 4 * sizeof(int64_t));
    }
    for (int64_t i = 0; i < c->n; i++)
        p[i] = (pair){c->id ? c->id[i] : 0, i};
    if (c->id && c->n)
        qsort(p, (size_t)c->n, sizeof *p, by_id);
    for (int64_t i = 0; i < c->n; i++) {
        if (!i || p[i].id != p[i - 1].id) {
            to->id[to->n] = p[i].id;
            to->begin[to->n++] = i;
        }
        order[i] = p[i].point;
    }
    to->begin[to->n] = c->n;
    agni_free(p);
    return AGN_OK;
}

/* the cloud of an id, or -1 */
static int64_t find_cloud(const clouds *q, int64_t id)
{
    int64_t k = agni_lower_bound(q->id, true, q->n, id);
    return k < q->n && q->id[k] == id ? k : -1;
}

typedef struct edges {
    int64_t *src, *dst, n, room;
} edges;
static bool add_edges(edges *to, const agni_search *s, int64_t dst)
{
    while (to->n + s->n > to->room) {
        int64_t room = 2 * to->room + 64;
        int64_t *a = agni_alloc((size_t)room * sizeof *a),
                *b = agni_alloc((size_t)room * sizeof *b);
        for (int64_t k = 0; a && b && k < to->n; k++) {
            a[k] = to->src[k];
            b[k] = to->dst[k];
        }
        agni_free(a && b ? to->src : a);
        agni_free(a && b ? to->dst : b);
        if (!a || !b)
            return false;
        to->src = a;
        to->dst = b;
        to->room = room;
    }
    for (int64_t k = 0; k < s->n; k++) {
        to->src[to->n] = s->found[k].point;
        to->dst[to->n++] = dst;
    }
    return true;
}

static agn_status search_all(const char *op, const agni_cloud *x, const agni_cloud *y, bool same,
                             agni_search *s, edges *to)
{
    agni_kd_tree t = {x, agni_alloc((size_t)(x->n + 1) * sizeof(int64_t)),
                      agni_alloc((size_t)(x->n + 1) * sizeof(int32_t))};
    clouds q = {0, NULL, NULL};
    agn_status st = t.order && t.axis ? sort_clouds(op, x, &q, t.order)
                                      : agni_nomem(op, (size_t)x->n * 2 * sizeof(int64_t));
    for (int64_t k = 0; !st && k < q.n; k++)
        agni_kd_build(&t, q.begin[k], q.begin[k + 1]);
    for (int64_t i = 0; !st && i < y->n; i++) {
        int64_t k = find_cloud(&q, y->id ? y->id[i] : 0);
        s->q = y->x + i * y->d;
        s->skip = same ? i : -1;
        if (k >= 0 && (!agni_kd_search(&t, q.begin[k], q.begin[k + 1], s) || !add_edges(to, s, i)))
            st = agni_nomem(op, (size_t)(to->n + s->n) * 2 * sizeof(int64_t));
    }
    agni_free(t.order);
    agni_free(t.axis);
    agni_free(q.begin);
    agni_free(q.id);
    return st;
}

static agn_status near_points(const char *op, agn_graph **out, const agn_tensor *x,
                              const agn_tensor *y, const agn_tensor *ids_x, const agn_tensor *ids_y,
                              double radius, int64_t most)
{
    agni_search search = {.most = most}, *s = &search;
    agni_cloud from, to;
    edges e = {0};
    agn_graph *g = NULL;
    AGNI_NEED_ALL(op, y || !ids_y, "y");
    AGNI_NEED_ALL(op, !y || !ids_x || ids_y, "ids_y");
    AGNI_NEED_ALL(op, !y || !ids_y || ids_x, "ids_x");
    agn_scope *p = agn_scope_open(NULL);
    bool good = agni_read_cloud(p, op, "x", x, ids_x, &from);
    to = from;
    if (good && y)
        good = agni_read_cloud(p, op, "y", y, ids_y, &to);
    if (good && from.d != to.d)
        agn_scope_fail(p,
                       agni_fail(AGN_ESHAPE, "%s: x is %s, y is %s: as many coordinates are needed",
                                 op, AGNI_SHAPE(x), AGNI_SHAPE(y)));
    radius = ldexp(radius, good && !agn_scope_status(p) ? agni_scale_clouds(p, op, &from, &to) : 0);
    s->within = radius * radius;
    if (good && !agn_scope_status(p)) {
        agn_status st = search_all(op, &from, &to, !y, s, &e);
        agn_scope_fail(p, st ? st : agni_graph_make(&g, op, from.n, to.n, e.n, e.src, e.dst));
    }
    agni_free(s->found);
    agni_free(e.src);
    agni_free(e.dst);
    agn_status st = agni_rename_error(op, agn_scope_close(p));
    if (!st)
        *out = g;
    return st;
}

agn_status agn_graph_knn(agn_graph **out, const agn_tensor *x, const agn_tensor *y,
                         const agn_tensor *ids_x, const agn_tensor *ids_y, int64_t k)
{
    static const char op[] = "graph_knn";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (k < 0)
        return agni_fail(AGN_EARG, "%s: %lld neighbours, 0 or more are needed", op, (long long)k);
    return near_points(op, out, x, y, ids_x, ids_y, (double)INFINITY, k);
}

agn_status agn_graph_radius(agn_graph **out, const agn_tensor *x, const agn_tensor *y,
                            const agn_tensor *ids_x, const agn_tensor *ids_y, double radius,
                            int64_t most)
{
    static const char op[] = "graph_radius";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (!(radius >= 0) || isinf(radius))
        return agni_fail(AGN_EDOMAIN, "%s: the radius is %g, a finite number from 0 on is needed",
                         op, radius);
    return near_points(op, out, x, y, ids_x, ids_y, radius, most < 0 ? -1 : most);
}
