/* graph/fusion/coalesce_axes.c - neighbouring axes that element-wise nodes treat alike become one: [50, 16, 768]
   beside [16, 768] is 50 rows of 12288 numbers, and tiles of neighbouring numbers of all rows are
   independent of one another. What ran on whole arrays may run on tiles then, and what ran on tiles
   without any product, along an axis that is not the last one, on tiles that lie in rows. */
#include "graph/fusion/tile.h"

#include <string.h>

enum { MOST_SHAPES = 12, LEAST = 256 };

/* The last axes of a value: those of the block, ones, or others. */
enum { OTHER, ONES, BLOCK };

typedef struct block {
    int n, dtype;
    int64_t shape[AGNI_MAX_RANK], size;
    bool stays[AGNI_GROUPS]; /* groups of the cut: with products, or some nodes that do not fit */
} block;

typedef struct merge {
    const agni_ir *ir; /* as it was */
    const agni_partition *cut;
    block block[AGNI_MERGED];
    int n_block;
    int8_t *of; /* of nodes: their block, -1 */
    bool products[AGNI_GROUPS]; /* groups of the cut: with some */
} merge;

static int ending(const agn_tensor *t, const block *b)
{
    bool same = t->ndim >= b->n, ones = true;
    for (int k = 1; k <= b->n && k <= t->ndim; k++) {
        same = same && t->shape[t->ndim - k] == b->shape[b->n - k];
        ones = ones && t->shape[t->ndim - k] == 1;
    }
    return ones ? ONES : same ? BLOCK : OTHER;
}

/* Is v in rows one behind the other, so that another shape of it costs nothing? */
static bool in_rows(const merge *m, int32_t v)
{
    const agni_ival *q = &m->ir->val[v];
    if (q->constant)
        return agni_is_contiguous(q->t);
    const agni_op *op = q->node < 0 ? NULL : m->ir->node[q->node].op;
    return !op || !op->view || op == &agni_op_reshape || m->of[q->node] >= 0;
}

/* a sum over all axes of the block or none */
static bool sums(const agni_pnode *n, const block *b)
{
    int within = 0;
    for (int k = 1; k < n->at->ni; k++)
        within += n->at->i[k] >= -b->n;
    return !within || within == b->n;
}

/* a move of what lies before the block's axes, x to y; rows of the result are rows of x */
static bool moves(const agni_pnode *n, const agn_tensor *x, const block *b)
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
static bool open(const merge *m, int k, const bool *stays)
{
    return m->of[k] < 0 && (m->cut->mode[k] == AGNI_WHOLE || !stays[m->cut->group[k]]);
}

static bool fits(const merge *m, int k, const block *b)
{
    const agni_pnode *n = &m->ir->node[k];
    const agn_tensor *y = m->ir->val[n->val].t;
    agni_ew_form form;
    if (!open(m, k, b->stays) || n->nout != 1 || n->nin < 1)
        return false;
    bool sum = n->op == &agni_op_sum && sums(n, b), wide = n->op == &agni_op_broadcast_to;
    bool each = n->nin <= 3 && agni_tile_ew(n->op, b->dtype, &form);
    bool move = moves(n, m->ir->val[agni_arg(m->ir, n, 0)].t, b);
    if ((!sum && !wide && !each && !move) || (!sum && ending(y, b) != BLOCK) ||
        (y->dtype != b->dtype && y->dtype != AGN_BOOL) || y->size / b->size > AGNI_MAX_ROW)
        return false;
    for (int i = 0; i < n->nin; i++) {
        const agn_tensor *x = m->ir->val[agni_arg(m->ir, n, i)].t;
        int end = ending(x, b);
        bool good = (end == BLOCK && in_rows(m, agni_arg(m->ir, n, i))) || (end == ONES && !sum && !move);
        if (!good || (x->dtype != b->dtype && x->dtype != AGN_BOOL) || x->size / b->size > AGNI_MAX_ROW)
            return false;
    }
    return true;
}

