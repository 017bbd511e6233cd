/* tensor/index/index.c - reading and writing by an index: slices, then one gather or scatter along
   one axis, into which the axes indexed by arrays are merged. A write reverses these steps. */
#include "tensor/index/index.h"

#include <string.h>

/* The axes of the sliced x that are left, with those picked by arrays merged into one. */
typedef struct layout {
    int ndim, merged;             /* of the array with merged axes; -1: nothing is picked */
    int64_t shape[AGNI_MAX_RANK]; /* of it */
    int n_kept, n_order;
    int64_t kept[AGNI_MAX_RANK];  /* shape without the axes taken by integers */
    int64_t order[AGNI_MAX_RANK]; /* their order before merging, as attributes of permute */
    bool moved;
    int before, place; /* axes in front of the picked ones: when gathered, in the result */
    int64_t full[AGNI_MAX_RANK]; /* shape of the result, and without its new axes */
    int n_full;
    int64_t bare[AGNI_MAX_RANK];
    int n_bare;
} layout;

/* Position of the picked axes in the result: theirs if they are adjacent, else in front (NumPy). */
static agn_status place_result(const char *op, const agni_index *p, layout *l)
{
    enum { NONE, RUNNING, OVER } state = NONE; /* the picked ones, as the entries go by */
    bool apart = false;
    int64_t wide[4 * AGNI_MAX_RANK];
    int n = 0, at = 0, m = p->shape.ndim, place = 0, news = 0;
    for (int k = 0; k < p->n_result; k++) {
        const agni_result_axis *r = p->result + k;
        if (r->from == AGNI_PICKED) {
            if (state == NONE)
                at = n, place = n - news;
            apart = apart || state == OVER;
            state = RUNNING;
            continue;
        }
        state = state == RUNNING ? OVER : state;
        news += r->from == AGNI_NEW;
        if (r->from != AGNI_DOTS)
            wide[n++] = r->from == AGNI_NEW ? -1 : p->slice[3 * r->axis + 2];
    }
    if (apart)
        at = place = 0;
    if (n + m > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d", op, n + m,
                         AGN_MAX_RANK);
    memmove(wide + at + m, wide + at, (size_t)(n - at) * sizeof *wide);
    memcpy(wide + at, p->shape.shape, (size_t)m * sizeof *wide);
    l->place = place;
    l->n_full = n + m;
    l->n_bare = 0;
    for (int k = 0; k < n + m; k++) {
        l->full[k] = wide[k] < 0 ? 1 : wide[k];
        if (wide[k] >= 0)
            l->bare[l->n_bare++] = wide[k];
    }
    return AGN_OK;
}

static agn_status plan_layout(const char *op, const agni_index *p, layout *l)
{
    bool is_picked[AGNI_MAX_RANK] = {false};
    int left[AGNI_MAX_RANK], n = 0, first = -1, last = -1, count = 0;
    *l = (layout){.merged = -1};
    for (int k = 0; k < p->n_picked; k++)
        if (p->picked[k].axis >= 0)
            is_picked[p->picked[k].axis] = true;
    for (int d = 0; d < p->x->ndim; d++) {
        if (p->taken[d])
            continue;
        if (is_picked[d]) {
            first = first < 0 ? n : first;
            last = n;
            count++;
        }
        l->kept[n] = p->slice[3 * d + 2];
        left[n++] = d;
    }
    l->n_kept = l->n_order = n;
    agn_status st = place_result(op, p, l);
    if (st || !p->n_picked)
        return st;
    /* adjacent picked axes are merged at their position, others in front */
    l->moved = count && last - first + 1 != count;
    l->before = l->moved || !count ? 0 : first;
    int64_t size = 1;
    int k = 0, o = 0;
    for (int d = 0; d < n; d++)
        if (is_picked[left[d]])
            size *= l->kept[d];
    for (int pass = 0; pass < 2; pass++)
        for (int d = 0; l->moved && d < n; d++)
            if (is_picked[left[d]] == !pass)
                l->order[o++] = d - n;
    for (int d = 0; d < n; d++) {
        if (k == l->before && l->merged < 0)
            l->shape[l->merged = k++] = size;
        if (!is_picked[left[d]])
            l->shape[k++] = l->kept[d];
    }
    if (l->merged < 0)
        l->shape[l->merged = k++] = size;
    l->ndim = k;
    return k > AGNI_MAX_RANK ? agni_fail(AGN_ESHAPE, "%s: rank %d is above %d", op, k, AGN_MAX_RANK)
                             : AGN_OK;
}

