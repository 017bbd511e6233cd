/* tensor/compose/rearrange.c - tile, repeat_interleave, roll, rot90, crop: slices,
   concatenations and gathers. */
#include "tensor/dispatch/op_helpers.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/movement/affine_view.h"
#include <agnesi/ag.h>

#include <string.h>

/* Each axis as a pair of new ones, the first of which is broadcast; both merged again. */
agn_status agn_tile(agn_tensor **out, const agn_tensor *x, int32_t n, const int64_t *times)
{
    AGNI_NEED_ALL("tile", out && x && (times || n < 1), !out ? "out" : x ? "times" : "x");
    int rank = n > x->ndim ? n : x->ndim, pairs = 0;
    int64_t one[2 * AGNI_MAX_RANK], many[2 * AGNI_MAX_RANK], full[AGNI_MAX_RANK];
    if (n < 0 || rank > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "tile: %d axes are repeated, at most %d can be", n,
                         AGN_MAX_RANK);
    for (int d = 0; d < rank; d++) {
        int64_t size = d < rank - x->ndim ? 1 : x->shape[d - (rank - x->ndim)];
        int64_t t = d < rank - n ? 1 : times[d - (rank - n)];
        if (t < 0 || !agni_checked_mul(size, t, &full[d]))
            return agni_fail(AGN_ESHAPE, "tile: axis %d of size %lld, %lld times", d,
                             (long long)size, (long long)t);
        if (t != 1) { /* only axes that are repeated need two */
            one[pairs] = 1;
            many[pairs++] = t;
        }
        one[pairs] = many[pairs] = size;
        pairs++;
    }
    if (pairs > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "tile: %d axes of rank %d are repeated", pairs - rank, rank);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_broadcast_to(s, ag_reshape(s, x, pairs, one), pairs, many);
    return agni_return("tile", s, out, ag_reshape(s, y, rank, full));
}

/* the index 0, 0, 1, 2, 2, 2, ... of the counts */
static agn_status make_repeat_index(agn_tensor **out, const agn_tensor *counts, int64_t size)
{
    agn_tensor *wide = NULL, *near = NULL, *c = NULL, *i = NULL;
    int64_t total = 0;
    agn_status st = agn_cast(&wide, counts, AGN_I64);
    if (!st)
        st = agni_read_on_host(&near, wide, "repeat_interleave");
    if (!st)
        st = agn_contiguous(&c, near);
    agn_release(near);
    const int64_t *v = st ? NULL : c->data;
    for (int64_t k = 0; !st && k < size; k++) {
        int64_t times = v[c->size == 1 ? 0 : k];
        if (times < 0 || !agni_checked_add(total, times, &total))
            st = agni_fail(AGN_EARG, "repeat_interleave: element %lld comes %lld times",
                           (long long)k, (long long)times);
    }
    if (!st)
        st = agni_tensor_make(&i, "repeat_interleave", AGN_I64, 1, &total, AGN_CPU);
    for (int64_t k = 0, at = 0; !st && k < size; k++)
        for (int64_t j = v[c->size == 1 ? 0 : k]; j > 0; j--)
            ((int64_t *)i->data)[at++] = k;
    agn_release(wide);
    agn_release(c);
    if (!st)
        *out = i;
    return st;
}

