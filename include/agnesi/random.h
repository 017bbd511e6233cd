/**
 * agnesi/random.h - random numbers
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counter-based: a draw is a function of its key, on every device and for any number of threads.
 */
#ifndef AGNESI_RANDOM_H
#define AGNESI_RANDOM_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- random numbers ------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif
#endif
