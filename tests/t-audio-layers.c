/* t-audio-layers - spectrograms as layers, spectra of cepstra, tables by lags, averages of neighbours,
   harmonics of a pitch, sounds of constant-Q magnitudes: each against its definition summed
   directly; derivatives in every mode; failures. */
#include "modes.h"

#include <agnesi/audio_music.h>

enum { BINS = 6, FRAMES = 5 };

static double rel(double a, double b)
{
    return fabs(a - b) / fmax(1, fabs(b));
}

static void test_layers(void)
{
    tally q = {0, 0};
    static const int32_t steps[] = {1, 20, 3000};
    rnd_stream("audio layers", "product");
    agn_tensor *w = random_of(AGN_F64, 2, (int64_t[]){BINS, 2}, 0.1, 1),
               *h = random_of(AGN_F64, 2, (int64_t[]){2, FRAMES}, 0.1, 1),
               *start = random_of(AGN_F64, 2, (int64_t[]){BINS, 2}, 0.2, 1), *x = NULL, *two = NULL;
    must(agn_matmul(&x, w, h));
    must(agn_stack(&two, (const agn_tensor *[]){x, x}, 2, 0));
    double last = (double)INFINITY;
    for (int k = 0; k < COUNT(steps); k++) {
        agn_tensor *c = NULL, *a = NULL, *y = NULL, *c2 = NULL, *a2 = NULL;
        must(agn_audio_decompose(&c, &a, x, start, steps[k]));
        must(agn_audio_decompose(&c2, &a2, two, start, steps[k]));
        must(agn_matmul(&y, c, a));
        double worst = 0, apart = 0, least = 0;
        for (int64_t i = 0; i < agn_numel(y); i++)
            worst = fmax(worst, fabs(peek(y, i) - peek(x, i)));
        for (int64_t i = 0; i < agn_numel(c2); i++)
            apart = fmax(apart, rel(peek(c2, i), peek(c, i % agn_numel(c))));
        for (int64_t i = 0; i < agn_numel(a); i++)
            least = fmin(least, peek(a, i));
        check(&q, worst < last && least >= 0 && apart < 1e-12 && agn_numel(c2) == 2 * agn_numel(c),
              "%d steps: %.1e off, batches %.1e", steps[k], worst, apart);
        last = worst;
        release_all((agn_tensor *[]){c, a, y, c2, a2}, 5);
    }
    check(&q, last < 1e-4, "a product of two layers: %.1e off", last);
    release_all((agn_tensor *[]){w, h, start, x, two}, 5);
    tell(&q, "a spectrogram of two layers");
}

static void test_cepstra(void)
{
    tally q = {0, 0};
    rnd_stream("audio layers", "cepstra");
    agn_tensor *p = random_of(AGN_F64, 3, (int64_t[]){2, BINS, FRAMES}, 0.01, 3), *db = NULL,
               *c = NULL, *y = NULL, *few = NULL;
    must(agn_audio_power_to_db(&db, p, 0.5, 1e-10, 0));
    must(agn_fft_dct(&c, db, 2, 0, -2, AGN_FFT_ORTHO));
    must(agn_audio_invert_mfcc(&y, c, BINS, 0.5));
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        worst = fmax(worst, rel(peek(y, i), peek(p, i)));
    check(&q, worst < 1e-12, "all coefficients: %.1e", worst);
    agn_release(y);
    /* the first coefficient alone: the geometric mean, in more bands too */
    must(agn_slice(&few, c, 3, (int64_t[]){0, 0, 0}, (int64_t[]){2, 1, FRAMES}, NULL));
    must(agn_audio_invert_mfcc(&y, few, BINS, 0.5));
    worst = 0;
    for (int b = 0; b < 2; b++)
        for (int t = 0; t < FRAMES; t++) {
            double sum = 0;
            for (int k = 0; k < BINS; k++)
                sum += log(peek(p, (b * BINS + k) * FRAMES + t));
            for (int k = 0; k < BINS; k++)
                worst = fmax(worst, rel(peek(y, (b * BINS + k) * FRAMES + t), exp(sum / BINS)));
        }
    check(&q, worst < 1e-12, "one coefficient: %.1e", worst);
    release_all((agn_tensor *[]){p, db, c, y, few}, 5);
    tell(&q, "bands of cepstra");
}

