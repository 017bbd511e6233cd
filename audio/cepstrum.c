/* audio/cepstrum.c - bands of a spectrogram and their cosine transform (Davis & Mermelstein 1980),
   time differences, normalisation. */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <math.h>

agn_status agn_audio_dct_matrix(agn_tensor **out, agn_dtype dtype, int64_t n_coefficients,
                                int64_t n_bands, bool ortho)
{
    static const char op[] = "audio_dct_matrix";
    agn_status st = agni_audio_check_new(op, out, dtype);
    int64_t size;
    if (st)
        return st;
    if (n_coefficients < 1 || n_bands < 1 || !agni_checked_mul(n_coefficients, n_bands, &size) ||
        size > INT32_MAX)
        return agni_fail(AGN_EARG,
                         "%s: %lld coefficients of %lld bands; both are positive, fewer than 2^31 "
                         "together",
                         op, (long long)n_coefficients, (long long)n_bands);
    double *v = agni_alloc((size_t)size * sizeof *v), n = (double)n_bands;
    if (!v)
        return agni_nomem(op, (size_t)size * sizeof *v);
    for (int64_t k = 0; k < n_coefficients; k++)
        for (int64_t j = 0; j < n_bands; j++) {
            double c = cos(3.14159265358979323846 * ((double)j + 0.5) * (double)k / n);
            v[k * n_bands + j] = ortho ? c * sqrt((k ? 2 : 1) / n) : 2 * c;
        }
    st = agni_audio_make(out, dtype, 2, (int64_t[]){n_coefficients, n_bands}, v);
    agni_free(v);
    return st;
}

/* ---- bands ---------------------------------------------------------------------------------- */

typedef agn_audio_mel_options options;

static agn_status complete_options(options *a, const char *op, const options *given, double rate)
{
    if (agni_check_size(op, agn_audio_mel_options, given))
        return AGN_EARG;
    *a = given ? *given : (options){.size = sizeof *a};
    if (!(rate > 0) || !isfinite(rate))
        return agni_fail(AGN_EARG, "%s: a rate of %g for %lld bands; it is positive", op, rate,
                         (long long)a->n_bands);
    a->spectrogram.size = sizeof a->spectrogram;
    if (!a->spectrogram.n_fft)
        a->spectrogram.n_fft = 512;
    if (!a->n_bands)
        a->n_bands = a->filters && a->filters->ndim ? a->filters->shape[0] : 64;
    if (a->f_max == 0)
        a->f_max = rate / 2;
    if (a->least == 0)
        a->least = 1e-10;
    if (a->ref == 0)
        a->ref = 1;
    if (!a->n_coefficients)
        a->n_coefficients = a->n_bands < 40 ? a->n_bands : 40;
    if (a->n_coefficients < 1 || a->n_coefficients > a->n_bands)
        return agni_fail(AGN_EARG, "%s: %lld coefficients of %lld bands", op,
                         (long long)a->n_coefficients, (long long)a->n_bands);
    if (a->spectrogram.value == AGN_AUDIO_COMPLEX)
        return agni_fail(AGN_EARG,
                         "%s: value %d is complex; bands are sums of powers or magnitudes", op,
                         AGN_AUDIO_COMPLEX);
    const agn_tensor *f = a->filters;
    if (f && (f->ndim != 2 || f->shape[0] != a->n_bands ||
              f->shape[1] != a->spectrogram.n_fft / 2 + 1))
        return agni_fail(AGN_ESHAPE,
                         "%s: the filters are %s; %lld bands of an n_fft of %lld have [%lld,%lld]",
                         op, AGNI_SHAPE(f), (long long)a->n_bands, (long long)a->spectrogram.n_fft,
                         (long long)a->n_bands, (long long)(a->spectrogram.n_fft / 2 + 1));
    return AGN_OK;
}

enum { BANDS, LOG_BANDS, CEPSTRUM };

enum { MOST_BANDS = 512 }; /* so many are transformed by a matrix, which makes no more than is asked for */

/* the first coefficients of the cosine transform of [..., bands, frames] */
static const agn_tensor *transform_bands(agn_scope *s, const agn_tensor *y, int64_t n,
                                         int64_t bands)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (y && bands <= MOST_BANDS) {
        agn_tensor *m = NULL;
        agn_status st = agn_audio_dct_matrix(&m, y->dtype, n, bands, true);
        return ag_matmul(s, agni_adopt_constant(s, st, m), y);
    }
    y = ag_fft_dct(s, y, 2, 0, -2, AGN_FFT_ORTHO);
    for (int d = 0; y && d < y->ndim; d++) {
        stop[d] = d == y->ndim - 2 ? n : y->shape[d];
        step[d] = 1;
    }
    return y ? ag_slice(s, y, y->ndim, start, stop, step) : NULL;
}

