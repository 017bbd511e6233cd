/* graph/memory/buffers.c - the buffers of a plan while it is made: values get memory, steps get
   arrays, and each use of a value extends the live range of its buffer (liveness). */
#include "graph/memory/plan.h"

/* ---- values and buffers --------------------------------------------------------------------- */

int32_t agni_plan_add_buffer(agni_plan *p, agni_buffer r)
{
    if (!agni_reserve_items(&p->buffer, &p->cap_buffer, p->n_buffer + 1, sizeof *p->buffer))
        return -1;
    p->buffer[p->n_buffer] = r;
    return p->n_buffer++;
}

int32_t agni_plan_add_value(agni_plan *p, const agn_tensor *like)
{
    if (!agni_reserve_items(&p->val, &p->cap_val, p->n_val + 1, sizeof *p->val))
        return -1;
    agn_tensor *h = agni_tensor_header(like->dtype, like->ndim, like->shape);
    if (!h)
        return -1;
    p->val[p->n_val] = (agni_plan_value){h, -1, 0};
    return p->n_val++;
}

bool agni_plan_allocate(agni_plan *p, int32_t v)
{
    if (p->val[v].buffer >= 0)
        return true;
    if (v < p->ir->n_val && p->placement[v].in >= 0) {
        int32_t in = p->placement[v].in;
        if (!agni_plan_allocate(p, in))
            return false;
        p->val[v].buffer = p->val[in].buffer;
        p->val[v].offset = p->val[in].offset + p->placement[v].offset;
        return true;
    }
    p->val[v].buffer = agni_plan_add_buffer(
        p,
        (agni_buffer){AGNI_IN_ARENA, v, 0, agni_tensor_bytes(p->val[v].h), p->n_step, p->n_step});
    return p->val[v].buffer >= 0;
}
void agni_plan_extend_live_range(agni_plan *p, int32_t v)
{
    p->buffer[p->val[v].buffer].to = p->n_step;
}
int32_t agni_plan_add_scratch(agni_plan *p, int64_t bytes)
{
    return agni_plan_add_buffer(p,
                                (agni_buffer){AGNI_IN_ARENA, -1, 0, bytes, p->n_step, p->n_step});
}
int32_t agni_plan_add_array(agni_plan *p, int32_t v)
{
    if (!agni_reserve_items(&p->arr, &p->cap_arr, p->n_arr + 1, sizeof *p->arr))
        return -1;
    p->arr[p->n_arr] = v;
    return p->n_arr++;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Does v stay the same from run to run, as an argument that is held, or a constant, or a view of
   it? */
static bool is_call_invariant(const agni_plan *p, int32_t v)
{
    const agni_buffer *r = &p->buffer[p->val[v].buffer];
    return r->kind == AGNI_IN_CONST ||
           (r->kind == AGNI_IN_INPUT && r->index >= p->n_in - p->n_held);
}

/* what is made of an operand that stays the same lies where nothing else ever does */
static bool reserve_prepacked(agni_plan *p, agni_step *s, const agn_kernel_call *c)
{
    for (int i = 0; p->n_held && s->op->prepacked && !s->prepacked && i < s->nin; i++) {
        bool kept = is_call_invariant(p, p->arr[s->arr + i]);
        size_t bytes = kept ? s->op->prepacked->packed_bytes(c, i) : 0;
        s->prepacked = bytes ? agni_plan_add_scratch(p, (int64_t)bytes) : 0;
        s->prepacked_operand = i;
    }
    return s->prepacked >= 0;
}

/* the memory that a kernel likes to work in, and that of what it holds */
static bool reserve_scratch(agni_plan *p, agni_step *s)
{
    enum { FEW = 8 };
    agn_array a[FEW];
    const agn_backend *b = agni_backend_of(p->device);
    bool asked = p->device == AGN_CPU ? s->op && (s->op->scratch || s->op->prepacked)
                                      : s->op && AGNI_BACKEND_HAS(b, workspace);
    if (s->kind != AGNI_STEP_KERNEL || !asked || s->nin + s->nout > FEW)
        return true;
    for (int i = 0; i < s->nin + s->nout; i++) {
        const agn_tensor *h = p->val[p->arr[s->arr + i]].h;
        a[i] = (agn_array){NULL, h->dtype, h->ndim, h->shape, h->stride};
    }
    agn_kernel_call c = {.size = sizeof c,
                         .op = s->op->name,
                         .n_in = s->nin,
                         .n_out = s->nout,
                         .in = a,
                         .out = a + s->nin,
                         .n_int = s->at ? s->at->ni : 0,
                         .n_real = s->at ? s->at->nf : 0,
                         .ints = s->at ? s->at->i : NULL,
                         .reals = s->at ? s->at->f : NULL,
                         .object = s->at ? s->at->obj : NULL,
                         .device = agni_device_ordinal(p->device)};
    size_t bytes = 0;
    if (p->device == AGN_CPU)
        bytes = s->op->scratch ? s->op->scratch(&c) : 0;
    else if (b->workspace(b->context, &c, &bytes))
        return false;
    s->scratch = bytes ? agni_plan_add_scratch(p, (int64_t)bytes) : 0;
    return s->scratch >= 0 && (p->device != AGN_CPU || reserve_prepacked(p, s, &c));
}

agn_status agni_plan_add_step(agni_plan *p, agni_step s, const int32_t *in,
                           const int32_t *out)
{
    if (!agni_reserve_items(&p->step, &p->cap_step, p->n_step + 1, sizeof *p->step))
        return agni_nomem("compile", sizeof s);
    s.arr = p->n_arr;
    for (int i = 0; i < s.nin; i++) {
        agni_plan_extend_live_range(p, in[i]);
        if (agni_plan_add_array(p, in[i]) < 0)
            return agni_nomem("compile", sizeof s);
    }
    for (int i = 0; i < s.nout; i++) {
        if (!agni_plan_allocate(p, out[i]) || agni_plan_add_array(p, out[i]) < 0)
            return agni_nomem("compile", sizeof s);
        agni_plan_extend_live_range(p, out[i]);
    }
    if (!reserve_scratch(p, &s))
        return agni_nomem("compile", sizeof s);
    p->step[p->n_step++] = s;
    return AGN_OK;
}

agn_status agni_plan_add_copy(agni_plan *p, int32_t from, int32_t to)
{
    agn_kernel *run = agni_op_copy.cpu;
    if (p->device != AGN_CPU) {
        agni_meta meta;
        const agn_tensor *x = p->val[from].h;
        agni_call c = {&agni_op_copy, NULL, 1, 1, &x, &meta};
        const agn_kernel_entry *k = agni_find_device_kernel(&c, p->device);
        if (!k || !k->strided)
            return agni_fail_no_kernel(&c, p->device);
        run = k->run;
    }
    return agni_plan_add_step(p,
                    (agni_step){.kind = AGNI_STEP_KERNEL,
                                .nin = 1,
                                .nout = 1,
                                .op = &agni_op_copy,
                                .run = run},
                    &from, &to);
}
