/* tensor/cuda/strided_index.c - loop nest over operands of any strides, with coalesced axes. */
#include "tensor/cuda/cuda.h"

static void set_operand(agni_cu_walk *w, int k, const agn_array *x, int ndim)
{
    w->p[k] = x->data;
    for (int d = 0; d < ndim; d++) {
        int e = d - (ndim - x->ndim);
        w->stride[d][k] = e < 0 || x->shape[e] == 1 ? 0 : x->stride[e];
    }
}

/* drops axes of size 1, merges neighbours that are one axis in all operands */
static int coalesce_axes(agni_cu_walk *w, int ndim, int operands)
{
    int n = 0;
    for (int d = 0; d < ndim; d++) {
        if (w->shape[d] == 1)
            continue;
        bool merge = n > 0;
        for (int k = 0; merge && k < operands; k++)
            merge = w->stride[n - 1][k] == w->stride[d][k] * w->shape[d];
        if (merge)
            w->shape[n - 1] *= w->shape[d];
        else
            w->shape[n++] = w->shape[d];
        for (int k = 0; k < operands; k++)
            w->stride[n - 1][k] = w->stride[d][k];
    }
    return n;
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
    w->ndim = w->size ? coalesce_axes(w, out->ndim, n_in + 1) : 0;
    if (w->ndim == 0) { /* one element, or none */
        w->ndim = 1;
        w->shape[0] = 1;
        for (int k = 0; k <= n_in; k++)
            w->stride[0][k] = 0;
    }
}
