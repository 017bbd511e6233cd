/* bench/quick.c - values in long double that tell which arguments bench/accuracy.c need not judge
   by MPFR. What is inexact here costs time there, no more: an error that is larger than the
   worst so far counts only as MPFR finds it. */
#include "bench/references.h"

#include <math.h>

#define L long double
#define X (x[0])
#define QUICK(id, value) \
    L q_##id(const L *x, int64_t order) \
    { \
        (void)order; \
        return value; \
    }
#define PI 3.14159265358979323846264338327950288L
#define LN2 0.693147180559945309417232121458176568L
#define SQRT1_2 0.707106781186547524400844362104849039L
#define SQRT1_2_LOW 0.284e-37L
#define TWO_SQRTPI 1.12837916709551257389615890312154517L

/* ---- elementary ---------------------------------------------------------------------- */

QUICK(reciprocal, 1 / X)
QUICK(sqrt, sqrtl(X))
QUICK(rsqrt, 1 / sqrtl(X))
QUICK(cbrt, cbrtl(X))
QUICK(exp, expl(X))
QUICK(exp2, exp2l(X))
QUICK(expm1, expm1l(X))
QUICK(log, logl(X))
QUICK(log2, log2l(X))
QUICK(log10, log10l(X))
QUICK(log1p, log1pl(X))
QUICK(sin, sinl(X))
QUICK(cos, cosl(X))
QUICK(tan, tanl(X))
QUICK(asin, asinl(X))
QUICK(acos, acosl(X))
QUICK(atan, atanl(X))
QUICK(sinh, sinhl(X))
QUICK(cosh, coshl(X))
QUICK(tanh, tanhl(X))
QUICK(asinh, asinhl(X))
QUICK(acosh, acoshl(X))
QUICK(atanh, atanhl(X))
QUICK(sigmoid, X < 0 ? expl(X) / (1 + expl(X)) : 1 / (1 + expl(-X)))
QUICK(softplus, (X > 0 ? X : 0) + log1pl(expl(-fabsl(X))))
QUICK(logit, X < 0.25L || X > 0.75L ? logl(X / (1 - X)) : 2 * atanhl(2 * X - 1))
QUICK(deg2rad, X * (PI / 180))
QUICK(rad2deg, X * (180 / PI))
QUICK(div, X / x[1])
QUICK(pow, powl(X, x[1]))
QUICK(atan2, atan2l(X, x[1]))
QUICK(hypot, hypotl(X, x[1]))
QUICK(fmod, fmodl(X, x[1]))
L q_remainder(const L *x, int64_t order)
{
    L r = q_fmod(x, order);
    return r != 0 && (r < 0) != (x[1] < 0) ? r + x[1] : r;
}
QUICK(xlogy, X == 0 ? 0 : X * logl(x[1]))
QUICK(xlog1py, X == 0 ? 0 : X * log1pl(x[1]))
QUICK(entr, -X * logl(X))
L q_rel_entr(const L *x, int64_t order)
{
    L q = X / x[1];
    (void)order;
    return X * (q > 0.5L && q < 2 ? log1pl((X - x[1]) / x[1]) : logl(q));
}
static L high_log(const L *x, L low(L)) /* the larger one plus log(1 + e^-distance) */
{
    L high = fmaxl(X, x[1]);
    return high + low(fminl(X, x[1]) - high);
}
static L low_e(L d) { return log1pl(expl(d)); }
static L low_2(L d) { return log1pl(exp2l(d)) / LN2; }
QUICK(logaddexp, high_log(x, low_e))
QUICK(logaddexp2, high_log(x, low_2))

/* ---- sinc and the error function's relatives ----------------------------------------- */

