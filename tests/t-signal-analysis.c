/* t-signal-analysis - filters of one frequency, images, spectrograms and shapes of spectra against
   numbers of SciPy and of
   librosa; derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_music.h>
#include <agnesi/signal_analysis.h>

#include "data/analysis.inc"

#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) analysis_##name, LENGTH(analysis_##name)
#define APART(y, name) apart_from(y, NUMBERS(name))
#define OFF(call, name) off(call, &y, NUMBERS(name))

/* the largest difference from numbers, or pairs where y is complex, over 1 + the largest number */
static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = 0, most = 0;
    bool z = kind_of(agn_dtype_of(y)) == KIND_COMPLEX;
    if (agn_numel(y) * (z ? 2 : 1) != n)
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double complex v = z ? z_of(want[2 * i], want[2 * i + 1]) : z_of(want[i], 0);
        double e = cabs(peekz(y, i) - v);
        worst = e > worst || isnan(e) ? e : worst;
        most = fmax(most, cabs(v));
    }
    return worst / (1 + most);
}
static double off(agn_status st, agn_tensor **y, const double *want, int n)
{
    must(st);
    double e = apart_from(*y, want, n);
    agn_release(*y);
    *y = NULL;
    return e;
}
static agn_tensor *row_of(const double *v, int n)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
#define ROW(name) row_of(NUMBERS(name))
static agn_tensor *matrix_of(int rows, int columns, const double *v)
{
    return of_reals(AGN_F64, 2, (int64_t[]){rows, columns}, v);
}

/* a notch that is no stable filter is NaN throughout, its neighbours are not */
static void test_unstable_notches(void)
{
    static const double at[] = {60, -60, 0, 200, 260, 60, 60, 60, 60, NAN, 60, 1e-9, 199.9},
                        quality[] = {5, 5, 5, 5, 5, -5, 0, 0.1, INFINITY, 5, 1e18, 5, 2};
    static const bool stable[] = {true,  false, false, false, false, false, false,
                                  false, false, false, false, false, true};
    enum { COUNT = sizeof at / sizeof *at };
    tally q = {0, 0};
    agn_tensor *f = row_of(at, COUNT), *w = row_of(quality, COUNT), *r[2];
    for (int pass = 0; pass < 2; pass++) {
        must(agn_signal_design_notch(&r[0], &r[1], f, w, 400, pass));
        for (int i = 0; i < 3 * COUNT; i++)
            for (int k = 0; k < 2; k++)
                check(&q, !isnan(peek(r[k], i)) == stable[i / 3],
                      "%s: frequency %g, quality %g: coefficient %d of %s is %g",
                      pass ? "peak" : "notch", at[i / 3], quality[i / 3], i % 3, k ? "a" : "b",
                      peek(r[k], i));
        release_all(r, 2);
    }
    release_all((agn_tensor *[]){f, w}, 2);
    tell(&q, "notches that are no stable filter are NaN");
}

static void test_filters(void)
{
    static const struct {
        bool pass, middle;
        const double *want;
    } combs[] = {{false, false, analysis_comb},
                 {false, true, analysis_comb_middle},
                 {true, false, analysis_comb_peak},
                 {true, true, analysis_comb_peak_middle}};
    tally q = {0, 0};
    double sixty = 60;
    agn_tensor *f = of_reals(AGN_F64, 0, NULL, &sixty), *w = row_of((double[]){5, 12}, 2),
               *b = NULL, *a = NULL, *y = NULL, *x = ROW(x), *h = ROW(fir);
    for (int pass = 0; pass < 2; pass++) {
        const double *want = pass ? analysis_peak : analysis_notch;
        must(agn_signal_design_notch(&b, &a, f, w, 400, pass));
        check(&q, has_shape(b, 2, (int64_t[]){2, 3}), "shape %s", SHAPE_TEXT(b));
        for (int i = 0; i < 3; i++)
            check(&q,
                  fabs(peek(b, 3 + i) - want[i]) < 1e-14 &&
                      fabs(peek(a, 3 + i) - want[3 + i]) < 1e-14,
                  "coefficient %d: %g, %g", i, peek(b, 3 + i), peek(a, 3 + i));
        release_all((agn_tensor *[]){a, b}, 2);
    }
    for (int k = 0; k < 4; k++) {
        must(agn_signal_design_comb(&b, &a, 8, 8, combs[k].pass, combs[k].middle));
        check(&q,
              apart_from(b, combs[k].want, 9) < 1e-15 &&
                  apart_from(a, combs[k].want + 9, 9) < 1e-15,
              "comb %d", k);
        release_all((agn_tensor *[]){a, b}, 2);
    }
    check(&q, OFF(agn_signal_minimum_phase(&y, h, 256, false), minimum) < 1e-12, "least phase");
    check(&q, OFF(agn_signal_minimum_phase(&y, h, 255, true), minimum_odd) < 1e-12,
          "least phase, whole");
    must(agn_signal_minimum_phase(&y, h, 0, false));
    check(&q, has_shape(y, 1, (int64_t[]){8}), "eight taps of fifteen");
    agn_release(y);
    check(&q, OFF(agn_signal_decimate(&y, x, 4, false), decimated) < 1e-12, "decimated");
    check(&q, OFF(agn_signal_decimate(&y, x, 3, true), decimated_fir) < 1e-12,
          "decimated by a finite filter");
    check(&q, OFF(agn_signal_decimate(&y, x, 1, false), x) == 0, "every sample");
    release_all((agn_tensor *[]){f, w, x, h}, 4);
    tell(&q, "filters of one frequency, decimation");
}

