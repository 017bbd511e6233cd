/* autograd/call.c - call nodes: a program as one node. checkpoint computes its inner values
   again for every derivative; custom has derivatives of the user's. A transform of a call is
   the transform of its body at the call's arguments. */
#include "autograd/sweep.h"

#include <agnesi/autograd.h>
#include <agnesi/control.h>
#include <string.h>

/* The counted attribute of a call. */
typedef struct body {
    agni_obj head;
    agni_prog *p;
    agn_fn *jvp, *vjp; /* of custom, or NULL */
} body;

static void body_destroy(agni_obj *o)
{
    body *b = (body *)o;
    agni_prog_release(b->p);
    agn_fn_release(b->jvp);
    agn_fn_release(b->vjp);
    agni_free(b);
}
static const agni_obj_type body_type = {"body", body_destroy, NULL};

static body *body_new(agni_prog *p, const agn_fn *jvp, const agn_fn *vjp)
{
    body *b = agni_alloc(sizeof *b);
    if (!b)
        return NULL;
    agni_ref_init(&b->head.ref);
    b->head.type = &body_type;
    b->p = p;
    b->jvp = agn_fn_retain(jvp);
    b->vjp = agn_fn_retain(vjp);
    return b;
}
static const body *body_of(const agni_attr *at)
{
    return (const body *)at->obj;
}

static agn_status infer_call(agni_call *c)
{
    const agni_prog *p = body_of(c->at)->p;
    for (int o = 0; o < c->nout; o++) {
        const agn_tensor *y = p->val[p->out[o]];
        c->meta[o].dtype = y->dtype;
        c->meta[o].ndim = y->ndim;
        memcpy(c->meta[o].shape, y->shape, (size_t)y->ndim * sizeof *y->shape);
    }
    return AGN_OK;
}

static agn_status eval_call(const agni_call *c, agn_tensor **out)
{
    const agni_prog *p = body_of(c->at)->p;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **y = agni_alloc((size_t)p->n_out * sizeof *y);
    if (!y)
        agn_scope_fail(s, agni_nomem(c->op->name, (size_t)p->n_out * sizeof *y));
    else if (!agni_prog_replay(p, s, c->in, y, NULL))
        for (int o = 0; o < c->nout; o++)
            agn_scope_return(s, out + o, y[o]);
    agni_free(y);
    return agn_scope_close(s);
}

/* ---- derivatives of the body at the arguments ---------------------------------------- */

static bool open_at(agni_walk *w, agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                    int step, const bool *want)
{
    bool few[64] = {false}, *on = few;
    if (r->nin > AGNI_COUNT(few) && !(on = agni_alloc((size_t)r->nin))) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nin));
        return false;
    }
    for (int i = 0; i < r->nin; i++) {
        on[i] = want && want[i];
        for (int k = step > 1; t && k < step; k++)
            on[i] |= t[i * step + k] != NULL;
    }
    bool ok = agni_walk_replay(w, s, body_of(r->at)->p, r->x, on);
    if (on != few)
        agni_free(on);
    return ok;
}

static void jvp_call(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    agni_walk w = {.p = NULL};
    if (open_at(&w, s, r, t, 1, NULL))
        agni_sweep_jvp(&w, t, ty);
    agni_walk_close(&w);
}
static void vjp_call(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                     const bool *want, const agn_tensor **gx)
{
    agni_walk w = {.p = NULL};
    if (open_at(&w, s, r, NULL, 1, want))
        agni_sweep_vjp(&w, g, gx);
    agni_walk_close(&w);
}
static void jet_call(agn_scope *s, const agni_rule *r, int K, const agn_tensor *const *c,
                     const agn_tensor **out)
{
    agni_walk w = {.p = NULL};
    if (open_at(&w, s, r, c, K + 1, NULL))
        agni_sweep_jet(&w, K, c, out);
    agni_walk_close(&w);
}
static void batch_call(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                       bool *bout)
{
    agni_sweep_batch(s, body_of(r->at)->p, lanes, in, batched, out, bout);
}

#define CALL(name_) \
    .name = #name_, .takes = "args* body:o", .cls = AGNI_CONTROL, .nin = -1, .nout = -1, .dtypes = AGNI_ANY, .diff = ~0u, \
    .ew = -1, .infer = infer_call, .eval = eval_call, .lo = -3, .hi = 3
const agni_op agni_op_checkpoint = {CALL(checkpoint), .jvp = jvp_call, .vjp = vjp_call,
                                    .jet = jet_call, .batch = batch_call,
                                    .doc = "a call that is computed again for derivatives"};

/* ---- making a call ---------------------------------------------------------------------- */

