/* exchange/program/graph_object.c - the object of ops of message passing as bytes: the ends of the
   edges of a graph. */
#include "exchange/program/program.h"

#include "geometric/blocks/edge_blocks.h"

agn_status agni_put_graph(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agn_graph *g = (const agn_graph *)o;
    const int64_t facts[] = {g->n[AGN_GRAPH_SRC], g->n[AGN_GRAPH_DST], g->edges};
    agn_status st = AGN_OK;
    (void)op;
    for (int i = 0; !st && i < AGNI_COUNT(facts); i++)
        st = agni_put_number(w, (uint64_t)facts[i], 8);
    for (int side = 0; side < 2; side++)
        for (int64_t e = 0; !st && e < g->edges; e++)
            st = agni_put_number(w, (uint64_t)agni_graph_end(g, side, e), 8);
    return st;
}

agni_obj *agni_take_graph(agni_reader *r, const agni_op *op)
{
    int64_t n[2], m, left;
    agn_graph *g = NULL;
    (void)op;
    n[AGN_GRAPH_SRC] = (int64_t)agni_take_number(r, 8, "a graph");
    n[AGN_GRAPH_DST] = (int64_t)agni_take_number(r, 8, "a graph");
    m = (int64_t)agni_take_number(r, 8, "a graph");
    left = (r->end - r->at) / 16;
    if (!r->st && (n[0] < 0 || n[1] < 0 || m < 0 || m > left))
        agni_bad_program(r, "a graph of %lld and %lld nodes with %lld edges", (long long)n[0],
                         (long long)n[1], (long long)m);
    int64_t *end = r->st ? NULL : agni_alloc((size_t)(2 * m + 1) * sizeof *end);
    if (!r->st && !end)
        r->st = agni_nomem(r->in->op, (size_t)m * 2 * sizeof *end);
    for (int64_t k = 0; !r->st && k < 2 * m; k++) {
        end[k] = (int64_t)agni_take_number(r, 8, "a graph");
        if (!r->st && (end[k] < 0 || end[k] >= n[k >= m]))
            agni_bad_program(r, "edge %lld of a graph at node %lld of %lld", (long long)(k % m),
                             (long long)end[k], (long long)n[k >= m]);
    }
    if (!r->st)
        r->st = agni_graph_make(&g, r->in->op, n[AGN_GRAPH_SRC], n[AGN_GRAPH_DST], m, end, end + m);
    agni_free(end);
    return r->st ? NULL : &g->head;
}

/* ---- programs over blocks of edges ---------------------------------------------------------- */

bool agni_can_save_blocks(const agni_op *op, const agni_obj *o)
{
    const agni_edge_blocks *b = (const agni_edge_blocks *)o;
    (void)op;
    for (int k = 0; k < b->n; k++)
        if (agni_program_check(b->at[k].p))
            return false;
    return true;
}
agn_status agni_put_blocks(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agni_edge_blocks *b = (const agni_edge_blocks *)o;
    agn_status st = agni_put_graph(w, op, &b->g->head);
    st = st ? st : agni_put_number(w, (uint64_t)b->at[0].rows, 8);
    st = st ? st : agni_put_number(w, (uint64_t)b->exact, 4);
    for (int k = 0; !st && k < b->n; k++)
        st = agni_put_program(w, b->at[k].p);
    return st;
}
agni_obj *agni_take_blocks(agni_reader *r, const agni_op *op)
{
    agni_obj *g = agni_take_graph(r, op);
    int64_t block = (int64_t)agni_take_number(r, 8, "edges of a block");
    uint64_t exact = agni_take_number(r, 4, "programs of blocks");
    agni_edge_blocks *b = NULL;
    if (!r->st && block < 1)
        agni_bad_program(r, "blocks of %lld edges", (long long)block);
    if (!r->st && exact > AGNI_BLOCKS_BY_KERNELS)
        agni_bad_program(r, "programs of blocks of kind %lld", (long long)exact);
    if (!r->st && !(b = agni_edge_blocks_new((const agn_graph *)g, block, (int)exact)))
        r->st = agni_nomem(r->in->op, sizeof *b);
    for (int k = 0; b && !r->st && k < b->n; k++)
        agni_take_program(r, &b->at[k].p);
    agni_obj_release(g);
    if (!r->st)
        return &b->head;
    if (b)
        agni_obj_release(&b->head);
    return NULL;
}
