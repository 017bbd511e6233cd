/* sparse/products/cpu/multiply_add.h - sum += a b. A complex product is the four real ones of the
   definition, without the recovery of infinities that Annex G of the C standard asks for. */
#ifndef AGNI_SPARSE_MAC_H
#define AGNI_SPARSE_MAC_H

#define AGNI_REAL_MAC(sum, a, b) ((sum) += (a) * (b))
#define AGNI_COMPLEX_MAC(sum, a, b)                                          \
    (__real__(sum) += __real__(a) * __real__(b) - __imag__(a) * __imag__(b), \
     __imag__(sum) += __real__(a) * __imag__(b) + __imag__(a) * __real__(b))

#endif
