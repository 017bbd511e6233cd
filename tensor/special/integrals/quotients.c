/* tensor/special/integrals/quotients.c - functions that users know by name and that are made of
   others: quotients whose numerator cancels (Box and Cox 1964), the mean of Gauss (DLMF 19.8.5),
   functions of gamma functions, dilogarithm and eta, parabolic cylinder
   functions (12.7.12, 12.7.14), transport integrals, Hankel functions. */
#include "tensor/special/wide.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef const agn_tensor *value;

static value literal_value(agn_scope *s, double v)
{
    return agni_literal(s, v);
}
/* (e^x - 1) / x = M(1, 2, x); far from 0 as it stands */
static value relative_exp(agn_scope *s, value x)
{
    value small = ag_lt(s, ag_abs(s, x), literal_value(s, 1)),
          near = ag_where(s, small, x, literal_value(s, 0.5)),
          far = ag_where(s, small, literal_value(s, 2), x);
    /* e^x may be beyond the range and its quotient within */
    value large = ag_gt(s, far, literal_value(s, 700)), two = literal_value(s, 2),
          root = ag_exp(s, ag_where(s, large, ag_mul_c(s, far, 0.5), two));
    value quotient = ag_where(s, large, ag_mul(s, root, ag_div(s, root, far)),
                              ag_div(s, ag_expm1(s, ag_where(s, large, two, far)), far));
    return ag_where(s, small, ag_hyp1f1(s, literal_value(s, 1), two, near), quotient);
}
/* log(1 + x) / x = F(1, 1; 2; -x) */
static value relative_log(agn_scope *s, value x)
{
    value small = ag_lt(s, ag_abs(s, x), literal_value(s, 0.5)),
          near = ag_where(s, small, x, literal_value(s, 0.25)),
          far = ag_where(s, small, literal_value(s, 2), x);
    return ag_where(s, small,
                    ag_hyp2f1(s, literal_value(s, 1), literal_value(s, 1), literal_value(s, 2),
                              ag_neg(s, near)),
                    ag_div(s, ag_log1p(s, far), far));
}
static value power_of_log(agn_scope *s, value log_x, value lambda)
{
    return ag_mul(s, log_x, relative_exp(s, ag_mul(s, lambda, log_x)));
}
static value log_of_power(agn_scope *s, value y, value lambda)
{
    return ag_mul(s, y, relative_log(s, ag_mul(s, lambda, y)));
}
AGNI_ONE(exprel, x, relative_exp(s, x))
/* of powers far from 1 as they stand: the exponential of a logarithm loses what that lost, and
   parts of its derivative cancel */
static value box_cox(agn_scope *s, value x, value lambda)
{
    value log_x = ag_log(s, x), one = literal_value(s, 1),
          large = ag_gt(s, ag_abs(s, ag_mul(s, lambda, log_x)), one),
          base = ag_where(s, large, x, one), by = ag_where(s, large, lambda, one);
    /* twice, for there may be no room for all */
    value root = ag_pow(s, base, ag_mul_c(s, by, 0.5));
    value power = ag_sub(s, ag_mul(s, root, ag_div(s, root, by)), ag_reciprocal(s, by));
    value near = power_of_log(s, ag_where(s, large, one, log_x), ag_where(s, large, one, lambda));
    return ag_where(s, large, power, near);
}
AGNI_TWO(boxcox, x, lambda, box_cox(s, x, lambda))
AGNI_TWO(boxcox1p, x, lambda, power_of_log(s, ag_log1p(s, x), lambda))
AGNI_TWO(inv_boxcox, y, lambda, ag_exp(s, log_of_power(s, y, lambda)))
AGNI_TWO(inv_boxcox1p, y, lambda, ag_expm1(s, log_of_power(s, y, lambda)))
AGNI_ONE(cosm1, x, ag_mul_c(s, ag_square(s, ag_sin(s, ag_mul_c(s, x, 0.5))), -2))

/* of means first, whose quotient is in range: pi / 4 (a + b) / K(((a - b) / (a + b))^2), K by
   Carlson's R_F of 4 a b / (a + b)^2 */
