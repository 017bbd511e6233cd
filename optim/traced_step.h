/* optim/traced_step.h - steps as functions: an objective of one vector with all parameters. */
#ifndef AGNI_OPTIM_TRACED_STEP_H
#define AGNI_OPTIM_TRACED_STEP_H

#include "optim/optim.h"

typedef struct agni_optim_program {
    agn_fn *objective;
    agn_optim_options opt;
    int32_t kind, n;
    agn_tensor **like; /* descriptions of the parameters */
    double *factors;   /* of the rate, then of the decay, of each parameter */
    bool own_rates, own_decays; /* they are not all 1 */
    int64_t size;      /* numbers in all of them */
} agni_optim_program;

/* parts as one vector; the slice of x from *at on with the shape of a parameter */
const agn_tensor *agni_optim_concat(agn_scope *s, const agn_tensor *const *part, int32_t n);
const agn_tensor *agni_optim_slice(agn_scope *s, const agn_tensor *x, const agn_tensor *like,
                                   int64_t *at);

/* value and gradient [size] at x, with constants after it */
bool agni_optim_trace_objective(const agni_optim_program *p, agn_scope *s, const agn_tensor *x,
                                const agn_tensor *const *constants, const agn_tensor **value,
                                const agn_tensor **gradient);
agn_status agni_optim_check_vector(const agni_optim_program *p, const char *op, const char *what,
                                   const agn_tensor *x, int ndim);
/* a function of lead arguments before the constants of the objective */
agn_status agni_optim_make_step_fn(agn_fn **out, const char *op, agni_fn_run *run, int32_t kind,
                                   int lead, int results, const agn_fn *objective,
                                   const agn_tensor *const *params, int32_t n,
                                   const agn_optim_options *opts);

#endif
