/* loop_plan.c - loops that run a plan of their body: slices are read and results written in place,
   carried values alternate between two buffers. Carried values that are stacked as each step begins
   with them, as reverse mode asks for, are written straight into the stacked result. */
#include "autograd/loops/scan.h"

#include <string.h>

enum {
    LONG = 4
}; /* fewest steps that pay for a plan: fixed, so are bits */

bool agni_loop_is_plannable(const agni_scan *f, const agni_call *c)
{
    bool yes = f->length >= LONG || f->length < 0;
    for (int i = 0; yes && i < c->nin; i++)
        yes = c->in[i]->st && !c->in[i]->node && !c->in[i]->stale &&
              c->in[i]->layout == AGN_DENSE && c->in[i]->st->device == AGN_CPU;
    return yes;
}

typedef struct planned_run {
    const agni_scan *f;
    const agni_plan *p;
    agn_tensor **in;    /* inputs of the body: carried values, slices, constants */
    agn_tensor **next;  /* next carried values */
    agn_tensor **spare; /* free buffer of a carried value (double buffering) */
    agn_tensor **stack; /* stacked results, by result of the body */
    int32_t *
        into; /* stacked result that holds the carried value before each step; 0: none */
    void **data;
    char **first; /* slice of each array */
} planned_run;

static void release_all(agn_tensor **x, int n)
{
    for (int i = 0; x && i < n; i++)
        agn_release(x[i]);
    agni_free(x);
}

/* out[o]: NULL, or the buffer given by the enclosing plan */
static agn_status open_run(planned_run *r, const agni_call *c, agn_tensor *const *out)
{
    const agni_scan *f = r->f;
    int ni = r->p->n_in, no = r->p->n_out;
    size_t n = (size_t)(ni + no + 1);
    r->in = agni_zalloc(n * sizeof *r->in);
    r->next = agni_zalloc(n * sizeof *r->next);
    r->spare = agni_zalloc(n * sizeof *r->spare);
    r->stack = agni_zalloc(n * sizeof *r->stack);
    r->data = agni_zalloc(n * sizeof *r->data);
    r->first = agni_zalloc(n * sizeof *r->first);
    r->into = agni_zalloc(n * sizeof *r->into);
    agn_status st = r->in && r->next && r->spare && r->stack && r->data && r->first && r->into
                        ? AGN_OK
                        : agni_nomem(c->op->name, n * sizeof *r->in);
    for (int i = 0; !st && i < ni; i++) {
        agn_tensor *x = NULL;
        st = agn_contiguous(&x, c->in[i]);
        if (!st && i >= f->nc &&
            i < f->nc + f->nx) /* its first slice */
            st = agni_tensor_view(&r->in[i], x, x->ndim - 1, x->shape + 1, x->stride + 1, 0);
        else if (!st)
            r->in[i] = agni_tensor_ref(x);
        r->first[i] = st ? NULL : r->in[i]->data;
        agn_release(x);
    }
    for (int o = f->nc; !st && o < no; o++)
        if (out[o] && agni_is_contiguous(out[o]))
            r->stack[o] = agni_tensor_ref(out[o]);
        else
            st = agni_tensor_make(&r->stack[o], c->op->name, c->meta[o].dtype, c->meta[o].ndim,
                                  c->meta[o].shape, AGN_CPU);
    for (int o = f->nc; !st && o < no; o++) {
        int i = r->p->lent[o];
        if (i >= 0 && i < f->nc && r->p->lent[i] < 0 && !r->into[i] && r->p->out[o]->size)
            r->into[i] = o;
    }
    return st;
}

static void close_run(planned_run *r)
{
    int n = r->p->n_in + r->p->n_out;
    release_all(r->in, n);
    release_all(r->next, n);
    release_all(r->spare, n);
    release_all(r->stack, n);
    agni_free(r->data);
    agni_free(r->first);
    agni_free(r->into);
}

static char *stacked_slot(const planned_run *r, int o, int64_t at)
{
    return (char *)r->stack[o]->data + at * agni_tensor_bytes(r->p->out[o]);
}
/* by address: everything in an arena shares one storage */
static bool is_within(const agn_tensor *x, const agn_tensor *stack)
{
    const char *p = x->data, *begin = stack->data;
    return p >= begin && p < begin + agni_tensor_bytes(stack);
}
static bool is_in_stack(const planned_run *r, const agn_tensor *x, int o)
{
    return r->into[o] && is_within(x, r->stack[r->into[o]]);
}

/* The buffer of the next value of carried value o: its row in the stacked result at step `next`,
   or own memory after the last step (next = -1). */
