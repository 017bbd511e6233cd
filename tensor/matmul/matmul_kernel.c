/* tensor/matmul/matmul_kernel.c - the CPU kernel of matmul: which of four multiplies (tile
   kernels for small matrices, blocked GEMM, GEMV, the linked BLAS), and how the batch is spread
   over threads. */
#include "tensor/matmul/matmul.h"
#include "core/threads/cancel.h"

#include "tensor/cpu/level_dispatch.h"
#include <cblas.h>
#include <complex.h>
#include <string.h>

/* a layout of BLAS: one stride is 1, the other at least the row length */
static bool is_blas_layout(const agn_array *x, int64_t rows, int64_t cols)
{
    int64_t rs = x->stride[x->ndim - 2], cs = x->stride[x->ndim - 1];
    if (cs == 1 || cols == 1)
        return (rs >= cols || rows == 1) && rs <= INT32_MAX;
    return (rs == 1 || rows == 1) && cs >= rows && cs <= INT32_MAX;
}

/* C = A B for one pair of matrices; the result is contiguous row-major */
static void multiply_by_blas(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                             agni_gemm_operand b, void *c)
{
    bool ta = !(a.cs == 1 || k == 1), tb = !(b.cs == 1 || n == 1);
    int64_t lda = ta ? a.cs : a.rs, ldb = tb ? b.cs : b.rs;
    lda = lda > (ta ? m : k) ? lda : ta ? m : k;
    ldb = ldb > (tb ? k : n) ? ldb : tb ? k : n;
    enum CBLAS_TRANSPOSE A = ta ? CblasTrans : CblasNoTrans, B = tb ? CblasTrans : CblasNoTrans;
    int M = (int)m, N = (int)n, K = (int)k, LA = (int)lda, LB = (int)ldb;
    const float complex one32 = 1, zero32 = 0;
    const double complex one64 = 1, zero64 = 0;
    const void *pa = a.p, *pb = b.p;
    switch (dtype) {
    case AGN_F32:
        cblas_sgemm(CblasRowMajor, A, B, M, N, K, 1, pa, LA, pb, LB, 0, c, N);
        break;
    case AGN_F64:
        cblas_dgemm(CblasRowMajor, A, B, M, N, K, 1, pa, LA, pb, LB, 0, c, N);
        break;
    case AGN_C64:
        cblas_cgemm(CblasRowMajor, A, B, M, N, K, &one32, pa, LA, pb, LB, &zero32, c, N);
        break;
    default:
        cblas_zgemm(CblasRowMajor, A, B, M, N, K, &one64, pa, LA, pb, LB, &zero64, c, N);
    }
}

#define REFERENCE(T) \
    for (int64_t i = 0; i < m; i++) \
        for (int64_t j = 0; j < n; j++) { \
            T acc = 0; \
            for (int64_t q = 0; q < k; q++) \
                acc += ((const T *)a.p)[i * a.rs + q * a.cs] * \
                       ((const T *)b.p)[q * b.rs + j * b.cs]; \
            ((T *)c)[i * n + j] = acc; \
        } \
    break
/* any strides; integers wrap around. Also small float products, where the call of BLAS
   dominates. */
static void multiply_reference(int dtype, int64_t m, int64_t n, int64_t k, agni_gemm_operand a,
                               agni_gemm_operand b, void *c)
{
    switch (dtype) {
    case AGN_I32:
        REFERENCE(uint32_t);
    case AGN_I64:
        REFERENCE(uint64_t);
    case AGN_F32:
        REFERENCE(float);
    case AGN_F64:
        REFERENCE(double);
    case AGN_C64:
        REFERENCE(float complex);
    default:
        REFERENCE(double complex);
    }
}

/* a row-major copy of one matrix */
static agni_gemm_operand copy_row_major(agni_gemm_operand x, int64_t rows, int64_t cols,
                                        int64_t bytes, char *buf)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            memcpy(buf + (i * cols + j) * bytes, x.p + (i * x.rs + j * x.cs) * bytes,
                   (size_t)bytes);
    return (agni_gemm_operand){buf, cols, 1};
}

/* The tile kernels cost nothing per call, BLAS less per product: they break even near 80 x 80 x 80
   (measured with OpenBLAS 0.3.21 on AVX2). Rows of b and of the result are whole vectors. */
