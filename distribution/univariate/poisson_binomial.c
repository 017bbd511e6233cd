/* distribution/univariate/poisson_binomial.c - the number of successes of different trials: the Poisson
   binomial law, trial by trial in logarithms (Poisson 1837; Barlow & Heidtmann 1984). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define PROBS d->param[0]
static const int32_t last_axis[] = {-1};

static int64_t count_trials(const agn_distribution *d) { return PROBS->shape[PROBS->ndim - 1]; }
static T list_counts(agn_scope *s, const agn_distribution *d)
{
    return count_up(s, d, count_trials(d) + 1);
}
/* Log probabilities of 0 to n successes along the last axis: what is not reached yet has the log of
   next to nothing, so that the sum of two such logs has derivatives. */
static T log_counts(agn_scope *s, const agn_distribution *d)
{
    double floor_ = d->batch.dtype == AGN_F32 ? -1e30 : -1e300;
    T hit = FN(log, PROBS), miss = FN(log1p, NEG(PROBS)), k = list_counts(s, d);
    T l = SEL(FN(eq, k, LIT(0)), LIT(0), LIT(floor_));
    for (int64_t i = 0; i < count_trials(d); i++) {
        T up = FN(roll, l, (const int64_t[]){1}, last_axis, 1);
        l = FN(logaddexp, ADD(l, OVER(FN(index_axis, miss, -1, i))),
               ADD(up, OVER(FN(index_axis, hit, -1, i))));
    }
    return l;
}
static T log_sum(agn_scope *s, T l, T in)
{
    return FN(logsumexp, SEL(in, l, LIT(-(double)INFINITY)), last_axis, 1, false);
}
OF_X(trials_log_prob)
{
    T here = FN(eq, OVER(FN(stop_gradient, x)), list_counts(s, d));
    T y = FN(sum, SEL(here, log_counts(s, d), LIT(0)), last_axis, 1, false);
    return SEL(FN(isnan, x), x, y);
}
/* log of the share up to x, or beyond it: 0 to n - 1 */
static T trials_log_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    double last = (double)count_trials(d) - 1;
    T k = FN(stop_gradient, FN(clip, x, LIT(0), LIT(last))), l = log_counts(s, d);
    T left = LE(list_counts(s, d), OVER(k));
    T below = log_sum(s, l, left), above = log_sum(s, l, FN(logical_not, left));
    T own = right ? above : below, other = right ? below : above, small = LT(own, LIT(-LOG_2));
    T rest = FN(log1p, NEG(FN(exp, SEL(small, LIT(-1), other))));
    return SEL(FN(isnan, x), x, SEL(small, own, rest));
}
OF_X(trials_log_cdf) { return trials_log_share(s, d, x, false); }
OF_X(trials_log_survival) { return trials_log_share(s, d, x, true); }
OF_X(trials_cdf) { return FN(exp, trials_log_cdf(s, d, x)); }
OF_X(trials_survival) { return FN(exp, trials_log_survival(s, d, x)); }
OF_PARAMETERS(trials_mean) { return FN(sum, PROBS, last_axis, 1, false); }
OF_PARAMETERS(trials_variance)
{
    return FN(sum, MUL(PROBS, SUB(LIT(1), PROBS)), last_axis, 1, false);
}
OF_PARAMETERS(trials_mode)
{
    return FN(cast, FN(argmax, log_counts(s, d), -1, false), d->batch.dtype);
}
OF_PARAMETERS(trials_entropy)
{
    T l = log_counts(s, d);
    return NEG(FN(sum, MUL(FN(exp, l), l), last_axis, 1, false));
}
OF_PARAMETERS(trials_high) { return make_number(s, d, (double)count_trials(d)); }
DRAW(trials_draw)
{
    int64_t all[AGN_MAX_RANK];
    if (ndim == AGN_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                    "distribution_sample: %d axes and that of the trials are too many",
                                    ndim));
        return NULL;
    }
    for (int i = 0; i < ndim; i++)
        all[i] = shape[i];
    all[ndim] = count_trials(d);
    T hits = FN(random_bernoulli, key, FN(stop_gradient, PROBS), ndim + 1, all);
    return FN(sum, FN(cast, hits, d->batch.dtype), last_axis, 1, false);
}
static agn_status check_trials(const char *op, const agn_distribution *d)
{
    const int64_t n = count_trials(d);
    if (n < 1 || n > 4096)
        return agni_fail(AGN_ESHAPE, "%s: probs is %s; 1 to 4096 trials are possible", op,
                         AGNI_SHAPE(PROBS));
    return AGN_OK;
}
static const agni_law agni_law_poisson_binomial = {
    .name = "poisson_binomial",
    .n = 1,
    .param = {"probs"},
    .domain = {AGNI_INSIDE_UNIT},
    .rank = {1},
    .support = AGN_SUPPORT_COUNTS_TO,
    .high = trials_high,
    .check = check_trials,
    .draw = trials_draw,
    .log_prob = trials_log_prob,
    .cdf = trials_cdf,
    .survival = trials_survival,
    .log_cdf = trials_log_cdf,
    .log_survival = trials_log_survival,
    .mean = trials_mean,
    .variance = trials_variance,
    .mode = trials_mode,
    .entropy = trials_entropy,
};
agn_status agn_distribution_poisson_binomial(agn_distribution **out, const agn_tensor *probs,
                                             const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_poisson_binomial, (T[]){probs}, opts);
}
