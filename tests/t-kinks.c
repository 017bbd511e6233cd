/* tests/t-kinks.c - derivatives where there is a choice to make: kinks, ties, zeros that
   meet infinities, and values that carry no derivative. Expected numbers follow from the
   rules of doc/autograd.rst: one winner, the first; abs' = relu' = 0 at 0; a structural zero
   times anything is 0, another zero times infinity is not finite. */
#include "deriv.h"
#include "tensor/dispatch/op.h"

enum { N = 4 };
#define NONE 1e300 /* no derivative: not finite, in every mode */
typedef T body(agn_scope *s, T x);

typedef struct kink {
    const char *name;
    body *f; /* to a scalar, or summed */
    int n;   /* 0: shape [] */
    double x[N], v[N], d[3]; /* NAN: not asked */
} kink;

#define F(name, expression) \
    static T name(agn_scope *s, T x) \
    { \
        return expression; \
    }
#define LIT(c) ag_lit(s, c)
#define AT(i) ag_index_axis(s, x, 0, i)

F(k_abs, ag_abs(s, x))
F(k_relu, ag_relu(s, x))
F(k_sign, ag_sign(s, x))
F(k_sign_of_pole, ag_sign(s, ag_div(s, LIT(1), ag_relu(s, ag_mul_c(s, x, -3)))))
F(k_floor, ag_mul(s, x, ag_floor(s, x)))
F(k_max_self, ag_maximum(s, x, x))
F(k_min_self, ag_minimum(s, x, x))
F(k_max_tie, ag_maximum(s, ag_mul(s, x, x), ag_mul(s, ag_mul(s, x, x), x)))
F(k_max_tie_swapped, ag_maximum(s, ag_mul(s, ag_mul(s, x, x), x), ag_mul(s, x, x)))
F(k_min_tie, ag_minimum(s, ag_mul(s, x, x), ag_mul(s, ag_mul(s, x, x), x)))
F(k_clamp, ag_maximum_c(s, x, 0))
F(k_sqrt_of_zero, ag_sqrt(s, ag_mul_c(s, x, 0)))
F(k_sqrt_guarded, ag_where(s, ag_gt(s, x, LIT(0)), ag_sqrt(s, x), ag_mul_c(s, x, 2)))
F(k_where_zero_sqrt, ag_where(s, ag_ge(s, x, LIT(0)), ag_mul(s, ag_mul_c(s, x, 0), ag_sqrt(s, x)),
                              ag_sqrt(s, ag_neg(s, x))))
F(k_norm, ag_sqrt(s, ag_sum_all(s, ag_square(s, x))))
F(k_hypot, ag_hypot(s, AT(0), AT(1)))
F(k_atan2, ag_atan2(s, AT(0), AT(1)))
F(k_pow0, ag_pow_c(s, x, 0))
F(k_pow1, ag_pow_c(s, x, 1))
F(k_pow2, ag_pow_c(s, x, 2))
F(k_pow3, ag_pow_c(s, x, 3))
F(k_pow4, ag_pow_c(s, x, 4))
F(k_pow_x0, ag_pow(s, ag_mul_c(s, x, 0), ag_add_c(s, x, 2)))
F(k_pow_negative, ag_pow_c(s, x, 3))
F(k_xlogx, ag_where(s, ag_gt(s, x, LIT(0)), ag_mul(s, x, ag_log(s, x)), LIT(0)))
F(k_where_log, ag_where(s, ag_gt(s, x, LIT(0)), ag_log(s, x), ag_mul(s, x, x)))
F(k_sinc, ag_where(s, ag_ne(s, x, LIT(0)), ag_div(s, ag_sin(s, x), x), LIT(1)))
F(k_where_exp, ag_where(s, ag_lt(s, x, LIT(700)), ag_exp(s, x), x))
F(k_where_sin, ag_where(s, ag_ne(s, x, LIT(0)), ag_mul(s, x, ag_sin(s, ag_div(s, LIT(1), x))), x))
F(k_where_cos, ag_where(s, ag_lt(s, x, LIT(700)), ag_cos(s, x), x))
F(k_where_tan, ag_where(s, ag_lt(s, x, LIT(700)), ag_tan(s, x), x))
F(k_relu_low, ag_relu(s, ag_sub_c(s, ag_sqrt(s, x), 1)))
F(k_maximum_low, ag_maximum_c(s, ag_sqrt(s, x), 1))
F(k_minimum_high, ag_minimum_c(s, ag_neg(s, ag_sqrt(s, x)), -1))
F(k_where_nan, ag_where(s, ag_lt(s, x, LIT(0)), x, ag_mul(s, x, ag_log(s, ag_sub_c(s, x, 9)))))
F(k_prod, ag_prod(s, x, NULL, 0, false))
F(k_max3, ag_max(s, x, NULL, 0, false))
F(k_min3, ag_min(s, ag_square(s, x), NULL, 0, false))
F(k_logsumexp, ag_logsumexp(s, x, NULL, 0, false))
F(k_cumprod, ag_mul(s, AT(0), ag_mul(s, AT(1), AT(0))))
F(k_tanh, ag_tanh(s, x))
F(k_sigmoid, ag_sigmoid(s, x))
F(k_softplus, ag_softplus(s, x))
F(k_erf, ag_erf(s, x))
F(k_gelu, ag_gelu(s, x))
F(k_exp, ag_exp(s, x))
F(k_atan, ag_atan(s, x))
F(k_stop, ag_mul(s, ag_mul(s, x, x), ag_stop_gradient(s, x)))
F(k_stop_all, ag_stop_gradient(s, ag_mul(s, x, x)))
F(k_identity, agn_scope_status(s) ? NULL : x)
F(k_abs_complex, ag_abs(s, ag_complex(s, AT(0), AT(1))))
F(k_sign_complex, ag_real(s, ag_sign(s, ag_complex(s, AT(0), AT(1)))))
F(k_div_zero, ag_div(s, ag_mul_c(s, x, 0), x))
F(k_round, ag_add(s, ag_round(s, x), ag_mul(s, x, x)))

