/* t-audio-structure - peaks of spectra, recurrence and sections of music, autocorrelation, dual
   windows and Hankel transforms against numbers of librosa, SciPy and NumPy and against closed
   forms; derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_music.h>
#include <agnesi/signal_analysis.h>

#include "data/structure.inc"

#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) structure_##name, LENGTH(structure_##name)
#define APART(y, name) apart_from(y, NUMBERS(name))

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
static agn_tensor *matrix_of(int rows, const double *v, int n)
{
    return of_reals(AGN_F64, 2, (int64_t[]){rows, n / rows}, v);
}
#define MATRIX(rows, name) matrix_of(rows, NUMBERS(name))

static void test_peaks(void)
{
    tally q = {0, 0};
    agn_tensor *x = MATRIX(33, power), *f = NULL, *m = NULL, *half = NULL, *g = NULL, *h = NULL;
    must(agn_audio_pitch_peaks(&f, &m, x, 8000, 150, 2000, 0.1));
    check(&q, APART(f, pitches) < 1e-12, "frequencies: %.1e", APART(f, pitches));
    check(&q, APART(m, peaks) < 1e-12, "magnitudes: %.1e", APART(m, peaks));
    must(agn_cast(&half, x, AGN_F32));
    must(agn_audio_pitch_peaks(&g, &h, half, 8000, 150, 2000, 0.1));
    check(&q, agn_dtype_of(g) == AGN_F32 && APART(g, pitches) < 1e-5 && APART(h, peaks) < 1e-5,
          "f32");
    release_all((agn_tensor *[]){x, f, m, half, g, h}, 6);
    x = random_of(AGN_F64, 3, (int64_t[]){2, 5, 0}, 0, 1);
    must(agn_audio_pitch_peaks(&f, &m, x, 8000, 0, 4000, 0));
    check(&q, has_shape(f, 3, (int64_t[]){2, 5, 0}) && has_shape(m, 3, (int64_t[]){2, 5, 0}),
          "no frame");
    release_all((agn_tensor *[]){x, f, m}, 3);
    /* a parabola has its vertex where it is */
    double v[7];
    for (int i = 0; i < 7; i++)
        v[i] = 20 - (i - 3.3) * (i - 3.3);
    x = of_reals(AGN_F64, 2, (int64_t[]){7, 1}, v);
    must(agn_audio_pitch_peaks(&f, &m, x, 12, 0, 6, 0.5));
    for (int i = 0; i < 7; i++)
        check(&q,
              fabs(peek(f, i) - (i == 3 ? 3.3 : 0)) < 1e-14 &&
                  fabs(peek(m, i) - (i == 3 ? 20 : 0)) < 1e-13,
              "bin %d: %g, %g", i, peek(f, i), peek(m, i));
    release_all((agn_tensor *[]){x, f, m}, 3);
    tell(&q, "peaks of spectra");
}

static void test_recurrence(void)
{
    tally q = {0, 0};
    agn_tensor *x = MATRIX(3, frames), *y = NULL;
    static const struct {
        int64_t k, width;
        bool mutual;
        const double *want;
    } cases[] = {{4, 1, false, structure_near},
                 {4, 3, false, structure_near_wide},
                 {6, 2, true, structure_near_mutual},
                 {0, 2, false, structure_near_default}};
    for (int c = 0; c < COUNT(cases); c++) {
        must(agn_audio_recurrence(&y, x, cases[c].k, cases[c].width, cases[c].mutual));
        check(&q, agn_dtype_of(y) == AGN_BOOL && apart_from(y, cases[c].want, 400) == 0, "case %d",
              c);
        agn_release(y);
    }
    must(agn_audio_recurrence(&y, x, 5, 20, false));
    agn_tensor *any = NULL;
    must(agn_any(&any, y, NULL, 0, false));
    check(&q, peek(any, 0) == 0, "wider than the music: no neighbours");
    release_all((agn_tensor *[]){x, y, any}, 3);
    static const double same[] = {2, 2, 2, 2};
    x = of_reals(AGN_F64, 2, (int64_t[]){1, 4}, same);
    must(agn_audio_recurrence(&y, x, 1, 1, false));
    for (int i = 0; i < 16; i++)
        check(&q, peek(y, i) == (i / 4 == (i % 4 == 0)), "of equals the earlier one: %d", i);
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "neighbours of frames");
}

