/* fft/signal/analysis/spectrogram.c - spectra of frames, scaled as densities (Allen & Rabiner
   1977); whether windows that
   overlap cover a signal; sinusoids fitted to samples at any times (Zechmeister & Kuerster 2009).
   */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/signal_analysis.h>
#include <math.h>
#include <stdlib.h>

static const int32_t last_axis[] = {-1};

static agn_status complete_options(agn_signal_welch_options *a, const char *op, const agn_tensor *x,
                                   const agn_signal_welch_options *given)
{
    if (agni_check_size(op, agn_signal_welch_options, given))
        return AGN_EARG;
    *a = given ? *given : (agn_signal_welch_options){.size = sizeof *a};
    int64_t n = x->shape[x->ndim - 1];
    if (!a->length)
        a->length = a->window && a->window->ndim ? a->window->shape[0] : n < 256 ? n : 256;
    a->hop = a->hop ? a->hop : a->length - a->length / 2;
    a->rate = a->rate == 0 ? 1 : a->rate;
    if (a->length < 1 || a->length > n || a->hop < 1 || x->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: frames of %lld at steps of %lld do not fit x %s", op,
                         (long long)a->length, (long long)a->hop, AGNI_SHAPE(x));
    if (!(a->rate > 0) || !isfinite(a->rate))
        return agni_fail(AGN_EARG, "%s: a rate of %g for x %s; it is positive", op, a->rate,
                         AGNI_SHAPE(x));
    if (a->window && agni_kind(a->window->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the window is %s; it is real", op,
                         agni_dtypes[a->window->dtype].name);
    if (a->window && (a->window->ndim != 1 || a->window->shape[0] != a->length))
        return agni_fail(AGN_ESHAPE, "%s: the window is %s, frames have %lld", op,
                         AGNI_SHAPE(a->window), (long long)a->length);
    return AGN_OK;
}

/* 2 for bins that stand for two, [bins, 1] */
static const agn_tensor *count_sides(agn_scope *s, int dtype, int64_t length)
{
    agn_tensor *made = NULL;
    int64_t bins = length / 2 + 1;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_arange(&made, (agn_dtype)dtype, 0, (double)bins, 1);
    const agn_tensor *k = agni_adopt_constant(s, st, made), *zero = ag_full_like(s, k, 0);
    const agn_tensor *alone = ag_logical_or(s, ag_eq(s, k, zero),
                                            ag_eq(s, k, ag_full_like(s, k, (double)length / 2)));
    return ag_expand_dims(s, ag_where(s, alone, ag_full_like(s, k, 1), ag_full_like(s, k, 2)), -1);
}

agn_status agn_signal_spectrogram(agn_tensor **out, const agn_tensor *x, int32_t kind,
                                  const agn_signal_welch_options *opts)
{
    static const char op[] = "signal_spectrogram";
    agn_signal_welch_options a = {.size = 0};
    agn_tensor *made = NULL;
    agn_status st = agni_signal_check(op, out, x);
    if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                       agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!st && (kind < AGN_SPECTRUM_POWER || kind > AGN_SPECTRUM_ANGLE))
        st = agni_fail(AGN_EARG, "%s: kind %d for x %s; kinds are 0 to %d", op, kind, AGNI_SHAPE(x),
                       AGN_SPECTRUM_ANGLE);
    if (!st)
        st = complete_options(&a, op, x, opts);
    if (st)
        return st;
    int dtype = agni_signal_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = a.window ? agni_cast(s, a.window, dtype) : NULL;
    if (!a.window) {
        st = agn_signal_window(&made, AGN_WINDOW_HANN, (agn_dtype)dtype, a.length, NULL, 0, false);
        w = agni_adopt_constant(s, st, made);
    }
    const agn_tensor *f = agni_signal_frames(s, agni_cast(s, x, dtype), a.length, a.hop);
    if (!a.keep_mean)
        f = ag_sub(s, f, ag_mean(s, f, last_axis, 1, true));
    const agn_tensor *z = ag_swapaxes(s, ag_fft_rfft(s, ag_mul(s, f, w), 0, -1, AGN_FFT_BACKWARD),
                                      -1, -2);
    const agn_tensor *norm = a.spectrum
                                 ? ag_square(s, ag_sum(s, w, last_axis, 1, true))
                                 : ag_mul_c(s, ag_sum(s, ag_square(s, w), last_axis, 1, true),
                                            a.rate);
    if (kind == AGN_SPECTRUM_POWER) {
        const agn_tensor *p = ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z)));
        return agni_return(op, s, out,
                           ag_mul(s, p, ag_div(s, count_sides(s, dtype, a.length), norm)));
    }
    z = ag_div(s, z, agni_cast(s, ag_sqrt(s, norm), z ? z->dtype : AGN_C128));
    return agni_return(op, s, out,
                       kind == AGN_SPECTRUM_COMPLEX     ? z
                       : kind == AGN_SPECTRUM_MAGNITUDE ? ag_abs(s, z)
                                                        : ag_angle(s, z));
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

