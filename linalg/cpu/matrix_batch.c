/* linalg/cpu/matrix_batch.c - matrices of a batch: addressing, row-major copies, finiteness, and a
   loop over all of them, spread over threads where they are small. */
#include "tensor/cpu/level_dispatch.h" /* before complex.h, which takes the name I */

#include "linalg/cpu/lanes/lanes.h"
#include "linalg/cpu/matrix_batch.h"

#include <math.h>
#include <string.h>

int64_t agni_batch_count(const agn_array *y, int axes)
{
    int64_t n = 1;
    for (int d = 0; d < y->ndim - axes; d++)
        n *= y->shape[d];
    return n;
}

/* element at which matrix i of y begins in x; x has xa last axes of its own */
static int64_t batch_offset(const agn_array *x, int xa, const agn_array *y, int64_t i)
{
    int64_t off = 0;
    for (int d = y->ndim - 3; d >= 0; d--) {
        int e = d - (y->ndim - 2) + (x->ndim - xa);
        if (e >= 0 && x->shape[e] != 1)
            off += i % y->shape[d] * x->stride[e];
        i /= y->shape[d];
    }
    return off;
}

agni_lapack_matrix agni_matrix_at(const agn_array *x, const agn_array *y, int64_t i)
{
    return (agni_lapack_matrix){(const char *)x->data +
                                    batch_offset(x, 2, y, i) * agni_dtypes[x->dtype].bytes,
                                x->stride[x->ndim - 2], x->stride[x->ndim - 1]};
}

const char *agni_vector_at(const agn_array *x, const agn_array *y, int64_t i)
{
    return (const char *)x->data +
           batch_offset(x, 1, y, i) * agni_dtypes[x->dtype].bytes;
}

enum { TILE = 16 };
#define COPY(T)                                                                  \
    for (int64_t j0 = 0; j0 < cols; j0 += TILE)                                  \
        for (int64_t i = 0; i < rows; i++)                                       \
            for (int64_t j = j0; j < cols && j < j0 + TILE; j++)                 \
                ((T *)to)[i * cols + j] = ((const T *)x.p)[i * x.rs + j * x.cs]; \
    break
typedef struct complex128 {
    double re, im;
} complex128;

bool agni_matrix_copy_finite(char *to, agni_lapack_matrix x, int64_t rows, int64_t cols, int dtype)
{
    /* bytes that are still in cache when they are looked at; whole squares of what is turned */
    enum { NEAR = 1 << 14, SQUARE = 16 };
    int64_t bytes = agni_dtypes[dtype].bytes, step = NEAR / (cols * bytes) + 1;
    if (x.cs != 1)
        step = (step + SQUARE - 1) / SQUARE * SQUARE;
    bool good = true;
    for (int64_t i = 0; i < rows; i += step) {
        int64_t m = rows - i < step ? rows - i : step;
        char *part = to + i * cols * bytes;
        agni_matrix_copy(part, (agni_lapack_matrix){x.p + i * x.rs * bytes, x.rs, x.cs}, m, cols,
                         bytes);
        good = agni_all_finite(dtype, part, m * cols) && good;
    }
    return good;
}

void agni_matrix_copy(char *to, agni_lapack_matrix x, int64_t rows, int64_t cols, int64_t bytes)
{
    if ((x.cs == 1 && (x.rs == cols || rows == 1)) || (x.rs == 1 && cols == 1)) {
        memcpy(to, x.p, (size_t)(rows * cols * bytes));
        return;
    }
    if (x.cs == 1) {
        for (int64_t i = 0; i < rows; i++)
            memcpy(to + i * cols * bytes, x.p + i * x.rs * bytes,
                   (size_t)(cols * bytes));
        return;
    }
    if (x.rs == 1 && bytes <= 8) { /* squares of them are turned in registers */
        int real = bytes == 8 ? AGNI_SIMD_F64 : AGNI_SIMD_F32;
        agni_simd_kernels_get()->real[real].transpose(to, cols, x.p, x.cs, cols, rows);
        return;
    }
    switch (bytes) {
    case 4:
        COPY(float);
    case 8:
        COPY(double);
    default:
        COPY(complex128);
    }
}

bool agni_all_finite(int dtype, const void *p, int64_t n)
{
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        n *= 2;
    int real = dtype == AGN_F32 || dtype == AGN_C64 ? AGNI_SIMD_F32 : AGNI_SIMD_F64;
    return agni_simd_kernels_get()->lanes[real].all_finite(p, n);
}

/* triangle: -1 checks the lower one, 1 the upper, 0 all */
agn_status agni_not_finite(const char *op, int dtype, agni_lapack_matrix x, int64_t n,
                           int64_t batch, int triangle)
{
    int64_t bytes = agni_dtypes[dtype].bytes;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = triangle > 0 ? i : 0; j < (triangle < 0 ? i + 1 : n); j++)
            if (!agni_all_finite(dtype, x.p + (i * x.rs + j * x.cs) * bytes, 1))
                return agni_fail(AGN_EDOMAIN,
                                 "%s: matrix %lld is not finite: entry [%lld,%lld]", op,
                                 (long long)batch, (long long)i, (long long)j);
    return agni_fail(AGN_EDOMAIN, "%s: matrix %lld of order %lld is not finite", op,
                     (long long)batch, (long long)n);
}

agn_status agni_not_finite_in(const char *op, int dtype, agni_lapack_matrix x, int64_t rows,
                              int64_t cols, int64_t batch)
{
    int64_t bytes = agni_dtypes[dtype].bytes, i = 0;
    while (i < rows * cols &&
           agni_all_finite(dtype, x.p + (i / cols * x.rs + i % cols * x.cs) * bytes, 1))
        i++;
    return agni_fail(AGN_EDOMAIN, "%s: matrix %lld is not finite: entry [%lld,%lld]", op,
                     (long long)batch, (long long)(i / cols), (long long)(i % cols));
}

/* ---- all of a batch -------------------------------------------------------------- */

enum { SMALL = 64, WORTH_A_THREAD = 1 << 15 }; /* order; flops */
typedef struct batch_walk {
    agni_one_matrix *one;
    void *user;
    int64_t batch, step;
    atomic_llong bad;
} batch_walk;

static void run_chunk(void *user, int64_t k, int worker)
{
    batch_walk *w = user;
    (void)worker;
    for (int64_t i = k * w->step; i < (k + 1) * w->step && i < w->batch; i++) {
        if (i >= atomic_load_explicit(&w->bad, memory_order_relaxed))
            return;
        if (!w->one(w->user, i))
            continue;
        long long now = atomic_load(&w->bad);
        while (i < now && !atomic_compare_exchange_weak(&w->bad, &now, i))
            ;
        return;
    }
}

int64_t agni_each_matrix(int64_t batch, int64_t n, agni_one_matrix *one, void *user,
                         int64_t *at)
{
    int64_t small = n < SMALL ? n : SMALL, flops = small * small * small / 3 + small + 1;
    if (batch == 1 || n > SMALL || batch <= (2 * WORTH_A_THREAD - 1) / flops) {
        for (int64_t i = 0; i < batch; i++) {
            int64_t code = one(user, i);
            if (code) {
                *at = i;
                return code;
            }
        }
        return 0;
    }
    batch_walk w = {one, user, batch, (WORTH_A_THREAD + flops - 1) / flops, batch};
    agni_parallel_for((batch + w.step - 1) / w.step, run_chunk, &w);
    *at = atomic_load(&w.bad);
    return *at < batch ? one(user, *at) : 0;
}
