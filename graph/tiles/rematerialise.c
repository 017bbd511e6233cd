/* graph/tiles/rematerialise.c - rematerialisation (Briggs, Cooper, Torczon 1992): cheap values
   are computed again instead of kept. What the forward pass of a layer makes in a step or two,
   and only element-wise steps of its derivative read, would else occupy the tile across products
   that need the cache.

   Products divide a region into phases. A value that is read in its own phase and, later, by
   element-wise instructions alone is made once more for each later phase that reads it, from
   values that are there anyway. No bit depends on it. */
#include "graph/tiles/tile.h"

#include <string.h>

enum { COST = 3 }; /* steps that making a value again may take */

typedef struct value_life {
    int32_t writer, writes;
    int32_t late, kept; /* the last phase that reads it: in steps that could use another; all */
    int32_t cost;       /* of making it again; 0: it is kept */
    int32_t copy, phase; /* the one made for this phase */
} value_life;

typedef struct rematerialisation {
    agni_region *r;
    value_life *life;
    int32_t *phase; /* of instructions */
    int32_t n_life;
    agni_tile_instr *out;
    int32_t n_out, cap_out;
    bool failed;
} rematerialisation;

/* Element by element, all of its buffer at once, from buffers and numbers. */
static bool is_elementwise(const agni_region *r, const agni_tile_instr *q)
{
    if ((q->op != AGNI_T_MAP && q->op != AGNI_T_LOOP2 && q->op != AGNI_T_LOOP3) || q->dst_row ||
        r->buf[q->dst].rows != q->E)
        return false;
    for (int i = 0; i < q->nin; i++) {
        const agni_tile_operand *o = &q->in[i];
        if (o->kind == AGNI_ON_ARRAY || o->hop ||
            (o->kind == AGNI_ON_TILE &&
             (o->row || (o->step != 1 && q->E != 1) || r->buf[o->id].rows != q->E)))
            return false;
    }
    return true;
}
static bool is_cheap(const agni_tile_instr *q)
{
    if (q->op == AGNI_T_MAP)
        return q->elementwise.kernel == AGNI_VM_square || q->elementwise.kernel == AGNI_VM_neg ||
               q->elementwise.kernel == AGNI_VM_abs || q->elementwise.kernel == AGNI_VM_relu;
    return q->op != AGNI_T_LOOP2 || q->elementwise.kernel != AGNI_V2_div;
}

typedef struct reading {
    rematerialisation *a;
    int32_t i;
    bool plain;
} reading;
static void record_access(void *user, int32_t b, bool writes)
{
    const reading *x = user;
    value_life *l = &x->a->life[b];
    int32_t now = x->a->phase[x->i];
    if (writes) {
        l->writes++;
        l->writer = x->i;
    } else {
        int32_t *last = x->plain ? &l->late : &l->kept;
        *last = now > *last ? now : *last;
    }
}

/* What it costs to have buffer b in a phase: nothing where it lies until then. */
static int32_t availability_cost(const rematerialisation *a, int32_t b, int32_t phase)
{
    const value_life *l = &a->life[b];
    if (l->cost)
        return l->cost;
    return l->kept >= phase || l->late >= phase ? 0 : COST + 1;
}

/* In the order in which they are made: what a value is made of is decided before it. */
static void choose_values(rematerialisation *a)
{
    const agni_region *r = a->r;
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tile_instr *q = &r->in[i];
        if (!is_elementwise(r, q) || !is_cheap(q))
            continue;
        value_life *l = &a->life[q->dst];
        if (l->writes != 1 || l->late <= a->phase[i] || l->kept > a->phase[i])
            continue;
        int32_t cost = 1;
        for (int k = 0; k < q->nin && cost <= COST; k++)
            if (q->in[k].kind == AGNI_ON_TILE)
                cost += a->life[q->in[k].id].writes != 1
                            ? COST
                            : availability_cost(a, q->in[k].id, l->late);
        l->cost = cost <= COST ? cost : 0;
    }
}

static int32_t add_buffer(rematerialisation *a, int32_t rows)
{
    agni_region *r = a->r;
    if (!agni_reserve_items(&r->buf, &r->cap_buf, r->n_buf + 1, sizeof *r->buf))
        return -1;
    r->buf[r->n_buf] = (agni_tile_buffer){.rows = rows};
    return r->n_buf++;
}
static void append_instruction(rematerialisation *a, const agni_tile_instr *q)
{
    if (!agni_reserve_items(&a->out, &a->cap_out, a->n_out + 1, sizeof *a->out))
        a->failed = true;
    else
        a->out[a->n_out++] = *q;
}

/* Buffer b as it is in this phase. */
static int32_t value_in_phase(rematerialisation *a, int32_t b, int32_t phase)
{
    if (b >= a->n_life || !a->life[b].cost || a->phase[a->life[b].writer] == phase || a->failed)
        return b;
    value_life *l = &a->life[b];
    if (l->copy >= 0 && l->phase == phase)
        return l->copy;
    agni_tile_instr q = a->r->in[l->writer];
    for (int k = 0; k < q.nin; k++)
        if (q.in[k].kind == AGNI_ON_TILE)
            q.in[k].id = value_in_phase(a, q.in[k].id, phase);
    q.dst = add_buffer(a, a->r->buf[b].rows);
    a->failed = a->failed || q.dst < 0;
    if (a->failed)
        return b;
    append_instruction(a, &q);
    l->copy = q.dst;
    l->phase = phase;
    return q.dst;
}

bool agni_tile_rematerialise(agni_region *r)
{
    rematerialisation a = {.r = r, .n_life = r->n_buf};
    a.life = agni_zalloc((size_t)(r->n_buf + 1) * sizeof *a.life);
    a.phase = agni_alloc((size_t)(r->n_in + 1) * sizeof *a.phase);
    a.failed = !a.life || !a.phase;
    for (int32_t b = 0; !a.failed && b < r->n_buf; b++)
        a.life[b] = (value_life){.writer = -1, .late = -1, .kept = -1, .copy = -1};
    int32_t phase = 0;
    for (int32_t i = 0; !a.failed && i < r->n_in; i++) {
        a.phase[i] = phase; /* a product ends one */
        phase += r->in[i].op == AGNI_T_PRODUCT || r->in[i].op == AGNI_T_BATCHED_PRODUCT;
        agni_tile_visit_buffers(r, &r->in[i], record_access,
                                &(reading){&a, i, is_elementwise(r, &r->in[i])});
    }
    if (!a.failed)
        choose_values(&a);
    for (int32_t i = 0; !a.failed && i < r->n_in; i++) {
        agni_tile_instr q = r->in[i];
        for (int k = 0; k < q.nin; k++)
            if (q.in[k].kind == AGNI_ON_TILE)
                q.in[k].id = value_in_phase(&a, q.in[k].id, a.phase[i]);
        append_instruction(&a, &q);
    }
    if (!a.failed) {
        agni_free(r->in);
        r->in = a.out;
        r->n_in = a.n_out;
        r->cap_in = a.cap_out;
        a.out = NULL;
    }
    agni_free(a.out);
    agni_free(a.life);
    agni_free(a.phase);
    return !a.failed;
}
