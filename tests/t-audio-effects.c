/* t-audio-effects - levels, distortion, delays, other rates against definitions sample after sample
   and against curves of
   standards; derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_effects.h>

#include "data/effects.inc"

#define PI 3.14159265358979323846
#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) effects_##name, LENGTH(effects_##name)
#define APART(y, name) recorded_error(y, NUMBERS(name))

static agn_tensor *row_of(int n, const double *v)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
static agn_tensor *matrix_of(int rows, int columns, const double *v)
{
    return of_reals(AGN_F64, 2, (int64_t[]){rows, columns}, v);
}
/* the difference of a call's result, which it frees */
static double off(agn_status st, agn_tensor **y, const double *want, int n)
{
    must(st);
    double e = recorded_error(*y, want, n);
    agn_release(*y);
    *y = NULL;
    return e;
}
#define OFF(call, name) off(call, &y, NUMBERS(name))

static void test_levels(void)
{
    tally q = {0, 0};
    agn_tensor *x = row_of(EFFECTS_N, effects_x), *noise = row_of(EFFECTS_N, effects_noise),
               *y = NULL;
    double seven = 7;
    agn_tensor *snr = of_reals(AGN_F64, 0, NULL, &seven);
    check(&q, OFF(agn_audio_contrast(&y, x, 75), contrast) < 1e-14, "contrast");
    check(&q, OFF(agn_audio_overdrive(&y, x, 12, 30), overdrive) < 1e-14, "overdrive");
    check(&q, OFF(agn_audio_dcshift(&y, x, 0.5, 0.05), dcshift) < 1e-14, "shift up");
    check(&q, OFF(agn_audio_dcshift(&y, x, -0.6, 0.02), dcshift_down) < 1e-14, "shift down");
    check(&q, OFF(agn_audio_dcshift(&y, x, -0.4, 0), dcshift_hard) < 1e-14, "shift, cut off");
    check(&q, OFF(agn_audio_add_noise(&y, x, noise, snr), noisy) < 1e-13, "noise at 7 dB");
    must(agn_audio_gain(&y, x, 20));
    for (int i = 0; i < EFFECTS_N; i++)
        check(&q, fabs(peek(y, i) - 10 * effects_x[i]) < 1e-13, "20 dB are 10: %g", peek(y, i));
    agn_release(y);
    /* ratios of a batch */
    agn_tensor *ratios = row_of(2, (double[]){0, 20}), *two = NULL;
    must(agn_stack(&two, (const agn_tensor *[]){noise, x}, 2, 0));
    must(agn_audio_add_noise(&y, x, two, ratios));
    double signal = 0, added = 0;
    for (int i = 0; i < EFFECTS_N; i++) {
        signal += effects_x[i] * effects_x[i];
        added += (peek(y, EFFECTS_N + i) - effects_x[i]) * (peek(y, EFFECTS_N + i) - effects_x[i]);
    }
    check(&q, has_shape(y, 2, (int64_t[]){2, EFFECTS_N}) && fabs(signal / added - 100) < 1e-10,
          "20 dB: %g", signal / added);
    release_all((agn_tensor *[]){y, ratios, two}, 3);
    /* fades: ends and middles by their formulas, mirrored */
    static const double middle[] = {0.5, 0.35355339059327376, 0.7781512503836436,
                                    0.7071067811865476, 0.5};
    for (int shape = 0; shape < 5; shape++) {
        agn_tensor *ones = NULL;
        must(agn_ones(&ones, AGN_F32, 1, (int64_t[]){12}));
        must(agn_audio_fade(&y, ones, 5, 5, shape));
        check(&q,
              fabs(peek(y, 0)) < 1e-7 && fabs(peek(y, 2) - middle[shape]) < 1e-6 &&
                  fabs(peek(y, 4) - 1) < 1e-6 && peek(y, 5) == 1 && peek(y, 9) == peek(y, 2) &&
                  agn_dtype_of(y) == AGN_F32,
              "shape %d: %g, %g, %g", shape, peek(y, 0), peek(y, 2), peek(y, 4));
        release_all((agn_tensor *[]){ones, y}, 2);
    }
    must(agn_audio_fade(&y, x, 0, 0, 0));
    check(&q, APART(y, x) == 0, "no fade");
    release_all((agn_tensor *[]){x, noise, snr, y}, 4);
    tell(&q, "levels");
}

