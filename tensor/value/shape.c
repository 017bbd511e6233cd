/* tensor/value/shape.c - shapes and axes: checks, broadcasting, text for messages. */
#include "tensor/value/tensor.h"

#include <stdio.h>
#include <string.h>

const char *agni_shape_text(char *buf, size_t n, int ndim, const int64_t *shape)
{
    size_t k = 0;
    buf[k++] = '[';
    for (int i = 0; i < ndim; i++) {
        char one[32];
        int len = snprintf(one, sizeof one, "%s%lld", i ? "," : "", (long long)shape[i]);
        if (k + (size_t)len + 5 > n) {
            memcpy(buf + k, "...", 3);
            k += 3;
            break;
        }
        memcpy(buf + k, one, (size_t)len);
        k += (size_t)len;
    }
    buf[k++] = ']';
    buf[k] = 0;
    return buf;
}

agn_status agni_shape_check(const char *op, int ndim, const int64_t *shape, int64_t *size)
{
    if (ndim < 0 || ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: rank %d is not in 0 to %d", op, ndim, AGN_MAX_RANK);
    if (ndim && !shape)
        return agni_fail(AGN_ENULL, "%s: shape is NULL, rank is %d", op, ndim);
    int64_t n = 1;
    bool fits = true;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0)
            return agni_fail(AGN_ESHAPE, "%s: size %lld of axis %d is negative", op,
                             (long long)shape[i], i);
        /* strides must be representable even beside an axis of size 0 */
        fits = fits && agni_checked_mul(n, shape[i] ? shape[i] : 1, &n);
    }
    int64_t bytes;
    if (!fits || !agni_checked_mul(n, 16, &bytes))
        return agni_fail(AGN_ENOMEM, "%s: shape %s has too many elements", op,
                         agni_shape_text((char[96]){0}, 96, ndim, shape));
    for (int i = 0; i < ndim; i++)
        if (shape[i] == 0)
            n = 0;
    *size = n;
    return AGN_OK;
}

agn_status agni_axis(const char *op, int64_t axis, int ndim, int *out)
{
    if (axis < -ndim || axis >= ndim)
        return agni_fail(AGN_EINDEX, "%s: axis %lld is out of range for %d axes", op,
                         (long long)axis, ndim);
    *out = (int)(axis < 0 ? axis + ndim : axis);
    return AGN_OK;
}

bool agni_broadcast_into(agni_meta *m, int ndim, const int64_t *shape)
{
    if (ndim > m->ndim) { /* new leading axes */
        int more = ndim - m->ndim;
        memmove(m->shape + more, m->shape, (size_t)m->ndim * sizeof *m->shape);
        for (int i = 0; i < more; i++)
            m->shape[i] = 1;
        m->ndim = ndim;
    }
    int off = m->ndim - ndim;
    for (int i = 0; i < ndim; i++) {
        int64_t *have = m->shape + off + i;
        if (*have == 1)
            *have = shape[i];
        else if (shape[i] != 1 && shape[i] != *have)
            return false;
    }
    return true;
}
