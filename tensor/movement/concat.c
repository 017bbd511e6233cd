/* tensor/movement/concat.c - concatenation along an axis. Attribute of concat: the axis
   (negative). */
#include "tensor/dispatch/shape_attributes.h"

#include "tensor/create/layout_copy.h"
#include "tensor/rows/traits.h"
#include <string.h>

static agn_status infer_concat(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int d = (int)c->at->i[0] + x->ndim;
    agni_set_meta(c->meta, x->dtype, x->ndim, x->shape);
    for (int i = 1; i < c->nin; i++) {
        const agn_tensor *z = c->in[i];
        bool same = z->ndim == x->ndim;
        for (int k = 0; same && k < x->ndim; k++)
            same = k == d || z->shape[k] == x->shape[k];
        if (!same)
            return agni_fail(AGN_ESHAPE, "concat: shapes differ beside axis %d: %s and %s", d,
                             AGNI_SHAPE(x), AGNI_SHAPE(z));
        if (!agni_checked_add(c->meta->shape[d], z->shape[d], &c->meta->shape[d]))
            return agni_fail(AGN_ENOMEM, "concat: %d tensors such as %s have too many elements",
                             c->nin, AGNI_SHAPE(z));
    }
    int64_t size;
    return agni_shape_check("concat", x->ndim, c->meta->shape, &size);
}

/* a job copies at_once rows of all parts */
typedef struct rows_of_all {
    const agn_kernel_call *c;
    int d;
    int64_t rows, at_once;
} rows_of_all;

/* Copies rows [lo, lo + n) of axis 0 of all parts, each to its offset along axis d > 0; n = 0: all
   rows. */
static void copy_parts(const agn_kernel_call *c, int d, int64_t lo, int64_t n)
{
    const agn_array *y = c->out;
    int64_t at = 0, bytes = agni_dtypes[y->dtype].bytes, whole = n ? 0 : 1;
    for (int k = 0; k < y->ndim; k++)
        whole *= y->shape[k];
    for (int i = 0; i < c->n_in; i++) {
        const agn_array *x = c->in + i;
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
        agn_array from = *x, to = *y;
        from.shape = to.shape = shape;
        to.data = (char *)y->data + at * y->stride[d] * bytes;
        if (n) {
            shape[0] = n;
            from.data = (char *)x->data + lo * x->stride[0] * bytes;
            to.data = (char *)to.data + lo * y->stride[0] * bytes;
        }
        agni_copy_part(&to, &from, whole);
        at += x->shape[d];
    }
}

static void copy_parts_job(void *user, int64_t job, int worker)
{
    const rows_of_all *q = user;
    int64_t lo = job * q->at_once, left = q->rows - lo;
    (void)worker;
    copy_parts(q->c, q->d, lo, left < q->at_once ? left : q->at_once);
}

/* Parts that share a cache line of the result are copied together, a few rows at a time. */
static agn_status cpu_concat(const agn_kernel_call *c)
{
    enum { NARROW = 1024, CHUNK = 1 << 15 };
    const agn_array *y = c->out;
    int d = (int)c->ints[0] + y->ndim;
    int64_t bytes = agni_dtypes[y->dtype].bytes, after = bytes, one = bytes;
    for (int k = y->ndim - 1; k > 0; k--) {
        one *= y->shape[k];
        after *= k >= d ? y->shape[k] : 1;
    }
    int64_t rows = y->ndim ? y->shape[0] : 0, n = one ? 1 + CHUNK / one : rows;
    if (d == 0 || after > NARROW || rows <= n) {
        copy_parts(c, d, 0, 0);
        return AGN_OK;
    }
    agni_parallel_for((rows + n - 1) / n, copy_parts_job, &(rows_of_all){c, d, rows, n});
    return AGN_OK;
}

static const agn_tensor *transpose_concat(agn_scope *s, const agni_rule *r, int i,
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
    return agni_apply_in(s, &agni_op_slice, &(agni_attr){.ni = 3 * d, .i = a}, 1, &g);
}

static agni_slots slots_concat;
const agni_op agni_op_concat = {.name = "concat",
                                .takes = "xs* axis:a",
                                .cls = AGNI_LINEAR,
                                .nin = -1,
                                .nout = 1,
                                .dtypes = AGNI_ANY,
                                .diff = ~0u,
                                .promote = ~0u,
                                .result = AGNI_OUT_SAME,
                                .ew = -1,
                                .bounded = 1,
                                .infer = infer_concat,
                                .cpu = cpu_concat,
                                .transpose = transpose_concat,
                                .batch = agni_batch_all,
                                .slots = &slots_concat,
                                .lo = -3,
                                .hi = 3,
                                .traits = AGNI_ZERO_KEPT,
                                .zeros = AGNI_ZEROS_JOINED, .doc = "join along an axis"};

/* ---- public functions ---------------------------------------------------------------- */

agn_status agn_concat(agn_tensor **out, const agn_tensor *const *xs, int32_t n, int32_t axis)
{
    AGNI_NEED_ALL("concat", xs || n < 1, "xs");
    if (n < 1)
        return agni_fail(AGN_EARG, "concat: needs at least one tensor, got %d", n);
    AGNI_NEED_ALL("concat", xs[0], "xs[0]");
    if (xs[0]->ndim == 0)
        return agni_fail(AGN_ESHAPE, "concat: shape is %s, at least one axis is needed",
                         AGNI_SHAPE(xs[0]));
    int d;
    agn_status st = agni_axis("concat", axis, xs[0]->ndim, &d);
    int64_t a = d - xs[0]->ndim;
    return st ? st : agni_apply_public(out, &agni_op_concat, &(agni_attr){.ni = 1, .i = &a}, n, xs);
}

agn_status agn_stack(agn_tensor **out, const agn_tensor *const *xs, int32_t n, int32_t axis)
{
    AGNI_NEED_ALL("stack", out && (xs || n < 1), out ? "xs" : "out");
    if (n < 1)
        return agni_fail(AGN_EARG, "stack: needs at least one tensor, got %d", n);
    for (int i = 1; i < n; i++)
        if (xs[0] && xs[i] && !agni_same_shape(xs[0], xs[i]))
            return agni_fail(AGN_ESHAPE, "stack: shapes differ: %s and, at %d, %s",
                             AGNI_SHAPE(xs[0]), i, AGNI_SHAPE(xs[i]));
    const agn_tensor **t = agni_zalloc((size_t)n * sizeof *t);
    if (!t)
        return agni_nomem("stack", (size_t)n * sizeof *t);
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n; i++) {
        agn_tensor *y = NULL;
        if (!agn_scope_status(s)) {
            agn_status st = agn_expand_dims(&y, xs[i], axis);
            t[i] = agn_scope_adopt(s, st, &y);
        }
    }
    agn_tensor *y = NULL;
    if (!agn_scope_status(s)) {
        agn_status st = agn_concat(&y, t, n, axis);
        agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    }
    agni_free(t);
    return agni_rename_error("stack", agn_scope_close(s));
}
