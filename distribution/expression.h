/* distribution/expression.h - the words in which laws are written: those of tensor/rows/ops.def,
   for tensors in the scope s. Included by the files of laws alone. */
#ifndef AGNI_DISTRIBUTION_EXPRESSION_H
#define AGNI_DISTRIBUTION_EXPRESSION_H

#include "distribution/distribution.h"
#include <agnesi/ag.h>

#include <math.h>

#define ADD(a, b) ag_add(s, a, b)
#define SUB(a, b) ag_sub(s, a, b)
#define MUL(a, b) ag_mul(s, a, b)
#define DIV(a, b) ag_div(s, a, b)
#define NEG(a) ag_neg(s, a)
#define PLUS(a, number) ag_add_c(s, a, number)
#define TIMES(a, number) ag_mul_c(s, a, number)
#define FN(f, ...) ag_##f(s, __VA_ARGS__)
#define LIT(number) ag_lit(s, number)
#define SEL(condition, a, b) ag_where(s, condition, a, b)
#define LT(a, b) ag_lt(s, a, b)
#define LE(a, b) ag_le(s, a, b)
#define GT(a, b) ag_gt(s, a, b)
#define GE(a, b) ag_ge(s, a, b)

typedef const agn_tensor *T;

/* functions of x, of the parameters, of two laws, and random numbers */
#define OF_X(name) static T name(agn_scope *s, const agn_distribution *d, T x)
#define OF_PARAMETERS(name) static T name(agn_scope *s, const agn_distribution *d)
#define OF_BOTH(name) T name(agn_scope *s, const agn_distribution *p, const agn_distribution *q)
#define DRAW(name) \
    static T name(agn_scope *s, const agn_distribution *d, T key, int ndim, const int64_t *shape)

#define LOG_2 0.69314718055994530942
#define LOG_PI 1.1447298858494001741
#define LOG_SQRT_2PI 0.91893853320467274178
#define PI 3.14159265358979323846
#define SQRT_HALF 0.70710678118654752440
#define EULER 0.57721566490153286061

/* of the dtype of d */
static inline T make_number(agn_scope *s, const agn_distribution *d, double v)
{
    return ag_full(s, d->batch.dtype, 0, NULL, v);
}
/* 0 to n - 1 along one axis */
static inline T count_up(agn_scope *s, const agn_distribution *d, int64_t n)
{
    return ag_arange(s, d->batch.dtype, 0, (double)n, 1);
}
/* in (0, 1): 0 of [0, 1) becomes half of the smallest step */
static inline T open_uniform(agn_scope *s, const agn_distribution *d, T key, int ndim,
                             const int64_t *shape)
{
    return ag_maximum_c(s, ag_uniform(s, key, d->batch.dtype, ndim, shape),
                        d->batch.dtype == AGN_F32 ? 0x1p-25 : 0x1p-54);
}

/* implicit_reparametrisation.c: numbers x drawn from d, with the path that keeps their cdf; cdf and
   density of d have formulas */
T agni_implicit_path(agn_scope *s, const agn_distribution *d, T x);
/* the same of x, the quantile of p already, which moves with p too */
T agni_implicit_quantile(agn_scope *s, const agn_distribution *d, T x, T p);
/* x where residual(x, u, parameters of d) is 0; slope: its first argument over d residual / dx, of
   that, x, u and the parameters */
T agni_implicit_root(agn_scope *s, const agn_distribution *d, agn_body *residual, agn_body *slope,
                     T x, T u);
/* quantile.c: an end of the support; number at a place in the order of all numbers of the support;
   the places ends[0] and ends[1] next to one another between which halve(low, high, p, parameters)
   has changed its mind */
T agni_support_end(agn_scope *s, const agn_distribution *d, bool high);
T agni_number_at(agn_scope *s, const agn_distribution *d, T t);
void agni_bisect(agn_scope *s, agn_body *halve, const agn_distribution *d, T p, T *ends);
/* expectation.c, mode.c: of laws without a formula for them, by their density; the law has a
   quantile, one peak */
agni_of_parameters agni_density_entropy, agni_density_mean, agni_density_variance,
    agni_density_mode, agni_count_mode;

/* The parameters of d, its base and the base of that, as far as AGNI_PATH_PARAMS go: how many; d with
   others in their place; a function of n_in arguments with d, a pattern of shapes, as its user. */
