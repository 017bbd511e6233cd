/* t-signal-design - filters that were designed against numbers of SciPy: roots, gains, responses; sections that
   are stable and multiply out to the same response; derivatives of responses; failures. */
#include "modes.h"

#include "data/design.inc"

#define PI 3.14159265358979323846


/* the farthest of numbers of SciPy (pairs) from what is nearest to it in z */
static double unmatched(const agn_tensor *z, const double *want, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) {
        double best = (double)INFINITY;
        for (int64_t i = 0; i < agn_numel(z); i++)
            best = fmin(best, cabs(peekz(z, i) - z_of(want[2 * k], want[2 * k + 1])));
        worst = fmax(worst, best);
    }
    return worst;
}
static double apart_from(const agn_tensor *h, const double *want)
{
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(h); i++)
        worst = fmax(worst, cabs(peekz(h, i) - z_of(want[2 * i], want[2 * i + 1])));
    return worst;
}

/* analog low passes: what they let through at 0, at the edge and beyond, stable, of their order */
static void test_prototypes(void)
{
    static const double w[] = {0, 1, 4};
    tally q = {0, 0};
    agn_tensor *at = of_reals(AGN_F64, 1, (int64_t[]){3}, w);
    for (int k = 0; k < 5 * 8; k++) {
        agn_signal_iir_options o = {.size = sizeof o,
                                    .family = k % 5,
                                    .order = k / 5 + 1,
                                    .band = 77,
                                    .low = -3,
                                    .ripple = 0.5,
                                    .attenuation = 40};
        agn_tensor *z = NULL, *p = NULL, *g = NULL, *h = NULL;
        double gain = 0, ripple = pow(10, -0.5 / 20), stop = 0.01;
        must(agn_signal_design_prototype(&z, &p, &gain, &o));
        must(agn_full(&g, AGN_F64, 0, NULL, gain));
        must(agn_signal_roots_response(&h, z, p, g, at, true));
        bool waves = o.family == AGN_IIR_CHEBYSHEV || o.family == AGN_IIR_ELLIPTIC;
        double zero = waves && o.order % 2 == 0 ? ripple : 1,
               edge = waves ? ripple : o.family == AGN_IIR_INVERSE_CHEBYSHEV ? stop : sqrt(0.5);
        double h0 = cabs(peekz(h, 0)), h1 = cabs(peekz(h, 1)), h4 = cabs(peekz(h, 2));
        check(&q,
              agn_numel(p) == o.order && agn_numel(z) <= o.order && fabs(h0 - zero) < 1e-12 &&
                  (o.family == AGN_IIR_BESSEL ? h1 < 0.75 && h1 > 0.2 : fabs(h1 - edge) < 1e-10) &&
                  h4 < h1 + 1e-12,
              "family %d, order %d: %g, %g, %g", o.family, o.order, h0, h1, h4);
        for (int64_t i = 0; i < agn_numel(p); i++)
            check(&q, creal(peekz(p, i)) < 0, "family %d, order %d: a stable pole", o.family,
                  o.order);
        release_all((agn_tensor *[]){z, p, g, h}, 4);
    }
    agn_release(at);
    tell(&q, "analog prototypes");
}

