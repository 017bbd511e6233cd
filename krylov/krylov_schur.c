/* krylov_schur.c - Krylov-Schur (Stewart 2001): a Krylov space is built up to m vectors,
   the matrix that the operator has in it is brought to Schur form with the wanted values first,
   the space is cut to them and built up again. For a self-adjoint operator that is Lanczos'
   method with thick restarts (Wu & Simon 2000), and its matrix is diagonalised. All vectors are
   made orthogonal twice: one by one, on a device by two products with all of them (Giraud et al.
   2005). Small matrices are the host's. Re-entrant, which ARPACK is not. */
#include "krylov/krylov_schur.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>
#define lapack_complex_float float complex
#define lapack_complex_double double complex
#include <lapacke.h>

enum { WORK = 4 };
typedef struct schur {
    agni_eigen_problem *e;
    int m;
    void *v, *w;  /* m + 1 vectors; the same times the mass, or v itself */
    agni_krylov k; /* has nothing but where they are */
    agni_z *s, *q, *t; /* [m + 1, m] by columns of m + 1; [m, m] by columns of m */
    agni_z *b;         /* A V = V T + v_m b^H after a decomposition: row b */
    agni_z *work;      /* [WORK m] */
    double *theta;     /* [m], and as much again three times */
    double beta;
    uint64_t seed;
} schur;

static void *vector_at(const schur *c, void *room, int j)
{
    return agni_krylov_vector_at(&c->k, room, c->e->n, j);
}
/* a failure of a map, or of the device, ends it */
static bool has_failed(schur *c)
{
    c->e->st = c->e->st ? c->e->st : c->k.st;
    return c->e->st != AGN_OK;
}
static agni_z *matrix_entry(const schur *c, int i, int j)
{
    return c->s + (size_t)j * (size_t)(c->m + 1) + i;
}

static bool apply_map(schur *c, const agni_vector_op *map, const void *x, void *y)
{
    if (!has_failed(c))
        c->e->st = map->apply(map->user, false, x, y);
    return !c->e->st;
}

/* w_j = mass v_j, and |v_j| in that norm */
static double apply_mass(schur *c, int j)
{
    agni_eigen_problem *e = c->e;
    if (!e->mass.apply)
        return agni_krylov_norm(&c->k, e->n, vector_at(c, c->v, j));
    if (!apply_map(c, &e->mass, vector_at(c, c->v, j), vector_at(c, c->w, j)))
        return (double)NAN;
    double square = creal(
        agni_krylov_dot(&c->k, e->n, vector_at(c, c->v, j), vector_at(c, c->w, j)));
    if (square < 0)
        e->st = agni_fail(AGN_EDOMAIN,
                          "%s: the mass is not positive definite: its quadratic form is %.3g",
                          e->op, square);
    return sqrt(square);
}

static void scale_vector(schur *c, int j, double by)
{
    agni_krylov_axpby(&c->k, c->e->n, 0, vector_at(c, c->v, j), by, vector_at(c, c->v, j));
    if (c->w != c->v)
        agni_krylov_axpby(&c->k, c->e->n, 0, vector_at(c, c->w, j), by, vector_at(c, c->w, j));
}

/* vectors of a room as the rows of a matrix */
static const agn_tensor *rows_of(const schur *c, agn_scope *s, void *room, int from, int count)
{
    const agni_eigen_problem *e = c->e;
    const char *x = vector_at(c, room, from), *next = vector_at(c, room, from + 1);
    int64_t step = (next - x) / (int64_t)agn_dtype_size(e->dtype);
    agn_tensor *rows = NULL;
    agn_status st = agni_tensor_wrap(
        &rows, e->op, e->dtype, 2, (int64_t[]){count, e->n}, (int64_t[]){step, 1},
        &(agni_memory){c->k.device, (void *)(uintptr_t)x, true, NULL, NULL});
    return agn_scope_adopt(s, st, &rows);
}
/* numbers of the dtype of vectors, from or to those of the small matrices */
static void narrow_numbers(const schur *c, int64_t count, const agni_z *from, void *to)
{
    for (int64_t i = 0; i < count; i++)
        if (c->e->dtype == AGN_C128)
            ((agni_z *)to)[i] = from[i];
        else
            ((double *)to)[i] = creal(from[i]);
}

