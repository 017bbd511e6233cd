/* tensor/special/integrals/bessel_integral.c - integrals over the argument of Bessel, Struve and Airy
   functions (DLMF 9.10, 10.22(i), 10.43(i), 11.7; Abramowitz and Stegun 11.1, 12.1): closed forms and
   series where no digits are lost, Gauss' rule between, expansions beyond. */
#include "tensor/special/integrals/values.h"
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/gauss_legendre.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>
#include <math.h>

enum { /* of f from 0 to x; of (1 - J0) / t, (I0 - 1) / t so; of Y0 / t, K0 / t, H0 / t from x on */
       ITJ0, ITY0, ITI0, ITK0, IT2J0, IT2Y0, IT2I0, IT2K0, ITSTRUVE0, IT2STRUVE0, ITMODSTRUVE0, ITAI, ITBI
};
#define EULER 0.57721566490153286061
static const double far_from = 40, rises_from = 50;

static double bessel_0(double x, int kind)
{
    return agni_bessel(0, x, kind, 0, 0);
}
static double y0_over(double t)
{
    return bessel_0(t, AGNI_BESSEL_Y) / t;
}
static double k0_over(double t)
{
    return bessel_0(t, AGNI_BESSEL_K) / t;
}
static double struve_0(double t)
{
    return agni_struve(0, t, false, 0);
}
static double struve_over(double t)
{
    return struve_0(t) / t;
}
static double airy_ai(double t)
{
    return agni_airy(t, 0);
}
static double airy_bi(double t)
{
    return agni_airy(t, 2);
}
/* from a to b by panels no wider than 2 */
static double integrate_panels(double (*f)(double), double a, double b)
{
    int panels = (int)ceil(fabs(b - a) / 2);
    double sum = 0, w = panels ? (b - a) / panels : 0;
    for (int p = 0; p < panels; p++)
        for (int k = 0; k < AGNI_GAUSS_NODES; k++) {
            double by, t = agni_gauss_place(k, a + p * w, a + (p + 1) * w, &by);
            sum += by * f(t);
        }
    return sum;
}
/* x J0 + pi x / 2 (J1 H0 - J0 H1), and so for Y */
static double first_integral(double x, int kind)
{
    double f = bessel_0(x, kind), g = agni_bessel(1, x, kind, 0, 0);
    return x * f + AGNI_PI / 2 * x * (g * struve_0(x) - f * agni_struve(1, x, false, 0));
}
/* sum of x^(2 k + 1) / (4^k k!^2 (2 k + 1)), of x^(2 k) / (4^k k!^2 2 k) from 1 on, or of 2 / pi
   x^(2 k + 2) / ((2 k + 1)!!^2 (2 k + 2)): none of their terms is below 0 */
