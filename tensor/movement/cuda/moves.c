/* tensor/movement/cuda/moves.c - ops that move elements: copy, cast, unslice, concat. */
#include "tensor/cuda/cuda.h"

static void copy_operand(const agn_kernel_call *c, const agn_array *to, const agn_array *from)
{
    agni_cu_walk w;
    agni_cu_make_walk(&w, to, 1, from);
    agni_cu_convert(&w, to->dtype, from->dtype, c->stream);
}

static agn_status run_copy(const agn_kernel_call *c)
{
    int was = agni_cu_enter(c->device);
    copy_operand(c, c->out, c->in);
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

/* zeros, then the input copied into the slice */
static agn_status run_unslice(const agn_kernel_call *c)
{
    const agn_array *x = c->in, *y = c->out;
    int64_t stride[AGN_MAX_RANK], offset = 0, bytes = agni_cu_bytes(y->dtype);
    int n = c->n_int / 3;
    for (int d = 0; d < y->ndim; d++)
        stride[d] = y->stride[d];
    for (int k = 0; k < n; k++) {
        int d = y->ndim - n + k;
        offset += c->ints[3 * k] * y->stride[d];
        stride[d] = c->ints[3 * k + 1] * y->stride[d];
    }
    int was = agni_cu_enter(c->device);
    cudaError_t e = cudaMemsetAsync(y->data, 0, (size_t)(agni_cu_size(y) * bytes), c->stream);
    agn_array part = {(char *)y->data + offset * bytes, y->dtype, y->ndim, x->shape, stride};
    if (!e && agni_cu_size(x))
        copy_operand(c, &part, x);
    agn_status st = agni_cu_check(c->device, c->op, e);
    if (!st)
        st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

static agn_status run_concat(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    int d = (int)c->ints[0] + y->ndim;
    int64_t at = 0, bytes = agni_cu_bytes(y->dtype);
    int was = agni_cu_enter(c->device);
    for (int i = 0; i < c->n_in; i++) {
        const agn_array *x = c->in + i;
        agn_array part = {(char *)y->data + at * y->stride[d] * bytes, y->dtype, y->ndim,
                          x->shape, y->stride};
        copy_operand(c, &part, x);
        at += x->shape[d];
    }
    agn_status st = agni_cu_check_launch(c);
    agni_cu_leave(was);
    return st;
}

static const agn_kernel_entry table[] = {
    {"copy", -1, true, run_copy},
    {"cast", -1, true, run_copy},
    {"unslice", -1, true, run_unslice},
    {"concat", -1, true, run_concat},
};
const agni_cu_table agni_cu_moves = {table, (int)(sizeof table / sizeof *table)};
