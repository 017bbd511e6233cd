/* tests/emulator/solver.cpp - the calls of cuSOLVER that the module makes: Cholesky by columns (Golub & Van Loan
   2013, 4.2). */
#include "library.h"

#include <cusolverDn.h>

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
}
