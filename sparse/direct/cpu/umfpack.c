/* sparse/direct/cpu/umfpack.c - LU with partial pivoting by UMFPACK (Davis 2004), which sees
   M = a^T by columns: a x = b is M^T x = b. */
#include "core/fork_mutex.h"
#include "sparse/direct/cpu/cholmod.h"
#include "sparse/direct/cpu/lu_solve.h"
#include "sparse/direct/direct.h"

#include <math.h>
#include <string.h>
#include <suitesparse/umfpack.h>

typedef struct symbolic {
    const agni_wide *at;
    agni_mutex lock; /* of what follows */
    void *what[2];        /* for real and for complex values; NULL: not analysed yet */
    double control[UMFPACK_CONTROL];
    int ordering; /* by CHOLMOD; < 0: UMFPACK's own */
} symbolic;

typedef struct numeric {
    void *what;
    int parts;
    agni_mutex lock; /* of what follows, and of what */
    agni_lu *lu;     /* from the first solve on, of a real one, in place of what; */
    double det[2];   /* and its determinant, det[0] 10^det[1] */
} numeric;

static agn_status check_status(const agni_direct_problem *a, int64_t code)
{
    switch (code) {
    case UMFPACK_OK:
    case UMFPACK_WARNING_determinant_underflow:
    case UMFPACK_WARNING_determinant_overflow:
        return AGN_OK;
    case UMFPACK_ERROR_out_of_memory:
    case UMFPACK_ERROR_ordering_failed: /* no pattern can make it fail */
        return agni_nomem(a->op, (size_t)a->p->nnz * sizeof(double));
    default:
        return agni_fail(AGN_EDOMAIN, "%s: UMFPACK reports status %lld for matrix %lld",
                         a->op, (long long)code, (long long)a->lane);
    }
}

/* Orderings that UMFPACK asks CHOLMOD for: it leaves CHOLMOD's workspace behind when that has no
   memory (umf_cholmod.c of 5.7 to 6.3). The order of columns, and of its factor's columns the
   longest, the entries and the flops. */
static int order_columns(SuiteSparse_long rows, SuiteSparse_long cols, SuiteSparse_long symmetric,
                         SuiteSparse_long *begin, SuiteSparse_long *index, SuiteSparse_long *perm,
                         void *ordering, double *info)
{
    cholmod_common cm;
    agni_cholmod_start(&cm);
    cm.supernodal = CHOLMOD_SIMPLICIAL;
    cm.nmethods = 1;
    cm.method[0].ordering = *(const int *)ordering;
    cm.postorder = cm.method[0].ordering != CHOLMOD_NATURAL;
    cholmod_sparse a = {.nrow = (size_t)rows, .ncol = (size_t)cols, .nzmax = (size_t)begin[cols],
                        .p = begin, .i = index, .stype = symmetric && rows == cols,
                        .itype = CHOLMOD_LONG, .xtype = CHOLMOD_PATTERN, .dtype = CHOLMOD_DOUBLE,
                        .packed = 1};
    cholmod_sparse *turned = a.stype ? NULL : cholmod_l_transpose(&a, 0, &cm);
    cholmod_factor *l = a.stype || turned ? cholmod_l_analyze(turned ? turned : &a, &cm) : NULL;
    info[0] = 1;
    info[1] = info[2] = 0;
    for (int64_t k = 0; l && k < cols; k++) {
        double count = (double)((const int64_t *)l->ColCount)[k];
        perm[k] = ((const int64_t *)l->Perm)[k];
        info[0] = fmax(info[0], count);
        info[1] += count;
        info[2] += count * count;
    }
    int good = l != NULL;
    cholmod_l_free_sparse(&turned, &cm);
    cholmod_l_free_factor(&l, &cm);
    cholmod_l_finish(&cm);
    return good;
}

