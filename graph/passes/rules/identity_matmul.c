/* graph/passes/rules/identity_matmul.c - algebraic simplification: a product with rows of an
   identity matrix is rows of the other operand, and one with a diagonal matrix is those rows
   times numbers,

   (c E D) A = c (D's diagonal) A's rows,

   however the axes are spread. A basis of tangents or cotangents begins with an identity matrix,
   and the matrix of a system is an operator applied to one. The zeros beside the diagonal stand
   for absent parts and meet nothing. */
#include "graph/passes/rules/rules.h"

/* v[.., l, .., k, ..] = c times: is k = from + l, times d where there is one */
typedef struct identity {
    int lane, index; /* axes of v, from its end */
    int64_t from;
    double c;
    int32_t d;
    int d_lane, d_index; /* the same axes of d, of which 1s were put in or taken away since */
} identity;

static double element_at(const agn_tensor *t, int64_t i)
{
    return t->dtype == AGN_F64 ? ((double *)t->data)[i] : (double)((float *)t->data)[i];
}

/* the axes of t that are not 1, if they are two */
static bool find_matrix_axes(const agn_tensor *t, int axis[2])
{
    int n = 0;
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] != 1) {
            if (n == 2)
                return false;
            axis[n++] = d - t->ndim;
        }
    return n == 2;
}

bool agni_is_identity_rows(const agn_tensor *t, int64_t *from)
{
    int axis[2];
    bool alike = (t->dtype == AGN_F64 || t->dtype == AGN_F32) && t->size &&
                 find_matrix_axes(t, axis);
    if (!alike || !agni_is_contiguous(t))
        return false;
    int64_t rows = t->shape[t->ndim + axis[0]], cols = t->shape[t->ndim + axis[1]], k = 0;
    while (k < cols && element_at(t, k) == 0)
        k++;
    if (k + rows > cols)
        return false;
    for (int64_t i = 0; i < t->size; i++)
        if (element_at(t, i) != (i % cols == k + i / cols ? element_at(t, k) : 0))
            return false;
    *from = k;
    return true;
}

/* the same axes of t, which is x with 1s put in or taken away */
static bool map_axes_through_reshape(const agn_tensor *x, const agn_tensor *t, identity *u)
{
    int axis[2], was[2];
    if (!find_matrix_axes(x, was) || !find_matrix_axes(t, axis) || was[0] != u->lane ||
        was[1] != u->index || x->shape[x->ndim + was[0]] != t->shape[t->ndim + axis[0]])
        return false;
    u->lane = axis[0];
    u->index = axis[1];
    return true;
}

static bool is_broadcast_along(const agn_tensor *t, int axis)
{
    return t->ndim < -axis || t->shape[t->ndim + axis] == 1;
}

/* scaled: may it be times something? One factor is all that is found. */
static bool match_identity(const agni_ir *ir, int32_t v, bool scaled, identity *u)
{
    const agni_ir_value *q = &ir->val[v];
    const agni_pnode *n = q->node >= 0 ? &ir->node[q->node] : NULL;
    int axis[2];
    if (q->constant && q->identity_rows && find_matrix_axes(q->t, axis)) {
        *u = (identity){axis[0], axis[1], q->from, element_at(q->t, q->from), NONE, 0, 0};
        return true;
    }
    if (!n)
        return false;
    int32_t x = agni_node_arg(ir, n, 0);
    const agn_tensor *s = ir->val[x].t, *t = q->t;
    if (n->op == &agni_op_reshape)
        return match_identity(ir, x, scaled, u) && map_axes_through_reshape(s, t, u);
    if (n->op == &agni_op_broadcast_to)
        return match_identity(ir, x, scaled, u) &&
               s->shape[s->ndim + u->lane] == t->shape[t->ndim + u->lane] &&
               s->shape[s->ndim + u->index] == t->shape[t->ndim + u->index];
    for (int i = 0; scaled && i < 2 && (n->op == &agni_op_mul || n->op == &agni_op_mulz); i++) {
        int32_t e = agni_node_arg(ir, n, i), d = agni_node_arg(ir, n, !i);
        const agn_tensor *f = ir->val[d].t;
        if (ir->val[e].t->ndim == t->ndim && ir->val[d].finite_if_inputs &&
            match_identity(ir, e, false, u) &&
            (is_broadcast_along(f, u->lane) || is_broadcast_along(f, u->index))) {
            u->d = d;
            u->d_lane = u->lane;
            u->d_index = u->index;
            return true;
        }
    }
    return false;
}

/* ---- what the product is --------------------------------------------------------------------- */

