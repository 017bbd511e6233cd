/* derivative_space.h - derivative spaces: the least set of coefficients that evaluates differential
   operators.

   P(d/dx) (u v) is a sum of products of Q(d/dx) u and R(d/dx) v, where Q and R are derivatives
   of the polynomial P: so the span of all derivatives of P, degree by degree, is closed under
   products, and no smaller set is. It is dual to the algebra R[t] / Ann(P), the apolar algebra
   of P (Iarrobino & Kanev 1999, 1.1). For the Laplacian it is 1, x_1 ... x_d, |x|^2: value,
   gradient, and one sum; for its square there are the Hessian and x_i |x|^2 besides; for a mixed
   derivative the monomials that divide it. No direction is tried twice, none is needed for
   interpolation only. */
#ifndef AGNI_DERIVATIVE_SPACE_H
#define AGNI_DERIVATIVE_SPACE_H

#include "autograd/modes/grading.h"

enum { AGNI_MAX_ORDER = 10, AGNI_MAX_LANES = 4096 };

/* how much of each part makes the value of one polynomial */
typedef struct agni_readout {
    int32_t poly, degree, lane;
    double w;
} agni_readout;

typedef struct agni_derivative_space {
    agni_grading g;
    int32_t d;
    double *seed; /* [lanes[1]][d]: the directions of degree 1 */
    agni_readout *read;
    int32_t n_read;
} agni_derivative_space;

/* The polynomials sum_t c[t] x^alpha[t d ...] over the n terms t with of[t] = 0, 1, ...; no
   derivative above AGNI_MAX_ORDER in all. op is the name in messages. */
agn_status agni_derivative_space_make(agni_derivative_space **out, const char *op, int32_t d,
                                      int32_t n, const int32_t *alpha, const double *c,
                                      const int32_t *of);
void agni_derivative_space_free(agni_derivative_space *a);

#endif
