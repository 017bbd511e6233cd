/* t-audio-notes - names of notes and keys, transitions of states, sections within stretches, affinities, axes of
   spectra, curves of hearing against numbers of librosa and their definitions; sounds of mel bands;
   derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_music.h>

#include "data/notes.inc"

#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) notes_##name, LENGTH(notes_##name)
#define SAME(q, y, name, tol) \
    check(q, recorded_error(y, NUMBERS(name)) <= (tol), "%s: %.2g", #name, \
          recorded_error(y, NUMBERS(name)))

static agn_tensor *tensor_of(int rows, const double *v, int n)
{
    return of_reals(AGN_F64, rows ? 2 : 1, rows ? (int64_t[]){rows, n / rows} : (int64_t[]){n}, v);
}
#define TENSOR(rows, name) tensor_of(rows, NUMBERS(name))

/* ---- names ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    double midi;
} notes[] = {{"C4", 60},
             {"c#5", 73},
             {"Bb3", 58},
             {"B!3", 58},
             {"F##-1", 7},
             {"A4+25", 69.25},
             {"A4-50", 68.5},
             {"C", 12},
             {"Cb4", 59},
             {"B#4", 72},
             {"C+10", 132},
             {"A-1-99", 8.01},
             {"e4", 64},
             {"G\xf0\x9d\x84\xaa"
              "2",
              45},
             {"E\xe2\x99\xad"
              "2",
              39},
             {"F\xe2\x99\xaf"
              "2",
              42},
             {"D\xe2\x99\xae"
              "2",
              38},
             {"B\xf0\x9d\x84\xab"
              "2",
              45}};
static const char *const no_notes[] = {"",     "H4",  "4",   "C4+",         "C--1",
                                       "C4.5", "C%4", "C4 ", "Cbbbbbbbbb4", "C999999999999"};

static void test_names(void)
{
    tally q = {0, 0};
    double midi = 0;
    char text[24];
    for (int k = 0; k < COUNT(notes); k++) {
        must(agn_audio_note_to_midi(&midi, notes[k].name));
        check(&q, fabs(midi - notes[k].midi) < 1e-12, "%s is %g", notes[k].name, midi);
    }
    static const char *const keys[] = {"C:maj",   "F#:major",  "Gb:maj",    "A:min",  "D#:minor",
                                       "E:dor",   "Bb:lydian", "B:locrian", "F#:mix", "Fb:maj",
                                       "G##:maj", "c:phryg",   "D:ionian",  "A:aeo"};
    static const int32_t major[] = {0, 2, 4, 5, 7, 9, 11};
    for (int k = 0; k < COUNT(keys); k++) {
        int32_t degrees[7], seen = 0;
        must(agn_audio_key_to_degrees(degrees, keys[k]));
        for (int m = -30; m < 140; m++) {
            must(agn_audio_midi_to_note(text, sizeof text, m, keys[k], false));
            must(agn_audio_note_to_midi(&midi, text));
            check(&q, midi == m, "%d of %s is %s, that is %g", m, keys[k], text, midi);
        }
        /* notes of the scale have seven letters */
        for (int d = 0; d < 7; d++) {
            must(agn_audio_midi_to_note(text, sizeof text, 60 + degrees[d], keys[k], false));
            seen |= 1 << (text[0] - 'A');
        }
        check(&q, seen == 127, "letters of %s: %d", keys[k], seen);
    }
    int32_t dorian[7], same = 0;
    must(agn_audio_key_to_degrees(dorian, "D:dorian"));
    for (int d = 0; d < 7; d++)
        for (int e = 0; e < 7; e++)
            same += dorian[d] == major[e];
    check(&q, same == 7 && dorian[0] == 2, "D dorian has the notes of C major");
    static const struct {
        double midi;
        const char *key;
        bool cents;
        const char *want;
    } spelled[] = {{61, NULL, false, "C#4"},     {61, "F:maj", false, "Db4"},
                   {65, "F#:maj", false, "E#4"}, {59, "Gb:maj", false, "Cb4"},
                   {69.25, NULL, true, "A4+25"}, {68.5, NULL, true, "G#4+50"},
                   {-1, NULL, false, "B-2"},     {60.004, NULL, true, "C4+00"},
                   {59.999, NULL, true, "C4+00"}};
    for (int k = 0; k < COUNT(spelled); k++) {
        must(agn_audio_midi_to_note(text, sizeof text, spelled[k].midi, spelled[k].key,
                                    spelled[k].cents));
        check(&q, !strcmp(text, spelled[k].want), "%g is %s, not %s", spelled[k].midi, text,
              spelled[k].want);
    }
    for (int k = 0; k < COUNT(no_notes); k++) {
        midi = 7;
        check(&q, agn_audio_note_to_midi(&midi, no_notes[k]) == AGN_EARG && midi == 7, "%s: %s",
              no_notes[k], agn_error_message());
    }
    int32_t none = 7;
    check(&q,
          agn_audio_note_to_midi(NULL, "C") == AGN_ENULL &&
              agn_audio_note_to_midi(&midi, NULL) == AGN_ENULL,
          "nothing to read");
    check(&q, agn_audio_key_to_degrees(NULL, "C:maj") == AGN_ENULL, "no room");
    check(&q, agn_audio_key_to_degrees(&none, "C") == AGN_EARG && none == 7, "no scale");
    check(&q, agn_audio_key_to_degrees(&none, "C:foo") == AGN_EARG, "no such scale");
    strcpy(text, "kept");
    check(&q, agn_audio_midi_to_note(NULL, 24, 60, NULL, false) == AGN_ENULL, "no text");
    check(&q, agn_audio_midi_to_note(text, 3, 61, NULL, false) == AGN_EARG, "no room for C#4");
    check(&q, agn_audio_midi_to_note(text, 24, (double)NAN, NULL, false) == AGN_EARG, "NaN");
    check(&q, agn_audio_midi_to_note(text, 24, 60, "C", false) == AGN_EARG && !strcmp(text, "kept"),
          "no key");
    tell(&q, "names of notes and keys there and back");
}

