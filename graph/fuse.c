/* graph/fuse.c - instructions that do the work of two: a product that is used once, by a sum
   or a difference, is part of it. */
#include "graph/tile.h"

#include <string.h>

/* the only instruction that writes a buffer, -1 if there are several; how often it is read */
typedef struct life {
    int32_t writer, reads;
} life;

static void count(const agni_region *r, life *l)
{
    for (int32_t b = 0; b < r->n_buf; b++)
        l[b] = (life){-2, 0};
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tinstr *q = &r->in[i];
        if (q->dst >= 0)
            l[q->dst].writer = l[q->dst].writer == -2 ? i : -1;
        for (int k = 0; k < q->nin; k++)
            if (q->in[k].kind == AGNI_ON_TILE)
                l[q->in[k].id].reads++;
        if (q->op == AGNI_T_OUTER)
            for (int k = 0; k < 2 * (int)q->n[2]; k++)
                l[r->table[q->table + 2 * k]].reads++;
    }
}

static bool whole_buffer(const agni_region *r, const agni_opnd *o, int32_t E)
{
    return o->kind == AGNI_ON_TILE && o->row == 0 && (o->step == 1 || E == 1) &&
           r->buf[o->id].rows == E;
}

/* q = c + a b or c - a b? */
static bool fuse(agni_region *r, const life *l, agni_tinstr *q)
{
    bool add = q->op == AGNI_T_LOOP2 && q->f == AGNI_V2_add;
    bool sub = q->op == AGNI_T_LOOP2 && q->f == AGNI_V2_sub;
    if (!add && !sub)
        return false;
    for (int k = 1; k >= (add ? 0 : 1); k--) {
        if (!whole_buffer(r, &q->in[k], q->E) || l[q->in[k].id].reads != 1 ||
            l[q->in[k].id].writer < 0)
            continue;
        agni_tinstr *p = &r->in[l[q->in[k].id].writer];
        bool square = p->op == AGNI_T_MAP && p->f == AGNI_VM_square;
        bool mul = p->op == AGNI_T_LOOP2 && p->f == AGNI_V2_mul;
        bool mulz = p->op == AGNI_T_LOOP2 && p->f == AGNI_V2_mulz && add;
        if (p->E != q->E || (!mul && !mulz && !square))
            continue;
        q->op = AGNI_T_LOOP3;
        q->f = mulz ? AGNI_V3_fmaz : add ? AGNI_V3_fma : AGNI_V3_fnma;
        q->in[2] = q->in[!k];
        q->in[0] = p->in[0];
        q->in[1] = p->in[square ? 0 : 1];
        q->nin = 3;
        p->op = AGNI_T_COUNT; /* gone */
        return true;
    }
    return false;
}

bool agni_tile_fuse(agni_region *r)
{
    life *l = agni_alloc((size_t)(r->n_buf + 1) * sizeof *l);
    if (!l)
        return false;
    count(r, l);
    for (int32_t i = 0; i < r->n_in; i++)
        r->fused += fuse(r, l, &r->in[i]);
    int32_t n = 0;
    for (int32_t i = 0; i < r->n_in; i++)
        if (r->in[i].op != AGNI_T_COUNT)
            r->in[n++] = r->in[i];
    r->n_in = n;
    agni_free(l);
    return true;
}
