/* fft/hankel.c - Hankel transforms: of samples that are equidistant in the logarithm by FFTLog
   (Hamilton, Mon. Not. R. Astron. Soc. 312, 2000), of samples at zeros of a Bessel function by a
   matrix (Lemoine, J. Chem. Phys. 101, 1994). */
#include "fft/fft.h"

#include <agnesi/ag.h>
#include <math.h>

#define PI 3.14159265358979323846
#define LN2 0.69314718055994530942

/* log Gamma by Stirling's series, from x + iy moved to a real part of 8 and more: DLMF 5.11.1 */
static void log_gamma(double x, double y, double *re, double *im)
{
    static const double b[] = {1.0 / 12,       -1.0 / 360,      1.0 / 1260,  -1.0 / 1680,
                               1.0 / 1188,     -691.0 / 360360, 1.0 / 156,   -3617.0 / 122400};
    double ar = 0, ai = 0;
    for (; x < 12; x++) { /* log Gamma(z) = log Gamma(z + 1) - log z */
        ar -= log(hypot(x, y));
        ai -= atan2(y, x);
    }
    double lr = log(hypot(x, y)), li = atan2(y, x), r2 = x * x + y * y;
    ar += (x - 0.5) * lr - y * li - x + 0.5 * log(2 * PI);
    ai += (x - 0.5) * li + y * lr - y;
    double pr = x / r2, pi = -y / r2, qr = pr * pr - pi * pi, qi = 2 * pr * pi; /* 1/z, 1/z^2 */
    for (int k = 0; k < 8; k++) {
        ar += b[k] * pr;
        ai += b[k] * pi;
        double t = pr * qr - pi * qi;
        pi = pr * qi + pi * qr;
        pr = t;
    }
    *re = ar;
    *im = ai;
}

/* coefficients of the n / 2 + 1 bins, as pairs; the conjugate's reciprocal where inverse */
static void make_coefficients(double *u, int64_t n, double dln, double mu, double offset,
                              double bias, bool inverse)
{
    double xp = (mu + 1 + bias) / 2, xm = (mu + 1 - bias) / 2;
    for (int64_t k = 0; k <= n / 2; k++) {
        double y = 2 * PI * (double)k / ((double)n * dln) / 2, pr, pi, mr, mi;
        log_gamma(xp, y, &pr, &pi);
        log_gamma(xm, y, &mr, &mi);
        /* Gamma(xp + iy) / Gamma(xm - iy) 2^(bias + 2 i y) exp(-2 i y offset) */
        double size = exp(pr - mr + LN2 * bias), angle = pi + mi + 2 * y * (LN2 - offset);
        if (inverse)
            size = 1 / size;
        u[2 * k] = size * cos(angle);
        u[2 * k + 1] = 2 * k == n || k == 0 ? 0 : size * sin(angle);
    }
}

