/* sparse/layout/place_values.c - values gathered, scattered and summed by index; COO tensors
   coalesced. Values are moved by ordinary ops, so derivatives of any order and mode follow. */
#include "sparse/layout/layout.h"

#include <string.h>

const agn_tensor *agni_index_tensor(agn_scope *s, const char *op, int64_t n, int64_t *v)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s)) {
        agni_free(v);
        return NULL;
    }
    agn_status st = v ? agn_wrap_host(&x, AGN_I64, 1, &n, NULL, v, true, agni_free, v)
                      : agni_nomem(op, (size_t)n * sizeof *v);
    if (st)
        agni_free(v);
    return agni_adopt_constant(s, st, x);
}

const agn_tensor *agni_gather_values(agn_scope *s, const agn_tensor *v, int axis,
                                     const agn_tensor *index)
{
    if (!v || !index)
        return NULL;
    int64_t at[2] = {axis - v->ndim, 0};
    return agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = at}, 2,
                         (const agn_tensor *[]){v, index});
}

/* scatters slices of v to index[] of n zeros along axis; ni attributes: axis, batch, and whether
   indices are distinct */
static const agn_tensor *into_zeros(agn_scope *s, const agni_op *scatter, int32_t ni,
                                    const agn_tensor *v, int axis, const agn_tensor *index,
                                    int64_t n)
{
    int64_t shape[AGNI_MAX_RANK], at[3] = {axis - v->ndim, 0, true};
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[axis] = n;
    const agn_tensor *zero = agni_full(s, 0, v->dtype, v->ndim, shape);
    return zero ? agni_apply_in(s, scatter, &(agni_attr){.ni = ni, .i = at}, 3,
                                (const agn_tensor *[]){zero, index, v})
                : NULL;
}

const agn_tensor *agni_sum_groups(agn_scope *s, const agn_tensor *v, int axis,
                                  const agn_tensor *index, int64_t n)
{
    if (!v || !index)
        return NULL;
    if (v->dtype == AGN_BOOL)
        return agni_cast(s, agni_sum_groups(s, agni_cast(s, v, AGN_I32), axis, index, n), AGN_BOOL);
    return into_zeros(s, &agni_op_scatter_add, 2, v, axis, index, n);
}

const agn_tensor *agni_scatter_values(agn_scope *s, const agn_tensor *v, int axis,
                                      const agn_tensor *index, int64_t n)
{
    return v && index ? into_zeros(s, &agni_op_scatter_put, 3, v, axis, index, n) : NULL;
}

const agn_tensor *agni_take_single(agn_scope *s, const agn_tensor *v, int axis)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!v)
        return NULL;
    memcpy(shape, v->shape, (size_t)axis * sizeof *shape);
    memcpy(shape + axis, v->shape + axis + 1, (size_t)(v->ndim - 1 - axis) * sizeof *shape);
    return v->shape[axis] ? agni_reshape(s, v, v->ndim - 1, shape)
                          : agni_full(s, 0, v->dtype, v->ndim - 1, shape);
}

/* ---- coalescing ------------------------------------------------------------------------ */

/* the distinct coordinates of the n entries in order; group[e]: the number of the coordinate of
   entry e */
static int64_t *compact_coordinates(const agni_coordinates *p, const int64_t *order, int64_t *group,
                                    int64_t *m)
{
    int64_t n = p->nnz, kept = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t e = order ? order[k] : k;
        kept += k == 0 || agni_compare_coordinates(p, order ? order[k - 1] : k - 1, p, e) != 0;
        group[e] = kept - 1;
    }
    int64_t *at = agni_alloc_indices(p->ndim * kept);
    for (int d = 0; at && d < p->ndim; d++)
        for (int64_t e = 0; e < n; e++) /* all of a group write the same */
            at[d * kept + group[e]] = p->at[d * n + e];
    *m = kept;
    return at;
}

/* duplicates: values are gathered first where from is given, then summed */
static const agn_tensor *merge_duplicates(agn_scope *s, const char *op, agni_group_fn *plus,
                                          const agni_coordinates *p, const int64_t *order,
                                          int64_t *from, const agn_tensor *v, int dense)
{
    int axis = v->ndim - 1 - dense;
    if (from)
        v = agni_gather_values(s, v, axis, agni_index_tensor(s, op, p->nnz, from));
    int64_t m = 0, *group = agni_alloc_indices(p->nnz);
    int64_t *at = group ? compact_coordinates(p, order, group, &m) : NULL;
    agni_coordinates *q = NULL;
    agn_status st = agni_make_coordinates(&q, op, p->ndim, p->shape, m, true, at);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &q->head)) {
        agni_free(group);
        return NULL;
    }
    v = plus(s, v, axis, agni_index_tensor(s, op, p->nnz, group), m);
    return v ? agni_coo_new_in(s, op, q, v, dense) : NULL;
}

/* no duplicates: coordinates and values are permuted */
static const agn_tensor *reorder_entries(agn_scope *s, const char *op, const agni_coordinates *p,
                                         int64_t *order, int64_t *from, const agn_tensor *v,
                                         int dense)
{
    int64_t n = p->nnz, *at = agni_alloc_indices(p->ndim * n);
    for (int d = 0; at && d < p->ndim; d++)
        for (int64_t k = 0; k < n; k++)
            at[d * n + k] = p->at[d * n + order[k]];
    for (int64_t k = 0; from && k < n; k++)
        order[k] = from[order[k]];
    agni_free(from);
    agni_coordinates *q = NULL;
    agn_status st = agni_make_coordinates(&q, op, p->ndim, p->shape, n, true, at);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &q->head)) {
        agni_free(order);
        return NULL;
    }
    v = agni_gather_values(s, v, v->ndim - 1 - dense, agni_index_tensor(s, op, n, order));
    return v ? agni_coo_new_in(s, op, q, v, dense) : NULL;
}

const agn_tensor *agni_coalesced_coo_by(agn_scope *s, const char *op, agni_group_fn *plus, int ndim,
                                        const int64_t *shape, int64_t n, int64_t *at, int64_t *from,
                                        const agn_tensor *v, int dense)
{
    agni_coordinates *p = NULL;
    int64_t *order = NULL;
    bool repeats = false;
    agn_status st = agn_scope_status(s);
    if (st) {
        agni_free(at);
    } else {
        st = agni_make_coordinates(&p, op, ndim, shape, n, false, at);
        if (!st)
            st = agni_scope_adopt(s, &p->head);
        if (!st)
            st = agni_order_coordinates(p, op, &order, &repeats);
    }
    if (st) {
        agni_free(from);
        agn_scope_fail(s, st);
        return NULL;
    }
    if (repeats) {
        const agn_tensor *y = merge_duplicates(s, op, plus, p, order, from, v, dense);
        agni_free(order);
        return y;
    }
    if (order)
        return reorder_entries(s, op, p, order, from, v, dense);
    p->coalesced = true;
    if (from)
        v = agni_gather_values(s, v, v->ndim - 1 - dense, agni_index_tensor(s, op, n, from));
    return v ? agni_coo_new_in(s, op, p, v, dense) : NULL;
}

const agn_tensor *agni_coalesced_coo(agn_scope *s, const char *op, int ndim, const int64_t *shape,
                                     int64_t n, int64_t *at, int64_t *from, const agn_tensor *v,
                                     int dense)
{
    return agni_coalesced_coo_by(s, op, agni_sum_groups, ndim, shape, n, at, from, v, dense);
}
