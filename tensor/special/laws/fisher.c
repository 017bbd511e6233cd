/* tensor/special/laws/fisher.c - Fisher's and Student's laws with derivatives in their degrees
   of freedom (Abramowitz and Stegun 26.6, 26.7).

   With a and b half the degrees, z = log x, r = a x / (a x + b), the density in z is
   h = (a x)^a b^b / ((a x + b)^(a + b) beta(a, b)). Unlike in I_r(a, b), x stays: log h has in a
   and b, of order n = i + j > 1, the derivative

     (-1)^n (n - 2)! / (a + b)^(n - 1) sum of C(i, p) C(j, q) (p + q - 1) e^p f^q, p + q > 1,

   e = r (a + b) / a - 1, f = (1 - r) (a + b) / b - 1, and those of the parts of psi(a + b),
   -psi(a), -psi(b) beyond a logarithm: of large degrees the leading powers have cancelled by
   algebra. Derivatives of h are h times Bell polynomials of these; of the distribution function
   the integral of that, from the side on which its parts are smaller. Below 1, gamma(a) is
   gamma(a + 1) / a, as in tensor/cpu/special/beta_slope.h. */
#include "tensor/special/laws/values.h"

#include "tensor/cpu/special/beta_slope.h"
#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/incomplete_inverse.h"

enum { MOST_FISHER = AGNI_BETA_ORDERS, FISHER_SIZE = MOST_FISHER + 1 };

typedef struct fisher_law {
    double a, b, x, y; /* shares r and 1 - r */
    int i, j;
    double gap[FISHER_SIZE][FISHER_SIZE], lead[FISHER_SIZE]; /* (-1)^n (n - 2)! / (a + b)^(n - 1) */
    double choose[FISHER_SIZE][FISHER_SIZE];
} fisher_law;

/* zeta(s, a) - zeta(s, a + b), less that of x^(1 - s) / (s - 1) */
AGNI_FN double zeta_rest_gap(double s, double a, double b)
{
    double sum = 0, x = a, f = s;
    int n = 0;
    for (; x < 20; x = a + ++n)
        sum += agni_zeta_fall(x, b, s);
    if (n)
        sum += (agni_zeta_fall(x, b, s - 1) - agni_zeta_fall(a, b, s - 1)) / (s - 1);
    sum += 0.5 * agni_zeta_fall(x, b, s);
    for (int j = 0; j < AGNI_ZETA_TERMS; j++) {
        sum += agni_zeta_bernoulli[j] * f * agni_zeta_fall(x, b, s + 2 * j + 1);
        f *= (s + 2 * j + 1) * (s + 2 * j + 2);
    }
    return sum;
}
/* derivative of order n of log gamma(a + b) - log gamma(a), less that of the leading powers; of
   gamma(a + 1) below a = 1 */
