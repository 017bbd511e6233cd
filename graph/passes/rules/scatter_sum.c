/* graph/passes/rules/scatter_sum.c - algebraic simplification: a sum of disjoint pieces, each
   padded with zeros, is their concat. Cotangents of slices of one value add up to such sums.
   Zeros between pieces are pieces as well: a later summand may fill them. */
#include "graph/passes/rules/rules.h"

enum { MOST = 32 };

/* along one axis; v NONE: zeros */
typedef struct piece {
    int64_t from, size;
    int32_t v;
} piece;
typedef struct pieces {
    int n, axis; /* from the end, negative */
    piece p[MOST];
} pieces;

static bool add_piece(pieces *q, int64_t from, int64_t size, int32_t v)
{
    if (size == 0)
        return true;
    if (q->n == MOST)
        return false;
    q->p[q->n++] = (piece){from, size, v};
    return true;
}

/* put into zeros along one axis, without steps */
static bool pieces_of_unslice(const agni_ir *ir, int32_t v, const agni_pnode *n, pieces *q)
{
    int32_t x = agni_node_arg(ir, n, 0);
    const agn_tensor *in = ir->val[x].t, *out = ir->val[v].t;
    int axes = n->at ? n->at->ni / 3 : 0, d = 0;
    for (int k = 0; k < axes; k++)
        if (in->shape[in->ndim - axes + k] != out->shape[out->ndim - axes + k]) {
            if (q->axis || (in->shape[in->ndim - axes + k] > 1 && n->at->i[3 * k + 1] != 1))
                return false;
            q->axis = k - axes;
            d = k;
        }
    if (!q->axis)
        return false;
    int64_t from = n->at->i[3 * d], size = in->shape[in->ndim + q->axis];
    int64_t end = out->shape[out->ndim + q->axis];
    return add_piece(q, 0, from, NONE) && add_piece(q, from, size, x) &&
           add_piece(q, from + size, end - from - size, NONE);
}

static bool pieces_of_concat(const agni_ir *ir, const agni_pnode *n, pieces *q)
{
    int64_t from = 0;
    bool good = true;
    q->axis = (int)n->at->i[0];
    for (int i = 0; good && i < n->nin; i++) {
        int32_t x = agni_node_arg(ir, n, i), number = x;
        const agni_pnode *b = agni_defined_by(ir, x, &agni_op_broadcast_to);
        if (b)
            number = agni_node_arg(ir, b, 0);
        const agni_ir_value *c = &ir->val[number];
        bool zero = c->constant && c->splat && c->num == 0 && !signbit(c->num);
        int64_t size = ir->val[x].t->shape[ir->val[x].t->ndim + q->axis];
        good = add_piece(q, from, size, zero ? NONE : x);
        from += size;
    }
    return good;
}

static bool pieces_of(const agni_ir *ir, int32_t v, pieces *q)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_unslice);
    *q = (pieces){0};
    if (n)
        return pieces_of_unslice(ir, v, n, q);
    n = agni_defined_by(ir, v, &agni_op_concat);
    return n && pieces_of_concat(ir, n, q);
}

/* the pieces of both that are not zeros, in order, with zeros between them */
static bool merge_pieces(const pieces *a, const pieces *b, int64_t end, pieces *q)
{
    int64_t at = 0;
    int i = 0, j = 0;
    *q = (pieces){.axis = a->axis};
    for (;;) {
        while (i < a->n && a->p[i].v == NONE)
            i++;
        while (j < b->n && b->p[j].v == NONE)
            j++;
        if (i == a->n && j == b->n)
            return add_piece(q, at, end - at, NONE);
        bool first = j == b->n || (i < a->n && a->p[i].from < b->p[j].from);
        const piece *p = first ? &a->p[i++] : &b->p[j++];
        if (p->from < at || !add_piece(q, at, p->from - at, NONE) ||
            !add_piece(q, p->from, p->size, p->v))
            return false;
        at = p->from + p->size;
    }
}

static int32_t emit_zeros(agni_ir *ir, const agn_tensor *like, int axis, int64_t size)
{
    int64_t shape[AGNI_MAX_RANK];
    for (int d = 0; d < like->ndim; d++)
        shape[d] = d == like->ndim + axis ? size : like->shape[d];
    int32_t v = agni_ir_add_number(ir, 0, like->dtype);
    return v < 0 ? v
                 : agni_emit_node(ir, &agni_op_broadcast_to,
                                  &(agni_attr){.ni = like->ndim, .i = shape}, 1, &v);
}

/* -0 + 0 is 0, where the sign of a zero is seen */
int32_t agni_add_positive_zero(agni_ir *ir, int32_t v)
{
    int32_t a[2] = {agni_ir_add_number(ir, 0, ir->val[v].t->dtype), v};
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_add);
    if (a[0] < 0 || (n && (agni_node_arg(ir, n, 0) == a[0] || agni_node_arg(ir, n, 1) == a[0])))
        return a[0] < 0 ? a[0] : v;
    return agni_emit_node(ir, &agni_op_add, NULL, 2, a);
}

static int32_t concat_pieces(agni_ir *ir, int32_t x, int32_t y)
{
    const agn_tensor *t = ir->val[x].t;
    pieces a, b, q;
    if (!agni_same_shape(t, ir->val[y].t) || !pieces_of(ir, x, &a) || !pieces_of(ir, y, &b) ||
        a.axis != b.axis || !merge_pieces(&a, &b, t->shape[t->ndim + a.axis], &q))
        return NONE;
    int32_t v[MOST];
    for (int i = 0; i < q.n; i++) {
        v[i] = q.p[i].v == NONE ? emit_zeros(ir, t, q.axis, q.p[i].size)
               : ir->sign       ? agni_add_positive_zero(ir, q.p[i].v)
                                : q.p[i].v;
        if (v[i] < 0)
            return NONE;
    }
    return agni_emit_node(ir, &agni_op_concat, &(agni_attr){.ni = 1, .i = (int64_t[]){q.axis}}, q.n,
                          v);
}

int32_t agni_simplify_scatter_sum(agni_ir *ir, const int32_t *arg)
{
    if (agni_kind(ir->val[arg[0]].t->dtype) < AGNI_KIND_FLOAT)
        return NONE;
    int32_t v = concat_pieces(ir, arg[0], arg[1]);
    /* (x + a) + b = x + concat(a, b), bit by bit */
    for (int i = 0; i < 2 && v < 0 && !ir->st; i++) {
        const agni_pnode *n = agni_defined_by(ir, arg[i], &agni_op_add);
        int32_t in[2] = {n ? agni_node_arg(ir, n, 0) : NONE, n ? agni_node_arg(ir, n, 1) : NONE};
        for (int k = 0; n && k < 2 && v < 0 && !ir->st; k++)
            if ((v = concat_pieces(ir, in[k], arg[!i])) >= 0)
                v = agni_emit_node(ir, &agni_op_add, NULL, 2, (int32_t[]){in[!k], v});
    }
    return v;
}
