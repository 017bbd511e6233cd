/* tensor/compose/split.c - split, unbind, stack, append, delete, insert along an axis: slices and
   concatenations. */
#include "tensor/index/index.h"
#include <agnesi/ag.h>

#include <string.h>

/* ---- parts ----------------------------------------------------------------------------------- */

/* part i is [begin(i), begin(i + 1)) */
typedef int64_t begin_fn(const int64_t *numbers, int64_t n, int64_t size, int64_t i);

static agn_status slice_parts(const char *op, agn_tensor **out, int32_t n, const agn_tensor *x,
                              int d, begin_fn *begin, const int64_t *numbers)
{
    int64_t start[AGNI_MAX_RANK], stop[AGNI_MAX_RANK];
    for (int k = 0; k < d; k++) {
        start[k] = AGN_BEGIN;
        stop[k] = AGN_END;
    }
    agn_scope *s = agn_scope_open(NULL);
    for (int32_t i = 0; i < n; i++) {
        start[d] = begin(numbers, n, x->shape[d], i);
        stop[d] = begin(numbers, n, x->shape[d], i + 1);
        agn_scope_return(s, &out[i], ag_slice(s, x, d + 1, start, stop, NULL));
    }
    return agni_rename_error(op, agn_scope_close(s));
}

static agn_status check_count(const char *op, agn_tensor **out, int32_t n, const agn_tensor *x)
{
    if ((!out && n > 0) || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, x ? "out" : "x");
    if (n < 1)
        return agni_fail(AGN_EARG, "%s: %s into %d parts", op, AGNI_SHAPE(x), n);
    return AGN_OK;
}

/* sections of equal size, the first ones larger by one where they cannot be */
static int64_t begin_by_count(const int64_t *none, int64_t n, int64_t size, int64_t i)
{
    int64_t more = size % n;
    (void)none;
    return i * (size / n) + (i < more ? i : more);
}
static int64_t begin_by_sizes(const int64_t *sizes, int64_t n, int64_t size, int64_t i)
{
    int64_t at = 0;
    (void)n, (void)size;
    for (int64_t k = 0; k < i; k++)
        at += sizes[k];
    return at;
}
/* cuts are bounds of slices: negative ones count from the end, those out of range are clipped;
   a part between cuts that go backwards is empty */
static int64_t begin_by_cuts(const int64_t *cuts, int64_t n, int64_t size, int64_t i)
{
    return i == 0 ? 0 : i == n ? size : cuts[i - 1];
}

agn_status agn_split(agn_tensor **out, int32_t n_out, const agn_tensor *x, const int64_t *sizes,
                     int32_t axis)
{
    agn_status st = check_count("split", out, n_out, x);
    int d;
    if (!st)
        st = agni_axis("split", axis, x->ndim, &d);
    if (st)
        return st;
    int64_t sum = 0;
    bool good = sizes || x->shape[d] % n_out == 0;
    for (int i = 0; good && sizes && i < n_out; i++)
        good = sizes[i] >= 0 && agni_checked_add(sum, sizes[i], &sum);
    if (!good || (sizes && sum != x->shape[d]))
        return agni_fail(AGN_ESHAPE, "split: axis %d of %s into %d parts of %s", d, AGNI_SHAPE(x),
                         n_out,
                         sizes ? agni_shape_text((char[96]){0}, 96, n_out, sizes) : "one size");
    return slice_parts("split", out, n_out, x, d, sizes ? begin_by_sizes : begin_by_count, sizes);
}

static agn_status split_at(const char *op, agn_tensor **out, int32_t n, const agn_tensor *x,
                           const int64_t *cuts, int32_t axis, int least)
{
    agn_status st = check_count(op, out, n, x);
    int d;
    if (!st && x->ndim < least)
        st = agni_fail(AGN_ESHAPE, "%s: %s has %d axes, at least %d are needed", op, AGNI_SHAPE(x),
                       x->ndim, least);
    if (!st)
        st = agni_axis(op, axis, x->ndim, &d);
    return st ? st : slice_parts(op, out, n, x, d, cuts ? begin_by_cuts : begin_by_count, cuts);
}
agn_status agn_tensor_split(agn_tensor **out, int32_t n_out, const agn_tensor *x,
                            const int64_t *cuts, int32_t axis)
{
    return split_at("tensor_split", out, n_out, x, cuts, axis, 1);
}
agn_status agn_vsplit(agn_tensor **out, int32_t n_out, const agn_tensor *x, const int64_t *cuts)
{
    return split_at("vsplit", out, n_out, x, cuts, 0, 2);
}
agn_status agn_hsplit(agn_tensor **out, int32_t n_out, const agn_tensor *x, const int64_t *cuts)
{
    return split_at("hsplit", out, n_out, x, cuts, x && x->ndim > 1, 1);
}
agn_status agn_dsplit(agn_tensor **out, int32_t n_out, const agn_tensor *x, const int64_t *cuts)
{
    return split_at("dsplit", out, n_out, x, cuts, 2, 3);
}

