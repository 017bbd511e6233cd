/* tests/t-random-path.c - derivatives of draws in the parameters of their laws: location and
   scale by composition, the concentration of gamma numbers by implicit differentiation. */
#include "laws.h"

#undef I

static agn_tensor *K;
static const int64_t few = 6;

/* ---- P(a, y) by its power series and by Legendre's continued fraction (DLMF 8.7.1, 8.9.2) ------- */

static long double gamma_p(long double a, long double y)
{
    if (y < a + 1) {
        long double term = 1 / a, sum = term;
        for (int n = 1; n < 3000; n++)
            sum += term *= y / (a + n);
        return sum * expl(a * logl(y) - y - lgammal(a));
    }
    long double b = y + 1 - a, c = 1e300L, d = 1 / b, f = d;
    for (int i = 1; i < 3000; i++) {
        long double an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        f *= d * c;
    }
    return 1 - f * expl(a * logl(y) - y - lgammal(a));
}

/* y with P(a, y) = p, from near */
static long double quantile(long double a, long double p, long double y)
{
    for (int i = 0; i < 30; i++) {
        long double f = gamma_p(a, y) - p, by = expl((a - 1) * logl(y) - y - lgammal(a));
        long double next = y - f / by;
        y = next > 0 ? next : y / 2;
    }
    return y;
}

/* derivatives in a of the quantile, by central differences of three widths (Richardson) */
static double moves(double a, double y, int order)
{
    long double p = gamma_p(a, y), h = 0.02L * (long double)a, row[3];
    for (int k = 0; k < 3; k++, h /= 2) {
        long double up = quantile(a + h, p, y), down = quantile(a - h, p, y);
        row[k] = order == 1 ? (up - down) / (2 * h) : (up - 2 * (long double)y + down) / (h * h);
    }
    row[0] = (4 * row[1] - row[0]) / 3, row[1] = (4 * row[2] - row[1]) / 3;
    return (double)((16 * row[1] - row[0]) / 15);
}

typedef struct which {
    bool log_form;
} which;

static agn_status draw(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const which *w = user;
    out[0] = w->log_form ? ag_random_log_gamma(s, K, in[0], 1, &few)
                         : ag_random_gamma(s, K, in[0], 1, &few);
    return AGN_OK;
}

static double item(const agn_tensor *x, int64_t i)
{
    return peek(x, i);
}

/* first derivatives forward and reverse, and second ones */
static void test_gamma(void)
{
    tally t = {0};
    double worst = 0, worst2 = 0;
    static const double at[] = {0.05, 0.3, 0.9, 1, 1.7, 4, 11, 60, 350};
    for (int k = 0; k < COUNT(at); k++)
        for (int form = 0; form < 2; form++) {
            which w = {form};
            agn_fn *f = NULL, *df = NULL, *ddf = NULL;
            agn_tensor *a = scalar_of(AGN_F64, at[k]), *v = scalar_of(AGN_F64, 1), *y = NULL,
                       *out[2] = {NULL}, *out2[4] = {NULL};
            must(agn_random_gamma(&y, K, a, 1, &few));
            must(agn_fn_new(&f, draw, &w, NULL, 1, 1));
            must(agn_fn_jvp(&df, f));
            must(agn_fn_call(df, out, (const agn_tensor *[]){a, v}));
            must(agn_fn_jvp(&ddf, df));
            agn_tensor *zero = scalar_of(AGN_F64, 0);
            must(agn_fn_call(ddf, out2, (const agn_tensor *[]){a, v, v, zero}));
            for (int64_t i = 0; i < few; i++) {
                double yi = item(y, i), want = moves(at[k], yi, 1), second = moves(at[k], yi, 2);
                if (yi < 1e-6) /* differences see nothing there */
                    continue;
                if (form) { /* (log y)' = y' / y, (log y)'' = y'' / y - (y' / y)^2 */
                    second = second / yi - want / yi * (want / yi);
                    want /= yi;
                }
                double e = fabs(item(out[1], i) - want) / fabs(want);
                double e2 = fabs(item(out2[3], i) - second) / (fabs(second) + fabs(want) / at[k]);
                worst = fmax(worst, e), worst2 = fmax(worst2, e2);
                check(&t, e < 1e-7, "a %g, y %g: %g, not %g", at[k], yi, item(out[1], i), want);
                check(&t, e2 < 1e-4, "a %g, y %g, second: %g, not %g", at[k], yi,
                      item(out2[3], i), second);
            }
            agn_fn_release(f), agn_fn_release(df), agn_fn_release(ddf);
            agn_release(a), agn_release(v), agn_release(y), agn_release(zero);
            for (int i = 0; i < 2; i++)
                agn_release(out[i]);
            for (int i = 0; i < 4; i++)
                agn_release(out2[i]);
        }
    diag("gamma: largest difference from quotients, first %.1e, second %.1e", worst, worst2);
    tell(&t, "a gamma number moves with its concentration as a quantile does");
}

/* mean of the derivatives is the derivative of the mean: E y = a, E log y = psi(a),
   E x = a / (a + b); 4.5 standard errors, one false alarm in 100000 each */
