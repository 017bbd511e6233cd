/* distribution/univariate/logits.c - laws of counts by the logit of a probability, which may be so
   close to 0 or 1 that no number tells it (Johnson, Kemp & Kotz 2005, 3 and 5). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]

/* -log p and -log(1 - p) of the logit */
static T minus_log_share(agn_scope *s, T logit)
{
    return FN(softplus, NEG(logit));
}
static T minus_log_rest(agn_scope *s, T logit)
{
    return FN(softplus, logit);
}
static T probability_of_logit(agn_scope *s, T logit)
{
    return FN(sigmoid, logit);
}
static T complement_of_logit(agn_scope *s, T logit)
{
    return FN(sigmoid, NEG(logit));
}
/* I_x(a, b) of x with this logit, by x or 1 - x: neither is rounded near 1 */
static T beta_share(agn_scope *s, T a, T b, T logit)
{
    T low = FN(betainc, a, b, probability_of_logit(s, logit));
    T high = FN(betaincc, b, a, complement_of_logit(s, logit));
    return SEL(LT(logit, LIT(0)), low, high);
}
/* the divergence of one trial */
static T trial_kl(agn_scope *s, T p, T q)
{
    T up = MUL(probability_of_logit(s, p), SUB(minus_log_share(s, q), minus_log_share(s, p)));
    return ADD(up, MUL(complement_of_logit(s, p), SUB(minus_log_rest(s, q), minus_log_rest(s, p))));
}

/* ---- Bernoulli ------------------------------------------------------------------------------ */

DRAW(bernoulli_draw)
{
    T x = FN(random_bernoulli, key, probability_of_logit(s, FIRST), ndim, shape);
    return FN(cast, x, d->batch.dtype);
}
OF_X(bernoulli_log_prob)
{
    return NEG(
        ADD(MUL(x, minus_log_share(s, FIRST)), MUL(SUB(LIT(1), x), minus_log_rest(s, FIRST))));
}
OF_X(bernoulli_cdf)
{
    return SEL(LT(x, LIT(1)), complement_of_logit(s, FIRST), x);
}
OF_X(bernoulli_survival)
{
    return SEL(LT(x, LIT(1)), probability_of_logit(s, FIRST), SUB(LIT(1), x));
}
OF_X(bernoulli_log_cdf)
{
    return SEL(LT(x, LIT(1)), NEG(minus_log_rest(s, FIRST)), SUB(x, LIT(1)));
}
OF_X(bernoulli_log_survival)
{
    return SEL(LT(x, LIT(1)), NEG(minus_log_share(s, FIRST)), SUB(LIT(1), x));
}
OF_PARAMETERS(bernoulli_mean)
{
    return probability_of_logit(s, FIRST);
}
OF_PARAMETERS(bernoulli_variance)
{
    return MUL(probability_of_logit(s, FIRST), complement_of_logit(s, FIRST));
}
OF_PARAMETERS(bernoulli_mode)
{
    return SEL(GT(FIRST, LIT(0)), LIT(1), LIT(0));
}
OF_PARAMETERS(bernoulli_entropy)
{
    T up = MUL(probability_of_logit(s, FIRST), minus_log_share(s, FIRST));
    return ADD(up, MUL(complement_of_logit(s, FIRST), minus_log_rest(s, FIRST)));
}
static OF_BOTH(bernoulli_kl)
{
    return trial_kl(s, p->param[0], q->param[0]);
}
static const agni_law bernoulli_law = {
    .name = "bernoulli_logits",
    .n = 1,
    .param = {"logits"},
    .domain = {AGNI_REAL},
    .support = AGN_SUPPORT_BOOLEAN,
    .draw = bernoulli_draw,
    .log_prob = bernoulli_log_prob,
    .cdf = bernoulli_cdf,
    .survival = bernoulli_survival,
    .log_cdf = bernoulli_log_cdf,
    .log_survival = bernoulli_log_survival,
    .mean = bernoulli_mean,
    .variance = bernoulli_variance,
    .mode = bernoulli_mode,
    .entropy = bernoulli_entropy,
    .kl = bernoulli_kl,
};
agn_status agn_distribution_bernoulli_logits(agn_distribution **out, const agn_tensor *logits,
                                             const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &bernoulli_law, &logits, opts);
}

