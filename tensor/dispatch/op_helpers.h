/* tensor/dispatch/op_helpers.h - helpers of ops, rules and compositions. */
#ifndef AGNI_OP_HELPERS_H
#define AGNI_OP_HELPERS_H

#include "tensor/dispatch/op.h"

/* ops by symbol */

/* a partial derivative that is 1 or -1: no product is formed */
extern const agn_tensor agni_one, agni_minus_one;

agn_status agni_infer_ew(agni_call *c);
agn_status agni_infer_same(agni_call *c); /* shape and dtype of the first argument */
agn_status agni_infer_each(agni_call *c); /* each result like the argument of its number */
/* the body of a public function with one result */
agn_status agni_apply_public(agn_tensor **out, const agni_op *op, const agni_attr *at, int nin,
                       const agn_tensor *const *in);

/* p is not NULL; cond holds, else what, a word, names the argument that is NULL */
#define AGNI_NEED_ALL(op, cond, what) \
    if (!(cond)) \
    return agni_fail(AGN_ENULL, "%s: %s is NULL", op, what)
#define AGNI_NEED(op, p) AGNI_NEED_ALL(op, p, #p)

/* Replaces the name of the inner op in the message of a failure by op. */
agn_status agni_rename_error(const char *op, agn_status st);
/* The end of a public function that is composed of ops: y is its result; messages of failures begin
   with op. */
agn_status agni_return(const char *op, agn_scope *s, agn_tensor **out, const agn_tensor *y);

/* what agn_convolve and agn_correlate refuse */
agn_status agni_check_sliding(const char *op, agn_tensor *const *out, const agn_tensor *a,
                              const agn_tensor *v, int32_t axes, int32_t mode);

/* x as dtype, by the op cast; x itself where it is of that dtype and no literal */
agn_status agni_convert(agn_tensor **out, const agn_tensor *x, int dtype);
/* x row-major, by the op copy; x itself where it is, or has no value */
agn_status agni_make_contiguous(agn_tensor **out, const agn_tensor *x);

/* within a scope; shapes as in the program, axes from the end where negative */
const agn_tensor *agni_literal(agn_scope *s, double v);
/* x without its node, for an eval that is composed of ops: op is for messages */
const agn_tensor *agni_detach_node(agn_scope *s, const char *op, const agn_tensor *x);
const agn_tensor *agni_cast(agn_scope *s, const agn_tensor *x, int dtype);
const agn_tensor *agni_reshape(agn_scope *s, const agn_tensor *x, int ndim,
                               const int64_t *shape);
const agn_tensor *agni_broadcast(agn_scope *s, const agn_tensor *x, int ndim,
                                 const int64_t *shape);
const agn_tensor *agni_full(agn_scope *s, double v, int dtype, int ndim, const int64_t *shape);
/* the number v in the dtype and shape of x, and on its device where it has one */
const agn_tensor *agni_full_like(agn_scope *s, double v, const agn_tensor *x);
/* Adopts a constant that a rule made of numbers on the host: it is committed to no device. */
const agn_tensor *agni_adopt_constant(agn_scope *s, agn_status st, agn_tensor *x);
const agn_tensor *agni_sum_axes(agn_scope *s, const agn_tensor *x, int n, const int64_t *axes,
                                bool keep);
/* adds where either may be NULL: zero */
const agn_tensor *agni_add_present(agn_scope *s, const agn_tensor *a, const agn_tensor *b);
/* real and imaginary parts as views of a complex array (tensor/create/complex_views.c) */
agn_status agni_view_real(const agni_call *c, agn_tensor **out);
agn_status agni_view_imag(const agni_call *c, agn_tensor **out);
/* moves an axis from one position to another; both may be negative */
const agn_tensor *agni_move_axis(agn_scope *s, const agn_tensor *x, int from, int to);

#endif
