/* tensor/special/bessel.c - Bessel functions of real order. J and Y: Hankel's series (DLMF 10.17)
   at orders next to 0 with recurrences for x above 30, else the continued fractions of Steed and
   the series of Temme (J. Comput. Phys. 19, 1975) at an order of at most 1/2 with recurrences in
   the stable direction. Orders of J and Y up to 500. Modified ones in bessel_modified.h. */
#include "tensor/special/bessel_modified.h"

/* ---- J and Y -------------------------------------------------------------------------------- */

/* 1 / Gamma(1 + z) by powers of z */
AGNI_TABLE const double rgamma[] = {1.0,
                                    0.5772156649015329,
                                    -0.6558780715202539,
                                    -0.04200263503409524,
                                    0.16653861138229148,
                                    -0.04219773455554433,
                                    -0.009621971527876973,
                                    0.0072189432466631,
                                    -0.0011651675918590652,
                                    -0.00021524167411495098,
                                    0.0001280502823881162,
                                    -2.013485478078824e-05,
                                    -1.2504934821426706e-06,
                                    1.133027231981696e-06,
                                    -2.056338416977607e-07,
                                    6.116095104481416e-09,
                                    5.002007644469223e-09,
                                    -1.18127457048702e-09,
                                    1.0434267116911005e-10,
                                    7.782263439905071e-12,
                                    -3.696805618642206e-12,
                                    5.100370287454476e-13,
                                    -2.0583260535665066e-14,
                                    -5.348122539423018e-15,
                                    1.2267786282382608e-15,
                                    -1.1812593016974588e-16};
enum { N_RGAMMA = sizeof rgamma / sizeof *rgamma };

/* (1 / Gamma(1 - m) - 1 / Gamma(1 + m)) / (2 m), and half the sum */
AGNI_FN void temme_gammas(double m, double *g1, double *g2)
{
    *g1 = *g2 = 0;
    for (int k = N_RGAMMA - 1; k >= 0; k--) {
        if (k & 1)
            *g1 = *g1 * m * m - rgamma[k];
        else
            *g2 = *g2 * m * m + rgamma[k];
    }
}

/* Y_m and Y_(m+1), |m| <= 1/2, x < 2 */
AGNI_FN void temme_y(double m, double x, double y[2])
{
    double g1, g2, l = x < 1e-300 ? AGNI_LN2 - log(x) : log(2 / x), s = m * l, pm = AGNI_PI * m;
    temme_gammas(m, &g1, &g2);
    double fact = fabs(pm) < 1e-9 ? 1 : pm / sin(pm), shc = fabs(s) < 1e-9 ? 1 : sinh(s) / s;
    double plus = g2 - m * g1, minus = g2 + m * g1; /* 1 / Gamma(1 + m), 1 / Gamma(1 - m) */
    double f = 2 / AGNI_PI * fact * (g1 * cosh(s) + g2 * shc * l), e = exp(s);
    double p = e / (AGNI_PI * plus), q = 1 / (e * AGNI_PI * minus);
    double half = 0.5 * pm, sh = fabs(half) < 1e-9 ? 1 : sin(half) / half,
           r = AGNI_PI * half * sh * sh;
    double c = 1, d = -x * x / 4, sum = f + r * q, sum1 = p;
    for (int k = 1; k < 200; k++) {
        f = (k * f + p + q) / (k * k - m * m);
        c *= d / k;
        p /= k - m;
        q /= k + m;
        double step = c * (f + r * q);
        sum += step;
        sum1 += c * p - k * step;
        if (fabs(step) < 1e-18 * (1 + fabs(sum)))
            break;
    }
    y[0] = -sum, y[1] = -sum1 * 2 / x;
}

/* Hankel's series: J and Y of a small order */
AGNI_FN void hankel(double nu, double x, double jy[2])
{
    double p = 1, q = 0, term = 1, m = 4 * nu * nu;
    for (int k = 1; k < 100; k++) {
        double next = term * (m - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k * x);
        if (fabs(next) > fabs(term) && k > nu)
            break;
        term = next;
        if (k & 1)
            q += k & 2 ? -term : term;
        else
            p += k & 2 ? -term : term;
        if (fabs(term) < 1e-18)
            break;
    }
    double a = nu / 2 + 0.25, ca = cos_pi(a), sa = sin_pi(a), c = cos(x), s = sin(x),
           r = sqrt(2 / (AGNI_PI * x));
    double cp = c * ca + s * sa, sp = s * ca - c * sa;
    jy[0] = r * (p * cp - q * sp), jy[1] = r * (p * sp + q * cp);
}