agn_status agn_unbind(agn_tensor **out, int32_t n_out, const agn_tensor *x, int32_t axis)
{
    AGNI_NEED_ALL("unbind", x && (out || n_out < 1), x ? "out" : "x");
    int d;
    agn_status st = agni_axis("unbind", axis, x->ndim, &d);
    if (st)
        return st;
    if (n_out != x->shape[d])
        return agni_fail(AGN_ESHAPE, "unbind: %d parts are asked for, axis %d of %s has %lld",
                         n_out, d, AGNI_SHAPE(x), (long long)x->shape[d]);
    agn_scope *s = agn_scope_open(NULL);
    for (int32_t i = 0; i < n_out; i++)
        agn_scope_return(s, &out[i], ag_index_axis(s, x, d, i));
    return agni_rename_error("unbind", agn_scope_close(s));
}

/* ---- joining --------------------------------------------------------------------------------- */

typedef agn_status shape_fn(agn_tensor **out, const agn_tensor *x);

/* every part brought to a least rank, then joined along an axis */
static agn_status concat_at_rank(const char *op, agn_tensor **out, const agn_tensor *const *xs,
                                 int32_t n, shape_fn *shaped, int axis)
{
    if (!out || (!xs && n > 0))
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "xs" : "out");
    if (n < 1)
        return agni_fail(AGN_EARG, "%s: needs at least one tensor, got %d", op, n);
    const agn_tensor **t = agni_alloc((size_t)n * sizeof *t);
    if (!t)
        return agni_nomem(op, (size_t)n * sizeof *t);
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        agn_tensor *y = NULL;
        agn_status st = shaped(&y, xs[i]);
        t[i] = agn_scope_adopt(s, st, &y);
    }
    if (!agn_scope_status(s)) /* vectors become columns */
        agn_scope_return(s, out, ag_concat(s, t, n, t[0]->ndim == 1 ? 0 : axis));
    agni_free(t);
    return agni_rename_error(op, agn_scope_close(s));
}

/* a vector as a column */
static agn_status as_column(agn_tensor **out, const agn_tensor *x)
{
    return x && x->ndim < 2 ? agn_reshape(out, x, 2, (int64_t[]){x->size, 1})
                            : agn_atleast_2d(out, x);
}

agn_status agn_hstack(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    return concat_at_rank("hstack", out, xs, n, agn_atleast_1d, 1);
}
agn_status agn_vstack(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    return concat_at_rank("vstack", out, xs, n, agn_atleast_2d, 0);
}
agn_status agn_dstack(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    return concat_at_rank("dstack", out, xs, n, agn_atleast_3d, 2);
}
agn_status agn_column_stack(agn_tensor **out, const agn_tensor *const *xs, int32_t n)
{
    return concat_at_rank("column_stack", out, xs, n, as_column, 1);
}

agn_status agn_append(agn_tensor **out, const agn_tensor *x, const agn_tensor *v, int32_t axis)
{
    AGNI_NEED_ALL("append", x && v, x ? "v" : "x");
    return agni_rename_error("append", agn_concat(out, (const agn_tensor *[]){x, v}, 2, axis));
}

/* ---- elements of an axis taken away and put in ----------------------------------------------- */