/* ---- states ----------------------------------------------------------------------------------- */

static void test_states(void)
{
    tally q = {0, 0};
    agn_tensor *p = TENSOR(0, stay), *y = NULL;
    must(agn_audio_transition(&y, p, 5, AGN_TRANSITION_LOOP));
    SAME(&q, y, loop, 1e-16);
    agn_release(y);
    must(agn_audio_transition(&y, p, 5, AGN_TRANSITION_CYCLE));
    SAME(&q, y, cycle, 1e-16);
    agn_release(y);
    must(agn_audio_transition(&y, NULL, 3, AGN_TRANSITION_UNIFORM));
    check(&q, agn_numel(y) == 9 && peek(y, 4) == 1.0 / 3, "uniform");
    agn_release(y);
    agn_tensor *two = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1.5, 0.5});
    must(agn_audio_transition(&y, two, 2, AGN_TRANSITION_LOOP));
    check(&q, isnan(peek(y, 0)) && isnan(peek(y, 1)) && peek(y, 2) == 0.5, "no probability: NaN");
    release_all((agn_tensor *[]){y, two, p}, 3);
    static const int64_t widths[] = {1, 4, 7, 2, 5, 3, 6};
    must(agn_audio_transition_local(&y, widths, 7, AGN_WINDOW_TRIANGLE, false));
    SAME(&q, y, local_0, 1e-15);
    agn_release(y);
    must(agn_audio_transition_local(&y, widths, 7, AGN_WINDOW_TRIANGLE, true));
    SAME(&q, y, local_1, 1e-15);
    agn_release(y);
    tell(&q, "transitions of states");
}

/* ---- structure, axes -------------------------------------------------------------------------- */

