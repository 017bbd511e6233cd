/**
 * agnesi/signal_systems.h - linear time-invariant systems: transfer functions, roots, states
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system is a quotient of polynomials b / a, coefficients of the highest power first; its zeros,
 * poles and gain; second-order sections; or a state space x' = a x + b u, y = c x + d u. The last
 * axis of u, x and y is time; leading axes of all are a batch and broadcast. f16 and bf16 are
 * computed as f32, integers as f64.
 */
#ifndef AGNESI_SIGNAL_SYSTEMS_H
#define AGNESI_SIGNAL_SYSTEMS_H

#include <agnesi/signal.h>
#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- representations ------------------------------------------------------------------- */

/**
 * agn_signal_roots_to_polynomials - zeros, poles and gain multiplied out
 *
 * Complex roots give complex coefficients: those of conjugate pairs have no imaginary parts but
 * rounding, and agn_real() takes them off.
 *
 * @param b      out, [..., zeros + 1]
 * @param a      out, [..., poles + 1], the first one 1
 * @param zeros  in, [..., zeros]
 * @param poles  in, [..., poles]
 * @param gain   in, [...]
 * @errors       AGN_ENULL, AGN_ESHAPE (0-D zeros or poles, batches that do not broadcast),
 *               AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(zeros^2 + poles^2)
 * @ref          Oppenheim & Schafer 2010, 5.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_roots_to_polynomials(agn_tensor **b, agn_tensor **a,
                                                                  const agn_tensor *zeros,
                                                                  const agn_tensor *poles,
                                                                  const agn_tensor *gain);

/**
 * agn_signal_polynomials_to_roots - zeros, poles and gain of a quotient
 *
 * Eigenvalues of companion matrices.
 *
 * @param zeros  out, [..., taps - 1], complex
 * @param poles  out, [..., order], complex
 * @param gain   out, [...], b_0 / a_0
 * @param b      in, [..., taps], the first one not 0
 * @param a      in, [..., order + 1], the first one not 0
 * @errors       AGN_ENULL, AGN_ESHAPE (no coefficients), AGN_EDOMAIN (a first coefficient of 0, or
 *               one that is not finite), AGN_ENOCONV, AGN_ENOMEM
 * @grad         where roots are simple
 * @cost         O(taps^3 + order^3)
 * @ref          Golub & Van Loan 2013, 7.4.6
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_polynomials_to_roots(agn_tensor **zeros,
                                                                  agn_tensor **poles,
                                                                  agn_tensor **gain,
                                                                  const agn_tensor *b,
                                                                  const agn_tensor *a);

/**
 * agn_signal_roots_to_sections - second-order sections of zeros, poles and gain
 *
 * Poles nearest to the unit circle are in the last section, with the zeros nearest to them; where
 * numbers of zeros and poles differ, roots at 0 are added.
 *
 * @param out    out, [sections, 6], f64: b_0 b_1 b_2 a_0 a_1 a_2 of each
 * @param zeros  in, [zeros], real or in conjugate pairs, in memory of the host
 * @param poles  in, [poles], alike
 * @param gain   of all
 * @errors       AGN_ENULL, AGN_ESHAPE (not one axis, more than 128 roots), AGN_EDOMAIN (not finite,
 *               a complex root without its conjugate), AGN_EARG (the gain is not finite),
 *               AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad         none
 * @cost         O((zeros + poles)^2)
 * @ref          Oppenheim & Schafer 2010, 6.9
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_roots_to_sections(agn_tensor **out,
                                                               const agn_tensor *zeros,
                                                               const agn_tensor *poles,
                                                               double gain);

/**
 * agn_signal_polynomials_to_sections - second-order sections of a quotient
 *
 * @param out  out, [sections, 6], f64
 * @param b    in, [taps], real, the first one not 0, in memory of the host
 * @param a    in, [order + 1], alike
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (not one axis, more than 128 roots),
 *             AGN_EDOMAIN (a first coefficient of 0, or one that is not finite), AGN_ENOCONV,
 *             AGN_ESYMBOLIC (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none
 * @cost       O(taps^3 + order^3)
 * @ref        Oppenheim & Schafer 2010, 6.9
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_polynomials_to_sections(agn_tensor **out,
                                                                     const agn_tensor *b,
                                                                     const agn_tensor *a);

/**
 * agn_signal_sections_to_roots - zeros, poles and gain of second-order sections
 *
 * Two of each of a section, by the quadratic formula; NaN and infinity where b_0 is 0.
 *
 * @param zeros  out, [..., 2 sections], complex
 * @param poles  out, [..., 2 sections], complex
 * @param gain   out, [...]
 * @param sos    in, [..., sections, 6]
 * @errors       AGN_ENULL, AGN_ESHAPE (no rows of six, no section), AGN_ENOMEM
 * @grad         where roots are simple
 * @cost         O(sections)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_sections_to_roots(agn_tensor **zeros,
                                                               agn_tensor **poles,
                                                               agn_tensor **gain,
                                                               const agn_tensor *sos);

/**
 * agn_signal_polynomials_to_state - state space of a quotient, in controller canonical form
 *
 * @param a    out, [..., order, order]
 * @param b    out, [..., order, 1]
 * @param c    out, [..., 1, order]
 * @param d    out, [..., 1, 1]
 * @param num  in, [..., taps], taps at most order + 1
 * @param den  in, [..., order + 1], the first one not 0
 * @errors     AGN_ENULL, AGN_ESHAPE (an order of 0, more taps than order + 1, batches that do not
 *             broadcast, rank 32), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(order^2)
 * @ref        Kailath 1980, 2.1
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_polynomials_to_state(agn_tensor **a, agn_tensor **b,
                                                                  agn_tensor **c, agn_tensor **d,
                                                                  const agn_tensor *num,
                                                                  const agn_tensor *den);

/**
 * agn_signal_state_to_polynomials - quotients of a state space
 *
 * The recursion of Faddeev and Le Verrier, for all inputs and outputs at once.
 *
 * @param num  out, [..., outputs, inputs, order + 1]
 * @param den  out, [..., order + 1], the first one 1
 * @param a    in, [..., order, order]
 * @param b    in, [..., order, inputs]
 * @param c    in, [..., outputs, order]
 * @param d    in, [..., outputs, inputs]; NULL: 0
 * @errors     AGN_ENULL, AGN_ESHAPE (matrices that do not fit, an order of 0, rank 32), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(order^4)
 * @ref        Kailath 1980, A.3
 */
