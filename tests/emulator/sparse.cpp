/* tests/emulator/sparse.cpp - the calls of cuSPARSE that the module makes: CSR by dense, row-major. */
#include "library.h"

#include <cusparse.h>

#include <cstdlib>
#include <cstring>

using namespace emulator;

namespace {

enum { WORKSPACE = 640 };

struct sparse_matrix {
    int64_t rows, cols, nnz;
    const int64_t *indptr, *index;
    const void *values;
    cudaDataType type;
};
struct dense_matrix {
    int64_t rows, cols, ld;
    void *values;
    cudaDataType type;
};

template <class T> void multiply(const sparse_matrix &a, const dense_matrix &x, const dense_matrix &y)
{
    for (int64_t r = 0; r < a.rows; r++)
        for (int64_t j = 0; j < x.cols; j++) {
            T sum = 0;
            for (int64_t e = a.indptr[r]; e < a.indptr[r + 1]; e++)
                sum += ((const T *)a.values)[e] * ((const T *)x.values)[a.index[e] * x.ld + j];
            ((T *)y.values)[r * y.ld + j] = sum;
        }
}

template <class D> cusparseStatus_t new_dense(D *d, int64_t rows, int64_t cols, int64_t ld, const void *v,
                                              cudaDataType type, cusparseOrder_t order)
{
    if (rows < 0 || cols < 0 || order != CUSPARSE_ORDER_ROW || ld < cols)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *d = (D) new dense_matrix{rows, cols, ld, (void *)v, type};
    return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t *h)
{
    *h = new_handle<cusparseHandle_t>();
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t s)
{
    set_stream(h, s);
    return CUSPARSE_STATUS_SUCCESS;
}
const char *cusparseGetErrorString(cusparseStatus_t e)
{
    return e == CUSPARSE_STATUS_INVALID_VALUE ? "invalid value" : "an emulated error";
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *d, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *indptr, const void *index, const void *values,
                                        cusparseIndexType_t indptr_type, cusparseIndexType_t index_type,
                                        cusparseIndexBase_t base, cudaDataType type)
{
    if (rows < 0 || cols < 0 || nnz < 0 || base != CUSPARSE_INDEX_BASE_ZERO)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (indptr_type != CUSPARSE_INDEX_64I || index_type != CUSPARSE_INDEX_64I)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *d = (cusparseConstSpMatDescr_t) new sparse_matrix{rows, cols, nnz, (const int64_t *)indptr,
                                                       (const int64_t *)index, values, type};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *d, int64_t rows, int64_t cols, int64_t ld,
                                          const void *v, cudaDataType type, cusparseOrder_t order)
{
    return new_dense(d, rows, cols, ld, v, type, order);
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *d, int64_t rows, int64_t cols, int64_t ld, void *v,
                                     cudaDataType type, cusparseOrder_t order)
{
    return new_dense(d, rows, cols, ld, v, type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t d)
{
    delete (dense_matrix *)d;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t d)
{
    delete (sparse_matrix *)d;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void *, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         size_t *bytes)
{
    const char *says = getenv("EMULATOR_CUSPARSE");
    *bytes = WORKSPACE;
    return says && !strcmp(says, "refuse") ? CUSPARSE_STATUS_NOT_SUPPORTED
                                           : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t h, cusparseOperation_t ta, cusparseOperation_t tx,
                              const void *alpha, cusparseConstSpMatDescr_t da, cusparseConstDnMatDescr_t dx,
                              const void *beta, cusparseDnMatDescr_t dy, cudaDataType type,
                              cusparseSpMMAlg_t, void *room)
{
    sparse_matrix a = *(const sparse_matrix *)da;
    dense_matrix x = *(const dense_matrix *)dx, y = *(const dense_matrix *)dy;
    if (ta != CUSPARSE_OPERATION_NON_TRANSPOSE || tx != CUSPARSE_OPERATION_NON_TRANSPOSE)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (a.cols != x.rows || a.rows != y.rows || x.cols != y.cols || a.type != type || x.type != type ||
        y.type != type)
        return CUSPARSE_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        if (*(const T *)alpha != T(1) || *(const T *)beta != T(0))
            complain("cusparseSpMM: alpha is not 1 or beta not 0");
        enqueue(stream_of(h), "cusparse SpMM", [=] {
            memset(room, 0x5a, WORKSPACE); /* the workspace is the product's alone */
            multiply<T>(a, x, y);
        });
    });
    return known ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/* ---- by a vector ---- */

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *d, int64_t rows, int64_t cols, int64_t nnz, void *indptr,
                                   void *index, void *values, cusparseIndexType_t indptr_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    return cusparseCreateConstCsr((cusparseConstSpMatDescr_t *)d, rows, cols, nnz, indptr, index, values,
                                  indptr_type, index_type, base, type);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t d, void *values)
{
    ((sparse_matrix *)d)->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *d, int64_t n, const void *v, cudaDataType type)
{
    return new_dense(d, n, 1, 1, v, type, CUSPARSE_ORDER_ROW);
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *d, int64_t n, void *v, cudaDataType type)
{
    return new_dense(d, n, 1, 1, v, type, CUSPARSE_ORDER_ROW);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t d)
{
    delete (dense_matrix *)d;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
                                         cusparseConstDnVecDescr_t, const void *, cusparseDnVecDescr_t,
                                         cudaDataType, cusparseSpMVAlg_t, size_t *bytes)
{
    const char *says = getenv("EMULATOR_CUSPARSE");
    *bytes = WORKSPACE;
    return says && !strcmp(says, "refuse") ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_SUCCESS;
}
/* leaves in the workspace where the pattern is, which products look for */
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t h, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t da, cusparseConstDnVecDescr_t, const void *,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void *room)
{
    const int64_t *indptr = ((const sparse_matrix *)da)->indptr;
    enqueue(stream_of(h), "cusparse SpMV_preprocess", [=] {
        memset(room, 0x5a, WORKSPACE);
        memcpy(room, &indptr, sizeof indptr);
    });
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t h, cusparseOperation_t ta, const void *alpha, cusparseConstSpMatDescr_t da,
                              cusparseConstDnVecDescr_t dx, const void *beta, cusparseDnVecDescr_t dy,
                              cudaDataType type, cusparseSpMVAlg_t alg, void *room)
{
    sparse_matrix a = *(const sparse_matrix *)da;
    dense_matrix x = *(const dense_matrix *)dx, y = *(const dense_matrix *)dy;
    if (ta != CUSPARSE_OPERATION_NON_TRANSPOSE || alg != CUSPARSE_SPMV_CSR_ALG2)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (a.cols != x.rows || a.rows != y.rows || a.type != type || x.type != type || y.type != type)
        return CUSPARSE_STATUS_INVALID_VALUE;
    bool known = by_type(type, [=](auto zero) {
        typedef decltype(zero) T;
        if (*(const T *)alpha != T(1) || *(const T *)beta != T(0))
            complain("cusparseSpMV: alpha is not 1 or beta not 0");
        enqueue(stream_of(h), "cusparse SpMV", [=] {
            if (memcmp(room, &a.indptr, sizeof a.indptr))
                complain("cusparseSpMV: the workspace was prepared for another pattern");
            multiply<T>(a, x, y);
        });
    });
    return known ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}
}