static value agm(agn_scope *s, value a, value b)
{
    value half_a = ag_mul_c(s, a, 0.5), half_b = ag_mul_c(s, b, 0.5),
          mean = ag_add(s, half_a, half_b);
    value root = ag_mul(s, ag_sqrt(s, ag_abs(s, a)), ag_sqrt(s, ag_abs(s, b)));
    root = ag_mul(s, root,
                  ag_where(s,
                           ag_ge(s, ag_mul(s, ag_sign(s, a), ag_sign(s, b)), literal_value(s, 0)),
                           ag_sign(s, mean), literal_value(s, (double)NAN)));
    value sum = ag_add(s, mean, root),
          m = ag_div(s, ag_mul_c(s, ag_mul(s, ag_div(s, mean, sum), root), 4), sum);
    return ag_div(s, ag_mul_c(s, sum, AGNI_PI / 4),
                  ag_elliprf(s, literal_value(s, 0), m, literal_value(s, 1)));
}
AGNI_TWO(agm, a, b, agm(s, a, b))
AGNI_ONE(ellipkm1, p, ag_elliprf(s, literal_value(s, 0), p, literal_value(s, 1)))

/* y, whose derivatives are those of exp(log_y), where that is finite: quotients of gamma functions
   leave the range in squares of denominators */
static value with_slope_of(agn_scope *s, value y, value log_y)
{
    value fine = ag_isfinite(s, log_y), zero = literal_value(s, 0),
          log_fine = ag_where(s, fine, log_y, zero);
    value lead = ag_stop_gradient(s, ag_where(s, fine, y, zero)),
          wave = ag_exp(s, ag_sub(s, log_fine, ag_stop_gradient(s, log_fine)));
    return ag_where(s, fine, ag_mul(s, lead, wave), y);
}
AGNI_ONE(gamma, x, with_slope_of(s, ag_reciprocal(s, ag_rgamma(s, x)), ag_lgamma(s, x)))
/* what rounding took from the sum a + b (Moller, BIT 5, 37) */
static value lost_of_sum(agn_scope *s, value a, value b, value sum)
{
    value part = ag_sub(s, sum, a), rest = ag_sub(s, a, ag_sub(s, sum, part));
    return ag_add(s, rest, ag_sub(s, b, part));
}
/* 1 / gamma(x + low) */
static value rgamma_of_parts(agn_scope *s, value x, value low)
{
    int64_t one = 1;
    value slope = agni_apply_in(s, &agni_op_rgamma, &(agni_attr){.ni = 1, .i = &one}, 1, &x);
    return ag_add(s, ag_rgamma(s, x), ag_mul(s, slope, low));
}
/* log gamma(a + b) - log gamma(a) of a from 15 on by Stirling's series (DLMF 5.11.1), whose
   differences are those of logarithms of 1 + b / a */
static value log_gamma_step(agn_scope *s, value a, value b)
{
    static const double stirling[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                      1.0 / 1188, -691.0 / 360360, 1.0 / 156};
    value l = ag_log1p(s, ag_div(s, b, a)), over = ag_reciprocal(s, a), power = over;
    value sum = ag_mul(s, ag_add_c(s, a, -0.5), l);
    sum = ag_add(s, sum, ag_mul(s, b, ag_add_c(s, ag_log(s, ag_add(s, a, b)), -1)));
    for (int k = 0; k < 7; k++) {
        value part = ag_mul(s, power, ag_expm1(s, ag_mul_c(s, l, -(2 * k + 1))));
        sum = ag_add(s, sum, ag_mul_c(s, part, stirling[k]));
        power = ag_mul(s, power, ag_square(s, over));
    }
    return sum;
}
/* x over itself, whose derivatives are those of x over it */
static value over_itself(agn_scope *s, value x)
{
    return ag_div(s, x, ag_stop_gradient(s, x));
}
/* 1, whose derivatives are those of y = exp(more) gamma(a + b) / gamma(a) over y, a and a + b above
   0: below 15 of fifteen factors (a + j) / (a + b + j) = 1 - b / (a + b + j), then of c^b,
   c = a + (b - 1) / 2, whose derivatives beyond order b nearly vanish too, and of a rest */
