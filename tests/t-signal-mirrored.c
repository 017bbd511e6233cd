/* t-signal-mirrored - filters of mirrored signals, correlations of images, extrema, peaks over widths,
   roots that lie together, states of filters and placed poles against numbers of SciPy and their
   definitions; derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/linalg.h>
#include <agnesi/signal_analysis.h>
#include <agnesi/signal_systems.h>

#include "data/mirrored.inc"

#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) mirrored_##name, LENGTH(mirrored_##name)

/* rows of numbers, a vector where rows is 0 */
static agn_tensor *tensor_of(int rows, const double *v, int n)
{
    return of_reals(AGN_F64, rows ? 2 : 1, rows ? (int64_t[]){rows, n / rows} : (int64_t[]){n}, v);
}
#define TENSOR(rows, name) tensor_of(rows, NUMBERS(name))
static agn_tensor *complex_of(int rows, const double *v, int n)
{
    agn_tensor *p = of_reals(AGN_F64, 2, (int64_t[]){n / 2, 2}, v), *z = NULL, *y = NULL;
    must(agn_as_complex(&z, p));
    must(agn_reshape(&y, z, rows ? 2 : 1,
                     rows ? (int64_t[]){rows, n / 2 / rows} : (int64_t[]){n / 2}));
    release_all((agn_tensor *[]){p, z}, 2);
    return y;
}
#define SAME(q, y, name, tol) \
    check(q, recorded_error(y, NUMBERS(name)) <= (tol), "%s: %.2g", #name, \
          recorded_error(y, NUMBERS(name)))

static agn_tensor *filter_of(double a, double b, double c)
{
    return of_reals(AGN_F64, 1, (int64_t[]){c == 0 ? 2 : 3}, (double[]){a, b, c});
}

/* ---- mirrored signals ------------------------------------------------------------------------- */

/* place t of a signal of n that is mirrored for ever */
static int64_t mirror(int64_t t, int64_t n, bool repeat)
{
    int64_t period = repeat ? 2 * n : n > 1 ? 2 * (n - 1) : 1;
    t = (t % period + period) % period;
    return t < n ? t : repeat ? period - 1 - t : period - t;
}

/* what is filtered again is the signal, to rounding, of any length and any filter */
static void test_inverse(void)
{
    tally q = {0, 0};
    rnd_stream("signal mirrored", "inverse");
    for (int64_t n = 1; n < 20; n++)
        for (int edge = AGN_PAD_REFLECT; edge <= AGN_PAD_SYMMETRIC; edge++)
            for (int64_t p = 0; p < 5; p++) {
                agn_tensor *x = random_of(n % 2 ? AGN_F64 : AGN_C128, 2, (int64_t[]){3, n}, -1, 1),
                           *y = NULL;
                double h[] = {3, rnd_in(-0.5, 0.5), rnd_in(-0.5, 0.5), 0.3, -0.2}, worst = 0;
                agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){p + 1}, h);
                must(agn_signal_symiir(&y, x, w, -1, edge));
                for (int64_t i = 0; i < 3 * n; i++) {
                    double complex sum = 0;
                    for (int64_t k = -p; k <= p; k++)
                        sum += h[k < 0 ? -k : k] *
                               peekz(y,
                                     i / n * n + mirror(i % n - k, n, edge == AGN_PAD_SYMMETRIC));
                    worst = fmax(worst, cabs(sum - peekz(x, i)));
                }
                check(&q, worst < 1e-14 * 100, "%lld samples, %lld sides, edge %d: %.1e",
                      (long long)n, (long long)p, edge, worst);
                release_all((agn_tensor *[]){x, w, y}, 3);
            }
    /* a filter that takes a frequency out has no inverse */
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){8}, -1, 1), *w = filter_of(2, -1, 0),
               *y = NULL;
    must(agn_signal_symiir(&y, x, w, 0, AGN_PAD_SYMMETRIC));
    check(&q, !isfinite(peek(y, 3)), "no inverse: %g", peek(y, 3));
    release_all((agn_tensor *[]){x, w, y}, 3);
    tell(&q, "recursive filters of mirrored signals undo convolutions");
}