static const agni_real_kernels *small_kernels(const agni_matmul_job *p)
{
    enum { MOST = 80 * 80 * 80 };
    const agni_simd_kernels *vk = agni_simd_kernels_get();
    int dtype = p->y->dtype;
    if ((dtype != AGN_F64 && dtype != AGN_F32) || p->m * p->n * p->k > MOST ||
        p->n * p->bytes % vk->vbytes || p->b->stride[p->b->ndim - 1] != 1)
        return NULL;
    return &vk->real[dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32];
}

static int64_t batch_offset(const agn_array *x, const agn_array *y, int64_t i)
{
    int64_t off = 0;
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - x->ndim);
        if (e >= 0 && x->shape[e] != 1)
            off += i % y->shape[d] * x->stride[e];
        i /= y->shape[d];
    }
    return off;
}

agni_gemm_operand agni_matmul_matrix(const agn_array *x, const agn_array *y, int64_t i,
                                     int64_t bytes)
{
    return (agni_gemm_operand){(const char *)x->data + batch_offset(x, y, i) * bytes,
                               x->stride[x->ndim - 2], x->stride[x->ndim - 1]};
}

/* y = a b, or y^T = b^T a^T, where b or a^T is a column */
static agni_gemv as_gemv(const agni_matmul_job *p, agni_gemm_operand a, agni_gemm_operand b,
                         char *y)
{
    if (p->n == 1)
        return (agni_gemv){p->y->dtype, p->m, p->k, a, b.p, b.rs, y};
    return (agni_gemv){p->y->dtype, p->n, p->k, {b.p, b.cs, b.rs}, a.p, a.cs, y};
}

static void multiply_one(const agni_matmul_job *p, int64_t i, int worker)
{
    agni_gemm_operand a = agni_matmul_matrix(p->a, p->y, i, p->bytes),
                      b = agni_matmul_matrix(p->b, p->y, i, p->bytes);
    char *c = (char *)p->y->data + i * p->m * p->n * p->bytes;
    if (p->small) {
        p->small->product(
            (agni_simd_tile){c, p->n}, (agni_simd_matrix){(void *)(uintptr_t)a.p, a.cs, a.rs},
            (agni_simd_tile){(void *)(uintptr_t)b.p, b.rs}, p->k, p->m, p->n, false, NULL);
        return;
    }
    char *workspace = p->workspace ? p->workspace + (size_t)worker * p->workspace_bytes : NULL;
    if (p->gemv) {
        agni_gemv v = as_gemv(p, a, b, c);
        agni_gemv_run(&v, workspace);
        return;
    }
    if (p->prepacked) {
        agni_gemm_prepacked(p->y->dtype, p->which, p->prepacked, p->m, p->n, p->k, a, b, c, p->n,
                            workspace);
        return;
    }
    if (p->blocked) {
        agni_gemm(p->y->dtype, p->m, p->n, p->k, a, b, c, p->n, workspace);
        return;
    }
    if (!p->blas) {
        multiply_reference(p->a->dtype, p->m, p->n, p->k, a, b, c);
        return;
    }
    if (p->bufa)
        a = copy_row_major(a, p->m, p->k, p->bytes, p->bufa);
    if (p->bufb)
        b = copy_row_major(b, p->k, p->n, p->bytes, p->bufb);
    multiply_by_blas(p->a->dtype, p->m, p->n, p->k, a, b, c);
}

enum { JOB_PRODUCTS = 1 << 16 }; /* multiplications worth a job */

static int64_t products_per_job(const agni_matmul_job *p)
{
    return 1 + JOB_PRODUCTS / (p->m * p->n * p->k);
}

static void multiply_range(void *user, int64_t job, int worker)
{
    const agni_matmul_job *p = user;
    int64_t n = products_per_job(p), lo = job * n, hi = lo + n < p->batch ? lo + n : p->batch;
    for (int64_t i = lo; i < hi; i++)
        multiply_one(p, i, worker);
}

static bool is_real(const agni_matmul_job *p)
{
    return p->y->dtype == AGN_F64 || p->y->dtype == AGN_F32;
}

/* Blocked GEMM where there is FMA and both sides have some rows; the reference does for few
   multiplications. */
static bool worth_blocking(const agni_matmul_job *p)
{
    enum { THIN = 4, FEW = 1 << 11 };
    return is_real(p) && agni_simd_kernels_get()->fma && p->m >= THIN && p->n >= THIN &&
           p->m * p->n * p->k > FEW;
}

