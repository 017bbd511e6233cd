/* graph/passes/simplify.c - algebraic simplification, a table of rules. Each looks at
   the application and at how its arguments were made, and costs a constant; agni_emit_node asks
   for every node, and the program is built again until nothing changes.

   Rules keep the value for every argument, NaN and infinity included, with four exceptions:
   products that say mulz (see may_relax_mulz), products with numbers, and sums of products of
   matrices (simplify_matmul_sum.c): these two are formed in another order and round, overflow and
   underflow accordingly; and products with an identity matrix (simplify_identity_matmul.c), whose
   zeros meet no infinity. They keep the sign of a zero
   wherever it can be seen (ir->sign): by an op that makes another number of it, a value on a
   branch cut or 1 / x, or in a result. A mulz that is a result, and no op's business, may be
   0 or -0: derivatives are full of them.                                                    */
#include "graph/passes/ir.h"

#include <math.h>
#include <string.h>

typedef int32_t rewrite_rule(agni_ir *ir, const agni_op *op, const agni_attr *at,
                     const int32_t *arg);
enum { NONE = -1 };

/* ---- matching and emitting ------------------------------------------------------------------- */

static const agn_tensor *value_tensor(const agni_ir *ir, int32_t v)
{
    return ir->val[v].t;
}
static int32_t emit_unary(agni_ir *ir, const agni_op *op, int32_t a)
{
    return a < 0 ? a : agni_emit_node(ir, op, NULL, 1, &a);
}
static int32_t emit_binary(agni_ir *ir, const agni_op *op, int32_t a, int32_t b)
{
    return a < 0 || b < 0 ? NONE : agni_emit_node(ir, op, NULL, 2, (int32_t[]){a, b});
}
static int32_t emit_shaped(agni_ir *ir, const agni_op *op, int32_t v, int ndim,
                      const int64_t *shape)
{
    if (v < 0)
        return v;
    const agn_tensor *t = value_tensor(ir, v);
    if (t->ndim == ndim &&
        (!ndim || !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)))
        return v;
    return agni_emit_node(ir, op, &(agni_attr){.ni = ndim, .i = shape}, 1, &v);
}
static int32_t emit_reshape(agni_ir *ir, int32_t v, int ndim, const int64_t *shape)
{
    return emit_shaped(ir, &agni_op_reshape, v, ndim, shape);
}
static int32_t emit_broadcast(agni_ir *ir, int32_t v, int ndim, const int64_t *shape)
{
    return emit_shaped(ir, &agni_op_broadcast_to, v, ndim, shape);
}
/* v as a result of op(arg) would be: same elements, their shape */
static int32_t broadcast_like_result(agni_ir *ir, int32_t v, int nin, const int32_t *arg)
{
    agni_meta m = {0};
    for (int i = 0; i < nin; i++)
        agni_broadcast_into(&m, value_tensor(ir, arg[i])->ndim, value_tensor(ir, arg[i])->shape);
    return emit_broadcast(ir, v, m.ndim, m.shape);
}
static bool match_number(const agni_ir *ir, int32_t v, double *num)
{
    const agni_ir_value *q = agni_broadcast_source(ir, v);
    *num = q->num;
    return q->constant && q->splat;
}
/* zero of a sign, or of any where none is seen */
static bool is_zero(const agni_ir *ir, int32_t v, bool negative)
{
    double num;
    return match_number(ir, v, &num) && num == 0 && (!ir->sign || signbit(num) == negative);
}
static bool is_number(const agni_ir *ir, int32_t v, double want)
{
    double num;
    return match_number(ir, v, &num) && num == want;
}
/* v = x c with a number c */
static bool match_scaled(const agni_ir *ir, int32_t v, int32_t *x, double *c)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_mul);
    for (int i = 0; n && i < 2; i++)
        if (match_number(ir, agni_node_arg(ir, n, i), c) &&
            agni_same_shape(value_tensor(ir, agni_node_arg(ir, n, !i)), value_tensor(ir, v))) {
            *x = agni_node_arg(ir, n, !i);
            return true;
        }
    return false;
}
static bool is_real(const agni_ir *ir, int32_t v)
{
    return agni_kind(value_tensor(ir, v)->dtype) == AGNI_KIND_FLOAT;
}
static int32_t emit_scaled(agni_ir *ir, int32_t x, double c)
{
    return x < 0 ? x
                 : emit_binary(ir, &agni_op_mul, x,
                               agni_ir_add_number(ir, c, value_tensor(ir, x)->dtype));
}
static int32_t match_negated(const agni_ir *ir, int32_t v)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_neg);
    return n ? agni_node_arg(ir, n, 0) : NONE;
}

