/* audio/music/mellin.c - Mellin transform by samples of a cubic spline at times of a geometric
   sequence (De Sena & Rocchesso 2007), spectra read at multiples of their frequencies (Salamon &
   Gomez 2012), and how far peaks lie off the pitches. */
#include "audio/audio.h"
#include "tensor/dispatch/host_run.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <stdlib.h>

/* ---- scale transform ---------------------------------------------------------------------- */

/* Second derivatives of the spline at the n samples, not a knot at the second and the last but one:
   there the three equations of neighbours are one, 6 m = 6 d. */
static const agn_tensor *second_derivatives(agn_scope *s, const agn_tensor *x)
{
    int64_t n = x ? x->shape[x->ndim - 1] : 0, m = n - 2;
    agn_tensor *rows = NULL;
    agn_status st = agn_scope_status(s);
    if (st)
        return NULL;
    const agn_tensor *a = agni_audio_part(s, x, 0, m), *b = agni_audio_part(s, x, 1, m),
                     *c = agni_audio_part(s, x, 2, m);
    const agn_tensor *d = ag_mul_c(s, ag_add(s, ag_sub(s, a, ag_mul_c(s, b, 2)), c), 6);
    double *v = agni_alloc((size_t)(3 * m) * sizeof *v);
    st = v ? AGN_OK : agni_nomem("audio_mellin", (size_t)(3 * m) * sizeof *v);
    for (int64_t i = 0; !st && i < m; i++) {
        bool end = i == 0 || i == m - 1;
        v[i] = i == m - 1 || i == 0 ? 0 : 1; /* below the diagonal, of row i */
        v[m + i] = end ? 6 : 4;
        v[2 * m + i] = end ? 0 : 1;
    }
    if (!st)
        st = agni_audio_make(&rows, x->dtype, 2, (int64_t[]){3, m}, v);
    agni_free(v);
    const agn_tensor *t = agni_adopt_constant(s, st, rows);
    if (!t)
        return NULL;
    const agn_tensor *low = ag_index_axis(s, t, 0, 0), *mid = ag_index_axis(s, t, 0, 1),
                     *up = ag_index_axis(s, t, 0, 2);
    if (agn_scope_status(s))
        return NULL;
    d = ag_linalg_solve_tridiagonal(s, agni_audio_part(s, low, 1, m - 1), mid,
                                    agni_audio_part(s, up, 0, m - 1), ag_expand_dims(s, d, -1));
    d = ag_squeeze(s, d, -1);
    if (!d)
        return NULL;
    /* the ends go on in a line */
    const agn_tensor *first = ag_sub(s, ag_mul_c(s, agni_audio_part(s, d, 0, 1), 2),
                                     agni_audio_part(s, d, 1, 1));
    const agn_tensor *last = ag_sub(s, ag_mul_c(s, agni_audio_part(s, d, m - 1, 1), 2),
                                    agni_audio_part(s, d, m - 2, 1));
    const agn_tensor *all[] = {first, d, last};
    return agn_scope_status(s) ? NULL : ag_concat(s, all, 3, -1);
}

/* places [m] in samples, before them those of the sequence */
static agn_status make_places(double *at, const char *op, int64_t n, int64_t m, double t_min)
{
    double low = log(t_min) - log((double)n);
    for (int64_t j = 0; j < m; j++) {
        double t = (double)n * exp(low * (1 - (double)j / (double)(m + 1)));
        at[j] = fmin(fmax(t, t_min), (double)(n - 1));
        if (j && !(at[j] > at[j - 1]))
            return agni_fail(AGN_EARG, "%s: times %lld and %lld of %lld fall together at %g", op,
                             (long long)j - 1, (long long)j, (long long)m, at[j]);
    }
    return AGN_OK;
}

