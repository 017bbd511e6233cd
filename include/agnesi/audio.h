/**
 * agnesi/audio.h - sound: windows and spectrograms
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals are real tensors whose last axis is time; all other axes are a batch. Everything is a
 * composition of operators: it has derivatives of any order with respect to the signal and the
 * window, in every mode.
 */
#ifndef AGNESI_AUDIO_H
#define AGNESI_AUDIO_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a spectrogram shows of each complex amplitude. */
enum {
    AGN_AUDIO_POWER,     /* squared magnitude */
    AGN_AUDIO_MAGNITUDE, /* its root */
    AGN_AUDIO_COMPLEX    /* the amplitude itself */
};

/** Where frames lie, and what is beyond the ends of the signal. */
enum {
    AGN_AUDIO_REFLECT,  /* centred on 0, hop, 2 hop, ...; mirrored, without repeating the end */
    AGN_AUDIO_ZERO,     /* the same places; silence */
    AGN_AUDIO_UNCENTRED /* beginning at 0, hop, 2 hop, ...; only frames within the signal */
};

/** Options of agn_audio_spectrogram; zero members are defaults. */
typedef struct agn_audio_spectrogram_options {
    size_t size;        /* sizeof(agn_audio_spectrogram_options) */
    int64_t n_fft;      /* length of a frame, even or odd; 512 */
    int64_t hop;        /* from one frame to the next, may be longer than the window; a quarter of
                           the window */
    int64_t win_length; /* at most n_fft, in the middle of the frame; n_fft */
    int32_t value;      /* AGN_AUDIO_POWER, ... */
    int32_t edge;       /* AGN_AUDIO_REFLECT, ... */
    const agn_tensor *window; /* real [win_length]; NULL: agn_audio_hann */
} agn_audio_spectrogram_options;

/**
 * agn_audio_hann - periodic Hann window, sin(pi k / n)^2
 *
 * @param out    out, [n]
 * @param dtype  AGN_F32 or AGN_F64
 * @param n      number of elements; one element is 1
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (negative n), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Harris 1978
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_hann(agn_tensor **out, agn_dtype dtype, int64_t n);

/**
 * agn_audio_spectrogram - short-time Fourier transform
 *
 * Entry [..., k, t] belongs to frequency k / n_fft of the sampling rate and frame t. Centred, there
 * are 1 + n / hop frames for an even n_fft and 1 + (n - 1) / hop for an odd one; else
 * 1 + (n - n_fft) / hop. Signals shorter than a frame are mirrored as often as need be.
 *
 * @param out   out, [..., n_fft / 2 + 1, frames], real, or complex for AGN_AUDIO_COMPLEX
 * @param x     [..., n], real; integers as f64, f16 and bf16 as f32
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (x or the window is complex), AGN_ESHAPE (0-D, an empty signal,
 *              one shorter than an uncentred frame, the window), AGN_EARG (unknown size, an option out
 *              of range), AGN_ENOMEM
 * @grad        in x and the window; a magnitude: 0 where it is 0
 * @cost        O(frames n_fft log n_fft)
 * @ref         Allen & Rabiner 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectrogram(agn_tensor **out, const agn_tensor *x,
                                                        const agn_audio_spectrogram_options *opts);

#ifdef __cplusplus
}
#endif
#endif