/* Records f at in as one node whose values are those of this recording. */
static agn_status call_node(const agni_op *op, const agn_fn *f, const agn_fn *jvp,
                            const agn_fn *vjp, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL, **arg = NULL;
    agn_tensor **y = agni_zalloc((size_t)f->n_out * sizeof *y);
    body *b = NULL;
    uint64_t first;
    int n_extra = 0;
    agn_status st = y ? agni_trace(&live, &first, f, in, false)
                      : agni_nomem(op->name, (size_t)f->n_out * sizeof *y);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st && jvp != vjp && n_extra)
        st = agni_fail(AGN_EUNSUPPORTED, "custom: the function captures %d recorded tensors; pass them "
                                         "as arguments beside its %d",
                       n_extra, f->n_in);
    if (!st && !(arg = agni_alloc((size_t)(f->n_in + n_extra + 1) * sizeof *arg)))
        st = agni_nomem(op->name, (size_t)(f->n_in + n_extra) * sizeof *arg);
    if (!st && !(b = body_new(p, jvp, vjp)))
        st = agni_nomem(op->name, sizeof *b);
    if (b)
        p = NULL; /* the body's now */
    for (int i = 0; !st && i < f->n_in + n_extra; i++)
        arg[i] = i < f->n_in ? in[i] : extra[i - f->n_in];
    for (int o = 0; !st && o < f->n_out; o++)
        if (!(y[o] = agni_tensor_alias(live->val[live->out[o]])))
            st = agni_nomem(op->name, sizeof **y);
    if (!st)
        st = agni_record(op, &(agni_attr){.obj = &b->head}, f->n_in + n_extra, arg, f->n_out, y);
    for (int o = 0; y && o < f->n_out; o++) {
        if (!st)
            out[o] = agn_scope_adopt(s, AGN_OK, y[o]);
        else
            agn_release(y[o]);
    }
    if (b)
        agni_obj_release(&b->head);
    agni_prog_release(p);
    agni_prog_release(live);
    agni_free(extra);
    agni_free(arg);
    agni_free(y);
    return st;
}

static bool recorded(const agn_fn *f, const agn_tensor *const *in)
{
    for (int i = 0; i < f->n_in; i++)
        if (in[i]->node || !in[i]->st)
            return true;
    return false;
}

static void drop_fn(void *data)
{
    agn_fn_release(data);
}
static agn_status run_checkpoint(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const agn_fn *g = f->data;
    return recorded(g, in) ? call_node(&agni_op_checkpoint, g, NULL, NULL, s, in, out)
                           : agni_fn_run_in(g, s, in, out);
}

agn_status agn_fn_checkpoint(agn_fn **out, const agn_fn *f)
{
    if (!out || !f)
        return agni_fail(AGN_ENULL, "fn_checkpoint: %s is NULL", out ? "f" : "out");
    agn_fn *g = agn_fn_retain(f);
    agn_status st = agni_fn_make(out, run_checkpoint, f->n_in, f->n_out, g, drop_fn);
    if (st)
        agn_fn_release(g);
    return st;
}

/* ---- custom ---------------------------------------------------------------------------------- */

typedef struct custom {
    agn_fn *f, *jvp, *vjp;
    agn_custom_rule rule;
} custom;

/* f(arguments, results, seeds) with zeros for absent seeds */
static void call_rule(agn_scope *s, const agni_rule *r, const agn_fn *f,
                      const agn_tensor *const *seed, const agn_tensor *const *like, int n_seed,
                      const agn_tensor **out)
{
    int n = r->nin + r->nout + n_seed;
    const agn_tensor **a = agni_alloc((size_t)n * sizeof *a);
    if (!a) {
        agn_scope_fail(s, agni_nomem("custom", (size_t)n * sizeof *a));
        return;
    }
    memcpy(a, r->x, (size_t)r->nin * sizeof *a);
    memcpy(a + r->nin, r->y, (size_t)r->nout * sizeof *a);
    for (int i = 0; i < n_seed; i++)
        a[r->nin + r->nout + i] = seed[i] ? seed[i] : agni_zeros_like(s, like[i]);
    agni_fn_run_in(f, s, a, out);
    agni_free(a);
}

static void jvp_custom(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const body *b = body_of(r->at);
    if (!b->jvp) {
        agni_jvp_from_vjp(s, r, t, ty);
        return;
    }
    call_rule(s, r, b->jvp, t, r->x, r->nin, ty);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        if (agni_smooth(r->y[o]))
            ty[o] = agni_seed(s, "custom", "the rule's tangent", o, ty[o], r->y[o]);
}
static void vjp_custom(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    const body *b = body_of(r->at);
    if (!b->vjp) {
        agni_vjp_from_jvp(s, r, g, want, gx);
        return;
    }
    call_rule(s, r, b->vjp, g, r->y, r->nout, gx);
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        if (agni_smooth(r->x[i]))
            gx[i] = agni_seed(s, "custom", "the rule's cotangent", i, gx[i], r->x[i]);
}

