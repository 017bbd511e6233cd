/**
 * agnesi/integrals.h - sine integrals and their kin, functions about gamma, quotients without
 * cancellation, distribution functions by their parameters
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_INTEGRALS_H
#define AGNESI_INTEGRALS_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_sine_integral - sine integral Si(x)
 *
 * Of sin(t) / t from 0 to x; right to 1e-15.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       sin(x) / x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sine_integral(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cosine_integral - cosine integral Ci(x)
 *
 * Minus that of cos(t) / t from x on; right to 1e-15 of the value, of 1 / x above 4; NaN below 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       cos(x) / x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cosine_integral(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sinh_integral - hyperbolic sine integral Shi(x)
 *
 * Of sinh(t) / t from 0 to x; right to 1e-14.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       sinh(x) / x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sinh_integral(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cosh_integral - hyperbolic cosine integral Chi(x)
 *
 * Euler's constant + log x + that of (cosh(t) - 1) / t from 0 to x; right to 1e-14, next to its
 * root too; NaN below 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       cosh(x) / x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cosh_integral(agn_tensor **out, const agn_tensor *x);

/**
 * agn_clausen - Clausen's integral Cl_2(x)
 *
 * Minus that of log(2 sin(t / 2)) from 0 to x, of period 2 pi; right to 1e-14 for x below 1e8 in
 * size, else NaN.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       -log |2 sin(x / 2)|
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_clausen(agn_tensor **out, const agn_tensor *x);

/**
 * agn_debye - Debye function D_n(x)
 *
 * n / x^n times the integral of t^n / (e^t - 1) from 0 to x; right to 1e-14; NaN below -600.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 1 to 20
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 12
 * @cost       O(n), a quadrature above 4
 */