AGNI_FN double fisher_gap(double a, double b, int n)
{
    if (n == 1) {
        if (a < 1)
            return agni_digamma(a + b) - agni_digamma(a + 1) - log1p(b / a);
        return agni_digamma_gap(a, b) - (a < 20 ? log1p(b / a) : 0);
    }
    double factor = n % 2 ? 1 : -1; /* (-1)^(n - 1) (n - 1)! */
    for (int k = 2; k < n; k++)
        factor *= k;
    if (a < 1)
        return factor *
               (agni_zeta(n, a + 1) - agni_zeta(n, a + b) - agni_zeta_fall(a, b, n - 1) / (n - 1));
    return factor * zeta_rest_gap(n, a, b);
}
AGNI_FN void prepare_fisher(fisher_law *w)
{
    double n = w->a + w->b, lead = 1;
    for (int k = 0; k < FISHER_SIZE; k++)
        for (int m = 0; m <= k; m++)
            w->choose[k][m] = m == 0 || m == k ? 1 : w->choose[k - 1][m - 1] + w->choose[k - 1][m];
    for (int k = 2; k <= w->i + w->j; k++) {
        lead *= k > 2 ? (k - 2) / n : 1 / n;
        w->lead[k] = k % 2 ? -lead : lead;
    }
    for (int p = 0; p <= w->i; p++)
        for (int q = p ? 0 : 1; q <= w->j; q++) {
            double factor = (p + q) % 2 ? 1 : -1;
            for (int k = 2; k < p + q; k++)
                factor *= k;
            w->gap[p][q] = q == 0   ? fisher_gap(w->a, w->b, p)
                           : p == 0 ? fisher_gap(w->b, w->a, q)
                                    : -factor * agni_zeta(p + q, n) - w->lead[p + q];
        }
    /* of a mixed derivative alone the leading power is that of a + b once: beyond it, by
       zeta(n, v) - v^(1 - n) / (n - 1), which does not cancel for large v */
    if (n >= 20)
        for (int p = 1; p <= w->i; p++)
            for (int q = 1; q <= w->j; q++) {
                int s = p + q;
                double f = s, factor = s % 2 ? 1 : -1, fall = pow(n, -s), sum = 0.5 * fall;
                for (int k = 2; k < s; k++)
                    factor *= k;
                for (int k = 0; k < AGNI_ZETA_TERMS; k++) {
                    fall /= k ? n * n : n;
                    sum += agni_zeta_bernoulli[k] * f * fall;
                    f *= (s + 2 * k + 1) * (s + 2 * k + 2);
                }
                w->gap[p][q] = -factor * sum;
            }
}
AGNI_FN double whole_power(double x, int n)
{
    double y = 1;
    for (int k = 0; k < n; k++)
        y *= x;
    return y;
}
/* sum of C(i, p) C(j, q) (p + q - 1) e^p f^q over p + q > 1; far from 0 by its closed form */
AGNI_FN double fisher_bend(const fisher_law *w, int i, int j, double e, double f)
{
    if ((i > 0 && fabs(e) > 0.5) || (j > 0 && fabs(f) > 0.5)) {
        double p = whole_power(1 + e, i), q = whole_power(1 + f, j);
        double less_p = i ? i * whole_power(1 + e, i - 1) * q : 0;
        double less_q = j ? j * whole_power(1 + f, j - 1) * p : 0;
        return 1 + (i + j - 1) * p * q - less_p - less_q;
    }
    double sum = 0, ep = 1;
    for (int p = 0; p <= i; p++, ep *= e) {
        double term = ep;
        for (int q = 0; q <= j; q++, term *= f)
            if (p + q > 1)
                sum += w->choose[i][p] * w->choose[j][q] * (p + q - 1) * term;
    }
    return sum;
}
/* log(1 + e) - e, by its logarithm where e is not small */
AGNI_FN double log_less_itself(double e, double log_1p)
{
    return e > -0.6 && e < 1.5 ? agni_log_less(1 + e, e) : log_1p - e;
}
/* Bell polynomial of the derivatives of log h at shares of these logarithms, and with
   lead = a y - b x */
AGNI_FN double fisher_bell(const fisher_law *w, double log_x, double log_y, double lead)
{
    double L[FISHER_SIZE][FISHER_SIZE], R[FISHER_SIZE][FISHER_SIZE], n = w->a + w->b;
    double e = -lead / w->a, f = lead / w->b, sum = 0;
    for (int i = 0; i <= w->i; i++)
        for (int j = 0; j <= w->j; j++) {
            L[i][j] = i + j ? w->gap[i][j] : 0;
            if (i + j == 1)
                L[i][j] += i ? log_less_itself(e, log_x + log(n / w->a))
                             : log_less_itself(f, log_y + log(n / w->b));
            else if (i + j > 1)
                L[i][j] += w->lead[i + j] * fisher_bend(w, i, j, e, f);
        }
    R[0][0] = 1;
    for (int j = 1; j <= w->j; j++) {
        R[0][j] = 0;
        for (int q = 0; q < j; q++)
            R[0][j] += w->choose[j - 1][q] * L[0][q + 1] * R[0][j - 1 - q];
    }
    for (int i = 1; i <= w->i; i++)
        for (int j = 0; j <= w->j; j++) {
            R[i][j] = 0;
            for (int p = 0; p < i; p++)
                for (int q = 0; q <= j; q++)
                    R[i][j] += w->choose[i - 1][p] * w->choose[j][q] * L[p + 1][q] *
                               R[i - 1 - p][j - q];
        }
    for (int low = 0; low < 4; low++) { /* of a / gamma(a + 1), b / gamma(b + 1) */
        int i = w->i - (low & 1), j = w->j - (low >> 1);
        double weight = (low & 1 ? w->i / w->a : 1) * (low >> 1 ? w->j / w->b : 1);
        if (i < 0 || j < 0 || (low & 1 && w->a >= 1) || (low >> 1 && w->b >= 1))
            continue;
        sum += weight * R[i][j];
    }
    return sum;
}
/* the integral over smaller z (of mirrored shares over larger), over h; *size: with its parts as
   positive numbers */
