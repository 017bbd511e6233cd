/* audio/music/shape.c - shapes of spectra: polynomials that are nearest, where energy lies (Auger &
   Flandrin 1995), spectra
   of bands (Lee & Seung 2001), pitch classes in steps (Mueller & Ewert 2011), frames before. */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <agnesi/linalg.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static const int32_t bins_axis[] = {-2};

agn_status agn_audio_spectral_polynomial(agn_tensor **out, const agn_tensor *x, double rate,
                                         int32_t order)
{
    static const char op[] = "audio_spectral_polynomial";
    agn_tensor *made = NULL, *wide = NULL;
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && (!(rate > 0) || !isfinite(rate) || order < 0 || order > 8))
        st = agni_fail(AGN_EARG,
                       "%s: a rate of %g, order %d; the rate is positive, orders are 0 to 8", op,
                       rate, order);
    if (!st && x->shape[x->ndim - 2] <= order)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; order %d needs more bins", op, AGNI_SHAPE(x),
                       order);
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    int64_t bins = x->shape[x->ndim - 2];
    double scale[9];
    agn_scope *s = agn_scope_open(NULL);
    /* in parts of half the rate, then in Hz */
    st = agn_linspace(&made, AGN_F64, 0, 1, bins);
    const agn_tensor *powers = ag_vander(s, agni_adopt_constant(s, st, made), order + 1, false);
    for (int k = 0; k <= order; k++)
        scale[k] = pow(bins > 1 ? rate / 2 : 1, k - order);
    st = agn_scope_status(s) ? AGN_OK
                             : agn_from_host(&wide, AGN_F64, 2, (int64_t[]){order + 1, 1}, scale);
    const agn_tensor *unit = agn_scope_status(s) ? NULL : agni_adopt_constant(s, st, wide);
    const agn_tensor *fit = ag_mul(s, ag_linalg_pinv(s, powers, 1e-13), unit);
    return agni_return(op, s, out, ag_matmul(s, ag_cast(s, fit, dtype), ag_cast(s, x, dtype)));
}

/* the window, its difference over a sample and it times the sample's distance from the middle */
static void derive_window(agn_scope *s, const agn_tensor **w, int64_t n)
{
    static const int32_t axis[] = {0};
    agn_tensor *made = NULL;
    w[1] = ag_sub(s, ag_roll(s, w[0], (int64_t[]){-1}, axis, 1),
                  ag_roll(s, w[0], (int64_t[]){1}, axis, 1));
    w[1] = ag_mul_c(s, w[1], 0.5);
    double first = n % 2 ? -(double)(n / 2) : 0.5 - (double)(n / 2);
    if (agn_scope_status(s))
        return;
    agn_status st = agn_linspace(&made, w[0]->dtype, first, first + (double)(n - 1), n);
    w[2] = ag_mul(s, w[0], agni_adopt_constant(s, st, made));
}

