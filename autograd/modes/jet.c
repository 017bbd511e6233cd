/* jet.c - Taylor coefficients of any order from the one rule of each op.

   Every value is a series whose parts x_k, one for each degree, are computed when asked for;
   absent parts are absent. The grading (grading.h) says how many tensors a part is, and how parts
   multiply. With x' the series of k x_k, the derivative along the degree, or along curves the
   series of (k + 1) x_(k + 1), rules are:
     element-wise   y' = sum_i f_i(x, y) x_i', so k y_k = sum_i sum_j j x_ij d_i,k-j with d_i the
                    series of the partial derivative, itself an expression in x and y
     bilinear       Leibniz: y_k = sum_j op(a_j, b_k-j)
     linear         y_k = op(x_k)
     any other      y' = F(x, y, x') linear in x': k y_k = F_k, where y_k meets x'_0 = 0 only,
                    or k y_k = F_k-1 along curves
   The expressions f_i and F are recorded once on leaves without values and become further
   series. Equal applications are one series (sin and cos share theirs), so order K costs
   O(K^2) products (Griewank & Walther 2008, chapter 13).

   An op G that appears in its own F (solve) would recurse without end. There it is linear in what
   depends on x', so it is split by the degree m of that: G(a, w_m) begins with
   G(a_0, w_m), and its part k > m is 1 / (k - m) of that of the derivative in a alone. */
#include "autograd/modes/jet.h"

/* part k as it is held */
static const agn_tensor *held_coefficient(agni_jet_context *j, agni_jet_series x, int k)
{
    agni_jet_application *a = x.a;
    if (!a || agn_scope_status(j->s))
        return NULL;
    int at = x.o * (j->K + 1) + k;
    if (a->state[at] == AGNI_JET_KNOWN)
        return a->c[at];
    if (a->kind == AGNI_JET_DERIVATIVE || a->kind == AGNI_JET_HOMOGENEOUS) {
        int n = k + (a->kind == AGNI_JET_DERIVATIVE && j->curves);
        bool on = n && n <= j->K && (a->kind == AGNI_JET_DERIVATIVE || k == a->low);
        const agn_tensor *c = on ? agni_jet_coefficient(j, a->in[0], n) : NULL;
        if (a->kind == AGNI_JET_DERIVATIVE)
            c = agni_jet_scale_by(j, c, n);
        if (!c && !k)
            c = agni_grading_zeros(j->s, j->g, n, a->like[0]);
        agni_jet_set_coefficient(j, a, x.o, k, c);
        return c;
    }
    if (a->kind == AGNI_JET_APPLIED && k == 0) {
        agni_jet_compute_value(j, a);
        return a->c[at];
    }
    if (!a->live || k < a->low)
        return NULL;
    const agn_tensor *y = agni_jet_value_like(j, x);
    if (!y || !agni_is_differentiable(y)) { /* nothing flows through an integer */
        agni_jet_set_coefficient(j, a, x.o, k, NULL);
        return NULL;
    }
    if (a->state[at] == AGNI_JET_BUSY) { /* a tangent that is not linear */
        agni_fail_no_rule(j->s, a->op, "Taylor mode");
        return NULL;
    }
    a->state[at] = AGNI_JET_BUSY;
    if (a->kind == AGNI_JET_APPLIED && a->op->jet && (j->curves || !a->op->curves)) {
        agni_jet_compute_all_orders(j, a, k);
        return a->c[at];
    }
    agni_masked c = {NULL};
    if (a->kind == AGNI_JET_APPLIED)
        c = agni_jet_compute_coefficient(j, a, x.o, k);
    const agn_tensor *zeros = agni_jet_zeros(j, x);
    bool same = c.v && c.m == zeros; /* else its own mask ends here */
    a->own[at] = zeros ? NULL : c.m;
    c.v = agni_jet_fit_to_value(j, same ? c.v : agni_clean_masked(j->s, c), k, y);
    agni_jet_set_coefficient(j, a, x.o, k, c.v);
    a->dirty[at] = same && c.m && c.dirty;
    return c.v;
}

