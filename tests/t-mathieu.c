/* tests/t-mathieu.c - Mathieu's functions, eta and zeta in the plane: values of mpmath (tests/data/make-mathieu.py), expansions next
   to q = 0 (DLMF 28.6), Mathieu's equation, derivatives in every mode, ends of the range, what is refused. */
#include "laws.h"

typedef struct truth {
    const char *name;
    double q, x;
    int m;
    double re, im;
} truth;
static const truth table[] = {
#include "data/mathieu.inc"
};

static agn_tensor *number_at(int dtype, double re, double im)
{
    agn_tensor *z = NULL, *y = NULL;
    must(agn_from_host(&z, AGN_C128, 0, NULL, (const double[2]){re, im}));
    must(agn_cast(&y, z, dtype));
    agn_release(z);
    return y;
}
static agn_tensor *call(const truth *p, bool narrow)
{
    agn_tensor *q = scalar_of(narrow ? AGN_F32 : AGN_F64, p->q), *x = scalar_of(narrow ? AGN_F32 : AGN_F64, p->x),
               *z = number_at(narrow ? AGN_C64 : AGN_C128, p->q, p->x), *y = NULL;
    must(!strcmp(p->name, "mathieu_a")    ? agn_mathieu_a(&y, q, p->m)
         : !strcmp(p->name, "mathieu_b")  ? agn_mathieu_b(&y, q, p->m)
         : !strcmp(p->name, "mathieu_ce") ? agn_mathieu_ce(&y, q, x, p->m)
         : !strcmp(p->name, "mathieu_se") ? agn_mathieu_se(&y, q, x, p->m)
         : *p->name == 'z'                ? agn_zeta_complex(&y, z)
                                          : agn_dirichlet_eta_complex(&y, z));
    agn_release(q);
    agn_release(x);
    agn_release(z);
    return y;
}
static void test_values(void)
{
    for (int k = 0; k < COUNT(table); k++)
        for (int narrow = 0; narrow < 2; narrow++) {
            const truth *p = &table[k];
            agn_tensor *y = call(p, narrow);
            double e = cabs(peekz(y, 0) - (p->re + p->im * (double complex)I)) / (1 + hypot(p->re, p->im));
            /* a wave of order m or height y is turned by what f32 takes from a product of both */
            double bound = narrow ? 3e-7 * (1 + (strstr(p->name, "complex") ? 5 : 0)) : *p->name == 'z' ? 1e-12 : 1e-13;
            ok(e < bound, "%s(%g, %g, %d)%s: %.2g", p->name, p->q, p->x, p->m, narrow ? ", f32" : "", e);
            agn_release(y);
        }
}
/* the k-th derivative of the characteristic value at q */
static double slope_at(int odd, int m, int k, double q)
{
    agn_tensor *x = scalar_of(AGN_F64, q), *y = NULL;
    must(agn_op_apply(&y, 1, "mathieu_value", (const agn_tensor *const *)&x, 1, (const int64_t[]){odd, m, k}, 3, NULL, 0));
    double v = peek(y, 0);
    agn_release(x);
    agn_release(y);
    return v;
}
static double function_at(int odd, int m, int k, int n, double q, double at)
{
    agn_tensor *x[2] = {scalar_of(AGN_F64, q), scalar_of(AGN_F64, at)}, *y = NULL;
    must(agn_op_apply(&y, 1, "mathieu", (const agn_tensor *const *)x, 2, (const int64_t[]){odd, m, k, n}, 4, NULL, 0));
    double v = peek(y, 0);
    agn_release(x[0]);
    agn_release(x[1]);
    agn_release(y);
    return v;
}
static void test_expansions(void)
{
    /* a_0 = -q^2 / 2 + 7 q^4 / 128, a_1 = 1 + q - q^2 / 8 - q^3 / 64, b_1 that of -q, a_2 = 4 + 5 q^2 / 12 - 763 q^4 / 13824,
       b_2 = 4 - q^2 / 12 + 5 q^4 / 13824 */
    static const struct {
        int odd, m, k;
        double value;
    } rows[] = {{0, 0, 1, 0},        {0, 0, 2, -1},          {0, 0, 4, 24 * 7.0 / 128}, {0, 1, 1, 1},       {0, 1, 2, -0.25},
                {0, 1, 3, -6.0 / 64}, {1, 1, 1, -1},          {1, 1, 3, 6.0 / 64},       {0, 2, 2, 5.0 / 6}, {0, 2, 4, -24 * 763.0 / 13824},
                {1, 2, 2, -1.0 / 6}, {1, 2, 4, 24 * 5.0 / 13824}};
    for (int k = 0; k < COUNT(rows); k++) {
        double v = slope_at(rows[k].odd, rows[k].m, rows[k].k, 0);
        ok(fabs(v - rows[k].value) < 2e-14, "derivative %d of the value %d of kind %d at q = 0: %.2g", rows[k].k, rows[k].m, rows[k].odd,
           v - rows[k].value);
    }
    tally t = {0, 0};
    for (int odd = 0; odd < 2; odd++)
        for (int m = odd; m < 12; m++)
            for (int k = 0; k < 8; k++) {
                double q = -30 + 11.3 * k, x = 0.37 * k - 1.1, a = slope_at(odd, m, 0, q);
                double y = function_at(odd, m, 0, 0, q, x), curve = function_at(odd, m, 0, 2, q, x),
                       rest = curve + (a - 2 * q * cos(2 * x)) * y, size = (fabs(a) + 2 * fabs(q) + 1);
                check(&t, fabs(rest) < 1e-13 * size, "kind %d, order %d, q %g: y'' + (a - 2 q cos 2 x) y = %g", odd, m, q, rest);
                /* its derivative in q */
                double dy = function_at(odd, m, 1, 0, q, x), dcurve = function_at(odd, m, 1, 2, q, x), da = slope_at(odd, m, 1, q);
                rest = dcurve + (a - 2 * q * cos(2 * x)) * dy + (da - 2 * cos(2 * x)) * y;
                check(&t, fabs(rest) < 1e-12 * size, "kind %d, order %d, q %g: in q %g", odd, m, q, rest);
            }
    tell(&t, "Mathieu's equation, and its derivative in q");
}
static void test_derivatives(void)
{
    static const struct {
        const char *op;
        int n, n_int;
        double x[2];
        int64_t at[4];
    } points[] = {
        {"mathieu_value", 1, 3, {2.5}, {0, 0, 0}},   {"mathieu_value", 1, 3, {-1.25}, {1, 3, 0}}, {"mathieu_value", 1, 3, {0}, {0, 2, 1}},
        {"mathieu", 2, 4, {2.5, 0.75}, {0, 2, 0, 0}}, {"mathieu", 2, 4, {-1.5, 2}, {1, 1, 0, 0}},  {"mathieu", 2, 4, {6, -0.5}, {1, 4, 0, 1}},
        {"eta_plane", 2, 2, {0.5, 3}, {0, 0}},       {"eta_plane", 2, 2, {1, -1.5}, {1, 1}},      {"eta_plane", 2, 2, {2, 0}, {0, 1}},
    };
    for (int k = 0; k < COUNT(points); k++) {
        agn_tensor *x[2] = {NULL};
        for (int i = 0; i < points[k].n; i++)
            x[i] = scalar_of(AGN_F64, points[k].x[i]);
        agn_check_options o = {.size = sizeof o, .orders = 4, .tolerance = 1e-6};
        agn_status st = agn_op_check(NULL, points[k].op, (const agn_tensor *const *)x, points[k].n, points[k].at, points[k].n_int,
                                     NULL, 0, &o);
        ok(!st, "%s %d: derivatives of order 4 in every mode", points[k].op, k);
        if (st)
            diag("%s", agn_error_message());
        for (int i = 0; i < points[k].n; i++)
            agn_release(x[i]);
    }
}
static double modified_at(int kind, int m, int sloped, double q, double at)
{
    agn_tensor *x = scalar_of(AGN_F64, at), *y = NULL;
    must(agn_op_apply(&y, 1, "mathieu_modified", (const agn_tensor *const *)&x, 1, (const int64_t[]){kind, m, sloped}, 3, &q, 1));
    double v = peek(y, 0);
    agn_release(x);
    agn_release(y);
    return v;
}
/* solutions of both kinds have the Wronskian 2 / pi (DLMF 28.20.21), are those of SciPy 1.17, and fall with Bessel functions far out;
   their second derivatives are those of the equation */
