/* fft/signal/design/fir.c - filters of finite length and linear phase: windowed sums of sines over
   frequency, and the least weighted mean square (Oppenheim & Schafer 2010, 7.5; Parks & Burrus
   1987). */
#include "fft/signal/signal.h"

#include <agnesi/linalg.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { MOST_TAPS = 1 << 20, MOST_LEAST_SQUARES = 4095 };

/* edges that rise, from least (allowed where at_ends) to half the rate; half in *half */
static agn_status check_edges(const char *op, const double *edges, int32_t n, double rate,
                              bool at_ends, double *half)
{
    if (!edges)
        return agni_fail(AGN_ENULL, "%s: edges is NULL", op);
    *half = rate == 0 ? 1 : rate / 2;
    if (n < 1 || !(*half > 0) || !isfinite(*half))
        return agni_fail(AGN_EARG,
                         "%s: %d edges at a rate of %g; there is one at least, the rate positive",
                         op, n, rate);
    for (int32_t k = 0; k < n; k++) {
        bool inside = at_ends ? edges[k] >= 0 && edges[k] <= *half
                              : edges[k] > 0 && edges[k] < *half;
        if (!inside || (k && !(edges[k] > edges[k - 1])))
            return agni_fail(AGN_EARG,
                             "%s: edge %d is %g; edges rise, between 0 and %g, half the rate", op,
                             k, edges[k], *half);
    }
    return AGN_OK;
}

static double sinc_value(double x)
{
    return x == 0 ? 1 : sin(PI * x) / (PI * x);
}

/* h times the window, scaled to 1 in the middle of the first band that passes */
static agn_status finish_window(agn_tensor **out, double *h, int64_t n, const double *w, double at,
                                bool scale)
{
    double mid = (double)(n - 1) / 2, sum = 0;
    for (int64_t k = 0; k < n; k++) {
        h[k] *= w[k];
        sum += h[k] * cos(PI * ((double)k - mid) * at);
    }
    for (int64_t k = 0; scale && k < n; k++)
        h[k] /= sum;
    return agn_from_host(out, AGN_F64, 1, &n, h);
}

