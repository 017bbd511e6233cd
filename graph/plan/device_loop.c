/* graph/plan/device_loop.c - loops and branches of a plan for a device (structured control flow, as
   XLA's While and Conditional have it). The body is a plan of its own, whose carried values lie in
   the results of the loop; a step reads its slices, runs the body and moves what it gave. In a graph
   all steps are one conditional node, which the device repeats by itself; a branch is one that it
   runs where it is chosen. Where there are no such nodes the host queues the same launches step by
   step: the numbers are the same bits. */
#include "graph/plan/device_loop.h"

#include "core/device/backend_registry.h"
#include "tensor/dispatch/host_run.h"
#include "tensor/rows/loop_kernels.h"
#include <string.h>

/* ---- making one ------------------------------------------------------------------------------ */

static agn_kernel *find_kernel(int32_t device, const char *name)
{
    const agn_kernel_entry *k = agni_find_named_kernel(device, name, -1);
    return k ? k->run : NULL;
}

/* places of slices and next values in one piece of the arena */
static agn_status reserve_room(agni_device_loop *l, agni_plan *p)
{
    int nx = l->form.n_array, n = nx + l->body->n_out;
    int64_t at = 0;
    if (!(l->place = agni_alloc(((size_t)n + 1) * sizeof *l->place)))
        return agni_nomem("compile", (size_t)n * sizeof *l->place);
    for (int k = 0; k < n; k++) {
        const agn_tensor *t = k < nx ? l->form.body->val[l->form.n_carried + k]
                                     : l->body->out[k - nx];
        l->place[k] = at;
        at += (agni_tensor_bytes(t) + AGNI_PLAN_ALIGN - 1) / AGNI_PLAN_ALIGN * AGNI_PLAN_ALIGN;
    }
    l->counter = agni_plan_add_scratch(p, sizeof(int64_t));
    l->room = agni_plan_add_scratch(p, at ? at : 1);
    return l->counter < 0 || l->room < 0 ? agni_nomem("compile", sizeof(agni_buffer)) : AGN_OK;
}

static agn_status plan_body(agni_device_loop *l, int32_t device)
{
    agni_prog *body = (agni_prog *)(uintptr_t)l->form.body;
    agni_obj_retain(&body->head);
    agn_status st = agni_plan_make(
        &l->body, body, (agni_plan_options){.tiles = true, .simplify = true, .device = device});
    if (st)
        agni_prog_release(body);
    return st;
}

static agn_status make_loop(agni_device_loop **out, agni_plan *p, const agni_pnode *n, int k)
{
    agni_device_loop *l = agni_zalloc(sizeof *l);
    if (!l)
        return agni_nomem("compile", sizeof *l);
    agni_loop_forms.describe(&l->form, n->op, n->at, n->nin, k);
    const bool branch = l->form.n_branch > 0;
    l->move = find_kernel(p->device, "loop_move");
    l->begin = find_kernel(p->device, branch ? "branch_begin" : "loop_begin");
    l->end = find_kernel(p->device, branch ? "branch_end" : "loop_end");
    *out = l;
    return plan_body(l, p->device);
}

static agn_status add_loop(agni_plan *p, const agni_pnode *n, agni_device_loop **l, int k,
                           const int32_t *in, const int32_t *out)
{
    const bool branch = (*l)->form.n_branch > 0;
    agni_step s = {.kind = AGNI_STEP_LOOP,
                   .nin = branch + (*l)->body->n_in,
                   .nout = n->nout,
                   .op = n->op,
                   .at = n->at,
                   .device_loop = *l};
    int32_t *own = agni_alloc(((size_t)s.nin + 1) * sizeof *own);
    agn_status st = own ? AGN_OK : agni_nomem("compile", (size_t)s.nin * sizeof *own);
    for (int i = 0; !st && i < s.nin; i++)
        own[i] = in[i < branch ? i : agni_loop_forms.input(n->op, n->at, k, i)];
    st = st || branch ? st : reserve_room(*l, p);
    st = st ? st : agni_plan_add_step(p, s, own, out);
    if (!st)
        *l = NULL; /* it is the step's now */
    agni_free(own);
    return st;
}

agn_status agni_plan_add_loops(agni_plan *p, const agni_pnode *n, const int32_t *in,
                               const int32_t *out, bool *done)
{
    int count = p->device == AGN_CPU ? 0 : agni_loop_forms.count(n->op, n->at);
    if (!count || !find_kernel(p->device, "loop_move"))
        return AGN_OK;
    agni_device_loop **l = agni_zalloc((size_t)count * sizeof *l);
    agn_status st = l ? AGN_OK : agni_nomem("compile", (size_t)count * sizeof *l);
    for (int k = 0; !st && k < count; k++)
        st = make_loop(&l[k], p, n, k);
    *done = !st;
    st = st == AGN_EUNSUPPORTED ? AGN_OK : st;
    for (int k = 0; *done && !st && k < count; k++)
        st = add_loop(p, n, &l[k], k, in, out);
    for (int k = 0; l && k < count; k++)
        agni_device_loop_free(l[k]);
    agni_free(l);
    return st;
}

