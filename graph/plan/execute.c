/* graph/plan/execute.c - execution of a plan: a call writes into a workspace that it acquires. */
#include "core/threads/cancel.h"
#include "graph/memory/plan.h"

#include "graph/plan/device_loop.h"
#include "graph/launch/launch.h"
#include "graph/plan/replay.h"
#include "graph/plan/scalar_loops.h"
#include "graph/plan/profile.h"
#include "graph/tiles/tile.h"
#include <string.h>

/* ---- workspaces -------------------------------------------------------------------------- */

void agni_workspace_free(agni_workspace *w)
{
    if (!w)
        return;
    for (agni_workspace **b = w->body; b && *b != w; b++)
        agni_workspace_free(*b);
    agni_free(w->body);
    if (w->arena_owner)
        agni_replays_free(w, w->arena_owner->st->device);
    if (!w->arena_owner)
        agni_free(w->arena);
    agn_release(w->arena_owner);
    agni_free(w->base);
    agni_free(w->arr);
    agni_free(w->call);
    agni_free(w->tiles);
    agni_free(w);
}

static bool allocate_arena(agni_workspace *w, const agni_plan *p)
{
    int64_t bytes = p->arena + AGNI_PLAN_ALIGN;
    if (p->device == AGN_CPU)
        w->arena = agni_alloc_aligned((size_t)bytes);
    else if (!agni_tensor_make(&w->arena_owner, "call", AGN_U8, 1, &bytes, p->device))
        w->arena = w->arena_owner->data;
    return w->arena;
}

/* those of the loops' bodies, by step; one that is the workspace itself ends them */
static bool make_bodies(agni_workspace *w, const agni_plan *p)
{
    bool any = false, made = true;
    for (int i = 0; i < p->n_step; i++)
        any = any || p->step[i].kind == AGNI_STEP_LOOP;
    if (!any)
        return true;
    if (!(w->body = agni_zalloc((size_t)(p->n_step + 1) * sizeof *w->body)))
        return false;
    w->body[p->n_step] = w;
    for (int i = 0; i < p->n_step; i++)
        if (p->step[i].kind == AGNI_STEP_LOOP)
            made = (w->body[i] = agni_device_loop_workspace(p->step[i].device_loop)) && made;
    return made;
}

agni_workspace *agni_workspace_new(agni_plan *p)
{
    const agn_backend *b = p->device == AGN_CPU ? NULL : agni_backend_of(p->device);
    int32_t ordinal = b ? agni_device_ordinal(p->device) : 0;
    void *stream = b && b->stream ? b->stream(ordinal) : NULL;
    agni_workspace *w = agni_zalloc(sizeof *w);
    if (!w)
        return NULL;
    w->stream = stream;
    allocate_arena(w, p);
    w->base = agni_zalloc((size_t)(p->n_buffer + 1) * sizeof *w->base);
    w->arr = agni_zalloc((size_t)(p->n_arr + 1) * sizeof *w->arr);
    w->call = agni_zalloc((size_t)(p->n_step + 1) * sizeof *w->call);
    if (!w->arena || !w->base || !w->arr || !w->call || !make_bodies(w, p)) {
        agni_workspace_free(w);
        return NULL;
    }
    for (int r = 0; r < p->n_buffer; r++)
        if (p->buffer[r].kind == AGNI_IN_ARENA)
            w->base[r] = w->arena + p->buffer[r].offset;
        else if (p->buffer[r].kind == AGNI_IN_CONST)
            w->base[r] = p->ir->val[p->buffer[r].index].t->data;
    for (int i = 0; i < p->n_arr; i++) {
        const agni_plan_value *v = &p->val[p->arr[i]];
        char *base = w->base[v->buffer];
        w->arr[i] = (agn_array){base ? base + v->offset : NULL, v->h->dtype, v->h->ndim,
                                v->h->shape, v->h->stride};
    }
    for (int s = 0; s < p->n_step; s++) {
        const agni_step *q = &p->step[s];
        w->call[s] = (agn_kernel_call){
            .size = sizeof(agn_kernel_call),
            .op = q->op ? q->op->name : NULL,
            .n_in = q->nin,
            .n_out = q->nout,
            .in = w->arr + q->arr,
            .out = w->arr + q->arr + q->nin,
            .n_int = q->at ? q->at->ni : 0,
            .n_real = q->at ? q->at->nf : 0,
            .ints = q->at ? q->at->i : NULL,
            .reals = q->at ? q->at->f : NULL,
            .object = q->at ? q->at->obj : NULL,
            .scratch = q->scratch ? w->base[q->scratch] : NULL,
            .scratch_size = q->scratch ? (size_t)p->buffer[q->scratch].bytes : 0,
            .device = ordinal,
            .stream = stream,
            .context = b && AGNI_BACKEND_HAS(b, context) ? b->context : NULL,
        };
    }
    return w;
}

