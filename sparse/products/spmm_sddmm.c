/* sparse/products/spmm_sddmm.c - y = A^T g of one column and v_e = g[row] w[col] in one pass over
   the entries: what the gradient of A x needs in x and in A. Plans alone fuse the two. */
#include "sparse/products/products.h"

static agn_status infer_spmm_sddmm(agni_call *c)
{
    const agni_pattern *p = (const agni_pattern *)c->at->obj;
    c->meta[0] = (agni_meta){.dtype = c->in[0]->dtype, .ndim = 2, .shape = {p->cols, 1}};
    c->meta[1] = (agni_meta){.dtype = c->in[0]->dtype, .ndim = 1, .shape = {p->nnz}};
    return AGN_OK;
}

static const agni_op both = {.name = "sparse_spmm_sddmm",
                             .takes = "values g w turned:b pattern:o",
                             .cls = AGNI_OPAQUE,
                             .nin = 3,
                             .nout = 2,
                             .dtypes = AGNI_FIELDS,
                             .ew = -1,
                             .infer = infer_spmm_sddmm,
                             .cpu = agni_cpu_spmm,
                             .scratch = agni_spmm_scratch,
                             .contiguous = true,
                             .doc = "A^T g, and g w^T at the places of A, in one pass"};

const agni_op *agni_spmm_along(const agni_use *one, const agni_use *other, const agn_tensor *y,
                               const agn_tensor *other_y, int32_t *x)
{
    bool column = one->at->i[0] && y->ndim == 2 && y->shape[1] == 1;
    if (!column || other->op != &agni_op_sparse_sddmm || other->at->obj != one->at->obj ||
        other_y->ndim != 1 || other->arg[0] != one->arg[1])
        return NULL;
    x[0] = one->arg[0];
    x[1] = one->arg[1];
    x[2] = other->arg[1];
    return &both;
}
