/* t-audio-music - constant Q, chroma, rhythm, paths, pitch and voices against numbers of librosa
   and of formulas in NumPy; derivatives in every mode; failures. */
#include "modes.h"

#include "data/music.inc"

#define PI 3.14159265358979323846
#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) music_##name, LENGTH(music_##name)

/* the largest difference; infinite where the number of values is another. NaN is alike -1. */
static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = 0;
    bool z = kind_of(agn_dtype_of(y)) == KIND_COMPLEX;
    if (agn_numel(y) * (z ? 2 : 1) != n)
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double e = z ? cabs(peekz(y, i) - z_of(want[2 * i], want[2 * i + 1]))
                   : isnan(peek(y, i)) && want[i] == -1 ? 0
                                                        : fabs(peek(y, i) - want[i]);
        worst = e > worst || isnan(e) ? e : worst;
    }
    return worst;
}
#define APART(y, name) apart_from(y, NUMBERS(name))
static agn_tensor *table(int rows, int columns, const double *v)
{
    return of_reals(AGN_F64, rows ? 2 : 1, rows ? (int64_t[]){rows, columns} : (int64_t[]){columns},
                    v);
}
static double noise(uint32_t *seed)
{
    *seed = (*seed * 1103515245u + 12345u) & 0x7fffffffu;
    return (double)*seed / 1073741824.0 - 1;
}
/* the tone of make-music.py */
static agn_tensor *tone(int dtype)
{
    double v[MUSIC_N];
    uint32_t seed = 7;
    for (int i = 0; i < MUSIC_N; i++) {
        double t = (double)i / MUSIC_RATE, turn = 2 * PI * (200 * t + 80 * t * t);
        v[i] = (i >= 2000 && i < 3500 ? 0 : 0.6 * sin(turn) + 0.3 * sin(2 * turn)) +
               0.01 * noise(&seed);
    }
    return of_reals(dtype, 1, (int64_t[]){MUSIC_N}, v);
}
static agn_tensor *pulses(void)
{
    double v[MUSIC_ONSETS];
    uint32_t seed = 11;
    for (int i = 0; i < MUSIC_ONSETS; i++)
        v[i] = 0.15 * fabs(noise(&seed)) + (i % 11 == 5 ? i / 11 % 2 ? 0.6 : 1 : 0);
    v[0] = 0;
    return table(0, MUSIC_ONSETS, v);
}
/* columns 0, step, 2 step, ... of the last axis */
static agn_tensor *columns_of(const agn_tensor *y, int64_t step)
{
    agn_tensor *part = NULL, *rows = NULL;
    must(agn_slice(&part, y, 2, (int64_t[]){0, 0}, agn_shape(y), (int64_t[]){1, step}));
    must(agn_contiguous(&rows, part));
    agn_release(part);
    return rows;
}

typedef agn_audio_constant_q_options constant_q_options;

