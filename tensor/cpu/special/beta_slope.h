/* tensor/cpu/special/beta_slope.h - derivatives of the incomplete beta function in both parameters.

   With z = log(x / (1 - x)), F(z) = I_x(a, b) and h = dF/dz = x^a (1 - x)^b / beta(a, b),
   derivatives of h in a and b are h B_ij, B_ij the complete Bell polynomials in two variables of
   the derivatives of log h: u = log x - psi(a) + psi(a + b), v = log(1 - x) - psi(b) + psi(a + b),
   and those of -log beta(a, b). So

     (d/da)^i (d/db)^j F = h(z) int_0^inf B_ij at z - s, times h(z - s) / h(z) ds    from below,

   and from above the same with a and b, x and 1 - x exchanged, negative. For one derivative the
   integrand has one sign if the side is chosen by that of u or v. Below a = 1, where psi is near
   its pole, 1 / gamma(a) is a / gamma(a + 1): B_ij is then S_ij + (i / a) S_(i-1)j of psi(a + 1)
   and its derivatives, and nothing cancels; so it is with b. */
#ifndef AGNI_BETA_SLOPE_H
#define AGNI_BETA_SLOPE_H

#include "tensor/cpu/special/gauss_legendre.h"
#include "tensor/cpu/special/incomplete.h"
#include "tensor/cpu/special/zeta_slope.h"

enum { AGNI_BETA_ORDERS = 8 }; /* of i + j */

/* what does not change along z */
typedef struct agni_beta_law {
    double a, b, x, y; /* y = 1 - x */
    double lead;       /* a y - b x */
    double u, v;
    int i, j;
    double c[AGNI_BETA_ORDERS + 1][AGNI_BETA_ORDERS + 1]; /* of B_ij in powers of u and v */
} agni_beta_law;

/* log x - psi(a) + psi(a + b), of psi(a + 1) below 1; y = 1 - x */
AGNI_FN double agni_beta_score(double a, double b, double x, double y, double lead)
{
    double log_x = x < 0.5 ? log(x) : log1p(-y);
    if (a < 1)
        return log_x + (agni_digamma(a + b) - agni_digamma(a + 1));
    double gap = agni_digamma_gap(a, b);
    if (a < 20)
        return log_x + gap;
    return (fabs(lead) < 0.5 * a ? log1p(-lead / a) : log_x + log1p(b / a)) + gap;
}

/* derivative of order p in a and q in b of -log beta(a, b), p + q > 1 */
AGNI_FN double agni_beta_cumulant(double a, double b, int p, int q)
{
    int n = p + q;
    double factor = n % 2 ? 1 : -1; /* psi^(n - 1) = (-1)^n (n - 1)! zeta(n, .) */
    for (int k = 2; k < n; k++)
        factor *= k;
    if (p && q)
        return -factor * agni_zeta(n, a + b);
    double own = p ? a : b, other = p ? b : a;
    if (own < 1)
        return factor * (agni_zeta(n, own + 1) - agni_zeta(n, a + b));
    return factor * agni_zeta_gap(n, own, other);
}

AGNI_FN void agni_beta_prepare(agni_beta_law *w)
{
    enum { N = AGNI_BETA_ORDERS + 1 };
    double k[N][N] = {{0}}, R[N][N] = {{0}}, choose[N][N] = {{0}};
    for (int n = 0; n < N; n++)
        for (int m = 0; m <= n; m++)
            choose[n][m] = m == 0 || m == n ? 1 : choose[n - 1][m - 1] + choose[n - 1][m];
    for (int p = 0; p <= w->i; p++)
        for (int q = 0; q <= w->j; q++)
            k[p][q] = p + q > 1 ? agni_beta_cumulant(w->a, w->b, p, q) : 0;
    R[0][0] = 1; /* B with u = v = 0 */
    for (int j = 1; j <= w->j; j++)
        for (int q = 0; q < j; q++)
            R[0][j] += choose[j - 1][q] * k[0][q + 1] * R[0][j - 1 - q];
    for (int i = 1; i <= w->i; i++)
        for (int j = 0; j <= w->j; j++)
            for (int p = 0; p < i; p++)
                for (int q = 0; q <= j; q++)
                    R[i][j] += choose[i - 1][p] * choose[j][q] * k[p + 1][q] * R[i - 1 - p][j - q];
    for (int low = 0; low < 4; low++) {
        int i = w->i - (low & 1), j = w->j - (low >> 1);
        double weight = (low & 1 ? w->i / w->a : 1) * (low >> 1 ? w->j / w->b : 1);
        if ((low & 1 && w->a >= 1) || (low >> 1 && w->b >= 1))
            continue;
        for (int p = 0; p <= i; p++)
            for (int q = 0; q <= j; q++)
                w->c[p][q] += weight * choose[i][p] * choose[j][q] * R[i - p][j - q];
    }
    w->lead = agni_beta_lead(w->a, w->b, w->x, w->y);
    w->u = agni_beta_score(w->a, w->b, w->x, w->y, w->lead);
    w->v = agni_beta_score(w->b, w->a, w->y, w->x, -w->lead);
}

