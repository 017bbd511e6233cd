/* sparse/ops/movement.c - ops that move elements, on entries: new coordinates, then values after them.
   Axes are in three groups: a batch in front and dense axes behind, which values have too, and
   coordinates between them. What stays within its group is done there; what does not makes
   coordinates of all axes first. */
#include "sparse/layout/layout.h"

#include <agnesi/ag.h>
#include <string.h>

/* the operand as entries, and what one reads of it */
typedef struct operand {
    const agn_tensor *a;
    const agni_places *p;
    const agn_tensor *v;
    int first, last, dense; /* coordinates are the axes [first, last) */
} operand;
static bool look(operand *o, const agn_tensor *a)
{
    if (!a)
        return false;
    *o = (operand){a, agni_coo_of(a)->places, agni_values_of(a), agni_sparse_axis(a), 0,
                   agni_sparse_dense(a)};
    o->last = o->first + o->p->ndim;
    return true;
}
static bool is_place(const operand *o, int d)
{
    return d >= o->first && d < o->last;
}
/* the axis of values that axis d of the tensor is; that of entries for coordinates */
static int of_values(const operand *o, int d)
{
    return d < o->first ? d : d < o->last ? o->first : d - o->p->ndim + 1;
}

/* ---- permute ---------------------------------------------------------------------------- */

static int group(const operand *o, int d)
{
    return d < o->first ? 0 : d < o->last ? 1 : 2;
}

/* the transpose of a matrix is another look at it */
static const agn_tensor *flip(agn_scope *s, const agn_tensor *a)
{
    const agni_csr *c = agni_sparse_parts(a);
    agn_tensor *y = NULL;
    agn_status st = (a->layout == AGN_CSR ? agni_csc_new : agni_csr_new)(&y, "permute",
                                                                        c->pattern, c->values);
    return agn_scope_adopt(s, st, y);
}

const agn_tensor *agni_sparse_permute(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    int n = c->at ? c->at->ni : 0, ndim = a->ndim, from[AGNI_MAX_RANK], moved = 0;
    uint64_t seen = 0;
    for (int k = 0; k < ndim; k++) {
        from[k] = k < ndim - n ? k : (int)c->at->i[k - ndim + n] + ndim;
        moved += from[k] != k;
        seen |= (uint64_t)1 << from[k];
    }
    if (n > ndim || seen != ((uint64_t)1 << ndim) - 1)
        return agni_refused(s, agni_fail(AGN_EARG, "permute: %d axes do not permute those of %s", n,
                                   AGNI_SHAPE(a)));
    if (!moved)
        return a;
    if (a->layout != AGN_COO && moved == 2 && from[ndim - 1] == ndim - 2)
        return flip(s, a);
    operand o;
    if (!look(&o, agni_as_coo(s, "permute", a)))
        return NULL;
    bool within = true;
    for (int k = 0; k < ndim; k++)
        within &= group(&o, from[k]) == group(&o, k);
    if (!within && !look(&o, agni_as_pure(s, "permute", o.a)))
        return NULL;
    int64_t m = o.p->nnz, shape[AGNI_MAX_RANK], order[AGNI_MAX_RANK];
    for (int k = 0; k < ndim; k++)
        if (!is_place(&o, k))
            order[of_values(&o, k)] = of_values(&o, from[k]) - o.v->ndim;
    order[o.first] = o.first - o.v->ndim;
    const agn_tensor *v = agni_apply_in(s, &agni_op_permute,
                                        &(agni_attr){.ni = o.v->ndim, .i = order}, 1, &o.v);
    int64_t *at = agni_integers(o.p->ndim * m);
    if (!at || !v) {
        agni_free(at);
        return v ? agni_no_room(s, "permute", o.p->ndim * m) : NULL;
    }
    for (int d = 0; d < o.p->ndim; d++) {
        int was = from[o.first + d] - o.first;
        shape[d] = o.p->shape[was];
        memcpy(at + d * m, o.p->at + was * m, (size_t)m * sizeof *at);
    }
    return agni_like(s, "permute",
                     agni_coalesced_coo(s, "permute", o.p->ndim, shape, m, at, NULL, v, o.dense),
                     a->layout);
}

/* ---- reshape ---------------------------------------------------------------------------- */

static bool product(int n, const int64_t *shape, int64_t *size)
{
    *size = 1;
    for (int d = 0; d < n; d++)
        if (!agni_checked_mul(*size, shape[d], size))
            return false;
    return true;
}

