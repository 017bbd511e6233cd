/* geometric/kernels/attend.c - op rows and inference of attention by terms of nodes. */
#include "geometric/kernels/attend.h"

#include <string.h>

/* ---- applying -------------------------------------------------------------------------------- */

static const agn_tensor *apply_attention(agn_scope *s, const agni_op *op, agni_attending q, int nin,
                                         const agn_tensor *const *in)
{
    for (int k = 0; k < nin; k++)
        if (!in[k])
            return NULL;
    int64_t i[2] = {q.to, q.power};
    agni_attr at = {.ni = 2, .i = i, .nf = 1, .f = &q.slope, .obj = (agni_obj *)(uintptr_t)q.graph};
    return agni_apply_in(s, op, &at, nin, in);
}

const agn_tensor *agni_graph_attend(agn_scope *s, agni_attending q, const agn_tensor *a,
                                    const agn_tensor *b, const agn_tensor *l, const agn_tensor *x)
{
    return apply_attention(s, &agni_op_graph_attend, q, 4, (const agn_tensor *[]){a, b, l, x});
}

const agn_tensor *agni_graph_attend_plus(agn_scope *s, agni_attending q, const agn_tensor *a,
                                         const agn_tensor *b, const agn_tensor *l,
                                         const agn_tensor *x, const agn_tensor *const *plus)
{
    return apply_attention(s, &agni_op_graph_attend_plus, q, 8,
                           (const agn_tensor *[]){a, b, l, x, plus[0], plus[1], plus[2], plus[3]});
}

const agn_tensor *agni_graph_attend_dot(agn_scope *s, agni_attending q, const agn_tensor *a,
                                        const agn_tensor *b, const agn_tensor *l,
                                        const agn_tensor *x, const agn_tensor *z)
{
    return apply_attention(s, &agni_op_graph_attend_dot, q, 5,
                           (const agn_tensor *[]){a, b, l, x, z});
}

const agn_tensor *agni_graph_attend_norm(agn_scope *s, agni_attending q, const agn_tensor *a,
                                         const agn_tensor *b)
{
    q.to = AGN_GRAPH_DST;
    q.power = 0;
    return apply_attention(s, &agni_op_graph_attend_norm, q, 2, (const agn_tensor *[]){a, b});
}

/* ---- inference ------------------------------------------------------------------------------- */

/* where operand i stands, -1: nowhere; the width it has, 0: that of x */
static int64_t side_of(int i, int64_t to)
{
    switch (i) {
    case AGNI_ATTEND_A: return AGN_GRAPH_SRC;
    case AGNI_ATTEND_B:
    case AGNI_ATTEND_L: return AGN_GRAPH_DST;
    case AGNI_ATTEND_X: return 1 - to;
    default: return i % 2 ? -1 : to;
    }
}

static agn_status infer_attention(agni_call *c)
{
    const agn_graph *g = (const agn_graph *)c->at->obj;
    int64_t to = c->at->i[0], power = c->at->i[1], heads = 0, width = 1, size;
    bool dot = c->op == &agni_op_graph_attend_dot, norm = c->nin == 2;
    agni_meta *o = c->meta, batch = {.ndim = 0};
    agn_status st = AGN_OK;
    if (to < 0 || to >= AGN_GRAPH_EDGE || power < 0 || power > 64)
        return agni_fail(AGN_EARG, "%s: side %lld or power %lld", c->op->name, (long long)to,
                         (long long)power);
    for (int i = 0; i < c->nin; i++) {
        const agn_tensor *x = c->in[i];
        int64_t side = side_of(i, to), n = side < 0 ? 1 : agni_graph_count(g, side);
        int front = x->ndim - 3;
        bool narrow = i <= AGNI_ATTEND_L || (c->nin == 8 && (i == 4 || i == 6));
        if (front >= 0 && i == 0)
            heads = x->shape[front + 1];
        if (front >= 0 && i == AGNI_ATTEND_X)
            width = x->shape[front + 2];
        if (front < 0 || x->shape[front] != n || x->shape[front + 1] != heads ||
            x->shape[front + 2] != (narrow ? 1 : width))
            st = agni_fail(AGN_ESHAPE, "%s: argument %d is %s, [...,%lld,%lld,%lld] is needed",
                           c->op->name, i, AGNI_SHAPE(x), (long long)n, (long long)heads,
                           (long long)(narrow ? 1 : width));
        else if (!agni_broadcast_into(&batch, front, x->shape))
            st = agni_fail(AGN_ESHAPE, "%s: batches do not broadcast: %s and %s", c->op->name,
                           AGNI_SHAPE(c->in[0]), AGNI_SHAPE(x));
        if (st)
            return st;
    }
    o->dtype = c->in[0]->dtype;
    o->ndim = batch.ndim + 3;
    if (o->ndim > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d", c->op->name, o->ndim,
                         AGN_MAX_RANK);
    memcpy(o->shape, batch.shape, (size_t)batch.ndim * sizeof *o->shape);
    o->shape[batch.ndim] = agni_graph_count(g, to);
    o->shape[batch.ndim + 1] = heads;
    o->shape[batch.ndim + 2] = dot || norm ? 1 : width;
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static agni_slots slots[4];
#define ROW(k, name_, takes_, n, cpu_, rule, text) \
    const agni_op agni_op_##name_ = {.name = #name_, \
                                     .takes = takes_ " to:i power:i slope:r graph:o", \
                                     .cls = AGNI_SOLVE, \
                                     .nin = n, \
                                     .nout = 1, \
                                     .dtypes = AGNI_FLOATS, \
                                     .diff = (1u << (n)) - 1, \
                                     .promote = (1u << (n)) - 1, \
                                     .result = AGNI_OUT_SAME, \
                                     .ew = -1, \
                                     .contiguous = true, \
                                     .zeros = AGNI_ZEROS_ABSENT, \
                                     .batch = agni_batch_aligned, \
                                     .slots = &slots[k], \
                                     .lo = -2, \
                                     .hi = 2, \
                                     .lo2 = -2, \
                                     .hi2 = 2, \
                                     .doc = text, \
                                     .infer = infer_attention, \
                                     .cpu = cpu_, \
                                     .jvp = rule##_jvp, \
                                     .vjp = rule##_vjp}
ROW(0, graph_attend, "a b l x", 4, agni_cpu_graph_attend, agni_attend,
    "sums of rows over the edges of a graph by exponentials of terms of their ends");
ROW(1, graph_attend_plus, "a b l x c s d t", 8, agni_cpu_graph_attend, agni_attend_plus,
    "graph_attend and two products of columns and rows");
ROW(2, graph_attend_dot, "a b l x z", 5, agni_cpu_graph_attend, agni_attend_dot,
    "graph_attend times the rows of nodes, summed over the width");
ROW(3, graph_attend_norm, "a b", 2, agni_cpu_graph_attend_norm, agni_attend_norm,
    "logs of sums of exponentials of terms of the ends of edges");
