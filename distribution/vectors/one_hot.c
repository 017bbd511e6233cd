/* distribution/vectors/one_hot.c - one of k classes as a vector of zeros with a one: a multinomial
   law of one trial (Johnson, Kotz & Balakrishnan 1997, 35). */
#include "distribution/vectors/vectors.h"

#include <agnesi/vector_laws.h>

#define LOGITS d->param[0]
static const int32_t last_axis[] = {-1};

/* ---- one-hot categorical -------------------------------------------------------------------- */

static T log_shares_of(agn_scope *s, const agn_distribution *d)
{
    return SUB(LOGITS, FN(logsumexp, LOGITS, last_axis, 1, true));
}
static T one_at(agn_scope *s, const agn_distribution *d, T place)
{
    T at = FN(cast, place, d->batch.dtype),
      here = FN(eq, agni_column(s, at), agni_places(s, d, agni_size_at(LOGITS, 1)));
    return FN(cast, here, d->batch.dtype);
}
DRAW(one_hot_draw)
{
    T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), ndim, shape);
    return one_at(s, d, FN(argmax, ADD(FN(stop_gradient, LOGITS), g), -1, false));
}
OF_X(one_hot_log_prob)
{
    T zero = FN(eq, x, LIT(0)), one = FN(eq, x, LIT(1)), known = FN(logical_or, zero, one);
    T bad = agni_any_last(s, FN(logical_not, FN(logical_or, known, FN(isnan, x))), 1);
    T total = agni_sum_last(s, FN(stop_gradient, x), 1);
    bad = FN(logical_or, bad, GT(FN(abs, PLUS(total, -1)), LIT(0)));
    T y = agni_sum_last(s, SEL(one, log_shares_of(s, d), LIT(0)), 1);
    return SEL(bad, agni_minus_infinity(s), ADD(y, TIMES(total, 0)));
}
OF_PARAMETERS(one_hot_mean)
{
    return FN(exp, log_shares_of(s, d));
}
OF_PARAMETERS(one_hot_variance)
{
    T p = one_hot_mean(s, d);
    return MUL(p, SUB(LIT(1), p));
}
OF_PARAMETERS(one_hot_mode)
{
    return one_at(s, d, FN(argmax, LOGITS, -1, false));
}
OF_PARAMETERS(one_hot_entropy)
{
    return agni_sum_last(s, FN(entr, one_hot_mean(s, d)), 1);
}
static OF_BOTH(one_hot_kl)
{
    T lp = log_shares_of(s, p), lq = log_shares_of(s, q);
    return agni_sum_last(s, MUL(FN(exp, lp), SUB(lp, lq)), 1);
}
static const agni_law one_hot_law = {
    .name = "one_hot_categorical",
    .n = 1,
    .param = {"logits"},
    .domain = {AGNI_REAL},
    .rank = {1},
    .event_rank = 1,
    .support = AGN_SUPPORT_COUNT_VECTOR,
    .draw = one_hot_draw,
    .log_prob = one_hot_log_prob,
    .mean = one_hot_mean,
    .variance = one_hot_variance,
    .mode = one_hot_mode,
    .entropy = one_hot_entropy,
    .kl = one_hot_kl,
};
agn_status agn_distribution_one_hot_categorical(agn_distribution **out, const agn_tensor *logits,
                                                const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &one_hot_law, &logits, opts);
}
