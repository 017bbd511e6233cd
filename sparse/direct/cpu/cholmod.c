/* sparse/direct/cpu/cholmod.c - Cholesky and L D L^H by CHOLMOD (Chen, Davis, Hager &
   Rajamanickam 2008).

   CHOLMOD takes columns where we have rows: it sees M = a^T and reads its upper triangle, the
   lower one of a. For a Hermitian matrix M is conj(a): a x = b is M conj(x) = conj(b), and
   a^T x = b is M x = b. */
#include "sparse/direct/cpu/supernodal_solve.h"
#include "sparse/direct/direct.h"

#include <complex.h>
#include <math.h>
#include <pthread.h>

/* LOWER: entries above the diagonal are not read and may be missing */
typedef enum kind { LL, LDL, LOWER } kind;

static void start_common(cholmod_common *cm, kind by, int order)
{
    agni_cholmod_start(cm);
    cm->supernodal = by == LDL ? CHOLMOD_SIMPLICIAL : CHOLMOD_AUTO;
    cm->final_ll = by != LDL;
    cm->nmethods = 1;
    cm->method[0].ordering = order == AGN_ORDER_METIS     ? CHOLMOD_METIS
                             : order == AGN_ORDER_NATURAL ? CHOLMOD_NATURAL
                                                          : CHOLMOD_AMD;
    cm->postorder = 1;
    cm->quick_return_if_not_posdef = 1;
}

typedef struct symbolic {
    cholmod_factor *l; /* structure without numbers */
    const agni_wide *at;
    kind by;
    agni_mirror_map images; /* none where nothing is stored above the diagonal */
    pthread_mutex_t lock; /* of what follows */
    cholmod_common cm;    /* with its workspace, for one at a time */
} symbolic;

/* the settings and workspace of s, or own while another thread uses those */
static cholmod_common *acquire_common(symbolic *s, cholmod_common *own)
{
    if (!pthread_mutex_trylock(&s->lock))
        return &s->cm;
    start_common(own, s->by, 0);
    return own;
}
static void release_common(symbolic *s, cholmod_common *cm)
{
    bool kept = cm == &s->cm, failed = cm->status < CHOLMOD_OK;
    if (!kept || failed)
        cholmod_l_finish(cm);
    if (kept && failed)
        start_common(cm, s->by, 0);
    cm->memory_usage = cm->memory_inuse = 0; /* factors are freed elsewhere */
    if (kept)
        pthread_mutex_unlock(&s->lock);
}

static cholmod_sparse matrix_view(const agni_pattern *p, const agni_wide *at, int parts,
                                  const double *v)
{
    cholmod_sparse m;
    memset(&m, 0, sizeof m);
    m.nrow = m.ncol = (size_t)p->rows;
    m.nzmax = (size_t)p->nnz;
    m.p = (void *)(uintptr_t)at->indptr;
    m.i = (void *)(uintptr_t)at->index;
    m.x = (void *)(uintptr_t)v;
    m.stype = 1;
    m.itype = CHOLMOD_LONG;
    m.xtype = !v ? CHOLMOD_PATTERN : parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
    m.dtype = CHOLMOD_DOUBLE;
    m.sorted = m.packed = 1;
    return m;
}

static void free_symbolic(void *user)
{
    symbolic *s = user;
    cholmod_l_free_factor(&s->l, &s->cm);
    cholmod_l_finish(&s->cm);
    pthread_mutex_destroy(&s->lock);
    agni_mirror_map_free(&s->images);
    agni_free(s);
}

static bool lower_triangular(const agni_pattern *p)
{
    for (int64_t i = 0; i < p->rows; i++) /* sorted: the last one tells */
        if (agni_row_begin(p, i) < agni_row_begin(p, i + 1) &&
            agni_entry_col(p, agni_row_begin(p, i + 1) - 1) > i)
            return false;
    return true;
}

