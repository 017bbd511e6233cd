/* linalg/cpu/recognise.h - matrices whose zeros and symmetry make a cheaper factor: found,
   factored, solved with. */
#ifndef AGNI_LINALG_RECOGNISE_H
#define AGNI_LINALG_RECOGNISE_H

#include "linalg/cpu/lapack_calls.h"

/* What a factor is, beside that of LU with interchanges. Its pivots begin with the negative of
   this: those of LU are positive. */
typedef enum agni_factor_kind {
    AGNI_FACTOR_LU,
    AGNI_FACTOR_LOWER, /* the matrix itself */
    AGNI_FACTOR_UPPER,
    AGNI_FACTOR_BAND,    /* of gbtrf, columns first; pivots: -kind, l, u, .., and from n on the interchanges */
    AGNI_FACTOR_POSITIVE /* u of a = u^H u, in the upper triangle */
} agni_factor_kind;

/* what a [n, n], row-major and contiguous, looks like; l and u: diagonals below and above that hold
   something */
agni_factor_kind agni_recognise(int dtype, const void *a, int64_t n, int64_t *l, int64_t *u);

/* Factors in place what was recognised; original: the same matrix, with its strides. 0; 1 + the
   pivot that is 0; or AGNI_USE_LU where this kind of factor does not exist, or may overflow. */
enum { AGNI_USE_LU = -8 };
int64_t agni_factor_recognised(agni_factor_kind kind, int dtype, int64_t n, int64_t l, int64_t u,
                               agni_lapack_matrix original, void *a, int32_t *piv);

/* op(a) x = b in place, x [n, k] row-major and contiguous; false where pivots are not those of such
   a factor */
bool agni_solve_recognised(int dtype, int64_t n, int64_t k, const void *a, const int32_t *piv,
                           int64_t step, int64_t form, void *x);

/* x := op(t)^-1 x for contiguous row-major x [n, k] */
void agni_solve_triangle_rows(int dtype, enum CBLAS_UPLO up, enum CBLAS_TRANSPOSE op,
                              enum CBLAS_DIAG unit, int64_t n, int64_t k, const void *t,
                              int64_t lead, void *x);
/* is b [n, n] the identity? */
bool agni_is_identity(int dtype, agni_lapack_matrix b, int64_t n);
/* a factor of LU or, positive, of Cholesky becomes the inverse: 0, AGNI_NO_ROOM,
   AGNI_LAPACK_REFUSED */
int64_t agni_invert_factored(int dtype, bool positive, int64_t n, void *x, const int32_t *piv,
                             int64_t step);
/* does 1 over this number overflow? */
bool agni_reciprocal_overflows(int dtype, const char *p);

#endif
