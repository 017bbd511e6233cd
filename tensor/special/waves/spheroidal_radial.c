/* tensor/special/waves/spheroidal_radial.c - radial spheroidal functions (DLMF 30.11): the wave
   that goes out, by its expansion far away, is taken in by Taylor's series; that of the first
   kind grows out from where it is regular, and has its size from there. Both go the way on which
   the other one dies out. */
#include "tensor/special/integrals/values.h"
#include "tensor/special/waves/taylor_walk.h"
#include "tensor/special/waves/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/special/integrals/complex_parts.h"

#include <float.h>

enum { MOST_ORDER = 40, MOST_DEGREE = 60 };

/* of f, R = (x^2 - sign)^(m / 2) f: (x^2 - sign) f'' + 2 (m + 1) x f' + (constant + square x^2) f
   */
static void set_radial(const agni_wave_equation *w, double x, double p[3], double q[2], double r[3])
{
    p[0] = w->sign > 0 ? (x - 1) * (x + 1) : x * x + 1;
    p[1] = 2 * x, p[2] = 1;
    q[0] = 2 * (w->order + 1) * x, q[1] = 2 * (w->order + 1);
    r[0] = w->constant + w->square * x * x, r[1] = 2 * w->square * x, r[2] = w->square;
}
/* exp(i (c x - (n + 1) pi / 2)) / c x^(-m - 1) sum of a_k x^-k, and its slope; false: x is too
   near */
static bool expand_outgoing(const agni_wave_equation *w, double c, int n, double x, z_t y[2])
{
    double m = w->order, high = c * x, low = fma(c, x, -high), rho = -m - 1, last = INFINITY;
    z_t a[4] = {1, 0, 0, 0}, sum = 1, slope = agni_complex_parts(rho / x, c);
    bool good = false;
    for (int k = 1; k <= 200 && !good; k++) { /* a[j]: of k - j, each over x^(k - j) */
        for (int j = 3; j >= 1; j--)
            a[j] = a[j - 1];
        double r1 = rho - k + 1, r2 = r1 + 1, r3 = r1 + 2;
        z_t top = a[1] / x * (r1 * (r1 - 1) + w->sign * c * c + 2 * (m + 1) * r1 + w->constant);
        top += a[2] / (x * x) * agni_complex_parts(0, -2 * c * w->sign * r2);
        top += a[3] / (x * x * x) * (-w->sign * r3 * (r3 - 1));
        a[0] = top * agni_complex_parts(0, -1 / (2 * c * k));
        double size = cabs(a[0]) + cabs(a[1]);
        sum += a[0];
        slope += a[0] * agni_complex_parts((rho - k) / x, c);
        good = size < 1e-17;
        if (k > 8 && size > 4 * last)
            break;
        last = size;
    }
    /* c x in two parts; whole quarters of a turn by n */
    double angle = fmod(high, 2 * AGNI_PI) - 2.4492935982947064e-16 * floor(high / (2 * AGNI_PI)) +
                   low;
    double wave = pow(x, rho) / c, s = sin(angle), co = cos(angle), part[4] = {s, -co, -s, co};
    z_t turn = agni_complex_parts(wave * part[n % 4], wave * part[(n + 1) % 4]);
    y[0] = turn * sum, y[1] = turn * slope;
    return good && isfinite(wave) && wave > 1e-290;
}
/* where f begins to grow: at 1, or at 0 with a parity; value and slope at x */
static bool grow_regular(const agni_wave_equation *w, int parity, double x, double y[2],
                         double *from)
{
    double p[3], q[2], r[3], c[AGNI_WALK_TERMS + 1] = {1};
    *from = w->sign > 0 ? 1 : 0;
    if (w->sign < 0)
        c[0] = !parity, c[1] = parity;
    set_radial(w, *from, p, q, r);
    agni_wave_series(p, q, r, c);
    double next = fmin(x, *from + agni_wave_reach(c));
    agni_sum_wave(c, next - *from, y);
    *from = next;
    return agni_walk_wave(w, next, x, y);
}

double agni_spheroidal_radial(double x, double c, int m, int n, bool oblate, bool second,
                              bool sloped)
{
    double sign = oblate ? -1 : 1, y[2] = {0, 0}, from;
    if (!(c >= 1e-140 && c <= 100) || !(x >= (oblate ? 0 : 1) && x <= 1e8) || m < 0 ||
        m > MOST_ORDER || n < m || n > MOST_DEGREE)
        return (double)NAN;
    double lambda = agni_spheroidal_value(sign * c * c, m, n, 0);
    agni_wave_equation w = {set_radial, sign, m, m * (m + 1.0) - lambda, c * c};
    double far = fmax(
        2, fmax(40 / c, (fabs(w.constant + sign * c * c) + 2 * m * m) / (2 * c) + 20 / c));
    z_t out[2];
    bool good = true;
    double edge = oblate ? x * x + 1 : (x - 1) * (x + 1);
    if (edge == 0) /* at 1 */
        return second ? (double)(sloped ? INFINITY : -INFINITY) : (double)NAN;
    if (x >= far) {
        good = expand_outgoing(&w, c, n, x, out);
        for (int i = 0; i < 2; i++)
            y[i] = second ? cimag(out[i]) : creal(out[i]);
    } else if (second) {
        good = expand_outgoing(&w, c, n, far, out);
        y[0] = cimag(out[0]), y[1] = cimag(out[1]);
        good = good && agni_walk_wave(&w, far, x, y);
    } else {
        good = expand_outgoing(&w, c, n, far, out) && grow_regular(&w, (n - m) % 2, x, y, &from);
        double end[2] = {y[0], y[1]};
        good = good && agni_walk_wave(&w, x, far, end);
        double re = creal(out[0]), slope = creal(out[1]) / c, size = hypot(re, slope);
        double by = size / (end[0] * (re / size) + end[1] / c * (slope / size));
        y[0] *= by, y[1] *= by;
    }
    double power = pow(edge, 0.5 * m);
    double value = sloped ? power * (y[1] + m * x / edge * y[0]) : power * y[0];
    return good ? value : (double)NAN;
}
