/* fft/signal/design/equiripple.c - filters of finite length and linear phase whose largest weighted
   error is least: the exchange of Remez on a grid of frequencies (Parks & McClellan 1972), with the
   sum of cosines as a barycentric interpolation through the errors that alternate (Berrut &
   Trefethen 2004). */
#include "fft/signal/signal.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { MOST_TAPS = 1023, DENSITY = 20, ROUNDS = 250 };

/* frequencies of all bands, the wanted gain and its weight there; r cosines, r + 1 places where
   errors alternate */
typedef struct exchange {
    int64_t grid, cosines;
    double *x, *want, *weight, *error;           /* of the grid; x = cos w */
    double *node, *bary, *value;                 /* of the places */
    int64_t *place, *found;
    double ripple;
} exchange;

/* P(x): through all places but the last, which the ripple makes redundant */
static double interpolate_response(const exchange *e, double x)
{
    double up = 0, down = 0;
    for (int64_t i = 0; i < e->cosines; i++) {
        double d = x - e->node[i];
        if (d == 0)
            return e->value[i];
        double w = e->bary[i] * (e->node[i] - e->node[e->cosines]) / d;
        up += w * e->value[i];
        down += w;
    }
    return up / down;
}

/* the ripple that makes the errors at the places alternate, and the interpolation of it */
static void level_errors(exchange *e)
{
    int64_t n = e->cosines + 1;
    double up = 0, down = 0;
    for (int64_t i = 0; i < n; i++) {
        double p = 1;
        e->node[i] = e->x[e->place[i]];
        for (int64_t j = 0; j < n; j++)
            if (j != i)
                p *= 2 * (e->x[e->place[i]] - e->x[e->place[j]]);
        e->bary[i] = 1 / p;
        up += e->bary[i] * e->want[e->place[i]];
        down += (i % 2 ? -1 : 1) * e->bary[i] / e->weight[e->place[i]];
    }
    e->ripple = up / down;
    for (int64_t i = 0; i < n; i++)
        e->value[i] = e->want[e->place[i]] - (i % 2 ? -1 : 1) * e->ripple / e->weight[e->place[i]];
}

/* the largest of each run of errors of one sign among local extrema; the number found */
static int64_t find_extrema(exchange *e)
{
    int64_t n = 0;
    for (int64_t k = 0; k < e->grid; k++) {
        double v = e->error[k];
        bool peak = (k == 0 || fabs(v) >= fabs(e->error[k - 1]) || v * e->error[k - 1] < 0) &&
                    (k == e->grid - 1 || fabs(v) >= fabs(e->error[k + 1]) ||
                     v * e->error[k + 1] < 0);
        if (!peak || v == 0)
            continue;
        if (n && e->error[e->found[n - 1]] * v > 0) {
            if (fabs(v) > fabs(e->error[e->found[n - 1]]))
                e->found[n - 1] = k;
        } else {
            e->found[n++] = k;
        }
    }
    return n;
}

/* takes extrema away, the smallest first, two neighbours within or one at an end, so that signs
   alternate */
static int64_t drop_extrema(exchange *e, int64_t n, int64_t keep)
{
    while (n > keep) {
        int64_t at = 0, gone;
        for (int64_t k = 1; k < n; k++)
            if (fabs(e->error[e->found[k]]) < fabs(e->error[e->found[at]]))
                at = k;
        bool end = at == 0 || at == n - 1;
        if (!end && n - keep == 1) /* one only: the smaller end */
            at = fabs(e->error[e->found[0]]) < fabs(e->error[e->found[n - 1]]) ? 0 : n - 1,
            end = true;
        if (!end) /* with the smaller neighbour */
            at -= fabs(e->error[e->found[at - 1]]) < fabs(e->error[e->found[at + 1]]);
        gone = end ? 1 : 2;
        for (int64_t k = at; k + gone < n; k++)
            e->found[k] = e->found[k + gone];
        n -= gone;
    }
    return n;
}

static agn_status run_exchange(exchange *e, const char *op)
{
    int64_t n = e->cosines + 1;
    for (int64_t i = 0; i < n; i++)
        e->place[i] = (i * (e->grid - 1) + n / 2) / (n > 1 ? n - 1 : 1);
    e->place[n - 1] = e->grid - 1;
    for (int round = 0; round < ROUNDS; round++) {
        double most = 0;
        level_errors(e);
        for (int64_t k = 0; k < e->grid; k++) {
            e->error[k] = e->weight[k] * (e->want[k] - interpolate_response(e, e->x[k]));
            most = fmax(most, fabs(e->error[k]));
        }
        if (!isfinite(most))
            break;
        if (most <= fabs(e->ripple) * (1 + 1e-9) + 1e-15)
            return AGN_OK;
        int64_t found = drop_extrema(e, find_extrema(e), n);
        if (found < n)
            break;
        bool same = true;
        for (int64_t i = 0; i < n; i++) {
            same = same && e->place[i] == e->found[i];
            e->place[i] = e->found[i];
        }
        if (same) /* rounding is all that is left */
            return most <= fabs(e->ripple) * (1 + 1e-4) + 1e-12
                       ? AGN_OK
                       : agni_fail(AGN_ENOCONV,
                                   "%s: errors of %g remain, where they alternate by %g", op, most,
                                   fabs(e->ripple));
    }
    return agni_fail(AGN_ENOCONV, "%s: %lld cosines do not come to rest in %d exchanges", op,
                     (long long)e->cosines, ROUNDS);
}

