/* fft/signal/windows.c - window functions (Harris 1978, and as named below): symmetric ones over n
   points, periodic ones the first n of n + 1. */
#include "fft/signal/signal.h"

#include <math.h>

#define PI 3.14159265358979323846

/* one window of m points, symmetric; p: its parameters */
typedef agn_status make_window(double *w, int64_t m, const double *p, int32_t n_p);

static agn_status sum_cosines(double *w, int64_t m, const double *a, int32_t n)
{
    for (int64_t k = 0; k < m; k++) {
        double t = m > 1 ? 2 * PI * (double)k / (double)(m - 1) - PI : 0, sum = 0;
        for (int32_t j = n - 1; j >= 0; j--)
            sum += a[j] * cos(j * t);
        w[k] = sum;
    }
    return AGN_OK;
}

#define COSINES(name, ...)                                                                     \
    static agn_status name(double *w, int64_t m, const double *p, int32_t n_p)                 \
    {                                                                                          \
        static const double a[] = {__VA_ARGS__};                                               \
        (void)p;                                                                               \
        (void)n_p;                                                                             \
        return sum_cosines(w, m, a, (int32_t)(sizeof a / sizeof *a));                          \
    }
COSINES(blackman, 0.42, 0.5, 0.08)
COSINES(hamming, 0.54, 0.46)
COSINES(hann, 0.5, 0.5)
COSINES(flat_top, 0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)
COSINES(blackman_harris, 0.35875, 0.48829, 0.14128, 0.01168)
COSINES(nuttall, 0.3635819, 0.4891775, 0.1365995, 0.0106411)

static agn_status general_cosine(double *w, int64_t m, const double *p, int32_t n_p)
{
    return sum_cosines(w, m, p, n_p);
}

static agn_status general_hamming(double *w, int64_t m, const double *p, int32_t n_p)
{
    (void)n_p;
    return sum_cosines(w, m, (double[]){p[0], 1 - p[0]}, 2);
}

/* a window by its value at u in [-1, 1], or at the distance d = |k - (m - 1) / 2| from the
   middle */
#define BY_PLACE(name, expression)                                                             \
    static agn_status name(double *w, int64_t m, const double *p, int32_t n_p)                 \
    {                                                                                          \
        (void)p;                                                                               \
        (void)n_p;                                                                             \
        for (int64_t k = 0; k < m; k++) {                                                      \
            double mid = (double)(m - 1) / 2, d = fabs((double)k - mid), u = mid > 0 ? d / mid : 0; \
            (void)u;                                                                           \
            w[k] = expression;                                                                 \
        }                                                                                      \
        return AGN_OK;                                                                         \
    }
BY_PLACE(boxcar, 1)
BY_PLACE(triangle, 1 - d / (m % 2 ? (double)(m + 1) / 2 : (double)m / 2))
BY_PLACE(bartlett, 1 - u)
BY_PLACE(parzen, 2 * d / (double)m <= 0.5
                     ? 1 - 6 * pow(2 * d / (double)m, 2) * (1 - 2 * d / (double)m)
                     : 2 * pow(1 - 2 * d / (double)m, 3))
BY_PLACE(bohman, u >= 1 ? 0 : (1 - u) * cos(PI * u) + sin(PI * u) / PI)
BY_PLACE(bartlett_hann, 0.62 - 0.48 * u / 2 + 0.38 * cos(PI * u))
BY_PLACE(cosine, cos(PI * d / (double)m))
BY_PLACE(exponential, exp(-d / p[0]))
BY_PLACE(lanczos, u > 0 ? sin(PI * u) / (PI * u) : 1)
BY_PLACE(gaussian, exp(-d * d / (2 * p[0] * p[0])))
BY_PLACE(general_gaussian, exp(-0.5 * pow(d / p[1], 2 * p[0])))
BY_PLACE(tukey, p[0] <= 0 ? 1
                : u <= 1 - p[0]
                    ? 1
                    : 0.5 * (1 + cos(PI * ((p[0] < 1 ? u - 1 + p[0] : u) / (p[0] < 1 ? p[0] : 1)))))

/* I_0 by its power series: all terms are positive */
static double bessel_i0(double x)
{
    double term = 1, sum = 1, q = x * x / 4;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= q / ((double)k * (double)k);
        sum += term;
    }
    return sum;
}

