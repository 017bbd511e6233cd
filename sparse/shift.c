/* sparse/shift.c - A - sigma M as a matrix of its own, and its inverse by a Cholesky factor. */
#include "sparse/shift.h"

#include <agnesi/ag.h>
#include <string.h>

/* rows of two matrices merged; b NULL: the identity. Each is counted first, then filled. */
typedef struct merge {
    const agni_wide *a, *b;
    const agn_tensor *va, *vb;
    double sigma;
    int64_t *indptr, *index;
    agni_z *v;
} merge;

static agni_z value(const agn_tensor *v, int64_t e)
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
                m->v[at] = (p <= q ? value(m->va, e) : 0) -
                           (q <= p ? m->sigma * (m->vb ? value(m->vb, f) : 1) : 0);
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
static agn_status tensor_of(agn_tensor **out, const char *op, int dtype, int64_t n, const agni_z *v)
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

static agn_status shifted(agni_inverse *q, const char *op, const agni_operand *a,
                          const agn_tensor *va, double sigma, const agni_operand *b,
                          const agn_tensor *vb)
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
    agn_status st = tensor_of(&q->values, op, dtype, nnz, m.v);
    agni_free(m.v);
    if (st) {
        agni_free(m.indptr);
        agni_free(m.index);
        return st;
    }
    return agni_pattern_new(&q->pattern, n, n, m.indptr, m.index);
}

static agn_status factorise(agni_inverse *q)
{
    agni_attr at = {.obj = &q->pattern->head};
    const agn_tensor *v = q->values;
    return agni_apply1(&agni_op_sparse_factor, &at, 1, &v, &q->factor);
}

agn_status agni_inverse_open(agni_inverse *q, const char *op, const agni_operand *a,
                             const agn_tensor *va, double sigma, const agni_operand *mass,
                             const agn_tensor *vm)
{
    *q = (agni_inverse){.sign = 1};
    if (!a->pattern || (mass && !mass->pattern))
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a dense matrix of %lld rows is not factored here; give solve", op,
                         (long long)a->rows);
    agn_status st = AGN_OK;
    if (sigma == 0) {
        q->pattern = (agni_pattern *)agni_obj_retain(&a->pattern->head);
        q->values = agni_tensor_ref(va);
    } else
        st = shifted(q, op, a, va, sigma, mass, vm);
    if (!st)
        st = factorise(q);
    if (st == AGN_EDOMAIN) { /* all its values may be negative */
        agn_tensor *v = q->values;
        q->values = NULL;
        q->sign = -1;
        st = agn_neg(&q->values, v);
        agn_release(v);
        if (!st)
            st = factorise(q);
        if (st == AGN_EDOMAIN)
            st = agni_fail(AGN_EDOMAIN,
                           "%s: a - sigma m is not definite for sigma %g, so it has no Cholesky "
                           "factor; give solve",
                           op, sigma);
    }
    if (st)
        agni_inverse_close(q);
    return st;
}

void agni_inverse_close(agni_inverse *q)
{
    if (q->pattern)
        agni_obj_release(&q->pattern->head);
    agn_release(q->values);
    agn_release(q->factor);
    *q = (agni_inverse){.sign = 1};
}

agn_status agni_inverse_apply(const agni_inverse *q, int dtype, const void *px, void *py)
{
    int64_t n = q->pattern->rows;
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = agni_tensor_over(
        &x, "sparse_solve", dtype, 2, (int64_t[]){n, 1}, NULL,
        &(agni_memory){AGN_CPU, (void *)(uintptr_t)px, true, NULL, NULL});
    const agn_tensor *in[3] = {q->factor, q->values, x};
    if (!st)
        st = agni_apply1(&agni_op_sparse_factor_solve, &(agni_attr){.obj = &q->pattern->head}, 3,
                         in, &y);
    if (!st)
        agni_mix_vectors(dtype, n, q->sign, y->data, 0, py);
    agn_release(x);
    agn_release(y);
    return st;
}
