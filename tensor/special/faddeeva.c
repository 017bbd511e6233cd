/* tensor/special/faddeeva.c - Faddeeva's function w(z) = exp(-z^2) erfc(-i z), its derivatives, and
   Fresnel's integrals. w by the trapezoidal rule with the pole's share (Al Azah and Chandler-Wilde,
   IMA J. Numer. Anal. 41, 2021); its derivatives by the trapezoidal rule over a line that the pole
   is far from. */
#include "tensor/special/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>
#ifndef AGNI_DEVICE
#include <complex.h>
typedef double complex z_t;
#endif

/* CMPLX, which not every compiler has: the product with I would make NaN of an infinite part */
AGNI_FN z_t of_parts(double re, double im)
{
    double part[2] = {re, im};
    return *(z_t *)part;
}

/* exp(-z^2), of squares with what rounding takes from them */
AGNI_FN z_t exp_minus_square(double x, double y)
{
    double s = y - x, t = y + x, u = s + x, v = t - x; /* sums in two parts */
    double s_low = (y - u) - (x - (u - s)), t_low = (y - v) + (x - (t - v));
    double p = s * t, low = fma(s, t, -p) + (s_low * t + s * t_low), q = 2 * x * y,
           turn = fma(2 * x, y, -q);
    double size = exp(p) * (fabs(low) < 1e-6 ? 1 + low : exp(low));
    double c = cos(q) * cos(turn) - sin(q) * sin(turn), d = sin(q) * cos(turn) + cos(q) * sin(turn);
    return of_parts(size * c, d == 0 ? -d : -size * d);
}

enum { NODES = 12 };

/* the first quadrant, x and y finite */
AGNI_FN z_t w_first(double x, double y)
{
    z_t z = of_parts(x, y), sum = 0, iz = of_parts(-y, x);
    double h = sqrt(AGNI_PI / NODES);
    if (x * x + y * y < 0.09) { /* sums of (i z)^n / Gamma(n / 2 + 1) */
        z_t even = 1, odd = 2 / sqrt(AGNI_PI), q = -z * z, a = even, b = odd;
        for (int n = 1; n < 16; n++) {
            even += a *= q / n;
            odd += b *= q / (n + 0.5);
        }
        return even + iz * odd;
    }
    if (x * x + y * y > 1e8 * 1e8) /* i / (sqrt(pi) z) */
        return of_parts(0, 1 / sqrt(AGNI_PI)) / z;
    double place = x / h, part = place - floor(place);
    bool direct = y >= fmax(x, AGNI_PI / h), middle = direct || part < 0.25 || part > 0.75;
    if (middle) {
        for (int k = NODES; k >= 0; k--) {
            double t = (k + 0.5) * h;
            sum += exp(-t * t) / ((z - t) * (z + t));
        }
        sum *= 2 * h / AGNI_PI * iz;
    } else {
        for (int k = NODES; k >= 1; k--) {
            double t = k * h;
            sum += exp(-t * t) / ((z - t) * (z + t));
        }
        sum = 2 * h / AGNI_PI * iz * sum + of_parts(0, h / AGNI_PI) / z;
    }
    if (direct)
        return sum;
    /* exp(-z^2) = exp(y^2 - x^2) e^(-2ixy), over 1 -+ exp(-2 pi i z / h) */
    z_t q = cexp(of_parts(2 * AGNI_PI * y / h, -2 * AGNI_PI * x / h));
    z_t pole = 2 * exp_minus_square(x, y) / (middle ? 1 + q : 1 - q);
    return sum + pole;
}

AGNI_FN z_t w_upper(double x, double y)
{
    z_t w = w_first(fabs(x), y);
    return x < 0 ? conj(w) : w;
}

AGNI_FN z_t w_plane(double x, double y)
{
    if (y >= 0)
        return w_upper(x, y);
    /* w(z) = 2 exp(-z^2) - w(-z) */
    return 2 * exp_minus_square(x, y) - w_upper(-x, -y);
}

