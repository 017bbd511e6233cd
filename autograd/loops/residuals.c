/* residuals.c - reverse mode of a scan that saves: partial evaluation of the reverse step. What it
   computes from state and slices alone moves to the forward scan, which saves the values that the
   rest reads (residuals). What costs next to nothing (views, concatenations, element-wise
   arithmetic) is recomputed instead, and so is what a checkpoint within the step recomputes.

   Two things are not done step by step. A saved value that is the next state is carried by the
   reverse loop, which had it as the state of the step before. And products that are only summed,
   as for the derivative by a matrix, become one product after the loop (deferred_sums.h) where the
   sums would cost more than their operands, and these take no more memory than the residuals. */
#include "autograd/loops/reverse_scan.h"
#include "autograd/control/call.h"
#include "autograd/loops/deferred_sums.h"

#include <string.h>

/* an operand of deferred products that the reverse step computes */
typedef struct operand {
    int32_t value;
    bool transposed;
} operand;

/* The step back as a program, its inputs: carried, state, slices, seeds, constants. */
typedef struct partial_eval {
    const agni_reverse_scan_steps *q;
    agni_prog *p;
    bool *known;   /* value depends on state or slices, and on no cotangent */
    bool *unknown; /* value depends on carried values or seeds, or is marked recomputed */
    bool *needed;  /* read by the reverse step, or to compute what it reads */
    bool *in_forward, *in_backward; /* node runs in the forward step; in the reverse step */
    int32_t *saved; /* values */
    int32_t *next;  /* of a saved value: the state that it becomes, or -1 */
    int n_saved, n_next;
    agni_deferred_products sums;
    operand *stack;
    int n_stack;
} partial_eval;

static bool is_cheap_to_recompute(const agni_pnode *n)
{
    static const agni_op *const arithmetic[] = {&agni_op_add,  &agni_op_sub, &agni_op_mul,
                                                &agni_op_mulz, &agni_op_neg, &agni_op_square,
                                                &agni_op_div,  &agni_op_conj};
    for (int i = 0; i < AGNI_COUNT(arithmetic); i++)
        if (n->op == arithmetic[i])
            return true;
    return n->op == &agni_op_concat || (n->op->view && n->nin == 1);
}

/* May what is needed of the node be stacked over the steps? Else it is recomputed: loops within
   loops add an axis each. */
static bool is_stackable(const partial_eval *a, const agni_pnode *n)
{
    bool fits = true;
    for (int v = n->val; v < n->val + n->nout; v++)
        fits &= !a->needed[v] || a->p->val[v]->ndim < AGNI_MAX_RANK;
    return fits;
}

static bool marks_any(const bool *of, const agni_pnode *n)
{
    bool any = false;
    for (int o = 0; o < n->nout; o++)
        any |= of[n->val + o];
    return any;
}

static int first_seed_input(const agni_reverse_scan *b)
{
    return b->nl + b->nc + b->nx;
}
static bool is_slice(const agni_reverse_scan *b, int32_t v)
{
    return v >= b->nl + b->nc && v < first_seed_input(b) + b->ng;
}

/* forward pass: known and unknown values */
static void split_known_unknown(partial_eval *a)
{
    const agni_reverse_scan *b = a->q->b;
    const agni_prog *p = a->p;
    for (int v = 0; v < p->n_in; v++) {
        a->unknown[v] = v < b->nl || (v >= first_seed_input(b) && v < first_seed_input(b) + b->ng);
        a->known[v] = v >= b->nl && v < first_seed_input(b);
    }
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        bool on = false, off = agni_is_marked_recomputed(n->op, n->at);
        for (int i = 0; i < n->nin; i++) {
            on |= a->known[p->arg[n->arg + i]];
            off |= a->unknown[p->arg[n->arg + i]];
        }
        for (int o = 0; o < n->nout; o++) {
            a->unknown[n->val + o] = off;
            a->known[n->val + o] = on && !off;
        }
    }
}

