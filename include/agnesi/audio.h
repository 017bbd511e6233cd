/**
 * agnesi/audio.h - sound: spectrograms, mel bands, cepstra, descriptors, files
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals are real tensors whose last axis is time; all other axes are a batch. Everything is a
 * composition of operators: it has derivatives of any order with respect to the signal and the
 * window, in every mode.
 */
#ifndef AGNESI_AUDIO_H
#define AGNESI_AUDIO_H

#include <agnesi/signal.h>
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

/** Scales of pitch. */
enum {
    AGN_AUDIO_SLANEY, /* linear to 1 kHz, logarithmic above */
    AGN_AUDIO_HTK     /* 2595 log10(1 + f / 700) */
};

/** Options of agn_audio_mel_spectrogram and what follows it; zero members are defaults. */
typedef struct agn_audio_mel_options {
    size_t size;                               /* sizeof(agn_audio_mel_options) */
    agn_audio_spectrogram_options spectrogram; /* its size may be 0 */
    int64_t n_bands;                           /* 64 */
    double f_min, f_max;                       /* in Hz; 0, and half the rate */
    int32_t scale;                             /* AGN_AUDIO_SLANEY, ... */
    bool area;                                 /* filters of area 1, not of height 1 */
    const agn_tensor *filters;                 /* [n_bands, n_fft / 2 + 1] in place of the triangles */
    double ref, least, range;                  /* of decibels: 1, 1e-10, 0 for no limit */
    int64_t n_coefficients;                    /* of a cepstrum; 40, at most n_bands */
} agn_audio_mel_options;

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
 * @errors      AGN_ENULL, AGN_EDTYPE (x or the window is complex), AGN_ESHAPE (0-D, an empty
 *              signal, one shorter than an uncentred frame, the window), AGN_EARG (unknown size, an
 *              option out of range), AGN_ENOMEM
 * @grad        in x and the window; a magnitude: 0 where it is 0
 * @cost        O(frames n_fft log n_fft)
 * @ref         Allen & Rabiner 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectrogram(agn_tensor **out, const agn_tensor *x,
                                                        const agn_audio_spectrogram_options *opts);

