/**
 * agnesi/audio_music.h - spectra, pitch classes, inversion, memory; structure, likeness, pulses
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
 * @param x           in, [bands, frames], real; at most 32768 frames
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
 * @param x           in, [n, m], real: agn_audio_recurrence, likenesses
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
 * @param x      in, [bands, frames], real; at most 32768 frames
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
 * @param onsets  in, [onsets], i64, frames: agn_audio_onsets
 * @param energy  in, [frames], real
 * @errors        AGN_ENULL, AGN_EDTYPE (complex energy, onsets that are no i64), AGN_ESHAPE (more
 *                than one axis, no frame), AGN_EINDEX (an onset beyond the frames), AGN_EDOMAIN
 *                (NaN, infinity), AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad          none
 * @cost          O(frames onsets)
 * @ref           Bello et al. 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_onset_begins(agn_tensor **out, const agn_tensor *onsets,
                                                         const agn_tensor *energy);

/* ---- inverse transforms, semitones, scale ---------------------------------------------- */

/**
 * agn_audio_inverse_constant_q - signal of a constant-Q transform
 *
 * Steps of conjugate gradients from silence to the signal whose transform is nearest to x in the
 * least squares, each bin weighed by its bandwidth. One step is a scaled adjoint; 10 to 30 are
 * usual. What no filter covers stays silent.
 *
 * @param out         out, [..., length], real
 * @param x           in, [..., n_bins, frames]: agn_audio_constant_q; complex, real by promotion
 * @param rate        samples per second
 * @param length      of the signal, from (frames - 1) hop to frames hop - 1
 * @param iterations  1 to 1000
 * @param opts        as of agn_audio_constant_q; NULL for defaults
 * @errors            AGN_ENULL, AGN_ESHAPE (bins or frames that do not belong to the options and
 *                    the length, no sample), AGN_EARG (unknown size, an option, the rate or
 *                    iterations out of range, a bin above half the rate), AGN_ENOMEM
 * @grad              everywhere, of the steps
 * @cost              O(iterations frames bins_per_octave length), length of the longest filter
 * @ref               Hestenes & Stiefel 1952; Schoerkhuber & Klapuri 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_inverse_constant_q(
    agn_tensor **out, const agn_tensor *x, double rate, int64_t length, int32_t iterations,
    const agn_audio_constant_q_options *opts);

/**
 * agn_audio_semitones - energy of semitones by elliptic filters
 *
 * 85 pass bands, a 25th of their centre wide, of 1 dB ripple and 50 dB attenuation, forwards and
 * backwards, at 882, 4410 and 22050 samples per second for pitches from 24 on, from 60 on and from
 * 94 on; then sums of squares of frames of win_length, centred on 0, hop, 2 hop, ...
 *
 * @param out         out, [..., 85, 1 + n / hop] for an even win_length
 * @param x           in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate        samples per second, whole, 882 to 2^24
 * @param win_length  samples of a frame, 25 at 882 a second and more; 2048 is usual
 * @param hop         samples from one frame to the next; 512 is usual
 * @param tuning      semitones, -0.5 to 0.5, that the pitches are higher
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (too few samples for the filters
 *                    or a frame, rank 31), AGN_EARG (rate, win_length, hop or tuning out of range),
 *                    AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(85 (n + frames win_length))
 * @ref               Mueller 2007, 3.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_semitones(agn_tensor **out, const agn_tensor *x,
                                                      int64_t rate, int64_t win_length,
                                                      int64_t hop, double tuning);

/**
 * agn_audio_mellin - transform whose magnitude does not change with the scale of time
 *
 * A cubic spline through the samples (not a knot at both ends) at m times that grow from t_min on
 * as a geometric sequence, times their power beta, through a transform of real numbers.
 *
 * @param out    out, [..., m / 2 + 1], complex
 * @param x      in, [..., n], real; integers as f64, f16 and bf16 as f32; NaN spreads
 * @param t_min  samples, above 0, below n - 1; 0.5 is usual
 * @param m      times, 3 to 2^28; 0: as dense as the last two samples
 * @param beta   0.5 makes it unitary
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than 4 samples), AGN_EARG
 *               (t_min, beta, m; times that fall together), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n + m log m)
 * @ref          De Sena & Rocchesso 2007
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mellin(agn_tensor **out, const agn_tensor *x,
                                                   double t_min, int64_t m, double beta);

/**
 * agn_audio_harmonics - spectra read at multiples of their frequencies
 *
 * Linear between the bins, 0 beyond them. The mean over harmonics is the salience of pitches.
 *
 * @param out          out, [..., count, bins, frames]
 * @param x            in, [..., bins, frames], real
 * @param frequencies  in, [bins], real, rising, in memory of the host
 * @param harmonics    multiples, positive
 * @param count        1 to 1024
 * @errors             AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (frequencies that are not [bins],
 *                     no bin, rank 32), AGN_EARG (count, a harmonic), AGN_EDOMAIN (frequencies that
 *                     do not rise, NaN, infinity), AGN_ESYMBOLIC (frequencies while tracing),
 *                     AGN_EDEVICE, AGN_ENOMEM
 * @grad               in x
 * @cost               O(count size)
 * @ref                Salamon & Gomez 2012
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_harmonics(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *frequencies,
                                                      const double *harmonics, int32_t count);

/**
 * agn_audio_tuning - share of a bin by which most peaks lie off the pitches of A440
 *
 * Of the peaks whose magnitude is not below the median.
 *
 * @param out         out, [], f64, -0.5 to below 0.5; 0 where there is no peak
 * @param frequency   in, Hz, any shape, real; 0: no peak
 * @param magnitude   in, alike: agn_audio_pitch_peaks
 * @param resolution  shares of a bin, above 0, at most 1; 0.01 is usual
 * @param per_octave  bins of an octave, 12 is usual
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes that differ), AGN_EARG
 *                    (resolution below 1e-6 or above 1, bins), AGN_EDOMAIN (NaN, infinity),
 *                    AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad              none
 * @cost              O(n log n + 1 / resolution)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_tuning(agn_tensor **out, const agn_tensor *frequency,
                                                   const agn_tensor *magnitude, double resolution,
                                                   int32_t per_octave);

/* ---- periods of onsets, likeness ------------------------------------------------------- */