static double rising_series(double x, int kind)
{
    double q = x * x / 4, term = kind == ITMODSTRUVE0 ? 2 / AGNI_PI * x * x : kind == ITI0 ? x : 1;
    double sum = kind == ITI0 ? x : kind == ITMODSTRUVE0 ? term / 2 : 0;
    for (int k = 1; k < 200; k++) {
        double odd = 2.0 * k + 1;
        term *= kind == ITMODSTRUVE0 ? x * x / (odd * odd) : q / ((double)k * k);
        double part = term / (kind == ITI0 ? odd : kind == IT2I0 ? odd - 1 : odd + 1);
        sum += part;
        if (part < 1e-18 * sum)
            break;
    }
    return sum;
}
/* exp(x) x^-p / sqrt(2 pi) times a sum of x^-k, whose slope is I0 or I0 / x */
static double rising_expansion(double x, double p)
{
    double of_i = 1, of_integral = 1, power = 1, sum = 1;
    for (int k = 1; k < 60; k++) {
        of_i *= (2 * k - 1.0) * (2 * k - 1.0) / (8.0 * k);
        of_integral = of_i + (k - 1 + p) * of_integral;
        power /= x;
        sum += of_integral * power;
        if (of_integral * power < 1e-17 * sum)
            break;
    }
    double root = exp(x / 2);
    return root * (root * pow(x, -p) * (sum * AGNI_1_SQRT2PI));
}
/* that of H0^(1) t^(1/2 - p) from x on: J0 and Y0 */
static void oscillating_tail(double x, double p, double g[2])
{
    double h[2] = {1, 0}, u[2] = {0, 1}, power = 1, sum[2] = {0, 1}; /* g_k = i (h_k - (k - 1 + p) g_(k-1)) */
    for (int k = 1; k < 60; k++) {
        double by = -(2 * k - 1.0) * (2 * k - 1.0) / (8.0 * k), next[2] = {-by * h[1], by * h[0]};
        h[0] = next[0], h[1] = next[1];
        double re = h[0] - (k - 1 + p) * u[0], im = h[1] - (k - 1 + p) * u[1];
        u[0] = -im, u[1] = re;
        power /= x;
        sum[0] += u[0] * power, sum[1] += u[1] * power;
        if (power * hypot(u[0], u[1]) < 1e-18)
            break;
    }
    double size = 2 * AGNI_1_SQRT2PI * pow(x, -p), c = cos(x), s = sin(x);
    double re = AGNI_SQRT1_2 * (c + s), im = AGNI_SQRT1_2 * (s - c); /* exp(i (x - pi / 4)) */
    g[0] = size * (re * sum[0] - im * sum[1]);
    g[1] = size * (re * sum[1] + im * sum[0]);
}
/* sum of side^k (x / 2)^(2 k) / k!^2 (L / (2 k) - 1 / (4 k^2) - H_k / (2 k)), L = log(x / 2) + Euler's */
static double log_series(double x, double lead, double side)
{
    double q = side * x * x / 4, term = 1, harmonic = 0, sum = 0;
    for (int k = 1; k < 40; k++) {
        term *= q / ((double)k * k);
        harmonic += 1.0 / k;
        sum += term * (lead - 0.5 / k - harmonic) / (2.0 * k);
    }
    return sum;
}
/* 2 / x sum of (2 k + 3) H_(k + 1) J_(2 k + 3) (Abramowitz and Stegun 11.1.19) */
static double neumann_series(double x)
{
    double harmonic = 0, sum = 0;
    if (x < 1e-8)
        return x * x / 8;
    for (int k = 0; k < 200; k++) {
        harmonic += 1.0 / (k + 1);
        double term = (2 * k + 3) * harmonic * agni_bessel(2 * k + 3, x, AGNI_BESSEL_J, 0, 0);
        sum += term;
        if (2 * k > x && fabs(term) < 1e-18 * fabs(sum))
            break;
    }
    return 2 / x * sum;
}
/* of H0 - Y0 or that over t: sums of (-1)^k (2 k - 1)!!^2 / x^(2 k + 1) */
static double struve_rest(double x, bool over)
{
    double term = over ? 1 / x : 1, sum = over ? term : log(2 * x) + EULER;
    for (int k = 1; k < 30; k++) {
        term *= -(2 * k - 1.0) * (2 * k - 1.0) / (x * x);
        double part = over ? term / (2 * k + 1) : -term / (2 * k);
        sum += part;
        if (fabs(part) < 1e-18)
            break;
    }
    return 2 / AGNI_PI * sum;
}
/* Q y' - Q' y, x Q = 1 + Q'', has the slope y of Airy's equation */
static double airy_integral(double x, int kind)
{
    if (fabs(x) <= 16)
        return integrate_panels(kind == ITAI ? airy_ai : airy_bi, 0, x);
    double term = 1 / x, q = term, down = 0;
    for (int k = 0; k < 30; k++) {
        down += (3 * k + 1) * term / x; /* -Q' */
        term *= (3.0 * k + 1) * (3.0 * k + 2) / (x * x * x);
        q += term;
        if (fabs(term) < 1e-18 * fabs(q))
            break;
    }
    int value = kind == ITAI ? 0 : 2;
    double y = q * agni_airy(x, value + 1) + down * agni_airy(x, value);
    return kind == ITBI ? y : y + (x > 0 ? 1 / 3.0 : -2 / 3.0);
}

