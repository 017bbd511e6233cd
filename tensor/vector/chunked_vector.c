/* tensor/vector/chunked_vector.c - inner products, norms and combinations of vectors. Sums are made
   in f64 over chunks that depend on the length alone: the same bits for any number of threads. */
#include "config.h"

#include "tensor/vector/chunked_vector.h"

#include "core/device/cpu_level.h"

#include <math.h>
#include <string.h>

/* f32, f64, c64, c128 follow each other */
static const agni_vector_kernels *kernels_of_dtype(int dtype)
{
    static const agni_vector_kernels *const of_level[] = {
        [AGNI_CPU_BASE] = agni_vector_kernels_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = agni_vector_kernels_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = agni_vector_kernels_avx512,
#endif
    };
    return of_level[agni_cpu_level_below(AGNI_COUNT(of_level))] + (dtype - AGN_F32);
}

enum { MOST_CHUNKS = 64, SMALL = 1 << 15 };
typedef struct chunked {
    const agni_vector_kernels *k;
    int64_t n, each;
    const void *x;
    void *y;
    agni_z a, b;
    bool sum, mix;
    agni_z (*dot)(const void *x, const void *y, int64_t lo, int64_t hi); /* NULL: that of k */
    agni_z part[MOST_CHUNKS];
} chunked;

static void process_chunk(void *user, int64_t c, int worker)
{
    chunked *q = user;
    int64_t lo = c * q->each, hi = lo + q->each < q->n ? lo + q->each : q->n;
    (void)worker;
    if (q->mix)
        q->k->mix(q->a, q->x, q->b, q->y, lo, hi);
    if (q->sum)
        q->part[c] = (q->dot ? q->dot : q->k->dot)(q->mix ? q->y : q->x, q->y, lo, hi);
}

static agni_z run_chunks(chunked *q)
{
    agni_z sum = 0;
    q->each = q->n <= SMALL ? q->n : (q->n + MOST_CHUNKS - 1) / MOST_CHUNKS;
    int64_t chunks = q->n ? (q->n + q->each - 1) / q->each : 0;
    agni_parallel_for(chunks, process_chunk, q);
    for (int64_t c = 0; q->sum && c < chunks; c++)
        sum += q->part[c];
    return sum;
}

agni_z agni_vector_dot(int dtype, int64_t n, const void *x, const void *y)
{
    return run_chunks(&(chunked){
        .k = kernels_of_dtype(dtype), .n = n, .x = x, .y = (void *)(uintptr_t)y, .sum = true});
}
double agni_vector_norm(int dtype, int64_t n, const void *x)
{
    return sqrt(creal(agni_vector_dot(dtype, n, x, x)));
}
void agni_vector_axpby(int dtype, int64_t n, agni_z a, const void *x, agni_z b, void *y)
{
    run_chunks(&(chunked){
        .k = kernels_of_dtype(dtype), .n = n, .x = x, .y = y, .a = a, .b = b, .mix = true});
}
double agni_vector_axpby_norm(int dtype, int64_t n, agni_z a, const void *x, agni_z b, void *y)
{
    return sqrt(creal(run_chunks(&(chunked){.k = kernels_of_dtype(dtype),
                                            .n = n,
                                            .x = x,
                                            .y = y,
                                            .a = a,
                                            .b = b,
                                            .mix = true,
                                            .sum = true})));
}
double agni_vector_max_abs(int dtype, int64_t n, const void *x)
{
    return kernels_of_dtype(dtype)->largest(x, dtype == AGN_C64 || dtype == AGN_C128 ? 2 * n : n);
}

/* ---- f64 in a fixed order of additions ------------------------------------------------------- */

enum { LANES = 2, ACCUMULATORS = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline lanes load_lanes(const double *a)
{
    lanes v;
    memcpy(&v, a, sizeof v);
    return v;
}

static agni_z dot_fixed_order(const void *x, const void *y, int64_t lo, int64_t hi)
{
    const double *a = x, *b = y;
    lanes s[ACCUMULATORS] = {{0}};
    int64_t j = lo;
    for (; j + ACCUMULATORS * LANES <= hi; j += ACCUMULATORS * LANES)
        for (int l = 0; l < ACCUMULATORS; l++)
            s[l] += load_lanes(a + j + l * LANES) * load_lanes(b + j + l * LANES);
    double rest = 0;
    for (; j < hi; j++)
        rest += a[j] * b[j];
    lanes all = (s[0] + s[1]) + (s[2] + s[3]);
    return all[0] + all[1] + rest;
}

double agni_vector_dot_f64(int64_t n, const double *x, const double *y)
{
    return creal(run_chunks(&(chunked){
        .dot = dot_fixed_order, .n = n, .x = x, .y = (void *)(uintptr_t)y, .sum = true}));
}
