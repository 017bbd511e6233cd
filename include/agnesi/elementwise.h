/**
 * agnesi/elementwise.h - functions of each element
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands broadcast and promote as in agnesi/tensor.h. The value of every function is computed in
 * f32, f64, c64 or c128 for real and complex arguments, in i32 or i64 for integers.
 */
#ifndef AGNESI_ELEMENTWISE_H
#define AGNESI_ELEMENTWISE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- element-wise, one argument ------------------------------------------------- */

/**
 * agn_neg - -x
 *
 * Integers wrap around.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_neg(agn_tensor **out, const agn_tensor *x);

/**
 * agn_abs - magnitude |x|
 *
 * The result of a complex argument is real.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       x / |x|; 0 at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_abs(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sign - -1, 0 or 1; x / |x| for complex
 *
 * NaN gives NaN. Complex numbers with an infinite part have the direction of their infinite parts.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0 for real arguments; of complex ones everywhere, 0 at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sign(agn_tensor **out, const agn_tensor *x);

/**
 * agn_square - x * x
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_square(agn_tensor **out, const agn_tensor *x);

/**
 * agn_reciprocal - 1 / x
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_reciprocal(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sqrt - square root
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0; infinite at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sqrt(agn_tensor **out, const agn_tensor *x);

/**
 * agn_rsqrt - 1 / sqrt(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_rsqrt(agn_tensor **out, const agn_tensor *x);

/**
 * agn_exp - e to the power x
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_exp(agn_tensor **out, const agn_tensor *x);

/**
 * agn_exp2 - 2 to the power x
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_exp2(agn_tensor **out, const agn_tensor *x);

/**
 * agn_expm1 - exp(x) - 1 without cancellation
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_expm1(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log - natural logarithm
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log2 - logarithm to base 2
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log2(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log10 - logarithm to base 10
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log10(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log1p - log(1 + x) without cancellation
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > -1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log1p(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sin - sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sin(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cos - cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cos(agn_tensor **out, const agn_tensor *x);

/**
 * agn_tan - tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tan(agn_tensor **out, const agn_tensor *x);

/**
 * agn_asin - inverse sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_asin(agn_tensor **out, const agn_tensor *x);

/**
 * agn_acos - inverse cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_acos(agn_tensor **out, const agn_tensor *x);

/**
 * agn_atan - inverse tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atan(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sinh - hyperbolic sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sinh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cosh - hyperbolic cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cosh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_tanh - hyperbolic tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tanh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_asinh - inverse hyperbolic sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_asinh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_acosh - inverse hyperbolic cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_acosh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_atanh - inverse hyperbolic tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atanh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_erf - error function
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erf(agn_tensor **out, const agn_tensor *x);

/**
 * agn_erfc - complementary error function 1 - erf(x)
 *
 * Keeps full relative accuracy for large x.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erfc(agn_tensor **out, const agn_tensor *x);

/**
 * agn_lgamma - log of |gamma(x)|
 *
 * Infinite at 0, -1, -2, ...
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       digamma(x), off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lgamma(agn_tensor **out, const agn_tensor *x);

/**
 * agn_digamma - derivative of lgamma
 *
 * NaN at -1, -2, ...; at 0 infinite with the sign opposite to that of the zero.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       polygamma(1, x), off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_digamma(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sigmoid - 1 / (1 + exp(-x))
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sigmoid(agn_tensor **out, const agn_tensor *x);

/**
 * agn_softplus - log(1 + exp(x))
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_softplus(agn_tensor **out, const agn_tensor *x);

/**
 * agn_relu - max(x, 0)
 *
 * NaN gives NaN.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0 at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_relu(agn_tensor **out, const agn_tensor *x);

/**
 * agn_gelu - x times the normal distribution function of x
 *
 * The exact form, by erfc.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gelu(agn_tensor **out, const agn_tensor *x);

/**
 * agn_floor - largest integer not above x
 *
 * @param out  out, shape of x
 * @param x    f32 f64, others by promotion; integers stay what they are
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_floor(agn_tensor **out, const agn_tensor *x);

/**
 * agn_ceil - smallest integer not below x
 *
 * @param out  out, shape of x
 * @param x    f32 f64, others by promotion; integers stay what they are
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ceil(agn_tensor **out, const agn_tensor *x);

/**
 * agn_round - nearest integer, halves to even
 *
 * @param out  out, shape of x
 * @param x    f32 f64, others by promotion; integers stay what they are
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_round(agn_tensor **out, const agn_tensor *x);

/**
 * agn_trunc - x without its fraction
 *
 * @param out  out, shape of x
 * @param x    f32 f64, others by promotion; integers stay what they are
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_trunc(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isnan - is x not a number?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isnan(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isfinite - is x neither infinite nor NaN?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isfinite(agn_tensor **out, const agn_tensor *x);

/**
 * agn_logical_not - is x zero?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_not(agn_tensor **out, const agn_tensor *x);

/**
 * agn_conj - complex conjugate
 *
 * Real arguments are returned as they are.
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere (R-linear)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_conj(agn_tensor **out, const agn_tensor *x);

/**
 * agn_real - real part
 *
 * The result of a complex argument is real.
 *
 * @param out  out, shape of x; a view of complex numbers
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere (R-linear)
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_real(agn_tensor **out, const agn_tensor *x);

/**
 * agn_imag - imaginary part
 *
 * The result is real: zero for real arguments.
 *
 * @param out  out, shape of x; a view of complex numbers
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere (R-linear)
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_imag(agn_tensor **out, const agn_tensor *x);

/**
 * agn_polygamma - n-th derivative of digamma
 *
 * At 0, -1, -2, ... infinite for odd n; NaN for even n above 0, both sides being infinite with
 * different signs.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @param n    order, 0 to 100; 0 is digamma
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (order), AGN_ENOMEM
 * @grad       polygamma(n + 1, x), off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_polygamma(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_cbrt - cube root
 *
 * Of negative numbers too.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0; infinite at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cbrt(agn_tensor **out, const agn_tensor *x);

/**
 * agn_logit - log(x / (1 - x))
 *
 * Infinite at 0 and 1, NaN outside of them: agn_clip_c keeps probabilities inside.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where 0 < x < 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logit(agn_tensor **out, const agn_tensor *x);

/**
 * agn_deg2rad - degrees to radians
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_deg2rad(agn_tensor **out, const agn_tensor *x);

/**
 * agn_rad2deg - radians to degrees
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_rad2deg(agn_tensor **out, const agn_tensor *x);

/**
 * agn_erfinv - inverse error function
 *
 * Infinite at -1 and 1, NaN outside of them.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| < 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erfinv(agn_tensor **out, const agn_tensor *x);

/**
 * agn_ndtr - normal distribution function
 *
 * Keeps full relative accuracy for large negative x.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ndtr(agn_tensor **out, const agn_tensor *x);

/**
 * agn_ndtri - normal quantile, the inverse of agn_ndtr
 *
 * Infinite at 0 and 1, NaN outside of them.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where 0 < x < 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ndtri(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log_ndtr - log of the normal distribution function
 *
 * Does not underflow.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log_ndtr(agn_tensor **out, const agn_tensor *x);

/**
 * agn_entr - -x log(x)
 *
 * 0 at 0, minus infinity below.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0; infinite at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_entr(agn_tensor **out, const agn_tensor *x);

/**
 * agn_frac - x - trunc(x)
 *
 * The sign of x; NaN for infinite x.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_frac(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isinf - is x infinite?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isinf(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isposinf - is x plus infinity?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isposinf(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isneginf - is x minus infinity?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isneginf(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isreal - is the imaginary part of x zero?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isreal(agn_tensor **out, const agn_tensor *x);

/**
 * agn_signbit - is the sign bit of x set?
 *
 * Also of -0 and of a NaN. The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signbit(agn_tensor **out, const agn_tensor *x);

/**
 * agn_bitwise_not - every bit of x the other way
 *
 * Of bools it is "not".
 *
 * @param out  out, shape of x
 * @param x    bool i32 i64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bitwise_not(agn_tensor **out, const agn_tensor *x);

/**
 * agn_popcount - number of bits set in |x|
 *
 * The magnitude makes the number independent of the width.
 *
 * @param out  out, shape of x
 * @param x    i32 i64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_popcount(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sinc - sin(pi x) / (pi x), 1 at 0
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere, to any order also at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sinc(agn_tensor **out, const agn_tensor *x);

/**
 * agn_erfcx - exp(x^2) erfc(x), the scaled complementary error function
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere, without cancellation for x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erfcx(agn_tensor **out, const agn_tensor *x);

/**
 * agn_bessel_i - modified Bessel function of the first kind I_n(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @param n    order, 0 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (order), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bessel_i(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_bessel_ie - exp(-|x|) I_n(x)
 *
 * Does not overflow.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @param n    order, 0 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (order), AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bessel_ie(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_i0 - modified Bessel function I_0(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_i0(agn_tensor **out, const agn_tensor *x);

/**
 * agn_i0e - exp(-|x|) I_0(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_i0e(agn_tensor **out, const agn_tensor *x);

/**
 * agn_i1 - modified Bessel function I_1(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_i1(agn_tensor **out, const agn_tensor *x);

/**
 * agn_i1e - exp(-|x|) I_1(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_i1e(agn_tensor **out, const agn_tensor *x);

/* ---- element-wise, two or three arguments --------------------------------------- */

