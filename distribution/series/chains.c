/* distribution/series/chains.c - Markov chains, and what is seen of hidden ones by the forward
   algorithm (Rabiner 1989). */
#include "distribution/series/series.h"

#include <string.h>

enum { FIRST, NEXT };
static const int32_t last_axis[] = {-1};

agn_status agni_series_make(agn_distribution **out, const agni_law *law, int64_t n,
                            const agn_tensor *const *params, int axes,
                            const agn_distribution_options *opts)
{
    agn_distribution *d = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "distribution_%s: out is NULL", law->name);
    if (n < 1 || n > 1000000)
        return agni_fail(AGN_EARG, "distribution_%s: n is %lld; 1 to 1000000 are possible",
                         law->name, (long long)n);
    agn_status st = agni_distribution_make(&d, law, params, opts);
    if (st)
        return st;
    d->event.ndim = axes;
    d->event.shape[0] = n;
    *out = d;
    return AGN_OK;
}
T agni_span(agn_scope *s, T x, int from_end, int64_t first, int64_t stop)
{
    int64_t start[AGN_MAX_RANK] = {0}, end[AGN_MAX_RANK];
    if (!x)
        return NULL;
    for (int i = 0; i < x->ndim; i++)
        end[i] = x->shape[i];
    start[x->ndim - from_end] = first;
    end[x->ndim - from_end] = stop;
    return ag_slice(s, x, x->ndim, start, end, NULL);
}

static agn_status check_states(const char *op, const agn_distribution *d)
{
    const agn_tensor *a = d->param[FIRST], *b = d->param[NEXT];
    if (agni_size_at(b, 1) != agni_size_at(a, 1) || agni_size_at(b, 2) != agni_size_at(a, 1))
        return agni_fail(
            AGN_ESHAPE,
            "%s: initial_logits is %s, transition_logits %s; [..., k] and [..., k, k] are needed",
            op, AGNI_SHAPE(a), AGNI_SHAPE(b));
    return AGN_OK;
}

/* n states [..., n], as floats */
static T draw_states(agn_scope *s, const agn_distribution *d, T key, int ndim, const int64_t *shape)
{
    int64_t n = agni_steps(d), k = agni_size_at(d->param[FIRST], 1), wide[AGN_MAX_RANK];
    if (ndim == AGN_MAX_RANK) {
        agn_scope_fail(
            s, agni_fail(AGN_ESHAPE,
                         "distribution_sample: %d axes and that of the states are too many", ndim));
        return NULL;
    }
    memcpy(wide, shape, (size_t)ndim * sizeof *wide);
    wide[ndim] = k;
    T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), ndim + 1, wide),
      y = NULL;
    T row = FN(stop_gradient, agni_log_shares(s, d->param[FIRST])),
      next = FN(stop_gradient, agni_log_shares(s, d->param[NEXT]));
    T *states = agni_alloc((size_t)n * sizeof *states), places = agni_places(s, d, k);
    if (!states)
        agn_scope_fail(s, agni_nomem("distribution_sample", (size_t)n * sizeof *states));
    for (int64_t t = 0; states && t < n && !agn_scope_status(s); t++) {
        T at = FN(argmax, ADD(row, FN(index_axis, g, -2, t)), -1, false);
        states[t] = FN(cast, at, d->batch.dtype);
        T here = FN(eq, agni_column(s, states[t]), places); /* [..., k], the row of that state */
        row = FN(sum, SEL(agni_column(s, here), next, LIT(0)), (const int32_t[]){-2}, 1, false);
    }
    if (states && !agn_scope_status(s))
        y = FN(stack, states, (int32_t)n, -1);
    agni_free(states);
    return y;
}

/* ---- Markov chain --------------------------------------------------------------------------- */

DRAW(chain_draw) { return draw_states(s, d, key, ndim, shape); }
OF_X(chain_log_prob)
{
    int64_t n = agni_steps(d), k = agni_size_at(d->param[FIRST], 1);
    T places = agni_places(s, d, k), one = LIT(1), none = LIT(0);
    T here = SEL(FN(eq, agni_column(s, x), places), one, none); /* [..., n, k] */
    here = FN(cast, here, d->batch.dtype);
    T first = agni_sum_last(
        s, MUL(FN(index_axis, here, -2, 0), agni_log_shares(s, d->param[FIRST])), 1);
    T from = agni_span(s, here, 2, 0, n - 1), to = agni_span(s, here, 2, 1, n);
    T steps = agni_sum_last(s, MUL(FN(matmul, from, agni_log_shares(s, d->param[NEXT])), to), 2);
    T known = FN(eq, agni_sum_last(s, here, 1), one);
    T bad = agni_any_last(s, FN(logical_not, FN(logical_or, known, FN(isnan, x))), 1);
    T y = ADD(ADD(first, steps), TIMES(agni_sum_last(s, FN(stop_gradient, x), 1), 0));
    return SEL(bad, agni_minus_infinity(s), y);
}
static const agni_law chain_law = {
    .name = "markov_chain",
    .n = 2,
    .param = {"initial_logits", "transition_logits"},
    .domain = {AGNI_REAL, AGNI_REAL},
    .rank = {1, 2},
    .support = AGN_SUPPORT_COUNT_VECTOR,
    .check = check_states,
    .draw = chain_draw,
    .log_prob = chain_log_prob,
};
agn_status agn_distribution_markov_chain(agn_distribution **out, int64_t n,
                                         const agn_tensor *initial_logits,
                                         const agn_tensor *transition_logits,
                                         const agn_distribution_options *opts)
{
    return agni_series_make(out, &chain_law, n, (T[]){initial_logits, transition_logits}, 1, opts);
}

