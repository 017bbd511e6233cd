/**
 * agnesi/tensor.h - tensors and the operators of the core
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors are values: no op changes an argument. Operands broadcast and promote as in the
 * array API standard; a literal takes the other operand's dtype within its kind; integers
 * meeting a function of real numbers become f64. Narrow dtypes (u8 i8 i16 f16 bf16) are
 * computed wide and rounded once. Every function here that has a derivative has it at any
 * order, in forward, reverse, Taylor and batched mode.
 */
#ifndef AGNESI_TENSOR_H
#define AGNESI_TENSOR_H

#include <agnesi/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most axes a tensor can have. */
#define AGN_MAX_RANK 32

/** Element types. */
enum {
    AGN_BOOL,
    AGN_U8,
    AGN_I8,
    AGN_I16,
    AGN_I32,
    AGN_I64,
    AGN_F16,
    AGN_BF16,
    AGN_F32,
    AGN_F64,
    AGN_C64,
    AGN_C128,
    AGN_NDTYPES
};
typedef int32_t agn_dtype;

/** Layouts. */
enum { AGN_DENSE, AGN_CSR };

/**
 * agn_dtype_name - name of a dtype, such as "f64"
 *
 * @param dtype  any number
 * @return       static text; "?" for others
 */
AGN_API const char *agn_dtype_name(agn_dtype dtype);

/**
 * agn_dtype_size - bytes of one element
 *
 * @param dtype  any number
 * @return       1, 2, 4, 8 or 16; 0 for others
 */
AGN_API size_t agn_dtype_size(agn_dtype dtype);

/**
 * agn_promote - dtype of a result of two dtypes
 *
 * @param a  dtype
 * @param b  dtype
 * @return   as the array API standard has it, mixed kinds as NumPy; -1 for a bad dtype
 */
AGN_API agn_dtype agn_promote(agn_dtype a, agn_dtype b);

/* ---- references and facts -------------------------------------------------------- */

/**
 * agn_retain - a new reference to a tensor
 *
 * @param x  NULL gives NULL
 * @return   x
 */
AGN_API agn_tensor *agn_retain(const agn_tensor *x);

/**
 * agn_release - drop a reference
 *
 * Safe on any thread, in any order; never fails, never touches the error message.
 *
 * @param x  NULL is allowed
 */
AGN_API void agn_release(agn_tensor *x);

/**
 * agn_ndim - number of axes
 *
 * @param x  tensor
 * @return   -1 for NULL
 */
AGN_API int32_t agn_ndim(const agn_tensor *x);

/**
 * agn_numel - number of elements
 *
 * @param x  tensor
 * @return   -1 for NULL
 */
AGN_API int64_t agn_numel(const agn_tensor *x);

/**
 * agn_dtype_of - element type
 *
 * @param x  tensor
 * @return   -1 for NULL
 */
AGN_API agn_dtype agn_dtype_of(const agn_tensor *x);

/**
 * agn_layout_of - layout: AGN_DENSE or AGN_CSR
 *
 * @param x  tensor
 * @return   -1 for NULL
 */
AGN_API int32_t agn_layout_of(const agn_tensor *x);

/**
 * agn_shape - sizes of the axes
 *
 * @param x  tensor
 * @return   NULL for NULL; valid as long as x
 */
AGN_API const int64_t *agn_shape(const agn_tensor *x);

/**
 * agn_strides - strides in elements
 *
 * @param x  tensor
 * @return   NULL for NULL; valid as long as x
 */
AGN_API const int64_t *agn_strides(const agn_tensor *x);

/**
 * agn_is_symbolic - does x stand for a value while tracing?
 *
 * @param x  tensor
 * @return   false for NULL
 */
AGN_API bool agn_is_symbolic(const agn_tensor *x);

/**
 * agn_is_watched - does x depend on a watched tensor?
 *
 * @param x  tensor
 * @return   false for NULL
 */
AGN_API bool agn_is_watched(const agn_tensor *x);

/**
 * agn_is_contiguous - are the elements in row-major order without gaps?
 *
 * @param x  tensor
 * @return   false for NULL
 */
AGN_API bool agn_is_contiguous(const agn_tensor *x);

/**
 * agn_device_of - device number
 *
 * @param x  tensor
 * @return   -1 for NULL
 */
AGN_API int32_t agn_device_of(const agn_tensor *x);

/**
 * agn_data - host address of element [0, ..., 0], for reading
 *
 * @param x  a concrete tensor in host-visible memory; walk it by agn_strides
 * @return   NULL for NULL, for a value while tracing, and for memory of another device
 */
AGN_API const void *agn_data(const agn_tensor *x);

/**
 * agn_data_mut - host address of element [0, ..., 0], for writing
 *
 * Counts as a write: values saved for a derivative before become stale.
 *
 * @param out  out, address
 * @param x    a concrete tensor, not the output of a recorded op, writable
 * @errors     AGN_ENULL, AGN_ESYMBOLIC, AGN_EDEVICE (not host memory), AGN_EARG (recorded
 *             or read-only)
 */