/**
 * agn_audio_hz_to_mel - frequencies as mels
 *
 * @param out    out, like x
 * @param x      in, real; integers as f64, f16 and bf16 as f32
 * @param scale  AGN_AUDIO_SLANEY or AGN_AUDIO_HTK
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (scale), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size)
 * @ref          Slaney 1998; Young et al. 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_hz_to_mel(agn_tensor **out, const agn_tensor *x,
                                                      int32_t scale);

/**
 * agn_audio_mel_to_hz - mels as frequencies
 *
 * @param out    out, like x
 * @param x      in, real; integers as f64, f16 and bf16 as f32
 * @param scale  AGN_AUDIO_SLANEY or AGN_AUDIO_HTK
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (scale), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size)
 * @ref          Slaney 1998; Young et al. 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mel_to_hz(agn_tensor **out, const agn_tensor *x,
                                                      int32_t scale);

/**
 * agn_audio_mel_frequencies - frequencies that are equidistant in mel
 *
 * @param out     out, [n_mels], in Hz
 * @param dtype   AGN_F32 or AGN_F64
 * @param n_mels  at least 1
 * @param f_min   the first
 * @param f_max   the last
 * @param scale   AGN_AUDIO_SLANEY or AGN_AUDIO_HTK
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_EARG (scale, a number or a range that is not positive),
 *                AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(n_mels)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mel_frequencies(agn_tensor **out, agn_dtype dtype,
                                                            int64_t n_mels, double f_min,
                                                            double f_max, int32_t scale);

/**
 * agn_audio_fft_frequencies - frequencies of the bins of a spectrogram
 *
 * @param out    out, [n_fft / 2 + 1], in Hz
 * @param dtype  AGN_F32 or AGN_F64
 * @param rate   samples per second
 * @param n_fft  length of a frame
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EARG (a rate or a length that is not positive),
 *               AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n_fft)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_fft_frequencies(agn_tensor **out, agn_dtype dtype,
                                                            double rate, int64_t n_fft);

/**
 * agn_audio_mel_filters - triangular filters at equal steps of mel
 *
 * Filter m rises from the edge m to its peak at m + 1 and falls to m + 2, of n_mels + 2 edges.
 *
 * @param out     out, [n_mels, n_fft / 2 + 1]
 * @param dtype   AGN_F32 or AGN_F64
 * @param rate    samples per second
 * @param n_fft   length of a frame
 * @param n_mels  at least 1
 * @param f_min   the first edge
 * @param f_max   the last edge
 * @param scale   AGN_AUDIO_SLANEY or AGN_AUDIO_HTK
 * @param area    area 1, not height 1
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_EARG (scale, a rate, a number or a range that is not
 *                positive), AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(n_mels n_fft)
 * @ref           Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mel_filters(agn_tensor **out, agn_dtype dtype,
                                                        double rate, int64_t n_fft, int64_t n_mels,
                                                        double f_min, double f_max, int32_t scale,
                                                        bool area);

/**
 * agn_audio_linear_filters - triangular filters at equal steps of frequency
 *
 * @param out        out, [n_filters, n_fft / 2 + 1]
 * @param dtype      AGN_F32 or AGN_F64
 * @param rate       samples per second
 * @param n_fft      length of a frame
 * @param n_filters  at least 1
 * @param f_min      the first edge
 * @param f_max      the last edge
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_EARG (a rate, a number or a range that is not
 *                   positive), AGN_ENOMEM
 * @grad             none: a constant
 * @cost             O(n_filters n_fft)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_linear_filters(agn_tensor **out, agn_dtype dtype,
                                                           double rate, int64_t n_fft,
                                                           int64_t n_filters, double f_min,
                                                           double f_max);

/**
 * agn_audio_power_to_db - powers as decibels
 *
 * 10 log10(max(x, least) / max(ref, least)), not below the maximum over the last two axes less
 * range.
 *
 * @param out    out, like x
 * @param x      in, real; integers as f64, f16 and bf16 as f32
 * @param ref    what is 0 dB, positive
 * @param least  below that all is alike, positive
 * @param range  in dB; 0: no limit
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (ref, least or range out of range),
 *               AGN_ENOMEM
 * @grad         where x is above least
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_power_to_db(agn_tensor **out, const agn_tensor *x,
                                                        double ref, double least, double range);

/**
 * agn_audio_db_to_power - decibels as powers
 *
 * @param out  out, like x
 * @param x    in, real; integers as f64, f16 and bf16 as f32
 * @param ref  what is 0 dB, positive
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (ref), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_db_to_power(agn_tensor **out, const agn_tensor *x,
                                                        double ref);

/**
 * agn_audio_amplitude_to_db - amplitudes as decibels
 *
 * 20 log10(max(x, least) / max(ref, least)), not below the maximum over the last two axes less
 * range.
 *
 * @param out    out, like x
 * @param x      in, real; integers as f64, f16 and bf16 as f32
 * @param ref    what is 0 dB, positive
 * @param least  below that all is alike, positive
 * @param range  in dB; 0: no limit
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (ref, least or range out of range),
 *               AGN_ENOMEM
 * @grad         where x is above least
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_amplitude_to_db(agn_tensor **out, const agn_tensor *x,
                                                            double ref, double least, double range);

/**
 * agn_audio_db_to_amplitude - decibels as amplitudes
 *
 * @param out  out, like x
 * @param x    in, real; integers as f64, f16 and bf16 as f32
 * @param ref  what is 0 dB, positive
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (ref), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_db_to_amplitude(agn_tensor **out, const agn_tensor *x,
                                                            double ref);

/**
 * agn_audio_mu_law_encode - samples as levels of equal loudness
 *
 * mu is levels - 1; samples are from -1 to 1, what is beyond is cut off.
 *
 * @param out     out, like x, i64 in [0, levels)
 * @param x       in, real; integers as f64, f16 and bf16 as f32
 * @param levels  at least 2; 256 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (levels), AGN_ENOMEM
 * @grad          none: whole numbers
 * @cost          O(size)
 * @ref           ITU-T G.711
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mu_law_encode(agn_tensor **out, const agn_tensor *x,
                                                          int32_t levels);

/**
 * agn_audio_mu_law_decode - samples from levels of equal loudness
 *
 * @param out     out, like x; f32 or f64
 * @param x       in, real; integers as f64, f16 and bf16 as f32
 * @param levels  at least 2
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (levels), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(size)
 * @ref           ITU-T G.711
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mu_law_decode(agn_tensor **out, const agn_tensor *x,
                                                          int32_t levels);

/**
 * agn_audio_dct_matrix - cosine transform of bands, as a matrix
 *
 * @param out             out, [n_coefficients, n_bands]
 * @param dtype           AGN_F32 or AGN_F64
 * @param n_coefficients  rows
 * @param n_bands         columns
 * @param ortho           rows of length 1; else 2 cos(pi (j + 1/2) k / n_bands)
 * @errors                AGN_ENULL, AGN_EDTYPE, AGN_EARG (a size that is not positive, 2^31 numbers
 *                        and more), AGN_ENOMEM
 * @grad                  none: a constant
 * @cost                  O(n_coefficients n_bands)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_dct_matrix(agn_tensor **out, agn_dtype dtype,
                                                       int64_t n_coefficients, int64_t n_bands,
                                                       bool ortho);

/**
 * agn_audio_mel_spectrogram - power or magnitude in bands of mel
 *
 * @param out   out, [..., n_bands, frames]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (x or the window is complex), AGN_ESHAPE (as
 *              agn_audio_spectrogram; filters of another shape), AGN_EARG (unknown size, an option
 *              out of range, a rate that is not positive), AGN_ENOMEM
 * @grad        in x, the window and the filters
 * @cost        O(frames (n_fft log n_fft + n_bands n_fft))
 * @ref         Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mel_spectrogram(agn_tensor **out, const agn_tensor *x,
                                                            double rate,
                                                            const agn_audio_mel_options *opts);

/**
 * agn_audio_log_mel_spectrogram - bands of mel in decibels
 *
 * @param out   out, [..., n_bands, frames]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (x or the window is complex), AGN_ESHAPE (as
 *              agn_audio_spectrogram; filters of another shape), AGN_EARG (unknown size, an option
 *              out of range, a rate that is not positive), AGN_ENOMEM
 * @grad        in x, the window and the filters
 * @cost        O(frames (n_fft log n_fft + n_bands n_fft))
 * @ref         Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_log_mel_spectrogram(
    agn_tensor **out, const agn_tensor *x, double rate, const agn_audio_mel_options *opts);

/**
 * agn_audio_mfcc - mel-frequency cepstral coefficients
 *
 * The orthogonal cosine transform of agn_audio_log_mel_spectrogram along its bands.
 *
 * @param out   out, [..., n_coefficients, frames]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (x or the window is complex), AGN_ESHAPE (as
 *              agn_audio_spectrogram; filters of another shape), AGN_EARG (unknown size, an option
 *              out of range, a rate that is not positive), AGN_ENOMEM
 * @grad        in x, the window and the filters
 * @cost        O(frames (n_fft log n_fft + n_bands n_fft))
 * @ref         Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mfcc(agn_tensor **out, const agn_tensor *x, double rate,
                                                 const agn_audio_mel_options *opts);

/**
 * agn_audio_lfcc - cepstral coefficients of bands of equal width
 *
 * As agn_audio_mfcc with agn_audio_linear_filters.
 *
 * @param out   out, [..., n_coefficients, frames]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (x or the window is complex), AGN_ESHAPE (as
 *              agn_audio_spectrogram; filters of another shape), AGN_EARG (unknown size, an option
 *              out of range, a rate that is not positive), AGN_ENOMEM
 * @grad        in x, the window and the filters
 * @cost        O(frames (n_fft log n_fft + n_bands n_fft))
 * @ref         Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_lfcc(agn_tensor **out, const agn_tensor *x, double rate,
                                                 const agn_audio_mel_options *opts);

/**
 * agn_audio_deltas - slope along time
 *
 * Of a line through width frames, fitted by least squares; the first and last frame go on for ever.
 *
 * @param out    out, like x
 * @param x      in, [..., frames], real
 * @param width  odd, at least 3
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no frame), AGN_EARG (width),
 *               AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size width)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_deltas(agn_tensor **out, const agn_tensor *x,
                                                   int32_t width);

/**
 * agn_audio_normalise - mean 0, perhaps variance 1, along time
 *
 * @param out       out, like x
 * @param x         in, [..., frames], real
 * @param variance  divide by the standard deviation, too
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no frame), AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_normalise(agn_tensor **out, const agn_tensor *x,
                                                      bool variance);

/**
 * agn_audio_spectral_centroid - mean frequency of each frame
 *
 * 0 where a frame is silent.
 *
 * @param out   out, [..., frames]
 * @param x     in, [..., bins, frames], real, not negative; bins reach to half the rate
 * @param rate  samples per second
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins), AGN_EARG (rate), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size)
 * @ref         Peeters 2004
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectral_centroid(agn_tensor **out, const agn_tensor *x,
                                                              double rate);

/**
 * agn_audio_spectral_bandwidth - mean distance from the centroid
 *
 * The p-th root of the mean of the p-th powers.
 *
 * @param out   out, [..., frames]
 * @param x     in, [..., bins, frames], real, not negative; bins reach to half the rate
 * @param rate  samples per second
 * @param p     2 is usual
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins), AGN_EARG (rate or p not
 *              positive), AGN_ENOMEM
 * @grad        everywhere but at 0
 * @cost        O(size)
 * @ref         Peeters 2004
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectral_bandwidth(agn_tensor **out,
                                                               const agn_tensor *x, double rate,
                                                               double p);

/**
 * agn_audio_spectral_rolloff - frequency below which a part of the sum lies
 *
 * @param out   out, [..., frames]
 * @param x     in, [..., bins, frames], real, not negative; bins reach to half the rate
 * @param rate  samples per second
 * @param part  between 0 and 1; 0.85 is usual
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins), AGN_EARG (rate, part),
 *              AGN_ENOMEM
 * @grad        0
 * @cost        O(size)
 * @ref         Peeters 2004
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectral_rolloff(agn_tensor **out, const agn_tensor *x,
                                                             double rate, double part);

/**
 * agn_audio_spectral_flatness - geometric over arithmetic mean of each frame
 *
 * 1 of white noise, near 0 of tones.
 *
 * @param out    out, [..., frames]
 * @param x      in, [..., bins, frames], real: powers
 * @param least  what powers are raised to, positive
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins), AGN_EARG (least), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size)
 * @ref          Peeters 2004
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectral_flatness(agn_tensor **out, const agn_tensor *x,
                                                              double least);

/**
 * agn_audio_rms - root of the mean square of frames
 *
 * Frames are centred on 0, hop, 2 hop, ...; silence is beyond the ends.
 *
 * @param out     out, [..., frames]
 * @param x       in, [..., n], real
 * @param length  samples of a frame
 * @param hop     from one frame to the next
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (frames that do
 *                not fit, a hop that is not positive), AGN_ENOMEM
 * @grad          everywhere; 0 at 0
 * @cost          O(frames length)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_rms(agn_tensor **out, const agn_tensor *x,
                                                int64_t length, int64_t hop);

/**
 * agn_audio_zero_crossing_rate - changes of sign per sample
 *
 * Frames are centred on 0, hop, 2 hop, ...; the first and last sample go on beyond the ends.
 *
 * @param out     out, [..., frames]
 * @param x       in, [..., n], real
 * @param length  samples of a frame
 * @param hop     from one frame to the next
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (frames that do
 *                not fit, a hop that is not positive), AGN_ENOMEM
 * @grad          0
 * @cost          O(frames length)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_zero_crossing_rate(agn_tensor **out,
                                                               const agn_tensor *x, int64_t length,
                                                               int64_t hop);

/**
 * agn_audio_preemphasis - high frequencies lifted, or lowered again
 *
 * y_t = x_t - c x_(t-1), or its inverse.
 *
 * @param out          out, like x
 * @param x            in, [..., n], real
 * @param coefficient  0.97 is usual; below 1 for the inverse
 * @param inverse      undo it
 * @errors             AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG
 *                     (coefficient), AGN_ENOMEM
 * @grad               everywhere
 * @cost               O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_preemphasis(agn_tensor **out, const agn_tensor *x,
                                                        double coefficient, bool inverse);

/* ---- phases, time and pitch ------------------------------------------------------------ */