static void test_dither(void)
{
    tally q = {0, 0};
    agn_tensor *x = NULL, *key = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){3, 4}), *y = NULL,
               *y2 = NULL;
    enum { COUNT_OF = 20000 };
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){COUNT_OF}, 0.3 / 8));
    for (int law = 0; law < 3; law++) {
        double mean = 0, square = 0;
        must(agn_audio_dither(&y, x, key, 4, law));
        must(agn_audio_dither(&y2, x, key, 4, law));
        for (int i = 0; i < COUNT_OF; i++) {
            double v = peek(y, i) * 8 - 0.3;
            check(&q, peek(y, i) * 8 == floor(peek(y, i) * 8) && peek(y, i) == peek(y2, i),
                  "whole steps, the same each time");
            mean += v / COUNT_OF;
            square += v * v / COUNT_OF;
        }
        /* the error's mean is 0; its square is, of triangular noise whatever the signal, a quarter
           of a step, of uniform
           noise p (1 - p) between two steps, of normal noise 1/12 + 1/4 but for exp(-2 pi^2 / 4) */
        static const double want[] = {0.25, 0.21, 1.0 / 3};
        check(&q, fabs(mean) < 0.02 && fabs(square - want[law]) < 0.02,
              "law %d: mean %g, square %g", law, mean, square);
        release_all((agn_tensor *[]){y, y2}, 2);
    }
    agn_release(x);
    x = row_of(3, (double[]){2, -2, 0.99});
    must(agn_audio_dither(&y, x, key, 16, AGN_DITHER_UNIFORM));
    check(&q, peek(y, 0) == 1 - ldexp(1, -15) && peek(y, 1) == -1, "what has no level is cut off");
    release_all((agn_tensor *[]){x, y, key}, 3);
    tell(&q, "dither");
}

static void test_delays(void)
{
    tally q = {0, 0};
    agn_tensor *x = row_of(EFFECTS_N, effects_x), *y = NULL, *two = NULL, *third = NULL,
               *noise = row_of(EFFECTS_N, effects_noise);
    check(&q, OFF(agn_audio_phaser(&y, x, EFFECTS_RATE, NULL), phaser) < 1e-14, "phaser");
    agn_audio_phaser_options o = {.size = sizeof o,
                                  .gain_in = 0.7,
                                  .gain_out = 1.5,
                                  .delay = 5,
                                  .decay = -0.8,
                                  .speed = 40,
                                  .triangular = true};
    check(&q, OFF(agn_audio_phaser(&y, x, EFFECTS_RATE, &o), phaser_b) < 1e-13,
          "phaser, triangular");
    must(agn_mul_c(&third, noise, 1.0 / 3));
    must(agn_stack(&two, (const agn_tensor *[]){x, third}, 2, 0));
    check(&q, OFF(agn_audio_flanger(&y, two, EFFECTS_RATE, NULL), flanger) < 1e-13, "flanger");
    agn_audio_flanger_options f = {.size = sizeof f,
                                   .delay = 3,
                                   .depth = 6,
                                   .width = 90,
                                   .speed = 30,
                                   .phase = 40,
                                   .triangular = true};
    check(&q, OFF(agn_audio_flanger(&y, two, EFFECTS_RATE, &f), flanger_b) < 1e-13,
          "flanger, triangular");
    release_all((agn_tensor *[]){x, two, third, noise}, 4);
    tell(&q, "delays");
}

/* the gain in dB of a section at a frequency */
static double decibels_at(const agn_tensor *sos, double hz, double rate)
{
    double w = 2 * PI * hz / rate;
    agn_tensor *at = row_of(1, &w), *h = NULL;
    must(agn_signal_sosfreqz(&h, sos, at));
    double db = 20 * log10(cabs(peekz(h, 0)));
    release_all((agn_tensor *[]){at, h}, 2);
    return db;
}

