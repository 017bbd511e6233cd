/* tensor/index/index_resolve.c - resolution of an index by the rules of NumPy's manual, "Indexing
   on ndarrays" (version 2). Each error names the axis, the index and the size. */
#include "tensor/index/index.h"
#include "tensor/index/nonzero.h"

#include <string.h>

static bool is_mask(const agn_ix *e)
{
    return e->kind == AGN_IX_ARRAY && e->array->dtype == AGN_BOOL;
}

/* the number of axes of x that an entry indexes */
static int count_indexed_axes(const agn_ix *e)
{
    switch (e->kind) {
    case AGN_IX_INT:
    case AGN_IX_SLICE:
        return 1;
    case AGN_IX_ARRAY:
        return is_mask(e) ? e->array->ndim : 1;
    default:
        return 0;
    }
}

/* Checks kinds, handles, dtypes and numbers of the entries; *rest: the axes that an ellipsis
   covers. */
static agn_status check_entries(const char *op, const agn_tensor *x, const agn_ix *ix, int32_t n,
                            int *rest, bool *picks)
{
    int axes = 0, dots = 0, more = 0;
    *picks = false;
    if (n < 0 || n > 2 * AGNI_MAX_RANK)
        return agni_fail(AGN_EARG, "%s: %d entries of an index, not 0 to %d", op, n,
                         2 * AGNI_MAX_RANK);
    for (int i = 0; i < n; i++) {
        const agn_ix *e = ix + i;
        if (e->kind < AGN_IX_INT || e->kind > AGN_IX_ARRAY)
            return agni_fail(AGN_EARG, "%s: entry %d has kind %d, not 0 to %d", op, i, e->kind,
                             AGN_IX_ARRAY);
        if (e->kind == AGN_IX_ARRAY && !e->array)
            return agni_fail(AGN_ENULL, "%s: the array of entry %d of %d is NULL", op, i, n);
        if (e->kind == AGN_IX_ARRAY && agni_kind(e->array->dtype) > AGNI_KIND_INT)
            return agni_fail(AGN_EDTYPE, "%s: entry %d is %s, integers or bools are needed", op, i,
                             agni_dtypes[e->array->dtype].name);
        if (e->kind == AGN_IX_ARRAY && e->array->layout != AGN_DENSE)
            return agni_fail(AGN_EUNSUPPORTED, "%s: entry %d is sparse, dtype %s", op, i,
                             agni_dtypes[e->array->dtype].name);
        if (e->kind == AGN_IX_SLICE && e->step == 0)
            return agni_fail(AGN_EARG, "%s: step of entry %d is 0, shape is %s", op, i,
                             AGNI_SHAPE(x));
        if (e->kind == AGN_IX_ELLIPSIS && dots++)
            return agni_fail(AGN_EARG, "%s: entry %d is a second ellipsis, shape is %s", op, i,
                             AGNI_SHAPE(x));
        *picks |= e->kind == AGN_IX_ARRAY;
        axes += count_indexed_axes(e);
        more += e->kind == AGN_IX_NEW;
    }
    if (axes > x->ndim)
        return agni_fail(AGN_EINDEX, "%s: too many indices: %d for the %d axes of %s", op, axes,
                         x->ndim, AGNI_SHAPE(x));
    if (x->ndim + more > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: %d axes and %d new ones, above %d", op, x->ndim, more,
                         AGN_MAX_RANK);
    *rest = x->ndim - axes;
    return AGN_OK;
}

static void keep_axis(agni_index *p, int axis)
{
    p->result[p->n_result++] = (agni_result_axis){AGNI_KEPT, axis};
}

