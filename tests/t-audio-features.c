/* t-audio-features - mel filters, cepstra, decibels, descriptors against numbers of librosa; derivatives in
   every mode, also in learnable filters; failures. */
#include "modes.h"

#include "data/audio.inc"
#include "fft/fft.h"

static double apart_from(const agn_tensor *y, const double *want, int64_t n)
{
    double worst = agn_numel(y) == n ? 0 : (double)INFINITY, most = 1;
    for (int64_t i = 0; i < agn_numel(y) && i < n; i++) {
        worst = fmax(worst, fabs(peek(y, i) - want[i]));
        most = fmax(most, fabs(want[i]));
    }
    return worst / most;
}
#define LIKE(q, y, name, tol)                                                                     \
    check(q, apart_from(y, librosa_##name, COUNT(librosa_##name)) < tol, #name ": apart %.1e, %s", \
          apart_from(y, librosa_##name, COUNT(librosa_##name)), SHAPE_TEXT(y));                   \
    agn_release(y)

static void test_scales(void)
{
    tally q = {0, 0};
    static const double hz[] = {0, 20, 440, 999.9, 1000, 2500, 8000};
    static const double *const mels[] = {librosa_mel_0, librosa_mel_1};
    static const double *const centres[] = {librosa_centres_0, librosa_centres_1};
    static const double *const filters[] = {librosa_filters_00, librosa_filters_01, librosa_filters_10,
                                            librosa_filters_11};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){7}, hz), *y = NULL, *b = NULL;
    for (int htk = 0; htk < 2; htk++) {
        must(agn_audio_hz_to_mel(&y, x, htk));
        must(agn_audio_mel_to_hz(&b, y, htk));
        check(&q, apart_from(y, mels[htk], 7) < 1e-14, "hz_to_mel %d: %.1e", htk, apart_from(y, mels[htk], 7));
        check(&q, apart_from(b, hz, 7) < 1e-14, "and back");
        release_all((agn_tensor *[]){y, b}, 2);
        must(agn_audio_mel_frequencies(&y, AGN_F64, 9, 50, 3900, htk));
        check(&q, apart_from(y, centres[htk], 9) < 1e-14, "mel_frequencies %d", htk);
        agn_release(y);
        for (int area = 0; area < 2; area++) {
            must(agn_audio_mel_filters(&y, AGN_F64, LIBROSA_RATE, LIBROSA_FFT, 10, 50, 3900, htk, area));
            check(&q, apart_from(y, filters[2 * htk + area], 10 * 65) < 1e-13, "filters %d%d: %.1e", htk, area,
                  apart_from(y, filters[2 * htk + area], 10 * 65));
            agn_release(y);
        }
    }
    must(agn_audio_fft_frequencies(&y, AGN_F32, 8000, 16));
    check(&q, agn_numel(y) == 9 && peek(y, 3) == 1500, "bins");
    agn_release(y);
    must(agn_audio_linear_filters(&y, AGN_F64, 8, 8, 3, 0, 4)); /* edges 0 to 4, bins 0 to 4: units */
    for (int i = 0; i < 15; i++)
        check(&q, fabs(peek(y, i) - (i % 5 == i / 5 + 1)) < 1e-15, "linear filters");
    agn_release(y);
    agn_release(x);
    /* the orthogonal matrix times its transpose is 1; agn_fft_dct is the other one */
    agn_tensor *m = NULL, *t = NULL, *one = NULL, *v = random_of(AGN_F64, 1, (int64_t[]){6}, -1, 1), *d = NULL;
    must(agn_audio_dct_matrix(&m, AGN_F64, 6, 6, true));
    must(agn_transpose(&t, m));
    must(agn_matmul(&one, m, t));
    for (int i = 0; i < 36; i++)
        check(&q, fabs(peek(one, i) - (i % 7 == 0)) < 4e-15, "orthogonal");
    release_all((agn_tensor *[]){m, t, one}, 3);
    must(agn_audio_dct_matrix(&m, AGN_F64, 6, 6, false));
    must(agn_matmul(&one, m, v));
    must(agn_fft_dct(&d, v, 2, 0, 0, 0));
    check(&q, modes_apart(one, d) < 1e-15, "the matrix of agn_fft_dct");
    release_all((agn_tensor *[]){m, one, v, d}, 4);
    tell(&q, "scales, filters, matrices");
}

static void test_features(void)
{
    tally q = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){LIBROSA_N}, librosa_x), *y = NULL, *s = NULL, *p = NULL;
    agn_audio_mel_options a = {.size = sizeof a,
                               .spectrogram = {.n_fft = LIBROSA_FFT, .hop = LIBROSA_HOP},
                               .n_bands = 20, .area = true, .ref = 0.5, .range = 40, .n_coefficients = 13};
    agn_audio_spectrogram_options power = {.size = sizeof power, .n_fft = LIBROSA_FFT, .hop = LIBROSA_HOP};
    must(agn_audio_spectrogram(&y, x, &power));
    LIKE(&q, y, power, 1e-13);
    must(agn_audio_mel_spectrogram(&y, x, LIBROSA_RATE, &a));
    LIKE(&q, y, mels, 1e-13);
    must(agn_audio_log_mel_spectrogram(&y, x, LIBROSA_RATE, &a));
    LIKE(&q, y, db, 1e-12);
    must(agn_audio_mfcc(&y, x, LIBROSA_RATE, &a));
    LIKE(&q, y, mfcc, 1e-12);
    agn_tensor *filters = NULL, *given = NULL;
    must(agn_audio_mel_filters(&filters, AGN_F64, LIBROSA_RATE, LIBROSA_FFT, 20, 0, 4000, 0, true));
    a.filters = filters;
    a.n_bands = 0;
    must(agn_audio_mfcc(&given, x, LIBROSA_RATE, &a));
    LIKE(&q, given, mfcc, 1e-12);
    agn_release(filters);
    power.value = AGN_AUDIO_MAGNITUDE;
    must(agn_audio_spectrogram(&s, x, &power));
    must(agn_audio_amplitude_to_db(&y, s, 2, 1e-5, 30));
    LIKE(&q, y, amplitude_db, 1e-12);
    must(agn_audio_spectral_centroid(&y, s, LIBROSA_RATE));
    LIKE(&q, y, centroid, 1e-13);
    must(agn_audio_spectral_bandwidth(&y, s, LIBROSA_RATE, 2));
    LIKE(&q, y, bandwidth, 1e-13);
    must(agn_audio_spectral_rolloff(&y, s, LIBROSA_RATE, 0.85));
    LIKE(&q, y, rolloff, 1e-13);
    must(agn_square(&p, s));
    must(agn_audio_spectral_flatness(&y, p, 1e-10));
    LIKE(&q, y, flatness, 1e-12);
    must(agn_audio_rms(&y, x, 100, 30));
    LIKE(&q, y, rms, 1e-14);
    must(agn_audio_zero_crossing_rate(&y, x, 100, 30));
    LIKE(&q, y, crossings, 1e-14);
    must(agn_audio_preemphasis(&y, x, 0.95, false));
    agn_tensor *back = NULL;
    must(agn_audio_preemphasis(&back, y, 0.95, true));
    check(&q, modes_apart(back, x) < 1e-13, "preemphasis undone");
    agn_release(back);
    LIKE(&q, y, preemphasis, 1e-14);
    agn_tensor *ramp = NULL, *levels = NULL;
    must(agn_linspace(&ramp, AGN_F64, -1, 1, 41));
    must(agn_audio_mu_law_encode(&levels, ramp, 256));
    double off = 0;
    for (int i = 0; i < 41; i++) /* librosa cuts levels by digitize, one below at the most */
        off = fmax(off, fabs((double)peek_int(levels, i) - librosa_mu[i]));
    check(&q, off <= 1 && agn_dtype_of(levels) == AGN_I64, "mu law: off by %g", off);
    must(agn_audio_mu_law_decode(&back, levels, 256));
    for (int i = 0; i < 41; i++)
        check(&q, fabs(peek(back, i) - peek(ramp, i)) < 0.025, "mu law and back");
    release_all((agn_tensor *[]){ramp, levels, back}, 3);
    /* decibels and back, slopes of a line, normalisation, f32, silence */
    must(agn_audio_power_to_db(&y, p, 1, 1e-30, 0));
    must(agn_audio_db_to_power(&back, y, 1));
    check(&q, modes_apart(back, p) < 1e-13, "power and back");
    release_all((agn_tensor *[]){y, back}, 2);
    must(agn_audio_amplitude_to_db(&y, s, 3, 1e-30, 0));
    must(agn_audio_db_to_amplitude(&back, y, 3));
    check(&q, modes_apart(back, s) < 1e-13, "amplitude and back");
    release_all((agn_tensor *[]){y, back}, 2);
    must(agn_linspace(&ramp, AGN_F64, 0, 19, 20));
    must(agn_audio_deltas(&y, ramp, 5));
    for (int i = 2; i < 18; i++)
        check(&q, fabs(peek(y, i) - 1) < 1e-14, "slope of a line");
    check(&q, fabs(peek(y, 0) - 0.5) < 1e-14, "slope at the end");
    agn_release(y);
    must(agn_audio_normalise(&y, ramp, true));
    double mean = 0, var = 0;
    for (int i = 0; i < 20; i++) {
        mean += peek(y, i) / 20;
        var += peek(y, i) * peek(y, i) / 20;
    }
    check(&q, fabs(mean) < 1e-15 && fabs(var - 1) < 1e-14, "mean 0, variance 1");
    release_all((agn_tensor *[]){y, ramp}, 2);
    must(agn_zeros(&y, AGN_F32, 2, (int64_t[]){5, 3}));
    must(agn_audio_spectral_centroid(&back, y, 100));
    check(&q, agn_dtype_of(back) == AGN_F32 && peek(back, 1) == 0, "silence has the centroid 0");
    release_all((agn_tensor *[]){y, back}, 2);
    a.filters = NULL;
    a.n_bands = 20;
    agn_tensor *f = NULL;
    must(agn_cast(&f, x, AGN_F32));
    must(agn_audio_lfcc(&y, f, LIBROSA_RATE, &a));
    check(&q, agn_dtype_of(y) == AGN_F32 && agn_shape(y)[0] == 13 && isfinite(peek(y, 5)), "lfcc in f32");
    release_all((agn_tensor *[]){y, f}, 2);
    release_all((agn_tensor *[]){x, s, p}, 3);
    tell(&q, "features: librosa's numbers");
}

