/* tests/t-partials.c - derivatives of incomplete gamma and beta functions in their parameters, and of zeta in s:
   values of any order against mpmath (differences at 60 digits and more), through the ops and as derivatives
   of the public functions; ends of the range; what is refused. */
#include "laws.h"

typedef struct truth {
    double x[3];
    int64_t order[2];
    double value;
} truth;

static const truth gamma_truth[] = {
    {{0.003, 0.5, 0}, {1, 0}, -0.5615252881497276},
    {{0.003, 2.5, 0}, {4, 0}, 0.06488994623052702},
    {{0.7, 0.01, 0}, {2, 0}, 0.9780958212939621},
    {{0.7, 1.5, 0}, {8, 0}, -3.352943237424393},
    {{2.5, 0.25, 0}, {1, 0}, -0.019773844825630348},
    {{2.5, 6.0, 0}, {3, 0}, -0.016713530589173103},
    {{30.0, 20.0, 0}, {1, 0}, -0.010205257324989506},
    {{30.0, 45.0, 0}, {2, 0}, -0.0014122483428958034},
    {{200.0, 201.5, 0}, {5, 0}, -2.0658099094259547e-06},
    {{12.0, 0.001, 0}, {1, 0}, -1.967645237288695e-44},
    {{10000.0, 9900.0, 0}, {2, 0}, 2.4359740396041316e-05},
    {{0.25, 60.0, 0}, {1, 0}, -9.22760719091753e-28},
};
static const truth beta_truth[] = {
    {{0.02, 5.0, 0.4}, {1, 0}, -0.03362575904678029},
    {{0.02, 5.0, 0.4}, {4, 1}, -0.07901228723037391},
    {{5.0, 0.02, 0.999}, {0, 2}, -20.162731622506243},
    {{0.5, 0.5, 1e-09}, {1, 1}, -0.0005623663190415534},
    {{2.5, 7.0, 0.3}, {0, 1}, 0.07864340670736547},
    {{2.5, 7.0, 0.95}, {1, 0}, -1.8859514084420057e-08},
    {{40.0, 60.0, 0.35}, {3, 3}, -1.4821390353523757e-06},
    {{300.0, 2.0, 0.99}, {4, 4}, 2.441181584002564e-10},
    {{150.0, 250.0, 0.375}, {1, 1}, 1.2911417615687656e-05},
    {{0.001, 0.001, 0.25}, {1, 2}, 125137713.75064652},
    {{3.0, 80.0, 0.75}, {2, 0}, -1.2756815349187815e-44},
};
static const truth zeta_truth[] = {
    {{1.001, 1.0, 0}, {1, 0}, -999999.9271940662},   {{1.5, 0.1, 0}, {3, 0}, 290.0553506018316},
    {{2.0, 1.0, 0}, {1, 0}, -0.9375482543158438},    {{2.0, 1.0, 0}, {6, 0}, 720.0001247283141},
    {{7.25, 3.0, 0}, {2, 0}, 0.0005371244118135197}, {{40.0, 0.5, 0}, {1, 0}, 762123384785.8104},
    {{3.0, 1000.0, 0}, {4, 0}, 0.0015519041134661863}, {{2.5, 0.001, 0}, {12, 0}, 3.7328739149158803e+17},
};

/* orders, and whether of the density, for the op that has so many operands */
static agn_status apply(agn_tensor **y, const char *op, int dtype, int n, const double *x, const int64_t *order,
                        bool density)
{
    agn_tensor *in[3] = {NULL};
    int64_t at[3] = {order[0], n == 3 ? order[1] : density, density};
    int n_int = n == 3 ? 3 : strcmp(op, "zeta_partial") ? 2 : 1;
    for (int i = 0; i < n; i++)
        in[i] = scalar_of(dtype, x[i]);
    agn_status st = agn_op_apply(y, 1, op, (const agn_tensor *const *)in, n, at, n_int, NULL, 0);
    for (int i = 0; i < n; i++)
        agn_release(in[i]);
    return st;
}

static void test_values(const char *op, int n, const truth *p, int count)
{
    tally t = {0, 0};
    for (int k = 0; k < count; k++) {
        agn_tensor *y = NULL;
        must(apply(&y, op, AGN_F64, n, p[k].x, p[k].order, false));
        double e = fabs(peek(y, 0) / p[k].value - 1);
        check(&t, e < 1e-12, "%s %d %d at %g %g %g: %.17g, error %.2g", op, (int)p[k].order[0],
              (int)p[k].order[1], p[k].x[0], p[k].x[1], p[k].x[2], peek(y, 0), e);
        agn_release(y);
    }
    tell(&t, "%s: values of mpmath", op);
}

