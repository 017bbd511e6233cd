/* sparse/direct/cpu/spqr.c - QR by SuiteSparseQR (Davis 2011): a D E = Q R with columns scaled to
   length 1 by D, so that the numerical rank does not depend on their units. Where the rank is
   lower, the shortest solution needs a projection on the range of a^H: by a QR factorisation of
   that, made when it is asked for. */
#include "core/fork_mutex.h"
#include "sparse/direct/cpu/cholmod.h"
#include "sparse/direct/direct.h"

#include <math.h>
#include <suitesparse/SuiteSparseQR_C.h>

typedef struct symbolic {
    const agni_transposed_pattern *t; /* columns */
    const agni_wide *at, *rows; /* of a^T, of a */
    int order;
} symbolic;

typedef struct numeric {
    SuiteSparseQR_C_factorization *what;
    int64_t rank;
    double *scale; /* [cols] D */
    agni_mutex lock;
    SuiteSparseQR_C_factorization *adjoint; /* of a^H, its columns scaled, too; under the lock */
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
    const agni_wide *at = t ? agni_pattern_wide(t->p) : NULL, *rows = agni_pattern_wide(p);
    if (!s || !at || !rows) {
        agni_free(s);
        return agni_nomem(op, (size_t)p->nnz * sizeof(int64_t));
    }
    *s = (symbolic){t, at, rows, orders[order]};
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
    if (n->adjoint)
        SuiteSparseQR_C_free(&n->adjoint, &cm);
    cholmod_l_finish(&cm);
    agni_mutex_destroy(&n->lock);
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

/* columns at begin of numbers v, as CHOLMOD sees them */
static cholmod_sparse columns_view(int64_t rows, int64_t cols, const agni_wide *at, int64_t nnz,
                                   int parts, double *v)
{
    cholmod_sparse m;
    memset(&m, 0, sizeof m);
    m.nrow = (size_t)rows;
    m.ncol = (size_t)cols;
    m.nzmax = (size_t)nnz;
    m.p = (void *)(uintptr_t)at->indptr;
    m.i = (void *)(uintptr_t)at->index;
    m.x = v;
    m.itype = CHOLMOD_LONG;
    m.xtype = parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
    m.dtype = CHOLMOD_DOUBLE;
    m.sorted = m.packed = 1;
    return m;
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
    agni_mutex_init(&n->lock);
    scale_columns(v, n->scale, s, a);
    cholmod_sparse m = columns_view(a->p->rows, a->p->cols, s->at, nnz, a->parts, v);
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

/* rows of a, conjugated, each brought to length 1 */
static void scale_rows(double *v, const symbolic *s, const agni_direct_problem *a)
{
    for (int64_t i = 0; i < a->p->rows; i++) {
        int64_t first = s->rows->indptr[i] * a->parts, last = s->rows->indptr[i + 1] * a->parts;
        double most = 0, sum = 0;
        for (int64_t e = first; e < last; e++)
            most = fmax(most, fabs(a->v[e]));
        for (int64_t e = first; e < last && most > 0; e++)
            sum += a->v[e] / most * (a->v[e] / most);
        for (int64_t e = first; e < last; e++)
            v[e] = most > 0 ? a->v[e] / most / sqrt(sum) : 0;
        for (int64_t e = first + 1; a->parts == 2 && e < last; e += 2)
            v[e] = -v[e];
    }
}

/* the factorisation of a^H; its rank must be that of a */
static agn_status find_adjoint(numeric *n, const symbolic *s, const agni_direct_problem *a)
{
    agn_status st = AGN_OK;
    agni_mutex_lock(&n->lock);
    if (!n->adjoint) {
        int64_t nnz = a->p->nnz, rank = 0;
        size_t bytes = (size_t)((nnz + 1) * a->parts) * sizeof(double);
        double *v = agni_alloc(bytes);
        if (v) {
            scale_rows(v, s, a);
            cholmod_sparse m = columns_view(a->p->cols, a->p->rows, s->rows, nnz, a->parts, v);
            cholmod_common cm;
            agni_cholmod_start(&cm);
            int was = agni_omp_enter_single();
            n->adjoint = SuiteSparseQR_C_factorize(SPQR_ORDERING_DEFAULT, SPQR_DEFAULT_TOL, &m,
                                                   &cm);
            agni_omp_leave_single(was);
            rank = (int64_t)cm.SPQR_istat[4];
            st = n->adjoint ? AGN_OK : fail_status(a, &cm);
            if (!st && rank != n->rank) {
                st = agni_fail(
                    AGN_EDOMAIN,
                    "%s: matrix %lld is nearly of lower rank: %lld by columns, %lld by rows", a->op,
                    (long long)a->lane, (long long)n->rank, (long long)rank);
                SuiteSparseQR_C_free(&n->adjoint, &cm);
            }
            cholmod_l_finish(&cm);
        } else
            st = agni_nomem(a->op, bytes);
        agni_free(v);
    }
    agni_mutex_unlock(&n->lock);
    return st;
}

/* x [cols, k] projected on the range of a^H, in place */
static agn_status project_columns(numeric *n, const symbolic *s, const agni_direct_problem *a,
                                  int64_t k, double *x)
{
    int64_t cols = a->p->cols;
    int parts = a->parts;
    agn_status st = find_adjoint(n, s, a);
    if (st)
        return st;
    cholmod_common cm;
    agni_cholmod_start(&cm);
    cholmod_dense X = agni_cholmod_dense(cols, k, parts, x), *z = NULL;
    cholmod_dense *y = SuiteSparseQR_C_qmult(SPQR_QTX, n->adjoint, &X, &cm);
    for (int64_t c = 0; y && c < k; c++)
        memset((double *)y->x + (c * cols + n->rank) * parts, 0,
               (size_t)((cols - n->rank) * parts) * sizeof(double));
    if (y)
        z = SuiteSparseQR_C_qmult(SPQR_QX, n->adjoint, y, &cm);
    st = z ? AGN_OK : fail_status(a, &cm);
    if (!st)
        memcpy(x, z->x, (size_t)(cols * k * parts) * sizeof *x);
    cholmod_l_free_dense(&y, &cm);
    cholmod_l_free_dense(&z, &cm);
    cholmod_l_finish(&cm);
    return st;
}

static double largest_part(const double *x, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most))
            most = fabs(x[i]);
    return most;
}

