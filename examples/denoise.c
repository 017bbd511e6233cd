/* denoise.c - a filter that learns: three sections, given by frequency and quality, run forwards
   and backwards (no delay), are moved by the gradient of the error that they leave, through both
   recursions. Learnt on one draw of the noise, tried on another. Draws denoise.svg: sound, sound
   in noise, what the filter makes of it, before and after; its gains before and after. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { RATE = 8000, N = 4096, SECTIONS = 3, POINTS = 240, WAVE = 1300 };
#define PI 3.14159265358979323846

static const int32_t kinds[SECTIONS] = {AGN_BIQUAD_HIGH_PASS, AGN_BIQUAD_LOW_PASS,
                                        AGN_BIQUAD_NOTCH};

static double draw(uint64_t *seed) /* in [-1, 1) */
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* plucked tones near 500 and 1100 Hz */
static void pluck(double *x)
{
    for (int i = 0; i < N; i++) {
        double t = (double)(i % 1024) / RATE, rise = 1 - exp(-t * 300);
        x[i] = rise * exp(-t * 18) * (sin(2 * PI * 510 * t) + 0.6 * sin(2 * PI * 1090 * t));
    }
}

/* x, a hum, a whistle and white noise */
static void add_noise(double *y, const double *x, uint64_t seed)
{
    double start = PI * draw(&seed);
    for (int i = 0; i < N; i++) {
        double t = (double)i / RATE;
        y[i] = x[i] + 0.4 * sin(2 * PI * 60 * t + start) + 0.5 * sin(2 * PI * 780 * t - start);
        y[i] += 0.6 * draw(&seed);
    }
}

/* the sections of p, [2, SECTIONS]: logarithms of frequency and quality */
static const agn_tensor *make_sections(agn_scope *s, const agn_tensor *p)
{
    const agn_tensor *part[SECTIONS], *row[2];
    p = ag_exp(s, p);
    for (int64_t k = 0; k < SECTIONS; k++) {
        for (int64_t r = 0; r < 2; r++)
            row[r] = ag_reshape(
                s, ag_slice(s, p, 2, (int64_t[]){r, k}, (int64_t[]){r + 1, k + 1}, NULL), 1,
                (int64_t[]){1});
        part[k] = ag_audio_biquad(s, kinds[k], row[0], row[1], NULL, RATE);
    }
    return ag_concat(s, part, SECTIONS, 0);
}

/* in: sections, sound in noise, sound; out: mean square of what is left */
static agn_status left_over(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *y = ag_signal_sosfiltfilt(s, make_sections(s, in[0]), in[1]);
    out[0] = ag_mean_all(s, ag_square(s, ag_sub(s, y, in[2])));
    return agn_scope_status(s);
}

/* what a filter makes of sound in noise, and its gains, in dB, at POINTS frequencies */
typedef struct result {
    double y[N], gain[POINTS], ratio; /* of powers of sound and rest, in dB */
} result;

static double compare_power(const double *x, const double *y)
{
    double sound = 0, rest = 0;
    for (int i = 0; i < N; i++) {
        sound += x[i] * x[i];
        rest += (y[i] - x[i]) * (y[i] - x[i]);
    }
    return 10 * log10(sound / rest);
}

static agn_status run_filter(result *to, const agn_tensor *p, const double *clean,
                             const double *noisy)
{
    double w[POINTS];
    for (int k = 0; k < POINTS; k++)
        w[k] = PI * (k + 0.5) / POINTS;
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = NULL, *h = NULL;
    const agn_tensor *sos = make_sections(s, p);
    const agn_tensor *x = ag_from_host(s, AGN_F64, 1, (int64_t[]){N}, noisy);
    agn_scope_return(s, &y, ag_contiguous(s, ag_signal_sosfiltfilt(s, sos, x)));
    const agn_tensor *at = ag_from_host(s, AGN_F64, 1, (int64_t[]){POINTS}, w);
    agn_scope_return(s, &h, ag_signal_sosfreqz(s, sos, at));
    agn_status st = agn_scope_close(s);
    if (!st) {
        for (int i = 0; i < N; i++)
            to->y[i] = ((const double *)agn_data(y))[i];
        for (int k = 0; k < POINTS; k++) /* twice: forwards and backwards */
            to->gain[k] = 40 * log10(cabs(((const double complex *)agn_data(h))[k]) + 1e-9);
        to->ratio = compare_power(clean, to->y);
    }
    agn_release(y);
    agn_release(h);
    return st;
}