AGN_API AGN_MUST_CHECK agn_status
agn_signal_state_to_polynomials(agn_tensor **num, agn_tensor **den, const agn_tensor *a,
                                const agn_tensor *b, const agn_tensor *c, const agn_tensor *d);

/**
 * agn_signal_residues - partial fractions of a quotient with simple poles
 *
 * b / a = sum_k r_k / (s - p_k) + direct.
 *
 * @param residues  out, [..., order], complex; infinite or NaN where poles coincide
 * @param poles     out, [..., order], complex
 * @param direct    out, [..., max(taps - order, 1)], the polynomial part
 * @param b         in, [..., taps]
 * @param a         in, [..., order + 1], the first one not 0, of order 1 and more
 * @errors          AGN_ENULL, AGN_ESHAPE (no coefficients, an order of 0, batches that do not
 *                  broadcast, rank 32), AGN_EDOMAIN (a first coefficient of 0, or one that is not
 *                  finite), AGN_ENOCONV, AGN_ENOMEM
 * @grad            where poles are simple
 * @cost            O(order^3 + taps order)
 * @ref             Oppenheim & Schafer 2010, 3.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_residues(agn_tensor **residues, agn_tensor **poles,
                                                      agn_tensor **direct, const agn_tensor *b,
                                                      const agn_tensor *a);

/**
 * agn_signal_residues_to_polynomials - quotient of partial fractions with simple poles
 *
 * b / a = sum_k r_k / (s - p_k) + direct. Complex poles give complex coefficients: those of
 * conjugate pairs have no imaginary parts but rounding, and agn_real() takes them off.
 *
 * @param b         out, [..., order + m]
 * @param a         out, [..., order + 1], the first one 1
 * @param residues  in, [..., order]
 * @param poles     in, [..., order], 1 to 1024
 * @param direct    in, [..., m], 1 at least, highest power first; [0] where there is no such part
 * @errors          AGN_ENULL, AGN_ESHAPE (residues and poles that differ, none of them or too many,
 *                  no coefficient, rank 32, batches that do not broadcast), AGN_ENOMEM
 * @grad            everywhere
 * @cost            O(order^3 + order m)
 * @ref             Oppenheim & Schafer 2010, 3.3
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_residues_to_polynomials(agn_tensor **b, agn_tensor **a,
                                                                     const agn_tensor *residues,
                                                                     const agn_tensor *poles,
                                                                     const agn_tensor *direct);

/**
 * agn_signal_deconvolve - quotient and remainder of polynomials
 *
 * x = the convolution of divisor and quotient, plus the remainder.
 *
 * @param quotient   out, [..., max(n - taps + 1, 1)]
 * @param remainder  out, [..., n]
 * @param x          in, [..., n]
 * @param divisor    in, [..., taps], the first one not 0
 * @errors           AGN_ENULL, AGN_ESHAPE (no samples, no taps, batches that do not broadcast),
 *                   AGN_ENOMEM
 * @grad             in x and the divisor
 * @cost             O(n taps)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_deconvolve(agn_tensor **quotient,
                                                        agn_tensor **remainder, const agn_tensor *x,
                                                        const agn_tensor *divisor);

/* ---- maps of frequency ----------------------------------------------------------------- */