AGN_API AGN_MUST_CHECK agn_status agn_data_mut(void **out, agn_tensor *x);

/**
 * agn_item_f64 - value of a tensor with one element
 *
 * @param out  out
 * @param x    one element, real
 * @errors     AGN_ENULL, AGN_ESHAPE (not one element), AGN_EDTYPE (complex), AGN_ESYMBOLIC
 */
AGN_API AGN_MUST_CHECK agn_status agn_item_f64(double *out, const agn_tensor *x);

/**
 * agn_item_i64 - value of an integer tensor with one element
 *
 * @param out  out
 * @param x    one element, bool or integer
 * @errors     AGN_ENULL, AGN_ESHAPE (not one element), AGN_EDTYPE (not integer), AGN_ESYMBOLIC
 */
AGN_API AGN_MUST_CHECK agn_status agn_item_i64(int64_t *out, const agn_tensor *x);

/**
 * agn_to_host - copy the elements in row-major order
 *
 * @param dst    numel elements of x's dtype
 * @param x      concrete, any device and strides
 * @param bytes  size of dst; must be exactly that of the elements
 * @errors       AGN_ENULL, AGN_ESYMBOLIC, AGN_EARG (bytes differ), AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_to_host(void *dst, const agn_tensor *x, size_t bytes);

/* ---- creation -------------------------------------------------------------------------- */

/**
 * agn_from_host - a tensor with a copy of host data
 *
 * @param out    out, [shape...] on the CPU
 * @param dtype  element type
 * @param ndim   0 to AGN_MAX_RANK
 * @param shape  ndim sizes; may be NULL where ndim is 0
 * @param data   row-major elements; NULL is allowed for an empty tensor
 * @errors       AGN_ENULL, AGN_EDTYPE (no such dtype), AGN_ESHAPE (negative size, rank),
 *               AGN_ENOMEM (too large)
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_from_host(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                                                const int64_t *shape, const void *data);

/**
 * agn_wrap_host - a tensor on the host's own memory, without a copy
 *
 * Column-major arrays of R, Julia and Fortran are wrapped by their strides.
 *
 * @param out       out
 * @param dtype     element type
 * @param ndim      0 to AGN_MAX_RANK
 * @param shape     ndim sizes
 * @param stride    ndim strides in elements, any sign; NULL for row-major
 * @param data      address of element [0, ..., 0]; aligned to the element
 * @param readonly  refuse writes through agn_data_mut
 * @param destroy   called once with user when the memory is no longer needed; may be NULL
 * @param user      passed to destroy
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EARG (misaligned), AGN_ENOMEM;
 *                  on failure destroy is not called
 * @grad            none: a constant
 * @cost            O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_wrap_host(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                                                const int64_t *shape, const int64_t *stride,
                                                void *data, bool readonly,
                                                void (*destroy)(void *user), void *user);

/**
 * agn_empty - a tensor with unspecified elements
 *
 * @param out     out
 * @param dtype   element type
 * @param ndim    0 to AGN_MAX_RANK
 * @param shape   ndim sizes
 * @param device  device number
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDEVICE
 * @grad          none: a constant
 * @cost          O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_empty(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                                            const int64_t *shape, int32_t device);

/**
 * agn_lit - a literal: a weak 0-D number that takes the other operand's dtype
 *
 * A whole number keeps integers what they are; a fraction, inf, NaN and -0.0 turn them
 * into f64. A whole number that the other operand's integers cannot hold makes the op fail
 * with AGN_EDOMAIN.
 *
 * @param out    out, []
 * @param value  any
 * @errors       AGN_ENULL, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lit(agn_tensor **out, double value);

/**
 * agn_full - every element the same number
 *
 * @param out    out, [shape...]
 * @param dtype  element type
 * @param ndim   0 to AGN_MAX_RANK
 * @param shape  ndim sizes
 * @param value  converted to dtype; integers to 2^53 are exact
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (no integer of
 *               the dtype)
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_full(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                                           const int64_t *shape, double value);

/**
 * agn_full_i64 - every element the same integer, exactly
 *
 * @param out    out, [shape...]
 * @param dtype  element type
 * @param ndim   0 to AGN_MAX_RANK
 * @param shape  ndim sizes
 * @param value  converted to dtype
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM, AGN_EDOMAIN (out of range)
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_full_i64(agn_tensor **out, agn_dtype dtype, int32_t ndim,
                                               const int64_t *shape, int64_t value);

/**
 * agn_arange - start, start + step, ... below stop
 *
 * @param out    out, [max(0, ceil((stop - start) / step))]
 * @param dtype  element type
 * @param start  first element
 * @param stop   not reached
 * @param step   not 0; element i is start + i * step, not a running sum
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_EARG (step 0 or not finite), AGN_EDOMAIN (an end
 *               is no integer of the dtype), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_arange(agn_tensor **out, agn_dtype dtype, double start,
                                             double stop, double step);

/**
 * agn_linspace - n evenly spaced points, both ends exact
 *
 * @param out    out, [n]
 * @param dtype  a floating dtype
 * @param start  first element
 * @param stop   last element
 * @param n      number of points; one point is start
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (negative n), AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_linspace(agn_tensor **out, agn_dtype dtype, double start,
                                               double stop, int64_t n);

/**
 * agn_eye - ones on a diagonal
 *
 * @param out    out, [rows, cols]
 * @param dtype  element type
 * @param rows   number of rows
 * @param cols   number of columns
 * @param k      diagonal; 0 is the main one, positive above
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(rows cols)
 */