F(k_amax, ag_amax(s, x, NULL, 0, false))
F(k_amin, ag_amin(s, ag_square(s, x), NULL, 0, false))
F(k_cumprod3, ag_cumprod(s, x, 0, 0))
static T k_cummax(agn_scope *s, T x)
{
    agn_tensor *v = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_cummax(&v, NULL, ag_square(s, x), 0);
    return agn_scope_adopt(s, st, &v);
}
F(k_dist1, ag_dist(s, x, ag_stop_gradient(s, x), 1))
F(k_dist2, ag_dist(s, x, ag_stop_gradient(s, x), 2))
F(k_dist3, ag_dist(s, x, ag_stop_gradient(s, x), 3))
F(k_dist_inf, ag_dist(s, x, ag_stop_gradient(s, x), (double)INFINITY))
F(k_pdist, ag_sum_all(s, ag_pdist(s, ag_reshape(s, x, 2, (int64_t[]){2, 2}), 2)))
F(k_std, ag_std(s, x, NULL, 0, 1, false))
F(k_lcse, ag_logcumsumexp(s, x, 0, 0))

F(k_sqrt, ag_sqrt(s, x))
F(k_cbrt, ag_cbrt(s, x))
F(k_acosh, ag_acosh(s, x))
F(k_entr, ag_entr(s, x))
F(k_xlogy, ag_xlogy(s, x, x))
F(k_xlogy_const, ag_xlogy(s, x, LIT(2)))
F(k_xlogy_zero, ag_xlogy(s, ag_mul_c(s, x, 0), x))
F(k_xlogy_held, ag_xlogy(s, LIT(0), x))
F(k_xlog1py, ag_xlog1py(s, ag_mul_c(s, x, 0), ag_sub_c(s, x, 1)))
F(k_rel_entr, ag_rel_entr(s, ag_mul_c(s, x, 0), x))
F(k_pnorm, ag_pnorm(s, x, 2, NULL, 0, false))
F(k_pnorm4, ag_pnorm(s, x, 4, NULL, 0, false))
F(k_pnorm_half, ag_pnorm(s, x, 0.5, NULL, 0, false))
F(k_pnorm_z, ag_pnorm(s, ag_complex(s, x, x), 2, NULL, 0, false))
F(k_dist_part, ag_dist(s, x, ag_mul(s, ag_arange(s, AGN_F64, 0, 2, 1), LIT(7)), 2))
F(k_weight_norm, ag_nn_weight_norm(s, ag_reshape(s, x, 3, (int64_t[]){1, 2, 2}),
                                   ag_ones(s, AGN_F64, 1, (int64_t[]){1}), 0))
