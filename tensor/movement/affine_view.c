/* tensor/movement/affine_view.c - views by affine maps of indices: windows, diagonals, arbitrary
   strides. Element (i, j, ...) of the result is that of x at start + i p + j q + ..., vectors over
   the last axes of x, so it is a view whatever the strides of x are. Attributes:
     axes               how many of the last axes of x
     start              a number for each of them
     size, step...      for each axis of the result, after the leading axes of x: its size and
                        its vector

   An element may occur several times; the adjoint sums over its occurrences. */
#include "tensor/dispatch/shape_attributes.h"
#include "tensor/movement/affine_view.h"
#include "tensor/rows/traits.h"

typedef struct map {
    int axes, ndim;
    const int64_t *start, *axis; /* axis[j (1 + axes)]: size, then steps */
} map;

static map read_map(const agni_attr *at)
{
    int k = (int)at->i[0];
    return (map){k, (at->ni - 1 - k) / (1 + k), at->i + 1, at->i + 1 + k};
}

/* the lowest and highest index along axis d of x */
static bool index_range(const map *m, int d, int64_t *lo, int64_t *hi)
{
    *lo = *hi = m->start[d];
    for (int j = 0; j < m->ndim; j++) {
        const int64_t *a = m->axis + j * (1 + m->axes);
        int64_t span;
        if (!agni_checked_mul(a[0] - 1, a[1 + d], &span) ||
            !agni_checked_add(span < 0 ? *lo : *hi, span, span < 0 ? lo : hi))
            return false;
    }
    return true;
}

static agn_status infer_strided(agni_call *c)
{
    const agn_tensor *x = c->in[0];
    int64_t k = c->at->i[0];
    if (k < 0 || k > x->ndim || c->at->ni < 1 + k || (c->at->ni - 1 - k) % (1 + k))
        return agni_bad_attributes(c);
    map m = read_map(c->at);
    int lead = x->ndim - m.axes;
    int64_t shape[AGNI_MAX_RANK], size;
    if (lead + m.ndim > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "as_strided: the result has rank %d, above %d",
                         lead + m.ndim, AGN_MAX_RANK);
    memcpy(shape, x->shape, (size_t)lead * sizeof *shape);
    for (int j = 0; j < m.ndim; j++)
        shape[lead + j] = m.axis[j * (1 + m.axes)];
    agn_status st = agni_shape_check("as_strided", lead + m.ndim, shape, &size);
    if (st)
        return st;
    agni_set_meta(c->meta, x->dtype, lead + m.ndim, shape);
    for (int j = 0; j < m.ndim; j++)
        if (shape[lead + j] == 0)
            return AGN_OK;
    for (int d = 0; d < m.axes; d++) {
        int64_t lo, hi, n = x->shape[lead + d];
        if (!index_range(&m, d, &lo, &hi))
            return agni_fail(AGN_EINDEX, "as_strided: places along axis %d of %s are beyond 2^63",
                             lead + d, AGNI_SHAPE(x));
        if (lo < 0 || hi >= n)
            return agni_fail(AGN_EINDEX, "as_strided: places %lld to %lld are out of range for "
                                         "axis %d of size %lld",
                             (long long)lo, (long long)hi, lead + d, (long long)n);
    }
    return AGN_OK;
}

static agn_status view_strided(const agni_call *c, agn_tensor **out)
{
    const agn_tensor *x = c->in[0];
    map m = read_map(c->at);
    int lead = x->ndim - m.axes;
    int64_t stride[AGNI_MAX_RANK] = {0}, offset = 0;
    bool empty = false;
    memcpy(stride, x->stride, (size_t)lead * sizeof *stride);
    for (int j = 0; j < m.ndim; j++)
        empty |= m.axis[j * (1 + m.axes)] == 0;
    for (int d = 0; d < m.axes && !empty; d++) {
        offset += m.start[d] * x->stride[lead + d];
        for (int j = 0; j < m.ndim; j++) {
            const int64_t *a = m.axis + j * (1 + m.axes);
            if (a[0] > 1)
                stride[lead + j] += a[1 + d] * x->stride[lead + d];
        }
    }
    return agni_tensor_view(out, x, c->meta->ndim, c->meta->shape, stride, offset);
}

