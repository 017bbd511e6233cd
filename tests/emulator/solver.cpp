/* tests/emulator/solver.cpp - the calls of cuSOLVER that the module makes: Cholesky by columns (Golub & Van Loan
   2013, 4.2), the others by LAPACK (Anderson et al. 1999) in copies on the host, whose threads may not touch device
   memory. */
#include "library.h"

#include <complex>
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include <cusolverDn.h>
#include <vector>

using namespace emulator;

namespace {

/* 0, or the order of the leading minor that is not positive; the other triangle is left alone */
template <class T> int factor(cublasFillMode_t fill, int64_t n, T *a, int64_t lda)
{
    bool lower = fill == CUBLAS_FILL_MODE_LOWER;
    auto at = [=](int64_t i, int64_t j) -> T & { return lower ? a[i + j * lda] : a[j + i * lda]; };
    auto get = [=](int64_t i, int64_t j) { return lower ? at(i, j) : conjugate(at(i, j)); };
    for (int64_t j = 0; j < n; j++) {
        auto d = real_part(at(j, j));
        for (int64_t k = 0; k < j; k++)
            d -= std::norm(at(j, k));
        if (!(d > 0))
            return (int)(j + 1);
        d = std::sqrt(d);
        at(j, j) = T(d);
        for (int64_t i = j + 1; i < n; i++) {
            T s = get(i, j);
            for (int64_t k = 0; k < j; k++)
                s -= get(i, k) * conjugate(get(j, k));
            s /= T(d);
            at(i, j) = lower ? s : conjugate(s);
        }
    }
    return 0;
}

template <class T>
cusolverStatus_t factor_batch(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T **a, int lda, int *info,
                              int batch)
{
    if (n < 0 || batch < 0 || lda < std::max(1, n))
        return CUSOLVER_STATUS_INVALID_VALUE;
    enqueue(stream_of(h), "cusolver potrfBatched", [=] {
        for (int i = 0; i < batch; i++)
            info[i] = factor(fill, n, a[i], lda);
    });
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- LAPACK by type ---- */

template <class T> struct real_type {
    typedef T type;
};
template <class R> struct real_type<std::complex<R>> {
    typedef R type;
};
template <class T> using real_of = typename real_type<T>::type;

const int COLUMNS = LAPACK_COL_MAJOR;
typedef lapack_int integer;

#define GENERAL(T, X)                                                                                     \
    integer getrf(integer m, integer n, T *a, integer lda, integer *p)                                        \
    {                                                                                                         \
        return LAPACKE_##X##getrf(COLUMNS, m, n, a, lda, p);                                                  \
    }                                                                                                         \
    integer getrs(char op, integer n, integer k, const T *a, integer lda, const integer *p, T *b, integer ldb)    \
    {                                                                                                         \
        return LAPACKE_##X##getrs(COLUMNS, op, n, k, a, lda, p, b, ldb);                                      \
    }                                                                                                         \
    integer geqrf(integer m, integer n, T *a, integer lda, T *tau)                                            \
    {                                                                                                         \
        return LAPACKE_##X##geqrf(COLUMNS, m, n, a, lda, tau);                                                \
    }                                                                                                         \
    integer gesdd(char job, integer m, integer n, T *a, real_of<T> *s, T *u, T *vt)                           \
    {                                                                                                         \
        return LAPACKE_##X##gesdd(COLUMNS, job, m, n, a, m, s, u, m, vt, n);                                  \
    }
GENERAL(float, s)
GENERAL(double, d)
GENERAL(c64, c)
GENERAL(c128, z)

#define OWN(T, Q, E)                                                                                      \
    integer orgqr(integer m, integer n, integer k, T *a, integer lda, const T *tau)                           \
    {                                                                                                         \
        return LAPACKE_##Q##gqr(COLUMNS, m, n, k, a, lda, tau);                                               \
    }                                                                                                         \
    integer evd(char job, char fill, integer n, T *a, real_of<T> *w)                                          \
    {                                                                                                         \
        return LAPACKE_##E##evd(COLUMNS, job, fill, n, a, n, w);                                              \
    }
OWN(float, sor, ssy)
OWN(double, dor, dsy)
OWN(c64, cun, che)
OWN(c128, zun, zhe)

/* a copy of n numbers on the host, written back at the end */
template <class T> struct copied {
    std::vector<T> v;
    T *to;
    copied(T *p, int64_t n) : v(p, p + n), to(p) {}
    ~copied() { std::copy(v.begin(), v.end(), to); }
    T *data() { return v.data(); }
};

enum { HOST_ROOM = 16 };
size_t room_of(int64_t n) { return 64 * (size_t)n; }
/* what a call may use is the call's alone */
void use_room(void *room, size_t bytes) { memset(room, 0x5a, bytes); }
bool room_is_short(int64_t n, size_t bytes, void *host, size_t host_bytes)
{
    if (bytes < room_of(n) || host_bytes < HOST_ROOM)
        return true;
    memset(host, 0x5a, host_bytes);
    return false;
}

template <class T>
cusolverStatus_t orthogonal(cusolverDnHandle_t h, int m, int n, int k, T *a, int lda, const T *tau, T *room,
                            int numbers, int *info)
{
    if (m < n || n < k || lda < std::max(1, m) || numbers < 32 * n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    enqueue(stream_of(h), "cusolver orgqr", [=] {
        use_room(room, (size_t)numbers * sizeof(T));
        std::vector<T> t(tau, tau + k);
        copied<T> x(a, (int64_t)lda * (n - 1) + m);
        std::fill(x.v.begin() + std::min((int64_t)lda * k, (int64_t)x.v.size()), x.v.end(), T(0)); /* is not read; LAPACKE looks for NaN */
        *info = orgqr(m, n, k, x.data(), lda, t.data());
    });
    return CUSOLVER_STATUS_SUCCESS;
}

/* batch: 0 for the function of one matrix */
template <class T>
void eigenpairs(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int64_t n, T *a, void *w,
                void *room, size_t bytes, int *info, int64_t batch)
{
    enqueue(stream_of(h), batch ? "cusolver syevBatched" : "cusolver syevd", [=] {
        use_room(room, bytes);
        for (int64_t i = 0; i < std::max<int64_t>(batch, 1); i++) {
            copied<T> x(a + i * n * n, n * n);
            std::vector<real_of<T>> values((size_t)n);
            info[i] = evd(job == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', fill == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U',
                          (integer)n, x.data(), values.data());
            std::copy(values.begin(), values.end(), (real_of<T> *)w + i * n);
            if (job != CUSOLVER_EIG_MODE_VECTOR) /* a is lost */
                memset((void *)x.data(), 0x5a, (size_t)(n * n) * sizeof(T));
        }
    });
}

} // namespace

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *h)
{
    *h = new_handle<cusolverDnHandle_t>();
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *p)
{
    *p = new_handle<cusolverDnParams_t>();
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t s)
{
    set_stream(h, s);
    return CUSOLVER_STATUS_SUCCESS;
}

#define BATCHED(name, P, T)                                                                               \
    cusolverStatus_t name(cusolverDnHandle_t h, cublasFillMode_t fill, int n, P *a[], int lda, int *info,     \
                          int batch)                                                                          \
    {                                                                                                         \
        return factor_batch(h, fill, n, (T **)a, lda, info, batch);                                           \
    }
BATCHED(cusolverDnSpotrfBatched, float, float)
BATCHED(cusolverDnDpotrfBatched, double, double)
BATCHED(cusolverDnCpotrfBatched, cuComplex, c64)
BATCHED(cusolverDnZpotrfBatched, cuDoubleComplex, c128)

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t n,
                                             cudaDataType, const void *, int64_t, cudaDataType,
                                             size_t *on_device, size_t *on_host)
{
    *on_device = 64 * (size_t)n;
    *on_host = 16;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill, int64_t n,
                                  cudaDataType type, void *a, int64_t lda, cudaDataType, void *room,
                                  size_t bytes, void *host, size_t host_bytes, int *info)
{
    if (n < 0 || lda < std::max<int64_t>(1, n) || bytes < 64 * (size_t)n || host_bytes < 16)
        return CUSOLVER_STATUS_INVALID_VALUE;
    memset(host, 0x5a, host_bytes);
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        enqueue(stream_of(h), "cusolver potrf", [=] {
            memset(room, 0x5a, bytes); /* the workspace is the factorisation's alone */
            *info = factor(fill, n, (T *)a, lda);
        });
    });
    return known ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t, cudaDataType,
                                             const void *, int64_t, cudaDataType, size_t *bytes,
                                             size_t *host_bytes)
{
    *bytes = room_of(m);
    *host_bytes = HOST_ROOM;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
                                  void *a, int64_t lda, int64_t *pivots, cudaDataType, void *room, size_t bytes,
                                  void *host, size_t host_bytes, int *info)
{
    if (m < 0 || n < 0 || lda < std::max<int64_t>(1, m) || room_is_short(m, bytes, host, host_bytes))
        return CUSOLVER_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        enqueue(stream_of(h), "cusolver getrf", [=] {
            use_room(room, bytes);
            std::vector<integer> p((size_t)std::min(m, n));
            copied<T> x((T *)a, lda * (n - 1) + m);
            *info = getrf((integer)m, (integer)n, x.data(), (integer)lda, p.data());
            std::copy(p.begin(), p.end(), pivots);
        });
    });
    return known ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t op, int64_t n, int64_t k,
                                  cudaDataType type, const void *a, int64_t lda, const int64_t *pivots,
                                  cudaDataType b_type, void *b, int64_t ldb, int *info)
{
    if (n < 0 || k < 0 || lda < std::max<int64_t>(1, n) || ldb < std::max<int64_t>(1, n) || b_type != type)
        return CUSOLVER_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        enqueue(stream_of(h), "cusolver getrs", [=] {
            std::vector<integer> p(pivots, pivots + n);
            std::vector<T> lu((const T *)a, (const T *)a + lda * (n - 1) + n);
            copied<T> x((T *)b, ldb * (k - 1) + n);
            LAPACKE_set_nancheck(0); /* NaN is an argument like others */
            *info = getrs(op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C', (integer)n, (integer)k,
                          lu.data(), (integer)lda, p.data(), x.data(), (integer)ldb);
        });
    });
    return known ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t, cudaDataType,
                                             const void *, int64_t, cudaDataType, const void *, cudaDataType,
                                             size_t *bytes, size_t *host_bytes)
{
    *bytes = room_of(m);
    *host_bytes = HOST_ROOM;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
                                  void *a, int64_t lda, cudaDataType, void *tau, cudaDataType, void *room,
                                  size_t bytes, void *host, size_t host_bytes, int *info)
{
    if (m < 0 || n < 0 || lda < std::max<int64_t>(1, m) || room_is_short(m, bytes, host, host_bytes))
        return CUSOLVER_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        enqueue(stream_of(h), "cusolver geqrf", [=] {
            use_room(room, bytes);
            copied<T> x((T *)a, lda * (n - 1) + m), t((T *)tau, std::min(m, n));
            *info = geqrf((integer)m, (integer)n, x.data(), (integer)lda, t.data());
        });
    });
    return known ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}
