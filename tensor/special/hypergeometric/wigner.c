/* tensor/special/hypergeometric/wigner.c - Wigner's 3j symbols by their recurrence in j1 from
   both ends, joined where the values are largest, and the sum rule of their squares (Schulten and
   Gordon, J. Math. Phys. 16, 1975). */
#include "tensor/special/hypergeometric/values.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_J = 2100 };

/* of j, with j2, j3, m1 given: coefficients of f(j + 1), f(j), f(j - 1) in units of one half */
static double side_of(double j, double j2, double j3, double m1)
{
    double d = j2 - j3, s = j2 + j3 + 1;
    return sqrt((j * j - d * d) * (s * s - j * j) * (j * j - m1 * m1));
}
static double middle_of(double j, double j2, double j3, double m1, double m2, double m3)
{
    return -(2 * j + 1) * (j2 * (j2 + 1) * m1 - j3 * (j3 + 1) * m1 - j * (j + 1) * (m3 - m2));
}

double agni_wigner_3j(int j1, int j2, int j3, int m1, int m2, int m3)
{
    if (m1 + m2 + m3 != 0 || abs(m1) > j1 || abs(m2) > j2 || abs(m3) > j3 || j1 > j2 + j3 ||
        j1 < abs(j2 - j3) || (j1 + j2 + j3) % 2)
        return 0;
    int low = abs(j2 - j3) > abs(m1) ? abs(j2 - j3) : abs(m1), n = (j2 + j3 - low) / 2 + 1,
        want = (j1 - low) / 2;
    if (m1 == 0 && m2 == 0 && ((j1 + j2 + j3) / 2) % 2)
        return 0;
    double b = j2 / 2.0, c = j3 / 2.0, p = m1 / 2.0, q = m2 / 2.0, r = m3 / 2.0;
    if (n > MOST_J)
        return (double)NAN;
    double up[MOST_J], down[MOST_J], first = low / 2.0;
    /* j A(j + 1) f(j + 1) + B(j) f(j) + (j + 1) A(j) f(j - 1) = 0 */
    up[0] = 1;
    for (int k = 0; k + 1 < n; k++) {
        double j = first + k, a1 = side_of(j + 1, b, c, p),
               lower = k ? (j + 1) * side_of(j, b, c, p) * up[k - 1] : 0;
        /* at j = 0, j2 = j3 and m1 = 0: the ratio of the first two is m2 / sqrt(j2 (j2 + 1)) */
        if (j == 0)
            up[1] = q * up[0] / sqrt(b * (b + 1));
        else
            up[k + 1] = -(middle_of(j, b, c, p, q, r) * up[k] + lower) / (j * a1);
        if (fabs(up[k + 1]) > 1e250)
            for (int i = 0; i <= k + 1; i++)
                up[i] *= 1e-250;
    }
    down[n - 1] = 1;
    for (int k = n - 1; k > 0; k--) {
        double j = first + k, a0 = side_of(j, b, c, p),
               higher = k + 1 < n ? j * side_of(j + 1, b, c, p) * down[k + 1] : 0;
        down[k - 1] = -(middle_of(j, b, c, p, q, r) * down[k] + higher) / ((j + 1) * a0);
        if (fabs(down[k - 1]) > 1e250)
            for (int i = k - 1; i < n; i++)
                down[i] *= 1e-250;
    }
    /* each is right as long as it does not decrease again: join where the product of both is
       largest in logarithms */
    double most_up = 0, most_down = 0;
    int from = 0, to = n - 1;
    for (int k = 0; k < n; k++)
        if (fabs(up[k]) > most_up)
            most_up = fabs(up[k]), to = k;
        else if (fabs(up[k]) < 1e-3 * most_up)
            break;
    for (int k = n - 1; k >= 0; k--)
        if (fabs(down[k]) > most_down)
            most_down = fabs(down[k]), from = k;
        else if (fabs(down[k]) < 1e-3 * most_down)
            break;
    int join = from <= to ? (from + to) / 2 : to;
    /* next to the joint, where both are large */
    int best = join;
    double size = 0;
    for (int k = join > 1 ? join - 1 : 0; k < n && k <= join + 1; k++)
        if (fabs(up[k]) / most_up * fabs(down[k]) / most_down > size)
            size = fabs(up[k]) / most_up * fabs(down[k]) / most_down, best = k;
    double by = down[best] / up[best], norm = 0, value;
    for (int k = 0; k < n; k++) {
        double v = k <= best ? up[k] * by : down[k];
        norm += (2 * (first + k) + 1) * v * v;
    }
    value = want <= best ? up[want] * by : down[want];
    /* the sign of the value at the largest j1 is that of (-1)^(j2 - j3 - m1) */
    double side = ((j2 - j3 - m1) / 2) % 2 ? -1 : 1;
    return side * value / sqrt(norm);
}
