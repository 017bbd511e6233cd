/* linalg/functions/cpu/expm.h - what the files of matrix exponentials share: the matrix at hand,
   Taylor polynomials that need few products (Bader, Blanes & Casas 2019), how often to square. */
#ifndef AGNI_EXPM_H
#define AGNI_EXPM_H

#include "linalg/cpu/lapack_calls.h"

/* Derivatives of order d are exponentials of [x, e; 0, x], of such x and e again: matrices over
   numbers with d units whose squares are 0. What is kept is the first row of blocks, the
   coefficient of a set of units each (bits of its number): a product takes 3^d products of blocks
   where a dense one takes 8^d. */
enum { AGNI_EXPM_POWERS = 4, AGNI_EXPM_SUMS = 5 };
typedef struct agni_expm_work {
    int dtype;
    bool z;                 /* complex */
    int64_t n, block, sets; /* order; order of a block; 2^d */
    int64_t reals, part;    /* reals in all that is kept, in one block */
    int64_t wide;           /* bytes of a real */
    char *power, *sum;      /* a, a^2, a^3, a^6 one behind the other, and sums of them */
    int *scale;             /* d: what is kept is of D^-1 a D with D = diag(2^d) */
    char *products;         /* room of products */
} agni_expm_work;

/* Polynomials y = u + (s + x) x with x = p q + r, whose sums are of 1, a, a^2, a^3 and a^6; of
   degree 4 y = u + p q. Rows p, q, r, s, u. */
typedef struct agni_expm_taylor {
    int degree, powers;
    double one[AGNI_EXPM_SUMS], c[AGNI_EXPM_SUMS][AGNI_EXPM_POWERS];
} agni_expm_taylor;
extern const agni_expm_taylor agni_expm_polynomials[];

enum {
    AGNI_EXPM_MOST_DEGREE = 18,
    AGNI_EXPM_TERMS = 12,
    AGNI_EXPM_BOUNDS = AGNI_EXPM_MOST_DEGREE + AGNI_EXPM_TERMS + 1,
    AGNI_EXPM_AT_ONCE = 1 << 30, /* numbers; an int counts those of a block below order 46341 */
    AGNI_EXPM_PLAIN = 150 /* powers of a norm of 2^150 are in range, and coefficients beside them */
};
double agni_expm_one_norm(const agni_expm_work *w, const char *a, int64_t rows, int64_t cols);
double agni_expm_frobenius_norm(const agni_expm_work *w, const char *a, int64_t numbers);
int agni_expm_bound_powers(const double *known, int n, double *bound);
int agni_expm_squarings(bool unit, const double *bound, int down, int degree, double u);
int agni_expm_squarings_for_rounding(const agni_expm_work *w, double norm, int m, int s, int most);

bool agni_expm_balance(agni_expm_work *w);
void agni_expm_scale_rows(const agni_expm_work *w, char *a, int64_t sets, int sign, int shift);

#endif
