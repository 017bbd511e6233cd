/* tensor/special/integrals/tridiagonal.c - an eigenvalue of a symmetric tridiagonal matrix T + q S
   by counting signs (Sturm), its vector by a twisted factorisation (Dhillon and Parlett, SIAM J.
   Matrix Anal. Appl. 25, 858), derivatives of both in q by perturbation (Kato, II). */
#include "tensor/special/integrals/tridiagonal.h"

#include <math.h>

static double diagonal_at(const agni_tridiagonal *t, double q, int r)
{
    return t->diagonal[r] + q * t->slope[r];
}
/* how many eigenvalues are below a */
static int count_below(const agni_tridiagonal *t, double q, double a)
{
    int count = 0;
    double d = 1;
    for (int r = 0; r < t->rows; r++) {
        double e = r ? t->beside[r - 1] * q : 0;
        d = diagonal_at(t, q, r) - a - (r ? e * e / d : 0);
        if (d == 0)
            d = 1e-300;
        count += d < 0;
    }
    return count;
}
static double find_eigenvalue(const agni_tridiagonal *t, double q, int index)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int r = 0; r < t->rows; r++) { /* Gershgorin */
        double d = diagonal_at(t, q, r),
               radius = fabs(q) * (fabs(t->beside[r]) + (r ? fabs(t->beside[r - 1]) : 0));
        low = fmin(low, d - radius - 1), high = fmax(high, d + radius + 1);
    }
    for (int k = 0; k < 120; k++) {
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
static double find_vector(const agni_tridiagonal *t, double q, double a, double *v, int *twist)
{
    double down[AGNI_MOST_ROWS], up[AGNI_MOST_ROWS], least = INFINITY, rest = 0;
    int n = t->rows, p = 0;
    for (int r = 0; r < n; r++) {
        double e = r ? t->beside[r - 1] * q : 0;
        down[r] = diagonal_at(t, q, r) - a - (r ? e * e / down[r - 1] : 0);
        down[r] = down[r] == 0 ? 1e-300 : down[r];
    }
    for (int r = n - 1; r >= 0; r--) {
        double e = t->beside[r] * q;
        up[r] = diagonal_at(t, q, r) - a - (r < n - 1 ? e * e / up[r + 1] : 0);
        up[r] = up[r] == 0 ? 1e-300 : up[r];
        double both = down[r] + up[r] - (diagonal_at(t, q, r) - a);
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
/* y = S v */
static void apply_slope(const agni_tridiagonal *t, const double *v, double *y)
{
    for (int r = 0; r < t->rows; r++)
        y[r] = (r ? t->beside[r - 1] * v[r - 1] : 0) + t->slope[r] * v[r] +
               (r < t->rows - 1 ? t->beside[r] * v[r + 1] : 0);
}
/* (T - a) y = f in place, y = 0 in row p, whose equation is left out: two systems */
static void solve_without(const agni_tridiagonal *t, double q, double a, int p, double *f)
{
    double d[AGNI_MOST_ROWS];
    for (int part = 0; part < 2; part++) {
        int from = part ? p + 1 : 0, to = part ? t->rows : p;
        for (int r = from; r < to; r++) {
            double e = r > from ? t->beside[r - 1] * q : 0;
            d[r] = diagonal_at(t, q, r) - a - (r > from ? e * e / d[r - 1] : 0);
            d[r] = d[r] == 0 ? 1e-300 : d[r];
            f[r] -= r > from ? e / d[r - 1] * f[r - 1] : 0;
        }
        for (int r = to - 1; r >= from; r--)
            f[r] = (f[r] - (r < to - 1 ? t->beside[r] * q * f[r + 1] : 0)) / d[r];
    }
    f[p] = 0;
}
void agni_tridiagonal_expand(const agni_tridiagonal *t, double q, int index, int most, double *a,
                             double (*v)[AGNI_MOST_ROWS])
{
    int n = t->rows, p;
    a[0] = find_eigenvalue(t, q, index);
    for (int k = 0; k < 2; k++)
        a[0] += find_vector(t, q, a[0], v[0], &p);
    double size = sqrt(inner_product(n, v[0], v[0]));
    for (int r = 0; r < n; r++)
        v[0][r] /= size;
    for (int k = 1; k <= most; k++) {
        double f[AGNI_MOST_ROWS], low = 0;
        apply_slope(t, v[k - 1], f);
        a[k] = inner_product(n, v[0], f);
        for (int j = 1; j < k; j++)
            a[k] -= a[j] * inner_product(n, v[0], v[k - j]),
                low -= 0.5 * inner_product(n, v[j], v[k - j]);
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
