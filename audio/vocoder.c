/* audio/vocoder.c - phases: from magnitudes alone (Griffin & Lim 1984; Perraudin, Balazs &
   Soendergaard 2013), and along time for sound that is slower, faster or of another pitch (Flanagan
   & Golden 1966). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

const agn_tensor *agni_audio_unit(agn_scope *s, const agn_tensor *z)
{
    const agn_tensor *size = ag_abs(s, z);
    bool single = size && size->dtype == AGN_F32;
    return ag_div(s, z, ag_add_c(s, size, single ? (double)FLT_MIN : DBL_MIN));
}

agn_status agn_audio_griffin_lim(agn_tensor **out, const agn_tensor *x, const agn_tensor *phase,
                                 int32_t iterations, double momentum, int64_t length,
                                 const agn_signal_stft_options *opts)
{
    static const char op[] = "audio_griffin_lim";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && phase && agni_kind(phase->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: phase is %s %s; angles are real", op,
                       agni_dtypes[phase->dtype].name, AGNI_SHAPE(phase));
    if (!st && (iterations < 0 || !(momentum >= 0) || !isfinite(momentum) || length < 0))
        st = agni_fail(AGN_EARG,
                       "%s: %d iterations, a momentum of %g, a length of %lld; none is negative",
                       op, iterations, momentum, (long long)length);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *size = ag_cast(s, x, agni_audio_dtype(x->dtype)), *last = NULL;
    const agn_tensor *z = ag_polar(s, size, phase && size ? ag_cast(s, phase, size->dtype)
                                                          : ag_mul_c(s, size, 0));
    for (int32_t k = 0; k < iterations && !agn_scope_status(s); k++) {
        const agn_tensor *now = ag_signal_stft(s, ag_signal_istft(s, z, length, opts), opts);
        if (now && (now->ndim != z->ndim || now->shape[now->ndim - 1] != z->shape[z->ndim - 1])) {
            agn_scope_fail(
                s, agni_fail(AGN_ESHAPE,
                             "%s: x is %s, the signal's own transform %s: the length leaves other "
                             "frames",
                             op, AGNI_SHAPE(x), AGNI_SHAPE(now)));
            break;
        }
        z = now && last && momentum > 0
                ? ag_sub(s, now, ag_mul_c(s, last, momentum / (1 + momentum)))
                : now;
        z = ag_mul(s, agni_audio_unit(s, z), size);
        last = now;
    }
    return agni_return(op, s, out, ag_signal_istft(s, z, length, opts));
}

/* ---- time ----------------------------------------------------------------------------------- */

typedef struct steps {
    agn_tensor *index[2], *part;
    int64_t n;
} steps;

/* frame t of the result lies at t rate: the two frames about it, and how near it is to the
   second */
static agn_status make_steps(steps *q, const char *op, int dtype, int64_t frames, double rate)
{
    double count = ceil((double)frames / rate);
    if (!(count < 0x1p40))
        return agni_fail(AGN_ENOMEM, "%s: %lld frames at a rate of %g", op, (long long)frames,
                         rate);
    q->n = (int64_t)count;
    int64_t *at = agni_alloc((size_t)q->n * (sizeof *at + sizeof(double)));
    double *part = at ? (double *)(at + q->n) : NULL;
    agn_tensor *wide = NULL;
    if (!at)
        return agni_nomem(op, (size_t)q->n * (sizeof *at + sizeof(double)));
    agn_status st = AGN_OK;
    for (int k = 0; k < 2 && !st; k++) {
        for (int64_t t = 0; t < q->n; t++) {
            double place = (double)t * rate;
            at[t] = (int64_t)place + k;
            part[t] = place - floor(place);
        }
        st = agn_from_host(&q->index[k], AGN_I64, 1, &q->n, at);
    }
    if (!st)
        st = agn_from_host(&wide, AGN_F64, 1, &q->n, part);
    if (!st)
        st = agn_cast(&q->part, wide, dtype);
    agn_release(wide);
    agni_free(at);
    return st;
}

