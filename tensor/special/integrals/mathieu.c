/* tensor/special/integrals/mathieu.c - Mathieu's functions by their Fourier series (DLMF 28.4): the
   characteristic value is an eigenvalue of a tridiagonal matrix T(q), found by counting signs
   (Sturm), its vector by a twisted factorisation (Dhillon and Parlett, SIAM J. Matrix Anal. Appl.
   25, 858), derivatives of both in q by perturbation of T, which is of first degree in q. */
#include "tensor/special/integrals/values.h"

#include "tensor/cpu/special/constants.h"

#include <math.h>

enum { MOST_ROWS = 256, MOST_SLOPE = 8 };

typedef struct mathieu_matrix {
    int rows, first; /* the harmonic of row r is first + 2 r */
    double diagonal[MOST_ROWS], beside[MOST_ROWS]; /* beside[r]: of rows r and r + 1, over q */
    double end; /* of the first entry of the diagonal, over q */
} mathieu_matrix;

/* series of even (ce) or odd (se) functions of order m; the constant is counted over sqrt 2 */
static void fill_matrix(mathieu_matrix *t, bool odd, int64_t m, double q)
{
    t->first = m % 2 ? 1 : odd ? 2 : 0;
    t->rows = 30 + (int)(m / 2) + (int)(1.5 * sqrt(fabs(q)));
    t->end = m % 2 ? (odd ? -1 : 1) : 0;
    for (int r = 0; r < t->rows; r++) {
        double j = t->first + 2 * r;
        t->diagonal[r] = j * j + (r == 0 ? t->end * q : 0);
        t->beside[r] = r == 0 && t->first == 0 ? 1.4142135623730950488 : 1;
    }
}
/* how many eigenvalues are below a */
static int count_below(const mathieu_matrix *t, double q, double a)
{
    int count = 0;
    double d = 1;
    for (int r = 0; r < t->rows; r++) {
        double e = r ? t->beside[r - 1] * q : 0;
        d = t->diagonal[r] - a - (r ? e * e / d : 0);
        if (d == 0)
            d = 1e-300;
        count += d < 0;
    }
    return count;
}
static double find_eigenvalue(const mathieu_matrix *t, double q, int index)
{
    double j = t->first + 2.0 * index, low = -2 * fabs(q) - 2, high = j * j + 2 * fabs(q) + 2;
    for (int k = 0; k < 80; k++) {
        double a = 0.5 * (low + high);
        if (count_below(t, q, a) > index)
            high = a;
        else
            low = a;
        if (high - low <= 1e-16 * fabs(a))
            break;
    }
    return 0.5 * (low + high);
}
/* v of (T - a) v = 0 but for row *twist, where v is 1; that row's rest over |v|^2, by which a is
   off */
