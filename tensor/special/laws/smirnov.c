/* tensor/special/laws/smirnov.c - the law of the largest one-sided distance of n values from
   their distribution (Birnbaum and Tingey, Ann. Math. Stat. 22, 592): a sum of binomial
   probabilities, each by its saddle-point form (Loader, 2000); its quantile by Newton's steps
   between bounds. */
#include "tensor/special/laws/values.h"

#include "tensor/cpu/special/constants.h"

#include <math.h>

enum { MOST_SLOPE = 8 };

/* log n! less Stirling's formula (DLMF 5.11.1) */
static double stirling_rest(int64_t n)
{
    static const double small[] = {0,
                                   0.081061466795327258,
                                   0.041340695955409294,
                                   0.027677925684998339,
                                   0.020790672103765093,
                                   0.016644691189821193,
                                   0.013876128823070748,
                                   0.011896709945891770,
                                   0.010411265261972096,
                                   0.0092554621827127329,
                                   0.0083305634333631551,
                                   0.0075736754879518408,
                                   0.0069428401072095300,
                                   0.0064089941880042071,
                                   0.0059513701127588475,
                                   0.0055547335519628014};
    if (n < 16)
        return small[n];
    double r = 1 / (double)n, q = r * r;
    return r * (1 / 12.0 - q * (1 / 360.0 - q * (1 / 1260.0 - q * (1 / 1680.0 - q / 1188))));
}
/* w - log(1 + w) */
static double log_rest(double w)
{
    if (!(fabs(w) < 0.3))
        return w - log1p(w);
    double r = w / (2 + w), q = r * r, sum = 0;
    for (int k = 14; k >= 1; k--)
        sum = q * (sum + 2.0 / (2 * k + 1));
    return r * (w - sum);
}
/* n (n - 1) ... (n - k + 1) / x^k */
static double falling_over(double n, double x, int k)
{
    double y = 1;
    for (int i = 0; i < k; i++)
        y *= (n - i) / x;
    return y;
}
/* k-th derivative of d (d + j / n)^(j - 1) over it */
static double part_slope(int64_t j, double d, double p, int k)
{
    if (j == 0)
        return k == 0;
    double y = falling_over((double)j - 1, p, k);
    return k ? y + k / d * falling_over((double)j - 1, p, k - 1) : y;
}
/* the chance of more than d, or its derivative */
double agni_smirnov(double d, int64_t n, int order)
{
    if (!(d >= 0 && d <= 1) || n < 1 || n > 1000000 || order < 0 || order > MOST_SLOPE)
        return (double)NAN;
    double y = (double)n * d, sum = 0, size = 0;
    if (d == 0 || d == 1)
        return order ? (double)NAN : 1 - d;
    for (int64_t j = 0; (double)(n - j) > y; j++) {
        double rest = (double)(n - j), p = ((double)j + y) / (double)n, q = (rest - y) / (double)n,
               term;
        if (j == 0) { /* (1 - d)^n, with what 1 - d rounds away */
            double less = 1 - d;
            term = pow(less, (double)n) * (1 + (double)n * ((1 - less - d) / less));
        } else {
            double hollow = (double)j * log_rest(y / (double)j) + rest * log_rest(-y / rest);
            hollow += stirling_rest(j) + stirling_rest(n - j) - stirling_rest(n);
            term = exp(-hollow) * sqrt((double)n / (2 * AGNI_PI * (double)j * rest)) *
                   (y / ((double)j + y));
        }
        for (int i = 0; i <= order; i++) { /* Leibniz: of d p^(j - 1), then of q^(n - j) */
            double share = agni_choose(order, i) * part_slope(j, d, p, i) *
                           falling_over(rest, -q, order - i) * term;
            sum += share;
            size += fabs(share);
        }
    }
    return size < 2000 * fabs(sum) || size == 0 ? sum : (double)NAN;
}
/* up to d = 1 / n the chance is 1 - d (1 + d)^(n - 1), by Abel's identity: where it is 1 - q, in log d */
static double near_certain(double q, int64_t n)
{
    double power = (double)n - 1, want = log(q), u = want;
    for (int k = 0; k < 40; k++) {
        double d = exp(u), step = (u + power * log1p(d) - want) / (1 + power * d / (1 + d));
        u -= step;
        if (fabs(step) < 1e-9)
            break;
    }
    double d = exp(u), miss = d * exp(power * log1p(d)) / q - 1; /* the last step on d has its digits */
    return d - d * miss / (1 + power * d / (1 + d));
}
double agni_smirnov_inverse(double p, int64_t n)
{
    double low = 0, high = 1;
    if (!(p >= 0 && p <= 1) || n < 1 || n > 1000000)
        return (double)NAN;
    if (p == 0 || p == 1)
        return 1 - p;
    double most = exp(((double)n - 1) * log1p(1 / (double)n)) / (double)n;
    if (1 - p <= most)
        return near_certain(1 - p, n);
    double d = fmin(0.5, sqrt(-log(p) / (2 * (double)n))), want = log(p);
    for (int k = 0; k < 200 && high - low > 1e-16 * high; k++) {
        double y = agni_smirnov(d, n, 0), miss = log(y) - want;
        if (!(miss <= 0))
            low = d;
        if (!(miss >= 0))
            high = d;
        double next = d - miss * y / agni_smirnov(d, n, 1);
        if (miss == 0 || fabs(next - d) < 1e-16 * d)
            break;
        d = next > low && next < high && k % 16 != 15 ? next : 0.5 * (low + high);
    }
    return d;
}
