/* tensor/move.c - ops that move elements without changing them: reshape, permute,
   broadcast_to, slice and its adjoint unslice, concat. Attributes count axes from the end:
     reshape, broadcast_to   the shape
     permute                 the source axis (negative) of each of the last n axes
     slice                   start, step, count for each of the last n axes
     unslice                 start, step, full size for each of the last n axes
     concat                  the axis (negative)                                          */
#include "tensor/help.h"

#include <math.h>
#include <string.h>

static void set_meta(agni_meta *m, int dtype, int ndim, const int64_t *shape)
{
    m->dtype = dtype;
    m->ndim = ndim;
    if (ndim)
        memcpy(m->shape, shape, (size_t)ndim * sizeof *shape);
}
static int attr_count(const agni_call *c)
{
    return c->at ? c->at->ni : 0;
}
static agn_status bad_attributes(const agni_call *c)
{
    return agni_fail(AGN_EARG, "%s: %d integer attributes do not describe an argument of %d axes",
                     c->op->name, attr_count(c), c->in[0]->ndim);
}

/* ---- reshape ------------------------------------------------------------------------- */

static agn_status infer_reshape(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = attr_count(c);
    int64_t size;
    agn_status st = agni_shape_check("reshape", n, n ? c->at->i : (int64_t[]){0}, &size);
    if (st)
        return st;
    if (size != x->size)
        return agni_fail(AGN_ESHAPE, "reshape: sizes differ: %s to %s", AGNI_SHAPE(x),
                         agni_shape_text((char[96]){0}, 96, n, c->at->i));
    set_meta(c->meta, x->dtype, n, n ? c->at->i : NULL);
    return AGN_OK;
}

/* Strides of x under a new shape, if x can be walked so: groups of axes with equal products
   on both sides must be contiguous within x. */
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
        x = agni_align(s, x, batched[0], n);
    out[0] = agni_ap(s, r->op, &(agni_attr){.ni = n + 1, .i = shape}, 1, &x);
    bout[0] = true;
}

/* ---- permute ---------------------------------------------------------------------------- */

static agn_status infer_permute(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = attr_count(c);
    bool seen[AGNI_MAX_RANK] = {false};
    if (n > x->ndim)
        return bad_attributes(c);
    set_meta(c->meta, x->dtype, x->ndim, x->shape);
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
    int n = attr_count(c);
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
    return agni_ap(s, &agni_op_permute, &(agni_attr){.ni = n, .i = inverse}, 1, &g);
}

/* ---- broadcast_to --------------------------------------------------------------------------- */

static agn_status infer_broadcast(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = attr_count(c);
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
    set_meta(c->meta, x->dtype, n, n ? c->at->i : NULL);
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

/* ---- slice and unslice ------------------------------------------------------------------------ */

/* Is (start, step, count) inside an axis of this size? */
static bool inside(int64_t start, int64_t step, int64_t count, int64_t size)
{
    if (count == 0)
        return true;
    if (count < 0 || step == 0 || start < 0 || start >= size)
        return false;
    int64_t span;
    return agni_mul(step, count - 1, &span) && agni_add(start, span, &span) && span >= 0 &&
           span < size;
}

static agn_status infer_slice(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = attr_count(c) / 3;
    bool un = c->op == &agni_op_unslice;
    if (attr_count(c) % 3 || n > x->ndim)
        return bad_attributes(c);
    set_meta(c->meta, x->dtype, x->ndim, x->shape);
    for (int k = 0; k < n; k++) {
        const int64_t *a = c->at->i + 3 * k;
        int64_t *size = c->meta->shape + x->ndim - n + k;
        if (a[2] < 0 || !inside(a[0], a[1], un ? *size : a[2], un ? a[2] : *size))
            return agni_fail(AGN_EINDEX, "%s: start %lld, step %lld do not fit %lld elements",
                             c->op->name, (long long)a[0], (long long)a[1], (long long)*size);
        *size = a[2];
    }
    int64_t size;
    return agni_shape_check(c->op->name, c->meta->ndim, c->meta->shape, &size);
}
static agn_status view_slice(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK], offset = 0;
    int n = attr_count(c) / 3;
    memcpy(stride, x->stride, (size_t)x->ndim * sizeof *stride);
    for (int k = 0; k < n; k++) {
        const int64_t *a = c->at->i + 3 * k;
        int d = x->ndim - n + k;
        if (a[2] > 0)
            offset += a[0] * x->stride[d];
        if (a[2] > 1) /* else the step is never taken, and may be any number */
            stride[d] = a[1] * x->stride[d];
    }
    return agni_tensor_view(out, x, x->ndim, c->meta->shape, stride, offset);
}