/* A row or column times a matrix is GEMV if the matrix has a unit stride, else blocked GEMM, which
   packs it. */
static void choose_gemv(agni_matmul_job *p)
{
    enum { FEW = 64 };
    if (!is_real(p) || (p->m != 1 && p->n != 1) || p->m * p->n * p->k <= FEW)
        return;
    const agn_array *x = p->n == 1 ? p->a : p->b;
    int64_t r = x->stride[x->ndim - 2], c = x->stride[x->ndim - 1];
    p->gemv = p->n == 1 ? agni_gemv_accepts(p->m, p->k, r, c) : agni_gemv_accepts(p->n, p->k, c, r);
    p->blocked = !p->gemv;
}

/* one right operand for the whole batch: is the batch further rows of the left one? */
static bool batch_is_rows(const agni_matmul_job *p)
{
    const agn_array *a = p->a, *b = p->b, *y = p->y;
    int64_t step = p->m * a->stride[a->ndim - 2];
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - b->ndim), f = d - (y->ndim - a->ndim);
        if ((e >= 0 && b->shape[e] != 1) || f < 0 || a->shape[f] != y->shape[d] ||
            (a->shape[f] != 1 && a->stride[f] != step))
            return false;
        step *= y->shape[d];
    }
    return true;
}

/* the stride of the matrices of the batch in x, or 0 if there is none, or some are broadcast */
static int64_t batch_stride(const agn_array *x, const agn_array *y)
{
    int64_t step = 0, many = 1;
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - x->ndim);
        if (y->shape[d] == 1)
            continue;
        if (e < 0 || x->shape[e] == 1 || x->stride[e] <= 0 || (step && x->stride[e] != step * many))
            return 0;
        step = step ? step : x->stride[e];
        many *= y->shape[d];
    }
    return step;
}
static bool is_broadcast_operand(const agn_array *x)
{
    bool one = true;
    for (int d = 0; d < x->ndim - 2; d++)
        one = one && x->shape[d] == 1;
    return one;
}

static const agn_array *view_as_matrix(agni_matrix_view *t, const agn_array *x, int64_t rows,
                                       int64_t cols, int64_t rs, int64_t cs)
{
    *t = (agni_matrix_view){*x, {rows, cols}, {rs, cs}};
    t->x.ndim = 2;
    t->x.shape = t->shape;
    t->x.stride = t->stride;
    return &t->x;
}

/* A batch of columns times one matrix becomes one product, y^T = b^T a^T, whose rows are the
   columns: the matrix is read once. The columns of y have the memory order of these rows. */
static void flatten_batch(agni_matmul_job *p)
{
    const agn_array *a = p->a, *b = p->b;
    int64_t step = p->n == 1 && p->batch > 1 && is_broadcast_operand(a) ? batch_stride(b, p->y) : 0;
    if (!step)
        return;
    int64_t m = p->m, rs = a->stride[a->ndim - 2], cs = a->stride[a->ndim - 1];
    p->a = view_as_matrix(&p->view[0], b, p->batch, p->k, step, b->stride[b->ndim - 2]);
    p->b = view_as_matrix(&p->view[1], a, p->k, m, cs, rs);
    p->y = view_as_matrix(&p->view[2], p->y, p->batch, m, m, 1);
    p->m = p->batch;
    p->n = m;
    p->batch = 1;
}

void agni_matmul_choose(agni_matmul_job *p, const agn_kernel_call *c)
{
    enum { CACHE = 1 << 15 };
    const agn_array *y = c->out;
    *p = (agni_matmul_job){.a = c->in, .b = c->in + 1, .y = y, .batch = 1};
    p->m = y->shape[y->ndim - 2];
    p->n = y->shape[y->ndim - 1];
    p->k = p->a->shape[p->a->ndim - 1];
    p->bytes = agni_dtypes[y->dtype].bytes;
    for (int d = 0; d < y->ndim - 2; d++)
        p->batch *= y->shape[d];
    if (p->batch * p->m * p->n * p->k == 0)
        return;
    flatten_batch(p);
    bool rows = p->batch > 1 && batch_is_rows(p);
    p->small = small_kernels(p);
    if (p->small && rows && p->k * p->n * p->bytes > CACHE) /* read b once */
        p->small = NULL;
    if (p->small)
        return;
    bool ours = is_real(p) && agni_simd_kernels_get()->fma;
    bool fit = y->dtype != AGN_I32 && y->dtype != AGN_I64 && p->m * p->batch <= INT32_MAX &&
               is_blas_layout(p->a, p->m * p->batch, p->k) && is_blas_layout(p->b, p->k, p->n);
    if (rows && (ours || (fit && p->m * p->n * p->k > 64))) {
        p->m *= p->batch;
        p->batch = 1;
    }
    p->blocked = worth_blocking(p);
    choose_gemv(p);
    p->blas = !p->blocked && !p->gemv && y->dtype != AGN_I32 && y->dtype != AGN_I64 &&
              p->m * p->n * p->k > 64;
}

