/* distribution/kl.c - divergences by pairs of laws: formulas by table, others by Monte Carlo, by
   name. */
#include "distribution/distribution.h"
#include "core/fork_mutex.h"
#include <agnesi/ag.h>

#include <string.h>

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

/* ---- rules of the program: before those of the tables --------------------------------------- */

enum { MOST_RULES = 256, NAME = 48 };
static struct user_rule {
    char p[NAME], q[NAME];
    agn_kl_rule *rule;
    void *user;
} user_rules[MOST_RULES];
static int n_user_rules;
static agni_mutex user_lock = AGNI_MUTEX_INIT;

/* under user_lock */
static struct user_rule *find_user_rule(const char *p, const char *q)
{
    for (int i = 0; i < n_user_rules; i++)
        if (!strcmp(user_rules[i].p, p) && !strcmp(user_rules[i].q, q))
            return &user_rules[i];
    return NULL;
}
agn_status agn_distribution_register_kl(const char *p, const char *q, agn_kl_rule *rule, void *user)
{
    if (!p || !q)
        return agni_fail(AGN_ENULL, "distribution_register_kl: %s is NULL", !p ? "p" : "q");
    if (strlen(p) >= NAME || strlen(q) >= NAME || !*p || !*q)
        return agni_fail(
            AGN_EARG,
            "distribution_register_kl: p is \"%s\", q \"%s\"; names of 1 to %d letters are possible",
            p, q, NAME - 1);
    agn_status st = AGN_OK;
    agni_mutex_lock(&user_lock);
    struct user_rule *r = find_user_rule(p, q);
    if (!rule) {
        if (r)
            *r = user_rules[--n_user_rules];
    } else if (!r && n_user_rules == MOST_RULES)
        st = agni_fail(AGN_EARG,
                       "distribution_register_kl: %d pairs are registered, %d are possible",
                       n_user_rules, MOST_RULES);
    else {
        r = r ? r : &user_rules[n_user_rules++];
        strcpy(r->p, p);
        strcpy(r->q, q);
        r->rule = rule;
        r->user = user;
    }
    agni_mutex_unlock(&user_lock);
    return st;
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
    agni_mutex_lock(&user_lock);
    const struct user_rule *r = find_user_rule(p->law->name, q->law->name);
    struct user_rule own = r ? *r : (struct user_rule){.rule = NULL};
    agni_mutex_unlock(&user_lock);
    if (!rule && !own.rule)
        return agni_fail(AGN_EUNSUPPORTED,
                         "distribution_kl: no formula for p of law %s, q of law %s; "
                         "distribution_kl_monte_carlo estimates it",
                         p->law->name, q->law->name);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *kl = own.rule ? own.rule(s, own.user, p, q) : rule(s, p, q);
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
