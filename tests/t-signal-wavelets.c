/* t-signal-wavelets - wavelet transforms against numbers of PyWavelets, and back; vanishing moments; periodograms and
   steady states against SciPy; derivatives in every mode; failures. */
#include "modes.h"

#include "data/wavelets.inc"

static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = agn_numel(y) == n ? 0 : (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y) && i < n; i++)
        worst = fmax(worst, fabs(peek(y, i) - want[i]));
    return worst;
}

static void test_wavelets(void)
{
    tally q = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){48}, wavelet_x);
    for (int k = 0; k < COUNT(pywt_cases); k++) {
        agn_tensor *y = NULL, *back = NULL;
        must(agn_signal_wavelet_transform(&y, x, pywt_cases[k].family, pywt_cases[k].order, pywt_cases[k].levels));
        double off = apart_from(y, pywt_cases[k].want, 48);
        check(&q, off < 2e-10, "family %d, order %d, %d levels: off by %.1e", pywt_cases[k].family, pywt_cases[k].order,
              pywt_cases[k].levels, off);
        must(agn_signal_inverse_wavelet_transform(&back, y, pywt_cases[k].family, pywt_cases[k].order,
                                                  pywt_cases[k].levels));
        off = apart_from(back, wavelet_x, 48);
        check(&q, off < 1e-10, "family %d, order %d, %d levels and back: off by %.1e", pywt_cases[k].family,
              pywt_cases[k].order, pywt_cases[k].levels, off);
        release_all((agn_tensor *[]){y, back}, 2);
    }
    agn_release(x);
    tell(&q, "PyWavelets' transforms, and back");
    /* to the last level, in every layout, f32 and complex; a polynomial has no details but near the ends */
    tally e = {0, 0};
    static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128, AGN_I32};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int l = 0; l < N_LAYOUTS; l++)
            for (int family = 0; family <= AGN_WAVELET_CDF_9_7; family++) {
                agn_tensor *x0 = random_of(dtypes[d], 2, (int64_t[]){3, 32}, -4, 4), *y = NULL, *back = NULL;
                x = laid_out(x0, l);
                must(agn_signal_wavelet_transform(&y, x, family, 7, 5));
                must(agn_signal_inverse_wavelet_transform(&back, y, family, 7, 5));
                bool single = dtypes[d] == AGN_F32 || dtypes[d] == AGN_C64;
                for (int64_t i = 0; i < 96; i++)
                    check(&e, cabs(peekz(back, i) - peekz(x0, i)) < (single ? 2e-5 : 1e-10), "dtype %d, family %d: %d", d,
                          family, (int)i);
                release_all((agn_tensor *[]){x0, x, y, back}, 4);
            }
    for (int order = 1; order <= 10; order++) {
        double v[128];
        for (int i = 0; i < 128; i++)
            v[i] = pow((i - 64) / 64.0, order - 1);
        agn_tensor *y = NULL;
        x = of_reals(AGN_F64, 1, (int64_t[]){128}, v);
        must(agn_signal_wavelet_transform(&y, x, AGN_WAVELET_DAUBECHIES, order, 1));
        for (int64_t i = 64 + order; i < 128 - order; i++)
            check(&e, fabs(peek(y, i)) < 1e-10, "order %d: a polynomial's detail %d is %g", order, (int)i, peek(y, i));
        release_all((agn_tensor *[]){x, y}, 2);
    }
    tell(&e, "to the last level and back; vanishing moments");
}

static void test_whole(void)
{
    tally q = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){48}, wavelet_x), *less = of_reals(AGN_F64, 1, (int64_t[]){47}, wavelet_x),
               *w = NULL, *y = NULL, *z = NULL, *b = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0.3, -0.2, 0.5}),
               *a = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){2, -0.6, 0.3, 0.1});
    agn_signal_welch_options o = {.size = sizeof o, .rate = 20};
    must(agn_signal_periodogram(&y, x, &o));
    check(&q, apart_from(y, periodogram_density, COUNT(periodogram_density)) < 1e-14, "a density");
    agn_release(y);
    must(agn_signal_window(&w, AGN_WINDOW_HANN, AGN_F64, 47, NULL, 0, false));
    o.window = w;
    o.spectrum = o.keep_mean = true;
    must(agn_signal_periodogram(&y, less, &o));
    check(&q, apart_from(y, periodogram_spectrum, COUNT(periodogram_spectrum)) < 1e-14, "a spectrum");
    must(agn_signal_lfilter_steady(&z, b, a));
    check(&q, apart_from(z, steady_long, COUNT(steady_long)) < 1e-14, "a state");
    release_all((agn_tensor *[]){x, less, w, y, z, b, a}, 7);
    b = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){1, 0.5, 0.25, 2});
    a = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, -0.4});
    must(agn_signal_lfilter_steady(&z, b, a));
    check(&q, apart_from(z, steady_short, COUNT(steady_short)) < 1e-14, "another state");
    release_all((agn_tensor *[]){z, b, a}, 3);
    tell(&q, "SciPy's periodograms and steady states");
}

