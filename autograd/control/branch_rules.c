/* branch_rules.c - derivatives and batching of conditionals: conditionals over transformed
   branches. All branches run, followed by a select, only where lanes choose differently. */
#include "autograd/control/subprograms.h"
#include "autograd/modes/grading.h"
#include "autograd/modes/zeros.h"

#include <agnesi/ag.h>
#include <string.h>

/* Body k and what transforms it. */
typedef struct transformed_branch {
    const agni_rule *r;
    int k;
    const agni_grading *g; /* of coefficients; NULL: tangents */
    const bool *on;        /* which inputs after the choice carry seeds, are wanted or batched */
    const bool *gon; /* which results carry cotangents */
    const agn_tensor *const *seeds; /* as the rule was given them */
    int64_t lanes;
} transformed_branch;

static int count_true(const bool *on, int n)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        c += on[i];
    return c;
}

/* A traversal of body k: its inputs, series or cotangents of them and of its results. */
typedef struct branch_traversal {
    const agni_subprograms *b;
    const agni_prog *p;
    const agn_tensor **x, **t, **ty;
    bool *on;
    agni_traversal w;
} branch_traversal;

static bool open_branch(branch_traversal *m, const transformed_branch *q, agn_scope *s,
                        const agn_tensor *const *in, int per)
{
    const agni_subprograms *b = agni_subprograms_of(q->r->at);
    const agni_prog *p = b->at[q->k].p;
    size_t n = (size_t)(p->n_in + p->n_out + 1);
    *m = (branch_traversal){.b = b, .p = p};
    m->x = agni_zalloc(n * sizeof *m->x);
    m->t = agni_zalloc(2 * n * (size_t)per * sizeof *m->t);
    m->on = agni_zalloc(n);
    if (!m->x || !m->t || !m->on) {
        agn_scope_fail(s,
                       agni_nomem(q->r->op->name, 2 * n * (size_t)per * sizeof *m->t));
        return false;
    }
    m->ty = m->t + n * (size_t)per;
    agni_subprograms_inputs(b, q->k, in, m->x);
    for (int i = 0; i < p->n_in; i++)
        m->on[i] = q->on[agni_subprograms_input_index(b, q->k, i)];
    return true;
}
static agn_status close_branch(branch_traversal *m, agn_scope *s)
{
    agni_traversal_close(&m->w);
    agni_free(m->x);
    agni_free(m->t);
    agni_free(m->on);
    return agn_scope_status(s);
}

/* in[]: inputs, then K terms of each that is on; out[]: K terms of each smooth result
   */
static agn_status series_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const transformed_branch *q = user;
    int n = q->r->nin - 1, K = agni_highest_degree(q->g), off = q->g != NULL, per = K + off;
    branch_traversal m;
    if (open_branch(&m, q, s, in, per) && agni_traversal_replay(&m.w, s, m.p, m.x, m.on)) {
        for (int i = 0; i < m.p->n_in; i++) {
            int index = agni_subprograms_input_index(m.b, q->k, i);
            const agn_tensor *const *seed = in + n + K * count_true(q->on, index);
            if (q->g)
                m.t[i * per] = m.x[i];
            for (int c = 0; m.on[i] && c < K; c++) {
                m.t[i * per + c + off] = seed[c];
                agni_pass_mask(seed[c], q->seeds[seed + c - (in + n)]);
            }
        }
        m.w.inner = true;
        if (q->g)
            agni_traverse_jet(&m.w, q->g, m.t, m.ty);
        else
            agni_traverse_jvp(&m.w, m.t, m.ty);
        int k = 0;
        for (int o = 0; o < m.p->n_out && !agn_scope_status(s); o++) {
            const agn_tensor *like = m.p->val[m.p->out[o]];
            for (int c = 0; agni_is_differentiable(like) && c < K; c++) {
                const agn_tensor *y = m.ty[o * per + c + off];
                out[k++] = y ? y : agni_grading_zeros(s, q->g, c + 1, like);
            }
        }
    }
    return close_branch(&m, s);
}
/* in[]: inputs, then cotangents of the results that have one; out[]: those of the
   wanted */