static void test_structure(void)
{
    static const int64_t bounds[] = {5, 17, 20, 30};
    tally q = {0, 0};
    agn_tensor *x = TENSOR(3, frames), *y = NULL, *table = NULL, *all = NULL;
    must(agn_audio_subsegment(&y, x, bounds, 4, 3));
    SAME(&q, y, subsegment, 0);
    agn_release(y);
    must(agn_audio_subsegment(&y, x, NULL, 0, 6));
    must(agn_audio_sections(&all, x, 6));
    double apart = 0;
    for (int k = 0; k < 6; k++)
        apart += fabs(peek(y, k) - peek(all, k));
    check(&q, agn_numel(y) == 6 && apart == 0, "one stretch is sections");
    release_all((agn_tensor *[]){y, all}, 2);
    for (int mutual = 0; mutual < 2; mutual++) {
        must(agn_audio_recurrence(&table, x, 4, 1, mutual));
        must(agn_audio_affinity(&y, x, table, 0));
        if (mutual)
            SAME(&q, y, affinity_mutual, 1e-14);
        else
            SAME(&q, y, affinity, 1e-14);
        release_all((agn_tensor *[]){table, y}, 2);
    }
    must(agn_audio_recurrence(&table, x, 4, 1, false));
    must(agn_audio_affinity(&y, x, table, 1.7));
    SAME(&q, y, affinity_wide, 1e-14);
    agn_release(y);
    agn_tensor *none = NULL;
    must(agn_mul_c(&none, table, 0));
    must(agn_audio_affinity(&y, x, none, 0));
    check(&q, peek(y, 3) == 0, "nothing is alike: 0");
    release_all((agn_tensor *[]){x, y, table, none}, 4);
    tell(&q, "sections of stretches, affinities");
}

static void test_axes(void)
{
    tally q = {0, 0};
    agn_tensor *y = NULL, *f = TENSOR(0, hz), *s = TENSOR(9, powers);
    must(agn_audio_tempo_frequencies(&y, AGN_F64, 9, 22050.0 / 512));
    double worst = 0;
    for (int k = 1; k < 9; k++)
        worst = fmax(worst, fabs(peek(y, k) / notes_tempo[k - 1] - 1));
    check(&q, isinf(peek(y, 0)) && worst < 1e-15, "tempi of lags: %g", worst);
    agn_release(y);
    must(agn_audio_fourier_tempo_frequencies(&y, AGN_F64, 15, 22050.0 / 512));
    SAME(&q, y, fourier_tempo, 1e-11);
    agn_release(y);
    must(agn_audio_cqt_frequencies(&y, AGN_F64, 20, 40, 7, 0.3));
    SAME(&q, y, cqt, 1e-11);
    agn_release(y);
    must(agn_audio_weighting(&y, f, AGN_AUDIO_WEIGHTING_A));
    SAME(&q, y, weighting_A, 1e-11);
    agn_release(y);
    must(agn_audio_weighting(&y, f, AGN_AUDIO_WEIGHTING_B));
    SAME(&q, y, weighting_B, 1e-11);
    agn_release(y);
    must(agn_audio_weighting(&y, f, AGN_AUDIO_WEIGHTING_C));
    SAME(&q, y, weighting_C, 1e-11);
    agn_release(y);
    must(agn_audio_weighting(&y, f, AGN_AUDIO_WEIGHTING_D));
    SAME(&q, y, weighting_D, 1e-11);
    agn_release(y);
    must(agn_audio_perceptual_weighting(&y, s, f, AGN_AUDIO_WEIGHTING_A, 1, 1e-10, 20));
    SAME(&q, y, heard, 1e-11);
    release_all((agn_tensor *[]){y, f, s}, 3);
    tell(&q, "axes of spectra, curves of hearing");
}

/* ---- sounds ----------------------------------------------------------------------------------- */

enum { RATE = 8000, SAMPLES = 4096, WINDOW = 256 };

