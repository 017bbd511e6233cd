/* audio/arguments.c - arguments that the functions of this module share. */
#include "audio/audio.h"

#include <agnesi/ag.h>

int agni_audio_dtype(int dtype)
{
    return dtype == AGN_F16 || dtype == AGN_BF16 || dtype == AGN_F32 ? AGN_F32 : AGN_F64;
}

agn_status agni_audio_check_real(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    if (!out || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "x" : "out");
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return AGN_OK;
}

agn_status agni_audio_check_spectrum(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_audio_check_real(op, out, x);
    if (!st && (x->ndim < 2 || !x->shape[x->ndim - 2]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; a spectrogram is [..., bins, frames]", op,
                       AGNI_SHAPE(x));
    return st;
}

agn_status agni_audio_check_new(const char *op, agn_tensor *const *out, agn_dtype dtype)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (dtype != AGN_F32 && dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: the dtype is %s; f32 or f64 is needed", op,
                         agn_dtype_name(dtype));
    return AGN_OK;
}

agn_status agni_audio_make(agn_tensor **out, agn_dtype dtype, int32_t ndim, const int64_t *shape,
                           const double *v)
{
    agn_tensor *wide = NULL;
    agn_status st = agn_from_host(&wide, AGN_F64, ndim, shape, v);
    if (!st)
        st = agn_cast(out, wide, dtype);
    agn_release(wide);
    return st;
}

const agn_tensor *agni_audio_part(agn_scope *s, const agn_tensor *x, int64_t from, int64_t count)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim - 1] = from;
    stop[x->ndim - 1] = from + count;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

agn_status agni_audio_host(agn_tensor **owner, const double **v, const char *op,
                           const agn_tensor *x)
{
    agn_tensor *wide = NULL, *rows = NULL;
    const void *data = NULL;
    agn_status st = agn_cast(&wide, x, AGN_F64);
    if (!st)
        st = agn_contiguous(&rows, wide);
    agn_release(wide);
    if (!st)
        st = agn_data_contiguous(&data, rows);
    if (st) {
        agn_release(rows);
        return agni_rename_error(op, st);
    }
    *owner = rows;
    *v = data;
    return AGN_OK;
}
