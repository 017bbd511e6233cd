/* optim/state.c - report, learning rate, saving and restoring of a minimiser. */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

/* Readers see a minimiser between its steps only. */
static agn_status acquire_optim(const agn_optim *o, const char *op)
{
    if (!o)
        return agni_fail(AGN_ENULL, "%s: o is NULL", op);
    agn_status gone = agni_check_handle(op, &o->head);
    if (gone)
        return gone;
    if (atomic_flag_test_and_set(&((agn_optim *)(uintptr_t)o)->busy))
        return agni_fail(AGN_EARG, "%s: the minimiser is in use by another call, in step %lld", op,
                         (long long)o->k.steps + 1);
    return AGN_OK;
}
static void release_optim(const agn_optim *o)
{
    atomic_flag_clear(&((agn_optim *)(uintptr_t)o)->busy);
}

int32_t agn_optim_n_params(const agn_optim *o)
{
    return o ? o->n_params : -1;
}

static agn_status check_room(const char *op, agn_tensor *const *out, int32_t n_out,
                             const agn_optim *o)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (o && n_out != o->n_params)
        return agni_fail(AGN_EARG, "%s: there is room for %d parameters, the minimiser has %d", op,
                         n_out, o->n_params);
    return AGN_OK;
}

/* x in the shapes and dtypes of the parameters */
static agn_status copy_as_params(agn_tensor *out[], const agn_optim *o, const double *x)
{
    agn_scope *s = agn_scope_open(NULL);
    for (int i = 0; i < o->n_params && !agn_scope_status(s); i++) {
        const agn_tensor *p = o->param[i];
        agn_tensor *wide = NULL, *t = NULL;
        agn_status st = agn_from_host(&wide, AGN_F64, p->ndim, p->shape, x);
        if (!st)
            st = agn_cast(&t, wide, p->dtype);
        agn_release(wide);
        agn_scope_return(s, out + i, agn_scope_adopt(s, st, &t));
        x += p->size;
    }
    return agn_scope_close(s);
}

agn_status agn_optim_params(agn_tensor *out[], int32_t n_out, const agn_optim *o)
{
    agn_status st = check_room("optim_params", out, n_out, o);
    st = st ? st : acquire_optim(o, "optim_params");
    if (st)
        return st;
    st = copy_as_params(out, o, o->x);
    release_optim(o);
    return st;
}

agn_status agn_optim_best(agn_tensor *out[], int32_t n_out, double *value, const agn_optim *o)
{
    agn_status st = check_room("optim_best", out, n_out, o);
    if (!st && o && !o->best_x)
        st = agni_fail(AGN_EARG,
                       "optim_best: the minimiser of %lld numbers was made without keep_best",
                       (long long)o->n);
    st = st ? st : acquire_optim(o, "optim_best");
    if (st)
        return st;
    bool any = isfinite(o->k.best);
    st = copy_as_params(out, o, any ? o->best_x : o->x);
    if (!st && value)
        *value = any ? o->k.best : (double)NAN;
    release_optim(o);
    return st;
}

/* an exponential average by the sum of its weights, 1 - decay^steps */
static agn_status copy_average(agn_tensor *out[], const agn_optim *o, const double *average)
{
    double *x = agni_alloc((size_t)o->n * sizeof *x + 1);
    if (!x)
        return agni_nomem("optim_average", (size_t)o->n * sizeof *x);
    double sum = -expm1(o->k.steps * log(o->opt.average_decay));
    for (int64_t i = 0; i < o->n; i++)
        x[i] = average[i] / sum;
    agn_status st = copy_as_params(out, o, x);
    agni_free(x);
    return st;
}

agn_status agn_optim_average(agn_tensor *out[], int32_t n_out, const agn_optim *o)
{
    agn_status st = check_room("optim_average", out, n_out, o);
    bool own = o && o->kind == AGN_OPTIM_ASGD;
    if (!st && o && !own && o->opt.average_decay == 0)
        st = agni_fail(AGN_EARG, "optim_average: the minimiser is %s of %lld numbers without "
                       "average_decay",
                       agni_optim_name(o->kind), (long long)o->n);
    st = st ? st : acquire_optim(o, "optim_average");
    if (st)
        return st;
    int after = own ? 0 : agni_optim_slots(o->kind, &o->opt) - 1 - (o->opt.lookahead_steps > 0);
    if (o->k.steps == 0)
        st = copy_as_params(out, o, o->x);
    else
        st = own ? copy_as_params(out, o, o->own) : copy_average(out, o, o->own + after * o->n);
    release_optim(o);
    return st;
}

double agn_optim_rate(const agn_optim *o)
{
    return o ? o->k.rate : (double)NAN;
}

agn_status agn_optim_rate_set(agn_optim *o, double rate)
{
    if (o && !(rate >= 0 && isfinite(rate)))
        return agni_fail(AGN_EARG,
                         "optim_rate_set: the rate is %g; it must be at least 0, as %g is",
                         rate, o->k.rate);
    agn_status st = acquire_optim(o, "optim_rate_set");
    if (st)
        return st;
    o->k.rate = rate;
    release_optim(o);
    return AGN_OK;
}

