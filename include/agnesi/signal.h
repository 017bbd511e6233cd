/**
 * agnesi/signal.h - frames, short-time transforms, filters
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last axis of a signal is time; all other axes are a batch. Everything has derivatives of any
 * order in every mode, with respect to signals, windows and coefficients.
 */
#ifndef AGNESI_SIGNAL_H
#define AGNESI_SIGNAL_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Windows, with their parameters. */
typedef int32_t agn_window;
enum {
    AGN_WINDOW_HANN,
    AGN_WINDOW_BOXCAR, /* ones */
    AGN_WINDOW_TRIANGLE,
    AGN_WINDOW_BARTLETT,
    AGN_WINDOW_HAMMING,
    AGN_WINDOW_BLACKMAN,
    AGN_WINDOW_BLACKMAN_HARRIS,
    AGN_WINDOW_NUTTALL,
    AGN_WINDOW_FLAT_TOP,
    AGN_WINDOW_BARTLETT_HANN,
    AGN_WINDOW_BOHMAN,
    AGN_WINDOW_COSINE,
    AGN_WINDOW_PARZEN,
    AGN_WINDOW_LANCZOS,
    AGN_WINDOW_EXPONENTIAL,      /* tau, in samples */
    AGN_WINDOW_GAUSSIAN,         /* standard deviation, in samples */
    AGN_WINDOW_GENERAL_GAUSSIAN, /* power, standard deviation */
    AGN_WINDOW_GENERAL_COSINE,   /* 1 to 64 coefficients */
    AGN_WINDOW_GENERAL_HAMMING,  /* alpha */
    AGN_WINDOW_TUKEY,            /* the part that tapers */
    AGN_WINDOW_KAISER,           /* beta */
    AGN_WINDOW_KAISER_DERIVED,   /* beta; of an even number of points, always symmetric */
    AGN_WINDOW_TAYLOR,           /* number of side lobes, their level in dB, 0 or 1 for a peak of 1 */
    AGN_WINDOW_CHEBYSHEV,        /* level of the side lobes in dB */
    AGN_WINDOW_SLEPIAN           /* half bandwidth times length (dpss) */
};

/** Where frames lie, and what is beyond the ends of the signal. */
enum {
    AGN_SIGNAL_REFLECT,  /* centred on 0, hop, 2 hop, ...; mirrored, without repeating the end */
    AGN_SIGNAL_ZERO,     /* the same places; zeros */
    AGN_SIGNAL_EDGE,     /* the last sample */
    AGN_SIGNAL_WRAP,     /* the other end */
    AGN_SIGNAL_UNCENTRED /* beginning at 0, hop, 2 hop, ...; only frames within the signal */
};

/** Options of agn_signal_stft and agn_signal_istft; zero members are defaults. */
typedef struct agn_signal_stft_options {
    size_t size;        /* sizeof(agn_signal_stft_options) */
    int64_t n_fft;      /* length of a frame, even or odd; 512 */
    int64_t hop;        /* from one frame to the next; a quarter of the window */
    int64_t win_length; /* at most n_fft, in the middle of the frame; n_fft */
    int32_t edge;       /* AGN_SIGNAL_REFLECT, ... */
    bool two_sided;     /* all n_fft bins, as complex signals need */
    bool normalized;    /* times 1 / sqrt(n_fft) */
    const agn_tensor *window; /* real [win_length]; NULL: periodic Hann */
} agn_signal_stft_options;

