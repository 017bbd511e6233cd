/* sparse/ops/zip.c - functions of two arguments, of which one is sparse, element by element. A
   position without an entry is 0, so f must keep (0, 0): f itself is asked, on zeros. Then entries
   of one operand are matched with those of the other, or with 0:

     f(0, b) = f(a, 0) = 0     where both have an entry       mul and its like
     f(0, b) = 0               where a has one                div by what is dense, and its like
     f(0, 0) = 0               where one of them has one      add, sub, maximum, lt, ...

   The first two hold for finite numbers, and for b that is not 0. Beside an infinity or NaN, and
   over a 0 of a dense b, they are the convention: no entry, no element of the result (as in SciPy).
   Of two sparse operands the patterns alone say that 0 / 0 is everywhere, so div of them is
   refused. */
#include "sparse/ops/merge_patterns.h"
#include "sparse/ops/ops.h"

#include <agnesi/ag.h>
#include <string.h>

enum { BOTH, LEFT, EITHER };
static const struct {
    const agni_op *op;
    int where;
} fewer[] = {
    {&agni_op_mul, BOTH},         {&agni_op_mulz, BOTH},         {&agni_op_logical_and, BOTH},
    {&agni_op_bitwise_and, BOTH}, {&agni_op_div, LEFT},          {&agni_op_remainder, LEFT},
    {&agni_op_fmod, LEFT},        {&agni_op_floor_divide, LEFT},
};
static int result_entries(const agni_op *op)
{
    for (int i = 0; i < AGNI_COUNT(fewer); i++)
        if (fewer[i].op == op)
            return fewer[i].where;
    return EITHER;
}

static const agn_tensor *apply_binary(agn_scope *s, const agni_call *c, const agn_tensor *a,
                                      const agn_tensor *b)
{
    if (c->op == &agni_op_nextafter) /* the row does not take every dtype */
        return ag_nextafter(s, a, b);
    return a && b ? agni_apply_in(s, c->op, c->at, 2, (const agn_tensor *[]){a, b}) : NULL;
}

/* ---- is f(0, 0) zero? -------------------------------------------------------------------- */

/* x where it is a dense number, else 0 of its dtype */
static const agn_tensor *number_or_zero(agn_scope *s, const char *op, const agn_tensor *x)
{
    if (x->layout == AGN_DENSE)
        return agni_reshape(s, agni_detach_node(s, op, x), 0, NULL);
    return agni_full(s, 0, x->dtype, 0, NULL);
}

static bool keeps_zero(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = number_or_zero(s, c->op->name, c->in[0]),
                     *b = number_or_zero(s, c->op->name, c->in[1]);
    return agni_scalar_is_zero(s, apply_binary(s, c, a, b));
}

/* 0 / 0 where neither operand has an entry: NaN in most places */
static const agn_tensor *would_divide_zeros(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0], *b = c->in[1];
    return agni_fail_null(
        s, agni_fail(AGN_EUNSUPPORTED,
                     "%s: 0 over 0 where neither operand has an entry would not stay 0: "
                     "%s with %lld entries, %s with %lld; values can be divided, or "
                     "sparse_to_dense(b)",
                     c->op->name, AGNI_SHAPE(a), (long long)agni_entry_count(a), AGNI_SHAPE(b),
                     (long long)agni_entry_count(b)));
}

/* ---- two sparse arguments ----------------------------------------------------------------- */

/* the union, intersection or left part of the coordinates of two operands, in order */
typedef struct meeting {
    agni_coordinates *p;
    int64_t *of[2]; /* for each coordinate: the entry of the operand, -1 for none */
} meeting;

static agn_status merge_coordinates(meeting *m, const char *op, const agni_coordinates *p,
                                    const agni_coordinates *q, int where)
{
    int64_t most = where == EITHER ? p->nnz + q->nnz : p->nnz, n = 0, i = 0, j = 0;
    int64_t *of[2] = {agni_alloc_indices(most), agni_alloc_indices(most)}, *at = NULL;
    if (of[0] && of[1])
        while (i < p->nnz || j < q->nnz) {
            int c = i == p->nnz ? 1 : j == q->nnz ? -1 : agni_compare_coordinates(p, i, q, j);
            bool keep = where == EITHER || c == 0 || (where == LEFT && c < 0);
            if (keep) {
                of[0][n] = c <= 0 ? i : -1;
                of[1][n++] = c >= 0 ? j : -1;
            }
            i += c <= 0;
            j += c >= 0;
        }
    if (of[0] && of[1])
        at = agni_alloc_indices(p->ndim * n);
    for (int d = 0; at && d < p->ndim; d++)
        for (int64_t k = 0; k < n; k++)
            at[d * n + k] = of[0][k] >= 0 ? p->at[d * p->nnz + of[0][k]]
                                          : q->at[d * q->nnz + of[1][k]];
    agn_status st = agni_make_coordinates(&m->p, op, p->ndim, p->shape, n, true, at);
    for (int k = 0; k < 2; k++) {
        m->of[k] = st ? NULL : of[k];
        if (st)
            agni_free(of[k]);
    }
    return st;
}

