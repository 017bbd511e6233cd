/* tensor/special/laws/smirnov_op.c - Smirnov's and Tukey's laws as ops: quantiles and shapes by
   implicit functions (Birnbaum and Tingey, Ann. Math. Stat. 22, 592). */
#include "tensor/special/laws/values.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef const agn_tensor *value;

enum { MOST_VALUES = 1000000, MOST_SMIRNOV = 8 };

/* attributes of smirnov: how many values, derivative */
static double smirnov_element(const double *x, const agn_kernel_call *c)
{
    return agni_smirnov(x[0], c->ints[0], (int)c->ints[1]);
}
static agn_status infer_smirnov(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 1, MOST_VALUES, "n");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SMIRNOV, "derivative");
    return st ? st : agni_infer_ew(c);
}
static value slope_in(agn_scope *s, value d, int64_t n, int64_t order)
{
    int64_t at[2] = {n, order};
    return agni_apply_in(s, &agni_op_smirnov, &(agni_attr){.ni = 2, .i = at}, 1, &d);
}
static void smirnov_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    ty[0] = ag_mulz(s, d[0], slope_in(s, r->x[0], r->at->i[0], r->at->i[1] + 1));
}
AGNI_SPECIAL_OP(smirnov, "d n:i slope:i", 1, .lo = 0.36, .hi = 0.62,
                .doc = "survival function of the one-sided distance of n values from their law")

static double smirnov_inverse_element(const double *x, const agn_kernel_call *c)
{
    return agni_smirnov_inverse(x[0], c->ints[0]);
}
static agn_status infer_smirnov_inverse(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 1, MOST_VALUES, "n");
    return st ? st : agni_infer_ew(c);
}
static void smirnov_inverse_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                const agn_tensor **ty)
{
    value slope = slope_in(s, r->y[0], r->at->i[0], 1);
    ty[0] = ag_mulz(s, d[0], ag_reciprocal(s, slope));
}
AGNI_SPECIAL_OP(smirnov_inverse, "p n:i", 1, .lo = 0.2, .hi = 0.8, .doc = "quantiles of smirnov")

static double tukey_lambda_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_tukey_lambda(x[0], x[1]);
}
static agn_status infer_tukey_lambda(agni_call *c)
{
    return agni_infer_ew(c);
}
/* log(p)^2 times the derivative of (e^u - 1) / u at u = l log p, where that is M(2, 3, u) / 2 */
static value shape_part(agn_scope *s, value shape, value log_p)
{
    value m = ag_hyp1f1(s, agni_literal(s, 2), agni_literal(s, 3), ag_mul(s, shape, log_p));
    return ag_mul_c(s, ag_mul(s, ag_square(s, log_p), m), 0.5);
}
/* x = (p^l - q^l) / l: dx = (p^(l - 1) + q^(l - 1)) dp + (...) dl */
static void tukey_lambda_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                             const agn_tensor **ty)
{
    value x = r->x[0], shape = r->x[1], zero = agni_literal(s, 0), half = agni_literal(s, 0.5);
    value other = agni_apply_in(s, &agni_op_tukey_lambda, NULL, 2,
                                (const agn_tensor *[]){ag_neg(s, x), shape});
    value outside = ag_logical_or(s, ag_le(s, r->y[0], zero), ag_le(s, other, zero));
    value p = ag_where(s, outside, half, r->y[0]), q = ag_where(s, outside, half, other);
    value power = ag_add_c(s, shape, -1);
    value slope = ag_reciprocal(s, ag_add(s, ag_pow(s, p, power), ag_pow(s, q, power)));
    slope = ag_where(s, outside, zero, slope);
    if (d[0])
        ty[0] = ag_mulz(s, d[0], slope);
    if (d[1]) {
        value rise = ag_sub(s, shape_part(s, shape, ag_log(s, q)),
                            shape_part(s, shape, ag_log(s, p)));
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], ag_mul(s, slope, rise)));
    }
}
AGNI_SPECIAL_OP(tukey_lambda, "x shape", 2, .lo = 0.2, .hi = 0.9, .doc = "Tukey's lambda law")

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_smirnov(agn_tensor **out, value d, int64_t n)
{
    int64_t at[2] = {n, 0};
    return agni_apply_public(out, &agni_op_smirnov, &(agni_attr){.ni = 2, .i = at}, 1, &d);
}
agn_status agn_smirnovi(agn_tensor **out, value p, int64_t n)
{
    return agni_rename_error("smirnovi", agni_apply_public(out, &agni_op_smirnov_inverse,
                                                           &(agni_attr){.ni = 1, .i = &n}, 1, &p));
}
agn_status agn_tklmbda(agn_tensor **out, value x, value shape)
{
    return agni_rename_error("tklmbda", agni_apply_public(out, &agni_op_tukey_lambda, NULL, 2,
                                                          (const agn_tensor *[]){x, shape}));
}