/* h^H = x^H W of the j vectors before x = v_j, then x -= V h: two products and one wait */
static void subtract_block(schur *c, int j, agni_z *h)
{
    agni_eigen_problem *e = c->e;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = ag_swapaxes(s, ag_conj(s, rows_of(c, s, c->v, j, 1)), 0, 1);
    const agn_tensor *p = ag_matmul(s, rows_of(c, s, c->w, 0, j), x);
    p = ag_conj(s, ag_reshape(s, p, 2, (int64_t[]){1, j}));
    const agn_tensor *off = ag_matmul(s, p, rows_of(c, s, c->v, 0, j));
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_to_host(c->work, p, (size_t)j * agn_dtype_size(e->dtype));
    if (!st)
        agni_krylov_axpby(&c->k, e->n, -1, off->data, 1, vector_at(c, c->v, j));
    for (int i = 0; !st && h && i < j; i++)
        h[i] += e->dtype == AGN_C128 ? c->work[i] : ((const double *)c->work)[i];
    st = agn_scope_close(s);
    agni_krylov_note(&c->k, st);
}

/* v_j made orthogonal to those before; h[i] += the products where h is not NULL; its norm */
static double orthogonalise(schur *c, int j, agni_z *h)
{
    agni_eigen_problem *e = c->e;
    void *x = vector_at(c, c->v, j);
    bool block = c->k.device != AGN_CPU;
    for (int pass = 0; pass < 2 && j && block && !has_failed(c); pass++)
        subtract_block(c, j, h);
    for (int pass = 0; pass < 2 && !block; pass++)
        for (int i = 0; i < j; i++) {
            agni_z p = agni_krylov_dot(&c->k, e->n, vector_at(c, c->w, i), x);
            agni_krylov_axpby(&c->k, e->n, -p, vector_at(c, c->v, i), 1, x);
            if (h)
                h[i] += p;
        }
    return apply_mass(c, j);
}

/* pseudo-random numbers, the same in every run */
static void fill_random(schur *c, void *to)
{
    size_t bytes = (size_t)c->e->n * agn_dtype_size(c->e->dtype);
    bool far = c->k.device != AGN_CPU;
    void *x = far ? agni_alloc(bytes) : to;
    if (!x) {
        agni_krylov_note(&c->k, agni_nomem(c->e->op, bytes));
        return;
    }
    int64_t parts = c->e->n * (c->e->dtype == AGN_C64 || c->e->dtype == AGN_C128 ? 2 : 1);
    bool narrow = c->e->dtype == AGN_F32 || c->e->dtype == AGN_C64;
    for (int64_t i = 0; i < parts; i++) {
        c->seed = c->seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        double u = (double)(c->seed >> 11) * 0x1p-53 - 0.5;
        if (narrow)
            ((float *)x)[i] = (float)u;
        else
            ((double *)x)[i] = u;
    }
    if (far) {
        agni_krylov_note(&c->k, agni_device_copy(c->k.device, to, AGN_CPU, x, bytes));
        agni_free(x);
    }
}

/* a random v_j of norm 1, orthogonal to those before; false where there is none */
static bool random_orthogonal_vector(schur *c, int j)
{
    for (int tries = 0; tries < 3 && j < c->e->n; tries++) {
        fill_random(c, vector_at(c, c->v, j));
        double size = orthogonalise(c, j, NULL);
        if (has_failed(c))
            return false;
        if (size > 1e-6) {
            scale_vector(c, j, 1 / size);
            return true;
        }
    }
    return false;
}