/* ---- identities --------------------------------------------------------------------------- */

static int32_t simplify_identity(agni_ir *ir, const agni_op *op, const agni_attr *at,
                        const int32_t *arg)
{
    (void)ir, (void)op, (void)at;
    return arg[0];
}
static int32_t simplify_cast(agni_ir *ir, const agni_op *op, const agni_attr *at,
                    const int32_t *arg)
{
    (void)op;
    return value_tensor(ir, arg[0])->dtype == at->i[0] ? arg[0] : NONE;
}
static int32_t simplify_involution(agni_ir *ir, const agni_op *op, const agni_attr *at,
                     const int32_t *arg)
{
    const agni_pnode *n = agni_defined_by(ir, arg[0], op);
    (void)at;
    return n ? agni_node_arg(ir, n, 0) : NONE;
}

/* ---- moves ------------------------------------------------------------------------------ */

static bool has_shape(const agni_ir *ir, int32_t v, const agni_attr *at)
{
    const agn_tensor *t = value_tensor(ir, v);
    int n = at ? at->ni : 0;
    return t->ndim == n && (!n || !memcmp(t->shape, at->i, (size_t)n * sizeof *at->i));
}
static int32_t simplify_reshape(agni_ir *ir, const agni_op *op, const agni_attr *at,
                       const int32_t *arg)
{
    if (has_shape(ir, arg[0], at))
        return arg[0];
    const agni_pnode *n = agni_defined_by(ir, arg[0], op);
    if (n)
        return emit_reshape(ir, agni_node_arg(ir, n, 0), at ? at->ni : 0, at ? at->i : NULL);
    n = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    /* one number stays one number */
    if (n && value_tensor(ir, agni_node_arg(ir, n, 0))->size == 1)
        return emit_broadcast(ir, emit_reshape(ir, agni_node_arg(ir, n, 0), 0, NULL),
                              at ? at->ni : 0, at ? at->i : NULL);
    return NONE;
}
static int32_t simplify_broadcast_to(agni_ir *ir, const agni_op *op, const agni_attr *at,
                            const int32_t *arg)
{
    if (has_shape(ir, arg[0], at))
        return arg[0];
    const agni_pnode *n = agni_defined_by(ir, arg[0], op);
    return n ? emit_broadcast(ir, agni_node_arg(ir, n, 0), at ? at->ni : 0, at ? at->i : NULL)
             : NONE;
}
static int32_t simplify_permute(agni_ir *ir, const agni_op *op, const agni_attr *at,
                       const int32_t *arg)
{
    int n = at ? at->ni : 0;
    bool same = true;
    for (int k = 0; k < n; k++)
        same = same && at->i[k] == k - n;
    if (same)
        return arg[0];
    const agn_tensor *t = value_tensor(ir, arg[0]);
    /* axes of size 1 only: a reshape */
    int64_t shape[AGNI_MAX_RANK], last = -AGNI_MAX_RANK - 1;
    bool order = true;
    memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
    for (int k = 0; k < n; k++) {
        shape[t->ndim - n + k] = t->shape[t->ndim + at->i[k]];
        if (shape[t->ndim - n + k] != 1) {
            order = order && at->i[k] > last;
            last = at->i[k];
        }
    }
    if (order)
        return emit_reshape(ir, arg[0], t->ndim, shape);
    const agni_pnode *p = agni_defined_by(ir, arg[0], op);
    if (p) { /* axes beyond those that are named stay */
        int64_t both[AGNI_MAX_RANK];
        int m = p->at->ni, all = n > m ? n : m;
        for (int k = 0; k < all; k++) {
            int64_t a = k < all - n ? k - all : at->i[k - (all - n)];
            both[k] = a < -m ? a : p->at->i[m + a];
        }
        int32_t x = agni_node_arg(ir, p, 0);
        return agni_emit_node(ir, op, &(agni_attr){.ni = all, .i = both}, 1, &x);
    }
    p = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    if (p && value_tensor(ir, agni_node_arg(ir, p, 0))->ndim <= t->ndim) {
        int32_t x = agni_node_arg(ir, p, 0);
        int64_t full[AGNI_MAX_RANK];
        int d = t->ndim - value_tensor(ir, x)->ndim;
        for (int k = 0; k < t->ndim; k++)
            full[k] = k < d ? 1 : value_tensor(ir, x)->shape[k - d];
        x = emit_reshape(ir, x, t->ndim, full);
        x = x < 0 ? x : agni_emit_node(ir, op, at, 1, &x);
        return emit_broadcast(ir, x, t->ndim, shape);
    }
    return NONE;
}
bool agni_is_leading_slice(const agn_tensor *t, const agni_attr *at)
{
    int n = at ? at->ni / 3 : 0;
    bool part = n == t->ndim && n > 1 && at->i[1] == 1 && at->i[2] < t->shape[0];
    for (int k = 1; part && k < n; k++)
        part = at->i[3 * k] == 0 && at->i[3 * k + 1] == 1 && at->i[3 * k + 2] == t->shape[k];
    return part;
}

