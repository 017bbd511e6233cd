/* linalg/forms/forms.h - what derivatives of forms share. */
#ifndef AGNI_FORMS_H
#define AGNI_FORMS_H

#include "linalg/linalg.h"

agni_jvp_fn agni_schur_jvp, agni_schur_complex_jvp, agni_qz_jvp;

/* rows r0 to r1, columns c0 to c1 of matrices; NULL of NULL */
const agn_tensor *agni_matrix_block(agn_scope *s, const agn_tensor *x, int64_t r0, int64_t r1,
                                    int64_t c0, int64_t c1);
/* x [.., k, 1] with rows of zeros above, n in all */
const agn_tensor *agni_pad_column(agn_scope *s, const agn_tensor *x, int64_t n);
/* 1 of every matrix, [..., 1, 1]; refused where t, of a real matrix, has a block of order 2 */
const agn_tensor *agni_refuse_blocks(agn_scope *s, const agn_tensor *t);

#endif