/* the spline at the places, times their weights */
static const agn_tensor *read_spline(agn_scope *s, const char *op, const agn_tensor *x,
                                     const double *at, int64_t m, double beta)
{
    int64_t n = x ? x->shape[x->ndim - 1] : 0, *index = agni_alloc((size_t)m * 2 * sizeof *index);
    double *w = index ? agni_alloc((size_t)m * 4 * sizeof *w) : NULL;
    const agn_tensor *c[6] = {NULL}, *curve = second_derivatives(s, x);
    agn_status st = w ? AGN_OK : agni_nomem(op, (size_t)m * 4 * sizeof *w);
    for (int64_t j = 0; !st && j < m; j++) {
        int64_t i = (int64_t)floor(at[j]);
        i = i > n - 2 ? n - 2 : i;
        double u = at[j] - (double)i, v = 1 - u,
               size = pow(at[j] / (double)n, beta) * sqrt((double)n) / (double)m;
        index[j] = i;
        index[m + j] = i + 1;
        w[j] = v * size;
        w[m + j] = u * size;
        w[2 * m + j] = (v * v * v - v) / 6 * size;
        w[3 * m + j] = (u * u * u - u) / 6 * size;
    }
    for (int k = 0; k < 6; k++) {
        agn_tensor *made = NULL;
        st = st ? st : agn_scope_status(s);
        if (!st)
            st = k < 2 ? agn_from_host(&made, AGN_I64, 1, &m, index + k * m)
                       : agni_audio_make(&made, x->dtype, 1, &m, w + (k - 2) * m);
        c[k] = agni_adopt_constant(s, st, made);
    }
    agni_free(index);
    agni_free(w);
    const agn_tensor *sum = NULL;
    for (int k = 0; k < 4; k++)
        sum = agni_add_present(s, sum, ag_mul(s, ag_gather(s, k < 2 ? x : curve, c[k % 2], -1),
                                              c[2 + k]));
    return sum;
}

