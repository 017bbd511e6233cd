/* tensor/special/laws/distribution_functions.c - cumulative distribution functions by their
   parameters, with complements and inverses, as incomplete gamma and beta functions (Abramowitz and
   Stegun 26.4 to 26.6); logarithms of these where they underflow, by hypergeometric functions (DLMF
   8.5.1, 8.5.3, 8.17.8). */
#include "tensor/special/wide.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>
#include <math.h>
#include <agnesi/integrals.h>

typedef const agn_tensor *value;

static value halve_value(agn_scope *s, value x)
{
    return ag_mul_c(s, x, 0.5);
}
static value add_one(agn_scope *s, value k)
{
    return ag_add_c(s, ag_floor(s, k), 1);
}

AGNI_TWO(pdtr, k, m, ag_gammaincc(s, add_one(s, k), m))
AGNI_TWO(pdtrc, k, m, ag_gammainc(s, add_one(s, k), m))
AGNI_TWO(pdtri, k, p, ag_gammainccinv(s, add_one(s, k), p))
AGNI_TWO(chdtr, v, x, ag_gammainc(s, halve_value(s, v), halve_value(s, x)))
AGNI_TWO(chdtrc, v, x, ag_gammaincc(s, halve_value(s, v), halve_value(s, x)))
AGNI_TWO(chdtri, v, p, ag_mul_c(s, ag_gammainccinv(s, halve_value(s, v), p), 2))
/* a x, NaN where it leaves the range: a power of it does not */
static value scaled_argument(agn_scope *s, value a, value x)
{
    value y = ag_mul(s, a, x), zero = agni_literal(s, 0);
    value lost = ag_logical_and(s, ag_eq(s, y, zero),
                                ag_logical_and(s, ag_ne(s, a, zero), ag_ne(s, x, zero)));
    return ag_where(s, lost, agni_literal(s, (double)NAN), y);
}
AGNI_THREE(gdtr, a, b, x, ag_gammainc(s, b, scaled_argument(s, a, x)))
AGNI_THREE(gdtrc, a, b, x, ag_gammaincc(s, b, scaled_argument(s, a, x)))
AGNI_THREE(gdtrix, a, b, p, ag_div(s, ag_gammaincinv(s, b, p), a))
AGNI_THREE(bdtr, k, n, p, ag_betaincc(s, add_one(s, k), ag_sub(s, n, ag_floor(s, k)), p))
AGNI_THREE(bdtrc, k, n, p, ag_betainc(s, add_one(s, k), ag_sub(s, n, ag_floor(s, k)), p))
AGNI_THREE(bdtri, k, n, y, ag_betainccinv(s, add_one(s, k), ag_sub(s, n, ag_floor(s, k)), y))
AGNI_THREE(nbdtr, k, n, p, ag_betainc(s, n, add_one(s, k), p))
AGNI_THREE(nbdtrc, k, n, p, ag_betaincc(s, n, add_one(s, k), p))
AGNI_THREE(nbdtri, k, n, y, ag_betaincinv(s, n, add_one(s, k), y))

/* u / (1 - u), both parts by an inverse of their own */
static value odds(agn_scope *s, value a, value b, value p)
{
    return ag_div(s, ag_betaincinv(s, a, b, p), ag_betainccinv(s, b, a, p));
}
AGNI_THREE(fdtri, dfn, dfd, p,
      ag_mul(s, ag_div(s, dfd, dfn), odds(s, halve_value(s, dfn), halve_value(s, dfd), p)))

static value student_quantile(agn_scope *s, value df, value p)
{
    value one = agni_literal(s, 1), low = ag_lt(s, p, agni_literal(s, 0.5)),
          q = ag_where(s, low, p, ag_sub(s, one, p));
    value ratio = odds(s, agni_literal(s, 0.5), halve_value(s, df),
                       ag_sub(s, one, ag_mul_c(s, q, 2)));
    value a = halve_value(s, df), h = agni_literal(s, 0.5), share = ag_mul_c(s, q, 2);
    value low_odds = odds(s, a, h, share);
    /* where these leave the range, by I_x(a, 1/2) = x^a / (a B(a, 1/2)), and that x = df / t^2 */
    value lost = ag_lt(s, low_odds, agni_literal(s, 1e-290));
    value base = ag_where(s, lost, ag_mul(s, share, ag_mul(s, a, ag_beta(s, a, h))), one);
    value far = ag_mul(s, ag_sqrt(s, df), ag_pow(s, base, ag_div(s, agni_literal(s, -0.5), a)));
    value direct = ag_reciprocal(s, ag_where(s, lost, one, low_odds));
    value t = ag_sqrt(
        s, ag_mul(s, df, ag_where(s, ag_lt(s, q, agni_literal(s, 0.25)), direct, ratio)));
    t = ag_where(s, lost, far, t);
    return ag_where(s, low, ag_neg(s, t), t);
}
AGNI_TWO(stdtrit, df, p, student_quantile(s, df, p))

