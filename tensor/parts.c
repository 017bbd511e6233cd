/* tensor/parts.c - complex numbers as pairs of real ones and back: views of the same memory
   under the other dtype. Each is the adjoint of the other in the pairing Re<u, v>. */
#include "tensor/move.h"

static agn_status infer_as_real(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    if (agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "as_real: x is %s, c64 or c128 is needed",
                         agni_dtypes[x->dtype].name);
    if (x->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "as_real: x has %d axes already, at most %d are possible",
                         x->ndim, AGNI_MAX_RANK);
    agni_set_meta(c->meta, agni_dtypes[x->dtype].real, x->ndim, x->shape);
    c->meta->shape[c->meta->ndim++] = 2;
    return AGN_OK;
}

static agn_status infer_as_complex(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    if (x->dtype != AGN_F32 && x->dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "as_complex: x is %s, f32 or f64 is needed",
                         agni_dtypes[x->dtype].name);
    if (x->ndim < 1 || x->shape[x->ndim - 1] != 2)
        return agni_fail(AGN_ESHAPE, "as_complex: x is %s, a last axis of 2 is needed", AGNI_SHAPE(x));
    agni_set_meta(c->meta, x->dtype == AGN_F32 ? AGN_C64 : AGN_C128, x->ndim - 1, x->shape);
    return AGN_OK;
}

/* strides count elements: as many halves as wholes, or the other way */
static agn_status other_view(const agni_call *c, agn_tensor **out, const int64_t *stride)
{
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_view(&y, c->in[0], c->meta->ndim, c->meta->shape, stride, 0);
    if (st)
        return st;
    y->dtype = (int8_t)c->meta->dtype;
    *out = y;
    return AGN_OK;
}
static agn_status view_as_real(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++)
        stride[d] = 2 * x->stride[d];
    stride[x->ndim] = 1;
    return other_view(c, out, stride);
}
static bool pairs_lie(const agn_tensor *x)
{
    size_t whole = 2 * (size_t)agni_dtypes[x->dtype].bytes;
    bool fits = x->stride[x->ndim - 1] == 1 && (uintptr_t)x->data % (whole / 2) == 0;
    for (int d = 0; d < x->ndim - 1; d++)
        fits = fits && (x->stride[d] % 2 == 0 || x->shape[d] == 1);
    return fits;
}
static agn_status view_as_complex(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    int64_t stride[AGNI_MAX_RANK];
    if (!pairs_lie(x))
        return AGN_OK;
    for (int d = 0; d < x->ndim - 1; d++)
        stride[d] = x->stride[d] / 2;
    return other_view(c, out, stride);
}
/* of a copy, whose pairs lie */
static agn_status run_as_complex(const agni_call *c, agn_tensor **out)
{
    agn_tensor *x = NULL;
    agn_status st = agn_copy(&x, c->in[0]);
    if (st)
        return st;
    agni_call copy = *c;
    copy.in = (const agn_tensor *const[]){x};
    st = view_as_complex(&copy, out);
    agn_release(x);
    return st;
}

static const agn_tensor *as_real_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g);
static const agn_tensor *as_complex_transpose(agn_scope *s, const agni_rule *r, int i,
                                              const agn_tensor *g);
#define BIT(d) (1u << AGN_##d)
#define PARTS(name_, dtypes_) \
    .name = #name_, .takes = "x", .cls = AGNI_LINEAR, .nin = 1, .nout = 1, .dtypes = dtypes_, \
    .diff = 1, .ew = -1, .bounded = 1, .zero = 1, .slots = &slots_##name_, .lo = -3, .hi = 3, \
    .infer = infer_##name_, .view = view_##name_, .transpose = name_##_transpose, \
    .batch = agni_batch_front
static agni_slots slots_as_real, slots_as_complex;
const agni_op agni_op_as_real = {PARTS(as_real, BIT(C64) | BIT(C128)),
                                 .doc = "complex numbers as pairs along a new last axis"};
const agni_op agni_op_as_complex = {PARTS(as_complex, BIT(F32) | BIT(F64)),
                                    .eval = run_as_complex,
                                    .doc = "pairs along the last axis as complex numbers"};

static const agn_tensor *as_real_transpose(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    (void)r, (void)i;
    return agni_ap(s, &agni_op_as_complex, NULL, 1, &g);
}
static const agn_tensor *as_complex_transpose(agn_scope *s, const agni_rule *r, int i,
                                              const agn_tensor *g)
{
    (void)r, (void)i;
    return agni_ap(s, &agni_op_as_real, NULL, 1, &g);
}

agn_status agn_as_real(agn_tensor **out, const agn_tensor *x)
{
    return agni_public(out, &agni_op_as_real, NULL, 1, &x);
}
agn_status agn_as_complex(agn_tensor **out, const agn_tensor *x)
{
    return agni_public(out, &agni_op_as_complex, NULL, 1, &x);
}
