/* sparse/ops/slice_concat.c - slice, unslice, concat and gather of sparse tensors: the entries that
   stay, with new coordinates, then values in their order. */
#include "sparse/ops/entry_view.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- slice -------------------------------------------------------------------------------- */

/* (first, step, count) of every axis of a, by the attributes of the last ones */
static void slices_of_axes(const agn_tensor *a, const agni_attr *at, int64_t (*each)[3])
{
    int n = at ? at->ni / 3 : 0;
    for (int d = 0; d < a->ndim; d++) {
        const int64_t all[3] = {0, 1, a->shape[d]};
        memcpy(each[d], d < a->ndim - n ? all : at->i + 3 * (d - a->ndim + n), sizeof all);
    }
}
/* are the indices first, first + by, ... (count of them) within an axis of this size? */
static bool slice_is_inside(int64_t first, int64_t by, int64_t count, int64_t size)
{
    int64_t last;
    return count >= 0 && size >= 0 && by != 0 &&
           agni_checked_mul(count ? count - 1 : 0, by, &last) &&
           agni_checked_add(first, last, &last) &&
           (!count || (first >= 0 && first < size && last >= 0 && last < size));
}
/* op, slice or unslice, of those axes that are axes of values, whose entries all stay */
static const agn_tensor *slice_values(agn_scope *s, const agni_op *op, const agni_entry_view *o,
                                      int ndim, int64_t (*each)[3])
{
    int64_t of_v[3 * AGNI_MAX_RANK];
    if (!o->first && !o->dense)
        return o->v;
    for (int d = 0; d < ndim; d++)
        if (!agni_is_coordinate_axis(o, d))
            memcpy(of_v + 3 * agni_values_axis(o, d), each[d], sizeof each[d]);
    memcpy(of_v + 3 * o->first, (int64_t[]){0, 1, o->p->nnz}, 3 * sizeof *of_v);
    return agni_apply_in(s, op, &(agni_attr){.ni = 3 * o->v->ndim, .i = of_v}, 1, &o->v);
}

const agn_tensor *agni_sparse_slice(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    int n = c->at ? c->at->ni / 3 : 0;
    int64_t cut[AGNI_MAX_RANK][3];
    agni_entry_view o;
    if (n > a->ndim)
        return agni_fail_null(s, agni_fail(AGN_EARG, "slice: %d axes are sliced, %s has %d", n,
                                           AGNI_SHAPE(a), a->ndim));
    slices_of_axes(a, c->at, cut);
    for (int d = 0; d < a->ndim; d++) {
        int64_t first = cut[d][0], by = cut[d][1], count = cut[d][2];
        if (!slice_is_inside(first, by, count, a->shape[d]))
            return agni_fail_null(s, agni_fail(AGN_EINDEX,
                                               "slice: %lld elements from %lld by %lld are "
                                               "not in axis %d of %s",
                                               (long long)count, (long long)first, (long long)by, d,
                                               AGNI_SHAPE(a)));
    }
    if (!agni_view_entries(&o, agni_as_coo(s, "slice", a)))
        return NULL;
    int64_t m = o.p->nnz, kept = 0, shape[AGNI_MAX_RANK];
    int64_t *from = agni_alloc_indices(m);
    for (int64_t e = 0; from && e < m; e++) {
        bool in = true;
        for (int d = 0; in && d < o.p->ndim; d++) {
            const int64_t *t = cut[o.first + d];
            int64_t away = o.p->at[d * m + e] - t[0];
            in = t[2] > 0 && away % t[1] == 0 && away / t[1] >= 0 && away / t[1] < t[2];
        }
        if (in)
            from[kept++] = e;
    }
    int64_t *at = from ? agni_alloc_indices(o.p->ndim * kept) : NULL;
    if (!at) {
        agni_free(from);
        return agni_fail_nomem(s, "slice", m);
    }
    for (int d = 0; d < o.p->ndim; d++) {
        const int64_t *t = cut[o.first + d];
        shape[d] = t[2];
        for (int64_t k = 0; k < kept; k++)
            at[d * kept + k] = (o.p->at[d * m + from[k]] - t[0]) / t[1];
    }
    const agn_tensor *v = slice_values(s, &agni_op_slice, &o, a->ndim, cut);
    if (!v) {
        agni_free(at);
        agni_free(from);
        return NULL;
    }
    const agn_tensor *y = agni_coalesced_coo(s, "slice", o.p->ndim, shape, kept, at, from, v,
                                             o.dense);
    return agni_restore_layout(s, "slice", y, a->layout);
}