/* values at the n merged coordinates, 0 where of is -1; takes of over */
static const agn_tensor *spread_values(agn_scope *s, const char *op, const agn_tensor *a, int64_t n,
                                       int64_t *of)
{
    const agn_tensor *v = agni_values_of(a);
    int64_t m = agni_entry_count(a), here = 0;
    bool same = n == m;
    for (int64_t k = 0; k < n; k++) {
        here += of[k] >= 0;
        same &= of[k] == k;
    }
    if (same) {
        agni_free(of);
        return v;
    }
    if (here == n)
        return agni_gather_values(s, v, agni_entry_axis(a), agni_index_tensor(s, op, n, of));
    int64_t *to = agni_alloc_indices(
        m); /* all of a's entries are there, or those left are picked */
    for (int64_t k = 0, e = 0; to && k < n; k++)
        if (of[k] >= 0) {
            of[e] = of[k];
            to[e++] = k;
        }
    if (here < m)
        v = agni_gather_values(s, v, agni_entry_axis(a), agni_index_tensor(s, op, here, of));
    else
        agni_free(of);
    return agni_scatter_values(s, v, agni_entry_axis(a), agni_index_tensor(s, op, here, to), n);
}

const agn_tensor *agni_values_at(agn_scope *s, const char *op, const agn_tensor *a,
                                 const agni_coordinates *p)
{
    const agni_coordinates *q = agni_coo_of(a)->places;
    int64_t *of = agni_alloc_indices(p->nnz);
    if (!of)
        return agni_fail_nomem(s, op, p->nnz);
    for (int64_t k = 0, e = 0; k < p->nnz; k++) {
        int c = 1;
        while (e < q->nnz && (c = agni_compare_coordinates(q, e, p, k)) < 0)
            e++;
        of[k] = e < q->nnz && c == 0 ? e : -1;
    }
    return spread_values(s, op, a, p->nnz, of);
}

/* axes of 1 among the coordinates become those of the other operand */
static const agn_tensor *broadcast_coordinates(agn_scope *s, const agn_tensor *a,
                                               const agn_tensor *b)
{
    if (!a || !b)
        return NULL;
    const agni_coordinates *p = agni_coo_of(a)->places, *q = agni_coo_of(b)->places;
    int64_t shape[AGNI_MAX_RANK], axis = agni_entry_axis(a);
    bool more = false;
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    for (int d = 0; d < p->ndim; d++)
        if (p->shape[d] == 1 && q->shape[d] != 1) {
            shape[axis + d] = q->shape[d];
            more = true;
        }
    return more ? agni_sparse_broadcast(s,
                                        &(agni_call){.op = &agni_op_broadcast_to,
                                                     .at = &(agni_attr){.ni = a->ndim, .i = shape},
                                                     .nin = 1,
                                                     .in = &a})
                : a;
}

bool agni_sparse_align(agn_scope *s, const char *op, const agn_tensor **a, const agn_tensor **b)
{
    if (agni_coordinate_axes(*a) != agni_coordinate_axes(*b) ||
        agni_dense_axes(*a) != agni_dense_axes(*b)) {
        *a = agni_as_pure_coo(s, op, *a);
        *b = agni_as_pure_coo(s, op, *b);
        int n = *a && *b ? (*a)->ndim > (*b)->ndim ? (*a)->ndim : (*b)->ndim : 0;
        for (int k = 0; n && k < 2; k++) { /* axes of 1 in front */
            const agn_tensor **x = k ? b : a;
            int64_t shape[AGNI_MAX_RANK];
            for (int d = 0; d < n; d++)
                shape[d] = d < n - (*x)->ndim ? 1 : (*x)->shape[d - n + (*x)->ndim];
            *x = agni_sparse_reshape(s, &(agni_call){.op = &agni_op_reshape,
                                                     .at = &(agni_attr){.ni = n, .i = shape},
                                                     .nin = 1,
                                                     .in = x});
            if (!*x)
                return false;
        }
    }
    const agn_tensor *x = broadcast_coordinates(s, *a, *b), *y = broadcast_coordinates(s, *b, *a);
    *a = x;
    *b = y;
    return x && y;
}

