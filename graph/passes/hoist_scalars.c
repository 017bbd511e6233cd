/* graph/passes/hoist_scalars.c - loop-invariant code motion for linear sweeps: L(s x) = s L(x). The
   gradient of log mean(r^2) is a reverse sweep that begins with s r, s = 2 / (n mean(r^2)). The
   scalar s is known after a sum over the batch; a sweep that is multiplied by it first would be a
   second region, which computes the forward pass again. Without it the sweep is part of the first,
   and its results, sums over the batch, are multiplied by s.

   A scalar is taken out where nothing of the batch's size has to be multiplied by it in the end.
   Rounding differs from that of the program as written, in the last places; where s x is finite
   and x is not, or is nearly so, the result may overflow instead, as the sum it comes from does. */
#include "graph/passes/ir.h"

#include <string.h>

enum { NONE = -1, ONES = -2, ROUNDS = 8, LARGE = 1024, SUMMED = 256 };

typedef struct hoisting {
    const agni_ir *ir;
    bool *late;      /* of values: they depend on a sum over many numbers */
    bool *barred;    /* of values: they stay where they are */
    bool *whole;     /* of values with a factor: somebody reads the product */
    bool *wide;      /* of values with a factor: they come from more than one number */
    int32_t *factor; /* of values: the scalar that multiplies them, NONE */
    int64_t *extent; /* of scalars: the longest axis of what they multiply */
    int32_t *rest;   /* of values with a factor: what it multiplies, in the new program */
    int32_t *scalar; /* of scalars: their value in the new program */
} hoisting;

static const agn_tensor *tensor_of(const hoisting *h, int32_t v)
{
    return h->ir->val[v].t;
}
static int32_t find_argument(const hoisting *h, const agni_pnode *n, int i)
{
    return agni_node_arg(h->ir, n, i);
}

/* ---- which values are products with a scalar ------------------------------------------------- */

static void mark_late(hoisting *h)
{
    for (int k = 0; k < h->ir->n_node; k++) {
        const agni_pnode *n = &h->ir->node[k];
        bool late = false;
        bool sums = n->op->ew < 0 && !n->op->view && n->op != &agni_op_gather;
        for (int i = 0; i < n->nin; i++) {
            const agn_tensor *x = tensor_of(h, find_argument(h, n, i));
            late |= h->late[find_argument(h, n, i)];
            late |= sums && x->size >= SUMMED && tensor_of(h, n->val)->size == 1;
        }
        for (int o = 0; o < n->nout; o++)
            h->late[n->val + o] = late;
    }
}

static bool is_zero(const hoisting *h, int32_t v)
{
    const agni_ir_value *q = agni_broadcast_source(h->ir, v);
    return q->constant && q->splat && q->num == 0;
}

/* The factor of a node's result, all of whose arguments are numbers independent of late sums or
   products with the same scalar: ops that are linear in the latter. */
static int32_t factor_of_node(const hoisting *h, const agni_pnode *n)
{
    int32_t f = NONE;
    int with = 0;
    bool multilinear = n->op->cls == AGNI_MULTI;
    for (int i = 0; i < n->nin; i++) {
        int32_t v = find_argument(h, n, i);
        if (h->factor[v] == NONE && h->late[v])
            return NONE;
        if (h->factor[v] == NONE)
            continue;
        if (f != NONE && f != h->factor[v])
            return NONE;
        f = h->factor[v];
        with++;
        multilinear = multilinear && (n->op->diff >> i & 1);
    }
    if (f == NONE || tensor_of(h, n->val)->dtype != tensor_of(h, f)->dtype || n->nout != 1)
        return NONE;
    bool second = n->nin == 2 && h->factor[find_argument(h, n, 1)] != NONE;
    bool product = n->op == &agni_op_mul || n->op == &agni_op_mulz || multilinear;
    bool joint = n->op == &agni_op_add || n->op == &agni_op_sub || n->op == &agni_op_concat;
    bool zeros = n->op == &agni_op_where && h->factor[find_argument(h, n, 0)] == NONE;
    for (int i = 1; zeros && i < 3; i++)
        zeros = h->factor[find_argument(h, n, i)] != NONE || is_zero(h, find_argument(h, n, i));
    bool linear = (product && with == 1 && n->nin == 2) || (joint && with == n->nin) || zeros ||
                  n->op == &agni_op_neg || (n->op == &agni_op_div && !second) ||
                  (n->op->cls == AGNI_LINEAR && n->nin == 1 && n->op->ew < 0);
    return linear ? f : NONE;
}

