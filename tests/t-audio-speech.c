/* t-audio-speech - Kaldi's features, alignment and search of labels, beamformers, rooms against
   definitions in NumPy and
   against all paths one by one; derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_speech.h>

#include "data/speech.inc"

#define LENGTH(a) (int)(sizeof(a) / sizeof((a)[0]))
#define NUMBERS(name) speech_##name, LENGTH(speech_##name)
#define APART(y, name) recorded_error(y, NUMBERS(name))

static agn_tensor *array_of(int ndim, const int64_t *shape, const double *v)
{
    return of_reals(AGN_F64, ndim, shape, v);
}
static agn_tensor *integers_of(int n, const int *v)
{
    double wide[32];
    for (int i = 0; i < n; i++)
        wide[i] = v[i];
    return of_reals(AGN_I64, 1, (int64_t[]){n}, wide);
}
/* pairs as complex numbers */
static agn_tensor *complex_of(int ndim, const int64_t *shape, const double *v)
{
    int64_t wide[8];
    agn_tensor *z = NULL;
    for (int k = 0; k < ndim; k++)
        wide[k] = shape[k];
    wide[ndim] = 2;
    agn_tensor *x = array_of(ndim + 1, wide, v);
    must(agn_as_complex(&z, x));
    agn_release(x);
    return z;
}

static void test_kaldi(void)
{
    tally q = {0, 0};
    agn_tensor *x = array_of(1, (int64_t[]){SPEECH_N}, speech_x), *y = NULL, *f = NULL, *two = NULL;
    must(agn_audio_kaldi_fbank(&y, x, SPEECH_RATE, NULL));
    check(&q, has_shape(y, 2, (int64_t[]){11, 23}) && APART(y, fbank) < 1e-10, "bands: %.1e",
          APART(y, fbank));
    agn_release(y);
    agn_audio_kaldi_options o = {.size = sizeof o,
                                 .length = 20,
                                 .hop = 13,
                                 .preemphasis = -1,
                                 .low = 100,
                                 .high = -500,
                                 .window = AGN_KALDI_HAMMING,
                                 .n_bands = 8,
                                 .n_coefficients = 8,
                                 .all_frames = true,
                                 .exact_length = true,
                                 .keep_mean = true,
                                 .magnitude = true,
                                 .linear = true};
    must(agn_audio_kaldi_fbank(&y, x, SPEECH_RATE, &o));
    double most = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        most = fmax(most, peek(y, i));
    check(&q, APART(y, fbank_all) < 1e-12 * most, "bands otherwise: %.1e of %.1e",
          APART(y, fbank_all), most);
    agn_release(y);
    agn_audio_kaldi_options late = {.size = sizeof late,
                                    .length = 5,
                                    .hop = 30,
                                    .preemphasis = 0.9,
                                    .n_bands = 4,
                                    .n_coefficients = 4,
                                    .window = AGN_KALDI_BLACKMAN,
                                    .all_frames = true};
    must(agn_audio_kaldi_fbank(&y, x, SPEECH_RATE, &late));
    check(&q, APART(y, fbank_late) < 1e-10, "steps longer than frames: %.1e", APART(y, fbank_late));
    agn_release(y);
    must(agn_audio_kaldi_mfcc(&y, x, SPEECH_RATE, NULL));
    check(&q, has_shape(y, 2, (int64_t[]){11, 13}) && APART(y, mfcc) < 1e-9, "cepstra: %.1e",
          APART(y, mfcc));
    agn_release(y);
    must(agn_cast(&f, x, AGN_F32));
    must(agn_stack(&two, (const agn_tensor *[]){f, f, f}, 3, 0));
    must(agn_audio_kaldi_fbank(&y, two, SPEECH_RATE, NULL));
    check(&q, has_shape(y, 3, (int64_t[]){3, 11, 23}) && agn_dtype_of(y) == AGN_F32,
          "a batch of f32");
    for (int i = 0; i < 11 * 23; i++)
        check(&q, fabs(peek(y, 2 * 11 * 23 + i) - speech_fbank[i]) < 2e-3, "entry %d of it: %g", i,
              peek(y, 2 * 11 * 23 + i));
    release_all((agn_tensor *[]){y, two, f, x}, 4);
    /* silence: the least number that counts */
    must(agn_zeros(&x, AGN_F64, 1, (int64_t[]){400}));
    must(agn_audio_kaldi_fbank(&y, x, SPEECH_RATE, NULL));
    check(&q, fabs(peek(y, 5) - log(1.1920928955078125e-07)) < 1e-12, "silence: %g", peek(y, 5));
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "Kaldi's features");
}

