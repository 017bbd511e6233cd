/* curvature.c - Gauss-Newton and Fisher products J^T H J v: one traversal forward, the Hessian
   of the loss, one traversal in reverse (Schraudolph 2002). */
#include "autograd/transforms/transform.h"

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

static agn_status run_gauss_newton(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                   const agn_tensor **out)
{
    const curvature *m = f->data;
    agn_status st = agni_check_smooth("gauss_newton", m->n, m->list, in);
    if (st)
        return st;
    int32_t *all = agni_list_indices("gauss_newton", m->n_y, &st);
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
static agn_status make_curvature(const char *op, agn_fn **out, const agn_fn *f, const agn_fn *loss,
                                 int32_t n_y, const int32_t *argnums, int32_t n)
{
    agn_status st = agni_check_handles(op, out, f);
    if (!st)
        st = agni_check_argnums(op, f, &argnums, &n);
    if (!st && loss && loss->n_in != f->n_out)
        st = agni_fail(AGN_EARG, "%s: the loss has %d arguments, f has %d results", op, loss->n_in,
                       f->n_out);
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
        int32_t *all = agni_list_indices(op, n_y, &st);
        if (all)
            st = agn_fn_hvp(&m->hvp, loss, all, n_y);
        agni_free(all);
    }
    if (!st)
        st = agni_fn_make_derived(out, run_gauss_newton, f->n_in + n, n, m, free_curvature);
    if (st)
        free_curvature(m);
    return st;
}

agn_status agn_fn_gauss_newton(agn_fn **out, const agn_fn *f, const agn_fn *loss,
                               const int32_t *argnums, int32_t n)
{
    return make_curvature("fn_gauss_newton", out, f, loss, f ? f->n_out : 0, argnums, n);
}

agn_status agn_fn_fisher(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n)
{
    return make_curvature("fn_fisher", out, f, NULL, 1, argnums, n);
}