static void test_tables(void)
{
    tally q = {0, 0};
    rnd_stream("audio layers", "tables");
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){2, FRAMES, FRAMES}, 0, 1);
    for (int padded = 0; padded < 2; padded++) {
        agn_tensor *y = NULL, *back = NULL;
        int rows = FRAMES * (padded ? 2 : 1), bad = 0;
        must(agn_audio_recurrence_to_lags(&y, x, padded));
        must(agn_audio_lags_to_recurrence(&back, y));
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < FRAMES; j++) {
                    int at = (i + j) % rows;
                    double want = at < FRAMES ? peek(x, (b * FRAMES + at) * FRAMES + j) : 0;
                    bad += peek(y, (b * rows + i) * FRAMES + j) != want;
                }
        for (int64_t i = 0; i < agn_numel(x); i++)
            bad += peek(back, i) != peek(x, i);
        check(&q, !bad && agn_numel(back) == agn_numel(x), "%d of %d lags are wrong", bad, rows);
        release_all((agn_tensor *[]){y, back}, 2);
    }
    /* a table of truth values, in which a frame has no neighbour */
    static const bool near[FRAMES * FRAMES] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
                                               0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0};
    agn_tensor *table = NULL, *lags = NULL,
               *m = random_of(AGN_F64, 2, (int64_t[]){BINS, FRAMES}, -1, 1), *y = NULL;
    must(agn_from_host(&table, AGN_BOOL, 2, (int64_t[]){FRAMES, FRAMES}, near));
    must(agn_audio_recurrence_to_lags(&lags, table, true));
    check(&q, agn_dtype_of(lags) == AGN_BOOL && peek(lags, 1 * FRAMES) == 1, "truth values stay");
    must(agn_audio_average_neighbours(&y, m, table));
    double worst = 0;
    for (int k = 0; k < BINS; k++)
        for (int j = 0; j < FRAMES; j++) {
            double sum = 0, count = 0;
            for (int i = 0; i < FRAMES; i++) {
                sum += near[i * FRAMES + j] ? peek(m, k * FRAMES + i) : 0;
                count += near[i * FRAMES + j];
            }
            double want = count > 0 ? sum / count : peek(m, k * FRAMES + j);
            worst = fmax(worst, rel(peek(y, k * FRAMES + j), want));
        }
    check(&q, worst < 1e-15, "averages of neighbours: %.1e", worst);
    release_all((agn_tensor *[]){x, table, lags, m, y}, 5);
    tell(&q, "likenesses by lags, frames averaged");
}

static void test_pitch(void)
{
    static const double f[BINS] = {1, 2, 4, 5, 8, 13}, h[] = {1, 2, 0.5};
    const double pitch[FRAMES] = {1, 3.25, 13, (double)NAN, 0.25};
    tally q = {0, 0};
    rnd_stream("audio layers", "pitch");
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){BINS, FRAMES}, -1, 1),
               *p = of_reals(AGN_F64, 1, (int64_t[]){FRAMES}, pitch),
               *g = of_reals(AGN_F64, 1, (int64_t[]){BINS}, f), *y = NULL;
    must(agn_audio_pitch_harmonics(&y, x, p, g, h, COUNT(h)));
    for (int k = 0; k < COUNT(h); k++)
        for (int t = 0; t < FRAMES; t++) {
            double v = h[k] * pitch[t], want = 0;
            for (int i = 0; i + 1 < BINS; i++)
                if (v >= f[i] && v <= f[i + 1]) {
                    double u = (v - f[i]) / (f[i + 1] - f[i]);
                    want = (1 - u) * peek(x, i * FRAMES + t) + u * peek(x, (i + 1) * FRAMES + t);
                }
            check(&q, rel(peek(y, k * FRAMES + t), want) < 1e-15, "harmonic %g of %g is %g, not %g",
                  h[k], pitch[t], peek(y, k * FRAMES + t), want);
        }
    release_all((agn_tensor *[]){x, p, g, y}, 4);
    tell(&q, "harmonics of a pitch");
}