static void test_modified(void)
{
    static const struct {
        int kind, m;
        double q, x, value;
    } points[] = {
#include "data/mathieu-modified.inc"
    };
    for (int k = 0; k < COUNT(points); k++) {
        agn_tensor *x = scalar_of(AGN_F64, points[k].x), *y = NULL;
        int m = points[k].m;
        double q = points[k].q;
        must(points[k].kind == 0   ? agn_mathieu_modcem1(&y, x, q, m)
             : points[k].kind == 1 ? agn_mathieu_modsem1(&y, x, q, m)
             : points[k].kind == 2 ? agn_mathieu_modcem2(&y, x, q, m)
                                   : agn_mathieu_modsem2(&y, x, q, m));
        double e = fabs(peek(y, 0) / points[k].value - 1);
        ok(e < 1e-12, "kind %d, order %d, q %g at %g: %.2g", points[k].kind, m, q, points[k].x, e);
        agn_release(x);
        agn_release(y);
    }
    static const double qs[] = {1e-3, 0.25, 2, 10, 40}, xs[] = {0, 0.1, 0.5, 1, 2, 3.5};
    tally t = {0, 0};
    int refused_ones = 0, all = 0;
    for (int odd = 0; odd < 2; odd++)
        for (int m = odd; m <= 9; m++)
            for (int k = 0; k < COUNT(qs); k++)
                for (int i = 0; i < COUNT(xs); i++, all++) {
                    double a = modified_at(odd, m, 0, qs[k], xs[i]), b = modified_at(odd + 2, m, 0, qs[k], xs[i]);
                    double da = modified_at(odd, m, 1, qs[k], xs[i]), db = modified_at(odd + 2, m, 1, qs[k], xs[i]);
                    double w = a * db - da * b;
                    if (isnan(w)) {
                        refused_ones++;
                        continue;
                    }
                    check(&t, fabs(w - 2 / acos(-1)) < 1e-12 * (1 + fabs(a * db) + fabs(da * b)), "kind %d, order %d, q %g, x %g: %.17g", odd,
                          m, qs[k], xs[i], w);
                }
    tell(&t, "Wronskians are 2 / pi");
    ok(refused_ones * 20 < all, "%d of %d are refused", refused_ones, all);
    /* of large q, where functions of the second kind need coefficients of 1e-60 beside the largest */
    static const double large[] = {150, 400, 1000, 3000, 9000}, near[] = {0, 0.05, 0.3, 0.7, 1.5};
    tally u = {0, 0};
    refused_ones = all = 0;
    for (int odd = 0; odd < 2; odd++)
        for (int m = odd; m <= 11; m++)
            for (int k = 0; k < COUNT(large); k++)
                for (int i = 0; i < COUNT(near); i++, all++) {
                    double y[4];
                    for (int j = 0; j < 4; j++)
                        y[j] = modified_at(odd + (j & 2), m, j & 1, large[k], near[i]);
                    double a = y[0] * y[3], b = y[1] * y[2];
                    refused_ones += isnan(a - b);
                    check(&u, isnan(a - b) || fabs(a - b - 2 / acos(-1)) < 1e-12 * (1 + fabs(a) + fabs(b)),
                          "kind %d, order %d, q %g, x %g: %.17g", odd, m, large[k], near[i], a - b);
                }
    tell(&u, "Wronskians at large q are 2 / pi");
    tally v = {0, 0}; /* next to 0, by the same: of the odd ones -Ms1(x) Ms2(x) / x */
    for (int m = 1; m <= 13; m += 4)
        for (int k = 0; k < COUNT(qs); k++)
            for (double x = 1e-200; x < 1e-8; x *= 1e48) {
                double w = -modified_at(1, m, 0, qs[k], x) / x * modified_at(3, m, 0, qs[k], x);
                check(&v, isnan(w) || fabs(w - 2 / acos(-1)) < 1e-12, "order %d, q %g, x %g: %.17g", m, qs[k], x, w);
            }
    tell(&v, "Ms of the first kind has its digits next to its zero");
    ok(refused_ones * 50 < all, "%d of %d at large q are refused", refused_ones, all);
    for (int kind = 0; kind < 4; kind++)
        for (int sloped = 0; sloped < 2; sloped++) {
            agn_tensor *x = scalar_of(AGN_F64, 0.8);
            agn_check_options o = {.size = sizeof o, .orders = 4, .tolerance = 1e-6};
            agn_status st = agn_op_check(NULL, "mathieu_modified", (const agn_tensor *const *)&x, 1, (const int64_t[]){kind, 2, sloped}, 3,
                                         (const double[]){2.5}, 1, &o);
            ok(!st, "modified, kind %d: derivatives of order 4 in every mode%s%s", kind, st ? ": " : "", st ? agn_error_message() : "");
            agn_release(x);
        }
    agn_tensor *x = scalar_of(AGN_F64, 1), *y = untouched;
    ok(refused(agn_mathieu_modcem1(&y, x, 0, 1), AGN_EARG, "mathieu_modcem1", "q = 0", "1e4", y) &&
           refused(agn_mathieu_modcem2(&y, x, NAN, 1), AGN_EARG, "mathieu_modcem2", "q = nan", "1e4", y) &&
           refused(agn_mathieu_modsem1(&y, x, 1, 0), AGN_EARG, "mathieu_modsem1", "order 0", "1 to 100", y) &&
           refused(agn_mathieu_modsem2(&y, x, 1, 101), AGN_EARG, "mathieu_modsem2", "order 101", "1 to 100", y) &&
           refused(agn_mathieu_modsem2(&y, NULL, 1, 1), AGN_ENULL, "mathieu_modsem2", "NULL", NULL, y),
       "modified ones: q, orders, NULL");
    ok(isnan(modified_at(0, 1, 0, 1, -1)) && isnan(modified_at(0, 1, 0, 1, 31)) && isnan(modified_at(2, 1, 0, 1, NAN)) &&
           isnan(modified_at(3, 1, 0, 1, INFINITY)),
       "modified ones out of their range");
    agn_release(x);
}
static agn_status zeta_body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)user;
    out[0] = ag_real(s, ag_zeta_complex(s, ag_complex(s, in[0], in[1])));
    return agn_scope_status(s);
}
static void test_zeta(void)
{
    agn_fn *f = NULL, *g = NULL;
    agn_tensor *x[2] = {scalar_of(AGN_F64, 2), scalar_of(AGN_F64, 0)}, *y[2] = {NULL};
    must(agn_fn_new(&f, zeta_body, NULL, NULL, 2, 1));
    must(agn_fn_grad(&g, f, (const int32_t[]){0, 1}, 2));
    must(agn_fn_call(y, 2, g, (const agn_tensor *const *)x, 2));
    ok(fabs(peek(y[0], 0) + 0.93754825431584375370) < 1e-14 && peek(y[1], 0) == 0, "zeta'(2) = -0.937548...");
    for (int i = 0; i < 2; i++)
        agn_release(y[i]), agn_release(x[i]);
    agn_fn_release(f);
    agn_fn_release(g);
    static const double at[][3] = {{1, 9.0647202836543876, 1}, {-151, 1, 1}, {0.5, 301, 1}, {NAN, 0, 1}, {1, 0, 0}};
    for (int k = 0; k < COUNT(at); k++) {
        agn_tensor *z = number_at(AGN_C128, at[k][0], at[k][1]), *w = NULL;
        must(agn_zeta_complex(&w, z));
        double complex v = peekz(w, 0);
        ok(at[k][2] > 0 ? isnan(creal(v)) : !isfinite(creal(v)), "zeta(%g + %g i) is %s", at[k][0], at[k][1],
           at[k][2] > 0 ? "refused" : "a pole");
        agn_release(z);
        agn_release(w);
    }
}
static void test_refusals(void)
{
    agn_tensor *x = scalar_of(AGN_F64, 0.5), *z = scalar_of(AGN_C128, 0.5), *a = NULL, *b = NULL, *y = untouched;
    int64_t three = 3, five = 5;
    must(agn_full(&a, AGN_F64, 1, &three, 0.5));
    must(agn_full(&b, AGN_F64, 1, &five, 0.5));
    ok(refused(agn_mathieu_a(&y, NULL, 1), AGN_ENULL, "mathieu_a", "NULL", NULL, y), "NULL");
    ok(refused(agn_mathieu_b(&y, z, 1), AGN_EDTYPE, "mathieu_b", "c128", NULL, y), "complex");
    ok(refused(agn_mathieu_ce(&y, a, b, 1), AGN_ESHAPE, "mathieu_ce", "[3]", "[5]", y), "shapes");
    ok(refused(agn_mathieu_se(&y, x, x, 0), AGN_EARG, "mathieu_se", "order 0", "1 to 100", y), "order 0 of se");
    ok(refused(agn_mathieu_a(&y, x, 101), AGN_EARG, "mathieu_a", "order 101", "0 to 100", y), "order 101");
    ok(refused(agn_mathieu_b(&y, x, 0), AGN_EARG, "mathieu_b", "order 0", "1 to 100", y), "order 0 of b");
    ok(refused(agn_mathieu_ce(&y, x, x, -1), AGN_EARG, "mathieu_ce", "order -1", "0 to 100", y), "order -1");
    ok(refused(agn_zeta_complex(&y, NULL), AGN_ENULL, "zeta_complex", "NULL", NULL, y), "zeta of NULL");
    ok(refused(agn_dirichlet_eta_complex(&y, NULL), AGN_ENULL, "dirichlet_eta_complex", "NULL", NULL, y), "eta of NULL");
    ok(isnan(slope_at(0, 0, 0, 2e4)) && isnan(slope_at(0, 0, 0, NAN)) && isnan(function_at(1, 1, 0, 0, 1, INFINITY)),
       "Mathieu's functions out of their range");
    agn_release(x);
    agn_release(z);
    agn_release(a);
    agn_release(b);
}

int main(void)
{
    test_values();
    test_expansions();
    test_derivatives();
    test_modified();
    test_zeta();
    test_refusals();
    return done();
}