static agn_tensor *tone(double hz)
{
    double v[SAMPLES];
    for (int k = 0; k < SAMPLES; k++)
        v[k] = sin(2 * 3.14159265358979323846 * hz * k / RATE);
    return of_reals(AGN_F64, 1, (int64_t[]){SAMPLES}, v);
}

static agn_tensor *bands_of(const agn_tensor *x, const agn_tensor *w)
{
    agn_signal_stft_options t = {.size = sizeof t, .n_fft = WINDOW};
    agn_tensor *z = NULL, *a = NULL, *square = NULL, *y = NULL;
    must(agn_signal_stft(&z, x, &t));
    must(agn_abs(&a, z));
    must(agn_square(&square, a));
    must(agn_matmul(&y, w, square));
    release_all((agn_tensor *[]){z, a, square}, 3);
    return y;
}
/* of the whole of m */
static double apart_in_bands(const agn_tensor *x, const agn_tensor *w, const agn_tensor *m)
{
    agn_tensor *have = bands_of(x, w);
    double off = 0, size = 0;
    for (int64_t k = 0; k < agn_numel(m); k++) {
        off += fabs(peek(have, k) - peek(m, k));
        size += peek(m, k);
    }
    agn_release(have);
    return off / size;
}

/* chroma of a tone is its pitch class; bands of the sound of bands are those given */
static void test_sounds(void)
{
    tally q = {0, 0};
    agn_audio_constant_q_options o = {.size = sizeof o,
                                      .hop = 512,
                                      .f_min = 130.8127826502993,
                                      .n_bins = 72,
                                      .bins_per_octave = 24};
    for (int k = 0; k < 12; k += 5) {
        agn_tensor *x = tone(440 * exp2((60 + k - 69) / 12.0)), *y = NULL;
        must(agn_audio_chroma_cqt(&y, x, RATE, 12, &o));
        int64_t frames = agn_shape(y)[1], at = frames / 2;
        for (int c = 0; c < 12; c++)
            check(&q, (peek(y, c * frames + at) == 1) == (c == k), "class %d of tone %d is %g", c,
                  k, peek(y, c * frames + at));
        release_all((agn_tensor *[]){x, y}, 2);
    }
    agn_tensor *x = tone(700), *w = NULL, *y = NULL, *c = NULL, *db = NULL;
    must(agn_audio_mel_filters(&w, AGN_F64, RATE, WINDOW, 40, 0, RATE / 2, AGN_AUDIO_SLANEY, true));
    agn_tensor *m = bands_of(x, w);
    agn_audio_inverse_options inverse = {.size = sizeof inverse, .length = SAMPLES};
    must(agn_audio_mel_to_audio(&y, m, w, &inverse));
    double off = apart_in_bands(y, w, m);
    check(&q, agn_numel(y) == SAMPLES && off < 0.15, "bands of the sound: %.3f off", off);
    agn_release(y);
    must(agn_audio_power_to_db(&db, m, 1, 1e-10, 0)); /* all coefficients are the bands */
    must(agn_fft_dct(&c, db, 2, 0, -2, AGN_FFT_ORTHO));
    must(agn_audio_mfcc_to_audio(&y, c, w, &inverse));
    off = apart_in_bands(y, w, m);
    check(&q, off < 0.15, "bands of the sound of cepstra: %.3f off", off);
    release_all((agn_tensor *[]){x, w, m, y, c, db}, 6);
    tell(&q, "pitch classes of tones, sounds of bands and cepstra");
}

/* ---- derivatives ------------------------------------------------------------------------------ */

enum { LOOP, CYCLE, AFFINITY, HEARD, BANDS, CEPSTRA, CHROMA, BODIES };
static const char *const names[] = {
    "transition loop", "transition cycle", "affinity",  "perceptual_weighting",
    "mel_to_audio",    "mfcc_to_audio",    "chroma_cqt"};