static void test_images(void)
{
    tally q = {0, 0};
    agn_tensor *im = matrix_of(7, 6, analysis_image), *k = matrix_of(3, 4, analysis_kernel),
               *x = ROW(x), *y = NULL, *two = NULL, *f = NULL;
    check(&q, OFF(agn_signal_wiener(&y, im, (int64_t[]){3, 5}, 2, -1), wiener) < 1e-13, "Wiener");
    check(&q, OFF(agn_signal_wiener(&y, x, (int64_t[]){7}, 1, 0.05), wiener_noise) < 1e-13,
          "Wiener, known noise");
    check(&q, OFF(agn_signal_rank_filter(&y, im, 3, 5, 7), median) == 0, "median");
    check(&q, OFF(agn_signal_rank_filter(&y, im, 5, 3, 3), rank) == 0, "rank 3");
    check(&q, OFF(agn_signal_convolve2d(&y, im, k, AGN_FULL, -1, 0.7), full_fill) < 1e-14,
          "full, filled");
    check(&q, OFF(agn_signal_convolve2d(&y, im, k, AGN_SAME, AGN_PAD_WRAP, 0), same_wrap) < 1e-14,
          "same, wrapped");
    check(&q,
          OFF(agn_signal_convolve2d(&y, im, k, AGN_FULL, AGN_PAD_SYMMETRIC, 0), full_symm) < 1e-14,
          "full, mirrored");
    check(&q,
          OFF(agn_signal_convolve2d(&y, im, k, AGN_SAME, AGN_PAD_SYMMETRIC, 0), same_symm) < 1e-14,
          "same, mirrored");
    check(&q, OFF(agn_signal_convolve2d(&y, im, k, AGN_VALID, -1, 0.7), valid) < 1e-14, "valid");
    check(&q, OFF(agn_signal_hilbert2(&y, im), hilbert2) < 1e-14, "analytic");
    /* a batch of f32: each image for itself */
    must(agn_cast(&f, im, AGN_F32));
    must(agn_stack(&two, (const agn_tensor *[]){f, f}, 2, 0));
    must(agn_signal_wiener(&y, two, (int64_t[]){3, 5}, 2, -1));
    check(&q,
          has_shape(y, 3, (int64_t[]){2, 7, 6}) && agn_dtype_of(y) == AGN_F32 &&
              fabs(peek(y, 50) - analysis_wiener[8]) < 1e-6,
          "a batch: %g", peek(y, 50));
    agn_release(y);
    must(agn_signal_rank_filter(&y, two, 3, 5, 7));
    check(&q,
          has_shape(y, 3, (int64_t[]){2, 7, 6}) && fabs(peek(y, 50) - analysis_median[8]) < 1e-7,
          "a batch of medians");
    release_all((agn_tensor *[]){im, k, x, y, two, f}, 6);
    tell(&q, "images");
}

