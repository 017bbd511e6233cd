/* tensor/value/constant.c - numbers as tensors of no axes: literals, and numbers of a given
   dtype. */
#include "tensor/value/tensor.h"

#include <math.h>
#include <string.h>

/* A literal without a fraction is an integer: integers it meets keep their dtype. -0.0 is
   none, for no integer has its sign. */
agn_status agni_make_literal(agn_tensor **out, double value)
{
    bool whole = value == rint(value) && value >= -0x1p63 && value < 0x1p63 &&
                 (value != 0 || !signbit(value));
    agn_tensor *x = NULL;
    agn_status st = agni_tensor_make(&x, "lit", whole ? AGN_I64 : AGN_F64, 0, NULL, AGN_CPU);
    if (st)
        return st;
    if (whole)
        *(int64_t *)x->data = (int64_t)value;
    else
        *(double *)x->data = value;
    x->weak = true;
    *out = x;
    return AGN_OK;
}

void agni_convert_number(void *to, int dtype, const void *value, int from)
{
    if (dtype == from)
        memcpy(to, value, (size_t)agni_dtypes[dtype].bytes);
    else
        agni_convert_elements(to, dtype, 0, value, from, 0, 1);
}

agn_status agni_check_number(const char *op, int dtype, double value)
{
    if (agni_dtype_holds(dtype, value))
        return AGN_OK;
    char text[32];
    agni_format_double(text, sizeof text, value, -1);
    return agni_fail(AGN_EDOMAIN, "%s: %s is no number of dtype %s", op, text,
                     agni_dtypes[dtype].name);
}

agn_status agni_make_number(agn_tensor **out, const char *op, int dtype, double value)
{
    agn_tensor *x = NULL;
    agn_status st = agni_check_number(op, dtype, value);
    if (!st)
        st = agni_tensor_make(&x, op, dtype, 0, NULL, AGN_CPU);
    if (st)
        return st;
    agni_convert_number(x->data, dtype, &value, AGN_F64);
    *out = x;
    return AGN_OK;
}
