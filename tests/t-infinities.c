/* t-infinities.c - derivatives of library functions at infinite arguments, at base 0 and at equals: one answer
   for all modes, the limit where there is one. */
#include "corners.h"

#include <agnesi/nn.h>

F(silu, ag_nn_silu(s, x))
F(mish, ag_nn_mish(s, x))
F(gelu_tanh, ag_nn_gelu_tanh(s, x))
F(gelu, ag_gelu(s, x))
F(softsign, ag_nn_softsign(s, x))
F(tanh_, ag_tanh(s, x))
F(sigmoid_, ag_sigmoid(s, x))
F(softplus_, ag_softplus(s, x))
F(erf_, ag_erf(s, x))
F(ndtr_, ag_ndtr(s, x))
F(atan_, ag_atan(s, x))
F(asinh_, ag_asinh(s, x))
F(exp_, ag_exp(s, x))
F(log_, ag_log(s, x))
F(sqrt_, ag_sqrt(s, x))
F(reciprocal_, ag_reciprocal(s, x))
F(power, ag_pow(s, AT(0), AT(1)))
F(spread, ag_std(s, x, NULL, 0, 1, false))
F(spread_root, ag_sqrt(s, ag_var(s, x, NULL, 0, 1, false)))
F(running_last, ag_index_axis(s, ag_logcumsumexp(s, x, 0, 0), 0, -1))
F(running, ag_mul(s, ag_logcumsumexp(s, x, 0, 0), ag_arange(s, AGN_F64, 1, 4, 1)))
F(sum_of_exp, ag_logsumexp(s, x, NULL, 0, false))
F(add_exp, ag_logaddexp(s, AT(0), AT(1)))
F(add_exp2, ag_logaddexp2(s, AT(0), AT(1)))
F(norm2, ag_pnorm(s, x, 2, NULL, 0, false))
F(norm3, ag_pnorm(s, x, 3, NULL, 0, false))
F(norm1, ag_pnorm(s, x, 1, NULL, 0, false))
F(norm_inf, ag_pnorm(s, x, INF, NULL, 0, false))
F(hypot_, ag_hypot(s, AT(0), AT(1)))