static void test_rates(void)
{
    tally q = {0, 0};
    agn_tensor *x = row_of(EFFECTS_N, effects_x), *y = NULL, *f = NULL, *two = NULL;
    check(&q, OFF(agn_audio_resample(&y, x, 4000, 6000, NULL), resample_up) < 1e-13, "up");
    agn_audio_resample_options o = {
        .size = sizeof o, .zeros = 16, .rolloff = 0.9475937167399596, .beta = 14.769656459379492};
    check(&q, OFF(agn_audio_resample(&y, x, 4000, 2500, &o), resample_down) < 1e-13,
          "down, by a Kaiser window");
    check(&q, OFF(agn_audio_speed(&y, x, 1.1), speed) < 1e-13, "speed");
    must(agn_cast(&f, x, AGN_F32));
    must(agn_stack(&two, (const agn_tensor *[]){f, f}, 2, 0));
    must(agn_audio_resample(&y, two, 2, 3, NULL));
    check(&q,
          has_shape(y, 2, (int64_t[]){2, 360}) && agn_dtype_of(y) == AGN_F32 &&
              fabs(peek(y, 500) - effects_resample_up[140]) < 1e-6,
          "a batch of f32");
    release_all((agn_tensor *[]){x, y, f, two}, 4);
    /* time constants of IEC 60098 and IEC 60908 */
    static const int64_t rates[] = {44100, 48000, 88200, 96000};
    static const double hz[] = {30, 100, 500, 1000, 3000, 8000, 15000};
    double at_1k = 0;
    for (int k = 0; k < 4; k++) {
        agn_tensor *sos = NULL;
        must(agn_audio_equalisation(&sos, AGN_EQUALISATION_RIAA, rates[k]));
        check(&q, fabs(decibels_at(sos, 1000, (double)rates[k])) < 1e-10, "0 dB at 1 kHz");
        for (int i = 0; i < 7; i++) {
            double w = 2 * PI * hz[i], w1 = 2 * PI * 1000;
            double want = 10 * log10((1 + pow(w * 318e-6, 2)) / (1 + pow(w * 3180e-6, 2)) /
                                     (1 + pow(w * 75e-6, 2)));
            at_1k = 10 * log10((1 + pow(w1 * 318e-6, 2)) / (1 + pow(w1 * 3180e-6, 2)) /
                               (1 + pow(w1 * 75e-6, 2)));
            double have = decibels_at(sos, hz[i], (double)rates[k]);
            check(&q, fabs(have - want + at_1k) < (hz[i] > 12000 ? 0.8 : 0.45),
                  "records at %g Hz, rate %d: %g, not %g", hz[i], (int)rates[k], have,
                  want - at_1k);
        }
        agn_release(sos);
        if (k > 1)
            continue;
        must(agn_audio_equalisation(&sos, AGN_EQUALISATION_CD, rates[k]));
        for (int i = 0; i < 7; i++) {
            double w = 2 * PI * hz[i],
                   want = 10 * log10((1 + pow(w * 15e-6, 2)) / (1 + pow(w * 50e-6, 2)));
            double have = decibels_at(sos, hz[i], (double)rates[k]);
            check(&q, fabs(have - want) < 0.1, "discs at %g Hz: %g, not %g", hz[i], have, want);
        }
        agn_release(sos);
    }
    tell(&q, "rates, curves of standards");
}

static void test_sliding(void)
{
    tally q = {0, 0};
    agn_tensor *x = matrix_of(2, 30, effects_bands), *y = NULL, *f = NULL;
    check(&q, OFF(agn_audio_sliding_normalise(&y, x, 7, true, 0, false), sliding_mean) < 1e-13,
          "mean");
    check(&q, OFF(agn_audio_sliding_normalise(&y, x, 8, true, 0, true), sliding_all) < 1e-11,
          "mean and variance");
    check(&q, OFF(agn_audio_sliding_normalise(&y, x, 9, false, 4, true), sliding_past) < 1e-11,
          "windows of the past");
    must(agn_full(&f, AGN_F32, 2, (int64_t[]){1, 9}, 1.1));
    must(agn_audio_sliding_normalise(&y, f, 4, true, 0, true));
    for (int i = 0; i < 9; i++)
        check(&q, fabs(peek(y, i)) < 1e-7 && agn_dtype_of(y) == AGN_F32,
              "what is constant becomes 0: %g", peek(y, i));
    release_all((agn_tensor *[]){x, y, f}, 3);
    tell(&q, "sliding windows");
}

/* ---- derivatives
   --------------------------------------------------------------------------------- */

