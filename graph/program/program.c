/* graph/program/program.c - programs stored and replayed. */
#include "graph/program/program.h"

#include "core/memory/scope.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/value/trace_guards.h"

/* ---- memory ------------------------------------------------------------------------ */

static void prog_destroy(agni_obj *o)
{
    agni_prog *p = (agni_prog *)o;
    for (int i = 0; i < p->n_node; i++)
        if (p->node[i].at)
            agni_obj_release(&p->node[i].at->head);
    /* results first: a long chain is then freed node by node */
    for (int i = p->n_val - 1; p->val && i >= 0; i--)
        agn_release(p->val[i]);
    agni_free(p->node);
    agni_free(p->arg);
    agni_free(p->out);
    agni_free(p->val);
    agni_free(p->cap_version);
    if (p->guards)
        agni_obj_release(&p->guards->head);
    agni_free(p);
}
static const agni_obj_type prog_type = {.name = "program", .destroy = prog_destroy};

void agni_prog_release(agni_prog *p)
{
    if (p)
        agni_obj_release(&p->head);
}

/* arrays of a program whose counts are set; false without memory */
agni_prog *agni_prog_new(int n_in, int n_cap, int n_node, int n_val, int n_out, int n_arg)
{
    agni_prog *p = agni_zalloc(sizeof *p);
    if (!p)
        return NULL;
    agni_ref_init(&p->head.ref);
    p->head.type = &prog_type;
    p->n_in = n_in;
    p->n_cap = n_cap;
    p->n_val = n_val;
    p->n_out = n_out;
    p->n_arg = n_arg;
#define ROOM(n) ((size_t)((n) > 0 ? (n) : 1))
    p->node = agni_zalloc(ROOM(n_node) * sizeof *p->node);
    p->arg = agni_alloc(ROOM(n_arg) * sizeof *p->arg);
    p->out = agni_alloc(ROOM(n_out) * sizeof *p->out);
    p->val = agni_zalloc(ROOM(n_val) * sizeof *p->val);
    p->cap_version = agni_zalloc(ROOM(n_cap) * sizeof *p->cap_version);
    if (!p->node || !p->arg || !p->out || !p->val || !p->cap_version) {
        agni_prog_release(p);
        return NULL;
    }
    p->n_node = n_node;
    return p;
}

const agn_tensor *agni_detach(agn_scope *s, const agn_tensor *x, uint64_t first)
{
    if (!x || !x->node || !x->st || x->node->low < first)
        return x;
    return agni_detach_node(s, "detach", x);
}

/* ---- storing --------------------------------------------------------------------------------- */

/* shape and dtype alone */
static agn_tensor *describe_value(const agn_tensor *x)
{
    agn_tensor *y = agni_tensor_header(x->dtype, x->ndim, x->shape);
    if (y) {
        y->weak = x->weak;
        y->truth = x->truth;
    }
    return y;
}

agn_status agni_prog_store(agni_prog **out, const agni_prog *p, int *n_extra,
                           const agn_tensor ***extra)
{
    int live = 0;
    for (int i = 0; i < p->n_cap; i++) {
        const agn_tensor *c = p->val[p->n_in + i];
        live += c->node || !c->st;
    }
    agni_prog *q = agni_prog_new(p->n_in + live, p->n_cap - live, p->n_node, p->n_val, p->n_out,
                            p->n_arg);
    int32_t *renamed = agni_alloc((size_t)(p->n_val ? p->n_val : 1) * sizeof *renamed);
    const agn_tensor **ex = agni_alloc((size_t)(live ? live : 1) * sizeof *ex);
    bool ok = q && renamed && ex;
    int li = 0, ci = 0;
    for (int v = 0; ok && v < p->n_val; v++) {
        const agn_tensor *x = p->val[v];
        bool captured = v >= p->n_in && v < p->n_in + p->n_cap;
        bool constant = captured && !x->node && x->st;
        renamed[v] = v;
        if (constant) {
            q->cap_version[ci] = p->cap_version[v - p->n_in];
            renamed[v] = q->n_in + ci++;
        } else if (captured) {
            ex[li] = x;
            renamed[v] = p->n_in + li++;
        }
        q->val[renamed[v]] = constant ? agni_tensor_ref(x) : describe_value(x);
        ok = q->val[renamed[v]] != NULL;
    }
    for (int k = 0; ok && k < p->n_node; k++) {
        q->node[k] = p->node[k];
        if (q->node[k].at)
            agni_obj_retain(&q->node[k].at->head);
    }
    for (int i = 0; ok && i < p->n_arg; i++)
        q->arg[i] = renamed[p->arg[i]];
    for (int i = 0; ok && i < p->n_out; i++)
        q->out[i] = renamed[p->out[i]];
    agni_free(renamed);
    if (!ok) {
        agni_free(ex);
        agni_prog_release(q);
        return agni_nomem("store", (size_t)p->n_val * sizeof *p->val);
    }
    agni_prog_copy_guards(q, p);
    *out = q;
    *n_extra = live;
    *extra = ex;
    return AGN_OK;
}

