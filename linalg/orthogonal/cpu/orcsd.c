/* linalg/orthogonal/cpu/orcsd.c - the decomposition of a unitary matrix by cosines and sines
   (orcsd, uncsd; Sutton 2009), QR as LAPACK stores it (geqrf), and balancing (gebal; Parlett &
   Reinsch 1969). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

enum { NOT_UNITARY = -4 };

typedef struct form_job {
    const agn_kernel_call *c;
    int dtype, real;
    int64_t m, n, p, q, least, bytes, work, reals;
} form_job;

static form_job job_of(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    return (form_job){.c = c,
                      .dtype = x->dtype,
                      .real = x->dtype == AGN_C64    ? AGN_F32
                              : x->dtype == AGN_C128 ? AGN_F64
                                                     : x->dtype,
                      .m = x->shape[x->ndim - 2],
                      .n = x->shape[x->ndim - 1],
                      .bytes = agni_dtypes[x->dtype].bytes};
}

/* a matrix of the first argument, columns first */
static bool copy_columns(const form_job *j, char *to, int64_t i)
{
    agni_lapack_matrix a = agni_matrix_at(j->c->in, j->c->in, i);
    return agni_matrix_copy_finite(to, (agni_lapack_matrix){a.p, a.cs, a.rs}, j->n, j->m, j->dtype);
}
static agn_status report_failure(const form_job *j, int64_t code, int64_t at, int64_t batch,
                                 int64_t room)
{
    if (code == AGNI_NOT_FINITE)
        return agni_refuse_not_finite(j->c, j->c->in, at);
    if (code == NOT_UNITARY)
        return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of %lld is not unitary", j->c->op,
                         (long long)at, (long long)batch);
    return code ? agni_lapack_failed(j->c, code, at, batch, room, "angles") : AGN_OK;
}

/* ---- cosines and sines ------------------------------------------------------------------ */

/* x [m, m], columns first, is destroyed */
static lapack_int run_csd(const form_job *j, char *x, void *theta, void *u1, void *u2, void *v1,
                          void *v2, void *work, int64_t lwork, void *reals, int64_t lreals,
                          lapack_int *ints)
{
    const int col = LAPACK_COL_MAJOR;
    int64_t z = j->bytes;
    lapack_int m = (lapack_int)j->m, p = (lapack_int)j->p, q = (lapack_int)j->q,
               lw = (lapack_int)lwork, lr = (lapack_int)lreals;
    lapack_int l1 = p > 0 ? p : 1, l2 = m - p > 0 ? m - p : 1, k1 = q > 0 ? q : 1,
               k2 = m - q > 0 ? m - q : 1;
    void *a = x, *c = x + (lwork < 0 ? 0 : j->p * z), *b = x + (lwork < 0 ? 0 : j->q * j->m * z),
         *d = (char *)b + (lwork < 0 ? 0 : j->p * z);
    return AGNI_BY_FIELD(
        j->dtype,
        LAPACKE_sorcsd_work(col, 'Y', 'Y', 'Y', 'Y', 'N', 'D', m, p, q, a, m, b, m, c, m, d, m,
                            theta, u1, l1, u2, l2, v1, k1, v2, k2, work, lw, ints),
        LAPACKE_dorcsd_work(col, 'Y', 'Y', 'Y', 'Y', 'N', 'D', m, p, q, a, m, b, m, c, m, d, m,
                            theta, u1, l1, u2, l2, v1, k1, v2, k2, work, lw, ints),
        LAPACKE_cuncsd_work(col, 'Y', 'Y', 'Y', 'Y', 'N', 'D', m, p, q, a, m, b, m, c, m, d, m,
                            theta, u1, l1, u2, l2, v1, k1, v2, k2, work, lw, reals, lr, ints),
        LAPACKE_zuncsd_work(col, 'Y', 'Y', 'Y', 'Y', 'N', 'D', m, p, q, a, m, b, m, c, m, d, m,
                            theta, u1, l1, u2, l2, v1, k1, v2, k2, work, lw, reals, lr, ints));
}

