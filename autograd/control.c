/* autograd/control.c - cond and scan: nodes over body programs. Their transforms make new
   nodes over transformed bodies, so the size of a program does not grow with the number of
   steps, and both branches are transformed only where no value chooses. */
#include "autograd/sweep.h"

#include <agnesi/control.h>
#include <string.h>

/* Bodies as a counted attribute; n_extra[b] further inputs belong to body b alone. */
typedef struct bodies {
    agni_obj head;
    agni_prog *p[2];
    int n_extra[2];
} bodies;

static void bodies_destroy(agni_obj *o)
{
    bodies *b = (bodies *)o;
    agni_prog_release(b->p[0]);
    agni_prog_release(b->p[1]);
    agni_free(b);
}
static const agni_obj_type bodies_type = {"bodies", bodies_destroy, NULL};
static const bodies *of(const agni_attr *at)
{
    return (const bodies *)at->obj;
}

static void describe(agni_meta *m, const agn_tensor *y, const int64_t *front)
{
    m->dtype = y->dtype;
    m->ndim = y->ndim + (front != NULL);
    if (front)
        m->shape[0] = *front;
    memcpy(m->shape + (front != NULL), y->shape, (size_t)y->ndim * sizeof *y->shape);
}
static bool same(const agn_tensor *a, const agn_tensor *b)
{
    return a->dtype == b->dtype && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape);
}

/* Everything an emitted node needs, gathered from up to two C bodies. */
typedef struct emission {
    bodies *b;
    agni_prog *live[2];
    const agn_tensor **extra[2];
} emission;

static void emission_close(emission *e)
{
    if (e->b)
        agni_obj_release(&e->b->head);
    for (int k = 0; k < 2; k++) {
        agni_prog_release(e->live[k]);
        agni_free(e->extra[k]);
    }
}

/* traces one body on symbols like in[] */
static agn_status add_body(emission *e, int k, agn_body *body, void *user, int n_in,
                           const agn_tensor *const *in, int n_out)
{
    uint64_t first;
    if (!e->b) {
        if (!(e->b = agni_zalloc(sizeof *e->b)))
            return agni_nomem("trace", sizeof *e->b);
        agni_ref_init(&e->b->head.ref);
        e->b->head.type = &bodies_type;
    }
    agn_status st = agni_trace_body(&e->live[k], &first, body, user, n_in, in, n_out, true);
    return st ? st
              : agni_prog_store(&e->b->p[k], e->live[k], &e->b->n_extra[k], &e->extra[k]);
}

/* ---- cond ----------------------------------------------------------------------------- */

extern const agni_op agni_op_cond;

typedef struct branch {
    agn_body *body;
    void *user;
} branch;

/* out[] = choice ? yes(in) : no(in); results are scope's */
static void emit_cond(agn_scope *s, const agn_tensor *choice, branch yes, branch no, int n_in,
                      const agn_tensor *const *in, int n_out, const agn_tensor **out)
{
    if (agn_scope_status(s))
        return;
    if (choice->st) { /* a value chooses: no node */
        int64_t v = 0;
        if (!agn_scope_fail(s, agn_item_i64(&v, choice)))
            agn_scope_fail(s, (v ? yes : no).body((v ? yes : no).user, s, in, out));
        return;
    }
    emission e = {NULL, {NULL, NULL}, {NULL, NULL}};
    const agn_tensor **arg = NULL;
    agn_status st = add_body(&e, 0, yes.body, yes.user, n_in, in, n_out);
    if (!st)
        st = add_body(&e, 1, no.body, no.user, n_in, in, n_out);
    for (int o = 0; !st && o < n_out; o++) {
        const agn_tensor *a = e.b->p[0]->val[e.b->p[0]->out[o]];
        const agn_tensor *b = e.b->p[1]->val[e.b->p[1]->out[o]];
        if (!same(a, b))
            st = agni_fail(a->dtype != b->dtype ? AGN_EDTYPE : AGN_ESHAPE,
                           "cond: result %d is %s %s in one branch, %s %s in the other", o,
                           agni_dtypes[a->dtype].name, AGNI_SHAPE(a), agni_dtypes[b->dtype].name,
                           AGNI_SHAPE(b));
    }
    int n = 1 + n_in;
    if (!st) {
        int total = n + e.b->n_extra[0] + e.b->n_extra[1];
        if (!(arg = agni_alloc((size_t)total * sizeof *arg)))
            st = agni_nomem("cond", (size_t)total * sizeof *arg);
    }
    if (!st) {
        arg[0] = choice;
        memcpy(arg + 1, in, (size_t)n_in * sizeof *arg);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < e.b->n_extra[k]; i++)
                arg[n++] = e.extra[k][i];
        int64_t ints[1] = {n_in};
        agni_apn(s, &agni_op_cond, &(agni_attr){.ni = 1, .i = ints, .obj = &e.b->head}, n, arg,
                 n_out, out);
    }
    agn_scope_fail(s, st);
    agni_free(arg);
    emission_close(&e);
}

