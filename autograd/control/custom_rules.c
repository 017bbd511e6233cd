/* custom_rules.c - user-defined derivative rules of a call. Any of the three may be missing: jvp
   from the jet or by transposing vjp, vjp by transposing jvp, jet from jvp. */
#include "autograd/control/call.h"
#include "autograd/modes/grading.h"

#include <agnesi/autograd.h>
#include <agnesi/control.h>
#include <stddef.h>
#include <string.h>

/* The user's functions, which live as long as a node that may call them. */
typedef struct owner {
    agni_obj head;
    agn_custom_rule rule;
} owner;
static void owner_destroy(agni_obj *o)
{
    const agn_custom_rule *r = &((owner *)o)->rule;
    if (r->destroy)
        r->destroy(r->user);
    agni_free(o);
}
static const agni_obj_type owner_type = {.name = "rule", .destroy = owner_destroy};
static void owner_release(void *user)
{
    agni_obj_release(&((owner *)user)->head);
}

static agn_status call_jvp(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const owner *o = user;
    return o->rule.jvp(o->rule.user, s, in, out);
}
static agn_status call_vjp(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const owner *o = user;
    return o->rule.vjp(o->rule.user, s, in, out);
}

/* ---- tangents and cotangents ----------------------------------------------------- */

/* f(arguments, results, seeds) with zeros for absent seeds */
static void apply_user_rule(agn_scope *s, const agni_rule *r, const agn_fn *f,
                            const agn_tensor *const *seed, const agn_tensor *const *like,
                            int n_seed, const agn_tensor **out)
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

static agni_jet_fn jet_custom;

/* the first coefficients */
static void jvp_from_jet(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty)
{
    const agn_tensor **c = agni_zalloc(2 * (size_t)(r->nin + r->nout) * sizeof *c);
    if (!c) {
        agn_scope_fail(
            s, agni_nomem("custom", 2 * (size_t)(r->nin + r->nout) * sizeof *c));
        return;
    }
    const agn_tensor **out = c + 2 * r->nin;
    for (int i = 0; i < r->nin; i++) {
        c[2 * i] = r->x[i];
        c[2 * i + 1] = t[i];
    }
    agni_grading line = agni_grading_along(1, 1, false);
    jet_custom(s, r, &line, c, out);
    for (int o = 0; o < r->nout; o++)
        ty[o] = out[2 * o + 1];
    agni_free(c);
}

static void jvp_custom(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    const agni_callee *c = agni_callee_of(r->at);
    if (!c->jvp) {
        (r->op->jet ? jvp_from_jet : agni_jvp_from_vjp)(s, r, t, ty);
        return;
    }
    apply_user_rule(s, r, c->jvp, t, r->x, r->nin, ty);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        if (agni_is_differentiable(r->y[o]))
            ty[o] = agni_fit_seed(s, "custom", "the rule's tangent", o, ty[o], r->y[o]);
}
static void vjp_custom(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    const agni_callee *c = agni_callee_of(r->at);
    if (!c->vjp) {
        agni_vjp_from_jvp(s, r, g, want, gx);
        return;
    }
    apply_user_rule(s, r, c->vjp, g, r->y, r->nout, gx);
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        if (agni_is_differentiable(r->x[i]))
            gx[i] = agni_fit_seed(s, "custom", "the rule's cotangent", i, gx[i], r->x[i]);
}

/* ---- Taylor coefficients --------------------------------------------------------- */

typedef struct jet_call {
    const owner *o;
    int order;
} jet_call;
static agn_status call_jet(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const jet_call *q = user;
    return q->o->rule.jet(q->o->rule.user, s, q->order, in, out);
}

