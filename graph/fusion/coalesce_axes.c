/* graph/fusion/coalesce_axes.c - adjacent axes that element-wise nodes treat alike become one:
   [50, 16, 768] with [16, 768] is 50 rows of 12288 numbers, and tiles of neighbouring numbers of
   all rows are independent of one another. What ran on whole arrays may run on tiles then, and
   what ran on tiles without any product, along an axis that is not the last one, on tiles that
   lie in rows. */
#include "graph/fusion/tile_forms.h"

#include <string.h>

enum { MOST_SHAPES = 12, LEAST = 256 };

/* The last axes of a value: those of the block, ones, or others. */
enum { OTHER, ONES, BLOCK };

typedef struct block {
    int n, dtype;
    int64_t shape[AGNI_MAX_RANK], size;
    bool stays[AGNI_GROUPS]; /* groups of the cut: with products, or some nodes that do not fit */
} block;

typedef struct coalescing {
    const agni_ir *ir; /* as it was */
    const agni_partition *cut;
    block block[AGNI_MAX_COALESCED];
    int n_block;
    int8_t *of; /* of nodes: their block, -1 */
    bool products[AGNI_GROUPS]; /* groups of the cut: with some */
} coalescing;

static int match_trailing_axes(const agn_tensor *t, const block *b)
{
    bool same = t->ndim >= b->n, ones = true;
    for (int k = 1; k <= b->n && k <= t->ndim; k++) {
        same = same && t->shape[t->ndim - k] == b->shape[b->n - k];
        ones = ones && t->shape[t->ndim - k] == 1;
    }
    return ones ? ONES : same ? BLOCK : OTHER;
}

/* Is v in rows one behind the other, so that another shape of it costs nothing? */
static bool is_row_major(const coalescing *m, int32_t v)
{
    const agni_ir_value *q = &m->ir->val[v];
    if (q->constant)
        return agni_is_contiguous(q->t);
    const agni_op *op = q->node < 0 ? NULL : m->ir->node[q->node].op;
    return !op || !op->view || op == &agni_op_reshape || m->of[q->node] >= 0;
}

/* a sum over all axes of the block or none */
static bool sums_whole_block(const agni_pnode *n, const block *b)
{
    int within = 0;
    for (int k = 1; k < n->at->ni; k++)
        within += n->at->i[k] >= -b->n;
    return !within || within == b->n;
}

/* a move of what lies before the block's axes, x to y; rows of the result are rows of x */
static bool moves_leading_axes(const agni_pnode *n, const agn_tensor *x, const block *b)
{
    if (n->op == &agni_op_reshape || n->op == &agni_op_concat)
        return n->op == &agni_op_reshape || n->at->i[0] < -b->n;
    int m = n->at ? n->at->ni / 3 : 0;
    bool whole = n->op == &agni_op_slice && m > b->n;
    for (int k = m - b->n; whole && k < m; k++)
        whole = n->at->i[3 * k] == 0 && n->at->i[3 * k + 1] == 1 &&
                n->at->i[3 * k + 2] == x->shape[x->ndim - m + k];
    return whole;
}

/* on whole arrays, or in a group that need not stay */
static bool may_coalesce(const coalescing *m, int k, const bool *stays)
{
    return m->of[k] < 0 && (m->cut->mode[k] == AGNI_WHOLE || !stays[m->cut->group[k]]);
}

static bool is_coalescible(const coalescing *m, int k, const block *b)
{
    const agni_pnode *n = &m->ir->node[k];
    const agn_tensor *y = m->ir->val[n->val].t;
    agni_elementwise_form form;
    if (!may_coalesce(m, k, b->stays) || n->nout != 1 || n->nin < 1)
        return false;
    bool sum = n->op == &agni_op_sum && sums_whole_block(n, b),
         wide = n->op == &agni_op_broadcast_to;
    bool each = n->nin <= 3 && agni_tile_elementwise_form(n->op, b->dtype, &form);
    bool move = moves_leading_axes(n, m->ir->val[agni_node_arg(m->ir, n, 0)].t, b);
    if ((!sum && !wide && !each && !move) || (!sum && match_trailing_axes(y, b) != BLOCK) ||
        (y->dtype != b->dtype && y->dtype != AGN_BOOL) || y->size / b->size > AGNI_MAX_ROW)
        return false;
    for (int i = 0; i < n->nin; i++) {
        const agn_tensor *x = m->ir->val[agni_node_arg(m->ir, n, i)].t;
        int end = match_trailing_axes(x, b);
        bool good = (end == BLOCK && is_row_major(m, agni_node_arg(m->ir, n, i))) ||
                    (end == ONES && !sum && !move);
        if (!good || (x->dtype != b->dtype && x->dtype != AGN_BOOL) ||
            x->size / b->size > AGNI_MAX_ROW)
            return false;
    }
    return true;
}