/* the sum along a path, gaps taken off: what its end should have */
static double sum_along(const agn_tensor *x, const agn_tensor *path, double open, double go_on)
{
    double sum = 0;
    int64_t m = agn_shape(x)[1];
    for (int64_t k = 0; k < agn_shape(path)[0]; k++) {
        double v = peek(x, (int64_t)peek(path, 2 * k) * m + (int64_t)peek(path, 2 * k + 1));
        double before = k ? peek(x, (int64_t)peek(path, 2 * k - 2) * m +
                                        (int64_t)peek(path, 2 * k - 1))
                          : 0;
        sum += v > 0 ? v : before > 0 ? -open : -go_on;
    }
    return sum;
}

static void test_paths(void)
{
    tally q = {0, 0};
    agn_tensor *x = MATRIX(9, likeness), *t = NULL, *p = NULL;
    static const struct {
        double open, go_on;
        bool knight;
        const double *total, *path;
        int steps;
    } cases[] = {
        {1, 1, false, structure_total_0_0, structure_path_0_0, LENGTH(structure_path_0_0)},
        {0.3, 0.7, false, structure_total_0_1, structure_path_0_1, LENGTH(structure_path_0_1)},
        {1, 1, true, structure_total_1_0, structure_path_1_0, LENGTH(structure_path_1_0)},
        {0.3, 0.7, true, structure_total_1_1, structure_path_1_1, LENGTH(structure_path_1_1)},
    };
    for (int c = 0; c < COUNT(cases); c++) {
        must(agn_audio_recurrence_path(&t, &p, x, cases[c].open, cases[c].go_on, cases[c].knight));
        check(&q, apart_from(t, cases[c].total, 108) < 1e-14, "totals %d: %.1e", c,
              apart_from(t, cases[c].total, 108));
        check(&q, apart_from(p, cases[c].path, cases[c].steps) == 0, "path %d", c);
        agn_tensor *most = NULL;
        must(agn_max(&most, t, NULL, 0, false));
        check(&q, fabs(sum_along(x, p, cases[c].open, cases[c].go_on) - peek(most, 0)) < 1e-14,
              "the sum of path %d", c);
        release_all((agn_tensor *[]){t, p, most}, 3);
    }
    agn_release(x);
    x = NULL;
    must(agn_zeros(&x, AGN_F64, 2, (int64_t[]){3, 2}));

    must(agn_audio_recurrence_path(&t, &p, x, 1, 1, true));
    check(&q, has_shape(p, 2, (int64_t[]){0, 2}) && peek(t, 5) == 0, "nothing is alike");
    release_all((agn_tensor *[]){x, t, p}, 3);
    tell(&q, "paths of recurrence");
}

static void test_sections(void)
{
    tally q = {0, 0};
    agn_tensor *x = MATRIX(3, sections_of), *y = NULL;
    static const struct {
        int64_t n;
        const double *want;
    } cases[] = {{1, structure_sections_1},
                 {2, structure_sections_2},
                 {4, structure_sections_4},
                 {9, structure_sections_9}};
    for (int c = 0; c < COUNT(cases); c++) {
        must(agn_audio_sections(&y, x, cases[c].n));
        check(&q, apart_from(y, cases[c].want, (int)cases[c].n) == 0, "%d sections",
              (int)cases[c].n);
        agn_release(y);
    }
    must(agn_audio_sections(&y, x, 24));
    for (int i = 0; i < 24; i++)
        check(&q, peek(y, i) == i, "as many as frames");
    release_all((agn_tensor *[]){x, y}, 2);
    static const double at[] = {0, 3, 8, 9, 17, 29};
    agn_tensor *wide = of_reals(AGN_F64, 1, (int64_t[]){6}, at), *on = NULL,
               *e = of_reals(AGN_F64, 1, (int64_t[]){LENGTH(structure_energy)}, structure_energy);
    must(agn_cast(&on, wide, AGN_I64));
    must(agn_audio_onset_begins(&y, on, e));
    check(&q, agn_dtype_of(y) == AGN_I64 && APART(y, begins) == 0, "where onsets begin");
    release_all((agn_tensor *[]){wide, on, e, y}, 4);
    tell(&q, "sections, onsets");
}

