/* distribution/vectors/rankings.c - rankings by choice after choice (Luce 1959; Plackett 1975). */
#include "distribution/vectors/vectors.h"

#include <agnesi/vector_laws.h>

#define LOGITS d->param[0]
static const int32_t last_axis[] = {-1};

/* The first is chosen of all, the second of the others, ...: the largest of logits and Gumbel numbers first */
DRAW(plackett_draw)
{
    T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), ndim, shape);
    return FN(cast, FN(argsort, ADD(FN(stop_gradient, LOGITS), g), -1, true), d->batch.dtype);
}
OF_X(plackett_log_prob)
{
    int64_t n = agni_size_at(LOGITS, 1);
    T k = FN(stop_gradient, x), all = agni_places(s, d, n);
    T known = FN(logical_and, GE(k, LIT(0)), LT(k, LIT((double)n)));
    T at = FN(cast, SEL(known, k, LIT(0)), AGN_I64), logits = ADD(LOGITS, FN(zeros_like, k));
    T chosen = FN(take_along_axis, logits, ADD(at, FN(cast, FN(zeros_like, logits), AGN_I64)), -1);
    T left = FN(logcumsumexp, chosen, -1, AGN_SCAN_REVERSE);
    T sum = agni_sum_last(s, SUB(chosen, left), 1);
    T wrong = FN(any, FN(ne, FN(sort, k, -1, false), all), last_axis, 1, false);
    T lost = FN(any, FN(isnan, k), last_axis, 1, false);
    return SEL(lost, LIT((double)NAN), SEL(wrong, agni_minus_infinity(s), sum));
}
OF_PARAMETERS(plackett_mode)
{
    return FN(cast, FN(argsort, FN(stop_gradient, LOGITS), -1, true), d->batch.dtype);
}
static const agni_law plackett_law = {
    .name = "plackett_luce",
    .n = 1,
    .param = {"logits"},
    .domain = {AGNI_REAL},
    .rank = {1},
    .event_rank = 1,
    .support = AGN_SUPPORT_COUNT_VECTOR,
    .draw = plackett_draw,
    .log_prob = plackett_log_prob,
    .mode = plackett_mode,
};
agn_status agn_distribution_plackett_luce(agn_distribution **out, const agn_tensor *logits,
                                          const agn_distribution_options *opts)
{
    return agni_distribution_make(out, &plackett_law, &logits, opts);
}
