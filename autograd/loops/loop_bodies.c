/* loop_bodies.c - the transformed bodies that the rules of scan, while and reverse loops share:
   series along with their values, lanes, and what of a loop lanes share. */
#include "autograd/loops/scan.h"
#include "autograd/modes/grading.h"
#include "autograd/modes/zeros.h"

#include <string.h>

/* ---- tangents and coefficients --------------------------------------------------- */

/* the one mask of K terms, or NULL */
static const agn_tensor *mask_of_terms(const agn_tensor *const *c, int K)
{
    const agn_tensor *m = NULL;
    for (int k = 0; k < K; k++)
        if (c[k]) {
            const agn_tensor *here = agni_known_mask(c[k]);
            if (!here || (m && m != here))
                return NULL;
            m = here;
        }
    return m;
}

static bool mask_fits(const agn_tensor *m, const agn_tensor *x)
{
    bool good = m && m->ndim <= x->ndim;
    for (int d = 1; good && d <= m->ndim; d++)
        good = m->shape[m->ndim - d] == 1 || m->shape[m->ndim - d] == x->shape[x->ndim - d];
    return good;
}

int agni_series_loop_inputs(agn_scope *s, const agni_series_loop *q, const agn_tensor *const *x,
                            const agn_tensor *const *c, int n_state, bool *on, const agn_tensor **a,
                            int *counts)
{
    int K = agni_highest_degree(q->g), off = q->g != NULL, per = K + off, n = 0;
    for (int g = 0; g < q->n_group; g++) {
        int begin = n;
        for (int i = q->group[g]; i < q->group[g + 1]; i++) {
            a[n++] = x[i];
            on[i] = g < n_state && agni_is_differentiable(x[i]) && !(q->still && q->still[i]);
            for (int k = 0; agni_is_differentiable(x[i]) && k < K; k++)
                on[i] |= c[i * per + k + off] != NULL;
        }
        for (int i = q->group[g]; i < q->group[g + 1]; i++)
            for (int k = 0; on[i] && k < K; k++) {
                const agn_tensor *t = c[i * per + k + off];
                bool slices = g >= n_state && g < q->n_group - 1;
                t = t ? t : agni_grading_zeros(s, q->g, k + 1, x[i]);
                /* the step axis stays in front of the lanes */
                a[n++] = slices && agni_has_lanes(q->g, k + 1) ? agni_move_axis(s, t, 0, 1) : t;
            }
        for (int i = q->group[g]; q->masked && g >= n_state && i < q->group[g + 1]; i++) {
            const agn_tensor *m = on[i] ? mask_of_terms(c + i * per + off, K) : NULL;
            if (mask_fits(m, x[i])) { /* of lanes there is none */
                a[n++] = agni_broadcast(s, m, x[i]->ndim, x[i]->shape);
                q->masked[i] = true;
            }
        }
        counts[g] = n - begin;
    }
    return n;
}

static bool has_terms(const agni_series_loop *q, int o, const agn_tensor *y)
{
    return agni_is_differentiable(y) && (o >= q->nc || q->on[o]);
}

agn_status agni_series_loop_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const agni_series_loop *q = user;
    const agni_prog *p = q->p;
    int K = agni_highest_degree(q->g), off = q->g != NULL, per = K + off, at = 0, n = 0;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    const agn_tensor **t = agni_zalloc((size_t)(p->n_in + p->n_out + 1) * (size_t)per * sizeof *t);
    agni_traversal w = {.p = NULL};
    bool masked = false;
    if (!x || !t) {
        agn_scope_fail(s, agni_nomem(q->op, (size_t)p->n_in * sizeof *t));
        goto done;
    }
    for (int g = 0; g < q->n_group; g++) {
        for (int i = q->group[g]; i < q->group[g + 1]; i++) {
            x[i] = in[at++];
            t[i * per] = q->g ? x[i] : NULL;
        }
        for (int i = q->group[g]; i < q->group[g + 1]; i++)
            for (int k = 0; q->on[i] && k < K; k++)
                t[i * per + k + off] = in[at++];
        for (int i = q->group[g]; q->masked && i < q->group[g + 1]; i++)
            if (q->masked[i]) {
                for (int k = 0; k < K; k++)
                    agni_know_mask(t[i * per + k + off], in[at]);
                at++;
                masked = true;
            }
    }
    const agn_tensor **ty = t + p->n_in * per;
    if (!agni_traversal_replay(&w, s, p, x, q->on))
        goto done;
    w.inner = masked;
    if (q->g)
        agni_traverse_jet(&w, q->g, t, ty);
    else
        agni_traverse_jvp(&w, t, ty);
    for (int o = 0; o < q->nc; o++)
        out[n++] = w.prim[p->out[o]];
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++)
        for (int k = 0; has_terms(q, o, p->val[p->out[o]]) && k < K; k++) {
            const agn_tensor *d = ty[o * per + k + off];
            out[n++] = d ? d : agni_grading_zeros(s, q->g, k + 1, p->val[p->out[o]]);
        }
