/* tests/t-waves.c - Legendre functions of the second kind, radial spheroidal functions, W of parabolic cylinders, Lame's functions,
   moments of Bessel functions, laws of Smirnov and Tukey, zeros in the plane: values of mpmath (tests/data/make-waves.py), Wronskians,
   derivatives in every mode, ends of the range, what is refused. */
#include "laws.h"

typedef struct truth {
    const char *op;
    double x[2];
    int n_in;
    int64_t k[4];
    int n_int;
    double r[2];
    int n_real;
    double value, amplitude;
} truth;
static const truth table[] = {
#include "data/waves.inc"
};

static double value_of(const truth *p, int dtype)
{
    agn_tensor *x[2] = {NULL, NULL}, *y = NULL;
    for (int i = 0; i < p->n_in; i++)
        x[i] = scalar_of(dtype, p->x[i]);
    must(agn_op_apply(&y, 1, p->op, (const agn_tensor *const *)x, p->n_in, p->k, p->n_int, p->r, p->n_real));
    double value = peek(y, 0);
    for (int i = 0; i < p->n_in; i++)
        agn_release(x[i]);
    agn_release(y);
    return value;
}
static bool is_f32(double x)
{
    return x == (double)(float)x;
}
static void test_values(void)
{
    for (int k = 0; k < COUNT(table); k++) {
        const truth *p = &table[k];
        double size = p->amplitude > 0 ? p->amplitude : 1, e = fabs(value_of(p, AGN_F64) - p->value) / size;
        double bound = !strcmp(p->op, "spheroidal_radial") && p->r[0] > 10 ? 1e-12 : 1e-13;
        ok(e < bound, "%s at %.17g, %g; %d %d %d %d; %g %g: %.2g", p->op, p->x[0], p->x[1], (int)p->k[0], (int)p->k[1], (int)p->k[2],
           (int)p->k[3], p->r[0], p->r[1], e);
        if (is_f32(p->x[0]) && is_f32(p->x[1]) && fabs(p->value) < 1e30 && size > 1e-30) {
            e = fabs(value_of(p, AGN_F32) - p->value) / size;
            ok(e < 1.2e-7, "%s at %g in f32: %.2g", p->op, p->x[0], e);
        }
    }
}
static double radial(int kind, int m, int n, int sloped, double c, double x)
{
    truth p = {"spheroidal_radial", {x, 0}, 1, {kind, m, n, sloped}, 4, {c, 0}, 1, 0, 0};
    return value_of(&p, AGN_F64);
}
/* of radial functions 1 / (c (x^2 -+ 1)) (DLMF 30.11.7), of W(a, x) and W(a, -x) 1 (12.14.3) */
static void test_wronskians(void)
{
    static const double cs[] = {1e-3, 0.3, 4, 30, 100}, gaps[] = {1e-12, 1e-4, 0.3, 2, 50, 1e4};
    static const int orders[][2] = {{0, 0}, {0, 5}, {1, 3}, {7, 7}, {20, 31}, {40, 60}};
    tally t = {0, 0};
    int none = 0, all = 0;
    for (int oblate = 0; oblate < 2; oblate++)
        for (int j = 0; j < COUNT(orders); j++)
            for (int k = 0; k < COUNT(cs); k++)
                for (int i = 0; i < COUNT(gaps); i++, all++) {
                    double x = (oblate ? 0 : 1) + gaps[i], c = cs[k], y[4];
                    for (int s = 0; s < 4; s++)
                        y[s] = radial(oblate + (s & 2), orders[j][0], orders[j][1], s & 1, c, x);
                    double a = y[0] * y[3], b = y[1] * y[2], want = 1 / (c * (oblate ? x * x + 1 : (x - 1) * (x + 1)));
                    if (isnan(a - b)) {
                        none++;
                        continue;
                    }
                    check(&t, fabs(a - b - want) < 2e-13 * (want + fabs(a) + fabs(b)), "oblate %d, %d, %d, c %g, x %g: %.17g, %.17g", oblate,
                          orders[j][0], orders[j][1], c, x, a - b, want);
                }
    tell(&t, "Wronskians of radial functions");
    ok(none * 5 < all, "%d of %d are out of range", none, all);
    tally w = {0, 0};
    for (double a = -50; a <= 50; a += 12.5)
        for (double x = 0; x < 60; x = 2 * x + 0.3) {
            double y[4];
            for (int s = 0; s < 4; s++) {
                truth p = {"parabolic_w", {s & 2 ? -x : x, 0}, 1, {s & 1, 0, 0, 0}, 1, {a, 0}, 1, 0, 0};
                y[s] = value_of(&p, AGN_F64);
            }
            if (x < 28 + 3 * fabs(a))
                check(&w, fabs(-y[0] * y[3] - y[1] * y[2] - 1) < 2e-13 * (1 + fabs(y[0] * y[3]) + fabs(y[1] * y[2])), "W(%g, %g): %.17g", a,
                      x, -y[0] * y[3] - y[1] * y[2]);
        }
    tell(&w, "Wronskians of W are 1");
}
static void test_derivatives(void)
{
    static const truth points[] = {
        {"legendre_q", {0.4, 0}, 1, {3, 0}, 2, {0, 0}, 0, 3, 0},
        {"legendre_q", {-1.75, 0}, 1, {2, 1}, 2, {0, 0}, 0, 3, 0},
        {"spheroidal_radial", {1.6, 0}, 1, {0, 1, 2, 0}, 4, {2.5, 0}, 1, 3, 0},
        {"spheroidal_radial", {0.6, 0}, 1, {1, 2, 3, 1}, 4, {2.5, 0}, 1, 3, 0},
        {"spheroidal_radial", {2.2, 0}, 1, {2, 1, 1, 1}, 4, {1.5, 0}, 1, 3, 0},
        {"spheroidal_radial", {0.7, 0}, 1, {3, 0, 2, 0}, 4, {1.5, 0}, 1, 3, 0},
        {"parabolic_w", {1.3, 0}, 1, {0}, 1, {0.75, 0}, 1, 4, 0},
        {"parabolic_w", {-2.3, 0}, 1, {1}, 1, {-2, 0}, 1, 4, 0},
        {"lame", {0.4, 0}, 1, {3, 2, 0, 0}, 4, {1, 2}, 2, 3, 0},
        {"lame", {1.2, 0}, 1, {4, 7, 0, 1}, 4, {1, 2}, 2, 3, 0},
        {"lame", {2.2, 0}, 1, {2, 3, 1, 0}, 4, {1, 2}, 2, 3, 0},
        {"bessel_moment", {1.3, 0}, 1, {0}, 0, {0.5, 0}, 2, 4, 0},
        {"bessel_moment", {3.5, 0}, 1, {0}, 0, {2, 1.25}, 2, 4, 0},
        {"smirnov", {0.22, 0}, 1, {7, 0}, 2, {0, 0}, 0, 4, 0},
        {"smirnov_inverse", {0.4, 0}, 1, {7}, 1, {0, 0}, 0, 3, 0},
        {"tukey_lambda", {0.7, 0.4}, 2, {0}, 0, {0, 0}, 0, 3, 0},
        {"tukey_lambda", {-1.7, -0.6}, 2, {0}, 0, {0, 0}, 0, 3, 0},
        {"tukey_lambda", {-0.7, 0}, 2, {0}, 0, {0, 0}, 0, 3, 0},
    };
    for (int k = 0; k < COUNT(points); k++) {
        const truth *p = &points[k];
        agn_tensor *x[2] = {NULL, NULL};
        for (int i = 0; i < p->n_in; i++)
            x[i] = scalar_of(AGN_F64, p->x[i]);
        agn_check_options o = {.size = sizeof o, .orders = (int32_t)p->value, .tolerance = 1e-6};
        agn_status st = agn_op_check(NULL, p->op, (const agn_tensor *const *)x, p->n_in, p->k, p->n_int, p->r, p->n_real, &o);
        ok(!st, "%s at %g: derivatives of order %d in every mode%s%s", p->op, p->x[0], (int)p->value, st ? ": " : "",
           st ? agn_error_message() : "");
        for (int i = 0; i < p->n_in; i++)
            agn_release(x[i]);
    }
}
/* where Tukey's law is NaN its derivatives are no 0 */
static void test_nan_slopes(void)
{
    static const double at[][2] = {{NAN, 0.3}, {0.3, 600}, {0.3, NAN}};
    for (int k = 0; k < COUNT(at); k++) {
        agn_tensor *x = scalar_of(AGN_F64, at[k][0]), *shape = scalar_of(AGN_F64, at[k][1]), *v[2] = {NULL, NULL}, *y = NULL, *g[2];
        must(agn_watch(&v[0], x));
        must(agn_watch(&v[1], shape));
        must(agn_tklmbda(&y, v[0], v[1]));
        must(agn_gradient(g, (const agn_tensor *const *)&y, 1, (const agn_tensor *const *)v, 2, NULL));
        ok(isnan(peek(y, 0)) && isnan(peek(g[0], 0)) && isnan(peek(g[1], 0)), "Tukey's law at %g, %g: %g, slopes %g, %g", at[k][0],
           at[k][1], peek(y, 0), peek(g[0], 0), peek(g[1], 0));
        agn_tensor *all[] = {x, shape, v[0], v[1], y, g[0], g[1]};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
    }
}
/* Legendre's relation between both kinds, and what is infinite or nothing at the ends */
static void test_ends(void)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
#define AT(op, x0, n_int, k0, k1, k2, k3, r0, r1, n_real) \
    value_of(&(truth){op, {x0, 0.5}, !strcmp(op, "tukey_lambda") ? 2 : 1, {k0, k1, k2, k3}, n_int, {r0, r1}, n_real, 0, 0}, AGN_F64)
    ok(AT("legendre_q", 1, 2, 3, 0, 0, 0, 0, 0, 0) == inf && AT("legendre_q", -1, 2, 3, 0, 0, 0, 0, 0, 0) == inf &&
           AT("legendre_q", -1, 2, 2, 0, 0, 0, 0, 0, 0) == -inf && AT("legendre_q", inf, 2, 2, 0, 0, 0, 0, 0, 0) == 0 &&
           isnan(AT("legendre_q", nan, 2, 2, 0, 0, 0, 0, 0, 0)),
       "Q at 1, -1, infinity, NaN");
    ok(fabs(AT("legendre_q", 5e-324, 2, 0, 0, 0, 0, 0, 0, 0)) == 5e-324 && AT("legendre_q", 0, 2, 0, 0, 0, 0, 0, 0, 0) == 0, "Q_0 next to 0");
    double far = AT("legendre_q", 1e100, 2, 1, 0, 0, 0, 0, 0, 0), tail = AT("legendre_q", -1e100, 2, 0, 0, 0, 0, 0, 0, 0);
    ok(fabs(far * 3e200 - 1) < 1e-13 && fabs(tail * 1e100 + 1) < 1e-13, "Q far out: %.17g, %.17g", far, tail);
    ok(isnan(radial(0, 0, 0, 0, 1, 0.5)) && isnan(radial(1, 0, 0, 0, 1, -0.5)) && isnan(radial(0, 0, 0, 0, 1, inf)) &&
           isnan(radial(2, 0, 0, 0, 1, nan)) && radial(2, 0, 0, 0, 1, 1) == -inf,
       "radial functions out of their range");
    ok(fabs(radial(0, 0, 1, 0, 1e-30, 1.5) - 5e-31) < 1e-43 && fabs(radial(1, 0, 1, 0, 1e-30, 1.5) - 5e-31) < 1e-43 &&
           isnan(radial(0, 0, 1, 0, 1e-200, 1.5)) && isnan(radial(2, 0, 1, 0, 1e-200, 1.5)),
       "waves far longer than x: c x / 3, or NaN");
    ok(isnan(AT("parabolic_w", inf, 1, 0, 0, 0, 0, 1, 0, 1)) && isnan(AT("parabolic_w", -1e5, 1, 0, 0, 0, 0, 1, 0, 1)) &&
           isnan(AT("parabolic_w", nan, 1, 0, 0, 0, 0, 1, 0, 1)),
       "W out of its range");
    ok(isnan(AT("lame", 1.2, 4, 2, 1, 1, 0, 1, 2, 2)) && isnan(AT("lame", inf, 4, 2, 1, 0, 0, 1, 2, 2)) &&
           AT("lame", 0.3, 4, 0, 1, 0, 0, 1, 2, 2) == 1 && AT("lame", 0.3, 4, 1, 1, 0, 0, 1, 2, 2) == 0.3,
       "Lame's functions: F up to k, infinity, degrees 0 and 1");
    ok(AT("bessel_moment", 0, 0, 0, 0, 0, 0, 0, 0, 2) == 1 && AT("bessel_moment", 0, 0, 0, 0, 0, 0, 0, 1, 2) == 0 &&
           isnan(AT("bessel_moment", 6000, 0, 0, 0, 0, 0, 0, 0, 2)) && isnan(AT("bessel_moment", 1, 0, 0, 0, 0, 0, -1, 0, 2)) &&
           isnan(AT("bessel_moment", -1, 0, 0, 0, 0, 0, 0, 0.5, 2)) && isnan(AT("bessel_moment", nan, 0, 0, 0, 0, 0, 0, 0, 2)),
       "moments at 0, out of their range");
    ok(isnan(AT("bessel_moment", 5000, 0, 0, 0, 0, 0, -149, 150, 2)), "a moment whose parts leave the range");
    ok(AT("smirnov", 0, 2, 5, 0, 0, 0, 0, 0, 0) == 1 && AT("smirnov", 1, 2, 5, 0, 0, 0, 0, 0, 0) == 0 &&
           isnan(AT("smirnov", 1.5, 2, 5, 0, 0, 0, 0, 0, 0)) && isnan(AT("smirnov", nan, 2, 5, 0, 0, 0, 0, 0, 0)) &&
           AT("smirnov_inverse", 0, 1, 5, 0, 0, 0, 0, 0, 0) == 1 && AT("smirnov_inverse", 1, 1, 5, 0, 0, 0, 0, 0, 0) == 0 &&
           isnan(AT("smirnov_inverse", -0.1, 1, 5, 0, 0, 0, 0, 0, 0)),
       "Smirnov's law at its ends");
    ok(AT("tukey_lambda", -2, 0, 0, 0, 0, 0, 0, 0, 0) == 0 && AT("tukey_lambda", 2, 0, 0, 0, 0, 0, 0, 0, 0) == 1 &&
           AT("tukey_lambda", -inf, 0, 0, 0, 0, 0, 0, 0, 0) == 0 && AT("tukey_lambda", 0, 0, 0, 0, 0, 0, 0, 0, 0) == 0.5 &&
           isnan(AT("tukey_lambda", nan, 0, 0, 0, 0, 0, 0, 0, 0)),
       "Tukey's law at its ends");
}
/* between h and k, next to one another, terms cancel: right, or NaN (300 digits of mpmath) */
static void test_lost_digits(void)
{
    static const struct {
        int64_t n, p;
        double s, want;
    } rows[] = {{17, 11, 2.0000152587890625, 7.4703304586419485978e-34},
                {17, 11, 2.000031300080128, 5.8255895503152677429e-33},
                {25, 5, 2.0000152587890625, 3.2164765887816097517e-34},
                {33, 19, 2.0000152587890625, 5.7063345299581633103e-70},
                {33, 19, 2.000031300080128, 5.6615188478611121825e-68},
                {40, 63, 2.0000152587890625, -1.270619044089301443e-85},
                {40, 63, 2.000031300080128, 2.7217775168772969672e-83}};
    for (int i = 0; i < COUNT(rows); i++) {
        truth p = {"lame", {rows[i].s, 0}, 1, {rows[i].n, rows[i].p, 0, 0}, 4, {4, 4 + 0x1p-13}, 2, 0, 0};
        double have = value_of(&p, AGN_F64);
        ok(isnan(have) || fabs(have / rows[i].want - 1) < 1e-12, "Lame's function %d of degree %d: %.17g, not %.17g", (int)rows[i].p,
           (int)rows[i].n, have, rows[i].want);
    }
}
/* zeros by mpmath's findroot; Lame's norms of degree 1 are 4 pi / 3 times products of h^2, k^2 and
   k^2 - h^2 */
