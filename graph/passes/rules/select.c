/* graph/passes/rules/select.c - selects and the truth values that choose: masks of derivatives are
   carried through views and sums, and meet their numbers in the narrowest form.

   A mask that a sum over the batch repeated is looked at before it is repeated, numbers move out
   of a select with zero, and views of all operands become one view of the result, so that selects
   of one value by one mask are one. */
#include "graph/passes/rules/rules.h"

/* v as a reshape of a value of `like`'s shape, or of any shape where *like is NULL; -1: it is
   none */
static int32_t match_reshape(const agni_ir *ir, int32_t v, const agn_tensor **like)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_reshape);
    if (!n)
        return NONE;
    int32_t x = agni_node_arg(ir, n, 0);
    const agn_tensor *t = value_tensor(ir, x);
    if (*like && (t->ndim != (*like)->ndim ||
                  memcmp(t->shape, (*like)->shape, (size_t)t->ndim * sizeof *t->shape)))
        return NONE;
    *like = t;
    return x;
}

/* op(reshape x, reshape y, number) = reshape op(x, y, number), for selects and comparisons */
int32_t agni_hoist_reshape(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                           const int32_t *arg)
{
    const agn_tensor *like = NULL, *y = NULL;
    int32_t a[3];
    double c;
    for (int i = 0; i < nin; i++) {
        const agn_tensor *t = value_tensor(ir, arg[i]);
        if (t->ndim == 0 && match_number(ir, arg[i], &c)) {
            a[i] = arg[i];
            continue;
        }
        if (y && (t->ndim != y->ndim ||
                  memcmp(t->shape, y->shape, (size_t)y->ndim * sizeof *y->shape)))
            return NONE;
        y = t;
        a[i] = match_reshape(ir, arg[i], &like);
        if (a[i] < 0)
            return NONE;
    }
    return y ? emit_reshape(ir, agni_emit_node(ir, op, at, nin, a), y->ndim, y->shape) : NONE;
}

int32_t agni_simplify_where(agni_ir *ir, const agni_op *op, const agni_attr *at,
                            const int32_t *arg)
{
    double c;
    int32_t x;
    if (arg[1] == arg[2])
        return broadcast_like_result(ir, arg[1], 3, arg);
    if (match_number(ir, arg[0], &c))
        return broadcast_like_result(ir, c != 0 ? arg[1] : arg[2], 3, arg);
    if (is_real(ir, arg[1]) && is_number(ir, arg[2], 0) && match_scaled(ir, arg[1], &x, &c) &&
        isfinite(c) && c != 0 && (c > 0 || !ir->sign))
        return emit_scaled(ir, agni_emit_node(ir, op, NULL, 3, (int32_t[]){arg[0], x, arg[2]}), c);
    return agni_hoist_reshape(ir, op, at, 3, arg);
}

/* which of two numbers maximum and minimum took (the first one where it is NaN), by comparisons,
   which have a form on tiles; of a number that is written there, one */
int32_t agni_simplify_first(agni_ir *ir, const agni_op *op, const agni_attr *at,
                            const int32_t *arg)
{
    bool least = op == &agni_op_first_min;
    int32_t a = arg[0], b = arg[1];
    double c;
    (void)at;
    if (!is_real(ir, a) || value_tensor(ir, a)->dtype != value_tensor(ir, b)->dtype)
        return NONE;
    if (match_number(ir, b, &c) && c == c) {
        int32_t behind = emit_binary(ir, least ? &agni_op_gt : &agni_op_lt, a, b);
        return emit_unary(ir, &agni_op_logical_not, behind);
    }
    int32_t before = emit_binary(ir, least ? &agni_op_le : &agni_op_ge, a, b);
    int32_t nan = emit_unary(ir, &agni_op_isnan, a);
    return emit_binary(ir, &agni_op_logical_or, before, nan);
}

/* exp(x) < c is false for c <= 0, and where x is NaN: a positive parameter beside the low end of a
   support */
int32_t agni_simplify_less(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    double c;
    (void)op, (void)at;
    if (!is_real(ir, arg[0]) || !agni_defined_by(ir, arg[0], &agni_op_exp) ||
        !match_number(ir, arg[1], &c) || c > 0 || c != c)
        return NONE;
    return broadcast_like_result(ir, agni_ir_add_number(ir, 0, AGN_BOOL), 2, arg);
}

