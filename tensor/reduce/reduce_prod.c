/* tensor/reduce/reduce_prod.c - products over axes by recursive halving: O(log n) element-wise
   products, whose derivatives of any order are right where elements are zero. */
#include "tensor/reduce/reduce.h"

/* halves the last axis: element k times element k + half; of odd sizes the last one remains */
static const agn_tensor *multiply_halves(agn_scope *s, const agn_tensor *y)
{
    int d = y->ndim - 1;
    int64_t m = y->shape[d], half = m / 2;
    const agn_tensor *p = agni_apply_binary(s, &agni_op_mul, agni_slice_axis(s, y, d, 0, half),
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
    agn_status st = agni_normalise_axes("prod", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    bool real = agni_kind(x->dtype) > AGNI_KIND_INT;
    const agn_tensor *y = real ? agni_widen(s, x) : agni_bools_to_ints(s, x);
    y = agni_merge_axes_last(s, y, count, a, keep, &nout, shape);
    while (y && y->size && y->shape[y->ndim - 1] > 1)
        y = multiply_halves(s, y);
    if (y && y->size == 0) /* empty products are 1 */
        y = agni_full(s, 1, y->dtype, nout, shape);
    if (y && y->layout != AGN_DENSE && nout == 0) /* one element is left: its sum is dense */
        y = agni_sum_axes(s, y, 1, (int64_t[]){-1}, false);
    y = y ? agni_reshape(s, y, nout, shape) : NULL;
    return agni_return("prod", s, out, agni_narrow_to(s, y, x));
}
