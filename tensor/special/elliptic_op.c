/* tensor/special/elliptic_op.c - elliptic integrals of Legendre and Carlson as ops: families of
   whole exponents, whose derivatives in moduli raise them. */
#include "tensor/special/special.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>

/* attributes of elliptic: i, j, l, complete */
static double elliptic_element(const double *x, const agn_kernel_call *c)
{
    const int64_t *k = c->ints;
    return k[3] ? agni_elliptic_complete(x[0], x[2], (int)k[0], (int)k[1], (int)k[2])
                : agni_elliptic(x[0], x[1], x[2], (int)k[0], (int)k[1], (int)k[2]);
}
static agn_status infer_elliptic(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, AGNI_SPECIAL_ORDERS, "power of the sine");
    if (!st)
        st = agni_special_check(c, 1, -1, AGNI_SPECIAL_ORDERS, "power of 1 - m sin^2");
    if (!st)
        st = agni_special_check(c, 2, 0, AGNI_SPECIAL_ORDERS, "power of 1 - n sin^2");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *elliptic_in(agn_scope *s, const agn_tensor *const *x, int64_t i, int64_t j,
                                     int64_t l, int64_t complete)
{
    int64_t at[4] = {i, j, l, complete};
    return agni_apply_in(s, &agni_op_elliptic, &(agni_attr){.ni = 4, .i = at}, 3, x);
}
/* sin^2i phi (1 - m sin^2 phi)^(-1/2 - j) (1 - n sin^2 phi)^-l */
static const agn_tensor *legendre_integrand(agn_scope *s, const agni_rule *r)
{
    const int64_t *k = r->at->i;
    const agn_tensor *one = agni_literal(s, 1), *s2 = ag_square(s, ag_sin(s, r->x[1]));
    const agn_tensor *q = ag_sub(s, one, ag_mul(s, r->x[2], s2));
    const agn_tensor *y = k[1] < 0 ? ag_sqrt(s, q) : ag_pow_c(s, q, -0.5 - (double)k[1]);
    if (k[0])
        y = ag_mul(s, y, ag_pow_c(s, s2, (double)k[0]));
    if (k[2])
        y = ag_mul(s, y, ag_pow_c(s, ag_sub(s, one, ag_mul(s, r->x[0], s2)), -(double)k[2]));
    return y;
}
static void elliptic_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                         const agn_tensor **ty)
{
    const int64_t *k = r->at->i;
    if (d[0] && k[2]) {
        const agn_tensor *up = elliptic_in(s, r->x, k[0] + 1, k[1], k[2] + 1, k[3]);
        ty[0] = ag_mulz(s, d[0], ag_mul_c(s, up, (double)k[2]));
    }
    if (d[1] && !k[3])
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], legendre_integrand(s, r)));
    if (d[2]) {
        const agn_tensor *up = elliptic_in(s, r->x, k[0] + 1, k[1] + 1, k[2], k[3]);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[2], ag_mul_c(s, up, 0.5 + (double)k[1])));
    }
}
AGNI_SPECIAL_OP(
    elliptic, "n phi m i:i j:i l:i complete:b", 3, .lo = 0.2, .hi = 0.9,
    .doc =
        "elliptic integrals of Legendre: of sin^2i (1 - m sin^2)^(-1/2 - j) (1 - n sin^2)^-l to phi")

