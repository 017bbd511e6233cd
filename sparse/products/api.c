/* sparse/products/api.c - agn_sparse_matmul, _matmul_t, _sddmm, _masked_matmul, and products of two
   CSR matrices. */
#include "sparse/layout/layout.h"
#include "sparse/products/products.h"
#include "sparse/products/spgemm.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

const agn_tensor *agni_add_column_axis(agn_scope *s, const agn_tensor *x)
{
    return x && x->ndim == 1 ? agni_reshape(s, x, 2, (int64_t[]){x->shape[0], 1}) : x;
}
const agn_tensor *agni_drop_column_axis(agn_scope *s, const agn_tensor *y, bool vector)
{
    return y && vector ? agni_reshape(s, y, y->ndim - 1, y->shape) : y;
}

agn_status agni_broadcast_batches(const char *op, agni_meta *m, const agn_tensor *a,
                                  const agn_tensor *b)
{
    m->ndim = 0;
    if (agni_broadcast_into(m, a->ndim - 2, a->shape) &&
        agni_broadcast_into(m, b->ndim - 2, b->shape))
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s", op, AGNI_SHAPE(a),
                     AGNI_SHAPE(b));
}

/* turned: by the pattern of A^T, with the values in its order */
agn_status agni_csr_product(const char *op, agn_tensor **out, const agni_csr *a,
                            const agni_csr *b, bool turned)
{
    const agni_transposed_pattern *t = turned ? agni_pattern_transposed(a->pattern) : NULL;
    const agni_pattern *p = t ? t->p : a->pattern;
    agni_triple *triple = NULL;
    agn_tensor *v = NULL, *y = NULL, *from = NULL;
    if (turned && !t)
        return agni_nomem(op, (size_t)a->pattern->nnz * 2 * sizeof(int32_t));
    agn_status st = agni_triple_new(&triple, op, p, b->pattern);
    if (!st && t)
        st = agni_pattern_view(&from, a->pattern, p->nnz, t->from);
    if (!st && t)
        st = agn_gather(&v, a->values, from, -1);
    if (!st)
        st = agni_apply1(
            &agni_op_sparse_spgemm,
            &(agni_attr){.ni = 1, .i = (int64_t[]){AGNI_ONTO_C}, .obj = &triple->head},
            2, (const agn_tensor *[]){v ? v : a->values, b->values}, &y);
    if (!st)
        st = agni_csr_new(out, op, triple->p[AGNI_ONTO_C], y);
    if (triple)
        agni_obj_release(&triple->head);
    agn_release(from);
    agn_release(v);
    agn_release(y);
    return st;
}

static agn_status multiply_sparse(const char *op, agn_tensor **out, const agn_tensor *a,
                                  const agn_tensor *x, int64_t turned)
{
    const agni_csr *c = NULL;
    agni_meta batch;
    if (a->layout != AGN_DENSE && a->ndim >= 2 &&
        (x->ndim == 0 ||
         x->shape[x->ndim == 1 ? 0 : x->ndim - 2] != a->shape[a->ndim - 1 - turned]))
        return agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, x is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(x));
    bool other = a->layout != AGN_CSR || !agni_has_sparse_kernel(a->dtype) ||
                 (x->layout != AGN_DENSE &&
                  (x->layout != AGN_CSR || !agni_has_sparse_kernel(x->dtype)));
    if (a->layout != AGN_DENSE && other) { /* the general way (sparse/ops/matmul.c) */
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, out, ag_matmul(s, turned ? ag_transpose(s, a) : a, x));
        return agni_rename_error(op, agn_scope_close(s));
    }
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st && x->ndim > 1)
        st = agni_broadcast_batches(op, &batch, a, x);
    if (st)
        return st;
    if (x->layout == AGN_CSR)
        return agni_csr_product(op, out, c, agni_csr_of(x), turned);
    agn_scope *s = agn_scope_open(NULL);
    agni_attr at = {.ni = 1, .i = &turned, .obj = &c->pattern->head};
    const agn_tensor *in[2] = {c->values, agni_add_column_axis(s, x)};
    const agn_tensor *y = in[1] ? agni_apply_in(s, &agni_op_sparse_spmm, &at, 2, in) : NULL;
    agn_scope_return(s, out, agni_drop_column_axis(s, y, x->ndim == 1));
    return agn_scope_close(s);
}

