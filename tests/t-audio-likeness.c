/* t-audio-likeness - inverse constant Q against dense least squares; semitones, Mellin transforms,
   harmonics, tuning, pulses of onsets and likenesses of frames against numbers of librosa and NumPy;
   derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_music.h>
#include <agnesi/linalg.h>

#include "data/likeness.inc"

#define PI 3.14159265358979323846
#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) likeness_##name, LENGTH(likeness_##name)
#define APART(y, name) apart_from(y, NUMBERS(name))

/* the largest difference from numbers, or pairs where y is complex, over the largest number */
static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = 0, most = 1e-300;
    bool z = kind_of(agn_dtype_of(y)) == KIND_COMPLEX;
    if (agn_numel(y) * (z ? 2 : 1) != n)
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double complex v = z ? z_of(want[2 * i], want[2 * i + 1]) : z_of(want[i], 0);
        double e = cabs(peekz(y, i) - v);
        worst = e > worst || isnan(e) ? e : worst;
        most = fmax(most, cabs(v));
    }
    return worst / most;
}
static agn_tensor *matrix_of(int rows, const double *v, int n)
{
    return of_reals(AGN_F64, 2, (int64_t[]){rows, n / rows}, v);
}
#define MATRIX(rows, name) matrix_of(rows, NUMBERS(name))
static agn_tensor *vector_of(const double *v, int n)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
#define VECTOR(name) vector_of(NUMBERS(name))

/* ---- inverse constant Q ---------------------------------------------------------------------- */

typedef agn_audio_constant_q_options constant_q_options;
enum { SAMPLES = 48 };

/* rows of the transform of n unit signals: [n, n_bins frames 2], bins times the root of weights */
static agn_tensor *dense_transform(const constant_q_options *o, double rate, int64_t n)
{
    agn_tensor *e = NULL, *y = NULL;
    must(agn_eye(&e, AGN_F64, n, n, 0));
    must(agn_audio_constant_q(&y, e, rate, o));
    agn_release(e);
    return y;
}

/* the least squares of NumPy's kind by a dense solver, weights as the header says: bandwidths, so
   the inverse of lengths */