/* the concat along the first axis that v is, or is an element-wise function of; NULL for none */
static const agni_pnode *find_concat(const agni_ir *ir, int32_t v)
{
    const agni_pnode *p = agni_defined_by(ir, v, &agni_op_concat);
    if (p)
        return p->at->i[0] == -value_tensor(ir, v)->ndim ? p : NULL;
    p = ir->val[v].read_in_slices && ir->val[v].node >= 0 ? &ir->node[ir->val[v].node] : NULL;
    const agni_pnode *found = NULL;
    for (int i = 0; p && i < p->nin && !found; i++)
        found = find_concat(ir, agni_node_arg(ir, p, i));
    return found;
}
/* slice(f(concat(a, b), c)) = f(a, slice(c)) for element-wise f whose readers are slices.
   Equations with several unknowns compute all of them in one value and read them one by one. */
static int32_t slice_elementwise_of_concat(agni_ir *ir, const agni_attr *at, int32_t v)
{
    enum { LEAST = 256 }; /* numbers of a part: on fewer one op costs what three do */
    const agn_tensor *t = value_tensor(ir, v);
    const agni_pnode *p = ir->val[v].read_in_slices && ir->val[v].node >= 0
                              ? &ir->node[ir->val[v].node]
                              : NULL;
    int32_t a[3];
    if (!p || p->op->ew < 0 || p->nin > 3 || !agni_is_leading_slice(t, at) ||
        at->i[2] * (t->size / t->shape[0]) < LEAST || !find_concat(ir, v))
        return NONE;
    agni_pnode n = *p; /* emitting moves nodes */
    for (int i = 0; i < n.nin; i++)
        a[i] = agni_node_arg(ir, &n, i);
    for (int i = 0; i < n.nin; i++) {
        const agn_tensor *x = value_tensor(ir, a[i]);
        int64_t part[3 * AGNI_MAX_RANK];
        if (x->ndim < t->ndim || x->shape[0] == 1)
            continue;
        memcpy(part, at->i, (size_t)at->ni * sizeof *part);
        for (int k = 1; k < x->ndim; k++)
            part[3 * k + 2] = x->shape[k];
        a[i] = agni_emit_node(ir, &agni_op_slice, &(agni_attr){.ni = at->ni, .i = part}, 1, &a[i]);
        if (a[i] < 0)
            return a[i];
    }
    return agni_emit_node(ir, n.op, n.at, n.nin, a);
}