static agn_tensor *table, *filters;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    agn_audio_inverse_options o = {
        .size = sizeof o, .bins_steps = 2, .phase_steps = 1, .momentum = 0.5};
    agn_audio_constant_q_options c = {
        .size = sizeof c, .hop = 4, .f_min = 20, .n_bins = 6, .bins_per_octave = 3};
    switch (*(int *)user) {
    case LOOP:
    case CYCLE:
        y[0] = ag_audio_transition(s, ag_square(s, ag_index_axis(s, x[0], 0, 1)), 4,
                                   *(int *)user == LOOP ? AGN_TRANSITION_LOOP
                                                        : AGN_TRANSITION_CYCLE);
        break;
    case AFFINITY:
        y[0] = ag_audio_affinity(s, x[0], table, 0);
        break;
    case HEARD:
        y[0] = ag_audio_perceptual_weighting(s, x[0],
                                             ag_mul_c(s, ag_index_axis(s, x[0], 0, 1), 900),
                                             AGN_AUDIO_WEIGHTING_D, 1, 1e-10, 0);
        break;
    case BANDS:
        y[0] = ag_audio_mel_to_audio(s, x[0], filters, &o);
        break;
    case CEPSTRA:
        y[0] = ag_audio_mfcc_to_audio(s, x[0], filters, &o);
        break;
    default:
        y[0] = ag_audio_chroma_cqt(s, ag_reshape(s, x[0], 1, (int64_t[]){16}), 200, 3, &c);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    rnd_stream("audio notes", "modes");
    filters = random_of(AGN_F64, 2, (int64_t[]){4, 5}, 0.2, 1);
    table = random_of(AGN_BOOL, 2, (int64_t[]){4, 4}, 0, 2);
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("audio notes", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.3, 0.8), *one = NULL,
                   *near = NULL;
        must(agn_eye(&one, AGN_BOOL, 4, 4, 1));
        must(agn_logical_or(&near, one, one));
        agn_release(table);
        table = near;
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 1e-5, names[what]);
        agn_fn_release(f);
        release_all((agn_tensor *[]){x, one}, 2);
    }
}

/* ---- failures --------------------------------------------------------------------------------- */

