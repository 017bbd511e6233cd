/* tensor/movement/reshape.c - the same elements under another shape: reshape, permute,
   broadcast_to. Attributes count axes from the end:
     reshape, broadcast_to   the shape
     permute                 the source axis (negative) of each of the last n axes        */
#include "tensor/dispatch/shape_attributes.h"
#include "tensor/rows/traits.h"

/* ---- reshape ------------------------------------------------------------------------- */

static agn_status infer_reshape(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = agni_attr_count(c);
    int64_t size;
    agn_status st = agni_shape_check("reshape", n, n ? c->at->i : (int64_t[]){0}, &size);
    if (st)
        return st;
    if (size != x->size)
        return agni_fail(AGN_ESHAPE, "reshape: sizes differ: %s to %s", AGNI_SHAPE(x),
                         agni_shape_text((char[96]){0}, 96, n, c->at->i));
    agni_set_meta(c->meta, x->dtype, n, n ? c->at->i : NULL);
    return AGN_OK;
}

/* Strides of x under a new shape, if there are any: groups of axes with equal products of sizes in
   both shapes must be contiguous within x. */
static bool reshape_strides(const agn_tensor *x, int n, const int64_t *shape, int64_t *stride)
{
    int i = 0, j = 0;
    if (x->size == 0)
        return false;
    while (i < x->ndim || j < n) {
        int i0 = i, j0 = j;
        int64_t a = 1, b = 1;
        if (i < x->ndim)
            a = x->shape[i++];
        if (j < n)
            b = shape[j++];
        while (a != b) {
            if (a < b)
                a *= x->shape[i++];
            else
                b *= shape[j++];
        }
        int64_t step = 0; /* of the last axis of the group that is not 1 */
        for (int k = i - 1, seen = 0; k >= i0; k--) {
            if (x->shape[k] == 1)
                continue;
            if (seen && x->stride[k] != step)
                return false;
            if (!seen)
                step = x->stride[k];
            seen = 1;
            step *= x->shape[k];
        }
        int64_t unit = 1;
        for (int k = i - 1; k >= i0; k--)
            if (x->shape[k] != 1) {
                unit = x->stride[k];
                break;
            }
        for (int k = j - 1; k >= j0; k--) {
            stride[k] = unit;
            unit *= shape[k];
        }
    }
    return true;
}

static agn_status view_reshape(const agni_call *c, agn_tensor **out)
{
    int64_t stride[AGNI_MAX_RANK];
    const agni_meta *m = c->meta;
    if (!reshape_strides(c->in[0], m->ndim, m->shape, stride))
        return AGN_OK;
    return agni_tensor_view(out, c->in[0], m->ndim, m->shape, stride, 0);
}

static agn_status run_reshape(const agni_call *c, agn_tensor **out)
{
    agn_tensor *x = NULL;
    agn_status st = agn_copy(&x, c->in[0]);
    if (!st) {
        const agni_meta *m = c->meta;
        agn_tensor *h = agni_tensor_header(m->dtype, m->ndim, m->shape);
        if (h) {
            st = agni_tensor_view(out, x, m->ndim, m->shape, h->stride, 0);
            agn_release(h);
        } else {
            st = agni_nomem("reshape", sizeof *h);
        }
    }
    agn_release(x);
    return st;
}

static const agn_tensor *reshape_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    (void)i;
    return agni_reshape(s, g, r->x[0]->ndim, r->x[0]->shape);
}

static void batch_shape(agn_scope *s, const agni_rule *r, int64_t lanes,
                        const agn_tensor *const *in, const bool *batched,
                        const agn_tensor **out, bool *bout)
{
    int64_t shape[AGNI_MAX_RANK + 1] = {lanes};
    int n = r->at ? r->at->ni : 0;
    if (n + 1 > AGNI_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: rank %d with a batch axis is above %d",
                                    r->op->name, n + 1, AGN_MAX_RANK));
        return;
    }
    if (n)
        memcpy(shape + 1, r->at->i, (size_t)n * sizeof *shape);
    const agn_tensor *x = in[0];
    if (r->op == &agni_op_broadcast_to)
        x = agni_align_rank(s, x, batched[0], n);
    out[0] = agni_apply_in(s, r->op, &(agni_attr){.ni = n + 1, .i = shape}, 1, &x);
    bout[0] = true;
}

/* ---- permute ---------------------------------------------------------------------------- */

