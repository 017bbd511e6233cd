/* tensor/special/hypergeometric/spherical_op.c - spherical Bessel functions as an op, whose
   derivatives are neighbours (DLMF 10.51.2); Legendre's associated functions and spherical
   harmonics by Gegenbauer's polynomials (14.3.21, 14.30.1). */
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include "tensor/special/values.h"
#include <agnesi/ag.h>
#include <math.h>

enum { MOST_SPHERICAL = 499, MOST_DEGREE = 200 };

/* attributes of spherical_bessel: kind, order */
static double spherical_bessel_element(const double *x, const agn_kernel_call *c)
{
    return agni_spherical_bessel(x[0], (int)c->ints[0], c->ints[1]);
}
static agn_status infer_spherical_bessel(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SPHERICAL, "order");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *spherical_in(agn_scope *s, const agn_tensor *x, int64_t kind, int64_t n)
{
    int64_t at[2] = {kind, n};
    return agni_apply_in(s, &agni_op_spherical_bessel, &(agni_attr){.ni = 2, .i = at}, 1, &x);
}
/* (n f(n - 1) -+ (n + 1) f(n + 1)) / (2 n + 1) */
static void spherical_bessel_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                 const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], n = r->at->i[1];
    double by = 1 / (2 * (double)n + 1), low = kind == 3 ? -by : by, up = kind == 2 ? by : -by;
    const agn_tensor *slope = ag_mul_c(s, spherical_in(s, r->x[0], kind, n + 1),
                                       up * ((double)n + 1));
    if (n)
        slope = ag_add(s, slope,
                       ag_mul_c(s, spherical_in(s, r->x[0], kind, n - 1), low * (double)n));
    ty[0] = ag_mulz(s, d[0], slope);
}
AGNI_SPECIAL_OP(spherical_bessel, "x kind:i order:i", 1, .lo = 0.3, .hi = 4,
                .doc = "spherical Bessel functions j, y, i and k, by kind")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_spherical(agn_tensor **out, const char *name, const agn_tensor *x,
                                  int64_t kind, int32_t n)
{
    int64_t at[2] = {kind, n};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_spherical_bessel,
                                                     &(agni_attr){.ni = 2, .i = at}, 1, &x));
}
agn_status agn_spherical_jn(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_spherical(out, "spherical_jn", x, 0, n);
}
agn_status agn_spherical_yn(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_spherical(out, "spherical_yn", x, 1, n);
}
agn_status agn_spherical_in(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_spherical(out, "spherical_in", x, 2, n);
}
agn_status agn_spherical_kn(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_spherical(out, "spherical_kn", x, 3, n);
}

/* (2 m - 1)!! times, of a harmonic, the root of (2 l + 1) / (4 pi) (l - m)! / (l + m)!; with the
   phase of Condon and Shortley */