static void test_iir(void)
{
    static const double near[] = {1e-7, 1e-7, 1e-7, 1e-7, 1e-7}; /* roots of clusters; responses are sharper */
    tally q = {0, 0};
    agn_tensor *w = of_reals(AGN_F64, 1, (int64_t[]){9}, design_w);
    for (int k = 0; k < COUNT(scipy_iir); k++) {
        agn_tensor *z = NULL, *p = NULL, *sos = NULL, *h = NULL, *b = NULL, *a = NULL, *h2 = NULL;
        double gain = 0;
        agn_signal_iir_options o = {.size = sizeof o, .family = scipy_iir[k].family, .band = scipy_iir[k].band,
                                    .order = scipy_iir[k].order, .low = scipy_iir[k].low * 4000,
                                    .high = scipy_iir[k].high * 4000, .rate = 8000, .ripple = scipy_iir[k].ripple,
                                    .attenuation = scipy_iir[k].attenuation};
        must(agn_signal_design_iir_roots(&z, &p, &gain, &o));
        int n = scipy_iir[k].n;
        check(&q, agn_numel(z) == n && agn_numel(p) == n, "%d zeros, %d poles of %d", (int)agn_numel(z),
              (int)agn_numel(p), n);
        double dz = unmatched(z, scipy_iir[k].z, n), dp = unmatched(p, scipy_iir[k].p, n);
        check(&q, dz < near[o.family] && dp < near[o.family], "family %d, band %d, order %d: zeros off by %.1e, poles by %.1e",
              o.family, o.band, o.order, dz, dp);
        check(&q, fabs(gain / scipy_iir[k].gain - 1) < 1e-9, "family %d, band %d, order %d: gain %g, not %g", o.family,
              o.band, o.order, gain, scipy_iir[k].gain);
        must(agn_signal_design_iir(&sos, &o));
        must(agn_signal_sosfreqz(&h, sos, w));
        double dh = apart_from(h, scipy_iir[k].h);
        check(&q, dh < 1e-11, "family %d, band %d, order %d: response off by %.1e", o.family, o.band, o.order, dh);
        must(agn_signal_sections_to_polynomials(&b, &a, sos));
        must(agn_signal_freqz(&h2, b, a, w));
        dh = apart_from(h2, scipy_iir[k].h);
        check(&q, dh < 1e-7, "family %d, band %d, order %d: polynomials off by %.1e", o.family, o.band, o.order, dh);
        for (int64_t i = 0; i < agn_numel(p); i++)
            check(&q, cabs(peekz(p, i)) < 1, "a stable pole");
        release_all((agn_tensor *[]){z, p, sos, h, b, a, h2}, 7);
    }
    agn_release(w);
    tell(&q, "SciPy's recursive filters");
    /* all orders: edges of Butterworth at 3 dB, of Bessel finite, of elliptic at its ripple; stable */
    tally e = {0, 0};
    for (int family = 0; family <= AGN_IIR_BESSEL; family++)
        for (int order = 1; order <= (family == AGN_IIR_BESSEL ? 24 : 64); order += order < 12 ? 1 : 13) {
            agn_tensor *sos = untouched, *h = NULL, *at = NULL;
            double edge = 0.35;
            agn_signal_iir_options o = {.size = sizeof o, .family = family, .order = order, .low = edge, .ripple = 1,
                                        .attenuation = 60};
            if (family == AGN_IIR_ELLIPTIC && order > 43) {
                check(&e, refused(agn_signal_design_iir(&sos, &o), AGN_EDOMAIN, "signal_design_iir", "order", "too steep", sos),
                      "order %d", order);
                continue;
            }
            must(agn_signal_design_iir(&sos, &o));
            for (int64_t i = 0; i < agn_numel(sos); i += 6)
                check(&e, fabs(peek(sos, i + 5)) < 1 && fabs(peek(sos, i + 4)) < 1 + peek(sos, i + 5) &&
                              peek(sos, i + 3) == 1,
                      "family %d, order %d: section %d is stable", family, order, (int)i / 6);
            at = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0, edge * PI});
            must(agn_signal_sosfreqz(&h, sos, at));
            double low = cabs(peekz(h, 0)), db = -20 * log10(cabs(peekz(h, 1)));
            static const double at_edge[] = {3.0102999566398120, 1, 60, 1};
            double floor = (family == AGN_IIR_CHEBYSHEV || family == AGN_IIR_ELLIPTIC) && order % 2 == 0 ? pow(10, -0.05) : 1;
            check(&e, fabs(low - floor) < 1e-8, "family %d, order %d: %g at 0", family, order, low);
            check(&e, family == AGN_IIR_BESSEL ? db > 0 && db < 30 : fabs(db - at_edge[family]) < 1e-5 * db,
                  "family %d, order %d: %g dB at the edge", family, order, db);
            release_all((agn_tensor *[]){sos, h, at}, 3);
        }
    tell(&e, "filters of all orders: stable, their decibels at the edge");
    /* edges and bands as narrow as numbers allow: every section is stable as its numbers are, or none is given */
    tally n = {0, 0};
    int given = 0, none = 0;
    for (int family = 0; family <= AGN_IIR_BESSEL; family++)
        for (int band = 0; band <= AGN_BAND_STOP; band++)
            for (int order = 1; order <= 13; order += 4)
                for (int k = 1; k <= 17; k++)
                    for (int high = 0; high < 2; high++) {
                        bool two = band == AGN_BAND_PASS || band == AGN_BAND_STOP;
                        double narrow = pow(10, -k), low = two ? 0.3 : high ? 1 - narrow : narrow;
                        agn_signal_iir_options o = {.size = sizeof o, .family = family, .band = band,
                                                    .order = order, .low = two && high ? narrow : low,
                                                    .high = two && high ? 2 * narrow : low + narrow,
                                                    .ripple = 1, .attenuation = 60};
                        agn_tensor *sos = untouched;
                        agn_status st = agn_signal_design_iir(&sos, &o);
                        if (st) {
                            check(&n, sos == untouched && (st == AGN_EDOMAIN || st == AGN_EARG),
                                  "family %d, band %d, order %d, %g: %s", family, band, order, narrow,
                                  agn_error_message());
                            none++;
                            check(&n, k > 4, "family %d, band %d, order %d, %g: %s", family, band, order,
                                  narrow, agn_error_message());
                            continue;
                        }
                        given++;
                        for (int64_t i = 0; i < agn_numel(sos); i += 6)
                            check(&n, fabs(peek(sos, i + 5)) < 1 && fabs(peek(sos, i + 4)) < 1 + peek(sos, i + 5),
                                  "family %d, band %d, order %d, %g: section %d has 1, %.17g, %.17g", family, band,
                                  order, narrow, (int)i / 6, peek(sos, i + 4), peek(sos, i + 5));
                        agn_release(sos);
                    }
    check(&n, given > 800 && none > 20, "%d given, %d refused", given, none);
    tell(&n, "narrow filters: stable or refused");
}

