/* watch_nan.c - a function that reports which op makes the first NaN.

   f is recorded, and each of its ops becomes a call node over a program of that op, which checks
   its results. The rules of the node traverse the program and pass derivatives through
   nan_check, an identity that checks; so values, tangents, cotangents and coefficients are
   checked, in plans and under vmap, too. An op makes a NaN if none of its operands holds one. */
#include "autograd/modes/zeros.h"
#include "autograd/modes/grading.h"
#include "autograd/transforms/transform.h"

#include <agnesi/ag.h>
#include <agnesi/check.h>

/* the user's hook */
typedef struct watcher {
    agni_obj head;
    agn_nan_hook hook;
    char *label;
} watcher;

static void watcher_destroy(agni_obj *o)
{
    watcher *w = (watcher *)o;
    if (w->hook.destroy)
        w->hook.destroy(w->hook.user);
    agni_free(w->label);
    agni_free(w);
}
static const agni_obj_type watcher_type = {.name = "watcher", .destroy = watcher_destroy};

/* one op of the function, as a program */
typedef struct watched_op {
    agni_obj head;
    agni_prog *p; /* NULL until it is watched; both as in agni_one_op */
    watcher *w;
    const char *op;
    int32_t index, total;
} watched_op;
_Static_assert(offsetof(watched_op, p) == offsetof(agni_one_op, p), "modes read it");

static void watched_op_destroy(agni_obj *o)
{
    watched_op *at = (watched_op *)o;
    agni_obj_release(&at->w->head);
    agni_prog_release(at->p);
    agni_free(at);
}
static const agni_obj_type watched_op_type = {.name = "place", .destroy = watched_op_destroy};
static const watched_op *watched_op_of(const agni_attr *at)
{
    return (const watched_op *)at->obj;
}

