/**
 * agnesi/hypergeometric.h - special functions of hypergeometric kind: Kummer's, Gauss', Struve's,
 * Jacobi's, spherical Bessel functions, harmonics, polylogarithm, Lerch's function, Lambert's W in the plane
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_HYPERGEOMETRIC_H
#define AGNESI_HYPERGEOMETRIC_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_spherical_jn - spherical Bessel function of the first kind j_n(x)
 *
 * Right to 1e-13 of the amplitude, of the value below the turning point; NaN above 1e15.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 499
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad      by the neighbours in the order, as long as that is at most 499
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_spherical_jn(agn_tensor **out, const agn_tensor *x,
    int32_t n);

/**
 * agn_spherical_yn - spherical Bessel function of the second kind y_n(x)
 *
 * As agn_spherical_jn; minus infinity at 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 499
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad      by the neighbours in the order, as long as that is at most 499
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_spherical_yn(agn_tensor **out, const agn_tensor *x,
    int32_t n);

/**
 * agn_spherical_in - modified spherical Bessel function of the first kind i_n(x)
 *
 * i_n(x) = sqrt(pi / (2 x)) I_(n + 1/2)(x), right to 1e-13.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 499
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad      by the neighbours in the order, as long as that is at most 499
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_spherical_in(agn_tensor **out, const agn_tensor *x,
    int32_t n);

/**
 * agn_spherical_kn - modified spherical Bessel function of the second kind k_n(x)
 *
 * k_n(x) = sqrt(pi / (2 x)) K_(n + 1/2)(x), so that k_0 = pi / 2 exp(-x) / x; right to 1e-14; NaN
 * below 0.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param n    order, 0 to 499
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_EARG (n), AGN_EDEVICE, AGN_ENOMEM
 * @grad      by the neighbours in the order, as long as that is at most 499
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_spherical_kn(agn_tensor **out, const agn_tensor *x,
    int32_t n);

/**
 * agn_assoc_legendre - associated Legendre function P_l^m(x) on [-1, 1]
 *
 * With the phase (-1)^m of Condon and Shortley; NaN outside of [-1, 1] for odd m.
 *
 * @param out  out, [...]
 * @param x    in,  [...] f32 f64; others by promotion
 * @param l    degree, 0 or more
 * @param m    order, 0 to l; l + m at most 150
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_EARG (l, m), AGN_EDEVICE, AGN_ENOMEM
 * @grad      to any order
 * @cost      O(n l)
 */
AGN_API AGN_MUST_CHECK agn_status agn_assoc_legendre(agn_tensor **out, const agn_tensor *x,
    int32_t l, int32_t m);

/**
 * agn_sph_harm - spherical harmonic Y_l^m(theta, phi)
 *
 * Orthonormal on the sphere, with the phase of Condon and Shortley; theta is the angle from the
 * pole, phi the azimuth (as SciPy's sph_harm_y). Right to 1e-13 of the largest value of the
 * degree.
 *
 * @param out    out, the broadcast shape, complex
 * @param theta  f32 f64; others by promotion
 * @param phi    likewise
 * @param l      degree, 0 to 200
 * @param m      order, -l to l
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EARG (l, m), AGN_EDEVICE,
 *              AGN_ENOMEM
 * @grad        in both, to any order, at the poles too
 * @cost        O(n l)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sph_harm(agn_tensor **out, const agn_tensor *theta,
    const agn_tensor *phi, int32_t l, int32_t m);

/**
 * agn_wigner_3j - Wigner's 3j symbol
 *
 * Of twice its arguments, so that halves are whole; 0 where the selection rules say so. Right to
 * 1e-13 of the largest symbol of the same j2, j3 and m.
 *
 * @param out     out, a number
 * @param two_j1  twice j1, 0 to 2000
 * @param two_j2  twice j2, 0 to 2000
 * @param two_j3  twice j3, 0 to 2000
 * @param two_m1  twice m1, of the parity of two_j1
 * @param two_m2  twice m2, of the parity of two_j2
 * @param two_m3  twice m3, of the parity of two_j3
 * @errors       AGN_ENULL, AGN_EARG (a number out of its range, or of another parity)
 * @grad         none: a number of whole numbers
 * @cost         O(j2 + j3)
 */
AGN_API AGN_MUST_CHECK agn_status agn_wigner_3j(double *out, int32_t two_j1, int32_t two_j2,
    int32_t two_j3, int32_t two_m1, int32_t two_m2, int32_t two_m3);

