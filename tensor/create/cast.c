/* tensor/create/cast.c - the ops cast, copy and stop_gradient, contiguous, and their kernel:
   conversion of arrays of any strides. */
#include "tensor/create/nontemporal.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/create/layout_copy.h"

enum { GRAIN = 1 << 15 };
typedef struct conversion {
    const agn_array *x, *y;
    int64_t rows, grain;
    bool far; /* a flat result larger than the caches: non-temporal stores */
} conversion;

static void convert_rows(void *user, int64_t job, int worker)
{
    const conversion *c = user;
    const agn_array *x = c->x, *y = c->y;
    (void)worker;
    int last = y->ndim - 1;
    int64_t n = y->shape[last], yb = agni_dtypes[y->dtype].bytes;
    int64_t xb = agni_dtypes[x->dtype].bytes, hi = (job + 1) * c->grain;
    for (int64_t row = job * c->grain; row < hi && row < c->rows; row++) {
        int64_t rest = row, yo = 0, xo = 0;
        for (int d = last - 1; d >= 0; d--) {
            int64_t i = rest % y->shape[d];
            rest /= y->shape[d];
            yo += i * y->stride[d];
            xo += i * x->stride[d];
        }
        agni_convert_elements((char *)y->data + yo * yb, y->dtype, y->stride[last] * yb,
                              (const char *)x->data + xo * xb, x->dtype, x->stride[last] * xb, n);
    }
}

static void convert_flat(void *user, int64_t job, int worker)
{
    const conversion *c = user;
    int64_t yb = agni_dtypes[c->y->dtype].bytes, xb = agni_dtypes[c->x->dtype].bytes;
    int64_t lo = job * c->grain, n = c->rows - lo < c->grain ? c->rows - lo : c->grain;
    char *to = (char *)c->y->data + lo * yb;
    const char *from = (const char *)c->x->data + lo * xb;
    (void)worker;
    if (!c->far) {
        agni_convert_elements(to, c->y->dtype, yb, from, c->x->dtype, xb, n);
        return;
    }
    _Alignas(AGNI_NONTEMPORAL_LINE) char strip[AGNI_NONTEMPORAL_STRIP];
    for (int64_t m; n > 0; n -= m, to += m * yb, from += m * xb) {
        m = agni_nontemporal_strip(to, (int)yb, AGNI_NONTEMPORAL_STRIP / yb, n);
        agni_convert_elements(strip, c->y->dtype, yb, from, c->x->dtype, xb, m);
        agni_nontemporal_copy(to, strip, m * yb);
    }
    agni_nontemporal_fence();
}

static agn_status cast_array(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t size = 1;
    for (int d = 0; d < y->ndim; d++)
        size *= y->shape[d];
    if (size == 0)
        return AGN_OK;
    if (x->dtype == y->dtype) {
        agni_copy_elements(y, x);
        return AGN_OK;
    }
    bool flat = true;
    int64_t step = 1;
    for (int d = y->ndim - 1; d >= 0; d--) {
        flat = flat && (y->shape[d] == 1 || (x->stride[d] == step && y->stride[d] == step));
        step *= y->shape[d];
    }
    if (flat) {
        bool far = size * agni_dtypes[y->dtype].bytes >= AGNI_NONTEMPORAL_BYTES &&
                   x->data != y->data;
        conversion v = {x, y, size, GRAIN, far};
        agni_parallel_for((size + GRAIN - 1) / GRAIN, convert_flat, &v);
        return AGN_OK;
    }
    int64_t n = y->shape[y->ndim - 1];
    conversion v = {x, y, size / n, 1 + GRAIN / n, false};
    agni_parallel_for((v.rows + v.grain - 1) / v.grain, convert_rows, &v);
    return AGN_OK;
}

/* ---- the ops -------------------------------------------------------------------------------- */

static agn_status infer_cast(agni_call *c)
{
    agni_infer_same(c);
    c->meta[0].dtype = (int32_t)c->at->i[0];
    return AGN_OK;
}

static const agn_tensor *transpose_cast(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    (void)i;
    return agni_cast(s, g, r->x[0]->dtype);
}
static const agn_tensor *transpose_identity(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    (void)s, (void)r, (void)i;
    return g;
}
static agn_status view_alias(const agni_call *c, agn_tensor **out)
{
    *out = agni_tensor_alias(c->in[0]);
    return *out ? AGN_OK : agni_nomem(c->op->name, sizeof **out);
}

#define UNARY(name_, takes_) \
    .name = #name_, .takes = takes_, .nin = 1, .nout = 1, .dtypes = AGNI_ANY, .diff = 1, .ew = -1, .zero = 1, \
    .cpu = cast_array, .batch = agni_batch_front, .slots = &slots_##name_, .lo = -3, .hi = 3
static agni_slots slots_cast, slots_copy;
const agni_op agni_op_cast = {
    UNARY(cast, "x dtype:d"),         .cls = AGNI_LINEAR,       .infer = infer_cast,
    .transpose = transpose_cast,      .traits = AGNI_ZERO_KEPT, .zeros = AGNI_ZEROS_ALIKE,
    .doc = "convert to another dtype"};
const agni_op agni_op_copy = {UNARY(copy, "x"),           .cls = AGNI_LINEAR,
                              .infer = agni_infer_same,   .transpose = transpose_identity,
                              .traits = AGNI_ZERO_KEPT,   .zeros = AGNI_ZEROS_ALIKE,
                              .doc = "copy to new memory"};
const agni_op agni_op_stop_gradient = {.name = "stop_gradient",
                                       .takes = "x",
                                       .cls = AGNI_DISCRETE,
                                       .nin = 1,
                                       .nout = 1,
                                       .dtypes = AGNI_ANY,
                                       .ew = -1,
                                       .zero = 1,
                                       .infer = agni_infer_same,
                                       .view = view_alias,
                                       .cpu = cast_array,
                                       .batch = agni_batch_front,
                                       .lo = -3,
                                       .hi = 3,
                                       .traits = AGNI_ZERO_KEPT,
                                       .doc = "a constant for derivatives"};

agn_status agn_cast(agn_tensor **out, const agn_tensor *x, agn_dtype dtype)
{
    AGNI_NEED("cast", out);
    return agni_convert(out, x, dtype);
}

agn_status agn_copy(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_copy, NULL, 1, &x);
}

agn_status agn_contiguous(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED("contiguous", out);
    return agni_make_contiguous(out, x);
}

agn_status agn_stop_gradient(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_stop_gradient, NULL, 1, &x);
}
