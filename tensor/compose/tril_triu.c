/* tensor/compose/tril_triu.c - diagonals and triangles of matrices. */
#include "tensor/dispatch/op_helpers.h"
#include "tensor/movement/affine_view.h"
#include <agnesi/ag.h>

#include <string.h>

/* ---- diagonals ------------------------------------------------------------------------------- */

/* zeros with x on diagonal k of two new last axes */
static const agn_tensor *embed_diagonal(agn_scope *s, const char *op, const agn_tensor *x,
                                        int64_t k)
{
    int64_t shape[AGNI_MAX_RANK + 1], n = x->shape[x->ndim - 1], m, cells;
    int64_t extra = k == INT64_MIN ? INT64_MAX : k < 0 ? -k : k;
    if (!agni_checked_add(n, extra, &m) || !agni_checked_mul(m, m, &cells)) {
        agn_scope_fail(s, agni_fail(AGN_ENOMEM, "%s: diagonal %lld of %s is out of memory", op,
                                    (long long)k, AGNI_SHAPE(x)));
        return NULL;
    }
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[x->ndim - 1] = shape[x->ndim] = m;
    const agn_tensor *zero = agni_full(s, 0, x->dtype, x->ndim + 1, shape);
    if (!zero)
        return NULL;
    agni_affine_map map;
    agni_affine_map_diagonal(&map, zero, k, zero->ndim - 2, zero->ndim - 1);
    return agni_affine_map_write(s, &agni_op_scatter_put, &map.at, zero, x);
}

agn_status agn_diag_embed(agn_tensor **out, const agn_tensor *x, int64_t k, int32_t axis1,
                          int32_t axis2)
{
    AGNI_NEED_ALL("diag_embed", out && x, out ? "x" : "out");
    if (x->ndim < 1 || x->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "diag_embed: rank %d is not in 1 to %d", x->ndim,
                         AGN_MAX_RANK - 1);
    int p, q;
    agn_status st = agni_axis("diag_embed", axis1, x->ndim + 1, &p);
    st = st ? st : agni_axis("diag_embed", axis2, x->ndim + 1, &q);
    if (!st && p == q)
        st = agni_fail(AGN_EARG, "diag_embed: axes %d and %d are the same", axis1, axis2);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = embed_diagonal(s, "diag_embed", x, k);
    agn_scope_return(s, out,
                     ag_moveaxis(s, y, (const int32_t[]){-2, -1}, (const int32_t[]){p, q}, 2));
    return agni_rename_error("diag_embed", agn_scope_close(s));
}

agn_status agn_diagflat(agn_tensor **out, const agn_tensor *x, int64_t k)
{
    AGNI_NEED_ALL("diagflat", out && x, out ? "x" : "out");
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *flat = ag_ravel(s, x);
    return agni_return("diagflat", s, out, flat ? embed_diagonal(s, "diagflat", flat, k) : NULL);
}

