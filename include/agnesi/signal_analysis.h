/**
 * agnesi/signal_analysis.h - filters of one frequency, decimation, images of signals, spectrograms
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last axis of a signal is time, the last two of an image are its rows and columns; other axes
 * are a batch. f16 and bf16 are computed as f32, integers as f64.
 */
#ifndef AGNESI_SIGNAL_ANALYSIS_H
#define AGNESI_SIGNAL_ANALYSIS_H

#include <agnesi/signal.h>
#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- filters --------------------------------------------------------------------------- */

/**
 * agn_signal_design_notch - filter that takes one frequency out, or leaves it alone
 *
 * Its width at 3 dB is frequency / q. Both coefficients are NaN unless the frequency
 * and the width lie between 0 and half the rate, or where rounding leaves no stable
 * filter.
 *
 * @param b          out, [..., 3]
 * @param a          out, [..., 3], the first one 1
 * @param frequency  in, [...], real, between 0 and half the rate
 * @param q          in, [...], real, positive; broadcasts
 * @param rate       samples per second
 * @param pass       leave it alone
 * @errors           AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (shapes do not broadcast, rank 32),
 *                   AGN_EARG (a rate that is not positive), AGN_ENOMEM
 * @grad             in frequency and q
 * @cost             O(size)
 * @ref              Orfanidis 1996, 11.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_notch(agn_tensor **b, agn_tensor **a,
                                                          const agn_tensor *frequency,
                                                          const agn_tensor *q, double rate,
                                                          bool pass);

/**
 * agn_signal_design_comb - filter that takes out, or leaves alone, all multiples of a frequency
 *
 * b_0 and b_period, a_0 and a_period; other coefficients are 0.
 *
 * @param b       out, [period + 1], f64
 * @param a       out, [period + 1], f64
 * @param period  samples of a period of the frequency, 2 to 2^24
 * @param q       frequency over the width at 3 dB of each tooth, above 1/2
 * @param pass    leave multiples alone
 * @param middle  odd multiples of half the frequency in place of multiples
 * @errors        AGN_ENULL, AGN_EARG (period, q), AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(period)
 * @ref           Orfanidis 1996, 11.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_comb(agn_tensor **b, agn_tensor **a,
                                                         int64_t period, double q, bool pass,
                                                         bool middle);

/**
 * agn_signal_minimum_phase - filter of least delay with the root of a filter's magnitudes
 *
 * By the cepstrum. Of a symmetric filter, whose squared magnitudes it would have, half as long.
 *
 * @param out    out, [..., ceil(taps / 2)], or [..., taps]
 * @param h      in, [..., taps], real, 3 taps and more
 * @param n_fft  points of the transform, at least taps; 0: 2^ceil(log2(200 (taps - 1)))
 * @param whole  the magnitudes themselves, at full length
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than 3 taps), AGN_EARG (n_fft),
 *               AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(n_fft log n_fft)
 * @ref          Oppenheim & Schafer 2010, 13.8
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_minimum_phase(agn_tensor **out, const agn_tensor *h,
                                                           int64_t n_fft, bool whole);

/**
 * agn_signal_decimate - every factor-th sample, after a low pass without delay
 *
 * @param out     out, [..., ceil(n / factor)]
 * @param x       in, [..., n]
 * @param factor  1 to 2^20
 * @param fir     20 factor + 1 taps under a Hamming window; else a Chebyshev filter of order 8 and
 *                0.05 dB, forwards and backwards, which needs 28 samples
 * @errors        AGN_ENULL, AGN_ESHAPE (too few samples, rank 32), AGN_EARG (factor), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 * @ref           Crochiere & Rabiner 1983
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_decimate(agn_tensor **out, const agn_tensor *x,
                                                      int64_t factor, bool fir);

/* ---- images ---------------------------------------------------------------------------- */

