/* fft/signal/wavelets.c - periodic discrete wavelet transforms (Mallat 1989). Filters are factors
   of one polynomial: with y = (2 - z - 1 / z) / 4, P(y) = sum_(k < N) C(N - 1 + k, k) y^k
   (Daubechies 1988; Cohen, Daubechies & Feauveau 1992). A level is a convolution of the wrapped
   signal with two filters in steps of 2, its inverse the adjoint of one of wrapped bands. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { MOST_ORDER = 10, MOST_TAPS = 2 * MOST_ORDER };

typedef struct wavelet {
    int taps;                                    /* even */
    double low[MOST_TAPS], high[MOST_TAPS];      /* of a frame, in its order */
    double low2[MOST_TAPS], high2[MOST_TAPS];    /* of the inverse */
} wavelet;

/* ---- filters -------------------------------------------------------------------------------- */

/* the n - 1 zeros of P (Aberth 1973) */
static void find_zeros(double complex *y, int n)
{
    double c[MOST_ORDER] = {1};
    for (int k = 1; k < n; k++)
        c[k] = c[k - 1] * (n - 1 + k) / k;
    for (int k = 0; k < n - 1; k++)
        y[k] = 0.4 * cexp((double complex)I * (2 * 3.14159265358979323846 * (k + 0.35) / (n - 1)));
    for (int round = 0; round < 200; round++) {
        double most = 0;
        for (int k = 0; k < n - 1; k++) {
            double complex p = 0, d = 0, sum = 0;
            for (int j = n - 1; j >= 0; j--) {
                d = d * y[k] + p;
                p = p * y[k] + c[j];
            }
            for (int j = 0; j < n - 1; j++)
                if (j != k)
                    sum += 1 / (y[k] - y[j]);
            double complex w = p / d;
            w /= 1 - w * sum;
            y[k] -= w;
            most = fmax(most, cabs(w));
        }
        if (most < 1e-16)
            break;
    }
}

/* the polynomial p of n coefficients times (1, a, b), from its end on */
static void multiply_root(double complex *p, int n, double complex a, double complex b)
{
    for (int k = n + 1; k >= 0; k--)
        p[k] = (k < n ? p[k] : 0) + (k >= 1 && k - 1 < n ? a * p[k - 1] : 0) +
               (k >= 2 ? b * p[k - 2] : 0);
}

/* (1 + z)^n times factors: those of the zeros from..to of y, one half of each (minimum phase) or
   both */
static int make_low(double *low, int n, const double complex *y, int from, int to, bool halves)
{
    double complex p[2 * MOST_TAPS + 4] = {1};
    double sum = 0;
    int taps = 1;
    for (int k = 0; k < n; k++, taps++)
        multiply_root(p, taps, 1, 0);
    for (int k = from; k < to; k++) {
        double complex m = 2 - 4 * y[k], root = csqrt(m * m - 4);
        double complex z = cabs(m + root) > cabs(m - root) ? 2 / (m + root) : 2 / (m - root); /* inside the circle */
        multiply_root(p, taps, halves ? -z : -m, halves ? 0 : 1);
        taps += halves ? 1 : 2;
    }
    for (int k = 0; k < taps; k++)
        sum += creal(p[k]);
    for (int k = 0; k < taps; k++)
        low[k] = creal(p[k]) / sum * sqrt(2);
    return taps;
}

static void make_wavelet(wavelet *w, int32_t family, int32_t order)
{
    double complex y[MOST_ORDER];
    double a[MOST_TAPS + 2], b[MOST_TAPS + 2];
    *w = (wavelet){.taps = 0};
    if (family == AGN_WAVELET_DAUBECHIES) {
        find_zeros(y, order);
        w->taps = make_low(a, order, y, 0, order - 1, true);
        memcpy(w->low, a, (size_t)w->taps * sizeof *a);
        memcpy(w->low2, a, (size_t)w->taps * sizeof *a);
    } else { /* symmetric: pairs of zeros in one filter, the real one in the other */
        bool longer = family == AGN_WAVELET_CDF_9_7;
        int n = longer ? 4 : 2;
        find_zeros(y, n);
        for (int k = 1; k < n - 1; k++) /* the real one first */
            if (fabs(cimag(y[k])) < fabs(cimag(y[0]))) {
                double complex keep = y[0];
                y[0] = y[k];
                y[k] = keep;
            }
        int na = make_low(a, n, y, longer ? 1 : 0, n - 1, false),
            nb = make_low(b, n, y, 0, longer ? 1 : 0, false);
        w->taps = na + 1;
        /* middles of both are neighbours about the middle of a frame */
        memcpy(w->low, a, (size_t)na * sizeof *a);
        memcpy(w->low2 + (na - nb) / 2, b, (size_t)nb * sizeof *b);
    }
    for (int k = 0; k < w->taps; k++) {
        int back = w->taps - 1 - k;
        w->high[k] = (back % 2 ? 1 : -1) * w->low2[back];
        w->high2[k] = (k % 2 ? -1 : 1) * w->low[back];
    }
}

/* ---- levels --------------------------------------------------------------------------------- */

static agn_status check_wavelet(const char *op, agn_tensor *const *out, const agn_tensor *x,
                                int32_t family, int32_t order, int32_t levels)
{
    agn_status st = agni_signal_check(op, out, x);
    if (st)
        return st;
    if (family < 0 || family > AGN_WAVELET_CDF_9_7 || levels < 0 || levels > 62 ||
        (family == AGN_WAVELET_DAUBECHIES && (order < 1 || order > MOST_ORDER)))
        return agni_fail(
            AGN_EARG, "%s: family %d of order %d, %d levels; there are 0 to %d, 1 to %d, 0 to 62",
            op, family, order, levels, AGN_WAVELET_CDF_9_7, MOST_ORDER);
    if (x->shape[x->ndim - 1] % ((int64_t)1 << levels) || x->ndim == AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE, "%s: x is %s; %d levels divide the last axis by 2^%d, and frames have room",
            op, AGNI_SHAPE(x), levels, levels);
    return AGN_OK;
}

