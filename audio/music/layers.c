/* audio/music/layers.c - spectra as sums of layers (Lee & Seung 1999), spectra of cepstra, frames
   averaged over those like them (Foote & Cooper 2003), tables of likenesses by lags (Goto 2003). */
#include "audio/audio.h"

#include <agnesi/ag.h>
#include <agnesi/audio_music.h>
#include <math.h>
#include <float.h>

/* ---- layers --------------------------------------------------------------------------------- */

agn_status agn_audio_decompose(agn_tensor **components, agn_tensor **activations,
                               const agn_tensor *x, const agn_tensor *start, int32_t iterations)
{
    static const char op[] = "audio_decompose";
    AGNI_NEED(op, components);
    agn_status st = agni_audio_check_spectrum(op, activations, x);
    if (st)
        return st;
    AGNI_NEED(op, start);
    if (agni_kind(start->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: start is %s; a real dtype is needed", op,
                         agni_dtypes[start->dtype].name);
    if (start->ndim != 2 || !start->size || start->shape[0] != x->shape[x->ndim - 2])
        return agni_fail(AGN_ESHAPE, "%s: start is %s, x %s; it is [bins, count]", op,
                         AGNI_SHAPE(start), AGNI_SHAPE(x));
    if (iterations < 1 || iterations > 100000)
        return agni_fail(AGN_EARG, "%s: %d iterations for x %s; they are 1 to 100000", op,
                         iterations, AGNI_SHAPE(x));
    int dtype = agni_audio_dtype(agni_promote(x->dtype, start->dtype));
    double tiny = dtype == AGN_F32 ? (double)FLT_MIN : DBL_MIN;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = ag_cast(s, x, dtype), *w = ag_cast(s, start, dtype);
    /* activations of 1 to begin with, also of what is no number */
    const agn_tensor *h = ag_matmul(s, ag_swapaxes(s, w, -1, -2), v);
    h = h ? agni_full_like(s, 1, h) : NULL;
    for (int32_t k = 0; k < iterations && !agn_scope_status(s); k++) {
        const agn_tensor *across = ag_swapaxes(s, w, -1, -2);
        h = ag_mul(s, h, ag_div(s, ag_matmul(s, across, v),
                                ag_add_c(s, ag_matmul(s, ag_matmul(s, across, w), h), tiny)));
        across = ag_swapaxes(s, h, -1, -2);
        w = ag_mul(s, w, ag_div(s, ag_matmul(s, v, across),
                                ag_add_c(s, ag_matmul(s, w, ag_matmul(s, h, across)), tiny)));
    }
    agn_scope_return(s, components, w);
    agn_scope_return(s, activations, h);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- cepstra -------------------------------------------------------------------------------- */

agn_status agn_audio_invert_mfcc(agn_tensor **out, const agn_tensor *x, int64_t n_bands, double ref)
{
    static const char op[] = "audio_invert_mfcc";
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (!st && (n_bands < x->shape[x->ndim - 2] || n_bands > INT32_MAX))
        st = agni_fail(AGN_ESHAPE, "%s: %lld bands of x %s; they are no fewer than coefficients",
                       op, (long long)n_bands, AGNI_SHAPE(x));
    if (!st && (!(ref > 0) || ref > DBL_MAX))
        st = agni_fail(AGN_EARG, "%s: a reference of %g for x %s; it is positive", op, ref,
                       AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, x, agni_audio_dtype(x->dtype));
    y = ag_fft_idct(s, y, 2, n_bands, -2, AGN_FFT_ORTHO);
    return agni_return(op, s, out, ag_audio_db_to_power(s, y, ref));
}

/* ---- frames like others --------------------------------------------------------------------- */

static agn_status check_table(const char *op, agn_tensor *const *out, const agn_tensor *x)
{
    agn_status st = agni_audio_check_real(op, out, x);
    int64_t n = st || x->ndim < 2 ? 0 : x->shape[x->ndim - 1];
    if (!st && (!n || n > INT32_MAX ||
                (x->shape[x->ndim - 2] != n && x->shape[x->ndim - 2] != 2 * n)))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [..., n, n], or lags of twice as many", op,
                       AGNI_SHAPE(x));
    return st;
}

/* x[(i + sign j) mod rows, j] for i below count */
static const agn_tensor *shear_rows(agn_scope *s, const agn_tensor *x, int64_t count, double sign)
{
    if (!x)
        return NULL;
    int64_t rows = x->shape[x->ndim - 2], shape[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++)
        shape[d] = x->shape[d];
    shape[x->ndim - 2] = count;
    const agn_tensor *i = ag_arange(s, AGN_I64, 0, (double)count, 1),
                     *j = ag_arange(s, AGN_I64, 0, (double)shape[x->ndim - 1], 1);
    i = ag_add(s, ag_expand_dims(s, i, -1), ag_mul_c(s, j, sign));
    i = ag_remainder(s, i, agni_literal(s, (double)rows));
    return ag_take_along_axis(s, x, ag_broadcast_to(s, i, x->ndim, shape), -2);
}

agn_status agn_audio_recurrence_to_lags(agn_tensor **out, const agn_tensor *x, bool padded)
{
    static const char op[] = "audio_recurrence_to_lags";
    agn_status st = check_table(op, out, x);
    int64_t n = st ? 0 : x->shape[x->ndim - 1];
    int64_t none[AGNI_MAX_RANK] = {0}, more[AGNI_MAX_RANK] = {0};
    if (!st && x->shape[x->ndim - 2] != n)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; it is [..., n, n] of %lld", op, AGNI_SHAPE(x),
                       (long long)n);
    if (st)
        return st;
    more[x->ndim - 2] = n;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = padded ? ag_pad(s, x, x->ndim, none, more, 0) : x;
    return agni_return(op, s, out, shear_rows(s, y, padded ? 2 * n : n, 1));
}

