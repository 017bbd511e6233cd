/* residuals.c - reverse mode of a scan that saves: partial evaluation of the reverse step. What it
   computes from state and slices alone moves to the forward scan, which saves the values that the
   rest reads (residuals). What costs next to nothing (views, concatenations, element-wise
   arithmetic) is recomputed instead, and so is what a checkpoint within the step recomputes.

   Two things are not done step by step. A saved value that is the next state is carried by the
   reverse loop, which had it as the state of the step before. And products that are only summed,
   as for the derivative by a matrix, become one product after the loop (deferred_sums.h) where the
   sums would cost more than their operands, and these take no more memory than the residuals. */
#include "autograd/loops/reverse/residuals.h"

#include "autograd/control/call.h"

#include <string.h>

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
static bool is_stackable(const agni_partial_eval *a, const agni_pnode *n)
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
bool agni_is_slice_or_seed(const agni_reverse_scan *b, int32_t v)
{
    return v >= b->nl + b->nc && v < first_seed_input(b) + b->ng;
}

/* forward pass: known and unknown values */
static void split_known_unknown(agni_partial_eval *a)
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
bool agni_partial_eval_carries(const agni_partial_eval *a, int l)
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
static void mark_needed_results(agni_partial_eval *a)
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
        else if (!a->needed[p->out[t->carried]] && agni_partial_eval_carries(a, t->carried))
            a->needed[t->value] = true;
    }
}

/* backward pass: nodes of the reverse step, the values it reads, and which of them are saved */
static void build_backward_step(agni_partial_eval *a)
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

static void mark_forward_nodes(agni_partial_eval *a)
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

int agni_index_in(const int32_t *at, int n, int32_t v)
{
    int i = 0;
    while (i < n && at[i] != v)
        i++;
    return i < n ? i : -1;
}
int agni_operand_index(const agni_partial_eval *a, agni_stacked_operand v)
{
    for (int i = 0; i < a->n_stack; i++)
        if (a->stack[i].value == v.value && a->stack[i].transposed == v.transposed)
            return i;
    return -1;
}
/* the stacked result that has the same numbers */
int agni_stacked_result_index(const agni_partial_eval *a, int32_t v)
{
    for (int o = a->q->b->nl; o < a->p->n_out; o++)
        if (agni_skip_reshapes(&a->sums, a->p->out[o]) == v)
            return o;
    return -1;
}

/* bytes per step that stacking v costs; 0 where it is stored already */
static int64_t extra_bytes(const agni_partial_eval *a, agni_stacked_operand v)
{
    bool saved = agni_is_slice_or_seed(a->q->b, v.value) ||
                 agni_index_in(a->saved, a->n_saved, v.value) >= 0 ||
                 agni_stacked_result_index(a, v.value) >= 0;
    return (saved && !v.transposed) || agni_operand_index(a, v) >= 0
               ? 0
               : agni_tensor_bytes(a->p->val[v.value]);
}

/* Keeps as deferred the products that cost less so, within the memory of the residuals; are
   there any? */
static bool defer_products(agni_partial_eval *a)
{
    bool any = false;
    int64_t room = 0;
    for (int i = 0; i < a->n_saved; i++)
        room += agni_tensor_bytes(a->p->val[a->saved[i]]);
    for (int i = 0; i < a->sums.n; i++) {
        agni_deferred_product *t = &a->sums.at[i];
        agni_stacked_operand v[2] = {{t->x, t->transposed}, {t->g, false}};
        if (t->node < 0)
            continue;
        bool moves = (a->known[t->x] || a->unknown[t->x]) && (a->known[t->g] || a->unknown[t->g]);
        int64_t bytes[2] = {extra_bytes(a, v[0]), extra_bytes(a, v[1])};
        if (!moves || t->rows * (t->k + t->n) > 2 * t->k * t->n || bytes[0] + bytes[1] > room) {
            t->node = -1;
            continue;
        }
        for (int k = 0; k < 2; k++)
            if (bytes[k] && agni_operand_index(a, v[k]) < 0)
                a->stack[a->n_stack++] = v[k];
        room -= bytes[0] + bytes[1];
        any = true;
    }
    return any;
}
bool agni_is_deferred_operand(const agni_partial_eval *a, int32_t v)
{
    for (int i = 0; i < a->sums.n; i++) {
        const agni_deferred_product *t = &a->sums.at[i];
        if (t->node >= 0 && ((t->x == v && !t->transposed) || t->g == v))
            return true;
    }
    return false;
}

bool agni_partial_eval_open(agni_partial_eval *a, agn_scope *s, const agn_tensor *const *in)
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

void agni_partial_eval_close(agni_partial_eval *a)
{
    agni_deferred_products_free(&a->sums);
    agni_prog_release(a->p);
    agni_free(a->known);
    agni_free(a->in_forward);
    agni_free(a->saved);
    agni_free(a->stack);
}
