/* sparse/matmul.c - matrix products with sparse operands. What is no matrix on one pattern is one
   in blocks: matrix b of a batch stands at rows b m and columns b k of a large one, so matrices of
   different patterns need no padding. Products of sparse by sparse, and of dtypes that kernels do
   not have, are values picked, multiplied and summed. */
#include "sparse/layout.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

static const agn_tensor *transposed(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_ap(s, &agni_op_permute,
                       &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}}, 1, &x)
             : NULL;
}
/* ---- blocks ------------------------------------------------------------------------------ */

/* a COO tensor [blocks..., m, k] as a matrix [blocks m, blocks k]; the number of blocks */
static const agn_tensor *in_blocks(agn_scope *s, const char *op, const agn_tensor *a,
                                   int64_t *blocks)
{
    const agni_places *p = agni_coo_of(a)->places;
    int64_t n = p->nnz, m = p->shape[p->ndim - 2], k = p->shape[p->ndim - 1], size[2];
    *blocks = 1;
    bool fits = true;
    for (int d = 0; d < p->ndim - 2; d++)
        fits = fits && agni_mul(*blocks, p->shape[d], blocks);
    if (!fits || !agni_mul(*blocks, m, &size[0]) || !agni_mul(*blocks, k, &size[1]))
        return agni_refused(s, agni_fail(AGN_ESHAPE, "%s: %s has too many rows", op, AGNI_SHAPE(a)));
    int64_t *at = agni_integers(2 * n);
    for (int64_t e = 0; at && e < n; e++) {
        int64_t b = 0;
        for (int d = 0; d < p->ndim - 2; d++)
            b = b * p->shape[d] + p->at[d * n + e];
        at[e] = b * m + p->at[(p->ndim - 2) * n + e];
        at[n + e] = b * k + p->at[(p->ndim - 1) * n + e];
    }
    if (!at)
        return agni_refused(s, agni_nomem(op, 2 * (size_t)n * sizeof *at));
    return agni_settled(s, op, 2, size, n, at, NULL, agni_values_of(a), 0);
}

/* ---- sparse by dense --------------------------------------------------------------------- */

/* a [.., m, k] a matrix on one pattern, x [.., k, n] */
static const agn_tensor *by_columns(agn_scope *s, const char *op, const agn_tensor *a,
                                    const agn_tensor *x)
{
    int dtype = agni_promote(a->dtype, x->dtype);
    if (agni_is_field(dtype)) {
        if (a->layout == AGN_COO && !(a = agni_as_compressed(s, op, a, AGN_CSR)))
            return NULL;
        const agni_csr *c = agni_parts_of(a);
        int64_t turned = a->layout == AGN_CSC;
        return agni_ap(s, &agni_op_sparse_spmm,
                       &(agni_attr){.ni = 1, .i = &turned, .obj = &c->pattern->head}, 2,
                       (const agn_tensor *[]){c->values, x});
    }
    a = agni_as_coo(s, op, a);
    if (!a)
        return NULL;
    const agni_places *p = agni_coo_of(a)->places;
    int64_t n = p->nnz, *row = agni_integers(n), *col = agni_integers(n);
    for (int64_t e = 0; row && col && e < n; e++) {
        row[e] = p->at[e];
        col[e] = p->at[n + e];
    }
    x = agni_picked(s, x, x->ndim - 2, agni_index(s, op, n, col));
    x = ag_mul(s, ag_expand_dims(s, agni_values_of(a), -1), x);
    const agn_tensor *to = agni_index(s, op, n, row);
    return x ? agni_grouped(s, x, x->ndim - 2, to, p->shape[0]) : NULL;
}