static L sin_pi(L x, L quarter) /* sin(pi (x + quarter)) for quarter 0 or 1/2 */
{
    L r = remainderl(x, 2), q = rintl(2 * r), f = PI * (r - q / 2);
    int turn = ((int)q + (int)(2 * quarter)) & 3;
    L y = turn & 1 ? cosl(f) : sinl(f);
    return turn & 2 ? -y : y;
}
L q_sinc(const L *x, int64_t order)
{
    L s = X == 0 ? 1 : sin_pi(X, 0) / (PI * X), y = PI * X;
    return order == 0         ? s
           : fabsl(X) < 0.01L ? -PI * y / 3 * (1 - y * y / 10 * (1 - y * y / 28 * (1 - y * y / 54)))
                              : (sin_pi(X, 0.5L) - s) / X;
}
QUICK(erf, erfl(X))
QUICK(erfc, erfcl(X))
static L erfcx(L z)
{
    if (z > 50) { /* DLMF 7.12.1 */
        L term = 1, sum = 1;
        for (int k = 1; k < 12; k++)
            sum += term *= -(2 * k - 1) / (2 * z * z);
        return TWO_SQRTPI / 2 / z * sum;
    }
    L h = z * z;
    return expl(h) * (1 + fmal(z, z, -h)) * erfcl(z);
}
L q_erfcx(const L *x, int64_t order)
{
    if (order && X > 20) { /* -sum (2 k - 1)!! / (-2 x^2)^k times 2 / sqrt(pi), k >= 1 */
        L term = 1, sum = 0;
        for (int k = 1; k < 20; k++)
            sum += term *= -(2 * k - 1) / (2 * X * X);
        return TWO_SQRTPI * sum;
    }
    return order ? 2 * X * erfcx(X) - TWO_SQRTPI : erfcx(X);
}
/* erfc(-x / sqrt 2) / 2, the rounding of the quotient made good */
static L normal(L x)
{
    L z = -x * SQRT1_2, lost = fmal(-x, SQRT1_2, -z) - x * SQRT1_2_LOW;
    return 0.5L * (erfcl(z) - TWO_SQRTPI * expl(-z * z) * lost);
}
QUICK(ndtr, normal(X))
QUICK(gelu, X * normal(X))
QUICK(log_ndtr, X > 0     ? log1pl(-normal(-X))
                : X > -30 ? logl(normal(X))
                          : logl(0.5L * erfcx(-X * SQRT1_2)) - 0.5L * X * X)
/* y with erf(y) = p = 1 - q, 0 <= p < 1: Winitzki's approximation, then Newton's iteration, for
   the logarithm of erfc in the tail */
static L inverse(L p, L q)
{
    L l = logl(q * (1 + p)), a = 2 / (PI * 0.147L) + l / 2;
    L y = p < 1e-3L ? p / TWO_SQRTPI : sqrtl(sqrtl(a * a - l / 0.147L) - a);
    for (int k = 0; k < (p < 0.5L ? 4 : 5); k++) {
        L slope = TWO_SQRTPI * expl(-y * y), e = erfcl(y);
        y -= p < 0.5L ? (erfl(y) - p) / slope : (logl(q) - logl(e)) * e / slope;
    }
    return y;
}
QUICK(erfinv, copysignl(inverse(fabsl(X), 1 - fabsl(X)), X))
QUICK(ndtri, X < 0.5L ? -inverse(1 - 2 * X, 2 * X) / SQRT1_2
                      : inverse(2 * X - 1, 2 - 2 * X) / SQRT1_2)

/* ---- gamma --------------------------------------------------------------------------- */

QUICK(lgamma, lgammal(X))
L q_digamma(const L *x, int64_t order)
{
    const L c[] = {1.0L / 12, 1.0L / 120, 1.0L / 252, 1.0L / 240, 1.0L / 132, 691.0L / 32760,
                   1.0L / 12, 3617.0L / 8160, 43867.0L / 14364}; /* B_2k / 2k */
    L y = X, shift = 0, sum = 0;
    (void)order;
    if (X < 0) {
        y = 1 - X;
        shift = -PI * sin_pi(X, 0.5L) / sin_pi(X, 0);
    }
    for (; y < 16; y++)
        shift -= 1 / y;
    for (int k = 8; k >= 0; k--)
        sum = c[k] - sum / (y * y);
    return shift + (logl(y) - 0.5L / y - sum / (y * y));
}
/* as in references-gamma.c */
static L hurwitz(L s, L q)
{
    const L b[] = {1.0L / 12,          -1.0L / 720,      1.0L / 30240,
                   -1.0L / 1209600,    1.0L / 47900160,  -691.0L / 1307674368000,
                   1.0L / 74724249600, -3617.0L / 10670622842880000};
    L sum = 0, f;
    for (L first = q; q < 20 + s; q = first += 1) {
        L term = powl(q, -s);
        sum += term;
        if (q > 0 && term < 0x1p-70L * sum)
            return sum;
    }
    f = powl(q, -s);
    sum += f * q / (s - 1) + f / 2;
    f *= s / q;
    for (int k = 0; k < 8; k++) {
        sum += f * b[k];
        f *= (s + 2 * k + 1) * (s + 2 * k + 2) / (q * q);
    }
    return sum;
}
QUICK(zeta, hurwitz(X, x[1]))
L q_polygamma(const L *x, int64_t order)
{
    L y = hurwitz((L)order + 1, X);
    for (int64_t k = 2; k <= order; k++)
        y *= (L)k;
    return order % 2 ? y : -y;
}