static bool is_unitary(const form_job *j, const char *x, char *gram)
{
    int64_t m = j->m;
    agni_multiply_columns(j->dtype, CblasConjTrans, CblasNoTrans, m, m, m, x, x, gram);
    double worst = 0;
    for (int64_t i = 0; i < m * m; i++) {
        double off = cabs(agni_number_get(j->dtype, gram, i) - (i % (m + 1) == 0));
        worst = off > worst || off != off ? off : worst;
    }
    return worst <= sqrt(agni_eps_of(j->dtype));
}

static int64_t find_csd(void *user, int64_t i, char *room)
{
    const form_job *j = user;
    int64_t m = j->m, z = j->bytes, each = agni_dtypes[j->real].bytes,
            square = agni_room_of(m * m * z);
    const int64_t order[] = {j->p, m - j->p, j->q, m - j->q};
    char *block[4], *at = room + square;
    for (int k = 0; k < 4; k++) {
        block[k] = at;
        at += agni_room_of((order[k] * order[k] + 1) * z);
    }
    char *theta = at, *reals = theta + agni_room_of((j->least + 1) * 8),
         *ints = reals + agni_room_of(j->reals * 8),
         *work = ints + agni_room_of((m + 1) * (int64_t)sizeof(lapack_int));
    if (!copy_columns(j, room, i))
        return AGNI_NOT_FINITE;
    if (!is_unitary(j, room, work + agni_room_of(j->work * z)))
        return NOT_UNITARY;
    lapack_int code = run_csd(j, room, theta, block[0], block[1], block[2], block[3], work, j->work,
                              reals, j->reals, (lapack_int *)(void *)ints);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    static const int to[] = {0, 1, 3, 4};
    for (int k = 0; k < 4; k++)
        agni_matrix_copy((char *)j->c->out[to[k]].data + i * order[k] * order[k] * z,
                         (agni_lapack_matrix){block[k], 1, order[k]}, order[k], order[k], z);
    memcpy((char *)j->c->out[2].data + i * j->least * each, theta, (size_t)(j->least * each));
    return 0;
}

agn_status agni_cpu_cossin(const agn_kernel_call *c)
{
    form_job j = job_of(c);
    j.p = c->ints[0];
    j.q = c->ints[1];
    j.least = c->out[2].shape[c->out[2].ndim - 1];
    int64_t batch = agni_batch_count(c->in, 2), at = 0, m = j.m;
    if (!batch || !m)
        return AGN_OK;
    double complex none[4] = {0}, asked = 0;
    double reals[2] = {0};
    lapack_int ints = 0;
    if (run_csd(&j, (char *)none, none, none, none, none, none, &asked, -1, reals, -1, &ints))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    j.work = agni_lapack_asked(j.dtype, &asked);
    j.reals = (int64_t)creal(agni_number_get(j.real, reals, 0)) + 1;
    int64_t room = agni_overread_room(j.dtype, m) + 2 * agni_room_of(m * m * j.bytes) +
                   agni_room_of((j.least + 1) * 8) + agni_room_of(j.reals * 8) +
                   agni_room_of((m + 1) * (int64_t)sizeof(lapack_int)) +
                   agni_room_of(j.work * j.bytes);
    const int64_t order[] = {j.p, m - j.p, j.q, m - j.q};
    for (int k = 0; k < 4; k++)
        room += agni_room_of((order[k] * order[k] + 1) * j.bytes);
    int64_t code = agni_each_with_room(batch, m, room, find_csd, &j, &at);
    return report_failure(&j, code, at, batch, room);
}

/* ---- reflectors -------------------------------------------------------------------------- */

static lapack_int run_geqrf(const form_job *j, void *a, void *tau, void *work, int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int m = (lapack_int)j->m, n = (lapack_int)j->n, lw = (lapack_int)lwork;
    return AGNI_BY_FIELD(j->dtype, LAPACKE_sgeqrf_work(col, m, n, a, m, tau, work, lw),
                         LAPACKE_dgeqrf_work(col, m, n, a, m, tau, work, lw),
                         LAPACKE_cgeqrf_work(col, m, n, a, m, tau, work, lw),
                         LAPACKE_zgeqrf_work(col, m, n, a, m, tau, work, lw));
}