static agn_tensor *out = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_states(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z)
{
    static const char tr[] = "audio_transition", lo[] = "audio_transition_local",
                      su[] = "audio_subsegment", af[] = "audio_affinity";
    static const int64_t widths[] = {1, 2, 9}, two[] = {2, 2}, bounds[] = {2, 2}, far[] = {2, 5};
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){1, 3}, (double[]){0, (double)NAN, 1});
    NO(agn_audio_transition(NULL, x, 40, 1), AGN_ENULL, tr, "out", "NULL");
    NO(agn_audio_transition(&out, NULL, 3, 1), AGN_ENULL, tr, "stay", "NULL");
    NO(agn_audio_transition(&out, z, 4, 1), AGN_EDTYPE, tr, "c64", "real");
    NO(agn_audio_transition(&out, x, 3, 1), AGN_ESHAPE, tr, "[40]", "[3]");
    NO(agn_audio_transition(&out, x, 1, 1), AGN_EARG, tr, "1 states", "kind 1");
    NO(agn_audio_transition(&out, x, 4, 3), AGN_EARG, tr, "4 states", "kind 3");
    NO(agn_audio_transition_local(NULL, two, 2, 0, true), AGN_ENULL, lo, "out", "NULL");
    NO(agn_audio_transition_local(&out, NULL, 2, 0, true), AGN_ENULL, lo, "widths", "NULL");
    NO(agn_audio_transition_local(&out, widths, 3, 1, true), AGN_EARG, lo, "width 2 is 9", "3");
    NO(agn_audio_transition_local(&out, widths, 1, 1, true), AGN_EARG, lo, "1 states", "32768");
    NO(agn_audio_transition_local(&out, two, 2, AGN_WINDOW_HANN, true), AGN_EDOMAIN, lo, "state 0",
       "sum");
    NO(agn_audio_subsegment(NULL, m, NULL, 0, 1), AGN_ENULL, su, "out", "NULL");
    NO(agn_audio_subsegment(&out, NULL, NULL, 0, 1), AGN_ENULL, su, "x is", "NULL");
    NO(agn_audio_subsegment(&out, m, NULL, 1, 1), AGN_ENULL, su, "bounds", "NULL");
    NO(agn_audio_subsegment(&out, z, NULL, 0, 1), AGN_EDTYPE, su, "c64", "real");
    NO(agn_audio_subsegment(&out, x, NULL, 0, 1), AGN_ESHAPE, su, "[40]", "frames");
    NO(agn_audio_subsegment(&out, m, bounds, 2, 1), AGN_EARG, su, "bound 1 is 2", "rise");
    NO(agn_audio_subsegment(&out, m, far, 2, 1), AGN_EARG, su, "bound 1 is 5", "4");
    NO(agn_audio_subsegment(&out, m, bounds, 1, 0), AGN_EARG, su, "0 sections", "[6,5]");
    NO(agn_audio_subsegment(&out, nan, NULL, 0, 1), AGN_EDOMAIN, su, "entry 1", "nan");
    NO(agn_audio_affinity(NULL, m, m, 1), AGN_ENULL, af, "out", "NULL");
    NO(agn_audio_affinity(&out, NULL, m, 1), AGN_ENULL, af, "x is", "NULL");
    NO(agn_audio_affinity(&out, m, NULL, 1), AGN_ENULL, af, "table", "NULL");
    NO(agn_audio_affinity(&out, z, m, 1), AGN_EDTYPE, af, "c64", "real");
    NO(agn_audio_affinity(&out, m, z, 1), AGN_EDTYPE, af, "c64", "real");
    NO(agn_audio_affinity(&out, m, m, 1), AGN_ESHAPE, af, "[6,5]", "[..., 5,5]");
    agn_tensor *square = random_of(AGN_F64, 2, (int64_t[]){5, 5}, 0, 1);
    NO(agn_audio_affinity(&out, m, square, -1), AGN_EARG, af, "bandwidth of -1", "[6,5]");
    release_all((agn_tensor *[]){nan, square}, 2);
}

