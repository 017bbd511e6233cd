/* distribution/transforms/transform.h - a transform is a row of expressions: forward, inverse,
   log|det J|, shapes. */
#ifndef AGNI_TRANSFORM_H
#define AGNI_TRANSFORM_H

#include "tensor/value/tensor.h"
#include <agnesi/transform.h>

typedef const agn_tensor *agni_map(agn_scope *s, const agn_transform *t, const agn_tensor *x);

typedef struct agni_transform_row {
    const char *name;
    int domain, codomain; /* axes of one point at either side */
    /* Of a contiguous family of any batch axes. inverse of a map that is not injective: one of the
       points. log_det at x with y = forward(x), of the batch shape; NULL: not between spaces of one
       dimension. */
    agni_map *forward, *inverse;
    const agn_tensor *(*log_det)(agn_scope *s, const agn_transform *t, const agn_tensor *x,
                                 const agn_tensor *y);
    /* last axes of the other side for those of one side; false: no such point. NULL: the same */
    bool (*shape)(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out);
} agni_transform_row;

struct agn_transform {
    agni_obj head;
    const agni_transform_row *row;
    int domain, codomain;
    agn_tensor *param[3];
    agn_fn *net;  /* of a flow */
    double bound; /* of a spline */
    int n; /* parts of a chain, a stack or what is wrapped */
    agn_transform **part;
    int axis;           /* of a stack, from the end; of a coupling, numbers that stay */
    agni_meta in, out;  /* of a reshape */
};

/* A transform with n parts, retained, or with parameters, cast to one dtype; either may be none. */
agn_status agni_transform_make(agn_transform **out, const agni_transform_row *row,
                               const agn_tensor *const *params, int n_params,
                               const agn_transform *const *parts, int n);

/* The last axes of out for those of in, with all axes before them. */
agn_status agni_transform_shape(const char *op, const agn_transform *t, bool inverse,
                                const agni_meta *in, agni_meta *out);

/* x summed over its last n axes */
const agn_tensor *agni_sum_last(agn_scope *s, const agn_tensor *x, int n);

/* without checks, in a scope */
const agn_tensor *agni_transform_apply(agn_scope *s, const agn_transform *t, const agn_tensor *x,
                                       bool inverse);
const agn_tensor *agni_transform_log_det(agn_scope *s, const agn_transform *t, const agn_tensor *x,
                                         const agn_tensor *y);
bool agni_transform_has_log_det(const agn_transform *t);

#endif