static void test_labels(void)
{
    tally q = {0, 0};
    agn_tensor *e = array_of(2, (int64_t[]){6, 3}, speech_emission),
                *labels = integers_of(LENGTH(speech_labels), speech_labels), *y = NULL,
               *score = NULL;
    must(agn_audio_ctc_align(&y, &score, e, labels, 0));
    double total = 0;
    for (int t = 0; t < 6; t++) {
        check(&q, (int)peek(y, t) == speech_path[t], "frame %d: label %g", t, peek(y, t));
        total += peek(score, t);
    }
    check(&q, fabs(total - speech_path_score) < 1e-14, "score %g", total);
    agn_tensor *back = NULL;
    must(agn_audio_ctc_collapse(&back, y, 0));
    check(&q,
          agn_numel(back) == 3 && peek(back, 0) == 1 && peek(back, 1) == 2 && peek(back, 2) == 2,
          "labels come back");
    release_all((agn_tensor *[]){y, score, back}, 3);
    /* a wide search sees all prefixes: that of the largest sum over all its paths */
    must(agn_audio_ctc_decode(&y, &score, e, 200, 0));
    check(&q, agn_numel(y) == LENGTH(speech_top) && fabs(peek(score, 0) - speech_top_score) < 1e-13,
          "%d labels, score %.15g", (int)agn_numel(y), peek(score, 0));
    for (int i = 0; i < LENGTH(speech_top) && i < agn_numel(y); i++)
        check(&q, (int)peek(y, i) == speech_top[i], "label %d: %g", i, peek(y, i));
    release_all((agn_tensor *[]){y, score}, 2);
    /* narrow ones never find more */
    for (int width = 1; width < 8; width++) {
        must(agn_audio_ctc_decode(&y, &score, e, width, 0));
        check(&q, peek(score, 0) <= speech_top_score + 1e-13, "width %d: %g", width,
              peek(score, 0));
        release_all((agn_tensor *[]){y, score}, 2);
    }
    agn_release(labels);
    /* no labels: blanks alone */
    labels = of_reals(AGN_I32, 1, (int64_t[]){0}, NULL);
    must(agn_audio_ctc_align(&y, &score, e, labels, 2));
    for (int t = 0; t < 6; t++)
        check(&q, peek(y, t) == 2 && peek(score, t) == speech_emission[3 * t + 2], "blank at %d",
              t);
    release_all((agn_tensor *[]){labels, y, score, e}, 4);
    /* kitten to sitting takes three; from nothing as many as there are */
    agn_tensor *a = integers_of(6, (int[]){'k', 'i', 't', 't', 'e', 'n'}),
               *b = integers_of(7, (int[]){'s', 'i', 't', 't', 'i', 'n', 'g'}),
               *none = of_reals(AGN_I64, 1, (int64_t[]){0}, NULL);
    must(agn_audio_edit_distance(&y, a, b));
    check(&q, peek(y, 0) == 3 && agn_ndim(y) == 0, "kitten to sitting: %g", peek(y, 0));
    agn_release(y);
    must(agn_audio_edit_distance(&y, none, b));
    check(&q, peek(y, 0) == 7, "from nothing: %g", peek(y, 0));
    agn_release(y);
    must(agn_audio_edit_distance(&y, a, none));
    check(&q, peek(y, 0) == 6, "to nothing: %g", peek(y, 0));
    agn_release(y);
    must(agn_audio_ctc_collapse(&y, none, 0));
    check(&q, agn_numel(y) == 0, "of nothing");
    release_all((agn_tensor *[]){a, b, none, y}, 4);
    tell(&q, "labels in time");
}