static void test_spectra(void)
{
    static const int kinds[] = {AGN_SPECTRUM_POWER, AGN_SPECTRUM_COMPLEX, AGN_SPECTRUM_MAGNITUDE,
                                AGN_SPECTRUM_ANGLE};
    static const struct {
        const double *v;
        int n;
    } want[] = {{NUMBERS(spectrum_psd)},
                {NUMBERS(spectrum_complex)},
                {NUMBERS(spectrum_magnitude)},
                {NUMBERS(spectrum_angle)}};
    tally q = {0, 0};
    agn_tensor *x = ROW(x), *w = ROW(hamming), *y = NULL, *t = ROW(t), *v = ROW(y),
               *weights = ROW(weights), *freqs = ROW(freqs);
    agn_signal_welch_options o = {.size = sizeof o, .hop = 10, .rate = 200, .window = w};
    for (int k = 0; k < 4; k++) {
        o.spectrum = kinds[k] == AGN_SPECTRUM_COMPLEX;
        must(agn_signal_spectrogram(&y, x, kinds[k], &o));
        double e = apart_from(y, want[k].v, want[k].n);
        check(&q, has_shape(y, 2, (int64_t[]){9, 11}) && e < 1e-12, "kind %d: %.1e", k, e);
        agn_release(y);
    }
    check(&q, OFF(agn_signal_lombscargle_fit(&y, t, v, NULL, freqs, false), lomb) < 1e-12,
          "sinusoids");
    check(&q,
          OFF(agn_signal_lombscargle_fit(&y, t, v, weights, freqs, true), lomb_weighted) < 1e-12,
          "weighted, about the mean");
    agn_tensor *row = row_of(analysis_x, 15), *twice = NULL;
    must(agn_signal_hartley(&y, row));
    check(&q, APART(y, hartley) < 1e-14, "Hartley");
    must(agn_signal_hartley(&twice, y));
    for (int i = 0; i < 15; i++)
        check(&q, fabs(peek(twice, i) - 15 * analysis_x[i]) < 1e-12, "its own inverse at %d", i);
    release_all((agn_tensor *[]){x, w, y, t, v, weights, freqs, row, twice}, 9);
    /* periodic Hann windows add up at halves and quarters, their squares only are not 0 elsewhere
       */
    bool constant = false, covered = false;
    must(agn_signal_window(&w, AGN_WINDOW_HANN, AGN_F64, 12, NULL, 0, false));
    must(agn_signal_check_overlap(&constant, &covered, w, 6, 1e-10));
    check(&q, constant && covered, "halves");
    must(agn_signal_check_overlap(&constant, &covered, w, 7, 1e-10));
    check(&q, !constant && covered, "seven of twelve");
    must(agn_signal_check_overlap(&constant, &covered, w, 12, 1e-10));
    check(&q, !constant && !covered, "no overlap: the first sample is 0");
    agn_release(w);
    tell(&q, "spectra, windows that overlap");
}

static void test_shapes(void)
{
    tally q = {0, 0};
    agn_tensor *s = matrix_of(17, 7, analysis_power), *c = matrix_of(12, 30, analysis_chroma),
               *x = ROW(x), *y = NULL, *f = NULL, *t = NULL;
    check(&q, OFF(agn_audio_spectral_polynomial(&y, s, 200, 0), poly_0) < 1e-12, "order 0");
    check(&q, OFF(agn_audio_spectral_polynomial(&y, s, 200, 1), poly_1) < 1e-12, "order 1");
    check(&q, OFF(agn_audio_spectral_polynomial(&y, s, 200, 3), poly_3) < 1e-11, "order 3");
    check(&q, OFF(agn_audio_chroma_statistics(&y, c, 9), cens) < 1e-14,
          "statistics of pitch classes");
    check(&q, OFF(agn_audio_stack_memory(&y, s, 3, 2), stacked) == 0, "memory");
    check(&q, OFF(agn_audio_stack_memory(&y, s, 2, -3), stacked_ahead) == 0, "frames to come");
    check(&q, OFF(agn_audio_stack_memory(&y, s, 1, 1), power) == 0, "of one step");
    agn_signal_stft_options o = {.size = sizeof o, .n_fft = 32, .hop = 20, .edge = AGN_SIGNAL_ZERO};
    must(agn_audio_reassigned_spectrogram(&f, &t, &y, x, 200, &o));
    check(&q, APART(y, reassigned_m) < 1e-12, "magnitudes: %.1e", APART(y, reassigned_m));
    check(&q, APART(f, reassigned_f) < 1e-9 && APART(t, reassigned_t) < 1e-9, "places: %.1e, %.1e",
          APART(f, reassigned_f), APART(t, reassigned_t));
    release_all((agn_tensor *[]){f, t, y}, 3);
    /* bands of a spectrum that is not negative come back; of bands that do not overlap, flat within
       each */
    agn_tensor *bank = matrix_of(2, 5, (double[]){1, 1, 0, 0, 0, 0, 0, 1, 1, 0}),
               *bands = matrix_of(2, 1, (double[]){3, 5}), *back = NULL;
    must(agn_audio_invert_mel(&y, bands, bank, 50));
    static const double flat[] = {1.5, 1.5, 2.5, 2.5};
    for (int i = 0; i < 4; i++)
        check(&q, fabs(peek(y, i) - flat[i]) < 1e-12, "bin %d: %g", i, peek(y, i));
    release_all((agn_tensor *[]){y, bank, bands}, 3);
    must(agn_audio_mel_filters(&bank, AGN_F64, 200, 32, 6, 5, 95, AGN_AUDIO_HTK, false));
    must(agn_matmul(&bands, bank, s));
    must(agn_audio_invert_mel(&y, bands, bank, 2000));
    must(agn_matmul(&back, bank, y));
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(back); i++) {
        worst = fmax(worst, fabs(peek(back, i) - peek(bands, i)) / (1 + fabs(peek(bands, i))));
        check(&q, peek(y, i) >= 0, "not negative");
    }
    check(&q, worst < 1e-2, "bands come back: %.1e", worst);
    release_all((agn_tensor *[]){s, c, x, y, bank, bands, back}, 7);
    tell(&q, "shapes of spectra");
}

