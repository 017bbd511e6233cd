/* geometric/blocks/messages.c - programs of rows as messages (Gilmer et al. 2017), in the loop over
   edges where their ops keep rows apart. */
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

/* Edges of a block, 0: the body must see all edges at once. */
static int64_t probe_body(agn_scope *s, const agni_messages *m)
{
    enum { PROBE = 3 };
    agni_prog *p = NULL;
    uint64_t first;
    int64_t block = 0;
    const agn_tensor *like[AGNI_MESSAGE_ROWS];
    for (int i = 0; i < m->n; i++)
        if (m->in[i]->layout != AGN_DENSE || agni_tensor_device(m->in[i]) != AGN_CPU)
            return 0;
    if (!m->g->edges || !describe_rows(s, m->n, m->in, PROBE, like))
        return 0;
    if (agni_trace_body(&p, &first, m->body.body, m->body.user, m->n, like, m->n_out, true))
        return 0; /* what is wrong with it, the call with all edges tells */
    bool good = agni_is_rowwise(p, m->n, PROBE);
    for (int o = 0; good && o < p->n_out; o++)
        good = m->target[o] == AGN_GRAPH_EDGE || sums_exist(p->val[p->out[o]]->dtype);
    for (int v = 0; good && v < p->n_val; v++) /* constants of the trace are on the host, too */
        good = !p->val[v]->st || p->val[v]->st->device == AGN_CPU;
    if (good)
        block = agni_choose_block(m->g, count_row_bytes(p, PROBE));
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

void agni_run_messages(agn_scope *s, const agni_messages *m, const agn_tensor **out)
{
    int64_t block = agn_scope_status(s) ? 0 : probe_body(s, m), target[AGNI_MESSAGE_RESULTS];
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
    agni_block_call q = {.g = m->g,
                         .block = block,
                         .body = {m->body, m->body},
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
