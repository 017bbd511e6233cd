/* tensor/special/waves/legendre_q.c - derivatives of Legendre functions of the second kind:
   degrees by recurrence, up between -1 and 1, down from a continued fraction beyond (DLMF
   14.10.3); orders by Legendre's equation, whose solution of the second kind grows with them. */
#include "tensor/special/waves/values.h"

#include <math.h>

enum { MOST_DEGREE = 200, MOST_SLOPE = 64 };

/* Q_n and, for n above 0, Q_(n-1) - x Q_n, which is (1 - x^2) Q_n' / n and would cancel: by d_1 =
   (1 - x^2) Q_0 + x, Q_(k+1) = x Q_k - k / (k + 1) d_k, d_(k+1) = (1 - x^2) Q_k + k / (k + 1) x
   d_k */
static void go_up(double x, int n, double first, double y[2])
{
    double wide = (1 - x) * (1 + x), here = x * first - 1, d = wide * first + x;
    for (int k = 1; k < n; k++) {
        double share = k / (k + 1.0) * d;
        d = wide * here + x * share;
        here = x * here - share;
    }
    y[0] = n ? here : first, y[1] = d;
}
/* x > 1: ratios Q_k / Q_(k-1) from far above, where they are those of the solution that dies out */
static void go_down(double x, int n, double first, double size, double y[2])
{
    double share[MOST_DEGREE + 2] = {0}, ratio = 0;
    for (int k = n + 40 + (int)(20 / size); k >= 1; k--) {
        ratio = k / ((2 * k + 1) * x - (k + 1) * ratio);
        if (k <= n + 1)
            share[k] = ratio;
    }
    y[0] = first;
    for (int k = 1; k <= n; k++)
        y[0] *= share[k];
    y[1] = n ? y[0] * (n + 1) / n * (x - share[n + 1]) : 0;
}
static void find_pair(double x, int n, double y[2])
{
    double wide = fabs(x), first = wide < 1 ? atanh(wide) : 0.5 * log1p(2 / (wide - 1));
    double size = wide > 1 ? log1p(wide - 1 + sqrt((wide - 1) * (wide + 1))) : 0;
    if (n * size < 1)
        go_up(wide, n, first, y);
    else
        go_down(wide, n, first, size, y);
    if (x < 0) /* Q_n(-x) = -(-1)^n Q_n(x) */
        y[n % 2 ? 1 : 0] *= -1;
}

double agni_legendre_q(double x, int n, int k)
{
    double y[2], wide = (1 - x) * (1 + x);
    if (isnan(x) || n < 0 || n > MOST_DEGREE || k > MOST_SLOPE)
        return (double)NAN;
    if (wide == 0) {
        double side = x < 0 && (n + 1 + k) % 2 ? -1 : 1;
        return k ? (double)NAN : side * (double)INFINITY;
    }
    if (isinf(x))
        return 0;
    find_pair(x, n, y);
    if (k == 0)
        return y[0];
    /* (1 - x^2) Q' = n (Q_(n-1) - x Q); then Legendre's equation, differentiated */
    double last = y[0], here = n ? n * y[1] / wide : 1 / wide;
    for (int i = 0; i + 2 <= k; i++) {
        double next = (2 * (i + 1) * x * here - (n * (n + 1.0) - i * (i + 1.0)) * last) / wide;
        last = here, here = next;
    }
    return here;
}
