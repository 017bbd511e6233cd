/* saved_tensor_hooks.c - a call whose inner values wait for derivatives in another form.

   The node holds the program and its packed inner values. A first derivative, whose arguments
   are plain values, traverses the program at unpacked ones. Where the arguments are recorded, a
   derivative of the derivative needs how the values depend on them, so they are recomputed. */
#include "autograd/modes/grading.h"
#include "autograd/transforms/transform.h"

#include <agnesi/tape.h>

typedef struct bundle {
    agni_obj head;
    agni_prog *p;
    agn_tensor **packed; /* [n_val]; NULL: not needed, or an input or constant */
    agn_fn *unpack;
} bundle;

static void bundle_destroy(agni_obj *o)
{
    bundle *b = (bundle *)o;
    for (int v = 0; b->packed && v < b->p->n_val; v++)
        agn_release(b->packed[v]);
    agni_free(b->packed);
    agni_prog_release(b->p);
    agn_fn_release(b->unpack);
    agni_free(b);
}
static const agni_obj_type bundle_type = {.name = "bundle", .destroy = bundle_destroy};
static const bundle *bundle_of(const agni_attr *at)
{
    return (const bundle *)at->obj;
}

static agn_status infer_packed(agni_call *c)
{
    return agni_prog_infer(bundle_of(c->at)->p, c);
}

static agn_status eval_packed(const agni_call *c, agn_tensor **out)
{
    return agni_prog_eval(bundle_of(c->at)->p, c, out);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

static void unpack_into(agni_traversal *w, const bundle *b)
{
    for (int v = 0; v < b->p->n_val && !agn_scope_status(w->s); v++) {
        const agn_tensor *like = b->p->val[v], *in[1] = {b->packed[v]}, *x = NULL;
        if (!b->packed[v] || agni_fn_run_in(b->unpack, w->s, in, &x))
            continue;
        if (!agni_same_shape(x, like))
            agn_scope_fail(w->s,
                           agni_fail(AGN_ESHAPE,
                                     "unpack: the result is %s, what was packed %s",
                                     AGNI_SHAPE(x), AGNI_SHAPE(like)));
        else if (agni_kind(x->dtype) > agni_kind(like->dtype))
            agn_scope_fail(
                w->s,
                agni_fail(AGN_EDTYPE, "unpack: the result is %s, what was packed %s",
                          agni_dtypes[x->dtype].name, agni_dtypes[like->dtype].name));
        else
            w->prim[v] = agni_cast(w->s, x, like->dtype);
    }
}

/* a traversal at the arguments of the rule */
static bool open_traversal(agni_traversal *w, agn_scope *s, const agni_rule *r, const bool *want)
{
    const bundle *b = bundle_of(r->at);
    bool plain = true;
    for (int i = 0; i < r->nin; i++)
        plain &= r->x[i]->st && !r->x[i]->node;
    if (!plain)
        return agni_traversal_replay(w, s, b->p, r->x, want);
    if (agn_scope_fail(s, agni_prog_check_guards(b->p)) ||
        !agni_traversal_open(w, s, b->p, UINT64_MAX, want))
        return false;
    for (int i = 0; i < r->nin; i++)
        w->prim[i] = r->x[i];
    for (int o = 0; o < r->nout; o++)
        if (agni_is_node_value(b->p, b->p->out[o]))
            w->prim[b->p->out[o]] = r->y[o];
    unpack_into(w, b);
    return !agn_scope_status(s);
}

static bool *mark_given(agn_scope *s, const agni_rule *r, const agn_tensor *const *t, int from,
                        int step)
{
    bool *on = agni_zalloc((size_t)r->nin + 1);
    if (!on)
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)r->nin));
    for (int i = 0; on && i < r->nin; i++)
        for (int k = from; k < step; k++)
            on[i] |= t[i * step + k] != NULL;
    return on;
}

static void jvp_packed(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    agni_traversal w = {.p = NULL};
    bool *on = mark_given(s, r, t, 0, 1);
    if (on && open_traversal(&w, s, r, on)) {
        w.inner = true;
        agni_traverse_jvp(&w, t, ty);
    }
    agni_traversal_close(&w);
    agni_free(on);
}
static void vjp_packed(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, want)) {
        w.inner = true;
        agni_traverse_vjp(&w, g, gx);
    }
    agni_traversal_close(&w);
}
static void jet_packed(agn_scope *s, const agni_rule *r, const agni_grading *g,
                       const agn_tensor *const *c, const agn_tensor **out)
{
    agni_traversal w = {.p = NULL};
    bool *on = mark_given(s, r, c, 1, g->K + 1);
    if (on && open_traversal(&w, s, r, on)) {
        w.inner = true;
        agni_traverse_jet(&w, g, c, out);
    }
    agni_traversal_close(&w);
    agni_free(on);
}
static void batch_packed(agn_scope *s, const agni_rule *r, int64_t lanes,
                         const agn_tensor *const *in, const bool *batched,
                         const agn_tensor **out, bool *bout)
{
    agni_traverse_batch(s, bundle_of(r->at)->p, lanes, in, batched, out, bout);
}

const agni_op agni_op_packed = {
    AGNI_CONTROL_ROW("packed", "args* bundle:o"),
    .infer = infer_packed,
    .eval = eval_packed,
    .jvp = jvp_packed,
    .vjp = vjp_packed,
    .jet = jet_packed,
    .batch = batch_packed,
    .doc = "a call whose inner values are kept in another form"};

/* ---- making a call --------------------------------------------------------------------------- */

typedef struct packer {
    agn_fn *f, *pack, *unpack;
} packer;

static void free_packer(void *data)
{
    packer *q = data;
    agn_fn_release(q->f);
    agn_fn_release(q->pack);
    agn_fn_release(q->unpack);
    agni_free(q);
}

