/* geometric/kernels/ops.c - op rows and inference of message passing. */
#include "geometric/kernels/kernels.h"

#include <string.h>

/* ---- attributes ------------------------------------------------------------------------------ */

/* Operands come first, then the result, then what is left: features, and what the op says. */
typedef struct shape_of_op {
    const char *name;
    int operands, message, reduce;
    bool sums;     /* flags by feature axis end the list; else their number does */
    bool message_given;
} shape_of_op;
static const shape_of_op forms[] = {
    {"graph_copy", 1, AGNI_MESSAGE_COPY, AGNI_MESSAGE_SUM, false, false},
    {"graph_add", 2, AGNI_MESSAGE_ADD, AGNI_MESSAGE_SUM, false, false},
    {"graph_mul", 2, AGNI_MESSAGE_MUL, AGNI_MESSAGE_SUM, true, false},
    {"graph_div", 2, AGNI_MESSAGE_DIV, AGNI_MESSAGE_SUM, false, false},
    {"graph_extreme", 2, AGNI_MESSAGE_COPY, AGNI_MESSAGE_MIN, false, true},
    {"graph_tie", 5, AGNI_MESSAGE_COPY, AGNI_MESSAGE_SUM, true, true},
};

void agni_graph_read_form(agni_graph_form *f, const char *op, int n, const int64_t *ints,
                          const void *object)
{
    int k = 0;
    while (strcmp(forms[k].name, op) != 0)
        k++;
    *f = (agni_graph_form){.g = object, .operands = forms[k].operands, .message = forms[k].message,
                           .reduce = forms[k].reduce};
    for (int i = 0; i < f->operands; i++)
        f->at[i] = *ints++;
    f->to = *ints++;
    n -= f->operands + 1;
    if (forms[k].message_given) {
        f->message = (int)*ints++;
        n--;
    }
    if (forms[k].sums) {
        f->features = n;
        f->sums = ints;
        return;
    }
    f->features = (int)*ints++;
    if (n > 1 && forms[k].message_given && *ints)
        f->reduce = AGNI_MESSAGE_MAX;
    else if (n > 1 && *ints)
        f->message = AGNI_MESSAGE_SUB;
}

/* ---- inference ------------------------------------------------------------------------------ */

static const char *const sides[] = {"sources", "destinations", "edges"};

static agn_status check_form(const agni_call *c, const agni_graph_form *f)
{
    for (int i = 0; i <= f->operands; i++) {
        int64_t side = i < f->operands ? f->at[i] : f->to;
        if (side < 0 || side > AGN_GRAPH_EDGE)
            return agni_fail(AGN_EARG, "%s: side %lld is none of the 3", c->op->name,
                             (long long)side);
    }
    if (f->message < 0 || f->message >= AGNI_MESSAGES)
        return agni_fail(AGN_EARG, "%s: there is no message %d; the last is %d", c->op->name,
                         f->message, AGNI_MESSAGES - 1);
    if (f->features < 0 || f->features >= AGNI_MAX_RANK)
        return agni_fail(AGN_EARG, "%s: %d axes of features, below 0 or above %d", c->op->name,
                         f->features, AGN_MAX_RANK);
    return AGN_OK;
}

static agn_status infer_reduction(agni_call *c)
{
    agni_graph_form f;
    agni_meta *o = c->meta, batch = {.ndim = 0}, features = {.ndim = 0};
    int64_t size;
    agni_graph_read_form(&f, c->op->name, c->at->ni, c->at->i, c->at->obj);
    agn_status st = check_form(c, &f);
    for (int i = 0; !st && i < f.operands; i++) {
        const agn_tensor *x = c->in[i];
        int front = x->ndim - 1 - f.features;
        int64_t n = agni_graph_count(f.g, f.at[i]);
        if (front < 0 || x->shape[front] != n)
            st = agni_fail(AGN_ESHAPE,
                           "%s: %s does not have an axis of the %lld %s before %d of features",
                           c->op->name, AGNI_SHAPE(x), (long long)n, sides[f.at[i]], f.features);
        else if (!agni_broadcast_into(&batch, front, x->shape) ||
                 !agni_broadcast_into(&features, f.features, x->shape + front + 1))
            st = agni_fail(AGN_ESHAPE, "%s: features do not broadcast: %s and %s", c->op->name,
                           AGNI_SHAPE(c->in[0]), AGNI_SHAPE(x));
    }
    if (st)
        return st;
    o->dtype = c->in[f.operands == 5 ? 3 : 0]->dtype;
    o->ndim = batch.ndim + 1 + f.features;
    if (o->ndim > AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: the result has rank %d, above %d", c->op->name, o->ndim,
                         AGN_MAX_RANK);
    memcpy(o->shape, batch.shape, (size_t)batch.ndim * sizeof *o->shape);
    o->shape[batch.ndim] = agni_graph_count(f.g, f.to);
    for (int d = 0; d < f.features; d++)
        o->shape[batch.ndim + 1 + d] = f.sums && f.sums[d] ? 1 : features.shape[d];
    return agni_shape_check(c->op->name, o->ndim, o->shape, &size);
}

