/* geometric/blocks/messages.c - programs of rows as messages (Gilmer et al. 2017), in the loop over
   edges where their ops keep rows apart: that of a name where the program is one op that has it. */
#include "geometric/blocks/messages.h"

#include <agnesi/ag.h>

/* arrays whose rows a block holds: those of the operands and twice of what the function makes */
static int64_t count_row_bytes(const agni_prog *p, int64_t rows)
{
    int64_t bytes = 0;
    for (int v = 0; v < p->n_val; v++)
        if (p->val[v]->ndim && p->val[v]->shape[0] == rows)
            bytes += agni_tensor_bytes(p->val[v]) / rows;
    return bytes;
}

static bool sums_exist(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_F64 || dtype == AGN_I32 || dtype == AGN_I64;
}

/* the rows of a block of the operands, as symbols */
static bool describe_rows(agn_scope *s, int n, const agn_tensor *const *in, int64_t rows,
                          const agn_tensor **like)
{
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        int64_t shape[AGNI_MAX_RANK] = {rows};
        for (int d = 1; d < in[i]->ndim; d++)
            shape[d] = in[i]->shape[d];
        agn_tensor *h = agni_tensor_header(in[i]->dtype, in[i]->ndim, shape);
        like[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem("graph_messages", sizeof *h), &h);
    }
    return !agn_scope_status(s);
}

/* A message that has a name: one op of two operands, or an operand itself. A quotient by rows of
   nodes has none here: its slope at a node without edges would be 0 / 0, not 0. */
typedef struct named_message {
    int32_t message; /* AGN_MESSAGE_COPY ... */
    int a, b;        /* operands; b is -1 for a copy */
} named_message;
enum { NO_NAME = -1 };

static named_message find_name(const agni_prog *p, const int64_t *side)
{
    static const agni_op *const ops[] = {
        [AGN_MESSAGE_ADD] = &agni_op_add,
        [AGN_MESSAGE_SUB] = &agni_op_sub,
        [AGN_MESSAGE_MUL] = &agni_op_mul,
        [AGN_MESSAGE_DIV] = &agni_op_div,
    };
    const agni_pnode *node = p->node;
    named_message q = {NO_NAME, 0, -1};
    if (p->n_out != 1 || p->n_cap || agni_kind(p->val[p->out[0]]->dtype) != AGNI_KIND_FLOAT)
        return q;
    if (p->n_node == 0)
        return (named_message){AGN_MESSAGE_COPY, p->out[0], -1};
    if (p->n_node > 1 || p->out[0] != node->val || node->nin != 2)
        return q;
    for (int32_t k = AGN_MESSAGE_ADD; k <= AGN_MESSAGE_DIV; k++)
        if (node->op == ops[k])
            q = (named_message){k, p->arg[node->arg], p->arg[node->arg + 1]};
    if (q.message == AGN_MESSAGE_DIV && side[q.b] != AGN_GRAPH_EDGE)
        q.message = NO_NAME;
    for (int i = 0; q.message != NO_NAME && i < 2; i++)
        if (p->val[i ? q.b : q.a]->dtype != p->val[p->out[0]]->dtype)
            q.message = NO_NAME;
    return q;
}

/* Edges of a block, 0: the body must see all edges at once. */
static int64_t probe_body(agn_scope *s, const agni_messages *m, named_message *name)
{
    enum { PROBE = 3 };
    agni_prog *p = NULL;
    uint64_t first;
    int64_t block = 0;
    const agn_tensor *like[AGNI_MESSAGE_ROWS];
    name->message = NO_NAME;
    for (int i = 0; i < m->n; i++)
        if (m->in[i]->layout != AGN_DENSE || agni_tensor_device(m->in[i]) != AGN_CPU)
            return 0;
    if (!m->g->edges || !describe_rows(s, m->n, m->in, PROBE, like))
        return 0;
    bool good = false;
    agn_status st = agni_trace_body(&p, &first, m->body.body, m->body.user, m->n, like, m->n_out,
                                    true);
    if (st && st != AGN_ENOMEM)
        return 0; /* what is wrong with it, the call with all edges tells */
    if (agn_scope_fail(s, st ? st : agni_find_rowwise(&good, p, m->n, PROBE)) || !good) {
        agni_prog_release(p);
        return 0;
    }
    for (int o = 0; good && o < p->n_out; o++)
        good = m->target[o] == AGN_GRAPH_EDGE || sums_exist(p->val[p->out[o]]->dtype);
    for (int v = 0; good && v < p->n_val; v++) /* constants of the trace are on the host, too */
        good = !p->val[v]->st || p->val[v]->st->device == AGN_CPU;
    if (good) {
        block = agni_choose_block(m->g, count_row_bytes(p, PROBE));
        *name = find_name(p, m->side);
    }
    agni_prog_release(p);
    return block;
}

