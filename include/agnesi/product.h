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

/* ---- products ------------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif
#endif
