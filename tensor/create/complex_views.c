/* tensor/create/complex_views.c - views of complex arrays as real ones, and bitcasts. */
#include "tensor/dispatch/shape_attributes.h"
#include "tensor/rows/traits.h"

#include <agnesi/ag.h>

static bool is_complex(int dtype)
{
    return agni_kind(dtype) == AGNI_KIND_COMPLEX;
}

/* A view of x as a dtype of the same size, half of it (strides double), or twice; first: the offset
   in elements of that dtype. */
static agn_status view_as_dtype(agn_tensor **out, const agn_tensor *x, int dtype, int ndim,
                          const int64_t *shape, const int64_t *stride, int first)
{
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_view(&y, x, ndim, shape, stride, 0);
    if (st)
        return st;
    y->dtype = (int8_t)dtype;
    y->truth = false; /* pairs of 0 and 1 are i, too */
    y->data = (char *)y->data + first * agni_dtypes[dtype].bytes;
    *out = y;
    return AGN_OK;
}

/* ---- parts -------------------------------------------------------------------------------- */

static agn_status view_part(const agni_call *c, agn_tensor **out, int part)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++)
        stride[d] = 2 * x->stride[d];
    return view_as_dtype(out, x, agni_dtypes[x->dtype].real, x->ndim, x->shape, stride, part);
}
agn_status agni_view_real(const agni_call *c, agn_tensor **out)
{
    return view_part(c, out, 0);
}
agn_status agni_view_imag(const agni_call *c, agn_tensor **out)
{
    return view_part(c, out, 1);
}

/* ---- pairs --------------------------------------------------------------------------------- */

static agn_status infer_as_real(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    if (x->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "as_real: the result has rank %d, above %d", x->ndim + 1,
                         AGN_MAX_RANK);
    agni_set_meta(c->meta, agni_dtypes[x->dtype].real, x->ndim, x->shape);
    c->meta->shape[c->meta->ndim++] = 2;
    int64_t size;
    return agni_shape_check("as_real", c->meta->ndim, c->meta->shape, &size);
}
static agn_status view_as_real(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++)
        stride[d] = 2 * x->stride[d];
    stride[x->ndim] = 1;
    return view_as_dtype(out, x, c->meta->dtype, c->meta->ndim, c->meta->shape, stride, 0);
}

static agn_status infer_as_complex(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    if (x->ndim < 1 || x->shape[x->ndim - 1] != 2)
        return agni_fail(AGN_ESHAPE, "as_complex: the last axis of %s has not size %d",
                         AGNI_SHAPE(x), 2);
    agni_set_meta(c->meta, x->dtype == AGN_F32 ? AGN_C64 : AGN_C128, x->ndim - 1, x->shape);
    return AGN_OK;
}
/* where the parts of a pair are adjacent */
static agn_status view_as_complex(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    bool pairs = x->stride[x->ndim - 1] == 1;
    for (int d = 0; d < x->ndim - 1; d++) {
        pairs = pairs && (x->stride[d] % 2 == 0 || x->shape[d] == 1);
        stride[d] = x->stride[d] / 2;
    }
    return pairs ? view_as_dtype(out, x, c->meta->dtype, c->meta->ndim, c->meta->shape, stride, 0)
                 : AGN_OK;
}
static const agn_tensor *take_part(agn_scope *s, const agn_tensor *x, int64_t i)
{
    const agn_tensor *y = agni_apply_in(s, &agni_op_slice,
                                        &(agni_attr){.ni = 3, .i = (int64_t[]){i, 1, 1}}, 1, &x);
    return y ? agni_reshape(s, y, x->ndim - 1, x->shape) : NULL;
}
static agn_status eval_as_complex(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a[2] = {take_part(s, c->in[0], 0), take_part(s, c->in[0], 1)};
    agn_scope_return(s, out, a[0] && a[1] ? agni_apply_in(s, &agni_op_complex, NULL, 2, a) : NULL);
    return agn_scope_close(s);
}

/* Re<x, a + ib> of pairs: each is the other's adjoint */
static const agn_tensor *transpose_as_real(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    (void)r, (void)i;
    return agni_apply_in(s, &agni_op_as_complex, NULL, 1, &g);
}
static const agn_tensor *transpose_as_complex(agn_scope *s, const agni_rule *r, int i,
                                              const agn_tensor *g)
{
    (void)i;
    g = is_complex(g->dtype) ? g : agni_cast(s, g, r->y[0]->dtype);
    return g ? agni_apply_in(s, &agni_op_as_real, NULL, 1, &g) : NULL;
}

static agni_slots slots_as_real, slots_as_complex, slots_bitcast;
const agni_op agni_op_as_real = {.name = "as_real", .takes = "x", .cls = AGNI_LINEAR, .nin = 1,
                                 .nout = 1, .dtypes = AGNI_COMPLEXES, .diff = 1,
                                 .promote = 1, .ew = -1, .zero = 1, .bounded = 1,
                                 .infer = infer_as_real, .view = view_as_real,
                                 .transpose = transpose_as_real, .batch = agni_batch_front,
                                 .slots = &slots_as_real, .lo = -3, .hi = 3,
                                 .traits = AGNI_ZERO_KEPT,
                                 .doc = "real and imaginary part as a last axis"};