int32_t agni_concat_of_elementwise(agni_ir *ir, int32_t v)
{
    enum { MOST = 8 };
    const agn_tensor *t = value_tensor(ir, v);
    const agni_pnode *p = ir->val[v].node >= 0 && t->ndim > 1 ? find_concat(ir, v) : NULL;
    int32_t part[MOST];
    int64_t size[MOST], at[3 * AGNI_MAX_RANK] = {0}, axis = -t->ndim;
    if (!p || p->nin > MOST || value_tensor(ir, agni_node_arg(ir, p, 0))->ndim != t->ndim ||
        ir->node[ir->val[v].node].op == &agni_op_concat)
        return v;
    int n = p->nin;
    for (int i = 0; i < n; i++) {
        size[i] = value_tensor(ir, agni_node_arg(ir, p, i))->shape[0];
        at[0] += size[i];
    }
    if (at[0] != t->shape[0]) /* of a broadcast operand */
        return v;
    at[0] = 0;
    for (int k = 0; k < t->ndim; k++) {
        at[3 * k + 1] = 1;
        at[3 * k + 2] = t->shape[k];
    }
    for (int i = 0; i < n; i++, at[0] += at[2]) {
        at[2] = size[i];
        part[i] = slice_elementwise_of_concat(
            ir, &(agni_attr){.ni = 3 * value_tensor(ir, v)->ndim, .i = at}, v);
        if (part[i] < 0)
            return ir->st ? part[i] : v;
    }
    return agni_emit_node(ir, &agni_op_concat, &(agni_attr){.ni = 1, .i = &axis}, n, part);
}

static int32_t simplify_slice(agni_ir *ir, const agni_op *op, const agni_attr *at,
                     const int32_t *arg)
{
    const agn_tensor *t = value_tensor(ir, arg[0]);
    int n = at ? at->ni / 3 : 0;
    bool whole = true;
    for (int k = 0; k < n; k++)
        whole = whole && at->i[3 * k] == 0 && at->i[3 * k + 1] == 1 &&
                at->i[3 * k + 2] == t->shape[t->ndim - n + k];
    if (whole)
        return arg[0];
    int32_t each = op == &agni_op_slice ? slice_elementwise_of_concat(ir, at, arg[0]) : NONE;
    if (each >= 0)
        return each;
    /* slice(unslice(x)) of the same places: x */
    const agni_pnode *p = op == &agni_op_slice ? agni_defined_by(ir, arg[0], &agni_op_unslice)
                                               : NULL;
    if (p && p->at && p->at->ni == 3 * n) {
        int32_t x = agni_node_arg(ir, p, 0);
        bool same = true;
        for (int k = 0; k < n; k++)
            same = same && p->at->i[3 * k] == at->i[3 * k] &&
                   p->at->i[3 * k + 1] == at->i[3 * k + 1] &&
                   value_tensor(ir, x)->shape[t->ndim - n + k] == at->i[3 * k + 2];
        if (same)
            return x;
    }
    /* within one operand of a concat */
    p = op == &agni_op_slice ? agni_defined_by(ir, arg[0], &agni_op_concat) : NULL;
    if (p && -p->at->i[0] <= n) {
        int c = n + (int)p->at->i[0];
        int64_t lo = at->i[3 * c], hi = lo + at->i[3 * c + 1] * (at->i[3 * c + 2] - 1),
                from = 0;
        for (int i = 0; at->i[3 * c + 1] > 0 && at->i[3 * c + 2] > 0 && i < p->nin;
             i++) {
            int32_t x = agni_node_arg(ir, p, i);
            int64_t size = value_tensor(ir, x)->shape[value_tensor(ir, x)->ndim + p->at->i[0]];
            if (lo >= from && hi < from + size) {
                int64_t a[3 * AGNI_MAX_RANK];
                memcpy(a, at->i, (size_t)(3 * n) * sizeof *a);
                a[3 * c] -= from;
                return agni_emit_node(ir, op, &(agni_attr){.ni = 3 * n, .i = a}, 1, &x);
            }
            from += size;
        }
    }
    p = op == &agni_op_slice ? agni_defined_by(ir, arg[0], &agni_op_broadcast_to) : NULL;
    if (p && value_tensor(ir, agni_node_arg(ir, p, 0))->size == 1) {
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
        for (int k = 0; k < n; k++)
            shape[t->ndim - n + k] = at->i[3 * k + 2];
        return emit_broadcast(ir, agni_node_arg(ir, p, 0), t->ndim, shape);
    }
    return NONE;
}

