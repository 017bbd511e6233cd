/* bench/audio.c - features of sound, their gradients, resampling, and files. */
#include "sound.h"

#include <agnesi/audio.h>
#include <agnesi/signal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 22050, SECONDS = 30, SIGNALS = 8 };
static const double TURN = 2 * 3.14159265358979323846;

/* 8 signals: four rising tones each, and a little noise */
static agn_tensor *signals(void)
{
    int64_t n = RATE * SECONDS;
    double *v = malloc((size_t)(n * SIGNALS) * sizeof *v);
    if (!v)
        bench_die("memory");
    for (int c = 0; c < SIGNALS; c++) {
        double *noise = bench_mix_of(n, -1, 1, c);
        for (int64_t i = 0; i < n; i++) {
            double t = (double)i / RATE, x = 0;
            for (int j = 1; j <= 4; j++)
                x += 0.2 * sin(TURN * (110.0 * j * (1 + c / 8.0) * t + (20.0 * j + c) * t * t / 2));
            v[c * n + i] = x + 0.01 * noise[i];
        }
        free(noise);
    }
    return bench_tensor_of(v, AGN_F32, 2, (int64_t[]){SIGNALS, n});
}

/* 60 s at 48 kHz */
static agn_tensor *sweep(void)
{
    int64_t n = 60 * 48000;
    double *v = malloc((size_t)n * sizeof *v);
    if (!v)
        bench_die("memory");
    for (int64_t i = 0; i < n; i++) {
        double t = (double)i / 48000;
        v[i] = 0.5 * sin(TURN * (50 * t + 40 * t * t)) + 0.2 * sin(TURN * 440 * t);
    }
    return bench_tensor_of(v, AGN_F32, 1, &n);
}

static agn_audio_mel_options bands(void)
{
    agn_audio_mel_options o = {
        .size = sizeof o, .n_bands = 128, .area = true, .n_coefficients = 40};
    o.spectrogram = (agn_audio_spectrogram_options){
        .size = sizeof o.spectrogram, .n_fft = 1024, .hop = 256};
    return o;
}

/* ---- features ------------------------------------------------------------------------------- */

typedef struct feature {
    agn_tensor *x, *y;
    int kind;
    const char *path;
} feature;

static void feature_call(void *user)
{
    feature *f = user;
    agn_audio_mel_options o = bands();
    agn_release(f->y);
    f->y = NULL;
    TRY(f->kind == 0   ? agn_audio_spectrogram(&f->y, f->x, &o.spectrogram)
        : f->kind == 1 ? agn_audio_mel_spectrogram(&f->y, f->x, RATE, &o)
        : f->kind == 2 ? agn_audio_log_mel_spectrogram(&f->y, f->x, RATE, &o)
        : f->kind == 3 ? agn_audio_mfcc(&f->y, f->x, RATE, &o)
        : f->kind == 4 ? agn_signal_resample_poly(&f->y, f->x, 1, 3, NULL)
                       : agn_sound_load(&f->y, NULL, f->path, NULL));
}

/* mean magnitude and root mean square; for resampled sound and files what of it filters leave
   alone */
static int feature_check(void *user, double *value)
{
    const feature *f = user;
    agn_tensor *wide = NULL, *y = NULL;
    TRY(agn_cast(&wide, f->y, AGN_F64));
    TRY(agn_contiguous(&y, wide));
    const double *v = agn_data(y);
    double n = (double)agn_numel(y), sum = 0, square = 0;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        sum += fabs(v[i]);
        square += v[i] * v[i];
    }
    agn_release(wide);
    agn_release(y);
    value[0] = f->kind < 4 ? sum / n : n;
    value[1] = f->kind < 5 ? sqrt(square / n) : sum / n;
    return 2;
}

static agn_status mean_log_mel(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    agn_audio_mel_options o = bands();
    (void)user;
    out[0] = ag_mean(s, ag_audio_log_mel_spectrogram(s, in[0], RATE, &o), NULL, 0, false);
    return AGN_OK;
}
static agn_status mean_mfcc(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    agn_audio_mel_options o = bands();
    (void)user;
    out[0] = ag_mean(s, ag_square(s, ag_audio_mfcc(s, in[0], RATE, &o)), NULL, 0, false);
    return AGN_OK;
}
static agn_status mean_resampled(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mean(s, ag_square(s, ag_signal_resample_poly(s, in[0], 1, 3, NULL)), NULL, 0,
                     false);
    return AGN_OK;
}

static void run_features(void)
{
    static const char *const ids[] = {"audio/spectrogram/8x30s-22k/f32", "audio/mel/8x30s-22k/f32",
                                      "audio/log-mel/8x30s-22k/f32", "audio/mfcc/8x30s-22k/f32",
                                      "audio/resample-48k-16k/60s/f32"};
    static const struct {
        const char *id;
        agn_body *body;
    } gradients[] = {{"audio/grad-log-mel/8x30s-22k/f32", mean_log_mel},
                     {"audio/grad-mfcc/8x30s-22k/f32", mean_mfcc},
                     {"audio/grad-resample-48k-16k/60s/f32", mean_resampled}};
    for (int k = 0; k < 5; k++) {
        if (!bench_asked(ids[k]))
            continue;
        feature f = {.x = k == 4 ? sweep() : signals(), .kind = k};
        bench_measure(ids[k], &(bench_work){feature_call, feature_check, &f, 0});
        agn_release(f.x);
        agn_release(f.y);
    }
    for (int k = 0; k < 3; k++) {
        if (!bench_asked(gradients[k].id))
            continue;
        task t = {.in = {k == 2 ? sweep() : signals()}, .check = bench_value_and_amounts};
        bench_gradient(gradients[k].id, &t, gradients[k].body, 1, 1);
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

/* two tones of 60 s at 44.1 kHz in 16 bits, as the peers write them */
static void run_files(void)
{
    static const char *const names[] = {"wav", "flac"};
    for (int k = 0; k < 2; k++) {
        char id[96], path[512];
        snprintf(id, sizeof id, "audio/load-%s/60s-44k-2ch/f32", names[k]);
        if (!bench_asked(id))
            continue;
        const char *tmp = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/agnesi-bench-60s.%s", tmp && *tmp ? tmp : "/tmp", names[k]);
        int64_t n = 60 * 44100;
        double *noise = bench_mix_of(n, -1, 1, 0), *v = malloc((size_t)(2 * n) * sizeof *v);
        if (!v)
            bench_die("memory");
        for (int64_t i = 0; i < n; i++) {
            double t = (double)i / 44100;
            v[i] = 0.5 * sin(TURN * (220 * t + 30 * t * t));
            v[n + i] = 0.5 * sin(TURN * 330 * t) + 0.1 * noise[i];
        }
        free(noise);
        agn_tensor *x = bench_tensor_of(v, AGN_F64, 2, (int64_t[]){2, n});
        agn_sound_save_options o = {.size = sizeof o,
                                    .container = k ? AGN_SOUND_FLAC : AGN_SOUND_WAV};
        TRY(agn_sound_save(path, x, 44100, &o));
        agn_release(x);
        feature f = {.kind = 5, .path = path};
        bench_measure(id, &(bench_work){feature_call, feature_check, &f, 0});
        agn_release(f.y);
        remove(path);
    }
}

void bench_audio(void)
{
    run_features();
    run_files();
}
