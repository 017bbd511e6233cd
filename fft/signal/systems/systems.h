/* fft/signal/systems/systems.h - what the files of this room share. */
#ifndef AGNI_SIGNAL_SYSTEMS_H
#define AGNI_SIGNAL_SYSTEMS_H

#include "fft/signal/signal.h"

#include <agnesi/signal_systems.h>
#include <complex.h>

/* the complex dtype of the precision of dtype */
static inline int agni_complex_of(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? AGN_C64 : AGN_C128;
}

/* a b c d of one system, d may be NULL; order, inputs and outputs */
typedef struct agni_system {
    const agn_tensor *m[4];
    int dtype;
    int64_t order, inputs, outputs;
} agni_system;

/* shapes that fit, with extra axes of room */
agn_status agni_system_check(agni_system *y, const char *op, const agn_tensor *a,
                             const agn_tensor *b, const agn_tensor *c, const agn_tensor *d,
                             int extra);
/* within a scope: its matrices in one dtype */
void agni_system_cast(agn_scope *s, agni_system *y);
/* within a scope: x among zeros, from row and column on, of rows x columns */
const agn_tensor *agni_matrix_place(agn_scope *s, const agn_tensor *x, int64_t row, int64_t column,
                                    int64_t rows, int64_t columns);
/* within a scope: rows and columns of x, from row and column on */
const agn_tensor *agni_system_block(agn_scope *s, const agn_tensor *x, int64_t row, int64_t column,
                                    int64_t rows, int64_t columns);
/* within a scope: e^(period [a b 0; 0 0 1/period; 0 0 0]), the integrals of e^(a t) b and t e^(a t)
   b in its first rows
   (Van Loan 1978); without the last inputs where linear is false */
const agn_tensor *agni_system_exponential(agn_scope *s, const agni_system *y, double period,
                                          bool linear);
/* within a scope: product over k of x - root_k, [..., n + 1], highest power first */
const agn_tensor *agni_roots_multiply(agn_scope *s, const agn_tensor *root);
/* within a scope: product over roots of x - root, [..., points]; root [..., n], x [points] */
const agn_tensor *agni_roots_evaluate(agn_scope *s, const agn_tensor *root, const agn_tensor *x);
/* within a scope: value of a polynomial, highest power first, at x [points] */
const agn_tensor *agni_polynomial_evaluate(agn_scope *s, const agn_tensor *c, const agn_tensor *x);

/* ---- placement of poles (places.c, vectors.c): columns of matrices lie one after the other -- */

typedef struct agni_placement {
    const char *op;
    int64_t n, rank;
    double complex *a, *b; /* [n, n], [n, rank], of full rank */
    double complex *pole;  /* reals, rising, then pairs */
    int64_t reals;
    double complex *x;        /* [n, n]: of a pair the real and the imaginary part */
    double complex *space;    /* [n, rank] of each pole: where its vector lies */
    double complex *q, *work; /* n n each, and more */
} agni_placement;
enum { AGNI_PLACE_MOST = 1024 };
/* Householder reflections that make r [n, m] triangular, all of their product to q [n, n], as LAPACK
   has their signs */
void agni_place_reflect(double complex *q, double complex *r, int64_t n, int64_t m);
/* a [n, n] into its factors, rhs [n, m] into the solution; the size of the determinant, 0 where a
   pivot vanishes beside the largest number */
double agni_place_eliminate(double complex *a, double complex *rhs, int64_t n, int64_t m);
double agni_place_measure(const double complex *x, int64_t n);
/* sweeps until the determinant of x stays as it is */
agn_status agni_place_improve(agni_placement *p, int32_t method, int32_t iterations,
                              double tolerance);

#endif
