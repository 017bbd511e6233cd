/* sparse/cpu/cholesky.c - sparse Cholesky factors and solves over CHOLMOD (Chen, Davis,
   Hager & Rajamanickam 2008). The structure of a factor depends on the pattern alone
   and is kept with it; its numbers are an ordinary array, so a factor is an ordinary
   tensor. CHOLMOD chooses by the pattern whether columns stand alone or in dense blocks
   (supernodes).

   CHOLMOD takes columns where we have rows: it sees a^T, and of that the upper
   triangle, our lower one. For a Hermitian matrix a^T is conj(a): right-hand sides and
   solutions of complex systems are conjugated on their way. */
#include "sparse/cpu/cholmod.h"
#include "sparse/sparse.h"

#include <complex.h>
#include <math.h>

#ifdef SuiteSparse_long /* version 7 has int64_t itself */
_Static_assert(sizeof(SuiteSparse_long) == sizeof(int64_t),
               "patterns are given as they are");
#endif

/* Quiet, without METIS; columns that stand alone give l l^H without gaps. */
static void start(cholmod_common *cm)
{
    agni_cholmod_start(cm);
    cm->supernodal = CHOLMOD_AUTO;
    cm->final_asis = 0;
    cm->final_super = 1;
    cm->final_ll = 1;
    cm->final_pack = 1;
    cm->final_monotonic = 1;
    cm->final_resymbol = 0;
    cm->nmethods = 1;
    cm->method[0].ordering = CHOLMOD_AMD;
    cm->postorder = 1;
    cm->quick_return_if_not_posdef = 1;
}

static cholmod_sparse columns_of(const agni_pattern *p, const agni_wide *w, int xtype,
                                 void *values)
{
    cholmod_sparse a;
    memset(&a, 0, sizeof a);
    a.nrow = a.ncol = (size_t)p->rows;
    a.nzmax = (size_t)p->nnz;
    a.p = (void *)(uintptr_t)w->indptr;
    a.i = (void *)(uintptr_t)w->index;
    a.x = values;
    a.stype = 1;
    a.itype = CHOLMOD_LONG;
    a.xtype = xtype;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = a.packed = 1;
    return a;
}

/* ---- analysis -------------------------------------------------------------------- */

struct agni_analysis {
    cholmod_factor *l;   /* structure without numbers */
    bool whole;          /* both triangles are stored */
    int64_t size;        /* numbers of a factor */
    int64_t *start;      /* columns that stand alone: where each begins, [n + 1] */
    const agni_wide *at; /* of the pattern */
    _Atomic(int64_t *)
        index; /* and their rows, [size]: known after the first factorisation */
};

void agni_analysis_free(agni_analysis *a)
{
    if (!a)
        return;
    cholmod_common cm;
    start(&cm);
    cholmod_l_free_factor(&a->l, &cm);
    cholmod_l_finish(&cm);
    agni_free(a->start);
    agni_free(atomic_load(&a->index));
    agni_free(a);
}

/* an entry above the diagonal whose mirror image is not stored */
static agn_status lonely(const agni_pattern *p, const agni_turned *t)
{
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t f = agni_begin(t->p, i);
        for (int64_t e = agni_begin(p, i); e < agni_begin(p, i + 1); e++) {
            while (f < agni_begin(t->p, i + 1) && agni_col(t->p, f) < agni_col(p, e))
                f++;
            if (agni_col(p, e) > i &&
                (f == agni_begin(t->p, i + 1) || agni_col(t->p, f) != agni_col(p, e)))
                return agni_fail(
                    AGN_EARG,
                    "sparse_solve: the pattern is neither symmetric nor lower "
                    "triangular: entry [%lld,%lld] without [%lld,%lld]",
                    (long long)i, (long long)agni_col(p, e), (long long)agni_col(p, e),
                    (long long)i);
        }
    }
    return agni_fail(
        AGN_EARG,
        "sparse_solve: the pattern of %lld entries is neither symmetric nor lower "
        "triangular (order %lld)",
        (long long)p->nnz, (long long)p->rows);
}