static void jet_custom(agn_scope *s, const agni_rule *r, const agni_grading *g,
                       const agn_tensor *const *c, const agn_tensor **out)
{
    const agni_callee *callee = agni_callee_of(r->at);
    jet_call q = {(const owner *)callee->rule, g->K};
    int K = g->K, n = r->nin * (K + 1), ny = r->nout * K;
    agn_fn *f = NULL;
    const agn_tensor **a = agni_zalloc((size_t)(n + r->nout + ny) * sizeof *a),
                     **y = a + n + r->nout;
    agn_status st = a ? agn_fn_new(&f, call_jet, &q, NULL, n + r->nout, ny)
                      : agni_nomem("custom", (size_t)(n + ny) * sizeof *a);
    for (int i = 0; !st && i < callee->mapped; i++) {
        agn_fn *one = f;
        f = NULL;
        st = agn_fn_vmap(&f, one, NULL, 0, NULL, 0);
        agn_fn_release(one);
    }
    for (int i = 0; !st && i < n; i++)
        a[i] = i % (K + 1) == 0 ? r->x[i / (K + 1)]
               : c[i]           ? c[i]
                                : agni_zeros_like(s, r->x[i / (K + 1)]);
    if (!agn_scope_fail(s, st)) {
        memcpy(a + n, r->y, (size_t)r->nout * sizeof *a);
        agni_fn_run_in(f, s, a, y);
    }
    for (int o = 0; o < r->nout; o++)
        for (int k = 0; k < K && agni_is_differentiable(r->y[o]) && !agn_scope_status(s); k++)
            out[o * (K + 1) + k + 1] = agni_fit_seed(
                s, "custom", "the rule's coefficient of result", o, y[o * K + k], r->y[o]);
    agn_fn_release(f);
    agni_free(a);
}

/* ---- lanes ----------------------------------------------------------------------- */

typedef struct batched_rule {
    const agni_prog *p;
    int64_t lanes;
} batched_rule;
static agn_status lanes_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const batched_rule *q = user;
    size_t n = (size_t)(q->p->n_in + q->p->n_out);
    bool *on = agni_zalloc(n);
    if (!on)
        return agn_scope_fail(s, agni_nomem("custom", n));
    memset(on, true, (size_t)q->p->n_in);
    agni_traverse_batch(s, q->p, q->lanes, in, on, out, on + q->p->n_in);
    for (int o = 0; o < q->p->n_out && !agn_scope_status(s); o++)
        out[o] = agni_ensure_batch_axis(s, out[o], on[q->p->n_in + o], q->lanes);
    agni_free(on);
    return agn_scope_status(s);
}

/* a call whose body and rules are mapped */
static agni_callee *batch_callee(agn_scope *s, const agni_rule *r, int64_t lanes,
                                 const agn_tensor *const *a)
{
    const agni_callee *c = agni_callee_of(r->at);
    batched_rule q = {c->p, lanes};
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL;
    agni_callee *n = NULL;
    uint64_t first;
    int n_extra = 0;
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agni_trace_body(&live, &first, lanes_body, &q, r->nin, a, r->nout, true);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st && !(n = agni_callee_new(p, c->n_out)))
        st = agni_nomem("custom", sizeof *n);
    if (n) {
        p = NULL;
        n->rule = agni_obj_retain(c->rule);
        n->mapped = c->mapped + 1;
    }
    if (!st && c->jvp)
        st = agn_fn_vmap(&n->jvp, c->jvp, NULL, 0, NULL, 0);
    if (!st && c->vjp)
        st = agn_fn_vmap(&n->vjp, c->vjp, NULL, 0, NULL, 0);
    if (agn_scope_fail(s, st) && n) {
        agni_obj_release(&n->head);
        n = NULL;
    }
    agni_prog_release(p);
    agni_prog_release(live);
    agni_free(extra);
    return n;
}

