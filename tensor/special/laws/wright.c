/* tensor/special/laws/wright.c - Wright's generalised Bessel function (DLMF 10.46.1), the sum of
   x^k / (k! gamma(a k + b)) for a, b, x >= 0, whose terms are positive: outwards from the largest one,
   by quotients of neighbours; with derivatives, k^i times one of order i + j of 1 / gamma. */
#include "tensor/special/laws/values.h"
#include "tensor/special/parameters/jet.h"

#include "tensor/cpu/special/beta_slope.h"

enum { MOST_IN_GAMMA = 8, MOST_PEAK = 1000000 };

/* log gamma(z), z >= 20, to 100 bits: Stirling's series (DLMF 5.11.1) */
static agni_pair wright_lgamma(double z)
{
    const agni_pair half_log_2pi = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
    const double c[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                        1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
    if (z < 20)
        return agni_pair_log(agni_pair_of(tgamma(z)));
    double sum = 0, q = 1 / (z * z);
    for (int k = 7; k >= 0; k--)
        sum = sum * q + c[k];
    agni_pair y = agni_pair_times(agni_pair_log(agni_pair_of(z)), z - 0.5);
    y = agni_pair_add(y, agni_pair_add(half_log_2pi, agni_pair_of(-z)));
    return agni_pair_add(y, agni_pair_of(sum / z));
}
/* k log x - log k! - log gamma(a k + b), of gamma(z + 1) where z = a k + b is below 1 */
static agni_pair wright_exponent(double a, double b, double x, double k)
{
    double p = a * k, z = p + b, lost = fma(a, k, -p) + (b - (z - p));
    if (fabs(p) < fabs(b))
        lost = fma(a, k, -p) + (p - (z - b));
    agni_pair y = k > 0 ? agni_pair_times(agni_pair_log(agni_pair_of(x)), k) : agni_pair_of(0);
    y = agni_pair_add(y, agni_pair_times(wright_lgamma(k + 1), -1));
    y = agni_pair_add(y, agni_pair_times(wright_lgamma(z < 1 ? z + 1 : z), -1));
    return agni_pair_add(y, agni_pair_of(-lost * agni_digamma(z < 1 ? z + 1 : z)));
}
/* log of G(z + a) / G(z), G(z) = gamma(z), or gamma(z + 1) below 1; low, high: whether that is so */
static double wright_rise(double z, double a, bool low, bool high)
{
    double from = low ? z + 1 : z, by = low && !high ? a - 1 : a;
    return by >= 0 ? agni_lgamma_step(from, by) : -agni_lgamma_step(z + a, -by);
}
/* n-th derivative of 1 / gamma at z, times gamma(z), or gamma(z + 1) below 1 */
static double wright_slope(double z, int n)
{
    double c[MOST_IN_GAMMA + 1];
    if (n == 0)
        return z < 1 ? z : 1;
    agni_gamma_jet(z < 1 ? z + 1 : z, -1, 0, n, c);
    double lead = c[0], y = z < 1 ? (z * c[n] + c[n - 1]) / lead : c[n] / lead;
    for (int k = 2; k <= n; k++)
        y *= k;
    return y;
}
/* the sum of (k + n)^i x^k / k! times the derivative of order i + j, over exp(*scale) */
static double wright_sum(double a, double b, double x, const int order[3], double *scale)
{
    double low = 0, high = 1;
    *scale = 0;
    /* the first k from which terms fall: x < (k + 1) z^a, about */
    while (high < MOST_PEAK && log(x) > log(high + 1) + a * log(a * high + b + 0.5 * a))
        high *= 2;
    if (high >= MOST_PEAK)
        return (double)NAN;
    while (high - low > 1) {
        double k = floor(0.5 * (low + high));
        if (log(x) > log(k + 1) + a * log(a * k + b + 0.5 * a))
            low = k;
        else
            high = k;
    }
    double sum = 0, size = 0;
    agni_pair e = wright_exponent(a, b, x, low);
    *scale = e.hi;
    for (int side = 0; side < 2; side++) {
        double term = 1 + e.lo;
        for (double k = low;;) {
            double z = a * k + b, power = 1;
            for (int m = 0; m < order[0]; m++)
                power *= k + order[2];
            if (!side || k < low) {
                double part = term * power * wright_slope(z, order[0] + order[1]);
                sum += part;
                size = fmax(size, fabs(part));
                if (x == 0 || (fabs(part) <= 1e-18 * size && term < 1e-18))
                    break;
            }
            double next = side ? k - 1 : k + 1, to = a * next + b;
            if (next < 0)
                break;
            term *= side ? k / x * exp(wright_rise(to, a, to < 1, z < 1))
                         : x / next * exp(-wright_rise(z, a, z < 1, to < 1));
            k = next;
        }
    }
    return sum;
}

/* derivative of order order[0] in a, [1] in b, [2] in x of the function (kind 0), its logarithm
   (kind 1, no order), the derivative over the function (kind 2) */
double agni_wright(double a, double b, double x, int kind, const int order[3])
{
    double scale, over;
    if (!(a >= 0 && b >= 0 && x >= 0 && a < 1e3 && b < 1e6 && x < (double)INFINITY))
        return (double)NAN;
    double sum = wright_sum(a, b + order[2] * a, x, order, &scale);
    if (kind == 0)
        return scale > -700 && scale < 700 ? sum * exp(scale)
                                           : exp(scale / 2) * sum * exp(scale / 2);
    const int none[3] = {0, 0, 0};
    double base = wright_sum(a, b, x, none, &over);
    return kind == 1 ? over + log(base) : sum / base * exp(scale - over);
}