/* rows low and high as a constant [2, 1, taps] */
static const agn_tensor *make_filters(agn_scope *s, int dtype, int taps, const double *low,
                                      const double *high)
{
    double both[2 * MOST_TAPS];
    agn_tensor *made = NULL, *wide = NULL;
    agn_status st = agn_scope_status(s);
    memcpy(both, low, (size_t)taps * sizeof *low);
    memcpy(both + taps, high, (size_t)taps * sizeof *high);
    if (!st)
        st = agn_from_host(&wide, AGN_F64, 3, (int64_t[]){2, 1, taps}, both);
    if (!st)
        st = agn_cast(&made, wide, dtype);
    agn_release(wide);
    return agni_adopt_constant(s, st, made);
}

/* a convolution, or its adjoint, of [..., channels, n] in steps of 2 with filters [2, 1, taps] */
static const agn_tensor *filter_pairs(agn_scope *s, const agn_tensor *x, const agn_tensor *f,
                                      int64_t cut, bool back)
{
    agn_conv_options o = {.size = sizeof o, .stride = (int64_t[]){2}, .before = &cut};
    bool lift = x && x->ndim < 3; /* an axis of images is asked for */
    x = lift ? ag_expand_dims(s, x, 0) : x;
    x = back ? ag_conv_transpose(s, x, f, 1, &o) : ag_conv(s, x, f, 1, &o);
    return lift ? ag_index_axis(s, x, 0, 0) : x;
}

agn_status agn_signal_wavelet_transform(agn_tensor **out, const agn_tensor *x, int32_t family,
                                        int32_t order, int32_t levels)
{
    static const char op[] = "signal_wavelet_transform";
    agn_status st = check_wavelet(op, out, x, family, order, levels);
    if (st)
        return st;
    wavelet w;
    make_wavelet(&w, family, order);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *part[64], *a = agni_cast(s, x, agni_signal_dtype(x->dtype));
    const agn_tensor *f = a ? make_filters(s, a->dtype, w.taps, w.low, w.high) : NULL;
    for (int32_t l = 0; l < levels && !agn_scope_status(s); l++) {
        const agn_tensor *y = agni_signal_pad(s, a, w.taps / 2 - 1, w.taps / 2 - 1,
                                              AGN_SIGNAL_WRAP);
        y = filter_pairs(s, ag_expand_dims(s, y, -2), f, 0, false);
        part[levels - l] = ag_index_axis(s, y, -2, 1);
        a = ag_index_axis(s, y, -2, 0);
    }
    part[0] = a;
    if (levels && !agn_scope_status(s))
        a = ag_concat(s, part, levels + 1, -1);
    return agni_return(op, s, out, a);
}

/* both bands, m more samples of their circles at both ends: [..., 2, n + 2 m] */
static const agn_tensor *wrap_bands(agn_scope *s, const agn_tensor *a, const agn_tensor *d,
                                    int64_t m)
{
    int64_t n = a && d ? a->shape[a->ndim - 1] : 0, shape[AGNI_MAX_RANK];
    if (m > n) {
        const agn_tensor *both[] = {agni_signal_pad(s, a, m, m, AGN_SIGNAL_WRAP),
                                    agni_signal_pad(s, d, m, m, AGN_SIGNAL_WRAP)};
        return agn_scope_status(s) ? NULL : ag_stack(s, both, 2, -2);
    }
    const agn_tensor *part[] = {agni_signal_part(s, a, n - m, m), a, agni_signal_part(s, a, 0, m),
                                agni_signal_part(s, d, n - m, m), d, agni_signal_part(s, d, 0, m)};
    const agn_tensor *all = agn_scope_status(s) ? NULL : ag_concat(s, part, 6, -1);
    for (int k = 0; all && k < all->ndim - 1; k++)
        shape[k] = all->shape[k];
    if (!all)
        return NULL;
    shape[all->ndim - 1] = 2;
    shape[all->ndim] = n + 2 * m;
    return agni_reshape(s, all, all->ndim + 1, shape);
}

agn_status agn_signal_inverse_wavelet_transform(agn_tensor **out, const agn_tensor *x,
                                                int32_t family, int32_t order, int32_t levels)
{
    static const char op[] = "signal_inverse_wavelet_transform";
    agn_status st = check_wavelet(op, out, x, family, order, levels);
    if (st)
        return st;
    wavelet w;
    make_wavelet(&w, family, order);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, x, agni_signal_dtype(x->dtype));
    const agn_tensor *f = v ? make_filters(s, v->dtype, w.taps, w.low2, w.high2) : NULL;
    int64_t n = x->shape[x->ndim - 1] >> levels;
    const agn_tensor *a = agni_signal_part(s, v, 0, n);
    for (int32_t l = 0; l < levels && !agn_scope_status(s); l++, n *= 2) {
        int64_t m = (w.taps + 3) / 4; /* frames that reach across an end of the circle */
        const agn_tensor *y = wrap_bands(s, a, agni_signal_part(s, v, n, n), m);
        a = ag_index_axis(s, filter_pairs(s, y, f, 2 * m + w.taps / 2 - 1, true), -2, 0);
    }
    return agni_return(op, s, out, a);
}
