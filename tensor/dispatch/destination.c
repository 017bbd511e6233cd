/* tensor/dispatch/destination.c - results in memory of the caller (out= arguments), and which
   memory may be written in place. */
#include "tensor/dispatch/destination.h"

#include "core/threads/cancel.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/value/handle_checks.h"
#include <string.h>

AGNI_TLS_EXTERN agni_destination *agni_destination_current;

/* ---- overlap of memory -------------------------------------------------------------- */

typedef struct extent {
    uintptr_t lo, hi; /* bytes [lo, hi) */
} extent;

static inline extent byte_extent(const agn_tensor *x)
{
    extent e = {(uintptr_t)x->data, (uintptr_t)x->data};
    intptr_t bytes = agni_dtypes[x->dtype].bytes;
    if (x->ndim == 1 && x->stride[0] == 1)
        e.hi += (uintptr_t)(x->size * bytes);
    if (!x->size || e.hi > e.lo)
        return e;
    for (int d = 0; d < x->ndim; d++) {
        intptr_t reach = (intptr_t)(x->shape[d] - 1) * (intptr_t)x->stride[d] * bytes;
        if (reach < 0)
            e.lo -= (uintptr_t)-reach;
        else
            e.hi += (uintptr_t)reach;
    }
    e.hi += (uintptr_t)bytes;
    return e;
}

/* Whether the two may share an element: their address ranges intersect. */
static bool may_overlap(const agn_tensor *a, const agn_tensor *b)
{
    if (!a->st || !b->st || a->st->device != b->st->device)
        return false;
    extent x = byte_extent(a), y = byte_extent(b);
    return x.lo < y.hi && y.lo < x.hi;
}

/* Whether both are the same elements in the same order. */
static bool is_same_view(const agn_tensor *a, const agn_tensor *b)
{
    if (!a->st || !b->st || a->data != b->data || a->st->device != b->st->device ||
        !agni_same_shape(a, b) || agni_dtypes[a->dtype].bytes != agni_dtypes[b->dtype].bytes)
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] > 1 && a->stride[d] != b->stride[d])
            return false;
    return true;
}

/* Whether two indices of x may have one address: in order of |stride|, each stride must exceed the
   sum of (shape - 1) |stride| over the axes before it. Layouts that interleave without sharing an
   element, which are rare, count as overlapping. */
static bool overlaps_itself(const agn_tensor *x)
{
    int64_t below = 0, reach = -1;
    if (x->ndim == 1)
        return x->shape[0] > 1 && !x->stride[0];
    for (int seen = 0; x->size && seen < x->ndim; seen++) {
        int64_t next = INT64_MAX;
        int at = -1;
        for (int d = 0; d < x->ndim; d++) {
            int64_t s = x->stride[d] < 0 ? -x->stride[d] : x->stride[d];
            bool later = s > reach || (s == reach && below == 0);
            if (x->shape[d] > 1 && later && s < next) {
                next = s;
                at = d;
            }
        }
        if (at < 0)
            break;
        if (next <= below)
            return true;
        for (int d = 0; d < x->ndim; d++) /* two axes with one stride */
            if (d != at && x->shape[d] > 1 &&
                (x->stride[d] == next || x->stride[d] == -next))
                return true;
        below += next * (x->shape[at] - 1);
        reach = next;
    }
    return false;
}

/* ---- open, claim, close --------------------------------------------------------------- */

agn_status agni_destination_open(agni_destination *d)
{
    const agn_tensor *y = d->dest;
    d->outer = agni_destination_current;
    if (!y)
        return agni_fail(AGN_ENULL, "%s_into: out is NULL", d->name);
    agn_status st = y->layout == AGN_DENSE ? AGN_OK : agni_require_dense(y, d->name);
    if (!st && y->stale)
        st = agni_require_host(y, d->name);
    if (st)
        return st;
    const char *why = y->node              ? "is recorded"
                      : !y->st             ? "has no value"
                      : y->st->readonly    ? "is read-only"
                      : overlaps_itself(y) ? "has elements in one place"
                                           : NULL;
    if (why)
        return agni_fail(AGN_EARG, "%s_into: out, %s %s, %s", d->name,
                         agni_dtypes[y->dtype].name, AGNI_SHAPE(y), why);
    st = agni_checking ? agni_check_written(d->name, y) : AGN_OK;
    if (!st)
        agni_destination_current = d;
    return st;
}

static bool matches_meta(const agni_meta *m, const agn_tensor *y)
{
    return m->dtype == y->dtype && m->ndim == y->ndim &&
           (!m->ndim || !memcmp(m->shape, y->shape, (size_t)m->ndim * sizeof *m->shape));
}

static bool is_input(const agni_call *c, const agn_tensor *x)
{
    for (int i = 0; i < c->nin; i++)
        if (c->in[i] == x)
            return true;
    return false;
}

/* whether x, another argument of the caller, does not overlap the destination */
static bool is_disjoint_argument(const agni_destination *d, const agni_call *c, const agn_tensor *x)
{
    return !x || is_input(c, x) || !may_overlap(x, d->dest);
}
/* Nothing that the call still reads may overlap the memory: neither an input of the op, unless the
   op is element-wise and the input is the same view, nor another argument. */