agn_status agn_repeat_interleave(agn_tensor **out, const agn_tensor *x, const agn_tensor *counts,
                                 int32_t axis)
{
    AGNI_NEED_ALL("repeat_interleave", out && x && counts, !out ? "out" : x ? "counts" : "x");
    int d;
    agn_status st = agni_axis("repeat_interleave", axis, x->ndim, &d);
    if (st)
        return st;
    if (agni_kind(counts->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "repeat_interleave: counts are %s %s, integers are needed",
                         agni_dtypes[counts->dtype].name, AGNI_SHAPE(counts));
    if (counts->ndim > 1 || (counts->size != 1 && counts->size != x->shape[d]))
        return agni_fail(AGN_ESHAPE, "repeat_interleave: counts %s for axis %d of %s",
                         AGNI_SHAPE(counts), d, AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *i = NULL;
    st = make_repeat_index(&i, counts, x->shape[d]);
    agn_scope_return(s, out, ag_gather(s, x, agni_adopt_constant(s, st, i), d));
    return agni_rename_error("repeat_interleave", agn_scope_close(s));
}

/* ---- turning --------------------------------------------------------------------------------- */

static const agn_tensor *slice_part(agn_scope *s, const agn_tensor *x, int d, int64_t from,
                                    int64_t to)
{
    int64_t start[AGNI_MAX_RANK], stop[AGNI_MAX_RANK];
    for (int k = 0; k < d; k++) {
        start[k] = AGN_BEGIN;
        stop[k] = AGN_END;
    }
    start[d] = from;
    stop[d] = to;
    return ag_slice(s, x, d + 1, start, stop, NULL);
}

agn_status agn_roll(agn_tensor **out, const agn_tensor *x, const int64_t *shifts,
                    const int32_t *axes, int32_t n)
{
    AGNI_NEED_ALL("roll", out && x && (shifts || n < 1), !out ? "out" : x ? "shifts" : "x");
    int64_t by[AGNI_MAX_RANK] = {0};
    if (n < 0 || (!axes && n > 1))
        return agni_fail(AGN_EARG, "roll: %d shifts of %s", n, axes ? "axes" : "the flattened x");
    for (int k = 0; k < n && axes; k++) {
        int d;
        agn_status st = agni_axis("roll", axes[k], x->ndim, &d);
        if (st)
            return st;
        int64_t size = x->shape[d] ? x->shape[d] : 1; /* of equal axes the shifts add */
        by[d] = (by[d] + shifts[k] % size) % size;
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = axes ? x : ag_ravel(s, x);
    if (!axes && n && x->size)
        by[0] = shifts[0] % x->size;
    for (int d = 0; y && d < y->ndim; d++) {
        int64_t size = y->shape[d], cut = by[d] > 0 ? size - by[d] : -by[d];
        if (by[d] == 0)
            continue;
        y = ag_concat(
            s, (const agn_tensor *[]){slice_part(s, y, d, cut, size), slice_part(s, y, d, 0, cut)},
            2, d);
    }
    return agni_return("roll", s, out, y && !axes ? ag_reshape(s, y, x->ndim, x->shape) : y);
}

agn_status agn_rot90(agn_tensor **out, const agn_tensor *x, int64_t k, int32_t axis1,
                     int32_t axis2)
{
    AGNI_NEED_ALL("rot90", out && x, out ? "x" : "out");
    int p, q;
    agn_status st = agni_check_plane("rot90", x, axis1, axis2, &p, &q);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int turns = (int)(k % 4 + 4) % 4;
    const agn_tensor *y = x;
    if (turns == 1 || turns == 2)
        y = ag_flip(s, y, &(int32_t){q}, 1);
    if (turns == 2)
        y = ag_flip(s, y, &(int32_t){p}, 1);
    if (turns % 2)
        y = ag_swapaxes(s, y, p, q);
    if (turns == 3)
        y = ag_flip(s, y, &(int32_t){q}, 1);
    return agni_return("rot90", s, out, y);
}

agn_status agn_crop(agn_tensor **out, const agn_tensor *x, int32_t n, const int64_t *offset,
                    const int64_t *shape)
{
    AGNI_NEED_ALL("crop", out && x && ((offset && shape) || n < 1),
         !out ? "out" : !x ? "x" : offset ? "shape" : "offset");
    int64_t stop[AGNI_MAX_RANK];
    if (n != x->ndim)
        return agni_fail(AGN_ESHAPE, "crop: %d axes are given, %s has %d", n, AGNI_SHAPE(x),
                         x->ndim);
    for (int d = 0; d < n; d++) {
        int64_t size = shape[d] == -1 ? x->shape[d] - offset[d] : shape[d];
        if (offset[d] < 0 || size < 0 || !agni_checked_add(offset[d], size, &stop[d]) ||
            stop[d] > x->shape[d])
            return agni_fail(AGN_EINDEX, "crop: %lld elements from %lld on of axis %d of size %lld",
                             (long long)size, (long long)offset[d], d, (long long)x->shape[d]);
    }
    return agni_rename_error("crop", agn_slice(out, x, n, offset, stop, NULL));
}
