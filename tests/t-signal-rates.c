/* t-signal-rates - other rates, smoothing, waveforms, sines in scattered samples and peaks against numbers of
   SciPy; derivatives in every mode; failures. */
#include "modes.h"

#include "data/multirate.inc"

#include <stdlib.h>

static double apart_from(const agn_tensor *y, const double *want)
{
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        worst = fmax(worst, fabs(peek(y, i) - want[i]));
    return worst;
}
static agn_tensor *row_of(int n, const double *v)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}

static void test_rates(void)
{
    tally q = {0, 0};
    agn_tensor *x = row_of(41, rate_x), *rows = NULL, *strided = NULL;
    must(agn_stack(&rows, (const agn_tensor *[]){x, x, x}, 3, 0));
    strided = laid_out(rows, 1);
    for (int k = 0; k < COUNT(scipy_upfirdn); k++) {
        agn_tensor *h = row_of(scipy_upfirdn[k].taps, rate_h), *y = NULL, *f = NULL, *y2 = NULL;
        must(agn_signal_upfirdn(&y, h, x, scipy_upfirdn[k].up, scipy_upfirdn[k].down));
        check(&q, has_shape(y, 1, (int64_t[]){scipy_upfirdn[k].n}) && apart_from(y, scipy_upfirdn[k].want) < 1e-13,
              "%d up, %d down: %s", scipy_upfirdn[k].up, scipy_upfirdn[k].down, SHAPE_TEXT(y));
        must(agn_cast(&f, strided, AGN_F32));
        must(agn_signal_upfirdn(&y2, h, f, scipy_upfirdn[k].up, scipy_upfirdn[k].down));
        check(&q, has_shape(y2, 2, (int64_t[]){3, scipy_upfirdn[k].n}) && agn_dtype_of(y2) == AGN_F64, "rows");
        for (int64_t i = 0; i < scipy_upfirdn[k].n; i++)
            check(&q, fabs(peek(y2, 2 * scipy_upfirdn[k].n + i) - peek(y, i)) < 1e-5, "row 2");
        release_all((agn_tensor *[]){h, y, f, y2}, 4);
    }
    for (int k = 0; k < COUNT(scipy_resample_poly); k++) {
        int taps = scipy_resample_poly[k].taps;
        agn_tensor *h = taps ? row_of(taps, rate_h) : NULL, *y = NULL;
        must(agn_signal_resample_poly(&y, x, scipy_resample_poly[k].up, scipy_resample_poly[k].down, h));
        int n = scipy_resample_poly[k].n;
        double off = 0;
        for (int i = 0; i < n && i < 140; i++)
            off = fmax(off, fabs(peek(y, i) - scipy_resample_poly[k].want[i]));
        check(&q, has_shape(y, 1, (int64_t[]){n}) && off < 1e-13, "%d up, %d down, %d taps: off by %.1e of %s",
              scipy_resample_poly[k].up, scipy_resample_poly[k].down, taps, off, SHAPE_TEXT(y));
        release_all((agn_tensor *[]){h, y}, 2);
    }
    release_all((agn_tensor *[]){x, rows, strided}, 3);
    tell(&q, "SciPy's rates");
}

/* Output i sees sample k through tap i down - k up: what is not finite there reaches no other. */
static void test_reach(void)
{
    static const int rates[][2] = {{1, 1}, {4, 1}, {1, 4}, {3, 2}, {2, 3}, {7, 5}, {5, 16}, {16, 15}};
    tally q = {0, 0};
    double v[41], taps[48];
    for (int k = 0; k < COUNT(rates); k++)
        for (int bad = 0; bad < 2; bad++) {
            int up = rates[k][0], down = rates[k][1], n = 3 * up, at = 17;
            for (int i = 0; i < 41; i++)
                v[i] = i == at ? (double)(bad ? INFINITY : NAN) : rate_x[i];
            for (int i = 0; i < n; i++)
                taps[i] = 0.25 + i;
            agn_tensor *x = row_of(41, v), *h = row_of(n, taps), *y = NULL;
            must(agn_signal_upfirdn(&y, h, x, up, down));
            for (int64_t i = 0; i < agn_numel(y); i++) {
                int64_t tap = i * down - (int64_t)at * up;
                check(&q, !isfinite(peek(y, i)) == (tap >= 0 && tap < n), "%d up, %d down: %d is %g", up,
                      down, (int)i, peek(y, i));
            }
            release_all((agn_tensor *[]){x, h, y}, 3);
        }
    tell(&q, "a sample that is not finite reaches its own outputs alone");
}

