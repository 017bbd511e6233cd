/* sparse/products/cuda/spmm.c - products with a sparse matrix by cuSPARSE, in its algorithms whose
   results repeat; batches, vectors by a transpose, and what those algorithms do not take, by a
   kernel of our own. The pattern's copy on the device lives as long as the pattern, and with it
   what cuSPARSE finds out about it for products with vectors; its transpose is stored, because
   cuSPARSE's transposed products do not repeat. */
#include "sparse/products/cuda/kernels.h"
#include "tensor/cuda/device.h"

#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 256 };
static cusparseHandle_t handles[MAX_DEVICES];

/* ---- a pattern on a device ------------------------------------------------------------------- */

/* A pattern as cuSPARSE was told to prepare for products with vectors, of one dtype. */
typedef struct prepared {
    cusparseSpMatDescr_t a;
    void *room;
} prepared;
enum { DTYPES = 4 };
typedef struct copy {
    int32_t device;
    void *memory;
    agni_cu_lines plain, turned;
    prepared vector[DTYPES];
} copy;
static char keys[MAX_DEVICES]; /* their addresses tell devices apart */

/* in the order of the stream, as every free of a device's memory */
static void copy_free(void *user)
{
    copy *m = user;
    agn_kernel_call c = {.op = "sparse", .device = m->device};
    agni_cu_scratch_free(&c, m->memory);
    for (int i = 0; i < DTYPES; i++) {
        agni_cu_scratch_free(&c, m->vector[i].room);
        if (m->vector[i].a)
            (void)cusparseDestroySpMat(m->vector[i].a);
    }
    free(m);
}

/* [indptr, index, row] and, of the transpose, [indptr, index, row, from]: row of an entry of
   the transpose is its column */
static void create_descriptors(int64_t *p, const agn_pattern_view *v)
{
    int64_t *indptr = p, *index = indptr + v->rows + 1, *row = index + v->nnz;
    int64_t *tptr = row + v->nnz, *tindex = tptr + v->cols + 1, *trow = tindex + v->nnz;
    int64_t *from = trow + v->nnz;
    memcpy(indptr, v->indptr, (size_t)(v->rows + 1) * sizeof *p);
    if (v->nnz)
        memcpy(index, v->index, (size_t)v->nnz * sizeof *p);
    memset(tptr, 0, (size_t)(v->cols + 1) * sizeof *p);
    for (int64_t r = 0; r < v->rows; r++)
        for (int64_t e = indptr[r]; e < indptr[r + 1]; e++) {
            row[e] = r;
            tptr[index[e] + 1]++;
        }
    for (int64_t j = 0; j < v->cols; j++)
        tptr[j + 1] += tptr[j];
    for (int64_t e = 0; e < v->nnz; e++) { /* rows ascend within a column */
        int64_t at = tptr[index[e]]++;
        tindex[at] = row[e];
        trow[at] = index[e];
        from[at] = e;
    }
    memmove(tptr + 1, tptr, (size_t)v->cols * sizeof *p);
    tptr[0] = 0;
}

static agn_status make_copy(const agn_kernel_call *c, const agn_pattern_view *v, copy **out)
{
    size_t n = (size_t)(v->rows + v->cols + 2 + 5 * v->nnz), bytes = n * sizeof(int64_t);
    int64_t *host = malloc(bytes), *p;
    copy *m = calloc(1, sizeof *m);
    void *memory = NULL;
    agn_status st = !host || !m ? agn_backend_fail(AGN_ENOMEM, "sparse: no memory for a pattern")
                                : agni_cu_scratch(c, bytes, &memory);
    if (!st) {
        create_descriptors(host, v);
        cudaError_t e = cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, c->stream);
        st = agni_cu_check(c->device, c->op, e ? e : cudaStreamSynchronize(c->stream));
    }
    free(host);
    if (st) {
        agni_cu_scratch_free(c, memory);
        free(m);
        return st;
    }
    p = memory;
    m->device = c->device;
    m->memory = memory;
    m->plain = (agni_cu_lines){v->rows, v->cols, v->nnz, p, p + v->rows + 1,
                               p + v->rows + 1 + v->nnz, NULL};
    p += v->rows + 1 + 2 * v->nnz;
    m->turned = (agni_cu_lines){v->cols, v->rows, v->nnz, p, p + v->cols + 1,
                                p + v->cols + 1 + v->nnz, p + v->cols + 1 + 2 * v->nnz};
    *out = m;
    return AGN_OK;
}

