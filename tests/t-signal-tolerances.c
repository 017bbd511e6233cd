/* t-signal-tolerances - orders of filters, filters from gains, gammatone filters, binary sequences,
   sweeps, periods of events and splines against numbers of SciPy and what defines them; derivatives
   in every mode; failures. */
#include "modes.h"

#include <agnesi/signal_analysis.h>

#include "data/tolerances.inc"

#define PI 3.14159265358979323846
#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) tolerances_##name, LENGTH(tolerances_##name)
#define APART(y, name) apart_from(y, NUMBERS(name))

static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = 0, most = 1e-300;
    if (agn_numel(y) != n)
        return (double)INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double e = fabs(peek(y, i) - want[i]);
        worst = e > worst || isnan(e) ? e : worst;
        most = fmax(most, fabs(want[i]));
    }
    return worst / most;
}
static agn_tensor *vector_of(const double *v, int n)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
#define VECTOR(name) vector_of(NUMBERS(name))

/* ---- design ---------------------------------------------------------------------------------- */

/* dB that a filter takes from a frequency */
static double loss_at(const agn_tensor *sos, double f, double rate)
{
    double complex z = cexp(z_of(0, -2 * PI * f / rate)), h = 1;
    for (int64_t k = 0; k < agn_shape(sos)[0]; k++) {
        double c[6];
        for (int j = 0; j < 6; j++)
            c[j] = peek(sos, 6 * k + j);
        h *= (c[0] + z * (c[1] + z * c[2])) / (c[3] + z * (c[4] + z * c[5]));
    }
    return -20 * log10(cabs(h));
}

static void test_orders(void)
{
    tally q = {0, 0};
    for (int row = 0; row < LENGTH(tolerances_orders) / 12; row++) {
        const double *v = tolerances_orders + 12 * row;
        agn_signal_iir_options o = {.size = sizeof o,
                                    .family = (int32_t)v[0],
                                    .band = (int32_t)v[1],
                                    .low = v[2],
                                    .high = v[3],
                                    .rate = v[6],
                                    .ripple = v[7],
                                    .attenuation = v[8]},
                               r = {.size = 0};
        must(agn_signal_choose_iir_order(&r, &o, v[4], v[5]));
        /* SciPy finds the edges of stopped bands by a search that ends at 1e-5 */
        double near = o.band == AGN_BAND_STOP ? 2e-5 * v[6] : 1e-12 * v[6];
        check(&q,
              r.order == v[9] && fabs(r.low - v[10]) < near && (!v[11] || fabs(r.high - v[11]) < near),
              "family %d, band %d: order %d, %g to %g, not %g, %g to %g", o.family, o.band, r.order,
              r.low, r.high, v[9], v[10], v[11]);
        agn_tensor *sos = NULL;
        must(agn_signal_design_iir(&sos, &r));
        double pass = loss_at(sos, v[2], v[6]), stop = loss_at(sos, v[4], v[6]);
        if (v[1] >= AGN_BAND_PASS) {
            pass = fmax(pass, loss_at(sos, v[3], v[6]));
            stop = fmin(stop, loss_at(sos, v[5], v[6]));
        }
        check(&q, pass < v[7] + 1e-6 && stop > v[8] - 1e-6, "family %d, band %d: %g and %g dB",
              o.family, o.band, pass, stop);
        agn_release(sos);
    }
    for (int row = 0; row < LENGTH(tolerances_kaiser) / 4; row++) {
        const double *v = tolerances_kaiser + 4 * row;
        int64_t taps = 0;
        double beta = -1;
        must(agn_signal_choose_kaiser(&taps, &beta, v[0], v[1]));
        check(&q, taps == v[2] && fabs(beta - v[3]) < 1e-13 * (1 + v[3]), "%g dB over %g: %d, %g",
              v[0], v[1], (int)taps, beta);
    }
    tell(&q, "orders and windows for tolerances");
}