AGN_API AGN_MUST_CHECK agn_status agn_eye(agn_tensor **out, agn_dtype dtype, int64_t rows,
                                          int64_t cols, int64_t k);

/**
 * agn_to_device - the same values on a device
 *
 * @param out     out
 * @param x       any strides
 * @param device  device number; where x already is there, a new reference
 * @errors        AGN_ENULL, AGN_ESYMBOLIC, AGN_EDEVICE, AGN_ENOMEM, AGN_EUNSUPPORTED (x is
 *                recorded)
 * @grad          none: move before watching
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_to_device(agn_tensor **out, const agn_tensor *x,
                                                int32_t device);

/* ---- element-wise, one argument ------------------------------------------------------- */

/**
 * agn_neg - -x
 *
 * Integers wrap around.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_neg(agn_tensor **out, const agn_tensor *x);

/**
 * agn_abs - magnitude |x|
 *
 * The result of a complex argument is real.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       x / |x|; 0 at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_abs(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sign - -1, 0 or 1; x / |x| for complex
 *
 * NaN gives NaN.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0 for real arguments; complex: not given
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sign(agn_tensor **out, const agn_tensor *x);

/**
 * agn_square - x * x
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_square(agn_tensor **out, const agn_tensor *x);

/**
 * agn_reciprocal - 1 / x
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_reciprocal(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sqrt - square root
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0; infinite at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sqrt(agn_tensor **out, const agn_tensor *x);

/**
 * agn_rsqrt - 1 / sqrt(x)
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_rsqrt(agn_tensor **out, const agn_tensor *x);

/**
 * agn_exp - e to the power x
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_exp(agn_tensor **out, const agn_tensor *x);

/**
 * agn_exp2 - 2 to the power x
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_exp2(agn_tensor **out, const agn_tensor *x);

/**
 * agn_expm1 - exp(x) - 1 without cancellation
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_expm1(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log - natural logarithm
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log2 - logarithm to base 2
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log2(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log10 - logarithm to base 10
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log10(agn_tensor **out, const agn_tensor *x);

/**
 * agn_log1p - log(1 + x) without cancellation
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x > -1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_log1p(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sin - sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sin(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cos - cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cos(agn_tensor **out, const agn_tensor *x);

/**
 * agn_tan - tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tan(agn_tensor **out, const agn_tensor *x);

/**
 * agn_asin - inverse sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_asin(agn_tensor **out, const agn_tensor *x);

/**
 * agn_acos - inverse cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_acos(agn_tensor **out, const agn_tensor *x);

/**
 * agn_atan - inverse tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atan(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sinh - hyperbolic sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sinh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_cosh - hyperbolic cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cosh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_tanh - hyperbolic tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_tanh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_asinh - inverse hyperbolic sine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_asinh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_acosh - inverse hyperbolic cosine
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where x is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_acosh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_atanh - inverse hyperbolic tangent
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       where |x| is not 1
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atanh(agn_tensor **out, const agn_tensor *x);

/**
 * agn_erf - error function
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erf(agn_tensor **out, const agn_tensor *x);

/**
 * agn_erfc - complementary error function 1 - erf(x)
 *
 * Keeps full relative accuracy for large x.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_erfc(agn_tensor **out, const agn_tensor *x);

/**
 * agn_lgamma - log of |gamma(x)|
 *
 * Infinite at 0, -1, -2, ...
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       digamma(x), off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lgamma(agn_tensor **out, const agn_tensor *x);

/**
 * agn_digamma - derivative of lgamma
 *
 * NaN at -1, -2, ...; at 0 infinite with the sign opposite to that of the zero.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       polygamma(1, x), off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_digamma(agn_tensor **out, const agn_tensor *x);

/**
 * agn_sigmoid - 1 / (1 + exp(-x))
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sigmoid(agn_tensor **out, const agn_tensor *x);

/**
 * agn_softplus - log(1 + exp(x))
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_softplus(agn_tensor **out, const agn_tensor *x);

/**
 * agn_relu - max(x, 0)
 *
 * NaN gives NaN.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0 at 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_relu(agn_tensor **out, const agn_tensor *x);

/**
 * agn_gelu - x times the normal distribution function of x
 *
 * The exact form, by erfc.
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gelu(agn_tensor **out, const agn_tensor *x);

/**
 * agn_floor - largest integer not above x
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_floor(agn_tensor **out, const agn_tensor *x);

/**
 * agn_ceil - smallest integer not below x
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ceil(agn_tensor **out, const agn_tensor *x);

/**
 * agn_round - nearest integer, halves to even
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_round(agn_tensor **out, const agn_tensor *x);

/**
 * agn_trunc - x without its fraction
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_trunc(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isnan - is x not a number?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isnan(agn_tensor **out, const agn_tensor *x);

/**
 * agn_isfinite - is x neither infinite nor NaN?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_isfinite(agn_tensor **out, const agn_tensor *x);

/**
 * agn_logical_not - is x zero?
 *
 * The result is bool.
 *
 * @param out  out, shape of x
 * @param x    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_not(agn_tensor **out, const agn_tensor *x);

/**
 * agn_conj - complex conjugate
 *
 * Real arguments are returned as they are.
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere (R-linear)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_conj(agn_tensor **out, const agn_tensor *x);

/**
 * agn_real - real part
 *
 * The result of a complex argument is real.
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere (R-linear)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_real(agn_tensor **out, const agn_tensor *x);

/**
 * agn_imag - imaginary part
 *
 * The result is real: zero for real arguments.
 *
 * @param out  out, shape of x
 * @param x    f32 f64 c64 c128; others by promotion
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       everywhere (R-linear)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_imag(agn_tensor **out, const agn_tensor *x);

/**
 * agn_polygamma - n-th derivative of digamma
 *
 * @param out  out, shape of x
 * @param x    f32 f64; others by promotion
 * @param n    order, 0 to 100; 0 is digamma
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_EARG (order), AGN_ENOMEM
 * @grad       polygamma(n + 1, x), off the poles
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_polygamma(agn_tensor **out, const agn_tensor *x, int32_t n);

/* ---- element-wise, two or three arguments ---------------------------------------------- */