/**
 * agn_signal_bilinear - digital filter of an analog one, s = 2 rate (z - 1) / (z + 1)
 *
 * @param b     out, [..., n], n the larger number of coefficients
 * @param a     out, [..., n], the first one 1
 * @param num   in, [..., taps]
 * @param den   in, [..., order + 1]
 * @param rate  samples per second
 * @errors      AGN_ENULL, AGN_ESHAPE (no coefficients, more than 1024, batches that do not
 *              broadcast), AGN_EARG (a rate that is not positive), AGN_ENOMEM
 * @grad        in num and den
 * @cost        O(n^2)
 * @ref         Oppenheim & Schafer 2010, 7.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_bilinear(agn_tensor **b, agn_tensor **a,
                                                      const agn_tensor *num, const agn_tensor *den,
                                                      double rate);

/**
 * agn_signal_transform_band - analog low pass with the edge 1 moved to another band
 *
 * With w0^2 = low high: s / low, low / s, (s^2 + w0^2) / (s (high - low)), or its inverse, in place
 * of s.
 *
 * @param b     out, [..., n], or [..., 2 n - 1] for two edges, n the larger number of coefficients
 * @param a     out, like b, the first one 1
 * @param num   in, [..., taps]
 * @param den   in, [..., order + 1]
 * @param band  AGN_BAND_LOW, AGN_BAND_HIGH, AGN_BAND_PASS or AGN_BAND_STOP
 * @param low   edge, in radians per unit of time
 * @param high  of the bands of two edges
 * @errors      AGN_ENULL, AGN_ESHAPE (no coefficients, more than 1024, batches that do not
 *              broadcast), AGN_EARG (band, edges), AGN_ENOMEM
 * @grad        in num and den
 * @cost        O(n^2)
 * @ref         Constantinides 1970
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_transform_band(agn_tensor **b, agn_tensor **a,
                                                            const agn_tensor *num,
                                                            const agn_tensor *den, int32_t band,
                                                            double low, double high);

/**
 * agn_signal_bilinear_roots - the map of agn_signal_bilinear, of roots
 *
 * Zeros at infinity become -1.
 *
 * @param zeros  out, [..., poles], complex where z is
 * @param poles  out, [..., poles]
 * @param gain   out, [...]
 * @param z      in, [..., zeros], at most as many as poles
 * @param p      in, [..., poles]
 * @param k      in, [...]
 * @param rate   samples per second
 * @errors       AGN_ENULL, AGN_ESHAPE (0-D roots, more zeros than poles, batches that do not
 *               broadcast), AGN_EARG (a rate that is not positive), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(poles)
 * @ref          Oppenheim & Schafer 2010, 7.2
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_bilinear_roots(agn_tensor **zeros, agn_tensor **poles,
                                                            agn_tensor **gain, const agn_tensor *z,
                                                            const agn_tensor *p,
                                                            const agn_tensor *k, double rate);

/** How a system goes on between samples. */
enum {
    AGN_HOLD_ZERO,    /* its input is constant (zoh) */
    AGN_HOLD_FIRST,   /* its input is linear (foh) */
    AGN_HOLD_IMPULSE, /* its input is impulses at samples */
    AGN_HOLD_BLEND    /* (1 - alpha) of the state's slope before and alpha of that behind (gbt) */
};