agn_status agn_signal_dual_window(agn_tensor **out, const agn_tensor *window, int64_t hop)
{
    static const char op[] = "signal_dual_window";
    AGNI_NEED(op, out);
    AGNI_NEED(op, window);
    if (agni_kind(window->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the window is %s; it is real", op,
                         agni_dtypes[window->dtype].name);
    if (window->ndim != 1 || !window->size)
        return agni_fail(AGN_ESHAPE, "%s: the window is %s of rank %d; it is [n], with a sample",
                         op, AGNI_SHAPE(window), window->ndim);
    int64_t n = window->size, steps = hop > 0 ? (n + hop - 1) / hop : 0;
    if (hop < 1 || hop > n)
        return agni_fail(AGN_EARG, "%s: a step of %lld for a window %s; it is 1 to its length", op,
                         (long long)hop, AGNI_SHAPE(window));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = agni_cast(s, window, agni_signal_dtype(window->dtype));
    const agn_tensor *rows = ag_reshape(s, agni_signal_zeros(s, w, 0, steps * hop - n), 2,
                                        (int64_t[]){steps, hop});
    const agn_tensor *sums = ag_sum(s, ag_square(s, rows), (int32_t[]){0}, 1, true);
    sums = sums ? agni_broadcast(s, sums, 2, (int64_t[]){steps, hop}) : NULL;
    sums = ag_reshape(s, sums, 1, (int64_t[]){steps * hop});
    return agni_return(op, s, out, ag_div(s, w, agni_signal_part(s, sums, 0, n)));
}

agn_status agn_signal_check_overlap(bool *constant, bool *covered, const agn_tensor *window,
                                    int64_t hop, double tolerance)
{
    static const char op[] = "signal_check_overlap";
    agn_tensor *wide = NULL, *row = NULL;
    const void *data = NULL;
    AGNI_NEED(op, constant);
    AGNI_NEED(op, covered);
    AGNI_NEED(op, window);
    if (agni_kind(window->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the window is %s; it is real", op,
                         agni_dtypes[window->dtype].name);
    if (window->ndim != 1 || !window->size)
        return agni_fail(AGN_ESHAPE, "%s: the window is %s of rank %d; it is [n], with a sample",
                         op, AGNI_SHAPE(window), window->ndim);
    int64_t n = window->size;
    if (hop < 1 || hop > n || !(tolerance >= 0))
        return agni_fail(
            AGN_EARG,
            "%s: a step of %lld, a tolerance of %g for a window %s; the step is 1 to its "
            "length, the "
            "tolerance not negative",
            op, (long long)hop, tolerance, AGNI_SHAPE(window));
    agn_status st = agn_cast(&wide, window, AGN_F64);
    if (!st)
        st = agn_contiguous(&row, wide);
    agn_release(wide);
    if (!st)
        st = agn_data_contiguous(&data, row);
    size_t size = (size_t)(2 * hop) * sizeof(double);
    double *sums = st ? NULL : agni_alloc(size);
    if (st || !sums) {
        agn_release(row);
        return st ? agni_rename_error(op, st) : agni_nomem(op, size);
    }
    const double *w = data;
    double least = (double)INFINITY, away = 0;
    for (int64_t i = 0; i < hop; i++) {
        double sum = 0, square = 0;
        for (int64_t j = i; j < n; j += hop) {
            sum += w[j];
            square += w[j] * w[j];
        }
        sums[i] = sums[hop + i] = sum;
        least = square < least || isnan(square) ? square : least;
    }
    qsort(sums + hop, (size_t)hop, sizeof *sums, compare_doubles);
    double median = (sums[hop + (hop - 1) / 2] + sums[hop + hop / 2]) / 2;
    for (int64_t i = 0; i < hop; i++)
        away = fabs(sums[i] - median) > away || isnan(sums[i]) ? fabs(sums[i] - median) : away;
    *constant = away < tolerance || (away == 0 && tolerance == 0);
    *covered = least > tolerance;
    agni_free(sums);
    agn_release(row);
    return AGN_OK;
}

static agn_status check_samples(const char *op, agn_tensor *const *out, const agn_tensor *const *x)
{
    static const char *const names[] = {"t", "y", "w", "weights"};
    AGNI_NEED(op, out);
    for (int k = 0; k < 4; k++) {
        if (!x[k] && k < 3)
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, names[k]);
        if (x[k] && agni_kind(x[k]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s; a real dtype is needed", op, names[k],
                             agni_dtypes[x[k]->dtype].name);
    }
    const agn_tensor *t = x[0], *y = x[1];
    if (t->ndim != 1 || !t->size || x[2]->ndim != 1 || !y->ndim ||
        y->shape[y->ndim - 1] != t->size || y->ndim == AGNI_MAX_RANK ||
        (x[3] && (x[3]->ndim != 1 || x[3]->size != t->size)))
        return agni_fail(
            AGN_ESHAPE,
            "%s: t is %s, y %s, w %s, weights %s; times are [n], samples and weights of them, "
            "frequencies a row",
            op, AGNI_SHAPE(t), AGNI_SHAPE(y), AGNI_SHAPE(x[2]), x[3] ? AGNI_SHAPE(x[3]) : "none");
    return AGN_OK;
}

/* sums over samples of f [frequencies, n] times p [..., n]: [..., frequencies] */
static const agn_tensor *sum_samples(agn_scope *s, const agn_tensor *f, const agn_tensor *p)
{
    return ag_squeeze(s, ag_matmul(s, f, ag_expand_dims(s, p, -1)), -1);
}

/* Cosine and sine of each frequency, turned by the phase that makes them orthogonal; with a
   floating mean all sums are
   central ones. */
agn_status agn_signal_lombscargle_fit(agn_tensor **out, const agn_tensor *t, const agn_tensor *y,
                                      const agn_tensor *weights, const agn_tensor *w, bool floating)
{
    static const char op[] = "signal_lombscargle_fit";
    const agn_tensor *all[] = {t, y, w, weights};
    agn_status st = check_samples(op, out, all);
    if (st)
        return st;
    int dtype = agni_signal_common_dtype(weights ? 4 : 3, all);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *times = agni_cast(s, t, dtype), *v = agni_cast(s, y, dtype);
    const agn_tensor *u = weights ? agni_cast(s, weights, dtype) : ag_full_like(s, times, 1);
    u = ag_div(s, u, ag_sum(s, u, last_axis, 1, true));
    const agn_tensor *angle = ag_mul(s, ag_expand_dims(s, agni_cast(s, w, dtype), -1), times);
    const agn_tensor *c = ag_cos(s, angle), *q = ag_sin(s, angle);
    const agn_tensor *cc = sum_samples(s, ag_square(s, c), u),
                     *ss = sum_samples(s, ag_square(s, q), u),
                     *cs = sum_samples(s, ag_mul(s, c, q), u);
    if (floating) {
        const agn_tensor *mc = sum_samples(s, c, u), *ms = sum_samples(s, q, u);
        cc = ag_sub(s, cc, ag_square(s, mc));
        ss = ag_sub(s, ss, ag_square(s, ms));
        cs = ag_sub(s, cs, ag_mul(s, mc, ms));
    }
    const agn_tensor *turn = ag_mul_c(s, ag_atan2(s, ag_mul_c(s, cs, 2), ag_sub(s, cc, ss)), 0.5);
    angle = ag_sub(s, angle, ag_expand_dims(s, turn, -1));
    c = ag_cos(s, angle);
    q = ag_sin(s, angle);
    if (floating) { /* about their means */
        c = ag_sub(s, c, ag_expand_dims(s, sum_samples(s, c, u), -1));
        q = ag_sub(s, q, ag_expand_dims(s, sum_samples(s, q, u), -1));
        v = ag_sub(s, v, ag_sum(s, ag_mul(s, v, u), last_axis, 1, true));
    }
    const agn_tensor *p = ag_mul(s, v, u);
    const agn_tensor *first = ag_div(s, ag_square(s, sum_samples(s, c, p)),
                                     sum_samples(s, ag_square(s, c), u)),
                     *second = ag_div(s, ag_square(s, sum_samples(s, q, p)),
                                      sum_samples(s, ag_square(s, q), u));
    const agn_tensor *whole = ag_sum(s, ag_mul(s, p, v), last_axis, 1, true);
    return agni_return(op, s, out, ag_div(s, ag_add(s, first, second), whole));
}