/* is carried value l still carried when its deferred products are left out? */
static bool is_carried(const partial_eval *a, int l)
{
    bool deferred = false, rest = false;
    for (int i = 0; i < a->sums.n; i++)
        if (a->sums.at[i].carried == l) {
            deferred |= a->sums.at[i].node >= 0;
            rest |= a->sums.at[i].node < 0 && a->sums.at[i].value != l;
        }
    return rest || !deferred;
}

/* what the results of the reverse step and the deferred products read */
static void mark_needed_results(partial_eval *a)
{
    const agni_prog *p = a->p;
    for (int o = 0; o < p->n_out; o++)
        a->needed[p->out[o]] = true;
    for (int i = 0; i < a->sums.n; i++)
        if (a->sums.at[i].node >= 0)
            a->needed[p->out[a->sums.at[i].carried]] = false; /* a sum has no other reader */
    for (int i = 0; i < a->sums.n; i++) {
        const agni_deferred_product *t = &a->sums.at[i];
        if (t->node >= 0)
            a->needed[t->x] = a->needed[t->g] = true;
        else if (!a->needed[p->out[t->carried]] && is_carried(a, t->carried))
            a->needed[t->value] = true;
    }
}

/* backward pass: nodes of the reverse step, the values it reads, and which of them are saved */
static void build_backward_step(partial_eval *a)
{
    const agni_reverse_scan *b = a->q->b;
    const agni_prog *p = a->p;
    memset(a->needed, 0, (size_t)p->n_val);
    a->n_saved = 0;
    mark_needed_results(a);
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        a->in_forward[k] = a->in_backward[k] = false;
        if (!marks_any(a->needed, n))
            continue;
        a->in_forward[k] = a->known[n->val] && !is_cheap_to_recompute(n) && is_stackable(a, n);
        a->in_backward[k] = !a->in_forward[k];
        for (int o = 0; o < n->nout && a->in_forward[k]; o++)
            if (a->needed[n->val + o])
                a->saved[a->n_saved++] = n->val + o;
        for (int i = 0; i < n->nin && a->in_backward[k]; i++)
            a->needed[p->arg[n->arg + i]] = true;
    }
    for (int v = b->nl; v < b->nl + b->nc; v++)
        if (a->needed[v])
            a->saved[a->n_saved++] = v;
}

static void mark_forward_nodes(partial_eval *a)
{
    const agni_prog *p = a->p;
    bool *wanted = a->unknown; /* reuses the array: unknown is not read after this */
    memset(wanted, 0, (size_t)p->n_val);
    for (int i = 0; i < a->n_saved; i++)
        wanted[a->saved[i]] = true;
    for (int k = p->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &p->node[k];
        a->in_forward[k] = marks_any(wanted, n);
        for (int i = 0; i < n->nin && a->in_forward[k]; i++)
            wanted[p->arg[n->arg + i]] = true;
    }
}

/* ---- deferred products ----------------------------------------------------------------------- */

static int index_in(const int32_t *at, int n, int32_t v)
{
    int i = 0;
    while (i < n && at[i] != v)
        i++;
    return i < n ? i : -1;
}
static int operand_index(const partial_eval *a, operand v)
{
    for (int i = 0; i < a->n_stack; i++)
        if (a->stack[i].value == v.value && a->stack[i].transposed == v.transposed)
            return i;
    return -1;
}
/* the stacked result that has the same numbers */
static int stacked_result_index(const partial_eval *a, int32_t v)
{
    for (int o = a->q->b->nl; o < a->p->n_out; o++)
        if (agni_skip_reshapes(&a->sums, a->p->out[o]) == v)
            return o;
    return -1;
}

/* bytes per step that stacking v costs; 0 where it is stored already */
static int64_t extra_bytes(const partial_eval *a, operand v)
{
    bool saved = is_slice(a->q->b, v.value) || index_in(a->saved, a->n_saved, v.value) >= 0 ||
                 stacked_result_index(a, v.value) >= 0;
    return (saved && !v.transposed) || operand_index(a, v) >= 0
               ? 0
               : agni_tensor_bytes(a->p->val[v.value]);
}