/**
 * agn_signal_wiener - nearer to the local mean the less the local variance is above that of noise
 *
 * Windows about each place, zeros beyond the ends.
 *
 * @param out     out, like x
 * @param x       in, real
 * @param sizes   of the window along each of the last n_axes axes, odd
 * @param n_axes  1 or 2
 * @param noise   its variance; negative: the mean of the local variances
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer axes, an empty one, one shorter
 *                than the window), AGN_EARG (sizes, n_axes, noise), AGN_ENOMEM
 * @grad          where no local variance is that of noise
 * @cost          O(size sizes)
 * @ref           Lim 1990, 9.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_wiener(agn_tensor **out, const agn_tensor *x,
                                                    const int64_t *sizes, int32_t n_axes,
                                                    double noise);

/**
 * agn_signal_rank_filter - number of a rank in a window about each place
 *
 * Rank (rows columns - 1) / 2 is the median. Zeros are beyond the ends.
 *
 * @param out      out, [..., n, m]
 * @param x        in, [..., n, m], real
 * @param rows     of the window, odd, rows columns below 2^20
 * @param columns  odd
 * @param rank     0: the least
 * @errors         AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than two axes, rank 31 and
 *                 32), AGN_EARG (rows, columns, rank), AGN_ENOMEM
 * @grad           where no two numbers are equal
 * @cost           O(size rows columns log(rows columns))
 * @ref            Tukey 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_rank_filter(agn_tensor **out, const agn_tensor *x,
                                                         int64_t rows, int64_t columns,
                                                         int64_t rank);

/**
 * agn_signal_convolve2d - convolution of images that go on beyond their edges
 *
 * @param out   out, [..., rows, columns]
 * @param a     in, [..., n, m]
 * @param v     in, [..., p, q]; leading axes broadcast
 * @param mode  AGN_FULL, AGN_SAME (as a, its middle) or AGN_VALID (where nothing is beyond)
 * @param edge  AGN_PAD_EDGE, AGN_PAD_REFLECT, AGN_PAD_SYMMETRIC or AGN_PAD_WRAP; -1: the number
 *              fill
 * @param fill  beyond the edges, where edge is -1
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes, an empty one, v beyond a in AGN_VALID,
 *              batches that do not broadcast), AGN_EARG (mode, edge), AGN_ENOMEM
 * @grad        in a and v
 * @cost        O(n m p q)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_convolve2d(agn_tensor **out, const agn_tensor *a,
                                                        const agn_tensor *v, int32_t mode,
                                                        int32_t edge, double fill);

/**
 * agn_signal_hilbert2 - analytic signal of an image, of positive frequencies along both axes
 *
 * @param out  out, [..., n, m], complex
 * @param x    in, [..., n, m], real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (fewer than two axes, an empty one),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n m log(n m))
 * @ref        Hahn 1992
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_hilbert2(agn_tensor **out, const agn_tensor *x);

/* ---- spectra --------------------------------------------------------------------------- */

/** What agn_signal_spectrogram shows. */
enum {
    AGN_SPECTRUM_POWER,     /* density, or power, one-sided */
    AGN_SPECTRUM_COMPLEX,   /* amplitudes whose squares they are, but for the other side */
    AGN_SPECTRUM_MAGNITUDE, /* their size */
    AGN_SPECTRUM_ANGLE      /* their phase */
};

