/* sparse/iterative/expm_multiply.c - the exponential of a matrix times others, by Taylor series
   (Al-Mohy & Higham 2011): a composition of products, and differentiated as that. */
#include "sparse/iterative/linear_operator.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/eigen.h>
#include <math.h>
#include <string.h>

static const char op[] = "expm_multiply";

static agni_z load_element(const agn_tensor *v, int64_t e)
{
    switch (v->dtype) {
    case AGN_F32:
        return ((const float *)v->data)[e];
    case AGN_F64:
        return ((const double *)v->data)[e];
    case AGN_C64:
        return ((const float complex *)v->data)[e];
    default:
        return ((const double complex *)v->data)[e];
    }
}

/* calls with each stored entry (i, j) in turn: the trace, then sums of columns of A - shift */
static agn_status column_norm(const agni_linear_operator *o, const agn_tensor *v, double *shift,
                              double *norm)
{
    int64_t n = o->rows, nnz = o->pattern ? o->pattern->nnz : n * n;
    double *sum = agni_zalloc((size_t)(n + 1) * sizeof *sum), trace = 0;
    if (!sum)
        return agni_nomem(op, (size_t)n * sizeof *sum);
    for (int pass = 0; pass < 2; pass++) {
        int64_t i = 0;
        for (int64_t j = 0; pass && j < n; j++)
            sum[j] = fabs(*shift); /* of a diagonal that is not stored; put right below */
        for (int64_t e = 0; e < nnz; e++) {
            if (o->pattern)
                for (; e >= agni_row_begin(o->pattern, i + 1); i++)
                    ;
            else
                i = e / n;
            int64_t j = o->pattern ? agni_entry_col(o->pattern, e) : e % n;
            agni_z a = load_element(v, e);
            if (!pass)
                trace += i == j ? creal(a) : 0;
            else
                sum[j] += i == j ? cabs(a - *shift) - fabs(*shift) : cabs(a);
        }
        if (!pass)
            *shift = n ? trace / (double)n : 0;
    }
    *norm = 0;
    for (int64_t j = 0; j < n; j++)
        *norm = !(sum[j] <= *norm) ? sum[j] : *norm;
    agni_free(sum);
    return AGN_OK;
}

/* s steps of m terms each: |t A / s| <= 3, where no digit more than one is lost, and the rest of
   the series is below eps */
static void choose_terms(double size, double eps, int *s, int *m)
{
    *s = size > 3 ? (int)ceil(size / 3) : 1;
    double theta = size / *s, term = theta;
    for (*m = 1; term > eps * (1 - theta / (*m + 2)) && *m < 60; ++*m)
        term *= theta / (*m + 1);
}

static agn_status check_arguments(const agn_tensor *a, const agn_tensor *b, const agn_tensor *t,
                                  int *dtype)
{
    agn_status st = agni_require_dense(b, op);
    if (!st)
        st = agni_require_dense(t, op);
    if (st)
        return st;
    if (a->ndim != 2 || a->shape[0] != a->shape[1])
        return agni_fail(AGN_ESHAPE, "%s: a is %s with %d axes, a square matrix is needed", op,
                         AGNI_SHAPE(a), a->ndim);
    if (b->ndim < 1 || b->ndim > 2 || b->shape[0] != a->shape[0])
        return agni_fail(AGN_ESHAPE, "%s: rows differ: a is %s, b is %s", op, AGNI_SHAPE(a),
                         AGNI_SHAPE(b));
    if (t->ndim != 0 || agni_kind(t->dtype) == AGNI_KIND_COMPLEX || t->dtype == AGN_BOOL)
        return agni_fail(t->ndim ? AGN_ESHAPE : AGN_EDTYPE,
                         "%s: t is %s %s; a real number without axes is needed", op,
                         agni_dtypes[t->dtype].name, AGNI_SHAPE(t));
    *dtype = agni_promote(agni_promote(a->dtype, b->dtype), AGN_F32);
    return AGN_OK;
}

agn_status agn_expm_multiply(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                             const agn_tensor *t)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "expm_multiply", 3, (const agn_tensor *[]){a, b, t})) {
        agn_status st = h.st ? h.st : agn_expm_multiply(out ? &h.y[0] : NULL, h.in[0], h.in[1],
                                                        h.in[2]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, t);
    AGNI_BY_ROWS(op, a, agn_expm_multiply(out, a, b, t));
    int dtype = AGN_F64, s_ = 1, m = 1;
    double shift = 0, norm = 0, time = 0;
    agn_tensor *v = NULL;
    agn_status st = check_arguments(a, b, t, &dtype);
    if (st)
        return st;
    agni_linear_operator o = agni_linear_operator_of(a);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *values = agni_linear_operator_values(a), *x = NULL, *step, *term, *grow;
    if (values->dtype != dtype)
        values = agni_cast(s, values, dtype);
    if (values && !(st = agni_krylov_host_values(op, 1, &values, &v)))
        st = column_norm(&o, v, &shift, &norm);
    if (!st)
        st = agn_item_f64(&time, t);
    double size = fabs(time) * norm;
    if (!st && !(size <= 1e6 && isfinite(shift * time)))
        st = agni_fail(AGN_EDOMAIN, "%s: the norm of t a is %g, above %g", op, size, 1e6);
    if (!st) {
        choose_terms(size, dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p-25 : 0x1p-54, &s_, &m);
        int real = agni_dtypes[dtype].real;
        t = t->dtype == real ? t : agni_cast(s, t, real);
        step = ag_mul_c(s, t, 1.0 / s_);
        grow = ag_exp(s, ag_mul_c(s, step, shift));
        x = b->ndim == 1 ? agni_reshape(s, b, 2, (int64_t[]){b->shape[0], 1}) : b;
        x = x && x->dtype != dtype ? agni_cast(s, x, dtype) : x;
        for (int k = 0; k < s_ && !agn_scope_status(s); k++) {
            term = x;
            for (int j = 1; j <= m && !agn_scope_status(s); j++) {
                const agn_tensor *ax = agni_linear_operator_apply(s, &o, false, values, term);
                if (shift != 0)
                    ax = ag_sub(s, ax, ag_mul_c(s, term, shift));
                term = ag_mul(s, ax, ag_mul_c(s, step, 1.0 / j));
                x = ag_add(s, x, term);
            }
            x = ag_mul(s, x, grow);
        }
        if (x && b->ndim == 1)
            x = agni_reshape(s, x, 1, x->shape);
    }
    agn_scope_fail(s, st);
    agn_scope_return(s, out, x);
    agn_release(v);
    agni_linear_operator_release(&o);
    return agn_scope_close(s);
}
