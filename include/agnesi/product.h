/**
 * agnesi/product.h - products of matrices and tensors
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leading axes are a batch and broadcast.
 */
#ifndef AGNESI_PRODUCT_H
#define AGNESI_PRODUCT_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- products -------------------------------------------------------------------- */

/**
 * agn_matmul - matrix product of the last two axes
 *
 * Leading axes broadcast. A 1-D left operand is a row, a 1-D right one a column; that
 * axis is dropped from the result.
 *
 * @param out  out, [..., m, n]
 * @param a    [..., m, k]  i32 i64 f32 f64 c64 c128; others by promotion; any strides
 * @param b    [..., k, n]
 * @errors     AGN_ENULL, AGN_ESHAPE (0-D, inner dimensions differ, batch does not
 *             broadcast), AGN_EDTYPE (bool), AGN_EDEVICE, AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(m n k) per matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_matmul(agn_tensor **out, const agn_tensor *a,
                                             const agn_tensor *b);

/**
 * agn_mv - matrices times vectors
 *
 * @param out  out, [..., m]
 * @param a    [..., m, k]  i32 i64 f32 f64 c64 c128; others by promotion
 * @param b    [..., k]
 * @errors     AGN_ENULL, AGN_ESHAPE (axes, inner dimensions, batch), AGN_EDTYPE (bool),
 *             AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(m k) per matrix
 */
AGN_API AGN_MUST_CHECK agn_status agn_mv(agn_tensor **out, const agn_tensor *a,
                                         const agn_tensor *b);

/**
 * agn_vecdot - sums of products along an axis, a conjugate
 *
 * @param out   out, broadcast shape of both without the axis
 * @param a     as for agn_matmul
 * @param b     likewise
 * @param axis  of each of them, as in NumPy's vecdot: from 0 on by its own axes, negative from the
 *              end
 * @errors      AGN_ENULL, AGN_EINDEX (axis of either), AGN_ESHAPE (sizes along it differ, batch),
 *              AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of the product)
 */
AGN_API AGN_MUST_CHECK agn_status agn_vecdot(agn_tensor **out, const agn_tensor *a,
                                             const agn_tensor *b, int32_t axis);

/**
 * agn_dot - sums over the last axis of a and the last but one of b, or its only one
 *
 * No broadcasting: every row of a meets every column of b. A 0-D operand multiplies.
 *
 * @param out  out, [other axes of a..., other axes of b...]
 * @param a    as for agn_matmul
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_ESHAPE (sizes differ, rank), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad       everywhere
 * @cost       one matmul
 */
AGN_API AGN_MUST_CHECK agn_status agn_dot(agn_tensor **out, const agn_tensor *a,
                                          const agn_tensor *b);

/**
 * agn_inner - sums over the last axes of both
 *
 * @param out  out, [other axes of a..., other axes of b...]; a 0-D operand multiplies
 * @param a    as for agn_matmul
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_ESHAPE (sizes differ, rank), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad       everywhere
 * @cost       one matmul
 */
AGN_API AGN_MUST_CHECK agn_status agn_inner(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b);

/**
 * agn_outer - every element of a times every element of b
 *
 * @param out  out, [size of a, size of b]
 * @param a    any shape, as for agn_matmul
 * @param b    any shape, likewise
 * @errors     AGN_ENULL, AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_outer(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b);

/**
 * agn_addmm - beta c + alpha a b
 *
 * Where beta is 0, c is not looked at: NaN in it does no harm.
 *
 * @param out    out, shape of the product
 * @param c      broadcasts to the shape of the product
 * @param a      as for agn_matmul
 * @param b      likewise
 * @param beta   factor of c
 * @param alpha  factor of the product
 * @errors       AGN_ENULL, AGN_ESHAPE (as agn_matmul; c), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad         everywhere
 * @cost         one matmul
 */
AGN_API AGN_MUST_CHECK agn_status agn_addmm(agn_tensor **out, const agn_tensor *c,
                                            const agn_tensor *a, const agn_tensor *b,
                                            double beta, double alpha);

/**
 * agn_multi_dot - a product of many matrices, in the order that costs least
 *
 * @param out  out
 * @param xs   n factors [..., k, m]; the first and the last may be vectors
 * @param n    2 to 64
 * @errors     AGN_ENULL, AGN_EARG (n), AGN_ESHAPE (inner dimensions: names both
 *             factors), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad       everywhere
 * @cost       that of the best order
 */