static void test_inverse(void)
{
    static const double rate = 1000;
    tally q = {0, 0};
    constant_q_options o = {
        .size = sizeof o, .hop = 4, .f_min = 60, .n_bins = 12, .bins_per_octave = 4};
    agn_tensor *y = dense_transform(&o, rate, SAMPLES), *x = NULL, *back = NULL;
    int64_t frames = agn_shape(y)[2], rows = 2 * o.n_bins * frames;
    rnd_stream("audio likeness", "inverse");
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){o.n_bins, frames}, -1, 1);
    double *a = malloc((size_t)(rows * SAMPLES) * sizeof *a), *b = malloc((size_t)rows * sizeof *b);
    for (int64_t k = 0; k < o.n_bins; k++) {
        double r = exp2(2.0 / 4), alpha = (r - 1) / (r + 1),
               w = sqrt(alpha * 60 * exp2((double)k / 4) / rate);
        for (int64_t f = 0; f < frames; f++) {
            int64_t row = 2 * (k * frames + f);
            for (int64_t j = 0; j < SAMPLES; j++) {
                double complex v = peekz(y, (j * o.n_bins + k) * frames + f);
                a[row * SAMPLES + j] = w * creal(v);
                a[(row + 1) * SAMPLES + j] = w * cimag(v);
            }
            b[row] = w * creal(peekz(z, k * frames + f));
            b[row + 1] = w * cimag(peekz(z, k * frames + f));
        }
    }
    agn_tensor *left = of_reals(AGN_F64, 2, (int64_t[]){rows, SAMPLES}, a),
               *right = of_reals(AGN_F64, 1, (int64_t[]){rows}, b);
    must(agn_linalg_lstsq(&x, left, right));
    must(agn_audio_inverse_constant_q(&back, z, rate, SAMPLES, 400, &o));
    check(&q, modes_apart(back, x) < 1e-7, "least squares: %.1e apart", modes_apart(back, x));
    release_all((agn_tensor *[]){y, x, back, z, left, right}, 6);
    free(a);
    free(b);
    /* a sound within the bands comes back, a batch in f32 too, and a real transform is one */
    enum { LONG = 3000 };
    double v[LONG], worst = 0, none = 0;
    for (int i = 0; i < LONG; i++) {
        double u = (double)i / LONG, fade = sin(PI * u) * sin(PI * u);
        v[i] = fade * (sin(2 * PI * 150 * i / rate) + 0.5 * cos(2 * PI * 237 * i / rate + 1));
    }
    x = of_reals(AGN_F64, 1, (int64_t[]){LONG}, v);
    for (int unscaled = 0; unscaled < 2; unscaled++) {
        o = (constant_q_options){.size = sizeof o,
                                 .hop = 8,
                                 .f_min = 40,
                                 .n_bins = 40,
                                 .bins_per_octave = 12,
                                 .unscaled = unscaled};
        must(agn_audio_constant_q(&y, x, rate, &o));
        must(agn_audio_inverse_constant_q(&back, y, rate, LONG, 20, &o));
        for (int i = 0; i < LONG; i++)
            worst = fmax(worst, fabs(peek(back, i) - v[i]));
        check(&q, worst < 2e-3, "a sound within the bands: %.1e off", worst);
        agn_tensor *c = NULL, *two = NULL, *pair = NULL;
        must(agn_cast(&c, y, AGN_C64));
        must(agn_stack(&two, (const agn_tensor *[]){c, c}, 2, 0));
        must(agn_audio_inverse_constant_q(&pair, two, rate, LONG, 5, &o));
        agn_release(back);
        must(agn_audio_inverse_constant_q(&back, y, rate, LONG, 5, &o));
        for (int64_t i = 0; i < 2 * LONG; i++)
            none = fmax(none, fabs(peek(pair, i) - peek(back, i % LONG)));
        check(&q, agn_dtype_of(pair) == AGN_F32 && none < 1e-4, "a batch of c64: %.1e off", none);
        release_all((agn_tensor *[]){y, back, c, two, pair}, 5);
    }
    agn_release(x);
    must(agn_zeros(&x, AGN_F32, 2, (int64_t[]){84, 2}));
    must(agn_audio_inverse_constant_q(&y, x, 22050, 600, 3, NULL));
    check(&q, has_shape(y, 1, (int64_t[]){600}), "shape");
    for (int64_t i = 0; i < agn_numel(y); i++)
        check(&q, peek(y, i) == 0, "silence: %g", peek(y, i));
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "inverse constant Q");
}

/* ---- filters, scale, harmonics --------------------------------------------------------------- */

static agn_tensor *chord(void)
{
    double v[9000];
    for (int i = 0; i < 9000; i++) {
        double t = i / 22050.0;
        v[i] = sin(2 * PI * 220 * t) + 0.5 * sin(2 * PI * (600 * t + 900 * t * t)) +
               0.1 * sin(2 * PI * 5000 * t);
    }
    return of_reals(AGN_F64, 1, (int64_t[]){9000}, v);
}

static void test_semitones(void)
{
    tally q = {0, 0};
    agn_tensor *x = chord(), *y = NULL, *one = NULL, *two = NULL, *pair = NULL;
    must(agn_audio_semitones(&y, x, 22050, 2048, 3000, 0));
    check(&q, has_shape(y, 2, (int64_t[]){85, 4}), "shape %s", SHAPE_TEXT(y));
    check(&q, APART(y, semitones) < 1e-7, "off by %.1e", APART(y, semitones));
    must(agn_stack(&two, (const agn_tensor *[]){x, x}, 2, 0));
    must(agn_audio_semitones(&pair, two, 22050, 2048, 3000, 0));
    for (int64_t i = 0; i < agn_numel(pair); i++)
        check(&q, fabs(peek(pair, i) - peek(y, i % agn_numel(y))) <= 1e-9 * fabs(peek(pair, i)),
              "entry %d of a batch", (int)i);
    agn_release(y);
    must(agn_audio_semitones(&y, x, 44100, 4410, 4000, 0.3));
    check(&q, APART(y, semitones_high) < 1e-7, "another rate: off by %.1e",
          APART(y, semitones_high));
    must(agn_cast(&one, x, AGN_F32));
    agn_release(y);
    must(agn_audio_semitones(&y, one, 22050, 2048, 3000, 0));
    check(&q, agn_dtype_of(y) == AGN_F32, "f32");
    release_all((agn_tensor *[]){x, y, one, two, pair}, 5);
    tell(&q, "semitones");
}

