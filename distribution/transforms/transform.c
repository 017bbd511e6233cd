/* distribution/transforms/transform.c - life and public functions of transforms. */
#include "distribution/transforms/transform.h"
#include "core/memory/scope.h"
#include <agnesi/ag.h>

#include <string.h>

typedef const agn_tensor *T;

/* ---- life -------------------------------------------------------------------------- */

static void destroy_transform(agni_obj *obj)
{
    agn_transform *t = (agn_transform *)obj;
    for (int i = 0; i < 3; i++)
        agn_release(t->param[i]);
    agn_fn_release(t->net);
    for (int i = 0; i < t->n; i++)
        agn_transform_release(t->part[i]);
    agni_free(t->part);
    agni_obj_free(&t->head, sizeof *t);
}
static const agni_obj_type transform_type = {.name = "transform", .destroy = destroy_transform};

agn_transform *agn_transform_retain(const agn_transform *t)
{
    return (agn_transform *)(uintptr_t)(t ? agni_obj_retain(&t->head) : NULL);
}
void agn_transform_release(agn_transform *t)
{
    if (t)
        agni_obj_release(&t->head);
}
const agn_transform *agn_transform_adopt(agn_scope *s, agn_status st, agn_transform *const *at)
{
    agn_transform *t = at ? *at : NULL;
    if (agn_scope_fail(s, st)) {
        if (!st)
            agn_transform_release(t);
        return NULL;
    }
    if (!t) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "transform_adopt: t is NULL, its status is %s",
                                    agn_status_name(st)));
        return NULL;
    }
    return agni_scope_adopt(s, &t->head) ? NULL : t;
}

agn_status agni_transform_make(agn_transform **out, const agni_transform_row *row,
                               const agn_tensor *const *params, int n_params,
                               const agn_transform *const *parts, int n)
{
    if (!out)
        return agni_fail(AGN_ENULL, "transform_%s: out is NULL", row->name);
    int dtype = -1, weak = -1;
    for (int i = 0; i < n_params; i++) {
        if (!params[i])
            return agni_fail(AGN_ENULL, "transform_%s: parameter %d is NULL", row->name, i);
        int d = agni_kind(params[i]->dtype) <= AGNI_KIND_INT ? AGN_F64 : params[i]->dtype;
        if (d != AGN_F32 && d != AGN_F64)
            return agni_fail(AGN_EDTYPE, "transform_%s: parameter %d is %s; f32 or f64 is needed",
                             row->name, i, agni_dtypes[d].name);
        int *mine = params[i]->weak ? &weak : &dtype;
        *mine = *mine < 0 ? d : agni_promote(*mine, d);
    }
    for (int i = 0; i < n; i++)
        if (!parts[i])
            return agni_fail(AGN_ENULL, "transform_%s: part %d is NULL", row->name, i);
    agn_transform *t = agni_zalloc(sizeof *t);
    if (!t)
        return agni_nomem("transform", sizeof *t);
    agni_ref_init(&t->head.ref);
    t->head.type = &transform_type;
    t->row = row;
    t->domain = row->domain;
    t->codomain = row->codomain;
    agn_status st = AGN_OK;
    if (n && !(t->part = agni_zalloc((size_t)n * sizeof *t->part)))
        st = agni_nomem("transform", (size_t)n * sizeof *t->part);
    for (int i = 0; !st && i < n; i++, t->n++)
        t->part[i] = agn_transform_retain(parts[i]);
    for (int i = 0; !st && i < n_params; i++)
        st = params[i]->weak ? agn_copy(&t->param[i], params[i])
                             : agn_cast(&t->param[i], params[i], dtype);
    if (st)
        agn_transform_release(t);
    else
        *out = t;
    return st;
}

const char *agn_transform_name(const agn_transform *t)
{
    return t ? t->row->name : NULL;
}
int32_t agn_transform_domain_ndim(const agn_transform *t)
{
    return t ? t->domain : -1;
}
int32_t agn_transform_codomain_ndim(const agn_transform *t)
{
    return t ? t->codomain : -1;
}

/* ---- shapes ------------------------------------------------------------------------ */

agn_status agni_transform_shape(const char *op, const agn_transform *t, bool inverse,
                                const agni_meta *in, agni_meta *out)
{
    int from = inverse ? t->codomain : t->domain, to = inverse ? t->domain : t->codomain;
    if (in->ndim < from || in->ndim - from + to > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s; a point of the %s transform has %d axes", op,
                         inverse ? "y" : "x", AGNI_SHAPE(in), t->row->name, from);
    int64_t last[AGN_MAX_RANK];
    int batch = in->ndim - from;
    bool good = true;
    if (t->row->shape)
        good = t->row->shape(t, inverse, in->shape + batch, last);
    else
        memcpy(last, in->shape + batch, (size_t)to * sizeof *last);
    if (!good)
        return agni_fail(AGN_ESHAPE, "%s: %s %s does not end in a point of the %s transform", op,
                         inverse ? "y" : "x", AGNI_SHAPE(in), t->row->name);
    *out = (agni_meta){.ndim = batch + to};
    memcpy(out->shape, in->shape, (size_t)batch * sizeof *out->shape);
    memcpy(out->shape + batch, last, (size_t)to * sizeof *last);
    return AGN_OK;
}

