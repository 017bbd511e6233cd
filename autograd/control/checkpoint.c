/* checkpoint.c - rematerialisation (checkpointing; Griewank & Walther 2008, chapter 12): a call
   whose inner values derivatives recompute, but for those that a policy saves. Saved values are
   further results of the node, from which the rules read them. */
#include "autograd/control/call.h"
#include "autograd/modes/grading.h"

#include <agnesi/control.h>
#include <string.h>

/* ---- values with a name ---------------------------------------------------------- */

typedef struct name {
    agni_obj head;
    char text[];
} name;
static void name_destroy(agni_obj *o)
{
    agni_free(o);
}
static bool name_equal(const agni_obj *a, const agni_obj *b)
{
    return !strcmp(((const name *)a)->text, ((const name *)b)->text);
}
static const agni_obj_type name_type = {
    .name = "name", .destroy = name_destroy, .equal = name_equal};

agni_obj *agni_name_new(const char *text)
{
    name *n = agni_alloc(sizeof *n + strlen(text) + 1);
    if (!n)
        return NULL;
    agni_ref_init(&n->head.ref);
    n->head.type = &name_type;
    strcpy(n->text, text);
    return &n->head;
}
const char *agni_name_text(const agni_obj *o)
{
    return ((const name *)o)->text;
}

const agn_tensor *agni_mark_recomputed(agn_scope *s, const agn_tensor *x)
{
    agni_obj *n = agni_name_new("");
    if (!n) {
        agn_scope_fail(s, agni_nomem("checkpoint", sizeof(name) + 1));
        return NULL;
    }
    x = agni_apply_in(s, &agni_op_named, &(agni_attr){.obj = n}, 1, &x);
    agni_obj_release(n);
    return x;
}
bool agni_is_marked_recomputed(const agni_op *op, const agni_attr *at)
{
    return op == &agni_op_named && !*agni_name_text(at->obj);
}

static agn_status view_named(const agni_call *c, agn_tensor **out)
{
    *out = agni_tensor_alias(c->in[0]);
    return *out ? AGN_OK : agni_nomem(c->op->name, sizeof **out);
}
static void jvp_named(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    (void)s, (void)r;
    ty[0] = t[0];
}
static void vjp_named(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                      const bool *want, const agn_tensor **gx)
{
    (void)s, (void)r;
    gx[0] = want[0] ? g[0] : NULL;
}
static void jet_named(agn_scope *s, const agni_rule *r, const agni_grading *g,
                      const agn_tensor *const *c, const agn_tensor **out)
{
    (void)s, (void)r;
    memcpy(out + 1, c + 1, (size_t)g->K * sizeof *out);
}
const agni_op agni_op_named = {
    .name = "named",
    .takes = "x name:o",
    .cls = AGNI_CONTROL,
    .nin = 1,
    .nout = 1,
    .dtypes = AGNI_ANY,
    .diff = 1,
    .ew = -1,
    .infer = agni_infer_same,
    .view = view_named,
    .eval = view_named,
    .jvp = jvp_named,
    .vjp = vjp_named,
    .jet = jet_named,
    .batch = agni_batch_front,
    .lo = -3,
    .hi = 3,
    .doc = "a value with a name, for policies of checkpoints",
};