static void draw_wave(FILE *f, double y, const double *x, const char *colour, const char *word)
{
    double at[WAVE], up[WAVE];
    for (int i = 0; i < WAVE; i++) {
        at[i] = 10 + 600.0 * i / WAVE;
        up[i] = y - 28 * fmax(-1.6, fmin(1.6, x[i]));
    }
    picture_curve(f, WAVE, at, up, colour);
    picture_word(f, 640, y + 4, "black", word);
}

static void draw_result(const double *clean, const double *noisy, const result *before,
                        const result *after)
{
    FILE *f = picture_open("denoise.svg", 780, 640);
    double at[POINTS], up[POINTS], zero[2] = {410, 410}, ends[2] = {10, 10 + 600};
    draw_wave(f, 50, clean, "black", "sound");
    draw_wave(f, 140, noisy, "rgb(180,60,50)", "in noise");
    draw_wave(f, 230, before->y, "rgb(33,145,140)", "filter, before");
    draw_wave(f, 320, after->y, "rgb(59,82,139)", "after");
    picture_curve(f, 2, ends, zero, "lightgrey");
    picture_word(f, 640, 414, "grey", "0 dB");
    picture_word(f, 10, 634, "black", "gain from 0 to 4000 Hz: before (green), after (blue)");
    for (int r = 0; r < 2; r++) {
        for (int k = 0; k < POINTS; k++) {
            at[k] = 10 + 600 * (k + 0.5) / POINTS;
            up[k] = fmin(610, 410 - 4 * (r ? after : before)->gain[k]);
        }
        picture_curve(f, POINTS, at, up, r ? "rgb(59,82,139)" : "rgb(33,145,140)");
    }
    picture_close(f);
}

int main(void)
{
    static double clean[N], noisy[2][N];
    static result before, after, unseen;
    const double first[2][SECTIONS] = {{log(200), log(2500), log(850)},
                                       {log(0.7), log(0.7), log(2)}};
    agn_tensor *in[3] = {NULL, NULL, NULL}, *best = NULL;
    agn_fn *f = NULL;
    pluck(clean);
    add_noise(noisy[0], clean, 1);
    add_noise(noisy[1], clean, 2);
    agn_status st = agn_from_host(&in[0], AGN_F64, 2, (int64_t[]){2, SECTIONS}, first);
    st = st ? st : agn_from_host(&in[1], AGN_F64, 1, (int64_t[]){N}, noisy[0]);
    st = st ? st : agn_from_host(&in[2], AGN_F64, 1, (int64_t[]){N}, clean);
    st = st ? st : agn_fn_new(&f, left_over, NULL, NULL, 3, 1);
    st = st ? st
            : agn_fn_minimise(&best, 1, NULL, NULL, f, (const agn_tensor *const *)in, 3,
                              AGN_OPTIM_BFGS, 120, NULL);
    st = st ? st : run_filter(&before, in[0], clean, noisy[0]);
    st = st ? st : run_filter(&after, best, clean, noisy[0]);
    st = st ? st : run_filter(&unseen, best, clean, noisy[1]);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        const double *p = agn_data(best);
        static const char *const name[] = {"high pass", "low pass", "notch"};
        printf("sound over noise: %.0f dB\n", compare_power(clean, noisy[0]));
        printf("first filter: %.0f dB, learnt: %.0f dB, on other noise: %.0f dB\n", before.ratio,
               after.ratio, unseen.ratio);
        for (int k = 0; k < SECTIONS; k++)
            printf("%-9s %4.0f Hz -> %4.0f Hz, quality %3.1f -> %3.1f\n", name[k], exp(first[0][k]),
                   exp(p[k]), exp(first[1][k]), exp(p[SECTIONS + k]));
        draw_result(clean, noisy[0], &before, &after);
    }
    for (int k = 0; k < 3; k++)
        agn_release(in[k]);
    agn_release(best);
    agn_fn_release(f);
    return st != AGN_OK;
}