F(k_root_abs, ag_sqrt(s, ag_abs(s, x)))
F(k_root_copysign, ag_sqrt(s, ag_copysign(s, x, LIT(1))))
F(k_log_abs, ag_log(s, ag_abs(s, x)))
F(k_log_step, ag_log(s, ag_heaviside(s, LIT(-1), x)))
F(k_root_sinc, ag_sqrt(s, ag_sub(s, LIT(1), ag_sinc(s, x))))
F(k_lse_inf, ag_logsumexp(s, ag_where(s, ag_gt(s, x, LIT(5)), LIT((double)INFINITY), x), NULL, 0, false))
F(k_pow_half, ag_pow_c(s, x, 2.5))
F(k_pow_var, ag_pow(s, x, ag_add_c(s, x, 3)))
F(k_prod_scaled, ag_mul(s, ag_prod(s, x, NULL, 0, false), AT(0)))
F(k_cumprod_reverse, ag_cumprod(s, x, 0, AGN_SCAN_REVERSE))
F(k_abs_z, ag_abs(s, ag_mul(s, ag_complex(s, AT(0), AT(1)), ag_complex(s, AT(1), AT(0)))))
F(k_lse_tie, ag_logsumexp(s, ag_square(s, x), NULL, 0, false))
F(k_lse_far, ag_logsumexp(s, ag_neg(s, ag_reciprocal(s, x)), NULL, 0, false))
F(k_heaviside, ag_heaviside(s, ag_mul_c(s, x, 0), ag_square(s, x)))
F(k_heaviside_step, ag_heaviside(s, x, ag_add_c(s, ag_square(s, x), 2)))
F(k_logaddexp, ag_logaddexp(s, AT(0), AT(1)))
F(k_zero_inf, ag_where(s, ag_gt(s, x, LIT(1)), ag_exp(s, ag_exp(s, x)), ag_square(s, x)))
F(k_reciprocal_zero, ag_where(s, ag_eq(s, x, LIT(0)), x, ag_reciprocal(s, x)))

static T k_sort(agn_scope *s, T x)
{
    const double w[4] = {1, 2, 3, 4};
    return ag_mul(s, ag_from_host(s, AGN_F64, 1, (int64_t[]){4}, w), ag_sort(s, x, 0, false));
}
F(k_sort_squares, k_sort(s, ag_square(s, x)))
static T k_sort_down(agn_scope *s, T x)
{
    const double w[4] = {1, 2, 3, 4};
    return ag_mul(s, ag_from_host(s, AGN_F64, 1, (int64_t[]){4}, w), ag_sort(s, x, 0, true));
}
/* the last of two writes to one place stands */
static T k_put(agn_scope *s, T x)
{
    T i = ag_from_host(s, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){1, 1, 0});
    T zero = ag_full(s, AGN_F64, 1, (int64_t[]){2}, 0);
    T y = ag_index_put(s, zero, AGN_IX(agn_ix_array(i)), ag_square(s, x));
    return ag_mul(s, y, ag_arange(s, AGN_F64, 1, 3, 1));
}

