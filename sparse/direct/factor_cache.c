/* sparse/direct/factor_cache.c - the cache of factors (of CHOLMOD, UMFPACK, KLU, SuiteSparseQR):
   symbolic analyses kept with their patterns, the latest numeric factors kept with the analysis,
   found by their values. */
#include "core/fork_mutex.h"
#include "sparse/direct/direct.h"

#include <math.h>
#include <string.h>

static const agni_method *const methods[AGN_SPARSE_N_METHODS] = {
    [AGN_SPARSE_CHOLESKY] = &agni_cholesky, [AGN_SPARSE_LDL] = &agni_ldl,
    [AGN_SPARSE_LU] = &agni_umfpack,        [AGN_SPARSE_KLU] = &agni_klu,
    [AGN_SPARSE_QR] = &agni_spqr,           [AGN_SPARSE_TRIANGULAR] = &agni_triangular,
    [AGN_SPARSE_CHOLESKY_LOWER] = &agni_cholesky_lower};

/* Analysis by a method, and the latest numbers. by is NULL where the method is chosen for the
   values: then symbolic is NULL, too, and structure says what the pattern lets be chosen. */
typedef struct solver {
    const agni_method *by;
    void *symbolic;
    agni_structure structure;
    agni_mutex lock; /* of what follows */
    int n, room;
    agni_numeric **kept; /* [room] most recently used first */
} solver;

struct agni_numeric {
    _Atomic(int64_t) ref;
    const agni_method *by;
    void *symbolic; /* lives as long as the pattern */
    const agni_pattern *p;
    void *what;
    int parts;
    bool updated; /* by an update of another numeric */
    bool
        passing; /* made by a factor object of unwatched values, and not found since; under the lock */
    double *v;    /* [nnz, parts] the values it was computed from */
};

/* ---- numeric factors ------------------------------------------------------------------------- */

agni_numeric *agni_numeric_ref(agni_numeric *n)
{
    atomic_fetch_add(&n->ref, 1);
    return n;
}

void agni_numeric_unref(agni_numeric *n)
{
    if (!n || atomic_fetch_sub(&n->ref, 1) > 1)
        return;
    if (n->what)
        n->by->free_numeric(n->what);
    agni_free(n->v);
    agni_free(n);
}

static bool has_values(const agni_numeric *n, const agni_direct_problem *a)
{
    return n->parts == a->parts &&
           (!a->p->nnz ||
            !memcmp(n->v, a->v, (size_t)(a->p->nnz * a->parts) * sizeof *a->v));
}

static agni_numeric *find_numeric(solver *s, const agni_direct_problem *a, bool passing)
{
    agni_numeric *n = NULL;
    agni_mutex_lock(&s->lock);
    for (int k = 0; k < s->n && !n; k++)
        if (has_values(s->kept[k], a)) {
            n = s->kept[k];
            memmove(s->kept + 1, s->kept, (size_t)k * sizeof n);
            s->kept[0] = n;
            n->passing = n->passing && passing;
            agni_numeric_ref(n);
        }
    agni_mutex_unlock(&s->lock);
    return n;
}

enum { LEAST = 4, MOST = 256 };

static int64_t cache_capacity(int64_t matrices)
{
    return matrices + 2 < LEAST ? LEAST : matrices + 2 < MOST ? matrices + 2 : MOST;
}

/* a numeric that the next one would evict, or that a factor object left behind (passing), if the
   cache holds the only reference: its memory is used again */
static agni_numeric *find_reusable_numeric(solver *s, int64_t matrices)
{
    agni_numeric *n = NULL;
    agni_mutex_lock(&s->lock);
    bool full = s->n == s->room && s->room >= cache_capacity(matrices);
    for (int k = s->n - 1; k >= 0 && !n; k--) {
        bool left = full && k == s->n - 1;
        if ((left || (!matrices && s->kept[k]->passing)) && atomic_load(&s->kept[k]->ref) == 1) {
            n = s->kept[k];
            s->n--;
            memmove(s->kept + k, s->kept + k + 1, (size_t)(s->n - k) * sizeof n);
        }
    }
    agni_mutex_unlock(&s->lock);
    return n;
}

/* moves to the front of the cache; without memory it is not kept */
static void cache_numeric(solver *s, agni_numeric *n, int64_t matrices)
{
    agni_numeric *last = NULL;
    int64_t want = cache_capacity(matrices);
    agni_mutex_lock(&s->lock);
    if (s->room < want) {
        int room = (int)want;
        agni_numeric **p = agni_realloc(s->kept, (size_t)room * sizeof *p);
        s->kept = p ? p : s->kept;
        s->room = p ? room : s->room;
    }
    n->passing = !matrices;
    if (s->room) {
        last = s->n == s->room ? s->kept[--s->n] : NULL;
        memmove(s->kept + 1, s->kept, (size_t)s->n++ * sizeof n);
        s->kept[0] = agni_numeric_ref(n);
    }
    agni_mutex_unlock(&s->lock);
    agni_numeric_unref(last);
}

