/* tensor/create/create.c - arrays of given values: lit, full, arange, linspace, eye. Computed as
   f64 or i64 on the host and converted once. */
#include "tensor/dispatch/op_helpers.h"

#include <math.h>
#include <string.h>

/* Converts wide to dtype and releases it. */
static agn_status convert_wide(agn_tensor **out, agn_tensor *wide, agn_dtype dtype)
{
    agn_status st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}

agn_status agn_lit(agn_tensor **out, double value)
{
    AGNI_NEED("lit", out);
    return agni_make_literal(out, value);
}

/* every element a copy of the first */
static void repeat_first(agn_tensor *x)
{
    size_t b = (size_t)agni_dtypes[x->dtype].bytes, done = b, all = x->st->bytes;
    while (done < all) {
        size_t n = done < all - done ? done : all - done;
        n = n < 1 << 14 ? n : 1 << 14;
        n -= n % b;
        memcpy((char *)x->data + done, x->data, n);
        done += n;
    }
}

static agn_status fill_with(agn_tensor **out, const char *op, agn_dtype dtype, int32_t ndim,
                            const int64_t *shape, agn_dtype from, const void *value)
{
    agn_tensor *x = NULL;
    agn_status st = agni_tensor_make(&x, op, dtype, ndim, shape, AGN_CPU);
    if (st)
        return st;
    if (x->size) {
        agni_convert_number(x->data, dtype, value, from);
        repeat_first(x);
    }
    *out = x;
    return AGN_OK;
}

agn_status agn_full(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                    double value)
{
    AGNI_NEED("full", out);
    agn_status st = agni_dtype_check("full", dtype);
    if (st)
        return st;
    st = agni_check_number("full", dtype, value);
    return st ? st : fill_with(out, "full", dtype, ndim, shape, AGN_F64, &value);
}

agn_status agn_full_i64(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                        int64_t value)
{
    AGNI_NEED("full_i64", out);
    agn_status st = agni_dtype_check("full_i64", dtype);
    if (st)
        return st;
    if (dtype != AGN_I64 && !agni_dtype_holds(dtype, (double)value))
        return agni_fail(AGN_EDOMAIN, "full_i64: %lld is no number of dtype %s", (long long)value,
                         agni_dtypes[dtype].name);
    return fill_with(out, "full_i64", dtype, ndim, shape, AGN_I64, &value);
}

agn_status agn_arange(agn_tensor **out, agn_dtype dtype, double start, double stop, double step)
{
    AGNI_NEED("arange", out);
    agn_status st = agni_dtype_check("arange", dtype);
    if (st)
        return st;
    double count = ceil((stop - start) / step);
    if (step == 0 || !isfinite(step) || !isfinite(start) || !isfinite(stop)) {
        char text[32];
        agni_format_double(text, sizeof text, step, -1);
        return agni_fail(AGN_EARG, "arange: step %s or an end is 0 or not finite; dtype %s", text,
                         agni_dtypes[dtype].name);
    }
    if (count > 0x1p58)
        return agni_nomem("arange", SIZE_MAX);
    int64_t n = count > 0 ? (int64_t)count : 0;
    double last = start + (double)(n ? n - 1 : 0) * step;
    if (n && (!agni_dtype_holds(dtype, trunc(start)) || !agni_dtype_holds(dtype, trunc(last)))) {
        char a[32], b[32];
        agni_format_double(a, sizeof a, start, -1);
        agni_format_double(b, sizeof b, last, -1);
        return agni_fail(AGN_EDOMAIN, "arange: %s or %s is no number of dtype %s", a, b,
                         agni_dtypes[dtype].name);
    }
    agn_tensor *x = NULL;
    bool whole = agni_kind(dtype) <= AGNI_KIND_INT && start == rint(start) && step == rint(step);
    st = agni_tensor_make(&x, "arange", whole ? AGN_I64 : AGN_F64, 1, &n, AGN_CPU);
    if (st)
        return st;
    for (int64_t i = 0; i < n; i++)
        if (whole)
            ((int64_t *)x->data)[i] = (int64_t)start + i * (int64_t)step;
        else
            ((double *)x->data)[i] = start + (double)i * step;
    return convert_wide(out, x, dtype);
}

agn_status agn_linspace(agn_tensor **out, agn_dtype dtype, double start, double stop, int64_t n)
{
    AGNI_NEED("linspace", out);
    agn_status st = agni_dtype_check("linspace", dtype);
    if (st)
        return st;
    if (agni_kind(dtype) < AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE, "linspace: %s is no floating dtype, %lld points",
                         agni_dtypes[dtype].name, (long long)n);
    agn_tensor *x = NULL;
    st = agni_tensor_make(&x, "linspace", AGN_F64, 1, &n, AGN_CPU);
    if (st)
        return st;
    double *v = x->data, gaps = n > 1 ? (double)(n - 1) : 1, step = (stop - start) / gaps;
    if (isinf(step)) /* the difference of finite ends may overflow */
        step = stop / gaps - start / gaps;
    for (int64_t i = 0; i < n; i++) /* each half from its own end: symmetric and exact there */
        v[i] = i == 0       ? start
               : i == n - 1 ? stop
               : i < n / 2  ? start + (double)i * step
                            : stop - (double)(n - 1 - i) * step;
    return convert_wide(out, x, dtype);
}

agn_status agn_eye(agn_tensor **out, agn_dtype dtype, int64_t rows, int64_t cols, int64_t k)
{
    AGNI_NEED("eye", out);
    agn_status st = agni_dtype_check("eye", dtype);
    int64_t shape[2] = {rows, cols};
    agn_tensor *x = NULL;
    if (!st)
        st = agni_tensor_make(&x, "eye", AGN_BOOL, 2, shape, AGN_CPU);
    if (st)
        return st;
    bool *v = x->data;
    memset(v, 0, x->st->bytes);
    int64_t first = k >= 0 ? 0 : k > -rows ? -k : rows;
    if (k < cols)
        for (int64_t i = first; i < rows && i < cols - k; i++)
            v[i * cols + i + k] = true;
    return convert_wide(out, x, dtype);
}