/**
 * agn_signal_window - a window function
 *
 * As named and parametrised in SciPy.
 *
 * @param out        out, [n]
 * @param kind       AGN_WINDOW_HANN, ...
 * @param dtype      AGN_F32 or AGN_F64
 * @param n          number of points; one point is 1
 * @param params     the parameters that the kind names; NULL for none
 * @param n_params   how many
 * @param symmetric  both ends alike, for filters; else periodic, for spectra
 * @errors           AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (negative n), AGN_EARG (an unknown kind,
 *                   other parameters than it has, an odd number of points of
 *                   AGN_WINDOW_KAISER_DERIVED), AGN_ENOMEM
 * @grad             none: a constant
 * @cost             O(n); O(n^2) for AGN_WINDOW_CHEBYSHEV
 * @ref              Harris 1978; Slepian 1978; Dolph 1946; Carrara & Goodman 1995
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_window(agn_tensor **out, agn_window kind,
                                                    agn_dtype dtype, int64_t n,
                                                    const double *params, int32_t n_params,
                                                    bool symmetric);

/**
 * agn_signal_frame - overlapping frames, as a view
 *
 * Frame t begins at t hop; frames lie within the signal.
 *
 * @param out     out, [..., frames, length], frames = 1 + (n - length) / hop
 * @param x       in, [..., n], any numbers
 * @param length  samples of a frame
 * @param hop     from one frame to the next
 * @errors        AGN_ENULL, AGN_ESHAPE (no samples, frames that do not fit, a hop that is not
 *                positive), AGN_ENOMEM
 * @grad          everywhere: agn_signal_overlap_add
 * @cost          O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_frame(agn_tensor **out, const agn_tensor *x,
                                                   int64_t length, int64_t hop);

/**
 * agn_signal_overlap_add - sum of overlapping frames
 *
 * The adjoint of agn_signal_frame.
 *
 * @param out  out, [..., (frames - 1) hop + length]
 * @param x    in, [..., frames, length], any numbers, any strides
 * @param hop  from one frame to the next
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes, a hop that is not positive), AGN_ENOMEM
 * @grad       everywhere: agn_signal_frame
 * @cost       O(frames length)
 * @ref        Allen & Rabiner 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_overlap_add(agn_tensor **out, const agn_tensor *x,
                                                         int64_t hop);

/**
 * agn_signal_stft - short-time Fourier transform
 *
 * Entry [..., k, t] belongs to frequency k / n_fft of the sampling rate and frame t. Centred, there
 * are 1 + n / hop frames for an even n_fft and 1 + (n - 1) / hop for an odd one; else 1 + (n -
 * n_fft) / hop.
 *
 * @param out   out, [..., n_fft / 2 + 1, frames], or [..., n_fft, frames]; c64 or c128
 * @param x     in, [..., n]; f16 and bf16 as f32, integers as f64
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (a complex window; a complex signal without two_sided),
 *              AGN_ESHAPE (no samples, a signal shorter than a frame, the window, rank 32),
 *              AGN_EARG (unknown size, an option out of range), AGN_ENOMEM
 * @grad        in x and the window
 * @cost        O(frames n_fft log n_fft)
 * @ref         Allen & Rabiner 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_stft(agn_tensor **out, const agn_tensor *x,
                                                  const agn_signal_stft_options *opts);

/**
 * agn_signal_istft - signal from its short-time transform
 *
 * The signal whose transform is nearest to x in the sense of least squares: overlap-add of the
 * frames times the window, over that of squared windows. It gives back what agn_signal_stft was
 * given wherever the windows leave no sample uncovered.
 *
 * @param out     out, [..., length]; real, or complex for two_sided
 * @param x       in, [..., bins, frames]; real dtypes by promotion
 * @param length  of the signal: cut off or followed by zeros; 0: as far as the centres of frames
 *                reach (their ends, uncentred)
 * @param opts    as for agn_signal_stft
 * @errors        AGN_ENULL, AGN_EDTYPE (a complex window), AGN_ESHAPE (bins that do not belong to
 *                n_fft, no frame, no sample between centres, the window), AGN_EARG (unknown size,
 *                an option out of range, a negative length), AGN_EDOMAIN (windows leave a sample
 *                uncovered; where they are symbols it is NaN), AGN_ENOMEM
 * @grad          in x and the window
 * @cost          O(frames n_fft log n_fft)
 * @ref           Griffin & Lim 1984
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_istft(agn_tensor **out, const agn_tensor *x,
                                                   int64_t length,
                                                   const agn_signal_stft_options *opts);

/**
 * agn_signal_lfilter - filter by a difference equation
 *
 * a_0 y_t = sum_j b_j x_(t-j) - sum_k a_k y_(t-k), k from 1, from a state of rest.
 *
 * @param out  out, [..., n]
 * @param b    in, [..., taps]; leading axes broadcast
 * @param a    in, [..., order + 1]; a_0 divides all
 * @param x    in, [..., n]; f16 and bf16 as f32, integers as f64
 * @errors     AGN_ENULL, AGN_ESHAPE (no samples, no coefficients, batches that do not broadcast),
 *             AGN_ENOMEM
 * @grad       in x, b and a
 * @cost       O(n (taps + order)) per row
 * @ref        Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lfilter(agn_tensor **out, const agn_tensor *b,
                                                     const agn_tensor *a, const agn_tensor *x);

/**
 * agn_signal_lfilter_state - filter that goes on where another one stopped
 *
 * The state is that of the transposed direct form II, as in SciPy.
 *
 * @param out      out, [..., n]
 * @param final    out, [..., m], the state behind x; m = max(taps, order + 1) - 1
 * @param b        in, [..., taps]; leading axes broadcast
 * @param a        in, [..., order + 1]; a_0 divides all
 * @param x        in, [..., n]; f16 and bf16 as f32, integers as f64
 * @param initial  in, [..., m]; NULL: rest
 * @errors         AGN_ENULL, AGN_ESHAPE (no samples, no coefficients, batches that do not
 *                 broadcast, a state of another order), AGN_ENOMEM
 * @grad           in x, b, a and the state
 * @cost           O(n (taps + order)) per row
 * @ref            Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lfilter_state(agn_tensor **out, agn_tensor **final,
                                                           const agn_tensor *b, const agn_tensor *a,
                                                           const agn_tensor *x,
                                                           const agn_tensor *initial);

/**
 * agn_signal_lfilter_varying - filter with coefficients of each time
 *
 * The equation of agn_signal_lfilter, with b and a of the time t.
 *
 * @param out  out, [..., n]
 * @param b    in, [..., n, taps]
 * @param a    in, [..., n, order + 1]
 * @param x    in, [..., n]; f16 and bf16 as f32, integers as f64
 * @errors     AGN_ENULL, AGN_ESHAPE (no samples, coefficients of other times, batches that do not
 *             broadcast), AGN_ENOMEM
 * @grad       in x, b and a
 * @cost       O(n (taps + order)) per row
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lfilter_varying(agn_tensor **out, const agn_tensor *b,
                                                             const agn_tensor *a,
                                                             const agn_tensor *x);

/**
 * agn_signal_sosfilt - filter by second-order sections
 *
 * One after the other, which keeps filters of high order stable.
 *
 * @param out  out, [..., n]
 * @param sos  in, [..., sections, 6]: b_0 b_1 b_2 a_0 a_1 a_2 of each
 * @param x    in, [..., n]; f16 and bf16 as f32, integers as f64
 * @errors     AGN_ENULL, AGN_ESHAPE (no samples, no rows of six, batches that do not broadcast),
 *             AGN_ENOMEM
 * @grad       in x and sos
 * @cost       O(n sections) per row
 * @ref        Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sosfilt(agn_tensor **out, const agn_tensor *sos,
                                                     const agn_tensor *x);

/**
 * agn_signal_sosfilt_state - sections from a state, with the state behind them
 *
 * @param out      out, [..., n]
 * @param final    out, [..., sections, 2], for the next samples
 * @param sos      in, [..., sections, 6]: b_0 b_1 b_2 a_0 a_1 a_2 of each
 * @param x        in, [..., n]; f16 and bf16 as f32, integers as f64
 * @param initial  in, [..., sections, 2]; NULL: zeros
 * @errors         AGN_ENULL, AGN_ESHAPE (no samples, no rows of six, no section, another state,
 *                 rank 32, batches that do not broadcast), AGN_ENOMEM
 * @grad           in x, sos and initial, of both results
 * @cost           O(n sections) per row
 * @ref            Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sosfilt_state(agn_tensor **out, agn_tensor **final,
                                                           const agn_tensor *sos,
                                                           const agn_tensor *x,
                                                           const agn_tensor *initial);

/**
 * agn_signal_sosfilt_steady - states of sections that a step of height 1 leaves for ever
 *
 * Times the first sample they let agn_signal_sosfilt_state begin without a jump.
 *
 * @param out  out, [..., sections, 2]
 * @param sos  in, [..., sections, 6]
 * @errors     AGN_ENULL, AGN_ESHAPE (no rows of six, no section), AGN_ENOMEM
 * @grad       in sos
 * @cost       O(sections)
 * @ref        Gustafsson 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sosfilt_steady(agn_tensor **out,
                                                            const agn_tensor *sos);

/**
 * agn_signal_sosfiltfilt - sections forwards and backwards, without delay
 *
 * The signal is continued by 3 (2 sections + 1) point reflections at each end, and the filter
 * starts in the steady state of the first sample.
 *
 * @param out  out, [..., n]
 * @param sos  in, [..., sections, 6]
 * @param x    in, [..., n], n above 3 (2 sections + 1)
 * @errors     AGN_ENULL, AGN_ESHAPE (no rows of six, too few samples, rank 32, batches that do not
 *             broadcast), AGN_ENOMEM
 * @grad       in x and sos
 * @cost       O(n sections) per row
 * @ref        Gustafsson 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sosfiltfilt(agn_tensor **out, const agn_tensor *sos,
                                                         const agn_tensor *x);

/**
 * agn_signal_filtfilt - filter forwards and backwards, without delay
 *
 * The signal is continued by 3 max(taps, order + 1) point reflections at each end, and the filter
 * starts in the steady state of the first sample.
 *
 * @param out  out, [..., n]
 * @param b    in, [..., taps]; leading axes broadcast
 * @param a    in, [..., order + 1]; a_0 divides all
 * @param x    in, [..., n], n above 3 max(taps, order + 1)
 * @errors     AGN_ENULL, AGN_ESHAPE (too few samples, no coefficients, batches that do not
 *             broadcast), AGN_ENOMEM
 * @grad       in x, b and a
 * @cost       O(n (taps + order)) per row
 * @ref        Gustafsson 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_filtfilt(agn_tensor **out, const agn_tensor *b,
                                                      const agn_tensor *a, const agn_tensor *x);

/** Options of agn_signal_welch and its kin; zero members are defaults. */
typedef struct agn_signal_welch_options {
    size_t size;              /* sizeof(agn_signal_welch_options) */
    int64_t length;           /* of a frame; 256, at most that of the signal, or that of the window */
    int64_t hop;              /* from one frame to the next; half a frame */
    double rate;              /* samples per second; 1 */
    bool spectrum;            /* powers, not densities */
    bool keep_mean;           /* of each frame; it is taken out else */
    const agn_tensor *window; /* real [length]; NULL: periodic Hann */
} agn_signal_welch_options;

