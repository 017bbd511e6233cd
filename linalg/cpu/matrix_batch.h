/* linalg/cpu/matrix_batch.h - matrices of a batch, one at a time or spread over threads. */
#ifndef AGNI_LINALG_MATRIX_H
#define AGNI_LINALG_MATRIX_H

#include "linalg/linalg.h"

/* one matrix: its first element and strides in elements */
typedef struct agni_lapack_matrix {
    const char *p;
    int64_t rs, cs;
} agni_lapack_matrix;

/* number of matrices in y, whose last axes are of a matrix (2) or a vector (1) */
int64_t agni_batch_count(const agn_array *y, int axes);
/* matrix i of x, where x broadcasts over the leading axes of y (both with two last
   axes) */
agni_lapack_matrix agni_matrix_at(const agn_array *x, const agn_array *y, int64_t i);
/* the same for a vector per matrix of y */
const char *agni_vector_at(const agn_array *x, const agn_array *y, int64_t i);

/* a contiguous row-major copy */
void agni_matrix_copy(char *to, agni_lapack_matrix x, int64_t rows, int64_t cols, int64_t bytes);
/* the same; are all entries finite? */
bool agni_matrix_copy_finite(char *to, agni_lapack_matrix x, int64_t rows, int64_t cols, int dtype);
/* are n contiguous numbers all finite? */
bool agni_all_finite(int dtype, const void *p, int64_t n);
/* the first entry of x that is not finite: fails with op, matrix and entry */
agn_status agni_not_finite(const char *op, int dtype, agni_lapack_matrix x, int64_t n,
                           int64_t batch, int triangle);
/* the same of a matrix [rows, cols] */
agn_status agni_not_finite_in(const char *op, int dtype, agni_lapack_matrix x, int64_t rows,
                              int64_t cols, int64_t batch);

/* Calls one(user, i) for every matrix until one gives a code other than 0; the first
   such in the order of the batch is *at and its code the result. Spread over threads
   where the matrices are small: larger ones leave threads to LAPACK. */
typedef int64_t agni_one_matrix(void *user, int64_t i);
int64_t agni_each_matrix(int64_t batch, int64_t n, agni_one_matrix *one, void *user,
                         int64_t *at);

#endif