static agn_status check_structure(const agni_pattern *p, bool *whole)
{
    if (p->rows != p->cols)
        return agni_fail(AGN_ESHAPE,
                         "sparse_solve: a square matrix is needed, a is [%lld,%lld]",
                         (long long)p->rows, (long long)p->cols);
    bool lower = true;
    for (int64_t i = 0; i < p->rows && lower; i++) /* sorted: the last one tells */
        lower = agni_begin(p, i) == agni_begin(p, i + 1) ||
                agni_col(p, agni_begin(p, i + 1) - 1) <= i;
    *whole = !lower;
    if (lower)
        return AGN_OK;
    const agni_turned *t = agni_pattern_turned(p);
    if (!t)
        return agni_nomem("sparse_solve", (size_t)p->nnz * 2 * sizeof(int64_t));
    if (!p->head.type->equal(&p->head, &t->p->head))
        return lonely(p, t);
    return AGN_OK;
}

/* where columns begin, and how many numbers there are */
static agn_status measure(agni_analysis *a)
{
    int64_t n = (int64_t)a->l->n;
    const int64_t *count = a->l->ColCount;
    a->size = (int64_t)a->l->xsize;
    if (a->l->is_super)
        return AGN_OK;
    if (!(a->start = agni_alloc((size_t)(n + 1) * sizeof *a->start)))
        return agni_nomem("sparse_solve", (size_t)n * sizeof *a->start);
    a->start[0] = 0;
    for (int64_t j = 0; j < n; j++)
        a->start[j + 1] = a->start[j] + count[j];
    a->size = a->start[n];
    return AGN_OK;
}

static agn_status analysed(const agni_pattern *p, agni_analysis **out)
{
    agni_csr_pattern *q = agni_inside(p);
    agni_analysis *a = atomic_load(&q->analysis), *none = NULL;
    *out = a;
    if (a)
        return AGN_OK;
    bool whole;
    agn_status st = check_structure(p, &whole);
    if (st)
        return st;
    const agni_wide *at = agni_pattern_wide(p);
    if (!at || !(a = agni_zalloc(sizeof *a)))
        return agni_nomem("sparse_solve", (size_t)p->nnz * sizeof(int64_t));
    a->whole = whole;
    a->at = at;
    atomic_init(&a->index, NULL);
    cholmod_common cm;
    start(&cm);
    cholmod_sparse m = columns_of(p, at, CHOLMOD_PATTERN, NULL);
    int was = agni_alone();
    a->l = cholmod_l_analyze(&m, &cm);
    agni_together(was);
    st = a->l ? measure(a) : agni_cholmod_failed("sparse_solve", &cm);
    cholmod_l_finish(&cm);
    if (st || !atomic_compare_exchange_strong(&q->analysis, &none, a)) {
        agni_analysis_free(a);
        a = none;
    }
    *out = a;
    return st;
}

agn_status agni_analysis_get(const agni_pattern *p, int64_t *size)
{
    agni_analysis *a = NULL;
    if (p->rows == 0 && p->cols == 0) {
        *size = 0;
        return AGN_OK;
    }
    agn_status st = analysed(p, &a);
    if (!st)
        *size = a->size;
    return st;
}

/* ---- factoring ------------------------------------------------------------------- */

/* parts of entry e: two for complex values */
static double part(const double *v, int64_t e, int parts, int k)
{
    return v[e * parts + k];
}

/* Finite, and where both triangles are stored each the conjugate of the other, to half
   of the digits relative to the diagonal: a solve that reads one triangle must not
   answer for another matrix. */
