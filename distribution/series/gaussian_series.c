/* distribution/series/gaussian_series.c - normal laws of series and fields: linear state space by
   Kalman's filter (Kalman 1960), Gaussian processes (Rasmussen & Williams 2006, 2.2), fields by a
   sparse precision (Rue & Held 2005, 2). */
#include "distribution/series/series.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_direct.h>

/* ---- linear state space --------------------------------------------------------------------- */

enum { MEAN, STATE, TRANSITION, PROCESS, OBSERVATION, NOISE };
static agn_status check_space(const char *op, const agn_distribution *d)
{
    int64_t k = agni_size_at(d->param[MEAN], 1), o = agni_size_at(d->param[OBSERVATION], 2);
    static const int square[] = {STATE, TRANSITION, PROCESS};
    for (int i = 0; i < 3; i++) {
        const agn_tensor *x = d->param[square[i]];
        if (agni_size_at(x, 1) != k || agni_size_at(x, 2) != k)
            return agni_fail(AGN_ESHAPE,
                             "%s: mean is %s, %s %s; [..., k] and [..., k, k] are needed", op,
                             AGNI_SHAPE(d->param[MEAN]), d->law->param[square[i]], AGNI_SHAPE(x));
    }
    const agn_tensor *h = d->param[OBSERVATION], *r = d->param[NOISE];
    if (agni_size_at(h, 1) != k || agni_size_at(r, 1) != o || agni_size_at(r, 2) != o)
        return agni_fail(
            AGN_ESHAPE,
            "%s: observation is %s, noise_tril %s; [..., o, %lld] and [..., o, o] are needed", op,
            AGNI_SHAPE(h), AGNI_SHAPE(r), (long long)k);
    return AGN_OK;
}
T agni_covariance(agn_scope *s, T tril)
{
    T l = agni_triangle(s, tril);
    return FN(matmul, l, agni_transposed(s, l));
}
T agni_applied(agn_scope *s, T m, T x)
{
    return agni_uncolumn(s, FN(matmul, m, agni_column(s, x)));
}

OF_X(space_log_prob)
{
    int64_t n = agni_steps(d), o = d->event.shape[1];
    T f = d->param[TRANSITION], h = d->param[OBSERVATION],
      q = agni_covariance(s, d->param[PROCESS]), r = agni_covariance(s, d->param[NOISE]);
    T m = d->param[MEAN], p = agni_covariance(s, d->param[STATE]), sum = NULL;
    for (int64_t t = 0; t < n && !agn_scope_status(s); t++) {
        if (t) {
            m = agni_applied(s, f, m);
            p = ADD(FN(matmul, f, FN(matmul, p, agni_transposed(s, f))), q);
        }
        T hp = FN(matmul, h, p),
          c = FN(linalg_cholesky, ADD(FN(matmul, hp, agni_transposed(s, h)), r), false);
        T gap = SUB(FN(index_axis, x, -2, t), agni_applied(s, h, m)),
          z = agni_under_vector(s, c, gap);
        T part = NEG(ADD(TIMES(agni_squares(s, z, 1), 0.5),
                         PLUS(agni_log_diagonal(s, c), (double)o * LOG_SQRT_2PI)));
        sum = sum ? ADD(sum, part) : part;
        T y = agni_under(s, c, hp), turned = agni_transposed(s, y); /* p - y' y, m + y' z */
        m = ADD(m, agni_applied(s, turned, z));
        p = SUB(p, FN(matmul, turned, y));
    }
    return sum;
}
T agni_space_states(agn_scope *s, const agn_distribution *d, T key, int ndim, const int64_t *shape)
{
    int64_t n = agni_steps(d), k = agni_size_at(d->param[MEAN], 1), wide[AGN_MAX_RANK];
    for (int i = 0; i < ndim; i++)
        wide[i] = shape[i];
    wide[ndim - 1] = k;
    T z = NULL, y = NULL, e = FN(normal, key, d->batch.dtype, ndim, wide);
    T first = agni_triangle(s, d->param[STATE]), later = agni_triangle(s, d->param[PROCESS]);
    T *states = agni_alloc((size_t)n * sizeof *states);
    if (!states)
        agn_scope_fail(s, agni_nomem("distribution_sample", (size_t)n * sizeof *states));
    for (int64_t t = 0; states && t < n && !agn_scope_status(s); t++) {
        T step = agni_applied(s, t ? later : first, FN(index_axis, e, -2, t));
        z = ADD(t ? agni_applied(s, d->param[TRANSITION], z) : d->param[MEAN], step);
        states[t] = z;
    }
    if (states && !agn_scope_status(s))
        y = FN(stack, states, (int32_t)n, -2);
    agni_free(states);
    return y;
}
DRAW(space_rsample)
{
    T keys = FN(key_split, key, 2);
    T noise = FN(normal, agni_one_key(s, keys, 1), d->batch.dtype, ndim, shape);
    T y = agni_space_states(s, d, agni_one_key(s, keys, 0), ndim, shape);
    T r = agni_triangle(s, d->param[NOISE]);
    return ADD(FN(matmul, y, agni_transposed(s, d->param[OBSERVATION])),
               FN(matmul, noise, agni_transposed(s, r)));
}
static const agni_law space_law = {
    .name = "gaussian_state_space",
    .n = 6,
    .param = {"mean", "state_tril", "transition", "process_tril", "observation", "noise_tril"},
    .domain = {AGNI_REAL, AGNI_REAL, AGNI_REAL, AGNI_REAL, AGNI_REAL, AGNI_REAL},
    .rank = {1, 2, 2, 2, 2, 2},
    .support = AGN_SUPPORT_MATRIX,
    .check = check_space,
    .rsample = space_rsample,
    .log_prob = space_log_prob,
};
agn_status agn_distribution_gaussian_state_space(
    agn_distribution **out, int64_t n, const agn_tensor *mean, const agn_tensor *state_tril,
    const agn_tensor *transition, const agn_tensor *process_tril, const agn_tensor *observation,
    const agn_tensor *noise_tril, const agn_distribution_options *opts)
{
    agn_distribution *d = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "distribution_gaussian_state_space: out is NULL");
    agn_status st = agni_series_make(
        &d, &space_law, n,
        (T[]){mean, state_tril, transition, process_tril, observation, noise_tril}, 2, opts);
    if (st)
        return st;
    d->event.shape[1] = agni_size_at(observation, 2);
    *out = d;
    return AGN_OK;
}

