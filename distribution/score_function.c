/* distribution/score_function.c - means whose derivatives are those of the score function (Williams
   1992), of any order (Foerster & al. 2018), with baselines (Mao & al. 2019; Kool & al. 2019). */
#include "distribution/distribution.h"
#include <agnesi/ag.h>

typedef const agn_tensor *T;

static agn_status check_values(const char *op, const agn_distribution *d, T x, T f, bool alone)
{
    int event = d->event.ndim;
    if (agni_kind(f->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: f is %s; it has to be real", op,
                         agni_dtypes[f->dtype].name);
    if (f->ndim < 1 || f->shape[0] < 1)
        return agni_fail(AGN_ESHAPE, "%s: f %s has no numbers along a first axis", op,
                         AGNI_SHAPE(f));
    agni_meta m = d->batch, own = {.ndim = f->ndim};
    for (int i = 0; i < f->ndim; i++)
        own.shape[i] = f->shape[i];
    bool fits = x->ndim >= event && agni_broadcast_into(&m, x->ndim - event, x->shape) &&
                m.ndim == f->ndim && agni_broadcast_into(&own, m.ndim, m.shape);
    for (int i = 0; fits && i < f->ndim; i++)
        fits = own.shape[i] == f->shape[i] && m.shape[i] == f->shape[i];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "%s: f %s is not of the shape of log densities of x %s", op,
                         AGNI_SHAPE(f), AGNI_SHAPE(x));
    if (alone && f->shape[0] < 2)
        return agni_fail(AGN_EARG, "%s: baseline is NULL and f %s has 1 number; 2 are needed", op,
                         AGNI_SHAPE(f));
    return AGN_OK;
}

/* the mean of the other numbers */
static T leave_one_out(agn_scope *s, T f)
{
    T sum = ag_sum(s, f, (const int32_t[]){0}, 1, true);
    return ag_mul_c(s, ag_sub(s, sum, f), 1.0 / (double)(f->shape[0] - 1));
}

agn_status agn_distribution_score_mean(agn_tensor **out, const agn_distribution *d,
                                       const agn_tensor *x, const agn_tensor *f,
                                       const agn_tensor *baseline)
{
    const char *op = "distribution_score_mean";
    if (!out || !d || !x || !f)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !d ? "d" : !x ? "x" : "f");
    agn_status st = check_values(op, d, x, f, !baseline);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    T v = ag_cast(s, f, d->batch.dtype);
    T log_p = ag_distribution_log_prob(s, d, ag_stop_gradient(s, x));
    /* 1, with the derivatives of the density over the density */
    T one = ag_exp(s, ag_sub(s, log_p, ag_stop_gradient(s, log_p)));
    T still = ag_stop_gradient(s, v), b = baseline;
    b = b ? ag_broadcast_to(s, ag_cast(s, b, d->batch.dtype), f->ndim, f->shape)
          : leave_one_out(s, still);
    b = ag_stop_gradient(s, b);
    T more = ag_mul(s, b, ag_sub(s, ag_ones_like(s, one), one));
    T y = ag_add(s, ag_mul(s, v, one), more);
    agn_scope_return(s, out, ag_mean(s, y, (const int32_t[]){0}, 1, false));
    return agn_scope_close(s);
}
