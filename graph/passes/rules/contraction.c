/* graph/passes/rules/contraction.c - algebraic simplification: sums of products over two axes as products of
   matrices, sum_k a[i, k] b[j, k] (einsum's contraction), as for functions times points:

       sum(a [F, 1, K] * b [1, P, K], last) = a b^T

   whose array of F P K numbers is not made. Where both axes were merged into rows before, what is done
   row by row is done on both, and their merging comes last: op(reshape x, reshape y) = reshape op(x, y). */
#include "graph/passes/rules/rules.h"

enum { LEAST_SIDE = 4, LEAST_TERMS = 1 << 12 };

/* ---- two axes that were merged ------------------------------------------------------------- */

/* Axis `at` of the result of a reshape, counted from the end, is two adjacent axes of its operand. */
typedef struct merged_axes {
    int at;
    int64_t outer, inner;
} merged_axes;

static int drop_units(const agn_tensor *t, int64_t *size, int *axis)
{
    int n = 0;
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] != 1) {
            axis[n] = d;
            size[n++] = t->shape[d];
        }
    return n;
}

/* v = reshape(x), which merges two axes and nothing else, of a table of rows and columns */
static bool match_merge(const agni_ir *ir, int32_t v, merged_axes *m)
{
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_reshape);
    if (!n || !ir->val[agni_node_arg(ir, n, 0)].table)
        return false;
    const agn_tensor *x = value_tensor(ir, agni_node_arg(ir, n, 0)), *y = value_tensor(ir, v);
    int64_t from[AGNI_MAX_RANK], to[AGNI_MAX_RANK];
    int from_axis[AGNI_MAX_RANK], to_axis[AGNI_MAX_RANK], k = 0;
    int nf = drop_units(x, from, from_axis), nt = drop_units(y, to, to_axis);
    if (nf != nt + 1)
        return false;
    while (k < nt && from[k] == to[k])
        k++;
    if (k == nt || from[k] * from[k + 1] != to[k] ||
        memcmp(from + k + 2, to + k + 1, (size_t)(nt - k - 1) * sizeof *to))
        return false;
    *m = (merged_axes){y->ndim - to_axis[k], from[k], from[k + 1]};
    return true;
}

/* the shape of v with that axis as two; false: it has another length there */
static bool split_shape(const agn_tensor *t, merged_axes m, int64_t *shape)
{
    int at = t->ndim - m.at;
    int64_t both = m.outer * m.inner;
    if (at < 0) {
        memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
        return true;
    }
    if (t->ndim == AGNI_MAX_RANK || (t->shape[at] != 1 && t->shape[at] != both))
        return false;
    for (int d = 0; d < t->ndim; d++)
        shape[d + (d > at)] = t->shape[d];
    shape[at] = t->shape[at] == 1 ? 1 : m.outer;
    shape[at + 1] = t->shape[at] == 1 ? 1 : m.inner;
    return true;
}

/* Operands that were merged alike, memory that can be looked at so, and what has no such axis. */
static int32_t emit_split(agni_ir *ir, int32_t v, merged_axes m)
{
    int64_t shape[AGNI_MAX_RANK];
    const agn_tensor *t = value_tensor(ir, v);
    int at = t->ndim - m.at;
    bool long_axis = at >= 0 && t->shape[at] != 1;
    bool view = ir->val[v].node < 0 || agni_defined_by(ir, v, &agni_op_reshape);
    if (!split_shape(t, m, shape) || (long_axis && !view))
        return NONE;
    return at < 0 ? v : emit_reshape(ir, v, t->ndim + 1, shape);
}

