/* geometric/blocks/edge_blocks.c - the op graph_messages: its attribute, inference, and how a node
   is made. */
#include "geometric/blocks/edge_blocks.h"

#include <string.h>

/* ---- the attribute -------------------------------------------------------------------------- */

static void destroy_blocks(agni_obj *o)
{
    agni_edge_blocks *b = (agni_edge_blocks *)o;
    for (int k = 0; k < b->n; k++) {
        agni_prog_release(b->at[k].p);
        agni_plan_release(atomic_load(&b->at[k].plan));
    }
    agn_graph_release((agn_graph *)(uintptr_t)b->g);
    agni_free(b);
}
static int block_programs(const agni_obj *o, int i, const agni_prog **p)
{
    const agni_edge_blocks *b = (const agni_edge_blocks *)o;
    if (p)
        *p = b->at[i].p;
    return b->n;
}

static const agni_obj_type blocks_type;
agni_edge_blocks *agni_edge_blocks_new(const agn_graph *g, int64_t block, int exact)
{
    agni_edge_blocks *b = agni_zalloc(sizeof *b);
    if (!b)
        return NULL;
    agni_ref_init(&b->head.ref);
    b->head.type = &blocks_type;
    b->g = agn_graph_retain(g);
    b->exact = exact;
    if (g->edges >= block || !g->edges) {
        b->at[b->n].rows = g->edges ? block : 1; /* of no edges one row tells the shapes */
        b->at[b->n++].count = g->edges / block;
    }
    if (g->edges % block) {
        b->at[b->n].rows = g->edges % block;
        b->at[b->n++].count = 1;
    }
    for (int k = 0; k < b->n; k++) {
        atomic_init(&b->at[k].plan, NULL);
        atomic_init(&b->at[k].ran, false);
    }
    return b;
}
static agni_obj *blocks_with_programs(const agni_obj *o, agni_prog *const *p)
{
    const agni_edge_blocks *old = (const agni_edge_blocks *)o;
    agni_edge_blocks *b = agni_edge_blocks_new(old->g, old->at[0].rows, old->exact);
    for (int k = 0; b && k < b->n; k++)
        b->at[k].p = p[k];
    return b ? &b->head : NULL;
}
static const agni_obj_type blocks_type = {.name = "blocks",
                                          .destroy = destroy_blocks,
                                          .programs = block_programs,
                                          .over = blocks_with_programs};

agni_block_form agni_read_block_form(const agni_attr *at, int nin, int nout)
{
    int rows = (int)at->i[0];
    return (agni_block_form){
        (const agni_edge_blocks *)at->obj, rows, nin, nout, at->i + 1, at->i + 1 + rows};
}

enum { BLOCK_BYTES = 1 << 19, FEWEST = 64, MOST = 1 << 15 };
int64_t agni_choose_block(const agn_graph *g, int64_t bytes)
{
    int64_t n = BLOCK_BYTES / (bytes + 8) / FEWEST * FEWEST;
    (void)g;
    return n < FEWEST ? FEWEST : n > MOST ? MOST : n;
}

/* ---- making a node -------------------------------------------------------------------------- */

/* shapes that the body of blocks of n rows gets */
static bool describe_block(agn_scope *s, const agni_block_call *q, int64_t n,
                           const agn_tensor *const *in, int n_in, const agn_tensor **like)
{
    for (int i = 0; i < n_in && !agn_scope_status(s); i++) {
        like[i] = in[i];
        if (i >= q->rows)
            continue;
        int64_t shape[AGNI_MAX_RANK] = {n};
        memcpy(shape + 1, in[i]->shape + 1, (size_t)(in[i]->ndim - 1) * sizeof *shape);
        agn_tensor *h = agni_tensor_header(in[i]->dtype, in[i]->ndim, shape);
        like[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem("graph_messages", sizeof *h), &h);
    }
    return !agn_scope_status(s);
}

/* a stored program with captured values, as one of all arguments of the node */
typedef struct closed_body {
    const agni_prog *p;
    int n, first; /* its arguments; where its captured values begin */
} closed_body;
static agn_status run_closed_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const closed_body *q = user;
    const agn_tensor **a = agni_alloc((size_t)(q->p->n_in + 1) * sizeof *a);
    if (!a)
        return agn_scope_fail(s, agni_nomem("graph_messages", (size_t)q->p->n_in * sizeof *a));
    for (int i = 0; i < q->p->n_in; i++)
        a[i] = i < q->n ? in[i] : in[q->first + i - q->n];
    agni_prog_replay(q->p, s, a, out, NULL);
    agni_free(a);
    return agn_scope_status(s);
}

static agn_status trace_block(agni_prog **out, const agni_c_body *body, int n_in,
                              const agn_tensor *const *like, int n_out, int *n_extra,
                              const agn_tensor ***extra, agni_prog **live)
{
    uint64_t first;
    agn_status st = agni_trace_body(live, &first, body->body, body->user, n_in, like, n_out, true);
    return st ? st : agni_prog_store(out, *live, n_extra, extra);
}

