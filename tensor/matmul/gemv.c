/* tensor/matmul/gemv.c - GEMV: pieces shared by our threads. A long sum is cut into pieces,
   whose sums are added in order. */
#include "tensor/matmul/gemv.h"

#include "tensor/matmul/cpu/gemm.h"
#include "tensor/cpu/level_dispatch.h"

#include <string.h>

enum {
    DEEP = 1 << 14,       /* numbers of a row in one sum */
    ROWS = 4,             /* read at a time */
    JOB = 1 << 15,        /* multiplications worth a job */
    COLUMNS_BYTES = 8192, /* of a row of sums within the first-level cache */
    FEW_JOBS = 32,
    LEAST_ROWS = 256 /* of a piece where rows are combined */
};

typedef struct gemv_work {
    const agni_vgemm *g;
    const agni_gemv *v;
    int64_t bytes;
    const char *x;         /* contiguous */
    char *sums;            /* [pieces, m]: y itself, if one piece is all */
    int64_t m, k, ld;      /* of a job; distance of rows */
    int64_t across, along; /* jobs along m, along k */
} gemv_work;

static int64_t div_up(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}
static int64_t min_int(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* rows along k: the sums of a job are dot products */
static bool sums_along_rows(int64_t k, int64_t rs, int64_t cs)
{
    return k == 1 ? rs != 1 : cs == 1;
}

bool agni_gemv_accepts(int64_t m, int64_t k, int64_t rs, int64_t cs)
{
    return cs == 1 || k == 1 || rs == 1 || m == 1;
}

static void divide_work(gemv_work *w, int64_t m, int64_t k, bool rows)
{
    if (rows) {
        w->k = DEEP;
        w->m = div_up(JOB, min_int(k, DEEP) * ROWS) * ROWS;
    } else {
        w->m = COLUMNS_BYTES / w->bytes;
        w->k = k;
        while (w->k > LEAST_ROWS && div_up(m, w->m) * div_up(k, w->k) < FEW_JOBS)
            w->k = div_up(w->k, 2);
    }
    w->across = div_up(m, w->m);
    w->along = div_up(k, w->k);
}

static size_t cache_lines(int64_t bytes)
{
    return (size_t)div_up(bytes, 64) * 64;
}

size_t agni_gemv_workspace(int64_t bytes, int64_t m, int64_t k)
{
    gemv_work r = {.bytes = bytes}, c = {.bytes = bytes};
    divide_work(&r, m, k, true);
    divide_work(&c, m, k, false);
    int64_t along = r.along > c.along ? r.along : c.along;
    return cache_lines(k * bytes) + (along > 1 ? cache_lines(along * m * bytes) : 0);
}

static void multiply_piece(void *user, int64_t at, int worker)
{
    const gemv_work *w = user;
    const agni_gemv *v = w->v;
    int64_t i = at % w->across * w->m, j = at / w->across * w->k;
    int64_t m = min_int(w->m, v->m - i), k = min_int(w->k, v->k - j);
    const char *a = v->a.p + (i * v->a.rs + j * v->a.cs) * w->bytes, *x = w->x + j * w->bytes;
    char *y = w->sums + (at / w->across * v->m + i) * w->bytes;
    (void)worker;
    if (sums_along_rows(v->k, v->a.rs, v->a.cs))
        w->g->dot_rows(y, a, v->a.rs, x, m, k);
    else
        w->g->combine_rows(y, a, v->a.cs, x, k, m);
}

#define ADD(T) \
    for (int64_t i = 0; i < m; i++) { \
        T s = ((const T *)from)[i]; \
        for (int64_t p = 1; p < n; p++) \
            s += ((const T *)from)[p * m + i]; \
        ((T *)to)[i] = s; \
    }
static void add_pieces(int dtype, void *to, const void *from, int64_t m, int64_t n)
{
    if (dtype == AGN_F64)
        ADD(double)
    else
        ADD(float)
}

void agni_gemv_run(const agni_gemv *v, void *workspace)
{
    gemv_work w = {.g = agni_simd_kernels_get()->gemm +
                        (v->dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32),
                   .v = v,
                   .bytes = agni_dtypes[v->dtype].bytes,
                   .x = v->x,
                   .sums = v->y};
    char *x = workspace;
    divide_work(&w, v->m, v->k, sums_along_rows(v->k, v->a.rs, v->a.cs));
    if (v->xs != 1 && v->k > 1) {
        for (int64_t j = 0; j < v->k; j++)
            memcpy(x + j * w.bytes, v->x + j * v->xs * w.bytes, (size_t)w.bytes);
        w.x = x;
    }
    if (w.along > 1)
        w.sums = x + cache_lines(v->k * w.bytes);
    int64_t jobs = w.across * w.along;
    if (v->m * v->k < 2 * JOB) /* cheaper than waking threads */

        for (int64_t i = 0; i < jobs; i++)
            multiply_piece(&w, i, 0);
    else
        agni_parallel_for(jobs, multiply_piece, &w);
    if (w.along > 1)
        add_pieces(v->dtype, v->y, w.sums, v->m, w.along);
}
