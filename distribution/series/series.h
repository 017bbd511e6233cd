/* distribution/series/series.h - laws of series: events whose first axis is time. */
#ifndef AGNI_DISTRIBUTION_SERIES_H
#define AGNI_DISTRIBUTION_SERIES_H

#include "distribution/compound/compound.h"

#include <agnesi/series_laws.h>

/* A law with parameters whose event has n steps on the first of its axes; the others are set by who
   calls. */
agn_status agni_series_make(agn_distribution **out, const agni_law *law, int64_t n,
                            const agn_tensor *const *params, int axes,
                            const agn_distribution_options *opts);
static inline int64_t agni_steps(const agn_distribution *d) { return d->event.shape[0]; }
/* entries first to stop of the axis at that distance from the end */
T agni_span(agn_scope *s, T x, int from_end, int64_t first, int64_t stop);
/* logarithms of probabilities, of logits on the last axis */
static inline T agni_log_shares(agn_scope *s, T logits)
{
    return SUB(logits, FN(logsumexp, logits, (const int32_t[]){-1}, 1, true));
}
/* of a hidden Markov model: log p(x_t | state), [..., n, k] */
T agni_hidden_seen(agn_scope *s, const agn_distribution *d, T x);
/* a state space model: C' C of the lower triangle of tril, m x of a vector; states [..., n, k] by
   noise */
T agni_covariance(agn_scope *s, T tril);
T agni_applied(agn_scope *s, T m, T x);
T agni_space_states(agn_scope *s, const agn_distribution *d, T key, int ndim, const int64_t *shape);
/* x is a series of the law of that name, *batch what both broadcast to */
agn_status agni_check_seen(const char *op, const char *law, const void *out,
                           const agn_distribution *d, const agn_tensor *x, agni_meta *batch);
/* the first n axes of batch, then last */
agni_meta agni_shape_with(const agni_meta *batch, int n, const int64_t *last);

#endif