static agn_status infer_permute(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = agni_attr_count(c);
    bool seen[AGNI_MAX_RANK] = {false};
    if (n > x->ndim)
        return agni_bad_attributes(c);
    agni_set_meta(c->meta, x->dtype, x->ndim, x->shape);
    for (int k = 0; k < n; k++) {
        int64_t a = c->at->i[k];
        if (a < -n || a >= 0 || seen[a + n])
            return agni_fail(AGN_EARG, "permute: %lld is not a new axis in %d to -1",
                             (long long)a, -n);
        seen[a + n] = true;
        c->meta->shape[x->ndim - n + k] = x->shape[x->ndim + a];
    }
    return AGN_OK;
}
static agn_status view_permute(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    int n = agni_attr_count(c);
    memcpy(stride, x->stride, (size_t)x->ndim * sizeof *stride);
    for (int k = 0; k < n; k++)
        stride[x->ndim - n + k] = x->stride[x->ndim + c->at->i[k]];
    return agni_tensor_view(out, x, x->ndim, c->meta->shape, stride, 0);
}
static const agn_tensor *permute_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    int64_t inverse[AGNI_MAX_RANK];
    int n = r->at ? r->at->ni : 0;
    (void)i;
    for (int k = 0; k < n; k++)
        inverse[r->at->i[k] + n] = k - n;
    return agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = n, .i = inverse}, 1, &g);
}

/* ---- broadcast_to --------------------------------------------------------------------------- */

static agn_status infer_broadcast(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = agni_attr_count(c);
    int64_t size;
    agn_status st = agni_shape_check("broadcast_to", n, n ? c->at->i : (int64_t[]){0}, &size);
    if (st)
        return st;
    bool fits = n >= x->ndim;
    for (int k = 0; fits && k < x->ndim; k++)
        fits = x->shape[k] == 1 || x->shape[k] == c->at->i[n - x->ndim + k];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "broadcast_to: %s does not broadcast to %s", AGNI_SHAPE(x),
                         agni_shape_text((char[96]){0}, 96, n, c->at ? c->at->i : NULL));
    agni_set_meta(c->meta, x->dtype, n, n ? c->at->i : NULL);
    return AGN_OK;
}
static agn_status view_broadcast(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    const agni_meta *m = c->meta;
    int64_t stride[AGNI_MAX_RANK] = {0};
    for (int k = 0; k < x->ndim; k++)
        if (x->shape[k] != 1)
            stride[m->ndim - x->ndim + k] = x->stride[k];
    return agni_tensor_view(out, x, m->ndim, m->shape, stride, 0);
}
static const agn_tensor *broadcast_transpose(agn_scope *s, const agni_rule *r, int i,
                                             const agn_tensor *g)
{
    (void)i;
    return agni_unbroadcast(s, g, r->x[0]);
}

/* ---- rows ---------------------------------------------------------------------------- */

static agni_slots slots_reshape, slots_permute, slots_broadcast_to;
const agni_op agni_op_reshape = {AGNI_MOVEMENT_ROW(reshape, "x shape:i*"),
                                 .zero = 1,
                                 .infer = infer_reshape,
                                 .view = view_reshape,
                                 .eval = run_reshape,
                                 .transpose = reshape_transpose,
                                 .batch = batch_shape,
                                 .traits = AGNI_ZERO_KEPT,
                                 .zeros = AGNI_ZEROS_MOVED,
                                 .doc = "the same elements under another shape"};
const agni_op agni_op_permute = {AGNI_MOVEMENT_ROW(permute, "x axes:a*"),
                                 .zero = 1,
                                 .infer = infer_permute,
                                 .view = view_permute,
                                 .transpose = permute_transpose,
                                 .batch = agni_batch_front,
                                 .traits = AGNI_ZERO_KEPT,
                                 .zeros = AGNI_ZEROS_MOVED, .doc = "reorder axes"};
const agni_op agni_op_broadcast_to = {AGNI_MOVEMENT_ROW(broadcast_to, "x shape:i*"),
                                      .infer = infer_broadcast,
                                      .view = view_broadcast,
                                      .transpose = broadcast_transpose,
                                      .batch = batch_shape,
                                      .traits = AGNI_ZERO_KEPT,
                                      .zeros = AGNI_ZEROS_JOINED, .doc = "repeat along axes"};

/* ---- public functions ---------------------------------------------------------------- */

