/* krylov/vector_step.h - the kernel of a device for the vectors of Krylov methods
   (krylov/vectors.c).

   Operands x and y of n elements, which it may write; integer: what; reals: a and b, by parts;
   result: two numbers of f64. y = a x + b y first, where that is asked for; y is not read where b
   is 0. */
#ifndef AGNI_VECTOR_STEP_H
#define AGNI_VECTOR_STEP_H

#define AGNI_VECTOR_STEP "krylov_vector_step"
enum {
    AGNI_VECTOR_MIX = 1,  /* y = a x + b y */
    AGNI_VECTOR_SUM = 2,  /* the sum of conj(x) y; after a mix of |y|^2 */
    AGNI_VECTOR_MOST = 4, /* the largest |part| of x, NaN where there is one */
    AGNI_VECTOR_ZERO = 8  /* y = 0 */
};

#endif
