/* distribution/wrappers.c - laws made of laws: axes of a batch as one event, and images under a
   transform. */
#include "distribution/expression.h"
#include "distribution/transforms/transform.h"

#include <string.h>

/* the first axes of a shape that stand before batch and event of d */
static int axes_before(const agn_distribution *d, int ndim)
{
    return ndim - d->batch.ndim - d->event.ndim;
}
static T base_numbers(agn_scope *s, const agn_distribution *d, T key, int ndim,
                      const int64_t *shape, bool path)
{
    int32_t n = axes_before(d, ndim);
    return path ? ag_distribution_rsample(s, d->base, key, n, shape)
                : ag_distribution_sample(s, d->base, key, n, shape);
}

static agn_status wrap_base(agn_distribution **out, const agni_law *law,
                            const agn_distribution *base, const agn_transform *map)
{
    agn_distribution *d = NULL;
    agn_status st = agni_distribution_make(&d, law, NULL, NULL);
    if (st)
        return st;
    d->base = agn_distribution_retain(base);
    d->map = agn_transform_retain(map);
    d->batch = base->batch;
    d->event = base->event;
    *out = d;
    return AGN_OK;
}

/* ---- independent -------------------------------------------------------------------- */

DRAW(independent_rsample) { return base_numbers(s, d, key, ndim, shape, true); }
DRAW(independent_draw) { return base_numbers(s, d, key, ndim, shape, false); }
static int count_moved(const agn_distribution *d) { return d->event.ndim - d->base->event.ndim; }
OF_X(independent_log_prob)
{
    return agni_sum_last(s, ag_distribution_log_prob(s, d->base, x), count_moved(d));
}
OF_PARAMETERS(independent_mean) { return ag_distribution_mean(s, d->base); }
OF_PARAMETERS(independent_variance) { return ag_distribution_variance(s, d->base); }
OF_PARAMETERS(independent_entropy)
{
    return agni_sum_last(s, ag_distribution_entropy(s, d->base), count_moved(d));
}
#define INDEPENDENT                                                                      \
    .name = "independent", .support = AGN_SUPPORT_NONE, .log_prob = independent_log_prob, \
    .mean = independent_mean, .variance = independent_variance, .entropy = independent_entropy
static const agni_law independent_law = {INDEPENDENT, .rsample = independent_rsample};
static const agni_law independent_counts = {INDEPENDENT, .draw = independent_draw};

agn_status agn_distribution_independent(agn_distribution **out, const agn_distribution *base,
                                        int32_t rank)
{
    agn_distribution *d = NULL;
    if (!out || !base)
        return agni_fail(AGN_ENULL, "distribution_independent: %s is NULL", !out ? "out" : "base");
    if (rank < 0 || rank > base->batch.ndim)
        return agni_fail(AGN_EARG, "distribution_independent: rank is %d; 0 to %d are possible",
                         rank, base->batch.ndim);
    agn_status st = wrap_base(&d, base->law->rsample ? &independent_law : &independent_counts, base,
                              NULL);
    if (st)
        return st;
    int keep = base->batch.ndim - rank;
    memcpy(d->event.shape, base->batch.shape + keep, (size_t)rank * sizeof *d->event.shape);
    memcpy(d->event.shape + rank, base->event.shape,
           (size_t)base->event.ndim * sizeof *d->event.shape);
    d->event.ndim = rank + base->event.ndim;
    d->batch.ndim = keep;
    *out = d;
    return AGN_OK;
}

/* ---- transformed -------------------------------------------------------------------- */

DRAW(transformed_rsample)
{
    return agni_transform_apply(s, d->map, base_numbers(s, d, key, ndim, shape, true), false);
}
/* log p(x) - log|det J(x)| at the x that is mapped to y; what no x is mapped to has the density
   0 */
OF_X(transformed_log_prob)
{
    const agn_distribution *base = d->base;
    int domain = d->map->domain, event = base->event.ndim > domain ? base->event.ndim : domain;
    T y = x, at = agni_transform_apply(s, d->map, y, true);
    T p = agni_sum_last(s, ag_distribution_log_prob(s, base, at), event - base->event.ndim);
    T det = agni_sum_last(s, agni_transform_log_det(s, d->map, at, y), event - domain);
    T log_p = SUB(p, det), number = FN(logical_not, FN(isnan, agni_sum_last(s, y, d->event.ndim)));
    return SEL(FN(logical_and, FN(isnan, log_p), number), LIT(-(double)INFINITY), log_p);
}
static const agni_law transformed_law = {
    .name = "transformed", .support = AGN_SUPPORT_NONE, .rsample = transformed_rsample,
    .log_prob = transformed_log_prob,
};

agn_status agn_distribution_transformed(agn_distribution **out, const agn_distribution *base,
                                        const agn_transform *map)
{
    const char *op = "distribution_transformed";
    agn_distribution *d = NULL;
    if (!out || !base || !map)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !base ? "base" : "map");
    if (!base->law->rsample || !agni_transform_has_log_det(map))
        return agni_fail(AGN_EUNSUPPORTED,
                         "%s: base is of the %s law, map %s; a density and a bijection are needed",
                         op, base->law->name, map->row->name);
    agni_meta all = base->batch, image;
    memcpy(all.shape + all.ndim, base->event.shape, (size_t)base->event.ndim * sizeof *all.shape);
    all.ndim += base->event.ndim;
    agn_status st = agni_transform_shape(op, map, false, &all, &image);
    st = st ? st : wrap_base(&d, &transformed_law, base, map);
    if (st)
        return st;
    int more = base->event.ndim > map->domain ? base->event.ndim - map->domain : 0;
    d->event.ndim = more + map->codomain;
    d->batch.ndim = image.ndim - d->event.ndim;
    memcpy(d->batch.shape, image.shape, (size_t)d->batch.ndim * sizeof *image.shape);
    memcpy(d->event.shape, image.shape + d->batch.ndim,
           (size_t)d->event.ndim * sizeof *image.shape);
    *out = d;
    return AGN_OK;
}