agn_status agn_audio_reassigned_spectrogram(agn_tensor **frequency, agn_tensor **time,
                                            agn_tensor **magnitude, const agn_tensor *x,
                                            double rate, const agn_signal_stft_options *opts)
{
    static const char op[] = "audio_reassigned_spectrogram";
    agn_tensor *made = NULL, *bins = NULL, *frames = NULL;
    const agn_tensor *z[3] = {NULL}, *w[3] = {NULL};
    AGNI_NEED(op, time);
    AGNI_NEED(op, magnitude);
    agn_status st = agni_audio_check_real(op, frequency, x);
    if (st)
        return st;
    if (agni_check_size(op, agn_signal_stft_options, opts))
        return AGN_EARG;
    agn_signal_stft_options o = opts ? *opts : (agn_signal_stft_options){.size = sizeof o};
    o.n_fft = o.n_fft ? o.n_fft : 512;
    int64_t n = o.win_length ? o.win_length : o.n_fft;
    o.hop = o.hop ? o.hop : n / 4;
    if (!(rate > 0) || !isfinite(rate) || o.two_sided || o.edge == AGN_SIGNAL_UNCENTRED ||
        o.hop < 1 || n < 2 || n > o.n_fft)
        return agni_fail(AGN_EARG,
                         "%s: a rate of %g, a step of %lld, windows of %lld%s; they are positive, "
                         "frames centred and one-sided",
                         op, rate, (long long)o.hop, (long long)n,
                         o.two_sided ? ", two-sided" : "");
    if (o.window && agni_kind(o.window->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the window is %s; it is real", op,
                         agni_dtypes[o.window->dtype].name);
    if (o.window && (o.window->ndim != 1 || o.window->shape[0] != n))
        return agni_fail(AGN_ESHAPE, "%s: the window is %s; frames have %lld samples", op,
                         AGNI_SHAPE(o.window), (long long)n);
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, dtype);
    if (!o.window)
        st = agn_signal_window(&made, AGN_WINDOW_HANN, (agn_dtype)dtype, n, NULL, 0, false);
    w[0] = o.window ? ag_cast(s, o.window, dtype) : agni_adopt_constant(s, st, made);
    derive_window(s, w, n);
    for (int k = 0; k < 3; k++) {
        o.window = w[k];
        z[k] = agn_scope_status(s) ? NULL : ag_signal_stft(s, y, &o);
    }
    if (!agn_scope_status(s)) {
        double last = rate / (double)o.n_fft * (double)(o.n_fft / 2);
        int64_t count = z[0]->shape[z[0]->ndim - 1];
        st = agn_linspace(&bins, (agn_dtype)dtype, 0, last, o.n_fft / 2 + 1);
        const agn_tensor *f = ag_expand_dims(s, agni_adopt_constant(s, st, bins), -1);
        st = agn_arange(&frames, (agn_dtype)dtype, 0, (double)count, 1);
        const agn_tensor *t = agni_adopt_constant(s, st, frames);
        const agn_tensor *turn = ag_imag(s, ag_div(s, z[1], z[0])),
                         *late = ag_real(s, ag_div(s, z[2], z[0]));
        f = ag_add(s, f, ag_mul_c(s, turn, -0.5 * rate / PI));
        t = ag_add(s, ag_mul_c(s, t, (double)o.hop / rate), ag_mul_c(s, late, 1 / rate));
        agn_scope_return(s, frequency, f);
        agn_scope_return(s, time, t);
        agn_scope_return(s, magnitude, ag_abs(s, z[0]));
    }
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_audio_invert_mel(agn_tensor **out, const agn_tensor *x, const agn_tensor *filters,
                                int32_t iterations)
{
    static const char op[] = "audio_invert_mel";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (st)
        return st;
    AGNI_NEED(op, filters);
    if (agni_kind(filters->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: filters are %s; a real dtype is needed", op,
                         agni_dtypes[filters->dtype].name);
    if (filters->ndim != 2 || !filters->size || filters->shape[0] != x->shape[x->ndim - 2])
        return agni_fail(AGN_ESHAPE, "%s: filters are %s, x %s; they are [bands, bins]", op,
                         AGNI_SHAPE(filters), AGNI_SHAPE(x));
    if (iterations < 1 || iterations > 100000)
        return agni_fail(AGN_EARG, "%s: %d iterations for x %s; they are 1 to 100000", op,
                         iterations, AGNI_SHAPE(x));
    int dtype = agni_audio_dtype(agni_promote(x->dtype, filters->dtype));
    double tiny = dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = ag_cast(s, filters, dtype), *across = ag_swapaxes(s, f, -1, -2);
    const agn_tensor *want = ag_matmul(s, across, ag_cast(s, x, dtype)),
                     *square = ag_matmul(s, across, f);
    const agn_tensor *y = ag_add_c(s, ag_mul_c(s, want, 0), 1);
    for (int32_t k = 0; k < iterations && !agn_scope_status(s); k++)
        y = ag_mul(s, y, ag_div(s, want, ag_add_c(s, ag_matmul(s, square, y), tiny)));
    return agni_return(op, s, out, y);
}

/* x over the p-norm of its bins, 0 of silence */
static const agn_tensor *scale_frames(agn_scope *s, const agn_tensor *x, int p)
{
    const agn_tensor *size = ag_sum(s, p == 1 ? ag_abs(s, x) : ag_square(s, x), bins_axis, 1, true);
    size = p == 1 ? size : ag_sqrt(s, size);
    const agn_tensor *silent = ag_eq(s, size, ag_full_like(s, size, 0));
    return ag_div(s, x, ag_where(s, silent, ag_full_like(s, size, 1), size));
}

agn_status agn_audio_chroma_statistics(agn_tensor **out, const agn_tensor *x, int64_t window)
{
    static const char op[] = "audio_chroma_statistics";
    static const double steps[] = {0.4, 0.2, 0.1, 0.05};
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && !x->shape[x->ndim - 1])
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it has a frame", op, AGNI_SHAPE(x));
    if (!st && (window < 1 || window % 2 == 0 || window > 1 << 20))
        st = agni_fail(AGN_EARG, "%s: a window of %lld for x %s; it is odd, at most 2^20", op,
                       (long long)window, AGNI_SHAPE(x));
    if (st)
        return st;
    int dtype = agni_audio_dtype(x->dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *part = scale_frames(s, ag_cast(s, x, dtype), 1), *y = NULL;
    for (int k = 0; k < 4; k++) {
        const agn_tensor *above = ag_cast(s, ag_gt(s, part, ag_full_like(s, part, steps[k])),
                                          dtype);
        y = agni_add_present(s, y, ag_mul_c(s, above, 0.25));
    }
    y = ag_where(s, ag_isnan(s, part), part, y); /* NaN is above no step */
    if (window > 1) {
        size_t size = (size_t)window * sizeof(double);
        double *v = agn_scope_status(s) ? NULL : agni_alloc(size);
        agn_tensor *made = NULL;
        if (v) {
            for (int64_t i = 0; i < window;
                 i++) /* of window + 2 points, whose ends are 0; of sum 1 */
                v[i] = (1 - cos(2 * PI * (double)(i + 1) / (double)(window + 1))) /
                       (double)(window + 1);
            st = agni_audio_make(&made, (agn_dtype)dtype, 1, &window, v);
            const agn_tensor *w = agni_adopt_constant(s, st, made);
            int64_t lo[AGNI_MAX_RANK] = {0};
            lo[x->ndim - 1] = window / 2;
            y = ag_convolve(s, ag_pad(s, y, x->ndim, lo, lo, 0), w, 1, AGN_VALID);
        } else if (!agn_scope_status(s)) {
            agn_scope_fail(s, agni_nomem(op, size));
        }
        agni_free(v);
    }
    return agni_return(op, s, out, scale_frames(s, y, 2));
}

agn_status agn_audio_stack_memory(agn_tensor **out, const agn_tensor *x, int32_t steps,
                                  int64_t delay)
{
    static const char op[] = "audio_stack_memory";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (x->ndim < 2 || !x->shape[x->ndim - 1] || !x->shape[x->ndim - 2])
        return agni_fail(AGN_ESHAPE,
                         "%s: x is %s of rank %d; it is [..., bands, frames], neither 0", op,
                         AGNI_SHAPE(x), x->ndim);
    if (steps < 1 || steps > 1 << 20 || !delay || delay > 1 << 30 || delay < -(1 << 30))
        return agni_fail(
            AGN_EARG,
            "%s: %d steps, a delay of %lld; steps are 1 to 2^20, the delay is not 0, within 2^30",
            op, steps, (long long)delay);
    int64_t n = x->shape[x->ndim - 1];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = x;
    for (int32_t k = 1; k < steps && !agn_scope_status(s); k++) {
        int64_t shift = (delay < 0 ? -delay : delay) * k, lo[AGNI_MAX_RANK] = {0},
                hi[AGNI_MAX_RANK] = {0};
        shift = shift < n ? shift : n;
        const agn_tensor *kept = agni_audio_part(s, x, delay < 0 ? shift : 0, n - shift);
        lo[x->ndim - 1] = delay < 0 ? 0 : shift;
        hi[x->ndim - 1] = delay < 0 ? shift : 0;
        const agn_tensor *both[] = {y, ag_pad(s, kept, x->ndim, lo, hi, 0)};
        y = agn_scope_status(s) ? NULL : ag_concat(s, both, 2, -2);
    }
    return agni_return(op, s, out, y == x ? ag_copy(s, x) : y);
}

/* ---- sound of features -------------------------------------------------------------------- */

typedef agn_audio_inverse_options inverse_options;

static agn_status complete_inverse(inverse_options *a, const char *op, const inverse_options *given)
{
    if (agni_check_size(op, agn_audio_inverse_options, given))
        return AGN_EARG;
    *a = given ? *given : (inverse_options){.size = sizeof *a};
    if (!(a->power >= 0) || !isfinite(a->power) || a->bins_steps < 0 || isnan(a->momentum) ||
        a->length < 0 || !(a->ref >= 0) || !isfinite(a->ref))
        return agni_fail(
            AGN_EARG,
            "%s: a power of %g, %d steps, a momentum of %g, a length of %lld, ref %g; none is "
            "negative but the momentum",
            op, a->power, a->bins_steps, a->momentum, (long long)a->length, a->ref);
    a->power = a->power > 0 ? a->power : 2;
    a->bins_steps = a->bins_steps ? a->bins_steps : 200;
    a->phase_steps = a->phase_steps ? a->phase_steps : 32;
    a->momentum = a->momentum == 0 ? 0.99 : a->momentum;
    a->ref = a->ref > 0 ? a->ref : 1;
    return AGN_OK;
}

static agn_status sound_of_bands(agn_tensor **out, const char *op, const agn_tensor *x,
                                 const agn_tensor *filters, const inverse_options *opts,
                                 bool cepstra)
{
    inverse_options a;
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st)
        st = complete_inverse(&a, op, opts);
    if (st)
        return st;
    AGNI_NEED(op, filters);
    if (filters->ndim != 2 || filters->shape[1] < 2)
        return agni_fail(AGN_ESHAPE,
                         "%s: filters are %s; they are [bands, bins], of two bins at least", op,
                         AGNI_SHAPE(filters));
    agn_signal_stft_options own = {.size = sizeof own, .n_fft = 2 * (filters->shape[1] - 1)};
    agn_scope *s = agn_scope_open(NULL);
    if (cepstra)
        x = ag_audio_invert_mfcc(s, x, filters->shape[0], a.ref);
    const agn_tensor *y = ag_audio_invert_mel(s, x, filters, a.bins_steps);
    if (a.power != 1)
        y = a.power == 2 ? ag_sqrt(s, y) : ag_pow_c(s, y, 1 / a.power);
    y = ag_audio_griffin_lim(s, y, NULL, a.phase_steps > 0 ? a.phase_steps : 0, fmax(a.momentum, 0),
                             a.length, a.stft ? a.stft : &own);
    return agni_return(op, s, out, y);
}

agn_status agn_audio_mel_to_audio(agn_tensor **out, const agn_tensor *x, const agn_tensor *filters,
                                  const agn_audio_inverse_options *opts)
{
    return sound_of_bands(out, "audio_mel_to_audio", x, filters, opts, false);
}
agn_status agn_audio_mfcc_to_audio(agn_tensor **out, const agn_tensor *x, const agn_tensor *filters,
                                   const agn_audio_inverse_options *opts)
{
    return sound_of_bands(out, "audio_mfcc_to_audio", x, filters, opts, true);
}