AGNI_FN double agni_beta_bell(const agni_beta_law *w, double u, double v)
{
    double sum = 0;
    for (int p = w->i; p >= 0; p--) {
        double row = 0;
        for (int q = w->j; q >= 0; q--)
            row = row * v + w->c[p][q];
        sum = sum * u + row;
    }
    return sum;
}

/* e^s - 1 - s */
AGNI_FN double agni_beta_exp_beyond(double s)
{
    double sum = 1;
    if (fabs(s) > 0.5)
        return expm1(s) - s;
    for (int n = 16; n > 2; n--)
        sum = 1 + sum * s / n;
    return 0.5 * s * s * sum;
}

/* At z - s, where x is t: -log of h(z - s) / h(z), and log(t / x) and log((1 - t) / y) */
AGNI_FN double agni_beta_fall(const agni_beta_law *w, double s, double *log_x, double *log_y)
{
    double up = w->y * expm1(s), down = w->x * expm1(-s); /* t = x / (1 + up), 1 - t = y / (1 + down) */
    double y = down > -0.5 ? log1p(down) : log(w->y + w->x * exp(-s));
    double x = up < 1e300 ? log1p(up) : s + y;
    *log_x = -x, *log_y = -y;
    if (s > 0.5)
        return w->a * x + w->b * y;
    double rest_x = agni_log_less(1 + up, up) + w->y * agni_beta_exp_beyond(s);
    double rest_y = agni_log_less(1 + down, down) + w->x * agni_beta_exp_beyond(-s);
    return w->lead * s + w->a * rest_x + w->b * rest_y;
}

/* Is h times a polynomial resolved by 20 nodes from z - s to z - s - d? By the distance of its
   poles at +-i pi, and by the changes of its exponent. */
AGNI_FN bool agni_beta_resolves(const agni_beta_law *w, double z, double s, double d)
{
    double n = w->a + w->b, from = z - s, to = from - d, half = d / 2, mid = from - half;
    double x0 = 1 / (1 + exp(-from)), y0 = 1 / (1 + exp(from)), x1 = 1 / (1 + exp(-to)),
           y1 = 1 / (1 + exp(to));
    double slope = fmax(fabs(w->a * y0 - w->b * x0), fabs(w->a * y1 - w->b * x1));
    double curve = from > 0 && to < 0 ? 0.25 : fmax(x0 * y0, x1 * y1);
    return half * half * 9 <= 4 * (mid * mid + 9.87) && slope * d <= 14 && n * curve * d * d <= 14;
}

/* the integral from below, over h(z) */
AGNI_FN double agni_beta_slope_below(const agni_beta_law *w)
{
    double z = log(w->x) - log(w->y), s = 0, d = 1, sum = 0, most = 0, lx, ly;
    for (int panel = 0; panel < 2000; panel++) {
        double fall = agni_beta_fall(w, s, &lx, &ly);
        if (fall > 50 + 3 * (w->i + w->j) + most)
            break;
        most = fmin(most, fall);
        d *= 2;
        while (!agni_beta_resolves(w, z, s, d))
            d *= 0.8;
        for (int k = 0; k < AGNI_GAUSS_NODES; k++) {
            double by, f = agni_beta_fall(w, agni_gauss_place(k, s, s + d, &by), &lx, &ly);
            sum += by * agni_beta_bell(w, w->u + lx, w->v + ly) * exp(-f);
        }
        s += d;
    }
    return sum;
}

/* derivative of order i in a and j in b of I_x(a, b), 0 < i + j <= AGNI_BETA_ORDERS */
AGNI_FN double agni_beta_partial(double a, double b, double x, int i, int j)
{
    agni_beta_law w = {.a = a, .b = b, .x = x, .y = 1 - x, .i = i, .j = j};
    if (!(a > 0 && b > 0 && x >= 0 && x <= 1 && a < 1e15 && b < 1e15))
        return (double)NAN;
    double h = x == 0 || x == 1 ? 0 : agni_beta_front(a, b, x, w.y, 0);
    if (h == 0)
        return 0;
    agni_beta_prepare(&w);
    double u = a < 1 ? w.u + 1 / a : w.u, v = b < 1 ? w.v + 1 / b : w.v;
    if (i >= j ? u < 0 : v > 0)
        return h * agni_beta_slope_below(&w);
    agni_beta_law m = {.a = b, .b = a, .x = w.y, .y = x, .i = j, .j = i};
    agni_beta_prepare(&m);
    return -h * agni_beta_slope_below(&m);
}

/* the same of the density x^(a - 1) (1 - x)^(b - 1) / beta(a, b): B_ij times it */
AGNI_FN double agni_beta_d_partial(double a, double b, double x, int i, int j)
{
    agni_beta_law w = {.a = a, .b = b, .x = x, .y = 1 - x, .i = i, .j = j};
    double d = agni_beta_d(a, b, x);
    if (!(d >= 0 && a < 1e15 && b < 1e15))
        return (double)NAN;
    if (d == 0)
        return 0;
    if (x == 0 || x == 1) /* a power of log 0; of the other logarithm only finite ones */
        return (x == 0 ? i && !j : j && !i) ? ((i + j) % 2 ? -(double)INFINITY : (double)INFINITY)
                                            : (double)NAN;
    agni_beta_prepare(&w);
    return d * agni_beta_bell(&w, w.u, w.v);
}

#endif
