/* tensor/value/trace_guards.c - guards of a trace: recorded while it runs, checked before each
   call. */
#include "tensor/value/trace_guards.h"

#include <stdlib.h>

AGNI_TLS_EXTERN agni_guards *agni_guards_own;
atomic_int agni_guards_open;

static void destroy_guards(agni_obj *o)
{
    agni_guards *w = (agni_guards *)o;
    for (int i = 0; i < w->n; i++)
        agni_obj_release(&w->guard[i].st->head);
    agni_free(w->guard);
    agni_free(w);
}
static const agni_obj_type guards_type = {.name = "guards", .destroy = destroy_guards};

agni_guards *agni_guards_begin(void)
{
    agni_guards *w = agni_zalloc(sizeof *w);
    if (!w)
        return NULL;
    agni_ref_init(&w->head.ref);
    w->head.type = &guards_type;
    w->outer = agni_guards_own;
    atomic_fetch_add_explicit(&agni_guards_open, 1, memory_order_relaxed);
    return agni_guards_own = w;
}

static void record_guard(agni_guards *w, agni_storage *st, int64_t version)
{
    enum { LATEST = 8 }; /* guards that are searched for a repetition */
    if (st->traced)
        return;
    for (int i = w->n - 1; i >= 0 && i >= w->n - LATEST; i--)
        if (w->guard[i].st == st)
            return;
    if (!agni_reserve_items(&w->guard, &w->cap, w->n + 1, sizeof *w->guard)) {
        w->failed = true;
        return;
    }
    agni_obj_retain(&st->head);
    w->guard[w->n++] = (agni_guard){st, version};
}

void agni_guard_value(const agn_tensor *x)
{
    if (x->st)
        record_guard(agni_guards_own, x->st, agni_tensor_version(x));
}
void agni_guard_operands(int n, const agn_tensor *const *in)
{
    for (int i = 0; i < n; i++)
        if (!in[i] || !in[i]->st)
            return;
    for (int i = 0; i < n; i++)
        agni_guard_value(in[i]);
}
void agni_guards_inherit(const agni_guards *w)
{
    for (int i = 0; w && i < w->n; i++)
        record_guard(agni_guards_own, w->guard[i].st, w->guard[i].version);
}

/* by memory, then by version: the first reading before later ones */
static int compare_guards(const void *a, const void *b)
{
    const agni_guard *p = a, *q = b;
    if (p->st != q->st)
        return (uintptr_t)p->st < (uintptr_t)q->st ? -1 : 1;
    return (p->version > q->version) - (p->version < q->version);
}

agn_status agni_guards_end(agni_guards **out, agni_guards *w)
{
    int32_t n = 0;
    agni_guards_own = w->outer;
    atomic_fetch_sub_explicit(&agni_guards_open, 1, memory_order_relaxed);
    if (w->n)
        qsort(w->guard, (size_t)w->n, sizeof *w->guard, compare_guards);
    for (int i = 0; i < w->n; i++)
        if (n && w->guard[n - 1].st == w->guard[i].st)
            agni_obj_release(&w->guard[i].st->head);
        else
            w->guard[n++] = w->guard[i];
    w->n = n;
    if (w->outer)
        agni_guards_inherit(w);
    agn_status st = w->failed ? agni_nomem("trace", sizeof *w->guard) : AGN_OK;
    *out = st || !n ? NULL : w;
    if (!*out)
        agni_obj_release(&w->head);
    return st;
}

agn_status agni_guards_check(const agni_guards *w)
{
    for (int i = 0; w && i < w->n; i++) {
        const agni_storage *st = w->guard[i].st;
        if (atomic_load_explicit(&st->version, memory_order_acquire) != w->guard[i].version)
            return agni_fail(AGN_ESTALE,
                             "call: a captured tensor of %zu bytes, one of %d that the trace "
                             "looked at, was written after it was captured; pass it as an "
                             "argument",
                             st->bytes, w->n);
    }
    return AGN_OK;
}