static void test_lags(void)
{
    tally q = {0, 0};
    agn_tensor *w = NULL, *d = NULL, *y = NULL;
    agn_tensor *z = NULL;
    must(agn_from_host(&z, AGN_C128, 1, (int64_t[]){9}, structure_signal));
    must(agn_signal_window(&w, AGN_WINDOW_HAMMING, AGN_F64, 21, NULL, 0, true));
    must(agn_signal_dual_window(&d, w, 6));
    check(&q, APART(d, dual) < 1e-14, "a dual window: %.1e", APART(d, dual));
    release_all((agn_tensor *[]){w, d}, 2);
    must(agn_signal_window(&w, AGN_WINDOW_HANN, AGN_F64, 8, NULL, 0, false));
    must(agn_signal_dual_window(&d, w, 8));
    check(&q, isnan(peek(d, 0)) && fabs(peek(d, 3) - 1 / peek(w, 3)) < 1e-15, "uncovered: NaN");
    release_all((agn_tensor *[]){w, d}, 2);
    must(agn_fft_autocorrelate(&y, z, 0));
    check(&q, APART(y, lags) < 1e-14, "lags of complex numbers: %.1e", APART(y, lags));
    agn_release(y);
    must(agn_fft_autocorrelate(&y, z, 4));
    check(&q, apart_from(y, structure_lags, 8) < 1e-14, "four lags");
    release_all((agn_tensor *[]){y, z}, 2);
    static const double v[] = {1, 2, 3, 4};
    agn_tensor *x = of_reals(AGN_F32, 2, (int64_t[]){2, 2}, v);
    must(agn_fft_autocorrelate(&y, x, 0));
    check(&q,
          agn_dtype_of(y) == AGN_F32 && fabs(peek(y, 0) - 5) < 1e-5 &&
              fabs(peek(y, 1) - 2) < 1e-5 && fabs(peek(y, 2) - 25) < 1e-5 &&
              fabs(peek(y, 3) - 12) < 1e-5,
          "rows, f32");
    release_all((agn_tensor *[]){y, x}, 2);
    tell(&q, "autocorrelation, dual windows");
}

static void test_hankel(void)
{
    static const struct {
        int order;
        const double *zeros;
    } orders[] = {{0, structure_zeros_0},
                  {1, structure_zeros_1},
                  {3, structure_zeros_3},
                  {40, structure_zeros_40},
                  {1000, structure_zeros_1000}};
    tally q = {0, 0};
    for (int c = 0; c < COUNT(orders); c++) {
        agn_tensor *r = NULL, *k = NULL;
        must(agn_fft_hankel_points(&r, &k, 6, orders[c].order, 2));
        for (int i = 0; i < 6; i++) {
            double want = orders[c].zeros[i], last = orders[c].zeros[6];
            check(&q,
                  fabs(peek(k, i) * 2 - want) < 1e-12 * want &&
                      fabs(peek(r, i) - 2 * want / last) < 4e-12,
                  "zero %d of order %d: %.17g", i, orders[c].order, peek(k, i) * 2);
        }
        release_all((agn_tensor *[]){r, k}, 2);
    }
    /* r^m exp(-r^2 / 2) is its own transform of order m */
    for (int order = 0; order < 4; order++)
        for (int single = 0; single < 2; single++) {
            agn_tensor *r = NULL, *k = NULL, *x = NULL, *y = NULL, *back = NULL, *xs = NULL;
            int64_t n = 60;
            double reach = 11, v[120], worst = 0;
            must(agn_fft_hankel_points(&r, &k, n, order, reach));
            for (int64_t i = 0; i < n; i++)
                v[i] = v[n + i] = pow(peek(r, i), order) * exp(-peek(r, i) * peek(r, i) / 2);
            x = of_reals(AGN_F64, 2, (int64_t[]){2, n}, v);
            must(agn_cast(&xs, x, single ? AGN_F32 : AGN_F64));
            must(agn_fft_hankel(&y, xs, order, reach));
            for (int64_t i = 0; i < 2 * n; i++) {
                double at = peek(k, i % n);
                worst = fmax(worst, fabs(peek(y, i) - pow(at, order) * exp(-at * at / 2)));
            }
            check(&q, worst < (single ? 2e-5 : 1e-12), "order %d: off by %.1e", order, worst);
            double last = peek(k, 0) * reach * reach / peek(r, 0); /* the zero behind */
            must(agn_fft_hankel(&back, y, order, last / reach));
            check(&q, modes_apart(back, xs) < (single ? 2e-5 : 1e-12), "order %d and back: %.1e",
                  order, modes_apart(back, xs));
            release_all((agn_tensor *[]){r, k, x, y, back, xs}, 6);
        }
    tell(&q, "Hankel transforms");
}

