/* audio/music/constant_q.c - transform whose frequencies are a geometric sequence, with a constant
   ratio of frequency and bandwidth or one that follows hearing (Brown 1991; Schoerkhuber & Klapuri
   2014). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef agn_audio_constant_q_options options;

/* one filter: samples from to from + count about a frame's time, in steps of time against the
   signal */
typedef struct filter {
    double f, length;
    int64_t from, count;
} filter;

static filter filter_of(const options *o, double rate, int64_t k)
{
    double per = o->bins_per_octave, r = exp2(2 / per), alpha = (r - 1) / (r + 1),
           f = o->f_min * exp2((double)k / per);
    double gamma = o->gamma < 0 ? alpha * 24.7 / 0.108 : o->gamma;
    double length = o->filter_scale / alpha * rate / (f + gamma / alpha);
    filter w = {.f = f, .length = length, .from = (int64_t)floor(-length / 2)};
    w.count = (int64_t)floor(length / 2) - w.from;
    return w;
}

static agn_status complete_options(options *o, const char *op, const agn_tensor *x, double rate,
                                   const options *given)
{
    if (agni_check_size(op, agn_audio_constant_q_options, given))
        return AGN_EARG;
    *o = given ? *given : (options){.size = sizeof *o};
    o->hop = o->hop ? o->hop : 512;
    o->f_min = o->f_min == 0 ? 440 * exp2(-45.0 / 12) : o->f_min; /* C1 */
    o->n_bins = o->n_bins ? o->n_bins : 84;
    o->bins_per_octave = o->bins_per_octave ? o->bins_per_octave : 12;
    o->filter_scale = o->filter_scale == 0 ? 1 : o->filter_scale;
    if (!(rate > 0) || !isfinite(rate) || o->hop < 1 || o->n_bins < 1 || o->n_bins > 1 << 16 ||
        o->bins_per_octave < 1 || o->bins_per_octave > 1 << 12 || !(o->f_min > 0) ||
        !(o->filter_scale > 0) || !isfinite(o->filter_scale) || !isfinite(o->gamma))
        return agni_fail(
            AGN_EARG,
            "%s: %d bins, %d an octave from %g Hz at a rate of %g, steps of %lld, scale %g; all are "
            "positive",
            op, o->n_bins, o->bins_per_octave, o->f_min, rate, (long long)o->hop, o->filter_scale);
    filter low = filter_of(o, rate, 0), high = filter_of(o, rate, o->n_bins - 1);
    if (!(high.f <= rate / 2))
        return agni_fail(AGN_EARG, "%s: bin %d of %g Hz is above half the rate of %g", op,
                         o->n_bins - 1, high.f, rate);
    if (!(low.length < 1 << 26) || high.count < 1)
        return agni_fail(AGN_EARG,
                         "%s: filters of %g to %g samples at a rate of %g; they have 1 to 2^26", op,
                         high.length, low.length, rate);
    if (!x->ndim || !x->shape[x->ndim - 1] || x->ndim + 1 > AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE, "%s: x is %s; its last axis holds a sample, and there is room for one more",
            op, AGNI_SHAPE(x));
    return AGN_OK;
}

/* kernels [left + right + 1, 2 n] of the bins from first on, for frames from -left to right about
   their time: cosines, then sines, under periodic Hann windows of sum 1 */
static agn_status make_kernels(agn_tensor **out, int64_t *left, int64_t *right, const char *op,
                               int dtype, const options *o, double rate, int64_t first, int64_t n)
{
    *left = *right = 0;
    for (int64_t k = 0; k < n; k++) {
        filter w = filter_of(o, rate, first + k);
        int64_t last = w.from + w.count - 1;
        *left = last > *left ? last : *left;
        *right = -w.from > *right ? -w.from : *right;
    }
    int64_t rows = *left + *right + 1;
    double *v = agni_alloc((size_t)(rows * 2 * n) * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)(rows * 2 * n) * sizeof *v);
    memset(v, 0, (size_t)(rows * 2 * n) * sizeof *v);
    for (int64_t k = 0; k < n; k++) {
        filter w = filter_of(o, rate, first + k);
        double sum = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t i = 0; i < w.count; i++) {
                double h = w.count > 1 ? 0.5 - 0.5 * cos(2 * PI * (double)i / (double)w.count) : 1;
                double turn = 2 * PI * w.f / rate * (double)(w.from + i);
                double size = pass ? h / sum * (o->unscaled ? w.length : sqrt(w.length)) : 0;
                double *to = v + (*left - (w.from + i)) * 2 * n +
                             k; /* a convolution: against time */
                if (!pass) {
                    sum += h;
                    continue;
                }
                to[0] = size * cos(turn);
                to[n] = size * sin(turn);
            }
    }
    agn_status st = agni_audio_make(out, dtype, 2, (int64_t[]){rows, 2 * n}, v);
    agni_free(v);
    return st;
}

agn_status agn_audio_constant_q(agn_tensor **out, const agn_tensor *x, double rate,
                                const agn_audio_constant_q_options *opts)
{
    static const char op[] = "audio_constant_q";
    options o = {.size = 0};
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = complete_options(&o, op, x, rate, opts);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    filter longest = filter_of(&o, rate, 0);
    int64_t reach = longest.count + 1, pad[AGNI_MAX_RANK] = {0},
            frames = 1 + x->shape[x->ndim - 1] / o.hop;
    int64_t groups = (o.n_bins + o.bins_per_octave - 1) / o.bins_per_octave;
    const agn_tensor **part = agni_alloc((size_t)groups * sizeof *part);
    if (!part)
        return agni_nomem(op, (size_t)groups * sizeof *part);
    pad[x->ndim - 1] = reach;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_pad(s, ag_cast(s, x, dtype), x->ndim, pad, pad, 0);
    /* frames are as long as the longest filter of their octave: together they cost as much as two
       of the lowest one */
    for (int64_t g = 0; g < groups && !agn_scope_status(s); g++) {
        int64_t first = g * o.bins_per_octave, n = o.n_bins - first, left, right;
        n = n < o.bins_per_octave ? n : o.bins_per_octave;
        agn_tensor *w = NULL;
        st = make_kernels(&w, &left, &right, op, dtype, &o, rate, first, n);
        const agn_tensor *k = agni_adopt_constant(s, st, w);
        int64_t length = left + right + 1;
        const agn_tensor *z = agni_audio_part(s, y, reach - left, (frames - 1) * o.hop + length);
        z = ag_swapaxes(s, ag_matmul(s, ag_signal_frame(s, z, length, o.hop), k), -1, -2);
        if (!z)
            break;
        int64_t from[AGNI_MAX_RANK] = {0}, to[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d < z->ndim; d++) {
            to[d] = z->shape[d];
            step[d] = 1;
        }
        to[z->ndim - 2] = n;
        const agn_tensor *re = ag_slice(s, z, z->ndim, from, to, step);
        from[z->ndim - 2] = n;
        to[z->ndim - 2] = 2 * n;
        part[g] = ag_complex(s, re, ag_slice(s, z, z->ndim, from, to, step));
    }
    const agn_tensor *all = agn_scope_status(s) ? NULL
                            : groups > 1        ? ag_concat(s, part, (int32_t)groups, -2)
                                                : part[0];
    agni_free(part);
    return agni_return(op, s, out, all);
}
