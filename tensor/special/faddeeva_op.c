/* tensor/special/faddeeva_op.c - parts of Faddeeva's function w(x + i y) and of its derivatives as
   an op, and what is made of them: w of a complex argument, Dawson's integral, the Voigt profile
   (DLMF 7.19). */
#include "tensor/special/wide.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>

static double faddeeva_element(const double *x, const agn_kernel_call *c)
{
    double w[2];
    agni_faddeeva(x[0], x[1], (int)c->ints[0], w);
    return w[c->ints[1] != 0];
}
static agn_status infer_faddeeva(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, AGNI_SPECIAL_ORDERS, "derivative");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *faddeeva_in(agn_scope *s, const agn_tensor *x, const agn_tensor *y,
                                     int64_t k, int64_t imaginary)
{
    int64_t at[2] = {k, imaginary};
    return agni_apply_in(s, &agni_op_faddeeva, &(agni_attr){.ni = 2, .i = at}, 2,
                         (const agn_tensor *[]){x, y});
}
/* w is analytic: d/dy = i d/dx */
static void faddeeva_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                         const agn_tensor **ty)
{
    int64_t k = r->at->i[0] + 1, imaginary = r->at->i[1] != 0;
    if (d[0])
        ty[0] = ag_mulz(s, d[0], faddeeva_in(s, r->x[0], r->x[1], k, imaginary));
    if (d[1]) {
        const agn_tensor *other = faddeeva_in(s, r->x[0], r->x[1], k, !imaginary);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], imaginary ? other : ag_neg(s, other)));
    }
}
AGNI_SPECIAL_OP(faddeeva, "x y order:i imaginary:b", 2, .lo = 0.2, .hi = 3,
                .doc = "real or imaginary part of a derivative of Faddeeva's w(x + i y)")

/* ---- public functions ----------------------------------------------------------------------- */

agn_status agn_wofz(agn_tensor **out, const agn_tensor *z)
{
    AGNI_NEED("wofz", out);
    AGNI_NEED("wofz", z);
    agn_scope *s = agn_scope_open(NULL);
    bool complex = agn_dtype_of(z) == AGN_C64 || agn_dtype_of(z) == AGN_C128;
    const agn_tensor *x = complex ? ag_real(s, z) : z,
                     *y = complex ? ag_imag(s, z) : agni_literal(s, 0);
    return agni_return("wofz", s, out,
                       ag_complex(s, faddeeva_in(s, x, y, 0, 0), faddeeva_in(s, x, y, 0, 1)));
}
agn_status agn_dawsn(agn_tensor **out, const agn_tensor *x)
{
    AGNI_NEED("dawsn", out);
    AGNI_NEED("dawsn", x);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = faddeeva_in(s, x, agni_literal(s, 0), 0, 1);
    return agni_return("dawsn", s, out, ag_mul_c(s, w, 1 / AGNI_2_SQRTPI));
}
/* by Re w(z), z = (x + i gamma) by, where a part of w may be rounded below the range before it has
   its size: of y^2 that is nothing by its two parts, of large z the Cauchy density; derivatives are
   those of what is given */
static const agn_tensor *restore_tail(agn_scope *s, const agn_tensor *given, const agn_tensor *x,
                                      const agn_tensor *gamma, const agn_tensor *zx,
                                      const agn_tensor *zy, const agn_tensor *by)
{
    const agn_tensor *zero = agni_literal(s, 0), *one = agni_literal(s, 1),
                     *large = agni_literal(s, 1e20);
    const agn_tensor *thin = ag_logical_and(s, ag_lt(s, zy, agni_literal(s, 1e-200)),
                                            ag_gt(s, gamma, zero));
    const agn_tensor *wide = ag_gt(s, ag_maximum(s, ag_abs(s, zx), zy), large);
    wide = ag_logical_and(s, wide, ag_isfinite(s, ag_add(s, x, gamma)));
    const agn_tensor *tiny = ag_logical_and(s, thin, ag_lt(s, ag_abs(s, zx), large));
    const agn_tensor *u = ag_where(s, tiny, zx, zero), *slope = faddeeva_in(s, u, zero, 1, 1);
    const agn_tensor *bell = ag_mul(s, ag_exp(s, ag_neg(s, ag_square(s, u))), by);
    const agn_tensor *tail = ag_mul(s, gamma, ag_mul(s, by, ag_mul(s, by, ag_neg(s, slope))));
    const agn_tensor *far = ag_where(s, wide, ag_hypot(s, x, gamma), one);
    const agn_tensor *cauchy = ag_div(
        s, ag_mul_c(s, ag_div(s, ag_where(s, wide, gamma, one), far), 0.5 * AGNI_2_SQRTPI), far);
    const agn_tensor *parts = ag_where(s, wide, cauchy, ag_add(s, bell, tail));
    const agn_tensor *lost = ag_logical_or(s, wide, tiny);
    const agn_tensor *miss = ag_where(s, lost, ag_sub(s, parts, given), zero);
    return ag_add(s, given, ag_stop_gradient(s, miss));
}
/* Re w(z) by / sqrt pi, z = (x + i gamma) by. Where z is large that loses z^2 eps in the derivative
   in sigma, for w + z w' cancels: there the Cauchy density stands apart, w = i / (sqrt(pi) z) - w'
   / (2 z) */
