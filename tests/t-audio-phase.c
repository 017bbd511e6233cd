/* t-audio-phase - phases, time and pitch, onsets, levels, sections and prediction against numbers of librosa, SciPy and
   printed formulas; derivatives in every mode; failures. */
#include "modes.h"

#include "data/sounds.inc"

#define PI 3.14159265358979323846
enum { BINS = SOUNDS_FFT / 2 + 1 };
#define LENGTH(a) (int)(sizeof(a) / sizeof(double))

/* the largest difference; infinite where the number of values is another */
static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = 0;
    bool z = kind_of(agn_dtype_of(y)) == KIND_COMPLEX;
    if (agn_numel(y) * (z ? 2 : 1) != n)
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double e = z ? cabs(peekz(y, i) - z_of(want[2 * i], want[2 * i + 1])) : fabs(peek(y, i) - want[i]);
        worst = e > worst || isnan(e) ? e : worst;
    }
    return worst;
}
#define APART(y, name) apart_from(y, sounds_##name, LENGTH(sounds_##name))
static agn_tensor *table(int rows, int columns, const double *v)
{
    return of_reals(AGN_F64, rows ? 2 : 1, rows ? (int64_t[]){rows, columns} : (int64_t[]){columns}, v);
}
static const agn_signal_stft_options frames_of = {.size = sizeof frames_of, .n_fft = SOUNDS_FFT, .hop = SOUNDS_HOP};

static void test_phases(void)
{
    static const struct {
        int iterations;
        double momentum;
        const double *want;
    } cases[] = {{0, 0, sounds_griffin_0}, {5, 0, sounds_griffin_plain}, {5, 0.99, sounds_griffin_fast}};
    tally q = {0, 0};
    agn_tensor *m = table(BINS, SOUNDS_FRAMES, sounds_magnitude), *x = table(0, SOUNDS_N, sounds_x), *y = NULL, *z = NULL;
    for (int k = 0; k < COUNT(cases); k++) {
        must(agn_audio_griffin_lim(&y, m, NULL, cases[k].iterations, cases[k].momentum, SOUNDS_N, &frames_of));
        double off = apart_from(y, cases[k].want, SOUNDS_N);
        check(&q, off < 1e-9, "%d iterations, momentum %g: off by %.1e", cases[k].iterations, cases[k].momentum, off);
        agn_release(y);
    }
    /* its own phases give the signal back */
    agn_tensor *d = NULL, *phase = NULL, *size = NULL;
    must(agn_signal_stft(&d, x, &frames_of));
    must(agn_angle(&phase, d));
    must(agn_abs(&size, d));
    must(agn_audio_griffin_lim(&y, size, phase, 3, 0.5, SOUNDS_N, &frames_of));
    check(&q, apart_from(y, sounds_x, SOUNDS_N) < 1e-12, "the signal's own phases");
    release_all((agn_tensor *[]){m, y, d, phase, size}, 5);
    must(agn_from_host(&z, AGN_C128, 2, (int64_t[]){BINS, SOUNDS_FRAMES}, sounds_transform));
    must(agn_audio_phase_vocoder(&y, z, 0.7, SOUNDS_HOP));
    check(&q, APART(y, vocoder_slow) < 1e-10, "slower: off by %.1e", APART(y, vocoder_slow));
    agn_release(y);
    must(agn_audio_phase_vocoder(&y, z, 1.6, SOUNDS_HOP));
    check(&q, APART(y, vocoder_fast) < 1e-10, "faster: off by %.1e", APART(y, vocoder_fast));
    agn_release(y);
    agn_signal_stft_options silent = frames_of; /* librosa's edges */
    silent.edge = AGN_SIGNAL_ZERO;
    must(agn_audio_time_stretch(&y, x, 0.7, &silent));
    check(&q, APART(y, stretch_slow) < 1e-10, "longer: off by %.1e", APART(y, stretch_slow));
    agn_release(y);
    must(agn_audio_time_stretch(&y, x, 1.6, &silent));
    check(&q, APART(y, stretch_fast) < 1e-10, "shorter: off by %.1e", APART(y, stretch_fast));
    release_all((agn_tensor *[]){z, x, y}, 3);
    /* a tone an octave up is a tone of twice the frequency */
    double v[4096];
    for (int i = 0; i < 4096; i++)
        v[i] = sin(2 * PI * 500 * i / 8000);
    x = table(0, 4096, v);
    agn_tensor *f = NULL;
    must(agn_audio_pitch_shift(&y, x, 12, NULL));
    must(agn_audio_zero_crossing_rate(&f, y, 512, 256));
    check(&q, agn_numel(y) == 4096, "as long as before");
    for (int64_t i = 3; i < agn_numel(f) - 3; i++)
        check(&q, fabs(peek(f, i) - 0.25) < 0.004, "frame %d: %g Hz", (int)i, peek(f, i) * 4000);
    release_all((agn_tensor *[]){x, y, f}, 3);
    tell(&q, "librosa's phases, time and pitch");
}