/**
 * agn_add - a + b
 *
 * Integers wrap around; of bools it is "or".
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_add(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_sub - a - b
 *
 * Integers wrap around.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sub(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_mul - a * b
 *
 * Integers wrap around; of bools it is "and".
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mul(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_div - true division a / b
 *
 * Integers give f64. A sparse a over a dense b has the entries of a: where there is none the
 * result is 0, also over 0. Two sparse ones are refused: 0 / 0 would fill the result with NaN.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast),
 *             AGN_EUNSUPPORTED (a dense or sparse over a sparse one), AGN_EDEVICE, AGN_ENOMEM
 * @grad       where b is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_div(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_mulz - product with an absorbing zero: 0 times anything is 0
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mulz(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_pow - a to the power b
 *
 * Integers: by squaring, wrapping around; a negative exponent gives the truncated reciprocal.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in a where finite; in b 0 at a = 0, NaN at a < 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pow(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_atan2 - angle of the point (b, a)
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0 at (0, 0)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atan2(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_hypot - sqrt(a^2 + b^2) without overflow
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0 at (0, 0)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hypot(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_maximum - larger of two; NaN if either is
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to a where a >= b, else to b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_maximum(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_minimum - smaller of two; NaN if either is
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to a where a <= b, else to b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_minimum(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_floor_divide - quotient rounded down
 *
 * Of the exact quotient, as in Python: 1 by 0.1 is 9. Integer division by 0 gives 0.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_floor_divide(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_remainder - a - b * floor(a / b): the sign of b, also where it is zero
 *
 * Of integers modulo 0 it is 0.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       1 in a, -floor(a / b) in b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_remainder(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_eq - a == b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_eq(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_ne - a != b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ne(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_lt - a < b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lt(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_le - a <= b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_le(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_gt - a > b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gt(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_ge - a >= b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ge(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_logical_and - are both not zero?
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_and(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_logical_or - is one not zero?
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_or(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_fmax - larger of two; of a NaN and a number the number
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to a where a >= b or b is NaN, else to b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fmax(agn_tensor **out, const agn_tensor *a,
                                           const agn_tensor *b);

/**
 * agn_fmin - smaller of two; of a NaN and a number the number
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to a where a <= b or b is NaN, else to b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fmin(agn_tensor **out, const agn_tensor *a,
                                           const agn_tensor *b);

/**
 * agn_fmod - a - b * trunc(a / b): the sign of a
 *
 * Exact. Of integers modulo 0 it is 0.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       1 in a, -trunc(a / b) in b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fmod(agn_tensor **out, const agn_tensor *a,
                                           const agn_tensor *b);

/**
 * agn_copysign - |a| with the sign of b
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in a where a is not 0; 0 in b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_copysign(agn_tensor **out, const agn_tensor *a,
                                               const agn_tensor *b);

/**
 * agn_ldexp - a * 2^b for whole b
 *
 * A fraction of b is cut off. No power of two is formed that would overflow.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       2^b in a; 0 in b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ldexp(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b);

/**
 * agn_heaviside - 0 where a < 0, b where a is 0, 1 where a > 0
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0 in a; in b where a is 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_heaviside(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *b);

/**
 * agn_xlogy - a * log(b), 0 where a is 0
 *
 * NaN where b is.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       where b > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_xlogy(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b);

/**
 * agn_xlog1py - a * log(1 + b), 0 where a is 0
 *
 * NaN where b is.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       where b > -1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_xlog1py(agn_tensor **out, const agn_tensor *a,
                                              const agn_tensor *b);

/**
 * agn_rel_entr - a * log(a / b), the relative entropy
 *
 * 0 where a is 0 and b >= 0, infinite outside of a, b > 0.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       where a > 0 and b > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_rel_entr(agn_tensor **out, const agn_tensor *a,
                                               const agn_tensor *b);

/**
 * agn_logaddexp - log(exp(a) + exp(b)) without overflow
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere; where both are the same infinity 0 at -inf, NaN at inf
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logaddexp(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *b);

/**
 * agn_logaddexp2 - log2(2^a + 2^b) without overflow
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere; where both are the same infinity 0 at -inf, NaN at inf
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logaddexp2(agn_tensor **out, const agn_tensor *a,
                                                 const agn_tensor *b);

/**
 * agn_nextafter - the number after a in the direction of b
 *
 * In the promoted dtype, f16 and bf16 too.
 *
 * @param out  out, the broadcast shape
 * @param a    f16 bf16 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nextafter(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *b);

/**
 * agn_logical_xor - is exactly one not zero?
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_xor(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b);

/**
 * agn_bitwise_and - bits set in both
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bitwise_and(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b);

/**
 * agn_bitwise_or - bits set in at least one
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bitwise_or(agn_tensor **out, const agn_tensor *a,
                                                 const agn_tensor *b);

/**
 * agn_bitwise_xor - bits set in exactly one
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bitwise_xor(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b);

/**
 * agn_left_shift - a moved left by b bits
 *
 * What leaves the dtype is lost. For b below 0, or of at least the width (32 bits for narrow
 * dtypes), 0.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_left_shift(agn_tensor **out, const agn_tensor *a,
                                                 const agn_tensor *b);

/**
 * agn_right_shift - a moved right by b bits, its sign kept: a / 2^b rounded down
 *
 * For b below 0, or of at least the width, 0 or -1 by the sign.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_right_shift(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b);

/**
 * agn_gcd - greatest common divisor of |a| and |b|
 *
 * Of 0 and 0 it is 0. The magnitude of the least integer wraps around.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gcd(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_lcm - least common multiple of |a| and |b|
 *
 * 0 where one is 0; wraps around.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lcm(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_zeta - Hurwitz zeta function: sum over k >= 0 of (q + k)^-s
 *
 * Infinite at s = 1 and at q = 0, -1, ...; NaN for s < 1. For q < 0 whole s only.
 *
 * @param out  out, the broadcast shape
 * @param s    f32 f64; others by promotion
 * @param q    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere; in s on the CPU and to order 12, beyond AGN_EUNSUPPORTED
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_zeta(agn_tensor **out, const agn_tensor *s,
                                           const agn_tensor *q);

/**
 * agn_gammainc - regularised lower incomplete gamma function P(a, x)
 *
 * The integral of t^(a - 1) exp(-t) from 0 to x, over gamma(a). NaN outside of a, x >= 0.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere; in a on the CPU and to order 8, beyond AGN_EUNSUPPORTED
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gammainc(agn_tensor **out, const agn_tensor *a,
                                               const agn_tensor *x);

/**
 * agn_gammaincc - regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x)
 *
 * Keeps full relative accuracy where it is small.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_gammainc
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gammaincc(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *x);

/**
 * agn_gammaincinv - inverse of agn_gammainc: x of P(a, x) = p
 *
 * The quantile of a gamma law of rate 1; relative accuracy down to 1e-300. NaN outside of a > 0 and
 * 0 <= p <= 1.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_gammainc
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gammaincinv(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *p);

/**
 * agn_gammainccinv - inverse of agn_gammaincc: x of Q(a, x) = q
 *
 * For tails that 1 - q would lose. NaN outside of a > 0 and 0 <= q <= 1.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param q    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_gammainc
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gammainccinv(agn_tensor **out, const agn_tensor *a,
                                                   const agn_tensor *q);

/**
 * agn_betainc - regularised incomplete beta function I_x(a, b)
 *
 * The integral of t^(a - 1) (1 - t)^(b - 1) from 0 to x, over beta(a, b). NaN outside of a, b >= 0
 * and 0 <= x <= 1.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere; in a and b on the CPU and to order 8 together, beyond AGN_EUNSUPPORTED
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_betainc(agn_tensor **out, const agn_tensor *a,
                                              const agn_tensor *b, const agn_tensor *x);

/**
 * agn_betaincc - complement of agn_betainc, 1 - I_x(a, b)
 *
 * Keeps full relative accuracy where it is small.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_betainc
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_betaincc(agn_tensor **out, const agn_tensor *a,
                                               const agn_tensor *b,
                                               const agn_tensor *x);

/**
 * agn_betaincinv - inverse of agn_betainc: x of I_x(a, b) = p
 *
 * The quantile of a beta law. NaN outside of a, b > 0 and 0 <= p <= 1.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_betainc
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_betaincinv(agn_tensor **out, const agn_tensor *a,
                                                 const agn_tensor *b,
                                                 const agn_tensor *p);

/**
 * agn_betainccinv - inverse of agn_betaincc: x of 1 - I_x(a, b) = q
 *
 * For tails that 1 - q would lose. NaN outside of a, b > 0 and 0 <= q <= 1.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param q    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_betainc
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_betainccinv(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b,
                                                  const agn_tensor *q);

/**
 * agn_lerp - a + w (b - a), exact at w = 0 and w = 1
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @param w    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lerp(agn_tensor **out, const agn_tensor *a,
                                           const agn_tensor *b, const agn_tensor *w);

/**
 * agn_logical_right_shift - the bits of a moved right by b, zeros moved in
 *
 * In the width of the promoted dtype, also of narrow ones: -1 of i8 by 1 is 127. For b below 0, or
 * of at least the width, 0.
 *
 * @param out  out, the broadcast shape
 * @param a    any integer dtype
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: integers
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_right_shift(agn_tensor **out, const agn_tensor *a,
                                                          const agn_tensor *b);

/**
 * agn_complex - a + i b
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_complex(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_where - a where the condition holds, else b
 *
 * @param out   out, the broadcast shape
 * @param cond  bool; other dtypes: not zero
 * @param a     bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b     likewise
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad        to the chosen one; inf and NaN of the other one do no harm
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_where(agn_tensor **out, const agn_tensor *cond,
                                            const agn_tensor *a, const agn_tensor *b);

/**
 * agn_add_c - x + c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_add
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_add in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_add_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_sub_c - x - c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_sub
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_sub in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sub_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_mul_c - x * c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_mul
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_mul in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mul_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_div_c - x / c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_div
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_div in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_div_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_pow_c - x to the power c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_pow
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_pow in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pow_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_maximum_c - larger of x and c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_maximum
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_maximum in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_maximum_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_minimum_c - smaller of x and c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_minimum
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold c), AGN_ENOMEM
 * @grad       as agn_minimum in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_minimum_c(agn_tensor **out, const agn_tensor *x, double c);

/* ---- dtype and memory ----------------------------------------------------------- */

