/* distribution/kl.c - divergences by pairs of laws: formulas by table, others by Monte Carlo, by name. */
#include "distribution/distribution.h"
#include <agnesi/ag.h>

static const struct {
    const agni_law *p, *q;
    agni_kl_rule *rule;
} rules[] = {
#define LAW(name)
#define KL(P, Q, RULE) {&agni_law_##P, &agni_law_##Q, agni_kl_##RULE},
#include "distribution/laws.def"
#undef LAW
#undef KL
};

agni_kl_rule *agni_find_kl(const agni_law *p, const agni_law *q)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].p == p && rules[i].q == q)
            return rules[i].rule;
    return p == q ? p->kl : NULL;
}

static agn_status check_pair(const char *op, const void *out, const agn_distribution *p,
                             const agn_distribution *q)
{
    if (!out || !p || !q)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !p ? "p" : "q");
    agni_meta m = p->batch;
    if (!agni_broadcast_into(&m, q->batch.ndim, q->batch.shape))
        return agni_fail(AGN_ESHAPE, "%s: the batch shapes %s and %s do not broadcast", op,
                         AGNI_SHAPE(&p->batch), AGNI_SHAPE(&q->batch));
    return AGN_OK;
}

agn_status agn_distribution_kl(agn_tensor **out, const agn_distribution *p,
                               const agn_distribution *q)
{
    agn_status st = check_pair("distribution_kl", out, p, q);
    if (st)
        return st;
    agni_kl_rule *rule = agni_find_kl(p->law, q->law);
    if (!rule)
        return agni_fail(AGN_EUNSUPPORTED,
                         "distribution_kl: no formula for p of law %s, q of law %s; "
                         "distribution_kl_monte_carlo estimates it",
                         p->law->name, q->law->name);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *kl = rule(s, p, q);
    agni_meta m = p->batch;
    (void)agni_broadcast_into(&m, q->batch.ndim, q->batch.shape);
    agn_scope_return(s, out, ag_broadcast_to(s, kl, m.ndim, m.shape));
    return agn_scope_close(s);
}

agn_status agn_distribution_kl_monte_carlo(agn_tensor **out, const agn_distribution *p,
                                           const agn_distribution *q, const agn_tensor *key,
                                           int64_t n)
{
    agn_status st = check_pair("distribution_kl_monte_carlo", out, p, q);
    if (st)
        return st;
    if (!key)
        return agni_fail(AGN_ENULL, "distribution_kl_monte_carlo: key is NULL");
    if (n < 1)
        return agni_fail(AGN_EARG, "distribution_kl_monte_carlo: n is %lld; at least 1 is needed",
                         (long long)n);
    agn_scope *s = agn_scope_open(NULL);
    /* pathwise where p has a path, so that the estimate has a gradient in its parameters */
    const agn_tensor *x = p->law->rsample ? ag_distribution_rsample(s, p, key, 1, &n)
                                          : ag_distribution_sample(s, p, key, 1, &n);
    /* the sample's own axis stands before both batch shapes */
    int32_t more = q->batch.ndim - p->batch.ndim;
    for (int32_t i = 0; i < more; i++)
        x = ag_expand_dims(s, x, 1);
    const agn_tensor *gap =
        ag_sub(s, ag_distribution_log_prob(s, p, x), ag_distribution_log_prob(s, q, x));
    agn_scope_return(s, out, ag_mean(s, gap, (const int32_t[]){0}, 1, false));
    return agn_scope_close(s);
}
