/**
 * agnesi/fft.h - discrete Fourier transforms
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * X_k = sum_j x_j exp(-2 pi i j k / n) along one axis or several, for any n; inverse transforms
 * have the other sign. Cosine and sine transforms, chirp z, Hankel. Work is done by FFTW; plans are
 * kept and shared by all threads.
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
 *              or above 2^46, an empty axis, norm), AGN_ENOMEM
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
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^46, no
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
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^46, an
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
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^46, an
 *              empty axis, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ifft(agn_tensor **out, const agn_tensor *x,
                                               int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_hfft - real spectrum of a signal that is Hermitian in time
 *
 * Given are the entries 0 to n / 2 of a signal with x[-j] = conj(x[j]); the rest follows.
 *
 * @param out   out, x with n entries along the axis; f32 or f64
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     length of the spectrum: x is cut off or padded with zeros to n / 2 + 1; 0: 2 (m - 1)
 *              for m entries
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (n negative or above 2^46, no length
 *              left, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_hfft(agn_tensor **out, const agn_tensor *x, int64_t n,
                                               int32_t axis, int32_t norm);

/**
 * agn_fft_ihfft - a signal that is Hermitian in time, from its real spectrum
 *
 * The inverse of agn_fft_hfft.
 *
 * @param out   out, x with n / 2 + 1 entries along the axis; c64 or c128
 * @param x     in, f32 f64, other real dtypes by promotion; any strides; not modified
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (n negative or above
 *              2^46, an empty axis, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ihfft(agn_tensor **out, const agn_tensor *x, int64_t n,
                                                int32_t axis, int32_t norm);

/**
 * agn_fft_fft2 - transform of complex data over two axes
 *
 * @param out   out, x with the lengths n along the axes; c64 or c128
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes  two axes; NULL: the last two
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, a length,
 *              norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of the lengths, for each of the other entries
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fft2(agn_tensor **out, const agn_tensor *x,
                                               const int64_t *n, const int32_t *axes, int32_t norm);

/**
 * agn_fft_fftn - transform of complex data over any axes
 *
 * @param out     out, x with the lengths n along the axes; c64 or c128
 * @param x       in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, a length,
 *                norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(N log N), N the product of the lengths, for each of the other entries
 * @ref           Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fftn(agn_tensor **out, const agn_tensor *x,
                                               const int64_t *n, const int32_t *axes,
                                               int32_t n_axes, int32_t norm);

/**
 * agn_fft_ifft2 - inverse transform of complex data over two axes
 *
 * @param out   out, x with the lengths n along the axes; c64 or c128
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes  two axes; NULL: the last two
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, a length,
 *              norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of the lengths, for each of the other entries
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ifft2(agn_tensor **out, const agn_tensor *x,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t norm);

/**
 * agn_fft_ifftn - inverse transform of complex data over any axes
 *
 * @param out     out, x with the lengths n along the axes; c64 or c128
 * @param x       in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, a length,
 *                norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(N log N), N the product of the lengths, for each of the other entries
 * @ref           Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ifftn(agn_tensor **out, const agn_tensor *x,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t n_axes, int32_t norm);

/**
 * agn_fft_rfft2 - transform of real data, half of the frequencies over two axes
 *
 * The last axis given has n / 2 + 1 entries: of real data the others are conjugates.
 *
 * @param out   out, x with the lengths n along the axes, n / 2 + 1 along the last; c64 or c128
 * @param x     in, f32 f64, other real dtypes by promotion; any strides; not modified
 * @param n     a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes  two axes; NULL: the last two
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (more axes than x has,
 *              one twice, a length, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of the lengths, for each of the other entries
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_rfft2(agn_tensor **out, const agn_tensor *x,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t norm);

/**
 * agn_fft_rfftn - transform of real data, half of the frequencies over any axes
 *
 * The last axis given has n / 2 + 1 entries: of real data the others are conjugates.
 *
 * @param out     out, x with the lengths n along the axes, n / 2 + 1 along the last; c64 or c128
 * @param x       in, f32 f64, other real dtypes by promotion; any strides; not modified
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (more axes than x
 *                has, one twice, no axis, a length, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(N log N), N the product of the lengths, for each of the other entries
 * @ref           Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_rfftn(agn_tensor **out, const agn_tensor *x,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t n_axes, int32_t norm);

/**
 * agn_fft_irfft2 - real data from half of its frequencies over two axes
 *
 * The last axis given has n / 2 + 1 entries in x and n in the result.
 *
 * @param out   out, x with the lengths n along the axes; f32 or f64
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 *              (2 (m - 1) for m entries along the last)
 * @param axes  two axes; NULL: the last two
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, a length,
 *              norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of the lengths, for each of the other entries
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_irfft2(agn_tensor **out, const agn_tensor *x,
                                                 const int64_t *n, const int32_t *axes,
                                                 int32_t norm);

/**
 * agn_fft_irfftn - real data from half of its frequencies over any axes
 *
 * The last axis given has n / 2 + 1 entries in x and n in the result.
 *
 * @param out     out, x with the lengths n along the axes; f32 or f64
 * @param x       in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 *                (2 (m - 1) for m entries along the last)
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, no axis,
 *                a length, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(N log N), N the product of the lengths, for each of the other entries
 * @ref           Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_irfftn(agn_tensor **out, const agn_tensor *x,
                                                 const int64_t *n, const int32_t *axes,
                                                 int32_t n_axes, int32_t norm);

/**
 * agn_fft_hfft2 - real spectrum of data that are Hermitian in space over two axes
 *
 * The last axis given has n / 2 + 1 entries in x and n in the result.
 *
 * @param out   out, x with the lengths n along the axes; f32 or f64
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n     a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 *              (2 (m - 1) for m entries along the last)
 * @param axes  two axes; NULL: the last two
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, a length,
 *              norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of the lengths, for each of the other entries
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_hfft2(agn_tensor **out, const agn_tensor *x,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t norm);

/**
 * agn_fft_hfftn - real spectrum of data that are Hermitian in space over any axes
 *
 * The last axis given has n / 2 + 1 entries in x and n in the result.
 *
 * @param out     out, x with the lengths n along the axes; f32 or f64
 * @param x       in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 *                (2 (m - 1) for m entries along the last)
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has, one twice, no axis,
 *                a length, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(N log N), N the product of the lengths, for each of the other entries
 * @ref           Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_hfftn(agn_tensor **out, const agn_tensor *x,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t n_axes, int32_t norm);

/**
 * agn_fft_ihfft2 - Hermitian data from a real spectrum over two axes
 *
 * The last axis given has n / 2 + 1 entries: of real data the others are conjugates.
 *
 * @param out   out, x with the lengths n along the axes, n / 2 + 1 along the last; c64 or c128
 * @param x     in, f32 f64, other real dtypes by promotion; any strides; not modified
 * @param n     a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes  two axes; NULL: the last two
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (more axes than x has,
 *              one twice, a length, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(N log N), N the product of the lengths, for each of the other entries
 * @ref         Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ihfft2(agn_tensor **out, const agn_tensor *x,
                                                 const int64_t *n, const int32_t *axes,
                                                 int32_t norm);

/**
 * agn_fft_ihfftn - Hermitian data from a real spectrum over any axes
 *
 * The last axis given has n / 2 + 1 entries: of real data the others are conjugates.
 *
 * @param out     out, x with the lengths n along the axes, n / 2 + 1 along the last; c64 or c128
 * @param x       in, f32 f64, other real dtypes by promotion; any strides; not modified
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_EINDEX (axis), AGN_EARG (more axes than x
 *                has, one twice, no axis, a length, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(N log N), N the product of the lengths, for each of the other entries
 * @ref           Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ihfftn(agn_tensor **out, const agn_tensor *x,
                                                 const int64_t *n, const int32_t *axes,
                                                 int32_t n_axes, int32_t norm);

/**
 * agn_fft_dct - discrete cosine transform
 *
 * Type 1: x_0 + (-1)^k x_(n-1) + 2 sum x_j cos(pi j k / (n - 1)) over j from 1 to n - 2;
 * type 2: 2 sum x_j cos(pi (j + 1/2) k / n); type 3: x_0 + 2 sum x_j cos(pi j (k + 1/2) / n) over
 * j from 1; type 4: 2 sum x_j cos(pi (j + 1/2) (k + 1/2) / n). With AGN_FFT_ORTHO the matrix is
 * orthogonal.
 *
 * @param out   out, x with the lengths n
 * @param x     in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type  1, 2, 3 or 4
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, a length, fewer than
 *              2 points for cosines of type 1, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_dct(agn_tensor **out, const agn_tensor *x, int32_t type,
                                              int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_dctn - discrete cosine transform over any axes
 *
 * Type 1: x_0 + (-1)^k x_(n-1) + 2 sum x_j cos(pi j k / (n - 1)) over j from 1 to n - 2;
 * type 2: 2 sum x_j cos(pi (j + 1/2) k / n); type 3: x_0 + 2 sum x_j cos(pi j (k + 1/2) / n) over
 * j from 1; type 4: 2 sum x_j cos(pi (j + 1/2) (k + 1/2) / n). With AGN_FFT_ORTHO the matrix is
 * orthogonal.
 *
 * @param out     out, x with the lengths n
 * @param x       in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type    1, 2, 3 or 4
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, more axes than x has, one twice, a
 *                length, fewer than 2 points for cosines of type 1, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n log n) per line
 * @ref           Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_dctn(agn_tensor **out, const agn_tensor *x, int32_t type,
                                               const int64_t *n, const int32_t *axes,
                                               int32_t n_axes, int32_t norm);

/**
 * agn_fft_dst - discrete sine transform
 *
 * Type 1: 2 sum x_j sin(pi (j + 1) (k + 1) / (n + 1)); type 2: 2 sum x_j sin(pi (j + 1/2)
 * (k + 1) / n); type 3: (-1)^k x_(n-1) + 2 sum x_j sin(pi (j + 1) (k + 1/2) / n) over j to n - 2;
 * type 4: 2 sum x_j sin(pi (j + 1/2) (k + 1/2) / n). With AGN_FFT_ORTHO the matrix is orthogonal.
 *
 * @param out   out, x with the lengths n
 * @param x     in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type  1, 2, 3 or 4
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, a length, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_dst(agn_tensor **out, const agn_tensor *x, int32_t type,
                                              int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_dstn - discrete sine transform over any axes
 *
 * Type 1: 2 sum x_j sin(pi (j + 1) (k + 1) / (n + 1)); type 2: 2 sum x_j sin(pi (j + 1/2)
 * (k + 1) / n); type 3: (-1)^k x_(n-1) + 2 sum x_j sin(pi (j + 1) (k + 1/2) / n) over j to n - 2;
 * type 4: 2 sum x_j sin(pi (j + 1/2) (k + 1/2) / n). With AGN_FFT_ORTHO the matrix is orthogonal.
 *
 * @param out     out, x with the lengths n
 * @param x       in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type    1, 2, 3 or 4
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, more axes than x has, one twice, a
 *                length, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n log n) per line
 * @ref           Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_dstn(agn_tensor **out, const agn_tensor *x, int32_t type,
                                               const int64_t *n, const int32_t *axes,
                                               int32_t n_axes, int32_t norm);

/**
 * agn_fft_idct - inverse of the discrete cosine transform
 *
 * Of type 2 that is type 3, of type 3 type 2, each divided by 2 n; of types 1 and 4 the type
 * itself, divided by its period.
 *
 * @param out   out, x with the lengths n
 * @param x     in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type  1, 2, 3 or 4
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, a length, fewer than
 *              2 points for cosines of type 1, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_idct(agn_tensor **out, const agn_tensor *x, int32_t type,
                                               int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_idctn - inverse of the discrete cosine transform over any axes
 *
 * Of type 2 that is type 3, of type 3 type 2, each divided by 2 n; of types 1 and 4 the type
 * itself, divided by its period.
 *
 * @param out     out, x with the lengths n
 * @param x       in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type    1, 2, 3 or 4
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, more axes than x has, one twice, a
 *                length, fewer than 2 points for cosines of type 1, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n log n) per line
 * @ref           Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_idctn(agn_tensor **out, const agn_tensor *x, int32_t type,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t n_axes, int32_t norm);

/**
 * agn_fft_idst - inverse of the discrete sine transform
 *
 * Of type 2 that is type 3, of type 3 type 2, each divided by 2 n; of types 1 and 4 the type
 * itself, divided by its period.
 *
 * @param out   out, x with the lengths n
 * @param x     in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type  1, 2, 3 or 4
 * @param n     length: x is cut off or padded with zeros at its end; 0 for that of x
 * @param axis  in [-ndim, ndim)
 * @param norm  AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, a length, norm), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n) per line
 * @ref         Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_idst(agn_tensor **out, const agn_tensor *x, int32_t type,
                                               int64_t n, int32_t axis, int32_t norm);

/**
 * agn_fft_idstn - inverse of the discrete sine transform over any axes
 *
 * Of type 2 that is type 3, of type 3 type 2, each divided by 2 n; of types 1 and 4 the type
 * itself, divided by its period.
 *
 * @param out     out, x with the lengths n
 * @param x       in, f32 f64 c64 c128, others by promotion; any strides; not modified
 * @param type    1, 2, 3 or 4
 * @param n       a length for each axis: x is cut off or padded with zeros; 0, or NULL: that of x
 * @param axes    distinct axes; NULL: the last n_axes, all if that is 0 and n is NULL
 * @param n_axes  how many
 * @param norm    AGN_FFT_BACKWARD, AGN_FFT_ORTHO or AGN_FFT_FORWARD
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (type, more axes than x has, one twice, a
 *                length, norm), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(n log n) per line
 * @ref           Wang & Hunt 1985; Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_idstn(agn_tensor **out, const agn_tensor *x, int32_t type,
                                                const int64_t *n, const int32_t *axes,
                                                int32_t n_axes, int32_t norm);

/**
 * agn_fft_fftfreq - frequencies of the bins of agn_fft_fft
 *
 * k / (n d) for k from 0; from (n + 1) / 2 on, the negative ones.
 *
 * @param out    out, [n]
 * @param dtype  AGN_F32 or AGN_F64
 * @param n      length of the transform
 * @param d      time between samples
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EARG (n not positive, d 0 or NaN), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fftfreq(agn_tensor **out, agn_dtype dtype, int64_t n,
                                                  double d);

/**
 * agn_fft_rfftfreq - frequencies of the bins of agn_fft_rfft
 *
 * k / (n d) for k from 0 to n / 2.
 *
 * @param out    out, [n / 2 + 1]
 * @param dtype  AGN_F32 or AGN_F64
 * @param n      length of the transform
 * @param d      time between samples
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EARG (n not positive, d 0 or NaN), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_rfftfreq(agn_tensor **out, agn_dtype dtype, int64_t n,
                                                   double d);

/**
 * agn_fft_fftshift - bins in order of frequency
 *
 * Rolls by n / 2, so that the bin of frequency 0 stands in the middle.
 *
 * @param out     out, like x
 * @param x       in, any dtype
 * @param axes    axes; NULL: the last n_axes, all if that is 0
 * @param n_axes  how many
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fftshift(agn_tensor **out, const agn_tensor *x,
                                                   const int32_t *axes, int32_t n_axes);

/**
 * agn_fft_ifftshift - the inverse of agn_fft_fftshift
 *
 * Rolls by n / 2 backwards, so that the bin of frequency 0 comes first again.
 *
 * @param out     out, like x
 * @param x       in, any dtype
 * @param axes    axes; NULL: the last n_axes, all if that is 0
 * @param n_axes  how many
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (more axes than x has), AGN_ENOMEM
 * @grad          everywhere
 * @cost          O(size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ifftshift(agn_tensor **out, const agn_tensor *x,
                                                    const int32_t *axes, int32_t n_axes);

/**
 * agn_fft_next_fast_length - the least length of at least n that transforms fast
 *
 * A product of 2, 3, 5 and 7.
 *
 * @param out  out, the length
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_EARG (n not in 1 to 2^62 - 1)
 * @grad       none
 * @cost       at most some thousand divisions
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_next_fast_length(int64_t *out, int64_t n);

/**
 * agn_fft_prev_fast_length - the largest length of at most n that transforms fast
 *
 * A product of 2, 3, 5 and 7.
 *
 * @param out  out, the length
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_EARG (n not positive)
 * @grad       none
 * @cost       at most some thousand divisions
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_prev_fast_length(int64_t *out, int64_t n);

/**
 * agn_fft_czt - z-transform along a spiral
 *
 * Entry k is sum_j x_j a^-j w^(j k): the z-transform at a w^-k.
 *
 * @param out   out, x with m entries along the axis; c64 or c128
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param m     number of points; 0: as many as x has
 * @param w     real and imaginary part; NULL: exp(-2 pi i / m)
 * @param a     real and imaginary part; NULL: 1
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (m or the axis not in 1 to 2^29 - 1, w or a
 *              zero or not finite), AGN_ENOMEM
 * @grad        in x
 * @cost        O((n + m) log(n + m)) per line
 * @ref         Rabiner, Schafer & Rader 1969
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_czt(agn_tensor **out, const agn_tensor *x, int64_t m,
                                              const double *w, const double *a, int32_t axis);

/**
 * agn_fft_zoom - transform at m frequencies of a range
 *
 * Entry k is sum_j x_j exp(-2 pi i j (from + k (to - from) / m)).
 *
 * @param out   out, x with m entries along the axis; c64 or c128
 * @param x     in, c64 c128, real dtypes by promotion; any strides; not modified
 * @param m     number of frequencies; 0: as many as x has entries
 * @param from  first frequency, in cycles per sample
 * @param to    end of the range, not in it
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (m or the axis not in 1 to 2^29 - 1, a
 *              frequency that is not finite), AGN_ENOMEM
 * @grad        in x
 * @cost        O((n + m) log(n + m)) per line
 * @ref         Rabiner, Schafer & Rader 1969
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_zoom(agn_tensor **out, const agn_tensor *x, int64_t m,
                                               double from, double to, int32_t axis);

/**
 * agn_fft_fht - fast Hankel transform of samples at equal steps of log r
 *
 * The transform sum of a(r) (k r)^bias J_mu(k r) k dr of a function that is periodic in log r; of
 * the result, entry j belongs to k_j with log(k_(n-1-j) r_j) = offset.
 *
 * @param out     out, [..., n]; f32 or f64
 * @param x       in, [..., n], real
 * @param dln     step of log r
 * @param mu      order of the Bessel function
 * @param offset  log of k r at the middle
 * @param bias    exponent of a power law that is taken out
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples), AGN_EARG (dln not
 *                positive, a number not finite, (mu + 1 +- bias) / 2 a pole of the gamma function),
 *                AGN_ENOMEM
 * @grad          in x
 * @cost          O(n log n) per line
 * @ref           Hamilton 2000
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fht(agn_tensor **out, const agn_tensor *x, double dln,
                                              double mu, double offset, double bias);

/**
 * agn_fft_ifht - inverse of the fast Hankel transform of samples at equal steps of log r
 *
 * Undoes agn_fft_fht with the same numbers.
 *
 * @param out     out, [..., n]; f32 or f64
 * @param x       in, [..., n], real
 * @param dln     step of log r
 * @param mu      order of the Bessel function
 * @param offset  log of k r at the middle
 * @param bias    exponent of a power law that is taken out
 * @errors        AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples), AGN_EARG (dln not
 *                positive, a number not finite, (mu + 1 +- bias) / 2 a pole of the gamma function),
 *                AGN_ENOMEM
 * @grad          in x
 * @cost          O(n log n) per line
 * @ref           Hamilton 2000
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_ifht(agn_tensor **out, const agn_tensor *x, double dln,
                                               double mu, double offset, double bias);

/**
 * agn_fft_hankel - Hankel transform of samples at the zeros of a Bessel function
 *
 * The integral of x_n(r) J_order(k r) r dr from 0 to reach, for functions that end there: samples
 * at r_i = reach j_i / j_(n+1) give numbers at k_i = j_i / reach, where j_i are the positive zeros
 * of J_order. The same with a reach of k_(n+1) goes back.
 *
 * @param out    out, [..., n]; f32 or f64
 * @param x      in, [..., n], real, at most 4096 samples
 * @param order  0 to 1000
 * @param reach  positive
 * @errors       AGN_ENULL, AGN_EDTYPE (complex), AGN_ESHAPE (no samples, too many), AGN_EARG
 *               (order, reach), AGN_ENOMEM
 * @grad         in x
 * @cost         O(n^2) per line, and as many Bessel functions
 * @ref          Lemoine 1994
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_hankel(agn_tensor **out, const agn_tensor *x,
                                                 int32_t order, double reach);

/**
 * agn_fft_hankel_points - where agn_fft_hankel has samples and frequencies
 *
 * @param r      out, [n], f64
 * @param k      out, [n], f64
 * @param n      1 to 4096
 * @param order  0 to 1000
 * @param reach  positive
 * @errors       AGN_ENULL, AGN_EARG (n, order, reach), AGN_ENOMEM
 * @grad         none
 * @cost         O(n) Bessel functions
 * @ref          Lemoine 1994
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_hankel_points(agn_tensor **r, agn_tensor **k, int64_t n,
                                                        int32_t order, double reach);

/**
 * agn_fft_fht_offset - the offset near a given one without ringing
 *
 * @param out      out, the offset
 * @param dln      step of log r
 * @param mu       order of the Bessel function
 * @param initial  near which offset
 * @param bias     exponent of the power law
 * @errors         AGN_ENULL, AGN_EARG (dln not positive, a number not finite)
 * @grad           none
 * @cost           O(1)
 * @ref            Hamilton 2000
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_fht_offset(double *out, double dln, double mu,
                                                     double initial, double bias);

/**
 * agn_fft_derivative - derivative of a periodic function by its Fourier series
 *
 * Exact, to rounding, where the function has fewer than n / 2 frequencies. Of an even number of
 * samples, the highest frequency has no odd derivative.
 *
 * @param out     out, like x; f32 f64 c64 c128
 * @param x       in, samples over one period along the axis; integers as f64
 * @param order   0 or more
 * @param length  the period
 * @param axis    in [-ndim, ndim)
 * @errors        AGN_ENULL, AGN_EINDEX (axis), AGN_EARG (a negative order, a length that is not
 *                positive, an empty axis), AGN_ENOMEM
 * @grad          everywhere
 * @cost          two transforms
 * @ref           Trefethen 2000
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_derivative(agn_tensor **out, const agn_tensor *x,
                                                     int32_t order, double length, int32_t axis);

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

/**
 * agn_fft_autocorrelate - sums of a signal times itself later, sum of x_(t+k) conj(x_t)
 *
 * @param out   out, [..., lags]: k from 0; real of a complex signal's k = 0
 * @param x     in, [..., n]; integers as f64
 * @param lags  1 to n; 0: n
 * @errors      AGN_ENULL, AGN_ESHAPE (no samples, 2^30 and more), AGN_EARG (lags), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n log n)
 * @ref         Wiener 1930
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_autocorrelate(agn_tensor **out, const agn_tensor *x,
                                                        int64_t lags);

/* ---- points anywhere ------------------------------------------------------------------- */