static void test_mirrored(void)
{
    tally q = {0, 0};
    agn_tensor *x = TENSOR(0, x), *m = TENSOR(32, m), *y = NULL, *t = NULL;
    agn_tensor *w = filter_of((1 + 0.3 * 0.3) / 0.7, 0.3 / 0.7, 0);
    must(agn_signal_symiir(&y, x, w, 0, AGN_PAD_SYMMETRIC));
    SAME(&q, y, order1, 1e-12);
    release_all((agn_tensor *[]){w, y}, 2);
    for (int k = 0; k < 2; k++) {
        w = k ? filter_of(6.0 / 8, 1.0 / 8, 0) : filter_of(4.0 / 6, 1.0 / 6, 0);
        must(agn_signal_symiir(&t, m, w, -1, AGN_PAD_SYMMETRIC));
        must(agn_signal_symiir(&y, t, w, 0, AGN_PAD_SYMMETRIC));
        if (k)
            SAME(&q, y, quadratic, 1e-12);
        else
            SAME(&q, y, cubic, 1e-12);
        release_all((agn_tensor *[]){w, y, t}, 3);
    }
    agn_tensor *part = NULL, *row = TENSOR(0, row), *column = TENSOR(0, column);
    must(agn_slice(&part, m, 2, (int64_t[]){0, 0}, (int64_t[]){6, 7}, NULL));
    must(agn_signal_sepfir2d(&y, part, row, column, AGN_PAD_SYMMETRIC));
    SAME(&q, y, separable, 1e-14);
    agn_release(y);
    must(agn_signal_gauss_spline(&y, x, 3));
    SAME(&q, y, bell, 1e-15);
    release_all((agn_tensor *[]){x, m, y, part, row, column}, 6);
    tell(&q, "mirrored filters and splines of SciPy");
}

static void test_images(void)
{
    static const struct {
        int mode, edge;
        const double *want;
        int n;
    } cases[] = {{AGN_FULL, -1, NUMBERS(correlate_full_fill)},
                 {AGN_FULL, AGN_PAD_SYMMETRIC, NUMBERS(correlate_full_symm)},
                 {AGN_FULL, AGN_PAD_WRAP, NUMBERS(correlate_full_wrap)},
                 {AGN_SAME, -1, NUMBERS(correlate_same_fill)},
                 {AGN_SAME, AGN_PAD_SYMMETRIC, NUMBERS(correlate_same_symm)},
                 {AGN_SAME, AGN_PAD_WRAP, NUMBERS(correlate_same_wrap)},
                 {AGN_VALID, -1, NUMBERS(correlate_valid_fill)},
                 {AGN_VALID, AGN_PAD_SYMMETRIC, NUMBERS(correlate_valid_symm)},
                 {AGN_VALID, AGN_PAD_WRAP, NUMBERS(correlate_valid_wrap)}};
    tally q = {0, 0};
    agn_tensor *m = TENSOR(32, m), *v = complex_of(2, NUMBERS(kernel)), *part = NULL, *y = NULL;
    must(agn_slice(&part, m, 2, (int64_t[]){0, 0}, (int64_t[]){4, 5}, NULL));
    for (int k = 0; k < COUNT(cases); k++) {
        must(agn_signal_correlate2d(&y, part, v, cases[k].mode, cases[k].edge, 0));
        double e = recorded_error(y, cases[k].want, cases[k].n);
        check(&q, e < 1e-14, "mode %d, edge %d: %.1e", cases[k].mode, cases[k].edge, e);
        agn_release(y);
    }
    agn_tensor *taps = TENSOR(0, circle_taps), *row = TENSOR(0, row), *column = TENSOR(0, column);
    must(agn_signal_design_fir_2d(&y, taps, NULL, 6, 8));
    SAME(&q, y, circle, 1e-14);
    agn_release(y);
    must(agn_signal_design_fir_2d(&y, row, column, 3, 5));
    double worst = 0;
    for (int k = 0; k < 15; k++)
        worst = fmax(worst, fabs(peek(y, k) - peek(column, k / 5) * peek(row, k % 5)));
    check(&q, worst == 0, "a product of two filters: %g", worst);
    release_all((agn_tensor *[]){m, v, part, y, taps, row, column}, 7);
    tell(&q, "correlations of images, filters of two axes");
}

/* ---- extrema ---------------------------------------------------------------------------------- */

static agn_tensor *places_of(const agn_tensor *x, int64_t order, bool least, bool circle)
{
    agn_tensor *y = NULL, *at = NULL;
    must(agn_signal_local_extrema(&y, x, order, 0, least, circle));
    must(agn_argwhere(&at, y));
    agn_release(y);
    return at;
}

