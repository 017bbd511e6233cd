/* linalg/cuda/solver.c - factorisations by cuSOLVER and cuBLAS (NVIDIA, cuSOLVER API and cuBLAS
   API): the batched functions for many matrices of middle size, else one matrix after the other
   by the 64-bit functions. Workspaces come of the pool of the device. */
#include "linalg/cuda/solver.h"
#include "linalg/cuda/kernels.h"
#include "tensor/cuda/device.h"
#include "tensor/matmul/cuda/blas.h"

#include <cusolverDn.h>
#include <stdio.h>
#include <stdlib.h>

/* from LARGE rows on a matrix fills a device by itself */
enum { MAX_DEVICES = 256, LARGE = 512 };
static struct {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
} solvers[MAX_DEVICES];

/* ---- calls ---------------------------------------------------------------------------------- */

/* what a call of cuSOLVER needs; the turn lasts while it is open */
typedef struct work {
    const agn_kernel_call *c;
    cusolverDnHandle_t h;
    cusolverDnParams_t q;
    cudaDataType_t type, real;
    size_t on_device, on_host;
    void *room, *host;
} work;

static agn_status solver_status(const agn_kernel_call *c, cusolverStatus_t e)
{
    if (e == CUSOLVER_STATUS_SUCCESS)
        return AGN_OK;
    char text[128];
    agn_status st = agni_cu_check(c->device, c->op, cudaGetLastError());
    if (st)
        return st;
    snprintf(text, sizeof text, "%s: cuSOLVER reports error %d", c->op, (int)e);
    return agn_backend_fail(e == CUSOLVER_STATUS_ALLOC_FAILED ? AGN_ENOMEM : AGN_EDEVICE, text);
}

static agn_status open_work(const agn_kernel_call *c, int dtype, work *w)
{
    static const struct {
        cudaDataType_t type, real;
    } types[AGN_NDTYPES] = {
        [AGN_F32] = {CUDA_R_32F, CUDA_R_32F}, [AGN_F64] = {CUDA_R_64F, CUDA_R_64F},
        [AGN_C64] = {CUDA_C_32F, CUDA_R_32F}, [AGN_C128] = {CUDA_C_64F, CUDA_R_64F},
    };
    *w = (work){.c = c, .type = types[dtype].type, .real = types[dtype].real};
    agni_cu_take_turn(c->device, AGNI_CU_SOLVER);
    cusolverStatus_t e = CUSOLVER_STATUS_SUCCESS;
    int was = agni_cu_begin_lasting();
    if (!solvers[c->device].handle)
        e = cusolverDnCreate(&solvers[c->device].handle);
    if (!e && !solvers[c->device].params)
        e = cusolverDnCreateParams(&solvers[c->device].params);
    agni_cu_end_lasting(was);
    w->h = solvers[c->device].handle;
    w->q = solvers[c->device].params;
    return solver_status(c, e ? e : cusolverDnSetStream(w->h, c->stream));
}

/* after the sizes were asked for, with e */
static agn_status take_room(work *w, cusolverStatus_t e)
{
    char text[128];
    agn_status st = solver_status(w->c, e);
    if (!st)
        st = agni_cu_scratch(w->c, w->on_device, &w->room);
    if (!st && w->on_host && !(w->host = malloc(w->on_host))) {
        snprintf(text, sizeof text, "%s: no memory for the work of cuSOLVER", w->c->op);
        st = agn_backend_fail(AGN_ENOMEM, text);
    }
    return st;
}
static agn_status close_work(work *w, agn_status st)
{
    agni_cu_end_turn(w->c->device, AGNI_CU_SOLVER);
    agni_cu_scratch_free(w->c, w->room);
    if (w->host) /* which queued work may still read */
        (void)cudaStreamSynchronize(w->c->stream);
    free(w->host);
    return st;
}

/* matrix i, whose neighbours are step numbers apart */
static void *matrix_at(const agni_cu_matrices *m, int64_t step, int64_t i)
{
    return (char *)m->a + i * step * agni_cu_bytes(m->dtype);
}
/* bytes of a real number of the field */
static int64_t real_bytes(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 4 : 8;
}
/* do the batched functions take it? */
static bool is_many(const agni_cu_matrices *m)
{
    return m->batch > 1 && m->rows < LARGE && m->batch <= INT32_MAX;
}

/* ---- Cholesky ------------------------------------------------------------------------------- */

