/* bench/fft.c - Fourier transforms and what is made of them: convolution, frames, cosines, filters,
   wavelets. */
#include "sound.h"

#include <agnesi/fft.h>
#include <agnesi/signal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one call ------------------------------------------------------------------------------- */

typedef struct workload workload;
typedef agn_status one_call(agn_tensor **out, const workload *w);
struct workload {
    const char *name;
    one_call *f;
    agn_tensor *(*input)(agn_dtype dtype, const workload *w);
    int (*check)(const agn_tensor *y, double *value);
    bool f32;
    int ndim;
    int64_t shape[3];
    agn_tensor *x, *y, *b;
};

static void call(void *user)
{
    workload *w = user;
    agn_release(w->y);
    w->y = NULL;
    TRY(w->f(&w->y, w));
}
static int check(void *user, double *value)
{
    const workload *w = user;
    return w->check(w->y, value);
}

static int64_t count(const workload *w)
{
    int64_t n = 1;
    for (int d = 0; d < w->ndim; d++)
        n *= w->shape[d];
    return n;
}

static void run(const workload *given)
{
    for (int single = 0; single <= given->f32; single++) {
        workload w = *given;
        char id[96];
        snprintf(id, sizeof id, "fft/%s/%s", w.name, single ? "f32" : "f64");
        if (!bench_asked(id))
            continue;
        w.x = w.input(single ? AGN_F32 : AGN_F64, &w);
        bench_measure(id, &(bench_work){call, check, &w, 0});
        agn_release(w.x);
        agn_release(w.y);
    }
}

/* ---- inputs and checks ---------------------------------------------------------------------- */

static agn_tensor *real_mix(agn_dtype dtype, const workload *w)
{
    return bench_mix(w->ndim, w->shape, -1, 1, 0, dtype);
}

/* mix(-1, 1) + i mix(-1, 1) of the next salt */
static agn_tensor *complex_mix(agn_dtype dtype, const workload *w)
{
    int64_t n = count(w);
    double *re = bench_mix_of(n, -1, 1, 0), *im = bench_mix_of(n, -1, 1, 1),
           *v = malloc((size_t)n * 2 * sizeof *v);
    agn_tensor *wide = NULL, *x = NULL;
    if (!v)
        bench_die("memory");
    for (int64_t i = 0; i < n; i++) {
        v[2 * i] = re[i];
        v[2 * i + 1] = im[i];
    }
    TRY(agn_from_host(&wide, AGN_C128, w->ndim, w->shape, v));
    TRY(agn_cast(&x, wide, dtype == AGN_F32 ? AGN_C64 : AGN_C128));
    agn_release(wide);
    free(re);
    free(im);
    free(v);
    return x;
}

static agn_tensor *sweep(agn_dtype dtype, const workload *w)
{
    (void)w;
    int64_t n = 960000;
    double *v = bench_mix_of(n, -1, 1, 0);
    for (int64_t i = 0; i < n; i++) {
        double t = (double)i / 16000;
        v[i] = 0.5 * sin(2 * 3.14159265358979323846 * (100 * t + 25 * t * t)) + 0.1 * v[i];
    }
    return bench_tensor_of(v, dtype, 1, &n);
}