/* ---- binomial ------------------------------------------------------------------------------- */

OF_PARAMETERS(first)
{
    (void)s;
    return FIRST;
}
DRAW(binomial_draw)
{
    T n = FN(cast, FIRST, AGN_I64);
    T x = FN(random_binomial, key, n, probability_of_logit(s, SECOND), AGN_I64, ndim, shape);
    return FN(cast, x, d->batch.dtype);
}
OF_X(binomial_log_prob)
{
    T up = MUL(x, minus_log_share(s, SECOND)), down = MUL(SUB(FIRST, x), minus_log_rest(s, SECOND));
    return SUB(agni_log_choose(s, FIRST, x), ADD(up, down));
}
OF_X(binomial_cdf)
{
    return beta_share(s, SUB(FIRST, x), PLUS(x, 1), NEG(SECOND));
}
OF_X(binomial_survival)
{
    return beta_share(s, PLUS(x, 1), SUB(FIRST, x), SECOND);
}
OF_PARAMETERS(binomial_mean)
{
    return MUL(FIRST, probability_of_logit(s, SECOND));
}
OF_PARAMETERS(binomial_variance)
{
    return MUL(binomial_mean(s, d), complement_of_logit(s, SECOND));
}
OF_PARAMETERS(binomial_mode)
{
    return FN(minimum, FN(floor, MUL(PLUS(FIRST, 1), probability_of_logit(s, SECOND))), FIRST);
}
/* that of failures, where they are fewer */
OF_PARAMETERS(binomial_entropy)
{
    T logit = NEG(FN(abs, SECOND)), few[AGNI_PATH_PARAMS] = {FIRST, logit};
    const agn_distribution *e = agni_distribution_with(s, d, few);
    T mean = MUL(FIRST, probability_of_logit(s, logit));
    return e ? agni_count_entropy(s, e, mean, MUL(mean, complement_of_logit(s, logit))) : NULL;
}
/* of the same number of trials */
static OF_BOTH(binomial_kl)
{
    T n = p->param[0], kl = MUL(n, trial_kl(s, p->param[1], q->param[1]));
    T more = SEL(GT(n, q->param[0]), LIT((double)INFINITY), LIT((double)NAN));
    return SEL(FN(eq, n, q->param[0]), kl, more);
}
const agni_law agni_law_binomial_logits = {
    .name = "binomial_logits",
    .n = 2,
    .param = {"total_count", "logits"},
    .domain = {AGNI_COUNT, AGNI_REAL},
    .support = AGN_SUPPORT_COUNTS_TO,
    .high = first,
    .draw = binomial_draw,
    .log_prob = binomial_log_prob,
    .cdf = binomial_cdf,
    .survival = binomial_survival,
    .mean = binomial_mean,
    .variance = binomial_variance,
    .mode = binomial_mode,
    .entropy = binomial_entropy,
    .kl = binomial_kl,
};
agn_status agn_distribution_binomial_logits(agn_distribution **out, const agn_tensor *total_count,
                                            const agn_tensor *logits,
                                            const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &agni_law_binomial_logits, (const agn_tensor *[]){total_count, logits},
                                  opts);
}

/* ---- geometric: failures before the first success ------------------------------------------- */

