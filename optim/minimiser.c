/* optim/minimiser.c - creation and release of a minimiser; its parameters. */
#include "optim/optim.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const agni_optim_method *const methods[AGN_OPTIM_KINDS] = {
    [AGN_OPTIM_LBFGS] = &agni_optim_lbfgs,      [AGN_OPTIM_BFGS] = &agni_optim_bfgs,
    [AGN_OPTIM_SSBFGS] = &agni_optim_bfgs,      [AGN_OPTIM_SSBROYDEN] = &agni_optim_bfgs,
};
static const agni_optim_method *method_of(int32_t kind)
{
    return methods[kind] ? methods[kind] : &agni_optim_rule_method;
}

const char *agni_optim_name(int32_t kind)
{
    return methods[kind] ? methods[kind]->name : agni_optim_rules[kind].name;
}

static agn_status check_tensor(const agn_tensor *t, const char *what, int i)
{
    if (!t)
        return agni_fail(AGN_ENULL, "optim_new: %s %d is NULL", what, i);
    if (t->dtype != AGN_F64 && t->dtype != AGN_F32)
        return agni_fail(AGN_EDTYPE, "optim_new: %s %d is %s; f32 or f64 is needed", what, i,
                         agni_dtypes[t->dtype].name);
    if (agni_is_symbolic(t))
        return agni_fail(AGN_ESYMBOLIC, "optim_new: %s %d, %s, has no value while tracing", what, i,
                         AGNI_SHAPE(t));
    if (agni_tensor_device(t) != AGN_CPU)
        return agni_fail(AGN_EDEVICE,
                         "optim_new: %s %d is on device %d; minimisers work on device %d", what, i,
                         agni_tensor_device(t), AGN_CPU);
    return AGN_OK;
}

static agn_status check_arguments(const agn_optim_options *a, int32_t kind,
                                  const agn_tensor *const *params, int32_t n)
{
    if (n < 1)
        return agni_fail(AGN_EARG, "optim_new: there are %d parameters; at least 1 is needed", n);
    if (!params)
        return agni_fail(AGN_ENULL, "optim_new: params is NULL; %d are due", n);
    for (int i = 0; i < n; i++) {
        agn_status st = check_tensor(params[i], "parameter", i);
        if (st)
            return st;
    }
    if (!a->inverse_hessian)
        return AGN_OK;
    if (methods[kind] != &agni_optim_bfgs)
        return agni_fail(AGN_EARG, "optim_new: %s takes no inverse Hessian; one of %s is given",
                         agni_optim_name(kind), AGNI_SHAPE(a->inverse_hessian));
    return check_tensor(a->inverse_hessian, "inverse Hessian", 0);
}

/* ---- life ------------------------------------------------------------------------------ */

static void destroy_optim(agni_obj *obj)
{
    agn_optim *o = (agn_optim *)obj;
    agni_optim_unbind(o);
    for (int i = 0; o->param && i < o->n_params; i++)
        agn_release(o->param[i]);
    agni_free(o->param);
    agn_release(o->flat);
    agni_free(o->saved);
    agni_free(o->x0);
    agni_free(o->part);
    agni_free(o->parts);
    agni_free(o->each);
    agni_obj_free(&o->head, sizeof *o);
}
static const agni_obj_type optim_type = {.name = "optim", .destroy = destroy_optim};

void agn_optim_release(agn_optim *o)
{
    if (o)
        agni_obj_release(&o->head);
}

static double *alloc_numbers(int64_t n)
{
    int64_t bytes;
    double *p = agni_checked_mul(n, sizeof *p, &bytes) ? agni_alloc_aligned((size_t)bytes + 1)
                                                       : NULL;
    if (p)
        memset(p, 0, (size_t)bytes);
    return p;
}

