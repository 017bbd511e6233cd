/* tensor/movement/slice.c - slice (start, step, count along axes), its adjoint unslice, and
   slice_put. Attributes, for each of the last n axes:
     slice, slice_put   start, step, count
     unslice            start, step, full size                                            */
#include "tensor/dispatch/shape_attributes.h"
#include "tensor/rows/traits.h"

/* whether (start, step, count) is inside an axis of this size */
static bool is_inside(int64_t start, int64_t step, int64_t count, int64_t size)
{
    if (count == 0)
        return true;
    if (count < 0 || step == 0 || start < 0 || start >= size)
        return false;
    int64_t span;
    return agni_checked_mul(step, count - 1, &span) && agni_checked_add(start, span, &span) &&
           span >= 0 && span < size;
}

static agn_status infer_slice(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int n = agni_attr_count(c) / 3;
    bool un = c->op == &agni_op_unslice;
    if (n > x->ndim)
        return agni_bad_attributes(c);
    agni_set_meta(c->meta, x->dtype, x->ndim, x->shape);
    for (int k = 0; k < n; k++) {
        const int64_t *a = c->at->i + 3 * k;
        int64_t *size = c->meta->shape + x->ndim - n + k;
        if (a[2] < 0 || !is_inside(a[0], a[1], un ? *size : a[2], un ? a[2] : *size))
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
    int n = agni_attr_count(c) / 3;
    memcpy(stride, x->stride, (size_t)x->ndim * sizeof *stride);
    for (int k = 0; k < n; k++) {
        const int64_t *a = c->at->i + 3 * k;
        int d = x->ndim - n + k;
        if (a[2] > 0)
            offset += a[0] * x->stride[d];
        if (a[2] > 1) /* else the step is not used and may be any number */
            stride[d] = a[1] * x->stride[d];
    }
    return agni_tensor_view(out, x, x->ndim, c->meta->shape, stride, offset);
}

/* the attributes of slice as those of unslice, and back: the third of each triple becomes the size
   in x */
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
    return agni_apply_in(s, op, &(agni_attr){.ni = n3, .i = a}, 1, &g);
}

/* copies v to the slice that the triples describe */
static agn_status write_slice(const agn_kernel_call *c, const agn_array *v)
{
    const agn_array *y = c->out;
    int n = c->n_int / 3;
    int64_t stride[AGNI_MAX_RANK], offset = 0;
    memcpy(stride, y->stride, (size_t)y->ndim * sizeof *stride);
    for (int d = 0; d < y->ndim; d++)
        if (v->shape[d] == 0)
            return AGN_OK;
    for (int k = 0; k < n; k++) {
        int d = y->ndim - n + k;
        offset += c->ints[3 * k] * y->stride[d];
        if (v->shape[d] > 1)
            stride[d] = c->ints[3 * k + 1] * y->stride[d];
    }
    agn_array part = {(char *)y->data + offset * agni_dtypes[y->dtype].bytes, y->dtype, y->ndim,
                      v->shape, stride};
    agn_kernel_call copy = *c;
    copy.in = v;
    copy.n_in = 1;
    copy.out = &part;
    return agni_op_copy.cpu(&copy);
}

static agn_status cpu_unslice(const agn_kernel_call *c)
{
    size_t bytes = (size_t)agni_dtypes[c->out->dtype].bytes;
    for (int d = 0; d < c->out->ndim; d++)
        bytes *= (size_t)c->out->shape[d];
    memset(c->out->data, 0, bytes);
    return write_slice(c, c->in);
}

/* ---- slice_put: a copy of x with a slice replaced -------------------------------------- */

static agn_status infer_slice_put(agni_call *c)
{
    agni_meta m;
    agni_call as_slice = *c;
    as_slice.meta = &m;
    agn_status st = infer_slice(&as_slice);
    if (st)
        return st;
    const agn_tensor *v = c->in[1];
    if (v->ndim != m.ndim ||
        (m.ndim && memcmp(v->shape, m.shape, (size_t)m.ndim * sizeof *m.shape)))
        return agni_fail(AGN_ESHAPE, "slice_put: the values are %s, the slice %s", AGNI_SHAPE(v),
                         agni_shape_text((char[96]){0}, 96, m.ndim, m.shape));
    return agni_infer_same(c);
}

static agn_status cpu_slice_put(const agn_kernel_call *c)
{
    if (c->out->data != c->in[0].data) { /* a plan may write into x itself */
        agn_kernel_call copy = *c;
        copy.n_in = 1;
        agn_status st = agni_op_copy.cpu(&copy);
        if (st)
            return st;
    }
    return write_slice(c, c->in + 1);
}

