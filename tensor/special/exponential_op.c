/* tensor/special/exponential_op.c - exponential integrals and Owen's T as ops. E_n' = -E_(n-1)
   (DLMF 8.19.13). */
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>

static double expn_element(const double *x, const agn_kernel_call *c)
{
    return agni_expn(x[0], c->ints[0]);
}
static agn_status infer_expn(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, -100, 1000000, "order");
    return st ? st : agni_infer_ew(c);
}
static void expn_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    int64_t n = r->at->i[0] - 1;
    const agn_tensor *slope = agni_apply_in(s, &agni_op_expn, &(agni_attr){.ni = 1, .i = &n}, 1,
                                            r->x);
    ty[0] = ag_mulz(s, d[0], ag_neg(s, slope));
}
AGNI_SPECIAL_OP(expn, "x order:i", 1, .lo = 0.2, .hi = 4, .doc = "exponential integral E_n")

static double expi_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_ei(x[0]);
}
static agn_status infer_expi(agni_call *c)
{
    return agni_infer_ew(c);
}
static void expi_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    ty[0] = ag_mulz(s, d[0], ag_div(s, ag_exp(s, r->x[0]), r->x[0]));
}
AGNI_SPECIAL_OP(expi, "x", 1, .lo = 0.2, .hi = 4, .doc = "exponential integral Ei")

static double owens_t_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_owens_t(x[0], x[1]);
}
static agn_status infer_owens_t(agni_call *c)
{
    return agni_infer_ew(c);
}
static void owens_t_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    const agn_tensor *h = r->x[0], *a = r->x[1];
    const agn_tensor *half = ag_mul_c(s, ag_square(s, h), -0.5);
    if (d[0]) {
        const agn_tensor *e = ag_erf(s, ag_mul_c(s, ag_mul(s, a, h), AGNI_SQRT1_2));
        ty[0] = ag_mulz(s, d[0], ag_mul_c(s, ag_mul(s, ag_exp(s, half), e), -0.5 * AGNI_1_SQRT2PI));
    }
    if (d[1]) {
        const agn_tensor *q = ag_add_c(s, ag_square(s, a), 1);
        const agn_tensor *slope = ag_mul_c(s, ag_div(s, ag_exp(s, ag_mul(s, half, q)), q),
                                           1 / (2 * AGNI_PI));
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], slope));
    }
}
AGNI_SPECIAL_OP(owens_t, "h a", 2, .lo = -2, .hi = 2, .doc = "Owen's T")

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_expn(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    int64_t order = n;
    if (n < 0)
        return agni_fail(AGN_EARG, "expn: order %d is negative; x is %s", (int)n,
                         x ? AGNI_SHAPE(x) : "NULL");
    return agni_apply_public(out, &agni_op_expn, &(agni_attr){.ni = 1, .i = &order}, 1, &x);
}
agn_status agn_expi(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_expi, NULL, 1, &x);
}
agn_status agn_owens_t(agn_tensor **out, const agn_tensor *h, const agn_tensor *a)
{
    return agni_apply_public(out, &agni_op_owens_t, NULL, 2, (const agn_tensor *[]){h, a});
}
