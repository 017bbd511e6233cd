/* scan_rules.c - transforms of a loop are loops over transformed bodies:
     tangents, coefficients   carried along with their values
     cotangents               a scan that saves the carried values, then one that runs
                              back, or both within a given memory (checkpointed_reverse.c)
     lanes                    a batch axis after the step axis */
#include "autograd/loops/reverse/reverse_scan.h"
#include "autograd/modes/linearity.h"
#include "autograd/modes/grading.h"
#include "autograd/modes/zeros.h"

#include <string.h>

/* ---- tangents and coefficients --------------------------------------------------- */

/* carried values without terms: no term of an argument reaches them through any number of steps */
static void find_constant_carried(agn_scope *s, const agni_scan *f, const agni_rule *r, int per,
                                  int off, const agn_tensor *const *c, bool *still)
{
    bool *here = agni_zalloc((size_t)(f->p->n_in + f->p->n_val) + 1);
    if (!here) {
        agn_scope_fail(s, agni_nomem(r->op->name, (size_t)f->p->n_val));
        return;
    }
    for (int i = 0; i < r->nin; i++)
        for (int k = off; agni_is_differentiable(r->x[i]) && k < per; k++)
            here[i] |= c[i * per + k] != NULL;
    agn_scope_fail(s, agni_dependence_through_loop(f->p, f->nc, here, here + f->p->n_in));
    for (int i = 0; i < f->nc; i++)
        still[i] = !here[i];
    agni_free(here);
}

static void scan_series(agn_scope *s, const agni_rule *r, const agni_grading *g,
                        const agn_tensor *const *c, const agn_tensor **out)
{
    agni_scan f = agni_scan_describe(r->op, r->at, r->nin);
    int K = agni_highest_degree(g), counts[3];
    size_t room = (size_t)(r->nin + r->nout + 1) * (size_t)(K + 2);
    bool *on = agni_zalloc(3 * (size_t)r->nin + 1), *still = on + r->nin;
    int known = agni_masks_known();
    const agn_tensor **a = agni_zalloc(2 * room * sizeof *a), **y = a ? a + room : NULL;
    if (!on || !a) {
        agn_scope_fail(s, agni_nomem(r->op->name, room * sizeof *a));
        goto done;
    }
    find_constant_carried(s, &f, r, K + (g != NULL), g != NULL, c, still);
    agni_series_loop q = {r->op->name, f.p, f.nc,  3, {0, f.nc, f.nc + f.nx, r->nin},
                          g,           on,  still, still + r->nin};
    agni_series_loop_inputs(s, &q, r->x, c, 1, on, a, counts);
    agni_scan h = f;
    h.nc = counts[0];
    h.nx = counts[1];
    h.nk = counts[2];
    h.ny = 0;
    for (int o = f.nc; o < r->nout; o++)
        h.ny += agni_is_differentiable(r->y[o]) ? K : 0;
    agni_scan_emit(s, agni_series_loop_body, &q, h, a, y);
    agni_forget_masks(known);
    if (!agn_scope_status(s))
        agni_series_loop_results(s, r, &q, y, out);
done:
    agni_free(on);
    agni_free(a);
}
void agni_scan_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                   const agn_tensor **ty)
{
    scan_series(s, r, NULL, t, ty);
}
void agni_scan_jet(agn_scope *s, const agni_rule *r, const agni_grading *g,
                   const agn_tensor *const *c, const agn_tensor **out)
{
    scan_series(s, r, g, c, out);
}

/* ---- cotangents ------------------------------------------------------------------ */

/* the forward step: the next carried values */
static agn_status forward_step_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    const agni_scan *f = user;
    const agn_tensor **y = agni_zalloc((size_t)(f->p->n_out + 1) * sizeof *y);
    if (!y)
        return agn_scope_fail(s, agni_nomem("scan", (size_t)f->p->n_out * sizeof *y));
    if (!agni_prog_replay(f->p, s, in, y, NULL))
        memcpy(out, y, (size_t)f->nc * sizeof *y);
    agni_free(y);
    return agn_scope_status(s);
}

