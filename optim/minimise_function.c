/* optim/minimise_function.c - minimisation of a plain function by one call: its gradient, compiled,
   and a minimiser of one of the methods. */
#include "optim/optim.h"

#include <agnesi/autograd.h>

static agn_status check_call(agn_tensor *const *out, int32_t n_out, const agn_fn *f,
                             const agn_tensor *const *in, int32_t n_in, int64_t max_steps)
{
    if (!out || !f || !in)
        return agni_fail(AGN_ENULL, "fn_minimise: %s is NULL", !out ? "out" : !f ? "f" : "in");
    if (n_in != agn_fn_n_in(f))
        return agni_fail(AGN_EARG, "fn_minimise: %d arguments are given, the function has %d", n_in,
                         agn_fn_n_in(f));
    if (n_out < 1 || n_out > n_in)
        return agni_fail(
            AGN_EARG,
            "fn_minimise: there is room for %d parameters; the function has %d arguments, "
            "and at least 1 must be one",
            n_out, n_in);
    if (max_steps < 0)
        return agni_fail(AGN_EARG, "fn_minimise: %lld steps are asked for; at least 0 can be made",
                         (long long)max_steps);
    return AGN_OK;
}

/* value and gradient of f in its first n arguments, as one plan */
static agn_status make_objective(agn_fn **out, const agn_fn *f, int32_t n)
{
    int32_t *argnums = agni_alloc((size_t)n * sizeof *argnums);
    agn_fn *g = NULL;
    if (!argnums)
        return agni_nomem("fn_minimise", (size_t)n * sizeof *argnums);
    for (int32_t i = 0; i < n; i++)
        argnums[i] = i;
    agn_status st = agn_fn_value_and_grad(&g, f, argnums, n);
    st = st ? st : agn_fn_compile(out, g, NULL);
    agn_fn_release(g);
    agni_free(argnums);
    return st;
}

agn_status agn_fn_minimise(agn_tensor *out[], int32_t n_out, double *value, int32_t *reason,
                           const agn_fn *f, const agn_tensor *const *in, int32_t n_in, int32_t kind,
                           int64_t max_steps, const agn_optim_options *opts)
{
    agn_fn *objective = NULL;
    agn_optim *o = NULL;
    int32_t why = AGN_OPTIM_RUNNING;
    agn_status st = check_call(out, n_out, f, in, n_in, max_steps);
    st = st ? st : make_objective(&objective, f, n_out);
    st = st ? st : agn_optim_new(&o, kind, in, n_out, opts);
    st = st ? st
            : agn_optim_minimise(&why, o, objective, in + n_out, n_in - n_out, max_steps, NULL,
                                 NULL);
    double here = st ? 0 : o->k.value;
    st = st                           ? st
         : opts && opts->keep_best    ? agn_optim_best(out, n_out, &here, o)
                                      : agn_optim_params(out, n_out, o);
    if (!st && value)
        *value = here;
    if (!st && reason)
        *reason = why;
    agn_optim_release(o);
    agn_fn_release(objective);
    return st;
}