static void test_constant_q(void)
{
    static const struct {
        constant_q_options o;
        const double *want;
        int n;
    } cases[] = {
        {{.f_min = 110, .n_bins = 30}, NUMBERS(constant_q)},
        {{.f_min = 80, .n_bins = 17, .bins_per_octave = 5, .gamma = -1, .filter_scale = 0.7},
         NUMBERS(constant_v)},
        {{.f_min = 80, .n_bins = 9, .bins_per_octave = 3, .gamma = 20}, NUMBERS(constant_wide)},
    };
    tally q = {0, 0};
    agn_tensor *x = tone(AGN_F64), *single = tone(AGN_F32), *y = NULL;
    for (int k = 0; k < COUNT(cases); k++) {
        constant_q_options o = cases[k].o;
        o.size = sizeof o;
        o.hop = MUSIC_HOP;
        for (int f32 = 0; f32 < 2; f32++) {
            must(agn_audio_constant_q(&y, f32 ? single : x, MUSIC_RATE, &o));
            check(&q, has_shape(y, 2, (int64_t[]){o.n_bins, 1 + MUSIC_N / MUSIC_HOP}), "shape %s",
                  SHAPE_TEXT(y));
            agn_tensor *part = columns_of(y, 6);
            double off = apart_from(part, cases[k].want, cases[k].n);
            check(&q, off < (f32 ? 1e-5 : 1e-12) && agn_dtype_of(y) == (f32 ? AGN_C64 : AGN_C128),
                  "case %d: off by %.1e", k, off);
            release_all((agn_tensor *[]){y, part}, 2);
        }
    }
    /* a tone at the frequency of a bin: half the root of the filter's length, there and nowhere else in the octave */
    double v[8000];
    for (int i = 0; i < 8000; i++)
        v[i] = cos(2 * PI * 440 * i / 8000);
    agn_tensor *a = table(0, 8000, v), *size = NULL;
    constant_q_options o = {
        .size = sizeof o, .f_min = 220, .n_bins = 25, .hop = 4000, .unscaled = true};
    must(agn_audio_constant_q(&y, a, 8000, &o));
    must(agn_abs(&size, y));
    double r = exp2(1.0 / 6), length = (r + 1) / (r - 1) * 8000 / 440;
    for (int k = 0; k < 25; k++) {
        double have = peek(size, 3 * k + 1) / length;
        check(&q, k == 12 ? fabs(have - 0.5) < 1e-3 : have < (abs(k - 12) == 1 ? 0.3 : 0.02),
              "bin %d: %g", k, have);
    }
    release_all((agn_tensor *[]){y, a, size}, 3);
    /* a batch is each signal for itself; one sample, and none of it */
    agn_tensor *two = NULL, *row = NULL;
    must(agn_stack(&two, (const agn_tensor *[]){x, x}, 2, 0));
    o = (constant_q_options){.size = sizeof o, .f_min = 200, .n_bins = 5, .hop = 1000};
    must(agn_audio_constant_q(&y, two, MUSIC_RATE, &o));
    must(agn_audio_constant_q(&row, x, MUSIC_RATE, &o));
    for (int64_t i = 0; i < agn_numel(y); i++)
        check(&q, cabs(peekz(y, i) - peekz(row, i % agn_numel(row))) < 1e-13, "entry %d of a batch",
              (int)i);
    release_all((agn_tensor *[]){x, single, y, two, row}, 5);
    x = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){2});
    o.n_bins = 1;
    o.unscaled = true;
    must(agn_audio_constant_q(&y, x, MUSIC_RATE, &o));
    check(&q, agn_numel(y) == 1 && fabs(creal(peekz(y, 0)) - 4) < 0.02,
          "one sample, its weight twice the mean");
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "constant and variable Q");
}

static void test_classes(void)
{
    tally q = {0, 0};
    agn_tensor *p = table(129, MUSIC_FRAMES, music_power), *c = NULL, *y = NULL;
    must(agn_audio_chroma(&c, p, MUSIC_RATE, 12, 440));
    check(&q, APART(c, chroma) < 1e-11, "chroma: off by %.1e", APART(c, chroma));
    must(agn_audio_tonnetz(&y, c));
    check(&q, APART(y, tonnetz) < 1e-11, "tonnetz: off by %.1e", APART(y, tonnetz));
    release_all((agn_tensor *[]){p, c, y}, 3);
    must(agn_zeros(&p, AGN_F32, 2, (int64_t[]){9, 2}));
    must(agn_audio_chroma(&c, p, MUSIC_RATE, 12, 440));
    must(agn_audio_tonnetz(&y, c));
    for (int64_t i = 0; i < 12; i++)
        check(&q, peek(c, i) == 0 && peek(y, i) == 0, "silence");
    release_all((agn_tensor *[]){p, c, y}, 3);
    agn_tensor *f = table(0, LENGTH(music_frequency), music_frequency);
    must(agn_audio_hz_to_midi(&y, f));
    check(&q, APART(y, midi) < 1e-11, "semitones");
    must(agn_audio_midi_to_hz(&c, y));
    check(&q, APART(c, frequency) < 1e-10, "and back");
    release_all((agn_tensor *[]){y, c}, 2);
    const double *want[] = {music_weight_a, music_weight_b, music_weight_c};
    for (int k = 0; k < 3; k++) {
        must(agn_audio_weighting(&y, f, k));
        double off = apart_from(y, want[k], LENGTH(music_frequency));
        check(&q, off < 1e-9, "curve %d: off by %.1e", k, off);
        agn_release(y);
    }
    agn_release(f);
    tell(&q, "classes, semitones, weights");
}