static bool is_scalar(const hoisting *h, int32_t v)
{
    const agn_tensor *t = tensor_of(h, v);
    return h->late[v] && t->size == 1 && (t->dtype == AGN_F64 || t->dtype == AGN_F32);
}

static void find_factors(hoisting *h)
{
    for (int v = 0; v < h->ir->n_val; v++) {
        h->factor[v] = NONE;
        h->extent[v] = 0;
        h->whole[v] = h->wide[v] = false;
    }
    for (int k = 0; k < h->ir->n_node; k++) {
        const agni_pnode *n = &h->ir->node[k];
        int32_t f = factor_of_node(h, n);
        const agn_tensor *y = tensor_of(h, n->val);
        if (f != NONE && y->size > 1 && h->barred[f])
            f = NONE;
        h->factor[n->val] = f == NONE && n->nout == 1 && is_scalar(h, n->val) ? n->val : f;
        h->wide[n->val] = f != NONE && y->size > 1;
        for (int i = 0; f != NONE && i < n->nin; i++)
            h->wide[n->val] |= h->wide[find_argument(h, n, i)];
        for (int d = 0; f != NONE && y->size > 1 && d < y->ndim; d++)
            h->extent[f] = h->extent[f] > y->shape[d] ? h->extent[f] : y->shape[d];
    }
}

/* Somebody reads v itself: is it small enough to be multiplied here? */
static bool read_whole(hoisting *h, int32_t v)
{
    int32_t f = h->factor[v];
    const agn_tensor *t = tensor_of(h, v);
    bool small = true;
    if (f == NONE)
        return false;
    h->whole[v] = true;
    for (int d = 0; d < t->ndim; d++)
        small = small && t->shape[d] < h->extent[f];
    if (t->size == 1 || small || h->barred[f])
        return false;
    return h->barred[f] = true;
}
static bool bar_large(hoisting *h)
{
    bool any = false;
    for (int k = 0; k < h->ir->n_node; k++) {
        const agni_pnode *n = &h->ir->node[k];
        bool within = h->factor[n->val] != NONE && h->factor[n->val] != n->val;
        for (int i = 0; i < n->nin && !within; i++)
            any |= read_whole(h, find_argument(h, n, i));
    }
    for (int i = 0; i < h->ir->n_out; i++)
        any |= read_whole(h, h->ir->out[i]);
    return any;
}

/* Is anything gained: a scalar that multiplies much, all of which is summed? */
static bool is_profitable(const hoisting *h)
{
    for (int k = 0; k < h->ir->n_node; k++) {
        int32_t v = h->ir->node[k].val, f = h->factor[v];
        if (f != NONE && !h->barred[f] && tensor_of(h, v)->size >= LARGE)
            return true;
    }
    return false;
}

/* ---- the program without them ---------------------------------------------------------------- */

static int32_t emit_broadcast(agni_ir *ir, int32_t v, const agn_tensor *like)
{
    if (agni_same_shape(ir->val[v].t, like))
        return v;
    agni_attr at = {.ni = like->ndim, .i = like->shape};
    return agni_emit_node(ir, &agni_op_broadcast_to, &at, 1, &v);
}
static int32_t emit_rest(const hoisting *h, agni_ir *ir, int32_t v)
{
    const agn_tensor *t = tensor_of(h, v);
    int32_t one = h->rest[v] == ONES ? agni_ir_add_number(ir, 1, t->dtype) : NONE;
    return h->rest[v] != ONES ? h->rest[v] : one < 0 ? NONE : emit_broadcast(ir, one, t);
}

