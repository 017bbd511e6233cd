/* distribution/mode.c - the most likely number of a law with one peak, by bisection of the slope
   of its log density between quantiles and Newton's steps (Press et al. 2007, 9.1, 9.4). */
#include "distribution/expression.h"

/* x and parameters to the log density */
static agn_status density_body(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_distribution *d = agni_distribution_with(s, user, in + 1);
    out[0] = d ? d->law->log_prob(s, d, in[0]) : NULL;
    return agn_scope_status(s);
}
/* The slope of the log density at in[0], parameters in[1...], and the slope of that. */
static void find_slopes(agn_scope *s, const agn_distribution *d, T const *in, T *slope, T *bend)
{
    enum { MOST = 1 + AGNI_PATH_PARAMS };
    T all[4 * MOST], y[4] = {NULL};
    int n = 1 + d->law->n;
    agn_fn *f = NULL, *df = NULL, *ddf = NULL;
    for (int i = 0; i < n; i++) {
        all[i] = in[i];
        all[n + i] = i ? FN(zeros_like, in[i]) : FN(ones_like, in[i]);
        all[2 * n + i] = all[n + i];
        all[3 * n + i] = FN(zeros_like, in[i]);
    }
    agn_status st = agn_scope_status(s);
    st = st ? st : agni_distribution_function(&f, density_body, d, n, 1);
    st = st ? st : agn_fn_jvp(&df, f);
    st = st ? st : agn_fn_jvp(&ddf, df);
    if (st)
        agn_scope_fail(s, st);
    else if (bend)
        (void)agn_fn_apply(s, y, 4, ddf, all, 4 * n);
    else
        (void)agn_fn_apply(s, y, 2, df, all, 2 * n);
    *slope = y[1];
    if (bend)
        *bend = y[3];
    agn_fn_release(f);
    agn_fn_release(df);
    agn_fn_release(ddf);
}

/* slope of the log density of d at x, less 0 */
static agn_status slope_residual(void *user, agn_scope *s, T const *in, T *out)
{
    T at[1 + AGNI_PATH_PARAMS] = {in[0]};
    const agn_distribution *d = user;
    for (int i = 0; i < d->law->n; i++)
        at[1 + i] = in[2 + i];
    find_slopes(s, d, at, &out[0], NULL);
    out[0] = SUB(out[0], in[1]);
    return agn_scope_status(s);
}
static agn_status slope_solve(void *user, agn_scope *s, T const *in, T *out)
{
    T at[1 + AGNI_PATH_PARAMS] = {in[1]}, slope, bend;
    const agn_distribution *d = user;
    for (int i = 0; i < d->law->n; i++)
        at[1 + i] = in[3 + i];
    find_slopes(s, d, at, &slope, &bend);
    out[0] = DIV(in[0], bend);
    return agn_scope_status(s);
}
/* low, high, nothing, parameters: the half in which the density does not rise; where that is
   unknown or lost, by the cdf, where that is NaN, too, it is too far out */
static agn_status halve_slope(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_distribution *d = agni_distribution_with(s, user, in + 3);
    T middle = TIMES(ADD(in[0], in[1]), 0.5), x = agni_number_at(s, d, middle), slope;
    T at[1 + AGNI_PATH_PARAMS] = {x};
    if (d)
        (void)agni_list_parameters(d, at + 1);
    find_slopes(s, user, at, &slope, NULL);
    T log_p = FN(distribution_log_prob, d, x), known = FN(isfinite, ADD(slope, log_p));
    known = FN(logical_and, known, GT(log_p, LIT(x && x->dtype == AGN_F32 ? -80 : -600)));
    T share = FN(distribution_cdf, d, x), left = LT(share, LIT(0.5));
    left = SEL(FN(isnan, share), LT(middle, LIT(0)), left);
    T rises = SEL(known, GT(slope, LIT(0)), left);
    out[0] = SEL(rises, middle, in[0]);
    out[1] = SEL(rises, in[1], middle);
    return agn_scope_status(s);
}

/* At an end of the support it stays there, whatever the parameters. */
T agni_density_mode(agn_scope *s, const agn_distribution *d)
{
    T params[AGNI_PATH_PARAMS], ends[2];
    T none = FN(zeros, d->batch.dtype, d->batch.ndim, d->batch.shape);
    for (int i = agni_list_parameters(d, params) - 1; i >= 0; i--)
        params[i] = FN(stop_gradient, params[i]);
    agni_bisect(s, halve_slope, d, none, ends);
    const agn_distribution *fixed = agni_distribution_with(s, d, params);
    T x = agni_number_at(s, fixed, TIMES(ADD(ends[0], ends[1]), 0.5));
    T low = agni_support_end(s, fixed, false), high = agni_support_end(s, fixed, true);
    T least = LIT(d->batch.dtype == AGN_F32 ? 0x1p-100 : 0x1p-1000);
    T at_low = LE(SUB(x, low), least), at_high = GE(x, high);
    T at_end = FN(logical_or, at_low, at_high);
    T middle = FN(distribution_icdf, fixed, FN(full_like, none, 0.5));
    T inner = FN(stop_gradient, SEL(at_end, middle, x));
    T root = agni_implicit_root(s, d, slope_residual, slope_solve, inner, none);
    T y = SEL(at_low, FN(stop_gradient, low), SEL(at_high, FN(stop_gradient, high), root));
    return SEL(FN(isnan, FN(distribution_log_prob, fixed, x)), LIT((double)NAN), y);
}

/* Of counts from 0 on: how many numbers are less likely than the next one, bit by bit; NaN from
   2^52 on (2^23 of f32) */
T agni_count_mode(agn_scope *s, const agn_distribution *d)
{
    T k = FN(zeros, d->batch.dtype, d->batch.ndim, d->batch.shape);
    int bits = d->batch.dtype == AGN_F32 ? 23 : 52;
    for (int b = bits - 1; b >= 0; b--) {
        T more = PLUS(k, ldexp(1, b)), below = PLUS(more, -1);
        T rises = LT(FN(distribution_log_prob, d, below), FN(distribution_log_prob, d, more));
        k = SEL(rises, more, k);
    }
    T lost = FN(eq, k, LIT(ldexp(1, bits) - 1));
    return FN(stop_gradient, SEL(lost, LIT((double)NAN), k));
}