AGNI_FN double fisher_side(const fisher_law *w, bool mirrored, double *size)
{
    agni_beta_law m = {.a = w->a, .b = w->b, .x = w->x, .y = w->y};
    if (mirrored)
        m = (agni_beta_law){.a = w->b, .b = w->a, .x = w->y, .y = w->x};
    m.lead = agni_beta_lead(m.a, m.b, m.x, m.y);
    double log_x = log(m.x), log_y = log(m.y), z = log_x - log_y, s = 0, d = 1, sum = 0, most = 0,
           lx, ly;
    *size = 0;
    for (int panel = 0; panel < 2000; panel++) {
        double fall = agni_beta_fall(&m, s, &lx, &ly);
        if (fall > 50 + 3 * (w->i + w->j) + most)
            break;
        most = fmin(most, fall);
        d *= 2;
        while (!agni_beta_resolves(&m, z, s, d))
            d *= 0.8;
        for (int k = 0; k < AGNI_GAUSS_NODES; k++) {
            double by, f = agni_beta_fall(&m, agni_gauss_place(k, s, s + d, &by), &lx, &ly);
            double lead = agni_beta_lead(m.a, m.b, m.x * exp(lx), m.y * exp(ly));
            double bell = mirrored ? fisher_bell(w, log_y + ly, log_x + lx, -lead)
                                   : fisher_bell(w, log_x + lx, log_y + ly, lead);
            double part = by * bell * exp(-f);
            sum += part;
            *size += fabs(part);
        }
        s += d;
    }
    return sum;
}
/* derivative of order i in a and j in b, i + j > 0, of the lower part; of the density in z */
AGNI_FN double fisher_slope(double a, double b, double x, double y, int i, int j, bool density)
{
    fisher_law w = {.a = a, .b = b, .x = x, .y = y, .i = i, .j = j};
    if (!(a > 0 && b > 0 && a < 1e15 && b < 1e15 && x >= 0 && y >= 0))
        return (double)NAN;
    double h = x == 0 || y == 0 ? 0 : agni_beta_front(a, b, x, y, 0), below, above;
    if (h == 0)
        return 0;
    prepare_fisher(&w);
    if (density)
        return h * fisher_bell(&w, log(x), log(y), agni_beta_lead(a, b, x, y));
    double lower = fisher_side(&w, false, &below), upper = -fisher_side(&w, true, &above);
    return h * (below < above ? lower : upper);
}

/* shares of p and q in p + q, q > 0; of p = m n, which may leave the range */
AGNI_FN void share_out(double m, double n, double q, double *x, double *y)
{
    double p = m * n;
    if (p < 1e300) {
        *x = p / (p + q), *y = q / (p + q);
    } else {
        *x = 1, *y = q / m / n;
    }
}

/* is a share of x out of range, and its power is not nothing? */
AGNI_FN bool is_share_lost(double dfn, double dfd, double x, double r, double s)
{
    double l = log(dfn) + log(x) - log(dfd);
    return x > 0 && x < (double)INFINITY &&
           ((r < 1e-290 && dfn / 2 * l > -760) || (s < 1e-290 && -dfd / 2 * l > -760));
}

