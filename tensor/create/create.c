/* tensor/create/create.c - constants: literals, full, arange, linspace, eye. Computed as f64 or i64
   on the host and converted once. */
#include "tensor/dispatch/op_helpers.h"

#include <math.h>
#include <string.h>

static agn_status known(const char *op, agn_dtype dtype)
{
    if (dtype < 0 || dtype >= AGN_NDTYPES)
        return agni_fail(AGN_EDTYPE, "%s: %d is no dtype; there are %d", op, (int)dtype,
                         (int)AGN_NDTYPES);
    return AGN_OK;
}

/* wide -> dtype; takes over wide */
static agn_status finish(agn_tensor **out, agn_tensor *wide, agn_dtype dtype)
{
    agn_status st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}

/* A literal without a fraction is an integer: it leaves integers what they are. -0.0 is
   none, for no integer has its sign. */
agn_status agn_lit(agn_tensor **out, double value)
{
    AGNI_NEED("lit", out);
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

bool agni_dtype_holds(agn_dtype dtype, double v)
{
    static const double lo[] = {0, 0, -128, -32768, -0x1p31, -0x1p63};
    static const double hi[] = {1, 255, 127, 32767, 0x1p31 - 1, 0x1p63};
    return agni_kind(dtype) != AGNI_KIND_INT ||
           (v == rint(v) && v >= lo[dtype] && (v < hi[dtype] || (v == hi[dtype] && dtype != AGN_I64)));
}

/* every element a copy of the first */
static void spread(agn_tensor *x)
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

static agn_status fill(agn_tensor **out, const char *op, agn_dtype dtype, int32_t ndim,
                       const int64_t *shape, agn_dtype from, const void *value)
{
    agn_tensor *x = NULL, *one = NULL, *v = NULL;
    agn_status st = agni_tensor_make(&x, op, dtype, ndim, shape, AGN_CPU);
    if (!st && dtype == from) {
        if (x->size)
            memcpy(x->data, value, (size_t)agni_dtypes[dtype].bytes);
    } else {
        if (!st)
            st = agn_from_host(&one, from, 0, NULL, value);
        if (!st)
            st = agn_cast(&v, one, dtype);
        if (!st && x->size)
            memcpy(x->data, v->data, (size_t)agni_dtypes[dtype].bytes);
        agn_release(one);
        agn_release(v);
    }
    if (st) {
        agn_release(x);
        return st;
    }
    if (x->size)
        spread(x);
    *out = x;
    return AGN_OK;
}

agn_status agn_full(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                    double value)
{
    AGNI_NEED("full", out);
    agn_status st = known("full", dtype);
    if (st)
        return st;
    if (!agni_dtype_holds(dtype, value)) {
        char text[32];
        agni_format_double(text, sizeof text, value, -1);
        return agni_fail(AGN_EDOMAIN, "full: %s is no number of dtype %s", text,
                         agni_dtypes[dtype].name);
    }
    return fill(out, "full", dtype, ndim, shape, AGN_F64, &value);
}

agn_status agn_full_i64(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                        int64_t value)
{
    AGNI_NEED("full_i64", out);
    agn_status st = known("full_i64", dtype);
    if (st)
        return st;
    if (dtype != AGN_I64 && !agni_dtype_holds(dtype, (double)value))
        return agni_fail(AGN_EDOMAIN, "full_i64: %lld is no number of dtype %s", (long long)value,
                         agni_dtypes[dtype].name);
    return fill(out, "full_i64", dtype, ndim, shape, AGN_I64, &value);
}

agn_status agn_arange(agn_tensor **out, agn_dtype dtype, double start, double stop, double step)
{
    AGNI_NEED("arange", out);
    agn_status st = known("arange", dtype);
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
    return finish(out, x, dtype);
}

agn_status agn_linspace(agn_tensor **out, agn_dtype dtype, double start, double stop, int64_t n)
{
    AGNI_NEED("linspace", out);
    agn_status st = known("linspace", dtype);
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
    return finish(out, x, dtype);
}

agn_status agn_eye(agn_tensor **out, agn_dtype dtype, int64_t rows, int64_t cols, int64_t k)
{
    AGNI_NEED("eye", out);
    agn_status st = known("eye", dtype);
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
    return finish(out, x, dtype);
}
