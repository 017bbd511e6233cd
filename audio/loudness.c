/* audio/loudness.c - loudness of programmes (ITU-R BS.1770-4), per-channel energy normalisation
   (Wang et al. 2017), harmonics and percussion by medians (Fitzgerald 2010). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static agn_status check_positive(const char *op, const char *name, double v, const agn_tensor *x)
{
    return v > 0 && isfinite(v) ? AGN_OK
                                : agni_fail(AGN_EARG, "%s: %s is %g for x %s; it is positive", op,
                                            name, v, AGNI_SHAPE(x));
}

/* The two filters at 48 kHz that the recommendation prints, as analog ones whose bilinear image has
   any rate: a shelf of 4 dB from 1682 Hz on, and a high pass at 38 Hz. */
static void make_weighting(double *c, double rate)
{
    double k = tan(PI * 1681.974450955533 / rate), q = 0.7071752369554196,
           vh = pow(10, 3.999843853973347 / 20), vb = pow(vh, 0.4996667741545416),
           a0 = 1 + k / q + k * k;
    c[0] = (vh + vb * k / q + k * k) / a0;
    c[1] = 2 * (k * k - vh) / a0;
    c[2] = (vh - vb * k / q + k * k) / a0;
    c[3] = 1;
    c[4] = 2 * (k * k - 1) / a0;
    c[5] = (1 - k / q + k * k) / a0;
    k = tan(PI * 38.13547087602444 / rate);
    q = 0.5003270373238773;
    a0 = 1 + k / q + k * k;
    c[6] = 1;
    c[7] = -2;
    c[8] = 1;
    c[9] = 1;
    c[10] = 2 * (k * k - 1) / a0;
    c[11] = (1 - k / q + k * k) / a0;
}

/* mean over blocks of powers that are above level; 0 where none is */
static const agn_tensor *gated_mean(agn_scope *s, const agn_tensor *p, const agn_tensor *level)
{
    if (!p || !level)
        return NULL;
    const agn_tensor *in = ag_cast(s, ag_gt(s, p, level), p->dtype);
    const agn_tensor *count = ag_maximum_c(s, ag_sum(s, in, (int32_t[]){-1}, 1, true), 1);
    return ag_div(s, ag_sum(s, ag_mul(s, p, in), (int32_t[]){-1}, 1, true), count);
}

agn_status agn_audio_loudness(agn_tensor **out, const agn_tensor *x, double rate)
{
    static const char op[] = "audio_loudness";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (!(rate >= 4000) || !isfinite(rate) || rate > 1e9)
        return agni_fail(AGN_EARG, "%s: a rate of %g for x %s; it is 4000 at least", op, rate,
                         AGNI_SHAPE(x));
    int64_t block = (int64_t)rint(0.4 * rate), hop = (int64_t)rint(0.1 * rate);
    if (x->ndim < 2 || x->ndim == AGNI_MAX_RANK || x->shape[x->ndim - 2] < 1 ||
        x->shape[x->ndim - 2] > 5 || x->shape[x->ndim - 1] < block)
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s; 1 to 5 channels and %lld samples, 0.4 s, are needed", op,
                         AGNI_SHAPE(x), (long long)block);
    static const double weights[] = {1, 1, 1, 1.41, 1.41}; /* left, right, centre, surround */
    double c[12];
    make_weighting(c, rate);
    int dtype = agni_audio_dtype(x->dtype);
    int64_t channels = x->shape[x->ndim - 2];
    agn_tensor *sos = NULL, *w = NULL;
    agn_scope *s = agn_scope_open(NULL);
    st = agni_audio_make(&sos, dtype, 2, (int64_t[]){2, 6}, c);
    const agn_tensor *filter = agni_adopt_constant(s, st, sos);
    st = agn_scope_status(s) ? agn_scope_status(s)
                             : agni_audio_make(&w, dtype, 2, (int64_t[]){channels, 1}, weights);
    const agn_tensor *g = agni_adopt_constant(s, st, w);
    const agn_tensor *y = ag_square(s, ag_signal_sosfilt(s, filter, ag_cast(s, x, dtype)));
    y = ag_mean(s, ag_signal_frame(s, y, block, hop), (int32_t[]){-1}, 1, false);
    y = ag_sum(s, ag_mul(s, y, g), (int32_t[]){-2}, 1, false); /* power of each block */
    if (!agn_scope_status(s)) {
        const agn_tensor *least = agni_full_like(s, pow(10, (-70 + 0.691) / 10), y);
        const agn_tensor *level = ag_mul_c(s, gated_mean(s, y, least), 0.1); /* 10 dB below */
        y = gated_mean(s, y, ag_maximum(s, level, least));
    }
    y = ag_add_c(s, ag_mul_c(s, ag_log10(s, y), 10), -0.691);
    return agni_return(op, s, out, ag_squeeze(s, y, -1));
}

