/* sparse/layout/layout.h - layouts of sparse tensors, and what ops on them are written with:
   coordinates are computed first, once and eagerly; then values are moved by ordinary ops, which
   bring the derivatives. */
#ifndef AGNI_SPARSE_LAYOUT_H
#define AGNI_SPARSE_LAYOUT_H

#include "core/memory/scope.h"
#include "sparse/pattern/pattern.h"

/* ---- coordinates (sparse/layout/coordinates.c) ----------------------------------------------- */

/* Takes at over (from agni_alloc, coordinate d of entry e is at[d * nnz + e]), also where it
   fails. Nothing is checked. */
agn_status agni_make_coordinates(agni_coordinates **out, const char *op, int ndim,
                                 const int64_t *shape, int64_t nnz, bool coalesced, int64_t *at);
bool agni_is_coordinates(const agni_obj *o);
/* row-major order of entries e and f of p and q: < 0, 0, > 0 */
int agni_compare_coordinates(const agni_coordinates *p, int64_t e, const agni_coordinates *q,
                             int64_t f);
/* The stable sorting permutation of the entries, NULL in *order where they are sorted; *repeats:
   does any coordinate occur twice? */
agn_status agni_order_coordinates(const agni_coordinates *p, const char *op, int64_t **order,
                                  bool *repeats);
/* n int64_t, at least one; NULL without memory */
int64_t *agni_alloc_indices(int64_t n);

/* fails the scope with st, or with AGN_ENOMEM for n integers; NULL */
static inline const agn_tensor *agni_fail_null(agn_scope *s, agn_status st)
{
    agn_scope_fail(s, st);
    return NULL;
}
static inline const agn_tensor *agni_fail_nomem(agn_scope *s, const char *op, int64_t n)
{
    return agni_fail_null(s, agni_nomem(op, (size_t)n * sizeof(int64_t)));
}

/* ---- moving values (sparse/layout/place_values.c) -------------------------------------------- */

/* integers (from agni_alloc; taken over) as a tensor */
const agn_tensor *agni_index_tensor(agn_scope *s, const char *op, int64_t n, int64_t *v);
/* entries of v along an axis by number */
const agn_tensor *agni_gather_values(agn_scope *s, const agn_tensor *v, int axis,
                                     const agn_tensor *index);
/* n sums along an axis: element e goes to index[e]; bools are joined by or */
typedef const agn_tensor *agni_group_fn(agn_scope *s, const agn_tensor *v, int axis,
                                        const agn_tensor *index, int64_t n);
agni_group_fn agni_sum_groups;
/* the same for distinct indices: a move, which keeps every bit, with zeros elsewhere */
agni_group_fn agni_scatter_values;
/* v without an axis of one entry, or of none: then zeros */
const agn_tensor *agni_take_single(agn_scope *s, const agn_tensor *v, int axis);
/* A coalesced COO tensor of entries in any order, with duplicates. Entry e has the value
   from[e] of v, or e where from is NULL. at and from (from agni_alloc) are taken over. */
const agn_tensor *agni_coalesced_coo(agn_scope *s, const char *op, int ndim, const int64_t *shape,
                                     int64_t n, int64_t *at, int64_t *from, const agn_tensor *v,
                                     int dense);
/* ... where duplicates are reduced by another sum */
const agn_tensor *agni_coalesced_coo_by(agn_scope *s, const char *op, agni_group_fn *plus, int ndim,
                                        const int64_t *shape, int64_t n, int64_t *at, int64_t *from,
                                        const agn_tensor *v, int dense);

/* do the kernels of this module take values of a dtype? */
static inline bool agni_has_sparse_kernel(int dtype)
{
    return AGNI_FIELDS >> agni_dtypes[dtype].wide & 1;
}

/* ---- conversions (sparse/layout/convert.c) --------------------------------------------------- */

/* a sparse tensor as coalesced COO */
const agn_tensor *agni_as_coo(agn_scope *s, const char *op, const agn_tensor *a);
/* a dense tensor, which has axes, as coalesced COO: its first one is the coordinate of slices */
const agn_tensor *agni_dense_as_coo(agn_scope *s, const char *op, const agn_tensor *x);
/* batch and dense axes become coordinates: values are [nnz] */
const agn_tensor *agni_as_pure_coo(agn_scope *s, const char *op, const agn_tensor *a);
/* a matrix, or a batch of them on one pattern, in AGN_CSR or AGN_CSC; what has two axes in all is
   one */
const agn_tensor *agni_as_compressed(agn_scope *s, const char *op, const agn_tensor *a,
                                     int layout);
/* coalesced COO in the layout of what it was made of, where that can be */
const agn_tensor *agni_restore_layout(agn_scope *s, const char *op, const agn_tensor *y,
                                      int layout);
const agn_tensor *agni_as_dense(agn_scope *s, const char *op, const agn_tensor *a);

/* ---- parts by structure (sparse/layout/structured.c) ---------------------------------------- */

agn_status agni_sparse_triangle(const char *op, agn_tensor **out, const agn_tensor *x, int64_t k,
                                bool lower);
agn_status agni_sparse_diagonal(agn_tensor **out, const agn_tensor *x, int64_t k, int p, int q);

#endif
