/* graph/tiles/tile.c - instructions of tiles: their table, the buffers that they read and
   write. */
#include "graph/tiles/tile.h"

int32_t agni_tile_add_table(agni_region *r, int32_t n)
{
    if (!agni_reserve_items(&r->table, &r->cap_table, r->n_table + n, sizeof *r->table))
        return -1;
    r->n_table += n;
    return r->n_table - n;
}

void agni_tile_remove_deleted(agni_region *r)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < r->n_in; i++)
        if (r->in[i].op != AGNI_T_DELETED)
            r->in[kept++] = r->in[i];
    r->n_in = kept;
}

static void visit_operands(const agni_tile_instr *q, agni_visit_buffer *f, void *user)
{
    for (int k = 0; k < q->nin; k++)
        if (q->in[k].kind == AGNI_ON_TILE)
            f(user, q->in[k].id, false);
    if (q->dst >= 0)
        f(user, q->dst, true);
}

void agni_tile_visit_buffers(const agni_region *r, const agni_tile_instr *q, agni_visit_buffer *f,
                             void *user)
{
    switch (q->op) {
    case AGNI_T_PRODUCT: {
        const agni_tile_product *p = agni_tile_products(r, q);
        for (int32_t k = 0; k < q->product.count; k++, p++) {
            f(user, p->x, false);
            f(user, p->y, true);
        }
        return;
    }
    case AGNI_T_LOAD_TRANSPOSED:
    case AGNI_T_STORE_TRANSPOSED:
        for (int32_t e = 0; e < q->E; e++)
            f(user, agni_tile_runs(r, q)[e].buf, q->op == AGNI_T_LOAD_TRANSPOSED);
        return;
    case AGNI_T_CHAIN: {
        const agni_chain_slot *s = agni_tile_slots(r, q);
        for (int32_t k = 0; k < q->chain.n_moving; k++)
            if (s[k].kind != AGNI_SLOT_ARRAY)
                f(user, s[k].id, s[k].writes);
        return;
    }
    case AGNI_T_OUTER_PRODUCT:
        for (int32_t k = 0; k < 2 * q->outer.count; k++)
            f(user, r->table[q->outer.pairs + 2 * k], false);
        return;
    default:
        visit_operands(q, f, user);
    }
}
