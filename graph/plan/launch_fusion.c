/* graph/plan/launch_fusion.c - fusion of element-wise nodes into one launch, in plans for a device:
   a greedy partition, in program order, into groups of one shape and dtype (Kennedy & McKinley
   1994, loop fusion). A group is closed before a node that needs its values runs otherwise; what
   none but its own nodes read stays in registers. */
#include "graph/plan/launch_fusion.h"

#include "graph/launch/launch.h"
#include "tensor/rows/fused_chain.h"
#include <string.h>

enum { OPEN = 4 }; /* groups of different shapes that grow at the same time */

typedef struct launch_group {
    int32_t n, node[AGNI_CHAIN_NODES];
    int dtype;
} launch_group;

typedef struct fusion {
    agni_plan *p;
    agn_status (*whole)(agni_plan *p, const agni_pnode *n);
    int32_t *reads; /* of values: by nodes, and as results */
    int8_t *group;  /* of values: the open group that makes it, from 1; 0: none */
    bool row[AGNI_EW_COUNT];
    launch_group open[OPEN];
    int next; /* to be closed where none is free */
} fusion;

static const agn_tensor *tensor_of(const fusion *f, int32_t v)
{
    return f->p->ir->val[v].t;
}
static int32_t operand_of(const fusion *f, int32_t k, int i)
{
    return f->p->ir->arg[f->p->ir->node[k].arg + i];
}

/* the real dtype in which node k runs in a chain, -1: in none */
static int chain_dtype(const fusion *f, int32_t k)
{
    const agni_pnode *n = &f->p->ir->node[k];
    const agn_tensor *y = tensor_of(f, n->val);
    bool cast = n->op == &agni_op_cast;
    if (n->nout != 1 || n->nin < 1 || n->nin > 3 || !y->size || y->ndim > AGNI_CHAIN_RANK ||
        (!cast && (n->op->ew < 0 || !f->row[n->op->ew])))
        return -1;
    int dtype = y->dtype == AGN_BOOL ? -1 : y->dtype;
    for (int i = 0; i < n->nin; i++) {
        int d = tensor_of(f, operand_of(f, k, i))->dtype;
        if (d == AGN_BOOL)
            continue;
        if ((dtype >= 0 && d != dtype) || (cast && y->dtype == AGN_BOOL))
            return -1;
        dtype = d;
    }
    return dtype == AGN_F32 || dtype == AGN_F64 ? dtype : -1;
}

/* ---- the code of a group -------------------------------------------------------------------- */

typedef struct emitter {
    const fusion *f;
    const launch_group *g;
    int64_t word[AGNI_CHAIN_WORDS];
    double number[AGNI_CHAIN_NUMBERS];
    int32_t in[AGNI_CHAIN_INPUTS], out[AGNI_CHAIN_OUTPUTS], held[AGNI_CHAIN_REGISTERS]; /* values, -1 */
    int n_word, n_number, n_in, n_out;
    bool full;
} emitter;

static void emit_word(emitter *e, int op, int dst, int a, int b, int c)
{
    if (e->n_word == AGNI_CHAIN_WORDS) {
        e->full = true;
        return;
    }
    e->word[e->n_word++] = agni_chain_pack(
        (agni_chain_word){(int16_t)op, (uint8_t)dst, (uint8_t)a, (uint8_t)b, (uint8_t)c});
}

static int take_register(emitter *e, int32_t v)
{
    for (int r = 0; r < AGNI_CHAIN_REGISTERS; r++)
        if (e->held[r] < 0) {
            e->held[r] = v;
            return r;
        }
    e->full = true;
    return 0;
}

/* is v read by the group's nodes from number j on? */
static bool is_read_from(const emitter *e, int j, int32_t v)
{
    for (; j < e->g->n; j++)
        for (int i = 0; i < e->f->p->ir->node[e->g->node[j]].nin; i++)
            if (operand_of(e->f, e->g->node[j], i) == v)
                return true;
    return false;
}

/* the register of v, loaded at its first use */
static int load_value(emitter *e, int32_t v)
{
    for (int r = 0; r < AGNI_CHAIN_REGISTERS; r++)
        if (e->held[r] == v)
            return r;
    const agni_ir_value *q = &e->f->p->ir->val[v];
    int r = take_register(e, v);
    if (q->constant && q->splat) {
        if (e->n_number == AGNI_CHAIN_NUMBERS) {
            e->full = true;
            return r;
        }
        e->number[e->n_number] = q->num;
        emit_word(e, AGNI_CHAIN_NUMBER, r, e->n_number++, 0, 0);
        return r;
    }
    int k = 0;
    while (k < e->n_in && e->in[k] != v)
        k++;
    if (k == AGNI_CHAIN_INPUTS) {
        e->full = true;
        return r;
    }
    e->in[k] = v;
    e->n_in += k == e->n_in;
    emit_word(e, AGNI_CHAIN_LOAD, r, k, 0, 0);
    return r;
}

/* how often the group itself reads v */
static int32_t count_own_reads(const emitter *e, int32_t v)
{
    int32_t n = 0;
    for (int j = 0; j < e->g->n; j++)
        for (int i = 0; i < e->f->p->ir->node[e->g->node[j]].nin; i++)
            n += operand_of(e->f, e->g->node[j], i) == v;
    return n;
}