/* the adjoint: each element is written where the slice would have read it, zeros elsewhere */
const agn_tensor *agni_sparse_unslice(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    int n = c->at ? c->at->ni / 3 : 0;
    int64_t put[AGNI_MAX_RANK][3], shape[AGNI_MAX_RANK];
    agni_entry_view o;
    if (n > a->ndim)
        return agni_fail_null(s, agni_fail(AGN_EARG, "unslice: %d axes are placed, %s has %d", n,
                                           AGNI_SHAPE(a), a->ndim));
    slices_of_axes(a, c->at, put);
    for (int d = 0; d < a->ndim; d++) {
        int64_t first = put[d][0], by = put[d][1], size = put[d][2], many = a->shape[d];
        if (!slice_is_inside(first, by, many, size))
            return agni_fail_null(s, agni_fail(AGN_EINDEX,
                                               "unslice: %lld elements from %lld by %lld do "
                                               "not fit into %lld: axis %d of %s",
                                               (long long)many, (long long)first, (long long)by,
                                               (long long)size, d, AGNI_SHAPE(a)));
    }
    if (!agni_view_entries(&o, agni_as_coo(s, "unslice", a)))
        return NULL;
    int64_t m = o.p->nnz, *at = agni_alloc_indices(o.p->ndim * m);
    if (!at)
        return agni_fail_nomem(s, "unslice", o.p->ndim * m);
    for (int d = 0; d < o.p->ndim; d++) {
        const int64_t *t = put[o.first + d];
        shape[d] = t[2];
        for (int64_t e = 0; e < m; e++)
            at[d * m + e] = t[0] + o.p->at[d * m + e] * t[1];
    }
    const agn_tensor *v = slice_values(s, &agni_op_unslice, &o, a->ndim, put);
    if (!v) {
        agni_free(at);
        return NULL;
    }
    const agn_tensor *y = agni_coalesced_coo(s, "unslice", o.p->ndim, shape, m, at, NULL, v,
                                             o.dense);
    return agni_restore_layout(s, "unslice", y, a->layout);
}

/* ---- concat ------------------------------------------------------------------------------- */

static const agn_tensor *concat_entries(agn_scope *s, const agni_call *c, const agni_entry_view *o,
                                        int axis)
{
    int64_t m = 0, shape[AGNI_MAX_RANK], shift = 0, done = 0;
    int d = axis - o->first;
    memcpy(shape, o->p->shape, (size_t)o->p->ndim * sizeof *shape);
    shape[d] = 0;
    for (int i = 0; i < c->nin; i++) {
        m += o[i].p->nnz;
        bool same = o[i].p->ndim == o->p->ndim && o[i].dense == o->dense;
        for (int k = 0; same && k < o->a->ndim; k++)
            same = k == axis || o[i].a->shape[k] == o->a->shape[k];
        if (!same)
            return agni_fail_null(s, agni_fail(AGN_ESHAPE,
                                               "concat: shapes differ beside axis %d: %s and %s",
                                               axis, AGNI_SHAPE(o->a), AGNI_SHAPE(o[i].a)));
        if (!agni_checked_add(shape[d], o[i].p->shape[d], &shape[d]))
            return agni_fail_nomem(s, "concat", INT32_MAX);
    }
    const agn_tensor **v = agni_alloc((size_t)c->nin * sizeof *v), *y = NULL;
    int64_t *at = agni_alloc_indices(o->p->ndim * m);
    for (int i = 0; at && v && i < c->nin; i++) {
        const agni_coordinates *p = o[i].p;
        v[i] = o[i].v;
        for (int k = 0; k < p->ndim; k++)
            for (int64_t e = 0; e < p->nnz; e++)
                at[k * m + done + e] = p->at[k * p->nnz + e] + (k == d ? shift : 0);
        done += p->nnz;
        shift += p->shape[d];
    }
    if (at && v)
        y = agni_apply_in(s, c->op, &(agni_attr){.ni = 1, .i = &(int64_t){o->first - o->v->ndim}},
                          c->nin, v);
    agni_free(v);
    if (!y) {
        agni_free(at);
        return agni_fail_nomem(s, "concat", m);
    }
    return agni_coalesced_coo(s, "concat", o->p->ndim, shape, m, at, NULL, y, o->dense);
}

