/* hooks.c - gradient hooks: identities whose vjp applies a function of the user; no_grad as a
   function. */
#include "autograd/modes/grading.h"
#include "autograd/implicit/implicit.h"

#include <agnesi/ag.h>
#include <agnesi/tape.h>

static const agn_fn *hook_of(const agni_attr *at)
{
    return (const agn_fn *)at->obj; /* a function is a counted object */
}

static agn_status eval_hook(const agni_call *c, agn_tensor **out)
{
    for (int o = 0; o < c->nout; o++)
        out[o] = agni_tensor_ref(c->in[o]); /* dispatch gives it a header of its own */
    return AGN_OK;
}

static void jvp_hook(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    (void)s;
    memcpy(ty, t, (size_t)r->nout * sizeof *ty);
}

static void jet_hook(agn_scope *s, const agni_rule *r, const agni_grading *g,
                     const agn_tensor *const *c, const agn_tensor **out)
{
    (void)s;
    memcpy(out, c, (size_t)r->nout * (size_t)(g->K + 1) * sizeof *out);
}

static void vjp_hook(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                     const bool *want, const agn_tensor **gx)
{
    const agn_tensor *a[AGNI_MOST_ARGS], *y[AGNI_MOST_ARGS];
    for (int i = 0; i < r->nin; i++)
        a[i] = g[i] ? g[i] : agni_zeros_like(s, r->y[i]);
    if (agn_scope_status(s) || agni_fn_run_in(hook_of(r->at), s, a, y))
        return;
    for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
        if (want[i])
            gx[i] = agni_fit_seed(s, "hook", "the hook's result", i, y[i], r->x[i]);
}

static void batch_hook(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched,
                       const agn_tensor **out, bool *bout)
{
    const agn_tensor *a[AGNI_MOST_ARGS];
    agn_fn *all = NULL;
    for (int i = 0; i < r->nin; i++)
        a[i] = agni_ensure_batch_axis(s, in[i], batched[i], lanes);
    if (!agn_scope_status(s) && !agn_scope_fail(s, agni_fn_over_lanes(&all, hook_of(r->at))))
        agni_apply_many_in(s, r->op, &(agni_attr){.obj = &all->head}, r->nin, a, r->nout, out);
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    agn_fn_release(all);
}

const agni_op agni_op_hook = {
    AGNI_CONTROL_ROW("hook", "args* function:o"),
    .infer = agni_infer_each,
    .eval = eval_hook,
    .jvp = jvp_hook,
    .vjp = vjp_hook,
    .jet = jet_hook,
    .batch = batch_hook,
    .doc = "an identity whose walk back goes through a function"};

/* ---- hooks on values ------------------------------------------------------------------------- */

static agn_status check_hook(const char *op, const agn_fn *hook, int n)
{
    if (hook->n_in != n || hook->n_out != n)
        return agni_fail(AGN_EARG,
                         "%s: the hook has %d arguments and %d results, for %d values",
                         op, hook->n_in, hook->n_out, n);
    return AGN_OK;
}

agn_status agn_hook_add_all(agn_tensor *out[], const agn_tensor *const *xs, int32_t n,
                            const agn_fn *hook)
{
    if (!out || !xs || !hook)
        return agni_fail(AGN_ENULL, "hook_add: %s is NULL",
                         !out  ? "out"
                         : !xs ? "xs"
                               : "hook");
    if (n < 1 || n > AGNI_MOST_ARGS)
        return agni_fail(AGN_EARG, "hook_add: %d values; 1 to %d are possible", n,
                         AGNI_MOST_ARGS);
    agn_tensor *y[AGNI_MOST_ARGS] = {NULL};
    agn_status st = check_hook("hook_add", hook, n);
    if (!st)
        st = agni_apply(&agni_op_hook,
                        &(agni_attr){.obj = (agni_obj *)(uintptr_t)&hook->head}, n, xs,
                        n, y);
    if (!st)
        memcpy(out, y, (size_t)n * sizeof *y);
    return st;
}

agn_status agn_hook_add(agn_tensor **out, const agn_tensor *x, const agn_fn *hook)
{
    return agn_hook_add_all(out, &x, 1, hook);
}

/* ---- hooks on functions ---------------------------------------------------------------------- */

typedef struct hooked {
    agn_fn *f, *pre, *post;
} hooked;

static void free_hooked(void *data)
{
    hooked *q = data;
    agn_fn_release(q->f);
    agn_fn_release(q->pre);
    agn_fn_release(q->post);
    agni_free(q);
}

static void apply_hook(agn_scope *s, const agn_fn *hook, int n, const agn_tensor *const *x,
                       const agn_tensor **y)
{
    if (hook)
        agni_apply_many_in(s, &agni_op_hook,
                           &(agni_attr){.obj = (agni_obj *)(uintptr_t)&hook->head}, n, x, n, y);
    else
        memcpy(y, x, (size_t)n * sizeof *y);
}

static agn_status run_hooked(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const hooked *q = f->data;
    const agn_tensor *x[AGNI_MOST_ARGS], *y[AGNI_MOST_ARGS];
    apply_hook(s, q->post, f->n_in, in, x);
    if (!agn_scope_status(s) && !agni_fn_run_in(q->f, s, x, y))
        apply_hook(s, q->pre, f->n_out, y, out);
    return agn_scope_status(s);
}

agn_status agn_fn_hook(agn_fn **out, const agn_fn *f, const agn_fn *pre,
                       const agn_fn *post)
{
    agn_status st = agni_check_handles("fn_hook", out, f);
    if (!st && (f->n_in > AGNI_MOST_ARGS || f->n_out > AGNI_MOST_ARGS))
        st = agni_fail(AGN_EARG,
                       "fn_hook: f has %d arguments and %d results; at most %d",
                       f->n_in, f->n_out, AGNI_MOST_ARGS);
    if (!st && pre)
        st = check_hook("fn_hook", pre, f->n_out);
    if (!st && post)
        st = check_hook("fn_hook", post, f->n_in);
    if (st)
        return st;
    hooked *q = agni_alloc(sizeof *q);
    if (!q)
        return agni_nomem("fn_hook", sizeof *q);
    *q = (hooked){agn_fn_retain(f), agn_fn_retain(pre), agn_fn_retain(post)};
    st = agni_fn_make(out, run_hooked, f->n_in, f->n_out, q, free_hooked);
    if (st)
        free_hooked(q);
    return st;
}

/* ---- a region without gradients -------------------------------------------------------------- */

static agn_status run_no_grad(const agn_fn *f, agn_scope *s,
                              const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_transform *m = f->data;
    const agn_tensor **x = agni_alloc((size_t)(f->n_in + 1) * sizeof *x);
    if (!x)
        return agni_nomem("no_grad", (size_t)f->n_in * sizeof *x);
    for (int i = 0; i < f->n_in; i++)
        x[i] = ag_stop_gradient(s, in[i]);
    if (!agn_scope_status(s))
        agni_fn_run_in(m->f, s, x, out);
    for (int o = 0; o < f->n_out && !agn_scope_status(s); o++)
        out[o] = ag_stop_gradient(s,
                                  out[o]); /* what the body captured is constant, too */
    agni_free(x);
    return agn_scope_status(s);
}

agn_status agn_fn_no_grad(agn_fn **out, const agn_fn *f)
{
    agn_status st = agni_check_handles("fn_no_grad", out, f);
    return st ? st : agni_transform_new(out, run_no_grad, f, f->n_in, f->n_out, 0, NULL, 0, 0);
}
