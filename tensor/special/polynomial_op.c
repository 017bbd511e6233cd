/* tensor/special/polynomial_op.c - classical orthogonal polynomials as an op: the derivative of
   each is one of a degree less, with other parameters (DLMF 18.9.15). */
#include "tensor/special/special.h"

#include <agnesi/ag.h>

enum { MOST_DEGREE = 100000 };

static double polynomial_element(const double *x, const agn_kernel_call *c)
{
    return agni_polynomial(x[0], (int)c->ints[0], c->ints[1], c->reals[0], c->reals[1]);
}
static agn_status infer_polynomial(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, AGNI_JACOBI, AGNI_CHEBYSHEV, "kind");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_DEGREE, "degree");
    if (st)
        return st;
    double a = c->at->f[0], b = c->at->f[1];
    int64_t kind = c->at->i[0];
    bool right = kind == AGNI_JACOBI       ? a > -1 && b > -1
                 : kind == AGNI_GEGENBAUER ? a > -0.5
                                           : kind != AGNI_LAGUERRE || a > -1;
    if (!right || a > 1e300 || b > 1e300)
        return agni_fail(AGN_EARG, "%s: parameters %g, %g; they are above %g", c->op->name, a, b,
                         kind == AGNI_GEGENBAUER ? -0.5 : -1.0);
    return agni_infer_ew(c);
}
static const agn_tensor *polynomial_in(agn_scope *s, const agn_tensor *x, int64_t kind, int64_t n,
                                       double a, double b)
{
    int64_t at[2] = {kind, n};
    double f[2] = {a, b};
    return agni_apply_in(s, &agni_op_polynomial, &(agni_attr){.ni = 2, .nf = 2, .i = at, .f = f}, 1,
                         &x);
}
static void polynomial_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                           const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], n = r->at->i[1];
    double a = r->at->f[0], b = r->at->f[1], by = (double)n, p = 0, q = 0;
    if (n == 0)
        return;
    switch (kind) {
    case AGNI_JACOBI:
        by = ((double)n + a + b + 1) / 2, p = a + 1, q = b + 1;
        break;
    case AGNI_GEGENBAUER:
        by = 2 * a, p = a + 1;
        break;
    case AGNI_LAGUERRE:
        by = -1, p = a + 1;
        break;
    case AGNI_HERMITE:
        by = 2 * (double)n;
        break;
    case AGNI_CHEBYSHEV: /* n U, a Gegenbauer polynomial of parameter 1 */
        kind = AGNI_GEGENBAUER, p = 1;
        break;
    }
    ty[0] = ag_mulz(s, d[0], ag_mul_c(s, polynomial_in(s, r->x[0], kind, n - 1, p, q), by));
}
AGNI_SPECIAL_OP(polynomial, "x kind:i degree:i a:r b:r", 1, .lo = -0.9, .hi = 0.9,
                .doc = "orthogonal polynomials of a degree, by kind")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_polynomial(agn_tensor **out, const char *name, const agn_tensor *x,
                                   int kind, int32_t n, double a, double b)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, x);
    agn_scope *s = agn_scope_open(NULL);
    return agni_return(name, s, out, polynomial_in(s, x, kind, n, a, b));
}
agn_status agn_jacobi(agn_tensor **out, const agn_tensor *x, int32_t n, double a, double b)
{
    return apply_polynomial(out, "jacobi", x, AGNI_JACOBI, n, a, b);
}
agn_status agn_gegenbauer(agn_tensor **out, const agn_tensor *x, int32_t n, double a)
{
    return apply_polynomial(out, "gegenbauer", x, AGNI_GEGENBAUER, n, a, 0);
}
agn_status agn_legendre(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_polynomial(out, "legendre", x, AGNI_GEGENBAUER, n, 0.5, 0);
}
agn_status agn_chebyshev_t(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_polynomial(out, "chebyshev_t", x, AGNI_CHEBYSHEV, n, 0, 0);
}
agn_status agn_chebyshev_u(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_polynomial(out, "chebyshev_u", x, AGNI_GEGENBAUER, n, 1, 0);
}
agn_status agn_laguerre(agn_tensor **out, const agn_tensor *x, int32_t n, double a)
{
    return apply_polynomial(out, "laguerre", x, AGNI_LAGUERRE, n, a, 0);
}
agn_status agn_hermite(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_polynomial(out, "hermite", x, AGNI_HERMITE, n, 0, 0);
}
agn_status agn_hermite_e(agn_tensor **out, const agn_tensor *x, int32_t n)
{
    return apply_polynomial(out, "hermite_e", x, AGNI_HERMITE_E, n, 0, 0);
}
