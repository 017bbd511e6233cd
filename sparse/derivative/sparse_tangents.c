/* sparse/derivative/sparse_tangents.c - the entries of a sparse derivative by sparse tangents:
   tangents of which each element belongs to one column of the Jacobian at most. Where every element
   of a result depends on one element of each argument (element-wise ops, slices, gathers), a sparse
   tangent of the argument gives one of the result by the rule for jvp, and nothing is computed that
   is no entry. Elements that are only moved, or scaled by a number, are read in the end from the
   tensor that they were computed in (origin). Ops that mix many elements, and programs that would
   need more tangents than there are colours, are left to compressed_columns.c. Griewank & Walther
   2008, section 7.3. */
#include "sparse/derivative/derivative.h"

#include <string.h>

enum { MOST = 96 }; /* sparse tangents of a value */

typedef struct sparse_tangent {
    const agn_tensor *t; /* the tangent, in the shape of the value; 0 where col is -1 */
    const agn_tensor *origin; /* the tensor its elements were computed in: */
    const int32_t *src; /* [n] element of the origin, -1: 0; NULL: the same element */
    const int32_t *col; /* [n] the column, -1: none */
} sparse_tangent;

typedef struct tangent_set {
    int n;
    sparse_tangent *s;
} tangent_set;

typedef struct tangent_pass {
    agn_scope *s;
    agni_traversal *w;
    tangent_set *of; /* of each value */
    int most;    /* tangents that an op may be applied to */
    void **room; /* what is freed in the end */
    int n_room, cap_room;
    bool given_up;
} tangent_pass;

static void *alloc_kept(tangent_pass *q, size_t bytes)
{
    if (q->n_room == q->cap_room) {
        int cap = q->cap_room ? 2 * q->cap_room : 64;
        void **p = agni_realloc(q->room, (size_t)cap * sizeof *p);
        if (!p) {
            agn_scope_fail(q->s, agni_nomem("sparse_jacobian", bytes));
            return NULL;
        }
        q->room = p;
        q->cap_room = cap;
    }
    void *p = agni_alloc(bytes ? bytes : 1);
    if (!p)
        agn_scope_fail(q->s, agni_nomem("sparse_jacobian", bytes));
    else
        q->room[q->n_room++] = p;
    return p;
}

static bool has_stopped(const tangent_pass *q)
{
    return q->given_up || agn_scope_status(q->s);
}

/* ---- columns and indices --------------------------------------------------------- */

static const int32_t *compose_indices(tangent_pass *q, const int32_t *a, const int64_t *from,
                                      int64_t n)
{
    if (!from)
        return a;
    int32_t *b = alloc_kept(q, (size_t)n * sizeof *b);
    for (int64_t e = 0; b && e < n; e++)
        b[e] = from[e] < 0 ? -1 : a ? a[from[e]] : (int32_t)from[e];
    return b;
}

static bool equal_indices(const int32_t *a, const int32_t *b, int64_t n)
{
    return a == b || (a && b && !memcmp(a, b, (size_t)n * sizeof *a));
}
/* no element belongs to two columns, or with apart to both at all */
static bool are_compatible(const int32_t *a, const int32_t *b, int64_t n, bool disjoint)
{
    for (int64_t e = 0; e < n; e++)
        if (a[e] >= 0 && b[e] >= 0 && (disjoint || a[e] != b[e]))
            return false;
    return true;
}
/* a where there is a column, else b */
static const int32_t *merge_indices(tangent_pass *q, const int32_t *col, const int32_t *a,
                                    const int32_t *b, int64_t n)
{
    int32_t *c = a == b ? NULL : alloc_kept(q, (size_t)n * sizeof *c);
    for (int64_t e = 0; c && e < n; e++)
        c[e] = col[e] >= 0 ? a[e] : b[e];
    return c ? c : a;
}
static bool is_complete(const int32_t *a, int64_t n)
{
    for (int64_t e = 0; e < n; e++)
        if (a[e] < 0)
            return false;
    return true;
}

static bool has_every_source(const int64_t *from, int64_t n)
{
    for (int64_t e = 0; from && e < n; e++)
        if (from[e] < 0)
            return false;
    return true;
}

/* ---- sets of tangents -------------------------------------------------------------------- */

static void append_tangent(tangent_pass *q, tangent_set *b, sparse_tangent c)
{
    if (!b->s && !(b->s = alloc_kept(q, MOST * sizeof *b->s)))
        return;
    if (b->n == MOST || !c.t || !c.origin)
        q->given_up = true;
    else
        b->s[b->n++] = c;
}

