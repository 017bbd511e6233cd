/* graph/fusion/tile_forms.c - which op has a tiled form, and the form of a node: along which
   axis its operands and its result are independent. */
#include "graph/fusion/tile_forms.h"

/* ---- element-wise ops on tiles ------------------------------------------------------------ */

#define MAP(name) [AGNI_EW_##name] = {AGNI_T_MAP, AGNI_VM_##name, false}
#define LOOP2(name) [AGNI_EW_##name] = {AGNI_T_LOOP2, AGNI_V2_##name, false}
static const agni_elementwise_form ew_forms[AGNI_EW_COUNT] = {
    MAP(tanh),
    MAP(exp),
    MAP(expm1),
    MAP(log),
    MAP(log1p),
    MAP(sigmoid),
    MAP(softplus),
    MAP(sin),
    MAP(cos),
    MAP(tan),
    MAP(erf),
    MAP(erfc),
    MAP(gelu),
    MAP(sqrt),
    MAP(rsqrt),
    MAP(neg),
    MAP(abs),
    MAP(square),
    MAP(relu),
    MAP(sign),
    MAP(floor),
    MAP(ceil),
    MAP(trunc),
    [AGNI_EW_reciprocal] = {AGNI_T_MAP, AGNI_VM_recip, false},
    [AGNI_EW_round] = {AGNI_T_MAP, AGNI_VM_rint, false},
    LOOP2(add),
    LOOP2(sub),
    LOOP2(mul),
    LOOP2(div),
    LOOP2(mulz),
    LOOP2(lt),
    LOOP2(le),
    LOOP2(eq),
    LOOP2(ne),
    [AGNI_EW_gt] = {AGNI_T_LOOP2, AGNI_V2_lt, true},
    [AGNI_EW_ge] = {AGNI_T_LOOP2, AGNI_V2_le, true},
    [AGNI_EW_maximum] = {AGNI_T_LOOP2, AGNI_V2_max, false},
    [AGNI_EW_minimum] = {AGNI_T_LOOP2, AGNI_V2_min, false},
    [AGNI_EW_logical_and] = {AGNI_T_LOOP2, AGNI_V2_mul, false},
    [AGNI_EW_logical_or] = {AGNI_T_LOOP2, AGNI_V2_max, false},
    [AGNI_EW_logical_not] = {AGNI_T_LOOP2, AGNI_V2_eq,
                             false},                     /* to a second operand, 0 */
    [AGNI_EW_isneginf] = {AGNI_T_LOOP2, AGNI_V2_eq, false}, /* to that */
    [AGNI_EW_isposinf] = {AGNI_T_LOOP2, AGNI_V2_eq, false},
    [AGNI_EW_isinf] = {AGNI_T_LOOP2, AGNI_V2_eq, false}, /* its magnitude */
    [AGNI_EW_isnan] = {AGNI_T_LOOP2, AGNI_V2_ne, false}, /* from itself */
    [AGNI_EW_isfinite] = {AGNI_T_LOOP2, AGNI_V2_eq, false}, /* what is left without itself, to 0 */
    [AGNI_EW_where] = {AGNI_T_LOOP3, AGNI_V3_where, false},
};

bool agni_tile_elementwise_form(const agni_op *op, int dtype, agni_elementwise_form *f)
{
    if (op->ew < 0)
        return false;
    *f = ew_forms[op->ew];
    if (f->kind)
        return true;
    if (op->result != AGNI_OUT_SAME || op->nin > 2 || !agni_ew_find_loop(op->ew, dtype))
        return false;
    *f = (agni_elementwise_form){AGNI_T_EAGER_LOOP, op->ew, false};
    return true;
}

/* ---- the form of a node --------------------------------------------------------------------- */

typedef struct group_view {
    const agni_partition *c;
    const agni_ir *ir;
    int group;
    int64_t N;
    int dtype;
    bool last;
} group_view;

static const agn_tensor *value_tensor(const group_view *w, int32_t v)
{
    return w->ir->val[v].t;
}
static bool is_tiled(const group_view *w, int32_t v)
{
    return w->c->axis[v] >= 0 && w->ir->val[v].node >= 0 &&
           w->c->group[w->ir->val[v].node] == w->group;
}
/* batch axis counted from the end, 0 for none; arrays: where asked for */
static int batch_axis_from_end(const group_view *w, int32_t v)
{
    return is_tiled(w, v) ? value_tensor(w, v)->ndim - w->c->axis[v] : 0;
}
/* numbers of the tile's dtype, or truth values, which are 1 and 0 in a tile */
static bool has_tile_dtype(const group_view *w, int32_t v)
{
    const agn_tensor *t = value_tensor(w, v);
    return t->dtype == w->dtype || t->dtype == AGN_BOOL;
}
static bool has_batch_axis_first(const group_view *w, int32_t v)
{
    const agn_tensor *t = value_tensor(w, v);
    return !is_tiled(w, v) && t->ndim > 0 && t->shape[0] == w->N && has_tile_dtype(w, v);
}
static bool has_batch_axis(const group_view *w, int32_t v, int axis)
{
    const agn_tensor *t = value_tensor(w, v);
    return axis >= 0 && axis < t->ndim && (axis == 0 || t->size <= INT32_MAX) &&
           t->size / w->N <= AGNI_MAX_ROW &&
           (is_tiled(w, v) ? w->c->axis[v] == axis
                        : t->shape[axis] == w->N && has_tile_dtype(w, v));
}