static void refuse_axes(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z)
{
    static const char te[] = "audio_tempo_frequencies", fo[] = "audio_fourier_tempo_frequencies",
                      cq[] = "audio_cqt_frequencies", pe[] = "audio_perceptual_weighting",
                      ch[] = "audio_chroma_cqt", me[] = "audio_mel_to_audio",
                      mf[] = "audio_mfcc_to_audio";
    agn_audio_inverse_options strange = {.size = 1}, bad = {.size = sizeof bad, .power = -1};
    agn_audio_constant_q_options odd = {.size = 1};
    NO(agn_audio_tempo_frequencies(NULL, AGN_F64, 3, 1), AGN_ENULL, te, "out", "NULL");
    NO(agn_audio_tempo_frequencies(&out, AGN_I64, 3, 1), AGN_EDTYPE, te, "i64", "f64");
    NO(agn_audio_tempo_frequencies(&out, AGN_F64, 0, 1), AGN_EARG, te, "0 at 1", "positive");
    NO(agn_audio_fourier_tempo_frequencies(NULL, AGN_F64, 3, 1), AGN_ENULL, fo, "out", "NULL");
    NO(agn_audio_fourier_tempo_frequencies(&out, AGN_I64, 3, 1), AGN_EDTYPE, fo, "i64", "f64");
    NO(agn_audio_fourier_tempo_frequencies(&out, AGN_F64, 3, 0), AGN_EARG, fo, "3 at 0",
       "positive");
    NO(agn_audio_cqt_frequencies(NULL, AGN_F64, 3, 1, 12, 0), AGN_ENULL, cq, "out", "NULL");
    NO(agn_audio_cqt_frequencies(&out, AGN_I64, 3, 1, 12, 0), AGN_EDTYPE, cq, "i64", "f64");
    NO(agn_audio_cqt_frequencies(&out, AGN_F64, 3, 0, 12, 0), AGN_EARG, cq, "from 0 Hz", "12");
    NO(agn_audio_perceptual_weighting(NULL, m, x, 0, 1, 1e-9, 0), AGN_ENULL, pe, "out", "NULL");
    NO(agn_audio_perceptual_weighting(&out, NULL, x, 0, 1, 1e-9, 0), AGN_ENULL, pe, "x is", "NULL");
    NO(agn_audio_perceptual_weighting(&out, m, NULL, 0, 1, 1e-9, 0), AGN_ENULL, pe, "frequencies",
       "NULL");
    NO(agn_audio_perceptual_weighting(&out, z, x, 0, 1, 1e-9, 0), AGN_EDTYPE, pe, "c64", "real");
    NO(agn_audio_perceptual_weighting(&out, m, x, 0, 1, 1e-9, 0), AGN_ESHAPE, pe, "[6,5]", "[40]");
    agn_tensor *six = random_of(AGN_F64, 1, (int64_t[]){6}, 1, 2);
    NO(agn_audio_perceptual_weighting(&out, m, six, 4, 1, 1e-9, 0), AGN_EARG, pe, "curve 4", "[6]");
    agn_release(six);
    NO(agn_audio_chroma_cqt(NULL, x, 8000, 12, NULL), AGN_ENULL, ch, "out", "NULL");
    NO(agn_audio_chroma_cqt(&out, NULL, 8000, 12, NULL), AGN_ENULL, ch, "x is", "NULL");
    NO(agn_audio_chroma_cqt(&out, z, 8000, 12, NULL), AGN_EDTYPE, ch, "c64", "real");
    NO(agn_audio_chroma_cqt(&out, x, 22050, 5, NULL), AGN_EARG, ch, "5 classes", "12");
    NO(agn_audio_chroma_cqt(&out, x, 22050, 12, &odd), AGN_EARG, ch, "size", "1");
    agn_tensor *none = random_of(AGN_F64, 1, (int64_t[]){0}, 1, 2);
    NO(agn_audio_chroma_cqt(&out, none, 22050, 12, NULL), AGN_ESHAPE, ch, "[0]", "sample");
    agn_release(none);
    NO(agn_audio_mel_to_audio(NULL, m, m, NULL), AGN_ENULL, me, "out", "NULL");
    NO(agn_audio_mel_to_audio(&out, NULL, m, NULL), AGN_ENULL, me, "x is", "NULL");
    NO(agn_audio_mel_to_audio(&out, m, NULL, NULL), AGN_ENULL, me, "filters", "NULL");
    NO(agn_audio_mel_to_audio(&out, z, m, NULL), AGN_EDTYPE, me, "c64", "real");
    NO(agn_audio_mel_to_audio(&out, m, x, NULL), AGN_ESHAPE, me, "[40]", "bands");
    NO(agn_audio_mel_to_audio(&out, m, m, &strange), AGN_EARG, me, "size", "1");
    NO(agn_audio_mel_to_audio(&out, m, m, &bad), AGN_EARG, me, "power of -1", "0 steps");
    NO(agn_audio_mfcc_to_audio(NULL, m, m, NULL), AGN_ENULL, mf, "out", "NULL");
    NO(agn_audio_mfcc_to_audio(&out, NULL, m, NULL), AGN_ENULL, mf, "x is", "NULL");
    NO(agn_audio_mfcc_to_audio(&out, m, NULL, NULL), AGN_ENULL, mf, "filters", "NULL");
    NO(agn_audio_mfcc_to_audio(&out, z, m, NULL), AGN_EDTYPE, mf, "c64", "real");
    NO(agn_audio_mfcc_to_audio(&out, m, x, NULL), AGN_ESHAPE, mf, "[40]", "bands");
    NO(agn_audio_mfcc_to_audio(&out, m, m, &strange), AGN_EARG, mf, "size", "1");
}

