/* linearize.c - linearize: the linear part of a function at a point, as functions of tangents
   and of cotangents. */
#include "autograd/transforms/transform.h"

/* ---- the linear part of a recorded call ----------------------------------------------------- */

static const agn_tensor **alloc_seeds(const agni_linear_map *q)
{
    return agni_zalloc((size_t)(q->r->p->n_in + q->r->p->n_out + 1) *
                       sizeof(const agn_tensor *));
}

agn_status agni_linear_map_push(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const agni_linear_map *q = user;
    const agn_tensor **a = alloc_seeds(q);
    agni_traversal w = q->r->w;
    if (!a)
        return agni_nomem("linearize", (size_t)w.p->n_in * sizeof *a);
    w.s = s;
    for (int i = 0; i < q->n; i++)
        a[q->list[i]] = in[i];
    agni_traverse_jvp(&w, a, a + w.p->n_in);
    for (int o = 0; o < q->n_y && !agn_scope_status(s); o++)
        out[o] = agni_or_zero(s, a[w.p->n_in + q->y[o]], w.prim[w.p->out[q->y[o]]]);
    agni_free(a);
    return agn_scope_status(s);
}

agn_status agni_linear_map_pull(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    const agni_linear_map *q = user;
    const agn_tensor **a = alloc_seeds(q);
    agni_traversal w = q->r->w;
    if (!a)
        return agni_nomem("linearize", (size_t)w.p->n_in * sizeof *a);
    w.s = s;
    for (int o = 0; o < q->n_y; o++)
        if (agni_is_differentiable(w.prim[w.p->out[q->y[o]]]))
            a[q->y[o]] = in[o];
    agni_traverse_vjp(&w, a, a + w.p->n_out);
    for (int i = 0; i < q->n && !agn_scope_status(s); i++)
        out[i] = agni_or_zero(s, a[w.p->n_out + q->list[i]], w.prim[q->list[i]]);
    agni_free(a);
    return agn_scope_status(s);
}

/* 0, 1, ..., n - 1; to be freed */
static int32_t *list_indices(const char *op, int n, agn_status *st)
{
    int32_t *list = agni_alloc((size_t)(n + 1) * sizeof *list);
    *st = list ? AGN_OK : agni_nomem(op, (size_t)n * sizeof *list);
    for (int i = 0; list && i < n; i++)
        list[i] = i;
    return list;
}

agn_status agni_check_smooth(const char *op, int n, const int32_t *list,
                             const agn_tensor *const *in)
{
    for (int i = 0; i < n; i++)
        if (!agni_is_differentiable(in[list[i]]))
            return agni_fail(AGN_EDTYPE,
                             "%s: argument %d is %s; a floating dtype is needed", op,
                             list[i], agni_dtypes[in[list[i]]->dtype].name);
    return AGN_OK;
}

/* ---- linearize ------------------------------------------------------------------------------ */

/* one of the two directions as a function of its own */
static agn_status linear_function(agn_fn **out, const agni_linear_map *q, bool forward)
{
    const agni_traversal *w = &q->r->w;
    int n = forward ? q->n : q->n_y;
    const agn_tensor **like = agni_alloc((size_t)(n + 1) * sizeof *like);
    agni_prog *p = NULL;
    uint64_t first;
    if (!like)
        return agni_nomem("linearize", (size_t)n * sizeof *like);
    for (int i = 0; i < n; i++)
        like[i] = w->prim[forward ? q->list[i] : w->p->out[q->y[i]]];
    agn_status st = agni_trace_body(&p, &first,
                                    forward ? agni_linear_map_push : agni_linear_map_pull,
                                    (void *)(uintptr_t)q, n, like, forward ? q->n_y : q->n, true);
    if (!st) {
        agni_prog_copy_guards(p,
                              NULL); /* what was made of the point is that of the point as it was */
        st = agni_fn_from_program(out, "linearize", p);
    }
    agni_prog_release(p);
    agni_free(like);
    return st;
}

agn_status agn_fn_linearize(agn_fn **forward, agn_fn **reverse, agn_tensor *y[],
                            const agn_fn *f, const agn_tensor *const *in,
                            const int32_t *argnums, int32_t n)
{
    if ((!forward && !reverse) || !f || (!in && f->n_in))
        return agni_fail(AGN_ENULL, "fn_linearize: %s is NULL",
                         !f                   ? "f"
                         : forward || reverse ? "in"
                                              : "forward and reverse");
    agn_status st = agni_check_argnums("fn_linearize", f, &argnums, &n);
    for (int i = 0; !st && i < f->n_in; i++)
        if (!in[i])
            st = agni_fail(AGN_ENULL, "fn_linearize: argument %d of %d is NULL", i,
                           f->n_in);
    if (!st)
        st = agni_check_smooth("linearize", n, argnums, in);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *to = NULL, *from = NULL;
    agni_recorded r = {.p = NULL};
    int32_t *all = list_indices("linearize", f->n_out, &st);
    bool *want = agni_argnum_mask(s, f->n_in, n, argnums);
    agn_scope_fail(s, st);
    if (all && want && agni_record_call(&r, s, f, in, want)) {
        agni_linear_map q = {&r, n, argnums, f->n_out, all};
        if (forward)
            agn_scope_fail(s, linear_function(&to, &q, true));
        if (reverse && !agn_scope_status(s))
            agn_scope_fail(s, linear_function(&from, &q, false));
        for (int o = 0; y && o < f->n_out && !agn_scope_status(s); o++)
            agn_scope_return(s, y + o, agni_recorded_result(&r, s, o));
    }
    agni_recorded_close(&r);
    agni_free(all);
    agni_free(want);
    st = agn_scope_close(s);
    if (forward && !st)
        *forward = to;
    else
        agn_fn_release(to);
    if (reverse && !st)
        *reverse = from;
    else
        agn_fn_release(from);
    return st;
}

