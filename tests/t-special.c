/* tests/t-special.c - special functions: values of mpmath (tests/data/make-special.py) in f64 and f32, derivatives in every
   mode against differences, ends of the range, what is refused. */
#include "laws.h"

typedef struct truth {
    const char *name;
    double x[4];
    int k;
    double value, amplitude;
} truth;
static const truth table[] = {
#include "data/special.inc"
};

/* functions of 1 to 4 arguments, or of one and an attribute */
#define ONE(F) F(airy_ai) F(airy_aip) F(airy_bi) F(airy_bip) F(fresnel_s) F(fresnel_c) F(expi) F(ellipk) F(ellipe) F(dawsn)
#define TWO(F) F(owens_t) F(ellippi) F(ellipkinc) F(ellipeinc) F(elliprc) F(jv) F(yv) F(iv) F(kv) F(ive) F(kve)
#define THREE(F) F(ellippiinc) F(elliprf) F(elliprd) F(voigt_profile)
#define DEGREE(F) F(lambertw) F(expn) F(legendre) F(chebyshev_t) F(chebyshev_u) F(hermite) F(hermite_e)

static agn_status call(agn_tensor **y, const truth *p, agn_tensor *const *x)
{
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0]);
    ONE(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0], x[1]);
    TWO(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0], x[1], x[2]);
    THREE(F)
#undef F
#define F(f) \
    if (!strcmp(p->name, #f)) \
        return agn_##f(y, x[0], p->k);
    DEGREE(F)
#undef F
    if (!strcmp(p->name, "elliprj"))
        return agn_elliprj(y, x[0], x[1], x[2], x[3]);
    if (!strcmp(p->name, "laguerre"))
        return agn_laguerre(y, x[0], p->k, 0.5);
    if (!strcmp(p->name, "gegenbauer"))
        return agn_gegenbauer(y, x[0], p->k, 0.75);
    if (!strcmp(p->name, "jacobi"))
        return agn_jacobi(y, x[0], p->k, 0.5, 1.25);
    bail_out("no function %s", p->name);
    return AGN_EARG;
}
static double value_of(const truth *p, int dtype)
{
    agn_tensor *x[4], *y = NULL;
    for (int i = 0; i < 4; i++)
        x[i] = scalar_of(dtype, p->x[i]);
    must(call(&y, p, x));
    double v = peek(y, 0);
    agn_release(y);
    for (int i = 0; i < 4; i++)
        agn_release(x[i]);
    return v;
}

static void test_values(void)
{
    for (int k = 0; k < COUNT(table);) {
        tally t = {0, 0};
        double worst = 0;
        const char *name = table[k].name;
        for (int i = 0; i < COUNT(table); i++) {
            const truth *p = &table[i];
            if (strcmp(p->name, name))
                continue;
            double v = value_of(p, AGN_F64), e = fabs(v - p->value) / (p->amplitude > 0 ? p->amplitude : fabs(p->value));
            if (p->value == 0)
                e = fabs(v);
            check(&t, e < 1e-13 || v == p->value, "%s(%g, %g, %g, %g; %d) = %.17g, not %.17g: %.2g", name, p->x[0], p->x[1],
                  p->x[2], p->x[3], p->k, v, p->value, e);
            worst = fmax(worst, e);
            bool exact = true;
            for (int a = 0; a < 4; a++)
                exact = exact && (double)(float)p->x[a] == p->x[a];
            if (exact && fabs(v) < 1e38)
                check(&t, fabs(value_of(p, AGN_F32) - v) <= 4e-7 * fabs(v) || fabs(v) < 1e-37, "%s in f32 at %g %g", name, p->x[0], p->x[1]);
        }
        diag("%s: %.2g", name, worst);
        tell(&t, "%s: values of mpmath", name);
        for (k++; k < COUNT(table); k++) { /* the next name that was not there */
            bool seen = false;
            for (int i = 0; i < k && !seen; i++)
                seen = !strcmp(table[i].name, table[k].name);
            if (!seen)
                break;
        }
    }
}

static void test_derivatives(void)
{
    static const struct {
        const char *op;
        int n, n_int, n_real;
        double x[4];
        int64_t at[4];
        double f[2];
    } points[] = {
        {"airy", 1, 1, 0, {-3.5}, {0}, {0}},
        {"airy", 1, 1, 0, {1.25}, {3}, {0}},
        {"bessel", 2, 3, 0, {2.5, 3.25}, {3, 0, 0}, {0}},
        {"bessel", 2, 3, 0, {0.75, 1.5}, {5, 1, 1}, {0}},
        {"elliptic", 3, 4, 0, {0.3, 1.1, 0.6}, {0, -1, 0, 0}, {0}},
        {"elliptic", 3, 4, 0, {-0.3, 0.8, -0.6}, {0, 0, 1, 0}, {0}},
        {"elliptic", 3, 4, 0, {0.4, 0.8, 0.5}, {0, 0, 1, 1}, {0}},
        {"carlson", 4, 4, 0, {1.5, 0.75, 2, 3}, {0, 0, 0, 1}, {0}},
        {"expn", 1, 1, 0, {1.5}, {3}, {0}},
        {"expi", 1, 0, 0, {-1.5}, {0}, {0}},
        {"fresnel", 1, 1, 0, {0.8}, {1}, {0}},
        {"faddeeva", 2, 2, 0, {0.7, 0.9}, {0, 0}, {0}},
        {"faddeeva", 2, 2, 0, {-1.7, 0.2}, {1, 1}, {0}},
        {"faddeeva", 2, 2, 0, {0.5, -0.4}, {0, 1}, {0}},
        {"lambert_w", 1, 2, 0, {0.5}, {0, 0}, {0}},
        {"lambert_w", 1, 2, 0, {-0.2}, {-1, 1}, {0}},
        {"owens_t", 2, 0, 0, {0.8, -0.6}, {0}, {0}},
        {"polynomial", 1, 2, 2, {0.3}, {0, 5}, {0.5, 1.5}},
        {"polynomial", 1, 2, 2, {0.3}, {5, 4}, {0, 0}},
        {"polynomial", 1, 2, 2, {0.3}, {3, 0}, {0, 0}},
    };
    for (int k = 0; k < COUNT(points); k++) {
        agn_tensor *x[4] = {NULL};
        for (int i = 0; i < points[k].n; i++)
            x[i] = scalar_of(AGN_F64, points[k].x[i]);
        agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 1e-6};
        agn_status st = agn_op_check(NULL, points[k].op, (const agn_tensor *const *)x, points[k].n, points[k].at, points[k].n_int,
                                     points[k].f, points[k].n_real, &o);
        ok(!st, "%s %d: derivatives of order 3 in every mode", points[k].op, k);
        if (st)
            diag("%s", agn_error_message());
        for (int i = 0; i < points[k].n; i++)
            agn_release(x[i]);
    }
}