/**
 * agn_audio_griffin_lim - signal from the magnitudes of its short-time transform
 *
 * Transforms back and forth, with the magnitudes put in again each time. Differentiable through all
 * iterations.
 *
 * @param out         out, [..., samples]
 * @param x           in, [..., bins, frames], magnitudes, real
 * @param phase       in, like x, angles to begin with; NULL: 0
 * @param iterations  32 is usual
 * @param momentum    0: the plain method; 0.99 is usual
 * @param length      of the signal; 0: as agn_signal_istft; with other frames than x it is refused
 * @param opts        of agn_signal_stft; NULL for defaults
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (bins, frames, length), AGN_EARG
 *                    (a negative number, an option), AGN_EDOMAIN (windows leave a sample
 *                    uncovered), AGN_ENOMEM
 * @grad              in x, the phase and the window
 * @cost              O(iterations frames n_fft log n_fft)
 * @ref               Griffin & Lim 1984; Perraudin, Balazs & Soendergaard 2013
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_griffin_lim(agn_tensor **out, const agn_tensor *x,
                                                        const agn_tensor *phase, int32_t iterations,
                                                        double momentum, int64_t length,
                                                        const agn_signal_stft_options *opts);

/**
 * agn_audio_phase_vocoder - short-time transform of a signal that runs faster
 *
 * Frame t lies at t rate: magnitudes are interpolated, phases advance by what they do there.
 *
 * @param out   out, [..., bins, ceil(frames / rate)]
 * @param x     in, [..., bins, frames], complex; bins reach to half the rate of sampling
 * @param rate  above 1 is faster
 * @param hop   samples from one frame to the next
 * @errors      AGN_ENULL, AGN_EDTYPE (real), AGN_ESHAPE (no bin, no frame), AGN_EARG (rate or hop),
 *              AGN_ENOMEM
 * @grad        everywhere but at jumps of phases
 * @cost        O(size / rate)
 * @ref         Flanagan & Golden 1966
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_phase_vocoder(agn_tensor **out, const agn_tensor *x,
                                                          double rate, int64_t hop);

/**
 * agn_audio_time_stretch - faster or slower, at the same pitch
 *
 * @param out   out, [..., round(n / rate)]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  above 1 is faster
 * @param opts  of agn_signal_stft; NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (rate, an option,
 *              an odd n_fft, two_sided), AGN_EDOMAIN (windows leave a sample uncovered), AGN_ENOMEM
 * @grad        everywhere but at jumps of phases
 * @cost        O(frames n_fft log n_fft)
 * @ref         Flanagan & Golden 1966
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_time_stretch(agn_tensor **out, const agn_tensor *x,
                                                         double rate,
                                                         const agn_signal_stft_options *opts);

/**
 * agn_audio_pitch_shift - higher or lower, in the same time
 *
 * Stretched, then resampled by agn_signal_resample.
 *
 * @param out        out, [..., n]
 * @param x          in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param semitones  up; down where negative
 * @param opts       of agn_signal_stft; NULL for defaults
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (more than
 *                   120 semitones, an option, an odd n_fft, two_sided), AGN_EDOMAIN (windows leave
 *                   a sample uncovered), AGN_ENOMEM
 * @grad             everywhere but at jumps of phases
 * @cost             O(frames n_fft log n_fft)
 * @ref              Flanagan & Golden 1966
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_pitch_shift(agn_tensor **out, const agn_tensor *x,
                                                        double semitones,
                                                        const agn_signal_stft_options *opts);

/**
 * agn_audio_yin - fundamental frequency of frames
 *
 * The first lag whose normalised difference is a local minimum below level, else the lag of the
 * least; refined by a parabola. Frames are centred on 0, hop, 2 hop, ...; silence is beyond the
 * ends.
 *
 * @param out      out, [..., frames], in Hz
 * @param x        in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate     samples per second
 * @param lowest   frequency
 * @param highest  frequency, at most half the rate
 * @param length   samples of a frame, several periods; 2048 is usual
 * @param hop      from one frame to the next
 * @param level    0.1 is usual
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample), AGN_EARG (frames that do
 *                 not fit, frequencies, level), AGN_ENOMEM
 * @grad           of the refinement, at the lag that was chosen
 * @cost           O(frames length log length)
 * @ref            de Cheveigne & Kawahara 2002
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_yin(agn_tensor **out, const agn_tensor *x, double rate,
                                                double lowest, double highest, int64_t length,
                                                int64_t hop, double level);

/**
 * agn_audio_onset_strength - how much a spectrum rises
 *
 * The mean over bands of what rose since lag frames; 0 for the first ones.
 *
 * @param out  out, [..., frames]
 * @param x    in, [..., bands, frames], real: usually decibels of mel bands
 * @param lag  frames, 1 is usual
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bands), AGN_EARG (lag), AGN_ENOMEM
 * @grad       everywhere but where a band stays the same
 * @cost       O(size)
 * @ref        Boeck & Widmer 2013
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_onset_strength(agn_tensor **out, const agn_tensor *x,
                                                           int64_t lag);

/**
 * agn_audio_chroma_filters - weights of bins in pitch classes
 *
 * Columns of norm 1, times a Gaussian about the fifth octave; the first class is C.
 *
 * @param out      out, [classes, n_fft / 2 + 1]
 * @param dtype    AGN_F32 or AGN_F64
 * @param rate     samples per second
 * @param n_fft    length of a frame
 * @param classes  12 is usual
 * @param a4       frequency of A, 440 is usual
 * @errors         AGN_ENULL, AGN_EDTYPE, AGN_EARG (a number out of range), AGN_ENOMEM
 * @grad           none: a constant
 * @cost           O(classes n_fft)
 * @ref            Ellis 2007
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_chroma_filters(agn_tensor **out, agn_dtype dtype,
                                                           double rate, int64_t n_fft,
                                                           int64_t classes, double a4);

/**
 * agn_audio_dtw - cheapest path through a table of costs
 *
 * From its first entry to its last, by steps along either axis or both; dynamic time warping.
 *
 * @param total  out, [n, m], f64: the cost of the cheapest path to each entry
 * @param path   out, [steps, 2], i64: its entries in order
 * @param cost   in, [n, m], real
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not two axes, or empty), AGN_EDOMAIN
 *               (NaN), AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad         none: gather the costs of the path
 * @cost         O(n m)
 * @ref          Sakoe & Chiba 1978
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_dtw(agn_tensor **total, agn_tensor **path,
                                                const agn_tensor *cost);

/**
 * agn_audio_spectral_contrast - peaks over valleys of octaves
 *
 * In decibels: the mean of the largest over that of the least bins of each octave, of what lies
 * below the first, and, last, of all above.
 *
 * @param out     out, [..., bands + 1, frames]
 * @param x       in, [..., bins, frames], real: magnitudes; bins reach to half the rate
 * @param rate    samples per second
 * @param lowest  frequency of the first octave, 200 is usual
 * @param bands   octaves, 6 is usual
 * @param part    of the bins of an octave that count as largest and as least, 0.02 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins; an octave without one),
 *                AGN_EARG (a number out of range, octaves beyond half the rate), AGN_ENOMEM
 * @grad          where no two bins are equal
 * @cost          O(size log bins)
 * @ref           Jiang et al. 2002
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_spectral_contrast(agn_tensor **out, const agn_tensor *x,
                                                              double rate, double lowest,
                                                              int32_t bands, double part);

/**
 * agn_audio_mask_stripes - spectrum with stripes taken out
 *
 * At random places, of random lengths from 0 to longest, to train on the rest.
 *
 * @param out      out, like x
 * @param x        in, real; integers as f64, f16 and bf16 as f32
 * @param key      in, i64 [2]
 * @param axis     -1: times, -2: bands
 * @param stripes  how many
 * @param longest  at most the size of the axis
 * @param value    what stands there
 * @errors         AGN_ENULL, AGN_EDTYPE (complex; key), AGN_EINDEX (axis), AGN_ESHAPE (key),
 *                 AGN_EARG (a negative number, longest), AGN_ENOMEM
 * @grad           in x, 0 within stripes
 * @cost           O(size)
 * @ref            Park et al. 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mask_stripes(agn_tensor **out, const agn_tensor *x,
                                                         const agn_tensor *key, int32_t axis,
                                                         int32_t stripes, int64_t longest,
                                                         double value);

/* ---- filters and levels ---------------------------------------------------------------- */