static agn_status check_entries(const agni_pattern *p, const agni_analysis *a,
                                const double *v, int parts, int64_t batch)
{
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_begin(p, i); e < agni_begin(p, i + 1); e++)
            for (int k = 0; k < parts; k++)
                if (!isfinite(part(v, e, parts, k)))
                    return agni_fail(
                        AGN_EDOMAIN,
                        "sparse_solve: matrix %lld is not finite: entry [%lld,%lld]",
                        (long long)batch, (long long)i, (long long)agni_col(p, e));
    if (!a->whole)
        return AGN_OK;
    const agni_turned *t = agni_pattern_turned(
        p); /* it is there: the structure was checked */
    if (!t)
        return agni_nomem("sparse_solve", (size_t)p->nnz * 2 * sizeof(int64_t));
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_begin(p, i);
             e < agni_begin(p, i + 1) && agni_col(p, e) < i; e++) {
            int64_t m = agni_from(t, e);
            double off = fabs(part(v, e, parts, 0) - part(v, m, parts, 0));
            if (parts == 2)
                off = fmax(off, fabs(part(v, e, 2, 1) + part(v, m, 2, 1)));
            double size = fabs(part(v, e, parts, 0)) + fabs(part(v, m, parts, 0));
            if (parts == 2)
                size += fabs(part(v, e, 2, 1)) + fabs(part(v, m, 2, 1));
            if (off > 1e-5 * size)
                return agni_fail(
                    AGN_EDOMAIN,
                    "sparse_solve: matrix %lld is not symmetric: entries [%lld,%lld] "
                    "and its mirror image differ by %.3g",
                    (long long)batch, (long long)i, (long long)agni_col(p, e), off);
        }
    return AGN_OK;
}

/* Columns that stand alone into one array, and their rows where nobody has them yet.
   They have the length the analysis foresaw: CHOLMOD drops no entry, be it 0. */
static agn_status take_columns(agni_analysis *a, const cholmod_factor *l, int parts,
                               double *to)
{
    const int64_t *p = l->p, *nz = l->nz, *row = l->i;
    int64_t *index = NULL, *none = NULL, n = (int64_t)l->n;
    if (!atomic_load(&a->index) &&
        !(index = agni_alloc((size_t)a->size * sizeof *index)))
        return agni_nomem("sparse_solve", (size_t)a->size * sizeof *index);
    for (int64_t j = 0; j < n; j++) {
        int64_t at = a->start[j], m = a->start[j + 1] - at;
        if (nz[j] != m) {
            agni_free(index);
            return agni_fail(AGN_EDOMAIN,
                             "sparse_solve: column %lld of the factor has %lld entries",
                             (long long)j, (long long)nz[j]);
        }
        memcpy(to + at * parts, (const double *)l->x + p[j] * parts,
               (size_t)(m * parts) * sizeof *to);
        if (index)
            memcpy(index + at, row + p[j], (size_t)m * sizeof *index);
    }
    if (index && !atomic_compare_exchange_strong(&a->index, &none, index))
        agni_free(index);
    return AGN_OK;
}

static agn_status factor(const agni_pattern *p, agni_analysis *a, double *v, int parts,
                         double *to, int64_t batch)
{
    agn_status st = AGN_OK;
    cholmod_common cm;
    start(&cm);
    cholmod_sparse m = columns_of(p, a->at, parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL,
                                  v);
    cholmod_factor *l = cholmod_l_copy_factor(a->l, &cm);
    int was = agni_alone();
    bool good = l && cholmod_l_factorize(&m, l, &cm) && cm.status >= 0;
    agni_together(was);
    if (!good) {
        st = agni_cholmod_failed("sparse_solve", &cm);
    } else if (l->minor < l->n) {
        const int64_t *perm = l->Perm;
        st = agni_fail(
            AGN_EDOMAIN,
            "sparse_solve: matrix %lld is not positive definite: column %lld of %lld",
            (long long)batch, (long long)(perm ? perm[l->minor] : (long long)l->minor),
            (long long)l->n);
    } else if (l->is_super) {
        memcpy(to, l->x, (size_t)(a->size * parts) * sizeof *to);
    } else {
        st = take_columns(a, l, parts, to);
    }
    cholmod_l_free_factor(&l, &cm);
    cholmod_l_finish(&cm);
    return st;
}