static bool add_picked(agn_scope *s, const char *op, agni_index *p, const agn_tensor *at, int axis,
                 int ndim, const int64_t *shape)
{
    if (p->n_picked > AGNI_MAX_RANK) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: %d arrays, above %d", op, p->n_picked + 1,
                                    AGN_MAX_RANK));
        return false;
    }
    agni_meta m = p->shape;
    if (!agni_broadcast_into(&p->shape, ndim, shape)) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: arrays do not broadcast: %s and %s", op,
                                    agni_shape_text((char[96]){0}, 96, m.ndim, m.shape),
                                    agni_shape_text((char[96]){0}, 96, ndim, shape)));
        return false;
    }
    p->picked[p->n_picked++] = (agni_picked){at, axis, false};
    return true;
}

/* every index that the host can read is checked here, where its axis is known */
static agn_status check_index_range(const char *op, const agn_tensor *i, int axis, int64_t size)
{
    if (!i->st || i->st->device != AGN_CPU || i->size == 0)
        return AGN_OK;
    agn_tensor *wide = NULL, *c = NULL;
    agn_status st = agn_cast(&wide, i, AGN_I64);
    if (!st)
        st = agn_contiguous(&c, wide);
    const int64_t *v = st ? NULL : c->data;
    for (int64_t j = 0; !st && j < c->size; j++)
        if (v[j] < -size || v[j] >= size)
            st = agni_fail(AGN_EINDEX,
                           "%s: index %lld at place %lld is out of range for axis %d of size %lld",
                           op, (long long)v[j], (long long)j, axis, (long long)size);
    agn_release(wide);
    agn_release(c);
    return st;
}

/* the coordinates of the true elements of a mask: one array of integers for each of its axes */
static agn_status mask_coordinates(const char *op, const agn_tensor *mask, agn_tensor **at)
{
    agni_nonzero_pieces p = {0};
    int64_t *to[AGNI_MAX_RANK];
    agn_tensor *value = agni_tensor_alias(mask), *here = NULL, *row_major = NULL;
    if (!value)
        return agni_nomem(op, sizeof *value);
    agn_status st = agn_to_device(&here, value, AGN_CPU);
    st = st ? st : agn_contiguous(&row_major, here);
    st = st ? st : agni_wait_written(row_major);
    st = st ? st : agni_nonzero_count(&p, op, row_major->data, mask->ndim, mask->shape);
    for (int d = 0; !st && d < mask->ndim; d++) {
        st = agni_tensor_make(&at[d], op, AGN_I64, 1, &p.count, AGN_CPU);
        to[d] = st ? NULL : at[d]->data;
    }
    if (!st)
        agni_nonzero_write(&p, to, 1);
    agni_nonzero_free(&p);
    agn_release(row_major);
    agn_release(here);
    agn_release(value);
    return st;
}

static bool pick_mask(agn_scope *s, const char *op, agni_index *p, const agn_tensor *mask, int axis)
{
    for (int d = 0; d < mask->ndim; d++)
        if (mask->shape[d] != p->x->shape[axis + d]) {
            agn_scope_fail(s,
                           agni_fail(AGN_ESHAPE,
                                     "%s: the mask %s has size %lld where axis %d of %s has %lld",
                                     op, AGNI_SHAPE(mask), (long long)mask->shape[d], axis + d,
                                     AGNI_SHAPE(p->x), (long long)p->x->shape[axis + d]));
            return false;
        }
    if (!mask->st) {
        agn_scope_fail(s, agni_fail(AGN_ESYMBOLIC,
                                    "%s: the shape depends on the values of a mask %s, which are "
                                    "unknown while tracing; use where",
                                    op, AGNI_SHAPE(mask)));
        return false;
    }
    if (mask->ndim == 0) {
        bool one = false;
        agn_status st = agn_to_host(&one, mask, sizeof one);
        return !agn_scope_fail(s, st) && add_picked(s, op, p, NULL, -1, 1, &(int64_t){one});
    }
    agn_tensor *at[AGNI_MAX_RANK] = {NULL};
    agn_status st = mask_coordinates(op, mask, at);
    bool good = !agn_scope_fail(s, st);
    for (int d = 0; d < mask->ndim; d++) {
        if (st) {
            agn_release(at[d]);
            continue;
        }
        const agn_tensor *i = agni_adopt_constant(s, AGN_OK, at[d]); /* taken over in any case */
        good = good && i && add_picked(s, op, p, i, axis + d, 1, i->shape);
        if (good)
            p->picked[p->n_picked - 1].sure = true;
        p->result[p->n_result++] = (agni_result_axis){AGNI_PICKED, axis + d};
    }
    return good;
}