/**
 * agn_add - a + b
 *
 * Integers wrap around; of bools it is "or".
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_add(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_sub - a - b
 *
 * Integers wrap around.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sub(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_mul - a * b
 *
 * Integers wrap around; of bools it is "and".
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mul(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_div - true division a / b
 *
 * Integers give f64.
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       where b is not 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_div(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_mulz - product with an absorbing zero: 0 times anything is 0
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mulz(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_pow - a to the power b
 *
 * Integers: by squaring, wrapping around; a negative exponent gives the truncated reciprocal.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       in a where finite; in b 0 at a = 0, NaN at a < 0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pow(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_atan2 - angle of the point (b, a)
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0 at (0, 0)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_atan2(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_hypot - sqrt(a^2 + b^2) without overflow
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0 at (0, 0)
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_hypot(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_maximum - larger of two; NaN if either is
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to a where a >= b, else to b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_maximum(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_minimum - smaller of two; NaN if either is
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       to a where a <= b, else to b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_minimum(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_floor_divide - quotient rounded down
 *
 * Of the exact quotient, as in Python: 1 by 0.1 is 9. Integer division by 0 gives 0.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       0
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_floor_divide(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_remainder - a - b * floor(a / b): the sign of b, also where it is zero
 *
 * Of integers modulo 0 it is 0.
 *
 * @param out  out, the broadcast shape
 * @param a    i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       1 in a, -floor(a / b) in b
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_remainder(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_eq - a == b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_eq(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_ne - a != b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ne(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_lt - a < b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_lt(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_le - a <= b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_le(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_gt - a > b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gt(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_ge - a >= b
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_ge(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_logical_and - are both not zero?
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_and(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_logical_or - is one not zero?
 *
 * The result is bool.
 *
 * @param out  out, the broadcast shape
 * @param a    bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       none: bool
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logical_or(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_complex - a + i b
 *
 * @param out  out, the broadcast shape
 * @param a    f32 f64; others by promotion
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_complex(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_where - a where the condition holds, else b
 *
 * @param out   out, the broadcast shape
 * @param cond  bool; other dtypes: not zero
 * @param a     bool i32 i64 f32 f64 c64 c128; others by promotion
 * @param b     likewise
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE (do not broadcast), AGN_EDEVICE, AGN_ENOMEM
 * @grad        to the chosen one; inf and NaN of the other one do no harm
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_where(agn_tensor **out, const agn_tensor *cond,
                                            const agn_tensor *a, const agn_tensor *b);

/**
 * agn_add_c - x + c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_add
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_add in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_add_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_sub_c - x - c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_sub
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_sub in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sub_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_mul_c - x * c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_mul
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_mul in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mul_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_div_c - x / c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_div
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_div in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_div_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_pow_c - x to the power c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_pow
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_pow in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pow_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_maximum_c - larger of x and c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_maximum
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_maximum in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_maximum_c(agn_tensor **out, const agn_tensor *x, double c);

/**
 * agn_minimum_c - smaller of x and c with a literal c, which takes the dtype of x within its kind
 *
 * @param out  out, shape of x
 * @param x    as for agn_minimum
 * @param c    any
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ENOMEM
 * @grad       as agn_minimum in x
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_minimum_c(agn_tensor **out, const agn_tensor *x, double c);

/* ---- dtype and memory -------------------------------------------------------------------- */