typedef agn_audio_constant_q_options constant_q_options;

/* how far magnitudes of y's transform are from x, over x */
static double apart_in_size(const agn_tensor *y, const agn_tensor *x, double rate,
                            const constant_q_options *o)
{
    agn_tensor *z = NULL;
    double off = 0, sum = 0;
    must(agn_audio_constant_q(&z, y, rate, o));
    for (int64_t i = 0; i < agn_numel(x); i++) {
        off += pow(cabs(peekz(z, i)) - peek(x, i), 2);
        sum += pow(peek(x, i), 2);
    }
    agn_release(z);
    return sqrt(off / sum);
}

static void test_magnitudes(void)
{
    enum { N = 1500 };
    static const double rate = 1000;
    tally q = {0, 0};
    static double v[N];
    for (int i = 0; i < N; i++)
        v[i] = sin(0.9 * i / (1 + 1e-4 * i)) * sin(3.14159 * i / N) + 0.4 * cos(0.5 * i);
    constant_q_options o = {
        .size = sizeof o, .hop = 8, .f_min = 40, .n_bins = 40, .bins_per_octave = 12};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){N}, v), *z = NULL, *size = NULL, *phase = NULL,
               *y = NULL, *want = NULL;
    must(agn_audio_constant_q(&z, x, rate, &o));
    must(agn_abs(&size, z));
    must(agn_angle(&phase, z));
    must(agn_audio_inverse_constant_q(&want, z, rate, N, 8, &o));
    must(agn_audio_griffin_lim_constant_q(&y, size, phase, rate, N, 0, 0.9, 8, &o));
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(peek(y, i) - peek(want, i)));
    check(&q, worst < 1e-9, "with its phases: %.1e off the inverse", worst);
    agn_release(y);
    double off[2];
    for (int k = 0; k < 2; k++) {
        must(agn_audio_griffin_lim_constant_q(&y, size, NULL, rate, N, k ? 12 : 0, 0.9, 4, &o));
        off[k] = apart_in_size(y, size, rate, &o);
        agn_release(y);
    }
    check(&q, off[1] < 0.5 * off[0], "magnitudes %.2f off, after 12 iterations %.2f", off[0],
          off[1]);
    release_all((agn_tensor *[]){x, z, size, phase, want}, 5);
    tell(&q, "a sound of constant-Q magnitudes");
}

/* ---- derivatives ----------------------------------------------------------------------------- */

enum { COMPONENTS, ACTIVATIONS, CEPSTRA, LAGS, BACK, AVERAGE, PITCH, MAGNITUDES, BODIES };
static const char *const names[] = {"components", "activations", "cepstra", "lags",
                                    "back",       "average",     "pitch",   "magnitudes"};
static agn_tensor *rising;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    static const double h[] = {1, 1.7};
    agn_tensor *part[2] = {NULL};
    agn_status st;
    constant_q_options o = {
        .size = sizeof o, .hop = 4, .f_min = 10, .n_bins = 4, .bins_per_octave = 3};
    switch (*(int *)user) {
    case COMPONENTS:
    case ACTIVATIONS:
        st = agn_audio_decompose(&part[0], &part[1], x[0], ag_slice(s, x[0], 2, (int64_t[]){0, 0},
                                                                   (int64_t[]){4, 2}, NULL), 3);
        y[0] = agn_scope_adopt(s, st, &part[*(int *)user == ACTIVATIONS]);
        agn_release(part[*(int *)user != ACTIVATIONS]);
        break;
    case CEPSTRA:
        y[0] = ag_audio_invert_mfcc(s, x[0], 6, 0.7);
        break;
    case LAGS:
        y[0] = ag_square(s, ag_audio_recurrence_to_lags(s, x[0], true));
        break;
    case BACK:
        y[0] = ag_square(s, ag_audio_lags_to_recurrence(s, x[0]));
        break;
    case AVERAGE:
        y[0] = ag_audio_average_neighbours(s, x[0], x[0]);
        break;
    case PITCH:
        y[0] = ag_audio_pitch_harmonics(s, x[0], ag_add_c(s, ag_index_axis(s, x[0], 0, 1), 1.1),
                                        rising, h, 2);
        break;
    default:
        y[0] = ag_audio_griffin_lim_constant_q(s, x[0], x[0], 200, 12, 1, 0.5, 1, &o);
    }
    return AGN_OK;
}

