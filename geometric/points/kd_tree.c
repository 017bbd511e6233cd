/* geometric/points/kd_tree.c - nearest points by a k-d tree (Bentley 1975; Friedman, Bentley and
   Finkel 1977). Of points at the same distance the one of lower number comes first. */
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 8 };

bool agni_read_cloud(agn_scope *s, const char *op, const char *what, const agn_tensor *x,
                     const agn_tensor *ids, agni_cloud *to)
{
    int64_t n = 0;
    agn_status st = x ? agni_require_dense(x, op)
                      : agni_fail(AGN_ENULL, "%s: %s is NULL", op, what);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, a real dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 2)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, [n,d] is needed", op, what,
                       AGNI_SHAPE(x), x->ndim);
    if (agn_scope_fail(s, st) || !(x = agni_read_in(s, op, x)))
        return false;
    const agn_tensor *v = ag_contiguous(s, agni_cast(s, x, AGN_F64));
    *to = (agni_cloud){x->shape[0], x->shape[1], v ? v->data : NULL, NULL};
    for (int64_t i = 0; v && i < to->n; i++)
        for (int64_t j = 0; j < to->d; j++)
            if (!isfinite(to->x[i * to->d + j])) {
                agn_scope_fail(s,
                               agni_fail(AGN_EDOMAIN, "%s: point %lld of %s has the coordinate %g",
                                         op, (long long)i, what, to->x[i * to->d + j]));
                return false;
            }
    if (v && ids) {
        to->id = agni_read_integers(s, op, "ids", ids, &n);
        if (to->id && n != to->n)
            agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                        "%s: ids are %s, %s is %s: one for each point is needed",
                                        op, AGNI_SHAPE(ids), what, AGNI_SHAPE(x)));
    }
    return !agn_scope_status(s);
}

static double largest_coordinate(const agni_cloud *c)
{
    double most = 0;
    for (int64_t k = 0; k < c->n * c->d; k++)
        most = fabs(c->x[k]) > most ? fabs(c->x[k]) : most;
    return most;
}

int agni_scale_clouds(agn_scope *s, const char *op, agni_cloud *a, agni_cloud *b)
{
    enum { SAFE = 300 }; /* sums of squares of 2^-300 to 2^300 are far from both ends */
    double most = largest_coordinate(a), other = b ? largest_coordinate(b) : 0;
    int e = 0;
    frexp(other > most ? other : most, &e);
    if (e >= -SAFE && e <= SAFE)
        return 0;
    for (int which = 0; which < 2 && (which ? b : a); which++) {
        agni_cloud *c = which ? b : a;
        agn_tensor *y = NULL;
        agn_status st = agni_tensor_make(&y, op, AGN_F64, 2, (int64_t[]){c->n, c->d}, AGN_CPU);
        const agn_tensor *near = agn_scope_adopt(s, st, &y);
        if (!near)
            return 0;
        double *to = near->data;
        for (int64_t k = 0; k < c->n * c->d; k++)
            to[k] = ldexp(c->x[k], -e);
        c->x = to;
    }
    return -e;
}

static bool is_before(const agni_cloud *c, int64_t axis, int64_t i, int64_t j)
{
    double a = c->x[i * c->d + axis], b = c->x[j * c->d + axis];
    return a < b || (a == b && i < j);
}

/* order[k] as if [lo, hi) were sorted, smaller ones before it (Hoare 1961, the middle of three as
   pivot) */
static void select_at(const agni_cloud *c, int64_t axis, int64_t *order, int64_t lo, int64_t hi,
                      int64_t k)
{
    while (hi - lo > 1) {
        int64_t a = order[lo], b = order[lo + (hi - lo) / 2], e = order[hi - 1], i = lo, j = hi - 1;
        int64_t p = is_before(c, axis, a, b) ? (is_before(c, axis, b, e)   ? b
                                                : is_before(c, axis, a, e) ? e
                                                                           : a)
                                             : (is_before(c, axis, a, e)   ? a
                                                : is_before(c, axis, b, e) ? e
                                                                           : b);
        while (i <= j) {
            while (is_before(c, axis, order[i], p))
                i++;
            while (is_before(c, axis, p, order[j]))
                j--;
            if (i <= j) {
                int64_t t = order[i];
                order[i++] = order[j];
                order[j--] = t;
            }
        }
        if (k <= j)
            hi = j + 1;
        else if (k >= i)
            lo = i;
        else
            return;
    }
}