double agni_bessel_integral(double x, int kind)
{
    double g[2], lead = (x < 1e-300 ? log(x) - AGNI_LN2 : log(x / 2)) + EULER;
    if (kind >= ITAI)
        return airy_integral(x, kind);
    if (!(x >= 0 && x <= 1e4))
        return (double)NAN;
    if (x == 0)
        return kind == IT2Y0 ? -(double)INFINITY : kind == IT2K0 ? (double)INFINITY
                               : kind == IT2STRUVE0 ? AGNI_PI / 2 : 0;
    if (x < 1e-150 && (kind == ITY0 || kind == ITK0)) /* squares are nothing */
        return kind == ITY0 ? 2 / AGNI_PI * (lead - 1) * x : (1 - lead) * x;
    if (x > far_from)
        oscillating_tail(x, kind == ITJ0 || kind == ITY0 || kind == ITSTRUVE0 ? 0.5 : 1.5, g);
    switch (kind) {
    case ITJ0:
        return x > far_from ? 1 - g[0] : first_integral(x, AGNI_BESSEL_J);
    case ITY0:
        return x > far_from ? -g[1] : first_integral(x, AGNI_BESSEL_Y);
    case ITI0:
    case IT2I0:
    case ITMODSTRUVE0:
        return x <= rises_from ? rising_series(x, kind) : rising_expansion(x, kind == IT2I0 ? 1.5 : 0.5);
    case ITK0: /* pi x / 2 (K0 L_-1 + K1 L0) */
        return x > far_from ? AGNI_PI / 2
                            : AGNI_PI / 2 * x *
                                  (bessel_0(x, AGNI_BESSEL_K) * (agni_struve(1, x, true, 0) + 2 / AGNI_PI) +
                                   agni_bessel(1, x, AGNI_BESSEL_K, 0, 0) * agni_struve(0, x, true, 0));
    case IT2J0:
        return x > far_from ? lead + g[0] : neumann_series(x);
    case IT2Y0:
        if (x > far_from)
            return g[1];
        if (x <= 2)
            return AGNI_PI / 6 - (lead * lead + 2 * log_series(x, lead, -1)) / AGNI_PI;
        oscillating_tail(far_from, 1.5, g);
        return g[1] + integrate_panels(y0_over, x, far_from);
    case IT2K0:
        return x <= 2 ? AGNI_PI * AGNI_PI / 24 + lead * lead / 2 + log_series(x, lead, 1)
                      : integrate_panels(k0_over, x, x + far_from);
    case ITSTRUVE0:
        return x > far_from ? struve_rest(x, false) - g[1]
                            : integrate_panels(struve_0, 0, x);
    default: /* IT2STRUVE0 */
        if (x <= 2)
            return AGNI_PI / 2 - integrate_panels(struve_over, 0, x);
        if (x > far_from)
            return g[1] + struve_rest(x, true);
        oscillating_tail(far_from, 1.5, g);
        return g[1] + struve_rest(far_from, true) + integrate_panels(struve_over, x, far_from);
    }
}

/* ---- op -------------------------------------------------------------------------------------- */

/* attribute of bessel_integral: kind */
static double bessel_integral_element(const double *x, const agn_kernel_call *c)
{
    return agni_bessel_integral(x[0], (int)c->ints[0]);
}
static agn_status infer_bessel_integral(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, ITJ0, ITBI, "kind");
    return st ? st : agni_infer_ew(c);
}
/* (1 - J0(x)) / x, or (I0(x) - 1) / x, next to 0 by its series */
static const agn_tensor *rest_over(agn_scope *s, const agn_tensor *x, bool modified)
{
    const agn_tensor *near = ag_le(s, x, agni_literal(s, 2)), *one = agni_literal(s, 1);
    const agn_tensor *low = ag_where(s, near, x, one), *far = ag_where(s, near, one, x), *sum = NULL;
    const agn_tensor *q = ag_mul_c(s, ag_square(s, low), modified ? 0.25 : -0.25);
    for (int k = 12; k >= 1; k--) {
        const agn_tensor *tail = sum ? ag_mul_c(s, ag_mul(s, q, sum), 1 / (k + 1.0) / (k + 1.0)) : NULL;
        sum = tail ? ag_add_c(s, tail, 1) : one;
    }
    const agn_tensor *rest = modified ? ag_add_c(s, ag_i0(s, far), -1)
                                      : ag_sub(s, one, ag_jv(s, agni_literal(s, 0), far));
    return ag_where(s, near, ag_mul_c(s, ag_mul(s, low, sum), 0.25), ag_div(s, rest, far));
}
static void bessel_integral_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                const agn_tensor **ty)
{
    const agn_tensor *x = r->x[0], *order = agni_literal(s, 0), *y;
    int64_t kind = r->at->i[0];
    switch (kind) {
    case ITJ0:
        y = ag_jv(s, order, x);
        break;
    case ITY0:
    case IT2Y0:
        y = ag_yv(s, order, x);
        break;
    case ITI0:
        y = ag_i0(s, x);
        break;
    case ITK0:
    case IT2K0:
        y = ag_kv(s, order, x);
        break;
    case IT2J0:
    case IT2I0:
        y = rest_over(s, x, kind == IT2I0);
        break;
    case ITSTRUVE0:
    case IT2STRUVE0:
        y = ag_struve(s, order, x);
        break;
    case ITMODSTRUVE0:
        y = ag_modstruve(s, order, x);
        break;
    default:
        y = kind == ITAI ? ag_airy_ai(s, x) : ag_airy_bi(s, x);
    }
    if (kind == IT2Y0 || kind == IT2K0 || kind == IT2STRUVE0)
        y = ag_neg(s, ag_div(s, y, x));
    ty[0] = ag_mulz(s, d[0], y);
}
AGNI_SPECIAL_OP(bessel_integral, "x kind:i", 1, .lo = 0.3, .hi = 6,
                .doc = "integrals of Bessel, Struve and Airy functions, by kind")

agn_status agn_bessel_integral(agn_tensor **out, const agn_tensor *x, int32_t kind)
{
    int64_t at = kind;
    return agni_apply_public(out, &agni_op_bessel_integral, &(agni_attr){.ni = 1, .i = &at}, 1, &x);
}