enum { CONTRAST, OVERDRIVE, SHIFT, FADE, NOISE, PHASER, FLANGER, RESAMPLE, SLIDING, BODIES };
static const char *const names[] = {"contrast", "overdrive", "dcshift",
                                    "fade",     "add_noise", "phaser",
                                    "flanger",  "resample",  "sliding_normalise"};

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const agn_audio_phaser_options phaser = {
        .size = sizeof phaser, .delay = 300, .speed = 2};
    static const agn_audio_flanger_options flanger = {
        .size = sizeof flanger, .depth = 300, .speed = 2};
    switch (*(const int *)user) {
    case CONTRAST:
        y[0] = ag_audio_contrast(s, x[0], 60);
        break;
    case OVERDRIVE:
        y[0] = ag_audio_overdrive(s, x[0], 1, 20);
        break;
    case SHIFT:
        y[0] = ag_square(s, ag_audio_dcshift(s, x[0], 0.3, 0.05));
        break;
    case FADE:
        y[0] = ag_square(s, ag_audio_fade(s, x[0], 3, 2, AGN_FADE_HALF_SINE));
        break;
    case NOISE:
        y[0] = ag_audio_add_noise(s, x[0], ag_flip(s, x[0], (int32_t[]){-1}, 1),
                                  ag_sum_all(s, x[0]));
        break;
    case PHASER:
        y[0] = ag_square(s, ag_audio_phaser(s, x[0], 10, &phaser));
        break;
    case FLANGER:
        y[0] = ag_square(s, ag_audio_flanger(s, ag_expand_dims(s, x[0], 0), 10, &flanger));
        break;
    case RESAMPLE:
        y[0] = ag_square(s, ag_audio_resample(s, x[0], 3, 2, NULL));
        break;
    default:
        y[0] = ag_audio_sliding_normalise(s, ag_expand_dims(s, x[0], 0), 4, true, 0, true);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("audio effects", names[what]);
        agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){9}, 0.1, 0.6);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 2e-6, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
    /* through the rounding of dither: that of the identity */
    tally q = {0, 0};
    agn_tensor *x = row_of(3, (double[]){0.1, -0.2, 0.3}),
               *key = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){1, 2});
    agn_tensor *g = NULL, *w = NULL;
    must(agn_watch(&w, x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *loss = ag_sum_all(s, ag_mul_c(s, ag_audio_dither(s, w, key, 4, 0), 3));
    agn_grads *grads = NULL;
    must(agn_grads_new(&grads));
    must(agn_scope_status(s));
    must(agn_backward(grads, loss, NULL));
    must(agn_grads_get(&g, grads, w));
    for (int i = 0; i < 3; i++)
        check(&q, peek(g, i) == 3, "the gradient of dither: %g", peek(g, i));
    agn_grads_release(grads);
    must(agn_scope_close(s));
    release_all((agn_tensor *[]){x, key, g, w}, 4);
    tell(&q, "the gradient of dither");
}

/* ---- failures
   ------------------------------------------------------------------------------------ */

static agn_tensor *out = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_levels(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *none, agn_tensor *dot)
{
    static const char ga[] = "audio_gain", co[] = "audio_contrast", ov[] = "audio_overdrive",
                      dc[] = "audio_dcshift", di[] = "audio_dither", fa[] = "audio_fade",
                      an[] = "audio_add_noise";
    agn_tensor *key = of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){1, 2}),
               *two = random_of(AGN_F64, 2, (int64_t[]){2, 40}, 0, 1),
               *three = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1);
    NO(agn_audio_gain(NULL, x, 1), AGN_ENULL, ga, "out", "NULL");
    NO(agn_audio_gain(&out, NULL, 1), AGN_ENULL, ga, "x is", "NULL");
    NO(agn_audio_gain(&out, z, 1), AGN_EDTYPE, ga, "c64", "real");
    NO(agn_audio_gain(&out, x, (double)NAN), AGN_EARG, ga, "nan dB", "finite");
    NO(agn_audio_contrast(NULL, x, 1), AGN_ENULL, co, "out", "NULL");
    NO(agn_audio_contrast(&out, NULL, 1), AGN_ENULL, co, "x is", "NULL");
    NO(agn_audio_contrast(&out, z, 1), AGN_EDTYPE, co, "c64", "real");
    NO(agn_audio_contrast(&out, x, 101), AGN_EARG, co, "amount of 101", "100");
    NO(agn_audio_overdrive(NULL, x, 1, 1), AGN_ENULL, ov, "out", "NULL");
    NO(agn_audio_overdrive(&out, NULL, 1, 1), AGN_ENULL, ov, "x is", "NULL");
    NO(agn_audio_overdrive(&out, z, 1, 1), AGN_EDTYPE, ov, "c64", "real");
    NO(agn_audio_overdrive(&out, none, 1, 1), AGN_ESHAPE, ov, "[0]", "sample");
    NO(agn_audio_overdrive(&out, x, -1, 1), AGN_EARG, ov, "gain of -1", "100");
    NO(agn_audio_overdrive(&out, x, 1, 101), AGN_EARG, ov, "colour of 101", "100");
    NO(agn_audio_dcshift(NULL, x, 0.1, 0), AGN_ENULL, dc, "out", "NULL");
    NO(agn_audio_dcshift(&out, NULL, 0.1, 0), AGN_ENULL, dc, "x is", "NULL");
    NO(agn_audio_dcshift(&out, z, 0.1, 0), AGN_EDTYPE, dc, "c64", "real");
    NO(agn_audio_dcshift(&out, x, 3, 0), AGN_EARG, dc, "shift of 3", "-2 to 2");
    NO(agn_audio_dcshift(&out, x, 0.1, 0.1), AGN_EARG, dc, "limiter of 0.1", "below");
    NO(agn_audio_dither(NULL, x, key, 16, 0), AGN_ENULL, di, "out", "NULL");
    NO(agn_audio_dither(&out, NULL, key, 16, 0), AGN_ENULL, di, "x is", "NULL");
    NO(agn_audio_dither(&out, x, NULL, 16, 0), AGN_ENULL, di, "key", "NULL");
    NO(agn_audio_dither(&out, z, key, 16, 0), AGN_EDTYPE, di, "c64", "real");
    NO(agn_audio_dither(&out, x, x, 16, 0), AGN_EDTYPE, di, "f64", NULL);
    NO(agn_audio_dither(&out, x, dot, 16, 0), AGN_ESHAPE, di, "[]", NULL);
    NO(agn_audio_dither(&out, x, key, 25, 0), AGN_EARG, di, "25 bits", "24");
    NO(agn_audio_dither(&out, x, key, 16, 3), AGN_EARG, di, "law 3", "0 to 2");
    NO(agn_audio_fade(NULL, x, 1, 1, 0), AGN_ENULL, fa, "out", "NULL");
    NO(agn_audio_fade(&out, NULL, 1, 1, 0), AGN_ENULL, fa, "x is", "NULL");
    NO(agn_audio_fade(&out, z, 1, 1, 0), AGN_EDTYPE, fa, "c64", "real");
    NO(agn_audio_fade(&out, dot, 1, 1, 0), AGN_ESHAPE, fa, "x is []", "time");
    NO(agn_audio_fade(&out, x, 41, 1, 0), AGN_EARG, fa, "41 samples in", "[40]");
    NO(agn_audio_fade(&out, x, 1, -1, 0), AGN_EARG, fa, "-1 out", "[40]");
    NO(agn_audio_fade(&out, x, 1, 1, 5), AGN_EARG, fa, "shape 5", "0 to 4");
    NO(agn_audio_add_noise(NULL, x, x, three), AGN_ENULL, an, "out", "NULL");
    NO(agn_audio_add_noise(&out, NULL, x, three), AGN_ENULL, an, "x is", "NULL");
    NO(agn_audio_add_noise(&out, x, NULL, three), AGN_ENULL, an, "noise", "NULL");
    NO(agn_audio_add_noise(&out, x, x, NULL), AGN_ENULL, an, "snr", "NULL");
    NO(agn_audio_add_noise(&out, z, x, three), AGN_EDTYPE, an, "c64", "real");
    NO(agn_audio_add_noise(&out, x, z, three), AGN_EDTYPE, an, "noise is c64", "real");
    NO(agn_audio_add_noise(&out, x, three, three), AGN_ESHAPE, an, "[40]", "[3]");
    NO(agn_audio_add_noise(&out, none, none, three), AGN_ESHAPE, an, "[0]", "sample");
    NO(agn_audio_add_noise(&out, two, x, three), AGN_ESHAPE, an, "[3", "[2");
    release_all((agn_tensor *[]){key, two, three}, 3);
}