static agn_status make_bands(agn_tensor **out, const char *op, const agn_tensor *x, double rate,
                             const options *given, bool linear, int what)
{
    options a;
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st)
        st = complete_options(&a, op, given, rate);
    if (!st && !linear && a.scale != AGN_AUDIO_SLANEY && a.scale != AGN_AUDIO_HTK)
        st = agni_fail(AGN_EARG, "%s: scale %d is none of 0, 1", op, a.scale);
    agn_tensor *made = NULL;
    int dtype = st ? AGN_F64 : agni_audio_dtype(x->dtype);
    if (!st && !a.filters)
        st = agni_audio_filters(&made, op, dtype, rate, a.spectrogram.n_fft, a.n_bands, a.f_min,
                                a.f_max, linear ? AGNI_AUDIO_LINEAR : a.scale, !linear && a.area);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = a.filters ? a.filters : agni_adopt_constant(s, AGN_OK, made);
    const agn_tensor *y = ag_audio_spectrogram(s, x, &a.spectrogram);
    y = ag_matmul(s, w, y);
    if (what >= LOG_BANDS)
        y = ag_audio_power_to_db(s, y, a.ref, a.least, a.range);
    if (what == CEPSTRUM)
        y = transform_bands(s, y, a.n_coefficients, a.n_bands);
    return agni_return(op, s, out, y);
}

agn_status agn_audio_mel_spectrogram(agn_tensor **out, const agn_tensor *x, double rate,
                                     const agn_audio_mel_options *opts)
{
    return make_bands(out, "audio_mel_spectrogram", x, rate, opts, false, BANDS);
}
agn_status agn_audio_log_mel_spectrogram(agn_tensor **out, const agn_tensor *x, double rate,
                                         const agn_audio_mel_options *opts)
{
    return make_bands(out, "audio_log_mel_spectrogram", x, rate, opts, false, LOG_BANDS);
}
agn_status agn_audio_mfcc(agn_tensor **out, const agn_tensor *x, double rate,
                          const agn_audio_mel_options *opts)
{
    return make_bands(out, "audio_mfcc", x, rate, opts, false, CEPSTRUM);
}
agn_status agn_audio_lfcc(agn_tensor **out, const agn_tensor *x, double rate,
                          const agn_audio_mel_options *opts)
{
    return make_bands(out, "audio_lfcc", x, rate, opts, true, CEPSTRUM);
}

/* ---- along time ----------------------------------------------------------------------------- */

agn_status agn_audio_deltas(agn_tensor **out, const agn_tensor *x, int32_t width)
{
    static const char op[] = "audio_deltas";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds at least one frame", op,
                         AGNI_SHAPE(x));
    if (width < 3 || width % 2 == 0)
        return agni_fail(AGN_EARG, "%s: a width of %d for x %s; it is odd, 3 at least", op, width,
                         AGNI_SHAPE(x));
    int64_t m = width / 2, n = x->shape[x->ndim - 1];
    int64_t lo[AGNI_MAX_RANK] = {0}, hi[AGNI_MAX_RANK] = {0};
    lo[x->ndim - 1] = hi[x->ndim - 1] = m;
    double norm = (double)(m * (m + 1) * (2 * m + 1)) / 3;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype)), *sum = NULL;
    y = ag_pad_with(s, y, x->ndim, lo, hi, AGN_PAD_EDGE);
    for (int64_t k = 1; y && k <= m; k++) {
        int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        const agn_tensor *part[2];
        for (int side = 0; side < 2; side++) {
            for (int d = 0; d < y->ndim; d++) {
                stop[d] = y->shape[d];
                step[d] = 1;
            }
            start[y->ndim - 1] = side ? m + k : m - k;
            stop[y->ndim - 1] = start[y->ndim - 1] + n;
            part[side] = ag_slice(s, y, y->ndim, start, stop, step);
        }
        sum = agni_add_present(
            s, sum, ag_mul_c(s, ag_sub(s, part[1], part[0]), (double)k / norm));
    }
    return agni_return(op, s, out, sum);
}

agn_status agn_audio_normalise(agn_tensor **out, const agn_tensor *x, bool variance)
{
    static const char op[] = "audio_normalise";
    agn_status st = agni_audio_check_real(op, out, x);
    if (st)
        return st;
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "%s: x is %s; its last axis holds at least one frame", op,
                         AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = ag_sub(s, y, ag_mean(s, y, (int32_t[]){-1}, 1, true));
    if (variance) {
        const agn_tensor *power = ag_mean(s, ag_square(s, y), (int32_t[]){-1}, 1, true);
        y = ag_div(s, y, ag_sqrt(s, ag_add_c(s, power, 1e-20)));
    }
    return agni_return(op, s, out, y);
}
