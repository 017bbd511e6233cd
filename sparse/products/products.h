/* sparse/products/products.h - what the products with a pattern share with other rooms: inference
   over a batch, rules, kernels. */
#ifndef AGNI_SPARSE_PRODUCTS_H
#define AGNI_SPARSE_PRODUCTS_H

#include "sparse/pattern/pattern.h"

/* the batch that the leading axes of two matrices broadcast to */
agn_status agni_broadcast_batches(const char *op, agni_meta *m, const agn_tensor *a,
                                  const agn_tensor *b);
/* x of one axis as one column, and a result of such an x without that axis */
const agn_tensor *agni_add_column_axis(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_drop_column_axis(agn_scope *s, const agn_tensor *y, bool vector);
/* A B, or A^T B, by kernels (sparse/products/api.c) */
agn_status agni_csr_product(const char *op, agn_tensor **out, const agni_csr *a, const agni_csr *b,
                            bool turned);

/* ---- for rows and rules ------------------------------------------------------------ */

/* infers a result: leading axes of a (all but na) and of b (all but nb, or NULL) broadcast,
   then n sizes */
agn_status agni_infer_over_batch(agni_call *c, const agn_tensor *a, int na, const agn_tensor *b,
                                 int nb, int n, const int64_t *sizes);
const agn_tensor *agni_conjugate(agn_scope *s, const agn_tensor *x); /* NULL allowed */

/* element where part b of the batch of y begins in row-major x, which broadcasts; xa and ya are
   the last axes that belong to one part */
int64_t agni_batch_offset(const agn_array *x, int xa, const agn_array *y, int ya, int64_t b);

/* ---- rules and kernels ----------------------------------------------------------- */

agni_transpose_fn agni_spmm_transpose, agni_sddmm_transpose, agni_scatter_transpose,
    agni_gather_transpose, agni_collect_transpose;
agni_batch_fn agni_batch_spmm, agni_batch_sddmm;
agn_kernel agni_cpu_spmm, agni_cpu_sddmm, agni_cpu_scatter, agni_cpu_gather, agni_cpu_collect;
size_t agni_spmm_scratch(const agn_kernel_call *c);
/* a transposed product of one column and sparse_sddmm of the same (sparse/products/spmm_sddmm.c) */
agni_along_fn agni_spmm_along;

#endif