/**
 * agn_signal_welch - power density of a signal
 *
 * The mean over frames of |X|^2, one-sided: entry k belongs to frequency k rate / length.
 *
 * @param out   out, [..., length / 2 + 1]
 * @param x     in, [..., n], real
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, frames that do not fit, the
 *              window), AGN_EARG (unknown size, a rate that is not positive), AGN_ENOMEM
 * @grad        in x and the window
 * @cost        O(frames length log length)
 * @ref         Welch 1967
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_welch(agn_tensor **out, const agn_tensor *x,
                                                   const agn_signal_welch_options *opts);

/**
 * agn_signal_csd - cross density of two signals
 *
 * The mean over frames of conj(X) Y.
 *
 * @param out   out, [..., length / 2 + 1], complex
 * @param x     in, [..., n], real
 * @param y     in, [..., n], real
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, frames that do not fit, the
 *              window, other times), AGN_EARG (unknown size, a rate that is not positive),
 *              AGN_ENOMEM
 * @grad        in x, y and the window
 * @cost        O(frames length log length)
 * @ref         Welch 1967
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_csd(agn_tensor **out, const agn_tensor *x,
                                                 const agn_tensor *y,
                                                 const agn_signal_welch_options *opts);

/**
 * agn_signal_coherence - share of the power that two signals have in common
 *
 * |P_xy|^2 / (P_xx P_yy), 1 where there is a single frame; NaN of silence.
 *
 * @param out   out, [..., length / 2 + 1]
 * @param x     in, [..., n], real
 * @param y     in, [..., n], real
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, frames that do not fit, the
 *              window, other times), AGN_EARG (unknown size, a rate that is not positive),
 *              AGN_ENOMEM
 * @grad        in x, y and the window
 * @cost        O(frames length log length)
 * @ref         Welch 1967
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_coherence(agn_tensor **out, const agn_tensor *x,
                                                       const agn_tensor *y,
                                                       const agn_signal_welch_options *opts);

/**
 * agn_signal_hilbert - analytic signal
 *
 * x, and as its imaginary part its Hilbert transform.
 *
 * @param out  out, [..., n], complex
 * @param x    in, [..., n], real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n log n)
 * @ref        Gabor 1946
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_hilbert(agn_tensor **out, const agn_tensor *x);

/**
 * agn_signal_envelope - magnitude of the analytic signal
 *
 * @param out  out, [..., n]
 * @param x    in, [..., n], real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples), AGN_ENOMEM
 * @grad       everywhere; 0 at 0
 * @cost       O(n log n)
 * @ref        Gabor 1946
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_envelope(agn_tensor **out, const agn_tensor *x);

/**
 * agn_signal_resample - other samples of a periodic signal
 *
 * By its spectrum: cut off, or followed by zeros.
 *
 * @param out  out, [..., m]
 * @param x    in, [..., n], real
 * @param m    number of samples
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples), AGN_EARG (m not in 1 to
 *             2^31 - 1), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O((n + m) log(n + m))
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_resample(agn_tensor **out, const agn_tensor *x,
                                                      int64_t m);

/**
 * agn_signal_detrend - without its mean, or without its line
 *
 * The line is fitted by least squares.
 *
 * @param out   out, [..., n]
 * @param x     in, [..., n]
 * @param line  take a line out, not the mean alone
 * @errors      AGN_ENULL, AGN_ESHAPE (no samples), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_detrend(agn_tensor **out, const agn_tensor *x,
                                                     bool line);

/* ---- design of filters ----------------------------------------------------------------- */