/* vectors from..m; the matrix of the operator in them */
static void expand_basis(schur *c, int from)
{
    agni_eigen_problem *e = c->e;
    double eps = agni_krylov_eps(e->dtype);
    for (int j = from; j < c->m && !e->st; j++) {
        agni_z *h = matrix_entry(c, 0, j);
        for (int i = 0; i <= c->m; i++)
            h[i] = 0;
        e->info.products++;
        if (agni_check_interrupt())
            e->st = agni_fail(AGN_ECANCELLED, "%s: cancelled after %lld products", e->op,
                              (long long)e->info.products);
        if (!apply_map(c, &e->a, vector_at(c, c->v, j), vector_at(c, c->v, j + 1)))
            return;
        double before = agni_krylov_norm(&c->k, e->n, vector_at(c, c->v, j + 1));
        if (!has_failed(c) && !isfinite(before))
            e->st = agni_fail(AGN_EDOMAIN, "%s: a NaN or an infinity after %lld products", e->op,
                              (long long)e->info.products);
        if (e->st)
            return;
        c->beta = orthogonalise(c, j + 1, h);
        if (has_failed(c))
            return;
        bool closed = !(c->beta > 8 * eps * before); /* an invariant subspace */
        if (closed)
            c->beta = 0;
        else
            scale_vector(c, j + 1, 1 / c->beta);
        if (closed && !random_orthogonal_vector(c, j + 1) && j + 1 < c->m) {
            e->st = e->st ? e->st
                          : agni_fail(AGN_EDOMAIN, "%s: no more than %d directions of %lld", e->op,
                                      j + 1, (long long)e->n);
            return;
        }
        h[j + 1] = c->beta;
    }
}

/* ---- the small matrix ------------------------------------------------------------------------ */

/* Is value x wanted before y? */
static bool comes_before(int which, agni_z x, agni_z y)
{
    switch (which) {
    case AGN_EIGEN_SMALLEST_MAGNITUDE:
        return cabs(x) < cabs(y);
    case AGN_EIGEN_LARGEST:
        return creal(x) > creal(y);
    case AGN_EIGEN_SMALLEST:
        return creal(x) < creal(y);
    default:
        return cabs(x) > cabs(y);
    }
}

/* q: eigenvectors of the hermitian part, wanted ones first; t: their values on the diagonal */
static int diagonalise_hermitian(schur *c)
{
    int m = c->m;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            c->t[j * m + i] = (*matrix_entry(c, i, j) + conj(*matrix_entry(c, j, i))) / 2;
    int bad = LAPACKE_zheev_work(LAPACK_COL_MAJOR, 'V', 'U', m, c->t, m, c->theta, c->work,
                                 WORK * m, c->theta + m);
    if (bad)
        return bad;
    for (int j = 0; j < m; j++) { /* ordered by insertion: there are few */
        int to = j;
        while (to > 0 && comes_before(c->e->which, c->theta[j], creal(c->b[to - 1])))
            to--;
        for (int i = j; i > to; i--) {
            c->b[i] = c->b[i - 1];
            memcpy(c->q + i * m, c->q + (i - 1) * m, (size_t)m * sizeof *c->q);
        }
        c->b[to] = c->theta[j];
        memcpy(c->q + to * m, c->t + j * m, (size_t)m * sizeof *c->q);
    }
    memset(c->t, 0, (size_t)(m * m) * sizeof *c->t);
    for (int j = 0; j < m; j++)
        c->t[j * m + j] = c->b[j];
    return 0;
}

/* q t q^H is the Schur form with wanted values first */
static int order_schur_form(schur *c)
{
    int m = c->m, sdim = 0;
    for (int j = 0; j < m; j++)
        memcpy(c->t + j * m, matrix_entry(c, 0, j), (size_t)m * sizeof *c->t);
    int bad = LAPACKE_zgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, m, c->t, m, &sdim, c->b, c->q, m,
                                 c->work, WORK * m, c->theta, NULL);
    for (int to = 0; !bad && to < m; to++) {
        int best = to;
        for (int j = to + 1; j < m; j++)
            if (comes_before(c->e->which, c->t[j * m + j], c->t[best * m + best]))
                best = j;
        if (best > to)
            bad = LAPACKE_ztrexc_work(LAPACK_COL_MAJOR, 'V', m, c->t, m, c->q, m, best + 1, to + 1);
    }
    return bad;
}