static double carlson_element(const double *x, const agn_kernel_call *c)
{
    int k[4];
    for (int d = 0; d < 4; d++)
        k[d] = (int)c->ints[d];
    return agni_carlson(x, k);
}
static agn_status infer_carlson(agni_call *c)
{
    agn_status st = AGN_OK;
    for (int d = 0; d < 4 && !st; d++)
        st = agni_special_check(c, d, d == 3 ? -1 : 0, AGNI_SPECIAL_ORDERS, "power");
    return st ? st : agni_infer_ew(c);
}
static void carlson_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    for (int k = 0; k < 4; k++) {
        const int64_t *p = r->at->i;
        int64_t at[4] = {p[0], p[1], p[2], p[3]};
        double by = k == 3 ? -(double)p[3] : -0.5 - (double)p[k];
        if (!d[k] || by == 0)
            continue;
        at[k]++;
        const agn_tensor *up = agni_apply_in(s, &agni_op_carlson, &(agni_attr){.ni = 4, .i = at}, 4,
                                             r->x);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], ag_mul_c(s, up, by)));
    }
}
AGNI_SPECIAL_OP(
    carlson, "x y z p i:i j:i k:i l:i", 4, .lo = 0.2, .hi = 3,
    .doc =
        "integral over t > 0 of (t + x)^(-1/2 - i) (t + y)^(-1/2 - j) (t + z)^(-1/2 - k) (t + p)^-l")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_legendre(agn_tensor **out, const char *name, const agn_tensor *n,
                                 const agn_tensor *phi, const agn_tensor *m, int64_t j, int64_t l,
                                 int64_t complete)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, m);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *none = agni_literal(s, 0);
    return agni_return(name, s, out,
                       elliptic_in(s, (const agn_tensor *[]){n ? n : none, phi ? phi : none, m}, 0,
                                   j, l, complete));
}
agn_status agn_ellipk(agn_tensor **out, const agn_tensor *m)
{
    return apply_legendre(out, "ellipk", NULL, NULL, m, 0, 0, 1);
}
agn_status agn_ellipe(agn_tensor **out, const agn_tensor *m)
{
    return apply_legendre(out, "ellipe", NULL, NULL, m, -1, 0, 1);
}
agn_status agn_ellippi(agn_tensor **out, const agn_tensor *n, const agn_tensor *m)
{
    AGNI_NEED("ellippi", n);
    return apply_legendre(out, "ellippi", n, NULL, m, 0, 1, 1);
}
agn_status agn_ellipkinc(agn_tensor **out, const agn_tensor *phi, const agn_tensor *m)
{
    AGNI_NEED("ellipkinc", phi);
    return apply_legendre(out, "ellipkinc", NULL, phi, m, 0, 0, 0);
}
agn_status agn_ellipeinc(agn_tensor **out, const agn_tensor *phi, const agn_tensor *m)
{
    AGNI_NEED("ellipeinc", phi);
    return apply_legendre(out, "ellipeinc", NULL, phi, m, -1, 0, 0);
}
agn_status agn_ellippiinc(agn_tensor **out, const agn_tensor *n, const agn_tensor *phi,
                          const agn_tensor *m)
{
    AGNI_NEED("ellippiinc", n);
    AGNI_NEED("ellippiinc", phi);
    return apply_legendre(out, "ellippiinc", n, phi, m, 0, 1, 0);
}

static agn_status apply_symmetric(agn_tensor **out, const char *name, const agn_tensor *x,
                                  const agn_tensor *y, const agn_tensor *z, const agn_tensor *p,
                                  int64_t k, int64_t l, double factor)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, x);
    AGNI_NEED(name, y);
    AGNI_NEED(name, z);
    AGNI_NEED(name, p);
    agn_scope *s = agn_scope_open(NULL);
    int64_t at[4] = {0, 0, k, l};
    const agn_tensor *in[4] = {x, y, z, l > 0 ? p : agni_literal(s, l < 0 ? 0 : 1)};
    const agn_tensor *v = agni_apply_in(s, &agni_op_carlson, &(agni_attr){.ni = 4, .i = at}, 4, in);
    return agni_return(name, s, out, ag_mul_c(s, v, factor));
}
agn_status agn_elliprf(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                       const agn_tensor *z)
{
    return apply_symmetric(out, "elliprf", x, y, z, z, 0, 0, 0.5);
}
agn_status agn_elliprc(agn_tensor **out, const agn_tensor *x, const agn_tensor *y)
{
    return apply_symmetric(out, "elliprc", x, y, y, y, 0, 0, 0.5);
}
agn_status agn_elliprd(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                       const agn_tensor *z)
{
    return apply_symmetric(out, "elliprd", x, y, z, z, 1, 0, 1.5);
}
agn_status agn_elliprj(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                       const agn_tensor *z, const agn_tensor *p)
{
    return apply_symmetric(out, "elliprj", x, y, z, p, 0, 1, 1.5);
}
agn_status agn_elliprg(agn_tensor **out, const agn_tensor *x, const agn_tensor *y,
                       const agn_tensor *z)
{
    return apply_symmetric(out, "elliprg", x, y, z, z, 0, -1, -0.25);
}
