/* linalg/cuda/solver.h - factorisations by cuSOLVER and cuBLAS (NVIDIA, cuSOLVER API, the generic
   64-bit functions), of matrices by columns without gaps, one after the other in memory. Codes of
   failure are left on the device, an int for each matrix. */
#ifndef AGNI_LINALG_SOLVER_H
#define AGNI_LINALG_SOLVER_H

#include "tensor/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct agni_cu_matrices {
    int dtype;
    int64_t rows, cols, batch;
    void *a;
    int *info;
} agni_cu_matrices;

/* the Cholesky factor in one triangle; the other one is left alone */
agn_status agni_cu_potrf(const agn_kernel_call *c, const agni_cu_matrices *m, bool lower);
/* a = p l u; pivots[batch min(rows, cols)] count from 1 */
agn_status agni_cu_getrf(const agn_kernel_call *c, const agni_cu_matrices *m, int64_t *pivots);
/* of the first matrix: op(a) x = b, x in place of b [rows, k]; op: N, T or C */
agn_status agni_cu_getrs(const agn_kernel_call *c, const agni_cu_matrices *m, char op,
                         const int64_t *pivots, void *b, int64_t k);
/* r and reflectors, then q [rows, q_cols] in their place. kept (or NULL) is called between, when r
   is there. Matrix i begins at i step numbers. */
agn_status agni_cu_geqrf(const agn_kernel_call *c, const agni_cu_matrices *m, int64_t step,
                         void *tau, int64_t q_cols, void (*kept)(void *user), void *user);
/* values ascending into w; a becomes the vectors, if they are wanted */
agn_status agni_cu_syevd(const agn_kernel_call *c, const agni_cu_matrices *m, bool lower,
                         bool vectors, void *w);
/* a = u diag(s) vt, rows >= cols; u NULL: values alone. a is lost */
agn_status agni_cu_gesvd(const agn_kernel_call *c, const agni_cu_matrices *m, bool full, void *u,
                         void *s, void *vt);

#ifdef __cplusplus
}
#endif

#endif