static agni_workspace *acquire_workspace(agni_plan *p)
{
    for (int i = 0; i < AGNI_SPARE; i++)
        if (atomic_load_explicit(&p->spare[i], memory_order_relaxed)) {
            agni_workspace *w = atomic_exchange(&p->spare[i], NULL);
            if (w)
                return w;
        }
    return agni_workspace_new(p);
}
static void release_workspace(agni_plan *p, agni_workspace *w)
{
    for (int i = 0; i < AGNI_SPARE; i++) {
        agni_workspace *none = NULL;
        if (atomic_compare_exchange_strong(&p->spare[i], &none, w))
            return;
    }
    agni_workspace_free(w);
}

/* ---- running --------------------------------------------------------------------------------- */

/* an array of the workspace as a tensor; NULL without memory */
static agn_tensor *view_as_tensor(const agni_plan *p, const agn_array *a, bool weak)
{
    agn_tensor *t = agni_tensor_header(a->dtype, a->ndim, a->shape);
    if (!t)
        return NULL;
    memcpy(t->stride, a->stride, (size_t)a->ndim * sizeof *a->stride);
    t->weak = weak;
    t->st = (agni_storage *)agni_obj_retain(&p->place->head);
    t->data = a->data;
    return t;
}

static agn_status copy_on_device(const agni_plan *p, agn_kernel_call *k)
{
    agn_tensor *t[2] = {view_as_tensor(p, &k->in[0], false), view_as_tensor(p, &k->out[0], false)};
    agni_meta meta;
    agni_call c = {&agni_op_copy, NULL, 1, 1, (const agn_tensor *const *)t, &meta};
    agn_status st = t[0] && t[1] ? agni_op_copy.infer(&c) : agni_nomem("call", sizeof **t);
    if (!st)
        st = agni_run(&c, t + 1);
    agn_release(t[0]);
    agn_release(t[1]);
    return st;
}

/* Ops that run by calling others allocate what they give; it is copied to its place. Loops, which
   are what can be merged, are told the places and may write there. */
static agn_status run_eval(const agni_plan *p, const agni_step *s, const agn_array *arr)
{
    int n = s->nin + s->nout;
    agn_tensor **t = agni_zalloc((size_t)(n + s->nout) * sizeof *t), **place = t ? t + n : NULL;
    agni_meta *meta = agni_alloc((size_t)s->nout * sizeof *meta);
    agn_status st = t && meta ? AGN_OK : agni_nomem("call", (size_t)n * sizeof *t);
    for (int i = 0; !st && i < n; i++) {
        bool weak = i < s->nin && p->val[p->arr[s->arr + i]].h->weak;
        if (i >= s->nin && (!s->op->merge || p->device != AGN_CPU))
            break;
        if (!(t[i] = view_as_tensor(p, &arr[i], weak)))
            st = agni_nomem("call", sizeof **t);
        else if (i >= s->nin)
            place[i - s->nin] = t[i];
    }
    agni_call c = {s->op, s->at, s->nin, s->nout, (const agn_tensor *const *)t, meta};
    if (!st)
        st = s->op->infer(&c);
    if (!st)
        st = agni_run(&c, t + s->nin);
    for (int i = 0; !st && i < s->nout; i++) {
        const agn_tensor *y = t[s->nin + i];
        agn_array from = {y->data, y->dtype, y->ndim, y->shape, y->stride};
        agn_array to = arr[s->nin + i];
        agn_kernel_call k = {.size = sizeof k,
                             .op = "copy",
                             .n_in = 1,
                             .n_out = 1,
                             .in = &from,
                             .out = &to};
        if (y == place[i])
            continue;
        st = p->device == AGN_CPU ? agni_op_copy.cpu(&k) : copy_on_device(p, &k);
    }
    for (int i = 0; t && i < n; i++)
        if (i < s->nin || t[i] != place[i - s->nin])
            agn_release(t[i]);
    for (int i = 0; t && i < s->nout; i++)
        agn_release(place[i]);
    agni_free(t);
    agni_free(meta);
    return st;
}