static void test_extrema(void)
{
    tally q = {0, 0};
    agn_tensor *x = TENSOR(0, steps), *y = places_of(x, 2, false, false);
    SAME(&q, y, greater2, 0);
    agn_release(y);
    y = places_of(x, 1, true, true);
    SAME(&q, y, less1, 0);
    release_all((agn_tensor *[]){x, y}, 2);
    /* NaN is above nothing, and nothing above it */
    static const double odd[] = {0, 1, 0, (double)NAN, 0, 2, 0};
    x = of_reals(AGN_F64, 1, (int64_t[]){7}, odd);
    y = places_of(x, 1, false, false);
    check(&q, agn_numel(y) == 2 && peek(y, 0) == 1 && peek(y, 1) == 5, "beside NaN");
    release_all((agn_tensor *[]){x, y}, 2);
    x = TENSOR(0, slow);
    double widths[14], more[12];
    for (int k = 0; k < 14; k++)
        widths[k] = k + 1;
    for (int k = 0; k < 12; k++)
        more[k] = 2 + 1.5 * k;
    must(agn_signal_find_peaks_cwt(&y, x, widths, 14, NULL));
    SAME(&q, y, peaks, 0);
    agn_release(y);
    agn_signal_ridge_options o = {.size = sizeof o,
                                  .distance = 0.5,
                                  .gap = 1,
                                  .least = 4,
                                  .snr = 2.5,
                                  .percentile = 25,
                                  .window = 31};
    must(agn_signal_find_peaks_cwt(&y, x, more, 12, &o));
    SAME(&q, y, peaks_clear, 0);
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "extrema and peaks of SciPy");
}

/* ---- states and roots ------------------------------------------------------------------------- */

static void test_states(void)
{
    tally q = {0, 0};
    agn_tensor *b = TENSOR(0, state_b), *a = TENSOR(0, state_a), *y = TENSOR(0, state_y),
               *u = TENSOR(0, state_u), *z = NULL;
    must(agn_signal_lfiltic(&z, b, a, y, u));
    SAME(&q, z, state, 1e-14);
    agn_release(z);
    must(agn_signal_lfiltic(&z, b, a, y, NULL));
    SAME(&q, z, state_still, 1e-14);
    release_all((agn_tensor *[]){y, u, z}, 3);
    int64_t none = 0;
    must(agn_zeros(&y, AGN_F64, 1, &none));
    must(agn_signal_lfiltic(&z, b, a, y, y)); /* at rest */
    for (int64_t i = 0; i < agn_numel(z); i++)
        check(&q, peek(z, i) == 0, "state %d of a filter without a past", (int)i);
    check(&q, agn_numel(z) > 0, "no state");
    release_all((agn_tensor *[]){b, a, y, z}, 4);
    agn_tensor *p = complex_of(0, NUMBERS(roots)), *roots = NULL, *times = NULL;
    must(agn_signal_unique_roots(&roots, &times, p, 1e-3, AGN_ROOT_LEAST));
    SAME(&q, roots, roots_min, 0);
    SAME(&q, times, times_min, 0);
    release_all((agn_tensor *[]){roots, times}, 2);
    must(agn_signal_unique_roots(&roots, &times, p, 1e-3, AGN_ROOT_GREATEST));
    SAME(&q, roots, roots_max, 0);
    release_all((agn_tensor *[]){roots, times}, 2);
    must(agn_signal_unique_roots(&roots, &times, p, 1e-3, AGN_ROOT_MEAN));
    SAME(&q, roots, roots_avg, 1e-15);
    SAME(&q, times, times_avg, 0);
    release_all((agn_tensor *[]){roots, times, p}, 3);
    static const struct {
        int n, m, mode;
        const double *want;
        int count;
    } lags[] = {
        {7, 4, AGN_FULL, NUMBERS(lags_7_4_full)},   {7, 4, AGN_SAME, NUMBERS(lags_7_4_same)},
        {7, 4, AGN_VALID, NUMBERS(lags_7_4_valid)}, {4, 7, AGN_FULL, NUMBERS(lags_4_7_full)},
        {4, 7, AGN_SAME, NUMBERS(lags_4_7_same)},   {4, 7, AGN_VALID, NUMBERS(lags_4_7_valid)},
        {5, 5, AGN_FULL, NUMBERS(lags_5_5_full)},   {5, 5, AGN_SAME, NUMBERS(lags_5_5_same)},
        {5, 5, AGN_VALID, NUMBERS(lags_5_5_valid)}, {6, 1, AGN_SAME, NUMBERS(lags_6_1_same)}};
    for (int k = 0; k < COUNT(lags); k++) {
        must(agn_signal_correlation_lags(&z, lags[k].n, lags[k].m, lags[k].mode));
        check(&q, recorded_error(z, lags[k].want, lags[k].count) == 0, "lags of %d and %d, mode %d",
              lags[k].n, lags[k].m, lags[k].mode);
        agn_release(z);
    }
    tell(&q, "states, roots that lie together, lags");
}

