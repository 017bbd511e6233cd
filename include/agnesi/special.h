/**
 * agnesi/special.h - special functions: Airy, Bessel, elliptic and exponential integrals,
 * Faddeeva's, orthogonal polynomials
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_SPECIAL_H
#define AGNESI_SPECIAL_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_airy_ai - Airy function Ai(x)
 *
 * Right to 1e-15 of the value, of the amplitude below 0; NaN below -1e10, where the phase has no
 * digit.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       agn_airy_aip
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_airy_ai(agn_tensor **out, const agn_tensor *x);

/**
 * agn_airy_aip - derivative of Ai: Ai'(x)
 *
 * Right to 1e-15 of the value, of the amplitude below 0; NaN below -1e10, where the phase has no
 * digit.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       x Ai(x), to any order
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_airy_aip(agn_tensor **out, const agn_tensor *x);

/**
 * agn_airy_bi - Airy function Bi(x), the solution of y'' = x y that grows
 *
 * Right to 1e-15 of the value, of the amplitude below 0; NaN below -1e10, where the phase has no
 * digit.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       agn_airy_bip
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_airy_bi(agn_tensor **out, const agn_tensor *x);

/**
 * agn_airy_bip - derivative of Bi: Bi'(x)
 *
 * Right to 1e-15 of the value, of the amplitude below 0; NaN below -1e10, where the phase has no
 * digit.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       x Bi(x), to any order
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_airy_bip(agn_tensor **out, const agn_tensor *x);

/**
 * agn_fresnel_s - Fresnel integral of sin(pi t^2 / 2) from 0 to x
 *
 * Right to 1e-15.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       sin(pi x^2 / 2)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fresnel_s(agn_tensor **out, const agn_tensor *x);

/**
 * agn_fresnel_c - Fresnel integral of cos(pi t^2 / 2) from 0 to x
 *
 * Right to 1e-15.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       cos(pi x^2 / 2)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fresnel_c(agn_tensor **out, const agn_tensor *x);

/**
 * agn_lambertw - W with W e^W = x, on one of the two real branches
 *
 * Branch 0 for x >= -1/e, above -1; branch -1 for -1/e <= x < 0, below -1. NaN outside. Right to
 * 1e-15, 1 + W and so the derivative as well, however near -1/e.
 *
 * @param out     out, [...]
 * @param x       in,  [...] f32 f64; others by promotion
 * @param branch  0 or -1
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (branch), AGN_EDEVICE, AGN_ENOMEM
 * @grad       exp(-W) / (1 + W)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lambertw(agn_tensor **out, const agn_tensor *x,
                                               int32_t branch);

/**
 * agn_expn - exponential integral E_n(x) of whole order
 *
 * Right to 1e-14; NaN below 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 or more; E_1 has n = 1
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n < 0 or above a million), AGN_EDEVICE, AGN_ENOMEM
 * @grad       -E_(n-1)(x)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_expn(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_expi - exponential integral Ei(x), its principal value for x > 0
 *
 * Right to 1e-14, next to the root 0.3725 too.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       exp(x) / x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_expi(agn_tensor **out, const agn_tensor *x);

/**
 * agn_owens_t - Owen's T(h, a)
 *
 * The probability of X > h and 0 < Y < a X for independent standard normal X and Y; right to 1e-14.
 *
 * @param out  out, the broadcast shape
 * @param h    f32 f64; others by promotion
 * @param a    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_owens_t(agn_tensor **out, const agn_tensor *h,
                                              const agn_tensor *a);

/**
 * agn_ellipk - complete elliptic integral of the first kind K(m)
 *
 * Of the parameter m = k^2; NaN above 1.
 *
 * @param out  out, [...]
 * @param m    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       by the family of integrals, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellipk(agn_tensor **out, const agn_tensor *m);

/**
 * agn_ellipe - complete elliptic integral of the second kind E(m)
 *
 * Of the parameter m = k^2; NaN above 1.
 *
 * @param out  out, [...]
 * @param m    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       by the family of integrals, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellipe(agn_tensor **out, const agn_tensor *m);

/**
 * agn_ellippi - complete elliptic integral of the third kind Pi(n | m)
 *
 * 1 / ((1 - n sin^2) sqrt(1 - m sin^2)) from 0 to pi / 2; NaN for n or m above 1.
 *
 * @param out  out, the broadcast shape
 * @param n    characteristic, f32 f64; others by promotion
 * @param m    likewise, k^2
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellippi(agn_tensor **out, const agn_tensor *n,
                                              const agn_tensor *m);

/**
 * agn_ellipkinc - elliptic integral of the first kind F(phi | m)
 *
 * For any phi below 1e8 in size; NaN for m above 1. Right to 1e-14.
 *
 * @param out  out, the broadcast shape
 * @param phi  amplitude, f32 f64; others by promotion
 * @param m    likewise, k^2
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellipkinc(agn_tensor **out, const agn_tensor *phi,
                                                const agn_tensor *m);

/**
 * agn_ellipeinc - elliptic integral of the second kind E(phi | m)
 *
 * As agn_ellipkinc.
 *
 * @param out  out, the broadcast shape
 * @param phi  amplitude, f32 f64; others by promotion
 * @param m    likewise, k^2
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in both, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellipeinc(agn_tensor **out, const agn_tensor *phi,
                                                const agn_tensor *m);

/**
 * agn_ellippiinc - elliptic integral of the third kind Pi(n; phi | m)
 *
 * As agn_ellipkinc; NaN for n above 1 as well.
 *
 * @param out  out, the broadcast shape
 * @param n    characteristic, f32 f64; others by promotion
 * @param phi  amplitude, likewise
 * @param m    likewise, k^2
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ellippiinc(agn_tensor **out, const agn_tensor *n,
                                                 const agn_tensor *phi, const agn_tensor *m);

/**
 * agn_elliprf - Carlson's symmetric integral R_F(x, y, z)
 *
 * Of arguments that are 0 or more, one of them 0 at most; NaN below 0. Right to 1e-14.
 *
 * @param out  out, the broadcast shape
 * @param x    f32 f64; others by promotion
 * @param y    likewise
 * @param z    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_elliprf(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *y, const agn_tensor *z);

/**
 * agn_elliprc - Carlson's degenerate integral R_C(x, y)
 *
 * x 0 or more, y above 0; NaN below 0.
 *
 * @param out  out, the broadcast shape
 * @param x    f32 f64; others by promotion
 * @param y    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_elliprc(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *y);

/**
 * agn_elliprd - Carlson's integral R_D(x, y, z)
 *
 * As agn_elliprf; z above 0.
 *
 * @param out  out, the broadcast shape
 * @param x    f32 f64; others by promotion
 * @param y    likewise
 * @param z    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_elliprd(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *y, const agn_tensor *z);

/**
 * agn_elliprj - Carlson's integral R_J(x, y, z, p)
 *
 * As agn_elliprf; p above 0.
 *
 * @param out  out, the broadcast shape
 * @param x    f32 f64; others by promotion
 * @param y    likewise
 * @param z    likewise
 * @param p    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 30
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_elliprj(agn_tensor **out, const agn_tensor *x,
                                              const agn_tensor *y, const agn_tensor *z,
                                              const agn_tensor *p);

/**
 * agn_jv - Bessel function of the first kind J_nu(x)
 *
 * Of real order, at most 500 in size, else NaN; x below 0 for whole orders alone. Right to 1e-13 of
 * the amplitude.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, and in nu to order 32 for x above 0, at most 1e4 (1e-13 of the amplitude), else
 *             NaN
 * @cost       O(n) of quadratures or continued fractions: about a microsecond an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_jv(agn_tensor **out, const agn_tensor *nu,
                                         const agn_tensor *x);

/**
 * agn_yv - Bessel function of the second kind Y_nu(x)
 *
 * As agn_jv; NaN below 0.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, and in nu to order 32 for x above 0, at most 1e4 (1e-13 of the amplitude), else
 *             NaN
 * @cost       O(n) of quadratures or continued fractions: about a microsecond an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_yv(agn_tensor **out, const agn_tensor *nu,
                                         const agn_tensor *x);

/**
 * agn_iv - modified Bessel function of the first kind I_nu(x)
 *
 * Of real order, at most 1e4 in size, else NaN; x below 0 for whole orders alone. Right to 1e-13.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, and in nu to order 32 for x above 0, at most 700 (1e-13), else NaN
 * @cost       O(n) of quadratures or continued fractions: about a microsecond an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_iv(agn_tensor **out, const agn_tensor *nu,
                                         const agn_tensor *x);

/**
 * agn_kv - modified Bessel function of the second kind K_nu(x)
 *
 * Of real order, at most 1e4 in size, else NaN, as for x below 0. Right to 1e-13.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, and in nu to order 32
 * @cost       O(n) of quadratures or continued fractions: about a microsecond an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_kv(agn_tensor **out, const agn_tensor *nu,
                                         const agn_tensor *x);

/**
 * agn_ive - exp(-|x|) I_nu(x)
 *
 * As agn_iv. Derivatives in x of order n, x large: by an expansion, to 1e-12. Where that does not
 * converge, up to x of 30 or of nu squared, they are differences of neighbours, to (2 x)^n
 * roundings of the function over x^n, and NaN beyond 1e-6 of that.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x, and in nu to order 32 for x above 0, at most 1e4 (1e-12), else NaN
 * @cost       O(n) of quadratures or continued fractions: about a microsecond an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_ive(agn_tensor **out, const agn_tensor *nu,
                                          const agn_tensor *x);

/**
 * agn_kve - exp(x) K_nu(x)
 *
 * As agn_kv, for x that makes K underflow; its derivatives are integrals of their own.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in x and nu, each to order 32
 * @cost       O(n) of quadratures or continued fractions: about a microsecond an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_kve(agn_tensor **out, const agn_tensor *nu,
                                          const agn_tensor *x);

/**
 * agn_wofz - Faddeeva function w(z) = exp(-z^2) erfc(-i z)
 *
 * Right to 1e-14 of |w|.
 *
 * @param out  out, [...] complex
 * @param z    in,  [...] f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere, to order 32
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_wofz(agn_tensor **out, const agn_tensor *z);

/**
 * agn_dawsn - Dawson's integral exp(-x^2) times that of exp(t^2) from 0 to x
 *
 * Right to 1e-14.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere, to order 32
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dawsn(agn_tensor **out, const agn_tensor *x);

/**
 * agn_voigt_profile - Voigt profile: density of a sum of a normal and a Cauchy variable
 *
 * Re w((x + i gamma) / (sigma sqrt 2)) / (sigma sqrt(2 pi)); sigma above 0, gamma 0 or more. Right
 * to 1e-13; to (x / sigma)^2 eps where the normal variable's tail is more, for that multiplies
 * rounding.
 *
 * @param out    out, the broadcast shape
 * @param x      f32 f64; others by promotion
 * @param sigma  standard deviation of the normal variable, likewise
 * @param gamma  half width of the Cauchy variable, likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in all, to order 32
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_voigt_profile(agn_tensor **out, const agn_tensor *x,
                                                    const agn_tensor *sigma,
                                                    const agn_tensor *gamma);

/**
 * agn_jacobi - Jacobi polynomial of degree n with parameters a and b
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @param a    above -1
 * @param b    above -1
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n, a or b), AGN_EDEVICE, AGN_ENOMEM
 * @grad       (n + a + b + 1) / 2 times that of degree n - 1 with a + 1, b + 1; to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_jacobi(agn_tensor **out, const agn_tensor *x, int32_t n,
                                             double a, double b);

/**
 * agn_gegenbauer - Gegenbauer (ultraspherical) polynomial of degree n
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @param a    above -1/2
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n or a), AGN_EDEVICE, AGN_ENOMEM
 * @grad       2 a times that of degree n - 1 with a + 1; to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_gegenbauer(agn_tensor **out, const agn_tensor *x,
                                                 int32_t n, double a);

/**
 * agn_legendre - Legendre polynomial of degree n
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       a Gegenbauer polynomial of parameter 3/2; to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_legendre(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_chebyshev_t - Chebyshev polynomial of the first kind T_n
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       n U_(n-1)(x); to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_chebyshev_t(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_chebyshev_u - Chebyshev polynomial of the second kind U_n
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       a Gegenbauer polynomial of parameter 2; to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_chebyshev_u(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_laguerre - generalised Laguerre polynomial of degree n with parameter a
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @param a    above -1; 0 gives Laguerre's own
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n or a), AGN_EDEVICE, AGN_ENOMEM
 * @grad       minus that of degree n - 1 with a + 1; to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_laguerre(agn_tensor **out, const agn_tensor *x, int32_t n,
                                               double a);

/**
 * agn_hermite - Hermite polynomial H_n, of the weight exp(-x^2)
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       2 n H_(n-1)(x); to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_hermite(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_hermite_e - Hermite polynomial He_n, of the weight exp(-x^2 / 2)
 *
 * By the recurrence in the degree.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    degree, 0 to 100000
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad       n He_(n-1)(x); to any order
 * @cost       O(n) for each element
 */