/** Second-order sections; those from AGN_BIQUAD_PEAK on have a gain. */
enum {
    AGN_BIQUAD_LOW_PASS,
    AGN_BIQUAD_HIGH_PASS,
    AGN_BIQUAD_BAND_PASS, /* 0 dB at its peak */
    AGN_BIQUAD_NOTCH,
    AGN_BIQUAD_ALL_PASS,
    AGN_BIQUAD_PEAK,
    AGN_BIQUAD_LOW_SHELF,
    AGN_BIQUAD_HIGH_SHELF
};

/**
 * agn_audio_biquad - second-order section by frequency, quality and gain
 *
 * Coefficients are functions of tensors: an equaliser that learns is this, agn_signal_sosfilt and a
 * loss.
 *
 * @param out        out, [..., 6], for agn_signal_sosfilt with an axis of sections before the last
 * @param kind       AGN_BIQUAD_LOW_PASS, ...
 * @param frequency  in, any shape, real, in Hz
 * @param q          in, real, the quality; broadcasts
 * @param gain       in, real, in dB; broadcasts; NULL for kinds without one
 * @param rate       samples per second
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (an unknown kind, rate), AGN_ESHAPE
 *                   (shapes do not broadcast), AGN_ENOMEM
 * @grad             in frequency, q and gain
 * @cost             O(size)
 * @ref              Bristow-Johnson 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_biquad(agn_tensor **out, int32_t kind,
                                                   const agn_tensor *frequency, const agn_tensor *q,
                                                   const agn_tensor *gain, double rate);

/**
 * agn_audio_lpc - linear prediction by Burg's method
 *
 * a_0 = 1 and a_1 to a_order, whose filter 1 / a is stable: x_t + sum a_k x_(t-k) is small,
 * forwards and backwards.
 *
 * @param out    out, [..., order + 1]
 * @param x      in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param order  1 to n - 1
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (too few samples), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n order)
 * @ref          Burg 1968; Makhoul 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_lpc(agn_tensor **out, const agn_tensor *x,
                                                int32_t order);

/**
 * agn_audio_loudness - loudness of a programme in LKFS
 *
 * Weighted like hearing, blocks of 0.4 s above -70 LKFS and within 10 dB of their mean; minus
 * infinity of silence.
 *
 * @param out   out, [...]
 * @param x     in, [..., channels, n], real: left, right, centre, left and right surround
 * @param rate  samples per second, at least 4000
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not 1 to 5 channels, less than 0.4 s),
 *              AGN_EARG (rate), AGN_ENOMEM
 * @grad        everywhere, with the blocks that count as they are
 * @cost        O(size)
 * @ref         ITU-R BS.1770-4
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_loudness(agn_tensor **out, const agn_tensor *x,
                                                     double rate);

/** Options of agn_audio_pcen; NULL there is 0.98, 2, 0.5, 0.4 s and 1e-6. */
typedef struct agn_audio_pcen_options {
    size_t size;          /* sizeof(agn_audio_pcen_options) */
    double gain;          /* how far levels are made alike, not negative */
    double bias;          /* positive */
    double power;         /* of the compression, positive */
    double time_constant; /* of the mean level, in seconds */
    double least;         /* level, positive */
} agn_audio_pcen_options;

/**
 * agn_audio_pcen - bands over their mean level, compressed
 *
 * (x / (least + m)^gain + bias)^power - bias^power, m the recursive mean of x along time.
 *
 * @param out                out, like x
 * @param x                  in, [..., bands, frames], real, not negative
 * @param frames_per_second  rate over hop
 * @param opts               NULL for defaults
 * @errors                   AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bands, no frame),
 *                           AGN_EARG (unknown size, a number out of range), AGN_ENOMEM
 * @grad                     everywhere
 * @cost                     O(size)
 * @ref                      Wang et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_pcen(agn_tensor **out, const agn_tensor *x,
                                                 double frames_per_second,
                                                 const agn_audio_pcen_options *opts);

/**
 * agn_audio_separate_harmonics - tones and strokes apart
 *
 * Medians along frames keep tones, along bins strokes; each takes its part h^p / (h^p + s^p) of x.
 * The two add up to x.
 *
 * @param harmonic    out, like x
 * @param percussive  out, like x
 * @param x           in, [..., bins, frames], real, not negative
 * @param frames      of a median, odd; 31 is usual
 * @param bins        of a median, odd; 31 is usual
 * @param power       of the masks; 2 is usual
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins, no frame, rank 32),
 *                    AGN_EARG (a number out of range), AGN_ENOMEM
 * @grad              where no two numbers of a median are equal
 * @cost              O(size (frames + bins))
 * @ref               Fitzgerald 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_separate_harmonics(agn_tensor **harmonic,
                                                               agn_tensor **percussive,
                                                               const agn_tensor *x, int64_t frames,
                                                               int64_t bins, double power);

/* ---- music and speech ------------------------------------------------------------------ */