static void test_sampled(void)
{
    static const double f[] = {0, 0.3, 0.3, 0.7, 1}, g[] = {1, 1, 0.5, 0.2, 0},
                        fe[] = {0, 200, 500}, ge[] = {0.3, 1, 0}, fo[] = {0, 0.5, 1},
                        go[] = {0, 1, 0}, fb[] = {0, 1}, gb[] = {0, 1};
    tally q = {0, 0};
    agn_tensor *h = NULL, *a = NULL, *ones = NULL;
    must(agn_signal_design_fir_sampled(&h, 23, f, g, 5, false, NULL));
    check(&q, APART(h, sampled) < 1e-12, "with a jump: %.1e", APART(h, sampled));
    agn_release(h);
    agn_signal_fir_options o = {.size = sizeof o, .rate = 1000};
    must(agn_signal_design_fir_sampled(&h, 16, fe, ge, 3, false, &o));
    check(&q, APART(h, sampled_even) < 1e-12, "even: %.1e", APART(h, sampled_even));
    agn_release(h);
    must(agn_signal_design_fir_sampled(&h, 15, fo, go, 3, true, NULL));
    check(&q, APART(h, sampled_odd) < 1e-12 && peek(h, 7) == 0, "antisymmetric: %.1e",
          APART(h, sampled_odd));
    agn_release(h);
    must(agn_ones(&ones, AGN_F32, 1, (int64_t[]){16}));
    o = (agn_signal_fir_options){.size = sizeof o, .window = ones};
    must(agn_signal_design_fir_sampled(&h, 16, fb, gb, 2, true, &o));
    check(&q, APART(h, sampled_both) < 1e-12, "without a window: %.1e", APART(h, sampled_both));
    release_all((agn_tensor *[]){h, ones}, 2);
    must(agn_signal_design_gammatone(&h, &a, 440, 16000, 0, 0));
    check(&q, APART(h, gammatone_b) < 1e-12 && APART(a, gammatone_a) < 1e-12,
          "gammatone: %.1e and %.1e", APART(h, gammatone_b), APART(a, gammatone_a));
    release_all((agn_tensor *[]){h, a}, 2);
    must(agn_signal_design_gammatone(&h, &a, 440, 16000, 6, 30));
    check(&q, APART(h, gammatone_6_b) < 1e-12 && APART(a, gammatone_6_a) == 0, "of order 6: %.1e",
          APART(h, gammatone_6_b));
    release_all((agn_tensor *[]){h, a}, 2);
    tell(&q, "filters from gains, gammatone filters");
}

/* ---- sequences, events, splines -------------------------------------------------------------- */

static void test_sequences(void)
{
    static const int bits[] = {2, 3, 5, 8, 11};
    tally q = {0, 0};
    agn_tensor *y = NULL;
    int at = 0;
    for (int k = 0; k < COUNT(bits); k++) {
        int n = (1 << bits[k]) - 1, ones = 0;
        must(agn_signal_maximum_length(&y, NULL, bits[k], 0));
        check(&q, agn_dtype_of(y) == AGN_U8 && apart_from(y, tolerances_sequence + at, n) == 0,
              "%d bits", bits[k]);
        for (int i = 0; i < n; i++)
            ones += (int)peek(y, i);
        check(&q, ones == (n + 1) / 2, "%d ones of %d", ones, n);
        at += n;
        agn_release(y);
    }
    uint8_t state[30], half[30];
    for (int i = 0; i < 30; i++)
        state[i] = half[i] = i % 2 == 0;
    must(agn_signal_maximum_length(&y, state, 30, 100));
    check(&q, APART(y, sequence_30) == 0, "from a state");
    for (int i = 0; i < 30; i++)
        check(&q, state[i] == tolerances_state_30[i], "bit %d behind", i);
    agn_release(y);
    must(agn_signal_maximum_length(&y, half, 30, 60)); /* and on from there */
    agn_release(y);
    must(agn_signal_maximum_length(&y, half, 30, 40));
    check(&q, apart_from(y, tolerances_sequence_30 + 60, 40) == 0, "in two parts");
    agn_release(y);
    for (int b = 2; b <= 20; b++) { /* every period is whole: no state comes back before */
        uint8_t s[20] = {1};
        int64_t period = ((int64_t)1 << b) - 1;
        must(agn_signal_maximum_length(&y, s, b, period));
        bool same = s[0] == 1;
        for (int i = 1; i < b; i++)
            same = same && !s[i];
        int64_t sum = 0;
        for (int64_t i = 0; i < period; i++)
            sum += ((const uint8_t *)agn_data(y))[i];
        check(&q, same && sum == (period + 1) / 2, "period of %d bits", b);
        agn_release(y);
    }
    tell(&q, "sequences of the longest period");
}