static void test_mellin(void)
{
    tally q = {0, 0};
    agn_tensor *x = MATRIX(2, scaled), *y = NULL, *half = NULL;
    must(agn_audio_mellin(&y, x, 0.5, 0, 0.5));
    check(&q, APART(y, mellin) < 1e-12, "off by %.1e", APART(y, mellin));
    agn_release(y);
    must(agn_audio_mellin(&y, x, 2.5, 17, 0.3));
    check(&q, APART(y, mellin_few) < 1e-12, "17 times: off by %.1e", APART(y, mellin_few));
    agn_release(y);
    must(agn_cast(&half, x, AGN_F32));
    must(agn_audio_mellin(&y, half, 0.5, 0, 0.5));
    check(&q, agn_dtype_of(y) == AGN_C64 && APART(y, mellin) < 1e-5, "f32");
    agn_release(y);
    agn_release(half);
    must(agn_slice(&half, x, 2, (int64_t[]){0, 0}, (int64_t[]){2, 4}, (int64_t[]){1, 1}));
    must(agn_audio_mellin(&y, half, 0.5, 0, 0.5));
    check(&q, APART(y, mellin_4) < 1e-12, "4 samples: off by %.1e", APART(y, mellin_4));
    release_all((agn_tensor *[]){x, y, half}, 3);
    x = of_reals(AGN_F64, 1, (int64_t[]){5}, (double[]){1, 2, (double)NAN, 3, 4});
    must(agn_audio_mellin(&y, x, 0.5, 0, 0.5));
    for (int64_t i = 0; i < agn_numel(y); i++)
        check(&q, isnan(creal(peekz(y, i))), "NaN spreads to bin %d", (int)i);
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "Mellin transforms");
}

static void test_harmonics(void)
{
    static const double h[] = {0.5, 1, 2, 3.3};
    tally q = {0, 0};
    agn_tensor *x = MATRIX(12, spectrum), *f = VECTOR(frequencies), *y = NULL, *p = NULL, *g = NULL;
    must(agn_audio_harmonics(&y, x, f, h, 4));
    check(&q, has_shape(y, 3, (int64_t[]){4, 12, 3}), "shape %s", SHAPE_TEXT(y));
    check(&q, APART(y, harmonics) < 1e-13, "harmonics: off by %.1e", APART(y, harmonics));
    release_all((agn_tensor *[]){x, f, y}, 3);
    p = VECTOR(peaks);
    g = VECTOR(sizes);
    for (int c = 0; c < 3; c++) {
        must(agn_audio_tuning(&y, p, g, c == 1 ? 0.07 : 0.01, c == 2 ? 24 : 12));
        double want = (c == 0   ? likeness_tuning
                       : c == 1 ? likeness_tuning_coarse
                                : likeness_tuning_24)[0];
        check(&q, agn_ndim(y) == 0 && fabs(peek(y, 0) - want) < 1e-12, "tuning %g, not %g",
              peek(y, 0), want);
        agn_release(y);
    }
    release_all((agn_tensor *[]){p, g}, 2);
    must(agn_zeros(&p, AGN_F32, 1, (int64_t[]){5}));
    must(agn_audio_tuning(&y, p, p, 0.1, 12));
    check(&q, peek(y, 0) == 0, "no peak");
    release_all((agn_tensor *[]){p, y}, 2);
    tell(&q, "harmonics and tuning");
}

/* ---- onsets, likeness ------------------------------------------------------------------------ */

