/* infer/diagnostics.c - whether chains agree and how much their draws tell (Vehtari, Gelman,
   Simpson, Carpenter & Buerkner 2021; Geyer 1992; Betancourt 2016). */
#include "infer/infer.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/cpu/special/normal.h"
#include <agnesi/elementwise.h>
#include <agnesi/tensor.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* m chains of n draws, row by row; tmp has room for as many */
typedef struct sheet {
    double *v, *tmp;
    int64_t *order;
    int64_t m, n;
} sheet;

/* ---- basics ------------------------------------------------------------------------- */

static double mean_of(const double *v, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += v[i];
    return sum / (double)n;
}
static double variance_of(const double *v, int64_t n)
{
    double mean = mean_of(v, n), sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (v[i] - mean) * (v[i] - mean);
    return sum / (double)(n - 1);
}
/* variance within chains, and that estimated from within and between */
static void chain_variances(const sheet *x, double *within, double *all)
{
    double grand = mean_of(x->v, x->m * x->n), between = 0;
    *within = 0;
    for (int64_t c = 0; c < x->m; c++) {
        double gap = mean_of(x->v + c * x->n, x->n) - grand;
        *within += variance_of(x->v + c * x->n, x->n) / (double)x->m;
        between += gap * gap;
    }
    between = x->m > 1 ? between / (double)(x->m - 1) : 0;
    *all = *within * (double)(x->n - 1) / (double)x->n + between;
}
static double plain_rhat(const sheet *x)
{
    double within, all;
    chain_variances(x, &within, &all);
    return within > 0 ? sqrt(all / within) : (double)NAN;
}
static double autocovariance(const double *v, int64_t n, double mean, int64_t lag)
{
    double sum = 0;
    for (int64_t i = lag; i < n; i++)
        sum += (v[i] - mean) * (v[i - lag] - mean);
    return sum / (double)n;
}
/* correlation at a lag over all chains */
static double lag_correlation(const sheet *x, int64_t lag, double within, double all)
{
    double sum = 0;
    for (int64_t c = 0; c < x->m; c++) {
        const double *v = x->v + c * x->n;
        sum += autocovariance(v, x->n, mean_of(v, x->n), lag) / (double)x->m;
    }
    return 1 - (within - sum) / all;
}
/* Pairs of correlations are summed while positive, and kept from rising (Geyer 1992, 3.3) */
static double plain_ess(const sheet *x)
{
    double within, all, total = (double)(x->m * x->n);
    chain_variances(x, &within, &all);
    if (!(all > 0))
        return (double)NAN;
    /* the variance within is that of the covariance at lag 0, by n - 1 */
    double even = 1, odd = lag_correlation(x, 1, within, all), sum = 0, last = (double)INFINITY,
           tail = 0;
    int64_t lag = 0;
    for (; lag + 3 < x->n && even + odd > 0; lag += 2) {
        double pair = even + odd < last ? even + odd : last;
        sum += pair;
        last = pair;
        even = lag_correlation(x, lag + 2, within, all);
        odd = lag_correlation(x, lag + 3, within, all);
    }
    tail = even > 0 ? even : 0;
    double tau = -1 + 2 * sum + tail, least = 1 / log10(total);
    return total / (tau > least ? tau : least);
}

double agni_effective_draws(const double *v, int64_t chains, int64_t draws)
{
    double *kept = (double *)(uintptr_t)v;
    return plain_ess(&(sheet){kept, NULL, NULL, chains, draws});
}

/* ---- ranks -------------------------------------------------------------------------- */

