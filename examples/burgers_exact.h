/* burgers_exact.h - the exact solution that the Burgers example is measured against. */
#ifndef BURGERS_EXACT_H
#define BURGERS_EXACT_H

#include <stddef.h>

/**
 * burgers_exact - solution of u_t + u u_x = nu u_xx, u(0,x) = -sin(pi x), u(t,+-1) = 0
 *
 * The Cole-Hopf integral by an adaptive trapezoidal rule.
 *
 * @param nu     viscosity, > 0; about 1e-12 is reached for nu >= 1e-3, and the rounding
 *               error of the exponents, about 1e-16 / nu, sets the limit below that
 * @param t      time, >= 0
 * @param x      place, any real number: the solution continues odd with period 2
 * @param error  NULL, or receives the last change under halving the step, which bounds
 * the quadrature error from above; HUGE_VAL if an argument is out of range
 * @return  u(t, x), or NaN if an argument is out of range
 */
double burgers_exact(double nu, double t, double x, double *error);

/**
 * burgers_exact_grid - the solution on a tensor grid
 *
 * @param u   out, nt * nx values, row i holds time t[i]
 * @param nu  viscosity
 * @param t   nt times
 * @param x   nx places
 * @return  the largest error that burgers_exact gave
 */
double burgers_exact_grid(double *u, double nu, const double *t, size_t nt,
                          const double *x, size_t nx);

/**
 * burgers_relative_l2 - ||u - v||_2 / ||v||_2 over n values
 *
 * @param u  n approximate values
 * @param v  n exact values
 * @param n  their number
 * @return  the quotient; HUGE_VAL if v vanishes and u does not, 0 if both do
 */
double burgers_relative_l2(const double *u, const double *v, size_t n);

#endif