static agn_status analyse_matrix(void **out, const char *op, const agni_pattern *p, int order,
                                 kind by)
{
    symbolic *s = agni_zalloc(sizeof *s);
    const agni_wide *at = agni_pattern_wide(p);
    if (!s || !at) {
        agni_free(s);
        return agni_nomem(op, (size_t)p->nnz * sizeof(int64_t));
    }
    s->at = at;
    s->by = by;
    pthread_mutex_init(&s->lock, NULL);
    start_common(&s->cm, by, order);
    bool half = by == LOWER && lower_triangular(p);
    agn_status st = half ? AGN_OK : agni_mirror_entries(&s->images, op, p);
    if (!st) {
        cholmod_sparse m = matrix_view(p, at, 1, NULL);
        int was = agni_omp_enter_single();
        s->l = cholmod_l_analyze(&m, &s->cm);
        agni_omp_leave_single(was);
    }
    if (!st && !s->l)
        st = agni_cholmod_failed(op, &s->cm);
    if (st)
        free_symbolic(s);
    else
        *out = s;
    return st;
}
static agn_status analyse_ll(void **out, const char *op, const agni_pattern *p,
                             int order)
{
    return analyse_matrix(out, op, p, order, LL);
}
static agn_status analyse_ldl(void **out, const char *op, const agni_pattern *p,
                              int order)
{
    return analyse_matrix(out, op, p, order, LDL);
}
static agn_status analyse_lower(void **out, const char *op, const agni_pattern *p,
                                int order)
{
    return analyse_matrix(out, op, p, order, LOWER);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void free_numeric(void *user)
{
    cholmod_factor *l = user;
    cholmod_common cm;
    start_common(&cm, LL, 0);
    cholmod_l_free_factor(&l, &cm);
    cholmod_l_finish(&cm);
}

/* One triangle is read: the other must say the same, to half of the digits, and the diagonal be
   real, unless it is said (LOWER) that its real part is meant. */
#define MIRRORED(name, type) \
    static bool name(const double *v, const type *from, int64_t n) \
    { \
        int64_t e = 0; \
        while (e < n && v[e] == v[from[e]]) /* as it mostly is */ \
            e++; \
        bool good = true; \
        for (; good && e < n; e++) { \
            double x = v[e], y = v[from[e]]; \
            good = fabs(x - y) <= 1e-5 * (fabs(x) + fabs(y)); \
        } \
        return good; \
    }
MIRRORED(mirrored, int32_t)
MIRRORED(mirrored_wide, int64_t)

static bool all_mirrored(const agni_direct_problem *a, const agni_mirror_map *m)
{
    if (a->parts == 2)
        return false;
    return m->wide ? mirrored_wide(a->v, m->at, a->p->nnz) : mirrored(a->v, m->at, a->p->nnz);
}

static agn_status check_hermitian(const agni_direct_problem *a, const symbolic *s)
{
    const agni_mirror_map *m = &s->images;
    int parts = a->parts;
    if (!m->at || a->hermitian || all_mirrored(a, m))
        return AGN_OK;
    for (int64_t i = 0; i < a->p->rows; i++)
        for (int64_t e = agni_row_begin(a->p, i); e < agni_row_begin(a->p, i + 1); e++) {
            int64_t j = agni_entry_col(a->p, e);
            if (j > i || (j == i && s->by == LOWER))
                break;
            const double *x = a->v + e * parts,
                         *y = a->v + agni_read_index(m->at, m->wide, e) * parts;
            if (j == i && parts == 2 && x[1] != 0) /* CHOLMOD reads that as not definite */
                return agni_fail(
                    AGN_EDOMAIN,
                    "%s: matrix %lld is not Hermitian: entry [%lld,%lld] has the imaginary "
                    "part %.3g",
                    a->op, (long long)a->lane, (long long)i, (long long)i, x[1]);
            double off = fabs(x[0] - y[0]), size = fabs(x[0]) + fabs(y[0]);
            if (parts == 2) {
                off = fmax(off, fabs(x[1] + y[1]));
                size += fabs(x[1]) + fabs(y[1]);
            }
            if (off > 1e-5 * size)
                return agni_fail(
                    AGN_EDOMAIN,
                    "%s: matrix %lld is not %s: entries [%lld,%lld] and [%lld,%lld] "
                    "differ by %.3g",
                    a->op, (long long)a->lane, parts == 2 ? "Hermitian" : "symmetric",
                    (long long)i, (long long)j, (long long)j, (long long)i, off);
        }
    return AGN_OK;
}

static agn_status fail_pivot(const agni_direct_problem *a, const cholmod_factor *l,
                             const char *what)
{
    const int64_t *perm = l->Perm;
    int64_t j = (int64_t)l->minor;
    return agni_fail(AGN_EDOMAIN, "%s: matrix %lld is not %s: column %lld of %lld",
                     a->op, (long long)a->lane, what, (long long)(perm ? perm[j] : j),
                     (long long)l->n);
}

static double *real_diagonal(const agni_direct_problem *a)
{
    const agni_pattern *p = a->p;
    double *v = agni_alloc((size_t)p->nnz * 2 * sizeof *v);
    if (v)
        memcpy(v, a->v, (size_t)p->nnz * 2 * sizeof *v);
    for (int64_t i = 0; v && i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++)
            if (agni_entry_col(p, e) == i)
                v[2 * e + 1] = 0;
    return v;
}

/* factors a into l: a symbolic factor, or one with other numbers */
static agn_status refactor_numeric(void *into, void *sym, const agni_direct_problem *a)
{
    symbolic *s = sym;
    cholmod_factor *l = into;
    agn_status st = check_hermitian(a, s);
    if (st)
        return st;
    bool clean = s->by == LOWER && a->parts == 2;
    double *own = clean ? real_diagonal(a) : NULL;
    if (clean && !own)
        return agni_nomem(a->op, (size_t)a->p->nnz * 2 * sizeof *own);
    cholmod_common mine, *cm = acquire_common(s, &mine);
    cholmod_sparse m = matrix_view(a->p, s->at, a->parts, own ? own : a->v);
    int was = agni_omp_enter_single();
    bool good = cholmod_l_factorize(&m, l, cm) && cm->status >= 0;
    agni_omp_leave_single(was);
    if (!good)
        st = agni_cholmod_failed(a->op, cm);
    else if (l->minor < l->n)
        st = fail_pivot(a, l, s->by == LDL ? "factored without exchanges" : "positive definite");
    release_common(s, cm);
    agni_free(own);
    return st;
}

static agn_status factor_matrix(void **out, void *sym, const agni_direct_problem *a)
{
    symbolic *s = sym;
    cholmod_common mine, *cm = acquire_common(s, &mine);
    cholmod_factor *l = cholmod_l_copy_factor(s->l, cm);
    agn_status st = l ? AGN_OK : agni_cholmod_failed(a->op, cm);
    release_common(s, cm);
    if (!st)
        st = refactor_numeric(l, sym, a);
    if (!st)
        *out = l;
    else if (l)
        free_numeric(l);
    return st;
}

/* writes into x, which CHOLMOD uses as it has the right size */
static agn_status solve_columns(void *what, void *sym, const agni_direct_problem *a,
                                agni_direct_system system, int64_t k, const double *b, double *x)
{
    const symbolic *s = sym;
    int64_t n = a->p->rows;
    bool turn = a->parts == 2 && system == AGNI_SOLVE_PLAIN;
    if (k == 1 && agni_is_supernodal(what))
        return agni_supernodal_solve(a->op, what, b, x);
    double *own = turn ? agni_alloc((size_t)(2 * n * k) * sizeof *own) : NULL;
    if (turn && !own)
        return agni_nomem(a->op, (size_t)(2 * n * k) * sizeof *own);
    if (turn)
        agni_conjugate_into(own, b, n * k);
    cholmod_common cm;
    start_common(&cm, s->by, 0);
    cholmod_dense B = agni_cholmod_dense(n, k, a->parts, turn ? own : b),
                  X = agni_cholmod_dense(n, k, a->parts, x);
    cholmod_dense *to = &X, *y = NULL, *e = NULL;
    agn_status st = AGN_OK;
    int was = agni_omp_enter_single();
    bool good = cholmod_l_solve2(CHOLMOD_A, what, &B, NULL, &to, NULL, &y, &e, &cm) &&
                to == &X;
    agni_omp_leave_single(was);
    if (!good)
        st = agni_cholmod_failed(a->op, &cm);
    cholmod_l_free_dense(&y, &cm);
    cholmod_l_free_dense(&e, &cm);
    cholmod_l_finish(&cm);
    agni_free(own);
    if (!st && turn)
        agni_conjugate_into(x, x, n * k);
    return st;
}

/* the diagonal of L, or of D */
static agn_status log_determinant(void *what, void *sym, const agni_direct_problem *a, double *log_,
                                  double *sign)
{
    const cholmod_factor *l = what;
    const double *x = l->x;
    double sum = 0, s = 1;
    (void)sym;
    if (l->is_super) {
        const int64_t *super = l->super, *px = l->px, *pi = l->pi;
        for (size_t k = 0; k < l->nsuper; k++) {
            int64_t rows = pi[k + 1] - pi[k], cols = super[k + 1] - super[k];
            for (int64_t j = 0; j < cols; j++)
                sum += 2 * log(x[(px[k] + j * rows + j) * a->parts]);
        }
    } else {
        const int64_t *p = l->p;
        for (size_t j = 0; j < l->n; j++) {
            double d = x[p[j] * a->parts];
            sum += (l->is_ll ? 2 : 1) * log(fabs(d));
            s = d < 0 ? -s : s;
        }
    }
    *log_ = sum;
    if (sign) {
        sign[0] = s;
        sign[1] = 0;
    }
    return AGN_OK;
}

/* ---- entries of the inverse ------------------------------------------------------------------ */

#define CONJ(x) (x)
#define T double
#define NAME(x) x##_f64
#include "sparse/direct/cpu/selected_inverse_body.h"
#undef T
#undef NAME
#undef CONJ
#define CONJ(x) conj(x)
#define T double complex
#define NAME(x) x##_c128
#include "sparse/direct/cpu/selected_inverse_body.h"
#undef T
#undef NAME
#undef CONJ

/* the index of entry (i, j), i >= j, in the factor */
static int64_t factor_position(const cholmod_factor *l, int64_t i, int64_t j)
{
    const int64_t *p = l->p, *row = l->i, *nz = l->nz;
    return p[j] + agni_lower_bound(row + p[j], true, nz[j], i);
}

/* (a^-1)[j, i] = (M^-1)[i, j], read at the permuted indices of i and j */
static agn_status inverse_entries(void *what, void *sym, const agni_direct_problem *a, double *z)
{
    const symbolic *s = sym;
    const agni_pattern *p = a->p;
    int64_t n = p->rows, parts = a->parts;
    cholmod_common cm;
    start_common(&cm, s->by, 0);
    cholmod_factor *l = cholmod_l_copy_factor(what, &cm);
    agn_status st = AGN_OK;
    double *all = NULL;
    int64_t *at = NULL;
    if (!l || !cholmod_l_change_factor(parts == 2 ? CHOLMOD_COMPLEX : CHOLMOD_REAL, 0,
                                       0, 1, 1, l, &cm))
        st = agni_cholmod_failed(a->op, &cm);
    size_t room = st ? 0 : (l->nzmax + 2 * (size_t)n) * (size_t)parts;
    if (!st && (!(all = agni_zalloc(room * sizeof *all)) ||
                !(at = agni_alloc((size_t)n * sizeof *at))))
        st = agni_nomem(a->op, room * sizeof *all);
    if (!st) {
        const int64_t *perm = l->Perm;
        double *lj = all + l->nzmax * (size_t)parts, *w = lj + n * parts;
        for (int64_t k = 0; k < n; k++)
            at[perm[k]] = k;
        if (parts == 2)
            selected_inverse_c128(n, l->p, l->nz, l->i, l->x, (double complex *)(void *)all,
                                  (double complex *)(void *)lj, (double complex *)(void *)w);
        else
            selected_inverse_f64(n, l->p, l->nz, l->i, l->x, all, lj, w);
        for (int64_t i = 0; i < n; i++)
            for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
                int64_t r = at[i], c = at[agni_entry_col(p, e)];
                const double *from = all + factor_position(l, r > c ? r : c, r > c ? c : r) * parts;
                z[e * parts] = from[0];
                if (parts == 2)
                    z[2 * e + 1] = r > c ? from[1] : -from[1];
            }
    }
    agni_free(all);
    agni_free(at);
    cholmod_l_free_factor(&l, &cm);
    cholmod_l_finish(&cm);
    return st;
}

