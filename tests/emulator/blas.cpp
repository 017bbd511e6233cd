/* tests/emulator/blas.cpp - the calls of cuBLAS that the module makes, by plain loops over columns. */
#include "library.h"

#include <cublas_v2.h>

using namespace emulator;

namespace {

/* in a graph what cuBLAS takes of the pool would be a node, which bodies of loops must not have */
cudaStream_t work_of(cublasHandle_t h)
{
    cudaStream_t s = stream_of(h);
    if (is_captured(s) && !((handle *)h)->room)
        complain("cuBLAS takes memory within a graph: its handle has no workspace");
    return s;
}

/* element (i, j) of op(A) */
template <class T> T element(cublasOperation_t op, const T *a, int64_t ld, int64_t i, int64_t j)
{
    T v = op == CUBLAS_OP_N ? a[i + j * ld] : a[j + i * ld];
    return op == CUBLAS_OP_C ? conjugate(v) : v;
}

template <class T>
void multiply(cublasOperation_t ta, cublasOperation_t tb, int64_t m, int64_t n, int64_t k, T alpha, const T *a,
              int64_t lda, const T *b, int64_t ldb, T beta, T *c, int64_t ldc)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            T sum = 0;
            for (int64_t q = 0; q < k; q++)
                sum += element(ta, a, lda, i, q) * element(tb, b, ldb, q, j);
            T &to = c[i + j * ldc];
            to = alpha * sum + (beta == T(0) ? T(0) : beta * to);
        }
}

bool is_side(int64_t ld, cublasOperation_t op, int64_t rows, int64_t cols)
{
    return ld >= std::max<int64_t>(1, op == CUBLAS_OP_N ? rows : cols);
}