static const agn_tensor *by_dense(agn_scope *s, const char *op, const agn_tensor *a,
                                  const agn_tensor *x)
{
    if (x->ndim < 2 || a->ndim < 2 || x->shape[x->ndim - 2] != a->shape[a->ndim - 1])
        return agni_refused(s, agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, x is %s", op,
                                   AGNI_SHAPE(a), AGNI_SHAPE(x)));
    if (agni_sparse_dense(a))
        a = agni_as_pure(s, op, a);
    if (!a || agni_sparse_rank(a) == 2)
        return a ? by_columns(s, op, a, x) : NULL;
    if (agni_sparse_rank(a) < 2 || agni_sparse_axis(a))
        a = agni_as_pure(s, op, a);
    else
        a = agni_as_coo(s, op, a);
    if (!a)
        return NULL;
    /* the batch of x is that of a's coordinates, and may have more axes in front */
    int64_t shape[AGNI_MAX_RANK], blocks, k = x->shape[x->ndim - 2], n = x->shape[x->ndim - 1];
    agni_meta m = {.ndim = a->ndim - 2};
    memcpy(m.shape, a->shape, (size_t)m.ndim * sizeof *m.shape);
    bool fits = agni_broadcast_into(&m, x->ndim - 2, x->shape);
    int front = m.ndim - (a->ndim - 2);
    for (int d = 0; fits && d < a->ndim - 2; d++)
        fits = m.shape[front + d] == a->shape[d];
    if (!fits)
        return agni_refused(s, agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s", op,
                                   AGNI_SHAPE(a), AGNI_SHAPE(x)));
    memcpy(shape, m.shape, (size_t)m.ndim * sizeof *shape);
    shape[m.ndim] = k;
    shape[m.ndim + 1] = n;
    const agn_tensor *rows = agni_broadcast(s, x, m.ndim + 2, shape);
    int64_t many = a->shape[a->ndim - 2];
    a = in_blocks(s, op, a, &blocks);
    shape[front] = blocks * k;
    shape[front + 1] = n;
    rows = rows && a ? agni_reshape(s, rows, front + 2, shape) : NULL;
    const agn_tensor *y = rows ? by_columns(s, op, a, rows) : NULL;
    memcpy(shape, m.shape, (size_t)m.ndim * sizeof *shape);
    shape[m.ndim] = many;
    shape[m.ndim + 1] = n;
    return y ? agni_reshape(s, y, m.ndim + 2, shape) : NULL;
}

/* ---- sparse by sparse ---------------------------------------------------------------------- */

/* each entry (i, k) of a meets the row k of b; b is sorted by rows */
static const agn_tensor *matrices(agn_scope *s, const char *op, const agn_tensor *a,
                                  const agn_tensor *b)
{
    const agni_places *p = agni_coo_of(a)->places, *q = agni_coo_of(b)->places;
    int64_t n = 0, rows = q->shape[0], *begin = rows < INT64_MAX ? agni_integers(rows + 1) : NULL;
    if (!begin)
        return agni_refused(s, agni_nomem(op, (size_t)rows * sizeof *begin));
    memset(begin, 0, (size_t)(rows + 1) * sizeof *begin);
    for (int64_t e = 0; e < q->nnz; e++)
        begin[q->at[e] + 1]++;
    for (int64_t k = 0; k < rows; k++)
        begin[k + 1] += begin[k];
    for (int64_t e = 0; e < p->nnz; e++) {
        int64_t k = p->at[p->nnz + e];
        n += begin[k + 1] - begin[k];
    }
    int64_t *at = agni_integers(2 * n), *left = agni_integers(n), *right = agni_integers(n);
    for (int64_t e = 0, m = 0; at && left && right && e < p->nnz; e++) {
        int64_t k = p->at[p->nnz + e];
        for (int64_t f = begin[k]; f < begin[k + 1]; f++, m++) {
            at[m] = p->at[e];
            at[n + m] = q->at[q->nnz + f];
            left[m] = e;
            right[m] = f;
        }
    }
    agni_free(begin);
    if (!at || !left || !right) {
        agni_free(at);
        agni_free(left);
        agni_free(right);
        return agni_refused(s, agni_nomem(op, 4 * (size_t)n * sizeof *at));
    }
    const agn_tensor *u = agni_picked(s, agni_values_of(a), agni_sparse_axis(a),
                                      agni_index(s, op, n, left));
    const agn_tensor *v = agni_picked(s, agni_values_of(b), agni_sparse_axis(b),
                                      agni_index(s, op, n, right));
    v = ag_mul(s, u, v);
    if (!v) {
        agni_free(at);
        return NULL;
    }
    return agni_settled(s, op, 2, (int64_t[]){p->shape[0], q->shape[1]}, n, at, NULL, v, 0);
}