/* the sizes in an attribute of triples replaced by those of x: slice <-> unslice */
static const agn_tensor *slice_transpose(agn_scope *s, const agni_rule *r, int i,
                                         const agn_tensor *g)
{
    int64_t a[3 * AGNI_MAX_RANK];
    int n3 = r->at ? r->at->ni : 0, n = n3 / 3;
    const agn_tensor *x = r->x[0];
    (void)i;
    for (int k = 0; k < n; k++) {
        a[3 * k] = r->at->i[3 * k];
        a[3 * k + 1] = r->at->i[3 * k + 1];
        a[3 * k + 2] = x->shape[x->ndim - n + k];
    }
    const agni_op *op = r->op == &agni_op_slice ? &agni_op_unslice : &agni_op_slice;
    return agni_ap(s, op, &(agni_attr){.ni = n3, .i = a}, 1, &g);
}

/* zeros, then the input copied into the slice */
static agn_status cpu_unslice(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int n = c->n_int / 3;
    int64_t stride[AGNI_MAX_RANK], offset = 0, size = 1, count = 1;
    memcpy(stride, y->stride, (size_t)y->ndim * sizeof *stride);
    for (int d = 0; d < y->ndim; d++) {
        size *= y->shape[d];
        count *= x->shape[d];
    }
    for (int k = 0; k < n; k++) {
        int d = y->ndim - n + k;
        if (x->shape[d] > 0)
            offset += c->ints[3 * k] * y->stride[d];
        if (x->shape[d] > 1)
            stride[d] = c->ints[3 * k + 1] * y->stride[d];
    }
    size_t bytes = (size_t)agni_dtypes[y->dtype].bytes;
    memset(y->data, 0, (size_t)size * bytes);
    if (count == 0)
        return AGN_OK;
    agn_array part = {(char *)y->data + offset * (int64_t)bytes, y->dtype, y->ndim, x->shape,
                      stride};
    agn_kernel_call copy = *c;
    copy.out = &part;
    return agni_op_copy.cpu(&copy);
}

/* ---- concat ---------------------------------------------------------------------------------------- */

static agn_status infer_concat(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    if (c->nin < 1 || attr_count(c) != 1)
        return agni_fail(AGN_EARG, "concat: needs an axis and at least one tensor, got %d", c->nin);
    int64_t a = c->at->i[0];
    if (a < -x->ndim || a >= 0)
        return agni_fail(AGN_EINDEX, "concat: axis %lld is out of range for %d axes", (long long)a,
                         x->ndim);
    int d = (int)a + x->ndim;
    set_meta(c->meta, x->dtype, x->ndim, x->shape);
    for (int i = 1; i < c->nin; i++) {
        const agn_tensor *z = c->in[i];
        bool same = z->ndim == x->ndim;
        for (int k = 0; same && k < x->ndim; k++)
            same = k == d || z->shape[k] == x->shape[k];
        if (!same)
            return agni_fail(AGN_ESHAPE, "concat: shapes differ beside axis %d: %s and %s", d,
                             AGNI_SHAPE(x), AGNI_SHAPE(z));
        if (!agni_add(c->meta->shape[d], z->shape[d], &c->meta->shape[d]))
            return agni_fail(AGN_ENOMEM, "concat: %d tensors such as %s have too many elements",
                             c->nin, AGNI_SHAPE(z));
    }
    int64_t size;
    return agni_shape_check("concat", x->ndim, c->meta->shape, &size);
}