typedef struct ranked {
    double value;
    int64_t at;
} ranked;
static int by_value(const void *a, const void *b)
{
    double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
    return (x > y) - (x < y);
}
/* normal scores of the ranks, those of equal values being their mean (Blom 1958) */
static void normalise_ranks(sheet *x)
{
    int64_t total = x->m * x->n;
    ranked *r = (ranked *)x->order;
    for (int64_t i = 0; i < total; i++)
        r[i] = (ranked){x->v[i], i};
    qsort(r, (size_t)total, sizeof *r, by_value);
    for (int64_t i = 0, j; i < total; i = j) {
        for (j = i + 1; j < total && !(r[j].value > r[i].value); j++)
            ;
        double rank = 0.5 * (double)(i + 1 + j),
               z = agni_ndtri((rank - 0.375) / ((double)total + 0.25));
        for (int64_t k = i; k < j; k++)
            x->v[r[k].at] = z;
    }
}
static int compare_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double quantile_of(const double *sorted, int64_t n, double p)
{
    double at = p * (double)(n - 1), below = floor(at);
    int64_t i = (int64_t)below;
    return i + 1 < n ? sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}
static double sheet_quantile(sheet *x, double p)
{
    int64_t total = x->m * x->n;
    memcpy(x->tmp, x->v, (size_t)total * sizeof *x->tmp);
    qsort(x->tmp, (size_t)total, sizeof *x->tmp, compare_ascending);
    return quantile_of(x->tmp, total, p);
}

/* ---- of one quantity: x->v is overwritten -------------------------------------------- */

static double rhat_of(sheet *x, double *copy)
{
    int64_t total = x->m * x->n;
    double median = sheet_quantile(x, 0.5);
    for (int64_t i = 0; i < total; i++)
        copy[i] = fabs(x->v[i] - median);
    normalise_ranks(x);
    double bulk = plain_rhat(x);
    memcpy(x->v, copy, (size_t)total * sizeof *copy);
    normalise_ranks(x);
    double folded = plain_rhat(x);
    return bulk > folded || isnan(bulk) ? bulk : folded;
}
static double ess_bulk_of(sheet *x, double *copy)
{
    (void)copy;
    normalise_ranks(x);
    return plain_ess(x);
}
static double ess_tail_of(sheet *x, double *copy)
{
    int64_t total = x->m * x->n;
    double least = (double)INFINITY;
    memcpy(copy, x->v, (size_t)total * sizeof *copy);
    for (int k = 0; k < 2; k++) {
        memcpy(x->v, copy, (size_t)total * sizeof *copy);
        double end = sheet_quantile(x, k ? 0.95 : 0.05);
        for (int64_t i = 0; i < total; i++)
            x->v[i] = copy[i] <= end;
        double ess = plain_ess(x);
        if (isnan(ess))
            return ess;
        least = ess < least ? ess : least;
    }
    return least;
}
static double mcse_of(sheet *x, double *copy)
{
    (void)copy;
    return sqrt(variance_of(x->v, x->m * x->n) / plain_ess(x));
}

/* ---- of tensors ---------------------------------------------------------------------- */

typedef double of_sheet(sheet *x, double *copy);

