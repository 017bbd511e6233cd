/* distribution/series/kalman.c - the states of a linear Gaussian process: filter (Kalman 1960),
   smoother without the inverse of a covariance of states (Bierman, Automatica 9, 1973), draws
   (Durbin & Koopman, Biometrika 89, 2002). */
#include "distribution/series/series.h"

enum { MEAN, STATE, TRANSITION, PROCESS, OBSERVATION, NOISE };

/* at each step the mean m and covariance p of the state, given what was seen up to it; back what
   is told backwards: C = I - K H, and H' S^-1 of the gap and of H */
typedef struct step {
    T m, p, c, pull, weight;
} step;

static T make_identity(agn_scope *s, const agn_distribution *d)
{
    int64_t k = agni_size_at(d->param[MEAN], 1);
    return ag_eye(s, d->batch.dtype, k, k, 0);
}
/* steps[n] of x [..., n, o], or with the mean 0 of the first state */
static void run_filter(step *steps, agn_scope *s, const agn_distribution *d, T x, bool centred)
{
    T f = d->param[TRANSITION], h = d->param[OBSERVATION], one = make_identity(s, d);
    T q = agni_covariance(s, d->param[PROCESS]), r = agni_covariance(s, d->param[NOISE]);
    T m = d->param[MEAN], p = agni_covariance(s, d->param[STATE]), turned_h = agni_transposed(s, h);
    if (centred)
        m = FN(zeros_like, m);
    for (int64_t t = 0; t < agni_steps(d) && !agn_scope_status(s); t++) {
        if (t) {
            m = agni_applied(s, f, m);
            p = ADD(FN(matmul, f, FN(matmul, p, agni_transposed(s, f))), q);
        }
        T hp = FN(matmul, h, p), l = FN(linalg_cholesky, ADD(FN(matmul, hp, turned_h), r), false);
        T z = agni_under_vector(s, l, SUB(FN(index_axis, x, -2, t), agni_applied(s, h, m)));
        T y = agni_under(s, l, hp), turned = agni_transposed(s, y), lh = agni_under(s, l, h);
        T turned_lh = agni_transposed(s, lh);
        m = ADD(m, agni_applied(s, turned, z));
        p = SUB(p, FN(matmul, turned, y));
        steps[t] = (step){m, p, SUB(one, FN(matmul, turned, lh)), agni_applied(s, turned_lh, z),
                          FN(matmul, turned_lh, lh)};
    }
}
/* m and p become those given all that was seen */
static void run_smoother(step *steps, agn_scope *s, const agn_distribution *d)
{
    T turned_f = agni_transposed(s, d->param[TRANSITION]), f = d->param[TRANSITION], pull = NULL,
      weight = NULL;
    for (int64_t t = agni_steps(d) - 1; t >= 0 && !agn_scope_status(s); t--) {
        step *e = &steps[t];
        T c = agni_transposed(s, e->c), m = e->m, p = e->p;
        if (pull) {
            e->m = ADD(m, agni_applied(s, p, pull));
            e->p = SUB(p, FN(matmul, p, FN(matmul, weight, p)));
        }
        T here = pull ? ADD(e->pull, agni_applied(s, c, pull)) : e->pull;
        T mass = weight ? ADD(e->weight, FN(matmul, c, FN(matmul, weight, e->c))) : e->weight;
        pull = agni_applied(s, turned_f, here);
        weight = FN(matmul, turned_f, FN(matmul, mass, f));
    }
}
/* one of the parts of all steps, [batch..., n, last] */
static T gather_states(const step *steps, agn_scope *s, const agn_distribution *d, bool covariance,
                  const agni_meta *batch)
{
    int64_t n = agni_steps(d), k = agni_size_at(d->param[MEAN], 1);
    agni_meta one = agni_shape_with(batch, covariance ? 2 : 1, (const int64_t[]){k, k});
    T *all = agni_alloc((size_t)n * sizeof *all), y = NULL;
    if (!all)
        agn_scope_fail(s, agni_nomem("gaussian_state_space", (size_t)n * sizeof *all));
    for (int64_t t = 0; all && t < n && !agn_scope_status(s); t++)
        all[t] = FN(broadcast_to, covariance ? steps[t].p : steps[t].m, one.ndim, one.shape);
    if (all && !agn_scope_status(s))
        y = FN(stack, all, (int32_t)n, covariance ? -3 : -2);
    agni_free(all);
    return y;
}
static agn_status find_states(agn_tensor **mean, agn_tensor **covariance, const char *op,
                              const agn_distribution *d, const agn_tensor *x, bool smooth)
{
    if (!mean || !covariance)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !mean ? "mean" : "covariance");
    agni_meta batch;
    agn_status st = agni_check_seen(op, "gaussian_state_space", mean, d, x, &batch);
    if (st)
        return st;
    size_t bytes = (size_t)agni_steps(d) * sizeof(step);
    step *steps = agni_alloc(bytes);
    if (!steps)
        return agni_nomem(op, bytes);
    agn_tensor *m = NULL, *p = NULL;
    agn_scope *s = agn_scope_open(NULL);
    run_filter(steps, s, d, x, false);
    if (smooth)
        run_smoother(steps, s, d);
    agn_scope_return(s, &m, agn_scope_status(s) ? NULL : gather_states(steps, s, d, false, &batch));
    agn_scope_return(s, &p, agn_scope_status(s) ? NULL : gather_states(steps, s, d, true, &batch));
    st = agn_scope_close(s);
    agni_free(steps);
    if (!st) {
        *mean = m;
        *covariance = p;
    }
    return st;
}
agn_status agn_gaussian_state_space_filter(agn_tensor **mean, agn_tensor **covariance,
                                           const agn_distribution *d, const agn_tensor *x)
{
    return find_states(mean, covariance, "gaussian_state_space_filter", d, x, false);
}
agn_status agn_gaussian_state_space_smooth(agn_tensor **mean, agn_tensor **covariance,
                                           const agn_distribution *d, const agn_tensor *x)
{
    return find_states(mean, covariance, "gaussian_state_space_smooth", d, x, true);
}