/**
 * agn_cast - convert to another dtype
 *
 * Floats to integers are cut towards zero; NaN gives 0, values out of range the nearest
 * limit. Complex to real keeps the real part. To bool: not zero.
 *
 * @param out    out, shape of x
 * @param x      any dtype
 * @param dtype  any dtype
 * @errors       AGN_ENULL, AGN_EDTYPE (no such dtype), AGN_ENOMEM
 * @grad         between floating dtypes
 * @cost         O(n); a new reference where the dtype is the same
 */
AGN_API AGN_MUST_CHECK agn_status agn_cast(agn_tensor **out, const agn_tensor *x,
                                           agn_dtype dtype);

/**
 * agn_copy - the same values in new row-major memory
 *
 * @param out  out, shape of x
 * @param x    any dtype and strides
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_copy(agn_tensor **out, const agn_tensor *x);

/**
 * agn_contiguous - x itself where it is row-major, else a copy that is
 *
 * @param out  out, shape of x
 * @param x    any dtype and strides
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n) at most
 */
AGN_API AGN_MUST_CHECK agn_status agn_contiguous(agn_tensor **out, const agn_tensor *x);

/**
 * agn_stop_gradient - the same value, a constant for derivatives
 *
 * @param out  out, shape of x
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       0 by definition
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stop_gradient(agn_tensor **out, const agn_tensor *x);

/* ---- shape --------------------------------------------------------------------------------- */

/**
 * agn_reshape - the same elements in row-major order under another shape
 *
 * @param out    out, [shape...]; a view where strides allow
 * @param x      any dtype
 * @param ndim   number of axes
 * @param shape  sizes; one of them may be -1: inferred
 * @errors       AGN_ENULL, AGN_ESHAPE (sizes do not fit, two -1), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1), or O(n) for a copy
 */
AGN_API AGN_MUST_CHECK agn_status agn_reshape(agn_tensor **out, const agn_tensor *x,
                                              int32_t ndim, const int64_t *shape);

/**
 * agn_permute - reorder the axes
 *
 * @param out   out, axis i has the size of axis axes[i] of x; a view
 * @param x     any dtype
 * @param axes  ndim different axes, negative ones count from the end
 * @param n     number of axes; must be ndim of x
 * @errors      AGN_ENULL, AGN_ESHAPE (n differs), AGN_EINDEX (axis out of range), AGN_EARG
 *              (axis twice), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_permute(agn_tensor **out, const agn_tensor *x,
                                              const int32_t *axes, int32_t n);

/**
 * agn_transpose - swap the last two axes
 *
 * @param out  out, [..., n, m]; a view
 * @param x    [..., m, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (fewer than two axes), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_transpose(agn_tensor **out, const agn_tensor *x);

/**
 * agn_expand_dims - insert an axis of size 1
 *
 * @param out   out; a view
 * @param x     any dtype
 * @param axis  its place in the result, in [-ndim - 1, ndim]
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (rank), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_expand_dims(agn_tensor **out, const agn_tensor *x,
                                                  int32_t axis);

/**
 * agn_squeeze - drop an axis of size 1
 *
 * @param out   out; a view
 * @param x     any dtype
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ESHAPE (its size is not 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_squeeze(agn_tensor **out, const agn_tensor *x,
                                              int32_t axis);

/**
 * agn_broadcast_to - repeat along axes of size 1 and new leading axes
 *
 * @param out    out, [shape...]; a view with strides of 0
 * @param x      any dtype
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_ESHAPE (does not broadcast), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_broadcast_to(agn_tensor **out, const agn_tensor *x,
                                                   int32_t ndim, const int64_t *shape);

/**
 * agn_slice - x[start:stop:step] along every axis
 *
 * As in Python: negative numbers count from the end, out-of-range ones are clipped. Use
 * AGN_END for an omitted stop and AGN_BEGIN for an omitted start.
 *
 * @param out    out; a view
 * @param x      any dtype
 * @param n      number of leading axes that are sliced; the rest are kept
 * @param start  n numbers
 * @param stop   n numbers
 * @param step   n numbers, not 0; NULL for 1
 * @errors       AGN_ENULL, AGN_ESHAPE (n above ndim), AGN_EARG (step 0), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_slice(agn_tensor **out, const agn_tensor *x, int32_t n,
                                            const int64_t *start, const int64_t *stop,
                                            const int64_t *step);
#define AGN_BEGIN INT64_MAX /* omitted start of agn_slice */
#define AGN_END INT64_MIN   /* omitted stop of agn_slice */

