/* tensor/special/waves/values.h - solutions of wave equations in other coordinates, of one
   element, in double: right to 1e-13 of the value (of the amplitude, where a function
   oscillates), or NaN outside of what each file says. */
#ifndef AGNI_WAVE_VALUES_H
#define AGNI_WAVE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* k-th derivative of Q_n, of Ferrers between -1 and 1 */
double agni_legendre_q(double x, int n, int k);
/* radial spheroidal function of the first or second kind, or its slope */
double agni_spheroidal_radial(double x, double c, int m, int n, bool oblate, bool second,
                              bool sloped);
/* W(a, x) of parabolic cylinders, or its slope */
double agni_parabolic_w(double x, double a, bool sloped);
/* Lame's function E_n^p of h^2 < k^2 at s, or F_n^p, or the slope; p from 1 to 2 n + 1 */
double agni_lame(double s, double h2, double k2, int n, int p, bool second, bool sloped);
/* H of its equation */
double agni_lame_value(double h2, double k2, int n, int p);
/* its norm over an ellipsoid */
double agni_lame_norm(double h2, double k2, int n, int p);
/* integral of x^power J_order(2 a x) from 0 to 1 */
double agni_bessel_moment(double a, double power, double order);

#endif
