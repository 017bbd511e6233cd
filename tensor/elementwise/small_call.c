/* tensor/elementwise/small_call.c - fast path of element-wise ops on small contiguous operands of
   one dtype: no promotion, no broadcasting, no walk over strides. */
#include "tensor/dispatch/destination.h"
#include "tensor/rows/elementwise.h"

bool agni_apply_small_elementwise(const agni_op *op, int nin, const agn_tensor *const *in,
                                  agn_tensor **out, agn_status *st)
{
    enum { MOST_ELEMENTS = 1 << 14 };
    const agn_tensor *a;
    char *p[3];
    if (nin != op->nin || agni_destination_current || !(a = in[0]) ||
        !(op->dtypes >> a->dtype & 1) || a->size > MOST_ELEMENTS)
        return false;
    for (int i = 0; i < nin; i++) {
        const agn_tensor *x = in[i];
        if (!x || !x->st || x->stale || x->weak || x->uncommitted ||
            x->layout != AGN_DENSE || x->st->device != AGN_CPU || x->dtype != a->dtype ||
            x->ndim != a->ndim)
            return false;
        int64_t dense = 1;
        for (int d = x->ndim - 1; d >= 0; d--) {
            if (x->shape[d] != a->shape[d] || x->stride[d] != dense)
                return false;
            dense *= x->shape[d];
        }
        p[i + 1] = x->data;
    }
    int dtype = op->result == AGNI_OUT_BOOL ? AGN_BOOL : a->dtype;
    agn_tensor *y = agni_tensor_like(dtype, a);
    if (!y) {
        *st = agni_nomem(op->name, (size_t)a->size * (size_t)agni_dtypes[dtype].bytes);
        return true;
    }
    *st = AGN_OK;
    p[0] = y->data;
    agni_ew_find_loop(op->ew, a->dtype)(p, a->size, NULL);
    if (agni_kind(dtype) >= AGNI_KIND_FLOAT && agni_needs_recording(op, nin, in))
        *st = agni_record_node(op, NULL, nin, in, 1, &y);
    if (*st)
        agn_release(y);
    else
        *out = y;
    return true;
}