static void test_pulses(void)
{
    tally q = {0, 0};
    agn_tensor *x = VECTOR(onsets), *y = NULL, *half = NULL, *two = NULL;
    must(agn_audio_fourier_tempogram(&y, x, 32));
    check(&q, has_shape(y, 2, (int64_t[]){17, 71}), "shape %s", SHAPE_TEXT(y));
    check(&q, APART(y, tempogram) < 1e-12, "tempogram: off by %.1e", APART(y, tempogram));
    agn_release(y);
    must(agn_audio_pulse(&y, x, 10, 32, 30, 300));
    check(&q, APART(y, pulse) < 1e-11, "pulse: off by %.1e", APART(y, pulse));
    /* onsets of every ninth frame, from the fourth on */
    for (int64_t i = 13; i < 60; i++)
        if ((i - 4) % 9 == 0)
            check(&q, peek(y, i) > 0.5, "frame %d: %g", (int)i, peek(y, i));
    agn_release(y);
    must(agn_audio_pulse(&y, x, 10, 40, 20, 60));
    check(&q, APART(y, pulse_slow) < 1e-11, "slow pulse: off by %.1e", APART(y, pulse_slow));
    agn_release(y);
    must(agn_cast(&half, x, AGN_F32));
    must(agn_stack(&two, (const agn_tensor *[]){half, half}, 2, 0));
    must(agn_audio_pulse(&y, two, 10, 40, 20, 60));
    for (int64_t i = 0; i < 140; i++)
        check(&q, fabs(peek(y, i) - likeness_pulse_slow[i % 70]) < 1e-4, "entry %d of a batch",
              (int)i);
    release_all((agn_tensor *[]){x, y, half, two}, 4);
    must(agn_zeros(&x, AGN_F64, 1, (int64_t[]){20}));
    must(agn_audio_pulse(&y, x, 10, 8, 30, 300));
    for (int64_t i = 0; i < 20; i++)
        check(&q, peek(y, i) == 0, "silence: %g", peek(y, i));
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "tempogram and pulse");
}

static void test_likeness(void)
{
    static const struct {
        const char *name;
        const double *want;
        int n;
        int64_t k;
        int32_t kind;
        double bandwidth;
    } cases[] = {{"near", NUMBERS(near), 3, AGN_SIMILARITY_NEAR, 0},
                 {"distance", NUMBERS(distance), 3, AGN_SIMILARITY_DISTANCE, 0},
                 {"affinity", NUMBERS(affinity), 4, AGN_SIMILARITY_AFFINITY, 0},
                 {"affinity_2", NUMBERS(affinity_2), 0, AGN_SIMILARITY_AFFINITY, 2}};
    tally q = {0, 0};
    agn_tensor *a = MATRIX(3, here), *b = MATRIX(3, there), *y = NULL;
    for (int c = 0; c < COUNT(cases); c++) {
        must(agn_audio_cross_similarity(&y, a, b, cases[c].k, cases[c].kind, cases[c].bandwidth));
        double off = apart_from(y, cases[c].want, cases[c].n);
        check(&q, has_shape(y, 2, (int64_t[]){9, 14}) && off < 1e-12, "%s: off by %.1e",
              cases[c].name, off);
        check(&q, agn_dtype_of(y) == (c ? AGN_F64 : AGN_BOOL), "dtype of %s", cases[c].name);
        agn_release(y);
    }
    release_all((agn_tensor *[]){a, b}, 2);
    a = MATRIX(13, links);
    must(agn_audio_enhance_paths(&y, a, 7, 2, 5));
    check(&q, APART(y, lines_7) < 1e-12, "lines of 7: off by %.1e", APART(y, lines_7));
    agn_release(y);
    must(agn_audio_enhance_paths(&y, a, 9, 1.5, 1));
    check(&q, APART(y, lines_9) < 1e-12, "a line of 9: off by %.1e", APART(y, lines_9));
    agn_release(y);
    must(agn_audio_enhance_paths(&y, a, 1, 2, 3));
    check(&q, APART(y, lines_1) < 1e-12, "points: off by %.1e", APART(y, lines_1));
    release_all((agn_tensor *[]){a, y}, 2);
    tell(&q, "likeness and lines");
}

/* ---- derivatives ----------------------------------------------------------------------------- */

