/* fft/signal/systems/state.c - state spaces from quotients, in controller canonical form (Kailath
   1980, 2.1), back by
   the recursion of Faddeev and Le Verrier, and of samples (Van Loan 1978; Franklin, Powell &
   Workman 1998). */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>

agn_status agn_signal_polynomials_to_state(agn_tensor **a, agn_tensor **b, agn_tensor **c,
                                           agn_tensor **d, const agn_tensor *num,
                                           const agn_tensor *den)
{
    static const char op[] = "signal_polynomials_to_state";
    AGNI_NEED(op, a);
    AGNI_NEED(op, b);
    AGNI_NEED(op, c);
    AGNI_NEED(op, d);
    AGNI_NEED(op, num);
    AGNI_NEED(op, den);
    int64_t taps = num->ndim ? num->shape[num->ndim - 1] : 0,
            n = den->ndim ? den->shape[den->ndim - 1] - 1 : 0;
    if (n < 1 || taps < 1 || taps > n + 1 || num->ndim >= AGNI_MAX_RANK ||
        den->ndim >= AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE, "%s: num is %s, den %s; the order is at least 1, and not below that of num",
            op, AGNI_SHAPE(num), AGNI_SHAPE(den));
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){num, den});
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *f = agni_cast(s, den, dtype), *first = agni_signal_part(s, f, 0, 1);
    const agn_tensor *g = agni_signal_zeros(s, agni_cast(s, num, dtype), n + 1 - taps, 0);
    f = ag_div(s, agni_signal_part(s, f, 1, n), first);
    g = ag_div(s, g, first);
    /* of one batch, which both have */
    const agn_tensor *none = ag_add(s, ag_mul_c(s, agni_signal_part(s, g, 0, 1), 0),
                                    ag_mul_c(s, first, 0));
    f = ag_add(s, f, none);
    g = ag_add(s, g, none);
    const agn_tensor *through = agni_signal_part(s, g, 0, 1);
    const agn_tensor *out = ag_sub(s, agni_signal_part(s, g, 1, n), ag_mul(s, through, f));
    const agn_tensor *rows = agni_matrix_place(s, ag_expand_dims(s, ag_neg(s, f), -2), 0, 0, n, n);
    const agn_tensor *one = ag_add_c(s, none, 1);
    agn_scope_return(s, a, ag_add(s, rows, ag_eye(s, (agn_dtype)dtype, n, n, -1)));
    agn_scope_return(s, b, agni_matrix_place(s, ag_expand_dims(s, one, -1), 0, 0, n, 1));
    agn_scope_return(s, c, ag_expand_dims(s, out, -2));
    agn_scope_return(s, d, ag_expand_dims(s, through, -2));
    return agni_rename_error(op, agn_scope_close(s));
}

/* M_1 = 1, M_(k+1) = a M_k + c_k, c_k = -tr(a M_k) / k: the numerators are c M_k b + d c_k */
agn_status agn_signal_state_to_polynomials(agn_tensor **num, agn_tensor **den, const agn_tensor *a,
                                           const agn_tensor *b, const agn_tensor *c,
                                           const agn_tensor *d)
{
    static const char op[] = "signal_state_to_polynomials";
    agni_system y;
    AGNI_NEED(op, num);
    AGNI_NEED(op, den);
    agn_status st = agni_system_check(&y, op, a, b, c, d, 1);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &y);
    const agn_tensor *eye = ag_eye(s, (agn_dtype)y.dtype, y.order, y.order, 0), *m = eye;
    const agn_tensor *coefficient = ag_add_c(s, ag_mul_c(s, ag_trace(s, y.m[0], 0, -2, -1), 0), 1);
    const agn_tensor *all = ag_expand_dims(s, coefficient, -1), *up = NULL;
    for (int64_t k = 0; k <= y.order && !agn_scope_status(s); k++) {
        const agn_tensor *term = k ? ag_matmul(s, y.m[2], ag_matmul(s, m, y.m[1])) : NULL;
        if (y.m[3])
            term = agni_add_present(
                s, term,
                ag_mul(s, y.m[3], ag_expand_dims(s, ag_expand_dims(s, coefficient, -1), -1)));
        if (!term) /* of the shape of the others */
            term = ag_mul_c(s, ag_matmul(s, y.m[2], ag_matmul(s, y.m[0], y.m[1])), 0);
        term = ag_expand_dims(s, term, -1);
        /* broadcast as the later ones are */
        up = k && up ? ag_add(s, agni_signal_zeros(s, up, 0, 1), agni_signal_zeros(s, term, k, 0))
                     : term;
        if (k == y.order)
            break;
        const agn_tensor *am = ag_matmul(s, y.m[0], k ? m : eye);
        if (k) {
            m = ag_add(s, am,
                       ag_mul(s, eye, ag_expand_dims(s, ag_expand_dims(s, coefficient, -1), -1)));
            am = ag_matmul(s, y.m[0], m);
        }
        coefficient = ag_mul_c(s, ag_trace(s, am, 0, -2, -1), -1.0 / (double)(k + 1));
        const agn_tensor *parts[] = {all, ag_expand_dims(s, coefficient, -1)};
        all = agn_scope_status(s) ? NULL : ag_concat(s, parts, 2, -1);
    }
    agn_scope_return(s, num, up);
    agn_scope_return(s, den, all);
    return agni_rename_error(op, agn_scope_close(s));
}