static void test_pitch(void)
{
    tally q = {0, 0};
    agn_tensor *x = tone(AGN_F64), *f = NULL, *p = NULL, *two = NULL, *g = NULL, *r = NULL;
    must(agn_audio_pyin(&f, &p, x, MUSIC_RATE, 100, 500, 400, MUSIC_HOP));
    check(&q, APART(f, pitch) < 1e-9, "pitch: off by %.1e", APART(f, pitch));
    check(&q, APART(p, pitch_chance) < 1e-8, "its probability: off by %.1e",
          APART(p, pitch_chance));
    release_all((agn_tensor *[]){f, p}, 2);
    must(agn_audio_pyin(&f, &p, x, MUSIC_RATE, 150, 2000, 256, MUSIC_HOP));
    check(&q, APART(f, high) < 1e-9, "of short frames: off by %.1e", APART(f, high));
    check(&q, APART(p, high_chance) < 1e-8, "its probability: off by %.1e", APART(p, high_chance));
    must(agn_stack(&two, (const agn_tensor *[]){x, x}, 2, 0));
    must(agn_audio_pyin(&g, &r, two, MUSIC_RATE, 150, 2000, 256, MUSIC_HOP));
    for (int64_t i = 0; i < agn_numel(g); i++) {
        double a = peek(g, i), b = peek(f, i % agn_numel(f));
        check(&q, (isnan(a) && isnan(b)) || a == b, "frame %d of a batch", (int)i);
        check(&q, peek(r, i) == peek(p, i % agn_numel(p)), "its probability");
    }
    release_all((agn_tensor *[]){x, f, p, two, g, r}, 6);
    must(agn_zeros(&x, AGN_F32, 1, (int64_t[]){2000}));
    must(agn_audio_pyin(&f, &p, x, 8000, 100, 500, 400, 500));
    for (int64_t i = 0; i < agn_numel(f); i++)
        check(&q, isnan(peek(f, i)) && peek(p, i) < 0.1 && agn_dtype_of(f) == AGN_F32, "silence");
    release_all((agn_tensor *[]){x, f, p}, 3);
    tell(&q, "pYIN");
}

static void test_paths(void)
{
    tally q = {0, 0};
    agn_tensor *e = table(4, 12, music_emission), *a = table(4, 4, music_transition),
               *p0 = table(0, 4, music_initial), *path = NULL, *score = NULL;
    must(agn_audio_viterbi(&path, &score, e, a, p0));
    check(&q, APART(path, path) == 0 && APART(score, path_score) < 1e-11, "a path");
    release_all((agn_tensor *[]){path, score}, 2);
    must(agn_audio_viterbi(&path, &score, e, a, NULL));
    check(&q, APART(path, path_alike) == 0 && APART(score, path_alike_score) < 1e-11,
          "from anywhere");
    release_all((agn_tensor *[]){path, score, e, a, p0}, 5);
    /* against every path of 5 frames of 3 states, some steps impossible */
    for (int round = 0; round < tap_scale(40); round++) {
        rnd_stream("viterbi", "paths");
        double em[2][15], tr[9], in[3];
        for (int i = 0; i < 30; i++)
            em[i / 15][i % 15] = rnd_in(-5, 0);
        for (int i = 0; i < 9; i++)
            tr[i] = i % 4 && rnd_in(0, 1) < 0.3 ? -(double)INFINITY : rnd_in(-3, 0);
        for (int i = 0; i < 3; i++)
            in[i] = rnd_in(-2, 0);
        e = of_reals(AGN_F64, 3, (int64_t[]){2, 3, 5}, em[0]);
        a = table(3, 3, tr);
        p0 = table(0, 3, in);
        must(agn_audio_viterbi(&path, &score, e, a, p0));
        check(&q, has_shape(path, 2, (int64_t[]){2, 5}) && has_shape(score, 1, (int64_t[]){2}),
              "shapes");
        for (int b = 0; b < 2; b++) {
            double best = -(double)INFINITY, have = 0;
            for (int code = 0; code < 243; code++) {
                double v = 0;
                for (int t = 0, c = code, last = 0; t < 5; t++, c /= 3) {
                    v += (t ? tr[last * 3 + c % 3] : in[c % 3]) + em[b][c % 3 * 5 + t];
                    last = c % 3;
                }
                best = v > best ? v : best;
            }
            for (int t = 0, last = 0; t < 5; t++) {
                int now = (int)peek(path, 5 * b + t);
                have += (t ? tr[last * 3 + now] : in[now]) + em[b][now * 5 + t];
                last = now;
            }
            check(&q, fabs(best - peek(score, b)) < 1e-12 && fabs(best - have) < 1e-12,
                  "%g, its path %g, the best %g", peek(score, b), have, best);
        }
        release_all((agn_tensor *[]){path, score, e, a, p0}, 5);
    }
    tell(&q, "the likeliest paths");
}