/* z of the law and x' seen of it; z + what the smoother, linear, makes of x - x' */
agn_status agn_gaussian_state_space_sample_states(agn_tensor **out, const agn_distribution *d,
                                                  const agn_tensor *x, const agn_tensor *key,
                                                  int32_t ndim, const int64_t *shape)
{
    const char *op = "gaussian_state_space_sample_states";
    agni_meta batch;
    agn_status st = agni_check_seen(op, "gaussian_state_space", out, d, x, &batch);
    if (st)
        return st;
    if (!key || (!shape && ndim > 0))
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !key ? "key" : "shape");
    if (ndim < 0 || ndim > AGN_MAX_RANK - 3 - batch.ndim)
        return agni_fail(AGN_ESHAPE,
                         "%s: %d axes before the batch shape of %d; 0 to %d are possible", op, ndim,
                         batch.ndim, AGN_MAX_RANK - 3 - batch.ndim);
    size_t bytes = (size_t)agni_steps(d) * sizeof(step);
    step *steps = agni_alloc(bytes);
    if (!steps)
        return agni_nomem(op, bytes);
    agni_meta lead = {.ndim = ndim};
    for (int i = 0; i < ndim; i++)
        lead.shape[i] = shape[i];
    lead = agni_shape_with(&lead, batch.ndim, batch.shape);
    agni_meta m = agni_shape_with(&lead, 2, d->event.shape);
    agn_scope *s = agn_scope_open(NULL);
    T keys = FN(key_split, key, 2),
      z = agni_space_states(s, d, agni_one_key(s, keys, 0), m.ndim, m.shape);
    T e = FN(normal, agni_one_key(s, keys, 1), d->batch.dtype, m.ndim, m.shape);
    T r = agni_triangle(s, d->param[NOISE]);
    T seen = ADD(FN(matmul, z, agni_transposed(s, d->param[OBSERVATION])),
                 FN(matmul, e, agni_transposed(s, r)));
    run_filter(steps, s, d, SUB(x, seen), true);
    run_smoother(steps, s, d);
    T y = agn_scope_status(s) ? NULL : ADD(z, gather_states(steps, s, d, false, &lead));
    agn_scope_return(s, out, y);
    agni_free(steps);
    return agn_scope_close(s);
}
