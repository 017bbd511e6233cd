/* tensor/vector/cpu/vector_kernels.c - inner products and combinations, compiled once per CPU
   level. */
#include "tensor/vector/cpu/vector_kernels.h"

#include "tensor/cpu/vmath/vmath.h"

enum { WIDE = 16 };

static agni_z make_complex(double re, double im) /* CMPLX, which not every compiler has */
{
    union {
        double part[2];
        agni_z z;
    } u = {{re, im}};
    return u.z;
}

#define JOIN(x, k, t) x##_##k##_##t
#define R float
#define NAME(x, k) JOIN(x, k, f32)
#include "tensor/vector/cpu/vector_kernels_body.h"
#undef R
#undef NAME
#define R double
#define NAME(x, k) JOIN(x, k, f64)
#include "tensor/vector/cpu/vector_kernels_body.h"
#undef R
#undef NAME

agni_vector_table AGNI_LV(agni_vector_kernels) = {{dot_r_f32, mix_r_f32, largest_r_f32},
                                                  {dot_r_f64, mix_r_f64, largest_r_f64},
                                                  {dot_c_f32, mix_c_f32, largest_r_f32},
                                                  {dot_c_f64, mix_c_f64, largest_r_f64}};