/* ---- two matrices by rows, or by columns ----------------------------------------------------- */

static const agn_tensor *sum_of_union(agn_scope *s, const agni_merged_pattern *m,
                                      const agn_tensor *u, const agn_tensor *w)
{
    return u && w ? agni_apply_in(s, &agni_op_sparse_join,
                                  &(agni_attr){.obj = (agni_obj *)(uintptr_t)&m->head}, 2,
                                  (const agn_tensor *[]){u, w})
                  : NULL;
}
/* values v of pattern k over the union, 0 at entries of the other pattern alone */
static const agn_tensor *scatter_to_union(agn_scope *s, const agni_merged_pattern *m, int k,
                                          const agn_tensor *v)
{
    return agni_scatter_values(s, v, v->ndim - 1, agni_merged_pattern_index(s, m, k), m->nnz);
}

static const agn_tensor *apply_at_merged(agn_scope *s, const agni_call *c,
                                         const agni_merged_pattern *m)
{
    const agn_tensor *u = agni_values_of(c->in[0]), *w = agni_values_of(c->in[1]);
    if (m->both)
        return apply_binary(
            s, c, agni_gather_values(s, u, u->ndim - 1, agni_merged_pattern_index(s, m, 0)),
            agni_gather_values(s, w, w->ndim - 1, agni_merged_pattern_index(s, m, 1)));
    if (c->op == &agni_op_add)
        return sum_of_union(s, m, u, w);
    if (c->op == &agni_op_sub)
        return sum_of_union(s, m, u, agni_apply_in(s, &agni_op_neg, NULL, 1, &w));
    return apply_binary(s, c, scatter_to_union(s, m, 0, u), scatter_to_union(s, m, 1, w));
}

static const agn_tensor *zip_patterns(agn_scope *s, const agni_call *c, int where)
{
    const agn_tensor *a = c->in[0];
    const agni_csr *x = agni_sparse_parts(a), *y = agni_sparse_parts(c->in[1]);
    agni_merged_pattern *m = NULL;
    agn_tensor *z = NULL;
    agn_status st = agni_merged_pattern_find(&m, c->op->name, x->pattern, y->pattern,
                                             where == BOTH ? AGNI_PATTERN_INTERSECTION
                                                           : AGNI_PATTERN_UNION);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &m->head))
        return NULL;
    const agn_tensor *v = apply_at_merged(s, c, m);
    if (!v)
        return NULL;
    st = (a->layout == AGN_CSR ? agni_csr_new : agni_csc_new)(&z, c->op->name, m->c, v);
    return agn_scope_adopt(s, st, &z);
}

static bool same_matrices(const agn_tensor *a, const agn_tensor *b)
{
    return a->layout == b->layout && a->layout != AGN_COO && agni_has_sparse_kernel(a->dtype) &&
           agni_has_sparse_kernel(b->dtype) && a->shape[a->ndim - 2] == b->shape[b->ndim - 2] &&
           a->shape[a->ndim - 1] == b->shape[b->ndim - 1];
}

/* ---- entries by coordinates ------------------------------------------------------------------ */

