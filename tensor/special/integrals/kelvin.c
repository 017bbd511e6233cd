/* tensor/special/integrals/kelvin.c - Kelvin functions of whole order (DLMF 10.61): ber and bei by
   the series in double-double, of large arguments Bessel's integral, whose trapezoidal rule is
   exact to rounding; ker and kei by the integral of K (10.32.9), by the trapezoidal rule too. */
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"
#include "tensor/special/integrals/complex_parts.h"

/* z exp(pi i n / 4), exact in its quarter turns */
static double complex rotate_argument(double complex z, int64_t n)
{
    static const double wave[8] = {1,  AGNI_SQRT1_2,  0, -AGNI_SQRT1_2,
                                   -1, -AGNI_SQRT1_2, 0, AGNI_SQRT1_2};
    int k = (int)(((n % 8) + 8) % 8);
    return z * agni_complex_parts(wave[k], wave[(k + 6) % 8]);
}
/* (x/2)^n sum of i^k (x/2)^2k / (k! (n + k)!) */
static double complex first_series(double x, int64_t n)
{
    agni_pair q = agni_pair_times(agni_pair_mul(agni_pair_of(x), agni_pair_of(x)), 0.25),
              term = {1, 0}, sum[2] = {{1, 0}, {0, 0}};
    double most = 1;
    for (int k = 1; k < 2000; k++) {
        term = agni_pair_div(agni_pair_mul(term, q), agni_pair_of((double)k * (double)(k + n)));
        sum[k & 1] = agni_pair_add(sum[k & 1], k & 2 ? agni_pair_times(term, -1) : term);
        most = fmax(most, term.hi);
        if (term.hi < 1e-34 * most)
            break;
    }
    double lead = 1;
    for (int64_t j = 1; j <= n; j++)
        lead *= x / 2 / (double)j;
    return lead * agni_complex_parts(sum[0].hi, sum[1].hi);
}
/* J_n(x exp(3 pi i / 4)): (1 / pi) times the integral of cos(n t - z sin t) from 0 to pi */
static double complex first_integral(double x, int64_t n)
{
    const double r = AGNI_SQRT1_2;
    int points = (int)(2 * x + 4 * (double)n + 80);
    double complex sum = 0;
    for (int k = 0; k < points; k++) {
        double t = AGNI_PI * (k + 0.5) / points, s = x * r * sin(t), a = (double)n * t + s;
        sum += agni_complex_parts(cos(a) * cosh(s), sin(a) * sinh(s)); /* cos(a - i s) */
    }
    return sum / points;
}
/* exp(-pi i n / 2) K_n(x exp(pi i / 4)) */
static double complex second_kind(double x, int64_t n)
{
    const double r = AGNI_SQRT1_2, h = fmin(0.03, 0.45 / sqrt(x * r)); /* the integrand's width is 1 / sqrt(x r) */
    double complex sum = 0;
    double end = acosh(1 + (800 + 40.0 * (double)n) / (x * r));
    for (int k = 0; k * h < end; k++) {
        double t = k * h, c = cosh(t), s = sinh(t / 2),
               size = exp(-2 * x * r * s * s) * cosh((double)n * t);
        sum += (k ? 1 : 0.5) * size * agni_complex_parts(cos(x * r * c), -sin(x * r * c));
    }
    double half = exp(-0.5 * x * r); /* twice, for there may be no room for all of it */
    return rotate_argument(sum * h * half * half, -2 * n);
}

double agni_kelvin(double x, int kind, int64_t n)
{
    double complex z;
    double a = fabs(x);
    if (isnan(x) || (kind >= 2 && x < 0))
        return (double)NAN;
    if (kind >= 2) {
        if (x == 0)
            return n == 0 && kind == 3 ? -AGNI_PI / 4 : n == 0 ? (double)INFINITY : (double)NAN;
        if (x < 1e-12 * (1 + (double)n) || x > 1e4)
            return x > 1e4 ? 0 : (double)NAN;
        z = second_kind(x, n);
    } else {
        if (a > 990)
            return (double)NAN;
        z = a < 110 ? rotate_argument(first_series(a, n), 3 * n) : first_integral(a, n);
        if (x < 0 && n & 1)
            z = -z;
    }
    return kind & 1 ? cimag(z) : creal(z);
}
