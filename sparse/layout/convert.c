/* sparse/layout/convert.c - one layout from another, to dense and back. */
#include "sparse/layout/packed_keys.h"
#include "tensor/dispatch/host_run.h"
#include "sparse/layout/layout.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

/* ---- to coordinates --------------------------------------------------------------------- */

/* compressed rows for columns, or columns for rows: another pattern, values in its order */
static const agn_tensor *transpose_compression(agn_scope *s, const char *op, const agn_tensor *a)
{
    const agni_csr *c = agni_sparse_parts(a);
    const agni_transposed_pattern *t = agni_pattern_transposed(c->pattern);
    agn_tensor *view = NULL, *y = NULL;
    agn_status found = t ? agni_pattern_view(&view, c->pattern, c->pattern->nnz, t->from)
                         : agni_nomem(op, (size_t)c->pattern->nnz * sizeof(int64_t));
    const agn_tensor *v = agni_gather_values(s, c->values, c->values->ndim - 1,
                                             agni_adopt_constant(s, found, view));
    if (!v)
        return NULL;
    agn_status st = (a->layout == AGN_CSC ? agni_csr_new : agni_csc_new)(&y, op, t->p, v);
    return agn_scope_adopt(s, st, &y);
}

static const agn_tensor *compressed_to_coo(agn_scope *s, const char *op, const agn_tensor *a)
{
    if (a->layout == AGN_CSC && !(a = transpose_compression(s, op, a)))
        return NULL;
    const agni_csr *c = agni_sparse_parts(a);
    const agni_pattern *p = c->pattern;
    int64_t n = p->nnz, *at = agni_alloc_indices(2 * n), shape[2] = {p->rows, p->cols};
    for (int64_t i = 0; at && i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
            at[e] = i;
            at[n + e] = agni_entry_col(p, e);
        }
    agni_coordinates *q = NULL;
    agn_status st = agni_make_coordinates(&q, op, 2, shape, n, true, at);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &q->head))
        return NULL;
    return agni_coo_new_in(s, op, q, c->values, 0);
}

const agn_tensor *agni_as_coo(agn_scope *s, const char *op, const agn_tensor *a)
{
    if (!a || agn_scope_status(s))
        return NULL;
    if (a->layout == AGN_DENSE)
        return agni_fail_null(s, agni_fail(AGN_EUNSUPPORTED,
                                           "%s: a is dense, a sparse one is needed: %s %s", op,
                                           agni_dtypes[a->dtype].name, AGNI_SHAPE(a)));
    if (a->layout != AGN_COO)
        return compressed_to_coo(s, op, a);
    const agni_coo *c = agni_coo_of(a);
    const agni_coordinates *p = c->places;
    if (p->coalesced)
        return a;
    int64_t *at = agni_alloc_indices(p->ndim * p->nnz);
    if (!at)
        return agni_fail_null(s, agni_nomem(op, (size_t)(p->ndim * p->nnz) * sizeof *at));
    memcpy(at, p->at, (size_t)(p->ndim * p->nnz) * sizeof *at);
    return agni_coalesced_coo(s, op, p->ndim, p->shape, p->nnz, at, NULL, c->values, c->dense);
}

const agn_tensor *agni_as_pure_coo(agn_scope *s, const char *op, const agn_tensor *a)
{
    a = agni_as_coo(s, op, a);
    if (!a)
        return NULL;
    const agni_coo *c = agni_coo_of(a);
    const agn_tensor *v = c->values;
    const agni_coordinates *p = c->places;
    int axis = agni_entry_axis(a);
    if (v->ndim == 1)
        return a;
    /* odometer over the axes of values, of which the axis of entries gives all coordinates */
    int64_t n = v->size, count[AGNI_MAX_RANK] = {0}, *at = NULL;
    if (agni_checked_mul(n, a->ndim, &(int64_t){0}))
        at = agni_alloc_indices(a->ndim * n);
    if (!at)
        return agni_fail_null(s, agni_nomem(op, (size_t)n * sizeof *at));
    for (int64_t k = 0; k < n; k++) {
        for (int d = 0; d < a->ndim; d++)
            at[d * n + k] = d < axis             ? count[d]
                            : d < axis + p->ndim ? p->at[(d - axis) * p->nnz + count[axis]]
                                                 : count[d - p->ndim + 1];
        for (int d = v->ndim - 1; d >= 0 && ++count[d] == v->shape[d]; d--)
            count[d] = 0;
    }
    return agni_coalesced_coo(s, op, a->ndim, a->shape, n, at, NULL, agni_reshape(s, v, 1, &n), 0);
}

