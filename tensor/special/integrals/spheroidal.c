/* tensor/special/integrals/spheroidal.c - spheroidal wave functions by series of Legendre functions
   (DLMF 30.8): the characteristic value is an eigenvalue of a tridiagonal matrix of first degree in
   q = c^2, prolate above 0 and oblate below, the series its vector (tridiagonal.h); of the first
   kind with Flammer's norm, by which value or slope at 0 are those of the Legendre function. */
#include "tensor/special/integrals/tridiagonal.h"
#include "tensor/special/integrals/values.h"

#include <math.h>

enum { MOST_ORDER = 60, MOST_DEGREE = 100, MOST_L = 2 * AGNI_MOST_ROWS + MOST_ORDER + 2 };

/* x^2 P_l is a sum of P_(l - 2), P_l, P_(l + 2), normalised: (l^2 - m^2) / (4 l^2 - 1) */
static double square_share(double l, double m)
{
    return (l * l - m * m) / (4 * l * l - 1);
}
static void fill_matrix(agni_tridiagonal *t, int m, int n, double q)
{
    int first = m + (n - m) % 2;
    t->rows = 24 + (n - m) / 2 + (int)(0.7 * sqrt(fabs(q)));
    for (int r = 0; r < t->rows; r++) {
        double l = first + 2.0 * r, down = l > m ? square_share(l, m) : 0,
               up = square_share(l + 1, m);
        t->diagonal[r] = l * (l + 1);
        t->slope[r] = down + up;
        t->beside[r] = sqrt(up * square_share(l + 2, m));
    }
}
static bool is_outside(int m, int n, double q, int k)
{
    return !(fabs(q) <= 1e4) || m < 0 || m > MOST_ORDER || n < m || n > MOST_DEGREE ||
           k > AGNI_MOST_SLOPE;
}
/* Legendre functions of order m and degrees l = m to most at x, of square 1, and their slopes */
static void fill_legendre(int m, int most, double x, double *p, double *slope)
{
    double wide = (1 - x) * (1 + x), start = sqrt(0.5);
    bool end = wide == 0;
    for (int k = 1; k <= m; k++)
        start *= sqrt((2 * k + 1) / (2.0 * k) * (end && m == 2 ? 1 : wide));
    p[m] = start;
    for (int l = m + 1; l <= most; l++) {
        double last = l - 1 > m ? sqrt(square_share(l - 1, m)) * p[l - 2] : 0;
        p[l] = (x * p[l - 1] - last) / sqrt(square_share(l, m));
    }
    for (int l = m; l <= most; l++) { /* (1 - x^2) P' = (2 l + 1) a_l P_(l - 1) - l x P_l */
        double last = l > m ? (2 * l + 1) * sqrt(square_share(l, m)) * p[l - 1] : 0;
        slope[l] = !end     ? (last - l * x * p[l]) / wide
                   : m == 0 ? 0.5 * l * (l + 1) * x * p[l]
                   : m == 1 ? (double)NAN
                   : m == 2 ? -2 * x * p[l] /* of (1 - x^2) times what p is here */
                            : 0;
    }
    for (int l = m; l <= most && end && m == 2; l++)
        p[l] = 0;
}
/* P_n^m(0), or its slope where that is 0; without the phase of Condon and Shortley (DLMF 14.5.1,
   14.5.2) */
static double legendre_at_0(int m, int n)
{
    double y = 1; /* (n + m - 1)!! / (n - m)!!, or (n + m)!! / (n - m - 1)!! */
    bool odd = (n - m) % 2;
    int up = n + m - (odd ? 0 : 1), down = n - m - (odd ? 1 : 0);
    for (int k = up; k > 1; k -= 2)
        y *= k;
    for (int k = down; k > 1; k -= 2)
        y /= k;
    return ((n - m) / 2) % 2 ? -y : y;
}

double agni_spheroidal_value(double q, int m, int n, int k)
{
    agni_tridiagonal t;
    double a[AGNI_MOST_SLOPE + 1], v[AGNI_MOST_SLOPE + 1][AGNI_MOST_ROWS];
    if (is_outside(m, n, q, k))
        return (double)NAN;
    if (q == 0 && k == 0)
        return n * (n + 1.0);
    fill_matrix(&t, m, n, q);
    agni_tridiagonal_expand(&t, q, (n - m) / 2, k, a, v);
    for (int j = 2; j <= k; j++)
        a[k] *= j;
    return a[k];
}

double agni_spheroidal(double q, double x, int m, int n, int k, bool sloped)
{
    agni_tridiagonal t;
    double a[AGNI_MOST_SLOPE + 1], v[AGNI_MOST_SLOPE + 1][AGNI_MOST_ROWS];
    double p[MOST_L], slope[MOST_L], zero[MOST_L], zero_slope[MOST_L];
    double sum[AGNI_MOST_SLOPE + 1], base[AGNI_MOST_SLOPE + 1] = {0}, size = 0;
    if (is_outside(m, n, q, k) || !(fabs(x) <= 1))
        return (double)NAN;
    bool odd = (n - m) % 2;
    fill_matrix(&t, m, n, q);
    agni_tridiagonal_expand(&t, q, (n - m) / 2, k, a, v);
    int first = m + (n - m) % 2, most = first + 2 * t.rows - 2;
    fill_legendre(m, most, x, p, slope);
    fill_legendre(m, most, 0, zero, zero_slope);
    for (int j = 0; j <= k; j++) {
        sum[j] = base[j] = 0;
        for (int r = t.rows - 1; r >= 0; r--) {
            double z = (odd ? zero_slope : zero)[first + 2 * r];
            sum[j] += v[j][r] * (sloped ? slope : p)[first + 2 * r];
            base[j] += v[j][r] * z;
            if (j == 0)
                size += fabs(v[j][r] * z);
        }
        for (int i = 0; i < j; i++) /* of the quotient */
            sum[j] -= sum[i] * base[j - i];
        sum[j] /= base[0];
    }
    if (!(size < 300 * fabs(base[0]))) /* of an oblate function that is nothing at 0 */
        return (double)NAN;
    double y = legendre_at_0(m, n) * sum[k];
    for (int j = 2; j <= k; j++)
        y *= j;
    return y;
}