static int32_t emit_indexed(agni_ir *ir, const agni_op *op, int32_t v, int ndim,
                            const int64_t *shape)
{
    return v < 0 ? v : agni_emit_node(ir, op, &(agni_attr){.ni = ndim, .i = shape}, 1, &v);
}
/* n places of v along an axis, from one on */
static int32_t emit_slice(agni_ir *ir, int32_t v, int axis, int64_t from, int64_t n)
{
    int64_t at[3 * AGNI_MAX_RANK];
    for (int k = 0; k < -axis; k++) {
        at[3 * k] = k ? 0 : from;
        at[3 * k + 1] = 1;
        at[3 * k + 2] = k ? ir->val[v].t->shape[ir->val[v].t->ndim + axis + k] : n;
    }
    return emit_indexed(ir, &agni_op_slice, v, -3 * axis, at);
}
/* two axes change places; v has as many axes as needed then, 1s in front */
static int32_t emit_swapaxes(agni_ir *ir, int32_t v, int a, int b)
{
    int64_t order[AGNI_MAX_RANK], shape[AGNI_MAX_RANK];
    int n = ir->val[v].t->ndim, least = a < b ? -a : -b, rank = n < least ? least : n;
    for (int k = 0; k < rank; k++) {
        int from_end = k - rank;
        shape[k] = -from_end > n ? 1 : ir->val[v].t->shape[n + from_end];
        order[k] = from_end == a ? b : from_end == b ? a : from_end;
    }
    return emit_indexed(ir, &agni_op_permute, emit_shaped(ir, &agni_op_reshape, v, rank, shape),
                        rank, order);
}

/* the numbers that n rows are multiplied by, along the lanes of the product */
static int32_t emit_diagonal(agni_ir *ir, const identity *u, int64_t n)
{
    const agn_tensor *f = ir->val[u->d].t;
    int64_t shape[AGNI_MAX_RANK] = {f->size == 1 ? 1 : n};
    int32_t d = u->d;
    if (!is_broadcast_along(f, u->d_index)) {
        d = emit_slice(ir, d, u->d_index, u->from, n);
        d = d < 0 ? d : emit_swapaxes(ir, d, u->d_lane, u->d_index);
    }
    for (int k = 1; k < -u->lane; k++)
        shape[k] = 1;
    return u->d_lane == u->lane && u->d_index == u->index
               ? d
               : emit_indexed(ir, &agni_op_reshape, d, -u->lane, shape);
}

int32_t agni_simplify_identity_matmul(agni_ir *ir, const int32_t *arg)
{
    for (int side = 0; side < 2; side++) {
        const agn_tensor *v = ir->val[arg[side]].t, *a = ir->val[arg[!side]].t;
        identity u;
        int axis = side ? -2 : -1; /* that is summed over */
        if (a->ndim != 2 || !ir->val[arg[!side]].finite_if_inputs ||
            !match_identity(ir, arg[side], true, &u))
            continue;
        if (u.lane == axis && v->shape[v->ndim + u.lane] == v->shape[v->ndim + u.index])
            u = (identity){u.index, u.lane, 0, u.c, u.d, u.d_index, u.d_lane};
        if (u.index != axis)
            continue;
        int64_t n = v->shape[v->ndim + u.lane], m = a->shape[side ? 0 : 1], out[AGNI_MAX_RANK],
                apart[AGNI_MAX_RANK];
        int rank = v->ndim, least = u.lane < u.index ? -u.lane : -u.index;
        memcpy(out, v->shape, (size_t)rank * sizeof *out);
        out[rank + u.index] = m;
        for (int k = 0; k < least; k++)
            apart[k] = k - least == u.lane ? n : k - least == u.index ? m : 1;
        int32_t y = emit_slice(ir, arg[!side], side ? -1 : -2, u.from, n), d = u.d;
        if (y >= 0 && side && u.lane < u.index)
            y = emit_swapaxes(ir, y, -1, -2);
        y = emit_indexed(ir, &agni_op_reshape, y, least, apart);
        if (y >= 0 && d != NONE)
            y = (d = emit_diagonal(ir, &u, n)) < 0
                    ? d
                    : agni_emit_node(ir, &agni_op_mul, NULL, 2, (int32_t[]){y, d});
        if (y >= 0 && u.c != 1) {
            int32_t c = agni_ir_add_number(ir, u.c, v->dtype);
            y = agni_emit_node(ir, &agni_op_mul, NULL, 2, (int32_t[]){c, y});
        }
        if (y >= 0 && ir->sign)
            y = agni_add_positive_zero(ir, y);
        return emit_indexed(ir, &agni_op_broadcast_to, y, rank, out);
    }
    return NONE;
}