/* op(A) X = alpha B or X op(A) = alpha B; X takes the place of B (Golub & Van Loan 2013, 3.1) */
template <class T>
cublasStatus_t solve(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                     cublasDiagType_t diag, int64_t m, int64_t n, const T *alpha, const T *a, int64_t lda, T *b,
                     int64_t ldb)
{
    bool right = side == CUBLAS_SIDE_RIGHT;
    int64_t k = right ? n : m, vectors = right ? m : n;
    if (m < 0 || n < 0 || lda < std::max<int64_t>(1, k) || ldb < std::max<int64_t>(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    T f = *alpha;
    enqueue(work_of(h), "cublas trsm", [=] {
        bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N), forward = lower != right;
        for (int64_t v = 0; v < vectors; v++) {
            auto x = [&](int64_t i) -> T & { return right ? b[v + i * ldb] : b[i + v * ldb]; };
            for (int64_t s = 0; s < k; s++) {
                int64_t i = forward ? s : k - 1 - s;
                T sum = f * x(i);
                for (int64_t q = 0; q < s; q++) {
                    int64_t j = forward ? q : k - 1 - q;
                    sum -= (right ? element(op, a, lda, j, i) : element(op, a, lda, i, j)) * x(j);
                }
                x(i) = diag == CUBLAS_DIAG_UNIT ? sum : sum / element(op, a, lda, i, i);
            }
        }
    });
    return CUBLAS_STATUS_SUCCESS;
}

/* a = p l u by columns, pivots from 1 (Golub & Van Loan 2013, 3.4): 0, or 1 + the first step without a pivot */
template <class T> int factor(int64_t n, T *a, int64_t lda, int *pivots)
{
    int bad = 0;
    auto size = [](T x) { return std::abs(std::real(x)) + std::abs(std::imag(x)); };
    for (int64_t k = 0; k < n; k++) {
        int64_t at = k;
        for (int64_t i = k + 1; i < n; i++)
            if (size(a[i + k * lda]) > size(a[at + k * lda]))
                at = i;
        pivots[k] = (int)(at + 1);
        if (a[at + k * lda] == T(0)) {
            bad = bad ? bad : (int)(k + 1);
            continue;
        }
        for (int64_t j = 0; j < n && at != k; j++)
            std::swap(a[k + j * lda], a[at + j * lda]);
        for (int64_t i = k + 1; i < n; i++)
            a[i + k * lda] /= a[k + k * lda];
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                a[i + j * lda] -= a[i + k * lda] * a[k + j * lda];
    }
    return bad;
}
template <class T>
cublasStatus_t factor_batch(cublasHandle_t h, int n, T *const *a, int lda, int *pivots, int *info, int batch)
{
    if (n < 0 || batch < 0 || lda < std::max(1, n))
        return CUBLAS_STATUS_INVALID_VALUE;
    enqueue(work_of(h), "cublas getrfBatched", [=] {
        for (int i = 0; i < batch; i++)
            info[i] = factor(n, a[i], lda, pivots + (int64_t)i * n);
    });
    return CUBLAS_STATUS_SUCCESS;
}

/* a = q r by columns: reflectors 1 - tau v v^H below the diagonal of r (Golub & Van Loan 2013, 5.2), as LAPACK
   stores them */
template <class T> void reflect_columns(int64_t m, int64_t n, T *a, int64_t lda, T *tau)
{
    for (int64_t k = 0; k < std::min(m, n); k++) {
        T *x = a + k * lda, alpha = x[k];
        auto sum = std::norm(alpha) * 0;
        for (int64_t i = k + 1; i < m; i++)
            sum += std::norm(x[i]);
        tau[k] = T(0);
        if (sum == 0 && std::imag(alpha) == 0)
            continue;
        auto norm = std::sqrt(sum + std::norm(alpha));
        T beta = T(std::real(alpha) < 0 ? norm : -norm);
        tau[k] = (beta - alpha) / beta;
        for (int64_t i = k + 1; i < m; i++)
            x[i] /= alpha - beta;
        x[k] = beta;
        for (int64_t j = k + 1; j < n; j++) {
            T *y = a + j * lda, dot = y[k];
            for (int64_t i = k + 1; i < m; i++)
                dot += conjugate(x[i]) * y[i];
            dot *= conjugate(tau[k]);
            y[k] -= dot;
            for (int64_t i = k + 1; i < m; i++)
                y[i] -= x[i] * dot;
        }
    }
}
template <class T>
cublasStatus_t reflect_batch(cublasHandle_t h, int m, int n, T *const *a, int lda, T *const *tau, int *info, int batch)
{
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < std::max(1, m) ? -4 : batch < 0 ? -7 : 0;
    if (*info)
        return CUBLAS_STATUS_INVALID_VALUE;
    enqueue(work_of(h), "cublas geqrfBatched", [=] {
        for (int i = 0; i < batch; i++)
            reflect_columns((int64_t)m, (int64_t)n, a[i], lda, tau[i]);
    });
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *h)
{
    *h = new_handle<cublasHandle_t>();
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t h)
{
    delete (handle *)h;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *room, size_t bytes)
{
    int device = -1;
    if (!on_device(room, &device) || device != ((handle *)h)->device || (uintptr_t)room % 256 || bytes < 16384)
        return CUBLAS_STATUS_INVALID_VALUE;
    ((handle *)h)->room = room;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t)
{
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t s)
{
    set_stream(h, s);
    return CUBLAS_STATUS_SUCCESS;
}
const char *cublasGetStatusName(cublasStatus_t e)
{
    return e == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE" : "CUBLAS_STATUS_NOT_SUPPORTED";
}
const char *cublasGetStatusString(cublasStatus_t e)
{
    return cublasGetStatusName(e);
}

cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                             int64_t m, int64_t n, int64_t k, const void *alpha,
                                             const void *a, cudaDataType at, int64_t lda, long long step_a,
                                             const void *b, cudaDataType bt, int64_t ldb, long long step_b,
                                             const void *beta, void *c, cudaDataType ct, int64_t ldc,
                                             long long step_c, int64_t batch, cublasComputeType_t,
                                             cublasGemmAlgo_t)
{
    if (m < 0 || n < 0 || k < 0 || batch < 0 || !is_side(lda, ta, m, k) || !is_side(ldb, tb, k, n) ||
        ldc < std::max<int64_t>(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (at != bt || at != ct)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (batch > 1 && n > 0 && step_c < ldc * (n - 1) + m)
        complain("cublasGemmStridedBatchedEx: the matrices of the result overlap");
    bool known = by_type(at, [=](auto zero) {
        typedef decltype(zero) T;
        T f = *(const T *)alpha, g = *(const T *)beta;
        enqueue(work_of(h), "cublas gemm", [=] {
            for (int64_t i = 0; i < batch; i++)
                multiply(ta, tb, m, n, k, f, (const T *)a + i * step_a, lda, (const T *)b + i * step_b, ldb,
                         g, (T *)c + i * step_c, ldc);
        });
    });
    return known ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

#define TRSM(name, P, T)                                                                                  \
    cublasStatus_t name(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t f, cublasOperation_t o,        \
                        cublasDiagType_t d, int64_t m, int64_t n, const P *alpha, const P *a, int64_t lda,    \
                        P *b, int64_t ldb)                                                                    \
    {                                                                                                         \
        return solve(h, s, f, o, d, m, n, (const T *)alpha, (const T *)a, lda, (T *)b, ldb);                  \
    }
TRSM(cublasStrsm_v2_64, float, float)
TRSM(cublasDtrsm_v2_64, double, double)
TRSM(cublasCtrsm_v2_64, cuComplex, c64)
TRSM(cublasZtrsm_v2_64, cuDoubleComplex, c128)

#define GETRF(name, P, T)                                                                                 \
    cublasStatus_t name(cublasHandle_t h, int n, P *const a[], int lda, int *pivots, int *info, int batch)     \
    {                                                                                                         \
        return factor_batch(h, n, (T *const *)a, lda, pivots, info, batch);                                   \
    }
GETRF(cublasSgetrfBatched, float, float)
GETRF(cublasDgetrfBatched, double, double)
GETRF(cublasCgetrfBatched, cuComplex, c64)
GETRF(cublasZgetrfBatched, cuDoubleComplex, c128)

#define GEQRF(name, P, T)                                                                                 \
    cublasStatus_t name(cublasHandle_t h, int m, int n, P *const a[], int lda, P *const tau[], int *info,      \
                        int batch)                                                                            \
    {                                                                                                         \
        return reflect_batch(h, m, n, (T *const *)a, lda, (T *const *)tau, info, batch);                      \
    }
GEQRF(cublasSgeqrfBatched, float, float)
GEQRF(cublasDgeqrfBatched, double, double)
GEQRF(cublasCgeqrfBatched, cuComplex, c64)
GEQRF(cublasZgeqrfBatched, cuDoubleComplex, c128)
}
