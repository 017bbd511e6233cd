/* tensor/special/waves/waves_op.c - Legendre functions of the second kind, radial spheroidal
   functions, W of parabolic cylinders, Lame's functions and moments of Bessel functions as ops:
   families of value and slope, whose second derivatives are those of their equations (DLMF 14.2,
   30.2, 12.14, 29.2, 10.6). */
#include "tensor/special/special.h"
#include "tensor/special/integrals/values.h"
#include "tensor/special/waves/values.h"

#include <agnesi/ag.h>
#include <agnesi/create.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef const agn_tensor *value;

enum { MOST_Q = 200, MOST_SLOPE = 64, MOST_ORDER = 40, MOST_DEGREE = 60, MOST_LAME = 40 };

/* the member of a family at other attributes */
static value apply_member(agn_scope *s, const agni_op *op, const agni_rule *r, const int64_t *k)
{
    agni_attr at = {.ni = r->at->ni, .i = k, .nf = r->at->nf, .f = r->at->f};
    return agni_apply_in(s, op, &at, 1, r->x);
}

/* attributes of legendre_q: degree, derivative */
static double legendre_q_element(const double *x, const agn_kernel_call *c)
{
    return agni_legendre_q(x[0], (int)c->ints[0], (int)c->ints[1]);
}
static agn_status infer_legendre_q(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_Q, "degree");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SLOPE, "derivative");
    return st ? st : agni_infer_ew(c);
}
static void legendre_q_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                           const agn_tensor **ty)
{
    int64_t at[2] = {r->at->i[0], r->at->i[1] + 1};
    ty[0] = ag_mulz(s, d[0], apply_member(s, &agni_op_legendre_q, r, at));
}
AGNI_SPECIAL_OP(legendre_q, "x degree:i slope:i", 1, .lo = 0.2, .hi = 0.9,
                .doc = "Legendre functions of the second kind and their derivatives")

/* attributes of spheroidal_radial: kind (1: oblate; 2 more: the second), order, degree, whether
   the slope; c */
static double spheroidal_radial_element(const double *x, const agn_kernel_call *c)
{
    return agni_spheroidal_radial(x[0], c->reals[0], (int)c->ints[1], (int)c->ints[2],
                                  c->ints[0] & 1, c->ints[0] >= 2, c->ints[3] != 0);
}
static agn_status infer_spheroidal_radial(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_ORDER, "order");
    if (!st)
        st = agni_special_check(c, 2, c->at->i[1], MOST_DEGREE, "degree");
    if (!st && !(c->at->f[0] > 0 && c->at->f[0] <= 100))
        st = agni_fail(AGN_EARG, "%s: c = %g is not in 0 to 100", c->op->name, c->at->f[0]);
    return st ? st : agni_infer_ew(c);
}
/* w y'' = (lambda - c^2 x^2 + sign m^2 / w) y - 2 x y', w = x^2 - sign */
static void spheroidal_radial_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                  const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], m = r->at->i[1], n = r->at->i[2], sloped = r->at->i[3] != 0,
            at[4] = {kind, m, n, !sloped};
    value y = apply_member(s, &agni_op_spheroidal_radial, r, at), x = r->x[0];
    if (sloped) {
        double sign = kind & 1 ? -1 : 1, square = r->at->f[0] * r->at->f[0];
        value wide = kind & 1 ? ag_add_c(s, ag_square(s, x), 1)
                              : ag_mul(s, ag_add_c(s, x, -1), ag_add_c(s, x, 1));
        value by = ag_add_c(s, ag_mul_c(s, ag_square(s, x), -square),
                            agni_spheroidal_value(sign * square, (int)m, (int)n, 0));
        if (m)
            by = ag_add(s, by, ag_mul_c(s, ag_reciprocal(s, wide), sign * (double)(m * m)));
        y = ag_div(s, ag_sub(s, ag_mul(s, by, y), ag_mul_c(s, ag_mul(s, x, r->y[0]), 2)), wide);
    }
    ty[0] = ag_mulz(s, d[0], y);
}
AGNI_SPECIAL_OP(spheroidal_radial, "x kind:i order:i degree:i sloped:b c:r", 1, .lo = 1.2, .hi = 3,
                .doc = "radial spheroidal functions of both kinds")