static void test_pitch(void)
{
    tally q = {0, 0};
    agn_tensor *x = table(0, SOUNDS_N, sounds_x), *y = NULL, *late = NULL;
    must(agn_audio_yin(&y, x, SOUNDS_RATE, 200, 1000, 128, 32, 0.1));
    check(&q, APART(y, yin) < 1e-8, "a tone: off by %.1e", APART(y, yin));
    agn_release(y);
    double v[SOUNDS_N];
    for (int i = 0; i < SOUNDS_N; i++)
        v[i] = sounds_x[SOUNDS_N - 1 - i] * (i / (SOUNDS_N - 1.0));
    late = table(0, SOUNDS_N, v);
    must(agn_audio_yin(&y, late, SOUNDS_RATE, 150, 2000, 100, 25, 0.01));
    check(&q, APART(y, yin_noise) < 1e-7, "one that grows: off by %.1e", APART(y, yin_noise));
    release_all((agn_tensor *[]){x, y, late}, 3);
    agn_tensor *db = table(12, SOUNDS_FRAMES, sounds_db), *w = NULL;
    must(agn_audio_onset_strength(&y, db, 1));
    check(&q, APART(y, onset_1) < 1e-12, "onsets");
    agn_release(y);
    must(agn_audio_onset_strength(&y, db, 3));
    check(&q, APART(y, onset_3) < 1e-12, "onsets of lag 3");
    release_all((agn_tensor *[]){db, y}, 2);
    must(agn_audio_chroma_filters(&w, AGN_F64, SOUNDS_RATE, 128, 12, 440));
    check(&q, APART(w, chroma_12) < 1e-12, "12 classes: off by %.1e", APART(w, chroma_12));
    agn_release(w);
    must(agn_audio_chroma_filters(&w, AGN_F32, SOUNDS_RATE, 100, 36, 432));
    check(&q, APART(w, chroma_36) < 1e-7 && agn_dtype_of(w) == AGN_F32, "36 classes: off by %.1e", APART(w, chroma_36));
    agn_release(w);
    agn_tensor *wide = table(65, SOUNDS_WIDE, sounds_wide);
    must(agn_audio_spectral_contrast(&y, wide, SOUNDS_RATE, 300, 3, 0.02));
    check(&q, APART(y, contrast_a) < 1e-9, "contrast: off by %.1e", APART(y, contrast_a));
    agn_release(y);
    must(agn_audio_spectral_contrast(&y, wide, SOUNDS_RATE, 200, 4, 0.3));
    check(&q, APART(y, contrast_b) < 1e-9, "of larger parts: off by %.1e", APART(y, contrast_b));
    release_all((agn_tensor *[]){y, wide}, 2);
    agn_tensor *c = table(9, 12, sounds_cost), *total = NULL, *path = NULL;
    must(agn_audio_dtw(&total, &path, c));
    check(&q, APART(total, total) < 1e-12, "costs of paths");
    check(&q, APART(path, path) == 0, "the cheapest path");
    release_all((agn_tensor *[]){c, total, path}, 3);
    tell(&q, "librosa's pitch, onsets, classes, paths");
}

