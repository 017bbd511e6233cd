/* audio/spectrogram.c - magnitudes and powers of the short-time Fourier transform. */
#include "audio/audio.h"

#include <agnesi/ag.h>

/* ---- options ----------------------------------------------------------------------- */

static agn_status complete_options(agn_audio_spectrogram_options *a)
{
    if (a->n_fft < 0 || a->n_fft > INT32_MAX || a->win_length < 0 || a->hop < 0)
        return agni_fail(AGN_EARG,
                         "audio_spectrogram: n_fft is %lld, win_length %lld, hop %lld; none may be "
                         "negative, n_fft at most %d",
                         (long long)a->n_fft, (long long)a->win_length, (long long)a->hop,
                         INT32_MAX);
    if (!a->n_fft)
        a->n_fft = 512;
    if (!a->win_length)
        a->win_length = a->n_fft;
    if (!a->hop)
        a->hop = a->win_length < 4 ? 1 : a->win_length / 4;
    if (a->win_length > a->n_fft)
        return agni_fail(AGN_EARG,
                         "audio_spectrogram: win_length is %lld; it fits in an n_fft of %lld",
                         (long long)a->win_length, (long long)a->n_fft);
    if (a->value < AGN_AUDIO_POWER || a->value > AGN_AUDIO_COMPLEX)
        return agni_fail(AGN_EARG, "audio_spectrogram: there is no value %d; there are 0 to %d",
                         a->value, AGN_AUDIO_COMPLEX);
    if (a->edge < AGN_AUDIO_REFLECT || a->edge > AGN_AUDIO_UNCENTRED)
        return agni_fail(AGN_EARG, "audio_spectrogram: there is no edge %d; there are 0 to %d",
                         a->edge, AGN_AUDIO_UNCENTRED);
    const agn_tensor *w = a->window;
    if (w && agni_kind(w->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "audio_spectrogram: the window is %s %s; it must be real",
                         agni_dtypes[w->dtype].name, AGNI_SHAPE(w));
    if (w && (w->ndim != 1 || w->size != a->win_length))
        return agni_fail(AGN_ESHAPE, "audio_spectrogram: the window is %s, win_length %lld",
                         AGNI_SHAPE(w), (long long)a->win_length);
    return AGN_OK;
}

static agn_status check_signal(const agn_audio_spectrogram_options *a, const agn_tensor *x)
{
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "audio_spectrogram: x is %s %s; a signal must be real",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (!x->ndim || !x->shape[x->ndim - 1])
        return agni_fail(AGN_ESHAPE, "audio_spectrogram: x is %s; a frame of %lld needs a signal",
                         AGNI_SHAPE(x), (long long)a->n_fft);
    return AGN_OK;
}

agn_status agn_audio_spectrogram(agn_tensor **out, const agn_tensor *x,
                                 const agn_audio_spectrogram_options *opts)
{
    static const int32_t edges[] = {[AGN_AUDIO_REFLECT] = AGN_SIGNAL_REFLECT,
                                    [AGN_AUDIO_ZERO] = AGN_SIGNAL_ZERO,
                                    [AGN_AUDIO_UNCENTRED] = AGN_SIGNAL_UNCENTRED};
    if (!out || !x)
        return agni_fail(AGN_ENULL, "audio_spectrogram: %s is NULL", out ? "x" : "out");
    if (agni_check_size("audio_spectrogram", agn_audio_spectrogram_options, opts))
        return AGN_EARG;
    agn_audio_spectrogram_options a = {.size = sizeof a};
    if (opts)
        a = *opts;
    agn_status st = complete_options(&a);
    if (!st)
        st = check_signal(&a, x);
    if (st)
        return st;
    agn_signal_stft_options frames = {.size = sizeof frames, .n_fft = a.n_fft, .hop = a.hop,
                                      .win_length = a.win_length, .edge = edges[a.edge],
                                      .window = a.window};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *z = ag_signal_stft(s, x, &frames);
    if (a.value == AGN_AUDIO_MAGNITUDE)
        z = ag_abs(s, z);
    else if (a.value == AGN_AUDIO_POWER) { /* in the order of memory: frame by frame */
        z = ag_transpose(s, z);
        z = ag_transpose(s, ag_add(s, ag_square(s, ag_real(s, z)), ag_square(s, ag_imag(s, z))));
    }
    return agni_return("audio_spectrogram", s, out, z);
}
