/* tests/t-accuracy.c - values at the points where methods are weakest, next to roots, poles, joints
   and the ends of the range, against answers of 60 digits and more; and derivatives at points where
   the documentation promises a value. What holds over all arguments bench/accuracy measures. */
#include "laws.h"

#include "data/accuracy.inc"

static agn_tensor *apply(const char *op, int order, const double *x, int n)
{
    agn_tensor *in[3] = {NULL}, *y = NULL;
    int64_t attribute = order;
    for (int i = 0; i < n; i++)
        must(agn_from_host(&in[i], AGN_F64, 0, NULL, &x[i]));
    must(agn_op_apply(&y, 1, op, (const agn_tensor *const *)in, n, &attribute, order >= 0, NULL, 0));
    for (int i = 0; i < n; i++)
        agn_release(in[i]);
    return y;
}

static void test_values(void)
{
    tally t = {0};
    for (int k = 0; k < COUNT(points); k++) {
        double want = points[k].value, unit, have;
        agn_tensor *y = apply(points[k].op, points[k].order, points[k].x, points[k].n);
        have = peek(y, 0);
        agn_release(y);
        int e;
        frexp(want, &e);
        unit = ldexp(1, e - 53 < -1074 ? -1074 : e - 53);
        double off = isinf(want) ? have != want : fabs((have - want) - points[k].rest) / unit;
        check(&t, off <= points[k].ulp, "%s at %a %a %a: %a is %.3g ulp from %a", points[k].op,
              points[k].x[0], points[k].x[1], points[k].x[2], have, off, want);
    }
    tell(&t, "functions at their weakest points are those of mpmath");
}

static double part_off(const agn_tensor *y, int part, const double *want, const double *rest)
{
    double have = part ? cimag(peekz(y, 0)) : creal(peekz(y, 0));
    return (have - want[part]) - rest[part];
}
/* compositions for complex numbers, beside poles, roots and joints of their methods */
static void test_complex(void)
{
    static const struct {
        const char *name;
        agn_status (*f)(agn_tensor **, const agn_tensor *);
    } functions[] = {{"log1p", agn_log1p}, {"exp2", agn_exp2}, {"sigmoid", agn_sigmoid}};
    tally t = {0};
    for (int k = 0; k < COUNT(complex_points); k++) {
        const double *want = complex_points[k].value, *rest = complex_points[k].rest;
        for (int f = 0; f < COUNT(functions); f++) {
            if (strcmp(functions[f].name, complex_points[k].op))
                continue;
            agn_tensor *z = NULL, *y = NULL;
            must(agn_from_host(&z, AGN_C128, 0, NULL, complex_points[k].x));
            must(functions[f].f(&y, z));
            int e;
            frexp(hypot(want[0], want[1]), &e);
            double off = ldexp(hypot(part_off(y, 0, want, rest), part_off(y, 1, want, rest)), 53 - e);
            check(&t, off <= 4, "%s at %a %a i is %.3g ulp off", complex_points[k].op,
                  complex_points[k].x[0], complex_points[k].x[1], off);
            agn_release(z);
            agn_release(y);
        }
    }
    tell(&t, "complex log1p, exp2 and sigmoid are within 4 ulp of mpmath");
}

/* ---- derivatives ------------------------------------------------------------------------ */

