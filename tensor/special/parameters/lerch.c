/* tensor/special/parameters/lerch.c - Lerch's transcendent (DLMF 25.14), the sum of z^k / (a +
   k)^s, and its derivatives in z and s: the series for |z| up to 1/2, Hurwitz' zeta function at z =
   1, else the integral 25.14.5 by the trapezoidal rule in the logarithm of the variable, by parts
   where s is not above 0; where these cancel, left of both, Hurwitz' formula. Left of a = 0 by
   terms of the sum. */
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/zeta_slope.h"

enum { MOST_PARTS = 102, MOST_BEFORE = 1000 };

/* a sum, and a bound of its error in units of 2^-53 */
typedef struct lerch_sum {
    double y, error;
} lerch_sum;

/* m (m - 1) ... (m - n + 1) (a + m)^-s (-log(a + m))^k; of a + m < 0, where s is a whole number, k
   = 0 */
AGNI_FN double lerch_term(double s, double a, double m, int k, int n)
{
    double x = a + m, term = pow(x, -s), l = k ? log(x) : 0;
    for (int j = 0; j < n; j++)
        term *= m - j;
    for (int j = 0; j < k; j++)
        term *= -l;
    return term;
}
AGNI_FN void add_term(lerch_sum *all, double term, double weight)
{
    all->y += term;
    all->error += weight * fabs(term);
}
AGNI_FN lerch_sum lerch_series(double z, double s, double a, int k, int n)
{
    lerch_sum all = {0, 0};
    double power = 1;
    for (int m = n; m < 4000; m++) {
        double term = power * lerch_term(s, a, m, k, n);
        add_term(&all, term, m + k + 3 + 0.5 * fabs(s));
        power *= z;
        if (power == 0 || (fabs(term) < 1e-18 * fabs(all.y) && m > 3 * (k + n + fabs(s))))
            break;
    }
    return all;
}

/* (-d/dt)^m of n! e^(-(a + n) t) f^(n + 1), f = 1 / (1 - z e^-t), over e^(-(a + n) t) f^(n + 1), is
   a polynomial in g = f - 1, or in f: -f' = f g */
