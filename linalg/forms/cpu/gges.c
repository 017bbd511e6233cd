/* linalg/forms/cpu/gges.c - pairs of matrices: generalised Schur's form (gges; Moler & Stewart
   1973) and eigenpairs (ggev); and Schur's form of one matrix with chosen values first (gees). */
#include "linalg/cpu/lapack_calls.h"

#include <agnesi/linalg.h>
#include <string.h>

enum { NOT_SORTED = -4 };

typedef struct pencil_job {
    const agn_kernel_call *c;
    const agn_array *y; /* a matrix of the result: how batches lie */
    int dtype;
    int64_t n, bytes, work;
    agn_spectral_order order;
    bool pencil;
} pencil_job;

/* ---- which values come first: of alpha / beta, for LAPACK, which passes no data of ours ----- */

static bool is_left(double complex a, double complex b)
{
    return creal(a * conj(b)) < 0;
}
static bool is_right(double complex a, double complex b)
{
    return creal(a * conj(b)) > 0;
}
static bool is_inside(double complex a, double complex b)
{
    return cabs(a) < cabs(b);
}
static bool is_outside(double complex a, double complex b)
{
    return cabs(a) > cabs(b);
}

#define CHOICES(name) \
    static lapack_logical name##_s2(const float *re, const float *im) \
    { \
        return is_##name(agni_join_parts((double)*re, (double)*im), 1); \
    } \
    static lapack_logical name##_d2(const double *re, const double *im) \
    { \
        return is_##name(agni_join_parts(*re, *im), 1); \
    } \
    static lapack_logical name##_c1(const float complex *w) \
    { \
        return is_##name((double complex) * w, 1); \
    } \
    static lapack_logical name##_z1(const double complex *w) \
    { \
        return is_##name(*w, 1); \
    } \
    static lapack_logical name##_s3(const float *re, const float *im, const float *b) \
    { \
        return is_##name(agni_join_parts((double)*re, (double)*im), (double)*b); \
    } \
    static lapack_logical name##_d3(const double *re, const double *im, const double *b) \
    { \
        return is_##name(agni_join_parts(*re, *im), *b); \
    } \
    static lapack_logical name##_c2(const float complex *a, const float complex *b) \
    { \
        return is_##name((double complex) * a, (double complex) * b); \
    } \
    static lapack_logical name##_z2(const double complex *a, const double complex *b) \
    { \
        return is_##name(*a, *b); \
    }
CHOICES(left)
CHOICES(right)
CHOICES(inside)
CHOICES(outside)