/* ---- symbolic analyses ----------------------------------------------------------------------- */

static void free_solver(void *user)
{
    solver *s = user;
    for (int k = 0; k < s->n; k++)
        agni_numeric_unref(s->kept[k]);
    agni_free(s->kept);
    if (s->symbolic)
        s->by->free_symbolic(s->symbolic);
    agni_structure_free(&s->structure);
    agni_mutex_destroy(&s->lock);
    agni_free(s);
}

static char keys[AGN_SPARSE_N_METHODS][AGN_SPARSE_N_ORDERS];

static agn_status find_solver(solver **out, const agni_direct_problem *a, int method, int order)
{
    *out = agn_pattern_mirror(a->p, &keys[method][order]);
    if (*out)
        return AGN_OK;
    solver *s = agni_zalloc(sizeof *s);
    if (!s)
        return agni_nomem(a->op, sizeof *s);
    s->by = methods[method];
    agni_mutex_init(&s->lock);
    agn_status st = s->by ? s->by->analyse(&s->symbolic, a->op, a->p, order)
                          : agni_find_structure(&s->structure, a->op, a->p);
    if (st) {
        free_solver(s);
        return st;
    }
    *out = agn_pattern_keep(a->p, &keys[method][order], s, free_solver);
    return *out ? AGN_OK : agni_nomem(a->op, sizeof *s);
}

/* ---- values --------------------------------------------------------------------------------- */

static agn_status check_finite(const agni_direct_problem *a)
{
    int64_t n = a->p->nnz * a->parts, k = 0;
    double s[4] = {0, 0, 0, 0}; /* 0 times what is not finite is NaN */
    for (; k + 4 <= n; k += 4)
        for (int j = 0; j < 4; j++)
            s[j] += 0 * a->v[k + j];
    for (; k < n; k++)
        s[0] += 0 * a->v[k];
    bool good = s[0] + s[1] + s[2] + s[3] == 0;
    for (int64_t e = 0; !good && e < n; e++)
        if (!isfinite(a->v[e])) {
            int64_t i = 0;
            while (agni_row_begin(a->p, i + 1) <= e / a->parts)
                i++;
            return agni_fail(AGN_EDOMAIN,
                             "%s: matrix %lld is not finite: entry [%lld,%lld]", a->op,
                             (long long)a->lane, (long long)i,
                             (long long)agni_entry_col(a->p, e / a->parts));
        }
    return AGN_OK;
}

/* ---- lookup and factorisation ---------------------------------------------------------------- */

static agn_status new_numeric(agni_numeric **out, const agni_direct_problem *a, const solver *s)
{
    agni_numeric *n = agni_zalloc(sizeof *n);
    size_t bytes = (size_t)(a->p->nnz * a->parts) * sizeof *a->v;
    if (!n || !(n->v = agni_alloc(bytes ? bytes : 1))) {
        agni_free(n);
        return agni_nomem(a->op, bytes);
    }
    atomic_init(&n->ref, 1);
    n->by = s->by;
    n->symbolic = s->symbolic;
    n->p = a->p;
    n->parts = a->parts;
    if (bytes)
        memcpy(n->v, a->v, bytes);
    *out = n;
    return AGN_OK;
}

/* refactors for the values of a in the memory of n, where the method can; else frees it first */
static agn_status refactor_in_place(agni_numeric *n, const agni_direct_problem *a)
{
    memcpy(n->v, a->v, (size_t)(a->p->nnz * a->parts) * sizeof *a->v);
    if (n->by->refactor && !n->updated)
        return n->by->refactor(n->what, n->symbolic, a);
    n->by->free_numeric(n->what);
    n->what = NULL;
    n->updated = false;
    return n->by->factor(&n->what, n->symbolic, a);
}

/* old: NULL, or a numeric whose memory may be overwritten; takes it over */
static agn_status factor_numeric(agni_numeric **out, const agni_direct_problem *a, const solver *s,
                                 agni_numeric *old)
{
    bool fits = old && old->symbolic == s->symbolic && old->by == s->by &&
                old->parts == a->parts && a->p->nnz;
    agni_numeric *n = fits ? old : NULL;
    if (!fits)
        agni_numeric_unref(old);
    agn_status st = fits ? refactor_in_place(n, a) : new_numeric(&n, a, s);
    if (!st && !fits)
        st = s->by->factor(&n->what, s->symbolic, a);
    if (st)
        agni_numeric_unref(n);
    else
        *out = n;
    return st;
}