static double *real_diagonal(const agni_pattern *p, const double *v, double *to)
{
    memcpy(to, v, (size_t)p->nnz * 2 * sizeof *to);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_begin(p, i); e < agni_begin(p, i + 1); e++)
            if (agni_col(p, e) == i)
                to[2 * e + 1] = 0;
    return to;
}

agn_status agni_cpu_factor(const agn_kernel_call *c)
{
    const agn_array *v = c->in, *y = c->out;
    const agni_pattern *p = c->object;
    int parts = v->dtype == AGN_C128 ? 2 : 1;
    int64_t batch = 1, size = y->shape[y->ndim - 1];
    for (int d = 0; d < y->ndim - 1; d++)
        batch *= y->shape[d];
    if (p->rows == 0 || batch == 0)
        return AGN_OK;
    agni_analysis *a = NULL;
    agn_status st = analysed(p, &a);
    double *real = NULL; /* complex values with a real diagonal: CHOLMOD asks for it */
    if (!st && parts == 2 && !(real = agni_alloc((size_t)p->nnz * 2 * sizeof *real)))
        st = agni_nomem("sparse_solve", (size_t)p->nnz * 2 * sizeof *real);
    for (int64_t b = 0; !st && b < batch; b++) {
        double *x = (double *)v->data + b * p->nnz * parts;
        st = check_entries(p, a, x, parts, b);
        if (!st && real)
            x = real_diagonal(p, x, real);
        if (!st)
            st = factor(p, a, x, parts, (double *)y->data + b * size * parts, b);
    }
    agni_free(real);
    return st;
}

/* ---- solving --------------------------------------------------------------------- */

/* Rows of a right-hand side [n, k] in the factor's order, entry [i, j] at i rs + j cs,
   and back. */
typedef struct order {
    const int64_t *perm;
    int64_t n, k, rs, cs;
    int parts;
} order;
static void into(double *y, const double *b, const order *o)
{
    for (int64_t i = 0; i < o->n; i++) {
        const double *row = b + o->perm[i] * o->k * o->parts;
        for (int64_t j = 0; j < o->k; j++) {
            double *to = y + (i * o->rs + j * o->cs) * o->parts;
            to[0] = row[j * o->parts];
            if (o->parts == 2)
                to[1] = -row[2 * j + 1];
        }
    }
}
static void back(double *x, const double *y, const order *o)
{
    for (int64_t i = 0; i < o->n; i++) {
        double *row = x + o->perm[i] * o->k * o->parts;
        for (int64_t j = 0; j < o->k; j++) {
            const double *from = y + (i * o->rs + j * o->cs) * o->parts;
            row[j * o->parts] = from[0];
            if (o->parts == 2)
                row[2 * j + 1] = -from[1];
        }
    }
}

/* l l^H y = y for columns that stand alone, each with its diagonal first; y row-major
   */
#define SOLVE(name, T, CONJ)                                                       \
    static void name(const int64_t *start, const int64_t *index, const T *l, T *y, \
                     int64_t n, int64_t k)                                         \
    {                                                                              \
        for (int64_t j = 0; j < n; j++) {                                          \
            T *yj = y + j * k, d = l[start[j]];                                    \
            for (int64_t c = 0; c < k; c++)                                        \
                yj[c] /= d;                                                        \
            for (int64_t e = start[j] + 1; e < start[j + 1]; e++)                  \
                for (int64_t c = 0; c < k; c++)                                    \
                    y[index[e] * k + c] -= l[e] * yj[c];                           \
        }                                                                          \
        for (int64_t j = n - 1; j >= 0; j--) {                                     \
            T *yj = y + j * k, d = l[start[j]];                                    \
            for (int64_t e = start[j] + 1; e < start[j + 1]; e++)                  \
                for (int64_t c = 0; c < k; c++)                                    \
                    yj[c] -= CONJ(l[e]) * y[index[e] * k + c];                     \
            for (int64_t c = 0; c < k; c++)                                        \
                yj[c] /= d;                                                        \
        }                                                                          \
    }
