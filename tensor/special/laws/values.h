/* tensor/special/laws/values.h - distribution functions of Fisher's, Student's and noncentral laws, and Wright's
   function, of one element, in double: right to 1e-13 of the value, or NaN outside of what each file
   says. */
#ifndef AGNI_LAW_VALUES_H
#define AGNI_LAW_VALUES_H

#include "tensor/special/values.h"

#include <stdbool.h>
#include <stdint.h>

/* noncentral laws 0: chi square of a = df / 2 and v = x / 2, 1: beta prime; 2, with df for a and t
   for v: Student. Kind 0 to 2: lower part, upper part, density; derivatives by order in a, b, nc, v
   (df, nc, t); the quantile at p */
double agni_noncentral(double a, double b, double nc, double v, int law, int kind, const int order[4]);
double agni_noncentral_t(double df, double nc, double t, int kind, const int order[3]);
double agni_noncentral_inverse(double a, double b, double nc, double p, int law);
/* Wright's generalised Bessel function (kind 0), its logarithm (1), derivatives over it (2); by order
   in a, b, x */
double agni_wright(double a, double b, double x, int kind, const int order[3]);

/* Smirnov's law of n values: the chance of more than d, by derivatives of order 0 to 8, and its
   quantile; Tukey's lambda law */
double agni_smirnov(double d, int64_t n, int order);
double agni_smirnov_inverse(double p, int64_t n);
double agni_tukey_lambda(double x, double shape);

/* laws of Fisher and Student: distribution function, its complement, density by kind; derivatives of
   order i, j, k in the degrees of freedom */
AGNI_VALUE double agni_fisher(double dfn, double dfd, double x, int kind, int i, int j);
AGNI_VALUE double agni_student(double df, double t, int kind, int k);

#endif
