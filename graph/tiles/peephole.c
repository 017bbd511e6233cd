/* graph/tiles/peephole.c - peephole optimisation: c + a b and c - a b in one instruction
   (multiply-add), what is kept where another is above a number (gate, as rectifiers have it), a bias
   added by its product, products with the same weights in one. */
#include "graph/tiles/tile.h"

#include <string.h>

/* the last instruction that writes a buffer, how many do, how often it is read */
typedef struct buffer_use {
    int32_t writer, writes, reads;
} buffer_use;
typedef struct use_context {
    buffer_use *of;
    int32_t i;
} use_context;

static void count_access(void *user, int32_t b, bool writes)
{
    const use_context *l = user;
    l->of[b].reads += !writes;
    l->of[b].writes += writes;
    if (writes)
        l->of[b].writer = l->i;
}

static bool is_whole_buffer(const agni_region *r, const agni_tile_operand *o, int32_t E)
{
    return o->kind == AGNI_ON_TILE && o->row == 0 && !o->cycle && (o->step == 1 || E == 1) &&
           r->buf[o->id].rows == E;
}
/* Operand k of q is made by one instruction, for q alone: that one; else NULL. For q alone in
   the whole plan, since a value that several regions make must have the same bits in each: it
   may be compared with its own maximum. */
static agni_tile_instr *sole_producer(agni_region *r, const buffer_use *l, const agni_tile_instr *q,
                                      int k)
{
    const agni_tile_operand *o = &q->in[k];
    if (!is_whole_buffer(r, o, q->E) || l[o->id].reads != 1 || l[o->id].writes != 1 ||
        r->buf[o->id].shared)
        return NULL;
    return &r->in[l[o->id].writer];
}

/* q = c + a b or c - a b? */
static bool fuse_multiply_add(agni_region *r, const buffer_use *l, agni_tile_instr *q)
{
    bool add = q->op == AGNI_T_LOOP2 && q->elementwise.kernel == AGNI_V2_add;
    bool sub = q->op == AGNI_T_LOOP2 && q->elementwise.kernel == AGNI_V2_sub;
    for (int k = 1; (add || sub) && k >= (add ? 0 : 1); k--) {
        agni_tile_instr *p = sole_producer(r, l, q, k);
        if (!p)
            continue;
        bool square = p->op == AGNI_T_MAP && p->elementwise.kernel == AGNI_VM_square;
        bool mul = p->op == AGNI_T_LOOP2 && p->elementwise.kernel == AGNI_V2_mul;
        bool mulz = p->op == AGNI_T_LOOP2 && p->elementwise.kernel == AGNI_V2_mulz && add;
        if (p->E != q->E || (!mul && !mulz && !square))
            continue;
        q->op = AGNI_T_LOOP3;
        q->elementwise.kernel = mulz ? AGNI_V3_fmaz : add ? AGNI_V3_fma : AGNI_V3_fnma;
        q->in[2] = q->in[!k];
        q->in[0] = p->in[0];
        q->in[1] = p->in[square ? 0 : 1];
        q->nin = 3;
        p->op = AGNI_T_DELETED;
        return true;
    }
    return false;
}

/* q = b where a is above c, else c? The comparison is made again with each: it costs less than to
   keep what it was. */
static bool fuse_gate(agni_region *r, buffer_use *l, agni_tile_instr *q)
{
    const agni_tile_operand *m = &q->in[0], *c = &q->in[2];
    if (q->op != AGNI_T_LOOP3 || q->elementwise.kernel != AGNI_V3_where ||
        c->kind != AGNI_ON_NUMBER || !is_whole_buffer(r, m, q->E) || l[m->id].writes != 1)
        return false;
    buffer_use *mask = &l[m->id];
    agni_tile_instr *p = &r->in[mask->writer];
    if (p->op != AGNI_T_LOOP2 || p->elementwise.kernel != AGNI_V2_lt || p->E != q->E ||
        p->in[0].kind != AGNI_ON_NUMBER || p->in[0].id != c->id ||
        !is_whole_buffer(r, &p->in[1], q->E) || l[p->in[1].id].writes != 1)
        return false;
    q->elementwise.kernel = AGNI_V3_gate;
    q->in[0] = p->in[1];
    l[q->in[0].id].reads++;
    if (--mask->reads == 0) {
        l[q->in[0].id].reads--;
        p->op = AGNI_T_DELETED;
    }
    return true;
}