agni_masked agni_jet_masked(agni_jet_context *j, agni_jet_series x, int k)
{
    const agn_tensor *c = held_coefficient(j, x, k);
    agni_masked y = {.v = c};
    if (c && (k || x.a->tangent)) {
        y.m = agni_join_masks(j->s, agni_jet_zeros(j, x), x.a->own[x.o * (j->K + 1) + k]);
        y.dirty = x.a->dirty[x.o * (j->K + 1) + k];
    }
    return y;
}

const agn_tensor *agni_jet_coefficient(agni_jet_context *j, agni_jet_series x, int k)
{
    agni_masked y = agni_jet_masked(j, x, k);
    if (!y.v || !y.dirty)
        return y.v;
    int at = x.o * (j->K + 1) + k;
    x.a->dirty[at] = false;
    return x.a->c[at] = agni_clean_masked(j->s, y);
}

/* ---- structural zeros ------------------------------------------------------------------------ */

/* Masks of all results of a, in t[nin ...], for tangents of its arguments with the masks that are
   in t: those of its tangent. */
static void push_masks(agni_jet_context *j, agni_jet_application *a, agni_masked *t)
{
    const agn_tensor **x = agni_zalloc((size_t)(a->nin + a->nout) * sizeof *x);
    if (!x) {
        agn_scope_fail(j->s, agni_nomem("jet", (size_t)(a->nin + a->nout) * sizeof *x));
        return;
    }
    for (int i = 0; i < a->nin; i++) {
        x[i] = held_coefficient(j, a->in[i], 0);
        if (agni_is_diff_argument(a->op, i) && a->in[i].a->live && x[i] &&
            agni_is_differentiable(x[i]))
            t[i].v = agni_full_like(j->s, 1, x[i]);
    }
    for (int o = 0; o < a->nout; o++)
        x[a->nin + o] = held_coefficient(j, (agni_jet_series){a, o}, 0);
    agni_rule r = {a->op, a->at, a->nin, a->nout, x, x + a->nin};
    agni_masked_jvp(j->s, &r, t, j->singular, t + a->nin);
    agni_free(x);
}

static agni_masked *new_masks(agni_jet_context *j, const agni_jet_application *a)
{
    size_t bytes = (size_t)(a->nin + a->nout) * sizeof(agni_masked);
    agni_masked *t = agni_zalloc(bytes);
    if (!t)
        agn_scope_fail(j->s, agni_nomem("jet", bytes));
    return t;
}

/* of all results of a */
static void find_zeros(agni_jet_context *j, agni_jet_application *a)
{
    bool given = false;
    agni_masked *t = new_masks(j, a);
    for (int i = 0; t && i < a->nin; i++)
        if (agni_is_diff_argument(a->op, i) && a->in[i].a->live) {
            t[i].m = agni_jet_zeros(j, a->in[i]);
            given |= t[i].m != NULL;
        }
    if (t && agni_zeros_are_followed(a->op) && !a->homogeneous &&
        (given || agni_makes_zeros(a->op, j->singular)) && !agn_scope_status(j->s))
        push_masks(j, a, t);
    for (int o = 0; t && o < a->nout; o++) {
        a->zeros[o] = t[a->nin + o].m;
        a->zeros_known[o] = true;
    }
    agni_free(t);
}

const agn_tensor *agni_jet_own_mask(agni_jet_context *j, agni_jet_application *a, int o, int k)
{
    agni_masked *t = new_masks(j, a);
    const agn_tensor *m = NULL;
    bool all = t && j->curves && agni_zeros_are_followed(a->op), any = false;
    for (int i = 0; all && i < a->nin; i++)
        if (agni_is_diff_argument(a->op, i) && a->in[i].a->live) {
            agni_masked part = agni_jet_masked(j, a->in[i], k);
            t[i].m = part.m;
            all &= !part.v || part.m;
            any |= part.v != NULL;
        }
    if (all && any && !agn_scope_status(j->s)) {
        push_masks(j, a, t);
        m = t[a->nin + o].m;
    }
    agni_free(t);
    return m;
}

