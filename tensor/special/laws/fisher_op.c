/* tensor/special/laws/fisher_op.c - Fisher's and Student's laws as ops (Abramowitz and Stegun
   26.6, 26.7): the distribution function, its complement and the density by kind, each with its
   derivatives in the degrees of freedom; that in the argument is the density, whose own is the
   density times a rational function (Leibniz). */
#include "tensor/special/laws/values.h"
#include "tensor/special/special.h"

#include <agnesi/ag.h>
#include <agnesi/integrals.h>

typedef const agn_tensor *value;

enum { LOWER, UPPER, DENSITY, MOST_IN_DF = 8 };

static agn_status check_law(agni_call *c, int orders)
{
    int64_t total = 0;
    agn_status st = agni_special_check(c, 0, LOWER, DENSITY, "kind");
    for (int i = 1; !st && i <= orders; i++) {
        st = agni_special_check(c, i, 0, MOST_IN_DF - total, "derivative in degrees of freedom");
        total += c->at->i[i];
    }
    return st ? st : agni_infer_ew(c);
}

/* ---- Fisher ------------------------------------------------------------------------------------- */

/* attributes of fisher: kind, derivatives in dfn and dfd */
static double fisher_element(const double *x, const agn_kernel_call *c)
{
    return agni_fisher(x[0], x[1], x[2], (int)c->ints[0], (int)c->ints[1], (int)c->ints[2]);
}
static agn_status infer_fisher(agni_call *c)
{
    return check_law(c, 2);
}
static value fisher_in(agn_scope *s, const agn_tensor *const *x, int64_t kind, int64_t i, int64_t j)
{
    int64_t at[3] = {kind, i, j};
    return agni_apply_in(s, &agni_op_fisher, &(agni_attr){.ni = 3, .i = at}, 3, x);
}
/* v^-k */
static value inverse_power(agn_scope *s, value v, int64_t k)
{
    value y = ag_reciprocal(s, v), p = y;
    for (int64_t j = 1; j < k; j++)
        p = ag_mul(s, p, y);
    return p;
}
static value whole_power(agn_scope *s, value v, int64_t k)
{
    value p = NULL;
    for (int64_t j = 0; j < k; j++)
        p = p ? ag_mul(s, p, v) : v;
    return p ? p : agni_literal(s, 1);
}
/* Of the density f, x f' = (w - 1) f with w = m n (1 - x) / (2 (m x + n)). Derivative of w of order
   p in m and q in n: by w = (1 - x) (m - m^2 x / (m x + n)) / 2. */
static value fisher_weight(agn_scope *s, const agn_tensor *const *x, int64_t p, int64_t q)
{
    value m = x[0], n = x[1], t = x[2], part = NULL;
    value rest = ag_mul_c(s, ag_add_c(s, ag_neg(s, t), 1), 0.5);
    value both = ag_add(s, ag_mul(s, m, t), n);
    if (p == 0 && q == 0)
        return ag_mul(s, rest, ag_div(s, ag_mul(s, m, n), both));
    if (q == 0 && p > 0) /* n / t - n^2 / (t (m t + n)) */
    {
        double factor = p % 2 ? 1 : -1;
        for (int64_t k = 2; k <= p; k++)
            factor *= (double)k;
        part = ag_mul(s, ag_square(s, n),
                      ag_mul(s, whole_power(s, t, p - 1), inverse_power(s, both, p + 1)));
        return ag_mul(s, rest, ag_mul_c(s, part, factor));
    }
    double factor = q % 2 ? 1 : -1; /* -(-1)^q q! t of m^2 (m t + n)^-(q + 1), p times */
    for (int64_t k = 2; k <= q; k++)
        factor *= (double)k;
    for (int64_t k = 0; k <= 2 && k <= p; k++) { /* k-th derivative of m^2 */
        double f = factor * agni_choose(p, k) * (k ? 2 : 1);
        for (int64_t l = 0; l < p - k; l++)
            f *= -(double)(q + 1 + l);
        value term = ag_mul(
            s, whole_power(s, m, 2 - k),
            ag_mul(s, whole_power(s, t, p - k + 1), inverse_power(s, both, q + 1 + p - k)));
        part = agni_add_present(s, part, ag_mul_c(s, term, f));
    }
    return ag_mul(s, rest, part);
}
static void fisher_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                       const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], i = r->at->i[1], j = r->at->i[2];
    if (d[0])
        ty[0] = ag_mulz(s, d[0], fisher_in(s, r->x, kind, i + 1, j));
    if (d[1])
        ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], fisher_in(s, r->x, kind, i, j + 1)));
    if (!d[2])
        return;
    value slope = NULL;
    if (kind != DENSITY) {
        slope = fisher_in(s, r->x, DENSITY, i, j);
        slope = kind == UPPER ? ag_neg(s, slope) : slope;
    } else {
        for (int64_t p = 0; p <= i; p++)
            for (int64_t q = 0; q <= j; q++) {
                value w = fisher_weight(s, r->x, p, q);
                w = p + q ? w : ag_add_c(s, w, -1);
                w = ag_mul(s, w, fisher_in(s, r->x, DENSITY, i - p, j - q));
                const double many = agni_choose(i, p) * agni_choose(j, q);
                slope = agni_add_present(s, slope, ag_mul_c(s, w, many));
            }
        slope = ag_div(s, slope, r->x[2]);
    }
    ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[2], slope));
}
AGNI_SPECIAL_OP(fisher, "dfn dfd x kind:i slope_dfn:i slope_dfd:i", 3, .lo = 0.6, .hi = 4,
                .doc = "Fisher's law: distribution function, complement, density")