static void batch_custom(agn_scope *s, const agni_rule *r, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched,
                         const agn_tensor **out, bool *bout)
{
    const agn_tensor **a = agni_zalloc((size_t)(r->nin + 1) * sizeof *a);
    if (!a)
        agn_scope_fail(s, agni_nomem("custom", (size_t)r->nin * sizeof *a));
    for (int i = 0; a && i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    agni_callee *c = a ? batch_callee(s, r, lanes, a) : NULL;
    if (c) {
        agni_apply_many_in(s, r->op, &(agni_attr){.obj = &c->head}, r->nin, a, r->nout, out);
        agni_obj_release(&c->head);
    }
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    agni_free(a);
}

#define CUSTOM(name_)                                                              \
    AGNI_CALL(name_), .jvp = jvp_custom, .vjp = vjp_custom, .batch = batch_custom, \
                      .foreign = true
const agni_op agni_op_custom = {CUSTOM("custom"),
                                .doc = "a call with derivatives of the user's"};
const agni_op agni_op_custom_jet = {
    CUSTOM("custom_jet"), .jet = jet_custom,
                                    .curves = true,
    .doc = "a call with Taylor coefficients of the user's"};

/* ---- the public function --------------------------------------------------------- */

typedef struct custom {
    agn_fn *f, *jvp, *vjp;
    owner *rule;
} custom;

static void free_custom(void *data)
{
    custom *c = data;
    agn_fn_release(c->f);
    agn_fn_release(c->jvp);
    agn_fn_release(c->vjp);
    owner_release(c->rule);
    agni_free(c);
}

static agn_status run_custom(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const custom *c = f->data;
    const agni_op *op = c->rule->rule.jet ? &agni_op_custom_jet : &agni_op_custom;
    if (!agni_call_recorded(c->f, in))
        return agni_fn_run_in(c->f, s, in, out);
    agni_recording r;
    if (agni_call_begin(&r, s, op, c->f, in)) {
        r.c->jvp = agn_fn_retain(c->jvp);
        r.c->vjp = agn_fn_retain(c->vjp);
        r.c->rule = agni_obj_retain(&c->rule->head);
        if (r.n_extra)
            agn_scope_fail(
                s, agni_fail(
                       AGN_EUNSUPPORTED,
                       "custom: the function captures %d recorded tensors; pass them "
                       "as arguments beside its %d",
                       r.n_extra, f->n_in));
    }
    agni_call_end(&r, s, op, in, out);
    return agn_scope_status(s);
}

/* a function that keeps the owner alive */
static agn_status make_rule_fn(agn_fn **out, agn_body *body, owner *o, int n_in, int n_out)
{
    agn_status st = agn_fn_new(out, body, o, owner_release, n_in, n_out);
    if (!st)
        agni_obj_retain(&o->head);
    return st;
}

agn_status agn_fn_custom(agn_fn **out, const agn_fn *f, const agn_custom_rule *rule)
{
    const size_t least = offsetof(agn_custom_rule, jet);
    if (!out || !f || !rule)
        return agni_fail(AGN_ENULL, "fn_custom: %s is NULL",
                         !out ? "out"
                         : !f ? "f"
                              : "rule");
    if (rule->size < least)
        return agni_fail(AGN_EARG, "fn_custom: the rule has %zu bytes, %zu are needed",
                         rule->size, least);
    bool jet = rule->size >= sizeof *rule && rule->jet;
    if (!rule->jvp && !rule->vjp && !jet)
        return agni_fail(
            AGN_EARG,
            "fn_custom: neither jvp nor vjp nor jet is given for %d arguments",
            f->n_in);
    custom *c = agni_zalloc(sizeof *c);
    owner *o = agni_zalloc(sizeof *o);
    if (!c || !o) {
        agni_free(c);
        agni_free(o);
        return agni_nomem("fn_custom", sizeof *c);
    }
    agni_ref_init(&o->head.ref);
    o->head.type = &owner_type;
    memcpy(&o->rule, rule, jet ? sizeof *rule : least);
    o->rule.destroy = NULL; /* not before all is well */
    *c = (custom){agn_fn_retain(f), NULL, NULL, o};
    agn_status st = AGN_OK;
    if (rule->jvp)
        st = make_rule_fn(&c->jvp, call_jvp, o, 2 * f->n_in + f->n_out, f->n_out);
    if (!st && rule->vjp)
        st = make_rule_fn(&c->vjp, call_vjp, o, f->n_in + 2 * f->n_out, f->n_in);
    if (!st)
        st = agni_fn_make(out, run_custom, f->n_in, f->n_out, c, free_custom);
    if (st)
        free_custom(c);
    else
        o->rule.destroy = rule->destroy;
    return st;
}
