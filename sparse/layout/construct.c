/* sparse/layout/construct.c - sparse tensors from arrays and numbers, and their parts again. */
#include "sparse/layout/layout.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

/* ---- from coordinates --------------------------------------------------------------------- */

/* coordinates of ours, row after row, from any strides and integers */
static int64_t *read_coordinates(agn_scope *s, const char *op, const agn_tensor *x)
{
    int64_t *v = agni_alloc_indices(x->size);
    const agn_tensor *wide = ag_cast(s, agni_detach_node(s, op, x), AGN_I64);
    if (v && wide && !agn_scope_fail(s, agn_to_host(v, wide, (size_t)x->size * sizeof *v)))
        return v;
    agni_free(v);
    agn_scope_fail(s, agni_nomem(op, (size_t)x->size * sizeof *v));
    return NULL;
}

static agn_status check_parts(const char *op, int32_t ndim, const int64_t *shape,
                              const agn_tensor *indices, const agn_tensor *values)
{
    agn_status st = agni_require_dense(indices, op);
    if (!st)
        st = agni_require_dense(values, op);
    if (st)
        return st;
    if (agni_kind(indices->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: indices are %s, an integer dtype is needed", op,
                         agni_dtypes[indices->dtype].name);
    if (indices->ndim != 2 || indices->shape[0] < 1 || values->ndim < 1 ||
        values->shape[0] != indices->shape[1])
        return agni_fail(AGN_ESHAPE, "%s: indices are %s, values %s: [axes, entries] and "
                         "[entries, ...] are needed", op, AGNI_SHAPE(indices), AGNI_SHAPE(values));
    int64_t rank = indices->shape[0] + values->ndim - 1;
    if (rank > AGNI_MAX_RANK || (shape && ndim != rank))
        return agni_fail(AGN_ESHAPE, "%s: %lld axes come from indices %s and values %s, not %d", op,
                         (long long)rank, AGNI_SHAPE(indices), AGNI_SHAPE(values),
                         shape ? ndim : AGN_MAX_RANK);
    for (int d = 0; shape && d < ndim; d++) {
        int k = d - (int)indices->shape[0];
        if (shape[d] < 0 || shape[d] >= INT64_MAX / 16)
            return agni_fail(AGN_ESHAPE, "%s: size %lld of axis %d is not possible", op,
                             (long long)shape[d], d);
        if (k >= 0 && shape[d] != values->shape[1 + k])
            return agni_fail(AGN_ESHAPE, "%s: axis %d is %lld, values are %s", op, d,
                             (long long)shape[d], AGNI_SHAPE(values));
    }
    if (agni_tensor_device(indices) == AGN_CPU)
        return agni_require_host(indices, op);
    agni_note_read(op);
    return AGN_OK;
}

/* sizes from the coordinates where there is no shape, else all within it */
static agn_status check_coordinates(const char *op, int ndim, const int64_t *shape, int64_t n,
                                    const int64_t *at, int64_t *size)
{
    for (int d = 0; d < ndim; d++) {
        size[d] = shape ? shape[d] : 0;
        for (int64_t e = 0; e < n; e++) {
            int64_t i = at[d * n + e];
            if (i < 0 || i >= (shape ? shape[d] : INT64_MAX / 16))
                return agni_fail(AGN_EINDEX,
                                 "%s: entry %lld has index %lld in axis %d, out of range for %lld",
                                 op, (long long)e, (long long)i, d,
                                 (long long)(shape ? shape[d] : INT64_MAX / 16));
            if (!shape && i >= size[d])
                size[d] = i + 1;
        }
    }
    return AGN_OK;
}

static bool is_sorted(const agni_coordinates *p)
{
    for (int64_t e = 1; e < p->nnz; e++)
        if (agni_compare_coordinates(p, e - 1, p, e) >= 0)
            return false;
    return true;
}

static agn_status coo_from_coordinates(const char *op, agn_tensor **out, int32_t ndim,
                                       const int64_t *shape, const agn_tensor *indices,
                                       const agn_tensor *values, bool checked, bool coalesced)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, indices);
    AGNI_NEED(op, values);
    agn_status st = check_parts(op, ndim, shape, indices, values);
    if (st)
        return st;
    int64_t size[AGNI_MAX_RANK], n = indices->shape[1];
    int rank = (int)indices->shape[0];
    agn_scope *s = agn_scope_open(NULL);
    int64_t *at = read_coordinates(s, op, indices);
    agni_coordinates *p = NULL;
    const agn_tensor *y = NULL;
    if (at) {
        if (checked || !shape)
            st = check_coordinates(op, rank, shape, n, at, size);
        else
            memcpy(size, shape, (size_t)rank * sizeof *size);
        if (st)
            agni_free(at);
        else
            st = agni_make_coordinates(&p, op, rank, size, n, coalesced, at);
    }
    if (p && !st) {
        p->coalesced = checked ? is_sorted(p) : coalesced;
        if (!agni_scope_adopt(s, &p->head))
            y = agni_coo_new_in(s, op, p, values, values->ndim - 1);
    }
    if (st)
        agni_fail_null(s, st);
    return agni_return(op, s, out, y);
}

agn_status agn_sparse_coo(agn_tensor **out, int32_t ndim, const int64_t *shape,
                          const agn_tensor *indices, const agn_tensor *values)
{
    return coo_from_coordinates("sparse_coo", out, ndim, shape, indices, values, true, false);
}

agn_status agn_sparse_coo_unchecked(agn_tensor **out, int32_t ndim, const int64_t *shape,
                                    const agn_tensor *indices, const agn_tensor *values,
                                    bool coalesced)
{
    if (!shape)
        return agni_fail(AGN_ENULL, "sparse_coo_unchecked: shape is NULL, rank is %d", ndim);
    return coo_from_coordinates("sparse_coo_unchecked", out, ndim, shape, indices, values, false,
                                coalesced);
}

