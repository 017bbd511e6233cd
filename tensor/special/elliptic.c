/* tensor/special/elliptic.c - Legendre's and Carlson's elliptic integrals with all their
   derivatives in moduli: one family of integrals with whole exponents each, closed under
   differentiation. The integrands are positive, and the trapezoidal rule in the logarithm of the
   variable converges exponentially (Trefethen and Weideman, SIAM Review 56, 2014): no singularity
   is nearer to the line than pi / 2, whatever the modulus. */
#include "tensor/special/values.h"

#include "tensor/cpu/special/constants.h"
#include <math.h>

AGNI_FN double int_power(double x, int k)
{
    double y = 1, b = k < 0 ? 1 / x : x;
    for (int n = k < 0 ? -k : k; n; n >>= 1, b *= b)
        if (n & 1)
            y *= b;
    return y;
}

typedef struct legendre {
    double m1, n1; /* 1 - m, 1 - n */
    int i, j, l;
} legendre;

/* of t = tan theta, times d theta / d log t */
AGNI_FN double legendre_at(const legendre *q, double t)
{
    double c2 = 1 / (1 + t * t), s2 = t > 1 ? 1 / (1 + 1 / (t * t)) : t * t * c2;
    double d = c2 + q->m1 * s2, e = q->l ? c2 + q->n1 * s2 : 1;
    double sc = t > 1 ? 1 / (t + 1 / t) : t * c2;
    return sc * int_power(s2, q->i) / (sqrt(d) * int_power(d, q->j)) * int_power(e, -q->l);
}

enum { STEPS_PER_UNIT = 4 };

AGNI_FN double legendre_complete(const legendre *q)
{
    double up = 0, down = 0;
    if (q->m1 == 0 && q->j >= 0)
        return (double)INFINITY;
    if (q->n1 == 0 && q->l > 0)
        return (double)INFINITY;
    for (int k = 0; k < 2; k++) {
        double c = k ? (q->l ? q->n1 : 1) : q->m1;
        if (c > 0)
            up = fmax(up, -0.5 * log(c)), down = fmax(down, 0.5 * log(c));
    }
    if (q->i == 0 && q->j == 0 && q->l == 0) { /* K: arithmetic-geometric mean */
        double a = 1, g = sqrt(q->m1);
        for (int k = 0; k < 40 && fabs(a - g) > 1e-16 * a; k++) {
            double mean = 0.5 * (a + g);
            g = sqrt(a * g);
            a = mean;
        }
        return AGNI_PI / (2 * a);
    }
    int from = -(int)((40 + down) * STEPS_PER_UNIT), to = (int)((40 + up) * STEPS_PER_UNIT);
    double sum = 0;
    for (int k = from; k <= to; k++)
        sum += legendre_at(q, exp((double)k / STEPS_PER_UNIT));
    return sum / STEPS_PER_UNIT;
}

/* to tan phi = top: t = top / (1 + e^u) */
AGNI_FN double legendre_to(const legendre *q, double top)
{
    double lift = top > 1 ? log(top) : 0;
    double c = fmax(q->m1, q->l ? q->n1 : 1), down = c > 1 ? 0.5 * log(c) : 0;
    int from = -40 * STEPS_PER_UNIT, to = (int)((40 + lift + down) * STEPS_PER_UNIT);
    double sum = 0;
    if (top == 0)
        return 0;
    for (int k = from; k <= to; k++) {
        double e = exp((double)k / STEPS_PER_UNIT), share = e / (1 + e);
        sum += share * legendre_at(q, top / (1 + e));
    }
    return sum / STEPS_PER_UNIT;
}

AGNI_FN bool legendre_there(double n, double m, int l)
{
    return m <= 1 && isfinite(m) && (l == 0 || (n <= 1 && isfinite(n)));
}

AGNI_VALUE double agni_elliptic_complete(double n, double m, int i, int j, int l)
{
    legendre q = {1 - m, 1 - n, i, j, l};
    return legendre_there(n, m, l) ? legendre_complete(&q) : (double)NAN;
}

AGNI_VALUE double agni_elliptic(double n, double phi, double m, int i, int j, int l)
{
    legendre q = {1 - m, 1 - n, i, j, l};
    if (!legendre_there(n, m, l) || !(fabs(phi) < 1e8))
        return (double)NAN;
    /* phi - turns pi in two parts, and how far that is from a quarter turn */
    double turns = nearbyint(phi / AGNI_PI), p = turns * AGNI_PI, high = phi - p,
           low = -fma(turns, AGNI_PI, -p) - turns * 1.2246467991473532e-16,
           side = high < 0 ? -1 : 1;
    double top = fabs(tan(high + low));
    if (fabs(high) > 0.5) {
        double gap = (AGNI_PI / 2 - fabs(high)) + (6.123233995736766e-17 - side * low);
        if (gap < 0)
            turns += side, side = -side, gap = -gap;
        top = 1 / tan(gap);
    }
    double whole = 0;
    if (turns != 0)
        whole = 2 * turns * legendre_complete(&q);
    return whole + side * legendre_to(&q, top);
}