enum { MFCC, CENTROID, BANDWIDTH, FLATNESS, SCALES, DELTAS, WAYS };
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    int what = *(int *)user;
    agn_audio_mel_options a = {.size = sizeof a, .spectrogram = {.n_fft = 6, .hop = 3}, .filters = in[1],
                               .n_coefficients = 2};
    const agn_tensor *x = ag_square(s, in[0]), *y = NULL;
    switch (what) {
    case MFCC:
        y = ag_audio_mfcc(s, ag_add_c(s, in[0], 0.3), 8, &a);
        break;
    case CENTROID:
        y = ag_audio_spectral_centroid(s, x, 8);
        break;
    case BANDWIDTH:
        y = ag_audio_spectral_bandwidth(s, x, 8, 2);
        break;
    case FLATNESS:
        y = ag_audio_spectral_flatness(s, x, 1e-9);
        break;
    case SCALES:
        y = ag_audio_mel_to_hz(s, ag_mul_c(s, ag_audio_hz_to_mel(s, ag_mul_c(s, x, 2000), 0), 1.2), 1);
        y = ag_audio_power_to_db(s, ag_add_c(s, y, 1), 1, 1e-9, 0);
        break;
    default:
        y = ag_audio_normalise(s, ag_audio_deltas(s, x, 3), true);
    }
    out[0] = y ? ag_mul(s, y, y) : NULL;
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"mfcc, its filters", "centroid", "bandwidth", "flatness", "scales",
                                        "deltas"};
    for (int what = 0; what < WAYS; what++) {
        agn_tensor *x[2] = {what == MFCC ? random_of(AGN_F64, 1, (int64_t[]){8}, 0.4, 1)
                                         : random_of(AGN_F64, 2, (int64_t[]){3, 4}, 0.5, 1),
                            random_of(AGN_F64, 2, (int64_t[]){3, 4}, 0.5, 1)};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, what == MFCC ? 2 : 1, 1));
        in_every_mode(f, what == MFCC ? 2 : 1, (const agn_tensor *const *)x, 2e-3, 2e-7, names[what]);
        agn_fn_release(f);
        release_all(x, 2);
    }
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 2, (int64_t[]){3, 40}, 0, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){3, 40}, 0, 1), *zero = scalar_of(AGN_F64, 1),
               *none = random_of(AGN_F64, 2, (int64_t[]){0, 0}, 0, 1);
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
#define REAL_ARGUMENT(f, op, ...)                                             \
    NO(f(NULL, x, __VA_ARGS__), AGN_ENULL, op, "out", "NULL");                \
    NO(f(&out, NULL, __VA_ARGS__), AGN_ENULL, op, "x is", "NULL");            \
    NO(f(&out, z, __VA_ARGS__), AGN_EDTYPE, op, "c64", "[3,40]")
    REAL_ARGUMENT(agn_audio_hz_to_mel, "audio_hz_to_mel", 0);
    NO(agn_audio_hz_to_mel(&out, x, 2), AGN_EARG, "audio_hz_to_mel", "scale 2", "0, 1");
    REAL_ARGUMENT(agn_audio_mel_to_hz, "audio_mel_to_hz", 0);
    NO(agn_audio_mel_to_hz(&out, x, -1), AGN_EARG, "audio_mel_to_hz", "scale -1", "0, 1");
    NO(agn_audio_mel_frequencies(NULL, AGN_F64, 3, 0, 9, 0), AGN_ENULL, "audio_mel_frequencies", "out", "NULL");
    NO(agn_audio_mel_frequencies(&out, AGN_I32, 3, 0, 9, 0), AGN_EDTYPE, "audio_mel_frequencies", "i32", "f64");
    NO(agn_audio_mel_frequencies(&out, AGN_F64, 3, 0, 9, 7), AGN_EARG, "audio_mel_frequencies", "scale 7", "0, 1");
    NO(agn_audio_mel_frequencies(&out, AGN_F64, 0, 0, 9, 0), AGN_EARG, "audio_mel_frequencies", "0 bands", "9 Hz");
    NO(agn_audio_mel_frequencies(&out, AGN_F64, 3, 9, 9, 0), AGN_EARG, "audio_mel_frequencies", "3 bands", "9 Hz");
    NO(agn_audio_fft_frequencies(NULL, AGN_F64, 8, 8), AGN_ENULL, "audio_fft_frequencies", "out", "NULL");
    NO(agn_audio_fft_frequencies(&out, AGN_BOOL, 8, 8), AGN_EDTYPE, "audio_fft_frequencies", "bool", "f64");
    NO(agn_audio_fft_frequencies(&out, AGN_F64, 0, 8), AGN_EARG, "audio_fft_frequencies", "rate of 0", "8");
    NO(agn_audio_mel_filters(NULL, AGN_F64, 8, 8, 3, 0, 4, 0, true), AGN_ENULL, "audio_mel_filters", "out", "NULL");
    NO(agn_audio_mel_filters(&out, AGN_C64, 8, 8, 3, 0, 4, 0, true), AGN_EDTYPE, "audio_mel_filters", "c64", "f64");
    NO(agn_audio_mel_filters(&out, AGN_F64, 8, 8, 3, 0, 4, 9, true), AGN_EARG, "audio_mel_filters", "scale 9", "0, 1");
    NO(agn_audio_mel_filters(&out, AGN_F64, -8, 8, 3, 0, 4, 0, true), AGN_EARG, "audio_mel_filters", "rate of -8", "8");
    NO(agn_audio_mel_filters(&out, AGN_F64, 8, 8, -3, 0, 4, 0, true), AGN_EARG, "audio_mel_filters", "-3 bands", "4 Hz");
    NO(agn_audio_linear_filters(NULL, AGN_F64, 8, 8, 3, 0, 4), AGN_ENULL, "audio_linear_filters", "out", "NULL");
    NO(agn_audio_linear_filters(&out, AGN_I64, 8, 8, 3, 0, 4), AGN_EDTYPE, "audio_linear_filters", "i64", "f64");
    NO(agn_audio_linear_filters(&out, AGN_F64, 8, 8, 3, 5, 4), AGN_EARG, "audio_linear_filters", "3 bands", "from 5");
    REAL_ARGUMENT(agn_audio_power_to_db, "audio_power_to_db", 1, 1, 0);
    REAL_ARGUMENT(agn_audio_amplitude_to_db, "audio_amplitude_to_db", 1, 1, 0);
    NO(agn_audio_power_to_db(&out, x, 0, 1, 0), AGN_EARG, "audio_power_to_db", "ref is 0", "positive");
    NO(agn_audio_amplitude_to_db(&out, x, 1, -1, 0), AGN_EARG, "audio_amplitude_to_db", "least -1", "positive");
    NO(agn_audio_power_to_db(&out, x, 1, 1, -5), AGN_EARG, "audio_power_to_db", "range -5", "negative");
    REAL_ARGUMENT(agn_audio_db_to_power, "audio_db_to_power", 1);
    REAL_ARGUMENT(agn_audio_db_to_amplitude, "audio_db_to_amplitude", 1);
    NO(agn_audio_db_to_power(&out, x, 0), AGN_EARG, "audio_db_to_power", "ref is 0", "[3,40]");
    NO(agn_audio_db_to_amplitude(&out, x, -1), AGN_EARG, "audio_db_to_amplitude", "ref is -1", "[3,40]");
    REAL_ARGUMENT(agn_audio_mu_law_encode, "audio_mu_law_encode", 256);
    REAL_ARGUMENT(agn_audio_mu_law_decode, "audio_mu_law_decode", 256);
    NO(agn_audio_mu_law_encode(&out, x, 1), AGN_EARG, "audio_mu_law_encode", "1 levels", "[3,40]");
    NO(agn_audio_mu_law_decode(&out, x, -4), AGN_EARG, "audio_mu_law_decode", "-4 levels", "[3,40]");
    NO(agn_audio_dct_matrix(NULL, AGN_F64, 2, 3, true), AGN_ENULL, "audio_dct_matrix", "out", "NULL");
    NO(agn_audio_dct_matrix(&out, AGN_F16, 2, 3, true), AGN_EDTYPE, "audio_dct_matrix", "f16", "f64");
    NO(agn_audio_dct_matrix(&out, AGN_F64, 0, 3, true), AGN_EARG, "audio_dct_matrix", "0 coefficients", "3 bands");
    agn_status (*const features[])(agn_tensor **, const agn_tensor *, double, const agn_audio_mel_options *) = {
        agn_audio_mel_spectrogram, agn_audio_log_mel_spectrogram, agn_audio_mfcc, agn_audio_lfcc};
    static const char *const names[] = {"audio_mel_spectrogram", "audio_log_mel_spectrogram", "audio_mfcc",
                                        "audio_lfcc"};
    for (int k = 0; k < 4; k++) {
        agn_audio_mel_options a = {.size = sizeof a, .spectrogram = {.n_fft = 16}};
        REAL_ARGUMENT(features[k], names[k], 8000, NULL);
        NO(features[k](&out, x, 8000, &(agn_audio_mel_options){.size = 2}), AGN_EARG, names[k], "2 bytes", "has");
        NO(features[k](&out, x, 0, &a), AGN_EARG, names[k], "rate of 0", "positive");
        NO(features[k](&out, zero, 8000, &a), AGN_ESHAPE, names[k], "[]", "16");
        a.f_min = 5000;
        NO(features[k](&out, x, 8000, &a), AGN_EARG, names[k], "5000", "64 bands");
        a.f_min = 0;
        a.n_coefficients = 65;
        NO(features[k](&out, x, 8000, &a), AGN_EARG, names[k], "65 coefficients", "64 bands");
        a.n_coefficients = 0;
        a.spectrogram.value = AGN_AUDIO_COMPLEX;
        NO(features[k](&out, x, 8000, &a), AGN_EARG, names[k], "value 2", "complex");
        a.spectrogram.value = 0;
        a.filters = x;
        NO(features[k](&out, x, 8000, &a), AGN_ESHAPE, names[k], "[3,40]", "[3,9]");
        a.filters = NULL;
        a.spectrogram.window = z;
        NO(features[k](&out, x, 8000, &a), AGN_EDTYPE, names[k], "c64", "window");
        a.spectrogram.window = NULL;
        a.scale = 5;
        if (k < 3)
            NO(features[k](&out, x, 8000, &a), AGN_EARG, names[k], "scale 5", "0, 1");
    }
    REAL_ARGUMENT(agn_audio_deltas, "audio_deltas", 5);
    NO(agn_audio_deltas(&out, zero, 5), AGN_ESHAPE, "audio_deltas", "[]", "frame");
    NO(agn_audio_deltas(&out, x, 4), AGN_EARG, "audio_deltas", "width of 4", "[3,40]");
    REAL_ARGUMENT(agn_audio_normalise, "audio_normalise", true);
    NO(agn_audio_normalise(&out, none, true), AGN_ESHAPE, "audio_normalise", "[0,0]", "frame");
    REAL_ARGUMENT(agn_audio_spectral_centroid, "audio_spectral_centroid", 8);
    REAL_ARGUMENT(agn_audio_spectral_bandwidth, "audio_spectral_bandwidth", 8, 2);
    REAL_ARGUMENT(agn_audio_spectral_rolloff, "audio_spectral_rolloff", 8, 0.5);
    REAL_ARGUMENT(agn_audio_spectral_flatness, "audio_spectral_flatness", 1);
    NO(agn_audio_spectral_centroid(&out, none, 8), AGN_ESHAPE, "audio_spectral_centroid", "[0,0]", "bins");
    NO(agn_audio_spectral_bandwidth(&out, zero, 8, 2), AGN_ESHAPE, "audio_spectral_bandwidth", "[]", "bins");
    NO(agn_audio_spectral_rolloff(&out, zero, 8, 0.5), AGN_ESHAPE, "audio_spectral_rolloff", "[]", "bins");
    NO(agn_audio_spectral_flatness(&out, zero, 1), AGN_ESHAPE, "audio_spectral_flatness", "[]", "bins");
    NO(agn_audio_spectral_centroid(&out, x, -8), AGN_EARG, "audio_spectral_centroid", "rate of -8", "[3,40]");
    NO(agn_audio_spectral_bandwidth(&out, x, 0, 2), AGN_EARG, "audio_spectral_bandwidth", "rate of 0", "[3,40]");
    NO(agn_audio_spectral_bandwidth(&out, x, 8, 0), AGN_EARG, "audio_spectral_bandwidth", "power of 0", "[3,40]");
    NO(agn_audio_spectral_rolloff(&out, x, 0, 0.5), AGN_EARG, "audio_spectral_rolloff", "rate of 0", "[3,40]");
    NO(agn_audio_spectral_rolloff(&out, x, 8, 1.5), AGN_EARG, "audio_spectral_rolloff", "part of 1.5", "[3,40]");
    NO(agn_audio_spectral_flatness(&out, x, 0), AGN_EARG, "audio_spectral_flatness", "power of 0", "[3,40]");
    REAL_ARGUMENT(agn_audio_rms, "audio_rms", 4, 2);
    REAL_ARGUMENT(agn_audio_zero_crossing_rate, "audio_zero_crossing_rate", 4, 2);
    NO(agn_audio_rms(&out, none, 4, 2), AGN_ESHAPE, "audio_rms", "[0,0]", "sample");
    NO(agn_audio_zero_crossing_rate(&out, zero, 4, 2), AGN_ESHAPE, "audio_zero_crossing_rate", "[]", "sample");
    NO(agn_audio_rms(&out, x, 4, 0), AGN_EARG, "audio_rms", "steps of 0", "[3,40]");
    NO(agn_audio_zero_crossing_rate(&out, x, 0, 1), AGN_EARG, "audio_zero_crossing_rate", "frames of 0", "[3,40]");
    REAL_ARGUMENT(agn_audio_preemphasis, "audio_preemphasis", 0.9, false);
    NO(agn_audio_preemphasis(&out, x, 1.5, true), AGN_EARG, "audio_preemphasis", "1.5", "[3,40]");
    NO(agn_audio_preemphasis(&out, zero, 0.5, true), AGN_ESHAPE, "audio_preemphasis", "[]", "sample");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, z, zero, none}, 4);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_audio_mel_options a = {.size = sizeof a, .spectrogram = {.n_fft = 16}, .n_bands = 4};
    return agn_audio_mfcc(out, user, 8000, &a);
}

int main(void)
{
    test_scales();
    test_features();
    test_modes();
    test_failures();
    agn_tensor *x = random_of(AGN_F32, 1, (int64_t[]){60}, -1, 1);
    every_allocation(make, x, "mfcc");
    agn_release(x);
    agni_fft_clear_plans();
    return done();
}
