/* tensor/special/hypergeometric/struve_op.c - Struve's functions and the polylogarithm as ops.
   Struve's
   derivatives in the argument are neighbours in the order (DLMF 11.4.27, 11.4.28), all others
   members of the families. */
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/parameters/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>

enum { MOST_SLOPES = 12 };

/* attributes of struve: modified, slope in the order */
static double struve_element(const double *x, const agn_kernel_call *c)
{
    int k = (int)c->ints[1];
    return k ? agni_struve_slope(x[0], x[1], c->ints[0] != 0, k)
             : agni_struve(x[0], x[1], c->ints[0] != 0);
}
static agn_status infer_struve(agni_call *c)
{
    agn_status st = agni_special_check(c, 1, 0, MOST_SLOPES, "derivative in the order");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *struve_in(agn_scope *s, const agn_tensor *nu, const agn_tensor *x,
                                   int64_t modified, int64_t slope)
{
    int64_t at[2] = {modified, slope};
    return agni_apply_in(s, &agni_op_struve, &(agni_attr){.ni = 2, .i = at}, 2,
                         (const agn_tensor *[]){nu, x});
}
/* 1 / Gamma(z), by reflection below 1/2 (DLMF 5.5.3) */
static const agn_tensor *one_over_gamma(agn_scope *s, const agn_tensor *z)
{
    const agn_tensor *half = agni_literal(s, 0.5), *right = ag_lt(s, half, z),
                     *rest = ag_sub(s, agni_literal(s, 1), z);
    const agn_tensor *safe = ag_where(s, right, z, rest), *g = ag_lgamma(s, safe);
    const agn_tensor *sine = ag_mul_c(s, ag_sin(s, ag_mul_c(s, z, AGNI_PI)), 1 / AGNI_PI);
    return ag_where(s, right, ag_exp(s, ag_neg(s, g)), ag_mul(s, sine, ag_exp(s, g)));
}
static void struve_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    const agn_tensor *nu = r->x[0], *x = r->x[1];
    int64_t modified = r->at->i[0], k = r->at->i[1];
    if (d[0])
        ty[0] = ag_mulz(s, d[0], struve_in(s, nu, x, modified, k + 1));
    if (d[1] && k) { /* the power's derivatives in nu: of what the difference leaves */
        const agn_tensor *low = struve_in(s, ag_add_c(s, nu, -1), x, modified, k);
        const agn_tensor *lift = ag_add(
            s, ag_mul(s, nu, r->y[0]),
            ag_mul_c(s, struve_in(s, nu, x, modified, k - 1), (double)k));
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], ag_sub(s, low, ag_div(s, lift, x))));
    } else if (d[1]) { /* (S(nu - 1) -+ S(nu + 1) + (x/2)^nu / (sqrt(pi) Gamma(nu + 3/2))) / 2 */
        const agn_tensor *low = struve_in(s, ag_add_c(s, nu, -1), x, modified, 0);
        const agn_tensor *up = struve_in(s, ag_add_c(s, nu, 1), x, modified, 0);
        const agn_tensor *power = ag_mul(s, ag_pow(s, ag_mul_c(s, x, 0.5), nu),
                                         one_over_gamma(s, ag_add_c(s, nu, 1.5)));
        const agn_tensor *both = modified ? ag_add(s, low, up) : ag_sub(s, low, up);
        const agn_tensor *slope = ag_add(s, both, ag_mul_c(s, power, 0.5 * AGNI_2_SQRTPI));
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], ag_mul_c(s, slope, 0.5)));
    }
}
AGNI_SPECIAL_OP(struve, "nu x modified:b slope:i", 2, .lo = 0.3, .hi = 4,
                .doc = "Struve's H, or, modified, L")

/* attributes of polylog: slopes in s and x */
static double polylog_element(const double *x, const agn_kernel_call *c)
{
    int k = (int)c->ints[0], n = (int)c->ints[1];
    return k || n ? agni_polylog_slope(x[0], x[1], k, n) : agni_polylog(x[0], x[1]);
}
static agn_status infer_polylog(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_SLOPES, "derivative in s");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SLOPES, "derivative in x");
    return st ? st : agni_infer_ew(c);
}
static void polylog_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    for (int k = 0; k < 2; k++) {
        int64_t at[2] = {r->at->i[0] + (k == 0), r->at->i[1] + (k == 1)};
        if (d[k]) {
            const agn_tensor *slope = agni_apply_in(s, &agni_op_polylog,
                                                    &(agni_attr){.ni = 2, .i = at}, 2, r->x);
            ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], slope));
        }
    }
}
AGNI_SPECIAL_OP(polylog, "s x ds:i dx:i", 2, .lo = 0.2, .hi = 0.8,
                .doc = "polylogarithm of real order")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_struve(agn_tensor **out, const char *name, const agn_tensor *nu,
                               const agn_tensor *x, int64_t modified)
{
    int64_t at[2] = {modified, 0};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_struve, &(agni_attr){.ni = 2, .i = at},
                                               2, (const agn_tensor *[]){nu, x}));
}
agn_status agn_struve(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_struve(out, "struve", nu, x, 0);
}
agn_status agn_modstruve(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_struve(out, "modstruve", nu, x, 1);
}
agn_status agn_polylog(agn_tensor **out, const agn_tensor *order, const agn_tensor *x)
{
    int64_t at[2] = {0};
    return agni_apply_public(out, &agni_op_polylog, &(agni_attr){.ni = 2, .i = at}, 2,
                             (const agn_tensor *[]){order, x});
}
