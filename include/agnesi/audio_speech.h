/**
 * agnesi/audio_speech.h - speech: features of Kaldi, labels in time, microphones, rooms
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Losses of labels (CTC, transducers) are in agnesi/nn.h. Features and beamformers are compositions
 * of operators with derivatives of any order in every mode; what decodes and aligns is numbers of
 * the host.
 */
#ifndef AGNESI_AUDIO_SPEECH_H
#define AGNESI_AUDIO_SPEECH_H

#include <agnesi/audio.h>
#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- features of Kaldi ----------------------------------------------------------------- */

/** Windows of Kaldi's frames. */
enum {
    AGN_KALDI_POVEY, /* symmetric Hann to the power of 0.85 */
    AGN_KALDI_HANN,
    AGN_KALDI_HAMMING,
    AGN_KALDI_RECTANGULAR,
    AGN_KALDI_BLACKMAN
};

/** Options of agn_audio_kaldi_fbank and agn_audio_kaldi_mfcc; zero members are defaults. */
typedef struct agn_audio_kaldi_options {
    size_t size;            /* sizeof(agn_audio_kaldi_options) */
    double length, hop;     /* of frames, in ms: 25, 10 */
    double preemphasis;     /* 0.97; negative: none */
    double low, high;       /* edges of the bands, in Hz: 20, half the rate; high may be negative:
                               below half the rate */
    int32_t window;         /* AGN_KALDI_POVEY, ... */
    int32_t n_bands;        /* 23 */
    int32_t n_coefficients; /* of a cepstrum: 13 */
    double lifter;          /* 22; negative: none */
    bool keep_mean;         /* of each frame; it is taken out else */
    bool exact_length;      /* frames are not padded to a power of 2 */
    bool all_frames; /* frames centred, n / hop of them, the signal mirrored at its ends; else
                               those within it */
    bool magnitude;  /* bands of magnitudes, not of powers */
    bool linear;     /* bands as they are, not their logarithms */
} agn_audio_kaldi_options;

/**
 * agn_audio_kaldi_fbank - logarithms of bands of mel as Kaldi has them
 *
 * Without dither. Samples are as large as they are given: Kaldi's own are those of 16 bits.
 *
 * @param out   out, [..., frames, n_bands]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer samples than a frame, rank 32),
 *              AGN_EARG (unknown size, an option or the rate out of range), AGN_ENOMEM
 * @grad        everywhere; 0 of bands below the least number that counts
 * @cost        O(frames (n_fft log n_fft + n_bands n_fft))
 * @ref         Povey et al. 2011
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_kaldi_fbank(agn_tensor **out, const agn_tensor *x,
                                                        double rate,
                                                        const agn_audio_kaldi_options *opts);

/**
 * agn_audio_kaldi_mfcc - cepstra as Kaldi has them, without energy
 *
 * @param out   out, [..., frames, n_coefficients]
 * @param x     in, [..., n], real; integers as f64, f16 and bf16 as f32
 * @param rate  samples per second
 * @param opts  NULL for defaults; linear is ignored
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer samples than a frame, rank 32),
 *              AGN_EARG (unknown size, an option or the rate out of range), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(frames (n_fft log n_fft + n_bands n_fft))
 * @ref         Povey et al. 2011; Davis & Mermelstein 1980
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_kaldi_mfcc(agn_tensor **out, const agn_tensor *x,
                                                       double rate,
                                                       const agn_audio_kaldi_options *opts);

/* ---- labels in time -------------------------------------------------------------------- */

