/* tensor/special/polynomials.c - classical orthogonal polynomials by their recurrences in the
   degree (DLMF 18.9). */
#include "tensor/special/values.h"

#include <math.h>

AGNI_VALUE double agni_polynomial(double x, int kind, int64_t n, double a, double b)
{
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
            next = ((2 * k + 1 + a - x) * now - (k + a) * last) / (k + 1);
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
