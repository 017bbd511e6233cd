/* sparse/ops/semiring.c - matrix products over semirings. A position without an entry is the
   neutral element of the sum, which annihilates: leaving it out is exact, as 0 is in an ordinary
   product. Sums and products are ordinary ops on values, so derivatives are theirs: the cotangent
   of a minimum is shared by the elements that attain it. Kepner & Gilbert 2011, chapter 1. */
#include "sparse/ops/semiring.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

static const agn_tensor *scatter_extreme(agn_scope *s, const agni_op *op, double neutral,
                                         const agn_tensor *v, int axis, const agn_tensor *index,
                                         int64_t n)
{
    int64_t shape[AGNI_MAX_RANK], at[3] = {axis - v->ndim, 0, 1};
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[axis] = n;
    const agn_tensor *start = agni_full(s, neutral, v->dtype, v->ndim, shape);
    return start && index ? agni_apply_in(s, op, &(agni_attr){.ni = 3, .i = at}, 3,
                                          (const agn_tensor *[]){start, index, v})
                          : NULL;
}
static const agn_tensor *group_min(agn_scope *s, const agn_tensor *v, int axis,
                                   const agn_tensor *index, int64_t n)
{
    return v ? scatter_extreme(s, &agni_op_scatter_min, (double)INFINITY, v, axis, index, n) : NULL;
}
static const agn_tensor *group_max(agn_scope *s, const agn_tensor *v, int axis,
                                   const agn_tensor *index, int64_t n)
{
    return v ? scatter_extreme(s, &agni_op_scatter_max, -(double)INFINITY, v, axis, index, n)
             : NULL;
}

const agni_semiring agni_semirings[] = {
    [AGN_SEMIRING_PLUS_TIMES] = {"plus-times", &agni_op_mul, agni_sum_groups, -1, false},
    [AGN_SEMIRING_MIN_PLUS] = {"min-plus", &agni_op_add, group_min, -1, true},
    [AGN_SEMIRING_MAX_PLUS] = {"max-plus", &agni_op_add, group_max, -1, true},
    [AGN_SEMIRING_OR_AND] = {"or-and", &agni_op_logical_and, agni_sum_groups, AGN_BOOL, false},
};

static agn_status check_operands(const char *op, const agni_semiring *r, const agn_tensor *a,
                                 const agn_tensor *x)
{
    if (a->layout == AGN_DENSE && x->layout == AGN_DENSE)
        return agni_fail(AGN_EUNSUPPORTED, "%s: a %s and x %s are dense, one sparse one is needed",
                         op, AGNI_SHAPE(a), AGNI_SHAPE(x));
    int dtype = agni_promote(a->dtype, x->dtype);
    if (r->infinite && agni_kind(dtype) != AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE,
                         "%s: %s needs an infinity to begin with; %s %s has none in order", op,
                         r->name, agni_dtypes[dtype].name, AGNI_SHAPE(a));
    return AGN_OK;
}

agn_status agn_sparse_matmul_over(agn_tensor **out, const agn_tensor *a, const agn_tensor *x,
                                  int32_t semiring)
{
    static const char op[] = "sparse_matmul_over";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, x);
    if (semiring < 0 || semiring >= AGNI_COUNT(agni_semirings))
        return agni_fail(AGN_EARG, "%s: there is no semiring %d; the last is %d", op, semiring,
                         AGNI_COUNT(agni_semirings) - 1);
    const agni_semiring *r = &agni_semirings[semiring];
    agn_status st = check_operands(op, r, a, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool vector = x->ndim == 1;
    x = agni_add_column_axis(s, x);
    if (r->dtype >= 0) {
        a = agni_cast(s, a, r->dtype);
        x = x ? agni_cast(s, x, r->dtype) : NULL;
    }
    const agn_tensor *y = a && x ? agni_semiring_matmul(s, op, r, a, x) : NULL;
    return agni_return(op, s, out, agni_drop_column_axis(s, y, vector));
}