/* merges b into a, where the merged tangent needs no further tensor */
static bool merge_tangents(tangent_pass *q, sparse_tangent *a, const sparse_tangent *b, int64_t n)
{
    agn_scope *s = q->s;
    if (a->origin == b->origin && a->src && b->src && are_compatible(a->col, b->col, n, true)) {
        *a = (sparse_tangent){agni_add_present(s, a->t, b->t), a->origin,
                              merge_indices(q, a->col, a->src, b->src, n),
                              merge_indices(q, a->col, a->col, b->col, n)};
        return true;
    }
    if (!equal_indices(a->col, b->col, n))
        return false;
    if (a->src && b->src && equal_indices(a->src, b->src, n) &&
        agni_same_shape(a->origin, b->origin)) {
        a->t = agni_add_present(s, a->t, b->t);
        a->origin = agni_add_present(s, a->origin, b->origin);
        return true;
    }
    if ((!a->src && !b->src) || (!a->src && b->origin->size == 1 && is_complete(b->src, n)) ||
        (!b->src && a->origin->size == 1 && is_complete(a->src, n))) {
        a->t = agni_add_present(s, a->t, b->t);
        a->origin = a->t;
        a->src = NULL;
        return true;
    }
    return false;
}

static void merge_set(tangent_pass *q, tangent_set *b, int64_t n)
{
    for (int i = 0; i < b->n && !has_stopped(q); i++)
        for (int k = i + 1; k < b->n && !has_stopped(q); k++)
            if (merge_tangents(q, &b->s[i], &b->s[k], n)) {
                b->s[k] = b->s[--b->n];
                k = i;
            }
}

/* Packs compatible tangents greedily into as few as columns allow, before an op that is applied to
   each. */
static tangent_set pack_tangents(tangent_pass *q, const tangent_set *b, int64_t n)
{
    tangent_set p = {0, NULL};
    for (int i = 0; i < b->n && !has_stopped(q); i++) {
        const sparse_tangent *c = &b->s[i];
        int k = 0;
        while (k < p.n && !are_compatible(p.s[k].col, c->col, n, false))
            k++;
        if (k == p.n)
            append_tangent(q, &p, *c);
        else
            p.s[k] = (sparse_tangent){agni_add_present(q->s, p.s[k].t, c->t), NULL, NULL,
                                      merge_indices(q, p.s[k].col, p.s[k].col, c->col, n)};
    }
    if (p.n > q->most)
        q->given_up = true;
    return p;
}

/* ---- ops ------------------------------------------------------------------------ */

static const agn_tensor *broadcast_to_result(agn_scope *s, const agn_tensor *t, const agn_tensor *y)
{
    if (t && t->dtype != y->dtype)
        t = agni_cast(s, t, y->dtype);
    return t ? agni_broadcast(s, t, y->ndim, y->shape) : NULL;
}

/* the factor d as one number, [], where it is one everywhere; else NULL */
static const agn_tensor *uniform_factor(agn_scope *s, const agn_tensor *d)
{
    static const int64_t none[AGNI_MAX_RANK];
    agn_tensor *first = NULL;
    if (d == &agni_one || d == &agni_minus_one)
        return d;
    if (!d->st || d->node || d->stale || d->st->device != AGN_CPU || !d->size)
        return NULL;
    bool alike = true;
    size_t bytes = agn_dtype_size(d->dtype);
    for (int k = 0; k < d->ndim; k++)
        alike &= d->stride[k] == 0 || d->shape[k] == 1;
    if (!alike && agni_is_contiguous(d))
        alike = !memcmp(d->data, (const char *)d->data + bytes,
                        (size_t)(d->size - 1) * bytes);
    if (!alike)
        return NULL;
    agn_status st = agni_tensor_view(&first, d, 0, none, none, 0);
    return agn_scope_adopt(s, st, &first);
}

static void propagate_elementwise(tangent_pass *q, const agni_rule *r, const tangent_set *x, int i,
                                  const agni_element_sources *from, tangent_set *to)
{
    agn_scope *s = q->s;
    const agn_tensor *d = r->op->partial(s, r, i), *y = r->y[0];
    if (!d || has_stopped(q))
        return;
    const agn_tensor *number = uniform_factor(s, d);
    bool scaled = number && has_every_source(from->from, from->n);
    tangent_set many = scaled ? *x : pack_tangents(q, x, from->m);
    d = scaled ? number : d;
    for (int k = 0; k < many.n && !has_stopped(q); k++) {
        const sparse_tangent *c = &many.s[k];
        sparse_tangent b = {broadcast_to_result(s, agni_mul_partial(s, c->t, d), y),
                            NULL, NULL, compose_indices(q, c->col, from->from, from->n)};
        b.origin = b.t;
        if (scaled) {
            b.origin = agni_mul_partial(s, c->origin, number);
            if (b.origin && b.origin->dtype != y->dtype)
                b.origin = agni_cast(s, b.origin, y->dtype);
            b.src = compose_indices(q, c->src, from->from, from->n);
        }
        append_tangent(q, to, b);
    }
}

