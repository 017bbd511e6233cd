/* sparse/ops/matmul.c - matrix products with sparse operands. A batch of different patterns is one
   block-diagonal matrix (matrix b at rows b m and columns b k), so nothing is padded. What has no
   kernel (sparse by sparse with several axes, dtypes without one, other semirings) is gathered,
   multiplied and summed. */
#include "sparse/ops/semiring.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

static bool has_kernel(const agni_semiring *r, int dtype)
{
    return r == &agni_semirings[AGN_SEMIRING_PLUS_TIMES] && agni_has_sparse_kernel(dtype);
}
static const agn_tensor *swap_axes(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_apply_in(s, &agni_op_permute,
                             &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}}, 1, &x)
             : NULL;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* a COO tensor [blocks..., m, k] as a matrix [blocks m, blocks k]; the number of blocks */
static const agn_tensor *to_block_diagonal(agn_scope *s, const char *op, const agn_tensor *a,
                                           int64_t *blocks)
{
    const agni_coordinates *p = agni_coo_of(a)->places;
    int64_t n = p->nnz, m = p->shape[p->ndim - 2], k = p->shape[p->ndim - 1], size[2];
    *blocks = 1;
    bool fits = true;
    for (int d = 0; d < p->ndim - 2; d++)
        fits = fits && agni_checked_mul(*blocks, p->shape[d], blocks);
    if (!fits || !agni_checked_mul(*blocks, m, &size[0]) || !agni_checked_mul(*blocks, k, &size[1]))
        return agni_fail_null(s,
                              agni_fail(AGN_ESHAPE, "%s: %s has too many rows", op, AGNI_SHAPE(a)));
    int64_t *at = agni_alloc_indices(2 * n);
    for (int64_t e = 0; at && e < n; e++) {
        int64_t b = 0;
        for (int d = 0; d < p->ndim - 2; d++)
            b = b * p->shape[d] + p->at[d * n + e];
        at[e] = b * m + p->at[(p->ndim - 2) * n + e];
        at[n + e] = b * k + p->at[(p->ndim - 1) * n + e];
    }
    if (!at)
        return agni_fail_null(s, agni_nomem(op, 2 * (size_t)n * sizeof *at));
    return agni_coalesced_coo(s, op, 2, size, n, at, NULL, agni_values_of(a), 0);
}

/* matrices broadcast over a batch */
static const agn_tensor *broadcast_batch(agn_scope *s, const agn_tensor *a, int ndim,
                                         const int64_t *batch)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!a || (ndim == a->ndim - 2 && !memcmp(a->shape, batch, (size_t)ndim * sizeof *batch)))
        return a;
    memcpy(shape, batch, (size_t)ndim * sizeof *shape);
    memcpy(shape + ndim, a->shape + a->ndim - 2, 2 * sizeof *shape);
    return agni_sparse_broadcast(s, &(agni_call){.op = &agni_op_broadcast_to,
                                                 .at = &(agni_attr){.ni = ndim + 2, .i = shape},
                                                 .nin = 1, .in = &a});
}

/* ---- sparse by dense --------------------------------------------------------------------- */

/* a [.., m, k] a matrix on one pattern, x [.., k, n] */
static const agn_tensor *multiply_columns(agn_scope *s, const char *op, const agni_semiring *r,
                                          const agn_tensor *a, const agn_tensor *x)
{
    int dtype = agni_promote(a->dtype, x->dtype);
    if (has_kernel(r, dtype)) {
        if (a->layout == AGN_COO && !(a = agni_as_compressed(s, op, a, AGN_CSR)))
            return NULL;
        const agni_csr *c = agni_sparse_parts(a);
        int64_t turned = a->layout == AGN_CSC;
        return agni_apply_in(s, &agni_op_sparse_spmm,
                             &(agni_attr){.ni = 1, .i = &turned, .obj = &c->pattern->head}, 2,
                             (const agn_tensor *[]){c->values, x});
    }
    a = agni_as_coo(s, op, a);
    if (!a)
        return NULL;
    const agni_coordinates *p = agni_coo_of(a)->places;
    int64_t n = p->nnz, *row = agni_alloc_indices(n), *col = agni_alloc_indices(n);
    if (row)
        memcpy(row, p->at, (size_t)n * sizeof *row);
    if (col)
        memcpy(col, p->at + n, (size_t)n * sizeof *col);
    x = agni_gather_values(s, x, x->ndim - 2, agni_index_tensor(s, op, n, col));
    x = agni_semiring_multiply(s, r, ag_expand_dims(s, agni_values_of(a), -1), x);
    const agn_tensor *to = agni_index_tensor(s, op, n, row);
    return x ? r->plus(s, x, x->ndim - 2, to, p->shape[0]) : NULL;
}

