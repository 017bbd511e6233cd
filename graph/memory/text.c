/* graph/memory/text.c - text that grows: descriptions of plans, and kernels of their regions. */
#include "graph/memory/plan.h"

#include "core/internal.h"

#include <stdarg.h>
#include <string.h>

void agni_text_append(agni_text *t, const char *fmt, ...)
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