/* ---- as derivatives of the public functions ------------------------------------------------------ */

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const char *name = user;
    if (!strcmp(name, "zeta"))
        out[0] = ag_zeta(s, in[0], in[1]);
    else if (!strcmp(name, "gammainc"))
        out[0] = ag_gammainc(s, in[0], in[1]);
    else if (!strcmp(name, "gammaincc"))
        out[0] = ag_gammaincc(s, in[0], in[1]);
    else
        out[0] = ag_betainc(s, in[0], in[1], in[2]);
    return agn_scope_status(s);
}

/* as many derivatives in argument 0 as there are, then one more */
static void test_orders(const char *name, int n, int most)
{
    agn_fn *f = NULL;
    agn_tensor *in[16] = {NULL}, *y[16] = {NULL}, *want = NULL;
    const double x[3] = {1.7, 2.3, 0.4};
    const char *op = n == 3 ? "beta_partial" : strcmp(name, "zeta") ? "gamma_partial" : "zeta_partial";
    tally t = {0, 0};
    must(agn_fn_new(&f, body, (void *)(uintptr_t)name, NULL, n, 1));
    for (int i = 0; i < n; i++)
        in[i] = scalar_of(AGN_F64, x[i]);
    for (int order = 1; order <= 3; order++) { /* reverse over reverse */
        agn_fn *g = NULL;
        must(agn_fn_grad(&g, f, (const int32_t[]){0}, 1));
        agn_fn_release(f);
        f = g;
        must(agn_fn_call(y, agn_fn_n_out(f), f, (const agn_tensor *const *)in, n));
        must(apply(&want, op, AGN_F64, n, x, (const int64_t[]){order, 0}, false));
        double sign = strcmp(name, "gammaincc") ? 1 : -1, have = peek(y[agn_fn_n_out(f) - 1], 0);
        check(&t, fabs(have - sign * peek(want, 0)) <= 1e-13 * fabs(have), "%s: derivative %d is %g", name, order,
              have);
        for (int i = 0; i < agn_fn_n_out(f); i++)
            agn_release(y[i]), y[i] = NULL;
        agn_release(want), want = NULL;
    }
    agn_fn_release(f);
    tell(&t, "%s: derivatives in the first argument", name);
    int64_t order[2] = {most, 0};
    agn_tensor *out = untouched;
    must(apply(&want, op, AGN_F64, n, x, order, false));
    order[0]++;
    ok(isfinite(peek(want, 0)) &&
           refused(apply(&out, op, AGN_F64, n, x, order, false), AGN_EUNSUPPORTED, op, "derivative", "are there", out),
       "%s: derivative %d is there, the next one refused", name, most);
    agn_release(want);
    for (int i = 0; i < n; i++)
        agn_release(in[i]);
}

/* ---- ends --------------------------------------------------------------------------------------------- */

static double at(const char *op, int n, double a, double b, double w, int i, int j, bool density, int dtype)
{
    agn_tensor *y = NULL;
    must(apply(&y, op, dtype, n, (const double[]){a, b, w}, (const int64_t[]){i, j}, density));
    double v = peek(y, 0);
    agn_release(y);
    return v;
}
#define G(a, x, k) at("gamma_partial", 2, a, x, 0, k, 0, false, AGN_F64)
#define GD(a, x, k) at("gamma_partial", 2, a, x, 0, k, 0, true, AGN_F64)
#define BE(a, b, x, i, j) at("beta_partial", 3, a, b, x, i, j, false, AGN_F64)
#define BD(a, b, x, i, j) at("beta_partial", 3, a, b, x, i, j, true, AGN_F64)
#define Z(s, q, k) at("zeta_partial", 2, s, q, 0, k, 0, false, AGN_F64)

