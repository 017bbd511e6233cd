/* tensor/special/laws/noncentral_op.c - noncentral laws and Wright's Bessel function as ops
   (Johnson, Kotz and Balakrishnan 29 to 31; DLMF 10.46): families indexed by the orders of their
   derivatives, quantiles with those of an implicit function. */
#include "tensor/special/laws/values.h"
#include "tensor/special/wide.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>
#include <math.h>

typedef const agn_tensor *value;

enum { LOWER, UPPER, DENSITY, QUANTILE, CHI_SQUARE = 0, BETA_PRIME, MOST_IN_ONE = 8 };

/* attributes from the first-th on are orders of derivatives */
static agn_status check_orders(agni_call *c, int first, int n)
{
    agn_status st = AGN_OK;
    for (int i = first; !st && i < n; i++)
        st = agni_special_check(c, i, 0, MOST_IN_ONE, "derivative");
    return st ? st : agni_infer_ew(c);
}
/* the op at x with one more derivative in argument i, counted by attribute at */
static value raise_order(agn_scope *s, const agni_op *op, const agni_rule *r, int n_attr, int at,
                         int64_t kind, int where_kind)
{
    int64_t k[6];
    for (int i = 0; i < n_attr; i++)
        k[i] = r->at->i[i];
    k[where_kind] = kind;
    if (at >= 0)
        k[at]++;
    return agni_apply_in(s, op, &(agni_attr){.ni = n_attr, .i = k}, op->nin, r->x);
}
static void add_slope(agn_scope *s, value d, value slope, value *sum)
{
    *sum = agni_add_present(s, *sum, ag_mulz(s, d, slope));
}

/* ---- chi square and beta prime ------------------------------------------------------------------ */

/* attributes of noncentral: law, kind, derivatives in a, b, nc, v */
static double noncentral_element(const double *x, const agn_kernel_call *c)
{
    const int order[4] = {(int)c->ints[2], (int)c->ints[3], (int)c->ints[4], (int)c->ints[5]};
    if (c->ints[1] == QUANTILE)
        return agni_noncentral_inverse(x[0], x[1], x[2], x[3], (int)c->ints[0]);
    return agni_noncentral(x[0], x[1], x[2], x[3], (int)c->ints[0], (int)c->ints[1], order);
}
static agn_status infer_noncentral(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, CHI_SQUARE, BETA_PRIME, "law");
    if (!st)
        st = agni_special_check(c, 1, LOWER, QUANTILE, "kind");
    return st ? st : check_orders(c, 2, 6);
}
static void noncentral_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                           const agn_tensor **ty)
{
    const agni_op *op = &agni_op_noncentral;
    int64_t kind = r->at->i[1];
    if (kind != QUANTILE) {
        for (int k = 0; k < 3; k++)
            if (d[k] && (k != 1 || r->at->i[0] == BETA_PRIME))
                add_slope(s, d[k], raise_order(s, op, r, 6, 2 + k, kind, 1), ty);
        if (d[3]) {
            value slope = raise_order(s, op, r, 6, kind == DENSITY ? 5 : -1, DENSITY, 1);
            add_slope(s, d[3], kind == UPPER ? ag_neg(s, slope) : slope, ty);
        }
        return;
    }
    const agn_tensor *at[4] = {r->x[0], r->x[1], r->x[2], r->y[0]};
    agni_rule here = *r;
    here.x = at;
    value steep = ag_reciprocal(s, raise_order(s, op, &here, 6, -1, DENSITY, 1));
    for (int k = 0; k < 3; k++)
        if (d[k] && (k != 1 || r->at->i[0] == BETA_PRIME))
            add_slope(s, d[k],
                      ag_neg(s, ag_mul(s, steep, raise_order(s, op, &here, 6, 2 + k, LOWER, 1))),
                      ty);
    if (d[3])
        add_slope(s, d[3], steep, ty);
}
AGNI_SPECIAL_OP(noncentral, "a b nc v law:i kind:i slope_a:i slope_b:i slope_nc:i slope_v:i", 4,
                .lo = 0.6, .hi = 3, .doc = "noncentral chi square and beta prime, by law and kind")

