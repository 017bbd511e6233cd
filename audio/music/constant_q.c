/* audio/music/constant_q.c - transform whose frequencies are a geometric sequence, with a constant
   ratio of frequency and bandwidth or one that follows hearing (Brown 1991; Schoerkhuber & Klapuri
   2014). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
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

static agn_status complete_options(options *o, const char *op, double rate, const options *given)
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

/* ---- the transform and its adjoint -------------------------------------------------------- */

/* the bins of an octave, by frames as long as the longest filter among them: together octaves cost
   as much as two of the lowest one */
typedef struct octave {
    int64_t first, n, left, length;
    const agn_tensor *kernels, *weights; /* [length, 2 n], [2 n] */
} octave;

typedef struct transform {
    options o;
    int64_t n, frames, reach, count; /* samples, frames, zeros beyond both ends, octaves */
    octave *octaves;
} transform;

/* bandwidths over the squared length of filters: so weighed, all frequencies weigh much alike */
static agn_status make_weights(agn_tensor **out, const char *op, int dtype, const options *o,
                               double rate, int64_t first, int64_t n)
{
    double *v = agni_alloc((size_t)(2 * n) * sizeof *v);
    if (!v)
        return agni_nomem(op, (size_t)(2 * n) * sizeof *v);
    for (int64_t k = 0; k < n; k++) {
        double length = filter_of(o, rate, first + k).length;
        v[k] = v[n + k] = 1 / (o->unscaled ? length * length : length);
    }
    agn_status st = agni_audio_make(out, dtype, 1, (int64_t[]){2 * n}, v);
    agni_free(v);
    return st;
}

/* octaves of q->o for q->n samples; constants belong to the scope */
static agn_status make_octaves(agn_scope *s, transform *q, const char *op, int dtype, double rate,
                               bool weights)
{
    const options *o = &q->o;
    q->frames = 1 + q->n / o->hop;
    q->reach = filter_of(o, rate, 0).count + 1;
    q->count = (o->n_bins + o->bins_per_octave - 1) / o->bins_per_octave;
    q->octaves = agni_alloc((size_t)q->count * sizeof *q->octaves);
    if (!q->octaves)
        return agni_nomem(op, (size_t)q->count * sizeof *q->octaves);
    agn_status st = AGN_OK;
    for (int64_t g = 0; !st && g < q->count; g++) {
        octave *p = q->octaves + g;
        int64_t right;
        agn_tensor *made = NULL;
        p->first = g * o->bins_per_octave;
        p->n = o->n_bins - p->first;
        p->n = p->n < o->bins_per_octave ? p->n : o->bins_per_octave;
        st = make_kernels(&made, &p->left, &right, op, dtype, o, rate, p->first, p->n);
        p->kernels = agni_adopt_constant(s, st, made);
        p->length = p->left + right + 1;
        made = NULL;
        if (!st && weights)
            st = make_weights(&made, op, dtype, o, rate, p->first, p->n);
        p->weights = !st && weights ? agni_adopt_constant(s, st, made) : NULL;
        st = st ? st : agn_scope_status(s);
    }
    return st;
}

static const agn_tensor *pad_silence(agn_scope *s, const agn_tensor *x, int64_t front,
                                     int64_t behind)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    if (!x)
        return NULL;
    lo[x->ndim - 1] = front;
    hi[x->ndim - 1] = behind;
    return ag_pad(s, x, x->ndim, lo, hi, 0);
}

/* [..., frames, 2 n]: real parts, then imaginary ones, of the octave's bins; y has reach zeros at
   both ends */
static const agn_tensor *analyse_octave(agn_scope *s, const transform *q, const octave *p,
                                 const agn_tensor *y)
{
    const agn_tensor *z = agni_audio_part(s, y, q->reach - p->left,
                                          (q->frames - 1) * q->o.hop + p->length);
    return ag_matmul(s, ag_signal_frame(s, z, p->length, q->o.hop), p->kernels);
}

/* its adjoint, times the weights: [..., n] */
static const agn_tensor *synthesise_octave(agn_scope *s, const transform *q, const octave *p,
                                    const agn_tensor *z)
{
    int64_t have = (q->frames - 1) * q->o.hop + p->length, need = p->left + q->n;
    const agn_tensor *f = ag_matmul(s, ag_mul(s, z, p->weights), ag_transpose(s, p->kernels));
    f = ag_signal_overlap_add(s, f, q->o.hop);
    f = need > have ? pad_silence(s, f, 0, need - have) : f;
    return f ? agni_audio_part(s, f, p->left, q->n) : NULL;
}

