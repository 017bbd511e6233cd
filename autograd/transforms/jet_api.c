/* jet_api.c - jet and jets: Taylor coefficients as functions, along one curve and along many. */
#include "autograd/modes/grading.h"
#include "autograd/transforms/transform.h"

#include <agnesi/operator.h>

agn_status agni_expand_jet(const agn_fn *f, agn_scope *s, const agni_grading *g,
                           const agn_tensor *const *c, const agn_tensor **y)
{
    int n = g->K + 1;
    const agn_tensor **x = agni_zalloc((size_t)(f->n_in + 1) * sizeof *x);
    bool *on = agni_zalloc((size_t)f->n_in + 1);
    agni_recorded r = {.p = NULL};
    if (!x || !on) {
        agn_scope_fail(s, agni_nomem("jet", (size_t)f->n_in * sizeof *x));
        goto done;
    }
    for (int i = 0; i < f->n_in; i++) {
        x[i] = c[i * n];
        for (int k = 1; k < n; k++)
            on[i] |= c[i * n + k] != NULL;
    }
    if (agni_record_call(&r, s, f, x, on)) {
        if (g->K)
            agni_traverse_jet(&r.w, g, c, y);
        for (int o = 0; o < f->n_out && !agn_scope_status(s); o++) {
            y[o * n] = agni_recorded_result(&r, s, o);
            for (int k = 1; k < n; k++)
                y[o * n + k] = agni_detach_result(s, y[o * n + k]);
        }
    }
done:
    agni_recorded_close(&r);
    agni_free(x);
    agni_free(on);
    return agn_scope_status(s);
}

/* The curves of many: the leading axis of all coefficients. */
static int64_t count_curves(const agn_fn *f, agn_scope *s, int n, const agn_tensor *const *in)
{
    int64_t lanes = -1;
    for (int i = 0; i < f->n_in * n && !agn_scope_status(s); i++) {
        const agn_tensor *c = in[i];
        if (i % n == 0 || !agni_is_differentiable(in[i - i % n]))
            continue;
        if (c->ndim < 1 || c->shape[0] < 1 || (lanes >= 0 && c->shape[0] != lanes))
            agn_scope_fail(s, agni_fail(AGN_ESHAPE, "jets: coefficient %d is %s; a leading axis of "
                                                    "%lld curves is needed",
                                        i % n, AGNI_SHAPE(c), (long long)(lanes < 0 ? 1 : lanes)));
        else
            lanes = c->shape[0];
    }
    return lanes < 0 ? 1 : lanes;
}

/* a single curve has no axis inside */
static const agn_tensor *convert_single_lane(agn_scope *s, const agn_tensor *c, bool in)
{
    int64_t shape[AGNI_MAX_RANK + 1] = {1};
    if (!c || agn_scope_status(s))
        return NULL;
    for (int d = 0; d < c->ndim; d++)
        shape[d + !in] = c->shape[d];
    return agni_reshape(s, c, in ? c->ndim - 1 : c->ndim + 1, in ? shape + 1 : shape);
}

static agn_status run_jet(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int n = m->order + 1;
    bool many = m->n;
    agni_grading g = agni_grading_along(m->order, many ? count_curves(m->f, s, n, in) : 1, false);
    const agn_tensor **c = agni_zalloc((size_t)(m->f->n_in * n + 1) * sizeof *c);
    if (!c)
        return agni_nomem("jet", (size_t)(m->f->n_in * n) * sizeof *c);
    for (int i = 0; i < m->f->n_in * n && !agn_scope_status(s); i++) {
        const agn_tensor *x = in[i - i % n];
        c[i] = in[i];
        if (i % n == 0)
            continue;
        if (many && g.lanes[1] == 1 && agni_is_differentiable(x))
            c[i] = convert_single_lane(s, in[i], true);
        c[i] = agni_is_differentiable(x) && c[i] /* in the shape and dtype of x */
                   ? agni_fit_seed(s, many ? "jets" : "jet", "coefficient", i % n, c[i],
                                   agni_has_lanes(&g, 1) ? agni_grading_zeros(s, &g, 1, x) : x)
                   : NULL;
    }
    agn_status st = agn_scope_status(s);
    st = st ? st : agni_expand_jet(m->f, s, &g, c, out);
    for (int o = 0; !st && o < m->f->n_out * n; o++) {
        if (!out[o])
            out[o] = agni_grading_zeros(s, &g, 1, out[o - o % n]);
        if (many && o % n && g.lanes[1] == 1)
            out[o] = convert_single_lane(s, out[o], false);
    }
    agni_free(c);
    return agn_scope_status(s);
}

static agn_status make_jet(agn_fn **out, const char *op, const agn_fn *f, int32_t order, bool many)
{
    agn_status st = agni_check_handles(op, out, f);
    if (!st && (order < 1 || order > AGNI_MAX_DEGREE))
        st = agni_fail(AGN_EARG, "%s: order %d is not in 1 to %d", op, order, AGNI_MAX_DEGREE);
    return st ? st
              : agni_transform_new(out, run_jet, f, f->n_in * (order + 1), f->n_out * (order + 1),
                                   many, NULL, 0, order);
}

agn_status agn_fn_jet(agn_fn **out, const agn_fn *f, int32_t order)
{
    return make_jet(out, "fn_jet", f, order, false);
}
agn_status agn_fn_jets(agn_fn **out, const agn_fn *f, int32_t order)
{
    return make_jet(out, "fn_jets", f, order, true);
}
