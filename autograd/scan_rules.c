/* autograd/scan_rules.c - transforms of a loop are loops over transformed bodies:
     tangents, coefficients   carried along beside their values
     cotangents               a scan that saves the carried values, then one that runs back
     lanes                    a batch axis behind the step axis                              */
#include "autograd/scan.h"

#include <string.h>

/* ---- tangents and coefficients ------------------------------------------------------------ */

/* Arguments of the transformed body: carried values; K series terms of each smooth one;
   slices; terms of the active ones; constants; terms of the active ones. */
typedef struct series_body {
    const agni_scan *f;
    int K;
    bool jet;
    const bool *on; /* arguments of the scan with terms; all smooth carried ones */
} series_body;

static agn_status body_series(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const series_body *q = user;
    const agni_scan *f = q->f;
    const agni_prog *p = f->p;
    int K = q->K, per = q->jet ? K + 1 : 1, off = q->jet;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    const agn_tensor **t = agni_zalloc((size_t)(p->n_in + p->n_out + 1) * (size_t)per *
                                       sizeof *t);
    agni_walk w = {.p = NULL};
    if (!x || !t) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)p->n_in * sizeof *t));
        goto done;
    }
    const int group[4] = {0, f->nc, f->nc + f->nx, p->n_in};
    for (int g = 0, at = 0; g < 3; g++) {
        for (int i = group[g]; i < group[g + 1]; i++)
            x[i] = t[i * per] = in[at++];
        for (int i = group[g]; i < group[g + 1]; i++)
            for (int k = 0; q->on[i] && k < K; k++)
                t[i * per + k + off] = in[at++];
    }
    const agn_tensor **ty = t + p->n_in * per;
    for (int i = 0; !q->jet && i < p->n_in; i++)
        if (!q->on[i])
            t[i] = NULL;
    if (agni_walk_replay(&w, s, p, x, q->on)) {
        if (q->jet)
            agni_sweep_jet(&w, K, t, ty);
        else
            agni_sweep_jvp(&w, t, ty);
        int n = 0;
        for (int o = 0; o < p->n_out && !agn_scope_status(s); o++) {
            const agn_tensor *y = w.prim[p->out[o]];
            if (o < f->nc)
                out[n++] = y;
            if (o + 1 == f->nc || (o >= f->nc && agni_smooth(y)))
                for (int c = o < f->nc ? 0 : o; c <= o; c++)
                    for (int k = 0; agni_smooth(p->val[p->out[c]]) && k < K; k++) {
                        const agn_tensor *d = ty[c * per + k + off];
                        out[n++] = d ? d : agni_zeros_like(s, p->val[p->out[c]]);
                    }
        }
    }
done:
    agni_walk_close(&w);
    agni_free(x);
    agni_free(t);
    return agn_scope_status(s);
}

static void scan_series(agn_scope *s, const agni_rule *r, int K,
                        const agn_tensor *const *c, const agn_tensor **out, bool jet)
{
    agni_scan f = agni_scan_of(r->at, r->nin);
    int per = jet ? K + 1 : 1, off = jet, n = 0, counts[3] = {0}, n_out = f.nc;
    size_t room = (size_t)(r->nin + r->nout + 1) * (size_t)(K + 1);
    bool *on = agni_zalloc((size_t)r->nin + 1);
    const agn_tensor **a = agni_zalloc(2 * room * sizeof *a), **y = a ? a + room : NULL;
    if (!on || !a) {
        agn_scope_fail(s, agni_nomem("scan", room * sizeof *a));
        goto done;
    }
    const int group[4] = {0, f.nc, f.nc + f.nx, r->nin};
    for (int g = 0; g < 3; g++) {
        int begin = n;
        for (int i = group[g]; i < group[g + 1]; i++) {
            a[n++] = r->x[i];
            on[i] = g == 0 && agni_smooth(r->x[i]);
            for (int k = 0; agni_smooth(r->x[i]) && k < K; k++)
                on[i] |= c[i * per + k + off] != NULL;
        }
        for (int i = group[g]; i < group[g + 1]; i++)
            for (int k = 0; on[i] && k < K; k++) {
                const agn_tensor *t = c[i * per + k + off];
                a[n++] = t ? t : agni_zeros_like(s, r->x[i]);
            }
        counts[g] = n - begin;
    }
    for (int o = 0; o < r->nout; o++)
        n_out += agni_smooth(r->y[o]) ? K : 0;
    series_body q = {&f, K, jet, on};
    agni_scan_emit(s, body_series, &q, counts[0], counts[1], counts[2], n_out, f.length,
                   f.reverse, a, y);
    int at = f.nc;
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        for (int k = 0; agni_smooth(r->y[o]) && k < K; k++)
            out[o * per + k + off] = y[at++];
done:
    agni_free(on);
    agni_free(a);
}
void agni_scan_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                   const agn_tensor **ty)
{
    scan_series(s, r, 1, t, ty, false);
}
void agni_scan_jet(agn_scope *s, const agni_rule *r, int K, const agn_tensor *const *c,
                   const agn_tensor **out)
{
    scan_series(s, r, K, c, out, true);
}