/* ---- derivatives ----------------------------------------------------------------------------- */

enum { PEAKS, LAGS, DUAL, HANKEL, BODIES };
static const char *const names[] = {"peaks", "autocorrelation", "dual window", "Hankel"};

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    agn_tensor *r[2] = {NULL, NULL};
    agn_status st;
    switch (*(const int *)user) {
    case PEAKS:
        if (agn_scope_status(s))
            break;
        st = agn_audio_pitch_peaks(&r[0], &r[1], x[0], 2, 0, 1, 0.1);
        y[0] = agn_scope_adopt(s, st, &r[0]);
        y[0] = ag_add(s, y[0], ag_mul_c(s, agn_scope_adopt(s, st, &r[1]), 0.5));
        break;
    case LAGS:
        y[0] = ag_fft_autocorrelate(s, x[0], 3);
        break;
    case DUAL:
        y[0] = ag_signal_dual_window(s, ag_ravel(s, x[0]), 5);
        break;
    default:
        y[0] = ag_square(s, ag_fft_hankel(s, x[0], 1, 2));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("audio structure", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.3, 1.2);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 5e-6, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

static agn_tensor *out = untouched, *p1 = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_structure(tally *q, agn_tensor *m, agn_tensor *z, agn_tensor *none)
{
    static const char pe[] = "audio_pitch_peaks", re[] = "audio_recurrence",
                      pa[] = "audio_recurrence_path", se[] = "audio_sections",
                      on[] = "audio_onset_begins";
    static const double gaps[] = {1, (double)INFINITY, 2, 3};
    agn_tensor *inf = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, gaps), *e = NULL, *i = NULL,
               *far = NULL, *two = random_of(AGN_F64, 2, (int64_t[]){2, 5}, 0, 1);
    must(agn_arange(&i, AGN_I64, 0, 3, 1));
    must(agn_arange(&far, AGN_I64, 38, 42, 1));
    must(agn_arange(&e, AGN_F64, 0, 40, 1));
    NO(agn_audio_pitch_peaks(NULL, &p1, m, 1, 0, 1, 0), AGN_ENULL, pe, "out", "NULL");
    NO(agn_audio_pitch_peaks(&out, NULL, m, 1, 0, 1, 0), AGN_ENULL, pe, "magnitude", "NULL");
    NO(agn_audio_pitch_peaks(&out, &p1, NULL, 1, 0, 1, 0), AGN_ENULL, pe, "x is", "NULL");
    NO(agn_audio_pitch_peaks(&out, &p1, z, 1, 0, 1, 0), AGN_EDTYPE, pe, "c64", "real");
    NO(agn_audio_pitch_peaks(&out, &p1, two, 1, 0, 1, 0), AGN_ESHAPE, pe, "[2,5]", "neighbours");
    NO(agn_audio_pitch_peaks(&out, &p1, m, 0, 0, 1, 0), AGN_EARG, pe, "rate of 0", "positive");
    NO(agn_audio_pitch_peaks(&out, &p1, m, 1, 2, 1, 0), AGN_EARG, pe, "2 to 1 Hz", "positive");
    NO(agn_audio_pitch_peaks(&out, &p1, m, 1, 0, 1, 2), AGN_EARG, pe, "threshold of 2", "0 to 1");
    NO(agn_audio_recurrence(NULL, m, 1, 1, false), AGN_ENULL, re, "out", "NULL");
    NO(agn_audio_recurrence(&out, NULL, 1, 1, false), AGN_ENULL, re, "x is", "NULL");
    NO(agn_audio_recurrence(&out, z, 1, 1, false), AGN_EDTYPE, re, "c64", "real");
    NO(agn_audio_recurrence(&out, none, 1, 1, false), AGN_ESHAPE, re, "[0]", "[bands, frames]");
    NO(agn_audio_recurrence(&out, m, -1, 1, false), AGN_EARG, re, "-1 neighbours", "[6,5]");
    NO(agn_audio_recurrence(&out, m, 1, 0, false), AGN_EARG, re, "width of 0", "[6,5]");
    NO(agn_audio_recurrence(&out, m, 1, 6, false), AGN_EARG, re, "width of 6", "[6,5]");
    NO(agn_audio_recurrence(&out, inf, 1, 1, false), AGN_EDOMAIN, re, "entry 1", "inf");
    NO(agn_audio_recurrence_path(NULL, &p1, m, 1, 1, false), AGN_ENULL, pa, "out", "NULL");
    NO(agn_audio_recurrence_path(&out, NULL, m, 1, 1, false), AGN_ENULL, pa, "path", "NULL");
    NO(agn_audio_recurrence_path(&out, &p1, NULL, 1, 1, false), AGN_ENULL, pa, "x is", "NULL");
    NO(agn_audio_recurrence_path(&out, &p1, z, 1, 1, false), AGN_EDTYPE, pa, "c64", "real");
    NO(agn_audio_recurrence_path(&out, &p1, none, 1, 1, false), AGN_ESHAPE, pa, "[0]", "[n, m]");
    NO(agn_audio_recurrence_path(&out, &p1, m, -1, 1, false), AGN_EARG, pa, "gaps of -1",
       "negative");
    NO(agn_audio_recurrence_path(&out, &p1, m, 1, (double)NAN, false), AGN_EARG, pa, "gaps of 1",
       "nan");
    NO(agn_audio_recurrence_path(&out, &p1, inf, 1, 1, false), AGN_EDOMAIN, pa, "entry 1", "inf");
    NO(agn_audio_sections(NULL, m, 1), AGN_ENULL, se, "out", "NULL");
    NO(agn_audio_sections(&out, NULL, 1), AGN_ENULL, se, "x is", "NULL");
    NO(agn_audio_sections(&out, z, 1), AGN_EDTYPE, se, "c64", "real");
    NO(agn_audio_sections(&out, none, 1), AGN_ESHAPE, se, "[0]", "[bands, frames]");
    NO(agn_audio_sections(&out, m, 0), AGN_EARG, se, "0 sections", "[6,5]");
    NO(agn_audio_sections(&out, m, 6), AGN_EARG, se, "6 sections", "[6,5]");
    NO(agn_audio_sections(&out, inf, 1), AGN_EDOMAIN, se, "entry 1", "inf");
    NO(agn_audio_onset_begins(NULL, i, e), AGN_ENULL, on, "out", "NULL");
    NO(agn_audio_onset_begins(&out, NULL, e), AGN_ENULL, on, "onsets", "NULL");
    NO(agn_audio_onset_begins(&out, i, NULL), AGN_ENULL, on, "x is", "NULL");
    NO(agn_audio_onset_begins(&out, e, e), AGN_EDTYPE, on, "f64", "i64");
    NO(agn_audio_onset_begins(&out, i, z), AGN_EDTYPE, on, "c64", "real");
    NO(agn_audio_onset_begins(&out, i, m), AGN_ESHAPE, on, "[6,5]", "[frames]");
    NO(agn_audio_onset_begins(&out, far, e), AGN_EINDEX, on, "frame 40", "40 frames");
    release_all((agn_tensor *[]){inf, e, i, far, two}, 5);
}

