/**
 * agnesi/dtype.h - facts about element types
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef AGNESI_DTYPE_H
#define AGNESI_DTYPE_H

#include <agnesi/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of dtypes, each within the next as promotion has it. */
enum { AGN_KIND_BOOL, AGN_KIND_INTEGER, AGN_KIND_REAL, AGN_KIND_COMPLEX };

/** The numbers that a dtype has. Limits of complex dtypes are those of their parts. */
typedef struct agn_dtype_facts {
    size_t size;     /* sizeof(agn_dtype_facts) */
    const char *name;
    int32_t kind;    /* AGN_KIND_BOOL ... */
    bool is_signed;
    int32_t bytes;   /* of one element */
    int32_t digits;  /* binary digits of a significand; of an integer without its sign */
    int64_t min;     /* bools and integers: the smallest and */
    int64_t max;     /*   the largest number */
    double lowest;   /* the most negative finite number */
    double largest;  /* the largest finite one */
    double eps;      /* from 1 to the next number; integers: 1 */
    double smallest; /* normal positive number; integers: 1 */
    double tiniest;  /* positive number, subnormal if there are such; integers: 1 */
} agn_dtype_facts;

/**
 * agn_dtype_describe - the limits of a dtype
 *
 * @param facts  out; facts->size must be set
 * @param dtype  element type
 * @errors       AGN_ENULL, AGN_EDTYPE (no such dtype), AGN_EARG (unknown size)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dtype_describe(agn_dtype_facts *facts, agn_dtype dtype);

/**
 * agn_is_floating - real numbers with a fraction?
 *
 * @param dtype  any number
 * @return       f16 bf16 f32 f64
 */
AGN_API bool agn_is_floating(agn_dtype dtype);

/**
 * agn_is_complex - complex numbers?
 *
 * @param dtype  any number
 * @return       c64 c128
 */
AGN_API bool agn_is_complex(agn_dtype dtype);

/**
 * agn_is_integer - whole numbers?
 *
 * @param dtype  any number
 * @return       u8 i8 i16 i32 i64; not bool
 */
AGN_API bool agn_is_integer(agn_dtype dtype);

/**
 * agn_is_signed - are there negative numbers?
 *
 * @param dtype  any number
 * @return       all but bool and u8
 */
AGN_API bool agn_is_signed(agn_dtype dtype);

/**
 * agn_can_cast - does promotion lead from one dtype to another?
 *
 * @param from  dtype
 * @param to    dtype
 * @return      whether agn_promote(from, to) is to; false for a bad dtype
 */
AGN_API bool agn_can_cast(agn_dtype from, agn_dtype to);

/**
 * agn_result_type - dtype of a result of tensors, literals among them
 *
 * @param out  out
 * @param xs   n tensors; weak ones (see agn_lit) take the dtype of the others within its kind
 * @param n    at least 1
 * @errors     AGN_ENULL, AGN_EARG (no tensor)
 */
AGN_API AGN_MUST_CHECK agn_status agn_result_type(agn_dtype *out, const agn_tensor *const *xs,
                                                  int32_t n);

#ifdef __cplusplus
}
#endif
#endif
