/* core/memory/scope.c - scopes: owners of intermediate results, which commit all results or none.
   A scope belongs to one thread at a time. Results are retained when they are named, so
   they may belong to an inner scope that closes before. */
#include "core/memory/scope.h"
#include "core/thread_record.h"
#include <string.h>

enum { OWNED_INLINE = 12, RESULTS_INLINE = 4 };

typedef struct result {
    agn_tensor **out;
    agni_obj *object;
} result;

struct agn_scope {
    agni_ref ref;      /* its owner's and one of each scope within: who closes first does not matter */
    agn_scope *parent; /* NULL: none */
    bool closed;
    agn_status status;
    char *message; /* text of the first failure; NULL if it could not be kept */
    int64_t n_owned, cap_owned;
    int64_t n_results, cap_results;
    agni_obj **owned; /* owned_here until more are needed */
    result *results;
    agni_obj *owned_here[OWNED_INLINE];
    result results_here[RESULTS_INLINE];
};

/* Returned where there is no memory for a scope: never written, so any number may be open. */
static agn_scope no_memory_scope = {.status = AGN_ENOMEM};

/* Doubles an array whose first storage, here, is inside the scope; NULL without memory. */
static void *double_array(void *items, const void *here, int64_t cap, size_t item)
{
    size_t bytes = (size_t)cap * item;
    if (items != here)
        return agni_realloc(items, 2 * bytes);
    void *more = agni_alloc(2 * bytes);
    if (more)
        memcpy(more, here, bytes);
    return more;
}

static agn_status reserve_owned(agn_scope *s)
{
    if (s->n_owned < s->cap_owned)
        return AGN_OK;
    void *more = double_array(s->owned, s->owned_here, s->cap_owned, sizeof *s->owned);
    if (!more)
        return agni_nomem("scope_adopt", 2 * (size_t)s->cap_owned * sizeof *s->owned);
    s->owned = more;
    s->cap_owned *= 2;
    return AGN_OK;
}

static agn_status reserve_result(agn_scope *s)
{
    if (s->n_results < s->cap_results)
        return AGN_OK;
    void *more = double_array(s->results, s->results_here, s->cap_results, sizeof *s->results);
    if (!more)
        return agni_nomem("scope_return",
                          2 * (size_t)s->cap_results * sizeof *s->results);
    s->results = more;
    s->cap_results *= 2;
    return AGN_OK;
}

/* A scope within a failed one has failed from the start, and for the same reason. */
static void inherit_failure(agn_scope *s, const agn_scope *parent)
{
    s->status = parent->status;
    s->message = agni_strdup(parent->message ? parent->message : agn_error_message());
}

agn_scope *agn_scope_open(agn_scope *parent)
{
    agn_scope *s = agni_alloc(sizeof *s);
    if (!s) {
        agn_scope_fail(parent ? parent : &no_memory_scope, agni_nomem("scope_open", sizeof *s));
        return &no_memory_scope;
    }
    agni_ref_init(&s->ref);
    s->parent = parent == &no_memory_scope ? NULL : parent;
    if (s->parent)
        agni_ref_up(&parent->ref);
    s->closed = false;
    s->status = AGN_OK;
    s->message = NULL;
    s->n_owned = s->n_results = 0;
    s->cap_owned = OWNED_INLINE;
    s->cap_results = RESULTS_INLINE;
    s->owned = s->owned_here;
    s->results = s->results_here;
    if (parent && parent->status)
        inherit_failure(s, parent);
    return s;
}

agn_status agn_scope_status(const agn_scope *s)
{
    return s ? s->status : AGN_ENULL;
}

agn_status agn_scope_fail(agn_scope *s, agn_status st)
{
    if (!s)
        return agni_fail(AGN_ENULL, "scope_fail: the scope is NULL");
    if (s->status || !st)
        return s->status;
    if (st > 0)
        st = agni_fail(AGN_EARG, "scope_fail: %d is not a status: errors are negative",
                       st);
    s->status = agni_with_reason("scope_fail", st);
    s->message = agni_strdup(agn_error_message());
    return st;
}