const agn_tensor *agni_gather_ends(agn_scope *s, const agn_graph *g, const agn_tensor *x,
                                   int64_t side)
{
    return x && side != AGN_GRAPH_EDGE
               ? agni_gsddmm(s, g, x, (int32_t)side, NULL, AGN_GRAPH_EDGE, AGN_MESSAGE_COPY)
               : x;
}

static int32_t reduction_of_target(int64_t target)
{
    int32_t k = AGN_GEOMETRIC_SUM;
    while (k < AGN_GEOMETRIC_MIN && agni_reduction_targets[k] != target)
        k++;
    return k;
}

/* rows of all edges, reduced one after the other */
static void write_rows(agn_scope *s, const agni_messages *m, const agn_tensor **out)
{
    const agn_tensor *in[AGNI_MESSAGE_ROWS] = {NULL};
    for (int i = 0; i < m->n; i++)
        if (!(in[i] = agni_gather_ends(s, m->g, m->in[i], m->side[i])))
            return;
    if (m->body.body(m->body.user, s, in, out) || agn_scope_status(s))
        return;
    for (int o = 0; o < m->n_out && !agn_scope_status(s); o++)
        if (m->target[o] != AGN_GRAPH_EDGE)
            out[o] = agni_gspmm(s, m->g, NULL, out[o], AGN_MESSAGE_COPY,
                                reduction_of_target(m->target[o]));
}

static const agn_tensor *run_by_name(agn_scope *s, const agni_messages *m, named_message q)
{
    const agn_tensor *a = m->in[q.a], *b = q.b < 0 ? NULL : m->in[q.b];
    int64_t at_a = m->side[q.a], at_b = q.b < 0 ? AGN_GRAPH_EDGE : m->side[q.b];
    return m->target[0] == AGN_GRAPH_EDGE
               ? agni_gsddmm(s, m->g, a, (int32_t)at_a, b, (int32_t)at_b, q.message)
               : agni_reduce_messages(s, m->g, a, at_a, b, at_b, q.message,
                                      reduction_of_target(m->target[0]));
}

/* the body, whose integers that are averaged are real: their sum may leave its dtype */
static agn_status call_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const agni_messages *m = user;
    agn_status st = m->body.body(m->body.user, s, in, out);
    for (int o = 0; !st && !agn_scope_status(s) && o < m->n_out; o++)
        if (m->target[o] == AGNI_MEAN && agni_kind(out[o]->dtype) <= AGNI_KIND_INT)
            out[o] = agni_cast(s, out[o], AGN_F64);
    return agn_scope_status(s);
}

void agni_run_messages(agn_scope *s, const agni_messages *m, const agn_tensor **out)
{
    named_message name = {NO_NAME, 0, -1};
    int64_t block = agn_scope_status(s) ? 0 : probe_body(s, m, &name), target[AGNI_MESSAGE_RESULTS];
    for (int o = 0; o < m->n_out; o++) {
        target[o] = m->target[o] == AGNI_MEAN ? AGN_GRAPH_DST : m->target[o];
        out[o] = NULL;
    }
    if (agn_scope_status(s))
        return;
    if (!block) {
        write_rows(s, m, out);
        return;
    }
    if (name.message != NO_NAME) {
        out[0] = run_by_name(s, m, name);
        return;
    }
    agni_c_body body = {call_body, (void *)(uintptr_t)m};
    agni_block_call q = {.g = m->g,
                         .block = block,
                         .body = {body, body},
                         .rows = m->n,
                         .nin = m->n,
                         .nout = m->n_out,
                         .side = m->side,
                         .target = target};
    agni_emit_blocks(s, &q, m->in, out);
    for (int o = 0; o < m->n_out && !agn_scope_status(s); o++)
        if (m->target[o] == AGNI_MEAN)
            out[o] = agni_divide_by_degrees(s, m->g, out[o], AGN_GRAPH_DST);
}