static void refuse_delays(tally *q, agn_tensor *x, agn_tensor *z, agn_tensor *none, agn_tensor *dot)
{
    static const char ph[] = "audio_phaser", fl[] = "audio_flanger", re[] = "audio_resample",
                      sp[] = "audio_speed", eq[] = "audio_equalisation",
                      sl[] = "audio_sliding_normalise";
    agn_tensor *m = random_of(AGN_F64, 2, (int64_t[]){2, 40}, 0, 1),
               *empty = random_of(AGN_F64, 2, (int64_t[]){2, 0}, 0, 1);
#define PHASE(...) \
    agn_audio_phaser( \
        &out, x, 4000, \
        &(agn_audio_phaser_options){.size = sizeof(agn_audio_phaser_options), __VA_ARGS__})
#define FLANGE(...) \
    agn_audio_flanger( \
        &out, m, 4000, \
        &(agn_audio_flanger_options){.size = sizeof(agn_audio_flanger_options), __VA_ARGS__})
#define RATE(...) \
    agn_audio_resample( \
        &out, x, 2, 3, \
        &(agn_audio_resample_options){.size = sizeof(agn_audio_resample_options), __VA_ARGS__})
    NO(agn_audio_phaser(NULL, x, 4000, NULL), AGN_ENULL, ph, "out", "NULL");
    NO(agn_audio_phaser(&out, NULL, 4000, NULL), AGN_ENULL, ph, "x is", "NULL");
    NO(agn_audio_phaser(&out, z, 4000, NULL), AGN_EDTYPE, ph, "c64", "real");
    NO(agn_audio_phaser(&out, none, 4000, NULL), AGN_ESHAPE, ph, "[0]", "sample");
    NO(agn_audio_phaser(&out, x, 0, NULL), AGN_EARG, ph, "rate of 0", "positive");
    NO(agn_audio_phaser(&out, x, 4000, &(agn_audio_phaser_options){.size = 3}), AGN_EARG, ph,
       "3 bytes", "has");
    NO(PHASE(.decay = 1), AGN_EARG, ph, "decay of 1", "below 1");
    NO(PHASE(.delay = 0.01), AGN_EARG, ph, "delay of 0.01", "sample");
    NO(PHASE(.speed = -1), AGN_EARG, ph, "speed of -1", "positive");
    NO(agn_audio_flanger(NULL, m, 4000, NULL), AGN_ENULL, fl, "out", "NULL");
    NO(agn_audio_flanger(&out, NULL, 4000, NULL), AGN_ENULL, fl, "x is", "NULL");
    NO(agn_audio_flanger(&out, z, 4000, NULL), AGN_EDTYPE, fl, "c64", "real");
    NO(agn_audio_flanger(&out, x, 4000, NULL), AGN_ESHAPE, fl, "[40]", "channels");
    NO(agn_audio_flanger(&out, empty, 4000, NULL), AGN_ESHAPE, fl, "[2,0]", "sample");
    NO(agn_audio_flanger(&out, m, -1, NULL), AGN_EARG, fl, "rate of -1", "positive");
    NO(agn_audio_flanger(&out, m, 4000, &(agn_audio_flanger_options){.size = 3}), AGN_EARG, fl,
       "3 bytes", "has");
    NO(FLANGE(.delay = -1), AGN_EARG, fl, "delay of -1", "negative");
    NO(FLANGE(.width = 101), AGN_EARG, fl, "width of 101", "100");
    NO(FLANGE(.phase = -1), AGN_EARG, fl, "phase of -1", "negative");
    NO(agn_audio_resample(NULL, x, 2, 3, NULL), AGN_ENULL, re, "out", "NULL");
    NO(agn_audio_resample(&out, NULL, 2, 3, NULL), AGN_ENULL, re, "x is", "NULL");
    NO(agn_audio_resample(&out, z, 2, 3, NULL), AGN_EDTYPE, re, "c64", "real");
    NO(agn_audio_resample(&out, none, 2, 3, NULL), AGN_ESHAPE, re, "[0]", "sample");
    NO(agn_audio_resample(&out, x, 0, 3, NULL), AGN_EARG, re, "from 0", "positive");
    NO(agn_audio_resample(&out, x, 1 << 25, 3, NULL), AGN_EARG, re, "33554432", "16777216");
    NO(agn_audio_resample(&out, x, 1 << 20, 12345, NULL), AGN_EARG, re, "weights", "67108864");
    NO(agn_audio_resample(&out, x, 2, 3, &(agn_audio_resample_options){.size = 3}), AGN_EARG, re,
       "3 bytes", "has");
    NO(RATE(.zeros = -1), AGN_EARG, re, "-1 zeros", "4096");
    NO(RATE(.rolloff = 1.5), AGN_EARG, re, "roll-off of 1.5", "most");
    NO(RATE(.beta = -1), AGN_EARG, re, "beta -1", "600");
    NO(agn_audio_speed(NULL, x, 1), AGN_ENULL, sp, "out", "NULL");
    NO(agn_audio_speed(&out, NULL, 1), AGN_ENULL, sp, "x is", "NULL");
    NO(agn_audio_speed(&out, z, 1), AGN_EDTYPE, sp, "c64", "real");
    NO(agn_audio_speed(&out, none, 1), AGN_ESHAPE, sp, "[0]", "sample");
    NO(agn_audio_speed(&out, x, 11), AGN_EARG, sp, "factor of 11", "10");
    NO(agn_audio_equalisation(NULL, 0, 44100), AGN_ENULL, eq, "out", "NULL");
    NO(agn_audio_equalisation(&out, 2, 44100), AGN_EARG, eq, "curve 2", "0 and 1");
    NO(agn_audio_equalisation(&out, 0, 8000), AGN_EARG, eq, "rate of 8000", "96000");
    NO(agn_audio_equalisation(&out, 1, 96000), AGN_EARG, eq, "rate of 96000", "alone");
    NO(agn_audio_sliding_normalise(NULL, m, 3, true, 1, true), AGN_ENULL, sl, "out", "NULL");
    NO(agn_audio_sliding_normalise(&out, NULL, 3, true, 1, true), AGN_ENULL, sl, "x is", "NULL");
    NO(agn_audio_sliding_normalise(&out, z, 3, true, 1, true), AGN_EDTYPE, sl, "c64", "real");
    NO(agn_audio_sliding_normalise(&out, x, 3, true, 1, true), AGN_ESHAPE, sl, "[40]", "bins");
    NO(agn_audio_sliding_normalise(&out, empty, 3, true, 1, true), AGN_ESHAPE, sl, "[2,0]",
       "frame");
    NO(agn_audio_sliding_normalise(&out, m, 0, true, 1, true), AGN_EARG, sl, "0 frames",
       "positive");
    NO(agn_audio_sliding_normalise(&out, m, 3, false, -1, true), AGN_EARG, sl, "-1 at least",
       "negative");
    (void)dot;
    release_all((agn_tensor *[]){m, empty}, 2);
}