static void emit_node(emitter *e, int j)
{
    const agni_pnode *n = &e->f->p->ir->node[e->g->node[j]];
    int a[3] = {0, 0, 0};
    for (int i = 0; i < n->nin; i++)
        a[i] = load_value(e, operand_of(e->f, e->g->node[j], i));
    for (int r = 0; r < AGNI_CHAIN_REGISTERS; r++)
        if (e->held[r] >= 0 && !is_read_from(e, j + 1, e->held[r]))
            e->held[r] = -1;
    int dst = take_register(e, n->val);
    emit_word(e, n->op == &agni_op_cast ? AGNI_CHAIN_MOVE : n->op->ew, dst, a[0], a[1], a[2]);
    if (e->f->reads[n->val] > count_own_reads(e, n->val)) {
        if (e->n_out == AGNI_CHAIN_OUTPUTS) {
            e->full = true;
            return;
        }
        emit_word(e, AGNI_CHAIN_STORE, e->n_out, dst, 0, 0);
        e->out[e->n_out++] = n->val;
    }
}

/* the group's step is added; its nodes run alone where there is one of them, or no room for their
   code */
static agn_status close_group(fusion *f, launch_group *g)
{
    emitter e = {.f = f, .g = g};
    agn_status st = AGN_OK;
    memset(e.held, -1, sizeof e.held);
    for (int j = 0; g->n > 1 && j < g->n; j++)
        emit_node(&e, j);
    if (g->n > 1 && !e.full && e.n_out) {
        agni_attr at = {.ni = e.n_word, .nf = e.n_number, .i = e.word, .f = e.number};
        agni_attr *kept = agni_attr_keep(&at);
        const agn_kernel_entry *k = agni_find_named_kernel(f->p->device, agni_op_fused_elementwise.name, g->dtype);
        agni_step s = {.kind = AGNI_STEP_KERNEL,
                       .nin = e.n_in,
                       .nout = e.n_out,
                       .op = &agni_op_fused_elementwise,
                       .at = kept,
                       .owns_at = true,
                       .run = k->run};
        st = kept ? agni_plan_add_step(f->p, s, e.in, e.out) : agni_nomem("compile", sizeof at);
        if (st && kept)
            agni_obj_release(&kept->head);
    } else if (g->n == 1 || e.full) {
        for (int j = 0; !st && j < g->n; j++)
            st = f->whole(f->p, &f->p->ir->node[g->node[j]]);
    }
    for (int j = 0; j < g->n; j++)
        f->group[f->p->ir->node[g->node[j]].val] = 0;
    g->n = 0;
    return st;
}

/* ---- the groups ----------------------------------------------------------------------------- */

static bool has_room(const fusion *f, const launch_group *g, int dtype, const agn_tensor *y)
{
    return g->n > 0 && g->n < AGNI_CHAIN_NODES / 2 && g->dtype == dtype &&
           agni_same_shape(tensor_of(f, f->p->ir->node[g->node[0]].val), y);
}

/* the group that a node of this dtype and shape may join, an empty one, or one that is closed for
   it */
static agn_status choose_group(fusion *f, int dtype, const agn_tensor *y, launch_group **g)
{
    for (int i = 0; i < OPEN; i++)
        if (has_room(f, &f->open[i], dtype, y)) {
            *g = &f->open[i];
            return AGN_OK;
        }
    for (int i = 0; i < OPEN; i++)
        if (!f->open[i].n) {
            *g = &f->open[i];
            return AGN_OK;
        }
    *g = &f->open[f->next++ % OPEN];
    return close_group(f, *g);
}

static agn_status add_node(fusion *f, int32_t k)
{
    const agni_pnode *n = &f->p->ir->node[k];
    int dtype = chain_dtype(f, k);
    launch_group *g = NULL;
    agn_status st = dtype < 0 ? AGN_OK : choose_group(f, dtype, tensor_of(f, n->val), &g);
    for (int i = 0; !st && i < n->nin; i++) {
        int of = f->group[operand_of(f, k, i)];
        if (of && &f->open[of - 1] != g)
            st = close_group(f, &f->open[of - 1]);
    }
    if (st || !g)
        return st ? st : f->whole(f->p, n);
    g->dtype = dtype;
    g->node[g->n++] = k;
    f->group[n->val] = (int8_t)(g - f->open + 1);
    return AGN_OK;
}

agn_status agni_plan_fuse_launches(agni_plan *p, const agni_partition *c, int stage,
                                   agn_status (*whole)(agni_plan *p, const agni_pnode *n))
{
    const agni_ir *ir = p->ir;
    fusion f = {.p = p, .whole = whole};
    bool able = agni_find_named_kernel(p->device, agni_op_fused_elementwise.name, AGN_F32) &&
                agni_find_named_kernel(p->device, agni_op_fused_elementwise.name, AGN_F64);
#define ADD_ROW(name) f.row[AGNI_EW_##name] = able;
    AGNI_CHAIN_ROWS(ADD_ROW)
#undef ADD_ROW
    f.reads = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *f.reads);
    f.group = agni_zalloc((size_t)ir->n_val + 1);
    agn_status st = f.reads && f.group ? AGN_OK
                                       : agni_nomem("compile", (size_t)ir->n_val * sizeof *f.reads);
    for (int k = 0; !st && k < ir->n_node; k++)
        for (int i = 0; i < ir->node[k].nin; i++)
            f.reads[operand_of(&f, k, i)]++;
    for (int i = 0; !st && i < ir->n_out; i++)
        f.reads[ir->out[i]]++;
    for (int k = 0; !st && k < ir->n_node; k++)
        if (c->mode[k] == AGNI_WHOLE && c->at[k] == stage)
            st = able || chain_dtype(&f, k) < 0 ? add_node(&f, k) : whole(p, &ir->node[k]);
    for (int i = 0; !st && i < OPEN; i++)
        if (f.open[i].n)
            st = close_group(&f, &f.open[i]);
    agni_free(f.reads);
    agni_free(f.group);
    return st;
}