static agn_status cpu_concat(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int d = (int)c->ints[0] + y->ndim;
    int64_t at = 0, bytes = agni_dtypes[y->dtype].bytes;
    for (int i = 0; i < c->n_in; i++) {
        const agn_array *x = c->in + i;
        agn_array part = {(char *)y->data + at * y->stride[d] * bytes, y->dtype, y->ndim,
                          x->shape, y->stride};
        agn_kernel_call copy = *c;
        copy.in = x;
        copy.n_in = 1;
        copy.out = &part;
        agn_status st = agni_op_copy.cpu(&copy);
        if (st)
            return st;
        at += x->shape[d];
    }
    return AGN_OK;
}

static const agn_tensor *concat_transpose(agn_scope *s, const agni_rule *r, int i,
                                          const agn_tensor *g)
{
    int d = (int)-r->at->i[0]; /* axes from this one to the end */
    int64_t a[3 * AGNI_MAX_RANK], at = 0;
    for (int k = 0; k < i; k++)
        at += r->x[k]->shape[r->x[k]->ndim - d];
    for (int k = 0; k < d; k++) {
        a[3 * k] = k ? 0 : at;
        a[3 * k + 1] = 1;
        a[3 * k + 2] = r->x[i]->shape[r->x[i]->ndim - d + k];
    }
    return agni_ap(s, &agni_op_slice, &(agni_attr){.ni = 3 * d, .i = a}, 1, &g);
}

/* ---- the table -------------------------------------------------------------------------------------- */

#define ANY ((1u << AGN_NDTYPES) - 1)
#define MOVE(name_, in_) \
    .name = #name_, .cls = AGNI_LINEAR, .nin = in_, .nout = 1, .dtypes = ANY, .diff = 1, \
    .ew = -1, .bounded = 1, .slots = &slots_##name_, .lo = -3, .hi = 3
static agni_slots slots_reshape, slots_permute, slots_broadcast_to, slots_slice, slots_unslice,
    slots_concat;
const agni_op agni_op_reshape = {MOVE(reshape, 1), .zero = 1, .infer = infer_reshape,
                                 .view = view_reshape, .eval = run_reshape,
                                 .transpose = reshape_transpose, .batch = batch_shape,
                                 .doc = "the same elements under another shape"};
const agni_op agni_op_permute = {MOVE(permute, 1), .zero = 1, .infer = infer_permute,
                                 .view = view_permute, .transpose = permute_transpose,
                                 .batch = agni_batch_front, .doc = "reorder axes"};
const agni_op agni_op_broadcast_to = {MOVE(broadcast_to, 1), .infer = infer_broadcast,
                                      .view = view_broadcast, .transpose = broadcast_transpose,
                                      .batch = batch_shape, .doc = "repeat along axes"};
const agni_op agni_op_slice = {MOVE(slice, 1), .infer = infer_slice, .view = view_slice,
                               .transpose = slice_transpose, .batch = agni_batch_front,
                               .doc = "every step-th element of axes"};
const agni_op agni_op_unslice = {MOVE(unslice, 1), .infer = infer_slice, .cpu = cpu_unslice,
                                 .transpose = slice_transpose, .batch = agni_batch_front,
                                 .doc = "put into zeros at a slice"};
const agni_op agni_op_concat = {.name = "concat",
                                .cls = AGNI_LINEAR,
                                .nin = -1,
                                .nout = 1,
                                .dtypes = ANY,
                                .diff = ~0u,
                                .promote = ~0u,
                                .result = AGNI_OUT_SAME,
                                .ew = -1,
                                .bounded = 1,
                                .infer = infer_concat,
                                .cpu = cpu_concat,
                                .transpose = concat_transpose,
                                .batch = agni_batch_all,
                                .slots = &slots_concat,
                                .lo = -3,
                                .hi = 3,
                                .doc = "join along an axis"};