/* decomposition into ops that every device has: where(mask, unslice(v), x) */
static agn_status eval_slice_put(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = c->in[0], *v = c->in[1];
    int64_t a[3 * AGNI_MAX_RANK];
    int n = c->at->ni / 3;
    memcpy(a, c->at->i, 3 * (size_t)n * sizeof *a);
    for (int k = 0; k < n; k++)
        a[3 * k + 2] = x->shape[x->ndim - n + k];
    agni_attr at = {.ni = 3 * n, .i = a};
    const agn_tensor *ones = agni_full(s, 1, AGN_BOOL, v->ndim, v->shape);
    const agn_tensor *in = ones ? agni_apply_in(s, &agni_op_unslice, &at, 1, &ones) : NULL;
    const agn_tensor *put = agni_apply_in(s, &agni_op_unslice, &at, 1, &v);
    if (in && put)
        agn_scope_return(
            s, out, agni_apply_in(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){in, put, x}));
    return agn_scope_close(s);
}

static const agn_tensor *slice_put_transpose(agn_scope *s, const agni_rule *r, int i,
                                             const agn_tensor *g)
{
    const agn_tensor *v = r->x[1];
    if (i == 1)
        return agni_apply_in(s, &agni_op_slice, r->at, 1, &g);
    return agni_apply_in(s, &agni_op_slice_put, r->at, 2,
                         (const agn_tensor *[]){g, agni_full(s, 0, g->dtype, v->ndim, v->shape)});
}

/* ---- rows ---------------------------------------------------------------------------- */

static agni_slots slots_slice, slots_unslice, slots_slice_put;
const agni_op agni_op_slice = {AGNI_MOVEMENT_ROW(slice, "x (start:i step:i count:i)*"),
                               .infer = infer_slice, .view = view_slice,
                               .transpose = slice_transpose, .batch = agni_batch_front,
                               .traits = AGNI_ZERO_KEPT,
                               .zeros = AGNI_ZEROS_PLACED, .doc = "every step-th element of axes"};
const agni_op agni_op_unslice = {AGNI_MOVEMENT_ROW(unslice, "x (start:i step:i size:i)*"),
                                 .infer = infer_slice, .cpu = cpu_unslice,
                                 .transpose = slice_transpose, .batch = agni_batch_front,
                                 .traits = AGNI_ZERO_KEPT,
                                 .zeros = AGNI_ZEROS_PLACED, .doc = "put into zeros at a slice"};
const agni_op agni_op_slice_put = {.name = "slice_put",
                                   .takes = "x v (start:i step:i count:i)*",
                                   .cls = AGNI_LINEAR,
                                   .nin = 2,
                                   .nout = 1,
                                   .dtypes = AGNI_ANY,
                                   .diff = 3,
                                   .promote = 3,
                                   .result = AGNI_OUT_SAME,
                                   .ew = -1,
                                   .bounded = 1,
                                   .infer = infer_slice_put,
                                   .eval = eval_slice_put,
                                   .cpu = cpu_slice_put,
                                   .transpose = slice_put_transpose,
                                   .batch = agni_batch_all,
                                   .slots = &slots_slice_put,
                                   .lo = -3,
                                   .hi = 3,
                                   .traits = AGNI_ZERO_KEPT,
                                   .zeros = AGNI_ZEROS_PLACED,
                                   .doc = "write a slice"};

/* ---- public functions ---------------------------------------------------------------- */

void agni_resolve_slice(int64_t size, int64_t start, int64_t stop, int64_t step, int64_t *a)
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
    AGNI_NEED_ALL("slice", x, "x");
    AGNI_NEED_ALL("slice", (start && stop) || !n, "start or stop");
    if (n < 0 || n > x->ndim)
        return agni_fail(AGN_ESHAPE, "slice: %d axes are sliced, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    int64_t a[3 * AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++) {
        int64_t by = d < n && step ? step[d] : 1;
        if (by == 0)
            return agni_fail(AGN_EARG, "slice: step of axis %d is 0, shape is %s", d,
                             AGNI_SHAPE(x));
        agni_resolve_slice(x->shape[d], d < n ? start[d] : AGN_BEGIN, d < n ? stop[d] : AGN_END, by,
                a + 3 * d);
    }
    return agni_apply_public(out, &agni_op_slice, &(agni_attr){.ni = 3 * x->ndim, .i = a}, 1, &x);
}

agn_status agn_index_axis(agn_tensor **out, const agn_tensor *x, int32_t axis, int64_t index)
{
    AGNI_NEED_ALL("index_axis", x && out, x ? "out" : "x");
    int d;
    agn_status st = agni_axis("index_axis", axis, x->ndim, &d);
    if (st)
        return st;
    int64_t size = x->shape[d], a[3 * AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    if (index < -size || index >= size)
        return agni_fail(AGN_EINDEX, "index_axis: %lld is out of range for axis %d of %s",
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
    const agn_tensor *y = agni_apply_in(s, &agni_op_slice, &(agni_attr){.ni = 3 * n, .i = a}, 1,
                                        &x);
    return agni_return("index_axis", s, out, y ? agni_reshape(s, y, x->ndim - 1, shape) : NULL);
}

agn_status agn_flip(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n)
{
    AGNI_NEED_ALL("flip", x, "x");
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
    return agni_rename_error(
        "flip",
        agni_apply_public(out, &agni_op_slice, &(agni_attr){.ni = 3 * x->ndim, .i = a}, 1, &x));
}
