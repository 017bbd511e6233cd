/* Speed of the CPU kernels, one thread: ns per element of the vector math, GFLOP/s of
 * the products inside a tile, for each level that this CPU runs.
 *
 * make bench/kernels && bench/kernels [LEVEL] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensor/cpu/level_dispatch.h"

enum { N = 1024, ROOM = 256 * 600 };

static double X[ROOM], C[ROOM], W[ROOM], P[ROOM], D[ROOM];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(int real)
{
    for (int i = 0; i < ROOM; i++) {
        const double v = (double)(i * 37 % 101) * 0.04 + 0.01;
        if (real == AGNI_SIMD_F32)
            ((float *)X)[i] = ((float *)C)[i] = ((float *)W)[i] = (float)v;
        else
            X[i] = C[i] = W[i] = v;
    }
}

static void bench_maps(const agni_simd_kernels *vk)
{
#define NAME(name) #name,
    static const char *const names[] = {AGNI_VMAPS(NAME)};
#undef NAME
    printf("%-10s %-9s ns/element of f64, f32 (%d elements in cache)\n", vk->name,
           "map", N);
    for (int m = 0; m < AGNI_VMAP_COUNT; m++) {
        double best[AGNI_SIMD_REALS] = {1e9, 1e9};
        for (int real = 0; real < AGNI_SIMD_REALS; real++) {
            fill(real);
            for (int r = 0; r < 40; r++) {
                const double t0 = now();
                for (int i = 0; i < 20; i++)
                    vk->real[real].map[m](C, X, N);
                const double t = (now() - t0) / (20.0 * N) * 1e9;
                best[real] = t < best[real] ? t : best[real];
            }
        }
        printf("%-10s %-9s %6.2f %6.2f\n", vk->name, names[m], best[0], best[1]);
    }
}

typedef struct shape {
    int K, J, T, ld;
} shape;

enum { PACKED, STRIDED, TRANSPOSED, OUTER, FORMS };

static void product(const agni_real_kernels *r, int form, shape s)
{
    const agni_simd_tile x = {X, s.ld}, c = {C, s.ld}, pairs[4] = {x, x, x, x};
    const agni_simd_tile grads[4] = {c, c, c, c};
    switch (form) {
    case PACKED:
        r->shared_products(&(agni_shared_product){c, x, NULL, 0}, 1, P, s.K, s.J, s.T);
        break;
    case STRIDED:
        r->product(c, (agni_simd_matrix){W, s.J, 1}, x, s.K, s.J, s.T, false, NULL);
        break;
    case TRANSPOSED:
        r->product(c, (agni_simd_matrix){W, 1, s.K}, x, s.K, s.J, s.T, true, P);
        break;
    default:
        r->outer_product((agni_simd_matrix){D, s.J, 1}, pairs, grads, 4, s.K, s.J, s.T);
    }
}

static void bench_products(const agni_simd_kernels *vk, int real)
{
    static const shape shapes[] = {
        {20, 20, 32, 32},   {20, 20, 64, 64},   {20, 20, 128, 128}, {20, 20, 128, 512},
        {20, 20, 56, 56},   {20, 20, 72, 72},   {30, 30, 48, 48},   {50, 50, 48, 48},
        {20, 20, 512, 528}, {2, 20, 128, 128},  {20, 1, 128, 128},  {40, 40, 128, 128},
        {50, 50, 128, 128}, {64, 64, 64, 64},   {64, 64, 128, 128}, {128, 128, 64, 64},
        {256, 256, 32, 32}, {256, 256, 64, 80},
    };
    static const double work[FORMS] = {2, 2, 2, 8};
    printf("%-10s f%d  GFLOP/s: packed, strided, transposed and packed, outer of 4\n",
           vk->name, real == AGNI_SIMD_F32 ? 32 : 64);
    fill(real);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const shape s = shapes[i];
        const double flop = (double)s.K * s.J * s.T;
        const int calls = (int)(5e6 / flop) + 1;
        printf("%-10s f%d  K=%-3d J=%-3d T=%-3d ld=%-3d", vk->name,
               real == AGNI_SIMD_F32 ? 32 : 64, s.K, s.J, s.T, s.ld);
        vk->real[real].pack(P, (agni_simd_matrix){W, s.J, 1}, s.K, s.J);
        for (int form = 0; form < FORMS; form++) {
            double best = 1e9;
            for (int r = 0; r < 15; r++) {
                const double t0 = now();
                for (int k = 0; k < calls; k++)
                    product(&vk->real[real], form, s);
                const double t = (now() - t0) / calls;
                best = t < best ? t : best;
            }
            printf(" %7.1f", flop * work[form] / best * 1e-9);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const agni_simd_kernels *vk;
    bool usable;
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++) {
        if (!usable || (argc > 1 && strcmp(argv[1], vk->name) != 0))
            continue;
        bench_maps(vk);
        for (int real = 0; real < AGNI_SIMD_REALS; real++)
            bench_products(vk, real);
    }
    return 0;
}