static void test_smoothing(void)
{
    static const double *const medians[] = {scipy_medfilt_1, scipy_medfilt_3, scipy_medfilt_7};
    tally q = {0, 0};
    agn_tensor *x = row_of(41, rate_x);
    for (int k = 0; k < COUNT(scipy_savgol); k++) {
        agn_tensor *c = NULL, *y = NULL;
        int w = scipy_savgol[k].window;
        must(agn_signal_savgol_coefficients(&c, w, scipy_savgol[k].order, scipy_savgol[k].derivative,
                                            scipy_savgol[k].delta));
        double scale = pow(scipy_savgol[k].delta * (w > 1 ? (w - 1) / 2.0 : 1), -scipy_savgol[k].derivative) * 1e3, off = 0;
        for (int i = 0; i < w && i < 32; i++)
            off = fmax(off, fabs(peek(c, i) - scipy_savgol[k].coefficients[i]));
        check(&q, agn_numel(c) == w && off < 1e-13 * scale, "window %d, order %d, derivative %d: off by %.1e", w,
              scipy_savgol[k].order, scipy_savgol[k].derivative, off);
        must(agn_signal_savgol_filter(&y, x, w, scipy_savgol[k].order, scipy_savgol[k].derivative,
                                      scipy_savgol[k].delta));
        off = apart_from(y, scipy_savgol[k].want);
        check(&q, agn_numel(y) == 41 && off < 1e-11 * scale, "window %d, order %d, derivative %d: off by %.1e", w,
              scipy_savgol[k].order, scipy_savgol[k].derivative, off);
        release_all((agn_tensor *[]){c, y}, 2);
    }
    /* a polynomial of the order comes back, its derivative too, of high order in long windows */
    for (int order = 0; order <= 40; order += 8) {
        agn_tensor *p = NULL, *y = NULL, *t = NULL;
        double v[301];
        for (int i = 0; i < 301; i++)
            v[i] = cos(order * acos(fmax(-1, fmin(1, (i - 150) / 150.0)))); /* Chebyshev's */
        p = row_of(301, v);
        must(agn_signal_savgol_filter(&y, p, 301, order, 0, 1));
        check(&q, apart_from(y, v) < 1e-9, "order %d: off by %.1e", order, apart_from(y, v));
        release_all((agn_tensor *[]){p, y, t}, 3);
    }
    for (int k = 0; k < 3; k++) {
        agn_tensor *y = NULL;
        must(agn_signal_medfilt(&y, x, k == 0 ? 1 : k == 1 ? 3 : 7));
        check(&q, apart_from(y, medians[k]) == 0, "medians %d", k);
        agn_release(y);
    }
    agn_release(x);
    tell(&q, "SciPy's smoothing");
}

/* medians of rows with ties and NaN against those of sorted windows, and against a compiled function, which
   sorts them too */
