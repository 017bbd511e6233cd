/* sparse/layout/structured.c - matrices by their structure: diagonals, triangles, blocks, Kronecker
   products. Coordinates are computed here, values are moved by ops. */
#include "sparse/layout/layout.h"

#include <agnesi/ag.h>
#include <agnesi/sparse_layout.h>
#include <math.h>
#include <string.h>

static agn_status check_size(const char *op, int64_t rows, int64_t cols)
{
    if (rows >= 0 && cols >= 0 && rows < INT64_MAX / 16 && cols < INT64_MAX / 16)
        return AGN_OK;
    return agni_fail(AGN_ESHAPE, "%s: [%lld,%lld] is no shape", op, (long long)rows,
                     (long long)cols);
}

/* ---- triangles and one diagonal ------------------------------------------------------------ */

/* the last two axes as coordinates, whatever they were */
static const agn_tensor *plane_as_coordinates(agn_scope *s, const char *op, const agn_tensor *a,
                                              int p, int q)
{
    a = agni_as_coo(s, op, a);
    int first = a ? agni_entry_axis(a) : 0, last = a ? first + agni_coordinate_axes(a) : 0;
    bool within = p >= first && p < last && q >= first && q < last;
    return !a || within ? a : agni_as_pure_coo(s, op, a);
}

agn_status agni_sparse_triangle(const char *op, agn_tensor **out, const agn_tensor *x, int64_t k,
                                bool lower)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = plane_as_coordinates(s, op, x, x->ndim - 2, x->ndim - 1), *y = NULL;
    if (a) {
        const agni_coordinates *p = agni_coo_of(a)->places;
        int row = a->ndim - 2 - agni_entry_axis(a);
        int64_t n = p->nnz, m = 0, *from = agni_alloc_indices(n), *at = NULL;
        const int64_t *i = p->at + row * n, *j = i + n;
        for (int64_t e = 0; from && e < n; e++)
            if (lower ? j[e] - i[e] <= k : j[e] - i[e] >= k)
                from[m++] = e;
        at = from ? agni_alloc_indices(p->ndim * m) : NULL;
        for (int d = 0; at && d < p->ndim; d++)
            for (int64_t e = 0; e < m; e++)
                at[d * m + e] = p->at[d * n + from[e]];
        if (!at) {
            agni_free(from);
            agni_fail_nomem(s, op, n);
        } else {
            y = agni_coalesced_coo(s, op, p->ndim, p->shape, m, at, from, agni_values_of(a),
                                   agni_dense_axes(a));
            y = agni_restore_layout(s, op, y, x->layout);
        }
    }
    return agni_return(op, s, out, y);
}

/* entries (i, i + k) of the plane of axes p and q, which gives a last axis */
agn_status agni_sparse_diagonal(agn_tensor **out, const agn_tensor *x, int64_t k, int row, int col)
{
    static const char op[] = "diagonal";
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *a = plane_as_coordinates(s, op, x, row, col), *y = NULL;
    if (a && agni_dense_axes(a)) /* the new axis is the last of all */
        a = agni_as_pure_coo(s, op, a);
    if (a) {
        const agni_coordinates *p = agni_coo_of(a)->places;
        int first = agni_entry_axis(a), r = row - first, c = col - first, rank = 0;
        int64_t n = p->nnz, m = 0, *from = agni_alloc_indices(n), *at = NULL, shape[AGNI_MAX_RANK];
        int64_t down = k < 0 ? (k == INT64_MIN ? INT64_MAX : -k) : 0, right = k > 0 ? k : 0;
        int64_t high = p->shape[r] - down, wide = p->shape[c] - right;
        for (int64_t e = 0; from && e < n; e++)
            if (p->at[r * n + e] - down == p->at[c * n + e] - right)
                from[m++] = e;
        at = from ? agni_alloc_indices((p->ndim - 1) * m) : NULL;
        for (int d = 0; at && d <= p->ndim; d++) {
            bool last = d == p->ndim;
            if (d == r || d == c)
                continue;
            for (int64_t e = 0; e < m; e++)
                at[rank * m + e] = p->at[(last ? r : d) * n + from[e]] - (last ? down : 0);
            int64_t length = high < wide ? high : wide;
            shape[rank++] = last ? length > 0 ? length : 0 : p->shape[d];
        }
        if (!at) {
            agni_free(from);
            agni_fail_nomem(s, op, n);
        } else {
            y = agni_coalesced_coo(s, op, rank, shape, m, at, from, agni_values_of(a), 0);
        }
    }
    return agni_return(op, s, out, y);
}

