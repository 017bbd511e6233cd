/* sparse/products/ops.c - op rows and inference of the primitives over a pattern. */
#include "sparse/products/products.h"
#include "tensor/rows/traits.h"

#include <string.h>

static const agni_pattern *call_pattern(const agni_call *c)
{
    return (const agni_pattern *)c->at->obj;
}

static agn_status check_values(const agni_call *c, const agni_pattern *p,
                               const agn_tensor *v)
{
    if (v->ndim < 1 || v->shape[v->ndim - 1] != p->nnz)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries",
                         c->op->name, AGNI_SHAPE(v), (long long)p->nnz);
    return AGN_OK;
}

agn_status agni_infer_over_batch(agni_call *c, const agn_tensor *a, int na, const agn_tensor *b,
                                 int nb, int n, const int64_t *sizes)
{
    agni_meta *o = c->meta;
    int64_t size;
    o->dtype = a->dtype;
    o->ndim = a->ndim - na;
    memcpy(o->shape, a->shape, (size_t)o->ndim * sizeof *o->shape);
    if (b && !agni_broadcast_into(o, b->ndim - nb, b->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s",
                         c->op->name, AGNI_SHAPE(a), AGNI_SHAPE(b));
    if (o->ndim + n > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d",
                         c->op->name, o->ndim + n, AGN_MAX_RANK);
    for (int i = 0; i < n; i++)
        o->shape[o->ndim++] = sizes[i];
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

static agn_status infer_spmm(agni_call *c)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *v = c->in[0], *x = c->in[1];
    agn_status st = check_values(c, p, v);
    if (st)
        return st;
    bool turned = c->at->i[0];
    int64_t m = turned ? p->cols : p->rows, k = turned ? p->rows : p->cols;
    if (x->ndim < 2 || x->shape[x->ndim - 2] != k)
        return agni_fail(AGN_ESHAPE,
                         "%s: inner dimensions differ: a is [%lld,%lld], x is %s",
                         c->op->name, (long long)m, (long long)k, AGNI_SHAPE(x));
    return agni_infer_over_batch(c, v, 1, x, 2, 2, (int64_t[]){m, x->shape[x->ndim - 1]});
}

static agn_status infer_sddmm(agni_call *c)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *u = c->in[0], *w = c->in[1];
    bool fits = u->ndim >= 2 && w->ndim >= 2 && u->shape[u->ndim - 2] == p->rows &&
                w->shape[w->ndim - 2] == p->cols &&
                u->shape[u->ndim - 1] == w->shape[w->ndim - 1];
    if (!fits)
        return agni_fail(AGN_ESHAPE,
                         "%s: %s and %s do not fit a pattern of [%lld,%lld]",
                         c->op->name, AGNI_SHAPE(u), AGNI_SHAPE(w), (long long)p->rows,
                         (long long)p->cols);
    return agni_infer_over_batch(c, u, 2, w, 2, 1, &p->nnz);
}

static agn_status infer_scatter(agni_call *c)
{
    const agni_pattern *p = call_pattern(c);
    agn_status st = check_values(c, p, c->in[0]);
    return st ? st
              : agni_infer_over_batch(c, c->in[0], 1, NULL, 0, 2, (int64_t[]){p->rows, p->cols});
}

static agn_status infer_gather(agni_call *c)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *x = c->in[0];
    if (x->ndim < 2 || x->shape[x->ndim - 2] != p->rows ||
        x->shape[x->ndim - 1] != p->cols)
        return agni_fail(AGN_ESHAPE, "%s: %s does not fit a pattern of [%lld,%lld]",
                         c->op->name, AGNI_SHAPE(x), (long long)p->rows,
                         (long long)p->cols);
    return agni_infer_over_batch(c, x, 2, NULL, 0, 1, &p->nnz);
}

static agn_status infer_collect(agni_call *c)
{
    const agni_pattern *p = call_pattern(c);
    const agn_tensor *x = c->in[0];
    bool turned = c->at->i[0];
    if (x->ndim < 1 || x->shape[x->ndim - 1] != (turned ? p->rows : p->cols))
        return agni_fail(AGN_ESHAPE, "%s: %s does not fit a pattern of [%lld,%lld]",
                         c->op->name, AGNI_SHAPE(x), (long long)p->rows,
                         (long long)p->cols);
    return agni_infer_over_batch(c, x, 1, NULL, 0, 1, turned ? &p->cols : &p->rows);
}