static cusolverStatus_t potrf_many(const work *w, const agni_cu_matrices *m, cublasFillMode_t fill,
                                   void **p)
{
    int n = (int)m->rows, batch = (int)m->batch;
    switch (m->dtype) {
    case AGN_F32:
        return cusolverDnSpotrfBatched(w->h, fill, n, (float **)p, n, m->info, batch);
    case AGN_F64:
        return cusolverDnDpotrfBatched(w->h, fill, n, (double **)p, n, m->info, batch);
    case AGN_C64:
        return cusolverDnCpotrfBatched(w->h, fill, n, (cuComplex **)p, n, m->info, batch);
    default:
        return cusolverDnZpotrfBatched(w->h, fill, n, (cuDoubleComplex **)p, n, m->info, batch);
    }
}

/* the addresses of the matrices, on the device */
static agn_status take_addresses(const agn_kernel_call *c, const agni_cu_matrices *m, void **p)
{
    agn_status st = agni_cu_scratch(c, (size_t)m->batch * sizeof(void *), p);
    if (!st)
        agni_cu_addresses(*p, m->a, m->rows * m->cols * agni_cu_bytes(m->dtype), m->batch,
                          c->stream);
    return st;
}

agn_status agni_cu_potrf(const agn_kernel_call *c, const agni_cu_matrices *m, bool lower)
{
    cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    int64_t n = m->rows;
    bool many = m->batch > 1 && m->batch <= INT32_MAX;
    void *p = NULL;
    work w;
    agn_status st = many ? take_addresses(c, m, &p) : AGN_OK;
    if (st)
        return st;
    st = open_work(c, m->dtype, &w);
    if (!st && many)
        st = solver_status(c, potrf_many(&w, m, fill, p));
    else if (!st)
        st = take_room(&w, cusolverDnXpotrf_bufferSize(w.h, w.q, fill, n, w.type, m->a, n, w.type,
                                                       &w.on_device, &w.on_host));
    for (int64_t i = 0; !st && !many && i < m->batch; i++)
        st = solver_status(c, cusolverDnXpotrf(w.h, w.q, fill, n, w.type, matrix_at(m, n * n, i),
                                               n, w.type, w.room, w.on_device, w.host, w.on_host,
                                               m->info + i));
    st = close_work(&w, st);
    agni_cu_scratch_free(c, p);
    return st;
}

/* ---- LU ------------------------------------------------------------------------------------- */

static cublasStatus_t getrf_many(cublasHandle_t h, const agni_cu_matrices *m, void *p, int *pivots)
{
    int n = (int)m->rows, batch = (int)m->batch;
    switch (m->dtype) {
    case AGN_F32:
        return cublasSgetrfBatched(h, n, (float *const *)p, n, pivots, m->info, batch);
    case AGN_F64:
        return cublasDgetrfBatched(h, n, (double *const *)p, n, pivots, m->info, batch);
    case AGN_C64:
        return cublasCgetrfBatched(h, n, (cuComplex *const *)p, n, pivots, m->info, batch);
    default:
        return cublasZgetrfBatched(h, n, (cuDoubleComplex *const *)p, n, pivots, m->info, batch);
    }
}

static agn_status factor_many(const agn_kernel_call *c, const agni_cu_matrices *m, int64_t *pivots)
{
    void *p = NULL, *short_pivots = NULL;
    int64_t n = m->batch * m->rows;
    agn_status st = take_addresses(c, m, &p);
    if (!st)
        st = agni_cu_scratch(c, (size_t)n * sizeof(int), &short_pivots);
    if (!st) {
        cublasHandle_t h;
        cublasStatus_t e = agni_cu_blas(c, &h);
        st = agni_cu_blas_done(c, e ? e : getrf_many(h, m, p, short_pivots));
    }
    if (!st)
        agni_cu_widen(pivots, short_pivots, n, c->stream);
    agni_cu_scratch_free(c, p);
    agni_cu_scratch_free(c, short_pivots);
    return st;
}

agn_status agni_cu_getrf(const agn_kernel_call *c, const agni_cu_matrices *m, int64_t *pivots)
{
    int64_t rows = m->rows, cols = m->cols, k = rows < cols ? rows : cols;
    if (rows == cols && is_many(m))
        return factor_many(c, m, pivots);
    work w;
    agn_status st = open_work(c, m->dtype, &w);
    if (!st)
        st = take_room(&w, cusolverDnXgetrf_bufferSize(w.h, w.q, rows, cols, w.type, m->a, rows,
                                                       w.type, &w.on_device, &w.on_host));
    for (int64_t i = 0; !st && i < m->batch; i++)
        st = solver_status(c, cusolverDnXgetrf(w.h, w.q, rows, cols, w.type,
                                               matrix_at(m, rows * cols, i), rows, pivots + i * k,
                                               w.type, w.room, w.on_device, w.host, w.on_host,
                                               m->info + i));
    return close_work(&w, st);
}

