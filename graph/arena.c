/* graph/arena.c - where values of a plan lie while they are in use: pieces of one arena by time
   of use, each in the smallest gap that takes it. */
#include "graph/plan.h"

typedef struct gap {
    int64_t at, bytes;
} gap;

typedef struct gaps {
    gap *p;
    int32_t n, cap;
} gaps;

/* the smallest gap that is large enough, or the end */
static int64_t take(gaps *g, int64_t bytes, int64_t *top)
{
    gap *best = NULL;
    for (gap *q = g->p; q < g->p + g->n; q++)
        if (q->bytes >= bytes && (!best || q->bytes < best->bytes))
            best = q;
    if (!best) {
        *top += bytes;
        return *top - bytes;
    }
    int64_t at = best->at;
    best->at += bytes;
    best->bytes -= bytes;
    if (!best->bytes)
        *best = g->p[--g->n];
    return at;
}

/* joined with its neighbours */
static bool give(gaps *g, int64_t at, int64_t bytes)
{
    for (int i = 0; i < g->n; i++) {
        gap *q = &g->p[i];
        if (q->at + q->bytes == at || at + bytes == q->at) {
            at = q->at < at ? q->at : at;
            bytes += q->bytes;
            *q = g->p[--g->n];
            i = -1;
        }
    }
    if (g->n == g->cap) {
        gap *more = agni_realloc(g->p, (size_t)(2 * g->cap + 16) * sizeof *more);
        if (!more)
            return false;
        g->p = more;
        g->cap = 2 * g->cap + 16;
    }
    g->p[g->n++] = (gap){at, bytes};
    return true;
}

agn_status agni_plan_lay_out(agni_plan *p)
{
    /* roots by first and by last step */
    gaps g = {NULL, 0, 0};
    int32_t *head = agni_alloc(2 * (size_t)(p->n_step + 2) * sizeof *head);
    int32_t *next = agni_alloc(2 * (size_t)(p->n_root + 1) * sizeof *next);
    bool ok = head && next;
    int32_t *first = head, *last = head ? head + p->n_step + 2 : NULL;
    for (int s = 0; ok && s < 2 * (p->n_step + 2); s++)
        head[s] = -1;
    for (int i = 0; ok && i < p->n_root; i++) {
        agni_root *r = &p->root[i];
        if (r->kind != AGNI_IN_ARENA)
            continue;
        r->bytes = (r->bytes + AGNI_PLAN_ALIGN - 1) / AGNI_PLAN_ALIGN * AGNI_PLAN_ALIGN;
        next[2 * i] = first[r->from];
        first[r->from] = i;
        next[2 * i + 1] = last[r->to];
        last[r->to] = i;
    }
    for (int s = 0; ok && s <= p->n_step; s++) {
        for (int i = first[s]; i >= 0; i = next[2 * i])
            if (p->root[i].bytes)
                p->root[i].offset = take(&g, p->root[i].bytes, &p->arena);
        for (int i = last[s]; ok && i >= 0; i = next[2 * i + 1])
            if (p->root[i].bytes)
                ok = give(&g, p->root[i].offset, p->root[i].bytes);
    }
    agni_free(g.p);
    agni_free(head);
    agni_free(next);
    return ok ? AGN_OK : agni_nomem("compile", (size_t)p->n_root * sizeof(agni_root));
}