/* attributes of parabolic_w: whether the slope; a */
static double parabolic_w_element(const double *x, const agn_kernel_call *c)
{
    return agni_parabolic_w(x[0], c->reals[0], c->ints[0] != 0);
}
static agn_status infer_parabolic_w(agni_call *c)
{
    if (!(fabs(c->at->f[0]) <= 50))
        return agni_fail(AGN_EARG, "%s: a = %g is not in -50 to 50", c->op->name, c->at->f[0]);
    return agni_infer_ew(c);
}
/* y'' = (a - x^2 / 4) y */
static void parabolic_w_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                            const agn_tensor **ty)
{
    int64_t sloped = r->at->i[0] != 0, at = !sloped;
    value y = apply_member(s, &agni_op_parabolic_w, r, &at);
    if (sloped)
        y = ag_mul(s, y, ag_add_c(s, ag_mul_c(s, ag_square(s, r->x[0]), -0.25), r->at->f[0]));
    ty[0] = ag_mulz(s, d[0], y);
}
AGNI_SPECIAL_OP(parabolic_w, "x sloped:b a:r", 1, .lo = 0.3, .hi = 4,
                .doc = "W of parabolic cylinders")

/* attributes of lame: degree, number, whether of the second kind, whether the slope; h^2, k^2 */
static double lame_element(const double *x, const agn_kernel_call *c)
{
    return agni_lame(x[0], c->reals[0], c->reals[1], (int)c->ints[0], (int)c->ints[1],
                     c->ints[2] != 0, c->ints[3] != 0);
}
static agn_status check_lame(const char *name, double h2, double k2, int64_t n, int64_t p)
{
    if (!(h2 >= 1e-30 && h2 < k2 && k2 <= 1e30))
        return agni_fail(AGN_EARG, "%s: h2 = %g and k2 = %g are not 0 < h2 < k2, of 1e-30 to 1e30",
                         name, h2, k2);
    if (n < 0 || n > MOST_LAME)
        return agni_fail(AGN_EARG, "%s: degree %lld is not in 0 to %d", name, (long long)n,
                         MOST_LAME);
    if (p < 1 || p > 2 * n + 1)
        return agni_fail(AGN_EARG, "%s: p = %lld is not in 1 to %lld", name, (long long)p,
                         (long long)(2 * n + 1));
    return AGN_OK;
}
static agn_status infer_lame(agni_call *c)
{
    agn_status st = check_lame(c->op->name, c->at->f[0], c->at->f[1], c->at->i[0], c->at->i[1]);
    return st ? st : agni_infer_ew(c);
}
/* u v y'' = (n (n + 1) s^2 - H) y - s (u + v) y', u = s^2 - h^2, v = s^2 - k^2 */
static void lame_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    int64_t n = r->at->i[0], p = r->at->i[1], sloped = r->at->i[3] != 0,
            at[4] = {n, p, r->at->i[2], !sloped};
    value y = apply_member(s, &agni_op_lame, r, at), x = r->x[0];
    if (sloped) {
        double h = sqrt(r->at->f[0]), k = sqrt(r->at->f[1]);
        value u = ag_mul(s, ag_add_c(s, x, -h), ag_add_c(s, x, h)),
              v = ag_mul(s, ag_add_c(s, x, -k), ag_add_c(s, x, k));
        value by = ag_add_c(s, ag_mul_c(s, ag_square(s, x), (double)(n * (n + 1))),
                            -agni_lame_value(r->at->f[0], r->at->f[1], (int)n, (int)p));
        y = ag_sub(s, ag_mul(s, by, y), ag_mul(s, ag_mul(s, x, ag_add(s, u, v)), r->y[0]));
        y = ag_div(s, y, ag_mul(s, u, v));
    }
    ty[0] = ag_mulz(s, d[0], y);
}
AGNI_SPECIAL_OP(lame, "s degree:i number:i second:b sloped:b h_squared:r k_squared:r", 1, .lo = 0.2, .hi = 0.8,
                .doc = "Lame's functions of both kinds")