void agni_device_loop_free(agni_device_loop *l)
{
    if (!l)
        return;
    agni_plan_release(l->body);
    agni_free(l->place);
    agni_free(l);
}

agni_workspace *agni_device_loop_workspace(const agni_device_loop *l)
{
    return agni_workspace_new(l->body);
}

bool agni_device_loop_is_recordable(const agni_device_loop *l)
{
    bool able = l->begin && l->end && !atomic_load(&l->declined);
    for (int i = 0; able && i < l->body->n_step; i++) {
        const agni_step *s = &l->body->step[i];
        able = s->kind != AGNI_STEP_EVAL && !s->prepacked &&
               (s->kind != AGNI_STEP_LOOP || agni_device_loop_is_recordable(s->device_loop));
    }
    return able;
}

agn_status agni_device_loops_check(const agni_plan *p)
{
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < p->n_step; i++)
        if (p->step[i].kind == AGNI_STEP_LOOP) {
            st = agni_loop_forms.check_guards(p->step[i].op, p->step[i].at);
            st = st ? st : agni_device_loops_check(p->step[i].device_loop->body);
        }
    return st;
}

/* ---- a run of it ----------------------------------------------------------------------------- */

typedef struct loop_run {
    const agni_device_loop *l;
    const agni_step *s;
    agni_workspace *w, *body;
    const agn_array *in, *out; /* of the loop */
    int32_t ordinal;
    agn_array *from, *to, counter; /* of a call that moves */
    int64_t *ints;
    int n; /* moves in it */
} loop_run;

static void *place_of(const loop_run *r, int k)
{
    return r->w->base[r->l->room] + r->l->place[k];
}

static agn_status open_run(loop_run *r, const agni_plan *p, agni_workspace *w, int32_t i)
{
    static const int64_t one = 1;
    const agni_step *s = &p->step[i];
    const agni_device_loop *l = s->device_loop;
    const bool branch = l->form.n_branch > 0;
    int ni = l->body->n_in, no = l->body->n_out;
    size_t n = (size_t)(ni + no + 2), bytes = 2 * n * sizeof *r->from + n * sizeof *r->ints;
    *r = (loop_run){.l = l,
                    .s = s,
                    .w = w,
                    .body = w->body[i],
                    .in = w->arr + s->arr,
                    .out = w->arr + s->arr + s->nin,
                    .ordinal = agni_device_ordinal(p->device),
                    .counter = {branch ? NULL : w->base[l->counter], AGN_I64, 0, &one, &one}};
    void **at = agni_alloc(n * sizeof *at);
    r->from = agni_alloc(bytes);
    if (!at || !r->from) {
        agni_free(at);
        return agni_nomem(s->op->name, bytes);
    }
    r->to = r->from + n;
    r->ints = (int64_t *)(void *)(r->to + n);
    for (int k = 0; k < ni; k++)
        at[k] = k < l->form.n_carried                     ? r->out[k].data
                : k < l->form.n_carried + l->form.n_array ? place_of(r, k - l->form.n_carried)
                                                          : r->in[branch + k].data;
    for (int o = 0; o < no; o++)
        at[ni + o] = branch ? r->out[o].data : place_of(r, l->form.n_array + o);
    agni_workspace_move(r->body, l->body, at, at + ni);
    agni_free(at);
    return AGN_OK;
}

static void close_run(loop_run *r)
{
    agni_free(r->from);
}

static agn_array array_of(const agn_tensor *t, void *data)
{
    return (agn_array){data, t->dtype, t->ndim, t->shape, t->stride};
}

static void add_move(loop_run *r, agn_array from, agn_array to, int64_t how, int64_t size)
{
    if (!size)
        return;
    r->from[r->n] = from;
    r->to[r->n] = to;
    r->ints[r->n++] = how;
}

/* step: of the host; -1: the counter says */
static agn_status queue_moves(loop_run *r, void *stream, int64_t step)
{
    const agni_loop_form *f = &r->l->form;
    int n = r->n;
    if (!n)
        return AGN_OK;
    r->ints[n] = f->reverse ? f->length : -1;
    r->ints[n + 1] = step;
    r->from[n] = r->counter;
    r->n = 0;
    return r->l->move(&(agn_kernel_call){.size = sizeof(agn_kernel_call),
                                         .op = "loop_move",
                                         .n_in = n + (step < 0),
                                         .n_out = n,
                                         .in = r->from,
                                         .out = r->to,
                                         .n_int = n + 2,
                                         .ints = r->ints,
                                         .device = r->ordinal,
                                         .stream = stream});
}

/* what the loop begins with becomes its results */
static agn_status queue_first(loop_run *r)
{
    for (int k = 0; k < r->l->form.n_carried; k++)
        add_move(r, r->in[k], r->out[k], AGNI_MOVE_ALL, r->l->body->out[k]->size);
    return queue_moves(r, r->w->stream, 0);
}

