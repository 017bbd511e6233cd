/* tools/cases-waves.c - what distribution functions (Johnson, Kotz and Balakrishnan) and functions of wave
   equations (DLMF 12, 29, 30) should give: long double, by series and Simpson's rule. */
#include "cases-special.h"

/* I_r(a, b) = r^a s^b / (a B(a, b)) F(a + b, 1; a + 1; r) (DLMF 8.17.8), r + s = 1 */
static long double beta_below(long double a, long double b, long double r, long double s)
{
    if (r > s)
        return 1 - beta_below(b, a, s, r);
    long double term = 1, sum = 1;
    for (int k = 0; k < 200; k++)
        sum += term *= (a + b + k) / (a + 1 + k) * r;
    return sum * powl(r, a) * powl(s, b) / a * expl(lgammal(a + b) - lgammal(a) - lgammal(b));
}
static void want_fisher(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double m = creall(x[0][i]), n = creall(x[1][i]), mx = m * creall(x[2][i]);
        y[i] = beta_below(m / 2, n / 2, mx / (mx + n), n / (mx + n));
    }
}
static void want_student(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double n = creall(x[0][i]), t = creall(x[1][i]), square = t * t;
        long double half = beta_below(0.5L, n / 2, square / (square + n), n / (square + n)) / 2;
        y[i] = t < 0 ? 0.5L - half : 0.5L + half;
    }
}
/* Poisson's mean of beta primes */
static void want_noncentral(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), b = creall(x[1][i]), nc = creall(x[2][i]),
                    v = creall(x[3][i]), weight = expl(-nc / 2), sum = 0;
        for (int k = 0; k < 120; k++) {
            sum += weight * beta_below(a + k, b, v / (1 + v), 1 / (1 + v));
            weight *= nc / 2 / (k + 1);
        }
        y[i] = sum;
    }
}
/* the density by the integral of t (n + 1) / 2 times over sqrt(u): Simpson in log u */
static long double student_part(const long double *p, long double u)
{
    long double s = expl(u / 2), z = p[2] * s - p[1];
    return s * expl(p[0] / 2 * (u - expl(u)) - z * z / 2);
}
static void want_noncentral_t(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double p[] = {creall(x[0][i]), creall(x[1][i]), creall(x[2][i])}, a = p[0] / 2;
        y[i] = expl(a * logl(a) - lgammal(a)) / sqrtl(2 * PI) * simpson(student_part, p, -90, 7, 40000);
    }
}
static void want_wright(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), b = creall(x[1][i]), t = creall(x[2][i]), power = 1, sum = 0;
        for (int k = 0; k < 100; k++) {
            sum += power / tgammal(a * k + b);
            power *= t / (k + 1);
        }
        y[i] = sum;
    }
}
/* of three values between 1 / 3 and 2 / 3 */
static void want_smirnov(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double d = creall(x[0][i]);
        y[i] = (1 - d) * (1 - d) * (1 - d) + 3 * d * (2 / 3.0L - d) * (2 / 3.0L - d);
    }
}
static void want_smirnov_inverse(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) y[i] = 1 - x[0][i];
}
static void want_tukey_lambda(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double low = 0, high = 1, l = creall(x[1][i]);
        for (int k = 0; k < 120; k++) {
            long double p = (low + high) / 2;
            *((powl(p, l) - powl(1 - p, l)) / l < creall(x[0][i]) ? &low : &high) = p;
        }
        y[i] = low;
    }
}

/* d_2, d_4, ... of degree and order 0 over d_0 by the fraction from above (DLMF 30.8.3), of the
   least root, which is below q / 3 */