bool agni_index_resolve(agn_scope *s, const char *op, agni_index *p, const agn_tensor *x,
                        const agn_ix *ix, int32_t n)
{
    int rest = 0, a = 0;
    bool picks = false, dots = false;
    if (agn_scope_fail(s, check_entries(op, x, ix, n, &rest, &picks)))
        return false;
    *p = (agni_index){.x = x, .whole = true};
    for (int d = 0; d < x->ndim; d++)
        memcpy(p->slice + 3 * d, (int64_t[]){0, 1, x->shape[d]}, 3 * sizeof *p->slice);
    for (int i = 0; i < n; i++) {
        const agn_ix *e = ix + i;
        int64_t size = a < x->ndim ? x->shape[a] : 0;
        agni_result_axis *last = p->result + p->n_result;
        switch (e->kind) {
        case AGN_IX_INT:
            if (e->start < -size || e->start >= size) {
                agn_scope_fail(s, agni_fail(AGN_EINDEX,
                                            "%s: index %lld is out of range for axis %d of size "
                                            "%lld, shape %s",
                                            op, (long long)e->start, a, (long long)size,
                                            AGNI_SHAPE(x)));
                return false;
            }
            p->slice[3 * a] = e->start < 0 ? e->start + size : e->start;
            p->slice[3 * a + 2] = 1;
            p->whole = p->whole && size == 1;
            p->taken[a] = true;
            if (picks) /* with arrays, an integer counts as one of them: it decides whether they are adjacent */
                *last = (agni_result_axis){AGNI_PICKED, a}, p->n_result++;
            a++;
            break;
        case AGN_IX_SLICE:
            agni_resolve_slice(size, e->start, e->stop, e->step, p->slice + 3 * a);
            p->whole = p->whole && p->slice[3 * a + 2] == size && (size < 2 || e->step == 1);
            keep_axis(p, a++);
            break;
        case AGN_IX_NEW:
            *last = (agni_result_axis){AGNI_NEW, -1}, p->n_result++;
            break;
        case AGN_IX_ELLIPSIS:
            dots = true;
            *last = (agni_result_axis){AGNI_DOTS, -1}, p->n_result++;
            for (int k = 0; k < rest; k++)
                keep_axis(p, a++);
            break;
        default:
            if (is_mask(e)) {
                if (!pick_mask(s, op, p, e->array, a))
                    return false;
                if (e->array->ndim == 0)
                    p->result[p->n_result++] = (agni_result_axis){AGNI_PICKED, -1};
            } else {
                if (!add_picked(s, op, p, e->array, a, e->array->ndim, e->array->shape))
                    return false;
                *last = (agni_result_axis){AGNI_PICKED, a}, p->n_result++;
            }
            a += count_indexed_axes(e);
        }
    }
    for (int k = 0; !dots && k < rest; k++)
        keep_axis(p, a++);
    bool nothing = false; /* is picked: then only numbers are looked at */
    for (int d = 0; d < p->shape.ndim; d++)
        nothing |= p->shape.shape[d] == 0;
    for (int k = 0; k < p->n_picked; k++) {
        const agn_tensor *at = p->picked[k].at;
        int d = p->picked[k].axis;
        if (at && !p->picked[k].sure && (!nothing || at->ndim == 0) &&
            agn_scope_fail(s, check_index_range(op, at, d, x->shape[d])))
            return false;
    }
    return true;
}