static void refuse_transforms(tally *q, agn_tensor *m, agn_tensor *z, agn_tensor *none)
{
    static const char ac[] = "fft_autocorrelate", du[] = "signal_dual_window", ha[] = "fft_hankel",
                      po[] = "fft_hankel_points";
    agn_tensor *w = random_of(AGN_F64, 1, (int64_t[]){5}, 0, 1);
    NO(agn_fft_autocorrelate(NULL, m, 0), AGN_ENULL, ac, "out", "NULL");
    NO(agn_fft_autocorrelate(&out, NULL, 0), AGN_ENULL, ac, "x is", "NULL");
    NO(agn_fft_autocorrelate(&out, none, 0), AGN_ESHAPE, ac, "[0]", "samples");
    NO(agn_fft_autocorrelate(&out, m, 6), AGN_EARG, ac, "6 lags", "[6,5]");
    NO(agn_fft_autocorrelate(&out, m, -1), AGN_EARG, ac, "-1 lags", "[6,5]");
    NO(agn_signal_dual_window(NULL, w, 1), AGN_ENULL, du, "out", "NULL");
    NO(agn_signal_dual_window(&out, NULL, 1), AGN_ENULL, du, "window", "NULL");
    NO(agn_signal_dual_window(&out, z, 1), AGN_EDTYPE, du, "c64", "real");
    NO(agn_signal_dual_window(&out, m, 1), AGN_ESHAPE, du, "[6,5]", "rank 2");
    NO(agn_signal_dual_window(&out, w, 0), AGN_EARG, du, "step of 0", "[5]");
    NO(agn_signal_dual_window(&out, w, 6), AGN_EARG, du, "step of 6", "[5]");
    NO(agn_fft_hankel(NULL, m, 0, 1), AGN_ENULL, ha, "out", "NULL");
    NO(agn_fft_hankel(&out, NULL, 0, 1), AGN_ENULL, ha, "x is", "NULL");
    NO(agn_fft_hankel(&out, z, 0, 1), AGN_EDTYPE, ha, "c64", "real");
    NO(agn_fft_hankel(&out, none, 0, 1), AGN_ESHAPE, ha, "[0]", "4096");
    NO(agn_fft_hankel(&out, m, -1, 1), AGN_EARG, ha, "order -1", "1000");
    NO(agn_fft_hankel(&out, m, 0, 0), AGN_EARG, ha, "reach of 0", "positive");
    NO(agn_fft_hankel_points(NULL, &p1, 3, 0, 1), AGN_ENULL, po, "r is", "NULL");
    NO(agn_fft_hankel_points(&out, NULL, 3, 0, 1), AGN_ENULL, po, "k is", "NULL");
    NO(agn_fft_hankel_points(&out, &p1, 0, 0, 1), AGN_EARG, po, "0 samples", "4096");
    NO(agn_fft_hankel_points(&out, &p1, 3, 1001, 1), AGN_EARG, po, "order 1001", "1000");
    NO(agn_fft_hankel_points(&out, &p1, 3, 1, (double)INFINITY), AGN_EARG, po, "inf", "positive");
    agn_release(w);
}