/**
 * agn_cast - convert to another dtype
 *
 * Floats to integers are cut towards zero; NaN gives 0, values out of range the nearest
 * limit. Complex to real keeps the real part. To bool: not zero.
 *
 * @param out    out, shape of x
 * @param x      any dtype
 * @param dtype  any dtype
 * @errors       AGN_ENULL, AGN_EDTYPE (no such dtype), AGN_ENOMEM
 * @grad         between floating dtypes
 * @cost         O(n); a new reference where the dtype is the same
 */
AGN_API AGN_MUST_CHECK agn_status agn_cast(agn_tensor **out, const agn_tensor *x,
                                           agn_dtype dtype);

/**
 * agn_copy - the same values in new row-major memory
 *
 * @param out  out, shape of x
 * @param x    any dtype and strides
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_copy(agn_tensor **out, const agn_tensor *x);

/**
 * agn_contiguous - x itself where it is row-major, else a copy that is
 *
 * @param out  out, shape of x
 * @param x    any dtype and strides
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n) at most
 */
AGN_API AGN_MUST_CHECK agn_status agn_contiguous(agn_tensor **out, const agn_tensor *x);

/**
 * agn_stop_gradient - the same value, a constant for derivatives
 *
 * @param out  out, shape of x
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       0 by definition
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stop_gradient(agn_tensor **out, const agn_tensor *x);

/* ---- made of these -------------------------------------------------------------- */