static agn_status analyse_matrix(void **out, const char *op, const agni_pattern *p, int order)
{
    static const int orders[] = {[AGN_ORDER_DEFAULT] = UMFPACK_ORDERING_AMD,
                                 [AGN_ORDER_AMD] = UMFPACK_ORDERING_AMD,
                                 [AGN_ORDER_COLAMD] = UMFPACK_ORDERING_AMD,
                                 [AGN_ORDER_METIS] = UMFPACK_ORDERING_USER,
                                 [AGN_ORDER_NATURAL] = UMFPACK_ORDERING_USER};
    symbolic *s = agni_zalloc(sizeof *s);
    const agni_wide *at = agni_pattern_wide(p);
    if (!s || !at) {
        agni_free(s);
        return agni_nomem(op, (size_t)p->nnz * sizeof(int64_t));
    }
    s->at = at;
    agni_mutex_init(&s->lock);
    umfpack_dl_defaults(s->control);
    s->control[UMFPACK_PRL] = 0;
    s->control[UMFPACK_IRSTEP] = 0;
    s->control[UMFPACK_ORDERING] = orders[order];
    s->ordering = order == AGN_ORDER_METIS     ? CHOLMOD_METIS
                  : order == AGN_ORDER_NATURAL ? CHOLMOD_NATURAL
                                               : -1;
    if (order == AGN_ORDER_COLAMD)
        s->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    *out = s;
    return AGN_OK;
}

static void free_symbolic(void *user)
{
    symbolic *s = user;
    if (s->what[0])
        umfpack_dl_free_symbolic(&s->what[0]);
    if (s->what[1])
        umfpack_zl_free_symbolic(&s->what[1]);
    agni_mutex_destroy(&s->lock);
    agni_free(s);
}

static void free_numeric(void *user)
{
    numeric *n = user;
    if (n->what && n->parts == 2)
        umfpack_zl_free_numeric(&n->what);
    else if (n->what)
        umfpack_dl_free_numeric(&n->what);
    agni_lu_free(n->lu);
    agni_mutex_destroy(&n->lock);
    agni_free(n);
}

/* UMFPACK chooses its strategy by values, too: by those of the first factorisation */
static agn_status analyse_values(symbolic *s, const agni_direct_problem *a, void **what)
{
    int64_t n = a->p->rows, code = UMFPACK_OK;
    const int64_t *p = s->at->indptr, *i = s->at->index;
    agni_mutex_lock(&s->lock);
    void **to = &s->what[a->parts - 1];
    if (!*to && s->ordering >= 0)
        code = a->parts == 2 ? umfpack_zl_fsymbolic(n, n, p, i, a->v, NULL, order_columns,
                                                    &s->ordering, to, s->control, NULL)
                             : umfpack_dl_fsymbolic(n, n, p, i, a->v, order_columns, &s->ordering,
                                                    to, s->control, NULL);
    else if (!*to)
        code = a->parts == 2 ? umfpack_zl_symbolic(n, n, p, i, a->v, NULL, to, s->control, NULL)
                             : umfpack_dl_symbolic(n, n, p, i, a->v, to, s->control, NULL);
    *what = *to;
    agni_mutex_unlock(&s->lock);
    return check_status(a, code);
}

/* names the first column for which no pivot was left: a row of M */
static agn_status fail_singular(const agni_direct_problem *a, const numeric *n)
{
    int64_t size = a->p->rows, scaled = 0, nz = 0, column = -1, code;
    size_t bytes = (size_t)size * (sizeof(int64_t) + 2 * sizeof(double));
    double *d = agni_alloc(bytes);
    int64_t *row = (int64_t *)(void *)(d + 2 * size);
    if (!d)
        return agni_nomem(a->op, bytes);
    code = n->parts == 2 ? umfpack_zl_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                                  row, NULL, d, NULL, &scaled, NULL, n->what)
                         : umfpack_dl_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, row, NULL, d,
                                                  &scaled, NULL, n->what);
    for (int64_t k = 0; k < size && !code; k++) {
        double pivot = n->parts == 2 ? hypot(d[2 * k], d[2 * k + 1]) : fabs(d[k]);
        nz += pivot > 0;
        column = pivot > 0 || column >= 0 ? column : row[k];
    }
    agni_free(d);
    return code ? check_status(a, code)
                : agni_fail(
                      AGN_EDOMAIN,
                      "%s: matrix %lld is singular: no pivot for column %lld; %lld of %lld are "
                      "not 0",
                      a->op, (long long)a->lane, (long long)column, (long long)nz, (long long)size);
}