static void test_means(void)
{
    int64_t n = tap_scale(40000);
    for (int k = 0; k < 3; k++) {
        agn_tensor *a = scalar_of(AGN_F64, 0.7), *b = scalar_of(AGN_F64, 2.5), *wa = NULL,
                   *wb = NULL, *y = NULL, *sum = NULL, *g[2] = {NULL};
        must(agn_watch(&wa, a));
        must(agn_watch(&wb, b));
        must(k == 0   ? agn_random_gamma(&y, K, wa, 1, &n)
             : k == 1 ? agn_random_log_gamma(&y, K, wa, 1, &n)
                      : agn_random_beta(&y, K, wa, wb, 1, &n));
        must(agn_mean(&sum, y, NULL, 0, false));
        must(agn_gradient(g, (const agn_tensor *[]){sum}, 1,
                          (const agn_tensor *[]){wa, wb}, k == 2 ? 2 : 1, NULL));
        double have = item(g[0], 0);
        double want = k == 0 ? 1 : k == 1 ? 2.8340491557 : 2.5 / (3.2 * 3.2); /* psi'(0.7) */
        ok(fabs(have - want) < 4.5 * 1.6 / sqrt((double)n) * fmax(1, want),
           "mean derivative %d: %.4f, %.4f expected", k, have, want);
        if (k == 2)
            ok(fabs(item(g[1], 0) + 0.7 / (3.2 * 3.2)) < 4.5 / sqrt((double)n),
               "beta in its second parameter: %.4f", item(g[1], 0));
        agn_release(a), agn_release(b), agn_release(wa), agn_release(wb), agn_release(y);
        agn_release(sum), agn_release(g[0]), agn_release(g[1]);
    }
}

/* x = location + scale z: derivatives 1 and z */
static void test_location_scale(void)
{
    typedef agn_status of_two(agn_tensor **, const agn_tensor *, const agn_tensor *,
                              const agn_tensor *, int32_t, const int64_t *);
    static const struct {
        const char *name;
        of_two *f;
    } laws[] = {{"normal", agn_random_normal},
                {"laplace", agn_random_laplace},
                {"cauchy", agn_random_cauchy},
                {"gumbel", agn_random_gumbel}};
    tally t = {0};
    for (int k = 0; k < COUNT(laws); k++) {
        agn_tensor *a = scalar_of(AGN_F64, 0.5), *b = scalar_of(AGN_F64, 3), *wa = NULL, *wb = NULL,
                   *y = NULL, *g[2] = {NULL};
        must(agn_watch(&wa, a));
        must(agn_watch(&wb, b));
        must(laws[k].f(&y, K, wa, wb, 1, (int64_t[]){1}));
        must(agn_gradient(g, (const agn_tensor *[]){y}, 1, (const agn_tensor *[]){wa, wb}, 2, NULL));
        double z = (item(y, 0) - 0.5) / 3;
        check(&t, item(g[0], 0) == 1 && fabs(item(g[1], 0) - z) <= 1e-14 * fabs(z) + 1e-15, "%s",
              laws[k].name);
        agn_release(a), agn_release(b), agn_release(wa), agn_release(wb), agn_release(y);
        agn_release(g[0]), agn_release(g[1]);
    }
    agn_tensor *a = scalar_of(AGN_F64, 0.5), *wa = NULL, *y = NULL, *g = NULL;
    must(agn_watch(&wa, a));
    must(agn_random_exponential(&y, K, wa, 1, (int64_t[]){1}));
    must(agn_gradient(&g, (const agn_tensor *[]){y}, 1, (const agn_tensor *[]){wa}, 1, NULL));
    check(&t, fabs(item(g, 0) + item(y, 0) / 0.5) < 1e-13 * item(y, 0), "exponential");
    agn_release(a), agn_release(wa), agn_release(y), agn_release(g);
    tell(&t, "location and scale: derivatives of the composition");
}

static void test_refused(void)
{
    tally t = {0};
    agn_tensor *a = scalar_of(AGN_F64, 1), *lo = scalar_of(AGN_F64, 0), *hi = scalar_of(AGN_F64, 2),
               *w = NULL, *y = NULL, *g = untouched;
    must(agn_watch(&w, a));
    must(agn_random_truncated_normal(&y, K, w, a, lo, hi, 1, (int64_t[]){1}));
    agn_status st = agn_gradient(&g, (const agn_tensor *[]){y}, 1, (const agn_tensor *[]){w}, 1, NULL);
    check(&t, st == AGN_EUNSUPPORTED && strstr(agn_error_message(), "truncated_path"), "%s",
          agn_error_message());
    agn_release(a), agn_release(lo), agn_release(hi), agn_release(w), agn_release(y);
    tell(&t, "a truncated normal number has no derivative, and says so");
}

int main(void)
{
    agn_generator *g = NULL;
    must(agn_generator_new(&g, 4));
    must(agn_key(&K, g));
    test_gamma();
    test_means();
    test_location_scale();
    test_refused();
    agn_release(K);
    agn_generator_release(g);
    return done();
}