/* ---- derivatives
   --------------------------------------------------------------------------------- */

enum {
    NOTCH,
    MINIMUM,
    DECIMATE,
    WIENER,
    RANK,
    CONVOLVE,
    HILBERT,
    POWER,
    PHASE,
    LOMB,
    HARTLEY,
    POLYNOMIAL,
    REASSIGN,
    INVERT,
    MEMORY,
    BODIES
};
static const char *const names[] = {"design_notch",
                                    "minimum_phase",
                                    "decimate",
                                    "wiener",
                                    "rank_filter",
                                    "convolve2d",
                                    "hilbert2",
                                    "spectrogram",
                                    "spectrogram of angles",
                                    "lombscargle_fit",
                                    "hartley",
                                    "spectral_polynomial",
                                    "reassigned_spectrogram",
                                    "invert_mel",
                                    "stack_memory"};

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    agn_tensor *r[3] = {NULL};
    const agn_tensor *row = ag_index_axis(s, x[0], 0, 0);
    agn_signal_welch_options o = {.size = sizeof o,
                                  .length = 4,
                                  .hop = 2,
                                  .keep_mean = true,
                                  .window = ag_index_axis(s, x[0], 0, 1)};
    agn_signal_stft_options t = {.size = sizeof t,
                                 .n_fft = 4,
                                 .hop = 4,
                                 .edge = AGN_SIGNAL_WRAP,
                                 .window = ag_index_axis(s, x[0], 0, 1)};
    switch (*(const int *)user) {
    case NOTCH:
        if (agn_scope_status(s))
            break;
        /* within what is stable */
        const agn_tensor *at = ag_add_c(s, ag_square(s, ag_sin(s, row)), 0.5),
                         *quality = ag_add_c(s, ag_square(s, ag_index_axis(s, x[0], 0, 1)), 2);
        agn_status st = agn_signal_design_notch(&r[0], &r[1], at, quality, 4, false);
        y[0] = agn_scope_adopt(s, st, &r[0]);
        y[0] = ag_concat(s, (const agn_tensor *[]){y[0], agn_scope_adopt(s, st, &r[1])}, 2, -1);
        break;
    case MINIMUM:
        y[0] = ag_signal_minimum_phase(s, row, 16, true);
        break;
    case DECIMATE:
        y[0] = ag_square(s, ag_signal_decimate(s, ag_ravel(s, x[0]), 2, true));
        break;
    case WIENER:
        y[0] = ag_signal_wiener(s, x[0], (int64_t[]){3, 3}, 2, 0.02);
        break;
    case RANK:
        y[0] = ag_square(s, ag_signal_rank_filter(s, x[0], 3, 3, 6));
        break;
    case CONVOLVE:
        y[0] = ag_signal_convolve2d(s, x[0], x[0], AGN_SAME, AGN_PAD_WRAP, 0);
        break;
    case HILBERT:
        y[0] = ag_square(s, ag_signal_hilbert2(s, x[0]));
        break;
    case POWER:
        y[0] = ag_signal_spectrogram(s, ag_ravel(s, x[0]), AGN_SPECTRUM_POWER, &o);
        break;
    case PHASE:
        y[0] = ag_sin(s, ag_signal_spectrogram(s, ag_ravel(s, x[0]), AGN_SPECTRUM_ANGLE, &o));
        break;
    case LOMB:
        y[0] = ag_signal_lombscargle_fit(s, ag_cumsum(s, row, 0), ag_index_axis(s, x[0], 0, 1),
                                         ag_square(s, row), ag_index_axis(s, x[0], 0, 2), false);
        break;
    case HARTLEY:
        y[0] = ag_square(s, ag_signal_hartley(s, x[0]));
        break;
    case POLYNOMIAL:
        y[0] = ag_square(s, ag_audio_spectral_polynomial(s, x[0], 2, 1));
        break;
    case REASSIGN:
        if (agn_scope_status(s))
            break;
        st = agn_audio_reassigned_spectrogram(&r[0], &r[1], &r[2], ag_ravel(s, x[0]), 1, &t);
        y[0] = agn_scope_adopt(s, st, &r[0]);
        for (int k = 1; k < 3; k++) {
            const agn_tensor *more = agn_scope_adopt(s, st, &r[k]);
            y[0] = ag_add(s, y[0], ag_mul_c(s, more, 0.5));
        }
        break;
    case INVERT:
        y[0] = ag_audio_invert_mel(s, x[0], ag_add_c(s, ag_swapaxes(s, x[0], 0, 1), 0.2), 3);
        break;
    default:
        y[0] = ag_square(s, ag_audio_stack_memory(s, x[0], 3, -1));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("signal analysis", names[what]);
        int rows = what == INVERT ? 4 : 3;
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){rows, 4}, 0.3, 1.2);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 5e-6, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures
   ------------------------------------------------------------------------------------ */