#define INF (double)INFINITY
static const kink table[] = {
    {"abs at 0", k_abs, 0, {0}, {1}, {0, 0, 0}},
    {"abs at -0", k_abs, 0, {-0.0}, {1}, {0, 0, 0}},
    {"abs at -2", k_abs, 0, {-2}, {1}, {-1, 0, 0}},
    {"relu at 0", k_relu, 0, {0}, {1}, {0, 0, 0}},
    {"relu beside 0", k_relu, 2, {1e-300, -1e-300}, {1, 4}, {1, 0, 0}},
    {"sign", k_sign, 3, {-1, 0, 2}, {1, 1, 1}, {0, 0, 0}},
    {"sign(1 / relu(-3 x)) at 0 and -0", k_sign_of_pole, 3, {0, -0.0, 2}, {1, 1, 1}, {0, 0, 0}},
    {"x floor(x)", k_floor, 2, {2.5, 3}, {1, 1}, {5, 0, 0}},
    {"x^2 + round(x)", k_round, 2, {0.5, 1.7}, {1, 1}, {4.4, 4, 0}},
    {"maximum(x, x)", k_max_self, 0, {1.3}, {1}, {1, 0, 0}},
    {"minimum(x, x)", k_min_self, 0, {1.3}, {1}, {1, 0, 0}},
    {"maximum(x^2, x^3) at 1", k_max_tie, 0, {1}, {1}, {2, 2, 0}},
    {"maximum(x^3, x^2) at 1", k_max_tie_swapped, 0, {1}, {1}, {3, 6, 6}},
    {"minimum(x^2, x^3) at 1", k_min_tie, 0, {1}, {1}, {2, 2, 0}},
    {"maximum(x, 0) at 0", k_clamp, 0, {0}, {1}, {1, 0, 0}},
    {"sqrt(0 x)", k_sqrt_of_zero, 0, {3}, {1}, {0, 0, 0}},
    {"sqrt where positive", k_sqrt_guarded, 3, {0, -1, 4}, {1, 1, 1}, {4.25, -1.0 / 32, 3.0 / 256}},
    {"where(x >= 0, 0 x sqrt(x), sqrt(-x)) at 0", k_where_zero_sqrt, 0, {0}, {1}, {NONE, NONE, NONE}},
    {"norm at 0", k_norm, 3, {0, 0, 0}, {1, 2, 3}, {0, NONE, NONE}},
    {"hypot(0, 0)", k_hypot, 2, {0, 0}, {3, 4}, {0, NONE, NONE}},
    {"hypot(0, 2)", k_hypot, 2, {0, 2}, {1, 0}, {0, 0.5, 0}},
    {"atan2(0, 0)", k_atan2, 2, {0, 0}, {3, 4}, {0, NONE, NONE}},
    {"atan2(0, -1)", k_atan2, 2, {0, -1}, {1, 0}, {-1, 0, 2}},
    {"pow(0, 0)", k_pow0, 0, {0}, {1}, {0, 0, 0}},
    {"pow(0, 1)", k_pow1, 0, {0}, {1}, {1, 0, 0}},
    {"pow(0, 2)", k_pow2, 0, {0}, {1}, {0, 2, 0}},
    {"pow(0, 3)", k_pow3, 0, {0}, {1}, {0, 0, 6}},
    {"pow(0, 4)", k_pow4, 0, {0}, {1}, {0, 0, 0}},
    {"pow(-2, 3)", k_pow_negative, 0, {-2}, {1}, {12, -12, 6}},
    {"pow(0, x)", k_pow_x0, 0, {1}, {1}, {0, 0, 0}},
    {"x log x at 0", k_xlogx, 2, {0, 1}, {1, 1}, {1, 1, -1}},
    {"where(x > 0, log x, x^2)", k_where_log, 2, {0, -1}, {1, 1}, {-2, 4, 0}},
    {"where(x != 0, sin x / x, 1)", k_sinc, 0, {0}, {1}, {0, 0, 0}},
    {"where(x < 700, exp x, x)", k_where_exp, 2, {1000, 0}, {1, 1}, {2, 1, 1}},
    {"where(x != 0, x sin(1 / x), x) at 0", k_where_sin, 0, {0}, {1}, {1, 0, 0}},
    {"where(x < 700, cos x, x) at inf", k_where_cos, 1, {INF}, {1}, {1, 0, 0}},
    {"where(x < 700, tan x, x) at inf", k_where_tan, 1, {INF}, {1}, {1, 0, 0}},
    {"relu(sqrt(x) - 1) at 0", k_relu_low, 0, {0}, {1}, {0, 0, 0}},
    {"maximum(sqrt(x), 1) at 0", k_maximum_low, 0, {0}, {1}, {0, 0, 0}},
    {"minimum(-sqrt(x), -1) at 0", k_minimum_high, 0, {0}, {1}, {0, 0, 0}},
    {"where(x < 0, x, x log(x - 9))", k_where_nan, 1, {-1}, {1}, {1, 0, 0}},
    {"prod with a zero", k_prod, 3, {0, 2, 3}, {1, 1, 1}, {6, 10, 6}},
    {"prod with two zeros", k_prod, 3, {0, 0, 3}, {1, 1, 1}, {0, 6, 6}},
    {"prod of zeros", k_prod, 3, {0, 0, 0}, {1, 2, 1}, {0, 0, 12}},
    {"prod of four, one infinite", k_prod, 2, {0, 2}, {1, 1}, {2, 2, 0}},
    {"a b a at 0", k_cumprod, 2, {0, 0}, {1, 1}, {0, 0, 6}},
    {"max with ties", k_max3, 3, {3, 5, 5}, {1, 2, 4}, {2, 0, 0}},
    {"min of squares with ties", k_min3, 3, {-2, 2, 3}, {1, 2, 4}, {-4, 2, 0}},
    {"sort with ties", k_sort, 4, {2, 1, 2, 1}, {1, 2, 3, 4}, {25, 0, 0}},
    {"sort descending with ties", k_sort_down, 4, {2, 1, 2, 1}, {1, 2, 3, 4}, {29, 0, 0}},
    {"sort of squares with ties", k_sort_squares, 4, {-2, 1, 2, -1}, {1, 2, 3, 4}, {24, 150, 0}},
    {"two writes to one place", k_put, 3, {1, 2, 3}, {1, 1, 1}, {14, 6, 0}},
    {"logsumexp of -inf", k_logsumexp, 3, {-INF, 1, 1}, {1, 1, 1}, {1, 0, 0}},
    {"logsumexp of -inf alone", k_logsumexp, 2, {-INF, -INF}, {1, 1}, {0, 0, 0}},
    {"X2-7: max of equals: the first", k_max3, 3, {2, 2, 1}, {3, 5, 7}, {3, 0, 0}},
    {"X2-7: amax of equals: shared", k_amax, 3, {2, 2, 1}, {3, 5, 7}, {4, 0, 0}},
    {"X2-7: amin of equal squares", k_amin, 3, {1, -1, 2}, {1, 3, 7}, {-2, 10, 0}},
    {"X2-7: cummax of equals: the first", k_cummax, 3, {1, -1, 2}, {1, 3, 1}, {8, 6, 0}},
    {"cumprod at zeros", k_cumprod3, 3, {0, 0, 2}, {1, 3, 1}, {1, 18, 18}},
    {"H1: dist of equals, p = 1", k_dist1, 3, {1, 2, 3}, {1, 2, 3}, {0, 0, 0}},
    {"H1: dist of equals, p = 2", k_dist2, 3, {1, 2, 3}, {1, 2, 3}, {0, NONE, NONE}},
    {"H1: dist of equals, p = 3", k_dist3, 3, {1, 2, 3}, {1, 2, 3}, {0, 0, 0}},
    {"H1: dist of equals, p = inf", k_dist_inf, 3, {1, 2, 3}, {1, 2, 3}, {0, 0, 0}},
    {"H1: pdist of equal points", k_pdist, 4, {1, 2, 1, 2}, {1, 2, 3, 5}, {0, 0, 0}},
    {"std of equals", k_std, 3, {2, 2, 2}, {1, 2, 4}, {0, NAN, NAN}},
    {"logcumsumexp of -inf", k_lcse, 3, {-INF, -INF, 1}, {1, 1, 1}, {1, 0, 0}},
    {"logsumexp of large numbers", k_logsumexp, 2, {1e4, -1e4}, {1, 1}, {1, 0, 0}},
    {"tanh of inf", k_tanh, 3, {INF, -INF, 800}, {1, 1, 1}, {0, 0, 0}},
    {"sigmoid of 800", k_sigmoid, 4, {800, -800, INF, -INF}, {1, 1, 1, 1}, {0, 0, 0}},
    {"softplus of 800", k_softplus, 3, {800, -800, -INF}, {1, 1, 1}, {1, 0, 0}},
    {"erf of 40", k_erf, 2, {40, -40}, {1, 1}, {0, 0, 0}},
    {"gelu of 40", k_gelu, 2, {40, -40}, {1, 1}, {1, 0, 0}},
    {"exp of -inf", k_exp, 1, {-INF}, {1}, {0, 0, 0}},
    {"atan of 1e200", k_atan, 2, {1e200, -1e200}, {1, 1}, {0, 0, 0}},
    {"x^2 stop(x)", k_stop, 0, {3}, {1}, {18, 6, 0}},
    {"stop(x^2)", k_stop_all, 0, {3}, {1}, {0, 0, 0}},
    {"x", k_identity, 0, {3}, {1}, {1, 0, 0}},
    {"abs of complex 0", k_abs_complex, 2, {0, 0}, {3, 4}, {0, NONE, NONE}},
    {"sign of complex 0", k_sign_complex, 2, {0, 0}, {3, 4}, {NONE, NONE, NONE}},
    {"sqrt at 0", k_sqrt, 0, {0}, {1}, {INF, -INF, INF}},
    {"cbrt at 0", k_cbrt, 0, {0}, {1}, {INF, -INF, INF}},
    {"acosh at 1", k_acosh, 0, {1}, {1}, {INF, -INF, INF}},
    {"entr at 0", k_entr, 0, {0}, {1}, {INF, -INF, INF}},
    {"xlogy(x, x) at 0", k_xlogy, 0, {0}, {1}, {-INF, INF, -INF}},
    {"xlogy(x, 2) at 0", k_xlogy_const, 0, {0}, {1}, {0.6931471805599453, 0, 0}},
    {"xlogy(0 x, x) at 0", k_xlogy_zero, 0, {0}, {1}, {0, 0, 0}},
    {"xlogy(0, x) at 0", k_xlogy_held, 0, {0}, {1}, {0, 0, 0}},
    {"xlog1py(0 x, x - 1) at 0", k_xlog1py, 0, {0}, {1}, {0, 0, 0}},
    {"rel_entr(0 x, x) at 0", k_rel_entr, 0, {0}, {1}, {0, 0, 0}},
    {"pnorm at 0", k_pnorm, 3, {0, 0, 0}, {1, 2, 3}, {0, NONE, NONE}},
    {"pnorm at (0, 2)", k_pnorm, 2, {0, 2}, {1, 0}, {0, 0.5, 0}},
    {"pnorm at (0, 2), p = 4", k_pnorm4, 2, {0, 2}, {1, 1}, {1, 0, 0}},
    {"pnorm at (0, 2), p = 0.5", k_pnorm_half, 2, {0, 2}, {1, 1}, {1, 0, 0}},
    {"pnorm at (0, 2 + 2 i)", k_pnorm_z, 2, {0, 2}, {1, 0}, {0, 0.70710678118654757, 0}},
    {"dist of (0, 9) and (0, 7)", k_dist_part, 2, {0, 9}, {1, 0}, {0, 0.5, 0}},
    {"weight_norm with a row of zeros", k_weight_norm, 4, {0, 0, 2, 0}, {1, 0, 0, 0},
     {0.5, -0.25, -0.375}},
    {"sqrt|x| at 0", k_root_abs, 2, {0, 4}, {1, 1}, {NONE, NONE, NONE}},
    {"sqrt of copysign(x, 1) at 0", k_root_copysign, 2, {0, 4}, {1, 1}, {NONE, NONE, NONE}},
    {"log|x| at 0", k_log_abs, 2, {0, 2}, {1, 1}, {NONE, NONE, NONE}},
    {"log heaviside(-1, x)", k_log_step, 0, {3}, {1}, {0, 0, 0}},
    {"sqrt(1 - sinc x) at 0", k_root_sinc, 0, {0}, {1}, {NONE, NONE, NONE}},
    {"logsumexp of inf and 1", k_lse_inf, 2, {6, 1}, {1, 1}, {0, 0, NAN}},
    {"pow(0, 2.5)", k_pow_half, 0, {0}, {1}, {0, 0, INF}},
    {"pow(x, x + 3) at 0", k_pow_var, 0, {0}, {1}, {0, 0, 6}},
    {"prod with two zeros, times one", k_prod_scaled, 3, {0, 0, 3}, {1, 1, 1}, {0, 0, 18}},
    {"cumprod from the end, at zeros", k_cumprod_reverse, 3, {2, 0, 0}, {1, 3, 1}, {1, 18, 18}},
    {"abs of a complex product at 0", k_abs_z, 2, {0, 0}, {3, 4}, {0, NAN, NAN}},
    {"logsumexp of equal squares", k_lse_tie, 2, {1, -1}, {1, -1}, {2, 2, 0}},
    {"logsumexp of -1 / x at 0", k_lse_far, 2, {0, 1}, {1, 1}, {1, -2, 6}},
    {"heaviside(0 x, x^2)", k_heaviside, 0, {3}, {1}, {6, 2, 0}},
    {"heaviside(x, x^2 + 2) beside 0", k_heaviside_step, 2, {1, -1}, {1, 1}, {0, 0, 0}},
    {"logaddexp of -inf twice", k_logaddexp, 2, {-INF, -INF}, {1, 1}, {0, 0, 0}},
    {"where(x > 1, exp(exp x), x^2) at 1", k_zero_inf, 2, {1, -900}, {1, 1}, {-1798, 4, 0}},
    {"where(x = 0, x, 1 / x) at 0", k_reciprocal_zero, 2, {0, 2}, {1, 1}, {0.75, 0.25, -0.375}},
    {"0 x / x", k_div_zero, 0, {3}, {1}, {0, 0, 0}},
};

