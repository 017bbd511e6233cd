/* graph/memory/free_list.c - what is free within what was taken. */
#include "graph/memory/free_list.h"

#include "core/core.h"

int64_t agni_gaps_take(agni_gaps *g, int64_t size, int64_t *top)
{
    agni_gap *best = NULL;
    for (int i = 0; i < g->n; i++)
        if (g->p[i].size >= size && (!best || g->p[i].size < best->size))
            best = g->p + i;
    if (!best) {
        *top += size;
        return *top - size;
    }
    int64_t at = best->at;
    best->at += size;
    best->size -= size;
    if (!best->size)
        *best = g->p[--g->n];
    return at;
}

/* joined with its neighbours */
bool agni_gaps_give(agni_gaps *g, int64_t at, int64_t size)
{
    for (int i = 0; i < g->n; i++) {
        agni_gap *q = &g->p[i];
        if (q->at + q->size == at || at + size == q->at) {
            at = q->at < at ? q->at : at;
            size += q->size;
            *q = g->p[--g->n];
            i = -1;
        }
    }
    if (g->n == g->cap) {
        agni_gap *more = agni_realloc(g->p, (size_t)(2 * g->cap + 16) * sizeof *more);
        if (!more)
            return false;
        g->p = more;
        g->cap = 2 * g->cap + 16;
    }
    g->p[g->n++] = (agni_gap){at, size};
    return true;
}
