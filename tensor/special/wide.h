/* tensor/special/wide.h - compositions of operands of f32 and less compute in f64: their
   parts leave the range of f32, or cancel in it. */
#ifndef AGNI_SPECIAL_WIDE_H
#define AGNI_SPECIAL_WIDE_H

#include <agnesi/dtype.h>

#include <stdbool.h>

/* *dtype: that of the result */
static inline bool agni_computes_wide(const agn_tensor *const *x, int32_t n, agn_dtype *dtype)
{
    return agn_result_type(dtype, x, n) == AGN_OK &&
           (*dtype == AGN_F32 || *dtype == AGN_F16 || *dtype == AGN_BF16);
}

#endif
