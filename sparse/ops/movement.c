/* sparse/ops/movement.c - permute, reshape and broadcast_to of sparse tensors: new coordinates of
   the entries, then values in their order. */
#include "sparse/ops/entry_view.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- permute ---------------------------------------------------------------------------- */

static int axis_group(const agni_entry_view *o, int d)
{
    return d < o->first ? 0 : d < o->last ? 1 : 2;
}

/* the transpose of CSR is CSC of the same parts */
static const agn_tensor *transpose_compressed(agn_scope *s, const agn_tensor *a)
{
    const agni_csr *c = agni_sparse_parts(a);
    agn_tensor *y = NULL;
    agn_status st = (a->layout == AGN_CSR ? agni_csc_new : agni_csr_new)(&y, "permute",
                                                                        c->pattern, c->values);
    return agn_scope_adopt(s, st, &y);
}

const agn_tensor *agni_sparse_permute(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    int n = c->at ? c->at->ni : 0, ndim = a->ndim, from[AGNI_MAX_RANK], moved = 0;
    uint64_t seen = 0;
    for (int k = 0; k < ndim; k++) {
        from[k] = k < ndim - n ? k : (int)c->at->i[k - ndim + n] + ndim;
        moved += from[k] != k;
        seen |= (uint64_t)1 << from[k];
    }
    if (n > ndim || seen != ((uint64_t)1 << ndim) - 1)
        return agni_fail_null(s, agni_fail(AGN_EARG, "permute: %d axes do not permute those of %s",
                                           n, AGNI_SHAPE(a)));
    if (!moved)
        return a;
    if (a->layout != AGN_COO && moved == 2 && from[ndim - 1] == ndim - 2)
        return transpose_compressed(s, a);
    agni_entry_view o;
    if (!agni_view_entries(&o, agni_as_coo(s, "permute", a)))
        return NULL;
    bool within = true;
    for (int k = 0; k < ndim; k++)
        within &= axis_group(&o, from[k]) == axis_group(&o, k);
    if (!within && !agni_view_entries(&o, agni_as_pure_coo(s, "permute", o.a)))
        return NULL;
    int64_t m = o.p->nnz, shape[AGNI_MAX_RANK], order[AGNI_MAX_RANK];
    for (int k = 0; k < ndim; k++)
        if (!agni_is_coordinate_axis(&o, k))
            order[agni_values_axis(&o, k)] = agni_values_axis(&o, from[k]) - o.v->ndim;
    order[o.first] = o.first - o.v->ndim;
    const agn_tensor *v = agni_apply_in(s, &agni_op_permute,
                                        &(agni_attr){.ni = o.v->ndim, .i = order}, 1, &o.v);
    int64_t *at = agni_alloc_indices(o.p->ndim * m);
    if (!at || !v) {
        agni_free(at);
        return v ? agni_fail_nomem(s, "permute", o.p->ndim * m) : NULL;
    }
    for (int d = 0; d < o.p->ndim; d++) {
        int was = from[o.first + d] - o.first;
        shape[d] = o.p->shape[was];
        memcpy(at + d * m, o.p->at + was * m, (size_t)m * sizeof *at);
    }
    return agni_restore_layout(
        s, "permute", agni_coalesced_coo(s, "permute", o.p->ndim, shape, m, at, NULL, v, o.dense),
        a->layout);
}

/* ---- reshape ---------------------------------------------------------------------------- */

static bool multiply_sizes(int n, const int64_t *shape, int64_t *size)
{
    *size = 1;
    for (int d = 0; d < n; d++)
        if (!agni_checked_mul(*size, shape[d], size))
            return false;
    return true;
}

/* Do the leading axes of the new shape repeat the batch, the trailing ones the dense axes? */
static bool keeps_groups(const agni_entry_view *o, int n, const int64_t *shape)
{
    int64_t was, is;
    if (o->a->ndim == o->p->ndim)
        return true;
    return n > o->first + o->dense && multiply_sizes(o->p->ndim, o->p->shape, &was) &&
           multiply_sizes(n - o->first - o->dense, shape + o->first, &is) && was == is &&
           !memcmp(shape, o->a->shape, (size_t)o->first * sizeof *shape) &&
           !memcmp(shape + n - o->dense, o->a->shape + o->last, (size_t)o->dense * sizeof *shape);
}