#define SAME(x) (x)
SOLVE(columns_f64, double, SAME)
SOLVE(columns_c128, double complex, conj)

/* Rows of columns that stand alone, where no factor of this pattern was made yet: some
   definite matrix is factored for them. */
static agn_status need_rows(const agni_pattern *p, agni_analysis *a)
{
    if (a->l->is_super || atomic_load(&a->index))
        return AGN_OK;
    double *v = agni_alloc((size_t)(p->nnz + a->size) * sizeof *v);
    if (!v)
        return agni_nomem("sparse_solve", (size_t)(p->nnz + a->size) * sizeof *v);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_begin(p, i); e < agni_begin(p, i + 1); e++)
            v[e] = agni_col(p, e) == i ? 2 * (double)p->rows : 1;
    agn_status st = factor(p, a, v, 1, v + p->nnz, 0);
    agni_free(v);
    return st;
}

agn_status agni_cpu_factor_solve(const agn_kernel_call *c)
{
    const agn_array *l = c->in, *rhs = c->in + 2, *y = c->out;
    const agni_pattern *p = c->object;
    int parts = y->dtype == AGN_C128 ? 2 : 1,
        xtype = parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
    int64_t n = y->shape[y->ndim - 2], k = y->shape[y->ndim - 1], batch = 1;
    for (int d = 0; d < y->ndim - 2; d++)
        batch *= y->shape[d];
    if (n * k * batch == 0)
        return AGN_OK;
    agni_analysis *a = NULL;
    agn_status st = analysed(p, &a);
    if (st)
        return st;
    if ((st = need_rows(p, a)))
        return st;
    bool super = a->l->is_super;
    int64_t wide = super && a->l->maxesize ? (int64_t)a->l->maxesize : 1;
    int64_t room = (n + wide) * k * parts;
    double *work = agni_alloc((size_t)room * sizeof *work);
    if (!work)
        return agni_nomem("sparse_solve", (size_t)room * sizeof *work);
    order o = {a->l->Perm, n, k, super ? 1 : k, super ? n : 1, parts};
    cholmod_common cm;
    start(&cm);
    cholmod_factor f = *a->l; /* the structure, with the numbers given */
    f.xtype = xtype;
    f.dtype = CHOLMOD_DOUBLE;
    f.minor = f.n;
    cholmod_dense X = agni_cholmod_dense(n, k, parts, work);
    cholmod_dense E = agni_cholmod_dense(wide, k, parts,
                                         work + n * k * parts);
    for (int64_t b = 0; !st && b < batch; b++) {
        f.x = (double *)l->data + agni_part_of(l, 1, y, 2, b) * parts;
        into(work, (const double *)rhs->data + agni_part_of(rhs, 2, y, 2, b) * parts, &o);
        if (!super && parts == 1)
            columns_f64(a->start, atomic_load(&a->index), f.x, work, n, k);
        else if (!super)
            columns_c128(a->start, atomic_load(&a->index), f.x,
                         (double complex *)(void *)work, n, k);
        else if (!cholmod_l_super_lsolve(&f, &X, &E, &cm) ||
                 !cholmod_l_super_ltsolve(&f, &X, &E, &cm))
            st = agni_cholmod_failed("sparse_solve", &cm);
        if (!st)
            back((double *)y->data + b * n * k * parts, work, &o);
    }
    cholmod_l_finish(&cm);
    agni_free(work);
    return st;
}