enum {
    MAKE_LOOP,
    MAKE_LOCAL,
    MAKE_SUBSEGMENT,
    MAKE_AFFINITY,
    MAKE_TEMPO,
    MAKE_FOURIER,
    MAKE_CQT,
    MAKE_HEARD,
    MAKE_CHROMA,
    MAKE_BANDS,
    MAKE_CEPSTRA,
    MAKES
};
static const char *const made[] = {
    "transition",      "transition_local",     "subsegment",
    "affinity",        "tempo_frequencies",    "fourier_tempo_frequencies",
    "cqt_frequencies", "perceptual_weighting", "chroma_cqt",
    "mel_to_audio",    "mfcc_to_audio"};
typedef struct making {
    int what;
    agn_tensor *x, *m, *table;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    static const int64_t three[] = {2, 3};
    const making *a = user;
    agn_audio_inverse_options o = {.size = sizeof o, .bins_steps = 2, .phase_steps = 1};
    agn_audio_constant_q_options c = {
        .size = sizeof c, .hop = 8, .f_min = 20, .n_bins = 6, .bins_per_octave = 3};
    switch (a->what) {
    case MAKE_LOOP:
        return agn_audio_transition(y, a->x, 4, AGN_TRANSITION_LOOP);
    case MAKE_LOCAL:
        return agn_audio_transition_local(y, (int64_t[]){1, 2, 1}, 3, AGN_WINDOW_BOXCAR, true);
    case MAKE_SUBSEGMENT:
        return agn_audio_subsegment(y, a->m, three, 2, 1);
    case MAKE_AFFINITY:
        return agn_audio_affinity(y, a->m, a->table, 0);
    case MAKE_TEMPO:
        return agn_audio_tempo_frequencies(y, AGN_F32, 4, 9);
    case MAKE_FOURIER:
        return agn_audio_fourier_tempo_frequencies(y, AGN_F32, 4, 9);
    case MAKE_CQT:
        return agn_audio_cqt_frequencies(y, AGN_F32, 4, 9, 12, 0);
    case MAKE_HEARD:
        return agn_audio_perceptual_weighting(y, a->m, a->x, 0, 1, 1e-9, 0);
    case MAKE_CHROMA:
        return agn_audio_chroma_cqt(y, a->x, 200, 3, &c);
    case MAKE_BANDS:
        return agn_audio_mel_to_audio(y, a->m, a->table, &o);
    default:
        return agn_audio_mfcc_to_audio(y, a->m, a->table, &o);
    }
}

int main(void)
{
    tally q = {0, 0};
    test_names();
    test_states();
    test_structure();
    test_axes();
    test_sounds();
    test_modes();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, 0.1, 1),
               *m = random_of(AGN_F64, 2, (int64_t[]){6, 5}, 0.1, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){4, 5}, -1, 1);
    refuse_states(&q, x, m, z);
    refuse_axes(&q, x, m, z);
    check(&q, out == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0, random_of(AGN_F64, 1, (int64_t[]){4}, 0.1, 1),
                random_of(AGN_F64, 2, (int64_t[]){4, 5}, 0.1, 1),
                random_of(AGN_F64, 2, (int64_t[]){5, 5}, 0.1, 1)};
    agn_tensor *four = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.1, 1);
    for (; a.what < MAKES; a.what++) {
        if (a.what == MAKE_BANDS) { /* four bands, frames of four */
            agn_release(a.table);
            a.table = random_of(AGN_F64, 2, (int64_t[]){4, 5}, 0.1, 1);
        }
        every_allocation(make, &a, made[a.what]);
    }
    release_all((agn_tensor *[]){x, m, z, a.x, a.m, a.table, four, filters, table}, 9);
    return done();
}