/**
 * agn_index - x[i] along one axis, which disappears
 *
 * @param out    out; a view
 * @param x      any dtype
 * @param axis   in [-ndim, ndim)
 * @param index  in [-size, size)
 * @errors       AGN_ENULL, AGN_EINDEX (axis or index out of range), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                            int64_t index);

/**
 * agn_flip - reverse axes
 *
 * @param out   out, shape of x; a view
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_EARG (axis twice), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_flip(agn_tensor **out, const agn_tensor *x,
                                           const int32_t *axes, int32_t n);

/**
 * agn_pad - surround with a number
 *
 * @param out    out, axis i has size lo[i] + size + hi[i]
 * @param x      any dtype
 * @param n      number of axes; must be ndim of x
 * @param lo     n numbers of elements in front, not negative
 * @param hi     n numbers of elements behind, not negative
 * @param value  the number, converted to the dtype of x
 * @errors       AGN_ENULL, AGN_ESHAPE (n differs, negative padding), AGN_EDOMAIN (value is no
 *               integer of the dtype), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_pad(agn_tensor **out, const agn_tensor *x, int32_t n,
                                          const int64_t *lo, const int64_t *hi, double value);

/**
 * agn_concat - join along an axis
 *
 * @param out   out; dtypes promote
 * @param xs    n tensors, equal in shape but for the axis
 * @param n     at least 1
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ, 0-D), AGN_EINDEX, AGN_EARG (n < 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_concat(agn_tensor **out, const agn_tensor *const *xs,
                                             int32_t n, int32_t axis);

/**
 * agn_stack - join along a new axis
 *
 * @param out   out; dtypes promote
 * @param xs    n tensors of one shape
 * @param n     at least 1
 * @param axis  place of the new axis, in [-ndim - 1, ndim]
 * @errors      AGN_ENULL, AGN_ESHAPE (shapes differ), AGN_EINDEX, AGN_EARG (n < 1), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_stack(agn_tensor **out, const agn_tensor *const *xs,
                                            int32_t n, int32_t axis);

/* ---- gather and scatter ------------------------------------------------------------------------ */

/**
 * agn_gather - pick slices along an axis by index
 *
 * @param out   out, shape of x with the axis replaced by the shape of idx
 * @param x     any dtype
 * @param idx   integers in [-size, size), any shape
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX (axis; an index out of range:
 *              names it), AGN_ESHAPE (rank), AGN_ENOMEM
 * @grad        everywhere in x; contributions of equal indices add
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_gather(agn_tensor **out, const agn_tensor *x,
                                             const agn_tensor *idx, int32_t axis);

/**
 * agn_take_along_axis - pick elements along an axis, lane by lane
 *
 * @param out   out, shape of idx
 * @param x     any dtype; equal to idx in shape but for the axis
 * @param idx   integers in [-size, size)
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX, AGN_ESHAPE, AGN_ENOMEM
 * @grad        everywhere in x
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_take_along_axis(agn_tensor **out, const agn_tensor *x,
                                                      const agn_tensor *idx, int32_t axis);

/**
 * agn_scatter_add - add slices into a copy of x at given places of an axis
 *
 * Adds in the order of idx: the same bits every time.
 *
 * @param out   out, shape of x
 * @param x     i32 i64 f32 f64 c64 c128
 * @param idx   integers in [-size, size), any shape
 * @param v     slices: shape of x with the axis replaced by the shape of idx
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (shape of v), AGN_ENOMEM
 * @grad        everywhere in x and v
 * @cost        O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_scatter_add(agn_tensor **out, const agn_tensor *x,
                                                  const agn_tensor *idx, const agn_tensor *v,
                                                  int32_t axis);

/**
 * agn_index_put - a copy of x with x[idx_0, idx_1, ...] = v
 *
 * The last one of equal index tuples wins.
 *
 * @param out  out, shape of x
 * @param x    any dtype
 * @param idx  n integer tensors that broadcast to one shape, for the leading n axes
 * @param n    1 to ndim of x
 * @param v    broadcasts to that shape followed by the other axes of x
 * @errors     AGN_ENULL, AGN_EDTYPE (idx not integer), AGN_EINDEX (an index out of range: names
 *             it), AGN_ESHAPE, AGN_ENOMEM
 * @grad       everywhere in x and v; an overwritten element gets none
 * @cost       O(size of x + size of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_index_put(agn_tensor **out, const agn_tensor *x,
                                                const agn_tensor *const *idx, int32_t n,
                                                const agn_tensor *v);

/* ---- reductions and scans -------------------------------------------------------------------------- */