static agn_status transform_hankel(agn_tensor **out, const char *op, const agn_tensor *x,
                                   double dln, double mu, double offset, double bias, bool inverse)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                         agni_dtypes[x->dtype].name);
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds the samples", op,
                         AGNI_SHAPE(x));
    int64_t n = x->shape[x->ndim - 1];
    double xp = (mu + 1 + bias) / 2, xm = (mu + 1 - bias) / 2;
    bool pole = (xp <= 0 && xp == floor(xp)) || (xm <= 0 && xm == floor(xm));
    if (!(dln > 0) || !isfinite(dln) || !isfinite(mu) || !isfinite(offset) || !isfinite(bias) ||
        pole)
        return agni_fail(AGN_EARG, "%s: dln is %g, mu %g, offset %g, bias %g; dln is positive, and "
                                   "(mu + 1 +- bias) / 2 no pole of the gamma function",
                         op, dln, mu, offset, bias);
    size_t bytes = (size_t)(n / 2 + 1) * 2 * sizeof(double) + (size_t)n * 2 * sizeof(double);
    double *u = agni_alloc(bytes);
    if (!u)
        return agni_nomem(op, bytes);
    double *before = u + 2 * (n / 2 + 1), *after = before + n;
    make_coefficients(u, n, dln, mu, offset, bias, inverse);
    for (int64_t j = 0; j < n; j++) {
        double at = ((double)j - (double)(n - 1) / 2) * dln;
        before[j] = inverse ? exp(bias * (at + offset)) : exp(-bias * at);
        after[j] = inverse ? exp(bias * at) : exp(-bias * (at + offset));
    }
    agn_scope *s = agn_scope_open(NULL);
    int real = x->dtype == AGN_F32 || x->dtype == AGN_F16 || x->dtype == AGN_BF16 ? AGN_F32
                                                                                  : AGN_F64;
    const agn_tensor *y = agni_cast(s, x, real);
    if (y && bias != 0)
        y = ag_mul(s, y, agni_fft_constant(s, real, n, before));
    y = ag_fft_rfft(s, y, 0, -1, AGN_FFT_BACKWARD);
    y = ag_mul(s, y, agni_fft_constant(s, real == AGN_F32 ? AGN_C64 : AGN_C128, n / 2 + 1, u));
    y = ag_fft_irfft(s, y, n, -1, AGN_FFT_BACKWARD);
    y = ag_flip(s, y, &(int32_t){-1}, 1);
    if (y && bias != 0)
        y = ag_mul(s, y, agni_fft_constant(s, real, n, after));
    agni_free(u);
    return agni_return(op, s, out, y);
}

agn_status agn_fft_fht(agn_tensor **out, const agn_tensor *x, double dln, double mu, double offset,
                       double bias)
{
    return transform_hankel(out, "fft_fht", x, dln, mu, offset, bias, false);
}

agn_status agn_fft_ifht(agn_tensor **out, const agn_tensor *x, double dln, double mu, double offset,
                        double bias)
{
    return transform_hankel(out, "fft_ifht", x, dln, mu, offset, bias, true);
}

agn_status agn_fft_fht_offset(double *out, double dln, double mu, double initial, double bias)
{
    if (!out)
        return agni_fail(AGN_ENULL, "fft_fht_offset: out is NULL");
    if (!(dln > 0) || !isfinite(dln) || !isfinite(mu) || !isfinite(initial) || !isfinite(bias))
        return agni_fail(AGN_EARG, "fft_fht_offset: dln is %g, mu %g, initial %g, bias %g; dln is "
                                   "positive, all are finite",
                         dln, mu, initial, bias);
    double y = PI / (2 * dln), re, ip, im;
    log_gamma((mu + 1 + bias) / 2, y, &re, &ip);
    log_gamma((mu + 1 - bias) / 2, y, &re, &im);
    double at = (LN2 - initial) / dln + (ip + im) / PI;
    *out = initial + (at - rint(at)) * dln;
    return AGN_OK;
}

/* ---- at the zeros of a Bessel function ------------------------------------------------------ */

enum { MOST_ZEROS = 4096, MOST_ORDER = 1000 };

/* The zeros of J_order in order: the first lies beyond order + 1.8557 order^(1/3), DLMF 10.21.40,
   neighbours are more than 3 apart. Newton's steps stay between the ends, whose signs differ. */
static void find_zeros(double *zero, int64_t n, int order)
{
    double at = order ? order + 1.8 * cbrt(order) : 1;
    for (int64_t i = 0; i < n; i++) {
        double lo = at, sign = jn(order, lo), hi = lo + 0.5;
        while (sign * jn(order, hi) > 0) {
            lo = hi;
            hi += 0.5;
        }
        double x = (lo + hi) / 2;
        for (int k = 0; k < 60; k++) {
            double f = jn(order, x), slope = order ? jn(order - 1, x) - order / x * f : -j1(x);
            *(sign * f > 0 ? &lo : &hi) = x;
            double next = x - f / slope;
            next = next > lo && next < hi ? next : (lo + hi) / 2;
            if (fabs(next - x) <= 1e-16 * x)
                break;
            x = next;
        }
        zero[i] = x;
        at = x + 3;
    }
}