enum { INVERSE, SEMITONES, MELLIN, HARMONICS, TEMPOGRAM, PULSE, LINES, BODIES };
static const char *const names[] = {"inverse constant Q", "semitones", "Mellin", "harmonics",
                                    "Fourier tempogram",  "pulse",     "lines"};
static agn_tensor *rising;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const double h[] = {0.5, 1, 1.7};
    constant_q_options o = {
        .size = sizeof o, .hop = 2, .f_min = 100, .n_bins = 4, .bins_per_octave = 2};
    const agn_tensor *row = ag_ravel(s, x[0]);
    switch (*(const int *)user) {
    case INVERSE:
        y[0] = ag_square(s, ag_audio_inverse_constant_q(s, x[0], 1000, 7, 2, &o));
        break;
    case SEMITONES: /* the tone is made longer: filters need samples */
        row = ag_mul_c(s, ag_concat(s, (const agn_tensor *[]){row, row, row, row, row, row}, 6, -1),
                       0.2);
        y[0] = ag_sum(s, ag_audio_semitones(s, row, 882, 30, 40, 0), (int32_t[]){-2}, 1, false);
        break;
    case MELLIN:
        y[0] = ag_square(s, ag_abs(s, ag_audio_mellin(s, x[0], 0.5, 5, 0.5)));
        break;
    case HARMONICS:
        y[0] = ag_square(s, ag_audio_harmonics(s, x[0], rising, h, 3));
        break;
    case TEMPOGRAM:
        y[0] = ag_square(s, ag_abs(s, ag_audio_fourier_tempogram(s, row, 4)));
        break;
    case PULSE:
        y[0] = ag_audio_pulse(s, row, 10, 8, 60, 290);
        break;
    default:
        y[0] = ag_square(s, ag_audio_enhance_paths(s, x[0], 3, 2, 3));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("audio likeness", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.3, 1.2);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 5e-6, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

static agn_tensor *out = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_sounds(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z, agn_tensor *none)
{
    static const char iq[] = "audio_inverse_constant_q", se[] = "audio_semitones",
                      me[] = "audio_mellin", ft[] = "audio_fourier_tempogram", pu[] = "audio_pulse";
    constant_q_options o = {.size = sizeof o, .hop = 4, .f_min = 10, .n_bins = 6}, bad = {.size = 1};
    agn_tensor *inf = of_reals(AGN_F64, 1, (int64_t[]){5}, (double[]){1, 2, (double)NAN, 3, 4});
    NO(agn_audio_inverse_constant_q(NULL, m, 100, 16, 1, &o), AGN_ENULL, iq, "out", "NULL");
    NO(agn_audio_inverse_constant_q(&out, NULL, 100, 16, 1, &o), AGN_ENULL, iq, "x is", "NULL");
    NO(agn_audio_inverse_constant_q(&out, m, 100, 16, 0, &o), AGN_EARG, iq, "0 iterations", "1000");
    NO(agn_audio_inverse_constant_q(&out, m, 100, 16, 1, &bad), AGN_EARG, iq, "size", "1");
    NO(agn_audio_inverse_constant_q(&out, m, 0, 16, 1, &o), AGN_EARG, iq, "rate of 0", "positive");
    NO(agn_audio_inverse_constant_q(&out, m, 21, 16, 1, &o), AGN_EARG, iq, "bin 5", "half the rate");
    NO(agn_audio_inverse_constant_q(&out, m, 100, 24, 1, &o), AGN_ESHAPE, iq, "[6,5]", "24 samples");
    NO(agn_audio_inverse_constant_q(&out, x, 100, 16, 1, &o), AGN_ESHAPE, iq, "[40]", "16 samples");
    NO(agn_audio_inverse_constant_q(&out, m, 100, 0, 1, &o), AGN_ESHAPE, iq, "[6,5]", "0 samples");
    NO(agn_audio_semitones(NULL, x, 882, 30, 10, 0), AGN_ENULL, se, "out", "NULL");
    NO(agn_audio_semitones(&out, NULL, 882, 30, 10, 0), AGN_ENULL, se, "x is", "NULL");
    NO(agn_audio_semitones(&out, z, 882, 30, 10, 0), AGN_EDTYPE, se, "c64", "real");
    NO(agn_audio_semitones(&out, none, 882, 30, 10, 0), AGN_ESHAPE, se, "[0]", "frame");
    NO(agn_audio_semitones(&out, inf, 882, 2, 10, 0), AGN_ESHAPE, se, "[", "samples");
    NO(agn_audio_semitones(&out, x, 0, 30, 10, 0), AGN_EARG, se, "rate of 0", "882");
    NO(agn_audio_semitones(&out, x, 44100, 20, 10, 0), AGN_EARG, se, "frames of 20", "882");
    NO(agn_audio_semitones(&out, x, 882, 30, 0, 0), AGN_EARG, se, "steps of 0", "882");
    NO(agn_audio_semitones(&out, x, 882, 30, 10, 0.6), AGN_EARG, se, "tuning of 0.6", "half");
    NO(agn_audio_mellin(NULL, x, 0.5, 0, 0.5), AGN_ENULL, me, "out", "NULL");
    NO(agn_audio_mellin(&out, NULL, 0.5, 0, 0.5), AGN_ENULL, me, "x is", "NULL");
    NO(agn_audio_mellin(&out, z, 0.5, 0, 0.5), AGN_EDTYPE, me, "c64", "real");
    NO(agn_audio_mellin(&out, none, 0.5, 0, 0.5), AGN_ESHAPE, me, "[0]", "4 samples");
    NO(agn_audio_mellin(&out, x, 0, 0, 0.5), AGN_EARG, me, "from 0 on", "[40]");
    NO(agn_audio_mellin(&out, x, 39, 0, 0.5), AGN_EARG, me, "from 39 on", "[40]");
    NO(agn_audio_mellin(&out, x, 1, 2, 0.5), AGN_EARG, me, "2 times", "[40]");
    NO(agn_audio_mellin(&out, x, 1, 0, (double)NAN), AGN_EARG, me, "power nan", "[40]");
    NO(agn_audio_mellin(&out, x, 1, 4000, 0.5), AGN_EARG, me, "fall together", "39");
    NO(agn_audio_fourier_tempogram(NULL, x, 8), AGN_ENULL, ft, "out", "NULL");
    NO(agn_audio_fourier_tempogram(&out, NULL, 8), AGN_ENULL, ft, "x is", "NULL");
    NO(agn_audio_fourier_tempogram(&out, z, 8), AGN_EDTYPE, ft, "c64", "real");
    NO(agn_audio_fourier_tempogram(&out, none, 8), AGN_ESHAPE, ft, "[0]", "frame");
    NO(agn_audio_fourier_tempogram(&out, x, 0), AGN_EARG, ft, "window of 0", "[40]");
    NO(agn_audio_pulse(NULL, x, 10, 8, 30, 300), AGN_ENULL, pu, "out", "NULL");
    NO(agn_audio_pulse(&out, NULL, 10, 8, 30, 300), AGN_ENULL, pu, "x is", "NULL");
    NO(agn_audio_pulse(&out, z, 10, 8, 30, 300), AGN_EDTYPE, pu, "c64", "real");
    NO(agn_audio_pulse(&out, none, 10, 8, 30, 300), AGN_ESHAPE, pu, "[0]", "frame");
    NO(agn_audio_pulse(&out, x, 0, 8, 30, 300), AGN_EARG, pu, "at 0 frames", "positive");
    NO(agn_audio_pulse(&out, x, 10, 7, 30, 300), AGN_EARG, pu, "windows of 7", "even");
    NO(agn_audio_pulse(&out, x, 10, 8, 300, 30), AGN_EARG, pu, "300 to 30", "rise");
    NO(agn_audio_pulse(&out, x, 10, 8, 400, 500), AGN_EARG, pu, "no bin", "500");
    agn_release(inf);
}

static void refuse_tables(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z, agn_tensor *none)
{
    static const char ha[] = "audio_harmonics", tu[] = "audio_tuning",
                      cr[] = "audio_cross_similarity", en[] = "audio_enhance_paths";
    static const double h[] = {1, 2}, bad[] = {1, -2}, wide[] = {1, 2, 3, (double)INFINITY, 5, 6};
    agn_tensor *f = NULL, *inf = of_reals(AGN_F64, 1, (int64_t[]){6}, wide),
               *table = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, wide),
               *ones = of_reals(AGN_F64, 2, (int64_t[]){6, 5}, (double[30]){0});
    must(agn_arange(&f, AGN_F64, 0, 6, 1));
    NO(agn_audio_harmonics(NULL, m, f, h, 2), AGN_ENULL, ha, "out", "NULL");
    NO(agn_audio_harmonics(&out, NULL, f, h, 2), AGN_ENULL, ha, "x is", "NULL");
    NO(agn_audio_harmonics(&out, m, NULL, h, 2), AGN_ENULL, ha, "frequencies", "NULL");
    NO(agn_audio_harmonics(&out, m, f, NULL, 2), AGN_ENULL, ha, "harmonics", "NULL");
    NO(agn_audio_harmonics(&out, z, f, h, 2), AGN_EDTYPE, ha, "c64", "real");
    NO(agn_audio_harmonics(&out, m, z, h, 2), AGN_EDTYPE, ha, "c64", "real");
    NO(agn_audio_harmonics(&out, m, x, h, 2), AGN_ESHAPE, ha, "[40]", "[6]");
    NO(agn_audio_harmonics(&out, none, f, h, 2), AGN_ESHAPE, ha, "[0]", "frames");
    NO(agn_audio_harmonics(&out, m, f, h, 0), AGN_EARG, ha, "0 harmonics", "1024");
    NO(agn_audio_harmonics(&out, m, f, bad, 2), AGN_EARG, ha, "harmonic 1 is -2", "positive");
    NO(agn_audio_harmonics(&out, m, inf, h, 2), AGN_EDOMAIN, ha, "frequency 3", "inf");
    NO(agn_audio_tuning(NULL, x, x, 0.1, 12), AGN_ENULL, tu, "out", "NULL");
    NO(agn_audio_tuning(&out, NULL, x, 0.1, 12), AGN_ENULL, tu, "x is", "NULL");
    NO(agn_audio_tuning(&out, x, NULL, 0.1, 12), AGN_ENULL, tu, "magnitude", "NULL");
    NO(agn_audio_tuning(&out, z, z, 0.1, 12), AGN_EDTYPE, tu, "c64", "real");
    NO(agn_audio_tuning(&out, x, m, 0.1, 12), AGN_ESHAPE, tu, "[40]", "[6,5]");
    NO(agn_audio_tuning(&out, x, x, 0, 12), AGN_EARG, tu, "resolution of 0", "[40]");
    NO(agn_audio_tuning(&out, x, x, 0.1, 0), AGN_EARG, tu, "0 bins", "[40]");
    NO(agn_audio_tuning(&out, inf, inf, 0.1, 12), AGN_EDOMAIN, tu, "peak 3", "inf");
    NO(agn_audio_cross_similarity(NULL, m, m, 1, 0, 0), AGN_ENULL, cr, "out", "NULL");
    NO(agn_audio_cross_similarity(&out, NULL, m, 1, 0, 0), AGN_ENULL, cr, "x is", "NULL");
    NO(agn_audio_cross_similarity(&out, m, NULL, 1, 0, 0), AGN_ENULL, cr, "ref", "NULL");
    NO(agn_audio_cross_similarity(&out, z, m, 1, 0, 0), AGN_EDTYPE, cr, "c64", "real");
    NO(agn_audio_cross_similarity(&out, none, m, 1, 0, 0), AGN_ESHAPE, cr, "[0]", "frames");
    NO(agn_audio_cross_similarity(&out, m, table, 1, 0, 0), AGN_EDOMAIN, cr, "entry 3", "inf");
    agn_tensor *narrow = random_of(AGN_F64, 2, (int64_t[]){2, 5}, 0, 1);
    NO(agn_audio_cross_similarity(&out, m, narrow, 1, 0, 0), AGN_ESHAPE, cr, "[2,5]", "bands");
    NO(agn_audio_cross_similarity(&out, m, m, -1, 0, 0), AGN_EARG, cr, "-1 neighbours", "[6,5]");
    NO(agn_audio_cross_similarity(&out, m, m, 1, 3, 0), AGN_EARG, cr, "kind 3", "[6,5]");
    NO(agn_audio_cross_similarity(&out, m, m, 1, 2, -1), AGN_EARG, cr, "bandwidth of -1", "[6,5]");
    NO(agn_audio_cross_similarity(&out, ones, ones, 2, 2, 0), AGN_EDOMAIN, cr, "median", "0");
    NO(agn_audio_enhance_paths(NULL, m, 3, 2, 3), AGN_ENULL, en, "out", "NULL");
    NO(agn_audio_enhance_paths(&out, NULL, 3, 2, 3), AGN_ENULL, en, "x is", "NULL");
    NO(agn_audio_enhance_paths(&out, z, 3, 2, 3), AGN_EDTYPE, en, "c64", "real");
    NO(agn_audio_enhance_paths(&out, none, 3, 2, 3), AGN_ESHAPE, en, "[0]", "axes");
    NO(agn_audio_enhance_paths(&out, m, 31, 2, 3), AGN_ESHAPE, en, "[6,5]", "31 points");
    NO(agn_audio_enhance_paths(&out, m, 4, 2, 3), AGN_EARG, en, "4 points", "odd");
    NO(agn_audio_enhance_paths(&out, m, 3, 0.5, 3), AGN_EARG, en, "ratio of 0.5", "1000");
    NO(agn_audio_enhance_paths(&out, m, 3, 2, 0), AGN_EARG, en, "0 lines", "255");
    release_all((agn_tensor *[]){f, inf, table, ones, narrow}, 5);
}

