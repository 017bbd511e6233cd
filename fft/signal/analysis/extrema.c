/* fft/signal/analysis/extrema.c - numbers above all near them; peaks that stay while a signal is
   smoothed, as lines of maxima over the widths of a wavelet (Du, Kibbe & Lin 2006). */
#include "fft/signal/signal.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/reduce/reduce.h"

#include <agnesi/ag.h>
#include <agnesi/signal_analysis.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTHS = 1 << 16 };

agn_status agn_signal_local_extrema(agn_tensor **out, const agn_tensor *x, int64_t order,
                                    int32_t axis, bool least, bool circle)
{
    static const char op[] = "signal_local_extrema";
    int at = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    agn_status st = agni_axis(op, axis, x->ndim, &at);
    if (!st && order < 1)
        st = agni_fail(AGN_EARG, "%s: an order of %lld for x %s; it is 1 at least", op,
                       (long long)order, AGNI_SHAPE(x));
    if (st)
        return st;
    int64_t n = x->shape[at], m = order < n ? order : n, side[AGNI_MAX_RANK] = {0};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_ne(s, x, x); /* none */
    side[at] = m;
    const agn_tensor *wide = n && m ? ag_pad_with(s, x, x->ndim, side, side,
                                                  circle ? AGN_PAD_WRAP : AGN_PAD_EDGE)
                                    : NULL;
    if (n)
        y = NULL;
    for (int64_t k = -m; k <= m && !agn_scope_status(s); k++) {
        if (!k)
            continue;
        const agn_tensor *near = agni_slice_axis(s, wide, at, m + k, n),
                         *above = least ? ag_lt(s, x, near) : ag_gt(s, x, near);
        y = y ? ag_logical_and(s, y, above) : above;
    }
    return agni_return(op, s, out, y);
}

/* ---- lines of maxima ---------------------------------------------------------------------- */

/* of the widest width on; where its least one has its maximum */
typedef struct line {
    int64_t row, place; /* least width so far, and the first maximum there */
    int64_t last;       /* the place that the next is compared with */
    int64_t length, gap;
    bool over;
} line;

typedef struct ridges {
    line *lines;
    int64_t count, room;
} ridges;

static agn_status add_line(ridges *r, const char *op, int64_t row, int64_t place)
{
    if (r->count == r->room) {
        int64_t room = r->room ? 2 * r->room : 64;
        line *more = agni_alloc((size_t)room * sizeof *more);
        if (!more)
            return agni_nomem(op, (size_t)room * sizeof *more);
        if (r->count)
            memcpy(more, r->lines, (size_t)r->count * sizeof *more);
        agni_free(r->lines);
        r->lines = more;
        r->room = room;
    }
    r->lines[r->count++] = (line){.row = row, .place = place, .last = place, .length = 1};
    return AGN_OK;
}

/* the first of the lines before count that ends nearest to place */
static int64_t find_nearest(const ridges *r, const int64_t *ends, int64_t count, int64_t place,
                            double reach)
{
    int64_t best = -1, least = INT64_MAX;
    for (int64_t k = 0; k < count; k++) {
        int64_t by = ends[k] > place ? ends[k] - place : place - ends[k];
        if (!r->lines[k].over && by < least) {
            least = by;
            best = k;
        }
    }
    return best >= 0 && (double)least <= reach ? best : -1;
}

