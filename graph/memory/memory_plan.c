/* graph/memory/memory_plan.c - buffer reuse: buffers whose live ranges (in steps) are disjoint
   share memory of one arena, by best fit over a free list (free_list.c). */
#include "graph/memory/free_list.h"
#include "graph/memory/plan.h"

agn_status agni_plan_assign_offsets(agni_plan *p)
{
    /* buffers by first and by last step */
    agni_free_list g = {NULL, 0, 0};
    int32_t *head = agni_alloc(2 * (size_t)(p->n_step + 2) * sizeof *head);
    int32_t *next = agni_alloc(2 * (size_t)(p->n_buffer + 1) * sizeof *next);
    bool ok = head && next;
    int32_t *first = head, *last = head ? head + p->n_step + 2 : NULL;
    for (int s = 0; ok && s < 2 * (p->n_step + 2); s++)
        head[s] = -1;
    for (int i = 0; ok && i < p->n_buffer; i++) {
        agni_buffer *r = &p->buffer[i];
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
            if (p->buffer[i].bytes)
                p->buffer[i].offset = agni_free_list_allocate(&g, p->buffer[i].bytes, &p->arena);
        for (int i = last[s]; ok && i >= 0; i = next[2 * i + 1])
            if (p->buffer[i].bytes)
                ok = agni_free_list_release(&g, p->buffer[i].offset, p->buffer[i].bytes);
    }
    agni_free(g.p);
    agni_free(head);
    agni_free(next);
    return ok ? AGN_OK : agni_nomem("compile", (size_t)p->n_buffer * sizeof(agni_buffer));
}
