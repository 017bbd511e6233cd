/* graph/program/trace.c - functions as values, and tracing one into a program. */
#include "core/memory/scope.h"
#include "core/threads/stack.h"
#include "graph/program/program.h"
#include "tensor/value/handle_checks.h"
#include "tensor/value/trace_guards.h"

#include <string.h>

/* arguments and results: a transform's counts, at most 65 times those, still fit */
enum { MOST = 1 << 20 };

/* ---- life ------------------------------------------------------------------------------ */

/* the small ones first: compilers lay them out from the last on, so that no room is lost to
   alignment */
static _Thread_local int8_t destroy_depth; /* functions being destroyed within each other */
static _Thread_local int16_t call_depth;   /* functions being called within each other */
static _Thread_local agn_fn *waiting;      /* to be destroyed */

/* Functions hold functions: beyond some depth, those whose last reference goes wait in a list,
   so that a chain of any length is destroyed within a bounded stack. */
static void fn_destroy(agni_obj *o)
{
    enum { DEEP = 64 };
    agn_fn *f = (agn_fn *)o;
    if (destroy_depth == DEEP) {
        f->next = waiting;
        waiting = f;
        return;
    }
    destroy_depth++;
    for (; f; f = destroy_depth == 1 ? waiting : NULL) {
        if (f == waiting)
            waiting = f->next;
        if (f->drop)
            f->drop(f->data);
        agni_obj_free(&f->head, sizeof *f);
    }
    destroy_depth--;
}
static const agni_obj_type fn_type = {.name = "function", .destroy = fn_destroy};

agn_status agni_fn_make(agn_fn **out, agni_fn_run *run, int n_in, int n_out, void *data,
                        void (*drop)(void *data))
{
    if (n_in < 0 || n_in > MOST || n_out < 1 || n_out > MOST)
        return agni_fail(AGN_EARG, "fn: %d arguments and %d results are not possible", n_in, n_out);
    agn_fn *f = agni_alloc(sizeof *f);
    if (!f)
        return agni_nomem("fn", sizeof *f);
    agni_ref_init(&f->head.ref);
    f->head.type = &fn_type;
    f->n_in = n_in;
    f->n_out = n_out;
    f->run = run;
    f->data = data;
    f->drop = drop;
    f->next = NULL;
    f->derived = false;
    *out = f;
    return AGN_OK;
}
agn_status agni_fn_make_derived(agn_fn **out, agni_fn_run *run, int n_in, int n_out, void *data,
                                void (*drop)(void *data))
{
    agn_status st = agni_fn_make(out, run, n_in, n_out, data, drop);
    if (!st)
        (*out)->derived = true;
    return st;
}

agn_fn *agn_fn_retain(const agn_fn *f)
{
    return (agn_fn *)(uintptr_t)(f ? agni_obj_retain(&f->head) : NULL);
}
void agn_fn_release(agn_fn *f)
{
    if (f)
        agni_obj_release(&f->head);
}
int32_t agn_fn_n_in(const agn_fn *f)
{
    return f ? f->n_in : -1;
}
int32_t agn_fn_n_out(const agn_fn *f)
{
    return f ? f->n_out : -1;
}

/* ---- a C function ------------------------------------------------------------------------- */

typedef struct user_fn {
    agn_body *body;
    void *user;
    void (*destroy)(void *user);
} user_fn;

static agn_status run_user(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const user_fn *u = f->data;
    bool failed = agn_scope_status(s) != AGN_OK; /* before: the reason is told */
    int64_t told = agni_failure_count();
    agni_body_call call;
    bool checking = agni_checking;
    agn_status st = checking ? agni_body_enter(&call, (void (*)(void))u->body, u->user, f->n_in, in)
                             : AGN_OK;
    if (st)
        return st;
    st = u->body(u->user, s, in, out);
    if (checking) {
        agn_status kept = agni_body_leave(&call, f->n_in, in, st ? 0 : f->n_out, out);
        st = st ? st : kept;
    }
    if (st && !failed)
        st = agni_check_callback("call", st, told);
    return st ? st : agn_scope_status(s);
}
static void drop_user(void *data)
{
    user_fn *u = data;
    if (u->destroy)
        u->destroy(u->user);
    agni_free(u);
}