/** Options of agn_audio_constant_q; zero members are defaults. */
typedef struct agn_audio_constant_q_options {
    size_t size;             /* sizeof(agn_audio_constant_q_options) */
    int64_t hop;             /* samples from one frame to the next; 512 */
    double f_min;            /* of the first bin, in Hz; 32.7, which is C1 */
    int32_t n_bins;          /* 84 */
    int32_t bins_per_octave; /* 12 */
    double
        gamma; /* Hz that all bandwidths are wider; negative: as hearing has them; 0: constant Q */
    double filter_scale; /* lengths of filters, below 1 for better time; 1 */
    bool unscaled;       /* filters of sum 1 times their length, not its root */
} agn_audio_constant_q_options;

/**
 * agn_audio_constant_q - transform at frequencies of a geometric sequence
 *
 * Bin k at f_min 2^(k / bins_per_octave): the signal times a Hann window, a number of periods long,
 * about each frame.
 * Frames are centred on 0, hop, 2 hop, ...; silence is beyond the ends. With gamma, the variable-Q
 * transform. No bin is
 * approximated at a lower rate or with a truncated spectrum.
 *
 * @param out   out, [..., n_bins, 1 + n / hop], complex
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample, rank 32), AGN_EARG (unknown
 *              size, an option or
 *              the rate out of range, a bin above half the rate), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(frames bins_per_octave length), length of the longest filter
 * @ref         Brown 1991; Schoerkhuber & Klapuri 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_constant_q(agn_tensor **out, const agn_tensor *x,
                                                       double rate,
                                                       const agn_audio_constant_q_options *opts);

/**
 * agn_audio_chroma - energy of pitch classes, the largest of each frame 1
 *
 * agn_audio_chroma_filters times a power spectrogram.
 *
 * @param out      out, [..., classes, frames]
 * @param x        in, [..., bins, frames], real: powers; bins reach to half the rate, of an even
 *                 n_fft
 * @param rate     samples per second
 * @param classes  12 is usual
 * @param a4       frequency of A, 440 is usual
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than two bins), AGN_EARG (a
 *                 number out of range),
 *                 AGN_ENOMEM
 * @grad           where one class is the largest
 * @cost           O(classes size)
 * @ref            Ellis 2007
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_chroma(agn_tensor **out, const agn_tensor *x,
                                                   double rate, int64_t classes, double a4);

/**
 * agn_audio_tonnetz - place of chords in the space of fifths and thirds
 *
 * Sine and cosine of the circles of fifths, minor and major thirds, the mean over classes.
 *
 * @param out  out, [..., 6, frames]
 * @param x    in, [..., classes, frames], real: agn_audio_chroma
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no class, more than 4096), AGN_ENOMEM
 * @grad       everywhere but at 0
 * @cost       O(size)
 * @ref        Harte, Sandler & Gasser 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_tonnetz(agn_tensor **out, const agn_tensor *x);

/**
 * agn_audio_hz_to_midi - frequencies as numbers of semitones, 69 of 440 Hz
 *
 * @param out  out, like x
 * @param x    in, real; integers as f64, f16 and bf16 as f32
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_hz_to_midi(agn_tensor **out, const agn_tensor *x);

/**
 * agn_audio_midi_to_hz - semitones as frequencies
 *
 * @param out  out, like x
 * @param x    in, real; integers as f64, f16 and bf16 as f32
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_midi_to_hz(agn_tensor **out, const agn_tensor *x);

/** Curves of hearing: of low, middle and high levels, of aircraft. */
enum {
    AGN_AUDIO_WEIGHTING_A,
    AGN_AUDIO_WEIGHTING_B,
    AGN_AUDIO_WEIGHTING_C,
    AGN_AUDIO_WEIGHTING_D
};

/**
 * agn_audio_weighting - how loud a frequency is heard, in dB
 *
 * About 0 at 1 kHz; minus infinity at 0.
 *
 * @param out    out, like x
 * @param x      in, real: frequencies in Hz; integers as f64, f16 and bf16 as f32
 * @param curve  AGN_AUDIO_WEIGHTING_A, ...
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (curve), AGN_ENOMEM
 * @grad         everywhere but at 0
 * @cost         O(size)
 * @ref          IEC 61672-1:2013; IEC 60537:1976
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_weighting(agn_tensor **out, const agn_tensor *x,
                                                      int32_t curve);

/**
 * agn_audio_viterbi - likeliest sequence of states
 *
 * Of a hidden Markov model, by dynamic programming; of equally likely ones that with the lower
 * states at its end.
 *
 * @param path        out, [..., frames], i64
 * @param score       out, [...], f64: the logarithm of its probability, with the observations
 * @param emission    in, [..., states, frames], real: logarithms of the
 *                    probabilities of what was
 *                    observed
 * @param transition  in, [states, states], real: those of steps from the state of the row to that
 *                    of the column
 * @param initial     in, [states], real: those of the first state; NULL: all alike
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no state, no frame, other
 *                    states), AGN_EDOMAIN (NaN or
 *                    infinity, no sequence is possible), AGN_ESYMBOLIC (while tracing),
 *                    AGN_EDEVICE, AGN_ENOMEM
 * @grad              none: gather along the path
 * @cost              O(frames states^2)
 * @ref               Viterbi 1967; Forney 1973
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_viterbi(agn_tensor **path, agn_tensor **score,
                                                    const agn_tensor *emission,
                                                    const agn_tensor *transition,
                                                    const agn_tensor *initial);

/**
 * agn_audio_pyin - fundamental frequency along the likeliest path of candidates
 *
 * Minima of agn_audio_yin below thresholds of the law beta(2, 18), a tenth of a semitone apart, and
 * a chain that moves by
 * 36 octaves a second at most and changes between voiced and not with probability 0.01. NaN where
 * no voice is. Frames
 * are centred on 0, hop, 2 hop, ...
 *
 * @param out          out, [..., frames], in Hz
 * @param probability  out, [..., frames]: of a voice
 * @param x            in, [..., n], real; integers as f64, f16 and bf16 as
 *                     f32
 * @param rate         samples per second
 * @param lowest       frequency
 * @param highest      frequency, at most half the rate
 * @param length       samples of a frame, several periods; 2048 is usual
 * @param hop          from one frame to the next
 * @errors             AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no sample, rank 32), AGN_EARG
 *                     (frames that do not
 *                     fit, frequencies), AGN_EDOMAIN (NaN), AGN_ESYMBOLIC (while tracing),
 *                     AGN_EDEVICE, AGN_ENOMEM
 * @grad               none: agn_audio_yin has one
 * @cost               O(frames (length log length + bins reach)), 120 bins an octave
 * @ref                Mauch & Dixon 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_pyin(agn_tensor **out, agn_tensor **probability,
                                                 const agn_tensor *x, double rate, double lowest,
                                                 double highest, int64_t length, int64_t hop);

/**
 * agn_audio_tempogram - what repeats in onsets, and after how many frames
 *
 * Autocorrelation of a Hann window of onsets about each frame, over its largest.
 *
 * @param out     out, [..., window, frames]: lags 0 to window - 1
 * @param x       in, [..., frames], real: agn_audio_onset_strength
 * @param window  frames, 384 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no frame, rank 32), AGN_EARG
 *                (window), AGN_ENOMEM
 * @grad          everywhere but where all is 0
 * @cost          O(size window log window)
 * @ref           Grosche, Mueller & Kurth 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_tempogram(agn_tensor **out, const agn_tensor *x,
                                                      int64_t window);

/**
 * agn_audio_tempo - beats a minute
 *
 * The lag of the largest mean autocorrelation of 8 s of onsets, weighted by a log-normal law about
 * the usual tempo; below
 * 320 a minute.
 *
 * @param out                out, [...], f64
 * @param x                  in, [..., frames], real: agn_audio_onset_strength
 * @param frames_per_second  rate over hop
 * @param usual              beats a minute, 120
 * @errors                   AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no frame, rank 32),
 *                           AGN_EARG (a number out of
 *                           range), AGN_ENOMEM
 * @grad                     0
 * @cost                     O(size window log window)
 * @ref                      Ellis 2007
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_tempo(agn_tensor **out, const agn_tensor *x,
                                                  double frames_per_second, double usual);

/**
 * agn_audio_beats - frames of beats
 *
 * Those with the largest sum of onsets less tightness times the squared logarithms of how far their
 * distances are from
 * the tempo's.
 *
 * @param out                out, [beats], i64, in order
 * @param x                  in, [frames], real: agn_audio_onset_strength
 * @param frames_per_second  rate over hop
 * @param tempo              beats a minute; 0: agn_audio_tempo
 * @param tightness          positive, 100 is usual
 * @param trim               leave weak beats at the ends out, not only those in silence
 * @errors                   AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not one axis, no frame),
 *                           AGN_EARG (a number out
 *                           of range, a beat shorter than a frame), AGN_EDOMAIN (NaN, infinity),
 *                           AGN_ESYMBOLIC (while
 *                           tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad                     none: whole numbers
 * @cost                     O(frames period)
 * @ref                      Ellis 2007
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_beats(agn_tensor **out, const agn_tensor *x,
                                                  double frames_per_second, double tempo,
                                                  double tightness, bool trim);

/**
 * agn_audio_onsets - frames where something begins
 *
 * The largest of the last 30 ms, above the mean of 100 ms to both sides by the threshold, in parts
 * of the range, and
 * 30 ms behind the one before.
 *
 * @param out                out, [onsets], i64, in order
 * @param x                  in, [frames], real: agn_audio_onset_strength
 * @param frames_per_second  rate over hop
 * @param threshold          not negative, 0.07 is usual
 * @errors                   AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not one axis, no frame),
 *                           AGN_EARG (a number out
 *                           of range), AGN_EDOMAIN (NaN, infinity), AGN_ESYMBOLIC (while tracing),
 *                           AGN_EDEVICE,
 *                           AGN_ENOMEM
 * @grad                     none: whole numbers
 * @cost                     O(frames frames_per_second)
 * @ref                      Boeck, Krebs & Schedl 2012
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_onsets(agn_tensor **out, const agn_tensor *x,
                                                   double frames_per_second, double threshold);

/** Options of agn_audio_voice_activity; zero members are defaults. */
typedef struct agn_audio_activity_options {
    size_t size;      /* sizeof(agn_audio_activity_options) */
    double quiet;     /* the part of frames, the quietest, that are noise alone; 0.1 */
    double smoothing; /* weight of the frame before in ratios of signal and noise; 0.98 */
    double begins;    /* probability that a voice begins at a frame; 0.2 */
    double ends;      /* that it ends; 0.1 */
} agn_audio_activity_options;

