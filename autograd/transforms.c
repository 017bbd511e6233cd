/* autograd/transforms.c - functions of functions: record, walk, hand over. */
#include "autograd/sweep.h"

#include <agnesi/autograd.h>
#include <string.h>

/* What a transformed function remembers. */
typedef struct made {
    agn_fn *f;
    int32_t n, order;
    int32_t *list; /* argument numbers, axes or orders */
} made;

static void drop_made(void *data)
{
    made *m = data;
    agn_fn_release(m->f);
    agni_free(m->list);
    agni_free(m);
}

static agn_status make(agn_fn **out, agni_fn_run *run, const agn_fn *f, int n_in, int n_out, int n,
                       const int32_t *list, int len, int order)
{
    made *m = agni_zalloc(sizeof *m);
    int32_t *copy = agni_alloc((size_t)(len ? len : 1) * sizeof *copy);
    if (!m || !copy) {
        agni_free(m);
        agni_free(copy);
        return agni_nomem("transform", sizeof *m);
    }
    if (len)
        memcpy(copy, list, (size_t)len * sizeof *copy);
    *m = (made){agn_fn_retain(f), n, order, copy};
    agn_status st = agni_fn_make(out, run, n_in, n_out, m, drop_made);
    if (st)
        drop_made(m);
    return st;
}

static agn_status need(const char *op, const void *out, const agn_fn *f)
{
    if (!out || !f)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "f" : "out");
    return AGN_OK;
}

static const int32_t first_only[1] = {0};

static agn_status check_argnums(const char *op, const agn_fn *f, const int32_t **argnums,
                                int32_t *n)
{
    if (!*argnums) {
        *argnums = first_only;
        *n = 1;
    }
    if (*n < 1)
        return agni_fail(AGN_EARG, "%s: %d arguments are named; f has %d", op, *n, f->n_in);
    for (int i = 0; i < *n; i++) {
        int a = (*argnums)[i];
        if (a < 0 || a >= f->n_in)
            return agni_fail(AGN_EINDEX, "%s: there is no argument %d; f has %d", op, a, f->n_in);
        for (int k = 0; k < i; k++)
            if ((*argnums)[k] == a)
                return agni_fail(AGN_EARG, "%s: argument %d is named twice among %d", op, a, *n);
    }
    return AGN_OK;
}

/* a result of its own reference, so that it outlives the program */
static const agn_tensor *own(agn_scope *s, const agn_tensor *x)
{
    return x ? agn_scope_adopt(s, AGN_OK, agni_tensor_ref(x)) : NULL;
}

/* ---- one recorded call ---------------------------------------------------------------------- */

typedef struct recorded {
    agni_prog *p;
    uint64_t first;
    agni_walk w;
} recorded;

static bool record(recorded *r, agn_scope *s, const agn_fn *f, const agn_tensor *const *in,
                   const bool *want)
{
    *r = (recorded){.p = NULL};
    if (agn_scope_status(s) || agn_scope_fail(s, agni_trace(&r->p, &r->first, f, in, false)))
        return false;
    return agni_walk_open(&r->w, s, r->p, r->first, want);
}
static void forget(recorded *r)
{
    agni_walk_close(&r->w);
    agni_prog_release(r->p);
}
static const agn_tensor *result(recorded *r, agn_scope *s, int o)
{
    return own(s, r->w.prim[r->p->out[o]]);
}
static const agn_tensor *or_zero(agn_scope *s, const agn_tensor *x, const agn_tensor *like)
{
    return x ? own(s, x) : agni_zeros_like(s, like);
}

static bool *wanted(agn_scope *s, int n_in, int n, const int32_t *list)
{
    bool *want = agni_zalloc((size_t)n_in + 1);
    if (!want)
        agn_scope_fail(s, agni_nomem("transform", (size_t)n_in));
    for (int i = 0; want && i < n; i++)
        want[list[i]] = true;
    return want;
}

