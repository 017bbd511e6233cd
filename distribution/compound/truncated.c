/* distribution/compound/truncated.c - a law between two ends, by its shares on the side where they
   are small. */
#include "distribution/compound/compound.h"

#include <agnesi/compound_laws.h>

enum { LOW, HIGH };
#define A d->param[LOW]
#define B d->param[HIGH]

typedef struct shares {
    T left;            /* low is in the left half of base */
    T low, low_above;  /* base below low, and from it */
    T high, high_above; /* base up to high, and beyond */
    T mass;
} shares;
static shares shares_of(agn_scope *s, const agn_distribution *d)
{
    bool whole = agni_support_is_discrete(d->base->law->support);
    T before = whole ? PLUS(FN(ceil, A), -1) : A;
    shares r;
    r.low = ag_distribution_cdf(s, d->base, before);
    r.low_above = ag_distribution_survival(s, d->base, before);
    r.high = ag_distribution_cdf(s, d->base, B);
    r.high_above = ag_distribution_survival(s, d->base, B);
    r.left = LT(r.low, LIT(0.5));
    r.mass = SEL(r.left, SUB(r.high, r.low), SUB(r.low_above, r.high_above));
    r.mass = SEL(GT(r.mass, LIT(0)), r.mass, LIT((double)NAN));
    return r;
}
static T is_outside(agn_scope *s, const agn_distribution *d, T x)
{
    return FN(logical_or, LT(x, A), GT(x, B));
}
OF_X(truncated_log_prob)
{
    T y = SUB(ag_distribution_log_prob(s, d->base, x), FN(log, shares_of(s, d).mass));
    return SEL(is_outside(s, d, x), agni_minus_infinity(s), y);
}
/* at x within the ends */
static T clip_to_bounds(agn_scope *s, const agn_distribution *d, T x) { return FN(clip, x, A, B); }
OF_X(truncated_cdf)
{
    shares r = shares_of(s, d);
    T at = clip_to_bounds(s, d, x), f = SUB(ag_distribution_cdf(s, d->base, at), r.low);
    f = SEL(r.left, f, SUB(r.low_above, ag_distribution_survival(s, d->base, at)));
    f = SEL(LT(x, A), LIT(0), DIV(f, r.mass));
    return SEL(GE(x, B), LIT(1), f);
}
OF_X(truncated_survival)
{
    shares r = shares_of(s, d);
    T at = clip_to_bounds(s, d, x), f = SUB(ag_distribution_survival(s, d->base, at), r.high_above);
    f = SEL(GT(r.high_above, LIT(0.5)), SUB(r.high, ag_distribution_cdf(s, d->base, at)), f);
    f = SEL(LT(x, A), LIT(1), DIV(f, r.mass));
    return SEL(GE(x, B), LIT(0), f);
}
/* the number with the share p of what lies between the ends */
OF_X(truncated_icdf)
{
    shares r = shares_of(s, d);
    double least = d->batch.dtype == AGN_F32 ? 1e-3 : 1e-6;
    T at = ADD(r.low, MUL(x, r.mass));
    T y = clip_to_bounds(s, d, ag_distribution_icdf(s, d->base, at));
    return SEL(LT(r.low_above, LIT(least)), LIT((double)NAN), y);
}
DRAW(truncated_rsample) { return truncated_icdf(s, d, open_uniform(s, d, key, ndim, shape)); }
T agni_base_bound(agn_scope *s, const agn_distribution *d, bool high)
{
    agn_tensor *ends[2] = {NULL, NULL};
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_distribution_bounds(&ends[0], &ends[1], d->base);
    T a = agn_scope_adopt(s, st, &ends[0]), b = agn_scope_adopt(s, st, &ends[1]);
    return high ? b : a;
}
OF_PARAMETERS(truncated_low) { return FN(maximum, agni_base_bound(s, d, false), A); }
OF_PARAMETERS(truncated_high) { return FN(minimum, agni_base_bound(s, d, true), B); }
#define TRUNCATED(k)                                                                                                     \
    .name = "truncated", .n = 2, .param = {"low", "high"}, .domain = {AGNI_ANY, AGNI_ANY}, .order = {{LOW, HIGH, false}}, \
    .n_order = 1, .support = k, .low = truncated_low, .high = truncated_high, .log_prob = truncated_log_prob,             \
    .cdf = truncated_cdf, .survival = truncated_survival
static const agni_law real_law = {TRUNCATED(AGN_SUPPORT_INTERVAL), .icdf = truncated_icdf,
                                  .rsample = truncated_rsample},
                      no_quantile = {TRUNCATED(AGN_SUPPORT_INTERVAL)},
                      counts_law = {TRUNCATED(AGN_SUPPORT_COUNTS_TO)};

agn_status agn_distribution_truncated(agn_distribution **out, const agn_distribution *base,
                                      const agn_tensor *low, const agn_tensor *high,
                                      const agn_distribution_options *opts)
{
    if (!out || !base || !low || !high)
        return agni_fail(AGN_ENULL, "distribution_truncated: %s is NULL",
                         !out    ? "out"
                         : !base ? "base"
                         : !low  ? "low"
                                 : "high");
    if (base->event.ndim || !(base->law->cdf || base->law->survival) ||
        base->law->support == AGN_SUPPORT_NONE)
        return agni_fail(
            AGN_EUNSUPPORTED,
            "distribution_truncated: base is of the %s law; single numbers with a cdf are needed",
            base->law->name);
    const agni_law *law = agni_support_is_discrete(base->law->support) ? &counts_law
                          : agni_has_quantile(base)                    ? &real_law
                                                                       : &no_quantile;
    return agni_distribution_around(out, law, (T[]){low, high}, base, 0, opts);
}
