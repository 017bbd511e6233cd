/* tensor/conv/correlate.c - convolve and correlate of sequences: conv with one channel, the filter
   reversed for convolve. */
#include "tensor/dispatch/op_helpers.h"

#include <string.h>

/* the last d axes the other way round */
static const agn_tensor *reverse_axes(agn_scope *s, const agn_tensor *x, int d)
{
    int32_t axes[AGNI_MAX_RANK];
    agn_tensor *y = NULL;
    for (int k = 0; k < d; k++)
        axes[k] = -1 - k;
    if (!x || agn_scope_status(s))
        return NULL;
    agn_status st = agn_flip(&y, x, axes, d);
    return agn_scope_adopt(s, st, &y);
}

/* [..., n1, ..., nd] as one image, or filter, of one channel; and back */
static const agn_tensor *add_channel_axis(agn_scope *s, const agn_tensor *x, int d, bool back)
{
    int64_t shape[AGNI_MAX_RANK + 2];
    if (!x)
        return NULL;
    int lead = x->ndim - d - 2 * back, n = lead;
    memcpy(shape, x->shape, (size_t)lead * sizeof *shape);
    if (!back)
        shape[n++] = 1, shape[n++] = 1;
    memcpy(shape + n, x->shape + x->ndim - d, (size_t)d * sizeof *shape);
    return agni_reshape(s, x, n + d, shape);
}

/* y[k] = sum_j a[k + j - before] v[j], with zeros around a */
static const agn_tensor *apply_correlation(agn_scope *s, const agn_tensor *a, const agn_tensor *v,
                                           int d, const int64_t *before, const int64_t *behind)
{
    if (!a || !v)
        return NULL;
    const agn_conv_options o = {.size = sizeof o, .before = before, .after = behind};
    agn_tensor *y = NULL;
    const agn_tensor *image = add_channel_axis(s, a, d, false),
                     *w = add_channel_axis(s, v, d, false);
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_conv(&y, image, w, d, &o);
    return add_channel_axis(s, agn_scope_adopt(s, st, &y), d, true);
}

/* ---- the public functions -------------------------------------------------------- */

agn_status agni_check_sliding(const char *op, agn_tensor *const *out,
                              const agn_tensor *a, const agn_tensor *v, int32_t axes,
                              int32_t mode)
{
    if (!out || !a || !v)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out ? "out"
                         : !a ? "a"
                              : "v");
    if (mode < AGN_FULL || mode > AGN_VALID)
        return agni_fail(AGN_EARG, "%s: there is no mode %d; there are 0 to %d", op,
                         mode, AGN_VALID);
    if (axes < 1 || axes > a->ndim || axes > v->ndim)
        return agni_fail(AGN_ESHAPE, "%s: %d axes are meant: a is %s, v is %s", op,
                         axes, AGNI_SHAPE(a), AGNI_SHAPE(v));
    if (a->dtype == AGN_BOOL && v->dtype == AGN_BOOL)
        return agni_fail(AGN_EDTYPE, "%s: not defined for bool, for numbers: a is %s, v is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(v));
    bool longer = false, shorter = false;
    for (int k = 1; k <= axes; k++) {
        int64_t n = a->shape[a->ndim - k], m = v->shape[v->ndim - k];
        longer |= n > m;
        shorter |= n < m;
        if (n < 1 || m < 1)
            return agni_fail(AGN_ESHAPE, "%s: nothing to slide: a is %s, v is %s", op,
                             AGNI_SHAPE(a), AGNI_SHAPE(v));
    }
    if (mode == AGN_VALID && longer && shorter)
        return agni_fail(AGN_ESHAPE,
                         "%s: neither of a %s and v %s lies within the other", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(v));
    agni_meta batch = {.ndim = a->ndim - axes};
    memcpy(batch.shape, a->shape, (size_t)batch.ndim * sizeof *a->shape);
    if (!agni_broadcast_into(&batch, v->ndim - axes, v->shape))
        return agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: a is %s, v is %s", op,
                         AGNI_SHAPE(a), AGNI_SHAPE(v));
    return AGN_OK;
}

/* by v, or by v reversed */
static agn_status slide_filter(agn_tensor **out, const char *op, const agn_tensor *a,
                               const agn_tensor *v, int32_t d, int32_t mode, bool turn)
{
    agn_status st = agni_check_sliding(op, out, a, v, d, mode);
    if (st)
        return st;
    bool shorter = false;
    int64_t before[AGNI_MAX_RANK], behind[AGNI_MAX_RANK];
    for (int k = 0; k < d; k++) {
        int64_t n = a->shape[a->ndim - d + k], m = v->shape[v->ndim - d + k];
        shorter |= n < m;
        before[k] = mode == AGN_FULL ? m - 1 : mode == AGN_SAME ? m / 2 : 0;
        behind[k] = mode == AGN_FULL ? m - 1 : mode == AGN_SAME ? m - 1 - m / 2 : 0;
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = turn ? reverse_axes(s, v, d) : v;
    if (!turn && agni_kind(v->dtype) == AGNI_KIND_COMPLEX)
        w = agni_apply_in(s, &agni_op_conj, NULL, 1, &v);
    /* valid, a within w: the same sums from the other end */
    const agn_tensor *y = mode == AGN_VALID && shorter
                              ? reverse_axes(s, apply_correlation(s, w, a, d, before, behind), d)
                              : apply_correlation(s, a, w, d, before, behind);
    return agni_return(op, s, out, y);
}
agn_status agn_convolve(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                        int32_t axes, int32_t mode)
{
    return slide_filter(out, "convolve", a, v, axes, mode, true);
}
agn_status agn_correlate(agn_tensor **out, const agn_tensor *a, const agn_tensor *v,
                         int32_t axes, int32_t mode)
{
    return slide_filter(out, "correlate", a, v, axes, mode, false);
}