/** What a filter is made of. */
enum {
    AGN_IIR_BUTTERWORTH,       /* flat; 3 dB at its edges */
    AGN_IIR_CHEBYSHEV,         /* ripple below the edge */
    AGN_IIR_INVERSE_CHEBYSHEV, /* attenuation from the edge on */
    AGN_IIR_ELLIPTIC,          /* both */
    AGN_IIR_BESSEL             /* even delay; asymptotes of the Butterworth filter */
};

/** What passes. */
enum {
    AGN_BAND_LOW,
    AGN_BAND_HIGH,
    AGN_BAND_PASS,
    AGN_BAND_STOP
};

/** Options of agn_signal_design_iir. */
typedef struct agn_signal_iir_options {
    size_t size;         /* sizeof(agn_signal_iir_options) */
    int32_t family;      /* AGN_IIR_BUTTERWORTH, ... */
    int32_t band;        /* AGN_BAND_LOW, ... */
    int32_t order;       /* 1 to 64, of a Bessel filter to 24; twice that for bands of two edges */
    double low, high;    /* edges; high of AGN_BAND_PASS and AGN_BAND_STOP only */
    double rate;         /* samples per second; 0: 2, so that edges are in units of half the rate */
    double ripple;       /* dB */
    double attenuation;  /* dB */
} agn_signal_iir_options;

/**
 * agn_signal_design_iir - recursive filter as second-order sections
 *
 * An analog prototype by the bilinear map. Poles nearest to the unit circle are in the last
 * section, together with the zeros nearest to them.
 *
 * @param out   out, [sections, 6], f64, for agn_signal_sosfilt
 * @param opts  the filter
 * @errors      AGN_ENULL, AGN_EARG (unknown size, family or band; order, edges or decibels out of
 *              range), AGN_EDOMAIN (an elliptic filter too steep for its roots to differ,
 *              poles so near to the circle that rounded sections lose them), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(order^2)
 * @ref         Oppenheim & Schafer 2010; Orfanidis 2006; Thomson 1949
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_iir(agn_tensor **out,
                                                        const agn_signal_iir_options *opts);

/**
 * agn_signal_design_iir_roots - recursive filter as zeros, poles and gain
 *
 * @param zeros  out, [zeros], c128
 * @param poles  out, [poles], c128
 * @param gain   out
 * @param opts   the filter
 * @errors       AGN_ENULL, AGN_EARG (unknown size, family or band; order, edges or decibels out of
 *               range), AGN_EDOMAIN (an elliptic filter too steep for its roots to differ),
 *               AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(order^2)
 * @ref          Oppenheim & Schafer 2010; Orfanidis 2006; Thomson 1949
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_iir_roots(agn_tensor **zeros,
                                                              agn_tensor **poles, double *gain,
                                                              const agn_signal_iir_options *opts);

/**
 * agn_signal_design_prototype - analog low pass with the edge 1 as zeros, poles and gain
 *
 * What agn_signal_design_iir moves to its band: 3 dB at 1 by Butterworth's, the ripple at 1 by
 * Chebyshev's and elliptic ones, the attenuation from 1 on by inverse Chebyshev's, and by Bessel's
 * the phase of a Butterworth filter far from 1. agn_signal_transform_band moves it as polynomials.
 *
 * @param zeros  out, [zeros], c128; there may be none
 * @param poles  out, [order], c128
 * @param gain   out
 * @param opts   family, order, ripple and attenuation; band, edges and rate are not read
 * @errors       AGN_ENULL, AGN_EARG (unknown size or family; order or decibels out of range),
 *               AGN_EDOMAIN (an elliptic filter too steep for its roots to differ), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(order^2)
 * @ref          Oppenheim & Schafer 2010; Orfanidis 2006; Thomson 1949
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_prototype(agn_tensor **zeros,
                                                              agn_tensor **poles, double *gain,
                                                              const agn_signal_iir_options *opts);

/** Options of agn_signal_design_fir; zero members are defaults. */
typedef struct agn_signal_fir_options {
    size_t size;              /* sizeof(agn_signal_fir_options) */
    double rate;              /* samples per second; 0: 2, so that edges are in units of half the rate */
    bool stop_zero;           /* frequency 0 is stopped; it passes else */
    bool unscaled;            /* else 1 in the middle of the first band that passes */
    const agn_tensor *window; /* real [taps]; NULL: symmetric Hamming */
} agn_signal_fir_options;

