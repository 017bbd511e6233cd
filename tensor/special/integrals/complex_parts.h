/* tensor/special/integrals/complex_parts.h - a complex number of its parts: CMPLX of C11, which not
   every compiler has. A product with I would make NaN of an infinite part. */
#ifndef AGNI_SPECIAL_COMPLEX_PARTS_H
#define AGNI_SPECIAL_COMPLEX_PARTS_H

#include <complex.h>
#include <string.h>

static inline double complex agni_complex_parts(double re, double im)
{
    const double part[2] = {re, im};
    double complex z;
    memcpy(&z, part, sizeof z);
    return z;
}
#endif