static agn_status infer_softmax(agni_call *c)
{
    const agn_graph *g = (const agn_graph *)c->at->obj;
    const agn_tensor *x = c->in[0];
    int64_t side = c->at->i[0], features = c->at->i[1], front = x->ndim - 1 - features;
    if (side < 0 || side >= AGN_GRAPH_EDGE || features < 0)
        return agni_fail(AGN_EARG, "%s: side %lld or %lld axes of features", c->op->name,
                         (long long)side, (long long)features);
    if (front < 0 || x->shape[front] != g->edges)
        return agni_fail(AGN_ESHAPE,
                         "%s: %s does not have an axis of the %lld edges before %lld of features",
                         c->op->name, AGNI_SHAPE(x), (long long)g->edges, (long long)features);
    return agni_infer_same(c);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static agni_slots slots[7];
#define ROW(k, takes_, cls_, n, dtypes_, diff_, promote_, text) \
    .takes = takes_, .cls = cls_, .nin = n, .nout = 1, .dtypes = dtypes_, .diff = diff_, \
    .promote = promote_, .result = AGNI_OUT_SAME, .ew = -1, .contiguous = true, \
    .batch = agni_batch_aligned, .slots = &slots[k], .lo = -2, .hi = 2, .hi2 = 2, .doc = text

const agni_op agni_op_graph_copy = {
    .name = "graph_copy",
    .lo2 = -2,
    ROW(0, "x from:i to:i features:i graph:o", AGNI_LINEAR, 1, AGNI_REALS, 1, 1,
        "sums of rows over the edges of a graph"),
    .zeros = AGNI_ZEROS_PLACED,
    .infer = infer_reduction,
    .cpu = agni_cpu_graph_reduce,
    .transpose = agni_graph_copy_transpose};
const agni_op agni_op_graph_add = {
    .name = "graph_add",
    .lo2 = -2,
    ROW(1, "a b at_a:i at_b:i to:i features:i minus:b graph:o", AGNI_LINEAR, 2, AGNI_REALS, 3, 3,
        "sums of a + b or a - b over the edges of a graph"),
    .infer = infer_reduction,
    .cpu = agni_cpu_graph_reduce,
    .transpose = agni_graph_add_transpose};
const agni_op agni_op_graph_mul = {
    .name = "graph_mul",
    .lo2 = -2,
    ROW(2, "a b at_a:i at_b:i to:i sums:b* graph:o", AGNI_MULTI, 2, AGNI_REALS, 3, 3,
        "sums of a b over the edges of a graph and over features"),
    .infer = infer_reduction,
    .cpu = agni_cpu_graph_reduce,
    .transpose = agni_graph_mul_transpose};
const agni_op agni_op_graph_div = {
    .name = "graph_div",
    .lo2 = 0.5,
    ROW(3, "a b at_a:i at_b:i to:i features:i graph:o", AGNI_SOLVE, 2, AGNI_FLOATS, 3, 3,
        "sums of a / b over the edges of a graph"),
    .traits = AGNI_SINGULAR,
    .infer = infer_reduction,
    .cpu = agni_cpu_graph_reduce,
    .jvp = agni_graph_div_jvp};
const agni_op agni_op_graph_extreme = {
    .name = "graph_extreme",
    .lo2 = -2,
    ROW(4, "a b at_a:i at_b:i to:i message:i features:i largest:b graph:o", AGNI_CHOICE, 2,
        AGNI_REALS, 3, 3, "largest or smallest message over the edges of a graph"),
    .infer = infer_reduction,
    .cpu = agni_cpu_graph_reduce,
    .jvp = agni_graph_extreme_jvp};
const agni_op agni_op_graph_tie = {
    .name = "graph_tie",
    .lo2 = -2,
    ROW(5, "y a b p q at_y:i at_a:i at_b:i at_p:i at_q:i to:i message:i sums:b* graph:o",
        AGNI_MULTI, 5, AGNI_FLOATS, 24, 31, "sums of p q over the edges whose message is y"),
    .infer = infer_reduction,
    .cpu = agni_cpu_graph_tie,
    .transpose = agni_graph_tie_transpose};
const agni_op agni_op_graph_softmax = {
    .name = "graph_softmax",
    .lo2 = -2,
    ROW(6, "x side:i features:i graph:o", AGNI_SOLVE, 1, AGNI_FLOATS, 1, 1,
        "exponentials over their sums, of the edges of each node"),
    .infer = infer_softmax,
    .cpu = agni_cpu_graph_softmax,
    .jvp = agni_graph_softmax_jvp};