static void test_modes(void)
{
    must(agn_arange(&rising, AGN_F64, 1, 5, 1));
    for (int what = 0; what < BODIES; what++) {
        rnd_stream("audio layers", names[what]);
        agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 0.3, 0.8);
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 1, 1));
        in_every_mode(f, 1, (const agn_tensor *const[]){x}, 1e-3, 1e-5, names[what]);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

static agn_tensor *out = untouched, *other = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_layers(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z)
{
    static const char de[] = "audio_decompose", mf[] = "audio_invert_mfcc",
                      rl[] = "audio_recurrence_to_lags", lr[] = "audio_lags_to_recurrence",
                      av[] = "audio_average_neighbours";
    agn_tensor *square = random_of(AGN_F64, 2, (int64_t[]){5, 5}, 0, 1);
    NO(agn_audio_decompose(NULL, &out, m, m, 3), AGN_ENULL, de, "components", "NULL");
    NO(agn_audio_decompose(&other, NULL, m, m, 3), AGN_ENULL, de, "out", "NULL");
    NO(agn_audio_decompose(&other, &out, NULL, m, 3), AGN_ENULL, de, "x is", "NULL");
    NO(agn_audio_decompose(&other, &out, m, NULL, 3), AGN_ENULL, de, "start", "NULL");
    NO(agn_audio_decompose(&other, &out, z, m, 3), AGN_EDTYPE, de, "c64", "real");
    NO(agn_audio_decompose(&other, &out, m, z, 3), AGN_EDTYPE, de, "c64", "real");
    NO(agn_audio_decompose(&other, &out, x, m, 3), AGN_ESHAPE, de, "[40]", "bins");
    NO(agn_audio_decompose(&other, &out, m, square, 3), AGN_ESHAPE, de, "[5,5]", "[6,5]");
    NO(agn_audio_decompose(&other, &out, m, m, 0), AGN_EARG, de, "0 iterations", "100000");
    NO(agn_audio_invert_mfcc(NULL, m, 8, 1), AGN_ENULL, mf, "out", "NULL");
    NO(agn_audio_invert_mfcc(&out, NULL, 8, 1), AGN_ENULL, mf, "x is", "NULL");
    NO(agn_audio_invert_mfcc(&out, z, 8, 1), AGN_EDTYPE, mf, "c64", "real");
    NO(agn_audio_invert_mfcc(&out, x, 8, 1), AGN_ESHAPE, mf, "[40]", "frames");
    NO(agn_audio_invert_mfcc(&out, m, 5, 1), AGN_ESHAPE, mf, "5 bands", "[6,5]");
    NO(agn_audio_invert_mfcc(&out, m, 6, 0), AGN_EARG, mf, "reference of 0", "[6,5]");
    NO(agn_audio_recurrence_to_lags(NULL, m, true), AGN_ENULL, rl, "out", "NULL");
    NO(agn_audio_recurrence_to_lags(&out, NULL, true), AGN_ENULL, rl, "x is", "NULL");
    NO(agn_audio_recurrence_to_lags(&out, z, true), AGN_EDTYPE, rl, "c64", "real");
    NO(agn_audio_recurrence_to_lags(&out, m, true), AGN_ESHAPE, rl, "[6,5]", "n, n");
    NO(agn_audio_lags_to_recurrence(NULL, m), AGN_ENULL, lr, "out", "NULL");
    NO(agn_audio_lags_to_recurrence(&out, NULL), AGN_ENULL, lr, "x is", "NULL");
    NO(agn_audio_lags_to_recurrence(&out, z), AGN_EDTYPE, lr, "c64", "real");
    NO(agn_audio_lags_to_recurrence(&out, m), AGN_ESHAPE, lr, "[6,5]", "n, n");
    NO(agn_audio_average_neighbours(NULL, m, square), AGN_ENULL, av, "out", "NULL");
    NO(agn_audio_average_neighbours(&out, NULL, square), AGN_ENULL, av, "x is", "NULL");
    NO(agn_audio_average_neighbours(&out, m, NULL), AGN_ENULL, av, "table", "NULL");
    NO(agn_audio_average_neighbours(&out, z, square), AGN_EDTYPE, av, "c64", "real");
    NO(agn_audio_average_neighbours(&out, m, z), AGN_EDTYPE, av, "c64", "real");
    NO(agn_audio_average_neighbours(&out, x, square), AGN_ESHAPE, av, "[40]", "frames");
    NO(agn_audio_average_neighbours(&out, m, m), AGN_ESHAPE, av, "[6,5]", "[5,5]");
    agn_tensor *lags = NULL;
    must(agn_audio_recurrence_to_lags(&lags, square, true));
    NO(agn_audio_recurrence_to_lags(&out, lags, true), AGN_ESHAPE, rl, "[10,5]", "n, n");
    release_all((agn_tensor *[]){square, lags}, 2);
}