/* packs what an active node reads or makes */
static agn_status pack_values(bundle *b, agn_scope *s, const agni_prog *live,
                              uint64_t first, const packer *q)
{
    agni_traversal w = {.p = NULL};
    bool *need = agni_zalloc((size_t)live->n_val + 1);
    if (!need)
        return agni_nomem("pack", (size_t)live->n_val);
    if (agni_traversal_open(&w, s, live, first, NULL)) {
        for (int k = 0; k < live->n_node; k++) {
            const agni_pnode *n = &live->node[k];
            bool on = false;
            for (int o = 0; o < n->nout; o++)
                on |= w.active[n->val + o];
            for (int o = 0; on && o < n->nout; o++)
                need[n->val + o] = true;
            for (int i = 0; on && i < n->nin; i++)
                need[live->arg[n->arg + i]] = true;
        }
        for (int o = 0; o < live->n_out; o++)
            need[live->out[o]] = false; /* the node's own results */
    }
    /* inputs and constants are not packed; results of nodes have the same numbers in both
       programs */
    for (int v = live->n_in + live->n_cap; v < live->n_val && !agn_scope_status(s);
         v++) {
        if (!need[v])
            continue;
        agn_tensor *plain = agni_tensor_alias(live->val[v]);
        const agn_tensor *x = agn_scope_adopt(s, plain ? AGN_OK : agni_nomem("pack", sizeof *x),
                                              &plain);
        if (x)
            agn_scope_fail(s, agn_fn_call(&b->packed[v], 1, q->pack, &x, 1));
    }
    agni_traversal_close(&w);
    agni_free(need);
    return agn_scope_status(s);
}

static agn_status bundle_new(bundle **out, agni_prog *p, const agn_fn *unpack)
{
    bundle *b = agni_zalloc(sizeof *b);
    if (!b || !(b->packed = agni_zalloc((size_t)(p->n_val + 1) * sizeof *b->packed))) {
        agni_free(b);
        agni_prog_release(p);
        return agni_nomem("pack", (size_t)p->n_val * sizeof(void *));
    }
    agni_ref_init(&b->head.ref);
    b->head.type = &bundle_type;
    b->p = p;
    b->unpack = agn_fn_retain(unpack);
    *out = b;
    return AGN_OK;
}

static agn_status record_packed(const packer *q, agn_scope *outer,
                                const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_fn *f = q->f;
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL, **arg = NULL;
    agn_tensor **y = agni_zalloc((size_t)f->n_out * sizeof *y);
    bundle *b = NULL;
    uint64_t first;
    int n_extra = 0;
    agn_scope *s = agn_scope_open(NULL); /* of what is released once it is packed */
    agn_status st = y ? agni_trace(&live, &first, f, in, false)
                      : agni_nomem("pack", (size_t)f->n_out * sizeof *y);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st)
        st = bundle_new(&b, p, q->unpack);
    if (!st)
        st = pack_values(b, s, live, first, q);
    if (!st && !(arg = agni_alloc((size_t)(f->n_in + n_extra + 1) * sizeof *arg)))
        st = agni_nomem("pack", (size_t)(f->n_in + n_extra) * sizeof *arg);
    for (int i = 0; !st && i < f->n_in + n_extra; i++)
        arg[i] = i < f->n_in ? in[i] : extra[i - f->n_in];
    for (int o = 0; !st && o < f->n_out; o++)
        if (!(y[o] = agni_tensor_alias(live->val[live->out[o]])))
            st = agni_nomem("pack", sizeof **y);
    if (!st)
        st = agni_record_node(&agni_op_packed, &(agni_attr){.obj = &b->head},
                         f->n_in + n_extra, arg, f->n_out, y);
    for (int o = 0; y && o < f->n_out; o++)
        if (!st)
            out[o] = agn_scope_adopt(outer, AGN_OK, &y[o]);
        else
            agn_release(y[o]);
    if (b)
        agni_obj_release(&b->head);
    agni_prog_release(live);
    agni_free(extra);
    agni_free(arg);
    agni_free(y);
    agn_scope_fail(s, st);
    return agn_scope_close(s);
}

static agn_status run_packer(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const packer *q = f->data;
    bool recorded = false, values = true;
    for (int i = 0; i < f->n_in; i++) {
        recorded |= in[i]->node != NULL;
        values &= in[i]->st != NULL;
    }
    return recorded && values ? record_packed(q, s, in, out)
                              : agni_fn_run_in(q->f, s, in, out);
}

agn_status agn_fn_pack(agn_fn **out, const agn_fn *f, const agn_fn *pack,
                       const agn_fn *unpack)
{
    agn_status st = agni_check_handles("fn_pack", out, f);
    if (st)
        return st;
    if (!pack || !unpack)
        return agni_fail(AGN_ENULL, "fn_pack: %s is NULL", pack ? "unpack" : "pack");
    const agn_fn *const given[2] = {pack, unpack};
    for (int i = 0; i < 2; i++)
        if (given[i]->n_in != 1 || given[i]->n_out != 1)
            return agni_fail(
                AGN_EARG,
                "fn_pack: %s has %d arguments and %d results, not one of each",
                i ? "unpack" : "pack", given[i]->n_in, given[i]->n_out);
    packer *q = agni_alloc(sizeof *q);
    if (!q)
        return agni_nomem("fn_pack", sizeof *q);
    *q = (packer){agn_fn_retain(f), agn_fn_retain(pack), agn_fn_retain(unpack)};
    st = agni_fn_make(out, run_packer, f->n_in, f->n_out, q, free_packer);
    if (st)
        free_packer(q);
    return st;
}
