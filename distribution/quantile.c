/* distribution/quantile.c - quantiles by bisection of the cdf, which need no formula, and Newton's
   steps from there (Press et al. 2007, 9.1, 9.4). */
#include "distribution/expression.h"

/* The place t in [-span, span] of a number: sign(t) (exp(|t| - shift) - least) from the low end of
   the support, else from the high end, else from 0; least is exp(-shift). So every number has its
   place, of any size. */
typedef struct scale {
    double span, shift, least;
    int steps;
} scale;
static const scale of_f64 = {1416, 1020 * LOG_2, 0x1p-1020, 64},
                   of_f32 = {175, 126 * LOG_2, 0x1p-126, 34};

static const scale *scale_of(T x)
{
    return x && x->dtype == AGN_F32 ? &of_f32 : &of_f64;
}
T agni_support_end(agn_scope *s, const agn_distribution *d, bool high)
{
    agn_tensor *ends[2] = {NULL, NULL};
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_distribution_bounds(&ends[0], &ends[1], d);
    agn_release(st ? NULL : ends[!high]);
    return agn_scope_adopt(s, st, &ends[high]);
}
T agni_number_at(agn_scope *s, const agn_distribution *d, T t)
{
    T low = agni_support_end(s, d, false), high = agni_support_end(s, d, true);
    T origin = SEL(FN(isinf, low), SEL(FN(isinf, high), LIT(0), high), low);
    const scale *k = scale_of(t);
    T size = FN(relu, PLUS(FN(exp, PLUS(FN(abs, t), -k->shift)), -k->least));
    return FN(minimum, ADD(origin, MUL(FN(sign, t), size)), high);
}

/* how far F(x) lies above p, by the smaller tail */
static T excess_at(agn_scope *s, const agn_distribution *d, T x, T p)
{
    T left = SUB(FN(distribution_cdf, d, x), p);
    T right = SUB(SUB(LIT(1), p), FN(distribution_survival, d, x));
    return SEL(LT(p, LIT(0.5)), left, right);
}

/* low, high, p, parameters: the half in which F reaches p. Where F is NaN it is too far out. */
static agn_status halve_interval(void *user, agn_scope *s, T const *in, T *out)
{
    const agn_distribution *d = agni_distribution_with(s, user, in + 3);
    T middle = TIMES(ADD(in[0], in[1]), 0.5);
    T e = excess_at(s, d, agni_number_at(s, d, middle), in[2]);
    T less = LT(SEL(FN(isnan, e), middle, e), LIT(0));
    out[0] = SEL(less, middle, in[0]);
    out[1] = SEL(less, in[1], middle);
    return agn_scope_status(s);
}

/* a step of less than 2^-10 of x, and towards p, or none */
static T newton_step(agn_scope *s, const agn_distribution *d, T x, T p)
{
    T step = DIV(excess_at(s, d, x, p), FN(exp, FN(distribution_log_prob, d, x)));
    T small = LE(FN(abs, step), TIMES(FN(abs, x), 0x1p-10));
    return SUB(x, SEL(small, step, LIT(0)));
}

/* NaN where p does not lie between F(low) and F(high) */
static T find_between(agn_scope *s, const agn_distribution *d, T const *ends, T p)
{
    T x = agni_number_at(s, d, ends[1]), below = excess_at(s, d, agni_number_at(s, d, ends[0]), p);
    T good = FN(logical_and, LE(below, LIT(0)), GE(excess_at(s, d, x, p), LIT(0)));
    return SEL(good, x, LIT((double)NAN));
}

void agni_bisect(agn_scope *s, agn_body *halve, const agn_distribution *d, T p, T *ends)
{
    T in[3 + AGNI_PATH_PARAMS] = {NULL};
    int n = 3 + agni_list_parameters(d, in + 3);
    for (int i = 3; i < n; i++)
        in[i] = FN(stop_gradient, in[i]);
    in[0] = FN(full_like, p, -scale_of(p)->span);
    in[1] = FN(full_like, p, scale_of(p)->span);
    in[2] = p;
    agn_fn *step = NULL, *loop = NULL;
    agn_status st = agn_scope_status(s);
    st = st ? st : agni_distribution_function(&step, halve, d, n, 2);
    st = st ? st : agn_fn_scan(&loop, step, 2, n - 2, scale_of(p)->steps, false);
    ends[0] = ends[1] = NULL;
    if (st)
        agn_scope_fail(s, st);
    else
        (void)agn_fn_apply(s, ends, 2, loop, in, n);
    agn_fn_release(step);
    agn_fn_release(loop);
}

T agni_quantile(agn_scope *s, const agn_distribution *d, T p)
{
    T all = ADD(p, FN(zeros, d->batch.dtype, d->batch.ndim, d->batch.shape));
    T ends[2], params[AGNI_PATH_PARAMS], still = FN(stop_gradient, all);
    for (int i = agni_list_parameters(d, params) - 1; i >= 0; i--)
        params[i] = FN(stop_gradient, params[i]);
    agni_bisect(s, halve_interval, d, still, ends);
    const agn_distribution *fixed = agni_distribution_with(s, d, params);
    T x = find_between(s, fixed, ends, still);
    x = newton_step(s, fixed, newton_step(s, fixed, x, still), still);
    return agni_implicit_quantile(s, d, FN(stop_gradient, x), all);
}
