/* linalg/forms/cpu/gehrd.c - Schur's form (gees) and Hessenberg's (gehrd, orghr) of general
   matrices (Golub & Van Loan 2013, 7.4). */
#include "linalg/cpu/lapack_calls.h"

#include <string.h>

typedef struct form_job {
    const agn_kernel_call *c;
    int dtype;
    int64_t n, bytes, work;
} form_job;

static double size_of(int dtype, const char *p, int64_t i)
{
    return dtype == AGN_F32   ? (double)fabsf(((const float *)(const void *)p)[i])
           : dtype == AGN_F64 ? fabs(((const double *)(const void *)p)[i])
                              : cabs(agni_number_get(dtype, p, i));
}

/* real numbers from number i on, a step apart */
static void negate_line(int dtype, char *p, int64_t i, int64_t step, int64_t n)
{
    float *single = (float *)(void *)p;
    double *twice = (double *)(void *)p;
    for (int64_t k = 0; k < n; k++, i += step)
        if (dtype == AGN_F32)
            single[i] = -single[i];
        else
            twice[i] = -twice[i];
}

/* column j of v and of t times phase, row j of t times its conjugate; the diagonal stays */
static void turn_vector(int dtype, int64_t n, char *t, char *v, int64_t j, double complex phase)
{
    if (agni_kind(dtype) != AGNI_KIND_COMPLEX) {
        negate_line(dtype, v, j, n, n);
        negate_line(dtype, t, j, n, n);
        negate_line(dtype, t, j * n, 1, n);
        return;
    }
    double complex kept = agni_number_get(dtype, t, j * (n + 1));
    for (int64_t i = 0; i < n; i++) {
        agni_number_set(dtype, v, i * n + j, agni_number_get(dtype, v, i * n + j) * phase);
        agni_number_set(dtype, t, i * n + j, agni_number_get(dtype, t, i * n + j) * phase);
    }
    for (int64_t i = 0; i < n; i++)
        agni_number_set(dtype, t, j * n + i, agni_number_get(dtype, t, j * n + i) * conj(phase));
    agni_number_set(dtype, t, j * (n + 1), kept);
}

/* the first of the largest entries of each vector becomes real and positive */
void agni_fix_schur_phases(int dtype, int64_t n, char *t, char *v, char *other, char *u)
{
    for (int64_t j = 0; j < n; j++) {
        double most = 0;
        int64_t k = 0;
        for (int64_t i = 0; i < n; i++) {
            const double size = size_of(dtype, v, i * n + j);
            most = size > most ? size : most;
        }
        while (most > 0 && !(size_of(dtype, v, k * n + j) >= most * AGNI_PHASE_NEAR))
            k++;
        double complex z = most > 0 ? agni_number_get(dtype, v, k * n + j) : 1;
        if (cimag(z) == 0 && creal(z) > 0)
            continue;
        double size = cabs(z);
        turn_vector(dtype, n, t, v, j, conj(z) / size);
        if (other)
            turn_vector(dtype, n, other, u, j, conj(z) / size);
        agni_number_set(dtype, v, k * n + j, size);
    }
}

static int64_t find_schur(void *user, int64_t i, char *room)
{
    const form_job *q = user;
    int64_t n = q->n, z = q->bytes;
    char *v = room + agni_room_of(n * n * z), *spare = v + agni_room_of(n * n * z),
         *work = spare + agni_room_of(2 * n * z);
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    if (!agni_matrix_copy_finite(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, q->dtype))
        return AGNI_NOT_FINITE;
    lapack_int code = agni_run_gees(q->dtype, n, room, v, NULL, spare, work, q->work);
    if (code)
        return code < 0 ? AGNI_LAPACK_REFUSED : code;
    agni_matrix_copy((char *)q->c->out[0].data + i * n * n * z, (agni_lapack_matrix){room, 1, n}, n,
                     n, z);
    agni_matrix_copy((char *)q->c->out[1].data + i * n * n * z, (agni_lapack_matrix){v, 1, n}, n, n,
                     z);
    agni_fix_schur_phases(q->dtype, n, (char *)q->c->out[0].data + i * n * n * z,
                          (char *)q->c->out[1].data + i * n * n * z, NULL, NULL);
    return 0;
}