/* ---- the picks as one index ------------------------------------------------------------- */

static const agn_tensor *apply_two(agn_scope *s, const agni_op *op, const agn_tensor *a,
                                const agn_tensor *b)
{
    return a && b ? agni_apply_in(s, op, NULL, 2, (const agn_tensor *[]){a, b}) : NULL;
}
static const agn_tensor *select_where(agn_scope *s, const agn_tensor *c, const agn_tensor *a,
                                const agn_tensor *b)
{
    return c && a && b ? agni_apply_in(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){c, a, b})
                       : NULL;
}

/* Arrays i, j, k into axes of sizes a, b, c are one array (i b + j) c + k into one axis. Where
   the host has not seen the numbers, one out of range in its axis must not land inside. */
static const agn_tensor *merge_indices(agn_scope *s, const agni_index *p)
{
    const agn_tensor *at = NULL, *ok = NULL, *zero = agni_literal(s, 0);
    int n = 0;
    for (int k = 0; k < p->n_picked; k++)
        n += p->picked[k].at != NULL;
    for (int k = 0; k < p->n_picked; k++) {
        if (!p->picked[k].at)
            continue;
        if (n == 1) { /* gather itself knows how to count from the end */
            at = p->picked[k].at;
            break;
        }
        const agn_tensor *i = agni_cast(s, p->picked[k].at, AGN_I64);
        const agn_tensor *size = agni_literal(s, (double)p->x->shape[p->picked[k].axis]);
        if (!i || !size || !zero)
            return NULL;
        const agn_tensor *w = select_where(s, apply_two(s, &agni_op_lt, i, zero),
                                     apply_two(s, &agni_op_add, i, size), i);
        if (!i->st || i->st->device != AGN_CPU) {
            const agn_tensor *in = apply_two(s, &agni_op_logical_and,
                                             apply_two(s, &agni_op_ge, w, zero),
                                             apply_two(s, &agni_op_lt, w, size));
            ok = ok ? apply_two(s, &agni_op_logical_and, ok, in) : in;
        }
        at = at ? apply_two(s, &agni_op_add, apply_two(s, &agni_op_mul, at, size), w) : w;
    }
    if (ok)
        at = select_where(s, ok, at, agni_literal(s, -0x1p62));
    if (n == 0)
        at = agni_full(s, 0, AGN_I64, 0, NULL);
    return at ? agni_broadcast(s, at, p->shape.ndim, p->shape.shape) : NULL;
}

/* ---- reading ------------------------------------------------------------------------------ */

static const agn_tensor *apply_slices(agn_scope *s, const agni_index *p)
{
    const agn_tensor *x = p->x;
    return p->whole ? x
                    : agni_apply_in(s, &agni_op_slice,
                                    &(agni_attr){.ni = 3 * x->ndim, .i = p->slice}, 1, &x);
}

/* the sliced array with its picked axes merged */
static const agn_tensor *merge_picked_axes(agn_scope *s, const agni_index *p, const layout *l)
{
    const agn_tensor *y = apply_slices(s, p);
    y = y ? agni_reshape(s, y, l->n_kept, l->kept) : NULL;
    if (y && l->moved)
        y = agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = l->n_order, .i = l->order}, 1,
                          &y);
    return y ? agni_reshape(s, y, l->ndim, l->shape) : NULL;
}