/* ---- sums ----------------------------------------------------------------------------------- */

static int32_t simplify_sum(agni_ir *ir, const agni_op *op, const agni_attr *at,
                   const int32_t *arg)
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
    /* of a broadcast axis: a multiple */
    const agni_pnode *p = agni_defined_by(ir, arg[0], &agni_op_broadcast_to);
    double repeated;
    bool exact = !ir->sign || (match_number(ir, arg[0], &repeated) && repeated != 0);
    if (p && agni_kind(t->dtype) >= AGNI_KIND_FLOAT && exact) {
        int32_t x = agni_node_arg(ir, p, 0);
        int64_t full[AGNI_MAX_RANK], times_ = 1;
        int d0 = t->ndim - value_tensor(ir, x)->ndim;
        for (int d = 0; d < t->ndim; d++) {
            full[d] = d < d0 ? 1 : value_tensor(ir, x)->shape[d - d0];
            if (gone[d] && full[d] != t->shape[d])
                times_ *= t->shape[d];
        }
        if (times_ > 1) {
            x = emit_reshape(ir, x, t->ndim, full);
            x = x < 0 ? x : agni_emit_node(ir, op, at, 1, &x);
            return emit_broadcast(ir, emit_scaled(ir, x, (double)times_), n, shape);
        }
    }
    /* sum(c x) = c sum(x) */
    int32_t x;
    double c;
    if (is_real(ir, arg[0]) && match_scaled(ir, arg[0], &x, &c) && isfinite(c) &&
        (!ir->sign || c > 0)) {
        x = agni_emit_node(ir, op, at, 1, &x);
        return emit_scaled(ir, x, c);
    }
    if (!ir->sign && (x = match_negated(ir, arg[0])) >= 0) {
        x = agni_emit_node(ir, op, at, 1, &x);
        return emit_unary(ir, &agni_op_neg, x);
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
    bool alike = x[0] == x[1] && is_real(ir, x[0]) && c[0] * c[1] > 0 && isfinite(c[0] + c[1]);
    return alike ? broadcast_like_result(ir, emit_scaled(ir, x[0], c[0] + c[1]), 2, arg) : NONE;
}
static int32_t simplify_add(agni_ir *ir, const agni_op *op, const agni_attr *at,
                   const int32_t *arg)
{
    (void)at, (void)op;
    int32_t x;
    for (int i = 0; i < 2; i++)
        if (is_zero(ir, arg[i], true) && value_tensor(ir, arg[i])->dtype != AGN_BOOL)
            return broadcast_like_result(ir, arg[!i], 2, arg);
    if ((x = match_negated(ir, arg[1])) >= 0)
        return emit_binary(ir, &agni_op_sub, arg[0], x);
    if ((x = match_negated(ir, arg[0])) >= 0)
        return emit_binary(ir, &agni_op_sub, arg[1], x);
    if ((x = combine_like_terms(ir, arg)) >= 0)
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
    if ((x = agni_simplify_scatter_sum(ir, arg)) >= 0 ||
        (x = agni_simplify_matmul_sum(ir, arg)) >= 0)
        return x;
    return arg[0] > arg[1] ? emit_binary(ir, op, arg[1], arg[0]) : NONE;
}
static int32_t simplify_sub(agni_ir *ir, const agni_op *op, const agni_attr *at,
                   const int32_t *arg)
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
static int32_t simplify_mul(agni_ir *ir, const agni_op *op, const agni_attr *at,
                   const int32_t *arg)
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
        if (!ir->sign && is_number(ir, arg[i], 0) && ir->val[arg[!i]].always_finite)
            return emit_zeros(ir, 2, arg);
        if ((x = match_negated(ir, arg[i])) >= 0)
            return emit_unary(ir, &agni_op_neg, emit_binary(ir, op, x, arg[!i]));
    }
    for (int i = 0; i < 2; i++)
        if (is_real(ir, arg[i]) && match_number(ir, arg[i], &c) &&
            match_scaled(ir, arg[!i], &x, &e) && isfinite(c * e) && c * e != 0)
            return broadcast_like_result(ir, emit_scaled(ir, x, c * e), 2, arg);
    /* numbers move outwards, where they meet */
    for (int i = 0; i < 2; i++)
        if (is_real(ir, arg[i]) && !match_number(ir, arg[!i], &e) &&
            match_scaled(ir, arg[i], &x, &c))
            return emit_scaled(ir, emit_binary(ir, op, x, arg[!i]), c);
    return arg[0] > arg[1] ? emit_binary(ir, op, arg[1], arg[0]) : NONE;
}
/* 0 times anything is 0. The other factor is finite: a product like any other. It is also
   weakened where nothing can be hidden by a zero: the program has no op that masks, neither
   factor holds zeros that stand for absent parts, and both are finite for finite inputs. */