static const agn_tensor *apply_jvp(tangent_pass *q, const agni_rule *r, int i, const agn_tensor *t)
{
    const agn_tensor **all = agni_zalloc((size_t)r->nin * sizeof *all), *ty = NULL;
    if (!all) {
        agn_scope_fail(q->s,
                       agni_nomem("sparse_jacobian", (size_t)r->nin * sizeof *all));
        return NULL;
    }
    all[i] = t;
    agni_node_jvp(q->s, r, all, &ty);
    agni_free(all);
    return ty;
}

/* elements that move, or with a rule of their own for each */
static void propagate_single(tangent_pass *q, const agni_rule *r, const tangent_set *x, int i,
                             const agni_element_sources *from, tangent_set *to)
{
    bool moves = from->plain;
    tangent_set many = moves ? *x : pack_tangents(q, x, from->m);
    for (int k = 0; k < many.n && !has_stopped(q); k++) {
        const sparse_tangent *c = &many.s[k];
        sparse_tangent b = {apply_jvp(q, r, i, c->t), NULL, NULL,
                            compose_indices(q, c->col, from->from, from->n)};
        b.origin = moves ? c->origin : b.t;
        b.src = moves ? compose_indices(q, c->src, from->from, from->n) : NULL;
        append_tangent(q, to, b);
    }
}

/* Sums of few elements: the first of each group, the second of each, ... as gathers. */
static void propagate_sum(tangent_pass *q, const agni_rule *r, const tangent_set *x,
                          const agni_element_sources *g, tangent_set *to)
{
    const agn_tensor *y = r->y[0];
    int64_t *at = agni_zalloc((size_t)(g->groups + 1) * sizeof *at), most = 0;
    for (int64_t e = 0; at && e < g->m; e++)
        if (g->group[e] >= 0 && ++at[g->group[e]] > most)
            most = at[g->group[e]];
    if (!at)
        agn_scope_fail(q->s,
                       agni_nomem("sparse_jacobian", (size_t)g->groups * sizeof *at));
    else if (most * x->n > q->most)
        q->given_up = true;
    for (int64_t l = 0; l < most && !has_stopped(q); l++) {
        int64_t *from = alloc_kept(q, (size_t)g->n * sizeof *from);
        memset(at, 0, (size_t)g->groups * sizeof *at);
        for (int64_t e = 0; from && e < g->n; e++)
            from[e] = -1;
        for (int64_t e = 0; from && e < g->m; e++)
            if (g->group[e] >= 0 && at[g->group[e]]++ == l)
                from[g->group[e]] = e;
        for (int k = 0; k < x->n && !has_stopped(q); k++) {
            const sparse_tangent *c = &x->s[k];
            const agn_tensor *t = agni_reshape(q->s, c->t, 1, &c->t->size);
            t = agni_sum_picked(q->s, t, g->n, from, 0, NULL);
            append_tangent(q, to,
                           (sparse_tangent){t ? agni_reshape(q->s, t, y->ndim, y->shape) : NULL,
                                            c->origin, compose_indices(q, c->src, from, g->n),
                                            compose_indices(q, c->col, from, g->n)});
        }
    }
    agni_free(at);
}

static void propagate_argument(tangent_pass *q, int k, const agni_rule *r, int i, tangent_set *to)
{
    const agni_prog *p = q->w->p;
    const tangent_set *x = &q->of[p->arg[p->node[k].arg + i]];
    agni_element_sources from = {0};
    if (!x->n || !agni_is_diff_argument(r->op, i))
        return;
    if (agn_scope_fail(q->s, agni_element_sources_of(&from, p, k, i, 0)))
        q->given_up = true;
    else if (r->op->cls == AGNI_EW && !r->op->jvp && agni_element_sources_is_single(&from))
        propagate_elementwise(q, r, x, i, &from, to);
    else if (agni_element_sources_is_single(&from))
        propagate_single(q, r, x, i, &from, to);
    else if (from.plain && from.group && !from.from && !from.before)
        propagate_sum(q, r, x, &from, to);
    else
        q->given_up = true;
    agni_element_sources_free(&from);
}

