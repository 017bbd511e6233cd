/* linalg/cpu/getrf_trsm.h - what LU factors of a batch (getrf), solves with them (getrs) and with
   triangles (trsm) share.

   LAPACK sees the transpose of a row-major matrix, a^T = p l u. Read as row-major again, the factor
   is a = l' u' p^T with l' = u^T lower triangular and u' = l^T upper triangular with a unit
   diagonal: right-hand sides stay row-major and nothing is transposed.

   Where a factor overflows, or the reciprocal of a pivot does, r a c is factored instead, with
   powers of 2 in r and c that make the largest entry of each row and column one of [1/2, 1) (van
   der Sluis 1969). Beside the pivots of a matrix lie the exponents of r and of c: 0 where nothing
   was scaled.

   Where pivots grow so that digits are lost (Wilkinson 1961), the factor is that of a^T, whose
   pivots are sought along the other lines: then the first exponent of r is AGNI_TURNED.

   What the entries show (linalg/cpu/recognise.h) makes another factor, whose first pivot is
   negative. */
#ifndef AGNI_GETRF_TRSM_H
#define AGNI_GETRF_TRSM_H

#include "linalg/cpu/lane_groups.h"
#include "linalg/cpu/recognise.h"

typedef struct agni_solve_job {
    const agn_kernel_call *c;
    const agn_array *y;
    int64_t n, k, bytes;
    int64_t form;
    bool upper, unit;
    char *room; /* workspace for a packed matrix, where BLAS does not take the strides */
    char *common; /* right-hand sides in lanes, the same for all matrices; NULL: they differ */
    const agni_vlanes *lanes;
    agni_lane_source source, right; /* matrices, right-hand sides */
    int64_t pivots; /* numbers from those of one matrix to the next, or -1 */
} agni_solve_job;

/* bytes of a matrix [rows, cols] in lanes */
int64_t agni_lanes_room(const agni_solve_job *q, int64_t rows, int64_t cols);
/* lanes for what these sizes need; their sources are set then */
bool agni_choose_lanes(agni_solve_job *q, int64_t batch, const agn_array *a, const agn_array *b);

enum { AGNI_TURNED = INT32_MIN };

/* the largest real or imaginary part of n numbers, a step of bytes apart */
double agni_largest_of_line(int dtype, const char *p, int64_t n, int64_t step);
/* more than half of them */
bool agni_digits_are_lost(int dtype, double growth);
/* the largest pivot, `top`, beside the largest entry of a 2^-shift, where that is much; else 1 */
double agni_growth_beside(int dtype, double first, double top, agni_lapack_matrix a, int64_t n,
                          int shift);
/* The factor of a, whose copy is lu, and 3 n pivots and exponents: 0; 1 + the pivot that is 0; n +
   1 + the pivot that is out of range with rows and columns scaled; beyond 2 n where more than half
   of the digits are lost in pivots that grow; AGNI_NO_ROOM. */
int64_t agni_factor_guarded(int dtype, char *lu, agni_lapack_matrix a, int64_t n, int32_t *piv);

#endif