/* J'/J at order nu: Lentz; the sign of J */
AGNI_FN double steed_first(double nu, double x, int *sign)
{
    double xi = 1 / x, h = fmax(nu * xi, 1e-300), b = 2 * xi * nu, d = 0, c = h;
    *sign = 1;
    for (int k = 0; k < 4000000; k++) {
        b += 2 * xi;
        d = b - d;
        d = fabs(d) < 1e-300 ? 1e-300 : d;
        c = b - 1 / c;
        c = fabs(c) < 1e-300 ? 1e-300 : c;
        d = 1 / d;
        h *= c * d;
        if (d < 0)
            *sign = -*sign;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return h;
}

/* p + i q of (J' + i Y') / (J + i Y) at order m, x >= 2: modified Lentz in complex numbers by
   parts */
AGNI_FN void steed_second(double m, double x, double *p, double *q)
{
    double a = 0.25 - m * m, br = 2 * x, bi = 2, pr = -0.5 / x, qi = 1;
    double fact = a / (x * (pr * pr + qi * qi)), cr = br + qi * fact, ci = bi + pr * fact;
    double den = br * br + bi * bi, dr = br / den, di = -bi / den;
    double dlr = cr * dr - ci * di, dli = cr * di + ci * dr, t = pr * dlr - qi * dli;
    qi = pr * dli + qi * dlr, pr = t;
    for (int k = 2; k < 100000; k++) {
        a += 2 * (k - 1);
        bi += 2;
        dr = a * dr + br, di = a * di + bi;
        if (fabs(dr) + fabs(di) < 1e-300)
            dr = 1e-300;
        fact = a / (cr * cr + ci * ci);
        cr = br + cr * fact, ci = bi - ci * fact;
        if (fabs(cr) + fabs(ci) < 1e-300)
            cr = 1e-300;
        den = dr * dr + di * di;
        dr /= den, di /= -den;
        dlr = cr * dr - ci * di, dli = cr * di + ci * dr;
        t = pr * dlr - qi * dli;
        qi = pr * dli + qi * dlr, pr = t;
        if (fabs(dlr - 1) + fabs(dli) < 1e-16)
            break;
    }
    *p = pr, *q = qi;
}

/* x > 30: upwards from orders next to 0, as far as x for J; beyond, J of Y by the Wronskian */
AGNI_FN void bessel_jy_far(double nu, double x, double jy[2])
{
    int up = (int)(nu + 0.5), sign;
    double m = nu - up, now[2], next[2], part = 1; /* Y times part, which keeps it in range */
    hankel(m, x, now);
    hankel(m + 1, x, next);
    for (int k = 1; k <= up; k++) {
        for (int i = 0; i < 2; i++) {
            double t = 2 * (m + k) / x * next[i] - now[i];
            now[i] = next[i], next[i] = t;
        }
        if (fabs(next[1]) > 0x1p900) {
            now[1] *= 0x1p-900, next[1] *= 0x1p-900;
            part *= 0x1p-900;
        }
    }
    jy[0] = now[0], jy[1] = now[1] / part;
    if (nu > x)
        jy[0] = 2 / (AGNI_PI * x) /
                (nu / x * now[1] - next[1] - steed_first(nu, x, &sign) * now[1]) * part;
}

/* J, nu >= 0, x < 2: terms fall from the first on */
AGNI_FN double bessel_j_series(double nu, double x)
{
    double q = -x * x / 4, term = 1, sum = 1;
    for (int k = 1; k < 30 && fabs(term) > 1e-18; k++)
        sum += term *= q / (k * (nu + k));
    if (nu < 100)
        return sum * (half_power(x, nu) / tgamma(nu + 1));
    agni_pair lead = log_lead(nu, x);
    return sum * (1 + lead.lo) * exp(lead.hi);
}

/* J_nu, and Y at the order m = nu - down and the next, 2 <= x <= 30 */
AGNI_FN double steed_jy(double nu, double x, int down, double *ym, double *y1)
{
    int sign;
    double m = nu - down, ratio = steed_first(nu, x, &sign), j = sign * 1e-200, dj = ratio * j,
           first = j, p, q;
    for (int k = down; k >= 1; k--) { /* J and J' down to the order m */
        double v = nu - (down - k), t = v / x * j + dj;
        dj = (v - 1) / x * t - j;
        j = t;
        if (fabs(j) > 1e200)
            j *= 1e-200, dj *= 1e-200, first *= 1e-200;
    }
    if (j == 0)
        j = 1e-300;
    double f = dj / j, w = 2 / (AGNI_PI * x);
    steed_second(m, x, &p, &q);
    double g = (p - f) / q, jm = copysign(sqrt(w / ((p - f) * g + q)), j);
    *ym = jm * g;
    double dy = *ym * (p + q / g);
    if (g == 0)
        dy = jm * q;
    *y1 = m / x * *ym - dy;
    return jm * (first / j);
}
/* nu >= 0, x > 0 */
AGNI_FN void bessel_jy(double nu, double x, double jy[2])
{
    if (x > 30) {
        bessel_jy_far(nu, x, jy);
        return;
    }
    int down = x < 2 ? (int)(nu + 0.5) : (int)fmax(0, nu - x + 1.5);
    double m = nu - down, y[2];
    if (x < 2) {
        temme_y(m, x, y);
        jy[0] = bessel_j_series(nu, x);
    } else {
        jy[0] = steed_jy(nu, x, down, &y[0], &y[1]);
    }
    double ym = y[0], y1 = y[1];
    for (int k = 1; k <= down; k++) {
        double next = 2 * (m + k) / x * y1 - ym;
        ym = y1, y1 = next;
        if (isinf(ym))
            break;
    }
    jy[1] = isinf(ym) || isnan(ym) ? -(double)INFINITY : ym;
}

AGNI_FN double bessel_j_or_y(double nu, double x, bool second)
{
    double jy[2], side = 1, v = fabs(nu);
    bool whole = nu == floor(nu);
    if (!(v <= 500) || (x < 0 && (second || !whole)))
        return (double)NAN;
    if (x < 0 && fmod(nu, 2) != 0)
        side = -1;
    x = fabs(x);
    if (isinf(x))
        return 0;
    if (x > 1e15) /* the phase has no digit left */
        return (double)NAN;
    if (x == 0) {
        jy[0] = v == 0, jy[1] = -(double)INFINITY;
        if (nu < 0 && !whole)
            return second && v + 0.5 == floor(v + 0.5) ? 0 : copysign((double)INFINITY, sin_pi(v));
    } else {
        bessel_jy(v, x, jy);
    }
    if (nu < 0) {
        double c = cos_pi(v), s = sin_pi(v);
        double j = (c == 0 ? 0 : c * jy[0]) - (s == 0 ? 0 : s * jy[1]);
        double y = (s == 0 ? 0 : s * jy[0]) + (c == 0 ? 0 : c * jy[1]);
        jy[0] = j, jy[1] = y;
    }
    return side * jy[second];
}

AGNI_VALUE double agni_bessel(double nu, double x, int kind, int k, int n)
{
    if (isnan(nu) || isnan(x) || isinf(nu))
        return (double)NAN;
    switch (kind) {
    case AGNI_BESSEL_J:
        return bessel_j_or_y(nu, x, false);
    case AGNI_BESSEL_Y:
        return bessel_j_or_y(nu, x, true);
    case AGNI_BESSEL_I:
    case AGNI_BESSEL_IE:
        return fabs(nu) > 1e4 ? (double)NAN : bessel_i(nu, x, kind == AGNI_BESSEL_IE);
    default:
        return x < 0 || fabs(nu) > 1e4 ? (double)NAN
                                       : bessel_k(nu, x, k, n, kind == AGNI_BESSEL_KE);
    }
}
