/* tensor/dispatch/shape_attributes.h - what ops that move elements have in common. */
#ifndef AGNI_SHAPE_ATTRIBUTES_H
#define AGNI_SHAPE_ATTRIBUTES_H

#include "tensor/dispatch/op_helpers.h"

#include <string.h>

static inline void agni_set_meta(agni_meta *m, int dtype, int ndim, const int64_t *shape)
{
    m->dtype = dtype;
    m->ndim = ndim;
    if (ndim)
        memcpy(m->shape, shape, (size_t)ndim * sizeof *shape);
}
static inline int agni_attr_count(const agni_call *c)
{
    return c->at ? c->at->ni : 0;
}
static inline agn_status agni_bad_attributes(const agni_call *c)
{
    return agni_fail(AGN_EARG, "%s: %d integer attributes do not describe an argument of %d axes",
                     c->op->name, agni_attr_count(c), c->in[0]->ndim);
}

/* members of the row of an op that moves elements of any dtype; slots_<name> is beside it */
#define AGNI_MOVEMENT_ROW(name_, takes_) \
    .name = #name_, .takes = takes_, .cls = AGNI_LINEAR, .nin = 1, .nout = 1, \
    .dtypes = (1u << AGN_NDTYPES) - 1, .diff = 1, .ew = -1, .bounded = 1, \
    .slots = &slots_##name_, .lo = -3, .hi = 3

/* start:stop:step on an axis of this size, by Python's rules: start, step, count
   (tensor/movement/slice.c) */
void agni_resolve_slice(int64_t size, int64_t start, int64_t stop, int64_t step, int64_t *a);

#endif