typedef struct making {
    int what;
    agn_tensor *x, *m, *f;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    static const double h[] = {1, 2};
    const making *a = user;
    constant_q_options o = {.size = sizeof o, .hop = 4, .f_min = 10, .n_bins = 6,
                            .bins_per_octave = 3};
    switch (a->what) {
    case 0:
        return agn_audio_inverse_constant_q(y, a->m, 200, 16, 2, &o);
    case 1:
        return agn_audio_semitones(y, a->x, 882, 30, 40, 0);
    case 2:
        return agn_audio_mellin(y, a->x, 1, 5, 0.5);
    case 3:
        return agn_audio_harmonics(y, a->m, a->f, h, 2);
    case 4:
        return agn_audio_tuning(y, a->x, a->x, 0.1, 12);
    case 5:
        return agn_audio_fourier_tempogram(y, a->x, 8);
    case 6:
        return agn_audio_pulse(y, a->x, 10, 8, 30, 300);
    case 7:
        return agn_audio_cross_similarity(y, a->m, a->m, 2, AGN_SIMILARITY_AFFINITY, 0);
    default:
        return agn_audio_enhance_paths(y, a->m, 3, 2, 2);
    }
}

int main(void)
{
    static const char *const made[] = {"an inverse", "semitones", "Mellin",       "harmonics", "tuning",
                                       "tempogram",  "a pulse",   "likeness", "lines"};
    tally q = {0, 0};
    test_inverse();
    test_semitones();
    test_mellin();
    test_harmonics();
    test_pulses();
    test_likeness();
    must(agn_arange(&rising, AGN_F64, 1, 5, 1));
    test_modes();
    making a = {0, random_of(AGN_F64, 1, (int64_t[]){40}, 0.1, 1),
                random_of(AGN_F64, 2, (int64_t[]){6, 5}, 0.1, 1), NULL};
    agn_tensor *z = random_of(AGN_C64, 2, (int64_t[]){4, 5}, -1, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1);
    must(agn_arange(&a.f, AGN_F64, 1, 7, 1));
    refuse_sounds(&q, a.x, a.m, z, none);
    refuse_tables(&q, a.x, a.m, z, none);
    tell(&q, "failures: status, op, two facts, nothing written");
    for (; a.what < 9; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){a.x, a.m, a.f, z, none, rising}, 6);
    return done();
}