/**
 * agn_signal_discretise - state space of samples
 *
 * @param ad      out, [..., order, order]
 * @param bd      out, [..., order, inputs]
 * @param cd      out, [..., outputs, order]
 * @param dd      out, [..., outputs, inputs]
 * @param a       in, [..., order, order]
 * @param b       in, [..., order, inputs]
 * @param c       in, [..., outputs, order]
 * @param d       in, [..., outputs, inputs]; NULL: 0, as AGN_HOLD_IMPULSE needs it
 * @param period  from one sample to the next
 * @param hold    AGN_HOLD_ZERO, ...
 * @param alpha   of AGN_HOLD_BLEND: 0 Euler's method, 1 the backward one, 1/2 the bilinear map
 * @errors        AGN_ENULL, AGN_ESHAPE (matrices that do not fit, an order of 0), AGN_EARG (hold, a
 *                period that is not positive, alpha outside of [0, 1], a d that has no samples of
 *                its impulses), AGN_EDOMAIN (a matrix is singular or not finite), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O((order + inputs)^3)
 * @ref           Van Loan 1978; Franklin, Powell & Workman 1998
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_discretise(agn_tensor **ad, agn_tensor **bd,
                                                        agn_tensor **cd, agn_tensor **dd,
                                                        const agn_tensor *a, const agn_tensor *b,
                                                        const agn_tensor *c, const agn_tensor *d,
                                                        double period, int32_t hold, double alpha);

/* ---- responses to frequencies ---------------------------------------------------------- */

/**
 * agn_signal_freqs - frequency response of an analog filter, b(i w) / a(i w)
 *
 * @param out  out, [..., frequencies], complex
 * @param b    in, [..., taps]
 * @param a    in, [..., order + 1]
 * @param w    in, [frequencies], real, in radians per unit of time
 * @errors     AGN_ENULL, AGN_EDTYPE (w is complex), AGN_ESHAPE (w, no coefficients, batches that do
 *             not broadcast), AGN_ENOMEM
 * @grad       in b, a and w
 * @cost       O(frequencies (taps + order))
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_freqs(agn_tensor **out, const agn_tensor *b,
                                                   const agn_tensor *a, const agn_tensor *w);

/**
 * agn_signal_roots_response - frequency response by zeros, poles and gain
 *
 * At z = e^(i w), or at i w of an analog filter.
 *
 * @param out     out, [..., frequencies], complex
 * @param zeros   in, [..., zeros]
 * @param poles   in, [..., poles]
 * @param gain    in, [...]
 * @param w       in, [frequencies], real
 * @param analog  i w
 * @errors        AGN_ENULL, AGN_EDTYPE (w is complex), AGN_ESHAPE (w, 0-D roots, rank 32, batches
 *                that do not broadcast), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(frequencies (zeros + poles))
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_roots_response(agn_tensor **out,
                                                            const agn_tensor *zeros,
                                                            const agn_tensor *poles,
                                                            const agn_tensor *gain,
                                                            const agn_tensor *w, bool analog);

/**
 * agn_signal_state_response - frequency response of a state space, c (s - a)^-1 b + d
 *
 * At s = e^(i w), or at i w of an analog system.
 *
 * @param out     out, [..., frequencies, outputs, inputs], complex
 * @param a       in, [..., order, order]
 * @param b       in, [..., order, inputs]
 * @param c       in, [..., outputs, order]
 * @param d       in, [..., outputs, inputs]; NULL: 0
 * @param w       in, [frequencies], real
 * @param analog  i w
 * @errors        AGN_ENULL, AGN_EDTYPE (w is complex), AGN_ESHAPE (w, matrices that do not fit, an
 *                order of 0, rank 32), AGN_EDOMAIN (a frequency is a pole, or not finite),
 *                AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(frequencies order^3)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_state_response(agn_tensor **out, const agn_tensor *a,
                                                            const agn_tensor *b,
                                                            const agn_tensor *c,
                                                            const agn_tensor *d,
                                                            const agn_tensor *w, bool analog);

/**
 * agn_signal_group_delay - samples by which each frequency is late
 *
 * Minus the derivative of the response's phase; NaN where the response is 0 or infinite.
 *
 * @param out  out, [..., frequencies], real
 * @param b    in, [..., taps]
 * @param a    in, [..., order + 1]
 * @param w    in, [frequencies], real, in radians per sample
 * @errors     AGN_ENULL, AGN_EDTYPE (w is complex), AGN_ESHAPE (w, no coefficients, batches that do
 *             not broadcast), AGN_ENOMEM
 * @grad       in b, a and w
 * @cost       O(frequencies (taps + order) + taps order)
 * @ref        Smith 2007, Introduction to Digital Filters
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_group_delay(agn_tensor **out, const agn_tensor *b,
                                                         const agn_tensor *a, const agn_tensor *w);

/* ---- responses in time ----------------------------------------------------------------- */