static agn_status factor_matrix(void **out, void *sym, const agni_direct_problem *a)
{
    symbolic *s = sym;
    void *what = NULL;
    numeric *n = agni_zalloc(sizeof *n);
    if (!n)
        return agni_nomem(a->op, sizeof *n);
    n->parts = a->parts;
    agni_mutex_init(&n->lock);
    const int64_t *p = s->at->indptr, *i = s->at->index;
    agn_status st = analyse_values(s, a, &what);
    if (!st) {
        int64_t code = a->parts == 2 ? umfpack_zl_numeric(p, i, a->v, NULL, what,
                                                          &n->what, s->control, NULL)
                                     : umfpack_dl_numeric(p, i, a->v, what, &n->what,
                                                          s->control, NULL);
        st = code == UMFPACK_WARNING_singular_matrix ? fail_singular(a, n) : check_status(a, code);
    }
    if (st)
        free_numeric(n);
    else
        *out = n;
    return st;
}

/* The factors as arrays, which take the place of UMFPACK's: every solve by them, so that the bits
   of a solution do not depend on how many there were. */
static agn_status find_factors(numeric *n, const agni_direct_problem *a, const agni_lu **out)
{
    agn_status st = AGN_OK;
    if (n->parts == 2)
        return AGN_OK;
    agni_mutex_lock(&n->lock);
    if (!n->lu) {
        agni_lu *lu = NULL;
        st = agni_lu_extract(&lu, a->op, a->p->rows, n->what);
        if (!st && lu)
            st = check_status(a, umfpack_dl_get_determinant(&n->det[0], &n->det[1], n->what, NULL));
        if (!st && lu) {
            umfpack_dl_free_numeric(&n->what);
            n->lu = lu;
        } else
            agni_lu_free(lu);
    }
    *out = n->lu;
    agni_mutex_unlock(&n->lock);
    return st;
}

static agn_status solve_columns(void *what, void *sym, const agni_direct_problem *a,
                                agni_direct_system system, int64_t k, const double *b, double *x)
{
    numeric *n = what;
    const symbolic *s = sym;
    const agni_lu *lu = NULL;
    agn_status st = find_factors(n, a, &lu);
    if (st)
        return st;
    int64_t rows = a->p->rows, code = UMFPACK_OK;
    const int64_t *p = s->at->indptr, *i = s->at->index;
    int sys = system == AGNI_SOLVE_PLAIN ? UMFPACK_Aat : UMFPACK_A;
    int64_t *wi = agni_alloc((size_t)rows * sizeof *wi);
    double *w = agni_alloc((size_t)(5 * rows * n->parts) * sizeof *w);
    if (!wi || !w)
        code = UMFPACK_ERROR_out_of_memory;
    for (int64_t c = 0; c < k && !code; c++, b += rows * n->parts, x += rows * n->parts)
        if (lu)
            agni_lu_solve(lu, system == AGNI_SOLVE_PLAIN, b, x, w);
        else
            code = n->parts == 2 ? umfpack_zl_wsolve(sys, p, i, a->v, NULL, x, NULL, b,
                                                 NULL, n->what, s->control, NULL, wi, w)
                             : umfpack_dl_wsolve(sys, p, i, a->v, x, b, n->what,
                                                 s->control, NULL, wi, w);
    agni_free(wi);
    agni_free(w);
    return check_status(a, code);
}

static agn_status log_determinant(void *what, void *sym, const agni_direct_problem *a, double *log_,
                                  double *sign)
{
    numeric *n = what;
    double m[2] = {0, 0}, e = 0;
    int64_t code = UMFPACK_OK;
    (void)sym;
    agni_mutex_lock(&n->lock);
    if (n->lu) {
        m[0] = n->det[0];
        e = n->det[1];
    } else
        code = n->parts == 2 ? umfpack_zl_get_determinant(m, NULL, &e, n->what, NULL)
                             : umfpack_dl_get_determinant(m, &e, n->what, NULL);
    agni_mutex_unlock(&n->lock);
    double size = n->parts == 2 ? hypot(m[0], m[1]) : fabs(m[0]);
    *log_ = log(size) + e * log(10);
    if (sign) {
        sign[0] = m[0] / size;
        sign[1] = m[1] / size;
    }
    return check_status(a, code);
}

const agni_method agni_umfpack = {.name = "lu",
                                  .analyse = analyse_matrix,
                                  .free_symbolic = free_symbolic,
                                  .factor = factor_matrix,
                                  .free_numeric = free_numeric,
                                  .solve = solve_columns,
                                  .det = log_determinant};