/* to: what is made of the operand that stays the same, made already or at the first run */
static agn_status run_prepacked(const agni_step *s, const agn_kernel_call *c, void *to, bool made)
{
    if (!made)
        s->op->prepacked->pack_operand(c, s->prepacked_operand, to);
    return s->op->prepacked->run(c, s->prepacked_operand, to);
}

void agni_workspace_set_stream(agni_workspace *w, const agni_plan *p, void *stream)
{
    for (int i = 0; i < p->n_step; i++)
        w->call[i].stream = stream;
    w->stream = stream;
    for (int i = 0; w->body && i < p->n_step; i++)
        if (w->body[i])
            agni_workspace_set_stream(w->body[i], p->step[i].device_loop->body, stream);
}

static agn_status run_part(agni_plan *p, agni_workspace *w, int32_t from, int32_t to)
{
    agn_status st = AGN_OK;
    for (int i = from; !st && i < to; i++) {
        const agni_step *s = &p->step[i];
        if (agni_check_interrupt())
            return agni_fail(AGN_ECANCELLED, "call: cancelled at step %d of %d", i,
                             p->n_step);
        w->at = i;
        if (w->tell)
            agni_report_progress("call", (double)i / p->n_step);
        agni_span *span = w->clock ? &w->clock->step[i] : NULL;
        if (s->loops_end && !span) {
            i = w->tell ? i : s->loops_end - 1; /* whoever hears of progress hears of each step */
            agni_run_scalar_loops(p->loop + s->loop, p->step[i].loop + p->step[i].n_loop - s->loop,
                                  w->base);
            continue;
        }
        if (span)
            span->from = agni_now_ns();
        if (s->launch) {
            st = agni_launch_run(s->launch, p, w);
            i = s->launch->end - 1;
        } else if (s->prepacked)
            st = run_prepacked(s, &w->call[i], w->base[s->prepacked], w->prepacked);
        else if (s->kind == AGNI_STEP_KERNEL)
            st = s->run(&w->call[i]);
        else if (s->kind == AGNI_STEP_EVAL)
            st = run_eval(p, s, w->arr + s->arr);
        else if (s->kind == AGNI_STEP_LOOP)
            st = agni_device_loop_drive(p, w, i, run_part);
        else
            st = agni_region_run(s->region, p, w);
        st = agni_cancel_end("call", st);
        if (span)
            span->to = agni_now_ns();
    }
    if (w->tell && !st && to == p->n_step)
        agni_report_progress("call", 1);
    return st;
}

/* of constants, of the arena, and of those of bodies of loops */
static void mark_own_memory(const agni_plan *p, const agni_workspace *w, uint64_t mark)
{
    for (int v = 0; v < p->ir->n_val; v++)
        if (p->ir->val[v].constant)
            atomic_store_explicit(&p->ir->val[v].t->st->read_mark, mark, memory_order_release);
    atomic_store_explicit(&w->arena_owner->st->write_mark, mark, memory_order_release);
    atomic_store_explicit(&p->place->write_mark, mark, memory_order_release);
    for (int i = 0; w->body && i < p->n_step; i++)
        if (w->body[i])
            mark_own_memory(p->step[i].device_loop->body, w->body[i], mark);
}