/**
 * agn_signal_dlsim - states and outputs of a system of samples
 *
 * x_(t+1) = a x_t + b u_t, y_t = c x_t + d u_t: the recursion by doubling steps.
 *
 * @param y        out, [..., outputs, n]
 * @param states   out, [..., order, n]
 * @param a        in, [..., order, order]
 * @param b        in, [..., order, inputs]
 * @param c        in, [..., outputs, order]
 * @param d        in, [..., outputs, inputs]; NULL: 0
 * @param u        in, [..., inputs, n]
 * @param initial  in, [..., order]: x_0; NULL: 0
 * @errors         AGN_ENULL, AGN_ESHAPE (matrices that do not fit, an order of 0, no samples, other
 *                 inputs, another state), AGN_ENOMEM
 * @grad           everywhere
 * @cost           O(n order (order log n + inputs + outputs))
 * @ref            Hillis & Steele 1986
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_dlsim(agn_tensor **y, agn_tensor **states,
                                                   const agn_tensor *a, const agn_tensor *b,
                                                   const agn_tensor *c, const agn_tensor *d,
                                                   const agn_tensor *u, const agn_tensor *initial);

/**
 * agn_signal_lsim - states and outputs of a continuous system at equal steps
 *
 * Exact where the input is as hold says between samples.
 *
 * @param y        out, [..., outputs, n]
 * @param states   out, [..., order, n]
 * @param a        in, [..., order, order]
 * @param b        in, [..., order, inputs]
 * @param c        in, [..., outputs, order]
 * @param d        in, [..., outputs, inputs]; NULL: 0
 * @param u        in, [..., inputs, n]
 * @param initial  in, [..., order]: the state at 0; NULL: 0
 * @param period   from one sample to the next
 * @param hold     AGN_HOLD_ZERO or AGN_HOLD_FIRST
 * @errors         AGN_ENULL, AGN_ESHAPE (matrices that do not fit, an order of 0, no samples, other
 *                 inputs, another state), AGN_EARG (hold, a period that is not positive),
 *                 AGN_EDOMAIN (a is not finite), AGN_ENOMEM
 * @grad           everywhere
 * @cost           O((order + inputs)^3 + n order (order log n + inputs + outputs))
 * @ref            Van Loan 1978
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lsim(agn_tensor **y, agn_tensor **states,
                                                  const agn_tensor *a, const agn_tensor *b,
                                                  const agn_tensor *c, const agn_tensor *d,
                                                  const agn_tensor *u, const agn_tensor *initial,
                                                  double period, int32_t hold);

/**
 * agn_signal_impulse - outputs of a system at rest to an impulse at each input
 *
 * c e^(a t) b of a continuous one, without the impulse that d lets through.
 *
 * @param out     out, [..., outputs, inputs, n]
 * @param a       in, [..., order, order]
 * @param b       in, [..., order, inputs]
 * @param c       in, [..., outputs, order]
 * @param d       in, [..., outputs, inputs]; NULL: 0
 * @param n       number of samples
 * @param period  from one to the next; 0: a system of samples
 * @errors        AGN_ENULL, AGN_ESHAPE (matrices that do not fit, an order of 0, rank 32), AGN_EARG
 *                (n is not positive, a negative period), AGN_EDOMAIN (a is not finite), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n inputs order (order log n + outputs))
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_impulse(agn_tensor **out, const agn_tensor *a,
                                                     const agn_tensor *b, const agn_tensor *c,
                                                     const agn_tensor *d, int64_t n, double period);

/**
 * agn_signal_step - outputs of a system at rest to a step of height 1 at each input
 *
 * @param out     out, [..., outputs, inputs, n]
 * @param a       in, [..., order, order]
 * @param b       in, [..., order, inputs]
 * @param c       in, [..., outputs, order]
 * @param d       in, [..., outputs, inputs]; NULL: 0
 * @param n       number of samples
 * @param period  from one to the next; 0: a system of samples
 * @errors        AGN_ENULL, AGN_ESHAPE (matrices that do not fit, an order of 0, rank 32), AGN_EARG
 *                (n is not positive, a negative period), AGN_EDOMAIN (a is not finite), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n inputs order (order log n + outputs))
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_step(agn_tensor **out, const agn_tensor *a,
                                                  const agn_tensor *b, const agn_tensor *c,
                                                  const agn_tensor *d, int64_t n, double period);

/* ---- states and roots ------------------------------------------------------------------ */