/* moves a group of m axes from position a to position b among the others */
static const agn_tensor *move_group(agn_scope *s, const agn_tensor *x, int m, int a, int b)
{
    int64_t order[AGNI_MAX_RANK];
    if (!x || a == b || m == 0)
        return x;
    int n = x->ndim, k = 0;
    for (int other = 0; k < n;) {
        if (k == b)
            for (int j = 0; j < m; j++)
                order[k++] = a + j - n;
        if (k < n) {
            other += other == a ? m : 0;
            if (other < n)
                order[k++] = other++ - n;
        }
    }
    return agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = n, .i = order}, 1, &x);
}

const agn_tensor *agni_index_read(agn_scope *s, const char *op, const agn_tensor *x,
                                  const agn_ix *ix, int32_t n)
{
    agni_index p;
    layout l;
    if (agn_scope_status(s) || !agni_index_resolve(s, op, &p, x, ix, n) ||
        agn_scope_fail(s, plan_layout(op, &p, &l)))
        return NULL;
    const agn_tensor *y;
    if (p.n_picked) {
        const agn_tensor *a[2] = {merge_picked_axes(s, &p, &l), merge_indices(s, &p)};
        int64_t at[2] = {l.merged - l.ndim, 0};
        if (!a[0] || !a[1])
            return NULL;
        y = agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = at}, 2, a);
        y = move_group(s, y, p.shape.ndim, l.before, l.place);
    } else {
        y = apply_slices(s, &p);
    }
    return y ? agni_reshape(s, y, l.n_full, l.full) : NULL;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* v in the dtype of x and the shape of the indexed elements, without new axes; v may have further
   leading axes of size 1 */
static const agn_tensor *shape_values(agn_scope *s, const char *op, const agn_tensor *v,
                                const agni_index *p, const layout *l)
{
    agni_meta want = {.ndim = l->n_full}, m;
    int extra = 0;
    while (v->ndim - extra > l->n_full && v->shape[extra] == 1)
        extra++;
    memcpy(want.shape, l->full, (size_t)l->n_full * sizeof *l->full);
    m = want;
    if (v->ndim - extra > l->n_full ||
        !agni_broadcast_into(&m, v->ndim - extra, v->shape + extra) ||
        (l->n_full && memcmp(m.shape, want.shape, (size_t)l->n_full * sizeof *m.shape))) {
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: the values are %s, the indexed places %s", op,
                                    AGNI_SHAPE(v),
                                    agni_shape_text((char[96]){0}, 96, l->n_full, l->full)));
        return NULL;
    }
    if (agni_kind(v->dtype) == AGNI_KIND_COMPLEX &&
        agni_kind(p->x->dtype) != AGNI_KIND_COMPLEX) {
        agn_scope_fail(s, agni_fail(AGN_EDTYPE, "%s: the values are %s, x is %s: their imaginary "
                                                "parts would be lost",
                                    op, agni_dtypes[v->dtype].name,
                                    agni_dtypes[p->x->dtype].name));
        return NULL;
    }
    const agn_tensor *y = agni_cast(s, v, p->x->dtype);
    y = y ? agni_reshape(s, y, v->ndim - extra, v->shape + extra) : NULL;
    y = y ? agni_broadcast(s, y, l->n_full, l->full) : NULL;
    return y ? agni_reshape(s, y, l->n_bare, l->bare) : NULL;
}