enum { AGNI_PATH_PARAMS = 24 };
int agni_list_parameters(const agn_distribution *d, T *out);
const agn_distribution *agni_distribution_with(agn_scope *s, const agn_distribution *d,
                                               T const *params);
agn_status agni_distribution_function(agn_fn **out, agn_body *body, const agn_distribution *d,
                                      int n_in, int n_out);

/* positive.c: log(x / by), (x / by)^k; log(1 + c z) / c, and (exp(c g) - 1) / c, of any c; f(u) / u with
   f(u) ~ c0 u + c1 u^2 + ... near 0, by seven terms */
T agni_log_quotient(agn_scope *s, const agn_distribution *d, T x, T by);
T agni_quotient_power(agn_scope *s, const agn_distribution *d, T x, T by, T k);
T agni_log_ratio(agn_scope *s, T c, T z);
T agni_exp_ratio(agn_scope *s, T c, T g);
T agni_over_argument(agn_scope *s, T u, T f, const double *c);

/* gamma.c: log of beta(a, b); log density of the gamma law of shape a at x; log gamma(a + 1/2) -
   log gamma(a): digamma(a + m) - digamma(a), m from 0; log gamma(a + q) + log gamma(a - q) -
   2 log gamma(a), a > |q|: without the cancellation of large logarithms. */
T agni_log_beta(agn_scope *s, T a, T b);
T agni_gamma_log_density(agn_scope *s, T a, T rate, T x);
/* log gamma(a) below 8, log sqrt(2 pi a) with the rest of Stirling's series from there on */
T agni_log_gamma_rest(agn_scope *s, T a);
T agni_log_gamma_half_step(agn_scope *s, T a);
T agni_digamma_step(agn_scope *s, T a, double m);
T agni_log_gamma_bend(agn_scope *s, T a, T q);
/* the entropy of the gamma law of shape a and rate 1 */
T agni_gamma_unit_entropy(agn_scope *s, T a);
/* heavy.c: Student's law so far out that z^2 is lost beside it, beyond sqrt(v) AGNI_STUDENT_FAR: log of
   both tails at z, z from log of both, and what these add */
#define AGNI_STUDENT_FAR 1e100
T agni_student_unit(agn_scope *s, T v);
/* log of the density at 0 of v degrees of freedom */
T agni_student_log_factor(agn_scope *s, T v);
T agni_student_far_log_tails(agn_scope *s, T v, T z);
T agni_student_far_quantile(agn_scope *s, T v, T log_both);
/* entropies.c: places t of [n] and weights of an integral of f from 0 to infinity, f(t) with a last axis
   for them; what it is; entropy of a law of counts without a left tail by its density */
#define OVER(v) ag_expand_dims(s, v, -1)
T agni_half_line(agn_scope *s, const agn_distribution *d, T *weight);
T agni_integrate(agn_scope *s, T weight, T f);
T agni_count_entropy(agn_scope *s, const agn_distribution *d, T mean, T variance);
/* counts.c: log probability of k of Poisson's law; of k of n by it, without large terms that cancel;
   log of n over k */
T agni_poisson_log_mass(agn_scope *s, T rate, T k);
T agni_binomial_log_mass(agn_scope *s, T n, T p, T k);
T agni_log_choose(agn_scope *s, T n, T k);
/* logits.c */
extern const agni_law agni_law_binomial_logits;
/* counts.c: P(p < y), or of p > y, of beta numbers of two shapes each */
T agni_beta_less(agn_scope *s, const agn_distribution *d, const T *p, const T *y, bool less_asked);
/* counts.c: of a negative binomial law by the odds; half: the second parameter of even odds */
T agni_negative_binomial_entropy(agn_scope *s, const agn_distribution *d, T odds, double half);
/* count_tables.c: Poisson's probabilities of mean > 0 along a last axis of whole numbers *count, times
   their step; what lies above x, or to x, by sums of exp(log_prob) over the numbers next to it */
T agni_poisson_table(agn_scope *s, const agn_distribution *d, T mean, T *count);
T agni_count_share(agn_scope *s, const agn_distribution *d, T x, bool above);
/* location_scale.c: log(1 + z^2), where the square of z may overflow too */
T agni_log_one_plus_square(agn_scope *s, T z);

#endif