const agni_op agni_op_as_complex = {.name = "as_complex", .takes = "x", .cls = AGNI_LINEAR,
                                    .nin = 1, .nout = 1, .dtypes = AGNI_FLOATS,
                                    .diff = 1, .promote = 1, .ew = -1, .zero = 1, .bounded = 1,
                                    .infer = infer_as_complex, .view = view_as_complex,
                                    .eval = eval_as_complex, .transpose = transpose_as_complex,
                                    .batch = agni_batch_front, .slots = &slots_as_complex,
                                    .lo = -3, .hi = 3,
                                    .traits = AGNI_ZERO_KEPT, .doc = "pairs as complex numbers"};

/* ---- the same bytes -------------------------------------------------------------------------- */

/* The row keeps axes: parts of a wide element are a new last axis, and a last axis of parts becomes
   the element. */
static agn_status infer_bitcast(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int to = (int)c->at->i[0], from_bytes = agni_dtypes[x->dtype].bytes;
    int to_bytes = agni_dtypes[to].bytes, n = x->ndim;
    if (to == AGN_BOOL && x->dtype != AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "bitcast: bytes of %s may be no %s",
                         agni_dtypes[x->dtype].name, agni_dtypes[to].name);
    if (to_bytes > from_bytes && (n == 0 || x->shape[n - 1] * from_bytes != to_bytes))
        return agni_fail(AGN_ESHAPE, "bitcast: the last axis of %s %s is not one %s",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x), agni_dtypes[to].name);
    if (to_bytes < from_bytes && n == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "bitcast: the result has rank %d, above %d", n + 1,
                         AGN_MAX_RANK);
    agni_set_meta(c->meta, to, to_bytes > from_bytes ? n - 1 : n, x->shape);
    if (to_bytes < from_bytes)
        c->meta->shape[c->meta->ndim++] = from_bytes / to_bytes;
    int64_t size;
    return agni_shape_check("bitcast", c->meta->ndim, c->meta->shape, &size);
}
/* where parts are adjacent, and the first is aligned as an element must be */
static agn_status view_bitcast(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    const agni_meta *m = c->meta;
    int from = agni_dtypes[x->dtype].bytes, to = agni_dtypes[m->dtype].bytes;
    int64_t stride[AGNI_MAX_RANK];
    bool fits = from >= to || (x->stride[x->ndim - 1] == 1 &&
                               (uintptr_t)x->data % (unsigned)agni_alignment(m->dtype) == 0);
    for (int d = 0; d < m->ndim; d++) {
        int64_t bytes = d < x->ndim ? x->stride[d] * from : to;
        fits = fits && (bytes % to == 0 || m->shape[d] == 1);
        stride[d] = bytes / to;
    }
    return fits ? view_as_dtype(out, x, m->dtype, m->ndim, m->shape, stride, 0) : AGN_OK;
}
static agn_status eval_bitcast(const agni_call *c, agn_tensor **out)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_copy(s, agni_detach_node(s, "bitcast", c->in[0]));
    agn_scope_return(s, out, x ? agni_apply_in(s, c->op, c->at, 1, &x) : NULL);
    return agn_scope_close(s);
}
const agni_op agni_op_bitcast = {.name = "bitcast",
                                 .takes = "x dtype:d",
                                 .cls = AGNI_DISCRETE,
                                 .nin = 1,
                                 .nout = 1,
                                 .dtypes = AGNI_ANY,
                                 .ew = -1,
                                 .infer = infer_bitcast,
                                 .view = view_bitcast,
                                 .eval = eval_bitcast,
                                 .batch = agni_batch_front,
                                 .slots = &slots_bitcast,
                                 .lo = -3,
                                 .hi = 3,
                                 .doc = "the same bytes as another dtype"};

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_as_real(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED_ALL("as_real", out && x, out ? "x" : "out");
    if (!is_complex(x->dtype))
        return agni_fail(AGN_EDTYPE, "as_real: x is %s, a complex dtype is needed, shape %s",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return agni_apply_public(out, &agni_op_as_real, NULL, 1, &x);
}

agn_status agn_as_complex(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_as_complex, NULL, 1, &x);
}

/* Where sizes differ, the last axis is reshaped before or after the row, which keeps axes. */
agn_status agn_bitcast(agn_tensor **out, const agn_tensor *x, agn_dtype dtype)
{
    int64_t to = dtype, shape[AGNI_MAX_RANK + 1];
    agni_attr at = {.ni = 1, .i = &to};
    AGNI_NEED("bitcast", out);
    AGNI_NEED("bitcast", x);
    agn_status st = agni_dtype_check("bitcast", dtype);
    if (st)
        return st;
    int64_t from_bytes = agni_dtypes[x->dtype].bytes, to_bytes = agni_dtypes[dtype].bytes;
    if (from_bytes == to_bytes)
        return agni_apply_public(out, &agni_op_bitcast, &at, 1, &x);
    int last = x->ndim - 1;
    if (last < 0 || x->shape[last] * from_bytes % to_bytes != 0)
        return agni_fail(AGN_ESHAPE, "bitcast: the last axis of %s %s is no whole number of %s",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x), agni_dtypes[dtype].name);
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[last] = x->shape[last] * from_bytes / to_bytes;
    shape[last + 1] = to_bytes / from_bytes;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = from_bytes < to_bytes ? agni_reshape(s, x, x->ndim + 1, shape) : x;
    y = y ? agni_apply_in(s, &agni_op_bitcast, &at, 1, &y) : NULL;
    return agni_return("bitcast", s, out,
                       from_bytes > to_bytes && y ? agni_reshape(s, y, x->ndim, shape) : y);
}