static agn_status infer_cond(agni_call *c)
{
    const agn_tensor *choice = c->in[0];
    const agni_prog *p = of(c->at)->p[0];
    if (choice->dtype != AGN_BOOL || choice->ndim)
        return agni_fail(choice->ndim ? AGN_ESHAPE : AGN_EDTYPE,
                         "cond: the choice is %s %s, a bool [] is needed",
                         agni_dtypes[choice->dtype].name, AGNI_SHAPE(choice));
    for (int o = 0; o < c->nout; o++)
        describe(&c->meta[o], p->val[p->out[o]], NULL);
    return AGN_OK;
}

/* the inputs of body k among those of a cond node (without the choice) */
static void branch_inputs(const bodies *b, int k, int n_in, const agn_tensor *const *all,
                          const agn_tensor **in)
{
    memcpy(in, all, (size_t)n_in * sizeof *in);
    memcpy(in + n_in, all + n_in + (k ? b->n_extra[0] : 0), (size_t)b->n_extra[k] * sizeof *in);
}

static agn_status eval_cond(const agni_call *c, agn_tensor **out)
{
    const bodies *b = of(c->at);
    int64_t v = 0;
    agn_status st = agn_item_i64(&v, c->in[0]);
    int k = !v, n_in = (int)c->at->i[0];
    const agn_tensor **a = agni_alloc((size_t)(c->nin + c->nout) * sizeof *a);
    if (!st && !a)
        st = agni_nomem("cond", (size_t)(c->nin + c->nout) * sizeof *a);
    if (!st) {
        agn_scope *s = agn_scope_open(NULL);
        branch_inputs(b, k, n_in, c->in + 1, a);
        if (!agni_prog_replay(b->p[k], s, a, a + c->nin, NULL))
            for (int o = 0; o < c->nout; o++)
                agn_scope_return(s, out + o, a[c->nin + o]);
        st = agn_scope_close(s);
    }
    agni_free(a);
    return st;
}

/* A transformed branch: body k of a node, walked at inputs followed by seeds. */
typedef struct seeded {
    const agni_rule *r; /* of the cond or scan node */
    const bodies *b;
    int k, n_in;      /* inputs of the node before extras */
    const bool *on;   /* which inputs (after the choice) carry seeds or are wanted */
    int order;        /* of jets */
    const bool *gon;  /* which results carry cotangents */
} seeded;

static int count(const bool *on, int n)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        c += on[i];
    return c;
}