static void test_fir(void)
{
    tally q = {0, 0};
    for (int k = 0; k < COUNT(scipy_firwin); k++) {
        agn_tensor *h = NULL;
        agn_signal_fir_options o = {.size = sizeof o, .stop_zero = scipy_firwin[k].stop_zero};
        must(agn_signal_design_fir(&h, scipy_firwin[k].taps, scipy_firwin[k].edges, scipy_firwin[k].n, &o));
        for (int64_t i = 0; i < agn_numel(h); i++)
            check(&q, fabs(peek(h, i) - scipy_firwin[k].want[i]) < 1e-14, "case %d, tap %d: %g", k, (int)i, peek(h, i));
        agn_release(h);
    }
    for (int k = 0; k < COUNT(scipy_firls); k++) {
        agn_tensor *h = NULL;
        must(agn_signal_design_fir_least_squares(&h, scipy_firls[k].taps, scipy_firls[k].edges, scipy_firls[k].desired,
                                                 scipy_firls[k].weights, scipy_firls[k].bands, 0));
        for (int64_t i = 0; i < agn_numel(h); i++)
            check(&q, fabs(peek(h, i) - scipy_firls[k].want[i]) < 1e-11, "least squares %d, tap %d: %g", k, (int)i,
                  peek(h, i));
        agn_release(h);
    }
    agn_tensor *w = NULL, *h = NULL;
    agn_signal_fir_options o = {.size = sizeof o, .rate = 100, .unscaled = true};
    must(agn_signal_window(&w, AGN_WINDOW_BOXCAR, AGN_F32, 5, NULL, 0, true));
    o.window = w;
    must(agn_signal_design_fir(&h, 5, (double[]){25}, 1, &o));
    check(&q, peek(h, 2) == 0.5 && fabs(peek(h, 1) - 1 / PI) < 1e-15, "the sum of sines itself");
    release_all((agn_tensor *[]){w, h}, 2);
    tell(&q, "SciPy's filters of finite length");
}

/* the largest weighted difference of |H| from the gains of all bands */
static double largest_error(const agn_tensor *h, const double *edges, const double *desired, const double *weights, int bands)
{
    double most = 0;
    agn_tensor *w = NULL, *one = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){1}), *y = NULL;
    for (int b = 0; b < bands; b++) {
        must(agn_linspace(&w, AGN_F64, PI * edges[2 * b], PI * edges[2 * b + 1], 2000));
        must(agn_signal_freqz(&y, h, one, w));
        for (int k = 0; k < 2000; k++)
            most = fmax(most, weights[b] * fabs(cabs(peekz(y, k)) - desired[b]));
        release_all((agn_tensor *[]){w, y}, 2);
    }
    agn_release(one);
    return most;
}