static const agn_tensor *by_sparse(agn_scope *s, const char *op, const agn_tensor *a,
                                   const agn_tensor *b)
{
    int layout = a->layout;
    if (a->ndim < 2 || b->ndim < 2 || a->shape[a->ndim - 1] != b->shape[b->ndim - 2])
        return agni_refused(s, agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, b is %s", op,
                                   AGNI_SHAPE(a), AGNI_SHAPE(b)));
    bool plain = agni_sparse_rank(a) == 2 && agni_sparse_rank(b) == 2 && !agni_sparse_dense(a) &&
                 !agni_sparse_dense(b);
    if (plain && agni_is_field(agni_promote(a->dtype, b->dtype))) {
        agn_tensor *y = NULL;
        if (a->layout == AGN_COO)
            a = agni_as_compressed(s, op, a, AGN_CSR);
        b = a ? agni_as_compressed(s, op, b, AGN_CSR) : NULL;
        if (!b)
            return NULL;
        agn_status st = agni_csr_product(op, &y, agni_parts_of(a), agni_parts_of(b),
                                         a->layout == AGN_CSC);
        const agn_tensor *rows = agn_scope_adopt(s, st, y);
        return rows && layout == AGN_COO ? agni_as_coo(s, op, rows)
                                         : agni_as_compressed(s, op, rows, layout);
    }
    a = plain ? agni_as_coo(s, op, a) : agni_as_pure(s, op, a);
    b = plain ? agni_as_coo(s, op, b) : agni_as_pure(s, op, b);
    if (!a || !b)
        return NULL;
    if (plain)
        return agni_like(s, op, matrices(s, op, a, b), layout);
    bool same = a->ndim == b->ndim;
    for (int d = 0; same && d < a->ndim - 2; d++)
        same = a->shape[d] == b->shape[d];
    if (!same)
        return agni_refused(s, agni_fail(AGN_ESHAPE, "%s: batches of sparse matrices differ: %s and %s",
                                   op, AGNI_SHAPE(a), AGNI_SHAPE(b)));
    /* back out of blocks: coordinates of the batch from the row */
    int64_t blocks, shape[AGNI_MAX_RANK];
    int ndim = a->ndim;
    memcpy(shape, a->shape, (size_t)(ndim - 1) * sizeof *shape);
    shape[ndim - 1] = b->shape[ndim - 1];
    a = in_blocks(s, op, a, &blocks);
    b = a ? in_blocks(s, op, b, &blocks) : NULL;
    const agn_tensor *y = b ? matrices(s, op, a, b) : NULL;
    if (!y)
        return NULL;
    const agni_places *p = agni_coo_of(y)->places;
    int64_t n = p->nnz, *at = agni_integers(ndim * n);
    for (int64_t e = 0; at && e < n; e++) {
        int64_t rest = p->at[e];
        at[(ndim - 1) * n + e] = p->at[n + e] % shape[ndim - 1];
        for (int d = ndim - 2; d >= 0; d--) {
            at[d * n + e] = rest % shape[d];
            rest /= shape[d];
        }
    }
    if (!at)
        return agni_refused(s, agni_nomem(op, (size_t)(ndim * n) * sizeof *at));
    return agni_settled(s, op, ndim, shape, n, at, NULL, agni_values_of(y), 0);
}