static const agni_op_tile_form whole = {AGNI_WHOLE, -1, 0, {-1, -1, -1}};

static agni_op_tile_form elementwise_form(const group_view *w, const agni_pnode *n, int32_t y)
{
    agni_op_tile_form f = {AGNI_TILE, -1, 0, {-1, -1, -1}};
    agni_elementwise_form ef;
    int nd = value_tensor(w, y)->ndim, d = w->last;
    if (n->nin > 3 || !agni_tile_elementwise_form(n->op, w->dtype, &ef) ||
        (w->c->device && ef.kind == AGNI_T_EAGER_LOOP))
        return whole;
    for (int i = 0; i < n->nin; i++) {
        int32_t v = agni_node_arg(w->ir, n, i);
        int e = batch_axis_from_end(w, v);
        if (!has_tile_dtype(w, v) || (d && e && d != e))
            return whole;
        if (value_tensor(w, v)->dtype != AGN_BOOL &&
            (n->op->ew == AGNI_EW_logical_and || n->op->ew == AGNI_EW_logical_or))
            return whole; /* numbers are not 1 and 0 */
        d = e ? e : d;
    }
    if (n->op == &agni_op_add && value_tensor(w, y)->dtype == AGN_BOOL)
        return whole; /* of truths it is either, and tiles hold 1 and 0 */
    for (int i = 0; i < n->nin && !d; i++)
        if (has_batch_axis_first(w, agni_node_arg(w->ir, n, i)) &&
            value_tensor(w, agni_node_arg(w->ir, n, i))->ndim == nd)
            d = nd;
    if (!d || d > nd || value_tensor(w, y)->shape[nd - d] != w->N ||
        (value_tensor(w, y)->dtype != w->dtype && value_tensor(w, y)->dtype != AGN_BOOL))
        return whole;
    f.axis = nd - d;
    for (int i = 0; i < n->nin; i++) {
        int32_t v = agni_node_arg(w->ir, n, i);
        int a = value_tensor(w, v)->ndim - d;
        if (a < 0 || (!is_tiled(w, v) && value_tensor(w, v)->shape[a] == 1)) {
            if (value_tensor(w, v)->dtype == AGN_BOOL && value_tensor(w, v)->size > AGNI_MAX_ROW)
                return whole; /* it is loaded, one number for each element */
            continue;
        }
        if (!has_batch_axis(w, v, a))
            return whole;
        f.in_axis[i] = a;
    }
    return f;
}

static bool moves_in_tile(const group_view *w, int32_t v)
{
    return value_tensor(w, v)->dtype == w->dtype || (has_tile_dtype(w, v) && is_tiled(w, v));
}
static agni_op_tile_form move_form(const group_view *w, const agni_pnode *n, int32_t y)
{
    agni_op_tile_form f = {AGNI_TILE, -1, 0, {-1, -1, -1}};
    int32_t v = agni_node_arg(w->ir, n, 0);
    const agn_tensor *x = value_tensor(w, v), *t = value_tensor(w, y);
    const agni_attr *at = n->at;
    if (!is_tiled(w, v)) {
        if (n->op != &agni_op_unslice || !has_batch_axis_first(w, v))
            return whole;
        f.in_axis[0] = 0;
    } else {
        f.in_axis[0] = w->c->axis[v];
    }
    int a = f.in_axis[0];
    if (n->op == &agni_op_reshape) {
        int64_t before = 1, p = 1;
        for (int d = 0; d < a; d++)
            before *= x->shape[d];
        for (int d = 0; d < t->ndim && f.axis < 0 && p <= before; d++) {
            if (p == before && t->shape[d] == w->N)
                f.axis = d;
            p *= t->shape[d];
        }
        return f.axis < 0 ? whole : f;
    }
    if (n->op == &agni_op_permute) {
        int m = at ? at->ni : 0;
        f.axis = a;
        for (int k = 0; k < m; k++)
            if (at->i[k] == a - x->ndim)
                f.axis = x->ndim - m + k;
        return f;
    }
    if (n->op == &agni_op_broadcast_to) {
        f.axis = a + t->ndim - x->ndim;
        return f;
    }
    int m = at ? at->ni / 3 : 0, k = a - (x->ndim - m); /* slice, unslice */
    if (k >= 0 &&
        (at->i[3 * k] != 0 || at->i[3 * k + 1] != 1 || at->i[3 * k + 2] != w->N))
        return whole;
    f.axis = a;
    return f;
}

