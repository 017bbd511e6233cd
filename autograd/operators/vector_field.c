/* vector_field.c - derivatives of vector fields, and along given directions:
   lanes of curves. */
#include "autograd/operators/derivative_space.h"
#include "autograd/operators/operator.h"

#include <agnesi/ag.h>

/* the columns of a field must be those of its argument; the tangents along all of them */
static agn_status field_tangents(const agni_transform *m, agn_scope *s, const char *op,
                                 const agn_tensor *const *in, const agn_tensor **y)
{
    const agn_tensor *x = in[m->order];
    int64_t d = agni_column_count(s, op, m->order, x);
    if (d < 0)
        return agn_scope_status(s);
    agni_grading g = agni_grading_along(1, d, false);
    if (agni_expand_jet_along(m->f, s, &g, m->order, d ? agni_unit_rows(s, x) : NULL, in, y))
        return agn_scope_status(s);
    if (y[0]->ndim < 1 || y[0]->shape[y[0]->ndim - 1] != d)
        return agni_fail(AGN_ESHAPE, "%s: the field is %s, its argument %s: their last axes differ",
                         op, AGNI_SHAPE(y[0]), AGNI_SHAPE(x));
    if (d == 1 && y[1]) { /* one lane has no axis */
        int64_t shape[AGNI_MAX_RANK + 1] = {1};
        memcpy(shape + 1, y[1]->shape, (size_t)y[1]->ndim * sizeof *shape);
        y[1] = agni_reshape(s, y[1], y[1]->ndim + 1, shape);
    }
    if (!y[1])
        y[1] = agni_grading_zeros(s, &(agni_grading){.K = 1, .lanes = {1, d}}, 1, y[0]);
    return agn_scope_status(s);
}

/* one component of a row */
static const agn_tensor *row_component(agn_scope *s, const agn_tensor *y, int64_t i)
{
    return y ? ag_index_axis(s, y, -1, i) : NULL;
}

static agn_status run_divergence(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL}, *sum = NULL;
    agn_status st = field_tangents(f->data, s, "divergence", in, y);
    if (st)
        return st;
    int64_t d = y[0]->shape[y[0]->ndim - 1];
    for (int64_t i = 0; i < d && !agn_scope_status(s); i++)
        sum = agni_add_present(s, sum, row_component(s, ag_index_axis(s, y[1], 0, i), i));
    out[0] = sum ? sum : agni_sum_axes(s, y[0], 1, (int64_t[]){-1}, false);
    out[1] = y[0];
    return agn_scope_status(s);
}

agn_status agn_fn_divergence(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_status st = agni_check_argnum("fn_divergence", out, f, argnum);
    return st ? st : agni_transform_new(out, run_divergence, f, f->n_in, 2, 0, NULL, 0, argnum);
}

static agn_status run_curl(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agni_transform *m = f->data;
    const agn_tensor *y[2] = {NULL}, *part[3], *x = in[m->order];
    int64_t d = agni_column_count(s, "curl", m->order, x);
    if (d >= 0 && d != 2 && d != 3)
        return agni_fail(AGN_ESHAPE, "curl: argument %d is %s; 2 or 3 columns are needed", m->order,
                         AGNI_SHAPE(x));
    agn_status st = d < 0 ? agn_scope_status(s) : field_tangents(m, s, "curl", in, y);
    for (int i = d == 2 ? 2 : 0; !st && i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        part[i] = ag_sub(s, row_component(s, ag_index_axis(s, y[1], 0, a), b),
                         row_component(s, ag_index_axis(s, y[1], 0, b), a));
        st = agn_scope_status(s);
    }
    if (!st) {
        out[0] = d == 2 ? part[2] : ag_stack(s, part, 3, -1);
        out[1] = y[0];
    }
    return st ? st : agn_scope_status(s);
}

agn_status agn_fn_curl(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    agn_status st = agni_check_argnum("fn_curl", out, f, argnum);
    return st ? st : agni_transform_new(out, run_curl, f, f->n_in, 2, 0, NULL, 0, argnum);
}

/* ---- along given directions ------------------------------------------------------------------ */

static agn_status run_directional(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int K = m->n;
    const agn_tensor *x = in[m->order], *v = in[m->f->n_in], *y[AGNI_MAX_ORDER + 1] = {NULL};
    bool fits = v->ndim == x->ndim + 1;
    for (int d = 0; fits && d < x->ndim; d++)
        fits = v->shape[1 + d] == x->shape[d];
    if (!agni_is_differentiable(x) || agni_kind(v->dtype) > agni_kind(x->dtype))
        return agni_fail(AGN_EDTYPE, "directional: argument %d is %s, directions are %s", m->order,
                         agni_dtypes[x->dtype].name, agni_dtypes[v->dtype].name);
    if (!fits)
        return agni_fail(AGN_ESHAPE, "directional: directions are %s, argument %d is %s",
                         AGNI_SHAPE(v), m->order, AGNI_SHAPE(x));
    agni_grading g = agni_grading_along(K, v->shape[0], false);
    v = agni_cast(s, v, x->dtype);
    if (g.lanes[1] == 1 && v)
        v = agni_reshape(s, v, x->ndim, x->shape);
    if (agn_scope_status(s) ||
        agni_expand_jet_along(m->f, s, &g, m->order, g.lanes[1] ? v : NULL, in, y))
        return agn_scope_status(s);
    double factorial = 1;
    for (int k = 2; k <= K; k++)
        factorial *= k;
    int64_t shape[AGNI_MAX_RANK + 1] = {g.lanes[1]};
    memcpy(shape + 1, y[0]->shape, (size_t)y[0]->ndim * sizeof *shape);
    const agn_tensor *t = agni_scaled_or_zero(s, y[K], factorial, y[0]);
    if (t && t->ndim == y[0]->ndim)
        t = g.lanes[1] == 1 ? agni_reshape(s, t, y[0]->ndim + 1, shape)
                            : agni_broadcast(s, t, y[0]->ndim + 1, shape);
    out[0] = t;
    out[1] = y[0];
    return agn_scope_status(s);
}

agn_status agn_fn_directional(agn_fn **out, const agn_fn *f, int32_t argnum, int32_t order)
{
    agn_status st = agni_check_argnum("fn_directional", out, f, argnum);
    if (!st && (order < 1 || order > AGNI_MAX_ORDER))
        st = agni_fail(AGN_EARG, "fn_directional: order %d is not in 1 to %d", order,
                       AGNI_MAX_ORDER);
    return st ? st
              : agni_transform_new(out, run_directional, f, f->n_in + 1, 2, order, NULL, 0, argnum);
}