/* the indices on the host, counted from the front, in [0, top] */
static agn_status read_indices(const char *op, const agn_tensor *idx, int axis, int64_t size,
                               int64_t top, int64_t **at)
{
    if (agni_kind(idx->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: the index is %s %s, integers are needed", op,
                         agni_dtypes[idx->dtype].name, AGNI_SHAPE(idx));
    if (idx->ndim > 1)
        return agni_fail(AGN_ESHAPE, "%s: the index %s has %d axes, at most one can be", op,
                         AGNI_SHAPE(idx), idx->ndim);
    agn_tensor *wide = NULL;
    size_t bytes = (size_t)idx->size * sizeof **at;
    int64_t *v = agni_alloc(bytes ? bytes : 1);
    agn_status st = v ? agn_cast(&wide, idx, AGN_I64) : agni_nomem(op, bytes);
    if (!st)
        st = agni_rename_error(op, agn_to_host(v, wide, bytes));
    for (int64_t k = 0; !st && k < idx->size; k++) {
        if (v[k] < -size || v[k] > top)
            st = agni_fail(AGN_EINDEX, "%s: index %lld is out of range for axis %d of size %lld",
                           op, (long long)v[k], axis, (long long)size);
        v[k] += v[k] < 0 ? size : 0;
    }
    agn_release(wide);
    if (st)
        agni_free(v);
    else
        *at = v;
    return st;
}

agn_status agn_delete(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx, int32_t axis)
{
    AGNI_NEED_ALL("delete", out && x && idx, !out ? "out" : x ? "idx" : "x");
    int64_t *v = NULL, size;
    int d;
    agn_status st = agni_axis("delete", axis, x->ndim, &d);
    if (!st)
        st = read_indices("delete", idx, d, x->shape[d], x->shape[d] - 1, &v);
    if (st)
        return st;
    agn_tensor *stays = NULL;
    agn_ix ix[AGNI_MAX_RANK];
    size = x->shape[d];
    agn_scope *s = agn_scope_open(NULL);
    st = agn_full(&stays, AGN_BOOL, 1, &size, 1);
    for (int64_t k = 0; !st && k < idx->size; k++)
        ((bool *)stays->data)[v[k]] = false;
    for (int k = 0; k < d; k++)
        ix[k] = agn_ix_all();
    ix[d] = agn_ix_array(agni_adopt_constant(s, st, stays));
    if (!agn_scope_status(s))
        agn_scope_return(s, out, agni_index_read(s, "delete", x, ix, d + 1));
    agni_free(v);
    return agni_rename_error("delete", agn_scope_close(s));
}

/* With v behind x, an index that takes each from its place. */
agn_status agn_insert(agn_tensor **out, const agn_tensor *x, const agn_tensor *idx,
                      const agn_tensor *v, int32_t axis)
{
    AGNI_NEED_ALL("insert", out && x && idx && v, !out ? "out" : !x ? "x" : idx ? "v" : "idx");
    int64_t *at = NULL, shape[AGNI_MAX_RANK], size, total;
    int d;
    agn_status st = agni_axis("insert", axis, x->ndim, &d);
    if (!st)
        st = read_indices("insert", idx, d, x->shape[d], x->shape[d], &at);
    if (st)
        return st;
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    size = shape[d];
    /* one number stands for all that v holds along the axis, which v may lack */
    bool all = idx->size == 1, lacks = idx->ndim == 0 && v->ndim < x->ndim;
    int at_v = v->ndim - (x->ndim - d); /* that axis of v */
    int64_t m = shape[d] = !all ? idx->size : lacks || at_v < 0 ? 1 : v->shape[at_v];
    total = size + m;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *put = ag_cast(s, v, x->dtype);
    if (lacks) {
        memmove(shape + d, shape + d + 1, (size_t)(x->ndim - 1 - d) * sizeof *shape);
        put = ag_expand_dims(s, ag_broadcast_to(s, put, x->ndim - 1, shape), d);
    } else {
        put = ag_broadcast_to(s, put, x->ndim, shape);
    }
    agn_tensor *order = NULL;
    st = agni_tensor_make(&order, "insert", AGN_I64, 1, &total, AGN_CPU);
    /* where what goes in front of element k begins: of v first, in its order, then of x */
    int64_t *begin = st ? NULL : agni_zalloc((size_t)(size + 2) * sizeof *begin);
    if (!st && !begin)
        st = agni_nomem("insert", (size_t)(size + 2) * sizeof *begin);
    for (int64_t j = 0; !st && j < m; j++)
        begin[at[all ? 0 : j] + 1]++;
    for (int64_t k = 0; !st && k <= size; k++) {
        begin[k + 1] += begin[k] + 1;
        if (k < size)
            ((int64_t *)order->data)[begin[k + 1] - 1] = k;
    }
    for (int64_t j = 0; !st && j < m; j++)
        ((int64_t *)order->data)[begin[at[all ? 0 : j]]++] = size + j;
    agni_free(begin);
    agni_free(at);
    if (st)
        agn_release(order);
    const agn_tensor *index = agni_adopt_constant(s, st, st ? NULL : order);
    const agn_tensor *both = ag_concat(s, (const agn_tensor *[]){x, put}, 2, d);
    return agni_return("insert", s, out, ag_gather(s, both, index, d));
}