/* ---- hidden Markov model -------------------------------------------------------------------- */

T agni_hidden_seen(agn_scope *s, const agn_distribution *d, T x)
{
    return FN(distribution_log_prob, d->base, FN(expand_dims, x, -1 - d->base->event.ndim));
}
/* log alpha_t(j) = log of the sum over i of alpha_(t-1)(i) p(j | i), plus log p(x_t | j) */
OF_X(hidden_log_prob)
{
    int64_t n = agni_steps(d);
    T seen = agni_hidden_seen(s, d, x);
    T next = agni_log_shares(s, d->param[NEXT]);
    T alpha = ADD(agni_log_shares(s, d->param[FIRST]), FN(index_axis, seen, -2, 0));
    for (int64_t t = 1; t < n && !agn_scope_status(s); t++) {
        T paths = FN(logsumexp, ADD(agni_column(s, alpha), next), (const int32_t[]){-2}, 1, false);
        alpha = ADD(paths, FN(index_axis, seen, -2, t));
    }
    return FN(logsumexp, alpha, last_axis, 1, false);
}
DRAW(hidden_draw)
{
    int e = d->base->event.ndim, lead = ndim - e; /* lead counts the axis of time */
    int64_t wide[AGN_MAX_RANK], k = agni_size_at(d->param[FIRST], 1);
    T keys = FN(key_split, key, 2), z = draw_states(s, d, agni_one_key(s, keys, 0), lead, shape);
    memcpy(wide, shape, (size_t)lead * sizeof *wide);
    wide[lead] = k;
    T x = ag_distribution_sample(s, d->base, agni_one_key(s, keys, 1),
                                 lead + 1 - d->base->batch.ndim, wide);
    T here = FN(eq, agni_column(s, z), agni_places(s, d, k));
    return FN(sum, SEL(agni_over_event(s, here, e), x, LIT(0)), (const int32_t[]){-1 - e}, 1,
              false);
}
static const agni_law hidden_law = {
    .name = "hidden_markov",
    .n = 2,
    .param = {"initial_logits", "transition_logits"},
    .domain = {AGNI_REAL, AGNI_REAL},
    .rank = {1, 2},
    .support = AGN_SUPPORT_NONE,
    .check = check_states,
    .draw = hidden_draw,
    .log_prob = hidden_log_prob,
};
agn_status agn_distribution_hidden_markov(agn_distribution **out, int64_t n,
                                          const agn_tensor *initial_logits,
                                          const agn_tensor *transition_logits,
                                          const agn_distribution *emission,
                                          const agn_distribution_options *opts)
{
    const char *op = "distribution_hidden_markov";
    agn_distribution *d = NULL;
    if (!out || !emission)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "emission");
    agn_status st = agni_series_make(&d, &hidden_law, n, (T[]){initial_logits, transition_logits},
                                     1, opts);
    if (st)
        return st;
    /* emission grows to [batch..., n, k] */
    int64_t k = agni_size_at(d->param[FIRST], 1);
    agni_meta batch = d->batch, whole;
    const agni_meta *m = &emission->batch;
    int e = emission->event.ndim, b = m->ndim;
    bool good = b >= 1 && m->shape[b - 1] == k &&
                (b < 2 || m->shape[b - 2] == n || m->shape[b - 2] == 1);
    good = good && agni_broadcast_into(&batch, b > 2 ? b - 2 : 0, m->shape) &&
           batch.ndim + 2 + e <= AGN_MAX_RANK;
    if (!good)
        st = agni_fail(
            AGN_ESHAPE,
            "%s: the batch shape of emission is %s, the other %s; [%lld], [%lld,%lld] or one with batch axes before is needed",
            op, AGNI_SHAPE(m), AGNI_SHAPE(&d->batch), (long long)k, (long long)n, (long long)k);
    if (!st) {
        whole = batch;
        whole.shape[whole.ndim++] = n;
        whole.shape[whole.ndim++] = k;
        st = agni_distribution_grow(&d->base, emission, whole.ndim, whole.shape);
    }
    if (st) {
        agn_distribution_release(d);
        return st;
    }
    batch.dtype = d->batch.dtype;
    d->batch = batch;
    d->event.ndim = 1 + e;
    memcpy(d->event.shape + 1, emission->event.shape, (size_t)e * sizeof *d->event.shape);
    *out = d;
    return AGN_OK;
}