/* walks body k at in[0 .. n); seeds follow in in[] */
static agn_status walk_branch(const seeded *q, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out, char mode)
{
    const agni_prog *p = q->b->p[q->k];
    int n = q->r->nin - 1, K = q->order, per = mode == 'j' ? K + 1 : 1;
    const agn_tensor **x = agni_zalloc((size_t)(p->n_in + 1) * sizeof *x);
    /* seeds, then results: tangents of the outputs or cotangents of the inputs */
    const agn_tensor **t = agni_zalloc((size_t)(n + 2 * p->n_in + p->n_out + 1) *
                                       (size_t)per * sizeof *t);
    bool *on = agni_zalloc((size_t)(p->n_in + 1));
    int *from = agni_alloc((size_t)(p->n_in + 1) * sizeof *from);
    agni_walk w = {.p = NULL};
    if (!x || !t || !on || !from) {
        agn_scope_fail(s, agni_nomem("cond", (size_t)n * sizeof *t));
        goto done;
    }
    branch_inputs(q->b, q->k, q->n_in, in, x);
    for (int i = 0; i < p->n_in; i++) {
        from[i] = i < q->n_in ? i : i + (q->k ? q->b->n_extra[0] : 0);
        on[i] = q->on[from[i]];
    }
    const agn_tensor **ty = t + (size_t)(n + p->n_in) * (size_t)per;
    const agn_tensor *const *seed = in + n;
    if (mode == 'v') { /* seeds are cotangents of the results */
        for (int o = 0, m = 0; o < p->n_out; o++)
            t[o] = q->gon[o] ? seed[m++] : NULL;
        if (agni_walk_replay(&w, s, p, x, on)) {
            agni_sweep_vjp(&w, t, ty);
            int m = 0;
            for (int i = 0; i < n && !agn_scope_status(s); i++) {
                if (!q->on[i])
                    continue;
                out[m] = NULL;
                for (int k = 0; k < p->n_in; k++)
                    if (from[k] == i)
                        out[m] = ty[k];
                if (!out[m])
                    out[m] = agni_zeros_like(s, q->r->x[1 + i]);
                m++;
            }
        }
        goto done;
    }
    int coeffs = mode == 'j' ? K : 1, m = 0;
    for (int i = 0; i < n; i++) {
        if (!q->on[i])
            continue;
        for (int k = 0; k < p->n_in; k++)
            if (from[k] == i)
                for (int c = 0; c < coeffs; c++)
                    t[(size_t)k * (size_t)per + (size_t)(mode == 'j' ? c + 1 : 0)] = seed[m + c];
        m += coeffs;
    }
    for (int k = 0; mode == 'j' && k < p->n_in; k++)
        t[(size_t)k * (size_t)per] = x[k];
    if (agni_walk_replay(&w, s, p, x, on)) {
        if (mode == 'j')
            agni_sweep_jet(&w, K, t, ty);
        else
            agni_sweep_jvp(&w, t, ty);
        int k = 0;
        for (int o = 0; o < p->n_out && !agn_scope_status(s); o++)
            for (int c = 0; c < coeffs && agni_smooth(p->val[p->out[o]]); c++, k++) {
                const agn_tensor *y = ty[o * per + (mode == 'j' ? c + 1 : 0)];
                out[k] = y ? y : agni_zeros_like(s, p->val[p->out[o]]);
            }
    }
done:
    agni_walk_close(&w);
    agni_free(x);
    agni_free(t);
    agni_free(on);
    agni_free(from);
    return agn_scope_status(s);
}
static agn_status branch_jvp(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    return walk_branch(u, s, in, out, 'f');
}
static agn_status branch_vjp(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    return walk_branch(u, s, in, out, 'v');
}
static agn_status branch_jet(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    return walk_branch(u, s, in, out, 'j');
}

/* runs a transformed cond: arguments, then n_seed seeds */
static void cond_with(agn_scope *s, const agni_rule *r, agn_body *body, const bool *on,
                      const bool *gon, int order, const agn_tensor *const *seed, int n_seed,
                      int n_out, const agn_tensor **out)
{
    int n = r->nin - 1, n_in = (int)r->at->i[0];
    seeded q[2] = {{r, of(r->at), 0, n_in, on, order, gon}, {r, of(r->at), 1, n_in, on, order, gon}};
    const agn_tensor **a = agni_alloc((size_t)(n + n_seed + 1) * sizeof *a);
    if (!a) {
        agn_scope_fail(s, agni_nomem("cond", (size_t)(n + n_seed) * sizeof *a));
        return;
    }
    memcpy(a, r->x + 1, (size_t)n * sizeof *a);
    if (n_seed)
        memcpy(a + n, seed, (size_t)n_seed * sizeof *a);
    emit_cond(s, r->x[0], (branch){body, &q[0]}, (branch){body, &q[1]}, n + n_seed, a, n_out, out);
    agni_free(a);
}