static void test_events(void)
{
    static const double c[] = {0.2, -0.5, 1.5, 2}, periods[] = {0.7, 1.3, 4};
    tally q = {0, 0};
    agn_tensor *t = NULL, *y = NULL, *e = VECTOR(events), *p = vector_of(periods, 3), *s = NULL;
    must(agn_linspace(&t, AGN_F64, 0, 3, 25));
    must(agn_signal_sweep_polynomial(&y, t, c, 4, 40 * PI / 180));
    check(&q, APART(y, sweep) < 1e-12, "sweep: %.1e", APART(y, sweep));
    release_all((agn_tensor *[]){t, y}, 2);
    must(agn_signal_vector_strength(&s, &y, e, p));
    check(&q, APART(s, strength) < 1e-13 && APART(y, phase) < 1e-13, "strength: %.1e, %.1e",
          APART(s, strength), APART(y, phase));
    release_all((agn_tensor *[]){s, y, p}, 3);
    must(agn_zeros(&p, AGN_F64, 0, NULL));
    must(agn_signal_vector_strength(&s, &y, e, p));
    check(&q, agn_ndim(s) == 0 && isnan(peek(s, 0)), "a period of 0");
    release_all((agn_tensor *[]){s, y, p, e}, 4);
    tell(&q, "sweeps and periods of events");
}

static void test_splines(void)
{
    tally q = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 9}, tolerances_samples),
               *at = VECTOR(places), *c = NULL, *y = NULL, *grid = NULL, *one = NULL;
    must(agn_arange(&grid, AGN_F64, 0, 9, 1));
    for (int degree = 2; degree < 4; degree++) {
        must(agn_signal_spline_coefficients(&c, x, degree));
        must(agn_signal_spline_values(&y, c, at, degree));
        double off = degree == 2 ? APART(c, weights_2) : APART(c, weights_3),
               far = degree == 2 ? APART(y, values_2) : APART(y, values_3);
        check(&q, off < 1e-12 && far < 1e-12, "degree %d: %.1e and %.1e", degree, off, far);
        agn_release(y);
        must(agn_signal_spline_values(&y, c, grid, degree));
        check(&q, modes_apart(y, x) < 1e-13, "degree %d meets the samples: %.1e", degree,
              modes_apart(y, x));
        release_all((agn_tensor *[]){c, y}, 2);
        one = of_reals(AGN_F32, 1, (int64_t[]){1}, (double[]){3});
        must(agn_signal_spline_coefficients(&c, one, degree));
        must(agn_signal_spline_values(&y, c, at, degree));
        for (int64_t i = 0; i < agn_numel(y); i++)
            check(&q, agn_dtype_of(y) == AGN_F32 && fabs(peek(y, i) - 3) < 1e-6, "one sample: %g",
                  peek(y, i));
        release_all((agn_tensor *[]){c, y, one}, 3);
    }
    one = of_reals(AGN_F64, 1, (int64_t[]){3},
                   (double[]){(double)NAN, (double)INFINITY, 1});
    must(agn_signal_spline_values(&y, x, one, 3));
    check(&q, isnan(peek(y, 0)) && isnan(peek(y, 1)) && isfinite(peek(y, 2)), "places that are none");
    must(agn_signal_spline_coefficients(&c, one, 2));
    check(&q, isnan(peek(c, 0)) && isnan(peek(c, 2)), "NaN spreads");
    release_all((agn_tensor *[]){x, at, y, grid, one, c}, 6);
    tell(&q, "splines");
}

/* ---- derivatives ----------------------------------------------------------------------------- */

enum { SWEEP, STRENGTH, WEIGHTS, VALUES, QUADRATIC, BODIES };
static const char *const names[] = {"sweep", "strength", "spline weights", "spline values",
                                    "quadratic spline"};