BY_PLACE(kaiser, bessel_i0(p[0] * sqrt(u < 1 ? 1 - u * u : 0)) / bessel_i0(p[0]))

/* half as many sums of a Kaiser window, and their mirror image (Bosi & Goldberg 2003) */
static agn_status kaiser_derived(double *w, int64_t m, const double *p, int32_t n_p)
{
    if (m % 2)
        return agni_fail(AGN_EARG,
                         "signal_window: a Kaiser-Bessel derived window of %lld points; it has an "
                         "even number",
                         (long long)m);
    int64_t h = m / 2;
    double *v = agni_alloc((size_t)(h + 1) * sizeof *v), sum = 0, total = 0;
    if (!v)
        return agni_nomem("signal_window", (size_t)(h + 1) * sizeof *v);
    kaiser(v, h + 1, p, n_p);
    for (int64_t k = 0; k <= h; k++)
        total += v[k];
    for (int64_t k = 0; k < h; k++) {
        sum += v[k];
        w[k] = w[m - 1 - k] = sqrt(sum / total);
    }
    agni_free(v);
    return AGN_OK;
}

/* n side lobes at -level dB (Carrara & Goodman 1995); p: nbar, level, 0 or 1 for a peak of 1 */
static agn_status fill_taylor(double *w, int64_t m, const double *p, int32_t n_p)
{
    int nbar = (int)p[0];
    double a = acosh(pow(10, p[1] / 20)) / PI,
           s2 = nbar * nbar / (a * a + (nbar - 0.5) * (nbar - 0.5));
    double f[64], peak = 1;
    (void)n_p;
    for (int i = 1; i < nbar; i++) {
        double top = i % 2 ? 1 : -1, bottom = 2;
        for (int j = 1; j < nbar; j++) {
            top *= 1 - i * i / (s2 * (a * a + (j - 0.5) * (j - 0.5)));
            if (j != i)
                bottom *= 1 - (double)(i * i) / (j * j);
        }
        f[i] = top / bottom;
        peak += 2 * f[i];
    }
    for (int64_t k = 0; k < m; k++) {
        double sum = 1, t = 2 * PI * ((double)k - (double)m / 2 + 0.5) / (double)m;
        for (int i = 1; i < nbar; i++)
            sum += 2 * f[i] * cos(i * t);
        double mid = 1; /* at the middle, which even numbers of points do not have */
        for (int i = 1; i < nbar; i++)
            mid += 2 * f[i] *
                   cos(2 * PI * i * ((double)(m - 1) / 2 - (double)m / 2 + 0.5) / (double)m);
        w[k] = p[2] != 0 ? sum / mid : sum;
    }
    (void)peak;
    return AGN_OK;
}

/* side lobes of one height: the transform of a Chebyshev polynomial (Dolph 1946) */
static agn_status fill_chebyshev(double *w, int64_t m, const double *p, int32_t n_p)
{
    double order = (double)(m - 1), beta = cosh(acosh(pow(10, fabs(p[0]) / 20)) / order), most = 0;
    (void)n_p;
    if (m == 1) {
        w[0] = 1;
        return AGN_OK;
    }
    for (int64_t j = 0; j < (m + 1) / 2; j++) {
        double sum = 0, at = (double)j - order / 2; /* from the middle, which is the peak */
        for (int64_t k = 0; k < m; k++) {
            double x = beta * cos(PI * (double)k / (double)m);
            double t = x > 1 ? cosh(order * acosh(x))
                       : x < -1 ? (m % 2 ? 1 : -1) * cosh(order * acosh(-x))
                                : cos(order * acos(x));
            sum += t * cos(2 * PI * (double)k * at / (double)m);
        }
        w[j] = w[m - 1 - j] = sum;
        most = sum > most ? sum : most;
    }
    for (int64_t j = 0; j < m; j++)
        w[j] /= most;
    return AGN_OK;
}

/* how many eigenvalues of the tridiagonal matrix lie below x (Sturm; Golub & Van Loan 2013, 8.4) */
static int64_t count_below(const double *d, const double *e2, int64_t m, double x)
{
    int64_t n = 0;
    double q = 1;
    for (int64_t k = 0; k < m; k++) {
        q = d[k] - x - (k ? e2[k] / q : 0);
        if (q == 0)
            q = 1e-300;
        n += q < 0;
    }
    return n;
}