static agn_status watched_op_new(watched_op **out, watcher *w, const char *op, int index, int total)
{
    watched_op *at = agni_zalloc(sizeof *at);
    if (!at)
        return agni_nomem("watch_nan", sizeof *at);
    agni_ref_init(&at->head.ref);
    at->head.type = &watched_op_type;
    at->w = (watcher *)agni_obj_retain(&w->head);
    at->op = op;
    at->index = index;
    at->total = total;
    *out = at;
    return AGN_OK;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static const char *const derivative_names[] = {"value", "tangent", "cotangent", "coefficient"};

/* does x hold a NaN? Integers and symbols hold none. */
static agn_status has_nan(bool *yes, const agn_tensor *x, bool infinite)
{
    *yes = false;
    if (!x->st || !agni_is_differentiable(x))
        return AGN_OK;
    agn_scope *s = agn_scope_open(NULL);
    int64_t v = 0;
    agn_tensor *plain = agni_tensor_alias(x);
    const agn_tensor *y = agn_scope_adopt(s, plain ? AGN_OK : agni_nomem("watch_nan", sizeof *x),
                                          &plain);
    const agn_tensor *bad = infinite ? ag_logical_not(s, ag_isfinite(s, y))
                                     : ag_isnan(s, y);
    const agn_tensor *any = ag_any(s, bad, NULL, 0, false);
    if (any)
        agn_scope_fail(s, agn_item_i64(&v, any));
    *yes = v != 0;
    return agn_scope_close(s);
}

/* reports y if it holds a NaN and none of its operands does */
static agn_status report_first_nan(const watched_op *at, int walk, int which, const agn_tensor *y,
                                   int n, const agn_tensor *const *from)
{
    const agn_nan_hook *h = &at->w->hook;
    bool made = false, before = false;
    agn_status st = has_nan(&made, y, h->infinite);
    for (int i = 0; !st && made && i < n; i++) {
        st = has_nan(&before, from[i], h->infinite);
        made = !before;
    }
    if (st || !made)
        return st;
    const agn_nan_place where = {sizeof where, at->op, at->w->label, at->index,
                                 at->total,    walk,   which};
    int64_t told = agni_failure_count();
    if (h->found)
        return agni_check_callback("watch_nan", h->found(h->user, &where), told);
    return agni_fail(AGN_EDOMAIN, "watch_nan: %s, op %d of %d%s%s, makes %s in %s %d, %s", at->op,
                     at->index, at->total, at->w->label ? " in " : "",
                     at->w->label ? at->w->label : "", h->infinite ? "a NaN or infinity" : "a NaN",
                     derivative_names[walk], which, AGNI_SHAPE(y));
}

/* (y, operands of y) to y */
static agn_status eval_check(const agni_call *c, agn_tensor **out)
{
    agn_status st = report_first_nan(watched_op_of(c->at), (int)c->at->i[0], (int)c->at->i[1],
                                     c->in[0], c->nin - 1, c->in + 1);
    if (!st)
        out[0] = agni_tensor_ref(c->in[0]);
    return st;
}
static const agn_tensor *transpose_check(agn_scope *s, const agni_rule *r, int i,
                                         const agn_tensor *g)
{
    (void)s, (void)r, (void)i;
    return g;
}
static void jvp_check(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                      const agn_tensor **ty)
{
    (void)s, (void)r;
    ty[0] = t[0];
}
static void batch_check(agn_scope *s, const agni_rule *r, int64_t lanes,
                        const agn_tensor *const *in, const bool *batched,
                        const agn_tensor **out, bool *bout)
{
    (void)lanes;
    agni_apply_many_in(s, r->op, r->at, r->nin, in, 1, out);
    bout[0] = batched[0];
}
const agni_op agni_op_nan_check = {.name = "nan_check",
                                   .takes = "y from* walk:i which:i place:o",
                                   .cls = AGNI_CONTROL,
                                   .nin = -1,
                                   .nout = 1,
                                   .dtypes = AGNI_ANY,
                                   .diff = 1,
                                   .ew = -1,
                                   .infer = agni_infer_same,
                                   .eval = eval_check,
                                   .transpose = transpose_check,
                                   .jvp = jvp_check,
                                   .batch = batch_check,
                                   .lo = -3,
                                   .hi = 3,
                                   .doc = "an identity that looks for NaN"};

/* checks y[n], derivatives computed from the arguments of r and seeds[n_seed], some NULL */
static void check_results(agn_scope *s, const agni_rule *r, int walk, int n_seed,
                          const agn_tensor *const *seeds, int n, const agn_tensor **y)
{
    size_t room = (size_t)(1 + r->nin + n_seed);
    const agn_tensor **a = agni_alloc(room * sizeof *a);
    int m = 1;
    if (!a) {
        agn_scope_fail(s, agni_nomem("watch_nan", room * sizeof *a));
        return;
    }
    for (int i = 0; i < r->nin; i++)
        a[m++] = r->x[i];
    for (int i = 0; i < n_seed; i++)
        if (seeds[i])
            a[m++] = seeds[i];
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        int64_t ints[2] = {walk, i};
        a[0] = y[i];
        if (y[i])
            y[i] = agni_apply_in(s, &agni_op_nan_check,
                                 &(agni_attr){.ni = 2, .i = ints, .obj = r->at->obj}, m, a);
    }
    agni_free(a);
}

/* ---- one op, watched ------------------------------------------------------------------------- */

static agn_status infer_watched(agni_call *c)
{
    return agni_prog_infer(watched_op_of(c->at)->p, c);
}

static agn_status eval_watched(const agni_call *c, agn_tensor **out)
{
    const watched_op *at = watched_op_of(c->at);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **y = agni_alloc((size_t)c->nout * sizeof *y);
    if (!y)
        agn_scope_fail(s, agni_nomem("watch_nan", (size_t)c->nout * sizeof *y));
    else if (!agni_prog_replay(at->p, s, c->in, y, NULL))
        for (int o = 0;
             o < c->nout && !agn_scope_fail(s, report_first_nan(at, 0, o, y[o], c->nin, c->in));
             o++)
            agn_scope_return(s, out + o, y[o]);
    agni_free(y);
    return agn_scope_close(s);
}