/**
 * agn_sum - sum of elements
 *
 * Bools and narrow integers sum as i64; f16 and bf16 accumulate wide; pairwise order.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sum(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_mean - arithmetic mean
 *
 * Integers give f64; the mean of nothing is NaN.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     any dtype
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mean(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_prod - product of elements
 *
 * Right at any order where elements are zero. The product of nothing is 1.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     i32 i64 f32 f64 c64 c128; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_prod(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_max - largest element
 *
 * NaN if there is one.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice), AGN_ESHAPE (nothing to compare),
 *              AGN_ENOMEM
 * @grad        to the first of the largest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_max(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_min - smallest element
 *
 * NaN if there is one.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice), AGN_ESHAPE (nothing to compare),
 *              AGN_ENOMEM
 * @grad        to the first of the smallest
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_min(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_logsumexp - log of the sum of exponentials
 *
 * Stable for large and infinite elements; of nothing it is -inf.
 *
 * @param out   out, x without the axes; with them as 1 if keep
 * @param x     f32 f64; others by promotion
 * @param axes  n different axes; NULL for all
 * @param n     number of axes
 * @param keep  keep the reduced axes with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX (axis out of range), AGN_EARG (axis twice),
 *              AGN_ENOMEM
 * @grad        softmax; 0 where all are -inf
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_logsumexp(agn_tensor **out, const agn_tensor *x,
                                          const int32_t *axes, int32_t n, bool keep);

/**
 * agn_sum_all - sum of all elements
 *
 * @param out  out, []
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sum_all(agn_tensor **out, const agn_tensor *x);

/**
 * agn_mean_all - mean of all elements
 *
 * @param out  out, []
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mean_all(agn_tensor **out, const agn_tensor *x);

/**
 * agn_argmax - index of the largest element along an axis
 *
 * The first one of equals; NaN counts as largest.
 *
 * @param out   out, i64, x without the axis; with it as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axis  in [-ndim, ndim)
 * @param keep  keep the axis with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis, 0-D), AGN_ENOMEM
 * @grad        none: an index
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argmax(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                          bool keep);

/**
 * agn_argmin - index of the smallest element along an axis
 *
 * The first one of equals; NaN counts as smallest.
 *
 * @param out   out, i64, x without the axis; with it as 1 if keep
 * @param x     bool i32 i64 f32 f64
 * @param axis  in [-ndim, ndim)
 * @param keep  keep the axis with size 1
 * @errors      AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ESHAPE (empty axis, 0-D), AGN_ENOMEM
 * @grad        none: an index
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argmin(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                          bool keep);

/**
 * agn_cumsum - running sum along an axis
 *
 * @param out   out, shape of x
 * @param x     any dtype; bools and narrow integers as i64
 * @param axis  in [-ndim, ndim)
 * @errors      AGN_ENULL, AGN_EINDEX, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cumsum(agn_tensor **out, const agn_tensor *x,
                                             int32_t axis);

/**
 * agn_sort - sort along an axis
 *
 * Stable; NaN comes last in either direction.
 *
 * @param out         out, shape of x
 * @param x           bool i32 i64 f32 f64
 * @param axis        in [-ndim, ndim)
 * @param descending  largest first
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad              to the element that was moved there
 * @cost              O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_sort(agn_tensor **out, const agn_tensor *x, int32_t axis,
                                           bool descending);

/**
 * agn_argsort - the permutation that sorts along an axis
 *
 * @param out         out, i64, shape of x
 * @param x           bool i32 i64 f32 f64
 * @param axis        in [-ndim, ndim)
 * @param descending  largest first
 * @errors            AGN_ENULL, AGN_EDTYPE, AGN_EINDEX, AGN_ENOMEM
 * @grad              none: indices
 * @cost              O(n log n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_argsort(agn_tensor **out, const agn_tensor *x,
                                              int32_t axis, bool descending);

/* ---- products ------------------------------------------------------------------------------------ */

/**
 * agn_matmul - matrix product of the last two axes
 *
 * Leading axes broadcast. A 1-D left operand is a row, a 1-D right one a column; that axis
 * is dropped from the result.
 *
 * @param out  out, [..., m, n]
 * @param a    [..., m, k]  i32 i64 f32 f64 c64 c128; others by promotion; any strides
 * @param b    [..., k, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (0-D, inner dimensions differ, batch does not broadcast),
 *             AGN_EDTYPE (bool), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(m n k) per matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_matmul(agn_tensor **out, const agn_tensor *a,
                                             const agn_tensor *b);

/**
 * agn_einsum - Einstein summation
 *
 * @param out   out, the axes named right of "->"
 * @param spec  such as "bij,bjk->bik"; letters name axes, equal letters in one operand take the
 *              diagonal, "..." stands for broadcast axes; without "->" the letters that occur
 *              once, in alphabetical order
 * @param xs    n operands
 * @param n     1 to 16
 * @errors      AGN_ENULL, AGN_EARG (grammar: names the character), AGN_ESHAPE (sizes of one
 *              letter differ, rank, more than AGN_MAX_RANK axes at once), AGN_EDTYPE (bool),
 *              AGN_ENOMEM
 * @grad        everywhere
 * @cost        pairwise from left to right, each a batched matmul
 */
AGN_API AGN_MUST_CHECK agn_status agn_einsum(agn_tensor **out, const char *spec,
                                             const agn_tensor *const *xs, int32_t n);

/* ---- random numbers --------------------------------------------------------------------------------- */

/**
 * agn_key - the next key of a generator
 *
 * @param out  out, i64 [2]: seed and stream; a value like any other, may be an argument
 * @param g    advanced by one stream
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       none: a key
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_key(agn_tensor **out, agn_generator *g);

/**
 * agn_key_fold - a key made of a key and a number, for one lane or step
 *
 * @param out  out, i64 [2]
 * @param key  i64 [2]
 * @param n    i64 []; different numbers give independent keys
 * @errors     AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad       none: a key
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_key_fold(agn_tensor **out, const agn_tensor *key,
                                               const agn_tensor *n);

/**
 * agn_uniform - uniform random numbers in [0, 1)
 *
 * The same key gives the same numbers on every device.
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param dtype  AGN_F32 (24 bits) or AGN_F64 (53 bits)
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Salmon et al. 2011 (Philox4x32-10)
 */
