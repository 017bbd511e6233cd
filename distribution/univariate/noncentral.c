/* distribution/univariate/noncentral.c - noncentral laws: chi square, F, beta, Student's t (Johnson,
   Kotz & Balakrishnan 1995, 29 to 31). */
#include "distribution/expression.h"
#include "tensor/dispatch/op.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define THIRD d->param[2]
#define OPTS const agn_distribution_options *opts
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)

/* kinds and laws of the ops of tensor/special/laws/noncentral_op.c */
enum { LOWER, UPPER, DENSITY, CHI_SQUARE = 0, BETA_PRIME };
static T mixture_at(agn_scope *s, int64_t law, int64_t kind, T a, T b, T nc, T v)
{
    int64_t at[6] = {law, kind, 0, 0, 0, 0};
    return agni_apply_in(s, &agni_op_noncentral, &(agni_attr){.ni = 6, .i = at}, 4, (T[]){a, b, nc, v});
}
/* NaN where the density is below all numbers, as its logarithm is not known there; of p over its own
   value, as the square of p leaves the range sooner */
static T log_density(agn_scope *s, const agn_distribution *d, T p)
{
    T lost = LT(p, LIT(d->batch.dtype == AGN_F32 ? 0x1p-120 : 0x1p-1000));
    T still = SEL(lost, LIT((double)NAN), FN(stop_gradient, p));
    return ADD(FN(log, still), FN(log, DIV(p, still)));
}
/* a gamma number of shape a, with Poisson's number of mean nc / 2 more where there is one */
static T mixed_gamma(agn_scope *s, T key, T a, T nc, int ndim, const int64_t *shape)
{
    T keys = FN(key_split, key, 2);
    T n = FN(random_poisson, FN(index_axis, keys, 0, 0), FN(stop_gradient, TIMES(nc, 0.5)), AGN_I64,
             ndim, shape);
    return FN(random_gamma, FN(index_axis, keys, 0, 1),
              FN(stop_gradient, ADD(a, FN(cast, n, a->dtype))), ndim, shape);
}

/* ---- chi square ----------------------------------------------------------------------------- */