static agn_status vjp_body(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const transformed_branch *q = u;
    int n = q->r->nin - 1;
    branch_traversal m;
    if (open_branch(&m, q, s, in, 1) && agni_traversal_replay(&m.w, s, m.p, m.x, m.on)) {
        const agn_tensor *const *seed = in + n;
        for (int o = 0; o < m.p->n_out; o++)
            if (q->gon[o]) {
                agni_pass_mask(*seed, q->seeds[seed - (in + n)]);
                m.t[o] = *seed++;
            }
        m.w.inner = true;
        agni_traverse_vjp(&m.w, m.t, m.ty);
        for (int i = 0, k = 0; i < n && !agn_scope_status(s); i++)
            if (q->on[i])
                out[k++] = agni_zeros_like(s, q->r->x[1 + i]); /* read by another branch only */
        for (int i = 0; i < m.p->n_in && !agn_scope_status(s); i++)
            if (m.on[i] && m.ty[i])
                out[count_true(q->on, agni_subprograms_input_index(m.b, q->k, i))] = m.ty[i];
    }
    return close_branch(&m, s);
}

static agn_status lanes_body(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const transformed_branch *q = u;
    branch_traversal m;
    if (open_branch(&m, q, s, in, 1)) {
        bool *bout = m.on + m.p->n_in;
        agni_traverse_batch(s, m.p, q->lanes, m.x, m.on, out, bout);
        for (int o = 0; o < m.p->n_out && !agn_scope_status(s); o++)
            out[o] = agni_ensure_batch_axis(s, out[o], bout[o], q->lanes);
    }
    return close_branch(&m, s);
}

/* the transformed branches as C bodies; free the result */
static agni_c_body *transform_branches(agn_scope *s, agn_body *body, const transformed_branch *like)
{
    int n = agni_subprograms_of(like->r->at)->n;
    size_t bytes = (size_t)n * (sizeof(agni_c_body) + sizeof(transformed_branch));
    agni_c_body *c = agni_alloc(bytes);
    if (!c) {
        agn_scope_fail(s, agni_nomem(like->r->op->name, bytes));
        return NULL;
    }
    transformed_branch *q = (transformed_branch *)(void *)(c + n);
    for (int k = 0; k < n; k++) {
        q[k] = *like;
        q[k].k = k;
        c[k] = (agni_c_body){body, &q[k]};
    }
    return c;
}

/* in[]: the inputs of the node, then seeds, n of both */
static void emit_transformed(agn_scope *s, agn_body *body, const transformed_branch *like, int n,
                             const agn_tensor *const *in, int n_out, const agn_tensor **out)
{
    agni_c_body *c = transform_branches(s, body, like);
    int known = agni_masks_known();
    if (c)
        agni_branch_emit(s, like->r->op, like->r->x[0], agni_subprograms_of(like->r->at)->n, c, n,
                         in, n_out, out);
    agni_forget_masks(known);
    agni_free(c);
}