/* Do the leading axes of the new shape repeat the batch, the trailing ones the dense axes? */
static bool keeps_groups(const operand *o, int n, const int64_t *shape)
{
    int64_t was, is;
    if (o->a->ndim == o->p->ndim)
        return true;
    return n > o->first + o->dense && product(o->p->ndim, o->p->shape, &was) &&
           product(n - o->first - o->dense, shape + o->first, &is) && was == is &&
           !memcmp(shape, o->a->shape, (size_t)o->first * sizeof *shape) &&
           !memcmp(shape + n - o->dense, o->a->shape + o->last, (size_t)o->dense * sizeof *shape);
}

const agn_tensor *agni_sparse_reshape(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    const int64_t *shape = c->at ? c->at->i : NULL;
    int n = c->at ? c->at->ni : 0;
    if (n == a->ndim && !memcmp(shape, a->shape, (size_t)n * sizeof *shape))
        return a;
    operand o;
    if (!look(&o, agni_as_coo(s, "reshape", a)))
        return NULL;
    if (!keeps_groups(&o, n, shape) && !look(&o, agni_as_pure(s, "reshape", o.a)))
        return NULL;
    if (n == 0 && o.a->size == 1) /* the element itself */
        return agni_take_single(s, o.v, 0);
    int rank = n - o.first - o.dense;
    int64_t was, is, m = o.p->nnz;
    bool known = product(o.p->ndim, o.p->shape, &was) &&
                 product(rank, n ? shape + o.first : NULL, &is);
    if (!known && n > o.p->ndim && o.a->ndim == o.p->ndim) { /* axes of 1 more: no product */
        int64_t rest[AGNI_MAX_RANK];
        int left = 0, d = 0;
        for (int k = 0; k < n; k++)
            if (d < o.p->ndim && shape[k] == o.p->shape[d])
                d++;
            else if (shape[k] == 1)
                rest[left++] = k;
        known = d == o.p->ndim && left == n - d;
        if (known) {
            int64_t *at = agni_integers(n * m);
            if (!at)
                return agni_no_room(s, "reshape", n * m);
            for (int k = 0, from = 0, one = 0; k < n; k++)
                if (one < left && rest[one] == k) {
                    memset(at + k * m, 0, (size_t)m * sizeof *at);
                    one++;
                } else {
                    memcpy(at + k * m, o.p->at + from++ * m, (size_t)m * sizeof *at);
                }
            return agni_coalesced_coo(s, "reshape", n, shape, m, at, NULL, o.v, 0);
        }
    }
    if (!known || was != is || !n)
        return agni_refused(s, agni_fail(AGN_ESHAPE, "reshape: sizes differ%s: %s to %s",
                                   known ? "" : " or are too large", AGNI_SHAPE(a),
                                   agni_shape_text((char[96]){0}, 96, n, shape)));
    int64_t *at = agni_integers(rank * m);
    if (!at)
        return agni_no_room(s, "reshape", rank * m);
    for (int64_t e = 0; e < m; e++) {
        int64_t flat = 0;
        for (int d = 0; d < o.p->ndim; d++)
            flat = flat * o.p->shape[d] + o.p->at[d * m + e];
        for (int d = rank - 1; d >= 0; d--) {
            at[d * m + e] = flat % shape[o.first + d];
            flat /= shape[o.first + d];
        }
    }
    const agn_tensor *y = agni_coalesced_coo(s, "reshape", rank, shape + o.first, m, at, NULL, o.v,
                                             o.dense);
    return agni_like(s, "reshape", y, a->layout);
}

/* ---- broadcast_to ------------------------------------------------------------------------- */

