/* tensor/special/laws/tukey_lambda.c - Tukey's lambda law, whose quantile is (p^l - (1 - p)^l) /
   l: its distribution function by Newton's steps between bounds in log(p / (1 - p)). */
#include "tensor/special/laws/values.h"

#include <math.h>

/* (e^u - 1) / u */
static double exp_share(double u)
{
    return u == 0 ? 1 : expm1(u) / u;
}
/* p at x up to 0 */
double agni_tukey_lambda(double x, double shape)
{
    if (isnan(x) || !(fabs(shape) <= 500))
        return (double)NAN;
    if (x > 0)
        return 1 - agni_tukey_lambda(-x, shape);
    double edge = fma(shape, x, 1); /* below which there is nothing */
    if (isinf(x) || (shape > 0 && edge <= 0))
        return 0;
    double low = -746, high = 0, a = fmax(-700, fmin(x, -1e-300));
    if (x == 0)
        return 0.5;
    for (int k = 0; k < 300; k++) {
        double log_q = -log1p(exp(a)), log_p = a + log_q, p = exp(log_p), q = exp(log_q),
               r = shape * log_p;
        double rise = exp(r) * q + exp(shape * log_q) * p, miss;
        if (fabs(shape * a) < 1) /* q^l a (e^(l a) - 1) / (l a) */
            miss = exp(shape * log_q) * a * exp_share(shape * a) - x;
        else if (edge > 0.5)
            miss = (exp(r) - exp(shape * log_q)) / shape - x;
        else
            miss = (exp(r) - expm1(shape * log_q) - edge) / shape;
        if (miss > 0)
            high = a;
        else
            low = a;
        double next = a - miss / rise;
        if (fabs(next - a) <= 4e-16 * fabs(a) || miss == 0 || high - low <= 2e-16 * fabs(a)) {
            a = miss == 0 || !(next > low && next < high) ? a : next;
            break;
        }
        a = next > low && next < high && k % 16 != 15 ? next : 0.5 * (low + high);
    }
    return a <= -745.5 ? 0 : exp(a - log1p(exp(a)));
}