static int64_t find_reflectors(void *user, int64_t i, char *room)
{
    const form_job *j = user;
    int64_t m = j->m, n = j->n, z = j->bytes;
    if (!copy_columns(j, room, i))
        return AGNI_NOT_FINITE;
    char *tau = room + agni_room_of(m * n * z);
    if (run_geqrf(j, room, tau, tau + agni_room_of(j->least * z), j->work))
        return AGNI_LAPACK_REFUSED;
    memcpy((char *)j->c->out[1].data + i * j->least * z, tau, (size_t)(j->least * z));
    agni_matrix_copy((char *)j->c->out[0].data + i * m * n * z, (agni_lapack_matrix){room, 1, m}, m,
                     n, z);
    return 0;
}

agn_status agni_cpu_geqrf(const agn_kernel_call *c)
{
    form_job j = job_of(c);
    j.least = j.m < j.n ? j.m : j.n;
    int64_t batch = agni_batch_count(c->in, 2), at = 0;
    if (!batch || !j.least)
        return AGN_OK;
    double complex none = 0, asked = 0;
    if (run_geqrf(&j, &none, &none, &asked, -1))
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    j.work = agni_lapack_asked(j.dtype, &asked);
    int64_t room = agni_overread_room(j.dtype, j.m) + agni_room_of(j.m * j.n * j.bytes) +
                   agni_room_of(j.least * j.bytes) + agni_room_of(j.work * j.bytes);
    int64_t code = agni_each_with_room(batch, j.least, room, find_reflectors, &j, &at);
    return report_failure(&j, code, at, batch, room);
}

/* ---- scales and order ---------------------------------------------------------------------- */

static int64_t find_balance(void *user, int64_t i, char *room)
{
    const form_job *j = user;
    int64_t n = j->n, each = agni_dtypes[j->real].bytes,
            *perm = (int64_t *)j->c->out[1].data + i * n;
    char *scale = (char *)j->c->out[0].data + i * n * each;
    lapack_int N = (lapack_int)n, lo = 0, hi = 0, code;
    const int col = LAPACK_COL_MAJOR;
    if (!copy_columns(j, room, i))
        return AGNI_NOT_FINITE;
    void *a = room, *s = scale;
    code = AGNI_BY_FIELD(j->dtype, LAPACKE_sgebal_work(col, 'B', N, a, N, &lo, &hi, s),
                         LAPACKE_dgebal_work(col, 'B', N, a, N, &lo, &hi, s),
                         LAPACKE_cgebal_work(col, 'B', N, a, N, &lo, &hi, s),
                         LAPACKE_zgebal_work(col, 'B', N, a, N, &lo, &hi, s));
    if (code)
        return AGNI_LAPACK_REFUSED;
    for (int64_t k = 0; k < n; k++)
        perm[k] = k;
    for (int64_t k = n - 1; k >= 0; k--) { /* the interchanges, in the order in which they were made */
        int64_t at = k >= hi ? k : hi - 1 - k;
        if (at >= hi || at < lo - 1) {
            int64_t with = (int64_t)creal(agni_number_get(j->real, scale, at)) - 1, was = perm[at];
            perm[at] = perm[with];
            perm[with] = was;
        }
    }
    for (int64_t k = 0; k < n; k++)
        if (k >= hi || k < lo - 1)
            agni_number_set(j->real, scale, k, 1);
    return 0;
}

agn_status agni_cpu_balance(const agn_kernel_call *c)
{
    form_job j = job_of(c);
    int64_t batch = agni_batch_count(c->in, 2), at = 0, room = agni_room_of(j.n * j.n * j.bytes);
    if (!batch || !j.n)
        return AGN_OK;
    int64_t code = agni_each_with_room(batch, j.n, room, find_balance, &j, &at);
    return report_failure(&j, code, at, batch, room);
}