/* Tiles of few rows are no better than whole arrays: what does not fit holds nothing else there. */
static bool few_rows(const merge *m, int k)
{
    return m->cut->extent[m->cut->group[k]].n < AGNI_WIDE_ROWS;
}

/* Of the groups that go together or stay together, those go of which all nodes fit: numbers that
   they and single nodes make, 0 where they are too few. */
static int64_t worth(const merge *m, block *b)
{
    int64_t sum = 0;
    int many = 0;
    for (int k = 0; k < m->ir->n_node; k++)
        if (m->cut->mode[k] != AGNI_WHOLE && open(m, k, b->stays) && !fits(m, k, b) &&
            !few_rows(m, k))
            b->stays[m->cut->group[k]] = true;
    for (int k = 0; k < m->ir->n_node; k++)
        if (m->ir->node[k].op->ew >= 0 && fits(m, k, b)) {
            many++;
            sum += m->ir->val[m->ir->node[k].val].t->size;
        }
    return many < AGNI_MIN_NODES ? 0 : sum;
}

static bool equal(const block *a, const block *b)
{
    return a->n == b->n && a->dtype == b->dtype &&
           !memcmp(a->shape, b->shape, (size_t)a->n * sizeof *a->shape);
}

/* the last n axes of t among the blocks that may be chosen */
static void candidate(const merge *m, block *b, int *n_b, const agn_tensor *t, int n)
{
    block x = {.n = n, .dtype = t->dtype, .size = 1};
    memcpy(x.stays, m->products, sizeof x.stays);
    for (int k = 0; k < n; k++)
        x.size *= x.shape[k] = t->shape[t->ndim - n + k];
    bool known = t->ndim < 2 || *n_b == MOST_SHAPES || x.size < LEAST || x.size > INT32_MAX ||
                 (t->dtype != AGN_F32 && t->dtype != AGN_F64);
    for (int j = 0; j < *n_b && !known; j++)
        known = equal(&b[j], &x);
    if (!known)
        b[(*n_b)++] = x;
}

/* shapes of operands and results of what does not run on tiles, and their last axes: which more may
   have than any shape */
static int shapes(const merge *m, block *b)
{
    int n_b = 0;
    for (int k = 0; k < m->ir->n_node; k++) {
        const agni_pnode *n = &m->ir->node[k];
        if (n->op->ew < 0 || !open(m, k, m->products))
            continue;
        for (int i = 0; i <= n->nin; i++) {
            const agn_tensor *t = m->ir->val[i < n->nin ? agni_arg(m->ir, n, i) : n->val].t;
            candidate(m, b, &n_b, t, t->ndim);
            candidate(m, b, &n_b, t, 1);
        }
    }
    return n_b;
}

/* the block that most is made of, and its nodes; false for none */
static bool choose(merge *m)
{
    block b[MOST_SHAPES];
    int n = shapes(m, b), best = -1;
    int64_t most = 0;
    for (int i = 0; i < n; i++) {
        int64_t w = worth(m, &b[i]);
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
        if (fits(m, k, &b[best]))
            m->of[k] = (int8_t)m->n_block;
    m->n_block++;
    return true;
}

/* ---- the program with merged axes ------------------------------------------------------------- */

static int32_t reshaped(agni_ir *ir, int32_t v, int ndim, const int64_t *shape)
{
    const agn_tensor *t = ir->val[v].t;
    if (t->ndim == ndim && (!ndim || !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)))
        return v;
    const agni_pnode *n = agni_def(ir, v, &agni_op_reshape);
    t = n ? ir->val[agni_arg(ir, n, 0)].t : NULL;
    if (t && t->ndim == ndim && (!ndim || !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)))
        return agni_arg(ir, n, 0);
    return agni_emit(ir, &agni_op_reshape, &(agni_attr){.ni = ndim, .i = shape}, 1, &v);
}

