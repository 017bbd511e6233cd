/* checkpointed_reverse.c - reverse loop within given memory: binomial checkpointing (revolve;
   Griewank & Walther 2000, algorithm 799). At most keep states are held, the others are
   recomputed from the nearest one. */
#include "autograd/loops/reverse/reverse_scan.h"

#include <agnesi/control.h>
#include <string.h>

static int64_t count_kept_states(const agni_reverse_scan *b)
{
    int64_t keep = b->keep;
    if (keep == AGN_KEEP_LOG)
        for (keep = 1; b->length >> keep; keep++)
            ;
    return keep < b->length ? keep : b->length;
}

/* ---- the node -------------------------------------------------------------------- */

agni_reverse_scan agni_reverse_scan_describe(const agni_attr *at, int nin, int nout)
{
    const int64_t *i = at->i;
    agni_reverse_scan b = {.nl = (int)i[0],
                           .nc = (int)i[1],
                           .nx = (int)i[2],
                           .ng = (int)i[3],
                           .length = i[4],
                           .keep = i[5],
                           .reverse = i[6] != 0};
    b.nk = nin - b.nl - b.nc - b.nx - b.ng;
    b.ny = nout - b.nl;
    return b;
}

static agn_status infer_back(agni_call *c)
{
    const agni_prog *p = agni_subprograms_of(c->at)->at[1].p;
    int nl = (int)c->at->i[0];
    for (int o = 0; o < c->nout; o++) {
        const agn_tensor *y = p->val[p->out[o]];
        agni_meta *m = &c->meta[o];
        bool stacked = o >= nl;
        m->dtype = y->dtype;
        m->ndim = y->ndim + stacked;
        if (m->ndim > AGNI_MAX_RANK)
            return agni_fail(AGN_ESHAPE, "%s: a result has rank %d, above %d",
                             c->op->name, m->ndim, AGN_MAX_RANK);
        m->shape[0] = c->at->i[4];
        memcpy(m->shape + stacked, y->shape, (size_t)y->ndim * sizeof *y->shape);
    }
    return AGN_OK;
}

enum { FORWARD, BACKWARD, N_STEPS };

/* An evaluation. state[j * nc] is what step at[j] begins with; those above the last
   kept are the working one. */
typedef struct reverse_run {
    const agni_call *c;
    agni_reverse_scan b;
    const agni_prog *body[N_STEPS];
    agni_plan *plan[N_STEPS]; /* and where they run, for long loops over values of the CPU */
    agni_workspace *w[N_STEPS];
    agn_scope *keep;
    const agn_tensor **in;       /* of the node, row-major for plans */
    agn_tensor **state, **carry; /* carry: nl carried, then the stacks */
    int64_t *at, n_kept;
    const agn_tensor **a; /* arguments and results of a step */
    void **data;          /* where these are */
    bool cancelled;
} reverse_run;

static int64_t slice_index(const reverse_run *r, int64_t step)
{
    return r->b.reverse ? r->b.length - 1 - step : step;
}

static bool check_interrupt(reverse_run *r, agn_scope *s, int64_t step)
{
    if (agn_scope_close(s) == AGN_OK && (r->cancelled || agni_check_interrupt()))
        agn_scope_fail(r->keep, agni_loop_cancelled(r->c->op->name, step, r->b.length));
    return !agn_scope_status(r->keep);
}

/* with[] may be a permutation of old[] */
static void replace_values(agn_tensor **old, const agn_tensor *const *with, int n)
{
    for (int i = 0; i < n; i++)
        agni_tensor_ref(with[i]);
    for (int i = 0; i < n; i++) {
        agn_release(old[i]);
        old[i] = (agn_tensor *)(uintptr_t)with[i];
    }
}

/* runs a body on a[0 .. n - 1]; its results follow in a[] */
static bool run_body(reverse_run *r, agn_scope *s, int way, int n)
{
    const agni_plan *p = r->plan[way];
    if (agn_scope_status(s) || !r->w[way])
        return !agn_scope_status(s) &&
               !agni_prog_replay(r->body[way], s, r->a, r->a + n, NULL);
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++) {
        const agn_tensor *like = p->out[o];
        agn_tensor *y = p->lent[o] < 0 ? NULL : agni_tensor_ref(r->a[p->lent[o]]);
        agn_status st = y ? AGN_OK
                          : agni_tensor_make(&y, r->c->op->name, like->dtype, like->ndim,
                                             like->shape, AGN_CPU);
        r->data[o] = st ? NULL : y->data;
        r->a[n + o] = agn_scope_adopt(s, st, &y);
    }
    if (agn_scope_status(s))
        return false;
    agn_status st = agni_plan_run(r->plan[way], r->w[way], r->a, r->data);
    r->cancelled = st == AGN_ECANCELLED;
    return r->cancelled ? false : !agn_scope_fail(s, st);
}

