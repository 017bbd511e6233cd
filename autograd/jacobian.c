/* autograd/jacobian.c - all derivatives at once: a linear program over the lanes of an identity. */
#include "autograd/transform.h"

typedef struct linear_map {
    agni_recorded *r;
    int argnum, ni, no;
    bool forward;
} linear_map;

static agn_status body_linear(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const linear_map *q = user;
    agni_walk w = q->r->w;
    const agn_tensor **a = agni_zalloc((size_t)(q->ni + q->no + 1) * sizeof *a);
    if (!a)
        return agni_nomem("jacobian", (size_t)(q->ni + q->no) * sizeof *a);
    w.s = s;
    if (q->forward) {
        a[q->argnum] = in[0];
        agni_sweep_jvp(&w, a, a + q->ni);
        out[0] = agni_or_zero(s, a[q->ni], w.prim[w.p->out[0]]);
    } else {
        a[0] = in[0];
        agni_sweep_vjp(&w, a, a + q->no);
        out[0] = agni_or_zero(s, a[q->no + q->argnum], w.prim[q->argnum]);
    }
    agni_free(a);
    return agn_scope_status(s);
}

/* rows of the identity, each in the shape of x */
static const agn_tensor *basis(agn_scope *s, const agn_tensor *x)
{
    agn_tensor *e = NULL;
    int64_t shape[AGNI_MAX_RANK + 1] = {x->size};
    agn_status st = agn_eye(&e, x->dtype, x->size, x->size, 0);
    const agn_tensor *eye = agni_constant(s, st, e);
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    return eye ? agni_reshape(s, eye, x->ndim + 1, shape) : NULL;
}

static const agn_tensor *joined(agn_scope *s, const agn_tensor *j, const agn_tensor *y,
                                const agn_tensor *x, bool forward)
{
    int64_t shape[2 * AGNI_MAX_RANK];
    memcpy(shape, y->shape, (size_t)y->ndim * sizeof *shape);
    memcpy(shape + y->ndim, x->shape, (size_t)x->ndim * sizeof *shape);
    if (forward)
        j = agni_move_axis(s, agni_reshape(s, j, 2, (int64_t[]){x->size, y->size}), 0, 1);
    return j ? agni_reshape(s, j, y->ndim + x->ndim, shape) : NULL;
}

static agn_status run_jacobian(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agni_made *m = f->data;
    const agn_tensor *x = in[m->list[0]];
    if (!agni_smooth(x))
        return agni_fail(AGN_EDTYPE, "jacobian: argument %d is %s; a floating dtype is needed",
                         m->list[0], agni_dtypes[x->dtype].name);
    bool *want = agni_wanted(s, m->f->n_in, 1, m->list);
    agni_recorded r = {.p = NULL};
    agni_prog *p = NULL;
    if (want && agni_record_call(&r, s, m->f, in, want)) {
        const agn_tensor *y = r.w.prim[r.p->out[0]];
        linear_map q = {&r, m->list[0], m->f->n_in, m->f->n_out, x->size <= y->size};
        uint64_t first;
        const agn_tensor *seed = q.forward ? x : y;
        if (x->ndim + y->ndim > AGNI_MAX_RANK)
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "jacobian: %s by %s has a rank above %d",
                                        AGNI_SHAPE(y), AGNI_SHAPE(x), AGN_MAX_RANK));
        else if (x->size == 0 || y->size == 0) {
            const agn_tensor *none = agni_full(s, 0, y->dtype, 1, (int64_t[]){0});
            out[0] = none ? joined(s, none, y, x, false) : NULL;
        } else if (!agn_scope_fail(s, agni_trace_body(&p, &first, body_linear, &q, 1, &seed, 1,
                                                      true))) {
            const agn_tensor *e = basis(s, seed), *j = NULL;
            bool on = true, jon = false;
            if (e)
                agni_sweep_batch(s, p, seed->size, &e, &on, &j, &jon);
            j = agni_batch_one(s, j, jon, seed->size);
            out[0] = j ? agni_own(s, joined(s, j, y, x, q.forward)) : NULL;
        }
    }
    agni_forget(&r);
    agni_prog_release(p);
    agni_free(want);
    return agn_scope_status(s);
}

agn_status agn_fn_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_status st = agni_check_argnum("fn_jacobian", out, f, argnum);
    return st ? st : agni_make(out, run_jacobian, f, f->n_in, 1, 1, &argnum, 1, 0);
}

agn_status agn_fn_hessian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_fn *g = NULL;
    agn_status st = agni_check_argnum("fn_hessian", out, f, argnum);
    if (!st)
        st = agn_fn_grad(&g, f, &argnum, 1);
    if (!st)
        st = agn_fn_jacobian(out, g, argnum);
    agn_fn_release(g);
    return st;
}
