/* front_end.c - a front end that learns (after Zeghidour et al. 2021): bands of a spectrogram by
   filters whose centres and widths are parameters, beside those of a small classifier, with
   gradients through all of it from raw sound. Three kinds of sound differ in partials that the
   filters they start from, spaced by mel, see as one. Draws front_end.svg: mean spectra of the
   kinds, filters before and after. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <math.h>
#include <stdint.h>

enum {
    RATE = 8000,
    N = 2048,
    SOUNDS = 60,
    KINDS = 3,
    FFT = 512,
    BINS = FFT / 2 + 1,
    BANDS = 6,
    PARAMS = 4
};
#define PI 3.14159265358979323846

static double draw(uint64_t *seed) /* in [-1, 1) */
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* a low tone of any pitch, partials near 3 kHz by kind, noise */
static void make_sound(double *x, int kind, uint64_t *seed)
{
    static const double partial[KINDS] = {2900, 3020, 3140};
    double low = 300 + 150 * draw(seed), high = partial[kind] + 15 * draw(seed), start[2];
    for (int k = 0; k < 2; k++)
        start[k] = PI * draw(seed);
    for (int i = 0; i < N; i++) {
        double t = 2 * PI * i / RATE;
        x[i] = sin(low * t + start[0]) + 0.3 * sin(high * t + start[1]) + 0.5 * draw(seed);
    }
}

typedef struct sounds {
    agn_tensor *x, *kind; /* [SOUNDS, N], [SOUNDS] */
} sounds;

static agn_status make_sounds(sounds *q, uint64_t seed)
{
    static double x[SOUNDS][N];
    int64_t kind[SOUNDS];
    for (int i = 0; i < SOUNDS; i++) {
        kind[i] = i % KINDS;
        make_sound(x[i], i % KINDS, &seed);
    }
    agn_status st = agn_from_host(&q->x, AGN_F64, 2, (int64_t[]){SOUNDS, N}, x);
    return st ? st : agn_from_host(&q->kind, AGN_I64, 1, (int64_t[]){SOUNDS}, kind);
}

/* bumps exp(-(f - centre)^2 / (2 width^2)), [BANDS, BINS], frequencies as parts of half the rate */
static const agn_tensor *make_filters(agn_scope *s, const agn_tensor *centre,
                                      const agn_tensor *log_width)
{
    const agn_tensor *f = ag_mul_c(s, ag_arange(s, AGN_F64, 0, BINS, 1), 1.0 / (BINS - 1));
    const agn_tensor *d = ag_div(s, ag_sub(s, f, centre), ag_exp(s, log_width));
    return ag_exp(s, ag_mul_c(s, ag_square(s, d), -0.5));
}

/* in: weights and biases of kinds, centres and logarithms of widths [BANDS, 1], sounds */
static const agn_tensor *classify(agn_scope *s, const agn_tensor *const *in)
{
    agn_audio_mel_options as = {.size = sizeof as, .n_bands = BANDS};
    as.spectrogram.n_fft = FFT;
    as.filters = make_filters(s, in[2], in[3]);
    const agn_tensor *bands = ag_audio_mel_spectrogram(s, in[4], RATE, &as);
    const agn_tensor *mean = ag_mean(s, bands, (const int32_t[]){-1}, 1, false);
    return ag_nn_linear(s, ag_log(s, ag_add_c(s, mean, 1)), in[0], in[1]);
}

/* out: the cross entropy, with small weights preferred; the part that is right */
static agn_status judge(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    const agn_tensor *y = classify(s, in);
    const agn_tensor *right = ag_eq(s, ag_argmax(s, y, 1, false), in[5]);
    const agn_tensor *size = ag_mul_c(s, ag_sum_all(s, ag_square(s, in[0])), 1e-3);
    out[0] = ag_add(s, size, ag_nn_cross_entropy(s, y, in[5], 1, NULL));
    out[1] = ag_mean_all(s, ag_cast(s, right, AGN_F64));
    return agn_scope_status(s);
}

/* weights 0, filters where those of mel are */
static agn_status start(agn_tensor **p)
{
    static const int64_t shape[PARAMS][2] = {{KINDS, BANDS}, {KINDS, 1}, {BANDS, 1}, {BANDS, 1}};
    double v[PARAMS][KINDS * BANDS] = {{0}}, top = log(1 + RATE / 2 / 700.0), edge[BANDS + 2];
    agn_status st = AGN_OK;
    for (int k = 0; k < BANDS + 2; k++)
        edge[k] = 700 * (exp(top * k / (BANDS + 1)) - 1) / (RATE / 2);
    for (int k = 0; k < BANDS; k++) {
        v[2][k] = edge[k + 1];
        v[3][k] = log((edge[k + 2] - edge[k]) / 4);
    }
    for (int k = 0; k < PARAMS && !st; k++)
        st = agn_from_host(&p[k], AGN_F64, k == 1 ? 1 : 2, shape[k], v[k]);
    return st;
}