agn_status agn_named(agn_tensor **out, const agn_tensor *x, const char *text)
{
    if (!out || !x || !text)
        return agni_fail(AGN_ENULL, "named: %s is NULL",
                         !out ? "out"
                         : !x ? "x"
                              : "name");
    if (!*text)
        return agni_fail(AGN_EARG, "named: the name of %s %s is empty",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    agni_obj *n = agni_name_new(text);
    if (!n)
        return agni_nomem("named", sizeof(name) + strlen(text) + 1);
    agn_status st = agni_apply_public(out, &agni_op_named, &(agni_attr){.obj = n}, 1, &x);
    agni_obj_release(n);
    return st;
}

/* ---- what a policy saves --------------------------------------------------------- */

typedef struct policy {
    agn_fn *f;
    uint32_t save;
    int64_t max_bytes;
    int n;
    char **names;
} policy;

static bool is_saved(const policy *q, const agni_prog *p, const agni_pnode *n)
{
    int64_t bytes = 0;
    for (int o = 0; o < n->nout; o++)
        bytes += agni_tensor_bytes(p->val[n->val + o]);
    bool named = false;
    for (int i = 0; n->op == &agni_op_named && i < q->n; i++)
        named |= !strcmp(agni_name_text(n->at->obj), q->names[i]);
    return (q->save & AGN_SAVE_NAMED && named) ||
           (q->save & AGN_SAVE_PRODUCTS && n->op->cls == AGNI_MULTI) ||
           (q->save & AGN_SAVE_SMALL && bytes <= q->max_bytes);
}

/* the saved values become further results */
static agn_status add_saved_results(const policy *q, agni_prog *p)
{
    int n = 0;
    for (int k = 0; k < p->n_node; k++)
        n += is_saved(q, p, &p->node[k]) ? p->node[k].nout : 0;
    if (!n)
        return AGN_OK;
    int32_t *out = agni_realloc(p->out, (size_t)(p->n_out + n) * sizeof *out);
    if (!out)
        return agni_nomem("checkpoint", (size_t)n * sizeof *out);
    p->out = out;
    for (int k = 0; k < p->n_node; k++)
        for (int o = 0; o < p->node[k].nout && is_saved(q, p, &p->node[k]); o++)
            out[p->n_out++] = p->node[k].val + o;
    return AGN_OK;
}

/* ---- derivatives of the body at the arguments ------------------------------------ */

/* saved values by number; a named value stands for what it names; NULL: not saved */
static const agn_tensor **saved_values(agn_scope *s, const agni_rule *r)
{
    const agni_callee *c = agni_callee_of(r->at);
    const agni_prog *p = c->p;
    if (p->n_out == c->n_out || agn_scope_status(s))
        return NULL;
    const agn_tensor **v = agni_zalloc((size_t)p->n_val * sizeof *v);
    if (!v) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)p->n_val * sizeof *v));
        return NULL;
    }
    for (int o = c->n_out; o < p->n_out; o++)
        v[p->out[o]] = r->y[o];
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        if (n->op == &agni_op_named && v[n->val] && !v[p->arg[n->arg]])
            v[p->arg[n->arg]] = v[n->val];
    }
    return v;
}

static bool open_traversal(agni_traversal *w, agn_scope *s, const agni_rule *r,
                           const agn_tensor *const *t, int K, const bool *want)
{
    bool *on = agni_zalloc((size_t)r->nin + 1);
    const agn_tensor **given = saved_values(s, r),
                     **x = agni_zalloc((size_t)(r->nin + 1) * sizeof *x);
    if (!on || !x)
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nin * sizeof *x));
    for (int i = 0; on && x && i < r->nin && !agn_scope_status(s); i++) {
        /* told to loops, which would save what they see computed of the state alone */
        x[i] = r->x[i]->st ? r->x[i] : agni_mark_recomputed(s, r->x[i]);
        on[i] = want && want[i];
        for (int k = 1; t && k <= K; k++)
            on[i] |= t[i * (K + 1) + k] != NULL;
    }
    bool ok = !agn_scope_status(s) && agni_traversal_replay_from(w, s, agni_callee_of(r->at)->p, x,
                                                                 given, t || want ? on : NULL);
    agni_free(on);
    agni_free(x);
    agni_free(given);
    return ok;
}