static void test_rhythm(void)
{
    tally q = {0, 0};
    agn_tensor *x = pulses(), *y = NULL, *part;
    for (int k = 0; k < 2; k++) {
        must(agn_audio_tempogram(&y, x, k ? 51 : 40));
        check(&q, has_shape(y, 2, (int64_t[]){k ? 51 : 40, MUSIC_ONSETS}), "shape %s",
              SHAPE_TEXT(y));
        part = columns_of(y, 50);
        double off = k ? APART(part, tempogram_51) : APART(part, tempogram_40);
        check(&q, off < 1e-12, "tempogram: off by %.1e", off);
        release_all((agn_tensor *[]){y, part}, 2);
        must(agn_audio_tempo(&y, x, MUSIC_PER_SECOND, k ? 60 : 120));
        check(&q,
              agn_ndim(y) == 0 &&
                  fabs(peek(y, 0) - (k ? music_tempo_60[0] : music_tempo_120[0])) < 1e-9,
              "tempo %g", peek(y, 0));
        agn_release(y);
    }
    must(agn_audio_beats(&y, x, MUSIC_PER_SECOND, 0, 100, true));
    check(&q, APART(y, beats) == 0, "beats: %s", SHAPE_TEXT(y));
    agn_release(y);
    must(agn_audio_beats(&y, x, MUSIC_PER_SECOND, 60, 100, false));
    check(&q, APART(y, beats_60) == 0, "slow beats: %s", SHAPE_TEXT(y));
    agn_release(y);
    must(agn_audio_beats(&y, x, MUSIC_PER_SECOND, 130, 1, true));
    check(&q, APART(y, beats_loose) == 0, "loose beats: %s", SHAPE_TEXT(y));
    agn_release(y);
    must(agn_audio_onsets(&y, x, MUSIC_PER_SECOND, 0.07));
    check(&q, APART(y, onsets) == 0, "onsets: %s", SHAPE_TEXT(y));
    agn_release(y);
    must(agn_audio_onsets(&y, x, MUSIC_PER_SECOND, 0.6));
    check(&q, APART(y, onsets_few) == 0, "few onsets: %s", SHAPE_TEXT(y));
    release_all((agn_tensor *[]){y, x}, 2);
    must(agn_zeros(&x, AGN_F32, 1, (int64_t[]){50}));
    must(agn_audio_beats(&y, x, MUSIC_PER_SECOND, 0, 100, true));
    check(&q, agn_numel(y) == 0 && agn_dtype_of(y) == AGN_I64, "no beats in silence");
    agn_release(y);
    must(agn_audio_onsets(&y, x, MUSIC_PER_SECOND, 0));
    check(&q, agn_numel(y) == 0, "no onsets in silence");
    release_all((agn_tensor *[]){y, x}, 2);
    x = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){2});
    must(agn_audio_beats(&y, x, MUSIC_PER_SECOND, 100, 100, false));
    check(&q, agn_numel(y) == 1, "one frame, one beat");
    release_all((agn_tensor *[]){y, x}, 2);
    tell(&q, "rhythm");
}

static void test_voices(void)
{
    tally q = {0, 0};
    agn_tensor *p = table(MUSIC_BINS, MUSIC_TIMES, music_voices), *y = NULL, *x = tone(AGN_F64);
    must(agn_audio_voice_activity(&y, p, NULL));
    check(&q, APART(y, activity) < 1e-6, "odds: off by %.1e", APART(y, activity));
    agn_release(y);
    agn_audio_activity_options o = {
        .size = sizeof o, .quiet = 0.3, .smoothing = 0.5, .begins = 0.4, .ends = 0.3};
    must(agn_audio_voice_activity(&y, p, &o));
    check(&q, APART(y, activity_b) < 1e-10, "odds otherwise: off by %.1e", APART(y, activity_b));
    release_all((agn_tensor *[]){y, p}, 2);
    must(agn_zeros(&p, AGN_F32, 3, (int64_t[]){2, 3, 4}));
    must(agn_audio_voice_activity(&y, p, NULL));
    check(&q, has_shape(y, 2, (int64_t[]){2, 4}) && fabs(peek(y, 7) - log(2)) < 1e-6,
          "silence tells nothing: %g", peek(y, 7));
    release_all((agn_tensor *[]){y, p}, 2);
    must(agn_audio_split(&y, x, 256, 64, 20));
    check(&q, APART(y, split) == 0, "stretches");
    release_all((agn_tensor *[]){y, x}, 2);
    must(agn_zeros(&x, AGN_F32, 1, (int64_t[]){500}));
    must(agn_audio_split(&y, x, 64, 64, 20));
    check(&q, has_shape(y, 2, (int64_t[]){0, 2}), "none in silence");
    release_all((agn_tensor *[]){y, x}, 2);
    tell(&q, "voices");
}

/* ---- derivatives --------------------------------------------------------------------------------- */

