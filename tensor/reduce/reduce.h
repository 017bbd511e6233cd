/* tensor/reduce/reduce.h - what reductions, cumulative ops and sorting share: axes, dtypes,
   shapes, and loops over lanes. */
#ifndef AGNI_REDUCE_H
#define AGNI_REDUCE_H

#include "tensor/reduce/cpu/reduce.h"
#include "tensor/dispatch/op_helpers.h"

/* ---- arguments ------------------------------------------------------------------------ */

/* axes[n], or all where NULL, as negative axes into a[*count]; x may be NULL: reported */
agn_status agni_normalise_axes(const char *op, const agn_tensor *x, const int32_t *axes, int32_t n,
                               int64_t *a, int *count);
/* an axis of x, NULL or not, in [0, ndim) */
agn_status agni_normalise_axis(const char *op, const agn_tensor *x, int32_t axis, int *d);
/* elements in each reduced lane */
int64_t agni_count_along(const agn_tensor *x, const int64_t *a, int count);

/* bools and narrow integers count as i64 */
const agn_tensor *agni_bools_to_ints(agn_scope *s, const agn_tensor *x);
/* Compositions of several ops compute narrow floats wide from end to end, and integers that
   meet a function of real numbers as f64; the last step rounds back. */
const agn_tensor *agni_widen(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_narrow_to(agn_scope *s, const agn_tensor *y, const agn_tensor *x);

/* ---- shapes --------------------------------------------------------------------------- */

/* the named axes merged into a last one, [kept..., n]; shape[*nout]: that of the reduction */
const agn_tensor *agni_merge_axes_last(agn_scope *s, const agn_tensor *x, int n, const int64_t *a,
                                       bool keep, int *nout, int64_t *shape);
/* count elements of the axis d (from 0) from start on */
const agn_tensor *agni_slice_axis(agn_scope *s, const agn_tensor *x, int d, int64_t start,
                                  int64_t count);
/* x shifted along the axis d by one, down to lower indices or up; zero comes in */
const agn_tensor *agni_shift_axis(agn_scope *s, const agn_tensor *x, int d, bool down);
/* y with the axes a (negative, of a shape of ndim axes) back as 1 */
const agn_tensor *agni_restore_kept_axes(agn_scope *s, const agn_tensor *y, int ndim,
                                         const int64_t *shape, int count, const int64_t *a);

/* |x|^2 */
const agn_tensor *agni_squared_modulus(agn_scope *s, const agn_tensor *x);
/* op applied to one or two tensors, NULL if one is */
const agn_tensor *agni_apply_unary(agn_scope *s, const agni_op *op, const agn_tensor *x);
const agn_tensor *agni_apply_binary(agn_scope *s, const agni_op *op, const agn_tensor *a,
                                    const agn_tensor *b);
const agn_tensor *agni_select_by(agn_scope *s, const agn_tensor *c, const agn_tensor *a,
                                 const agn_tensor *b);
/* the elements of x along its last axis that i names: i has the axes of x before it, and more */
const agn_tensor *agni_gather_last(agn_scope *s, const agn_tensor *x, const agn_tensor *i);

/* ---- inference -------------------------------------------------------------------------- */

/* the shape of a reduction by attributes keep, axes... */
agn_status agni_infer_reduction(agni_call *c);

/* ---- kernels -------------------------------------------------------------------------- */

/* the axis of a row-major array that the first attribute names: [outer, n, inner] */
typedef struct agni_axis_lanes {
    int64_t outer, n, inner;
} agni_axis_lanes;
agni_axis_lanes agni_find_lanes(const agn_array *x, int64_t axis);

/* Calls job for slabs [o, .., lo to hi) of an array [outer, n, inner], at most tile columns
   each, spread over the threads. */
typedef void agni_slab(void *user, const agni_axis_lanes *l, int64_t o, int64_t lo, int64_t hi);
void agni_for_each_slab(const agni_axis_lanes *l, int64_t tile, agni_slab *job, void *user);

/* reduces c->in[0] over the axes in ints[1..] to c->out[0], both row-major */
agn_status agni_reduce_axes(const agn_kernel_call *c, int kind);
agni_reduce_fn *agni_find_reduction(int kind, int dtype);
/* sums of squares about the means of lanes of x, f32 or f64 */
agn_status agni_reduce_deviation(const agn_array *x, void *y, const agni_axis_lanes *l);

#endif