/* a or b, a and b, of which one is known */
int32_t agni_simplify_truth(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    double c;
    (void)at;
    for (int i = 0; i < 2; i++)
        if (value_tensor(ir, arg[i])->dtype == AGN_BOOL &&
            value_tensor(ir, arg[!i])->dtype == AGN_BOOL && match_number(ir, arg[i], &c)) {
            bool decides = (c != 0) == (op == &agni_op_logical_or);
            return broadcast_like_result(ir, decides ? arg[i] : arg[!i], 2, arg);
        }
    return NONE;
}

/* the truth values of which v is 1 and 0, before so many views */
static int32_t match_truth(const agni_ir *ir, int32_t v, int views)
{
    const agni_pnode *n;
    while (views-- > 0 && ((n = agni_defined_by(ir, v, &agni_op_reshape)) ||
                           (n = agni_defined_by(ir, v, &agni_op_broadcast_to))))
        v = agni_node_arg(ir, n, 0);
    n = agni_defined_by(ir, v, &agni_op_cast);
    return n && value_tensor(ir, agni_node_arg(ir, n, 0))->dtype == AGN_BOOL
               ? agni_node_arg(ir, n, 0)
               : NONE;
}

int32_t agni_simplify_not_equal(agni_ir *ir, const agni_op *op, const agni_attr *at,
                                const int32_t *arg)
{
    (void)op, (void)at;
    const agni_pnode *n = agni_defined_by(ir, arg[0], &agni_op_reshape);
    const agn_tensor *t = value_tensor(ir, arg[0]);
    if (!is_number(ir, arg[1], 0) || value_tensor(ir, arg[1])->ndim > t->ndim)
        return NONE;
    int32_t b = match_truth(ir, n ? agni_node_arg(ir, n, 0) : arg[0], 0);
    b = b >= 0 && n ? emit_reshape(ir, b, t->ndim, t->shape) : b;
    return b >= 0 ? broadcast_like_result(ir, b, 2, (int32_t[]){b, arg[1]}) : NONE;
}

/* numbers of truth values: views and repetitions come after them */
int32_t agni_simplify_cast(agni_ir *ir, const agni_op *op, const agni_attr *at,
                           const int32_t *arg)
{
    const agn_tensor *t = value_tensor(ir, arg[0]);
    if (t->dtype == at->i[0])
        return arg[0];
    if (t->dtype != AGN_BOOL)
        return NONE;
    for (int k = 0; k < 2; k++) {
        const agni_op *view = k ? &agni_op_reshape : &agni_op_broadcast_to;
        const agni_pnode *n = agni_defined_by(ir, arg[0], view);
        if (n) {
            int32_t x = agni_node_arg(ir, n, 0);
            return emit_shaped(ir, view, agni_emit_node(ir, op, at, 1, &x), t->ndim, t->shape);
        }
    }
    return NONE;
}

/* How many are true along axes that a view leaves as they are: counted before the view. gone: the
   axes of v that are summed; result: n axes of `shape`. */
int32_t agni_sum_truths_before_view(agni_ir *ir, const agni_attr *at, int32_t v, const bool *gone,
                                    int n, const int64_t *shape)
{
    const agni_pnode *p = agni_defined_by(ir, v, &agni_op_reshape);
    bool wide = !p;
    if (!p && !(p = agni_defined_by(ir, v, &agni_op_broadcast_to)))
        return NONE;
    int32_t x = agni_node_arg(ir, p, 0);
    const agn_tensor *t = value_tensor(ir, v), *s = value_tensor(ir, x);
    int64_t axis[AGNI_MAX_RANK + 1] = {wide ? at->i[0] : 0};
    int m = 0, shift = wide ? t->ndim - s->ndim : 0;
    if (match_truth(ir, x, 3) < 0 || !t->size) /* empty axes tell nothing of those behind them */
        return NONE;
    for (int d = 0; d < t->ndim; d++) {
        if (!gone[d])
            continue;
        int e = d - shift;
        bool same = e >= 0 && e < s->ndim && s->shape[e] == t->shape[d];
        for (int k = 0; same && !wide && k < d; k++) /* rows before it are the same */
            same = s->shape[k] == t->shape[k];
        if (!same)
            return NONE;
        axis[++m] = e - s->ndim;
    }
    int32_t y = agni_emit_node(ir, &agni_op_sum, &(agni_attr){.ni = m + 1, .i = axis}, 1, &x);
    return wide ? emit_broadcast(ir, y, n, shape) : emit_reshape(ir, y, n, shape);
}