static const agn_tensor *voigt_value(agn_scope *s, const agn_tensor *x, const agn_tensor *gamma,
                                     const agn_tensor *by)
{
    const agn_tensor *zx = ag_mul(s, x, by), *zy = ag_mul(s, gamma, by), *one = agni_literal(s, 1),
                     *six = agni_literal(s, 6);
    const agn_tensor *size = ag_maximum(s, ag_abs(s, zx), zy);
    const agn_tensor *far = ag_logical_and(
        s, ag_logical_and(s, ag_gt(s, size, six), ag_lt(s, size, agni_literal(s, 1e100))),
        ag_gt(s, ag_mul(s, zy, size), agni_literal(s, 0.1)));
    const agn_tensor *most = ag_maximum(s, ag_abs(s, x), gamma);
    far = ag_logical_and(s, far, ag_lt(s, most, agni_literal(s, 1e150)));
    far = ag_logical_and(s, far, ag_gt(s, most, agni_literal(s, 1e-150)));
    const agn_tensor *near = faddeeva_in(s, ag_where(s, far, one, zx), ag_where(s, far, one, zy), 0,
                                         0);
    const agn_tensor *u = ag_where(s, far, zx, six), *v = ag_where(s, far, zy, six),
                     *p = ag_where(s, far, x, one), *q = ag_where(s, far, gamma, one);
    const agn_tensor *square = ag_add(s, ag_square(s, p), ag_square(s, q));
    const agn_tensor *turn = ag_add(s, ag_mul(s, faddeeva_in(s, u, v, 1, 0), p),
                                    ag_mul(s, faddeeva_in(s, u, v, 1, 1), q));
    const agn_tensor *apart = ag_div(
        s, ag_sub(s, ag_mul_c(s, q, 1 / AGNI_PI), ag_mul_c(s, turn, 0.25 * AGNI_2_SQRTPI)), square);
    near = restore_tail(s, ag_mul(s, near, by), x, gamma, ag_where(s, far, one, zx),
                        ag_where(s, far, one, zy), by);
    return ag_where(s, far, apart, ag_mul_c(s, near, 0.5 * AGNI_2_SQRTPI));
}
agn_status agn_voigt_profile(agn_tensor **out, const agn_tensor *x, const agn_tensor *sigma,
                             const agn_tensor *gamma)
{
    AGNI_NEED("voigt_profile", out);
    AGNI_NEED("voigt_profile", x);
    AGNI_NEED("voigt_profile", sigma);
    AGNI_NEED("voigt_profile", gamma);
    agn_dtype dtype; /* narrow operands in f64: x / sigma is not rounded before the phase */
    bool wide = agni_computes_wide((const agn_tensor *[]){x, sigma, gamma}, 3, &dtype);
    agn_scope *s = agn_scope_open(NULL);
    if (wide)
        x = ag_cast(s, x, AGN_F64), sigma = ag_cast(s, sigma, AGN_F64),
        gamma = ag_cast(s, gamma, AGN_F64);
    const agn_tensor *by = ag_div(s, agni_literal(s, AGNI_SQRT1_2), sigma);
    const agn_tensor *y = voigt_value(s, x, gamma, by);
    return agni_return("voigt_profile", s, out, wide ? ag_cast(s, y, dtype) : y);
}
