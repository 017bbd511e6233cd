/* fft/signal/systems/simulate.c - states of linear systems in time. x_(t+1) = a x_t + v_t by
   doubling: with sums over 2^k
   samples before, those over 2^(k+1) are one product with a^(2^k) (Hillis & Steele 1986). */
#include "fft/signal/systems/systems.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>

/* x_t = sum over j of a^j v_(t-j), v [..., order, n] */
static const agn_tensor *run_states(agn_scope *s, const agn_tensor *a, const agn_tensor *v)
{
    if (!a || !v)
        return NULL;
    int64_t n = v->shape[v->ndim - 1];
    for (int64_t k = 1; k < n && !agn_scope_status(s); k *= 2) {
        const agn_tensor *before = agni_signal_zeros(s, agni_signal_part(s, v, 0, n - k), k, 0);
        v = ag_add(s, v, ag_matmul(s, a, before));
        a = 2 * k < n ? ag_matmul(s, a, a) : a;
    }
    return v;
}

/* v with the state at 0 before it: [..., order, n] of n - 1 columns, which may be none (v NULL) */
static const agn_tensor *begin_states(agn_scope *s, const agn_tensor *v, const agn_tensor *initial,
                                      int64_t n)
{
    v = v ? agni_signal_zeros(s, v, 1, 0) : NULL;
    const agn_tensor *first = initial
                                  ? agni_signal_zeros(s, ag_expand_dims(s, initial, -1), 0, n - 1)
                                  : NULL;
    return v && first ? ag_add(s, v, first) : v ? v : first;
}

static agn_status check_input(const char *op, const agni_system *y, const agn_tensor *u,
                              const agn_tensor *initial)
{
    AGNI_NEED(op, u);
    if (u->ndim < 2 || u->shape[u->ndim - 2] != y->inputs || !u->shape[u->ndim - 1])
        return agni_fail(AGN_ESHAPE,
                         "%s: u is %s; of %lld inputs it is [..., %lld, n], with a sample", op,
                         AGNI_SHAPE(u), (long long)y->inputs, (long long)y->inputs);
    if (initial && (!initial->ndim || initial->ndim == AGNI_MAX_RANK ||
                    initial->shape[initial->ndim - 1] != y->order))
        return agni_fail(AGN_ESHAPE, "%s: the initial state is %s; of order %lld it is [..., %lld]",
                         op, AGNI_SHAPE(initial), (long long)y->order, (long long)y->order);
    return AGN_OK;
}

/* outputs of states */
static const agn_tensor *see_states(agn_scope *s, const agni_system *y, const agn_tensor *x,
                                    const agn_tensor *u)
{
    const agn_tensor *seen = ag_matmul(s, y->m[2], x);
    return y->m[3] ? ag_add(s, seen, ag_matmul(s, y->m[3], u)) : seen;
}

/* states under inputs: b0 u_t + b1 u_(t+1) come to that of t + 1; b1 may be NULL */
static const agn_tensor *drive_states(agn_scope *s, const agn_tensor *a, const agn_tensor *b0,
                                      const agn_tensor *b1, const agn_tensor *u,
                                      const agn_tensor *initial)
{
    if (!a || !b0 || !u)
        return NULL;
    int64_t n = u->shape[u->ndim - 1];
    const agn_tensor *v = ag_matmul(s, b0, agni_signal_part(s, u, 0, n - 1));
    if (b1)
        v = ag_add(s, v, ag_matmul(s, b1, agni_signal_part(s, u, 1, n - 1)));
    return run_states(s, a, begin_states(s, v, initial, n));
}

agn_status agn_signal_dlsim(agn_tensor **y, agn_tensor **states, const agn_tensor *a,
                            const agn_tensor *b, const agn_tensor *c, const agn_tensor *d,
                            const agn_tensor *u, const agn_tensor *initial)
{
    static const char op[] = "signal_dlsim";
    agni_system f;
    AGNI_NEED(op, y);
    AGNI_NEED(op, states);
    agn_status st = agni_system_check(&f, op, a, b, c, d, 0);
    if (!st)
        st = check_input(op, &f, u, initial);
    if (st)
        return st;
    f.dtype = agni_signal_dtype(
        agni_promote(agni_promote(f.dtype, u->dtype), initial ? initial->dtype : u->dtype));
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &f);
    u = agni_cast(s, u, f.dtype);
    const agn_tensor *x = drive_states(s, f.m[0], f.m[1], NULL, u,
                                       initial ? agni_cast(s, initial, f.dtype) : NULL);
    agn_scope_return(s, y, see_states(s, &f, x, u));
    agn_scope_return(s, states, x);
    return agni_rename_error(op, agn_scope_close(s));
}