static agn_status alloc_state(agn_optim *o)
{
    int64_t n = o->n, own = 0, all = 0, work = 0, part = o->opt.history;
    bool searches = o->method->direction != NULL;
    if (!searches)
        part = (n + AGNI_RULE_GRAIN - 1) / AGNI_RULE_GRAIN;
    if (o->method == &agni_optim_bfgs && !agni_checked_mul(n, agni_packed_chunks(n), &part))
        return agni_nomem("optim_new", SIZE_MAX);
    if (!o->method->memory(o, &own) || !agni_checked_mul(n, 2, &all) ||
        !agni_checked_add(all, own, &all) ||
        !agni_checked_add(all, o->opt.keep_best ? n : 0, &all) || !agni_checked_mul(n, 5, &work))
        return agni_nomem("optim_new", SIZE_MAX);
    o->n_saved = all;
    o->saved = alloc_numbers(all);
    o->x0 = alloc_numbers(searches ? work : 0);
    o->part = alloc_numbers(part);
    if (!o->saved || !o->x0 || !o->part)
        return agni_nomem("optim_new", (size_t)(all + work) * sizeof(double));
    o->g = o->saved;
    o->d = o->g + n;
    o->own = o->d + n;
    o->best_x = o->opt.keep_best ? o->own + own : NULL;
    if (searches) {
        o->g0 = o->x0 + n;
        o->v1 = o->g0 + n;
        o->v2 = o->v1 + n;
        o->w = o->v2 + n;
    }
    return AGN_OK;
}

/* copies the parameters to one vector, and makes the tensors that the objective gets */
static agn_status copy_params(agn_optim *o, const agn_tensor *const *params)
{
    agn_status st = agn_empty(&o->flat, AGN_F64, 1, &o->n, AGN_CPU);
    if (st)
        return st;
    o->x = o->flat->data;
    int64_t at = 0;
    for (int i = 0; !st && i < o->n_params; i++) {
        const agn_tensor *p = params[i];
        agn_tensor *wide = NULL, *t = NULL;
        st = agn_cast(&wide, p, AGN_F64);
        if (!st)
            st = agn_to_host(o->x + at, wide, (size_t)p->size * sizeof *o->x);
        agn_release(wide);
        int64_t stride[AGNI_MAX_RANK], step = 1;
        for (int a = p->ndim - 1; a >= 0; a--) {
            stride[a] = step;
            step *= p->shape[a];
        }
        if (!st && p->dtype == AGN_F64)
            st = agni_tensor_view(&t, o->flat, p->ndim, p->shape, stride, at);
        else if (!st)
            st = agn_empty(&t, p->dtype, p->ndim, p->shape, AGN_CPU);
        o->param[i] = t;
        o->narrow |= p->dtype == AGN_F32;
        at += p->size;
    }
    return st;
}

/* H packed, if it is symmetric to rounding and has a Cholesky factor */
static agn_status read_inverse_hessian(agn_optim *o, const agn_tensor *a)
{
    int64_t n = o->n;
    if (!a)
        return AGN_OK;
    if (a->dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "optim_new: the inverse Hessian is %s; f64 is needed",
                         agni_dtypes[a->dtype].name);
    if (a->ndim != 2 || a->shape[0] != n || a->shape[1] != n)
        return agni_fail(AGN_ESHAPE,
                         "optim_new: the inverse Hessian is %s, the parameters have %lld "
                         "numbers",
                         AGNI_SHAPE(a), (long long)n);
    if (n > INT32_MAX / 2)
        return agni_fail(AGN_EUNSUPPORTED,
                         "optim_new: an inverse Hessian %s is too large for LAPACK, "
                         "%d rows are possible",
                         AGNI_SHAPE(a), INT32_MAX / 2);
    double *full = alloc_numbers(n * n);
    if (!full)
        return agni_nomem("optim_new", (size_t)(n * n) * sizeof *full);
    agn_status st = agn_to_host(full, a, (size_t)(n * n) * sizeof *full);
    for (int64_t i = 0; !st && i < n; i++)
        for (int64_t j = 0; !st && j <= i; j++) {
            double low = full[i * n + j], up = full[j * n + i];
            if (!isfinite(low) || fabs(low - up) > 1e-12 * fmax(fabs(low), fabs(up)))
                st = agni_fail(
                    AGN_EDOMAIN,
                    "optim_new: the inverse Hessian is not symmetric: %g at (%lld,%lld), %g "
                    "across",
                    low, (long long)i, (long long)j, up);
            o->h[i * (i + 1) / 2 + j] = low;
        }
    if (!st) {
        lapack_int minor = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (lapack_int)n, full,
                                               (lapack_int)(n ? n : 1));
        if (minor)
            st = agni_fail(
                AGN_EDOMAIN,
                "optim_new: the inverse Hessian %s is not positive definite: leading minor "
                "%d is not",
                AGNI_SHAPE(a), (int)minor);
    }
    agni_free(full);
    o->k.has_h = 1;
    return st;
}

