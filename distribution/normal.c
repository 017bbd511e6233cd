/* distribution/normal.c - the normal law with mean loc and standard deviation scale. */
#include "distribution/distribution.h"
#include <agnesi/ag.h>

#define LOG_SQRT_2PI 0.91893853320467274178
#define SQRT_HALF 0.70710678118654752440

enum { LOC, SCALE };

static const agn_tensor *standardise(agn_scope *s, const agn_distribution *d, const agn_tensor *x)
{
    return ag_div(s, ag_sub(s, x, d->param[LOC]), d->param[SCALE]);
}

static const agn_tensor *normal_rsample(agn_scope *s, const agn_distribution *d,
                                        const agn_tensor *key, int ndim, const int64_t *shape)
{
    const agn_tensor *z = ag_normal(s, key, d->batch.dtype, ndim, shape);
    return ag_add(s, d->param[LOC], ag_mul(s, d->param[SCALE], z));
}

/* the square of z overflows only where the density has long been 0 */
static const agn_tensor *normal_log_prob(agn_scope *s, const agn_distribution *d,
                                         const agn_tensor *x)
{
    const agn_tensor *half = ag_mul_c(s, ag_square(s, standardise(s, d, x)), -0.5);
    return ag_sub(s, half, ag_add_c(s, ag_log(s, d->param[SCALE]), LOG_SQRT_2PI));
}

static const agn_tensor *normal_cdf(agn_scope *s, const agn_distribution *d, const agn_tensor *x)
{
    return ag_mul_c(s, ag_erfc(s, ag_mul_c(s, standardise(s, d, x), -SQRT_HALF)), 0.5);
}

static const agn_tensor *normal_mean(agn_scope *s, const agn_distribution *d)
{
    (void)s;
    return d->param[LOC];
}
static const agn_tensor *normal_variance(agn_scope *s, const agn_distribution *d)
{
    return ag_square(s, d->param[SCALE]);
}
static const agn_tensor *normal_entropy(agn_scope *s, const agn_distribution *d)
{
    return ag_add_c(s, ag_log(s, d->param[SCALE]), 0.5 + LOG_SQRT_2PI);
}

/* With e = r - 1 for the ratio r of the scales: (r^2 - 1) / 2 - log r = e + e^2 / 2 - log(1 + e),
   which for r near 1 loses half as many digits. */
static const agn_tensor *normal_kl(agn_scope *s, const agn_distribution *p,
                                   const agn_distribution *q)
{
    const agn_tensor *sp = p->param[SCALE], *sq = q->param[SCALE];
    const agn_tensor *e = ag_div(s, ag_sub(s, sp, sq), sq);
    const agn_tensor *near = ag_lt(s, ag_abs(s, e), ag_lit(s, 0.5));
    const agn_tensor *log_r = ag_where(s, near, ag_log1p(s, e), ag_log(s, ag_div(s, sp, sq)));
    const agn_tensor *spread = ag_sub(s, ag_add(s, e, ag_mul_c(s, ag_square(s, e), 0.5)), log_r);
    const agn_tensor *shift = ag_div(s, ag_sub(s, p->param[LOC], q->param[LOC]), sq);
    return ag_add(s, spread, ag_mul_c(s, ag_square(s, shift), 0.5));
}

const agni_law agni_law_normal = {
    .name = "normal",
    .n = 2,
    .param = {"loc", "scale"},
    .positive = {false, true},
    .rsample = normal_rsample,
    .log_prob = normal_log_prob,
    .cdf = normal_cdf,
    .mean = normal_mean,
    .variance = normal_variance,
    .entropy = normal_entropy,
    .kl = normal_kl,
};

agn_status agn_distribution_normal(agn_distribution **out, const agn_tensor *loc,
                                   const agn_tensor *scale, const agn_distribution_options *opts)
{
    return agni_distribution_make(out, "distribution_normal", &agni_law_normal,
                                  (const agn_tensor *[]){loc, scale}, opts);
}
