/* graph/plan/plan_cache.c - plans found by shapes and dtypes, without a lock. The list of plans
   is never changed but replaced by another one. Who looks something up counts itself among the
   readers, reads the list of now, takes a reference to the plan and goes. A list that was
   replaced, and the plan that had to make room in it, are freed once a writer, after the
   replacement, has seen no reader: later readers see the later list (McKenney 2023, 9.3). All
   operations on `list` and `readers` are sequentially consistent, which that needs: a reader
   counts before it reads the list, a writer replaces it before it reads the count. */
#include "core/fork_mutex.h"
#include "graph/plan/plan_cache.h"

#include <string.h>

/* One plan; constant but for when it was used last, by the count of changes of plan. */
typedef struct entry {
    agni_plan *plan;
    atomic_ullong used;
    struct key {
        int8_t dtype, ndim;
        bool weak;
    } * key;
    int32_t device; /* of all arguments */
    int64_t *shape; /* of all arguments, one behind the other */
} entry;

typedef struct list {
    struct list *older; /* replaced before, and not freed yet */
    entry *gone;        /* what is in none of the later lists */
    int n;
    entry *e[];
} list;

struct agni_plans {
    _Atomic(list *) now;
    atomic_int readers;
    atomic_ullong clock; /* from 1 */
    atomic_int n;        /* plans in the list */
    int most;
    agni_mutex writing; /* guards what follows, and replacing */
    list *replaced;
};

/* ---- life ------------------------------------------------------------------------------------ */

static void entry_free(entry *e)
{
    if (!e)
        return;
    agni_plan_release(e->plan);
    agni_free(e->key);
    agni_free(e->shape);
    agni_free(e);
}

static void lists_free(list *l)
{
    while (l) {
        list *older = l->older;
        entry_free(l->gone);
        agni_free(l);
        l = older;
    }
}

static list *list_new(int n)
{
    return agni_zalloc(sizeof(list) + (size_t)n * sizeof(entry *));
}

agni_plans *agni_plans_new(int most)
{
    agni_plans *c = agni_zalloc(sizeof *c);
    list *none = list_new(0);
    if (!c || !none) {
        agni_free(c);
        agni_free(none);
        return NULL;
    }
    atomic_init(&c->now, none);
    atomic_init(&c->clock, 1);
    c->most = most;
    agni_mutex_init(&c->writing);
    return c;
}

void agni_plans_free(agni_plans *c)
{
    if (!c)
        return;
    list *l = atomic_load(&c->now);
    for (int i = 0; i < l->n; i++)
        entry_free(l->e[i]);
    lists_free(l);
    lists_free(c->replaced);
    agni_mutex_destroy(&c->writing);
    agni_free(c);
}

/* ---- looking up ------------------------------------------------------------------------------ */

static bool matches_key(const entry *e, int n, const agn_tensor *const *in)
{
    const int64_t *shape = e->shape;
    if (n && e->device != in[0]->st->device)
        return false;
    for (int i = 0; i < n; i++) {
        const agn_tensor *x = in[i];
        if (e->key[i].dtype != x->dtype || e->key[i].ndim != x->ndim ||
            e->key[i].weak != x->weak)
            return false;
        for (int d = 0; d < x->ndim; d++)
            if (*shape++ != x->shape[d])
                return false;
    }
    return true;
}

/* Nothing is written while one plan is used again and again. */
static void mark_used(agni_plans *c, entry *e)
{
    if (atomic_load_explicit(&e->used, memory_order_relaxed) !=
        atomic_load_explicit(&c->clock, memory_order_relaxed))
        atomic_store_explicit(
            &e->used, atomic_fetch_add_explicit(&c->clock, 1, memory_order_relaxed) + 1,
            memory_order_relaxed);
}

agni_plan *agni_plans_find(agni_plans *c, int n, const agn_tensor *const *in)
{
    agni_plan *p = NULL;
    atomic_fetch_add(&c->readers, 1);
    const list *l = atomic_load(&c->now);
    for (int i = 0; i < l->n && !p; i++)
        if (matches_key(l->e[i], n, in)) {
            p = (agni_plan *)agni_obj_retain(&l->e[i]->plan->head);
            mark_used(c, l->e[i]);
        }
    atomic_fetch_sub(&c->readers, 1);
    return p;
}

/* the one used last, or the one not used for longest */
static int find_by_use(const list *l, bool last)
{
    int at = 0;
    for (int i = 1; i < l->n; i++) {
        bool later = atomic_load_explicit(&l->e[i]->used, memory_order_relaxed) >
                     atomic_load_explicit(&l->e[at]->used, memory_order_relaxed);
        at = later == last ? i : at;
    }
    return at;
}

agni_plan *agni_plans_last(agni_plans *c)
{
    agni_plan *p = NULL;
    atomic_fetch_add(&c->readers, 1);
    const list *l = atomic_load(&c->now);
    if (l->n)
        p = (agni_plan *)agni_obj_retain(&l->e[find_by_use(l, true)]->plan->head);
    atomic_fetch_sub(&c->readers, 1);
    return p;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static entry *entry_new(agni_plan *p, int n, const agn_tensor *const *in)
{
    size_t dims = 0;
    for (int i = 0; i < n; i++)
        dims += (size_t)in[i]->ndim;
    entry *e = agni_zalloc(sizeof *e);
    if (!e)
        return NULL;
    e->key = agni_alloc(((size_t)n + 1) * sizeof *e->key);
    e->shape = agni_alloc((dims + 1) * sizeof *e->shape);
    if (!e->key || !e->shape) {
        entry_free(e);
        return NULL;
    }
    int64_t *shape = e->shape;
    for (int i = 0; i < n; i++) {
        e->key[i] = (struct key){in[i]->dtype, in[i]->ndim, in[i]->weak};
        if (in[i]->ndim)
            memcpy(shape, in[i]->shape, (size_t)in[i]->ndim * sizeof *shape);
        shape += in[i]->ndim;
    }
    e->device = p->device;
    e->plan = (agni_plan *)agni_obj_retain(&p->head);
    return e;
}

/* l, with room for one more plan, becomes the list of now and e; gives what can be freed */
static list *replace_list(agni_plans *c, list *l, entry *e)
{
    list *old = atomic_load(&c->now), *unseen = NULL;
    bool full = old->n == c->most;
    int at = full ? find_by_use(old, false) : old->n;
    l->n = full ? old->n : old->n + 1;
    memcpy(l->e, old->e, (size_t)old->n * sizeof(entry *));
    l->e[at] = e;
    mark_used(c, e);
    old->gone = full ? old->e[at] : NULL;
    old->older = c->replaced;
    c->replaced = old;
    atomic_store(&c->n, l->n);
    atomic_store(&c->now, l);
    if (atomic_load(&c->readers) == 0) {
        unseen = c->replaced;
        c->replaced = NULL;
    }
    return unseen;
}

agn_status agni_plans_keep(agni_plans *c, agni_plan *p, int n,
                           const agn_tensor *const *in)
{
    entry *e = entry_new(p, n, in);
    bool done = false;
    while (e && !done) { /* nothing is allocated or freed within the lock */
        int room = atomic_load(&c->n) + 1;
        list *l = list_new(room), *spare = l;
        if (!l)
            break;
        agni_mutex_lock(&c->writing);
        done = atomic_load(&c->n) < room;
        if (done)
            spare = replace_list(c, l, e);
        agni_mutex_unlock(&c->writing);
        lists_free(spare);
    }
    if (!done) {
        entry_free(e);
        return agni_nomem("compile", sizeof *e);
    }
    return AGN_OK;
}