/* Traces the programs of b. What they capture follows in[q->nin]: *all, of *n. */
static void trace_blocks(agn_scope *s, agni_edge_blocks *b, const agni_block_call *q,
                         const agn_tensor *const *in, const agn_tensor ***all, int *n)
{
    agni_prog *live[AGNI_BLOCK_PROGRAMS] = {NULL};
    const agn_tensor **extra[AGNI_BLOCK_PROGRAMS] = {NULL};
    const agn_tensor **like = agni_zalloc((size_t)(q->nin + 1) * sizeof *like);
    int n_extra[AGNI_BLOCK_PROGRAMS] = {0}, more = 0;
    agn_status st = like ? AGN_OK : agni_nomem("graph_messages", (size_t)q->nin * sizeof *like);
    for (int k = 0; !st && k < b->n; k++) {
        if (describe_block(s, q, b->at[k].rows, in, q->nin, like))
            st = trace_block(&b->at[k].p, &q->body[k], q->nin, like, q->nout, &n_extra[k],
                             &extra[k], &live[k]);
        else
            st = agn_scope_status(s);
        more += n_extra[k];
    }
    *n = q->nin + more;
    *all = st ? NULL : agni_zalloc((size_t)(2 * *n + 1) * sizeof **all);
    if (!st && !*all)
        st = agni_nomem("graph_messages", (size_t)*n * sizeof **all);
    if (!st)
        memcpy(*all, in, (size_t)q->nin * sizeof **all);
    int at = q->nin;
    for (int k = 0; !st && k < b->n; k++)
        for (int i = 0; i < n_extra[k]; i++)
            (*all)[at++] = extra[k][i];
    at = q->nin;
    for (int k = 0; !st && more && k < b->n; k++) {
        closed_body c = {b->at[k].p, q->nin, at};
        agni_prog *p = NULL, *again = NULL;
        const agn_tensor **none = NULL;
        int n_none = 0;
        at += n_extra[k];
        st = describe_block(s, q, b->at[k].rows, *all, *n, *all + *n)
                 ? trace_block(&p, &(agni_c_body){run_closed_body, &c}, *n, *all + *n, q->nout,
                               &n_none, &none, &again)
                 : agn_scope_status(s);
        if (!st) {
            agni_prog_release(b->at[k].p);
            b->at[k].p = p;
        }
        agni_prog_release(again);
        agni_free(none);
    }
    agn_scope_fail(s, st);
    for (int k = 0; k < b->n; k++)
        if (extra[k]) /* borrowed from live programs: the scope keeps them until the node has them */
            for (int i = 0; !st && i < n_extra[k]; i++) {
                agn_tensor *x = agni_tensor_ref(extra[k][i]);
                (*all)[q->nin + (k ? n_extra[0] : 0) + i] = agn_scope_adopt(s, AGN_OK, &x);
            }
    for (int k = 0; k < b->n; k++) {
        agni_prog_release(live[k]);
        agni_free(extra[k]);
    }
    agni_free(like);
}

void agni_emit_blocks(agn_scope *s, const agni_block_call *q, const agn_tensor *const *in,
                      const agn_tensor **out)
{
    const agn_tensor **all = NULL;
    int n = 0, ni = 1 + q->rows + q->nout;
    if (agn_scope_status(s))
        return;
    agni_edge_blocks *b = agni_edge_blocks_new(q->g, q->block, q->exact);
    int64_t *ints = agni_alloc((size_t)ni * sizeof *ints);
    if (!b || !ints)
        agn_scope_fail(s, agni_nomem("graph_messages", (size_t)ni * sizeof *ints));
    else
        trace_blocks(s, b, q, in, &all, &n);
    for (int o = 0; !agn_scope_status(s) && o < q->nout; o++)
        if (agni_is_extreme_target(q->target[o]) && !b->exact)
            b->exact = agni_is_elementwise(b->at[0].p) && !agni_has_multiply_add(b->at[0].p)
                           ? AGNI_BLOCKS_ON_TILES
                           : AGNI_BLOCKS_BY_KERNELS;
    if (!agn_scope_status(s)) {
        ints[0] = q->rows;
        for (int i = 0; i < q->rows; i++)
            ints[1 + i] = q->side[i];
        for (int o = 0; o < q->nout; o++)
            ints[1 + q->rows + o] = q->target[o];
        agni_apply_many_in(s, &agni_op_graph_messages,
                           &(agni_attr){.ni = ni, .i = ints, .obj = &b->head}, n, all, q->nout,
                           out);
    }
    if (b)
        agni_obj_release(&b->head);
    agni_free(ints);
    agni_free(all);
}

/* ---- the op --------------------------------------------------------------------------------- */

