/* tensor/special/integrals/mathieu.c - Mathieu's functions by their Fourier series (DLMF 28.4): the
   characteristic value is an eigenvalue of a tridiagonal matrix of first degree in q, the series its
   vector (tridiagonal.h). */
#include "tensor/special/integrals/tridiagonal.h"
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/constants.h"

#include <math.h>

enum { MOST_SLOPE = AGNI_MOST_SLOPE };

typedef struct mathieu_series {
    int first; /* the harmonic of row r is first + 2 r */
    agni_tridiagonal matrix;
} mathieu_series;

/* series of even (ce) or odd (se) functions of order m; the constant is counted over sqrt 2 */
static void fill_matrix(mathieu_series *t, bool odd, int64_t m, double q)
{
    agni_tridiagonal *a = &t->matrix;
    t->first = m % 2 ? 1 : odd ? 2 : 0;
    a->rows = 30 + (int)(m / 2) + (int)(1.5 * sqrt(fabs(q)));
    for (int r = 0; r < a->rows; r++) {
        double j = t->first + 2 * r;
        a->diagonal[r] = j * j;
        a->slope[r] = r || m % 2 == 0 ? 0 : odd ? -1 : 1;
        a->beside[r] = r == 0 && t->first == 0 ? 1.4142135623730950488 : 1;
    }
}
/* Taylor coefficients in q, to degree most, of the characteristic value and of the vector, whose
   square is 1, and whose sum is that of cos(m x) or sin(m x) where q is 0 */
static void expand_mathieu(const mathieu_series *t, double q, int index, int most, double *a,
                           double (*v)[AGNI_MOST_ROWS])
{
    agni_tridiagonal_expand(&t->matrix, q, index, most, a, v);
    /* the sign does not change with q: of the value or slope at 0, or of that at pi / 2 */
    double at[2] = {0, 0};
    for (int r = 0; r < t->matrix.rows; r++)
        at[0] += v[0][r], at[1] += r & 1 ? -v[0][r] : v[0][r];
    int which = fabs(at[1]) > fabs(at[0]);
    if (at[which] * (which && index & 1 ? -1 : 1) < 0)
        for (int k = 0; k <= most; k++)
            for (int r = 0; r < t->matrix.rows; r++)
                v[k][r] = -v[k][r];
}
static bool is_outside(bool odd, int64_t m, double q, int k)
{
    return !(fabs(q) <= 1e4) || m < (odd ? 1 : 0) || m > 100 || k > MOST_SLOPE;
}
static int index_of(bool odd, int64_t m)
{
    return (int)(m / 2) - (odd && m % 2 == 0);
}

double agni_mathieu_value(double q, bool odd, int64_t m, int k)
{
    mathieu_series t;
    double a[MOST_SLOPE + 1], v[MOST_SLOPE + 1][AGNI_MOST_ROWS];
    if (is_outside(odd, m, q, k))
        return (double)NAN;
    fill_matrix(&t, odd, m, q);
    expand_mathieu(&t, q, index_of(odd, m), k, a, v);
    for (int j = 2; j <= k; j++)
        a[k] *= j;
    return a[k];
}

double agni_mathieu(double q, double x, bool odd, int64_t m, int k, int n)
{
    mathieu_series t;
    double a[MOST_SLOPE + 1], v[MOST_SLOPE + 1][AGNI_MOST_ROWS], sum = 0;
    if (is_outside(odd, m, q, k) || !(fabs(x) < 1e8))
        return (double)NAN;
    fill_matrix(&t, odd, m, q);
    expand_mathieu(&t, q, index_of(odd, m), k, a, v);
    /* x less whole turns, in two parts */
    double turns = nearbyint(x / (2 * AGNI_PI)), p = turns * (2 * AGNI_PI);
    double rest = (x - p) + (-fma(turns, 2 * AGNI_PI, -p) - turns * 2.4492935982947064e-16);
    for (int r = t.matrix.rows - 1; r >= 0; r--) {
        double j = t.first + 2.0 * r, c = cos(j * rest), s = sin(j * rest), power = 1, wave;
        for (int i = 0; i < n; i++)
            power *= j;
        switch (n % 4) { /* n-th derivative over j^n */
        case 0:
            wave = odd ? s : c;
            break;
        case 1:
            wave = odd ? c : -s;
            break;
        case 2:
            wave = odd ? -s : -c;
            break;
        default:
            wave = odd ? -c : s;
        }
        sum += v[k][r] * power * wave * (j == 0 ? AGNI_SQRT1_2 : 1);
    }
    for (int j = 2; j <= k; j++)
        sum *= j;
    return sum;
}

