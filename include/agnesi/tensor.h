/**
 * agnesi/tensor.h - tensors: handles, facts, creation, dtype, reflection
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
enum { AGN_DENSE, AGN_CSR, AGN_CSC, AGN_COO };

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

/* ---- references and facts ------------------------------------------------------- */

/**
 * agn_handle_checks_set - turn the checking mode on or off; AGNESI_CHECK=1 begins with it
 *
 * What is an error of the program is then found where it happens, as AGN_ESTALE with a message that
 * names the tensor by the op that made it, which also goes to the log hook of the host: a tensor is
 * used after its release, or after its scope was closed; it is released twice; a body uses what it
 * computed from the arguments of an earlier call, which has no derivative; a body writes
 * (agn_data_mut, the _into forms) what it computed from; a function, law, transform, model,
 * minimiser or generator is used after its release, or it, a graph or a factor is released twice.
 * Tensors made before are not looked at. The headers of the last 65536 released tensors, and the
 * last 4096 other handles, stay allocated. Off, it costs nothing.
 *
 * @param on  for all threads, from now on; not while other threads are in the library
 */
AGN_API void agn_handle_checks_set(bool on);

/**
 * agn_handle_faults - number of errors that the checking mode found, all threads
 *
 * @return  a running count: that of a release, which has no status, shows here
 */
AGN_API int64_t agn_handle_faults(void);

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
 * agn_layout_of - layout: AGN_DENSE, AGN_CSR, AGN_CSC or AGN_COO
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
 * agn_data_contiguous - host address of the elements, row by row without gaps, for reading
 *
 * Results may be views: a Jacobian found column by column, a slice, a transpose. Their elements
 * read as rows are in another order, so they are refused here; agn_contiguous() copies them.
 *
 * @param out  out
 * @param x    a concrete dense tensor in host-visible memory
 * @errors     AGN_ENULL, AGN_EARG (strided), AGN_ESYMBOLIC (a value while tracing), AGN_ESTALE,
 *             AGN_EUNSUPPORTED (sparse), AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_data_contiguous(const void **out, const agn_tensor *x);

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

/* ---- creation ------------------------------------------------------------------- */

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
 * @errors          AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EARG (misaligned, strides beyond any
 *                  memory, a read-only bool whose byte is neither 0 nor 1; one that may be written
 *                  becomes 1), AGN_ENOMEM; on failure destroy is not called
 * @grad            none: a constant
 * @cost            O(1); O(n) for bools, which are looked at
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
 * A whole number keeps integers what they are; a fraction, inf, NaN, -0.0 and what no i64
 * holds turn them into f64. A whole number that the other operand's integers cannot hold makes the
 * op fail with AGN_EDOMAIN.
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

/* ---- reflection ----------------------------------------------------------------- */

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
 * agn_op_signature - what an op takes
 *
 * The names of its arguments, then its attributes as name:kind in the order in which
 * agn_op_apply wants them, with a space between: "x idx axis:a batch:i". A name with a star is
 * any number of arguments. Kinds: i an integer, b 0 or 1, a an axis of the first argument
 * counted from its end (-1 is the last), d a dtype, all these among the integers; r a real; o
 * an object, which agn_op_apply cannot pass. An attribute with a star, or a group in
 * parentheses with one, may come any number of times: "x (start:i step:i count:i)*".
 *
 * @param id  0 to agn_op_count() - 1
 * @return    the text, or NULL for a bad id; "" for an op registered from outside, which
 *            takes no attributes
 */
AGN_API const char *agn_op_signature(int32_t id);

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
 * @param ints   n_int integer attributes, as agn_op_signature names them: the order of sinc and
 *               erfcx is that of a derivative, 0 for the function that bears the name
 * @param n_int  number of them
 * @param reals  n_real real attributes
 * @param n_real number of them
 * @errors       AGN_ENULL, AGN_EARG (no such op, wrong numbers of arguments, results or
 *               attributes, a flag that is neither 0 nor 1), AGN_EINDEX (no such axis),
 *               AGN_EDTYPE (no such dtype), and those of the op
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
    uint32_t diff;     /* arguments in which a derivative is given */
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

/* ---- recording ------------------------------------------------------------------ */

/**
 * agn_watch - a leaf to differentiate with respect to
 *
 * Ops on the result are recorded. Watching what depends on an outer watched tensor gives a leaf for
 * the inner derivative and a link for the outer one. Of a sparse tensor the values are watched: the
 * gradient with respect to the result lives on its pattern.
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