static void test_microphones(void)
{
    tally q = {0, 0};
    agn_tensor *x = complex_of(3, (int64_t[]){3, 2, 7}, speech_channels),
               *mask = array_of(2, (int64_t[]){2, 7}, speech_mask), *s = NULL, *n = NULL, *w = NULL,
               *y = NULL, *h = NULL;
    must(agn_audio_cross_power(&s, x, mask, true));
    check(&q, has_shape(s, 3, (int64_t[]){2, 3, 3}) && APART(s, powers) < 1e-13,
          "cross powers: %.1e", APART(s, powers));
    must(agn_audio_cross_power(&n, x, NULL, false));
    check(&q, APART(n, noise_powers) < 1e-13, "of all frames");
    must(agn_audio_mvdr_weights(&w, s, n, 1, 1e-3));
    check(&q, has_shape(w, 2, (int64_t[]){2, 3}) && APART(w, mvdr) < 1e-13, "weights: %.1e",
          APART(w, mvdr));
    must(agn_audio_beamform(&y, w, x));
    check(&q, has_shape(y, 2, (int64_t[]){2, 7}) && APART(y, beam) < 1e-13, "beam: %.1e",
          APART(y, beam));
    release_all((agn_tensor *[]){w, y}, 2);
    must(agn_audio_transfer_power(&h, s, n, 1, 3, 1e-3));
    check(&q, APART(h, transfer) < 1e-13, "transfer: %.1e", APART(h, transfer));
    agn_release(h);
    /* from the first frame of each channel */
    agn_tensor *first = NULL;
    must(agn_index_axis(&first, x, -1, 0));
    must(agn_transpose(&h, first));
    must(agn_audio_steered_weights(&w, h, n, 2, 1e-3));
    check(&q, APART(w, steered) < 1e-13, "steered: %.1e", APART(w, steered));
    agn_release(w);
    /* without distortion: w^H h is 1 of the source itself */
    must(agn_audio_steered_weights(&w, h, n, -1, 0));
    for (int f = 0; f < 2; f++) {
        double complex sum = 0;
        for (int c = 0; c < 3; c++)
            sum += conj(peekz(w, 3 * f + c)) * peekz(h, 3 * f + c);
        check(&q, cabs(sum - 1) < 1e-13, "distortion in bin %d: %g", f, cabs(sum - 1));
    }
    release_all((agn_tensor *[]){x, mask, s, n, w, h, first}, 7);
    agn_tensor *m = array_of(1, (int64_t[]){3}, speech_mean_a),
               *a = array_of(2, (int64_t[]){3, 3}, speech_cov_a),
               *m2 = array_of(1, (int64_t[]){3}, speech_mean_b),
               *b = array_of(2, (int64_t[]){3, 3}, speech_cov_b);
    must(agn_audio_frechet_distance(&y, m, a, m2, b));
    check(&q, fabs(peek(y, 0) - speech_frechet) < 1e-12, "distance %.15g", peek(y, 0));
    agn_release(y);
    must(agn_audio_frechet_distance(&y, m, a, m, a));
    check(&q, fabs(peek(y, 0)) < 1e-7, "to itself: %g", peek(y, 0));
    release_all((agn_tensor *[]){m, a, m2, b, y}, 5);
    tell(&q, "microphones, distances of laws");
}

static void test_room(void)
{
    tally q = {0, 0};
    agn_tensor *room = array_of(1, (int64_t[]){3}, (double[]){3, 4, 2.5}),
               *source = array_of(1, (int64_t[]){3}, (double[]){1, 1.2, 0.8}),
               *mics = array_of(2, (int64_t[]){2, 3}, (double[]){2, 2.5, 1.1, 0.4, 3, 2}),
               *walls = array_of(1, (int64_t[]){6}, (double[]){0.3, 0.4, 0.1, 0.2, 0.5, 0.6}),
               *y = NULL;
    must(agn_audio_room_response(&y, room, source, mics, walls, 3, 8000, 343, 160));
    check(&q, has_shape(y, 2, (int64_t[]){2, 160}) && APART(y, room) < 1e-12, "images: %.1e",
          APART(y, room));
    agn_release(y);
    /* no reflections, a delay of whole samples: one number */
    agn_tensor *at = array_of(2, (int64_t[]){1, 3}, (double[]){1, 1.2, 0.8 + 343 * 20 / 8000.0});
    must(agn_audio_room_response(&y, room, source, at, walls, 0, 8000, 343, 50));
    for (int i = 0; i < 50; i++)
        check(&q, fabs(peek(y, i) - (i == 20) / 0.8575) < 1e-12, "sample %d: %g", i, peek(y, i));
    release_all((agn_tensor *[]){room, source, mics, walls, y, at}, 6);
    tell(&q, "a room");
}

/* ---- derivatives
   --------------------------------------------------------------------------------- */

enum { FBANK, MFCC, POWER, MVDR, STEERED, TRANSFER, BEAM, ROOM, FRECHET, BODIES };
static const char *const names[] = {"kaldi_fbank",  "kaldi_mfcc",      "cross_power",
                                    "mvdr_weights", "steered_weights", "transfer_power",
                                    "beamform",     "room_response",   "frechet_distance"};

