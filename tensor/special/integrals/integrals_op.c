/* tensor/special/integrals/integrals_op.c - sine integrals, Clausen's, Debye's and Fermi's and
   Dirac's functions as ops: derivatives are elementary, or members of the family (DLMF 6.2,
   25.12(iii); Goano, ACM TOMS 21, 221). */
#include "tensor/special/integrals/values.h"
#include "tensor/special/parameters/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"

#include <agnesi/ag.h>

enum { MOST_SLOPES = 12 };

/* attribute of sine_integral: kind */
static double sine_integral_element(const double *x, const agn_kernel_call *c)
{
    return agni_sine_integral(x[0], (int)c->ints[0]);
}
static agn_status infer_sine_integral(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    return st ? st : agni_infer_ew(c);
}
static void sine_integral_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                              const agn_tensor **ty)
{
    const agn_tensor *x = r->x[0], *slope;
    switch (r->at->i[0]) {
    case 0: /* sin(x) / x */
        slope = ag_sinc(s, ag_mul_c(s, x, 1 / AGNI_PI));
        break;
    case 1:
        slope = ag_div(s, ag_cos(s, x), x);
        break;
    case 2: { /* sinh(x) / x = exp(x) M(1, 2, -2 x) */
        int64_t at[4] = {0};
        const agn_tensor *m = agni_apply_in(
            s, &agni_op_kummer, &(agni_attr){.ni = 4, .i = at}, 3,
            (const agn_tensor *[]){agni_literal(s, 1), agni_literal(s, 2), ag_mul_c(s, x, -2)});
        slope = ag_mul(s, ag_exp(s, x), m);
        break;
    }
    default:
        slope = ag_div(s, ag_cosh(s, x), x);
    }
    ty[0] = ag_mulz(s, d[0], slope);
}
AGNI_SPECIAL_OP(sine_integral, "x kind:i", 1, .lo = 0.3, .hi = 6,
                .doc = "sine and cosine integrals, by kind")

static double clausen_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_clausen(x[0]);
}
static agn_status infer_clausen(agni_call *c)
{
    return agni_infer_ew(c);
}
static void clausen_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    const agn_tensor *wave = ag_mul_c(s, ag_sin(s, ag_mul_c(s, r->x[0], 0.5)), 2);
    ty[0] = ag_mulz(s, d[0], ag_mul_c(s, ag_log(s, ag_square(s, wave)), -0.5));
}
AGNI_SPECIAL_OP(clausen, "x", 1, .lo = 0.3, .hi = 6, .doc = "Clausen's integral")

/* attributes of debye: n, derivative */
static double debye_element(const double *x, const agn_kernel_call *c)
{
    return agni_debye(x[0], (int)c->ints[0], (int)c->ints[1]);
}
static agn_status infer_debye(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 1, 20, "order");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SLOPES, "derivative");
    return st ? st : agni_infer_ew(c);
}
static void debye_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                      const agn_tensor **ty)
{
    int64_t at[2] = {r->at->i[0], r->at->i[1] + 1};
    ty[0] = ag_mulz(s, d[0],
                    agni_apply_in(s, &agni_op_debye, &(agni_attr){.ni = 2, .i = at}, 1, r->x));
}
AGNI_SPECIAL_OP(debye, "x n:i slope:i", 1, .lo = 0.3, .hi = 6, .doc = "Debye functions")

/* attribute of fermi_dirac: derivative in the order */
static double fermi_dirac_element(const double *x, const agn_kernel_call *c)
{
    return agni_fermi_dirac(x[0], x[1], (int)c->ints[0]);
}
static agn_status infer_fermi_dirac(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_SLOPES, "derivative in the order");
    return st ? st : agni_infer_ew(c);
}
static void fermi_dirac_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                            const agn_tensor **ty)
{
    int64_t up = r->at->i[0] + 1;
    if (d[0])
        ty[0] = ag_mulz(
            s, d[0],
            agni_apply_in(s, &agni_op_fermi_dirac, &(agni_attr){.ni = 1, .i = &up}, 2, r->x));
    if (d[1]) {
        const agn_tensor *x[2] = {ag_add_c(s, r->x[0], -1), r->x[1]};
        ty[0] = agni_add_present(
            s, ty[0], ag_mulz(s, d[1], agni_apply_in(s, &agni_op_fermi_dirac, r->at, 2, x)));
    }
}
AGNI_SPECIAL_OP(fermi_dirac, "order x slope:i", 2, .lo = 6.5, .hi = 9, .lo2 = 0.3, .hi2 = 4,
                .doc = "Fermi's and Dirac's integrals")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_sine_integral(agn_tensor **out, const char *name, const agn_tensor *x,
                                      int64_t kind)
{
    return agni_rename_error(name, agni_apply_public(out, &agni_op_sine_integral,
                                                     &(agni_attr){.ni = 1, .i = &kind}, 1, &x));
}
agn_status agn_sine_integral(agn_tensor **out, const agn_tensor *x)
{
    return apply_sine_integral(out, "sine_integral", x, 0);
}
agn_status agn_cosine_integral(agn_tensor **out, const agn_tensor *x)
{
    return apply_sine_integral(out, "cosine_integral", x, 1);
}
agn_status agn_sinh_integral(agn_tensor **out, const agn_tensor *x)
{
    return apply_sine_integral(out, "sinh_integral", x, 2);
}
agn_status agn_cosh_integral(agn_tensor **out, const agn_tensor *x)
{
    return apply_sine_integral(out, "cosh_integral", x, 3);
}
agn_status agn_clausen(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_clausen, &(agni_attr){0}, 1, &x);
}
agn_status agn_debye(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    int64_t at[2] = {n, 0};
    return agni_apply_public(out, &agni_op_debye, &(agni_attr){.ni = 2, .i = at}, 1, &x);
}
agn_status agn_fermi_dirac(agn_tensor **out, const agn_tensor *order, const agn_tensor *x)
{
    int64_t slope = 0;
    return agni_apply_public(out, &agni_op_fermi_dirac, &(agni_attr){.ni = 1, .i = &slope}, 2,
                             (const agn_tensor *[]){order, x});
}