agn_status agn_sparse_csc(agn_tensor **out, int64_t rows, int64_t cols, const agn_tensor *indptr,
                          const agn_tensor *indices, const agn_tensor *values)
{
    AGNI_NEED("sparse_csc", out);
    agn_tensor *turned = NULL;
    agn_status st = agn_sparse_csr(&turned, cols, rows, indptr, indices, values);
    if (!st)
        st = agn_transpose(out, turned);
    agn_release(turned);
    return agni_rename_error("sparse_csc", st);
}

/* rows of all matrices one below the other; entry e of row r of matrix b is at [b, r, index] */
agn_status agn_sparse_csr_batch(agn_tensor **out, int64_t batch, int64_t rows, int64_t cols,
                                const agn_tensor *indptr, const agn_tensor *indices,
                                const agn_tensor *values)
{
    static const char op[] = "sparse_csr_batch";
    AGNI_NEED(op, out);
    AGNI_NEED(op, values);
    int64_t all;
    if (batch < 0 || rows < 0 || !agni_checked_mul(batch, rows, &all))
        return agni_fail(AGN_ESHAPE, "%s: [%lld,%lld,%lld] is no shape", op, (long long)batch,
                         (long long)rows, (long long)cols);
    if (values->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: values are %s with %d axes, one is needed", op,
                         AGNI_SHAPE(values), values->ndim);
    agn_tensor *stacked = NULL;
    agn_status st = agn_sparse_csr(&stacked, all, cols, indptr, indices, values);
    if (!st) {
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *y = agni_as_coo(s, op, stacked);
        const agni_coordinates *p = y ? agni_coo_of(y)->places : NULL;
        int64_t n = p ? p->nnz : 0, *at = p ? agni_alloc_indices(3 * n) : NULL;
        for (int64_t e = 0; at && e < n; e++) {
            at[e] = p->at[e] / rows;
            at[n + e] = p->at[e] % rows;
            at[2 * n + e] = p->at[n + e];
        }
        y = p ? agni_coalesced_coo(s, op, 3, (int64_t[]){batch, rows, cols}, n, at, NULL,
                                   agni_values_of(y), 0)
              : NULL;
        agn_scope_return(s, out, y);
        st = agn_scope_close(s);
    }
    agn_release(stacked);
    return agni_rename_error(op, st);
}

/* ---- parts ------------------------------------------------------------------------------- */

static agn_status need_sparse(const char *op, const agn_tensor *a)
{
    if (a->layout != AGN_DENSE)
        return AGN_OK;
    return agni_fail(AGN_EUNSUPPORTED, "%s: a is dense, a sparse one is needed: %s %s", op,
                     agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
}

agn_status agn_sparse_values(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("sparse_values", out);
    AGNI_NEED("sparse_values", a);
    agn_status st = need_sparse("sparse_values", a);
    if (!st)
        *out = agni_tensor_ref(agni_values_of(a));
    return st;
}

agn_status agn_sparse_with_values(agn_tensor **out, const agn_tensor *a,
                                  const agn_tensor *values)
{
    static const char op[] = "sparse_with_values";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, values);
    agn_status st = need_sparse(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_with_values_in(s, op, a, values));
}

static void release_places(void *user)
{
    agni_obj_release(user);
}

agn_status agn_sparse_coordinates(agn_tensor **out, const agn_tensor *a)
{
    static const char op[] = "sparse_coordinates";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = need_sparse(op, a);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agni_coordinates *p = NULL;
    agn_tensor *y = NULL;
    if (a->layout == AGN_COO) {
        p = agni_coo_of(a)->places;
    } else { /* in the order of the values, which is by columns in AGN_CSC */
        const agni_csr *c = agni_sparse_parts(a);
        agn_tensor *rows = NULL;
        st = agni_csr_new(&rows, op, c->pattern, c->values);
        const agn_tensor *coo = agni_as_coo(s, op, agn_scope_adopt(s, st, &rows));
        p = coo ? agni_coo_of(coo)->places : NULL;
    }
    if (p) {
        void *keep = agni_obj_retain(&p->head);
        int64_t shape[2] = {p->ndim, p->nnz}, stride[2] = {p->nnz, 1};
        bool turned = a->layout == AGN_CSC;
        stride[0] = turned ? -p->nnz : p->nnz;
        st = agn_wrap_host(&y, AGN_I64, 2, shape, stride,
                           (void *)(uintptr_t)(p->at + (turned ? p->nnz : 0)), true,
                           release_places, keep);
        if (st)
            agni_obj_release(keep);
        agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    }
    return agni_rename_error(op, agn_scope_close(s));
}

int64_t agn_sparse_nnz(const agn_tensor *a)
{
    return a && a->layout != AGN_DENSE ? agni_entry_count(a) : -1;
}
int32_t agn_sparse_dim(const agn_tensor *a)
{
    return a && a->layout != AGN_DENSE ? agni_coordinate_axes(a) : -1;
}
int32_t agn_sparse_dense_dim(const agn_tensor *a)
{
    return a && a->layout != AGN_DENSE ? agni_dense_axes(a) : -1;
}
bool agn_sparse_is_coalesced(const agn_tensor *a)
{
    return a && a->layout != AGN_DENSE &&
           (a->layout != AGN_COO || agni_coo_of(a)->places->coalesced);
}
bool agn_sparse_same_pattern(const agn_tensor *a, const agn_tensor *b)
{
    return a && b && a->layout != AGN_DENSE && agni_same_places(a, b);
}