static agn_status check_operand(const agni_block_form *f, const agni_call *c, int i, int k)
{
    const agn_tensor *x = c->in[i], *like = f->b->at[k].p->val[i];
    bool rows = i < f->rows;
    bool same = x->dtype == like->dtype && x->ndim == like->ndim &&
                (!rows || (x->ndim && x->shape[0] == agni_graph_count(f->b->g, f->side[i]) &&
                           like->shape[0] == f->b->at[k].rows));
    for (int d = rows; same && d < x->ndim; d++)
        same = x->shape[d] == like->shape[d];
    return same ? AGN_OK
                : agni_fail(AGN_ESHAPE, "%s: argument %d is %s %s, its blocks are %s %s",
                            c->op->name, i, agni_dtypes[x->dtype].name, AGNI_SHAPE(x),
                            agni_dtypes[like->dtype].name, AGNI_SHAPE(like));
}

/* result o of blocks k: rows, that can be reduced so, of the shape that those of the first have */
static agn_status check_result(const agni_block_form *f, const agni_call *c, int o, int k)
{
    const agni_prog *p = f->b->at[k].p, *first = f->b->at[0].p;
    const agn_tensor *y = p->val[p->out[o]], *like = first->val[first->out[o]];
    bool rows = f->target[o] != AGNI_WHOLE, sums = y->dtype == AGN_I32 || y->dtype == AGN_I64;
    sums = sums || agni_kind(y->dtype) == AGNI_KIND_COMPLEX || y->dtype == AGN_F32 ||
           y->dtype == AGN_F64;
    bool fits = y->dtype == like->dtype && y->ndim == like->ndim &&
                (!rows || (y->ndim && y->shape[0] == f->b->at[k].rows));
    for (int d = rows; fits && d < y->ndim; d++)
        fits = y->shape[d] == like->shape[d];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "%s: result %d of a block of %lld rows is %s, of another %s",
                         c->op->name, o, (long long)f->b->at[k].rows, AGNI_SHAPE(y),
                         AGNI_SHAPE(like));
    if (f->target[o] != AGN_GRAPH_EDGE && (!sums || (agni_is_extreme_target(f->target[o]) &&
                                                     agni_kind(y->dtype) == AGNI_KIND_COMPLEX)))
        return agni_fail(AGN_EDTYPE, "%s: result %d is %s, which is not reduced", c->op->name, o,
                         agni_dtypes[y->dtype].name);
    return AGN_OK;
}

static agn_status check_form(const agni_block_form *f, const agni_call *c)
{
    bool good = f->rows >= 0 && f->rows <= c->nin && c->at->ni == 1 + f->rows + c->nout;
    for (int i = 0; good && i < f->rows; i++)
        good = f->side[i] >= AGN_GRAPH_SRC && f->side[i] <= AGN_GRAPH_EDGE;
    for (int o = 0; good && o < c->nout; o++)
        good = f->target[o] >= AGN_GRAPH_SRC && f->target[o] <= AGNI_SMALLEST;
    for (int k = 0; good && k < f->b->n; k++)
        good = f->b->at[k].p->n_in == c->nin && f->b->at[k].p->n_out == c->nout;
    return good ? AGN_OK
                : agni_fail(AGN_EARG,
                            "%s: %d arguments and %d results are not those of its programs",
                            c->op->name, c->nin, c->nout);
}

static agn_status infer_blocks(agni_call *c)
{
    agni_block_form f = agni_read_block_form(c->at, c->nin, c->nout);
    const agni_prog *p = f.b->at[0].p;
    agn_status st = check_form(&f, c);
    for (int k = 0; !st && k < f.b->n; k++) {
        for (int i = 0; !st && i < c->nin; i++)
            st = check_operand(&f, c, i, k);
        for (int o = 0; !st && o < c->nout; o++)
            st = check_result(&f, c, o, k);
    }
    for (int o = 0; !st && o < c->nout; o++) {
        const agn_tensor *y = p->val[p->out[o]];
        agni_meta *m = &c->meta[o];
        m->dtype = y->dtype;
        m->ndim = y->ndim;
        memcpy(m->shape, y->shape, (size_t)y->ndim * sizeof *y->shape);
        if (f.target[o] != AGNI_WHOLE)
            m->shape[0] = agni_graph_count(
                f.b->g, agni_is_extreme_target(f.target[o]) ? AGN_GRAPH_DST : f.target[o]);
    }
    return st;
}

/* No two of them become one. That it could be asked tells a plan to say where its results shall
   lie. */
agn_status agni_blocks_merge(const agni_use *wide, const agni_use *narrow, agni_attr **at,
                             int *nout, int32_t *result)
{
    (void)wide, (void)narrow, (void)nout, (void)result;
    *at = NULL;
    return AGN_OK;
}

const agni_op agni_op_graph_messages = {
    .name = "graph_messages",
    .takes = "args* rows:i places:i* blocks:o",
    .cls = AGNI_CONTROL,
    .nin = -1,
    .nout = -1,
    .dtypes = AGNI_REALS,
    .diff = ~0u,
    .ew = -1,
    .lo = -3,
    .hi = 3,
    .infer = infer_blocks,
    .eval = agni_run_blocks,
    .jvp = agni_blocks_jvp,
    .vjp = agni_blocks_vjp,
    .jet = agni_blocks_jet,
    .batch = agni_blocks_batch,
    .merge = agni_blocks_merge,
    .doc = "a program of rows over blocks of edges, whose results are reduced at nodes"};