agn_status agn_fn_new(agn_fn **out, agn_body *body, void *user, void (*destroy)(void *user),
                      int32_t n_in, int32_t n_out)
{
    if (!out || !body)
        return agni_fail(AGN_ENULL, "fn_new: %s is NULL", out ? "body" : "out");
    if (n_in < 0 || n_out < 1)
        return agni_fail(AGN_EARG, "fn_new: %d arguments and %d results are not possible", n_in,
                         n_out);
    user_fn *u = agni_alloc(sizeof *u);
    if (!u)
        return agni_nomem("fn_new", sizeof *u);
    *u = (user_fn){body, user, destroy};
    agn_status st = agni_fn_make(out, run_user, n_in, n_out, u, drop_user);
    if (st)
        agni_free(u);
    return st;
}

/* ---- calling --------------------------------------------------------------------------------- */

agn_status agni_fn_run_in(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    agn_status st = agn_scope_status(s);
    if (st)
        return st;
    if ((st = agni_check_handle("call", &f->head)))
        return agn_scope_fail(s, st);
    for (int i = 0; i < f->n_out; i++)
        out[i] = NULL;
    for (int i = 0; i < f->n_in; i++)
        if (!in[i])
            return agn_scope_fail(s, agni_fail(AGN_ENULL, "call: argument %d of %d is NULL", i,
                                               f->n_in));
    if ((st = agni_stack_check("call")))
        return agn_scope_fail(s, st);
    if (call_depth == AGNI_MAX_NESTING)
        return agn_scope_fail(s,
                              agni_fail(AGN_EUNSUPPORTED,
                                        "call: more than %d functions within each other, the next "
                                        "one of %d arguments",
                                        AGNI_MAX_NESTING, f->n_in));
    call_depth++;
    agni_obj_retain(&f->head); /* a body may release the last reference to the function it belongs to */
    st = agn_scope_fail(s, f->run(f, s, in, out));
    call_depth--;
    for (int i = 0; !st && i < f->n_out; i++)
        if (!out[i])
            st = agn_scope_fail(
                s, agni_fail(AGN_ENULL, "call: the body left result %d of %d NULL", i, f->n_out));
    agni_obj *held = (agni_obj *)(uintptr_t)&f->head;
    if (agni_ref_unique(&held->ref))
        agni_scope_adopt(s, held); /* the caller still looks at it */
    else
        agni_obj_release(held);
    return st;
}

agn_status agni_check_n_in(const char *op, const agn_fn *f, const agn_tensor *const *in,
                           int32_t n_in)
{
    if (!in && n_in)
        return agni_fail(AGN_ENULL, "%s: in is NULL", op);
    if (n_in != f->n_in)
        return agni_fail(AGN_EARG, "%s: %d arguments are given, the function has %d", op, n_in,
                         f->n_in);
    return AGN_OK;
}

agn_status agni_check_call(const char *op, const void *out, int32_t n_out, const agn_fn *f,
                             const agn_tensor *const *in, int32_t n_in)
{
    if (!f || !out)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, f ? "out" : "f");
    agn_status st = agni_check_handle(op, &f->head);
    if (st)
        return st;
    if (n_out != f->n_out)
        return agni_fail(AGN_EARG, "%s: there is room for %d results, the function has %d", op,
                         n_out, f->n_out);
    return agni_check_n_in(op, f, in, n_in);
}

agn_status agn_fn_apply(agn_scope *s, const agn_tensor **out, int32_t n_out, const agn_fn *f,
                        const agn_tensor *const *in, int32_t n_in)
{
    agn_status st = agni_check_call("fn_apply", out, n_out, f, in, n_in);
    if (st)
        return agn_scope_fail(s, st);
    const agn_tensor *few[8], **y = few;
    if (f->n_out > AGNI_COUNT(few) && !(y = agni_alloc((size_t)f->n_out * sizeof *y)))
        return agn_scope_fail(s, agni_nomem("fn_apply", (size_t)f->n_out * sizeof *y));
    st = agni_fn_run_in(f, s, in, y);
    for (int i = 0; !st && i < f->n_out; i++)
        out[i] = y[i];
    if (y != few)
        agni_free(y);
    return st;
}