static void test_ends(void)
{
    double inf = (double)INFINITY, nan = (double)NAN;
    ok(G(2, 0, 1) == 0 && G(2, inf, 3) == 0 && G(1e3, 1e-300, 1) == 0 && GD(3, 0, 2) == 0 && GD(3, inf, 1) == 0,
       "gamma_partial is 0 at the ends");
    ok(GD(0.5, 0, 1) == -inf && GD(1, 0, 2) == inf, "its density is infinite at 0");
    ok(isnan(G(0, 1, 1)) && isnan(G(-1, 1, 1)) && isnan(G(inf, 1, 1)) && isnan(G(1, -1, 1)) && isnan(G(nan, 1, 1)) &&
           isnan(G(1, nan, 1)) && isnan(GD(-1, 1, 1)) && isnan(GD(1, nan, 1)),
       "and NaN outside");
    ok(BE(2, 3, 0, 1, 0) == 0 && BE(2, 3, 1, 1, 1) == 0 && BE(2000, 3, 1e-300, 0, 1) == 0 && BD(2, 3, 0, 1, 1) == 0 &&
           BD(2, 3, 1, 0, 1) == 0,
       "beta_partial is 0 at the ends");
    ok(fabs(BE(0.5, 0.5, 0.5, 2, 2)) < 1e-13 * fabs(BE(0.5, 0.5, 0.4, 2, 2)), "and where symmetry wants it");
    ok(BD(0.5, 2, 0, 1, 0) == -inf && isnan(BD(0.5, 2, 0, 0, 1)) && BD(2, 0.5, 1, 0, 2) == inf,
       "its density is infinite at the ends, or has no number");
    ok(isnan(BE(0, 1, 0.5, 1, 0)) && isnan(BE(1, -1, 0.5, 1, 0)) && isnan(BE(1, inf, 0.5, 1, 0)) &&
           isnan(BE(1, 1, 2, 1, 0)) && isnan(BE(1, 1, -0.1, 0, 1)) && isnan(BE(nan, 1, 0.5, 1, 0)) &&
           isnan(BE(1, 1, nan, 1, 0)) && isnan(BD(-1, 1, 0.5, 1, 0)),
       "and NaN outside");
    ok(Z(1e308, 2, 1) == 0 && Z(1e308, 1e308, 2) == 0 && Z(1e17, 1e17, 1) == 0 && Z(400, 3, 1) < 0, "zeta_partial of large s");
    ok(Z(1, 2, 1) == -inf && Z(1, 2, 2) == inf && isnan(Z(0.5, 2, 1)) && isnan(Z(2, 0, 1)) && isnan(Z(2, -0.5, 1)) &&
           isnan(Z(nan, 1, 1)) && isnan(Z(2, nan, 1)),
       "zeta_partial at its pole and outside");
    ok(fabs(at("beta_partial", 3, 2.5, 7, 0.25, 1, 1, false, AGN_F32) / BE(2.5, 7, 0.25, 1, 1) - 1) < 1e-7 &&
           fabs(at("gamma_partial", 2, 2.5, 6, 0, 3, 0, true, AGN_F32) / GD(2.5, 6, 3) - 1) < 1e-7,
       "f32 through f64");
}

/* ---- inverses ------------------------------------------------------------------------------------------ */

static double row(const char *op, int n, const double *x)
{
    agn_tensor *in[3] = {NULL}, *y = NULL;
    for (int i = 0; i < n; i++)
        in[i] = scalar_of(AGN_F64, x[i]);
    must(agn_op_apply(&y, 1, op, (const agn_tensor *const *)in, n, NULL, 0, NULL, 0));
    double v = peek(y, 0);
    agn_release(y);
    for (int i = 0; i < n; i++)
        agn_release(in[i]);
    return v;
}