/* The mark of the stream behind the last step, in the memory that the steps read and wrote. */
static void record_marks(const agni_plan *p, const agni_workspace *w, const agn_tensor *const *in,
                         agni_storage *const *out)
{
    uint64_t mark = agni_backend_of(p->device)->record(agni_device_ordinal(p->device));
    for (int i = 0; i < p->n_in; i++)
        atomic_store_explicit(&in[i]->st->read_mark, mark, memory_order_release);
    for (int i = 0; i < p->n_out; i++)
        atomic_store_explicit(&out[i]->write_mark, mark, memory_order_release);
    mark_own_memory(p, w, mark);
}

/* arrays of the steps begin where their buffers do now */
static void move_arrays(agni_workspace *w, const agni_plan *p, int32_t n)
{
    for (int k = 0; k < n; k++) {
        int i = p->moving[k];
        const agni_plan_value *v = &p->val[p->arr[i]];
        w->arr[i].data = w->base[v->buffer] + v->offset;
    }
}

void agni_workspace_move(agni_workspace *w, const agni_plan *p, void *const *in, void *const *data)
{
    for (int k = 0; k < p->n_moving_buffer; k++) {
        const agni_buffer *r = &p->buffer[p->moving_buffer[k]];
        w->base[p->moving_buffer[k]] = r->kind == AGNI_IN_INPUT ? in[r->index] : data[r->index];
    }
    move_arrays(w, p, p->n_moving);
}

static agn_status run_workspace(agni_plan *p, agni_workspace *w, const agn_tensor *const *in,
                      void *const *data)
{
    for (int k = 0; k < p->n_moving_buffer; k++) {
        const agni_buffer *r = &p->buffer[p->moving_buffer[k]];
        w->base[p->moving_buffer[k]] = r->kind == AGNI_IN_INPUT ? in[r->index]->data
                                                              : data[r->index];
    }
    move_arrays(w, p, w->clock ? p->n_moving : p->n_moving_bare);
    agn_status st = w->body ? agni_device_loops_check(p) : AGN_OK;
    if (!st)
        st = p->device == AGN_CPU ? run_part(p, w, 0, p->n_step)
                                  : agni_replay_or_run(p, w, run_part);
    w->prepacked = !st;
    return st;
}

/* The caller may have set another stream since the workspace was made (agn_device_set_stream). */
static void follow_stream(const agni_plan *p, agni_workspace *w)
{
    void *stream = agni_backend_of(p->device)->stream(agni_device_ordinal(p->device));
    if (stream != w->stream)
        agni_workspace_set_stream(w, p, stream);
}

agn_status agni_plan_enter(agni_plan *p, agni_workspace **w)
{
    *w = acquire_workspace(p);
    if (!*w)
        return agni_nomem("call", (size_t)p->arena);
    if (p->device != AGN_CPU)
        follow_stream(p, *w);
    (*w)->clock = NULL;
    (*w)->tell = (*w)->prepacked = false;
    return AGN_OK;
}
agn_status agni_plan_run(agni_plan *p, agni_workspace *w, const agn_tensor *const *in,
                         void *const *data)
{
    return run_workspace(p, w, in, data);
}
void agni_plan_leave(agni_plan *p, agni_workspace *w)
{
    if (w)
        release_workspace(p, w);
}
agn_status agni_plan_call(agni_plan *p, const agn_tensor *const *in, void *const *data,
                          agni_storage *const *out, agni_clock *clock)
{
    agni_workspace *w = NULL;
    agn_status st = agni_plan_enter(p, &w);
    if (st)
        return st;
    w->clock = clock;
    w->tell = agni_progress_is_heard();
    st = run_workspace(p, w, in, data);
    if (p->device != AGN_CPU)
        record_marks(p, w, in, out);
    agni_plan_leave(p, w);
    return st;
}