/**
 * agn_signal_design_fir - filter of finite length by a window
 *
 * Bands between edges pass and are stopped in turn.
 *
 * @param out      out, [taps], f64, symmetric
 * @param taps     number of coefficients
 * @param edges    rising frequencies
 * @param n_edges  how many
 * @param opts     NULL for defaults
 * @errors         AGN_ENULL, AGN_EARG (unknown size, edges that do not rise or lie outside, taps;
 *                 an even number of taps where half the rate passes), AGN_ESHAPE, AGN_EDTYPE (the
 *                 window), AGN_ESYMBOLIC (a window while tracing), AGN_ENOMEM
 * @grad           none: a constant
 * @cost           O(taps edges)
 * @ref            Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_fir(agn_tensor **out, int64_t taps,
                                                        const double *edges, int32_t n_edges,
                                                        const agn_signal_fir_options *opts);

/**
 * agn_signal_design_fir_least_squares - filter of finite length nearest to wanted gains
 *
 * In the weighted mean square over the bands; what lies between them is free.
 *
 * @param out      out, [taps], f64, symmetric
 * @param taps     number of coefficients, odd, at most 4095
 * @param edges    two of each band, rising
 * @param desired  gains at them, linear between
 * @param weights  of each band; NULL: 1
 * @param bands    how many
 * @param rate     samples per second; 0: 2
 * @errors         AGN_ENULL, AGN_EARG (edges that do not rise or lie outside, taps, gains,
 *                 weights), AGN_EDOMAIN (gaps between bands that leave the filter undetermined),
 *                 AGN_EUNSUPPORTED (a build without LAPACK), AGN_ENOMEM
 * @grad           none: a constant
 * @cost           O(taps^3)
 * @ref            Parks & Burrus 1987
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_fir_least_squares(
    agn_tensor **out, int64_t taps, const double *edges, const double *desired,
    const double *weights, int32_t bands, double rate);

/**
 * agn_signal_design_fir_equiripple - filter of finite length whose largest weighted error is least
 *
 * Over the bands; what lies between them is free.
 *
 * @param out      out, [taps], f64, symmetric
 * @param taps     number of coefficients, 2 to 1023
 * @param edges    two of each band, rising
 * @param desired  gain of each band
 * @param weights  of each band; NULL: 1
 * @param bands    how many, to 512
 * @param rate     samples per second; 0: 2
 * @errors         AGN_ENULL, AGN_EARG (edges that do not rise or lie outside, taps, bands, gains,
 *                 weights; an even number of taps that pass half the rate), AGN_ENOCONV (the errors
 *                 do not come to rest), AGN_ENOMEM
 * @grad           none: a constant
 * @cost           O(taps^2) per exchange
 * @ref            Parks & McClellan 1972
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_fir_equiripple(
    agn_tensor **out, int64_t taps, const double *edges, const double *desired,
    const double *weights, int32_t bands, double rate);

/**
 * agn_signal_freqz - frequency response of a filter
 *
 * sum b_k e^(-i k w) / sum a_k e^(-i k w).
 *
 * @param out  out, [..., frequencies], complex
 * @param b    in, [..., taps]
 * @param a    in, [..., order + 1]
 * @param w    in, [frequencies], real, in radians per sample
 * @errors     AGN_ENULL, AGN_EDTYPE (w is complex), AGN_ESHAPE (w, no coefficients, batches that do
 *             not broadcast), AGN_ENOMEM
 * @grad       in b, a and w
 * @cost       O(frequencies (taps + order))
 * @ref        Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_freqz(agn_tensor **out, const agn_tensor *b,
                                                   const agn_tensor *a, const agn_tensor *w);

/**
 * agn_signal_sosfreqz - frequency response of second-order sections
 *
 * @param out  out, [..., frequencies], complex
 * @param sos  in, [..., sections, 6]
 * @param w    in, [frequencies], real, in radians per sample
 * @errors     AGN_ENULL, AGN_EDTYPE (w is complex), AGN_ESHAPE (w, no rows of six), AGN_ENOMEM
 * @grad       in sos and w
 * @cost       O(frequencies sections)
 * @ref        Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sosfreqz(agn_tensor **out, const agn_tensor *sos,
                                                      const agn_tensor *w);

/**
 * agn_signal_sections_to_polynomials - second-order sections multiplied out
 *
 * @param b    out, [..., 2 sections + 1]
 * @param a    out, [..., 2 sections + 1]
 * @param sos  in, [..., sections, 6]
 * @errors     AGN_ENULL, AGN_ESHAPE (no rows of six), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(sections^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sections_to_polynomials(agn_tensor **b,
                                                                     agn_tensor **a,
                                                                     const agn_tensor *sos);

/* ---- other rates ----------------------------------------------------------------------- */

/**
 * agn_signal_upfirdn - up, filter, down
 *
 * y_m = sum_k h_(m down - k up) x_k: x with up - 1 zeros behind each sample, filtered, every
 * down-th kept.
 *
 * @param out   out, [..., ceil(((n - 1) up + taps) / down)]
 * @param h     in, [taps]
 * @param x     in, [..., n]; f16 and bf16 as f32, integers as f64
 * @param up    1 to 2^24
 * @param down  1 to 2^24
 * @errors      AGN_ENULL, AGN_ESHAPE (no samples, h, 2^63 samples), AGN_EARG (rates out of range,
 *              or too many phases: up / g (down / g + taps / up) beyond 2^26, g = gcd(up, down)),
 *              AGN_ENOMEM
 * @grad        in h and x
 * @cost        O(n up / g + n taps / down) multiples as one product
 * @ref         Crochiere & Rabiner 1983
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_upfirdn(agn_tensor **out, const agn_tensor *h,
                                                     const agn_tensor *x, int64_t up, int64_t down);

/**
 * agn_signal_resample_poly - another rate by a filter
 *
 * Zeros are beyond the ends.
 *
 * @param out   out, [..., ceil(n up / down)]
 * @param x     in, [..., n]; f16 and bf16 as f32, integers as f64
 * @param up    1 to 2^24
 * @param down  1 to 2^24
 * @param h     in, [taps], its middle the delay; NULL: 20 periods of the lower rate under a Kaiser
 *              window, beta = 5, then rates of at most 2^15
 * @errors      AGN_ENULL, AGN_ESHAPE (no samples, h, 2^63 samples), AGN_EARG (rates out of range,
 *              or too many phases, as of agn_signal_upfirdn), AGN_ENOMEM
 * @grad        in h and x
 * @cost        as agn_signal_upfirdn
 * @ref         Crochiere & Rabiner 1983
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_resample_poly(agn_tensor **out, const agn_tensor *x,
                                                           int64_t up, int64_t down,
                                                           const agn_tensor *h);

/* ---- smoothing ------------------------------------------------------------------------- */