/**
 * agn_signal_spectrogram - spectra of frames, each as agn_signal_periodogram has them
 *
 * @param out   out, [..., length / 2 + 1, frames], real, or complex
 * @param x     in, [..., n], real
 * @param kind  AGN_SPECTRUM_POWER, ...
 * @param opts  as of agn_signal_welch; NULL for defaults
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, fewer than a frame, the
 *              window, rank 32), AGN_EARG (unknown size, kind, an option out of range), AGN_ENOMEM
 * @grad        in x and the window
 * @cost        O(frames length log length)
 * @ref         Allen & Rabiner 1977
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_spectrogram(agn_tensor **out, const agn_tensor *x,
                                                         int32_t kind,
                                                         const agn_signal_welch_options *opts);

/**
 * agn_signal_check_overlap - sums of windows, or of their squares, at each sample of a step
 *
 * What istft divides by. Constant sums add up to a signal as it was (COLA); squares that are not 0
 * can be divided by (NOLA).
 *
 * @param constant  out, whether sums of windows differ from their median by less than tolerance
 * @param covered   out, whether sums of squares are above tolerance
 * @param window    in, [n], real, in memory of the host
 * @param hop       1 to n
 * @param tolerance not negative, 1e-10 is usual
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not one axis, no sample), AGN_EARG
 *                  (hop, tolerance), AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad            none
 * @cost            O(n log n)
 * @ref             Allen & Rabiner 1977; Griffin & Lim 1984
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_check_overlap(bool *constant, bool *covered,
                                                           const agn_tensor *window, int64_t hop,
                                                           double tolerance);

/**
 * agn_signal_dual_window - window whose frames, added up, give back what a window took
 *
 * Of all such windows the one of least norm: the window over the sums of squares of those that
 * overlap. NaN where they leave a sample uncovered.
 *
 * @param out     out, [n]
 * @param window  in, [n], real; integers as f64
 * @param hop     samples from frame to frame, 1 to n
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not one axis, empty), AGN_EARG (hop),
 *                AGN_ENOMEM
 * @grad          in window
 * @cost          O(n)
 * @ref           Griffin & Lim 1984
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_dual_window(agn_tensor **out, const agn_tensor *window,
                                                         int64_t hop);

/**
 * agn_signal_lombscargle_fit - share of a sinusoid in weighted samples at any times
 *
 * The part, 0 to 1, of the weighted squares that the best sinusoid of each frequency takes; with a
 * floating mean, of those about the mean, the mean fitted with the sinusoid.
 *
 * @param out       out, [..., frequencies]
 * @param t         in, [n], times, real
 * @param y         in, [..., n], real
 * @param weights   in, [n], real, not negative; NULL: all alike
 * @param w         in, [frequencies], real, in radians per unit of time, not 0
 * @param floating  with a floating mean
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, other times, w, rank
 *                  32), AGN_ENOMEM
 * @grad            in t, y, weights and w
 * @cost            O(n frequencies)
 * @ref             Zechmeister & Kuerster 2009
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lombscargle_fit(agn_tensor **out, const agn_tensor *t,
                                                             const agn_tensor *y,
                                                             const agn_tensor *weights,
                                                             const agn_tensor *w, bool floating);

/**
 * agn_signal_hartley - discrete Hartley transform, sum_k x_k (cos + sin)(2 pi j k / n)
 *
 * Real of a real signal; its own inverse but for the factor n.
 *
 * @param out  out, [..., n]
 * @param x    in, [..., n], real
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n log n)
 * @ref        Bracewell 1983
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_hartley(agn_tensor **out, const agn_tensor *x);

/* ---- design from tolerances ------------------------------------------------------------ */

/**
 * agn_signal_choose_iir_order - lowest order and edges of a recursive filter for its tolerances
 *
 * The order at which a filter loses at most ripple up to the pass edges, and attenuation at least
 * from the stop edges on; edges at which it keeps the first exactly (Butterworth, inverse
 * Chebyshev: those that its design takes).
 *
 * @param out        out, opts with order, low and high set: for agn_signal_design_iir
 * @param opts       family (not Bessel), band, low and high as pass edges, rate, ripple and
 *                   attenuation; order is not read
 * @param stop_low   stop edge: above low of a low pass and of a band that is stopped, else below
 * @param stop_high  of AGN_BAND_PASS and AGN_BAND_STOP, on the other side of high
 * @errors           AGN_ENULL, AGN_EARG (unknown size, family or band; edges or decibels out of
 *                   range or order), AGN_EDOMAIN (an order above 64)
 * @grad             none
 * @cost             O(1)
 * @ref              Oppenheim & Schafer 2010, B; Orfanidis 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_choose_iir_order(agn_signal_iir_options *out,
                                                              const agn_signal_iir_options *opts,
                                                              double stop_low, double stop_high);

/**
 * agn_signal_choose_kaiser - taps and window of a filter for its tolerances
 *
 * @param taps         out, of agn_signal_design_fir
 * @param beta         out, of AGN_WINDOW_KAISER
 * @param attenuation  dB, 8 and more, below 1000: the largest error of pass and stop bands
 * @param width        of the transition, over half the rate, above 0, below 1
 * @errors             AGN_ENULL, AGN_EARG (attenuation, width)
 * @grad               none
 * @cost               O(1)
 * @ref                Kaiser 1974
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_choose_kaiser(int64_t *taps, double *beta,
                                                           double attenuation, double width);

/**
 * agn_signal_design_fir_sampled - filter of finite length whose gains are given at frequencies
 *
 * Gains are linear between them, sampled densely, transformed and cut off by a window; where two
 * frequencies are equal they jump.
 *
 * @param out          out, [taps], f64
 * @param taps         3 to 2^20
 * @param frequencies  [count], from 0 to half the rate, not falling, none three times
 * @param gains        [count]
 * @param count        2 to 2^20
 * @param odd          h_k = -h_(taps-1-k): a differentiator, a Hilbert transform
 * @param opts         rate and window are read; NULL for defaults
 * @errors             AGN_ENULL, AGN_EARG (unknown size, frequencies, gains, taps, count; a gain at
 *                     an end at which such a filter is 0), AGN_ESHAPE, AGN_EDTYPE (the window),
 *                     AGN_ENOMEM
 * @grad               none: a constant
 * @cost               O(taps log taps + count)
 * @ref                Oppenheim & Schafer 2010, 7.5
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_fir_sampled(
    agn_tensor **out, int64_t taps, const double *frequencies, const double *gains, int32_t count,
    bool odd, const agn_signal_fir_options *opts);

/**
 * agn_signal_design_gammatone - filter of the ear: a power of time, fading, times a cosine
 *
 * @param b          out, [5] or [taps], f64
 * @param a          out, [9] or [1], f64: of order 4 and gain 1 at the frequency
 * @param frequency  of the centre, between 0 and half the rate
 * @param rate       samples per second
 * @param order      of the finite filter, 1 to 24; 0: the recursive one
 * @param taps       of the finite filter, 1 to 2^20; else 0
 * @errors           AGN_ENULL, AGN_EARG (frequency, rate, order, taps), AGN_ENOMEM
 * @grad             none: constants
 * @cost             O(taps)
 * @ref              Slaney 1993; Glasberg & Moore 1990
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_gammatone(agn_tensor **b, agn_tensor **a,
                                                              double frequency, double rate,
                                                              int32_t order, int64_t taps);

/* ---- sequences, events ----------------------------------------------------------------- */