const agn_tensor *agni_dense_as_coo(agn_scope *s, const char *op, const agn_tensor *x)
{
    x = ag_contiguous(s, x); /* first: a view may stand for more than memory holds */
    int64_t n = x ? x->shape[0] : 0, *at = x ? agni_alloc_indices(n) : NULL;
    agni_coordinates *p = NULL;
    if (!at)
        return x ? agni_fail_nomem(s, op, n) : NULL;
    for (int64_t k = 0; k < n; k++)
        at[k] = k;
    agn_status st = agni_make_coordinates(&p, op, 1, &n, n, true, at);
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &p->head))
        return NULL;
    return agni_coo_new_in(s, op, p, x, x->ndim - 1);
}

/* ---- to compressed rows and columns --------------------------------------------------- */

static agn_status compress_rows(agni_pattern **out, const char *op, const agni_coordinates *p)
{
    int64_t rows = p->shape[0], n = p->nnz;
    int64_t *indptr = rows < INT64_MAX ? agni_alloc_indices(rows + 1) : NULL,
            *index = agni_alloc_indices(n);
    if (!indptr || !index) {
        agni_free(indptr);
        agni_free(index);
        return agni_nomem(op, (size_t)rows * sizeof *index);
    }
    memset(indptr, 0, (size_t)(rows + 1) * sizeof *indptr);
    for (int64_t e = 0; e < n; e++)
        indptr[p->at[e] + 1]++;
    for (int64_t i = 0; i < rows; i++)
        indptr[i + 1] += indptr[i];
    memcpy(index, p->at + n, (size_t)n * sizeof *index);
    return agni_pattern_new(out, rows, p->shape[1], indptr, index);
}

static bool is_unsorted_matrix(const agn_tensor *a)
{
    if (a->layout != AGN_COO || !agni_has_sparse_kernel(a->dtype))
        return false;
    const agni_coo *c = agni_coo_of(a);
    const agni_coordinates *p = c->places;
    return p->ndim == 2 && !c->dense && !p->coalesced &&
           agni_pattern_fits_i32(p->shape[0], p->shape[1], p->nnz) &&
           agni_keys_fit(2, p->shape, p->nnz);
}

/* Unsorted entries with duplicates: sorted by packed keys, then summed by sparse_collect. */
static const agn_tensor *compress_unsorted(agn_scope *s, const char *op, const agn_tensor *a,
                                           int layout)
{
    const agni_coordinates *p = agni_coo_of(a)->places;
    int64_t n = p->nnz, size[2] = {p->shape[layout == AGN_CSC], p->shape[layout == AGN_CSR]};
    const int64_t *at[2] = {p->at + (layout == AGN_CSC ? n : 0),
                            p->at + (layout == AGN_CSC ? 0 : n)};
    agni_keys k = {.key = NULL};
    agni_pattern *q = NULL, *names = NULL;
    agn_tensor *x = NULL;
    agn_status st = agni_keys_sort(&k, op, 2, size, n, at);
    if (!st)
        st = agni_keys_pattern(&q, &names, op, &k, size[0], size[1]);
    agni_free(k.key);
    if (agn_scope_fail(s, st))
        return NULL;
    const agn_tensor *v = agni_values_of(a);
    int64_t turned = 0;
    v = agni_apply_in(s, &agni_op_sparse_collect,
                      &(agni_attr){.ni = 1, .i = &turned, .obj = &names->head}, 1, &v);
    if (v)
        st = (layout == AGN_CSR ? agni_csr_new : agni_csc_new)(&x, op, q, v);
    agni_obj_release(&q->head);
    agni_obj_release(&names->head);
    return v ? agn_scope_adopt(s, st, &x) : NULL;
}

const agn_tensor *agni_as_compressed(agn_scope *s, const char *op, const agn_tensor *a,
                                     int layout)
{
    if (!a || a->layout == layout)
        return a;
    if (a->layout == AGN_CSR || a->layout == AGN_CSC)
        return transpose_compression(s, op, a);
    if (is_unsorted_matrix(a))
        return compress_unsorted(s, op, a, layout);
    a = agni_as_coo(s, op, a);
    if (a && a->ndim == 2 && agni_coordinate_axes(a) != 2)
        a = agni_as_pure_coo(s, op, a);
    if (!a)
        return NULL;
    if (agni_coordinate_axes(a) != 2 || agni_dense_axes(a))
        return agni_fail_null(
            s, agni_fail(AGN_ESHAPE, "%s: %s with %d sparse and %d dense axes is no matrix", op,
                         AGNI_SHAPE(a), agni_coordinate_axes(a), agni_dense_axes(a)));
    agni_pattern *p = NULL;
    agn_tensor *y = NULL;
    agn_status st = compress_rows(&p, op, agni_coo_of(a)->places);
    if (!st)
        st = agni_csr_new(&y, op, p, agni_values_of(a));
    if (p)
        agni_obj_release(&p->head);
    const agn_tensor *rows = agn_scope_adopt(s, st, &y);
    return rows && layout == AGN_CSC ? transpose_compression(s, op, rows) : rows;
}