/**
 * agn_audio_fourier_tempogram - short-time transform of onsets, a frame at each
 *
 * Bin k is k / window of the frames per second; Hann windows, silence beyond the ends.
 *
 * @param out     out, [..., window / 2 + 1, frames + 1] for an even window, else [..., frames]
 * @param x       in, [..., frames], real: agn_audio_onset_strength
 * @param window  frames, 1 to 2^24; 384 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no frame, rank 32), AGN_EARG
 *                (window), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(frames window log window)
 * @ref           Grosche, Mueller & Kurth 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_fourier_tempogram(agn_tensor **out,
                                                              const agn_tensor *x, int64_t window);

/**
 * agn_audio_pulse - predominant local pulse of onsets
 *
 * In each frame of the Fourier tempogram the largest bin alone is kept, of magnitude 1; their
 * overlap-add where positive, its largest 1.
 *
 * @param out                out, [..., frames]; 0 where there are no onsets
 * @param x                  in, [..., frames], real: agn_audio_onset_strength
 * @param frames_per_second  positive
 * @param window             frames, even, 2 to 2^24; 384 is usual
 * @param slowest            beats a minute, 30 is usual; slower ones are left out
 * @param fastest            300 is usual
 * @errors                   AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no frame, rank 32),
 *                           AGN_EARG (a number out of range; no bin between slowest and fastest),
 *                           AGN_ENOMEM
 * @grad                     with the choice of bins as it is
 * @cost                     O(frames window log window)
 * @ref                      Grosche & Mueller 2011
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_pulse(agn_tensor **out, const agn_tensor *x,
                                                  double frames_per_second, int64_t window,
                                                  double slowest, double fastest);

/** What agn_audio_cross_similarity tells of neighbours. */
enum {
    AGN_SIMILARITY_NEAR,     /* that they are; bool */
    AGN_SIMILARITY_DISTANCE, /* Euclidean; 0 of others; f64 */
    AGN_SIMILARITY_AFFINITY  /* exp(-distance / bandwidth); 0 of others; f64 */
};