static void test_refusals(void)
{
    agn_tensor *x = scalar_of(AGN_F64, 0.5), *z = scalar_of(AGN_C128, 0.5), *y = untouched;
    int64_t three = 3, five = 5;
    agn_tensor *a = NULL, *b = NULL, *none = NULL, *w = NULL;
    must(agn_full(&a, AGN_F64, 1, &three, 0.5));
    must(agn_full(&b, AGN_F64, 1, &five, 0.5));
    ok(refused(agn_airy_ai(&y, NULL), AGN_ENULL, "airy_ai", "NULL", NULL, y), "NULL");
    ok(refused(agn_airy_ai(&y, z), AGN_EDTYPE, "airy_ai", "c128", NULL, y), "complex");
    ok(refused(agn_jv(&y, a, b), AGN_ESHAPE, "jv", "[3]", "[5]", y), "shapes");
    ok(refused(agn_ellipkinc(&y, NULL, x), AGN_ENULL, "ellipkinc", "phi", "NULL", y), "NULL phi");
    ok(refused(agn_elliprj(&y, x, x, x, NULL), AGN_ENULL, "elliprj", "p", "NULL", y), "NULL p");
    ok(refused(agn_voigt_profile(&y, x, NULL, x), AGN_ENULL, "voigt_profile", "sigma", "NULL", y), "NULL sigma");
    ok(refused(agn_lambertw(&y, x, 1), AGN_EARG, "lambertw", "branch 1", "-1 to 0", y), "branch 1");
    ok(refused(agn_expn(&y, x, -1), AGN_EARG, "expn", "-1", "[]", y), "order -1");
    ok(refused(agn_legendre(&y, x, -1), AGN_EARG, "legendre", "degree -1", "0 to 100000", y), "degree -1");
    ok(refused(agn_jacobi(&y, x, 2, -1, 0), AGN_EARG, "jacobi", "parameters -1, 0", "above -1", y), "parameter -1");
    ok(refused(agn_gegenbauer(&y, x, 2, -0.5), AGN_EARG, "gegenbauer", "-0.5", "above", y), "parameter -1/2");
    int64_t zero = 0;
    must(agn_full(&none, AGN_F32, 1, &zero, 1));
    must(agn_kv(&w, x, none));
    ok(agn_numel(w) == 0, "no elements");
    agn_release(w), w = NULL;
    must(agn_wofz(&w, z));
    ok(agn_dtype_of(w) == AGN_C128 && fabs(((const double *)agn_data(w))[0] - 0.7788007830714049) < 1e-15 &&
           fabs(((const double *)agn_data(w))[1] - 0.47892517290104347) < 1e-14,
       "w(1/2)");
    agn_release(w);
    agn_release(none);
    agn_release(a);
    agn_release(b);
    agn_release(x);
    agn_release(z);
}

