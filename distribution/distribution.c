/* distribution/distribution.c - life of a distribution: parameters, their range, batch shape. */
#include "distribution/distribution.h"
#include "core/memory/scope.h"

#include <math.h>
#include <stdio.h>

/* ---- life -------------------------------------------------------------------------- */

static void destroy_distribution(agni_obj *obj)
{
    agn_distribution *d = (agn_distribution *)obj;
    for (int i = 0; i < AGNI_LAW_PARAMS; i++)
        agn_release(d->param[i]);
    agn_distribution_release(d->base);
    agn_transform_release(d->map);
    agni_obj_free(&d->head, sizeof *d);
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

const agn_distribution *agn_distribution_adopt(agn_scope *s, agn_status st,
                                               agn_distribution *const *at)
{
    agn_distribution *d = at ? *at : NULL;
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
int32_t agn_distribution_event_ndim(const agn_distribution *d)
{
    return d ? d->event.ndim : -1;
}
const int64_t *agn_distribution_event_shape(const agn_distribution *d)
{
    return d ? d->event.shape : NULL;
}
const char *agn_distribution_name(const agn_distribution *d)
{
    return d ? d->law->name : NULL;
}
agn_support agn_distribution_support(const agn_distribution *d)
{
    if (!d)
        return AGN_SUPPORT_NONE;
    bool same = d->base && !d->map && d->event.ndim == d->base->event.ndim; /* numbers of its base */
    return d->law->support == AGN_SUPPORT_NONE && same ? agn_distribution_support(d->base)
                                                       : d->law->support;
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

/* what the entries of a domain have to be; NULL: nothing is wrong */
static const char *describe_misfit(agni_domain domain, double v)
{
    if (domain == AGNI_ANY)
        return isnan(v) ? "a number" : NULL;
    switch (domain) {
    case AGNI_POSITIVE: return isfinite(v) && v > 0 ? NULL : "positive and finite";
    case AGNI_NONNEGATIVE: return isfinite(v) && v >= 0 ? NULL : "finite and not negative";
    case AGNI_PROBABILITY: return v >= 0 && v <= 1 ? NULL : "from 0 to 1";
    case AGNI_INSIDE_UNIT: return v > 0 && v < 1 ? NULL : "between 0 and 1";
    case AGNI_COUNT: return isfinite(v) && v >= 0 && v == floor(v) ? NULL : "0, 1, 2 or more";
    case AGNI_ABOVE_ONE: return isfinite(v) && v > 1 ? NULL : "above 1 and finite";
    case AGNI_SIGNED_UNIT: return v >= -1 && v <= 1 ? NULL : "from -1 to 1";
    case AGNI_UP_TO_TWO: return v > 0 && v <= 2 ? NULL : "above 0, up to 2";
    default: return isfinite(v) ? NULL : "finite";
    }
}

agn_status agni_law_values(const char *op, const agn_tensor *x, double **v)
{
    *v = NULL;
    if (agni_is_symbolic(x) || !x->size)
        return AGN_OK;
    agn_tensor *plain = agni_tensor_alias(x), *wide = NULL; /* nothing here is recorded */
    if (!plain)
        return agni_nomem(op, sizeof *plain);
    size_t bytes = (size_t)x->size * sizeof(double);
    *v = agni_alloc(bytes);
    agn_status st = *v ? agn_cast(&wide, plain, AGN_F64) : agni_nomem(op, bytes);
    if (!st)
        st = agn_to_host(*v, wide, bytes);
    if (st) {
        agni_free(*v);
        *v = NULL;
    }
    agn_release(wide);
    agn_release(plain);
    return st;
}

static agn_status check_domain(const char *op, const agni_law *law, int i, const agn_tensor *x)
{
    double *v;
    agn_status st = agni_law_values(op, x, &v);
    for (int64_t k = 0; !st && v && k < x->size; k++) {
        const char *must = describe_misfit(law->domain[i], v[k]);
        if (must)
            st = agni_fail(AGN_EDOMAIN, "%s: %s%s is %g; it must be %s", op, law->param[i],
                           index_text((char[96]){0}, 96, x, k), v[k], must);
    }
    agni_free(v);
    return st;
}

/* the first entry of the batch where param[low] stands above param[high] */
static agn_status check_order(const char *op, const agni_law *law, int k,
                              const agn_tensor *const *params, const agni_meta *batch)
{
    int low = law->order[k].low, high = law->order[k].high;
    agn_tensor *a = NULL, *b = NULL;
    double *u = NULL, *v = NULL;
    agn_status st = agn_broadcast_to(&a, params[low], batch->ndim, batch->shape);
    st = st ? st : agn_broadcast_to(&b, params[high], batch->ndim, batch->shape);
    st = st ? st : agni_law_values(op, a, &u);
    st = st ? st : agni_law_values(op, b, &v);
    for (int64_t i = 0; !st && u && v && i < a->size; i++)
        if (law->order[k].strict ? u[i] >= v[i] : u[i] > v[i]) {
            const char *at = index_text((char[96]){0}, 96, a, i);
            st = agni_fail(AGN_EDOMAIN, "%s: %s%s is %g, %s%s is %g; %s must be %s %s", op,
                           law->param[low], at, u[i], law->param[high], at, v[i],
                           law->param[low], law->order[k].strict ? "below" : "at most",
                           law->param[high]);
        }
    agni_free(u);
    agni_free(v);
    agn_release(a);
    agn_release(b);
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

/* the batch shape of all parameters, whose last rank[i] axes belong to one event */
static agn_status find_batch(const char *op, const agni_law *law, const agn_tensor *const *params,
                             agni_meta *batch)
{
    *batch = (agni_meta){.ndim = 0};
    for (int i = 0; i < law->n; i++) {
        if (params[i]->ndim < law->rank[i])
            return agni_fail(AGN_ESHAPE, "%s: %s is %s; %d axes at least are needed", op,
                             law->param[i], AGNI_SHAPE(params[i]), law->rank[i]);
        if (!agni_broadcast_into(batch, params[i]->ndim - law->rank[i], params[i]->shape))
            return agni_fail(AGN_ESHAPE, "%s: %s %s and %s %s do not broadcast", op, law->param[0],
                             AGNI_SHAPE(params[0]), law->param[i], AGNI_SHAPE(params[i]));
    }
    return AGN_OK;
}

agn_status agni_distribution_make(agn_distribution **out, const agni_law *law,
                                  const agn_tensor *const *params,
                                  const agn_distribution_options *opts)
{
    char op[64];
    snprintf(op, sizeof op, "distribution_%s", law->name);
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (agni_check_size(op, agn_distribution_options, opts))
        return AGN_EARG;
    for (int i = 0; i < law->n; i++)
        if (!params[i])
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, law->param[i]);
    int dtype = AGN_F64;
    agni_meta batch = {.ndim = 0};
    agn_status st = find_dtype(op, law, params, &dtype);
    st = st ? st : find_batch(op, law, params, &batch);
    bool checked = !(opts && opts->unchecked);
    for (int i = 0; !st && checked && i < law->n; i++)
        st = check_domain(op, law, i, params[i]);
    for (int i = 0; !st && checked && i < law->n_order; i++)
        st = check_order(op, law, i, params, &batch);
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
    d->event.ndim = law->event_rank;
    for (int i = 0; i < law->event_rank; i++)
        d->event.shape[i] = params[0]->shape[params[0]->ndim - law->event_rank + i];
    for (int i = 0; !st && i < law->n; i++)
        st = agn_cast(&d->param[i], params[i], dtype);
    if (!st && law->check)
        st = law->check(op, d);
    if (st)
        agn_distribution_release(d);
    else
        *out = d;
    return st;
}

agn_status agni_distribution_copy(agn_distribution **out, const agn_distribution *d)
{
    static const agni_law none = {.name = "expanded"};
    agn_distribution *y = NULL;
    agn_status st = agni_distribution_make(&y, &none, NULL, NULL);
    if (st)
        return st;
    y->law = d->law;
    y->batch = d->batch;
    y->event = d->event;
    for (int i = 0; i < AGNI_LAW_PARAMS; i++)
        y->param[i] = agn_retain(d->param[i]);
    y->base = agn_distribution_retain(d->base);
    y->map = agn_transform_retain(d->map);
    *out = y;
    return AGN_OK;
}
