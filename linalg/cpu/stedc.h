/* linalg/cpu/stedc.h - eigenpairs of Hermitian matrices through tridiagonal form, by divide and
   conquer of our own. */
#ifndef AGNI_STEDC_H
#define AGNI_STEDC_H

#include <stdbool.h>
#include <stdint.h>

/* bytes of room for order n, f32 or f64 */
int64_t agni_stedc_room(int dtype, int64_t n);
/* d [n], e [n - 1] of plain size: values ascending to d, vectors to the columns of z [n, n], columns
   first. e and q, of 2 n^2 numbers, are lost. False: not done, nothing of these means anything */
bool agni_stedc(int dtype, int64_t n, void *d, void *e, void *z, void *q, char *room);

/* The same of a Hermitian a [n, n], columns first, of which one triangle is read, any field: values
   to w, the result are vectors in the columns of [n, n] in the room. NULL: not done, a is lost */
int64_t agni_syevd_room(int dtype, int64_t n);
void *agni_syevd(int dtype, bool upper, int64_t n, void *a, void *w, char *room);

#endif