/**
 * agn_audio_ctc_align - likeliest place in time of known labels
 *
 * @param path    out, [frames], i64: the label of each frame, blank or of targets
 * @param score   out, [frames], f64: its logarithm
 * @param x       in, [frames, classes], real: logarithms of probabilities
 * @param labels  in, [n], i64 or i32: no blank; n may be 0
 * @param blank   the class between labels
 * @errors        AGN_ENULL, AGN_EDTYPE (complex, labels that are no integers), AGN_ESHAPE (x or
 *                labels of another rank, no frame, no class, fewer frames than labels and repeats
 *                need), AGN_EINDEX (a label or blank outside, a label that is blank), AGN_EDOMAIN
 *                (NaN or +inf, no path is possible), AGN_ESYMBOLIC (while tracing), AGN_EDEVICE,
 *                AGN_ENOMEM
 * @grad          none: gather along the path
 * @cost          O(frames n)
 * @ref           Graves et al. 2006; Kuerzinger et al. 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_ctc_align(agn_tensor **path, agn_tensor **score,
                                                      const agn_tensor *x, const agn_tensor *labels,
                                                      int32_t blank);

/**
 * agn_audio_ctc_decode - likeliest labels, over all the ways that they can lie in time
 *
 * Search of prefixes, the width best of which go on; of width 1 not the best path but the best
 * prefix.
 *
 * @param out    out, [n], i64
 * @param score  out, [], f64: the logarithm of their probability, over the paths that were kept
 * @param x      in, [frames, classes], real: logarithms of probabilities
 * @param width  1 to 4096
 * @param blank  the class between labels
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (x is of another rank, no frame, no
 *               class), AGN_EARG (width), AGN_EINDEX (blank), AGN_EDOMAIN (NaN or +inf),
 *               AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad         none
 * @cost         O(frames width classes log(width classes))
 * @ref          Hannun et al. 2014; Graves & Jaitly 2014
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_ctc_decode(agn_tensor **out, agn_tensor **score,
                                                       const agn_tensor *x, int32_t width,
                                                       int32_t blank);

/**
 * agn_audio_ctc_collapse - labels of a path: repeats joined, blanks left out
 *
 * With agn_argmax, the greedy decoder.
 *
 * @param out    out, [n], i64
 * @param path   in, [frames], i64 or i32
 * @param blank  the class between labels
 * @errors       AGN_ENULL, AGN_EDTYPE (no integers), AGN_ESHAPE (more than one axis), AGN_ESYMBOLIC
 *               (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad         none
 * @cost         O(frames)
 * @ref          Graves et al. 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_ctc_collapse(agn_tensor **out, const agn_tensor *path,
                                                         int32_t blank);

/**
 * agn_audio_edit_distance - fewest insertions, deletions and replacements from one sequence to
 * another
 *
 * @param out  out, [], i64
 * @param a    in, [n], i64 or i32
 * @param b    in, [m], alike
 * @errors     AGN_ENULL, AGN_EDTYPE (no integers), AGN_ESHAPE (more than one axis), AGN_ESYMBOLIC
 *             (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none
 * @cost       O(n m)
 * @ref        Levenshtein 1966; Wagner & Fischer 1974
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_edit_distance(agn_tensor **out, const agn_tensor *a,
                                                          const agn_tensor *b);

/* ---- microphones and rooms ------------------------------------------------------------- */

