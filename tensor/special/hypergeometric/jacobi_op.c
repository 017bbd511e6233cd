/* tensor/special/hypergeometric/jacobi_op.c - Jacobi's elliptic functions and Lambert's W in the
   plane as ops. Derivatives of the former in the parameter go through that of the amplitude: d am
   / dm = -dn dF / dm (DLMF 22.13, 19.4). */
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>

static double jacobi_elliptic_element(const double *x, const agn_kernel_call *c)
{
    return agni_jacobi_elliptic(x[0], x[1], (int)c->ints[0]);
}
static agn_status infer_jacobi_elliptic(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    return st ? st : agni_infer_ew(c);
}
enum { AM, SN, CN, DN };
static const agn_tensor *jacobi_in(agn_scope *s, const agn_tensor *u, const agn_tensor *m,
                                   int64_t kind)
{
    return agni_apply_in(s, &agni_op_jacobi_elliptic, &(agni_attr){.ni = 1, .i = &kind}, 2,
                         (const agn_tensor *[]){u, m});
}
static void jacobi_elliptic_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                const agn_tensor **ty)
{
    const agn_tensor *u = r->x[0], *m = r->x[1];
    const agn_tensor *sn = jacobi_in(s, u, m, SN), *cn = jacobi_in(s, u, m, CN),
                     *dn = jacobi_in(s, u, m, DN);
    int64_t kind = r->at->i[0], moment[4] = {1, 1, 0, 0};
    const agn_tensor *of_am; /* derivative in the amplitude */
    if (kind == AM)
        of_am = agni_literal(s, 1);
    else if (kind == DN)
        of_am = ag_neg(s, ag_div(s, ag_mul(s, m, ag_mul(s, sn, cn)), dn));
    else
        of_am = kind == SN ? cn : ag_neg(s, sn);
    if (d[0]) /* dn times that; of dn without the quotient */
        ty[0] = ag_mulz(s, d[0],
                        kind == DN ? ag_neg(s, ag_mul(s, m, ag_mul(s, sn, cn)))
                                   : ag_mul(s, of_am, dn));
    if (d[1]) {
        const agn_tensor *in[3] = {agni_literal(s, 0), jacobi_in(s, u, m, AM), m};
        const agn_tensor *f_m = agni_apply_in(s, &agni_op_elliptic,
                                              &(agni_attr){.ni = 4, .i = moment}, 3, in);
        const agn_tensor *slope = ag_mul(s, of_am, ag_mul_c(s, ag_mul(s, dn, f_m), -0.5));
        if (kind == DN)
            slope = ag_sub(s, slope, ag_div(s, ag_mul_c(s, ag_square(s, sn), 0.5), dn));
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], slope));
    }
}
AGNI_SPECIAL_OP(jacobi_elliptic, "u m kind:i", 2, .lo = 0.2, .hi = 0.9,
                .doc = "Jacobi's elliptic functions am, sn, cn and dn, by kind")

/* attributes of lambert_plane: branch, imaginary */
static double lambert_plane_element(const double *x, const agn_kernel_call *c)
{
    double w[2];
    agni_lambert_plane(x[0], x[1], c->ints[0], w);
    return w[c->ints[1] != 0];
}
static agn_status infer_lambert_plane(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, -1000000, 1000000, "branch");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *plane_in(agn_scope *s, const agn_tensor *x, const agn_tensor *y,
                                  int64_t branch, int64_t imaginary)
{
    int64_t at[2] = {branch, imaginary};
    return agni_apply_in(s, &agni_op_lambert_plane, &(agni_attr){.ni = 2, .i = at}, 2,
                         (const agn_tensor *[]){x, y});
}
/* W' = exp(-W) / (1 + W) = p + i q */
static void lambert_plane_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                              const agn_tensor **ty)
{
    int64_t branch = r->at->i[0], imaginary = r->at->i[1] != 0;
    const agn_tensor *u = plane_in(s, r->x[0], r->x[1], branch, 0),
                     *v = plane_in(s, r->x[0], r->x[1], branch, 1);
    const agn_tensor *more = ag_add_c(s, u, 1), *e = ag_exp(s, ag_neg(s, u)), *c = ag_cos(s, v),
                     *sine = ag_sin(s, v);
    const agn_tensor *by = ag_div(s, e, ag_add(s, ag_square(s, more), ag_square(s, v)));
    const agn_tensor *p = ag_mul(s, by, ag_sub(s, ag_mul(s, c, more), ag_mul(s, sine, v)));
    const agn_tensor *q = ag_neg(s,
                                 ag_mul(s, by, ag_add(s, ag_mul(s, sine, more), ag_mul(s, c, v))));
    if (d[0])
        ty[0] = ag_mulz(s, d[0], imaginary ? q : p);
    if (d[1])
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], imaginary ? p : ag_neg(s, q)));
}
AGNI_SPECIAL_OP(lambert_plane, "x y branch:i imaginary:b", 2, .lo = 0.3, .hi = 3,
                .doc = "real or imaginary part of Lambert's W(x + i y) on a branch")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_jacobian_elliptic(agn_tensor **out, const char *name, const agn_tensor *u,
                                          const agn_tensor *m, int64_t kind)
{
    return agni_rename_error(name, agni_apply_public(out, &agni_op_jacobi_elliptic,
                                                     &(agni_attr){.ni = 1, .i = &kind}, 2,
                                                     (const agn_tensor *[]){u, m}));
}
agn_status agn_jacobi_am(agn_tensor **out, const agn_tensor *u, const agn_tensor *m)
{
    return apply_jacobian_elliptic(out, "jacobi_am", u, m, AM);
}
agn_status agn_jacobi_sn(agn_tensor **out, const agn_tensor *u, const agn_tensor *m)
{
    return apply_jacobian_elliptic(out, "jacobi_sn", u, m, SN);
}
agn_status agn_jacobi_cn(agn_tensor **out, const agn_tensor *u, const agn_tensor *m)
{
    return apply_jacobian_elliptic(out, "jacobi_cn", u, m, CN);
}
agn_status agn_jacobi_dn(agn_tensor **out, const agn_tensor *u, const agn_tensor *m)
{
    return apply_jacobian_elliptic(out, "jacobi_dn", u, m, DN);
}

agn_status agn_lambertw_complex(agn_tensor **out, const agn_tensor *z, int32_t branch)
{
    AGNI_NEED("lambertw_complex", out);
    AGNI_NEED("lambertw_complex", z);
    agn_scope *s = agn_scope_open(NULL);
    bool complex = agn_dtype_of(z) == AGN_C64 || agn_dtype_of(z) == AGN_C128;
    const agn_tensor *x = complex ? ag_real(s, z) : z,
                     *y = complex ? ag_imag(s, z) : agni_literal(s, 0);
    return agni_return("lambertw_complex", s, out,
                       ag_complex(s, plane_in(s, x, y, branch, 0), plane_in(s, x, y, branch, 1)));
}