/* Blocked GEMM: threads share one product, but take one each of medium size. */

static bool one_product_per_thread(const agni_matmul_job *p)
{
    enum { MEDIUM = 256 * 256 * 256 };
    return p->batch > 1 && p->m * p->n * p->k < MEDIUM;
}

static size_t product_workspace(const agni_matmul_job *p)
{
    if (p->gemv)
        return agni_gemv_workspace(p->bytes, p->n == 1 ? p->m : p->n, p->k);
    return (agni_gemm_workspace(p->y->dtype, p->m, p->n, p->k) + 63) / 64 * 64;
}

size_t agni_matmul_scratch(const agn_kernel_call *c)
{
    agni_matmul_job p;
    agni_matmul_choose(&p, c);
    return p.blocked || p.gemv
               ? product_workspace(&p) *
                     (one_product_per_thread(&p) ? (size_t)agni_parallel_width() : 1)
               : 0;
}

agn_status agni_matmul_run(agni_matmul_job *p, const agn_kernel_call *c)
{
    size_t count = one_product_per_thread(p) ? (size_t)agni_parallel_width() : 1;
    char *owned = NULL;
    p->workspace_bytes = product_workspace(p);
    p->workspace = c->scratch;
    if (c->scratch_size < count * p->workspace_bytes &&
        !(p->workspace = owned = agni_alloc_aligned(count * p->workspace_bytes)))
        return agni_nomem("matmul", count * p->workspace_bytes);
    if (one_product_per_thread(p))
        agni_parallel_for((p->batch + products_per_job(p) - 1) / products_per_job(p),
                          multiply_range, p);
    else
        for (int64_t i = 0; i < p->batch && !(i && agni_cancel_point()); i++)
            multiply_one(p, i, 0);
    agni_free(owned);
    return AGN_OK;
}

agn_status agni_cpu_matmul(const agn_kernel_call *c)
{
    agni_matmul_job p;
    agni_matmul_choose(&p, c);
    if (p.batch * p.m * p.n == 0)
        return AGN_OK;
    if (p.k == 0) {
        memset(c->out->data, 0, (size_t)(p.batch * p.m * p.n * p.bytes));
        return AGN_OK;
    }
    if (p.small) {
        int64_t n = products_per_job(&p);
        agni_parallel_for((p.batch + n - 1) / n, multiply_range, &p);
        return AGN_OK;
    }
    if (p.blocked || p.gemv)
        return agni_matmul_run(&p, c);
    if (p.blas && (p.m > INT32_MAX || p.n > INT32_MAX || p.k > INT32_MAX))
        return agni_fail(AGN_EUNSUPPORTED, "matmul: %lld x %lld is beyond the sizes of BLAS",
                         (long long)p.m, (long long)p.n);
    if (p.blas && !is_blas_layout(p.a, p.m, p.k))
        if (!(p.bufa = agni_alloc((size_t)(p.m * p.k * p.bytes))))
            return agni_nomem("matmul", (size_t)(p.m * p.k * p.bytes));
    if (p.blas && !is_blas_layout(p.b, p.k, p.n))
        if (!(p.bufb = agni_alloc((size_t)(p.k * p.n * p.bytes)))) {
            agni_free(p.bufa);
            return agni_nomem("matmul", (size_t)(p.k * p.n * p.bytes));
        }
    for (int64_t i = 0; i < p.batch && !(i && agni_cancel_point()); i++)
        multiply_one(&p, i, 0);
    agni_free(p.bufa);
    agni_free(p.bufb);
    return AGN_OK;
}