static agn_status check_same(const char *op, const char *what, int i, const agn_tensor *t,
                             const agn_tensor *x)
{
    if (t->ndim != x->ndim || memcmp(t->shape, x->shape, (size_t)x->ndim * sizeof *x->shape))
        return agni_fail(AGN_ESHAPE, "%s: %s %d is %s, its value %s", op, what, i, AGNI_SHAPE(t),
                         AGNI_SHAPE(x));
    return AGN_OK;
}

/* ---- grad -------------------------------------------------------------------------------------- */

static agn_status check_scalar(const agn_tensor *y)
{
    if (y->ndim)
        return agni_fail(AGN_ESHAPE, "grad: the result must be a scalar []; it is %s",
                         AGNI_SHAPE(y));
    if (agni_kind(y->dtype) != AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE, "grad: the result is %s; a real floating dtype is needed for %s",
                         agni_dtypes[y->dtype].name, AGNI_SHAPE(y));
    return AGN_OK;
}

static agn_status run_gradient(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out, bool values)
{
    const made *m = f->data;
    for (int i = 0; i < m->n; i++)
        if (!agni_smooth(in[m->list[i]]))
            return agni_fail(AGN_EDTYPE, "grad: argument %d is %s; a floating dtype is needed",
                             m->list[i], agni_dtypes[in[m->list[i]]->dtype].name);
    bool *want = wanted(s, m->f->n_in, m->n, m->list);
    const agn_tensor **g = agni_zalloc((size_t)(m->f->n_in + m->f->n_out) * sizeof *g);
    recorded r = {.p = NULL};
    if (!g)
        agn_scope_fail(s, agni_nomem("grad", (size_t)m->f->n_in * sizeof *g));
    if (want && g && record(&r, s, m->f, in, want)) {
        const agn_tensor *y = r.w.prim[r.p->out[0]], **gx = g + m->f->n_out;
        if (!agn_scope_fail(s, check_scalar(y))) {
            g[0] = agni_full_like(s, 1, y);
            agni_sweep_vjp(&r.w, g, gx);
        }
        int k = 0;
        for (int o = 0; values && o < m->f->n_out; o++)
            out[k++] = result(&r, s, o);
        for (int i = 0; i < m->n && !agn_scope_status(s); i++)
            out[k++] = or_zero(s, gx[m->list[i]], in[m->list[i]]);
    }
    forget(&r);
    agni_free(want);
    agni_free(g);
    return agn_scope_status(s);
}
static agn_status run_grad(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    return run_gradient(f, s, in, out, false);
}
static agn_status run_value_and_grad(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                     const agn_tensor **out)
{
    return run_gradient(f, s, in, out, true);
}

agn_status agn_fn_grad(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n)
{
    agn_status st = need("fn_grad", out, f);
    if (!st)
        st = check_argnums("fn_grad", f, &argnums, &n);
    return st ? st : make(out, run_grad, f, f->n_in, n, n, argnums, n, 0);
}
agn_status agn_fn_value_and_grad(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n)
{
    agn_status st = need("fn_value_and_grad", out, f);
    if (!st)
        st = check_argnums("fn_value_and_grad", f, &argnums, &n);
    return st ? st : make(out, run_value_and_grad, f, f->n_in, f->n_out + n, n, argnums, n, 0);
}

/* ---- jvp, vjp, hvp ---------------------------------------------------------------------------------- */