#define ROW(op, n, of, a, b, value) {#op, n, of, {a, b}, value}
static const struct {
    const char *op;
    int n, of;
    double x[2], value;
} slopes[] = {
    ROW(sqrt, 1, 0, 0, 0, HUGE_VAL),
    ROW(cbrt, 1, 0, 0, 0, HUGE_VAL),
    ROW(asin, 1, 0, 1, 0, HUGE_VAL),
    ROW(acos, 1, 0, 1, 0, -HUGE_VAL),
    ROW(acosh, 1, 0, 1, 0, HUGE_VAL),
    ROW(atanh, 1, 0, 1, 0, HUGE_VAL),
    ROW(log, 1, 0, 0, 0, HUGE_VAL),
    ROW(log1p, 1, 0, -1, 0, HUGE_VAL),
    ROW(tanh, 1, 0, 800, 0, 0),
    ROW(erf, 1, 0, HUGE_VAL, 0, 0),
    ROW(erfc, 1, 0, -HUGE_VAL, 0, 0),
    ROW(erfinv, 1, 0, 1, 0, HUGE_VAL),
    ROW(ndtri, 1, 0, 0, 0, HUGE_VAL),
    ROW(log_ndtr, 1, 0, -1e10, 0, 1e10), /* x + 1 / x, unrounded */
    ROW(log_ndtr, 1, 0, 40, 0, 0),
    ROW(lgamma, 1, 0, 1, 0, -0.57721566490153286),
    ROW(lgamma, 1, 0, 1.4616321449683622, 0, -9.2412655217294275e-17),
    ROW(digamma, 1, 0, 1, 0, 1.6449340668482264),
    ROW(digamma, 1, 0, -0.5, 0, 8.9348022005446794),
    ROW(entr, 1, 0, 0, 0, HUGE_VAL),
    ROW(entr, 1, 0, 1, 0, -1),
    ROW(softplus, 1, 0, -800, 0, 0),
    ROW(sigmoid, 1, 0, 800, 0, 0),
    ROW(hypot, 2, 0, 0, 0, 0),
    ROW(hypot, 2, 0, 3e300, 4e300, 0.6),
    ROW(atan2, 2, 0, 0, 0, 0),
    ROW(atan2, 2, 1, 3e300, 4e300, -1.2e-301),
    ROW(xlogy, 2, 1, 0, 0.5, 0),
    ROW(xlog1py, 2, 1, 0, 0.5, 0),
    ROW(pow, 2, 0, 0, 1, 1),
    ROW(pow, 2, 1, 0, 2, 0),
    ROW(logaddexp, 2, 0, 1000, 1000, 0.5),
    ROW(logaddexp, 2, 0, HUGE_VAL, HUGE_VAL, NAN),
    ROW(gammainc, 2, 1, 1, 0, 1),
    ROW(gammainc, 2, 1, 2, 0, 0),
    ROW(gammainc, 2, 1, 0.5, 0, HUGE_VAL),
    ROW(gammaincc, 2, 1, 1, 0, -1),
    ROW(gammainc, 2, 1, 2.5, 1e-200, 7.5225277806367505e-301),
};

static void test_slopes(void)
{
    tally t = {0};
    for (int k = 0; k < COUNT(slopes); k++) {
        agn_tensor *x = NULL, *in[2] = {NULL}, *y = NULL, *g = NULL;
        for (int i = 0; i < slopes[k].n; i++) {
            must(agn_from_host(&x, AGN_F64, 0, NULL, &slopes[k].x[i]));
            must(agn_watch(&in[i], x));
            agn_release(x);
        }
        must(agn_op_apply(&y, 1, slopes[k].op, (const agn_tensor *const *)in, slopes[k].n, NULL, 0,
                          NULL, 0));
        must(agn_gradient(&g, (const agn_tensor *const *)&y, 1,
                          (const agn_tensor *const *)&in[slopes[k].of], 1, NULL));
        double have = peek(g, 0), want = slopes[k].value;
        check(&t, have == want || (isnan(have) && isnan(want)) || fabs(have - want) <= 1e-14 * fabs(want),
              "%s, argument %d, at %g %g: %.17g, not %.17g", slopes[k].op, slopes[k].of,
              slopes[k].x[0], slopes[k].x[1], have, want);
        agn_release(g);
        agn_release(y);
        agn_release(in[0]);
        agn_release(in[1]);
    }
    tell(&t, "derivatives at roots, poles and ends are as documented");
}

int main(void)
{
    test_values();
    test_complex();
    test_slopes();
    return done();
}