AGNI_VALUE double agni_fisher(double dfn, double dfd, double x, int kind, int i, int j)
{
    double a = dfn / 2, b = dfd / 2, r, s, half = 1;
    if (!(dfn > 0 && dfd > 0 && x >= 0 && dfn < (double)INFINITY && dfd < (double)INFINITY))
        return (double)NAN;
    for (int k = 0; k < i + j; k++)
        half *= 0.5;
    share_out(dfn, x, dfd, &r, &s);
    if (is_share_lost(dfn, dfd, x, r, s))
        return (double)NAN;
    if (isinf(x))
        return kind == 0 && i + j == 0 ? 1 : 0;
    if (kind == 2 && x == 0)
        return a > 1 ? 0 : i + j ? (double)NAN : a < 1 ? (double)INFINITY : 1;
    if (kind == 2)
        return half *
               (i + j ? fisher_slope(a, b, r, s, i, j, true) : agni_beta_front(a, b, r, s, 0)) / x;
    if (i + j)
        return (kind ? -half : half) * fisher_slope(a, b, r, s, i, j, false);
    if (kind == 0)
        return r == 0 ? 0 : s == 0 ? 1 : agni_beta_ratio(a, b, r, s);
    return r == 0 ? 1 : s == 0 ? 0 : agni_beta_ratio(b, a, s, r);
}

/* k-th derivative in df of what is beyond t, or of the density, where df / t^2 is nothing beside 1:
   (df / t^2)^b gamma(b + 1/2) / (2 gamma(b + 1) sqrt(pi)), b = df / 2, and df / t times that */
AGNI_FN double student_far(double b, double t, int k, bool density)
{
    double L[FISHER_SIZE], R[FISHER_SIZE], half = 1, factor = 1, power = 1;
    double log_y = log(2 * b) - 2 * log(t);
    if (b * log_y < -745)
        return 0;
    for (int n = 1; n <= k; n++) { /* the leading power of b log b, then of log b */
        factor *= n > 2 ? -(n - 2) : 1, power *= n > 1 ? b : 1, half *= 0.5;
        double rest = n == 1 ? agni_digamma(b + 0.5) - agni_digamma(b + 1)
                             : factor * (n - 1) * (agni_zeta(n, b + 0.5) - agni_zeta(n, b + 1));
        L[n] = (n == 1 ? log_y + 1 : factor / power) + rest;
        if (density)
            L[n] += n == 1 ? 1 / b : -(n - 1) * factor / (power * b);
    }
    R[0] = 1;
    for (int n = 1; n <= k; n++) {
        double choose = 1;
        R[n] = 0;
        for (int m = 0; m < n; m++) {
            R[n] += choose * L[m + 1] * R[n - 1 - m];
            choose *= (double)(n - 1 - m) / (m + 1);
        }
    }
    double tail = tgamma(b + 0.5) / tgamma(b + 1) / (2 * sqrt(AGNI_PI)), e = exp(b * log_y / 2);
    return density ? R[k] * half * tail * e * (2 * b) * (e / t) : R[k] * half * tail * e * e;
}
/* t^2 has Fisher's law of 1 and df; half of its upper part is beyond t */
AGNI_VALUE double agni_student(double df, double t, int kind, int k)
{
    double b = df / 2, x, y, size = fabs(t), half = 0.5;
    if (!(df > 0 && df < (double)INFINITY) || isnan(t))
        return (double)NAN;
    for (int n = 0; n < k; n++)
        half *= 0.5;
    share_out(size, size, df, &x, &y);
    if (isinf(t) || (x == 0 && kind != 2))
        return k || kind == 2 ? 0 : isinf(t) ? ((t > 0) == (kind == 0) ? 1 : 0) : 0.5;
    if (y < 1e-200) {
        double far = student_far(b, size, k, kind == 2);
        return kind == 2 || (t > 0) == (kind == 1) ? far : k ? -far : 1 - far;
    }
    if (kind == 2) { /* h / t; next to 0 that of a small argument, which h has as a factor */
        double near = 1e-150 * sqrt(df);
        if (size < near) {
            size = near;
            share_out(size, size, df, &x, &y);
        }
        double h = k ? fisher_slope(0.5, b, x, y, 0, k, true) : agni_beta_front(0.5, b, x, y, 0);
        return 2 * half / size * h;
    }
    if (k) {
        double slope = half * fisher_slope(0.5, b, x, y, 0, k, false);
        return (t > 0) == (kind == 0) ? slope : -slope;
    }
    double tail = size < 1 ? 0.5 * (1 - agni_beta_ratio(0.5, b, x, y))
                  : y == 0 ? 0
                           : 0.5 * agni_beta_ratio(b, 0.5, y, x);
    return (t > 0) == (kind == 0) ? 1 - tail : tail;
}