/* q = b + a product, b a number for each of its rows? The sums of the product begin with b. */
static bool fuse_bias(agni_region *r, buffer_use *l, agni_tile_instr *q)
{
    for (int k = 0; q->op == AGNI_T_LOOP2 && q->elementwise.kernel == AGNI_V2_add && k < 2; k++) {
        agni_tile_instr *p = sole_producer(r, l, q, k);
        const agni_tile_operand *b = &q->in[!k];
        if (!p || p->op != AGNI_T_PRODUCT || p->product.count != 1 || p->product.columns != 1 ||
            b->kind != AGNI_ON_ARRAY || b->cycle || r->buf[q->dst].rows != q->E || q->dst_row)
            continue;
        agni_tile_product *t = agni_tile_products(r, p);
        if (t->bias >= 0)
            continue;
        t->bias = b->id;
        t->bias_row = b->row;
        t->bias_step = b->step;
        t->y = q->dst;
        l[q->dst].writer = l[q->in[k].id].writer;
        q->op = AGNI_T_DELETED;
        return true;
    }
    return false;
}

/* Products with the weights of in[i] that could run as early join it: their arguments are there. */
static int32_t merge_shared_weight_products(agni_region *r, buffer_use *l, int32_t i)
{
    enum { WINDOW = 64, MOST = 16 };
    agni_tile_instr *q = &r->in[i];
    int32_t group[MOST] = {i}, n = 1, many = q->product.count;
    for (int32_t j = i + 1; j < r->n_in && j < i + WINDOW && n < MOST; j++) {
        const agni_tile_instr *p = &r->in[j];
        if (p->op != AGNI_T_PRODUCT || p->product.pack != q->product.pack ||
            p->product.columns != q->product.columns)
            continue;
        const agni_tile_product *t = agni_tile_products(r, p);
        bool ready = true;
        for (int64_t k = 0; k < p->product.count; k++)
            ready = ready && l[t[k].x].writer < i;
        if (!ready)
            continue;
        group[n++] = j;
        many += p->product.count;
    }
    if (n == 1)
        return 0;
    int32_t at = agni_tile_add_table(r, many * AGNI_PRODUCT_INTS);
    if (at < 0)
        return -1;
    agni_tile_product *to = (agni_tile_product *)(void *)(r->table + at);
    for (int32_t g = 0; g < n; g++) {
        agni_tile_instr *p = &r->in[group[g]];
        for (int64_t k = 0; k < p->product.count; k++) {
            *to = agni_tile_products(r, p)[k];
            l[to++->y].writer = i;
        }
        if (g)
            p->op = AGNI_T_DELETED;
    }
    q->product.products = at;
    q->product.count = many;
    return n - 1;
}

bool agni_tile_peephole(agni_region *r)
{
    buffer_use *l = agni_zalloc((size_t)(r->n_buf + 1) * sizeof *l);
    bool ok = l != NULL;
    for (int32_t b = 0; ok && b < r->n_buf; b++)
        l[b].writer = -1;
    for (int32_t i = 0; ok && i < r->n_in; i++)
        agni_tile_visit_buffers(r, &r->in[i], count_access, &(use_context){l, i});
    for (int32_t i = 0; ok && i < r->n_in; i++)
        r->fused += fuse_multiply_add(r, l, &r->in[i]) || fuse_bias(r, l, &r->in[i]) ||
                    fuse_gate(r, l, &r->in[i]);
    for (int32_t i = 0; ok && i < r->n_in; i++)
        if (r->in[i].op == AGNI_T_PRODUCT) {
            int32_t n = merge_shared_weight_products(r, l, i);
            ok = n >= 0;
            r->fused += n;
        }
    agni_tile_remove_deleted(r);
    agni_free(l);
    return ok;
}