/* the first p vectors become V q, by one product */
static bool rotate_block(schur *c, void *v, int p, const agni_z *q)
{
    agni_eigen_problem *e = c->e;
    agn_scope *s = agn_scope_open(NULL);
    size_t row = (size_t)e->n * agn_dtype_size(e->dtype);
    int64_t shape[2] = {p, c->m};
    agn_tensor *near = NULL, *far = NULL;
    agn_status st = agni_tensor_make(&near, e->op, e->dtype, 2, shape, AGN_CPU);
    if (!st) {
        narrow_numbers(c, (int64_t)p * c->m, q, near->data);
        st = agn_to_device(&far, near, c->k.device);
    }
    agn_release(near);
    const agn_tensor *y = ag_matmul(s, agn_scope_adopt(s, st, &far), rows_of(c, s, v, 0, c->m));
    for (int i = 0; i < p && !agn_scope_status(s); i++)
        agni_krylov_copy(&c->k, e->n, (const char *)y->data + (size_t)i * row, vector_at(c, v, i));
    st = agn_scope_close(s);
    agni_krylov_note(&c->k, st);
    return !has_failed(c);
}
/* the first p vectors become V q, chunk by chunk; the last one follows them */
static bool rotate_basis(schur *c, void *v, int p, const agni_z *q)
{
    enum { CHUNK = 512 };
    agni_eigen_problem *e = c->e;
    if (c->k.device != AGN_CPU)
        return p == 0 || rotate_block(c, v, p, q);
    size_t one = agn_dtype_size(e->dtype);
    char *room = agni_alloc((size_t)p * CHUNK * one);
    if (!room) {
        e->st = agni_nomem(e->op, (size_t)p * CHUNK * one);
        return false;
    }
    for (int64_t lo = 0; lo < e->n; lo += CHUNK) {
        int64_t len = lo + CHUNK < e->n ? CHUNK : e->n - lo;
        for (int i = 0; i < p; i++)
            for (int j = 0; j < c->m; j++)
                agni_vector_axpby(e->dtype, len, q[i * c->m + j],
                                  (char *)vector_at(c, v, j) + (size_t)lo * one, j > 0,
                                  room + (size_t)i * CHUNK * one);
        for (int i = 0; i < p; i++)
            memcpy((char *)vector_at(c, v, i) + (size_t)lo * one, room + (size_t)i * CHUNK * one,
                   (size_t)len * one);
    }
    agni_free(room);
    return true;
}

/* ---- restarts -------------------------------------------------------------------------------- */

/* how many of the first k have converged, in their order */
static int count_converged(const schur *c)
{
    const agni_eigen_problem *e = c->e;
    double eps = agni_krylov_eps(e->dtype), size = 0;
    int n = 0;
    for (int j = 0; j < c->m; j++)
        size = fmax(size, cabs(c->t[j * c->m + j]));
    while (n < e->k && cabs(c->b[n]) <= fmax(e->tol * cabs(c->t[n * c->m + n]), 4 * eps * size))
        n++;
    return n;
}

/* eigenvectors of the triangle within q, for the values that are given back */
static int triangle_eigenvectors(schur *c)
{
    int m = c->m, found = 0;
    if (!c->e->hermitian)
        return LAPACKE_ztrevc_work(LAPACK_COL_MAJOR, 'R', 'B', NULL, m, c->t, m, NULL, m, c->q, m,
                                   m, &found, c->work, c->theta);
    return 0;
}

static void return_pairs(schur *c)
{
    agni_eigen_problem *e = c->e;
    for (int i = 0; i < e->k; i++)
        e->values[i] = c->t[i * c->m + i];
    if (triangle_eigenvectors(c)) {
        e->st = agni_fail(AGN_ENOCONV, "%s: no eigenvectors of a triangle of %d", e->op, c->m);
        return;
    }
    if (!rotate_basis(c, c->v, e->k, c->q))
        return;
    size_t bytes = (size_t)e->n * agn_dtype_size(e->dtype);
    for (int i = 0; i < e->k && !has_failed(c); i++) {
        double size = apply_mass(c, i);
        scale_vector(c, i, size > 0 ? 1 / size : 1);
        agni_krylov_note(&c->k, agni_device_copy(AGN_CPU, (char *)e->vectors + (size_t)i * bytes,
                                                 c->k.device, vector_at(c, c->v, i), bytes));
    }
    (void)has_failed(c);
}

