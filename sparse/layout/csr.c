/* sparse/layout/csr.c - agn_sparse_csr and its parts. */
#include "sparse/layout/layout.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

/* ---- from arrays ----------------------------------------------------------------- */

/* a 1-D integer tensor on the host, copied */
static agn_status read_indices(const char *name, const agn_tensor *x, int64_t **out)
{
    if (x->layout != AGN_DENSE)
        return agni_require_dense(x, "sparse_csr");
    if (agni_kind(x->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "sparse_csr: %s is %s, an integer dtype is needed",
                         name, agni_dtypes[x->dtype].name);
    if (x->ndim != 1)
        return agni_fail(AGN_ESHAPE, "sparse_csr: %s is %s with %d axes, one is needed",
                         name, AGNI_SHAPE(x), x->ndim);
    if (!x->st || x->stale)
        return agni_require_host(x, "sparse_csr");
    int64_t *v = agni_alloc((size_t)(x->size ? x->size : 1) * sizeof *v);
    if (!v)
        return agni_nomem("sparse_csr", (size_t)x->size * sizeof *v);
    agn_tensor *alias = agni_tensor_alias(x), *wide = NULL;
    agn_status st = alias ? agn_cast(&wide, alias, AGN_I64)
                          : agni_nomem("sparse_csr", sizeof *alias);
    if (!st && agni_tensor_device(x) != AGN_CPU)
        agni_note_read("sparse_csr");
    if (!st)
        st = agn_to_host(v, wide, (size_t)x->size * sizeof *v);
    agn_release(alias);
    agn_release(wide);
    if (st)
        agni_free(v);
    else
        *out = v;
    return st;
}

static agn_status check_arrays(int64_t rows, int64_t cols, const int64_t *indptr,
                               const int64_t *index, int64_t nnz)
{
    if (indptr[0] != 0 || indptr[rows] != nnz)
        return agni_fail(
            AGN_EARG,
            "sparse_csr: indptr goes from %lld to %lld; 0 to the %lld indices is needed",
            (long long)indptr[0], (long long)indptr[rows], (long long)nnz);
    for (int64_t i = 0; i < rows; i++)
        if (indptr[i + 1] < indptr[i])
            return agni_fail(
                AGN_EARG, "sparse_csr: indptr falls at row %lld: %lld, then %lld",
                (long long)i, (long long)indptr[i], (long long)indptr[i + 1]);
    for (int64_t e = 0; e < nnz; e++)
        if (index[e] < 0 || index[e] >= cols)
            return agni_fail(
                AGN_EINDEX,
                "sparse_csr: entry %lld has column %lld, out of range for %lld columns",
                (long long)e, (long long)index[e], (long long)cols);
    return AGN_OK;
}

static bool rows_are_sorted(int64_t rows, const int64_t *indptr, const int64_t *index)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = indptr[i] + 1; e < indptr[i + 1]; e++)
            if (index[e] <= index[e - 1])
                return false;
    return true;
}

/* Rows sorted by transposing twice: entry e of the result was entry from[e]. */
static agn_status sort_rows(agni_pattern **p, int64_t **from)
{
    const agni_pattern *old = *p;
    size_t n = (size_t)(old->nnz ? old->nnz : 1);
    const agni_transposed_pattern *t = agni_pattern_transposed(old);
    int64_t *indptr = agni_alloc((size_t)(old->rows + 1) * sizeof *indptr);
    int64_t *next = agni_alloc((size_t)(old->rows + 1) * sizeof *next);
    int64_t *index = agni_alloc(n * sizeof *index), *f = agni_alloc(n * sizeof *f);
    agn_status st = AGN_OK;
    if (!t || !indptr || !next || !index || !f) {
        st = agni_nomem("sparse_csr", n * sizeof *index);
        agni_free(indptr);
        agni_free(index);
    } else {
        for (int64_t i = 0; i <= old->rows; i++)
            indptr[i] = next[i] = agni_row_begin(old, i);
        for (int64_t j = 0; !st && j < old->cols; j++)
            for (int64_t e = agni_row_begin(t->p, j); !st && e < agni_row_begin(t->p, j + 1);
                 e++) {
                int64_t i = agni_entry_col(t->p, e), at = next[i]++;
                index[at] = j;
                f[at] = agni_transposed_entry(t, e);
                if (at > indptr[i] && index[at - 1] == j)
                    st = agni_fail(
                        AGN_EARG,
                        "sparse_csr: entry [%lld,%lld] is there twice: %lld and %lld",
                        (long long)i, (long long)j, (long long)f[at - 1],
                        (long long)f[at]);
            }
        agni_pattern *q = NULL;
        if (st) {
            agni_free(indptr);
            agni_free(index);
        } else if (!(st = agni_pattern_new(&q, old->rows, old->cols, indptr, index))) {
            agni_obj_release(&(*p)->head);
            *p = q;
        }
    }
    agni_free(next);
    if (st)
        agni_free(f);
    else
        *from = f;
    return st;
}