static bool open_traversal(agni_traversal *w, agn_scope *s, const agni_rule *r, const bool *want)
{
    return agni_traversal_replay(w, s, watched_op_of(r->at)->p, r->x, want);
}
static void jvp_watched(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, NULL)) {
        w.inner = true;
        agni_traverse_jvp(&w, t, ty);
    }
    agni_traversal_close(&w);
    check_results(s, r, AGN_NAN_TANGENT, r->nin, t, r->nout, ty);
}
static void vjp_watched(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                        const bool *want, const agn_tensor **gx)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, want)) {
        w.inner = true;
        agni_traverse_vjp(&w, g, gx);
    }
    agni_traversal_close(&w);
    check_results(s, r, AGN_NAN_COTANGENT, r->nout, g, r->nin, gx);
}
static void jet_watched(agn_scope *s, const agni_rule *r, const agni_grading *g,
                        const agn_tensor *const *c, const agn_tensor **out)
{
    agni_traversal w = {.p = NULL};
    if (open_traversal(&w, s, r, NULL)) {
        w.inner = true;
        agni_traverse_jet(&w, g, c, out);
    }
    agni_traversal_close(&w);
    check_results(s, r, AGN_NAN_COEFFICIENT, r->nin * (g->K + 1), c, r->nout * (g->K + 1), out);
}

typedef struct batched_op {
    const agni_prog *p;
    int64_t lanes;
    const bool *on;
    bool *bout;
} batched_op;
static agn_status lanes_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const batched_op *q = user;
    agni_traverse_batch(s, q->p, q->lanes, in, q->on, out, q->bout);
    return agn_scope_status(s);
}

/* a watched program of one op applied to in[], in out[] */
static void emit_watched(agn_scope *s, watched_op *at, agni_prog *live, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agn_tensor **extra = NULL, **a = NULL;
    int n_extra = 0;
    agn_status st = agni_prog_store(&at->p, live, &n_extra, &extra);
    if (!st && !(a = agni_alloc((size_t)(live->n_in + n_extra + 1) * sizeof *a)))
        st = agni_nomem("watch_nan", (size_t)n_extra * sizeof *a);
    if (!agn_scope_fail(s, st)) {
        memcpy(a, in, (size_t)live->n_in * sizeof *a);
        memcpy(a + live->n_in, extra, (size_t)n_extra * sizeof *a);
        agni_apply_many_in(s, &agni_op_watched, &(agni_attr){.obj = &at->head},
                           live->n_in + n_extra, a, live->n_out, out);
    }
    agni_free(a);
    agni_free(extra);
}

static void batch_watched(agn_scope *s, const agni_rule *r, int64_t lanes,
                          const agn_tensor *const *in, const bool *batched,
                          const agn_tensor **out, bool *bout)
{
    const watched_op *one = watched_op_of(r->at);
    batched_op q = {one->p, lanes, batched, bout};
    agni_prog *live = NULL;
    watched_op *all = NULL;
    uint64_t first;
    agn_status st = agni_trace_body(&live, &first, lanes_body, &q, r->nin, in, r->nout, true);
    if (!st)
        st = watched_op_new(&all, one->w, one->op, one->index, one->total);
    if (!agn_scope_fail(s, st))
        emit_watched(s, all, live, in, out);
    if (all)
        agni_obj_release(&all->head);
    agni_prog_release(live);
}

const agni_op agni_op_watched = {
    AGNI_CONTROL_ROW("watched", "args* place:o"),
    .infer = infer_watched,
    .eval = eval_watched,
    .jvp = jvp_watched,
    .vjp = vjp_watched,
    .jet = jet_watched,
    .batch = batch_watched,
    .doc = "an op that is looked at for NaN"};

/* ---- the function ---------------------------------------------------------------------------- */