agn_status agn_audio_lags_to_recurrence(agn_tensor **out, const agn_tensor *x)
{
    static const char op[] = "audio_lags_to_recurrence";
    agn_status st = check_table(op, out, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, shear_rows(s, x, x->shape[x->ndim - 1], -1));
}

/* a spectrum, and a real table of which frames are alike */
static agn_status check_similarities(const char *op, agn_tensor **out, const agn_tensor *x,
                                     const agn_tensor *table)
{
    agn_status st = agni_audio_check_spectrum(op, out, x);
    if (st)
        return st;
    AGNI_NEED(op, table);
    if (agni_kind(table->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the table is %s; a real dtype is needed", op,
                         agni_dtypes[table->dtype].name);
    return AGN_OK;
}

agn_status agn_audio_average_neighbours(agn_tensor **out, const agn_tensor *x,
                                        const agn_tensor *table)
{
    static const char op[] = "audio_average_neighbours";
    agn_status st = check_similarities(op, out, x, table);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1];
    if (table->ndim != 2 || table->shape[0] != n || table->shape[1] != n)
        return agni_fail(AGN_ESHAPE, "%s: the table is %s, x %s; it is [%lld,%lld]", op,
                         AGNI_SHAPE(table), AGNI_SHAPE(x), (long long)n, (long long)n);
    int dtype = agni_audio_dtype(table->dtype == AGN_BOOL ? x->dtype
                                                          : agni_promote(x->dtype, table->dtype));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_cast(s, table, dtype), *v = ag_cast(s, x, dtype);
    const agn_tensor *sum = ag_sum(s, w, (int32_t[]){0}, 1, true);
    const agn_tensor *alone = ag_eq(s, sum, agni_literal(s, 0));
    const agn_tensor *mean = ag_div(s, ag_matmul(s, v, w),
                                    ag_where(s, alone, ag_full_like(s, sum, 1), sum));
    return agni_return(op, s, out, ag_where(s, alone, v, mean));
}

agn_status agn_audio_affinity(agn_tensor **out, const agn_tensor *x, const agn_tensor *table,
                              double bandwidth)
{
    static const char op[] = "audio_affinity";
    agn_status st = check_similarities(op, out, x, table);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1];
    if (!n || table->ndim < 2 || table->shape[table->ndim - 1] != n ||
        table->shape[table->ndim - 2] != n)
        return agni_fail(AGN_ESHAPE,
                         "%s: the table is %s, x %s; it is [..., %lld,%lld], of a frame at least",
                         op, AGNI_SHAPE(table), AGNI_SHAPE(x), (long long)n, (long long)n);
    if (!(bandwidth >= 0) || !isfinite(bandwidth))
        return agni_fail(AGN_EARG, "%s: a bandwidth of %g for x %s; it is positive, or 0", op,
                         bandwidth, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = ag_swapaxes(s, ag_cast(s, x, agni_audio_dtype(x->dtype)), -1, -2);
    const agn_tensor *like = ag_cast(s, table, AGN_BOOL), *d = ag_cdist(s, v, v, 2), *width = NULL;
    if (d && !(bandwidth > 0)) {
        const agn_tensor *links = ag_where(s, like, d, ag_full_like(s, d, -(double)INFINITY));
        const agn_tensor *far = ag_max(s, links, (int32_t[]){-2}, 1, false);
        far = ag_where(s, ag_isneginf(s, far), ag_full_like(s, far, (double)NAN), far);
        width = ag_nanmedian(s, far, (int32_t[]){-1}, 1, true);
        width = ag_expand_dims(s, width, -1);
    }
    const agn_tensor *near = width ? ag_div(s, d, width)
                                   : ag_div_c(s, d, bandwidth > 0 ? bandwidth : 1);
    return agni_return(op, s, out,
                       d ? ag_where(s, like, ag_exp(s, ag_neg(s, near)), ag_full_like(s, d, 0))
                         : NULL);
}
