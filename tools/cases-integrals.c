/* tools/cases-integrals.c - what sine integrals, Kelvin's, Mathieu's, gamma's relatives should give (DLMF 5, 6,
   10, 28): long double, by series, Simpson's rule and Newton's method. */
#include "cases-special.h"

static long double sine_over(const long double *p, long double t)
{
    (void)p;
    return t == 0 ? 1 : sinl(t) / t;
}
static void want_sine_integral(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) y[i] = simpson(sine_over, NULL, 0, creall(x[0][i]), 4000);
}
static void want_clausen(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) /* Fourier's series by Abel's summation, and the mean of its rest */
    {
        enum { TERMS = 200000 };
        long double a = creall(x[0][i]), sum = 0, partial = 0;
        for (int k = 1; k < TERMS; k++) {
            partial += sinl(k * a);
            sum += partial * (1 / ((long double)k * k) - 1 / ((k + 1.0L) * (k + 1.0L)));
        }
        y[i] = sum + cosl(a / 2) / (2 * sinl(a / 2)) / ((long double)TERMS * TERMS);
    }
}
static long double bose_square(const long double *p, long double t)
{
    (void)p;
    return t == 0 ? 0 : t * t / expm1l(t);
}
/* of order 2 */
static void want_debye(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]);
        y[i] = 2 / (a * a) * simpson(bose_square, NULL, 0, a, 4000);
    }
}
static long double fermi(const long double *p, long double s)
{
    long double t = expl(s);
    return expl((p[0] + 1) * s) / (1 + expl(t - p[1]));
}
static void want_fermi_dirac(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double p[] = {creall(x[0][i]), creall(x[1][i])};
        y[i] = simpson(fermi, p, -60, 6, 20000) / tgammal(p[0] + 1);
    }
}
/* bei of order 0 */
static void want_kelvin(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double q = creall(x[0][i]) * creall(x[0][i]) / 4, term = q, sum = q;
        for (int k = 1; k < 30; k++) {
            term *= -q * q / ((2.0L * k) * (2.0L * k) * (2.0L * k + 1) * (2.0L * k + 1));
            sum += term;
        }
        y[i] = sum;
    }
}
/* the least root of a = 2 q^2 / (a - 4 - q^2 / (a - 16 - ...)), which is below 0 (DLMF 28.6.16) */
static long double mathieu_rest(long double a, long double q)
{
    long double tail = 0;
    for (int r = 40; r >= 1; r--)
        tail = (r == 1 ? 2 : 1) * q * q / (a - 4.0L * r * r - tail);
    return a - tail;
}
static void want_mathieu_value(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double q = creall(x[0][i]), low = -2 * q - 1, high = 0;
        for (int k = 0; k < 120; k++) {
            long double a = (low + high) / 2;
            if (mathieu_rest(a, q) > 0)
                high = a;
            else
                low = a;
        }
        y[i] = (low + high) / 2;
    }
}
/* share[r] = B_(2r+1) / B_(2r-1) of se_1 by the fraction from above, b_1 its least root, below
   1 - q + ... */
enum { MATHIEU_ROWS = 40 };
static void fill_mathieu_shares(long double q, long double *share)
{
    long double low = -2 * q - 1, high = 1;
    for (int k = 0; k < 120; k++) {
        long double a = (low + high) / 2, tail = 0;
        for (int r = MATHIEU_ROWS; r >= 1; r--)
            tail = q * q / (a - (2.0L * r + 1) * (2 * r + 1) - tail);
        if (a - (1 - q) - tail > 0)
            high = a;
        else
            low = a;
    }
    share[MATHIEU_ROWS] = 0;
    for (int r = MATHIEU_ROWS - 1; r >= 1; r--)
        share[r] = q / (low - (2.0L * r + 1) * (2 * r + 1) - q * share[r + 1]);
    share[0] = 1;
}
static void want_mathieu(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double t = creall(x[1][i]), share[MATHIEU_ROWS + 1], b = 1, square = 0, sum = 0, slope = 0;
        fill_mathieu_shares(creall(x[0][i]), share);
        for (int r = 0; r < MATHIEU_ROWS; r++) {
            b *= share[r];
            square += b * b;
            sum += b * sinl((2 * r + 1) * t);
            slope += (2 * r + 1) * b;
        }
        y[i] = (slope < 0 ? -1 : 1) * sum / sqrtl(square);
    }
}
/* Bessel's integral (DLMF 10.9.2) */
static long double bessel_wave(const long double *p, long double t)
{
    return cosl(p[0] * t - p[1] * sinl(t)) / acosl(-1);
}
static long double bessel_first(int n, long double x)
{
    return simpson(bessel_wave, (const long double[2]){n, x}, 0, acosl(-1), 400);
}
/* Ms_1 of the first kind: sum of (-1)^r B_(2r+1) / B_1 (J_r J_(r+1) - J_(r+1) J_r), at sqrt q times
   exp(-x) and exp(x) */