/**
 * agn_wigner_6j - Wigner's 6j symbol
 *
 * {j1 j2 j3; l1 l2 l3} of twice its arguments; 0 where a triad breaks a selection rule. Right to
 * 1e-13 of the largest symbol of the same j2, j3, l1, l2, l3.
 *
 * @param out    out, a number
 * @param two_j  twice j1, j2, j3, l1, l2, l3, each 0 to 2000
 * @errors       AGN_ENULL, AGN_EARG (a number out of its range), AGN_ENOMEM
 * @grad         none: a number of whole numbers
 * @cost         O(j)
 */
AGN_API AGN_MUST_CHECK agn_status agn_wigner_6j(double *out, const int32_t two_j[6]);

/**
 * agn_wigner_9j - Wigner's 9j symbol
 *
 * Of twice its arguments, row by row; 0 where a row or column breaks a selection rule. A sum of
 * products of 6j symbols, right to 1e-13 of the largest of them.
 *
 * @param out    out, a number
 * @param two_j  twice the arguments, each 0 to 2000
 * @errors       AGN_ENULL, AGN_EARG (a number out of its range), AGN_ENOMEM
 * @grad         none: a number of whole numbers
 * @cost         O(j^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_wigner_9j(double *out, const int32_t two_j[9]);

/**
 * agn_bessel_zeros - first positive zeros of a Bessel function or of its derivative
 *
 * Ascending, right to 1e-14; 0 is not among those of the derivative of J_0.
 *
 * @param out   out, [n] f64
 * @param nu    order, 0 to 400
 * @param kind  0: of J, 1: of Y, 2: of the derivative of J, 3: of that of Y
 * @param n     1 to 100000
 * @errors      AGN_ENULL, AGN_EARG (nu, kind, n), AGN_ENOMEM
 * @grad        none
 * @cost        O(n) values of the function, ten for each zero
 */
AGN_API AGN_MUST_CHECK agn_status agn_bessel_zeros(agn_tensor **out, double nu, int32_t kind,
                                                   int32_t n);

/**
 * agn_hyp1f1 - confluent hypergeometric function M(a, b, x) of Kummer
 *
 * Right to 1e-13; NaN for parameters above 100 in size, b that is 0, -1, ..., |x| above a million,
 * and where more than 17 digits would cancel.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      in all, to 1e-12: AGN_EUNSUPPORTED above order 24 in a and b together and 32 in x
 * @cost      O(n) of series
 */