enum { FORWARD, BACK, PERIODOGRAM, STEADY, BODIES };

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    switch (*(const int *)user) {
    case FORWARD:
        y[0] = ag_square(s, ag_signal_wavelet_transform(s, x[0], AGN_WAVELET_DAUBECHIES, 3, 2));
        break;
    case BACK:
        y[0] = ag_square(s, ag_signal_inverse_wavelet_transform(s, x[0], AGN_WAVELET_CDF_9_7, 0, 2));
        break;
    case PERIODOGRAM:
        y[0] = ag_signal_periodogram(s, x[0], NULL);
        break;
    default:
        y[0] = ag_signal_lfilter_steady(s, x[0], x[1]);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    static const char *const names[] = {"wavelet_transform", "inverse_wavelet_transform", "periodogram", "lfilter_steady"};
    for (int what = 0; what < BODIES; what++) {
        int n = what == STEADY ? 2 : 1;
        agn_tensor *x[2] = {random_of(AGN_F64, 1, (int64_t[]){what == STEADY ? 3 : 8}, 0.3, 1),
                            random_of(AGN_F64, 1, (int64_t[]){3}, 0.5, 1)};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, n, 1));
        in_every_mode(f, n, (const agn_tensor *const *)x, 1e-3, 1e-8, names[what]);
        agn_fn_release(f);
        release_all(x, 2);
    }
}

static void test_failures(void)
{
    tally q = {0, 0};
    int64_t ones[32];
    for (int k = 0; k < 32; k++)
        ones[k] = k == 31 ? 8 : 1;
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 1, (int64_t[]){24}, 0, 1), *z = random_of(AGN_C64, 1, (int64_t[]){24}, 0, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1), *one = random_of(AGN_F64, 1, (int64_t[]){1}, 1, 2),
               *wide = random_of(AGN_F64, 32, ones, 0, 1), *two = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 1, 2),
               *three = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2);
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
    agn_status (*const f[])(agn_tensor **, const agn_tensor *, int32_t, int32_t, int32_t) = {
        agn_signal_wavelet_transform, agn_signal_inverse_wavelet_transform};
    static const char *const op[] = {"signal_wavelet_transform", "signal_inverse_wavelet_transform"};
    for (int k = 0; k < 2; k++) {
        NO(f[k](NULL, x, 0, 2, 1), AGN_ENULL, op[k], "out", "NULL");
        NO(f[k](&out, NULL, 0, 2, 1), AGN_ENULL, op[k], "x is", "NULL");
        NO(f[k](&out, none, 0, 2, 1), AGN_ESHAPE, op[k], "[0]", "sample");
        NO(f[k](&out, x, 0, 2, 4), AGN_ESHAPE, op[k], "[24]", "2^4");
        NO(f[k](&out, wide, 0, 2, 1), AGN_ESHAPE, op[k], "1 levels", "room");
        NO(f[k](&out, x, 3, 2, 1), AGN_EARG, op[k], "family 3", "0 to 2");
        NO(f[k](&out, x, 0, 11, 1), AGN_EARG, op[k], "order 11", "1 to 10");
        NO(f[k](&out, x, 0, 2, -1), AGN_EARG, op[k], "-1 levels", "62");
    }
    NO(agn_signal_periodogram(NULL, x, NULL), AGN_ENULL, "signal_periodogram", "out", "NULL");
    NO(agn_signal_periodogram(&out, NULL, NULL), AGN_ENULL, "signal_periodogram", "x is", "NULL");
    NO(agn_signal_periodogram(&out, z, NULL), AGN_EDTYPE, "signal_periodogram", "c64", "real");
    NO(agn_signal_periodogram(&out, none, NULL), AGN_ESHAPE, "signal_periodogram", "[0]", "sample");
    NO(agn_signal_periodogram(&out, x, &(agn_signal_welch_options){.size = 2}), AGN_EARG, "signal_periodogram", "2 bytes",
       "has");
    NO(agn_signal_periodogram(&out, x, &(agn_signal_welch_options){.size = sizeof(agn_signal_welch_options), .rate = -1}),
       AGN_EARG, "signal_periodogram", "rate of -1", "[24]");
    NO(agn_signal_periodogram(&out, x, &(agn_signal_welch_options){.size = sizeof(agn_signal_welch_options), .window = one}),
       AGN_ESHAPE, "signal_periodogram", "[1]", "24");
    NO(agn_signal_lfilter_steady(NULL, x, x), AGN_ENULL, "signal_lfilter_steady", "out", "NULL");
    NO(agn_signal_lfilter_steady(&out, NULL, x), AGN_ENULL, "signal_lfilter_steady", "b is", "NULL");
    NO(agn_signal_lfilter_steady(&out, x, NULL), AGN_ENULL, "signal_lfilter_steady", "a is", "NULL");
    NO(agn_signal_lfilter_steady(&out, one, one), AGN_ESHAPE, "signal_lfilter_steady", "[1]", "two coefficients");
    NO(agn_signal_lfilter_steady(&out, two, three), AGN_ESHAPE, "signal_lfilter_steady", "[2,", "[3,");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, z, none, one, wide, two, three}, 7);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = agn_signal_wavelet_transform(&y, user, AGN_WAVELET_CDF_9_7, 0, 3);
    if (!st)
        st = agn_signal_inverse_wavelet_transform(out, y, AGN_WAVELET_CDF_9_7, 0, 3);
    agn_release(y);
    return st;
}
static agn_status make_density(void *user, agn_tensor **out)
{
    return agn_signal_periodogram(out, user, NULL);
}

int main(void)
{
    test_wavelets();
    test_whole();
    test_modes();
    test_failures();
    agn_tensor *x = random_of(AGN_F32, 1, (int64_t[]){8}, 0, 1);
    every_allocation(make, x, "wavelets");
    every_allocation(make_density, x, "a periodogram");
    agn_release(x);
    return done();
}
