/* tensor/sum.c - sums and means over axes. Attributes of sum: keep, axes (negative)... */
#include "tensor/reduce.h"

#include <string.h>

static agn_status cpu_sum(const agn_kernel_call *c)
{
    return agni_fold_axes(c, AGNI_FOLD_SUM);
}

static const agn_tensor *sum_transpose(agn_scope *s, const agni_rule *r, int i,
                                       const agn_tensor *g)
{
    const agn_tensor *x = r->x[0];
    (void)i;
    g = agni_kept(s, g, x->ndim, x->shape, r->at->ni - 1, r->at->i + 1);
    return g ? agni_broadcast(s, g, x->ndim, x->shape) : NULL;
}

static agni_slots slots_sum;
const agni_op agni_op_sum = {.name = "sum",
                             .takes = "x keep:b axes:a*",
                             .cls = AGNI_LINEAR,
                             .nin = 1,
                             .nout = 1,
                             .dtypes = AGNI_NUMBERS,
                             .diff = 1,
                             .promote = 1,
                             .result = AGNI_OUT_SAME,
                             .ew = -1,
                             .bounded = 1,
                             .infer = agni_infer_reduction,
                             .cpu = cpu_sum,
                             .contiguous = true,
                             .transpose = sum_transpose,
                             .batch = agni_batch_front,
                             .slots = &slots_sum,
                             .lo = -3,
                             .hi = 3,
                             .doc = "sum over axes"};

/* ---- public functions --------------------------------------------------------------------- */

agn_status agn_sum(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    AGNI_NEED("sum", out);
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = agni_axes_of("sum", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, agni_sum_axes(s, agni_counted(s, x), count, a, keep));
    return agni_in_name_of("sum", agn_scope_close(s));
}

agn_status agn_mean(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                    bool keep)
{
    AGNI_NEED("mean", out);
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = agni_axes_of("mean", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_sum_axes(s, agni_widened(s, x), count, a, keep);
    agn_tensor *q = NULL;
    if (y) {
        st = agn_div_c(&q, y, (double)agni_many(x, a, count));
        agn_scope_return(s, out, agni_narrowed(s, agn_scope_adopt(s, st, q), x));
    }
    return agni_in_name_of("mean", agn_scope_close(s));
}

agn_status agn_sum_all(agn_tensor **out, const agn_tensor *x)
{
    return agn_sum(out, x, NULL, 0, false);
}
agn_status agn_mean_all(agn_tensor **out, const agn_tensor *x)
{
    return agn_mean(out, x, NULL, 0, false);
}