/* ---- identity and diagonals --------------------------------------------------------------- */

/* elements that diagonal k of a matrix has */
static int64_t diagonal_length(int64_t rows, int64_t cols, int64_t k)
{
    if (k <= -rows || k >= cols)
        return 0;
    int64_t down = k < 0 ? rows + k : rows, right = k > 0 ? cols - k : cols;
    return down < right ? down : right;
}

agn_status agn_sparse_eye(agn_tensor **out, agn_dtype dtype, int64_t rows, int64_t cols, int64_t k)
{
    static const char op[] = "sparse_eye";
    AGNI_NEED(op, out);
    agn_status st = agni_dtype_check(op, dtype);
    if (!st)
        st = check_size(op, rows, cols);
    if (st)
        return st;
    int64_t n = diagonal_length(rows, cols, k), *at = agni_alloc_indices(2 * n);
    for (int64_t e = 0; at && e < n; e++) {
        at[e] = k < 0 ? e - k : e;
        at[n + e] = k < 0 ? e : e + k;
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = at ? agni_full(s, 1, dtype, 1, &n) : agni_fail_nomem(s, op, 2 * n);
    if (y)
        y = agni_coalesced_coo(s, op, 2, (int64_t[]){rows, cols}, n, at, NULL, ag_contiguous(s, y),
                               0);
    else
        agni_free(at);
    return agni_return(op, s, out, agni_restore_layout(s, op, y, AGN_CSR));
}

agn_status agn_sparse_diags(agn_tensor **out, const agn_tensor *const *diagonals,
                            const int64_t *offsets, int32_t n, int64_t rows, int64_t cols)
{
    static const char op[] = "sparse_diags";
    AGNI_NEED(op, out);
    AGNI_NEED_ALL(op, diagonals && offsets, diagonals ? "offsets" : "diagonals");
    if (n < 1)
        return agni_fail(AGN_EARG, "%s: needs at least one diagonal, got %d", op, n);
    agn_status st = check_size(op, rows, cols);
    int64_t total = 0;
    for (int i = 0; !st && i < n; i++) {
        const agn_tensor *x = diagonals[i];
        if (!x)
            return agni_fail(AGN_ENULL, "%s: diagonal %d of %d is NULL", op, i, n);
        st = agni_require_dense(x, op);
        int64_t m = diagonal_length(rows, cols, offsets[i]);
        if (!st && (x->ndim > 1 || (x->ndim == 1 && x->size != m && x->size != 1)))
            st = agni_fail(AGN_ESHAPE, "%s: diagonal %lld of [%lld,%lld] has %lld elements, not %s",
                           op, (long long)offsets[i], (long long)rows, (long long)cols,
                           (long long)m, AGNI_SHAPE(x));
        total += m;
        for (int j = 0; !st && j < i; j++)
            if (offsets[j] == offsets[i])
                st = agni_fail(AGN_EARG, "%s: diagonal %lld is given twice: %d and %d", op,
                               (long long)offsets[i], j, i);
    }
    if (st)
        return st;
    const agn_tensor **v = agni_alloc((size_t)n * sizeof *v), *y = NULL;
    int64_t *at = agni_alloc_indices(2 * total), e = 0;
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; v && at && i < n; i++) {
        int64_t m = diagonal_length(rows, cols, offsets[i]), k = offsets[i];
        v[i] = agni_broadcast(s, diagonals[i], 1, &m);
        for (int64_t q = 0; q < m; q++, e++) {
            at[e] = k < 0 ? q - k : q;
            at[total + e] = k < 0 ? q : q + k;
        }
    }
    y = v && at ? ag_concat(s, v, n, 0) : agni_fail_nomem(s, op, total);
    agni_free(v);
    if (y)
        y = agni_coalesced_coo(s, op, 2, (int64_t[]){rows, cols}, total, at, NULL, y, 0);
    else
        agni_free(at);
    return agni_return(op, s, out, agni_restore_layout(s, op, y, AGN_CSR));
}

/* ---- Kronecker products --------------------------------------------------------------------- */

