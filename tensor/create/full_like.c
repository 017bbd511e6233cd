/* tensor/create/full_like.c - zeros, ones, arrays of the shape and dtype of another, logspace. */
#include "tensor/dispatch/op_helpers.h"
#include <agnesi/ag.h>

#include <math.h>

static agn_status check_arguments(const char *op, agn_tensor **out, const agn_tensor *x)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    return agni_require_dense(x, op);
}

agn_status agn_zeros(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    return agni_rename_error("zeros", agn_full(out, dtype, ndim, shape, 0));
}
agn_status agn_ones(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    return agni_rename_error("ones", agn_full(out, dtype, ndim, shape, 1));
}

/* on the device of x, in new memory */
static agn_status full_like(const char *op, agn_tensor **out, const agn_tensor *x, double value)
{
    agn_status st = check_arguments(op, out, x);
    agn_tensor *y = NULL;
    if (!st)
        st = agn_full(&y, x->dtype, x->ndim, x->shape, value);
    if (!st && agni_tensor_device(x) != AGN_CPU)
        st = agn_to_device(out, y, agni_tensor_device(x));
    else if (!st) {
        y->uncommitted = !x->st || x->uncommitted; /* like a symbol's: wherever its value will be */
        *out = agni_tensor_ref(y);
    }
    agn_release(y);
    return agni_rename_error(op, st);
}
agn_status agn_zeros_like(agn_tensor **out, const agn_tensor *x)
{
    return full_like("zeros_like", out, x, 0);
}
agn_status agn_ones_like(agn_tensor **out, const agn_tensor *x)
{
    return full_like("ones_like", out, x, 1);
}
agn_status agn_full_like(agn_tensor **out, const agn_tensor *x, double value)
{
    return full_like("full_like", out, x, value);
}
agn_status agn_empty_like(agn_tensor **out, const agn_tensor *x)
{
    agn_status st = check_arguments("empty_like", out, x);
    return st ? st
              : agni_rename_error("empty_like", agn_empty(out, x->dtype, x->ndim, x->shape,
                                                          agni_tensor_device(x)));
}

/* powers of numbers whose ends are exact; so are the ends */
agn_status agn_logspace(agn_tensor **out, agn_dtype dtype, double start, double stop, int64_t n,
                        double base)
{
    agn_tensor *x = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "logspace: out is NULL");
    if (dtype >= 0 && dtype < AGN_NDTYPES && agni_kind(dtype) < AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE, "logspace: %s is no floating dtype, %lld points",
                         agni_dtypes[dtype].name, (long long)n);
    if (dtype < 0 || dtype >= AGN_NDTYPES)
        return agni_fail(AGN_EDTYPE, "logspace: %d is no dtype; there are %d", (int)dtype,
                         (int)AGN_NDTYPES);
    agn_status st = agni_rename_error("logspace", agn_linspace(&x, AGN_F64, start, stop, n));
    for (int64_t i = 0; !st && i < n; i++)
        ((double *)x->data)[i] = pow(base, ((double *)x->data)[i]);
    if (!st)
        st = agni_rename_error("logspace", agn_cast(out, x, dtype));
    agn_release(x);
    return st;
}
