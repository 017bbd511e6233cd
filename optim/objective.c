/* optim/objective.c - evaluation of the objective: binding, calling, reading value and gradient. */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

/* ---- binding ----------------------------------------------------------------------- */

static void drop_results(agn_optim *o)
{
    for (int i = 0; i < o->n_out; i++)
        agn_release(o->out[i]);
    agni_free(o->out);
    o->out = NULL;
    o->n_out = 0;
}

static void drop_arguments(agn_optim *o)
{
    for (int i = 0; i < o->n_args; i++)
        agn_release((agn_tensor *)(uintptr_t)o->in[o->n_params + i]);
    o->n_args = 0;
}

void agni_optim_unbind(agn_optim *o)
{
    drop_results(o);
    drop_arguments(o);
    agni_free(o->in);
    agni_free(o->version);
    agn_fn_release(o->fn);
    o->in = NULL;
    o->version = NULL;
    o->fn = NULL;
    o->room_in = 0;
}

static bool is_same_objective(const agn_optim *o, const agn_fn *fn, const agn_tensor *const *args,
                              int n_args)
{
    if (o->fn != fn || o->n_args != n_args)
        return false;
    for (int i = 0; i < n_args; i++)
        if (o->in[o->n_params + i] != args[i] || o->version[i] != agni_tensor_version(args[i]))
            return false;
    return true;
}

static agn_status check_arguments(const agn_optim *o, const agn_fn *fn,
                                  const agn_tensor *const *args, int32_t n_args)
{
    if (!fn || (!args && n_args > 0))
        return agni_fail(AGN_ENULL, "optim_step: %s is NULL", fn ? "args" : "fn");
    agn_status gone = agni_check_handle("optim_step", &fn->head);
    if (gone)
        return gone;
    if (n_args < 0 || agn_fn_n_in(fn) - o->n_params != n_args)
        return agni_fail(
            AGN_EARG,
            "optim_step: the objective has %d arguments; there are %d parameters and %d "
            "constant arguments",
            agn_fn_n_in(fn), o->n_params, n_args);
    if (agn_fn_n_out(fn) < 1 + o->n_params)
        return agni_fail(
            AGN_EARG,
            "optim_step: the objective has %d results; a value and %d gradients are needed",
            agn_fn_n_out(fn), o->n_params);
    for (int i = 0; i < n_args; i++)
        if (!args[i])
            return agni_fail(AGN_ENULL, "optim_step: constant argument %d of %d is NULL", i,
                             n_args);
    return AGN_OK;
}

agn_status agni_optim_bind(agn_optim *o, const agn_fn *fn, const agn_tensor *const *args,
                           int32_t n_args)
{
    agn_status st = check_arguments(o, fn, args, n_args);
    if (st || is_same_objective(o, fn, args, n_args))
        return st;
    int n_in = o->n_params + n_args;
    if (n_in > o->room_in) {
        const agn_tensor **in = agni_alloc((size_t)n_in * sizeof *in);
        int64_t *version = agni_alloc(((size_t)n_args + 1) * sizeof *version);
        if (!in || !version) {
            agni_free(in);
            agni_free(version);
            return agni_nomem("optim_step", (size_t)n_in * sizeof *in);
        }
        drop_arguments(o);
        for (int i = 0; i < o->n_params; i++)
            in[i] = o->param[i];
        agni_free(o->in);
        agni_free(o->version);
        o->in = in;
        o->version = version;
        o->room_in = n_in;
    }
    if (o->fn != fn || o->n_args != n_args)
        drop_results(o);
    /* the new ones first: they may be among the old ones */
    for (int i = 0; i < n_args; i++)
        agni_tensor_ref(args[i]);
    drop_arguments(o);
    for (int i = 0; i < n_args; i++) {
        o->in[o->n_params + i] = args[i];
        o->version[i] = agni_tensor_version(args[i]);
    }
    o->n_args = n_args;
    if (o->fn != fn) {
        agn_fn *old = o->fn;
        o->fn = agn_fn_retain(fn);
        o->plain = false;
        agn_fn_release(old);
    }
    if (!o->restored)
        o->k.known = 0;
    return AGN_OK;
}

/* ---- calling ------------------------------------------------------------------------- */

/* writes x to the tensors of the parameters (views of it, or f32 copies); bumps their versions */
static agn_status write_params(agn_optim *o)
{
    void *data;
    const double *x = o->x;
    for (int p = 0; p < o->n_params; p++) {
        agn_tensor *t = o->param[p];
        agn_status st = agn_data_mut(&data, t);
        if (st)
            return st;
        if (t->dtype == AGN_F32)
            agni_optim_narrow(data, x, t->size);
        x += t->size;
    }
    return AGN_OK;
}

/* A compiled function writes into the results of the call before; any other makes new ones. */
static agn_status call_objective(agn_optim *o)
{
    if (o->out && !o->plain) {
        agn_status st = agn_fn_call_into(o->out, agn_fn_n_out(o->fn), o->fn, o->in,
                                         agn_fn_n_in(o->fn));
        if (st != AGN_EARG && st != AGN_ESHAPE && st != AGN_EDTYPE)
            return st;
    }
    int n_out = agn_fn_n_out(o->fn);
    agn_tensor **out = agni_zalloc((size_t)n_out * sizeof *out);
    if (!out)
        return agni_nomem("optim_step", (size_t)n_out * sizeof *out);
    agn_status st = agn_fn_call(out, agn_fn_n_out(o->fn), o->fn, o->in, agn_fn_n_in(o->fn));
    if (st) {
        agni_free(out);
        return st;
    }
    o->plain = o->out != NULL; /* a second one: writing into the first was refused */
    drop_results(o);
    o->out = out;
    o->n_out = n_out;
    return AGN_OK;
}