static lapack_int run_gehrd(int dtype, int64_t order, void *a, void *tau, void *work, int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)order, lw = (lapack_int)lwork;
    return AGNI_BY_FIELD(dtype, LAPACKE_sgehrd_work(col, n, 1, n, a, n, tau, work, lw),
                         LAPACKE_dgehrd_work(col, n, 1, n, a, n, tau, work, lw),
                         LAPACKE_cgehrd_work(col, n, 1, n, a, n, tau, work, lw),
                         LAPACKE_zgehrd_work(col, n, 1, n, a, n, tau, work, lw));
}
static lapack_int run_orghr(int dtype, int64_t order, void *a, void *tau, void *work, int64_t lwork)
{
    const int col = LAPACK_COL_MAJOR;
    lapack_int n = (lapack_int)order, lw = (lapack_int)lwork;
    return AGNI_BY_FIELD(dtype, LAPACKE_sorghr_work(col, n, 1, n, a, n, tau, work, lw),
                         LAPACKE_dorghr_work(col, n, 1, n, a, n, tau, work, lw),
                         LAPACKE_cunghr_work(col, n, 1, n, a, n, tau, work, lw),
                         LAPACKE_zunghr_work(col, n, 1, n, a, n, tau, work, lw));
}

static int64_t find_hessenberg(void *user, int64_t i, char *room)
{
    const form_job *q = user;
    int64_t n = q->n, z = q->bytes;
    char *tau = room + agni_room_of(n * n * z), *work = tau + agni_room_of(n * z);
    agni_lapack_matrix a = agni_matrix_at(q->c->in, q->c->in, i);
    if (!agni_matrix_copy_finite(room, (agni_lapack_matrix){a.p, a.cs, a.rs}, n, n, q->dtype))
        return AGNI_NOT_FINITE;
    if (run_gehrd(q->dtype, n, room, tau, work, q->work))
        return AGNI_LAPACK_REFUSED;
    char *h = (char *)q->c->out[0].data + i * n * n * z;
    agni_matrix_copy(h, (agni_lapack_matrix){room, 1, n}, n, n, z);
    for (int64_t r = 2; r < n; r++) /* reflectors lie below */
        memset(h + r * n * z, 0, (size_t)((r - 1) * z));
    if (run_orghr(q->dtype, n, room, tau, work, q->work))
        return AGNI_LAPACK_REFUSED;
    char *v = (char *)q->c->out[1].data + i * n * n * z;
    agni_matrix_copy(v, (agni_lapack_matrix){room, 1, n}, n, n, z);
    /* real entries of the subdiagonal become positive: then both factors are unique */
    for (int64_t j = 1; j < n; j++)
        if (creal(agni_number_get(q->dtype, h, j * n + j - 1)) < 0)
            turn_vector(q->dtype, n, h, v, j, -1);
    return 0;
}

static agn_status find_form(const agn_kernel_call *c, bool schur)
{
    const agn_array *x = c->in;
    form_job q = {.c = c,
                  .dtype = x->dtype,
                  .n = x->shape[x->ndim - 1],
                  .bytes = agni_dtypes[x->dtype].bytes};
    int64_t batch = agni_batch_count(x, 2), at = 0;
    if (!batch || !q.n)
        return AGN_OK;
    if (schur)
        q.work = agni_ask_gees(q.dtype, q.n);
    else {
        double complex one = 0, two = 0, none = 0;
        bool bad = run_gehrd(q.dtype, q.n, &none, &none, &one, -1) ||
                   run_orghr(q.dtype, q.n, &none, &none, &two, -1);
        int64_t a = agni_lapack_asked(q.dtype, &one), b = agni_lapack_asked(q.dtype, &two);
        q.work = bad ? -1 : a > b ? a : b;
    }
    if (q.work < 0)
        return agni_lapack_failed(c, AGNI_LAPACK_REFUSED, 0, batch, 0, "");
    int64_t room = agni_overread_room(q.dtype, q.n) + 2 * agni_room_of(q.n * q.n * q.bytes) +
                   agni_room_of(2 * q.n * q.bytes) + agni_room_of(q.work * q.bytes);
    int64_t code = agni_each_with_room(batch, q.n, room, schur ? find_schur : find_hessenberg, &q,
                                       &at);
    return agni_end_batch(c, x, code, at, batch, room, "eigenvalues");
}

agn_status agni_cpu_schur(const agn_kernel_call *c)
{
    return find_form(c, true);
}
agn_status agni_cpu_hessenberg(const agn_kernel_call *c)
{
    return find_form(c, false);
}
