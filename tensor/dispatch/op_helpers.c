/* tensor/dispatch/op_helpers.c - helpers of ops, rules and compositions. */
#include "tensor/dispatch/op_helpers.h"
#include "tensor/dispatch/destination.h"

#include <math.h>
#include <string.h>

agn_status agni_apply_public(agn_tensor **out, const agni_op *op, const agni_attr *at, int nin,
                       const agn_tensor *const *in)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op->name);
    agni_destination *d = agni_destination_current;
    agn_tensor *y = NULL;
    bool last = d && d->result == out; /* the op's result is the function's */
    if (last)
        d->result = &y;
    agn_status st = agni_apply(op, at, nin, in, 1, &y);
    if (last)
        d->result = out;
    if (!st)
        *out = y;
    return st;
}

agn_status agni_rename_error(const char *op, agn_status st)
{
    const char *rest = strchr(agn_error_message(), ':');
    return !st || !rest ? st : agni_fail(st, "%s%s", op, rest);
}

agn_status agni_return(const char *op, agn_scope *s, agn_tensor **out, const agn_tensor *y)
{
    agn_scope_return(s, out, y);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agni_infer_same(agni_call *c)
{
    agni_meta_like(&c->meta[0], c->in[0]);
    return AGN_OK;
}

agn_status agni_infer_each(agni_call *c)
{
    for (int o = 0; o < c->nout; o++)
        agni_meta_like(&c->meta[o], c->in[o]);
    return AGN_OK;
}

const agn_tensor *agni_detach_node(agn_scope *s, const char *op, const agn_tensor *x)
{
    agn_tensor *y = agni_tensor_alias(x);
    return agn_scope_adopt(s, y ? AGN_OK : agni_nomem(op, sizeof *y), &y);
}

agn_status agni_convert(agn_tensor **out, const agn_tensor *x, int dtype)
{
    if (x && x->dtype == dtype && !x->stale && !x->weak) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    int64_t d = dtype;
    return agni_apply1(&agni_op_cast, &(agni_attr){.ni = 1, .i = &d}, 1, &x, out);
}

agn_status agni_make_contiguous(agn_tensor **out, const agn_tensor *x)
{
    if (x && !x->stale && (!x->st || agni_is_contiguous(x))) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    return agni_rename_error("contiguous", agni_apply1(&agni_op_copy, NULL, 1, &x, out));
}

const agn_tensor *agni_literal(agn_scope *s, double v)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_make_literal(&x, v);
    return agn_scope_adopt(s, st, &x);
}

const agn_tensor *agni_cast(agn_scope *s, const agn_tensor *x, int dtype)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_convert(&y, x, dtype);
    return agn_scope_adopt(s, st, &y);
}

static bool same_shape(const agn_tensor *x, int ndim, const int64_t *shape)
{
    return x && x->ndim == ndim &&
           (ndim == 0 || !memcmp(x->shape, shape, (size_t)ndim * sizeof *shape));
}

const agn_tensor *agni_reshape(agn_scope *s, const agn_tensor *x, int ndim,
                               const int64_t *shape)
{
    if (same_shape(x, ndim, shape))
        return x;
    return agni_apply_in(s, &agni_op_reshape, &(agni_attr){.ni = ndim, .i = shape}, 1, &x);
}

const agn_tensor *agni_broadcast(agn_scope *s, const agn_tensor *x, int ndim,
                                 const int64_t *shape)
{
    if (same_shape(x, ndim, shape))
        return x;
    return agni_apply_in(s, &agni_op_broadcast_to, &(agni_attr){.ni = ndim, .i = shape}, 1, &x);
}

const agn_tensor *agni_adopt_constant(agn_scope *s, agn_status st, agn_tensor *x)
{
    if (!st)
        x->uncommitted = true;
    return agn_scope_adopt(s, st, &x);
}

const agn_tensor *agni_full(agn_scope *s, double v, int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_make_number(&x, "full", dtype, v);
    return agni_broadcast(s, agni_adopt_constant(s, st, x), ndim, shape);
}

const agn_tensor *agni_full_like(agn_scope *s, double v, const agn_tensor *x)
{
    const agn_tensor *y = x ? agni_full(s, v, x->dtype, x->ndim, x->shape) : NULL;
    agn_tensor *z = NULL;
    if (!y || !x->st || x->uncommitted)
        return y;
    agn_status st = agni_copy_to_device(&z, y, x->st->device);
    if (!st && z == y) { /* x is on the host */
        agn_release(z);
        return y;
    }
    return agn_scope_adopt(s, st, &z);
}