/* ---- Student ------------------------------------------------------------------------------------ */

/* attributes of noncentral_t: kind, derivatives in df, nc, t */
static double noncentral_t_element(const double *x, const agn_kernel_call *c)
{
    const int order[3] = {(int)c->ints[1], (int)c->ints[2], (int)c->ints[3]};
    if (c->ints[0] == QUANTILE)
        return agni_noncentral_inverse(x[0], 1, x[1], x[2], 2);
    return agni_noncentral_t(x[0], x[1], x[2], (int)c->ints[0], order);
}
static agn_status infer_noncentral_t(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, LOWER, QUANTILE, "kind");
    return st ? st : check_orders(c, 1, 4);
}
static void noncentral_t_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                             const agn_tensor **ty)
{
    const agni_op *op = &agni_op_noncentral_t;
    int64_t kind = r->at->i[0];
    const agn_tensor *at[3] = {r->x[0], r->x[1], kind == QUANTILE ? r->y[0] : r->x[2]};
    agni_rule here = *r;
    here.x = at;
    if (kind != QUANTILE) {
        for (int k = 0; k < 3; k++)
            if (d[k])
                add_slope(s, d[k], raise_order(s, op, r, 4, 1 + k, kind, 0), ty);
        return;
    }
    value steep = ag_reciprocal(s, raise_order(s, op, &here, 4, -1, DENSITY, 0));
    for (int k = 0; k < 2; k++)
        if (d[k])
            add_slope(s, d[k],
                      ag_neg(s, ag_mul(s, steep, raise_order(s, op, &here, 4, 1 + k, LOWER, 0))),
                      ty);
    if (d[2])
        add_slope(s, d[2], steep, ty);
}
AGNI_SPECIAL_OP(noncentral_t, "df nc t kind:i slope_df:i slope_nc:i slope_t:i", 3, .lo = 0.6,
                .hi = 3, .doc = "noncentral law of Student, by kind")

/* ---- Wright ------------------------------------------------------------------------------------- */

/* attributes of wright: kind (0: the function, 1: its logarithm, 2: over the function), derivatives
   in a, b, x */
static double wright_element(const double *x, const agn_kernel_call *c)
{
    const int order[3] = {(int)c->ints[1], (int)c->ints[2], (int)c->ints[3]};
    return agni_wright(x[0], x[1], x[2], (int)c->ints[0], order);
}
static agn_status infer_wright(agni_call *c)
{
    agn_status st = agni_special_check(c, 0, 0, 2, "kind");
    return st ? st : check_orders(c, 1, 4);
}
static void wright_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    const agni_op *op = &agni_op_wright;
    int64_t kind = r->at->i[0], none[4] = {2, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        if (!d[k])
            continue;
        value slope = raise_order(s, op, r, 4, 1 + k, kind == 0 ? 0 : 2, 0);
        if (kind == 2) { /* (f' / f)' = f'' / f - (f' / f)^2 */
            none[1 + k] = 1;
            value first = agni_apply_in(s, op, &(agni_attr){.ni = 4, .i = none}, 3, r->x);
            none[1 + k] = 0;
            slope = ag_sub(s, slope, ag_mul(s, r->y[0], first));
        }
        add_slope(s, d[k], slope, ty);
    }
}
AGNI_SPECIAL_OP(wright, "a b x kind:i slope_a:i slope_b:i slope_x:i", 3, .lo = 0.4, .hi = 2,
                .doc = "Wright's generalised Bessel function, its logarithm")

/* ---- public functions --------------------------------------------------------------------------- */

static value noncentral_in(agn_scope *s, int64_t law, int64_t kind, value a, value b, value nc,
                           value v)
{
    int64_t at[6] = {law, kind, 0, 0, 0, 0};
    return agni_apply_in(s, &agni_op_noncentral, &(agni_attr){.ni = 6, .i = at}, 4,
                         (const agn_tensor *[]){a, b, nc, v});
}
static value halve_value(agn_scope *s, value x)
{
    return ag_mul_c(s, x, 0.5);
}
AGNI_THREE(chndtr, x, df, nc,
           noncentral_in(s, CHI_SQUARE, LOWER, halve_value(s, df), agni_literal(s, 1), nc,
                         halve_value(s, x)))