static const agn_tensor *zip_sparse(agn_scope *s, const agni_call *c)
{
    const char *op = c->op->name;
    const agn_tensor *a = c->in[0], *b = c->in[1];
    int layout = a->layout, where = result_entries(c->op);
    if (where != BOTH && !keeps_zero(s, c))
        return agn_scope_status(s) ? NULL
               : where == LEFT     ? would_divide_zeros(s, c)
                                   : agni_fail_would_fill(s, c);
    if (agni_same_places(a, b) && (layout != AGN_COO || agni_coo_of(a)->places->coalesced))
        return agni_with_values_in(s, op, a,
                                   apply_binary(s, c, agni_values_of(a), agni_values_of(b)));
    if (where != LEFT && same_matrices(a, b))
        return zip_patterns(s, c, where);
    const agn_tensor *x = agni_as_coo(s, op, a), *y = agni_as_coo(s, op, b);
    if (!x || !y || !agni_sparse_align(s, op, &x, &y))
        return NULL;
    const agni_coordinates *p = agni_coo_of(x)->places, *q = agni_coo_of(y)->places;
    if (memcmp(p->shape, q->shape, (size_t)p->ndim * sizeof *p->shape))
        return agni_fail_null(s, agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s and %s", op,
                                           AGNI_SHAPE(a), AGNI_SHAPE(b)));
    meeting m = {NULL, {NULL, NULL}};
    agn_status st = merge_coordinates(&m, op, p, q, where);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &m.p->head)) {
        agni_free(m.of[0]);
        agni_free(m.of[1]);
        return NULL;
    }
    const agn_tensor *u = spread_values(s, op, x, m.p->nnz, m.of[0]),
                     *v = spread_values(s, op, y, m.p->nnz, m.of[1]);
    const agn_tensor *z = apply_binary(s, c, u, v);
    return z ? agni_restore_layout(s, op, agni_coo_new_in(s, op, m.p, z, agni_coo_of(x)->dense),
                                   layout)
             : NULL;
}

/* no op: an angle without an entry is 0 and turns nothing, a radius without one stays 0 */
const agn_tensor *agni_sparse_polar(agn_scope *s, const agn_tensor *r, const agn_tensor *phi)
{
    static const char op[] = "polar";
    bool thin = r->layout != AGN_DENSE;
    const agn_tensor *a = thin ? agni_as_coo(s, op, r) : r;
    phi = thin ? agni_as_coo(s, op, phi) : agni_as_dense(s, op, phi);
    if (!a || !phi || (thin && !agni_sparse_align(s, op, &a, &phi)))
        return NULL;
    const agni_coordinates *p = thin ? agni_coo_of(a)->places : NULL;
    if (thin &&
        memcmp(p->shape, agni_coo_of(phi)->places->shape, (size_t)p->ndim * sizeof *p->shape))
        return agni_fail_null(s, agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s and %s", op,
                                           AGNI_SHAPE(r), AGNI_SHAPE(phi)));
    const agn_tensor *u = thin ? agni_values_of(a) : a,
                     *v = thin ? agni_values_at(s, op, phi, p) : phi;
    const agn_tensor *z = v ? ag_complex(s, ag_mul(s, u, ag_cos(s, v)), ag_mul(s, u, ag_sin(s, v)))
                            : NULL;
    return z && thin ? agni_restore_layout(
                           s, op, agni_coo_new_in(s, op, p, z, agni_coo_of(a)->dense), r->layout)
                     : z;
}

/* ---- one of them dense ---------------------------------------------------------------------- */

/* elements of a dense x, broadcast, at the entries of coalesced COO a: it broadcasts with values */
static const agn_tensor *elements_at(agn_scope *s, const char *op, const agn_tensor *x,
                                     const agn_tensor *a)
{
    const agni_coordinates *p = agni_coo_of(a)->places;
    int dense = agni_dense_axes(a), behind = x->ndim < dense ? x->ndim : dense;
    int rank = x->ndim - behind < p->ndim ? x->ndim - behind : p->ndim;
    int front = x->ndim - behind - rank; /* axes of x before those that entries name */
    int64_t shape[AGNI_MAX_RANK + 1], places = 1, *flat = agni_alloc_indices(p->nnz);
    memcpy(shape, x->shape, (size_t)front * sizeof *shape);
    for (int d = front; d < front + rank; d++)
        places *= x->shape[d];
    shape[front] = places;
    for (int d = 0; d < behind; d++)
        shape[front + 1 + d] = x->shape[front + rank + d];
    for (int64_t e = 0; flat && e < p->nnz; e++) {
        flat[e] = 0;
        for (int d = 0; d < rank; d++) {
            int64_t n = x->shape[front + d];
            flat[e] = n == 1 ? flat[e] : flat[e] * n + p->at[(p->ndim - rank + d) * p->nnz + e];
        }
    }
    x = agni_reshape(s, x, front + 1 + behind, shape);
    x = agni_gather_values(s, x, front, agni_index_tensor(s, op, p->nnz, flat));
    if (!x || behind == dense)
        return x;
    /* [nnz, behind...]: axes of 1 where x has none */
    int n = 0;
    shape[n++] = p->nnz;
    for (int d = behind; d < dense; d++)
        shape[n++] = 1;
    memcpy(shape + n, x->shape + 1, (size_t)behind * sizeof *shape);
    return agni_reshape(s, x, n + behind, shape);
}