static bool may_relax_mulz(const agni_ir *ir, const int32_t *arg)
{
    const agni_ir_value *a = &ir->val[arg[0]], *b = &ir->val[arg[1]];
    if (a->always_finite && b->always_finite)
        return true;
    return !ir->masks && a->finite_if_inputs && b->finite_if_inputs && !a->structural_zeros &&
           !b->structural_zeros;
}
static int32_t simplify_mulz(agni_ir *ir, const agni_op *op, const agni_attr *at,
                    const int32_t *arg)
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
static int32_t simplify_div(agni_ir *ir, const agni_op *op, const agni_attr *at,
                        const int32_t *arg)
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
static int32_t simplify_neg(agni_ir *ir, const agni_op *op, const agni_attr *at,
                        const int32_t *arg)
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
static int32_t simplify_where(agni_ir *ir, const agni_op *op, const agni_attr *at,
                     const int32_t *arg)
{
    double c;
    (void)op, (void)at;
    if (arg[1] == arg[2])
        return broadcast_like_result(ir, arg[1], 3, arg);
    if (match_number(ir, arg[0], &c))
        return broadcast_like_result(ir, c != 0 ? arg[1] : arg[2], 3, arg);
    return NONE;
}

/* ---- products -------------------------------------------------------------------------------- */

/* A matrix that repeats one row or one column is not multiplied out:
     1 r B = 1 (r B)    A (c 1) = (A c) 1    (c 1) B = c (sum of B's rows)    A (1 r) alike   */