static double at(const char *name, double a, double b, double c, int k)
{
    truth p = {name, {a, b, c, 1}, k, 0, 0};
    return value_of(&p, AGN_F64);
}
static void test_ends(void)
{
    double inf = (double)INFINITY, nan = (double)NAN;
    ok(isnan(at("airy_ai", nan, 0, 0, 0)) && at("airy_ai", inf, 0, 0, 0) == 0 && at("airy_bi", inf, 0, 0, 0) == inf &&
           isnan(at("airy_aip", -1e12, 0, 0, 0)),
       "Airy functions at the ends");
    ok(at("kv", 1, 0, 0, 0) == inf && at("kv", 2, inf, 0, 0) == 0 && isnan(at("kv", 1, -1, 0, 0)) && isnan(at("kv", 2e4, 1, 0, 0)) &&
           at("jv", 0, 0, 0, 0) == 1 && at("jv", 2, 0, 0, 0) == 0 && at("yv", 1, 0, 0, 0) == -inf && isnan(at("yv", 1, -1, 0, 0)) &&
           isnan(at("jv", 0.5, -1, 0, 0)) && isnan(at("jv", 501, 3, 0, 0)) && isnan(at("iv", 0.5, -1, 0, 0)) &&
           isnan(at("jv", nan, 1, 0, 0)) && isnan(at("iv", 1, nan, 0, 0)) && at("jv", 1, inf, 0, 0) == 0 &&
           at("iv", 1, inf, 0, 0) == inf,
       "Bessel functions at the ends");
    ok(at("ellipk", 1, 0, 0, 0) == inf && fabs(at("ellipe", 1, 0, 0, 0) - 1) < 1e-14 && isnan(at("ellipk", 1.5, 0, 0, 0)) &&
           isnan(at("ellipk", nan, 0, 0, 0)) && isnan(at("ellippi", 2, 0.5, 0, 0)) && isnan(at("elliprf", -1, 1, 1, 0)) &&
           at("elliprf", 0, 0, 1, 0) == inf && isnan(at("elliprf", nan, 0, 1, 0)) && at("ellipkinc", 0, 0.5, 0, 0) == 0,
       "elliptic integrals at the ends");
    ok(at("expn", 0, 0, 0, 1) == inf && at("expn", 0, 0, 0, 3) == 0.5 && isnan(at("expn", -1, 0, 0, 1)) &&
           at("expn", inf, 0, 0, 1) == 0 && isnan(at("expn", nan, 0, 0, 2)) && at("expi", 0, 0, 0, 0) == -inf &&
           at("expi", inf, 0, 0, 0) == inf && isnan(at("expi", nan, 0, 0, 0)),
       "exponential integrals at the ends");
    ok(isnan(at("lambertw", -0.4, 0, 0, 0)) && isnan(at("lambertw", 0.1, 0, 0, -1)) && at("lambertw", 0, 0, 0, -1) == -inf &&
           at("lambertw", 0, 0, 0, 0) == 0 && at("lambertw", inf, 0, 0, 0) == inf && isnan(at("lambertw", nan, 0, 0, 0)),
       "Lambert's W at the ends");
    ok(isnan(at("fresnel_s", nan, 0, 0, 0)) && at("fresnel_c", -inf, 0, 0, 0) == -0.5 && isnan(at("dawsn", nan, 0, 0, 0)) &&
           at("dawsn", inf, 0, 0, 0) == 0 && at("owens_t", inf, 1, 0, 0) == 0 && isnan(at("owens_t", nan, 1, 0, 0)),
       "and the others");
}

int main(void)
{
    test_values();
    test_derivatives();
    test_ends();
    test_refusals();
    return done();
}
