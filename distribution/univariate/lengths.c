/* distribution/univariate/lengths.c - laws of lengths of normal vectors: Rayleigh, Maxwell
   (Johnson, Kotz & Balakrishnan 1994, 18). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)
#define OPTS const agn_distribution_options *opts

OF_PARAMETERS(first)
{
    (void)s;
    return FIRST;
}

/* ---- Rayleigh and Maxwell: lengths of normal vectors of two and three numbers --------------- */

OF_X(half_square)
{
    return TIMES(FN(square, DIV(x, FIRST)), 0.5);
}

DRAW(rayleigh_rsample)
{
    T e = FN(exponential, key, d->batch.dtype, ndim, shape);
    return MUL(FIRST, FN(sqrt, TIMES(e, 2)));
}
OF_X(rayleigh_log_prob)
{
    T r = SUB(FN(log, x), TIMES(FN(log, FIRST), 2));
    return SUB(r, half_square(s, d, x));
}
OF_X(rayleigh_log_survival)
{
    return NEG(half_square(s, d, x));
}
OF_X(rayleigh_survival)
{
    return FN(exp, rayleigh_log_survival(s, d, x));
}
OF_X(rayleigh_cdf)
{
    return NEG(FN(expm1, rayleigh_log_survival(s, d, x)));
}
OF_X(rayleigh_icdf)
{
    return MUL(FIRST, FN(sqrt, TIMES(FN(log1p, NEG(x)), -2)));
}
OF_PARAMETERS(rayleigh_mean)
{
    return TIMES(FIRST, sqrt(PI / 2));
}
OF_PARAMETERS(rayleigh_variance)
{
    return TIMES(FN(square, FIRST), 2 - PI / 2);
}
OF_PARAMETERS(rayleigh_entropy)
{
    return PLUS(FN(log, FIRST), 1 + 0.5 * (EULER - LOG_2));
}
static const agni_law agni_law_rayleigh = {
    .name = "rayleigh",
    .n = 1,
    .param = {"scale"},
    .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = rayleigh_rsample,
    .log_prob = rayleigh_log_prob,
    .cdf = rayleigh_cdf,
    .survival = rayleigh_survival,
    .log_survival = rayleigh_log_survival,
    .icdf = rayleigh_icdf,
    .mean = rayleigh_mean,
    .variance = rayleigh_variance,
    .mode = first,
    .entropy = rayleigh_entropy,
};
agn_status agn_distribution_rayleigh(agn_distribution **out, const agn_tensor *scale, OPTS)
{
    return MAKE(rayleigh, scale);
}

static T three_halves(agn_scope *s, const agn_distribution *d)
{
    return make_number(s, d, 1.5);
}
DRAW(maxwell_rsample)
{
    T keys = FN(key_split, key, 3), sum = NULL;
    for (int64_t k = 0; k < 3; k++) {
        T z = FN(normal, FN(index_axis, keys, 0, k), d->batch.dtype, ndim, shape);
        sum = sum ? ADD(sum, FN(square, z)) : FN(square, z);
    }
    return MUL(FIRST, FN(sqrt, sum));
}
OF_X(maxwell_log_prob)
{
    T r = SUB(FN(log, DIV(x, FIRST)), TIMES(half_square(s, d, x), 0.5));
    return PLUS(SUB(TIMES(r, 2), FN(log, FIRST)), 0.5 * (LOG_2 - LOG_PI));
}
OF_X(maxwell_cdf)
{
    return FN(gammainc, three_halves(s, d), half_square(s, d, x));
}
OF_X(maxwell_survival)
{
    return FN(gammaincc, three_halves(s, d), half_square(s, d, x));
}
OF_X(maxwell_icdf)
{
    return MUL(FIRST, FN(sqrt, TIMES(FN(gammaincinv, three_halves(s, d), x), 2)));
}
OF_PARAMETERS(maxwell_mean)
{
    return TIMES(FIRST, 2 * sqrt(2 / PI));
}
OF_PARAMETERS(maxwell_variance)
{
    return TIMES(FN(square, FIRST), 3 - 8 / PI);
}
OF_PARAMETERS(maxwell_mode)
{
    return TIMES(FIRST, sqrt(2));
}
OF_PARAMETERS(maxwell_entropy)
{
    return PLUS(FN(log, FIRST), LOG_SQRT_2PI + EULER - 0.5);
}
static const agni_law agni_law_maxwell = {
    .name = "maxwell",
    .n = 1,
    .param = {"scale"},
    .domain = {AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = maxwell_rsample,
    .log_prob = maxwell_log_prob,
    .cdf = maxwell_cdf,
    .survival = maxwell_survival,
    .icdf = maxwell_icdf,
    .mean = maxwell_mean,
    .variance = maxwell_variance,
    .mode = maxwell_mode,
    .entropy = maxwell_entropy,
};
agn_status agn_distribution_maxwell(agn_distribution **out, const agn_tensor *scale, OPTS)
{
    return MAKE(maxwell, scale);
}