static void jets_cond(agn_scope *s, const agni_rule *r, int K, const agn_tensor *const *c,
                      const agn_tensor **out, bool jet)
{
    int n = r->nin - 1, per = jet ? K + 1 : 1, coeffs = jet ? K : 1, m = 0, ny = 0;
    bool *on = agni_zalloc((size_t)n + 1);
    size_t room = (size_t)(n + r->nout + 1) * (size_t)coeffs;
    const agn_tensor **seed = agni_zalloc(2 * room * sizeof *seed), **y = seed ? seed + room : NULL;
    if (!on || !seed) {
        agn_scope_fail(s, agni_nomem("cond", room * sizeof *seed));
    } else {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < coeffs; k++)
                on[i] |= c[(1 + i) * per + (jet ? k + 1 : 0)] != NULL;
            for (int k = 0; on[i] && k < coeffs; k++) {
                const agn_tensor *t = c[(1 + i) * per + (jet ? k + 1 : 0)];
                seed[m++] = t ? t : agni_zeros_like(s, r->x[1 + i]);
            }
        }
        for (int o = 0; o < r->nout; o++)
            ny += agni_smooth(r->y[o]) ? coeffs : 0;
        cond_with(s, r, jet ? branch_jet : branch_jvp, on, NULL, K, seed, m, ny, y);
        for (int o = 0, k = 0; o < r->nout && !agn_scope_status(s); o++)
            for (int j = 0; agni_smooth(r->y[o]) && j < coeffs; j++)
                out[o * per + (jet ? j + 1 : 0)] = y[k++];
    }
    agni_free(on);
    agni_free(seed);
}
static void jvp_cond(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                     const agn_tensor **ty)
{
    jets_cond(s, r, 1, t, ty, false);
}
static void jet_cond(agn_scope *s, const agni_rule *r, int K, const agn_tensor *const *c,
                     const agn_tensor **out)
{
    jets_cond(s, r, K, c, out, true);
}
static void vjp_cond(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                     const bool *want, const agn_tensor **gx)
{
    int n = r->nin - 1, m = 0, nw = count(want + 1, n);
    bool *gon = agni_zalloc((size_t)r->nout + 1);
    const agn_tensor **seed = agni_zalloc((size_t)(r->nout + n + 1) * sizeof *seed);
    if (!gon || !seed) {
        agn_scope_fail(s, agni_nomem("cond", (size_t)n * sizeof *seed));
    } else {
        for (int o = 0; o < r->nout; o++) {
            gon[o] = g[o] != NULL;
            if (g[o])
                seed[m++] = g[o];
        }
        cond_with(s, r, branch_vjp, want + 1, gon, 0, seed, m, nw, seed + r->nout);
        m = r->nout;
        for (int i = 0; i < n && !agn_scope_status(s); i++)
            if (want[1 + i])
                gx[1 + i] = seed[m++];
    }
    agni_free(gon);
    agni_free(seed);
}

typedef struct mapped {
    const bodies *b;
    int k, n_in;
    int64_t lanes;
    const bool *on;
} mapped;
static agn_status branch_lanes(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const mapped *q = user;
    const agni_prog *p = q->b->p[q->k];
    const agn_tensor **x = agni_alloc((size_t)(p->n_in + 1) * sizeof *x);
    bool *on = agni_zalloc((size_t)(p->n_in + p->n_out + 1));
    if (!x || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)p->n_in * sizeof *x));
    } else {
        branch_inputs(q->b, q->k, q->n_in, in, x);
        for (int i = 0; i < p->n_in; i++)
            on[i] = q->on[i < q->n_in ? i : i + (q->k ? q->b->n_extra[0] : 0)];
        agni_sweep_batch(s, p, q->lanes, x, on, out, on + p->n_in);
        for (int o = 0; o < p->n_out && !agn_scope_status(s); o++)
            out[o] = agni_batch_one(s, out[o], on[p->n_in + o], q->lanes);
    }
    agni_free(x);
    agni_free(on);
    return agn_scope_status(s);
}