static double factor_of(int l, int m, bool unit)
{
    double v = unit ? sqrt((2 * l + 1) / (4 * AGNI_PI)) : 1;
    for (int k = 1; k <= m; k++) {
        v *= -(2 * k - 1);
        if (unit)
            v /= sqrt((double)(l - m + 2 * k - 1) * (double)(l - m + 2 * k));
    }
    return v;
}
/* sin^m times the polynomial at the cosine */
static const agn_tensor *evaluate_associated(agn_scope *s, const agn_tensor *sine,
                                             const agn_tensor *cosine, int l, int m, bool unit)
{
    int64_t at[2] = {AGNI_GEGENBAUER, l - m};
    double f[2] = {m + 0.5, 0};
    const agn_tensor *p = agni_apply_in(
        s, &agni_op_polynomial, &(agni_attr){.ni = 2, .nf = 2, .i = at, .f = f}, 1, &cosine);
    p = ag_mul_c(s, p, factor_of(l, m, unit));
    return m ? ag_mul(s, p, ag_pow_c(s, sine, m)) : p;
}
static agn_status check_degree(const char *name, int32_t l, int32_t m)
{
    int32_t most = m < 0 ? -m : m;
    if (l < 0 || l > MOST_DEGREE)
        return agni_fail(AGN_EARG, "%s: degree %d is not in 0 to %d", name, (int)l, MOST_DEGREE);
    if (m < -l || most > l)
        return agni_fail(AGN_EARG, "%s: order %d is not in -%d to %d", name, (int)m, (int)l,
                         (int)l);
    return AGN_OK;
}
agn_status agn_assoc_legendre(agn_tensor **out, const agn_tensor *x, int32_t l, int32_t m)
{
    AGNI_NEED("assoc_legendre", out);
    AGNI_NEED("assoc_legendre", x);
    agn_status st = check_degree("assoc_legendre", l, m);
    if (st)
        return st;
    if (m < 0)
        return agni_fail(AGN_EARG, "assoc_legendre: order %d is negative", (int)m);
    if (l + m > 150)
        return agni_fail(
            AGN_EARG,
            "assoc_legendre: degree %d and order %d together are above 150: values would overflow",
            (int)l, (int)m);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *rest = ag_mul(s, ag_sub(s, agni_literal(s, 1), x), ag_add_c(s, x, 1));
    const agn_tensor *v = m % 2 ? evaluate_associated(s, ag_sqrt(s, rest), x, l, m, false) : NULL;
    if (!v) { /* an even power of the root is a power of 1 - x^2 */
        int64_t at[2] = {AGNI_GEGENBAUER, l - m};
        double f[2] = {m + 0.5, 0};
        v = agni_apply_in(s, &agni_op_polynomial, &(agni_attr){.ni = 2, .nf = 2, .i = at, .f = f},
                          1, &x);
        v = ag_mul_c(s, v, factor_of(l, m, false));
        v = m ? ag_mul(s, v, ag_pow_c(s, rest, m / 2)) : v;
    }
    return agni_return("assoc_legendre", s, out, v);
}
agn_status agn_sph_harm(agn_tensor **out, const agn_tensor *theta, const agn_tensor *phi, int32_t l,
                        int32_t m)
{
    AGNI_NEED("sph_harm", out);
    AGNI_NEED("sph_harm", theta);
    AGNI_NEED("sph_harm", phi);
    agn_status st = check_degree("sph_harm", l, m);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    int order = m < 0 ? -m : m;
    const agn_tensor *p = evaluate_associated(s, ag_sin(s, theta), ag_cos(s, theta), l, order,
                                              true);
    if (m < 0 && order % 2)
        p = ag_neg(s, p);
    const agn_tensor *turn = ag_mul_c(s, phi, m);
    const agn_tensor *re = ag_mul(s, p, ag_cos(s, turn)), *im = ag_mul(s, p, ag_sin(s, turn));
    return agni_return("sph_harm", s, out, ag_complex(s, re, im));
}
agn_status agn_wigner_3j(double *out, int32_t two_j1, int32_t two_j2, int32_t two_j3,
                         int32_t two_m1, int32_t two_m2, int32_t two_m3)
{
    int32_t j[3] = {two_j1, two_j2, two_j3}, m[3] = {two_m1, two_m2, two_m3};
    AGNI_NEED("wigner_3j", out);
    for (int k = 0; k < 3; k++) {
        if (j[k] < 0 || j[k] > 2000)
            return agni_fail(AGN_EARG, "wigner_3j: two_j%d = %d is not in 0 to 2000", k + 1,
                             (int)j[k]);
        if ((j[k] - m[k]) % 2)
            return agni_fail(AGN_EARG,
                             "wigner_3j: two_j%d = %d and two_m%d = %d differ by an odd number",
                             k + 1, (int)j[k], k + 1, (int)m[k]);
    }
    *out = agni_wigner_3j(j[0], j[1], j[2], m[0], m[1], m[2]);
    return AGN_OK;
}