void agni_prog_copy_guards(agni_prog *q, const agni_prog *p)
{
    if (q->guards)
        agni_obj_release(&q->guards->head);
    q->guards = p && p->guards ? (agni_guards *)agni_obj_retain(&p->guards->head) : NULL;
}

agn_status agni_prog_check_guards(const agni_prog *p)
{
    if (agni_guards_current()) { /* another trace, which now rests on this one */
        agni_guards_inherit(p->guards);
        for (int i = 0; i < p->n_cap; i++)
            agni_guard_value(p->val[p->n_in + i]);
    }
    const agn_tensor *const *c = (const agn_tensor *const *)p->val + p->n_in;
    const int64_t *version = p->cap_version;
    for (int i = 0, n = p->n_cap; i < n; i++) /* at every call of a plan */
        if (agni_tensor_version(c[i]) != version[i])
            return agni_fail(AGN_ESTALE, "call: a captured tensor %s %s was written after it was "
                                         "captured; pass it as an argument",
                             agni_dtypes[c[i]->dtype].name, AGNI_SHAPE(c[i]));
    return agni_guards_check(p->guards);
}

/* ---- replaying ------------------------------------------------------------------------------- */

/* are the results of node k given? Then they are taken */
static bool use_given_results(const agni_pnode *n, const agn_tensor *const *given,
                              const agn_tensor **v)
{
    for (int o = 0; o < n->nout; o++)
        if (!given || !given[n->val + o])
            return false;
    for (int o = 0; o < n->nout; o++)
        v[n->val + o] = given[n->val + o];
    return true;
}

agn_status agni_prog_replay_from(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor *const *given, const agn_tensor **out,
                                 const agn_tensor **vals)
{
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_scope_fail(s, agni_prog_check_guards(p));
    if (st)
        return st;
    const agn_tensor **v = vals ? vals : agni_zalloc((size_t)(p->n_val + 1) * sizeof *v);
    if (!v)
        return agn_scope_fail(s, agni_nomem("call", (size_t)p->n_val * sizeof *v));
    for (int i = 0; i < p->n_in; i++)
        v[i] = in[i];
    for (int i = p->n_in; i < p->n_in + p->n_cap; i++)
        v[i] = given && given[i] ? given[i] : p->val[i];
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        const agn_tensor *few[16], **a = few;
        if (use_given_results(n, given, v))
            continue;
        if (n->nin > AGNI_COUNT(few) && !(a = agni_alloc((size_t)n->nin * sizeof *a))) {
            agn_scope_fail(s, agni_nomem("call", (size_t)n->nin * sizeof *a));
            break;
        }
        for (int i = 0; i < n->nin; i++)
            a[i] = v[p->arg[n->arg + i]];
        bool ok = agni_apply_many_in(s, n->op, n->at, n->nin, a, n->nout, v + n->val);
        if (a != few)
            agni_free(a);
        if (!ok)
            break;
    }
    st = agn_scope_status(s);
    for (int i = 0; !st && i < p->n_out; i++)
        out[i] = v[p->out[i]];
    if (v != vals)
        agni_free(v);
    return st;
}

agn_status agni_prog_replay(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out, const agn_tensor **vals)
{
    return agni_prog_replay_from(p, s, in, NULL, out, vals);
}

agn_status agni_prog_infer(const agni_prog *p, agni_call *c)
{
    for (int o = 0; o < c->nout; o++)
        agni_meta_like(&c->meta[o], p->val[p->out[o]]);
    return AGN_OK;
}

agn_status agni_prog_eval(const agni_prog *p, const agni_call *c, agn_tensor **out)
{
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
