/* call.c - call nodes: recorded from a function, evaluated by replaying its program. */
#include "autograd/control/call.h"

#include <string.h>

static void callee_destroy(agni_obj *o)
{
    agni_callee *c = (agni_callee *)o;
    agni_prog_release(c->p);
    agn_fn_release(c->jvp);
    agn_fn_release(c->vjp);
    agni_obj_release(c->rule);
    agni_free(c);
}
static int callee_programs(const agni_obj *o, int i, const agni_prog **p)
{
    (void)i;
    if (p)
        *p = ((const agni_callee *)o)->p;
    return 1;
}
static agni_obj *callee_with_programs(const agni_obj *o, agni_prog *const *p)
{
    const agni_callee *old = (const agni_callee *)o;
    agni_callee *c = agni_callee_new(p[0], old->n_out);
    if (!c)
        return NULL;
    c->jvp = agn_fn_retain(old->jvp);
    c->vjp = agn_fn_retain(old->vjp);
    c->rule = old->rule ? agni_obj_retain(old->rule) : NULL;
    c->mapped = old->mapped;
    return &c->head;
}
static const agni_obj_type type = {.name = "body",
                                   .destroy = callee_destroy,
                                   .programs = callee_programs,
                                   .over = callee_with_programs};

agni_callee *agni_callee_new(agni_prog *p, int n_out)
{
    agni_callee *c = agni_zalloc(sizeof *c);
    if (!c)
        return NULL;
    agni_ref_init(&c->head.ref);
    c->head.type = &type;
    c->p = p;
    c->n_out = n_out;
    return c;
}

/* ---- the node -------------------------------------------------------------------- */

agn_status agni_call_infer(agni_call *c)
{
    return agni_prog_infer(agni_callee_of(c->at)->p, c);
}

agn_status agni_call_eval(const agni_call *c, agn_tensor **out)
{
    return agni_prog_eval(agni_callee_of(c->at)->p, c, out);
}

/* ---- making one ------------------------------------------------------------------ */

bool agni_call_recorded(const agn_fn *f, const agn_tensor *const *in)
{
    for (int i = 0; i < f->n_in; i++)
        if (in[i]->node || !in[i]->st)
            return true;
    return false;
}

bool agni_call_begin(agni_recording *r, agn_scope *s, const agni_op *op,
                     const agn_fn *f, const agn_tensor *const *in)
{
    agni_prog *p = NULL;
    uint64_t first;
    *r = (agni_recording){.f = f};
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agni_trace(&r->live, &first, f, in, false);
    if (!st)
        st = agni_prog_store(&p, r->live, &r->n_extra, &r->extra);
    if (!st && !(r->c = agni_callee_new(p, f->n_out))) {
        agni_prog_release(p);
        st = agni_nomem(op->name, sizeof *r->c);
    }
    return !agn_scope_fail(s, st);
}

void agni_call_end(agni_recording *r, agn_scope *s, const agni_op *op,
                   const agn_tensor *const *in, const agn_tensor **out)
{
    int ni = r->f->n_in, no = r->f->n_out, n_y = r->c ? r->c->p->n_out : 0;
    const agn_tensor **arg = agni_alloc((size_t)(ni + r->n_extra + 1) * sizeof *arg);
    agn_tensor **y = agni_zalloc((size_t)(n_y + 1) * sizeof *y);
    agn_status st = agn_scope_status(s);
    if (!st && (!arg || !y))
        st = agni_nomem(op->name, (size_t)(ni + n_y) * sizeof *arg);
    if (!st && ni)
        memcpy(arg, in, (size_t)ni * sizeof *arg);
    if (!st && r->n_extra)
        memcpy(arg + ni, r->extra, (size_t)r->n_extra * sizeof *arg);
    for (int o = 0; !st && o < n_y;
         o++) { /* values of nodes have the same numbers in both */
        int32_t v = o < no ? r->live->out[o] : r->c->p->out[o];
        if (!(y[o] = agni_tensor_alias(r->live->val[v])))
            st = agni_nomem(op->name, sizeof **y);
    }
    if (!st)
        st = agni_record_node(op, &(agni_attr){.obj = &r->c->head}, ni + r->n_extra, arg,
                         n_y, y);
    for (int o = 0; y && o < n_y; o++) {
        if (!st && o < no)
            out[o] = agn_scope_adopt(s, AGN_OK, &y[o]);
        else
            agn_release(y[o]);
    }
    agn_scope_fail(s, st);
    if (r->c)
        agni_obj_release(&r->c->head);
    agni_prog_release(r->live);
    agni_free(r->extra);
    agni_free(arg);
    agni_free(y);
}
