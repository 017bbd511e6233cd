/* tensor/special/exponential_integral.c - E_n(x), n whole of any sign, and Ei(x): power series
   (DLMF 6.6, 8.19.8), continued fraction (8.19.17), asymptotic series (6.12). */
#include "tensor/special/values.h"

#include <math.h>

AGNI_TABLE const double euler = 0.57721566490153286061;

/* n < 1: E_-m(x) = m! / x^(m+1) exp(-x) sum x^k / k! */
AGNI_FN double expn_below(double x, int64_t m)
{
    double term = exp(-x) / x, sum = term; /* E_0, then E_-m = (exp(-x) + m E_-(m-1)) / x */
    for (int64_t k = 1; k <= m; k++)
        sum = (exp(-x) + (double)k * sum) / x;
    return sum;
}

AGNI_VALUE double agni_expn(double x, int64_t n)
{
    if (!(x >= 0))
        return (double)NAN;
    if (n < 1)
        return x == 0 ? (double)INFINITY : expn_below(x, -n);
    if (x == 0)
        return n == 1 ? (double)INFINITY : 1 / (double)(n - 1);
    if (x > 750)
        return 0;
    if (x <= 1) { /* sum of (-x)^k / ((n - 1 - k) k!) and the term of k = n - 1 */
        double sum = 0, term = 1, psi = -euler;
        for (int64_t k = 1; k < n && k < 200; k++)
            psi += 1 / (double)k;
        for (int64_t k = 0; k < 200; k++) {
            double share = k == n - 1 ? term * (psi - log(x)) : term / (double)(n - 1 - k);
            sum += share;
            if (k >= n && fabs(share) < 1e-18 * fabs(sum))
                break;
            if (k > 40 && n > 60)
                break;
            term *= -x / (double)(k + 1);
        }
        return sum;
    }
    /* x + n / (1 + 1 / (x + (n + 1) / (1 + 2 / (x + ... from its end: parts are positive */
    double tail = x;
    for (int k = 30 + (int)(120 / x); k >= 1; k--)
        tail = x + ((double)n - 1 + k) / (1 + k / tail);
    return exp(-x) / tail;
}

AGNI_VALUE double agni_ei(double x)
{
    if (isnan(x))
        return x;
    if (x < 0)
        return -agni_expn(-x, 1);
    if (x == 0)
        return -(double)INFINITY;
    if (x > 720)
        return (double)INFINITY;
    if (x > 40) {
        double sum = 1, term = 1;
        for (int k = 1; k < 60 && term > 1e-18 && k < x; k++)
            sum += term *= k / x;
        double root = exp(x / 2); /* e^x may be beyond the range */
        return x > 700 ? root * (root * (sum / x)) : exp(x) * (sum / x);
    }
    /* about the root 0.3725..., sums of differences keep relative accuracy */
    static const double root = 0.37250741078136663, tail = 1.3140183414386028e-17;
    double base = euler + log(x), sum = 0, term = 1;
    if (fabs(x - root) < 0.1) {
        double power = 1, delta = (x - root) - tail, near = 0, fall = 1;
        base = log1p(delta / root);
        /* (x^k - root^k) / (k k!) */
        for (int k = 1; k < 40; k++) {
            near = near * x + power; /* (x^k - root^k) / delta */
            power *= root;
            fall /= k;
            sum += near * fall / k;
        }
        return base + sum * delta;
    }
    for (int k = 1; k < 200; k++) {
        term *= x / k;
        sum += term / k;
        if (k > x && term < 1e-18 * sum)
            break;
    }
    return base + sum;
}
