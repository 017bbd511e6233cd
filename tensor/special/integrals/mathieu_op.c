/* tensor/special/integrals/mathieu_op.c - Mathieu's functions and eta and zeta in the plane as ops:
   families indexed by their derivatives; zeta by eta (DLMF 25.2.3, 28.2, 28.12). */
#include "tensor/special/integrals/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef const agn_tensor *value;

enum { MOST_MATHIEU = 100, MOST_IN_Q = 8, MOST_IN_X = 32, MOST_IN_S = 12 };

static agn_status check_mathieu(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 1, "kind");
    if (!st)
        st = agni_special_check(c, 1, c->at->i[0], MOST_MATHIEU, "order");
    return st ? st : agni_special_check(c, 2, 0, MOST_IN_Q, "derivative in q");
}
/* attributes of mathieu_value: kind (1: of odd functions), order, derivative in q */
static double mathieu_value_element(const double *x, const agn_kernel_call *c)
{
    return agni_mathieu_value(x[0], c->ints[0] != 0, c->ints[1], (int)c->ints[2]);
}
static agn_status infer_mathieu_value(agni_call *c)
{
    agn_status st = check_mathieu(c);
    return st ? st : agni_infer_ew(c);
}
static void mathieu_value_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                              const agn_tensor **ty)
{
    int64_t at[3] = {r->at->i[0], r->at->i[1], r->at->i[2] + 1};
    ty[0] = ag_mulz(
        s, d[0],
        agni_apply_in(s, &agni_op_mathieu_value, &(agni_attr){.ni = 3, .i = at}, 1, r->x));
}
AGNI_SPECIAL_OP(mathieu_value, "q kind:i order:i slope:i", 1, .lo = 0.3, .hi = 6,
                .doc = "characteristic values of Mathieu's equation")

/* attributes of mathieu: those, and the derivative in x */
static double mathieu_element(const double *x, const agn_kernel_call *c)
{
    return agni_mathieu(x[0], x[1], c->ints[0] != 0, c->ints[1], (int)c->ints[2],
                        (int)c->ints[3]);
}
static agn_status infer_mathieu(agni_call *c)
{
    agn_status st = check_mathieu(c);
    if (!st)
        st = agni_special_check(c, 3, 0, MOST_IN_X, "derivative in x");
    return st ? st : agni_infer_ew(c);
}
static void mathieu_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    for (int i = 0; i < 2; i++) {
        int64_t at[4] = {r->at->i[0], r->at->i[1], r->at->i[2] + (i == 0), r->at->i[3] + (i == 1)};
        if (d[i])
            ty[0] = agni_add_present(
                s, ty[0],
                ag_mulz(
                    s, d[i],
                    agni_apply_in(s, &agni_op_mathieu, &(agni_attr){.ni = 4, .i = at}, 2, r->x)));
    }
}
AGNI_SPECIAL_OP(mathieu, "q x kind:i order:i slope:i slope_x:i", 2, .lo = 0.3, .hi = 6, .lo2 = 0.2,
                .hi2 = 3, .doc = "Mathieu's functions ce and se")

/* attributes of mathieu_modified: kind (1: of odd functions; 2 more: the second), order, whether the
   slope; q, whose derivative is not a member */