enum { CONSTANT_Q, CHROMA, TONNETZ, TEMPOGRAM, WEIGHTING, MIDI, BODIES };

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const constant_q_options small = {.size = sizeof small,
                                             .f_min = 4,
                                             .n_bins = 5,
                                             .bins_per_octave = 3,
                                             .hop = 9,
                                             .filter_scale = 0.5,
                                             .gamma = -1};
    switch (*(const int *)user) {
    case CONSTANT_Q:
        y[0] = ag_audio_constant_q(s, x[0], 40, &small);
        break;
    case CHROMA:
        y[0] = ag_audio_chroma(s, x[0], 4000, 4, 440);
        break;
    case TONNETZ:
        y[0] = ag_audio_tonnetz(s, x[0]);
        break;
    case TEMPOGRAM:
        y[0] = ag_audio_tempogram(s, x[0], 6);
        break;
    case WEIGHTING:
        y[0] = ag_audio_weighting(s, ag_mul_c(s, x[0], 100), AGN_AUDIO_WEIGHTING_A);
        break;
    default:
        y[0] = ag_square(s, ag_audio_midi_to_hz(s, ag_audio_hz_to_midi(s, x[0])));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    static const char *const names[] = {"constant_q", "chroma",    "tonnetz",
                                        "tempogram",  "weighting", "midi"};
    for (int what = 0; what < BODIES; what++) {
        bool row = what == CONSTANT_Q || what == TEMPOGRAM;
        rnd_stream("audio music", names[what]);
        agn_tensor *x = row ? random_of(AGN_F64, 1, (int64_t[]){20}, 0.5, 1.5)
                            : random_of(AGN_F64, 2, (int64_t[]){5, 3}, 0.5, 1.5);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-4, 2e-6, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures ------------------------------------------------------------------------------------ */

static agn_tensor *out = untouched, *other = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_transforms(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *m,
                              agn_tensor *none)
{
    static const char cq[] = "audio_constant_q", ch[] = "audio_chroma", tn[] = "audio_tonnetz",
                      hm[] = "audio_hz_to_midi", mh[] = "audio_midi_to_hz",
                      we[] = "audio_weighting", tg[] = "audio_tempogram", te[] = "audio_tempo";
#define Q_(...) \
    agn_audio_constant_q(&out, x, 8000, \
                         &(constant_q_options){.size = sizeof(constant_q_options), __VA_ARGS__})
    NO(agn_audio_constant_q(NULL, x, 8000, NULL), AGN_ENULL, cq, "out", "NULL");
    NO(agn_audio_constant_q(&out, NULL, 8000, NULL), AGN_ENULL, cq, "x is", "NULL");
    NO(agn_audio_constant_q(&out, z, 8000, NULL), AGN_EDTYPE, cq, "c64", "real");
    NO(Q_(.n_bins = 90), AGN_EARG, cq, "bin 89", "8000");
    NO(agn_audio_constant_q(&out, none, 44100, NULL), AGN_ESHAPE, cq, "[0]", "sample");
    NO(agn_audio_constant_q(&out, x, 0, NULL), AGN_EARG, cq, "rate of 0", "positive");
    NO(agn_audio_constant_q(&out, x, 8000, &(constant_q_options){.size = 3}), AGN_EARG, cq,
       "3 bytes", "has");
    NO(Q_(.f_min = -1), AGN_EARG, cq, "-1 Hz", "positive");
    NO(Q_(.f_min = 1e-9, .n_bins = 1), AGN_EARG, cq, "samples", "2^26");
    NO(Q_(.n_bins = -1), AGN_EARG, cq, "-1 bins", "positive");
    NO(Q_(.hop = -1), AGN_EARG, cq, "steps of -1", "positive");
    NO(agn_audio_chroma(NULL, m, 1, 12, 440), AGN_ENULL, ch, "out", "NULL");
    NO(agn_audio_chroma(&out, NULL, 1, 12, 440), AGN_ENULL, ch, "x is", "NULL");
    NO(agn_audio_chroma(&out, z, 1, 12, 440), AGN_EDTYPE, ch, "c64", "real");
    NO(agn_audio_chroma(&out, x, 1, 12, 440), AGN_ESHAPE, ch, "[40]", "bins");
    NO(agn_audio_chroma(&out, m, 0, 12, 440), AGN_EARG, ch, "rate of 0", "positive");
    NO(agn_audio_tonnetz(NULL, m), AGN_ENULL, tn, "out", "NULL");
    NO(agn_audio_tonnetz(&out, NULL), AGN_ENULL, tn, "x is", "NULL");
    NO(agn_audio_tonnetz(&out, z), AGN_EDTYPE, tn, "c64", "real");
    NO(agn_audio_tonnetz(&out, x), AGN_ESHAPE, tn, "[40]", "bins");
    agn_tensor *wide = random_of(AGN_F32, 2, (int64_t[]){4097, 1}, 0, 1);
    NO(agn_audio_tonnetz(&out, wide), AGN_ESHAPE, tn, "[4097,1]", "4096");
    agn_release(wide);
    NO(agn_audio_hz_to_midi(NULL, m), AGN_ENULL, hm, "out", "NULL");
    NO(agn_audio_hz_to_midi(&out, NULL), AGN_ENULL, hm, "x is", "NULL");
    NO(agn_audio_hz_to_midi(&out, z), AGN_EDTYPE, hm, "c64", "real");
    NO(agn_audio_midi_to_hz(NULL, m), AGN_ENULL, mh, "out", "NULL");
    NO(agn_audio_midi_to_hz(&out, NULL), AGN_ENULL, mh, "x is", "NULL");
    NO(agn_audio_midi_to_hz(&out, z), AGN_EDTYPE, mh, "c64", "real");
    NO(agn_audio_weighting(NULL, m, 0), AGN_ENULL, we, "out", "NULL");
    NO(agn_audio_weighting(&out, NULL, 0), AGN_ENULL, we, "x is", "NULL");
    NO(agn_audio_weighting(&out, z, 0), AGN_EDTYPE, we, "c64", "real");
    NO(agn_audio_weighting(&out, m, 4), AGN_EARG, we, "curve 4", "0 to 3");
    NO(agn_audio_tempogram(NULL, x, 8), AGN_ENULL, tg, "out", "NULL");
    NO(agn_audio_tempogram(&out, NULL, 8), AGN_ENULL, tg, "x is", "NULL");
    NO(agn_audio_tempogram(&out, z, 8), AGN_EDTYPE, tg, "c64", "real");
    NO(agn_audio_tempogram(&out, none, 8), AGN_ESHAPE, tg, "[0]", "frame");
    NO(agn_audio_tempogram(&out, x, 0), AGN_EARG, tg, "window of 0", "[40]");
    NO(agn_audio_tempo(NULL, x, 20, 120), AGN_ENULL, te, "out", "NULL");
    NO(agn_audio_tempo(&out, NULL, 20, 120), AGN_ENULL, te, "x is", "NULL");
    NO(agn_audio_tempo(&out, z, 20, 120), AGN_EDTYPE, te, "c64", "real");
    NO(agn_audio_tempo(&out, none, 20, 120), AGN_ESHAPE, te, "[0]", "frame");
    NO(agn_audio_tempo(&out, x, 0, 120), AGN_EARG, te, "0 frames", "positive");
    NO(agn_audio_tempo(&out, x, 0.1, 120), AGN_EARG, te, "0.1 frames", "at least");
    NO(agn_audio_tempo(&out, x, 20, 0), AGN_EARG, te, "0 beats", "positive");
}

static void refuse_choices(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *m, agn_tensor *none)
{
    static const char be[] = "audio_beats", on[] = "audio_onsets", py[] = "audio_pyin",
                      vi[] = "audio_viterbi", va[] = "audio_voice_activity", sp[] = "audio_split";
    double holes[40] = {1, 2, (double)NAN};
    agn_tensor *nan = table(0, 40, holes),
               *square = random_of(AGN_F64, 2, (int64_t[]){5, 5}, -2, -1),
               *start = random_of(AGN_F64, 1, (int64_t[]){5}, -2, -1),
               *empty = random_of(AGN_F64, 2, (int64_t[]){5, 0}, 0, 1), *never = NULL,
               *bad = of_reals(AGN_F64, 2, (int64_t[]){1, 2}, (double[]){1, -1});
    must(agn_full(&never, AGN_F64, 2, (int64_t[]){5, 5}, -(double)INFINITY));
    NO(agn_audio_beats(NULL, x, 20, 0, 100, true), AGN_ENULL, be, "out", "NULL");
    NO(agn_audio_beats(&out, NULL, 20, 0, 100, true), AGN_ENULL, be, "x is", "NULL");
    NO(agn_audio_beats(&out, z, 20, 0, 100, true), AGN_EDTYPE, be, "c64", "real");
    NO(agn_audio_beats(&out, none, 20, 0, 100, true), AGN_ESHAPE, be, "[0]", "frame");
    NO(agn_audio_beats(&out, m, 20, 0, 100, true), AGN_ESHAPE, be, "[5,4]", "[frames]");
    NO(agn_audio_beats(&out, nan, 20, 0, 100, true), AGN_EDOMAIN, be, "frame 2", "nan");
    NO(agn_audio_beats(&out, x, 0, 0, 100, true), AGN_EARG, be, "0 frames", "positive");
    NO(agn_audio_beats(&out, x, 20, -1, 100, true), AGN_EARG, be, "-1 beats", "negative");
    NO(agn_audio_beats(&out, x, 20, 0, 0, true), AGN_EARG, be, "tightness 0", "not 0");
    NO(agn_audio_beats(&out, x, 20, 1e5, 1, true), AGN_EARG, be, "100000 beats", "frames each");
    NO(agn_audio_onsets(NULL, x, 20, 0.1), AGN_ENULL, on, "out", "NULL");
    NO(agn_audio_onsets(&out, NULL, 20, 0.1), AGN_ENULL, on, "x is", "NULL");
    NO(agn_audio_onsets(&out, z, 20, 0.1), AGN_EDTYPE, on, "c64", "real");
    NO(agn_audio_onsets(&out, m, 20, 0.1), AGN_ESHAPE, on, "[5,4]", "[frames]");
    NO(agn_audio_onsets(&out, nan, 20, 0.1), AGN_EDOMAIN, on, "frame 2", "nan");
    NO(agn_audio_onsets(&out, x, 0, 0.1), AGN_EARG, on, "0 frames", "positive");
    NO(agn_audio_onsets(&out, x, 20, -1), AGN_EARG, on, "threshold of -1", "negative");
    NO(agn_audio_pyin(NULL, &other, x, 40, 2, 9, 20, 10), AGN_ENULL, py, "out", "NULL");
    NO(agn_audio_pyin(&out, NULL, x, 40, 2, 9, 20, 10), AGN_ENULL, py, "probability", "NULL");
    NO(agn_audio_pyin(&out, &other, NULL, 40, 2, 9, 20, 10), AGN_ENULL, py, "x is", "NULL");
    NO(agn_audio_pyin(&out, &other, z, 40, 2, 9, 20, 10), AGN_EDTYPE, py, "c64", "real");
    NO(agn_audio_pyin(&out, &other, none, 40, 2, 9, 20, 10), AGN_ESHAPE, py, "[0]", "sample");
    NO(agn_audio_pyin(&out, &other, x, 40, 2, 9, 3, 10), AGN_EARG, py, "frames of 3", "[40]");
    NO(agn_audio_pyin(&out, &other, x, 40, 2, 30, 20, 10), AGN_EARG, py, "30 Hz", "half the rate");
    NO(agn_audio_pyin(&out, &other, nan, 40, 2, 9, 20, 10), AGN_EDOMAIN, py, "[40]", "NaN");
    NO(agn_audio_viterbi(NULL, &other, m, square, NULL), AGN_ENULL, vi, "path", "NULL");
    NO(agn_audio_viterbi(&out, NULL, m, square, NULL), AGN_ENULL, vi, "score", "NULL");
    NO(agn_audio_viterbi(&out, &other, NULL, square, NULL), AGN_ENULL, vi, "emission", "NULL");
    NO(agn_audio_viterbi(&out, &other, m, NULL, NULL), AGN_ENULL, vi, "transition", "NULL");
    NO(agn_audio_viterbi(&out, &other, z, square, NULL), AGN_EDTYPE, vi, "emission is c64", "real");
    NO(agn_audio_viterbi(&out, &other, empty, square, NULL), AGN_ESHAPE, vi, "[5,0]", "states");
    NO(agn_audio_viterbi(&out, &other, m, m, NULL), AGN_ESHAPE, vi, "transition is [5,4]", "[5,5]");
    NO(agn_audio_viterbi(&out, &other, m, square, x), AGN_ESHAPE, vi, "initial is [40]", "[5]");
    NO(agn_audio_viterbi(&out, &other, m, never, start), AGN_EDOMAIN, vi, "sequence 0", "possible");
    agn_tensor *holed = table(5, 8, holes);
    NO(agn_audio_viterbi(&out, &other, holed, square, start), AGN_EDOMAIN, vi, "entry 2", "nan");
    NO(agn_audio_voice_activity(NULL, m, NULL), AGN_ENULL, va, "out", "NULL");
    NO(agn_audio_voice_activity(&out, NULL, NULL), AGN_ENULL, va, "x is", "NULL");
    NO(agn_audio_voice_activity(&out, z, NULL), AGN_EDTYPE, va, "c64", "real");
    NO(agn_audio_voice_activity(&out, x, NULL), AGN_ESHAPE, va, "[40]", "bins");
    NO(agn_audio_voice_activity(&out, empty, NULL), AGN_ESHAPE, va, "[5,0]", "frame");
    NO(agn_audio_voice_activity(&out, bad, NULL), AGN_EDOMAIN, va, "entry 1", "-1");
    NO(agn_audio_voice_activity(&out, m, &(agn_audio_activity_options){.size = 3}), AGN_EARG, va,
       "3 bytes", "has");
    agn_audio_activity_options o = {.size = sizeof o, .begins = 2};
    NO(agn_audio_voice_activity(&out, m, &o), AGN_EARG, va, "begins 2", "parts");
    NO(agn_audio_split(NULL, x, 8, 4, 60), AGN_ENULL, sp, "out", "NULL");
    NO(agn_audio_split(&out, NULL, 8, 4, 60), AGN_ENULL, sp, "x is", "NULL");
    NO(agn_audio_split(&out, z, 8, 4, 60), AGN_EDTYPE, sp, "c64", "real");
    NO(agn_audio_split(&out, m, 8, 4, 60), AGN_ESHAPE, sp, "[5,4]", "[n]");
    NO(agn_audio_split(&out, x, 8, 0, 60), AGN_EARG, sp, "0", "[40]");
    NO(agn_audio_split(&out, x, 8, 4, 0), AGN_EARG, sp, "range of 0", "positive");
    NO(agn_audio_split(&out, nan, 8, 4, 60), AGN_EDOMAIN, sp, "NaN", "[40]");
    release_all((agn_tensor *[]){nan, square, start, empty, never, bad, holed}, 7);
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){5, 4}, -1, 1),
               *m = random_of(AGN_F64, 2, (int64_t[]){5, 4}, -1, 0),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1);
    refuse_transforms(&q, x, z, m, none);
    refuse_choices(&q, x, z, m, none);
    check(&q, other == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, z, m, none}, 4);
}