#define TABLE(type, suffix)                                                                    \
    static type choose_##suffix(agn_spectral_order order)                                      \
    {                                                                                          \
        static const type by[] = {NULL, left_##suffix, right_##suffix, inside_##suffix, outside_##suffix}; \
        return by[order];                                                                      \
    }
TABLE(LAPACK_S_SELECT2, s2)
TABLE(LAPACK_D_SELECT2, d2)
TABLE(LAPACK_C_SELECT1, c1)
TABLE(LAPACK_Z_SELECT1, z1)
TABLE(LAPACK_S_SELECT3, s3)
TABLE(LAPACK_D_SELECT3, d3)
TABLE(LAPACK_C_SELECT2, c2)
TABLE(LAPACK_Z_SELECT2, z2)

/* ---- forms ------------------------------------------------------------------------ */

/* spare: 3 n numbers and 8 n reals, then n logicals. a, b become the forms, l and r the bases */
static lapack_int run_form(const pencil_job *q, void *a, void *b, void *l, void *r, char *spare,
                           void *work, int64_t lwork, lapack_int *count)
{
    const int col = LAPACK_COL_MAJOR;
    const agn_spectral_order o = q->order;
    const char sort = o ? 'S' : 'N';
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork;
    int64_t z = lwork < 0 ? 0 : agni_room_of(q->n * q->bytes);
    void *one = spare, *two = spare + z, *three = spare + 2 * z, *reals = spare + 3 * z;
    lapack_logical *chosen = (lapack_logical *)(void *)((char *)reals +
                                                        (lwork < 0 ? 0
                                                                   : agni_room_of(8 * q->n * 8)));
    if (!q->pencil)
        return AGNI_BY_FIELD(q->dtype,
                             LAPACKE_sgees_work(col, 'V', sort, choose_s2(o), n, a, n, count, one,
                                                two, r, n, work, lw, chosen),
                             LAPACKE_dgees_work(col, 'V', sort, choose_d2(o), n, a, n, count, one,
                                                two, r, n, work, lw, chosen),
                             LAPACKE_cgees_work(col, 'V', sort, choose_c1(o), n, a, n, count, one,
                                                r, n, work, lw, reals, chosen),
                             LAPACKE_zgees_work(col, 'V', sort, choose_z1(o), n, a, n, count, one,
                                                r, n, work, lw, reals, chosen));
    return AGNI_BY_FIELD(q->dtype,
                         LAPACKE_sgges_work(col, 'V', 'V', sort, choose_s3(o), n, a, n, b, n, count,
                                            one, two, three, l, n, r, n, work, lw, chosen),
                         LAPACKE_dgges_work(col, 'V', 'V', sort, choose_d3(o), n, a, n, b, n, count,
                                            one, two, three, l, n, r, n, work, lw, chosen),
                         LAPACKE_cgges_work(col, 'V', 'V', sort, choose_c2(o), n, a, n, b, n, count,
                                            one, two, l, n, r, n, work, lw, reals, chosen),
                         LAPACKE_zgges_work(col, 'V', 'V', sort, choose_z2(o), n, a, n, b, n, count,
                                            one, two, l, n, r, n, work, lw, reals, chosen));
}

static bool copy_columns(const pencil_job *q, char *to, int k, int64_t i)
{
    agni_lapack_matrix a = agni_matrix_at(q->c->in + k, q->y, i);
    return agni_matrix_copy_finite(to, (agni_lapack_matrix){a.p, a.cs, a.rs}, q->n, q->n, q->dtype);
}
static void give_rows(const pencil_job *q, int k, int64_t i, const char *from)
{
    int64_t n = q->n, z = q->bytes;
    agni_matrix_copy((char *)q->c->out[k].data + i * n * n * z, (agni_lapack_matrix){from, 1, n}, n,
                     n, z);
}

static int64_t find_form(void *user, int64_t i, char *room)
{
    const pencil_job *q = user;
    int64_t n = q->n, square = agni_room_of(n * n * q->bytes);
    char *b = room + square, *l = b + square, *r = l + square, *spare = r + square,
         *work = spare + 3 * agni_room_of(n * q->bytes) + agni_room_of(8 * n * 8) +
                 agni_room_of(n * (int64_t)sizeof(lapack_logical));
    lapack_int count = 0;
    bool finite = copy_columns(q, room, 0, i);
    if (q->pencil)
        finite = copy_columns(q, b, 1, i) && finite;
    if (!finite)
        return AGNI_NOT_FINITE;
    lapack_int code = run_form(q, room, b, l, r, spare, work, q->work, &count);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code > n ? NOT_SORTED : code;
    give_rows(q, 0, i, room);
    if (q->pencil) {
        give_rows(q, 1, i, b);
        give_rows(q, 2, i, l);
    }
    give_rows(q, q->pencil ? 3 : 1, i, r);
    char *form[4] = {NULL};
    for (int k = 0; k < (q->pencil ? 4 : 2); k++)
        form[k] = (char *)q->c->out[k].data + i * n * n * q->bytes;
    agni_fix_schur_phases(q->dtype, n, form[0], form[q->pencil ? 3 : 1], q->pencil ? form[1] : NULL,
                          form[2]);
    ((int64_t *)q->c->out[q->pencil ? 4 : 2].data)[i] = q->order ? count : n;
    return 0;
}

static agn_status find_forms(const agn_kernel_call *c, bool pencil)
{
    const agn_array *y = c->out;
    pencil_job q = {.c = c,
                    .y = y,
                    .dtype = y->dtype,
                    .n = y->shape[y->ndim - 1],
                    .bytes = agni_dtypes[y->dtype].bytes,
                    .order = (agn_spectral_order)c->ints[0],
                    .pencil = pencil};
    int64_t batch = agni_batch_count(y, 2), at = 0;
    for (int64_t i = 0; !q.n && i < batch; i++)
        ((int64_t *)c->out[pencil ? 4 : 2].data)[i] = 0;
    if (!batch || !q.n)
        return AGN_OK;
    double complex none[4] = {0}, asked = 0;
    lapack_int count = 0;
    if (run_form(&q, none, none, none, none, (char *)none, &asked, -1, &count))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t room = agni_overread_room(q.dtype, q.n) + 4 * agni_room_of(q.n * q.n * q.bytes) +
                   3 * agni_room_of(q.n * q.bytes) + agni_room_of(8 * q.n * 8) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_logical)) +
                   agni_room_of(q.work * q.bytes);
    int64_t code = agni_each_with_room(batch, q.n, room, find_form, &q, &at);
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(c, y, at);
    if (code == NOT_SORTED)
        return agni_fail(
            AGN_EDOMAIN,
            "%s: matrix %lld of %lld: values are on the boundary up to rounding, or too near for an order",
            c->op, (long long)at, (long long)batch);
    return code ? agni_lapack_failed(c, code, at, batch, room, "eigenvalues") : AGN_OK;
}