/**
 * agn_positive - x itself
 *
 * @param out  out, shape of x
 * @param x    any dtype but bool
 * @errors     AGN_ENULL, AGN_EDTYPE (bool)
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_positive(agn_tensor **out, const agn_tensor *x);

/**
 * agn_addcmul - x + value a b
 *
 * @param out    out, broadcast shape
 * @param x      numbers; all three promote
 * @param a      likewise
 * @param b      likewise
 * @param value  factor of the product; a literal, see agn_lit
 * @errors       AGN_ENULL, AGN_EDTYPE (bool), AGN_ESHAPE (do not broadcast), AGN_EDOMAIN (an
 *               integer that the dtype does not hold), AGN_EDEVICE, AGN_ENOMEM
 * @grad         everywhere, in x, a and b
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_addcmul(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *a, const agn_tensor *b,
                                              double value);

/**
 * agn_addcdiv - x + value a / b
 *
 * @param out    out, broadcast shape
 * @param x      numbers; integers give f64
 * @param a      likewise
 * @param b      likewise
 * @param value  factor of the quotient
 * @errors       AGN_ENULL, AGN_EDTYPE (bool), AGN_ESHAPE (do not broadcast), AGN_EDEVICE,
 *               AGN_ENOMEM
 * @grad         everywhere but b = 0, in x, a and b
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_addcdiv(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *a, const agn_tensor *b,
                                              double value);

/**
 * agn_scale - a x + b
 *
 * Numbers without a fraction leave integers what they are. For a (x + c), give a c as b.
 *
 * @param out  out, shape of x
 * @param x    any dtype but bool
 * @param a    factor
 * @param b    term, added after the product
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold a or b),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scale(agn_tensor **out, const agn_tensor *x, double a,
                                            double b);

/**
 * agn_stanh - b tanh(a x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @param a    factor of the argument
 * @param b    factor of the value
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stanh(agn_tensor **out, const agn_tensor *x, double a,
                                            double b);

/**
 * agn_add_n - sum of several tensors, from the first to the last
 *
 * @param out  out, the broadcast shape
 * @param xs   n tensors, as for agn_add
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_EARG (n), AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE,
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n numel)
 */
