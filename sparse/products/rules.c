/* sparse/products/rules.c - transposes and batching. Cotangents are in the pairing Re<u, v>; the
   cotangent of values lives on their pattern. */
#include "sparse/products/products.h"

const agn_tensor *agni_conjugate(agn_scope *s, const agn_tensor *x)
{
    if (!x || agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return x;
    return agni_apply_in(s, &agni_op_conj, NULL, 1, &x);
}

static const agn_tensor *apply_spmm(agn_scope *s, const agni_rule *r, const agn_tensor *v,
                                    const agn_tensor *x, int64_t transposed)
{
    return agni_apply_in(s, &agni_op_sparse_spmm,
                         &(agni_attr){.ni = 1, .i = &transposed, .obj = r->at->obj}, 2,
                         (const agn_tensor *[]){v, x});
}

static const agn_tensor *apply_sddmm(agn_scope *s, const agni_rule *r, const agn_tensor *u,
                                     const agn_tensor *w)
{
    return agni_apply_in(s, &agni_op_sparse_sddmm, &(agni_attr){.obj = r->at->obj}, 2,
                         (const agn_tensor *[]){u, w});
}

/* y = A x: dA_e = g[row] conj x[col]; dx = A^H g. Transposed, the sides change */
const agn_tensor *agni_spmm_transpose(agn_scope *s, const agni_rule *r, int i,
                                      const agn_tensor *g)
{
    int64_t turned = r->at->i[0];
    if (i == 1)
        g = apply_spmm(s, r, agni_conjugate(s, r->x[0]), g, !turned);
    else
        g = turned ? apply_sddmm(s, r, agni_conjugate(s, r->x[1]), g)
                   : apply_sddmm(s, r, g, agni_conjugate(s, r->x[1]));
    return agni_unbroadcast(s, g, r->x[i]);
}

const agn_tensor *agni_sddmm_transpose(agn_scope *s, const agni_rule *r, int i,
                                       const agn_tensor *g)
{
    return agni_unbroadcast(s, apply_spmm(s, r, g, agni_conjugate(s, r->x[!i]), i), r->x[i]);
}

const agn_tensor *agni_scatter_transpose(agn_scope *s, const agni_rule *r, int i,
                                         const agn_tensor *g)
{
    (void)i;
    return agni_apply_in(s, &agni_op_sparse_gather, r->at, 1, &g);
}

const agn_tensor *agni_gather_transpose(agn_scope *s, const agni_rule *r, int i,
                                        const agn_tensor *g)
{
    (void)i;
    return agni_apply_in(s, &agni_op_sparse_scatter, r->at, 1, &g);
}

const agn_tensor *agni_collect_transpose(agn_scope *s, const agni_rule *r, int i,
                                         const agn_tensor *g)
{
    int64_t turned = !r->at->i[0];
    (void)i;
    return agni_apply_in(s, r->op, &(agni_attr){.ni = 1, .i = &turned, .obj = r->at->obj}, 1, &g);
}

/* ---- batching ----------------------------------------------------------------------- */

void agni_batch_spmm(agn_scope *s, const agni_rule *r, int64_t lanes,
                     const agn_tensor *const *in, const bool *batched,
                     const agn_tensor **out, bool *bout)
{
    (void)lanes;
    int rank = r->y[0]->ndim;
    const agn_tensor *a[2] = {agni_align_rank(s, in[0], batched[0], rank - 1),
                              agni_align_rank(s, in[1], batched[1], rank)};
    out[0] = agni_apply_in(s, r->op, r->at, 2, a);
    bout[0] = true;
}

void agni_batch_sddmm(agn_scope *s, const agni_rule *r, int64_t lanes,
                      const agn_tensor *const *in, const bool *batched,
                      const agn_tensor **out, bool *bout)
{
    (void)lanes;
    int rank = r->y[0]->ndim + 1;
    const agn_tensor *a[2] = {agni_align_rank(s, in[0], batched[0], rank),
                              agni_align_rank(s, in[1], batched[1], rank)};
    out[0] = agni_apply_in(s, r->op, r->at, 2, a);
    bout[0] = true;
}
