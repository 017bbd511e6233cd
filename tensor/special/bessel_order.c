/* tensor/special/bessel_order.c - derivatives of Bessel functions in their order: integrals of
   Schlaefli and Sommerfeld (DLMF 10.9.6, 10.9.17, 10.32.4) under which one differentiates. J
   beyond the turning point and I of orders above 1 by the trapezoidal rule along the path of
   steepest descent, where nothing cancels; the others by Gauss' rule on panels from the saddle.
   For x up to 1e4 and orders up to 500 in size; a negative order by reflection (10.2.3, 10.27.2,
   10.4.6). */

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/gauss_legendre.h"
#include "tensor/special/values.h"
#include <math.h>
#ifndef AGNI_DEVICE
#include <complex.h>
typedef double complex z_t;
#endif

AGNI_FN z_t z_of(double x, double y)
{
    double part[2] = {x, y};
    return *(z_t *)part;
}
AGNI_FN z_t z_power(z_t z, int k)
{
    z_t y = 1;
    for (int j = 0; j < k; j++)
        y *= z;
    return y;
}

/* ---- J for nu >= x, I for nu >= 1 ----------------------------------------------------------- */

/* exp(-less) / pi times the integral of Im (-z)^k e^phi dz over 0 < v < pi, z = u + i v: sinh u = c
   v / sin v with phi = x cosh z - nu z for I, cosh u = c v / sin v with phi = x sinh z - nu z for
   J; v = pi tanh t */
AGNI_FN double by_descent(double nu, double x, int k, bool modified, double less)
{
    double third = cbrt(x),
           c = modified ? fmax(nu, 1) / x : fmax(nu / x, 1 + 0.5 / (third * third));
    double rate = modified ? sqrt(hypot(x, nu)) : fmax(sqrt(x * sqrt(c * c - 1)), third);
    double h = fmin(0.03, 0.12 / rate), sum = 0, top = 0;
    for (int n = 0; n < 1000000; n++) {
        double t = n * h, v = AGNI_PI * tanh(t), rest = 2 * AGNI_PI / (1 + exp(2 * t)),
               s = t < 0.5 ? sin(v) : sin(rest);
        double cosine = t < 0.5 ? cos(v) : -cos(rest), q = n ? v / s : 1, y = c * q;
        double u = modified ? asinh(y) : log(y + sqrt((y - 1) * (y + 1)));
        double sh = modified ? y : sqrt((y - 1) * (y + 1)), ch = modified ? hypot(1, y) : y;
        double slope = n ? c * (1 / s - q * cosine / s) / (modified ? ch : sh) : 0;
        double real = x * (modified ? ch : sh) * cosine - nu * u, turn = (x * c - nu) * v;
        if (n == 0)
            top = real;
        z_t f = z_power(-z_of(u, v), k) * z_of(slope, 1) * z_of(cos(turn), sin(turn));
        double jacobian = 1 / (cosh(t) * cosh(t)), term = exp(real - top) * jacobian * cimag(f);
        sum += n ? term : term / 2;
        if (t > 0.3 && exp(real - top) * jacobian * cabs(f) < 1e-20 * fabs(sum) + 1e-300)
            break;
    }
    return sum * h * exp((top - less) / 2) * exp((top - less) / 2);
}

/* ---- I for 0 <= nu < 1 ---------------------------------------------------------------------- */

/* k-th derivative of sin(pi nu) or cos(pi nu) in nu */
AGNI_FN double wave_slope(double nu, int k, bool cosine)
{
    double a = nu + 0.5 * ((k & 3) + (cosine ? 1 : 0));
    a -= 2 * floor(a / 2);
    double s = a > 1 ? -1 : 1;
    a = a > 1 ? a - 1 : a;
    a = a > 0.5 ? 1 - a : a;
    return s * sin(AGNI_PI * a) * pow(AGNI_PI, k);
}
/* exp(-x) times integrals over [0, pi] of e^(x cos) t^k cos(nu t + k pi / 2), or over t > 0 of
   e^(-x cosh t - nu t) (-t)^k */