/* how far the poles of a - b gain are from those wanted */
static double miss_poles(const agn_tensor *a, const agn_tensor *b, const agn_tensor *gain,
                         const agn_tensor *poles)
{
    agn_tensor *f = NULL, *m = NULL, *have = NULL;
    double worst = 0;
    must(agn_matmul(&f, b, gain));
    must(agn_sub(&m, a, f));
    must(agn_linalg_eigvals(&have, m));
    for (int64_t i = 0; i < agn_numel(poles); i++) {
        double off = (double)INFINITY;
        for (int64_t k = 0; k < agn_numel(poles); k++)
            off = fmin(off, cabs(peekz(have, k) - peekz(poles, i)));
        worst = fmax(worst, off);
    }
    release_all((agn_tensor *[]){f, m, have}, 3);
    return worst;
}

static void test_places(void)
{
    tally q = {0, 0};
    agn_tensor *a = TENSOR(6, a_matrix), *b = TENSOR(6, b_matrix), *real = TENSOR(0, real),
               *pairs = complex_of(0, NUMBERS(pairs)), *f = NULL;
    must(agn_signal_place_poles(&f, a, b, real, AGN_PLACE_YT, 30, 1e-3));
    SAME(&q, f, gain_yt, 1e-9);
    check(&q, miss_poles(a, b, f, real) < 1e-6, "real poles: %g", miss_poles(a, b, f, real));
    agn_release(f);
    must(agn_signal_place_poles(&f, a, b, real, AGN_PLACE_KNV0, 30, 1e-3));
    SAME(&q, f, gain_knv, 1e-9);
    agn_release(f);
    must(agn_signal_place_poles(&f, a, b, pairs, AGN_PLACE_YT, 30, 1e-3));
    SAME(&q, f, gain_yt_pairs, 1e-9);
    check(&q, miss_poles(a, b, f, pairs) < 1e-9, "pairs: %g", miss_poles(a, b, f, pairs));
    release_all((agn_tensor *[]){a, b, f, real, pairs}, 5);
    /* any number of inputs, one of them a sum of others as well */
    rnd_stream("signal mirrored", "places");
    for (int64_t n = 1; n < 8; n++)
        for (int64_t m = 1; m <= n + 1; m++)
            for (int twin = 0; twin < 2; twin++) {
                double v[16] = {0};
                for (int64_t k = 0; k + 1 < n; k += 2) { /* pairs, one real pole for odd n */
                    v[2 * k] = v[2 * k + 2] = -rnd_in(0, 1) - 0.1 * (double)k;
                    v[2 * k + 1] = rnd_in(0.2, 1.2);
                    v[2 * k + 3] = -v[2 * k + 1];
                }
                v[2 * n - 2] = n % 2 ? -3 : v[2 * n - 2];
                a = random_of(AGN_F64, 2, (int64_t[]){n, n}, -1, 1);
                b = random_of(AGN_F64, 2, (int64_t[]){n, m}, -1, 1);
                if (twin) {
                    agn_tensor *two = NULL;
                    must(agn_concat(&two, (const agn_tensor *[]){b, b}, 2, 1));
                    agn_release(b);
                    b = two;
                }
                agn_tensor *poles = complex_of(0, v, (int)(2 * n));
                must(agn_signal_place_poles(&f, a, b, poles, AGN_PLACE_YT, 30, 1e-3));
                double off = miss_poles(a, b, f, poles);
                check(&q, off < 1e-6, "order %lld, %lld inputs, twice %d: %.1e off", (long long)n,
                      (long long)m, twin, off);
                release_all((agn_tensor *[]){a, b, f, poles}, 4);
            }
    for (int64_t n = 1; n < 6; n++) { /* dead beat: all at 0, or as good as there */
        a = random_of(AGN_F64, 2, (int64_t[]){n, n}, -1, 1);
        b = random_of(AGN_F64, 2, (int64_t[]){n, n}, -1, 1);
        for (int small = 0; small < 2; small++) {
            agn_tensor *poles = NULL;
            must(agn_full(&poles, AGN_F64, 1, &n, small ? 1e-30 : 0));
            must(agn_signal_place_poles(&f, a, b, poles, AGN_PLACE_YT, 30, 1e-3));
            double off = miss_poles(a, b, f, poles);
            check(&q, off < 1e-12, "order %lld, poles at 0: %.1e off", (long long)n, off);
            release_all((agn_tensor *[]){f, poles}, 2);
        }
        release_all((agn_tensor *[]){a, b}, 2);
    }
    tell(&q, "placed poles");
}