AGN_API AGN_MUST_CHECK agn_status agn_uniform(agn_tensor **out, const agn_tensor *key,
                                              agn_dtype dtype, int32_t ndim,
                                              const int64_t *shape);

/**
 * agn_normal - standard normal random numbers
 *
 * @param out    out, [shape...]
 * @param key    i64 [2]
 * @param dtype  AGN_F32 or AGN_F64
 * @param ndim   number of axes
 * @param shape  sizes
 * @errors       AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_ENOMEM
 * @grad         none: a constant
 * @cost         O(n)
 * @ref          Wichura 1988 (AS 241)
 */
AGN_API AGN_MUST_CHECK agn_status agn_normal(agn_tensor **out, const agn_tensor *key,
                                             agn_dtype dtype, int32_t ndim,
                                             const int64_t *shape);

/* ---- text and files ------------------------------------------------------------------------------------ */

/**
 * agn_format - a tensor as text, as NumPy prints it
 *
 * @param buf   n bytes, always terminated; may be NULL where n is 0
 * @param n     size of buf
 * @param need  out, bytes the whole text needs with its end; may be NULL
 * @param x     any; values while tracing give dtype and shape, sparse ones their parts
 * @errors      AGN_ENULL, AGN_ENOMEM, AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_format(char *buf, size_t n, size_t *need,
                                             const agn_tensor *x);

/**
 * agn_npy_save - write a .npy file
 *
 * Writes a temporary file beside it and renames: a failure leaves an old file as it was.
 *
 * @param path  file
 * @param x     any dtype but bf16, any strides and device
 * @errors      AGN_ENULL, AGN_EUNSUPPORTED (bf16), AGN_ESYMBOLIC, AGN_EIO, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_npy_save(const char *path, const agn_tensor *x);

/**
 * agn_npy_load - read a .npy file
 *
 * @param out   out; row-major, also from Fortran-order or big-endian files
 * @param path  file, versions 1.0 to 3.0
 * @errors      AGN_ENULL, AGN_EIO (cannot be read), AGN_EFORMAT (damaged, shorter than it says,
 *              or a dtype we lack), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_npy_load(agn_tensor **out, const char *path);

/* ---- reflection ---------------------------------------------------------------------------------------------- */

/**
 * agn_op_count - number of ops, built in and registered
 *
 * @return  ops have ids 0 to this - 1
 */
AGN_API int32_t agn_op_count(void);

/**
 * agn_op_name - name of an op
 *
 * @param id  0 to agn_op_count() - 1
 * @return    name, or NULL for a bad id
 */
AGN_API const char *agn_op_name(int32_t id);

/**
 * agn_op_apply - apply any op by its name
 *
 * Reaches every row of the op table, for bindings.
 *
 * @param out    out, n_out new references
 * @param n_out  number of results; must be the op's
 * @param op     name
 * @param in     n_in operands
 * @param n_in   number of operands
 * @param ints   n_int integer attributes; axes count from the end
 * @param n_int  number of them
 * @param reals  n_real real attributes
 * @param n_real number of them
 * @errors       AGN_ENULL, AGN_EARG (no such op, wrong numbers), and those of the op
 */
AGN_API AGN_MUST_CHECK agn_status agn_op_apply(agn_tensor **out, int32_t n_out, const char *op,
                                               const agn_tensor *const *in, int32_t n_in,
                                               const int64_t *ints, int32_t n_int,
                                               const double *reals, int32_t n_real);

/** What the table says of an op; sizes of arrays are fixed by the interface. */
typedef struct agn_op_info {
    size_t size; /* sizeof(agn_op_info) */
    const char *name;
    const char *doc;
    const char *kind;  /* class: "element-wise", "linear", ... */
    int32_t n_in, n_out; /* -1: any number */
    uint32_t dtypes;   /* compute dtypes, 1 << dtype */
    uint32_t diff;     /* arguments with a derivative */
    double lo, hi;     /* test domain */
    bool jvp, vjp, jet, vmap, sparse, cpu;
} agn_op_info;

/**
 * agn_op_describe - read a row of the op table
 *
 * @param info  out; info->size must be set
 * @param id    0 to agn_op_count() - 1
 * @errors      AGN_ENULL, AGN_EARG (no such id, unknown size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_op_describe(agn_op_info *info, int32_t id);

/* ---- recording ---------------------------------------------------------------------------------------------------- */

/**
 * agn_watch - a leaf to differentiate with respect to
 *
 * Ops on the result are recorded. Watching what depends on an outer watched tensor gives a leaf for
 * the inner derivative and a link for the outer one.
 *
 * @param out  out, the same value
 * @param x    any dtype
 * @errors     AGN_ENULL, AGN_ENOMEM
 * @grad       identity
 * @cost       O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_watch(agn_tensor **out, const agn_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
