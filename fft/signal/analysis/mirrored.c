/* fft/signal/analysis/mirrored.c - filters of signals that are mirrored at both ends: recursive
   ones forwards and backwards at once (Unser, Aldroubi & Eden 1993), where the cosine transform of
   such a signal makes quotients of them (Martucci 1994); separable ones of images. */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>
#include <agnesi/fft.h>
#include <agnesi/signal_analysis.h>
#include <math.h>

#define PI 3.14159265358979323846

static agn_status check_filter(const char *op, const char *name, const agn_tensor *h)
{
    if (h->ndim != 1 || !h->size)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s; it is [taps], of one at least", op, name,
                         AGNI_SHAPE(h));
    return AGN_OK;
}

static agn_status check_edge(const char *op, int32_t edge)
{
    return edge == AGN_PAD_REFLECT || edge == AGN_PAD_SYMMETRIC
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: edge %d; it is %d or %d", op, edge, AGN_PAD_REFLECT,
                           AGN_PAD_SYMMETRIC);
}

/* cosines of the n frequencies of a signal of that period at p + 1 lags, those but the first twice:
   [n, p + 1] */
static agn_status make_cosines(agn_tensor **out, const char *op, int dtype, int64_t n,
                               int64_t period, int64_t lags)
{
    agn_tensor *wide = NULL;
    int64_t size = 0;
    double *v = agni_checked_mul(n * lags, (int64_t)sizeof *v, &size) ? agni_alloc((size_t)size)
                                                                      : NULL;
    if (!v)
        return agni_nomem(op, (size_t)n * (size_t)lags * sizeof *v);
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < lags; j++)
            v[k * lags + j] = (j ? 2 : 1) *
                              cos(2 * PI * (double)(k * (j % period) % period) / (double)period);
    agn_status st = agn_from_host(&wide, AGN_F64, 2, (int64_t[]){n, lags}, v);
    agni_free(v);
    if (!st)
        st = agn_cast(out, wide, (agn_dtype)dtype);
    agn_release(wide);
    return st;
}

agn_status agn_signal_symiir(agn_tensor **out, const agn_tensor *x, const agn_tensor *h,
                             int32_t axis, int32_t edge)
{
    static const char op[] = "signal_symiir";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, h);
    int at = 0;
    agn_status st = agni_axis(op, axis, x->ndim, &at);
    if (!st)
        st = check_edge(op, edge);
    if (!st && agni_kind(h->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: h is %s %s; a real dtype is needed", op,
                       agni_dtypes[h->dtype].name, AGNI_SHAPE(h));
    if (!st)
        st = check_filter(op, "h", h);
    if (!st && (!x->shape[at] || x->shape[at] > INT32_MAX || h->size > INT32_MAX))
        st = agni_fail(AGN_ESHAPE,
                       "%s: x is %s, h %s; axis %d holds a sample, and 2^31 - 1 are the most", op,
                       AGNI_SHAPE(x), AGNI_SHAPE(h), axis);
    if (st)
        return st;
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){x, h});
    int real = agni_dtypes[dtype].real;
    int64_t n = x->shape[at], column[AGNI_MAX_RANK];
    agn_tensor *made = NULL;
    agn_scope *s = agn_scope_open(NULL);
    int32_t type = edge == AGN_PAD_REFLECT ? 1 : 2;
    bool turns = type == 2 || n > 1;
    st = make_cosines(&made, op, real, n, !turns ? 1 : type == 1 ? 2 * (n - 1) : 2 * n, h->size);
    const agn_tensor *c = agni_adopt_constant(s, st, made), *y = agni_cast(s, x, dtype);
    const agn_tensor *gain = ag_matmul(s, c, agni_cast(s, h, real));
    for (int d = 0; d < x->ndim; d++)
        column[d] = d == at ? n : 1;
    gain = gain ? agni_reshape(s, gain, x->ndim, column) : NULL;
    if (turns)
        y = ag_fft_dct(s, y, type, 0, axis, AGN_FFT_BACKWARD);
    y = ag_div(s, y, gain);
    if (turns)
        y = ag_fft_idct(s, y, type, 0, axis, AGN_FFT_BACKWARD);
    return agni_return(op, s, out, y);
}

agn_status agn_signal_sepfir2d(agn_tensor **out, const agn_tensor *x, const agn_tensor *row,
                               const agn_tensor *column, int32_t edge)
{
    static const char op[] = "signal_sepfir2d";
    const agn_tensor *h[] = {column, row}; /* of the last axis but one, of the last */
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    AGNI_NEED(op, row);
    AGNI_NEED(op, column);
    agn_status st = check_edge(op, edge);
    if (!st)
        st = check_filter(op, "row", row);
    if (!st)
        st = check_filter(op, "column", column);
    if (!st && (x->ndim < 2 || !x->shape[x->ndim - 1] || !x->shape[x->ndim - 2]))
        st = agni_fail(AGN_ESHAPE, "%s: x is %s; its last two axes are not empty", op,
                       AGNI_SHAPE(x));
    for (int k = 0; !st && k < 2; k++)
        if (h[k]->size % 2 == 0 || h[k]->size / 2 >= x->shape[x->ndim - 2 + k])
            st = agni_fail(AGN_ESHAPE,
                           "%s: x is %s, the filter of axis %d %s; it is odd, at most 2 n - 1", op,
                           AGNI_SHAPE(x), k - 2, AGNI_SHAPE(h[k]));
    if (st)
        return st;
    int dtype = agni_signal_common_dtype(3, (const agn_tensor *[]){x, row, column});
    int64_t side[AGNI_MAX_RANK] = {0};
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x, dtype);
    for (int k = 0; k < 2; k++)
        side[x->ndim - 2 + k] = h[k]->size / 2;
    y = ag_pad_with(s, y, x->ndim, side, side, (agn_pad_kind)edge);
    y = ag_convolve(s, y, agni_cast(s, row, dtype), 1, AGN_VALID);
    y = ag_convolve(s, y, ag_expand_dims(s, agni_cast(s, column, dtype), -1), 2, AGN_VALID);
    return agni_return(op, s, out, y);
}

agn_status agn_signal_gauss_spline(agn_tensor **out, const agn_tensor *x, int32_t degree)
{
    static const char op[] = "signal_gauss_spline";
    AGNI_NEED(op, out);
    AGNI_NEED(op, x);
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (degree < 0 || degree > 10000)
        return agni_fail(AGN_EARG, "%s: degree %d for x %s; it is 0 to 10000", op, degree,
                         AGNI_SHAPE(x));
    double variance = (degree + 1.0) / 12;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_square(s, agni_cast(s, x, agni_signal_dtype(x->dtype)));
    y = ag_exp(s, ag_mul_c(s, y, -0.5 / variance));
    return agni_return(op, s, out, ag_mul_c(s, y, 1 / sqrt(2 * PI * variance)));
}