agn_status agni_cpu_qz(const agn_kernel_call *c)
{
    return find_forms(c, true);
}
agn_status agni_cpu_schur_ordered(const agn_kernel_call *c)
{
    return find_forms(c, false);
}

/* ---- eigenpairs of pencils ---------------------------------------------------------- */

static lapack_int run_ggev(const pencil_job *q, void *a, void *b, void *alpha, void *beta, void *v,
                           void *work, int64_t lwork, void *rwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)q->n, lw = (lapack_int)lwork;
    return q->dtype == AGN_C64 ? LAPACKE_cggev_work(col, 'N', 'V', n, a, n, b, n, alpha, beta, NULL,
                                                    1, v, n, work, lw, rwork)
                               : LAPACKE_zggev_work(col, 'N', 'V', n, a, n, b, n, alpha, beta, NULL,
                                                    1, v, n, work, lw, rwork);
}

static double norm_of(int dtype, const void *p, int64_t n)
{
    double norm = 0;
    for (int64_t i = 0; i < n; i++)
        norm = hypot(norm, cabs(agni_number_get(dtype, p, i)));
    return norm;
}

/* rows of u = (b v)^-1; NaN where b is singular, or the value is defective up to rounding (as for
   one matrix) */
static int64_t invert_pencil(const pencil_job *q, const char *w, const char *v, const char *b,
                             char *u, double na, double nb, lapack_int *piv, void *work)
{
    int64_t n = q->n;
    lapack_int N = (lapack_int)n, lw = (lapack_int)q->work;
    const int col = LAPACK_COL_MAJOR;
    agni_multiply_columns(q->dtype, CblasNoTrans, CblasNoTrans, n, n, n, v, b, u); /* by rows: b v */
    int64_t code = agni_factor_lu(q->dtype, n, n, u, piv);
    if (code == AGNI_NO_ROOM)
        return code;
    if (!code)
        code = q->dtype == AGN_C64 ? LAPACKE_cgetri_work(col, N, (void *)u, N, piv, work, lw)
                                   : LAPACKE_zgetri_work(col, N, (void *)u, N, piv, work, lw);
    double eps = agni_eps_of(q->dtype), low = 32 * sqrt((double)n * eps);
    for (int64_t i = 0; i < n; i++) {
        double gap = (double)INFINITY;
        double complex wi = agni_number_get(q->dtype, w, i);
        for (int64_t j = 0; j < n; j++)
            gap = j == i ? gap : fmin(gap, cabs(agni_number_get(q->dtype, w, j) - wi));
        double length = norm_of(q->dtype, u + i * n * q->bytes, n);
        double noise = 32 * (double)n * eps * (na + cabs(wi) * nb) * length;
        bool known = !code && isfinite(length) && isfinite(noise) &&
                     (length * nb * low < 1 || gap > noise);
        for (int64_t j = 0; j < n && !known; j++)
            agni_number_set(q->dtype, u, i * n + j, agni_join_parts((double)NAN, (double)NAN));
    }
    return 0;
}