static void jvp_checkpoint(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                           const agn_tensor **ty)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, NULL, 0, NULL)) {
        w.inner = true;
        agni_traverse_jvp(&w, t, ty);
    }
    agni_traversal_close(&w);
}
static void vjp_checkpoint(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                           const bool *want, const agn_tensor **gx)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, NULL, 0, want)) {
        w.inner = true;
        agni_traverse_vjp(&w, g, gx);
    }
    agni_traversal_close(&w);
}
static void jet_checkpoint(agn_scope *s, const agni_rule *r, const agni_grading *g,
                           const agn_tensor *const *c, const agn_tensor **out)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, c, g->K, NULL)) {
        w.inner = true;
        agni_traverse_jet(&w, g, c, out);
    }
    agni_traversal_close(&w);
}
static void batch_checkpoint(agn_scope *s, const agni_rule *r, int64_t lanes,
                             const agn_tensor *const *in, const bool *batched,
                             const agn_tensor **out, bool *bout)
{
    agni_traverse_batch(s, agni_callee_of(r->at)->p, lanes, in, batched, out, bout);
}
const agni_op agni_op_checkpoint = {
    AGNI_CALL("checkpoint"),   .jvp = jvp_checkpoint,
    .vjp = vjp_checkpoint,     .jet = jet_checkpoint,
    .batch = batch_checkpoint, .doc = "a call that is computed again for derivatives"};

/* ---- the public functions -------------------------------------------------------- */

static void free_policy(void *data)
{
    policy *q = data;
    agn_fn_release(q->f);
    for (int i = 0; q->names && i < q->n; i++)
        agni_free(q->names[i]);
    agni_free(q->names);
    agni_free(q);
}

static agn_status run_checkpoint(const agn_fn *f, agn_scope *s,
                                 const agn_tensor *const *in, const agn_tensor **out)
{
    const policy *q = f->data;
    if (q->save & AGN_SAVE_EVERYTHING || !agni_call_recorded(q->f, in))
        return agni_fn_run_in(q->f, s, in, out);
    agni_recording r;
    if (agni_call_begin(&r, s, &agni_op_checkpoint, q->f, in))
        agn_scope_fail(s, add_saved_results(q, r.c->p));
    agni_call_end(&r, s, &agni_op_checkpoint, in, out);
    return agn_scope_status(s);
}

static agn_status copy_names(policy *q, const agn_checkpoint_options *o)
{
    q->names = agni_zalloc((size_t)(o->n_names + 1) * sizeof *q->names);
    for (; q->names && q->n < o->n_names; q->n++) {
        size_t n = strlen(o->names[q->n]) + 1;
        if (!(q->names[q->n] = agni_alloc(n)))
            return agni_nomem("fn_checkpoint", n);
        memcpy(q->names[q->n], o->names[q->n], n);
    }
    return q->names ? AGN_OK : agni_nomem("fn_checkpoint", sizeof *q->names);
}

static agn_status check_options(const agn_checkpoint_options *o)
{
    if (agni_check_size("fn_checkpoint", agn_checkpoint_options, o))
        return AGN_EARG;
    if (o->save >> 4 || o->n_names < 0 || o->max_bytes < 0)
        return agni_fail(AGN_EARG,
                         "fn_checkpoint: policy %u with %d names and %lld bytes",
                         o->save, o->n_names, (long long)o->max_bytes);
    for (int i = 0; i < o->n_names; i++)
        if (!o->names || !o->names[i])
            return agni_fail(AGN_ENULL, "fn_checkpoint: name %d of %d is NULL", i,
                             o->n_names);
    return AGN_OK;
}

agn_status agn_fn_checkpoint_with(agn_fn **out, const agn_fn *f,
                                  const agn_checkpoint_options *opts)
{
    static const agn_checkpoint_options none = {.size = sizeof none};
    if (!out || !f)
        return agni_fail(AGN_ENULL, "fn_checkpoint: %s is NULL", out ? "f" : "out");
    opts = opts ? opts : &none;
    agn_status st = check_options(opts);
    if (st)
        return st;
    policy *q = agni_zalloc(sizeof *q);
    if (!q)
        return agni_nomem("fn_checkpoint", sizeof *q);
    *q = (policy){agn_fn_retain(f), opts->save, opts->max_bytes, 0, NULL};
    st = copy_names(q, opts);
    if (!st)
        st = agni_fn_make(out, run_checkpoint, f->n_in, f->n_out, q, free_policy);
    if (st)
        free_policy(q);
    return st;
}

agn_status agn_fn_checkpoint(agn_fn **out, const agn_fn *f)
{
    return agn_fn_checkpoint_with(out, f, NULL);
}