static agn_status pattern_of(const agn_kernel_call *c, copy **out)
{
    agn_pattern_view v;
    copy *m = agn_pattern_mirror(c->object, keys + c->device);
    agn_status st = AGN_OK;
    if (!m) {
        st = agn_pattern_read(&v, c->object);
        if (!st)
            st = make_copy(c, &v, &m);
        if (!st && !(m = agn_pattern_keep(c->object, keys + c->device, m, copy_free)))
            st = agn_backend_fail(AGN_ENOMEM, "sparse: no memory for a pattern");
    }
    *out = m;
    return st;
}

/* the leading axes of out and inputs, whose last axes belong to one part of the batch */
static void batch_of(const agn_kernel_call *c, int out_axes, const int *in_axes, agni_cu_walk *w)
{
    agn_array y = c->out[0], in[2];
    y.ndim -= out_axes;
    for (int i = 0; i < c->n_in; i++) {
        in[i] = c->in[i];
        in[i].ndim -= in_axes[i];
    }
    agni_cu_make_walk(w, &y, c->n_in, in);
}

/* ---- products -------------------------------------------------------------------------------- */

static agn_status status_of(const agn_kernel_call *c, cusparseStatus_t e)
{
    if (e == CUSPARSE_STATUS_SUCCESS)
        return AGN_OK;
    char text[256];
    agn_status st = agni_cu_check(c->device, c->op, cudaGetLastError());
    if (st)
        return st;
    snprintf(text, sizeof text, "%s: cuSPARSE reports %s", c->op, cusparseGetErrorString(e));
    return agn_backend_fail(e == CUSPARSE_STATUS_ALLOC_FAILED ? AGN_ENOMEM : AGN_EDEVICE, text);
}

/* in its turn */
static cusparseStatus_t handle_of(const agn_kernel_call *c, cusparseHandle_t *h)
{
    cusparseStatus_t e = CUSPARSE_STATUS_SUCCESS;
    if (!handles[c->device]) {
        int was = agni_cu_begin_lasting();
        e = cusparseCreate(&handles[c->device]);
        agni_cu_end_lasting(was);
    }
    *h = handles[c->device];
    return e ? e : cusparseSetStream(*h, c->stream);
}

/* 1 and 0 of a type, for it */
typedef struct scalars {
    cudaDataType_t type;
    const void *one, *zero;
} scalars;
static scalars scalars_of(int dtype)
{
    static const double one64[2] = {1, 0}, zero64[2] = {0, 0};
    static const float one32[2] = {1, 0}, zero32[2] = {0, 0};
    switch (dtype) {
    case AGN_F32: return (scalars){CUDA_R_32F, one32, zero32};
    case AGN_F64: return (scalars){CUDA_R_64F, one64, zero64};
    case AGN_C64: return (scalars){CUDA_C_32F, one32, zero32};
    default: return (scalars){CUDA_C_64F, one64, zero64};
    }
}