typedef struct lanes_of {
    const agni_prog *p;
    int64_t lanes;
} lanes_of;
static agn_status body_lanes(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const lanes_of *q = user;
    bool on[64], bout[64];
    for (int i = 0; i < q->p->n_in; i++)
        on[i] = true;
    agni_sweep_batch(s, q->p, q->lanes, in, on, out, bout);
    for (int o = 0; o < q->p->n_out; o++)
        out[o] = agni_batch_one(s, out[o], bout[o], q->lanes);
    return agn_scope_status(s);
}

/* lanes of a custom call: a custom call whose body and rules are mapped */
static void batch_custom(agn_scope *s, const agni_rule *r, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched,
                         const agn_tensor **out, bool *bout)
{
    const body *b = body_of(r->at);
    const agn_tensor *a[64];
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL;
    agn_fn *jvp = NULL, *vjp = NULL;
    body *nb = NULL;
    uint64_t first;
    int n_extra = 0;
    if (r->nin > AGNI_COUNT(a) || r->nout > AGNI_COUNT(a)) {
        agn_scope_fail(s, agni_fail(AGN_EUNSUPPORTED, "custom: vmap of %d arguments; at most %d", r->nin,
                                    AGNI_COUNT(a)));
        return;
    }
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_batch_one(s, in[i], batched[i], lanes);
    lanes_of q = {b->p, lanes};
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agni_trace_body(&live, &first, body_lanes, &q, r->nin, a, r->nout, true);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st && b->jvp)
        st = agn_fn_vmap(&jvp, b->jvp, NULL, NULL);
    if (!st && b->vjp)
        st = agn_fn_vmap(&vjp, b->vjp, NULL, NULL);
    if (!st && !(nb = body_new(p, jvp, vjp)))
        st = agni_nomem("custom", sizeof *nb);
    if (nb)
        p = NULL;
    if (!agn_scope_fail(s, st))
        agni_apn(s, r->op, &(agni_attr){.obj = &nb->head}, r->nin, a, r->nout, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    if (nb)
        agni_obj_release(&nb->head);
    agn_fn_release(jvp);
    agn_fn_release(vjp);
    agni_prog_release(p);
    agni_prog_release(live);
    agni_free(extra);
}

const agni_op agni_op_custom = {CALL(custom), .jvp = jvp_custom, .vjp = vjp_custom,
                                .batch = batch_custom,
                                .doc = "a call with derivatives of the user's"};

static void drop_custom(void *data)
{
    custom *c = data;
    agn_fn_release(c->f);
    agn_fn_release(c->jvp);
    agn_fn_release(c->vjp);
    if (c->rule.destroy)
        c->rule.destroy(c->rule.user);
    agni_free(c);
}
static agn_status run_custom(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const custom *c = f->data;
    return recorded(c->f, in) ? call_node(&agni_op_custom, c->f, c->jvp, c->vjp, s, in, out)
                              : agni_fn_run_in(c->f, s, in, out);
}

agn_status agn_fn_custom(agn_fn **out, const agn_fn *f, const agn_custom_rule *rule)
{
    if (!out || !f || !rule)
        return agni_fail(AGN_ENULL, "fn_custom: %s is NULL", !out ? "out" : !f ? "f" : "rule");
    if (rule->size < sizeof *rule)
        return agni_fail(AGN_EARG, "fn_custom: the rule has %zu bytes, %zu are needed", rule->size,
                         sizeof *rule);
    if (!rule->jvp && !rule->vjp)
        return agni_fail(AGN_EARG, "fn_custom: neither jvp nor vjp is given for %d arguments", f->n_in);
    custom *c = agni_zalloc(sizeof *c);
    if (!c)
        return agni_nomem("fn_custom", sizeof *c);
    agn_status st = AGN_OK;
    if (rule->jvp)
        st = agn_fn_new(&c->jvp, rule->jvp, rule->user, NULL, 2 * f->n_in + f->n_out, f->n_out);
    if (!st && rule->vjp)
        st = agn_fn_new(&c->vjp, rule->vjp, rule->user, NULL, f->n_in + 2 * f->n_out, f->n_in);
    c->f = agn_fn_retain(f);
    if (!st)
        st = agni_fn_make(out, run_custom, f->n_in, f->n_out, c, drop_custom);
    if (st)
        drop_custom(c); /* the user's destroy is not set yet */
    else
        c->rule = *rule;
    return st;
}