/* the first n of p are trained; right: parts of the sounds, and of sounds never seen */
static agn_status train(agn_tensor **best, double *right, const agn_fn *f, agn_tensor **p,
                        int32_t n, const sounds *seen, const sounds *unseen)
{
    const agn_tensor *in[PARAMS + 2] = {p[0], p[1], p[2], p[3], seen->x, seen->kind};
    agn_status st = agn_fn_minimise(best, n, NULL, NULL, f, in, PARAMS + 2, AGN_OPTIM_LBFGS, 150,
                                    NULL);
    for (int k = 0; k < n && !st; k++)
        in[k] = best[k];
    for (int k = 0; k < 2 && !st; k++) {
        agn_tensor *y[2] = {NULL, NULL};
        in[PARAMS] = k ? unseen->x : seen->x;
        in[PARAMS + 1] = k ? unseen->kind : seen->kind;
        st = agn_fn_call(y, 2, f, in, PARAMS + 2);
        right[k] = st ? 0 : *(const double *)agn_data(y[1]);
        agn_release(y[0]);
        agn_release(y[1]);
    }
    return st;
}

/* ---- the picture ---- */

static void draw_rows(FILE *f, double bottom, const double *v, int rows, double scale)
{
    static const char *const colour[] = {"rgb(68,1,84)",   "rgb(33,145,140)", "rgb(222,160,20)",
                                         "rgb(180,60,50)", "rgb(59,82,139)",  "rgb(94,140,98)"};
    double x[BINS], y[BINS];
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < BINS; k++) {
            x[k] = 10 + 3.0 * k;
            y[k] = bottom - scale * v[r * BINS + k];
        }
        picture_curve(f, BINS, x, y, colour[r]);
    }
}

/* rows of mean spectra, in decibels over their least */
static const agn_tensor *average(agn_scope *s, const sounds *q)
{
    agn_audio_spectrogram_options as = {.size = sizeof as, .n_fft = FFT};
    const agn_tensor *power = ag_mean(s, ag_audio_spectrogram(s, q->x, &as), (const int32_t[]){-1},
                                      1, false);
    const agn_tensor *one = ag_nn_one_hot(s, q->kind, KINDS, AGN_F64);
    const agn_tensor *mean = ag_mul_c(s, ag_matmul(s, ag_transpose(s, one), power),
                                      (double)KINDS / SOUNDS);
    const agn_tensor *db = ag_audio_power_to_db(s, mean, 1, 1e-10, 0);
    return ag_contiguous(s, ag_sub(s, db, ag_min(s, db, NULL, 0, false)));
}

static agn_status draw_filters(agn_tensor *const *before, agn_tensor *const *after, const sounds *q)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *first = ag_contiguous(s, make_filters(s, before[2], before[3]));
    const agn_tensor *last = ag_contiguous(s, make_filters(s, after[2], after[3]));
    const agn_tensor *mean = average(s, q);
    if (!agn_scope_status(s)) {
        FILE *f = picture_open("front_end.svg", 790, 500);
        draw_rows(f, 170, agn_data(mean), KINDS, 3.5);
        picture_word(f, 10, 20, "black", "mean spectra of three kinds of sound, 0 to 4000 Hz");
        draw_rows(f, 325, agn_data(first), BANDS, 120);
        picture_word(f, 10, 200, "black", "filters before");
        draw_rows(f, 485, agn_data(last), BANDS, 120);
        picture_word(f, 10, 360, "black", "and after");
        picture_close(f);
    }
    return agn_scope_close(s);
}

int main(void)
{
    agn_tensor *p[PARAMS] = {NULL}, *fixed[2] = {NULL}, *best[PARAMS] = {NULL};
    sounds seen = {NULL, NULL}, unseen = {NULL, NULL};
    double right[2][2];
    agn_fn *f = NULL;
    agn_status st = make_sounds(&seen, 1);
    st = st ? st : make_sounds(&unseen, 2);
    st = st ? st : start(p);
    st = st ? st : agn_fn_new(&f, judge, NULL, NULL, PARAMS + 2, 2);
    st = st ? st : train(fixed, right[0], f, p, 2, &seen, &unseen);
    st = st ? st : train(best, right[1], f, p, PARAMS, &seen, &unseen);
    st = st ? st : draw_filters(p, best, &seen);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        printf("fixed filters, below 75 %% of new sounds right: %s\n",
               right[0][1] < 0.75 ? "yes" : "no");
        printf("learnt filters, above 95 %%: %s\n", right[1][1] > 0.95 ? "yes" : "no");
    }
    agn_tensor *all[] = {seen.x, seen.kind, unseen.x, unseen.kind};
    for (int k = 0; k < PARAMS; k++) {
        agn_release(p[k]);
        agn_release(best[k]);
        agn_release(all[k]);
    }
    agn_release(fixed[0]);
    agn_release(fixed[1]);
    agn_fn_release(f);
    return st != AGN_OK;
}