#define ORTHOGONAL(name, P, T)                                                                            \
    cusolverStatus_t name##_bufferSize(cusolverDnHandle_t, int, int n, int, const P *, int, const P *, int *numbers)  \
    {                                                                                                         \
        *numbers = 32 * n;                                                                                    \
        return CUSOLVER_STATUS_SUCCESS;                                                                       \
    }                                                                                                         \
    cusolverStatus_t name(cusolverDnHandle_t h, int m, int n, int k, P *a, int lda, const P *tau, P *room,    \
                          int numbers, int *info)                                                             \
    {                                                                                                         \
        return orthogonal(h, m, n, k, (T *)a, lda, (const T *)tau, (T *)room, numbers, info);                 \
    }
ORTHOGONAL(cusolverDnSorgqr, float, float)
ORTHOGONAL(cusolverDnDorgqr, double, double)
ORTHOGONAL(cusolverDnCungqr, cuComplex, c64)
ORTHOGONAL(cusolverDnZungqr, cuDoubleComplex, c128)

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t n, cudaDataType, const void *, int64_t,
                                             cudaDataType, const void *, cudaDataType, size_t *bytes,
                                             size_t *host_bytes)
{
    *bytes = room_of(n);
    *host_bytes = HOST_ROOM;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t q, cusolverEigMode_t job,
                                                   cublasFillMode_t fill, int64_t n, cudaDataType type,
                                                   const void *a, int64_t lda, cudaDataType w_type, const void *w,
                                                   cudaDataType compute, size_t *bytes, size_t *host_bytes, int64_t)
{
    return cusolverDnXsyevd_bufferSize(h, q, job, fill, n, type, a, lda, w_type, w, compute, bytes, host_bytes);
}
static cusolverStatus_t any_evd(cusolverDnHandle_t h, cusolverEigMode_t job, cublasFillMode_t fill, int64_t n,
                                cudaDataType type, void *a, int64_t lda, void *w, void *room, size_t bytes,
                                void *host, size_t host_bytes, int *info, int64_t batch)
{
    if (n < 0 || lda != n || room_is_short(n, bytes, host, host_bytes))
        return CUSOLVER_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        eigenpairs<T>(h, job, fill, n, (T *)a, w, room, bytes, info, batch);
    });
    return known ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t job,
                                  cublasFillMode_t fill, int64_t n, cudaDataType type, void *a, int64_t lda,
                                  cudaDataType, void *w, cudaDataType, void *room, size_t bytes, void *host,
                                  size_t host_bytes, int *info)
{
    return any_evd(h, job, fill, n, type, a, lda, w, room, bytes, host, host_bytes, info, 0);
}
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t job,
                                        cublasFillMode_t fill, int64_t n, cudaDataType type, void *a, int64_t lda,
                                        cudaDataType, void *w, cudaDataType, void *room, size_t bytes, void *host,
                                        size_t host_bytes, int *info, int64_t batch)
{
    return any_evd(h, job, fill, n, type, a, lda, w, room, bytes, host, host_bytes, info, batch);
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                             int64_t m, int64_t n, cudaDataType, const void *, int64_t,
                                             cudaDataType, const void *, cudaDataType, const void *, int64_t,
                                             cudaDataType, const void *, int64_t, cudaDataType, size_t *bytes,
                                             size_t *host_bytes)
{
    *bytes = room_of(m);
    *host_bytes = HOST_ROOM;
    return m < n ? CUSOLVER_STATUS_INVALID_VALUE : CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char job, signed char job_vt,
                                  int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType, void *s,
                                  cudaDataType, void *u, int64_t ldu, cudaDataType, void *vt, int64_t ldvt,
                                  cudaDataType, void *room, size_t bytes, void *host, size_t host_bytes, int *info)
{
    if (m < n || lda != m || job != job_vt || room_is_short(m, bytes, host, host_bytes) ||
        (job != 'N' && (ldu != m || ldvt != n)))
        return CUSOLVER_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        enqueue(stream_of(h), "cusolver gesvd", [=] {
            use_room(room, bytes);
            copied<T> x((T *)a, m * n);
            std::vector<real_of<T>> values((size_t)n);
            std::vector<T> left((size_t)(job == 'A' ? m * m : job == 'S' ? m * n : 1)),
                right((size_t)(job == 'N' ? 1 : n * n));
            *info = gesdd((char)job, (integer)m, (integer)n, x.data(), values.data(), left.data(), right.data());
            std::copy(values.begin(), values.end(), (real_of<T> *)s);
            if (job != 'N') {
                std::copy(left.begin(), left.end(), (T *)u);
                std::copy(right.begin(), right.end(), (T *)vt);
            }
            memset((void *)x.data(), 0x5a, (size_t)(m * n) * sizeof(T)); /* a is lost */
        });
    });
    return known ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}
}