agn_status agn_optim_new(agn_optim **out, int32_t kind, const agn_tensor *const *params, int32_t n,
                         const agn_optim_options *opts)
{
    static const agn_optim_options none = {.size = sizeof none};
    if (!out)
        return agni_fail(AGN_ENULL, "optim_new: out is NULL");
    if (kind < 0 || kind >= AGN_OPTIM_KINDS)
        return agni_fail(AGN_EARG, "optim_new: there is no method %d; kinds are 0 to %d", kind,
                         AGN_OPTIM_KINDS - 1);
    if (agni_check_size("optim_new", agn_optim_options, opts))
        return AGN_EARG;
    agn_optim_options a = opts ? *opts : none;
    agn_status st = agni_optim_fill_options("optim_new", kind, n, &a);
    if (!st)
        st = check_arguments(&a, kind, params, n);
    if (st)
        return st;
    agn_optim *o = agni_zalloc(sizeof *o);
    if (!o)
        return agni_nomem("optim_new", sizeof *o);
    agni_ref_init(&o->head.ref);
    o->head.type = &optim_type;
    atomic_flag_clear(&o->busy);
    o->kind = kind;
    o->method = method_of(kind);
    o->opt = a;
    o->opt.inverse_hessian = NULL;
    o->opt.rate_factors = o->opt.decay_factors = NULL;
    o->n_params = n;
    o->param = agni_zalloc((size_t)n * sizeof(agn_tensor *));
    o->each = agni_zalloc((size_t)n * sizeof *o->each);
    if (!o->param || !o->each)
        st = agni_nomem("optim_new", (size_t)n * sizeof *o->each);
    for (int i = 0; !st && i < n; i++)
        if (!agni_checked_add(o->n, params[i]->size, &o->n))
            st = agni_nomem("optim_new", SIZE_MAX);
    for (int64_t i = 0, at = 0; !st && i < n; at = o->each[i++].to)
        o->each[i] = (agni_optim_part){.from = at,
                                       .to = at + params[i]->size,
                                       .rate = a.rate_factors ? a.rate_factors[i] : 1,
                                       .decay = a.decay_factors ? a.decay_factors[i] : 1};
    if (!st)
        st = alloc_state(o);
    if (!st)
        st = copy_params(o, params);
    if (!st) {
        o->k = (agni_optim_scalars){.format = 2,
                                    .kind = kind,
                                    .n = (double)o->n,
                                    .history = o->method->direction
                                                   ? a.history
                                                   : agni_optim_layout(kind, &a),
                                    .rate = a.rate,
                                    .best = (double)INFINITY,
                                    .value = (double)NAN,
                                    .gradient = (double)NAN,
                                    .step = (double)NAN,
                                    .length = (double)NAN,
                                    .value_before = (double)NAN,
                                    .slope_before = (double)NAN,
                                    .slope_after = (double)NAN};
        o->method->start(o);
        agni_optim_span_all(o);
        st = read_inverse_hessian(o, a.inverse_hessian);
    }
    if (st)
        agn_optim_release(o);
    else
        *out = o;
    return st;
}