static agn_status check_results(const agn_optim *o)
{
    const agn_tensor *f = o->out[0];
    if (f->ndim)
        return agni_fail(AGN_ESHAPE, "optim_step: the value must be a scalar []; it is %s",
                         AGNI_SHAPE(f));
    if (f->dtype != AGN_F64 && f->dtype != AGN_F32)
        return agni_fail(AGN_EDTYPE,
                         "optim_step: the value is %s; f32 or f64 is needed for minimising %s",
                         agni_dtypes[f->dtype].name, agni_dtypes[o->param[0]->dtype].name);
    if (agni_is_symbolic(f))
        return agni_fail(AGN_ESYMBOLIC, "optim_step: the value has none while tracing; it is %s %s",
                         agni_dtypes[f->dtype].name, AGNI_SHAPE(f));
    for (int p = 0; p < o->n_params; p++) {
        const agn_tensor *g = o->out[o->n_out - o->n_params + p], *x = o->param[p];
        if (g->ndim != x->ndim || memcmp(g->shape, x->shape, (size_t)x->ndim * sizeof *x->shape))
            return agni_fail(AGN_ESHAPE, "optim_step: gradient %d is %s, its parameter %s", p,
                             AGNI_SHAPE(g), AGNI_SHAPE(x));
        if (g->dtype != x->dtype)
            return agni_fail(AGN_EDTYPE, "optim_step: gradient %d is %s, its parameter %s", p,
                             agni_dtypes[g->dtype].name, agni_dtypes[x->dtype].name);
    }
    return AGN_OK;
}

/* may t's data be read as they are? */
static bool is_at_hand(const agn_tensor *t)
{
    return t->st && !t->stale && agni_tensor_device(t) == AGN_CPU && agni_is_contiguous(t);
}
/* agn_to_host, without its allocations in the usual case */
static agn_status copy_to_host(void *to, const agn_tensor *t)
{
    size_t bytes = (size_t)t->size * agn_dtype_size(t->dtype);
    if (!is_at_hand(t))
        return agn_to_host(to, t, bytes);
    if (bytes)
        memcpy(to, t->data, bytes);
    return AGN_OK;
}

static agn_status read_value(double *to, const agn_tensor *t)
{
    float narrow;
    if (t->dtype == AGN_F64)
        return copy_to_host(to, t);
    agn_status st = copy_to_host(&narrow, t);
    if (!st)
        *to = (double)narrow;
    return st;
}

static agn_status read_dense_gradient(double *g, const agn_tensor *t)
{
    bool wide = t->dtype == AGN_F64;
    if (!wide && is_at_hand(t)) {
        agni_optim_widen(g, t->data, t->size);
        return AGN_OK;
    }
    /* an f32 gradient goes to the end of its part and is widened from the front: element i
       is read from 4 (size + i) bytes on, never before it is written over at 8 i */
    void *to = wide ? (void *)g : (void *)((float *)(void *)g + t->size);
    agn_status st = copy_to_host(to, t);
    for (int64_t i = 0; !st && !wide && i < t->size; i++) {
        float narrow;
        memcpy(&narrow, (const float *)to + i, sizeof narrow);
        double widened = (double)narrow;
        memcpy(g + i, &widened, sizeof widened);
    }
    return st;
}

static agn_status read_gradient(agn_optim *o)
{
    bool rows = agni_optim_has_sparse_gradient(o);
    int64_t at = 0;
    agn_status st = AGN_OK;
    if (rows)
        agni_optim_clear_gradient(o);
    agni_optim_span_all(o); /* also where something fails */
    for (int p = 0; !st && p < o->n_params; p++) {
        const agn_tensor *t = o->out[o->n_out - o->n_params + p];
        if (t->layout != AGN_DENSE) {
            st = agni_optim_read_sparse_gradient(o, at, t);
        } else {
            st = read_dense_gradient(o->g + at, t);
            if (!st && rows)
                st = agni_optim_add_span(o, at, at + t->size);
        }
        at += o->param[p]->size;
    }
    if (!st && rows && !o->method->direction) /* searches along lines put gradients back */
        agni_optim_close_spans(o);
    return st;
}

agn_status agni_optim_evaluate(agn_optim *o)
{
    o->k.known = 0;
    double now = 0;
    agn_status st = write_params(o);
    if (!st)
        st = call_objective(o);
    if (!st)
        st = check_results(o);
    if (!st)
        st = read_value(&now, o->out[0]);
    if (!st)
        st = read_gradient(o);
    if (st)
        return st;
    o->k.value = now;
    o->k.gradient = agni_optim_max_gradient(o);
    o->k.known = 1;
    o->k.evaluations++;
    return AGN_OK;
}

bool agni_optim_is_finite(const agn_optim *o)
{
    return isfinite(o->k.value) && isfinite(o->k.gradient);
}

agn_status agni_optim_ensure_evaluated(agn_optim *o)
{
    if (o->k.known != 0 && !o->restored)
        return AGN_OK;
    bool again = o->restored && o->k.known != 0;
    double count = o->k.evaluations;
    memcpy(o->g0, o->g, (size_t)o->n * sizeof *o->g);
    agn_status st = agni_optim_evaluate(o);
    if (st) {
        memcpy(o->g, o->g0, (size_t)o->n * sizeof *o->g);
        return st;
    }
    if (again)
        o->k.evaluations = count;
    o->restored = false;
    if (memcmp(o->g, o->g0, (size_t)o->n * sizeof *o->g) != 0) {
        o->k.has_d = 0;
        o->k.best = (double)INFINITY;
        o->k.idle = 0;
        o->k.value_before = (double)NAN; /* of another objective */
    }
    return AGN_OK;
}