static agn_status medians_of(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    out[0] = ag_signal_medfilt(s, in[0], *(const int64_t *)user);
    return AGN_OK;
}
static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static void test_medians(void)
{
    enum { ROWS = 2, N = 2600 };
    static const int64_t windows[] = {1, 3, 31, 95, 97, 301, 2599, 4001};
    static double v[ROWS * N], w[4001];
    tally q = {0, 0};
    uint64_t state = 1;
    for (int i = 0; i < ROWS * N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v[i] = (double)((int)(state >> 40) % 300 - 150) / 8 + (i < N ? 0 : 1e-3 * (i % 700));
    }
    for (int nans = 0; nans < 2; nans++) {
        if (nans)
            v[5] = v[N + 1300] = v[2 * N - 1] = NAN;
        for (int k = 0; k < COUNT(windows); k++) {
            int64_t m = windows[k];
            agn_tensor *x = of_reals(k % 2 ? AGN_F32 : AGN_F64, 2, (int64_t[]){ROWS, N}, v), *y = NULL, *z = NULL;
            must(agn_signal_medfilt(&y, x, m));
            bool compiled = m <= 301;
            if (compiled) {
                agn_fn *f = NULL, *plan = NULL;
                must(agn_fn_new(&f, medians_of, &m, NULL, 1, 1));
                must(agn_fn_compile(&plan, f, NULL));
                must(agn_fn_call(&z, 1, plan, (const agn_tensor *[]){x}, 1));
                agn_fn_release(plan);
                agn_fn_release(f);
            }
            for (int i = 0; i < ROWS * N; i += m < 100 ? 1 : 13) {
                int64_t at = i % N, many = 0;
                bool bad = false;
                for (int64_t j = at - m / 2; j <= at + m / 2; j++) {
                    double one = j < 0 || j >= N ? 0 : peek(x, i - at + j);
                    bad = bad || isnan(one);
                    w[many++] = one;
                }
                if (!bad)
                    qsort(w, (size_t)m, sizeof *w, by_size);
                double got = peek(y, i), want = bad ? 0 : w[m / 2];
                check(&q, bad ? isnan(got) : got == want, "window %d, place %d: %g, not %g", (int)m, i, got, want);
                if (compiled)
                    check(&q, bad ? isnan(peek(z, i)) : peek(z, i) == got, "compiled: window %d, place %d", (int)m, i);
            }
            release_all((agn_tensor *[]){x, y, z}, 3);
        }
    }
    tell(&q, "medians of ties and NaN");
}

static void test_waveforms(void)
{
    static const double *const squares[] = {scipy_square_0, scipy_square_1, scipy_square_2},
                        *const teeth[] = {scipy_sawtooth_0, scipy_sawtooth_1, scipy_sawtooth_2};
    tally q = {0, 0};
    agn_tensor *t = row_of(15, wave_t), *u = row_of(15, wave_u), *y = NULL;
    for (int k = 0; k < COUNT(scipy_chirp); k++) {
        must(agn_signal_chirp(&y, t, scipy_chirp[k].f0, scipy_chirp[k].t1, scipy_chirp[k].f1, scipy_chirp[k].kind,
                              scipy_chirp[k].phase));
        check(&q, apart_from(y, scipy_chirp[k].want) < 1e-12, "sweep %d of kind %d: off by %.1e", k, scipy_chirp[k].kind,
              apart_from(y, scipy_chirp[k].want));
        agn_release(y);
    }
    for (int k = 0; k < 3; k++) {
        double part = k == 0 ? 0 : k == 1 ? 0.3 : 1;
        must(agn_signal_square(&y, u, part));
        check(&q, apart_from(y, squares[k]) == 0, "a duty of %g", part);
        agn_release(y);
        must(agn_signal_sawtooth(&y, u, part));
        check(&q, apart_from(y, teeth[k]) < 1e-14, "a width of %g", part);
        agn_release(y);
    }
    must(agn_signal_gausspulse(&y, t, 3, 0.6, -5));
    check(&q, apart_from(y, scipy_gausspulse) < 1e-13, "a pulse");
    agn_tensor *lt = row_of(30, lomb_t), *ly = row_of(30, lomb_y), *lw = row_of(9, lomb_w), *p = NULL;
    must(agn_signal_lombscargle(&p, lt, ly, lw));
    check(&q, apart_from(p, scipy_lomb) < 1e-12, "Lomb's powers: off by %.1e", apart_from(p, scipy_lomb));
    agn_tensor *once = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){0.7}), *power = NULL;
    must(agn_signal_lombscargle(&power, once, once, lw)); /* a sinusoid takes it all, once */
    for (int k = 0; k < 9; k++)
        check(&q, fabs(peek(power, k) - 0.5 * 0.7 * 0.7) < 1e-14, "one sample: %g", peek(power, k));
    release_all((agn_tensor *[]){once, power}, 2);
    release_all((agn_tensor *[]){t, u, y, lt, ly, lw, p}, 7);
    tell(&q, "SciPy's waveforms, powers of scattered samples");
}