/**
 * agn_signal_maximum_length - binary sequence of a shift register with the longest period
 *
 * @param out    out, [n], u8: 0 and 1
 * @param state  in and out, [bits]: 0 and 1, not all 0; NULL: from all 1
 * @param bits   2 to 32
 * @param n      0: the period, 2^bits - 1, bits at most 28
 * @errors       AGN_ENULL, AGN_EARG (bits, n, state), AGN_ENOMEM
 * @grad         none
 * @cost         O(n)
 * @ref          Golomb 1967
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_maximum_length(agn_tensor **out, uint8_t *state,
                                                            int32_t bits, int64_t n);

/**
 * agn_signal_sweep_polynomial - cosine whose frequency is a polynomial of time
 *
 * @param out           out, like t
 * @param t             in, any shape, real; f16 and bf16 as f32, integers as f64
 * @param coefficients  [count], the highest power first; Hz
 * @param count         1 to 64
 * @param phase         at 0, in radians
 * @errors              AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (count, a number that is not
 *                      finite), AGN_ENOMEM
 * @grad                in t
 * @cost                O(count n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sweep_polynomial(agn_tensor **out, const agn_tensor *t,
                                                              const double *coefficients,
                                                              int32_t count, double phase);

/**
 * agn_signal_vector_strength - how well events keep a period
 *
 * Length and angle of the mean of exp(2 pi i t / period).
 *
 * @param strength  out, [...], 0 to 1
 * @param phase     out, [...], in radians
 * @param events    in, [n], real: times
 * @param period    in, [...], real; NaN where it is 0
 * @errors          AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (events that are not [n], none),
 *                  AGN_ENOMEM
 * @grad            in both, where the strength is not 0
 * @cost            O(n periods)
 * @ref             Goldberg & Brown 1969
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_vector_strength(agn_tensor **strength,
                                                             agn_tensor **phase,
                                                             const agn_tensor *events,
                                                             const agn_tensor *period);

/* ---- splines --------------------------------------------------------------------------- */