static void test_levels(void)
{
    tally q = {0, 0};
    agn_tensor *p = table(10, SOUNDS_FRAMES, sounds_power), *y = NULL, *h = NULL, *s = NULL, *x = NULL;
    double rate = (double)SOUNDS_RATE / SOUNDS_HOP;
    must(agn_audio_pcen(&y, p, rate, NULL));
    check(&q, APART(y, pcen) < 1e-11, "normalised: off by %.1e", APART(y, pcen));
    agn_release(y);
    must(agn_audio_pcen(&y, p, rate, &(agn_audio_pcen_options){.size = sizeof(agn_audio_pcen_options), .gain = 0.5, .bias = 1,
                                                               .power = 0.25, .time_constant = 0.01, .least = 1e-3}));
    check(&q, APART(y, pcen_other) < 1e-11, "normalised otherwise: off by %.1e", APART(y, pcen_other));
    agn_release(y);
    must(agn_audio_separate_harmonics(&h, &s, p, 5, 3, 2));
    check(&q, APART(h, harmonic_a) < 1e-12 && APART(s, percussive_a) < 1e-12, "tones and strokes");
    release_all((agn_tensor *[]){h, s}, 2);
    must(agn_audio_separate_harmonics(&h, &s, p, 31, 7, 1));
    check(&q, APART(h, harmonic_b) < 1e-12 && APART(s, percussive_b) < 1e-12, "of longer medians");
    release_all((agn_tensor *[]){p, h, s}, 3);
    enum { N = 120000 };
    double *v = room_for(2 * N * sizeof *v);
    uint32_t seed = 12345;
    for (int i = 0; i < N; i++) {
        seed = (seed * 1103515245u + 12345u) & 0x7fffffffu;
        v[i] = ((double)seed / 1073741824.0 - 1) * (i < 40000 ? 1e-5 : i < 80000 ? 0.5 : 0.02);
        v[N + i] = 0;
    }
    x = of_reals(AGN_F64, 2, (int64_t[]){2, N}, v);
    must(agn_audio_loudness(&y, x, 48000));
    check(&q, agn_ndim(y) == 0 && fabs(peek(y, 0) - sounds_loudness[0]) < 1e-6, "%.9f LKFS, not %.9f", peek(y, 0),
          sounds_loudness[0]);
    release_all((agn_tensor *[]){x, y}, 2);
    /* a tone of full scale in one channel is -3.01 LKFS at 997 Hz, at any rate; silence is none */
    for (int k = 0; k < 3; k++) {
        double at = k == 0 ? 16000 : k == 1 ? 44100 : 48000;
        for (int i = 0; i < N / 2; i++)
            v[i] = sin(2 * PI * 997 * i / at);
        x = of_reals(AGN_F32, 2, (int64_t[]){1, N / 2}, v);
        must(agn_audio_loudness(&y, x, at));
        check(&q, fabs(peek(y, 0) + 3.01) < (k ? 0.01 : 0.1), "at %g: %g LKFS", at, peek(y, 0));
        release_all((agn_tensor *[]){x, y}, 2);
    }
    must(agn_zeros(&x, AGN_F64, 2, (int64_t[]){1, 5000}));
    must(agn_audio_loudness(&y, x, 8000));
    check(&q, peek(y, 0) == -(double)INFINITY, "silence");
    release_all((agn_tensor *[]){x, y}, 2);
    free(v);
    tell(&q, "levels, tones and strokes, loudness");
}

static void test_sections(void)
{
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sounds_biquads); k++)
        for (int kind = 0; kind <= AGN_BIQUAD_HIGH_SHELF; kind++) {
            agn_tensor *f = scalar_of(AGN_F64, sounds_biquads[k].f), *y = NULL,
                       *s = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){sounds_biquads[k].q, sounds_biquads[k].q}),
                       *g = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){sounds_biquads[k].g, 1, 2});
            bool gains = kind >= AGN_BIQUAD_PEAK;
            must(agn_audio_biquad(&y, kind, f, s, gains ? g : NULL, SOUNDS_RATE));
            check(&q, gains ? has_shape(y, 3, (int64_t[]){3, 2, 6}) : has_shape(y, 2, (int64_t[]){2, 6}), "shape %s",
                  SHAPE_TEXT(y));
            for (int i = 0; i < 12; i++)
                check(&q, fabs(peek(y, i) - sounds_biquads[k].want[kind][i % 6]) < 1e-12, "case %d, kind %d, number %d: %g", k,
                      kind, i, peek(y, i));
            release_all((agn_tensor *[]){f, y, s, g}, 4);
        }
    agn_tensor *x = table(0, SOUNDS_N, sounds_x), *y = NULL, *two = NULL;
    must(agn_audio_lpc(&y, x, 1));
    check(&q, APART(y, lpc_1) < 1e-12, "prediction of order 1");
    agn_release(y);
    must(agn_stack(&two, (const agn_tensor *[]){x, x}, 2, 0));
    must(agn_audio_lpc(&y, two, 8));
    check(&q, has_shape(y, 2, (int64_t[]){2, 9}), "rows");
    for (int i = 0; i < 18; i++)
        check(&q, fabs(peek(y, i) - sounds_lpc_8[i % 9]) < 1e-10, "coefficient %d: %g, not %g", i, peek(y, i),
              sounds_lpc_8[i % 9]);
    release_all((agn_tensor *[]){x, y, two}, 3);
    x = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 0.5, -0.2});
    must(agn_audio_lpc(&y, x, 2));
    check(&q, agn_numel(y) == 3 && isfinite(peek(y, 2)), "as many as there are");
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "sections and prediction");
}

