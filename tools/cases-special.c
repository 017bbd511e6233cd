/* tools/cases-special.c - what special functions should give: long double, by series, Simpson's
   rule and Newton's method. */
#include "cases-special.h"

static void want_airy(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), f = 1, g = a, sum = 1, other = a;
        for (int k = 1; k < 60; k++) {
            sum += f *= a * a * a / ((3 * k - 1) * (3.0L * k));
            other += g *= a * a * a / ((3 * k) * (3.0L * k + 1));
        }
        y[i] = sum / (powl(3, 2 / 3.0L) * tgammal(2 / 3.0L)) -
               other / (cbrtl(3) * tgammal(1 / 3.0L));
    }
}
static long double k_slope(const long double *p, long double t)
{
    return t * sinhl(p[0] * t) * expl(-p[1] * coshl(t));
}
static void want_bessel(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double p[] = {creall(x[0][i]), creall(x[1][i])};
        y[i] = simpson(k_slope, p, 0, 9, 4000);
    }
}
static long double legendre(const long double *p, long double t)
{
    long double s = sinl(t) * sinl(t);
    return s / sqrtl(1 - p[1] * s) / (1 - p[0] * s);
}
static void want_elliptic(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double p[] = {creall(x[0][i]), creall(x[2][i])};
        y[i] = simpson(legendre, p, 0, creall(x[1][i]), 2000);
    }
}
static long double carlson(const long double *p, long double s)
{
    long double t = expl(s), z = t + p[2];
    return t / (sqrtl((t + p[0]) * (t + p[1]) * z) * z * (t + p[3]));
}
static void want_carlson(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double p[4];
        for (int k = 0; k < 4; k++)
            p[k] = creall(x[k][i]);
        y[i] = simpson(carlson, p, -50, 30, 8000);
    }
}
static void want_expi(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), term = 1,
                    sum = 0.57721566490153286060651209008240243L + logl(a);
        for (int k = 1; k < 80; k++) {
            term *= a / k;
            sum += term / k;
        }
        y[i] = sum;
    }
}
static long double exponential(const long double *p, long double s)
{
    long double t = expl(s);
    return t * expl(-p[0] * (1 + t)) / ((1 + t) * (1 + t));
}
static void want_expn(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]);
        y[i] = simpson(exponential, &a, -50, 7, 8000);
    }
}
static long double wave(const long double *p, long double t)
{
    (void)p;
    return sinl(PI / 2 * t * t);
}
static void want_fresnel(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) y[i] = simpson(wave, NULL, 0, creall(x[0][i]), 40000);
}
/* -2 Re(z w), w = i / pi times the integral of exp(-t^2) / (z - t) */
static long double faddeeva(const long double *p, long double t)
{
    long double complex z = p[0] + p[1] * (long double complex)I;
    return -2 * expl(-t * t) * creall((long double complex)I / PI * z / (z - t));
}
static void want_faddeeva(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double p[] = {creall(x[0][i]), creall(x[1][i])};
        y[i] = simpson(faddeeva, p, -9, 9, 16000);
    }
}
static void want_lambert(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), w = 0;
        for (int k = 0; k < 60; k++)
            w -= (w * expl(w) - a) / (expl(w) * (w + 1));
        y[i] = 1 + w;
    }
}
static long double owen(const long double *p, long double t)
{
    return expl(-p[0] * p[0] * (1 + t * t) / 2) / (1 + t * t) / (2 * PI);
}
static void want_owens_t(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double h = creall(x[0][i]);
        y[i] = simpson(owen, &h, 0, creall(x[1][i]), 4000);
    }
}
/* Laguerre, of degree 2 and parameter 1 */
static void want_polynomial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) y[i] = x[0][i] * x[0][i] / 2 - 3 * x[0][i] + 3;
}

