/* linalg/cpu/stedc.h - eigenpairs of Hermitian matrices and singular vectors by divide and conquer
   of our own, whose secular equations are solved in the lanes of vectors (Gu & Eisenstat 1995). */
#ifndef AGNI_STEDC_H
#define AGNI_STEDC_H

#include "linalg/cpu/lapack_calls.h"

/* Of tridiagonal and bidiagonal matrices, f32 or f64; bytes of room for order n. Vectors are
   columns of [n, n], columns first. False: not done, nothing of the arguments means anything. */
int64_t agni_conquer_room(int dtype, int64_t n);
/* d [n], e [n - 1] of plain size: values ascending to d, vectors to z. e and q, of 2 n^2 numbers,
   are lost */
bool agni_stedc(int dtype, int64_t n, void *d, void *e, void *z, void *q, char *room);
/* diagonal d [n], above it e [room for n]: values descending to d; left and right vectors come to
   `spare`, of 2 n^2 numbers, one behind the other. e, u and q are lost */
bool agni_bdsdc(int dtype, int64_t n, void *d, void *e, void *u, void *q, void *spare, char *room);

/* Of a Hermitian a [n, n], columns first, of which one triangle is read, any field: values to w,
   the result are vectors in the columns of [n, n] in the room. NULL: not done, a is lost */
int64_t agni_syevd_room(int dtype, int64_t n);
void *agni_syevd(int dtype, bool upper, int64_t n, void *a, void *w, char *room);

/* Of a [m, n], n <= m, columns first: singular values to s; u [m, n] and v [n, n] in the room,
   vectors in their columns. False: not done, a is lost */
int64_t agni_gesdd_room(int dtype, int64_t m, int64_t n);
bool agni_gesdd(int dtype, int64_t m, int64_t n, void *a, void *s, void **u, void **v, char *room);
/* LAPACK's of a [m, n], any shape: job N, S or A, u [m, k] or [m, m], vh [k, n] or [n, n]; how many
   numbers rwork has */
lapack_int agni_run_gesdd(int dtype, char job, int64_t m, int64_t n, void *a, void *s, void *u,
                          void *vh, void *work, int64_t lwork, void *rwork, lapack_int *iwork);
int64_t agni_gesdd_reals(int dtype, int64_t m, int64_t n);

#endif