/* t[n_in] may have NULLs; y may be NULL */
static agn_status push(const char *op, const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor *const *t, const agn_tensor **y, const agn_tensor **ty)
{
    const agn_tensor **all = agni_zalloc((size_t)(f->n_in + f->n_out + 1) * sizeof *all);
    bool *want = agni_zalloc((size_t)f->n_in + 1);
    recorded r = {.p = NULL};
    if (!all || !want)
        agn_scope_fail(s, agni_nomem(op, (size_t)f->n_in * sizeof *all));
    for (int i = 0; all && want && i < f->n_in && !agn_scope_status(s); i++) {
        want[i] = t[i] != NULL && agni_smooth(in[i]);
        if (want[i] && !agn_scope_fail(s, check_same(op, "tangent", i, t[i], in[i])))
            all[i] = agni_cast(s, t[i], in[i]->dtype);
    }
    if (all && want && record(&r, s, f, in, want)) {
        agni_sweep_jvp(&r.w, all, all + f->n_in);
        for (int o = 0; o < f->n_out && !agn_scope_status(s); o++) {
            const agn_tensor *v = result(&r, s, o);
            if (y)
                y[o] = v;
            ty[o] = or_zero(s, all[f->n_in + o], v);
        }
    }
    forget(&r);
    agni_free(all);
    agni_free(want);
    return agn_scope_status(s);
}

static agn_status run_jvp(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const made *m = f->data;
    return push("jvp", m->f, s, in, in + m->f->n_in, out, out + m->f->n_out);
}
agn_status agn_fn_jvp(agn_fn **out, const agn_fn *f)
{
    agn_status st = need("fn_jvp", out, f);
    return st ? st : make(out, run_jvp, f, 2 * f->n_in, 2 * f->n_out, 0, NULL, 0, 0);
}

static agn_status run_vjp(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const made *m = f->data;
    int ni = m->f->n_in, no = m->f->n_out;
    const agn_tensor **g = agni_zalloc((size_t)(ni + no + 1) * sizeof *g);
    recorded r = {.p = NULL};
    if (!g)
        agn_scope_fail(s, agni_nomem("vjp", (size_t)(ni + no) * sizeof *g));
    if (g && record(&r, s, m->f, in, NULL)) {
        for (int o = 0; o < no && !agn_scope_status(s); o++) {
            out[o] = result(&r, s, o);
            if (agni_smooth(out[o]) &&
                !agn_scope_fail(s, check_same("vjp", "cotangent", o, in[ni + o], out[o])))
                g[o] = agni_cast(s, in[ni + o], out[o]->dtype);
        }
        agni_sweep_vjp(&r.w, g, g + no);
        for (int i = 0; i < ni && !agn_scope_status(s); i++)
            out[no + i] = or_zero(s, g[no + i], in[i]);
    }
    forget(&r);
    agni_free(g);
    return agn_scope_status(s);
}
agn_status agn_fn_vjp(agn_fn **out, const agn_fn *f)
{
    agn_status st = need("fn_vjp", out, f);
    return st ? st
              : make(out, run_vjp, f, f->n_in + f->n_out, f->n_out + f->n_in, 0, NULL, 0, 0);
}

static agn_status run_hvp(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const made *m = f->data; /* m->f is the gradient */
    int ni = m->f->n_in;
    const agn_tensor **t = agni_zalloc((size_t)(ni + 1) * sizeof *t);
    if (!t)
        return agni_nomem("hvp", (size_t)ni * sizeof *t);
    for (int i = 0; i < m->n; i++)
        t[m->list[i]] = in[ni + i];
    agn_status st = push("hvp", m->f, s, in, t, NULL, out);
    agni_free(t);
    return st;
}
agn_status agn_fn_hvp(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n)
{
    agn_fn *g = NULL;
    agn_status st = need("fn_hvp", out, f);
    if (!st)
        st = check_argnums("fn_hvp", f, &argnums, &n);
    if (!st)
        st = agn_fn_grad(&g, f, argnums, n);
    if (!st)
        st = make(out, run_hvp, g, f->n_in + n, n, n, argnums, n, 0);
    agn_fn_release(g);
    return st;
}

/* ---- Jacobians ---------------------------------------------------------------------------------------- */