/**
 * agn_fft_modes_to_nonuniform - Fourier sums at any points (type 2)
 *
 * c_j = sum_k f_k exp(sign i k . x_j), k from -(N / 2) to (N - 1) / 2 along each axis.
 *
 * @param out        out, [..., points], c64 or c128
 * @param x          in, [..., N_1, ..., N_d], modes; real dtypes by promotion
 * @param points     in, [points, d], real, d = 1 to 3, of period 2 pi
 * @param sign       1 or -1
 * @param tolerance  relative error; 0: 1e-13, of f32 1e-6; smaller ones count as those
 * @errors           AGN_ENULL, AGN_EDTYPE (complex points), AGN_ESHAPE (points, no axis of modes
 *                   for each of theirs, rank 31), AGN_EARG (sign, tolerance, no mode, more than
 *                   2^50 samples), AGN_ENOMEM
 * @grad             in the modes to any order, in the points to order 6
 * @cost             O(N log N + points w^d), w one more than its digits; memory O(N + points)
 * @ref              Dutt & Rokhlin 1993; Barnett, Magland & af Klinteberg 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_modes_to_nonuniform(agn_tensor **out, const agn_tensor *x,
                                                              const agn_tensor *points,
                                                              int32_t sign, double tolerance);

/**
 * agn_fft_nonuniform_to_modes - Fourier sums over any points (type 1)
 *
 * f_k = sum_j c_j exp(sign i k . x_j), k from -(N / 2) to (N - 1) / 2 along each axis.
 *
 * @param out        out, [..., N_1, ..., N_d], c64 or c128
 * @param x          in, [..., points], strengths; real dtypes by promotion
 * @param points     in, [points, d], real, d = 1 to 3, of period 2 pi
 * @param modes      N_1, ..., N_d
 * @param n_modes    d
 * @param sign       1 or -1
 * @param tolerance  relative error; 0: 1e-13, of f32 1e-6; smaller ones count as those
 * @errors           AGN_ENULL, AGN_EDTYPE (complex points), AGN_ESHAPE (points, other strengths,
 *                   another number of axes, rank 30), AGN_EARG (sign, tolerance, no mode, more than
 *                   2^50 samples), AGN_ENOMEM
 * @grad             in the strengths to any order, in the points to order 6
 * @cost             O(N log N + points w^d), w one more than its digits; memory O(N + points)
 * @ref              Dutt & Rokhlin 1993; Barnett, Magland & af Klinteberg 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_nonuniform_to_modes(agn_tensor **out, const agn_tensor *x,
                                                              const agn_tensor *points,
                                                              const int64_t *modes, int32_t n_modes,
                                                              int32_t sign, double tolerance);

/**
 * agn_fft_nonuniform_to_nonuniform - Fourier sums over any points at any frequencies (type 3)
 *
 * f_k = sum_j c_j exp(sign i s_k . x_j). The extents are what the grid is made for; what lies
 * beyond them gives NaN: a point all results, a frequency its own.
 *
 * @param out          out, [..., frequencies], c64 or c128
 * @param x            in, [..., points], strengths; real dtypes by promotion
 * @param points       in, [points, d], real, d = 1 to 3
 * @param frequencies  in, [frequencies, d], real
 * @param extent       the largest |x| along each axis, then the largest |s|
 * @param n_extent     2 d
 * @param sign         1 or -1
 * @param tolerance    relative error; 0: 1e-13, of f32 1e-6; smaller ones count as those
 * @errors             AGN_ENULL, AGN_EDTYPE (complex points or frequencies), AGN_ESHAPE (points,
 *                     frequencies, other strengths, another number of extents, rank 30), AGN_EARG
 *                     (sign, tolerance, an extent that is negative or NaN, products of extents
 *                     above 2^27 or grids above 2^46), AGN_ENOMEM
 * @grad               in the strengths to any order, in points and frequencies to order 6
 * @cost               O(N log N + (points + frequencies) w^d) time and memory, N the product over
 *                     the axes of 3 |x| |s| + 2 w, w digits of the tolerance and one
 * @ref                Lee & Greengard 2005; Barnett, Magland & af Klinteberg 2019
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_nonuniform_to_nonuniform(
    agn_tensor **out, const agn_tensor *x, const agn_tensor *points, const agn_tensor *frequencies,
    const double *extent, int32_t n_extent, int32_t sign, double tolerance);

/* ---- plans ----------------------------------------------------------------------------- */