/* the op of node n on what the factor multiplies */
static int32_t emit_without_factor(hoisting *h, agni_ir *ir, const agni_pnode *n,
                                   const int32_t *arg)
{
    const agn_tensor *y = tensor_of(h, n->val);
    int32_t few[8], *a = n->nin > AGNI_COUNT(few) ? agni_alloc((size_t)n->nin * sizeof *a) : few;
    int32_t v = NONE;
    bool ones = h->rest[find_argument(h, n, 0)] == ONES || n->nin == 1;
    if (!a) {
        ir->st = agni_nomem("compile", (size_t)n->nin * sizeof *a);
        return NONE;
    }
    for (int i = 0; i < n->nin; i++) {
        int32_t x = find_argument(h, n, i);
        bool with = h->factor[x] != NONE;
        if (with && h->rest[x] == ONES && (n->op == &agni_op_mul || n->op == &agni_op_mulz)) {
            v = emit_broadcast(ir, arg[!i], y);
            goto done;
        }
        ones = ones && with && h->rest[x] == ONES;
    }
    if (ones && n->nin == 1 && n->op->view) {
        v = ONES;
        goto done;
    }
    for (int i = 0; i < n->nin; i++) {
        int32_t x = find_argument(h, n, i);
        a[i] = h->factor[x] != NONE ? emit_rest(h, ir, x) : arg[i];
    }
    v = agni_emit_node(ir, n->op, n->at, n->nin, a);
done:
    if (a != few)
        agni_free(a);
    return v;
}

static int32_t hoist_from_node(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    hoisting *h = user;
    const agni_pnode *n = &h->ir->node[k];
    const agn_tensor *y = tensor_of(h, n->val);
    int32_t f = h->factor[n->val];
    if (f == NONE || h->barred[f])
        return NONE;
    if (f == n->val) { /* the scalar itself */
        int32_t v = agni_emit_node(ir, n->op, n->at, n->nin, arg);
        h->rest[n->val] = ONES;
        h->scalar[n->val] = v;
        if (v >= 0 && y->ndim)
            h->scalar[n->val] = agni_emit_node(ir, &agni_op_reshape, &(agni_attr){.ni = 0}, 1, &v);
        return v;
    }
    int32_t rest = h->rest[n->val] = emit_without_factor(h, ir, n, arg);
    if (ir->st || !h->whole[n->val] || !h->wide[n->val])
        return NONE; /* of scalars alone: as it was */
    if (rest == ONES)
        return emit_broadcast(ir, h->scalar[f], y);
    return agni_emit_node(ir, &agni_op_mul, NULL, 2, (int32_t[]){rest, h->scalar[f]});
}

agn_status agni_ir_hoist_scalars(agni_ir **ir)
{
    size_t nv = (size_t)(*ir)->n_val + 1;
    hoisting h = {.ir = *ir};
    agn_status st = AGN_OK;
    h.late = agni_zalloc(nv);
    h.barred = agni_zalloc(nv);
    h.whole = agni_zalloc(nv);
    h.wide = agni_zalloc(nv);
    h.factor = agni_alloc(nv * sizeof *h.factor);
    h.extent = agni_alloc(nv * sizeof *h.extent);
    h.rest = agni_alloc(nv * sizeof *h.rest);
    h.scalar = agni_alloc(nv * sizeof *h.scalar);
    if (!h.late || !h.barred || !h.whole || !h.wide || !h.factor || !h.extent || !h.rest ||
        !h.scalar) {
        st = agni_nomem("compile", nv * sizeof *h.factor);
    } else {
        bool again = true;
        mark_late(&h);
        for (int i = 0; i < ROUNDS && again; i++) {
            find_factors(&h);
            again = bar_large(&h);
        }
        agni_ir *next = NULL;
        if (!again && is_profitable(&h))
            st = agni_ir_copy(&next, *ir, hoist_from_node, &h);
        if (next) {
            agni_ir_free(*ir);
            *ir = next;
        }
    }
    agni_free(h.late);
    agni_free(h.barred);
    agni_free(h.whole);
    agni_free(h.wide);
    agni_free(h.factor);
    agni_free(h.extent);
    agni_free(h.rest);
    agni_free(h.scalar);
    return st;
}