/* a shape that ends like the block, or in ones, with one axis in place of these */
static int merged(const agn_tensor *t, const block *b, int64_t *shape)
{
    int lead = t->ndim - b->n;
    if (lead < 0)
        return 0;
    memcpy(shape, t->shape, (size_t)lead * sizeof *shape);
    shape[lead] = ending(t, b) == BLOCK ? b->size : 1;
    return lead + 1;
}

/* its axes, which count from the end */
static int merged_axes(const agni_attr *at, const block *b, int64_t *i)
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
static int merged_parts(const agni_attr *at, const block *b, int64_t *i)
{
    int lead = at->ni / 3 - b->n;
    memcpy(i, at->i, (size_t)(3 * lead) * sizeof *i);
    i[3 * lead] = 0;
    i[3 * lead + 1] = 1;
    i[3 * lead + 2] = b->size;
    return 3 * (lead + 1);
}

static int32_t node(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    const merge *m = user;
    const agni_pnode *n = &m->ir->node[k];
    if (m->of[k] < 0)
        return -1;
    const block *b = &m->block[m->of[k]];
    const agn_tensor *y = m->ir->val[n->val].t;
    int64_t shape[AGNI_MAX_RANK], ints[3 * AGNI_MAX_RANK + 1];
    int32_t few[MOST_SHAPES], *a = n->nin > MOST_SHAPES ? agni_alloc((size_t)n->nin * sizeof *a) : few;
    int32_t v = -1;
    if (!a)
        ir->st = agni_nomem("compile", (size_t)n->nin * sizeof *a);
    for (int i = 0; i < n->nin && !ir->st; i++) {
        int nd = merged(ir->val[arg[i]].t, b, shape);
        a[i] = reshaped(ir, arg[i], nd, shape);
    }
    if (ir->st)
        goto done;
    if (n->op == &agni_op_sum)
        v = agni_emit(ir, n->op, &(agni_attr){.ni = merged_axes(n->at, b, ints), .i = ints}, 1, a);
    else if (n->op == &agni_op_concat)
        v = agni_emit(ir, n->op, &(agni_attr){.ni = 1, .i = (int64_t[]){n->at->i[0] + b->n - 1}}, n->nin,
                      a);
    else if (n->op == &agni_op_slice)
        v = agni_emit(ir, n->op, &(agni_attr){.ni = merged_parts(n->at, b, ints), .i = ints}, 1, a);
    else if (n->op == &agni_op_reshape)
        v = reshaped(ir, a[0], merged(y, b, shape), shape);
    else if (n->op == &agni_op_broadcast_to)
        v = agni_emit(ir, n->op, &(agni_attr){.ni = merged(y, b, shape), .i = shape}, 1, a);
    else
        v = agni_emit(ir, n->op, n->at, n->nin, a);
    v = v < 0 ? v : reshaped(ir, v, y->ndim, y->shape);
done:
    if (a != few)
        agni_free(a);
    return v;
}

agn_status agni_merge_axes(agni_ir **ir, const agni_partition *cut)
{
    merge m = {.ir = *ir, .cut = cut};
    agni_ir *made = NULL;
    size_t nn = (size_t)m.ir->n_node + 1;
    m.of = agni_alloc(nn);
    if (!m.of)
        return agni_nomem("compile", nn);
    memset(m.of, -1, nn);
    for (int k = 0; k < m.ir->n_node; k++)
        if (cut->mode[k] != AGNI_WHOLE && m.ir->node[k].op == &agni_op_matmul && !few_rows(&m, k))
            m.products[cut->group[k]] = true;
    while (m.n_block < AGNI_MERGED && choose(&m))
        ;
    agn_status st = m.n_block ? agni_ir_copy(&made, m.ir, node, &m) : AGN_OK;
    agni_free(m.of);
    if (!made)
        return st;
    for (int i = 0; i < m.n_block; i++)
        made->merged[made->n_merged++] = (agni_extent){m.block[i].size, m.block[i].dtype, true};
    agni_ir_free(*ir);
    *ir = made;
    return AGN_OK;
}
