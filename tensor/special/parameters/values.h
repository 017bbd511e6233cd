/* tensor/special/parameters/values.h - derivatives of special functions in their parameters, of one
   element, in double: right to 1e-12, or NaN where the digits of a double-double do not suffice, or
   outside of what each file says. */
#ifndef AGNI_PARAMETER_VALUES_H
#define AGNI_PARAMETER_VALUES_H

#include "tensor/special/values.h"

#include <stdbool.h>

/* order[0..1] in a and b, n in x, of Kummer's M and Tricomi's U */
AGNI_VALUE double agni_hyp1f1_slope(double a, double b, double x, const int order[3], int n);
AGNI_VALUE double agni_hypu_slope(double a, double b, double x, const int order[3], int n);

/* order[0..2] in a, b and c, n in x, of Gauss' function */
AGNI_VALUE double agni_hyp2f1_slope(double a, double b, double c, double x, const int order[3],
                                    int n);

/* k-th derivative of H or, modified, L in the order, of the n-th in x */
AGNI_VALUE double agni_struve_slope(double nu, double x, bool modified, int k, int n);

/* k-th derivative of Li_s(x) in s, n-th in x */
AGNI_VALUE double agni_polylog_slope(double s, double x, int k, int n);

/* k-th derivative of Lerch's transcendent of z, s and a in s, n-th in z */
AGNI_VALUE double agni_lerch(double z, double s, double a, int k, int n);

/* k-th derivative in the order of Fermi's and Dirac's integral over t^order / (1 + e^(t - x)),
   divided by gamma(order + 1) */
AGNI_VALUE double agni_fermi_dirac(double order, double x, int k);

#endif