/* ---- derivatives ------------------------------------------------------------------------------ */

enum { REFLECTED, REPEATED, SEPARABLE, CORRELATED, STATE, BELL, CIRCLE, BODIES };
static const char *const names[] = {
    "symiir by reflection", "symiir by repetition", "sepfir2d", "correlate2d", "lfiltic",
    "gauss_spline",         "design_fir_2d"};

/* w with a middle above twice its sides */
static const agn_tensor *middle_of(agn_scope *s, const agn_tensor *w)
{
    const agn_tensor *first = ag_slice(s, w, 1, (int64_t[]){0}, (int64_t[]){1}, NULL);
    return ag_concat(s,
                     (const agn_tensor *[]){ag_add_c(s, first, 3), ag_slice(s, w, 1, (int64_t[]){1},
                                                                            (int64_t[]){3}, NULL)},
                     2, 0);
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    const agn_tensor *h = ag_index_axis(s, x[0], 0, 0),
                     *rows = ag_reshape(s, x[0], 2, (int64_t[]){4, 4});
    const agn_tensor *w = ag_slice(s, h, 1, (int64_t[]){0}, (int64_t[]){3}, NULL);
    switch (*(int *)user) {
    case REFLECTED:
        y[0] = ag_signal_symiir(s, rows, middle_of(s, w), -1, AGN_PAD_REFLECT);
        break;
    case REPEATED:
        y[0] = ag_signal_symiir(s, rows, middle_of(s, w), 0, AGN_PAD_SYMMETRIC);
        break;
    case SEPARABLE:
        y[0] = ag_signal_sepfir2d(s, rows, w, w, AGN_PAD_REFLECT);
        break;
    case CORRELATED:
        y[0] = ag_signal_correlate2d(s, rows, rows, AGN_SAME, AGN_PAD_WRAP, 0);
        break;
    case STATE:
        y[0] = ag_signal_lfiltic(s, h, w, rows, rows);
        break;
    case BELL:
        y[0] = ag_signal_gauss_spline(s, rows, 2);
        break;
    default:
        y[0] = ag_square(s, ag_signal_design_fir_2d(s, h, NULL, 3, 4));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("signal mirrored", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.3, 0.8);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 1e-5, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures --------------------------------------------------------------------------------- */

static agn_tensor *out = untouched, *other = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_filters(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z)
{
    static const char sy[] = "signal_symiir", se[] = "signal_sepfir2d", co[] = "signal_correlate2d",
                      ga[] = "signal_gauss_spline", de[] = "signal_design_fir_2d",
                      la[] = "signal_correlation_lags", lf[] = "signal_lfiltic";
    NO(agn_signal_symiir(NULL, x, x, 0, AGN_PAD_REFLECT), AGN_ENULL, sy, "out", "NULL");
    NO(agn_signal_symiir(&out, NULL, x, 0, AGN_PAD_REFLECT), AGN_ENULL, sy, "x is", "NULL");
    NO(agn_signal_symiir(&out, x, NULL, 0, AGN_PAD_REFLECT), AGN_ENULL, sy, "h is", "NULL");
    NO(agn_signal_symiir(&out, x, z, 0, AGN_PAD_REFLECT), AGN_EDTYPE, sy, "c64", "real");
    NO(agn_signal_symiir(&out, x, m, 0, AGN_PAD_REFLECT), AGN_ESHAPE, sy, "[6,5]", "taps");
    NO(agn_signal_symiir(&out, x, x, 1, AGN_PAD_REFLECT), AGN_EINDEX, sy, "axis 1", "1");
    NO(agn_signal_symiir(&out, x, x, 0, AGN_PAD_WRAP), AGN_EARG, sy, "edge", "is");
    NO(agn_signal_sepfir2d(NULL, m, x, x, AGN_PAD_REFLECT), AGN_ENULL, se, "out", "NULL");
    NO(agn_signal_sepfir2d(&out, NULL, x, x, AGN_PAD_REFLECT), AGN_ENULL, se, "x is", "NULL");
    NO(agn_signal_sepfir2d(&out, m, NULL, x, AGN_PAD_REFLECT), AGN_ENULL, se, "row", "NULL");
    NO(agn_signal_sepfir2d(&out, m, x, NULL, AGN_PAD_REFLECT), AGN_ENULL, se, "column", "NULL");
    NO(agn_signal_sepfir2d(&out, x, x, x, AGN_PAD_REFLECT), AGN_ESHAPE, se, "[40]", "axes");
    NO(agn_signal_sepfir2d(&out, m, x, x, AGN_PAD_REFLECT), AGN_ESHAPE, se, "[6,5]", "[40]");
    NO(agn_signal_sepfir2d(&out, m, x, x, 0), AGN_EARG, se, "edge", "0");
    NO(agn_signal_correlate2d(NULL, m, m, AGN_FULL, -1, 0), AGN_ENULL, co, "out", "NULL");
    NO(agn_signal_correlate2d(&out, NULL, m, AGN_FULL, -1, 0), AGN_ENULL, co, "a is", "NULL");
    NO(agn_signal_correlate2d(&out, m, NULL, AGN_FULL, -1, 0), AGN_ENULL, co, "v is", "NULL");
    NO(agn_signal_correlate2d(&out, m, x, AGN_FULL, -1, 0), AGN_ESHAPE, co, "[6,5]", "[40]");
    NO(agn_signal_correlate2d(&out, m, m, 7, -1, 0), AGN_EARG, co, "mode 7", "edge -1");
    NO(agn_signal_gauss_spline(NULL, x, 1), AGN_ENULL, ga, "out", "NULL");
    NO(agn_signal_gauss_spline(&out, NULL, 1), AGN_ENULL, ga, "x is", "NULL");
    NO(agn_signal_gauss_spline(&out, z, 1), AGN_EDTYPE, ga, "c64", "real");
    NO(agn_signal_gauss_spline(&out, x, -1), AGN_EARG, ga, "degree -1", "[40]");
    NO(agn_signal_design_fir_2d(NULL, x, NULL, 3, 3), AGN_ENULL, de, "out", "NULL");
    NO(agn_signal_design_fir_2d(&out, NULL, NULL, 3, 3), AGN_ENULL, de, "row", "NULL");
    NO(agn_signal_design_fir_2d(&out, z, NULL, 3, 3), AGN_EDTYPE, de, "c64", "real");
    NO(agn_signal_design_fir_2d(&out, m, NULL, 3, 3), AGN_ESHAPE, de, "[6,5]", "taps");
    NO(agn_signal_design_fir_2d(&out, x, x, 40, 39), AGN_EARG, de, "40 times 39", "[40]");
    NO(agn_signal_design_fir_2d(&out, x, NULL, 0, 3), AGN_EARG, de, "0 times 3", "[40]");
    NO(agn_signal_correlation_lags(NULL, 3, 3, AGN_FULL), AGN_ENULL, la, "out", "NULL");
    NO(agn_signal_correlation_lags(&out, 0, 3, AGN_FULL), AGN_EARG, la, "0 and 3", "mode");
    NO(agn_signal_correlation_lags(&out, 3, 3, 9), AGN_EARG, la, "3 and 3", "mode 9");
    NO(agn_signal_lfiltic(NULL, x, x, x, x), AGN_ENULL, lf, "out", "NULL");
    NO(agn_signal_lfiltic(&out, NULL, x, x, x), AGN_ENULL, lf, "b is", "NULL");
    NO(agn_signal_lfiltic(&out, x, NULL, x, x), AGN_ENULL, lf, "a is", "NULL");
    NO(agn_signal_lfiltic(&out, x, x, NULL, x), AGN_ENULL, lf, "y is", "NULL");
    NO(agn_signal_lfiltic(&out, m, x, x, x), AGN_ESHAPE, lf, "[6,5]", "[40]");
    agn_tensor *one = scalar_of(AGN_F64, 1);
    NO(agn_signal_lfiltic(&out, x, x, one, x), AGN_ESHAPE, lf, "y is []", "samples");
    NO(agn_signal_lfiltic(&out, x, x, x, one), AGN_ESHAPE, lf, "x is []", "samples");
    agn_release(one);
}

static void refuse_searches(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z)
{
    static const char lo[] = "signal_local_extrema", fi[] = "signal_find_peaks_cwt",
                      un[] = "signal_unique_roots";
    static const double w[] = {1, 2}, falls[] = {2, 1};
    agn_tensor *nan = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0, (double)NAN, 1});
    agn_signal_ridge_options strange = {.size = 1}, bad = {.size = sizeof bad, .percentile = 101};
    NO(agn_signal_local_extrema(NULL, x, 1, 0, false, false), AGN_ENULL, lo, "out", "NULL");
    NO(agn_signal_local_extrema(&out, NULL, 1, 0, false, false), AGN_ENULL, lo, "x is", "NULL");
    NO(agn_signal_local_extrema(&out, z, 1, 0, false, false), AGN_EDTYPE, lo, "c64", "real");
    NO(agn_signal_local_extrema(&out, x, 1, 2, false, false), AGN_EINDEX, lo, "axis 2", "1");
    NO(agn_signal_local_extrema(&out, x, 0, 0, false, false), AGN_EARG, lo, "order of 0", "[40]");
    NO(agn_signal_find_peaks_cwt(NULL, x, w, 2, NULL), AGN_ENULL, fi, "out", "NULL");
    NO(agn_signal_find_peaks_cwt(&out, NULL, w, 2, NULL), AGN_ENULL, fi, "x is", "NULL");
    NO(agn_signal_find_peaks_cwt(&out, x, NULL, 2, NULL), AGN_ENULL, fi, "widths", "NULL");
    NO(agn_signal_find_peaks_cwt(&out, z, w, 2, NULL), AGN_EDTYPE, fi, "c64", "real");
    NO(agn_signal_find_peaks_cwt(&out, m, w, 2, NULL), AGN_ESHAPE, fi, "[6,5]", "row");
    NO(agn_signal_find_peaks_cwt(&out, x, falls, 2, NULL), AGN_EARG, fi, "width 1 is 1", "rise");
    NO(agn_signal_find_peaks_cwt(&out, x, w, 0, NULL), AGN_EARG, fi, "0 widths", "65536");
    NO(agn_signal_find_peaks_cwt(&out, x, w, 2, &strange), AGN_EARG, fi, "size", "1");
    NO(agn_signal_find_peaks_cwt(&out, x, w, 2, &bad), AGN_EARG, fi, "percentile 101", "100");
    NO(agn_signal_find_peaks_cwt(&out, nan, w, 2, NULL), AGN_EDOMAIN, fi, "entry 1", "nan");
    NO(agn_signal_unique_roots(NULL, &out, x, 0, 0), AGN_ENULL, un, "roots", "NULL");
    NO(agn_signal_unique_roots(&other, NULL, x, 0, 0), AGN_ENULL, un, "multiplicity", "NULL");
    NO(agn_signal_unique_roots(&other, &out, NULL, 0, 0), AGN_ENULL, un, "p is", "NULL");
    NO(agn_signal_unique_roots(&other, &out, m, 0, 0), AGN_ESHAPE, un, "[6,5]", "one axis");
    NO(agn_signal_unique_roots(&other, &out, x, -1, 0), AGN_EARG, un, "tolerance of -1", "kind 0");
    NO(agn_signal_unique_roots(&other, &out, x, 0, 3), AGN_EARG, un, "kind 3", "0 to 2");
    NO(agn_signal_unique_roots(&other, &out, nan, 0, 0), AGN_EDOMAIN, un, "root 1", "finite");
    agn_release(nan);
}