/* log p, whose derivatives have p and its own as parts of p: their squares leave the range */
static value log_of_small(agn_scope *s, value p)
{
    value here = ag_stop_gradient(s, p);
    return ag_add(s, ag_log(s, here), ag_log(s, ag_mul(s, p, ag_reciprocal(s, here))));
}
/* log p by its complement next to 1; of a tail by far, if that is known: of a p that is in range
   its derivatives alone, as those of log p cancel */
static value log_of(agn_scope *s, value p, value rest, value far)
{
    value known = ag_isfinite(s, far), half = agni_literal(s, 0.5), large = ag_gt(s, p, half);
    value tiny = ag_lt(s, p, agni_literal(s, 1e-307)); /* of what is larger 1 / p is in range */
    value tail = ag_logical_and(s, known, ag_lt(s, p, agni_literal(s, 1e-2)));
    value slope = ag_where(s, tail, far, half);
    slope = ag_sub(s, slope, ag_stop_gradient(s, slope));
    value log_p = log_of_small(s, ag_where(s, ag_logical_or(s, tiny, tail), half, p)),
          fixed = ag_log(s, ag_stop_gradient(s, ag_where(s, tiny, half, p)));
    value side = ag_log1p(s, ag_neg(s, ag_where(s, large, rest, half)));
    return ag_where(
        s, tiny, far,
        ag_where(s, large, side, ag_where(s, tail, ag_add(s, fixed, slope), log_p)));
}
static value log_gamma_below(agn_scope *s, value a, value x)
{
    value up = ag_add_c(s, a, 1), m = ag_hyp1f1(s, agni_literal(s, 1), up, x);
    value far = ag_add(s, ag_sub(s, ag_xlogy(s, a, x), ag_add(s, x, ag_lgamma(s, up))),
                       ag_log(s, m));
    return log_of(s, ag_gammainc(s, a, x), ag_gammaincc(s, a, x), far);
}
static value log_gamma_above(agn_scope *s, value a, value x)
{
    value u = ag_hyperu(s, agni_literal(s, 1), ag_add_c(s, a, 1), x);
    value far = ag_add(s, ag_sub(s, ag_xlogy(s, a, x), ag_add(s, x, ag_lgamma(s, a))),
                       ag_log(s, u));
    return log_of(s, ag_gammaincc(s, a, x), ag_gammainc(s, a, x), far);
}
AGNI_TWO(log_gammainc, a, x, log_gamma_below(s, a, x))
AGNI_TWO(log_gammaincc, a, x, log_gamma_above(s, a, x))

/* log of x^a (1 - x)^b / (a B(a, b)) F(a + b, 1; a + 1; x) */
static value log_beta_far(agn_scope *s, value a, value b, value x, value other)
{
    value f = ag_hyp2f1(s, ag_add(s, a, b), agni_literal(s, 1), ag_add_c(s, a, 1), x);
    value powers = ag_add(s, ag_xlogy(s, a, x), ag_xlogy(s, b, other));
    return ag_add(s, ag_sub(s, powers, ag_add(s, ag_log(s, a), ag_betaln(s, a, b))), ag_log(s, f));
}
static value log_beta_below(agn_scope *s, value a, value b, value x, bool upper)
{
    value p = ag_betainc(s, a, b, x), q = ag_betaincc(s, a, b, x),
          other = ag_sub(s, agni_literal(s, 1), x);
    return upper ? log_of(s, q, p, log_beta_far(s, b, a, other, x))
                 : log_of(s, p, q, log_beta_far(s, a, b, x, other));
}
AGNI_THREE(log_betainc, a, b, x, log_beta_below(s, a, b, x, false))
AGNI_THREE(log_betaincc, a, b, x, log_beta_below(s, a, b, x, true))
