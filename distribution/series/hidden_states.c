/* distribution/series/hidden_states.c - the states of a hidden Markov model: filter,
   forward-backward algorithm, Viterbi's path (Rabiner 1989), draws backwards (Scott, JASA 97,
   2002). */
#include "distribution/series/series.h"

#include <string.h>

enum { FIRST, NEXT };
static const int32_t last_axis[] = {-1}, row_axis[] = {-2};

agni_meta agni_shape_with(const agni_meta *batch, int n, const int64_t *last)
{
    agni_meta m = *batch;
    for (int i = 0; i < n; i++)
        m.shape[m.ndim++] = last[i];
    return m;
}
agn_status agni_check_seen(const char *op, const char *law, const void *out,
                           const agn_distribution *d, const agn_tensor *x, agni_meta *batch)
{
    if (!out || !d || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !d ? "d" : "x");
    agn_status st = agni_check_handle(op, &d->head);
    if (st)
        return st;
    if (strcmp(d->law->name, law))
        return agni_fail(AGN_EARG, "%s: d is of the %s law; %s is needed", op, d->law->name, law);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s; real numbers are needed", op,
                         agni_dtypes[x->dtype].name);
    int e = d->event.ndim;
    bool good = x->ndim >= e;
    for (int i = 0; good && i < e; i++)
        good = x->shape[x->ndim - e + i] == d->event.shape[i];
    if (!good)
        return agni_fail(AGN_ESHAPE, "%s: x %s does not end in the event shape %s", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(&d->event));
    *batch = d->batch;
    if (!agni_broadcast_into(batch, x->ndim - e, x->shape) || batch->ndim + 3 > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE,
                         "%s: x %s and the batch shape %s do not broadcast to %d axes at most", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(&d->batch), AGN_MAX_RANK - 3);
    return AGN_OK;
}

/* what the recursions know: n steps of arrays [..., k], at[t] by the caller */
typedef struct chain {
    agn_scope *s;
    const agn_distribution *d;
    int64_t n, k;
    T seen, next, *at;
    agni_meta batch;
} chain;

/* what d and x have to fit */
static agn_status check_chain(chain *c, const char *op, const void *out, const agn_distribution *d,
                              T x)
{
    *c = (chain){.d = d};
    agn_status st = agni_check_seen(op, "hidden_markov", out, d, x, &c->batch);
    if (st)
        return st;
    c->n = agni_steps(d);
    c->k = agni_size_at(d->param[FIRST], 1);
    return AGN_OK;
}
static bool open_chain(chain *c, const char *op, T x)
{
    const agn_distribution *d = c->d;
    agn_scope *s = c->s = agn_scope_open(NULL);
    int64_t n = c->n;
    if (agni_kind(x->dtype) <= AGNI_KIND_INT)
        x = FN(cast, x, d->batch.dtype);
    agni_meta m = agni_shape_with(&c->batch, 2, (const int64_t[]){n, c->k});
    c->seen = FN(broadcast_to, agni_hidden_seen(s, d, x), m.ndim, m.shape);
    c->next = agni_log_shares(s, d->param[NEXT]);
    c->at = agni_alloc((size_t)(3 * n) * sizeof *c->at);
    if (!c->at)
        agn_scope_fail(s, agni_nomem(op, (size_t)(3 * n) * sizeof *c->at));
    return c->at && !agn_scope_status(s);
}
static agn_status close_chain(chain *c, agn_tensor **out, T y)
{
    agn_scope_return(c->s, out, y);
    agni_free(c->at);
    return agn_scope_close(c->s);
}
static T seen_at(const chain *c, int64_t t)
{
    return ag_index_axis(c->s, c->seen, -2, t);
}
/* log P(state at t | what was seen up to t), into at */
static void run_forward(const chain *c)
{
    agn_scope *s = c->s;
    T row = agni_log_shares(s, c->d->param[FIRST]);
    for (int64_t t = 0; t < c->n && !agn_scope_status(s); t++) {
        if (t)
            row = FN(logsumexp, ADD(agni_column(s, c->at[t - 1]), c->next), row_axis, 1, false);
        c->at[t] = agni_log_shares(s, ADD(row, seen_at(c, t)));
    }
}
static T stack_states(const chain *c)
{
    return agn_scope_status(c->s) ? NULL : ag_stack(c->s, c->at, (int32_t)c->n, -2);
}

agn_status agn_hidden_markov_filter(agn_tensor **out, const agn_distribution *d,
                                    const agn_tensor *x)
{
    const char *op = "hidden_markov_filter";
    chain c;
    agn_status st = check_chain(&c, op, out, d, x);
    if (st)
        return st;
    if (open_chain(&c, op, x))
        run_forward(&c);
    return close_chain(&c, out, stack_states(&c));
}

