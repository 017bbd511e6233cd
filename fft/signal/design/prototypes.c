/* fft/signal/design/prototypes.c - analog low passes with the edge 1: Butterworth, Chebyshev, Cauer
   (Orfanidis, Lecture Notes on Elliptic Filter Design, 2006) and Bessel (Thomson 1949). */
#include "fft/signal/design/roots.h"

#include <math.h>

#define PI 3.14159265358979323846

/* real where its imaginary part is 0, else the one of its pair above the real axis */
void agni_roots_add(agni_roots *r, double complex z)
{
    if (cimag(z) == 0)
        r->real[r->reals++] = creal(z);
    else
        r->pair[r->pairs++] = agni_root(creal(z), fabs(cimag(z)));
}

double agni_roots_product(const agni_roots *r, double c)
{
    double p = 1;
    for (int k = 0; k < r->reals; k++)
        p *= c - r->real[k];
    for (int k = 0; k < r->pairs; k++) {
        double re = c - creal(r->pair[k]), im = cimag(r->pair[k]);
        p *= re * re + im * im;
    }
    return p;
}

/* angles of the poles from the imaginary axis, m odd for even orders: pi m / (2 n), m = 0 the real
   pole */
static void set_butterworth(agni_zpk *f, int n)
{
    for (int m = n - 1; m >= 0; m -= 2) {
        double t = PI * m / (2.0 * n);
        agni_roots_add(&f->p, m ? agni_root(-cos(t), sin(t)) : -1);
    }
    f->k = 1;
}

static void set_chebyshev(agni_zpk *f, int n, double ripple)
{
    double eps = sqrt(pow(10, ripple / 10) - 1), mu = asinh(1 / eps) / n;
    for (int m = n - 1; m >= 0; m -= 2) {
        double t = PI * m / (2.0 * n);
        agni_roots_add(&f->p, agni_root(-sinh(mu) * cos(t), m ? cosh(mu) * sin(t) : 0));
    }
    f->k = agni_roots_product(&f->p, 0) / (n % 2 ? 1 : sqrt(1 + eps * eps));
}

static void set_inverse_chebyshev(agni_zpk *f, int n, double attenuation)
{
    double mu = asinh(sqrt(pow(10, attenuation / 10) - 1)) / n;
    for (int m = n - 1; m >= 0; m -= 2) {
        double t = PI * m / (2.0 * n);
        if (m)
            agni_roots_add(&f->z, agni_root(0, 1 / sin(t)));
        double complex w = agni_root(-sinh(mu) * cos(t), m ? cosh(mu) * sin(t) : 0);
        agni_roots_add(&f->p, m ? 1 / w : agni_root(1 / creal(w), 0));
    }
    f->k = agni_roots_product(&f->p, 0) / agni_roots_product(&f->z, 0);
}

/* ---- elliptic functions (Abramowitz & Stegun 16.4, 17.6; Carlson 1995) ---------------------- */

static double mean_agm(double a, double b)
{
    for (int k = 0; k < 40 && fabs(a - b) > 1e-16 * a; k++) {
        double next = (a + b) / 2;
        b = sqrt(a * b);
        a = next;
    }
    return a;
}
/* K of the parameter 1 - m1 */
static double complete_integral(double m1)
{
    return PI / (2 * mean_agm(1, sqrt(m1)));
}

/* sn, cn, dn of u, parameter m, complement m1 = 1 - m, by descending Landen steps */
static void jacobi_functions(double u, double m, double m1, double *sn, double *cn, double *dn)
{
    double a[20] = {1}, c[20] = {sqrt(m)}, b = sqrt(m1), twice = 1, phi, last = 0;
    int n = 0;
    while (n < 18 && fabs(c[n]) > 1e-17 * a[n]) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
        twice *= 2;
        n++;
    }
    phi = twice * a[n] * u;
    for (last = phi; n > 0; n--) {
        last = phi;
        phi = (asin(c[n] * sin(phi) / a[n]) + phi) / 2;
    }
    *sn = sin(phi);
    *cn = cos(phi);
    double spread = cos(last - phi);
    *dn = fabs(spread) > 0.1 ? *cn / spread : sqrt(m1 + m * *cn * *cn);
    if (m == 0)
        *dn = 1;
}

/* Carlson's R_F by duplication */
static double carlson_rf(double x, double y, double z)
{
    double mean = 0, dx = 1, dy = 1, dz = 1;
    for (int k = 0; k < 60 && fmax(fabs(dx), fmax(fabs(dy), fabs(dz))) > 1e-3; k++) {
        double l = sqrt(x * y) + sqrt(x * z) + sqrt(y * z);
        x = (x + l) / 4;
        y = (y + l) / 4;
        z = (z + l) / 4;
        mean = (x + y + z) / 3;
        dx = 1 - x / mean;
        dy = 1 - y / mean;
        dz = 1 - z / mean;
    }
    double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
    return (1 + e2 * (e2 / 24 - 0.1 - 3 * e3 / 44) + e3 / 14) / sqrt(mean);
}