const agn_tensor *agni_jet_zeros(agni_jet_context *j, agni_jet_series x)
{
    agni_jet_application *a = x.a;
    if (!a || !a->live || agn_scope_status(j->s))
        return NULL;
    if (a->kind == AGNI_JET_GIVEN)
        return a->zeros[0];
    if (a->kind != AGNI_JET_APPLIED)
        return agni_jet_zeros(j, a->in[0]);
    if (!a->zeros_known[x.o])
        find_zeros(j, a);
    return a->zeros[x.o];
}

/* ---- a program ------------------------------------------------------------------------------- */

void agni_traverse_jet(agni_traversal *w, const agni_grading *g, const agn_tensor *const *c,
                       const agn_tensor **out)
{
    const agni_prog *p = w->p;
    int K = g->K;
    agni_jet_context *j = agni_zalloc(sizeof *j);
    agni_jet_series *v = agni_zalloc((size_t)(p->n_val + 1) * sizeof *v), *in = NULL;
    if (j && v)
        in = agni_alloc((size_t)w->width * sizeof *in);
    if (!in) {
        agn_scope_fail(w->s, agni_nomem("jet", (size_t)p->n_val * sizeof *v));
        goto done;
    }
    j->s = w->s;
    j->g = g;
    j->curves = g->lanes[1] == 1 && !g->by;
    j->K = K;
    j->singular = w->inner; /* outside, perhaps */
    for (int n = 0; n < p->n_node; n++) {
        agni_rule r = agni_traversal_rule(w, n);
        j->singular |= agni_is_singular(&r);
    }
    for (int i = 0; i < p->n_in + p->n_cap; i++) {
        v[i] = agni_jet_constant_series(j, w->prim[i]);
        for (int k = 1; v[i].a && i < p->n_in && w->active[i] && k <= K; k++) {
            const agn_tensor *x = c[i * (K + 1) + k];
            agni_jet_set_coefficient(j, v[i].a, 0, k, x);
            v[i].a->live |= x != NULL;
            if (k == 1 && j->curves)
                v[i].a->zeros[0] = agni_seed_masked(w, x, j->singular).m;
            else if (x && j->curves && !w->inner && x->st && !x->node)
                /* a written coefficient 0 stands for an absent one; one that another transform or a
                   loop may move is a number */
                v[i].a->own[k] = agni_nonzero_mask(w->s, x);
        }
    }
    for (int n = 0; n < p->n_node && !agn_scope_status(w->s); n++) {
        const agni_pnode *q = &p->node[n];
        for (int i = 0; i < q->nin; i++)
            in[i] = v[p->arg[q->arg + i]];
        agni_jet_application *a = agni_jet_intern_application(j, q->op, q->at, q->nin, in, q->nout);
        for (int o = 0; a && o < q->nout; o++) {
            v[q->val + o] = (agni_jet_series){a, o};
            if (a->state[o * (K + 1)] == AGNI_JET_UNKNOWN)
                agni_jet_set_coefficient(j, a, o, 0, w->prim[q->val + o]);
            a->like[o] = w->prim[q->val + o];
        }
        for (int o = 0; a && o < q->nout; o++)
            for (int k = 1; w->active[q->val + o] && k <= K; k++)
                agni_jet_coefficient(j, (agni_jet_series){a, o},
                                     k); /* in the order of the program: keeps recursion shallow */
    }
    for (int o = 0; o < p->n_out; o++)
        for (int k = 1; k <= K; k++)
            out[o * (K + 1) + k] = w->active[p->out[o]]
                                       ? agni_result_masked(w, agni_jet_masked(j, v[p->out[o]], k))
                                       : NULL;
done:
    while (j && j->all) {
        agni_jet_application *next = j->all->next;
        agni_free(j->all);
        j->all = next;
    }
    if (j) {
        agni_free(j->interned);
        agni_hash_index_free(&j->index);
    }
    agni_free(in);
    agni_free(v);
    agni_free(j);
}
