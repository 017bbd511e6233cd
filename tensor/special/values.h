/* tensor/special/values.h - special functions of one element, in double: right to about 1e-13 of
   the value (of the amplitude, where a function oscillates), or NaN outside of what each file
   says. */
#ifndef AGNI_SPECIAL_VALUES_H
#define AGNI_SPECIAL_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* the files of values are read once more for a device (hypergeometric/cuda/special.cu), which gives
   these other meanings */
#ifndef AGNI_VALUE
#define AGNI_VALUE
#endif
#ifndef AGNI_TABLE
#define AGNI_TABLE static
#endif
#ifndef AGNI_FN
#define AGNI_FN static inline
#endif

/* n over k */
AGNI_FN double agni_choose(int64_t n, int64_t k)
{
    double y = 1;
    for (int64_t j = 1; j <= k; j++)
        y = y * (double)(n - k + j) / (double)j;
    return y;
}

/* Ai, Ai', Bi, Bi' at x: kind 0 to 3 */
AGNI_VALUE double agni_airy(double x, int kind);

/* w(x + i y) of Faddeeva and its k-th derivative in z: real and imaginary part */
AGNI_VALUE void agni_faddeeva(double x, double y, int k, double w[2]);

/* E_n(x), n of any sign; Ei(x) */
AGNI_VALUE double agni_expn(double x, int64_t n);
AGNI_VALUE double agni_ei(double x);

/* Fresnel's integrals of sin(pi t^2 / 2), cos(pi t^2 / 2) from 0 to x */
AGNI_VALUE void agni_fresnel(double x, double sc[2]);

/* W of the branch 0 or -1; one: 1 + W, without cancellation next to the branch point */
AGNI_VALUE double agni_lambert_w(double x, int branch, bool one);

/* integral from 0 to phi of sin^2i (1 - m sin^2)^(-1/2 - j) (1 - n sin^2)^-l; to pi / 2 */
AGNI_VALUE double agni_elliptic(double n, double phi, double m, int i, int j, int l);
AGNI_VALUE double agni_elliptic_complete(double n, double m, int i, int j, int l);

/* integral over t > 0 of (t + x)^(-1/2 - k0) (t + y)^(-1/2 - k1) (t + z)^(-1/2 - k2) (t + p)^-k3,
   k3 from -1 on */
AGNI_VALUE double agni_carlson(const double x[4], const int k[4]);

/* Bessel functions of real order */
enum { AGNI_BESSEL_J, AGNI_BESSEL_Y, AGNI_BESSEL_I, AGNI_BESSEL_K, AGNI_BESSEL_IE, AGNI_BESSEL_KE };
/* k-th derivative in the order, of K and KE alone; n-th in x, of KE alone */
AGNI_VALUE double agni_bessel(double nu, double x, int kind, int k, int n);
/* k-th derivative in the order of J, Y, I or IE, k above 0 */
AGNI_VALUE double agni_bessel_order(double nu, double x, int kind, int k);
/* k-th derivative in the order of the n-th in x, which kinds IE and KE have */
AGNI_VALUE double agni_bessel_slope(double nu, double x, int kind, int k, int n);

/* orthogonal polynomials of degree n; the parameters a and b as the kind has them */
enum { AGNI_JACOBI, AGNI_GEGENBAUER, AGNI_LAGUERRE, AGNI_HERMITE, AGNI_HERMITE_E, AGNI_CHEBYSHEV };
AGNI_VALUE double agni_polynomial(double x, int kind, int64_t n, double a, double b);

/* Owen's T */
AGNI_VALUE double agni_owens_t(double h, double a);

#endif