/* The reverse step. Carried: cotangents of the differentiable carried values, then sums for the
   wanted constants. Slices: carried values, arrays, cotangents of results, and their masks.
   Constants. Results: cotangents of arrays, and their masks. */
typedef struct reverse_step {
    const agni_scan *f;
    const bool *want; /* of the scan's arguments */
    const bool *gon;  /* stacked results with a cotangent */
    bool *masked;     /* of these: with a mask; then arrays whose cotangent has one that is asked for */
} reverse_step;

/* what says which elements of gx, NULL for none, are no structural zeros, in the shape of x */
static const agn_tensor *dense_mask(agn_scope *s, const agn_tensor *gx, const agn_tensor *x)
{
    const agn_tensor *m = gx ? agni_known_mask(gx) : NULL;
    if (!m)
        return agni_full(s, gx != NULL, AGN_BOOL, x->ndim, x->shape);
    return agni_broadcast(s, m, x->ndim, x->shape);
}

static agn_status reverse_step_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                    const agn_tensor **out)
{
    const reverse_step *q = user;
    const agni_scan *f = q->f;
    const agni_prog *p = f->p;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    const agn_tensor **g = agni_zalloc((size_t)(p->n_out + p->n_in + 1) * sizeof *g);
    bool *on = agni_zalloc((size_t)p->n_in + 1);
    agni_traversal w = {.p = NULL};
    if (!x || !g || !on) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)p->n_in * sizeof *x));
        goto done;
    }
    int at = 0, first_const = f->nc + f->nx;
    for (int i = 0; i < f->nc; i++)
        if (agni_is_differentiable(p->val[i]))
            g[i] = in[at++];
    const agn_tensor *const *sums = in + at;
    for (int i = first_const; i < p->n_in; i++)
        at += q->want[i];
    for (int i = 0; i < first_const; i++)
        x[i] = in[at++];
    for (int o = f->nc; o < p->n_out; o++)
        if (q->gon[o])
            g[o] = in[at++];
    for (int o = f->nc; o < p->n_out; o++)
        if (q->masked[o])
            agni_know_mask(g[o], in[at++]);
    for (int i = first_const; i < p->n_in; i++)
        x[i] = in[at++];
    for (int i = 0; i < p->n_in; i++)
        on[i] = i < f->nc ? agni_is_differentiable(p->val[i]) : q->want[i];
    const agn_tensor **gx = g + p->n_out;
    if (agni_traversal_replay(&w, s, p, x, on)) {
        for (int i = 0; i < p->n_out + p->n_in; i++)
            w.inner |= q->masked[i];
        agni_traverse_vjp(&w, g, gx);
        int n = 0, m = 0;
        for (int i = 0; i < f->nc; i++)
            if (on[i])
                out[n++] = gx[i] ? gx[i] : agni_zeros_like(s, p->val[i]);
        for (int i = first_const; i < p->n_in; i++)
            if (on[i])
                out[n++] = agni_add_present(s, sums[m++], gx[i]);
        for (int i = f->nc; i < first_const; i++)
            if (on[i])
                out[n++] = gx[i] ? gx[i] : agni_zeros_like(s, p->val[i]);
        for (int i = f->nc; i < first_const; i++)
            if (q->masked[p->n_out + i])
                out[n++] = dense_mask(s, gx[i], p->val[i]);
    }
done:
    agni_traversal_close(&w);
    agni_free(x);
    agni_free(g);
    agni_free(on);
    return agn_scope_status(s);
}