const agn_tensor *agni_sparse_concat(agn_scope *s, const agni_call *c)
{
    agni_entry_view *o = agni_alloc((size_t)c->nin * sizeof *o);
    if (!o)
        return agni_fail_nomem(s, "concat", c->nin);
    const agn_tensor *y = NULL;
    int axis = (int)c->at->i[0] + c->in[0]->ndim, layout = AGN_DENSE; /* of the first sparse one */
    bool fine = true, pure = false;
    for (int i = 0; fine && i < c->nin; i++) {
        if (c->in[i]->ndim != c->in[0]->ndim) {
            agni_fail_null(s,
                           agni_fail(AGN_ESHAPE, "concat: shapes differ beside axis %d: %s and %s",
                                     axis, AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[i])));
            fine = false;
        }
        bool whole = c->in[i]->layout == AGN_DENSE;
        fine = fine && agni_view_entries(
                           &o[i], (whole ? agni_dense_as_coo : agni_as_coo)(s, "concat", c->in[i]));
        layout = layout == AGN_DENSE ? c->in[i]->layout : layout;
        pure |= fine && (!agni_is_coordinate_axis(&o[i], axis) || o[i].p->ndim != o->p->ndim ||
                         o[i].dense != o->dense);
    }
    for (int i = 0; pure && fine && i < c->nin; i++)
        fine = agni_view_entries(&o[i], agni_as_pure_coo(s, "concat", o[i].a));
    if (fine)
        y = agni_restore_layout(s, "concat", concat_entries(s, c, o, axis), layout);
    agni_free(o);
    return y;
}

/* ---- gather --------------------------------------------------------------------------------- */

/* numbers of slices on the host, counted from the front */
static int64_t *read_indices(agn_scope *s, const agn_tensor *idx, int64_t size, int axis)
{
    int64_t *v = agni_alloc_indices(idx->size);
    const agn_tensor *wide = agni_detach_node(s, "gather", idx);
    wide = wide ? agni_cast(s, wide, AGN_I64) : NULL;
    if (!v || !wide || agn_scope_fail(s, agn_to_host(v, wide, (size_t)idx->size * sizeof *v))) {
        agni_free(v);
        if (wide)
            agni_fail_nomem(s, "gather", idx->size);
        return NULL;
    }
    for (int64_t k = 0; k < idx->size; k++) {
        int64_t i = v[k] < 0 ? v[k] + size : v[k];
        if (i < 0 || i >= size) {
            agni_fail_null(s, agni_fail(AGN_EINDEX,
                                        "gather: index %lld is out of range for axis %d of %lld",
                                        (long long)v[k], axis, (long long)size));
            agni_free(v);
            return NULL;
        }
        v[k] = i;
    }
    return v;
}