/* Tiles of few rows are no better than whole arrays: what does not fit holds nothing else there. */
static bool has_few_rows(const coalescing *m, int k)
{
    return m->cut->extent[m->cut->group[k]].n < AGNI_WIDE_ROWS;
}

/* Of the groups that go together or stay together, those go of which all nodes fit: numbers that
   they and single nodes make, 0 where they are too few. */
static int64_t coalescing_gain(const coalescing *m, block *b)
{
    int64_t sum = 0;
    int many = 0;
    for (int k = 0; k < m->ir->n_node; k++)
        if (m->cut->mode[k] != AGNI_WHOLE && may_coalesce(m, k, b->stays) &&
            !is_coalescible(m, k, b) && !has_few_rows(m, k))
            b->stays[m->cut->group[k]] = true;
    for (int k = 0; k < m->ir->n_node; k++)
        if (m->ir->node[k].op->ew >= 0 && is_coalescible(m, k, b)) {
            many++;
            sum += m->ir->val[m->ir->node[k].val].t->size;
        }
    return many < AGNI_MIN_NODES ? 0 : sum;
}

static bool same_block(const block *a, const block *b)
{
    return a->n == b->n && a->dtype == b->dtype &&
           !memcmp(a->shape, b->shape, (size_t)a->n * sizeof *a->shape);
}

/* the last n axes of t among the blocks that may be chosen */
static void add_candidate(const coalescing *m, block *b, int *n_b, const agn_tensor *t, int n)
{
    block x = {.n = n, .dtype = t->dtype, .size = 1};
    memcpy(x.stays, m->products, sizeof x.stays);
    for (int k = 0; k < n; k++)
        x.size *= x.shape[k] = t->shape[t->ndim - n + k];
    bool known = t->ndim < 2 || *n_b == MOST_SHAPES || x.size < LEAST || x.size > INT32_MAX ||
                 (t->dtype != AGN_F32 && t->dtype != AGN_F64);
    for (int j = 0; j < *n_b && !known; j++)
        known = same_block(&b[j], &x);
    if (!known)
        b[(*n_b)++] = x;
}

/* shapes of operands and results of what does not run on tiles, and their last axes: which more may
   have than any shape */
static int list_candidates(const coalescing *m, block *b)
{
    int n_b = 0;
    for (int k = 0; k < m->ir->n_node; k++) {
        const agni_pnode *n = &m->ir->node[k];
        if (n->op->ew < 0 || !may_coalesce(m, k, m->products))
            continue;
        for (int i = 0; i <= n->nin; i++) {
            const agn_tensor *t = m->ir->val[i < n->nin ? agni_node_arg(m->ir, n, i) : n->val].t;
            add_candidate(m, b, &n_b, t, t->ndim);
            add_candidate(m, b, &n_b, t, 1);
        }
    }
    return n_b;
}

/* the block that most is made of, and its nodes; false for none */
static bool choose_block(coalescing *m)
{
    block b[MOST_SHAPES];
    int n = list_candidates(m, b), best = -1;
    int64_t most = 0;
    for (int i = 0; i < n; i++) {
        int64_t w = coalescing_gain(m, &b[i]);
        w -= b[i].n == 1 ? w / 4 : 0; /* long rows are better than many */
        if (w > most) {
            most = w;
            best = i;
        }
    }
    if (best < 0)
        return false;
    m->block[m->n_block] = b[best];
    for (int k = 0; k < m->ir->n_node; k++)
        if (is_coalescible(m, k, &b[best]))
            m->of[k] = (int8_t)m->n_block;
    m->n_block++;
    return true;
}

/* ---- the program with merged axes ------------------------------------------------------------ */

static int32_t emit_reshape(agni_ir *ir, int32_t v, int ndim, const int64_t *shape)
{
    const agn_tensor *t = ir->val[v].t;
    if (t->ndim == ndim && (!ndim || !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)))
        return v;
    const agni_pnode *n = agni_defined_by(ir, v, &agni_op_reshape);
    t = n ? ir->val[agni_node_arg(ir, n, 0)].t : NULL;
    if (t && t->ndim == ndim && (!ndim || !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)))
        return agni_node_arg(ir, n, 0);
    return agni_emit_node(ir, &agni_op_reshape, &(agni_attr){.ni = ndim, .i = shape}, 1, &v);
}