static agni_slots slots[5];
const agni_op agni_op_sparse_spmm = {.name = "sparse_spmm",
                                     .takes = "values x turned:b pattern:o",
                                     .cls = AGNI_MULTI,
                                     .nin = 2,
                                     .nout = 1,
                                     .dtypes = AGNI_FIELDS,
                                     .diff = 3,
                                     .promote = 3,
                                     .result = AGNI_OUT_SAME,
                                     .ew = -1,
                                     .infer = infer_spmm,
                                     .cpu = agni_cpu_spmm,
                                     .scratch = agni_spmm_scratch,
                                     .along = agni_spmm_along,
                                     .contiguous = true,
                                     .transpose = agni_spmm_transpose,
                                     .batch = agni_batch_spmm,
                                     .slots = &slots[0],
                                     .lo = -2,
                                     .hi = 2,
                                     .lo2 = -2,
                                     .hi2 = 2,
                                     .doc = "product of a sparse and a dense matrix"};
const agni_op agni_op_sparse_sddmm = {
    .name = "sparse_sddmm",
    .takes = "u w pattern:o",
    .cls = AGNI_MULTI,
    .nin = 2,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 3,
    .promote = 3,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .infer = infer_sddmm,
    .cpu = agni_cpu_sddmm,
    .contiguous = true,
    .transpose = agni_sddmm_transpose,
    .batch = agni_batch_sddmm,
    .slots = &slots[1],
    .lo = -2,
    .hi = 2,
    .lo2 = -2,
    .hi2 = 2,
    .doc = "product of two dense matrices at the places of a pattern"};
const agni_op agni_op_sparse_scatter = {.name = "sparse_scatter",
                                        .takes = "values pattern:o",
                                        .cls = AGNI_LINEAR,
                                        .nin = 1,
                                        .nout = 1,
                                        .dtypes = AGNI_FIELDS,
                                        .diff = 1,
                                        .promote = 1,
                                        .result = AGNI_OUT_SAME,
                                        .ew = -1,
                                        .zero = 1,
                                        .bounded = 1,
                                        .infer = infer_scatter,
                                        .cpu = agni_cpu_scatter,
                                        .contiguous = true,
                                        .transpose = agni_scatter_transpose,
                                        .batch = agni_batch_front,
                                        .slots = &slots[2],
                                        .lo = -2,
                                        .hi = 2,
                                        .traits = AGNI_ZERO_KEPT,
                                        .doc = "dense matrix from values on a pattern"};
const agni_op agni_op_sparse_gather = {.name = "sparse_gather",
                                       .takes = "x pattern:o",
                                       .cls = AGNI_LINEAR,
                                       .nin = 1,
                                       .nout = 1,
                                       .dtypes = AGNI_FIELDS,
                                       .diff = 1,
                                       .promote = 1,
                                       .result = AGNI_OUT_SAME,
                                       .ew = -1,
                                       .zero = 1,
                                       .bounded = 1,
                                       .infer = infer_gather,
                                       .cpu = agni_cpu_gather,
                                       .contiguous = true,
                                       .transpose = agni_gather_transpose,
                                       .batch = agni_batch_front,
                                       .slots = &slots[3],
                                       .lo = -2,
                                       .hi = 2,
                                       .traits = AGNI_ZERO_KEPT,
                                       .doc = "values of a dense matrix on a pattern"};
const agni_op agni_op_sparse_collect = {
    .name = "sparse_collect",
    .takes = "x turned:b pattern:o",
    .cls = AGNI_LINEAR,
    .nin = 1,
    .nout = 1,
    .dtypes = AGNI_FIELDS,
    .diff = 1,
    .promote = 1,
    .result = AGNI_OUT_SAME,
    .ew = -1,
    .zero = 1,
    .bounded = 1,
    .infer = infer_collect,
    .cpu = agni_cpu_collect,
    .contiguous = true,
    .transpose = agni_collect_transpose,
    .batch = agni_batch_front,
    .slots = &slots[4],
    .lo = -2,
    .hi = 2,
    .traits = AGNI_ZERO_KEPT,
    .doc = "sums of the elements that the rows of a pattern name"};