/**
 * agn_audio_voice_activity - logarithm of the odds that a voice is there
 *
 * Spectra with and without one are normal in each bin, the noise known from the quietest frames,
 * the voice by ratios
 * directed by the decision before; a chain of two states holds over. Positive where a voice is
 * likelier than none.
 *
 * @param out   out, [..., frames]
 * @param x     in, [..., bins, frames], real, not negative: powers
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no bins, no frame), AGN_EARG (unknown
 *              size, an option out of
 *              range), AGN_EDOMAIN (negative, NaN, infinity), AGN_ESYMBOLIC (while tracing),
 *              AGN_EDEVICE, AGN_ENOMEM
 * @grad        none
 * @cost        O(size)
 * @ref         Sohn, Kim & Sung 1999
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_voice_activity(agn_tensor **out, const agn_tensor *x,
                                                           const agn_audio_activity_options *opts);

/**
 * agn_audio_split - stretches that are not silent
 *
 * Of frames whose level is within range of the loudest.
 *
 * @param out     out, [stretches, 2], i64: first sample, and the one behind the last
 * @param x       in, [n], real
 * @param length  samples of a frame
 * @param hop     from one frame to the next
 * @param range   in dB, 60 is usual
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not one axis, no sample), AGN_EARG
 *                (frames that do not
 *                fit, a range that is not positive), AGN_EDOMAIN (NaN), AGN_ESYMBOLIC (while
 *                tracing), AGN_EDEVICE,
 *                AGN_ENOMEM
 * @grad          none: whole numbers
 * @cost          O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_split(agn_tensor **out, const agn_tensor *x,
                                                  int64_t length, int64_t hop, double range);

/* ---- files ------------------------------------------------------------------------- */

/** Containers. */
enum {
    AGN_SOUND_WAV,
    AGN_SOUND_FLAC,
    AGN_SOUND_OGG,
    AGN_SOUND_AIFF,
    AGN_SOUND_CAF,
    AGN_SOUND_AU,
    AGN_SOUND_W64,
    AGN_SOUND_RF64,
    AGN_SOUND_NIST,
    AGN_SOUND_MP3,
    AGN_SOUND_WAVEX, /* WAVE_FORMAT_EXTENSIBLE */
    AGN_SOUND_RAW,   /* samples alone; to load them, raw_channels and what follows it are said */
    AGN_SOUND_PAF,
    AGN_SOUND_SVX,
    AGN_SOUND_VOC,
    AGN_SOUND_IRCAM,
    AGN_SOUND_MAT4,
    AGN_SOUND_MAT5,
    AGN_SOUND_PVF,
    AGN_SOUND_XI,
    AGN_SOUND_HTK,
    AGN_SOUND_SDS,
    AGN_SOUND_AVR,
    AGN_SOUND_WVE,
    AGN_SOUND_MPC2K,
    AGN_SOUND_OTHER /* only in files that are read */
};

/** How samples are written. */
enum {
    AGN_SOUND_PCM16,
    AGN_SOUND_PCM8, /* with the sign that the container asks for */
    AGN_SOUND_PCM24,
    AGN_SOUND_PCM32,
    AGN_SOUND_F32,
    AGN_SOUND_F64,
    AGN_SOUND_MU_LAW,
    AGN_SOUND_A_LAW,
    AGN_SOUND_VORBIS,
    AGN_SOUND_OPUS,
    AGN_SOUND_MPEG3,
    AGN_SOUND_MPEG2,  /* layers I and II are read, not written */
    AGN_SOUND_MPEG1,
    AGN_SOUND_ALAC16, /* lossless; libsndfile packs it by way of a temporary file of the system */
    AGN_SOUND_ALAC20,
    AGN_SOUND_ALAC24,
    AGN_SOUND_ALAC32, /* read, not written */
    AGN_SOUND_DWVW12, /* lossless */
    AGN_SOUND_DWVW16,
    AGN_SOUND_DWVW24,
    AGN_SOUND_DPCM8, /* lossless */
    AGN_SOUND_DPCM16,
    AGN_SOUND_IMA_ADPCM,
    AGN_SOUND_MS_ADPCM,
    AGN_SOUND_VOX_ADPCM,
    AGN_SOUND_NMS_ADPCM16,
    AGN_SOUND_NMS_ADPCM24,
    AGN_SOUND_NMS_ADPCM32,
    AGN_SOUND_G721_32,
    AGN_SOUND_G723_24,
    AGN_SOUND_G723_40,
    AGN_SOUND_GSM610,
    AGN_SOUND_UNKNOWN /* only in files that are read */
};

