/* grading.h - graded algebras: in which directions and to which order Taylor series run.

   A value is a truncated series whose part of degree k is lanes[k] tensors: one plain tensor, or
   several stacked along a leading axis. Degree 0 is the value. Products are graded,

       y_k = sum_j u_j v_(k - j),   lane c of u_j v_m = sum over terms w (lane a) (lane b),

   and k y_k = sum_j j u_j d_(k - j) where y' = d u', because the degree is a derivation of every
   graded algebra (Euler). With one lane at each degree these are Taylor coefficients along a
   curve; with R lanes along R curves; with R lanes below and one at the top, the sum of the R
   highest coefficients, carried as one tensor through everything linear. With the algebra that
   autograd/operators/derivative_space.c makes of a differential operator, a series is the least
   that determines the operator's value. */
#ifndef AGNI_GRADING_H
#define AGNI_GRADING_H

#include "tensor/dispatch/op_helpers.h"

enum { AGNI_MAX_DEGREE = 64 };

typedef struct agni_grading_weight {
    int32_t a, b, c;
    double w;
} agni_grading_weight;
/* the terms of one product, ordered by c */
typedef struct agni_grading_weights {
    agni_grading_weight *term;
    int32_t n;
    bool dot; /* one lane: w sum_a u_a v_a, all w equal */
} agni_grading_weights;

struct agni_grading {
    int K;
    int64_t lanes[AGNI_MAX_DEGREE + 1];
    agni_grading_weights
        *by; /* of u_j v_m: [j (K + 1) + m]; NULL: lane by lane, summed into one lane */
};

/* lanes in every degree from 1 on; with collapsed, the sum over them at degree K */
agni_grading agni_grading_along(int K, int64_t lanes, bool collapsed);
/* the highest degree; g NULL: 1, a tangent */
static inline int agni_highest_degree(const agni_grading *g)
{
    return g ? g->K : 1;
}
/* does a coefficient of degree k have a leading axis? */
static inline bool agni_has_lanes(const agni_grading *g, int k)
{
    return g && g->lanes[k] > 1;
}
/* zeros for a coefficient of degree k of x; g NULL: of a tangent */
const agn_tensor *agni_grading_zeros(agn_scope *s, const agni_grading *g, int k,
                                     const agn_tensor *x);

/* the product of two tensors; each has a leading axis of that many lanes where it is marked */
typedef const agn_tensor *agni_pairing(void *user, const agn_tensor *a, bool a_lanes,
                                       const agn_tensor *b, bool b_lanes, int64_t lanes);
/* u of degree j times v of degree m */
const agn_tensor *agni_graded_product(agn_scope *s, const agni_grading *g, int j,
                                      const agn_tensor *u, int m, const agn_tensor *v,
                                      agni_pairing *pair, void *user);

#endif