typedef struct linear_map {
    recorded *r;
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
        out[0] = or_zero(s, a[q->ni], w.prim[w.p->out[0]]);
    } else {
        a[0] = in[0];
        agni_sweep_vjp(&w, a, a + q->no);
        out[0] = or_zero(s, a[q->no + q->argnum], w.prim[q->argnum]);
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
    const made *m = f->data;
    const agn_tensor *x = in[m->list[0]];
    if (!agni_smooth(x))
        return agni_fail(AGN_EDTYPE, "jacobian: argument %d is %s; a floating dtype is needed",
                         m->list[0], agni_dtypes[x->dtype].name);
    bool *want = wanted(s, m->f->n_in, 1, m->list);
    recorded r = {.p = NULL};
    agni_prog *p = NULL;
    if (want && record(&r, s, m->f, in, want)) {
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
            out[0] = j ? own(s, joined(s, j, y, x, q.forward)) : NULL;
        }
    }
    forget(&r);
    agni_prog_release(p);
    agni_free(want);
    return agn_scope_status(s);
}

static agn_status check_argnum(const char *op, const void *out, const agn_fn *f, int32_t argnum)
{
    agn_status st = need(op, out, f);
    if (!st && (argnum < 0 || argnum >= f->n_in))
        st = agni_fail(AGN_EINDEX, "%s: there is no argument %d; f has %d", op, argnum, f->n_in);
    return st;
}

agn_status agn_fn_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_status st = check_argnum("fn_jacobian", out, f, argnum);
    return st ? st : make(out, run_jacobian, f, f->n_in, 1, 1, &argnum, 1, 0);
}

agn_status agn_fn_hessian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_fn *g = NULL;
    agn_status st = check_argnum("fn_hessian", out, f, argnum);
    if (!st)
        st = agn_fn_grad(&g, f, &argnum, 1);
    if (!st)
        st = agn_fn_jacobian(out, g, argnum);
    agn_fn_release(g);
    return st;
}

/* ---- vmap -------------------------------------------------------------------------------------------------- */

/* arguments with the batch axis in front; lane[i] describes one lane */
static int64_t to_front(agn_scope *s, const made *m, const agn_tensor *const *in,
                        const agn_tensor **front, const agn_tensor **lane, bool *on)
{
    int64_t lanes = -1;
    for (int i = 0; i < m->f->n_in && !agn_scope_status(s); i++) {
        int axis = m->list[i];
        front[i] = lane[i] = in[i];
        on[i] = axis != AGN_UNBATCHED;
        if (!on[i])
            continue;
        if (agn_scope_fail(s, agni_axis("vmap", axis, in[i]->ndim, &axis)))
            break;
        if (lanes >= 0 && in[i]->shape[axis] != lanes)
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "vmap: argument %d has %lld lanes, others %lld", i,
                                        (long long)in[i]->shape[axis], (long long)lanes));
        lanes = in[i]->shape[axis];
        front[i] = agni_move_axis(s, in[i], axis, 0);
        if (!front[i])
            break;
        agn_tensor *h = agni_tensor_header(in[i]->dtype, in[i]->ndim - 1, front[i]->shape + 1);
        lane[i] = agn_scope_adopt(s, h ? AGN_OK : agni_nomem("vmap", sizeof *h), h);
    }
    if (lanes < 0 && !agn_scope_status(s))
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "vmap: no argument of %d has a batch axis",
                                    m->f->n_in));
    return lanes;
}