/* ---- cotangents ------------------------------------------------------------------------------ */

/* the body again, with the carried values it began with as further results */
static agn_status body_saving(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const agni_scan *f = user;
    const agn_tensor **y = agni_zalloc((size_t)(f->p->n_out + 1) * sizeof *y);
    if (!y)
        return agni_nomem("scan", (size_t)f->p->n_out * sizeof *y);
    if (!agni_prog_replay(f->p, s, in, y, NULL))
        for (int i = 0; i < f->nc; i++) {
            out[i] = y[i];
            out[f->nc + i] = in[i];
        }
    agni_free(y);
    return agn_scope_status(s);
}

/* One step back. Carried: cotangents of the smooth carried values, then sums for the wanted
   constants. Slices: carried values, arrays, cotangents of smooth results. Constants. */
typedef struct back {
    const agni_scan *f;
    const bool *want; /* of the scan's arguments */
    const bool *gon;  /* stacked results with a cotangent */
} back;

static agn_status body_back(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const back *q = user;
    const agni_scan *f = q->f;
    const agni_prog *p = f->p;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    const agn_tensor **g = agni_zalloc((size_t)(p->n_out + p->n_in + 1) * sizeof *g);
    bool *on = agni_zalloc((size_t)p->n_in + 1);
    agni_walk w = {.p = NULL};
    if (!x || !g || !on) {
        agn_scope_fail(s, agni_nomem("scan", (size_t)p->n_in * sizeof *x));
        goto done;
    }
    int at = 0, first_const = f->nc + f->nx;
    for (int i = 0; i < f->nc; i++)
        if (agni_smooth(p->val[i]))
            g[i] = in[at++];
    const agn_tensor *const *sums = in + at;
    for (int i = first_const; i < p->n_in; i++)
        at += q->want[i];
    for (int i = 0; i < first_const; i++)
        x[i] = in[at++];
    for (int o = f->nc; o < p->n_out; o++)
        if (q->gon[o])
            g[o] = in[at++];
    for (int i = first_const; i < p->n_in; i++)
        x[i] = in[at++];
    for (int i = 0; i < p->n_in; i++)
        on[i] = i < f->nc ? agni_smooth(p->val[i]) : q->want[i];
    const agn_tensor **gx = g + p->n_out;
    if (agni_walk_replay(&w, s, p, x, on)) {
        agni_sweep_vjp(&w, g, gx);
        int n = 0, m = 0;
        for (int i = 0; i < f->nc; i++)
            if (on[i])
                out[n++] = gx[i] ? gx[i] : agni_zeros_like(s, p->val[i]);
        for (int i = first_const; i < p->n_in; i++)
            if (on[i])
                out[n++] = agni_plus(s, sums[m++], gx[i]);
        for (int i = f->nc; i < first_const; i++)
            if (on[i])
                out[n++] = gx[i] ? gx[i] : agni_zeros_like(s, p->val[i]);
    }
done:
    agni_walk_close(&w);
    agni_free(x);
    agni_free(g);
    agni_free(on);
    return agn_scope_status(s);
}

