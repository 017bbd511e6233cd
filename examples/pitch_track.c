/* pitch_track.c - the pitch of a voice that slides, breaks off and comes back, in noise: minima of
   YIN's difference, and the likeliest path through them (Mauch & Dixon 2014). Draws
   pitch_track.svg: spectrogram with the track, bands of mel, and the pitch that was sung beside
   what was found. */
#include "picture_grid.h"

#include <agnesi/agnesi.h>
#include <math.h>

enum { RATE = 8000, N = 20000, FRAME = 1024, HOP = 160, FRAMES = 1 + N / HOP, BINS = FRAME / 8 };
#define PI 3.14159265358979323846

/* what is sung at time t, in Hz; 0: nothing */
static double sung(double t)
{
    if (t < 0.1 || t > 2.4 || (t >= 1 && t < 1.2))
        return 0;
    double slide = t < 1 ? 150 * exp2(t - 0.1) : 330 * exp2(-0.8 * (t - 1.2));
    return slide * exp2(0.02 * sin(2 * PI * 5.5 * t)); /* a quarter of a semitone of vibrato */
}

static double draw(uint64_t *seed) /* in [-1, 1) */
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* eight partials, of which the second and third are the loudest, and noise */
static void sing(double *x)
{
    static const double loud[8] = {0.4, 1, 0.8, 0.3, 0.25, 0.15, 0.1, 0.05};
    double phase = 0, level = 0;
    uint64_t seed = 1;
    for (int i = 0; i < N; i++) {
        double f = sung((double)i / RATE);
        phase += 2 * PI * f / RATE;
        level += ((f > 0) - level) / 80; /* within 10 ms */
        x[i] = 0.25 * draw(&seed);
        for (int k = 0; k < 8; k++)
            x[i] += 0.3 * level * loud[k] * sin((k + 1) * phase);
    }
}

typedef struct track {
    agn_tensor *power, *bands, *pitch, *voice;
} track;

static agn_status find_pitch(track *q, const double *x)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sound = ag_from_host(s, AGN_F64, 1, (const int64_t[]){N}, x);
    agn_audio_mel_options mel = {.size = sizeof mel, .n_bands = 40, .range = 60};
    mel.spectrogram = (agn_audio_spectrogram_options){
        .size = sizeof mel.spectrogram, .n_fft = FRAME, .win_length = FRAME / 2, .hop = HOP};
    const agn_tensor *power = ag_audio_spectrogram(s, sound, &mel.spectrogram);
    agn_scope_return(s, &q->power, ag_audio_power_to_db(s, power, 1, 1e-10, 60));
    agn_scope_return(s, &q->bands, ag_audio_log_mel_spectrogram(s, sound, RATE, &mel));
    agn_status st = agn_audio_pyin(&q->pitch, &q->voice, sound, RATE, 80, 500, FRAME, HOP);
    agn_status closed = agn_scope_close(s);
    return st ? st : closed;
}

/* decibels, [rows, columns], to 0 .. 1; of the rows the first rows */
static void draw_table(FILE *f, double y, double height, const agn_tensor *db, int rows)
{
    static double t[FRAMES * BINS];
    const double *v = agn_data(db);
    double top = -1e300;
    for (int i = 0; i < rows * FRAMES; i++)
        top = fmax(top, v[i]);
    for (int i = 0; i < rows * FRAMES; i++)
        t[i] = 1 + (v[i] - top) / 60;
    picture_grid(f, 10, y, 6 * FRAMES, height, t, rows, FRAMES);
}

static void draw_track(const track *q)
{
    const double *pitch = agn_data(q->pitch);
    FILE *f = picture_open("pitch_track.svg", 20 + 6 * FRAMES, 640);
    double x[2 * FRAMES], y[2 * FRAMES];
    draw_table(f, 20, 240, q->power, BINS); /* to 1000 Hz */
    for (int t = 0; t < FRAMES; t++)
        if (!isnan(pitch[t]))
            picture_disc(f, 13 + 6 * t, 260 - 240 * pitch[t] / 1000, 2, 1);
    picture_word(f, 16, 36, "white", "spectrogram to 1000 Hz, and the track");
    draw_table(f, 270, 160, q->bands, 40);
    picture_word(f, 16, 286, "white", "40 bands of mel");
    picture_word(f, 16, 456, "black", "80 to 400 Hz: sung (line), found (discs)");
    for (int begin = 0, t = 0; t <= 2 * FRAMES; t++) { /* a curve for each stretch that is sung */
        double hz = t < 2 * FRAMES ? sung(0.5 * t * HOP / RATE) : 0;
        x[t - begin] = 13 + 3 * t;
        y[t - begin] = 630 - 80 * log2(hz / 80);
        if (hz == 0) {
            if (t > begin)
                picture_curve(f, t - begin, x, y, "black");
            begin = t + 1;
        }
    }
    for (int t = 0; t < FRAMES; t++)
        if (!isnan(pitch[t]))
            picture_disc(f, 13 + 6 * t, 630 - 80 * log2(pitch[t] / 80), 2, 0.4);
    picture_close(f);
}

static double semitones(double found, double hz)
{
    return fabs(12 * log2(found / hz));
}

static void report(const track *q)
{
    const double *pitch = agn_data(q->pitch);
    int voiced = 0, near = 0, right = 0;
    printf("%5s %7s %7s\n", "s", "sung", "found");
    for (int t = 0; t < FRAMES; t++) {
        double hz = sung((double)t * HOP / RATE);
        if (t % 10 == 0 && isnan(pitch[t]))
            printf("%5.2f %7.1f %7s\n", (double)t * HOP / RATE, hz, "-");
        else if (t % 10 == 0)
            printf("%5.2f %7.1f %7.1f\n", (double)t * HOP / RATE, hz, pitch[t]);
        right += isnan(pitch[t]) == (hz == 0);
        if (hz == 0 || isnan(pitch[t]))
            continue;
        voiced++;
        near += semitones(pitch[t], hz) < 0.5;
    }
    printf("voice or none: right in %d of %d frames\n", right, FRAMES);
    printf("within half a semitone: %d of %d\n", near, voiced);
}

int main(void)
{
    static double x[N];
    track q = {NULL, NULL, NULL, NULL};
    sing(x);
    agn_status st = find_pitch(&q, x);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        report(&q);
        draw_track(&q);
    }
    agn_tensor *all[] = {q.power, q.bands, q.pitch, q.voice};
    for (int i = 0; i < 4; i++)
        agn_release(all[i]);
    return st != AGN_OK;
}