/* a Hermitian positive definite matrix for each of 2 bins of x [2, 3] */
static const agn_tensor *make_powers(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *column = ag_expand_dims(s, ag_complex(s, x, ag_square(s, x)), -1);
    const agn_tensor *m = ag_matmul(s, column, ag_conj(s, ag_swapaxes(s, column, -1, -2)));
    return ag_add(s, m, ag_eye(s, AGN_C128, 3, 3, 0));
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const agn_audio_kaldi_options small = {
        .size = sizeof small, .length = 80, .hop = 40, .low = 2, .n_bands = 3, .n_coefficients = 3};
    const agn_tensor *z = NULL, *a = NULL, *b = NULL, *room;
    int what = *(const int *)user;
    if (what >= POWER && what <= BEAM) {
        a = make_powers(s, x[0]);
        b = make_powers(s, ag_flip(s, x[0], (int32_t[]){-1}, 1));
        z = ag_complex(s, x[0], ag_sin(s, x[0]));
    }
    switch (what) {
    case FBANK:
        y[0] = ag_audio_kaldi_fbank(s, ag_ravel(s, x[0]), 50, &small);
        break;
    case MFCC:
        y[0] = ag_audio_kaldi_mfcc(s, ag_ravel(s, x[0]), 50, &small);
        break;
    case POWER: /* [2 channels, 1 bin, 3 frames] */
        y[0] = ag_audio_cross_power(s, ag_expand_dims(s, z, 1),
                                    ag_expand_dims(s, ag_index_axis(s, x[0], 0, 0), 0), true);
        break;
    case MVDR:
        y[0] = ag_audio_mvdr_weights(s, a, b, 1, 1e-3);
        break;
    case STEERED:
        y[0] = ag_audio_steered_weights(s, z, b, 1, 1e-3);
        break;
    case TRANSFER:
        y[0] = ag_audio_transfer_power(s, a, b, 1, 3, 1e-3);
        break;
    case BEAM:
        y[0] = ag_audio_beamform(s, z, ag_swapaxes(s, a, -2, -3));
        break;
    case ROOM:
        room = ag_add_c(s, ag_index_axis(s, x[0], 0, 0), 3);
        y[0] = ag_audio_room_response(s, room, ag_add_c(s, ag_index_axis(s, x[0], 0, 1), 0.3),
                                      ag_add_c(s, x[0], 1), ag_mul_c(s, ag_ravel(s, x[0]), 0.5), 1,
                                      1000, 343, 30);
        break;
    default:
        a = ag_index_axis(s, ag_real(s, make_powers(s, x[0])), 0, 0);
        b = ag_index_axis(s, ag_real(s, make_powers(s, x[0])), 0, 1);
        y[0] = ag_audio_frechet_distance(s, ag_index_axis(s, x[0], 0, 0), a,
                                         ag_index_axis(s, x[0], 0, 1), b);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("audio speech", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0.3, 0.8);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, what == ROOM ? 1e-4 : 1e-3, 5e-6,
                      names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures
   ------------------------------------------------------------------------------------ */

static agn_tensor *out = untouched, *other = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_features(tally *q, agn_tensor *x, agn_tensor *z)
{
    static const char fb[] = "audio_kaldi_fbank", mf[] = "audio_kaldi_mfcc";
    agn_tensor *dot = of_reals(AGN_F64, 0, NULL, (double[]){1});
#define BANK(...) \
    agn_audio_kaldi_fbank( \
        &out, x, 1000, \
        &(agn_audio_kaldi_options){.size = sizeof(agn_audio_kaldi_options), __VA_ARGS__})
    NO(agn_audio_kaldi_fbank(NULL, x, 1000, NULL), AGN_ENULL, fb, "out", "NULL");
    NO(agn_audio_kaldi_fbank(&out, NULL, 1000, NULL), AGN_ENULL, fb, "x is", "NULL");
    NO(agn_audio_kaldi_fbank(&out, z, 1000, NULL), AGN_EDTYPE, fb, "c128", "real");
    NO(agn_audio_kaldi_fbank(&out, x, 8000, NULL), AGN_ESHAPE, fb, "[40]", "200 samples");
    NO(agn_audio_kaldi_fbank(&out, dot, 8000, NULL), AGN_ESHAPE, fb, "rank 0", "[..., n]");
    NO(agn_audio_kaldi_fbank(&out, x, 0, NULL), AGN_EARG, fb, "rate of 0", "two samples");
    NO(agn_audio_kaldi_fbank(&out, x, 1000, &(agn_audio_kaldi_options){.size = 3}), AGN_EARG, fb,
       "3 bytes", "has");
    NO(BANK(.hop = 0.1), AGN_EARG, fb, "steps of 0.1", "one");
    NO(BANK(.low = 500), AGN_EARG, fb, "from 500", "half the rate");
    NO(BANK(.n_bands = 2), AGN_EARG, fb, "2 bands", "3 to");
    NO(BANK(.window = 5), AGN_EARG, fb, "window 5", "0 to 4");
    NO(BANK(.n_coefficients = 24), AGN_EARG, fb, "24 coefficients", "23 bands");
    NO(BANK(.preemphasis = 2), AGN_EARG, fb, "preemphasis of 2", "most 1");
    NO(BANK(.exact_length = true), AGN_EARG, fb, "25 samples", "even");
    NO(agn_audio_kaldi_mfcc(NULL, x, 1000, NULL), AGN_ENULL, mf, "out", "NULL");
    NO(agn_audio_kaldi_mfcc(&out, NULL, 1000, NULL), AGN_ENULL, mf, "x is", "NULL");
    NO(agn_audio_kaldi_mfcc(&out, z, 1000, NULL), AGN_EDTYPE, mf, "c128", "real");
    NO(agn_audio_kaldi_mfcc(&out, x, 8000, NULL), AGN_ESHAPE, mf, "[40]", "200 samples");
    NO(agn_audio_kaldi_mfcc(&out, x, 0, NULL), AGN_EARG, mf, "rate of 0", "two samples");
    agn_release(dot);
}

static void refuse_labels(tally *q, agn_tensor *x, agn_tensor *z)
{
    static const char al[] = "audio_ctc_align", de[] = "audio_ctc_decode",
                      co[] = "audio_ctc_collapse", ed[] = "audio_edit_distance";
    double hole[] = {-1, (double)NAN, -1, -1},
           never[] = {-1, -(double)INFINITY, -1, -(double)INFINITY};
    agn_tensor *e = random_of(AGN_F64, 2, (int64_t[]){2, 2}, -1, 0),
               *nan = array_of(2, (int64_t[]){2, 2}, hole),
               *not = array_of(2, (int64_t[]){2, 2}, never),
               *empty = random_of(AGN_F64, 2, (int64_t[]){2, 0}, 0, 1), *dead = NULL,
               *l = integers_of(1, (int[]){1}), *l2 = integers_of(2, (int[]){1, 1}),
               *l3 = integers_of(1, (int[]){2}), *l0 = integers_of(1, (int[]){0}),
               *wide = of_reals(AGN_I64, 2, (int64_t[]){1, 1}, (double[]){1});
    must(agn_full(&dead, AGN_F64, 2, (int64_t[]){2, 2}, -(double)INFINITY));
    NO(agn_audio_ctc_align(NULL, &other, e, l, 0), AGN_ENULL, al, "path", "NULL");
    NO(agn_audio_ctc_align(&out, NULL, e, l, 0), AGN_ENULL, al, "score", "NULL");
    NO(agn_audio_ctc_align(&out, &other, NULL, l, 0), AGN_ENULL, al, "x is", "NULL");
    NO(agn_audio_ctc_align(&out, &other, e, NULL, 0), AGN_ENULL, al, "labels", "NULL");
    NO(agn_audio_ctc_align(&out, &other, z, l, 0), AGN_EDTYPE, al, "c128", "real");
    NO(agn_audio_ctc_align(&out, &other, e, x, 0), AGN_EDTYPE, al, "f64", "i64");
    NO(agn_audio_ctc_align(&out, &other, x, l, 0), AGN_ESHAPE, al, "[40]", "classes");
    NO(agn_audio_ctc_align(&out, &other, empty, l, 0), AGN_ESHAPE, al, "[2,0]", "neither");
    NO(agn_audio_ctc_align(&out, &other, e, wide, 0), AGN_ESHAPE, al, "[1,1]", "row");
    NO(agn_audio_ctc_align(&out, &other, e, l2, 0), AGN_ESHAPE, al, "2 labels", "3 frames");
    NO(agn_audio_ctc_align(&out, &other, e, l, 2), AGN_EINDEX, al, "blank is 2", "0 to 1");
    NO(agn_audio_ctc_align(&out, &other, e, l3, 0), AGN_EINDEX, al, "label 0 is 2", "0 to 1");
    NO(agn_audio_ctc_align(&out, &other, e, l0, 0), AGN_EINDEX, al, "label 0 is 0", "blank");
    NO(agn_audio_ctc_align(&out, &other, nan, l, 0), AGN_EDOMAIN, al, "entry 1", "nan");
    NO(agn_audio_ctc_align(&out, &other, not, l, 0), AGN_EDOMAIN, al, "1 labels", "possible");
    NO(agn_audio_ctc_decode(NULL, &other, e, 4, 0), AGN_ENULL, de, "out", "NULL");
    NO(agn_audio_ctc_decode(&out, NULL, e, 4, 0), AGN_ENULL, de, "score", "NULL");
    NO(agn_audio_ctc_decode(&out, &other, NULL, 4, 0), AGN_ENULL, de, "x is", "NULL");
    NO(agn_audio_ctc_decode(&out, &other, z, 4, 0), AGN_EDTYPE, de, "c128", "real");
    NO(agn_audio_ctc_decode(&out, &other, x, 4, 0), AGN_ESHAPE, de, "[40]", "classes");
    NO(agn_audio_ctc_decode(&out, &other, e, 0, 0), AGN_EARG, de, "width of 0", "4096");
    NO(agn_audio_ctc_decode(&out, &other, e, 4, -1), AGN_EINDEX, de, "blank is -1", "0 to 1");
    NO(agn_audio_ctc_decode(&out, &other, nan, 4, 0), AGN_EDOMAIN, de, "entry 1", "nan");
    NO(agn_audio_ctc_decode(&out, &other, dead, 4, 0), AGN_EDOMAIN, de, "[2,2]", "possible");
    NO(agn_audio_ctc_collapse(NULL, l, 0), AGN_ENULL, co, "out", "NULL");
    NO(agn_audio_ctc_collapse(&out, NULL, 0), AGN_ENULL, co, "path", "NULL");
    NO(agn_audio_ctc_collapse(&out, x, 0), AGN_EDTYPE, co, "f64", "i64");
    NO(agn_audio_ctc_collapse(&out, wide, 0), AGN_ESHAPE, co, "[1,1]", "row");
    NO(agn_audio_edit_distance(NULL, l, l), AGN_ENULL, ed, "out", "NULL");
    NO(agn_audio_edit_distance(&out, NULL, l), AGN_ENULL, ed, "a is", "NULL");
    NO(agn_audio_edit_distance(&out, l, NULL), AGN_ENULL, ed, "b is", "NULL");
    NO(agn_audio_edit_distance(&out, l, x), AGN_EDTYPE, ed, "b is f64", "i64");
    NO(agn_audio_edit_distance(&out, wide, l), AGN_ESHAPE, ed, "a is [1,1]", "row");
    release_all((agn_tensor *[]){e, nan, not, empty, dead, l, l2, l3, l0, wide}, 10);
}

static void refuse_microphones(tally *q, agn_tensor *x, agn_tensor *z)
{
    static const char cp[] = "audio_cross_power", mv[] = "audio_mvdr_weights",
                      sw[] = "audio_steered_weights", tp[] = "audio_transfer_power",
                      bf[] = "audio_beamform", rr[] = "audio_room_response",
                      fd[] = "audio_frechet_distance";
    agn_tensor *c = random_of(AGN_C128, 3, (int64_t[]){3, 2, 4}, 0, 1),
               *m = random_of(AGN_F64, 2, (int64_t[]){2, 4}, 0, 1),
               *p = random_of(AGN_C128, 3, (int64_t[]){2, 3, 3}, 0, 1),
               *p2 = random_of(AGN_C128, 3, (int64_t[]){2, 2, 2}, 0, 1),
               *h = random_of(AGN_C128, 2, (int64_t[]){2, 3}, 0, 1), *zero = NULL,
               *three = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1),
               *six = random_of(AGN_F64, 1, (int64_t[]){6}, 0, 1),
               *mics = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1),
               *cov = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 0, 1), *nan = NULL;
    must(agn_zeros(&zero, AGN_C128, 3, (int64_t[]){2, 3, 3}));
    must(agn_full(&nan, AGN_F64, 2, (int64_t[]){3, 3}, (double)NAN));
    NO(agn_audio_cross_power(NULL, c, m, true), AGN_ENULL, cp, "out", "NULL");
    NO(agn_audio_cross_power(&out, NULL, m, true), AGN_ENULL, cp, "x is", "NULL");
    NO(agn_audio_cross_power(&out, m, m, true), AGN_EDTYPE, cp, "f64", "complex");
    NO(agn_audio_cross_power(&out, c, h, true), AGN_EDTYPE, cp, "mask is c128", "real");
    NO(agn_audio_cross_power(&out, h, m, true), AGN_ESHAPE, cp, "[2,3]", "3 axes");
    NO(agn_audio_cross_power(&out, c, cov, true), AGN_ESHAPE, cp, "[3,3]", "[3,2,4]");
    NO(agn_audio_mvdr_weights(NULL, p, p, 0, 0), AGN_ENULL, mv, "out", "NULL");
    NO(agn_audio_mvdr_weights(&out, NULL, p, 0, 0), AGN_ENULL, mv, "speech", "NULL");
    NO(agn_audio_mvdr_weights(&out, p, NULL, 0, 0), AGN_ENULL, mv, "noise", "NULL");
    NO(agn_audio_mvdr_weights(&out, cov, p, 0, 0), AGN_EDTYPE, mv, "f64", "complex");
    NO(agn_audio_mvdr_weights(&out, c, p, 0, 0), AGN_ESHAPE, mv, "[3,2,4]", "channels");
    NO(agn_audio_mvdr_weights(&out, p, p2, 0, 0), AGN_ESHAPE, mv, "[2,2,2]", "[2,3,3]");
    NO(agn_audio_mvdr_weights(&out, p, p, 3, 0), AGN_EINDEX, mv, "reference 3", "0 to 2");
    NO(agn_audio_mvdr_weights(&out, p, p, 0, -1), AGN_EARG, mv, "loading of -1", "negative");
    NO(agn_audio_mvdr_weights(&out, p, zero, 0, 0), AGN_EDOMAIN, mv, "", NULL);
    NO(agn_audio_steered_weights(NULL, h, p, 0, 0), AGN_ENULL, sw, "out", "NULL");
    NO(agn_audio_steered_weights(&out, NULL, p, 0, 0), AGN_ENULL, sw, "transfer", "NULL");
    NO(agn_audio_steered_weights(&out, h, NULL, 0, 0), AGN_ENULL, sw, "noise", "NULL");
    NO(agn_audio_steered_weights(&out, m, p, 0, 0), AGN_EDTYPE, sw, "f64", "complex");
    NO(agn_audio_steered_weights(&out, h, p2, 0, 0), AGN_ESHAPE, sw, "[2,3]", "[2,2,2]");
    NO(agn_audio_steered_weights(&out, h, p, 3, 0), AGN_EINDEX, sw, "reference 3", "0 to 2");
    NO(agn_audio_steered_weights(&out, h, p, 0, (double)NAN), AGN_EARG, sw, "loading of nan",
       "negative");
    NO(agn_audio_steered_weights(&out, h, zero, 0, 0), AGN_EDOMAIN, sw, "", NULL);
    NO(agn_audio_transfer_power(NULL, p, p, 0, 3, 0), AGN_ENULL, tp, "out", "NULL");
    NO(agn_audio_transfer_power(&out, NULL, p, 0, 3, 0), AGN_ENULL, tp, "speech", "NULL");
    NO(agn_audio_transfer_power(&out, p, NULL, 0, 3, 0), AGN_ENULL, tp, "noise", "NULL");
    NO(agn_audio_transfer_power(&out, p, cov, 0, 3, 0), AGN_EDTYPE, tp, "f64", "complex");
    NO(agn_audio_transfer_power(&out, p, p2, 0, 3, 0), AGN_ESHAPE, tp, "[2,2,2]", "[2,3,3]");
    NO(agn_audio_transfer_power(&out, p, p, -1, 3, 0), AGN_EINDEX, tp, "reference -1", "0 to 2");
    NO(agn_audio_transfer_power(&out, p, p, 0, 0, 0), AGN_EARG, tp, "0 iterations", "64");
    NO(agn_audio_transfer_power(&out, p, p, 0, 3, -1), AGN_EARG, tp, "loading of -1", "negative");
    NO(agn_audio_transfer_power(&out, p, zero, 0, 3, 0), AGN_EDOMAIN, tp, "", NULL);
    NO(agn_audio_beamform(NULL, h, c), AGN_ENULL, bf, "out", "NULL");
    NO(agn_audio_beamform(&out, NULL, c), AGN_ENULL, bf, "weights", "NULL");
    NO(agn_audio_beamform(&out, h, NULL), AGN_ENULL, bf, "x is", "NULL");
    NO(agn_audio_beamform(&out, m, c), AGN_EDTYPE, bf, "f64", "complex");
    NO(agn_audio_beamform(&out, h, p), AGN_ESHAPE, bf, "[2,3]", "[2,3,3]");
