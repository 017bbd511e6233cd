/* tools/cases-special.c - what special functions should give: long double, by series, Simpson's
   rule and Newton's method. */
#include "cases.h"

#include <complex.h>
#include <math.h>

#define NINE {1, {9}}
#define PI 3.14159265358979323846264338327950288L
#define EACH(i) for (int64_t i = 0; i < c->out.size[0]; i++)

typedef long double integrand(const long double *p, long double t);
static long double simpson(integrand *f, const long double *p, long double a, long double b, int n)
{
    long double h = (b - a) / n, sum = f(p, a) + f(p, b);
    for (int k = 1; k < n; k++)
        sum += (k & 1 ? 4 : 2) * f(p, a + k * h);
    return sum * h / 3;
}
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
    {"jacobi_elliptic", 2, "DD", {NINE, NINE}, NINE, 1, {1}, .want = want_jacobi},
    {"lambert_plane", 2, "DD", {NINE, NINE}, NINE, 2, {0, 1}, .want = want_plane},
    {"spherical_bessel", 1, "D", {NINE}, NINE, 2, {0, 1}, .want = want_spherical},
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
