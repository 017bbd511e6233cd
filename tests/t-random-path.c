/* tests/t-random-path.c - derivatives of draws in the parameters of their laws: location and
   scale by composition, the concentration of gamma numbers and bounds by implicit differentiation. */
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
            must(agn_fn_call(out, 2, df, AGN_ARGS(a, v)));
            must(agn_fn_jvp(&ddf, df));
            agn_tensor *zero = scalar_of(AGN_F64, 0);
            must(agn_fn_call(out2, 4, ddf, AGN_ARGS(a, v, v, zero)));
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

/* ---- between two bounds -------------------------------------------------------------------------- */

/* The number that leaves the same share p / (p + q) of the probability below it: Newton on the tail
   that is small, in long double. low >= 0, or both tails are seen from the upper side. */
static long double upper(long double x)
{
    return erfcl(x * 0.70710678118654752440084436210485L);
}
static long double between(long double low, long double high, long double share, long double z)
{
    long double aim = upper(low) + share * (upper(high) - upper(low));
    for (int i = 0; i < 60; i++)
        z -= (aim - upper(z)) * 1.2533141373155002512078826424055L * expl(z * z / 2);
    return z;
}

/* first and second derivative in one bound, by differences of three widths */
static void moves_between(double low, double high, double z, bool in_low, double d[2])
{
    long double share = (upper(low) - upper(z)) / (upper(low) - upper(high)), row[2][3];
    long double step = isinf(high) ? 0.05L : fminl(0.05L, ((long double)high - low) / 32);
    for (int k = 0; k < 3; k++, step /= 2) {
        long double up = between(low + in_low * step, high + !in_low * step, share, z),
                    down = between(low - in_low * step, high - !in_low * step, share, z);
        row[0][k] = (up - down) / (2 * step);
        row[1][k] = (up - 2 * (long double)z + down) / (step * step);
    }
    for (int o = 0; o < 2; o++) {
        row[o][0] = (4 * row[o][1] - row[o][0]) / 3, row[o][1] = (4 * row[o][2] - row[o][1]) / 3;
        d[o] = (double)((16 * row[o][1] - row[o][0]) / 15);
    }
}

static agn_status draw_between(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)user;
    out[0] = ag_random_truncated_normal(s, K, ag_lit(s, 0), ag_lit(s, 1), in[0], in[1], 1, &few);
    return AGN_OK;
}

static void test_truncated(void)
{
    tally t = {0};
    double worst[2] = {0};
    static const double at[][2] = {{-1, 2},   {-0.3, 0.9}, {0, 1},  {0.4, 0.5}, {2, 3},
                                   {6, 8},    {12, 12.5},  {-2, -1}, {-9, -6},  {-8, 0.5},
                                   {-8, 8.5}, {1, INFINITY}, {-1, INFINITY}, {-INFINITY, -3}};
    agn_fn *f = NULL, *df = NULL, *ddf = NULL;
    must(agn_fn_new(&f, draw_between, NULL, NULL, 2, 1));
    must(agn_fn_jvp(&df, f));
    must(agn_fn_jvp(&ddf, df));
    for (int k = 0; k < COUNT(at); k++)
        for (int side = 0; side < 2; side++) {
            double low = at[k][0], high = at[k][1];
            if (isinf(at[k][side]))
                continue;
            agn_tensor *a = scalar_of(AGN_F64, low), *b = scalar_of(AGN_F64, high), *out[4] = {NULL},
                       *v[2] = {scalar_of(AGN_F64, side == 0), scalar_of(AGN_F64, side == 1)},
                       *no = scalar_of(AGN_F64, 0);
            must(agn_fn_call(out, 4, ddf, AGN_ARGS(a, b, v[0], v[1], v[0], v[1], no, no)));
            for (int64_t i = 0; i < few; i++) {
                double z = item(out[0], i), want[2];
                bool turn = high < -low; /* the other side is the same there */
                moves_between(turn ? -high : low, turn ? -low : high, turn ? -z : z,
                              turn == (side == 1), want);
                want[1] *= turn ? -1 : 1;
                double have[2] = {item(out[1], i), item(out[3], i)};
                for (int o = 0; o < 2; o++) {
                    double e = fabs(have[o] - want[o]) / (fabs(want[0]) + fabs(want[o]) + 1e-6);
                    worst[o] = fmax(worst[o], e);
                    check(&t, e < (o ? 1e-5 : 1e-8), "[%g, %g] at %g, bound %d, order %d: %.10g, not %.10g",
                          low, high, z, side, o + 1, have[o], want[o]);
                }
            }
            for (int i = 0; i < 4; i++)
                agn_release(out[i]);
            agn_release(a), agn_release(b), agn_release(v[0]), agn_release(v[1]), agn_release(no);
        }
    agn_fn_release(f), agn_fn_release(df), agn_fn_release(ddf);
    diag("truncated: largest difference from quotients, first %.1e, second %.1e", worst[0], worst[1]);

    /* all four parameters: x = m + d z of bounds in standard units */
    agn_tensor *p[4], *w[4], *y = NULL, *g[4] = {NULL};
    static const double q[4] = {0.5, 2, -1, 4};
    for (int i = 0; i < 4; i++) {
        p[i] = scalar_of(AGN_F64, q[i]);
        must(agn_watch(&w[i], p[i]));
    }
    must(agn_random_truncated_normal(&y, K, w[0], w[1], w[2], w[3], 1, (int64_t[]){1}));
    must(agn_gradient(g, (const agn_tensor *[]){y}, 1, (const agn_tensor *const *)w, 4, NULL));
    double d[2], e[2], z = (item(y, 0) - 0.5) / 2;
    moves_between(-0.75, 1.75, z, true, d);
    moves_between(-0.75, 1.75, z, false, e);
    double want[4] = {1 - d[0] - e[0], z + 0.75 * d[0] - 1.75 * e[0], d[0], e[0]};
    for (int i = 0; i < 4; i++)
        check(&t, fabs(item(g[i], 0) - want[i]) < 1e-8, "parameter %d: %g, not %g", i,
              item(g[i], 0), want[i]);
    for (int i = 0; i < 4; i++)
        agn_release(p[i]), agn_release(w[i]), agn_release(g[i]);
    agn_release(y);
    tell(&t, "a truncated normal number moves with its bounds as a quantile does");
}

int main(void)
{
    agn_generator *g = NULL;
    must(agn_generator_new(&g, 4));
    must(agn_key(&K, g));
    test_gamma();
    test_means();
    test_location_scale();
    test_truncated();
    agn_release(K);
    agn_generator_release(g);
    return done();
}