agn_status agn_signal_lsim(agn_tensor **y, agn_tensor **states, const agn_tensor *a,
                           const agn_tensor *b, const agn_tensor *c, const agn_tensor *d,
                           const agn_tensor *u, const agn_tensor *initial, double period,
                           int32_t hold)
{
    static const char op[] = "signal_lsim";
    agni_system f;
    AGNI_NEED(op, y);
    AGNI_NEED(op, states);
    agn_status st = agni_system_check(&f, op, a, b, c, d, 0);
    if (!st)
        st = check_input(op, &f, u, initial);
    if (!st &&
        (!(period > 0) || !isfinite(period) || (hold != AGN_HOLD_ZERO && hold != AGN_HOLD_FIRST)))
        st = agni_fail(AGN_EARG,
                       "%s: a period of %g, hold %d; the period is positive, hold %d or %d", op,
                       period, hold, AGN_HOLD_ZERO, AGN_HOLD_FIRST);
    if (st)
        return st;
    f.dtype = agni_signal_dtype(
        agni_promote(agni_promote(f.dtype, u->dtype), initial ? initial->dtype : u->dtype));
    int64_t n = f.order, q = f.inputs;
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &f);
    u = agni_cast(s, u, f.dtype);
    const agn_tensor *e = agni_system_exponential(s, &f, period, hold == AGN_HOLD_FIRST);
    const agn_tensor *b0 = agni_system_block(s, e, 0, n, n, q), *b1 = NULL;
    if (hold == AGN_HOLD_FIRST) {
        b1 = agni_system_block(s, e, 0, n + q, n, q);
        b0 = ag_sub(s, b0, b1);
    }
    const agn_tensor *x = drive_states(s, agni_system_block(s, e, 0, 0, n, n), b0, b1, u,
                                       initial ? agni_cast(s, initial, f.dtype) : NULL);
    agn_scope_return(s, y, see_states(s, &f, x, u));
    agn_scope_return(s, states, x);
    return agni_rename_error(op, agn_scope_close(s));
}

/* ---- a signal at each input alone
   ---------------------------------------------------------------- */

/* columns of b as [..., inputs, order, 1] */
static const agn_tensor *turn_inputs(agn_scope *s, const agn_tensor *b)
{
    return ag_expand_dims(s, ag_swapaxes(s, b, -1, -2), -1);
}

/* seen through c, [..., outputs, inputs, n], of v [..., inputs, order, n] */
static const agn_tensor *see_inputs(agn_scope *s, const agni_system *f, const agn_tensor *a,
                                    const agn_tensor *v)
{
    const agn_tensor *x = run_states(s, ag_expand_dims(s, a, -3), v);
    return ag_swapaxes(s, ag_matmul(s, ag_expand_dims(s, f->m[2], -3), x), -2, -3);
}

/* what the response of n samples needs */
static agn_status check_response(agni_system *f, const char *op, const void *out,
                                 const agn_tensor *a, const agn_tensor *b, const agn_tensor *c,
                                 const agn_tensor *d, int64_t n, double period)
{
    AGNI_NEED(op, out);
    agn_status st = agni_system_check(f, op, a, b, c, d, 1);
    if (st)
        return st;
    return n > 0 && period >= 0 && isfinite(period)
               ? AGN_OK
               : agni_fail(
                     AGN_EARG,
                     "%s: %lld samples, a period of %g; samples are positive, the period "
                     "is not negative",
                     op, (long long)n, period);
}

agn_status agn_signal_impulse(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                              const agn_tensor *c, const agn_tensor *d, int64_t n, double period)
{
    static const char op[] = "signal_impulse";
    agni_system f;
    agn_status st = check_response(&f, op, out, a, b, c, d, n, period);
    if (st)
        return st;
    bool samples = period == 0;
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &f);
    const agn_tensor *step = samples ? f.m[0]
                                     : ag_linalg_matrix_exp(s, ag_mul_c(s, f.m[0], period));
    const agn_tensor *v = turn_inputs(s, f.m[1]);
    if (samples && n == 1)
        v = ag_mul_c(s, v, 0);
    else
        v = agni_signal_zeros(s, v, samples, n - 1 - samples);
    const agn_tensor *y = see_inputs(s, &f, step, v);
    if (samples && f.m[3])
        y = ag_add(s, y, agni_signal_zeros(s, ag_expand_dims(s, f.m[3], -1), 0, n - 1));
    return agni_return(op, s, out, y);
}

agn_status agn_signal_step(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                           const agn_tensor *c, const agn_tensor *d, int64_t n, double period)
{
    static const char op[] = "signal_step";
    agni_system f;
    agn_status st = check_response(&f, op, out, a, b, c, d, n, period);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agni_system_cast(s, &f);
    const agn_tensor *step = f.m[0], *b0 = f.m[1];
    if (period > 0) {
        const agn_tensor *e = agni_system_exponential(s, &f, period, false);
        step = agni_system_block(s, e, 0, 0, f.order, f.order);
        b0 = agni_system_block(s, e, 0, f.order, f.order, f.inputs);
    }
    const agn_tensor *v = turn_inputs(s, b0);
    int64_t shape[AGNI_MAX_RANK];
    for (int k = 0; v && k < v->ndim; k++)
        shape[k] = v->shape[k];
    if (v && n > 1) {
        shape[v->ndim - 1] = n - 1;
        v = agni_signal_zeros(s, agni_broadcast(s, v, v->ndim, shape), 1, 0);
    } else {
        v = ag_mul_c(s, v, 0);
    }
    const agn_tensor *y = see_inputs(s, &f, step, v);
    return agni_return(op, s, out, f.m[3] ? ag_add(s, y, ag_expand_dims(s, f.m[3], -1)) : y);
}