/* theta functions: the parameter of a small nome */
static double of_nome(double q)
{
    double up = 1, down = 1;
    for (int k = 1; k < 8; k++) {
        up += pow(q, k * (k + 1));
        down += 2 * pow(q, k * k);
    }
    return 16 * q * pow(up / down, 4);
}

/* m with K(1 - m) / K(m) = K(1 - m1) / (n K(m1)), and 1 - m: the smaller of the two by its nome */
static double solve_degree(int n, double m1, double *rest)
{
    double ratio = complete_integral(m1) / complete_integral(1 - m1) / n, m;
    if (ratio >= 1) {
        m = of_nome(exp(-PI * ratio));
        *rest = 1 - m;
    } else {
        *rest = of_nome(exp(-PI / ratio));
        m = 1 - *rest;
    }
    return m;
}

static agn_status set_elliptic(agni_zpk *f, const char *op, int n, double ripple,
                               double attenuation)
{
    double eps2 = expm1(log(10) * ripple / 10), eps = sqrt(eps2),
           m1 = eps2 / expm1(log(10) * attenuation / 10);
    if (n == 1) {
        agni_roots_add(&f->p, -1 / eps);
        f->k = 1 / eps;
        return AGN_OK;
    }
    double rest, m = solve_degree(n, m1, &rest), big = complete_integral(rest), s, c, d, sv, cv, dv;
    if (rest < 1e-9) /* poles and zeros crowd at the edge, and their distances are rounding */
        return agni_fail(
            AGN_EDOMAIN,
            "%s: an elliptic filter of order %d with %g and %g dB is too steep at its edge", op, n,
            ripple, attenuation);
    /* v: sc(v) = 1 / eps with the complement of m1 */
    double v = carlson_rf(1, 1 + m1 / eps2, 1 + 1 / eps2) / eps;
    jacobi_functions(big * v / (n * complete_integral(1 - m1)), rest, m, &sv, &cv, &dv);
    for (int j = 1 - n % 2; j < n; j += 2) {
        jacobi_functions(j * big / n, m, rest, &s, &c, &d);
        if (j)
            agni_roots_add(&f->z, agni_root(0, 1 / (sqrt(m) * s)));
        double below = 1 - d * d * sv * sv;
        agni_roots_add(&f->p, agni_root(-c * d * sv * cv / below, j ? s * dv / below : 0));
    }
    f->k = agni_roots_product(&f->p, 0) / agni_roots_product(&f->z, 0) /
           (n % 2 ? 1 : sqrt(1 + eps2));
    return AGN_OK;
}

/* ---- Bessel --------------------------------------------------------------------------------- */

/* the reverse Bessel polynomial t_n = (2 n - 1) t_(n-1) + s^2 t_(n-2) over its derivative t_n - s
   t_(n-1) */
static double complex newton_step(int n, double complex s)
{
    double complex before = 1, now = s + 1;
    for (int k = 2; k <= n; k++) {
        double complex next = (2 * k - 1) * now + s * s * before;
        before = now;
        now = next;
    }
    return now / (now - s * before);
}

/* all its zeros at once (Aberth 1973), scaled to the asymptotes of a Butterworth filter */
static void set_bessel(agni_zpk *f, int n)
{
    double complex z[AGNI_IIR_ORDER];
    double scale = 1;
    for (int k = 0; k < n; k++) /* near the curve on which they lie, one each */
        z[k] = n * agni_root(-0.75 * cos(PI * (2 * k + 1 - n) / (2.0 * n)) - 0.05,
                         0.9 * sin(PI * (2 * k + 1 - n) / (2.0 * n)));
    for (int round = 0; round < 200; round++) {
        double most = 0;
        for (int k = 0; k < n; k++) {
            double complex w = newton_step(n, z[k]), sum = 0;
            for (int j = 0; j < n; j++)
                if (j != k)
                    sum += 1 / (z[k] - z[j]);
            w /= 1 - w * sum;
            z[k] -= w;
            most = fmax(most, cabs(w) / cabs(z[k]));
        }
        if (most < 1e-15)
            break;
    }
    for (int k = 1; k <= n; k++) /* (2 n)! / (2^n n!), the product of the odd numbers */
        scale *= pow(2 * k - 1, 1.0 / n);
    for (int k = 0; k < n; k++)
        if (2 * k + 1 == n || cimag(z[k]) > 0)
            agni_roots_add(&f->p,
                           2 * k + 1 == n ? agni_root(creal(z[k]) / scale, 0) : z[k] / scale);
    f->k = 1;
}

agn_status agni_iir_prototype(agni_zpk *f, const char *op, const agn_signal_iir_options *a)
{
    *f = (agni_zpk){.k = 0};
    switch (a->family) {
    case AGN_IIR_BUTTERWORTH:
        set_butterworth(f, a->order);
        break;
    case AGN_IIR_CHEBYSHEV:
        set_chebyshev(f, a->order, a->ripple);
        break;
    case AGN_IIR_INVERSE_CHEBYSHEV:
        set_inverse_chebyshev(f, a->order, a->attenuation);
        break;
    case AGN_IIR_ELLIPTIC:
        return set_elliptic(f, op, a->order, a->ripple, a->attenuation);
    default:
        set_bessel(f, a->order);
    }
    return AGN_OK;
}
