/* tensor/reduce/logsumexp.c - log of the sum of exponentials over axes. Attributes: keep,
   axes... */
#include "tensor/reduce/reduce.h"
#include "tensor/rows/traits.h"

#include <math.h>

static agn_status cpu_logsumexp(const agn_kernel_call *c)
{
    return agni_reduce_axes(c, AGNI_REDUCE_LSE);
}

/* y where it is finite, else 0 */
static const agn_tensor *finite_part(agn_scope *s, const agn_tensor *y)
{
    const agn_tensor *zero = y ? agni_full(s, 0, y->dtype, 0, NULL) : NULL;
    return agni_select_by(s, agni_apply_unary(s, &agni_op_isfinite, y), y, zero);
}

/* sum softmax(x) t, with weights exp(x - y): 0 where all x are -inf, NaN for an inf */
static void jvp_logsumexp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                          const agn_tensor **ty)
{
    const agn_tensor *x = r->x[0];
    int count = r->at->ni - 1;
    const agn_tensor *y = agni_restore_kept_axes(s, r->y[0], x->ndim, x->shape, count,
                                                 r->at->i + 1);
    const agn_tensor *zero = y ? agni_full(s, 0, y->dtype, 0, NULL) : NULL;
    y = agni_select_by(s, agni_apply_unary(s, &agni_op_isneginf, y), zero, y);
    const agn_tensor *none = y ? agni_full(s, -(double)INFINITY, y->dtype, 0, NULL) : NULL;
    const agn_tensor *in = agni_apply_binary(s, &agni_op_gt, x, none); /* -inf is absent */
    x = agni_select_by(s, in, x, none);
    const agn_tensor *p = agni_apply_unary(s, &agni_op_exp,
                                           agni_apply_binary(s, &agni_op_sub, x, y));
    p = agni_select_by(s, in, agni_apply_binary(s, &agni_op_mul, p, t[0]), zero);
    ty[0] = agni_sum_axes(s, p, count, r->at->i + 1,
                          r->at->i[0] != 0);
}

/* where a device has no kernel: m + log sum exp(x - m), m the finite part of the maximum */
static agn_status eval_logsumexp(const agni_call *c, agn_tensor **out)
{
    const int64_t *a = c->at->i + 1;
    int count = c->at->ni - 1;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_detach_node(s, c->op->name, c->in[0]);
    const agn_tensor *y = NULL;
    if (x && agni_count_along(x, a, count) == 0) {
        y = agni_full(s, -(double)INFINITY, x->dtype, c->meta->ndim, c->meta->shape);
    } else if (x) {
        int64_t at[AGNI_MAX_RANK + 1] = {1};
        for (int k = 0; k < count; k++)
            at[k + 1] = a[k];
        const agn_tensor *m = finite_part(
            s, agni_apply_in(s, &agni_op_max, &(agni_attr){.ni = count + 1, .i = at}, 1, &x));
        y = agni_apply_unary(s, &agni_op_exp, agni_apply_binary(s, &agni_op_sub, x, m));
        y = agni_apply_unary(s, &agni_op_log, agni_sum_axes(s, y, count, a, true));
        y = agni_add_present(s, y, m);
        y = y ? agni_reshape(s, y, c->meta->ndim, c->meta->shape) : NULL;
    }
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}

static agni_slots slots;
const agni_op agni_op_logsumexp = {.name = "logsumexp",
                                   .takes = "x keep:b axes:a*",
                                   .cls = AGNI_SOLVE,
                                   .nin = 1,
                                   .nout = 1,
                                   .dtypes = AGNI_FLOATS,
                                   .diff = 1,
                                   .promote = 1,
                                   .result = AGNI_OUT_SAME,
                                   .ew = -1,
                                   .infer = agni_infer_reduction,
                                   .cpu = cpu_logsumexp,
                                   .eval = eval_logsumexp,
                                   .contiguous = true,
                                   .jvp = jvp_logsumexp,
                                   .batch = agni_batch_front,
                                   .slots = &slots,
                                   .lo = -3,
                                   .hi = 3,
                                   .traits = AGNI_ZERO_LOST,
                                   .zeros = AGNI_ZEROS_ABSENT,
                                   .doc = "log of the sum of exponentials"};

agn_status agn_logsumexp(agn_tensor **out, const agn_tensor *x, const int32_t *axes, int32_t n,
                         bool keep)
{
    AGNI_NEED("logsumexp", out);
    int64_t at[AGNI_MAX_RANK + 1] = {keep};
    int count;
    agn_status st = agni_normalise_axes("logsumexp", x, axes, n, at + 1, &count);
    if (st)
        return st;
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "logsumexp: %s numbers %s have no order, real ones have",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    return agni_rename_error(
        "logsumexp",
        agni_apply_public(out, &agni_op_logsumexp, &(agni_attr){.ni = count + 1, .i = at}, 1, &x));
}