agn_status agni_numeric_get(agni_numeric **out, const agni_direct_problem *a, int method, int order,
                            int64_t matrices)
{
    solver *s = NULL, *by = NULL;
    agn_status st = find_solver(&s, a, method, order);
    if (st || (*out = find_numeric(s, a, !matrices)))
        return st;
    st = check_finite(a);
    if (!st && s->by)
        st = factor_numeric(out, a, s, find_reusable_numeric(s, matrices));
    else if (!st) {
        int choice = agni_choose_method(&s->structure, a);
        agni_direct_problem known = *a; /* Cholesky need not look again */
        known.hermitian = choice == AGN_SPARSE_CHOLESKY;
        st = find_solver(&by, a, choice, order);
        if (!st)
            st = factor_numeric(out, &known, by, find_reusable_numeric(s, matrices));
        if (st == AGN_EDOMAIN && choice == AGN_SPARSE_CHOLESKY) {
            st = find_solver(&by, a, AGN_SPARSE_LU, order);
            if (!st)
                st = factor_numeric(out, a, by, NULL);
        }
    }
    if (!st)
        cache_numeric(s, *out, matrices);
    return st;
}

void agni_numeric_touch(agni_numeric *n, const agni_pattern *p, int method, int order)
{
    solver *s = agn_pattern_mirror(p, &keys[method][order]);
    bool there = false;
    if (!s)
        return;
    agni_mutex_lock(&s->lock);
    for (int k = 0; k < s->n && !there; k++)
        if ((there = s->kept[k] == n)) {
            memmove(s->kept + 1, s->kept, (size_t)k * sizeof n);
            s->kept[0] = n;
            n->passing = false;
        }
    agni_mutex_unlock(&s->lock);
    if (!there)
        cache_numeric(s, n, 1);
}

agn_status agni_numeric_update(agni_numeric **out, agni_numeric *old, const agni_direct_problem *a,
                               int64_t k, const double *w, bool down)
{
    const solver s = {.by = old->by, .symbolic = old->symbolic};
    agni_numeric *n = NULL;
    if (!old->by->update)
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: a factor by %s; by cholesky is needed (%lld columns)",
                         a->op, old->by->name, (long long)k);
    agn_status st = new_numeric(&n, a, &s);
    if (!st)
        n->updated = true;
    if (!st)
        st = old->by->update(&n->what, old->what, old->symbolic, a, k, w, down);
    if (st)
        agni_numeric_unref(n);
    else
        *out = n;
    return st;
}

/* the matrix that n was computed for, in the name of the op that asks */
static agni_direct_problem own_problem(const agni_numeric *n, const agni_direct_problem *a)
{
    return (agni_direct_problem){
        .op = a->op, .p = n->p, .v = n->v, .parts = n->parts, .lane = a->lane};
}

agn_status agni_numeric_solve(agni_numeric *n, const agni_direct_problem *a,
                              agni_direct_system system, int64_t k, const double *b, double *x)
{
    const agni_direct_problem own = own_problem(n, a);
    agn_status st = n->by->solve(n->what, n->symbolic, &own, system, k, b, x);
    return st || !n->by->unstable ? st
                                  : agni_refine_solution(n->by, n->what, n->symbolic, &own, system,
                                                         k, b, x);
}

agn_status agni_numeric_det(agni_numeric *n, const agni_direct_problem *a, double *log,
                            double *sign)
{
    const agni_direct_problem own = own_problem(n, a);
    if (!n->by->det)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s gives no determinant (order %lld)",
                         a->op, n->by->name, (long long)n->p->rows);
    agn_status st = n->by->unstable ? agni_check_growth(n->by, n->what, n->symbolic, &own) : AGN_OK;
    return st ? st : n->by->det(n->what, n->symbolic, &own, log, sign);
}

bool agni_numeric_inverse(agni_numeric *n, const agni_direct_problem *a, double *z, agn_status *st)
{
    const agni_direct_problem own = own_problem(n, a);
    if (!n->by->inverse)
        return false;
    *st = n->by->unstable ? agni_check_growth(n->by, n->what, n->symbolic, &own) : AGN_OK;
    *st = *st ? *st : n->by->inverse(n->what, n->symbolic, &own, z);
    return true;
}

agn_status agni_numeric_rank(agni_numeric *n, int64_t *rank)
{
    *rank = n->by->rank(n->what);
    return AGN_OK;
}

const char *agni_numeric_method(const agni_numeric *n)
{
    return n->by->name;
}