/* ---- Carlson -------------------------------------------------------------------------------- */

/* a sum of many numbers m 2^e: sum 2^top, and what rounding took (Kahan, CACM 8, 40) */
typedef struct scaled_sum {
    double sum, lost;
    int top;
} scaled_sum;
AGNI_FN void add_scaled(scaled_sum *s, double m, int e)
{
    if (e > s->top) {
        s->sum = ldexp(s->sum, s->top - e), s->lost = ldexp(s->lost, s->top - e);
        s->top = e;
    }
    double more = ldexp(m, e - s->top) - s->lost, sum = s->sum + more;
    s->lost = (sum - s->sum) - more;
    s->sum = sum;
}
/* t, of k3 below 0 its square, times (t + y)^(-1/2 - k0) and so on: products of numbers whose sizes differ by more than the
   range of double may leave it on the way, so exponents are kept apart */
AGNI_FN double carlson_apart(double t, const double y[4], const int k[4], int *e)
{
    double f = frexp(t, e);
    if (k[3] < 0)
        f *= f, *e *= 2;
    for (int d = 0; d < 4; d++) {
        int shift;
        double b = frexp(t + y[d], &shift), root = sqrt(b);
        if (d < 3 && shift % 2) /* an even exponent under the root */
            b *= shift > 0 ? 2 : 0.5, shift -= shift > 0 ? 1 : -1, root = sqrt(b);
        if (d < 3)
            f /= root, *e -= shift / 2;
        for (int j = 0; j < k[d]; j++)
            f /= b, *e -= shift;
        f = frexp(f, &shift);
        *e += shift;
    }
    return f;
}
AGNI_FN double carlson_at(double t, const double y[4], const int k[4])
{
    double f = k[3] < 0 ? t * t : t;
    for (int d = 0; d < 3; d++) {
        f /= sqrt(t + y[d]);
        for (int j = 0; j < k[d]; j++)
            f /= t + y[d];
    }
    for (int j = 0; j < k[3]; j++)
        f /= t + y[3];
    return f;
}

AGNI_FN double carlson_integral(const double x[4], const int k[4])
{
    double low = INFINITY, high = 0, all = k[3], first = k[3] < 0; /* first: of t next to 0 */
    for (int d = 0; d < 4; d++) {
        bool used = d < 3 || k[3] > 0;
        if (!used)
            continue;
        if (!(x[d] >= 0) || isinf(x[d]))
            return (double)NAN;
        double power = d < 3 ? 0.5 + k[d] : k[3];
        if (d < 3)
            all += power;
        if (x[d] == 0)
            first -= power;
        else
            low = fmin(low, x[d]), high = fmax(high, x[d]);
    }
    if (first <= -1)
        return (double)INFINITY;
    /* t = e^s: the slope below is 1 + first, above it is 1 - all; of arguments about 1, which the
       integral sees as their power 1 - all, and at halves, so that s is exact */
    int middle = 2 * (int)nearbyint(0.25 * (ilogb(low) + ilogb(high)));
    double y[4];
    for (int d = 0; d < 4; d++)
        y[d] = ldexp(x[d], -middle);
    double from = log(ldexp(low, -middle)) - 40 / (1 + first),
           to = log(ldexp(high, -middle)) + 40 / (all - 1);
    bool wide = ilogb(high) - ilogb(low) > 200 || all > 4;
    scaled_sum sum = {0, 0, wide ? -100000 : 0};
    for (int a = (int)floor(2 * from); a <= (int)ceil(2 * to); a++) {
        int e = 0;
        if (wide) {
            double f = carlson_apart(exp(0.5 * a), y, k, &e);
            add_scaled(&sum, f, e);
        } else {
            add_scaled(&sum, carlson_at(exp(0.5 * a), y, k), 0);
        }
    }
    return ldexp(0.5 * sum.sum, sum.top + (int)(middle * (1 - all)));
}
/* of k3 = -1 the part of p apart; without other powers, where the integral diverges, its finite
   part -4 R_G, which is minus the sum of x times integrals of one power more (DLMF 19.18.14) */
AGNI_VALUE double agni_carlson(const double x[4], const int k[4])
{
    if (k[3] >= 0)
        return carlson_integral(x, k);
    const int none[4] = {k[0], k[1], k[2], 0};
    double sum = x[3] == 0 ? 0 : x[3] * carlson_integral(x, none);
    if (k[0] + k[1] + k[2] > 0)
        return sum + carlson_integral(x, k);
    for (int d = 0; d < 3; d++) {
        const int up[4] = {d == 0, d == 1, d == 2, -1};
        if (x[d] != 0)
            sum -= x[d] * carlson_integral(x, up);
    }
    return sum;
}
