/* distribution/univariate/ordered.c - ordered classes by cut points of a logistic or a normal number
   (McCullagh 1980). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

/* The class is the number of cut points below predictor + noise. */
#define PREDICTOR d->param[0]
#define CUTS d->param[1]
static const int32_t last_axis[] = {-1};

typedef T of_number(agn_scope *s, T x);
static T logistic_log_cdf(agn_scope *s, T x) { return NEG(FN(softplus, NEG(x))); }
static T normal_log_cdf(agn_scope *s, T x) { return FN(log_ndtr, x); }
static T normal_cdf(agn_scope *s, T x) { return FN(ndtr, x); }
static T logistic_cdf(agn_scope *s, T x) { return FN(sigmoid, x); }
static T logistic_log_gap(agn_scope *s, T a, T b)
{
    T both = ADD(FN(softplus, NEG(b)), FN(softplus, a));
    return SUB(FN(log, NEG(FN(expm1, SUB(a, b)))), both);
}
/* by the tail that both are in */
static T normal_log_gap(agn_scope *s, T a, T b)
{
    T right = GT(ADD(a, b), LIT(0));
    T lo = FN(log_ndtr, SEL(right, NEG(b), a)), hi = FN(log_ndtr, SEL(right, NEG(a), b));
    return ADD(hi, FN(log, NEG(FN(expm1, SUB(lo, hi)))));
}
static const struct noise {
    of_number *cdf, *log_cdf;
    T (*log_gap)(agn_scope *s, T a, T b); /* log of the share between */
} logistic = {logistic_cdf, logistic_log_cdf, logistic_log_gap},
  normal = {normal_cdf, normal_log_cdf, normal_log_gap};

static int64_t count_cuts(const agn_distribution *d) { return CUTS->shape[CUTS->ndim - 1]; }
OF_PARAMETERS(last_class) { return make_number(s, d, (double)count_cuts(d)); }
/* the cut points less the predictor */
static T edges(agn_scope *s, const agn_distribution *d) { return SUB(CUTS, OVER(PREDICTOR)); }
/* edge k of each, k a whole number; what is outside of the edges is 0 */
static T edge_at(agn_scope *s, const agn_distribution *d, T edge, T k)
{
    T here = FN(eq, OVER(k), count_up(s, d, count_cuts(d)));
    return FN(sum, SEL(here, edge, LIT(0)), last_axis, 1, false);
}
static T log_mass(agn_scope *s, const agn_distribution *d, const struct noise *noise, T edge, T x)
{
    T k = FN(stop_gradient, x), first = LE(k, LIT(0)), last = GE(k, last_class(s, d));
    T inner = FN(logical_not, FN(logical_or, first, last));
    T below = edge_at(s, d, edge, PLUS(k, -1)), above = edge_at(s, d, edge, k);
    T a = SEL(inner, below, LIT(-0.5)), b = SEL(inner, above, LIT(0.5));
    T gap = noise->log_gap(s, a, b), end = noise->log_cdf(s, SEL(first, above, NEG(below)));
    return SEL(FN(isnan, x), x, SEL(inner, gap, end));
}
static T share_at_edge(agn_scope *s, const agn_distribution *d, of_number *f, T x, bool right)
{
    T e = edge_at(s, d, edges(s, d), FN(stop_gradient, x));
    return SEL(FN(isnan, x), x, f(s, right ? NEG(e) : e));
}
/* a last axis of the classes: their log probabilities */
static T log_classes(agn_scope *s, const agn_distribution *d, const struct noise *noise)
{
    return log_mass(s, d, noise, FN(expand_dims, edges(s, d), -2), count_up(s, d, count_cuts(d) + 1));
}
static T mean_of(agn_scope *s, const agn_distribution *d, const struct noise *noise)
{
    return FN(sum, noise->cdf(s, NEG(edges(s, d))), last_axis, 1, false);
}
static T variance_of(agn_scope *s, const agn_distribution *d, const struct noise *noise)
{
    T p = FN(exp, log_classes(s, d, noise)), mean = OVER(mean_of(s, d, noise));
    T gap = SUB(count_up(s, d, count_cuts(d) + 1), mean);
    return FN(sum, MUL(p, FN(square, gap)), last_axis, 1, false);
}
static T mode_of(agn_scope *s, const agn_distribution *d, const struct noise *noise)
{
    return FN(cast, FN(argmax, log_classes(s, d, noise), -1, false), d->batch.dtype);
}
static T entropy_of(agn_scope *s, const agn_distribution *d, const struct noise *noise)
{
    T l = log_classes(s, d, noise), none = FN(isneginf, l), safe = SEL(none, LIT(0), l);
    return NEG(FN(sum, SEL(none, LIT(0), MUL(FN(exp, safe), safe)), last_axis, 1, false));
}
static T draw_class(agn_scope *s, const agn_distribution *d, T noise)
{
    T above = GT(OVER(noise), edges(s, d));
    return FN(stop_gradient, FN(sum, FN(cast, above, d->batch.dtype), last_axis, 1, false));
}

