/* sparse/direct/cpu/spqr.c - QR by SuiteSparseQR (Davis 2011): a D E = Q R with columns scaled to
   length 1 by D, so that the numerical rank does not depend on their units. */
#include "sparse/direct/cpu/cholmod.h"
#include "sparse/direct/direct.h"

#include <math.h>
#include <suitesparse/SuiteSparseQR_C.h>

typedef struct symbolic {
    const agni_transposed_pattern *t; /* columns */
    const agni_wide *at;
    int order;
} symbolic;

typedef struct numeric {
    SuiteSparseQR_C_factorization *what;
    int64_t rank;
    double *scale; /* [cols] D */
} numeric;

static agn_status fail_status(const agni_direct_problem *a, const cholmod_common *cm)
{
    if (agni_cholmod_nomem(cm))
        return agni_nomem(a->op, cm->memory_usage);
    return agni_fail(AGN_EDOMAIN, "%s: SuiteSparseQR reports status %d for matrix %lld",
                     a->op, cm->status, (long long)a->lane);
}

static agn_status analyse_matrix(void **out, const char *op, const agni_pattern *p, int order)
{
    static const int orders[] = {[AGN_ORDER_DEFAULT] = SPQR_ORDERING_DEFAULT,
                                 [AGN_ORDER_AMD] = SPQR_ORDERING_AMD,
                                 [AGN_ORDER_COLAMD] = SPQR_ORDERING_COLAMD,
                                 [AGN_ORDER_METIS] = SPQR_ORDERING_METIS,
                                 [AGN_ORDER_NATURAL] = SPQR_ORDERING_FIXED};
    symbolic *s = agni_zalloc(sizeof *s);
    const agni_transposed_pattern *t = agni_pattern_transposed(p);
    const agni_wide *at = t ? agni_pattern_wide(t->p) : NULL;
    if (!s || !at) {
        agni_free(s);
        return agni_nomem(op, (size_t)p->nnz * sizeof(int64_t));
    }
    *s = (symbolic){t, at, orders[order]};
    *out = s;
    return AGN_OK;
}

static void free_numeric(void *user)
{
    numeric *n = user;
    cholmod_common cm;
    agni_cholmod_start(&cm);
    if (n->what)
        SuiteSparseQR_C_free(&n->what, &cm);
    cholmod_l_finish(&cm);
    agni_free(n->scale);
    agni_free(n);
}

/* columns from rows, each brought to length 1 */
static void scale_columns(double *v, double *scale, const symbolic *s, const agni_direct_problem *a)
{
    size_t one = (size_t)a->parts * sizeof *v;
    for (int64_t j = 0; j < a->p->cols; j++) {
        int64_t first = agni_row_begin(s->t->p, j) * a->parts;
        int64_t last = agni_row_begin(s->t->p, j + 1) * a->parts;
        double most = 0, sum = 0;
        for (int64_t e = first; e < last; e += a->parts)
            memcpy(v + e, a->v + agni_transposed_entry(s->t, e / a->parts) * a->parts, one);
        for (int64_t e = first; e < last; e++)
            most = fmax(most, fabs(v[e]));
        for (int64_t e = first; e < last && most > 0; e++)
            sum += v[e] / most * (v[e] / most);
        scale[j] = most > 0 ? 1 / (most * sqrt(sum)) : 1;
        for (int64_t e = first; e < last; e++)
            v[e] *= scale[j];
    }
}