/* bins from first on, n of them, of an axis before the last */
static const agn_tensor *take_bins(agn_scope *s, const agn_tensor *x, int64_t first, int64_t n)
{
    return ag_swapaxes(s, x ? agni_audio_part(s, ag_swapaxes(s, x, -1, -2), first, n) : NULL, -1,
                       -2);
}

agn_status agn_audio_constant_q(agn_tensor **out, const agn_tensor *x, double rate,
                                const agn_audio_constant_q_options *opts)
{
    static const char op[] = "audio_constant_q";
    transform q = {.n = 0};
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = complete_options(&q.o, op, rate, opts);
    if (!st && (!x->ndim || !x->shape[x->ndim - 1] || x->ndim + 1 > AGNI_MAX_RANK))
        st = agni_fail(
            AGN_ESHAPE, "%s: x is %s; its last axis holds a sample, and there is room for one more",
            op, AGNI_SHAPE(x));
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    q.n = x->shape[x->ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    st = make_octaves(s, &q, op, dtype, rate, false);
    const agn_tensor **part = st ? NULL : agni_alloc((size_t)q.count * sizeof *part);
    if (!st && !part)
        st = agni_nomem(op, (size_t)q.count * sizeof *part);
    if (st)
        agn_scope_fail(s, st);
    const agn_tensor *y = pad_silence(s, ag_cast(s, x, dtype), q.reach, q.reach);
    for (int64_t g = 0; g < q.count && !agn_scope_status(s); g++) {
        int64_t n = q.octaves[g].n;
        const agn_tensor *z = ag_swapaxes(s, analyse_octave(s, &q, q.octaves + g, y), -1, -2);
        part[g] = ag_complex(s, take_bins(s, z, 0, n), take_bins(s, z, n, n));
    }
    const agn_tensor *all = agn_scope_status(s) ? NULL
                            : q.count > 1       ? ag_concat(s, part, (int32_t)q.count, -2)
                                                : part[0];
    agni_free(part);
    agni_free(q.octaves);
    return agni_return(op, s, out, all);
}

/* ---- inverse ------------------------------------------------------------------------------ */

/* x over d along the last axis, of one number; 0 where d is 0 */
static const agn_tensor *divide_safe(agn_scope *s, const agn_tensor *x, const agn_tensor *d)
{
    const agn_tensor *none = d ? ag_eq(s, d, agni_full_like(s, 0, d)) : NULL;
    const agn_tensor *safe = d ? ag_where(s, none, agni_full_like(s, 1, d), d) : NULL;
    return d ? ag_where(s, none, agni_full_like(s, 0, d), ag_div(s, x, safe)) : NULL;
}

static const agn_tensor *sum_squares(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return ag_sum(s, ag_mul(s, a, b), (int32_t[]){-1}, 1, true);
}

/* the weighted transform and back */
static const agn_tensor *apply_normal(agn_scope *s, const transform *q, const agn_tensor *p)
{
    const agn_tensor *sum = NULL, *y = pad_silence(s, p, q->reach, q->reach);
    for (int64_t g = 0; g < q->count && !agn_scope_status(s); g++) {
        const octave *o = q->octaves + g;
        sum = agni_add_present(s, sum, synthesise_octave(s, q, o, analyse_octave(s, q, o, y)));
    }
    return sum;
}

static const agn_tensor *solve_normal(agn_scope *s, const transform *q, const agn_tensor *b,
                                      int32_t iterations)
{
    const agn_tensor *y = NULL, *r = b, *p = b, *rr = sum_squares(s, b, b);
    for (int32_t k = 0; k < iterations && !agn_scope_status(s); k++) {
        const agn_tensor *to = apply_normal(s, q, p);
        const agn_tensor *step = divide_safe(s, rr, sum_squares(s, p, to));
        y = agni_add_present(s, y, ag_mul(s, p, step));
        if (k + 1 == iterations)
            break;
        r = ag_sub(s, r, ag_mul(s, to, step));
        const agn_tensor *next = sum_squares(s, r, r);
        p = ag_add(s, r, ag_mul(s, p, divide_safe(s, next, rr)));
        rr = next;
    }
    return y;
}

agn_status agn_audio_inverse_constant_q(agn_tensor **out, const agn_tensor *x, double rate,
                                        int64_t length, int32_t iterations,
                                        const agn_audio_constant_q_options *opts)
{
    static const char op[] = "audio_inverse_constant_q";
    transform q = {.n = length};
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    agn_status st = complete_options(&q.o, op, rate, opts);
    if (!st && (iterations < 1 || iterations > 1000))
        st = agni_fail(AGN_EARG, "%s: %d iterations for x %s; there are 1 to 1000", op, iterations,
                       AGNI_SHAPE(x));
    if (!st && (x->ndim < 2 || x->shape[x->ndim - 2] != q.o.n_bins || length < 1 ||
                x->shape[x->ndim - 1] != 1 + length / q.o.hop))
        st = agni_fail(AGN_ESHAPE,
                       "%s: x is %s; [..., %d, 1 + %lld / %lld] belongs to %lld samples, of which "
                       "there is one",
                       op, AGNI_SHAPE(x), q.o.n_bins, (long long)length, (long long)q.o.hop,
                       (long long)length);
    if (st)
        return st;
    int kind = agni_kind(x->dtype),
        dtype = kind == AGNI_KIND_COMPLEX ? agni_dtypes[x->dtype].real : agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    st = make_octaves(s, &q, op, dtype, rate, true);
    if (st)
        agn_scope_fail(s, st);
    const agn_tensor *b = NULL;
    for (int64_t g = 0; g < q.count && !agn_scope_status(s); g++) {
        const octave *p = q.octaves + g;
        const agn_tensor *z = take_bins(s, x, p->first, p->n);
        const agn_tensor *re = ag_cast(s, ag_real(s, z), dtype);
        const agn_tensor *im = kind == AGNI_KIND_COMPLEX ? ag_imag(s, z)
                               : re                      ? agni_full_like(s, 0, re)
                                                         : NULL;
        const agn_tensor *both[] = {re, im};
        z = agn_scope_status(s) ? NULL : ag_swapaxes(s, ag_concat(s, both, 2, -2), -1, -2);
        b = agni_add_present(s, b, synthesise_octave(s, &q, p, z));
    }
    const agn_tensor *y = b ? solve_normal(s, &q, b, iterations) : NULL;
    agni_free(q.octaves);
    return agni_return(op, s, out, y);
}

/* ---- from magnitudes ------------------------------------------------------------------------ */

agn_status agn_audio_griffin_lim_constant_q(agn_tensor **out, const agn_tensor *x,
                                            const agn_tensor *phase, double rate, int64_t length,
                                            int32_t iterations, double momentum, int32_t steps,
                                            const agn_audio_constant_q_options *opts)
{
    static const char op[] = "audio_griffin_lim_constant_q";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && phase && agni_kind(phase->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: phase is %s %s; angles are real", op,
                       agni_dtypes[phase->dtype].name, AGNI_SHAPE(phase));
    if (!st && (iterations < 0 || iterations > 100000 || !(momentum >= 0) || !isfinite(momentum)))
        st = agni_fail(AGN_EARG,
                       "%s: %d iterations, at most 100000, and a momentum of %g for x %s; neither "
                       "is negative",
                       op, iterations, momentum, AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *size = ag_cast(s, x, agni_audio_dtype(x->dtype)), *last = NULL, *y;
    const agn_tensor *z = ag_polar(s, size, phase && size ? ag_cast(s, phase, size->dtype)
                                                          : ag_mul_c(s, size, 0));
    y = ag_audio_inverse_constant_q(s, z, rate, length, steps, opts);
    for (int32_t k = 0; k < iterations && !agn_scope_status(s); k++) {
        const agn_tensor *now = ag_audio_constant_q(s, y, rate, opts);
        z = last && momentum > 0
                ? ag_sub(s, now, ag_mul_c(s, last, momentum / (1 + momentum)))
                : now;
        z = z ? ag_mul(s, agni_audio_unit(s, z), size) : NULL;
        y = ag_audio_inverse_constant_q(s, z, rate, length, steps, opts);
        last = now;
    }
    return agni_return(op, s, out, y);
}
