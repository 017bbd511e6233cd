/* fft/arguments.c - arguments of the public functions: axes, lengths, norms; resizing and casts. */
#include "fft/fft.h"

#include <agnesi/fft.h>
#include <math.h>
#include <string.h>

agn_status agni_fft_check_norm(const char *op, int32_t norm)
{
    return norm >= AGN_FFT_BACKWARD && norm <= AGN_FFT_FORWARD
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: norm %d is none of 0, 1, 2", op, norm);
}

double agni_fft_scale(double n, int32_t norm, bool inverse)
{
    bool whole = norm == (inverse ? AGN_FFT_BACKWARD : AGN_FFT_FORWARD);
    return norm == AGN_FFT_ORTHO ? 1 / sqrt(n) : whole ? 1 / n : 1;
}

static agn_status find_length(agni_fft_axes *a, int k, const agn_tensor *x, int64_t given,
                              bool half)
{
    int64_t have = x->shape[a->axis[k]], n = given;
    if (n < 0 || n > AGNI_FFT_MOST_POINTS)
        return agni_fail(AGN_EARG, "%s: length %lld is not in 0 to 2^46", a->op, (long long)n);
    if (!n)
        n = half ? 2 * (have - 1) : have;
    a->n[k] = n;
    return n < 1 || n > AGNI_FFT_MOST_POINTS
               ? agni_fail(AGN_EARG, "%s: length %lld, from n %lld and %lld entries along axis %d",
                           a->op, (long long)n, (long long)given, (long long)have, a->axis[k])
               : AGN_OK;
}

agn_status agni_fft_find_axes(agni_fft_axes *a, const char *op, const agn_tensor *x, int32_t count,
                              const int32_t *axes, const int64_t *n, bool half)
{
    agn_status st = AGN_OK;
    if (count < 0 || count > (axes ? AGN_MAX_RANK : x->ndim))
        return agni_fail(AGN_EARG, "%s: %d axes are asked for, x is %s", op, count, AGNI_SHAPE(x));
    a->op = op;
    a->count = count || axes || n ? count : x->ndim;
    for (int k = 0; !st && k < a->count; k++) {
        if (axes)
            st = agni_axis(op, axes[k], x->ndim, &a->axis[k]);
        else
            a->axis[k] = x->ndim - a->count + k;
        for (int j = 0; !st && j < k; j++)
            if (a->axis[j] == a->axis[k])
                st = agni_fail(AGN_EARG, "%s: axis %d of %s is given twice", op, a->axis[k],
                               AGNI_SHAPE(x));
        if (!st)
            st = find_length(a, k, x, n ? n[k] : 0, half && k == a->count - 1);
    }
    return st;
}

const agn_tensor *agni_fft_resize(agn_scope *s, const agn_tensor *x, int axis, int64_t n)
{
    int64_t shape[AGNI_MAX_RANK];
    agn_tensor *y = NULL;
    agn_status st;
    if (!x || x->shape[axis] == n)
        return x;
    int64_t have = x->shape[axis];
    if (have > n) {
        int64_t start[AGNI_MAX_RANK], stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
        for (int d = 0; d <= axis; d++) {
            start[d] = 0;
            stop[d] = d == axis ? n : x->shape[d];
            step[d] = 1;
        }
        st = agn_slice(&y, x, axis + 1, start, stop, step);
        return agn_scope_adopt(s, st, &y);
    }
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[axis] = n - have;
    const agn_tensor *zeros = agni_full(s, 0, x->dtype, x->ndim, shape);
    if (!zeros)
        return NULL;
    st = agn_concat(&y, (const agn_tensor *[]){x, zeros}, 2, axis);
    return agn_scope_adopt(s, st, &y);
}

const agn_tensor *agni_fft_to_complex(agn_scope *s, const agn_tensor *x)
{
    if (!x || agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return x;
    int w = agni_dtypes[x->dtype].wide;
    return agni_cast(s, x, w == AGN_F32 ? AGN_C64 : AGN_C128);
}

const agn_tensor *agni_fft_constant(agn_scope *s, int dtype, int64_t n, const double *v)
{
    agn_tensor *wide = NULL;
    if (agn_scope_status(s))
        return NULL;
    bool z = agni_kind(dtype) == AGNI_KIND_COMPLEX;
    agn_status st = agn_from_host(&wide, z ? AGN_C128 : AGN_F64, 1, &n, v);
    const agn_tensor *y = agni_adopt_constant(s, st, wide);
    return y ? agni_cast(s, y, dtype) : NULL;
}