/* the part of x that is written, from its merged form */
static const agn_tensor *unmerge_picked_axes(agn_scope *s, const agn_tensor *y, const layout *l)
{
    int64_t back[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int n = l->n_order;
    if (!y || !l->moved)
        return y;
    for (int k = 0; k < n; k++) {
        shape[k] = l->kept[l->order[k] + n];
        back[l->order[k] + n] = k - n;
    }
    y = agni_reshape(s, y, n, shape);
    return y ? agni_apply_in(s, &agni_op_permute, &(agni_attr){.ni = n, .i = back}, 1, &y) : NULL;
}

const agn_tensor *agni_index_write(agn_scope *s, const char *op, const agn_tensor *x,
                                   const agn_ix *ix, int32_t n, const agn_tensor *v,
                                   agni_write how)
{
    agni_index p;
    layout l;
    if (agn_scope_status(s) || !agni_index_resolve(s, op, &p, x, ix, n) ||
        agn_scope_fail(s, plan_layout(op, &p, &l)))
        return NULL;
    const agn_tensor *y = shape_values(s, op, v, &p, &l);
    if (!y)
        return NULL;
    int64_t part[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++)
        part[d] = p.slice[3 * d + 2];
    if (p.n_picked) {
        const agn_tensor *a[3] = {merge_picked_axes(s, &p, &l), merge_indices(s, &p),
                                  move_group(s, y, p.shape.ndim, l.place, l.before)};
        int64_t at[2] = {l.merged - l.ndim, 0};
        if (!a[0] || !a[1] || !a[2])
            return NULL;
        y = agni_apply_in(s, how == AGNI_ADD ? &agni_op_scatter_add : &agni_op_scatter_put,
                          &(agni_attr){.ni = 2, .i = at}, 3, a);
        y = y ? agni_cast(s, y, x->dtype) : NULL; /* a sum of bools is an or */
        y = unmerge_picked_axes(s, y, &l);
    } else if (how == AGNI_ADD) {
        const agn_tensor *old = apply_slices(s, &p);
        old = old ? agni_reshape(s, old, y->ndim, y->shape) : NULL;
        y = agni_add_present(s, old, y);
    }
    y = y ? agni_reshape(s, y, x->ndim, part) : NULL;
    if (!y || p.whole)
        return y;
    return agni_apply_in(s, &agni_op_slice_put, &(agni_attr){.ni = 3 * x->ndim, .i = p.slice}, 2,
                         (const agn_tensor *[]){x, y});
}

/* ---- public functions ------------------------------------------------------------------------ */

agn_ix agn_ix_int(int64_t i)
{
    return (agn_ix){.kind = AGN_IX_INT, .start = i};
}
agn_ix agn_ix_slice(int64_t start, int64_t stop, int64_t step)
{
    return (agn_ix){AGN_IX_SLICE, start, stop, step, NULL};
}
agn_ix agn_ix_all(void)
{
    return agn_ix_slice(AGN_BEGIN, AGN_END, 1);
}
agn_ix agn_ix_ellipsis(void)
{
    return (agn_ix){.kind = AGN_IX_ELLIPSIS};
}
agn_ix agn_ix_new(void)
{
    return (agn_ix){.kind = AGN_IX_NEW};
}
agn_ix agn_ix_array(const agn_tensor *array)
{
    return (agn_ix){.kind = AGN_IX_ARRAY, .array = array};
}

static agn_status check_arguments(const char *op, const void *out, const agn_tensor *x,
                                  const void *ix, int32_t n)
{
    const char *missing = !out ? "out" : !x ? "x" : !ix && n > 0 ? "ix" : NULL;
    if (missing)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, missing);
    return agni_require_dense(x, op);
}

agn_status agn_index(agn_tensor **out, const agn_tensor *x, const agn_ix *ix, int32_t n)
{
    agn_status st = check_arguments("index", out, x, ix, n);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return("index", s, out, agni_index_read(s, "index", x, ix, n));
}

static agn_status write_index(const char *op, agn_tensor **out, const agn_tensor *x,
                              const agn_ix *ix, int32_t n, const agn_tensor *v, agni_write how)
{
    agn_status st = check_arguments(op, out, x, ix, n);
    if (!st && !v)
        st = agni_fail(AGN_ENULL, "%s: v is NULL", op);
    if (!st)
        st = agni_require_dense(v, op);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(op, s, out, agni_index_write(s, op, x, ix, n, v, how));
}
agn_status agn_index_put(agn_tensor **out, const agn_tensor *x, const agn_ix *ix, int32_t n,
                         const agn_tensor *v)
{
    return write_index("index_put", out, x, ix, n, v, AGNI_PUT);
}
agn_status agn_index_add(agn_tensor **out, const agn_tensor *x, const agn_ix *ix, int32_t n,
                         const agn_tensor *v)
{
    return write_index("index_add", out, x, ix, n, v, AGNI_ADD);
}
