/* distribution/compound/mixtures.c - one of several laws: mixtures, zero-inflated counts (McLachlan
   & Peel 2000). */
#include "distribution/compound/compound.h"

#include <agnesi/compound_laws.h>

#include <string.h>

agn_status agni_distribution_around(agn_distribution **out, const agni_law *law,
                                    const agn_tensor *const *params, const agn_distribution *base,
                                    int inner, const agn_distribution_options *opts)
{
    agn_distribution *d = NULL;
    agn_status st = agni_distribution_make(&d, law, params, opts);
    if (st)
        return st;
    agni_meta batch = d->batch;
    if (!agni_broadcast_into(&batch, base->batch.ndim - inner, base->batch.shape))
        st = agni_fail(AGN_ESHAPE,
                       "distribution_%s: the batch shape %s and that of %s, %s, do not broadcast",
                       law->name, AGNI_SHAPE(&d->batch), base->law->name, AGNI_SHAPE(&base->batch));
    batch.dtype = base->batch.dtype;
    for (int i = 0; !st && i < law->n; i++) {
        agn_tensor *cast = NULL;
        st = agn_cast(&cast, d->param[i], base->batch.dtype);
        if (!st) {
            agn_release(d->param[i]);
            d->param[i] = cast;
        }
    }
    int64_t wide[AGN_MAX_RANK];
    if (!st && batch.ndim + inner > AGN_MAX_RANK - base->event.ndim)
        st = agni_fail(
            AGN_ESHAPE,
            "distribution_%s: %d axes of the batch shape and %d of its parts are too many",
            law->name, batch.ndim, inner);
    if (!st) {
        memcpy(wide, batch.shape, (size_t)batch.ndim * sizeof *wide);
        memcpy(wide + batch.ndim, base->batch.shape + base->batch.ndim - inner,
               (size_t)inner * sizeof *wide);
        st = agni_distribution_grow(&d->base, base, batch.ndim + inner, wide);
    }
    if (st) {
        agn_distribution_release(d);
        return st;
    }
    d->batch = batch;
    d->event = base->event;
    *out = d;
    return AGN_OK;
}

/* ---- mixture --------------------------------------------------------------------------------- */

#define WEIGHTS d->param[0]
static const int32_t last_axis[] = {-1};

OF_PARAMETERS(log_weights) { return SUB(WEIGHTS, FN(logsumexp, WEIGHTS, last_axis, 1, true)); }
/* of part axis first, then the event: the sum over parts of w x */
static T weigh_component(agn_scope *s, const agn_distribution *d, T x, int e)
{
    T w = agni_over_event(s, FN(exp, log_weights(s, d)), e);
    return FN(sum, MUL(w, x), (const int32_t[]){-1 - e}, 1, false);
}
DRAW(mixture_draw)
{
    int64_t wide[AGN_MAX_RANK];
    int e = d->event.ndim, lead = ndim - e, n = 0;
    int64_t k = agni_size_at(WEIGHTS, 1);
    if (ndim == AGN_MAX_RANK) {
        agn_scope_fail(
            s, agni_fail(AGN_ESHAPE,
                         "distribution_sample: %d axes and that of the parts are too many", ndim));
        return NULL;
    }
    for (int i = 0; i < lead; i++)
        wide[n++] = shape[i];
    wide[n++] = k;
    T keys = FN(key_split, key, 2);
    T g = FN(random_gumbel, agni_one_key(s, keys, 0), make_number(s, d, 0), make_number(s, d, 1), n,
             wide);
    T pick = FN(argmax, ADD(FN(stop_gradient, WEIGHTS), g), -1, false);
    /* the part's own batch stands at the end of wide: all axes before it are drawn anew */
    int own = d->base->batch.ndim;
    T x = ag_distribution_sample(s, d->base, agni_one_key(s, keys, 1), n - own, wide);
    T here = FN(eq, FN(expand_dims, FN(cast, pick, d->batch.dtype), -1), agni_places(s, d, k));
    return FN(sum, SEL(agni_over_event(s, here, e), x, LIT(0)), (const int32_t[]){-1 - e}, 1,
              false);
}
OF_X(mixture_log_prob)
{
    T p = ag_distribution_log_prob(s, d->base, agni_part_axis(s, d, x));
    return FN(logsumexp, ADD(log_weights(s, d), p), last_axis, 1, false);
}
OF_X(mixture_cdf)
{
    return weigh_component(s, d, ag_distribution_cdf(s, d->base, agni_part_axis(s, d, x)), 0);
}
OF_X(mixture_survival)
{
    return weigh_component(s, d, ag_distribution_survival(s, d->base, agni_part_axis(s, d, x)), 0);
}
static T log_weighted(agn_scope *s, const agn_distribution *d, T log_share)
{
    return FN(logsumexp, ADD(log_weights(s, d), log_share), last_axis, 1, false);
}
OF_X(mixture_log_cdf)
{
    return log_weighted(s, d, ag_distribution_log_cdf(s, d->base, agni_part_axis(s, d, x)));
}
OF_X(mixture_log_survival)
{
    return log_weighted(s, d, ag_distribution_log_survival(s, d->base, agni_part_axis(s, d, x)));
}
OF_PARAMETERS(mixture_mean)
{
    return weigh_component(s, d, ag_distribution_mean(s, d->base), d->event.ndim);
}
OF_PARAMETERS(mixture_variance)
{
    int e = d->event.ndim;
    T m = ag_distribution_mean(s, d->base),
      gap = SUB(m, agni_part_axis(s, d, weigh_component(s, d, m, e)));
    return weigh_component(s, d, ADD(ag_distribution_variance(s, d->base), FN(square, gap)), e);
}