agn_status agn_signal_design_fir(agn_tensor **out, int64_t taps, const double *edges,
                                 int32_t n_edges, const agn_signal_fir_options *opts)
{
    static const char op[] = "signal_design_fir";
    agn_signal_fir_options a = {.size = sizeof a};
    double half;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (agni_check_size(op, agn_signal_fir_options, opts))
        return AGN_EARG;
    if (opts)
        a = *opts;
    agn_status st = check_edges(op, edges, n_edges, a.rate, false, &half);
    if (st)
        return st;
    bool to_end = (n_edges % 2 == 0) != a.stop_zero;
    if (taps < 1 || taps > MOST_TAPS || (to_end && taps % 2 == 0))
        return agni_fail(
            AGN_EARG,
            "%s: %lld taps; there are 1 to %d, an odd number where half the rate (%g) passes", op,
            (long long)taps, MOST_TAPS, half);
    if (a.window && (a.window->ndim != 1 || a.window->size != taps))
        return agni_fail(AGN_ESHAPE, "%s: the window is %s; the filter has %lld taps", op,
                         AGNI_SHAPE(a.window), (long long)taps);
    if (a.window && agni_kind(a.window->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the window is %s %s; it must be real", op,
                         agni_dtypes[a.window->dtype].name, AGNI_SHAPE(a.window));
    agn_tensor *w = NULL;
    const void *wv = NULL;
    if (a.window) {
        agn_tensor *wide = NULL;
        st = agn_cast(&wide, a.window, AGN_F64);
        if (!st)
            st = agn_contiguous(&w, wide);
        agn_release(wide);
    } else {
        st = agn_signal_window(&w, AGN_WINDOW_HAMMING, AGN_F64, taps, NULL, 0, true);
    }
    double *h = st ? NULL : agni_alloc((size_t)taps * sizeof *h), first = 0;
    if (!st && !h)
        st = agni_nomem(op, (size_t)taps * sizeof *h);
    if (!st)
        st = agn_data_contiguous(&wv, w);
    if (!st) {
        for (int64_t k = 0; k < taps; k++) {
            double t = (double)k - (double)(taps - 1) / 2;
            h[k] = 0;
            /* bands that pass: from edge e - 1 to edge e, 0 before and half the rate behind */
            for (int32_t e = a.stop_zero ? 1 : 0; e <= n_edges; e += 2) {
                double lo = e ? edges[e - 1] / half : 0, hi = e < n_edges ? edges[e] / half : 1;
                h[k] += hi * sinc_value(hi * t) - lo * sinc_value(lo * t);
            }
        }
        if (a.stop_zero) {
            double hi = n_edges > 1 ? edges[1] / half : 1;
            first = hi == 1 ? 1 : (edges[0] / half + hi) / 2;
        }
        st = finish_window(out, h, taps, wv, first, !a.unscaled);
    }
    agni_free(h);
    agn_release(w);
    return st;
}

/* ---- least squares -------------------------------------------------------------------------- */

/* integrals over bands of weight cos(pi n f) and weight D(f) cos(pi n f), D linear from d[0] to
   d[1] */
static void integrate_bands(double *q, double *b, int64_t m, const double *edges,
                            const double *desired, const double *weights, int32_t bands,
                            double half)
{
    for (int64_t n = 0; n <= 2 * m; n++) {
        q[n] = 0;
        if (n <= m)
            b[n] = 0;
        for (int32_t k = 0; k < bands; k++) {
            double w = weights ? weights[k] : 1, slope = (desired[2 * k + 1] - desired[2 * k]) /
                                                         ((edges[2 * k + 1] - edges[2 * k]) / half);
            for (int e = 0; e < 2; e++) {
                double f = edges[2 * k + e] / half, sign = e ? w : -w, pn = PI * (double)n;
                double start = desired[2 * k] - slope * edges[2 * k] / half;
                q[n] += sign * f * sinc_value(f * (double)n);
                if (n == 0)
                    b[n] += sign * (slope * f / 2 + start) * f;
                else if (n <= m)
                    b[n] += sign * ((slope * f + start) * sin(pn * f) / pn +
                                    slope * cos(pn * f) / (pn * pn));
            }
        }
    }
}

agn_status agn_signal_design_fir_least_squares(agn_tensor **out, int64_t taps, const double *edges,
                                               const double *desired, const double *weights,
                                               int32_t bands, double rate)
{
    static const char op[] = "signal_design_fir_least_squares";
    double half;
    if (!out || !desired)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "desired" : "out");
    if (bands < 1 || bands > 1 << 16)
        return agni_fail(AGN_EARG, "%s: %d bands; there are 1 to %d", op, bands, 1 << 16);
    agn_status st = check_edges(op, edges, 2 * bands, rate, true, &half);
    if (!st && (taps < 1 || taps > MOST_LEAST_SQUARES || taps % 2 == 0))
        st = agni_fail(AGN_EARG, "%s: %lld taps; an odd number of them, 1 to %d", op,
                       (long long)taps, MOST_LEAST_SQUARES);
    for (int32_t k = 0; !st && k < 2 * bands; k++)
        if (!isfinite(desired[k]) ||
            (weights && k < bands && !(weights[k] > 0 && isfinite(weights[k]))))
            st = agni_fail(
                AGN_EARG, "%s: entry %d: the gain wanted is %g; gains are finite, weights positive",
                op, k, desired[k]);
    if (st)
        return st;
    int64_t m = (taps - 1) / 2, size = (m + 1) * (m + 1);
    double *q = agni_alloc((size_t)(size + 3 * m + 2 + taps) * sizeof *q);
    if (!q)
        return agni_nomem(op, (size_t)(size + 3 * m + 2 + taps) * sizeof *q);
    double *b = q + 2 * m + 1, *a = b + m + 1, *h = a + size;
    integrate_bands(q, b, m, edges, desired, weights, bands, half);
    for (int64_t i = 0; i <= m; i++)
        for (int64_t j = 0; j <= m; j++)
            a[i * (m + 1) + j] = q[i < j ? j - i : i - j] + q[i + j];
    agn_tensor *left = NULL, *right = NULL, *x = NULL;
    const void *xv = NULL;
    st = agn_from_host(&left, AGN_F64, 2, (int64_t[]){m + 1, m + 1}, a);
    if (!st)
        st = agn_from_host(&right, AGN_F64, 1, (int64_t[]){m + 1}, b);
    if (!st)
        st = agni_rename_error(op, agn_linalg_lstsq(&x, left, right));
    if (!st)
        st = agn_data_contiguous(&xv, x);
    if (!st) {
        for (int64_t k = 0; k < taps; k++)
            h[k] = ((const double *)xv)[k < m ? m - k : k - m] * (k == m ? 2 : 1);
        st = agn_from_host(out, AGN_F64, 1, &taps, h);
    }
    agn_release(left);
    agn_release(right);
    agn_release(x);
    agni_free(q);
    return st;
}