static agn_status run_vmap(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const made *m = f->data;
    int ni = m->f->n_in, no = m->f->n_out;
    const agn_tensor **a = agni_zalloc((size_t)(2 * ni + no + 1) * sizeof *a);
    bool *on = agni_zalloc((size_t)(ni + no + 1));
    agni_prog *p = NULL;
    uint64_t first;
    if (!a || !on) {
        agn_scope_fail(s, agni_nomem("vmap", (size_t)ni * sizeof *a));
    } else {
        const agn_tensor **y = a + 2 * ni;
        int64_t lanes = to_front(s, m, in, a, a + ni, on);
        if (!agn_scope_status(s) &&
            !agn_scope_fail(s, agni_trace(&p, &first, m->f, a + ni, true)))
            agni_sweep_batch(s, p, lanes, a, on, y, on + ni);
        for (int o = 0; o < no && !agn_scope_status(s); o++) {
            int axis = m->list[ni + o];
            if (axis == AGN_UNBATCHED && on[ni + o]) {
                agn_scope_fail(s, agni_fail(AGN_ESHAPE, "vmap: result %d of %d differs between lanes: it "
                                                        "has a batch axis",
                                            o, no));
            } else if (axis == AGN_UNBATCHED) {
                out[o] = own(s, y[o]);
            } else {
                const agn_tensor *b = agni_batch_one(s, y[o], on[ni + o], lanes);
                if (b && !agn_scope_fail(s, agni_axis("vmap", axis, b->ndim, &axis)))
                    out[o] = own(s, agni_move_axis(s, b, 0, axis));
            }
        }
    }
    agni_prog_release(p);
    agni_free(a);
    agni_free(on);
    return agn_scope_status(s);
}

agn_status agn_fn_vmap(agn_fn **out, const agn_fn *f, const int32_t *in_axes,
                       const int32_t *out_axes)
{
    agn_status st = need("fn_vmap", out, f);
    if (st)
        return st;
    int n = f->n_in + f->n_out;
    int32_t *axes = agni_zalloc((size_t)n * sizeof *axes);
    if (!axes)
        return agni_nomem("fn_vmap", (size_t)n * sizeof *axes);
    if (in_axes)
        memcpy(axes, in_axes, (size_t)f->n_in * sizeof *axes);
    if (out_axes)
        memcpy(axes + f->n_in, out_axes, (size_t)f->n_out * sizeof *axes);
    st = make(out, run_vmap, f, f->n_in, f->n_out, 0, axes, n, 0);
    agni_free(axes);
    return st;
}

/* ---- jets ----------------------------------------------------------------------------------------------------- */

/* c[i * (K + 1) + k], NULL for zero; y[o * (K + 1) + k] likewise, k = 0 the value */
static agn_status expand(const agn_fn *f, agn_scope *s, int K, const agn_tensor *const *c,
                         const agn_tensor **y)
{
    const agn_tensor **x = agni_zalloc((size_t)(f->n_in + 1) * sizeof *x);
    recorded r = {.p = NULL};
    if (!x)
        return agn_scope_fail(s, agni_nomem("jet", (size_t)f->n_in * sizeof *x));
    for (int i = 0; i < f->n_in && !agn_scope_status(s); i++) {
        x[i] = c[i * (K + 1)];
        for (int k = 1; k <= K && agni_smooth(x[i]); k++)
            if (c[i * (K + 1) + k])
                agn_scope_fail(s, check_same("jet", "coefficient", k, c[i * (K + 1) + k], x[i]));
    }
    if (record(&r, s, f, x, NULL)) {
        agni_sweep_jet(&r.w, K, c, y);
        for (int o = 0; o < f->n_out && !agn_scope_status(s); o++) {
            y[o * (K + 1)] = result(&r, s, o);
            for (int k = 1; k <= K; k++)
                y[o * (K + 1) + k] = own(s, y[o * (K + 1) + k]);
        }
    }
    forget(&r);
    agni_free(x);
    return agn_scope_status(s);
}

static agn_status run_jet(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const made *m = f->data;
    int n = m->order + 1;
    const agn_tensor **c = agni_zalloc((size_t)(m->f->n_in * n + 1) * sizeof *c);
    if (!c)
        return agni_nomem("jet", (size_t)(m->f->n_in * n) * sizeof *c);
    for (int i = 0; i < m->f->n_in * n && !agn_scope_status(s); i++) /* in the dtype of x */
        c[i] = i % n && agni_smooth(in[i - i % n]) ? agni_cast(s, in[i], in[i - i % n]->dtype)
                                                   : in[i];
    agn_status st = expand(m->f, s, m->order, c, out);
    for (int o = 0; !st && o < m->f->n_out * n; o++)
        if (!out[o])
            out[o] = agni_zeros_like(s, out[o - o % n]);
    agni_free(c);
    return agn_scope_status(s);
}

