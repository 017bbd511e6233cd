/* linalg/functions/cpu/riccati.h - what the two files of Riccati's equations share: one system in
   double complex, by columns. */
#ifndef AGNI_RICCATI_H
#define AGNI_RICCATI_H

#include "linalg/cpu/lapack_calls.h"

enum { AGNI_NO_SOLUTION = 1, AGNI_SINGULAR_WEIGHT = 2 };

/* a [n, n], b [n, k], q [n, n] and r [k, k] Hermitian, and the solution x [n, n] */
typedef struct agni_riccati_system {
    int64_t n, k;
    bool discrete;
    double eps; /* what counts as rounding */
    const double complex *a, *b, *q, *r;
    double complex *x;
} agni_riccati_system;

/* can x be divided by r [k, k]? room for 2 k k long double numbers */
bool agni_riccati_weight_is_regular(const agni_riccati_system *s, char *room);
/* bytes of the room of agni_refine_riccati, whose work for LAPACK is of so many numbers */
int64_t agni_refine_riccati_room(int64_t n, int64_t k, int64_t work);
/* Newton's steps from a solution of few digits; 0, a code above, or AGNI_LAPACK_REFUSED */
int64_t agni_refine_riccati(const agni_riccati_system *s, char *room, int64_t work);

#endif