static const agn_tensor *multiply_dense(agn_scope *s, const char *op, const agni_semiring *r,
                                        const agn_tensor *a, const agn_tensor *x)
{
    if (x->ndim < 2 || a->ndim < 2 || x->shape[x->ndim - 2] != a->shape[a->ndim - 1])
        return agni_fail_null(s,
                              agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, x is %s",
                                        op, AGNI_SHAPE(a), AGNI_SHAPE(x)));
    if (agni_dense_axes(a))
        a = agni_as_pure_coo(s, op, a);
    if (!a || agni_coordinate_axes(a) == 2)
        return a ? multiply_columns(s, op, r, a, x) : NULL;
    if (agni_coordinate_axes(a) < 2 || agni_entry_axis(a))
        a = agni_as_pure_coo(s, op, a);
    else
        a = agni_as_coo(s, op, a);
    if (!a)
        return NULL;
    /* the batch of x is that of a's coordinates, and may have more axes in front */
    int64_t shape[AGNI_MAX_RANK], blocks, k = x->shape[x->ndim - 2], n = x->shape[x->ndim - 1];
    agni_meta m;
    agn_status st = agni_broadcast_batches(op, &m, a, x);
    if (st)
        return agni_fail_null(s, st);
    int front = m.ndim - (a->ndim - 2);
    a = broadcast_batch(s, a, m.ndim - front, m.shape + front);
    if (!a)
        return NULL;
    memcpy(shape, m.shape, (size_t)m.ndim * sizeof *shape);
    shape[m.ndim] = k;
    shape[m.ndim + 1] = n;
    const agn_tensor *rows = agni_broadcast(s, x, m.ndim + 2, shape);
    int64_t many = a->shape[a->ndim - 2];
    a = to_block_diagonal(s, op, a, &blocks);
    shape[front] = blocks * k;
    shape[front + 1] = n;
    rows = rows && a ? agni_reshape(s, rows, front + 2, shape) : NULL;
    const agn_tensor *y = rows ? multiply_columns(s, op, r, a, rows) : NULL;
    memcpy(shape, m.shape, (size_t)m.ndim * sizeof *shape);
    shape[m.ndim] = many;
    shape[m.ndim + 1] = n;
    return y ? agni_reshape(s, y, m.ndim + 2, shape) : NULL;
}

/* ---- sparse by sparse ---------------------------------------------------------------------- */

/* each entry (i, k) of a times row k of b, which is sorted by rows */
static const agn_tensor *multiply_matrices(agn_scope *s, const char *op, const agni_semiring *r,
                                           const agn_tensor *a, const agn_tensor *b)
{
    const agni_coordinates *p = agni_coo_of(a)->places, *q = agni_coo_of(b)->places;
    int64_t n = 0, rows = q->shape[0],
            *begin = rows < INT64_MAX ? agni_alloc_indices(rows + 1) : NULL;
    if (!begin)
        return agni_fail_null(s, agni_nomem(op, (size_t)rows * sizeof *begin));
    memset(begin, 0, (size_t)(rows + 1) * sizeof *begin);
    for (int64_t e = 0; e < q->nnz; e++)
        begin[q->at[e] + 1]++;
    for (int64_t k = 0; k < rows; k++)
        begin[k + 1] += begin[k];
    for (int64_t e = 0; e < p->nnz; e++) {
        int64_t k = p->at[p->nnz + e];
        n += begin[k + 1] - begin[k];
    }
    int64_t *at = agni_alloc_indices(2 * n), *left = agni_alloc_indices(n),
            *right = agni_alloc_indices(n);
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
        return agni_fail_null(s, agni_nomem(op, 4 * (size_t)n * sizeof *at));
    }
    const agn_tensor *u = agni_gather_values(s, agni_values_of(a), agni_entry_axis(a),
                                             agni_index_tensor(s, op, n, left));
    const agn_tensor *v = agni_gather_values(s, agni_values_of(b), agni_entry_axis(b),
                                             agni_index_tensor(s, op, n, right));
    v = agni_semiring_multiply(s, r, u, v);
    if (!v) {
        agni_free(at);
        return NULL;
    }
    return agni_coalesced_coo_by(s, op, r->plus, 2, (int64_t[]){p->shape[0], q->shape[1]}, n, at,
                                 NULL, v, 0);
}

