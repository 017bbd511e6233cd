/* tensor/value/handle_checks.c - the checking mode: records of handles, quarantine of released
   ones, and what bodies of functions do with their values. */
#include "tensor/value/handle_checks.h"

#include "core/fork_mutex.h"
#include "core/thread_record.h"

#include <stdlib.h>
#include <string.h>

enum { QUARANTINE = 1 << 16, NAME = 40 };

/* on which running body call's arguments a value depends; call 0: on none */
typedef struct agni_body_mark {
    int64_t call;
    void (*body)(void);
    const void *user;
} body_mark;

/* in front of a checked header */
typedef struct handle_record {
    _Alignas(16) int64_t generation; /* of all handles */
    char op[NAME];                   /* that made it; "": none */
    body_mark depends;
    int64_t used; /* the last body call that took it for an operand */
    bool by_scope; /* it was released when its scope was closed */
} handle_record;

static agni_mutex guard = AGNI_MUTEX_INIT; /* of all records, and of: */
static int64_t generations, calls;
static agn_tensor *quarantine[QUARANTINE];
static int64_t released;

/* the innermost body call of this thread, NULL: none */
static agni_body_call *running_body(void)
{
    const agni_thread_record *a = agni_thread_record_own;
    return a ? a->body_call : NULL;
}
static void set_running(agni_body_call *c)
{
    agni_thread_record *a = agni_thread_record_get();
    if (a)
        a->body_call = c;
}


static void refuse_release(agni_obj *o);
static const agni_obj_type gone_type = {.name = "released tensor", .destroy = refuse_release};

static handle_record *record_of(const agn_tensor *x)
{
    bool has = x && (x->head.type == &agni_checked_type || x->head.type == &gone_type);
    return has ? (handle_record *)(uintptr_t)x - 1 : NULL;
}

/* ---- faults --------------------------------------------------------------------------------- */

/* "f64 [3], handle 17, made by sin" */
static const char *describe_handle(char *text, size_t n, const agn_tensor *x)
{
    const handle_record *h = record_of(x);
    agni_format(text, n, "%s %s, handle %lld, made by %s", agni_dtypes[x->dtype].name,
                AGNI_SHAPE(x), (long long)h->generation, *h->op ? h->op : "no op");
    return text;
}

static agn_status report_fault(const char *op, const agn_tensor *x, const char *what)
{
    char text[160];
    agn_status st = agni_fail(AGN_ESTALE, "%s: %s, %s", op, describe_handle(text, sizeof text, x),
                              what);
    atomic_fetch_add(&agni_handle_fault_count, 1);
    agni_log_message(3, "%s", agn_error_message());
    return st;
}

/* ---- life ------------------------------------------------------------------------------------ */

agn_tensor *agni_checked_header(size_t bytes)
{
    handle_record *h = calloc(1, sizeof *h + bytes);
    if (!h)
        return NULL;
    agni_mutex_lock(&guard);
    h->generation = ++generations;
    agni_mutex_unlock(&guard);
    return (agn_tensor *)(void *)(h + 1);
}

/* the last reference is gone: the header stays and stands for nothing */
static void retire_handle(agni_obj *o)
{
    agn_tensor *x = (agn_tensor *)o;
    agni_storage *st = x->st;
    agni_node *node = x->node;
    agni_mutex_lock(&guard);
    record_of(x)->by_scope = agni_thread_record_own && agni_thread_record_own->closing > 0;
    x->st = NULL;
    x->node = NULL;
    x->data = NULL;
    x->stale = true;
    x->layout = AGN_DENSE;
    x->head.type = &gone_type;
    agni_ref_init(&x->head.ref);
    agn_tensor **place = &quarantine[released++ % QUARANTINE], *oldest = *place;
    *place = x;
    agni_mutex_unlock(&guard);
    if (oldest)
        free(record_of(oldest));
    if (node)
        agni_obj_release((agni_obj *)node);
    if (st)
        agni_obj_release(&st->head);
}
const agni_obj_type agni_checked_type = {.name = "tensor", .destroy = retire_handle};

static void refuse_release(agni_obj *o)
{
    agni_ref_init(&o->ref);
    report_fault("release", (const agn_tensor *)o, "was released before");
}

agn_status agni_check_gone(const char *op, const agn_tensor *x)
{
    if (x->head.type != &gone_type)
        return AGN_OK;
    return report_fault(op, x,
                        record_of(x)->by_scope ? "was released with its scope, which is closed"
                                               : "was released");
}