DRAW(geometric_draw)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return FN(stop_gradient, FN(floor, DIV(e, minus_log_rest(s, FIRST))));
}
OF_X(geometric_log_prob)
{
    return NEG(ADD(MUL(x, minus_log_rest(s, FIRST)), minus_log_share(s, FIRST)));
}
OF_X(geometric_log_survival)
{
    return NEG(MUL(PLUS(x, 1), minus_log_rest(s, FIRST)));
}
OF_X(geometric_survival)
{
    return FN(exp, geometric_log_survival(s, d, x));
}
OF_X(geometric_cdf)
{
    return NEG(FN(expm1, geometric_log_survival(s, d, x)));
}
OF_PARAMETERS(geometric_mean)
{
    return FN(exp, NEG(FIRST));
}
OF_PARAMETERS(geometric_variance)
{
    T m = geometric_mean(s, d);
    return MUL(m, PLUS(m, 1));
}
OF_PARAMETERS(geometric_mode)
{
    return make_number(s, d, 0);
}
OF_PARAMETERS(geometric_entropy)
{
    return ADD(minus_log_share(s, FIRST), MUL(geometric_mean(s, d), minus_log_rest(s, FIRST)));
}
static OF_BOTH(geometric_kl)
{
    T up = SUB(minus_log_share(s, q->param[0]), minus_log_share(s, p->param[0]));
    T down = SUB(minus_log_rest(s, q->param[0]), minus_log_rest(s, p->param[0]));
    return ADD(up, MUL(geometric_mean(s, p), down));
}
static const agni_law geometric_law = {
    .name = "geometric_logits",
    .n = 1,
    .param = {"logits"},
    .domain = {AGNI_REAL},
    .support = AGN_SUPPORT_COUNTS,
    .draw = geometric_draw,
    .log_prob = geometric_log_prob,
    .cdf = geometric_cdf,
    .survival = geometric_survival,
    .log_survival = geometric_log_survival,
    .mean = geometric_mean,
    .variance = geometric_variance,
    .mode = geometric_mode,
    .entropy = geometric_entropy,
    .kl = geometric_kl,
};
agn_status agn_distribution_geometric_logits(agn_distribution **out, const agn_tensor *logits,
                                             const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &geometric_law, &logits, opts);
}

/* ---- negative binomial ---------------------------------------------------------------------- */

DRAW(negative_draw)
{
    T keys = FN(key_split, key, 2);
    T g = FN(random_gamma, FN(index_axis, keys, 0, 0), FIRST, ndim, shape);
    T rate = FN(stop_gradient, MUL(g, FN(exp, SECOND)));
    T x = FN(random_poisson, FN(index_axis, keys, 0, 1), rate, AGN_I64, ndim, shape);
    return FN(cast, x, d->batch.dtype);
}
OF_X(negative_log_prob)
{
    T choose = NEG(ADD(FN(log, ADD(x, FIRST)), agni_log_beta(s, FIRST, PLUS(x, 1))));
    return SUB(choose,
               ADD(MUL(FIRST, minus_log_rest(s, SECOND)), MUL(x, minus_log_share(s, SECOND))));
}
OF_X(negative_cdf)
{
    return beta_share(s, FIRST, PLUS(x, 1), NEG(SECOND));
}
OF_X(negative_survival)
{
    return beta_share(s, PLUS(x, 1), FIRST, SECOND);
}
OF_PARAMETERS(negative_mean)
{
    return MUL(FIRST, FN(exp, SECOND));
}
OF_PARAMETERS(negative_variance)
{
    return MUL(negative_mean(s, d), PLUS(FN(exp, SECOND), 1));
}
OF_PARAMETERS(negative_mode)
{
    return FN(floor, MUL(FN(relu, PLUS(FIRST, -1)), FN(exp, SECOND)));
}
OF_PARAMETERS(negative_binomial_entropy)
{
    return agni_negative_binomial_entropy(s, d, FN(exp, SECOND), 0);
}
static const agni_law negative_law = {
    .name = "negative_binomial_logits",
    .n = 2,
    .param = {"total_count", "logits"},
    .domain = {AGNI_POSITIVE, AGNI_REAL},
    .support = AGN_SUPPORT_COUNTS,
    .draw = negative_draw,
    .log_prob = negative_log_prob,
    .cdf = negative_cdf,
    .survival = negative_survival,
    .mean = negative_mean,
    .variance = negative_variance,
    .mode = negative_mode,
    .entropy = negative_binomial_entropy,
};
agn_status agn_distribution_negative_binomial_logits(agn_distribution **out,
                                                     const agn_tensor *total_count,
                                                     const agn_tensor *logits,
                                                     const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &negative_law, (const agn_tensor *[]){total_count, logits},
                                  opts);
}
