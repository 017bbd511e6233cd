/* tensor/special/bessel_op.c - Bessel functions of real order as one op. Derivatives in x are
   combinations of neighbours (DLMF 10.6, 10.29), of exp(-x) I Hankel's expansion where these
   cancel, of exp(x) K integrals of their own; in the order by integrals too. */
#include "tensor/special/special.h"

#include <agnesi/ag.h>

static double bessel_element(const double *x, const agn_kernel_call *c)
{
    return agni_bessel_slope(x[0], x[1], (int)c->ints[0], (int)c->ints[1], (int)c->ints[2]);
}
static agn_status infer_bessel(agni_call *c)
{
    const int64_t *k = c->at->i;
    agn_status st = agni_special_check(c, 0, AGNI_BESSEL_J, AGNI_BESSEL_KE, "kind");
    if (st)
        return st;
    st = agni_special_check(c, 1, 0, AGNI_SPECIAL_ORDERS, "derivative in the order");
    if (!st)
        st = agni_special_check(c, 2, 0, k[0] >= AGNI_BESSEL_IE ? AGNI_SPECIAL_ORDERS : 0,
                                "derivative in x");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *bessel_in(agn_scope *s, const agn_tensor *nu, const agn_tensor *x,
                                   int64_t kind, int64_t k, int64_t n)
{
    int64_t at[3] = {kind, k, n};
    return agni_apply_in(s, &agni_op_bessel, &(agni_attr){.ni = 3, .i = at}, 2,
                         (const agn_tensor *[]){nu, x});
}
static const agn_tensor *slope_in_x(agn_scope *s, const agni_rule *r)
{
    const agn_tensor *nu = r->x[0], *x = r->x[1];
    int64_t kind = r->at->i[0], k = r->at->i[1], n = r->at->i[2];
    if (kind == AGNI_BESSEL_IE || kind == AGNI_BESSEL_KE)
        return bessel_in(s, nu, x, kind, k, n + 1);
    const agn_tensor *low = bessel_in(s, ag_add_c(s, nu, -1), x, kind, k, 0);
    const agn_tensor *up = bessel_in(s, ag_add_c(s, nu, 1), x, kind, k, 0);
    switch (kind) {
    case AGNI_BESSEL_J:
    case AGNI_BESSEL_Y:
        return ag_mul_c(s, ag_sub(s, low, up), 0.5);
    case AGNI_BESSEL_K:
        return ag_mul_c(s, ag_add(s, low, up), -0.5);
    default: /* I */
        return ag_mul_c(s, ag_add(s, low, up), 0.5);
    }
}
static void bessel_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    const int64_t *k = r->at->i;
    if (d[0])
        ty[0] = ag_mulz(s, d[0], bessel_in(s, r->x[0], r->x[1], k[0], k[1] + 1, k[2]));
    if (d[1])
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], slope_in_x(s, r)));
}
AGNI_SPECIAL_OP(bessel, "nu x kind:i order:i slope:i", 2, .lo = 0.3, .hi = 4,
                .doc = "Bessel functions of real order, by kind")

static agn_status apply_bessel(agn_tensor **out, const char *name, const agn_tensor *nu,
                               const agn_tensor *x, int64_t kind)
{
    int64_t at[3] = {kind, 0, 0};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_bessel, &(agni_attr){.ni = 3, .i = at},
                                               2, (const agn_tensor *[]){nu, x}));
}
agn_status agn_jv(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_bessel(out, "jv", nu, x, AGNI_BESSEL_J);
}
agn_status agn_yv(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_bessel(out, "yv", nu, x, AGNI_BESSEL_Y);
}
agn_status agn_iv(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_bessel(out, "iv", nu, x, AGNI_BESSEL_I);
}
agn_status agn_kv(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_bessel(out, "kv", nu, x, AGNI_BESSEL_K);
}
agn_status agn_ive(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_bessel(out, "ive", nu, x, AGNI_BESSEL_IE);
}
agn_status agn_kve(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_bessel(out, "kve", nu, x, AGNI_BESSEL_KE);
}
