/* graph/passes/rules/split_contraction.c - algebraic simplification: a product that sums over lanes
   as well as over the batch is a sum over lanes of products that sum over the batch,

       sum_ln A[l, n, k] B[l, n, j] = sum_l (sum_n A[l, n, k] B[l, n, j])

   The derivative by a weight of what several directions went through is such a product of [L, N, K]
   and [L, N, J], reshaped to matrices of L N rows. As it stands it needs whole arrays; the terms
   of the sum run on tiles of the batch and add to one accumulator. Where A or B is a constant
   that is the same for all n, as directions are in the first layer, the sum over n comes first. */
#include "graph/passes/rules/rules.h"

enum { MOST_LANES = 16, LEAST_ROWS = 64, LEAST_WORK = 1 << 16 };

/* The value [L, N, K] of which v, [L N, K], is a reshape; NONE. It is computed: slices of what is
   in memory are no better than all of it. */
static int32_t match_lanes(const agni_ir *ir, int32_t v)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_reshape);
    int32_t x = n ? agni_node_arg(ir, n, 0) : NONE;
    if (x < 0 || ir->val[x].node < 0 || ir->val[x].t->ndim != 3 || ir->val[v].t->ndim != 2)
        return NONE;
    const agn_tensor *t = ir->val[x].t;
    bool lanes = t->shape[0] > 1 && t->shape[0] <= MOST_LANES && t->shape[1] >= LEAST_ROWS &&
                 t->shape[2] == ir->val[v].t->shape[1];
    return lanes && (t->dtype == AGN_F64 || t->dtype == AGN_F32) ? x : NONE;
}

/* lane l of x, [N, K] */
static int32_t emit_lane(agni_ir *ir, int32_t x, int64_t l)
{
    const agn_tensor *t = ir->val[x].t;
    int64_t rows = t->shape[1], columns = t->shape[2];
    agni_attr part = {.ni = 9, .i = (int64_t[]){l, 1, 1, 0, 1, rows, 0, 1, columns}};
    int32_t v = agni_emit_node(ir, &agni_op_slice, &part, 1, &x);
    agni_attr shape = {.ni = 2, .i = (int64_t[]){rows, columns}};
    return v < 0 ? v : agni_emit_node(ir, &agni_op_reshape, &shape, 1, &v);
}

/* Is a constant the same for all rows of a lane, which lie along an axis, as seeds of directions are? */
static bool repeats_along_rows(const agni_ir *ir, int32_t v, int axis, int64_t rows)
{
    const agn_tensor *t = ir->val[v].t;
    if (!agni_is_readable(t) || t->ndim != 2 || t->shape[axis] % rows)
        return false;
    const char *data = t->data;
    int64_t bytes = agni_dtypes[t->dtype].bytes, across = t->stride[!axis], along = t->stride[axis];
    for (int64_t k = 0; k < t->shape[!axis]; k++)
        for (int64_t i = 1; i < t->shape[axis]; i++) {
            const char *x = data + (k * across + i * along) * bytes;
            if (i % rows && memcmp(x, x - along * bytes, (size_t)bytes))
                return false;
        }
    return true;
}

/* v, [L N, K], or transposed */
static int32_t match_lanes_of(const agni_ir *ir, int32_t v, bool transposed)
{
    const agni_pnode *n = transposed ? agni_defined_by(ir, v, &agni_op_permute) : NULL;
    if (transposed && (!n || ir->val[v].t->ndim != 2 || n->at->ni != 2 || n->at->i[0] != -1))
        return NONE;
    return match_lanes(ir, transposed ? agni_node_arg(ir, n, 0) : v);
}

/* of such a constant, the left or the right operand: a product with sums over the batch */
static int32_t sum_lanes(agni_ir *ir, const int32_t *arg, bool right)
{
    int32_t x = match_lanes_of(ir, arg[!right], right);
    const agn_tensor *t = x < 0 ? NULL : ir->val[x].t;
    if (!t || ir->val[arg[right]].t->dtype != t->dtype ||
        !repeats_along_rows(ir, arg[right], !right, t->shape[1]))
        return NONE;
    int64_t lanes = t->shape[0], rows = t->shape[1], other = ir->val[arg[right]].t->shape[right];
    agni_attr first = {.ni = 6, .i = right ? (int64_t[]){0, rows, lanes, 0, 1, other}
                                           : (int64_t[]){0, 1, other, 0, rows, lanes}};
    agni_attr over = {.ni = 2, .i = (int64_t[]){0, -2}}, turn = {.ni = 2, .i = (int64_t[]){-1, -2}};
    int32_t c = agni_emit_node(ir, &agni_op_slice, &first, 1, &arg[right]);
    int32_t sum = agni_emit_node(ir, &agni_op_sum, &over, 1, &x);
    if (right && sum >= 0)
        sum = agni_emit_node(ir, &agni_op_permute, &turn, 1, &sum);
    return right ? emit_binary(ir, &agni_op_matmul, sum, c)
                 : emit_binary(ir, &agni_op_matmul, c, sum);
}

int32_t agni_simplify_split_contraction(agni_ir *ir, const int32_t *arg)
{
    for (int i = 0; i < 2; i++)
        if (ir->val[arg[i]].constant && !(ir->sign & AGNI_SIGN_SEEN)) {
            int32_t few = sum_lanes(ir, arg, i == 1);
            if (few >= 0 || ir->st)
                return few;
        }
    int32_t a = match_lanes_of(ir, arg[0], true), b = match_lanes_of(ir, arg[1], false);
    if (a < 0 || b < 0 || ir->val[a].t->shape[0] != ir->val[b].t->shape[0])
        return NONE;
    const int64_t lanes = ir->val[a].t->shape[0];
    if (ir->val[b].t->size * ir->val[a].t->shape[2] < LEAST_WORK)
        return NONE;
    int32_t sum = NONE;
    for (int64_t l = 0; l < lanes && !ir->st; l++) {
        int32_t x[2] = {emit_lane(ir, a, l), emit_lane(ir, b, l)};
        agni_attr swap = {.ni = 2, .i = (int64_t[]){-1, -2}};
        x[0] = x[0] < 0 ? NONE : agni_emit_node(ir, &agni_op_permute, &swap, 1, &x[0]);
        int32_t y = x[0] < 0 ? NONE : agni_emit_node(ir, &agni_op_matmul, NULL, 2, x);
        sum = sum < 0 || y < 0 ? y : agni_emit_node(ir, &agni_op_add, NULL, 2, (int32_t[]){sum, y});
    }
    return sum;
}
