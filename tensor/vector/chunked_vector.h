/* tensor/vector/chunked_vector.h - plain vectors of n elements of f32 f64 c64 c128: the bits of
   a sum depend on n alone, not on the number of threads. */
#ifndef AGNI_CHUNKED_VECTOR_H
#define AGNI_CHUNKED_VECTOR_H

#include "tensor/value/tensor.h"
#include "tensor/vector/cpu/vector_kernels.h"

agni_z agni_vector_dot(int dtype, int64_t n, const void *x, const void *y); /* sum conj(x) y */
double agni_vector_norm(int dtype, int64_t n, const void *x);
double agni_vector_max_abs(int dtype, int64_t n, const void *x); /* |part|; NaN if there is one */
/* y = a x + b y; and the norm of that */
void agni_vector_axpby(int dtype, int64_t n, agni_z a, const void *x, agni_z b, void *y);
double agni_vector_axpby_norm(int dtype, int64_t n, agni_z a, const void *x, agni_z b, void *y);
/* sum x y in an order of additions that no CPU level changes */
double agni_vector_dot_f64(int64_t n, const double *x, const double *y);

#endif