static void batch_cond(agn_scope *s, const agni_rule *r, int64_t lanes,
                       const agn_tensor *const *in, const bool *batched, const agn_tensor **out,
                       bool *bout)
{
    int n_in = (int)r->at->i[0];
    mapped q[2] = {{of(r->at), 0, n_in, lanes, batched + 1}, {of(r->at), 1, n_in, lanes, batched + 1}};
    for (int o = 0; o < r->nout; o++)
        bout[o] = true;
    if (!batched[0]) {
        emit_cond(s, in[0], (branch){branch_lanes, &q[0]}, (branch){branch_lanes, &q[1]},
                  r->nin - 1, in + 1, r->nout, out);
        return;
    }
    const agn_tensor **y = agni_zalloc(2 * (size_t)r->nout * sizeof *y);
    if (!y) {
        agn_scope_fail(s, agni_nomem("cond", 2 * (size_t)r->nout * sizeof *y));
        return;
    }
    branch_lanes(&q[0], s, in + 1, y);
    if (!agn_scope_status(s))
        branch_lanes(&q[1], s, in + 1, y + r->nout);
    for (int o = 0; o < r->nout && !agn_scope_status(s); o++)
        out[o] = agni_ap(s, &agni_op_where, NULL, 3,
                         (const agn_tensor *[]){agni_align(s, in[0], true, r->y[o]->ndim), y[o],
                                                y[r->nout + o]});
    agni_free(y);
}

const agni_op agni_op_cond = {.name = "cond", .takes = "choice args* shared:i bodies:o",
                              .cls = AGNI_CONTROL, .nin = -1, .nout = -1,
                              .dtypes = AGNI_ANY, .diff = ~0u, .ew = -1, .infer = infer_cond,
                              .eval = eval_cond, .jvp = jvp_cond, .vjp = vjp_cond,
                              .jet = jet_cond, .batch = batch_cond, .lo = -3, .hi = 3,
                              .doc = "one of two programs"};

/* ---- the public function ------------------------------------------------------------------ */

typedef struct two {
    agn_fn *f[2];
} two;
static void drop_two(void *data)
{
    two *t = data;
    agn_fn_release(t->f[0]);
    agn_fn_release(t->f[1]);
    agni_free(t);
}
static agn_status body_fn(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    return agni_fn_run_in(user, s, in, out);
}
static agn_status run_cond(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const two *t = f->data;
    if (in[0]->dtype != AGN_BOOL || in[0]->ndim)
        return agni_fail(in[0]->ndim ? AGN_ESHAPE : AGN_EDTYPE,
                         "cond: the choice is %s %s, a bool [] is needed",
                         agni_dtypes[in[0]->dtype].name, AGNI_SHAPE(in[0]));
    emit_cond(s, in[0], (branch){body_fn, t->f[0]}, (branch){body_fn, t->f[1]}, f->n_in - 1,
              in + 1, f->n_out, out);
    return agn_scope_status(s);
}

agn_status agn_fn_cond(agn_fn **out, const agn_fn *if_true, const agn_fn *if_false)
{
    if (!out || !if_true || !if_false)
        return agni_fail(AGN_ENULL, "fn_cond: %s is NULL",
                         !out ? "out" : !if_true ? "if_true" : "if_false");
    if (if_true->n_in != if_false->n_in || if_true->n_out != if_false->n_out)
        return agni_fail(AGN_EARG, "fn_cond: one function has %d arguments and %d results, the other %d "
                                   "and %d",
                         if_true->n_in, if_true->n_out, if_false->n_in, if_false->n_out);
    two *t = agni_alloc(sizeof *t);
    if (!t)
        return agni_nomem("fn_cond", sizeof *t);
    *t = (two){{agn_fn_retain(if_true), agn_fn_retain(if_false)}};
    agn_status st = agni_fn_make(out, run_cond, 1 + if_true->n_in, if_true->n_out, t, drop_two);
    if (st)
        drop_two(t);
    return st;
}
