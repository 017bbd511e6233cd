/* tensor/special/laws/tukey_lambda.c - Tukey's lambda law, whose quantile is (p^l - (1 - p)^l) /
   l: its distribution function by Newton's steps between bounds in log(p / (1 - p)). */
#include "tensor/special/laws/values.h"

#include <math.h>

/* (e^u - 1) / u - 1, |u| < 1 */
static double exp_rest(double u)
{
    double sum = 0;
    for (int k = 19; k >= 2; k--)
        sum = (sum + 1) * u / k;
    return sum;
}
/* p at x up to 0 */
double agni_tukey_lambda(double x, double shape)
{
    if (isnan(x) || !(fabs(shape) <= 500))
        return (double)NAN;
    if (x > 0)
        return 1 - agni_tukey_lambda(-x, shape);
    /* 1 + shape x, below which there is nothing, and what it rounds away */
    double product = shape * x, sum = 1 + product, back = sum - 1,
           rest_of_sum = 1 - (sum - back) + (product - back) + fma(shape, x, -product);
    double edge = isinf(product) ? product : sum + rest_of_sum, low_edge = sum - edge + rest_of_sum;
    if (isinf(x) || (shape > 0 && edge <= 0))
        return 0;
    double last = 0, low = -746, high = 0, a = fmax(-700, fmin(x, -1e-300));
    if (x == 0)
        return 0.5;
    for (int k = 0; k < 300; k++) {
        double log_q = -log1p(exp(a)), log_p = a + log_q, p = exp(log_p), q = exp(log_q),
               r = shape * log_p;
        double rise = exp(r) * q + exp(shape * log_q) * p, miss;
        if (fabs(shape * a) < 1) { /* q^l a (e^(l a) - 1) / (l a), a apart, which may be next to x */
            double rest = exp_rest(shape * a), less = rest + (1 + rest) * expm1(shape * log_q);
            miss = less > -0.5 ? a - x + a * less : exp(shape * log_q) * a * (1 + rest) - x;
        } else if (isinf(edge) || shape * log_q < -0.7) {
            miss = (exp(r) - exp(shape * log_q)) / shape - x;
        } else { /* with what the products round away */
            double low_r = exp(r) * fma(shape, log_p, -r);
            miss = (exp(r) - edge + (low_r - low_edge - expm1(shape * log_q))) / shape;
        }
        if (miss > 0)
            high = a;
        else
            low = a;
        double next = a - miss / rise;
        if (fabs(next - a) <= 4e-16 * fabs(a) || miss == 0 || high - low <= 2e-16 * fabs(a)) {
            last = next > low && next < high ? -miss / rise : 0; /* of which a has not all digits */
            break;
        }
        a = next > low && next < high && k % 16 != 15 ? next : 0.5 * (low + high);
    }
    return a <= -745.5 ? 0 : exp(a - log1p(exp(a))) * (1 + last / (1 + exp(a)));
}
