/**
 * agnesi/fft.h - discrete Fourier transforms
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * X_k = sum_j x_j exp(-2 pi i j k / n) along one axis, for any n; inverse transforms
 * have the other sign. Work is done by FFTW; plans are kept and shared by all threads.
 * Results are the same for a fixed number of threads.
 */
#ifndef AGNESI_FFT_H
#define AGNESI_FFT_H

#include <agnesi/product.h>
#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where the factor 1/n of the pair forward and inverse stands. */
enum {
    AGN_FFT_BACKWARD = 0, /* in the inverse transform */
    AGN_FFT_ORTHO = 1,    /* 1/sqrt(n) in both */
    AGN_FFT_FORWARD = 2   /* in the forward transform */
};

/**
 * agn_fft_rfft - transform of real data, non-negative frequencies
 *
 * @param out   out, x with n / 2 + 1 entries along the axis; c64 or c128
 * @param x     in, f32 f64, other real dtypes by promotion; any strides; not modified
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (n negative
 *              or above 2^31 - 1, an empty axis, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_rfft(agn_tensor **out, const agn_tensor *x,
                                               int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_irfft - real data from its non-negative frequencies
 *
 * The inverse of agn_fft_rfft where n is the length given there: n = 0 means the even
 * one, 2 (m - 1) for m entries. Imaginary parts of entry 0, and of the last one for
 * even n, do not matter.
 *
 * @param out   out, x with n entries along the axis; f32 or f64
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     length of the result: x is cut off or padded with zeros to n / 2 + 1; or
 *              0
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^31 - 1, no
 *              length left, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_irfft(agn_tensor **out, const agn_tensor *x,
                                                int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_fft - transform of complex data
 *
 * @param out   out, x with n entries along the axis; c64 or c128
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^31 - 1, an
 *              empty axis, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fft(agn_tensor **out, const agn_tensor *x,
                                              int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_ifft - inverse transform of complex data
 *
 * @param out   out, x with n entries along the axis; c64 or c128
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^31 - 1, an
 *              empty axis, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ifft(agn_tensor **out, const agn_tensor *x,
                                               int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_convolve - sum over j of a[k - j] v[j], by transforms
 *
 * As agn_convolve, cheaper where both are long, and with another error: every result is off by
 * a few eps times the norm of a times that of v, where the direct sum is as exact as its terms.
 *
 * @param out   out; f64 for integers
 * @param a     in, [..., n1, ..., nd]  f16 bf16 f32 f64 c64 c128, integers as f64
 * @param v     in, [..., m1, ..., md]; leading axes broadcast
 * @param axes  d, how many last axes slide, at least 1
 * @param mode  AGN_FULL, AGN_SAME or AGN_VALID
 * @errors      as agn_convolve: AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM; AGN_EARG (mode, a
 *              size above 2^30 - 1); AGN_EUNSUPPORTED (a build without FFTW)
 * @grad        everywhere
 * @cost        O(N log N), N the product of all n + m
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_convolve(agn_tensor **out, const agn_tensor *a,
                                                   const agn_tensor *v, int32_t axes,
                                                   int32_t mode);

/**
 * agn_fft_correlate - sum over j of a[k + j] conj(v[j]), by transforms
 *
 * As agn_correlate, with the error of agn_fft_convolve.
 *
 * @param out   out; f64 for integers
 * @param a     in, [..., n1, ..., nd], as for agn_fft_convolve
 * @param v     in, [..., m1, ..., md]; leading axes broadcast
 * @param axes  d, how many last axes slide, at least 1
 * @param mode  AGN_FULL, AGN_SAME or AGN_VALID
 * @errors      as agn_fft_convolve: AGN_ENULL, AGN_ESHAPE, AGN_EDTYPE, AGN_EARG,
 *              AGN_EUNSUPPORTED, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of all n + m
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_correlate(agn_tensor **out, const agn_tensor *a,
                                                    const agn_tensor *v, int32_t axes,
                                                    int32_t mode);

#ifdef __cplusplus
}
#endif
#endif
