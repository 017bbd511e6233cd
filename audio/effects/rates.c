/* audio/effects/rates.c - other rates by windowed sincs (Smith & Gossett 1984): each output of a
   period of both rates is a row of one matrix, times a frame of the signal. */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_effects.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { RATE_MOST = 1 << 24, KERNEL_MOST = 1 << 26 };

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* I_0(x) by its power series, whose terms are positive */
static double bessel_series(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 1000 && term > 1e-17 * sum; k++) {
        term *= (x / (2 * k)) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

typedef struct resampler {
    int64_t from, to, width, length;
    double edge;
    agn_audio_resample_options o;
} resampler;

/* weights of samples for outputs of a period, [length, to] */
static void fill_kernel(double *v, const resampler *r)
{
    double zeros = (double)r->o.zeros, whole = r->o.beta > 0 ? bessel_series(r->o.beta) : 1;
    for (int64_t j = 0; j < r->length; j++)
        for (int64_t i = 0; i < r->to; i++) {
            double t = (double)(j - r->width) / (double)r->from - (double)i / (double)r->to;
            t *= r->edge;
            double w = 0, u = t / zeros;
            if (fabs(u) < 1)
                w = r->o.beta > 0 ? bessel_series(r->o.beta * sqrt(1 - u * u)) / whole
                                  : cos(PI * u / 2) * cos(PI * u / 2);
            double sinc = t == 0 ? 1 : sin(PI * t) / (PI * t);
            v[j * r->to + i] = sinc * w * r->edge / (double)r->from;
        }
}

static agn_status prepare_kernel(resampler *r, const char *op, const agn_tensor *x, int64_t from,
                                 int64_t to, const agn_audio_resample_options *opts)
{
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; it has a sample", op, AGNI_SHAPE(x));
    if (agni_check_size(op, agn_audio_resample_options, opts))
        return AGN_EARG;
    r->o = opts ? *opts : (agn_audio_resample_options){.size = sizeof r->o};
    r->o.zeros = r->o.zeros ? r->o.zeros : 6;
    r->o.rolloff = r->o.rolloff == 0 ? 0.99 : r->o.rolloff;
    if (r->o.zeros < 1 || r->o.zeros > 4096 || !(r->o.rolloff > 0 && r->o.rolloff <= 1) ||
        !(r->o.beta >= 0 && r->o.beta <= 600))
        return agni_fail(AGN_EARG,
                         "%s: %lld zeros, a roll-off of %g, beta %g; zeros are 1 to 4096, the "
                         "roll-off at most 1, beta 0 to 600",
                         op, (long long)r->o.zeros, r->o.rolloff, r->o.beta);
    if (from < 1 || to < 1)
        return agni_fail(AGN_EARG, "%s: from %lld to %lld samples per second; both are positive",
                         op, (long long)from, (long long)to);
    int64_t g = common_divisor(from, to);
    r->from = from / g;
    r->to = to / g;
    if (r->from > RATE_MOST || r->to > RATE_MOST)
        return agni_fail(AGN_EARG,
                         "%s: from %lld to %lld samples per second; their ratio is of "
                         "numbers up to %d",
                         op, (long long)from, (long long)to, RATE_MOST);
    r->edge = (double)(r->from < r->to ? r->from : r->to) * r->o.rolloff;
    r->width = (int64_t)ceil((double)(r->o.zeros * r->from) / r->edge);
    r->length = 2 * r->width + r->from;
    if (r->length > KERNEL_MOST / r->to || x->shape[x->ndim - 1] > INT64_MAX / r->to - r->length)
        return agni_fail(AGN_EARG,
                         "%s: %lld to %lld of x %s takes %lld times %lld weights; at most "
                         "%d",
                         op, (long long)from, (long long)to, AGNI_SHAPE(x), (long long)r->length,
                         (long long)r->to, KERNEL_MOST);
    return AGN_OK;
}

static agn_status change_rate(agn_tensor **out, const char *op, const agn_tensor *x, int64_t from,
                              int64_t to, const agn_audio_resample_options *opts)
{
    resampler r = {0};
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = prepare_kernel(&r, op, x, from, to, opts);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    int64_t n = x->shape[x->ndim - 1], count = (n * r.to + r.from - 1) / r.from;
    size_t size = (size_t)(r.length * r.to) * sizeof(double);
    double *v = agni_alloc(size);
    if (!v)
        return agni_nomem(op, size);
    fill_kernel(v, &r);
    agn_tensor *made = NULL;
    st = agni_audio_make(&made, dtype, 2, (int64_t[]){r.length, r.to}, v);
    agni_free(v);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *kernel = agni_adopt_constant(s, st, made);
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    lo[x->ndim - 1] = r.width;
    hi[x->ndim - 1] = r.width + r.from;
    const agn_tensor *y = ag_pad(s, ag_cast(s, x, dtype), x->ndim, lo, hi, 0);
    y = ag_matmul(s, ag_signal_frame(s, y, r.length, r.from), kernel);
    y = agni_audio_part(s, ag_flatten(s, y, -2, -1), 0, count);
    return agni_return(op, s, out, y);
}

agn_status agn_audio_resample(agn_tensor **out, const agn_tensor *x, int64_t from, int64_t to,
                              const agn_audio_resample_options *opts)
{
    return change_rate(out, "audio_resample", x, from, to, opts);
}

agn_status agn_audio_speed(agn_tensor **out, const agn_tensor *x, double factor)
{
    static const char op[] = "audio_speed";
    if (!(factor >= 0.1 && factor <= 10))
        return agni_fail(AGN_EARG, "%s: a factor of %g; it is 0.1 to 10", op, factor);
    return change_rate(out, op, x, llround(1000 * factor), 1000, NULL);
}
