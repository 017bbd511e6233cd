/* distribution/transforms/compose.c - transforms of transforms: chain, inverse, independent axes,
   stack, reshape. */
#include "distribution/transforms/transform.h"
#include <agnesi/ag.h>

#include <string.h>

typedef const agn_tensor *T;

/* ---- inverse ------------------------------------------------------------------------ */

static T turned_forward(agn_scope *s, const agn_transform *t, T x)
{
    return agni_transform_apply(s, t->part[0], x, true);
}
static T turned_inverse(agn_scope *s, const agn_transform *t, T x)
{
    return agni_transform_apply(s, t->part[0], x, false);
}
static T turned_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    return ag_neg(s, agni_transform_log_det(s, t->part[0], y, x));
}
static bool shape_of(const agn_transform *t, bool inverse, int ndim, const int64_t *in,
                     int64_t *out)
{
    agni_meta m = {.ndim = ndim}, y;
    memcpy(m.shape, in, (size_t)ndim * sizeof *in);
    if (agni_transform_shape("transform", t, inverse, &m, &y))
        return false;
    memcpy(out, y.shape, (size_t)y.ndim * sizeof *out);
    return true;
}
static bool turned_shape(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
{
    return shape_of(t->part[0], !inverse, inverse ? t->codomain : t->domain, in, out);
}
static const agni_transform_row inverse_row = {
    .name = "inverse", .forward = turned_forward, .inverse = turned_inverse,
    .log_det = turned_log_det, .shape = turned_shape};

agn_status agn_transform_inverse_of(agn_transform **out, const agn_transform *t)
{
    agn_transform *y = NULL;
    if (!out || !t)
        return agni_fail(AGN_ENULL, "transform_inverse_of: %s is NULL", !out ? "out" : "t");
    agn_status st = agni_check_handle("transform_inverse_of", &t->head);
    st = st ? st : agni_transform_make(&y, &inverse_row, NULL, 0, &t, 1);
    if (st)
        return st;
    y->domain = t->codomain;
    y->codomain = t->domain;
    *out = y;
    return AGN_OK;
}

/* ---- chain -------------------------------------------------------------------------- */

/* A part may see fewer axes as one point than the chain does: its log_det is summed over the
   rest. */
static T chain_forward(agn_scope *s, const agn_transform *t, T x)
{
    for (int i = 0; i < t->n; i++)
        x = agni_transform_apply(s, t->part[i], x, false);
    return x;
}
static T chain_inverse(agn_scope *s, const agn_transform *t, T x)
{
    for (int i = t->n; i-- > 0;)
        x = agni_transform_apply(s, t->part[i], x, true);
    return x;
}
static T chain_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    (void)y;
    T sum = NULL;
    int rank = t->domain;
    for (int i = 0; i < t->n; i++) {
        const agn_transform *p = t->part[i];
        T to = agni_transform_apply(s, p, x, false), part = agni_transform_log_det(s, p, x, to);
        if (!to || !part)
            return NULL;
        part = ag_broadcast_to(s, part, x->ndim - p->domain, x->shape);
        part = agni_sum_last(s, part, rank - p->domain);
        sum = sum ? ag_add(s, sum, part) : part;
        rank += p->codomain - p->domain;
        x = to;
    }
    return sum ? sum : agni_sum_last(s, ag_zeros_like(s, x), t->domain);
}
static bool chain_shape(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
{
    agni_meta m = {.ndim = inverse ? t->codomain : t->domain}, y;
    memcpy(m.shape, in, (size_t)m.ndim * sizeof *in);
    for (int k = 0; k < t->n; k++) {
        if (agni_transform_shape("transform", t->part[inverse ? t->n - 1 - k : k], inverse, &m, &y))
            return false;
        m = y;
    }
    memcpy(out, m.shape, (size_t)m.ndim * sizeof *out);
    return true;
}
static const agni_transform_row chain_row = {
    .name = "chain", .forward = chain_forward, .inverse = chain_inverse,
    .log_det = chain_log_det, .shape = chain_shape};

agn_status agn_transform_chain(agn_transform **out, const agn_transform *const *parts, int32_t n)
{
    agn_transform *t = NULL;
    if (!out || (!parts && n > 0))
        return agni_fail(AGN_ENULL, "transform_chain: %s is NULL", !out ? "out" : "parts");
    if (n < 0 || n > 1000)
        return agni_fail(AGN_EARG, "transform_chain: %d parts; 0 to 1000 are possible", n);
    agn_status st = agni_transform_make(&t, &chain_row, NULL, 0, parts, n);
    if (st)
        return st;
    int rank = n ? parts[n - 1]->codomain : 0;
    for (int i = n; i-- > 0;) {
        rank += parts[i]->domain - parts[i]->codomain;
        rank = rank > parts[i]->domain ? rank : parts[i]->domain;
    }
    t->domain = t->codomain = rank;
    for (int i = 0; i < n; i++)
        t->codomain += parts[i]->codomain - parts[i]->domain;
    *out = t;
    return AGN_OK;
}

/* ---- independent axes --------------------------------------------------------------- */

static T independent_forward(agn_scope *s, const agn_transform *t, T x)
{
    return agni_transform_apply(s, t->part[0], x, false);
}
static T independent_inverse(agn_scope *s, const agn_transform *t, T x)
{
    return agni_transform_apply(s, t->part[0], x, true);
}
static T independent_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    const agn_transform *p = t->part[0];
    T part = agni_transform_log_det(s, p, x, y);
    if (!part)
        return NULL;
    part = ag_broadcast_to(s, part, x->ndim - p->domain, x->shape);
    return agni_sum_last(s, part, t->domain - p->domain);
}
static bool independent_shape(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
{
    return shape_of(t->part[0], inverse, inverse ? t->codomain : t->domain, in, out);
}
static const agni_transform_row independent_row = {
    .name = "independent", .forward = independent_forward, .inverse = independent_inverse,
    .log_det = independent_log_det, .shape = independent_shape};

agn_status agn_transform_independent(agn_transform **out, const agn_transform *base, int32_t rank)
{
    agn_transform *t = NULL;
    if (!out || !base)
        return agni_fail(AGN_ENULL, "transform_independent: %s is NULL", !out ? "out" : "base");
    int most = base->domain > base->codomain ? base->domain : base->codomain;
    if (rank < 0 || rank + most > AGN_MAX_RANK)
        return agni_fail(AGN_EARG, "transform_independent: rank is %d; 0 to %d are possible", rank,
                         AGN_MAX_RANK - most);
    agn_status st = agni_transform_make(&t, &independent_row, NULL, 0, &base, 1);
    if (st)
        return st;
    t->domain = base->domain + rank;
    t->codomain = base->codomain + rank;
    *out = t;
    return AGN_OK;
}

/* ---- stack: a transform of its own for each place of an axis ------------------------ */

static T stack_map(agn_scope *s, const agn_transform *t, T x, T y, int what)
{
    T parts[64];
    if (!x)
        return NULL;
    int axis = x->ndim - t->axis;
    for (int i = 0; i < t->n; i++) {
        T a = ag_index_axis(s, x, axis, i), b = y ? ag_index_axis(s, y, axis, i) : NULL;
        parts[i] = what < 2 ? agni_transform_apply(s, t->part[i], a, what == 1)
                            : agni_transform_log_det(s, t->part[i], a, b);
        if (what == 2 && parts[i] && a)
            parts[i] = ag_broadcast_to(s, parts[i], a->ndim, a->shape);
    }
    return agn_scope_status(s) ? NULL : ag_stack(s, parts, t->n, axis);
}
static T stack_forward(agn_scope *s, const agn_transform *t, T x)
{
    return stack_map(s, t, x, NULL, 0);
}
static T stack_inverse(agn_scope *s, const agn_transform *t, T x)
{
    return stack_map(s, t, x, NULL, 1);
}
static T stack_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    return agni_sum_last(s, stack_map(s, t, x, y, 2), t->domain);
}
static bool stack_shape(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
{
    (void)inverse;
    memcpy(out, in, (size_t)t->domain * sizeof *in);
    return in[0] == t->n;
}
static const agni_transform_row stack_row = {
    .name = "stack", .forward = stack_forward, .inverse = stack_inverse,
    .log_det = stack_log_det, .shape = stack_shape};

agn_status agn_transform_stack(agn_transform **out, const agn_transform *const *parts, int32_t n,
                               int32_t axis)
{
    agn_transform *t = NULL;
    if (!out || !parts)
        return agni_fail(AGN_ENULL, "transform_stack: %s is NULL", !out ? "out" : "parts");
    if (n < 1 || n > 64)
        return agni_fail(AGN_EARG, "transform_stack: %d parts; 1 to 64 are possible", n);
    if (axis >= 0 || axis < -AGN_MAX_RANK)
        return agni_fail(AGN_EINDEX, "transform_stack: axis is %d; -1 to %d are possible", axis,
                         -AGN_MAX_RANK);
    agn_status st = agni_transform_make(&t, &stack_row, NULL, 0, parts, n);
    for (int i = 0; !st && i < n; i++)
        if (parts[i]->domain || parts[i]->codomain) {
            st = agni_fail(AGN_EARG, "transform_stack: part %d (%s) is not of single numbers", i,
                           parts[i]->row->name);
            agn_transform_release(t);
        }
    if (st)
        return st;
    t->axis = -axis;
    t->domain = t->codomain = -axis;
    *out = t;
    return AGN_OK;
}

/* ---- reshape ------------------------------------------------------------------------ */

static T reshape_to(agn_scope *s, T x, int from, const agni_meta *to)
{
    int64_t shape[AGN_MAX_RANK];
    if (!x)
        return NULL;
    int batch = x->ndim - from;
    memcpy(shape, x->shape, (size_t)batch * sizeof *shape);
    memcpy(shape + batch, to->shape, (size_t)to->ndim * sizeof *shape);
    return ag_reshape(s, x, batch + to->ndim, shape);
}
static T reshape_forward(agn_scope *s, const agn_transform *t, T x)
{
    return reshape_to(s, x, t->in.ndim, &t->out);
}
static T reshape_inverse(agn_scope *s, const agn_transform *t, T x)
{
    return reshape_to(s, x, t->out.ndim, &t->in);
}
static T reshape_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    (void)y;
    return agni_sum_last(s, ag_zeros_like(s, x), t->domain);
}
static bool reshape_shape(const agn_transform *t, bool inverse, const int64_t *in, int64_t *out)
{
    const agni_meta *from = inverse ? &t->out : &t->in, *to = inverse ? &t->in : &t->out;
    memcpy(out, to->shape, (size_t)to->ndim * sizeof *out);
    return !memcmp(in, from->shape, (size_t)from->ndim * sizeof *in);
}
static const agni_transform_row reshape_row = {
    .name = "reshape", .forward = reshape_forward, .inverse = reshape_inverse,
    .log_det = reshape_log_det, .shape = reshape_shape};