static void test_stripes(void)
{
    tally q = {0, 0};
    int lengths[6] = {0}, begins = 0, ends = 0;
    agn_tensor *x = random_of(AGN_F32, 3, (int64_t[]){2, 7, 30}, 1, 2), *y = NULL, *again = NULL;
    for (int k = 0; k < 300; k++) {
        agn_tensor *key = NULL;
        must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){k, 5}));
        must(agn_audio_mask_stripes(&y, x, key, -1, 1, 5, -3));
        int64_t first = -1, count = 0;
        for (int64_t i = 0; i < 30; i++)
            if (peek(y, i) == -3) {
                first = first < 0 ? i : first;
                count++;
            }
        check(&q, count <= 5, "%d of them", (int)count);
        for (int64_t i = 0; i < 420; i++)
            check(&q, peek(y, i) == (count && i % 30 >= first && i % 30 < first + count ? -3 : peek(x, i)), "sample %d", (int)i);
        lengths[count < 6 ? count : 5]++;
        begins += count == 1 && first == 0;
        ends += count == 1 && first == 29;
        must(agn_audio_mask_stripes(&again, x, key, -1, 1, 5, -3));
        check(&q, same_values(y, again), "the same key");
        release_all((agn_tensor *[]){y, again}, 2);
        must(agn_audio_mask_stripes(&y, x, key, 1, 2, 7, 0));
        for (int64_t i = 0; i < 420; i++)
            check(&q, (peek(y, i) == 0) == (peek(y, i / 30 * 30) == 0), "whole bands");
        release_all((agn_tensor *[]){y, key}, 2);
    }
    for (int k = 0; k < 6; k++)
        check(&q, lengths[k] > 20 && lengths[k] < 90, "%d stripes of length %d", lengths[k], k);
    check(&q, begins + ends > 0, "at the ends, too");
    agn_tensor *key = NULL;
    must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){1, 5}));
    must(agn_audio_mask_stripes(&y, x, key, 2, 0, 0, 0));
    check(&q, same_values(x, y), "no stripes");
    release_all((agn_tensor *[]){x, y, key}, 3);
    tell(&q, "stripes");
}

/* ---- derivatives --------------------------------------------------------------------------------- */

enum { GRIFFIN, VOCODER, STRETCH, YIN, ONSET, PCEN, HARMONIC, CONTRAST, STRIPES, BIQUAD, LPC, BODIES };

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const agn_signal_stft_options small = {.size = sizeof small, .n_fft = 8, .hop = 2};
    switch (*(const int *)user) {
    case GRIFFIN:
        y[0] = ag_audio_griffin_lim(s, x[0], NULL, 2, 0.5, 0, &small);
        break;
    case VOCODER:
        y[0] = ag_audio_phase_vocoder(s, x[0], 0.8, 2);
        break;
    case STRETCH:
        y[0] = ag_audio_time_stretch(s, x[0], 1.3, &small);
        break;
    case YIN:
        y[0] = ag_audio_yin(s, x[0], 40, 2, 12, 20, 10, 0.3);
        break;
    case ONSET:
        y[0] = ag_square(s, ag_audio_onset_strength(s, x[0], 1));
        break;
    case PCEN:
        y[0] = ag_audio_pcen(s, x[0], 10, NULL);
        break;
    case HARMONIC: {
        agn_tensor *h = NULL, *p = NULL;
        agn_status st = agn_audio_separate_harmonics(&h, &p, x[0], 3, 3, 2);
        if (!st)
            agn_release(p);
        y[0] = agn_scope_adopt(s, st, &h);
        break;
    }
    case CONTRAST:
        y[0] = ag_audio_spectral_contrast(s, x[0], 8, 1, 2, 0.4);
        break;
    case STRIPES: {
        agn_tensor *key = NULL;
        agn_status st = agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){1, 2});
        y[0] = ag_square(s, ag_audio_mask_stripes(s, x[0], agn_scope_adopt(s, st, &key), -1, 2, 3, 1));
        break;
    }
    case BIQUAD:
        y[0] = ag_audio_biquad(s, AGN_BIQUAD_LOW_SHELF, x[0], x[1], x[2], 40);
        break;
    default:
        y[0] = ag_audio_lpc(s, x[0], 3);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    static const char *const names[] = {"griffin_lim", "phase_vocoder", "time_stretch", "yin", "onset_strength", "pcen",
                                        "separate_harmonics", "spectral_contrast", "mask_stripes", "biquad", "lpc"};
    for (int what = 0; what < BODIES; what++) {
        int n = what == BIQUAD ? 3 : 1;
        bool spectrum = what == GRIFFIN || what == VOCODER || what == ONSET || what == PCEN || what == HARMONIC ||
                        what == CONTRAST || what == STRIPES;
        agn_tensor *x[3] = {NULL, scalar_of(AGN_F64, 0.9), scalar_of(AGN_F64, 3)};
        rnd_stream("audio phase", names[what]);
        if (what == BIQUAD)
            x[0] = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){3, 7});
        else if (spectrum)
            x[0] = random_of(what == VOCODER ? AGN_C128 : AGN_F64, 2, (int64_t[]){what == CONTRAST ? 9 : 5, 4}, 0.4, 1);
        else {
            double v[20];
            for (int i = 0; i < 20; i++)
                v[i] = sin(0.9 * i) + 0.2 * cos(0.31 * i * i);
            x[0] = table(0, 20, v);
        }
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, n, 1));
        in_every_mode(f, n, (const agn_tensor *const *)x, 1e-4, 2e-6, names[what]);
        agn_fn_release(f);
        release_all(x, 3);
    }
}

