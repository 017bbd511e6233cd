/* reverse_step.c - reverse mode of a scan that saves, as two scans: the forward one computes the
   residuals, the reverse one runs what is left of the reverse step (residuals.c), deferred
   products follow. */
#include "autograd/loops/reverse/residuals.h"

#include <string.h>

/* evaluates the marked nodes; v[] holds the inputs */
static bool run_nodes(const agni_partial_eval *a, agn_scope *s, const bool *asked,
                      const agn_tensor **v)
{
    const agni_prog *p = a->p;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_arg + 1) * sizeof *x);
    agn_scope_fail(s, x ? agni_prog_check_guards(p)
                        : agni_nomem("scan", (size_t)p->n_arg * sizeof *x));
    for (int i = 0; i < p->n_cap; i++)
        v[p->n_in + i] = p->val[p->n_in + i];
    for (int k = 0; k < p->n_node && !agn_scope_status(s); k++) {
        const agni_pnode *n = &p->node[k];
        for (int i = 0; i < n->nin; i++)
            x[i] = v[p->arg[n->arg + i]];
        if (asked[k])
            agni_apply_many_in(s, n->op, n->at, n->nin, x, n->nout, v + n->val);
    }
    agni_free(x);
    return !agn_scope_status(s);
}

static const agn_tensor **alloc_values(agn_scope *s, const agni_prog *p)
{
    const agn_tensor **v = agni_zalloc((size_t)(p->n_val + 1) * sizeof *v);
    if (!v)
        agn_scope_fail(s, agni_nomem("scan", (size_t)p->n_val * sizeof *v));
    return v;
}

/* in: state, slices, constants; out: the next state, what is saved */
static agn_status forward_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agni_partial_eval *a = user;
    const agni_reverse_scan *b = a->q->b;
    const agn_tensor **v = alloc_values(s, a->p);
    if (v && !a->q->forward.body(a->q->forward.user, s, in, out)) {
        memcpy(v + b->nl, in, (size_t)(b->nc + b->nx) * sizeof *v);
        memcpy(v + b->nl + b->nc + b->nx + b->ng, in + b->nc + b->nx, (size_t)b->nk * sizeof *v);
        if (run_nodes(a, s, a->in_forward, v))
            for (int i = 0; i < a->n_saved; i++)
                out[b->nc + i] = v[a->saved[i]];
    }
    agni_free(v);
    return agn_scope_status(s);
}

/* Finds saved values that are the next value of a saved state: the reverse loop carries those
   instead. Removes them from the results of p and returns the number left. */
static int drop_next_states(void *user, agni_prog *p)
{
    agni_partial_eval *a = user;
    const agni_reverse_scan *b = a->q->b;
    int n = b->nc;
    for (int i = 0; i < a->n_saved; i++) {
        int32_t v = p->out[b->nc + i];
        int j = agni_is_node_value(a->p, a->saved[i]) ? agni_index_in(p->out, b->nc, v) : -1;
        bool next = j >= 0 && agni_index_in(a->saved, a->n_saved, b->nl + j) >= 0 &&
                    !agni_is_deferred_operand(a, a->saved[i]);
        a->next[i] = next ? j : -1;
        if (!next)
            p->out[n++] = v;
    }
    a->n_next = b->nc + a->n_saved - n;
    return p->n_out = n;
}

/* the next value of carried value l without its deferred products */
static const agn_tensor *next_carried(const agni_partial_eval *a, agn_scope *s, int l,
                                      const agn_tensor *const *v)
{
    const agn_tensor *sum = NULL;
    bool deferred = false;
    for (int i = 0; i < a->sums.n; i++)
        deferred |= a->sums.at[i].carried == l && a->sums.at[i].node >= 0;
    for (int i = 0; deferred && i < a->sums.n; i++)
        if (a->sums.at[i].carried == l && a->sums.at[i].node < 0)
            sum = agni_add_present(s, v[a->sums.at[i].value], sum);
    return deferred ? sum : v[a->p->out[l]];
}

/* in: carried, next states, what is saved, slices, seeds, constants; out: carried, next states,
   results, operands of products */
static agn_status backward_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const agni_partial_eval *a = user;
    const agni_reverse_scan *b = a->q->b;
    const agn_tensor **v = alloc_values(s, a->p);
    if (!v)
        return agn_scope_status(s);
    for (int l = 0; l < b->nl; l++)
        v[l] = agni_partial_eval_carries(a, l) ? *in++ : NULL;
    for (int next = 1; next >= 0; next--)
        for (int i = 0; i < a->n_saved; i++)
            if ((a->next[i] >= 0) == next)
                v[a->saved[i]] = *in++;
    memcpy(v + b->nl + b->nc, in, (size_t)(b->nx + b->ng + b->nk) * sizeof *v);
    if (run_nodes(a, s, a->in_backward, v)) {
        for (int l = 0; l < b->nl; l++)
            if (agni_partial_eval_carries(a, l))
                *out++ = next_carried(a, s, l, v);
        for (int i = 0; i < a->n_saved; i++)
            if (a->next[i] >= 0)
                *out++ = v[b->nl + a->next[i]];
        for (int o = b->nl; o < a->p->n_out; o++)
            *out++ = v[a->p->out[o]];
        for (int i = 0; i < a->n_stack && !agn_scope_status(s); i++) {
            const agn_tensor *x = v[a->stack[i].value];
            *out++ = a->stack[i].transposed ? agni_move_axis(s, x, 0, 1) : x;
        }
    }
    agni_free(v);
    return agn_scope_status(s);
}