static void refuse_pitches(tally *q, agn_tensor *x, agn_tensor *m, agn_tensor *z)
{
    static const char ph[] = "audio_pitch_harmonics", gl[] = "audio_griffin_lim_constant_q";
    static const double h[] = {1, 2}, bad[] = {1, -2}, falls[] = {1, 2, 3, 2.5, 5, 6};
    agn_tensor *f = NULL, *p = of_reals(AGN_F64, 1, (int64_t[]){5}, falls),
               *down = of_reals(AGN_F64, 1, (int64_t[]){6}, falls);
    must(agn_arange(&f, AGN_F64, 1, 7, 1));
    NO(agn_audio_pitch_harmonics(NULL, m, p, f, h, 2), AGN_ENULL, ph, "out", "NULL");
    NO(agn_audio_pitch_harmonics(&out, NULL, p, f, h, 2), AGN_ENULL, ph, "x is", "NULL");
    NO(agn_audio_pitch_harmonics(&out, m, NULL, f, h, 2), AGN_ENULL, ph, "pitch", "NULL");
    NO(agn_audio_pitch_harmonics(&out, m, p, NULL, h, 2), AGN_ENULL, ph, "frequencies", "NULL");
    NO(agn_audio_pitch_harmonics(&out, m, p, f, NULL, 2), AGN_ENULL, ph, "harmonics", "NULL");
    NO(agn_audio_pitch_harmonics(&out, z, p, f, h, 2), AGN_EDTYPE, ph, "c64", "real");
    NO(agn_audio_pitch_harmonics(&out, m, z, f, h, 2), AGN_EDTYPE, ph, "c64", "real");
    NO(agn_audio_pitch_harmonics(&out, m, p, z, h, 2), AGN_EDTYPE, ph, "c64", "real");
    NO(agn_audio_pitch_harmonics(&out, m, f, f, h, 2), AGN_ESHAPE, ph, "[6,5]", "[6]");
    NO(agn_audio_pitch_harmonics(&out, m, p, x, h, 2), AGN_ESHAPE, ph, "[40]", "[6]");
    NO(agn_audio_pitch_harmonics(&out, m, p, f, h, 0), AGN_EARG, ph, "0 harmonics", "1024");
    NO(agn_audio_pitch_harmonics(&out, m, p, f, bad, 2), AGN_EARG, ph, "harmonic 1 is -2",
       "positive");
    NO(agn_audio_pitch_harmonics(&out, m, p, down, h, 2), AGN_EDOMAIN, ph, "frequency 3", "2.5");
    constant_q_options o = {
        .size = sizeof o, .hop = 4, .f_min = 10, .n_bins = 6, .bins_per_octave = 3};
    NO(agn_audio_griffin_lim_constant_q(NULL, m, NULL, 200, 16, 1, 0, 1, &o), AGN_ENULL, gl, "out",
       "NULL");
    NO(agn_audio_griffin_lim_constant_q(&out, NULL, NULL, 200, 16, 1, 0, 1, &o), AGN_ENULL, gl,
       "x is", "NULL");
    NO(agn_audio_griffin_lim_constant_q(&out, z, NULL, 200, 16, 1, 0, 1, &o), AGN_EDTYPE, gl, "c64",
       "real");
    NO(agn_audio_griffin_lim_constant_q(&out, m, z, 200, 16, 1, 0, 1, &o), AGN_EDTYPE, gl, "c64",
       "real");
    NO(agn_audio_griffin_lim_constant_q(&out, m, x, 200, 16, 1, 0, 1, &o), AGN_ESHAPE, gl, "[40]",
       "[6,5]");
    NO(agn_audio_griffin_lim_constant_q(&out, m, NULL, 200, 24, 1, 0, 1, &o), AGN_ESHAPE, gl,
       "[6,5]", "24");
    NO(agn_audio_griffin_lim_constant_q(&out, m, NULL, 200, 16, -1, 0, 1, &o), AGN_EARG, gl,
       "-1 iterations", "[6,5]");
    NO(agn_audio_griffin_lim_constant_q(&out, m, NULL, 200, 16, 1, -1, 1, &o), AGN_EARG, gl,
       "momentum of -1", "[6,5]");
    NO(agn_audio_griffin_lim_constant_q(&out, m, NULL, 200, 16, 1, 0, 0, &o), AGN_EARG, gl,
       "0 iterations", "1000");
    release_all((agn_tensor *[]){f, p, down}, 3);
}