/* k-th derivative, k > 0, in the upper half plane: i / pi (-1)^k k! times the integral of exp(-t^2)
   / (z - t)^(k+1), over a line below the real one, which the pole does not come near */
AGNI_FN z_t w_slope(double x, double y, int k)
{
    z_t sum = 0;
    double h = 0.125, c = 1, scale = h / AGNI_PI;
    for (int n = -56; n <= 56; n++) {
        double s = n * h;
        z_t d = 1 / of_parts(x - s, y + c), p = d;
        for (int m = 0; m < k; m++)
            p *= -d * (m + 1);
        sum += exp(c * c - s * s) * cexp(of_parts(0, 2 * s * c)) * p;
    }
    return of_parts(-cimag(sum) * scale, creal(sum) * scale);
}

/* (d/dz)^k exp(-z^2) */
AGNI_FN z_t bell_slope(double x, double y, int k)
{
    z_t z = of_parts(x, y), last = 0, now = exp_minus_square(x, y);
    for (int n = 0; n < k; n++) {
        z_t next = -2 * z * now - 2.0 * n * last;
        last = now, now = next;
    }
    return now;
}

AGNI_VALUE void agni_faddeeva(double x, double y, int k, double out[2])
{
    out[0] = out[1] = (double)NAN;
    if (isnan(x) || isnan(y))
        return;
    if (isinf(x) || isinf(y)) {
        if (y >= 0)
            out[0] = out[1] = 0;
        return;
    }
    z_t w = w_plane(x, y);
    if (k > 0) {
        double side = k & 1 ? -1 : 1;
        w = y >= 0 ? w_slope(x, y, k) : 2 * bell_slope(x, y, k) - side * w_slope(-x, -y, k);
        if (y == 0)
            w = of_parts(creal(bell_slope(x, 0, k)), cimag(w));
    } else if (y == 0) {
        w = of_parts(exp(-x * x) * (1 - fma(x, x, -x * x)), cimag(w));
    }
    out[0] = creal(w), out[1] = cimag(w);
}

/* ---- Fresnel: C + i S = (1 + i) / 2 (1 - e^(i pi x^2 / 2) w((1 + i) sqrt(pi) x / 2)) -------- */

AGNI_VALUE void agni_fresnel(double x, double sc[2])
{
    double a = fabs(x), s = 0, c = 0;
    if (a < 1.2) { /* sums of (-1)^n (pi / 2)^(2n) x^(4n) */
        double u = AGNI_PI / 2 * a * a, term = a;
        for (int n = 0; n < 40; n++) {
            double share = term / (2 * n + 1), sign = n & 2 ? -1 : 1;
            *(n & 1 ? &s : &c) += sign * share;
            term *= u / (n + 1);
        }
    } else if (a < 1e8) {
        double w[2], low = fma(a, a, -a * a);
        agni_faddeeva(0.5 * sqrt(AGNI_PI) * a, 0.5 * sqrt(AGNI_PI) * a, 0, w);
        double turn = fmod(a * a, 4) + low; /* x^2 modulo a period */
        z_t e = of_parts(cos(AGNI_PI / 2 * turn), sin(AGNI_PI / 2 * turn));
        z_t v = of_parts(0.5, 0.5) * (1 - e * of_parts(w[0], w[1]));
        c = creal(v), s = cimag(v);
    } else if (a < 1e18) { /* less than the rest 1 / (pi^2 x^3) is left */
        double turn = fmod(a * a, 4) + fmod(fma(a, a, -a * a), 4);
        s = 0.5 - cos(AGNI_PI / 2 * turn) / (AGNI_PI * a);
        c = 0.5 + sin(AGNI_PI / 2 * turn) / (AGNI_PI * a);
    } else {
        s = c = a > 0 ? 0.5 : (double)NAN;
    }
    sc[0] = copysign(s, x), sc[1] = copysign(c, x);
}