/* a shape that ends like the block, or in ones, with one axis in place of these */
static int coalesced_shape(const agn_tensor *t, const block *b, int64_t *shape)
{
    int lead = t->ndim - b->n;
    if (lead < 0)
        return 0;
    memcpy(shape, t->shape, (size_t)lead * sizeof *shape);
    shape[lead] = match_trailing_axes(t, b) == BLOCK ? b->size : 1;
    return lead + 1;
}

/* its axes, which count from the end */
static int coalesced_axes(const agni_attr *at, const block *b, int64_t *i)
{
    int n = 1;
    bool within = false;
    i[0] = at->i[0];
    for (int k = 1; k < at->ni; k++)
        if (at->i[k] < -b->n)
            i[n++] = at->i[k] + b->n - 1;
        else
            within = true;
    if (within)
        i[n++] = -1;
    return n;
}

/* parts of the leading axes, and of the merged one all */
static int coalesced_slice(const agni_attr *at, const block *b, int64_t *i)
{
    int lead = at->ni / 3 - b->n;
    memcpy(i, at->i, (size_t)(3 * lead) * sizeof *i);
    i[3 * lead] = 0;
    i[3 * lead + 1] = 1;
    i[3 * lead + 2] = b->size;
    return 3 * (lead + 1);
}

static int32_t coalesce_node(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    const coalescing *m = user;
    const agni_pnode *n = &m->ir->node[k];
    if (m->of[k] < 0)
        return -1;
    const block *b = &m->block[m->of[k]];
    const agn_tensor *y = m->ir->val[n->val].t;
    int64_t shape[AGNI_MAX_RANK], ints[3 * AGNI_MAX_RANK + 1];
    int32_t few[MOST_SHAPES],
        *a = n->nin > MOST_SHAPES ? agni_alloc((size_t)n->nin * sizeof *a) : few;
    int32_t v = -1;
    if (!a)
        ir->st = agni_nomem("compile", (size_t)n->nin * sizeof *a);
    for (int i = 0; i < n->nin && !ir->st; i++) {
        int nd = coalesced_shape(ir->val[arg[i]].t, b, shape);
        a[i] = emit_reshape(ir, arg[i], nd, shape);
    }
    if (ir->st)
        goto done;
    if (n->op == &agni_op_sum)
        v = agni_emit_node(ir, n->op, &(agni_attr){.ni = coalesced_axes(n->at, b, ints), .i = ints},
                           1, a);
    else if (n->op == &agni_op_concat)
        v = agni_emit_node(
            ir, n->op, &(agni_attr){.ni = 1, .i = (int64_t[]){n->at->i[0] + b->n - 1}}, n->nin, a);
    else if (n->op == &agni_op_slice)
        v = agni_emit_node(ir, n->op,
                           &(agni_attr){.ni = coalesced_slice(n->at, b, ints), .i = ints}, 1, a);
    else if (n->op == &agni_op_reshape)
        v = emit_reshape(ir, a[0], coalesced_shape(y, b, shape), shape);
    else if (n->op == &agni_op_broadcast_to)
        v = agni_emit_node(ir, n->op, &(agni_attr){.ni = coalesced_shape(y, b, shape), .i = shape},
                           1, a);
    else
        v = agni_emit_node(ir, n->op, n->at, n->nin, a);
    v = v < 0 ? v : emit_reshape(ir, v, y->ndim, y->shape);
done:
    if (a != few)
        agni_free(a);
    return v;
}

agn_status agni_coalesce_axes(agni_ir **ir, const agni_partition *cut)
{
    coalescing m = {.ir = *ir, .cut = cut};
    agni_ir *made = NULL;
    size_t nn = (size_t)m.ir->n_node + 1;
    m.of = agni_alloc(nn);
    if (!m.of)
        return agni_nomem("compile", nn);
    memset(m.of, -1, nn);
    for (int k = 0; k < m.ir->n_node; k++)
        if (cut->mode[k] != AGNI_WHOLE && m.ir->node[k].op == &agni_op_matmul &&
            !has_few_rows(&m, k))
            m.products[cut->group[k]] = true;
    while (m.n_block < AGNI_MAX_COALESCED && choose_block(&m))
        ;
    agn_status st = m.n_block ? agni_ir_copy(&made, m.ir, coalesce_node, &m) : AGN_OK;
    agni_free(m.of);
    if (!made)
        return st;
    for (int i = 0; i < m.n_block; i++)
        made->merged[made->n_merged++] = (agni_extent){m.block[i].size, m.block[i].dtype, true};
    agni_ir_free(*ir);
    *ir = made;
    return AGN_OK;
}