agn_status agni_cu_getrs(const agn_kernel_call *c, const agni_cu_matrices *m, char op,
                         const int64_t *pivots, void *b, int64_t k)
{
    cublasOperation_t form = op == 'N' ? CUBLAS_OP_N : op == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
    int64_t n = m->rows;
    work w;
    agn_status st = open_work(c, m->dtype, &w);
    if (!st)
        st = solver_status(c, cusolverDnXgetrs(w.h, w.q, form, n, k, w.type, m->a, n, pivots,
                                               w.type, b, n, m->info));
    return close_work(&w, st);
}

/* ---- QR ------------------------------------------------------------------------------------- */

/* q of k reflectors; info: NULL asks for the numbers of workspace */
static cusolverStatus_t orgqr(const work *w, const agni_cu_matrices *m, int cols, int k, void *a,
                              const void *tau, int *info, int *numbers)
{
    int rows = (int)m->rows, n = *numbers;
    void *room = w->room;
    switch (m->dtype) {
    case AGN_F32:
        return info ? cusolverDnSorgqr(w->h, rows, cols, k, a, rows, tau, room, n, info)
                    : cusolverDnSorgqr_bufferSize(w->h, rows, cols, k, a, rows, tau, numbers);
    case AGN_F64:
        return info ? cusolverDnDorgqr(w->h, rows, cols, k, a, rows, tau, room, n, info)
                    : cusolverDnDorgqr_bufferSize(w->h, rows, cols, k, a, rows, tau, numbers);
    case AGN_C64:
        return info ? cusolverDnCungqr(w->h, rows, cols, k, a, rows, tau, room, n, info)
                    : cusolverDnCungqr_bufferSize(w->h, rows, cols, k, a, rows, tau, numbers);
    default:
        return info ? cusolverDnZungqr(w->h, rows, cols, k, a, rows, tau, room, n, info)
                    : cusolverDnZungqr_bufferSize(w->h, rows, cols, k, a, rows, tau, numbers);
    }
}

static cublasStatus_t geqrf_many(cublasHandle_t h, const agni_cu_matrices *m, void *p, void *tau,
                                 int *info)
{
    int rows = (int)m->rows, n = (int)m->cols, batch = (int)m->batch;
    switch (m->dtype) {
    case AGN_F32:
        return cublasSgeqrfBatched(h, rows, n, (float *const *)p, rows, (float *const *)tau, info,
                                   batch);
    case AGN_F64:
        return cublasDgeqrfBatched(h, rows, n, (double *const *)p, rows, (double *const *)tau,
                                   info, batch);
    case AGN_C64:
        return cublasCgeqrfBatched(h, rows, n, (cuComplex *const *)p, rows,
                                   (cuComplex *const *)tau, info, batch);
    default:
        return cublasZgeqrfBatched(h, rows, n, (cuDoubleComplex *const *)p, rows,
                                   (cuDoubleComplex *const *)tau, info, batch);
    }
}

/* the reflectors of all matrices, a step of numbers apart, by one call */
static agn_status reflect_many(const agn_kernel_call *c, const agni_cu_matrices *m, int64_t step,
                               void *tau)
{
    int64_t k = m->rows < m->cols ? m->rows : m->cols, bytes = agni_cu_bytes(m->dtype);
    void *p = NULL;
    agn_status st = agni_cu_scratch(c, 2 * (size_t)m->batch * sizeof p, &p);
    if (st)
        return st;
    void **of_tau = (void **)p + m->batch;
    agni_cu_addresses(p, m->a, step * bytes, m->batch, c->stream);
    agni_cu_addresses(of_tau, tau, k * bytes, m->batch, c->stream);
    cublasHandle_t h;
    int info = 0; /* of the arguments, written before the call returns */
    cublasStatus_t e = agni_cu_blas(c, &h);
    st = agni_cu_blas_done(c, e ? e : geqrf_many(h, m, p, of_tau, &info));
    agni_cu_scratch_free(c, p);
    return st;
}