static agn_tensor *out = untouched, *p1 = untouched, *p2 = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_filters(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *none)
{
    static const char no[] = "signal_design_notch", co[] = "signal_design_comb",
                      mi[] = "signal_minimum_phase", de[] = "signal_decimate",
                      sp[] = "signal_spectrogram", ov[] = "signal_check_overlap",
                      lo[] = "signal_lombscargle_fit", ha[] = "signal_hartley";
    agn_tensor *two = random_of(AGN_F64, 1, (int64_t[]){2}, 0.1, 1),
               *m = random_of(AGN_F64, 2, (int64_t[]){2, 40}, 0, 1);
    bool is = true, is2 = true;
    NO(agn_signal_design_notch(NULL, &p1, x, x, 1, true), AGN_ENULL, no, "b is", "NULL");
    NO(agn_signal_design_notch(&out, NULL, x, x, 1, true), AGN_ENULL, no, "a is", "NULL");
    NO(agn_signal_design_notch(&out, &p1, NULL, x, 1, true), AGN_ENULL, no, "frequency", "NULL");
    NO(agn_signal_design_notch(&out, &p1, x, NULL, 1, true), AGN_ENULL, no, "q is", "NULL");
    NO(agn_signal_design_notch(&out, &p1, z, x, 1, true), AGN_EDTYPE, no, "c64", "real");
    NO(agn_signal_design_notch(&out, &p1, x, two, 1, true), AGN_ESHAPE, no, "[40]", "[2]");
    NO(agn_signal_design_notch(&out, &p1, x, x, 0, true), AGN_EARG, no, "rate of 0", "positive");
    NO(agn_signal_design_comb(NULL, &p1, 8, 8, true, true), AGN_ENULL, co, "b is", "NULL");
    NO(agn_signal_design_comb(&out, NULL, 8, 8, true, true), AGN_ENULL, co, "a is", "NULL");
    NO(agn_signal_design_comb(&out, &p1, 1, 8, true, true), AGN_EARG, co, "period of 1", "2 to");
    NO(agn_signal_design_comb(&out, &p1, 8, 1e17, true, true), AGN_EARG, co, "quality of 1e+17", "8 poles");
    NO(agn_signal_design_comb(&out, &p1, 8, 0.5, true, true), AGN_EARG, co, "quality of 0.5",
       "1/2");
    NO(agn_signal_minimum_phase(NULL, x, 0, true), AGN_ENULL, mi, "out", "NULL");
    NO(agn_signal_minimum_phase(&out, NULL, 0, true), AGN_ENULL, mi, "NULL", NULL);
    NO(agn_signal_minimum_phase(&out, z, 0, true), AGN_EDTYPE, mi, "c64", "real");
    NO(agn_signal_minimum_phase(&out, two, 0, true), AGN_ESHAPE, mi, "[2]", "three");
    NO(agn_signal_minimum_phase(&out, x, 39, true), AGN_EARG, mi, "39 points", "[40]");
    NO(agn_signal_decimate(NULL, x, 2, true), AGN_ENULL, de, "out", "NULL");
    NO(agn_signal_decimate(&out, NULL, 2, true), AGN_ENULL, de, "NULL", NULL);
    NO(agn_signal_decimate(&out, two, 2, false), AGN_ESHAPE, de, "[2]", "28");
    NO(agn_signal_decimate(&out, none, 2, true), AGN_ESHAPE, de, "[0]", NULL);
    NO(agn_signal_decimate(&out, x, 0, true), AGN_EARG, de, "factor of 0", "2^20");
#define SPECTRUM(...) \
    agn_signal_spectrogram( \
        &out, x, 0, \
        &(agn_signal_welch_options){.size = sizeof(agn_signal_welch_options), __VA_ARGS__})
    NO(agn_signal_spectrogram(NULL, x, 0, NULL), AGN_ENULL, sp, "out", "NULL");
    NO(agn_signal_spectrogram(&out, NULL, 0, NULL), AGN_ENULL, sp, "NULL", NULL);
    NO(agn_signal_spectrogram(&out, z, 0, NULL), AGN_EDTYPE, sp, "c64", "real");
    NO(agn_signal_spectrogram(&out, none, 0, NULL), AGN_ESHAPE, sp, "[0]", NULL);
    NO(agn_signal_spectrogram(&out, x, 4, NULL), AGN_EARG, sp, "kind 4", "0 to 3");
    NO(agn_signal_spectrogram(&out, x, 0, &(agn_signal_welch_options){.size = 3}), AGN_EARG, sp,
       "3 bytes", "has");
    NO(SPECTRUM(.length = 41), AGN_ESHAPE, sp, "41", "[40]");
    NO(SPECTRUM(.rate = -1), AGN_EARG, sp, "rate of -1", "positive");
    NO(SPECTRUM(.length = 4, .window = x), AGN_ESHAPE, sp, "window is [40]", "4");
    NO(SPECTRUM(.length = 4, .window = z), AGN_EDTYPE, sp, "c64", "real");
    NO(agn_signal_check_overlap(NULL, &is, x, 4, 0), AGN_ENULL, ov, "constant", "NULL");
    NO(agn_signal_check_overlap(&is, NULL, x, 4, 0), AGN_ENULL, ov, "covered", "NULL");
    NO(agn_signal_check_overlap(&is, &is2, NULL, 4, 0), AGN_ENULL, ov, "window", "NULL");
    NO(agn_signal_check_overlap(&is, &is2, z, 4, 0), AGN_EDTYPE, ov, "c64", "real");
    NO(agn_signal_check_overlap(&is, &is2, m, 4, 0), AGN_ESHAPE, ov, "[2,40]", "rank 2");
    NO(agn_signal_check_overlap(&is, &is2, x, 41, 0), AGN_EARG, ov, "step of 41", "[40]");
    NO(agn_signal_check_overlap(&is, &is2, x, 4, -1), AGN_EARG, ov, "tolerance of -1", "negative");
    NO(agn_signal_lombscargle_fit(NULL, x, x, x, two, true), AGN_ENULL, lo, "out", "NULL");
    NO(agn_signal_lombscargle_fit(&out, NULL, x, x, two, true), AGN_ENULL, lo, "t is", "NULL");
    NO(agn_signal_lombscargle_fit(&out, x, NULL, x, two, true), AGN_ENULL, lo, "y is", "NULL");
    NO(agn_signal_lombscargle_fit(&out, x, x, x, NULL, true), AGN_ENULL, lo, "w is", "NULL");
    NO(agn_signal_lombscargle_fit(&out, x, z, x, two, true), AGN_EDTYPE, lo, "y is c64", "real");
    NO(agn_signal_lombscargle_fit(&out, x, two, x, two, true), AGN_ESHAPE, lo, "[40]", "[2]");
    NO(agn_signal_lombscargle_fit(&out, x, x, two, two, true), AGN_ESHAPE, lo, "weights [2]",
       "[40]");
    NO(agn_signal_hartley(NULL, x), AGN_ENULL, ha, "out", "NULL");
    NO(agn_signal_hartley(&out, NULL), AGN_ENULL, ha, "x is", "NULL");
    NO(agn_signal_hartley(&out, z), AGN_EDTYPE, ha, "c64", "real");
    NO(agn_signal_hartley(&out, none), AGN_ESHAPE, ha, "[0]", "empty");
    check(q, is && is2, "nothing is written");
    release_all((agn_tensor *[]){two, m}, 2);
}