/* values in the order of the sorted pattern: a gather, so it has a derivative */
static agn_status csr_sorted(agn_tensor **out, agni_pattern **p,
                             const agn_tensor *values)
{
    int64_t *from = NULL;
    agn_tensor *at = NULL, *v = NULL;
    agn_status st = sort_rows(p, &from);
    if (!st)
        st = agn_from_host(&at, AGN_I64, 1, &(*p)->nnz, from);
    agni_free(from);
    if (!st)
        st = agn_gather(&v, values, at, -1);
    if (!st)
        st = agni_csr_new(out, "sparse_csr", *p, v);
    agn_release(at);
    agn_release(v);
    return st;
}

agn_status agn_sparse_csr(agn_tensor **out, int64_t rows, int64_t cols,
                          const agn_tensor *indptr, const agn_tensor *indices,
                          const agn_tensor *values)
{
    AGNI_NEED("sparse_csr", out);
    AGNI_NEED("sparse_csr", indptr);
    AGNI_NEED("sparse_csr", indices);
    AGNI_NEED("sparse_csr", values);
    if (rows < 0 || cols < 0 || rows >= INT64_MAX / 16 || cols >= INT64_MAX / 16)
        return agni_fail(AGN_ESHAPE, "sparse_csr: [%lld,%lld] is no shape",
                         (long long)rows, (long long)cols);
    if (indptr->ndim == 1 && indptr->size != rows + 1)
        return agni_fail(AGN_ESHAPE, "sparse_csr: indptr is %s, %lld rows need %lld",
                         AGNI_SHAPE(indptr), (long long)rows, (long long)rows + 1);
    int64_t *p = NULL, *i = NULL;
    agni_pattern *pattern = NULL;
    agn_status st = read_indices("indptr", indptr, &p);
    if (!st)
        st = read_indices("indices", indices, &i);
    if (!st)
        st = check_arrays(rows, cols, p, i, indices->size);
    if (st) {
        agni_free(p);
        agni_free(i);
        return st;
    }
    bool good = rows_are_sorted(rows, p, i);
    st = agni_pattern_new(&pattern, rows, cols, p, i);
    if (st)
        return st;
    agn_tensor *y = NULL;
    st = agni_csr_new(&y, "sparse_csr", pattern,
                      values); /* also the check of the values */
    if (!st && !good) {
        agn_release(y);
        y = NULL;
        st = csr_sorted(&y, &pattern, values);
    }
    agni_obj_release(&pattern->head);
    if (!st)
        *out = y;
    return st;
}

/* ---- parts ----------------------------------------------------------------------- */

/* compressed rows, or columns where AGN_CSC */
static agn_status compressed_parts(const char *op, const agn_tensor *a, const agni_csr **out)
{
    if (a->layout != AGN_CSC)
        return agni_csr_parts(op, a, out);
    *out = agni_csc_of(a);
    return AGN_OK;
}

/* an array of the pattern in i64: a read-only view that keeps it alive, or a copy */
static agn_status view_as_i64(agn_tensor **out, const agni_pattern *p, int64_t n, const void *v)
{
    agn_tensor *view = NULL;
    agn_status st = agni_pattern_view(&view, p, n, v);
    if (!st)
        st = agn_cast(out, view, AGN_I64); /* itself where it is that */
    agn_release(view);
    return st;
}

agn_status agn_sparse_indptr(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("sparse_indptr", out);
    AGNI_NEED("sparse_indptr", a);
    const agni_csr *c = NULL;
    agn_status st = compressed_parts("sparse_indptr", a, &c);
    return st ? st : view_as_i64(out, c->pattern, c->pattern->rows + 1, c->pattern->indptr);
}

agn_status agn_sparse_indices(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("sparse_indices", out);
    AGNI_NEED("sparse_indices", a);
    const agni_csr *c = NULL;
    agn_status st = compressed_parts("sparse_indices", a, &c);
    return st ? st : view_as_i64(out, c->pattern, c->pattern->nnz, c->pattern->index);
}

agn_dtype agn_sparse_index_dtype(const agn_tensor *a)
{
    bool has = a && (a->layout == AGN_CSR || a->layout == AGN_CSC);
    const agni_csr *c = has ? agni_sparse_parts(a) : NULL;
    return !c ? (agn_dtype)-1 : c->pattern->wide ? AGN_I64 : AGN_I32;
}

agn_status agn_sparse_with_index(agn_tensor **out, const agn_tensor *a, agn_dtype dtype)
{
    AGNI_NEED("sparse_with_index", out);
    AGNI_NEED("sparse_with_index", a);
    const agni_csr *c = NULL;
    agni_pattern *p = NULL;
    agn_status st = compressed_parts("sparse_with_index", a, &c);
    if (!st && dtype != AGN_I32 && dtype != AGN_I64)
        st = agni_fail(AGN_EDTYPE,
                       "sparse_with_index: dtype %s (%d); i32 or i64 is needed",
                       agn_dtype_name(dtype), (int)dtype);
    if (!st)
        st = agni_pattern_with_width(&p, "sparse_with_index", c->pattern, dtype == AGN_I64);
    if (!st)
        st = (a->layout == AGN_CSC ? agni_csc_new : agni_csr_new)(out, "sparse_with_index", p,
                                                                 c->values);
    if (p)
        agni_obj_release(&p->head);
    return st;
}