typedef struct lerch_parts {
    double by_g[MOST_PARTS], by_f[MOST_PARTS], size[MOST_PARTS]; /* size: of terms in f */
    int m;
} lerch_parts;
AGNI_FN void take_parts(lerch_parts *c, double a, int n, int m)
{
    double one = 1;
    for (int j = 2; j <= n; j++)
        one *= j;
    c->by_g[0] = c->by_f[0] = c->size[0] = one;
    c->m = m;
    for (int k = 1; k <= m; k++) {
        c->by_g[k] = c->by_f[k] = c->size[k] = 0;
        for (int i = k; i >= 0; i--) {
            double left = n + i, stays = a - 1 - i;
            c->by_g[i] = (a + n + i) * c->by_g[i] + (i ? left * c->by_g[i - 1] : 0);
            c->by_f[i] = stays * c->by_f[i] + (i ? left * c->by_f[i - 1] : 0);
            c->size[i] = fabs(stays) * c->size[i] + (i ? left * c->size[i - 1] : 0);
        }
    }
}
AGNI_FN double polynomial_at(const double *c, int m, double x)
{
    double y = c[m];
    for (int i = m - 1; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

/* a > 0; s > 0 or z < 1, at z = 1 s > n + 1 */
AGNI_FN lerch_sum lerch_integral(double z, double s, double a, int k, int n)
{
    const lerch_sum none = {(double)NAN, 0};
    lerch_parts c;
    double low = z > 0 && z < 1 ? 1 : 0.5;
    int m = s >= low ? 0 : (int)ceil(low - s);
    if (m >= MOST_PARTS)
        return none;
    take_parts(&c, a, n, m);
    double p = s + m, rate = a + n, mid = p / rate, reach = z < 0 ? fmax(log(-z), 0) : 0;
    double fall = z == 1 ? p - n - 1 : p, psi = agni_digamma(p), center = psi - log(rate);
    double h = fmin(0.2, 0.5 / sqrt(1 + p + m + n)) / (1 + 0.5 * reach);
    double from = -55 / fall - 3, to = log(((60 + 4 * p) / rate + reach) / mid);
    if (z > 0 && z < 1)
        from = fmin(from, log(-log(z) / mid) - 55 / fall);
    else if (z == 1)
        from = fmin(from, log(1 / mid) - 55 / fall);
    double sum[AGNI_JET_ORDER + 1] = {0}, size[AGNI_JET_ORDER + 1] = {0}, g[AGNI_JET_ORDER + 1];
    double shift = log(p) - psi, steps = floor((to - from) / h) + 1;
    if (!(steps < 1e6))
        return none;
    for (int i = 0; i <= (int)steps; i++) {
        double w = from + i * h, t = mid * exp(w), f, less; /* less: f - 1 */
        if (z > 0) {
            less = z / (expm1(t) + (1 - z));
            f = 1 + less;
        } else {
            double q = -z * exp(-t);
            f = 1 / (1 + q);
            less = -q * f;
        }
        double y = exp(p * (w - expm1(w))), most;
        for (int j = 0; j <= n; j++)
            y *= f;
        if (less > -0.5) {
            most = y * polynomial_at(c.by_g, m, fabs(less));
            y = less > 0 ? most : y * polynomial_at(c.by_g, m, less);
        } else {
            most = y * polynomial_at(c.size, m, f);
            y *= polynomial_at(c.by_f, m, f);
        }
        double d = w + shift; /* log t - center */
        for (int j = 0; j <= k; j++) {
            sum[j] += y;
            size[j] += most;
            y *= d / (j + 1);
            most *= fabs(d) / (j + 1);
        }
    }
    agni_gamma_jet(p, -1, center, k, g); /* p is below 140: no logarithm of a scale */
    double scale = h * pow(p, p) * exp(-p) * pow(rate, -p);
    lerch_sum all = {agni_jet_last(sum, g, k) * scale, 0};
    for (int j = 0; j <= k; j++)
        g[j] = fabs(g[j]);
    all.error = (4 * m + 2 * n + 6 + 2 * reach) * agni_jet_last(size, g, k) * scale;
    return all;
}
/* z < 0, s < 0, 0 < a <= 1: Hurwitz' formula (Erdelyi et al., Higher Transcendental Functions 1.11
   (6)), the sum of gamma(1 - s) w^(s - 1) e^(i pi a j) over odd j, w = i pi j - log(-z), over
   (-z)^a */
AGNI_FN lerch_sum lerch_waves(double z, double s, double a, int k)
{
    lerch_sum all = {0, 0};
    double sum[AGNI_JET_ORDER + 1] = {0}, size[AGNI_JET_ORDER + 1] = {0}, g[AGNI_JET_ORDER + 1];
    double x = -log(-z), psi = agni_digamma(1 - s), first = 0, part = 1, left = 1;
    for (int j = 1; j < 20000 && left > 1e-17; j += 2) {
        double length = log(hypot(x, AGNI_PI * j)), angle = atan2(AGNI_PI * j, x), whole = a * j;
        double turn = fmod(whole, 2) + fma(a, j, -whole);
        first = j == 1 ? length : first;
        part = exp((s - 1) * (length - first));
        left = part * (2 - 0.5 * j / s); /* what follows, about */
        double wave = (s - 1) * angle + AGNI_PI * turn;
        double re = part * cos(wave), im = part * sin(wave), most = part;
        for (int i = 0; i <= k; i++) { /* times (log w - psi)^i / i! */
            sum[i] += re;
            size[i] += most * (7 + fabs(wave) + fabs((s - 1) * length));
            double l = (length - psi) / (i + 1), b = angle / (i + 1), was = re;
            re = re * l - im * b;
            im = was * b + im * l;
            most *= fabs(l) + b;
        }
    }
    double log_scale = agni_gamma_jet(1 - s, 1, -psi, k, g); /* in -s */
    double scale = 2 * pow(-z, -a) * exp(log_scale + (s - 1) * first);
    for (int i = 1; i <= k; i += 2)
        g[i] = -g[i];
    all.y = agni_jet_last(sum, g, k) * scale;
    for (int i = 0; i <= k; i++)
        g[i] = fabs(g[i]);
    all.error = agni_jet_last(size, g, k) * scale;
    if (left > 1e-17)
        all.error = (double)INFINITY;
    return all;
}
/* the same of any a > 0: from a less a whole number */
AGNI_FN lerch_sum lerch_left(double z, double s, double a, int k)
{
    double back = ceil(a) - 1, low = a - back, power = pow(z, back);
    lerch_sum all = lerch_waves(z, s, low, k);
    for (int m = 0; m < back; m++)
        add_term(&all, -pow(z, m) * lerch_term(s, low, m, k, 0), m + k + 4 + 0.5 * fabs(s));
    all.y /= power;
    all.error = all.error / fabs(power) + 4 * fabs(all.y);
    return all;
}
/* n-th derivative in z: z^n times it is t (t - 1) ... (t - n + 1) of the function, t = z d/dz,
   which makes of it that of s - 1 less a times that of s */
AGNI_FN lerch_sum lerch_lowered(double z, double s, double a, int k, int n)
{
    double c[AGNI_ZETA_ORDERS + 2] = {1}, size[AGNI_ZETA_ORDERS + 2] = {1}, power = pow(z, n);
    for (int m = 0; m < n; m++)
        for (int j = m + 1; j >= 0; j--) {
            c[j] = (j ? c[j - 1] : 0) - (j <= m ? (a + m) * c[j] : 0);
            size[j] = (j ? size[j - 1] : 0) + (j <= m ? (a + m) * size[j] : 0);
        }
    lerch_sum all = {0, 0};
    for (int j = 0; j <= n; j++) {
        lerch_sum part = lerch_left(z, s - j, a, k);
        all.y += c[j] * part.y;
        all.error += fabs(c[j]) * part.error + (n + 2) * size[j] * fabs(part.y);
    }
    all.y /= power;
    all.error = all.error / fabs(power) + 4 * fabs(all.y);
    return all;
}
AGNI_FN bool lerch_lost(lerch_sum all)
{
    return !(all.error < 256 * fabs(all.y));
}
AGNI_FN lerch_sum better_of(lerch_sum all, lerch_sum other)
{
    return all.error * fabs(other.y) <= other.error * fabs(all.y) ? all : other;
}
/* a > 0 */
AGNI_FN lerch_sum lerch_right(double z, double s, double a, int k, int n)
{
    lerch_sum zeta = {0, 0};
    if (z == 1 && n == 0) {
        zeta.y = agni_zeta_partial(s, a, k);
        return zeta;
    }
    bool near = fabs(z) <= 0.5;
    lerch_sum all = near ? lerch_series(z, s, a, k, n) : lerch_integral(z, s, a, k, n);
    if (near && z < 0 && s < 0 && lerch_lost(all)) /* terms cancel */
        all = better_of(all, lerch_integral(z, s, a, k, n));
    if (z < 0 && s <= -4 && a < MOST_BEFORE && lerch_lost(all))
        all = better_of(all, lerch_lowered(z, s, a, k, n));
    return all;
}

AGNI_VALUE double agni_lerch(double z, double s, double a, int k, int n)
{
    if (!(z <= 1 && z >= -1e100 && fabs(s) <= 100 && fabs(a) <= 1e100) || k > AGNI_ZETA_ORDERS)
        return (double)NAN;
    int first = 0; /* how many terms are taken apart */
    if (a <= 0) {
        if (k || s != rint(s) || a <= -MOST_BEFORE || (s > 0 && a == rint(a)))
            return (double)NAN;
        first = (int)floor(-a) + 1;
    }
    if (z == 1 && s <= n + 1)
        return first ? (double)NAN : k & 1 ? -(double)INFINITY : (double)INFINITY;
    /* a term has no derivative in s at a = 1, and little about it, where what is left is larger */
    while (k > 0 && n == 0 && fabs(z) > 0.5 && z < 1 && a + first < 2 &&
           (z > 0 || log(-z) < s * log1p(1 / (a + first))))
        first++;
    if (z < 1 && a + first < 1e-8) /* whose term is far from all others in the integral */
        first++;
    lerch_sum all = {0, 0};
    for (int m = n; m < first; m++)
        add_term(&all, pow(z, m - n) * lerch_term(s, a, m, k, n), n + k + 4 + 0.5 * fabs(s));
    /* z^first times the function of a + first, by Leibniz */
    for (int j = 0; j <= n; j++) {
        double by = agni_choose(n, j);
        for (int i = 0; i < n - j; i++)
            by *= first - i;
        if (by != 0) {
            lerch_sum tail = lerch_right(z, s, a + first, k, j);
            by *= pow(z, first - (n - j));
            all.y += by * tail.y;
            all.error += fabs(by) * (tail.error + 4 * fabs(tail.y));
        }
    }
    double limit = k || n ? 1e-10 : 1e-13; /* what derivatives lose next to their zeros */
    return isfinite(all.error) && 0x1p-53 * all.error <= limit * fabs(all.y) ? all.y : (double)NAN;
}