AGN_API AGN_MUST_CHECK agn_status agn_multi_dot(agn_tensor **out, const agn_tensor *const *xs,
                                                int32_t n);

/**
 * agn_kron - Kronecker product: every element of a times all of b, in its place
 *
 * @param out  out, sizes multiplied axis by axis, ranks aligned at the end
 * @param a    as for agn_matmul, at most 16 axes
 * @param b    likewise
 * @errors     AGN_ENULL, AGN_ESHAPE (rank), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_kron(agn_tensor **out, const agn_tensor *a,
                                           const agn_tensor *b);

/**
 * agn_cross - vector product in three dimensions
 *
 * @param out   out, broadcast shape
 * @param a     size 3 along the axis, as for agn_matmul
 * @param b     likewise
 * @param axis  of each of them, as for agn_vecdot, and of out
 * @errors      AGN_ENULL, AGN_EINDEX (axis of either), AGN_ESHAPE (a size is not 3, broadcast),
 *              AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out)
 */
AGN_API AGN_MUST_CHECK agn_status agn_cross(agn_tensor **out, const agn_tensor *a,
                                            const agn_tensor *b, int32_t axis);

/**
 * agn_tensordot - sums over chosen axes of both
 *
 * @param out     out, [other axes of a..., other axes of b...]
 * @param a       as for agn_matmul
 * @param b       likewise
 * @param a_axes  n different axes of a; may be NULL where n is 0
 * @param b_axes  n different axes of b, of the same sizes one by one
 * @param n       number of axes summed over; 0: every element times every element
 * @errors        AGN_ENULL, AGN_EARG (n, an axis twice), AGN_EINDEX (axis), AGN_ESHAPE
 *                (sizes differ: names the axes; rank), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad          everywhere
 * @cost          one matmul
 */
AGN_API AGN_MUST_CHECK agn_status agn_tensordot(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *b, const int32_t *a_axes,
                                                const int32_t *b_axes, int32_t n);

/* ---- sliding sums ---------------------------------------------------------------- */

/** How far one array slides along the other. */
enum {
    AGN_FULL, /* wherever they meet: n + m - 1 places */
    AGN_SAME, /* the n places in the middle of those, n the size of the first */
    AGN_VALID /* where the shorter lies within the longer: max - min + 1 places */
};

/**
 * agn_convolve - sum over j of a[k - j] v[j], directly
 *
 * @param out   out
 * @param a     [..., n1, ..., nd]  i32 i64 f32 f64 c64 c128; others by promotion
 * @param v     [..., m1, ..., md]; leading axes broadcast
 * @param axes  d, how many last axes slide, at least 1
 * @param mode  AGN_FULL, AGN_SAME or AGN_VALID
 * @errors      AGN_ENULL, AGN_EARG (mode), AGN_ESHAPE (axes, an empty array, batch;
 *              valid: neither lies within the other), AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out times elements of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_convolve(agn_tensor **out, const agn_tensor *a,
                                               const agn_tensor *v, int32_t axes,
                                               int32_t mode);

/**
 * agn_correlate - sum over j of a[k + j] conj(v[j]), directly
 *
 * @param out   out
 * @param a     [..., n1, ..., nd], as for agn_convolve
 * @param v     [..., m1, ..., md]; leading axes broadcast
 * @param axes  d, how many last axes slide, at least 1
 * @param mode  AGN_FULL, AGN_SAME or AGN_VALID
 * @errors      as agn_convolve: AGN_ENULL, AGN_EARG, AGN_ESHAPE, AGN_EDTYPE, AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out times elements of v)
 */
AGN_API AGN_MUST_CHECK agn_status agn_correlate(agn_tensor **out, const agn_tensor *a,
                                                const agn_tensor *v, int32_t axes,
                                                int32_t mode);

/* ---- convolution of images ------------------------------------------------------- */

/** Options of convolutions: zero bytes are defaults. Arrays hold a number for each axis. */
typedef struct agn_conv_options {
    size_t size;             /* sizeof(agn_conv_options) */
    const int64_t *stride;   /* pixels from one place to the next; NULL: 1 */
    const int64_t *before;   /* zeros before the first pixel, taken away if negative; NULL: 0 */
    const int64_t *after;    /* zeros behind the last pixel; NULL: as before */
    const int64_t *dilation; /* pixels from one tap to the next; NULL: 1 */
    const int64_t *extra;    /* agn_conv_transpose: pixels added to its result; NULL: 0 */
    int32_t groups;          /* channels in so many groups, each by itself; 0: 1 */
} agn_conv_options;