agn_status agn_fn_jet(agn_fn **out, const agn_fn *f, int32_t order)
{
    agn_status st = need("fn_jet", out, f);
    if (!st && (order < 1 || order > 64))
        st = agni_fail(AGN_EARG, "fn_jet: order %d is not in 1 to %d", order, 64);
    return st ? st
              : make(out, run_jet, f, f->n_in * (order + 1), f->n_out * (order + 1), 0, NULL, 0,
                     order);
}

/* ---- partial derivatives ------------------------------------------------------------------------------------ */

/* d^m/dx_axis^m of the first result of f, as a function: one jet along the axis */
typedef struct along {
    const agn_fn *f;
    int argnum, axis, order; /* results: derivatives 0 to order of the first result */
    bool last;               /* only the highest one */
} along;

static const agn_tensor *unit(agn_scope *s, const agn_tensor *x, int axis)
{
    /* ones in one column */
    int64_t d = x->shape[x->ndim - 1];
    agn_tensor *e = NULL, *row = NULL;
    agn_status st = agn_eye(&e, x->dtype, 1, d, axis);
    const agn_tensor *eye = agni_constant(s, st, e);
    st = eye ? agn_squeeze(&row, eye, 0) : AGN_OK;
    const agn_tensor *r = agn_scope_adopt(s, st, row);
    return r ? agni_broadcast(s, r, x->ndim, x->shape) : NULL;
}

static agn_status derive(const along *q, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    int K = q->order, n = K + 1, ni = q->f->n_in, no = q->f->n_out;
    const agn_tensor **c = agni_zalloc((size_t)((ni + no) * n) * sizeof *c);
    if (!c)
        return agni_nomem("partials", (size_t)(ni * n) * sizeof *c);
    for (int i = 0; i < ni; i++)
        c[i * n] = in[i];
    c[q->argnum * n + 1] = unit(s, in[q->argnum], q->axis);
    const agn_tensor **y = c + ni * n;
    if (!agn_scope_status(s))
        expand(q->f, s, K, c, y);
    double factorial = 1;
    for (int k = 0; k <= K && !agn_scope_status(s); k++) {
        factorial *= k ? k : 1;
        const agn_tensor *t = y[k] ? y[k] : agni_zeros_like(s, y[0]);
        if (t && factorial != 1)
            t = agni_ap(s, &agni_op_mul, NULL, 2,
                        (const agn_tensor *[]){t, agni_literal(s, factorial)});
        if (!q->last)
            out[k] = t;
        else if (k == K)
            out[0] = t;
    }
    agni_free(c);
    return agn_scope_status(s);
}

static agn_status run_along(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    return derive(f->data, s, in, out);
}

/* a mixed derivative: pure ones along one axis after the other, each of the one before */
static const agn_tensor *mixed(const made *m, agn_scope *s, const agn_tensor *const *in,
                               const int32_t *alpha, int d)
{
    agn_fn *g[AGNI_MAX_RANK];
    along q[AGNI_MAX_RANK];
    const agn_fn *f = m->f;
    const agn_tensor *y = NULL;
    int n = 0;
    for (int j = 0; j < d && n < AGNI_COUNT(q) && !agn_scope_status(s); j++) {
        if (!alpha[j])
            continue;
        q[n] = (along){f, m->order, j, alpha[j], true};
        if (agn_scope_fail(s, agni_fn_make(&g[n], run_along, f->n_in, 1, &q[n], NULL)))
            break;
        f = g[n++];
    }
    if (!agn_scope_status(s))
        agni_fn_run_in(f, s, in, &y);
    while (n)
        agn_fn_release(g[--n]);
    return y;
}

