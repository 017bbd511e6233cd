/* distribution/distribution.c - life of a distribution: parameters, their range, batch shape. */
#include "distribution/distribution.h"
#include "core/memory/scope.h"

#include <math.h>
#include <string.h>

/* ---- life -------------------------------------------------------------------------- */

static void destroy_distribution(agni_obj *obj)
{
    agn_distribution *d = (agn_distribution *)obj;
    for (int i = 0; i < AGNI_LAW_PARAMS; i++)
        agn_release(d->param[i]);
    agni_free(d);
}
static const agni_obj_type distribution_type = {.name = "distribution",
                                                .destroy = destroy_distribution};

agn_distribution *agn_distribution_retain(const agn_distribution *d)
{
    return (agn_distribution *)(uintptr_t)(d ? agni_obj_retain(&d->head) : NULL);
}
void agn_distribution_release(agn_distribution *d)
{
    if (d)
        agni_obj_release(&d->head);
}

const agn_distribution *agn_distribution_adopt(agn_scope *s, agn_status st, agn_distribution *d)
{
    if (agn_scope_fail(s, st)) {
        if (!st)
            agn_distribution_release(d);
        return NULL;
    }
    if (!d) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "distribution_adopt: d is NULL, its status is %s",
                                    agn_status_name(st)));
        return NULL;
    }
    return agni_scope_adopt(s, &d->head) ? NULL : d;
}

int32_t agn_distribution_ndim(const agn_distribution *d)
{
    return d ? d->batch.ndim : -1;
}
const int64_t *agn_distribution_shape(const agn_distribution *d)
{
    return d ? d->batch.shape : NULL;
}
agn_dtype agn_distribution_dtype(const agn_distribution *d)
{
    return d ? d->batch.dtype : -1;
}

/* ---- parameters ------------------------------------------------------------------------ */

/* "[1,2]" for the element with a row-major number */
static const char *index_text(char *buf, size_t n, const agn_tensor *x, int64_t flat)
{
    int64_t index[AGNI_MAX_RANK];
    for (int a = x->ndim - 1; a >= 0; a--) {
        index[a] = flat % x->shape[a];
        flat /= x->shape[a];
    }
    return agni_shape_text(buf, n, x->ndim, index);
}

static agn_status check_values(const char *op, const agni_law *law, int i, const agn_tensor *x)
{
    if (agni_is_symbolic(x) || !x->size)
        return AGN_OK;
    agn_tensor *plain = agni_tensor_alias(x), *wide = NULL; /* nothing here is recorded */
    if (!plain)
        return agni_nomem(op, sizeof *plain);
    size_t bytes = (size_t)x->size * sizeof(double);
    double *v = agni_alloc(bytes);
    agn_status st = v ? agn_cast(&wide, plain, AGN_F64) : agni_nomem(op, bytes);
    if (!st)
        st = agn_to_host(v, wide, bytes);
    for (int64_t k = 0; !st && k < x->size; k++)
        if (!isfinite(v[k]) || (law->positive[i] && v[k] <= 0))
            st = agni_fail(AGN_EDOMAIN, "%s: %s%s is %g; it must be %sfinite", op, law->param[i],
                           index_text((char[96]){0}, 96, x, k), v[k],
                           law->positive[i] ? "positive and " : "");
    agn_release(wide);
    agn_release(plain);
    agni_free(v);
    return st;
}

/* f32 or f64; literals follow the other parameter, integers are f64 */
static agn_status find_dtype(const char *op, const agni_law *law, const agn_tensor *const *params,
                             int *dtype)
{
    int strong = -1, weak = -1;
    for (int i = 0; i < law->n; i++) {
        int t = params[i]->dtype;
        if (agni_kind(t) <= AGNI_KIND_INT)
            t = AGN_F64;
        if (t != AGN_F32 && t != AGN_F64)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s; f32 or f64 is needed", op, law->param[i],
                             agni_dtypes[t].name);
        int *mine = params[i]->weak ? &weak : &strong;
        *mine = *mine < 0 ? t : agni_promote(*mine, t);
    }
    *dtype = strong >= 0 ? strong : weak;
    return AGN_OK;
}

agn_status agni_distribution_make(agn_distribution **out, const char *op, const agni_law *law,
                                  const agn_tensor *const *params,
                                  const agn_distribution_options *opts)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (opts && opts->size != sizeof *opts)
        return agni_fail(AGN_EARG,
                         "%s: unknown size: %zu bytes, agn_distribution_options has %zu", op,
                         opts->size, sizeof *opts);
    for (int i = 0; i < law->n; i++)
        if (!params[i])
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, law->param[i]);
    int dtype = AGN_F64;
    agn_status st = find_dtype(op, law, params, &dtype);
    agni_meta batch = {.ndim = 0};
    for (int i = 0; !st && i < law->n; i++)
        if (!agni_broadcast_into(&batch, params[i]->ndim, params[i]->shape))
            st = agni_fail(AGN_ESHAPE, "%s: %s %s and %s %s do not broadcast", op, law->param[0],
                           AGNI_SHAPE(params[0]), law->param[i], AGNI_SHAPE(params[i]));
    for (int i = 0; !st && i < law->n && !(opts && opts->unchecked); i++)
        st = check_values(op, law, i, params[i]);
    if (st)
        return st;
    agn_distribution *d = agni_zalloc(sizeof *d);
    if (!d)
        return agni_nomem(op, sizeof *d);
    agni_ref_init(&d->head.ref);
    d->head.type = &distribution_type;
    d->law = law;
    d->batch = batch;
    d->batch.dtype = (int32_t)dtype;
    for (int i = 0; !st && i < law->n; i++)
        st = agn_cast(&d->param[i], params[i], dtype);
    if (st)
        agn_distribution_release(d);
    else
        *out = d;
    return st;
}