/* the row-major numbers of the elements that the map views, as one axis */
static const agn_tensor *viewed_element_numbers(agn_scope *s, const agni_attr *at, int n,
                                      const int64_t *shape)
{
    agn_tensor *all = NULL;
    int64_t size = 1;
    for (int d = 0; d < n; d++)
        size *= shape[d];
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_arange(&all, AGN_I64, 0, (double)size, 1);
    const agn_tensor *y = agni_reshape(s, agni_adopt_constant(s, st, all), n, shape);
    y = y ? agni_apply_in(s, &agni_op_as_strided, at, 1, &y) : NULL;
    return y ? agni_reshape(s, y, 1, &y->size) : NULL;
}

/* the shape of x with all axes after the first lead ones merged */
static int merged_shape(const agn_tensor *x, int lead, int64_t *shape)
{
    memcpy(shape, x->shape, (size_t)lead * sizeof *shape);
    shape[lead] = 1;
    for (int d = lead; d < x->ndim; d++)
        shape[lead] *= x->shape[d];
    return lead + 1;
}

const agn_tensor *agni_affine_map_write(agn_scope *s, const agni_op *op, const agni_attr *at,
                                     const agn_tensor *x, const agn_tensor *v)
{
    int lead = x->ndim - (int)at->i[0], n;
    int64_t shape[AGNI_MAX_RANK + 1], a[2] = {-1, 0};
    const agn_tensor *in[3] = {NULL, viewed_element_numbers(s, at, x->ndim - lead, x->shape + lead),
                               NULL};
    n = merged_shape(x, lead, shape);
    in[0] = agni_reshape(s, x, n, shape);
    n = merged_shape(v, lead, shape);
    in[2] = agni_reshape(s, v, n, shape);
    if (!in[0] || !in[1] || !in[2])
        return NULL;
    const agn_tensor *y = agni_apply_in(s, op, &(agni_attr){.ni = 2, .i = a}, 3, in);
    return y ? agni_reshape(s, y, x->ndim, x->shape) : NULL;
}

static const agn_tensor *transpose_strided(agn_scope *s, const agni_rule *r, int i,
                                           const agn_tensor *g)
{
    const agn_tensor *x = r->x[0], *zero = agni_full(s, 0, g->dtype, x->ndim, x->shape);
    (void)i;
    return zero ? agni_affine_map_write(s, &agni_op_scatter_add, r->at, zero, g) : NULL;
}

static agni_slots slots_as_strided;
const agni_op agni_op_as_strided = {AGNI_MOVEMENT_ROW(as_strided, "x axes:i numbers:i*"),
                                    .infer = infer_strided,
                                    .view = view_strided,
                                    .transpose = transpose_strided,
                                    .batch = agni_batch_front,
                                    .traits = AGNI_ZERO_KEPT,
                                    .zeros = AGNI_ZEROS_PLACED,
                                    .doc = "view by an affine map of the indices"};

/* ---- maps ------------------------------------------------------------------------------ */

void agni_affine_map_begin(agni_affine_map *m, int axes)
{
    *m = (agni_affine_map){.at = {.ni = 1 + axes, .i = m->i}};
    m->i[0] = axes;
}
void agni_affine_map_add_axis(agni_affine_map *m, int64_t size, int axis, int64_t step)
{
    int64_t *a = m->i + m->at.ni;
    a[0] = size;
    for (int d = 0; d < m->i[0]; d++)
        a[1 + d] = d == axis ? step : 0;
    m->at.ni += 1 + (int)m->i[0];
}

/* The map covers the axes of x from the first of p and q on, so that leading batch axes change
   nothing. */
void agni_affine_map_diagonal(agni_affine_map *m, const agn_tensor *x, int64_t k, int p, int q)
{
    int lead = p < q ? p : q, n = x->ndim - lead;
    int64_t rows = x->shape[p], cols = x->shape[q], room = k >= 0 ? cols - k : rows + k,
            most = k >= 0 ? rows : cols;
    agni_affine_map_begin(m, n);
    for (int d = 0; d < n; d++)
        if (lead + d != p && lead + d != q)
            agni_affine_map_add_axis(m, x->shape[lead + d], d, 1);
    agni_affine_map_add_axis(m, room < 0 ? 0 : room < most ? room : most, p - lead, 1);
    m->i[m->at.ni - n + q - lead] = 1;
    m->i[1 + p - lead] = k < 0 && room > 0 ? -k : 0;
    m->i[1 + q - lead] = k > 0 && room > 0 ? k : 0;
}

/* ---- public functions -------------------------------------------------------------------- */