/* list: d, then n rows of d orders */
static agn_status run_partials(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const made *m = f->data;
    int d = m->list[0];
    const int32_t *alpha = m->list + 1;
    const agn_tensor *x = in[m->order];
    if (x->ndim < 1 || x->shape[x->ndim - 1] != d)
        return agni_fail(AGN_ESHAPE, "partials: argument %d is %s, %d columns are needed", m->order,
                         AGNI_SHAPE(x), d);
    for (int j = 0; j < d && !agn_scope_status(s); j++) {
        /* one jet serves all pure derivatives along j */
        int top = 0;
        for (int q = 0; q < m->n; q++) {
            int total = 0;
            for (int k = 0; k < d; k++)
                total += alpha[q * d + k];
            if (alpha[q * d + j] == total && total > top)
                top = total;
        }
        if (!top)
            continue;
        const agn_tensor *y[16];
        along along_j = {m->f, m->order, j, top, false};
        if (derive(&along_j, s, in, y))
            break;
        out[0] = out[0] ? out[0] : y[0];
        for (int q = 0; q < m->n; q++) {
            int total = 0;
            for (int k = 0; k < d; k++)
                total += alpha[q * d + k];
            if (total && alpha[q * d + j] == total)
                out[1 + q] = y[total];
        }
    }
    for (int q = 0; q < m->n && !agn_scope_status(s); q++)
        if (!out[1 + q])
            out[1 + q] = mixed(m, s, in, alpha + q * d, d);
    if (!out[0] && !agn_scope_status(s))
        out[0] = mixed(m, s, in, (const int32_t[AGNI_MAX_RANK]){0}, 0);
    return agn_scope_status(s);
}

agn_status agn_fn_partials(agn_fn **out, const agn_fn *f, int32_t argnum, int32_t d,
                           const int32_t *alpha, int32_t n)
{
    agn_status st = check_argnum("fn_partials", out, f, argnum);
    if (st)
        return st;
    if (!alpha && n)
        return agni_fail(AGN_ENULL, "fn_partials: alpha is NULL, n is %d", n);
    if (d < 1 || n < 0 || n > 1 << 16)
        return agni_fail(AGN_EARG, "fn_partials: %d columns and %d derivatives are not possible", d, n);
    for (int q = 0; q < n; q++) {
        int total = 0;
        for (int j = 0; j < d; j++) {
            int a = alpha[q * d + j];
            if (a < 0 || (total += a) > 10)
                return agni_fail(AGN_EARG, "fn_partials: derivative %d has order %d in column %d; 0 to 10 "
                                           "in all are possible",
                                 q, a, j);
        }
    }
    int32_t *list = agni_alloc((size_t)(1 + n * d) * sizeof *list);
    if (!list)
        return agni_nomem("fn_partials", (size_t)(n * d) * sizeof *list);
    list[0] = d;
    if (n)
        memcpy(list + 1, alpha, (size_t)(n * d) * sizeof *list);
    st = make(out, run_partials, f, f->n_in, 1 + n, n, list, 1 + n * d, argnum);
    agni_free(list);
    return st;
}

/* ---- the tape view ---------------------------------------------------------------------------------------------- */