/* state[] moves on by one step; it may be the same memory as from[] */
static bool run_forward_step(reverse_run *r, agn_tensor **state, agn_tensor *const *from,
                             int64_t step)
{
    const agni_reverse_scan *b = &r->b;
    const agn_tensor *const *x = r->in + b->nl + b->nc;
    agn_scope *s = agn_scope_open(r->keep);
    int n = 0;
    for (int i = 0; i < b->nc; i++)
        r->a[n++] = from[i];
    for (int i = 0; i < b->nx; i++)
        r->a[n++] = agni_slice_at(s, x[i], slice_index(r, step));
    for (int i = 0; i < b->nk; i++)
        r->a[n++] = x[b->nx + b->ng + i];
    if (run_body(r, s, FORWARD, n))
        replace_values(state, r->a + n, b->nc);
    return check_interrupt(r, s, step);
}

static bool run_reverse_step(reverse_run *r, agn_tensor *const *state, int64_t step)
{
    const agni_reverse_scan *b = &r->b;
    const agn_tensor *const *x = r->in + b->nl + b->nc;
    agn_scope *s = agn_scope_open(r->keep);
    int n = 0;
    for (int i = 0; i < b->nl; i++)
        r->a[n++] = r->carry[i];
    for (int i = 0; i < b->nc; i++)
        r->a[n++] = state[i];
    for (int i = 0; i < b->nx + b->ng; i++)
        r->a[n++] = agni_slice_at(s, x[i], slice_index(r, step));
    for (int i = 0; i < b->nk; i++)
        r->a[n++] = x[b->nx + b->ng + i];
    if (run_body(r, s, BACKWARD, n)) {
        for (int o = b->nl; o < r->c->nout && !agn_scope_status(s); o++)
            agn_scope_fail(s, agni_store_step(r->carry[o], r->a[n + o], slice_index(r, step)));
        replace_values(r->carry, r->a + n, b->nl);
    }
    return check_interrupt(r, s, step);
}

/* from the last step to the first: the last kept state is carried on to the step
   wanted, keeping states on the way while there is room */
static void run_backward(reverse_run *r, int64_t keep)
{
    int nc = r->b.nc;
    bool ok = true;
    for (int64_t end = r->b.length; ok && end > 0; end--) {
        int64_t step = r->at[r->n_kept - 1];
        agn_tensor **from = r->state + (r->n_kept - 1) * nc;
        while (ok && step < end - 1) {
            agn_tensor **state = r->state + r->n_kept * nc;
            int64_t room = keep - r->n_kept, stop = step + agni_revolve_split(end - step, room + 1);
            for (; ok && step < stop; step++, from = state)
                ok = run_forward_step(r, state, from, step);
            if (room > 0)
                r->at[r->n_kept++] = step;
        }
        ok = ok && run_reverse_step(r, from, end - 1);
        if (r->n_kept > 1 && r->at[r->n_kept - 1] == end - 1)
            r->n_kept--;
    }
}

/* the arguments, and plans of the bodies where there is time for them */
static agn_status open_plans(reverse_run *r, agni_subprograms *bodies)
{
    bool plans = agni_loop_is_plannable(&(agni_scan){.length = r->b.length}, r->c);
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < r->c->nin; i++) {
        agn_tensor *x = NULL;
        if (plans)
            st = agn_contiguous(&x, r->c->in[i]);
        r->in[i] = plans ? x : agni_tensor_ref(r->c->in[i]);
    }
    for (int way = 0; !st && plans && way < N_STEPS; way++) {
        st = agni_prog_check_guards(bodies->at[way].p);
        st = st ? st
                : agni_plan_make_once(&r->plan[way], &bodies->at[way].plan, bodies->at[way].p,
                                      r->b.nk);
        st = st ? st : agni_plan_enter(r->plan[way], &r->w[way]);
    }
    return st;
}
static void close_plans(reverse_run *r)
{
    for (int i = 0; i < r->c->nin; i++)
        agn_release((agn_tensor *)(uintptr_t)r->in[i]);
    for (int way = 0; way < N_STEPS; way++)
        agni_plan_leave(r->plan[way], r->w[way]);
}