/* ---- Student ------------------------------------------------------------------------------------ */

/* attributes of student: kind, derivative in df */
static double student_element(const double *x, const agn_kernel_call *c)
{
    return agni_student(x[0], x[1], (int)c->ints[0], (int)c->ints[1]);
}
static agn_status infer_student(agni_call *c)
{
    return check_law(c, 1);
}
static value student_in(agn_scope *s, const agn_tensor *const *x, int64_t kind, int64_t k)
{
    int64_t at[2] = {kind, k};
    return agni_apply_in(s, &agni_op_student, &(agni_attr){.ni = 2, .i = at}, 2, x);
}
/* f' = -(df + 1) t / (df + t^2) f = -t (1 + (1 - t^2) / (df + t^2)) f */
static void student_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                        const agn_tensor **ty)
{
    int64_t kind = r->at->i[0], k = r->at->i[1];
    value df = r->x[0], t = r->x[1], slope = NULL;
    if (d[0])
        ty[0] = ag_mulz(s, d[0], student_in(s, r->x, kind, k + 1));
    if (!d[1])
        return;
    if (kind != DENSITY) {
        slope = student_in(s, r->x, DENSITY, k);
        slope = kind == UPPER ? ag_neg(s, slope) : slope;
    } else {
        value both = ag_add(s, df, ag_square(s, t)),
              odd = ag_mul(s, t, ag_add_c(s, ag_neg(s, ag_square(s, t)), 1));
        double factor = -1;
        for (int64_t m = 0; m <= k; m++) {
            value w = m ? ag_mul(s, odd, inverse_power(s, both, m + 1))
                        : ag_mul(s, t, ag_div(s, ag_add_c(s, df, 1), both));
            w = ag_mul(s, w, student_in(s, r->x, DENSITY, k - m));
            slope = agni_add_present(s, slope, ag_mul_c(s, w, factor * agni_choose(k, m)));
            factor *= -(double)(m + 1);
        }
    }
    ty[0] = agni_add_present(s, ty[0], ag_mulz(s, d[1], slope));
}
AGNI_SPECIAL_OP(student, "df t kind:i slope:i", 2, .lo = 0.6, .hi = 6,
                .doc = "Student's law: distribution function, complement, density")

/* ---- public functions --------------------------------------------------------------------------- */

static agn_status apply_fisher(agn_tensor **out, const char *name, value dfn, value dfd, value x,
                               int64_t kind)
{
    int64_t at[3] = {kind, 0, 0};
    return agni_rename_error(name,
                             agni_apply_public(out, &agni_op_fisher, &(agni_attr){.ni = 3, .i = at},
                                               3, (const agn_tensor *[]){dfn, dfd, x}));
}
agn_status agn_fdtr(agn_tensor **out, value dfn, value dfd, value x)
{
    return apply_fisher(out, "fdtr", dfn, dfd, x, LOWER);
}
agn_status agn_fdtrc(agn_tensor **out, value dfn, value dfd, value x)
{
    return apply_fisher(out, "fdtrc", dfn, dfd, x, UPPER);
}
static agn_status apply_student(agn_tensor **out, const char *name, value df, value t, int64_t kind)
{
    int64_t at[2] = {kind, 0};
    return agni_rename_error(name, agni_apply_public(out, &agni_op_student,
                                                     &(agni_attr){.ni = 2, .i = at}, 2,
                                                     (const agn_tensor *[]){df, t}));
}
agn_status agn_stdtr(agn_tensor **out, value df, value t)
{
    return apply_student(out, "stdtr", df, t, LOWER);
}
agn_status agn_stdtrc(agn_tensor **out, value df, value t)
{
    return apply_student(out, "stdtrc", df, t, UPPER);
}