DRAW(mixture_rsample) { return agni_implicit_path(s, d, mixture_draw(s, d, key, ndim, shape)); }
OF_PARAMETERS(mixture_low) { return FN(amin, agni_base_bound(s, d, false), last_axis, 1, false); }
OF_PARAMETERS(mixture_high) { return FN(amax, agni_base_bound(s, d, true), last_axis, 1, false); }
#define MIXTURE                                                                                                          \
    .name = "mixture", .n = 1, .param = {"logits"}, .domain = {AGNI_REAL}, .rank = {1}, .support = AGN_SUPPORT_NONE,      \
    .low = mixture_low, .high = mixture_high,                                                                             \
    .log_prob = mixture_log_prob, .cdf = mixture_cdf, .survival = mixture_survival, .log_cdf = mixture_log_cdf, \
    .log_survival = mixture_log_survival, .mean = mixture_mean, .variance = mixture_variance
static const agni_law mixture_law = {MIXTURE, .draw = mixture_draw},
                      mixture_with_path = {MIXTURE, .rsample = mixture_rsample};

agn_status agn_distribution_mixture(agn_distribution **out, const agn_tensor *logits,
                                    const agn_distribution *parts,
                                    const agn_distribution_options *opts)
{
    if (!out || !logits || !parts)
        return agni_fail(AGN_ENULL, "distribution_mixture: %s is NULL",
                         !out      ? "out"
                         : !logits ? "logits"
                                   : "parts");
    int n = parts->batch.ndim;
    if (logits->ndim < 1 || n < 1 || parts->batch.shape[n - 1] != agni_size_at(logits, 1))
        return agni_fail(
            AGN_ESHAPE,
            "distribution_mixture: logits is %s, the batch shape of parts %s; [..., k] and [..., k] are needed",
            AGNI_SHAPE(logits), AGNI_SHAPE(&parts->batch));
    bool with_path = parts->law->rsample && !parts->event.ndim &&
                     (parts->law->cdf || parts->law->survival);
    return agni_distribution_around(out, with_path ? &mixture_with_path : &mixture_law,
                                    (T[]){logits}, parts, 1, opts);
}

/* ---- zero-inflated -------------------------------------------------------------------------- */

#define GATE d->param[0]
DRAW(inflated_draw)
{
    T keys = FN(key_split, key, 2);
    T closed = FN(random_bernoulli, agni_one_key(s, keys, 0), GATE, ndim, shape);
    T x = ag_distribution_sample(s, d->base, agni_one_key(s, keys, 1), ndim - d->base->batch.ndim,
                                 shape);
    return SEL(closed, make_number(s, d, 0), x);
}
OF_X(inflated_log_prob)
{
    T rest = ADD(FN(log1p, NEG(GATE)), ag_distribution_log_prob(s, d->base, x));
    return SEL(FN(eq, x, LIT(0)), FN(logaddexp, FN(log, GATE), rest), rest);
}
OF_X(inflated_cdf) { return ADD(GATE, MUL(SUB(LIT(1), GATE), ag_distribution_cdf(s, d->base, x))); }
OF_X(inflated_survival) { return MUL(SUB(LIT(1), GATE), ag_distribution_survival(s, d->base, x)); }
OF_PARAMETERS(inflated_mean) { return MUL(SUB(LIT(1), GATE), ag_distribution_mean(s, d->base)); }
OF_PARAMETERS(inflated_variance)
{
    T m = ag_distribution_mean(s, d->base), v = ag_distribution_variance(s, d->base);
    return MUL(SUB(LIT(1), GATE), ADD(v, MUL(GATE, FN(square, m))));
}
static const agni_law inflated_law = {
    .name = "zero_inflated",
    .n = 1,
    .param = {"gate"},
    .domain = {AGNI_PROBABILITY},
    .support = AGN_SUPPORT_COUNTS,
    .draw = inflated_draw,
    .log_prob = inflated_log_prob,
    .cdf = inflated_cdf,
    .survival = inflated_survival,
    .mean = inflated_mean,
    .variance = inflated_variance,
};
agn_status agn_distribution_zero_inflated(agn_distribution **out, const agn_tensor *gate,
                                          const agn_distribution *base,
                                          const agn_distribution_options *opts)
{
    if (!out || !gate || !base)
        return agni_fail(AGN_ENULL, "distribution_zero_inflated: %s is NULL",
                         !out    ? "out"
                         : !gate ? "gate"
                                 : "base");
    if (!agni_support_is_discrete(base->law->support) || base->event.ndim)
        return agni_fail(AGN_EUNSUPPORTED,
                         "distribution_zero_inflated: base is of the %s law; counts are needed",
                         base->law->name);
    return agni_distribution_around(out, &inflated_law, (T[]){gate}, base, 0, opts);
}