const agn_tensor *agni_zeros_like(agn_scope *s, const agn_tensor *x)
{
    return agni_full_like(s, 0, x);
}

const agn_tensor *agni_sum_axes(agn_scope *s, const agn_tensor *x, int n, const int64_t *axes,
                                bool keep)
{
    int64_t i[AGNI_MAX_RANK + 1] = {keep};
    if (!x || n == 0)
        return x;
    for (int k = 0; k < n; k++)
        i[k + 1] = axes[k] < 0 ? axes[k] : axes[k] - x->ndim;
    return agni_apply_in(s, &agni_op_sum, &(agni_attr){.ni = n + 1, .i = i}, 1, &x);
}

const agn_tensor *agni_add_present(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    if (!a || !b)
        return a ? a : b;
    return agni_apply_in(s, &agni_op_add, NULL, 2, (const agn_tensor *[]){a, b});
}

const agn_tensor *agni_move_axis(agn_scope *s, const agn_tensor *x, int from, int to)
{
    if (!x)
        return NULL;
    int n = x->ndim, k = 0;
    from = from < 0 ? from + n : from;
    to = to < 0 ? to + n : to;
    if (from == to)
        return x;
    int64_t axes[AGNI_MAX_RANK];
    for (int i = 0; i < n; i++) {
        if (k == from)
            k++;
        axes[i] = i == to ? from - n : k++ - n;
    }
    return agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = n, .i = axes}, 1, &x);
}

/* ---- shapes of derivatives ------------------------------------------------------------- */

const agn_tensor *agni_unbroadcast(agn_scope *s, const agn_tensor *g, const agn_tensor *x)
{
    if (!g || !x)
        return NULL;
    if (agni_kind(g->dtype) == AGNI_KIND_COMPLEX && agni_kind(x->dtype) < AGNI_KIND_COMPLEX)
        g = agni_apply_in(s, &agni_op_real, NULL, 1, &g);
    if (!g || agni_same_shape(g, x))
        return g;
    int64_t axes[AGNI_MAX_RANK];
    int n = 0, extra = g->ndim - x->ndim;
    for (int i = 0; i < g->ndim; i++)
        if (i < extra || (x->shape[i - extra] == 1 && g->shape[i] != 1))
            axes[n++] = i;
    g = agni_sum_axes(s, g, n, axes, false);
    return g ? agni_reshape(s, g, x->ndim, x->shape) : NULL;
}

/* ---- batching ---------------------------------------------------------------------------- */

const agn_tensor *agni_align_rank(agn_scope *s, const agn_tensor *x, bool batched, int rank)
{
    if (!x || !batched || x->ndim - 1 == rank)
        return x;
    int64_t shape[AGNI_MAX_RANK + 1];
    int lane = x->ndim - 1, pad = rank - lane;
    shape[0] = x->shape[0];
    for (int i = 0; i < pad; i++)
        shape[1 + i] = 1;
    memcpy(shape + 1 + pad, x->shape + 1, (size_t)lane * sizeof *shape);
    return agni_reshape(s, x, rank + 1, shape);
}

enum { FEW = 8 };

void agni_batch_aligned(agn_scope *s, const agni_rule *r, int64_t lanes,
                        const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                        bool *bout)
{
    (void)lanes;
    const agn_tensor *a[FEW];
    int rank = r->y[0]->ndim;
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_align_rank(s, in[i], batched[i], rank);
    agni_apply_many_in(s, r->op, r->at, r->nin, a, r->nout, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
}

/* one data argument, attributes that count from the end */
void agni_batch_front(agn_scope *s, const agni_rule *r, int64_t lanes,
                      const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                      bool *bout)
{
    (void)lanes, (void)batched;
    agni_apply_many_in(s, r->op, r->at, r->nin, in, r->nout, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
}

const agn_tensor *agni_ensure_batch_axis(agn_scope *s, const agn_tensor *x, bool batched,
                                         int64_t lanes)
{
    if (batched || !x)
        return x;
    int64_t shape[AGNI_MAX_RANK + 1] = {lanes};
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    return agni_broadcast(s, x, x->ndim + 1, shape);
}

/* every argument must have the batch axis */
void agni_batch_all(agn_scope *s, const agni_rule *r, int64_t lanes, const agn_tensor *const *in,
                    const bool *batched, const agn_tensor **out, bool *bout)
{
    const agn_tensor *few[FEW], **a = few;
    if (r->nin > FEW && !(a = agni_alloc((size_t)r->nin * sizeof *a))) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nin * sizeof *a));
        return;
    }
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    agni_apply_many_in(s, r->op, r->at, r->nin, a, r->nout, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    if (a != few)
        agni_free(a);
}