static agn_status check_hankel(const char *op, int64_t n, int32_t order, double reach)
{
    return order < 0 || order > MOST_ORDER || !(reach > 0) || !isfinite(reach)
               ? agni_fail(AGN_EARG,
                           "%s: order %d and a reach of %g for %lld samples; orders are 0 to "
                           "%d, the reach is positive",
                           op, order, reach, (long long)n, MOST_ORDER)
               : AGN_OK;
}

agn_status agn_fft_hankel(agn_tensor **out, const agn_tensor *x, int32_t order, double reach)
{
    static const char op[] = "fft_hankel";
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s, a real dtype is needed", op,
                         agni_dtypes[x->dtype].name);
    int64_t n = x->ndim ? x->shape[x->ndim - 1] : 0;
    if (n < 1 || n > MOST_ZEROS)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds 1 to %d samples", op,
                         AGNI_SHAPE(x), MOST_ZEROS);
    agn_status st = check_hankel(op, n, order, reach);
    if (st)
        return st;
    size_t bytes = (size_t)(n * n + n + 1) * sizeof(double);
    double *v = agni_alloc(bytes);
    if (!v)
        return agni_nomem(op, bytes);
    double *zero = v + n * n;
    find_zeros(zero, n + 1, order);
    double last = zero[n];
    for (int64_t j = 0; j < n; j++) { /* x in rows times v: rows of v are samples */
        double next = jn(order + 1, zero[j]),
               scale = 2 * (reach / last) * (reach / last) / (next * next);
        for (int64_t i = 0; i < n; i++)
            v[j * n + i] = scale * jn(order, zero[i] * zero[j] / last);
    }
    agn_tensor *wide = NULL;
    agn_scope *s = agn_scope_open(NULL);
    int real = x->dtype == AGN_F32 || x->dtype == AGN_F16 || x->dtype == AGN_BF16 ? AGN_F32
                                                                                  : AGN_F64;
    st = agn_scope_status(s);
    if (!st)
        st = agn_from_host(&wide, AGN_F64, 2, (int64_t[]){n, n}, v);
    agni_free(v);
    const agn_tensor *m = agni_cast(s, agni_adopt_constant(s, st, wide), real);
    return agni_return(op, s, out, ag_matmul(s, agni_cast(s, x, real), m));
}

agn_status agn_fft_hankel_points(agn_tensor **r, agn_tensor **k, int64_t n, int32_t order,
                                 double reach)
{
    static const char op[] = "fft_hankel_points";
    if (!r || !k)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, r ? "k" : "r");
    if (n < 1 || n > MOST_ZEROS)
        return agni_fail(AGN_EARG, "%s: %lld samples; they are 1 to %d", op, (long long)n,
                         MOST_ZEROS);
    agn_status st = check_hankel(op, n, order, reach);
    if (st)
        return st;
    size_t bytes = (size_t)(3 * n + 1) * sizeof(double);
    double *v = agni_alloc(bytes);
    if (!v)
        return agni_nomem(op, bytes);
    double *zero = v + 2 * n;
    find_zeros(zero, n + 1, order);
    for (int64_t i = 0; i < n; i++) {
        v[i] = reach * (zero[i] / zero[n]);
        v[n + i] = zero[i] / reach;
    }
    agn_tensor *a = NULL, *b = NULL;
    st = agn_from_host(&a, AGN_F64, 1, &n, v);
    if (!st)
        st = agn_from_host(&b, AGN_F64, 1, &n, v + n);
    agni_free(v);
    if (st) {
        agn_release(a);
        return st;
    }
    *r = a;
    *k = b;
    return AGN_OK;
}
