/* tensor/elementwise/partials.c - derivatives of incomplete gamma and beta functions in their
   parameters and of the Hurwitz zeta function in s, as families of the orders of the derivative:
   each is closed under differentiation, so that derivatives of every order are values, not
   differences.

     gamma_partial(a, x)    order k, density   D_k = (d/da)^k of P(a, x) or of p = dP/dx
     beta_partial(a, b, x)  i, j, density      D_ij = (d/da)^i (d/db)^j of I_x(a, b) or of its
     density zeta_partial(s, q)     order k            Z_k = (d/ds)^k zeta(s,
     q) */
#include "tensor/elementwise/partials.h"

#include "tensor/cpu/special/beta_slope.h"
#include "tensor/cpu/special/gamma_slope.h"
#include "tensor/dispatch/op_helpers.h"
#include "tensor/elementwise/elements.h"
#include <agnesi/ag.h>

/* ---- kernels -------------------------------------------------------------------------------- */

static double gamma_element(const double *x, const agn_kernel_call *c)
{
    const int64_t *k = c->ints;
    return k[1] ? agni_gamma_d_partial(x[0], x[1], (int)k[0])
                : agni_gamma_partial(x[0], x[1], (int)k[0]);
}
static double beta_element(const double *x, const agn_kernel_call *c)
{
    const int64_t *k = c->ints;
    return k[2] ? agni_beta_d_partial(x[0], x[1], x[2], (int)k[0], (int)k[1])
                : agni_beta_partial(x[0], x[1], x[2], (int)k[0], (int)k[1]);
}
static double zeta_element(const double *x, const agn_kernel_call *c)
{
    const int64_t *k = c->ints;
    return agni_zeta_partial(x[0], x[1], (int)k[0]);
}
static agn_status cpu_gamma(const agn_kernel_call *c)
{
    return agni_run_elements(c, gamma_element);
}
static agn_status cpu_beta(const agn_kernel_call *c)
{
    return agni_run_elements(c, beta_element);
}
static agn_status cpu_zeta(const agn_kernel_call *c)
{
    return agni_run_elements(c, zeta_element);
}

/* ---- orders that are there ------------------------------------------------------------------ */

static agn_status check_order(const agni_call *c, int64_t least, int64_t order, const char *in,
                              int most)
{
    if (least < 0 || order < 1)
        return agni_fail(AGN_EARG,
                         "%s: order %lld; one derivative is needed, and none of negative order",
                         c->op->name, (long long)(least < 0 ? least : order));
    if (order > most)
        return agni_fail(AGN_EUNSUPPORTED, "%s: derivative %lld in %s; %d are there", c->op->name,
                         (long long)order, in, most);
    return AGN_OK;
}
static agn_status infer_gamma(agni_call *c)
{
    agn_status st = check_order(c, c->at->i[0], c->at->i[0], "a", AGNI_GAMMA_ORDERS);
    return st ? st : agni_infer_ew(c);
}
static agn_status infer_beta(agni_call *c)
{
    int64_t i = c->at->i[0], j = c->at->i[1], far = AGNI_BETA_ORDERS + 1;
    int64_t sum = (i < far ? i : far) + (j < far ? j : far);
    agn_status st = check_order(c, i < j ? i : j, sum, "a and b", AGNI_BETA_ORDERS);
    return st ? st : agni_infer_ew(c);
}
static agn_status infer_zeta(agni_call *c)
{
    agn_status st = check_order(c, c->at->i[0], c->at->i[0], "s", AGNI_ZETA_ORDERS);
    return st ? st : agni_infer_ew(c);
}

/* ---- application, by rules ------------------------------------------------------------------ */

const agn_tensor *agni_gamma_partial_in(agn_scope *s, const agn_tensor *a, const agn_tensor *x,
                                        int64_t k, bool density)
{
    const agn_tensor *in[2] = {a, x};
    if (k == 0)
        return agni_apply_in(s, density ? &agni_op_gamma_d : &agni_op_gammainc, NULL, 2, in);
    int64_t at[2] = {k, density};
    return agni_apply_in(s, &agni_op_gamma_partial, &(agni_attr){.ni = 2, .i = at}, 2, in);
}

const agn_tensor *agni_beta_partial_in(agn_scope *s, const agn_tensor *const *abx, int64_t i,
                                       int64_t j, bool density)
{
    if (i == 0 && j == 0)
        return agni_apply_in(s, density ? &agni_op_beta_d : &agni_op_betainc, NULL, 3, abx);
    int64_t at[3] = {i, j, density};
    return agni_apply_in(s, &agni_op_beta_partial, &(agni_attr){.ni = 3, .i = at}, 3, abx);
}

const agn_tensor *agni_zeta_partial_in(agn_scope *s, const agn_tensor *z, const agn_tensor *q,
                                       int64_t k)
{
    const agn_tensor *in[2] = {z, q};
    if (k == 0)
        return agni_apply_in(s, &agni_op_zeta, NULL, 2, in);
    return agni_apply_in(s, &agni_op_zeta_partial, &(agni_attr){.ni = 1, .i = &k}, 2, in);
}