static void want_mathieu_modified(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double q = c->reals[0], low = sqrtl(q) * expl(-creall(x[0][i])), share[MATHIEU_ROWS + 1];
        long double high = sqrtl(q) * expl(creall(x[0][i])), b = 1, sum = 0;
        fill_mathieu_shares(q, share);
        for (int r = 0; r < 20; r++) {
            b *= r ? -share[r] : 1;
            sum += b * (bessel_first(r, low) * bessel_first(r + 1, high) -
                        bessel_first(r + 1, low) * bessel_first(r, high));
        }
        y[i] = sum;
    }
}
static void want_bessel_integral(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), term = a, sum = a;
        for (int k = 1; k < 60; k++) {
            term *= a * a / (4.0L * k * k);
            sum += term / (2 * k + 1);
        }
        y[i] = sum;
    }
}
/* the alternating series with Euler's means of 60 partial sums */
static void want_eta_plane(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        enum { SUMS = 60 };
        long double p[SUMS], sum = 0;
        for (int k = 0; k < SUMS + 40; k++) {
            long double l = logl(k + 1.0L),
                        term = expl(-creall(x[0][i]) * l) * cosl(creall(x[1][i]) * l);
            sum += k & 1 ? -term : term;
            if (k >= 40)
                p[k - 40] = sum;
        }
        for (int n = SUMS; n > 1; n--)
            for (int k = 0; k + 1 < n; k++)
                p[k] = (p[k] + p[k + 1]) / 2;
        y[i] = p[0];
    }
}
static void want_rgamma(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) y[i] = 1 / tgammal(creall(x[0][i]));
}
static long double digamma_of(long double x)
{
    long double sum = 0;
    for (; x < 40; x++)
        sum -= 1 / x;
    long double q = 1 / (x * x);
    return sum + logl(x) - 0.5L / x -
           q * (1 / 12.0L - q * (1 / 120.0L - q * (1 / 252.0L - q * (1 / 240.0L - q / 132))));
}
static void want_digammainv(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double low = 1e-3L, high = 1e6L, want = creall(x[0][i]);
        for (int k = 0; k < 200; k++) {
            long double mid = (low + high) / 2;
            *(digamma_of(mid) < want ? &low : &high) = mid;
        }
        y[i] = low;
    }
}
static void want_wright_omega(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), w = 1;
        for (int k = 0; k < 60; k++)
            w *= expl((a - w - logl(w)) / (1 + w));
        y[i] = w;
    }
}

const op_case cases_integrals[] = {
    {"sine_integral", 1, "D", {NINE}, NINE, 1, {0}, .want = want_sine_integral},
    {"clausen", 1, "D", {NINE}, NINE, .want = want_clausen},
    {"debye", 1, "D", {NINE}, NINE, 2, {2, 0}, .want = want_debye},
    {"fermi_dirac", 2, "DD", {NINE, NINE}, NINE, 1, {0}, .want = want_fermi_dirac},
    {"kelvin", 1, "D", {NINE}, NINE, 2, {1, 0}, .want = want_kelvin},
    {"mathieu_value", 1, "D", {NINE}, NINE, 3, {0, 0, 0}, .want = want_mathieu_value},
    {"mathieu", 2, "DD", {NINE, NINE}, NINE, 4, {1, 1, 0, 0}, .want = want_mathieu},
    {"mathieu_modified", 1, "D", {NINE}, NINE, 3, {1, 1, 0}, .reals = {1.5}, .n_real = 1, .want = want_mathieu_modified},
    {"bessel_integral", 1, "D", {NINE}, NINE, 1, {2}, .want = want_bessel_integral},
    {"eta_plane", 2, "DD", {NINE, NINE}, NINE, 2, {0, 0}, .want = want_eta_plane},
    {"rgamma", 1, "D", {NINE}, NINE, 1, {0}, .want = want_rgamma},
    {"digammainv", 1, "D", {NINE}, NINE, .want = want_digammainv},
    {"wright_omega", 1, "D", {NINE}, NINE, .want = want_wright_omega},
    {.op = NULL},
};