static void propagate_program(tangent_pass *q, int argnum)
{
    const agni_prog *p = q->w->p;
    const agn_tensor *x = q->w->prim[argnum];
    int32_t *src = alloc_kept(q, (size_t)x->size * sizeof *src);
    int32_t *col = alloc_kept(q, (size_t)x->size * sizeof *col);
    for (int64_t e = 0; src && col && e < x->size; e++) {
        src[e] = 0;
        col[e] = (int32_t)e;
    }
    if (col && src)
        append_tangent(q, &q->of[argnum],
                       (sparse_tangent){agni_full(q->s, 1, x->dtype, x->ndim, x->shape),
                                        agni_full(q->s, 1, x->dtype, 0, NULL), src, col});
    for (int k = 0; k < p->n_node && !has_stopped(q); k++) {
        const agni_pnode *n = &p->node[k];
        bool any = false;
        for (int i = 0; i < n->nin; i++)
            any |= agni_is_diff_argument(n->op, i) && q->of[p->arg[n->arg + i]].n > 0;
        if (!any || (n->nout == 1 && !q->w->active[n->val]))
            continue;
        if (n->nout != 1) {
            q->given_up = true;
            return;
        }
        agni_rule r = agni_traversal_rule(q->w, k);
        for (int i = 0; i < n->nin && !has_stopped(q); i++)
            propagate_argument(q, k, &r, i, &q->of[n->val]);
        merge_set(q, &q->of[n->val], r.y[0]->size);
    }
}

/* ---- entries -------------------------------------------------------------------- */

/* the distinct origins, concatenated; offset[k] is that of the origin of tangent k */
static const agn_tensor *concat_origins(tangent_pass *q, const tangent_set *b, int dtype,
                                       int64_t *offset)
{
    const agn_tensor *of[MOST], *part[MOST];
    int64_t at[MOST], end = 0, axis = -1;
    int n = 0;
    for (int k = 0; k < b->n && !has_stopped(q); k++) {
        int i = 0;
        while (i < n && of[i] != b->s[k].origin)
            i++;
        if (i == n) {
            const agn_tensor *c = of[n] = b->s[k].origin;
            c = c->dtype == dtype ? c : agni_cast(q->s, c, dtype);
            part[n] = c ? agni_reshape(q->s, c, 1, &c->size) : NULL;
            at[n++] = end;
            end += of[i]->size;
        }
        offset[k] = at[i];
    }
    if (end >= INT32_MAX)
        q->given_up = true;
    if (has_stopped(q))
        return NULL;
    return n == 1
               ? part[0]
               : agni_apply_in(q->s, &agni_op_concat, &(agni_attr){.ni = 1, .i = &axis}, n, part);
}

static int64_t find_entry(const agni_pattern *p, int64_t row, int64_t col)
{
    int64_t lo = agni_row_begin(p, row), hi = agni_row_begin(p, row + 1), end = hi;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (agni_entry_col(p, mid) < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < end && agni_entry_col(p, lo) == col ? lo : -1;
}

/* gathers the entries of p: pick has the first element of each entry, more has the others */
static const agn_tensor *collect_entries(tangent_pass *q, const tangent_set *b,
                                         const agni_pattern *p, int dtype)
{
    int64_t offset[MOST], n = 0, m = p->rows;
    const agn_tensor *all = concat_origins(q, b, dtype, offset);
    int64_t *pick = all ? alloc_kept(q, (size_t)p->nnz * sizeof *pick) : NULL;
    int64_t *more = pick ? alloc_kept(q, (size_t)b->n * (size_t)m * 2 * sizeof *more) : NULL;
    if (!more)
        return NULL;
    for (int64_t e = 0; e < p->nnz; e++)
        pick[e] = -1;
    for (int k = 0; k < b->n; k++)
        for (int64_t e = 0; e < m; e++) {
            const sparse_tangent *c = &b->s[k];
            int64_t src = c->src ? c->src[e] : e;
            int64_t at = c->col[e] < 0 || src < 0 ? -1 : find_entry(p, e, c->col[e]);
            if (at < 0)
                continue;
            if (pick[at] < 0) {
                pick[at] = offset[k] + src;
            } else {
                more[2 * n] = at;
                more[2 * n++ + 1] = offset[k] + src;
            }
        }
    return agni_sum_picked(q->s, all, p->nnz, pick, n, more);
}

const agn_tensor *agni_entries_by_tangents(agn_scope *s, agni_recorded *r, int argnum,
                                           const agni_pattern *p, int most, int *n_tangents)
{
    size_t n = (size_t)r->p->n_val + 1;
    tangent_pass q = {.s = s, .w = &r->w, .of = agni_zalloc(n * sizeof *q.of), .most = most};
    const agn_tensor *v = NULL, *y = r->w.prim[r->p->out[0]];
    if (!q.of) {
        agn_scope_fail(s, agni_nomem("sparse_jacobian", n * sizeof *q.of));
        return NULL;
    }
    propagate_program(&q, argnum);
    const tangent_set *b = &q.of[r->p->out[0]];
    if (!has_stopped(&q) && b->n) {
        v = collect_entries(&q, b, p, y->dtype);
        *n_tangents = b->n;
    }
    for (int k = 0; k < q.n_room; k++)
        agni_free(q.room[k]);
    agni_free(q.room);
    agni_free(q.of);
    return v;
}