static agn_tensor *places;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const double c[] = {0.3, -0.2, 0.5};
    agn_tensor *r[2] = {NULL, NULL};
    agn_status st;
    switch (*(const int *)user) {
    case SWEEP:
        y[0] = ag_signal_sweep_polynomial(s, x[0], c, 3, 1);
        break;
    case STRENGTH:
        if (agn_scope_status(s))
            break;
        st = agn_signal_vector_strength(&r[0], &r[1], places, x[0]);
        y[0] = agn_scope_adopt(s, st, &r[0]);
        y[0] = ag_add(s, y[0], ag_mul_c(s, ag_sin(s, agn_scope_adopt(s, st, &r[1])), 0.3));
        break;
    case WEIGHTS:
        y[0] = ag_square(s, ag_signal_spline_coefficients(s, x[0], 3));
        break;
    case VALUES: /* in weights and places */
        y[0] = ag_signal_spline_values(s, x[0], ag_mul_c(s, ag_ravel(s, x[0]), 2.9), 3);
        break;
    default:
        y[0] = ag_square(s, ag_signal_spline_values(s, x[0], places, 2));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("signal tolerances", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.4, 0.65);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-4, 5e-5, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

static agn_tensor *out = untouched, *p1 = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_design(tally *q, agn_tensor *x, agn_tensor *z)
{
    static const char oi[] = "signal_choose_iir_order", ka[] = "signal_choose_kaiser",
                      sa[] = "signal_design_fir_sampled", ga[] = "signal_design_gammatone";
    static const double f[] = {0, 0.5, 1}, g[] = {1, 1, 0}, late[] = {0.1, 0.5, 1},
                        falls[] = {0, 1, 0.5}, nan[] = {1, (double)NAN, 0}, up[] = {1, 1, 1};
    agn_signal_iir_options o = {
        .size = sizeof o, .low = 0.2, .ripple = 1, .attenuation = 40}, r = o, b = o;
    int64_t taps = -1;
    double beta = -1;
    NO(agn_signal_choose_iir_order(NULL, &o, 0.3, 0), AGN_ENULL, oi, "out", "NULL");
    NO(agn_signal_choose_iir_order(&r, NULL, 0.3, 0), AGN_ENULL, oi, "opts", "NULL");
    b.size = 1;
    NO(agn_signal_choose_iir_order(&r, &b, 0.3, 0), AGN_EARG, oi, "size", "1");
    b = o;
    b.family = AGN_IIR_BESSEL;
    NO(agn_signal_choose_iir_order(&r, &b, 0.3, 0), AGN_EARG, oi, "family 4", "0 to 3");
    NO(agn_signal_choose_iir_order(&r, &o, 0.1, 0), AGN_EARG, oi, "0.2", "0.1");
    b = o;
    b.band = AGN_BAND_PASS;
    b.high = 0.4;
    NO(agn_signal_choose_iir_order(&r, &b, 0.1, 0.3), AGN_EARG, oi, "band 2", "0.3");
    b = o;
    b.ripple = 50;
    NO(agn_signal_choose_iir_order(&r, &b, 0.3, 0), AGN_EARG, oi, "50 dB", "40 dB");
    NO(agn_signal_choose_iir_order(&r, &o, 0.2001, 0), AGN_EDOMAIN, oi, "order", "64");
    check(q, memcmp(&r, &o, sizeof r) == 0, "options are not written");
    NO(agn_signal_choose_kaiser(NULL, &beta, 40, 0.1), AGN_ENULL, ka, "taps", "NULL");
    NO(agn_signal_choose_kaiser(&taps, NULL, 40, 0.1), AGN_ENULL, ka, "beta", "NULL");
    NO(agn_signal_choose_kaiser(&taps, &beta, 7, 0.1), AGN_EARG, ka, "7 dB", "8");
    NO(agn_signal_choose_kaiser(&taps, &beta, 40, 0), AGN_EARG, ka, "width of 0", "between");
    check(q, taps == -1 && beta == -1, "numbers are not written");
    agn_signal_fir_options w = {.size = sizeof w, .window = x}, bad = {.size = 1},
                           c = {.size = sizeof c, .window = z}, slow = {.size = sizeof slow, .rate = -1};
    NO(agn_signal_design_fir_sampled(NULL, 9, f, g, 3, false, NULL), AGN_ENULL, sa, "out", "NULL");
    NO(agn_signal_design_fir_sampled(&out, 9, NULL, g, 3, false, NULL), AGN_ENULL, sa, "freq", "NULL");
    NO(agn_signal_design_fir_sampled(&out, 9, f, NULL, 3, false, NULL), AGN_ENULL, sa, "gains", "NULL");
    NO(agn_signal_design_fir_sampled(&out, 9, f, g, 3, false, &bad), AGN_EARG, sa, "size", "1");
    NO(agn_signal_design_fir_sampled(&out, 9, f, g, 3, false, &slow), AGN_EARG, sa, "rate", "positive");
    NO(agn_signal_design_fir_sampled(&out, 2, f, g, 3, false, NULL), AGN_EARG, sa, "2 taps", "3");
    NO(agn_signal_design_fir_sampled(&out, 9, f, g, 1, false, NULL), AGN_EARG, sa, "1 gains", "2");
    NO(agn_signal_design_fir_sampled(&out, 9, late, g, 3, false, NULL), AGN_EARG, sa, "entry 0", "0.1");
    NO(agn_signal_design_fir_sampled(&out, 9, falls, g, 3, false, NULL), AGN_EARG, sa, "entry 1", "1");
    NO(agn_signal_design_fir_sampled(&out, 9, f, nan, 3, false, NULL), AGN_EARG, sa, "entry 1", "nan");
    NO(agn_signal_design_fir_sampled(&out, 8, f, up, 3, false, NULL), AGN_EARG, sa, "1 at the ends",
       "last");
    NO(agn_signal_design_fir_sampled(&out, 8, f, g, 3, true, NULL), AGN_EARG, sa, "anti", "first");
    NO(agn_signal_design_fir_sampled(&out, 9, f, g, 3, true, NULL), AGN_EARG, sa, "anti", "both");
    NO(agn_signal_design_fir_sampled(&out, 9, f, g, 3, false, &w), AGN_ESHAPE, sa, "[5]", "9 taps");
    NO(agn_signal_design_fir_sampled(&out, 5, f, g, 3, false, &c), AGN_EDTYPE, sa, "c64", "real");
    NO(agn_signal_design_gammatone(NULL, &p1, 100, 1000, 0, 0), AGN_ENULL, ga, "b is", "NULL");
    NO(agn_signal_design_gammatone(&out, NULL, 100, 1000, 0, 0), AGN_ENULL, ga, "a is", "NULL");
    NO(agn_signal_design_gammatone(&out, &p1, 500, 1000, 0, 0), AGN_EARG, ga, "500 Hz", "half");
    NO(agn_signal_design_gammatone(&out, &p1, 0, 1000, 0, 0), AGN_EARG, ga, "0 Hz", "half");
    NO(agn_signal_design_gammatone(&out, &p1, 1, (double)INFINITY, 0, 0), AGN_EARG, ga, "inf", "half");
    NO(agn_signal_design_gammatone(&out, &p1, 100, 1000, 25, 9), AGN_EARG, ga, "order 25", "24");
    NO(agn_signal_design_gammatone(&out, &p1, 100, 1000, 4, 0), AGN_EARG, ga, "0 taps", "24");
}

static void refuse_signals(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *none)
{
    static const char ml[] = "signal_maximum_length", sw[] = "signal_sweep_polynomial",
                      vs[] = "signal_vector_strength", co[] = "signal_spline_coefficients",
                      va[] = "signal_spline_values";
    static const double c[] = {1, (double)INFINITY};
    uint8_t zero[3] = {0}, two[3] = {1, 2, 0};
    agn_tensor *m = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1);
    NO(agn_signal_maximum_length(NULL, NULL, 3, 0), AGN_ENULL, ml, "out", "NULL");
    NO(agn_signal_maximum_length(&out, NULL, 1, 0), AGN_EARG, ml, "1 bits", "2 to 32");
    NO(agn_signal_maximum_length(&out, NULL, 30, 0), AGN_EARG, ml, "30 bits", "28");
    NO(agn_signal_maximum_length(&out, NULL, 3, -1), AGN_EARG, ml, "-1 numbers", "negative");
    NO(agn_signal_maximum_length(&out, zero, 3, 0), AGN_EARG, ml, "all 3", "0");
    NO(agn_signal_maximum_length(&out, two, 3, 0), AGN_EARG, ml, "bit 1", "2");
    NO(agn_signal_sweep_polynomial(NULL, x, c, 1, 0), AGN_ENULL, sw, "out", "NULL");
    NO(agn_signal_sweep_polynomial(&out, NULL, c, 1, 0), AGN_ENULL, sw, "t is", "NULL");
    NO(agn_signal_sweep_polynomial(&out, x, NULL, 1, 0), AGN_ENULL, sw, "coefficients", "NULL");
    NO(agn_signal_sweep_polynomial(&out, z, c, 1, 0), AGN_EDTYPE, sw, "c64", "real");
    NO(agn_signal_sweep_polynomial(&out, x, c, 0, 0), AGN_EARG, sw, "0 coefficients", "[5]");
    NO(agn_signal_sweep_polynomial(&out, x, c, 2, 0), AGN_EARG, sw, "2 coefficients", "finite");
    NO(agn_signal_vector_strength(NULL, &p1, x, x), AGN_ENULL, vs, "strength", "NULL");
    NO(agn_signal_vector_strength(&out, NULL, x, x), AGN_ENULL, vs, "phase", "NULL");
    NO(agn_signal_vector_strength(&out, &p1, NULL, x), AGN_ENULL, vs, "events", "NULL");
    NO(agn_signal_vector_strength(&out, &p1, x, NULL), AGN_ENULL, vs, "period", "NULL");
    NO(agn_signal_vector_strength(&out, &p1, z, x), AGN_EDTYPE, vs, "c64", "real");
    NO(agn_signal_vector_strength(&out, &p1, x, z), AGN_EDTYPE, vs, "c64", "real");
    NO(agn_signal_vector_strength(&out, &p1, m, x), AGN_ESHAPE, vs, "[2,3]", "[n]");
    NO(agn_signal_vector_strength(&out, &p1, none, x), AGN_ESHAPE, vs, "[0]", "[n]");
    NO(agn_signal_spline_coefficients(NULL, x, 3), AGN_ENULL, co, "out", "NULL");
    NO(agn_signal_spline_coefficients(&out, NULL, 3), AGN_ENULL, co, "x is", "NULL");
    NO(agn_signal_spline_coefficients(&out, none, 3), AGN_ESHAPE, co, "[0]", "sample");
    NO(agn_signal_spline_coefficients(&out, x, 4), AGN_EARG, co, "degree 4", "[5]");
    NO(agn_signal_spline_values(NULL, x, x, 3), AGN_ENULL, va, "out", "NULL");
    NO(agn_signal_spline_values(&out, NULL, x, 3), AGN_ENULL, va, "x is", "NULL");
    NO(agn_signal_spline_values(&out, x, NULL, 3), AGN_ENULL, va, "at is", "NULL");
    NO(agn_signal_spline_values(&out, none, x, 3), AGN_ESHAPE, va, "[0]", "sample");
    NO(agn_signal_spline_values(&out, x, m, 3), AGN_ESHAPE, va, "[2,3]", "[m]");
    NO(agn_signal_spline_values(&out, x, z, 3), AGN_EDTYPE, va, "c64", "real");
    NO(agn_signal_spline_values(&out, x, x, 1), AGN_EARG, va, "degree 1", "2 or 3");
    agn_release(m);
}