agn_status agn_hidden_markov_smooth(agn_tensor **out, const agn_distribution *d,
                                    const agn_tensor *x)
{
    const char *op = "hidden_markov_smooth";
    chain c;
    agn_status st = check_chain(&c, op, out, d, x);
    if (st)
        return st;
    if (open_chain(&c, op, x)) {
        agn_scope *s = c.s;
        run_forward(&c);
        T later = NULL; /* log p(what is seen after t | state at t), up to a number */
        for (int64_t t = c.n - 2; t >= 0 && !agn_scope_status(s); t--) {
            T here = later ? ADD(seen_at(&c, t + 1), later) : seen_at(&c, t + 1);
            here = SUB(here, FN(stop_gradient, FN(amax, here, last_axis, 1, true)));
            later = FN(logsumexp, ADD(c.next, FN(expand_dims, here, -2)), last_axis, 1, false);
            c.at[t] = agni_log_shares(s, ADD(c.at[t], later));
        }
    }
    return close_chain(&c, out, stack_states(&c));
}

/* the state with the largest of the scores [..., k], as a number; NaN where there is none */
static T best_state(agn_scope *s, T scores, const agn_distribution *d)
{
    T top = FN(amax, scores, last_axis, 1, false);
    T at = FN(cast, FN(argmax, scores, -1, false), d->batch.dtype);
    return SEL(GT(top, agni_minus_infinity(s)), at, LIT((double)NAN));
}
/* entries table[..., i, z] of a table [..., n, k] at the state z [...] */
static T column_of(const chain *c, T table, T z)
{
    agn_scope *s = c->s;
    T here = FN(eq, agni_column(s, z), agni_places(s, c->d, c->k)); /* [..., k] */
    T all = SEL(FN(expand_dims, here, -2), table, LIT(0));
    T y = agni_sum_last(s, all, 1);
    return ADD(y, TIMES(agni_column(s, z), 0)); /* NaN stays */
}

agn_status agn_hidden_markov_viterbi(agn_tensor **out, const agn_distribution *d,
                                     const agn_tensor *x)
{
    const char *op = "hidden_markov_viterbi";
    chain c;
    agn_status st = check_chain(&c, op, out, d, x);
    if (st)
        return st;
    T y = NULL;
    if (open_chain(&c, op, x)) {
        agn_scope *s = c.s;
        T score = ADD(agni_log_shares(s, d->param[FIRST]), seen_at(&c, 0)), *from = c.at + c.n;
        for (int64_t t = 1; t < c.n && !agn_scope_status(s); t++) {
            T paths = ADD(agni_column(s, score), c.next); /* [..., from, to] */
            from[t] = FN(cast, FN(argmax, paths, -2, false), d->batch.dtype);
            score = ADD(FN(amax, paths, row_axis, 1, false), seen_at(&c, t));
        }
        T z = best_state(s, score, d);
        for (int64_t t = c.n - 1; t >= 0 && !agn_scope_status(s); t--) {
            c.at[t] = z;
            if (t)
                z = FN(index_axis, column_of(&c, FN(expand_dims, from[t], -2), z), -1, 0);
        }
        y = agn_scope_status(s) ? NULL : FN(stop_gradient, FN(stack, c.at, (int32_t)c.n, -1));
    }
    return close_chain(&c, out, y);
}

agn_status agn_hidden_markov_sample_states(agn_tensor **out, const agn_distribution *d,
                                           const agn_tensor *x, const agn_tensor *key, int32_t ndim,
                                           const int64_t *shape)
{
    const char *op = "hidden_markov_sample_states";
    chain c;
    agn_status st = check_chain(&c, op, out, d, x);
    if (st)
        return st;
    if (!key || (!shape && ndim > 0))
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !key ? "key" : "shape");
    if (ndim < 0 || ndim > AGN_MAX_RANK - 3 - c.batch.ndim)
        return agni_fail(AGN_ESHAPE,
                         "%s: %d axes before the batch shape of %d; 0 to %d are possible", op, ndim,
                         c.batch.ndim, AGN_MAX_RANK - 3 - c.batch.ndim);
    agni_meta m = {.ndim = ndim};
    for (int i = 0; i < ndim; i++)
        m.shape[i] = shape[i];
    m = agni_shape_with(&m, c.batch.ndim, c.batch.shape);
    m = agni_shape_with(&m, 2, (const int64_t[]){c.n, c.k});
    T y = NULL;
    if (open_chain(&c, op, x)) {
        agn_scope *s = c.s;
        T g = FN(random_gumbel, key, make_number(s, d, 0), make_number(s, d, 1), m.ndim, m.shape),
          z = NULL;
        run_forward(&c);
        for (int64_t t = c.n - 1; t >= 0 && !agn_scope_status(s); t--) {
            T weight = z ? ADD(c.at[t], column_of(&c, c.next, z)) : c.at[t];
            z = best_state(s, ADD(weight, FN(index_axis, g, -2, t)), d);
            c.at[t] = z;
        }
        y = agn_scope_status(s) ? NULL : FN(stop_gradient, FN(stack, c.at, (int32_t)c.n, -1));
    }
    return close_chain(&c, out, y);
}
