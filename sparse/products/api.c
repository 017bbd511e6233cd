/* sparse/products/api.c - the public functions of products. */
#include "sparse/layout/layout.h"
#include "sparse/products/spgemm.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>

agn_status agni_csr_parts(const char *op, const agn_tensor *a, const agni_csr **out)
{
    if (a->layout == AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a is dense, a sparse one is needed: %s %s", op,
                         agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    if (a->layout != AGN_CSR)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a is %s %s, compressed rows are needed: sparse_to_csr makes them",
                         op, agni_layout_names[a->layout], AGNI_SHAPE(a));
    *out = agni_csr_of(a);
    return AGN_OK;
}

const agn_tensor *agni_as_columns(agn_scope *s, const agn_tensor *x)
{
    return x && x->ndim == 1 ? agni_reshape(s, x, 2, (int64_t[]){x->shape[0], 1}) : x;
}
const agn_tensor *agni_as_given(agn_scope *s, const agn_tensor *y, bool vector)
{
    return y && vector ? agni_reshape(s, y, y->ndim - 1, y->shape) : y;
}

agn_status agni_batch_of(const char *op, agni_meta *m, const agn_tensor *a, const agn_tensor *b)
{
    m->ndim = 0;
    if (agni_broadcast_into(m, a->ndim - 2, a->shape) &&
        agni_broadcast_into(m, b->ndim - 2, b->shape))
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s", op, AGNI_SHAPE(a),
                     AGNI_SHAPE(b));
}

/* by the pattern of A^T and its values in that order where turned */
agn_status agni_csr_product(const char *op, agn_tensor **out, const agni_csr *a,
                            const agni_csr *b, bool turned)
{
    const agni_turned *t = turned ? agni_pattern_turned(a->pattern) : NULL;
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

static agn_status product(const char *op, agn_tensor **out, const agn_tensor *a,
                          const agn_tensor *x, int64_t turned)
{
    const agni_csr *c = NULL;
    agni_meta batch;
    if (a->layout != AGN_DENSE && a->ndim >= 2 &&
        (x->ndim == 0 || x->shape[x->ndim == 1 ? 0 : x->ndim - 2] != a->shape[a->ndim - 1 - turned]))
        return agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, x is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(x));
    bool other = a->layout != AGN_CSR || !agni_is_field(a->dtype) ||
                 (x->layout != AGN_DENSE && (x->layout != AGN_CSR || !agni_is_field(x->dtype)));
    if (a->layout != AGN_DENSE && other) { /* the general way (sparse/ops/matmul.c) */
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, out, ag_matmul(s, turned ? ag_transpose(s, a) : a, x));
        return agni_rename_error(op, agn_scope_close(s));
    }
    agn_status st = agni_csr_parts(op, a, &c);
    if (!st && x->ndim > 1)
        st = agni_batch_of(op, &batch, a, x);
    if (st)
        return st;
    if (x->layout == AGN_CSR)
        return agni_csr_product(op, out, c, agni_csr_of(x), turned);
    agn_scope *s = agn_scope_open(NULL);
    agni_attr at = {.ni = 1, .i = &turned, .obj = &c->pattern->head};
    const agn_tensor *in[2] = {c->values, agni_as_columns(s, x)};
    const agn_tensor *y = in[1] ? agni_apply_in(s, &agni_op_sparse_spmm, &at, 2, in) : NULL;
    agn_scope_return(s, out, agni_as_given(s, y, x->ndim == 1));
    return agn_scope_close(s);
}

agn_status agn_sparse_matmul(agn_tensor **out, const agn_tensor *a, const agn_tensor *x)
{
    AGNI_NEED("sparse_matmul", out);
    AGNI_NEED("sparse_matmul", a);
    AGNI_NEED("sparse_matmul", x);
    return product("sparse_matmul", out, a, x, 0);
}

agn_status agn_sparse_matmul_t(agn_tensor **out, const agn_tensor *a,
                               const agn_tensor *x)
{
    AGNI_NEED("sparse_matmul_t", out);
    AGNI_NEED("sparse_matmul_t", a);
    AGNI_NEED("sparse_matmul_t", x);
    return product("sparse_matmul_t", out, a, x, 1);
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