typedef struct making {
    int what;
    agn_tensor *x, *p, *f;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    static const double h[] = {1, 2};
    const making *a = user;
    agn_tensor *more = NULL;
    agn_status st;
    constant_q_options o = {
        .size = sizeof o, .hop = 4, .f_min = 10, .n_bins = 5, .bins_per_octave = 3};
    switch (a->what) {
    case COMPONENTS:
    case ACTIVATIONS:
        st = agn_audio_decompose(y, &more, a->x, a->x, 2);
        if (!st)
            agn_release(more);
        return st;
    case CEPSTRA:
        return agn_audio_invert_mfcc(y, a->x, 8, 1);
    case LAGS:
        return agn_audio_recurrence_to_lags(y, a->x, true);
    case BACK:
        return agn_audio_lags_to_recurrence(y, a->x);
    case AVERAGE:
        return agn_audio_average_neighbours(y, a->x, a->x);
    case PITCH:
        return agn_audio_pitch_harmonics(y, a->x, a->p, a->f, h, 2);
    default:
        return agn_audio_griffin_lim_constant_q(y, a->x, NULL, 200, 16, 1, 0, 1, &o);
    }
}

int main(void)
{
    tally q = {0, 0};
    test_layers();
    test_cepstra();
    test_tables();
    test_pitch();
    test_magnitudes();
    test_modes();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){40}, 0.1, 1),
               *m = random_of(AGN_F64, 2, (int64_t[]){6, 5}, 0.1, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){4, 5}, -1, 1);
    refuse_layers(&q, x, m, z);
    refuse_pitches(&q, x, m, z);
    check(&q, other == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0, random_of(AGN_F64, 2, (int64_t[]){5, 5}, 0.1, 1),
                random_of(AGN_F64, 1, (int64_t[]){5}, 1, 3), NULL};
    must(agn_arange(&a.f, AGN_F64, 1, 6, 1));
    for (; a.what < BODIES; a.what++)
        every_allocation(make, &a, names[a.what]);
    release_all((agn_tensor *[]){x, m, z, a.x, a.p, a.f, rising}, 7);
    return done();
}
