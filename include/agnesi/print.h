/**
 * agnesi/print.h - tensors as text
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text goes to the caller's buffer, character for character as NumPy 2.4 prints an array;
 * the locale of the host has no say.
 */
#ifndef AGNESI_PRINT_H
#define AGNESI_PRINT_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many digits a floating number gets: NumPy's floatmode. */
enum {
    AGN_FORMAT_MAXPREC,       /* as few as tell it from its neighbours, at most precision */
    AGN_FORMAT_FIXED,         /* always precision */
    AGN_FORMAT_UNIQUE,        /* as few as tell it from its neighbours, without a limit */
    AGN_FORMAT_MAXPREC_EQUAL  /* as MAXPREC, all elements as many as the longest needs */
};

/** What the text is: str and repr of Python. */
enum {
    AGN_FORMAT_ELEMENTS, /* [1. 2.] */
    AGN_FORMAT_ARRAY     /* array([1., 2.], dtype=float32), and shape and device where they
                            are not plain */
};

/** In a member of agn_format_options: 0 itself, not the default. */
#define AGN_FORMAT_ZERO (-1)

/** Options of agn_format_with, those of NumPy's set_printoptions; zero members are defaults. */
typedef struct agn_format_options {
    size_t size;        /* sizeof(agn_format_options) */
    int64_t threshold;  /* of more elements only the corners are shown; 1000 */
    int32_t edgeitems;  /* shown at either end of an axis then; 3 */
    int32_t precision;  /* digits behind the point, to 400; 8 */
    int32_t linewidth;  /* characters; 75 */
    int32_t floatmode;  /* AGN_FORMAT_MAXPREC, ... */
    int32_t style;      /* AGN_FORMAT_ELEMENTS, ... */
    char sign;          /* of numbers that are not negative: '-' none, '+', or ' '; '-' */
    bool suppress;      /* no exponents for small numbers */
    const char *nanstr; /* to 32 bytes; "nan" */
    const char *infstr; /* to 32 bytes; "inf" */
} agn_format_options;

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
 * agn_format_with - a tensor as text, as NumPy prints it under these options
 *
 * @param buf   n bytes, always terminated; may be NULL where n is 0
 * @param n     size of buf
 * @param need  out, bytes the whole text needs with its end; may be NULL
 * @param x     any; values while tracing give dtype and shape, sparse ones their parts
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_EARG (unknown size, an option out of range), AGN_ENOMEM,
 *              AGN_EDEVICE
 */
AGN_API AGN_MUST_CHECK agn_status agn_format_with(char *buf, size_t n, size_t *need,
                                                  const agn_tensor *x,
                                                  const agn_format_options *opts);

/**
 * agn_brief - one line on a tensor, for a debugger: print agn_brief(x)
 *
 * Dtype, shape, device, what kind of value, and the first elements. Never fails, runs no
 * op, leaves the error message alone, and reads no memory of another device.
 *
 * @param x  any handle of a tensor, also NULL
 * @return   text owned by the thread, valid until its eighth next call, so that several stand in
 *           one printf; shorter than 160 bytes
 */
AGN_API const char *agn_brief(const agn_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