#define ROOM_OF(r, s, m, w, order, n) agn_audio_room_response(&out, r, s, m, w, order, 8000, 343, n)
    NO(agn_audio_room_response(NULL, three, three, mics, six, 1, 8000, 343, 9), AGN_ENULL, rr,
       "out", "NULL");
    NO(ROOM_OF(NULL, three, mics, six, 1, 9), AGN_ENULL, rr, "room", "NULL");
    NO(ROOM_OF(three, NULL, mics, six, 1, 9), AGN_ENULL, rr, "source", "NULL");
    NO(ROOM_OF(three, three, NULL, six, 1, 9), AGN_ENULL, rr, "microphone", "NULL");
    NO(ROOM_OF(three, three, mics, NULL, 1, 9), AGN_ENULL, rr, "absorption", "NULL");
    NO(ROOM_OF(z, three, mics, six, 1, 9), AGN_EDTYPE, rr, "c128", "real");
    NO(ROOM_OF(three, three, three, six, 1, 9), AGN_ESHAPE, rr, "[3]", "[microphones, 3]");
    NO(ROOM_OF(three, six, mics, six, 1, 9), AGN_ESHAPE, rr, "source is [6]", "[3]");
    NO(ROOM_OF(three, three, mics, six, 31, 9), AGN_EARG, rr, "order 31", "30");
    NO(ROOM_OF(three, three, mics, six, 1, 0), AGN_EARG, rr, "0 samples", "2^24");
    NO(agn_audio_room_response(&out, three, three, mics, six, 1, 8000, -1, 9), AGN_EARG, rr,
       "speed of -1", "positive");
    NO(agn_audio_frechet_distance(NULL, three, cov, three, cov), AGN_ENULL, fd, "out", "NULL");
    NO(agn_audio_frechet_distance(&out, NULL, cov, three, cov), AGN_ENULL, fd, "m is", "NULL");
    NO(agn_audio_frechet_distance(&out, three, cov, three, NULL), AGN_ENULL, fd, "b is", "NULL");
    NO(agn_audio_frechet_distance(&out, z, cov, three, cov), AGN_EDTYPE, fd, "c128", "real");
    NO(agn_audio_frechet_distance(&out, three, cov, six, cov), AGN_ESHAPE, fd, "n [6]", "[3]");
    NO(agn_audio_frechet_distance(&out, three, mics, three, cov), AGN_ESHAPE, fd, "a [2,3]", "[3]");
    NO(agn_audio_frechet_distance(&out, three, nan, three, cov), AGN_EDOMAIN, fd, "", NULL);
    (void)x;
    release_all((agn_tensor *[]){c, m, p, p2, h, zero, three, six, mics, cov, nan}, 11);
}

