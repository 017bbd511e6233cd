/* autograd/scan.c - loops over slices as one node. The body maps (carried, slices, constants)
   to (carried, results). Transforms make another scan over a transformed body:
     tangents, coefficients   carried along beside their values
     cotangents               a scan that saves the carried values, then one that runs back
     lanes                    a batch axis behind the step axis
   Attributes: n_carry, n_x, n_y, length, reverse; the rest of the arguments are constants. */
#include "autograd/sweep.h"

#include <agnesi/autograd.h>
#include <string.h>

extern const agni_op agni_op_scan;

typedef struct loop {
    agni_obj head;
    agni_prog *p;
} loop;
static void loop_destroy(agni_obj *o)
{
    agni_prog_release(((loop *)o)->p);
    agni_free(o);
}
static const agni_obj_type loop_type = {"body", loop_destroy, NULL};

/* the counts of a scan node */
typedef struct form {
    int nc, nx, ny, nk;
    int64_t length;
    bool reverse;
    const agni_prog *p;
} form;
static form form_of(const agni_attr *at, int nin)
{
    const int64_t *i = at->i;
    return (form){(int)i[0], (int)i[1], (int)i[2], nin - (int)i[0] - (int)i[1], i[3], i[4] != 0,
                  ((const loop *)at->obj)->p};
}

/* a slice's shape, without the axis of steps */
static const agn_tensor *one_step(agn_scope *s, const agn_tensor *x)
{
    agn_tensor *h = agni_tensor_header(x->dtype, x->ndim - 1, x->shape + 1);
    return agn_scope_adopt(s, h ? AGN_OK : agni_nomem("scan", sizeof *h), h);
}

static const agn_tensor *slice_at(agn_scope *s, const agn_tensor *x, int64_t i)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_index_axis(&y, x, 0, i);
    return agn_scope_adopt(s, st, y);
}

/* ---- the node ---------------------------------------------------------------------------- */

static agn_status infer_scan(agni_call *c)
{
    form f = form_of(c->at, c->nin);
    for (int o = 0; o < c->nout; o++) {
        const agn_tensor *y = f.p->val[f.p->out[o]];
        agni_meta *m = &c->meta[o];
        bool stacked = o >= f.nc;
        m->dtype = y->dtype;
        m->ndim = y->ndim + stacked;
        if (m->ndim > AGNI_MAX_RANK)
            return agni_fail(AGN_ESHAPE, "scan: a result has rank %d, above %d", m->ndim,
                             AGN_MAX_RANK);
        m->shape[0] = f.length;
        memcpy(m->shape + stacked, y->shape, (size_t)y->ndim * sizeof *y->shape);
    }
    return AGN_OK;
}

/* puts y at step i of the stacked result */
static agn_status put_step(agn_tensor *stack, const agn_tensor *y, int64_t i)
{
    agn_tensor *slot = NULL, *z = NULL;
    agn_status st = agni_tensor_view(&slot, stack, y->ndim, y->shape, stack->stride + 1,
                                     i * stack->stride[0]);
    if (!st && y->anywhere)
        st = agni_settle(&z, y, agni_device(stack));
    if (!st) {
        const agn_tensor *from = z ? z : y;
        agni_meta m = {.dtype = y->dtype, .ndim = y->ndim};
        memcpy(m.shape, y->shape, (size_t)y->ndim * sizeof *y->shape);
        st = agni_run(&(agni_call){&agni_op_copy, NULL, 1, 1, &from, &m}, &slot);
    }
    agn_release(z);
    agn_release(slot);
    return st;
}

/* Where results are stacked: with the first argument that has a device. */
static int32_t home(const agni_call *c)
{
    for (int i = 0; i < c->nin; i++)
        if (c->in[i]->st && !c->in[i]->anywhere)
            return agni_device(c->in[i]);
    return AGN_CPU;
}