static bool may_write_in_place(const agni_destination *d, const agni_call *c)
{
    for (int i = 0; i < c->nin; i++)
        if (c->in[i]->node || (may_overlap(c->in[i], d->dest) &&
                               !(c->op->ew >= 0 && is_same_view(c->in[i], d->dest))))
            return false;
    for (int i = 0; i < d->n_arg; i++)
        if (!is_disjoint_argument(d, c, d->arg[i]))
            return false;
    for (int64_t i = 0; i < d->n_list; i++)
        if (!is_disjoint_argument(d, c, d->list[i]))
            return false;
    return true;
}

/* Where no other tensor has the memory, nobody else may write to it meanwhile. */
static void count_write(const agn_tensor *y)
{
    if (agni_ref_unique(&y->st->head.ref))
        atomic_store_explicit(
            &y->st->version, atomic_load_explicit(&y->st->version, memory_order_relaxed) + 1,
            memory_order_release);
    else
        atomic_fetch_add_explicit(&y->st->version, 1, memory_order_acq_rel);
}

void agni_destination_claim(const agni_call *c, agn_tensor **out)
{
    agni_destination *d = agni_destination_current;
    const agn_tensor *y = d->dest;
    if (out != d->result || c->nout != 1 || !c->op->cpu || c->op->may_fail ||
        y->st->device != AGN_CPU || !matches_meta(c->meta, y) ||
        (c->op->ew < 0 && !agni_is_contiguous(y)) || !may_write_in_place(d, c))
        return;
    if ((out[0] = agni_tensor_alias(y))) {
        count_write(y);
        agni_cancel_hold(1);
        d->written = true;
        agni_destination_current = NULL; /* one op writes */
    }
}

agn_tensor *agni_destination_take(agn_tensor **out, int dtype, int ndim, const int64_t *shape)
{
    agni_destination *d = agni_destination_current;
    agn_tensor *y = d->dest;
    if (out != d->result || y->st->device != AGN_CPU || y->uncommitted || y->dtype != dtype ||
        y->ndim != ndim || d->n_list)
        return NULL;
    int64_t dense = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        if (y->shape[i] != shape[i] || (shape[i] != 1 && y->stride[i] != dense))
            return NULL;
        dense *= shape[i];
    }
    for (int i = 0; i < d->n_arg; i++)
        if (d->arg[i] && may_overlap(d->arg[i], y))
            return NULL;
    count_write(y);
    d->taken = true;
    return y;
}

static agn_status copy_to_destination(const agni_destination *d, const agn_tensor *y)
{
    agn_tensor *free_y = NULL, *at = agni_tensor_alias(d->dest);
        agn_status st = at ? AGN_OK : agni_nomem(d->name, sizeof *at);
    if (!st && d->dest->st->device != AGN_CPU && !agni_is_contiguous(d->dest))
        st = agni_fail(AGN_EUNSUPPORTED, "%s_into: out, %s on %s, is not contiguous", d->name,
                       AGNI_SHAPE(d->dest), agn_device_name(d->dest->st->device));
    if (!st && may_overlap(y, d->dest))
        st = agni_apply1(&agni_op_copy, NULL, 1, &y, &free_y);
    if (!st) {
        const agn_tensor *in[1] = {free_y ? free_y : y};
        agni_meta m = {.dtype = y->dtype, .ndim = y->ndim};
        if (y->ndim)
            memcpy(m.shape, y->shape, (size_t)y->ndim * sizeof *m.shape);
        agni_call c = {&agni_op_copy, NULL, 1, 1, in, &m};
        count_write(d->dest);
        st = agni_run(&c, &at);
    }
    agn_release(free_y);
    agn_release(at);
    return st;
}

agn_status agni_destination_close(agni_destination *d, agn_status st, agn_tensor *y)
{
    const agn_tensor *x = d->dest;
    agni_destination_current = d->outer;
    if (d->written)
        agni_cancel_hold(-1);
    if (st)
        return st;
    if (d->taken && y == x)
        return AGN_OK;
    if (agn_is_symbolic(y))
        st = agni_fail(AGN_ESYMBOLIC, "%s_into: no value while tracing; use %s", d->name, d->name);
    else if (y->node)
        st = agni_fail(AGN_EARG,
                       "%s_into: an argument is recorded, and memory keeps no derivative; "
                       "use %s",
                       d->name, d->name);
    else if (!agni_same_shape(y, x))
        st = agni_fail(AGN_ESHAPE, "%s_into: the result is %s, out is %s", d->name, AGNI_SHAPE(y),
                       AGNI_SHAPE(x));
    else if (y->dtype != x->dtype)
        st = agni_fail(AGN_EDTYPE, "%s_into: the result is %s, out is %s", d->name,
                       agni_dtypes[y->dtype].name, agni_dtypes[x->dtype].name);
    else if (y->st->device != x->st->device)
        st = agni_fail(AGN_EDEVICE, "%s_into: the result is on %s, out on %s", d->name,
                       agn_device_name(y->st->device), agn_device_name(x->st->device));
    else if (!is_same_view(y, x))
        st = copy_to_destination(d, y);
    agn_release(y);
    return st;
}
