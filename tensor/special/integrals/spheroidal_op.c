/* tensor/special/integrals/spheroidal_op.c - spheroidal wave functions as ops (DLMF 30.2, 30.4):
   families indexed by their derivatives in c^2; the second derivative in the argument is that of
   the equation. */
#include "tensor/special/integrals/tridiagonal.h"
#include "tensor/special/integrals/values.h"
#include "tensor/special/special.h"
#include "tensor/special/wide.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>

typedef const agn_tensor *value;

enum { MOST_ORDER = 60, MOST_DEGREE = 100 };

static agn_status check_spheroidal(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_ORDER, "order");
    if (!st)
        st = agni_special_check(c, 1, c->at->i[0], MOST_DEGREE, "degree");
    return st ? st : agni_special_check(c, 2, 0, AGNI_MOST_SLOPE, "derivative in c^2");
}
/* attributes of spheroidal_value: order, degree, derivative in q = c^2 (-c^2: oblate) */
static double spheroidal_value_element(const double *x, const agn_kernel_call *c)
{
    return agni_spheroidal_value(x[0], (int)c->ints[0], (int)c->ints[1], (int)c->ints[2]);
}
static agn_status infer_spheroidal_value(agni_call *c)
{
    agn_status st = check_spheroidal(c);
    return st ? st : agni_infer_ew(c);
}
static value value_in(agn_scope *s, value q, int64_t m, int64_t n, int64_t k)
{
    int64_t at[3] = {m, n, k};
    return agni_apply_in(s, &agni_op_spheroidal_value, &(agni_attr){.ni = 3, .i = at}, 1, &q);
}
static void spheroidal_value_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                                 const agn_tensor **ty)
{
    const int64_t *k = r->at->i;
    ty[0] = ag_mulz(s, d[0], value_in(s, r->x[0], k[0], k[1], k[2] + 1));
}
AGNI_SPECIAL_OP(spheroidal_value, "q order:i degree:i slope:i", 1, .lo = 0.3, .hi = 6,
                .doc = "characteristic values of the spheroidal equation")

/* attributes of spheroidal: those, and whether the slope in x */
static double spheroidal_element(const double *x, const agn_kernel_call *c)
{
    return agni_spheroidal(x[0], x[1], (int)c->ints[0], (int)c->ints[1], (int)c->ints[2],
                           c->ints[3] != 0);
}
static agn_status infer_spheroidal(agni_call *c)
{
    agn_status st = check_spheroidal(c);
    if (!st)
        st = agni_special_check(c, 3, 0, 1, "derivative in x");
    return st ? st : agni_infer_ew(c);
}
static value wave_in(agn_scope *s, const agni_rule *r, int64_t k, int64_t sloped)
{
    int64_t at[4] = {r->at->i[0], r->at->i[1], k, sloped};
    return agni_apply_in(s, &agni_op_spheroidal, &(agni_attr){.ni = 4, .i = at}, 2, r->x);
}
/* (1 - x^2) S'' = 2 x S' - (lambda - q x^2 - m^2 / (1 - x^2)) S, k times in q (Leibniz) */
static value second_slope(agn_scope *s, const agni_rule *r)
{
    int64_t m = r->at->i[0], n = r->at->i[1], k = r->at->i[2];
    value q = r->x[0], x = r->x[1], square = ag_square(s, x),
          wide = ag_mul(s, ag_add_c(s, ag_neg(s, x), 1), ag_add_c(s, x, 1));
    value sum = ag_mul(s, ag_mul_c(s, x, 2), r->y[0]);
    value here = wave_in(s, r, k, 0), hollow = ag_mul(s, q, square);
    if (m)
        hollow = ag_add(s, hollow, ag_mul_c(s, ag_reciprocal(s, wide), (double)(m * m)));
    sum = ag_add(s, sum, ag_mul(s, hollow, here));
    if (k)
        sum = ag_add(s, sum, ag_mul_c(s, ag_mul(s, square, wave_in(s, r, k - 1, 0)), (double)k));
    double choose = 1;
    for (int64_t i = 0; i <= k; i++) {
        value part = ag_mul(s, value_in(s, q, m, n, i), wave_in(s, r, k - i, 0));
        sum = ag_sub(s, sum, ag_mul_c(s, part, choose));
        choose *= (double)(k - i) / (double)(i + 1);
    }
    return ag_div(s, sum, wide);
}
static void spheroidal_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                           const agn_tensor **ty)
{
    int64_t k = r->at->i[2], sloped = r->at->i[3];
    if (d[0])
        ty[0] = ag_mulz(s, d[0], wave_in(s, r, k + 1, sloped));
    if (d[1])
        ty[0] = agni_add_present(
            s, ty[0], ag_mulz(s, d[1], sloped ? second_slope(s, r) : wave_in(s, r, k, 1)));
}
AGNI_SPECIAL_OP(spheroidal, "q x order:i degree:i slope:i sloped:b", 2, .lo = 0.2, .hi = 0.9,
                .doc = "angular spheroidal wave functions")

/* ---- public functions --------------------------------------------------------------------------- */

static value square_of(agn_scope *s, value c, bool prolate)
{
    return prolate ? ag_square(s, c) : ag_neg(s, ag_square(s, c));
}
static agn_status apply_value(agn_tensor **out, const char *name, value c, int32_t m, int32_t n,
                              bool prolate)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, c);
    agn_dtype dtype;
    bool wide = agni_computes_wide((const agn_tensor *[]){c}, 1, &dtype);
    agn_scope *s = agn_scope_open(NULL);
    value y = value_in(s, square_of(s, wide ? ag_cast(s, c, AGN_F64) : c, prolate), m, n, 0);
    return agni_return(name, s, out, wide ? ag_cast(s, y, dtype) : y);
}
agn_status agn_pro_cv(agn_tensor **out, value c, int32_t m, int32_t n)
{
    return apply_value(out, "pro_cv", c, m, n, true);
}
agn_status agn_obl_cv(agn_tensor **out, value c, int32_t m, int32_t n)
{
    return apply_value(out, "obl_cv", c, m, n, false);
}
static agn_status apply_wave(agn_tensor **out, const char *name, value c, value x, int32_t m,
                             int32_t n, bool prolate)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, c);
    AGNI_NEED(name, x);
    agn_dtype dtype;
    bool wide = agni_computes_wide((const agn_tensor *[]){c, x}, 2, &dtype);
    agn_scope *s = agn_scope_open(NULL);
    int64_t at[4] = {m, n, 0, 0};
    value y = agni_apply_in(
        s, &agni_op_spheroidal, &(agni_attr){.ni = 4, .i = at}, 2,
        (const agn_tensor *[]){square_of(s, wide ? ag_cast(s, c, AGN_F64) : c, prolate),
                               wide ? ag_cast(s, x, AGN_F64) : x});
    return agni_return(name, s, out, wide ? ag_cast(s, y, dtype) : y);
}
agn_status agn_pro_ang1(agn_tensor **out, value c, value x, int32_t m, int32_t n)
{
    return apply_wave(out, "pro_ang1", c, x, m, n, true);
}
agn_status agn_obl_ang1(agn_tensor **out, value c, value x, int32_t m, int32_t n)
{
    return apply_wave(out, "obl_ang1", c, x, m, n, false);
}