static void test_numbers(void)
{
    agn_tensor *y = NULL;
    static const double truths[][2] = {{1.45061616324367559, 1.88094300015331537},
                                       {2.24465927380324688, 2.61657514068943964}};
    must(agn_erf_zeros(&y, 1000));
    for (int k = 0; k < 2; k++) {
        double e = cabs(peekz(y, k) - (truths[k][0] + truths[k][1] * (double complex)I));
        ok(e < 1e-14, "zero %d of erf: %.2g", k, e);
    }
    double last = 0, gap = 0;
    for (int k = 0; k < 1000; k++) { /* real parts of z^2 / 2 i are pi n apart */
        double now = creal(peekz(y, k)) * cimag(peekz(y, k)) / acos(-1);
        gap = fmax(gap, fabs(now - last - (k ? 1 : now)));
        last = now;
    }
    ok(gap < 0.05, "none of 1000 zeros of erf is left out: %g", gap);
    agn_release(y);
    static const double fresnel[2][2] = {{1.743667486182003, 0.305735063629649384},
                                         {2.00925701182200734, 0.288547897333439658}};
    for (int kind = 0; kind < 2; kind++) {
        y = NULL;
        must(agn_fresnel_zeros(&y, kind, 500));
        double e = cabs(peekz(y, 0) - (fresnel[kind][0] + fresnel[kind][1] * (double complex)I));
        ok(e < 1e-14, "first zero of Fresnel's %c: %.2g", kind ? 'S' : 'C', e);
        gap = 0;
        for (int k = 0; k < 500; k++) {
            double now = creal(peekz(y, k) * peekz(y, k)) / 4;
            gap = fmax(gap, fabs(now - (k + (kind ? 1 : 0.75))));
        }
        ok(gap < 0.02, "none of 500 zeros of Fresnel's is left out: %g", gap);
        agn_release(y);
    }
    const double h2 = 1.25, k2 = 2.25, products[3] = {h2 * k2, h2 * (k2 - h2), k2 * (k2 - h2)};
    for (int k = 0; k < 3; k++) {
        y = NULL;
        must(agn_ellip_normal(&y, h2, k2, 1, k + 1));
        double want = 4 * acos(-1) / 3 * products[k];
        ok(fabs(peek(y, 0) / want - 1) < 1e-13, "norm %d of degree 1: %.17g, %.17g", k + 1, peek(y, 0), want);
        agn_release(y);
    }
}
static void test_refusals(void)
{
    agn_tensor *x = scalar_of(AGN_F64, 1.5), *z = scalar_of(AGN_C128, 1), *y = untouched;
#define NO(call, st, op, f1, f2) ok(refused(call, st, op, f1, f2, y), "%s: %s", op, f1)
    NO(agn_legendre_q(&y, x, 201), AGN_EARG, "legendre_q", "degree 201", "0 to 200");
    NO(agn_legendre_q(&y, x, -1), AGN_EARG, "legendre_q", "degree -1", "0 to 200");
    NO(agn_legendre_q(&y, z, 1), AGN_EDTYPE, "legendre_q", "c128", NULL);
    NO(agn_legendre_q(&y, NULL, 1), AGN_ENULL, "legendre_q", "NULL", NULL);
    NO(agn_pro_rad1(&y, x, 0, 0, 0), AGN_EARG, "pro_rad1", "c = 0", "0 to 100");
    NO(agn_pro_rad2(&y, x, NAN, 0, 0), AGN_EARG, "pro_rad2", "c = nan", "0 to 100");
    NO(agn_obl_rad1(&y, x, 1, 41, 50), AGN_EARG, "obl_rad1", "order 41", "0 to 40");
    NO(agn_obl_rad2(&y, x, 1, 3, 2), AGN_EARG, "obl_rad2", "degree 2", "3 to 60");
    NO(agn_obl_rad2(&y, z, 1, 0, 2), AGN_EDTYPE, "obl_rad2", "c128", NULL);
    NO(agn_parabolic_w(&y, x, 51), AGN_EARG, "parabolic_w", "a = 51", "-50 to 50");
    NO(agn_parabolic_w(&y, NULL, 1), AGN_ENULL, "parabolic_w", "NULL", NULL);
    NO(agn_ellip_harm(&y, x, 2, 1, 1, 1), AGN_EARG, "ellip_harm", "h2 = 2", "k2 = 1");
    NO(agn_ellip_harm(&y, x, 1, 2, 41, 1), AGN_EARG, "ellip_harm", "degree 41", "0 to 40");
    NO(agn_ellip_harm_2(&y, x, 1, 2, 1, 4), AGN_EARG, "ellip_harm_2", "p = 4", "1 to 3");
    NO(agn_ellip_harm_2(&y, x, 0, 2, 1, 1), AGN_EARG, "ellip_harm_2", "h2 = 0", "k2 = 2");
    NO(agn_ellip_normal(&y, 1, 2, 1, 0), AGN_EARG, "ellip_normal", "p = 0", "1 to 3");
    NO(agn_ellip_normal(&y, NAN, 2, 1, 1), AGN_EARG, "ellip_normal", "h2 = nan", "k2 = 2");
    NO(agn_besselpoly(&y, z, 1, 1), AGN_EDTYPE, "besselpoly", "c128", NULL);
    NO(agn_smirnov(&y, x, 0), AGN_EARG, "smirnov", "n 0", "1 to 1000000");
    NO(agn_smirnovi(&y, x, 1000001), AGN_EARG, "smirnovi", "n 1000001", "1 to 1000000");
    NO(agn_tklmbda(&y, x, NULL), AGN_ENULL, "tklmbda", "NULL", NULL);
    NO(agn_erf_zeros(&y, 0), AGN_EARG, "erf_zeros", "n = 0", "1 to 100000");
    NO(agn_fresnel_zeros(&y, 2, 1), AGN_EARG, "fresnel_zeros", "kind = 2", "0 to 1");
    NO(agn_fresnel_zeros(&y, 0, 100001), AGN_EARG, "fresnel_zeros", "n = 100001", "1 to 100000");
    agn_release(x);
    agn_release(z);
}

int main(void)
{
    test_values();
    test_wronskians();
    test_derivatives();
    test_nan_slopes();
    test_ends();
    test_lost_digits();
    test_numbers();
    test_refusals();
    return done();
}
