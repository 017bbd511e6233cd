/* fft/signal/design/sampled.c - filters of finite length from samples of their gains over frequency
   (Oppenheim & Schafer 2010, 7.5), and gammatone filters (Slaney 1993). */
#include "fft/signal/design/roots.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/signal_analysis.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { MOST_TAPS = 1 << 20 };

/* ---- gains at frequencies ----------------------------------------------------------------- */

static agn_status check_gains(const char *op, const double *f, const double *g, int32_t n,
                              double half)
{
    if (!(half > 0) || !isfinite(half))
        return agni_fail(AGN_EARG, "%s: half the rate is %g; it is positive", op, half);
    for (int32_t k = 0; k < n; k++) {
        bool falls = k && !(f[k] >= f[k - 1]), third = k > 1 && f[k] == f[k - 2],
             ends = (k == 0 && f[k] != 0) || (k == n - 1 && f[k] != half) ||
                    (k == 1 && f[k] == 0) || (k == n - 2 && f[k] == half);
        if (falls || third || ends || !isfinite(f[k]) || !isfinite(g[k]))
            return agni_fail(AGN_EARG,
                             "%s: entry %d: a gain of %g at %g; gains are finite, frequencies rise "
                             "from 0 to %g, twice the same at most, the ends once",
                             op, k, g[k], f[k], half);
    }
    return AGN_OK;
}

/* gains at m equidistant frequencies; where two are equal, a step a rounding error wide */
static void sample_gains(double *to, int64_t m, const double *f, const double *g, int32_t n,
                         double half)
{
    int32_t k = 0;
    for (int64_t i = 0; i < m; i++) {
        double at = i == m - 1 ? half : half / (double)(m - 1) * (double)i;
        for (; k < n - 2; k++) {
            double next = f[k + 1], eps = DBL_EPSILON * half;
            next += next == f[k + 2] ? -eps : next == f[k] ? eps : 0;
            if (at < next)
                break;
        }
        double lo = f[k], hi = f[k + 1], eps = DBL_EPSILON * half;
        lo += k && f[k - 1] == f[k] ? eps : f[k] == f[k + 1] ? -eps : 0;
        hi += f[k] == f[k + 1] ? eps : k + 2 < n && f[k + 2] == f[k + 1] ? -eps : 0;
        to[i] = g[k] + (g[k + 1] - g[k]) / (hi - lo) * (at - lo);
    }
}

static agn_status check_sampled_window(const char *op, const agn_tensor *w, int64_t taps)
{
    if (!w)
        return AGN_OK;
    if (w->ndim != 1 || w->size != taps)
        return agni_fail(AGN_ESHAPE, "%s: the window is %s; the filter has %lld taps", op,
                         AGNI_SHAPE(w), (long long)taps);
    return agni_kind(w->dtype) == AGNI_KIND_COMPLEX
               ? agni_fail(AGN_EDTYPE, "%s: the window is %s %s; it must be real", op,
                           agni_dtypes[w->dtype].name, AGNI_SHAPE(w))
               : AGN_OK;
}