const agn_tensor *agni_restore_layout(agn_scope *s, const char *op, const agn_tensor *y, int layout)
{
    bool matrix = y && y->layout == AGN_COO && agni_coordinate_axes(y) == 2 && !agni_dense_axes(y);
    return matrix && layout != AGN_COO ? agni_as_compressed(s, op, y, layout) : y;
}

/* ---- to dense --------------------------------------------------------------------------- */

static const agn_tensor *swap_axes(agn_scope *s, const agn_tensor *x)
{
    return x ? agni_apply_in(s, &agni_op_permute,
                             &(agni_attr){.ni = 2, .i = (const int64_t[]){-1, -2}}, 1, &x)
             : NULL;
}

const agn_tensor *agni_as_dense(agn_scope *s, const char *op, const agn_tensor *a)
{
    if (!a || agn_scope_status(s) || a->layout == AGN_DENSE)
        return a;
    int64_t size;
    agn_status st = agni_shape_check(op, a->ndim, a->shape, &size);
    if (st)
        return agni_fail_null(s, st);
    if (a->layout != AGN_COO && agni_has_sparse_kernel(a->dtype)) {
        const agni_csr *c = agni_sparse_parts(a);
        const agn_tensor *v = c->values;
        const agn_tensor *y = agni_apply_in(s, &agni_op_sparse_scatter,
                                            &(agni_attr){.obj = &c->pattern->head}, 1, &v);
        return a->layout == AGN_CSC ? swap_axes(s, y) : y;
    }
    if (a->layout != AGN_COO && !(a = agni_as_coo(s, op, a)))
        return NULL;
    const agni_coordinates *p = agni_coo_of(a)->places;
    int64_t *flat = agni_alloc_indices(p->nnz), places = 1;
    for (int d = 0; d < p->ndim; d++)
        places *= p->shape[d];
    for (int64_t e = 0; flat && e < p->nnz; e++) {
        flat[e] = 0;
        for (int d = 0; d < p->ndim; d++)
            flat[e] = flat[e] * p->shape[d] + p->at[d * p->nnz + e];
    }
    const agn_tensor *y = (p->coalesced ? agni_scatter_values : agni_sum_groups)(
        s, agni_values_of(a), agni_entry_axis(a), agni_index_tensor(s, op, p->nnz, flat), places);
    return y ? agni_reshape(s, y, a->ndim, a->shape) : NULL;
}

/* ---- from dense -------------------------------------------------------------------------- */

/* for each coordinate of x [batch..., coordinates..., dense...]: is any element not 0? */
static const agn_tensor *find_nonzeros(agn_scope *s, const char *op, const agn_tensor *x, int batch,
                                       int dense)
{
    int32_t axes[AGNI_MAX_RANK], n = 0;
    for (int d = 0; d < x->ndim; d++)
        if (d < batch || d >= x->ndim - dense)
            axes[n++] = d;
    const agn_tensor *y = agni_detach_node(s, op, x);
    if (y && y->dtype != AGN_BOOL)
        y = ag_ne(s, y, ag_lit(s, 0));
    if (y && n)
        y = ag_any(s, y, axes, n, false);
    return y ? ag_contiguous(s, y) : NULL;
}

static const agn_tensor *dense_to_coo(agn_scope *s, const char *op, const agn_tensor *x, int batch,
                                      int dense)
{
    agn_status st = agni_tensor_device(x) == AGN_CPU ? agni_require_host(x, op) : AGN_OK;
    const agn_tensor *m = st ? agni_fail_null(s, st) : find_nonzeros(s, op, x, batch, dense);
    m = m ? agni_read_in(s, op, m) : NULL;
    if (!m)
        return NULL;
    const uint8_t *there = m->data;
    int64_t n = 0, shape[AGNI_MAX_RANK + 1];
    for (int64_t k = 0; k < m->size; k++)
        n += there[k] != 0;
    int64_t *at = agni_alloc_indices(m->ndim * n), *flat = agni_alloc_indices(n);
    for (int64_t k = 0, e = 0; at && flat && k < m->size; k++) {
        if (!there[k])
            continue;
        for (int64_t d = m->ndim - 1, rest = k; d >= 0; d--) {
            at[d * n + e] = rest % m->shape[d];
            rest /= m->shape[d];
        }
        flat[e++] = k;
    }
    agni_coordinates *p = NULL;
    if (!at || !flat) {
        agni_free(at);
        st = agni_nomem(op, (size_t)n * sizeof *at);
    } else {
        st = agni_make_coordinates(&p, op, m->ndim, m->shape, n, true, at);
    }
    if (st ? agn_scope_fail(s, st) : agni_scope_adopt(s, &p->head)) {
        agni_free(flat);
        return NULL;
    }
    memcpy(shape, x->shape, (size_t)batch * sizeof *shape);
    shape[batch] = m->size;
    memcpy(shape + batch + 1, x->shape + x->ndim - dense, (size_t)dense * sizeof *shape);
    const agn_tensor *v = agni_reshape(s, x, batch + 1 + dense, shape);
    v = agni_gather_values(s, v, batch, agni_index_tensor(s, op, n, flat));
    return v ? agni_coo_new_in(s, op, p, v, dense) : NULL;
}