agn_status agn_sparse_matmul(agn_tensor **out, const agn_tensor *a, const agn_tensor *x)
{
    AGNI_NEED("sparse_matmul", out);
    AGNI_NEED("sparse_matmul", a);
    AGNI_NEED("sparse_matmul", x);
    return multiply_sparse("sparse_matmul", out, a, x, 0);
}

agn_status agn_sparse_matmul_t(agn_tensor **out, const agn_tensor *a,
                               const agn_tensor *x)
{
    AGNI_NEED("sparse_matmul_t", out);
    AGNI_NEED("sparse_matmul_t", a);
    AGNI_NEED("sparse_matmul_t", x);
    return multiply_sparse("sparse_matmul_t", out, a, x, 1);
}

agn_status agn_sparse_masked_matmul(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                                    const agn_tensor *mask)
{
    static const char op[] = "sparse_masked_matmul";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, y);
    AGNI_NEED(op, mask);
    agn_status st = agni_require_dense(x, op);
    if (!st)
        st = agni_require_dense(y, op);
    if (st)
        return st;
    if (x->ndim < 2 || y->ndim < 2 || mask->ndim < 2 ||
        x->shape[x->ndim - 1] != y->shape[y->ndim - 2] ||
        x->shape[x->ndim - 2] != mask->shape[mask->ndim - 2] ||
        y->shape[y->ndim - 1] != mask->shape[mask->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: %s and %s do not give the %s of the mask", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(y), AGNI_SHAPE(mask));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = NULL, *m = agni_as_compressed(
                                    s, op, mask, mask->layout == AGN_CSC ? AGN_CSC : AGN_CSR);
    if (m) {
        const agn_tensor *t = ag_swapaxes(s, y, -1, -2);
        bool turned = m->layout == AGN_CSC;
        const agni_csr *c = agni_sparse_parts(m);
        const agn_tensor *v = t ? agni_apply_in(
                                      s, &agni_op_sparse_sddmm,
                                      &(agni_attr){.obj = &c->pattern->head}, 2,
                                      (const agn_tensor *[]){turned ? t : x, turned ? x : t})
                                : NULL;
        z = v ? agni_with_values_in(s, op, m, v) : NULL;
        if (z && mask->layout == AGN_COO)
            z = agni_as_coo(s, op, z);
    }
    return agni_return(op, s, out, z);
}

agn_status agn_sparse_sddmm(agn_tensor **out, const agn_tensor *a, const agn_tensor *u,
                            const agn_tensor *w)
{
    AGNI_NEED("sparse_sddmm", out);
    AGNI_NEED("sparse_sddmm", a);
    AGNI_NEED("sparse_sddmm", u);
    AGNI_NEED("sparse_sddmm", w);
    const agni_csr *c = NULL;
    agn_tensor *v = NULL;
    if (a->layout == AGN_COO || a->layout == AGN_CSC) {
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, out, ag_sparse_masked_matmul(s, u, ag_transpose(s, w), a));
        return agni_rename_error("sparse_sddmm", agn_scope_close(s));
    }
    agn_status st = agni_csr_parts("sparse_sddmm", a, &c);
    if (!st)
        st = agni_apply1(&agni_op_sparse_sddmm, &(agni_attr){.obj = &c->pattern->head},
                         2, (const agn_tensor *[]){u, w}, &v);
    if (!st)
        st = agni_csr_new(out, "sparse_sddmm", c->pattern, v);
    agn_release(v);
    return st;
}