/* Columns that are nearly dependent without any that tells (Kahan's matrix): x is then so long that
   rounding of the matrix, whose columns have length 1, moves more than is left of b. */
static agn_status check_growth(const agni_direct_problem *a, int64_t k, int64_t m, const double *b,
                               int64_t n, const double *x)
{
    for (int64_t c = 0; c < k; c++) {
        double from = largest_part(b + c * m * a->parts, m * a->parts);
        double to = largest_part(x + c * n * a->parts, n * a->parts);
        if (!(to * 0x1p-52 * sqrt((double)n) <= 1e-4 * from * sqrt((double)m)))
            return agni_fail(
                AGN_EDOMAIN,
                "%s: matrix %lld is nearly of lower rank: for a right-hand side of %.3g the "
                "solution is of size %.3g, by columns of length 1",
                a->op, (long long)a->lane, from, to);
    }
    return AGN_OK;
}

/* y = a x, or a^H x */
static void multiply_matrix(const agni_direct_problem *a, bool adjoint, const double *x, double *y)
{
    const agni_pattern *p = a->p;
    int parts = a->parts;
    double sign = adjoint ? -1 : 1;
    memset(y, 0, (size_t)((adjoint ? p->cols : p->rows) * parts) * sizeof *y);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
            int64_t j = agni_entry_col(p, e), to = adjoint ? j : i, from = adjoint ? i : j;
            const double *v = a->v + e * parts, *u = x + from * parts;
            if (parts == 1) {
                y[to] += v[0] * u[0];
                continue;
            }
            y[2 * to] += v[0] * u[0] - sign * v[1] * u[1];
            y[2 * to + 1] += v[0] * u[1] + sign * v[1] * u[0];
        }
}

/* Of lower rank: does x give the product that it gave before the projection (least), or that was
   asked for? Rows of very different lengths make of rounding what no residual can bear. */