static agn_status choose_next_buffer(planned_run *r, int o, int64_t next)
{
    const agn_tensor *y = r->p->out[o];
    int into = next >= 0 ? r->into[o] : 0;
    agn_status st = AGN_OK;
    if (r->spare[o] && is_in_stack(r, r->spare[o], o) != (into > 0)) {
        agn_release(r->spare[o]);
        r->spare[o] = NULL;
    }
    if (!r->spare[o] && into)
        st = agni_tensor_view(&r->spare[o], r->stack[into], y->ndim, y->shape,
                              r->stack[into]->stride + 1, 0);
    else if (!r->spare[o])
        st = agni_tensor_make(&r->spare[o], "scan", y->dtype, y->ndim, y->shape, AGN_CPU);
    r->next[o] = r->spare[o];
    r->spare[o] = NULL;
    if (!st && into)
        r->next[o]->data = stacked_slot(r, into, next);
    r->data[o] = st ? NULL : r->next[o]->data;
    return st;
}

/* output buffers of one step */
static agn_status set_destinations(planned_run *r, int64_t at, int64_t next)
{
    const agni_plan *p = r->p;
    agn_status st = AGN_OK;
    for (int o = 0; !st && o < p->n_out; o++)
        if (o >= r->f->nc)
            r->data[o] = stacked_slot(r, o, at);
        else if (p->lent[o] < 0)
            st = choose_next_buffer(r, o, next);
    return st;
}

/* outputs become inputs; buffers of our own without readers become free */
static agn_status advance_carried(planned_run *r, const agn_tensor *const *first)
{
    const agni_plan *p = r->p;
    int nc = r->f->nc;
    agn_status st = AGN_OK;
    for (int o = 0; !st && o < p->n_out; o++) {
        int i = p->lent[o];
        if (i < 0)
            continue;
        agn_tensor *x = r->in[i];
        if (o < nc && i >= nc &&
            i < nc + r->f->nx) /* a slice that is kept */
            st = agni_tensor_view(&r->next[o], x, x->ndim, x->shape, x->stride, 0);
        else if (o < nc)
            r->next[o] = agni_tensor_ref(x);
        else if (p->out[o]->size && r->data[o] != x->data)
            memcpy(r->data[o], x->data, (size_t)agni_tensor_bytes(p->out[o]));
    }
    for (int o = 0; !st && o < nc; o++) {
        agn_tensor *old = r->in[o];
        r->in[o] = r->next[o];
        r->next[o] = NULL;
        bool unshared = old->st != first[o]->st && agni_ref_unique(&old->st->head.ref);
        bool ours = (unshared || is_in_stack(r, old, o)) && agni_ref_unique(&old->head.ref);
        if (ours && !r->spare[o] && p->lent[o] < 0 && agni_same_shape(old, p->out[o]))
            r->spare[o] = old;
        else
            agn_release(old);
    }
    return st;
}

/* a carried value as a result, copied where it is a row of a stacked result */
static agn_status return_carried(const planned_run *r, agn_tensor **out, agn_tensor *x)
{
    bool outside = true;
    for (int o = r->f->nc; outside && o < r->p->n_out; o++)
        outside = !is_within(x, r->stack[o]);
    if (outside) {
        *out = agni_tensor_ref(x);
        return AGN_OK;
    }
    agn_status st = agni_tensor_make(out, "scan", x->dtype, x->ndim, x->shape, AGN_CPU);
    if (!st && x->size)
        memcpy((*out)->data, x->data, (size_t)agni_tensor_bytes(x));
    return st;
}

/* another step? */
static bool has_next_step(const planned_run *r, int64_t step)
{
    const agni_scan *f = r->f;
    return (f->length < 0 || step < f->length) &&
           (!f->open || *(const bool *)r->in[AGNI_GOES_ON]->data);
}

agn_status agni_loop_run_plan(agni_plan_slot *slot, agni_prog *body, const agni_scan *f,
                              const agni_call *c, agn_tensor **out)
{
    agni_plan *p = NULL;
    agni_workspace *w = NULL;
    agn_status st = agni_plan_make_once(&p, slot, body, f->nk);
    st = st ? st : agni_plan_enter(p, &w);
    if (st)
        return st;
    planned_run r = {.f = f, .p = p};
    st = open_run(&r, c, out);
    for (int64_t step = 0; !st && has_next_step(&r, step); step++) {
        int64_t at = f->reverse ? f->length - 1 - step : step;
        for (int i = f->nc; i < f->nc + f->nx; i++)
            r.in[i]->data = r.first[i] + at * agni_tensor_bytes(r.in[i]);
        bool last = step == f->length - 1;
        st = set_destinations(&r, at, last ? -1 : f->reverse ? at - 1 : at + 1);
        st = st ? st : agni_plan_run(p, w, (const agn_tensor *const *)r.in, r.data);
        if (!st)
            st = advance_carried(&r, c->in);
        if (st == AGN_ECANCELLED || (!st && agni_check_interrupt()))
            st = agni_loop_cancelled(c->op->name, step, f->length);
    }
    for (int o = 0; !st && o < c->nout; o++)
        if (o < f->nc)
            st = return_carried(&r, &out[o], r.in[o]);
        else if (r.stack[o] != out[o])
            out[o] = agni_tensor_ref(r.stack[o]);
    close_run(&r);
    agni_plan_leave(p, w);
    return st;
}
