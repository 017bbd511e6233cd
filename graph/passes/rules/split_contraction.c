/* graph/passes/rules/split_contraction.c - algebraic simplification: a product that sums over lanes
   as well as over the batch is a sum over lanes of products that sum over the batch,

       sum_ln A[l, n, k] B[l, n, j] = sum_l (sum_n A[l, n, k] B[l, n, j])

   The derivative by a weight of what several directions went through is such a product of [L, N, K]
   and [L, N, J], reshaped to matrices of L N rows. As it stands it needs whole arrays; the terms
   of the sum run on tiles of the batch and add to one accumulator. Where A is a constant that is the
   same for all n, as directions are in the first layer, the sum over n comes first. */
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

/* Is a constant, [K, L N], the same for all rows of a lane, as seeds of directions are? */
static bool repeats_along_rows(const agni_ir *ir, int32_t v, int64_t rows)
{
    const agn_tensor *t = ir->val[v].t;
    if (t->ndim != 2 || t->shape[1] % rows)
        return false;
    const char *data = t->data;
    int64_t bytes = agni_dtypes[t->dtype].bytes;
    const int64_t *step = t->stride;
    for (int64_t k = 0; k < t->shape[0]; k++)
        for (int64_t i = 1; i < t->shape[1]; i++) {
            const char *x = data + (k * step[0] + i * step[1]) * bytes;
            if (i % rows && memcmp(x, x - step[1] * bytes, (size_t)bytes))
                return false;
        }
    return true;
}

/* of such a constant: a product with sums over the batch */
static int32_t sum_lanes(agni_ir *ir, const int32_t *arg)
{
    int32_t b = match_lanes(ir, arg[1]);
    const agn_tensor *t = b < 0 ? NULL : ir->val[b].t;
    if (!t || ir->val[arg[0]].t->dtype != t->dtype ||
        !repeats_along_rows(ir, arg[0], t->shape[1]))
        return NONE;
    agni_attr one = {.ni = 3, .i = (int64_t[]){0, t->shape[1], t->shape[0]}};
    agni_attr over = {.ni = 2, .i = (int64_t[]){0, -2}};
    int32_t c = agni_emit_node(ir, &agni_op_slice, &one, 1, arg);
    int32_t sum = agni_emit_node(ir, &agni_op_sum, &over, 1, &b);
    return emit_binary(ir, &agni_op_matmul, c, sum);
}

int32_t agni_simplify_split_contraction(agni_ir *ir, const int32_t *arg)
{
    int32_t few = ir->val[arg[0]].constant && !(ir->sign & AGNI_SIGN_SEEN) ? sum_lanes(ir, arg) : NONE;
    if (few >= 0 || ir->st)
        return few;
    const agni_pnode *n = agni_defined_by(ir, arg[0], &agni_op_permute);
    if (!n || ir->val[arg[0]].t->ndim != 2 || n->at->ni != 2 || n->at->i[0] != -1 ||
        ir->val[arg[1]].t->ndim != 2)
        return NONE;
    int32_t a = match_lanes(ir, agni_node_arg(ir, n, 0)), b = match_lanes(ir, arg[1]);
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
