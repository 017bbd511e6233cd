/* tensor/special/hypergeometric/hypergeometric_op.c - hypergeometric functions as ops:
   families of derivatives in all arguments, those in x by raised parameters (DLMF 13.3.15, 13.3.22,
   15.5.1). */
#include "tensor/special/hypergeometric/values.h"
#include "tensor/special/parameters/jet.h"
#include "tensor/special/parameters/values.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>

/* attributes first to first + n - 1: orders of derivatives in parameters; the next one: in the
   argument */
static agn_status check_orders(const agni_call *c, int first, int n)
{
    const int64_t *k = c->at->i + first;
    int order[3] = {0, 0, 0};
    for (int m = 0; m < n; m++)
        order[m] = k[m] < 0 || k[m] > AGNI_JET_ORDER ? -1 : (int)k[m];
    if (!agni_jet_fits(order) || k[n] < 0 || k[n] > AGNI_SPECIAL_ORDERS)
        return agni_fail(
            AGN_EUNSUPPORTED,
            "%s: derivatives of order %lld, %lld%s%.0lld in the parameters and %lld in x: there are those whose "
            "orders in parameters are at most %d together and, each plus 1, multiply to at most %d, to order %d in x",
            c->op->name, (long long)k[0], (long long)k[1], n > 2 ? ", " : "",
            (long long)(n > 2 ? k[2] : 0), (long long)k[n], AGNI_JET_ORDER, AGNI_JET_SIZE,
            AGNI_SPECIAL_ORDERS);
    return AGN_OK;
}
/* adds the derivatives in each of n operands: attribute first + k is its order */
static void slopes_by_order(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                            const agn_tensor **ty, const agni_op *op, int first, int n)
{
    for (int k = 0; k < n; k++) {
        if (!d[k])
            continue;
        int64_t at[5] = {0};
        for (int j = 0; j < first + n; j++)
            at[j] = r->at->i[j];
        at[first + k]++;
        const agn_tensor *slope = agni_apply_in(s, op, &(agni_attr){.ni = first + n, .i = at}, n,
                                                r->x);
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[k], slope));
    }
}

/* attributes of kummer: U, orders in a, b and x */
static double kummer_element(const double *x, const agn_kernel_call *c)
{
    int order[3] = {(int)c->ints[1], (int)c->ints[2], 0}, n = (int)c->ints[3];
    bool second = c->ints[0] != 0;
    if (order[0] || order[1] || n)
        return (second ? agni_hypu_slope : agni_hyp1f1_slope)(x[0], x[1], x[2], order, n);
    return second ? agni_hypu(x[0], x[1], x[2]) : agni_hyp1f1(x[0], x[1], x[2]);
}
static agn_status infer_kummer(agni_call *c)
{
    agn_status st = check_orders(c, 1, 2);
    return st ? st : agni_infer_ew(c);
}
static void kummer_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    slopes_by_order(s, r, d, ty, &agni_op_kummer, 1, 3);
}
AGNI_SPECIAL_OP(kummer, "a b x second:b da:i db:i dx:i", 3, .lo = 0.3, .hi = 3,
                .doc = "confluent hypergeometric function: Kummer's M, or Tricomi's U")

/* attributes of hyp2f1: orders in a, b, c and x */
static double hyp2f1_element(const double *x, const agn_kernel_call *c)
{
    int order[3] = {(int)c->ints[0], (int)c->ints[1], (int)c->ints[2]}, n = (int)c->ints[3];
    if (order[0] || order[1] || order[2] || n)
        return agni_hyp2f1_slope(x[0], x[1], x[2], x[3], order, n);
    return agni_hyp2f1(x[0], x[1], x[2], x[3]);
}
static agn_status infer_hyp2f1(agni_call *c)
{
    agn_status st = check_orders(c, 0, 3);
    return st ? st : agni_infer_ew(c);
}
static void hyp2f1_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    slopes_by_order(s, r, d, ty, &agni_op_hyp2f1, 0, 4);
}
AGNI_SPECIAL_OP(hyp2f1, "a b c x da:i db:i dc:i dx:i", 4, .lo = 0.2, .hi = 0.9,
                .doc = "Gauss' hypergeometric function")

/* ---- public functions ----------------------------------------------------------------------- */

static agn_status apply_kummer(agn_tensor **out, const char *name, const agn_tensor *a,
                               const agn_tensor *b, const agn_tensor *x, int64_t second)
{
    int64_t at[4] = {second, 0, 0, 0};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_kummer, &(agni_attr){.ni = 4, .i = at},
                                               3, (const agn_tensor *[]){a, b, x}));
}
agn_status agn_hyp1f1(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      const agn_tensor *x)
{
    return apply_kummer(out, "hyp1f1", a, b, x, 0);
}
agn_status agn_hyperu(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      const agn_tensor *x)
{
    return apply_kummer(out, "hyperu", a, b, x, 1);
}
agn_status agn_hyp2f1(agn_tensor **out, const agn_tensor *a, const agn_tensor *b,
                      const agn_tensor *c, const agn_tensor *x)
{
    int64_t at[4] = {0};
    return agni_apply_public(out, &agni_op_hyp2f1, &(agni_attr){.ni = 4, .i = at}, 4,
                             (const agn_tensor *[]){a, b, c, x});
}
