/* sparse/ops/embedding.c - rows of a table by number, whose gradient is COO with one entry, a row,
   for each number. That is so where numbers and cotangent are known and nothing differentiates
   through the gradient; in a plan, and otherwise, it is the dense gradient of gather. A traversal
   keeps a sparse cotangent of a table that is a leaf, and makes it dense for any other. */
#include "sparse/layout/layout.h"

#include "tensor/index/gather.h"
#include "tensor/rows/traits.h"

#include <agnesi/sparse_layout.h>

static agn_status infer_embedding(agni_call *c)
{
    return agni_op_gather.infer(c);
}
static agn_status run_embedding(const agn_kernel_call *c)
{
    return agni_op_gather.cpu(c);
}

static bool has_value(const agn_tensor *x)
{
    return x->st && !x->stale && !x->node && x->st->device == AGN_CPU;
}

static const agn_tensor *transpose_embedding(agn_scope *s, const agni_rule *r, int i,
                                             const agn_tensor *g)
{
    static const char op[] = "sparse_embedding";
    const agn_tensor *x = r->x[0], *idx = r->x[1];
    if (r->at->i[0] != -x->ndim || r->at->i[1] != 0 || !has_value(g) || !has_value(idx))
        return agni_op_gather.transpose(s, r, i, g);
    int64_t n = idx->size, *at = NULL, shape[AGNI_MAX_RANK] = {n};
    agni_coordinates *p = NULL;
    const agn_tensor *wide = agni_cast(s, idx, AGN_I64);
    if (!wide)
        return NULL;
    at = agni_alloc_indices(n);
    agn_status st = at ? agn_to_host(at, wide, (size_t)n * sizeof *at) : AGN_OK;
    for (int64_t k = 0; at && !st && k < n; k++)
        at[k] += at[k] < 0 ? x->shape[0] : 0;
    agn_status made = agni_make_coordinates(&p, op, 1, x->shape, n, false, at);
    if (agn_scope_fail(s, made ? made : agni_scope_adopt(s, &p->head)) || agn_scope_fail(s, st))
        return NULL;
    for (int d = 1; d < x->ndim; d++)
        shape[d] = x->shape[d];
    g = agni_reshape(s, g, x->ndim, shape);
    return g ? agni_coo_new_in(s, op, p, g, x->ndim - 1) : NULL;
}

static agni_slots slots;
const agni_op agni_op_sparse_embedding = {.name = "sparse_embedding",
                                          .takes = "x idx axis:a batch:i",
                                          .cls = AGNI_LINEAR,
                                          .nin = 2,
                                          .nout = 1,
                                          .dtypes = AGNI_ANY,
                                          .diff = 1,
                                          .ew = -1,
                                          .zero = 1,
                                          .bounded = 1,
                                          .infer = infer_embedding,
                                          .cpu = run_embedding,
                                          .contiguous = true,
                                          .transpose = transpose_embedding,
                                          .batch = agni_batch_gather,
                                          .slots = &slots,
                                          .lo = -3,
                                          .hi = 3,
                                          .traits = AGNI_ZERO_KEPT,
                                          .doc = "rows by number, with a gradient that names them"};

agn_status agn_sparse_embedding(agn_tensor **out, const agn_tensor *table, const agn_tensor *idx)
{
    static const char op[] = "sparse_embedding";
    AGNI_NEED(op, out);
    AGNI_NEED(op, table);
    AGNI_NEED(op, idx);
    if (table->ndim < 1)
        return agni_fail(AGN_ESHAPE, "%s: the table is %s with %d axes, at least one is needed", op,
                         AGNI_SHAPE(table), table->ndim);
    int64_t at[2] = {-table->ndim, 0};
    return agni_apply1(&agni_op_sparse_embedding, &(agni_attr){.ni = 2, .i = at}, 2,
                       (const agn_tensor *[]){table, idx}, out);
}