AGNI_THREE(chndtrix, p, df, nc,
           ag_mul_c(s,
                    noncentral_in(s, CHI_SQUARE, QUANTILE, halve_value(s, df), agni_literal(s, 1),
                                  nc, p),
                    2))

/* m x, NaN where it leaves the range: a power of it does not */
static value scaled_argument(agn_scope *s, value m, value x)
{
    value y = ag_mul(s, m, x);
    value lost = ag_logical_and(s, ag_lt(s, y, agni_literal(s, 1e-290)),
                                ag_gt(s, x, agni_literal(s, 0)));
    return ag_where(s, lost, agni_literal(s, (double)NAN), y);
}
static agn_status apply_fisher(agn_tensor **out, const char *name, value dfn, value dfd, value nc,
                               value x, bool quantile)
{
    AGNI_NEED(name, out);
    AGNI_NEED(name, dfn);
    AGNI_NEED(name, dfd);
    AGNI_NEED(name, nc);
    AGNI_NEED(name, x);
    agn_dtype dtype;
    bool wide = agni_computes_wide((const agn_tensor *[]){dfn, dfd, nc, x}, 4, &dtype);
    agn_scope *s = agn_scope_open(NULL);
    value a = wide ? ag_cast(s, dfn, AGN_F64) : dfn, b = wide ? ag_cast(s, dfd, AGN_F64) : dfd,
          v = wide ? ag_cast(s, x, AGN_F64) : x, ratio = ag_div(s, a, b), y;
    nc = wide ? ag_cast(s, nc, AGN_F64) : nc;
    y = noncentral_in(s, BETA_PRIME, quantile ? QUANTILE : LOWER, halve_value(s, a),
                      halve_value(s, b), nc, quantile ? v : scaled_argument(s, ratio, v));
    y = quantile ? ag_div(s, y, ratio) : y;
    return agni_return(name, s, out, wide ? ag_cast(s, y, dtype) : y);
}
agn_status agn_ncfdtr(agn_tensor **out, value dfn, value dfd, value nc, value f)
{
    return apply_fisher(out, "ncfdtr", dfn, dfd, nc, f, false);
}
agn_status agn_ncfdtri(agn_tensor **out, value dfn, value dfd, value nc, value p)
{
    return apply_fisher(out, "ncfdtri", dfn, dfd, nc, p, true);
}
static agn_status apply_student(agn_tensor **out, const char *name, value df, value nc, value t,
                                int64_t kind)
{
    int64_t at[4] = {kind, 0, 0, 0};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_noncentral_t,
                                                     &(agni_attr){.ni = 4, .i = at}, 3,
                                                     (const agn_tensor *[]){df, nc, t}));
}
agn_status agn_nctdtr(agn_tensor **out, value df, value nc, value t)
{
    return apply_student(out, "nctdtr", df, nc, t, LOWER);
}
agn_status agn_nctdtrit(agn_tensor **out, value df, value nc, value p)
{
    return apply_student(out, "nctdtrit", df, nc, p, QUANTILE);
}
static agn_status apply_wright(agn_tensor **out, const char *name, value a, value b, value x,
                               int64_t kind)
{
    int64_t at[4] = {kind, 0, 0, 0};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_wright, &(agni_attr){.ni = 4, .i = at},
                                               3, (const agn_tensor *[]){a, b, x}));
}
agn_status agn_wright_bessel(agn_tensor **out, value a, value b, value x)
{
    return apply_wright(out, "wright_bessel", a, b, x, 0);
}
agn_status agn_log_wright_bessel(agn_tensor **out, value a, value b, value x)
{
    return apply_wright(out, "log_wright_bessel", a, b, x, 1);
}