static agn_status eval_back(const agni_call *c, agn_tensor **out)
{
    agni_subprograms *bodies = (agni_subprograms *)(uintptr_t)agni_subprograms_of(c->at);
    reverse_run r = {.c = c,
                     .b = agni_reverse_scan_describe(c->at, c->nin, c->nout),
                     .body = {bodies->at[FORWARD].p, bodies->at[BACKWARD].p},
                     .keep = agn_scope_open(NULL),
                     .n_kept = 1};
    int64_t keep = count_kept_states(&r.b), slots = (keep + 1) * r.b.nc;
    size_t width = (size_t)(2 * c->nin + c->nout + 1),
           bytes = (size_t)(slots + 1) * sizeof *r.state;
    r.state = agni_zalloc(bytes);
    r.at = agni_zalloc((size_t)(keep + 1) * sizeof *r.at);
    r.carry = agni_zalloc((size_t)(c->nout + 1) * sizeof *r.carry);
    r.a = agni_zalloc(2 * width * sizeof *r.a);
    r.in = r.a ? r.a + width : NULL;
    r.data = agni_zalloc((size_t)(c->nin + c->nout + 1) * sizeof *r.data);
    bool ok = r.state && r.at && r.carry && r.a && r.data;
    agn_scope_fail(r.keep, ok ? open_plans(&r, bodies) : agni_nomem(c->op->name, bytes));
    for (int o = r.b.nl; ok && o < c->nout && !agn_scope_status(r.keep); o++)
        agn_scope_fail(r.keep,
                       agni_tensor_make(&r.carry[o], c->op->name, c->meta[o].dtype, c->meta[o].ndim,
                                        c->meta[o].shape, agni_loop_device(c)));
    if (ok && !agn_scope_status(r.keep)) {
        replace_values(r.carry, r.in, r.b.nl);
        replace_values(r.state, r.in + r.b.nl, r.b.nc);
        run_backward(&r, keep);
    }
    for (int o = 0; o < c->nout && !agn_scope_status(r.keep); o++)
        agn_scope_return(r.keep, out + o, r.carry[o]);
    for (int o = 0; ok && o < c->nout; o++)
        agn_scope_adopt(r.keep, AGN_OK, &r.carry[o]);
    for (int64_t i = 0; ok && i < slots; i++)
        agn_release(r.state[i]);
    agni_free(r.state);
    agni_free(r.at);
    agni_free(r.carry);
    if (ok)
        close_plans(&r);
    agni_free(r.a);
    agni_free(r.data);
    return agn_scope_close(r.keep);
}

/* ---- making one ------------------------------------------------------------------ */

static void emit_checkpointed(agn_scope *s, const agni_reverse_scan_steps *q,
                              const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_reverse_scan *b = q->b;
    int first_const = b->nl + b->nc + b->nx + b->ng, n_in = first_const + b->nk;
    int n_forward = b->nc + b->nx + b->nk;
    const agn_tensor **a = agni_zalloc((size_t)(n_in + n_forward + 1) * sizeof *a), **f = a + n_in;
    agni_traced_bodies t = {NULL, NULL, NULL};
    if (!a) {
        agn_scope_fail(s, agni_nomem("scan_back", (size_t)n_in * sizeof *a));
        return;
    }
    for (int i = 0; i < n_in && !agn_scope_status(s); i++)
        a[i] = i >= b->nl + b->nc && i < first_const ? agni_slice_like(s, in[i]) : in[i];
    memcpy(f, a + b->nl, (size_t)(b->nc + b->nx) * sizeof *a);
    memcpy(f + b->nc + b->nx, a + first_const, (size_t)b->nk * sizeof *a);
    if (!agn_scope_status(s) &&
        agni_subprograms_trace(&t, s, "scan_back", 2, (agni_c_body[]){q->forward, q->backward},
                               (int[]){n_forward, n_in}, (const agn_tensor *const *[]){f, a},
                               (int[]){b->nc, b->nl + b->ny})) {
        int64_t ints[] = {b->nl, b->nc, b->nx, b->ng, b->length, b->keep, b->reverse};
        if (t.b->at[0].n_extra + t.b->at[1].n_extra)
            agn_scope_fail(
                s,
                agni_fail(AGN_EUNSUPPORTED,
                          "scan_back: a step captures %d recorded tensors beside its "
                          "%d arguments; keep all states",
                          t.b->at[0].n_extra + t.b->at[1].n_extra, n_in));
        else
            agni_subprograms_apply(&t, s, &agni_op_scan_back, AGNI_COUNT(ints), ints, 0, NULL, n_in,
                                   in, b->nl + b->ny, out);
    }
    agni_subprograms_close(&t);
    agni_free(a);
}

void agni_reverse_scan_emit(agn_scope *s, agni_c_body forward, agni_c_body backward,
                            agni_reverse_scan b, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agni_reverse_scan_steps q = {&b, forward, backward};
    if (agn_scope_status(s))
        return;
    if (b.keep)
        emit_checkpointed(s, &q, in, out);
    else
        agni_two_scans_body(&q, s, in, out);
}

const agni_op agni_op_scan_back = {
    AGNI_CONTROL_ROW("scan_back", "args* carried:i states:i arrays:i seeds:i length:i "
                                  "keep:i reverse:b bodies:o"),
    .infer = infer_back,
    .eval = eval_back,
    .jvp = agni_reverse_scan_jvp,
    .vjp = agni_reverse_scan_vjp,
    .jet = agni_reverse_scan_jet,
    .batch = agni_reverse_scan_batch,
    .doc = "a loop backwards that keeps few states",
};