static value rise_wave(agn_scope *s, value a, value b, value more)
{
    value zero = literal_value(s, 0), wave = literal_value(s, 1);
    value large = ag_ge(s, ag_minimum(s, a, ag_add(s, a, b)), literal_value(s, 15));
    value low = ag_where(s, large, wave, a), by = ag_where(s, large, zero, b);
    for (int j = 0; j < 15; j++) {
        value from = ag_add_c(s, low, j), to = ag_add(s, from, by);
        value part = ag_where(s, ag_lt(s, ag_abs(s, by), from),
                              ag_add_c(s, ag_neg(s, ag_div(s, by, to)), 1), ag_div(s, from, to));
        wave = ag_mul(s, wave, part);
        wave = j % 5 == 4 ? over_itself(s, wave) : wave;
    }
    a = ag_where(s, large, a, ag_add_c(s, low, 15));
    value c = ag_add(s, a, ag_mul_c(s, ag_add_c(s, b, -1), 0.5)), log_c = ag_log(s, c);
    value rest = ag_add(s, ag_sub(s, log_gamma_step(s, a, b), ag_mul(s, b, log_c)), more);
    value moved = ag_sub(s, b, ag_stop_gradient(s, b));
    rest = ag_add(s, ag_sub(s, rest, ag_stop_gradient(s, rest)),
                  ag_mul(s, moved, ag_stop_gradient(s, log_c)));
    wave = ag_mul(s, wave, ag_pow(s, over_itself(s, c), b));
    return ag_mul(s, wave, ag_exp(s, rest));
}
/* y, whose derivatives are those of exp(more) gamma(a + b) / gamma(a): by the logarithm log_rise
   where a or a + b is below 0, or what is above leaves the range */
