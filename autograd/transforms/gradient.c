/* gradient.c - grad, value_and_grad, jvp, vjp, hvp as functions. */
#include "autograd/transforms/transform.h"

agn_status agni_check_scalar(const char *op, const agn_tensor *y)
{
    if (y->ndim)
        return agni_fail(AGN_ESHAPE, "%s: the result must be a scalar []; it is %s", op,
                         AGNI_SHAPE(y));
    if (agni_kind(y->dtype) != AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE, "%s: the result is %s; a real floating dtype is needed for %s",
                         op, agni_dtypes[y->dtype].name, AGNI_SHAPE(y));
    return AGN_OK;
}

static agn_status run_gradient(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out, bool values)
{
    const agni_transform *m = f->data;
    agn_status st = agni_check_smooth("grad", m->n, m->list, in);
    if (st)
        return st;
    bool *want = agni_argnum_mask(s, m->f->n_in, m->n, m->list);
    const agn_tensor **g = agni_zalloc((size_t)(m->f->n_in + m->f->n_out) * sizeof *g);
    agni_recorded r = {.p = NULL};
    if (!g)
        agn_scope_fail(s, agni_nomem("grad", (size_t)m->f->n_in * sizeof *g));
    if (want && g && agni_record_call(&r, s, m->f, in, want)) {
        const agn_tensor *y = r.w.prim[r.p->out[0]], **gx = g + m->f->n_out;
        if (!agn_scope_fail(s, agni_check_scalar("grad", y))) {
            g[0] = agni_full_like(s, 1, y);
            agni_traverse_vjp(&r.w, g, gx);
        }
        int k = 0;
        for (int o = 0; values && o < m->f->n_out; o++)
            out[k++] = agni_recorded_result(&r, s, o);
        for (int i = 0; i < m->n && !agn_scope_status(s); i++)
            out[k++] = agni_or_zero(s, gx[m->list[i]], in[m->list[i]]);
    }
    agni_recorded_close(&r);
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
    agn_status st = agni_check_handles("fn_grad", out, f);
    if (!st)
        st = agni_check_argnums("fn_grad", f, &argnums, &n);
    return st ? st : agni_transform_new(out, run_grad, f, f->n_in, n, n, argnums, n, 0);
}
agn_status agn_fn_value_and_grad(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n)
{
    agn_status st = agni_check_handles("fn_value_and_grad", out, f);
    if (!st)
        st = agni_check_argnums("fn_value_and_grad", f, &argnums, &n);
    return st ? st
              : agni_transform_new(out, run_value_and_grad, f, f->n_in, f->n_out + n, n, argnums, n,
                                   0);
}

/* ---- jvp, vjp, hvp --------------------------------------------------------------------------- */

/* t[n_in] may have NULLs; y may be NULL */
static agn_status push_tangents(const char *op, const agn_fn *f, agn_scope *s,
                                const agn_tensor *const *in, const agn_tensor *const *t,
                                const agn_tensor **y, const agn_tensor **ty)
{
    const agn_tensor **all = agni_zalloc((size_t)(f->n_in + f->n_out + 1) * sizeof *all);
    bool *want = agni_zalloc((size_t)f->n_in + 1);
    agni_recorded r = {.p = NULL};
    if (!all || !want)
        agn_scope_fail(s, agni_nomem(op, (size_t)f->n_in * sizeof *all));
    for (int i = 0; all && want && i < f->n_in && !agn_scope_status(s); i++) {
        want[i] = t[i] != NULL && agni_is_differentiable(in[i]);
        if (want[i])
            all[i] = agni_fit_seed(s, op, "tangent", i, t[i], in[i]);
    }
    if (all && want && agni_record_call(&r, s, f, in, want)) {
        agni_traverse_jvp(&r.w, all, all + f->n_in);
        for (int o = 0; o < f->n_out && !agn_scope_status(s); o++) {
            const agn_tensor *v = agni_recorded_result(&r, s, o);
            if (y)
                y[o] = v;
            ty[o] = agni_or_zero(s, all[f->n_in + o], v);
        }
    }
    agni_recorded_close(&r);
    agni_free(all);
    agni_free(want);
    return agn_scope_status(s);
}

static agn_status run_jvp(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agni_transform *m = f->data;
    return push_tangents("jvp", m->f, s, in, in + m->f->n_in, out, out + m->f->n_out);
}
agn_status agn_fn_jvp(agn_fn **out, const agn_fn *f)
{
    agn_status st = agni_check_handles("fn_jvp", out, f);
    return st ? st : agni_transform_new(out, run_jvp, f, 2 * f->n_in, 2 * f->n_out, 0, NULL, 0, 0);
}

static agn_status run_vjp(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int ni = m->f->n_in, no = m->f->n_out;
    const agn_tensor **g = agni_zalloc((size_t)(ni + no + 1) * sizeof *g);
    agni_recorded r = {.p = NULL};
    if (!g)
        agn_scope_fail(s, agni_nomem("vjp", (size_t)(ni + no) * sizeof *g));
    if (g && agni_record_call(&r, s, m->f, in, NULL)) {
        for (int o = 0; o < no && !agn_scope_status(s); o++) {
            out[o] = agni_recorded_result(&r, s, o);
            if (agni_is_differentiable(out[o]))
                g[o] = agni_fit_seed(s, "vjp", "cotangent", o, in[ni + o], out[o]);
        }
        agni_traverse_vjp(&r.w, g, g + no);
        for (int i = 0; i < ni && !agn_scope_status(s); i++)
            out[no + i] = agni_or_zero(s, g[no + i], in[i]);
    }
    agni_recorded_close(&r);
    agni_free(g);
    return agn_scope_status(s);
}
agn_status agn_fn_vjp(agn_fn **out, const agn_fn *f)
{
    agn_status st = agni_check_handles("fn_vjp", out, f);
    return st ? st
              : agni_transform_new(out, run_vjp, f, f->n_in + f->n_out, f->n_out + f->n_in, 0, NULL,
                                   0, 0);
}

static agn_status run_hvp(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agni_transform *m = f->data; /* m->f is the gradient */
    int ni = m->f->n_in;
    const agn_tensor **t = agni_zalloc((size_t)(ni + 1) * sizeof *t);
    if (!t)
        return agni_nomem("hvp", (size_t)ni * sizeof *t);
    for (int i = 0; i < m->n; i++)
        t[m->list[i]] = in[ni + i];
    agn_status st = push_tangents("hvp", m->f, s, in, t, NULL, out);
    agni_free(t);
    return st;
}
agn_status agn_fn_hvp(agn_fn **out, const agn_fn *f, const int32_t *argnums, int32_t n)
{
    agn_fn *g = NULL;
    agn_status st = agni_check_handles("fn_hvp", out, f);
    if (!st)
        st = agni_check_argnums("fn_hvp", f, &argnums, &n);
    if (!st)
        st = agn_fn_grad(&g, f, argnums, n);
    if (!st)
        st = agni_transform_new(out, run_hvp, g, f->n_in + n, n, n, argnums, n, 0);
    agn_fn_release(g);
    return st;
}
