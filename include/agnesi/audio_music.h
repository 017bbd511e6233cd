/**
 * agnesi/audio_music.h - spectra and pitch classes: shapes, reassignment, inversion, memory
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spectra are [..., bins, frames]. Everything is a composition of operators with derivatives of any
 * order in every mode.
 */
#ifndef AGNESI_AUDIO_MUSIC_H
#define AGNESI_AUDIO_MUSIC_H

#include <agnesi/audio.h>
#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_audio_spectral_polynomial - polynomial of frequency that is nearest to a spectrum
 *
 * @param out    out, [..., order + 1, frames], the highest power of Hz first
 * @param x      in, [..., bins, frames], real; bins reach to half the rate
 * @param rate   samples per second
 * @param order  0 to 8, below bins
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins, an order that is not below
 *               them), AGN_EARG (rate, order), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size order)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectral_polynomial(agn_tensor **out,
                                                                const agn_tensor *x, double rate,
                                                                int32_t order);

/**
 * agn_audio_reassigned_spectrogram - where the energy of each bin and frame lies
 *
 * By the derivatives of its phase along time and frequency; NaN or infinite where a bin is silent.
 *
 * @param frequency  out, [..., n_fft / 2 + 1, frames], in Hz
 * @param time       out, alike, in seconds
 * @param magnitude  out, alike
 * @param x          in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate       samples per second
 * @param opts       as of agn_signal_stft, one-sided and centred; NULL for defaults
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (as agn_signal_stft), AGN_EARG
 *                   (rate, unknown size, an option out of range), AGN_ENOMEM
 * @grad             in x and the window
 * @cost             O(frames n_fft log n_fft)
 * @ref              Auger & Flandrin 1995
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_reassigned_spectrogram(
    agn_tensor **frequency, agn_tensor **time, agn_tensor **magnitude, const agn_tensor *x,
    double rate, const agn_signal_stft_options *opts);

/**
 * agn_audio_invert_mel - spectrum of bands of mel
 *
 * The spectrum that is not negative and whose bands come nearest in the mean square, by
 * multiplicative steps from a flat one.
 *
 * @param out         out, [..., bins, frames]
 * @param x           in, [..., bands, frames], real, not negative
 * @param filters     in, [bands, bins], real, not negative: agn_audio_mel_filters
 * @param iterations  1 to 100000; 200 is usual
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes that do not fit), AGN_EARG
 *                    (iterations), AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(iterations bands bins frames)
 * @ref               Lee & Seung 2001
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_invert_mel(agn_tensor **out, const agn_tensor *x,
                                                       const agn_tensor *filters,
                                                       int32_t iterations);

/**
 * agn_audio_chroma_statistics - pitch classes in four steps, smoothed along time (CENS)
 *
 * Of sum 1 in each frame; steps of 1/4 above 0.05, 0.1, 0.2 and 0.4; under a Hann window; of length
 * 1.
 *
 * @param out     out, [..., classes, frames]
 * @param x       in, [..., classes, frames], real, not negative: agn_audio_chroma
 * @param window  frames, 41 is usual; 1: none
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no class, no frame), AGN_EARG (window
 *                is not odd, or out of range), AGN_ENOMEM
 * @grad          0
 * @cost          O(size window)
 * @ref           Mueller & Ewert 2011
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_chroma_statistics(agn_tensor **out, const agn_tensor *x,
                                                              int64_t window);

/**
 * agn_audio_stack_memory - features with those of frames before
 *
 * @param out    out, [..., steps bands, frames]: of now, of delay frames ago, of twice as many, ...
 * @param x      in, [..., bands, frames]
 * @param steps  1 to 2^20
 * @param delay  frames; negative: of frames to come. Beyond the ends are zeros
 * @errors       AGN_ENULL, AGN_ESHAPE (no bands, no frame), AGN_EARG (steps, a delay of 0 or beyond
 *               2^30), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(steps size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_stack_memory(agn_tensor **out, const agn_tensor *x,
                                                         int32_t steps, int64_t delay);

#ifdef __cplusplus
}
#endif

#endif
