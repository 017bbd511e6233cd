/* tensor/special/integrals/values.h - integrals of elementary functions, and functions about gamma,
   of one element, in double: right to 1e-13 of the value (of the amplitude, where a function
   oscillates), or NaN outside of what each file says. */
#ifndef AGNI_INTEGRAL_VALUES_H
#define AGNI_INTEGRAL_VALUES_H

#include "tensor/special/values.h"

#include <stdbool.h>
#include <stdint.h>

/* Si, Ci, Shi, Chi: kind 0 to 3 */
AGNI_VALUE double agni_sine_integral(double x, int kind);
/* Clausen's integral: minus that of log(2 sin(t / 2)) from 0 to x */
AGNI_VALUE double agni_clausen(double x);
/* k-th derivative of Debye's function of order n, 1 to 20 */
AGNI_VALUE double agni_debye(double x, int n, int k);
/* k-th derivative in q of the characteristic value of ce_m or, odd, se_m; of these at x, n-th in
   x */
double agni_mathieu_value(double q, bool odd, int64_t m, int k);
double agni_mathieu(double q, double x, bool odd, int64_t m, int k, int n);
/* Mc or Ms of order m, of the first or second kind, or its slope */
double agni_mathieu_modified(double q, double x, bool odd, bool second, int64_t m, bool sloped);
/* integrals of Bessel, Struve and Airy functions, by kind */
double agni_bessel_integral(double x, int kind);

/* k-th derivative in q = c^2 of the spheroidal characteristic value of order m and degree n; of the
   angular function at x or its slope */
double agni_spheroidal_value(double q, int m, int n, int k);
double agni_spheroidal(double q, double x, int m, int n, int k, bool sloped);

/* k-th derivative of eta(x + i y): real and imaginary part */
void agni_eta_plane(double x, double y, int k, double out[2]);

/* ber, bei, ker, kei of whole order: kind 0 to 3 */
AGNI_VALUE double agni_kelvin(double x, int kind, int64_t n);
/* k-th derivative of 1 / gamma */
AGNI_VALUE double agni_rgamma(double x, int k);
/* y with y + log y = x; x with digamma(x) = y, above 0 */
AGNI_VALUE double agni_wright_omega(double x);
AGNI_VALUE double agni_digammainv(double y);

#endif