static long double spheroidal_rest(long double lambda, long double q, long double *share)
{
    enum { ROWS = 40 };
    long double tail = 0;
    for (int r = ROWS; r >= 1; r--) { /* share[r] = d_2r / d_(2r - 2) */
        long double l = 2 * r, a = l * (l + 1) + q * (2 * l * (l + 1) - 1) / ((2 * l - 1) * (2 * l + 3)),
                    up = q * (l + 1) * (l + 2) / ((2 * l + 3) * (2 * l + 5)),
                    down = q * l * (l - 1) / ((2 * l - 3) * (2 * l - 1));
        tail = down / (lambda - a - up * tail);
        share[r] = tail;
    }
    return lambda - q / 3 - q * 2 / 15 * tail;
}
static long double least_spheroidal(long double q, long double *share)
{
    long double low = -1 - fabsl(q), high = q / 3;
    for (int k = 0; k < 120; k++) {
        long double a = (low + high) / 2;
        if (spheroidal_rest(a, q, share) > 0)
            high = a;
        else
            low = a;
    }
    spheroidal_rest((low + high) / 2, q, share);
    return (low + high) / 2;
}
static void want_spheroidal_value(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    long double share[42];
    EACH(i) y[i] = least_spheroidal(creall(x[0][i]), share);
}
static long double sum_legendre(const long double *share, long double t)
{
    long double before = 1, here = t, d = 1, sum = 1;
    for (int l = 1; l < 80; l++) {
        long double next = ((2 * l + 1) * t * here - l * before) / (l + 1);
        before = here, here = next;
        if (l % 2)
            sum += (d *= share[(l + 1) / 2]) * here;
    }
    return sum;
}
static void want_spheroidal(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    long double share[42];
    EACH(i)
    {
        least_spheroidal(creall(x[0][i]), share);
        y[i] = sum_legendre(share, creall(x[1][i])) / sum_legendre(share, 0);
    }
}
static void want_legendre_q(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double t = creall(x[0][i]);
        y[i] = (3 * t * t - 1) / 2 * atanhl(t) - 1.5L * t;
    }
}
/* j_n(z) by its series (DLMF 10.53.1) */
static long double spherical_first(int n, long double z)
{
    long double term = 1, sum;
    for (int k = 1; k <= n; k++)
        term *= z / (2 * k + 1);
    sum = term;
    for (int k = 1; k < 60; k++)
        sum += term *= -z * z / 2 / (k * (2.0L * n + 2 * k + 1));
    return sum;
}
/* of order and degree 0: sum of (-1)^r d_2r j_2r(c x) over that of d_2r (DLMF 30.11.3) */
static void want_spheroidal_radial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double share[42], d = 1, sum = 0, all = 0, wave = c->reals[0];
        least_spheroidal(wave * wave, share);
        for (int r = 0; r < 20; r++) {
            d *= r ? share[r] : 1;
            sum += (r % 2 ? -d : d) * spherical_first(2 * r, wave * creall(x[0][i]));
            all += d;
        }
        y[i] = sum / all;
    }
}
/* of a = 0 by y'' = -x^2 y / 4 */
static void want_parabolic_w(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double t = creall(x[0][i]), even = 1, odd = t, sum[2] = {1, t};
        for (int k = 0; k < 120; k += 4) {
            sum[0] += even *= -t * t * t * t / 4 / ((k + 3) * (k + 4.0L));
            sum[1] += odd *= -t * t * t * t / 4 / ((k + 4) * (k + 5.0L));
        }
        long double ratio = sqrtl(tgammal(0.25L) / tgammal(0.75L));
        y[i] = sum[0] * ratio / powl(2, 0.75L) - sum[1] / (ratio * powl(2, 0.25L));
    }
}
/* of degree 2: s^2 less a root of 3 z^2 - 2 (h2 + k2) z + h2 k2 */
static void want_lame(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    long double sum = (long double)c->reals[0] + c->reals[1], product = (long double)c->reals[0] * c->reals[1];
    EACH(i) y[i] = x[0][i] * x[0][i] - (sum - sqrtl(sum * sum - 3 * product)) / 3;
}
/* (1 - J_0(2 a)) / (2 a) */
static void want_bessel_moment(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), term = 1, sum = 0;
        for (int k = 1; k < 60; k++)
            sum -= term *= -a * a / ((long double)k * k);
        y[i] = sum / (2 * a);
    }
}

const op_case cases_waves[] = {
    {"fisher", 3, "DDD", {NINE, NINE, NINE}, NINE, 3, {0, 0, 0}, .want = want_fisher},
    {"student", 2, "DD", {NINE, NINE}, NINE, 2, {0, 0}, .want = want_student},
    {"noncentral", 4, "DDDD", {NINE, NINE, NINE, NINE}, NINE, 6, {1, 0, 0, 0, 0, 0}, .want = want_noncentral},
    {"noncentral_t", 3, "DDD", {NINE, NINE, NINE}, NINE, 4, {2, 0, 0, 0}, .want = want_noncentral_t},
    {"wright", 3, "DDD", {NINE, NINE, NINE}, NINE, 4, {0, 0, 0, 0}, .want = want_wright},
    {"spheroidal_value", 1, "D", {NINE}, NINE, 3, {0, 0, 0}, .want = want_spheroidal_value},
    {"spheroidal", 2, "DD", {NINE, NINE}, NINE, 4, {0, 0, 0, 0}, .want = want_spheroidal},
    {"legendre_q", 1, "D", {NINE}, NINE, 2, {2, 0}, .want = want_legendre_q},
    {"spheroidal_radial", 1, "D", {NINE}, NINE, 4, {0, 0, 0, 0}, .reals = {1.5}, .n_real = 1, .want = want_spheroidal_radial},
    {"parabolic_w", 1, "D", {NINE}, NINE, 1, {0}, .reals = {0}, .n_real = 1, .want = want_parabolic_w},
    {"lame", 1, "D", {NINE}, NINE, 4, {2, 2, 0, 0}, .reals = {1, 2}, .n_real = 2, .want = want_lame},
    {"bessel_moment", 1, "D", {NINE}, NINE, .reals = {0, 1}, .n_real = 2, .want = want_bessel_moment},
    {"smirnov", 1, "D", {NINE}, NINE, 2, {3, 0}, .want = want_smirnov},
    {"smirnov_inverse", 1, "D", {NINE}, NINE, 1, {1}, .want = want_smirnov_inverse},
    {"tukey_lambda", 2, "DD", {NINE, NINE}, NINE, .want = want_tukey_lambda},
    {.op = NULL},
};
