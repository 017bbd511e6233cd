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

/* the public function of an expression in a scope s of its operands */
#define AGNI_ONE(name, a, expression) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *a) \
    { \
        AGNI_NEED(#name, out); \
        AGNI_NEED(#name, a); \
        agn_dtype dtype; \
        bool wide = agni_computes_wide((const agn_tensor *[]){a}, 1, &dtype); \
        agn_scope *s = agn_scope_open(NULL); \
        a = wide ? ag_cast(s, a, AGN_F64) : a; \
        const agn_tensor *y_ = expression; \
        return agni_return(#name, s, out, wide ? ag_cast(s, y_, dtype) : y_); \
    }
#define AGNI_TWO(name, a, b, expression) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *a, const agn_tensor *b) \
    { \
        AGNI_NEED(#name, out); \
        AGNI_NEED(#name, a); \
        AGNI_NEED(#name, b); \
        agn_dtype dtype; \
        bool wide = agni_computes_wide((const agn_tensor *[]){a, b}, 2, &dtype); \
        agn_scope *s = agn_scope_open(NULL); \
        a = wide ? ag_cast(s, a, AGN_F64) : a; \
        b = wide ? ag_cast(s, b, AGN_F64) : b; \
        const agn_tensor *y_ = expression; \
        return agni_return(#name, s, out, wide ? ag_cast(s, y_, dtype) : y_); \
    }
#define AGNI_THREE(name, a, b, c, expression) \
    agn_status agn_##name(agn_tensor **out, const agn_tensor *a, const agn_tensor *b, \
                              const agn_tensor *c) \
    { \
        AGNI_NEED(#name, out); \
        AGNI_NEED(#name, a); \
        AGNI_NEED(#name, b); \
        AGNI_NEED(#name, c); \
        agn_dtype dtype; \
        bool wide = agni_computes_wide((const agn_tensor *[]){a, b, c}, 3, &dtype); \
        agn_scope *s = agn_scope_open(NULL); \
        a = wide ? ag_cast(s, a, AGN_F64) : a; \
        b = wide ? ag_cast(s, b, AGN_F64) : b; \
        c = wide ? ag_cast(s, c, AGN_F64) : c; \
        const agn_tensor *y_ = expression; \
        return agni_return(#name, s, out, wide ? ag_cast(s, y_, dtype) : y_); \
    }

#endif
