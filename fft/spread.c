/* fft/spread.c - sums about points as ops (Dutt & Rokhlin 1993; Barnett, Magland & af Klinteberg
   2019): each is the other's adjoint, and a derivative in the points is the same sum under a
   derivative of the kernel. */
#include "fft/spread.h"

#include "fft/cpu/spread_lanes.h"

#include <agnesi/ag.h>
#include <string.h>

enum { MOST_ORDER = 6 }; /* each takes one to two digits */

static bool is_gather(const agni_op *op)
{
    return op == &agni_op_fft_gather;
}

/* axes of the points, and where their orders begin among the integers */
static int count_axes(const agni_op *op, const agni_attr *at, int *orders)
{
    int axes = is_gather(op) ? at->ni - 1 : (at->ni - 1) / 2;
    *orders = is_gather(op) ? 1 : 1 + axes;
    return axes;
}

/* ---- shapes ------------------------------------------------------------------------------- */

static agn_status check_points(const agni_call *c, int axes, int lead)
{
    const agn_tensor *x = c->in[0], *u = c->in[1];
    bool shared = u->ndim == 2, same = u->ndim == lead + 2;
    for (int d = 0; same && d < lead; d++)
        same = u->shape[d] == x->shape[d];
    return (shared || same) && u->shape[u->ndim - 1] == axes && u->dtype == AGN_F64
               ? AGN_OK
               : agni_fail(AGN_ESHAPE, "%s: points are %s %s for x %s along %d axes", c->op->name,
                           agni_dtypes[u->dtype].name, AGNI_SHAPE(u), AGNI_SHAPE(x), axes);
}

static agn_status check_kernel(const agni_call *c, int axes, int orders, const int64_t *n)
{
    int64_t width = c->at->i[0];
    if (axes < 1 || axes > AGNI_SPREAD_AXES || width < 2 || width > AGNI_SPREAD_WIDTH)
        return agni_fail(AGN_EARG, "%s: %lld samples about points of %d axes", c->op->name,
                         (long long)width, axes);
    for (int d = 0; d < axes; d++) {
        int64_t order = c->at->i[orders + d];
        if (n[d] < width || order < 0)
            return agni_fail(AGN_EARG,
                             "%s: %lld samples along axis %d for a width of %lld, order %lld",
                             c->op->name, (long long)n[d], d, (long long)width, (long long)order);
        if (order > MOST_ORDER)
            return agni_fail(AGN_EUNSUPPORTED, "%s: derivative %lld along axis %d; there are %d",
                             c->op->name, (long long)order, d, MOST_ORDER);
    }
    return AGN_OK;
}

static agn_status infer_gather(agni_call *c)
{
    const agn_tensor *x = c->in[0], *u = c->in[1];
    int orders, axes = count_axes(c->op, c->at, &orders), lead = x->ndim - axes;
    if (lead < 0 || u->ndim < 2)
        return agni_fail(AGN_ESHAPE, "%s: the grid is %s, points %s", c->op->name, AGNI_SHAPE(x),
                         AGNI_SHAPE(u));
    agn_status st = check_kernel(c, axes, orders, x->shape + lead);
    if (!st)
        st = check_points(c, axes, lead);
    if (!st)
        st = agni_infer_same(c);
    c->meta[0].ndim = lead + 1;
    c->meta[0].shape[lead] = u->shape[u->ndim - 2];
    return st;
}

static agn_status infer_spread(agni_call *c)
{
    const agn_tensor *x = c->in[0], *u = c->in[1];
    int64_t size;
    int orders, axes = count_axes(c->op, c->at, &orders), lead = x->ndim - 1;
    if (lead < 0 || u->ndim < 2 || u->shape[u->ndim - 2] != x->shape[lead] ||
        lead + axes > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, points %s", c->op->name, AGNI_SHAPE(x),
                         AGNI_SHAPE(u));
    agn_status st = check_kernel(c, axes, orders, c->at->i + 1);
    if (!st)
        st = check_points(c, axes, lead);
    if (!st)
        st = agni_infer_same(c);
    c->meta[0].ndim = lead + axes;
    for (int d = 0; d < axes; d++)
        c->meta[0].shape[lead + d] = c->at->i[1 + d];
    return st ? st : agni_shape_check(c->op->name, c->meta[0].ndim, c->meta[0].shape, &size);
}