/* magnitudes in f64, row-major: a new reference */
static agn_tensor *magnitudes(const agn_tensor *y)
{
    agn_tensor *a = NULL, *b = NULL, *c = NULL;
    TRY(agn_abs(&a, y));
    TRY(agn_cast(&b, a, AGN_F64));
    TRY(agn_contiguous(&c, b));
    agn_release(a);
    agn_release(b);
    return c;
}
static int amount(const agn_tensor *y, double *value)
{
    agn_tensor *a = magnitudes(y);
    const double *v = agn_data(a);
    value[0] = 0;
    for (int64_t i = 0; i < agn_numel(a); i++)
        value[0] += v[i];
    agn_release(a);
    return 1;
}
static int spectrum(const agn_tensor *y, double *value)
{
    agn_tensor *a = magnitudes(y);
    const double *v = agn_data(a);
    value[0] = value[1] = 0;
    for (int64_t i = 0; i < agn_numel(a); i++) {
        value[0] += v[i];
        value[1] += v[i] * (double)(i % 7 + 1);
    }
    agn_release(a);
    return 2;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static agn_status c2c(agn_tensor **out, const workload *w)
{
    bool lines = w->ndim == 1 || w->shape[0] == 1000;
    return lines ? agn_fft_fft(out, w->x, 0, -1, AGN_FFT_BACKWARD)
                 : agn_fft_fftn(out, w->x, NULL, NULL, 0, AGN_FFT_BACKWARD);
}
static agn_status r2c(agn_tensor **out, const workload *w)
{
    bool lines = w->ndim == 1 || w->shape[0] == 1000;
    return lines ? agn_fft_rfft(out, w->x, 0, -1, AGN_FFT_BACKWARD)
                 : agn_fft_rfftn(out, w->x, NULL, NULL, 0, AGN_FFT_BACKWARD);
}
static agn_status there_and_back(agn_tensor **out, const workload *w)
{
    agn_tensor *y = NULL;
    agn_status st = agn_fft_rfft(&y, w->x, 0, -1, AGN_FFT_BACKWARD);
    if (!st)
        st = agn_fft_irfft(out, y, w->shape[0], -1, AGN_FFT_BACKWARD);
    agn_release(y);
    return st;
}
static agn_status convolve(agn_tensor **out, const workload *w)
{
    static agn_tensor *h;
    if (!h)
        h = bench_mix(1, (int64_t[]){10000}, -1, 1, 3, AGN_F64);
    return agn_signal_convolve(out, w->x, h, AGN_FULL, AGN_CONVOLVE_AUTO);
}
static const agn_signal_stft_options frames = {.size = sizeof frames, .n_fft = 1024, .hop = 256};
static agn_status stft(agn_tensor **out, const workload *w)
{
    return agn_signal_stft(out, w->x, &frames);
}
static agn_status stft_istft(agn_tensor **out, const workload *w)
{
    agn_tensor *y = NULL;
    agn_status st = agn_signal_stft(&y, w->x, &frames);
    if (!st)
        st = agn_signal_istft(out, y, 960000, &frames);
    agn_release(y);
    return st;
}
static agn_status dct2(agn_tensor **out, const workload *w)
{
    return agn_fft_dct(out, w->x, 2, 0, -1, AGN_FFT_ORTHO);
}
static agn_status medfilt(agn_tensor **out, const workload *w)
{
    return agn_signal_medfilt(out, w->x, w->shape[w->ndim - 1] == 100000 ? 31 : 501);
}
static agn_status dwt(agn_tensor **out, const workload *w)
{
    return agn_signal_wavelet_transform(out, w->x, AGN_WAVELET_DAUBECHIES, 4, 6);
}
static agn_status idwt(agn_tensor **out, const workload *w)
{
    return agn_signal_inverse_wavelet_transform(out, w->x, AGN_WAVELET_DAUBECHIES, 4, 6);
}

static const workload workloads[] = {
#define LINE(name_, f_, in, n, single) \
    {.name = name_, .f = f_, .input = in, .check = spectrum, .f32 = single, .ndim = 1, .shape = {n}}
#define GRID(name_, f_, in, ...) \
    {.name = name_, .f = f_, .input = in, .check = spectrum, .f32 = true, __VA_ARGS__}
    LINE("c2c/16", c2c, complex_mix, 16, false),
    LINE("c2c/64", c2c, complex_mix, 64, false),
    LINE("c2c/256", c2c, complex_mix, 256, false),
    LINE("c2c/1000", c2c, complex_mix, 1000, false),
    GRID("c2c/1000x1024", c2c, complex_mix, .ndim = 2, .shape = {1000, 1024}),
    LINE("c2c/2^16", c2c, complex_mix, 1 << 16, true),
    LINE("c2c/2^20", c2c, complex_mix, 1 << 20, true),
    LINE("c2c/100003", c2c, complex_mix, 100003, true),
    GRID("c2c/1024x1024", c2c, complex_mix, .ndim = 2, .shape = {1024, 1024}),
    GRID("c2c/128x128x128", c2c, complex_mix, .ndim = 3, .shape = {128, 128, 128}),
    GRID("r2c/1000x1024", r2c, real_mix, .ndim = 2, .shape = {1000, 1024}),
    LINE("r2c/2^16", r2c, real_mix, 1 << 16, true),
    LINE("r2c/2^20", r2c, real_mix, 1 << 20, true),
    LINE("r2c/100003", r2c, real_mix, 100003, true),
    GRID("r2c/1024x1024", r2c, real_mix, .ndim = 2, .shape = {1024, 1024}),
    GRID("r2c/128x128x128", r2c, real_mix, .ndim = 3, .shape = {128, 128, 128}),
#undef LINE
#undef GRID
#define AMOUNT(name_, f_, in, single, d, ...) \
    { \
        .name = name_, .f = f_, .input = in, .check = amount, .f32 = single, .ndim = d, .shape = { \
            __VA_ARGS__ \
        } \
    }
    AMOUNT("r2c-c2r/2^16", there_and_back, real_mix, false, 1, 1 << 16),
    AMOUNT("r2c-c2r/2^20", there_and_back, real_mix, false, 1, 1 << 20),
    AMOUNT("convolve-full/1e6-1e4", convolve, real_mix, false, 1, 1000000),
    AMOUNT("stft/60s-16k", stft, sweep, true, 1, 960000),
    AMOUNT("stft-istft/60s-16k", stft_istft, sweep, true, 1, 960000),
    AMOUNT("dct2-ortho/16x2^16", dct2, real_mix, false, 2, 16, 1 << 16),
    AMOUNT("dct2-ortho/1000x512", dct2, real_mix, false, 2, 1000, 512),
    AMOUNT("medfilt-31/1e5", medfilt, real_mix, true, 1, 100000),
    AMOUNT("medfilt-501/99999", medfilt, real_mix, true, 1, 99999),
    AMOUNT("dwt-db4-6/2^20", dwt, real_mix, true, 1, 1 << 20),
    AMOUNT("idwt-db4-6/2^20", idwt, real_mix, true, 1, 1 << 20),
#undef AMOUNT
};

/* ---- gradients ------------------------------------------------------------------------------ */

/* sum |X_k|^2 / (1 + k) / n */
static agn_status power(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    const agn_tensor *y = ag_fft_rfft(s, in[0], 0, -1, AGN_FFT_BACKWARD);
    out[0] = ag_sum_all(s, ag_mul(s, ag_square(s, ag_abs(s, y)), in[1]));
    return AGN_OK;
}

static void run_power(int64_t n, const char *label)
{
    char id[96];
    snprintf(id, sizeof id, "fft/grad-power/%s/f64", label);
    if (!bench_asked(id))
        return;
    double *v = malloc((size_t)(n / 2 + 1) * sizeof *v);
    if (!v)
        bench_die("memory");
    for (int64_t k = 0; k <= n / 2; k++)
        v[k] = 1 / (double)(1 + k) / (double)n;
    task t = {.in = {bench_mix(1, &n, -1, 1, 0, AGN_F64),
                     bench_tensor_of(v, AGN_F64, 1, (int64_t[]){n / 2 + 1})},
              .check = bench_value_and_amounts};
    bench_gradient(id, &t, power, 2, 1);
}

static agn_status log_power(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)user;
    const agn_tensor *y = ag_signal_stft(s, in[0], &frames);
    out[0] = ag_mean(s, ag_log1p(s, ag_square(s, ag_abs(s, y))), NULL, 0, false);
    return AGN_OK;
}