/* ---- failures ------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *other = untouched, *x = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){5, 4}, -1, 1), *m = random_of(AGN_F64, 2, (int64_t[]){5, 4}, 0, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1), *empty = random_of(AGN_F64, 2, (int64_t[]){5, 0}, 0, 1),
               *nan = of_reals(AGN_F64, 2, (int64_t[]){1, 1}, (double[]){(double)NAN});
    agn_signal_stft_options small = {.size = sizeof small, .n_fft = 8, .hop = 2}, wrong = {.size = 3},
                            odd = {.size = sizeof odd, .n_fft = 9}, gaps = {.size = sizeof gaps, .n_fft = 8, .hop = 9};
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
    static const char gl[] = "audio_griffin_lim", pv[] = "audio_phase_vocoder", ts[] = "audio_time_stretch",
                      ps[] = "audio_pitch_shift", yi[] = "audio_yin", on[] = "audio_onset_strength",
                      cf[] = "audio_chroma_filters", dt[] = "audio_dtw", bq[] = "audio_biquad", lp[] = "audio_lpc",
                      lo[] = "audio_loudness", pc[] = "audio_pcen", hp[] = "audio_separate_harmonics";
    NO(agn_audio_griffin_lim(NULL, m, NULL, 1, 0, 0, &small), AGN_ENULL, gl, "out", "NULL");
    NO(agn_audio_griffin_lim(&out, NULL, NULL, 1, 0, 0, &small), AGN_ENULL, gl, "x is", "NULL");
    NO(agn_audio_griffin_lim(&out, z, NULL, 1, 0, 0, &small), AGN_EDTYPE, gl, "c64", "real");
    NO(agn_audio_griffin_lim(&out, m, z, 1, 0, 0, &small), AGN_EDTYPE, gl, "phase", "c64");
    NO(agn_audio_griffin_lim(&out, x, NULL, 1, 0, 0, &small), AGN_ESHAPE, gl, "[40]", "bins");
    NO(agn_audio_griffin_lim(&out, m, NULL, 1, 0, 0, NULL), AGN_ESHAPE, gl, "[5,4]", "257");
    NO(agn_audio_griffin_lim(&out, m, NULL, 1, 0, 40, &small), AGN_ESHAPE, gl, "[5,4]", "other frames");
    NO(agn_audio_griffin_lim(&out, m, NULL, -1, 0, 0, &small), AGN_EARG, gl, "-1 iterations", "negative");
    NO(agn_audio_griffin_lim(&out, m, NULL, 1, 0, 0, &wrong), AGN_EARG, gl, "3 bytes", "has");
    NO(agn_audio_griffin_lim(&out, m, NULL, 1, 0, 0, &gaps), AGN_EDOMAIN, gl, "steps of 9", "uncovered");
    NO(agn_audio_phase_vocoder(NULL, z, 1, 2), AGN_ENULL, pv, "out", "NULL");
    NO(agn_audio_phase_vocoder(&out, NULL, 1, 2), AGN_ENULL, pv, "x is", "NULL");
    NO(agn_audio_phase_vocoder(&out, m, 1, 2), AGN_EDTYPE, pv, "f64", "complex");
    agn_tensor *hole = random_of(AGN_C64, 2, (int64_t[]){5, 0}, 0, 1);
    NO(agn_audio_phase_vocoder(&out, hole, 1, 2), AGN_ESHAPE, pv, "[5,0]", "frames");
    agn_release(hole);
    NO(agn_audio_phase_vocoder(&out, z, 0, 2), AGN_EARG, pv, "rate of 0", "positive");
    NO(agn_audio_phase_vocoder(&out, z, 1, 0), AGN_EARG, pv, "hop of 0", "positive");
    NO(agn_audio_phase_vocoder(&out, z, 1e-20, 2), AGN_ENOMEM, pv, "4 frames", "1e-20");
    for (int k = 0; k < 2; k++) {
        const char *op = k ? ps : ts;
#define SPEED(out, x, v, o) (k ? agn_audio_pitch_shift(out, x, v, o) : agn_audio_time_stretch(out, x, v, o))
        NO(SPEED(NULL, x, 1, &small), AGN_ENULL, op, "out", "NULL");
        NO(SPEED(&out, NULL, 1, &small), AGN_ENULL, op, "x is", "NULL");
        NO(SPEED(&out, z, 1, &small), AGN_EDTYPE, op, "c64", "real");
        NO(SPEED(&out, none, 1, &small), AGN_ESHAPE, op, "[0]", "sample");
        NO(SPEED(&out, x, k ? 121 : -1, &small), AGN_EARG, op, k ? "121 semitones" : "rate of -1", NULL);
        NO(SPEED(&out, x, 1, &wrong), AGN_EARG, op, "3 bytes", "has");
        NO(SPEED(&out, x, 1, &odd), AGN_EARG, op, "9", "even");
        NO(SPEED(&out, x, 1, &gaps), AGN_EDOMAIN, op, "steps of 9", "uncovered");
    }
    NO(agn_audio_yin(NULL, x, 40, 2, 9, 20, 10, 0.1), AGN_ENULL, yi, "out", "NULL");
    NO(agn_audio_yin(&out, NULL, 40, 2, 9, 20, 10, 0.1), AGN_ENULL, yi, "x is", "NULL");
    NO(agn_audio_yin(&out, z, 40, 2, 9, 20, 10, 0.1), AGN_EDTYPE, yi, "c64", "real");
    NO(agn_audio_yin(&out, none, 40, 2, 9, 20, 10, 0.1), AGN_ESHAPE, yi, "[0]", "sample");
    NO(agn_audio_yin(&out, x, 40, 2, 9, 3, 10, 0.1), AGN_EARG, yi, "frames of 3", "[40]");
    NO(agn_audio_yin(&out, x, 40, 2, 30, 20, 10, 0.1), AGN_EARG, yi, "30 Hz", "half the rate");
    NO(agn_audio_yin(&out, x, 40, 2, 9, 20, 10, 0), AGN_EARG, yi, "below 0", "level");
    NO(agn_audio_yin(&out, x, 40, 19, 20, 20, 10, 0.1), AGN_EARG, yi, "2 to 3", "three");
    NO(agn_audio_onset_strength(NULL, m, 1), AGN_ENULL, on, "out", "NULL");
    NO(agn_audio_onset_strength(&out, NULL, 1), AGN_ENULL, on, "x is", "NULL");
    NO(agn_audio_onset_strength(&out, z, 1), AGN_EDTYPE, on, "c64", "real");
    NO(agn_audio_onset_strength(&out, x, 1), AGN_ESHAPE, on, "[40]", "bins");
    NO(agn_audio_onset_strength(&out, m, 4), AGN_EARG, on, "lag of 4", "[5,4]");
    NO(agn_audio_chroma_filters(NULL, AGN_F64, 1, 8, 12, 440), AGN_ENULL, cf, "out", "NULL");
    NO(agn_audio_chroma_filters(&out, AGN_C64, 1, 8, 12, 440), AGN_EDTYPE, cf, "c64", "f64");
    NO(agn_audio_chroma_filters(&out, AGN_F64, 0, 8, 12, 440), AGN_EARG, cf, "rate of 0", "positive");
    NO(agn_audio_chroma_filters(&out, AGN_F64, 1, 8, 0, 440), AGN_EARG, cf, "0 classes", "4096");
    NO(agn_audio_dtw(NULL, &other, m), AGN_ENULL, dt, "total", "NULL");
    NO(agn_audio_dtw(&out, NULL, m), AGN_ENULL, dt, "path", "NULL");
    NO(agn_audio_dtw(&out, &other, NULL), AGN_ENULL, dt, "cost", "NULL");
    NO(agn_audio_dtw(&out, &other, z), AGN_EDTYPE, dt, "c64", "real");
    NO(agn_audio_dtw(&out, &other, empty), AGN_ESHAPE, dt, "[5,0]", "[n, m]");
    NO(agn_audio_dtw(&out, &other, nan), AGN_EDOMAIN, dt, "[1,1]", "NaN");
    NO(agn_audio_biquad(NULL, 0, x, x, NULL, 40), AGN_ENULL, bq, "out", "NULL");
    NO(agn_audio_biquad(&out, 0, NULL, x, NULL, 40), AGN_ENULL, bq, "frequency", "NULL");
    NO(agn_audio_biquad(&out, 0, x, NULL, NULL, 40), AGN_ENULL, bq, "q is", "NULL");
    NO(agn_audio_biquad(&out, AGN_BIQUAD_PEAK, x, x, NULL, 40), AGN_ENULL, bq, "gain", "NULL");
    NO(agn_audio_biquad(&out, 0, x, z, NULL, 40), AGN_EDTYPE, bq, "q is c64", "real");
    NO(agn_audio_biquad(&out, 8, x, x, x, 40), AGN_EARG, bq, "kind 8", "0 to 7");
    NO(agn_audio_biquad(&out, 0, x, x, NULL, 0), AGN_EARG, bq, "rate of 0", "positive");
    NO(agn_audio_biquad(&out, 0, x, m, NULL, 40), AGN_ESHAPE, bq, "[40]", "[5,4]");
    NO(agn_audio_lpc(NULL, x, 2), AGN_ENULL, lp, "out", "NULL");
    NO(agn_audio_lpc(&out, NULL, 2), AGN_ENULL, lp, "x is", "NULL");
    NO(agn_audio_lpc(&out, z, 2), AGN_EDTYPE, lp, "c64", "real");
    NO(agn_audio_lpc(&out, x, 40), AGN_ESHAPE, lp, "order 40", "[40]");
    NO(agn_audio_loudness(NULL, m, 8000), AGN_ENULL, lo, "out", "NULL");
    NO(agn_audio_loudness(&out, NULL, 8000), AGN_ENULL, lo, "x is", "NULL");
    NO(agn_audio_loudness(&out, z, 8000), AGN_EDTYPE, lo, "c64", "real");
    NO(agn_audio_loudness(&out, m, 8000), AGN_ESHAPE, lo, "[5,4]", "3200 samples");
    NO(agn_audio_loudness(&out, m, 100), AGN_EARG, lo, "rate of 100", "4000");
#define PCEN_(...) agn_audio_pcen(&out, m, 10, &(agn_audio_pcen_options){.size = sizeof(agn_audio_pcen_options), __VA_ARGS__})
    NO(agn_audio_pcen(NULL, m, 10, NULL), AGN_ENULL, pc, "out", "NULL");
    NO(agn_audio_pcen(&out, NULL, 10, NULL), AGN_ENULL, pc, "x is", "NULL");
    NO(agn_audio_pcen(&out, z, 10, NULL), AGN_EDTYPE, pc, "c64", "real");
    NO(agn_audio_pcen(&out, empty, 10, NULL), AGN_ESHAPE, pc, "[5,0]", "frame");
    NO(agn_audio_pcen(&out, m, 0, NULL), AGN_EARG, pc, "frames_per_second is 0", "[5,4]");
    NO(agn_audio_pcen(&out, m, 10, &(agn_audio_pcen_options){.size = 4}), AGN_EARG, pc, "4 bytes", "has");
    NO(PCEN_(.gain = 1, .bias = 1, .power = 1, .least = 1), AGN_EARG, pc, "time_constant is 0", "[5,4]");
    NO(PCEN_(.gain = 1, .bias = 0, .power = 1, .least = 1, .time_constant = 1), AGN_EARG, pc, "bias 0", "positive");
    NO(agn_audio_separate_harmonics(NULL, &other, m, 3, 3, 2), AGN_ENULL, hp, "harmonic", "NULL");
    NO(agn_audio_separate_harmonics(&out, NULL, m, 3, 3, 2), AGN_ENULL, hp, "percussive", "NULL");
    NO(agn_audio_separate_harmonics(&out, &other, NULL, 3, 3, 2), AGN_ENULL, hp, "x is", "NULL");
    NO(agn_audio_separate_harmonics(&out, &other, z, 3, 3, 2), AGN_EDTYPE, hp, "c64", "real");
    NO(agn_audio_separate_harmonics(&out, &other, empty, 3, 3, 2), AGN_ESHAPE, hp, "[5,0]", "frame");
    NO(agn_audio_separate_harmonics(&out, &other, m, 4, 3, 2), AGN_EARG, hp, "4 frames", "odd");
    NO(agn_audio_separate_harmonics(&out, &other, m, 3, 3, 0), AGN_EARG, hp, "power is 0", "[5,4]");
    static const char sc[] = "audio_spectral_contrast", ms[] = "audio_mask_stripes";
    agn_tensor *key = NULL;
    must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){1, 2}));
    NO(agn_audio_spectral_contrast(NULL, m, 8, 1, 1, 0.1), AGN_ENULL, sc, "out", "NULL");
    NO(agn_audio_spectral_contrast(&out, NULL, 8, 1, 1, 0.1), AGN_ENULL, sc, "x is", "NULL");
    NO(agn_audio_spectral_contrast(&out, z, 8, 1, 1, 0.1), AGN_EDTYPE, sc, "c64", "real");
    NO(agn_audio_spectral_contrast(&out, x, 8, 1, 1, 0.1), AGN_ESHAPE, sc, "[40]", "bins");
    NO(agn_audio_spectral_contrast(&out, m, 8, 0.1, 2, 0.1), AGN_ESHAPE, sc, "[5,4]", "octave 0");
    NO(agn_audio_spectral_contrast(&out, m, 8, 1, 4, 0.1), AGN_EARG, sc, "4 octaves", "half the rate");
    NO(agn_audio_mask_stripes(NULL, m, key, -1, 1, 1, 0), AGN_ENULL, ms, "out", "NULL");
    NO(agn_audio_mask_stripes(&out, NULL, key, -1, 1, 1, 0), AGN_ENULL, ms, "x is", "NULL");
    NO(agn_audio_mask_stripes(&out, m, NULL, -1, 1, 1, 0), AGN_ENULL, ms, "key", "NULL");
    NO(agn_audio_mask_stripes(&out, z, key, -1, 1, 1, 0), AGN_EDTYPE, ms, "c64", "real");
    NO(agn_audio_mask_stripes(&out, m, x, -1, 1, 1, 0), AGN_EDTYPE, ms, "f64", NULL);
    NO(agn_audio_mask_stripes(&out, m, key, 2, 1, 1, 0), AGN_EINDEX, ms, "axis 2", "2 axes");
    NO(agn_audio_mask_stripes(&out, m, key, -1, 1, 5, 0), AGN_EARG, ms, "at most 5", "[5,4]");
    NO(agn_audio_mask_stripes(&out, m, key, -1, -1, 1, 0), AGN_EARG, ms, "-1 stripes", "[5,4]");
    agn_release(key);
    must(agn_from_host(&key, AGN_I64, 1, (int64_t[]){3}, (int64_t[]){1, 2, 3}));
    NO(agn_audio_mask_stripes(&out, m, key, -1, 1, 1, 0), AGN_ESHAPE, ms, "[3]", NULL);
    agn_release(key);
    check(&q, other == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, z, m, none, empty, nan}, 6);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor *m = user, *path = NULL;
    agn_status st = agn_audio_dtw(out, &path, m);
    if (!st)
        agn_release(path);
    return st;
}
static agn_status make_both(void *user, agn_tensor **out)
{
    agn_tensor *m = user, *p = NULL;
    agn_status st = agn_audio_separate_harmonics(out, &p, m, 3, 3, 2);
    if (!st)
        agn_release(p);
    return st;
}
static agn_status make_slow(void *user, agn_tensor **out)
{
    return agn_audio_phase_vocoder(out, user, 0.5, 2);
}

static agn_status make_contrast(void *user, agn_tensor **out)
{
    return agn_audio_spectral_contrast(out, user, 40, 6, 1, 0.3);
}
static agn_status make_stripes(void *user, agn_tensor **out)
{
    agn_tensor *key = NULL;
    agn_status st = agn_from_host(&key, AGN_I64, 1, (int64_t[]){2}, (int64_t[]){1, 2});
    if (!st)
        st = agn_audio_mask_stripes(out, user, key, -2, 2, 2, 0);
    agn_release(key);
    return st;
}

int main(void)
{
    test_phases();
    test_pitch();
    test_levels();
    test_sections();
    test_stripes();
    test_modes();
    test_failures();
    agn_tensor *m = random_of(AGN_F32, 2, (int64_t[]){5, 4}, 0, 1), *z = random_of(AGN_C64, 2, (int64_t[]){5, 4}, 0, 1);
    every_allocation(make, m, "a path");
    every_allocation(make_both, m, "tones and strokes");
    every_allocation(make_slow, z, "a vocoder");
    every_allocation(make_contrast, m, "contrast");
    every_allocation(make_stripes, m, "stripes");
    release_all((agn_tensor *[]){m, z}, 2);
    return done();
}