/* log(1 + u) - u */
static L log_less(L u)
{
    if (!(u > -0.5L && u < 1))
        return logl(1 + u) - u;
    L s = u / (2 + u), q = s * s, term = q, sum = 0;
    for (int k = 3; term > 0x1p-70L * q; k += 2, term *= q)
        sum += term / k;
    return s * (2 * sum - u);
}
/* gamma(a) / (sqrt(2 pi / a) (a / e)^a), a >= 20 */
static L star(L a)
{
    L q = 1 / (a * a);
    return expl((1.0L / 12 - q * (1.0L / 360 - q * (1.0L / 1260 - q * (1.0L / 1680 -
                q * (1.0L / 1188 - q * (691.0L / 360360 - q / 156)))))) / a);
}
static L gamma_front(L a, L x) /* x^a exp(-x) / gamma(a) */
{
    return a < 500 ? powl(x, a) * expl(-x) / tgammal(a)
                   : expl(a * log_less((x - a) / a)) * sqrtl(a / (2 * PI)) / star(a);
}
static L gamma_ratio(L a, L x, bool upper)
{
    bool far = x > 4 && x > a + 1;
    L y;
    if (far) { /* Steed's method */
        L b = x + 1 - a, d = 1 / b, step = d, sum = d;
        for (int k = 1; k < 100000 && fabsl(step) > 0x1p-70L * fabsl(sum); k++) {
            b += 2;
            d = 1 / (b + (L)k * (a - k) * d);
            step *= b * d - 1;
            sum += step;
        }
        y = gamma_front(a, x) * sum;
    } else {
        L term = 1 / a, sum = term;
        for (L k = a + 1; term > 0x1p-70L * sum; k++)
            sum += term *= x / k;
        y = gamma_front(a, x) * sum;
    }
    return far == upper ? y : 1 - y;
}
QUICK(gammainc, gamma_ratio(X, x[1], false))
QUICK(gammaincc, gamma_ratio(X, x[1], true))
QUICK(gamma_d, gamma_front(X, x[1]) / x[1])

static L beta_front(L a, L b, L x, L y) /* x^a y^b / beta(a, b) */
{
    L n = a + b;
    if (n < 500)
        return powl(x, a) * (tgammal(n) / tgammal(a)) * powl(y, b) / tgammal(b);
    if (a < 20 || b < 20)
        return expl(a * logl(x) + b * logl(y) + lgammal(n) - lgammal(a) - lgammal(b));
    L d = x * b - y * a;
    return expl(a * log_less(d / a) + b * log_less(-d / b)) * sqrtl(a / (2 * PI) * (b / n)) *
           star(n) / (star(a) * star(b));
}
static L beta_below(L a, L b, L x, L y) /* the continued fraction (DLMF 8.17.22) */
{
    L d = 1, step = 1, sum = 1;
    for (int k = 1; k < 100000 && fabsl(step) > 0x1p-70L * fabsl(sum); k++) {
        L m = k / 2, n = k % 2 ? -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1)) * x
                               : m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)) * x;
        d = 1 / (1 + n * d);
        step *= d - 1;
        sum += step;
    }
    return beta_front(a, b, x, y) / a * sum;
}
QUICK(betainc, x[2] < (X + 1) / (X + x[1] + 2) ? beta_below(X, x[1], x[2], 1 - x[2])
                                               : 1 - beta_below(x[1], X, 1 - x[2], x[2]))
QUICK(beta_d, beta_front(X, x[1], x[2], 1 - x[2]) / x[2] / (1 - x[2]))

/* ---- Bessel -------------------------------------------------------------------------- */

static L bessel(L at, int64_t n, bool scaled)
{
    L x = fabsl(at), term = 1, sum = 1, front = 1;
    if (x < 50) {
        for (int64_t k = 1; k <= n; k++)
            front *= x / 2 / (L)k;
        for (L k = 1; term > 0x1p-70L * sum; k++)
            sum += term *= x * x / 4 / (k * (k + (L)n));
        if (scaled)
            front *= expl(-x);
    } else {
        for (int k = 1; k < 60 && fabsl(term) > 0x1p-70L; k++)
            sum += term *= ((2 * k - 1) * (2 * k - 1) - 4 * (L)(n * n)) / (8 * k * x);
        front = (scaled ? 1 : expl(x)) / sqrtl(2 * PI * x);
    }
    return n % 2 && at < 0 ? -front * sum : front * sum;
}
QUICK(bessel_i, bessel(X, order, false))
QUICK(bessel_ie, bessel(X, order, true))