static agni_op_tile_form concat_form(const group_view *w, const agni_pnode *n, int32_t y)
{
    agni_op_tile_form f = {AGNI_TILE, -1, 0, {-1, -1, -1}};
    for (int i = 0; i < n->nin && f.axis < 0; i++)
        if (is_tiled(w, agni_node_arg(w->ir, n, i)))
            f.axis = w->c->axis[agni_node_arg(w->ir, n, i)];
    if (f.axis < 0)
        f.axis = w->last ? value_tensor(w, y)->ndim - 1 : 0;
    if (f.axis == value_tensor(w, y)->ndim + n->at->i[0])
        return whole;
    for (int i = 0; i < n->nin; i++)
        if (!has_tile_dtype(w, agni_node_arg(w->ir, n, i)) ||
            !has_batch_axis(w, agni_node_arg(w->ir, n, i), f.axis))
            return whole;
    f.in_axis[0] = f.axis;
    return f;
}

int agni_tile_reduction(const agni_op *op)
{
    static const struct {
        const agni_op *op;
        int by;
    } folds[] = {{&agni_op_sum, AGNI_V2_add},
                 {&agni_op_max, AGNI_V2_max},
                 {&agni_op_min, AGNI_V2_min},
                 {&agni_op_logsumexp, AGNI_LOG_SUM_EXP}};
    int k = 0;
    while (k < AGNI_COUNT(folds) && folds[k].op != op)
        k++;
    return k < AGNI_COUNT(folds) ? folds[k].by : -1;
}

/* over the batch there are sums alone */
static agni_op_tile_form reduction_form(const group_view *w, const agni_pnode *n)
{
    agni_op_tile_form f = {AGNI_TILE, -1, 0, {-1, -1, -1}};
    int32_t v = agni_node_arg(w->ir, n, 0);
    const agn_tensor *x = value_tensor(w, v);
    if (!is_tiled(w, v) || x->dtype != w->dtype)
        return whole;
    int a = w->c->axis[v];
    f.in_axis[0] = f.axis = a;
    for (int k = 1; k < n->at->ni; k++) {
        int d = (int)n->at->i[k] + x->ndim;
        if (d == a)
            f.mode = AGNI_REDUCE;
        else if (d < a && !n->at->i[0])
            f.axis--;
    }
    if (f.mode == AGNI_REDUCE)
        f.axis = -1;
    return f.mode == AGNI_REDUCE && n->op != &agni_op_sum ? whole : f;
}

/* Each tile passes over the accumulators of a sum over the batch. These should stay in the second
   level cache; larger ones are better computed from whole arrays. */
enum { MOST_ACCUMULATORS = 1 << 18 };

static bool is_plain_matrix(const agn_tensor *t)
{
    int64_t lead = 1;
    for (int d = 0; d < t->ndim - 2; d++)
        lead *= t->shape[d];
    return lead == 1;
}

static agni_op_tile_form matmul_form(const group_view *w, const agni_pnode *n, int32_t y)
{
    agni_op_tile_form f = {AGNI_TILE, -1, 0, {-1, -1, -1}};
    int32_t va = agni_node_arg(w->ir, n, 0), vb = agni_node_arg(w->ir, n, 1);
    const agn_tensor *a = value_tensor(w, va), *b = value_tensor(w, vb);
    if (a->dtype != w->dtype)
        return whole;
    int ea = batch_axis_from_end(w, va), eb = batch_axis_from_end(w, vb),
        nd = value_tensor(w, y)->ndim;
    /* the batch is summed over */
    if ((ea == 1 || eb == 2 || (!ea && !eb && a->shape[a->ndim - 1] == w->N)) &&
        a->ndim == 2 && b->ndim == 2 && has_batch_axis(w, va, 1) && has_batch_axis(w, vb, 0)) {
        if (value_tensor(w, y)->size > MOST_ACCUMULATORS)
            return whole;
        f.mode = AGNI_REDUCE;
        f.product = AGNI_MM_BATCH;
        f.in_axis[0] = 1;
        f.in_axis[1] = 0;
        return f;
    }
    if (!ea && !eb && has_batch_axis_first(w, va) && a->ndim == 2)
        ea = 2;
    if (ea >= 2 && !eb) {
        f.axis = nd - ea;
        f.in_axis[0] = a->ndim - ea;
        if (is_plain_matrix(b)) {
            f.product = AGNI_MM_ROWS;
            return f;
        }
    }
    if (ea > 2 && has_batch_axis(w, vb, b->ndim - ea) && a->ndim == b->ndim) {
        f.product = AGNI_MM_BOTH;
        f.axis = nd - ea;
        f.in_axis[0] = f.in_axis[1] = a->ndim - ea;
        for (int d = 0; d < a->ndim - 2; d++)
            if (a->shape[d] != b->shape[d])
                return whole;
        return f;
    }
    if (!ea && eb && eb != 2 && is_plain_matrix(a)) {
        f.product = eb == 1 ? AGNI_MM_COLS : AGNI_MM_LEFT;
        f.axis = nd - eb;
        f.in_axis[1] = b->ndim - eb;
        return f;
    }
    return whole;
}