agn_status agn_optim_describe(agn_optim_info *info, const agn_optim *o)
{
    if (!info)
        return agni_fail(AGN_ENULL, "optim_describe: info is NULL");
    if (agni_check_size("optim_describe", agn_optim_info, info))
        return AGN_EARG;
    agn_status st = acquire_optim(o, "optim_describe");
    if (st)
        return st;
    const agni_optim_scalars *k = &o->k;
    *info = (agn_optim_info){
        .size = sizeof *info,
        .kind = o->kind,
        .reason = (int32_t)k->reason,
        .n = o->n,
        .steps = (int64_t)k->steps,
        .evaluations = (int64_t)k->evaluations,
        .value = k->value,
        .gradient = k->gradient,
        .step = k->step,
        .length = k->length,
        .value_before = k->value_before,
        .slope_before = k->slope_before,
        .slope_after = k->slope_after,
        .strong_wolfe = k->strong != 0,
    };
    release_optim(o);
    return AGN_OK;
}

/* ---- saving ---------------------------------------------------------------------------- */

agn_status agn_optim_state_get(agn_tensor **out, const agn_optim *o)
{
    if (!out)
        return agni_fail(AGN_ENULL, "optim_state_get: out is NULL");
    agn_status st = acquire_optim(o, "optim_state_get");
    if (st)
        return st;
    int64_t size = AGNI_OPTIM_SCALARS + o->n + o->n_saved;
    agn_tensor *t = NULL;
    st = agn_empty(&t, AGN_F64, 1, &size, AGN_CPU);
    if (!st) {
        double *to = t->data;
        memcpy(to, &o->k, sizeof o->k);
        memcpy(to + AGNI_OPTIM_SCALARS, o->x, (size_t)o->n * sizeof *to);
        memcpy(to + AGNI_OPTIM_SCALARS + o->n, o->saved, (size_t)o->n_saved * sizeof *to);
    }
    release_optim(o);
    if (!st)
        *out = t;
    return st;
}

static bool is_count(double x, double most)
{
    return x >= 0 && x <= most && x == floor(x);
}

/* A state from a file is untrusted: no value may cause an access out of bounds or an endless
   loop. */
static const char *find_inconsistency(const agn_optim *o, const agni_optim_scalars *k)
{
    static const double counts = 9007199254740992.0; /* 2^53 */
    const agni_optim_scalars *mine = &o->k;
    if (k->format != mine->format)
        return "format";
    if (k->kind != mine->kind)
        return "kind";
    if (k->n != mine->n)
        return "number of parameters";
    if (k->history != mine->history)
        return o->method->direction ? "history" : "layout of memory";
    if (!(k->rate >= 0 && isfinite(k->rate)))
        return "rate";
    if (!is_count(k->steps, counts) || !is_count(k->evaluations, counts) ||
        !is_count(k->idle, counts))
        return "count of steps";
    if (!is_count(k->reason, AGN_OPTIM_CANCELLED))
        return "reason";
    if (!is_count(k->pairs, k->history) || !is_count(k->next, k->history - 1))
        return "count of pairs";
    return NULL;
}

agn_status agn_optim_state_set(agn_optim *o, const agn_tensor *state)
{
    if (!o || !state)
        return agni_fail(AGN_ENULL, "optim_state_set: %s is NULL", o ? "state" : "o");
    if (state->dtype != AGN_F64)
        return agni_fail(AGN_EDTYPE, "optim_state_set: the state is %s %s; f64 is needed",
                         agni_dtypes[state->dtype].name, AGNI_SHAPE(state));
    int64_t size = AGNI_OPTIM_SCALARS + o->n + o->n_saved;
    if (state->ndim != 1 || state->size != size)
        return agni_fail(AGN_ESHAPE,
                         "optim_state_set: the state is %s; this minimiser's has %lld numbers",
                         AGNI_SHAPE(state), (long long)size);
    agn_tensor *row = NULL;
    agn_status st = agni_require_host(state, "optim_state_set");
    if (!st)
        st = agn_contiguous(&row, state);
    if (st)
        return st;
    agni_optim_scalars k;
    const double *from = row->data;
    memcpy(&k, from, sizeof k);
    const char *what = find_inconsistency(o, &k);
    if (what)
        st = agni_fail(AGN_EFORMAT,
                       "optim_state_set: the %s is not that of this %s minimiser of %lld "
                       "numbers",
                       what, agni_optim_name(o->kind), (long long)o->n);
    if (!st)
        st = acquire_optim(o, "optim_state_set");
    if (!st) {
        o->k = k;
        memcpy(o->x, from + AGNI_OPTIM_SCALARS, (size_t)o->n * sizeof *from);
        memcpy(o->saved, from + AGNI_OPTIM_SCALARS + o->n, (size_t)o->n_saved * sizeof *from);
        o->restored = true;
        agni_optim_span_all(o);
        release_optim(o);
    }
    agn_release(row);
    return st;
}
