/* linalg/cpu/lapack_calls.h - LAPACK by dtype, for the files that call it: the four types of a
   routine in one line, and what a factorisation of one matrix answers. */
#ifndef AGNI_LAPACK_CALLS_H
#define AGNI_LAPACK_CALLS_H

#include "linalg/cpu/matrix_batch.h"

#include <complex.h>
#define lapack_complex_float float complex
#define lapack_complex_double double complex
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

/* answers besides 0 and the positive ones of LAPACK */
enum { AGNI_NOT_FINITE = -1, AGNI_NO_ROOM = -2, AGNI_LAPACK_REFUSED = -3 };

#define AGNI_BY_FIELD(dtype, S, D, C, Z) \
    ((dtype) == AGN_F32 ? (S) : (dtype) == AGN_F64 ? (D) : (dtype) == AGN_C64 ? (C) : (Z))

/* element i of real or complex numbers, and writing it */
static inline double complex agni_number_get(int dtype, const void *p, int64_t i)
{
    switch (dtype) {
    case AGN_F32:
        return ((const float *)p)[i];
    case AGN_F64:
        return ((const double *)p)[i];
    case AGN_C64:
        return ((const float complex *)p)[i];
    default:
        return ((const double complex *)p)[i];
    }
}
static inline void agni_number_set(int dtype, void *p, int64_t i, double complex v)
{
    switch (dtype) {
    case AGN_F32:
        ((float *)p)[i] = (float)creal(v);
        break;
    case AGN_F64:
        ((double *)p)[i] = creal(v);
        break;
    case AGN_C64:
        ((float complex *)p)[i] = (float complex)v;
        break;
    default:
        ((double complex *)p)[i] = v;
    }
}
/* a number of its parts: x + i y would make a NaN of infinity times i */
static inline double complex agni_join_parts(double re, double im)
{
    union {
        double part[2];
        double complex z;
    } u = {{re, im}};
    return u.z;
}
/* z times 2^e, part by part */
static inline double complex agni_scale_parts(double complex z, int e)
{
    return agni_join_parts(ldexp(creal(z), e), ldexp(cimag(z), e));
}
static inline double agni_eps_of(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 0x1p-23 : 0x1p-52;
}

/* work that LAPACK asked for: the first number that a query wrote */
int64_t agni_lapack_asked(int dtype, const void *work);
/* bytes that begin on a boundary of 64 */
static inline int64_t agni_room_of(int64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}
/* bytes behind the last array that LAPACK is handed: cgemv and zgemv of OpenBLAS 0.3.21 read one
   element more than a vector has, a stride away, where the rows are 2 modulo 4. Results, which have
   none, are not handed over. */
static inline int64_t agni_overread_room(int dtype, int64_t lead)
{
    return agni_kind(dtype) == AGNI_KIND_COMPLEX ? agni_room_of(lead * agni_dtypes[dtype].bytes)
                                                 : 0;
}

/* Runs one(user, i, room) for every matrix with `room` bytes of its own; codes as agni_each_matrix,
   AGNI_NO_ROOM without memory. n is the order that decides about threads. */
typedef int64_t agni_one_with_room(void *user, int64_t i, char *room);
int64_t agni_each_with_room(int64_t batch, int64_t n, int64_t room, agni_one_with_room *one,
                            void *user, int64_t *at);
/* the failure that a code stands for; what: "eigenvalues", "singular values" did not converge */
agn_status agni_lapack_failed(const agn_kernel_call *c, int64_t code, int64_t at, int64_t batch,
                              int64_t room, const char *what);

/* the first entry of an argument that is not finite, in matrix at of the batch of y; arguments have
   two last axes */
agn_status agni_refuse_not_finite(const agn_kernel_call *c, const agn_array *y, int64_t at);
/* how a batch as that of y ended: the code of the matrix at which it stopped, 0 of none */
agn_status agni_end_batch(const agn_kernel_call *c, const agn_array *y, int64_t code, int64_t at,
                          int64_t batch, int64_t room, const char *what);

/* LU of a column-major matrix with partial pivoting: 0, 1 + the pivot that is 0, or AGNI_NO_ROOM */
int64_t agni_factor_lu(int dtype, int64_t m, int64_t n, void *a, lapack_int *piv);

/* the largest part of n numbers; is it in the upper triangle of factors [n, n] so much larger than
   in the matrix that digits are lost (Wilkinson 1961)? */
double agni_largest_part(int dtype, const void *p, int64_t n);
bool agni_lu_has_grown(int dtype, int64_t n, const void *lu, double most);
/* x of a x = b by an LU of a^T, whose pivots are sought along the other lines: at [n, n], columns
   first, and b [n, k] in x. 0, 1 + the pivot that is 0, or another code */
int64_t agni_solve_turned(int dtype, int64_t n, int64_t k, void *at, lapack_int *piv, void *x);

/* Columns first, a becomes its Schur form, v its vectors; values in w unless it is NULL; spare: 2 n
   numbers. The work it asks for: negative where LAPACK refuses. */
lapack_int agni_run_gees(int dtype, int64_t order, void *a, void *v, double complex *w, char *spare,
                         void *work, int64_t lwork);
int64_t agni_ask_gees(int dtype, int64_t n);

/* QR by blocks of reflectors that keep their triangles t (geqrt; Schreiber & Van Loan 1989),
   columns first: a [m, n] becomes r and, below its diagonal, reflectors. Room for t and for work,
   in numbers, with q of so many columns. 0 where LAPACK takes it. */
int64_t agni_qr_block(int64_t least);
lapack_int agni_factor_qr(int dtype, int64_t m, int64_t n, void *a, void *t, void *work);
/* q [m, columns] of the first k reflectors in a [m, ..] */
lapack_int agni_form_q(int dtype, int64_t m, int64_t columns, int64_t k, const char *a,
                       const char *t, char *q, void *work);
/* c [m, n] := q^H c, or q c */
lapack_int agni_apply_q(int dtype, bool adjoint, int64_t m, int64_t n, int64_t k, const void *a,
                        const void *t, void *c, void *work);

/* c [m, n] = op(a) op(b), columns first, with op(a) [m, k] */
void agni_multiply_columns(int dtype, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int64_t m,
                           int64_t n, int64_t k, const void *a, const void *b, void *c);

/* columns of v [m, n] times phases that make the first of their largest entries real and positive;
   rows of vh [n, cols] (NULL: none) times the conjugate phases */
void agni_fix_phases(int dtype, void *v, int64_t m, int64_t n, int64_t lead, void *vh,
                     int64_t cols);
/* the same of vectors that are the rows of v [m, n] */
void agni_fix_row_phases(int dtype, void *v, int64_t m, int64_t n);

/* vectors v of Schur's form t, all [n, n] by rows: phases as of agni_fix_phases. The other basis u
   of a pair turns with v, and the other form, whose diagonal is real, with t; NULL for none */
void agni_fix_schur_phases(int dtype, int64_t n, char *t, char *v, char *other, char *u);

#endif