/* the cut points of an event rise */
static agn_status check_cuts(const char *op, const agn_distribution *d)
{
    int64_t n = count_cuts(d);
    if (n < 1)
        return agni_fail(AGN_ESHAPE, "%s: cutpoints is %s; one cut point at least is needed", op,
                         AGNI_SHAPE(CUTS));
    double *v = NULL;
    agn_status st = agni_law_values(op, CUTS, &v);
    for (int64_t i = 1; !st && v && i < CUTS->size; i++)
        if (i % n && !(v[i - 1] < v[i]))
            st = agni_fail(AGN_EDOMAIN, "%s: cutpoints has %g before %g; they must rise", op, v[i - 1],
                           v[i]);
    agni_free(v);
    return st;
}

#define ORDERED(name_, noise_, random_)                                                            \
    OF_X(name_##_log_prob) { return log_mass(s, d, &noise_, edges(s, d), x); }                     \
    OF_X(name_##_cdf) { return share_at_edge(s, d, noise_.cdf, x, false); }                                \
    OF_X(name_##_survival) { return share_at_edge(s, d, noise_.cdf, x, true); }                            \
    OF_X(name_##_log_cdf) { return share_at_edge(s, d, noise_.log_cdf, x, false); }                        \
    OF_X(name_##_log_survival) { return share_at_edge(s, d, noise_.log_cdf, x, true); }                    \
    OF_PARAMETERS(name_##_mean) { return mean_of(s, d, &noise_); }                                 \
    OF_PARAMETERS(name_##_variance) { return variance_of(s, d, &noise_); }                         \
    OF_PARAMETERS(name_##_mode) { return mode_of(s, d, &noise_); }                                 \
    OF_PARAMETERS(name_##_entropy) { return entropy_of(s, d, &noise_); }                           \
    DRAW(name_##_draw) { return draw_class(s, d, random_); }                                       \
    static const agni_law agni_law_##name_ = {                                                     \
        .name = #name_, .n = 2, .param = {"predictor", "cutpoints"},                               \
        .domain = {AGNI_REAL, AGNI_REAL}, .rank = {0, 1}, .support = AGN_SUPPORT_COUNTS_TO,        \
        .high = last_class, .check = check_cuts, .draw = name_##_draw,                             \
        .log_prob = name_##_log_prob, .cdf = name_##_cdf, .survival = name_##_survival,            \
        .log_cdf = name_##_log_cdf, .log_survival = name_##_log_survival, .mean = name_##_mean,    \
        .variance = name_##_variance, .mode = name_##_mode, .entropy = name_##_entropy,            \
    };                                                                                             \
    agn_status agn_distribution_##name_(agn_distribution **out, const agn_tensor *predictor,       \
                                        const agn_tensor *cutpoints,                               \
                                        const agn_distribution_options *opts)                      \
    {                                                                                              \
        return agni_distribution_make(out, &agni_law_##name_, (T[]){predictor, cutpoints}, opts);  \
    }
static T logit_of(agn_scope *s, T u) { return SUB(FN(log, u), FN(log1p, NEG(u))); }
ORDERED(ordered_logistic, logistic, logit_of(s, open_uniform(s, d, key, ndim, shape)))
ORDERED(ordered_probit, normal, FN(normal, key, d->batch.dtype, ndim, shape))
