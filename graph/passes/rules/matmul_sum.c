/* graph/passes/rules/matmul_sum.c - algebraic simplification: a sum of products of matrices is one
   product of concatenated operands,

       A B + C D = [A C] [B
                          D]

   which is read and written once. The derivative by a weight of all that went through it is such a
   sum. What is copied is small where few rows meet in many numbers; more of them run on tiles,
   which add to one accumulator anyway (partition.c). */
#include "graph/passes/rules/rules.h"

enum { MOST = 16, FEW_ROWS = 64, MANY = 1 << 12 };

/* operands of a concat along an axis (-1, -2), taken out of concats that are there */
typedef struct parts {
    int32_t v[MOST];
    int n;
} parts;
static bool collect_parts(const agni_ir *ir, int32_t v, int axis, parts *p)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_concat);
    bool open = n && n->at->i[0] == axis;
    int many = open ? n->nin : 1;
    if (p->n + many > MOST)
        return false;
    for (int i = 0; i < many; i++)
        p->v[p->n++] = open ? agni_node_arg(ir, n, i) : v;
    return true;
}
static int32_t emit_concat(agni_ir *ir, int32_t x, int32_t y, int axis)
{
    parts p = {.n = 0};
    if (!collect_parts(ir, x, axis, &p) || !collect_parts(ir, y, axis, &p))
        return NONE;
    return agni_emit_node(ir, &agni_op_concat, &(agni_attr){.ni = 1, .i = (int64_t[]){axis}}, p.n,
                          p.v);
}

/* The argument of a transpose, -1 for none. Where both have one, it moves out. */
static int32_t match_transpose(const agni_ir *ir, int32_t v)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_permute);
    return n && n->at->ni == 2 && n->at->i[0] == -1 && n->at->i[1] == -2 ? agni_node_arg(ir, n, 0)
                                                                         : NONE;
}
static int32_t concat_columns(agni_ir *ir, int32_t x, int32_t y)
{
    int32_t xt = match_transpose(ir, x), yt = match_transpose(ir, y);
    if (xt < 0 || yt < 0)
        return emit_concat(ir, x, y, -1);
    int32_t v = emit_concat(ir, xt, yt, -2);
    return v < 0 ? v
                 : agni_emit_node(ir, &agni_op_permute,
                                  &(agni_attr){.ni = 2, .i = (int64_t[]){-1, -2}}, 1, &v);
}

int32_t agni_simplify_matmul_sum(agni_ir *ir, const int32_t *arg)
{
    int32_t a[2], b[2];
    int64_t k[2];
    for (int i = 0; i < 2; i++) {
        const agni_pnode *n = agni_defined_by(ir, arg[i], &agni_op_matmul);
        if (!n || ir->val[arg[i]].t->ndim != 2)
            return NONE;
        a[i] = agni_node_arg(ir, n, 0);
        b[i] = agni_node_arg(ir, n, 1);
        if (ir->val[a[i]].t->ndim != 2 || ir->val[b[i]].t->ndim != 2)
            return NONE;
        k[i] = ir->val[a[i]].t->shape[1];
    }
    const agn_tensor *y = ir->val[arg[0]].t;
    int64_t m = y->shape[0], n = y->shape[1];
    bool few = (k[0] < FEW_ROWS || k[1] < FEW_ROWS) && m * n > MANY && 2 * (k[0] + k[1]) <= m &&
               2 * (k[0] + k[1]) <= n;
    if (!few || (y->dtype != AGN_F64 && y->dtype != AGN_F32) ||
        !agni_same_shape(y, ir->val[arg[1]].t))
        return NONE;
    int32_t x[2] = {concat_columns(ir, a[0], a[1]), NONE};
    x[1] = x[0] < 0 ? NONE : emit_concat(ir, b[0], b[1], -2);
    return x[1] < 0 ? NONE : agni_emit_node(ir, &agni_op_matmul, NULL, 2, x);
}