/* the sequence that is most concentrated within a band (Slepian 1978): the eigenvector of the
   largest eigenvalue, by bisection and inverse iteration */
static agn_status fill_slepian(double *w, int64_t m, const double *p, int32_t n_p)
{
    double *d = agni_alloc((size_t)(4 * m) * sizeof *d);
    double lo = 0, hi = 0, most = 0, band = cos(2 * PI * p[0] / (double)m);
    (void)n_p;
    if (!d)
        return agni_nomem("signal_window", (size_t)(4 * m) * sizeof *d);
    double *e2 = d + m, *u = d + 2 * m, *l = d + 3 * m;
    for (int64_t k = 0; k < m; k++) {
        double mid = (double)(m - 1 - 2 * k) / 2, e = (double)(k * (m - k)) / 2;
        d[k] = mid * mid * band;
        e2[k] = e * e;
        hi = fmax(hi, fabs(d[k]) + 2 * (double)m * (double)m);
        w[k] = 1;
    }
    lo = -hi;
    for (int i = 0; i < 200 && hi - lo > 1e-15 * fabs(hi); i++) {
        double x = (lo + hi) / 2;
        if (count_below(d, e2, m, x) >= m)
            hi = x;
        else
            lo = x;
    }
    for (int i = 0; i < 4; i++) { /* LU without pivots just above the spectrum: negative definite */
        double x = hi + 1e-13 * fabs(hi) + 1e-300;
        for (int64_t k = 0; k < m; k++) {
            double e = sqrt(e2[k]);
            l[k] = k ? e / u[k - 1] : 0;
            u[k] = d[k] - x - (k ? l[k] * e : 0);
            w[k] -= k ? l[k] * w[k - 1] : 0;
        }
        double norm = 0;
        for (int64_t k = m - 1; k >= 0; k--) {
            w[k] = (w[k] - (k + 1 < m ? sqrt(e2[k + 1]) * w[k + 1] : 0)) / u[k];
            norm = fmax(norm, fabs(w[k]));
        }
        for (int64_t k = 0; k < m; k++)
            w[k] /= norm;
    }
    for (int64_t k = 0; k < m; k++)
        w[k] = fabs(w[k]);
    for (int64_t k = 0; k < m / 2; k++)
        w[k] = w[m - 1 - k] = (w[k] + w[m - 1 - k]) / 2;
    for (int64_t k = 0; k < m; k++)
        most = fmax(most, w[k]);
    /* the peak of even numbers of points lies between two */
    double peak = m % 2 ? 1 : (double)m * (double)m / ((double)m * (double)m + p[0]);
    for (int64_t k = 0; k < m; k++)
        w[k] *= peak / most;
    agni_free(d);
    return AGN_OK;
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct {
    make_window *make;
    int32_t least, most; /* parameters */
    bool even;           /* of an even number of points, never periodic */
} windows[] = {
    [AGN_WINDOW_HANN] = {hann, 0, 0, false},
    [AGN_WINDOW_BOXCAR] = {boxcar, 0, 0, false},
    [AGN_WINDOW_TRIANGLE] = {triangle, 0, 0, false},
    [AGN_WINDOW_BARTLETT] = {bartlett, 0, 0, false},
    [AGN_WINDOW_HAMMING] = {hamming, 0, 0, false},
    [AGN_WINDOW_BLACKMAN] = {blackman, 0, 0, false},
    [AGN_WINDOW_BLACKMAN_HARRIS] = {blackman_harris, 0, 0, false},
    [AGN_WINDOW_NUTTALL] = {nuttall, 0, 0, false},
    [AGN_WINDOW_FLAT_TOP] = {flat_top, 0, 0, false},
    [AGN_WINDOW_BARTLETT_HANN] = {bartlett_hann, 0, 0, false},
    [AGN_WINDOW_BOHMAN] = {bohman, 0, 0, false},
    [AGN_WINDOW_COSINE] = {cosine, 0, 0, false},
    [AGN_WINDOW_PARZEN] = {parzen, 0, 0, false},
    [AGN_WINDOW_LANCZOS] = {lanczos, 0, 0, false},
    [AGN_WINDOW_EXPONENTIAL] = {exponential, 1, 1, false},
    [AGN_WINDOW_GAUSSIAN] = {gaussian, 1, 1, false},
    [AGN_WINDOW_GENERAL_GAUSSIAN] = {general_gaussian, 2, 2, false},
    [AGN_WINDOW_GENERAL_COSINE] = {general_cosine, 1, 64, false},
    [AGN_WINDOW_GENERAL_HAMMING] = {general_hamming, 1, 1, false},
    [AGN_WINDOW_TUKEY] = {tukey, 1, 1, false},
    [AGN_WINDOW_KAISER] = {kaiser, 1, 1, false},
    [AGN_WINDOW_KAISER_DERIVED] = {kaiser_derived, 1, 1, true},
    [AGN_WINDOW_TAYLOR] = {fill_taylor, 3, 3, false},
    [AGN_WINDOW_CHEBYSHEV] = {fill_chebyshev, 1, 1, false},
    [AGN_WINDOW_SLEPIAN] = {fill_slepian, 1, 1, false},
};
enum { WINDOWS = sizeof windows / sizeof *windows };

static agn_status check_parameters(int32_t kind, int64_t n, const double *p, int32_t n_p)
{
    static const char op[] = "signal_window";
    if (kind < 0 || kind >= WINDOWS)
        return agni_fail(AGN_EARG, "%s: there is no window %d; there are 0 to %d", op, kind,
                         WINDOWS - 1);
    if (n_p < windows[kind].least || n_p > windows[kind].most || (n_p && !p))
        return agni_fail(AGN_EARG, "%s: window %d takes %d parameters, got %d", op, kind,
                         windows[kind].least, p ? n_p : 0);
    bool positive = kind == AGN_WINDOW_EXPONENTIAL || kind == AGN_WINDOW_GAUSSIAN ||
                    kind == AGN_WINDOW_GENERAL_GAUSSIAN || kind == AGN_WINDOW_SLEPIAN;
    for (int32_t k = 0; k < n_p; k++)
        if (!isfinite(p[k]) || (positive && p[k] <= 0))
            return agni_fail(AGN_EARG, "%s: parameter %d of window %d is %g", op, k, kind, p[k]);
    if (kind == AGN_WINDOW_SLEPIAN && n > 0 && p[0] >= (double)n / 2)
        return agni_fail(AGN_EARG, "%s: a band of %g in %lld points; it is below half of them", op,
                         p[0], (long long)n);
    if (kind == AGN_WINDOW_TAYLOR && (p[0] < 1 || p[0] > 63 || p[0] != floor(p[0])))
        return agni_fail(AGN_EARG, "%s: %g side lobes; there are 1 to 63", op, p[0]);
    if ((kind == AGN_WINDOW_KAISER || kind == AGN_WINDOW_KAISER_DERIVED) && fabs(p[0]) > 700)
        return agni_fail(AGN_EARG, "%s: beta is %g; it is at most 700", op, p[0]);
    return AGN_OK;
}

agn_status agn_signal_window(agn_tensor **out, agn_window kind, agn_dtype dtype, int64_t n,
                             const double *params, int32_t n_params, bool symmetric)
{
    static const char op[] = "signal_window";
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: the dtype is %s; f32 or f64 is needed", op,
                         agn_dtype_name(dtype));
    agn_tensor *wide = NULL;
    agn_status st = check_parameters(kind, n, params, n_params);
    if (st)
        return st;
    if (n < 0 || n > INT64_MAX / 64)
        return agni_fail(n < 0 ? AGN_ESHAPE : AGN_ENOMEM, "%s: %lld points", op, (long long)n);
    bool whole = symmetric || windows[kind].even;
    int64_t m = n < 2 || whole ? n : n + 1;
    double *v = agni_alloc((size_t)(m ? m : 1) * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)m * sizeof *v);
    if (n == 1 && !windows[kind].even)
        v[0] = 1;
    else if (n)
        st = windows[kind].make(v, m, params, n_params);
    if (!st)
        st = agn_from_host(&wide, AGN_F64, 1, &n, v);
    agni_free(v);
    if (!st)
        st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}