static T chi2_at(agn_scope *s, const agn_distribution *d, T x, int64_t kind)
{
    return mixture_at(s, CHI_SQUARE, kind, TIMES(FIRST, 0.5), LIT(1), SECOND, TIMES(x, 0.5));
}
OF_X(chi2_cdf) { return chi2_at(s, d, x, LOWER); }
OF_X(chi2_survival) { return chi2_at(s, d, x, UPPER); }
OF_X(chi2_log_prob)
{
    return PLUS(log_density(s, d, chi2_at(s, d, x, DENSITY)), -LOG_2);
}
DRAW(chi2_rsample)
{
    T g = mixed_gamma(s, key, TIMES(FIRST, 0.5), SECOND, ndim, shape);
    return agni_implicit_path(s, d, TIMES(g, 2));
}
/* of F too: below two degrees of freedom the density is infinite at 0 */
OF_PARAMETERS(chi2_mode)
{
    return SEL(LT(FIRST, LIT(2)), LIT(0), agni_density_mode(s, d));
}
OF_PARAMETERS(chi2_mean) { return ADD(FIRST, SECOND); }
OF_PARAMETERS(chi2_variance) { return TIMES(ADD(FIRST, TIMES(SECOND, 2)), 2); }
static const agni_law agni_law_noncentral_chi2 = {
    .name = "noncentral_chi2",
    .n = 2,
    .param = {"df", "nc"},
    .domain = {AGNI_POSITIVE, AGNI_NONNEGATIVE},
    .support = AGN_SUPPORT_POSITIVE,
    .rsample = chi2_rsample,
    .log_prob = chi2_log_prob,
    .cdf = chi2_cdf,
    .survival = chi2_survival,
    .mean = chi2_mean,
    .variance = chi2_variance,
    .mode = chi2_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_noncentral_chi2(agn_distribution **out, const agn_tensor *df,
                                            const agn_tensor *nc, OPTS)
{
    return MAKE(noncentral_chi2, df, nc);
}

/* ---- F: the quotient of a noncentral chi square and a chi square, each over its df ------------ */

static T f_at(agn_scope *s, const agn_distribution *d, T x, int64_t kind)
{
    T ratio = DIV(FIRST, SECOND);
    return mixture_at(s, BETA_PRIME, kind, TIMES(FIRST, 0.5), TIMES(SECOND, 0.5), THIRD,
                      MUL(ratio, x));
}
OF_X(f_cdf) { return f_at(s, d, x, LOWER); }
OF_X(f_survival) { return f_at(s, d, x, UPPER); }
OF_X(f_log_prob)
{
    T steep = FN(log, DIV(FIRST, SECOND));
    return ADD(log_density(s, d, f_at(s, d, x, DENSITY)), steep);
}
DRAW(f_rsample)
{
    T keys = FN(key_split, key, 2);
    T up = mixed_gamma(s, FN(index_axis, keys, 0, 0), TIMES(FIRST, 0.5), THIRD, ndim, shape);
    T low = FN(random_gamma, FN(index_axis, keys, 0, 1), FN(stop_gradient, TIMES(SECOND, 0.5)), ndim,
               shape);
    return agni_implicit_path(s, d, MUL(DIV(up, low), DIV(SECOND, FIRST)));
}
OF_PARAMETERS(f_mean)
{
    T less = PLUS(SECOND, -2), v = MUL(DIV(SECOND, FIRST), DIV(ADD(FIRST, THIRD), less));
    return SEL(GT(SECOND, LIT(2)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(f_variance)
{
    T less = PLUS(SECOND, -2), sum = ADD(FIRST, THIRD), ratio = DIV(SECOND, MUL(FIRST, less));
    T top = ADD(FN(square, sum), MUL(ADD(sum, THIRD), less));
    T v = MUL(FN(square, ratio), DIV(TIMES(top, 2), PLUS(SECOND, -4)));
    return SEL(GT(SECOND, LIT(4)), v, LIT((double)INFINITY));
}
static const agni_law agni_law_noncentral_f = {
    .name = "noncentral_f",
    .n = 3,
    .param = {"df1", "df2", "nc"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE, AGNI_NONNEGATIVE},
    .support = AGN_SUPPORT_POSITIVE,
    .rsample = f_rsample,
    .log_prob = f_log_prob,
    .cdf = f_cdf,
    .survival = f_survival,
    .mean = f_mean,
    .variance = f_variance,
    .mode = chi2_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_noncentral_f(agn_distribution **out, const agn_tensor *df1,
                                         const agn_tensor *df2, const agn_tensor *nc, OPTS)
{
    return MAKE(noncentral_f, df1, df2, nc);
}

/* ---- beta: the share of a noncentral chi square in its sum with a chi square ------------------- */

static T beta_at(agn_scope *s, const agn_distribution *d, T x, int64_t kind)
{
    return mixture_at(s, BETA_PRIME, kind, FIRST, SECOND, THIRD, DIV(x, SUB(LIT(1), x)));
}
OF_X(beta_cdf) { return beta_at(s, d, x, LOWER); }
OF_X(beta_survival) { return beta_at(s, d, x, UPPER); }
OF_X(beta_log_prob)
{
    T stretch = TIMES(FN(log1p, NEG(x)), -2);
    return ADD(log_density(s, d, beta_at(s, d, x, DENSITY)), stretch);
}
DRAW(beta_rsample)
{
    T keys = FN(key_split, key, 2);
    T up = mixed_gamma(s, FN(index_axis, keys, 0, 0), FIRST, THIRD, ndim, shape);
    T low = FN(random_gamma, FN(index_axis, keys, 0, 1), FN(stop_gradient, SECOND), ndim, shape);
    return agni_implicit_path(s, d, DIV(up, ADD(up, low)));
}
/* the mean of a beta law with Poisson's number j more, weights of j, and their mean */
static T beta_means(agn_scope *s, const agn_distribution *d, T *weight, T *sum, T *mean)
{
    T j;
    *weight = agni_poisson_table(s, d, TIMES(THIRD, 0.5), &j);
    T a = ADD(OVER(FIRST), j), at = DIV(a, ADD(a, OVER(SECOND)));
    *sum = ADD(a, OVER(SECOND));
    *mean = agni_integrate(s, *weight, at);
    return at;
}
OF_PARAMETERS(beta_mean)
{
    T w, sum, mean;
    (void)beta_means(s, d, &w, &sum, &mean);
    return mean;
}
OF_PARAMETERS(beta_variance)
{
    T w, sum, mean, at = beta_means(s, d, &w, &sum, &mean), gap = SUB(at, OVER(mean));
    T own = DIV(MUL(at, DIV(OVER(SECOND), sum)), PLUS(sum, 1));
    return agni_integrate(s, w, ADD(own, FN(square, gap)));
}
/* the density is infinite at 0 for a below 1, at 1 for b below 1 */
OF_PARAMETERS(beta_mode)
{
    T low = LT(FIRST, LIT(1)), high = LT(SECOND, LIT(1));
    T at_end = SEL(low, SEL(high, LIT((double)NAN), LIT(0)), LIT(1));
    return SEL(FN(logical_or, low, high), at_end, agni_density_mode(s, d));
}
static const agni_law agni_law_noncentral_beta = {
    .name = "noncentral_beta",
    .n = 3,
    .param = {"a", "b", "nc"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE, AGNI_NONNEGATIVE},
    .support = AGN_SUPPORT_UNIT,
    .rsample = beta_rsample,
    .log_prob = beta_log_prob,
    .cdf = beta_cdf,
    .survival = beta_survival,
    .mean = beta_mean,
    .variance = beta_variance,
    .mode = beta_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_noncentral_beta(agn_distribution **out, const agn_tensor *a,
                                            const agn_tensor *b, const agn_tensor *nc, OPTS)
{
    return MAKE(noncentral_beta, a, b, nc);
}

/* ---- Student: (z + nc) over the root of a chi square over its df ------------------------------ */

static T t_at(agn_scope *s, const agn_distribution *d, T x, int64_t kind)
{
    int64_t at[4] = {kind, 0, 0, 0};
    return agni_apply_in(s, &agni_op_noncentral_t, &(agni_attr){.ni = 4, .i = at}, 3,
                         (T[]){FIRST, SECOND, x});
}
OF_X(t_cdf) { return t_at(s, d, x, LOWER); }
OF_X(t_survival) { return t_at(s, d, x, UPPER); }
OF_X(t_log_prob) { return log_density(s, d, t_at(s, d, x, DENSITY)); }
OF_X(t_icdf) { return FN(nctdtrit, FIRST, SECOND, x); }
DRAW(t_rsample)
{
    T keys = FN(key_split, key, 2), half = FN(stop_gradient, TIMES(FIRST, 0.5));
    T z = FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape);
    T g = FN(random_gamma, FN(index_axis, keys, 0, 1), half, ndim, shape);
    return agni_implicit_path(s, d, DIV(ADD(z, SECOND), FN(sqrt, DIV(g, half))));
}
/* nc sqrt(df / 2) Gamma((df - 1) / 2) / Gamma(df / 2) */
OF_PARAMETERS(t_mean)
{
    T there = GT(FIRST, LIT(1)), df = SEL(there, FIRST, LIT(2)), half = TIMES(df, 0.5);
    T step = agni_log_gamma_half_step(s, PLUS(half, -0.5));
    return SEL(there, MUL(SECOND, MUL(FN(sqrt, half), FN(exp, NEG(step)))), LIT((double)NAN));
}
OF_PARAMETERS(t_variance)
{
    T square = DIV(MUL(FIRST, PLUS(FN(square, SECOND), 1)), PLUS(FIRST, -2));
    T v = SUB(square, FN(square, t_mean(s, d)));
    T heavy = SEL(GT(FIRST, LIT(1)), LIT((double)INFINITY), LIT((double)NAN));
    return SEL(GT(FIRST, LIT(2)), v, heavy);
}
static const agni_law agni_law_noncentral_t = {
    .name = "noncentral_t",
    .n = 2,
    .param = {"df", "nc"},
    .domain = {AGNI_POSITIVE, AGNI_REAL},
    .support = AGN_SUPPORT_REAL,
    .rsample = t_rsample,
    .log_prob = t_log_prob,
    .cdf = t_cdf,
    .survival = t_survival,
    .icdf = t_icdf,
    .mean = t_mean,
    .variance = t_variance,
    .mode = agni_density_mode,
    .entropy = agni_density_entropy,
};
agn_status agn_distribution_noncentral_t(agn_distribution **out, const agn_tensor *df,
                                         const agn_tensor *nc, OPTS)
{
    return MAKE(noncentral_t, df, nc);
}