/* what cuSPARSE needs of the pattern, once; NOT_SUPPORTED within a graph, which has no memory */
static cusparseStatus_t prepare_vectors(const agn_kernel_call *c, cusparseHandle_t h, prepared *p,
                                        const agni_cu_lines *a, cusparseConstDnVecDescr_t x,
                                        cusparseDnVecDescr_t y, agn_status *st)
{
    const agn_kernel_call own = {.op = c->op, .device = c->device, .stream = c->stream};
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMVAlg_t alg = CUSPARSE_SPMV_CSR_ALG2;
    scalars k = scalars_of(c->out[0].dtype);
    size_t bytes = 0;
    cusparseStatus_t e = cusparseCreateCsr(
        &p->a, a->rows, a->cols, a->nnz, (void *)(uintptr_t)a->indptr, (void *)(uintptr_t)a->index,
        c->in[0].data, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ZERO, k.type);
    if (!e)
        e = cusparseSpMV_bufferSize(h, N, k.one, p->a, x, k.zero, y, k.type, alg, &bytes);
    if (!e)
        *st = agni_cu_scratch(&own, bytes ? bytes : 1, &p->room);
    if (!e && !*st)
        e = cusparseSpMV_preprocess(h, N, k.one, p->a, x, k.zero, y, k.type, alg, p->room);
    if (*st == AGN_EUNSUPPORTED) {
        *st = AGN_OK;
        e = CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    if (!e && !*st)
        return e;
    agni_cu_scratch_free(&own, p->room);
    if (p->a)
        (void)cusparseDestroySpMat(p->a);
    *p = (prepared){NULL, NULL};
    return e;
}

/* y = A x, in turn */
static cusparseStatus_t multiply_vector(const agn_kernel_call *c, copy *m, agn_status *st)
{
    static const int place[AGN_NDTYPES] = {[AGN_F64] = 1, [AGN_C64] = 2, [AGN_C128] = 3};
    prepared *p = &m->vector[place[c->out[0].dtype]];
    scalars k = scalars_of(c->out[0].dtype);
    cusparseConstDnVecDescr_t x = NULL;
    cusparseDnVecDescr_t y = NULL;
    cusparseHandle_t h;
    cusparseStatus_t e = handle_of(c, &h);
    if (!e)
        e = cusparseCreateConstDnVec(&x, m->plain.cols, c->in[1].data, k.type);
    if (!e)
        e = cusparseCreateDnVec(&y, m->plain.rows, c->out[0].data, k.type);
    if (!e)
        e = p->a ? cusparseSpMatSetValues(p->a, c->in[0].data)
                 : prepare_vectors(c, h, p, &m->plain, x, y, st);
    if (!e && !*st)
        e = cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, k.one, p->a, x, k.zero, y, k.type,
                         CUSPARSE_SPMV_CSR_ALG2, p->room);
    if (y)
        (void)cusparseDestroyDnVec(y);
    if (x)
        (void)cusparseDestroyDnVec(x);
    return e;
}

static cusparseStatus_t run_multiply(const agn_kernel_call *c, const agni_cu_lines *a,
                                     const void *v, const void *x, void *y, int64_t n, void **room,
                                     agn_status *st)
{
    scalars k = scalars_of(c->out[0].dtype);
    const cudaDataType_t t = k.type;
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMMAlg_t alg = CUSPARSE_SPMM_CSR_ALG3;
    cusparseConstSpMatDescr_t A = NULL;
    cusparseConstDnMatDescr_t X = NULL;
    cusparseDnMatDescr_t Y = NULL;
    cusparseHandle_t h;
    size_t bytes = 0;
    cusparseStatus_t e = handle_of(c, &h);
    if (!e)
        e = cusparseCreateConstCsr(&A, a->rows, a->cols, a->nnz, a->indptr, a->index, v,
                                   CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I,
                                   CUSPARSE_INDEX_BASE_ZERO, t);
    if (!e)
        e = cusparseCreateConstDnMat(&X, a->cols, n, n, x, t, CUSPARSE_ORDER_ROW);
    if (!e)
        e = cusparseCreateDnMat(&Y, a->rows, n, n, y, t, CUSPARSE_ORDER_ROW);
    if (!e)
        e = cusparseSpMM_bufferSize(h, N, N, k.one, A, X, k.zero, Y, t, alg, &bytes);
    if (!e)
        *st = agni_cu_scratch(c, bytes, room);
    if (!e && !*st)
        e = cusparseSpMM(h, N, N, k.one, A, X, k.zero, Y, t, alg, *room);
    if (Y)
        (void)cusparseDestroyDnMat(Y);
    if (X)
        (void)cusparseDestroyDnMat(X);
    if (A)
        (void)cusparseDestroySpMat(A);
    return e;
}