static value with_rise_of(agn_scope *s, value y, value a, value b, value log_rise, value more)
{
    value zero = literal_value(s, 0), one = literal_value(s, 1);
    value above = ag_logical_and(s, ag_gt(s, a, zero), ag_gt(s, ag_add(s, a, b), zero));
    value inside = ag_isfinite(s, ag_add(s, y, more));
    inside = ag_logical_and(s, inside, ag_lt(s, ag_abs(s, b), literal_value(s, 1e60)));
    above = ag_logical_and(s, above, inside);
    value lead = ag_stop_gradient(s, ag_where(s, above, y, zero));
    value wave = rise_wave(s, ag_where(s, above, a, one), ag_where(s, above, b, one),
                           ag_where(s, above, more, zero));
    value below = with_slope_of(s, y, ag_where(s, above, zero, ag_add(s, log_rise, more)));
    return ag_where(s, above, ag_mul(s, lead, wave), below);
}
/* log gamma(b) less that step of the larger one, else three logarithms of gamma functions */
static value log_beta(agn_scope *s, value a, value b)
{
    value turn = ag_ge(s, a, b), high = ag_where(s, turn, a, b), low = ag_where(s, turn, b, a);
    value far = ag_logical_and(s, ag_ge(s, high, literal_value(s, 15)),
                               ag_gt(s, low, literal_value(s, 0)));
    value one = literal_value(s, 1), x = ag_where(s, far, one, a), y = ag_where(s, far, one, b);
    value near = ag_sub(s, ag_add(s, ag_lgamma(s, x), ag_lgamma(s, y)),
                        ag_lgamma(s, ag_add(s, x, y)));
    high = ag_where(s, far, high, literal_value(s, 20)), low = ag_where(s, far, low, one);
    return ag_where(s, far, ag_sub(s, ag_lgamma(s, low), log_gamma_step(s, high, low)), near);
}
AGNI_TWO(betaln, a, b, log_beta(s, a, b))
/* both below 170: by quotients of gamma functions; else by their logarithms */
static value beta(agn_scope *s, value a, value b)
{
    value sum = ag_add(s, a, b),
          small = ag_lt(s, ag_maximum(s, ag_maximum(s, ag_abs(s, a), ag_abs(s, b)), ag_abs(s, sum)),
                        literal_value(s, 170));
    value x = ag_where(s, small, a, literal_value(s, 1)),
          y = ag_where(s, small, b, literal_value(s, 1)),
          z = ag_where(s, small, sum, literal_value(s, 2));
    value low = ag_where(s, small, lost_of_sum(s, a, b, sum), literal_value(s, 0));
    value near = ag_div(s, ag_div(s, rgamma_of_parts(s, z, low), ag_rgamma(s, y)), ag_rgamma(s, x)); /* products leave the range */
    value p = ag_where(s, small, literal_value(s, 1), a),
          q = ag_where(s, small, literal_value(s, 1), b), nan = literal_value(s, (double)NAN);
    value far = ag_where(
        s, ag_logical_and(s, ag_gt(s, p, literal_value(s, 0)), ag_gt(s, q, literal_value(s, 0))),
        ag_exp(s, log_beta(s, p, q)), nan);
    return with_slope_of(s, ag_where(s, small, near, far), log_beta(s, a, b));
}
AGNI_TWO(beta, a, b, beta(s, a, b))
/* gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1)) */
static value binom(agn_scope *s, value n, value k)
{
    value most = ag_sub(s, n, k), rest = ag_add_c(s, most, 1), up = ag_add_c(s, k, 1),
          all = ag_add_c(s, n, 1); /* next to a pole of gamma what rounding took from the rest is all */
    value low = ag_add(s, lost_of_sum(s, n, ag_neg(s, k), most),
                       lost_of_sum(s, most, literal_value(s, 1), rest)),
          low_all = lost_of_sum(s, n, literal_value(s, 1), all), zero = literal_value(s, 0);
    value small = ag_lt(
        s, ag_maximum(s, ag_maximum(s, ag_abs(s, all), ag_abs(s, up)), ag_abs(s, rest)),
        literal_value(s, 170));
    value x = ag_where(s, small, up, literal_value(s, 1)),
          y = ag_where(s, small, rest, literal_value(s, 1)),
          z = ag_where(s, small, all, literal_value(s, 2));
    value near = ag_div(
        s, ag_mul(s, ag_rgamma(s, x), rgamma_of_parts(s, y, ag_where(s, small, low, zero))),
        rgamma_of_parts(s, z, ag_where(s, small, low_all, zero)));
    value p = ag_where(s, small, literal_value(s, 1), up),
          q = ag_where(s, small, literal_value(s, 1), rest), nan = literal_value(s, (double)NAN);
    value log_far = ag_neg(
        s, ag_add(s, log_beta(s, p, q), ag_log(s, ag_where(s, small, literal_value(s, 1), all))));
    value far = ag_where(
        s, ag_logical_and(s, ag_gt(s, p, literal_value(s, 0)), ag_gt(s, q, literal_value(s, 0))),
        ag_exp(s, log_far), nan);
    value log_up = ag_lgamma(s, up), log_all = ag_sub(s, ag_lgamma(s, all), ag_lgamma(s, rest));
    return with_rise_of(s, ag_where(s, small, near, far), rest, k, log_all, ag_neg(s, log_up));
}
AGNI_TWO(binom, n, k, binom(s, n, k))
/* gamma(z + m) / gamma(z) */
static value rising_factorial(agn_scope *s, value z, value m)
{
    value top = ag_add(s, z, m), limit = literal_value(s, 170), one = literal_value(s, 1);
    value small = ag_lt(s, ag_maximum(s, ag_abs(s, z), ag_abs(s, top)), limit);
    value low = ag_where(s, small, lost_of_sum(s, z, m, top), literal_value(s, 0));
    value near = ag_div(s, ag_rgamma(s, ag_where(s, small, z, one)),
                        rgamma_of_parts(s, ag_where(s, small, top, one), low));
    value least = literal_value(s, 15),
          large = ag_logical_and(s, ag_ge(s, z, least), ag_ge(s, top, least));
    value x = ag_where(s, large, literal_value(s, 1.5), z),
          y = ag_where(s, large, literal_value(s, 1.5), top);
    value step = log_gamma_step(s, ag_where(s, large, z, literal_value(s, 20)),
                                ag_where(s, large, m, one));
    value log_all = ag_where(s, large, step, ag_sub(s, ag_lgamma(s, y), ag_lgamma(s, x)));
    value far = ag_where(s, large, ag_exp(s, step), literal_value(s, (double)NAN));
    return with_rise_of(s, ag_where(s, small, near, far), z, m, log_all, literal_value(s, 0));
}
AGNI_TWO(poch, z, m, rising_factorial(s, z, m))

AGNI_ONE(spence, x, ag_polylog(s, literal_value(s, 2), ag_sub(s, literal_value(s, 1), x)))
AGNI_ONE(dirichlet_eta, order, ag_neg(s, ag_polylog(s, order, literal_value(s, -1))))

