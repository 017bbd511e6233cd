/* tensor/index/scatter_extreme.c - scatter_max, scatter_min: the extreme of all values with one
   destination. Attributes: axis and batch as in gather.c; self: whether the element of x takes
   part.

   The tangent is the mean of the tangents of those that attain the extreme; if there are NaN, of
   these. */
#include "tensor/index/gather.h"

static const agn_tensor *apply_two(agn_scope *s, const agni_op *op, const agn_tensor *a,
                             const agn_tensor *b)
{
    return a && b ? agni_apply_in(s, op, NULL, 2, (const agn_tensor *[]){a, b}) : NULL;
}
static const agn_tensor *apply_scatter(agn_scope *s, const agni_op *op, const agni_rule *r,
                                 const agn_tensor *x, const agn_tensor *v)
{
    return x && v ? agni_apply_in(s, op, &(agni_attr){.ni = 2, .i = r->at->i}, 3,
                                  (const agn_tensor *[]){x, r->x[1], v})
                  : NULL;
}
/* where x is the extreme y: as NaN wins, all that are NaN are */
static const agn_tensor *find_extremes(agn_scope *s, const agn_tensor *x, const agn_tensor *y)
{
    return apply_two(s, &agni_op_logical_or, apply_two(s, &agni_op_eq, x, y),
                     agni_apply_in(s, &agni_op_isnan, NULL, 1, &x));
}
/* t where w, else 0 */
static const agn_tensor *select_where(agn_scope *s, const agn_tensor *w, const agn_tensor *t)
{
    const agn_tensor *zero = t ? agni_full(s, 0, t->dtype, 0, NULL) : NULL;
    return w && zero ? agni_apply_in(s, &agni_op_where, NULL, 3, (const agn_tensor *[]){w, t, zero})
                     : NULL;
}

static void jvp_extreme(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agn_tensor *x = r->x[0], *v = r->x[2], *y = r->y[0], *in_x, *in_v;
    in_v = agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = r->at->i}, 2,
                         (const agn_tensor *[]){y, r->x[1]});
    in_v = find_extremes(s, v, in_v);
    if (r->at->i[2]) {
        in_x = find_extremes(s, x, y);
    } else { /* destinations that no value has */
        const agn_tensor *no = agni_full(s, 0, AGN_BOOL, x->ndim, x->shape);
        const agn_tensor *yes = agni_full(s, 1, AGN_BOOL, v->ndim, v->shape);
        const agn_tensor *met = apply_scatter(s, &agni_op_scatter_put, r, no, yes);
        in_x = met ? agni_apply_in(s, &agni_op_logical_not, NULL, 1, &met) : NULL;
    }
    if (!in_x || !in_v)
        return;
    const agn_tensor *zx = agni_full(s, 0, y->dtype, x->ndim, x->shape);
    const agn_tensor *zv = agni_full(s, 0, y->dtype, v->ndim, v->shape);
    const agn_tensor *sum = apply_scatter(s, &agni_op_scatter_add, r,
                                    t[0] ? select_where(s, in_x, t[0]) : zx,
                                    t[2] ? select_where(s, in_v, t[2]) : zv);
    const agn_tensor *many = apply_scatter(s, &agni_op_scatter_add, r, agni_cast(s, in_x, y->dtype),
                                     agni_cast(s, in_v, y->dtype));
    /* 1 where no value goes and x takes no part */
    many = apply_two(s, &agni_op_maximum, many, agni_full(s, 1, y->dtype, 0, NULL));
    ty[0] = apply_two(s, &agni_op_div, sum, many);
}

#define EXTREME(name_, text) \
    .name = #name_, .takes = "x idx v axis:a batch:i self:b", .cls = AGNI_CHOICE, .nin = 3, \
    .nout = 1, .dtypes = AGNI_REALS, .diff = 5, .promote = 5, \
    .result = AGNI_OUT_SAME, .ew = -1, .bounded = 1, .infer = agni_infer_scatter, \
    .cpu = agni_scatter_kernel, .contiguous = true, .jvp = jvp_extreme, \
    .batch = agni_batch_gather, .slots = &slots_##name_, .lo = -3, .hi = 3, .doc = text
static agni_slots slots_scatter_max, slots_scatter_min;
const agni_op agni_op_scatter_max = {EXTREME(scatter_max, "largest of what meets in a place")};
const agni_op agni_op_scatter_min = {EXTREME(scatter_min, "smallest of what meets in a place")};