static void test_peaks(void)
{
    tally q = {0, 0};
    agn_tensor *x = row_of(160, peak_x);
    for (int k = 0; k < COUNT(scipy_peaks); k++) {
        agn_tensor *p = NULL, *m = NULL;
        agn_signal_peak_options o = {.size = sizeof o, .conditions = scipy_peaks[k].conditions,
                                     .distance = scipy_peaks[k].distance, .window = scipy_peaks[k].window,
                                     .part = scipy_peaks[k].part};
        for (int i = 0; i < 2; i++) {
            o.height[i] = scipy_peaks[k].height[i];
            o.threshold[i] = scipy_peaks[k].threshold[i];
            o.prominence[i] = scipy_peaks[k].prominence[i];
            o.plateau[i] = scipy_peaks[k].plateau[i];
            o.width[i] = scipy_peaks[k].width[i];
        }
        must(agn_signal_find_peaks(&p, x, &o));
        check(&q, agn_numel(p) == scipy_peaks[k].n, "%d peaks, not %d", (int)agn_numel(p), scipy_peaks[k].n);
        for (int64_t i = 0; i < agn_numel(p) && i < scipy_peaks[k].n; i++)
            check(&q, peek_int(p, i) == (int64_t)scipy_peaks[k].want[i], "conditions %d: peak %d at %d", o.conditions,
                  (int)i, (int)peek_int(p, i));
        must(agn_signal_measure_peaks(&m, x, p, o.window, o.part));
        check(&q, apart_from(m, scipy_peaks[k].measured) < 1e-12, "conditions %d: measures off by %.1e", o.conditions,
              apart_from(m, scipy_peaks[k].measured));
        release_all((agn_tensor *[]){p, m}, 2);
    }
    agn_release(x);
    for (int n = 0; n < 4; n++) { /* nothing to find; NaN hides what is beside it */
        agn_tensor *p = NULL;
        x = row_of(n, (double[]){1, (double)NAN, 1, 0});
        must(agn_signal_find_peaks(&p, x, NULL));
        check(&q, agn_numel(p) == 0, "no peak in %d", n);
        release_all((agn_tensor *[]){x, p}, 2);
    }
    tell(&q, "SciPy's peaks");
}

/* ---- derivatives --------------------------------------------------------------------------------- */

enum { UPFIRDN, POLY, SAVGOL, MEDFILT, CHIRP, HYPERBOLIC, SAWTOOTH, PULSE, LOMB, BODIES };

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    switch (*(const int *)user) {
    case UPFIRDN:
        y[0] = ag_signal_upfirdn(s, x[1], x[0], 3, 2);
        break;
    case POLY:
        y[0] = ag_signal_resample_poly(s, x[0], 2, 3, x[1]);
        break;
    case SAVGOL:
        y[0] = ag_square(s, ag_signal_savgol_filter(s, x[0], 5, 2, 1, 0.5));
        break;
    case MEDFILT:
        y[0] = ag_square(s, ag_signal_medfilt(s, x[0], 3));
        break;
    case CHIRP:
        y[0] = ag_signal_chirp(s, x[0], 0.1, 1, 0.4, AGN_CHIRP_LOGARITHMIC, 0.3);
        break;
    case HYPERBOLIC:
        y[0] = ag_signal_chirp(s, x[0], 0.1, 9, 0.2, AGN_CHIRP_HYPERBOLIC, 0.3);
        break;
    case SAWTOOTH:
        y[0] = ag_square(s, ag_signal_sawtooth(s, x[0], 0.9));
        break;
    case PULSE:
        y[0] = ag_signal_gausspulse(s, x[0], 0.3, 0.5, -6);
        break;
    default:
        y[0] = ag_signal_lombscargle(s, x[0], x[1], x[2]);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    static const char *const names[] = {"upfirdn", "resample_poly", "savgol", "medfilt", "chirp", "hyperbolic chirp",
                                        "sawtooth", "gausspulse", "lombscargle"};
    for (int what = 0; what < BODIES; what++) {
        int n = what == LOMB ? 3 : what <= POLY ? 2 : 1;
        double v[7] = {0.31, 1.2, 0.75, 1.9, 0.2, 1.1, 2.2};
        agn_tensor *x[3] = {row_of(7, v), random_of(AGN_F64, 1, (int64_t[]){what == LOMB ? 7 : 4}, -1, 1),
                            row_of(2, (double[]){0.8, 1.3})};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, n, 1));
        in_every_mode(f, n, (const agn_tensor *const *)x, 1e-3, 2e-8, names[what]);
        agn_fn_release(f);
        release_all(x, 3);
    }
}