typedef struct making {
    int what;
    agn_tensor *x, *m, *key;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    const making *a = user;
    switch (a->what) {
    case 0:
        return agn_audio_overdrive(y, a->x, 20, 20);
    case 1:
        return agn_audio_dcshift(y, a->x, 0.5, 0.1);
    case 2:
        return agn_audio_dither(y, a->x, a->key, 8, 0);
    case 3:
        return agn_audio_fade(y, a->x, 3, 3, 0);
    case 4:
        return agn_audio_phaser(y, a->x, 1000, NULL);
    case 5:
        return agn_audio_flanger(y, a->m, 1000, NULL);
    case 6:
        return agn_audio_resample(y, a->x, 2, 3, NULL);
    case 7:
        return agn_audio_equalisation(y, 0, 44100);
    case 8:
        return agn_audio_add_noise(y, a->x, a->x, a->x);
    default:
        return agn_audio_sliding_normalise(y, a->m, 3, true, 1, true);
    }
}

int main(void)
{
    static const char *const made[] = {"overdrive", "a shift",        "dither",       "a fade",
                                       "phaser",    "flanger",        "another rate", "a curve",
                                       "noise",     "sliding windows"};
    double one = 1;
    tally q = {0, 0};
    test_levels();
    test_dither();
    test_delays();
    test_rates();
    test_sliding();
    test_modes();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){2, 40}, -1, 1),
               *none = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1),
               *dot = of_reals(AGN_I64, 0, NULL, &one);
    refuse_levels(&q, x, z, none, dot);
    refuse_delays(&q, x, z, none, dot);
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0, x, random_of(AGN_F64, 2, (int64_t[]){2, 40}, -1, 1),
                of_reals(AGN_I64, 1, (int64_t[]){2}, (double[]){1, 2})};
    for (a.what = 0; a.what < 10; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){x, z, none, dot, a.m, a.key}, 6);
    return done();
}