static agn_status kink_body(void *user, agn_scope *s, const T *in, T *out)
{
    const kink *k = user;
    T y = k->f(s, in[0]);
    out[0] = y ? ag_sum_all(s, y) : NULL;
    return agn_scope_status(s);
}

static agn_tensor *tensor(const kink *k, const double *v)
{
    return k->n ? vector(k->n, v) : scalar(v[0]);
}
static bool agrees(const kink *k, const char *word, double have, double want)
{
    if (want == NONE ? !isfinite(have) : isnan(want) || have == want || fabs(have - want) <= 1e-14 * fmax(1, fabs(want)))
        return true;
    diag("%s: %s is %.17g, not %.17g %s", k->name, word, have, want,
         isnan(have) ? agn_error_message() : "");
    return false;
}

/* all lanes alike: what vmap of the word gives */
static double by_lanes(const agn_fn *f, T x)
{
    agn_fn *g = NULL;
    agn_tensor *xs = NULL, *y = NULL;
    double v[2] = {NAN, NAN};
    if (agn_stack(&xs, (const T[]){x, x}, 2, 0) || agn_fn_vmap(&g, f, NULL, 0, NULL, 0) ||
        agn_fn_call(&y, 1, g, AGN_ARGS(xs)) || numbers(v, 4, y) != 2 || v[0] != v[1])
        v[0] = NAN;
    agn_release(y);
    agn_release(xs);
    agn_fn_release(g);
    return v[0];
}