static void test_equiripple(void)
{
    tally q = {0, 0};
    for (int k = 0; k < COUNT(scipy_remez); k++) {
        agn_tensor *h = NULL;
        must(agn_signal_design_fir_equiripple(&h, scipy_remez[k].taps, scipy_remez[k].edges, scipy_remez[k].desired,
                                              scipy_remez[k].weights, scipy_remez[k].bands, 2));
        double error = largest_error(h, scipy_remez[k].edges, scipy_remez[k].desired, scipy_remez[k].weights,
                                     scipy_remez[k].bands), off = 0;
        check(&q, error < scipy_remez[k].error * 1.01, "case %d: errors to %.6g, SciPy's to %.6g", k, error,
              scipy_remez[k].error);
        for (int64_t i = 0; i < agn_numel(h); i++)
            off = fmax(off, fabs(peek(h, i) - scipy_remez[k].want[i]));
        check(&q, off < 0.02 * scipy_remez[k].error, "case %d: coefficients off by %.1e, errors to %.1e", k, off,
              scipy_remez[k].error);
        agn_release(h);
    }
    /* long ones: the ripple of a low pass falls as its length grows (Kaiser's estimate, to a factor) */
    for (int taps = 50; taps <= 401; taps += 117) {
        agn_tensor *h = NULL;
        const double edges[] = {0, 0.3, 0.3 + 12.0 / taps, 1}, desired[] = {1, 0}, weights[] = {1, 1};
        must(agn_signal_design_fir_equiripple(&h, taps, edges, desired, NULL, 2, 0));
        double error = largest_error(h, edges, desired, weights, 2);
        check(&q, error > 1e-6 && error < 1e-4, "%d taps: errors to %g", taps, error);
        agn_release(h);
    }
    tell(&q, "filters of the least largest error");
}

static agn_status respond(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    y[0] = *(const int *)user ? ag_signal_sosfreqz(s, x[0], x[1]) : ag_signal_freqz(s, x[0], x[1], x[2]);
    return AGN_OK;
}