/* Slow path of agni_scope_adopt: no scope, a failed one, no object, or a full array. */
static AGNI_COLD agn_status adopt_slow_path(agn_scope *s, agni_obj *o)
{
    agn_status st = agn_scope_status(s);
    if (!st && !o)
        st = agn_scope_fail(s, agni_fail(AGN_ENULL, "scope_adopt: the object is NULL"));
    if (!st)
        st = agn_scope_fail(s, reserve_owned(s));
    if (st) {
        agni_obj_release(o);
        return st;
    }
    s->owned[s->n_owned++] = o;
    return AGN_OK;
}

agn_status agni_scope_adopt(agn_scope *s, agni_obj *o)
{
    if (!s || s->status || !o || s->n_owned == s->cap_owned)
        return adopt_slow_path(s, o);
    s->owned[s->n_owned++] = o;
    return AGN_OK;
}

const agn_tensor *agn_scope_adopt(agn_scope *s, agn_status st, agn_tensor *const *t)
{
    if (s && st)
        agn_scope_fail(s, st);
    agn_tensor *made = t ? *t : NULL;
    return agni_scope_adopt(s, (agni_obj *)made) ? NULL : made;
}

void agn_scope_return(agn_scope *s, agn_tensor **out, const agn_tensor *t)
{
    if (agn_scope_status(s))
        return;
    if (!out || !t) {
        const char *what = !out ? "the place for a result" : "a result";
        agn_scope_fail(s, agni_fail(AGN_ENULL, "scope_return: %s is NULL", what));
        return;
    }
    if (!agn_scope_fail(s, reserve_result(s)))
        s->results[s->n_results++] = (result){out, agni_obj_retain((const agni_obj *)t)};
}

/* Where two results go to one pointer, the last one stands: all pointers are cleared before any is
   written, so that a tensor found there is an earlier result of this scope. */
static void write_results(agn_scope *s)
{
    for (int64_t i = 0; i < s->n_results; i++)
        *s->results[i].out = NULL;
    for (int64_t i = 0; i < s->n_results; i++) {
        agni_obj_release((agni_obj *)*s->results[i].out);
        *s->results[i].out = (agn_tensor *)s->results[i].object;
    }
}

static void drop_scope(agn_scope *s)
{
    if (agni_ref_down(&s->ref))
        agni_free(s);
}

agn_status agn_scope_close(agn_scope *s)
{
    if (!s)
        return agni_fail(AGN_ENULL, "scope_close: the scope is NULL");
    if (s == &no_memory_scope)
        return agni_nomem("scope_open", sizeof *s);
    agn_status st = s->status;
    for (int64_t i = 0; st && i < s->n_results; i++)
        agni_obj_release(s->results[i].object);
    if (!st)
        write_results(s);
    agni_thread_record *a = agni_checking ? agni_thread_record_get() : NULL;
    if (a)
        a->closing++;
    while (s->n_owned > 0)
        agni_obj_release(s->owned[--s->n_owned]);
    if (a)
        a->closing--;
    if (st && s->message) /* later failures of this thread may have replaced it */
        agni_fail(st, "%s", s->message);
    if (s->parent) {
        if (st && !s->parent->closed)
            agn_scope_fail(s->parent, st);
        drop_scope(s->parent);
    }
    if (s->owned != s->owned_here)
        agni_free(s->owned);
    if (s->results != s->results_here)
        agni_free(s->results);
    agni_free(s->message);
    s->closed = true;
    drop_scope(s);
    return st;
}

int64_t agni_scope_mark(const agn_scope *s)
{
    return s->n_owned;
}

void agni_scope_rewind(agn_scope *s, int64_t mark)
{
    while (s->n_owned > mark)
        agni_obj_release(s->owned[--s->n_owned]);
}
