/* sparse/ops/ops.h - ops on sparse operands: one function for each, and what they share. */
#ifndef AGNI_SPARSE_OPS_H
#define AGNI_SPARSE_OPS_H

#include "sparse/layout/layout.h"

/* ---- ops on sparse operands (sparse/ops/sparse_dispatch.c says which) ------------------------ */

typedef const agn_tensor *agni_sparse_fn(agn_scope *s, const agni_call *c);
/* is the 0-D x on the host 0? */
bool agni_scalar_is_zero(agn_scope *s, const agn_tensor *x);
/* AGN_EUNSUPPORTED: positions without entries would not stay 0 */
const agn_tensor *agni_fail_would_fill(agn_scope *s, const agni_call *c);
agni_sparse_fn agni_sparse_map, agni_sparse_map_of_order, agni_sparse_zip, agni_sparse_sum,
    agni_sparse_extreme, agni_sparse_permute, agni_sparse_reshape, agni_sparse_slice,
    agni_sparse_unslice, agni_sparse_concat, agni_sparse_gather_slices, agni_sparse_broadcast,
    agni_sparse_product, agni_sparse_where, agni_sparse_watch;
/* a sparse x at the entries of a mask, 0 where it has none */
const agn_tensor *agni_sparse_masked(agn_scope *s, const char *op, const agn_tensor *x,
                                     const agn_tensor *mask);
const agn_tensor *agni_sparse_polar(agn_scope *s, const agn_tensor *r, const agn_tensor *phi);
agn_status agni_sparse_apply(const agni_op *op, const agni_attr *at, int nin,
                             const agn_tensor *const *in, int nout, agn_tensor **out);
bool agni_sparse_takes(const agni_op *op);
agn_status agni_sparse_revalue(agn_tensor **out, const char *op, const agn_tensor *like,
                               const agn_tensor *values);

/* broadcasts the coordinates of both, coalesced, to the same axes */
bool agni_sparse_align(agn_scope *s, const char *op, const agn_tensor **a, const agn_tensor **b);
/* values of coalesced COO a at sorted coordinates of the same axes: 0 where it has no entry */
const agn_tensor *agni_values_at(agn_scope *s, const char *op, const agn_tensor *a,
                                 const agni_coordinates *p);

/* softmax, or its logarithm, over the m groups that of names, along axis first of v; of the rows of
   a pattern. Nothing but entries counts (sparse/ops/softmax.c) */
const agn_tensor *agni_softmax_groups(agn_scope *s, const agn_tensor *v, int first,
                                      const agn_tensor *of, int64_t m, bool logs);
const agn_tensor *agni_softmax_rows(agn_scope *s, const char *op, const agni_pattern *p,
                                    const agn_tensor *v, bool logs);

#endif