agn_status agn_as_strided(agn_tensor **out, const agn_tensor *x, int32_t ndim,
                          const int64_t *shape, const int64_t *stride, int64_t offset)
{
    AGNI_NEED_ALL("as_strided", out && x, out ? "x" : "out");
    AGNI_NEED_ALL("as_strided", ndim < 1 || (shape && stride), shape ? "stride" : "shape");
    int64_t size;
    agn_status st = agni_shape_check("as_strided", ndim, shape, &size);
    if (st)
        return st;
    agni_affine_map m;
    agni_affine_map_begin(&m, 1);
    m.i[1] = offset;
    for (int j = 0; j < ndim; j++)
        agni_affine_map_add_axis(&m, shape[j], 0, stride[j]);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *flat = agni_reshape(s, x, 1, &x->size);
    return agni_return("as_strided", s, out,
                       flat ? agni_apply_in(s, &agni_op_as_strided, &m.at, 1, &flat) : NULL);
}

agn_status agn_unfold(agn_tensor **out, const agn_tensor *x, int32_t axis, int64_t size,
                      int64_t step)
{
    AGNI_NEED_ALL("unfold", x, "x");
    int d;
    agn_status st = agni_axis("unfold", axis, x->ndim, &d);
    if (st)
        return st;
    if (size < 0 || size > x->shape[d])
        return agni_fail(AGN_ESHAPE, "unfold: windows of %lld do not fit axis %d of %s",
                         (long long)size, d, AGNI_SHAPE(x));
    if (step < 1)
        return agni_fail(AGN_EARG, "unfold: step %lld along axis %d is not positive",
                         (long long)step, d);
    if (x->ndim == AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "unfold: the result has rank %d, above %d", x->ndim + 1,
                         AGN_MAX_RANK);
    agni_affine_map m;
    agni_affine_map_begin(&m, x->ndim - d);
    agni_affine_map_add_axis(&m, (x->shape[d] - size) / step + 1, 0, step);
    for (int e = d + 1; e < x->ndim; e++)
        agni_affine_map_add_axis(&m, x->shape[e], e - d, 1);
    agni_affine_map_add_axis(&m, size, 0, 1);
    return agni_rename_error("unfold", agni_apply_public(out, &agni_op_as_strided, &m.at, 1, &x));
}

agn_status agni_check_plane(const char *op, const agn_tensor *x, int32_t axis1, int32_t axis2,
                            int *p, int *q)
{
    agn_status st = agni_axis(op, axis1, x->ndim, p);
    if (!st)
        st = agni_axis(op, axis2, x->ndim, q);
    if (!st && *p == *q)
        st = agni_fail(AGN_EARG, "%s: axes %d and %d are the same", op, axis1, axis2);
    return st;
}

agn_status agn_diagonal(agn_tensor **out, const agn_tensor *x, int64_t k, int32_t axis1,
                        int32_t axis2)
{
    AGNI_NEED_ALL("diagonal", x, "x");
    int p, q;
    agn_status st = agni_check_plane("diagonal", x, axis1, axis2, &p, &q);
    if (st)
        return st;
    if (x->layout != AGN_DENSE)
        return out ? agni_sparse.diagonal(out, x, k, p, q)
                   : agni_fail(AGN_ENULL, "diagonal: out is NULL");
    agni_affine_map m;
    agni_affine_map_diagonal(&m, x, k, p, q);
    return agni_rename_error("diagonal", agni_apply_public(out, &agni_op_as_strided, &m.at, 1, &x));
}

agn_status agn_diagonal_scatter(agn_tensor **out, const agn_tensor *x, const agn_tensor *v,
                                int64_t k, int32_t axis1, int32_t axis2)
{
    AGNI_NEED_ALL("diagonal_scatter", out && x && v, out ? x ? "v" : "x" : "out");
    int p, q;
    agn_status st = agni_check_plane("diagonal_scatter", x, axis1, axis2, &p, &q);
    if (st)
        return st;
    agni_affine_map m;
    agni_affine_map_diagonal(&m, x, k, p, q);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *old = agni_apply_in(s, &agni_op_as_strided, &m.at, 1, &x);
    const agn_tensor *new = agni_cast(s, v, x->dtype);
    new = old && new ? agni_broadcast(s, new, old->ndim, old->shape) : NULL;
    return agni_return("diagonal_scatter", s, out,
                       new ? agni_affine_map_write(s, &agni_op_scatter_put, &m.at, x, new) : NULL);
}
