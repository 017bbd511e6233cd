/* graph/tiles/coalesce_copies.c - copy coalescing (Chaitin 1982): a buffer of which all rows are copied
   to rows of another, as operands of a concat are, lies there from the start, and is not copied. */
#include "graph/tiles/tile.h"

#include <string.h>

typedef struct copy_use {
    bool written; /* by what is no copy of rows */
    int32_t last; /* the last instruction that writes it */
} copy_use;
typedef struct use_context {
    copy_use *of;
    int32_t i;
    bool copy;
} use_context;

static void note_access(void *user, int32_t b, bool writes)
{
    const use_context *c = user;
    if (!writes)
        return;
    c->of[b].written |= !c->copy;
    c->of[b].last = c->i;
}

/* Are the rows of q's operand all of its buffer, in order, for adjacent rows of the result? */
static bool is_whole_copy(const agni_region *r, const agni_tile_instr *q)
{
    if (q->op != AGNI_T_GATHER_ROWS || q->in[0].kind != AGNI_ON_TILE || !q->E ||
        q->in[0].id == q->dst || r->buf[q->in[0].id].rows != q->E)
        return false;
    const int32_t *pair = r->table + q->gather.pairs;
    for (int32_t e = 0; e < q->E; e++)
        if (pair[2 * e + 1] != e || pair[2 * e] != pair[0] + e)
            return false;
    return true;
}
/* Does another instruction write one of the rows that q writes? */
static bool overlaps(const agni_region *r, const agni_tile_instr *q)
{
    const int32_t from = r->table[q->gather.pairs];
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tile_instr *p = &r->in[i];
        for (int32_t e = 0; p != q && p->op == AGNI_T_GATHER_ROWS && p->dst == q->dst && e < p->E;
             e++) {
            const int32_t row = r->table[p->gather.pairs + 2 * e];
            if (row >= from && row < from + q->E)
                return true;
        }
    }
    return false;
}

bool agni_tile_coalesce_copies(agni_region *r)
{
    copy_use *use = agni_zalloc((size_t)(r->n_buf + 1) * sizeof *use);
    if (!use)
        return false;
    for (int32_t i = 0; i < r->n_in; i++)
        agni_tile_visit_buffers(
            r, &r->in[i], note_access,
            &(use_context){use, i, r->in[i].op == AGNI_T_GATHER_ROWS});
    for (int32_t i = 0; i < r->n_in; i++) {
        agni_tile_instr *q = &r->in[i];
        if (!is_whole_copy(r, q))
            continue;
        const int32_t from = q->in[0].id;
        agni_tile_buffer *b = &r->buf[from];
        if (b->inside || r->buf[q->dst].inside || b->hosts || use[q->dst].written ||
            use[from].last > i || overlaps(r, q))
            continue;
        b->inside = q->dst + 1;
        b->offset = r->table[q->gather.pairs];
        r->buf[q->dst].hosts = true;
        q->in[0].kind = AGNI_ON_NUMBER; /* its rows still count as written */
    }
    for (int32_t i = 0; i < r->n_in; i++)
        if (r->in[i].op == AGNI_T_GATHER_ROWS && r->in[i].in[0].kind == AGNI_ON_NUMBER)
            r->in[i].op = AGNI_T_DELETED;
    agni_tile_remove_deleted(r);
    agni_free(use);
    return true;
}
