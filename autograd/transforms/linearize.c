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

/* one of the two directions as a function */
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
        agni_prog_copy_guards(p, NULL); /* values of the point stay those of now */
        st = agni_fn_from_program(out, "linearize", p);
    }
    agni_prog_release(p);
    agni_free(like);
    return st;
}

agn_status agn_fn_linearize(agn_fn **forward, agn_fn **reverse, agn_tensor *y[], int32_t n_y,
                            const agn_fn *f, const agn_tensor *const *in, int32_t n_in,
                            const int32_t *argnums, int32_t n)
{
    if ((!forward && !reverse) || !f || (!y && n_y))
        return agni_fail(AGN_ENULL, "fn_linearize: %s is NULL",
                         !f                   ? "f"
                         : forward || reverse ? "y"
                                              : "forward and reverse");
    if (y && n_y != f->n_out)
        return agni_fail(AGN_EARG,
                         "fn_linearize: there is room for %d results, the function has %d", n_y,
                         f->n_out);
    agn_status st = agni_check_n_in("fn_linearize", f, in, n_in);
    if (!st)
        st = agni_check_argnums("fn_linearize", f, &argnums, &n);
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
    int32_t *all = agni_list_indices("linearize", f->n_out, &st);
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