/**
 * agn_conv - filters slid along images of many channels
 *
 * Place o of channel j of the result is the sum, over the channels i of its group and all taps
 * q, of w[j, i, q] x[i, o stride + q dilation - before] where that lies in the image: the filter
 * is not turned round, and what lies outside adds nothing. Along each axis there are
 * (s + before + after - dilation (k - 1) - 1) / stride + 1 places, rounded down.
 *
 * @param out   out, [..., n, o, places along d axes]
 * @param x     [..., n, c, s1, ..., sd]  n images of c channels; i32 i64 f32 f64 c64 c128,
 *              others by promotion; any strides
 * @param w     [..., o, c / groups, k1, ..., kd]; leading axes broadcast
 * @param axes  d, how many axes slide, at least 1
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (options), AGN_ESHAPE (axes, channels, batch; the filter
 *              spans more than there is), AGN_EDTYPE (bool), AGN_EUNSUPPORTED (steps beyond
 *              64 bits), AGN_ENOMEM
 * @grad        everywhere
 * @cost        O(size of out times elements of w / o); memory of a few images with their zeros
 */
AGN_API AGN_MUST_CHECK agn_status agn_conv(agn_tensor **out, const agn_tensor *x,
                                           const agn_tensor *w, int32_t axes,
                                           const agn_conv_options *opts);

/**
 * agn_conv_transpose - the adjoint of agn_conv with respect to its images
 *
 * What lies at place o of x is added, times the tap q, to pixel o stride + q dilation - before.
 * Along each axis there are (s - 1) stride + dilation (k - 1) + 1 - before - after + extra
 * pixels.
 *
 * @param out   out, [..., n, c, pixels along d axes]
 * @param x     [..., n, o, s1, ..., sd], as for agn_conv
 * @param w     [..., o, c / groups, k1, ..., kd], as it is given to agn_conv
 * @param axes  d, how many axes slide, at least 1
 * @param opts  NULL for defaults
 * @errors      as agn_conv: AGN_ENULL, AGN_EARG, AGN_ESHAPE (nothing is left, too), AGN_EDTYPE,
 *              AGN_EUNSUPPORTED, AGN_ENOMEM
 * @grad        everywhere
 * @cost        as agn_conv of its result
 */
AGN_API AGN_MUST_CHECK agn_status agn_conv_transpose(agn_tensor **out, const agn_tensor *x,
                                                     const agn_tensor *w, int32_t axes,
                                                     const agn_conv_options *opts);

/* ---- index notation -------------------------------------------------------------- */

/**
 * agn_einsum - Einstein summation
 *
 * @param out   out, the axes named right of "->"
 * @param spec  such as "bij,bjk->bik"; letters name axes, equal letters in one operand
 *              take the diagonal, "..." stands for broadcast axes; without "->" the
 *              letters that occur once, in alphabetical order
 * @param xs    n operands
 * @param n     1 to 16
 * @errors      AGN_ENULL, AGN_EARG (grammar: names the character), AGN_ESHAPE (sizes of
 *              one letter differ, rank, more than AGN_MAX_RANK axes at once),
 *              AGN_EDTYPE (bool), AGN_ENOMEM
 * @grad        everywhere
 * @cost        pairwise in the order of agn_einsum_path, each a batched matmul
 */
AGN_API AGN_MUST_CHECK agn_status agn_einsum(agn_tensor **out, const char *spec,
                                             const agn_tensor *const *xs, int32_t n);

/**
 * agn_einsum_path - the order in which agn_einsum contracts its operands
 *
 * The best of all orders for up to 8 operands, else the one that keeps products small.
 *
 * @param path  out, n - 1 pairs: the two of the operands that are left, counted from 0,
 *              to contract next; they leave, and their product joins behind the others
 * @param cost  out, multiplications in this order, and from left to right; NULL to skip
 * @param spec  as for agn_einsum
 * @param xs    n operands, of which shapes are read
 * @param n     1 to 16
 * @errors      AGN_ENULL, AGN_EARG (grammar), AGN_ESHAPE, as agn_einsum
 */
AGN_API AGN_MUST_CHECK agn_status agn_einsum_path(int32_t *path, double *cost,
                                                  const char *spec,
                                                  const agn_tensor *const *xs, int32_t n);

#ifdef __cplusplus
}
#endif
#endif
