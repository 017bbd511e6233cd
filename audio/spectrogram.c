/* audio/spectrogram.c - short-time Fourier transform: frames by one gather, a window, rfft. */
#include "tensor/dispatch/op_helpers.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>

/* ---- options ----------------------------------------------------------------------- */

static agn_status complete_options(agn_audio_spectrogram_options *a)
{
    if (a->n_fft < 0 || a->n_fft > INT32_MAX || a->win_length < 0 || a->hop < 0)
        return agni_fail(AGN_EARG,
                         "audio_spectrogram: n_fft is %lld, win_length %lld, hop %lld; none may be "
                         "negative, n_fft at most %d",
                         (long long)a->n_fft, (long long)a->win_length, (long long)a->hop, INT32_MAX);
    if (!a->n_fft)
        a->n_fft = 512;
    if (!a->win_length)
        a->win_length = a->n_fft;
    if (!a->hop)
        a->hop = a->win_length < 4 ? 1 : a->win_length / 4;
    if (a->win_length > a->n_fft)
        return agni_fail(AGN_EARG, "audio_spectrogram: win_length is %lld; it fits in an n_fft of %lld",
                         (long long)a->win_length, (long long)a->n_fft);
    if (a->value < AGN_AUDIO_POWER || a->value > AGN_AUDIO_COMPLEX)
        return agni_fail(AGN_EARG, "audio_spectrogram: there is no value %d; there are 0 to %d",
                         a->value, AGN_AUDIO_COMPLEX);
    if (a->edge < AGN_AUDIO_REFLECT || a->edge > AGN_AUDIO_UNCENTRED)
        return agni_fail(AGN_EARG, "audio_spectrogram: there is no edge %d; there are 0 to %d", a->edge,
                         AGN_AUDIO_UNCENTRED);
    const agn_tensor *w = a->window;
    if (w && agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "audio_spectrogram: the window is %s %s; it must be real",
                         agni_dtypes[w->dtype].name, AGNI_SHAPE(w));
    if (w && (w->ndim != 1 || w->size != a->win_length))
        return agni_fail(AGN_ESHAPE, "audio_spectrogram: the window is %s, win_length %lld",
                         AGNI_SHAPE(w), (long long)a->win_length);
    return AGN_OK;
}

/* The number of frames, and the index in x at which the first one begins. */
static agn_status count_frames(const agn_audio_spectrogram_options *a, const agn_tensor *x,
                               int64_t *frames, int64_t *first)
{
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "audio_spectrogram: x is %s %s; a signal must be real",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "audio_spectrogram: x is %s; a frame of %lld needs a signal",
                         AGNI_SHAPE(x), (long long)a->n_fft);
    int64_t n = x->shape[x->ndim - 1], half = a->n_fft / 2;
    bool centred = a->edge != AGN_AUDIO_UNCENTRED;
    if (!centred && n < a->n_fft)
        return agni_fail(AGN_ESHAPE, "audio_spectrogram: x is %s; it is shorter than a frame of %lld",
                         AGNI_SHAPE(x), (long long)a->n_fft);
    *first = centred ? -half : 0;
    *frames = 1 + (n + (centred ? 2 * half : 0) - a->n_fft) / a->hop;
    return AGN_OK;
}

/* ---- frames -------------------------------------------------------------------------------- */

/* index i reflected into [0, n): a zigzag of period 2 (n - 1) */
static int64_t mirror_index(int64_t i, int64_t n)
{
    int64_t period = n > 1 ? 2 * (n - 1) : 1;
    i %= period;
    if (i < 0)
        i += period;
    return i < n ? i : period - i;
}

/* [frames, n_fft] indices into a signal of n, the first is first */
static const agn_tensor *frame_indices(agn_scope *s, const agn_audio_spectrogram_options *a,
                                       int64_t frames, int64_t first, int64_t n)
{
    agn_tensor *idx = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_tensor_make(&idx, "audio_spectrogram", AGN_I64, 2,
                                     (const int64_t[]){frames, a->n_fft}, AGN_CPU);
    if (!st) {
        int64_t *to = idx->data;
        for (int64_t t = 0; t < frames; t++)
            for (int64_t k = 0; k < a->n_fft; k++)
                *to++ = mirror_index(first + t * a->hop + k, n);
    }
    return agni_adopt_constant(s, st, idx);
}

/* zeros along the last axis, in front and behind */
static const agn_tensor *pad_last_axis(agn_scope *s, const agn_tensor *x, int64_t front,
                                       int64_t behind)
{
    int64_t lo[AGN_MAX_RANK] = {0}, hi[AGN_MAX_RANK] = {0};
    if (!x || (!front && !behind))
        return x;
    lo[x->ndim - 1] = front;
    hi[x->ndim - 1] = behind;
    return ag_pad(s, x, x->ndim, lo, hi, 0);
}

static const agn_tensor *padded_window(agn_scope *s, const agn_audio_spectrogram_options *a,
                                       int dtype)
{
    const agn_tensor *w = a->window;
    if (!w && !agn_scope_status(s)) {
        agn_tensor *hann = NULL;
        agn_status st = agn_audio_hann(&hann, dtype, a->win_length);
        w = agni_adopt_constant(s, st, hann);
    }
    int64_t room = a->n_fft - a->win_length;
    return pad_last_axis(s, w, room / 2, room - room / 2);
}

agn_status agn_audio_spectrogram(agn_tensor **out, const agn_tensor *x,
                                 const agn_audio_spectrogram_options *opts)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "audio_spectrogram: %s is NULL", out ? "x" : "out");
    if (opts && opts->size != sizeof *opts)
        return agni_fail(AGN_EARG, "audio_spectrogram: unknown size: %zu bytes, "
                                   "agn_audio_spectrogram_options has %zu",
                         opts->size, sizeof *opts);
    agn_audio_spectrogram_options a = {.size = sizeof a};
    if (opts)
        a = *opts;
    int64_t frames = 0, first = 0;
    agn_status st = complete_options(&a);
    if (!st)
        st = count_frames(&a, x, &frames, &first);
    if (st)
        return st;
    int dtype = x->dtype == AGN_F16 || x->dtype == AGN_BF16 ? AGN_F32
                : x->dtype == AGN_F32                       ? AGN_F32
                                                            : AGN_F64;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *signal = ag_cast(s, x, dtype);
    if (a.edge == AGN_AUDIO_ZERO) {
        signal = pad_last_axis(s, signal, a.n_fft / 2, a.n_fft / 2);
        first = 0;
    }
    int64_t n = signal ? signal->shape[signal->ndim - 1] : 1;
    const agn_tensor *frame = ag_gather(s, signal, frame_indices(s, &a, frames, first, n), -1);
    const agn_tensor *seen = ag_mul(s, frame, padded_window(s, &a, dtype));
    const agn_tensor *z = ag_transpose(s, ag_fft_rfft(s, seen, 0, -1, AGN_FFT_BACKWARD));
    if (a.value == AGN_AUDIO_MAGNITUDE)
        z = ag_abs(s, z);
    else if (a.value == AGN_AUDIO_POWER)
        z = ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z)));
    agn_scope_return(s, out, z);
    return agn_scope_close(s);
}