/* ---- updates -------------------------------------------------------------------------------- */

/* L of M = conj(a) changes by conj(w) in the order of the factor; complex ones CHOLMOD does not
   update */
static agn_status update_factor(void **out, void *old, void *sym, const agni_direct_problem *a,
                                int64_t k, const double *w, bool down)
{
    const symbolic *s = sym;
    int64_t n = a->p->rows, nnz = 0;
    if (a->parts == 2)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a factor of c128; CHOLMOD updates f64 alone (order %lld)",
                         a->op, (long long)n);
    cholmod_common cm;
    start_common(&cm, s->by, 0);
    cholmod_factor *l = cholmod_l_copy_factor(old, &cm);
    cholmod_sparse *c = l ? cholmod_l_allocate_sparse((size_t)n, (size_t)k,
                                                      (size_t)(n * k), 1, 1, 0,
                                                      CHOLMOD_REAL, &cm)
                          : NULL;
    agn_status st = AGN_OK;
    if (!c) {
        st = agni_cholmod_failed(a->op, &cm);
    } else {
        const int64_t *perm = l->Perm;
        int64_t *p = c->p, *i = c->i;
        double *x = c->x;
        for (int64_t j = 0; j < k; j++) {
            p[j] = nnz;
            for (int64_t r = 0; r < n; r++)
                if (w[j * n + perm[r]] != 0) {
                    i[nnz] = r;
                    x[nnz++] = w[j * n + perm[r]];
                }
        }
        p[k] = nnz;
        if (!cholmod_l_updown(!down, c, l, &cm) || cm.status < 0)
            st = agni_cholmod_failed(a->op, &cm);
    }
    if (!st) {
        const double *x = l->x;
        const int64_t *p = l->p;
        for (l->minor = 0; l->minor < l->n && x[p[l->minor]] > 0;)
            l->minor++;
        if (l->minor < l->n)
            st = fail_pivot(a, l, "positive definite");
    }
    cholmod_l_free_sparse(&c, &cm);
    if (st)
        cholmod_l_free_factor(&l, &cm);
    else
        *out = l;
    cholmod_l_finish(&cm);
    return st;
}

const agni_method agni_cholesky = {.name = "cholesky",
                                   .analyse = analyse_ll,
                                   .free_symbolic = free_symbolic,
                                   .factor = factor_matrix,
                                   .refactor = refactor_numeric,
                                   .free_numeric = free_numeric,
                                   .solve = solve_columns,
                                   .det = log_determinant,
                                   .inverse = inverse_entries,
                                   .update = update_factor};
const agni_method agni_cholesky_lower = {.name = "cholesky_lower",
                                         .analyse = analyse_lower,
                                         .free_symbolic = free_symbolic,
                                         .factor = factor_matrix,
                                         .refactor = refactor_numeric,
                                         .free_numeric = free_numeric,
                                         .solve = solve_columns,
                                         .det = log_determinant,
                                         .inverse = inverse_entries};
const agni_method agni_ldl = {.name = "ldl",
                              .unstable = true,
                              .analyse = analyse_ldl,
                              .free_symbolic = free_symbolic,
                              .factor = factor_matrix,
                              .refactor = refactor_numeric,
                              .free_numeric = free_numeric,
                              .solve = solve_columns,
                              .det = log_determinant,
                              .inverse = inverse_entries};