static agn_status eval_scan(const agni_call *c, agn_tensor **out)
{
    form f = form_of(c->at, c->nin);
    int ni = f.p->n_in, no = f.p->n_out;
    agn_scope *keep = agn_scope_open(NULL), *s = NULL;
    const agn_tensor **a = agni_zalloc((size_t)(ni + no + f.nc) * sizeof *a);
    agn_tensor **stack = agni_zalloc((size_t)(c->nout + 1) * sizeof *stack);
    if (!a || !stack)
        agn_scope_fail(keep, agni_nomem("scan", (size_t)(ni + no) * sizeof *a));
    for (int o = f.nc; o < c->nout && !agn_scope_status(keep); o++)
        agn_scope_fail(keep, agni_tensor_make(&stack[o], "scan", c->meta[o].dtype, c->meta[o].ndim,
                                              c->meta[o].shape, home(c)));
    agn_tensor **carry = stack; /* the first nc places hold what is carried */
    for (int i = 0; i < f.nc && !agn_scope_status(keep); i++)
        carry[i] = agni_tensor_ref(c->in[i]);
    for (int64_t step = 0; step < f.length && !agn_scope_status(keep); step++) {
        int64_t at = f.reverse ? f.length - 1 - step : step;
        s = agn_scope_open(keep);
        for (int i = 0; i < f.nc; i++)
            a[i] = carry[i];
        for (int i = 0; i < f.nx; i++)
            a[f.nc + i] = slice_at(s, c->in[f.nc + i], at);
        for (int i = f.nc + f.nx; i < ni; i++)
            a[i] = c->in[i];
        if (!agn_scope_status(s) && !agni_prog_replay(f.p, s, a, a + ni, NULL)) {
            for (int o = f.nc; o < no && !agn_scope_status(s); o++)
                agn_scope_fail(s, put_step(stack[o], a[ni + o], at));
            for (int i = 0; i < f.nc; i++)
                a[ni + no + i] = agni_tensor_ref(a[ni + i]);
            for (int i = 0; i < f.nc; i++) {
                agn_release(carry[i]);
                carry[i] = (agn_tensor *)(uintptr_t)a[ni + no + i];
            }
        }
        if (agn_scope_close(s) == AGN_OK && agni_interrupted())
            agn_scope_fail(keep, agni_fail(AGN_ECANCELLED, "scan: stopped at step %lld of %lld",
                                           (long long)step, (long long)f.length));
    }
    for (int o = 0; o < c->nout && !agn_scope_status(keep); o++)
        agn_scope_return(keep, out + o, stack[o]);
    for (int o = 0; stack && o < c->nout; o++)
        agn_scope_adopt(keep, AGN_OK, stack[o]);
    agni_free(a);
    agni_free(stack);
    return agn_scope_close(keep);
}

/* Traces a body and applies the scan: in[] = carried, arrays, constants. */
static void emit_scan(agn_scope *s, agn_body *body, void *user, int nc, int nx, int nk, int n_out,
                      int64_t length, bool reverse, const agn_tensor *const *in,
                      const agn_tensor **out)
{
    int n = nc + nx + nk, n_extra = 0;
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL, **a = agni_alloc((size_t)(n + 1) * sizeof *a);
    loop *l = agni_zalloc(sizeof *l);
    agn_status st = agn_scope_status(s);
    if (!st && (!a || !l))
        st = agni_nomem("scan", sizeof *l);
    for (int i = 0; !st && i < n; i++) {
        bool arr = i >= nc && i < nc + nx;
        if (arr && (in[i]->ndim < 1 || in[i]->shape[0] != length))
            st = agni_fail(AGN_ESHAPE, "scan: array %d is %s; its first axis must be %lld", i - nc,
                           AGNI_SHAPE(in[i]), (long long)length);
        else
            a[i] = arr ? one_step(s, in[i]) : in[i];
        st = st ? st : agn_scope_status(s);
    }
    uint64_t first;
    if (!st)
        st = agni_trace_body(&live, &first, body, user, n, a, n_out, true);
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    for (int i = 0; !st && i < nc; i++) {
        const agn_tensor *y = p->val[p->out[i]];
        if (y->dtype != in[i]->dtype || y->ndim != in[i]->ndim ||
            memcmp(y->shape, in[i]->shape, (size_t)y->ndim * sizeof *y->shape))
            st = agni_fail(y->dtype != in[i]->dtype ? AGN_EDTYPE : AGN_ESHAPE,
                           "scan: carried value %d is %s %s before a step, %s %s after it", i,
                           agni_dtypes[in[i]->dtype].name, AGNI_SHAPE(in[i]),
                           agni_dtypes[y->dtype].name, AGNI_SHAPE(y));
    }
    if (!st) {
        const agn_tensor **more = agni_realloc(a, (size_t)(n + n_extra + 1) * sizeof *a);
        if (more)
            a = more;
        else
            st = agni_nomem("scan", (size_t)(n + n_extra) * sizeof *a);
    }
    if (!st) {
        agni_ref_init(&l->head.ref);
        l->head.type = &loop_type;
        l->p = p;
        p = NULL;
        memcpy(a, in, (size_t)n * sizeof *a);
        for (int i = 0; i < n_extra; i++)
            a[n + i] = extra[i];
        int64_t ints[5] = {nc, nx, n_out - nc, length, reverse};
        agni_apn(s, &agni_op_scan, &(agni_attr){.ni = 5, .i = ints, .obj = &l->head}, n + n_extra, a,
                 n_out, out);
    }
    agn_scope_fail(s, st);
    if (l && l->p)
        agni_obj_release(&l->head);
    else
        agni_free(l);
    agni_prog_release(live);
    agni_prog_release(p);
    agni_free(extra);
    agni_free(a);
}

/* ---- tangents and coefficients ------------------------------------------------------------ */

/* Arguments of the transformed body: carried values; K series terms of each smooth one;
   slices; terms of the active ones; constants; terms of the active ones. */
typedef struct series_body {
    const form *f;
    int K;
    bool jet;
    const bool *on; /* arguments of the scan with terms; all smooth carried ones */
} series_body;

