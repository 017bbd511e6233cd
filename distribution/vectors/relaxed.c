/* distribution/vectors/relaxed.c - relaxed choices: continuous laws that become Bernoulli and
   categorical ones as the temperature falls (Maddison, Mnih & Teh 2017; Jang, Gu & Poole 2017). */
#include "distribution/vectors/vectors.h"

#include <agnesi/vector_laws.h>

enum { LOGITS, TEMPERATURE };
#define A d->param[LOGITS]
#define HEAT d->param[TEMPERATURE]

/* ---- relaxed Bernoulli: the logistic function of a logistic number -------------------------- */

DRAW(bernoulli_rsample)
{
    T u = open_uniform(s, d, key, ndim, shape);
    return FN(sigmoid, DIV(ADD(A, FN(logit, u)), HEAT));
}
static T centred_logit(agn_scope *s, const agn_distribution *d, T x)
{
    return SUB(MUL(HEAT, FN(logit, x)), A);
}
OF_X(bernoulli_log_prob)
{
    T z = centred_logit(s, d, x), slope = ADD(FN(log, x), FN(log1p, NEG(x)));
    return SUB(FN(log, HEAT), ADD(ADD(FN(softplus, z), FN(softplus, NEG(z))), slope));
}
OF_X(bernoulli_cdf) { return FN(sigmoid, centred_logit(s, d, x)); }
OF_X(bernoulli_survival) { return FN(sigmoid, NEG(centred_logit(s, d, x))); }
OF_X(bernoulli_log_cdf) { return NEG(FN(softplus, NEG(centred_logit(s, d, x)))); }
OF_X(bernoulli_log_survival) { return NEG(FN(softplus, centred_logit(s, d, x))); }
OF_X(bernoulli_icdf) { return FN(sigmoid, DIV(ADD(A, FN(logit, x)), HEAT)); }
static const agni_law bernoulli_law = {
    .name = "relaxed_bernoulli",
    .n = 2,
    .param = {"logits", "temperature"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_UNIT,
    .rsample = bernoulli_rsample,
    .log_prob = bernoulli_log_prob,
    .cdf = bernoulli_cdf,
    .survival = bernoulli_survival,
    .log_cdf = bernoulli_log_cdf,
    .log_survival = bernoulli_log_survival,
    .icdf = bernoulli_icdf,
};
agn_status agn_distribution_relaxed_bernoulli(agn_distribution **out, const agn_tensor *logits,
                                              const agn_tensor *temperature,
                                              const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &bernoulli_law, (T[]){logits, temperature}, opts);
}

/* ---- relaxed categorical: softmax of logits and Gumbel numbers ------------------------------ */

static const int32_t last_axis[] = {-1};
DRAW(categorical_rsample)
{
    T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), ndim, shape);
    T z = DIV(ADD(A, g), agni_column(s, HEAT));
    return FN(exp, SUB(z, FN(logsumexp, z, last_axis, 1, true)));
}
/* of n - 1 */
static double log_factorial(double n)
{
    double sum = 0;
    for (double i = 2; i < n; i++)
        sum += log(i);
    return sum;
}
OF_X(categorical_log_prob)
{
    double n = (double)agni_size_at(A, 1);
    T log_x = FN(log, x), heat = agni_column(s, HEAT);
    T z = SUB(A, MUL(heat, log_x)), sum = TIMES(FN(logsumexp, z, last_axis, 1, false), n);
    T y = SUB(SUB(agni_sum_last(s, z, 1), agni_sum_last(s, log_x, 1)), sum);
    y = ADD(y, PLUS(TIMES(FN(log, HEAT), n - 1), log_factorial(n)));
    T off = GT(FN(abs, PLUS(agni_sum_last(s, x, 1), -1)), LIT(agni_slack(d)));
    return SEL(FN(logical_or, off, agni_any_last(s, LT(x, LIT(0)), 1)), agni_minus_infinity(s), y);
}
static const agni_law categorical_law = {
    .name = "relaxed_categorical",
    .n = 2,
    .param = {"logits", "temperature"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .rank = {1, 0},
    .event_rank = 1,
    .support = AGN_SUPPORT_SIMPLEX,
    .rsample = categorical_rsample,
    .log_prob = categorical_log_prob,
};
agn_status agn_distribution_relaxed_categorical(agn_distribution **out, const agn_tensor *logits,
                                                const agn_tensor *temperature,
                                                const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &categorical_law, (T[]){logits, temperature}, opts);
}