/* bessel_moment: power and order */
static double bessel_moment_element(const double *x, const agn_kernel_call *c)
{
    return agni_bessel_moment(x[0], c->reals[0], c->reals[1]);
}
static agn_status infer_bessel_moment(agni_call *c)
{
    return agni_infer_ew(c);
}
/* 2 J_v' = J_(v - 1) - J_(v + 1) */
static void bessel_moment_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                              const agn_tensor **ty)
{
    value side[2];
    for (int i = 0; i < 2; i++) {
        double by[2] = {r->at->f[0] + 1, r->at->f[1] + (i ? 1 : -1)};
        side[i] = agni_apply_in(s, &agni_op_bessel_moment, &(agni_attr){.nf = 2, .f = by}, 1, r->x);
    }
    ty[0] = ag_mulz(s, d[0], ag_sub(s, side[0], side[1]));
}
AGNI_SPECIAL_OP(bessel_moment, "a power:r order:r", 1, .lo = 0.3, .hi = 4,
                .doc = "moments of Bessel functions between 0 and 1")

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_legendre_q(agn_tensor **out, value x, int32_t n)
{
    int64_t at[2] = {n, 0};
    return agni_apply_public(out, &agni_op_legendre_q, &(agni_attr){.ni = 2, .i = at}, 1, &x);
}
static agn_status apply_radial(agn_tensor **out, const char *name, value x, double c, int32_t m,
                               int32_t n, int64_t kind)
{
    int64_t at[4] = {kind, m, n, 0};
    agni_attr attr = {.ni = 4, .i = at, .nf = 1, .f = &c};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_spheroidal_radial, &attr, 1, &x));
}
agn_status agn_pro_rad1(agn_tensor **out, value x, double c, int32_t m, int32_t n)
{
    return apply_radial(out, "pro_rad1", x, c, m, n, 0);
}
agn_status agn_obl_rad1(agn_tensor **out, value x, double c, int32_t m, int32_t n)
{
    return apply_radial(out, "obl_rad1", x, c, m, n, 1);
}
agn_status agn_pro_rad2(agn_tensor **out, value x, double c, int32_t m, int32_t n)
{
    return apply_radial(out, "pro_rad2", x, c, m, n, 2);
}
agn_status agn_obl_rad2(agn_tensor **out, value x, double c, int32_t m, int32_t n)
{
    return apply_radial(out, "obl_rad2", x, c, m, n, 3);
}
agn_status agn_parabolic_w(agn_tensor **out, value x, double a)
{
    int64_t at = 0;
    return agni_apply_public(out, &agni_op_parabolic_w,
                             &(agni_attr){.ni = 1, .i = &at, .nf = 1, .f = &a}, 1, &x);
}
static agn_status apply_lame(agn_tensor **out, const char *name, value s, double h2, double k2,
                             int32_t n, int32_t p, int64_t second)
{
    int64_t at[4] = {n, p, second, 0};
    agni_attr attr = {.ni = 4, .i = at, .nf = 2, .f = (const double[2]){h2, k2}};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_lame, &attr, 1, &s));
}
agn_status agn_ellip_harm(agn_tensor **out, value s, double h2, double k2, int32_t n, int32_t p)
{
    return apply_lame(out, "ellip_harm", s, h2, k2, n, p, 0);
}
agn_status agn_ellip_harm_2(agn_tensor **out, value s, double h2, double k2, int32_t n, int32_t p)
{
    return apply_lame(out, "ellip_harm_2", s, h2, k2, n, p, 1);
}
agn_status agn_ellip_normal(agn_tensor **out, double h2, double k2, int32_t n, int32_t p)
{
    AGNI_NEED("ellip_normal", out);
    agn_status st = check_lame("ellip_normal", h2, k2, n, p);
    double y = st ? 0 : agni_lame_norm(h2, k2, n, p);
    return st ? st : agn_from_host(out, AGN_F64, 0, NULL, &y);
}
agn_status agn_besselpoly(agn_tensor **out, value a, double power, double order)
{
    agni_attr attr = {.nf = 2, .f = (const double[2]){power, order}};
    return agni_rename_error("besselpoly",
                             agni_apply_public(out, &agni_op_bessel_moment, &attr, 1, &a));
}
