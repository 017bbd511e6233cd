/* tensor/special/integrals/kelvin_op.c - Kelvin functions, the reciprocal gamma function, inverse
   digamma and Wright's omega as ops: derivatives are neighbours in the order (DLMF 10.63.1,
   10.63.2), members of the family, or those of an inverse. */
#include "tensor/special/integrals/values.h"
#include "tensor/special/parameters/jet.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"

#include <agnesi/ag.h>

enum { MOST_ORDER = 20 };

/* attributes of kelvin: kind, order */
static double kelvin_element(const double *x, const agn_kernel_call *c)
{
    return agni_kelvin(x[0], (int)c->ints[0], c->ints[1]);
}
static agn_status infer_kelvin(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_ORDER + AGNI_SPECIAL_ORDERS, "order");
    return st ? st : agni_infer_ew(c);
}
/* ber_n and its kin, of any sign of n */
static const agn_tensor *kelvin_in(agn_scope *s, const agn_tensor *x, int64_t kind, int64_t n)
{
    int64_t at[2] = {kind, n < 0 ? -n : n};
    const agn_tensor *y = agni_apply_in(s, &agni_op_kelvin, &(agni_attr){.ni = 2, .i = at}, 1, &x);
    return n < 0 && n % 2 ? ag_neg(s, y) : y;
}
static void kelvin_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], n = r->at->i[1], other = kind ^ 1;
    const agn_tensor *x = r->x[0],
                     *same = ag_sub(s, kelvin_in(s, x, kind, n + 1), kelvin_in(s, x, kind, n - 1));
    const agn_tensor *cross = ag_sub(s, kelvin_in(s, x, other, n + 1),
                                     kelvin_in(s, x, other, n - 1));
    const agn_tensor *sum = kind & 1 ? ag_sub(s, same, cross) : ag_add(s, same, cross);
    ty[0] = ag_mulz(s, d[0], ag_mul_c(s, sum, AGNI_SQRT1_2 / 2));
}
AGNI_SPECIAL_OP(kelvin, "x kind:i n:i", 1, .lo = 0.3, .hi = 6,
                .doc = "Kelvin functions, by kind and order")

/* attribute of rgamma: derivative */
static double rgamma_element(const double *x, const agn_kernel_call *c)
{
    return agni_rgamma(x[0], (int)c->ints[0]);
}
static agn_status infer_rgamma(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, AGNI_JET_ORDER, "derivative");
    return st ? st : agni_infer_ew(c);
}
static void rgamma_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    int64_t up = r->at->i[0] + 1;
    ty[0] = ag_mulz(s, d[0],
                    agni_apply_in(s, &agni_op_rgamma, &(agni_attr){.ni = 1, .i = &up}, 1, r->x));
}
AGNI_SPECIAL_OP(rgamma, "x slope:i", 1, .lo = 0.3, .hi = 6,
                .doc = "reciprocal of the gamma function")

static double digammainv_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_digammainv(x[0]);
}
static agn_status infer_digammainv(agni_call *c)
{
    return agni_infer_ew(c);
}
static void digammainv_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                           const agn_tensor **ty)
{
    ty[0] = ag_mulz(s, d[0], ag_reciprocal(s, ag_polygamma(s, r->y[0], 1)));
}
AGNI_SPECIAL_OP(digammainv, "y", 1, .lo = 0.3, .hi = 4,
                .doc = "inverse of digamma on the half-line")

static double wright_omega_element(const double *x, const agn_kernel_call *c)
{
    (void)c;
    return agni_wright_omega(x[0]);
}
static agn_status infer_wright_omega(agni_call *c)
{
    return agni_infer_ew(c);
}
/* y / (1 + y) */
static void wright_omega_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                             const agn_tensor **ty)
{
    ty[0] = ag_mulz(s, d[0], ag_div(s, r->y[0], ag_add_c(s, r->y[0], 1)));
}
AGNI_SPECIAL_OP(wright_omega, "x", 1, .lo = 0.3, .hi = 6, .doc = "Wright's omega: y + log y = x")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_kelvin(agn_tensor **out, const char *name, const agn_tensor *x,
                               int64_t kind, int32_t n)
{
    int64_t at[2] = {kind, n};
    if (n > MOST_ORDER)
        return agni_fail(AGN_EARG, "%s: order %d is not in 0 to %d", name, (int)n, MOST_ORDER);
    return agni_rename_error(
        name, agni_apply_public(out, &agni_op_kelvin, &(agni_attr){.ni = 2, .i = at}, 1, &x));
}
agn_status agn_kelvin_ber(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_kelvin(out, "kelvin_ber", x, 0, n);
}
agn_status agn_kelvin_bei(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_kelvin(out, "kelvin_bei", x, 1, n);
}
agn_status agn_kelvin_ker(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_kelvin(out, "kelvin_ker", x, 2, n);
}
agn_status agn_kelvin_kei(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_kelvin(out, "kelvin_kei", x, 3, n);
}
agn_status agn_rgamma(agn_tensor **out, const agn_tensor *x)
{
    int64_t slope = 0;
    return agni_apply_public(out, &agni_op_rgamma, &(agni_attr){.ni = 1, .i = &slope}, 1, &x);
}
agn_status agn_digammainv(agn_tensor **out, const agn_tensor *y)
{
    return agni_apply_public(out, &agni_op_digammainv, &(agni_attr){0}, 1, &y);
}
agn_status agn_wright_omega(agn_tensor **out, const agn_tensor *x)
{
    return agni_apply_public(out, &agni_op_wright_omega, &(agni_attr){0}, 1, &x);
}