/* x as f64, row by row */
static agn_status read_draws(const char *op, const void *out, const agn_tensor *x, int least_rank,
                             agn_tensor **wide, const double **v)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "x");
    if (agn_dtype_of(x) != AGN_F32 && agn_dtype_of(x) != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: x is %s; f32 or f64 is needed", op,
                         agn_dtype_name(agn_dtype_of(x)));
    if (agn_ndim(x) < least_rank || agn_shape(x)[1] < 4 || agn_shape(x)[0] < 1)
        return agni_fail(AGN_ESHAPE,
                         "%s: x has %d axes; [chains, draws, ...] with 4 draws at least are needed",
                         op, agn_ndim(x));
    agn_tensor *cast = NULL;
    const void *data = NULL;
    agn_status st = agn_cast(&cast, x, AGN_F64);
    st = st ? st : agn_contiguous(wide, cast);
    st = st ? st : agn_data_contiguous(&data, *wide);
    *v = data;
    agn_release(cast);
    return st;
}
static agn_status each_quantity(agn_tensor **out, const char *op, const agn_tensor *x, of_sheet *f)
{
    agn_tensor *wide = NULL;
    const double *v = NULL;
    agn_status st = read_draws(op, out, x, 2, &wide, &v);
    if (st) {
        agn_release(wide);
        return st;
    }
    int64_t chains = agn_shape(x)[0], draws = agn_shape(x)[1], half = draws / 2, each = 1;
    for (int i = 2; i < agn_ndim(x); i++)
        each *= agn_shape(x)[i];
    int64_t total = 2 * chains * half;
    double *room = agni_alloc((size_t)(total * 5 + each + 1) * sizeof *room);
    if (!room)
        st = agni_nomem(op, (size_t)(total * 5 + each) * sizeof *room);
    double *y = room ? room + 5 * total : NULL;
    for (int64_t k = 0; !st && k < each; k++) {
        sheet s = {room, room + total, (int64_t *)(room + 2 * total), 2 * chains, half};
        bool finite = true;
        for (int64_t c = 0; c < chains; c++)
            for (int64_t i = 0; i < 2 * half; i++) { /* of an odd number the one in the middle is left out */
                int64_t at = i < half ? i : draws - 2 * half + i;
                double value = v[(c * draws + at) * each + k];
                finite = finite && isfinite(value);
                room[c * 2 * half + i] = value;
            }
        y[k] = finite ? f(&s, room + 4 * total) : (double)NAN;
    }
    st = st ? st : agn_from_host(out, AGN_F64, agn_ndim(x) - 2, agn_shape(x) + 2, y);
    agni_free(room);
    agn_release(wide);
    return st;
}
agn_status agn_infer_rhat(agn_tensor **out, const agn_tensor *x)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_rhat", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_infer_rhat(out ? &h.y[0] : NULL, h.in[0]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    return each_quantity(out, "infer_rhat", x, rhat_of);
}
agn_status agn_infer_ess_bulk(agn_tensor **out, const agn_tensor *x)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_ess_bulk", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_infer_ess_bulk(out ? &h.y[0] : NULL, h.in[0]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    return each_quantity(out, "infer_ess_bulk", x, ess_bulk_of);
}
agn_status agn_infer_ess_tail(agn_tensor **out, const agn_tensor *x)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_ess_tail", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_infer_ess_tail(out ? &h.y[0] : NULL, h.in[0]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    return each_quantity(out, "infer_ess_tail", x, ess_tail_of);
}
agn_status agn_infer_mcse(agn_tensor **out, const agn_tensor *x)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_mcse", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_infer_mcse(out ? &h.y[0] : NULL, h.in[0]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    return each_quantity(out, "infer_mcse", x, mcse_of);
}

/* mean square of the steps of the energy over its variance */
agn_status agn_infer_bfmi(agn_tensor **out, const agn_tensor *energy)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "infer_bfmi", 1, (const agn_tensor *[]){energy})) {
        agn_status st = h.st ? h.st : agn_infer_bfmi(out ? &h.y[0] : NULL, h.in[0]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    agn_tensor *wide = NULL;
    const double *v = NULL;
    agn_status st = read_draws("infer_bfmi", out, energy, 2, &wide, &v);
    if (!st && agn_ndim(energy) != 2)
        st = agni_fail(AGN_ESHAPE, "infer_bfmi: energy has %d axes; 2 are needed",
                       agn_ndim(energy));
    int64_t chains = st ? 0 : agn_shape(energy)[0], n = st ? 0 : agn_shape(energy)[1];
    double *y = st ? NULL : agni_alloc((size_t)chains * sizeof *y);
    if (!st && !y)
        st = agni_nomem("infer_bfmi", (size_t)chains * sizeof *y);
    for (int64_t c = 0; !st && c < chains; c++) {
        double steps = 0, spread = variance_of(v + c * n, n) * (double)(n - 1);
        for (int64_t i = 1; i < n; i++)
            steps += (v[c * n + i] - v[c * n + i - 1]) * (v[c * n + i] - v[c * n + i - 1]);
        y[c] = steps / spread;
    }
    st = st ? st : agn_from_host(out, AGN_F64, 1, &chains, y);
    agni_free(y);
    agn_release(wide);
    return st;
}