/**
 * agn_audio_cross_similarity - which frames of one piece are nearest to those of another
 *
 * Entry (i, j) is of frame i of ref, where it is one of those nearest to frame j of x; of frames
 * equally near the earlier one.
 *
 * @param out         out, [frames of ref, frames of x]
 * @param x           in, [bands, frames], real; at most 32768 frames
 * @param ref         in, [bands, frames], alike
 * @param neighbours  of each frame of x; 0: twice the root of the frames of ref
 * @param kind        AGN_SIMILARITY_NEAR, ...
 * @param bandwidth   of AGN_SIMILARITY_AFFINITY; 0: the median distance of farthest neighbours
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not two axes, empty, too many
 *                    frames, other bands), AGN_EARG (neighbours, kind, bandwidth), AGN_EDOMAIN
 *                    (NaN, infinity; a median distance of 0), AGN_ESYMBOLIC (while tracing),
 *                    AGN_EDEVICE, AGN_ENOMEM
 * @grad              none
 * @cost              O(frames^2 (bands + neighbours))
 * @ref               Serra, Serra & Andrzejak 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_cross_similarity(agn_tensor **out, const agn_tensor *x,
                                                             const agn_tensor *ref,
                                                             int64_t neighbours, int32_t kind,
                                                             double bandwidth);

/**
 * agn_audio_enhance_paths - likenesses smoothed along lines of several slopes
 *
 * The largest of count convolutions with straight lines of the same centre and a Hann window, whose
 * slopes are a geometric sequence from 1 / ratio to ratio; points between entries share
 * their weight out to four of them. What lies beyond the edges is mirrored.
 *
 * @param out     out, [..., n, m]
 * @param x       in, [..., n, m], real: agn_audio_recurrence, agn_audio_cross_similarity
 * @param length  points of a line, odd, 1 to 4095, a diagonal step from one to the next
 * @param ratio   of tempi, 1 to 1000; 2 is usual
 * @param count   lines, 1 to 255; 7 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no entry, lines longer than both
 *                axes), AGN_EARG (length, ratio, count), AGN_ENOMEM
 * @grad          where one line is the largest
 * @cost          O(count n m log(n m)), or count n m length^2 of short ones
 * @ref           Mueller & Kurth 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_enhance_paths(agn_tensor **out, const agn_tensor *x,
                                                          int64_t length, double ratio,
                                                          int32_t count);

/**
 * agn_audio_griffin_lim_constant_q - signal from the magnitudes of its constant-Q transform
 *
 * Transforms back and forth, with the magnitudes put in again each time.
 *
 * @param out         out, [..., length]
 * @param x           in, [..., bins, frames], magnitudes, real
 * @param phase       in, like x, angles to begin with; NULL: 0
 * @param rate        samples per second
 * @param length      samples
 * @param iterations  0 to 100000; 32 is usual
 * @param momentum    not negative; 0.99 is usual
 * @param steps       of each inverse, as agn_audio_inverse_constant_q has them
 * @param opts        NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE (x or phase is complex), AGN_ESHAPE (as
 *                    agn_audio_inverse_constant_q; a phase of another shape), AGN_EARG (iterations,
 *                    momentum; as agn_audio_inverse_constant_q), AGN_ENOMEM
 * @grad              in x and phase
 * @cost              iterations times steps transforms
 * @ref               Griffin & Lim 1984; Perraudin, Balazs & Soendergaard 2013
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_griffin_lim_constant_q(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *phase, double rate, int64_t length,
    int32_t iterations, double momentum, int32_t steps, const agn_audio_constant_q_options *opts);

/**
 * agn_audio_pitch_harmonics - spectra read at multiples of the pitch of each frame
 *
 * Linear between the bins, 0 beyond them and where the pitch is NaN. Of tempograms with rising
 * frequencies these are ratios of a tempo.
 *
 * @param out          out, [..., count, frames]
 * @param x            in, [..., bins, frames], real, two bins at least
 * @param pitch        in, [..., frames], real: agn_audio_yin, agn_audio_pyin
 * @param frequencies  in, [bins], real, rising, in memory of the host
 * @param harmonics    multiples, positive
 * @param count        1 to 1024
 * @errors             AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes that do not fit),
 *                     AGN_EARG (count, a harmonic), AGN_EDOMAIN (frequencies that do not rise, NaN,
 *                     infinity), AGN_ESYMBOLIC (frequencies while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad               in x and pitch
 * @cost               O(count frames log bins)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_pitch_harmonics(agn_tensor **out, const agn_tensor *x,
                                                            const agn_tensor *pitch,
                                                            const agn_tensor *frequencies,
                                                            const double *harmonics, int32_t count);

/**
 * agn_audio_decompose - spectrogram as a product of spectra and their activations
 *
 * Multiplicative steps towards the least mean square of x - components activations, none of which
 * is negative; activations begin with 1.
 *
 * @param components   out, [..., bins, count]
 * @param activations  out, [..., count, frames]
 * @param x            in, [..., bins, frames], real, not negative
 * @param start        in, [bins, count], real, positive: components to begin with, which differ
 * @param iterations   1 to 100000; 200 is usual
 * @errors             AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bin, start), AGN_EARG
 *                     (iterations), AGN_ENOMEM
 * @grad               in x and start
 * @cost               O(iterations count size)
 * @ref                Lee & Seung 1999
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_decompose(agn_tensor **components,
                                                      agn_tensor **activations,
                                                      const agn_tensor *x, const agn_tensor *start,
                                                      int32_t iterations);

/**
 * agn_audio_invert_mfcc - powers of bands of mel-frequency cepstral coefficients
 *
 * Coefficients that are missing count as 0. agn_audio_invert_mel goes on to a spectrum, and
 * agn_audio_griffin_lim to a sound.
 *
 * @param out      out, [..., n_bands, frames]
 * @param x        in, [..., n_coefficients, frames], real: agn_audio_mfcc
 * @param n_bands  no fewer than coefficients
 * @param ref      the power of 0 dB, positive
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no coefficient, n_bands), AGN_EARG
 *                 (ref), AGN_ENOMEM
 * @grad           everywhere
 * @cost           O(frames n_bands log n_bands)
 * @ref            Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_invert_mfcc(agn_tensor **out, const agn_tensor *x,
                                                        int64_t n_bands, double ref);

/**
 * agn_audio_recurrence_to_lags - likenesses of frames by how much later the one is
 *
 * out[i, j] = x[i + j, j], counted round; what comes back lies in rows.
 *
 * @param out     out, [..., n, n], or [..., 2 n, n] if padded
 * @param x       in, [..., n, n], real or bool: agn_audio_recurrence
 * @param padded  n rows of 0 come first below, so that no lag meets another
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not square, or empty), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n^2)
 * @ref           Goto 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_recurrence_to_lags(agn_tensor **out,
                                                               const agn_tensor *x, bool padded);

/**
 * agn_audio_lags_to_recurrence - likenesses of frames from those by lags
 *
 * The inverse of agn_audio_recurrence_to_lags.
 *
 * @param out  out, [..., n, n]
 * @param x    in, [..., n, n] or [..., 2 n, n], real or bool
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (other numbers of lags, or empty),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^2)
 * @ref        Goto 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_lags_to_recurrence(agn_tensor **out,
                                                               const agn_tensor *x);

/**
 * agn_audio_average_neighbours - frames averaged over those that are like them
 *
 * Frame j is the mean of frames i weighed by table[i, j], and itself where these are all 0.
 *
 * @param out    out, [..., bins, frames]
 * @param x      in, [..., bins, frames], real
 * @param table  in, [frames, frames], real or bool, not negative: agn_audio_recurrence,
 *               agn_audio_cross_similarity
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bin, table), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size frames)
 * @ref          Foote & Cooper 2003
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_average_neighbours(agn_tensor **out,
                                                               const agn_tensor *x,
                                                               const agn_tensor *table);

/* ---- axes of spectra, curves of hearing ------------------------------------------------ */

