/* distribution/compound/shapes.c - a law with a larger batch, a law with a mask, the law of one
   number. */
#include "distribution/compound/compound.h"

#include <agnesi/compound_laws.h>

#include <string.h>

/* ---- delta ---------------------------------------------------------------------------------- */

#define VALUE d->param[0]
DRAW(delta_rsample) { (void)key, (void)d; return ag_broadcast_to(s, VALUE, ndim, shape); }
/* 0 x: what is no number stays none */
OF_X(delta_log_prob)
{
    return ADD(SEL(FN(eq, x, VALUE), LIT(0), agni_minus_infinity(s)),
               TIMES(FN(stop_gradient, x), 0));
}
OF_X(delta_cdf) { return ADD(SEL(GE(x, VALUE), LIT(1), LIT(0)), TIMES(FN(stop_gradient, x), 0)); }
OF_X(delta_survival)
{
    return ADD(SEL(GE(x, VALUE), LIT(0), LIT(1)), TIMES(FN(stop_gradient, x), 0));
}
OF_X(delta_icdf) { return ADD(VALUE, TIMES(FN(stop_gradient, x), 0)); }
OF_PARAMETERS(delta_value) { (void)s; return VALUE; }
OF_PARAMETERS(delta_zero) { return make_number(s, d, 0); }
static const agni_law delta_law = {
    .name = "delta",
    .n = 1,
    .param = {"value"},
    .domain = {AGNI_REAL},
    .support = AGN_SUPPORT_INTERVAL,
    .low = delta_value,
    .high = delta_value,
    .rsample = delta_rsample,
    .log_prob = delta_log_prob,
    .cdf = delta_cdf,
    .survival = delta_survival,
    .icdf = delta_icdf,
    .mean = delta_value,
    .variance = delta_zero,
    .mode = delta_value,
    .entropy = delta_zero,
};
agn_status agn_distribution_delta(agn_distribution **out, const agn_tensor *value,
                                  const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &delta_law, (T[]){value}, opts);
}

/* ---- masked --------------------------------------------------------------------------------- */

static T base_numbers(agn_scope *s, const agn_distribution *d, T key, int ndim,
                      const int64_t *shape, bool way)
{
    int32_t n = ndim - d->base->batch.ndim - d->base->event.ndim;
    return way ? ag_distribution_rsample(s, d->base, key, n, shape)
               : ag_distribution_sample(s, d->base, key, n, shape);
}
DRAW(masked_rsample) { return base_numbers(s, d, key, ndim, shape, true); }
DRAW(masked_draw) { return base_numbers(s, d, key, ndim, shape, false); }
OF_X(masked_log_prob)
{
    return SEL(FN(ne, d->param[0], LIT(0)), ag_distribution_log_prob(s, d->base, x), LIT(0));
}
OF_PARAMETERS(masked_low) { return agni_base_bound(s, d, false); }
OF_PARAMETERS(masked_high) { return agni_base_bound(s, d, true); }
#define MASKED                                                                                                 \
    .name = "masked", .n = 1, .param = {"mask"}, .domain = {AGNI_REAL}, .support = AGN_SUPPORT_NONE, .low = masked_low, \
    .high = masked_high, .log_prob = masked_log_prob
static const agni_law masked_law = {MASKED, .rsample = masked_rsample},
                      masked_counts = {MASKED, .draw = masked_draw};

agn_status agn_distribution_masked(agn_distribution **out, const agn_distribution *base,
                                   const agn_tensor *mask, const agn_distribution_options *opts)
{
    if (!out || !base || !mask)
        return agni_fail(AGN_ENULL, "distribution_masked: %s is NULL",
                         !out    ? "out"
                         : !base ? "base"
                                 : "mask");
    return agni_distribution_around(out, base->law->rsample ? &masked_law : &masked_counts,
                                    (T[]){mask}, base, 0, opts);
}

/* ---- expanded ------------------------------------------------------------------------------- */

/* Laws draw and answer for any shape their parameters broadcast to; a base gets the axes that d
   got, before its own last ones. */
agn_status agni_distribution_grow(agn_distribution **out, const agn_distribution *d, int ndim,
                                  const int64_t *shape)
{
    agn_distribution *y = NULL;
    agn_status st = agni_distribution_copy(&y, d);
    if (st)
        return st;
    if (d->base) {
        int64_t wide[AGN_MAX_RANK];
        int inner = d->base->batch.ndim - d->batch.ndim;
        inner = inner > 0 ? inner : 0;
        if (ndim + inner > AGN_MAX_RANK)
            st = agni_fail(AGN_ESHAPE,
                           "distribution_expanded: %d axes and %d of its parts are too many", ndim,
                           inner);
        else {
            memcpy(wide, shape, (size_t)ndim * sizeof *wide);
            memcpy(wide + ndim, d->base->batch.shape + d->base->batch.ndim - inner,
                   (size_t)inner * sizeof *wide);
            agn_distribution *base = NULL;
            st = agni_distribution_grow(&base, d->base, ndim + inner, wide);
            if (!st) {
                agn_distribution_release(y->base);
                y->base = base;
            }
        }
    }
    if (st) {
        agn_distribution_release(y);
        return st;
    }
    y->batch.ndim = ndim;
    memcpy(y->batch.shape, shape, (size_t)ndim * sizeof *shape);
    *out = y;
    return AGN_OK;
}
agn_status agn_distribution_expanded(agn_distribution **out, const agn_distribution *d,
                                     int32_t ndim, const int64_t *shape)
{
    if (!out || !d || (ndim > 0 && !shape))
        return agni_fail(AGN_ENULL, "distribution_expanded: %s is NULL",
                         !out ? "out"
                         : !d ? "d"
                              : "shape");
    agni_meta to = {.ndim = ndim};
    if (ndim < d->batch.ndim || ndim > AGN_MAX_RANK - d->event.ndim)
        return agni_fail(AGN_ESHAPE, "distribution_expanded: ndim is %d; %d to %d are possible",
                         ndim, d->batch.ndim, AGN_MAX_RANK - d->event.ndim);
    bool good = true;
    for (int i = 0; i < ndim; i++)
        good = (to.shape[i] = shape[i]) >= 0 && good;
    agni_meta all = to;
    good = good && agni_broadcast_into(&all, d->batch.ndim, d->batch.shape);
    for (int i = 0; good && i < ndim; i++)
        good = all.shape[i] == to.shape[i];
    if (!good)
        return agni_fail(AGN_ESHAPE,
                         "distribution_expanded: the batch shape %s does not broadcast to %s",
                         AGNI_SHAPE(&d->batch), AGNI_SHAPE(&to));
    return agni_distribution_grow(out, d, ndim, to.shape);
}