/* the maxima of row w, n numbers, join lines or begin some */
static agn_status join_row(ridges *r, const char *op, const double *w, int64_t n, int64_t row,
                           double reach, double gap)
{
    int64_t count = r->count, *ends = agni_alloc((size_t)(count + 1) * sizeof *ends);
    agn_status st = ends ? AGN_OK : agni_nomem(op, (size_t)(count + 1) * sizeof *ends);
    for (int64_t k = 0; !st && k < count; k++) {
        r->lines[k].gap++;
        ends[k] = r->lines[k].last;
    }
    for (int64_t i = 1; i + 1 < n && !st; i++) {
        if (!(w[i] > w[i - 1] && w[i] > w[i + 1]))
            continue;
        int64_t k = find_nearest(r, ends, count, i, reach);
        if (k < 0) {
            st = add_line(r, op, row, i);
            continue;
        }
        line *l = r->lines + k;
        l->place = l->row == row ? l->place : i;
        l->row = row;
        l->last = i;
        l->length++;
        l->gap = 0;
    }
    for (int64_t k = 0; !st && k < r->count; k++)
        r->lines[k].over = r->lines[k].over || (double)r->lines[k].gap > gap;
    agni_free(ends);
    return st;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int compare_places(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* the percentile of a window of w about a place; room for the window */
static double find_noise(const double *w, int64_t n, int64_t at, int64_t window, double percentile,
                         double *room)
{
    int64_t half = window / 2, from = at > half ? at - half : 0;
    int64_t end = n - at > half + window % 2 ? at + half + window % 2 : n;
    memcpy(room, w + from, (size_t)(end - from) * sizeof *room);
    qsort(room, (size_t)(end - from), sizeof *room, compare_numbers);
    double rank = percentile / 100 * (double)(end - from - 1);
    int64_t k = (int64_t)rank;
    return k + 1 < end - from ? room[k] + (rank - (double)k) * (room[k + 1] - room[k]) : room[k];
}

/* ---- the wavelet -------------------------------------------------------------------------- */

/* x under Ricker's wavelet of the width, of ten widths or all samples, to w */
static agn_status convolve_wavelet(double *w, const char *op, const agn_tensor *x, double width)
{
    int64_t n = x->size;
    double span = fmin(10 * width, (double)n),
           scale = 2 / (sqrt(3 * width) * pow(3.14159265358979323846, 0.25));
    int64_t m = (int64_t)ceil(span);
    double *v = agni_alloc((size_t)m * sizeof *v);
    agn_tensor *h = NULL, *y = NULL;
    const void *data = NULL;
    if (!v)
        return agni_nomem(op, (size_t)m * sizeof *v);
    for (int64_t i = 0; i < m; i++) {
        double t = ((double)(m - 1 - i) - (span - 1) / 2) / width;
        v[i] = scale * (1 - t * t) * exp(-t * t / 2);
    }
    agn_status st = agn_from_host(&h, AGN_F64, 1, &m, v);
    agni_free(v);
    if (!st)
        st = agn_signal_convolve(&y, x, h, AGN_SAME, 0);
    if (!st)
        st = agn_data_contiguous(&data, y);
    if (!st)
        memcpy(w, data, (size_t)n * sizeof *w);
    agn_release(h);
    agn_release(y);
    return st;
}

static agn_status complete_options(agn_signal_ridge_options *a, const char *op,
                                   const agn_signal_ridge_options *given, const double *widths,
                                   int32_t n, int64_t samples)
{
    *a = (agn_signal_ridge_options){.size = sizeof *a};
    if (agni_check_size(op, agn_signal_ridge_options, given))
        return AGN_EARG;
    if (!widths)
        return agni_fail(AGN_ENULL, "%s: widths is NULL", op);
    if (n < 1 || n > MOST_WIDTHS)
        return agni_fail(AGN_EARG, "%s: %d widths; there are 1 to %d", op, n, MOST_WIDTHS);
    for (int32_t k = 0; k < n; k++)
        if (!(widths[k] > 0) || !isfinite(widths[k]) || (k && !(widths[k] > widths[k - 1])))
            return agni_fail(AGN_EARG, "%s: width %d is %g; widths are positive and rise", op, k,
                             widths[k]);
    if (given)
        *a = *given;
    if (!(a->distance >= 0) || !(a->gap >= 0) || a->least < 0 || isnan(a->snr) ||
        !(a->percentile <= 100) || a->window < 0 || a->window > samples)
        return agni_fail(
            AGN_EARG,
            "%s: a distance of %g, a gap of %g, %lld widths, snr %g, percentile %g, a window of "
            "%lld of %lld samples; they are not negative, percentiles at most 100",
            op, a->distance, a->gap, (long long)a->least, a->snr, a->percentile,
            (long long)a->window, (long long)samples);
    a->distance = a->distance > 0 ? a->distance : 0.25;
    a->gap = a->gap > 0 ? a->gap : ceil(widths[0]);
    a->least = a->least ? a->least : (n + 3) / 4;
    a->snr = a->snr == 0 ? 1 : a->snr;
    a->percentile = a->percentile == 0 ? 10 : fmax(a->percentile, 0);
    a->window = a->window ? a->window : (samples + 19) / 20;
    return AGN_OK;
}

/* the lines that are long and clear, by their places */
static agn_status give_peaks(agn_tensor **out, const char *op, const ridges *r, const double *w,
                             int64_t n, const agn_signal_ridge_options *a)
{
    int64_t count = 0;
    size_t size = (size_t)(r->count + 1) * sizeof(int64_t) + (size_t)n * sizeof(double);
    int64_t *place = agni_alloc(size);
    if (!place)
        return agni_nomem(op, size);
    double *room = (double *)(place + r->count + 1);
    for (int64_t k = 0; k < r->count; k++) {
        const line *l = r->lines + k;
        if (l->length < a->least)
            continue;
        double noise = find_noise(w, n, l->place, a->window, a->percentile, room);
        if (!(fabs(w[l->row * n + l->place] / noise) < a->snr))
            place[count++] = l->place;
    }
    qsort(place, (size_t)count, sizeof *place, compare_places);
    agn_status st = agn_from_host(out, AGN_I64, 1, &count, place);
    agni_free(place);
    return st;
}

agn_status agn_signal_find_peaks_cwt(agn_tensor **out, const agn_tensor *x, const double *widths,
                                     int32_t n, const agn_signal_ridge_options *opts)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "signal_find_peaks_cwt", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st
                             : agn_signal_find_peaks_cwt(out ? &h.y[0] : NULL, h.in[0], widths, n,
                                                         opts);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "signal_find_peaks_cwt";
    agn_signal_ridge_options a;
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (x->ndim != 1 || !x->size)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; it is a row of numbers, not empty", op,
                         AGNI_SHAPE(x));
    agn_status st = complete_options(&a, op, opts, widths, n, x->size);
    if (st)
        return st;
    int64_t samples = x->size, cells = 0;
    agn_tensor *wide = NULL, *row = NULL;
    const void *data = NULL;
    st = agn_cast(&wide, x, AGN_F64);
    if (!st)
        st = agn_contiguous(&row, wide);
    if (!st)
        st = agn_data_contiguous(&data, row);
    for (int64_t i = 0; !st && i < samples; i++)
        if (!isfinite(((const double *)data)[i]))
            st = agni_fail(AGN_EDOMAIN, "%s: entry %lld of x %s is %g; all are finite", op,
                           (long long)i, AGNI_SHAPE(x), ((const double *)data)[i]);
    double *w = NULL;
    if (!st && (!agni_checked_mul(samples * n, (int64_t)sizeof *w, &cells) ||
                !(w = agni_alloc((size_t)cells))))
        st = agni_nomem(op, (size_t)samples * (size_t)n * sizeof *w);
    for (int32_t k = 0; !st && k < n; k++)
        st = convolve_wavelet(w + k * samples, op, row, widths[k]);
    ridges r = {.count = 0};
    for (int32_t k = n - 1; !st && k >= 0; k--)
        st = join_row(&r, op, w + k * samples, samples, k, a.distance * widths[k], a.gap);
    if (!st)
        st = give_peaks(out, op, &r, w, samples, &a);
    agni_free(r.lines);
    agni_free(w);
    agn_release(wide);
    agn_release(row);
    return st ? agni_rename_error(op, st) : AGN_OK;
}
