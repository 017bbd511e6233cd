/* tensor/reduce/reduce.c - arguments, dtypes and shapes of reductions, cumulative ops and
   sorting. */
#include "tensor/reduce/reduce.h"

#include <string.h>

/* ---- arguments -------------------------------------------------------------------------- */

agn_status agni_normalise_axes(const char *op, const agn_tensor *x, const int32_t *axes, int32_t n,
                               int64_t *a, int *count)
{
    bool seen[AGNI_MAX_RANK] = {false};
    AGNI_NEED(op, x);
    if (axes && (n < 0 || n > x->ndim))
        return agni_fail(AGN_EARG, "%s: %d axes are named, %s has %d", op, n, AGNI_SHAPE(x),
                         x->ndim);
    *count = axes ? n : x->ndim;
    for (int k = 0; k < *count; k++) {
        int d = k;
        agn_status st = axes ? agni_axis(op, axes[k], x->ndim, &d) : AGN_OK;
        if (st)
            return st;
        if (seen[d])
            return agni_fail(AGN_EARG, "%s: axis %d is named twice in %d axes", op, d, n);
        seen[d] = true;
        a[k] = d - x->ndim;
    }
    return AGN_OK;
}

agn_status agni_normalise_axis(const char *op, const agn_tensor *x, int32_t axis, int *d)
{
    AGNI_NEED(op, x);
    return agni_axis(op, axis, x->ndim, d);
}

int64_t agni_count_along(const agn_tensor *x, const int64_t *a, int count)
{
    int64_t many = 1;
    for (int k = 0; k < count; k++)
        many *= x->shape[a[k] + x->ndim];
    return many;
}

const agn_tensor *agni_bools_to_ints(agn_scope *s, const agn_tensor *x)
{
    return x && agni_kind(x->dtype) <= AGNI_KIND_INT && x->dtype != AGN_I64
               ? agni_cast(s, x, AGN_I64)
               : x;
}

const agn_tensor *agni_widen(agn_scope *s, const agn_tensor *x)
{
    if (!x)
        return NULL;
    return agni_kind(x->dtype) <= AGNI_KIND_INT ? agni_cast(s, x, AGN_F64)
                                                : agni_cast(s, x, agni_dtypes[x->dtype].wide);
}

const agn_tensor *agni_narrow_to(agn_scope *s, const agn_tensor *y, const agn_tensor *x)
{
    return y && agni_kind(x->dtype) == AGNI_KIND_FLOAT ? agni_cast(s, y, x->dtype) : y;
}

/* ---- shapes ------------------------------------------------------------------------------- */

const agn_tensor *agni_merge_axes_last(agn_scope *s, const agn_tensor *x, int n, const int64_t *a,
                                       bool keep, int *nout, int64_t *shape)
{
    if (!x)
        return NULL;
    bool gone[AGNI_MAX_RANK] = {false};
    int64_t order[AGNI_MAX_RANK], flat[AGNI_MAX_RANK + 1], many = 1;
    int k = 0, m = 0, left = 0;
    for (int i = 0; i < n; i++)
        gone[a[i] + x->ndim] = true;
    for (int d = 0; d < x->ndim; d++) {
        if (!gone[d]) {
            order[k++] = d - x->ndim;
            flat[m++] = x->shape[d];
        }
        if (!gone[d] || keep)
            shape[left++] = gone[d] ? 1 : x->shape[d];
    }
    *nout = left;
    for (int d = 0; d < x->ndim; d++)
        if (gone[d]) {
            order[k++] = d - x->ndim;
            many *= x->shape[d];
        }
    flat[m++] = many;
    bool moved = false;
    for (int d = 0; d < k; d++)
        moved |= order[d] != d - x->ndim;
    if (moved)
        x = agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = k, .i = order}, 1, &x);
    return x ? agni_reshape(s, x, m, flat) : NULL;
}

