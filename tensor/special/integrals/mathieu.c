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
