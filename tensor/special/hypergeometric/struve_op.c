/* tensor/special/hypergeometric/struve_op.c - Struve's functions, the polylogarithm and Lerch's
   transcendent as ops (DLMF 11, 25.12, 25.14), whose derivatives are members of the families. */
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/parameters/values.h"
#include "tensor/special/special.h"

#include "tensor/cpu/special/constants.h"
#include <agnesi/ag.h>

enum { MOST_SLOPES = 12 };

/* attributes of struve: modified, derivative in the order, in the argument */
static double struve_element(const double *x, const agn_kernel_call *c)
{
    bool modified = c->ints[0] != 0;
    int k = (int)c->ints[1], n = (int)c->ints[2];
    return k ? agni_struve_slope(x[0], x[1], modified, k, n) : agni_struve(x[0], x[1], modified, n);
}
static agn_status infer_struve(agni_call *c)
{
    agn_status st = agni_special_check(c, 1, 0, MOST_SLOPES, "derivative in the order");
    if (!st)
        st = agni_special_check(c, 2, 0, AGNI_SPECIAL_ORDERS, "derivative in x");
    return st ? st : agni_infer_ew(c);
}
static void struve_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    for (int k = 0; k < 2; k++) {
        int64_t at[3] = {r->at->i[0], r->at->i[1] + (k == 0), r->at->i[2] + (k == 1)};
        if (d[k]) {
            const agn_tensor *slope = agni_apply_in(s, &agni_op_struve,
                                                    &(agni_attr){.ni = 3, .i = at}, 2, r->x);
            ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], slope));
        }
    }
}
AGNI_SPECIAL_OP(struve, "nu x modified:b slope:i dx:i", 2, .lo = 0.3, .hi = 4,
                .doc = "Struve's H, or, modified, L")

/* attributes of polylog: slopes in s and x */
static double polylog_element(const double *x, const agn_kernel_call *c)
{
    int k = (int)c->ints[0], n = (int)c->ints[1];
    return k || n ? agni_polylog_slope(x[0], x[1], k, n) : agni_polylog(x[0], x[1]);
}
static agn_status infer_polylog(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_SLOPES, "derivative in s");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SLOPES, "derivative in x");
    return st ? st : agni_infer_ew(c);
}
static void polylog_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    for (int k = 0; k < 2; k++) {
        int64_t at[2] = {r->at->i[0] + (k == 0), r->at->i[1] + (k == 1)};
        if (d[k]) {
            const agn_tensor *slope = agni_apply_in(s, &agni_op_polylog,
                                                    &(agni_attr){.ni = 2, .i = at}, 2, r->x);
            ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], slope));
        }
    }
}
AGNI_SPECIAL_OP(polylog, "s x ds:i dx:i", 2, .lo = 0.2, .hi = 0.8,
                .doc = "polylogarithm of real order")

/* attributes of lerch: slopes in s and z */
static double lerch_element(const double *x, const agn_kernel_call *c)
{
    return agni_lerch(x[0], x[1], x[2], (int)c->ints[0], (int)c->ints[1]);
}
static agn_status infer_lerch(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, MOST_SLOPES, "derivative in s");
    if (!st)
        st = agni_special_check(c, 1, 0, MOST_SLOPES, "derivative in z");
    return st ? st : agni_infer_ew(c);
}
static const agn_tensor *lerch_member(agn_scope *s, const agn_tensor *z, const agn_tensor *order,
                                      const agn_tensor *a, int64_t ds, int64_t dz)
{
    const agn_tensor *in[3] = {z, order, a};
    int64_t at[2] = {ds, dz};
    return agni_apply_in(s, &agni_op_lerch, &(agni_attr){.ni = 2, .i = at}, 3, in);
}
/* in a: -s times the function of s + 1, whose derivatives in s are by Leibniz */
static void lerch_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                      const agn_tensor **ty)
{
    const agn_tensor *z = r->x[0], *order = r->x[1], *a = r->x[2];
    int64_t k = r->at->i[0], n = r->at->i[1];
    if (d[0])
        ty[0] = ag_mulz(s, d[0], lerch_member(s, z, order, a, k, n + 1));
    if (d[1]) {
        const agn_tensor *slope = lerch_member(s, z, order, a, k + 1, n);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], slope));
    }
    if (d[2]) {
        const agn_tensor *up = ag_add_c(s, order, 1);
        const agn_tensor *slope = ag_mul(s, order, lerch_member(s, z, up, a, k, n));
        if (k)
            slope = ag_add(s, slope, ag_mul_c(s, lerch_member(s, z, up, a, k - 1, n), (double)k));
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[2], ag_neg(s, slope)));
    }
}
AGNI_SPECIAL_OP(lerch, "z s a ds:i dz:i", 3, .lo = 0.2, .hi = 0.8,
                .doc = "Lerch's transcendent and its derivatives in s and z")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_struve(agn_tensor **out, const char *name, const agn_tensor *nu,
                               const agn_tensor *x, int64_t modified)
{
    int64_t at[3] = {modified};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_struve, &(agni_attr){.ni = 3, .i = at},
                                               2, (const agn_tensor *[]){nu, x}));
}
agn_status agn_struve(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_struve(out, "struve", nu, x, 0);
}
agn_status agn_modstruve(agn_tensor **out, const agn_tensor *nu, const agn_tensor *x)
{
    return apply_struve(out, "modstruve", nu, x, 1);
}
agn_status agn_polylog(agn_tensor **out, const agn_tensor *order, const agn_tensor *x)
{
    int64_t at[2] = {0};
    return agni_apply_public(out, &agni_op_polylog, &(agni_attr){.ni = 2, .i = at}, 2,
                             (const agn_tensor *[]){order, x});
}
agn_status agn_lerch_phi(agn_tensor **out, const agn_tensor *z, const agn_tensor *order,
                         const agn_tensor *a)
{
    int64_t at[2] = {0};
    return agni_rename_error("lerch_phi",
                             agni_apply_public(out, &agni_op_lerch, &(agni_attr){.ni = 2, .i = at},
                                               3, (const agn_tensor *[]){z, order, a}));
}