enum {
    MAKE_Q,
    MAKE_CHROMA,
    MAKE_PITCH,
    MAKE_PATH,
    MAKE_TEMPO,
    MAKE_BEATS,
    MAKE_ONSETS,
    MAKE_VOICES,
    MAKE_SPLIT,
    MAKES
};
typedef struct making {
    int what;
    agn_tensor *x, *m, *square;
} making;

static agn_status make(void *user, agn_tensor **y)
{
    const making *a = user;
    agn_tensor *second = NULL;
    agn_status st;
    switch (a->what) {
    case MAKE_Q:
        return agn_audio_constant_q(y, a->x, 40,
                                    &(constant_q_options){.size = sizeof(constant_q_options),
                                                          .f_min = 4,
                                                          .n_bins = 5,
                                                          .bins_per_octave = 3,
                                                          .hop = 9});
    case MAKE_CHROMA:
        return agn_audio_chroma(y, a->m, 4000, 4, 440);
    case MAKE_PITCH:
        st = agn_audio_pyin(y, &second, a->x, 40, 2, 9, 20, 10);
        break;
    case MAKE_PATH:
        st = agn_audio_viterbi(y, &second, a->m, a->square, NULL);
        break;
    case MAKE_TEMPO:
        return agn_audio_tempo(y, a->x, 5, 120);
    case MAKE_BEATS:
        return agn_audio_beats(y, a->x, 5, 0, 100, true);
    case MAKE_ONSETS:
        return agn_audio_onsets(y, a->x, 5, 0);
    case MAKE_VOICES:
        return agn_audio_voice_activity(y, a->m, NULL);
    default:
        return agn_audio_split(y, a->x, 8, 4, 10);
    }
    if (!st)
        agn_release(second);
    return st;
}

int main(void)
{
    static const char *const names[] = {"constant Q", "chroma", "pYIN",   "a path",   "tempo",
                                        "beats",      "onsets", "voices", "stretches"};
    test_constant_q();
    test_classes();
    test_pitch();
    test_paths();
    test_rhythm();
    test_voices();
    test_modes();
    test_failures();
    making a = {0, random_of(AGN_F64, 1, (int64_t[]){40}, 0, 1),
                random_of(AGN_F32, 2, (int64_t[]){5, 4}, 0, 1),
                random_of(AGN_F64, 2, (int64_t[]){5, 5}, -2, -1)};
    for (a.what = 0; a.what < MAKES; a.what++)
        every_allocation(make, &a, names[a.what]);
    release_all((agn_tensor *[]){a.x, a.m, a.square}, 3);
    return done();
}