static agn_status public_shape(const char *op, const agn_transform *t, bool inverse, int32_t ndim,
                               const int64_t *shape, int32_t *out_ndim, int64_t *out)
{
    if (!t || !out_ndim || !out || (ndim > 0 && !shape))
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !t ? "t" : !out_ndim ? "out_ndim" : !out ? "out" : "shape");
    agn_status gone = agni_check_handle(op, &t->head);
    if (gone)
        return gone;
    if (ndim < 0 || ndim > AGN_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: ndim is %d; 0 to %d are possible", op, ndim,
                         AGN_MAX_RANK);
    agni_meta in = {.ndim = ndim}, y;
    for (int i = 0; i < ndim; i++)
        in.shape[i] = shape[i];
    agn_status st = agni_transform_shape(op, t, inverse, &in, &y);
    if (!st) {
        *out_ndim = y.ndim;
        memcpy(out, y.shape, (size_t)y.ndim * sizeof *out);
    }
    return st;
}
agn_status agn_transform_forward_shape(int32_t *out_ndim, int64_t *out, const agn_transform *t,
                                       int32_t ndim, const int64_t *shape)
{
    return public_shape("transform_forward_shape", t, false, ndim, shape, out_ndim, out);
}
agn_status agn_transform_inverse_shape(int32_t *out_ndim, int64_t *out, const agn_transform *t,
                                       int32_t ndim, const int64_t *shape)
{
    return public_shape("transform_inverse_shape", t, true, ndim, shape, out_ndim, out);
}

/* ---- maps -------------------------------------------------------------------------- */

T agni_sum_last(agn_scope *s, T x, int n)
{
    int32_t axes[AGN_MAX_RANK];
    for (int i = 0; i < n; i++)
        axes[i] = -1 - i;
    return n > 0 ? ag_sum(s, x, axes, n, false) : x;
}
T agni_transform_apply(agn_scope *s, const agn_transform *t, T x, bool inverse)
{
    return agn_scope_status(s) ? NULL
           : inverse           ? t->row->inverse(s, t, x)
                               : t->row->forward(s, t, x);
}
T agni_transform_log_det(agn_scope *s, const agn_transform *t, T x, T y)
{
    return agn_scope_status(s) ? NULL : t->row->log_det(s, t, x, y);
}
bool agni_transform_has_log_det(const agn_transform *t)
{
    bool all = t->row->log_det != NULL;
    for (int i = 0; i < t->n; i++)
        all = all && agni_transform_has_log_det(t->part[i]);
    return all;
}

static agn_status check_argument(const char *op, const void *out, const agn_transform *t,
                                 const agn_tensor *x, bool inverse)
{
    const char *name = inverse ? "y" : "x";
    if (!out || !t || !x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : !t ? "t" : name);
    agn_status gone = agni_check_handle(op, &t->head);
    if (gone)
        return gone;
    if (agni_kind(x->dtype) != AGNI_KIND_FLOAT)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s; a real dtype is needed", op, name,
                         agni_dtypes[x->dtype].name);
    agni_meta in = {.ndim = x->ndim}, y;
    memcpy(in.shape, x->shape, (size_t)x->ndim * sizeof *in.shape);
    return agni_transform_shape(op, t, inverse, &in, &y);
}
static agn_status apply_map(agn_tensor **out, const char *op, const agn_transform *t,
                            const agn_tensor *x, bool inverse)
{
    agn_status st = check_argument(op, out, t, x, inverse);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out, agni_transform_apply(s, t, x, inverse));
    return agn_scope_close(s);
}
agn_status agn_transform_forward(agn_tensor **out, const agn_transform *t, const agn_tensor *x)
{
    return apply_map(out, "transform_forward", t, x, false);
}
agn_status agn_transform_inverse(agn_tensor **out, const agn_transform *t, const agn_tensor *y)
{
    return apply_map(out, "transform_inverse", t, y, true);
}
agn_status agn_transform_log_det_jacobian(agn_tensor **out, const agn_transform *t,
                                          const agn_tensor *x)
{
    agn_status st = check_argument("transform_log_det_jacobian", out, t, x, false);
    if (st)
        return st;
    if (!agni_transform_has_log_det(t))
        return agni_fail(AGN_EUNSUPPORTED,
                         "transform_log_det_jacobian: the %s transform is no bijection",
                         t->row->name);
    agn_scope *s = agn_scope_open(NULL);
    T y = agni_transform_apply(s, t, x, false), det = agni_transform_log_det(s, t, x, y);
    int batch = x->ndim - t->domain;
    agn_scope_return(s, out, ag_broadcast_to(s, det, batch, x->shape));
    return agn_scope_close(s);
}