/**
 * agn_signal_lfiltic - state of a filter that has made some outputs of some inputs
 *
 * For agn_signal_lfilter_state.
 *
 * @param out  out, [..., max(taps of b, taps of a) - 1]
 * @param b    in, [taps], real or complex
 * @param a    in, [taps]; NaN or infinite where the first is 0
 * @param y    in, [..., n], outputs, the latest first; those before are 0, all where n is 0
 * @param x    in, [..., n], inputs, alike; NULL: 0
 * @errors     AGN_ENULL, AGN_ESHAPE (coefficients that are not [taps], 0-D outputs or inputs,
 *             batches that do not broadcast), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(batch taps^2)
 * @ref        Oppenheim & Schafer 2010
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_lfiltic(agn_tensor **out, const agn_tensor *b,
                                                     const agn_tensor *a, const agn_tensor *y,
                                                     const agn_tensor *x);

/** Which of several roots agn_signal_unique_roots keeps. */
enum {
    AGN_ROOT_LEAST,   /* the least real part, then the least imaginary one */
    AGN_ROOT_GREATEST, /* the greatest */
    AGN_ROOT_MEAN
};

/**
 * agn_signal_unique_roots - roots that lie together, and how many
 *
 * Each root that is left takes those within tolerance of it.
 *
 * @param roots         out, [count], like p
 * @param multiplicity  out, [count], i64
 * @param p             in, [n], real or complex, in memory of the host, n at most 65536
 * @param tolerance     not negative; 0.001 is usual
 * @param which         AGN_ROOT_LEAST, ...
 * @errors              AGN_ENULL, AGN_ESHAPE (not a row, too long), AGN_EARG (tolerance, which),
 *                      AGN_EDOMAIN (NaN, infinity), AGN_ESYMBOLIC (while tracing), AGN_EDEVICE,
 *                      AGN_ENOMEM
 * @grad                none
 * @cost                O(n^2)
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_unique_roots(agn_tensor **roots,
                                                          agn_tensor **multiplicity,
                                                          const agn_tensor *p, double tolerance,
                                                          int32_t which);

/** How agn_signal_place_poles looks for well conditioned poles. */
enum {
    AGN_PLACE_YT,  /* two vectors at a time, complex poles too */
    AGN_PLACE_KNV0 /* one vector at a time, real poles alone */
};

/**
 * agn_signal_place_poles - feedback that gives a system the poles that are wanted
 *
 * gain for which a - b gain has them. With several inputs many have: vectors of the poles are made
 * as independent as sweeps over them do, until the determinant of their matrix changes by less than
 * tolerance.
 *
 * @param gain        out, [inputs, order], f64
 * @param a           in, [order, order], real, in memory of the host, order at most 1024
 * @param b           in, [order, inputs], real
 * @param poles       in, [order], real or complex, each complex one with its conjugate, none more
 *                    often than the rank of b
 * @param method      AGN_PLACE_YT or AGN_PLACE_KNV0
 * @param iterations  the most sweeps, 1 and more; 30 is usual
 * @param tolerance   at most 1; 0.001 is usual; 0 or less: all sweeps
 * @errors            AGN_ENULL, AGN_EDTYPE (complex a or b), AGN_ESHAPE (matrices that do not fit,
 *                    an order of 0, other poles), AGN_EARG (method, iterations, tolerance),
 *                    AGN_EDOMAIN (NaN, infinity; a pole without its conjugate, too often, or
 *                    complex with AGN_PLACE_KNV0; poles that no feedback gives), AGN_ESYMBOLIC
 *                    (while tracing), AGN_EDEVICE, AGN_ENOMEM
 * @grad              none
 * @cost              O(order^4) a sweep
 * @ref               Kautsky, Nichols & van Dooren 1985; Tits & Yang 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_signal_place_poles(agn_tensor **gain, const agn_tensor *a,
                                                         const agn_tensor *b,
                                                         const agn_tensor *poles, int32_t method,
                                                         int32_t iterations, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