static void branch_series(agn_scope *s, const agni_rule *r, const agni_grading *g,
                          const agn_tensor *const *c, const agn_tensor **out)
{
    int n = r->nin - 1, K = agni_highest_degree(g), off = g != NULL, per = K + off, m = n, ny = 0;
    bool *on = agni_zalloc((size_t)n + 1);
    size_t n_c = (size_t)(n + r->nout + 1) * (size_t)(K + 1);
    const agn_tensor **a = agni_zalloc(2 * n_c * sizeof *a), **y = a ? a + n_c : NULL;
    if (!on || !a) {
        agn_scope_fail(s, agni_nomem(r->op->name, n_c * sizeof *a));
    } else {
        for (int i = 0; i < n; i++) {
            const agn_tensor *const *t = c + (1 + i) * per + off;
            a[i] = r->x[1 + i];
            for (int k = 0; k < K; k++)
                on[i] |= t[k] != NULL;
            for (int k = 0; on[i] && k < K; k++)
                a[m++] = t[k] ? t[k] : agni_grading_zeros(s, g, k + 1, a[i]);
        }
        for (int o = 0; o < r->nout; o++)
            ny += agni_is_differentiable(r->y[o]) ? K : 0;
        transformed_branch q = {.r = r, .g = g, .on = on, .seeds = a + n};
        emit_transformed(s, series_body, &q, m, a, ny, y);
        for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
            for (int k = 0; agni_is_differentiable(r->y[o]) && k < K; k++)
                out[o * per + k + off] = *y++;
    }
    agni_free(on);
    agni_free(a);
}
void agni_branch_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    branch_series(s, r, NULL, t, ty);
}
void agni_branch_jet(agn_scope *s, const agni_rule *r, const agni_grading *g,
                     const agn_tensor *const *c, const agn_tensor **out)
{
    branch_series(s, r, g, c, out);
}

void agni_branch_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                     const bool *want, const agn_tensor **gx)
{
    int n = r->nin - 1, m = n;
    bool *gon = agni_zalloc((size_t)r->nout + 1);
    const agn_tensor **a = agni_zalloc((size_t)(2 * n + r->nout + 1) * sizeof *a);
    if (!gon || !a) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)n * sizeof *a));
    } else {
        memcpy(a, r->x + 1, (size_t)n * sizeof *a);
        for (int o = 0; o < r->nout; o++) {
            gon[o] = g[o] != NULL;
            if (g[o])
                a[m++] = g[o];
        }
        transformed_branch q = {.r = r, .on = want + 1, .gon = gon, .seeds = a + n};
        const agn_tensor **y = a + m;
        emit_transformed(s, vjp_body, &q, m, a, count_true(want + 1, n), y);
        for (int i = 0; i < n && !agn_scope_status(s); i++)
            if (want[1 + i])
                gx[1 + i] = *y++;
    }
    agni_free(gon);
    agni_free(a);
}

/* a batched choice: all branches, then select */
static void select_lanes(agn_scope *s, const transformed_branch *q, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agni_rule *r = q->r;
    int n = agni_subprograms_of(r->at)->n;
    const agn_tensor **y = agni_zalloc((size_t)n * (size_t)r->nout * sizeof *y);
    agni_c_body *c = transform_branches(s, lanes_body, q);
    if (!y)
        agn_scope_fail(
            s, agni_nomem(r->op->name, (size_t)n * (size_t)r->nout * sizeof *y));
    for (int k = 0; k < n && c && !agn_scope_status(s); k++)
        c[k].body(c[k].user, s, in + 1, y + k * r->nout);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++) {
        out[o] = y[(n - 1) * r->nout + o];
        const agn_tensor *choice = agni_align_rank(s, in[0], true, r->y[o]->ndim);
        for (int k = n - 2; k >= 0 && !agn_scope_status(s); k--) {
            const agn_tensor *here = r->op == &agni_op_switch
                                         ? ag_le(s, choice, agni_literal(s, k))
                                         : choice;
            out[o] = agni_apply_in(s, &agni_op_where, NULL, 3,
                                   (const agn_tensor *[]){here, y[k * r->nout + o], out[o]});
        }
    }
    agni_free(y);
    agni_free(c);
}

void agni_branch_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched,
                       const agn_tensor **out, bool *bout)
{
    transformed_branch q = {.r = r, .on = batched + 1, .lanes = lanes};
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    if (batched[0]) {
        select_lanes(s, &q, in, out);
        return;
    }
    agni_c_body *c = transform_branches(s, lanes_body, &q);
    if (c)
        agni_branch_emit(s, r->op, in[0], agni_subprograms_of(r->at)->n, c, r->nin - 1, in + 1,
                         r->nout, out);
    agni_free(c);
}