static const corner table[] = {
#define GATE(f) \
    {#f, f, 3, {-INF, INF, 1e200}, 1, {0, 1, 1}}, {#f ", second", f, 3, {-INF, INF, 1e200}, 2, {0, 0, 0}}, \
        {#f " at -inf, third", f, 1, {-INF}, 3, {0}}, {#f " at inf, third", f, 1, {INF}, 3, {0}}, \
        {#f " at -1e200, third", f, 1, {-1e200}, 3, {0}}
    GATE(silu), GATE(mish), GATE(gelu_tanh), GATE(gelu),
#define FLAT(f) \
    {#f, f, 3, {-INF, INF, 1e200}, 1, {0, 0, 0}}, {#f ", second", f, 3, {-INF, INF, 1e200}, 2, {0, 0, 0}}, \
        {#f " at -inf, third", f, 1, {-INF}, 3, {0}}, {#f " at inf, third", f, 1, {INF}, 3, {0}}
    FLAT(tanh_), FLAT(sigmoid_), FLAT(erf_), FLAT(ndtr_), FLAT(softsign), FLAT(reciprocal_),
    {"atan", atan_, 3, {-INF, INF, 1e200}, 1, {0, 0, 0}},
    {"atan, second", atan_, 1, {INF}, 2, {NOT_FINITE}},
    {"asinh", asinh_, 3, {-INF, INF, 1e200}, 1, {0, 0, 0}},
    {"asinh, second", asinh_, 1, {INF}, 2, {NOT_FINITE}},
    {"softplus", softplus_, 3, {-INF, INF, 1e200}, 1, {0, 1, 1}},
    {"softplus, second", softplus_, 3, {-INF, INF, 1e200}, 2, {0, 0, 0}},
    {"softplus, third", softplus_, 1, {-INF}, 3, {0}},
    {"exp at -inf, third", exp_, 1, {-INF}, 3, {0}},
    {"log at inf", log_, 1, {INF}, 1, {0}},
    {"log at inf, second", log_, 1, {INF}, 2, {0}},
    {"log at inf, third", log_, 1, {INF}, 3, {0}},
    {"sqrt at inf", sqrt_, 1, {INF}, 1, {0}},
    {"sqrt at inf, second", sqrt_, 1, {INF}, 2, {0}},
    {"sqrt at inf, third", sqrt_, 1, {INF}, 3, {0}},
    {"22 x^y at (0, 1)", power, 2, {0, 1}, 1, {1, 0}},
    {"22 x^y at (0, 0)", power, 2, {0, 0}, 1, {0, NOT_FINITE}},
    {"22 x^y at (0, 1), Hessian", power, 2, {0, 1}, 'H', {0, NOT_FINITE, NOT_FINITE, 0}},
    {"22 x^y at (0, 2), Hessian", power, 2, {0, 2}, 'H', {2, 0, 0, 0}},
    {"22 x^y at (0, 3), Hessian", power, 2, {0, 3}, 'H', {0, 0, 0, 0}},
    {"22 x^y at (0, 1.5), Hessian", power, 2, {0, 1.5}, 'H', {NOT_FINITE, 0, 0, 0}},
    {"x^y at (2, 0), Hessian", power, 2, {2, 0}, 'H', {0, 0.5, 0.5, 0.48045301391820144}},
    {"x^y at (-2, 2), Hessian", power, 2, {-2, 2}, 1, {-4, NOT_FINITE}},
    {"std of equals", spread, 3, {2, 2, 2}, 1, {0, 0, 0}},
    {"std of equals that round", spread, 3, {0.1, 0.1, 0.1}, 1, {0, 0, 0}},
    {"sqrt of the variance of equals", spread_root, 3, {2, 2, 2}, 1, {0, 0, 0}},
    {"std of equals, second", spread, 3, {2, 2, 2}, 2, {NOT_FINITE, NOT_FINITE, NOT_FINITE}},
    {"logcumsumexp of -inf", running_last, 3, {-INF, 0, -INF}, 1, {0, 1, 0}},
    {"logcumsumexp of -inf, second", running_last, 3, {-INF, 0, -INF}, 2, {0, 0, 0}},
    {"logcumsumexp of -inf alone", running, 3, {-INF, -INF, -INF}, 1, {0, 0, 0}},
    {"logcumsumexp of -inf first", running, 3, {-INF, 0, -INF}, 1, {0, 5, 0}},
    {"logcumsumexp with inf", running_last, 3, {0, INF, 1}, 1, {0, 1, 0}},
    {"logcumsumexp with inf, second", running_last, 3, {0, INF, 1}, 2, {0, 0, 0}},
    {"logcumsumexp with inf twice", running_last, 2, {INF, INF}, 1, {NOT_FINITE, NOT_FINITE}},
    {"logsumexp with -inf", sum_of_exp, 3, {-INF, 0, -INF}, 1, {0, 1, 0}},
    {"logsumexp with -inf, second", sum_of_exp, 3, {-INF, 0, -INF}, 2, {0, 0, 0}},
    {"logaddexp of -inf", add_exp, 2, {-INF, -INF}, 1, {0, 0}},
    {"logaddexp of -inf, second", add_exp, 2, {-INF, -INF}, 'H', {0, 0, 0, 0}},
    {"logaddexp of -inf and 0", add_exp, 2, {-INF, 0}, 1, {0, 1}},
    {"logaddexp of -inf and 0, second", add_exp, 2, {-INF, 0}, 'H', {0, 0, 0, 0}},
    {"logaddexp of inf and 0", add_exp, 2, {INF, 0}, 1, {1, 0}},
    {"logaddexp of 0 and inf, second", add_exp, 2, {0, INF}, 'H', {0, 0, 0, 0}},
    {"logaddexp2 of -inf", add_exp2, 2, {-INF, -INF}, 1, {0, 0}},
    {"logaddexp2 of -inf and 0", add_exp2, 2, {-INF, 0}, 'H', {0, 0, 0, 0}},
    {"pnorm with inf", norm2, 3, {0, INF, 1}, 1, {0, NOT_FINITE, 0}},
    {"pnorm of order 3 with inf", norm3, 3, {0, INF, 1}, 1, {0, NOT_FINITE, 0}},
    {"pnorm of order 1 with inf", norm1, 3, {2, INF, 1}, 1, {1, 1, 1}},
    {"pnorm of order inf with inf", norm_inf, 3, {2, INF, 1}, 1, {0, 1, 0}},
    {"hypot with inf", hypot_, 2, {INF, 1}, 1, {NOT_FINITE, 0}},
};

/* 0 times anything is 0, also in a plan: of inputs, of what overflows, of squares */
F(zero_times, ag_mulz(s, AT(0), AT(1)))
F(zero_times_exp, ag_mulz(s, AT(0), ag_exp(s, ag_mul_c(s, AT(1), 1e3))))
F(zero_times_square, ag_mulz(s, ag_neg(s, AT(0)), ag_square(s, AT(1))))
static void planned_zeros(body *f, double y)
{
    const corner c = {"", f, 2, {0, y}, 0, {0}};
    agn_fn *called = NULL, *plan = NULL;
    agn_tensor *x = vector(2, c.x);
    if (agn_fn_new(&called, corner_body, (void *)(uintptr_t)&c, NULL, 1, 1) || agn_fn_compile(&plan, called, NULL))
        bail_out("%s", agn_error_message());
    double one = value_of(called, (const T[]){x}), other = value_of(plan, (const T[]){x});
    ok(one == 0 && other == 0, "0 times what %g makes is %g, planned %g", y, one, other);
    agn_fn_release(plan);
    agn_fn_release(called);
    agn_release(x);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(table[i].name, only))
            ok(try_corner(&table[i]), "%s", table[i].name);
    planned_zeros(zero_times, INF);
    planned_zeros(zero_times, NAN);
    planned_zeros(zero_times_exp, 10);
    planned_zeros(zero_times_square, 1e200);
    return done();
}