static void refuse_images(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *none)
{
    static const char wi[] = "signal_wiener", ra[] = "signal_rank_filter",
                      cv[] = "signal_convolve2d", hi[] = "signal_hilbert2",
                      po[] = "audio_spectral_polynomial", re[] = "audio_reassigned_spectrogram",
                      in[] = "audio_invert_mel", ch[] = "audio_chroma_statistics",
                      me[] = "audio_stack_memory";
    static const int64_t three[] = {3, 3}, even[] = {3, 4}, wide[] = {41};
    agn_tensor *m = random_of(AGN_F64, 2, (int64_t[]){4, 5}, 0, 1),
               *big = random_of(AGN_F64, 2, (int64_t[]){5, 5}, 0, 1),
               *empty = random_of(AGN_F64, 2, (int64_t[]){4, 0}, 0, 1),
               *b2 = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 0, 1),
               *b3 = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 0, 1);
    NO(agn_signal_wiener(NULL, m, three, 2, 1), AGN_ENULL, wi, "out", "NULL");
    NO(agn_signal_wiener(&out, NULL, three, 2, 1), AGN_ENULL, wi, "x is", "NULL");
    NO(agn_signal_wiener(&out, m, NULL, 2, 1), AGN_ENULL, wi, "sizes", "NULL");
    NO(agn_signal_wiener(&out, z, three, 1, 1), AGN_EDTYPE, wi, "c64", "real");
    NO(agn_signal_wiener(&out, x, three, 2, 1), AGN_ESHAPE, wi, "[40]", "2 axes");
    NO(agn_signal_wiener(&out, x, wide, 1, 1), AGN_ESHAPE, wi, "window of 41", "[40]");
    NO(agn_signal_wiener(&out, m, even, 2, 1), AGN_EARG, wi, "window of 4", "odd");
    NO(agn_signal_wiener(&out, m, three, 3, 1), AGN_EARG, wi, "3 axes", "1 or 2");
    NO(agn_signal_wiener(&out, m, three, 2, (double)NAN), AGN_EARG, wi, "noise of nan", "variance");
    NO(agn_signal_rank_filter(NULL, m, 3, 3, 0), AGN_ENULL, ra, "out", "NULL");
    NO(agn_signal_rank_filter(&out, NULL, 3, 3, 0), AGN_ENULL, ra, "x is", "NULL");
    NO(agn_signal_rank_filter(&out, z, 3, 3, 0), AGN_EDTYPE, ra, "c64", "real");
    NO(agn_signal_rank_filter(&out, x, 3, 3, 0), AGN_ESHAPE, ra, "[40]", "2 axes");
    NO(agn_signal_rank_filter(&out, m, 2, 3, 0), AGN_EARG, ra, "2 times 3", "odd");
    NO(agn_signal_rank_filter(&out, m, 3, 3, 9), AGN_EARG, ra, "rank 9", "3 times 3");
    NO(agn_signal_convolve2d(NULL, m, m, AGN_FULL, -1, 0), AGN_ENULL, cv, "out", "NULL");
    NO(agn_signal_convolve2d(&out, NULL, m, AGN_FULL, -1, 0), AGN_ENULL, cv, "a is", "NULL");
    NO(agn_signal_convolve2d(&out, m, NULL, AGN_FULL, -1, 0), AGN_ENULL, cv, "v is", "NULL");
    NO(agn_signal_convolve2d(&out, m, x, AGN_FULL, -1, 0), AGN_ESHAPE, cv, "[4,5]", "[40]");
    NO(agn_signal_convolve2d(&out, m, big, AGN_VALID, -1, 0), AGN_ESHAPE, cv, "[4,5]", "[5,5]");
    NO(agn_signal_convolve2d(&out, b2, b3, AGN_FULL, -1, 0), AGN_ESHAPE, cv, "[2", "[3");
    NO(agn_signal_convolve2d(&out, m, m, 17, -1, 0), AGN_EARG, cv, "mode 17", "full");
    NO(agn_signal_convolve2d(&out, m, m, AGN_FULL, AGN_PAD_MEAN, 0), AGN_EARG, cv, "edge",
       "padding");
    NO(agn_signal_hilbert2(NULL, m), AGN_ENULL, hi, "out", "NULL");
    NO(agn_signal_hilbert2(&out, NULL), AGN_ENULL, hi, "x is", "NULL");
    NO(agn_signal_hilbert2(&out, z), AGN_EDTYPE, hi, "c64", "real");
    NO(agn_signal_hilbert2(&out, empty), AGN_ESHAPE, hi, "[4,0]", "empty");
    NO(agn_audio_spectral_polynomial(NULL, m, 1, 1), AGN_ENULL, po, "out", "NULL");
    NO(agn_audio_spectral_polynomial(&out, NULL, 1, 1), AGN_ENULL, po, "x is", "NULL");
    NO(agn_audio_spectral_polynomial(&out, z, 1, 1), AGN_EDTYPE, po, "c64", "real");
    NO(agn_audio_spectral_polynomial(&out, x, 1, 1), AGN_ESHAPE, po, "[40]", "bins");
    NO(agn_audio_spectral_polynomial(&out, m, 1, 4), AGN_ESHAPE, po, "[4,5]", "order 4");
    NO(agn_audio_spectral_polynomial(&out, m, 0, 1), AGN_EARG, po, "rate of 0", "positive");
    NO(agn_audio_spectral_polynomial(&out, m, 1, 9), AGN_EARG, po, "order 9", "0 to 8");