const agn_tensor *agni_sparse_broadcast(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    const int64_t *shape = c->at ? c->at->i : NULL;
    int n = c->at ? c->at->ni : 0, front = n - a->ndim;
    bool fits = front >= 0;
    for (int d = 0; fits && d < a->ndim; d++)
        fits = a->shape[d] == 1 || a->shape[d] == shape[front + d];
    operand o;
    if (!fits)
        return agni_refused(s, agni_fail(AGN_ESHAPE, "broadcast_to: %s does not broadcast to %s",
                                   AGNI_SHAPE(a), agni_shape_text((char[96]){0}, 96, n, shape)));
    if (!look(&o, agni_as_coo(s, "broadcast_to", a)))
        return NULL;
    /* every entry again for each place of the coordinates that grow */
    int64_t m = o.p->nnz, times = 1, grown[AGNI_MAX_RANK], size;
    for (int d = 0; d < o.p->ndim; d++) {
        grown[d] = shape[front + o.first + d];
        if (o.p->shape[d] != grown[d] && !agni_checked_mul(times, grown[d], &times))
            return agni_no_room(s, "broadcast_to", INT32_MAX);
    }
    if (!agni_checked_mul(m, times, &size) || !agni_checked_mul(size, o.p->ndim, &(int64_t){0}))
        return agni_no_room(s, "broadcast_to", INT32_MAX);
    int64_t full[AGNI_MAX_RANK + 1];
    memcpy(full, shape, (size_t)(front + o.first) * sizeof *full);
    full[front + o.first] = m;
    memcpy(full + front + o.first + 1, shape + front + o.last, (size_t)o.dense * sizeof *full);
    const agn_tensor *v = agni_broadcast(s, o.v, front + o.first + 1 + o.dense, full);
    if (times == 1 && !memcmp(grown, o.p->shape, (size_t)o.p->ndim * sizeof *grown))
        return v ? a->layout == AGN_COO
                       ? agni_coo_made(s, "broadcast_to", o.p, v, o.dense)
                       : agni_revalued(s, "broadcast_to", a,
                                       agni_broadcast(s, agni_values_of(a),
                                                      front + agni_sparse_axis(a) + 1, full))
                 : NULL;
    int64_t *at = agni_integers(o.p->ndim * size), *from = agni_integers(size);
    if (!at || !from || !v) {
        agni_free(at);
        agni_free(from);
        return v ? agni_no_room(s, "broadcast_to", size) : NULL;
    }
    for (int64_t e = 0; e < m; e++)
        for (int64_t k = 0; k < times; k++) {
            int64_t rest = k, to = e * times + k;
            from[to] = e;
            for (int d = o.p->ndim - 1; d >= 0; d--) {
                bool grows = o.p->shape[d] != grown[d];
                at[d * size + to] = grows ? rest % grown[d] : o.p->at[d * m + e];
                rest = grows ? rest / grown[d] : rest;
            }
        }
    const agn_tensor *y = agni_coalesced_coo(s, "broadcast_to", o.p->ndim, grown, size, at, from, v,
                                             o.dense);
    return agni_like(s, "broadcast_to", y, a->layout);
}

/* ---- slice -------------------------------------------------------------------------------- */

/* (first, step, count) of every axis of a, by the attributes of the last ones */
static void of_each_axis(const agn_tensor *a, const agni_attr *at, int64_t (*each)[3])
{
    int n = at ? at->ni / 3 : 0;
    for (int d = 0; d < a->ndim; d++) {
        const int64_t all[3] = {0, 1, a->shape[d]};
        memcpy(each[d], d < a->ndim - n ? all : at->i + 3 * (d - a->ndim + n), sizeof all);
    }
}
/* do count places from first on, by apart, lie within an axis of this size? */
static bool inside(int64_t first, int64_t by, int64_t count, int64_t size)
{
    int64_t last;
    return count >= 0 && size >= 0 && by != 0 &&
           agni_checked_mul(count ? count - 1 : 0, by, &last) &&
           agni_checked_add(first, last, &last) &&
           (!count || (first >= 0 && first < size && last >= 0 && last < size));
}
/* op, slice or unslice, of those axes that are axes of values, whose entries all stay */
static const agn_tensor *values_by(agn_scope *s, const agni_op *op, const operand *o, int ndim,
                                   int64_t (*each)[3])
{
    int64_t of_v[3 * AGNI_MAX_RANK];
    if (!o->first && !o->dense)
        return o->v;
    for (int d = 0; d < ndim; d++)
        if (!is_place(o, d))
            memcpy(of_v + 3 * of_values(o, d), each[d], sizeof each[d]);
    memcpy(of_v + 3 * o->first, (int64_t[]){0, 1, o->p->nnz}, 3 * sizeof *of_v);
    return agni_apply_in(s, op, &(agni_attr){.ni = 3 * o->v->ndim, .i = of_v}, 1, &o->v);
}