static void test_responses(void)
{
    tally q = {0, 0};
    agn_tensor *b = of_reals(AGN_F64, 1, (int64_t[]){5}, design_b), *a = of_reals(AGN_F64, 1, (int64_t[]){5}, design_a),
               *w = of_reals(AGN_F64, 1, (int64_t[]){9}, design_w), *h = NULL, *f = NULL, *b2 = NULL, *h2 = NULL;
    must(agn_signal_freqz(&h, b, a, w));
    check(&q, apart_from(h, design_h) < 1e-13, "SciPy's response");
    must(agn_cast(&f, b, AGN_F32));
    must(agn_stack(&b2, (const agn_tensor *[]){f, f, f}, 3, 0));
    must(agn_signal_freqz(&h2, b2, a, w));
    check(&q, has_shape(h2, 2, (int64_t[]){3, 9}) && agn_dtype_of(h2) == AGN_C128, "rows of coefficients");
    release_all((agn_tensor *[]){b, a, w, h, f, b2, h2}, 7);
    tell(&q, "responses");
    agn_fn *fn = NULL;
    for (int sos = 0; sos < 2; sos++) {
        agn_tensor *x[3] = {random_of(AGN_F64, sos ? 2 : 1, sos ? (int64_t[]){2, 6} : (int64_t[]){4}, 0.5, 1),
                            random_of(AGN_F64, 1, (int64_t[]){3}, 0.2, 0.6), random_of(AGN_F64, 1, (int64_t[]){3}, 0.2, 0.6)};
        must(agn_fn_new(&fn, respond, &sos, NULL, sos ? 2 : 3, 1));
        in_every_mode(fn, sos ? 2 : 3, (const agn_tensor *const *)x, 1e-3, 5e-9, sos ? "sosfreqz" : "freqz");
        agn_fn_release(fn);
        release_all(x, 3);
    }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *other = untouched, *b = random_of(AGN_F64, 1, (int64_t[]){3}, 1, 2),
               *w = random_of(AGN_F64, 1, (int64_t[]){4}, 0, 1), *zw = random_of(AGN_C64, 1, (int64_t[]){4}, 0, 1),
               *two = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 1, 2), *none = random_of(AGN_F64, 1, (int64_t[]){0}, 1, 2),
               *three = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2);
    double gain = -7;
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
#define IIR(...) agn_signal_design_iir(&out, &(agn_signal_iir_options){.size = sizeof(agn_signal_iir_options), __VA_ARGS__})
    NO(agn_signal_design_iir(NULL, NULL), AGN_ENULL, "signal_design_iir", "out", "NULL");
    NO(agn_signal_design_iir(&out, NULL), AGN_ENULL, "signal_design_iir", "opts", "NULL");
    NO(agn_signal_design_iir(&out, &(agn_signal_iir_options){.size = 3}), AGN_EARG, "signal_design_iir", "3 bytes", "has");
    NO(IIR(.family = 5, .order = 2, .low = 0.5), AGN_EARG, "signal_design_iir", "family 5", "0 to 4");
    NO(IIR(.band = -1, .order = 2, .low = 0.5), AGN_EARG, "signal_design_iir", "band -1", "0 to 3");
    NO(IIR(.order = 65, .low = 0.5), AGN_EARG, "signal_design_iir", "65", "64");
    NO(IIR(.family = AGN_IIR_BESSEL, .order = 25, .low = 0.5), AGN_EARG, "signal_design_iir", "25", "24");
    NO(IIR(.order = 2, .low = 1), AGN_EARG, "signal_design_iir", "edges 1", "half the rate");
    NO(IIR(.order = 2, .low = 0.5, .rate = -2), AGN_EARG, "signal_design_iir", "edges 0.5", "half the rate");
    NO(IIR(.order = 2, .band = AGN_BAND_STOP, .low = 0.5, .high = 0.5), AGN_EARG, "signal_design_iir", "edges 0.5",
       "half the rate");
    NO(IIR(.order = 2, .family = AGN_IIR_CHEBYSHEV, .low = 0.5), AGN_EARG, "signal_design_iir", "ripple of 0", "positive");
    NO(IIR(.order = 2, .family = AGN_IIR_ELLIPTIC, .low = 0.5, .ripple = 9, .attenuation = 8), AGN_EARG,
       "signal_design_iir", "ripple of 9", "attenuation of 8");
    agn_signal_iir_options good = {.size = sizeof good, .order = 2, .low = 0.5};
    NO(agn_signal_design_iir_roots(NULL, &other, &gain, &good), AGN_ENULL, "signal_design_iir_roots", "zeros", "NULL");
    NO(agn_signal_design_iir_roots(&out, NULL, &gain, &good), AGN_ENULL, "signal_design_iir_roots", "poles", "NULL");
    NO(agn_signal_design_iir_roots(&out, &other, NULL, &good), AGN_ENULL, "signal_design_iir_roots", "gain", "NULL");
    good.order = 0;
    NO(agn_signal_design_iir_roots(&out, &other, &gain, &good), AGN_EARG, "signal_design_iir_roots", "order is 0", "64");
#define ANALOG(z, p, k, ...) agn_signal_design_prototype(z, p, k, &(agn_signal_iir_options){.size = sizeof(agn_signal_iir_options), __VA_ARGS__})
    NO(ANALOG(NULL, &other, &gain, .order = 2), AGN_ENULL, "signal_design_prototype", "zeros",
       "NULL");
    NO(ANALOG(&out, NULL, &gain, .order = 2), AGN_ENULL, "signal_design_prototype", "poles",
       "NULL");
    NO(ANALOG(&out, &other, NULL, .order = 2), AGN_ENULL, "signal_design_prototype", "gain",
       "NULL");
    NO(agn_signal_design_prototype(&out, &other, &gain, NULL), AGN_ENULL, "signal_design_prototype",
       "opts", "NULL");
    NO(agn_signal_design_prototype(&out, &other, &gain, &(agn_signal_iir_options){.size = 1}),
       AGN_EARG, "signal_design_prototype", "1 bytes", "has");
    NO(ANALOG(&out, &other, &gain, .order = 2, .family = 5), AGN_EARG, "signal_design_prototype",
       "family 5", "0 to 4");
    NO(ANALOG(&out, &other, &gain, .order = 65), AGN_EARG, "signal_design_prototype", "65", "64");
    NO(ANALOG(&out, &other, &gain, .order = 2, .family = AGN_IIR_CHEBYSHEV), AGN_EARG,
       "signal_design_prototype", "ripple of 0", "positive");
    NO(ANALOG(&out, &other, &gain, .order = 64, .family = AGN_IIR_ELLIPTIC, .ripple = 1,
              .attenuation = 60),
       AGN_EDOMAIN, "signal_design_prototype", "order", "too steep");
    check(&q, other == untouched && gain == -7, "nothing is written");
    const double e[] = {0.2, 0.4, 0.6, 0.8}, bad[] = {0.4, 0.2}, d[] = {1, 1, 0, 0}, weights[] = {1, -1};
