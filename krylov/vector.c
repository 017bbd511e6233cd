/* krylov/vector.c - vectors of one dtype: inner products, combinations. Sums are cut into
   chunks by length alone and made in f64: the same bits for any number of threads. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

enum { WIDE = 8 };
#define JOIN(x, k, t) x##_##k##_##t
#define R float
#define NAME(x, k) JOIN(x, k, f32)
#include "krylov/vector.inc.h"
#undef R
#undef NAME
#define R double
#define NAME(x, k) JOIN(x, k, f64)
#include "krylov/vector.inc.h"
#undef R
#undef NAME

static const struct kernels {
    agni_z (*dot)(const void *x, const void *y, int64_t lo, int64_t hi);
    void (*mix)(agni_z a, const void *x, agni_z b, void *y, int64_t lo, int64_t hi);
    double (*largest)(const void *x, int64_t n);
    double eps;
    int parts;
} kernels[AGN_NDTYPES] = {
    [AGN_F32] = {dot_r_f32, mix_r_f32, largest_r_f32, 0x1p-23, 1},
    [AGN_F64] = {dot_r_f64, mix_r_f64, largest_r_f64, 0x1p-52, 1},
    [AGN_C64] = {dot_c_f32, mix_c_f32, largest_r_f32, 0x1p-23, 2},
    [AGN_C128] = {dot_c_f64, mix_c_f64, largest_r_f64, 0x1p-52, 2},
};

double agni_krylov_eps(int dtype)
{
    return kernels[dtype].eps;
}

enum { MOST_CHUNKS = 64, SMALL = 1 << 15 };
typedef struct chunked {
    const struct kernels *k;
    int64_t n, each;
    const void *x;
    void *y;
    agni_z a, b;
    bool sum, mix;
    agni_z part[MOST_CHUNKS];
} chunked;

static void one_chunk(void *user, int64_t c, int worker)
{
    chunked *q = user;
    int64_t lo = c * q->each, hi = lo + q->each < q->n ? lo + q->each : q->n;
    (void)worker;
    if (q->mix)
        q->k->mix(q->a, q->x, q->b, q->y, lo, hi);
    if (q->sum)
        q->part[c] = q->k->dot(q->mix ? q->y : q->x, q->y, lo, hi);
}

static agni_z run(chunked *q)
{
    agni_z sum = 0;
    q->each = q->n <= SMALL ? q->n : (q->n + MOST_CHUNKS - 1) / MOST_CHUNKS;
    int64_t chunks = q->n ? (q->n + q->each - 1) / q->each : 0;
    agni_parallel(chunks, one_chunk, q);
    for (int64_t c = 0; q->sum && c < chunks; c++)
        sum += q->part[c];
    return sum;
}

agni_z agni_dot(int dtype, int64_t n, const void *x, const void *y)
{
    return run(&(chunked){.k = &kernels[dtype],
                          .n = n,
                          .x = x,
                          .y = (void *)(uintptr_t)y,
                          .sum = true});
}
double agni_norm(int dtype, int64_t n, const void *x)
{
    return sqrt(creal(agni_dot(dtype, n, x, x)));
}
void agni_mix_vectors(int dtype, int64_t n, agni_z a, const void *x, agni_z b, void *y)
{
    run(&(chunked){
        .k = &kernels[dtype], .n = n, .x = x, .y = y, .a = a, .b = b, .mix = true});
}
double agni_mix_norm(int dtype, int64_t n, agni_z a, const void *x, agni_z b, void *y)
{
    return sqrt(creal(run(&(chunked){.k = &kernels[dtype],
                                     .n = n,
                                     .x = x,
                                     .y = y,
                                     .a = a,
                                     .b = b,
                                     .mix = true,
                                     .sum = true})));
}
double agni_largest(int dtype, int64_t n, const void *x)
{
    return kernels[dtype].largest(x, n * kernels[dtype].parts);
}
