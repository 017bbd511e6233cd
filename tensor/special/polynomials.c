/* tensor/special/polynomials.c - classical orthogonal polynomials by their recurrences in the
   degree (DLMF 18.9): for differences of what follows each other, over the value at the end next to
   x, for there the recurrence itself loses n^2 eps (Reinsch; Stoer and Bulirsch, Introduction to
   Numerical Analysis, 1.3). */
#include "tensor/special/values.h"

#include <math.h>

/* over the value at 1 (Laguerre: 0): q_(k+1) - q_k = fall q_k + keep (q_k - q_(k-1)); x >= 0 */
AGNI_FN double polynomial_by_differences(double x, int kind, int64_t n, double a, double b)
{
    double q = 1, d = 0, end = 1;
    for (int64_t j = 0; j < n; j++) {
        double k = (double)j, fall, keep, grow = 1;
        switch (kind) {
        case AGNI_JACOBI: {
            double s = 2 * k + a + b;
            fall = j == 0 ? (a + b + 2) / (2 * (a + 1))
                          : (s + 1) * (s + 2) / (2 * (k + a + b + 1) * (k + a + 1));
            keep = j == 0 ? 0 : k * (k + b) * (s + 2) / ((k + a + b + 1) * s * (k + a + 1));
            fall *= x - 1, grow = (k + 1 + a) / (k + 1);
            break;
        }
        case AGNI_GEGENBAUER:
            fall = (j == 0 ? 1 : 2 * (k + a) / (k + 2 * a)) * (x - 1);
            keep = j == 0 ? 0 : k / (k + 2 * a);
            grow = (2 * a + k) / (k + 1);
            break;
        case AGNI_LAGUERRE:
            fall = -x / (k + 1 + a), keep = k / (k + 1 + a), grow = (k + 1 + a) / (k + 1);
            break;
        default: /* Chebyshev, of the first kind */
            fall = (j == 0 ? 1 : 2) * (x - 1), keep = j != 0;
        }
        d = fall * q + keep * d;
        q += d;
        end *= grow;
    }
    return q * end;
}

AGNI_VALUE double agni_polynomial(double x, int kind, int64_t n, double a, double b)
{
    bool even_odd = kind == AGNI_JACOBI || kind == AGNI_GEGENBAUER || kind == AGNI_CHEBYSHEV;
    if (even_odd || (kind == AGNI_LAGUERRE && x >= 0 && x < 4)) {
        bool left = even_odd && x < 0, swap = left && kind == AGNI_JACOBI;
        double y = polynomial_by_differences(left ? -x : x, kind, n, swap ? b : a, swap ? a : b);
        if (isfinite(y))
            return left && n & 1 ? -y : y;
    }
    double last = 0, now = 1;
    for (int64_t j = 0; j < n; j++) {
        double k = (double)j, next = 0;
        switch (kind) {
        case AGNI_JACOBI: {
            double s = 2 * k + a + b;
            if (j == 0) {
                next = (a + 1) + (a + b + 2) * (x - 1) / 2;
                break;
            }
            double up = 2 * (k + 1) * (k + a + b + 1) * s;
            next = ((s + 1) * ((s + 2) * s * x + (a - b) * (a + b)) * now -
                    2 * (k + a) * (k + b) * (s + 2) * last) /
                   up;
            break;
        }
        case AGNI_GEGENBAUER:
            next = (2 * (k + a) * x * now - (k + 2 * a - 1) * last) / (k + 1);
            break;
        case AGNI_LAGUERRE:
            next = (2 * k + 1 + a - x) / (k + 1) * now - (k + a) / (k + 1) * last;
            break;
        case AGNI_HERMITE:
            next = 2 * x * now - 2 * k * last;
            break;
        case AGNI_HERMITE_E:
            next = x * now - k * last;
            break;
        default: /* Chebyshev, of the first kind */
            next = j == 0 ? x : 2 * x * now - last;
        }
        last = now, now = next;
    }
    return now;
}
