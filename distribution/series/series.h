/* distribution/series/series.h - laws of series: events whose first axis is time. */
#ifndef AGNI_DISTRIBUTION_SERIES_H
#define AGNI_DISTRIBUTION_SERIES_H

#include "distribution/compound/compound.h"

#include <agnesi/series_laws.h>

/* A law with parameters whose event has n steps on the first of its axes; the others are set by who calls. */
agn_status agni_series_make(agn_distribution **out, const agni_law *law, int64_t n, const agn_tensor *const *params, int axes,
                            const agn_distribution_options *opts);
static inline int64_t agni_steps(const agn_distribution *d) { return d->event.shape[0]; }
/* entries first to stop of the axis at that distance from the end */
T agni_span(agn_scope *s, T x, int from_end, int64_t first, int64_t stop);

#endif
