/* infer/approximation/em.c - expectation and maximisation in turn (Dempster, Laird & Rubin
   1977). */
#include "infer/approximation/approximation.h"
#include "tensor/value/tensor.h"
#include <agnesi/ag.h>
#include <agnesi/autograd.h>
#include <agnesi/nn.h>
#include <agnesi/optim.h>

#include <math.h>
#include <string.h>

typedef const agn_tensor *T;

enum { MOST = 64 };

typedef struct em {
    agn_fn *log_joint;
    int32_t n, n_in; /* parameters; with arguments */
} em;

/* responsibilities and log likelihood */
static agn_status expect_body(void *user, agn_scope *s, const T *in, T *out)
{
    const em *e = user;
    static const int32_t last = -1;
    T joint = NULL;
    agn_status st = agn_fn_apply(s, &joint, 1, e->log_joint, in, e->n_in);
    if (st)
        return st;
    if (joint->ndim != 2 || !joint->shape[1])
        return agn_scope_fail(s, agni_fail(AGN_ESHAPE,
                                           "infer_em: log_joint is %s; [rows, states] is needed",
                                           AGNI_SHAPE(joint)));
    if (agn_dtype_of(joint) != AGN_F64)
        return agn_scope_fail(s, agni_fail(AGN_EDTYPE, "infer_em: log_joint is %s; f64 is needed",
                                           agn_dtype_name(agn_dtype_of(joint))));
    T sums = ag_logsumexp(s, joint, &last, 1, true);
    out[0] = ag_exp(s, ag_sub(s, joint, sums));
    out[1] = ag_sum_all(s, sums);
    return agn_scope_status(s);
}
/* of parameters, arguments, responsibilities: what maximisation makes small */
static agn_status loss_body(void *user, agn_scope *s, const T *in, T *out)
{
    const em *e = user;
    T joint = NULL, r = in[e->n_in], zero = ag_lit(s, 0);
    agn_status st = agn_fn_apply(s, &joint, 1, e->log_joint, in, e->n_in);
    if (st)
        return st;
    /* a state without weight counts nothing, though its log may be infinite */
    T none = ag_eq(s, r, zero);
    out[0] = ag_neg(s, ag_sum_all(s, ag_mul(s, r, ag_where(s, none, zero, joint))));
    return agn_scope_status(s);
}
agn_status agn_infer_em(agn_tensor *out[], int32_t n, double *value, int64_t *steps,
                        const agn_fn *log_joint, const agn_fn *maximise,
                        const agn_tensor *const *in, int32_t n_in, const agn_em_options *opts)
{
    const char *op = "infer_em";
    if (!out || !log_joint || !in)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !out         ? "out"
                         : !log_joint ? "log_joint"
                                      : "in");
    if (agni_check_size(op, agn_em_options, opts))
        return AGN_EARG;
    agn_em_options o = {.size = sizeof o};
    if (opts)
        o = *opts;
    o.max_steps = o.max_steps ? o.max_steps : 1000;
    o.tol = o.tol != 0 ? o.tol : 1e-10;
    if (o.max_steps < 1 || !(o.tol > 0))
        return agni_fail(AGN_EARG, "%s: max_steps is %lld, tol is %g; both must be positive", op,
                         (long long)o.max_steps, o.tol);
    if (n < 1 || n > n_in || n_in >= MOST)
        return agni_fail(AGN_EARG, "%s: %d parameters among %d arguments", op, n, n_in);
    if (agn_fn_n_in(log_joint) != n_in || agn_fn_n_out(log_joint) != 1)
        return agni_fail(AGN_EARG,
                         "%s: log_joint has %d arguments and %d results; %d and one are needed", op,
                         agn_fn_n_in(log_joint), agn_fn_n_out(log_joint), n_in);
    if (maximise && (agn_fn_n_in(maximise) != n_in - n + 1 || agn_fn_n_out(maximise) != n))
        return agni_fail(AGN_EARG,
                         "%s: maximise has %d arguments and %d results; %d and %d are needed", op,
                         agn_fn_n_in(maximise), agn_fn_n_out(maximise), n_in - n + 1, n);
    for (int32_t i = 0; i < n_in; i++)
        if (!in[i])
            return agni_fail(AGN_ENULL, "%s: argument %d is NULL", op, i);
    em e = {(agn_fn *)(uintptr_t)log_joint, n, n_in};
    agn_fn *expect = NULL, *by = NULL, *loss = NULL;
    agn_tensor *p[MOST] = {NULL}, *y[2] = {NULL, NULL};
    T args[MOST + 1];
    double before = -(double)INFINITY;
    int64_t k = 0;
    agn_status st = agn_fn_new(&loss, expect_body, &e, NULL, n_in, 2);
    st = st ? st : agn_fn_compile(&expect, loss, NULL);
    agn_fn_release(loss);
    loss = NULL;
    st = st         ? st
         : maximise ? agn_fn_compile(&by, maximise, NULL)
                    : agn_fn_new(&loss, loss_body, &e, NULL, n_in + 1, 1);
    for (int32_t i = 0; !st && i < n; i++)
        st = agn_copy(&p[i], in[i]);
    for (bool ends = false; !st && !ends; k++) {
        for (int32_t i = 0; i < n_in; i++)
            args[i] = i < n ? p[i] : in[i];
        st = agni_check_interrupt() ? agni_fail(AGN_ECANCELLED, "%s: interrupted", op)
                                    : agn_fn_call(y, 2, expect, args, n_in);
        if (st)
            break;
        double there = *(const double *)agn_data(y[1]);
        if (!isfinite(there))
            st = agni_fail(AGN_EDOMAIN, "%s: the log likelihood is %g after %lld steps", op, there,
                           (long long)k);
        ends = there - before <= o.tol * (1 + fabs(there)) || k == o.max_steps;
        before = there;
        if (!st && !ends) {
            agn_tensor *next[MOST] = {NULL};
            if (maximise) {
                args[n - 1] = y[0];
                for (int32_t i = n; i < n_in; i++)
                    args[i] = in[i];
                st = agn_fn_call(next, n, by, args + n - 1, n_in - n + 1);
            } else {
                args[n_in] = y[0];
                st = agn_fn_minimise(next, n, NULL, NULL, loss, args, n_in + 1, AGN_OPTIM_LBFGS,
                                     100, NULL);
            }
            for (int32_t i = 0; !st && i < n; i++) {
                agn_release(p[i]);
                p[i] = next[i];
            }
        }
        agn_release(y[0]);
        agn_release(y[1]);
        y[0] = y[1] = NULL;
        if (ends)
            break;
    }
    agn_fn_release(expect);
    agn_fn_release(by);
    agn_fn_release(loss);
    for (int32_t i = 0; i < n; i++)
        if (st)
            agn_release(p[i]);
        else
            out[i] = p[i];
    if (!st && value)
        *value = before;
    if (!st && steps)
        *steps = k;
    return st;
}
