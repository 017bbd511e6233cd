/* tensor/special/integrals/kelvin.c - Kelvin functions of whole order (DLMF 10.61): ber and bei by
   the series in double-double, of large arguments by that of I (10.40.1), of large orders by
   Bessel's integral, whose trapezoidal rule is exact to rounding; ker and kei by the integral of K
   (10.32.9) over a bent line, by the trapezoidal rule too. */
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/double_double.h"
#include "tensor/special/integrals/complex_parts.h"

/* z exp(pi i n / 4), exact in its quarter turns */
AGNI_FN z_t rotate_argument(z_t z, int64_t n)
{
    const double wave[8] = {1,  AGNI_SQRT1_2,  0, -AGNI_SQRT1_2,
                                   -1, -AGNI_SQRT1_2, 0, AGNI_SQRT1_2};
    int k = (int)(((n % 8) + 8) % 8);
    return z * agni_complex_parts(wave[k], wave[(k + 6) % 8]);
}
/* (x/2)^n sum of i^k (x/2)^2k / (k! (n + k)!) */
AGNI_FN z_t first_series(double x, int64_t n)
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
AGNI_FN z_t first_integral(double x, int64_t n)
{
    const double r = AGNI_SQRT1_2;
    int points = (int)(2 * x + 4 * (double)n + 80);
    z_t sum = 0.0;
    for (int k = 0; k < points; k++) {
        double t = AGNI_PI * (k + 0.5) / points, s = x * r * sin(t), a = (double)n * t + s;
        sum += agni_complex_parts(cos(a) * cosh(s), sin(a) * sinh(s)); /* cos(a - i s) */
    }
    return sum / (double)points;
}
/* exp(pi i n / 2) I_n(z), z = x exp(pi i / 4), by e^z / sqrt(2 pi z) times a sum that falls before
   it grows; z in two parts */
AGNI_FN z_t first_far(double x, int64_t n)
{
    const double r = AGNI_SQRT1_2, r_low = -4.8336466567264567e-17;
    double p = x * r, low = fma(x, r, -p) + x * r_low, c = cos(p), s = sin(p);
    z_t w = agni_complex_parts(r, r), sum = 1.0, term = 1.0;
    for (int k = 1; k < 200; k++) {
        double j = 2.0 * k - 1, up = 4 * (double)n * (double)n - j * j;
        term *= -up / (8 * k * x) * conj(w);
        sum += term;
        if (fabs(creal(term)) + fabs(cimag(term)) < 1e-18)
            break;
    }
    z_t turn = agni_complex_parts(c - s * low, s + c * low); /* e^(i p), and half of pi / 4 back */
    turn *= agni_complex_parts(0.92387953251128675613, -0.38268343236508977173);
    double size = exp(p) * (1 + low) / sqrt(2 * AGNI_PI * x);
    return rotate_argument(size * (turn * sum), 2 * n);
}
/* exp(-pi i n / 2) K_n(x exp(pi i / 4)), K half the integral of exp(n t - z cosh t) over a line
   that turns z cosh t real at both ends, t = s - i pi / 4 tanh s */
AGNI_FN z_t second_kind(double x, int64_t n)
{
    const double h = fmin(0.03, 0.4 / sqrt(x));
    double end = acosh(1 + (800 + 40.0 * (double)n) / x);
    z_t sum = 0.0, z = agni_complex_parts(x * AGNI_SQRT1_2, x * AGNI_SQRT1_2);
    int steps = (int)(end / h) + 1;
    for (int k = -steps; k <= steps; k++) {
        double s = k * h, bend = tanh(s), turn = AGNI_PI / 4 * bend;
        z_t half_sinh = agni_complex_parts(sinh(s / 2) * cos(turn / 2),
                                                      -cosh(s / 2) * sin(turn / 2));
        z_t e = agni_complex_parts((double)n * s, -(double)n * turn) -
                           2.0 * z * (half_sinh * half_sinh);
        sum += cexp(e) * agni_complex_parts(1, -AGNI_PI / 4 * (1 - bend * bend));
    }
    double low = fma(x, AGNI_SQRT1_2, -creal(z)) + x * -4.8336466567264567e-17; /* z is short of */
    z_t half = cexp(-0.5 * z); /* twice, for there may be no room for all of it */
    sum *= agni_complex_parts(1 - low, -low);
    return rotate_argument(0.5 * sum * h * half * half, -2 * n);
}
/* of x next to 0: K_0 = -log(z / 2) - gamma, K_n = (n - 1)! / 2 (2 / z)^n (10.30.2) */
AGNI_FN z_t second_near(double x, int64_t n)
{
    if (n == 0)
        return agni_complex_parts(-(log(x / 2) + 0.57721566490153286061), -AGNI_PI / 4);
    double last = 1, lead = 1 / x;
    for (int64_t j = 1; j < n; j++)
        last = lead, lead *= 2 * (double)j / x;
    z_t y = rotate_argument(1.0, -3 * n);
    double re = creal(y), im = cimag(y), next = last * x / 2; /* of the second term, which -i turns */
    if (re == 0)
        return agni_complex_parts(im * next, im * lead);
    if (im == 0)
        return agni_complex_parts(re * lead, -re * next);
    return agni_complex_parts(re * lead, im * lead);
}

AGNI_VALUE double agni_kelvin(double x, int kind, int64_t n)
{
    z_t z;
    double a = fabs(x);
    if (isnan(x) || (kind >= 2 && x < 0))
        return (double)NAN;
    if (kind >= 2) {
        if (x == 0)
            return n == 0 && kind == 3 ? -AGNI_PI / 4 : n == 0 ? (double)INFINITY : (double)NAN;
        if (x > 1e4)
            return 0;
        z = x < 1e-9 ? second_near(x, n) : second_kind(x, n);
    } else {
        if (a > 990)
            return (double)NAN;
        z = a < 110                             ? rotate_argument(first_series(a, n), 3 * n)
            : (double)n * (double)n < 4 * a ? first_far(a, n)
                                            : first_integral(a, n);
        if (x < 0 && n & 1)
            z = -z;
    }
    return kind & 1 ? cimag(z) : creal(z);
}
