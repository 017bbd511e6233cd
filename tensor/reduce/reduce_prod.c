/* tensor/reduce/reduce_prod.c - products over axes, by halves: O(log n) products, whose derivatives are right
   at any order wherever elements are zero. */
#include "tensor/reduce/reduce.h"

/* the last axis halved: element k times element k + half, an odd one left over */
static const agn_tensor *halved(agn_scope *s, const agn_tensor *y)
{
    int d = y->ndim - 1;
    int64_t m = y->shape[d], half = m / 2;
    const agn_tensor *p = agni_of2(s, &agni_op_mul, agni_slice_axis(s, y, d, 0, half),
                                   agni_slice_axis(s, y, d, half, half));
    if (!p || m % 2 == 0)
        return p;
    return agni_apply_in(s, &agni_op_concat, &(agni_attr){.ni = 1, .i = (int64_t[]){-1}}, 2,
                         (const agn_tensor *[]){p, agni_slice_axis(s, y, d, m - 1, 1)});
}

agn_status agn_prod(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                    bool keep)
{
    AGNI_NEED("prod", out);
    int64_t a[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int count, nout;
    agn_status st = agni_axes_of("prod", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool real = agni_kind(x->dtype) > AGNI_KIND_INT;
    const agn_tensor *y = real ? agni_widened(s, x) : agni_bools_to_ints(s, x);
    y = agni_to_last(s, y, count, a, keep, &nout, shape);
    while (y && y->size && y->shape[y->ndim - 1] > 1)
        y = halved(s, y);
    if (y && y->size == 0) /* nothing to multiply, or no products at all */
        y = agni_full(s, 1, y->dtype, nout, shape);
    if (y && y->layout != AGN_DENSE && nout == 0) /* one place is left: its sum is dense */
        y = agni_sum_axes(s, y, 1, (int64_t[]){-1}, false);
    y = y ? agni_reshape(s, y, nout, shape) : NULL;
    return agni_return("prod", s, out, agni_narrowed(s, y, x));
}
