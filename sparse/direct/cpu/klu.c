/* sparse/direct/cpu/klu.c - LU of permuted block triangles by KLU (Davis & Natarajan 2010), which
   sees M = a^T by columns: a x = b is M^T x = b. */
#include "core/fork_mutex.h"
#include "sparse/direct/direct.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

typedef struct symbolic {
    klu_l_symbolic *what;
    const agni_wide *at;
} symbolic;

/* it has room for one solve at a time */
typedef struct numeric {
    klu_l_numeric *what;
    int parts;
    agni_mutex lock;
} numeric;

static void start_common(klu_l_common *cm, int order)
{
    klu_l_defaults(cm);
    cm->ordering = order == AGN_ORDER_COLAMD ? 1 : 0;
    cm->btf = order != AGN_ORDER_NATURAL;
}

static agn_status check_status(const char *op, const klu_l_common *cm, int64_t n, int64_t lane)
{
    switch (cm->status) {
    case KLU_OK:
        return AGN_OK;
    case KLU_OUT_OF_MEMORY:
    case KLU_TOO_LARGE:
        return agni_nomem(op, cm->mempeak);
    case KLU_SINGULAR:
        /* columns of M are our rows */
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld is singular: row %lld of %lld",
                         op, (long long)lane, (long long)cm->singular_col,
                         (long long)n);
    default:
        return agni_fail(AGN_EDOMAIN, "%s: KLU reports status %lld for matrix %lld", op,
                         (long long)cm->status, (long long)lane);
    }
}

static agn_status analyse_matrix(void **out, const char *op, const agni_pattern *p, int order)
{
    symbolic *s = agni_zalloc(sizeof *s);
    const agni_wide *at = agni_pattern_wide(p);
    if (!s || !at) {
        agni_free(s);
        return agni_nomem(op, (size_t)p->nnz * sizeof(int64_t));
    }
    klu_l_common cm;
    start_common(&cm, order);
    s->at = at;
    int64_t *index = (int64_t *)(uintptr_t)at->index,
            *begin = (int64_t *)(uintptr_t)at->indptr;
    if (order != AGN_ORDER_NATURAL) {
        s->what = klu_l_analyze(p->rows, begin, index, &cm);
    } else {
        int64_t *same = agni_alloc((size_t)p->rows * sizeof *same);
        for (int64_t k = 0; same && k < p->rows; k++)
            same[k] = k;
        s->what = same ? klu_l_analyze_given(p->rows, begin, index, same, same, &cm)
                       : NULL;
        cm.status = same ? cm.status : KLU_OUT_OF_MEMORY;
        agni_free(same);
    }
    agn_status st = s->what ? AGN_OK : check_status(op, &cm, p->rows, 0);
    if (st)
        agni_free(s);
    else
        *out = s;
    return st;
}

static void free_symbolic(void *user)
{
    symbolic *s = user;
    klu_l_common cm;
    start_common(&cm, 0);
    klu_l_free_symbolic(&s->what, &cm);
    agni_free(s);
}

static void free_numeric(void *user)
{
    numeric *n = user;
    klu_l_common cm;
    start_common(&cm, 0);
    if (n->what && n->parts == 2)
        klu_zl_free_numeric(&n->what, &cm);
    else if (n->what)
        klu_l_free_numeric(&n->what, &cm);
    agni_mutex_destroy(&n->lock);
    agni_free(n);
}

static agn_status factor_matrix(void **out, void *sym, const agni_direct_problem *a)
{
    symbolic *s = sym;
    numeric *n = agni_zalloc(sizeof *n);
    if (!n)
        return agni_nomem(a->op, sizeof *n);
    n->parts = a->parts;
    agni_mutex_init(&n->lock);
    klu_l_common cm;
    start_common(&cm, 0);
    int64_t *index = (int64_t *)(uintptr_t)s->at->index;
    int64_t *begin = (int64_t *)(uintptr_t)s->at->indptr;
    double *v = (double *)(uintptr_t)a->v;
    n->what = a->parts == 2 ? klu_zl_factor(begin, index, v, s->what, &cm)
                            : klu_l_factor(begin, index, v, s->what, &cm);
    agn_status st = check_status(a->op, &cm, a->p->rows, a->lane);
    if (st)
        free_numeric(n);
    else
        *out = n;
    return st;
}

static agn_status solve_columns(void *what, void *sym, const agni_direct_problem *a,
                                agni_direct_system system, int64_t k, const double *b, double *x)
{
    numeric *n = what;
    const symbolic *s = sym;
    int64_t rows = a->p->rows;
    klu_l_common cm;
    start_common(&cm, 0);
    memcpy(x, b, (size_t)(rows * k * n->parts) * sizeof *x);
    agni_mutex_lock(&n->lock);
    if (n->parts == 1 && system == AGNI_SOLVE_PLAIN)
        klu_l_tsolve(s->what, n->what, rows, k, x, &cm);
    else if (n->parts == 1)
        klu_l_solve(s->what, n->what, rows, k, x, &cm);
    else if (system == AGNI_SOLVE_PLAIN)
        klu_zl_tsolve(s->what, n->what, rows, k, x, 0, &cm);
    else
        klu_zl_solve(s->what, n->what, rows, k, x, &cm);
    agni_mutex_unlock(&n->lock);
    return check_status(a->op, &cm, rows, a->lane);
}

static double permutation_sign(const int64_t *p, int64_t n, bool *seen)
{
    double s = 1;
    for (int64_t i = 0; i < n; i++)
        seen[i] = false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; !seen[j]; j = p[j]) {
            seen[j] = true;
            s = p[j] == i ? s : -s; /* a cycle of length l is l - 1 exchanges */
        }
    return s;
}

/* (R^-1 M)(P, Q) is block triangular with the pivots on its diagonal */
static agn_status log_determinant(void *what, void *sym, const agni_direct_problem *a, double *log_,
                                  double *sign)
{
    const numeric *n = what;
    const symbolic *s = sym;
    const double *u = n->what->Udiag;
    double sum = 0, c[2] = {1, 0};
    bool *seen = agni_alloc((size_t)a->p->rows + 1);
    if (!seen)
        return agni_nomem(a->op, (size_t)a->p->rows);
    for (int64_t k = 0; k < a->p->rows; k++) {
        double re = u[k * n->parts], im = n->parts == 2 ? u[2 * k + 1] : 0,
               size = hypot(re, im);
        double was = c[0];
        sum += log(size) + (n->what->Rs ? log(n->what->Rs[k]) : 0);
        c[0] = (was * re - c[1] * im) / size;
        c[1] = (was * im + c[1] * re) / size;
    }
    double turn = permutation_sign(n->what->Pnum, a->p->rows, seen) *
                  permutation_sign(s->what->Q, a->p->rows, seen);
    agni_free(seen);
    *log_ = sum;
    if (sign) {
        sign[0] = turn * c[0];
        sign[1] = turn * c[1];
    }
    return AGN_OK;
}

const agni_method agni_klu = {.name = "klu",
                              .analyse = analyse_matrix,
                              .free_symbolic = free_symbolic,
                              .factor = factor_matrix,
                              .free_numeric = free_numeric,
                              .solve = solve_columns,
                              .det = log_determinant};
