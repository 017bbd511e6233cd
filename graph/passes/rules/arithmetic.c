/* graph/passes/rules/arithmetic.c - algebraic simplification of sums, products and quotients. */
#include "graph/passes/rules/rules.h"

int32_t agni_simplify_sum(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    const agn_tensor *t = value_tensor(ir, arg[0]);
    int64_t shape[AGNI_MAX_RANK], many = 1;
    bool gone[AGNI_MAX_RANK] = {false};
    int n = 0;
    for (int k = 1; k < at->ni; k++)
        gone[at->i[k] + t->ndim] = true;
    for (int d = 0; d < t->ndim; d++) {
        many *= gone[d] ? t->shape[d] : 1;
        if (!gone[d] || at->i[0])
            shape[n++] = gone[d] ? 1 : t->shape[d];
    }
    if (many == 1)
        return emit_reshape(ir, arg[0], n, shape);
    /* of a broadcast axis: a multiple; what is broadcast along other axes is summed before */
    const agni_pnode *p = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    double repeated;
    bool exact = !ir->sign || (match_number(ir, arg[0], &repeated) && repeated != 0);
    if (p && agni_kind(t->dtype) >= AGNI_KIND_FLOAT && exact) {
        int32_t x = agni_node_arg(ir, p, 0);
        int64_t full[AGNI_MAX_RANK], times_ = 1;
        int d0 = t->ndim - value_tensor(ir, x)->ndim;
        bool wide = false;
        for (int d = 0; d < t->ndim; d++) {
            full[d] = d < d0 ? 1 : value_tensor(ir, x)->shape[d - d0];
            if (gone[d] && full[d] != t->shape[d])
                times_ *= t->shape[d];
            wide |= !gone[d] && full[d] != t->shape[d];
        }
        if (times_ > 1 || wide) {
            x = emit_reshape(ir, x, t->ndim, full);
            x = x < 0 ? x : agni_emit_node(ir, op, at, 1, &x);
            return emit_broadcast(ir, emit_scaled(ir, x, (double)times_), n, shape);
        }
    }
    int32_t x = agni_sum_truths_before_view(ir, at, arg[0], gone, n, shape);
    double c;
    if (x >= 0 || ir->st)
        return x;
    /* sum(c x) = c sum(x) */
    if (is_real(ir, arg[0]) && match_scaled(ir, arg[0], &x, &c) && isfinite(c) &&
        (!ir->sign || c > 0)) {
        x = agni_emit_node(ir, op, at, 1, &x);
        return emit_scaled(ir, x, c);
    }
    /* sum(m ? c : 0) = c sum(m) */
    p = agni_defined_by(ir, arg[0], &agni_op_where);
    if (p && is_real(ir, arg[0]) && is_number(ir, agni_node_arg(ir, p, 2), 0) &&
        match_number(ir, agni_node_arg(ir, p, 1), &c) && isfinite(c) && c != 0 &&
        (!ir->sign || c > 0)) {
        x = agni_node_arg(ir, p, 0);
        const agn_tensor *m = value_tensor(ir, x);
        int64_t dtype = t->dtype;
        if (m->dtype == AGN_BOOL && agni_same_shape(m, t)) {
            x = agni_emit_node(ir, &agni_op_cast, &(agni_attr){.ni = 1, .i = &dtype}, 1, &x);
            x = x < 0 ? x : agni_emit_node(ir, op, at, 1, &x);
            return emit_scaled(ir, x, c);
        }
    }
    if (!ir->sign && (x = match_negated(ir, arg[0])) >= 0) {
        x = agni_emit_node(ir, op, at, 1, &x);
        return emit_unary(ir, &agni_op_neg, x);
    }
    x = agni_sum_of_products(ir, arg[0], gone, n, shape);
    x = x >= 0 || ir->st ? x : agni_sum_before_merge(ir, arg[0], gone, n, shape);
    x = x >= 0 || ir->st ? x : agni_sum_without_factors(ir, op, at, arg[0], gone, n, shape);
    if (x >= 0 || ir->st)
        return x;
    /* of all elements of a permutation: in the order that they lie in */
    p = agni_defined_by(ir, arg[0], &agni_op_permute);
    if (p && at->ni - 1 == t->ndim) {
        x = agni_node_arg(ir, p, 0);
        x = agni_emit_node(ir, op, at, 1, &x);
        return emit_reshape(ir, x, n, shape);
    }
    /* of a sum without kept axes before it */
    p = agni_defined_by(ir, arg[0], &agni_op_reshape);
    if (p && n == 0 && at->ni - 1 == t->ndim &&
        value_tensor(ir, agni_node_arg(ir, p, 0))->ndim > 0) {
        x = agni_node_arg(ir, p, 0);
        int64_t a[AGNI_MAX_RANK + 1] = {0};
        int m = value_tensor(ir, x)->ndim;
        for (int d = 0; d < m; d++)
            a[d + 1] = d - m;
        return agni_emit_node(ir, op, &(agni_attr){.ni = m + 1, .i = a}, 1, &x);
    }
    return NONE;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* c x + e x = (c + e) x where c and e have one sign: then no infinity meets another, and the sum
   of two zeros is the zero it was */
static int32_t combine_like_terms(agni_ir *ir, const int32_t *arg)
{
    int32_t x[2];
    double c[2];
    for (int i = 0; i < 2; i++)
        if (!is_real(ir, arg[i]) || !match_scaled(ir, arg[i], &x[i], &c[i])) {
            x[i] = arg[i];
            c[i] = 1;
        }
    bool alike = x[0] == x[1] && is_real(ir, x[0]) && c[0] * c[1] > 0 &&
                 agni_ir_is_normal(c[0] + c[1], value_tensor(ir, x[0])->dtype);
    return alike ? broadcast_like_result(ir, emit_scaled(ir, x[0], c[0] + c[1]), 2, arg) : NONE;
}
/* (a + 0 i) + (0 + b i) = a + b i: the adjoints of both parts of one value */
static int32_t join_parts(agni_ir *ir, const int32_t *arg)
{
    int32_t part[2] = {NONE, NONE};
    for (int i = 0; i < 2; i++) {
        const agni_pnode *p = agni_defined_by(ir, arg[i], &agni_op_complex);
        for (int k = 0; p && k < 2; k++)
            if (is_zero(ir, agni_node_arg(ir, p, !k), true)) {
                part[k] = agni_node_arg(ir, p, k);
                break; /* one of each operand */
            }
    }
    if (part[0] < 0 || part[1] < 0 || !agni_same_shape(value_tensor(ir, arg[0]),
                                                       value_tensor(ir, arg[1])))
        return NONE;
    return broadcast_like_result(ir, emit_binary(ir, &agni_op_complex, part[0], part[1]), 2, arg);
}
/* c x + c y = c (x + y), c x - (-c) y = c (x + y) and so on, where a zero has the sign it had */
static int32_t factor_number(agni_ir *ir, bool sum, const int32_t *arg)
{
    int32_t x[2];
    double c[2];
    for (int i = 0; i < 2; i++)
        if (!is_real(ir, arg[i]) || !match_scaled(ir, arg[i], &x[i], &c[i]))
            return NONE;
    if (fabs(c[0]) != fabs(c[1]) || c[0] == 0 || !isfinite(c[0]) || (ir->sign && c[0] < 0) ||
        !agni_same_shape(value_tensor(ir, x[0]), value_tensor(ir, x[1])))
        return NONE;
    const agni_op *op = sum == (c[0] == c[1]) ? &agni_op_add : &agni_op_sub;
    return emit_scaled(ir, emit_binary(ir, op, x[0], x[1]), c[0]);
}
int32_t agni_simplify_add(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    (void)at, (void)op;
    int32_t x;
    for (int i = 0; i < 2; i++)
        if ((is_zero(ir, arg[i], true) ||
             (is_number(ir, arg[i], 0) && ir->val[arg[!i]].no_negative_zero)) &&
            value_tensor(ir, arg[i])->dtype != AGN_BOOL)
            return broadcast_like_result(ir, arg[!i], 2, arg);
    if ((x = match_negated(ir, arg[1])) >= 0)
        return emit_binary(ir, &agni_op_sub, arg[0], x);
    if ((x = match_negated(ir, arg[0])) >= 0)
        return emit_binary(ir, &agni_op_sub, arg[1], x);
    if ((x = combine_like_terms(ir, arg)) >= 0 || (x = factor_number(ir, true, arg)) >= 0)
        return x;
    /* x + (x + y) = 2 x + y */
    for (int i = 0; i < 2 && is_real(ir, arg[0]); i++) {
        const agni_pnode *n = agni_defined_by(ir, arg[i], &agni_op_add);
        for (int k = 0; n && k < 2; k++)
            if (agni_node_arg(ir, n, k) == arg[!i]) {
                int32_t y = agni_node_arg(ir, n, !k); /* n moves when nodes are made */
                return emit_binary(ir, op, y, emit_scaled(ir, arg[!i], 2));
            }
    }
    if ((x = join_parts(ir, arg)) >= 0 || (x = agni_simplify_scatter_sum(ir, arg)) >= 0 ||
        (x = agni_simplify_matmul_sum(ir, arg)) >= 0)
        return x;
    return arg[0] > arg[1] ? emit_binary(ir, op, arg[1], arg[0]) : NONE;
}
int32_t agni_simplify_sub(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    (void)at;
    int32_t x;
    if (is_zero(ir, arg[1], false))
        return broadcast_like_result(ir, arg[0], 2, arg);
    if (is_zero(ir, arg[0], true))
        return broadcast_like_result(ir, emit_unary(ir, &agni_op_neg, arg[1]), 2, arg);
    if ((x = match_negated(ir, arg[1])) >= 0)
        return emit_binary(ir, &agni_op_add, arg[0], x);
    if (!ir->sign && (x = match_negated(ir, arg[0])) >= 0)
        return emit_unary(ir, &agni_op_neg, emit_binary(ir, &agni_op_add, x, arg[1]));
    if ((x = factor_number(ir, false, arg)) >= 0)
        return x;
    /* a - c x with c < 0 */
    double c;
    if (is_real(ir, arg[1]) && match_scaled(ir, arg[1], &x, &c) && c < 0)
        return emit_binary(ir, &agni_op_add, arg[0], emit_scaled(ir, x, -c));
    /* (y - x) - x = y - 2 x */
    const agni_pnode *n = is_real(ir, arg[1]) ? agni_defined_by(ir, arg[0], op) : NULL;
    if (n && agni_node_arg(ir, n, 1) == arg[1]) {
        int32_t y = agni_node_arg(ir, n, 0); /* n moves when nodes are made */
        return emit_binary(ir, op, y, emit_scaled(ir, arg[1], 2));
    }
    return NONE;
}
static int32_t emit_zeros(agni_ir *ir, int nin, const int32_t *arg)
{
    return broadcast_like_result(ir, agni_ir_add_number(ir, 0, value_tensor(ir, arg[0])->dtype),
                                 nin, arg);
}
/* Is x repeated where it meets y? */
static bool is_broadcast_by(const agni_ir *ir, int32_t x, int32_t y)
{
    const agn_tensor *t[2] = {value_tensor(ir, x), value_tensor(ir, y)};
    agni_meta m = {0};
    for (int i = 0; i < 2; i++)
        agni_broadcast_into(&m, t[i]->ndim, t[i]->shape);
    int64_t size = 1;
    for (int d = 0; d < m.ndim; d++)
        size *= m.shape[d];
    return size > t[0]->size;
}
int32_t agni_simplify_mul(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    double c, e;
    int32_t x;
    (void)at;
    if (value_tensor(ir, arg[0])->dtype == AGN_BOOL)
        return NONE;
    for (int i = 0; i < 2; i++) {
        if (is_number(ir, arg[i], 1))
            return broadcast_like_result(ir, arg[!i], 2, arg);
        if (is_number(ir, arg[i], -1))
            return broadcast_like_result(ir, emit_unary(ir, &agni_op_neg, arg[!i]), 2, arg);
        if ((x = match_negated(ir, arg[i])) >= 0)
            return emit_unary(ir, &agni_op_neg, emit_binary(ir, op, x, arg[!i]));
    }
    for (int i = 0; i < 2; i++)
        if (is_real(ir, arg[i]) && match_number(ir, arg[i], &c) &&
            match_scaled(ir, arg[!i], &x, &e) &&
            agni_ir_is_normal(c * e, value_tensor(ir, x)->dtype))
            return broadcast_like_result(ir, emit_scaled(ir, x, c * e), 2, arg);
    /* numbers move outwards, where they meet, but not to more elements */
    for (int i = 0; i < 2; i++)
        if (is_real(ir, arg[i]) && !match_number(ir, arg[!i], &e) &&
            match_scaled(ir, arg[i], &x, &c) && !is_broadcast_by(ir, arg[i], arg[!i]))
            return emit_scaled(ir, emit_binary(ir, op, x, arg[!i]), c);
    return arg[0] > arg[1] ? emit_binary(ir, op, arg[1], arg[0]) : NONE;
}
/* 0 times anything is 0. Where both factors are finite, it is a product like any other. */
static bool may_relax_mulz(const agni_ir *ir, const int32_t *arg)
{
    return ir->val[arg[0]].always_finite && ir->val[arg[1]].always_finite;
}
int32_t agni_simplify_mulz(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    double c;
    int32_t x;
    bool any = !(ir->sign & AGNI_SIGN_SEEN); /* sign of a zero, which mulz makes positive */
    (void)at;
    for (int i = 0; i < 2; i++) {
        if (is_number(ir, arg[i], 0))
            return emit_zeros(ir, 2, arg);
        if (any && match_number(ir, arg[i], &c) && isfinite(c))
            return emit_binary(ir, &agni_op_mul, arg[0], arg[1]);
        if (any && (x = match_negated(ir, arg[i])) >= 0)
            return emit_unary(ir, &agni_op_neg, emit_binary(ir, op, x, arg[!i]));
        if (match_scaled(ir, arg[i], &x, &c) && isfinite(c) && (any || c > 0))
            return emit_scaled(ir, emit_binary(ir, op, x, arg[!i]), c);
    }
    if (any && may_relax_mulz(ir, arg))
        return emit_binary(ir, &agni_op_mul, arg[0], arg[1]);
    return arg[0] > arg[1] ? emit_binary(ir, op, arg[1], arg[0]) : NONE;
}
int32_t agni_simplify_div(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    double c;
    int e;
    (void)op, (void)at;
    if (!is_real(ir, arg[1]) || !match_number(ir, arg[1], &c))
        return NONE;
    if (c == 1)
        return broadcast_like_result(ir, arg[0], 2, arg);
    /* exact for powers of two only */
    if (isfinite(c) && c != 0 && fabs(frexp(c, &e)) == 0.5 && isnormal(1 / c))
        return broadcast_like_result(ir, emit_scaled(ir, arg[0], 1 / c), 2, arg);
    return NONE;
}
int32_t agni_simplify_neg(agni_ir *ir, const agni_op *op, const agni_attr *at, const int32_t *arg)
{
    int32_t x = match_negated(ir, arg[0]);
    double c;
    (void)op, (void)at;
    if (x >= 0)
        return x;
    if (is_real(ir, arg[0]) && match_scaled(ir, arg[0], &x, &c))
        return emit_scaled(ir, x, -c);
    const agni_pnode *n = ir->sign ? NULL : agni_defined_by(ir, arg[0], &agni_op_sub);
    return n ? emit_binary(ir, &agni_op_sub, agni_node_arg(ir, n, 1), agni_node_arg(ir, n, 0))
             : NONE;
}