enum { MOST_PRODUCT = 2 * AGNI_MOST_ROWS + 8 };

/* J or Y of the whole orders to most at x */
static void fill_bessel(double *f, int most, double x, int kind)
{
    for (int n = 0; n <= most; n++)
        f[n] = agni_bessel(n, x, kind, 0, 0);
}
/* that of order n of any sign, or its slope */
static double pick_bessel(const double *f, int n, bool sloped)
{
    int order = n < 0 ? -n : n;
    double y = !sloped ? f[order] : order ? (f[order - 1] - f[order + 1]) / 2 : -f[1];
    return n < 0 && order % 2 ? -y : y;
}
/* value or slope at x of the odd solution of y'' = (a - 2 q cosh 2 x) y whose slope at 0 is given, next to 0 */
static double odd_series(double a, double q, double slope, double x, bool sloped)
{
    double c[12] = {slope}, power = 1, sum = 0, square = x * x; /* c[k] of x^(2 k + 1) */
    for (int k = 0; k < 12; k++) {
        double by = 1, part = (a - 2 * q) * c[k];
        for (int j = 1; j <= k; j++) {
            by *= 4.0 / ((2 * j - 1.0) * (2 * j));
            part -= 2 * q * by * c[k - j];
        }
        sum += c[k] * power * (sloped ? 2 * k + 1 : x);
        power *= square;
        if (k + 1 < 12)
            c[k + 1] = part / ((2 * k + 2.0) * (2 * k + 3.0));
    }
    return sum;
}
/* radial solutions Mc, Ms of the first and second kind, as sums of products of Bessel functions
   about the largest coefficient (DLMF 28.24); their slopes */
double agni_mathieu_modified(double q, double x, bool odd, bool second, int64_t m, bool sloped)
{
    mathieu_series t;
    double a[1], v[1][AGNI_MOST_ROWS];
    double falling[MOST_PRODUCT], rising[MOST_PRODUCT];
    if (is_outside(odd, m, q, 0) || !(q > 0 && x >= 0 && x <= 30))
        return (double)NAN;
    fill_matrix(&t, odd, m, q);
    expand_mathieu(&t, q, index_of(odd, m), 0, a, v);
    if (t.first == 0)
        v[0][0] *= AGNI_SQRT1_2;
    int s = 0, last = 0, shift = t.first;
    for (int r = 0; r < t.matrix.rows; r++)
        s = fabs(v[0][r]) > fabs(v[0][s]) ? r : s;
    for (int r = 0; r < t.matrix.rows; r++) /* Bessel functions of the second kind grow beside them */
        last = fabs(v[0][r]) > 1e-60 * fabs(v[0][s]) ? r : last;
    const double at = x; /* Ms of the first kind has no digits next to its zero: by its slope there */
    const bool near = odd && !second && x * (1 + sqrt(fabs(a[0]) + 4 * q)) < 0.5;
    x = near ? 0 : x;
    double down = sqrt(q) * exp(-x), up = sqrt(q) * exp(x), sum[2] = {0, 0}, size = 0;
    fill_bessel(falling, last + s + shift + 1, down, AGNI_BESSEL_J);
    fill_bessel(rising, last + s + shift + 1, up, second ? AGNI_BESSEL_Y : AGNI_BESSEL_J);
    for (int r = last; r >= 0; r--) {
        int low = r - s, high = r + s + shift;
        double by = v[0][r] / v[0][s] * (r % 2 ? -1 : 1), side = odd ? -1 : 1;
        double one = pick_bessel(falling, low, false) * pick_bessel(rising, high, false),
               other = side * pick_bessel(falling, high, false) * pick_bessel(rising, low, false);
        sum[0] += by * (one + other);
        size += fabs(by) * (fabs(one) + fabs(other));
        sum[1] += by * (up * (pick_bessel(falling, low, false) * pick_bessel(rising, high, true) +
                              side * pick_bessel(falling, high, false) * pick_bessel(rising, low, true)) -
                        down * (pick_bessel(falling, low, true) * pick_bessel(rising, high, false) +
                                side * pick_bessel(falling, high, true) * pick_bessel(rising, low, false)));
    }
    /* the size of a wave, by its slope over the wave number */
    double wave = fabs(2 * q * cosh(2 * x) - a[0]), amplitude = hypot(sum[0], sum[1] / sqrt(wave + 1));
    if (!(size < 200 * amplitude))
        return (double)NAN;
    double sign = ((m - t.first) / 2) % 2 ? -1 : 1, half = t.first == 0 && s == 0 ? 0.5 : 1;
    return sign * half * (near ? odd_series(a[0], q, sum[1], at, sloped) : sum[sloped]);
}