/**
 * agn_audio_cqt_frequencies - middles of the bins of agn_audio_constant_q
 *
 * @param out        out, [n], Hz
 * @param dtype      AGN_F32 or AGN_F64
 * @param n          bins, 1 and more
 * @param f_min      the first, positive
 * @param per_octave bins of an octave, 1 to 4096
 * @param tuning     in bins, by which all are higher
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_EARG (a number out of range), AGN_ENOMEM
 * @grad             none: a constant
 * @cost             O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_cqt_frequencies(agn_tensor **out, agn_dtype dtype,
                                                            int64_t n, double f_min,
                                                            int32_t per_octave, double tuning);

/**
 * agn_audio_tempo_frequencies - beats a minute of the lags of agn_audio_tempogram
 *
 * The first is infinite.
 *
 * @param out                out, [n]
 * @param dtype              AGN_F32 or AGN_F64
 * @param n                  lags, 1 and more
 * @param frames_per_second  positive
 * @errors                   AGN_ENULL, AGN_EDTYPE, AGN_EARG (a number out of range), AGN_ENOMEM
 * @grad                     none: a constant
 * @cost                     O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_tempo_frequencies(agn_tensor **out, agn_dtype dtype,
                                                              int64_t n, double frames_per_second);

/**
 * agn_audio_fourier_tempo_frequencies - beats a minute of the bins of agn_audio_fourier_tempogram
 *
 * @param out                out, [window / 2 + 1]
 * @param dtype              AGN_F32 or AGN_F64
 * @param window             frames, 1 and more
 * @param frames_per_second  positive
 * @errors                   AGN_ENULL, AGN_EDTYPE, AGN_EARG (a number out of range), AGN_ENOMEM
 * @grad                     none: a constant
 * @cost                     O(window)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_fourier_tempo_frequencies(agn_tensor **out,
                                                                      agn_dtype dtype,
                                                                      int64_t window,
                                                                      double frames_per_second);

/**
 * agn_audio_perceptual_weighting - powers in dB as loud as they are heard
 *
 * agn_audio_power_to_db plus agn_audio_weighting.
 *
 * @param out          out, [..., bins, frames]
 * @param x            in, [..., bins, frames], real
 * @param frequencies  in, [bins], real, Hz
 * @param curve        AGN_AUDIO_WEIGHTING_A, ...
 * @param ref          what is 0 dB, positive
 * @param least        below that all is alike, positive
 * @param range        in dB; 0: no limit
 * @errors             AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than two axes, frequencies
 *                     that are not [bins]), AGN_EARG (curve; ref, least or range out of range),
 *                     AGN_ENOMEM
 * @grad               where x is above least; in frequencies
 * @cost               O(size)
 * @ref                IEC 61672-1:2013
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_perceptual_weighting(agn_tensor **out,
                                                                 const agn_tensor *x,
                                                                 const agn_tensor *frequencies,
                                                                 int32_t curve, double ref,
                                                                 double least, double range);

/**
 * agn_audio_chroma_cqt - energy of pitch classes by the constant-Q transform
 *
 * Magnitudes of agn_audio_constant_q, or of the variable-Q transform by gamma, added over octaves
 * and over the bins of a class; the first class is C, the largest of each frame 1.
 *
 * @param out      out, [..., classes, 1 + n / hop]
 * @param x        in, [..., n], real
 * @param rate     samples per second
 * @param classes  12 is usual; a divisor of bins_per_octave
 * @param opts     NULL for 84 bins, 12 of an octave, from C1
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample, rank 32), AGN_EARG
 *                 (classes; as agn_audio_constant_q), AGN_ENOMEM
 * @grad           where no bin is silent
 * @cost           that of the transform
 * @ref            Ellis 2007
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_chroma_cqt(agn_tensor **out, const agn_tensor *x,
                                                       double rate, int32_t classes,
                                                       const agn_audio_constant_q_options *opts);

/* ---- sound of features ----------------------------------------------------------------- */

