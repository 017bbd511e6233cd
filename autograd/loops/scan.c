/* scan.c - scan and while nodes: shape inference and evaluation. */
#include "autograd/loops/scan.h"

#include <string.h>

typedef struct loop {
    agni_obj head;
    agni_prog *p;
    agni_obj *part[2]; /* of a merged loop: the two it replaces, whose guards must hold */
    agni_plan_slot plan;
} loop;
static void loop_destroy(agni_obj *o)
{
    loop *l = (loop *)o;
    agni_prog_release(l->p);
    for (int i = 0; i < 2; i++)
        if (l->part[i])
            agni_obj_release(l->part[i]);
    agni_plan_release(atomic_load(&l->plan));
    agni_free(o);
}
static int loop_programs(const agni_obj *o, int i, const agni_prog **p)
{
    (void)i;
    if (p)
        *p = ((const loop *)o)->p;
    return 1;
}
static agni_obj *loop_with_programs(const agni_obj *o, agni_prog *const *p)
{
    (void)o; /* only plans merge loops */
    return agni_loop_new(p[0], NULL);
}
static const agni_obj_type loop_type = {
    .name = "body", .destroy = loop_destroy, .programs = loop_programs, .over = loop_with_programs};

static agn_status check_loop_guards(const loop *l)
{
    agn_status st = agni_prog_check_guards(l->p);
    for (int i = 0; i < 2 && !st && l->part[i]; i++)
        st = check_loop_guards((const loop *)l->part[i]);
    return st;
}
agn_status agni_loop_check_guards(const agni_attr *at)
{
    return check_loop_guards((const loop *)at->obj);
}

agni_scan agni_scan_describe(const agni_op *op, const agni_attr *at, int nin)
{
    const int64_t *i = at->i;
    const agni_prog *p = ((const loop *)at->obj)->p;
    int nc = (int)i[0];
    if (op == &agni_op_while)
        return (agni_scan){.nc = nc,
                           .nk = nin - nc,
                           .length = i[1],
                           .keep = i[2],
                           .open = true,
                           .p = p};
    return (agni_scan){.nc = nc,
                       .nx = (int)i[1],
                       .ny = (int)i[2],
                       .nk = nin - nc - (int)i[1],
                       .length = i[3],
                       .reverse = i[4] != 0,
                       .keep = i[5],
                       .p = p};
}

const agn_tensor *agni_slice_like(agn_scope *s, const agn_tensor *x)
{
    agn_tensor *h = agni_tensor_header(x->dtype, x->ndim - 1, x->shape + 1);
    return agn_scope_adopt(s, h ? AGN_OK : agni_nomem("scan", sizeof *h), &h);
}

const agn_tensor *agni_slice_at(agn_scope *s, const agn_tensor *x, int64_t i)
{
    agn_tensor *y = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agn_index_axis(&y, x, 0, i);
    return agn_scope_adopt(s, st, &y);
}

/* ---- the node -------------------------------------------------------------------- */

static agn_status infer_scan(agni_call *c)
{
    agni_scan f = agni_scan_describe(c->op, c->at, c->nin);
    for (int o = 0; o < c->nout; o++) {
        const agn_tensor *y = f.p->val[f.p->out[o]];
        agni_meta *m = &c->meta[o];
        bool stacked = o >= f.nc;
        m->dtype = y->dtype;
        m->ndim = y->ndim + stacked;
        if (m->ndim > AGNI_MAX_RANK)
            return agni_fail(AGN_ESHAPE, "%s: a result has rank %d, above %d",
                             c->op->name, m->ndim, AGN_MAX_RANK);
        m->shape[0] = f.length;
        memcpy(m->shape + stacked, y->shape, (size_t)y->ndim * sizeof *y->shape);
    }
    return AGN_OK;
}