/* a [.., d] and b [.., d]: entry (i, j) at i size(b) + j in each axis (Van Loan 2000) */
agn_status agn_sparse_kron(agn_tensor **out, const agn_tensor *a, const agn_tensor *b)
{
    static const char op[] = "sparse_kron";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    int layout = a->layout;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_as_pure_coo(s, op, a), *z = agni_as_pure_coo(s, op, b), *y = NULL;
    if (x && z && x->ndim != z->ndim)
        agni_fail_null(s, agni_fail(AGN_ESHAPE, "%s: ranks differ: a is %s, b is %s", op,
                                    AGNI_SHAPE(a), AGNI_SHAPE(b)));
    if (!agn_scope_status(s)) {
        const agni_coordinates *p = agni_coo_of(x)->places, *q = agni_coo_of(z)->places;
        int64_t n, shape[AGNI_MAX_RANK];
        bool fits = agni_checked_mul(p->nnz, q->nnz, &n);
        for (int d = 0; d < p->ndim; d++)
            fits = fits && agni_checked_mul(p->shape[d], q->shape[d], &shape[d]) &&
                   shape[d] < INT64_MAX / 16;
        int64_t *left = fits ? agni_alloc_indices(n) : NULL,
                *right = fits ? agni_alloc_indices(n) : NULL;
        int64_t *at = fits ? agni_alloc_indices(p->ndim * n) : NULL;
        for (int64_t e = 0, m = 0; at && left && right && e < p->nnz; e++)
            for (int64_t f = 0; f < q->nnz; f++, m++) {
                left[m] = e;
                right[m] = f;
                for (int d = 0; d < p->ndim; d++)
                    at[d * n + m] = p->at[d * p->nnz + e] * q->shape[d] + q->at[d * q->nnz + f];
            }
        if (!at || !left || !right) {
            agni_free(at);
            agni_free(left);
            agni_free(right);
            if (fits)
                agni_fail_nomem(s, op, n);
            else
                agni_fail_null(s, agni_fail(AGN_ESHAPE, "%s: the product of %s and %s is too large",
                                            op, AGNI_SHAPE(a), AGNI_SHAPE(b)));
        } else {
            const agn_tensor *u = agni_gather_values(s, agni_values_of(x), 0,
                                                     agni_index_tensor(s, op, n, left));
            const agn_tensor *v = agni_gather_values(s, agni_values_of(z), 0,
                                                     agni_index_tensor(s, op, n, right));
            v = ag_mul(s, u, v);
            if (v)
                y = agni_coalesced_coo(s, op, p->ndim, shape, n, at, NULL, v, 0);
            else
                agni_free(at);
        }
    }
    return agni_return(op, s, out, agni_restore_layout(s, op, y, layout));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* sizes of block rows and columns from the blocks that are there */
static agn_status measure_blocks(const char *op, const agn_tensor *const *blocks, int32_t rows,
                                 int32_t cols, int64_t *high, int64_t *wide)
{
    for (int32_t k = 0; k < rows + cols; k++)
        high[k] = -1;
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < cols; j++) {
            const agn_tensor *b = blocks[i * cols + j];
            if (!b)
                continue;
            if (b->layout == AGN_DENSE || b->ndim != 2)
                return agni_fail(AGN_ESHAPE,
                                 "%s: block [%d,%d] is %s %s, a sparse matrix is needed", op, i, j,
                                 agni_layout_names[b->layout], AGNI_SHAPE(b));
            if ((high[i] >= 0 && high[i] != b->shape[0]) ||
                (wide[j] >= 0 && wide[j] != b->shape[1]))
                return agni_fail(AGN_ESHAPE, "%s: block [%d,%d] is %s, beside it are %lld rows and "
                                 "%lld columns", op, i, j, AGNI_SHAPE(b), (long long)high[i],
                                 (long long)wide[j]);
            high[i] = b->shape[0];
            wide[j] = b->shape[1];
        }
    for (int32_t i = 0; i < rows + cols; i++)
        if (high[i] < 0)
            return agni_fail(AGN_ESHAPE, "%s: block %s %d has no block: its size is not known", op,
                             i < rows ? "row" : "column", i < rows ? i : i - rows);
    return AGN_OK;
}

/* a block and the position of its first element */
typedef struct placed_block {
    const agn_tensor *b;
    int64_t row, col;
} placed_block;