/* Keeps as deferred the products that cost less so, within the memory of the residuals; are
   there any? */
static bool defer_products(partial_eval *a)
{
    bool any = false;
    int64_t room = 0;
    for (int i = 0; i < a->n_saved; i++)
        room += agni_tensor_bytes(a->p->val[a->saved[i]]);
    for (int i = 0; i < a->sums.n; i++) {
        agni_deferred_product *t = &a->sums.at[i];
        operand v[2] = {{t->x, t->transposed}, {t->g, false}};
        if (t->node < 0)
            continue;
        bool moves = (a->known[t->x] || a->unknown[t->x]) && (a->known[t->g] || a->unknown[t->g]);
        int64_t bytes[2] = {extra_bytes(a, v[0]), extra_bytes(a, v[1])};
        if (!moves || t->rows * (t->k + t->n) > 2 * t->k * t->n || bytes[0] + bytes[1] > room) {
            t->node = -1;
            continue;
        }
        for (int k = 0; k < 2; k++)
            if (bytes[k] && operand_index(a, v[k]) < 0)
                a->stack[a->n_stack++] = v[k];
        room -= bytes[0] + bytes[1];
        any = true;
    }
    return any;
}
static bool is_deferred_operand(const partial_eval *a, int32_t v)
{
    for (int i = 0; i < a->sums.n; i++) {
        const agni_deferred_product *t = &a->sums.at[i];
        if (t->node >= 0 && ((t->x == v && !t->transposed) || t->g == v))
            return true;
    }
    return false;
}

static bool open_partial_eval(partial_eval *a, agn_scope *s, const agn_tensor *const *in)
{
    const agni_reverse_scan_steps *q = a->q;
    const agni_reverse_scan *b = q->b;
    int first_const = b->nl + b->nc + b->nx + b->ng, n_in = first_const + b->nk;
    const agn_tensor **x = agni_zalloc((size_t)(n_in + 1) * sizeof *x);
    uint64_t first;
    if (!x) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)n_in * sizeof *x));
        return false;
    }
    for (int i = 0; i < n_in && !agn_scope_status(s); i++)
        x[i] = i >= b->nl + b->nc && i < first_const ? agni_slice_like(s, in[i]) : in[i];
    if (!agn_scope_status(s))
        agn_scope_fail(s, agni_trace_body(&a->p, &first, q->backward.body, q->backward.user, n_in,
                                          x, b->nl + b->ny, true));
    agni_free(x);
    if (agn_scope_status(s))
        return false;
    size_t nv = (size_t)a->p->n_val + 1, nn = (size_t)a->p->n_node + 1;
    a->known = agni_zalloc(3 * nv);
    a->in_forward = agni_zalloc(2 * nn);
    a->saved = agni_alloc(2 * nv * sizeof *a->saved);
    a->stack = agni_alloc(nv * sizeof *a->stack);
    if (!a->known || !a->in_forward || !a->saved || !a->stack) {
        agn_scope_fail(s, agni_nomem("scan", nv * sizeof *a->stack));
        return false;
    }
    a->unknown = a->known + nv;
    a->needed = a->unknown + nv;
    a->in_backward = a->in_forward + nn;
    a->next = a->saved + nv;
    split_known_unknown(a);
    build_backward_step(a);
    if (!agn_scope_fail(s, agni_deferred_products_find(&a->sums, a->p, b->nl)) && defer_products(a))
        build_backward_step(a);
    mark_forward_nodes(a);
    return !agn_scope_status(s);
}

static void close_partial_eval(partial_eval *a)
{
    agni_deferred_products_free(&a->sums);
    agni_prog_release(a->p);
    agni_free(a->known);
    agni_free(a->in_forward);
    agni_free(a->saved);
    agni_free(a->stack);
}

