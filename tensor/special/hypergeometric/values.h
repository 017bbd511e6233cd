/* tensor/special/hypergeometric/values.h - functions of hypergeometric kind of one element, in
   double: right to about 1e-13 of the value (of the amplitude, where a function oscillates), or
   NaN outside of what each file says. */
#ifndef AGNI_HYPERGEOMETRIC_VALUES_H
#define AGNI_HYPERGEOMETRIC_VALUES_H

#include "tensor/special/values.h"

#include <stdbool.h>
#include <stdint.h>

/* Kummer's M and Tricomi's U; parameters up to 100 in size */
AGNI_VALUE double agni_hyp1f1(double a, double b, double x);
AGNI_VALUE double agni_hypu(double a, double b, double x);

/* Gauss' function for x up to 1; parameters up to 200 in size */
AGNI_VALUE double agni_hyp2f1(double a, double b, double c, double x);

/* n-th derivative in x of Struve's H and, modified, L; orders -35 to 100 */
AGNI_VALUE double agni_struve(double nu, double x, bool modified, int n);

/* Li_s(x) for x up to 1, s up to 100 in size */
AGNI_VALUE double agni_polylog(double s, double x);

/* am, sn, cn, dn of u for the parameter m up to 1: kind 0 to 3 */
AGNI_VALUE double agni_jacobi_elliptic(double u, double m, int kind);

/* spherical Bessel functions j, y, i, k of whole order: kind 0 to 3 */
AGNI_VALUE double agni_spherical_bessel(double x, int kind, int64_t n);

/* W of any branch at x + i y */
AGNI_VALUE void agni_lambert_plane(double x, double y, int64_t branch, double w[2]);

/* Wigner's 3j symbol of twice its arguments */
double agni_wigner_3j(int j1, int j2, int j3, int m1, int m2, int m3);

#endif
