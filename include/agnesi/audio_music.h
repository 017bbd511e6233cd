/**
 * agnesi/audio_music.h - spectra and pitch classes: shapes, peaks, inversion, memory; structure
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spectra are [..., bins, frames] and compositions of operators with derivatives of any order in
 * every mode; structure is chosen on the host, without derivatives.
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

/**
 * agn_audio_pitch_peaks - frequencies and magnitudes of the peaks of a spectrum
 *
 * Peaks are bins above the one before, not below the one behind, and above threshold times the
 * largest of their frame; each lies at the vertex of the parabola through it and its neighbours.
 *
 * @param frequency  out, [..., bins, frames], in Hz; 0 where there is no peak
 * @param magnitude  out, alike: at the vertex
 * @param x          in, [..., bins, frames], real: magnitudes, bins reach to half the rate
 * @param rate       samples per second
 * @param low        Hz, 150 is usual; peaks below are left out
 * @param high       Hz, 4000 is usual; so are those at it and above
 * @param threshold  0 to 1, 0.1 is usual
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than 3 bins), AGN_EARG (a
 *                   number out of range, high below low), AGN_ENOMEM
 * @grad             at peaks, with the peaks as they are; 0 elsewhere
 * @cost             O(size)
 * @ref              Smith & Serra 1987
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_pitch_peaks(agn_tensor **frequency,
                                                        agn_tensor **magnitude, const agn_tensor *x,
                                                        double rate, double low, double high,
                                                        double threshold);

/**
 * agn_audio_recurrence - which frames are neighbours of which
 *
 * Entry (i, j) says whether frame i is one of the frames nearest to frame j, in the Euclidean
 * distance; of frames equally near the earlier one.
 *
 * @param out         out, [frames, frames], bool
 * @param x           in, [bands, frames], real, in memory of the host; at most 32768 frames
 * @param neighbours  of each frame; 0: twice the root of the number of those that may be
 * @param width       frames fewer apart than this are no neighbours; 1 or more, at most frames
 * @param mutual      only where each is a neighbour of the other
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not two axes, empty, too many
 *                    frames), AGN_EARG (neighbours, width), AGN_EDOMAIN (NaN, infinity),
 *                    AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad              none
 * @cost              O(frames^2 (bands + neighbours))
 * @ref               Eckmann, Kamphorst & Ruelle 1987
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_recurrence(agn_tensor **out, const agn_tensor *x,
                                                       int64_t neighbours, int64_t width,
                                                       bool mutual);

/**
 * agn_audio_recurrence_path - path of largest sum through a table of likenesses
 *
 * By steps along both axes, with knight also of one along one axis and two along the other. Entries
 * that are not positive are gaps: they take gap_open from the sum behind a positive one, else
 * gap_extend, and a sum that falls to 0 begins anew.
 *
 * @param total       out, [n, m], f64: the largest sum of a path to each entry
 * @param path        out, [steps, 2], i64: the entries of the best path in order; none where
 *                    nothing is positive
 * @param x           in, [n, m], real, in memory of the host: agn_audio_recurrence, likenesses
 * @param gap_open    not negative, 1 is usual
 * @param gap_extend  not negative, 1 is usual
 * @param knight      steps of a knight, too
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not two axes, or empty), AGN_EARG
 *                    (a gap), AGN_EDOMAIN (NaN, infinity), AGN_ESYMBOLIC (while tracing),
 *                    AGN_EDEVICE, AGN_ENOMEM
 * @grad              none: gather the likenesses of the path
 * @cost              O(n m)
 * @ref               Serra, Serra & Andrzejak 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_recurrence_path(agn_tensor **total, agn_tensor **path,
                                                            const agn_tensor *x, double gap_open,
                                                            double gap_extend, bool knight);

/**
 * agn_audio_sections - first frames of sections whose frames are alike
 *
 * Neighbours are joined, those first that add least to the squared distances of frames from the
 * mean of their section.
 *
 * @param out    out, [count], i64, in order; the first is 0
 * @param x      in, [bands, frames], real, in memory of the host; at most 32768 frames
 * @param count  sections, 1 to frames
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not two axes, empty, too many frames),
 *               AGN_EARG (count), AGN_EDOMAIN (NaN, infinity), AGN_ESYMBOLIC (while tracing),
 *               AGN_EDEVICE, AGN_ENOMEM
 * @grad         none
 * @cost         O(frames^2 + frames bands)
 * @ref          Ward 1963
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_sections(agn_tensor **out, const agn_tensor *x,
                                                     int64_t count);

/**
 * agn_audio_onset_begins - the last local minima of energy at or before onsets
 *
 * @param out     out, [onsets], i64: frames; 0 where no minimum is before
 * @param onsets  in, [onsets], i64, frames, in memory of the host: agn_audio_onsets
 * @param energy  in, [frames], real, in memory of the host
 * @errors        AGN_ENULL, AGN_EDTYPE (complex energy, onsets that are no i64), AGN_ESHAPE (more
 *                than one axis, no frame), AGN_EINDEX (an onset beyond the frames), AGN_EDOMAIN
 *                (NaN, infinity), AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad          none
 * @cost          O(frames onsets)
 * @ref           Bello et al. 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_onset_begins(agn_tensor **out, const agn_tensor *onsets,
                                                         const agn_tensor *energy);

#ifdef __cplusplus
}
#endif

#endif