done:
    agni_traversal_close(&w);
    agni_free(x);
    agni_free(t);
    return agn_scope_status(s);
}

void agni_series_loop_results(agn_scope *s, const agni_rule *r, const agni_series_loop *q,
                              const agn_tensor *const *y, const agn_tensor **out)
{
    int K = agni_highest_degree(q->g), off = q->g != NULL;
    y += q->nc;
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        for (int k = 0; has_terms(q, o, r->y[o]) && k < K; k++, y++)
            out[o * (K + off) + k + off] = o >= q->nc && agni_has_lanes(q->g, k + 1)
                                               ? agni_move_axis(s, *y, 1, 0)
                                               : *y;
}

/* ---- cotangents ------------------------------------------------------------------ */

void agni_vjp_of_body(agn_scope *s, agn_body *body, void *user, const agni_rule *r,
                      const agn_tensor *const *g, const bool *want, const agn_tensor **gx)
{
    agni_prog *p = NULL;
    agni_traversal w = {.p = NULL};
    uint64_t first;
    if (!agn_scope_status(s) &&
        !agn_scope_fail(s, agni_trace_body(&p, &first, body, user, r->nin, r->x, r->nout, false)) &&
        agni_traversal_open(&w, s, p, first, want)) {
        w.inner = agni_masks_known() > 0;
        for (int i = 0; i < r->nin; i++)
            w.inner |= agni_mask_is_wanted(r, i);
        agni_traverse_vjp(&w, g, gx);
    }
    agni_traversal_close(&w);
    agni_prog_release(p);
}

/* ---- lanes ----------------------------------------------------------------------- */

agn_status agni_batched_loop_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const agni_batched_loop *q = user;
    bool *bout = agni_zalloc((size_t)q->p->n_out + 1);
    if (!bout)
        return agn_scope_fail(s, agni_nomem("vmap", (size_t)q->p->n_out));
    agni_traverse_batch(s, q->p, q->lanes, in, q->on, out, bout);
    for (int o = 0; o < q->p->n_out && !agn_scope_status(s); o++)
        if (q->out[o])
            out[o] = agni_ensure_batch_axis(s, out[o], bout[o], q->lanes);
    agni_free(bout);
    return agn_scope_status(s);
}

/* marks in out[] the results that differ between lanes */
static agn_status batched_results_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                       const agn_tensor **out)
{
    const agni_batched_loop *q = user;
    agni_traverse_batch(s, q->p, q->lanes, in, q->on, out, q->out);
    return agn_scope_status(s);
}
static void find_batched_results(agn_scope *s, const agni_batched_loop *q)
{
    int n = q->p->n_in;
    const agn_tensor **like = agni_zalloc((size_t)(n + 1) * sizeof *like);
    agni_prog *traced = NULL;
    uint64_t first;
    if (!like)
        agn_scope_fail(s, agni_nomem("vmap", (size_t)n * sizeof *like));
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        const agn_tensor *x = q->p->val[i];
        int64_t shape[AGNI_MAX_RANK + 1] = {q->lanes};
        memcpy(shape + q->on[i], x->shape, (size_t)x->ndim * sizeof *shape);
        agn_tensor *h = agni_tensor_header(x->dtype, x->ndim + q->on[i], shape);
        like[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem("vmap", sizeof *h), &h);
    }
    if (!agn_scope_status(s))
        agn_scope_fail(s, agni_trace_body(&traced, &first, batched_results_body,
                                          (void *)(uintptr_t)q, n, like, q->p->n_out, true));
    agni_prog_release(traced);
    agni_free(like);
}

void agni_batched_loop_spread(agn_scope *s, const agni_batched_loop *q, int n)
{
    bool all = true, more = true;
    for (int i = 0; i < n; i++)
        all &= q->on[i];
    for (int o = 0; o < q->p->n_out; o++)
        q->out[o] = true;
    while (more && (!all || !n) && !agn_scope_status(s)) {
        find_batched_results(s, q);
        more = false;
        for (int i = 0; i < n; i++) {
            more |= q->out[i] && !q->on[i];
            q->on[i] |= q->out[i];
        }
    }
    memcpy(q->out, q->on, (size_t)n * sizeof *q->out);
}