/** Options of agn_audio_mel_to_audio and agn_audio_mfcc_to_audio; zero members are defaults. */
typedef struct agn_audio_inverse_options {
    size_t size;                         /* sizeof(agn_audio_inverse_options) */
    const agn_signal_stft_options *stft; /* of the spectra; NULL: by the filters */
    double power;                        /* of magnitudes in the bands; 2 */
    int32_t bins_steps;                  /* of agn_audio_invert_mel; 200 */
    int32_t phase_steps;                 /* of agn_audio_griffin_lim; 32; negative: 0 */
    double momentum;                     /* 0.99; negative: 0 */
    int64_t length;                      /* samples; as agn_signal_istft */
    double ref;                          /* power of 0 dB, of cepstra; 1 */
} agn_audio_inverse_options;

/**
 * agn_audio_mel_to_audio - sound whose bands of mel are those that are given
 *
 * agn_audio_invert_mel, then agn_audio_griffin_lim from phases of 0.
 *
 * @param out      out, [..., samples]
 * @param x        in, [..., bands, frames], real, not negative
 * @param filters  in, [bands, n_fft / 2 + 1], real: agn_audio_mel_filters
 * @param opts     NULL for defaults
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes that do not fit), AGN_EARG
 *                 (unknown size, an option), AGN_EDOMAIN (windows leave a sample uncovered),
 *                 AGN_ENOMEM
 * @grad           where no magnitude is 0
 * @cost           O(steps (bands + log n_fft) n_fft frames)
 * @ref            Griffin & Lim 1984; Lee & Seung 2001
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mel_to_audio(agn_tensor **out, const agn_tensor *x,
                                                         const agn_tensor *filters,
                                                         const agn_audio_inverse_options *opts);

/**
 * agn_audio_mfcc_to_audio - sound whose mel-frequency cepstral coefficients are those that are
 * given
 *
 * agn_audio_invert_mfcc, then agn_audio_mel_to_audio.
 *
 * @param out      out, [..., samples]
 * @param x        in, [..., coefficients, frames], real
 * @param filters  in, [bands, n_fft / 2 + 1], real, no fewer bands than coefficients
 * @param opts     NULL for defaults
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes that do not fit), AGN_EARG
 *                 (unknown size, an option), AGN_EDOMAIN (windows leave a sample uncovered),
 *                 AGN_ENOMEM
 * @grad           where no magnitude is 0
 * @cost           that of agn_audio_mel_to_audio
 * @ref            Davis & Mermelstein 1980; Griffin & Lim 1984
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mfcc_to_audio(agn_tensor **out, const agn_tensor *x,
                                                          const agn_tensor *filters,
                                                          const agn_audio_inverse_options *opts);

/* ---- structure ------------------------------------------------------------------------- */