const agn_tensor *agni_sparse_slice(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    int n = c->at ? c->at->ni / 3 : 0;
    int64_t cut[AGNI_MAX_RANK][3];
    operand o;
    if (n > a->ndim)
        return agni_refused(s, agni_fail(AGN_EARG, "slice: %d axes are sliced, %s has %d", n,
                                   AGNI_SHAPE(a), a->ndim));
    of_each_axis(a, c->at, cut);
    for (int d = 0; d < a->ndim; d++) {
        int64_t first = cut[d][0], by = cut[d][1], count = cut[d][2];
        if (!inside(first, by, count, a->shape[d]))
            return agni_refused(s, agni_fail(AGN_EINDEX, "slice: %lld elements from %lld by %lld are "
                                       "not in axis %d of %s", (long long)count, (long long)first,
                                       (long long)by, d, AGNI_SHAPE(a)));
    }
    if (!look(&o, agni_as_coo(s, "slice", a)))
        return NULL;
    int64_t m = o.p->nnz, kept = 0, shape[AGNI_MAX_RANK];
    int64_t *from = agni_integers(m);
    for (int64_t e = 0; from && e < m; e++) {
        bool in = true;
        for (int d = 0; in && d < o.p->ndim; d++) {
            const int64_t *t = cut[o.first + d];
            int64_t away = o.p->at[d * m + e] - t[0];
            in = t[2] > 0 && away % t[1] == 0 && away / t[1] >= 0 && away / t[1] < t[2];
        }
        if (in)
            from[kept++] = e;
    }
    int64_t *at = from ? agni_integers(o.p->ndim * kept) : NULL;
    if (!at) {
        agni_free(from);
        return agni_no_room(s, "slice", m);
    }
    for (int d = 0; d < o.p->ndim; d++) {
        const int64_t *t = cut[o.first + d];
        shape[d] = t[2];
        for (int64_t k = 0; k < kept; k++)
            at[d * kept + k] = (o.p->at[d * m + from[k]] - t[0]) / t[1];
    }
    const agn_tensor *v = values_by(s, &agni_op_slice, &o, a->ndim, cut);
    if (!v) {
        agni_free(at);
        agni_free(from);
        return NULL;
    }
    const agn_tensor *y = agni_coalesced_coo(s, "slice", o.p->ndim, shape, kept, at, from, v,
                                             o.dense);
    return agni_like(s, "slice", y, a->layout);
}

/* the adjoint: every element goes where a slice would have taken it from, beside zeros */
const agn_tensor *agni_sparse_unslice(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0];
    int n = c->at ? c->at->ni / 3 : 0;
    int64_t put[AGNI_MAX_RANK][3], shape[AGNI_MAX_RANK];
    operand o;
    if (n > a->ndim)
        return agni_refused(s, agni_fail(AGN_EARG, "unslice: %d axes are placed, %s has %d", n,
                                         AGNI_SHAPE(a), a->ndim));
    of_each_axis(a, c->at, put);
    for (int d = 0; d < a->ndim; d++) {
        int64_t first = put[d][0], by = put[d][1], size = put[d][2], many = a->shape[d];
        if (!inside(first, by, many, size))
            return agni_refused(s, agni_fail(AGN_EINDEX, "unslice: %lld elements from %lld by %lld do "
                                             "not fit into %lld: axis %d of %s", (long long)many,
                                             (long long)first, (long long)by, (long long)size, d,
                                             AGNI_SHAPE(a)));
    }
    if (!look(&o, agni_as_coo(s, "unslice", a)))
        return NULL;
    int64_t m = o.p->nnz, *at = agni_integers(o.p->ndim * m);
    if (!at)
        return agni_no_room(s, "unslice", o.p->ndim * m);
    for (int d = 0; d < o.p->ndim; d++) {
        const int64_t *t = put[o.first + d];
        shape[d] = t[2];
        for (int64_t e = 0; e < m; e++)
            at[d * m + e] = t[0] + o.p->at[d * m + e] * t[1];
    }
    const agn_tensor *v = values_by(s, &agni_op_unslice, &o, a->ndim, put);
    if (!v) {
        agni_free(at);
        return NULL;
    }
    const agn_tensor *y = agni_coalesced_coo(s, "unslice", o.p->ndim, shape, m, at, NULL, v,
                                             o.dense);
    return agni_like(s, "unslice", y, a->layout);
}

/* ---- concat ------------------------------------------------------------------------------- */