AGN_API AGN_MUST_CHECK agn_status agn_hermite_e(agn_tensor **out, const agn_tensor *x, int32_t n);

/**
 * agn_roots_jacobi - Gauss' rule of Jacobi's weight
 *
 * Of (1 - x)^a (1 + x)^b from -1 to 1, exact for polynomials of degree 2 n - 1: with a = b = 0 that of
 * Gauss and Legendre. Nodes are right to 1e-14, weights to 1e-11 of theirs.
 *
 * @param out   out, two results: nodes, ascending, and weights, both [n] f64
 * @param n     in,  number of nodes, 1 to 2000
 * @param a     in,  exponents above -1, up to 100
 * @param b     in,  likewise
 * @errors  AGN_ENULL, AGN_EARG (n, a, b), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_roots_jacobi(agn_tensor *out[], int32_t n, double a,
    double b);

/**
 * agn_roots_laguerre - Gauss' rule of Laguerre's weight
 *
 * Of x^a exp(-x) above 0. Nodes are right to 1e-14 of the largest, weights to 1e-11 of theirs.
 *
 * @param out   out, two results: nodes, ascending, and weights, both [n] f64
 * @param n     in,  number of nodes, 1 to 2000
 * @param a     in,  exponent above -1, up to 100
 * @errors  AGN_ENULL, AGN_EARG (n, a), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_roots_laguerre(agn_tensor *out[], int32_t n, double a);

/**
 * agn_roots_hermite - Gauss' rule of Hermite's weight
 *
 * Of exp(-x^2) on the line. Nodes are right to 1e-14 of the largest, weights to 1e-11 of theirs.
 *
 * @param out   out, two results: nodes, ascending, and weights, both [n] f64
 * @param n     in,  number of nodes, 1 to 2000
 * @errors  AGN_ENULL, AGN_EARG (n), AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_roots_hermite(agn_tensor *out[], int32_t n);

#ifdef __cplusplus
}
#endif

#endif