static int32_t simplify_matmul(agni_ir *ir, const agni_op *op, const agni_attr *at,
                      const int32_t *arg)
{
    (void)at;
    int32_t v = agni_simplify_identity_matmul(ir, arg);
    v = v >= 0 || ir->st ? v : agni_simplify_split_contraction(ir, arg);
    if (v >= 0)
        return v;
    for (int i = 0; i < 2; i++) {
        const agni_pnode *p = agni_defined_by(ir, arg[i], &agni_op_broadcast_to);
        const agn_tensor *t = value_tensor(ir, arg[i]);
        if (!p || t->ndim != 2 || value_tensor(ir, arg[!i])->ndim != 2)
            continue;
        int32_t x = agni_node_arg(ir, p, 0);
        int64_t full[2], d0 = 2 - value_tensor(ir, x)->ndim;
        for (int d = 0; d < 2; d++)
            full[d] = d < d0 ? 1 : value_tensor(ir, x)->shape[d - d0];
        int outer = i, inner = !i; /* rows of the left, columns of the right */
        int64_t shape[2] = {value_tensor(ir, arg[0])->shape[0], value_tensor(ir, arg[1])->shape[1]};
        bool ro = full[outer] == 1 && t->shape[outer] != 1;
        bool ri = full[inner] == 1 && t->shape[inner] != 1;
        if ((!ro && !ri) || (ri && ir->sign))
            continue;
        x = emit_reshape(ir, x, 2, full);
        int32_t other = arg[!i];
        if (ri) {
            int64_t a[2] = {1, i == 0 ? -2 : -1};
            other = agni_emit_node(ir, &agni_op_sum, &(agni_attr){.ni = 2, .i = a}, 1,
                              &other);
        }
        return emit_broadcast(ir, emit_binary(ir, op, i == 0 ? x : other, i == 0 ? other : x), 2,
                         shape);
    }
    /* an inner axis of 1: an outer product, element by element */
    const agn_tensor *a = value_tensor(ir, arg[0]), *b = value_tensor(ir, arg[1]);
    if (a->ndim == 2 && b->ndim == 2 && a->shape[1] == 1 && !ir->sign &&
        agni_kind(a->dtype) >= AGNI_KIND_FLOAT)
        return emit_binary(ir, &agni_op_mul, arg[0], arg[1]);
    return NONE;
}

/* ---- element-wise ops and repeated operands -------------------------------------------------- */

/* op(repeat a, repeat b) = repeat op(a, b), and operands repeat by themselves */
static int32_t hoist_broadcast(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                        const int32_t *arg)
{
    int32_t a[3];
    bool any = false;
    agni_meta m = {0};
    for (int i = 0; i < nin; i++) {
        const agni_pnode *p = agni_defined_by(ir, arg[i], &agni_op_broadcast_to);
        a[i] = p ? agni_node_arg(ir, p, 0) : arg[i];
        any |= p != NULL;
        agni_broadcast_into(&m, value_tensor(ir, arg[i])->ndim, value_tensor(ir, arg[i])->shape);
    }
    if (!any)
        return NONE;
    return emit_broadcast(ir, agni_emit_node(ir, op, at, nin, a), m.ndim, m.shape);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const agni_op *op;
    rewrite_rule *apply;
} rules[] = {
    {&agni_op_watch, simplify_identity},
    {&agni_op_stop_gradient, simplify_identity},
    {&agni_op_copy, simplify_identity},
    {&agni_op_cast, simplify_cast},
    {&agni_op_conj, simplify_involution},
    {&agni_op_reshape, simplify_reshape},
    {&agni_op_broadcast_to, simplify_broadcast_to},
    {&agni_op_permute, simplify_permute},
    {&agni_op_slice, simplify_slice},
    {&agni_op_unslice, simplify_slice},
    {&agni_op_sum, simplify_sum},
    {&agni_op_add, simplify_add},
    {&agni_op_sub, simplify_sub},
    {&agni_op_mul, simplify_mul},
    {&agni_op_mulz, simplify_mulz},
    {&agni_op_div, simplify_div},
    {&agni_op_neg, simplify_neg},
    {&agni_op_where, simplify_where},
    {&agni_op_matmul, simplify_matmul},
};

int32_t agni_apply_rules(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                     const int32_t *arg)
{
    if (op->ew >= 0 && nin >= 1 && nin <= 3) {
        int32_t v = hoist_broadcast(ir, op, at, nin, arg);
        if (v >= 0 || ir->st)
            return v;
    }
    if (op == &agni_op_concat && nin == 1)
        return arg[0];
    for (int r = 0; r < AGNI_COUNT(rules); r++)
        if (rules[r].op == op && nin >= 1)
            return rules[r].apply(ir, op, at, arg);
    return NONE;
}