static void run_log_power(agn_dtype dtype)
{
    char id[96];
    snprintf(id, sizeof id, "fft/grad-stft-logpower/60s-16k/%s", agn_dtype_name(dtype));
    if (!bench_asked(id))
        return;
    task t = {.in = {sweep(dtype, NULL)}, .check = bench_value_and_amounts};
    bench_gradient(id, &t, log_power, 1, 1);
}

/* ---- recursive filters ---------------------------------------------------------------------- */

/* a Butterworth low pass of order 4 at a quarter of half the rate: sections, then b and a */
static const double sections[] = {0.010209480791203138,
                                  0.020418961582406277,
                                  0.010209480791203138,
                                  1,
                                  -0.8553979327751705,
                                  0.20971535775655475,
                                  1,
                                  2,
                                  1,
                                  1,
                                  -1.1130298541633479,
                                  0.5740619150839550};
static const double low_b[] = {0.010209480791203138, 0.04083792316481255, 0.06125688474721883,
                               0.04083792316481255, 0.010209480791203138};
static const double low_a[] = {1, -1.9684277869385184, 1.7358607092088864, -0.7244708295073629,
                               0.1203895998962450};

static agn_status sections_square(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mean(s, ag_square(s, ag_signal_sosfilt(s, in[1], in[0])), NULL, 0, false);
    return AGN_OK;
}
static agn_status filter_square(void *user, agn_scope *s, const agn_tensor *const *in,
                                const agn_tensor **out)
{
    (void)user;
    out[0] = ag_mean(s, ag_square(s, ag_signal_lfilter(s, in[1], in[2], in[0])), NULL, 0, false);
    return AGN_OK;
}
static agn_status sosfilt(agn_tensor **out, const workload *w)
{
    return agn_signal_sosfilt(out, w->b, w->x);
}
static agn_status lfilter(agn_tensor **out, const workload *w)
{
    return agn_signal_lfilter(out, w->b, w->y, w->x);
}

