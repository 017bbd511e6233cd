/* distribution/api.c - public functions of all distributions, by the expressions of their law. */
#include "distribution/distribution.h"
#include <agnesi/ag.h>

#include <string.h>

static agn_status check_not_null(const char *op, const void *out, const void *d, const char *name,
                                 const void *x)
{
    if (!out || !d || !x)
        return agni_fail(AGN_ENULL, "distribution_%s: %s is NULL", op,
                         !out ? "out" : !d ? "d" : name);
    return AGN_OK;
}

static agn_status draw_sample(agn_tensor **out, const char *op, const agn_distribution *d,
                              const agn_tensor *key, int32_t ndim, const int64_t *shape,
                              bool constant)
{
    agn_status st = check_not_null(op, out, d, "key", key);
    if (st)
        return st;
    if (!shape && ndim > 0)
        return agni_fail(AGN_ENULL, "distribution_%s: shape is NULL; %d sizes are due", op, ndim);
    if (ndim < 0 || ndim > AGN_MAX_RANK - d->batch.ndim)
        return agni_fail(AGN_ESHAPE,
                         "distribution_%s: %d axes before the batch shape of %d; 0 to %d are possible",
                         op, ndim, d->batch.ndim, AGN_MAX_RANK - d->batch.ndim);
    int64_t all[AGN_MAX_RANK];
    for (int i = 0; i < ndim; i++)
        all[i] = shape[i];
    for (int i = 0; i < d->batch.ndim; i++)
        all[ndim + i] = d->batch.shape[i];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = d->law->rsample(s, d, key, ndim + d->batch.ndim, all);
    agn_scope_return(s, out, constant ? ag_stop_gradient(s, y) : y);
    return agn_scope_close(s);
}
agn_status agn_distribution_rsample(agn_tensor **out, const agn_distribution *d,
                                    const agn_tensor *key, int32_t ndim, const int64_t *shape)
{
    return draw_sample(out, "rsample", d, key, ndim, shape, false);
}
agn_status agn_distribution_sample(agn_tensor **out, const agn_distribution *d,
                                   const agn_tensor *key, int32_t ndim, const int64_t *shape)
{
    return draw_sample(out, "sample", d, key, ndim, shape, true);
}

/* ---- functions of x ---------------------------------------------------------------------- */

typedef const agn_tensor *function_of_x(agn_scope *s, const agn_distribution *d,
                                        const agn_tensor *x);

static agn_status apply_at_x(agn_tensor **out, const char *op, const agn_distribution *d,
                             function_of_x *f, const agn_tensor *x)
{
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "distribution_%s: x is %s; the %s distribution is real", op,
                         agni_dtypes[x->dtype].name, d->law->name);
    agni_meta m = d->batch;
    if (!agni_broadcast_into(&m, x->ndim, x->shape))
        return agni_fail(AGN_ESHAPE, "distribution_%s: x %s and the batch shape %s do not broadcast",
                         op, AGNI_SHAPE(x), AGNI_SHAPE(&d->batch));
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, f(s, d, x));
    return agn_scope_close(s);
}
agn_status agn_distribution_log_prob(agn_tensor **out, const agn_distribution *d,
                                     const agn_tensor *x)
{
    agn_status st = check_not_null("log_prob", out, d, "x", x);
    return st ? st : apply_at_x(out, "log_prob", d, d->law->log_prob, x);
}
agn_status agn_distribution_cdf(agn_tensor **out, const agn_distribution *d, const agn_tensor *x)
{
    agn_status st = check_not_null("cdf", out, d, "x", x);
    return st ? st : apply_at_x(out, "cdf", d, d->law->cdf, x);
}

/* ---- functions of the parameters ------------------------------------------------------------ */

typedef const agn_tensor *function_of_parameters(agn_scope *s, const agn_distribution *d);

static agn_status apply_to_parameters(agn_tensor **out, const agn_distribution *d,
                                      function_of_parameters *f)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, ag_broadcast_to(s, f(s, d), d->batch.ndim, d->batch.shape));
    return agn_scope_close(s);
}
agn_status agn_distribution_mean(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("mean", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, d, d->law->mean);
}
agn_status agn_distribution_variance(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("variance", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, d, d->law->variance);
}
agn_status agn_distribution_entropy(agn_tensor **out, const agn_distribution *d)
{
    agn_status st = check_not_null("entropy", out, d, NULL, d);
    return st ? st : apply_to_parameters(out, d, d->law->entropy);
}

agn_status agn_distribution_kl(agn_tensor **out, const agn_distribution *p,
                               const agn_distribution *q)
{
    if (!out || !p || !q)
        return agni_fail(AGN_ENULL, "distribution_kl: %s is NULL", !out ? "out" : !p ? "p" : "q");
    if (p->law != q->law)
        return agni_fail(AGN_EUNSUPPORTED, "distribution_kl: no formula for p of law %s, q of law %s",
                         p->law->name, q->law->name);
    agni_meta m = p->batch;
    if (!agni_broadcast_into(&m, q->batch.ndim, q->batch.shape))
        return agni_fail(AGN_ESHAPE, "distribution_kl: the batch shapes %s and %s do not broadcast",
                         AGNI_SHAPE(&p->batch), AGNI_SHAPE(&q->batch));
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, p->law->kl(s, p, q));
    return agn_scope_close(s);
}