/* (1 - alpha h a)^-1 on both sides of a step (the generalised bilinear map) */
static void blend_slopes(agn_scope *s, const agni_system *y, double h, double alpha,
                         const agn_tensor **m)
{
    const agn_tensor *eye = ag_eye(s, (agn_dtype)y->dtype, y->order, y->order, 0);
    const agn_tensor *left = ag_sub(s, eye, ag_mul_c(s, y->m[0], alpha * h)),
                     *right = ag_add(s, eye, ag_mul_c(s, y->m[0], (1 - alpha) * h));
    m[0] = ag_linalg_solve(s, left, right);
    m[1] = ag_linalg_solve(s, left, ag_mul_c(s, y->m[1], h));
    m[2] = ag_swapaxes(
        s, ag_linalg_solve(s, ag_swapaxes(s, left, -1, -2), ag_swapaxes(s, y->m[2], -1, -2)), -1,
        -2);
    m[3] = ag_mul_c(s, ag_matmul(s, y->m[2], m[1]), alpha);
}

agn_status agn_signal_discretise(agn_tensor **ad, agn_tensor **bd, agn_tensor **cd, agn_tensor **dd,
                                 const agn_tensor *a, const agn_tensor *b, const agn_tensor *c,
                                 const agn_tensor *d, double period, int32_t hold, double alpha)
{
    static const char op[] = "signal_discretise";
    agni_system y;
    AGNI_NEED(op, ad);
    AGNI_NEED(op, bd);
    AGNI_NEED(op, cd);
    AGNI_NEED(op, dd);
    agn_status st = agni_system_check(&y, op, a, b, c, d, 0);
    if (st)
        return st;
    if (!(period > 0) || !isfinite(period) || hold < AGN_HOLD_ZERO || hold > AGN_HOLD_BLEND ||
        (hold == AGN_HOLD_BLEND && !(alpha >= 0 && alpha <= 1)))
        return agni_fail(
            AGN_EARG,
            "%s: a period of %g, hold %d, alpha %g; the period is positive, the kinds are 0 to %d, "
            "alpha is between 0 and 1",
            op, period, hold, alpha, AGN_HOLD_BLEND);
    if (hold == AGN_HOLD_IMPULSE && d)
        return agni_fail(
            AGN_EARG,
            "%s: d is %s, hold %d; impulses that pass through have no samples, d is NULL for them",
            op, AGNI_SHAPE(d), hold);
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &y);
    int64_t n = y.order, q = y.inputs;
    const agn_tensor *m[4] = {NULL, NULL, y.m[2], NULL};
    if (hold == AGN_HOLD_BLEND) {
        blend_slopes(s, &y, period, alpha, m);
    } else if (hold == AGN_HOLD_IMPULSE) {
        m[0] = ag_linalg_matrix_exp(s, ag_mul_c(s, y.m[0], period));
        m[1] = ag_mul_c(s, ag_matmul(s, m[0], y.m[1]), period);
        m[3] = ag_mul_c(s, ag_matmul(s, y.m[2], y.m[1]), period);
    } else {
        const agn_tensor *e = agni_system_exponential(s, &y, period, hold == AGN_HOLD_FIRST);
        m[0] = agni_system_block(s, e, 0, 0, n, n);
        m[1] = agni_system_block(s, e, 0, n, n, q);
        if (hold == AGN_HOLD_FIRST) { /* what is ahead of the sample goes into the state */
            const agn_tensor *ahead = agni_system_block(s, e, 0, n + q, n, q);
            m[1] = ag_add(s, ag_sub(s, m[1], ahead), ag_matmul(s, m[0], ahead));
            m[3] = ag_matmul(s, y.m[2], ahead);
        } else {
            m[3] = ag_mul_c(s, ag_matmul(s, y.m[2], y.m[1]), 0);
        }
    }
    agn_scope_return(s, ad, m[0]);
    agn_scope_return(s, bd, m[1]);
    agn_scope_return(s, cd, m[2]);
    agn_scope_return(s, dd, y.m[3] ? ag_add(s, m[3], y.m[3]) : m[3]);
    return agni_rename_error(op, agn_scope_close(s));
}