/* next to 0 by M, whose parts cancel beyond, of v below 0 by exp(-2 sqrt(-v) x); else by U */
static value parabolic(agn_scope *s, value v, value x)
{
    value right = ag_gt(s, ag_mul(s, x, ag_maximum(s, ag_neg(s, v), literal_value(s, 1))),
                        literal_value(s, 1));
    value a = ag_mul_c(s, v, -0.5), one_half = literal_value(s, 0.5),
          q = ag_mul_c(s, ag_square(s, x), 0.5);
    value near_q = ag_where(s, right, one_half, q),
          near_x = ag_where(s, right, literal_value(s, 1), x),
          far_q = ag_where(s, right, q, literal_value(s, 2));
    value even = ag_mul(s, ag_rgamma(s, ag_add_c(s, a, 0.5)), ag_hyp1f1(s, a, one_half, near_q));
    value odd = ag_mul(s, ag_rgamma(s, a),
                       ag_hyp1f1(s, ag_add_c(s, a, 0.5), literal_value(s, 1.5), near_q));
    odd = ag_mul_c(s, ag_mul(s, odd, near_x), 1.41421356237309504880);
    value near = ag_mul_c(s, ag_sub(s, even, odd), 2 / AGNI_2_SQRTPI);
    value y = ag_where(s, right, ag_hyperu(s, a, one_half, far_q), near);
    value lead = ag_exp(s, ag_sub(s, ag_mul_c(s, v, 0.5 * AGNI_LN2), ag_mul_c(s, q, 0.5)));
    return ag_mul(s, lead, y);
}
AGNI_TWO(parabolic_d, v, x, parabolic(s, v, x))
/* V(a, x) of a = -v - 1/2 by its even and odd part (DLMF 12.2.8, 12.2.9, 12.4.1), each times exp(x^2 / 4) M(.,
   ., -x^2 / 2), which has no large power within */
static value parabolic_second(agn_scope *s, value v, value x)
{
    value q = ag_mul_c(s, ag_square(s, x), 0.5), low = ag_mul_c(s, v, -0.5), one_half = literal_value(s, 0.5);
    value up = ag_mul_c(s, ag_add_c(s, v, 1), 0.5), root = ag_mul_c(s, up, AGNI_LN2);
    /* rgamma((2 + v) / 2)^2 rgamma(-v / 2) and rgamma((1 + v) / 2)^2 rgamma((1 - v) / 2) */
    value even = ag_rgamma(s, ag_add_c(s, up, 0.5)), odd = ag_rgamma(s, up);
    even = ag_mul(s, ag_mul(s, even, ag_rgamma(s, low)), even); /* no square, which overflows */
    odd = ag_mul(s, ag_mul(s, odd, ag_rgamma(s, ag_add_c(s, low, 0.5))), odd);
    even = ag_mul(s, even, ag_hyp1f1(s, ag_add_c(s, ag_neg(s, low), 0.5), one_half, ag_neg(s, q)));
    odd = ag_mul(s, odd, ag_hyp1f1(s, ag_add_c(s, ag_neg(s, low), 1), literal_value(s, 1.5), ag_neg(s, q)));
    odd = ag_mul_c(s, ag_mul(s, odd, x), 1.41421356237309504880);
    value lead = ag_exp(s, ag_mul_c(s, ag_sub(s, ag_mul_c(s, q, 0.5), root), 0.5)); /* its root is in range */
    value y = ag_mul(s, ag_mul_c(s, lead, AGNI_PI * 1.41421356237309504880), ag_add(s, even, odd));
    return ag_mul(s, lead, y);
}
AGNI_TWO(parabolic_v, v, x, parabolic_second(s, v, x))

/* n / (n - 1) x^(n - 1) D_(n-1) - x^n / (e^x - 1) */
agn_status agn_transport(agn_tensor **out, value x, int32_t n)
{
    AGNI_NEED("transport", out);
    AGNI_NEED("transport", x);
    if (n < 2 || n > 21)
        return agni_fail(AGN_EARG, "transport: order %d is not in 2 to 21", (int)n);
    agn_scope *s = agn_scope_open(NULL);
    value first = ag_mul_c(s, ag_debye(s, x, n - 1), n / (n - 1.0)),
          second = ag_reciprocal(s, relative_exp(s, x));
    return agni_return("transport", s, out,
                       ag_mul(s, ag_pow_c(s, x, n - 1), ag_sub(s, first, second)));
}
static agn_status apply_hankel(agn_tensor **out, const char *name, value nu, value x, bool second)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, nu);
    AGNI_NEED(name, x);
    agn_scope *s = agn_scope_open(NULL);
    value y = ag_yv(s, nu, x);
    return agni_return(name, s, out, ag_complex(s, ag_jv(s, nu, x), second ? ag_neg(s, y) : y));
}
agn_status agn_hankel1(agn_tensor **out, value nu, value x)
{
    return apply_hankel(out, "hankel1", nu, x, false);
}
agn_status agn_hankel2(agn_tensor **out, value nu, value x)
{
    return apply_hankel(out, "hankel2", nu, x, true);
}
