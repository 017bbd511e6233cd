/* distribution/compound/compound.h - laws around a law: its batch, dtype and event are taken
   over. */
#ifndef AGNI_DISTRIBUTION_COMPOUND_H
#define AGNI_DISTRIBUTION_COMPOUND_H

#include "distribution/vectors/vectors.h"

/* A law with parameters and a base, retained; parameters take the dtype of base. The last `inner`
   axes of the batch of base belong to its parts; the others and the parameters broadcast to the
   batch shape. The event is that of base, which gets the whole batch shape: its numbers are
   independent over all of it. */
agn_status agni_distribution_around(agn_distribution **out, const agni_law *law,
                                    const agn_tensor *const *params, const agn_distribution *base,
                                    int inner, const agn_distribution_options *opts);

/* d with the batch shape [shape], to which its own broadcasts (shapes.c) */
agn_status agni_distribution_grow(agn_distribution **out, const agn_distribution *d, int ndim,
                                  const int64_t *shape);

/* an end of the support of the base (truncated.c) */
T agni_base_bound(agn_scope *s, const agn_distribution *d, bool high);

/* x with a new axis before the event of d */
static inline T agni_part_axis(agn_scope *s, const agn_distribution *d, T x)
{
    return FN(expand_dims, x, -1 - d->event.ndim);
}
/* a weight for each part, [..., k], as it multiplies their events; e: axes of the event */
static inline T agni_over_event(agn_scope *s, T w, int e)
{
    for (int i = 0; i < e; i++)
        w = FN(expand_dims, w, -1);
    return w;
}

#endif
