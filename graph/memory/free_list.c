/* graph/memory/free_list.c - best fit over free blocks of offsets; neighbours coalesce when
   released (Knuth, TAOCP 1, 2.5). */
#include "graph/memory/free_list.h"

#include "core/core.h"

int64_t agni_free_list_allocate(agni_free_list *g, int64_t size, int64_t *top)
{
    agni_free_block *best = NULL;
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
bool agni_free_list_release(agni_free_list *g, int64_t at, int64_t size)
{
    for (int i = 0; i < g->n; i++) {
        agni_free_block *q = &g->p[i];
        if (q->at + q->size == at || at + size == q->at) {
            at = q->at < at ? q->at : at;
            size += q->size;
            *q = g->p[--g->n];
            i = -1;
        }
    }
    if (g->n == g->cap) {
        agni_free_block *more = agni_realloc(g->p, (size_t)(2 * g->cap + 16) * sizeof *more);
        if (!more)
            return false;
        g->p = more;
        g->cap = 2 * g->cap + 16;
    }
    g->p[g->n++] = (agni_free_block){at, size};
    return true;
}