/* do axes of x broadcast to those of a, coordinates and what follows? */
static agn_status check_broadcast(const char *op, const agn_tensor *x, const agn_tensor *a)
{
    agni_meta m = {.ndim = 0};
    if (agni_broadcast_into(&m, a->ndim, a->shape) && agni_broadcast_into(&m, x->ndim, x->shape))
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: shapes do not broadcast: %s and %s", op, AGNI_SHAPE(a),
                     AGNI_SHAPE(x));
}

/* axes of 1 among the coordinates of a where the dense x has more */
static const agn_tensor *broadcast_to_dense(agn_scope *s, const agn_tensor *a, const agn_tensor *x)
{
    if (!a)
        return NULL;
    int64_t shape[AGNI_MAX_RANK];
    bool more = false;
    int first = agni_entry_axis(a), last = first + agni_coordinate_axes(a);
    for (int d = 0; d < a->ndim; d++) {
        int k = d - a->ndim + x->ndim;
        bool grow = d >= first && d < last && a->shape[d] == 1 && k >= 0 && x->shape[k] != 1;
        shape[d] = grow ? x->shape[k] : a->shape[d];
        more |= grow;
    }
    return more ? agni_sparse_broadcast(s,
                                        &(agni_call){.op = &agni_op_broadcast_to,
                                                     .at = &(agni_attr){.ni = a->ndim, .i = shape},
                                                     .nin = 1,
                                                     .in = &a})
                : a;
}

static bool covers_shape(const agn_tensor *x, const agn_tensor *a)
{
    bool full = x->ndim >= a->ndim;
    for (int d = 0; full && d < a->ndim; d++)
        full = x->shape[x->ndim - a->ndim + d] == a->shape[d] || a->shape[d] == 1;
    return full;
}

static const agn_tensor *zip_mixed(agn_scope *s, const agni_call *c)
{
    const char *op = c->op->name;
    bool second = c->in[0]->layout == AGN_DENSE;
    const agn_tensor *a = c->in[second], *x = c->in[!second];
    int layout = a->layout, where = result_entries(c->op);
    bool number = x->size == 1 && (x->ndim < a->ndim || (x->ndim == a->ndim && a->size != 1));
    bool thin = where == BOTH || (where == LEFT && !second);
    agn_status st = check_broadcast(op, x, a);
    if (st)
        return agni_fail_null(s, st);
    if (number && !thin) {
        if (!x->st || x->st->device != AGN_CPU)
            return agni_fail_null(
                s, agni_fail(AGN_ESYMBOLIC,
                             "%s: what it makes of 0 is not known while tracing: %s and "
                             "a sparse %s",
                             op, AGNI_SHAPE(x), AGNI_SHAPE(a)));
        if (!keeps_zero(s, c))
            return agn_scope_status(s) ? NULL : agni_fail_would_fill(s, c);
    }
    if (number) {
        if (layout == AGN_COO && !(a = agni_as_coo(s, op, a)))
            return NULL;
        const agn_tensor *v = agni_values_of(a), *n = x->ndim ? agni_reshape(s, x, 0, NULL) : x;
        v = second ? apply_binary(s, c, n, v) : apply_binary(s, c, v, n);
        return v ? agni_with_values_in(s, op, a, v) : NULL;
    }
    if (thin) {
        a = broadcast_to_dense(s, agni_as_coo(s, op, a), x);
        const agn_tensor *v = a ? elements_at(s, op, x, a) : NULL;
        if (!v)
            return NULL;
        v = second ? apply_binary(s, c, v, agni_values_of(a))
                   : apply_binary(s, c, agni_values_of(a), v);
        return v ? agni_restore_layout(
                       s, op,
                       agni_coo_new_in(s, op, agni_coo_of(a)->places, v, agni_coo_of(a)->dense),
                       layout)
                 : NULL;
    }
    if (!covers_shape(x, a) || where == LEFT)
        return agni_fail_would_fill(s, c);
    const agn_tensor *full = agni_as_dense(s, op, a);
    return second ? apply_binary(s, c, x, full) : apply_binary(s, c, full, x);
}

const agn_tensor *agni_sparse_zip(agn_scope *s, const agni_call *c)
{
    bool both = c->in[0]->layout != AGN_DENSE && c->in[1]->layout != AGN_DENSE;
    return both ? zip_sparse(s, c) : zip_mixed(s, c);
}