agn_status agn_audio_pcen(agn_tensor **out, const agn_tensor *x, double frames_per_second,
                          const agn_audio_pcen_options *opts)
{
    static const char op[] = "audio_pcen";
    agn_audio_pcen_options o = {.size = sizeof o,
                                .gain = 0.98,
                                .bias = 2,
                                .power = 0.5,
                                .time_constant = 0.4,
                                .least = 1e-6};
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && agni_check_size(op, agn_audio_pcen_options, opts))
        st = AGN_EARG;
    if (!st && opts)
        o = *opts;
    if (!st)
        st = check_positive(op, "frames_per_second", frames_per_second, x);
    if (!st)
        st = check_positive(op, "time_constant", o.time_constant, x);
    if (!st)
        st = check_positive(op, "least", o.least, x);
    if (!st &&
        (!(o.gain >= 0) || !(o.bias > 0) || !(o.power > 0) || !isfinite(o.gain + o.bias + o.power)))
        st = agni_fail(
            AGN_EARG,
            "%s: gain %g, bias %g, power %g; the first is not negative, the others positive", op,
            o.gain, o.bias, o.power);
    if (!st && !x->shape[x->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it has a frame", op, AGNI_SHAPE(x));
    if (st)
        return st;
    /* a recursive mean over time_constant; it begins in the steady state of a power of 1 */
    double t = o.time_constant * frames_per_second, b = (sqrt(1 + 4 * t * t) - 1) / (2 * t * t);
    int dtype = agni_audio_dtype(x->dtype);
    agn_tensor *made[2] = {NULL};
    const double v[2][2] = {{b}, {1, b - 1}};
    const agn_tensor *k[2];
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < 2; i++) {
        st = agn_scope_status(s) ? agn_scope_status(s)
                                 : agni_audio_make(&made[i], dtype, 1, (int64_t[]){i + 1}, v[i]);
        k[i] = agni_adopt_constant(s, st, made[i]);
    }
    /* one sample more, whose answer is 1, stands for that state */
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    lo[x->ndim - 1] = 1;
    const agn_tensor *y = ag_cast(s, x, dtype);
    const agn_tensor *mean = ag_signal_lfilter(s, k[0], k[1], ag_pad(s, y, x->ndim, lo, hi, 1 / b));
    mean = agni_audio_part(s, mean, 1, x->shape[x->ndim - 1]);
    mean = ag_log1p(s, ag_div_c(s, mean, o.least));
    mean = ag_exp(s, ag_mul_c(s, ag_add_c(s, mean, log(o.least)), -o.gain));
    y = ag_log1p(s, ag_div_c(s, ag_mul(s, y, mean), o.bias));
    y = ag_mul_c(s, ag_expm1(s, ag_mul_c(s, y, o.power)), pow(o.bias, o.power));
    return agni_return(op, s, out, y);
}

/* ---- harmonics and percussion --------------------------------------------------------------- */

/* running median along an axis, the ends mirrored with the last one repeated */
static const agn_tensor *smooth_axis(agn_scope *s, const agn_tensor *x, int axis, int64_t window)
{
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    x = axis == -2 ? ag_swapaxes(s, x, -1, -2) : x;
    if (!x)
        return NULL;
    lo[x->ndim - 1] = hi[x->ndim - 1] = window / 2;
    const agn_tensor *y = ag_pad_with(s, x, x->ndim, lo, hi, AGN_PAD_SYMMETRIC);
    y = ag_median(s, ag_signal_frame(s, y, window, 1), (int32_t[]){-1}, 1, false);
    return axis == -2 ? ag_swapaxes(s, y, -1, -2) : y;
}

/* a^p / (a^p + b^p), half where neither is there */
static const agn_tensor *soft_mask(agn_scope *s, const agn_tensor *a, const agn_tensor *b, double p)
{
    const agn_tensor *most = ag_maximum(s, a, b);
    if (!most)
        return NULL;
    const agn_tensor *none = ag_lt(
        s, most, agni_full_like(s, most->dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN, most));
    most = ag_where(s, none, agni_full_like(s, 1, most), most);
    a = ag_where(s, none, agni_full_like(s, 1, most), ag_div(s, a, most));
    b = ag_where(s, none, agni_full_like(s, 1, most), ag_div(s, b, most));
    a = p == 2 ? ag_square(s, a) : ag_pow_c(s, a, p);
    b = p == 2 ? ag_square(s, b) : ag_pow_c(s, b, p);
    return ag_div(s, a, ag_add(s, a, b));
}

agn_status agn_audio_separate_harmonics(agn_tensor **harmonic, agn_tensor **percussive,
                                        const agn_tensor *x, int64_t frames, int64_t bins,
                                        double power)
{
    static const char op[] = "audio_separate_harmonics";
    if (!harmonic || !percussive)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, harmonic ? "percussive" : "harmonic");
    agn_status st = agni_audio_check_spectrum(op, harmonic, x);
    if (!st && (!x->shape[x->ndim - 1] || x->ndim == AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it has a frame, and room for an axis", op,
                       AGNI_SHAPE(x));
    if (!st && (frames < 1 || bins < 1 || frames % 2 == 0 || bins % 2 == 0 || frames > 1 << 20 ||
                bins > 1 << 20))
        st = agni_fail(AGN_EARG, "%s: medians of %lld frames and %lld bins; both are odd", op,
                       (long long)frames, (long long)bins);
    if (!st)
        st = check_positive(op, "power", power, x);
    if (st)
        return st;
    agn_tensor *h = NULL, *p = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    const agn_tensor *along = smooth_axis(s, y, -1, frames), *across = smooth_axis(s, y, -2, bins);
    agn_scope_return(s, &h, ag_mul(s, y, soft_mask(s, along, across, power)));
    agn_scope_return(s, &p, ag_mul(s, y, soft_mask(s, across, along, power)));
    st = agni_rename_error(op, agn_scope_close(s));
    if (st) {
        agn_release(h);
        agn_release(p);
        return st;
    }
    *harmonic = h;
    *percussive = p;
    return AGN_OK;
}