/* ---- public functions --------------------------------------------------------------------------------- */

#define NEED(op, cond, what) \
    if (!(cond)) \
    return agni_fail(AGN_ENULL, op ": %s is NULL", what)

agn_status agn_reshape(agn_tensor **out, const agn_tensor *x, int32_t ndim, const int64_t *shape)
{
    NEED("reshape", x, "x");
    int64_t full[AGNI_MAX_RANK], known = 1;
    int hole = -1;
    if (ndim < 0 || ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "reshape: rank %d is not in 0 to %d", ndim, AGN_MAX_RANK);
    NEED("reshape", shape || !ndim, "shape");
    for (int i = 0; i < ndim; i++) {
        full[i] = shape[i];
        if (shape[i] == -1 && hole >= 0)
            return agni_fail(AGN_ESHAPE, "reshape: two sizes are -1: axes %d and %d", hole, i);
        if (shape[i] == -1)
            hole = i;
        else if (shape[i] < 0 || !agni_mul(known, shape[i], &known))
            return agni_fail(AGN_ESHAPE, "reshape: size %lld of axis %d is not possible",
                             (long long)shape[i], i);
    }
    if (hole >= 0) {
        if (known == 0 ? x->size != 0 : x->size % known)
            return agni_fail(AGN_ESHAPE, "reshape: %s does not divide into %s", AGNI_SHAPE(x),
                             agni_shape_text((char[96]){0}, 96, ndim, shape));
        full[hole] = known ? x->size / known : 0;
    }
    return agni_public(out, &agni_op_reshape, &(agni_attr){.ni = ndim, .i = full}, 1, &x);
}

agn_status agn_permute(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n)
{
    NEED("permute", x, "x");
    NEED("permute", axes || !n, "axes");
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
    return agni_public(out, &agni_op_permute, &(agni_attr){.ni = n, .i = a}, 1, &x);
}

agn_status agn_transpose(agn_tensor **out, const agn_tensor *x)
{
    NEED("transpose", x, "x");
    if (x->ndim < 2)
        return agni_fail(AGN_ESHAPE, "transpose: two axes are needed, shape is %s", AGNI_SHAPE(x));
    return agni_in_name_of("transpose",
                           agni_public(out, &agni_op_permute,
                                       &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}}, 1,
                                       &x));
}

agn_status agn_expand_dims(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    NEED("expand_dims", x, "x");
    int64_t shape[AGNI_MAX_RANK + 1];
    int d;
    agn_status st = agni_axis("expand_dims", axis, x->ndim + 1, &d);
    if (st)
        return st;
    for (int i = 0, k = 0; i <= x->ndim; i++)
        shape[i] = i == d ? 1 : x->shape[k++];
    return agni_in_name_of("expand_dims",
                           agni_public(out, &agni_op_reshape,
                                       &(agni_attr){.ni = x->ndim + 1, .i = shape}, 1, &x));
}

agn_status agn_squeeze(agn_tensor **out, const agn_tensor *x, int32_t axis)
{
    NEED("squeeze", x, "x");
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
    return agni_in_name_of("squeeze",
                           agni_public(out, &agni_op_reshape,
                                       &(agni_attr){.ni = x->ndim - 1, .i = shape}, 1, &x));
}

agn_status agn_broadcast_to(agn_tensor **out, const agn_tensor *x, int32_t ndim,
                            const int64_t *shape)
{
    NEED("broadcast_to", shape || !ndim, "shape");
    return agni_public(out, &agni_op_broadcast_to, &(agni_attr){.ni = ndim, .i = shape}, 1, &x);
}