/* ---- the filter ----------------------------------------------------------------------------- */

static agn_status check_bands(const char *op, int64_t taps, const double *edges,
                              const double *desired, const double *weights, int32_t bands,
                              double half)
{
    if (taps < 2 || taps > MOST_TAPS || bands < 1 || bands > 512 || !(half > 0) || !isfinite(half))
        return agni_fail(
            AGN_EARG,
            "%s: %lld taps, %d bands, half the rate %g; there are 2 to %d, 1 to 512, the last is "
            "positive",
            op, (long long)taps, bands, half, MOST_TAPS);
    for (int32_t k = 0; k < 2 * bands; k++)
        if (!(edges[k] >= 0 && edges[k] <= half) || (k && !(edges[k] > edges[k - 1])))
            return agni_fail(AGN_EARG,
                             "%s: edge %d is %g; edges rise, between 0 and %g, half the rate", op,
                             k, edges[k], half);
    for (int32_t k = 0; k < bands; k++)
        if (!isfinite(desired[k]) || (weights && !(weights[k] > 0 && isfinite(weights[k]))))
            return agni_fail(
                AGN_EARG, "%s: band %d: the gain wanted is %g; gains are finite, weights positive",
                op, k, desired[k]);
    if (taps % 2 == 0 && edges[2 * bands - 1] == half && desired[bands - 1] != 0)
        return agni_fail(
            AGN_EARG,
            "%s: %lld taps, a gain of %g at half the rate; an even number of them has 0 there", op,
            (long long)taps, desired[bands - 1]);
    return AGN_OK;
}

/* the points of a band for a number of cosines, both ends among them */
static int64_t band_points(double lo, double hi, int64_t cosines)
{
    int64_t n = (int64_t)ceil((hi - lo) * DENSITY * (double)cosines) + 1;
    return n < 8 ? 8 : n;
}

/* h from its gains at 2 pi k / taps; those of an even number have a factor cos(w / 2) */
static void sample_gains(double *h, double *gain, const exchange *e, int64_t taps)
{
    bool even = taps % 2 == 0;
    for (int64_t k = 0; 2 * k < taps; k++) {
        double w = 2 * PI * (double)k / (double)taps;
        gain[k] = interpolate_response(e, cos(w)) * (even ? cos(w / 2) : 1);
    }
    for (int64_t i = 0; i < taps; i++) {
        double t = (double)i - (double)(taps - 1) / 2, sum = gain[0];
        for (int64_t k = 1; 2 * k < taps; k++)
            sum += 2 * gain[k] * cos(2 * PI * (double)k * t / (double)taps);
        h[i] = sum / (double)taps;
    }
    for (int64_t i = 0; i < taps / 2; i++)
        h[i] = h[taps - 1 - i] = (h[i] + h[taps - 1 - i]) / 2;
}

agn_status agn_signal_design_fir_equiripple(agn_tensor **out, int64_t taps, const double *edges,
                                            const double *desired, const double *weights,
                                            int32_t bands, double rate)
{
    static const char op[] = "signal_design_fir_equiripple";
    if (!out || !edges || !desired)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out    ? "out"
                         : edges ? "desired"
                                 : "edges");
    double half = rate == 0 ? 1 : rate / 2;
    agn_status st = check_bands(op, taps, edges, desired, weights, bands, half);
    if (st)
        return st;
    bool even = taps % 2 == 0;
    exchange e = {.cosines = even ? taps / 2 : (taps + 1) / 2};
    int64_t n = e.cosines + 1, all = 0;
    for (int32_t b = 0; b < bands; b++)
        all += band_points(edges[2 * b] / half, edges[2 * b + 1] / half, e.cosines);
    size_t bytes = (size_t)(4 * all + 3 * n + 2 * taps) * sizeof(double) +
                   (size_t)(all + n) * sizeof(int64_t);
    double *room = agni_alloc(bytes);
    if (!room)
        return agni_nomem(op, bytes);
    e.x = room;
    e.want = e.x + all;
    e.weight = e.want + all;
    e.error = e.weight + all;
    e.node = e.error + all;
    e.bary = e.node + n;
    e.value = e.bary + n;
    double *h = e.value + n, *gain = h + taps;
    e.place = (int64_t *)(gain + taps);
    e.found = e.place + n;
    for (int32_t b = 0; b < bands; b++) {
        double lo = edges[2 * b] / half, hi = edges[2 * b + 1] / half;
        int64_t points = band_points(lo, hi, e.cosines);
        for (int64_t k = 0; k < points; k++) {
            double w = PI * (lo + (hi - lo) * (double)k / (double)(points - 1)),
                   q = even ? cos(w / 2) : 1;
            if (q < 1e-4) /* at half the rate all filters of this kind agree */
                continue;
            e.x[e.grid] = cos(w);
            e.want[e.grid] = desired[b] / q;
            e.weight[e.grid++] = (weights ? weights[b] : 1) * q;
        }
    }
    st = e.grid < n
             ? agni_fail(
                   AGN_EARG,
                   "%s: %lld taps for %lld frequencies of %d bands; they leave it undetermined", op,
                   (long long)taps, (long long)e.grid, bands)
             : run_exchange(&e, op);
    if (!st) {
        sample_gains(h, gain, &e, taps);
        st = agn_from_host(out, AGN_F64, 1, &taps, h);
    }
    agni_free(room);
    return st;
}