AGNI_FN double on_panels(double nu, double x, int k, bool far)
{
    double w = fmin(0.4, 2 / sqrt(x)), sum = 0, end = far ? acosh(1 + 800 / x) : AGNI_PI;
    for (double a = 0; a < end; a += w)
        for (int n = 0; n < AGNI_GAUSS_NODES; n++) {
            double by, t = agni_gauss_place(n, a, fmin(a + w, end), &by), p = 1, s = sin(t / 2), f;
            for (int j = 0; j < k; j++)
                p *= far ? -t : t;
            if (far)
                f = exp(-x * cosh(t) - nu * t - x);
            else
                f = exp(-2 * x * s * s) * (k & 1 ? sin(nu * t) : cos(nu * t)) *
                    ((k + 1) & 2 ? -1 : 1);
            sum += by * p * f;
        }
    return sum;
}
/* times exp(-x) */
AGNI_FN double small_order(double nu, double x, int k)
{
    double sum = on_panels(nu, x, k, false);
    for (int j = 0; j <= k; j++)
        sum -= agni_choose(k, j) * wave_slope(nu, k - j, false) * on_panels(nu, x, j, true);
    return sum / AGNI_PI;
}

/* ---- J + i Y -------------------------------------------------------------------------------- */

typedef struct sommerfeld {
    double nu, x, base_u, base_v, top; /* the saddle i beta, or alpha; top: the largest real part */
    int k;
} sommerfeld;

/* at base_u + u; right: on the path to infinity + pi i */
AGNI_FN z_t path_at(const sommerfeld *q, double u, bool right)
{
    const double r = 1.7320508075688772;
    double v, slope, b = right ? AGNI_PI - q->base_v : q->base_v;
    if (b == 0) {
        v = slope = 0;
    } else {
        double e = exp((right ? -u : u) * r / b);
        v = right ? AGNI_PI - b * e : b * e;
        slope = r * e;
    }
    double at = q->base_u + u, real = q->x * sinh(at) * cos(v) - q->nu * at,
           turn = q->x * cosh(at) * sin(v) - q->nu * v;
    if (real - q->top < -745)
        return 0;
    return exp(real - q->top) * z_of(cos(turn), sin(turn)) * z_of(1, slope) *
           z_power(-z_of(at, v), q->k);
}
/* panels from 0 to end, the first of width w, each wider by a tenth; offset: where they start */
AGNI_FN z_t path_panels(const sommerfeld *q, double offset, double end, double w, bool right)
{
    z_t sum = 0;
    double side = end < 0 ? -1 : 1, a = 0;
    end = fabs(end);
    while (a < end) {
        z_t panel = 0;
        for (int n = 0; n < AGNI_GAUSS_NODES; n++) {
            double by, t = agni_gauss_place(n, a, fmin(a + w, end), &by);
            panel += by * path_at(q, offset + side * t, right);
        }
        sum += panel;
        if (cabs(panel) < 1e-19 * cabs(sum) && a > 3 * w)
            break;
        a += w;
        w = fmin(w * 1.1, 0.3);
    }
    return sum;
}
/* the integral of (-z)^k exp(x sinh z - nu z) from -infinity to infinity + pi i, times exp(-top) */
AGNI_FN z_t sommerfeld_integral(double nu, double x, int k, double *top)
{
    sommerfeld q = {nu, x, 0, 0, 0, k};
    double third = cbrt(x), w = 1 / fmax(third, 1), reach = asinh(800 / x + nu / x * 8) + 2;
    z_t left;
    if (nu < x) {
        q.base_v = acos(nu / x);
        w = fmin(w, 0.8 / sqrt(x * sin(q.base_v) + 1e-30));
        w = fmin(w, 0.3);
        left = path_panels(&q, 0, -reach, w, false);
    } else { /* the largest value lies at -alpha */
        double alpha = acosh(nu / x);
        q.base_u = alpha, q.top = fmax(nu * alpha - x * sinh(alpha), 0);
        w = fmin(fmin(w, 0.3), 0.8 / sqrt(x * sinh(alpha) + 1e-30));
        left = path_panels(&q, -2 * alpha, -reach - alpha, w, false) +
               path_panels(&q, -2 * alpha, 2 * alpha, w, false);
    }
    *top = q.top;
    return left + path_panels(&q, 0, reach + 2, w, true);
}

AGNI_FN double positive_order(double nu, double x, int kind, int k)
{
    if (kind == AGNI_BESSEL_I)
        return nu < 1 ? small_order(nu, x, k) * exp(x / 2) * exp(x / 2)
                      : by_descent(nu, x, k, true, 0);
    if (kind == AGNI_BESSEL_IE)
        return nu < 1 ? small_order(nu, x, k) : by_descent(nu, x, k, true, x);
    if (kind == AGNI_BESSEL_J && nu >= x)
        return by_descent(nu, x, k, false, 0);
    double top;
    z_t s = sommerfeld_integral(nu, x, k, &top);
    double v = kind == AGNI_BESSEL_J ? cimag(s) : -creal(s);
    return v / AGNI_PI * exp(top / 2) * exp(top / 2);
}