void agn_handle_checks_set(bool on)
{
    agni_checking = on;
}
int64_t agn_handle_faults(void)
{
    return atomic_load(&agni_handle_fault_count);
}

/* ---- operands and results ------------------------------------------------------------------- */

static bool is_running(int64_t call)
{
    for (const agni_body_call *c = running_body(); c; c = c->outer)
        if (c->number == call)
            return true;
    return false;
}

/* The innermost body computed this in an earlier call of it: a constant now, whose derivative is
   lost. */
static bool is_kept(const handle_record *h)
{
    const agni_body_call *c = running_body();
    return c && h->depends.call && h->depends.body == c->body && h->depends.user == c->user &&
           !is_running(h->depends.call);
}

agn_status agni_check_operands(const char *op, int n, const agn_tensor *const *x)
{
    const agni_body_call *c = running_body();
    for (int i = 0; i < n; i++) {
        handle_record *h = record_of(x[i]);
        agn_status st = h ? agni_check_gone(op, x[i]) : AGN_OK;
        if (st)
            return st;
        if (!h)
            continue;
        agni_mutex_lock(&guard);
        bool kept = is_kept(h);
        h->used = c ? c->number : h->used;
        agni_mutex_unlock(&guard);
        if (kept)
            return report_fault(op, x[i], "was kept by this body from an earlier call of it");
    }
    return AGN_OK;
}

void agni_check_results(const char *op, int n_in, const agn_tensor *const *in, int n_out,
                        agn_tensor *const *out)
{
    body_mark mark = {0, NULL, NULL};
    agni_mutex_lock(&guard);
    for (int i = 0; i < n_in; i++) {
        const handle_record *h = record_of(in[i]);
        if (h && h->depends.call > mark.call && is_running(h->depends.call))
            mark = h->depends;
    }
    for (int i = 0; i < n_out; i++) {
        handle_record *h = record_of(out[i]);
        if (!h || *h->op)
            continue;
        agni_format(h->op, sizeof h->op, "%s", op);
        h->depends = mark;
    }
    agni_mutex_unlock(&guard);
}

agn_status agni_check_written(const char *op, const agn_tensor *x)
{
    const handle_record *h = record_of(x);
    if (!h || !running_body())
        return AGN_OK;
    agni_mutex_lock(&guard);
    bool used = is_running(h->used);
    agni_mutex_unlock(&guard);
    return used ? report_fault(op, x, "is written by a body that computed from it") : AGN_OK;
}

/* ---- bodies --------------------------------------------------------------------------------- */

agn_status agni_body_enter(agni_body_call *c, void (*body)(void), const void *user, int n_in,
                           const agn_tensor *const *in)
{
    agn_status st = agni_check_operands("call", n_in, in);
    *c = (agni_body_call){.body = body, .user = user, .outer = running_body()};
    c->before = st || !n_in ? NULL : calloc((size_t)n_in, sizeof *c->before);
    if (st)
        return st;
    agni_mutex_lock(&guard);
    c->number = ++calls;
    for (int i = 0; c->before && i < n_in; i++) {
        handle_record *h = record_of(in[i]);
        if (!h)
            continue;
        c->before[i] = h->depends;
        h->depends = (body_mark){c->number, body, user};
        h->used = c->number;
    }
    agni_mutex_unlock(&guard);
    set_running(c);
    return AGN_OK;
}

agn_status agni_body_leave(agni_body_call *c, int n_in, const agn_tensor *const *in, int n_out,
                           const agn_tensor *const *out)
{
    agn_status st = agni_check_operands("call", n_out, out);
    body_mark outer = {0, NULL, NULL};
    set_running(c->outer);
    agni_mutex_lock(&guard);
    for (int i = 0; c->before && i < n_in; i++)
        if (c->before[i].call > outer.call && is_running(c->before[i].call))
            outer = c->before[i];
    for (int i = 0; i < n_out; i++) {
        handle_record *h = record_of(out[i]);
        if (h && h->depends.call == c->number)
            h->depends = outer;
    }
    for (int i = n_in - 1; c->before && i >= 0; i--) { /* the first of equal ones saved what was there before */
        handle_record *h = record_of(in[i]);
        if (h)
            h->depends = c->before[i];
    }
    agni_mutex_unlock(&guard);
    free(c->before);
    return st;
}