/** Which end of a number comes first. */
enum {
    AGN_SOUND_USUAL, /* for the container */
    AGN_SOUND_LITTLE,
    AGN_SOUND_BIG /* with WAV: RIFX */
};

/** What a file says of itself. */
typedef struct agn_sound_facts {
    size_t size; /* sizeof(agn_sound_facts) */
    int64_t frames;
    int32_t rate, channels;
    int32_t container, encoding;
    int32_t bits; /* of a sample; 0 where it is compressed with loss */
} agn_sound_facts;

/** What to read; zero members are defaults. */
typedef struct agn_sound_load_options {
    size_t size;         /* sizeof(agn_sound_load_options) */
    int64_t offset;      /* the first frame */
    int64_t frames;      /* how many at most; 0: to the end */
    agn_dtype dtype;     /* AGN_F32, AGN_F64 in [-1, 1]; AGN_I16, AGN_I32 with the top bits; 0: f32 */
    bool frames_first;   /* [frames, channels] */
    int32_t raw_channels; /* not 0: the file has no header, and is what these say */
    int32_t raw_rate, raw_encoding, raw_order;
} agn_sound_load_options;

/** How to write; zero members are defaults. */
typedef struct agn_sound_save_options {
    size_t size;       /* sizeof(agn_sound_save_options) */
    int32_t container; /* AGN_SOUND_WAV, ... */
    int32_t encoding;  /* AGN_SOUND_PCM16, ... */
    double quality;    /* of lossy encodings, from 0 to 1; 0: 0.5 */
    bool frames_first; /* x is [frames, channels] */
    int32_t order;     /* AGN_SOUND_USUAL, ...; refused where the container has one alone */
} agn_sound_save_options;

/**
 * agn_sound_info - what a sound file says of itself
 *
 * @param out   out, the facts; out->size is set before
 * @param path  the file
 * @errors      AGN_ENULL, AGN_EARG (unknown size), AGN_EIO (the file cannot be read), AGN_EFORMAT
 *              (no sound, or damaged), AGN_EUNSUPPORTED (a build without libsndfile), AGN_ENOMEM
 * @grad        none
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_info(agn_sound_facts *out, const char *path);

/**
 * agn_sound_load - sound from a file
 *
 * All that libsndfile reads. Of a file that was cut off, what is there.
 *
 * @param out   out, [channels, frames]; f32, f64, i16 or i32
 * @param rate  out, samples per second; NULL to skip
 * @param path  the file
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (unknown size, a negative number, an offset beyond the end),
 *              AGN_EDTYPE, AGN_EIO (the file cannot be read), AGN_EFORMAT (no sound, or damaged),
 *              AGN_EUNSUPPORTED (a build without libsndfile), AGN_ENOMEM
 * @grad        none
 * @cost        O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_load(agn_tensor **out, int32_t *rate, const char *path,
                                                 const agn_sound_load_options *opts);

/**
 * agn_sound_decode - sound from the bytes of a file
 *
 * As agn_sound_load.
 *
 * @param out    out, [channels, frames]; f32, f64, i16 or i32
 * @param rate   out, samples per second; NULL to skip
 * @param bytes  the file
 * @param n      how many
 * @param opts   NULL for defaults
 * @errors       AGN_ENULL, AGN_EARG (unknown size, a negative number, an offset beyond the end),
 *               AGN_EDTYPE, AGN_EFORMAT (no sound, or damaged), AGN_EUNSUPPORTED (a build without
 *               libsndfile), AGN_ENOMEM
 * @grad         none
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_decode(agn_tensor **out, int32_t *rate,
                                                   const void *bytes, size_t n,
                                                   const agn_sound_load_options *opts);

/**
 * agn_sound_save - sound to a file
 *
 * Whole numbers come back as they were if the encoding has room for them. Floats are rounded to the
 * nearest
 * level and cut off at -1 and 1. A save that fails leaves what was there.
 *
 * @param path  the file
 * @param x     in, [channels, frames] or [frames]; f32, f64, i16, i32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (unknown size, an option or a rate out of range, a container
 *              that does not take the encoding, the rate or the channels), AGN_EDTYPE (other than
 *              f32, f64, i16, i32), AGN_ESHAPE (more than two axes, no channel), AGN_EDOMAIN (NaN
 *              as whole numbers), AGN_EIO, AGN_EUNSUPPORTED (a build without libsndfile),
 *              AGN_ENOMEM
 * @grad        none
 * @cost        O(size), and the file in memory
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_save(const char *path, const agn_tensor *x,
                                                 int32_t rate, const agn_sound_save_options *opts);

/**
 * agn_sound_encode - bytes of a sound file
 *
 * As agn_sound_save.
 *
 * @param out   out, [bytes], u8
 * @param x     in, [channels, frames] or [frames]; f32, f64, i16, i32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (unknown size, an option or a rate out of range, a container
 *              that does not take the encoding, the rate or the channels), AGN_EDTYPE (other than
 *              f32, f64, i16, i32), AGN_ESHAPE (more than two axes, no channel), AGN_EDOMAIN (NaN
 *              as whole numbers), AGN_EUNSUPPORTED (a build without libsndfile), AGN_ENOMEM
 * @grad        none
 * @cost        O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_encode(agn_tensor **out, const agn_tensor *x,
                                                   int32_t rate,
                                                   const agn_sound_save_options *opts);

/** A sound file that is written by blocks; of one thread at a time. */
typedef struct agn_sound_writer agn_sound_writer;

/**
 * agn_sound_create - sound file to be written by blocks
 *
 * What is written goes to a file beside path, and stands there after agn_sound_commit. Until then,
 * and where it is not reached, what was at path stays.
 *
 * @param out       out, to be released by agn_sound_writer_release
 * @param path      the file, or where none is yet
 * @param channels  of all blocks
 * @param rate      samples per second
 * @param opts      as for agn_sound_save; NULL for defaults
 * @errors          AGN_ENULL, AGN_EARG (unknown size, an option, the channels or a rate out of
 *                  range, a container that does not take the encoding, the rate or the channels),
 *                  AGN_EIO (no file can be made there), AGN_EUNSUPPORTED (a build without
 *                  libsndfile), AGN_ENOMEM
 * @grad            none
 * @cost            O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_create(agn_sound_writer **out, const char *path,
                                                   int32_t channels, int32_t rate,
                                                   const agn_sound_save_options *opts);

/**
 * agn_sound_write - the next block of a sound
 *
 * A block that is refused for what it is leaves the file as it was; after AGN_EIO or AGN_ENOMEM, of
 * which a part may be written, the writer takes no more.
 *
 * @param writer  in and out
 * @param x       in, [channels, frames], or [frames] for one channel; f32, f64, i16, i32; any
 *                number of frames
 * @errors        AGN_ENULL, AGN_EARG (the writer has failed, or was committed), AGN_EDTYPE (other
 *                than f32, f64, i16, i32), AGN_ESHAPE (other channels), AGN_EDOMAIN (NaN as whole
 *                numbers), AGN_EIO, AGN_EFORMAT (libsndfile takes no more), AGN_EUNSUPPORTED (a
 *                build without libsndfile), AGN_ENOMEM
 * @grad          none
 * @cost          O(size), and one block in memory
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_write(agn_sound_writer *writer, const agn_tensor *x);

/**
 * agn_sound_commit - the file takes its place
 *
 * Its header is completed, it is made durable and renamed. Whether that succeeds or not, the writer
 * can only be released then.
 *
 * @param writer  in and out
 * @errors        AGN_ENULL, AGN_EARG (the writer has failed, or was committed), AGN_EIO,
 *                AGN_EUNSUPPORTED (a build without libsndfile)
 * @grad          none
 * @cost          O(1) and that of making the file durable
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_commit(agn_sound_writer *writer);

/**
 * agn_sound_writer_release - end of writing
 *
 * @param writer  NULL does nothing; what was not committed is dropped
 * @errors        none
 * @cost          O(1)
 */