/**
 * agn_signal_spline_coefficients - weights of the B-splines through equidistant samples
 *
 * The signal is mirrored at its first and last sample; NaN and infinities spread to all weights.
 *
 * @param out     out, [..., n]
 * @param x       in, [..., n], real or complex; f16 and bf16 as f32, integers as f64
 * @param degree  2 or 3
 * @errors        AGN_ENULL, AGN_ESHAPE (no sample), AGN_EARG (degree), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n)
 * @ref           Unser, Aldroubi & Eden 1993
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_spline_coefficients(agn_tensor **out,
                                                                 const agn_tensor *x,
                                                                 int32_t degree);

/**
 * agn_signal_spline_values - sums of weighted B-splines at any places
 *
 * @param out     out, [..., m]
 * @param c       in, [..., n]: agn_signal_spline_coefficients
 * @param at      in, [m], real: places, 0 the first sample, 1 the next; beyond the ends mirrored
 * @param degree  2 or 3
 * @errors        AGN_ENULL, AGN_EDTYPE (complex places), AGN_ESHAPE (no coefficient, places that
 *                are not [m]), AGN_EARG (degree), AGN_ENOMEM
 * @grad          in c and places
 * @cost          O(m degree)
 * @ref           Unser, Aldroubi & Eden 1993
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_spline_values(agn_tensor **out, const agn_tensor *c,
                                                           const agn_tensor *at, int32_t degree);

/* ---- mirrored signals ------------------------------------------------------------------ */

/**
 * agn_signal_symiir - what a symmetric filter would make a signal of, forwards and backwards
 *
 * y with sum_k h_|k| y_(t-k) = x_t, k from -p to p, both mirrored at their ends for ever: the
 * filter by its poles inside and outside of the unit circle at once. (1 + z^2, -z) / c is a pole at
 * z either way; (2/3 + 6 s, 1/6 - 4 s, s) gives the weights of the cubic spline that smooths by s.
 * Not finite where the filter lets some frequency of the mirrored signal not through.
 *
 * @param out   out, like x
 * @param x     in, real or complex
 * @param h     in, [p + 1], real: the middle of the filter and one side
 * @param axis  of time, in [-ndim, ndim)
 * @param edge  AGN_PAD_REFLECT, about the first and the last sample, or AGN_PAD_SYMMETRIC, which
 *              repeats them
 * @errors      AGN_ENULL, AGN_EDTYPE (h is complex), AGN_ESHAPE (an empty axis, h), AGN_EINDEX
 *              (axis), AGN_EARG (edge), AGN_ENOMEM
 * @grad        in x and h
 * @cost        O(size log n + n p)
 * @ref         Unser, Aldroubi & Eden 1993
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_symiir(agn_tensor **out, const agn_tensor *x,
                                                    const agn_tensor *h, int32_t axis,
                                                    int32_t edge);

/**
 * agn_signal_sepfir2d - image under a filter of its rows and one of its columns
 *
 * Both are convolutions, the middle of the filter at each place.
 *
 * @param out     out, like x
 * @param x       in, [..., n, m]
 * @param row     in, [taps], odd: along rows, the last axis
 * @param column  in, [taps], odd: along columns
 * @param edge    AGN_PAD_REFLECT or AGN_PAD_SYMMETRIC: how the image goes on
 * @errors        AGN_ENULL, AGN_ESHAPE (fewer than two axes, an empty one; filters that are not
 *                [taps], odd, at most 2 n - 1 long), AGN_EARG (edge), AGN_ENOMEM
 * @grad          in all
 * @cost          O(size taps)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sepfir2d(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *row,
                                                      const agn_tensor *column, int32_t edge);

/**
 * agn_signal_correlate2d - correlation of images that go on beyond their edges
 *
 * sum of a(i + k) conj(v(k)).
 *
 * @param out   out, [..., rows, columns]
 * @param a     in, [..., n, m]
 * @param v     in, [..., p, q]; leading axes broadcast
 * @param mode  AGN_FULL, AGN_SAME (as a, its middle) or AGN_VALID (where nothing is beyond)
 * @param edge  AGN_PAD_EDGE, AGN_PAD_REFLECT, AGN_PAD_SYMMETRIC or AGN_PAD_WRAP; -1: the number
 *              fill
 * @param fill  beyond the edges, where edge is -1
 * @errors      AGN_ENULL, AGN_ESHAPE (fewer than two axes, an empty one, v beyond a in AGN_VALID,
 *              batches that do not broadcast), AGN_EARG (mode, edge), AGN_ENOMEM
 * @grad        in a and v
 * @cost        O(n m p q)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_correlate2d(agn_tensor **out, const agn_tensor *a,
                                                         const agn_tensor *v, int32_t mode,
                                                         int32_t edge, double fill);

/**
 * agn_signal_gauss_spline - bell curve that B-splines of a degree tend to
 *
 * @param out     out, like x
 * @param x       in, real
 * @param degree  0 to 10000
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (degree), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(size)
 * @ref           Unser, Aldroubi & Eden 1993
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_gauss_spline(agn_tensor **out, const agn_tensor *x,
                                                          int32_t degree);

/* ---- extrema --------------------------------------------------------------------------- */

