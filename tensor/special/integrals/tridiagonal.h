/* tensor/special/integrals/tridiagonal.h - an eigenvalue of a symmetric tridiagonal matrix
   T + q S, both of them tridiagonal, and its vector, as Taylor series in q (Kato, Perturbation
   Theory for Linear Operators, II): what characteristic values and functions of Mathieu's and of
   spheroidal equations are. */
#ifndef AGNI_TRIDIAGONAL_H
#define AGNI_TRIDIAGONAL_H

enum { AGNI_MOST_ROWS = 300, AGNI_MOST_SLOPE = 8 };

/* beside[r]: of rows r and r + 1, in S alone */
typedef struct agni_tridiagonal {
    int rows;
    double diagonal[AGNI_MOST_ROWS], slope[AGNI_MOST_ROWS], beside[AGNI_MOST_ROWS];
} agni_tridiagonal;

/* coefficients to degree most of the index-th eigenvalue, from below, and of its vector, whose
   square is 1 */
void agni_tridiagonal_expand(const agni_tridiagonal *t, double q, int index, int most, double *a,
                             double (*v)[AGNI_MOST_ROWS]);

#endif