/* copies y to row i of the stacked result */
agn_status agni_store_step(agn_tensor *stack, const agn_tensor *y, int64_t i)
{
    agn_tensor *slot = NULL, *z = NULL;
    agn_status st = agni_tensor_view(&slot, stack, y->ndim, y->shape, stack->stride + 1,
                                     i * stack->stride[0]);
    if (!st && y->uncommitted)
        st = agni_copy_to_device(&z, y, agni_tensor_device(stack));
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

/* device of stacked results: that of the first argument bound to one */
agn_status agni_loop_cancelled(const char *op, int64_t step, int64_t length)
{
    return length < 0 ? agni_fail(AGN_ECANCELLED, "%s: stopped at step %lld", op, (long long)step)
                      : agni_fail(AGN_ECANCELLED, "%s: stopped at step %lld of %lld", op,
                                  (long long)step, (long long)length);
}

int32_t agni_loop_device(const agni_call *c)
{
    for (int i = 0; i < c->nin; i++)
        if (c->in[i]->st && !c->in[i]->uncommitted)
            return agni_tensor_device(c->in[i]);
    return AGN_CPU;
}

/* another step? */
static bool has_next_step(agn_scope *s, const agni_scan *f, int64_t step, const agn_tensor *goes_on)
{
    int64_t v = 0;
    if (agn_scope_status(s) || (f->length >= 0 && step >= f->length))
        return false;
    return !f->open || (!agn_scope_fail(s, agn_item_i64(&v, goes_on)) && v);
}

static agn_status eval_scan(const agni_call *c, agn_tensor **out)
{
    agni_scan f = agni_scan_describe(c->op, c->at, c->nin);
    int ni = f.p->n_in, no = f.p->n_out;
    agn_status st = agni_loop_check_guards(c->at);
    if (st)
        return st;
    if (agni_loop_is_plannable(&f, c))
        return agni_loop_run_plan(&((loop *)c->at->obj)->plan, (agni_prog *)(uintptr_t)f.p, &f, c,
                                  out);
    agn_scope *keep = agn_scope_open(NULL), *s = NULL;
    const agn_tensor **a = agni_zalloc((size_t)(ni + no + f.nc + 1) * sizeof *a);
    agn_tensor **stack = agni_zalloc((size_t)(c->nout + 1) * sizeof *stack);
    if (!a || !stack)
        agn_scope_fail(keep, agni_nomem(c->op->name, (size_t)(ni + no) * sizeof *a));
    for (int o = f.nc; o < c->nout && !agn_scope_status(keep); o++)
        agn_scope_fail(keep,
                       agni_tensor_make(&stack[o], c->op->name, c->meta[o].dtype, c->meta[o].ndim,
                                        c->meta[o].shape, agni_loop_device(c)));
    agn_tensor **carry = stack; /* the first nc entries: carried values */
    for (int i = 0; i < f.nc && !agn_scope_status(keep); i++)
        carry[i] = agni_tensor_ref(c->in[i]);
    for (int64_t step = 0; has_next_step(keep, &f, step, carry ? carry[0] : NULL); step++) {
        int64_t at = f.reverse ? f.length - 1 - step : step;
        s = agn_scope_open(keep);
        for (int i = 0; i < f.nc; i++)
            a[i] = carry[i];
        for (int i = 0; i < f.nx; i++)
            a[f.nc + i] = agni_slice_at(s, c->in[f.nc + i], at);
        for (int i = f.nc + f.nx; i < ni; i++)
            a[i] = c->in[i];
        if (!agn_scope_status(s) && !agni_prog_replay(f.p, s, a, a + ni, NULL)) {
            for (int o = f.nc; o < no && !agn_scope_status(s); o++)
                agn_scope_fail(s, agni_store_step(stack[o], a[ni + o], at));
            for (int i = 0; i < f.nc; i++)
                a[ni + no + i] = agni_tensor_ref(a[ni + i]);
            for (int i = 0; i < f.nc; i++) {
                agn_release(carry[i]);
                carry[i] = (agn_tensor *)(uintptr_t)a[ni + no + i];
            }
        }
        if (agn_scope_close(s) == AGN_OK && agni_check_interrupt())
            agn_scope_fail(keep, agni_loop_cancelled(c->op->name, step, f.length));
    }
    for (int o = 0; o < c->nout && !agn_scope_status(keep); o++)
        agn_scope_return(keep, out + o, stack[o]);
    for (int o = 0; stack && o < c->nout; o++)
        agn_scope_adopt(keep, AGN_OK, &stack[o]);
    agni_free(a);
    agni_free(stack);
    return agn_scope_close(keep);
}

/* carried values keep their shapes and dtypes */
static agn_status check_carried(const char *op, const agni_prog *p, int nc,
                                const agn_tensor *const *in)
{
    for (int i = 0; i < nc; i++) {
        const agn_tensor *y = p->val[p->out[i]];
        if (y->dtype != in[i]->dtype || !agni_same_shape(y, in[i]))
            return agni_fail(
                y->dtype != in[i]->dtype ? AGN_EDTYPE : AGN_ESHAPE,
                "%s: carried value %d is %s %s before a step, %s %s after it", op, i,
                agni_dtypes[in[i]->dtype].name, AGNI_SHAPE(in[i]),
                agni_dtypes[y->dtype].name, AGNI_SHAPE(y));
    }
    return AGN_OK;
}

agni_obj *agni_loop_new(agni_prog *p, agni_obj *const *part)
{
    loop *l = agni_zalloc(sizeof *l);
    if (!l)
        return NULL;
    agni_ref_init(&l->head.ref);
    l->head.type = &loop_type;
    l->p = p;
    for (int i = 0; i < 2 && part; i++)
        l->part[i] = agni_obj_retain(part[i]);
    atomic_init(&l->plan, NULL);
    return &l->head;
}

void agni_scan_emit(agn_scope *s, agn_body *body, void *user, agni_scan f,
                    const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_op *op = f.open ? &agni_op_while : &agni_op_scan;
    int n = f.nc + f.nx + f.nk, n_out = f.nc + f.ny, n_extra = 0;
    agni_prog *live = NULL, *p = NULL;
    agni_obj *l = NULL;
    const agn_tensor **extra = NULL, **a = agni_alloc((size_t)(n + 1) * sizeof *a);
    agn_status st = agn_scope_status(s);
    if (!st && !a)
        st = agni_nomem(op->name, (size_t)n * sizeof *a);
    for (int i = 0; !st && i < n; i++) {
        bool arr = i >= f.nc && i < f.nc + f.nx;
        if (arr && (in[i]->ndim < 1 || in[i]->shape[0] != f.length))
            st = agni_fail(AGN_ESHAPE,
                           "%s: array %d is %s; its first axis must be %lld", op->name,
                           i - f.nc, AGNI_SHAPE(in[i]), (long long)f.length);
        else
            a[i] = arr ? agni_slice_like(s, in[i]) : in[i];
        st = st ? st : agn_scope_status(s);
    }
    uint64_t first;
    if (!st)
        st = agni_trace_body(&live, &first, body, user, n, a, n_out, true);
    if (!st && f.drop) {
        n_out = f.drop(user, live);
        f.ny = n_out - f.nc;
    }
    if (!st)
        st = agni_prog_store(&p, live, &n_extra, &extra);
    if (!st)
        st = check_carried(op->name, p, f.nc, in);
    if (!st) {
        const agn_tensor **room = agni_realloc(a,
                                               (size_t)(n + n_extra + 1) * sizeof *a);
        if (room)
            a = room;
        if (!room || !(l = agni_loop_new(p, NULL)))
            st = agni_nomem(op->name, (size_t)(n + n_extra) * sizeof *a);
    }
    if (!st) {
        p = NULL; /* the loop's */
        memcpy(a, in, (size_t)n * sizeof *a);
        for (int i = 0; i < n_extra; i++)
            a[n + i] = extra[i];
        int64_t scan[] = {f.nc, f.nx, f.ny, f.length, f.reverse, f.keep};
        int64_t open[] = {f.nc, f.length, f.keep};
        agni_attr at = {.ni = f.open ? AGNI_COUNT(open) : AGNI_COUNT(scan),
                        .i = f.open ? open : scan,
                        .obj = l};
        agni_apply_many_in(s, op, &at, n + n_extra, a, n_out, out);
    }
    agn_scope_fail(s, st);
    if (l)
        agni_obj_release(l);
    agni_prog_release(live);
    agni_prog_release(p);
    agni_free(extra);
    agni_free(a);
}

#define LOOP(name_, takes_, vjp_, batch_) \
    AGNI_CONTROL_ROW(name_, takes_), .infer = infer_scan, .eval = eval_scan, .jvp = agni_scan_jvp, \
                                     .vjp = vjp_, .jet = agni_scan_jet, .batch = batch_, \
                                     .merge = agni_merge_loops
static agni_loop_shape shape_of_scan(const agni_attr *at)
{
    return (agni_loop_shape){(int)at->i[0], -1, at->i[3]};
}
static agni_loop_shape shape_of_while(const agni_attr *at)
{
    return (agni_loop_shape){(int)at->i[0], AGNI_GOES_ON, at->i[1]};
}
const agni_op agni_op_scan = {
    LOOP("scan", "args* carried:i arrays:i results:i length:i reverse:b keep:i body:o",
         agni_scan_vjp, agni_scan_batch),
    .loop = shape_of_scan, .doc = "a loop over slices"};
const agni_op agni_op_while = {
    LOOP("while", "args* carried:i bound:i keep:i body:o", agni_while_vjp, agni_while_batch),
    .loop = shape_of_while, .doc = "a loop until a value says stop"};