typedef struct watched_fn {
    agn_fn *f;
    watcher *w;
} watched_fn;

static void free_watching(void *data)
{
    watched_fn *q = data;
    agn_fn_release(q->f);
    agni_obj_release(&q->w->head);
    agni_free(q);
}

typedef struct single_op {
    const agni_op *op;
    const agni_attr *at;
    int n, nout;
} single_op;
static agn_status single_op_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const single_op *q = user;
    agni_apply_many_in(s, q->op, q->at, q->n, in, q->nout, out);
    return agn_scope_status(s);
}

/* node k of the program at val[] */
static void watch_node(agn_scope *s, watcher *w, const agni_prog *p, int k,
                       const agn_tensor **a, const agn_tensor **val)
{
    const agni_pnode *n = &p->node[k];
    for (int i = 0; i < n->nin; i++)
        a[i] = val[p->arg[n->arg + i]];
    if (n->op == &agni_op_watched || n->op == &agni_op_nan_check) { /* of a nested watcher */
        agni_apply_many_in(s, n->op, n->at, n->nin, a, n->nout, val + n->val);
        return;
    }
    single_op q = {n->op, n->at, n->nin, n->nout};
    agni_prog *live = NULL;
    watched_op *at = NULL;
    uint64_t first;
    agn_status st = agni_trace_body(&live, &first, single_op_body, &q, n->nin, a, n->nout, true);
    if (!st)
        st = watched_op_new(&at, w, n->op->name, k, p->n_node);
    if (!agn_scope_fail(s, st))
        emit_watched(s, at, live, a, val + n->val);
    if (at)
        agni_obj_release(&at->head);
    agni_prog_release(live);
}

static agn_status run_watching(const agn_fn *f, agn_scope *s,
                               const agn_tensor *const *in, const agn_tensor **out)
{
    const watched_fn *q = f->data;
    agni_prog *p = NULL;
    uint64_t first;
    if (agn_scope_fail(s, agni_trace(&p, &first, q->f, in, false)))
        return agn_scope_status(s);
    int width = 1;
    for (int k = 0; k < p->n_node; k++)
        width = p->node[k].nin > width ? p->node[k].nin : width;
    size_t room = (size_t)(p->n_val + width);
    const agn_tensor **val = agni_zalloc(room * sizeof *val);
    if (!val)
        agn_scope_fail(s, agni_nomem("watch_nan", room * sizeof *val));
    for (int v = 0; val && v < p->n_in + p->n_cap; v++)
        val[v] = v < p->n_in ? in[v] : agni_detach_result(s, p->val[v]);
    for (int k = 0; k < p->n_node && !agn_scope_status(s); k++)
        watch_node(s, q->w, p, k, val + p->n_val, val);
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++)
        out[o] = val[p->out[o]];
    agni_free(val);
    agni_prog_release(p);
    return agn_scope_status(s);
}

agn_status agn_fn_watch_nan(agn_fn **out, const agn_fn *f, const agn_nan_hook *hook)
{
    agn_status st = agni_check_handles("fn_watch_nan", out, f);
    if (!st && agni_check_size("fn_watch_nan", agn_nan_hook, hook))
        st = AGN_EARG;
    if (st)
        return st;
    watched_fn *q = agni_zalloc(sizeof *q);
    watcher *w = agni_zalloc(sizeof *w);
    if (!q || !w || (hook && hook->label && !(w->label = agni_strdup(hook->label)))) {
        agni_free(q);
        agni_free(w);
        return agni_nomem("fn_watch_nan", sizeof *q);
    }
    agni_ref_init(&w->head.ref);
    w->head.type = &watcher_type;
    *q = (watched_fn){agn_fn_retain(f), w};
    st = agni_fn_make(out, run_watching, f->n_in, f->n_out, q, free_watching);
    if (st) {
        free_watching(q); /* the hook's destroy is not set yet */
        return st;
    }
    if (hook)
        w->hook = *hook;
    return AGN_OK;
}
