/* sparse/layout/borrow_csr.c - a matrix on integers that belong to someone else: looked at once,
   never copied. */
#include "sparse/layout/layout.h"

#include <agnesi/sparse.h>

static agn_status check_row(const char *op, const agni_pattern *p, int64_t i)
{
    int64_t first = agni_row_begin(p, i), end = agni_row_begin(p, i + 1);
    for (int64_t e = first; e < end; e++) {
        int64_t j = agni_entry_col(p, e);
        if (j < 0 || j >= p->cols)
            return agni_fail(AGN_EINDEX,
                             "%s: entry %lld has column %lld, out of range for %lld columns", op,
                             (long long)e, (long long)j, (long long)p->cols);
        if (e > first && j <= agni_entry_col(p, e - 1))
            return agni_fail(
                AGN_EARG,
                "%s: entry %lld of row %lld has column %lld after %lld; columns must rise: "
                "sparse_csr sorts a copy",
                op, (long long)e, (long long)i, (long long)j, (long long)agni_entry_col(p, e - 1));
    }
    return AGN_OK;
}

static agn_status check_parts(const char *op, const agni_pattern *p, const agn_tensor *values)
{
    if (p->rows < 0 || p->cols < 0 || p->cols >= INT64_MAX / 16)
        return agni_fail(AGN_ESHAPE, "%s: the size [%lld,%lld] is %s", op, (long long)p->rows,
                         (long long)p->cols, p->rows < 0 || p->cols < 0 ? "negative" : "too large");
    agn_status st = agni_require_dense(values, op);
    if (st)
        return st;
    if (values->ndim < 1 || values->shape[values->ndim - 1] != p->nnz)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, indptr ends with %lld entries", op,
                         AGNI_SHAPE(values), (long long)p->nnz);
    if (agni_row_begin(p, 0) != 0)
        return agni_fail(AGN_EARG, "%s: indptr begins with %lld, 0 is needed for %lld rows", op,
                         (long long)agni_row_begin(p, 0), (long long)p->rows);
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t first = agni_row_begin(p, i), end = agni_row_begin(p, i + 1);
        if (end < first || end > p->nnz)
            return agni_fail(AGN_EARG,
                             "%s: indptr goes from %lld to %lld at row %lld; it must rise to %lld",
                             op, (long long)first, (long long)end, (long long)i, (long long)p->nnz);
    }
    for (int64_t i = 0; !st && i < p->rows; i++)
        st = check_row(op, p, i);
    return st;
}

agn_status agn_sparse_csr_wrap(agn_tensor **out, int64_t rows, int64_t cols, agn_dtype dtype,
                               const void *indptr, const void *indices, const agn_tensor *values,
                               void (*destroy)(void *user), void *user)
{
    static const char op[] = "sparse_csr_wrap";
    AGNI_NEED(op, out);
    AGNI_NEED(op, indptr);
    AGNI_NEED(op, values);
    if (dtype != AGN_I32 && dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "%s: indices of dtype %d; i32 (%d) or i64 is needed", op,
                         dtype, AGN_I32);
    bool wide = dtype == AGN_I64;
    size_t bytes = wide ? sizeof(int64_t) : sizeof(int32_t);
    if ((uintptr_t)indptr % bytes || (uintptr_t)indices % bytes)
        return agni_fail(AGN_EARG, "%s: integers of %zu bytes at %p and %p are misaligned", op,
                         bytes, indptr, indices);
    agni_pattern look = {
        .rows = rows, .cols = cols, .wide = wide, .indptr = indptr, .index = indices};
    look.nnz = rows < 0 ? 0 : agni_read_index(indptr, wide, rows);
    if (look.nnz > 0 && !indices)
        return agni_fail(AGN_ENULL, "%s: indices is NULL, indptr ends with %lld entries", op,
                         (long long)look.nnz);
    if (rows >= 0 && !wide && (rows >= INT32_MAX || cols >= INT32_MAX))
        return agni_fail(AGN_ESHAPE, "%s: [%lld,%lld] is too large for i32", op, (long long)rows,
                         (long long)cols);
    agni_pattern *p = NULL;
    agn_status st = check_parts(op, &look, values);
    if (!st)
        st = agni_pattern_borrow(&p, &look, destroy, user);
    if (st)
        return st;
    st = agni_csr_new(out, op, p, values);
    if (st)
        agni_pattern_disown(p); /* where nothing is made, destroy is not called */
    agni_obj_release(&p->head);
    return st;
}
