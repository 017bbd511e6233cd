/* sparse/products/cpu/multiply_add.h - sum += a b. Complex products are the four of the definition, without the
   standard's search for infinities. */
#ifndef AGNI_SPARSE_MAC_H
#define AGNI_SPARSE_MAC_H

#define AGNI_REAL_MAC(sum, a, b) ((sum) += (a) * (b))
#define AGNI_COMPLEX_MAC(sum, a, b)                                          \
    (__real__(sum) += __real__(a) * __real__(b) - __imag__(a) * __imag__(b), \
     __imag__(sum) += __real__(a) * __imag__(b) + __imag__(a) * __real__(b))

#endif