AGN_API void agn_sound_writer_release(agn_sound_writer *writer);

/** A sound file that is read by blocks; of one thread at a time. */
typedef struct agn_sound agn_sound;

/**
 * agn_sound_open - sound file to be read by blocks
 *
 * @param out    out, to be closed by agn_sound_close
 * @param facts  out, what the file says of itself; facts->size is set before; NULL to skip
 * @param path   the file
 * @param opts   what of it, and how, as for agn_sound_load; NULL for defaults
 * @errors       AGN_ENULL, AGN_EARG (unknown size, a negative number, an offset beyond the end),
 *               AGN_EDTYPE, AGN_EIO (the
 *               file cannot be read), AGN_EFORMAT (no sound, or damaged), AGN_EUNSUPPORTED (a build
 *               without libsndfile),
 *               AGN_ENOMEM
 * @grad         none
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_open(agn_sound **out, agn_sound_facts *facts,
                                                 const char *path,
                                                 const agn_sound_load_options *opts);

/**
 * agn_sound_open_bytes - bytes of a sound file, to be read by blocks
 *
 * As agn_sound_open.
 *
 * @param out    out, to be closed by agn_sound_close
 * @param facts  out, what they say of themselves; facts->size is set before; NULL to skip
 * @param bytes  the file; they stay, unchanged, until agn_sound_close
 * @param n      how many
 * @param opts   what of it, and how, as for agn_sound_load; NULL for defaults
 * @errors       AGN_ENULL, AGN_EARG (unknown size, a negative number, an offset beyond the end),
 *               AGN_EDTYPE, AGN_EFORMAT (no sound, or damaged), AGN_EUNSUPPORTED (a build without
 *               libsndfile), AGN_ENOMEM
 * @grad         none
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_open_bytes(agn_sound **out, agn_sound_facts *facts,
                                                       const void *bytes, size_t n,
                                                       const agn_sound_load_options *opts);

/**
 * agn_sound_read - the next block of a sound
 *
 * A block that fails can be asked for again.
 *
 * @param out     out, [channels, frames]; fewer frames where the sound ends, 0 behind it
 * @param sound   in and out
 * @param frames  how many at most; 0: all that are left
 * @errors        AGN_ENULL, AGN_EARG (a negative number), AGN_EIO (the file cannot be read),
 *                AGN_EUNSUPPORTED (a build
 *                without libsndfile), AGN_ENOMEM
 * @grad          none
 * @cost          O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_read(agn_tensor **out, agn_sound *sound,
                                                 int64_t frames);

/**
 * agn_sound_seek - where the next block begins
 *
 * @param sound  in and out
 * @param frame  of the file, at most where it ends
 * @errors       AGN_ENULL, AGN_EARG (no such frame), AGN_EFORMAT (the encoding has no way there),
 *               AGN_EUNSUPPORTED (a
 *               build without libsndfile)
 * @grad         none
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_seek(agn_sound *sound, int64_t frame);

/**
 * agn_sound_close - end of reading
 *
 * @param sound  NULL does nothing
 * @errors       none
 * @cost         O(1)
 */
AGN_API void agn_sound_close(agn_sound *sound);

/** Labelled sounds of a folder. */
typedef struct agn_sound_set agn_sound_set;

/**
 * agn_sound_set_esc50 - environmental sounds: 50 classes, 5 folds
 *
 * A folder with meta/esc50.csv and audio/, as it is distributed. Files are read by
 * agn_sound_set_load, in the order of
 * the table.
 *
 * @param out       out, to be released by agn_sound_set_release
 * @param folder    the folder
 * @param fold      1 to 5
 * @param held_out  the sounds of the fold; else all others
 * @errors          AGN_ENULL, AGN_EARG (fold), AGN_EIO (the table cannot be read), AGN_EFORMAT (it
 *                  is another table, or
 *                  leads out of its folder), AGN_ENOMEM
 * @grad            none
 * @cost            O(lines)
 * @ref             Piczak 2015
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_set_esc50(agn_sound_set **out, const char *folder,
                                                      int32_t fold, bool held_out);

/**
 * agn_sound_set_tess - words in seven emotions
 *
 * All files below a folder with names like OAF_back_angry.wav, in the order of their paths: number
 * i is in the fold
 * i mod folds + 1.
 *
 * @param out       out, to be released by agn_sound_set_release
 * @param folder    the folder; others in it are read, too
 * @param folds     at least 1
 * @param fold      1 to folds
 * @param held_out  the sounds of the fold; else all others
 * @errors          AGN_ENULL, AGN_EARG (folds), AGN_EIO (a folder cannot be listed), AGN_EFORMAT
 *                  (there is no such
 *                  file), AGN_ENOMEM
 * @grad            none
 * @cost            O(files log files)
 * @ref             Pichora-Fuller & Dupuis 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_set_tess(agn_sound_set **out, const char *folder,
                                                     int32_t folds, int32_t fold, bool held_out);

/**
 * agn_sound_set_count - how many sounds are in a set
 *
 * @param set  in
 * @return     their number; 0 of NULL
 */
AGN_API int64_t agn_sound_set_count(const agn_sound_set *set);

/**
 * agn_sound_set_n_classes - number of classes of a set
 *
 * @param set  in
 * @return     labels are below it; 0 of NULL
 */
AGN_API int32_t agn_sound_set_n_classes(const agn_sound_set *set);

/**
 * agn_sound_set_class_name - name of a class
 *
 * @param set  in
 * @param k    label
 * @return     the name, as long as the set lives; NULL where there is none
 */
AGN_API const char *agn_sound_set_class_name(const agn_sound_set *set, int32_t k);

/**
 * agn_sound_set_path - file of a sound
 *
 * @param set  in
 * @param i    number of the sound
 * @return     its path, as long as the set lives; NULL where there is none
 */
AGN_API const char *agn_sound_set_path(const agn_sound_set *set, int64_t i);

/**
 * agn_sound_set_label - class of a sound
 *
 * @param set  in
 * @param i    number of the sound
 * @return     its label; -1 where there is none
 */
AGN_API int32_t agn_sound_set_label(const agn_sound_set *set, int64_t i);

/**
 * agn_sound_set_load - batch of sounds with their labels
 *
 * @param out      out, [count, samples], f32: means over channels, cut off, or followed by zeros
 * @param labels   out, [count], i64
 * @param rate     out, samples per second; NULL to skip
 * @param set      in
 * @param first    number of the first
 * @param count    how many
 * @param samples  of each
 * @errors         AGN_ENULL, AGN_EARG (there are no such sounds, no sample), AGN_EIO (a file cannot
 *                 be read), AGN_EFORMAT
 *                 (one is no sound, rates differ), AGN_EUNSUPPORTED (a build without libsndfile),
 *                 AGN_ENOMEM
 * @grad           none
 * @cost           O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sound_set_load(agn_tensor **out, agn_tensor **labels,
                                                     int32_t *rate, const agn_sound_set *set,
                                                     int64_t first, int64_t count, int64_t samples);

/**
 * agn_sound_set_release - end of a set
 *
 * @param set  NULL does nothing
 * @errors     none
 * @cost       O(sounds)
 */
AGN_API void agn_sound_set_release(agn_sound_set *set);

#ifdef __cplusplus
}
#endif
#endif
