/* tensor/special/integrals/deviations.c - how far one number is from another: Kullback's and
   Leibler's term (Ann. Math. Statist. 22, 79), Huber's losses (35, 73), Kolmogorov's distribution
   (Marsaglia, Tsang and Wang, J. Stat. Softw. 8, 18), as compositions. */
#include "tensor/special/special.h"
#include "tensor/special/wide.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef const agn_tensor *value;

static value literal_value(agn_scope *s, double v)
{
    return agni_literal(s, v);
}
/* -x^2 / 2 F(1, 2; 3; -x) next to 0 */
static value log_remainder(agn_scope *s, value x)
{
    value small = ag_lt(s, ag_abs(s, x), literal_value(s, 0.5)),
          near = ag_where(s, small, x, literal_value(s, 0.25)),
          far = ag_where(s, small, literal_value(s, 1), x);
    value f = ag_hyp2f1(s, literal_value(s, 1), literal_value(s, 2), literal_value(s, 3),
                        ag_neg(s, near));
    return ag_where(s, small, ag_mul_c(s, ag_mul(s, ag_square(s, near), f), -0.5),
                    ag_sub(s, ag_log1p(s, far), far));
}
/* log(p / q), of a quotient that leaves the range by both logarithms */
static value log_quotient(agn_scope *s, value p, value q)
{
    value ratio = ag_div(s, p, q), one = literal_value(s, 1);
    value fine = ag_logical_and(s, ag_gt(s, ratio, literal_value(s, 1e-290)),
                                ag_lt(s, ratio, literal_value(s, 1e290)));
    return ag_where(s, fine, ag_log(s, ag_where(s, fine, ratio, one)),
                    ag_sub(s, ag_log(s, p), ag_log(s, q)));
}
/* x log(x / y) - x + y by the remainder of log(1 + (y - x) / x) where both are close */
static value kl_term(agn_scope *s, value x, value y)
{
    value zero = literal_value(s, 0), one = literal_value(s, 1), inf = literal_value(s, INFINITY);
    value inside = ag_logical_and(s, ag_gt(s, x, zero), ag_gt(s, y, zero)),
          p = ag_where(s, inside, x, one), q = ag_where(s, inside, y, one), gap = ag_sub(s, q, p),
          r = ag_div(s, gap, p), close = ag_lt(s, ag_abs(s, r), literal_value(s, 0.5));
    value near = ag_neg(s, ag_mul(s, p, log_remainder(s, ag_where(s, close, r, zero)))),
          far = ag_add(s, ag_mul(s, p, log_quotient(s, p, q)), gap);
    value rest = ag_where(s, ag_logical_and(s, ag_eq(s, x, zero), ag_ge(s, y, zero)), y, inf);
    rest = ag_where(s, ag_logical_or(s, ag_isnan(s, x), ag_isnan(s, y)),
                    literal_value(s, (double)NAN), rest);
    return ag_where(s, inside, ag_where(s, close, near, far), rest);
}
static value huber_loss(agn_scope *s, value delta, value r)
{
    value size = ag_abs(s, r), half = ag_mul_c(s, ag_square(s, r), 0.5);
    value line = ag_mul(s, delta, ag_sub(s, size, ag_mul_c(s, delta, 0.5)));
    value y = ag_where(s, ag_le(s, size, delta), half, line);
    return ag_where(s, ag_lt(s, delta, literal_value(s, 0)), literal_value(s, INFINITY), y);
}
/* 1 / (1 + sqrt(1 + a^2)), |a| at most 2: none of its derivatives cancels */
static value root_share(agn_scope *s, value a)
{
    value one = literal_value(s, 1);
    return ag_reciprocal(s, ag_add(s, one, ag_sqrt(s, ag_add(s, one, ag_square(s, a)))));
}
/* delta^2 (sqrt(1 + (r / delta)^2) - 1) = r^2 w(r / delta), w(a) = 1 / (1 + sqrt(1 + a^2)), and
   beyond 2 delta a line with its remainder, delta (|r| - delta + delta t w(t)), t = delta / |r| */
static value smooth_huber(agn_scope *s, value delta, value r)
{
    value zero = literal_value(s, 0), size = ag_abs(s, r), some = ag_gt(s, delta, zero);
    value d = ag_where(s, some, delta, literal_value(s, 1));
    value far = ag_gt(s, size, ag_mul_c(s, d, 2));
    value outer = ag_where(s, far, size, d), inner = ag_where(s, far, zero, r);
    value t = ag_div(s, d, outer), bend = ag_mul(s, d, ag_mul(s, t, root_share(s, t)));
    value line = ag_mul(s, d, ag_add(s, ag_sub(s, outer, d), bend));
    value bowl = ag_mul(s, inner, ag_mul(s, inner, root_share(s, ag_div(s, inner, d))));
    value rest = ag_where(s, ag_lt(s, delta, zero), literal_value(s, INFINITY),
                          ag_mul(s, delta, zero));
    return ag_where(s, some, ag_where(s, far, line, bowl), rest);
}
/* 2 sum of (-1)^(k - 1) exp(-2 k^2 x^2), or, by Poisson's sum, 1 less sqrt(2 pi) / x times that of
   exp(-(2 k - 1)^2 pi^2 / (8 x^2)) */
static value kolmogorov_tail(agn_scope *s, value x)
{
    value large = ag_ge(s, x, literal_value(s, 0.85)), tiny = ag_lt(s, x, literal_value(s, 0.04)),
          one = literal_value(s, 1);
    value q = ag_mul_c(s, ag_square(s, ag_where(s, large, x, one)), -2), far = NULL, near = NULL;
    for (int k = 6; k >= 1; k--) {
        value term = ag_mul_c(s, ag_exp(s, ag_mul_c(s, q, k * k)), k & 1 ? 2 : -2);
        far = far ? ag_add(s, far, term) : term;
    }
    value y = ag_where(s, ag_logical_or(s, large, tiny), one, x),
          w = ag_mul_c(s, ag_reciprocal(s, ag_square(s, y)), -AGNI_PI * AGNI_PI / 8);
    for (int k = 4; k >= 1; k--) {
        value term = ag_exp(s, ag_mul_c(s, w, (2 * k - 1) * (2 * k - 1)));
        near = near ? ag_add(s, near, term) : term;
    }
    near = ag_sub(s, one, ag_div(s, ag_mul_c(s, near, 2.50662827463100050242), y));
    value least = ag_where(s, ag_isnan(s, x), x, one);
    return ag_where(s, large, far, ag_where(s, tiny, least, ag_where(s, ag_isnan(s, x), x, near)));
}

AGNI_ONE(log1pmx, x, log_remainder(s, x))
AGNI_TWO(kl_div, x, y, kl_term(s, x, y))
AGNI_TWO(huber, delta, r, huber_loss(s, delta, r))
AGNI_TWO(pseudo_huber, delta, r, smooth_huber(s, delta, r))
AGNI_ONE(kolmogorov, x, kolmogorov_tail(s, x))