void agni_scan_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                   const bool *want, const agn_tensor **gx)
{
    agni_scan f = agni_scan_describe(r->op, r->at, r->nin);
    int first_const = f.nc + f.nx, n = 0;
    size_t room = (size_t)(4 * r->nin + 2 * r->nout + 1);
    const agn_tensor **a = agni_zalloc(2 * room * sizeof *a), **y = a ? a + room : NULL;
    bool *gon = agni_zalloc((size_t)(2 * r->nout + r->nin) + 1), *masked = gon + r->nout;
    int known = agni_masks_known();
    if (!a || !gon) {
        agn_scope_fail(s, agni_nomem("scan", room * sizeof *a));
        goto done;
    }
    agni_reverse_scan b = {.nc = f.nc,
                           .nx = f.nx,
                           .nk = f.nk,
                           .length = f.length,
                           .reverse = f.reverse,
                           .keep = f.keep};
    for (int i = 0; i < f.nc; i++)
        if (agni_is_differentiable(r->x[i]))
            a[n++] = g[i] ? g[i] : agni_zeros_like(s, r->x[i]);
    for (int i = first_const; i < r->nin; i++)
        if (want[i])
            a[n++] = agni_zeros_like(s, r->x[i]);
    b.nl = n;
    for (int i = 0; i < first_const; i++) {
        a[n++] = r->x[i];
        masked[r->nout + i] = i >= f.nc && want[i] && agni_mask_is_wanted(r, i);
        b.ny += (i >= f.nc && want[i]) + masked[r->nout + i];
    }
    for (int o = f.nc; o < r->nout; o++) {
        gon[o] = g[o] != NULL;
        masked[o] = g[o] && agni_known_mask(g[o]);
        if (g[o])
            a[n++] = g[o];
    }
    for (int o = f.nc; o < r->nout; o++)
        if (masked[o])
            a[n++] = agni_broadcast(s, agni_known_mask(g[o]), g[o]->ndim, g[o]->shape);
    b.ng = n - b.nl - first_const;
    for (int i = first_const; i < r->nin; i++)
        a[n++] = r->x[i];
    reverse_step q = {&f, want, gon, masked};
    agni_reverse_scan_emit(s, (agni_c_body){forward_step_body, &f},
                           (agni_c_body){reverse_step_body, &q}, b, a, y);
    agni_forget_masks(known);
    n = 0;
    for (int i = 0; i < f.nc && !agn_scope_status(s); i++)
        if (agni_is_differentiable(r->x[i])) {
            gx[i] = want[i] ? y[n] : NULL;
            n++;
        }
    for (int i = first_const; i < r->nin && !agn_scope_status(s); i++)
        if (want[i])
            gx[i] = y[n++];
    for (int i = f.nc; i < first_const && !agn_scope_status(s); i++)
        if (want[i])
            gx[i] = y[n++];
    for (int i = f.nc; i < first_const && !agn_scope_status(s); i++)
        if (masked[r->nout + i])
            agni_know_mask(gx[i], y[n++]);
done:
    agni_free(a);
    agni_free(gon);
}

/* ---- lanes ----------------------------------------------------------------------- */

void agni_scan_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                     const agn_tensor *const *in, const bool *batched,
                     const agn_tensor **out, bool *bout)
{
    agni_scan f = agni_scan_describe(r->op, r->at, r->nin);
    const agn_tensor **a = agni_zalloc((size_t)(r->nin + 1) * sizeof *a);
    bool *on = agni_zalloc((size_t)(r->nin + r->nout) + 1);
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)r->nin * sizeof *a));
    } else {
        agni_batched_loop q = {f.p, lanes, on, on + r->nin};
        memcpy(on, batched, (size_t)r->nin * sizeof *on);
        agni_batched_loop_spread(s, &q, f.nc);
        for (int i = 0; i < r->nin && !agn_scope_status(s); i++)
            a[i] = i < f.nc && on[i] ? agni_ensure_batch_axis(s, in[i], batched[i], lanes)
                   : i < f.nc + f.nx && batched[i] ? agni_move_axis(s, in[i], 0, 1)
                                                   : in[i];
        if (!agn_scope_status(s))
            agni_scan_emit(s, agni_batched_loop_body, &q, f, a, out);
        for (int o = 0; o < r->nout && !agn_scope_status(s); o++) {
            if (o >= f.nc && q.out[o])
                out[o] = agni_move_axis(s, out[o], 1, 0);
            bout[o] = q.out[o];
        }
    }
    agni_free(a);
    agni_free(on);
}
