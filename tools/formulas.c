/* tools/formulas.c - formulas.def, read once for functions and once for the table. */
#include "config.h"
#include "verify.h"

#include <math.h>
#include <string.h>
#ifdef HAVE_GSL
#include <gsl/gsl_sf_psi.h>

static long double polygamma(int n, long double x)
{
    return (long double)gsl_sf_psi_n(n, (double)x);
}
#else
/* recurrence to x >= 30, then the asymptotic series (Abramowitz & Stegun 6.3.18,
   6.4.11); n is 0 or 2 */
static long double polygamma(int n, long double x)
{
    long double sum = 0;
    for (; x < 30; x++)
        sum -= n == 0 ? 1 / x : 2 / (x * x * x);
    long double q = 1 / (x * x);
    if (n == 0)
        return sum + logl(x) - 0.5L / x -
               q * (1 / 12.0L - q * (1 / 120.0L - q * (1 / 252.0L - q / 240)));
    return sum -
           q * (1 + 1 / x + q * (0.5L - q * (1 / 6.0L - q * (1 / 6.0L - q * 0.3L))));
}
#endif

/* ---- special functions by series that converge on the test domains ---------------- */

static const long double pi = 3.14159265358979323846264338327950288L;

/* derivative of erfc is known: Newton from 0, in the middle of the range */
static long double inverse_erf(long double x)
{
    long double y = 0;
    for (int k = 0; k < 40; k++)
        y -= (erfl(y) - x) * sqrtl(pi) / 2 * expl(y * y);
    return y;
}
static long double bessel_i(int n, long double x)
{
    long double t = 1, sum = 0;
    for (int k = 1; k <= n; k++)
        t *= x / 2 / k;
    for (int k = 1; k < 60; k++) {
        sum += t;
        t *= x * x / 4 / (k * (k + n));
    }
    return sum;
}
/* sum of (q + k)^-s to 60, then Euler-Maclaurin with four Bernoulli numbers */
static long double hurwitz(long double s, long double q)
{
    long double sum = 0;
    for (; q < 60; q++)
        sum += powl(q, -s);
    long double p = powl(q, -s), f = s * p / q;
    sum += p * q / (s - 1) + p / 2 + f / 12;
    f *= (s + 1) * (s + 2) / (q * q);
    sum -= f / 720;
    f *= (s + 3) * (s + 4) / (q * q);
    sum += f / 30240;
    return sum - f * (s + 5) * (s + 6) / (q * q) / 1209600;
}
/* x^a exp(-x) / gamma(a + 1) times sum of x^k / (a + 1)_k */
static long double lower_gamma(long double a, long double x)
{
    long double t = 1, sum = 0;
    for (int k = 1; k < 120; k++) {
        sum += t;
        t *= x / (a + k);
    }
    return sum * powl(x, a) * expl(-x) / tgammal(a + 1);
}
static long double beta(long double a, long double b)
{
    return tgammal(a) / tgammal(a + b) * tgammal(b);
}
static long double lower_beta(long double a, long double b, long double x)
{
    long double t = 1, sum = 0;
    for (int k = 0; k < 900; k++) {
        sum += t;
        t *= x * (a + b + k) / (a + 1 + k);
    }
    return sum * powl(x, a) * powl(1 - x, b) / a / beta(a, b);
}
static int64_t common_divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a, b = b < 0 ? -b : b;
    for (int64_t d = a > b ? a : b; d > 1; d--)
        if (a % d == 0 && b % d == 0)
            return d;
    return a || b ? 1 : 0;
}
static int bits_of(int64_t a)
{
    int n = 0;
    for (a = a < 0 ? -a : a; a; a /= 2)
        n += a % 2 != 0;
    return n;
}

#define RX(op, e, ...)                                                     \
    static long double r_##op(long double a, long double b, long double w) \
    {                                                                      \
        (void)a, (void)b, (void)w;                                         \
        return e;                                                          \
    }
#define Z(op, e)                               \
    static wide z_##op(wide a, wide b, wide w) \
    {                                          \
        (void)a, (void)b, (void)w;             \
        return e;                              \
    }
#define R(op, e) RX(op, e, )
#define RZ(op, r, z) RX(op, r, ) Z(op, z)
#define RZX(op, r, z, ...) RX(op, r, ) Z(op, z)
#include "formulas.def"
#undef R
#undef RX
#undef RZ
#undef RZX
#undef Z

#define R(name, e) {.op = #name, .real = r_##name},
#define RX(name, e, ...) {.op = #name, .real = r_##name, __VA_ARGS__},
#define Z(name, e) {.op = #name, .cplx = z_##name},
#define RZ(name, r, z) {.op = #name, .real = r_##name, .cplx = z_##name},
#define RZX(name, r, z, ...) \
    {.op = #name, .real = r_##name, .cplx = z_##name, __VA_ARGS__},
static const formula formulas[] = {
#include "formulas.def"
};

const formula *formula_of(const char *op)
{
    for (int i = 0; i < (int)(sizeof formulas / sizeof *formulas); i++)
        if (!strcmp(formulas[i].op, op))
            return &formulas[i];
    return NULL;
}