agn_status agn_reshape(agn_tensor **out, const agn_tensor *x, int32_t ndim, const int64_t *shape)
{
    AGNI_NEED_ALL("reshape", x, "x");
    int64_t full[AGNI_MAX_RANK], known = 1;
    int hole = -1;
    if (ndim < 0 || ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "reshape: rank %d is not in 0 to %d", ndim, AGN_MAX_RANK);
    AGNI_NEED_ALL("reshape", shape || !ndim, "shape");
    for (int i = 0; i < ndim; i++) {
        full[i] = shape[i];
        if (shape[i] == -1 && hole >= 0)
            return agni_fail(AGN_ESHAPE, "reshape: two sizes are -1: axes %d and %d", hole, i);
        if (shape[i] == -1)
            hole = i;
        else if (shape[i] < 0 || !agni_checked_mul(known, shape[i], &known))
            return agni_fail(AGN_ESHAPE, "reshape: size %lld of axis %d is not possible",
                             (long long)shape[i], i);
    }
    if (hole >= 0) {
        if (!known && !x->size)
            return agni_fail(AGN_ESHAPE, "reshape: any size would do for axis %d of %s", hole,
                             agni_shape_text((char[96]){0}, 96, ndim, shape));
        if (!known || x->size % known)
            return agni_fail(AGN_ESHAPE, "reshape: %s does not divide into %s", AGNI_SHAPE(x),
                             agni_shape_text((char[96]){0}, 96, ndim, shape));
        full[hole] = x->size / known;
    }
    return agni_apply_public(out, &agni_op_reshape, &(agni_attr){.ni = ndim, .i = full}, 1, &x);
}

agn_status agn_permute(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n)
{
    AGNI_NEED_ALL("permute", x, "x");
    AGNI_NEED_ALL("permute", axes || !n, "axes");
    if (n != x->ndim)
        return agni_fail(AGN_ESHAPE, "permute: %d axes are named, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    int64_t a[AGNI_MAX_RANK];
    bool seen[AGNI_MAX_RANK] = {false};
    for (int i = 0; i < n; i++) {
        int k;
        agn_status st = agni_axis("permute", axes[i], n, &k);
        if (st)
            return st;
        if (seen[k])
            return agni_fail(AGN_EARG, "permute: axis %d is named twice in %d axes", k, n);
        seen[k] = true;
        a[i] = k - n;
    }
    return agni_apply_public(out, &agni_op_permute, &(agni_attr){.ni = n, .i = a}, 1, &x);
}

agn_status agn_transpose(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED_ALL("transpose", x, "x");
    if (x->ndim < 2)
        return agni_fail(AGN_ESHAPE, "transpose: two axes are needed, shape is %s", AGNI_SHAPE(x));
    return agni_rename_error(
        "transpose", agni_apply_public(out, &agni_op_permute,
                                 &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}}, 1, &x));
}

agn_status agn_expand_dims(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    AGNI_NEED_ALL("expand_dims", x, "x");
    int64_t shape[AGNI_MAX_RANK + 1];
    int d;
    agn_status st = agni_axis("expand_dims", axis, x->ndim + 1, &d);
    if (st)
        return st;
    for (int i = 0, k = 0; i <= x->ndim; i++)
        shape[i] = i == d ? 1 : x->shape[k++];
    return agni_rename_error("expand_dims",
                             agni_apply_public(out, &agni_op_reshape,
                                               &(agni_attr){.ni = x->ndim + 1, .i = shape}, 1, &x));
}

agn_status agn_squeeze(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    AGNI_NEED_ALL("squeeze", x, "x");
    int64_t shape[AGNI_MAX_RANK];
    int d;
    agn_status st = agni_axis("squeeze", axis, x->ndim, &d);
    if (st)
        return st;
    if (x->shape[d] != 1)
        return agni_fail(AGN_ESHAPE, "squeeze: axis %d of %s is not 1", d, AGNI_SHAPE(x));
    for (int i = 0, k = 0; i < x->ndim; i++)
        if (i != d)
            shape[k++] = x->shape[i];
    return agni_rename_error("squeeze",
                             agni_apply_public(out, &agni_op_reshape,
                                               &(agni_attr){.ni = x->ndim - 1, .i = shape}, 1, &x));
}

agn_status agn_squeeze_all(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED_ALL("squeeze_all", x, "x");
    int64_t shape[AGNI_MAX_RANK];
    int n = 0;
    for (int i = 0; i < x->ndim; i++)
        if (x->shape[i] != 1)
            shape[n++] = x->shape[i];
    return agni_rename_error("squeeze_all", agni_apply_public(out, &agni_op_reshape,
                                                        &(agni_attr){.ni = n, .i = shape}, 1, &x));
}

agn_status agn_broadcast_to(agn_tensor **out, const agn_tensor *x, int32_t ndim,
                            const int64_t *shape)
{
    int64_t size;
    agn_status st = agni_shape_check("broadcast_to", ndim, shape, &size);
    if (st)
        return st;
    return agni_apply_public(out, &agni_op_broadcast_to, &(agni_attr){.ni = ndim, .i = shape}, 1,
                             &x);
}
