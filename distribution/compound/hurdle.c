/* distribution/compound/hurdle.c - 0 with a probability, else a number of a law given that it is not 0:
   hurdle models (Cragg 1971; Mullahy 1986). */
#include "distribution/compound/compound.h"

#include <agnesi/compound_laws.h>

#define GATE d->param[0]

static bool is_count(const agn_distribution *d)
{
    return agni_support_is_discrete(d->base->law->support);
}
/* log of the probability of base above 0 */
static T log_open(agn_scope *s, const agn_distribution *d)
{
    T zero = make_number(s, d, 0);
    return is_count(d) ? ag_distribution_log_survival(s, d->base, zero) : zero;
}
static T share_open(agn_scope *s, const agn_distribution *d) { return FN(exp, log_open(s, d)); }
static T log_passed(agn_scope *s, const agn_distribution *d)
{
    return SUB(FN(log1p, NEG(GATE)), log_open(s, d));
}
DRAW(hurdle_draw)
{
    T keys = FN(key_split, key, 2), zero = make_number(s, d, 0), x;
    T closed = FN(random_bernoulli, agni_one_key(s, keys, 0), GATE, ndim, shape);
    if (is_count(d)) {
        double most = d->batch.dtype == AGN_F32 ? 1 - 0x1p-24 : 1 - 0x1p-53;
        T u = open_uniform(s, d, agni_one_key(s, keys, 1), ndim, shape);
        T p = ADD(ag_distribution_cdf(s, d->base, zero), MUL(u, share_open(s, d)));
        x = ag_distribution_icdf(s, d->base, FN(minimum, p, LIT(most)));
        x = FN(maximum, x, LIT(1));
    } else
        x = ag_distribution_sample(s, d->base, agni_one_key(s, keys, 1),
                                   ndim - d->base->batch.ndim, shape);
    return SEL(closed, zero, x);
}
OF_X(hurdle_log_prob)
{
    T closed = FN(eq, x, LIT(0)), above = SEL(closed, LIT(1), x);
    T rest = ADD(log_passed(s, d), ag_distribution_log_prob(s, d->base, above));
    return SEL(closed, FN(log, GATE), rest);
}
OF_X(hurdle_survival)
{
    return MUL(FN(exp, log_passed(s, d)), ag_distribution_survival(s, d->base, x));
}
/* where the other share is the larger, of counts the probability of 1 to x by the tail of base that is
   the smaller at 0 */
OF_X(hurdle_cdf)
{
    T f = ag_distribution_cdf(s, d->base, x), rest = hurdle_survival(s, d, x);
    if (is_count(d)) {
        T zero = make_number(s, d, 0), open = ag_distribution_survival(s, d->base, zero);
        T right = SUB(open, ag_distribution_survival(s, d->base, x));
        T left = SUB(f, ag_distribution_cdf(s, d->base, zero));
        f = DIV(SEL(LT(open, LIT(0.5)), right, left), share_open(s, d));
    }
    f = ADD(GATE, MUL(SUB(LIT(1), GATE), f));
    return SEL(LT(rest, LIT(0.5)), SUB(LIT(1), rest), f);
}
OF_X(hurdle_log_cdf)
{
    T share = hurdle_cdf(s, d, x), small = LT(share, LIT(0.5));
    T rest = FN(log1p, NEG(SEL(small, LIT(0), hurdle_survival(s, d, x))));
    return SEL(small, FN(log, share), rest);
}
OF_X(hurdle_log_survival)
{
    return ADD(log_passed(s, d), ag_distribution_log_survival(s, d->base, x));
}
OF_PARAMETERS(hurdle_mean)
{
    return MUL(FN(exp, log_passed(s, d)), ag_distribution_mean(s, d->base));
}
OF_PARAMETERS(hurdle_variance)
{
    T m = ag_distribution_mean(s, d->base), v = ag_distribution_variance(s, d->base);
    T share = FN(exp, log_passed(s, d)), less = SUB(LIT(1), share);
    return MUL(share, ADD(v, MUL(less, FN(square, m))));
}
#define HURDLE(support_) \
    .name = "hurdle", .n = 1, .param = {"gate"}, .domain = {AGNI_PROBABILITY}, .support = support_, \
    .draw = hurdle_draw, .log_prob = hurdle_log_prob, .cdf = hurdle_cdf, .survival = hurdle_survival, \
    .log_cdf = hurdle_log_cdf, .log_survival = hurdle_log_survival, .mean = hurdle_mean, \
    .variance = hurdle_variance
static const agni_law hurdle_law = {HURDLE(AGN_SUPPORT_COUNTS)},
                      hurdle_with_density = {HURDLE(AGN_SUPPORT_NONNEGATIVE)};
agn_status agn_distribution_hurdle(agn_distribution **out, const agn_tensor *gate,
                                   const agn_distribution *base,
                                   const agn_distribution_options *opts)
{
    if (!out || !gate || !base)
        return agni_fail(AGN_ENULL, "distribution_hurdle: %s is NULL",
                         !out    ? "out"
                         : !gate ? "gate"
                                 : "base");
    agn_support k = base->law->support;
    bool counts = agni_support_is_discrete(k) && !base->law->low && agni_has_quantile(base);
    bool positive = k == AGN_SUPPORT_POSITIVE || k == AGN_SUPPORT_NONNEGATIVE;
    if (base->event.ndim || !(counts || positive) || !(base->law->cdf || base->law->survival))
        return agni_fail(AGN_EUNSUPPORTED,
                         "distribution_hurdle: base is of the %s law; counts from 0 or positive "
                         "numbers with a cdf are needed",
                         base->law->name);
    return agni_distribution_around(out, counts ? &hurdle_law : &hurdle_with_density, (T[]){gate},
                                    base, 0, opts);
}