/* ---- both loops ------------------------------------------------------------------------------ */

/* an operand at all steps, from the inputs of the node or the stacked results of the two loops */
static const agn_tensor *stacked_operand(const agni_partial_eval *a, agni_stacked_operand v,
                                         const agn_tensor *const *in,
                                         const agn_tensor *const *forward,
                                         const agn_tensor *const *back)
{
    const agni_reverse_scan *b = a->q->b;
    int saved = agni_index_in(a->saved, a->n_saved, v.value),
        o = agni_stacked_result_index(a, v.value);
    if (v.transposed || (!agni_is_slice_or_seed(b, v.value) && saved < 0 && o < 0))
        return back[b->ny + agni_operand_index(a, v)];
    if (saved < 0)
        return agni_is_slice_or_seed(b, v.value) ? in[v.value] : back[o - b->nl];
    for (int i = saved - 1; i >= 0; i--)
        saved -= a->next[i] >= 0;
    return forward[saved];
}

static agni_scan describe_forward_loop(const agni_partial_eval *a)
{
    const agni_reverse_scan *b = a->q->b;
    return (agni_scan){.nc = b->nc,
                       .nx = b->nx,
                       .nk = b->nk,
                       .ny = a->n_saved,
                       .length = b->length,
                       .reverse = b->reverse,
                       .drop = drop_next_states};
}
static agni_scan describe_backward_loop(const agni_partial_eval *a)
{
    const agni_reverse_scan *b = a->q->b;
    agni_scan f = {.nc = a->n_next,
                   .nx = a->n_saved - a->n_next + b->nx + b->ng,
                   .nk = b->nk,
                   .ny = b->ny + a->n_stack,
                   .length = b->length,
                   .reverse = !b->reverse};
    for (int l = 0; l < b->nl; l++)
        f.nc += agni_partial_eval_carries(a, l);
    return f;
}

/* in: of the node; forward: state, residuals */
static void emit_backward_loop(agni_partial_eval *a, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor *const *forward, const agn_tensor **out)
{
    const agni_reverse_scan *b = a->q->b;
    agni_scan f = describe_backward_loop(a);
    size_t width = (size_t)(f.nc + f.nx + f.nk + f.nc + f.ny + 1);
    const agn_tensor **x = agni_zalloc(width * sizeof *x), **y = x + f.nc + f.nx + f.nk;
    int n = 0;
    if (!x) {
        agn_scope_fail(s, agni_nomem("scan", width * sizeof *x));
        return;
    }
    for (int l = 0; l < b->nl; l++)
        if (agni_partial_eval_carries(a, l))
            x[n++] = in[l];
    for (int i = 0; i < a->n_saved; i++)
        if (a->next[i] >= 0)
            x[n++] = forward[a->next[i]];
    memcpy(x + n, forward + b->nc, (size_t)(a->n_saved - a->n_next) * sizeof *x);
    memcpy(x + n + a->n_saved - a->n_next, in + b->nl + b->nc,
           (size_t)(b->nx + b->ng + b->nk) * sizeof *x);
    agni_scan_emit(s, backward_body, a, f, x, y);
    if (!agn_scope_status(s)) {
        const agn_tensor **made = y + f.nc;
        for (int l = 0; l < b->nl; l++)
            out[l] = agni_partial_eval_carries(a, l) ? *y++ : in[l];
        memcpy(out + b->nl, made, (size_t)b->ny * sizeof *out);
        for (int i = 0; i < a->sums.n && !agn_scope_status(s); i++) {
            const agni_deferred_product *t = &a->sums.at[i];
            if (t->node < 0)
                continue;
            const agn_tensor *l = stacked_operand(a, (agni_stacked_operand){t->x, t->transposed},
                                                  in, forward + b->nc, made),
                             *r = stacked_operand(a, (agni_stacked_operand){t->g, false}, in,
                                                  forward + b->nc, made);
            out[t->carried] = agni_add_present(s, out[t->carried],
                                               agni_deferred_product_apply(s, &a->sums, t, l, r));
        }
    }
    agni_free(x);
}

agn_status agni_two_scans_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agni_reverse_scan_steps *q = user;
    const agni_reverse_scan *b = q->b;
    agni_partial_eval a = {.q = q};
    const agn_tensor **x = NULL;
    if (agn_scope_status(s) || !agni_partial_eval_open(&a, s, in))
        goto done;
    int n = b->nc + b->nx + b->nk;
    if (!(x = agni_zalloc((size_t)(n + b->nc + a.n_saved + 1) * sizeof *x))) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)n * sizeof *x));
        goto done;
    }
    memcpy(x, in + b->nl, (size_t)(b->nc + b->nx) * sizeof *x);
    memcpy(x + b->nc + b->nx, in + b->nl + b->nc + b->nx + b->ng, (size_t)b->nk * sizeof *x);
    agni_scan_emit(s, forward_body, &a, describe_forward_loop(&a), x, x + n);
    if (!agn_scope_status(s))
        emit_backward_loop(&a, s, in, x + n, out);
done:
    agni_partial_eval_close(&a);
    agni_free(x);
    return agn_scope_status(s);
}