#define REASSIGNED(...) \
    agn_audio_reassigned_spectrogram( \
        &out, &p1, &p2, x, 8000, \
        &(agn_signal_stft_options){.size = sizeof(agn_signal_stft_options), __VA_ARGS__})
    NO(agn_audio_reassigned_spectrogram(NULL, &p1, &p2, x, 1, NULL), AGN_ENULL, re, "out", "NULL");
    NO(agn_audio_reassigned_spectrogram(&out, NULL, &p2, x, 1, NULL), AGN_ENULL, re, "time",
       "NULL");
    NO(agn_audio_reassigned_spectrogram(&out, &p1, NULL, x, 1, NULL), AGN_ENULL, re, "magnitude",
       "NULL");
    NO(agn_audio_reassigned_spectrogram(&out, &p1, &p2, NULL, 1, NULL), AGN_ENULL, re, "x is",
       "NULL");
    NO(agn_audio_reassigned_spectrogram(&out, &p1, &p2, z, 1, NULL), AGN_EDTYPE, re, "c64", "real");
    NO(agn_audio_reassigned_spectrogram(&out, &p1, &p2, none, 1, NULL), AGN_ESHAPE, re, "[0]",
       NULL);
    NO(agn_audio_reassigned_spectrogram(&out, &p1, &p2, x, 0, NULL), AGN_EARG, re, "rate of 0",
       "positive");
    NO(agn_audio_reassigned_spectrogram(&out, &p1, &p2, x, 1,
                                        &(agn_signal_stft_options){.size = 3}),
       AGN_EARG, re, "3 bytes", "has");
    NO(REASSIGNED(.two_sided = true), AGN_EARG, re, "two-sided", "one-sided");
    NO(REASSIGNED(.n_fft = 8, .window = m), AGN_ESHAPE, re, "[4,5]", "8 samples");
    NO(REASSIGNED(.n_fft = 8, .window = z), AGN_EDTYPE, re, "c64", "real");
    NO(agn_audio_invert_mel(NULL, m, m, 3), AGN_ENULL, in, "out", "NULL");
    NO(agn_audio_invert_mel(&out, NULL, m, 3), AGN_ENULL, in, "x is", "NULL");
    NO(agn_audio_invert_mel(&out, m, NULL, 3), AGN_ENULL, in, "filters", "NULL");
    NO(agn_audio_invert_mel(&out, z, m, 3), AGN_EDTYPE, in, "c64", "real");
    NO(agn_audio_invert_mel(&out, m, big, 3), AGN_ESHAPE, in, "[5,5]", "[4,5]");
    NO(agn_audio_invert_mel(&out, m, m, 0), AGN_EARG, in, "0 iterations", "100000");
    NO(agn_audio_chroma_statistics(NULL, m, 3), AGN_ENULL, ch, "out", "NULL");
    NO(agn_audio_chroma_statistics(&out, NULL, 3), AGN_ENULL, ch, "x is", "NULL");
    NO(agn_audio_chroma_statistics(&out, z, 3), AGN_EDTYPE, ch, "c64", "real");
    NO(agn_audio_chroma_statistics(&out, empty, 3), AGN_ESHAPE, ch, "[4,0]", "frame");
    NO(agn_audio_chroma_statistics(&out, m, 4), AGN_EARG, ch, "window of 4", "odd");
    NO(agn_audio_stack_memory(NULL, m, 2, 1), AGN_ENULL, me, "out", "NULL");
    NO(agn_audio_stack_memory(&out, NULL, 2, 1), AGN_ENULL, me, "x is", "NULL");
    NO(agn_audio_stack_memory(&out, x, 2, 1), AGN_ESHAPE, me, "[40]", "bands");
    NO(agn_audio_stack_memory(&out, m, 0, 1), AGN_EARG, me, "0 steps", "2^20");
    NO(agn_audio_stack_memory(&out, m, 2, 0), AGN_EARG, me, "delay of 0", "2^30");
    release_all((agn_tensor *[]){m, big, empty, b2, b3}, 5);
}

