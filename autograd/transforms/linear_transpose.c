/* linear_transpose.c - the transpose of a function that is linear in some arguments.

   The named arguments have no values while f is recorded, so nothing can be read; linearity is
   checked (autograd/modes/linearity.c). */
#include "autograd/transforms/transform.h"
#include "autograd/modes/linearity.h"

/* f with its other arguments bound */
typedef struct partial_call {
    const agn_fn *f;
    const bool *named;
    const agn_tensor *const *in;
} partial_call;

static agn_status partial_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const partial_call *q = user;
    const agn_tensor **a = agni_alloc((size_t)q->f->n_in * sizeof *a);
    if (!a)
        return agni_nomem("linear_transpose", (size_t)q->f->n_in * sizeof *a);
    for (int i = 0, n = 0; i < q->f->n_in; i++)
        a[i] = q->named[i] ? in[n++] : q->in[i];
    agn_status st = agni_fn_run_in(q->f, s, a, out);
    agni_free(a);
    return st;
}

/* Reverse mode of loops reads values; any point will do for a linear function, so zero. */
static bool replay_at_zero(agni_traversal *w, agn_scope *s, const agn_tensor *const *like,
                           const bool *named)
{
    const agni_prog *p = w->p;
    bool control = false;
    for (int k = 0; k < p->n_node; k++)
        control |= p->node[k].op->cls == AGNI_CONTROL;
    if (!control)
        return !agn_scope_status(s);
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    if (!x)
        agn_scope_fail(s, agni_nomem("linear_transpose", (size_t)p->n_in * sizeof *x));
    for (int i = 0; x && i < p->n_in && !agn_scope_status(s); i++)
        x[i] = agni_zeros_like(s, like[i]);
    agni_traversal_close(w);
    bool good = !agn_scope_status(s) && agni_traversal_replay(w, s, p, x, named);
    agni_free(x);
    return good;
}

static agn_status run_transpose(const agn_fn *f, agn_scope *s,
                                const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int ni = m->f->n_in, no = m->f->n_out;
    agn_status st = agni_check_smooth("linear_transpose", m->n, m->list, in);
    if (st)
        return st;
    bool *named = agni_argnum_mask(s, ni, m->n, m->list), *all = agni_alloc((size_t)m->n + 1);
    size_t room = (size_t)(2 * m->n + no + 1);
    const agn_tensor **a = agni_zalloc(room * sizeof *a), **g = a + m->n, **gx = g + no;
    agni_prog *p = NULL;
    agni_traversal w = {.p = NULL};
    uint64_t first;
    if (!a || !all)
        agn_scope_fail(s, agni_nomem("linear_transpose", room * sizeof *a));
    if (a && named && all) {
        for (int i = 0, k = 0; i < ni; i++) /* in the order of arguments */
            if (named[i])
                a[k++] = in[i];
        memset(all, true, (size_t)m->n);
        partial_call q = {m->f, named, in};
        if (!agn_scope_fail(s, agni_trace_body(&p, &first, partial_body, &q, m->n, a, no, true)) &&
            agni_traversal_open(&w, s, p, first, NULL) &&
            !agn_scope_fail(s, agni_check_linear(&w, all, NULL))) {
            for (int o = 0; o < no && !agn_scope_status(s); o++)
                if (agni_is_differentiable(w.prim[p->out[o]]))
                    g[o] = agni_fit_seed(s, "linear_transpose", "cotangent", o, in[ni + o],
                                         w.prim[p->out[o]]);
            if (replay_at_zero(&w, s, a, all))
                agni_traverse_vjp(&w, g, gx);
            for (int i = 0; i < m->n && !agn_scope_status(s); i++) {
                int k = 0;
                for (int j = 0; j < m->list[i]; j++)
                    k += named[j];
                out[i] = agni_or_zero(s, gx[k], in[m->list[i]]);
            }
        }
    }
    agni_traversal_close(&w);
    agni_prog_release(p);
    agni_free(named);
    agni_free(all);
    agni_free(a);
    return agn_scope_status(s);
}

agn_status agn_fn_linear_transpose(agn_fn **out, const agn_fn *f,
                                   const int32_t *argnums, int32_t n)
{
    agn_status st = agni_check_handles("fn_linear_transpose", out, f);
    if (!st)
        st = agni_check_argnums("fn_linear_transpose", f, &argnums, &n);
    if (!st)
        st = agni_transform_new(out, run_transpose, f, f->n_in + f->n_out, n, n, argnums, n, 0);
    if (!st)
        (*out)->derived = false; /* what is no linear function stays refused */
    return st;
}