static const agn_tensor *multiply_sparse(agn_scope *s, const char *op, const agni_semiring *r,
                                         const agn_tensor *a, const agn_tensor *b)
{
    int layout = a->layout;
    if (a->ndim < 2 || b->ndim < 2 || a->shape[a->ndim - 1] != b->shape[b->ndim - 2])
        return agni_fail_null(s,
                              agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, b is %s",
                                        op, AGNI_SHAPE(a), AGNI_SHAPE(b)));
    agni_meta m;
    agn_status st = agni_broadcast_batches(op, &m, a, b);
    if (st)
        return agni_fail_null(s, st);
    bool plain = agni_coordinate_axes(a) == 2 && agni_coordinate_axes(b) == 2 &&
                 !agni_dense_axes(a) && !agni_dense_axes(b);
    if (plain && has_kernel(r, agni_promote(a->dtype, b->dtype))) {
        agn_tensor *y = NULL;
        if (a->layout == AGN_COO)
            a = agni_as_compressed(s, op, a, AGN_CSR);
        b = a ? agni_as_compressed(s, op, b, AGN_CSR) : NULL;
        if (!b)
            return NULL;
        st = agni_csr_product(op, &y, agni_sparse_parts(a), agni_sparse_parts(b),
                              a->layout == AGN_CSC);
        const agn_tensor *rows = agn_scope_adopt(s, st, &y);
        return rows && layout == AGN_COO ? agni_as_coo(s, op, rows)
                                         : agni_as_compressed(s, op, rows, layout);
    }
    a = plain ? agni_as_coo(s, op, a) : agni_as_pure_coo(s, op, a);
    b = plain ? agni_as_coo(s, op, b) : agni_as_pure_coo(s, op, b);
    if (!a || !b)
        return NULL;
    if (plain)
        return agni_restore_layout(s, op, multiply_matrices(s, op, r, a, b), layout);
    a = agni_as_pure_coo(s, op, broadcast_batch(s, a, m.ndim, m.shape));
    b = agni_as_pure_coo(s, op, broadcast_batch(s, b, m.ndim, m.shape));
    if (!a || !b)
        return NULL;
    /* back out of blocks: coordinates of the batch from the row */
    int64_t blocks, shape[AGNI_MAX_RANK];
    int ndim = a->ndim;
    memcpy(shape, a->shape, (size_t)(ndim - 1) * sizeof *shape);
    shape[ndim - 1] = b->shape[ndim - 1];
    a = to_block_diagonal(s, op, a, &blocks);
    b = a ? to_block_diagonal(s, op, b, &blocks) : NULL;
    const agn_tensor *y = b ? multiply_matrices(s, op, r, a, b) : NULL;
    if (!y)
        return NULL;
    const agni_coordinates *p = agni_coo_of(y)->places;
    int64_t n = p->nnz, *at = agni_alloc_indices(ndim * n);
    for (int64_t e = 0; at && e < n; e++) {
        int64_t rest = p->at[e];
        at[(ndim - 1) * n + e] = p->at[n + e] % shape[ndim - 1];
        for (int d = ndim - 2; d >= 0; d--) {
            at[d * n + e] = rest % shape[d];
            rest /= shape[d];
        }
    }
    if (!at)
        return agni_fail_null(s, agni_nomem(op, (size_t)(ndim * n) * sizeof *at));
    return agni_coalesced_coo(s, op, ndim, shape, n, at, NULL, agni_values_of(y), 0);
}

const agn_tensor *agni_semiring_matmul(agn_scope *s, const char *op, const agni_semiring *r,
                                       const agn_tensor *a, const agn_tensor *b)
{
    if (a->layout != AGN_DENSE && b->layout != AGN_DENSE)
        return multiply_sparse(s, op, r, a, b);
    if (a->layout != AGN_DENSE)
        return multiply_dense(s, op, r, a, b);
    if (a->ndim < 2 || b->ndim < 2 || a->shape[a->ndim - 1] != b->shape[b->ndim - 2])
        return agni_fail_null(s,
                              agni_fail(AGN_ESHAPE, "%s: inner dimensions differ: a is %s, b is %s",
                                        op, AGNI_SHAPE(a), AGNI_SHAPE(b)));
    b = swap_axes(s, b);
    a = swap_axes(s, a);
    return a && b ? swap_axes(s, multiply_dense(s, op, r, b, a)) : NULL;
}

const agn_tensor *agni_sparse_product(agn_scope *s, const agni_call *c)
{
    return agni_semiring_matmul(s, c->op->name, &agni_semirings[AGN_SEMIRING_PLUS_TIMES], c->in[0],
                                c->in[1]);
}