AGNI_VALUE double agni_bessel_order(double nu, double x, int kind, int k)
{
    if (!(fabs(nu) <= 500) || !(x > 0) || !(x <= (kind == AGNI_BESSEL_I ? 700 : 1e4)))
        return (double)NAN;
    if (nu >= 0)
        return positive_order(nu, x, kind, k);
    bool modified = kind == AGNI_BESSEL_I || kind == AGNI_BESSEL_IE;
    double v = -nu, sum = 0;
    for (int j = 0; j <= k; j++) {
        double a = 0, b, c = agni_choose(k, j), s = wave_slope(v, k - j, false),
               o = wave_slope(v, k - j, true);
        if (modified) {
            b = agni_bessel(v, x, AGNI_BESSEL_K, j, 0) * 2 / AGNI_PI *
                (kind == AGNI_BESSEL_IE ? exp(-x) : 1);
            sum += s == 0 ? 0 : c * s * b;
            continue;
        }
        a = j ? positive_order(v, x, AGNI_BESSEL_J, j) : agni_bessel(v, x, AGNI_BESSEL_J, 0, 0);
        b = j ? positive_order(v, x, AGNI_BESSEL_Y, j) : agni_bessel(v, x, AGNI_BESSEL_Y, 0, 0);
        if (kind == AGNI_BESSEL_J)
            sum += c * ((o == 0 ? 0 : o * a) - (s == 0 ? 0 : s * b));
        else
            sum += c * ((s == 0 ? 0 : s * a) + (o == 0 ? 0 : o * b));
    }
    if (modified)
        sum += positive_order(v, x, kind, k);
    return k & 1 ? -sum : sum;
}

/* ---- derivatives of exp(-|x|) I in x -------------------------------------------------------- */

/* of large x, by Hankel's expansion term by term (DLMF 10.40.1); NaN where it does not converge */
AGNI_FN double far_slope(double nu, double x, int n)
{
    double term = 1, sum = 1, most = 1, lead = 1 / sqrt(2 * AGNI_PI * x);
    for (int j = 0; j < n; j++) {
        term *= 0.5 + j;
        lead /= -x;
    }
    sum = most = term;
    for (int j = 1; j < 200; j++) {
        double odd = 2.0 * j - 1;
        term *= -(4 * nu * nu - odd * odd) / (8 * j * x) * (j - 0.5 + n) / (j - 0.5);
        sum += term;
        most = fmax(most, fabs(term));
        if (fabs(term) < 1e-17 * fabs(sum))
            return most < 1e3 * fabs(sum) ? sum * lead : (double)NAN;
    }
    return (double)NAN;
}

/* n-th derivative in x of the k-th in the order: neighbours, as exp(-x) I' is half of theirs less
   the function, unless their differences are rounding: NaN then. At 0 the slope of |x| is 0. */
AGNI_FN double ie_slope(double nu, double x, int k, int n)
{
    double a = fabs(x), sum = 0, most = 0, w = 1;
    bool whole = nu == floor(nu), odd = whole && fmod(nu, 2) != 0;
    if (isnan(nu) || isnan(x) || (x < 0 && !whole))
        return (double)NAN;
    if (isinf(a))
        return 0;
    double far = k == 0 && a > 30 ? far_slope(nu, a, n) : (double)NAN;
    int steps = a == 0 ? n : 2 * n; /* powers of (up + down) / 2, or of that less 1 */
    if (!isnan(far)) {
        sum = far;
    } else {
        double self = 0;
        for (int j = 0; j <= steps; j++) {
            double v = nu + (a == 0 ? n - 2 * j : n - j);
            v = k ? agni_bessel_order(v, a, AGNI_BESSEL_IE, k)
                  : agni_bessel(v, a, AGNI_BESSEL_IE, 0, 0);
            self = j == n ? fabs(v) : self;
            v *= w;
            sum += a != 0 && (j & 1) ? -v : v;
            most = fmax(most, fabs(v));
            w *= (double)(steps - j) / (j + 1);
        }
        if (a != 0 && !(2e-16 * most < 1e-6 * fmax(fabs(sum), self / pow(fmax(a, 1), n))))
            return (double)NAN;
        sum = ldexp(sum, -n);
    }
    return x < 0 && (odd != (n & 1)) ? -sum : sum;
}

AGNI_VALUE double agni_bessel_slope(double nu, double x, int kind, int k, int n)
{
    if (kind == AGNI_BESSEL_IE && n)
        return ie_slope(nu, x, k, n);
    if (k && (kind <= AGNI_BESSEL_I || kind == AGNI_BESSEL_IE))
        return agni_bessel_order(nu, x, kind, k);
    return agni_bessel(nu, x, kind, k, n);
}
