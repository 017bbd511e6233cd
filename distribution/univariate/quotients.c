/* distribution/univariate/quotients.c - laws of quotients: Fisher-Snedecor, half Student (Johnson,
   Kotz & Balakrishnan 1995, 27, 28). */
#include "distribution/expression.h"

#include <agnesi/univariate_laws.h>

#define FIRST d->param[0]
#define SECOND d->param[1]
#define MAKE(law, ...) \
    agni_distribution_make(out, &agni_law_##law, (const agn_tensor *[]){__VA_ARGS__}, opts)
#define OPTS const agn_distribution_options *opts

OF_PARAMETERS(zero)
{
    return make_number(s, d, 0);
}

/* ---- Fisher and Snedecor: the quotient of two chi-squared numbers --------------------------- */

#define HALF1 TIMES(FIRST, 0.5)
#define HALF2 TIMES(SECOND, 0.5)

DRAW(fisher_rsample)
{
    T keys = FN(key_split, key, 2);
    T up = FN(random_log_gamma, FN(index_axis, keys, 0, 0), HALF1, ndim, shape);
    T low = FN(random_log_gamma, FN(index_axis, keys, 0, 1), HALF2, ndim, shape);
    return MUL(DIV(SECOND, FIRST), FN(exp, SUB(up, low)));
}
OF_X(fisher_log_prob)
{
    T odds = DIV(MUL(FIRST, x), SECOND);
    T a = MUL(HALF1, FN(log1p, FN(reciprocal, odds))), b = MUL(HALF2, FN(log1p, odds));
    T at_zero = SUB(MUL(HALF1, FN(log, odds)), MUL(ADD(HALF1, HALF2), FN(log1p, odds)));
    T body = SEL(GT(odds, LIT(1)), NEG(ADD(a, b)), at_zero);
    return SUB(body, ADD(FN(log, x), agni_log_beta(s, HALF1, HALF2)));
}
/* the odds of the share of the numerator; the argument of the beta function is the smaller share */
static T fisher_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T odds = DIV(MUL(FIRST, x), SECOND), rest = FN(reciprocal, PLUS(odds, 1));
    T up = SEL(LE(odds, LIT(1)), MUL(odds, rest), LIT(0.5));
    T low = SEL(LE(odds, LIT(1)), LIT(0.5), rest);
    T left = right ? FN(betaincc, HALF1, HALF2, up) : FN(betainc, HALF1, HALF2, up);
    T far = right ? FN(betainc, HALF2, HALF1, low) : FN(betaincc, HALF2, HALF1, low);
    return SEL(LE(odds, LIT(1)), left, far);
}
OF_X(fisher_cdf)
{
    return fisher_share(s, d, x, false);
}
OF_X(fisher_survival)
{
    return fisher_share(s, d, x, true);
}
OF_X(fisher_icdf)
{
    T up = FN(betaincinv, HALF1, HALF2, x), low = FN(betainccinv, HALF2, HALF1, x);
    return MUL(DIV(SECOND, FIRST), DIV(up, low));
}
OF_PARAMETERS(fisher_mean)
{
    return SEL(GT(SECOND, LIT(2)), DIV(SECOND, PLUS(SECOND, -2)), LIT((double)INFINITY));
}
OF_PARAMETERS(fisher_variance)
{
    T less = PLUS(SECOND, -2), sum = PLUS(ADD(FIRST, SECOND), -2);
    T v = DIV(MUL(TIMES(FN(square, DIV(SECOND, less)), 2), sum), MUL(FIRST, PLUS(SECOND, -4)));
    return SEL(GT(SECOND, LIT(4)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(fisher_mode)
{
    return MUL(DIV(FN(relu, PLUS(FIRST, -2)), FIRST), DIV(SECOND, PLUS(SECOND, 2)));
}
OF_PARAMETERS(fisher_entropy)
{
    T a = HALF1, b = HALF2, sum = ADD(a, b);
    T up = MUL(SUB(LIT(1), a), FN(digamma, a)), low = MUL(PLUS(b, 1), FN(digamma, b));
    T rest = ADD(SUB(up, low), MUL(sum, FN(digamma, sum)));
    return ADD(rest, ADD(FN(log, DIV(SECOND, FIRST)), agni_log_beta(s, a, b)));
}
static const agni_law agni_law_fisher_snedecor = {
    .name = "fisher_snedecor",
    .n = 2,
    .param = {"df1", "df2"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = fisher_rsample,
    .log_prob = fisher_log_prob,
    .cdf = fisher_cdf,
    .survival = fisher_survival,
    .icdf = fisher_icdf,
    .mean = fisher_mean,
    .variance = fisher_variance,
    .mode = fisher_mode,
    .entropy = fisher_entropy,
};
agn_status agn_distribution_fisher_snedecor(agn_distribution **out, const agn_tensor *df1,
                                            const agn_tensor *df2, OPTS)
{
    return MAKE(fisher_snedecor, df1, df2);
}

/* ---- half Student: the magnitude of Student's number ---------------------------------------- */

DRAW(half_student_rsample)
{
    T keys = FN(key_split, key, 2), half = HALF1;
    T z = FN(normal, FN(index_axis, keys, 0, 0), d->batch.dtype, ndim, shape);
    T log_g = FN(random_log_gamma, FN(index_axis, keys, 0, 1), half, ndim, shape);
    T t = MUL(FN(abs, z), FN(exp, TIMES(SUB(FN(log, half), log_g), 0.5)));
    return MUL(SECOND, t);
}
OF_X(half_student_log_prob)
{
    T log_1z2 = agni_log_one_plus_square(s, DIV(DIV(x, SECOND), FN(sqrt, FIRST)));
    T unit = SUB(agni_log_gamma_half_step(s, HALF1), TIMES(PLUS(FN(log, FIRST), LOG_PI), 0.5));
    T body = ADD(FN(log, SECOND), MUL(TIMES(PLUS(FIRST, 1), 0.5), log_1z2));
    return PLUS(SUB(unit, body), LOG_2);
}
static T half_student_share(agn_scope *s, const agn_distribution *d, T x, bool right)
{
    T half = make_number(s, d, 0.5), root = FN(sqrt, FIRST), all = DIV(x, SECOND);
    T outer = GT(all, TIMES(root, AGNI_STUDENT_FAR)), z = SEL(outer, LIT(1), all);
    T h = FN(hypot, root, z), near = LE(z, root), up = SEL(near, FN(square, DIV(z, h)), LIT(0.5));
    T low = SEL(near, LIT(0.5), FN(square, DIV(root, h)));
    T left = right ? FN(betaincc, half, HALF1, up) : FN(betainc, half, HALF1, up);
    T far = right ? FN(betainc, HALF1, half, low) : FN(betaincc, HALF1, half, low);
    T l = agni_student_far_log_tails(s, FIRST, SEL(outer, all, LIT(1)));
    return SEL(outer, right ? FN(exp, l) : NEG(FN(expm1, l)), SEL(near, left, far));
}
OF_X(half_student_cdf)
{
    return half_student_share(s, d, x, false);
}
OF_X(half_student_survival)
{
    return half_student_share(s, d, x, true);
}
OF_X(half_student_icdf)
{
    T half = make_number(s, d, 0.5);
    T up = FN(betaincinv, half, HALF1, x), low = FN(betainccinv, HALF1, half, x);
    T far = agni_student_far_quantile(s, FIRST, FN(log1p, NEG(x)));
    T z = SEL(GT(far, TIMES(FN(sqrt, FIRST), AGNI_STUDENT_FAR)), far,
              FN(sqrt, MUL(FIRST, DIV(up, low))));
    return MUL(SECOND, z);
}
OF_PARAMETERS(half_student_mean)
{
    T g = FN(exp, agni_log_gamma_half_step(s, HALF1)), r = TIMES(FN(sqrt, FIRST), 2 / sqrt(PI));
    T v = MUL(SECOND, DIV(MUL(g, r), PLUS(FIRST, -1)));
    return SEL(GT(FIRST, LIT(1)), v, LIT((double)INFINITY));
}
OF_PARAMETERS(half_student_variance)
{
    T square = DIV(MUL(FN(square, SECOND), FIRST), PLUS(FIRST, -2));
    T v = SUB(square, FN(square, half_student_mean(s, d)));
    T heavy = SEL(GT(FIRST, LIT(1)), LIT((double)INFINITY), LIT((double)NAN));
    return SEL(GT(FIRST, LIT(2)), v, heavy);
}
OF_PARAMETERS(half_student_entropy)
{
    T half = HALF1, rest = TIMES(PLUS(FN(log, FIRST), LOG_PI), 0.5);
    rest = SUB(rest, agni_log_gamma_half_step(s, half));
    rest = ADD(MUL(PLUS(half, 0.5), agni_digamma_step(s, half, 0.5)), rest);
    return PLUS(ADD(rest, FN(log, SECOND)), -LOG_2);
}
static const agni_law agni_law_half_student_t = {
    .name = "half_student_t",
    .n = 2,
    .param = {"df", "scale"},
    .domain = {AGNI_POSITIVE, AGNI_POSITIVE},
    .support = AGN_SUPPORT_NONNEGATIVE,
    .rsample = half_student_rsample,
    .log_prob = half_student_log_prob,
    .cdf = half_student_cdf,
    .survival = half_student_survival,
    .icdf = half_student_icdf,
    .mean = half_student_mean,
    .variance = half_student_variance,
    .mode = zero,
    .entropy = half_student_entropy,
};
agn_status agn_distribution_half_student_t(agn_distribution **out, const agn_tensor *df,
                                           const agn_tensor *scale, OPTS)
{
    return MAKE(half_student_t, df, scale);
}