const agn_tensor *agni_sparse_reshape(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    const int64_t *shape = c->at ? c->at->i : NULL;
    int n = c->at ? c->at->ni : 0;
    if (n == a->ndim && !memcmp(shape, a->shape, (size_t)n * sizeof *shape))
        return a;
    agni_entry_view o;
    if (!agni_view_entries(&o, agni_as_coo(s, "reshape", a)))
        return NULL;
    if (!keeps_groups(&o, n, shape) && !agni_view_entries(&o, agni_as_pure_coo(s, "reshape", o.a)))
        return NULL;
    if (n == 0 && o.a->size == 1) /* the element itself */
        return agni_take_single(s, o.v, 0);
    int rank = n - o.first - o.dense;
    int64_t was, is, m = o.p->nnz;
    bool known = multiply_sizes(o.p->ndim, o.p->shape, &was) &&
                 multiply_sizes(rank, n ? shape + o.first : NULL, &is);
    if (!known && n > o.p->ndim && o.a->ndim == o.p->ndim) { /* axes of 1 more: no product */
        int64_t rest[AGNI_MAX_RANK];
        int left = 0, d = 0;
        for (int k = 0; k < n; k++)
            if (d < o.p->ndim && shape[k] == o.p->shape[d])
                d++;
            else if (shape[k] == 1)
                rest[left++] = k;
        known = d == o.p->ndim && left == n - d;
        if (known) {
            int64_t *at = agni_alloc_indices(n * m);
            if (!at)
                return agni_fail_nomem(s, "reshape", n * m);
            for (int k = 0, from = 0, one = 0; k < n; k++)
                if (one < left && rest[one] == k) {
                    memset(at + k * m, 0, (size_t)m * sizeof *at);
                    one++;
                } else {
                    memcpy(at + k * m, o.p->at + from++ * m, (size_t)m * sizeof *at);
                }
            return agni_coalesced_coo(s, "reshape", n, shape, m, at, NULL, o.v, 0);
        }
    }
    if (!known || was != is || !n)
        return agni_fail_null(s, agni_fail(AGN_ESHAPE, "reshape: sizes differ%s: %s to %s",
                                           known ? "" : " or are too large", AGNI_SHAPE(a),
                                           agni_shape_text((char[96]){0}, 96, n, shape)));
    int64_t *at = agni_alloc_indices(rank * m);
    if (!at)
        return agni_fail_nomem(s, "reshape", rank * m);
    for (int64_t e = 0; e < m; e++) {
        int64_t flat = 0;
        for (int d = 0; d < o.p->ndim; d++)
            flat = flat * o.p->shape[d] + o.p->at[d * m + e];
        for (int d = rank - 1; d >= 0; d--) {
            at[d * m + e] = flat % shape[o.first + d];
            flat /= shape[o.first + d];
        }
    }
    const agn_tensor *y = agni_coalesced_coo(s, "reshape", rank, shape + o.first, m, at, NULL, o.v,
                                             o.dense);
    return agni_restore_layout(s, "reshape", y, a->layout);
}

/* ---- broadcast_to ------------------------------------------------------------------------- */

const agn_tensor *agni_sparse_broadcast(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    const int64_t *shape = c->at ? c->at->i : NULL;
    int n = c->at ? c->at->ni : 0, front = n - a->ndim;
    bool fits = front >= 0;
    for (int d = 0; fits && d < a->ndim; d++)
        fits = a->shape[d] == 1 || a->shape[d] == shape[front + d];
    agni_entry_view o;
    if (!fits)
        return agni_fail_null(s, agni_fail(AGN_ESHAPE, "broadcast_to: %s does not broadcast to %s",
                                           AGNI_SHAPE(a),
                                           agni_shape_text((char[96]){0}, 96, n, shape)));
    if (!agni_view_entries(&o, agni_as_coo(s, "broadcast_to", a)))
        return NULL;
    /* an entry is repeated along each coordinate that grows */
    int64_t m = o.p->nnz, times = 1, grown[AGNI_MAX_RANK], size;
    for (int d = 0; d < o.p->ndim; d++) {
        grown[d] = shape[front + o.first + d];
        if (o.p->shape[d] != grown[d] && !agni_checked_mul(times, grown[d], &times))
            return agni_fail_nomem(s, "broadcast_to", INT32_MAX);
    }
    if (!agni_checked_mul(m, times, &size) || !agni_checked_mul(size, o.p->ndim, &(int64_t){0}))
        return agni_fail_nomem(s, "broadcast_to", INT32_MAX);
    int64_t full[AGNI_MAX_RANK + 1];
    memcpy(full, shape, (size_t)(front + o.first) * sizeof *full);
    full[front + o.first] = m;
    memcpy(full + front + o.first + 1, shape + front + o.last, (size_t)o.dense * sizeof *full);
    const agn_tensor *v = agni_broadcast(s, o.v, front + o.first + 1 + o.dense, full);
    if (times == 1 && !memcmp(grown, o.p->shape, (size_t)o.p->ndim * sizeof *grown))
        return v ? a->layout == AGN_COO
                       ? agni_coo_new_in(s, "broadcast_to", o.p, v, o.dense)
                       : agni_with_values_in(s, "broadcast_to", a,
                                             agni_broadcast(s, agni_values_of(a),
                                                            front + agni_entry_axis(a) + 1, full))
                 : NULL;
    int64_t *at = agni_alloc_indices(o.p->ndim * size), *from = agni_alloc_indices(size);
    if (!at || !from || !v) {
        agni_free(at);
        agni_free(from);
        return v ? agni_fail_nomem(s, "broadcast_to", size) : NULL;
    }
    for (int64_t e = 0; e < m; e++)
        for (int64_t k = 0; k < times; k++) {
            int64_t rest = k, to = e * times + k;
            from[to] = e;
            for (int d = o.p->ndim - 1; d >= 0; d--) {
                bool grows = o.p->shape[d] != grown[d];
                at[d * size + to] = grows ? rest % grown[d] : o.p->at[d * m + e];
                rest = grows ? rest / grown[d] : rest;
            }
        }
    const agn_tensor *y = agni_coalesced_coo(s, "broadcast_to", o.p->ndim, grown, size, at, from, v,
                                             o.dense);
    return agni_restore_layout(s, "broadcast_to", y, a->layout);
}
