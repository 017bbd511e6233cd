/* tensor/special/integrals/complex_parts.h - a complex number of its parts: CMPLX of C11, which not
   every compiler has. A product with I would make NaN of an infinite part. */
#ifndef AGNI_SPECIAL_COMPLEX_PARTS_H
#define AGNI_SPECIAL_COMPLEX_PARTS_H

#ifdef AGNI_DEVICE /* tensor/special/hypergeometric/cuda/elements.cuh has its z_t */
AGNI_FN z_t agni_complex_parts(double re, double im)
{
    return z_t(re, im);
}
#else
#include <complex.h>
#include <string.h>

typedef double complex z_t;
static inline z_t agni_complex_parts(double re, double im)
{
    const double part[2] = {re, im};
    z_t z;
    memcpy(&z, part, sizeof z);
    return z;
}
#endif
#endif