static const agn_tensor *joined(agn_scope *s, const agni_call *c, const operand *o, int axis)
{
    int64_t m = 0, shape[AGNI_MAX_RANK], shift = 0, done = 0;
    int d = axis - o->first;
    memcpy(shape, o->p->shape, (size_t)o->p->ndim * sizeof *shape);
    shape[d] = 0;
    for (int i = 0; i < c->nin; i++) {
        m += o[i].p->nnz;
        bool same = o[i].p->ndim == o->p->ndim && o[i].dense == o->dense;
        for (int k = 0; same && k < o->a->ndim; k++)
            same = k == axis || o[i].a->shape[k] == o->a->shape[k];
        if (!same)
            return agni_refused(s, agni_fail(AGN_ESHAPE, "concat: shapes differ beside axis %d: %s and %s",
                                       axis, AGNI_SHAPE(o->a), AGNI_SHAPE(o[i].a)));
        if (!agni_checked_add(shape[d], o[i].p->shape[d], &shape[d]))
            return agni_no_room(s, "concat", INT32_MAX);
    }
    const agn_tensor **v = agni_alloc((size_t)c->nin * sizeof *v), *y = NULL;
    int64_t *at = agni_integers(o->p->ndim * m);
    for (int i = 0; at && v && i < c->nin; i++) {
        const agni_places *p = o[i].p;
        v[i] = o[i].v;
        for (int k = 0; k < p->ndim; k++)
            for (int64_t e = 0; e < p->nnz; e++)
                at[k * m + done + e] = p->at[k * p->nnz + e] + (k == d ? shift : 0);
        done += p->nnz;
        shift += p->shape[d];
    }
    if (at && v)
        y = agni_apply_in(s, c->op, &(agni_attr){.ni = 1, .i = &(int64_t){o->first - o->v->ndim}},
                          c->nin, v);
    agni_free(v);
    if (!y) {
        agni_free(at);
        return agni_no_room(s, "concat", m);
    }
    return agni_coalesced_coo(s, "concat", o->p->ndim, shape, m, at, NULL, y, o->dense);
}

const agn_tensor *agni_sparse_concat(agn_scope *s, const agni_call *c)
{
    operand *o = agni_alloc((size_t)c->nin * sizeof *o);
    if (!o)
        return agni_no_room(s, "concat", c->nin);
    const agn_tensor *y = NULL;
    int axis = (int)c->at->i[0] + c->in[0]->ndim, layout = AGN_DENSE; /* of the first sparse one */
    bool fine = true, pure = false;
    for (int i = 0; fine && i < c->nin; i++) {
        if (c->in[i]->ndim != c->in[0]->ndim) {
            agni_refused(s, agni_fail(AGN_ESHAPE, "concat: shapes differ beside axis %d: %s and %s", axis,
                                AGNI_SHAPE(c->in[0]), AGNI_SHAPE(c->in[i])));
            fine = false;
        }
        bool whole = c->in[i]->layout == AGN_DENSE;
        fine = fine && look(&o[i], (whole ? agni_as_full : agni_as_coo)(s, "concat", c->in[i]));
        layout = layout == AGN_DENSE ? c->in[i]->layout : layout;
        pure |= fine && (!is_place(&o[i], axis) || o[i].p->ndim != o->p->ndim ||
                         o[i].dense != o->dense);
    }
    for (int i = 0; pure && fine && i < c->nin; i++)
        fine = look(&o[i], agni_as_pure(s, "concat", o[i].a));
    if (fine)
        y = agni_like(s, "concat", joined(s, c, o, axis), layout);
    agni_free(o);
    return y;
}

/* ---- gather --------------------------------------------------------------------------------- */

/* numbers of slices on the host, counted from the front */
static int64_t *numbers(agn_scope *s, const agn_tensor *idx, int64_t size, int axis)
{
    int64_t *v = agni_integers(idx->size);
    const agn_tensor *wide = agni_detach_node(s, "gather", idx);
    wide = wide ? agni_cast(s, wide, AGN_I64) : NULL;
    if (!v || !wide || agn_scope_fail(s, agn_to_host(v, wide, (size_t)idx->size * sizeof *v))) {
        agni_free(v);
        if (wide)
            agni_no_room(s, "gather", idx->size);
        return NULL;
    }
    for (int64_t k = 0; k < idx->size; k++) {
        int64_t i = v[k] < 0 ? v[k] + size : v[k];
        if (i < 0 || i >= size) {
            agni_refused(s, agni_fail(AGN_EINDEX, "gather: index %lld is out of range for axis %d of %lld",
                                (long long)v[k], axis, (long long)size));
            agni_free(v);
            return NULL;
        }
        v[k] = i;
    }
    return v;
}