/* first of the entries in order (by one coordinate) that is not below i */
static int64_t lower_bound(const int64_t *at, const int64_t *order, int64_t n, int64_t i)
{
    int64_t lo = 0, hi = n;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (at[order ? order[mid] : mid] < i)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* entries sorted by one coordinate; NULL in *order: they are. */
static agn_status sort_by_axis(const agni_coordinates *p, int d, int64_t **order)
{
    int64_t *copy = agni_alloc_indices(p->nnz);
    agni_coordinates *q = NULL;
    bool repeats;
    if (copy)
        memcpy(copy, p->at + d * p->nnz, (size_t)p->nnz * sizeof *copy);
    agn_status st = agni_make_coordinates(&q, "gather", 1, p->shape + d, p->nnz, false, copy);
    if (!st)
        st = agni_order_coordinates(q, "gather", order, &repeats);
    if (q)
        agni_obj_release(&q->head);
    return st;
}

const agn_tensor *agni_sparse_gather_slices(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0], *idx = c->in[1];
    agni_entry_view o;
    if (idx->layout != AGN_DENSE || a->layout == AGN_DENSE || c->at->i[1] != 0)
        return agni_fail_null(s, agni_fail(AGN_EUNSUPPORTED,
                                           "gather: argument %d is sparse, a dense one is "
                                           "needed",
                                           idx->layout != AGN_DENSE));
    if (agni_kind(idx->dtype) != AGNI_KIND_INT)
        return agni_fail_null(s, agni_fail(AGN_EDTYPE,
                                           "gather: the index is %s, an integer dtype is needed",
                                           agni_dtypes[idx->dtype].name));
    int axis = (int)c->at->i[0] + a->ndim;
    if (!agni_view_entries(&o, agni_as_coo(s, "gather", a)))
        return NULL;
    if (!agni_is_coordinate_axis(&o, axis) &&
        !agni_view_entries(&o, agni_as_pure_coo(s, "gather", o.a)))
        return NULL;
    int d = axis - o.first, rank = o.p->ndim - 1 + idx->ndim;
    if (a->ndim - 1 + idx->ndim > AGNI_MAX_RANK)
        return agni_fail_null(s, agni_fail(AGN_ESHAPE, "gather: the result has rank %d, above %d",
                                           a->ndim - 1 + idx->ndim, AGN_MAX_RANK));
    int64_t *order = NULL, *from = NULL, *at = NULL, m = o.p->nnz, total = 0;
    int64_t shape[AGNI_MAX_RANK], *which = read_indices(s, idx, o.p->shape[d], axis);
    const int64_t *along = o.p->at + d * m;
    if (!which)
        return NULL;
    if (agn_scope_fail(s, sort_by_axis(o.p, d, &order))) {
        agni_free(which);
        return NULL;
    }
    for (int64_t k = 0; k < idx->size; k++)
        total += lower_bound(along, order, m, which[k] + 1) -
                 lower_bound(along, order, m, which[k]);
    from = agni_alloc_indices(total);
    at = agni_alloc_indices(rank * total);
    for (int64_t k = 0, e = 0; from && at && k < idx->size; k++) {
        int64_t lo = lower_bound(along, order, m, which[k]),
                hi = lower_bound(along, order, m, which[k] + 1);
        for (; lo < hi; lo++, e++) {
            int64_t old = order ? order[lo] : lo, rest = k;
            from[e] = old;
            for (int q = 0; q < d; q++)
                at[q * total + e] = o.p->at[q * m + old];
            for (int q = idx->ndim - 1; q >= 0; q--) {
                at[(d + q) * total + e] = rest % idx->shape[q];
                rest /= idx->shape[q];
            }
            for (int q = d + 1; q < o.p->ndim; q++)
                at[(q - 1 + idx->ndim) * total + e] = o.p->at[q * m + old];
        }
    }
    agni_free(order);
    agni_free(which);
    if (!from || !at) {
        agni_free(from);
        agni_free(at);
        return agni_fail_nomem(s, "gather", total);
    }
    memcpy(shape, o.p->shape, (size_t)d * sizeof *shape);
    memcpy(shape + d, idx->shape, (size_t)idx->ndim * sizeof *shape);
    memcpy(shape + d + idx->ndim, o.p->shape + d + 1, (size_t)(o.p->ndim - d - 1) * sizeof *shape);
    if (rank == 0) { /* one element of a vector: a dense number */
        agni_free(at);
        const agn_tensor *v = agni_gather_values(s, o.v, o.first,
                                                 agni_index_tensor(s, "gather", total, from));
        return agni_take_single(s, v, o.first);
    }
    const agn_tensor *y = agni_coalesced_coo(s, "gather", rank, shape, total, at, from, o.v,
                                             o.dense);
    return agni_restore_layout(s, "gather", y, a->layout);
}
