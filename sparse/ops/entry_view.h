/* sparse/ops/entry_view.h - the axes of a sparse operand in three groups: batch axes in front and
   dense axes behind, which its values have too, and coordinates between them. An op that keeps each
   axis within its group is done there; for any other all axes become coordinates first
   (agni_as_pure_coo). */
#ifndef AGNI_ENTRY_VIEW_H
#define AGNI_ENTRY_VIEW_H

#include "sparse/ops/ops.h"

/* the agni_entry_view as entries, and what one reads of it */
typedef struct agni_entry_view {
    const agn_tensor *a;
    const agni_coordinates *p;
    const agn_tensor *v;
    int first, last, dense; /* coordinates are the axes [first, last) */
} agni_entry_view;
static inline bool agni_view_entries(agni_entry_view *o, const agn_tensor *a)
{
    if (!a)
        return false;
    *o = (agni_entry_view){a, agni_coo_of(a)->places, agni_values_of(a), agni_entry_axis(a),
                           0, agni_dense_axes(a)};
    o->last = o->first + o->p->ndim;
    return true;
}
static inline bool agni_is_coordinate_axis(const agni_entry_view *o, int d)
{
    return d >= o->first && d < o->last;
}
/* the axis of values that axis d of the tensor is; that of entries for coordinates */
static inline int agni_values_axis(const agni_entry_view *o, int d)
{
    return d < o->first ? d : d < o->last ? o->first : d - o->p->ndim + 1;
}

#endif