static int64_t find_pencil(void *user, int64_t i, char *room)
{
    const pencil_job *q = user;
    int64_t n = q->n, z = q->bytes, square = agni_room_of(n * n * z), line = agni_room_of(n * z);
    char *b = room + square, *right = b + square, *alpha = right + square, *beta = alpha + line,
         *reals = beta + line, *piv = reals + agni_room_of(8 * n * 8),
         *work = piv + agni_room_of(n * (int64_t)sizeof(lapack_int));
    bool finite = copy_columns(q, room, 0, i);
    finite = copy_columns(q, b, 1, i) && finite;
    if (!finite)
        return AGNI_NOT_FINITE;
    double na = norm_of(q->dtype, room, n * n), nb = norm_of(q->dtype, b, n * n);
    lapack_int code = run_ggev(q, room, b, alpha, beta, right, work, q->work, reals);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    char *w = (char *)q->c->out[1].data + i * n * z, *v = (char *)q->c->out[0].data + i * n * n * z,
         *u = (char *)q->c->out[2].data + i * n * n * z;
    for (int64_t j = 0; j < n; j++) {
        double complex x = agni_number_get(q->dtype, alpha, j),
                       y = agni_number_get(q->dtype, beta, j);
        double huge = x == 0 ? (double)NAN : (double)INFINITY;
        agni_number_set(q->dtype, w, j,
                        y == 0 ? agni_join_parts(huge, x == 0 ? (double)NAN : 0) : x / y);
        double length = norm_of(q->dtype, right + j * n * z, n);
        for (int64_t r = 0; r < n; r++)
            agni_number_set(q->dtype, v, r * n + j,
                            agni_number_get(q->dtype, right, j * n + r) / length);
    }
    agni_fix_phases(q->dtype, v, n, n, n, NULL, 0);
    agni_matrix_copy(b, agni_matrix_at(q->c->in + 1, q->y, i), n, n, z);
    int64_t done = invert_pencil(q, w, v, b, room, na, nb, (lapack_int *)(void *)piv, work);
    memcpy(u, room, (size_t)(n * n * z));
    return done;
}

agn_status agni_cpu_eig_pencil(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    pencil_job q = {.c = c,
                    .y = y,
                    .dtype = y->dtype,
                    .n = y->shape[y->ndim - 1],
                    .bytes = agni_dtypes[y->dtype].bytes};
    int64_t batch = agni_batch_count(y, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    double complex none[8] = {0}, asked = 0;
    if (run_ggev(&q, none, none, none, none, none, &asked, -1, none))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    q.work = agni_lapack_asked(q.dtype, &asked);
    int64_t room = agni_overread_room(q.dtype, q.n) + 3 * agni_room_of(q.n * q.n * q.bytes) +
                   2 * agni_room_of(q.n * q.bytes) + agni_room_of(8 * q.n * 8) +
                   agni_room_of(q.n * (int64_t)sizeof(lapack_int)) + agni_room_of(q.work * q.bytes);
    int64_t code = agni_each_with_room(batch, q.n, room, find_pencil, &q, &at);
    return agni_end_batch(c, y, code, at, batch, room, "eigenvalues");
}