static agn_status body_series(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const series_body *q = user;
    const form *f = q->f;
    const agni_prog *p = f->p;
    int K = q->K, per = q->jet ? K + 1 : 1, off = q->jet;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    const agn_tensor **t = agni_zalloc((size_t)(p->n_in + p->n_out + 1) * (size_t)per * sizeof *t);
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

static void scan_series(agn_scope *s, const agni_rule *r, int K, const agn_tensor *const *c,
                        const agn_tensor **out, bool jet)
{
    form f = form_of(r->at, r->nin);
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
    emit_scan(s, body_series, &q, counts[0], counts[1], counts[2], n_out, f.length, f.reverse, a, y);
    int at = f.nc;
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        for (int k = 0; agni_smooth(r->y[o]) && k < K; k++)
            out[o * per + k + off] = y[at++];
done:
    agni_free(on);
    agni_free(a);
}
static void jvp_scan(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    scan_series(s, r, 1, t, ty, false);
}
static void jet_scan(agn_scope *s, const agni_rule *r, int K, const agn_tensor *const *c,
                     const agn_tensor **out)
{
    scan_series(s, r, K, c, out, true);
}

/* ---- cotangents ------------------------------------------------------------------------------ */

/* the body again, with the carried values it began with as further results */
static agn_status body_saving(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const form *f = user;
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
    const form *f;
    const bool *want; /* of the scan's arguments */
    const bool *gon;  /* stacked results with a cotangent */
} back;

static agn_status body_back(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const back *q = user;
    const form *f = q->f;
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

static void vjp_scan(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                     const bool *want, const agn_tensor **gx)
{
    form f = form_of(r->at, r->nin);
    int first_const = f.nc + f.nx, n = 0, counts[3] = {0}, n_out = 0;
    size_t room = (size_t)(3 * r->nin + 3 * r->nout + 1);
    const agn_tensor **a = agni_zalloc(3 * room * sizeof *a);
    const agn_tensor **saved = a ? a + room : NULL, **y = a ? a + 2 * room : NULL;
    bool *gon = agni_zalloc((size_t)r->nout + 1);
    if (!a || !gon) {
        agn_scope_fail(s, agni_nomem("scan", room * sizeof *a));
        goto done;
    }
    emit_scan(s, body_saving, &f, f.nc, f.nx, f.nk, 2 * f.nc, f.length, f.reverse, r->x, saved);
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
    emit_scan(s, body_back, &q, counts[0], counts[1], counts[2], n_out, f.length, !f.reverse, a, y);
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
    const form *f;
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

static void batch_scan(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                       bool *bout)
{
    form f = form_of(r->at, r->nin);
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
            emit_scan(s, body_lanes, &q, f.nc, f.nx, f.nk, r->nout, f.length, f.reverse, a, out);
        for (int o = 0; o < r->nout && !agn_scope_status(s); o++) {
            if (o >= f.nc)
                out[o] = agni_move_axis(s, out[o], 1, 0);
            bout[o] = true;
        }
    }
    agni_free(a);
    agni_free(on);
}

#define ANY ((1u << AGN_NDTYPES) - 1)
const agni_op agni_op_scan = {.name = "scan",
                              .takes = "args* carried:i arrays:i results:i length:i reverse:b body:o",
                              .cls = AGNI_CONTROL, .nin = -1, .nout = -1,
                              .dtypes = ANY, .diff = ~0u, .ew = -1, .infer = infer_scan,
                              .eval = eval_scan, .jvp = jvp_scan, .vjp = vjp_scan,
                              .jet = jet_scan, .batch = batch_scan, .lo = -3, .hi = 3,
                              .doc = "a loop over slices"};

/* ---- the public function --------------------------------------------------------------------------- */

typedef struct made {
    agn_fn *step;
    int n_carry;
    int64_t length;
    bool reverse;
} made;
static void drop_made(void *data)
{
    made *m = data;
    agn_fn_release(m->step);
    agni_free(m);
}
static agn_status body_step(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    return agni_fn_run_in(user, s, in, out);
}
static agn_status run_scan(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const made *m = f->data;
    emit_scan(s, body_step, m->step, m->n_carry, f->n_in - m->n_carry, 0, f->n_out, m->length,
              m->reverse, in, out);
    return agn_scope_status(s);
}

agn_status agn_fn_scan(agn_fn **out, const agn_fn *step, int32_t n_carry, int64_t length,
                       bool reverse)
{
    if (!out || !step)
        return agni_fail(AGN_ENULL, "fn_scan: %s is NULL", out ? "step" : "out");
    if (n_carry < 0 || n_carry > step->n_in || n_carry > step->n_out || length < 0)
        return agni_fail(AGN_EARG, "fn_scan: %d carried values and %lld steps do not fit a step of %d "
                                   "arguments and %d results",
                         n_carry, (long long)length, step->n_in, step->n_out);
    made *m = agni_alloc(sizeof *m);
    if (!m)
        return agni_nomem("fn_scan", sizeof *m);
    *m = (made){agn_fn_retain(step), n_carry, length, reverse};
    agn_status st = agni_fn_make(out, run_scan, step->n_in, step->n_out, m, drop_made);
    if (st)
        drop_made(m);
    return st;
}