/**
 * agn_signal_savgol_coefficients - weights of a polynomial fitted to a window
 *
 * The value, or a derivative, in the middle is their sum over the window.
 *
 * @param out         out, [window], f64
 * @param window      odd, below 2^20
 * @param order       of the polynomial, below the window, at most 64
 * @param derivative  0 to 64
 * @param delta       distance of samples
 * @errors            AGN_ENULL, AGN_EARG (window, order, derivative or delta out of range),
 *                    AGN_ENOMEM
 * @grad              none: a constant
 * @cost              O(window order)
 * @ref               Savitzky & Golay 1964
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_savgol_coefficients(agn_tensor **out, int64_t window,
                                                                 int32_t order, int32_t derivative,
                                                                 double delta);

/**
 * agn_signal_savgol_filter - smoothed, or its derivative, by fitted polynomials
 *
 * Near the ends the polynomials of the first and of the last window go on.
 *
 * @param out         out, like x
 * @param x           in, [..., n]; f16 and bf16 as f32, integers as f64
 * @param window      odd, at most n
 * @param order       of the polynomials, below the window, at most 64
 * @param derivative  0 to 64
 * @param delta       distance of samples
 * @errors            AGN_ENULL, AGN_EARG (window, order, derivative or delta out of range),
 *                    AGN_ESHAPE (fewer samples than a window), AGN_ENOMEM
 * @grad              everywhere
 * @cost              O(n window)
 * @ref               Savitzky & Golay 1964
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_savgol_filter(agn_tensor **out, const agn_tensor *x,
                                                           int64_t window, int32_t order,
                                                           int32_t derivative, double delta);

/**
 * agn_signal_medfilt - running median
 *
 * Zeros are beyond the ends.
 *
 * @param out     out, [..., n]
 * @param x       in, [..., n], real; f16 and bf16 as f32, integers as f64
 * @param window  odd, below 2^20
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, rank 32), AGN_EARG
 *                (window), AGN_ENOMEM
 * @grad          where no two samples are equal
 * @cost          O(n log window) where values are known on the CPU, else O(n window)
 * @ref           Tukey 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_medfilt(agn_tensor **out, const agn_tensor *x,
                                                     int64_t window);

/* ---- waveforms ------------------------------------------------------------------------- */

/** How the frequency of a sweep changes. */
enum {
    AGN_CHIRP_LINEAR,
    AGN_CHIRP_QUADRATIC,   /* slowest at 0 */
    AGN_CHIRP_LOGARITHMIC, /* by equal factors */
    AGN_CHIRP_HYPERBOLIC   /* its inverse is linear */
};

/**
 * agn_signal_chirp - sweep of frequency
 *
 * @param out    out, like t
 * @param t      in, any shape, real; f16 and bf16 as f32, integers as f64
 * @param f0     frequency at 0
 * @param t1     a time
 * @param f1     frequency then
 * @param kind   AGN_CHIRP_LINEAR, ...
 * @param phase  at 0, in radians
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (an unknown kind, a number that is not
 *               finite, t1 = 0, frequencies of different signs that the kind does not join),
 *               AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_chirp(agn_tensor **out, const agn_tensor *t, double f0,
                                                   double t1, double f1, int32_t kind,
                                                   double phase);

/**
 * agn_signal_square - square wave of period 2 pi
 *
 * @param out   out, like t: 1, then -1
 * @param t     in, any shape, real; f16 and bf16 as f32, integers as f64
 * @param duty  part of the period that is 1
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (duty), AGN_ENOMEM
 * @grad        0
 * @cost        O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_square(agn_tensor **out, const agn_tensor *t,
                                                    double duty);

/**
 * agn_signal_sawtooth - triangular wave of period 2 pi
 *
 * @param out    out, like t: from -1 to 1, and back
 * @param t      in, any shape, real; f16 and bf16 as f32, integers as f64
 * @param width  part of the period that rises
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (width), AGN_ENOMEM
 * @grad         everywhere but at corners
 * @cost         O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sawtooth(agn_tensor **out, const agn_tensor *t,
                                                      double width);

/**
 * agn_signal_gausspulse - cosine under a Gaussian
 *
 * @param out        out, like t
 * @param t          in, any shape, real; f16 and bf16 as f32, integers as f64
 * @param frequency  of the cosine
 * @param bandwidth  over the frequency
 * @param level      at which it is measured, in dB, negative
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (a number out of range), AGN_ENOMEM
 * @grad             everywhere
 * @cost             O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_gausspulse(agn_tensor **out, const agn_tensor *t,
                                                        double frequency, double bandwidth,
                                                        double level);

/**
 * agn_signal_lombscargle - power of frequencies in samples at any times
 *
 * Half the squares of the samples in a cosine and a sine of each frequency that are orthogonal; NaN
 * at 0.
 *
 * @param out  out, [..., frequencies]
 * @param t    in, [n], times, real
 * @param y    in, [..., n], real
 * @param w    in, [frequencies], real, in radians per unit of time
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, other times), AGN_ENOMEM
 * @grad       in t, y and w
 * @cost       O(n frequencies)
 * @ref        Lomb 1976; Scargle 1982
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lombscargle(agn_tensor **out, const agn_tensor *t,
                                                         const agn_tensor *y, const agn_tensor *w);

/* ---- peaks ----------------------------------------------------------------------------- */

