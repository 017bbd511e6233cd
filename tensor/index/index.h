/* tensor/index/index.h - NumPy's grammar of indices, resolved once and used to read and write.

   An index is resolved into four steps:
     slices      of every axis; an axis taken by an integer keeps size 1
     picks       by integer arrays that broadcast to one shape, along axes that are left
     a position  of the axes of that shape among the others
     new axes    of size 1                                                                 */
#ifndef AGNI_INDEX_H
#define AGNI_INDEX_H

#include "tensor/dispatch/op_helpers.h"
#include "tensor/dispatch/shape_attributes.h"

typedef struct agni_picked {
    const agn_tensor *at; /* integers; NULL for a boolean number, whose axis is as yet none */
    int axis;             /* of x, -1 for a boolean number */
    bool sure;            /* they come from a mask: none is out of range */
} agni_picked;

/* one axis of the result, or the position where picked axes may be */
typedef struct agni_result_axis {
    enum { AGNI_KEPT, AGNI_NEW, AGNI_PICKED, AGNI_DOTS } from; /* dots: none, but between others */
    int axis; /* of x, where kept */
} agni_result_axis;

typedef struct agni_index {
    const agn_tensor *x;
    int64_t slice[3 * AGNI_MAX_RANK]; /* start, step, count of every axis of x */
    bool whole;                       /* all slices are */
    bool taken[AGNI_MAX_RANK];        /* by an integer */
    int n_picked;
    agni_picked picked[AGNI_MAX_RANK + 1];
    agni_meta shape;                  /* that of the picks together */
    int n_result;
    agni_result_axis result[2 * AGNI_MAX_RANK + 3];
} agni_index;

/* Checks and resolves an index; tensors it makes belong to s. False where s has failed. */
bool agni_index_resolve(agn_scope *s, const char *op, agni_index *p, const agn_tensor *x,
                        const agn_ix *ix, int32_t n);

typedef enum { AGNI_PUT, AGNI_ADD } agni_write;
const agn_tensor *agni_index_read(agn_scope *s, const char *op, const agn_tensor *x,
                                  const agn_ix *ix, int32_t n);
const agn_tensor *agni_index_write(agn_scope *s, const char *op, const agn_tensor *x,
                                   const agn_ix *ix, int32_t n, const agn_tensor *v,
                                   agni_write how);

#endif