static agn_status factor_matrix(void **out, void *sym, const agni_direct_problem *a)
{
    const symbolic *s = sym;
    int64_t nnz = a->p->nnz;
    size_t one = (size_t)a->parts * sizeof(double);
    double *v = agni_alloc((size_t)(nnz ? nnz : 1) * one);
    numeric *n = agni_zalloc(sizeof *n);
    if (n)
        n->scale = agni_alloc((size_t)(a->p->cols + 1) * sizeof *n->scale);
    if (!v || !n || !n->scale) {
        agni_free(v);
        agni_free(n ? n->scale : NULL);
        agni_free(n);
        return agni_nomem(a->op, (size_t)nnz * one);
    }
    scale_columns(v, n->scale, s, a);
    cholmod_sparse m;
    memset(&m, 0, sizeof m);
    m.nrow = (size_t)a->p->rows;
    m.ncol = (size_t)a->p->cols;
    m.nzmax = (size_t)nnz;
    m.p = (void *)(uintptr_t)s->at->indptr;
    m.i = (void *)(uintptr_t)s->at->index;
    m.x = v;
    m.itype = CHOLMOD_LONG;
    m.xtype = a->parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
    m.dtype = CHOLMOD_DOUBLE;
    m.sorted = m.packed = 1;
    cholmod_common cm;
    agni_cholmod_start(&cm);
    int was = agni_omp_enter_single();
    n->what = SuiteSparseQR_C_factorize(s->order, SPQR_DEFAULT_TOL, &m, &cm);
    agni_omp_leave_single(was);
    n->rank = (int64_t)cm.SPQR_istat[4];
    agn_status st = n->what ? AGN_OK : fail_status(a, &cm);
    cholmod_l_finish(&cm);
    agni_free(v);
    if (st)
        free_numeric(n);
    else
        *out = n;
    return st;
}

static void multiply_scale(double *to, const double *x, const double *scale, int64_t n, int64_t k,
                           int parts)
{
    for (int64_t c = 0; c < k; c++)
        for (int64_t i = 0; i < n * parts; i++)
            to[c * n * parts + i] = x[c * n * parts + i] * scale[i / parts];
}

/* least squares: x = D E R^-1 Q^H b; A^H A x = b: x = D E R^-1 R^-H E^T D b; A^H x = b: x = Q R^-H
   E^T D b, of which A^T x = b is the conjugate */
static agn_status solve_columns(void *what, void *sym, const agni_direct_problem *a,
                                agni_direct_system system, int64_t k, const double *b, double *x)
{
    const numeric *n = what;
    int64_t m = a->p->rows, cols = a->p->cols, rows = system == AGNI_SOLVE_NORMAL ? cols : m;
    int parts = a->parts;
    (void)sym;
    if (n->rank < cols)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld is not of full rank: %lld of %lld", a->op,
                         (long long)a->lane, (long long)n->rank, (long long)cols);
    bool turn = system == AGNI_SOLVE_TRANSPOSED && parts == 2,
         by_columns = system != AGNI_SOLVE_LEAST_SQUARES && system != AGNI_SOLVE_PLAIN;
    double *own = by_columns ? agni_alloc((size_t)(parts * rows * k) * sizeof *own)
                             : NULL;
    if (by_columns && !own)
        return agni_nomem(a->op, (size_t)(parts * rows * k) * sizeof *own);
    if (by_columns)
        multiply_scale(own, b, n->scale, rows, k, parts);
    if (turn)
        agni_conjugate_into(own, own, rows * k);
    cholmod_common cm;
    agni_cholmod_start(&cm);
    cholmod_dense B = agni_cholmod_dense(rows, k, parts, own ? own : b), *y, *z = NULL;
    if (system == AGNI_SOLVE_NORMAL || system == AGNI_SOLVE_TRANSPOSED)
        y = SuiteSparseQR_C_solve(SPQR_RTX_EQUALS_ETB, n->what, &B, &cm);
    else
        y = SuiteSparseQR_C_qmult(SPQR_QTX, n->what, &B, &cm);
    if (y)
        z = system == AGNI_SOLVE_TRANSPOSED
                ? SuiteSparseQR_C_qmult(SPQR_QX, n->what, y, &cm)
                : SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, n->what, y, &cm);
    agn_status st = z ? AGN_OK : fail_status(a, &cm);
    if (!st)
        memcpy(x, z->x, (size_t)(cols * k * parts) * sizeof *x);
    if (!st && turn)
        agni_conjugate_into(x, x, cols * k);
    if (!st && system != AGNI_SOLVE_TRANSPOSED)
        multiply_scale(x, x, n->scale, cols, k, parts);
    cholmod_l_free_dense(&y, &cm);
    cholmod_l_free_dense(&z, &cm);
    cholmod_l_finish(&cm);
    agni_free(own);
    return st;
}

static int64_t numeric_rank(void *what)
{
    return ((numeric *)what)->rank;
}

const agni_method agni_spqr = {.name = "qr",
                               .analyse = analyse_matrix,
                               .free_symbolic = agni_free,
                               .factor = factor_matrix,
                               .free_numeric = free_numeric,
                               .solve = solve_columns,
                               .rank = numeric_rank};
