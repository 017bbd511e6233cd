/* tensor/special/hypergeometric/hypergeometric_op.c - hypergeometric functions as ops:
   derivatives in the argument raise the parameters (DLMF 13.3.15, 13.3.22, 15.5.1); in parameters
   they are refused by name. */
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>

/* attribute i counts derivatives in a parameter: none is known */
static agn_status refuse_slope(const agni_call *c, int i, const char *parameters)
{
    if (c->at->i[i] == 0)
        return AGN_OK;
    return agni_fail(AGN_EUNSUPPORTED, "%s: no derivative in %s is known; in x it is there",
                     c->op->name, parameters);
}

/* attributes of kummer: U, slope */
static double kummer_element(const double *x, const agn_kernel_call *c)
{
    return c->ints[0] ? agni_hypu(x[0], x[1], x[2]) : agni_hyp1f1(x[0], x[1], x[2]);
}
static agn_status infer_kummer(agni_call *c)
{
    agn_status st = refuse_slope(c, 1, "a and b");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *kummer_in(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                   const agn_tensor *x, int64_t u, int64_t slope)
{
    int64_t at[2] = {u, slope};
    return agni_apply_in(s, &agni_op_kummer, &(agni_attr){.ni = 2, .i = at}, 3,
                         (const agn_tensor *[]){a, b, x});
}
static void kummer_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *b = r->x[1], *x = r->x[2];
    int64_t u = r->at->i[0];
    for (int k = 0; k < 2; k++)
        if (d[k])
            ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], kummer_in(s, a, b, x, u, 1)));
    if (d[2]) {
        const agn_tensor *up = kummer_in(s, ag_add_c(s, a, 1), ag_add_c(s, b, 1), x, u, 0);
        const agn_tensor *by = u ? ag_neg(s, a) : ag_div(s, a, b);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[2], ag_mul(s, by, up)));
    }
}
AGNI_SPECIAL_OP(kummer, "a b x second:b slope:i", 3, .lo = 0.3, .hi = 3,
                .doc = "confluent hypergeometric function: Kummer's M, or Tricomi's U")

/* attribute of hyp2f1: slope */
static double hyp2f1_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_hyp2f1(x[0], x[1], x[2], x[3]);
}
static agn_status infer_hyp2f1(agni_call *c)
{
    agn_status st = refuse_slope(c, 0, "a, b and c");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *hyp2f1_in(agn_scope *s, const agn_tensor *const *x, int64_t slope)
{
    return agni_apply_in(s, &agni_op_hyp2f1, &(agni_attr){.ni = 1, .i = &slope}, 4, x);
}
static void hyp2f1_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    for (int k = 0; k < 3; k++)
        if (d[k])
            ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], hyp2f1_in(s, r->x, 1)));
    if (d[3]) {
        const agn_tensor *a = r->x[0], *b = r->x[1], *c = r->x[2];
        const agn_tensor *up[4] = {ag_add_c(s, a, 1), ag_add_c(s, b, 1), ag_add_c(s, c, 1),
                                   r->x[3]};
        const agn_tensor *by = ag_div(s, ag_mul(s, a, b), c);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[3], ag_mul(s, by, hyp2f1_in(s, up, 0))));
    }
}
AGNI_SPECIAL_OP(hyp2f1, "a b c x slope:i", 4, .lo = 0.2, .hi = 0.9,
                .doc = "Gauss' hypergeometric function")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status kummer(agn_tensor **out, const char *name, const agn_tensor *a,
                         const agn_tensor *b, const agn_tensor *x, int64_t second)
{
    int64_t at[2] = {second, 0};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_kummer, &(agni_attr){.ni = 2, .i = at},
                                               3, (const agn_tensor *[]){a, b, x}));
}
agn_status agn_hyp1f1(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      const agn_tensor *x)
{
    return kummer(out, "hyp1f1", a, b, x, 0);
}
agn_status agn_hyperu(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      const agn_tensor *x)
{
    return kummer(out, "hyperu", a, b, x, 1);
}
agn_status agn_hyp2f1(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      const agn_tensor *c, const agn_tensor *x)
{
    int64_t slope = 0;
    return agni_apply_public(out, &agni_op_hyp2f1, &(agni_attr){.ni = 1, .i = &slope}, 4,
                             (const agn_tensor *[]){a, b, c, x});
}