/* first of the entries in order (by one coordinate) that is not below i */
static int64_t bound(const int64_t *at, const int64_t *order, int64_t n, int64_t i)
{
    int64_t lo = 0, hi = n;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (at[order ? order[mid] : mid] < i)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* entries sorted by one coordinate; NULL in *order: they are. */
static agn_status by_axis(const agni_places *p, int d, int64_t **order)
{
    int64_t *copy = agni_integers(p->nnz);
    agni_places *q = NULL;
    bool repeats;
    if (copy)
        memcpy(copy, p->at + d * p->nnz, (size_t)p->nnz * sizeof *copy);
    agn_status st = agni_places_new(&q, "gather", 1, p->shape + d, p->nnz, false, copy);
    if (!st)
        st = agni_places_order(q, "gather", order, &repeats);
    if (q)
        agni_obj_release(&q->head);
    return st;
}

const agn_tensor *agni_sparse_gather_slices(agn_scope *s, const agni_call *c)
{
    const agn_tensor *a = c->in[0], *idx = c->in[1];
    operand o;
    if (idx->layout != AGN_DENSE || a->layout == AGN_DENSE || c->at->i[1] != 0)
        return agni_refused(s, agni_fail(AGN_EUNSUPPORTED, "gather: argument %d is sparse, a dense one is "
                                   "needed", idx->layout != AGN_DENSE));
    if (agni_kind(idx->dtype) != AGNI_KIND_INT)
        return agni_refused(s, agni_fail(AGN_EDTYPE, "gather: the index is %s, an integer dtype is needed",
                                   agni_dtypes[idx->dtype].name));
    int axis = (int)c->at->i[0] + a->ndim;
    if (!look(&o, agni_as_coo(s, "gather", a)))
        return NULL;
    if (!is_place(&o, axis) && !look(&o, agni_as_pure(s, "gather", o.a)))
        return NULL;
    int d = axis - o.first, rank = o.p->ndim - 1 + idx->ndim;
    if (a->ndim - 1 + idx->ndim > AGNI_MAX_RANK)
        return agni_refused(s, agni_fail(AGN_ESHAPE, "gather: the result has rank %d, above %d",
                                   a->ndim - 1 + idx->ndim, AGN_MAX_RANK));
    int64_t *order = NULL, *from = NULL, *at = NULL, m = o.p->nnz, total = 0;
    int64_t shape[AGNI_MAX_RANK], *which = numbers(s, idx, o.p->shape[d], axis);
    const int64_t *along = o.p->at + d * m;
    if (!which)
        return NULL;
    if (agn_scope_fail(s, by_axis(o.p, d, &order))) {
        agni_free(which);
        return NULL;
    }
    for (int64_t k = 0; k < idx->size; k++)
        total += bound(along, order, m, which[k] + 1) - bound(along, order, m, which[k]);
    from = agni_integers(total);
    at = agni_integers(rank * total);
    for (int64_t k = 0, e = 0; from && at && k < idx->size; k++) {
        int64_t lo = bound(along, order, m, which[k]), hi = bound(along, order, m, which[k] + 1);
        for (; lo < hi; lo++, e++) {
            int64_t old = order ? order[lo] : lo, rest = k;
            from[e] = old;
            for (int q = 0; q < d; q++)
                at[q * total + e] = o.p->at[q * m + old];
            for (int q = idx->ndim - 1; q >= 0; q--) {
                at[(d + q) * total + e] = rest % idx->shape[q];
                rest /= idx->shape[q];
            }
            for (int q = d + 1; q < o.p->ndim; q++)
                at[(q - 1 + idx->ndim) * total + e] = o.p->at[q * m + old];
        }
    }
    agni_free(order);
    agni_free(which);
    if (!from || !at) {
        agni_free(from);
        agni_free(at);
        return agni_no_room(s, "gather", total);
    }
    memcpy(shape, o.p->shape, (size_t)d * sizeof *shape);
    memcpy(shape + d, idx->shape, (size_t)idx->ndim * sizeof *shape);
    memcpy(shape + d + idx->ndim, o.p->shape + d + 1,
           (size_t)(o.p->ndim - d - 1) * sizeof *shape);
    if (rank == 0) { /* one element of a vector: a dense number */
        agni_free(at);
        const agn_tensor *v = agni_gather_values(s, o.v, o.first,
                                                 agni_index(s, "gather", total, from));
        return agni_take_single(s, v, o.first);
    }
    const agn_tensor *y = agni_coalesced_coo(s, "gather", rank, shape, total, at, from, o.v,
                                             o.dense);
    return agni_like(s, "gather", y, a->layout);
}