const agn_tensor *agni_sparse_product(agn_scope *s, const agni_call *c)
{
    const char *op = c->op->name;
    const agn_tensor *a = c->in[0], *b = c->in[1];
    if (a->layout != AGN_DENSE && b->layout != AGN_DENSE)
        return by_sparse(s, op, a, b);
    if (a->layout != AGN_DENSE)
        return by_dense(s, op, a, b);
    if (a->ndim < 2 || b->ndim < 2 || a->shape[a->ndim - 1] != b->shape[b->ndim - 2])
        return agni_refused(s, agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, b is %s", op,
                                   AGNI_SHAPE(a), AGNI_SHAPE(b)));
    b = transposed(s, b);
    a = transposed(s, a);
    return a && b ? transposed(s, by_dense(s, op, b, a)) : NULL;
}

/* ---- by a mask ------------------------------------------------------------------------------ */

agn_status agn_sparse_mask_as(agn_tensor **out, const agn_tensor *x, const agn_tensor *mask)
{
    static const char op[] = "sparse_mask_as";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, mask);
    agn_status st = agni_dense(x, op);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *m = agni_as_coo(s, op, mask), *v = NULL;
    int rank = m ? agni_sparse_rank(m) : 0, dense = m ? agni_sparse_dense(m) : 0;
    int first = x->ndim - rank - dense, at = m ? agni_sparse_axis(m) : 0;
    bool fits = first >= 0;
    for (int d = 0; fits && m && d < rank; d++)
        fits = x->shape[first + d] == m->shape[at + d];
    if (!fits)
        agni_refused(s, agni_fail(AGN_ESHAPE, "%s: x is %s, the mask %s", op, AGNI_SHAPE(x),
                            AGNI_SHAPE(mask)));
    if (m && fits) {
        const agni_places *p = agni_coo_of(m)->places;
        int64_t shape[AGNI_MAX_RANK + 1], places = 1, *flat = agni_integers(p->nnz);
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
        v = agni_picked(s, v, first, agni_index(s, op, p->nnz, flat));
        v = v ? agni_like(s, op, agni_coo_made(s, op, p, v, dense), mask->layout) : NULL;
    }
    return agni_finish(op, s, out, v);
}

agn_status agn_sparse_masked_matmul(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                                    const agn_tensor *mask)
{
    static const char op[] = "sparse_masked_matmul";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, y);
    AGNI_NEED(op, mask);
    agn_status st = agni_dense(x, op);
    if (!st)
        st = agni_dense(y, op);
    if (st)
        return st;
    if (x->ndim < 2 || y->ndim < 2 || mask->ndim < 2 ||
        x->shape[x->ndim - 1] != y->shape[y->ndim - 2] ||
        x->shape[x->ndim - 2] != mask->shape[mask->ndim - 2] ||
        y->shape[y->ndim - 1] != mask->shape[mask->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: %s and %s do not give the %s of the mask", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(y), AGNI_SHAPE(mask));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = NULL, *m = agni_as_compressed(s, op, mask, mask->layout == AGN_CSC
                                                                         ? AGN_CSC
                                                                         : AGN_CSR);
    if (m) {
        const agn_tensor *t = transposed(s, y);
        bool turned = m->layout == AGN_CSC;
        const agni_csr *c = agni_parts_of(m);
        const agn_tensor *v = t ? agni_ap(s, &agni_op_sparse_sddmm,
                                          &(agni_attr){.obj = &c->pattern->head}, 2,
                                          (const agn_tensor *[]){turned ? t : x, turned ? x : t})
                                : NULL;
        z = v ? agni_revalued(s, op, m, v) : NULL;
        if (z && mask->layout == AGN_COO)
            z = agni_as_coo(s, op, z);
    }
    return agni_finish(op, s, out, z);
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
    return agni_finish(op, s, out, beta == 0 ? y : ag_add(s, z, y));
}