static void refuse_places(tally *q, agn_tensor *x)
{
    static const char pl[] = "signal_place_poles";
    static const double numbers[] = {1, 2, 3, 4}, still[] = {1, 0, 0, 2},
                        nan[] = {1, (double)NAN, 3, 4};
    static const double lone[] = {-1, 2, -1, 3}, pair[] = {-1, 2, -1, -2};
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, numbers),
               *b = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, numbers),
               *p = of_reals(AGN_F64, 1, (int64_t[]){2}, numbers),
               *d = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, still),
               *n = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, nan),
               *twice = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){-1, -1}),
               *zero = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){0, 0}),
               *first = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){1, 0}),
               *one = complex_of(0, lone, 4), *two = complex_of(0, pair, 4), *z = NULL,
               *apart = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){-1, -2});
    must(agn_cast(&z, a, AGN_C128));
    NO(agn_signal_place_poles(NULL, a, b, p, 0, 30, 1e-3), AGN_ENULL, pl, "gain", "NULL");
    NO(agn_signal_place_poles(&out, NULL, b, p, 0, 30, 1e-3), AGN_ENULL, pl, "a is", "NULL");
    NO(agn_signal_place_poles(&out, a, NULL, p, 0, 30, 1e-3), AGN_ENULL, pl, "b is", "NULL");
    NO(agn_signal_place_poles(&out, a, b, NULL, 0, 30, 1e-3), AGN_ENULL, pl, "poles", "NULL");
    NO(agn_signal_place_poles(&out, z, b, p, 0, 30, 1e-3), AGN_EDTYPE, pl, "c128", "real");
    NO(agn_signal_place_poles(&out, a, b, x, 0, 30, 1e-3), AGN_ESHAPE, pl, "[2,2]", "[40]");
    NO(agn_signal_place_poles(&out, a, b, p, 2, 30, 1e-3), AGN_EARG, pl, "method 2", "30");
    NO(agn_signal_place_poles(&out, a, b, p, 0, 0, 1e-3), AGN_EARG, pl, "method 0", "0 iterations");
    NO(agn_signal_place_poles(&out, a, b, p, 0, 30, 2), AGN_EARG, pl, "tolerance of 2", "method 0");
    NO(agn_signal_place_poles(&out, n, b, p, 0, 30, 1e-3), AGN_EDOMAIN, pl, "[2,2]", "finite");
    NO(agn_signal_place_poles(&out, a, b, one, 0, 30, 1e-3), AGN_EDOMAIN, pl, "pole", "conjugate");
    NO(agn_signal_place_poles(&out, a, b, twice, 0, 30, 1e-3), AGN_EDOMAIN, pl, "2 times", "rank");
    NO(agn_signal_place_poles(&out, a, b, two, AGN_PLACE_KNV0, 30, 1e-3), AGN_EDOMAIN, pl, "2 of 2",
       "KNV0");
    NO(agn_signal_place_poles(&out, a, zero, p, 0, 30, 1e-3), AGN_EDOMAIN, pl, "[2,1]", "0");
    NO(agn_signal_place_poles(&out, d, first, apart, 0, 30, 1e-3), AGN_EDOMAIN, pl, "pole", "feedback");
    release_all((agn_tensor *[]){a, b, p, d, n, twice, zero, first, one, two, z, apart}, 12);
}