/** What is asked of peaks: bits of agn_signal_peak_options.conditions. */
enum {
    AGN_PEAK_HEIGHT = 1,
    AGN_PEAK_THRESHOLD = 2,  /* steps to both neighbours */
    AGN_PEAK_DISTANCE = 4,   /* the higher of two that are nearer stays */
    AGN_PEAK_PROMINENCE = 8,
    AGN_PEAK_PLATEAU = 16,   /* samples of the top */
    AGN_PEAK_WIDTH = 32
};

/** Options of agn_signal_find_peaks; ranges from the first number to the second, both included. */
typedef struct agn_signal_peak_options {
    size_t size;        /* sizeof(agn_signal_peak_options) */
    int32_t conditions; /* a sum of AGN_PEAK_HEIGHT, ... */
    double height[2], threshold[2], prominence[2], plateau[2], width[2];
    double distance;    /* at least 1 */
    int64_t window;     /* samples about a peak that prominences see; 0: all */
    double part;        /* of the prominence at which widths are taken; 0: 0.5 */
} agn_signal_peak_options;

/**
 * agn_signal_find_peaks - places of local maxima
 *
 * Of a plateau its middle. Conditions apply in the order plateau, height, threshold, distance,
 * prominence, width.
 *
 * @param out   out, [peaks], i64, rising
 * @param x     in, [n], real, in memory of the host
 * @param opts  NULL: all of them
 * @errors      AGN_ENULL, AGN_ESHAPE (more than one axis), AGN_EDTYPE (complex), AGN_EARG (unknown
 *              size, conditions, ranges, distance, window or part), AGN_ESYMBOLIC (while tracing),
 *              AGN_EDEVICE, AGN_ENOMEM
 * @grad        none: places
 * @cost        O(n log n), of prominences O(n) each
 * @ref         Virtanen et al. 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_find_peaks(agn_tensor **out, const agn_tensor *x,
                                                        const agn_signal_peak_options *opts);

/**
 * agn_signal_measure_peaks - prominences and widths
 *
 * A row for each peak: prominence, places of the lowest points at its left and its right, width,
 * and the places at its left and its right where it is measured.
 *
 * @param out     out, [peaks, 6], f64
 * @param x       in, [n], real, in memory of the host
 * @param peaks   in, [peaks], i64 or i32
 * @param window  samples about a peak that prominences see; 0: all
 * @param part    of the prominence at which widths are taken; 0: 0.5
 * @errors        AGN_ENULL, AGN_ESHAPE (more than one axis), AGN_EDTYPE (complex, no integers),
 *                AGN_EARG (window or part), AGN_EINDEX (a peak outside), AGN_ESYMBOLIC (while
 *                tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad          none
 * @cost          O(n) per peak
 * @ref           Virtanen et al. 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_measure_peaks(agn_tensor **out, const agn_tensor *x,
                                                           const agn_tensor *peaks, int64_t window,
                                                           double part);

/* ---- wavelets -------------------------------------------------------------------------- */

/** Wavelets. */
enum {
    AGN_WAVELET_DAUBECHIES, /* orthonormal, of order 1 (Haar) to 10: as many moments vanish */
    AGN_WAVELET_CDF_5_3,    /* symmetric, of 5 and 3 taps; biorthogonal */
    AGN_WAVELET_CDF_9_7     /* symmetric, of 9 and 7 taps; biorthogonal */
};

/**
 * agn_signal_wavelet_transform - periodic discrete wavelet transform
 *
 * [a_L, d_L, d_(L-1), ..., d_1]: what is left after L levels, then details from coarse to fine.
 * With an orthonormal wavelet the inverse is the transpose.
 *
 * @param out     out, [..., n]
 * @param x       in, [..., n], n a multiple of 2^levels; f16 and bf16 as f32, integers as f64
 * @param family  AGN_WAVELET_DAUBECHIES, ...
 * @param order   1 to 10 of AGN_WAVELET_DAUBECHIES; others ignore it
 * @param levels  0 to 62
 * @errors        AGN_ENULL, AGN_ESHAPE (no samples, a length that 2^levels does not divide, rank
 *                32), AGN_EARG (family, order, levels), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n taps)
 * @ref           Mallat 1989; Daubechies 1988; Cohen, Daubechies & Feauveau 1992
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_wavelet_transform(agn_tensor **out,
                                                               const agn_tensor *x, int32_t family,
                                                               int32_t order, int32_t levels);

/**
 * agn_signal_inverse_wavelet_transform - signal from its wavelet transform
 *
 * @param out     out, [..., n]
 * @param x       in, [..., n], as agn_signal_wavelet_transform gives it
 * @param family  AGN_WAVELET_DAUBECHIES, ...
 * @param order   1 to 10 of AGN_WAVELET_DAUBECHIES; others ignore it
 * @param levels  0 to 62
 * @errors        AGN_ENULL, AGN_ESHAPE (no samples, a length that 2^levels does not divide, rank
 *                32), AGN_EARG (family, order, levels), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n taps)
 * @ref           Mallat 1989; Daubechies 1988; Cohen, Daubechies & Feauveau 1992
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_inverse_wavelet_transform(agn_tensor **out,
                                                                       const agn_tensor *x,
                                                                       int32_t family,
                                                                       int32_t order,
                                                                       int32_t levels);

/* ---- the whole signal at once ---------------------------------------------------------- */

