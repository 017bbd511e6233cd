/* tensor/cuda/strided_index.c - loop nest over operands of any strides, with coalesced axes. */
#include "tensor/cuda/cuda.h"
#include "tensor/value/coalesce.h"

void agni_cu_broadcast_strides(int64_t *stride, int pitch, const agn_array *x, int ndim)
{
    for (int d = 0; d < ndim; d++) {
        int e = d - (ndim - x->ndim);
        stride[d * pitch] = e < 0 || x->shape[e] == 1 ? 0 : x->stride[e];
    }
}

static void set_operand(agni_cu_walk *w, int k, const agn_array *x, int ndim)
{
    w->p[k] = x->data;
    agni_cu_broadcast_strides(&w->stride[0][k], AGNI_CU_OPERANDS, x, ndim);
}

void agni_cu_make_walk(agni_cu_walk *w, const agn_array *out, int n_in, const agn_array *in)
{
    w->at = 0;
    w->size = 1;
    for (int d = 0; d < out->ndim; d++)
        w->size *= w->shape[d] = out->shape[d];
    set_operand(w, 0, out, out->ndim);
    for (int k = 0; k < n_in; k++)
        set_operand(w, k + 1, in + k, out->ndim);
    w->ndim = w->size
                  ? agni_ew_coalesce(out->ndim, w->shape, w->stride[0], AGNI_CU_OPERANDS, n_in + 1)
                  : 0;
    if (w->ndim == 0) { /* one element, or none */
        w->ndim = 1;
        w->shape[0] = 1;
        for (int k = 0; k <= n_in; k++)
            w->stride[0][k] = 0;
    }
}