int32_t agni_hoist_merge(agni_ir *ir, const agni_op *op, const agni_attr *at, int nin,
                         const int32_t *arg)
{
    merged_axes m;
    agni_meta y = {0};
    int32_t a[3];
    int k = 0;
    while (k < nin && !match_merge(ir, arg[k], &m))
        k++;
    if (k == nin)
        return NONE;
    for (int i = 0; i < nin; i++) {
        const agn_tensor *t = value_tensor(ir, arg[i]);
        agni_broadcast_into(&y, t->ndim, t->shape);
    }
    for (int i = 0; i < nin; i++) {
        a[i] = emit_split(ir, arg[i], m);
        if (a[i] < 0)
            return NONE;
    }
    return emit_reshape(ir, agni_emit_node(ir, op, at, nin, a), y.ndim, y.shape);
}

/* a sum of merged rows: before they are merged; shape: of the result */
int32_t agni_sum_before_merge(agni_ir *ir, int32_t v, const bool *gone, int n, const int64_t *shape)
{
    merged_axes m;
    int64_t axis[AGNI_MAX_RANK + 2] = {0};
    int k = 0;
    if (!match_merge(ir, v, &m))
        return NONE;
    const agn_tensor *t = value_tensor(ir, v);
    int at = t->ndim - m.at, rank = t->ndim + 1;
    for (int d = 0; d < t->ndim; d++) {
        if (gone[d])
            axis[++k] = d + (d > at) - rank;
        if (gone[d] && d == at)
            axis[++k] = d + 1 - rank;
    }
    int32_t x = emit_split(ir, v, m);
    x = x < 0 ? x : agni_emit_node(ir, &agni_op_sum, &(agni_attr){.ni = k + 1, .i = axis}, 1, &x);
    return emit_reshape(ir, x, n, shape);
}

/* ---- sums of products ---------------------------------------------------------------------- */

/* The axes of an operand, as long as those of the product that are neither: rows of the left or columns
   of the right operand, and the axes summed over; each in one piece. */
typedef struct side {
    int64_t own, terms;
    int first_own, last_own, first_term, last_term, seen;
} side;

static void take_axis(side *s, bool term, int64_t size)
{
    int *first = term ? &s->first_term : &s->first_own, *last = term ? &s->last_term : &s->last_own;
    int64_t *many = term ? &s->terms : &s->own;
    *first = *many == 1 ? s->seen : *first;
    *last = s->seen++;
    *many *= size;
}
static bool is_interleaved(const side *s)
{
    bool after = s->first_own > s->last_term, before = s->last_own < s->first_term;
    return !after && !before;
}

/* v as a matrix of own rows and terms, or of terms and own columns */
static int32_t emit_matrix(agni_ir *ir, int32_t v, const side *s, bool own_first)
{
    bool lies = s->first_own < s->first_term;
    int64_t shape[2] = {lies ? s->own : s->terms, lies ? s->terms : s->own};
    int32_t x = emit_reshape(ir, v, 2, shape);
    agni_attr turn = {.ni = 2, .i = (int64_t[]){-1, -2}};
    return x < 0 || lies == own_first ? x : agni_emit_node(ir, &agni_op_permute, &turn, 1, &x);
}