/* ---- public functions --------------------------------------------------------------------- */

static agn_status convert_layout(const char *op, agn_tensor **out, const agn_tensor *x, int layout)
{
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (x->layout == AGN_DENSE && x->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: a matrix is needed, x is %s with %d axes", op,
                         AGNI_SHAPE(x), x->ndim);
    agn_scope *s = agn_scope_open(NULL);
    if (x->layout == AGN_DENSE)
        x = dense_to_coo(s, op, x, x->ndim - 2, 0);
    return agni_return(op, s, out, agni_as_compressed(s, op, x, layout));
}
agn_status agn_sparse_to_csr(agn_tensor **out, const agn_tensor *x)
{
    return convert_layout("sparse_to_csr", out, x, AGN_CSR);
}
agn_status agn_sparse_to_csc(agn_tensor **out, const agn_tensor *x)
{
    return convert_layout("sparse_to_csc", out, x, AGN_CSC);
}
agn_status agn_sparse_from_dense(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED("sparse_from_dense", x);
    agn_status st = agni_require_dense(x, "sparse_from_dense");
    return st ? st : convert_layout("sparse_from_dense", out, x, AGN_CSR);
}

agn_status agn_sparse_to_coo(agn_tensor **out, const agn_tensor *x, int32_t sparse_dim)
{
    static const char op[] = "sparse_to_coo";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    int k = sparse_dim < 0 ? x->ndim : sparse_dim;
    if (k < 1 || k > x->ndim)
        return agni_fail(AGN_ESHAPE, "%s: %d sparse axes are not in 1 to the %d of %s", op, k,
                         x->ndim, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = NULL;
    if (x->layout == AGN_DENSE)
        y = dense_to_coo(s, op, x, 0, x->ndim - k);
    else if (sparse_dim < 0)
        y = agni_as_coo(s, op, x);
    else {
        y = agni_as_coo(s, op, x);
        if (y && (agni_coordinate_axes(y) != k || agni_entry_axis(y)))
            y = agni_as_pure_coo(s, op, y);
        if (y && agni_coordinate_axes(y) != k)
            y = agni_fail_null(s, agni_fail(AGN_EUNSUPPORTED,
                                            "%s: the %d sparse axes of %s do not become %d", op,
                                            agni_coordinate_axes(y), AGNI_SHAPE(x), k));
    }
    return agni_return(op, s, out, y);
}

agn_status agn_sparse_coalesce(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("sparse_coalesce", out);
    AGNI_NEED("sparse_coalesce", a);
    agn_scope *s = agn_scope_open(NULL);
    bool done = a->layout == AGN_CSR || a->layout == AGN_CSC;
    return agni_return("sparse_coalesce", s, out, done ? a : agni_as_coo(s, "sparse_coalesce", a));
}

agn_status agn_sparse_to_dense(agn_tensor **out, const agn_tensor *a)
{
    AGNI_NEED("sparse_to_dense", out);
    AGNI_NEED("sparse_to_dense", a);
    if (a->layout == AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED,
                         "sparse_to_dense: a is dense, a sparse one is needed: %s %s",
                         agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("sparse_to_dense", s, out, agni_as_dense(s, "sparse_to_dense", a));
}

agn_status agn_sparse_filled(agn_tensor **out, const agn_tensor *a, double value)
{
    static const char op[] = "sparse_filled";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    if (a->layout == AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a is dense, a sparse one is needed: %s %s", op,
                         agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_values_of(a);
    const agn_tensor *stored = agni_full(s, 1, AGN_BOOL, v->ndim, v->shape);
    stored = stored ? agni_as_dense(s, op, agni_with_values_in(s, op, a, stored)) : NULL;
    return agni_return(
        op, s, out,
        ag_where(s, stored, agni_as_dense(s, op, a), agni_full(s, value, a->dtype, 0, NULL)));
}
