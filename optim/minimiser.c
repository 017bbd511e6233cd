/* optim/minimiser.c - creation and release of a minimiser; its options and parameters. */
#include "optim/optim.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#define UNBOUNDED ((double)INFINITY)

static const agni_optim_method *const methods[] = {
    [AGN_OPTIM_ADAM] = &agni_optim_adam,    [AGN_OPTIM_LBFGS] = &agni_optim_lbfgs,
    [AGN_OPTIM_BFGS] = &agni_optim_bfgs,    [AGN_OPTIM_SSBFGS] = &agni_optim_bfgs,
    [AGN_OPTIM_SSBROYDEN] = &agni_optim_bfgs,
};

/* ---- options ----------------------------------------------------------------------- */

/* every real option: its member, its default, and its open or closed range */
static const struct {
    const char *name;
    size_t at;
    double otherwise, low, high;
    bool positive;
} reals[] = {
    {"rate", offsetof(agn_optim_options, rate), 1e-3, 0, UNBOUNDED, true},
    {"beta1", offsetof(agn_optim_options, beta1), 0.9, 0, 1, false},
    {"beta2", offsetof(agn_optim_options, beta2), 0.999, 0, 1, false},
    {"eps", offsetof(agn_optim_options, eps), 1e-8, 0, UNBOUNDED, false},
    {"weight_decay", offsetof(agn_optim_options, weight_decay), 0, 0, UNBOUNDED, false},
    {"c1", offsetof(agn_optim_options, c1), 1e-4, 0, 1, true},
    {"c2", offsetof(agn_optim_options, c2), 0.9, 0, 1, true},
    {"gradient_tol", offsetof(agn_optim_options, gradient_tol), 1e-10, 0, UNBOUNDED, false},
    {"step_tol", offsetof(agn_optim_options, step_tol), 0, 0, UNBOUNDED, false},
    {"value_tol", offsetof(agn_optim_options, value_tol), 0, 0, UNBOUNDED, false},
};

agn_status agni_optim_fill_options(const char *op, agn_optim_options *a)
{
    for (int i = 0; i < AGNI_COUNT(reals); i++) {
        double *x = (double *)(void *)((char *)a + reals[i].at);
        if (*x == 0)
            *x = reals[i].otherwise;
        else if (*x == AGN_OPTIM_NONE && !reals[i].positive)
            *x = 0;
        if (!(*x >= reals[i].low && *x < reals[i].high))
            return agni_fail(AGN_EARG, "%s: %s is %g; it must be %s and below %g", op,
                             reals[i].name, *x, reals[i].positive ? "positive" : "at least 0",
                             reals[i].high);
    }
    if (a->c1 >= a->c2)
        return agni_fail(AGN_EARG, "%s: c1 must be below c2: %g and %g", op, a->c1, a->c2);
    if (a->history < 0 || a->history > 10000 || a->max_evaluations < 0)
        return agni_fail(AGN_EARG,
                         "%s: history is %d and max_evaluations %d; 1 to 10000 and at least 1 "
                         "are possible",
                         op, a->history, a->max_evaluations);
    if (!a->history)
        a->history = 20;
    if (!a->max_evaluations)
        a->max_evaluations = 30;
    if (a->idle_steps < -1)
        return agni_fail(AGN_EARG, "%s: idle_steps is %d; it must be at least -1", op,
                         a->idle_steps);
    if (!a->idle_steps)
        a->idle_steps = 50;
    return AGN_OK;
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
    if (kind == AGN_OPTIM_ADAM || kind == AGN_OPTIM_LBFGS)
        return agni_fail(AGN_EARG, "optim_new: %s takes no inverse Hessian; one of %s is given",
                         methods[kind]->name, AGNI_SHAPE(a->inverse_hessian));
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
    if (kind < 0 || kind >= AGNI_COUNT(methods))
        return agni_fail(AGN_EARG, "optim_new: there is no method %d; kinds are 0 to %d", kind,
                         AGNI_COUNT(methods) - 1);
    if (agni_check_size("optim_new", agn_optim_options, opts))
        return AGN_EARG;
    agn_optim_options a = opts ? *opts : none;
    agn_status st = agni_optim_fill_options("optim_new", &a);
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
    o->method = methods[kind];
    o->opt = a;
    o->opt.inverse_hessian = NULL;
    o->n_params = n;
    o->param = agni_zalloc((size_t)n * sizeof(agn_tensor *));
    if (!o->param)
        st = agni_nomem("optim_new", (size_t)n * sizeof(agn_tensor *));
    for (int i = 0; !st && i < n; i++)
        if (!agni_checked_add(o->n, params[i]->size, &o->n))
            st = agni_nomem("optim_new", SIZE_MAX);
    if (!st)
        st = alloc_state(o);
    if (!st)
        st = copy_params(o, params);
    if (!st) {
        o->k = (agni_optim_scalars){.format = 1,
                                    .kind = kind,
                                    .n = (double)o->n,
                                    .history = a.history,
                                    .rate = a.rate,
                                    .best = UNBOUNDED,
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