static agn_status queue_step(loop_run *r, int64_t step, agni_run_part *body)
{
    const agni_loop_form *f = &r->l->form;
    void *stream = r->body->stream;
    for (int k = 0; k < f->n_array; k++) {
        const agn_tensor *t = f->body->val[f->n_carried + k];
        add_move(r, r->in[f->n_carried + k], array_of(t, place_of(r, k)), AGNI_MOVE_FROM_ROW,
                 t->size);
    }
    agn_status st = queue_moves(r, stream, step);
    st = st ? st : body(r->l->body, r->body, 0, r->l->body->n_step);
    for (int o = 0; !st && !f->n_branch && o < r->l->body->n_out; o++) {
        const agn_tensor *t = r->l->body->out[o];
        add_move(r, array_of(t, place_of(r, f->n_array + o)), r->out[o],
                 o < f->n_carried ? AGNI_MOVE_ALL : AGNI_MOVE_TO_ROW, t->size);
    }
    return st ? st : queue_moves(r, stream, step);
}

/* the condition of a loop is its first carried value, that of a branch the node's first input */
static agn_status call_border(loop_run *r, agn_kernel *run, agni_loop_body *inner, void *stream)
{
    const agni_loop_form *f = &r->l->form;
    const int64_t which[] = {f->branch, f->n_branch};
    return run(&(agn_kernel_call){.size = sizeof(agn_kernel_call),
                                  .op = r->s->op->name,
                                  .n_in = f->open || f->n_branch,
                                  .n_out = !f->n_branch,
                                  .in = f->n_branch ? r->in : r->out,
                                  .out = &r->counter,
                                  .n_int = f->n_branch ? 2 : 1,
                                  .ints = f->n_branch ? which : &f->length,
                                  .object = inner,
                                  .device = r->ordinal,
                                  .stream = stream});
}

agn_status agni_device_loop_record(const agni_plan *p, agni_workspace *w, int32_t i,
                                   agni_run_part *body)
{
    loop_run r;
    agni_loop_body inner = {NULL, 0};
    agn_status st = open_run(&r, p, w, i);
    st = st ? st : queue_first(&r);
    if (!st) {
        st = call_border(&r, r.l->begin, &inner, w->stream);
        if (st == AGN_EUNSUPPORTED)
            atomic_store(&p->step[i].device_loop->declined, true);
    }
    if (!st) {
        void *own = r.body->stream;
        agni_workspace_set_stream(r.body, r.l->body, inner.stream);
        st = queue_step(&r, -1, body);
        agni_workspace_set_stream(r.body, r.l->body, own);
        agn_status closed = call_border(&r, r.l->end, &inner, inner.stream);
        st = st ? st : closed;
    }
    close_run(&r);
    return st;
}

/* Is this branch the one? A bool chooses the first where it is true, an integer is clamped. */
static agn_status read_choice(const loop_run *r, int32_t device, bool *chosen)
{
    union {
        bool truth;
        int32_t i32;
        int64_t i64;
    } v;
    const agn_array *choice = r->in;
    const agni_loop_form *f = &r->l->form;
    agni_note_read(r->s->op->name);
    agn_status st = agni_device_copy(AGN_CPU, &v, device, choice->data,
                                     (size_t)agni_dtypes[choice->dtype].bytes);
    int64_t k = st                          ? 0
                : choice->dtype == AGN_BOOL ? !v.truth
                : choice->dtype == AGN_I32  ? v.i32
                                            : v.i64;
    *chosen = f->branch == (k < 0 ? 0 : k < f->n_branch ? k : f->n_branch - 1);
    return st;
}

/* another step? */
static agn_status read_condition(const loop_run *r, int32_t device, int64_t step, bool *more)
{
    const agni_loop_form *f = &r->l->form;
    *more = f->length < 0 || step < f->length;
    if (*more && f->n_branch)
        return read_choice(r, device, more);
    if (!*more || !f->open)
        return AGN_OK;
    agni_note_read(r->s->op->name);
    return agni_device_copy(AGN_CPU, more, device, r->out[0].data, sizeof *more);
}

agn_status agni_device_loop_drive(const agni_plan *p, agni_workspace *w, int32_t i,
                                  agni_run_part *body)
{
    loop_run r;
    bool more = false;
    agn_status st = open_run(&r, p, w, i);
    st = st ? st : queue_first(&r);
    st = st ? st : read_condition(&r, p->device, 0, &more);
    for (int64_t step = 0; !st && more;) {
        st = queue_step(&r, step++, body);
        atomic_fetch_add(&p->step[i].device_loop->driven, 1);
        if (!st && agni_check_interrupt())
            st = agni_fail(AGN_ECANCELLED, "%s: stopped at step %lld", p->step[i].op->name,
                           (long long)step);
        st = st ? st : read_condition(&r, p->device, step, &more);
    }
    close_run(&r);
    return st;
}