agn_status agni_cu_geqrf(const agn_kernel_call *c, const agni_cu_matrices *m, int64_t step,
                         void *tau, int64_t q_cols, void (*kept)(void *user), void *user)
{
    bool many = is_many(m) && m->cols < LARGE;
    agn_status first = many ? reflect_many(c, m, step, tau) : AGN_OK;
    if (first)
        return first;
    int64_t rows = m->rows, cols = m->cols, k = rows < cols ? rows : cols;
    int64_t bytes = agni_cu_bytes(m->dtype);
    int numbers = 0;
    work w;
    agn_status st = open_work(c, m->dtype, &w);
    if (!st && (rows > INT32_MAX || q_cols > INT32_MAX))
        st = agn_backend_fail(AGN_EUNSUPPORTED, "linalg_qr: cuSOLVER takes 2^31 - 1 rows at most");
    cusolverStatus_t e = CUSOLVER_STATUS_SUCCESS;
    if (!st && !many)
        e = cusolverDnXgeqrf_bufferSize(w.h, w.q, rows, cols, w.type, m->a, rows, w.type, tau,
                                        w.type, &w.on_device, &w.on_host);
    if (!st && !e)
        e = orgqr(&w, m, (int)q_cols, (int)k, m->a, tau, NULL, &numbers);
    if (!st && w.on_device < (size_t)(numbers * bytes))
        w.on_device = (size_t)(numbers * bytes);
    if (!st)
        st = take_room(&w, e);
    for (int64_t i = 0; !st && !many && i < m->batch; i++)
        st = solver_status(c, cusolverDnXgeqrf(w.h, w.q, rows, cols, w.type, matrix_at(m, step, i),
                                               rows, w.type, (char *)tau + i * k * bytes, w.type,
                                               w.room, w.on_device, w.host, w.on_host,
                                               m->info + i));
    if (!st && kept)
        kept(user);
    for (int64_t i = 0; !st && i < m->batch; i++)
        st = solver_status(c, orgqr(&w, m, (int)q_cols, (int)k, matrix_at(m, step, i),
                                    (char *)tau + i * k * bytes, m->info + i, &numbers));
    return close_work(&w, st);
}

/* ---- eigenpairs and singular values --------------------------------------------------------- */

agn_status agni_cu_syevd(const agn_kernel_call *c, const agni_cu_matrices *m, bool lower,
                         bool vectors, void *values)
{
    cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    cusolverEigMode_t job = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
    int64_t n = m->rows;
    bool many = is_many(m);
    work w;
    agn_status st = open_work(c, m->dtype, &w);
    if (!st)
        st = take_room(&w, many ? cusolverDnXsyevBatched_bufferSize(
                                      w.h, w.q, job, fill, n, w.type, m->a, n, w.real, values,
                                      w.type, &w.on_device, &w.on_host, m->batch)
                                : cusolverDnXsyevd_bufferSize(w.h, w.q, job, fill, n, w.type, m->a,
                                                              n, w.real, values, w.type,
                                                              &w.on_device, &w.on_host));
    if (!st && many)
        st = solver_status(c, cusolverDnXsyevBatched(w.h, w.q, job, fill, n, w.type, m->a, n,
                                                     w.real, values, w.type, w.room, w.on_device,
                                                     w.host, w.on_host, m->info, m->batch));
    for (int64_t i = 0; !st && !many && i < m->batch; i++)
        st = solver_status(
            c, cusolverDnXsyevd(w.h, w.q, job, fill, n, w.type, matrix_at(m, n * n, i), n, w.real,
                                (char *)values + i * n * real_bytes(m->dtype), w.type, w.room,
                                w.on_device, w.host, w.on_host, m->info + i));
    return close_work(&w, st);
}

agn_status agni_cu_gesvd(const agn_kernel_call *c, const agni_cu_matrices *m, bool full, void *u,
                         void *s, void *vt)
{
    int64_t rows = m->rows, n = m->cols, u_cols = full ? rows : n, bytes = agni_cu_bytes(m->dtype);
    signed char job = !u ? 'N' : full ? 'A' : 'S';
    work w;
    agn_status st = open_work(c, m->dtype, &w);
    if (!st)
        st = take_room(&w, cusolverDnXgesvd_bufferSize(
                               w.h, w.q, job, job, rows, n, w.type, m->a, rows, w.real, s, w.type,
                               u, rows, w.type, vt, n, w.type, &w.on_device, &w.on_host));
    for (int64_t i = 0; !st && i < m->batch; i++)
        st = solver_status(
            c, cusolverDnXgesvd(w.h, w.q, job, job, rows, n, w.type, matrix_at(m, rows * n, i),
                                rows, w.real, (char *)s + i * n * real_bytes(m->dtype), w.type,
                                u ? (char *)u + i * rows * u_cols * bytes : NULL, rows, w.type,
                                u ? (char *)vt + i * n * n * bytes : NULL, n, w.type, w.room,
                                w.on_device, w.host, w.on_host, m->info + i));
    return close_work(&w, st);
}