static agn_status make(void *user, agn_tensor **y)
{
    static const double f[] = {0, 0.5, 1}, g[] = {1, 1, 0};
    agn_tensor *x = places, *more = NULL;
    agn_status st;
    switch (*(const int *)user) {
    case 0:
        return agn_signal_design_fir_sampled(y, 9, f, g, 3, false, NULL);
    case 1:
        st = agn_signal_design_gammatone(y, &more, 100, 1000, 0, 0);
        break;
    case 2:
        return agn_signal_maximum_length(y, NULL, 4, 0);
    case 3:
        return agn_signal_sweep_polynomial(y, x, f, 3, 0);
    case 4:
        st = agn_signal_vector_strength(y, &more, x, x);
        break;
    case 5:
        return agn_signal_spline_coefficients(y, x, 3);
    default:
        return agn_signal_spline_values(y, x, x, 2);
    }
    agn_release(more);
    return st;
}

int main(void)
{
    static const char *const made[] = {"gains",    "gammatone", "a sequence", "a sweep",
                                       "strength", "weights",   "values"};
    tally q = {0, 0};
    test_orders();
    test_sampled();
    test_sequences();
    test_events();
    test_splines();
    places = of_reals(AGN_F64, 1, (int64_t[]){5}, (double[]){0.2, 1.3, 2.6, 3.9, 5.2});
    test_modes();
    agn_tensor *z = random_of(AGN_C64, 1, (int64_t[]){5}, -1, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1);
    refuse_design(&q, places, z);
    refuse_signals(&q, places, z, none);
    check(&q, p1 == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    for (int what = 0; what < 7; what++)
        every_allocation(make, &what, made[what]);
    release_all((agn_tensor *[]){places, z, none}, 3);
    return done();
}