/* Python's rules for start:stop:step on an axis */
static void resolve(int64_t size, int64_t start, int64_t stop, int64_t step, int64_t *a)
{
    int64_t lo = step > 0 ? 0 : -1, hi = step > 0 ? size : size - 1;
    if (start == AGN_BEGIN)
        start = step > 0 ? lo : hi;
    else if (start < 0)
        start += size;
    if (stop == AGN_END)
        stop = step > 0 ? hi : lo;
    else if (stop < 0)
        stop += size;
    start = start < lo ? lo : start > hi ? hi : start;
    stop = stop < lo ? lo : stop > hi ? hi : stop;
    int64_t span = step > 0 ? stop - start : start - stop;
    uint64_t width = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    int64_t count = span > 0 ? (int64_t)(((uint64_t)span - 1) / width) + 1 : 0;
    a[0] = count ? start : 0;
    a[1] = count > 1 ? step : 1;
    a[2] = count;
}

agn_status agn_slice(agn_tensor **out, const agn_tensor *x, int32_t n, const int64_t *start,
                     const int64_t *stop, const int64_t *step)
{
    NEED("slice", x, "x");
    NEED("slice", (start && stop) || !n, "start or stop");
    if (n < 0 || n > x->ndim)
        return agni_fail(AGN_ESHAPE, "slice: %d axes are sliced, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    int64_t a[3 * AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++) {
        int64_t by = d < n && step ? step[d] : 1;
        if (by == 0)
            return agni_fail(AGN_EARG, "slice: step of axis %d is 0, shape is %s", d,
                             AGNI_SHAPE(x));
        resolve(x->shape[d], d < n ? start[d] : AGN_BEGIN, d < n ? stop[d] : AGN_END, by,
                a + 3 * d);
    }
    return agni_public(out, &agni_op_slice, &(agni_attr){.ni = 3 * x->ndim, .i = a}, 1, &x);
}