static double compiled(const agn_fn *f, T x)
{
    agn_fn *g = NULL;
    double v = f && !agn_fn_compile(&g, f, NULL) ? value_of(g, (const T[]){x}) : (double)NAN;
    agn_fn_release(g);
    return v;
}

static bool try_kink(const kink *k)
{
    static const char *const words[] = {
        "F",   "R",   "J",   "V",   "FF",  "FR",  "RF",  "RR",  "JF",  "FJ",  "JR",  "RJ",
        "JJ",  "FFF", "FFR", "FRF", "RFF", "FRR", "RFR", "RRF", "RRR", "JJJ", "FJR", "RJF",
        "JRF", "FRJ",
    };
    agn_fn *f = NULL, *jet = NULL;
    agn_tensor *x = tensor(k, k->x), *v = tensor(k, k->v), *y[4] = {NULL};
    const double none[N] = {0};
    agn_tensor *z = tensor(k, none);
    bool good = !agn_fn_new(&f, kink_body, (void *)(uintptr_t)k, NULL, 1, 1);
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t order = strlen(words[i]);
        agn_fn *d = nesting(words[i], f, 1, dir);
        good &= agrees(k, words[i], value_of(d, (const T[]){x}), k->d[order - 1]);
        if (order < 3) {
            good &= agrees(k, "vmap", by_lanes(d, x), k->d[order - 1]);
            good &= agrees(k, "compiled", compiled(d, x), k->d[order - 1]);
        }
        agn_fn_release(d);
    }
    if (!agn_fn_jet(&jet, f, 3) && !agn_fn_call(y, 4, jet, AGN_ARGS(x, v, z, z)))
        for (int o = 1, factorial = 1; o <= 3; o++)
            good &= agrees(k, "jet", number(y[o]) * (factorial *= o), k->d[o - 1]);
    else
        good = false;
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    agn_release(x);
    agn_release(v);
    agn_release(z);
    agn_fn_release(jet);
    agn_fn_release(f);
    return good;
}

