/* tensor/reduce/circular_difference.c - y[k] = x[k + 1 mod n] - x[k] along the last axis; backwards
   y[k] = x[k - 1 mod n] - x[k], which is the adjoint. */
#include "tensor/dispatch/op_helpers.h"
#include "tensor/reduce/reduce.h"
#include "tensor/rows/traits.h"

#include <complex.h>

#define FOR_DTYPE(D, T)                                                          \
    case AGN_##D: {                                                              \
        const T *x = c->in[0].data;                                              \
        T *y = c->out[0].data;                                                   \
        for (int64_t i = 0; i < rows * n; i++) {                                 \
            int64_t k = i % n, from = c->ints[0] ? (k + n - 1) % n : (k + 1) % n; \
            y[i] = (T)(x[i - k + from] - x[i]);                                  \
        }                                                                        \
        return AGN_OK;                                                           \
    }

static agn_status run(const agn_kernel_call *c)
{
    int64_t n = c->in[0].shape[c->in[0].ndim - 1], rows = 1;
    for (int d = 0; d < c->in[0].ndim - 1; d++)
        rows *= c->in[0].shape[d];
    switch (c->in[0].dtype) {
        FOR_DTYPE(F32, float)
        FOR_DTYPE(F64, double)
        FOR_DTYPE(C64, float complex)
        FOR_DTYPE(C128, double complex)
    default:
        return AGN_EDTYPE;
    }
}

static const agn_tensor *transpose_difference(agn_scope *s, const agni_rule *r, int i,
                                              const agn_tensor *g)
{
    int64_t backwards = !r->at->i[0];
    (void)i;
    return agni_apply_in(s, r->op, &(agni_attr){.ni = 1, .i = &backwards}, 1, &g);
}

static agni_slots slots;
const agni_op agni_op_circular_difference = {.name = "circular_difference",
                                             .takes = "x backwards:b",
                                             .cls = AGNI_LINEAR,
                                             .nin = 1,
                                             .nout = 1,
                                             .dtypes = AGNI_FIELDS,
                                             .diff = 1,
                                             .promote = 1,
                                             .result = AGNI_OUT_SAME,
                                             .ew = -1,
                                             .bounded = 1,
                                             .infer = agni_infer_same,
                                             .cpu = run,
                                             .contiguous = true,
                                             .transpose = transpose_difference,
                                             .batch = agni_batch_front,
                                             .slots = &slots,
                                             .lo = -3,
                                             .hi = 3,
                                             .traits = AGNI_ZERO_KEPT,
                                             .doc = "differences of neighbours on a circle"};

agn_status agn_circular_difference(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "circular_difference";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (x->ndim < 1)
        return agni_fail(AGN_ESHAPE, "%s: x is [], at least one axis is needed", op);
    return agni_apply1(&agni_op_circular_difference, &(agni_attr){.ni = 1, .i = (int64_t[]){0}}, 1, &x,
                       out);
}