/**
 * agn_audio_cross_power - cross powers of channels, weighted over time
 *
 * sum_t m_t x_t x_t^H, over sum_t m_t where it is made relative.
 *
 * @param out       out, [..., bins, channels, channels]
 * @param x         in, [..., channels, bins, frames], complex
 * @param mask      in, [..., bins, frames], real; NULL: ones
 * @param relative  over the sum of the mask and 1e-15
 * @errors          AGN_ENULL, AGN_EDTYPE (x is real, the mask complex), AGN_ESHAPE (x or mask of
 *                  another rank, other bins or frames), AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(frames bins channels^2)
 * @ref             Souden, Benesty & Affes 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_cross_power(agn_tensor **out, const agn_tensor *x,
                                                        const agn_tensor *mask, bool relative);

/**
 * agn_audio_mvdr_weights - beamformer of minimum variance without distortion, by cross powers
 *
 * N^-1 S u / tr(N^-1 S), with the unit vector u of the reference.
 *
 * @param out        out, [..., bins, channels]
 * @param speech     in, [..., bins, channels, channels], complex: agn_audio_cross_power of what is
 *                   to be heard
 * @param noise      in, alike, of what is not
 * @param reference  channel that is heard undistorted
 * @param loading    added to the diagonal of noise, in parts of its trace; 1e-7 is usual
 * @errors           AGN_ENULL, AGN_EDTYPE (real), AGN_ESHAPE (no square matrices, others),
 *                   AGN_EINDEX (reference), AGN_EARG (loading), AGN_EDOMAIN (singular), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(bins channels^3)
 * @ref              Souden, Benesty & Affes 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_mvdr_weights(agn_tensor **out, const agn_tensor *speech,
                                                         const agn_tensor *noise, int32_t reference,
                                                         double loading);

/**
 * agn_audio_steered_weights - beamformer of minimum variance, by a transfer function
 *
 * N^-1 h / (h^H N^-1 h), times the conjugate of h in the reference.
 *
 * @param out        out, [..., bins, channels]
 * @param transfer   in, [..., bins, channels], complex: from the source to each channel
 * @param noise      in, [..., bins, channels, channels], complex
 * @param reference  channel that is heard undistorted; negative: the source itself
 * @param loading    added to the diagonal of noise, in parts of its trace; 1e-7 is usual
 * @errors           AGN_ENULL, AGN_EDTYPE (real), AGN_ESHAPE (no square matrices, other channels),
 *                   AGN_EINDEX (reference), AGN_EARG (loading), AGN_EDOMAIN (singular), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(bins channels^3)
 * @ref              Capon 1969
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_steered_weights(agn_tensor **out,
                                                            const agn_tensor *transfer,
                                                            const agn_tensor *noise,
                                                            int32_t reference, double loading);

/**
 * agn_audio_transfer_power - relative transfer function by power iteration
 *
 * N (N^-1 S)^k u from the unit vector u of the reference.
 *
 * @param out         out, [..., bins, channels]
 * @param speech      in, [..., bins, channels, channels], complex
 * @param noise       in, alike
 * @param reference   channel
 * @param iterations  k, 1 to 64; 3 is usual
 * @param loading     added to the diagonal of noise, in parts of its trace; 1e-7 is usual
 * @errors            AGN_ENULL, AGN_EDTYPE (real), AGN_ESHAPE (no square matrices, others),
 *                    AGN_EINDEX (reference), AGN_EARG (iterations, loading), AGN_EDOMAIN
 *                    (singular), AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(bins channels^3)
 * @ref               Varzandeh, Taseska & Habets 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_transfer_power(agn_tensor **out,
                                                           const agn_tensor *speech,
                                                           const agn_tensor *noise,
                                                           int32_t reference, int32_t iterations,
                                                           double loading);

/**
 * agn_audio_beamform - channels times conjugate weights, summed
 *
 * @param out      out, [..., bins, frames]
 * @param weights  in, [..., bins, channels], complex
 * @param x        in, [..., channels, bins, frames], complex
 * @errors         AGN_ENULL, AGN_EDTYPE (real), AGN_ESHAPE (ranks, other bins or channels),
 *                 AGN_ENOMEM
 * @grad           everywhere
 * @cost           O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_beamform(agn_tensor **out, const agn_tensor *weights,
                                                     const agn_tensor *x);

/**
 * agn_audio_room_response - impulse responses of a box by image sources
 *
 * Each image is a sinc, 81 samples long under a Hann window, at its delay, over its distance;
 * delays need not be whole.
 *
 * @param out         out, [microphones, n]
 * @param room        in, [3], real: sizes in m, from the corner at the origin
 * @param source      in, [3], real: its place
 * @param microphone  in, [microphones, 3], real: theirs
 * @param absorption  in, [6], real: parts of the energy that walls at x = 0, x = room, y = 0, ...
 *                    take, from 0 to 1
 * @param order       most reflections, 0 to 30
 * @param rate        samples per second
 * @param speed       of sound, in m/s; 343
 * @param n           samples, 1 to 2^24
 * @errors            AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes), AGN_EARG (a number out
 *                    of range), AGN_ENOMEM
 * @grad              in room, places and absorption, where no image is at a microphone and no
 *                    absorption is 1
 * @cost              O(order^3 microphones)
 * @ref               Allen & Berkley 1979; Peterson 1986
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_room_response(agn_tensor **out, const agn_tensor *room,
                                                          const agn_tensor *source,
                                                          const agn_tensor *microphone,
                                                          const agn_tensor *absorption,
                                                          int32_t order, double rate, double speed,
                                                          int64_t n);

/**
 * agn_audio_frechet_distance - squared distance of two normal laws
 *
 * |m - n|^2 + tr(a + b - 2 (a b)^(1/2)): of features, the distance by which generated sound is
 * judged.
 *
 * @param out  out, [...]
 * @param m    in, [..., n], real: a mean
 * @param a    in, [..., n, n], real: its covariance, positive definite
 * @param n    in, [..., n], real: the other mean
 * @param b    in, [..., n, n], real: the other covariance
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes that do not fit), AGN_EDOMAIN
 *             (not finite), AGN_ENOCONV, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n^3)
 * @ref        Dowson & Landau 1982; Kilgour et al. 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_audio_frechet_distance(agn_tensor **out, const agn_tensor *m,
                                                             const agn_tensor *a,
                                                             const agn_tensor *n,
                                                             const agn_tensor *b);

#ifdef __cplusplus
}
#endif

#endif
