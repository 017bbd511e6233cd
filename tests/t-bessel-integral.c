/* tests/t-bessel-integral.c - integrals of Bessel, Struve and Airy functions and V of parabolic cylinders: values of mpmath
   (tests/data/make-bessel-integral.py), joints of methods, derivatives in every mode, ends of the range, what is refused. */
#include "laws.h"

enum { KINDS = 13 };

typedef struct truth {
    int kind;
    double x, v, value, amplitude;
} truth;
static const truth table[] = {
#include "data/bessel-integral.inc"
};

static double value_at(int kind, double x, double v, int dtype)
{
    agn_tensor *at = scalar_of(dtype, x), *order = scalar_of(dtype, v), *y = NULL;
    must(kind < KINDS ? agn_bessel_integral(&y, at, kind) : agn_parabolic_v(&y, order, at));
    double value = peek(y, 0);
    agn_release(at);
    agn_release(order);
    agn_release(y);
    return value;
}
static void test_values(void)
{
    for (int k = 0; k < COUNT(table); k++) {
        const truth *p = &table[k];
        double e = fabs(value_at(p->kind, p->x, p->v, AGN_F64) - p->value) / p->amplitude;
        ok(e < (p->kind < KINDS ? 1e-13 : 1e-12), "kind %d at %.17g, %g: %.2g", p->kind, p->x, p->v, e);
        if (p->x == (double)(float)p->x && p->v == (double)(float)p->v && p->amplitude < 1e30 && fabs(p->value) > 1e-30) {
            e = fabs(value_at(p->kind, p->x, p->v, AGN_F32) - p->value) / p->amplitude;
            ok(e < 1.2e-7, "kind %d at %g, %g in f32: %.2g", p->kind, p->x, p->v, e);
        }
    }
}
/* methods meet at 2, 16, 40 and 50: what lies between is the slope there */
static void test_joints(void)
{
    static const double joints[] = {2, 16, 40, 50, -16};
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < COUNT(joints); k++) {
            if (joints[k] < 0 && kind < 11)
                continue;
            double a = joints[k] * (1 - 1e-9), b = joints[k] * (1 + 1e-9), mid = joints[k], d = 1e-4;
            double step = value_at(kind, b, 0, AGN_F64) - value_at(kind, a, 0, AGN_F64), y = value_at(kind, mid, 0, AGN_F64);
            double slope = (value_at(kind, mid + d, 0, AGN_F64) - value_at(kind, mid - d, 0, AGN_F64)) / (2 * d);
            ok(fabs(step - slope * (b - a)) < 2e-13 * (fabs(y) + pow(fabs(mid), -1.5)), "kind %d goes through %g: %.2g of %g", kind, mid,
               step - slope * (b - a), y);
        }
}
static void test_derivatives(void)
{
    static const double places[] = {0.4, 1.75, 3.5, 45};
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < COUNT(places); k++) {
            if (k == 3 && (kind == 2 || kind == 6 || kind >= 10 || kind == 3 || kind == 7))
                continue; /* of 1e20, or of nothing */
            agn_tensor *x = scalar_of(AGN_F64, places[k]);
            agn_check_options o = {.size = sizeof o, .orders = 3, .tolerance = 1e-6};
            agn_status st = agn_op_check(NULL, "bessel_integral", (const agn_tensor *const *)&x, 1, (const int64_t[]){kind}, 1, NULL, 0,
                                         &o);
            ok(!st, "kind %d at %g: derivatives of order 3 in every mode", kind, places[k]);
            if (st)
                diag("%s", agn_error_message());
            agn_release(x);
        }
}
static void test_ends(void)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    for (int kind = 0; kind < KINDS; kind++) {
        double y = value_at(kind, 0, 0, AGN_F64);
        double want = kind == 5 ? -inf : kind == 7 ? inf : kind == 9 ? acos(-1) / 2 : 0;
        ok(y == want || fabs(y - want) < 1e-15, "kind %d at 0: %g", kind, y);
        ok(isnan(value_at(kind, nan, 0, AGN_F64)), "kind %d of NaN", kind);
        ok(kind >= 11 || (isnan(value_at(kind, -1, 0, AGN_F64)) && isnan(value_at(kind, 2e4, 0, AGN_F64)) &&
                          isnan(value_at(kind, inf, 0, AGN_F64))),
           "kind %d outside of its range", kind);
    }
    ok(value_at(3, 1000, 0, AGN_F64) == acos(-1) / 2 && value_at(7, 1000, 0, AGN_F64) == 0, "K0 far out");
    ok(value_at(2, 800, 0, AGN_F64) == inf && value_at(6, 800, 0, AGN_F64) == inf && value_at(10, 800, 0, AGN_F64) == inf,
       "I0 and L0 beyond the range");
    /* x / 2 and 1 / x leave the range: x (Y0 - 2 / pi), x (K0 + 1), x^2 / 8 */
    static const double tiny[] = {5e-324, 1e-310, 1e-200, 1e-20};
    for (int k = 0; k < COUNT(tiny); k++) {
        double x = tiny[k], l = log(x) - log(2) + 0.57721566490153286061, least = 5e-324;
        ok(fabs(value_at(0, x, 0, AGN_F64) - x) <= 1e-15 * x + least &&
               fabs(value_at(1, x, 0, AGN_F64) - x * (l - 1) * 2 / acos(-1)) <= 1e-14 * x * fabs(l) + least &&
               fabs(value_at(3, x, 0, AGN_F64) + x * (l - 1)) <= 1e-14 * x * fabs(l) + least &&
               fabs(value_at(4, x, 0, AGN_F64) - x * x / 8) <= 1e-15 * x * x,
           "next to 0, at %g", x);
    }
    agn_tensor *y = untouched, *x = scalar_of(AGN_F64, 1), *z = scalar_of(AGN_C128, 1);
    ok(refused(agn_bessel_integral(&y, x, 13), AGN_EARG, "bessel_integral", "kind 13", "0 to 12", y), "kind 13");
    ok(refused(agn_bessel_integral(&y, x, -1), AGN_EARG, "bessel_integral", "kind -1", "0 to 12", y), "kind -1");
    ok(refused(agn_bessel_integral(&y, NULL, 1), AGN_ENULL, "bessel_integral", "NULL", NULL, y), "NULL");
    ok(refused(agn_bessel_integral(&y, z, 1), AGN_EDTYPE, "bessel_integral", "c128", NULL, y), "complex");
    agn_release(x);
    agn_release(z);
}

int main(void)
{
    test_values();
    test_joints();
    test_derivatives();
    test_ends();
    return done();
}