agn_status agn_transform_reshape(agn_transform **out, int32_t in_ndim, const int64_t *in,
                                 int32_t out_ndim, const int64_t *shape)
{
    agn_transform *t = NULL;
    if (!out || (in_ndim > 0 && !in) || (out_ndim > 0 && !shape))
        return agni_fail(AGN_ENULL, "transform_reshape: %s is NULL",
                         !out ? "out" : in_ndim > 0 && !in ? "in" : "shape");
    if (in_ndim < 0 || out_ndim < 0 || in_ndim > AGN_MAX_RANK || out_ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "transform_reshape: %d and %d axes; 0 to %d are possible",
                         in_ndim, out_ndim, AGN_MAX_RANK);
    agni_meta a = {.ndim = in_ndim}, b = {.ndim = out_ndim};
    int64_t na = 1, nb = 1;
    bool good = true;
    for (int i = 0; i < in_ndim; i++)
        good = good && (a.shape[i] = in[i]) >= 0 && !__builtin_mul_overflow(na, in[i], &na);
    for (int i = 0; i < out_ndim; i++)
        good = good && (b.shape[i] = shape[i]) >= 0 && !__builtin_mul_overflow(nb, shape[i], &nb);
    if (!good || na != nb)
        return agni_fail(AGN_ESHAPE, "transform_reshape: %s has %lld elements, %s has %lld",
                         AGNI_SHAPE(&a), (long long)na, AGNI_SHAPE(&b), (long long)nb);
    agn_status st = agni_transform_make(&t, &reshape_row, NULL, 0, NULL, 0);
    if (st)
        return st;
    t->in = a;
    t->out = b;
    t->domain = in_ndim;
    t->codomain = out_ndim;
    *out = t;
    return AGN_OK;
}
