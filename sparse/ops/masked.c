/* sparse/ops/masked.c - elements of a tensor at the entries of a mask, and a product added to a
   tensor. */
#include "sparse/ops/ops.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

agn_status agn_sparse_mask_as(agn_tensor **out, const agn_tensor *x, const agn_tensor *mask)
{
    static const char op[] = "sparse_mask_as";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, mask);
    agn_scope *s = agn_scope_open(NULL);
    if (x->layout != AGN_DENSE && mask->layout != AGN_DENSE && agni_same_shape(x, mask))
        return agni_return(
            op, s, out,
            agni_restore_layout(s, op, agni_sparse_masked(s, op, x, mask), mask->layout));
    agn_scope_fail(s, agni_require_dense(x, op));
    const agn_tensor *m = agni_as_coo(s, op, mask), *v = NULL;
    int rank = m ? agni_coordinate_axes(m) : 0, dense = m ? agni_dense_axes(m) : 0;
    int first = x->ndim - rank - dense, at = m ? agni_entry_axis(m) : 0;
    bool fits = first >= 0;
    for (int d = 0; fits && m && d < rank; d++)
        fits = x->shape[first + d] == m->shape[at + d];
    if (!fits)
        agni_fail_null(s, agni_fail(AGN_ESHAPE, "%s: x is %s, the mask %s", op, AGNI_SHAPE(x),
                                    AGNI_SHAPE(mask)));
    if (m && fits) {
        const agni_coordinates *p = agni_coo_of(m)->places;
        int64_t shape[AGNI_MAX_RANK + 1], places = 1, *flat = agni_alloc_indices(p->nnz);
        memcpy(shape, x->shape, (size_t)first * sizeof *shape);
        for (int d = 0; d < rank; d++)
            places *= p->shape[d];
        shape[first] = places;
        memcpy(shape + first + 1, x->shape + first + rank, (size_t)dense * sizeof *shape);
        for (int64_t e = 0; flat && e < p->nnz; e++) {
            flat[e] = 0;
            for (int d = 0; d < rank; d++)
                flat[e] = flat[e] * p->shape[d] + p->at[d * p->nnz + e];
        }
        v = agni_reshape(s, x, first + 1 + dense, shape);
        v = agni_gather_values(s, v, first, agni_index_tensor(s, op, p->nnz, flat));
        v = v ? agni_restore_layout(s, op, agni_coo_new_in(s, op, p, v, dense), mask->layout)
              : NULL;
    }
    return agni_return(op, s, out, v);
}

agn_status agn_sparse_addmm(agn_tensor **out, const agn_tensor *x, const agn_tensor *a,
                            const agn_tensor *b, double beta, double alpha)
{
    static const char op[] = "sparse_addmm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_matmul(s, a, b), *z = x;
    if (alpha != 1)
        y = ag_mul_c(s, y, alpha);
    if (beta != 1)
        z = ag_mul_c(s, z, beta);
    return agni_return(op, s, out, beta == 0 ? y : ag_add(s, z, y));
}