/**
 * agn_audio_subsegment - each stretch between bounds in sections of its own
 *
 * agn_audio_sections of stretches, as many of each as it has frames at most.
 *
 * @param out       out, [sections], i64: the first frames, rising
 * @param x         in, [bands, frames], real; at most 32768 frames
 * @param bounds    frames, strictly rising, inside of 1 to frames - 1; NULL with n_bounds 0
 * @param n_bounds  how many, below frames
 * @param count     sections of a stretch, 1 and more
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not two axes, empty, too many
 *                  frames), AGN_EARG (bounds, count), AGN_EDOMAIN (NaN, infinity), AGN_ESYMBOLIC
 *                  (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad            none
 * @cost            O(frames^2 + frames bands)
 * @ref             Ward 1963
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_subsegment(agn_tensor **out, const agn_tensor *x,
                                                       const int64_t *bounds, int32_t n_bounds,
                                                       int64_t count);

/**
 * agn_audio_affinity - how near frames are that a table calls alike
 *
 * exp(-distance / bandwidth) where the table is not 0, 0 elsewhere.
 *
 * @param out        out, [..., frames, frames]
 * @param x          in, [..., bands, frames], real
 * @param table      in, [..., frames, frames], bool or real: agn_audio_recurrence
 * @param bandwidth  positive; 0: the median over frames of the distance to the farthest that is
 *                   alike
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no band, no frame, table),
 *                   AGN_EARG (bandwidth), AGN_ENOMEM
 * @grad             in x, where no two frames are equal
 * @cost             O(frames^2 bands)
 * @ref              Ng, Jordan & Weiss 2001
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_affinity(agn_tensor **out, const agn_tensor *x,
                                                     const agn_tensor *table, double bandwidth);

/* ---- states ---------------------------------------------------------------------------- */