static void run_restarts(schur *c)
{
    agni_eigen_problem *e = c->e;
    int m = c->m, from = 0;
    if (!random_orthogonal_vector(c, 0)) {
        e->st = e->st ? e->st
                      : agni_fail(AGN_EDOMAIN, "%s: no vector of norm 1 among %lld", e->op,
                                  (long long)e->n);
        return;
    }
    for (;;) {
        expand_basis(c, from);
        if (has_failed(c))
            return;
        int bad = e->hermitian ? diagonalise_hermitian(c) : order_schur_form(c);
        if (bad) {
            e->st = agni_fail(AGN_ENOCONV, "%s: no Schur form of a matrix of %d", e->op, m);
            return;
        }
        for (int j = 0; j < m; j++)
            c->b[j] = c->beta * c->q[j * m + m - 1];
        int good = c->beta == 0 && m == e->n ? e->k : count_converged(c);
        e->info.converged = good;
        e->info.residual = 0;
        for (int j = 0; j < e->k; j++)
            e->info.residual = fmax(e->info.residual, cabs(c->b[j]));
        if (good >= e->k || e->info.products >= e->max_products) {
            return_pairs(c);
            return;
        }
        e->info.restarts++;
        /* some more than wanted are kept as they converge (Lehoucq 1995) */
        int keep = e->k + (good < (m - e->k) / 2 ? good : (m - e->k) / 2);
        if (e->k == 1 && m > 3)
            keep = m / 2;
        if (!rotate_basis(c, c->v, keep, c->q) ||
            (c->w != c->v && !rotate_basis(c, c->w, keep, c->q)))
            return;
        agni_krylov_copy(&c->k, e->n, vector_at(c, c->v, m), vector_at(c, c->v, keep));
        if (c->w != c->v)
            agni_krylov_copy(&c->k, e->n, vector_at(c, c->w, m), vector_at(c, c->w, keep));
        for (int j = 0; j < keep; j++) {
            for (int i = 0; i <= m; i++)
                *matrix_entry(c, i, j) = i < keep ? c->t[j * m + i] : 0;
            *matrix_entry(c, keep, j) = c->b[j];
        }
        from = keep;
    }
}

agn_status agni_krylov_schur(agni_eigen_problem *e)
{
    int64_t m = e->basis;
    schur c = {.e = e, .m = (int)m, .seed = 1};
    e->info = (agn_eigen_info){.size = sizeof e->info, .wanted = e->k};
    e->st = AGN_OK;
    if (e->k == 0)
        return AGN_OK;
    c.k = (agni_krylov){.op = e->op, .dtype = e->dtype, .device = e->device};
    int64_t vectors = (m + 1) * (e->mass.apply ? 2 : 1);
    int64_t small = ((m + 1) * m + 2 * m * m + (3 + WORK) * m) * (int64_t)sizeof(agni_z);
    c.v = agni_krylov_alloc(&c.k, vectors, e->n);
    c.s = agni_zalloc((size_t)small);
    if (c.v && c.s) {
        c.w = e->mass.apply ? vector_at(&c, c.v, (int)m + 1) : c.v;
        c.q = c.s + (m + 1) * m;
        c.t = c.q + m * m;
        c.b = c.t + m * m;
        c.work = c.b + m;
        c.theta = (double *)(c.work + WORK * m);
        run_restarts(&c);
    } else
        e->st = c.k.st ? c.k.st : agni_nomem(e->op, (size_t)small);
    agni_krylov_free(&c.k, c.v, vectors, e->n);
    agni_krylov_end(&c.k);
    agni_free(c.s);
    if (!e->st && e->info.converged < e->k)
        e->st = agni_fail(AGN_ENOCONV,
                          "%s: %d of %d eigenvalues after %lld products; residual %.3g", e->op,
                          e->info.converged, e->k, (long long)e->info.products, e->info.residual);
    return e->st;
}