typedef struct making {
    int what;
    agn_tensor *x, *m, *i;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    const making *a = user;
    agn_tensor *more = NULL;
    agn_status st;
    switch (a->what) {
    case 0:
        st = agn_audio_pitch_peaks(y, &more, a->m, 2, 0, 1, 0);
        break;
    case 1:
        return agn_audio_recurrence(y, a->m, 2, 1, true);
    case 2:
        st = agn_audio_recurrence_path(y, &more, a->m, 1, 1, true);
        break;
    case 3:
        return agn_audio_sections(y, a->m, 2);
    case 4:
        return agn_audio_onset_begins(y, a->i, a->x);
    case 5:
        return agn_fft_autocorrelate(y, a->x, 3);
    case 6:
        return agn_signal_dual_window(y, a->x, 3);
    case 7:
        return agn_fft_hankel(y, a->x, 1, 2);
    default:
        st = agn_fft_hankel_points(y, &more, 5, 1, 2);
    }
    agn_release(more);
    return st;
}

int main(void)
{
    static const char *const made[] = {"peaks", "neighbours", "a path", "sections",     "onsets",
                                       "lags",  "a dual",     "Hankel", "Hankel points"};
    tally q = {0, 0};
    test_peaks();
    test_recurrence();
    test_paths();
    test_sections();
    test_lags();
    test_hankel();
    test_modes();
    making a = {0, random_of(AGN_F64, 1, (int64_t[]){9}, 0.1, 1),
                random_of(AGN_F64, 2, (int64_t[]){6, 5}, 0.1, 1), NULL};
    agn_tensor *z = random_of(AGN_C64, 2, (int64_t[]){4, 5}, -1, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1);
    must(agn_arange(&a.i, AGN_I64, 2, 9, 3));
    refuse_structure(&q, a.m, z, none);
    refuse_transforms(&q, a.m, z, none);
    check(&q, p1 == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    for (; a.what < 9; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){a.x, a.m, a.i, z, none}, 5);
    return done();
}