#define FIR(taps, edges, n, ...) agn_signal_design_fir(&out, taps, edges, n, &(agn_signal_fir_options){.size = sizeof(agn_signal_fir_options), __VA_ARGS__})
    NO(agn_signal_design_fir(NULL, 3, e, 1, NULL), AGN_ENULL, "signal_design_fir", "out", "NULL");
    NO(agn_signal_design_fir(&out, 3, NULL, 1, NULL), AGN_ENULL, "signal_design_fir", "edges", "NULL");
    NO(agn_signal_design_fir(&out, 3, e, 1, &(agn_signal_fir_options){.size = 1}), AGN_EARG, "signal_design_fir", "1 bytes",
       "has");
    NO(FIR(3, e, 0, .rate = 0), AGN_EARG, "signal_design_fir", "0 edges", "rate");
    NO(FIR(3, bad, 2, .rate = 0), AGN_EARG, "signal_design_fir", "edge 1", "0.2");
    NO(FIR(0, e, 1, .rate = 0), AGN_EARG, "signal_design_fir", "0 taps", "odd");
    NO(FIR(4, e, 1, .stop_zero = true), AGN_EARG, "signal_design_fir", "4 taps", "odd");
    NO(FIR(5, e, 1, .window = b), AGN_ESHAPE, "signal_design_fir", "[3]", "5 taps");
    NO(FIR(4, e, 1, .window = zw), AGN_EDTYPE, "signal_design_fir", "c64", "real");
#define LS(taps, e, d, w, bands) agn_signal_design_fir_least_squares(&out, taps, e, d, w, bands, 0)
    static const char ls[] = "signal_design_fir_least_squares";
    NO(agn_signal_design_fir_least_squares(NULL, 3, e, d, NULL, 2, 0), AGN_ENULL, ls, "out", "NULL");
    NO(LS(3, NULL, d, NULL, 2), AGN_ENULL, ls, "edges", "NULL");
    NO(LS(3, e, NULL, NULL, 2), AGN_ENULL, ls, "desired", "NULL");
    NO(LS(3, e, d, NULL, 0), AGN_EARG, ls, "0 bands", "65536");
    NO(LS(3, bad, d, NULL, 1), AGN_EARG, ls, "edge 1", "0.2");
    NO(LS(4, e, d, NULL, 2), AGN_EARG, ls, "4 taps", "odd");
    NO(LS(3, e, d, weights, 2), AGN_EARG, ls, "entry 1", "positive");
    NO(LS(255, ((double[]){0.5, 0.5001}), d, NULL, 1), AGN_EDOMAIN, ls, "", NULL);