AGN_API AGN_MUST_CHECK agn_status agn_add_n(agn_tensor **out, const agn_tensor *const *xs,
                                            int32_t n);

/**
 * agn_multiplex - row i of the tensor that index[i] names
 *
 * @param out    out, shape of xs[0]
 * @param xs     n tensors of one shape, [m, ...]
 * @param n      at least 1
 * @param index  [m] integers in [-n, n)
 * @errors       AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_EINDEX, AGN_EDEVICE, AGN_ENOMEM
 * @grad         to the rows chosen
 * @cost         O(n numel)
 */
AGN_API AGN_MUST_CHECK agn_status agn_multiplex(agn_tensor **out, const agn_tensor *const *xs,
                                                int32_t n, const agn_tensor *index);

/**
 * agn_clip - x kept between lo and hi: min(max(x, lo), hi)
 *
 * NaN anywhere gives NaN.
 *
 * @param out  out, the broadcast shape
 * @param x    bool i32 i64 f32 f64; others by promotion
 * @param lo   likewise, or NULL for none
 * @param hi   likewise, or NULL for none; not both
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to x where lo <= x <= hi, else to the bound
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_clip(agn_tensor **out, const agn_tensor *x,
                                           const agn_tensor *lo, const agn_tensor *hi);

/**
 * agn_clip_c - x kept between two literals, which take the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_clip
 * @param lo   least value
 * @param hi   largest value
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDOMAIN (x is integer and does not hold a bound),
 *             AGN_ENOMEM
 * @grad       1 where lo <= x <= hi, else 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_clip_c(agn_tensor **out, const agn_tensor *x, double lo,
                                             double hi);

/**
 * agn_float_power - a to the power b in f64, or c128
 *
 * @param out  out, the broadcast shape
 * @param a    any dtype
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as agn_pow
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_float_power(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b);

/**
 * agn_divmod - agn_floor_divide and agn_remainder at once
 *
 * @param quotient   out, the broadcast shape
 * @param remainder  out, likewise
 * @param a          i32 i64 f32 f64; others by promotion
 * @param b          likewise
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad             as those of the two
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_divmod(agn_tensor **quotient, agn_tensor **remainder,
                                             const agn_tensor *a, const agn_tensor *b);

/**
 * agn_frexp - x = m 2^e with 0.5 <= |m| < 1
 *
 * Of 0, infinities and NaN, m is x and e is 0.
 *
 * @param m  out, shape of x
 * @param e  out, i32, shape of x
 * @param x  f32 f64; others by promotion
 * @errors   AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad     2^-e in m
 * @cost     O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_frexp(agn_tensor **m, agn_tensor **e, const agn_tensor *x);

/**
 * agn_nan_to_num - x with NaN and infinities replaced
 *
 * In complex numbers each part. NaN as posinf stands for the largest finite number of the dtype,
 * as neginf for the least.
 *
 * @param out     out, shape of x
 * @param x       any dtype; integers are returned as they are
 * @param nan     in the place of NaN
 * @param posinf  in the place of infinity
 * @param neginf  in the place of minus infinity
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad          1, 0 where replaced
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nan_to_num(agn_tensor **out, const agn_tensor *x,
                                                 double nan, double posinf, double neginf);

/**
 * agn_multigammaln - log of the multivariate gamma function of dimension p
 *
 * log of pi^(p (p - 1) / 4) times gamma(a) gamma(a - 1/2) ... gamma(a - (p - 1) / 2), for a > (p
 * - 1) / 2.
 *
 * @param out  out, shape of a
 * @param a    f32 f64; others by promotion
 * @param p    dimension, 1 to 1000
 * @errors     AGN_ENULL, AGN_EARG (p), AGN_EDTYPE, AGN_ENOMEM
 * @grad       off the poles
 * @cost       O(p n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_multigammaln(agn_tensor **out, const agn_tensor *a,
                                                   int32_t p);

/**
 * agn_angle - phase of x in [-pi, pi]
 *
 * Of real numbers 0, or pi where the sign bit is set.
 *
 * @param out  out, real, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0 at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_angle(agn_tensor **out, const agn_tensor *x);

/**
 * agn_polar - r (cos phi + i sin phi)
 *
 * Of a sparse radius it is sparse, with its entries: an angle without an entry is 0. Of a dense
 * radius it is dense, whatever the angle.
 *
 * @param out  out, complex, the broadcast shape
 * @param r    f32 f64; others by promotion
 * @param phi  likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_polar(agn_tensor **out, const agn_tensor *r,
                                            const agn_tensor *phi);

/**
 * agn_isclose - is |a - b| <= atol + rtol |b|?
 *
 * Equal infinities are close, other ones are not.
 *
 * @param out        out, bool, the broadcast shape
 * @param a          any dtype
 * @param b          likewise; the reference
 * @param rtol       relative tolerance, at least 0; 1e-5 is usual
 * @param atol       absolute tolerance, at least 0; 1e-8 is usual
 * @param equal_nan  is NaN close to NaN?
 * @errors           AGN_ENULL, AGN_EARG (tolerance), AGN_EDTYPE, AGN_ESHAPE (do not broadcast),
 *                   AGN_EDEVICE, AGN_ENOMEM
 * @grad             none: bool
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isclose(agn_tensor **out, const agn_tensor *a,
                                              const agn_tensor *b, double rtol, double atol,
                                              bool equal_nan);

/**
 * agn_allclose - are all elements close, as agn_isclose says?
 *
 * @param out        out, bool, []; true of no elements
 * @param a          any dtype
 * @param b          likewise; the reference
 * @param rtol       relative tolerance, at least 0
 * @param atol       absolute tolerance, at least 0
 * @param equal_nan  is NaN close to NaN?
 * @errors           AGN_ENULL, AGN_EARG (tolerance), AGN_EDTYPE, AGN_ESHAPE (do not broadcast),
 *                   AGN_EDEVICE, AGN_ENOMEM
 * @grad             none: bool
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_allclose(agn_tensor **out, const agn_tensor *a,
                                               const agn_tensor *b, double rtol, double atol,
                                               bool equal_nan);

/**
 * agn_equal_all - do a and b have one shape and equal elements?
 *
 * @param out  out, bool, []
 * @param a    any dtype
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_equal_all(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *b);

/**
 * agn_isin - is each element of x an element of a set?
 *
 * NaN is an element of no set.
 *
 * @param out     out, bool, shape of x
 * @param x       bool i32 i64 f32 f64; others by promotion
 * @param set     likewise, of any shape; dtypes meet by promotion
 * @param invert  is it not one?
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad          none: bool
 * @cost          O((n + m) log m) for m elements of the set
 */
AGN_API AGN_MUST_CHECK agn_status agn_isin(agn_tensor **out, const agn_tensor *x,
                                           const agn_tensor *set, bool invert);

#ifdef __cplusplus
}
#endif
#endif