/* evaluates the marked nodes; v[] holds the inputs */
static bool run_nodes(const partial_eval *a, agn_scope *s, const bool *asked, const agn_tensor **v)
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
    const partial_eval *a = user;
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
    partial_eval *a = user;
    const agni_reverse_scan *b = a->q->b;
    int n = b->nc;
    for (int i = 0; i < a->n_saved; i++) {
        int32_t v = p->out[b->nc + i];
        int j = agni_is_node_value(a->p, a->saved[i]) ? index_in(p->out, b->nc, v) : -1;
        bool next = j >= 0 && index_in(a->saved, a->n_saved, b->nl + j) >= 0 &&
                    !is_deferred_operand(a, a->saved[i]);
        a->next[i] = next ? j : -1;
        if (!next)
            p->out[n++] = v;
    }
    a->n_next = b->nc + a->n_saved - n;
    return p->n_out = n;
}

/* the next value of carried value l without its deferred products */
static const agn_tensor *next_carried(const partial_eval *a, agn_scope *s, int l,
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
    const partial_eval *a = user;
    const agni_reverse_scan *b = a->q->b;
    const agn_tensor **v = alloc_values(s, a->p);
    if (!v)
        return agn_scope_status(s);
    for (int l = 0; l < b->nl; l++)
        v[l] = is_carried(a, l) ? *in++ : NULL;
    for (int next = 1; next >= 0; next--)
        for (int i = 0; i < a->n_saved; i++)
            if ((a->next[i] >= 0) == next)
                v[a->saved[i]] = *in++;
    memcpy(v + b->nl + b->nc, in, (size_t)(b->nx + b->ng + b->nk) * sizeof *v);
    if (run_nodes(a, s, a->in_backward, v)) {
        for (int l = 0; l < b->nl; l++)
            if (is_carried(a, l))
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
static const agn_tensor *stacked_operand(const partial_eval *a, operand v,
                                         const agn_tensor *const *in,
                                         const agn_tensor *const *forward,
                                         const agn_tensor *const *back)
{
    const agni_reverse_scan *b = a->q->b;
    int saved = index_in(a->saved, a->n_saved, v.value), o = stacked_result_index(a, v.value);
    if (v.transposed || (!is_slice(b, v.value) && saved < 0 && o < 0))
        return back[b->ny + operand_index(a, v)];
    if (saved < 0)
        return is_slice(b, v.value) ? in[v.value] : back[o - b->nl];
    for (int i = saved - 1; i >= 0; i--)
        saved -= a->next[i] >= 0;
    return forward[saved];
}

static agni_scan describe_forward_loop(const partial_eval *a)
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
static agni_scan describe_backward_loop(const partial_eval *a)
{
    const agni_reverse_scan *b = a->q->b;
    agni_scan f = {.nc = a->n_next, .nx = a->n_saved - a->n_next + b->nx + b->ng, .nk = b->nk,
                   .ny = b->ny + a->n_stack, .length = b->length, .reverse = !b->reverse};
    for (int l = 0; l < b->nl; l++)
        f.nc += is_carried(a, l);
    return f;
}

/* in: of the node; forward: state, residuals */
static void emit_backward_loop(partial_eval *a, agn_scope *s, const agn_tensor *const *in,
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
        if (is_carried(a, l))
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
            out[l] = is_carried(a, l) ? *y++ : in[l];
        memcpy(out + b->nl, made, (size_t)b->ny * sizeof *out);
        for (int i = 0; i < a->sums.n && !agn_scope_status(s); i++) {
            const agni_deferred_product *t = &a->sums.at[i];
            if (t->node < 0)
                continue;
            const agn_tensor *l = stacked_operand(a, (operand){t->x, t->transposed}, in,
                                                  forward + b->nc, made),
                             *r = stacked_operand(a, (operand){t->g, false}, in, forward + b->nc,
                                                  made);
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
    partial_eval a = {.q = q};
    const agn_tensor **x = NULL;
    if (agn_scope_status(s) || !open_partial_eval(&a, s, in))
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
    close_partial_eval(&a);
    agni_free(x);
    return agn_scope_status(s);
}