static int32_t sum_product(agni_ir *ir, int32_t v, const bool *gone, int n, const int64_t *shape)
{
    const agni_pnode *p = agni_defined_by(ir, v, &agni_op_mul);
    const agn_tensor *t = value_tensor(ir, v);
    if (!p || ir->sign || !is_real(ir, v))
        return NONE;
    int32_t arg[2] = {agni_node_arg(ir, p, 0), agni_node_arg(ir, p, 1)};
    side s[2] = {{.own = 1, .terms = 1}, {.own = 1, .terms = 1}};
    int last = -1; /* the operand of the axis before, of those that stay */
    bool turns = false, left = false;
    for (int d = 0; d < t->ndim; d++) {
        bool has[2];
        for (int i = 0; i < 2; i++) {
            const agn_tensor *x = value_tensor(ir, arg[i]);
            int e = d - (t->ndim - x->ndim);
            has[i] = e >= 0 && x->shape[e] != 1;
        }
        if (t->shape[d] == 1)
            continue;
        if (gone[d] != (has[0] && has[1]))
            return NONE;
        for (int i = 0; i < 2; i++)
            if (has[i])
                take_axis(&s[i], gone[d], t->shape[d]);
        if (gone[d])
            continue;
        int of = has[1];
        if (last < 0)
            left = of;
        else if (of != last && turns)
            return NONE; /* axes of one, of the other, and of the first again */
        turns |= last >= 0 && of != last;
        last = of;
    }
    for (int i = 0; i < 2; i++)
        if (s[i].own < LEAST_SIDE || s[i].terms < LEAST_SIDE || is_interleaved(&s[i]))
            return NONE;
    if (s[0].own * s[1].own * s[0].terms < LEAST_TERMS || last < 0)
        return NONE;
    int32_t a = emit_matrix(ir, arg[left], &s[left], true);
    int32_t b = emit_matrix(ir, arg[!left], &s[!left], false);
    return emit_reshape(ir, emit_binary(ir, &agni_op_matmul, a, b), n, shape);
}

/* of a product, or of sums and differences of products */
static int32_t sum_terms(agni_ir *ir, int32_t v, const bool *gone, int n, const int64_t *shape,
                         int depth)
{
    const agni_op *const joins[] = {&agni_op_add, &agni_op_sub};
    for (int k = 0; k < 2; k++) {
        const agni_pnode *p = depth ? agni_defined_by(ir, v, joins[k]) : NULL;
        int32_t x[2], y[2];
        for (int i = 0; p && i < 2; i++)
            x[i] = agni_node_arg(ir, p, i);
        if (!p || !agni_same_shape(value_tensor(ir, x[0]), value_tensor(ir, x[1])))
            continue;
        for (int i = 0; i < 2; i++) {
            y[i] = sum_terms(ir, x[i], gone, n, shape, depth - 1);
            if (y[i] < 0)
                return NONE;
        }
        return emit_binary(ir, joins[k], y[0], y[1]);
    }
    return sum_product(ir, v, gone, n, shape);
}
int32_t agni_sum_of_products(agni_ir *ir, int32_t v, const bool *gone, int n, const int64_t *shape)
{
    enum { DEPTH = 4 };
    return sum_terms(ir, v, gone, n, shape, DEPTH);
}

/* A [M, K] times vectors [..., K, 1] is one product with all of them; vectors of 1 number, the outer
   products of lanes, are products element by element. */
int32_t agni_simplify_lanes(agni_ir *ir, const int32_t *arg)
{
    const agn_tensor *a = value_tensor(ir, arg[0]), *b = value_tensor(ir, arg[1]);
    agni_attr turn = {.ni = 2, .i = (int64_t[]){-1, -2}};
    if (ir->sign || !is_real(ir, arg[0]) || !is_real(ir, arg[1]) || a->ndim < 2 || b->ndim < 2)
        return NONE;
    if (a->ndim == b->ndim && a->ndim > 2 && a->shape[a->ndim - 1] == 1)
        return emit_binary(ir, &agni_op_mul, arg[0], arg[1]);
    int64_t k = b->shape[b->ndim - 2], shape[AGNI_MAX_RANK];
    if (a->ndim != 2 || b->ndim < 3 || b->shape[b->ndim - 1] != 1 || b->size < LEAST_SIDE * k ||
        b->ndim > AGNI_MAX_RANK || k < LEAST_SIDE)
        return NONE;
    int n = b->ndim;
    memcpy(shape, b->shape, (size_t)n * sizeof *shape);
    shape[n - 2] = a->shape[0];
    int32_t x = emit_reshape(ir, arg[1], 2, (int64_t[]){b->size / k, k});
    int32_t w = agni_emit_node(ir, &agni_op_permute, &turn, 1, arg);
    return emit_reshape(ir, emit_binary(ir, &agni_op_matmul, x, w), n, shape);
}