/** How long plans are searched for. All but the first measure: bits may then differ from run to
    run. */
enum {
    AGN_FFT_ESTIMATE,
    AGN_FFT_MEASURE,
    AGN_FFT_PATIENT,
    AGN_FFT_EXHAUSTIVE
};

/**
 * agn_fft_set_effort - how long plans made from now on are searched for
 *
 * For all threads. Plans that are kept are dropped, but for those that run at the moment. Measuring
 * takes arrays of its own.
 *
 * @param effort   AGN_FFT_ESTIMATE, which a program begins with, ...
 * @param seconds  for one plan, roughly; 0: no limit
 * @errors         AGN_EARG (effort, seconds negative or NaN), AGN_EUNSUPPORTED (a build without
 *                 FFTW)
 * @grad           none
 * @ref            Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_set_effort(int32_t effort, double seconds);

/**
 * agn_fft_export_wisdom - what has been learnt about plans, as bytes
 *
 * Of both precisions, for this version of FFTW and this kind of machine.
 *
 * @param out  out, [bytes], u8
 * @errors     AGN_ENULL, AGN_EUNSUPPORTED (a build without FFTW), AGN_ENOMEM
 * @grad       none
 * @cost       O(bytes)
 * @ref        Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_export_wisdom(agn_tensor **out);

/**
 * agn_fft_import_wisdom - add what agn_fft_export_wisdom gave
 *
 * Plans made from now on use it, whatever the effort. Kept plans are dropped.
 *
 * @param x  in, [bytes], u8
 * @errors   AGN_ENULL, AGN_EDTYPE (not u8), AGN_ESHAPE (not one axis), AGN_EARG (no wisdom of this
 *           version of FFTW), AGN_EUNSUPPORTED (a build without FFTW), AGN_ENOMEM
 * @grad     none
 * @cost     O(bytes)
 * @ref      Frigo & Johnson 2005
 */
AGN_API AGN_MUST_CHECK agn_status agn_fft_import_wisdom(const agn_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