AGN_API AGN_MUST_CHECK agn_status agn_debye(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_transport - transport integral J_n(x)
 *
 * Of t^n e^t / (e^t - 1)^2 from 0 to x, by the Debye function; right to 1e-13 for n up to 10.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 2 to 21
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 12
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transport(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_fermi_dirac - Fermi's and Dirac's integral F_order(x)
 *
 * Of t^order / (1 + e^(t - x)) over t > 0, divided by gamma(order + 1): minus the polylogarithm of
 * order + 1 at -e^x. Order -9 to 99, x up to 1000, else NaN; right to 1e-13, to 1e-11 for orders
 * below
 * -1 and x above 0.
 *
 * @param out    out, the broadcast shape
 * @param order  f32 f64; others by promotion
 * @param x      likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x; in the order to order 12, 1e-12, else NaN
 * @cost       O(n) of quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_fermi_dirac(agn_tensor **out, const agn_tensor *order,
    const agn_tensor *x);

/**
 * agn_kelvin_ber - Kelvin function ber_n(x)
 *
 * The real part of J_n(x exp(3 pi i / 4)); right to 1e-13 of the two
 * parts together; NaN above 990 in size.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 20
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       by the neighbours in the order
 * @cost       O(n) of series and quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_kelvin_ber(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_kelvin_bei - Kelvin function bei_n(x)
 *
 * The imaginary part of J_n(x exp(3 pi i / 4)); right to 1e-13 of the two
 * parts together; NaN above 990 in size.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 20
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       by the neighbours in the order
 * @cost       O(n) of series and quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_kelvin_bei(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_kelvin_ker - Kelvin function ker_n(x)
 *
 * The real part of exp(-pi i n / 2) K_n(x exp(pi i / 4)); right to 1e-13 of the two
 * parts together; NaN below 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 20
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       by the neighbours in the order
 * @cost       O(n) of series and quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_kelvin_ker(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_kelvin_kei - Kelvin function kei_n(x)
 *
 * The imaginary part of exp(-pi i n / 2) K_n(x exp(pi i / 4)); right to 1e-13 of the two
 * parts together; NaN below 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 20
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       by the neighbours in the order
 * @cost       O(n) of series and quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_kelvin_kei(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_rgamma - reciprocal of the gamma function
 *
 * Entire: 0 at 0, -1, ...; NaN below -170. Right to 1e-14.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 24, at the roots too
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_rgamma(agn_tensor **out, const agn_tensor *x);

/**
 * agn_gamma - gamma function
 *
 * Infinite at 0, -1, ...; NaN below -170. Right to 1e-14.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 24, off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gamma(agn_tensor **out, const agn_tensor *x);

/**
 * agn_digammainv - inverse of digamma on the half-line
 *
 * x above 0 with digamma(x) = y; right to 1e-14 of x.
 *
 * @param out  out, [...]
 * @param y    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       1 / polygamma(x, 1)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_digammainv(agn_tensor **out, const agn_tensor *y);

/**
 * agn_wright_omega - Wright's omega: y with y + log y = x
 *
 * W(e^x) of Lambert, for every x; right to 1e-15.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       y / (1 + y)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_wright_omega(agn_tensor **out, const agn_tensor *x);

/**
 * agn_beta - beta function
 *
 * gamma(a) gamma(b) / gamma(a + b); NaN for arguments below 0 and above 140 in size. Right to 1e-13
 * for sums up to 140, beyond to 1e-15 of the logarithms of the three gamma functions: 1e-12 at
 * 1000, 1e-10 at 30 000.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_beta(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b);

/**
 * agn_betaln - logarithm of the size of the beta function
 *
 * By logarithms of gamma functions, whose rounding stays; from 15 on by that of a quotient.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_betaln(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b);

/**
 * agn_binom - binomial coefficient of real arguments
 *
 * gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1)). Right to 1e-13 for 0 <= k <= n up to 139, beyond
 * as agn_beta; of k above n next to the roots at whole n to the digits that n - k keeps.
 *
 * @param out  out, the broadcast shape
 * @param n    f32 f64; others by promotion
 * @param k    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_binom(agn_tensor **out, const agn_tensor *n,
    const agn_tensor *k);

/**
 * agn_bernoulli - Bernoulli number B_n
 *
 * B_1 = -1/2; right to 1e-15.
 *
 * @param out  out, a number
 * @param n    0 to 258, beyond which they leave the range of double
 * @errors     AGN_ENULL, AGN_EARG (n)
 * @grad       none
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bernoulli(double *out, int32_t n);

/**
 * agn_euler_number - Euler number E_n
 *
 * Of the series of 1 / cosh: 1, 0, -1, 0, 5, ...; right to 1e-15.
 *
 * @param out  out, a number
 * @param n    0 to 186, beyond which they leave the range of double
 * @errors     AGN_ENULL, AGN_EARG (n)
 * @grad       none
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_euler_number(double *out, int32_t n);

/**
 * agn_exprel - (e^x - 1) / x
 *
 * 1 at 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_exprel(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cosm1 - cos(x) - 1
 *
 * -2 sin(x / 2)^2, of complex numbers too.
 *
 * @param out  out, [...]
 * @param x    in,  [...] real or complex; whole numbers by promotion
 * @errors     AGN_ENULL, AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cosm1(agn_tensor **out, const agn_tensor *x);

/**
 * agn_boxcox - transform of Box and Cox
 *
 * (x^lambda - 1) / lambda, log x at lambda = 0, without cancellation next to it.
 *
 * @param out     out, the broadcast shape
 * @param x       f32 f64; others by promotion
 * @param lambda  likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_boxcox(agn_tensor **out, const agn_tensor *x,
    const agn_tensor *lambda);

/**
 * agn_boxcox1p - transform of Box and Cox of 1 + x
 *
 * ((1 + x)^lambda - 1) / lambda.
 *
 * @param out     out, the broadcast shape
 * @param x       f32 f64; others by promotion
 * @param lambda  likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_boxcox1p(agn_tensor **out, const agn_tensor *x,
    const agn_tensor *lambda);

/**
 * agn_inv_boxcox - inverse of agn_boxcox
 *
 * (1 + lambda y)^(1 / lambda), exp y at lambda = 0.
 *
 * @param out     out, the broadcast shape
 * @param y       f32 f64; others by promotion
 * @param lambda  likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_inv_boxcox(agn_tensor **out, const agn_tensor *y,
    const agn_tensor *lambda);

/**
 * agn_inv_boxcox1p - inverse of agn_boxcox1p
 *
 * agn_inv_boxcox - 1, without cancellation.
 *
 * @param out     out, the broadcast shape
 * @param y       f32 f64; others by promotion
 * @param lambda  likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_inv_boxcox1p(agn_tensor **out, const agn_tensor *y,
    const agn_tensor *lambda);

/**
 * agn_agm - arithmetic-geometric mean
 *
 * Of a and b of one sign.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_agm(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b);

/**
 * agn_ellipkm1 - complete elliptic integral of the first kind K(1 - p)
 *
 * Of p = 1 - m, next to m = 1.
 *
 * @param out  out, [...]
 * @param p    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellipkm1(agn_tensor **out, const agn_tensor *p);

/**
 * agn_elliprg - Carlson's integral R_G(x, y, z)
 *
 * Of arguments that are 0 or more, else NaN. Right to 1e-14.
 *
 * @param out  out, the broadcast shape
 * @param x    f32 f64; others by promotion
 * @param y    likewise
 * @param z    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 30: an integral of the same kind (DLMF 19.18)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_elliprg(agn_tensor **out, const agn_tensor *x,
    const agn_tensor *y, const agn_tensor *z);

/**
 * agn_spence - dilogarithm Li_2(1 - x)
 *
 * Of x 0 or more; right to 1e-13.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       log(x) / (1 - x), to order 12
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_spence(agn_tensor **out, const agn_tensor *x);

/**
 * agn_dirichlet_eta - Dirichlet's eta function
 *
 * (1 - 2^(1 - order)) zeta(order), at 1 too; order -100 to 100, else NaN. Right to 1e-13.
 *
 * @param out    out, [...]
 * @param order  in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 12, of order above -8
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dirichlet_eta(agn_tensor **out, const agn_tensor *order);

/**
 * agn_parabolic_d - parabolic cylinder function D_v(x) of Whittaker
 *
 * Right to 1e-12 of its parts, for v up to 100 in size; NaN where these have lost too many digits.
 *
 * @param out  out, the broadcast shape
 * @param v    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n) of series and quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_parabolic_d(agn_tensor **out, const agn_tensor *v,
    const agn_tensor *x);

/**
 * agn_parabolic_v - parabolic cylinder function V(-v - 1/2, x)
 *
 * The solution beside D_v(x) that grows with x (DLMF 12.2). Right to 1e-12 of its even and odd part
 * for v up to 20 and x up to 20 in size.
 *
 * @param out  out, the broadcast shape
 * @param v    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n) of series and quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_parabolic_v(agn_tensor **out, const agn_tensor *v,
    const agn_tensor *x);

/**
 * agn_hankel1 - Hankel function of the first kind
 *
 * J_nu + i Y_nu.
 *
 * @param out  out, the broadcast shape, complex
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as agn_jv and agn_yv
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hankel1(agn_tensor **out, const agn_tensor *nu,
    const agn_tensor *x);

/**
 * agn_hankel2 - Hankel function of the second kind
 *
 * J_nu - i Y_nu.
 *
 * @param out  out, the broadcast shape, complex
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as agn_jv and agn_yv
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hankel2(agn_tensor **out, const agn_tensor *nu,
    const agn_tensor *x);

/**
 * agn_stdtr - Student's distribution function
 *
 * P(T < t) for df degrees of freedom; tails to the last digits.
 *
 * @param out  out, the broadcast shape
 * @param df   f32 f64; others by promotion
 * @param t    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, in t off 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stdtr(agn_tensor **out, const agn_tensor *df,
    const agn_tensor *t);

/**
 * agn_stdtrc - complement of agn_stdtr
 *
 * P(T > t).
 *
 * @param out  out, the broadcast shape
 * @param df   f32 f64; others by promotion
 * @param t    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, in t off 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stdtrc(agn_tensor **out, const agn_tensor *df,
    const agn_tensor *t);

/**
 * agn_stdtrit - quantile of Student's distribution
 *
 * t with P(T < t) = p.
 *
 * @param out  out, the broadcast shape
 * @param df   f32 f64; others by promotion
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, off p = 1/2
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stdtrit(agn_tensor **out, const agn_tensor *df,
    const agn_tensor *p);

/**
 * agn_fdtr - distribution function of Fisher's F
 *
 * For dfn and dfd degrees of freedom.
 *
 * @param out  out, the broadcast shape
 * @param dfn  f32 f64; others by promotion
 * @param dfd  likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fdtr(agn_tensor **out, const agn_tensor *dfn,
    const agn_tensor *dfd, const agn_tensor *x);

/**
 * agn_fdtrc - complement of agn_fdtr
 *
 * P(F > x), to the last digits.
 *
 * @param out  out, the broadcast shape
 * @param dfn  f32 f64; others by promotion
 * @param dfd  likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fdtrc(agn_tensor **out, const agn_tensor *dfn,
    const agn_tensor *dfd, const agn_tensor *x);

/**
 * agn_fdtri - quantile of F
 *
 * x with P(F < x) = p.
 *
 * @param out  out, the broadcast shape
 * @param dfn  f32 f64; others by promotion
 * @param dfd  likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fdtri(agn_tensor **out, const agn_tensor *dfn,
    const agn_tensor *dfd, const agn_tensor *p);

/**
 * agn_chdtr - chi-squared distribution function
 *
 * For v degrees of freedom.
 *
 * @param out  out, the broadcast shape
 * @param v    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_chdtr(agn_tensor **out, const agn_tensor *v,
    const agn_tensor *x);

/**
 * agn_chdtrc - complement of agn_chdtr
 *
 * P(X > x), to the last digits.
 *
 * @param out  out, the broadcast shape
 * @param v    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_chdtrc(agn_tensor **out, const agn_tensor *v,
    const agn_tensor *x);

/**
 * agn_chdtri - inverse of agn_chdtrc
 *
 * x with P(X > x) = p.
 *
 * @param out  out, the broadcast shape
 * @param v    f32 f64; others by promotion
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_chdtri(agn_tensor **out, const agn_tensor *v,
    const agn_tensor *p);

/**
 * agn_gdtr - gamma distribution function
 *
 * Of rate a and shape b.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gdtr(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_gdtrc - complement of agn_gdtr
 *
 * P(X > x), to the last digits.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gdtrc(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_gdtrix - quantile of the gamma distribution
 *
 * x with agn_gdtr = p.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gdtrix(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *p);

/**
 * agn_bdtr - binomial distribution function
 *
 * P(X <= k) for n trials of probability p.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param n    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bdtr(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *n, const agn_tensor *p);

/**
 * agn_bdtrc - complement of agn_bdtr
 *
 * P(X > k), to the last digits.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param n    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bdtrc(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *n, const agn_tensor *p);

/**
 * agn_bdtri - inverse of agn_bdtr in the probability
 *
 * p with P(X <= k) = y.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param n    likewise
 * @param y    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_bdtri(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *n, const agn_tensor *y);

/**
 * agn_nbdtr - negative binomial distribution function
 *
 * P(at most k failures before success n), p the probability of success.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param n    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nbdtr(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *n, const agn_tensor *p);

/**
 * agn_nbdtrc - complement of agn_nbdtr
 *
 * P(more than k failures before success n).
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param n    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nbdtrc(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *n, const agn_tensor *p);

/**
 * agn_nbdtri - inverse of agn_nbdtr in the probability
 *
 * p with agn_nbdtr = y.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param n    likewise
 * @param y    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_nbdtri(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *n, const agn_tensor *y);

/**
 * agn_pdtr - Poisson distribution function
 *
 * P(X <= k) of mean m.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param m    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pdtr(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *m);

/**
 * agn_pdtrc - complement of agn_pdtr
 *
 * P(X > k), to the last digits.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param m    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pdtrc(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *m);

/**
 * agn_pdtri - inverse of agn_pdtr in the mean
 *
 * m with P(X <= k) = p.
 *
 * @param out  out, the broadcast shape
 * @param k    f32 f64; others by promotion
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all but a whole number, as the incomplete function
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pdtri(agn_tensor **out, const agn_tensor *k,
    const agn_tensor *p);

/**
 * agn_log_gammainc - logarithm of agn_gammainc
 *
 * Where that underflows for a up to 99, beyond it NaN.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log_gammainc(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *x);

/**
 * agn_log_gammaincc - logarithm of agn_gammaincc
 *
 * Where that underflows for a up to 99, beyond it NaN.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log_gammaincc(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *x);

/**
 * agn_log_betainc - logarithm of agn_betainc
 *
 * Where that underflows for a and a + b up to 199, beyond it NaN.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log_betainc(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_log_betaincc - logarithm of agn_betaincc
 *
 * Where that underflows for b and a + b up to 199, beyond it NaN.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log_betaincc(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_mathieu_a - characteristic value of Mathieu's equation, of even functions
 *
 * That a for which y'' + (a - 2 q cos 2 x) y = 0 has the solution ce_m. Right to 1e-13 of |a| + 1;
 * NaN for q above 1e4 in size.
 *
 * @param out  out, [...]
 * @param q    in,  [...] f32 f64; others by promotion
 * @param m    order, 0 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (m), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 8
 * @cost       O(n (m + sqrt q)): some 10 microseconds an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_a(agn_tensor **out, const agn_tensor *q, int32_t m);

/**
 * agn_mathieu_b - characteristic value of Mathieu's equation, of odd functions
 *
 * As agn_mathieu_a, of se_m.
 *
 * @param out  out, [...]
 * @param q    in,  [...] f32 f64; others by promotion
 * @param m    order, 1 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (m), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 8
 * @cost       O(n (m + sqrt q)): some 10 microseconds an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_b(agn_tensor **out, const agn_tensor *q, int32_t m);

/**
 * agn_mathieu_ce - even Mathieu function ce_m(x, q)
 *
 * The integral of its square over a turn is pi; it is cos m x for q = 0, but 1 / sqrt 2 for m = 0.
 * x in radians (SciPy: degrees). Right to 1e-13 of 1; NaN for q above 1e4 in size, or x above 1e8.
 *
 * @param out  out, the broadcast shape
 * @param q    f32 f64; others by promotion
 * @param x    likewise
 * @param m    order, 0 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EARG (m), AGN_EDEVICE,
 *             AGN_ENOMEM
 * @grad       in q to order 8, in x to order 32
 * @cost       O(n (m + sqrt q)): some 10 microseconds an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_ce(agn_tensor **out, const agn_tensor *q,
    const agn_tensor *x, int32_t m);

/**
 * agn_mathieu_se - odd Mathieu function se_m(x, q)
 *
 * As agn_mathieu_ce; it is sin m x for q = 0.
 *
 * @param out  out, the broadcast shape
 * @param q    f32 f64; others by promotion
 * @param x    likewise
 * @param m    order, 1 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EARG (m), AGN_EDEVICE,
 *             AGN_ENOMEM
 * @grad       in q to order 8, in x to order 32
 * @cost       O(n (m + sqrt q)): some 10 microseconds an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_se(agn_tensor **out, const agn_tensor *q,
    const agn_tensor *x, int32_t m);

/**
 * agn_mathieu_modcem1 - even modified Mathieu function Mc of the first kind
 *
 * The solution of y'' = (a - 2 q cosh 2 x) y, a of agn_mathieu_a, that is J_m(2 sqrt q cosh x) far out
 * (DLMF 28.20, 28.24). Right to 1e-12 of the amplitude, and far out to 1e-15 sqrt q e^x, for the
 * phase is rounded; NaN for x outside of 0 to 30, where an order of Bessel functions has no value,
 * and where digits have been lost.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param q    above 0, to 1e4
 * @param m    order, 0 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (q, m), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n (m + sqrt q)) values of Bessel functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_modcem1(agn_tensor **out, const agn_tensor *x, double q,
    int32_t m);

/**
 * agn_mathieu_modcem2 - even modified Mathieu function Mc of the second kind
 *
 * As agn_mathieu_modcem1, of Y_m.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param q    above 0, to 1e4
 * @param m    order, 0 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (q, m), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n (m + sqrt q)) values of Bessel functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_modcem2(agn_tensor **out, const agn_tensor *x, double q,
    int32_t m);

/**
 * agn_mathieu_modsem1 - odd modified Mathieu function Ms of the first kind
 *
 * As agn_mathieu_modcem1, a of agn_mathieu_b.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param q    above 0, to 1e4
 * @param m    order, 1 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (q, m), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n (m + sqrt q)) values of Bessel functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_modsem1(agn_tensor **out, const agn_tensor *x, double q,
    int32_t m);

/**
 * agn_mathieu_modsem2 - odd modified Mathieu function Ms of the second kind
 *
 * As agn_mathieu_modcem2, a of agn_mathieu_b.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param q    above 0, to 1e4
 * @param m    order, 1 to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (q, m), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n (m + sqrt q)) values of Bessel functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_mathieu_modsem2(agn_tensor **out, const agn_tensor *x, double q,
    int32_t m);

/**
 * agn_bessel_integral - integrals over the argument of Bessel, Struve and Airy functions
 *
 * Of functions of order 0, by kind: from 0 to x of J (0), Y (1), I (2), K (3), (1 - J(t)) / t (4),
 * (I(t) - 1) / t (6), H (8), L (10); from x to infinity of Y(t) / t (5), K(t) / t (7), H(t) / t (9);
 * from 0 to x of Ai (11) and Bi (12). Right to 1e-13, of the amplitude where a kind oscillates; NaN
 * for x outside of 0 to 1e4, of the kinds 11 and 12 where the functions have no value.
 *
 * @param out   out, [...]
 * @param x     in,  [...] f32 f64; others by promotion
 * @param kind  0 to 12
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EARG (kind), AGN_EDEVICE, AGN_ENOMEM
 * @grad        of any order
 * @cost        O(n): at most some hundred values of the function an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_bessel_integral(agn_tensor **out, const agn_tensor *x,
    int32_t kind);

/**
 * agn_dirichlet_eta_complex - Dirichlet's eta function of a complex argument
 *
 * Right to 1e-13 of 1 + |eta| for an imaginary part up to 100 in size, to 1e-12 up to 300, by the
 * functional equation left of 0; NaN for a real part below -150 or an imaginary part beyond 300.
 *
 * @param out  out, [...] complex
 * @param z    in,  [...] f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 12
 * @cost       O(n (30 + |imaginary part|))
 */
AGN_API AGN_MUST_CHECK agn_status agn_dirichlet_eta_complex(agn_tensor **out, const agn_tensor *z);

/**
 * agn_zeta_complex - Riemann's zeta function of a complex argument
 *
 * By agn_dirichlet_eta_complex, in its range; NaN within 0.014 of the zeros of 1 - 2^(1 - z) other
 * than 1, where digits are lost. Right to 1e-13 of 1 + |zeta| next to the real axis, to 1e-11
 * elsewhere.
 *
 * @param out  out, [...] complex
 * @param z    in,  [...] f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 12
 * @cost       O(n (30 + |imaginary part|))
 */
AGN_API AGN_MUST_CHECK agn_status agn_zeta_complex(agn_tensor **out, const agn_tensor *z);

/**
 * agn_log1pmx - log(1 + x) - x
 *
 * Right to 1e-14 of x from -1 on, next to 0 too; NaN below.
 *
 * @param out   out, [...]
 * @param x     in,  [...] f32 f64; others by promotion
 * @errors  AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad    -x / (1 + x)
 * @cost    O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log1pmx(agn_tensor **out, const agn_tensor *x);

/**
 * agn_poch - rising factorial gamma(z + m) / gamma(z)
 *
 * Right to 1e-13 of z and m from 0 to 70; to 1e-12 where z and z + m are below 170 in size, but for
 * whole numbers up to 0, whose quotient of poles is NaN, and beyond, of both from 15 on; else NaN.
 *
 * @param out   out, the broadcast shape
 * @param z     f32 f64; others by promotion
 * @param m     likewise
 * @errors  AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad    in both; in z of order 4 to 1e-10
 * @cost    O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_poch(agn_tensor **out, const agn_tensor *z,
    const agn_tensor *m);

/**
 * agn_kl_div - term of the divergence of Kullback and Leibler
 *
 * x log(x / y) - x + y for x and y above 0; y for x = 0 and y from 0 on; else infinite. Right to
 * 1e-14 of the value, of x next to y too.
 *
 * @param out   out, the broadcast shape
 * @param x     f32 f64; others by promotion
 * @param y     likewise
 * @errors  AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad    log(x / y), 1 - x / y
 * @cost    O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_kl_div(agn_tensor **out, const agn_tensor *x,
    const agn_tensor *y);

/**
 * agn_huber - Huber's loss
 *
 * r^2 / 2 for |r| up to delta, beyond it delta (|r| - delta / 2); infinite for delta below 0.
 *
 * @param out   out, the broadcast shape
 * @param delta where the line begins, f32 f64; others by promotion
 * @param r     likewise
 * @errors  AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad    in both; at |r| = delta that of the square
 * @cost    O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_huber(agn_tensor **out, const agn_tensor *delta,
    const agn_tensor *r);

/**
 * agn_pseudo_huber - Huber's loss, smooth
 *
 * delta^2 (sqrt(1 + (r / delta)^2) - 1) without that difference; 0 for delta = 0, infinite below.
 *
 * @param out   out, the broadcast shape
 * @param delta f32 f64; others by promotion
 * @param r     likewise
 * @errors  AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad    in both, of delta above 0
 * @cost    O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pseudo_huber(agn_tensor **out, const agn_tensor *delta,
    const agn_tensor *r);

/**
 * agn_kolmogorov - survival function of Kolmogorov's distribution
 *
 * That of sqrt(n) sup |F_n - F| of many samples: 1 for x up to 0. Right to 1e-13 up to x = 15.
 *
 * @param out   out, [...]
 * @param x     in,  [...] f32 f64; others by promotion
 * @errors  AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad    in x; 0 below 0.04, where the exact one is below 1e-300
 * @cost    O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_kolmogorov(agn_tensor **out, const agn_tensor *x);

/**
 * agn_smirnov - survival function of Smirnov's one-sided distance of n values
 *
 * Of the largest distance of the empirical distribution function above the true one. Right to
 * 1e-13; NaN outside of 0 to 1.
 *
 * @param out  out, [...]
 * @param d    in,  [...] f32 f64; others by promotion
 * @param n    1 to 1000000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 8, between multiples of 1 / n
 * @cost       O(n) an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_smirnov(agn_tensor **out, const agn_tensor *d, int64_t n);

/**
 * agn_smirnovi - quantile of Smirnov's law
 *
 * The d of which agn_smirnov is p, to its last digit; NaN outside of 0 to 1.
 *
 * @param out  out, [...]
 * @param p    in,  [...] f32 f64; others by promotion
 * @param n    1 to 1000000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 8, between multiples of 1 / n
 * @cost       some ten values of agn_smirnov an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_smirnovi(agn_tensor **out, const agn_tensor *p, int64_t n);

/**
 * agn_tklmbda - distribution function of Tukey's lambda law
 *
 * The p of which (p^shape - (1 - p)^shape) / shape is x; of shape 0 the logistic
 * law. Right to 1e-13 up to 0, beyond to 1e-16 of 1; NaN for a shape above 500 in size.
 *
 * @param out    out, the broadcast shape
 * @param x      f32 f64; others by promotion
 * @param shape  likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, within the support
 * @cost       O(n) Newton steps
 */
AGN_API AGN_MUST_CHECK agn_status agn_tklmbda(agn_tensor **out, const agn_tensor *x,
    const agn_tensor *shape);

/**
 * agn_stirling2 - Stirling number of the second kind
 *
 * Ways to part n things into k classes, rounded once.
 *
 * @param out   out, the number; 0 for k above n
 * @param n     in,  0 to 200
 * @param k     in,  0 or more
 * @errors  AGN_ENULL, AGN_EARG (n, k)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stirling2(double *out, int32_t n, int32_t k);

/**
 * agn_chndtr - distribution function of the noncentral chi square law
 *
 * The sum of Poisson's weights of mean nc / 2 times chi square laws of df, df + 2, ...; right to
 * 1e-13 for df and nc to 2000; NaN for nc below 0 or above 2e4, df not above 0, x below 0.
 *
 * @param out  out, the broadcast shape
 * @param x    f32 f64; others by promotion
 * @param df   degrees of freedom, likewise
 * @param nc   noncentrality, likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all three, to order 8 in each
 * @cost       O(n sqrt(nc)); terms are incomplete gamma functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_chndtr(agn_tensor **out, const agn_tensor *x,
    const agn_tensor *df, const agn_tensor *nc);

/**
 * agn_chndtrix - quantile of the noncentral chi square law
 *
 * x with agn_chndtr(x, df, nc) = p; right to 1e-12.
 *
 * @param out  out, the broadcast shape
 * @param p    probability, f32 f64; others by promotion
 * @param df   degrees of freedom, likewise
 * @param nc   noncentrality, likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all three, as of an implicit function
 * @cost       some 30 times that of agn_chndtr
 */
AGN_API AGN_MUST_CHECK agn_status agn_chndtrix(agn_tensor **out, const agn_tensor *p,
    const agn_tensor *df, const agn_tensor *nc);

/**
 * agn_ncfdtr - distribution function of the noncentral F law
 *
 * Of the quotient of a noncentral chi square over dfn by a chi square over dfd; right to 1e-13 for
 * degrees of freedom and nc to 2000; NaN for nc below 0 or above 2e4.
 *
 * @param out  out, the broadcast shape
 * @param dfn  degrees of freedom of the numerator, f32 f64; others by promotion
 * @param dfd  those of the denominator, likewise
 * @param nc   noncentrality, likewise
 * @param f    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all four, to order 8 in each
 * @cost       O(n sqrt(nc)); terms are incomplete beta functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_ncfdtr(agn_tensor **out, const agn_tensor *dfn,
    const agn_tensor *dfd, const agn_tensor *nc, const agn_tensor *f);

/**
 * agn_ncfdtri - quantile of the noncentral F law
 *
 * f with agn_ncfdtr(dfn, dfd, nc, f) = p; right to 1e-12.
 *
 * @param out  out, the broadcast shape
 * @param dfn  degrees of freedom of the numerator, f32 f64; others by promotion
 * @param dfd  those of the denominator, likewise
 * @param nc   noncentrality, likewise
 * @param p    probability, likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all four, as of an implicit function
 * @cost       some 25 times that of agn_ncfdtr
 */
AGN_API AGN_MUST_CHECK agn_status agn_ncfdtri(agn_tensor **out, const agn_tensor *dfn,
    const agn_tensor *dfd, const agn_tensor *nc, const agn_tensor *p);

/**
 * agn_nctdtr - distribution function of the noncentral law of Student
 *
 * Of (z + nc) / sqrt(chi square of df over df), z normal, by quadrature of a positive function, so
 * that tails have all their digits; right to 1e-13 for df from 0.1 to 1e5, |nc| and |t| to 100.
 *
 * @param out  out, the broadcast shape
 * @param df   degrees of freedom, f32 f64; others by promotion
 * @param nc   noncentrality, likewise
 * @param t    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all three, to order 8 in each
 * @cost       O(n); some hundred normal distribution functions
 */
AGN_API AGN_MUST_CHECK agn_status agn_nctdtr(agn_tensor **out, const agn_tensor *df,
    const agn_tensor *nc, const agn_tensor *t);

/**
 * agn_nctdtrit - quantile of the noncentral law of Student
 *
 * t with agn_nctdtr(df, nc, t) = p; right to 1e-12 of |t| + |nc|.
 *
 * @param out  out, the broadcast shape
 * @param df   degrees of freedom, f32 f64; others by promotion
 * @param nc   noncentrality, likewise
 * @param p    probability, likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all three, as of an implicit function
 * @cost       some 20 times that of agn_nctdtr
 */
AGN_API AGN_MUST_CHECK agn_status agn_nctdtrit(agn_tensor **out, const agn_tensor *df,
    const agn_tensor *nc, const agn_tensor *p);

/**
 * agn_wright_bessel - Wright's generalised Bessel function
 *
 * The sum of x^k / (k! gamma(a k + b)) for a, b, x from 0 on; right to 1e-13; NaN where more than
 * 10^6 terms rise.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all three, to order 8 together in a and b, 8 in x
 * @cost       O(n) terms about the largest
 */
AGN_API AGN_MUST_CHECK agn_status agn_wright_bessel(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_log_wright_bessel - logarithm of Wright's generalised Bessel function
 *
 * Of values that leave the range, too.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       as of agn_wright_bessel
 * @cost       O(n) terms about the largest
 */
AGN_API AGN_MUST_CHECK agn_status agn_log_wright_bessel(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_pro_cv - characteristic value of the prolate spheroidal equation
 *
 * lambda of ((1 - x^2) S')' + (lambda - c^2 x^2 - m^2 / (1 - x^2)) S = 0 with S finite at both ends;
 * right to 1e-13 of n (n + 1) + c^2; NaN for |c| above 100.
 *
 * @param out  out, [...]
 * @param c    in,  [...] f32 f64; others by promotion
 * @param m    order, 0 to 60
 * @param n    degree, m to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (m, n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 8
 * @cost       O(n c); an eigenvalue of a tridiagonal matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_pro_cv(agn_tensor **out, const agn_tensor *c, int32_t m,
    int32_t n);

/**
 * agn_obl_cv - characteristic value of the oblate spheroidal equation
 *
 * That of agn_pro_cv for i c.
 *
 * @param out  out, [...]
 * @param c    in,  [...] f32 f64; others by promotion
 * @param m    order, 0 to 60
 * @param n    degree, m to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (m, n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 8
 * @cost       O(n c)
 */
AGN_API AGN_MUST_CHECK agn_status agn_obl_cv(agn_tensor **out, const agn_tensor *c, int32_t m,
    int32_t n);

/**
 * agn_pro_ang1 - prolate spheroidal angular function of the first kind
 *
 * Of Flammer's norm: value or slope at 0 are those of the Legendre function, without Condon's and
 * Shortley's phase. Right to 1e-12 of its largest value; NaN where |x| is above 1 or |c| above 100.
 *
 * @param out  out, the broadcast shape
 * @param c    f32 f64; others by promotion
 * @param x    likewise
 * @param m    order, 0 to 60
 * @param n    degree, m to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EARG (m, n), AGN_EDEVICE,
 *             AGN_ENOMEM
 * @grad       in both; in c to order 8
 * @cost       O(n c)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pro_ang1(agn_tensor **out, const agn_tensor *c,
    const agn_tensor *x, int32_t m, int32_t n);

/**
 * agn_obl_ang1 - oblate spheroidal angular function of the first kind
 *
 * That of agn_pro_ang1 for i c; NaN where its value at 0, by which it is normed, has lost digits.
 *
 * @param out  out, the broadcast shape
 * @param c    f32 f64; others by promotion
 * @param x    likewise
 * @param m    order, 0 to 60
 * @param n    degree, m to 100
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EARG (m, n), AGN_EDEVICE,
 *             AGN_ENOMEM
 * @grad       in both; in c to order 8
 * @cost       O(n c)
 */
AGN_API AGN_MUST_CHECK agn_status agn_obl_ang1(agn_tensor **out, const agn_tensor *c,
    const agn_tensor *x, int32_t m, int32_t n);

/**
 * agn_legendre_q - Legendre function of the second kind Q_n(x)
 *
 * Of Ferrers between -1 and 1, where it is right to 1e-13 of its amplitude; beyond to 1e-13 (DLMF 14.2).
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 200
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to order 64
 * @cost       O(n) a degree
 */
AGN_API AGN_MUST_CHECK agn_status agn_legendre_q(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_pro_rad1 - prolate spheroidal radial function of the first kind
 *
 * The solution of ((x^2 - 1) R')' = (lambda - c^2 x^2 + m^2 / (x^2 - 1)) R, lambda of agn_pro_cv, that is
 * finite at 1 and cos(c x - (n + 1) pi / 2) / (c x) far out (DLMF 30.11). Right to 1e-13 for c to 10,
 * 1e-12 beyond, of the amplitude where it oscillates; NaN for x outside of 1 to 1e8, at 1, and where a
 * part leaves the range.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param c    above 0, to 100
 * @param m    order, 0 to 40
 * @param n    degree, m to 60
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (c, m, n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n + c^2 / 2) steps of Taylor series an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_pro_rad1(agn_tensor **out, const agn_tensor *x, double c,
    int32_t m, int32_t n);

/**
 * agn_pro_rad2 - prolate spheroidal radial function of the second kind
 *
 * As agn_pro_rad1, sin(c x - (n + 1) pi / 2) / (c x) far out; infinite at 1.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param c    above 0, to 100
 * @param m    order, 0 to 40
 * @param n    degree, m to 60
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (c, m, n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n + c^2 / 2) steps of Taylor series an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_pro_rad2(agn_tensor **out, const agn_tensor *x, double c,
    int32_t m, int32_t n);

/**
 * agn_obl_rad1 - oblate spheroidal radial function of the first kind
 *
 * That of agn_pro_rad1 for i c and -i x, x from 0 on.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param c    above 0, to 100
 * @param m    order, 0 to 40
 * @param n    degree, m to 60
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (c, m, n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n + c^2 / 2) steps of Taylor series an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_obl_rad1(agn_tensor **out, const agn_tensor *x, double c,
    int32_t m, int32_t n);

/**
 * agn_obl_rad2 - oblate spheroidal radial function of the second kind
 *
 * That of agn_pro_rad2 for i c and -i x, x from 0 on.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param c    above 0, to 100
 * @param m    order, 0 to 40
 * @param n    degree, m to 60
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (c, m, n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(n + c^2 / 2) steps of Taylor series an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_obl_rad2(agn_tensor **out, const agn_tensor *x, double c,
    int32_t m, int32_t n);

/**
 * agn_parabolic_w - parabolic cylinder function W(a, x)
 *
 * Of y'' = (a - x^2 / 4) y (DLMF 12.14). Right to 1e-13, of the amplitude where it oscillates; NaN for x above
 * 1e6 in size, and below -28 - 3 |a|.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param a    -50 to 50
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (a), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, of any order
 * @cost       O(|a| + 14) steps of Taylor series an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_parabolic_w(agn_tensor **out, const agn_tensor *x, double a);

/**
 * agn_ellip_harm - ellipsoidal harmonic E_n^p(s) of Lame
 *
 * The solution of (s^2 - h2) (s^2 - k2) E'' + s (2 s^2 - h2 - k2) E' + (H - n (n + 1) s^2) E = 0 whose leading
 * power of s has the coefficient 1 (DLMF 29.12), p in SciPy's order. Right to 1e-12 of its amplitude; NaN where
 * digits are lost.
 *
 * @param out  out, [...]
 * @param s    in,  [...] f32 f64; others by promotion
 * @param h2   above 0
 * @param k2   above h2
 * @param n    degree, 0 to 40
 * @param p    1 to 2 n + 1
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (h2, k2, n, p), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in s, of any order
 * @cost       O(n^2) an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellip_harm(agn_tensor **out, const agn_tensor *s, double h2,
    double k2, int32_t n, int32_t p);

/**
 * agn_ellip_harm_2 - ellipsoidal harmonic F_n^p(s) of the second kind
 *
 * (2 n + 1) E(s) times the integral from s on of 1 / (E(u)^2 sqrt((u^2 - h2) (u^2 - k2))). Right to 1e-12; NaN for s
 * up to k or above 1e100, and where digits are lost.
 *
 * @param out  out, [...]
 * @param s    in,  [...] f32 f64; others by promotion
 * @param h2   above 0
 * @param k2   above h2
 * @param n    degree, 0 to 40
 * @param p    1 to 2 n + 1
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (h2, k2, n, p), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in s, of any order
 * @cost       O(n^2 + 281 n) an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellip_harm_2(agn_tensor **out, const agn_tensor *s, double h2,
    double k2, int32_t n, int32_t p);

/**
 * agn_ellip_normal - norm of an ellipsoidal harmonic
 *
 * 8 times the integral over x from 0 to h and y from h to k of (y^2 - x^2) (E(x) E(y))^2 over
 * sqrt((k2 - y^2) (y^2 - h2) (h2 - x^2) (k2 - x^2)); right to 1e-12.
 *
 * @param out  out, [] f64
 * @param h2   above 0
 * @param k2   above h2
 * @param n    degree, 0 to 40
 * @param p    1 to 2 n + 1
 * @errors     AGN_ENULL, AGN_EARG (h2, k2, n, p), AGN_ENOMEM
 * @grad       none
 * @cost       200 values of the harmonic each way
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellip_normal(agn_tensor **out, double h2, double k2, int32_t n,
    int32_t p);

/**
 * agn_besselpoly - integral of x^power J_order(2 a x) from 0 to 1
 *
 * Right to 1e-13, of the amplitude where it oscillates; NaN for a above 5000 in size, power and order above 150 in size,
 * power + order up to -1 (an order that is whole counts by its size), and a below 0 of an order that is not whole.
 *
 * @param out    out, [...]
 * @param a      in,  [...] f32 f64; others by promotion
 * @param power  a number
 * @param order  a number
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       of any order
 * @cost       O(a) values of the Bessel function an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_besselpoly(agn_tensor **out, const agn_tensor *a, double power,
    double order);

/**
 * agn_airy_zeros - zeros of Airy's functions on the negative half-line
 *
 * @param out   out, [n] f64, those next to 0 first
 * @param kind  0 to 3: Ai, Ai', Bi, Bi'
 * @param n     1 to 100000
 * @errors     AGN_ENULL, AGN_EARG (kind, n), AGN_ENOMEM
 * @grad        none
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_airy_zeros(agn_tensor **out, int32_t kind, int32_t n);

/**
 * agn_kelvin_zeros - positive zeros of Kelvin's functions of order 0
 *
 * @param out   out, [n] f64, ascending
 * @param kind  0 to 3: ber, bei, ker, kei; 4 to 7: their derivatives
 * @param n     1 to 150
 * @errors     AGN_ENULL, AGN_EARG (kind, n), AGN_ENOMEM
 * @grad        none
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_kelvin_zeros(agn_tensor **out, int32_t kind, int32_t n);

/**
 * agn_erf_zeros - zeros of erf in the first quadrant
 *
 * Those of other quadrants are their negatives and conjugates.
 *
 * @param out  out, [n] c128, those next to 0 first
 * @param n    1 to 100000
 * @errors     AGN_ENULL, AGN_EARG (n), AGN_ENOMEM
 * @grad       none
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erf_zeros(agn_tensor **out, int32_t n);

/**
 * agn_fresnel_zeros - zeros of Fresnel's integrals in the first quadrant
 *
 * Times -1, i and -i, and their conjugates, they are all but 0.
 *
 * @param out   out, [n] c128, those next to 0 first
 * @param kind  0: C, 1: S
 * @param n     1 to 100000
 * @errors     AGN_ENULL, AGN_EARG (kind, n), AGN_ENOMEM
 * @grad       none
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fresnel_zeros(agn_tensor **out, int32_t kind, int32_t n);

#ifdef __cplusplus
}
#endif

#endif