/* ---- rules ---------------------------------------------------------------------------------- */

static const agn_tensor *less_one(agn_scope *s, const agn_tensor *a)
{
    return ag_sub(s, a, agni_literal(s, 1));
}

/* of p: p ((a - 1) / x - 1) by Leibniz, D_k ((a - 1) / x - 1) + k D_(k-1) / x */
static const agn_tensor *gamma_slope_in_x(agn_scope *s, const agni_rule *r)
{
    const agn_tensor *a = r->x[0], *x = r->x[1];
    int64_t k = r->at->i[0];
    if (!r->at->i[1])
        return agni_gamma_partial_in(s, a, x, k, true);
    const agn_tensor *by = less_one(s, ag_div(s, less_one(s, a), x));
    const agn_tensor *low = ag_mul_c(s, agni_gamma_partial_in(s, a, x, k - 1, true), (double)k);
    return ag_add(s, ag_mul(s, r->y[0], by), ag_div(s, low, x));
}
static void gamma_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                      const agn_tensor **ty)
{
    if (d[0])
        ty[0] = ag_mulz(s, d[0], agni_gamma_partial_in(s, r->x[0], r->x[1], r->at->i[0] + 1,
                                                       r->at->i[1] != 0));
    if (d[1])
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], gamma_slope_in_x(s, r)));
}

/* of the density: (a - 1) / x - (b - 1) / (1 - x) times it, by Leibniz */
static const agn_tensor *beta_slope_in_x(agn_scope *s, const agni_rule *r)
{
    const agn_tensor *x = r->x[2], *y = ag_sub(s, agni_literal(s, 1), x);
    int64_t i = r->at->i[0], j = r->at->i[1];
    if (!r->at->i[2])
        return agni_beta_partial_in(s, r->x, i, j, true);
    const agn_tensor *by = ag_sub(s, ag_div(s, less_one(s, r->x[0]), x),
                                  ag_div(s, less_one(s, r->x[1]), y));
    const agn_tensor *sum = ag_mul(s, r->y[0], by);
    if (i) {
        const agn_tensor *low = ag_mul_c(s, agni_beta_partial_in(s, r->x, i - 1, j, true),
                                         (double)i);
        sum = ag_add(s, sum, ag_div(s, low, x));
    }
    if (j) {
        const agn_tensor *low = ag_mul_c(s, agni_beta_partial_in(s, r->x, i, j - 1, true),
                                         (double)j);
        sum = ag_sub(s, sum, ag_div(s, low, y));
    }
    return sum;
}
static void beta_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    const int64_t *at = r->at->i;
    for (int k = 0; k < 3; k++) {
        if (!d[k])
            continue;
        const agn_tensor *slope = k == 2 ? beta_slope_in_x(s, r)
                                         : agni_beta_partial_in(s, r->x, at[0] + !k, at[1] + k,
                                                                at[2] != 0);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], slope));
    }
}

/* d zeta(s, q) / dq = -s zeta(s + 1, q), by Leibniz */
static void zeta_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    const agn_tensor *z = r->x[0], *q = r->x[1];
    int64_t k = r->at->i[0];
    if (d[0])
        ty[0] = ag_mulz(s, d[0], agni_zeta_partial_in(s, z, q, k + 1));
    if (d[1]) {
        const agn_tensor *up = ag_add(s, z, agni_literal(s, 1));
        const agn_tensor *low = ag_mul_c(s, agni_zeta_partial_in(s, up, q, k - 1), (double)k);
        const agn_tensor *sum = ag_add(s, ag_mul(s, z, agni_zeta_partial_in(s, up, q, k)), low);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], ag_neg(s, sum)));
    }
}

/* ---- op records ----------------------------------------------------------------------------- */

#define PARTIAL_OF(name_, takes_, n, ...) \
    static agni_slots slots_##name_; \
    const agni_op agni_op_##name_##_partial = {.name = #name_ "_partial", \
                                               .takes = takes_, \
                                               .cls = AGNI_SOLVE, \
                                               .nin = n, \
                                               .nout = 1, \
                                               .dtypes = AGNI_FLOATS, \
                                               .diff = (1u << (n)) - 1, \
                                               .promote = (1u << (n)) - 1, \
                                               .result = AGNI_OUT_SAME, \
                                               .ew = -1, \
                                               .infer = infer_##name_, \
                                               .cpu = cpu_##name_, \
                                               .contiguous = true, \
                                               .jvp = name_##_jvp, \
                                               .batch = agni_batch_aligned, \
                                               .slots = &slots_##name_, \
                                               __VA_ARGS__};
PARTIAL_OF(gamma, "a x order:i density:b", 2, .lo = 0.5, .hi = 4,
           .doc = "derivatives in a of gammainc, or of its density")
PARTIAL_OF(beta, "a b x order_a:i order_b:i density:b", 3, .lo = 0.2, .hi = 0.9,
           .doc = "derivatives in a and b of betainc, or of its density")
PARTIAL_OF(zeta, "s q order:i", 2, .lo = 1.3, .hi = 5,
           .doc = "derivatives in s of zeta")