static double find_vector(const mathieu_matrix *t, double q, double a, double *v, int *twist)
{
    double down[MOST_ROWS], up[MOST_ROWS], least = INFINITY, rest = 0;
    int n = t->rows, p = 0;
    for (int r = 0; r < n; r++) {
        double e = r ? t->beside[r - 1] * q : 0;
        down[r] = t->diagonal[r] - a - (r ? e * e / down[r - 1] : 0);
        down[r] = down[r] == 0 ? 1e-300 : down[r];
    }
    for (int r = n - 1; r >= 0; r--) {
        double e = t->beside[r] * q;
        up[r] = t->diagonal[r] - a - (r < n - 1 ? e * e / up[r + 1] : 0);
        up[r] = up[r] == 0 ? 1e-300 : up[r];
        double both = down[r] + up[r] - (t->diagonal[r] - a);
        if (fabs(both) < least)
            least = fabs(both), rest = both, p = r;
    }
    v[p] = 1;
    for (int r = p - 1; r >= 0; r--)
        v[r] = -t->beside[r] * q * v[r + 1] / down[r];
    for (int r = p + 1; r < n; r++)
        v[r] = -t->beside[r - 1] * q * v[r - 1] / up[r];
    double square = 0;
    for (int r = 0; r < n; r++)
        square += v[r] * v[r];
    *twist = p;
    return rest / square;
}
static double inner_product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int r = 0; r < n; r++)
        sum += a[r] * b[r];
    return sum;
}
/* y = (dT/dq) v */
static void apply_slope(const mathieu_matrix *t, const double *v, double *y)
{
    for (int r = 0; r < t->rows; r++)
        y[r] = (r ? t->beside[r - 1] * v[r - 1] : t->end * v[0]) +
               (r < t->rows - 1 ? t->beside[r] * v[r + 1] : 0);
}
/* (T - a) y = f in place, y = 0 in row p, whose equation is left out: two systems */
static void solve_without(const mathieu_matrix *t, double q, double a, int p, double *f)
{
    double d[MOST_ROWS];
    for (int part = 0; part < 2; part++) {
        int from = part ? p + 1 : 0, to = part ? t->rows : p;
        for (int r = from; r < to; r++) {
            double e = r > from ? t->beside[r - 1] * q : 0;
            d[r] = t->diagonal[r] - a - (r > from ? e * e / d[r - 1] : 0);
            d[r] = d[r] == 0 ? 1e-300 : d[r];
            f[r] -= r > from ? e / d[r - 1] * f[r - 1] : 0;
        }
        for (int r = to - 1; r >= from; r--)
            f[r] = (f[r] - (r < to - 1 ? t->beside[r] * q * f[r + 1] : 0)) / d[r];
    }
    f[p] = 0;
}
/* Taylor coefficients in q, to degree most, of the characteristic value and of the vector, whose
   square is 1, and whose sum is that of cos(m x) or sin(m x) where q is 0 */
static void expand_mathieu(const mathieu_matrix *t, double q, int index, int most, double *a,
                           double (*v)[MOST_ROWS])
{
    int n = t->rows, p;
    a[0] = find_eigenvalue(t, q, index);
    for (int k = 0; k < 2; k++)
        a[0] += find_vector(t, q, a[0], v[0], &p);
    /* the sign does not change with q: of the value or slope at 0, or of that at pi / 2 */
    double at[2] = {0, 0}, size = sqrt(inner_product(n, v[0], v[0])), target[2];
    for (int r = 0; r < n; r++)
        at[0] += v[0][r], at[1] += r & 1 ? -v[0][r] : v[0][r];
    target[0] = 1, target[1] = index & 1 ? -1 : 1;
    int which = fabs(at[1]) > fabs(at[0]);
    double scale = (at[which] * target[which] < 0 ? -1 : 1) / size;
    for (int r = 0; r < n; r++)
        v[0][r] *= scale;
    for (int k = 1; k <= most; k++) {
        double f[MOST_ROWS], low = 0;
        apply_slope(t, v[k - 1], f);
        a[k] = inner_product(n, v[0], f);
        for (int j = 1; j < k; j++)
            a[k] -= a[j] * inner_product(n, v[0], v[k - j]), low -= 0.5 * inner_product(n, v[j], v[k - j]);
        for (int r = 0; r < n; r++) {
            v[k][r] = -f[r];
            for (int j = 1; j <= k; j++)
                v[k][r] += a[j] * v[k - j][r];
        }
        solve_without(t, q, a[0], p, v[k]);
        low -= inner_product(n, v[0], v[k]);
        for (int r = 0; r < n; r++)
            v[k][r] += low * v[0][r];
    }
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
    mathieu_matrix t;
    double a[MOST_SLOPE + 1], v[MOST_SLOPE + 1][MOST_ROWS];
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
    mathieu_matrix t;
    double a[MOST_SLOPE + 1], v[MOST_SLOPE + 1][MOST_ROWS], sum = 0;
    if (is_outside(odd, m, q, k) || !(fabs(x) < 1e8))
        return (double)NAN;
    fill_matrix(&t, odd, m, q);
    expand_mathieu(&t, q, index_of(odd, m), k, a, v);
    /* x less whole turns, in two parts */
    double turns = nearbyint(x / (2 * AGNI_PI)), p = turns * (2 * AGNI_PI);
    double rest = (x - p) + (-fma(turns, 2 * AGNI_PI, -p) - turns * 2.4492935982947064e-16);
    for (int r = t.rows - 1; r >= 0; r--) {
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