/* ---- Gaussian process ----------------------------------------------------------------------- */

agn_status agn_distribution_gaussian_process(agn_distribution **out, const agn_tensor *loc,
                                             const agn_tensor *covariance, const agn_tensor *noise,
                                             const agn_distribution_options *opts)
{
    const char *op = "distribution_gaussian_process";
    if (!out || !loc || !covariance || !noise)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out          ? "out"
                         : !loc        ? "loc"
                         : !covariance ? "covariance"
                                       : "noise");
    if (covariance->ndim < 2 || agni_size_at(covariance, 1) != agni_size_at(covariance, 2) ||
        noise->ndim)
        return agni_fail(AGN_ESHAPE,
                         "%s: covariance is %s, noise %s; [..., n, n] and [] are needed", op,
                         AGNI_SHAPE(covariance), AGNI_SHAPE(noise));
    if (agni_kind(covariance->dtype) == AGNI_KIND_COMPLEX ||
        agni_kind(noise->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: covariance is %s, noise %s; real numbers are needed", op,
                         agni_dtypes[covariance->dtype].name, agni_dtypes[noise->dtype].name);
    double *v = NULL;
    agn_status st = agni_law_values(op, noise, &v);
    if (!st && v && !(v[0] >= 0 && v[0] < (double)INFINITY))
        st = agni_fail(AGN_EDOMAIN, "%s: noise is %g; it must be finite and not negative", op,
                       v[0]);
    agni_free(v);
    if (st)
        return st;
    agn_tensor *sum = NULL;
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = agni_size_at(covariance, 1);
    agn_scope_return(s, &sum, ADD(covariance, MUL(noise, ag_eye(s, covariance->dtype, n, n, 0))));
    st = agn_scope_close(s);
    st = st ? st : agn_distribution_multivariate_normal_covariance(out, loc, sum, opts);
    agn_release(sum);
    return st ? agni_rename_error(op, st) : AGN_OK;
}

/* ---- field ---------------------------------------------------------------------------------- */

agn_status agn_gaussian_markov_field_log_prob(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *loc, const agn_tensor *precision)
{
    const char *op = "gaussian_markov_field_log_prob";
    if (!out || !x || !loc || !precision)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out   ? "out"
                         : !x   ? "x"
                         : !loc ? "loc"
                                : "precision");
    int64_t n = precision->ndim == 2 ? precision->shape[0] : -1;
    if (n < 0 || precision->shape[1] != n || x->ndim != 1 || x->shape[0] != n || loc->ndim != 1 ||
        loc->shape[0] != n)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s, loc %s, precision %s; [n], [n] and [n, n] are needed", op,
                         AGNI_SHAPE(x), AGNI_SHAPE(loc), AGNI_SHAPE(precision));
    agn_scope *s = agn_scope_open(NULL);
    T r = SUB(x, loc), square = agni_sum_last(s, MUL(r, FN(sparse_matmul, precision, r)), 1);
    T det = ag_sparse_logdet(s, precision, NULL);
    agn_scope_return(s, out, PLUS(TIMES(SUB(det, square), 0.5), -(double)n * LOG_SQRT_2PI));
    return agn_scope_close(s);
}
