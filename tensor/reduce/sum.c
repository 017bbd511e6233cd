/* tensor/reduce/sum.c - sums and means over axes. Attributes of sum: keep, axes (negative)... */
#include "tensor/reduce/reduce.h"
#include "tensor/create/constants.h"
#include "tensor/rows/traits.h"

#include <agnesi/ag.h>
#include <string.h>

static agn_status cpu_sum(const agn_kernel_call *c)
{
    return agni_reduce_axes(c, AGNI_REDUCE_SUM);
}

static const agn_tensor *sum_transpose(agn_scope *s, const agni_rule *r, int i,
                                       const agn_tensor *g)
{
    const agn_tensor *x = r->x[0];
    (void)i;
    g = agni_restore_kept_axes(s, g, x->ndim, x->shape, r->at->ni - 1, r->at->i + 1);
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
                             .traits = AGNI_ZERO_LOST,
                             .zeros = AGNI_ZEROS_JOINED, .doc = "sum over axes"};

/* ---- public functions --------------------------------------------------------------------- */

agn_status agn_sum(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                   bool keep)
{
    AGNI_NEED("sum", out);
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = agni_normalise_axes("sum", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, agni_sum_axes(s, agni_bools_to_ints(s, x), count, a, keep));
    return agni_rename_error("sum", agn_scope_close(s));
}

agn_status agn_mean(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                    bool keep)
{
    AGNI_NEED("mean", out);
    int64_t a[AGNI_MAX_RANK];
    int count;
    agn_status st = agni_normalise_axes("mean", x, axes, n, a, &count);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_sum_axes(s, agni_widen(s, x), count, a, keep);
    agn_tensor *q = NULL;
    int64_t many = agni_count_along(x, a, count);
    if (y && !many && y->layout != AGN_DENSE)
        agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED,
                                    "mean: places without entries would not stay 0: %lld elements "
                                    "of %s make each; sparse_to_dense makes it dense",
                                    (long long)many, AGNI_SHAPE(x)));
    else if (y) {
        st = agn_div_c(&q, y, (double)many);
        agn_scope_return(s, out, agni_narrow_to(s, agn_scope_adopt(s, st, &q), x));
    }
    return agni_rename_error("mean", agn_scope_close(s));
}

agn_status agn_sum_all(agn_tensor **out, const agn_tensor *x)
{
    return agn_sum(out, x, NULL, 0, false);
}
agn_status agn_mean_all(agn_tensor **out, const agn_tensor *x)
{
    return agn_mean(out, x, NULL, 0, false);
}

agn_status agn_sum_as(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                      bool keep, agn_dtype dtype)
{
    AGNI_NEED("sum_as", out);
    AGNI_NEED("sum_as", x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_cast(s, ag_sum(s, ag_cast(s, x, dtype), axes, n, keep), dtype);
    return agni_return("sum_as", s, out, y);
}

/* the adjoint of broadcasting: sums over what broadcasting would repeat */
agn_status agn_reduce_as(agn_tensor **out, const agn_tensor *x, const agn_tensor *like)
{
    AGNI_NEED("reduce_as", out);
    AGNI_NEED("reduce_as", x);
    AGNI_NEED("reduce_as", like);
    agni_meta m = {.ndim = 0};
    bool fits = agni_broadcast_into(&m, like->ndim, like->shape) &&
                agni_broadcast_into(&m, x->ndim, x->shape) && m.ndim == x->ndim;
    for (int d = 0; fits && d < x->ndim; d++)
        fits = m.shape[d] == x->shape[d];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "reduce_as: %s does not broadcast to %s", AGNI_SHAPE(like),
                         AGNI_SHAPE(x));
    int32_t axes[AGNI_MAX_RANK], n = 0;
    for (int d = 0, extra = x->ndim - like->ndim; d < x->ndim; d++)
        if (d < extra || like->shape[d - extra] != x->shape[d])
            axes[n++] = d;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_sum(s, x, axes, n, true);
    return agni_return("reduce_as", s, out,
                       y ? agni_reshape(s, y, like->ndim, like->shape) : NULL);
}

agn_status agn_trace(agn_tensor **out, const agn_tensor *x, int64_t offset, int32_t axis1,
                     int32_t axis2)
{
    int a, b;
    AGNI_NEED("trace", out);
    agn_status st = agni_normalise_axis("trace", x, axis1, &a);
    if (!st)
        st = agni_axis("trace", axis2, x->ndim, &b);
    if (st)
        return st;
    if (a == b)
        return agni_fail(AGN_EARG, "trace: axes %d and %d of a plane are one", axis1, axis2);
    int64_t rows = x->shape[a], cols = x->shape[b];
    int64_t first = 0, n = 0, flat[AGNI_MAX_RANK];
    if (offset > -rows && offset < cols) {
        int64_t down = offset >= 0 ? rows : rows + offset,
                right = offset > 0 ? cols - offset : cols;
        n = down < right ? down : right;
        first = offset >= 0 ? offset : -offset * cols;
    }
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_move_axis(s, x, a, -1); /* b is last, a before it */
    y = agni_move_axis(s, y, b > a ? b - 1 : b, -1);
    if (y) {
        memcpy(flat, y->shape, (size_t)y->ndim * sizeof *flat);
        flat[y->ndim - 2] = rows * cols;
        y = agni_reshape(s, y, y->ndim - 1, flat);
        const agn_tensor *i = agni_range(s, n);
        i = ag_add(s, ag_mul(s, i, agni_literal(s, (double)(cols + 1))),
                   agni_literal(s, (double)first));
        y = ag_sum(s, ag_gather(s, y, i, -1), (int32_t[]){-1}, 1, false);
    }
    return agni_return("trace", s, out, y);
}