/* ---- no derivative by nature ------------------------------------------------------------- */

static agn_status row_body(void *user, agn_scope *s, const T *in, T *out)
{
    const agni_op *op = user;
    T x[2] = {in[0], ag_lit(s, 0.7)};
    int64_t at[3] = {-1, 0, 0};
    static const struct {
        const char *op;
        int n_int;
    } along[] = {{"argmax", 3}, {"argsort", 2}, {"argcummax", 2}};
    int n_int = 0;
    for (size_t i = 0; i < sizeof along / sizeof *along; i++)
        if (!strcmp(op->name, along[i].op))
            n_int = along[i].n_int;
    out[0] = apply(s, op->name, op->nin, x, n_int, at);
    return agn_scope_status(s);
}

/* tangents are zero in the result's dtype, cotangents zero in the argument's */
static bool discrete_row(const agni_op *op)
{
    agn_fn *f = NULL, *jvp = NULL, *vjp = NULL, *jet = NULL;
    const double at[3] = {-1.3, 0.4, 2.2}, one[3] = {1, 1, 1};
    agn_tensor *x = vector(3, at), *t = vector(3, one), *y[2] = {NULL}, *z[2] = {NULL};
    agn_tensor *c = NULL, *j[2] = {NULL};
    double a[6], b[6], e[6];
    bool good = !agn_fn_new(&f, row_body, (void *)(uintptr_t)op, NULL, 1, 1);
    if (good && agn_fn_call(y, 1, f, AGN_ARGS(x))) { /* of matrices, or with attributes */
        diag("%s is tried elsewhere: %s", op->name, agn_error_message());
        agn_release(x);
        agn_release(t);
        agn_fn_release(f);
        return false;
    }
    agn_release(y[0]);
    y[0] = NULL;
    good = good && !agn_fn_jvp(&jvp, f) && !agn_fn_vjp(&vjp, f) && !agn_fn_jet(&jet, f, 1) &&
                !agn_fn_call(y, 2, jvp, AGN_ARGS(x, t)) &&
                !agn_full(&c, AGN_F64, agn_ndim(y[0]), agn_shape(y[0]), 1) &&
                !agn_fn_call(z, 2, vjp, AGN_ARGS(x, c)) &&
                !agn_fn_call(j, 2, jet, AGN_ARGS(x, t));
    int n = good ? numbers(a, 6, y[1]) : -1;
    good = good && n >= 0 && numbers(e, 6, j[1]) == n && numbers(b, 6, z[1]) == 3 &&
           agn_dtype_of(y[1]) == agn_dtype_of(y[0]) && agn_dtype_of(z[1]) == AGN_F64;
    for (int i = 0; good && i < n; i++)
        good = a[i] == 0 && e[i] == 0;
    for (int i = 0; good && i < 3; i++)
        good = b[i] == 0;
    ok(good, "%s carries no derivative", op->name);
    if (!good)
        diag("%s", agn_error_message());
    agn_release(x);
    agn_release(t);
    agn_release(c);
    for (int i = 0; i < 2; i++) {
        agn_release(y[i]);
        agn_release(z[i]);
        agn_release(j[i]);
    }
    agn_fn_release(jet);
    agn_fn_release(f);
    agn_fn_release(jvp);
    agn_fn_release(vjp);
    return true;
}