static agn_status run_spmm(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    copy *m;
    int64_t n = y->shape[y->ndim - 1];
    if (agni_cu_size(y) == 0)
        return AGN_OK;
    void *values = NULL, *room = NULL;
    int was = agni_cu_enter(c->device);
    agn_status st = pattern_of(c, &m);
    if (!st) {
        const agni_cu_lines *a = c->ints[0] ? &m->turned : &m->plain;
        cusparseStatus_t e = CUSPARSE_STATUS_NOT_SUPPORTED;
        agni_cu_walk w;
        batch_of(c, 2, (const int[]){1, 2}, &w);
        if (w.size == 1 && a->nnz && n > 1) {
            if (a->from) {
                st = agni_cu_scratch(c, (size_t)(a->nnz * agni_cu_bytes(y->dtype)), &values);
                if (!st)
                    agni_cu_permuted(values, c->in[0].data, a->from, a->nnz, y->dtype, c->stream);
            }
            if (!st) {
                agni_cu_take_turn(c->device, AGNI_CU_SPARSE);
                e = run_multiply(c, a, values ? values : c->in[0].data, c->in[1].data, y->data, n,
                                 &room, &st);
                agni_cu_end_turn(c->device, AGNI_CU_SPARSE);
            }
        }
        if (w.size == 1 && a->nnz && n == 1 && !a->from) {
            agni_cu_take_turn(c->device, AGNI_CU_SPARSE);
            e = multiply_vector(c, m, &st);
            agni_cu_end_turn(c->device, AGNI_CU_SPARSE);
        }
        if (!st && e == CUSPARSE_STATUS_NOT_SUPPORTED) {
            agni_cu_spmm(&w, a, y->dtype, n, c->stream);
            e = CUSPARSE_STATUS_SUCCESS;
        }
        if (!st)
            st = status_of(c, e);
        if (!st)
            st = agni_cu_check_launch(c);
    }
    agni_cu_scratch_free(c, values);
    agni_cu_scratch_free(c, room);
    agni_cu_leave(was);
    return st;
}

static agn_status run_sddmm(const agn_kernel_call *c)
{
    copy *m;
    if (agni_cu_size(c->out) == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    agn_status st = pattern_of(c, &m);
    if (!st) {
        agni_cu_walk w;
        batch_of(c, 1, (const int[]){2, 2}, &w);
        agni_cu_sddmm(&w, &m->plain, c->out[0].dtype, c->in[0].shape[c->in[0].ndim - 1], c->stream);
        st = agni_cu_check_launch(c);
    }
    agni_cu_leave(was);
    return st;
}

static agn_status run_entries(const agn_kernel_call *c, bool to_dense)
{
    copy *m;
    size_t bytes = (size_t)(agni_cu_size(c->out) * agni_cu_bytes(c->out[0].dtype));
    if (bytes == 0)
        return AGN_OK;
    int was = agni_cu_enter(c->device);
    agn_status st = pattern_of(c, &m);
    if (!st && to_dense)
        st = agni_cu_check(c->device, c->op,
                           cudaMemsetAsync(c->out[0].data, 0, bytes, c->stream));
    if (!st && m->plain.nnz) {
        agni_cu_walk w;
        batch_of(c, to_dense ? 2 : 1, (const int[]){to_dense ? 1 : 2}, &w);
        agni_cu_entries(&w, &m->plain, c->out[0].dtype, to_dense, c->stream);
        st = agni_cu_check_launch(c);
    }
    agni_cu_leave(was);
    return st;
}
static agn_status run_scatter(const agn_kernel_call *c)
{
    return run_entries(c, true);
}
static agn_status run_gather(const agn_kernel_call *c)
{
    return run_entries(c, false);
}

#define ALL(op, run) \
    {op, AGN_F32, false, run}, {op, AGN_F64, false, run}, {op, AGN_C64, false, run}, \
    { \
        op, AGN_C128, false, run \
    }
static const agn_kernel_entry table[] = {
    ALL("sparse_spmm", run_spmm),
    ALL("sparse_sddmm", run_sddmm),
    ALL("sparse_scatter", run_scatter),
    ALL("sparse_gather", run_gather),
};
const agni_cu_table agni_cu_sparse = {table, (int)(sizeof table / sizeof *table)};