agn_status agn_fn_call(agn_tensor *out[], int32_t n_out, const agn_fn *f,
                       const agn_tensor *const *in, int32_t n_in)
{
    agn_status st = agni_check_call("fn_call", out, n_out, f, in, n_in);
    if (st)
        return st;
    const agn_tensor *few[8], **y = few;
    if (f->n_out > AGNI_COUNT(few) && !(y = agni_alloc((size_t)f->n_out * sizeof *y)))
        return agni_nomem("fn_call", (size_t)f->n_out * sizeof *y);
    const agn_fn *again = f->derived ? agn_fn_retain(f) : NULL; /* a refused call may release f */
    agn_scope *s = agn_scope_open(NULL);
    st = agni_fn_run_in(f, s, in, y);
    if (again && (st == AGN_EDOMAIN || st == AGN_ENOCONV)) {
        st = agn_scope_close(s);
        s = agn_scope_open(NULL);
        st = agn_scope_fail(s, agni_call_live(st, f, s, in, y));
    }
    for (int i = 0; !st && i < f->n_out; i++)
        agn_scope_return(s, out + i, y[i]);
    if (y != few)
        agni_free(y);
    st = agn_scope_close(s);
    agn_fn_release((agn_fn *)(uintptr_t)again);
    return st;
}

/* ---- tracing --------------------------------------------------------------------------------- */

agn_status agni_trace_body(agni_prog **out, uint64_t *first, agn_body *body, void *user, int n_in,
                           const agn_tensor *const *in, int n_out, bool symbolic)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **v = agni_zalloc((size_t)(n_in + n_out + 1) * sizeof *v);
    agni_prog *p = NULL;
    agni_guards *seen = symbolic ? agni_guards_begin() : NULL;
    if (!v || (symbolic && !seen))
        agn_scope_fail(s, agni_nomem("trace", (size_t)(n_in + n_out) * sizeof *v));
    *first = agni_next_node_id();
    for (int i = 0; v && i < n_in && !agn_scope_status(s); i++) {
        agn_tensor *x = NULL;
        agn_status st = agni_require_dense(in[i], "trace"); /* pass the values of a sparse one */
        if (!st)
            st = symbolic
                     ? agni_make_symbol(&x, in[i]->dtype, in[i]->ndim, in[i]->shape, in[i]->weak)
                     : agni_make_leaf(&x, in[i]);
        v[i] = agn_scope_adopt(s, st, &x);
    }
    if (v && !agn_scope_status(s)) {
        agn_scope_fail(s, body(user, s, v, v + n_in));
        for (int i = 0; i < n_out && !agn_scope_status(s); i++)
            if (!v[n_in + i])
                agn_scope_fail(s, agni_fail(AGN_ENULL, "trace: the body left result %d of %d NULL",
                                            i, n_out));
            else
                agn_scope_fail(s, agni_require_dense(v[n_in + i], "trace"));
        if (!agn_scope_status(s))
            agn_scope_fail(s, agni_prog_gather(&p, n_in, v, n_out, v + n_in, *first));
    }
    agni_free(v);
    agn_status st = agn_scope_close(s), missed = seen ? agni_guards_end(&seen, seen) : AGN_OK;
    st = st ? st : missed;
    if (!st) {
        p->guards = seen;
        *out = p;
        return st;
    }
    if (seen)
        agni_obj_release(&seen->head);
    agni_prog_release(p);
    return st;
}

agn_status agni_fn_body(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    return agni_fn_run_in(user, s, in, out);
}

agn_status agni_trace(agni_prog **out, uint64_t *first, const agn_fn *f,
                      const agn_tensor *const *in, bool symbolic)
{
    for (int i = 0; i < f->n_in; i++)
        if (!in[i])
            return agni_fail(AGN_ENULL, "trace: argument %d of %d is NULL", i, f->n_in);
    return agni_trace_body(out, first, agni_fn_body, (void *)(uintptr_t)f, f->n_in, in, f->n_out,
                           symbolic);
}

agn_status agni_trace_stored(const char *op, agni_prog **out, const agn_fn *f,
                             const agn_tensor *const *in)
{
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL;
    uint64_t first;
    int n_extra = 0;
    agn_status st = agni_trace(&live, &first, f, in, true);
    st = st ? st : agni_prog_store(&p, live, &n_extra, &extra);
    if (!st && n_extra)
        st = agni_fail(AGN_EARG,
                       "%s: the body uses %d recorded tensors that are no arguments, first %s; "
                       "pass them",
                       op, n_extra, AGNI_SHAPE(extra[0]));
    agni_free(extra);
    agni_prog_release(live);
    if (st)
        agni_prog_release(p);
    else
        *out = p;
    return st;
}