/* ---- J^T H J v: one walk forward, the loss, one walk back ------------------------------------ */

/* H v for the loss at the results of f; without a loss H is the identity */
static agn_status apply_loss_hessian(agn_scope *s, const agn_fn *hvp, const agni_linear_map *q,
                                     const agn_tensor *const *v, const agn_tensor **out)
{
    const agni_traversal *w = &q->r->w;
    int n = q->n_y;
    if (!hvp) {
        memcpy(out, v, (size_t)n * sizeof *out);
        return AGN_OK;
    }
    const agn_tensor **a = agni_alloc(2 * (size_t)n * sizeof *a);
    if (!a)
        return agni_nomem("gauss_newton", 2 * (size_t)n * sizeof *a);
    for (int o = 0; o < n; o++) {
        a[o] = w->prim[w->p->out[o]];
        a[n + o] = v[o];
    }
    agn_status st = agni_fn_run_in(hvp, s, a, out);
    agni_free(a);
    return st;
}

typedef struct curvature {
    agn_fn *f, *hvp; /* of the loss; NULL: half the sum of squares */
    int32_t n, n_y, *list;
} curvature;

static void free_curvature(void *data)
{
    curvature *m = data;
    agn_fn_release(m->f);
    agn_fn_release(m->hvp);
    agni_free(m->list);
    agni_free(m);
}

static agn_status run_gauss_newton(const agn_fn *f, agn_scope *s,
                                   const agn_tensor *const *in, const agn_tensor **out)
{
    const curvature *m = f->data;
    agn_status st = agni_check_smooth("gauss_newton", m->n, m->list, in);
    if (st)
        return st;
    int32_t *all = list_indices("gauss_newton", m->n_y, &st);
    agn_scope_fail(s, st);
    bool *want = agni_argnum_mask(s, m->f->n_in, m->n, m->list);
    size_t room = (size_t)(m->n + 2 * m->n_y + 1);
    const agn_tensor **v = agni_zalloc(room * sizeof *v);
    agni_recorded r = {.p = NULL};
    if (!v)
        agn_scope_fail(s, agni_nomem("gauss_newton", room * sizeof *v));
    if (v && all && want && agni_record_call(&r, s, m->f, in, want)) {
        agni_linear_map q = {&r, m->n, m->list, m->n_y, all};
        const agn_tensor **jv = v + m->n, **hjv = jv + m->n_y;
        for (int i = 0; i < m->n && !agn_scope_status(s); i++)
            v[i] = agni_fit_seed(s, "gauss_newton", "vector", i, in[m->f->n_in + i],
                                 in[m->list[i]]);
        if (!agn_scope_status(s) && !agn_scope_fail(s, agni_linear_map_push(&q, s, v, jv)) &&
            !agn_scope_fail(s, apply_loss_hessian(s, m->hvp, &q, jv, hjv)))
            agn_scope_fail(s, agni_linear_map_pull(&q, s, hjv, out));
        for (int i = 0; i < m->n && !agn_scope_status(s); i++)
            out[i] = agni_detach_result(s, out[i]);
    }
    agni_recorded_close(&r);
    agni_free(all);
    agni_free(want);
    agni_free(v);
    return agn_scope_status(s);
}

/* n_y: how many results matter */
static agn_status make_curvature(const char *op, agn_fn **out, const agn_fn *f,
                                 const agn_fn *loss, int32_t n_y,
                                 const int32_t *argnums, int32_t n)
{
    agn_status st = agni_check_handles(op, out, f);
    if (!st)
        st = agni_check_argnums(op, f, &argnums, &n);
    if (!st && loss && loss->n_in != f->n_out)
        st = agni_fail(AGN_EARG, "%s: the loss has %d arguments, f has %d results", op,
                       loss->n_in, f->n_out);
    if (st)
        return st;
    curvature *m = agni_zalloc(sizeof *m);
    if (!m || !(m->list = agni_copy_list(argnums, n))) {
        agni_free(m);
        return agni_nomem(op, sizeof *m);
    }
    m->f = agn_fn_retain(f);
    m->n = n;
    m->n_y = n_y;
    if (loss) {
        int32_t *all = list_indices(op, n_y, &st);
        if (all)
            st = agn_fn_hvp(&m->hvp, loss, all, n_y);
        agni_free(all);
    }
    if (!st)
        st = agni_fn_make(out, run_gauss_newton, f->n_in + n, n, m, free_curvature);
    if (st)
        free_curvature(m);
    return st;
}

agn_status agn_fn_gauss_newton(agn_fn **out, const agn_fn *f, const agn_fn *loss,
                               const int32_t *argnums, int32_t n)
{
    return make_curvature("fn_gauss_newton", out, f, loss, f ? f->n_out : 0, argnums,
                          n);
}

agn_status agn_fn_fisher(agn_fn **out, const agn_fn *f, const int32_t *argnums,
                         int32_t n)
{
    return make_curvature("fn_fisher", out, f, NULL, 1, argnums, n);
}
