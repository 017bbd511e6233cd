/* graph/explain.c - a plan as text. */
#include "graph/region.h"

#include "core/internal.h"
#include <stdarg.h>
#include <string.h>

void agni_say(agni_text *t, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    int n = agni_vformat(line, sizeof line, fmt, ap);
    va_end(ap);
    size_t k = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    if (t->n + k + 1 > t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 4096;
        char *p = agni_realloc(t->p, cap);
        if (!p) {
            t->failed = true;
            return;
        }
        t->p = p;
        t->cap = cap;
    }
    memcpy(t->p + t->n, line, k);
    t->n += k;
    t->p[t->n] = '\0';
}

static const char *const root_kinds[] = {"argument", "constant", "arena", "result"};

static void say_value(const agni_plan *p, agni_text *t, int32_t v)
{
    const agni_pvalue *q = &p->val[v];
    const agni_root *r = &p->root[q->root];
    agni_say(t, " %%%d %s%s", v, agni_dtypes[q->h->dtype].name, AGNI_SHAPE(q->h));
    if (r->kind != AGNI_IN_ARENA)
        agni_say(t, "=%s", root_kinds[r->kind]);
}

void agni_plan_describe(const agni_plan *p, agni_text *t)
{
    agni_say(t, "plan: %d arguments, %d results, %d nodes traced, %d after simplification, "
                "%d steps\n",
             p->n_in, p->n_out, p->n_traced, p->ir->n_node, p->n_step);
    agni_say(t, "memory: %lld bytes shared by steps, %lld bytes of tiles per thread; planned in "
                "%.2f ms\n",
             (long long)p->arena, (long long)p->tile, p->ms);
    for (int i = 0; i < p->n_step; i++) {
        const agni_step *s = &p->step[i];
        agni_say(t, "step %d:", i);
        if (s->kind == AGNI_STEP_REGION) {
            agni_region_describe(s->region, t);
            continue;
        }
        for (int k = 0; k < s->nout; k++)
            say_value(p, t, p->arr[s->arr + s->nin + k]);
        agni_say(t, " <- %s", s->op->name);
        for (int k = 0; k < s->nin; k++)
            say_value(p, t, p->arr[s->arr + k]);
        agni_say(t, "\n");
    }
}