agn_status agn_index(agn_tensor **out, const agn_tensor *x, int32_t axis, int64_t index)
{
    NEED("index", x && out, x ? "out" : "x");
    int d;
    agn_status st = agni_axis("index", axis, x->ndim, &d);
    if (st)
        return st;
    int64_t size = x->shape[d], a[3 * AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    if (index < -size || index >= size)
        return agni_fail(AGN_EINDEX, "index: %lld is out of range for axis %d of %s",
                         (long long)index, d, AGNI_SHAPE(x));
    int n = x->ndim - d;
    for (int k = 0; k < n; k++) {
        a[3 * k] = k ? 0 : index < 0 ? index + size : index;
        a[3 * k + 1] = 1;
        a[3 * k + 2] = k ? x->shape[d + k] : 1;
    }
    for (int i = 0, k = 0; i < x->ndim; i++)
        if (i != d)
            shape[k++] = x->shape[i];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_ap(s, &agni_op_slice, &(agni_attr){.ni = 3 * n, .i = a}, 1, &x);
    agn_scope_return(s, out, y ? agni_reshape(s, y, x->ndim - 1, shape) : NULL);
    return agni_in_name_of("index", agn_scope_close(s));
}

agn_status agn_flip(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n)
{
    NEED("flip", x, "x");
    int64_t a[3 * AGNI_MAX_RANK];
    bool turn[AGNI_MAX_RANK] = {false};
    for (int i = 0; i < (axes ? n : x->ndim); i++) {
        int d = i;
        agn_status st = axes ? agni_axis("flip", axes[i], x->ndim, &d) : AGN_OK;
        if (st)
            return st;
        if (turn[d])
            return agni_fail(AGN_EARG, "flip: axis %d is named twice in %d axes", d, n);
        turn[d] = true;
    }
    for (int d = 0; d < x->ndim; d++) {
        bool back = turn[d] && x->shape[d] > 1;
        a[3 * d] = back ? x->shape[d] - 1 : 0;
        a[3 * d + 1] = back ? -1 : 1;
        a[3 * d + 2] = x->shape[d];
    }
    return agni_in_name_of(
        "flip", agni_public(out, &agni_op_slice, &(agni_attr){.ni = 3 * x->ndim, .i = a}, 1, &x));
}

agn_status agn_pad(agn_tensor **out, const agn_tensor *x, int32_t n, const int64_t *lo,
                   const int64_t *hi, double value)
{
    NEED("pad", x && out, x ? "out" : "x");
    NEED("pad", (lo && hi) || !n, "lo or hi");
    if (n != x->ndim)
        return agni_fail(AGN_ESHAPE, "pad: %d axes are given, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    int64_t a[3 * AGNI_MAX_RANK];
    for (int d = 0; d < n; d++) {
        int64_t full;
        if (lo[d] < 0 || hi[d] < 0 || !agni_add(x->shape[d], lo[d], &full) ||
            !agni_add(full, hi[d], &full))
            return agni_fail(AGN_ESHAPE, "pad: %lld and %lld elements around axis %d",
                             (long long)lo[d], (long long)hi[d], d);
        a[3 * d] = x->shape[d] ? lo[d] : 0;
        a[3 * d + 1] = 1;
        a[3 * d + 2] = full;
    }
    agni_attr at = {.ni = 3 * n, .i = a};
    if (value == 0 && !signbit(value))
        return agni_in_name_of("pad", agni_public(out, &agni_op_unslice, &at, 1, &x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_ap(s, &agni_op_unslice, &at, 1, &x);
    const agn_tensor *ones = agni_full(s, 1, AGN_BOOL, n, x->shape);
    const agn_tensor *in = ones ? agni_ap(s, &agni_op_unslice, &at, 1, &ones) : NULL;
    const agn_tensor *fill = agni_full(s, value, x->dtype, 0, NULL);
    if (y && in && fill)
        y = agni_ap(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){in, y, fill});
    agn_scope_return(s, out, y);
    return agni_in_name_of("pad", agn_scope_close(s));
}

agn_status agn_concat(agn_tensor **out, const agn_tensor *const *xs, int32_t n, int32_t axis)
{
    NEED("concat", xs || n < 1, "xs");
    if (n < 1)
        return agni_fail(AGN_EARG, "concat: needs at least one tensor, got %d", n);
    NEED("concat", xs[0], "xs[0]");
    if (xs[0]->ndim == 0)
        return agni_fail(AGN_ESHAPE, "concat: shape is %s, at least one axis is needed",
                         AGNI_SHAPE(xs[0]));
    int d;
    agn_status st = agni_axis("concat", axis, xs[0]->ndim, &d);
    int64_t a = d - xs[0]->ndim;
    return st ? st : agni_public(out, &agni_op_concat, &(agni_attr){.ni = 1, .i = &a}, n, xs);
}

agn_status agn_stack(agn_tensor **out, const agn_tensor *const *xs, int32_t n, int32_t axis)
{
    NEED("stack", out && (xs || n < 1), out ? "xs" : "out");
    if (n < 1)
        return agni_fail(AGN_EARG, "stack: needs at least one tensor, got %d", n);
    const agn_tensor **t = agni_zalloc((size_t)n * sizeof *t);
    if (!t)
        return agni_nomem("stack", (size_t)n * sizeof *t);
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n; i++) {
        agn_tensor *y = NULL;
        if (!agn_scope_status(s)) {
            agn_status st = agn_expand_dims(&y, xs[i], axis);
            t[i] = agn_scope_adopt(s, st, y);
        }
    }
    agn_tensor *y = NULL;
    if (!agn_scope_status(s)) {
        agn_status st = agn_concat(&y, t, n, axis);
        agn_scope_return(s, out, agn_scope_adopt(s, st, y));
    }
    agni_free(t);
    return agni_in_name_of("stack", agn_scope_close(s));
}