static const agn_tensor *stretch_frames(agn_scope *s, const char *op, const agn_tensor *z,
                                        double rate, int64_t hop)
{
    steps q = {.n = 0};
    agn_tensor *turn = NULL;
    if (!z)
        return NULL;
    int real = agni_dtypes[z->dtype].real;
    int64_t bins = z->shape[z->ndim - 2], frames = z->shape[z->ndim - 1];
    agn_status st = make_steps(&q, op, real, frames, rate);
    const agn_tensor *at[2], *part = agni_adopt_constant(s, st, q.part);
    for (int k = 0; k < 2; k++)
        at[k] = agni_adopt_constant(s, agn_scope_status(s), q.index[k]);
    /* what each bin turns in one step */
    st = agn_scope_status(s);
    if (!st)
        st = agn_linspace(&turn, real, 0, bins > 1 ? PI * (double)hop : 0, bins);
    const agn_tensor *advance = ag_expand_dims(s, agni_adopt_constant(s, st, turn), -1);
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    hi[z->ndim - 1] = 2;
    /* silence behind the end, put after sizes and angles are taken: there angles have no
       derivative */
    const agn_tensor *first = ag_angle(s, z), *size = ag_pad(s, ag_abs(s, z), z->ndim, lo, hi, 0),
                     *turned = ag_pad(s, first, z->ndim, lo, hi, 0);
    const agn_tensor *m = ag_gather(s, size, at[0], -1);
    size = ag_add(s, m, ag_mul(s, part, ag_sub(s, ag_gather(s, size, at[1], -1), m)));
    const agn_tensor *d = ag_sub(
        s, ag_sub(s, ag_gather(s, turned, at[1], -1), ag_gather(s, turned, at[0], -1)), advance);
    d = ag_sub(s, d, ag_mul_c(s, ag_round(s, ag_div_c(s, d, 2 * PI)), 2 * PI));
    const agn_tensor *phase = ag_cumsum_as(s, ag_add(s, d, advance), -1, AGN_SCAN_EXCLUSIVE);
    phase = ag_add(s, phase, agni_audio_part(s, first, 0, 1));
    return ag_polar(s, size, phase);
}

static agn_status check_speed(const char *op, double rate, const agn_tensor *x)
{
    return rate > 0 && isfinite(rate)
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: a rate of %g for x %s; it is positive", op, rate,
                           AGNI_SHAPE(x));
}

agn_status agn_audio_phase_vocoder(agn_tensor **out, const agn_tensor *x, double rate, int64_t hop)
{
    static const char op[] = "audio_phase_vocoder";
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a short-time transform is complex", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (x->ndim < 2 || !x->shape[x->ndim - 2] || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; it is [..., bins, frames]", op, AGNI_SHAPE(x));
    agn_status st = check_speed(op, rate, x);
    if (!st && hop < 1)
        st = agni_fail(AGN_EARG, "%s: a hop of %lld for x %s; it is positive", op, (long long)hop,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    /* the angle of hop samples at half the rate, bin by bin: n_fft = 2 (bins - 1) */
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, stretch_frames(s, op, x, rate, hop));
}

/* the hop that these options mean */
static int64_t hop_of(const agn_signal_stft_options *opts)
{
    int64_t n_fft = opts && opts->n_fft ? opts->n_fft : 512,
            win = opts && opts->win_length ? opts->win_length : n_fft;
    return opts && opts->hop ? opts->hop : win < 4 ? 1 : win / 4;
}

static agn_status check_stretch(const char *op, agn_tensor *const *out, const agn_tensor *x,
                                double rate, const agn_signal_stft_options *opts)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (!x->ndim || !x->shape[x->ndim - 1]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds at least one sample", op,
                       AGNI_SHAPE(x));
    if (!st && opts && opts->size == sizeof *opts && (opts->two_sided || opts->n_fft % 2))
        st = agni_fail(
            AGN_EARG,
            "%s: n_fft is %lld, two_sided %d; one side of an even number of bins is needed", op,
            (long long)opts->n_fft, opts->two_sided);
    return st ? st : check_speed(op, rate, x);
}

/* n / rate samples, and at least one */
static const agn_tensor *stretch_spectrum(agn_scope *s, const char *op, const agn_tensor *x,
                                          double rate, const agn_signal_stft_options *opts)
{
    double n = rint((double)x->shape[x->ndim - 1] / rate);
    const agn_tensor *z = ag_signal_stft(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), opts);
    z = stretch_frames(s, op, z, rate, hop_of(opts));
    return ag_signal_istft(s, z, n < 1 ? 1 : (int64_t)n, opts);
}

agn_status agn_audio_time_stretch(agn_tensor **out, const agn_tensor *x, double rate,
                                  const agn_signal_stft_options *opts)
{
    static const char op[] = "audio_time_stretch";
    agn_status st = check_stretch(op, out, x, rate, opts);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, stretch_spectrum(s, op, x, rate, opts));
}

agn_status agn_audio_pitch_shift(agn_tensor **out, const agn_tensor *x, double semitones,
                                 const agn_signal_stft_options *opts)
{
    static const char op[] = "audio_pitch_shift";
    if (!(fabs(semitones) <= 120))
        return agni_fail(AGN_EARG, "%s: %g semitones; there are at most 120, up or down", op,
                         semitones);
    double rate = exp2(-semitones / 12);
    agn_status st = check_stretch(op, out, x, rate, opts);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = stretch_spectrum(s, op, x, rate, opts);
    return agni_return(op, s, out, ag_signal_resample(s, y, x->shape[x->ndim - 1]));
}
