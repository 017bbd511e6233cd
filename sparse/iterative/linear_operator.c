/* sparse/iterative/linear_operator.c - products with a matrix, sparse or dense. */
#include "sparse/iterative/linear_operator.h"

#include <agnesi/ag.h>

agni_linear_operator agni_linear_operator_of(const agn_tensor *a)
{
    const agni_csr *c = agni_csr_of(a);
    return (agni_linear_operator){c ? (agni_pattern *)agni_obj_retain(&c->pattern->head) : NULL,
                                  a->shape[a->ndim - 2], a->shape[a->ndim - 1]};
}

void agni_linear_operator_release(agni_linear_operator *o)
{
    if (o->pattern)
        agni_obj_release(&o->pattern->head);
    o->pattern = NULL;
}

const agn_tensor *agni_linear_operator_values(const agn_tensor *a)
{
    const agni_csr *c = agni_csr_of(a);
    return c ? c->values : a;
}

const agn_tensor *agni_linear_operator_apply(agn_scope *s, const agni_linear_operator *o,
                                             bool adjoint, const agn_tensor *v, const agn_tensor *x)
{
    if (!o->pattern)
        return ag_matmul(s, adjoint ? agni_conjugate(s, ag_swapaxes(s, v, -1, -2)) : v, x);
    int64_t turned = adjoint;
    return agni_apply_in(s, &agni_op_sparse_spmm,
                         &(agni_attr){.ni = 1, .i = &turned, .obj = &o->pattern->head}, 2,
                         (const agn_tensor *[]){adjoint ? agni_conjugate(s, v) : v, x});
}

/* where the values v are */
static agn_status wrap_column(agn_tensor **out, const agn_tensor *v, int64_t n, const void *x,
                              bool readonly)
{
    return agni_tensor_wrap(
        out, "matmul", v->dtype, 2, (int64_t[]){n, 1}, NULL,
        &(agni_memory){v->st->device, (void *)(uintptr_t)x, readonly, NULL, NULL});
}

agn_status agni_linear_operator_multiply(const agni_linear_operator *o, const agn_tensor *v,
                                         const agn_tensor *vh, bool adjoint, const void *px,
                                         void *py)
{
    agn_tensor *x = NULL, *y = NULL;
    v = adjoint ? vh : v;
    agn_status st = wrap_column(&x, v, adjoint ? o->rows : o->cols, px, true);
    if (!st)
        st = wrap_column(&y, v, adjoint ? o->cols : o->rows, py, false);
    int64_t turned = adjoint;
    agni_attr at = {.ni = 1, .i = &turned, .obj = o->pattern ? &o->pattern->head : NULL};
    const agn_tensor *in[2] = {v, x};
    agni_meta meta;
    agni_call call = {.op = o->pattern ? &agni_op_sparse_spmm : &agni_op_matmul,
                      .at = o->pattern ? &at : NULL,
                      .nin = 2,
                      .nout = 1,
                      .in = in,
                      .meta = &meta};
    if (!st)
        st = call.op->infer(&call);
    if (!st)
        st = agni_run(&call, &y);
    agn_release(x);
    agn_release(y);
    return st;
}

agn_status agni_linear_operator_adjoint_values(agn_tensor **out, const agni_linear_operator *o,
                                               const agn_tensor *v)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *t = o->pattern ? v : ag_swapaxes(s, v, 0, 1);
    agn_scope_return(s, out, agni_conjugate(s, t));
    return agn_scope_close(s);
}