agn_status agn_signal_design_fir_sampled(agn_tensor **out, int64_t taps, const double *frequencies,
                                         const double *gains, int32_t count, bool odd,
                                         const agn_signal_fir_options *opts)
{
    static const char op[] = "signal_design_fir_sampled";
    AGNI_NEED(op, out);
    AGNI_NEED(op, frequencies);
    AGNI_NEED(op, gains);
    if (agni_check_size(op, agn_signal_fir_options, opts))
        return AGN_EARG;
    double half = !opts || opts->rate == 0 ? 1 : opts->rate / 2;
    const agn_tensor *window = opts ? opts->window : NULL;
    if (taps < 3 || taps > MOST_TAPS || count < 2 || count > MOST_TAPS)
        return agni_fail(AGN_EARG,
                         "%s: %lld taps, %d gains; there are 3 and 2 at least, at most %d", op,
                         (long long)taps, count, MOST_TAPS);
    agn_status st = check_gains(op, frequencies, gains, count, half);
    if (!st && ((gains[0] != 0 && odd) || (gains[count - 1] != 0 && odd == (taps % 2 == 1))))
        st = agni_fail(AGN_EARG,
                       "%s: gains of %g and %g at the ends; of %lld %ssymmetric taps %s 0", op,
                       gains[0], gains[count - 1], (long long)taps, odd ? "anti" : "",
                       !odd       ? "the last is"
                       : taps % 2 ? "both are"
                                  : "the first is");
    if (!st)
        st = check_sampled_window(op, window, taps);
    if (st)
        return st;
    int64_t m = 1;
    while (m < taps)
        m *= 2;
    m++;
    double complex *z = agni_alloc((size_t)m * (sizeof *z + sizeof(double)));
    if (!z)
        return agni_nomem(op, (size_t)m * (sizeof *z + sizeof(double)));
    double *g = (double *)(z + m);
    sample_gains(g, m, frequencies, gains, count, half);
    for (int64_t k = 0; k < m; k++) {
        double turn = -(double)(taps - 1) / 2 * PI * (double)k / (double)(m - 1);
        z[k] = odd ? agni_root(-sin(turn) * g[k], cos(turn) * g[k])
                   : agni_root(cos(turn) * g[k], sin(turn) * g[k]);
    }
    agn_tensor *spectrum = NULL, *w = NULL;
    st = agn_from_host(&spectrum, AGN_C128, 1, &m, z);
    agni_free(z);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *h = ag_fft_irfft(s, agni_adopt_constant(s, st, spectrum), 0, -1,
                                       AGN_FFT_BACKWARD);
    if (!window) {
        st = agn_scope_status(s);
        if (!st)
            st = agn_signal_window(&w, AGN_WINDOW_HAMMING, AGN_F64, taps, NULL, 0, true);
        window = agni_adopt_constant(s, st, w);
    }
    h = ag_mul(s, h ? agni_signal_part(s, h, 0, taps) : NULL, ag_cast(s, window, AGN_F64));
    if (odd && taps % 2 && h) { /* exactly */
        const agn_tensor *parts[] = {agni_signal_part(s, h, 0, taps / 2),
                                     agni_full(s, 0, AGN_F64, 1, (int64_t[]){1}),
                                     agni_signal_part(s, h, taps / 2 + 1, taps / 2)};
        h = agn_scope_status(s) ? NULL : ag_concat(s, parts, 3, -1);
    }
    return agni_return(op, s, out, h);
}

/* ---- gammatone ---------------------------------------------------------------------------- */

/* t^(order-1) exp(-w t) cos(2 pi f t), of gain 1 at f */
static void sample_gammatone(double *b, int64_t taps, double f, double rate, double w, int order)
{
    double scale = 2 * pow(w, order) / rate;
    for (int k = 2; k < order; k++)
        scale /= k;
    for (int64_t k = 0; k < taps; k++) {
        double t = (double)k / rate;
        b[k] = scale * pow(t, order - 1) * exp(-w * t) * cos(2 * PI * f * t);
    }
}

/* four pairs of equal poles, four real zeros that differ in two numbers, the gain at f taken out */
static void place_gammatone(double *b, double *a, double f, double rate, double w)
{
    double turn = 2 * PI * f / rate, fade = exp(-w / rate), far[2], t4 = pow(rate, -4);
    double complex z = agni_root(cos(turn), sin(turn)), z2 = z * z, gain = 1;
    far[0] = sqrt(3 + 2 * sqrt(2)) * sin(turn);
    far[1] = sqrt(3 - 2 * sqrt(2)) * sin(turn);
    for (int k = 0; k < 4; k++) {
        double at = cos(turn) + (k % 2 ? 1 : -1) * far[k / 2];
        gain *= (2 * fade * z * at - 2 * z2) / rate;
    }
    double complex under = -2 * fade * fade - 2 * z2 + 2 * (1 + z2) * fade;
    gain /= under * under * under * under;
    t4 /= cabs(gain);
    static const double choose[] = {1, -4, 6, -4, 1};
    for (int k = 0; k < 5; k++)
        b[k] = choose[k] * t4 * cos(k * turn) * pow(fade, k);
    /* (1 - 2 fade cos z^-1 + fade^2 z^-2)^4 */
    double one[3] = {1, -2 * fade * cos(turn), fade * fade};
    a[0] = 1;
    for (int k = 1; k < 9; k++)
        a[k] = 0;
    for (int n = 0; n < 4; n++)
        for (int k = 2 * n + 2; k > 0; k--)
            a[k] += one[1] * a[k - 1] + (k > 1 ? one[2] * a[k - 2] : 0);
}

