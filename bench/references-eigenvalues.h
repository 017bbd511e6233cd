/* bench/references-eigenvalues.h - an eigenvalue of a symmetric tridiagonal matrix in a ball (Parlett, The
   Symmetric Eigenvalue Problem, ch. 3). */
#ifndef AGN_REFERENCES_EIGENVALUES_H
#define AGN_REFERENCES_EIGENVALUES_H

#include "bench/special-references.h"

enum { MOST_ROWS = 400 };

typedef struct matrix {
    slong rows;
    arb_ptr diagonal, beside; /* squares of what stands beside it */
} matrix;

void agni_open_matrix(matrix *m, slong rows);
void agni_close_matrix(matrix *m);
/* a, with the radius that Sturm's counts show, and v of largest part 1; false: not to be had */
bool agni_set_eigenpair(arb_t a, arb_ptr v, const matrix *m, slong index, slong prec);

#endif