static void test_inverses(void)
{
    static const struct {
        const char *op;
        int n;
        double x[3], want;
    } points[] = {
        {"gammaincinv", 2, {0.5, 0.25, 0}, 0.050765522133810775},
        {"gammaincinv", 2, {0.01, 0.3, 0}, 2.9174171917458687e-53},
        {"gammaincinv", 2, {3, 1e-200, 0}, 3.914867641168864e-67},
        {"gammaincinv", 2, {3, 0.999, 0}, 11.228872242412661},
        {"gammaincinv", 2, {250, 0.4, 0}, 245.68545672242615},
        {"gammaincinv", 2, {1e5, 0.02, 0}, 99351.62069930334},
        {"gammainccinv", 2, {0.5, 1e-100, 0}, 226.9715411193995},
        {"gammainccinv", 2, {2.5, 1e-12, 0}, 32.61931810668392},
        {"gammainccinv", 2, {0.02, 0.1, 0}, 0.0029496744212501756},
        {"betaincinv", 3, {0.5, 0.5, 0.25}, 0.14644660940672624},
        {"betaincinv", 3, {0.01, 1.5, 0.3}, 2.7998013587355194e-53},
        {"betaincinv", 3, {3, 40, 1e-100}, 2.0575609264874588e-35},
        {"betaincinv", 3, {30, 2, 0.75}, 0.9689687378034499},
        {"betaincinv", 3, {400, 700, 0.1}, 0.34510532857922777},
    };
    tally t = {0, 0};
    for (int k = 0; k < COUNT(points); k++) {
        double have = row(points[k].op, points[k].n, points[k].x);
        check(&t, fabs(have / points[k].want - 1) < 1e-13, "%s(%g, %g, %g) = %.17g", points[k].op, points[k].x[0],
              points[k].x[1], points[k].x[2], have);
    }
    tell(&t, "inverses: values of mpmath");
    rnd_stream("inverses", "");
    for (int k = 0; k < 2000; k++) { /* there and back, over parameters and probabilities of all sizes */
        double a = exp2(rnd_in(-10, 20)), b = exp2(rnd_in(-10, 17)), u = rnd_in(-60, 0), p = exp2(k % 3 ? u : 12 * u);
        double x = row("gammaincinv", 2, (const double[]){a, p}), y = row("gammainccinv", 2, (const double[]){a, p});
        double z = row("betaincinv", 3, (const double[]){a, b, p}), w = row("betainccinv", 3, (const double[]){a, b, p});
        double there[] = {row("gammainc", 2, (const double[]){a, x}), row("gammaincc", 2, (const double[]){a, y}),
                          row("betainc", 3, (const double[]){a, b, z}), row("betaincc", 3, (const double[]){a, b, w})};
        double slope[] = {x * row("gamma_d", 2, (const double[]){a, x}), y * row("gamma_d", 2, (const double[]){a, y}),
                          z * row("beta_d", 3, (const double[]){a, b, z}), w * row("beta_d", 3, (const double[]){a, b, w})};
        double at[] = {x, y, z, w};
        for (int i = 0; i < 4; i++) /* where x is a number, and not all of its digits are those of 1 */
            if (at[i] > 1e-300 && (i < 2 || at[i] < 1))
                check(&t, fabs(there[i] - p) < 2e-13 * (p + slope[i]), "inverse %d of %g, %g, %g: %.17g, back %g", i, a, b,
                      p, at[i], there[i]);
    }
    tell(&t, "inverses: there and back");
    double inf = (double)INFINITY, nan = (double)NAN;
#define I2(op, a, p) row(op, 2, (const double[]){a, p})
#define I3(op, a, b, p) row(op, 3, (const double[]){a, b, p})
    ok(I2("gammaincinv", 2, 0) == 0 && I2("gammaincinv", 2, 1) == inf && I2("gammainccinv", 2, 0) == inf &&
           I2("gammainccinv", 2, 1) == 0 && I3("betaincinv", 2, 3, 0) == 0 && I3("betaincinv", 2, 3, 1) == 1 &&
           I3("betainccinv", 2, 3, 0) == 1 && I3("betainccinv", 2, 3, 1) == 0 && I3("betaincc", 2, 3, 0) == 1 &&
           I3("betaincc", 2, 3, 1) == 0,
       "inverses at the ends");
    ok(isnan(I2("gammaincinv", 0, 0.5)) && isnan(I2("gammaincinv", -1, 0.5)) && isnan(I2("gammaincinv", 1, 1.5)) &&
           isnan(I2("gammainccinv", inf, 0.5)) && isnan(I2("gammainccinv", 1, -0.5)) && isnan(I2("gammaincinv", nan, 0.5)) &&
           isnan(I2("gammaincinv", 1, nan)) && isnan(I3("betaincinv", 0, 1, 0.5)) && isnan(I3("betaincinv", 1, inf, 0.5)) &&
           isnan(I3("betainccinv", 1, 1, 2)) && isnan(I3("betaincinv", nan, 1, 0.5)) && isnan(I3("betaincinv", 1, 1, nan)) &&
           isnan(I3("betaincc", 1, 1, 2)) && isnan(I3("betaincc", -1, 1, 0.5)) && isnan(I3("betaincc", 1, nan, 0.5)),
       "and NaN outside");
}

static void test_refusals(void)
{
    static const struct {
        const char *op;
        int n;
        int64_t order[2];
    } bad[] = {{"gamma_partial", 2, {0, 0}},  {"gamma_partial", 2, {-1, 0}}, {"zeta_partial", 2, {0, 0}},
               {"beta_partial", 3, {0, 0}}, {"beta_partial", 3, {2, -1}}};
    for (int k = 0; k < COUNT(bad); k++) {
        agn_tensor *y = untouched;
        agn_status st = apply(&y, bad[k].op, AGN_F64, bad[k].n, (const double[]){2, 2, 0.5}, bad[k].order, false);
        ok(refused(st, AGN_EARG, bad[k].op, "order", "one derivative is needed", y), "%s: orders %d and %d", bad[k].op,
           (int)bad[k].order[0], (int)bad[k].order[1]);
    }
    agn_tensor *y = untouched;
    agn_status st = apply(&y, "beta_partial", AGN_F64, 3, (const double[]){2, 2, 0.5}, (const int64_t[]){4, 5}, false);
    ok(refused(st, AGN_EUNSUPPORTED, "beta_partial", "derivative 9", "8 are there", y), "beta_partial: 9 together");
}

int main(void)
{
    test_values("gamma_partial", 2, gamma_truth, COUNT(gamma_truth));
    test_values("beta_partial", 3, beta_truth, COUNT(beta_truth));
    test_values("zeta_partial", 2, zeta_truth, COUNT(zeta_truth));
    test_orders("gammainc", 2, 8);
    test_orders("gammaincc", 2, 8);
    test_orders("betainc", 3, 8);
    test_orders("zeta", 2, 12);
    test_ends();
    test_inverses();
    test_refusals();
    return done();
}