/* ---- failures ------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 1, (int64_t[]){9}, 0, 1), *h = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1),
               *z = random_of(AGN_C64, 1, (int64_t[]){9}, 0, 1), *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1),
               *two = random_of(AGN_F64, 2, (int64_t[]){2, 9}, 0, 1), *at = NULL, *wide = NULL;
    int64_t ones[32];
    for (int k = 0; k < 32; k++)
        ones[k] = k == 31 ? 9 : 1;
    wide = random_of(AGN_F64, 32, ones, 0, 1);
    must(agn_from_host(&at, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){3, 9}));
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
    NO(agn_signal_upfirdn(NULL, h, x, 1, 1), AGN_ENULL, "signal_upfirdn", "out", "NULL");
    NO(agn_signal_upfirdn(&out, NULL, x, 1, 1), AGN_ENULL, "signal_upfirdn", "h is", "NULL");
    NO(agn_signal_upfirdn(&out, h, NULL, 1, 1), AGN_ENULL, "signal_upfirdn", "x is", "NULL");
    NO(agn_signal_upfirdn(&out, h, none, 1, 1), AGN_ESHAPE, "signal_upfirdn", "[0]", "sample");
    NO(agn_signal_upfirdn(&out, two, x, 1, 1), AGN_ESHAPE, "signal_upfirdn", "[2,9]", "[taps]");
    NO(agn_signal_upfirdn(&out, h, wide, 1, 1), AGN_ESHAPE, "signal_upfirdn", "rank 32", "room");
    NO(agn_signal_upfirdn(&out, h, x, 0, 1), AGN_EARG, "signal_upfirdn", "0 up", "16777216");
    NO(agn_signal_upfirdn(&out, h, x, 9999, 10000), AGN_EARG, "signal_upfirdn", "9999 phases", "room for");
    NO(agn_signal_resample_poly(NULL, x, 1, 1, h), AGN_ENULL, "signal_resample_poly", "out", "NULL");
    NO(agn_signal_resample_poly(&out, NULL, 1, 1, h), AGN_ENULL, "signal_resample_poly", "x is", "NULL");
    NO(agn_signal_resample_poly(&out, none, 1, 1, h), AGN_ESHAPE, "signal_resample_poly", "[0]", "sample");
    NO(agn_signal_resample_poly(&out, x, 1, 1, none), AGN_ESHAPE, "signal_resample_poly", "[0]", "[taps]");
    NO(agn_signal_resample_poly(&out, x, 1, -1, h), AGN_EARG, "signal_resample_poly", "-1 down", "16777216");
    NO(agn_signal_resample_poly(&out, x, 1, 40000, NULL), AGN_EARG, "signal_resample_poly", "40000 down", "32768");
    static const char sc[] = "signal_savgol_coefficients", sf[] = "signal_savgol_filter";
    NO(agn_signal_savgol_coefficients(NULL, 3, 1, 0, 1), AGN_ENULL, sc, "out", "NULL");
    NO(agn_signal_savgol_coefficients(&out, 4, 1, 0, 1), AGN_EARG, sc, "window of 4", "order 1");
    NO(agn_signal_savgol_coefficients(&out, 3, 3, 0, 1), AGN_EARG, sc, "window of 3", "order 3");
    NO(agn_signal_savgol_coefficients(&out, 3, 1, -1, 1), AGN_EARG, sc, "derivative -1", "64");
    NO(agn_signal_savgol_coefficients(&out, 3, 1, 1, 0), AGN_EARG, sc, "0 apart", "positive");
    NO(agn_signal_savgol_filter(NULL, x, 3, 1, 0, 1), AGN_ENULL, sf, "out", "NULL");
    NO(agn_signal_savgol_filter(&out, NULL, 3, 1, 0, 1), AGN_ENULL, sf, "x is", "NULL");
    NO(agn_signal_savgol_filter(&out, x, 11, 1, 0, 1), AGN_ESHAPE, sf, "[9]", "11");
    NO(agn_signal_savgol_filter(&out, x, 2, 1, 0, 1), AGN_EARG, sf, "window of 2", "order 1");
    NO(agn_signal_medfilt(NULL, x, 3), AGN_ENULL, "signal_medfilt", "out", "NULL");
    NO(agn_signal_medfilt(&out, NULL, 3), AGN_ENULL, "signal_medfilt", "x is", "NULL");
    NO(agn_signal_medfilt(&out, z, 3), AGN_EDTYPE, "signal_medfilt", "c64", "real");
    NO(agn_signal_medfilt(&out, none, 3), AGN_ESHAPE, "signal_medfilt", "[0]", "sample");
    NO(agn_signal_medfilt(&out, wide, 3), AGN_ESHAPE, "signal_medfilt", "rank 32", "room");
    NO(agn_signal_medfilt(&out, x, 4), AGN_EARG, "signal_medfilt", "window of 4", "odd");
    for (int k = 0; k < 4; k++) {
        static const char *const op[] = {"signal_chirp", "signal_square", "signal_sawtooth", "signal_gausspulse"};
#define WAVE(out, t, bad) (k == 0   ? agn_signal_chirp(out, t, bad ? (double)NAN : 1, 1, 2, 0, 0) \
                           : k == 1 ? agn_signal_square(out, t, bad ? 2 : 0.5)                    \
                           : k == 2 ? agn_signal_sawtooth(out, t, bad ? -1 : 0.5)                 \
                                    : agn_signal_gausspulse(out, t, 1, bad ? 0 : 1, -6))
        NO(WAVE(NULL, x, false), AGN_ENULL, op[k], "out", "NULL");
        NO(WAVE(&out, NULL, false), AGN_ENULL, op[k], "t is", "NULL");
        NO(WAVE(&out, z, false), AGN_EDTYPE, op[k], "c64", "real");
        NO(WAVE(&out, x, true), AGN_EARG, op[k], k == 0 ? "nan" : k == 1 ? "duty of 2" : k == 2 ? "width of -1" : "bandwidth of 0", NULL);
    }
    NO(agn_signal_chirp(&out, x, 1, 1, 2, 4, 0), AGN_EARG, "signal_chirp", "kind 4", "0 to 3");
    NO(agn_signal_chirp(&out, x, 1, 0, 2, 0, 0), AGN_EARG, "signal_chirp", "time 0", "from 1");
    NO(agn_signal_chirp(&out, x, 1, 1, -2, AGN_CHIRP_HYPERBOLIC, 0), AGN_EARG, "signal_chirp", "to -2", "pass 0");
    NO(agn_signal_lombscargle(NULL, x, x, h), AGN_ENULL, "signal_lombscargle", "out", "NULL");
    NO(agn_signal_lombscargle(&out, NULL, x, h), AGN_ENULL, "signal_lombscargle", "t is", "NULL");
    NO(agn_signal_lombscargle(&out, x, NULL, h), AGN_ENULL, "signal_lombscargle", "y is", "NULL");
    NO(agn_signal_lombscargle(&out, x, x, NULL), AGN_ENULL, "signal_lombscargle", "w is", "NULL");
    NO(agn_signal_lombscargle(&out, x, z, h), AGN_EDTYPE, "signal_lombscargle", "argument 1", "c64");
    NO(agn_signal_lombscargle(&out, x, h, h), AGN_ESHAPE, "signal_lombscargle", "[9]", "[3]");
#define PEAKS(...) agn_signal_find_peaks(&out, x, &(agn_signal_peak_options){.size = sizeof(agn_signal_peak_options), __VA_ARGS__})
    NO(agn_signal_find_peaks(NULL, x, NULL), AGN_ENULL, "signal_find_peaks", "out", "NULL");
    NO(agn_signal_find_peaks(&out, NULL, NULL), AGN_ENULL, "signal_find_peaks", "x is", "NULL");
    NO(agn_signal_find_peaks(&out, two, NULL), AGN_ESHAPE, "signal_find_peaks", "[2,9]", "row");
    NO(agn_signal_find_peaks(&out, z, NULL), AGN_EDTYPE, "signal_find_peaks", "c64", "real");
    NO(agn_signal_find_peaks(&out, x, &(agn_signal_peak_options){.size = 1}), AGN_EARG, "signal_find_peaks", "1 bytes",
       "has");
    NO(PEAKS(.conditions = 64), AGN_EARG, "signal_find_peaks", "conditions 64", "32");
    NO(PEAKS(.conditions = AGN_PEAK_WIDTH, .width = {3, 2}), AGN_EARG, "signal_find_peaks", "3 to 2", "not above");
    NO(PEAKS(.conditions = AGN_PEAK_DISTANCE), AGN_EARG, "signal_find_peaks", "distance 0", "1 at least");
    NO(PEAKS(.window = 1), AGN_EARG, "signal_find_peaks", "window 1", "2");
    static const char mp[] = "signal_measure_peaks";
    NO(agn_signal_measure_peaks(NULL, x, at, 0, 0), AGN_ENULL, mp, "out", "NULL");
    NO(agn_signal_measure_peaks(&out, NULL, at, 0, 0), AGN_ENULL, mp, "x is", "NULL");
    NO(agn_signal_measure_peaks(&out, x, NULL, 0, 0), AGN_ENULL, mp, "peaks", "NULL");
    NO(agn_signal_measure_peaks(&out, two, at, 0, 0), AGN_ESHAPE, mp, "[2,9]", "row");
    NO(agn_signal_measure_peaks(&out, x, two, 0, 0), AGN_ESHAPE, mp, "[2,9]", "[peaks]");
    NO(agn_signal_measure_peaks(&out, z, at, 0, 0), AGN_EDTYPE, mp, "c64", "real");
    NO(agn_signal_measure_peaks(&out, x, x, 0, 0), AGN_EDTYPE, mp, "f64", "i64");
    NO(agn_signal_measure_peaks(&out, x, at, 1, 0), AGN_EARG, mp, "window 1", "2");
    NO(agn_signal_measure_peaks(&out, x, at, 0, -1), AGN_EARG, mp, "part -1", "negative");
    NO(agn_signal_measure_peaks(&out, x, at, 0, 0), AGN_EINDEX, mp, "at 9", "9 samples");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, h, z, none, two, at, wide}, 7);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor **in = user, *p = NULL;
    switch (agn_numel(in[1])) {
    case 1:
        return agn_signal_resample_poly(out, in[0], 2, 1, NULL);
    case 2:
        return agn_signal_savgol_filter(out, in[0], 3, 1, 0, 1);
    default: {
        agn_status st = agn_signal_find_peaks(&p, in[0], &(agn_signal_peak_options){.size = sizeof(agn_signal_peak_options),
                                                                                   .conditions = AGN_PEAK_DISTANCE,
                                                                                   .distance = 2});
        if (!st)
            st = agn_signal_measure_peaks(out, in[0], p, 0, 0);
        agn_release(p);
        return st;
    }
    }
}

int main(void)
{
    test_rates();
    test_reach();
    test_smoothing();
    test_medians();
    test_waveforms();
    test_peaks();
    test_modes();
    test_failures();
    for (int64_t k = 1; k < 4; k++) {
        agn_tensor *in[2] = {random_of(AGN_F32, 1, (int64_t[]){9}, 0, 1), random_of(AGN_F32, 1, &k, 0, 1)};
        every_allocation(make, in, "rates, fits, peaks");
        release_all(in, 2);
    }
    return done();
}