AGN_API AGN_MUST_CHECK agn_status agn_hyp1f1(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_hyperu - confluent hypergeometric function U(a, b, x) of Tricomi
 *
 * Right to 1e-13, of its terms in the recurrence where a is below 0; NaN for parameters above
 * 100 in size and x below 0.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param x    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      as agn_hyp1f1; for x in 1e-100 to 1e100, of a above 1/2 to 1e-12 of the moments' size
 * @cost      O(n) of quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_hyperu(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *x);

/**
 * agn_hyp2f1 - hypergeometric function F(a, b; c; x) of Gauss
 *
 * For x up to 1, polynomials for any; NaN above, for parameters above 200 in size and c that is 0,
 * -1, ...; right to
 * 1e-13, or NaN where too many digits would cancel.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @param c    likewise
 * @param x    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      as agn_hyp1f1 in all four, for x up to 1
 * @cost      O(n) of series; next to 1 some hundred microseconds an element
 */
AGN_API AGN_MUST_CHECK agn_status agn_hyp2f1(agn_tensor **out, const agn_tensor *a,
    const agn_tensor *b, const agn_tensor *c, const agn_tensor *x);

/**
 * agn_struve - Struve function H_nu(x)
 *
 * Orders -35 to 100, else NaN; x below 0 for whole orders alone. Right to 1e-13 of the amplitude.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      in both, in nu to order 12 (1e-12) for x from 0 to 1e4, else NaN
 * @cost      O(n) of series
 */
AGN_API AGN_MUST_CHECK agn_status agn_struve(agn_tensor **out, const agn_tensor *nu,
    const agn_tensor *x);

/**
 * agn_modstruve - modified Struve function L_nu(x)
 *
 * As agn_struve, right to 1e-13.
 *
 * @param out  out, the broadcast shape
 * @param nu   order, f32 f64; others by promotion
 * @param x    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      as agn_struve, for x up to 700; NaN where K's size is left of I's: small nu, large x
 * @cost      O(n) of series
 */
AGN_API AGN_MUST_CHECK agn_status agn_modstruve(agn_tensor **out, const agn_tensor *nu,
    const agn_tensor *x);

/**
 * agn_polylog - polylogarithm Li_s(x) of real order
 *
 * For x up to 1, else NaN; s at most 100 in size, above -8 for x below -1/2 and for x below 0 where too
 * many digits of the series cancel. Right to 1e-13; to 1e-11 for s below 0 and x below 0.
 *
 * @param out    out, the broadcast shape
 * @param order  s, f32 f64; others by promotion
 * @param x      likewise
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad        in both, each to order 12, to 1e-12, else NaN
 * @cost        O(n) of series or quadratures
 */
AGN_API AGN_MUST_CHECK agn_status agn_polylog(agn_tensor **out, const agn_tensor *order,
    const agn_tensor *x);

/**
 * agn_lerch_phi - Lerch's transcendent Phi(z, s, a), the sum of z^k / (a + k)^s over k from 0 on
 *
 * Of real numbers, z up to 1 (below -1 continued along the axis; the cut is z above 1), a above 0. NaN
 * for z above 1 or below -1e100, s above 100 in size, a above 1e100. At z = 1 it is Hurwitz' zeta
 * function for s above 1, infinite else. For a up to 0 it is real where s is a whole number, and given
 * for a above -1000, NaN for other s and at the poles a = 0, -1, ... of s above 0. Right to 1e-13, or NaN
 * where terms of both signs lose more: next to zeros, which it has for z or a below 0 alone, and of some
 * s below 0 with z below 0. NaN, too, where the value leaves the range.
 * Li_s(z) is z Phi(z, s, 1), Dirichlet's eta(s) Phi(-1, s, 1), Legendre's chi_s(z) z Phi(z^2, s, 1/2) / 2^s.
 *
 * @param out    out, the broadcast shape
 * @param z      f32 f64; others by promotion
 * @param order  s, likewise
 * @param a      likewise
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad        in all three: in z and s to order 12 each, in a to any, to 1e-12, next to their
 *              zeros to 1e-10, else NaN; in s for a above 0
 * @cost        O(n) of series for z up to 1/2 in size, of quadratures beyond
 */
AGN_API AGN_MUST_CHECK agn_status agn_lerch_phi(agn_tensor **out, const agn_tensor *z,
    const agn_tensor *order, const agn_tensor *a);

/**
 * agn_jacobi_am - Jacobi's amplitude am(u | m)
 *
 * Of the parameter m = k^2, at most 1, else NaN, as for u above 1e8 in size. Right to 1e-14 of the
 * amplitude next to u = 0, of u beyond.
 *
 * @param out  out, the broadcast shape
 * @param u    f32 f64; others by promotion
 * @param m    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      in both, in m to order 30
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_jacobi_am(agn_tensor **out, const agn_tensor *u,
    const agn_tensor *m);

/**
 * agn_jacobi_sn - Jacobi's elliptic function sn(u | m)
 *
 * Of the parameter m = k^2, at most 1, else NaN, as for u above 1e8 in size. Right to 1e-14 of the
 * amplitude next to u = 0, of u beyond.
 *
 * @param out  out, the broadcast shape
 * @param u    f32 f64; others by promotion
 * @param m    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      in both, in m to order 30
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_jacobi_sn(agn_tensor **out, const agn_tensor *u,
    const agn_tensor *m);

/**
 * agn_jacobi_cn - Jacobi's elliptic function cn(u | m)
 *
 * Of the parameter m = k^2, at most 1, else NaN, as for u above 1e8 in size. Right to 1e-14 of the
 * amplitude next to u = 0, of u beyond.
 *
 * @param out  out, the broadcast shape
 * @param u    f32 f64; others by promotion
 * @param m    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      in both, in m to order 30
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_jacobi_cn(agn_tensor **out, const agn_tensor *u,
    const agn_tensor *m);

/**
 * agn_jacobi_dn - Jacobi's elliptic function dn(u | m)
 *
 * Of the parameter m = k^2, at most 1, else NaN, as for u above 1e8 in size. Right to 1e-14 of the
 * amplitude next to u = 0, of u beyond.
 *
 * @param out  out, the broadcast shape
 * @param u    f32 f64; others by promotion
 * @param m    likewise
 * @errors    AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad      in both, in m to order 30
 * @cost      O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_jacobi_dn(agn_tensor **out, const agn_tensor *u,
    const agn_tensor *m);

/**
 * agn_lambertw_complex - Lambert's W in the plane: W e^W = z, on any branch
 *
 * Branches as of Corless et al.: the cut of branch 0 is left of -1/e, of the others left of 0, and
 * belongs to what lies above. Right to 1e-14, next to -1/e to as much of 1 + W as z has.
 *
 * @param out     out, [...] complex
 * @param z       in,  [...] f32 f64 c64 c128; others by promotion
 * @param branch  -1000000 to 1000000
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EARG (branch), AGN_EDEVICE, AGN_ENOMEM
 * @grad         exp(-W) / (1 + W), to any order
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lambertw_complex(agn_tensor **out, const agn_tensor *z,
    int32_t branch);

#ifdef __cplusplus
}
#endif

#endif