static agn_status check_projection(const agni_direct_problem *a, bool norm, int64_t k,
                                   const double *x, const double *want, const double *b)
{
    int64_t rows = norm ? a->p->cols : a->p->rows, n = norm ? a->p->rows : a->p->cols;
    int64_t len = rows * a->parts;
    double *y = agni_alloc((size_t)(2 * len + 1) * sizeof *y), *z = y + len, off = 0, size = 0;
    if (!y)
        return agni_nomem(a->op, (size_t)(2 * len) * sizeof *y);
    for (int64_t c = 0; c < k; c++) {
        multiply_matrix(a, norm, x + c * n * a->parts, y);
        if (norm)
            memcpy(z, want + c * len, (size_t)len * sizeof *z);
        else
            multiply_matrix(a, norm, want + c * n * a->parts, z);
        for (int64_t i = 0; i < len; i++)
            y[i] -= z[i];
        off = fmax(off, largest_part(y, len));
        size = fmax(size, largest_part(b + c * len, len));
    }
    agni_free(y);
    return off <= 1e-8 * size
               ? AGN_OK
               : agni_fail(
                     AGN_EDOMAIN,
                     "%s: matrix %lld is of lower rank, and too badly scaled for the shortest "
                     "solution: products are off by %.3g of %.3g",
                     a->op, (long long)a->lane, off, size);
}

/* least squares: x = D E R^-1 Q^H b; A^H A x = b: x = D E R^-1 R^-H E^T D b; A^H x = b: x = Q R^-H
   E^T D b, of which A^T x = b is the conjugate. Of lower rank R is that of its columns alone, and
   a projection makes what is missing. */
static agn_status solve_columns(void *what, void *sym, const agni_direct_problem *a,
                                agni_direct_system system, int64_t k, const double *b, double *x)
{
    numeric *n = what;
    int64_t m = a->p->rows, cols = a->p->cols;
    int parts = a->parts;
    bool least = system == AGNI_SOLVE_LEAST_SQUARES, norm = system == AGNI_SOLVE_LEAST_NORM;
    if (n->rank < cols && !least && !norm)
        return agni_fail(AGN_EDOMAIN,
                         "%s: matrix %lld is not of full rank: %lld of %lld", a->op,
                         (long long)a->lane, (long long)n->rank, (long long)cols);
    bool turn = system == AGNI_SOLVE_TRANSPOSED && parts == 2;
    bool adjoint = system == AGNI_SOLVE_TRANSPOSED || norm;
    bool by_columns = adjoint || system == AGNI_SOLVE_NORMAL;
    int64_t rows = by_columns ? cols : m, to = adjoint ? m : cols;
    bool lower = n->rank < cols;
    size_t bytes = (size_t)(parts * cols * k + 1) * sizeof(double);
    double *own = by_columns ? agni_alloc(bytes) : NULL;
    double *plain = lower ? agni_alloc(bytes) : NULL; /* b, or x, on the other side of the projection */
    if ((by_columns && !own) || (lower && !plain)) {
        agni_free(own);
        agni_free(plain);
        return agni_nomem(a->op, bytes);
    }
    agn_status st = AGN_OK;
    if (norm && lower) {
        memcpy(plain, b, bytes - sizeof *b);
        st = project_columns(n, sym, a, k, plain);
    }
    if (by_columns)
        multiply_scale(own, norm && lower ? plain : b, n->scale, rows, k, parts);
    if (turn)
        agni_conjugate_into(own, own, rows * k);
    cholmod_common cm;
    agni_cholmod_start(&cm);
    cholmod_dense B = agni_cholmod_dense(rows, k, parts, own ? own : b), *y = NULL, *z = NULL;
    if (!st && by_columns)
        y = SuiteSparseQR_C_solve(SPQR_RTX_EQUALS_ETB, n->what, &B, &cm);
    else if (!st)
        y = SuiteSparseQR_C_qmult(SPQR_QTX, n->what, &B, &cm);
    if (y)
        z = adjoint ? SuiteSparseQR_C_qmult(SPQR_QX, n->what, y, &cm)
                    : SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, n->what, y, &cm);
    if (!st)
        st = z ? AGN_OK : fail_status(a, &cm);
    if (!st && (least || norm))
        st = check_growth(a, k, rows, own ? own : b, to, z->x);
    if (!st)
        memcpy(x, z->x, (size_t)(to * k * parts) * sizeof *x);
    if (!st && turn)
        agni_conjugate_into(x, x, to * k);
    if (!st && !adjoint)
        multiply_scale(x, x, n->scale, cols, k, parts);
    cholmod_l_free_dense(&y, &cm);
    cholmod_l_free_dense(&z, &cm);
    cholmod_l_finish(&cm);
    if (!st && least && lower) {
        memcpy(plain, x, bytes - sizeof *x);
        st = project_columns(n, sym, a, k, x);
    }
    if (!st && lower)
        st = check_projection(a, norm, k, x, plain, b);
    agni_free(own);
    agni_free(plain);
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