void agni_scan_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                   const bool *want, const agn_tensor **gx)
{
    agni_scan f = agni_scan_of(r->at, r->nin);
    int first_const = f.nc + f.nx, n = 0, counts[3] = {0}, n_out = 0;
    size_t room = (size_t)(3 * r->nin + 3 * r->nout + 1);
    const agn_tensor **a = agni_zalloc(3 * room * sizeof *a);
    const agn_tensor **saved = a ? a + room : NULL, **y = a ? a + 2 * room : NULL;
    bool *gon = agni_zalloc((size_t)r->nout + 1);
    if (!a || !gon) {
        agn_scope_fail(s, agni_nomem("scan", room * sizeof *a));
        goto done;
    }
    agni_scan_emit(s, body_saving, &f, f.nc, f.nx, f.nk, 2 * f.nc, f.length, f.reverse,
                   r->x, saved);
    if (agn_scope_status(s))
        goto done;
    for (int i = 0; i < f.nc; i++)
        if (agni_smooth(r->x[i]))
            a[n++] = g[i] ? g[i] : agni_zeros_like(s, r->x[i]);
    for (int i = first_const; i < r->nin; i++)
        if (want[i])
            a[n++] = agni_zeros_like(s, r->x[i]);
    n_out = counts[0] = n;
    for (int i = 0; i < f.nc; i++)
        a[n++] = saved[f.nc + i];
    for (int i = f.nc; i < first_const; i++) {
        a[n++] = r->x[i];
        n_out += want[i];
    }
    for (int o = f.nc; o < r->nout; o++) {
        gon[o] = g[o] != NULL;
        if (g[o])
            a[n++] = g[o];
    }
    counts[1] = n - counts[0];
    for (int i = first_const; i < r->nin; i++)
        a[n++] = r->x[i];
    counts[2] = n - counts[0] - counts[1];
    back q = {&f, want, gon};
    agni_scan_emit(s, body_back, &q, counts[0], counts[1], counts[2], n_out, f.length,
                   !f.reverse, a, y);
    if (agn_scope_status(s))
        goto done;
    n = 0;
    for (int i = 0; i < f.nc; i++)
        if (agni_smooth(r->x[i])) {
            gx[i] = want[i] ? y[n] : NULL;
            n++;
        }
    for (int i = first_const; i < r->nin; i++)
        if (want[i])
            gx[i] = y[n++];
    for (int i = f.nc; i < first_const; i++)
        if (want[i])
            gx[i] = y[n++];
done:
    agni_free(a);
    agni_free(gon);
}

/* ---- lanes ------------------------------------------------------------------------------------- */

typedef struct mapped {
    const agni_scan *f;
    int64_t lanes;
    const bool *on;
} mapped;
static agn_status body_lanes(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const mapped *q = user;
    const agni_prog *p = q->f->p;
    bool *bout = agni_zalloc((size_t)p->n_out + 1);
    if (!bout)
        return agni_nomem("vmap", (size_t)p->n_out);
    agni_sweep_batch(s, p, q->lanes, in, q->on, out, bout);
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++)
        out[o] = agni_batch_one(s, out[o], bout[o], q->lanes);
    agni_free(bout);
    return agn_scope_status(s);
}

void agni_scan_batch(agn_scope *s, const agni_rule *r, int64_t lanes,
                     const agn_tensor *const *in, const bool *batched,
                     const agn_tensor **out, bool *bout)
{
    agni_scan f = agni_scan_of(r->at, r->nin);
    const agn_tensor **a = agni_zalloc((size_t)(r->nin + 1) * sizeof *a);
    bool *on = agni_zalloc((size_t)r->nin + 1);
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)r->nin * sizeof *a));
    } else {
        for (int i = 0; i < r->nin; i++) {
            on[i] = i < f.nc || batched[i];
            a[i] = i < f.nc ? agni_batch_one(s, in[i], batched[i], lanes)
                   : i < f.nc + f.nx && batched[i] ? agni_move_axis(s, in[i], 0, 1)
                                                   : in[i];
        }
        mapped q = {&f, lanes, on};
        if (!agn_scope_status(s))
            agni_scan_emit(s, body_lanes, &q, f.nc, f.nx, f.nk, r->nout, f.length,
                           f.reverse, a, out);
        for (int o = 0; o < r->nout && !agn_scope_status(s); o++) {
            if (o >= f.nc)
                out[o] = agni_move_axis(s, out[o], 1, 0);
            bout[o] = true;
        }
    }
    agni_free(a);
    agni_free(on);
}