/* ---- derivatives -------------------------------------------------------------------------- */

/* the op itself on other operands, of one order more along axis more, -1: none; or its adjoint */
static const agn_tensor *apply_alike(agn_scope *s, const agni_rule *r, bool adjoint, int more,
                                     const agn_tensor *x, const agn_tensor *points)
{
    int64_t i[1 + 2 * AGNI_SPREAD_AXES] = {r->at->i[0]};
    int from, axes = count_axes(r->op, r->at, &from), to = 1;
    bool gather = is_gather(r->op) != adjoint;
    const agn_tensor *grid = r->x[0];
    for (int d = 0; !gather && d < axes; d++)
        i[to++] = adjoint ? grid->shape[grid->ndim - axes + d] : r->at->i[1 + d];
    for (int d = 0; d < axes; d++)
        i[to++] = r->at->i[from + d] + (d == more);
    agni_attr at = {.ni = to, .i = i, .nf = 1, .f = r->at->f};
    const agni_op *op = gather ? &agni_op_fft_gather : &agni_op_fft_spread;
    return x && points ? agni_apply_in(s, op, &at, 2, (const agn_tensor *[]){x, points}) : NULL;
}

/* coordinate d of points or their tangents, of the precision of x */
static const agn_tensor *find_coordinate(agn_scope *s, const agn_tensor *x, const agn_tensor *u,
                                         int d)
{
    u = ag_index_axis(s, u, -1, d);
    return u ? agni_cast(s, u, agni_dtypes[x->dtype].real) : NULL;
}

static void jvp_points(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    int orders, axes = count_axes(r->op, r->at, &orders);
    const agn_tensor *x = r->x[0], *u = r->x[1];
    if (t[0])
        ty[0] = apply_alike(s, r, false, -1, t[0], u);
    for (int d = 0; t[1] && d < axes && !agn_scope_status(s); d++) {
        const agn_tensor *step = find_coordinate(s, x, t[1], d), *v;
        v = is_gather(r->op) ? ag_mul(s, apply_alike(s, r, false, d, x, u), step)
                             : apply_alike(s, r, false, d, ag_mul(s, x, step), u);
        ty[0] = agni_add_present(s, ty[0], v);
    }
}

static void vjp_points(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    int orders, axes = count_axes(r->op, r->at, &orders);
    const agn_tensor *x = r->x[0], *u = r->x[1], *part[AGNI_SPREAD_AXES];
    if (!g[0])
        return;
    if (want[0])
        gx[0] = apply_alike(s, r, true, -1, g[0], u);
    if (!want[1])
        return;
    for (int d = 0; d < axes && !agn_scope_status(s); d++) {
        const agn_tensor *a = is_gather(r->op) ? apply_alike(s, r, false, d, x, u)
                                               : apply_alike(s, r, true, d, g[0], u);
        const agn_tensor *b = is_gather(r->op) ? g[0] : x;
        const agn_tensor *v = ag_real(s, ag_mul(s, ag_conj(s, a), b));
        int lead = v ? v->ndim - 1 : 0;
        int32_t all[AGNI_MAX_RANK];
        for (int k = 0; k < lead; k++)
            all[k] = k;
        if (v && u->ndim == 2 && lead)
            v = ag_sum(s, v, all, lead, false);
        part[d] = ag_expand_dims(s, v ? agni_cast(s, v, AGN_F64) : NULL, -1);
    }
    if (!agn_scope_status(s))
        gx[1] = axes > 1 ? ag_concat(s, part, axes, -1) : part[0];
}