const agn_tensor *agni_slice_axis(agn_scope *s, const agn_tensor *x, int d, int64_t start,
                                  int64_t count)
{
    int64_t at[3 * AGNI_MAX_RANK];
    int n = 0;
    if (!x || (start == 0 && count == x->shape[d]))
        return x;
    for (int k = d; k < x->ndim; k++) {
        at[n++] = k == d ? start : 0;
        at[n++] = 1;
        at[n++] = k == d ? count : x->shape[k];
    }
    return agni_apply_in(s, &agni_op_slice, &(agni_attr){.ni = n, .i = at}, 1, &x);
}

const agn_tensor *agni_shift_axis(agn_scope *s, const agn_tensor *x, int d, bool down)
{
    int64_t at[3 * AGNI_MAX_RANK];
    int n = 0;
    if (!x || x->shape[d] == 0)
        return x;
    const agn_tensor *part = agni_slice_axis(s, x, d, down, x->shape[d] - 1);
    for (int k = d; k < x->ndim; k++) {
        at[n++] = k == d && !down;
        at[n++] = 1;
        at[n++] = x->shape[k];
    }
    return part ? agni_apply_in(s, &agni_op_unslice, &(agni_attr){.ni = n, .i = at}, 1, &part)
                : NULL;
}

const agn_tensor *agni_restore_kept_axes(agn_scope *s, const agn_tensor *y, int ndim,
                                         const int64_t *shape, int count, const int64_t *a)
{
    int64_t full[AGNI_MAX_RANK];
    memcpy(full, shape, (size_t)ndim * sizeof *full);
    for (int k = 0; k < count; k++)
        full[a[k] + ndim] = 1;
    return y ? agni_reshape(s, y, ndim, full) : NULL;
}

const agn_tensor *agni_squared_modulus(agn_scope *s, const agn_tensor *x)
{
    if (!x || agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return agni_apply_unary(s, &agni_op_square, x);
    return agni_add_present(
        s, agni_apply_unary(s, &agni_op_square, agni_apply_unary(s, &agni_op_real, x)),
        agni_apply_unary(s, &agni_op_square, agni_apply_unary(s, &agni_op_imag, x)));
}

const agn_tensor *agni_apply_unary(agn_scope *s, const agni_op *op, const agn_tensor *x)
{
    return x ? agni_apply_in(s, op, NULL, 1, &x) : NULL;
}

const agn_tensor *agni_apply_binary(agn_scope *s, const agni_op *op, const agn_tensor *a,
                                    const agn_tensor *b)
{
    return a && b ? agni_apply_in(s, op, NULL, 2, (const agn_tensor *[]){a, b}) : NULL;
}

const agn_tensor *agni_select_by(agn_scope *s, const agn_tensor *c, const agn_tensor *a,
                                 const agn_tensor *b)
{
    return c && a && b ? agni_apply_in(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){c, a, b})
                       : NULL;
}

const agn_tensor *agni_gather_last(agn_scope *s, const agn_tensor *x, const agn_tensor *i)
{
    return x && i ? agni_apply_in(s, &agni_op_gather,
                                  &(agni_attr){.ni = 2, .i = (int64_t[]){-1, x->ndim - 1}}, 2,
                                  (const agn_tensor *[]){x, i})
                  : NULL;
}

/* ---- inference ---------------------------------------------------------------------------- */

agn_status agni_infer_reduction(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    bool gone[AGNI_MAX_RANK] = {false};
    for (int k = 1; k < c->at->ni; k++) {
        int64_t a = c->at->i[k];
        if (gone[a + x->ndim])
            return agni_fail(AGN_EINDEX, "%s: axis %lld of %d is named twice", c->op->name,
                             (long long)a, x->ndim);
        gone[a + x->ndim] = true;
    }
    agni_meta *m = c->meta;
    m->dtype = x->dtype;
    m->ndim = 0;
    for (int d = 0; d < x->ndim; d++)
        if (!gone[d] || c->at->i[0])
            m->shape[m->ndim++] = gone[d] ? 1 : x->shape[d];
    return AGN_OK;
}
