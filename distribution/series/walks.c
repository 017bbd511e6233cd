/* distribution/series/walks.c - series of real numbers: random walks, autoregressive processes (Box
   & Jenkins 1970). */
#include "distribution/series/series.h"

/* ---- random walk ---------------------------------------------------------------------------- */

enum { DRIFT, STEP };
#define MOVE agni_column(s, d->param[DRIFT])
#define WIDTH agni_column(s, d->param[STEP])

DRAW(walk_rsample)
{
    T e = FN(normal, key, d->batch.dtype, ndim, shape);
    return FN(cumsum, ADD(MOVE, MUL(WIDTH, e)), -1);
}
OF_X(walk_log_prob)
{
    int64_t n = agni_steps(d);
    T first = agni_span(s, x, 1, 0, 1),
      steps = SUB(agni_span(s, x, 1, 1, n), agni_span(s, x, 1, 0, n - 1));
    T z = DIV(SUB(FN(concat, (T[]){first, steps}, 2, -1), MOVE), WIDTH);
    T unit = PLUS(FN(log, d->param[STEP]), LOG_SQRT_2PI);
    return NEG(ADD(TIMES(agni_squares(s, z, 1), 0.5), TIMES(unit, (double)n)));
}
OF_PARAMETERS(walk_times) { return PLUS(agni_places(s, d, agni_steps(d)), 1); }
OF_PARAMETERS(walk_mean) { return MUL(MOVE, walk_times(s, d)); }
OF_PARAMETERS(walk_variance) { return MUL(FN(square, WIDTH), walk_times(s, d)); }
OF_PARAMETERS(walk_entropy)
{
    return TIMES(PLUS(FN(log, d->param[STEP]), 0.5 + LOG_SQRT_2PI), (double)agni_steps(d));
}
/* of steps, which are independent */
static OF_BOTH(walk_kl)
{
    T a = p->param[STEP], b = q->param[STEP], far = DIV(SUB(p->param[DRIFT], q->param[DRIFT]), b),
      r = DIV(SUB(a, b), b);
    T shape = SUB(MUL(r, PLUS(TIMES(r, 0.5), 1)), FN(log1p, r));
    double same = agni_steps(p) == agni_steps(q) ? (double)agni_steps(p) : (double)NAN;
    return TIMES(ADD(shape, TIMES(FN(square, far), 0.5)), same);
}
static const agni_law walk_law = {
    .name = "gaussian_random_walk",
    .n = 2,
    .param = {"drift", "scale"},
    .domain = {AGNI_REAL, AGNI_POSITIVE},
    .support = AGN_SUPPORT_VECTOR,
    .rsample = walk_rsample,
    .log_prob = walk_log_prob,
    .mean = walk_mean,
    .variance = walk_variance,
    .mode = walk_mean,
    .entropy = walk_entropy,
    .kl = walk_kl,
};
agn_status agn_distribution_gaussian_random_walk(agn_distribution **out, int64_t n,
                                                 const agn_tensor *drift, const agn_tensor *scale,
                                                 const agn_distribution_options *opts)
{
    return agni_series_make(out, &walk_law, n, (T[]){drift, scale}, 1, opts);
}

/* ---- autoregressive ------------------------------------------------------------------------- */

enum { COEFFICIENTS, INITIAL, SCALE };
static agn_status check_orders(const char *op, const agn_distribution *d)
{
    const agn_tensor *c = d->param[COEFFICIENTS], *x = d->param[INITIAL];
    if (agni_size_at(c, 1) != agni_size_at(x, 1))
        return agni_fail(AGN_ESHAPE, "%s: coefficients is %s, initial %s; both are [..., p]", op,
                         AGNI_SHAPE(c), AGNI_SHAPE(x));
    return AGN_OK;
}
DRAW(ar_rsample)
{
    int64_t n = agni_steps(d), p = agni_size_at(d->param[INITIAL], 1);
    T e = FN(normal, key, d->batch.dtype, ndim, shape), c = d->param[COEFFICIENTS],
      x0 = d->param[INITIAL], y = NULL;
    T *past = agni_alloc((size_t)(n + p) * sizeof *past);
    if (!past)
        agn_scope_fail(s, agni_nomem("distribution_sample", (size_t)(n + p) * sizeof *past));
    for (int64_t i = 0; past && i < p; i++)
        past[i] = ag_broadcast_to(s, FN(index_axis, x0, -1, i), ndim - 1, shape);
    for (int64_t t = 0; past && t < n && !agn_scope_status(s); t++) {
        T x = MUL(d->param[SCALE], FN(index_axis, e, -1, t));
        for (int64_t k = 1; k <= p; k++)
            x = ADD(x, MUL(FN(index_axis, c, -1, k - 1), past[p + t - k]));
        past[p + t] = ag_broadcast_to(s, x, ndim - 1, shape);
    }
    if (past && !agn_scope_status(s))
        y = FN(stack, past + p, (int32_t)n, -1);
    agni_free(past);
    return y;
}
OF_X(ar_log_prob)
{
    int64_t n = agni_steps(d), p = agni_size_at(d->param[INITIAL], 1);
    agni_meta m = d->batch;
    if (!x)
        return NULL;
    (void)agni_broadcast_into(&m, x->ndim - 1, x->shape);
    m.shape[m.ndim] = n;
    T all = ag_broadcast_to(s, x, m.ndim + 1, m.shape);
    m.shape[m.ndim] = p;
    T past = FN(concat, (T[]){ag_broadcast_to(s, d->param[INITIAL], m.ndim + 1, m.shape), all}, 2,
                -1),
      r = all;
    for (int64_t k = 1; k <= p; k++) {
        T c = agni_span(s, d->param[COEFFICIENTS], 1, k - 1, k);
        r = SUB(r, MUL(c, agni_span(s, past, 1, p - k, p - k + n)));
    }
    T z = DIV(r, agni_column(s, d->param[SCALE])),
      unit = PLUS(FN(log, d->param[SCALE]), LOG_SQRT_2PI);
    return NEG(ADD(TIMES(agni_squares(s, z, 1), 0.5), TIMES(unit, (double)n)));
}
OF_PARAMETERS(ar_entropy)
{
    return TIMES(PLUS(FN(log, d->param[SCALE]), 0.5 + LOG_SQRT_2PI), (double)agni_steps(d));
}
static const agni_law ar_law = {
    .name = "autoregressive",
    .n = 3,
    .param = {"coefficients", "initial", "scale"},
    .domain = {AGNI_REAL, AGNI_REAL, AGNI_POSITIVE},
    .rank = {1, 1, 0},
    .support = AGN_SUPPORT_VECTOR,
    .check = check_orders,
    .rsample = ar_rsample,
    .log_prob = ar_log_prob,
    .entropy = ar_entropy,
};
agn_status agn_distribution_autoregressive(agn_distribution **out, int64_t n,
                                           const agn_tensor *coefficients,
                                           const agn_tensor *initial, const agn_tensor *scale,
                                           const agn_distribution_options *opts)
{
    return agni_series_make(out, &ar_law, n, (T[]){coefficients, initial, scale}, 1, opts);
}
