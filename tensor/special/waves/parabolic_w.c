/* tensor/special/waves/parabolic_w.c - W(a, x) of parabolic cylinders (DLMF 12.14): from 0 out by
   Taylor's series, but for a above 0 and x above 0, where it dies out, in from its expansion far
   away. */
#include "tensor/special/waves/taylor_walk.h"
#include "tensor/special/waves/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/special/integrals/complex_parts.h"

/* y'' + (x^2 / 4 - a) y = 0; constant: -a */
static void set_cylinder(const agni_wave_equation *w, double x, double p[3], double q[2],
                         double r[3])
{
    p[0] = 1, p[1] = p[2] = q[0] = q[1] = 0;
    r[0] = x * x / 4 + w->constant, r[1] = x / 2, r[2] = 0.25;
}
/* log gamma(x + i y), x > 0, by Stirling's series of x + 12 + i y (DLMF 5.11.1) */
static z_t log_gamma(double x, double y)
{
    static const double bernoulli[] = {1 / 12.0,   -1 / 360.0,      1 / 1260.0, -1 / 1680.0,
                                       1 / 1188.0, -691 / 360360.0, 1 / 156.0,  -3617 / 122400.0};
    z_t sum = 0;
    for (int k = 0; k < 12; k++)
        sum += clog(agni_complex_parts(x + k, y));
    z_t z = agni_complex_parts(x + 12, y), power = 1 / z, square = power * power, tail = 0;
    for (int k = 0; k < 8; k++, power *= square)
        tail += bernoulli[k] * power;
    return (z - 0.5) * clog(z) - z + 0.5 * log(2 * AGNI_PI) + tail - sum;
}
/* sqrt(2 k) Re(exp(i (x^2 / 4 + pi / 4 + phi / 2)) x^(-1/2 - i a) sum), and the slope; false: too
   near */
static bool expand_cylinder(double a, double x, double y[2])
{
    double root = 1 / (sqrt(1 + exp(2 * AGNI_PI * a)) + exp(AGNI_PI * a));
    double turn = AGNI_PI / 4 + 0.5 * cimag(log_gamma(0.5, a)) - a * log(x);
    double high = x * x, low = fma(x, x, -high), last = INFINITY;
    double angle = fmod(high / 4, 2 * AGNI_PI) -
                   2.4492935982947064e-16 * floor(high / (8 * AGNI_PI)) + low / 4 + turn;
    z_t term = 1, r = agni_complex_parts(-0.5, -a), sum = 1;
    z_t slope = r / x + agni_complex_parts(0, x / 2);
    bool good = false;
    for (int k = 1; k <= 100 && !good; k++) {
        z_t up = r - 2 * (k - 1);
        term *= up * (up - 1) / (x * x) * agni_complex_parts(0, -1 / (2.0 * k));
        sum += term;
        slope += term * ((r - 2 * k) / x + agni_complex_parts(0, x / 2));
        double size = cabs(term);
        good = size < 1e-17;
        if (size > 2 * last)
            break;
        last = size;
    }
    z_t wave = agni_complex_parts(cos(angle), sin(angle)) * sqrt(2 * root / x);
    y[0] = creal(wave * sum), y[1] = creal(wave * slope);
    return good;
}

double agni_parabolic_w(double x, double a, bool sloped)
{
    double y[2], far = 14 + 1.5 * fabs(a);
    if (!(fabs(a) <= 50) || !(fabs(x) <= 1e6))
        return (double)NAN;
    agni_wave_equation w = {set_cylinder, 0, 0, -a, 0};
    bool good = true;
    if (x > 0 && (a > 0 || x >= far)) {
        good = expand_cylinder(a, x > far ? x : far, y);
        good = good && (x >= far || agni_walk_wave(&w, far, x, y));
    } else { /* W(a, 0), W'(a, 0) */
        double ratio = exp(0.5 * creal(log_gamma(0.25, 0.5 * a) - log_gamma(0.75, 0.5 * a)));
        y[0] = 0.59460355750136053336 * ratio, y[1] = -0.84089641525371454303 / ratio;
        good = x >= -2 * far && agni_walk_wave(&w, 0, x, y);
    }
    return good ? y[sloped] : (double)NAN;
}