agn_status agn_diag(agn_tensor **out, const agn_tensor *x, int64_t k)
{
    AGNI_NEED_ALL("diag", out && x, out ? "x" : "out");
    if (x->ndim < 1 || x->ndim > 2)
        return agni_fail(AGN_ESHAPE, "diag: shape is %s, one or two axes are needed, not %d",
                         AGNI_SHAPE(x), x->ndim);
    return agni_rename_error("diag", x->ndim == 1 ? agn_diagflat(out, x, k)
                                                  : agn_diagonal(out, x, k, 0, 1));
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* is column - row <= k? */
static const agn_tensor *below_diagonal(agn_scope *s, int64_t rows, int64_t cols, int64_t k)
{
    const agn_tensor *row = ag_arange(s, AGN_I64, 0, (double)rows, 1);
    const agn_tensor *col = ag_arange(s, AGN_I64, 0, (double)cols, 1);
    k = k < -rows - cols ? -rows - cols : k > rows + cols ? rows + cols : k;
    const agn_tensor *y = ag_le(s, col, ag_add_c(s, ag_expand_dims(s, row, 1), (double)k));
    return agn_scope_status(s) ? NULL : agni_adopt_constant(s, AGN_OK, agni_tensor_ref(y));
}

static agn_status mask_triangle(const char *op, agn_tensor **out, const agn_tensor *x, int64_t k,
                                bool lower)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (x->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: two axes are needed, shape is %s", op, AGNI_SHAPE(x));
    if (x->layout != AGN_DENSE)
        return agni_sparse.triangle(op, out, x, k, lower);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *zero = agni_full(s, 0, x->dtype, 0, NULL);
    if (lower || k > INT64_MIN) {
        const agn_tensor *in = below_diagonal(s, x->shape[x->ndim - 2], x->shape[x->ndim - 1],
                                              lower ? k : k - 1);
        agn_scope_return(s, out, lower ? ag_where(s, in, x, zero) : ag_where(s, in, zero, x));
    } else { /* nothing is below all diagonals */
        agn_scope_return(s, out, x);
    }
    return agni_rename_error(op, agn_scope_close(s));
}
agn_status agn_tril(agn_tensor **out, const agn_tensor *x, int64_t k)
{
    return mask_triangle("tril", out, x, k, true);
}
agn_status agn_triu(agn_tensor **out, const agn_tensor *x, int64_t k)
{
    return mask_triangle("triu", out, x, k, false);
}

/* The rows [from, to) of a matrix that have columns, and how many each has: row i those below
   i + edge, or from there on, of cols. */
typedef struct staircase {
    int64_t from, to, edge, cols;
    bool lower;
} staircase;

static staircase staircase_of(int64_t rows, int64_t cols, int64_t k, bool lower)
{
    k = k < -rows - 1 ? -rows - 1 : k > cols + 1 ? cols + 1 : k;
    staircase t = {0, rows, k + lower, cols, lower};
    if (lower)
        t.from = t.edge < 1 ? 1 - t.edge : 0;
    else
        t.to = cols - t.edge < rows ? cols - t.edge : rows;
    t.from = t.from < rows ? t.from : rows;
    t.to = cols == 0 || t.to < t.from ? t.from : t.to;
    return t;
}

static void columns_of(const staircase *t, int64_t row, int64_t *from, int64_t *to)
{
    int64_t edge = row + t->edge < 0 ? 0 : row + t->edge > t->cols ? t->cols : row + t->edge;
    *from = t->lower ? 0 : edge;
    *to = t->lower ? edge : t->cols;
}

/* Rows with all columns, and steps between: m + (m + 1) + ..., n of them. Each product is below the
   number of elements of the matrix. */
static int64_t count_places(const staircase *t)
{
    int64_t rows = t->to - t->from, whole, first, last, from, to;
    if (rows == 0)
        return 0;
    if (t->lower)
        whole = t->to + t->edge - t->cols;
    else
        whole = 1 - t->edge - t->from;
    whole = whole < 0 ? 0 : whole < rows ? whole : rows;
    if (whole == rows)
        return rows * t->cols;
    columns_of(t, t->lower ? t->from : t->from + whole, &from, &to);
    first = to - from;
    columns_of(t, t->lower ? t->to - 1 - whole : t->to - 1, &from, &to);
    last = to - from;
    int64_t n = rows - whole;
    return whole * t->cols + (n % 2 ? n * ((first + last) / 2) : n / 2 * (first + last));
}

/* columns of each row, as coordinates */
static agn_status triangle_coordinates(const char *op, agn_tensor **out, int64_t rows,
                                       int64_t cols, int64_t k, bool lower)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    int64_t size, at = 0;
    agn_status st = agni_shape_check(op, 2, (const int64_t[]){rows, cols}, &size);
    if (st)
        return st;
    staircase t = staircase_of(rows, cols, k, lower);
    int64_t total = count_places(&t);
    agn_tensor *y = NULL;
    st = agni_tensor_make(&y, op, AGN_I64, 2, (const int64_t[]){2, total}, AGN_CPU);
    if (st)
        return st;
    for (int64_t i = t.from; i < t.to; i++) {
        int64_t from, to;
        columns_of(&t, i, &from, &to);
        for (int64_t j = from; j < to; j++, at++) {
            ((int64_t *)y->data)[at] = i;
            ((int64_t *)y->data)[total + at] = j;
        }
    }
    *out = y;
    return AGN_OK;
}
agn_status agn_tril_indices(agn_tensor **out, int64_t rows, int64_t cols, int64_t k)
{
    return triangle_coordinates("tril_indices", out, rows, cols, k, true);
}
agn_status agn_triu_indices(agn_tensor **out, int64_t rows, int64_t cols, int64_t k)
{
    return triangle_coordinates("triu_indices", out, rows, cols, k, false);
}

agn_status agn_block_diag(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    AGNI_NEED_ALL("block_diag", out && (xs || n < 1), out ? "xs" : "out");
    if (n < 1)
        return agni_fail(AGN_EARG, "block_diag: needs at least one block, got %d", n);
    int64_t cols = 0;
    for (int i = 0; i < n; i++) {
        if (!xs[i])
            return agni_fail(AGN_ENULL, "block_diag: block %d of %d is NULL", i, n);
        if (xs[i]->ndim > 2)
            return agni_fail(AGN_ESHAPE, "block_diag: block %d is %s, two axes at most are needed",
                             i, AGNI_SHAPE(xs[i]));
        if (!agni_checked_add(cols, xs[i]->ndim ? xs[i]->shape[xs[i]->ndim - 1] : 1, &cols))
            return agni_nomem("block_diag", SIZE_MAX);
    }
    const agn_tensor **t = agni_alloc((size_t)n * sizeof *t);
    if (!t)
        return agni_nomem("block_diag", (size_t)n * sizeof *t);
    agn_scope *s = agn_scope_open(NULL);
    int64_t before = 0;
    for (int i = 0; i < n; i++) {
        const agn_tensor *b = ag_atleast_2d(s, xs[i]);
        if (!b)
            break;
        int64_t lo[2] = {0, before}, hi[2] = {0, cols - before - b->shape[1]};
        before += b->shape[1];
        t[i] = ag_pad(s, b, 2, lo, hi, 0);
    }
    if (!agn_scope_status(s))
        agn_scope_return(s, out, ag_concat(s, t, n, 0));
    agni_free(t);
    return agni_rename_error("block_diag", agn_scope_close(s));
}