agn_status agn_audio_mellin(agn_tensor **out, const agn_tensor *x, double t_min, int64_t m,
                            double beta)
{
    static const char op[] = "audio_mellin";
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!x->ndim || x->shape[x->ndim - 1] < 4))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds 4 samples at least", op,
                       AGNI_SHAPE(x));
    int64_t n = st ? 4 : x->shape[x->ndim - 1];
    if (!st && (!(t_min > 0 && t_min < (double)(n - 1)) || !isfinite(beta)))
        st = agni_fail(AGN_EARG, "%s: times from %g on, their power %g, for x %s", op, t_min, beta,
                       AGNI_SHAPE(x));
    double dense = st || m ? (double)m
                           : ceil((log((double)n - 1) - log(t_min)) /
                                  (log((double)n - 1) - log((double)n - 2)));
    if (!st && !(dense >= 3 && dense <= 1 << 28))
        st = agni_fail(AGN_EARG, "%s: %.0f times for x %s; there are 3 to 2^28", op, dense,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    m = (int64_t)dense;
    double *at = agni_alloc((size_t)m * sizeof *at);
    if (!at)
        return agni_nomem(op, (size_t)m * sizeof *at);
    st = make_places(at, op, n, m, t_min);
    if (st) {
        agni_free(at);
        return st;
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = y ? read_spline(s, op, y, at, m, beta) : NULL;
    agni_free(at);
    return agni_return(op, s, out, ag_fft_rfft(s, y, 0, -1, AGN_FFT_BACKWARD));
}

/* ---- harmonics ---------------------------------------------------------------------------- */

static agn_status read_frequencies(agn_tensor **owner, const double **f, const char *op,
                                   const agn_tensor *frequencies, int64_t bins)
{
    AGNI_NEED(op, frequencies);
    if (agni_kind(frequencies->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: frequencies are %s %s; they are real", op,
                         agni_dtypes[frequencies->dtype].name, AGNI_SHAPE(frequencies));
    if (frequencies->ndim != 1 || frequencies->size != bins)
        return agni_fail(AGN_ESHAPE, "%s: frequencies are %s; they are [%lld]", op,
                         AGNI_SHAPE(frequencies), (long long)bins);
    agn_status st = agni_audio_host(owner, f, op, frequencies);
    for (int64_t k = 0; !st && k < bins; k++)
        if (!isfinite((*f)[k]) || (k && !((*f)[k] > (*f)[k - 1]))) {
            st = agni_fail(AGN_EDOMAIN, "%s: frequency %lld is %g; they rise and are finite", op,
                           (long long)k, (*f)[k]);
            agn_release(*owner);
        }
    return st;
}

static agn_status check_harmonics(const char *op, const agn_tensor *x, const double *harmonics,
                                  int32_t count)
{
    if (count < 1 || count > 1024)
        return agni_fail(AGN_EARG, "%s: %d harmonics for x %s; there are 1 to 1024", op, count,
                         AGNI_SHAPE(x));
    for (int32_t h = 0; h < count; h++)
        if (!(harmonics[h] > 0) || !isfinite(harmonics[h]))
            return agni_fail(AGN_EARG, "%s: harmonic %d is %g; they are positive", op, h,
                             harmonics[h]);
    return AGN_OK;
}

/* the bin at or below v, of bins - 1 at most; -1 outside */
static int64_t find_bin(const double *f, int64_t bins, double v)
{
    int64_t lo = 0, hi = bins - 1;
    if (!(v >= f[0] && v <= f[bins - 1]))
        return -1;
    while (hi - lo > 1) {
        int64_t mid = lo + (hi - lo) / 2;
        if (f[mid] <= v)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

agn_status agn_audio_harmonics(agn_tensor **out, const agn_tensor *x, const agn_tensor *frequencies,
                               const double *harmonics, int32_t count)
{
    static const char op[] = "audio_harmonics";
    agn_tensor *owner = NULL, *made[3] = {NULL};
    const double *f = NULL;
    AGNI_NEED(op, harmonics);
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && x->ndim + 1 > AGNI_MAX_RANK)
        st = agni_fail(AGN_ESHAPE, "%s: x is of rank %d; harmonics need one axis more", op,
                       x->ndim);
    if (!st)
        st = check_harmonics(op, x, harmonics, count);
    int64_t bins = st ? 1 : x->shape[x->ndim - 2];
    if (!st)
        st = read_frequencies(&owner, &f, op, frequencies, bins);
    if (st)
        return st;
    int64_t n = count * bins, *index = agni_alloc((size_t)n * 2 * sizeof *index);
    double *w = index ? agni_alloc((size_t)n * 2 * sizeof *w) : NULL;
    int dtype = agni_audio_dtype(x->dtype);
    st = w ? AGN_OK : agni_nomem(op, (size_t)n * 2 * sizeof *w);
    for (int64_t k = 0; !st && k < n; k++) {
        double v = harmonics[k / bins] * f[k % bins];
        int64_t i = find_bin(f, bins, v), j = i + 1 < bins ? i + 1 : i;
        index[k] = i < 0 ? 0 : i;
        index[n + k] = i < 0 ? 0 : j;
        w[n + k] = i < 0 || i == j ? 0 : (v - f[i]) / (f[j] - f[i]);
        w[k] = i < 0 ? 0 : 1; /* inside */
    }
    agn_release(owner);
    for (int k = 0; !st && k < 3; k++)
        st = k < 2 ? agn_from_host(made + k, AGN_I64, 1, &n, index + k * n)
                   : agni_audio_make(made + k, dtype, 3, (int64_t[]){2, n, 1}, w);
    agni_free(index);
    agni_free(w);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *c[3];
    for (int k = 0; k < 3; k++)
        c[k] = agni_adopt_constant(s, st, made[k]);
    const agn_tensor *y = ag_cast(s, x, dtype), *a = ag_gather(s, y, c[0], -2),
                     *b = ag_gather(s, y, c[1], -2);
    const agn_tensor *inside = ag_index_axis(s, c[2], 0, 0), *u = ag_index_axis(s, c[2], 0, 1);
    y = ag_add(s, a, ag_mul(s, u, ag_sub(s, b, a)));
    y = y && inside ? ag_where(s, ag_gt(s, inside, agni_full_like(s, 0, inside)), y,
                               agni_full_like(s, 0, y))
                    : NULL;
    int64_t shape[AGNI_MAX_RANK];
    for (int d = 0; y && d < y->ndim; d++)
        shape[d < y->ndim - 2 ? d : d + 1] = y->shape[d];
    if (y) {
        shape[y->ndim - 2] = count;
        shape[y->ndim - 1] = bins;
        y = ag_reshape(s, y, y->ndim + 1, shape);
    }
    return agni_return(op, s, out, y);
}

agn_status agn_audio_pitch_harmonics(agn_tensor **out, const agn_tensor *x, const agn_tensor *pitch,
                                     const agn_tensor *frequencies, const double *harmonics,
                                     int32_t count)
{
    static const char op[] = "audio_pitch_harmonics";
    agn_tensor *owner = NULL, *made[2] = {NULL};
    const double *f = NULL;
    AGNI_NEED(op, pitch);
    AGNI_NEED(op, harmonics);
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && agni_kind(pitch->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: the pitch is %s %s; it is real", op,
                       agni_dtypes[pitch->dtype].name, AGNI_SHAPE(pitch));
    bool like = !st && x->shape[x->ndim - 2] > 1 && pitch->ndim == x->ndim - 1;
    for (int d = 0; like && d < pitch->ndim; d++)
        like = pitch->shape[d] == x->shape[d < x->ndim - 2 ? d : d + 1];
    if (!st && !like)
        st = agni_fail(AGN_ESHAPE,
                       "%s: x is %s, the pitch %s; they are [..., bins, frames] with two bins at "
                       "least, and [..., frames]",
                       op, AGNI_SHAPE(x), AGNI_SHAPE(pitch));
    if (!st)
        st = check_harmonics(op, x, harmonics, count);
    int64_t bins = st ? 1 : x->shape[x->ndim - 2];
    if (!st)
        st = read_frequencies(&owner, &f, op, frequencies, bins);
    if (st)
        return st;
    int dtype = agni_audio_dtype(agni_promote(x->dtype, pitch->dtype));
    st = agni_audio_make(made, dtype, 1, &bins, f);
    if (!st)
        st = agni_audio_make(made + 1, dtype, 2, (int64_t[]){count, 1}, harmonics);
    double low = f[0], high = f[bins - 1];
    agn_release(owner);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *c = agni_adopt_constant(s, st, made[0]),
                     *h = agni_adopt_constant(s, st, made[1]);
    x = ag_cast(s, x, dtype);
    const agn_tensor *v = ag_mul(s, ag_expand_dims(s, ag_cast(s, pitch, dtype), -2), h);
    const agn_tensor *within = ag_logical_and(s, ag_ge(s, v, agni_literal(s, low)),
                                              ag_le(s, v, agni_literal(s, high)));
    v = ag_where(s, within, v, ag_full_like(s, v, low)); /* NaN is outside, too */
    const agn_tensor *i = ag_sub_c(s, ag_searchsorted(s, c, ag_stop_gradient(s, v), true), 1);
    i = ag_minimum_c(s, i, (double)(bins - 2));
    const agn_tensor *j = ag_add_c(s, i, 1), *from = ag_gather(s, c, i, 0);
    const agn_tensor *part = ag_div(s, ag_sub(s, v, from), ag_sub(s, ag_gather(s, c, j, 0), from));
    const agn_tensor *a = ag_take_along_axis(s, x, i, -2), *b = ag_take_along_axis(s, x, j, -2);
    const agn_tensor *y = ag_add(s, a, ag_mul(s, part, ag_sub(s, b, a)));
    return agni_return(op, s, out, y ? ag_where(s, within, y, agni_full_like(s, 0, y)) : NULL);
}

/* ---- tuning ------------------------------------------------------------------------------- */

static int compare_sizes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* where most shares lie, of steps between -0.5 and 0.5 */
static double fullest_step(const double *share, int64_t n, int64_t *counts, int64_t steps)
{
    int64_t best = 0;
    for (int64_t k = 0; k < steps; k++)
        counts[k] = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = (int64_t)floor((share[i] + 0.5) * (double)steps);
        k = k < 0 ? 0 : k >= steps ? steps - 1 : k;
        /* edges are those of the quotient k / steps - 0.5 */
        while (k > 0 && share[i] < (double)k / (double)steps - 0.5)
            k--;
        while (k + 1 < steps && share[i] >= (double)(k + 1) / (double)steps - 0.5)
            k++;
        counts[k]++;
    }
    for (int64_t k = 0; k < steps; k++)
        best = counts[k] > counts[best] ? k : best;
    return (double)best / (double)steps - 0.5;
}

agn_status agn_audio_tuning(agn_tensor **out, const agn_tensor *frequency,
                            const agn_tensor *magnitude, double resolution, int32_t per_octave)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_tuning", 2,
                             (const agn_tensor *[]){frequency, magnitude})) {
        agn_status on_host = h.st ? h.st
                                  : agn_audio_tuning(out ? &h.y[0] : NULL, h.in[0], h.in[1],
                                                     resolution, per_octave);
        return agni_host_call_end(&h, on_host, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "audio_tuning";
    agn_tensor *rows[2] = {NULL};
    const double *f = NULL, *m = NULL;
    AGNI_NEED(op, magnitude);
    agn_status st = agni_audio_check_real(op, out, frequency);
    if (!st)
        st = agni_audio_check_real(op, out, magnitude);
    bool same = !st && frequency->ndim == magnitude->ndim;
    for (int d = 0; same && d < frequency->ndim; d++)
        same = frequency->shape[d] == magnitude->shape[d];
    if (!st && !same)
        st = agni_fail(AGN_ESHAPE, "%s: frequencies are %s, magnitudes %s; they are alike", op,
                       AGNI_SHAPE(frequency), AGNI_SHAPE(magnitude));
    if (!st && (!(resolution >= 1e-6 && resolution <= 1) || per_octave < 1 || per_octave > 1 << 12))
        st = agni_fail(AGN_EARG, "%s: a resolution of %g, %d bins an octave for %s", op, resolution,
                       per_octave, AGNI_SHAPE(frequency));
    if (!st)
        st = agni_audio_host(rows, &f, op, frequency);
    if (!st)
        st = agni_audio_host(rows + 1, &m, op, magnitude);
    int64_t n = st ? 0 : frequency->size, count = 0, steps = (int64_t)ceil(1 / resolution);
    for (int64_t i = 0; !st && i < n; i++)
        if (!isfinite(f[i]) || !isfinite(m[i]))
            st = agni_fail(AGN_EDOMAIN, "%s: peak %lld of %s is %g Hz, %g; both are finite", op,
                           (long long)i, AGNI_SHAPE(frequency), f[i], m[i]);
    size_t size = (size_t)n * sizeof(double) + (st ? 0 : (size_t)steps * sizeof(int64_t));
    int64_t *counts = st ? NULL : agni_alloc(size);
    if (!st && !counts)
        st = agni_nomem(op, size);
    double result = 0;
    if (!st) {
        double *share = (double *)(counts + steps), median;
        for (int64_t i = 0; i < n; i++)
            if (f[i] > 0)
                share[count++] = m[i];
        if (count)
            qsort(share, (size_t)count, sizeof *share, compare_sizes);
        median = count ? 0.5 * (share[(count - 1) / 2] + share[count / 2]) : 0;
        count = 0;
        for (int64_t i = 0; i < n; i++)
            if (f[i] > 0 && m[i] >= median) {
                double r = per_octave * log2(f[i] / 27.5);
                r -= floor(r);
                share[count++] = r >= 0.5 ? r - 1 : r;
            }
        result = count ? fullest_step(share, count, counts, steps) : 0;
        st = agn_from_host(out, AGN_F64, 0, NULL, &result);
    }
    agni_free(counts);
    agn_release(rows[0]);
    agn_release(rows[1]);
    return st;
}
