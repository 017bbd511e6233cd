/**
 * agnesi/exchange.h - text, files and other libraries
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reader trusts no length; a failed write leaves the old file.
 */
#ifndef AGNESI_EXCHANGE_H
#define AGNESI_EXCHANGE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- text and files ------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif
#endif