static agn_status cast_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T i = ag_cast(s, ag_mul_c(s, in[0], 3), AGN_I64);
    out[0] = ag_mul(s, ag_cast(s, i, AGN_F64), in[0]);
    return agn_scope_status(s);
}

static void through_integers(void)
{
    agn_fn *f = NULL;
    agn_tensor *x = scalar(2.5), *v = scalar(1);
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    static const char *const words[] = {"F", "R", "J", "V"};
    bool good = !agn_fn_new(&f, cast_body, NULL, NULL, 1, 1);
    for (int i = 0; i < 4; i++) {
        agn_fn *d = nesting(words[i], f, 1, dir);
        const double have[] = {value_of(d, (const T[]){x}), by_lanes(d, x), compiled(d, x)};
        for (int k = 0; k < 3; k++) {
            good &= have[k] == 7;
            if (have[k] != 7)
                diag("%s is %g, not 7", words[i], have[k]);
        }
        agn_fn_release(d);
    }
    ok(good, "nothing flows through an integer");
    agn_fn_release(f);
    agn_release(x);
    agn_release(v);
}

/* ---- nothing flows through whole numbers, whatever op they go through ------------------------- */

typedef struct whole {
    const agni_op *op;
    bool times; /* by x, which the derivative is taken in */
} whole;

static agn_status whole_body(void *user, agn_scope *s, const T *in, T *out)
{
    const whole *q = user;
    T i = ag_cast(s, ag_mul_c(s, in[0], 3), AGN_I64), all[3] = {i, i, i};
    T y = apply(s, q->op->name, q->op->nin, all, 0, NULL);
    y = y ? ag_cast(s, y, AGN_F64) : NULL;
    y = q->times ? ag_mul(s, y, in[0]) : y;
    out[0] = ag_sum_all(s, y);
    return agn_scope_status(s);
}

static void whole_row(const agni_op *op)
{
    const double at[3] = {1.1, 0.8, 1.4}, one[3] = {1, 1, 1};
    whole q[2] = {{op, true}, {op, false}};
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *x = vector(3, at), *v = vector(3, one);
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    if (agn_fn_new(&f, whole_body, &q[0], NULL, 1, 1) || agn_fn_new(&g, whole_body, &q[1], NULL, 1, 1))
        bail_out("%s", agn_error_message());
    static const char *const words[] = {"F", "R", "J", "V", "FR", "RF", "JJ"};
    double want = value_of(g, (const T[]){x});
    bool good = isfinite(want);
    for (int i = 0; i < 7; i++) {
        agn_fn *d = nesting(words[i], f, 1, dir);
        double have = value_of(d, (const T[]){x}), right = strlen(words[i]) > 1 ? 0 : want;
        good &= fabs(have - right) <= 1e-14 * fabs(want);
        agn_fn_release(d);
    }
    ok(good, "%s of whole numbers is a number for derivatives", op->name);
    if (!good)
        diag("%s", agn_error_message());
    agn_fn_release(f);
    agn_fn_release(g);
    agn_release(x);
    agn_release(v);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(table[i].name, only))
            ok(try_kink(&table[i]), "%s", table[i].name);
    int rows = 0;
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        if (op->cls == AGNI_DISCRETE && op->nout == 1 && op->dtypes >> AGN_F64 & 1 &&
            strstr(op->name, only))
            rows += discrete_row(op);
    }
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        if (op->ew >= 0 && op->dtypes >> AGN_I64 & 1 && strcmp(op->name, "where") &&
            strstr(op->name, only))
            whole_row(op);
    }
    if (!*only)
        ok(rows >= 20, "%d ops without derivative", rows);
    through_integers();
    return done();
}
