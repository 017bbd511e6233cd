/* tensor/vector/cpu/vector_kernels.h - the table of vector kernels of one CPU level. */
#ifndef AGNI_VECTOR_KERNELS_H
#define AGNI_VECTOR_KERNELS_H

#include <complex.h>
#include <stdint.h>

typedef double complex agni_z;

typedef struct agni_vector_kernels {
    agni_z (*dot)(const void *x, const void *y, int64_t lo, int64_t hi);
    void (*mix)(agni_z a, const void *x, agni_z b, void *y, int64_t lo, int64_t hi);
    double (*largest)(const void *x, int64_t n);
} agni_vector_kernels;
/* by dtype: f32, f64, c64, c128 */
typedef const agni_vector_kernels agni_vector_table[4];
extern agni_vector_table agni_vector_kernels_base, agni_vector_kernels_avx2,
    agni_vector_kernels_avx512;

#endif