static double mathieu_modified_element(const double *x, const agn_kernel_call *c)
{
    return agni_mathieu_modified(c->reals[0], x[0], c->ints[0] & 1, c->ints[0] >= 2, c->ints[1],
                                 c->ints[2] != 0);
}
static agn_status infer_mathieu_modified(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    if (!st)
        st = agni_special_check(c, 1, c->at->i[0] & 1, MOST_MATHIEU, "order");
    if (!st && !(c->at->f[0] > 0 && c->at->f[0] <= 1e4))
        st = agni_fail(AGN_EARG, "%s: q = %g is not in 0 to 1e4", c->op->name, c->at->f[0]);
    return st ? st : agni_infer_ew(c);
}
/* y'' = (a - 2 q cosh 2 x) y */
static void mathieu_modified_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                 const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], m = r->at->i[1], sloped = r->at->i[2] != 0, at[3] = {kind, m, !sloped};
    double q = r->at->f[0];
    value y = agni_apply_in(s, &agni_op_mathieu_modified,
                            &(agni_attr){.ni = 3, .i = at, .nf = 1, .f = r->at->f}, 1, r->x);
    if (sloped) {
        value wave = ag_mul_c(s, ag_cosh(s, ag_mul_c(s, r->x[0], 2)), -2 * q);
        y = ag_mul(s, y, ag_add_c(s, wave, agni_mathieu_value(q, kind & 1, m, 0)));
    }
    ty[0] = ag_mulz(s, d[0], y);
}
AGNI_SPECIAL_OP(mathieu_modified, "x kind:i order:i sloped:b q:r", 1, .lo = 0.3, .hi = 2,
                .doc = "modified Mathieu functions of both kinds")

/* attributes of eta_plane: derivative, whether the imaginary part */
static double eta_plane_element(const double *x, const agn_kernel_call *c)
{
    double y[2];
    agni_eta_plane(x[0], x[1], (int)c->ints[0], y);
    return y[c->ints[1] != 0];
}
static agn_status infer_eta_plane(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_IN_S, "derivative");
    return st ? st : agni_infer_ew(c);
}
static value eta_in(agn_scope *s, value x, value y, int64_t k, int64_t imaginary)
{
    int64_t at[2] = {k, imaginary};
    return agni_apply_in(s, &agni_op_eta_plane, &(agni_attr){.ni = 2, .i = at}, 2,
                         (const agn_tensor *[]){x, y});
}
static void eta_plane_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                          const agn_tensor **ty)
{
    int64_t k = r->at->i[0] + 1, imaginary = r->at->i[1] != 0;
    if (d[0])
        ty[0] = ag_mulz(s, d[0], eta_in(s, r->x[0], r->x[1], k, imaginary));
    if (d[1]) {
        value other = eta_in(s, r->x[0], r->x[1], k, !imaginary);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], imaginary ? other : ag_neg(s, other)));
    }
}
AGNI_SPECIAL_OP(eta_plane, "x y order:i imaginary:b", 2, .lo = 0.2, .hi = 3,
                .doc = "real or imaginary part of a derivative of Dirichlet's eta(x + i y)")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_value(agn_tensor **out, const char *name, value q, int64_t odd, int32_t m)
{
    int64_t at[3] = {odd, m, 0};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_mathieu_value,
                                                     &(agni_attr){.ni = 3, .i = at}, 1, &q));
}
agn_status agn_mathieu_a(agn_tensor **out, value q, int32_t m)
{
    return apply_value(out, "mathieu_a", q, 0, m);
}
agn_status agn_mathieu_b(agn_tensor **out, value q, int32_t m)
{
    return apply_value(out, "mathieu_b", q, 1, m);
}
static agn_status apply_function(agn_tensor **out, const char *name, value q, value x, int64_t odd,
                                 int32_t m)
{
    int64_t at[4] = {odd, m, 0, 0};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_mathieu,
                                                     &(agni_attr){.ni = 4, .i = at}, 2,
                                                     (const agn_tensor *[]){q, x}));
}
agn_status agn_mathieu_ce(agn_tensor **out, value q, value x, int32_t m)
{
    return apply_function(out, "mathieu_ce", q, x, 0, m);
}
agn_status agn_mathieu_se(agn_tensor **out, value q, value x, int32_t m)
{
    return apply_function(out, "mathieu_se", q, x, 1, m);
}
static agn_status apply_modified(agn_tensor **out, const char *name, double q, value x, int64_t kind,
                                 int32_t m)
{
    int64_t at[3] = {kind, m, 0};
    agni_attr attr = {.ni = 3, .i = at, .nf = 1, .f = &q};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_mathieu_modified, &attr, 1, &x));
}
agn_status agn_mathieu_modcem1(agn_tensor **out, value x, double q, int32_t m)
{
    return apply_modified(out, "mathieu_modcem1", q, x, 0, m);
}
agn_status agn_mathieu_modsem1(agn_tensor **out, value x, double q, int32_t m)
{
    return apply_modified(out, "mathieu_modsem1", q, x, 1, m);
}
agn_status agn_mathieu_modcem2(agn_tensor **out, value x, double q, int32_t m)
{
    return apply_modified(out, "mathieu_modcem2", q, x, 2, m);
}
agn_status agn_mathieu_modsem2(agn_tensor **out, value x, double q, int32_t m)
{
    return apply_modified(out, "mathieu_modsem2", q, x, 3, m);
}

