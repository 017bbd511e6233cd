/* autograd/scan.c - loops over slices as one node, and the function that makes them. */
#include "autograd/scan.h"

#include <agnesi/control.h>
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

agni_scan agni_scan_of(const agni_attr *at, int nin)
{
    const int64_t *i = at->i;
    return (agni_scan){(int)i[0],
                       (int)i[1],
                       (int)i[2],
                       nin - (int)i[0] - (int)i[1],
                       i[3],
                       i[4] != 0,
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
    agni_scan f = agni_scan_of(c->at, c->nin);
    for (int o = 0; o < c->nout; o++) {
        const agn_tensor *y = f.p->val[f.p->out[o]];
        agni_meta *m = &c->meta[o];
        bool stacked = o >= f.nc;
        m->dtype = y->dtype;
        m->ndim = y->ndim + stacked;
        if (m->ndim > AGNI_MAX_RANK)
            return agni_fail(AGN_ESHAPE, "scan: a result has rank %d, above %d",
                             m->ndim, AGN_MAX_RANK);
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
    agni_scan f = agni_scan_of(c->at, c->nin);
    int ni = f.p->n_in, no = f.p->n_out;
    agn_scope *keep = agn_scope_open(NULL), *s = NULL;
    const agn_tensor **a = agni_zalloc((size_t)(ni + no + f.nc) * sizeof *a);
    agn_tensor **stack = agni_zalloc((size_t)(c->nout + 1) * sizeof *stack);
    if (!a || !stack)
        agn_scope_fail(keep, agni_nomem("scan", (size_t)(ni + no) * sizeof *a));
    for (int o = f.nc; o < c->nout && !agn_scope_status(keep); o++)
        agn_scope_fail(keep,
                       agni_tensor_make(&stack[o], "scan", c->meta[o].dtype,
                                        c->meta[o].ndim, c->meta[o].shape, home(c)));
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
            agn_scope_fail(keep, agni_fail(AGN_ECANCELLED,
                                           "scan: stopped at step %lld of %lld",
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

void agni_scan_emit(agn_scope *s, agn_body *body, void *user, int nc, int nx, int nk,
                    int n_out, int64_t length, bool reverse,
                    const agn_tensor *const *in, const agn_tensor **out)
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
            st = agni_fail(AGN_ESHAPE,
                           "scan: array %d is %s; its first axis must be %lld", i - nc,
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
            st = agni_fail(
                y->dtype != in[i]->dtype ? AGN_EDTYPE : AGN_ESHAPE,
                "scan: carried value %d is %s %s before a step, %s %s after it", i,
                agni_dtypes[in[i]->dtype].name, AGNI_SHAPE(in[i]),
                agni_dtypes[y->dtype].name, AGNI_SHAPE(y));
    }
    if (!st) {
        const agn_tensor **more = agni_realloc(a,
                                               (size_t)(n + n_extra + 1) * sizeof *a);
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
        agni_apn(s, &agni_op_scan, &(agni_attr){.ni = 5, .i = ints, .obj = &l->head},
                 n + n_extra, a, n_out, out);
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

const agni_op agni_op_scan = {
    .name = "scan",
    .takes = "args* carried:i arrays:i results:i length:i reverse:b body:o",
    .cls = AGNI_CONTROL,
    .nin = -1,
    .nout = -1,
    .dtypes = AGNI_ANY,
    .diff = ~0u,
    .ew = -1,
    .infer = infer_scan,
    .eval = eval_scan,
    .jvp = agni_scan_jvp,
    .vjp = agni_scan_vjp,
    .jet = agni_scan_jet,
    .batch = agni_scan_batch,
    .lo = -3,
    .hi = 3,
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
    agni_scan_emit(s, body_step, m->step, m->n_carry, f->n_in - m->n_carry, 0, f->n_out,
                   m->length, m->reverse, in, out);
    return agn_scope_status(s);
}

agn_status agn_fn_scan(agn_fn **out, const agn_fn *step, int32_t n_carry,
                       int64_t length, bool reverse)
{
    if (!out || !step)
        return agni_fail(AGN_ENULL, "fn_scan: %s is NULL", out ? "step" : "out");
    if (n_carry < 0 || n_carry > step->n_in || n_carry > step->n_out || length < 0)
        return agni_fail(
            AGN_EARG,
            "fn_scan: %d carried values and %lld steps do not fit a step of %d "
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