/** Which states agn_audio_transition goes to. */
enum {
    AGN_TRANSITION_UNIFORM, /* each as likely; of stay only dtype and device count */
    AGN_TRANSITION_LOOP,    /* itself, or one of the others, each as likely */
    AGN_TRANSITION_CYCLE    /* itself, or the next, of the last the first */
};

/**
 * agn_audio_transition - probabilities of going from one state to another
 *
 * @param out   out, [n, n], from row to column: its logarithm is for agn_audio_viterbi
 * @param stay  in, [n] or [], real: probabilities of staying; NULL with AGN_TRANSITION_UNIFORM
 *              alone
 * @param n     states, 1 to 32768; 2 and more but for AGN_TRANSITION_UNIFORM
 * @param kind  AGN_TRANSITION_UNIFORM, ...
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (stay), AGN_EARG (n, kind), AGN_ENOMEM
 * @grad        in stay
 * @cost        O(n^2)
 * @ref         Rabiner 1989
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_transition(agn_tensor **out, const agn_tensor *stay,
                                                       int64_t n, int32_t kind);

/**
 * agn_audio_transition_local - probabilities of going to a state nearby
 *
 * Row i is a window of the width of state i about it, over its sum.
 *
 * @param out     out, [n, n], f64, from row to column
 * @param widths  of each state, 1 to n, [n]
 * @param n       states, 2 to 32768
 * @param window  AGN_WINDOW_TRIANGLE, ..., that takes no parameter
 * @param circle  the first state is next to the last
 * @errors        AGN_ENULL, AGN_EARG (n, a width, window), AGN_EDOMAIN (a window of sum 0),
 *                AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(n^2)
 * @ref           Mauch & Dixon 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_transition_local(agn_tensor **out,
                                                             const int64_t *widths, int64_t n,
                                                             int32_t window, bool circle);

/* ---- names of notes -------------------------------------------------------------------- */

/**
 * agn_audio_note_to_midi - number of a note by its name
 *
 * A letter, sharps (#) and flats (b or !), an octave (0 if there is none), cents with their sign:
 * "C4" is 60, "Bb3", "F##-1", "A4+25". The signs of Unicode, U+266D to U+266F and U+1D12A, U+1D12B,
 * are read as well.
 *
 * @param midi  out, with cents as hundredths
 * @param note  the name
 * @errors      AGN_ENULL, AGN_EARG (no such name)
 * @grad        none
 * @cost        O(1)
 * @ref         MIDI 1.0; Young 1939
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_note_to_midi(double *midi, const char *note);

/**
 * agn_audio_midi_to_note - name of the note of a number
 *
 * Spelled as its key has it, with # and b alone.
 *
 * @param note   out, the name and a zero
 * @param room   bytes of note; 24 are enough
 * @param midi   69 of 440 Hz, between -1e9 and 1e9; rounded to the nearest note, halves to the even
 *               one
 * @param key    "C:maj", "F#:min", ...; NULL: C major
 * @param cents  what is left, as +12 or -50, behind it
 * @errors       AGN_ENULL, AGN_EARG (midi, key, room)
 * @grad         none
 * @cost         O(1)
 * @ref          MIDI 1.0; Young 1939
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_midi_to_note(char *note, int64_t room, double midi,
                                                         const char *key, bool cents);

/**
 * agn_audio_key_to_degrees - pitch classes of a scale, from its first note on
 *
 * @param degrees  out, 7 of them, 0 is C
 * @param key      tonic and scale, of which three letters count: "C:maj", "Bb:minor", or a mode:
 *                 ionian, dorian, phrygian, lydian, mixolydian, aeolian, locrian
 * @errors         AGN_ENULL, AGN_EARG (no such key)
 * @grad           none
 * @cost           O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_key_to_degrees(int32_t *degrees, const char *key);

#ifdef __cplusplus
}
#endif

#endif