/**
 * agn_signal_periodogram - power density of a whole signal
 *
 * agn_signal_welch of one frame; without a window unless one is given.
 *
 * @param out   out, [..., n / 2 + 1]
 * @param x     in, [..., n], real
 * @param opts  NULL for defaults; length and hop are ignored
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, the window), AGN_EARG
 *              (unknown size, a rate that is not positive), AGN_ENOMEM
 * @grad        in x and the window
 * @cost        O(n log n)
 * @ref         Schuster 1898
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_periodogram(agn_tensor **out, const agn_tensor *x,
                                                         const agn_signal_welch_options *opts);

/**
 * agn_signal_lfilter_steady - state that a step of height 1 leaves for ever
 *
 * Times the first sample it lets agn_signal_lfilter_state begin without a jump.
 *
 * @param out  out, [..., m], m = max(taps, order + 1) - 1
 * @param b    in, [..., taps]; leading axes broadcast
 * @param a    in, [..., order + 1]
 * @errors     AGN_ENULL, AGN_ESHAPE (no state, batches that do not broadcast), AGN_ENOMEM
 * @grad       in b and a
 * @cost       O(taps + order)
 * @ref        Gustafsson 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lfilter_steady(agn_tensor **out, const agn_tensor *b,
                                                            const agn_tensor *a);

/* ---- convolution along time ------------------------------------------------------------ */

/** How agn_signal_convolve sums. */
enum {
    AGN_CONVOLVE_AUTO,       /* whichever is expected to be the fastest; integers directly */
    AGN_CONVOLVE_DIRECT,     /* agn_convolve */
    AGN_CONVOLVE_FFT,        /* agn_fft_convolve */
    AGN_CONVOLVE_OVERLAP_ADD /* agn_signal_oaconvolve */
};

/**
 * agn_signal_convolve - sum over j of a_(k - j) v_j along the last axis, by the cheapest method
 *
 * @param out     out, [..., count]
 * @param a       in, [..., n]  f16 bf16 f32 f64 c64 c128, integers
 * @param v       in, [..., m]; leading axes broadcast
 * @param mode    AGN_FULL, AGN_SAME or AGN_VALID
 * @param method  AGN_CONVOLVE_AUTO, ...; integers by a transform give f64
 * @errors        as agn_convolve and agn_fft_convolve: AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE (bool),
 *                AGN_EARG (mode, method, sizes above 2^30 - 1 by a transform), AGN_EUNSUPPORTED,
 *                AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n min(m, log n)) for m < n
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_convolve(agn_tensor **out, const agn_tensor *a,
                                                      const agn_tensor *v, int32_t mode,
                                                      int32_t method);

/**
 * agn_signal_oaconvolve - sum over j of a_(k - j) v_j along the last axis, by transforms of blocks
 *
 * For signals of different lengths: blocks of the longer one fit the caches, and their results are
 * added where they overlap.
 *
 * @param out   out, [..., count]; f64 for integers
 * @param a     in, [..., n]  f16 bf16 f32 f64 c64 c128, integers as f64
 * @param v     in, [..., m]; leading axes broadcast
 * @param mode  AGN_FULL, AGN_SAME or AGN_VALID
 * @errors      as agn_fft_convolve: AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE (bool), AGN_EARG (mode, sizes
 *              above 2^30 - 1, rank 32), AGN_EUNSUPPORTED, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log m) for m < n
 * @ref         Stockham 1966; Oppenheim & Schafer 2010, 8.7
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_oaconvolve(agn_tensor **out, const agn_tensor *a,
                                                        const agn_tensor *v, int32_t mode);

/* ---- continuous wavelets --------------------------------------------------------------- */

/** Wavelets of unit energy. */
enum {
    AGN_CWT_MORLET, /* pi^(-1/4) exp(i omega t - t^2 / 2), complex */
    AGN_CWT_RICKER  /* 2 / (sqrt(3) pi^(1/4)) (1 - t^2) exp(-t^2 / 2), real */
};

/**
 * agn_signal_cwt - continuous wavelet transform of a periodic signal
 *
 * W(s, t) = s^(-1/2) sum_n x_n conj psi((n - t) / s), over all periods; of frequencies up to half
 * the rate. A scale that is not positive gives NaN.
 *
 * @param out     out, [..., scales, n]; complex of AGN_CWT_MORLET
 * @param x       in, [..., n], real; f16 and bf16 as f32, integers as f64
 * @param scales  in, [scales], real, in samples
 * @param kind    AGN_CWT_MORLET or AGN_CWT_RICKER
 * @param omega   of AGN_CWT_MORLET; 0: 6
 * @errors        AGN_ENULL, AGN_EDTYPE (complex x or scales), AGN_ESHAPE (no samples, scales, rank
 *                32, more than 2^31 - 1 samples), AGN_EARG (kind, omega), AGN_ENOMEM
 * @grad          in x and scales
 * @cost          O(scales n log n)
 * @ref           Torrence & Compo 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_cwt(agn_tensor **out, const agn_tensor *x,
                                                 const agn_tensor *scales, int32_t kind,
                                                 double omega);

/**
 * agn_signal_icwt - the real signal whose wavelet transform is nearest
 *
 * In the sense of least squares. Frequencies whose power in the filters is below 1e-10 of the
 * greatest, the mean among them, are left out: no scale sees them.
 *
 * @param out     out, [..., n], real
 * @param x       in, [..., scales, n], as agn_signal_cwt gives it; real for AGN_CWT_RICKER
 * @param scales  in, [scales], real, in samples
 * @param kind    AGN_CWT_MORLET or AGN_CWT_RICKER
 * @param omega   of AGN_CWT_MORLET; 0: 6
 * @errors        AGN_ENULL, AGN_EDTYPE (complex scales, a complex transform of AGN_CWT_RICKER),
 *                AGN_ESHAPE (no samples, scales, more than 2^31 - 1 samples), AGN_EARG (kind,
 *                omega), AGN_ENOMEM
 * @grad          in x and scales
 * @cost          O(scales n log n)
 * @ref           Torrence & Compo 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_icwt(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *scales, int32_t kind,
                                                  double omega);

#ifdef __cplusplus
}
#endif
#endif