agn_status agn_signal_design_gammatone(agn_tensor **b, agn_tensor **a, double frequency,
                                       double rate, int32_t order, int64_t taps)
{
    static const char op[] = "signal_design_gammatone";
    agn_tensor *up = NULL, *down = NULL;
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    if (!(frequency > 0 && frequency < rate / 2) || !isfinite(rate) || order < 0 || order > 24 ||
        (order ? taps < 1 || taps > MOST_TAPS : taps != 0))
        return agni_fail(
            AGN_EARG,
            "%s: %g Hz at a rate of %g, order %d, %lld taps; frequencies lie between 0 "
            "and half the rate, orders are 0 to 24, taps 0 of order 0, else 1 to %d",
            op, frequency, rate, order, (long long)taps, MOST_TAPS);
    int64_t n = order ? taps : 5, m = order ? 1 : 9;
    double w = 2 * PI * 1.019 * (24.7 + frequency / 9.26449);
    double *v = agni_alloc((size_t)(n + m) * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)(n + m) * sizeof *v);
    v[n] = 1;
    if (order)
        sample_gammatone(v, n, frequency, rate, w, order);
    else
        place_gammatone(v, v + n, frequency, rate, w);
    agn_status st = agn_from_host(&up, AGN_F64, 1, &n, v);
    if (!st)
        st = agn_from_host(&down, AGN_F64, 1, &m, v + n);
    agni_free(v);
    if (st) {
        agn_release(up);
        return st;
    }
    *b = up;
    *a = down;
    return AGN_OK;
}

/* ---- two axes ----------------------------------------------------------------------------- */

/* places from -1 to 1, the middle of one alone */
static double place_of(int64_t k, int64_t n)
{
    return n > 1 ? 2 * (double)k / (double)(n - 1) - 1 : 0;
}

/* the taps [taps] read at each distance from the middle, linear between them */
static agn_status read_circles(agn_tensor **index, agn_tensor **part, const char *op, int64_t taps,
                               int64_t rows, int64_t columns)
{
    int64_t n = rows * columns, shape[] = {rows, columns};
    size_t size = (size_t)n * (sizeof(int64_t) + sizeof(double));
    int64_t *at = agni_alloc(size);
    if (!at)
        return agni_nomem(op, size);
    double *share = (double *)(at + n);
    for (int64_t i = 0; i < n; i++) {
        double r = hypot(place_of(i / columns, rows), place_of(i % columns, columns)),
               x = fmin(r, 1) * (double)(taps - 1);
        at[i] = (int64_t)x < taps - 1 ? (int64_t)x : taps > 1 ? taps - 2 : 0;
        share[i] = x - (double)at[i];
    }
    agn_status st = agn_from_host(index, AGN_I64, 2, shape, at);
    if (!st)
        st = agn_from_host(part, AGN_F64, 2, shape, share);
    agni_free(at);
    return st;
}

agn_status agn_signal_design_fir_2d(agn_tensor **out, const agn_tensor *row,
                                    const agn_tensor *column, int64_t rows, int64_t columns)
{
    static const char op[] = "signal_design_fir_2d";
    AGNI_NEED(op, out);
    AGNI_NEED(op, row);
    for (int k = 0; k < 2; k++) {
        const agn_tensor *h = k ? column : row;
        if (h && agni_kind(h->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: a filter is %s %s; a real dtype is needed", op,
                             agni_dtypes[h->dtype].name, AGNI_SHAPE(h));
        if (h && (h->ndim != 1 || !h->size))
            return agni_fail(AGN_ESHAPE, "%s: a filter is %s; it is [taps], of one at least", op,
                             AGNI_SHAPE(h));
    }
    if (rows < 1 || columns < 1 || rows > 1 << 20 || columns > 1 << 20 ||
        (column && (rows != column->size || columns != row->size)))
        return agni_fail(
            AGN_EARG, "%s: %lld times %lld of filters %s and %s; both are the taps, or 1 to 2^20",
            op, (long long)rows, (long long)columns, AGNI_SHAPE(row),
            column ? AGNI_SHAPE(column) : "none");
    agn_tensor *index = NULL, *part = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *h = agni_cast(s, row, AGN_F64);
    if (column)
        return agni_return(op, s, out, ag_outer(s, agni_cast(s, column, AGN_F64), h));
    agn_status st = read_circles(&index, &part, op, row->size, rows, columns);
    const agn_tensor *share = agni_adopt_constant(s, st, part),
                     *at = agni_adopt_constant(s, st, index);
    if (row->size > 1)
        h = ag_lerp(s, ag_gather(s, agni_signal_part(s, h, 0, row->size - 1), at, 0),
                    ag_gather(s, agni_signal_part(s, h, 1, row->size - 1), at, 0), share);
    else
        h = ag_gather(s, h, at, 0);
    return agni_return(op, s, out, h);
}