typedef struct making {
    int what;
    agn_tensor *x, *m;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    const making *a = user;
    agn_tensor *more[2] = {NULL, NULL};
    agn_signal_stft_options o = {.size = sizeof o, .n_fft = 8};
    agn_status st;
    switch (a->what) {
    case 0:
        st = agn_signal_design_notch(y, &more[0], a->x, a->x, 4, true);
        break;
    case 1:
        st = agn_signal_design_comb(y, &more[0], 8, 8, true, true);
        break;
    case 2:
        return agn_signal_minimum_phase(y, a->x, 64, true);
    case 3:
        return agn_signal_decimate(y, a->x, 2, false);
    case 4:
        return agn_signal_wiener(y, a->m, (int64_t[]){3, 3}, 2, -1);
    case 5:
        return agn_signal_convolve2d(y, a->m, a->m, AGN_SAME, AGN_PAD_WRAP, 0);
    case 6:
        return agn_signal_hilbert2(y, a->m);
    case 7:
        return agn_signal_spectrogram(y, a->x, AGN_SPECTRUM_POWER, NULL);
    case 8:
        return agn_signal_lombscargle_fit(y, a->x, a->x, a->x, a->x, true);
    case 9:
        st = agn_audio_reassigned_spectrogram(y, &more[0], &more[1], a->x, 100, &o);
        break;
    case 10:
        return agn_audio_chroma_statistics(y, a->m, 3);
    default:
        return agn_audio_spectral_polynomial(y, a->m, 100, 1);
    }
    if (!st)
        release_all(more, 2);
    return st;
}

int main(void)
{
    static const char *const made[] = {"a notch",        "a comb",      "least phase",
                                       "decimation",     "Wiener",      "convolution",
                                       "analytic image", "spectrogram", "sinusoids",
                                       "reassignment",   "statistics",  "polynomials"};
    tally q = {0, 0};
    test_filters();
    test_unstable_notches();
    test_images();
    test_spectra();
    test_shapes();
    test_modes();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, 0.1, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){4, 5}, -1, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1);
    refuse_filters(&q, x, z, none);
    refuse_images(&q, x, z, none);
    check(&q, p1 == untouched && p2 == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0, x, random_of(AGN_F64, 2, (int64_t[]){6, 5}, 0.1, 1)};
    for (a.what = 0; a.what < 12; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){x, z, none, a.m}, 4);
    return done();
}