typedef struct making {
    int what;
    agn_tensor *x, *e, *l, *p, *h, *r, *w;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    const making *a = user;
    agn_tensor *more = NULL;
    agn_status st;
    agn_audio_kaldi_options o = {.size = sizeof o, .all_frames = true};
    switch (a->what) {
    case 0:
        return agn_audio_kaldi_mfcc(y, a->x, 1000, &o);
    case 1:
        st = agn_audio_ctc_align(y, &more, a->e, a->l, 0);
        break;
    case 2:
        st = agn_audio_ctc_decode(y, &more, a->e, 3, 0);
        break;
    case 3:
        return agn_audio_ctc_collapse(y, a->l, 0);
    case 4:
        return agn_audio_edit_distance(y, a->l, a->l);
    case 5:
        return agn_audio_mvdr_weights(y, a->p, a->p, 0, 1e-3);
    case 6:
        return agn_audio_transfer_power(y, a->p, a->p, 0, 3, 1e-3);
    case 7:
        return agn_audio_steered_weights(y, a->h, a->p, 0, 1e-3);
    default:
        return agn_audio_room_response(y, a->r, a->r, a->e, a->w, 1, 8000, 343, 50);
    }
    if (!st)
        agn_release(more);
    return st;
}

int main(void)
{
    static const char *const made[] = {"cepstra", "alignment", "search",   "collapse", "distance",
                                       "weights", "transfer",  "steering", "a room"};
    tally q = {0, 0};
    test_kaldi();
    test_labels();
    test_microphones();
    test_room();
    test_modes();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1),
               *z = random_of(AGN_C128, 1, (int64_t[]){3}, -1, 1);
    refuse_features(&q, x, z);
    refuse_labels(&q, x, z);
    refuse_microphones(&q, x, z);
    check(&q, other == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0,
                x,
                random_of(AGN_F64, 2, (int64_t[]){4, 3}, -2, -1),
                integers_of(2, (int[]){1, 2}),
                random_of(AGN_C128, 3, (int64_t[]){2, 3, 3}, 0, 1),
                random_of(AGN_C128, 2, (int64_t[]){2, 3}, 0, 1),
                random_of(AGN_F64, 1, (int64_t[]){3}, 1, 2),
                random_of(AGN_F64, 1, (int64_t[]){6}, 0.1, 0.5)};
    for (a.what = 0; a.what < 9; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){x, z, a.e, a.l, a.p, a.h, a.r, a.w}, 8);
    return done();
}