/* the entries of n blocks, each shifted to its position */
static const agn_tensor *assemble_blocks(agn_scope *s, const char *op, placed_block *q, int32_t n,
                                         const int64_t *shape)
{
    int64_t total = 0, done = 0;
    for (int32_t k = 0; k < n; k++) {
        q[k].b = agni_as_pure_coo(s, op, q[k].b);
        if (!q[k].b)
            return NULL;
        total += agni_entry_count(q[k].b);
    }
    const agn_tensor **v = agni_alloc((size_t)(n ? n : 1) * sizeof *v), *y = NULL;
    int64_t *at = agni_alloc_indices(2 * total);
    for (int32_t k = 0; at && v && k < n; k++) {
        const agni_coordinates *p = agni_coo_of(q[k].b)->places;
        for (int64_t e = 0; e < p->nnz; e++, done++) {
            at[done] = p->at[e] + q[k].row;
            at[total + done] = p->at[p->nnz + e] + q[k].col;
        }
        v[k] = agni_values_of(q[k].b);
    }
    y = at && v ? ag_concat(s, v, n, 0) : agni_fail_nomem(s, op, 2 * total);
    agni_free(v);
    if (y)
        return agni_coalesced_coo(s, op, 2, shape, total, at, NULL, y, 0);
    agni_free(at);
    return NULL;
}

static agn_status sum_sizes(const char *op, int64_t *total, int32_t n, const int64_t *sizes)
{
    *total = 0;
    for (int32_t k = 0; k < n; k++)
        if (!agni_checked_add(*total, sizes[k], total) || *total >= INT64_MAX / 16)
            return agni_fail(AGN_ESHAPE, "%s: %d blocks of up to %lld are too many", op, n,
                             (long long)sizes[k]);
    return AGN_OK;
}

agn_status agn_sparse_block(agn_tensor **out, const agn_tensor *const *blocks, int32_t rows,
                            int32_t cols)
{
    static const char op[] = "sparse_block";
    AGNI_NEED(op, out);
    AGNI_NEED(op, blocks);
    if (rows < 1 || cols < 1 || (int64_t)rows * cols > INT32_MAX)
        return agni_fail(AGN_EARG, "%s: %d rows and %d columns of blocks", op, rows, cols);
    size_t cells = (size_t)rows * (size_t)cols;
    int64_t *high = agni_alloc_indices((int64_t)rows + cols), *wide = high ? high + rows : NULL;
    placed_block *q = agni_alloc(cells * sizeof *q);
    int64_t shape[2];
    int layout = -1;
    int32_t n = 0;
    agn_status st = high && q ? measure_blocks(op, blocks, rows, cols, high, wide)
                              : agni_nomem(op, cells * sizeof *q);
    st = st ? st : sum_sizes(op, &shape[0], rows, high);
    st = st ? st : sum_sizes(op, &shape[1], cols, wide);
    for (int64_t i = 0, r = 0; !st && i < rows; r += high[i++])
        for (int64_t j = 0, c = 0; j < cols; c += wide[j++])
            if (blocks[i * cols + j]) {
                q[n++] = (placed_block){blocks[i * cols + j], r, c};
                layout = layout < 0 ? q[0].b->layout : layout;
            }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agn_scope_fail(s, st) ? NULL : assemble_blocks(s, op, q, n, shape);
    agni_free(high);
    agni_free(q);
    return agni_return(op, s, out, agni_restore_layout(s, op, y, layout));
}

agn_status agn_sparse_block_diag(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    static const char op[] = "sparse_block_diag";
    AGNI_NEED(op, out);
    AGNI_NEED(op, xs);
    if (n < 1)
        return agni_fail(AGN_EARG, "%s: needs at least one block, got %d", op, n);
    placed_block *q = agni_alloc((size_t)n * sizeof *q);
    if (!q)
        return agni_nomem(op, (size_t)n * sizeof *q);
    int64_t shape[2] = {0, 0};
    agn_status st = AGN_OK;
    for (int32_t i = 0; !st && i < n; i++) {
        if (!xs[i])
            st = agni_fail(AGN_ENULL, "%s: block %d of %d is NULL", op, i, n);
        else if (xs[i]->layout == AGN_DENSE || xs[i]->ndim != 2)
            st = agni_fail(AGN_ESHAPE, "%s: block %d is %s %s, a sparse matrix is needed", op, i,
                           agni_layout_names[xs[i]->layout], AGNI_SHAPE(xs[i]));
        if (st)
            break;
        q[i] = (placed_block){xs[i], shape[0], shape[1]};
        for (int d = 0; d < 2 && !st; d++)
            st = sum_sizes(op, &shape[d], 2, (const int64_t[]){shape[d], xs[i]->shape[d]});
    }
    int layout = st ? AGN_COO : xs[0]->layout;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agn_scope_fail(s, st) ? NULL : assemble_blocks(s, op, q, n, shape);
    agni_free(q);
    return agni_return(op, s, out, agni_restore_layout(s, op, y, layout));
}