/**
 * agn_signal_local_extrema - which numbers are above, or below, all of those near them
 *
 * Strictly; ends are none, unless the axis is a circle. agn_argwhere gives their places.
 *
 * @param out     out, like x, bool
 * @param x       in, real
 * @param order   numbers on either side, 1 and more
 * @param axis    along which
 * @param least   minima
 * @param circle  the last number is before the first
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (order), AGN_ENOMEM
 * @grad          none
 * @cost          O(size order)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_local_extrema(agn_tensor **out, const agn_tensor *x,
                                                           int64_t order, int32_t axis, bool least,
                                                           bool circle);

/** Options of agn_signal_find_peaks_cwt; zero members are defaults. */
typedef struct agn_signal_ridge_options {
    size_t size;       /* sizeof(agn_signal_ridge_options) */
    double distance;   /* of a maximum from that of the next width, in widths; 1/4 */
    double gap;        /* most widths in a row without a maximum; the first width, rounded up */
    int64_t least;     /* length of a line, in widths; a quarter of their number, rounded up */
    double snr;        /* of the first width over the noise; 1; negative: any */
    double percentile; /* of the first width in a window that is noise; 10; negative: 0 */
    int64_t window;    /* samples; a twentieth of all, rounded up */
} agn_signal_ridge_options;

/**
 * agn_signal_find_peaks_cwt - peaks that stay while a signal is smoothed
 *
 * The signal under Ricker's wavelets of rising widths, each cut off at ten of them: maxima of one
 * width that lie near those of the next are lines, and a peak is where a long line that stands out
 * of the noise has its least width.
 *
 * @param out     out, [count], i64, rising
 * @param x       in, [n], real, in memory of the host
 * @param widths  rising, positive
 * @param n       number of widths, 1 to 65536
 * @param opts    NULL for defaults
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not a row, or empty), AGN_EARG
 *                (widths, unknown size, an option out of range), AGN_EDOMAIN (NaN, infinity),
 *                AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad          none
 * @cost          O(widths n log n)
 * @ref           Du, Kibbe & Lin 2006
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_find_peaks_cwt(agn_tensor **out, const agn_tensor *x,
                                                            const double *widths, int32_t n,
                                                            const agn_signal_ridge_options *opts);

/**
 * agn_signal_correlation_lags - by how much the first of two signals is later
 *
 * At each entry of agn_fft_correlate.
 *
 * @param out   out, [lags], i64, rising by 1
 * @param n     samples of the first, 1 and more
 * @param m     of the second
 * @param mode  AGN_FULL, AGN_SAME or AGN_VALID
 * @errors      AGN_ENULL, AGN_EARG (n, m, mode), AGN_ENOMEM
 * @grad        none
 * @cost        O(n + m)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_correlation_lags(agn_tensor **out, int64_t n,
                                                              int64_t m, int32_t mode);

/**
 * agn_signal_design_fir_2d - product of two filters, or a filter about an axis
 *
 * @param out     out, [rows, columns], f64
 * @param row     in, [columns], real: agn_signal_design_fir
 * @param column  in, [rows], real; NULL: row is read, linearly, from the middle of the image, its
 *                first tap, to where its inscribed circle ends, its last tap, and beyond
 * @param rows    of the image, 1 to 2^20; the taps of column where that is given
 * @param columns the taps of row where column is given
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (filters that are not [taps]),
 *                AGN_EARG (rows, columns), AGN_ENOMEM
 * @grad          in row and column
 * @cost          O(rows columns)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_design_fir_2d(agn_tensor **out, const agn_tensor *row,
                                                           const agn_tensor *column, int64_t rows,
                                                           int64_t columns);

#ifdef __cplusplus
}
#endif

#endif