static agn_tensor *coefficients(const double *v, int64_t rows, int64_t n)
{
    agn_tensor *wide = NULL, *x = NULL;
    int64_t shape[] = {rows, n};
    TRY(agn_from_host(&wide, AGN_F64, rows > 1 ? 2 : 1, rows > 1 ? shape : shape + 1, v));
    TRY(agn_cast(&x, wide, AGN_F32));
    agn_release(wide);
    return x;
}

typedef struct filtering {
    agn_tensor *x, *b, *a, *y;
} filtering;
static void filter_call(void *user)
{
    filtering *f = user;
    workload w = {.x = f->x, .b = f->b, .y = f->a};
    agn_release(f->y);
    f->y = NULL;
    TRY(f->a ? lfilter(&f->y, &w) : sosfilt(&f->y, &w));
}
static int filter_check(void *user, double *value)
{
    return amount(((filtering *)user)->y, value);
}

static void run_filters(void)
{
    static const int64_t shape[] = {32, 4096};
    for (int direct = 0; direct < 2; direct++) {
        const char *id = direct ? "fft/lfilter/32x4096/f32" : "fft/sosfilt/32x4096/f32";
        const char *gradient = direct ? "fft/grad-lfilter/32x4096/f32"
                                      : "fft/grad-sosfilt/32x4096/f32";
        agn_tensor *b = direct ? coefficients(low_b, 1, 5) : coefficients(sections, 2, 6);
        agn_tensor *a = direct ? coefficients(low_a, 1, 5) : NULL;
        if (bench_asked(id)) {
            filtering f = {.x = bench_mix(2, shape, -1, 1, 0, AGN_F32), .b = b, .a = a};
            bench_measure(id, &(bench_work){filter_call, filter_check, &f, 0});
            agn_release(f.x);
            agn_release(f.y);
        }
        if (bench_asked(gradient)) {
            task t = {.in = {bench_mix(2, shape, -1, 1, 0, AGN_F32), agn_retain(b),
                             a ? agn_retain(a) : NULL},
                      .check = bench_value_and_amounts};
            bench_gradient(gradient, &t, direct ? filter_square : sections_square, direct ? 3 : 2,
                           direct ? 3 : 2);
        }
        agn_release(a);
        agn_release(b);
    }
}

/* ---- shared with bench/audio.c -------------------------------------------------------------- */

int bench_value_and_amounts(const task *t, double *value)
{
    value[0] = element(t->out[0], 0);
    for (int k = 1; k < t->n_out; k++)
        amount(t->out[k], value + k);
    return t->n_out;
}

void bench_gradient(const char *id, task *t, agn_body *body, int n_in, int wrt)
{
    agn_fn *f = NULL, *df = NULL;
    TRY(agn_fn_new(&f, body, NULL, NULL, n_in, 1));
    TRY(agn_fn_value_and_grad(&df, f, (int32_t[]){0, 1, 2}, wrt));
    task_run(id, t, f, df);
    task_close(t);
}

void bench_fft(void)
{
    for (size_t k = 0; k < sizeof workloads / sizeof *workloads; k++)
        run(&workloads[k]);
    run_power(1 << 10, "2^10");
    run_power(1 << 16, "2^16");
    run_power(1 << 20, "2^20");
    run_log_power(AGN_F64);
    run_log_power(AGN_F32);
    run_filters();
}