void agni_kd_build(agni_kd_tree *t, int64_t lo, int64_t hi)
{
    const agni_cloud *c = t->of;
    if (hi - lo <= LEAF)
        return;
    int64_t widest = 0, middle = lo + (hi - lo) / 2;
    double most = -1;
    for (int64_t a = 0; a < c->d; a++) {
        double least = c->x[t->order[lo] * c->d + a], top = least;
        for (int64_t k = lo; k < hi; k++) {
            double v = c->x[t->order[k] * c->d + a];
            least = v < least ? v : least;
            top = v > top ? v : top;
        }
        if (top - least > most) {
            most = top - least;
            widest = a;
        }
    }
    t->axis[middle] = (int32_t)widest;
    if (c->d)
        select_at(c, widest, t->order, lo, hi, middle);
    agni_kd_build(t, lo, middle);
    agni_kd_build(t, middle + 1, hi);
}

static int by_distance(const void *a, const void *b)
{
    const agni_found *p = a, *q = b;
    return p->square != q->square ? (p->square < q->square ? -1 : 1)
           : p->point < q->point  ? -1
                                  : p->point > q->point;
}

static bool grow_results(agni_search *s)
{
    int64_t room = s->room ? 2 * s->room : 16;
    agni_found *v = agni_alloc((size_t)room * sizeof *v);
    if (!v)
        return false;
    if (s->n)
        memcpy(v, s->found, (size_t)s->n * sizeof *v);
    agni_free(s->found);
    s->found = v;
    s->room = room;
    return true;
}

/* a list in order while it has few; when all are wanted, it is sorted at the end */
static bool offer_point(const agni_cloud *c, agni_search *s, int64_t i)
{
    agni_found f = {i, 0};
    for (int64_t a = 0; a < c->d; a++) {
        double e = s->q[a] - c->x[i * c->d + a];
        f.square += e * e;
    }
    if (i == s->skip || s->most == 0 || f.square > s->within ||
        (s->most > 0 && s->n == s->most && by_distance(&f, &s->found[s->n - 1]) > 0))
        return true;
    if ((s->most < 0 || s->n < s->most) && s->n == s->room && !grow_results(s))
        return false;
    if (s->most < 0) {
        s->found[s->n++] = f;
        return true;
    }
    int64_t k = s->n < s->most ? s->n++ : s->n - 1;
    for (; k > 0 && by_distance(&f, &s->found[k - 1]) < 0; k--)
        s->found[k] = s->found[k - 1];
    s->found[k] = f;
    return true;
}

static bool visit_subtree(const agni_kd_tree *t, int64_t lo, int64_t hi, agni_search *s)
{
    if (hi - lo <= LEAF) {
        for (int64_t k = lo; k < hi; k++)
            if (!offer_point(t->of, s, t->order[k]))
                return false;
        return true;
    }
    int64_t middle = lo + (hi - lo) / 2, axis = t->axis[middle];
    double gap = t->of->d ? s->q[axis] - t->of->x[t->order[middle] * t->of->d + axis] : 0;
    bool left = gap < 0;
    if (!(left ? visit_subtree(t, lo, middle, s) : visit_subtree(t, middle + 1, hi, s)) ||
        !offer_point(t->of, s, t->order[middle]))
        return false;
    double bound = s->most > 0 && s->n == s->most ? s->found[s->n - 1].square : s->within;
    if (gap * gap > bound) /* equal distances are met: the lower number wins */
        return true;
    return left ? visit_subtree(t, middle + 1, hi, s) : visit_subtree(t, lo, middle, s);
}

bool agni_kd_search(const agni_kd_tree *t, int64_t lo, int64_t hi, agni_search *s)
{
    s->n = 0;
    if (!visit_subtree(t, lo, hi, s))
        return false;
    if (s->most < 0 && s->n > 1)
        qsort(s->found, (size_t)s->n, sizeof *s->found, by_distance);
    return true;
}