#define EQ(taps, e, d, w, bands) agn_signal_design_fir_equiripple(&out, taps, e, d, w, bands, 0)
    static const char eq[] = "signal_design_fir_equiripple";
    NO(agn_signal_design_fir_equiripple(NULL, 3, e, d, NULL, 2, 0), AGN_ENULL, eq, "out", "NULL");
    NO(EQ(9, NULL, d, NULL, 2), AGN_ENULL, eq, "edges", "NULL");
    NO(EQ(9, e, NULL, NULL, 2), AGN_ENULL, eq, "desired", "NULL");
    NO(EQ(1, e, d, NULL, 2), AGN_EARG, eq, "1 taps", "1023");
    NO(EQ(9, e, d, NULL, 0), AGN_EARG, eq, "0 bands", "512");
    NO(EQ(9, bad, d, NULL, 1), AGN_EARG, eq, "edge 1", "0.2");
    NO(EQ(9, e, d, weights, 2), AGN_EARG, eq, "band 1", "positive");
    NO(EQ(10, ((double[]){0.5, 1}), d, NULL, 1), AGN_EARG, eq, "10 taps", "half the rate");
    NO(EQ(1023, ((double[]){0.5, 0.5001}), ((double[]){1}), NULL, 1), AGN_EARG, eq, "1023 taps", "undetermined");
    NO(EQ(801, ((double[]){0, 0.1}), ((double[]){1}), NULL, 1), AGN_ENOCONV, eq, "401 cosines", "exchanges");
    NO(agn_signal_freqz(NULL, b, b, w), AGN_ENULL, "signal_freqz", "out", "NULL");
    NO(agn_signal_freqz(&out, NULL, b, w), AGN_ENULL, "signal_freqz", "NULL", NULL);
    NO(agn_signal_freqz(&out, b, NULL, w), AGN_ENULL, "signal_freqz", "NULL", NULL);
    NO(agn_signal_freqz(&out, b, b, NULL), AGN_ENULL, "signal_freqz", "w is", "NULL");
    NO(agn_signal_freqz(&out, b, b, zw), AGN_EDTYPE, "signal_freqz", "c64", "real");
    NO(agn_signal_freqz(&out, b, b, two), AGN_ESHAPE, "signal_freqz", "[2,3]", "[3]");
    NO(agn_signal_freqz(&out, none, b, w), AGN_ESHAPE, "signal_freqz", "[0]", "[3]");
    NO(agn_signal_freqz(&out, two, three, w), AGN_ESHAPE, "signal_freqz", "[2,4]", "[3,4]");
    NO(agn_signal_sosfreqz(NULL, two, w), AGN_ENULL, "signal_sosfreqz", "out", "NULL");
    NO(agn_signal_sosfreqz(&out, NULL, w), AGN_ENULL, "signal_sosfreqz", "sos", "NULL");
    NO(agn_signal_sosfreqz(&out, two, NULL), AGN_ENULL, "signal_sosfreqz", "w is", "NULL");
    NO(agn_signal_sosfreqz(&out, two, w), AGN_ESHAPE, "signal_sosfreqz", "[2,3]", "6");
    NO(agn_signal_sosfreqz(&out, two, zw), AGN_EDTYPE, "signal_sosfreqz", "c64", "real");
    NO(agn_signal_sosfreqz(&out, two, two), AGN_ESHAPE, "signal_sosfreqz", "w is [2,3]", NULL);
    NO(agn_signal_sections_to_polynomials(NULL, &other, two), AGN_ENULL, "signal_sections_to_polynomials", "b is", "NULL");
    NO(agn_signal_sections_to_polynomials(&out, NULL, two), AGN_ENULL, "signal_sections_to_polynomials", "a is", "NULL");
    NO(agn_signal_sections_to_polynomials(&out, &other, NULL), AGN_ENULL, "signal_sections_to_polynomials", "sos", "NULL");
    NO(agn_signal_sections_to_polynomials(&out, &other, two), AGN_ESHAPE, "signal_sections_to_polynomials", "[2,3]", "6");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){b, w, zw, two, none, three}, 6);
}

static agn_status make(void *user, agn_tensor **out)
{
    const double e[] = {0, 0.3, 0.4, 1}, d[] = {1, 1, 0, 0};
    agn_signal_iir_options o = {.size = sizeof o, .order = 3, .low = 0.5};
    agn_tensor *a = NULL;
    double gain;
    switch (*(int *)user) {
    case 0:
        return agn_signal_design_fir(out, 5, (double[]){0.5}, 1, NULL);
    case 1:
        return agn_signal_design_fir_least_squares(out, 5, e, d, NULL, 2, 0);
    case 2:
        return agn_signal_design_iir(out, &o);
    case 3:
        return agn_signal_design_fir_equiripple(out, 9, e, d, NULL, 2, 0);
    default: {
        agn_status st = agn_signal_design_iir_roots(out, &a, &gain, &o);
        if (!st)
            agn_release(a);
        return st;
    }
    }
}

int main(void)
{
    test_prototypes();
    test_iir();
    test_fir();
    test_equiripple();
    test_responses();
    test_failures();
    for (int k = 0; k < 5; k++)
        every_allocation(make, &k, "designs");
    return done();
}