/* x and y of x + i y */
static void open_plane(agn_scope *s, value z, value *x, value *y)
{
    bool complex = agn_dtype_of(z) == AGN_C64 || agn_dtype_of(z) == AGN_C128;
    *x = complex ? ag_real(s, z) : z;
    *y = complex ? ag_imag(s, z) : agni_literal(s, 0);
}
agn_status agn_dirichlet_eta_complex(agn_tensor **out, value z)
{
    AGNI_NEED("dirichlet_eta_complex", out);
    AGNI_NEED("dirichlet_eta_complex", z);
    agn_scope *s = agn_scope_open(NULL);
    value x, y;
    open_plane(s, z, &x, &y);
    return agni_return("dirichlet_eta_complex", s, out,
                       ag_complex(s, eta_in(s, x, y, 0, 0), eta_in(s, x, y, 0, 1)));
}
/* eta(s) / (1 - 2^(1 - s)), of u + i v = (1 - s) log 2: -expm1(u) cos v + 2 sin(v / 2)^2 - i e^u
   sin v */
agn_status agn_zeta_complex(agn_tensor **out, value z)
{
    AGNI_NEED("zeta_complex", out);
    AGNI_NEED("zeta_complex", z);
    agn_scope *s = agn_scope_open(NULL);
    value x, y;
    agn_dtype dtype = agn_dtype_of(z); /* narrow ones in f64: the turn of 2^(1 - z) is not rounded to f32 */
    bool wide = dtype == AGN_C64 || dtype == AGN_F32 || dtype == AGN_F16 || dtype == AGN_BF16;
    open_plane(s, wide ? ag_cast(s, z, dtype == AGN_C64 ? AGN_C128 : AGN_F64) : z, &x, &y);
    value u = ag_mul_c(s, ag_add_c(s, ag_neg(s, x), 1), AGNI_LN2), v = ag_mul_c(s, y, -AGNI_LN2);
    value half = ag_sin(s, ag_mul_c(s, v, 0.5));
    value re = ag_sub(s, ag_mul_c(s, ag_square(s, half), 2),
                      ag_mul(s, ag_expm1(s, u), ag_cos(s, v)));
    value im = ag_neg(s, ag_mul(s, ag_exp(s, u), ag_sin(s, v)));
    /* other zeros than 1, where digits of the quotient are lost */
    value lost = ag_logical_and(
        s, ag_gt(s, ag_abs(s, y), agni_literal(s, 1)),
        ag_lt(s, ag_add(s, ag_square(s, re), ag_square(s, im)), agni_literal(s, 1e-4)));
    re = ag_where(s, lost, agni_literal(s, (double)NAN), re);
    value eta = ag_complex(s, eta_in(s, x, y, 0, 0), eta_in(s, x, y, 0, 1));
    value zeta = ag_div(s, eta, ag_complex(s, re, im));
    return agni_return("zeta_complex", s, out, wide ? ag_cast(s, zeta, AGN_C64) : zeta);
}
