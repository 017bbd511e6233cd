/* sparse/eigen/shift_invert.c - shift-invert: the matrix A - sigma M, and its inverse by a factor.
   */
#include "sparse/eigen/shift_invert.h"

#include <string.h>

/* rows of two matrices merged; b NULL: the identity. Each is counted first, then filled. */
typedef struct merge {
    const agni_wide *a, *b;
    const agn_tensor *va, *vb;
    double sigma;
    int64_t *indptr, *index;
    agni_z *v;
} merge;

static agni_z load_value(const agn_tensor *v, int64_t e)
{
    return v->dtype == AGN_C128 ? ((const agni_z *)v->data)[e] : ((const double *)v->data)[e];
}

static int64_t merge_rows(merge *m, int64_t n, bool fill)
{
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t e = m->a->indptr[i], end = m->a->indptr[i + 1];
        int64_t f = m->b ? m->b->indptr[i] : i, last = m->b ? m->b->indptr[i + 1] : i + 1;
        while (e < end || f < last) {
            int64_t p = e < end ? m->a->index[e] : INT64_MAX;
            int64_t q = f >= last ? INT64_MAX : m->b ? m->b->index[f] : f;
            if (fill) {
                m->index[at] = p < q ? p : q;
                m->v[at] = (p <= q ? load_value(m->va, e) : 0) -
                           (q <= p ? m->sigma * (m->vb ? load_value(m->vb, f) : 1) : 0);
            }
            at++;
            e += p <= q;
            f += q <= p;
        }
        if (fill)
            m->indptr[i + 1] = at;
    }
    return at;
}

/* n numbers, real where dtype is */
static agn_status to_tensor(agn_tensor **out, const char *op, int dtype, int64_t n, const agni_z *v)
{
    agn_status st = agni_tensor_make(out, op, dtype, 1, &n, AGN_CPU);
    for (int64_t e = 0; !st && e < n; e++) {
        if (dtype == AGN_C128)
            ((agni_z *)(*out)->data)[e] = v[e];
        else
            ((double *)(*out)->data)[e] = creal(v[e]);
    }
    return st;
}

/* pattern and values of A - sigma M */
static agn_status shift_matrix(agni_pattern **pattern, agn_tensor **values, const char *op,
                               const agni_linear_operator *a, const agn_tensor *va, double sigma,
                               const agni_linear_operator *b, const agn_tensor *vb)
{
    int64_t n = a->rows;
    merge m = {agni_pattern_wide(a->pattern), b ? agni_pattern_wide(b->pattern) : NULL, va, vb,
               sigma, NULL, NULL, NULL};
    if (!m.a || (b && !m.b))
        return agni_nomem(op, (size_t)a->pattern->nnz * sizeof(int64_t));
    int64_t nnz = merge_rows(&m, n, false);
    m.indptr = agni_zalloc((size_t)(n + 1) * sizeof *m.indptr);
    m.index = agni_alloc((size_t)(nnz + 1) * sizeof *m.index);
    m.v = agni_alloc((size_t)(nnz + 1) * sizeof *m.v);
    if (!m.indptr || !m.index || !m.v) {
        agni_free(m.indptr);
        agni_free(m.index);
        agni_free(m.v);
        return agni_nomem(op, (size_t)nnz * sizeof *m.v);
    }
    merge_rows(&m, n, true);
    int dtype = agni_promote(va->dtype, vb ? vb->dtype : va->dtype);
    agn_status st = to_tensor(values, op, dtype, nnz, m.v);
    agni_free(m.v);
    if (st) {
        agni_free(m.indptr);
        agni_free(m.index);
        return st;
    }
    return agni_pattern_new(pattern, n, n, m.indptr, m.index);
}

agn_status agni_shift_invert_factor(agn_sparse_factor **out, const char *op,
                                    const agni_linear_operator *a, const agn_tensor *va,
                                    double sigma, const agni_linear_operator *mass,
                                    const agn_tensor *vm)
{
    agni_pattern *p = NULL;
    agn_tensor *v = NULL, *matrix = NULL;
    if (!a->pattern || (mass && !mass->pattern))
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a dense matrix of %lld rows is not factored here; give solve", op,
                         (long long)a->rows);
    agn_status st = sigma == 0 ? agni_csr_new(&matrix, op, a->pattern, va)
                               : shift_matrix(&p, &v, op, a, va, sigma, mass, vm);
    if (!st && !matrix)
        st = agni_csr_new(&matrix, op, p, v);
    if (!st)
        st = agni_rename_error(op, agn_sparse_factor_new(out, matrix, NULL));
    if (p)
        agni_obj_release(&p->head);
    agn_release(v);
    agn_release(matrix);
    return st;
}

agn_status agni_shift_invert_solve(const agn_sparse_factor *f, int dtype, int64_t n, const void *px,
                                   void *py)
{
    agn_tensor *x = NULL, *y = NULL;
    agn_status st =
        agni_tensor_wrap(&x, "sparse_solve", dtype, 1, &n, NULL,
                         &(agni_memory){AGN_CPU, (void *)(uintptr_t)px, true, NULL, NULL});
    if (!st)
        st = agn_sparse_factor_solve(&y, f, x, false);
    if (!st)
        st = agn_to_host(py, y, (size_t)n * agn_dtype_size(dtype));
    agn_release(x);
    agn_release(y);
    return st;
}
