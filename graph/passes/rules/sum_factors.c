/* graph/passes/rules/sum_factors.c - factors that do not vary along the axes of a sum stand before
   it (the distributive law, as in loop-invariant code motion: Aho, Lam, Sethi and Ullman 2006, 9.5):

       sum_i w_i (w_i y) = (sum_i w_i w_i) y

   The second derivatives of a layer along several directions are such sums. What is left to be summed is a
   square: its terms have one sign, so that an infinite y meets no infinity of the other sign before it
   stands alone either. */
#include "graph/passes/rules/rules.h"

enum { MOST_FACTORS = 8 };

typedef struct product {
    int32_t factor[MOST_FACTORS], n;
} product;

/* false: of too many factors */
static bool add_factors(const agni_ir *ir, int32_t v, const agn_tensor *like, product *p)
{
    const agni_pnode *n = ir->val[v].node >= 0 ? &ir->node[ir->val[v].node] : NULL;
    bool twice = n && n->op == &agni_op_square;
    if (n && (twice || n->op == &agni_op_mul) && value_tensor(ir, v)->dtype == like->dtype) {
        product before = *p;
        int32_t a = agni_node_arg(ir, n, 0), b = twice ? a : agni_node_arg(ir, n, 1);
        if (p->n < MOST_FACTORS && add_factors(ir, a, like, p) && add_factors(ir, b, like, p))
            return true;
        *p = before;
    }
    if (p->n == MOST_FACTORS)
        return false;
    p->factor[p->n++] = v;
    return true;
}
/* how many of the axes that are summed x has; *all: each of them */
static int summed_axes(const agn_tensor *x, const agn_tensor *like, const bool *gone, bool *all)
{
    int many = 0;
    *all = true;
    for (int d = 0; d < like->ndim; d++) {
        int e = d - (like->ndim - x->ndim);
        bool has = e >= 0 && x->shape[e] != 1;
        if (!gone[d] || like->shape[d] == 1)
            continue;
        many += has;
        *all = *all && has;
    }
    return many;
}
/* x, which has none of the axes that are summed, in the shape that the sum leaves */
static int32_t emit_without_axes(agni_ir *ir, int32_t x, const agn_tensor *like, const bool *gone,
                                 bool keeps)
{
    const agn_tensor *t = value_tensor(ir, x);
    int64_t shape[AGNI_MAX_RANK];
    int n = 0;
    for (int e = 0; e < t->ndim; e++)
        if (keeps || !gone[e + like->ndim - t->ndim])
            shape[n++] = t->shape[e];
    return emit_reshape(ir, x, n, shape);
}
static int32_t emit_product(agni_ir *ir, const product *p)
{
    int32_t y = p->factor[0];
    for (int32_t i = 1; i < p->n; i++)
        y = emit_binary(ir, &agni_op_mul, y, p->factor[i]);
    return y;
}

typedef struct summation {
    const agni_op *op;
    const agni_attr *at;
    const bool *gone; /* axes that are summed */
    int32_t n;        /* axes of the result */
    const int64_t *shape;
} summation;

/* does each factor occur an even number of times? */
static bool is_square(const product *p)
{
    bool even = true;
    for (int32_t i = 0; i < p->n; i++) {
        int32_t many = 0;
        for (int32_t j = 0; j < p->n; j++)
            many += p->factor[j] == p->factor[i];
        even = even && many % 2 == 0;
    }
    return even;
}

/* The sum of a product, or NONE where no factor stands still or the others are no square. smaller: what is left to be summed
   must have fewer elements. */
static int32_t sum_product(agni_ir *ir, const summation *of, int32_t v, bool smaller)
{
    const agni_pnode *node = agni_defined_by(ir, v, &agni_op_mul);
    product all = {.n = 0}, moving = {.n = 0}, still = {.n = 0};
    if (!node)
        return NONE;
    agn_tensor *like = agni_tensor_ref(value_tensor(ir, v)); /* values move when one is made */
    int32_t y = NONE;
    bool fits = add_factors(ir, v, like, &all), full = false, number = true;
    for (int32_t i = 0; fits && i < all.n; i++) {
        const agn_tensor *x = value_tensor(ir, all.factor[i]);
        product *p = summed_axes(x, like, of->gone, &full) ? &moving : &still;
        p->factor[p->n++] = all.factor[i];
        number = number && (p == &moving || x->size == 1);
    }
    if (fits && still.n && moving.n && !number && is_square(&moving)) {
        int32_t x = emit_product(ir, &moving);
        if (x >= 0)
            summed_axes(value_tensor(ir, x), like, of->gone, &full);
        full = full && !(smaller && x >= 0 && value_tensor(ir, x)->size == like->size);
        if (x >= 0 && full && value_tensor(ir, x)->ndim == like->ndim) {
            y = agni_emit_node(ir, of->op, of->at, 1, &x);
            for (int32_t i = 0; i < still.n; i++)
                still.factor[i] = emit_without_axes(ir, still.factor[i], like, of->gone,
                                                    of->at->i[0] != 0);
            y = emit_binary(ir, &agni_op_mul, y, emit_product(ir, &still));
            y = emit_broadcast(ir, y, of->n, of->shape);
        }
    }
    agn_release(like);
    return y;
}
/* of sums and differences whose terms are such products, in part */
static int32_t sum_terms(agni_ir *ir, const summation *of, int32_t v, int depth)
{
    const agni_op *const joins[] = {&agni_op_add, &agni_op_sub};
    for (int k = 0; depth && k < 2; k++) {
        const agni_pnode *p = agni_defined_by(ir, v, joins[k]);
        int32_t x[2], y[2];
        for (int i = 0; p && i < 2; i++)
            x[i] = agni_node_arg(ir, p, i);
        if (!p || !agni_same_shape(value_tensor(ir, x[0]), value_tensor(ir, x[1])))
            continue;
        for (int i = 0; i < 2; i++)
            y[i] = sum_terms(ir, of, x[i], depth - 1);
        if (y[0] < 0 && y[1] < 0)
            return NONE;
        for (int i = 0; i < 2; i++)
            y[i] = y[i] >= 0 ? y[i] : agni_emit_node(ir, of->op, of->at, 1, &x[i]);
        return emit_binary(ir, joins[k], y[0], y[1]);
    }
    return sum_product(ir, of, v, true);
}

int32_t agni_sum_without_factors(agni_ir *ir, const agni_op *op, const agni_attr *at, int32_t v,
                                 const bool *gone, int n, const int64_t *shape)
{
    enum { DEPTH = 4 };
    const summation of = {op, at, gone, n, shape};
    if (ir->sign || !is_real(ir, v) || !value_tensor(ir, v)->size) /* 0, whatever the factors are */
        return NONE;
    int32_t y = sum_product(ir, &of, v, false);
    return y >= 0 || ir->st ? y : sum_terms(ir, &of, v, DEPTH);
}