/* ---- memory ----------------------------------------------------------------------------------- */

enum {
    MAKE_SYMIIR,
    MAKE_SEPARABLE,
    MAKE_CORRELATED,
    MAKE_BELL,
    MAKE_CIRCLE,
    MAKE_LAGS,
    MAKE_STATE,
    MAKE_EXTREMA,
    MAKE_PEAKS,
    MAKE_ROOTS,
    MAKE_POLES,
    MAKES
};
static const char *const made[] = {"symiir",       "sepfir2d",      "correlate2d",
                                   "gauss_spline", "design_fir_2d", "correlation_lags",
                                   "lfiltic",      "local_extrema", "find_peaks_cwt",
                                   "unique_roots", "place_poles"};
typedef struct making {
    int what;
    agn_tensor *x, *m, *w, *poles;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    static const double widths[] = {1, 2, 3};
    const making *a = user;
    agn_tensor *more = NULL;
    agn_status st;
    switch (a->what) {
    case MAKE_SYMIIR:
        return agn_signal_symiir(y, a->x, a->w, 0, AGN_PAD_REFLECT);
    case MAKE_SEPARABLE:
        return agn_signal_sepfir2d(y, a->m, a->w, a->w, AGN_PAD_REFLECT);
    case MAKE_CORRELATED:
        return agn_signal_correlate2d(y, a->m, a->m, AGN_SAME, -1, 0);
    case MAKE_BELL:
        return agn_signal_gauss_spline(y, a->x, 3);
    case MAKE_CIRCLE:
        return agn_signal_design_fir_2d(y, a->x, NULL, 4, 4);
    case MAKE_LAGS:
        return agn_signal_correlation_lags(y, 3, 4, AGN_FULL);
    case MAKE_STATE:
        return agn_signal_lfiltic(y, a->w, a->w, a->x, a->x);
    case MAKE_EXTREMA:
        return agn_signal_local_extrema(y, a->x, 1, 0, false, false);
    case MAKE_PEAKS:
        return agn_signal_find_peaks_cwt(y, a->x, widths, 3, NULL);
    case MAKE_ROOTS:
        st = agn_signal_unique_roots(y, &more, a->x, 0.1, AGN_ROOT_MEAN);
        if (!st)
            agn_release(more);
        return st;
    default:
        return agn_signal_place_poles(y, a->m, a->m, a->poles, AGN_PLACE_YT, 3, 0);
    }
}

int main(void)
{
    tally q = {0, 0};
    test_inverse();
    test_mirrored();
    test_images();
    test_extrema();
    test_states();
    test_places();
    test_modes();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, 0.1, 1),
               *m = random_of(AGN_F64, 2, (int64_t[]){6, 5}, 0.1, 1),
               *z = random_of(AGN_C64, 1, (int64_t[]){4}, -1, 1);
    refuse_filters(&q, x, m, z);
    refuse_searches(&q, x, m, z);
    refuse_places(&q, x);
    check(&q, out == untouched && other == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0, x, random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.1, 1), filter_of(2, 0.3, 0.1),
                random_of(AGN_F64, 1, (int64_t[]){4}, -2, -1)};
    for (; a.what < MAKES; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){x, m, z, a.m, a.w, a.poles}, 6);
    return done();
}