/* Weights are packed in every run, which a few rows do not pay for. */
static bool has_few_rows(const group_view *w, const agni_pnode *n, const agni_op_tile_form *f)
{
    enum { SMALL = 1 << 12 };
    for (int i = 0; f->mode == AGNI_TILE && i < 2 && !w->c->device; i++)
        if (f->in_axis[i] < 0 && w->N < AGNI_WIDE_ROWS &&
            value_tensor(w, agni_node_arg(w->ir, n, i))->size > SMALL)
            return true;
    return false;
}

/* A device's library has better kernels of products than a region: but for narrow ones, whose
   operands a block holds. */
static bool is_wide_for_device(const group_view *w, const agni_pnode *n)
{
    enum { WIDE = 128 };
    const agn_tensor *a = value_tensor(w, agni_node_arg(w->ir, n, 0));
    const agn_tensor *b = value_tensor(w, agni_node_arg(w->ir, n, 1));
    const int64_t side[] = {a->shape[a->ndim - 2], a->shape[a->ndim - 1], b->shape[b->ndim - 1]};
    int wide = 0;
    for (int i = 0; i < AGNI_COUNT(side); i++)
        wide += side[i] > WIDE;
    return w->c->device && wide > 1; /* the batch may be */
}

static agni_op_tile_form cast_form(const group_view *w, const agni_pnode *n, int32_t y)
{
    int32_t v = agni_node_arg(w->ir, n, 0);
    if (!is_tiled(w, v) || value_tensor(w, v)->dtype != AGN_BOOL ||
        value_tensor(w, y)->dtype != w->dtype)
        return whole;
    return (agni_op_tile_form){AGNI_TILE, w->c->axis[v], 0, {w->c->axis[v], -1, -1}};
}

/* Rows of no elements fill no tile. */
static bool has_no_elements(const group_view *w, const agni_pnode *n)
{
    bool nothing = value_tensor(w, n->val)->size == 0;
    for (int i = 0; i < n->nin; i++)
        nothing |= value_tensor(w, agni_node_arg(w->ir, n, i))->size == 0;
    return nothing;
}

static agni_op_tile_form node_form(const agni_partition *c, const agni_ir *ir, int group, int node)
{
    const agni_extent *e = &c->extent[group];
    group_view w = {c, ir, group, e->n, e->dtype, e->last};
    const agni_pnode *n = &ir->node[node];
    const agni_op *op = n->op;
    if (n->nout != 1 || n->nin < 1 || has_no_elements(&w, n))
        return whole;
    if (op->ew >= 0)
        return elementwise_form(&w, n, n->val);
    if (op == &agni_op_matmul && !w.last) {
        agni_op_tile_form f = matmul_form(&w, n, n->val);
        return has_few_rows(&w, n, &f) || is_wide_for_device(&w, n) ? whole : f;
    }
    if (agni_tile_reduction(op) >= 0)
        return reduction_form(&w, n);
    if (op == &agni_op_concat)
        return concat_form(&w, n, n->val);
    if (op == &agni_op_cast && !w.last)
        return cast_form(&w, n, n->val);
    if (op == &agni_op_reshape || (op == &agni_op_permute && !w.last) ||
        op == &agni_op_broadcast_to || op == &agni_op_slice || op == &agni_op_unslice)
        return moves_in_tile(&w, agni_node_arg(ir, n, 0)) ? move_form(&w, n, n->val) : whole;
    return whole;
}

agni_op_tile_form agni_tile_form(const agni_partition *c, const agni_ir *ir, int group, int node)
{
    agni_op_tile_form f = node_form(c, ir, group, node);
    const agn_tensor *y = ir->val[ir->node[node].val].t;
    /* rows of a tile stay small, and places within arrays fit 32 bits */
    if (f.mode == AGNI_TILE &&
        (y->size / c->extent[group].n > AGNI_MAX_ROW || (f.axis > 0 && y->size > INT32_MAX)))
        return whole;
    return f;
}