/* M by its series */
static void want_kummer(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), b = creall(x[1][i]), z = creall(x[2][i]), term = 1,
                    sum = 1;
        for (int k = 0; k < 100; k++)
            sum += term *= (a + k) / (b + k) * z / (k + 1);
        y[i] = sum;
    }
}
static void want_hyp2f1(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double a = creall(x[0][i]), b = creall(x[1][i]), p = creall(x[2][i]),
                    z = creall(x[3][i]), term = 1, sum = 1;
        for (int k = 0; k < 2000; k++)
            sum += term *= (a + k) * (b + k) / (p + k) * z / (k + 1);
        y[i] = sum;
    }
}
/* L by its series */
static void want_struve(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double v = creall(x[0][i]), q = creall(x[1][i]) / 2;
        long double term = powl(q, v + 1) / (tgammal(1.5L) * tgammal(v + 1.5L)), sum = term;
        for (int k = 0; k < 60; k++)
            sum += term *= q * q / ((k + 1.5L) * (k + v + 1.5L));
        y[i] = sum;
    }
}
static void want_polylog(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double s = creall(x[0][i]), z = creall(x[1][i]), sum = 0;
        for (int k = 1; k < 1000; k++)
            sum += powl(z, k) * powl(k, -s);
        y[i] = sum;
    }
}
static void want_lerch(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double z = creall(x[0][i]), s = creall(x[1][i]), a = creall(x[2][i]), sum = 0;
        for (int k = 0; k < 1000; k++)
            sum += powl(z, k) * powl(a + k, -s);
        y[i] = sum;
    }
}
static long double first_kind(const long double *p, long double t)
{
    return 1 / sqrtl(1 - p[0] * sinl(t) * sinl(t));
}
/* sn: Newton's method for the amplitude */
static void want_jacobi(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double u = creall(x[0][i]), m = creall(x[1][i]), phi = u;
        for (int k = 0; k < 9; k++)
            phi -= (simpson(first_kind, &m, 0, phi, 800) - u) / first_kind(&m, phi);
        y[i] = sinl(phi);
    }
}
static void want_plane(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i)
    {
        long double complex z = creall(x[0][i]) + creall(x[1][i]) * (long double complex)I,
                            w = clogl(1 + z);
        for (int k = 0; k < 60; k++)
            w -= (w * cexpl(w) - z) / (cexpl(w) * (w + 1));
        y[i] = cimagl(w);
    }
}
/* j of order 1 */
static void want_spherical(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    EACH(i) y[i] = sinl(creall(x[0][i])) / (x[0][i] * x[0][i]) - cosl(creall(x[0][i])) / x[0][i];
}

const op_case cases_special[] = {
    {"airy", 1, "D", {NINE}, NINE, 1, {0}, .want = want_airy},
    {"bessel", 2, "DD", {NINE, NINE}, NINE, 3, {3, 1, 0}, .want = want_bessel},
    {"elliptic", 3, "DDD", {NINE, NINE, NINE}, NINE, 4, {1, 0, 1, 0}, .want = want_elliptic},
    {"carlson", 4, "DDDD", {NINE, NINE, NINE, NINE}, NINE, 4, {0, 0, 1, 1}, .want = want_carlson},
    {"expn", 1, "D", {NINE}, NINE, 1, {2}, .want = want_expn},
    {"expi", 1, "D", {NINE}, NINE, .want = want_expi},
    {"fresnel", 1, "D", {NINE}, NINE, 1, {0}, .want = want_fresnel},
    {"faddeeva", 2, "DD", {NINE, NINE}, NINE, 2, {1, 0}, .want = want_faddeeva},
    {"lambert_w", 1, "D", {NINE}, NINE, 2, {0, 1}, .want = want_lambert},
    {"owens_t", 2, "DD", {NINE, NINE}, NINE, .want = want_owens_t},
    {"polynomial",
     1,
     "D",
     {NINE},
     NINE,
     2,
     {2, 2},
     .reals = {1, 0},
     .n_real = 2,
     .want = want_polynomial},
    {"kummer", 3, "DDD", {NINE, NINE, NINE}, NINE, 4, {0, 0, 0, 0}, .want = want_kummer},
    {"hyp2f1", 4, "DDDD", {NINE, NINE, NINE, NINE}, NINE, 4, {0, 0, 0, 0}, .want = want_hyp2f1},
    {"struve", 2, "DD", {NINE, NINE}, NINE, 3, {1, 0, 0}, .want = want_struve},
    {"polylog", 2, "DD", {NINE, NINE}, NINE, 2, {0, 0}, .want = want_polylog},
    {"lerch", 3, "DDD", {NINE, NINE, NINE}, NINE, 2, {0, 0}, .want = want_lerch},
    {"jacobi_elliptic", 2, "DD", {NINE, NINE}, NINE, 1, {1}, .want = want_jacobi},
    {"lambert_plane", 2, "DD", {NINE, NINE}, NINE, 2, {0, 1}, .want = want_plane},
    {"spherical_bessel", 1, "D", {NINE}, NINE, 2, {0, 1}, .want = want_spherical},
    {.op = NULL},
};
