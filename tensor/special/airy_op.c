/* tensor/special/airy_op.c - Airy functions, Fresnel's integrals and Lambert's W as ops. Ai'' = x
   Ai (DLMF 9.2). */
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>

static double airy_element(const double *x, const agn_kernel_call *c)
{
    return agni_airy(x[0], (int)c->ints[0]);
}
static agn_status infer_airy(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 3, "kind");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *airy_in(agn_scope *s, const agn_tensor *x, int64_t kind)
{
    return agni_apply_in(s, &agni_op_airy, &(agni_attr){.ni = 1, .i = &kind}, 1, &x);
}
static void airy_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    int64_t kind = r->at->i[0];
    const agn_tensor *slope = airy_in(s, r->x[0], kind ^ 1);
    ty[0] = ag_mulz(s, d[0], kind & 1 ? ag_mul(s, r->x[0], slope) : slope);
}
AGNI_SPECIAL_OP(airy, "x kind:i", 1, .lo = -3, .hi = 3,
                .doc = "Airy functions Ai, Ai', Bi and Bi', by kind")

static double fresnel_element(const double *x, const agn_kernel_call *c)
{
    double sc[2];
    agni_fresnel(x[0], sc);
    return sc[c->ints[0] != 0];
}
static agn_status infer_fresnel(agni_call *c)
{
    return agni_infer_ew(c);
}
static void fresnel_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    const agn_tensor *u = ag_mul_c(s, ag_square(s, r->x[0]), AGNI_PI / 2);
    ty[0] = ag_mulz(s, d[0], r->at->i[0] ? ag_cos(s, u) : ag_sin(s, u));
}
AGNI_SPECIAL_OP(fresnel, "x cosine:b", 1, .lo = -2, .hi = 2,
                .doc = "Fresnel integrals S, or C with cosine")

static double lambert_w_element(const double *x, const agn_kernel_call *c)
{
    return agni_lambert_w(x[0], (int)c->ints[0], c->ints[1] != 0);
}
static agn_status infer_lambert_w(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, -1, 0, "branch");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *lambert_in(agn_scope *s, const agn_tensor *x, int64_t branch, int64_t one)
{
    int64_t at[2] = {branch, one};
    return agni_apply_in(s, &agni_op_lambert_w, &(agni_attr){.ni = 2, .i = at}, 1, &x);
}
/* exp(-W) / (1 + W), both factors right next to the branch point and at 0 */
static void lambert_w_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                          const agn_tensor **ty)
{
    int64_t branch = r->at->i[0];
    const agn_tensor *w = lambert_in(s, r->x[0], branch, 0), *u = lambert_in(s, r->x[0], branch, 1);
    ty[0] = ag_mulz(s, d[0], ag_div(s, ag_exp(s, ag_neg(s, w)), u));
}
AGNI_SPECIAL_OP(lambert_w, "x branch:i plus_one:b", 1, .lo = 0.2, .hi = 3,
                .doc = "Lambert's W of branch 0 or -1, or 1 + W")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_one(agn_tensor **out, const char *name, const agni_op *op,
                            const agn_tensor *x, int64_t a, int64_t b, int n)
{
    int64_t at[2] = {a, b};
    return agni_rename_error(name,
                             agni_apply_public(out, op, &(agni_attr){.ni = n, .i = at}, 1, &x));
}
agn_status agn_airy_ai(agn_tensor **out, const agn_tensor *x)
{
    return apply_one(out, "airy_ai", &agni_op_airy, x, 0, 0, 1);
}
agn_status agn_airy_aip(agn_tensor **out, const agn_tensor *x)
{
    return apply_one(out, "airy_aip", &agni_op_airy, x, 1, 0, 1);
}
agn_status agn_airy_bi(agn_tensor **out, const agn_tensor *x)
{
    return apply_one(out, "airy_bi", &agni_op_airy, x, 2, 0, 1);
}
agn_status agn_airy_bip(agn_tensor **out, const agn_tensor *x)
{
    return apply_one(out, "airy_bip", &agni_op_airy, x, 3, 0, 1);
}
agn_status agn_fresnel_s(agn_tensor **out, const agn_tensor *x)
{
    return apply_one(out, "fresnel_s", &agni_op_fresnel, x, 0, 0, 1);
}
agn_status agn_fresnel_c(agn_tensor **out, const agn_tensor *x)
{
    return apply_one(out, "fresnel_c", &agni_op_fresnel, x, 1, 0, 1);
}
agn_status agn_lambertw(agn_tensor **out, const agn_tensor *x, int32_t branch)
{
    return apply_one(out, "lambertw", &agni_op_lambert_w, x, branch, 0, 2);
}