static agn_status check_tape(agn_tensor **out, const agn_tensor *const *ys, int n_y,
                             const agn_tensor *const *xs, int n_x, uint64_t *first)
{
    if (!out || !ys || !xs)
        return agni_fail(AGN_ENULL, "gradient: %s is NULL", !out ? "out" : !ys ? "ys" : "xs");
    if (n_y < 1 || n_x < 1)
        return agni_fail(AGN_EARG, "gradient: %d results of %d arguments: at least one each", n_y,
                         n_x);
    *first = UINT64_MAX;
    for (int i = 0; i < n_y; i++)
        if (!ys[i])
            return agni_fail(AGN_ENULL, "gradient: ys[%d] of %d is NULL", i, n_y);
    for (int i = 0; i < n_x; i++) {
        if (!xs[i])
            return agni_fail(AGN_ENULL, "gradient: xs[%d] of %d is NULL", i, n_x);
        if (!xs[i]->node)
            return agni_fail(AGN_EARG, "gradient: xs[%d] %s is not watched", i, AGNI_SHAPE(xs[i]));
        if (!agni_smooth(xs[i]))
            return agni_fail(AGN_EDTYPE, "gradient: xs[%d] is %s; a floating dtype is needed", i,
                             agni_dtypes[xs[i]->dtype].name);
        *first = xs[i]->node->id < *first ? xs[i]->node->id : *first;
    }
    return AGN_OK;
}

/* Is some x computed from another? Then each needs a walk of its own, since a leaf hides what
   is behind it. */
static bool independent(const agn_tensor *const *xs, int n_x, uint64_t first)
{
    for (int i = 0; i < n_x && n_x > 1; i++)
        if (xs[i]->node->op != &agni_op_watch ||
            (xs[i]->node->nin && xs[i]->node->in[0]->node &&
             xs[i]->node->in[0]->node->id >= first))
            return false;
    return true;
}

static void gradient_of(agn_scope *s, const agn_tensor *const *ys, int n_y,
                        const agn_tensor *const *g, const agn_tensor *const *xs, int n_x,
                        uint64_t first, const agn_tensor **gx)
{
    agni_prog *p = NULL;
    agni_walk w = {.p = NULL};
    if (!agn_scope_status(s) && !agn_scope_fail(s, agni_prog_gather(&p, n_x, xs, n_y, ys, first)) &&
        agni_walk_open(&w, s, p, first, NULL)) {
        agni_sweep_vjp(&w, g, gx);
        for (int i = 0; i < n_x && !agn_scope_status(s); i++) {
            for (int k = 0; k < i && !gx[i]; k++) /* an x named again */
                if (xs[k]->node == xs[i]->node && xs[k]->out == xs[i]->out)
                    gx[i] = gx[k];
            gx[i] = or_zero(s, gx[i], xs[i]);
        }
    }
    agni_walk_close(&w);
    agni_prog_release(p);
}

agn_status agn_gradient(agn_tensor *out[], const agn_tensor *const *ys, int32_t n_y,
                        const agn_tensor *const *xs, int32_t n_x,
                        const agn_tensor *const *cotangents)
{
    uint64_t first = 0;
    agn_status st = check_tape(out, ys, n_y, xs, n_x, &first);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **g = agni_zalloc((size_t)(n_y + n_x) * sizeof *g);
    if (!g)
        agn_scope_fail(s, agni_nomem("gradient", (size_t)(n_y + n_x) * sizeof *g));
    for (int o = 0; o < n_y && g && !agn_scope_status(s); o++) {
        const agn_tensor *c = cotangents ? cotangents[o] : NULL;
        if (!agni_smooth(ys[o]))
            continue;
        if (!c)
            g[o] = agni_full_like(s, 1, ys[o]);
        else if (!agn_scope_fail(s, check_same("gradient", "cotangent", o, c, ys[o])))
            g[o] = agni_cast(s, c, ys[o]->dtype);
    }
    if (g && independent(xs, n_x, first))
        gradient_of(s, ys, n_y, g, xs, n_x, first, g + n_y);
    else
        for (int i = 0; g && i < n_x; i++)
            gradient_of(s, ys, n_y, g, xs + i, 1, xs[i]->node->id, g + n_y + i);
    for (int i = 0; g && i < n_x && !agn_scope_status(s); i++)
        agn_scope_return(s, out + i, g[n_y + i]);
    agni_free(g);
    return agn_scope_close(s);
}