/* points of each lane lie beside all leading axes of the values */
static void batch_points(agn_scope *s, const agni_rule *r, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                         bool *bout)
{
    const agn_tensor *x = in[0], *u = in[1];
    int orders, axes = count_axes(r->op, r->at, &orders);
    int lead = r->x[0]->ndim - (is_gather(r->op) ? axes : 1);
    bout[0] = true;
    if (batched[1]) {
        int64_t shape[AGNI_MAX_RANK + 2] = {lanes};
        int few = u->ndim - 1; /* of one lane */
        if (lead + 3 > AGNI_MAX_RANK) {
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: x %s has no room for lanes of points %s",
                                        r->op->name, AGNI_SHAPE(r->x[0]), AGNI_SHAPE(r->x[1])));
            return;
        }
        for (int d = 0; d < lead; d++)
            shape[1 + d] = few > 2 ? r->x[0]->shape[d] : 1;
        memcpy(shape + 1 + lead, r->x[1]->shape + few - 2, 2 * sizeof *shape);
        u = agni_reshape(s, u, lead + 3, shape);
        memcpy(shape + 1, r->x[0]->shape, (size_t)lead * sizeof *shape);
        u = u ? agni_broadcast(s, u, lead + 3, shape) : NULL;
        x = agni_ensure_batch_axis(s, x, batched[0], lanes);
    } else if (u->ndim > 2) {
        u = agni_ensure_batch_axis(s, u, false, lanes);
    }
    if (x && u)
        out[0] = agni_apply_in(s, r->op, r->at, 2, (const agn_tensor *[]){x, u});
}

static agni_slots slots[2];
#define ABOUT_POINTS(name_, takes_, k)                                                             \
    .name = "fft_" #name_, .takes = takes_, .cls = AGNI_SOLVE, .nin = 2, .nout = 1,                \
    .dtypes = AGNI_COMPLEXES, .diff = 3, .promote = 1, .ew = -1, .contiguous = true,               \
    .infer = infer_##name_, .cpu = agni_cpu_fft_##name_, .jvp = jvp_points, .vjp = vjp_points,     \
    .batch = batch_points, .slots = &slots[k], .lo = -2, .hi = 2, .lo2 = -9, .hi2 = 9
const agni_op agni_op_fft_gather = {
    ABOUT_POINTS(gather, "grid points width:i orders:i* beta:r", 0),
    .doc = "weighted sums of a grid about points"};
const agni_op agni_op_fft_spread = {
    ABOUT_POINTS(spread, "values points width:i sizes_orders:i* beta:r", 1),
    .doc = "values added to a grid about points, with weights"};

/* ---- applied ------------------------------------------------------------------------------ */

const agn_tensor *agni_fft_gather(agn_scope *s, const agni_spread_kernel *k,
                                  const agn_tensor *grid, const agn_tensor *points)
{
    int64_t i[1 + AGNI_SPREAD_AXES] = {k->width};
    agni_attr at = {.ni = 1 + k->axes, .i = i, .nf = 1, .f = &k->beta};
    return grid && points ? agni_apply_in(s, &agni_op_fft_gather, &at, 2,
                                          (const agn_tensor *[]){grid, points})
                          : NULL;
}

const agn_tensor *agni_fft_spread(agn_scope *s, const agni_spread_kernel *k,
                                  const agn_tensor *values, const agn_tensor *points,
                                  const int64_t *n)
{
    int64_t i[1 + 2 * AGNI_SPREAD_AXES] = {k->width};
    memcpy(i + 1, n, (size_t)k->axes * sizeof *i);
    agni_attr at = {.ni = 1 + 2 * k->axes, .i = i, .nf = 1, .f = &k->beta};
    return values && points ? agni_apply_in(s, &agni_op_fft_spread, &at, 2,
                                            (const agn_tensor *[]){values, points})
                            : NULL;
}
