/* t-fft - Fourier transforms: against the sum they stand for, by identities, in every
   mode; the plans behind them; every documented failure. */
#include "modes.h"

#include "fft/fft.h"
#include <pthread.h>

enum { RFFT, IRFFT, FFT, IFFT };
static const char *const names[] = {"fft_rfft", "fft_irfft", "fft_fft", "fft_ifft"};
static agn_status apply(int kind, agn_tensor **out, const agn_tensor *x, int64_t n,
                        int32_t axis, int32_t norm)
{
    switch (kind) {
    case RFFT:
        return agn_fft_rfft(out, x, n, axis, norm);
    case IRFFT:
        return agn_fft_irfft(out, x, n, axis, norm);
    case FFT:
        return agn_fft_fft(out, x, n, axis, norm);
    default:
        return agn_fft_ifft(out, x, n, axis, norm);
    }
}

/* entry k of a line by the definition; line[m] has m given entries */
static double complex direct(int kind, const double complex *line, int64_t m, int64_t n,
                             int64_t k, int norm)
{
    bool inverse = kind == IRFFT || kind == IFFT;
    double complex sum = 0;
    const double pi = 3.14159265358979323846;
    for (int64_t j = 0; j < n; j++) {
        double complex v = j < m ? line[j] : 0;
        if (kind == IRFFT) {
            int64_t i = j <= n / 2 ? j : n - j;
            v = i < m ? line[i] : 0;
            v = j == 0 || 2 * j == n ? creal(v) : j <= n / 2 ? v : conj(v);
        }
        double t = (inverse ? 2 : -2) * pi * (double)(j * k % n) / (double)n;
        sum += v * z_of(cos(t), sin(t));
    }
    if (norm == AGN_FFT_ORTHO)
        return sum / sqrt((double)n);
    return norm == (inverse ? AGN_FFT_BACKWARD : AGN_FFT_FORWARD) ? sum / (double)n
                                                                  : sum;
}

static void one(tally *q, int kind, int dtype, int ndim, const int64_t *shape, int axis,
                int64_t n, int norm, int layout)
{
    agn_tensor *x0 = random_of(dtype, ndim, shape, -1, 1), *x = laid_out(x0, layout),
               *y = NULL;
    uint64_t before = hash_of(x);
    agn_status st = apply(kind, &y, x, n, axis, norm);
    int64_t d = axis < 0 ? axis + ndim : axis, m = shape[d];
    int64_t len = n ? n : kind == IRFFT ? 2 * (m - 1) : m;
    int64_t bins = kind == RFFT ? len / 2 + 1 : len;
    check(q, !st, "%s %s n %d: %s", names[kind], SHAPE_TEXT(x), (int)n,
          agn_error_message());
    if (!st) {
        bool single = dtype == AGN_F32 || dtype == AGN_C64;
        int want = kind == IRFFT ? (single ? AGN_F32 : AGN_F64)
                   : single      ? AGN_C64
                                 : AGN_C128;
        int64_t inner = 1, outer = 1;
        for (int64_t e = 0; e < ndim; e++)
            *(e < d ? &outer : e > d ? &inner : &(int64_t){0}) *= shape[e];
        check(q, agn_dtype_of(y) == want && agn_shape(y)[d] == bins, "%s gives %s %s",
              names[kind], agn_dtype_name(agn_dtype_of(y)), SHAPE_TEXT(y));
        double worst = 0;
        double complex *line = room_for((size_t)m * sizeof *line);
        for (int64_t o = 0; o < outer; o++)
            for (int64_t i = 0; i < inner; i++) {
                for (int64_t j = 0; j < m; j++)
                    line[j] = peekz(x0, (o * m + j) * inner + i);
                for (int64_t k = 0; k < bins; k++)
                    worst = fmax(worst, cabs(peekz(y, (o * bins + k) * inner + i) -
                                             direct(kind, line, m, len, k, norm)));
            }
        free(line);
        check(q, worst < (single ? 2e-6 : 4e-15) * (double)(len + 4),
              "%s %s axis %d n %d norm %d %s: off by %.1e", names[kind], SHAPE_TEXT(x),
              axis, (int)n, norm, layout_names[layout], worst);
    }
    check(q, hash_of(x) == before, "%s changed its input", names[kind]);
    agn_release(x0);
    agn_release(x);
    agn_release(y);
}

static void test_values(void)
{
    static const int64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 31, 60, 97};
    for (int kind = 0; kind < 4; kind++) {
        tally q = {0, 0};
        for (int single = 0; single < 2; single++) {
            int dtype = kind == RFFT ? (single ? AGN_F32 : AGN_F64)
                        : single     ? AGN_C64
                                     : AGN_C128;
            for (int k = 0; k < COUNT(lengths); k++)
                for (int norm = 0; norm < 3; norm++) {
                    int64_t n = lengths[k], m = kind == IRFFT ? n / 2 + 1 : n;
                    one(&q, kind, dtype, 1, &m, 0, n, norm, CONTIGUOUS);
                    if (kind != IRFFT || m > 1)
                        one(&q, kind, dtype, 1, &m, -1, 0, norm, CONTIGUOUS);
                    /* cut off, padded */
                    one(&q, kind, dtype, 1, &m, 0, n + 3, norm, CONTIGUOUS);
                    if (n > 3)
                        one(&q, kind, dtype, 1, &m, 0, n - 3, norm, STRIDED);
                }
            /* every axis, layout, also empty batches */
            static const int64_t shapes[][4] = {
                {3, 4, 5, 2}, {2, 6, 1, 3}, {0, 3, 2, 2}};
            for (int k = 0; k < COUNT(shapes); k++)
                for (int axis = -4; axis < 4; axis++)
                    for (int l = 0; l < N_LAYOUTS; l++) {
                        int64_t m = shapes[k][(axis + 4) % 4];
                        if (m)
                            one(&q, kind, dtype, 4, shapes[k], axis,
                                kind == IRFFT ? 2 * m - 1 : 0, l % 3, l);
                    }
            /* cut into pieces: many lines, either way round */
            one(&q, kind, dtype, 2, (int64_t[]){4099, 18}, -1, 0, 0, CONTIGUOUS);
            one(&q, kind, dtype, 2, (int64_t[]){18, 4099}, 0, 0, 0, CONTIGUOUS);
            one(&q, kind, dtype, 2, (int64_t[]){4099, 18}, 1, 0, 0, NEGATIVE);
        }
        tell(&q, "%s: the sum it stands for, lengths, axes, norms, layouts",
             names[kind]);
    }
    /* strides of 0, and identities at lengths too long for the sum */
    tally q = {0, 0};
    agn_tensor *row = random_of(AGN_F64, 1, (int64_t[]){6}, -1, 1), *wide = NULL,
               *y = NULL, *z = NULL;
    must(agn_broadcast_to(&wide, row, 2, (int64_t[]){5, 6}));
    must(agn_fft_rfft(&y, wide, 0, -1, 0));
    must(agn_fft_rfft(&z, row, 0, -1, 0));
    for (int i = 0; i < 20; i++)
        check(&q, peekz(y, i) == peekz(z, i % 4), "a broadcast row");
    agn_release(y);
    y = NULL;
    must(agn_fft_rfft(&y, wide, 0, 0, 0));
    for (int i = 0; i < 18; i++)
        check(&q, cabs(peekz(y, i) - (i < 6 ? 5 * peek(row, i) : 0)) < 1e-14,
              "along a broadcast axis");
    agn_release(row);
    agn_release(wide);
    agn_release(y);
    agn_release(z);
    static const int64_t longer[] = {1023, 1024, 65537, 99991};
    for (int k = 0; k < COUNT(longer); k++)
        for (int norm = 0; norm < 3; norm++) {
            agn_tensor *x = random_of(AGN_F64, 1, longer + k, -1, 1), *f = NULL,
                       *b = NULL;
            must(agn_fft_rfft(&f, x, 0, 0, norm));
            must(agn_fft_irfft(&b, f, longer[k], 0, norm));
            check(&q, modes_apart(b, x) < 1e-13, "irfft(rfft(x)) at %d",
                  (int)longer[k]);
            agn_release(x);
            agn_release(f);
            agn_release(b);
        }
    agn_tensor *whole = of_reals(AGN_I32, 1, (int64_t[]){4}, (double[]){1, 2, 3, 4});
    y = NULL;
    must(agn_fft_rfft(&y, whole, 0, 0, 0));
    check(&q, agn_dtype_of(y) == AGN_C128 && peekz(y, 0) == 10,
          "integers transform in f64");
    agn_release(y);
    must(agn_fft_irfft(&y, whole, 0, 0, 0));
    check(&q, agn_dtype_of(y) == AGN_F64 && agn_numel(y) == 6, "irfft takes real bins");
    agn_release(y);
    agn_release(whole);
    tell(&q, "broadcast views, identities at long and prime lengths");
}

/* ---- derivatives ----------------------------------------------------------------- */

typedef struct given {
    int kind, axis, norm;
    int64_t n;
} given;
/* a square makes higher derivatives */
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const given *g = user;
    agn_tensor *y = NULL;
    const agn_tensor *x = ag_mul(s, in[0], ag_mul(s, in[0], in[0]));
    if (!x)
        return agn_scope_status(s);
    agn_status st = apply(g->kind, &y, x, g->n, g->axis, g->norm);
    const agn_tensor *z = agn_scope_adopt(s, st, &y);
    out[0] = ag_mul(s, z, z);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const struct {
        given g;
        int64_t shape[2];
    } cases[] = {{{RFFT, -1, 0, 0}, {2, 6}},  {{RFFT, 0, 1, 0}, {5, 2}},
                 {{RFFT, 1, 2, 4}, {2, 7}},   {{RFFT, 1, 0, 9}, {2, 6}},
                 {{RFFT, 1, 0, 0}, {2, 1}},   {{RFFT, 1, 0, 0}, {2, 2}},
                 {{IRFFT, -1, 0, 0}, {2, 4}}, {{IRFFT, 0, 1, 5}, {3, 2}},
                 {{IRFFT, 1, 2, 4}, {2, 5}},  {{IRFFT, 1, 0, 9}, {2, 3}},
                 {{IRFFT, 1, 0, 1}, {2, 2}},  {{IRFFT, 1, 0, 2}, {2, 2}},
                 {{FFT, -1, 0, 0}, {2, 5}},   {{FFT, 0, 1, 6}, {4, 2}},
                 {{IFFT, -1, 0, 0}, {2, 5}},  {{IFFT, 0, 2, 3}, {4, 2}}};
    for (int k = 0; k < COUNT(cases); k++) {
        char name[96];
        given g = cases[k].g;
        agn_tensor *a = random_of(g.kind == RFFT ? AGN_F64 : AGN_C128, 2,
                                  cases[k].shape, -1, 1);
        const agn_tensor *x[1] = {a};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &g, NULL, 1, 1));
        snprintf(name, sizeof name, "%s %s axis %d n %d norm %d", names[g.kind],
                 SHAPE_TEXT(a), g.axis, (int)g.n, g.norm);
        in_every_mode(f, 1, x, 1e-2, 2e-9, name);
        agn_fn_release(f);
        agn_release(a);
    }
}

/* ---- plans ----------------------------------------------------------------------- */

static void *transforms(void *user)
{
    int64_t *bad = user;
    for (int r = 0; r < tap_scale(200); r++)
        for (int64_t n = 2; n < 90; n += 3) {
            double v[90];
            for (int64_t i = 0; i < n; i++)
                v[i] = (double)(i % 7) - 2;
            agn_tensor *x = NULL, *f = NULL, *b = NULL;
            agn_status st = agn_from_host(&x, AGN_F64, 1, &n, v);
            if (!st)
                st = agn_fft_rfft(&f, x, 0, 0, 0);
            if (!st)
                st = agn_fft_irfft(&b, f, n, 0, 0);
            *bad += st || modes_apart(b, x) > 1e-14;
            agn_release(x);
            agn_release(f);
            agn_release(b);
        }
    return NULL;
}

static void test_plans(void)
{
    int64_t made, again;
    agni_fft_clear_plans();
    is_int(agni_fft_plan_count(&made), 0, "no plans are kept after forgetting");
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){77}, -1, 1), *y = NULL;
    for (int i = 0; i < 10; i++) {
        agn_release(y);
        y = NULL;
        must(agn_fft_rfft(&y, x, 0, 0, 0));
    }
    is_int(agni_fft_plan_count(&again), 1, "ten equal transforms keep one plan");
    is_int(again, made + 1, "and made one");
    agn_release(y);
    agn_release(x);
    int most = 0;
    for (int64_t n = 1; n < 200; n++) {
        x = random_of(AGN_F64, 1, &n, -1, 1);
        y = NULL;
        must(agn_fft_rfft(&y, x, 0, 0, 0));
        agn_release(x);
        agn_release(y);
        int kept = agni_fft_plan_count(&again);
        most = kept > most ? kept : most;
    }
    is_int(most, AGNI_FFT_PLANS, "plans are bounded");
    pthread_t t[4];
    int64_t bad[4] = {0};
    for (int i = 0; i < 4; i++)
        if (pthread_create(&t[i], NULL, transforms, &bad[i]))
            bail_out("no thread");
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    ok(bad[0] + bad[1] + bad[2] + bad[3] == 0, "four threads plan and run at once");
    ok(agni_fft_plan_count(&again) <= AGNI_FFT_PLANS, "plans are bounded still");

    /* the same bits for any number of threads */
    uint64_t h[3] = {0};
    x = random_of(AGN_F64, 2, (int64_t[]){3001, 64}, -1, 1);
    int32_t width = agn_threads();
    for (int k = 0; k < 3; k++) {
        must(agn_threads_set(k == 0 ? 1 : k + 1));
        y = NULL;
        must(agn_fft_rfft(&y, x, 0, -1, 0));
        h[k] = hash_of(y);
        agn_release(y);
    }
    must(agn_threads_set(width));
    ok(h[0] == h[1] && h[1] == h[2], "the same bits on 1, 2 and 3 threads");
    agn_release(x);
}

/* ---- failures -------------------------------------------------------------------- */

/* short transforms into memory: where it is free, where an argument lies, where it has strides; a
   derivative that saved it fails */
static void test_short_into(void)
{
    enum { N = 16 };
    tally q = {0, 0};
    const int64_t bins = N / 2 + 1, n = N;
    for (int k = 0; k < 6; k++) {
        int single = k & 1, in = k < 2 ? (single ? AGN_F32 : AGN_F64) : (single ? AGN_C64 : AGN_C128),
            to = k < 4 ? (single ? AGN_C64 : AGN_C128) : (single ? AGN_F32 : AGN_F64);
        agn_tensor *x = random_of(in, 1, k < 4 ? &n : &bins, -1, 1), *want = NULL, *y = NULL;
        must(k < 2   ? agn_fft_rfft(&want, x, 0, -1, 2)
             : k < 4 ? agn_fft_fft(&want, x, 0, -1, 2)
                     : agn_fft_irfft(&want, x, 0, -1, 0));
        must(agn_zeros(&y, to, 1, agn_shape(want)));
        for (int twice = 0; twice < 2; twice++) {
            must(k < 2   ? agn_fft_rfft_into(y, x, 0, -1, 2)
                 : k < 4 ? agn_fft_fft_into(y, x, 0, -1, 2)
                         : agn_fft_irfft_into(y, x, 0, -1, 0));
            check(&q, !memcmp(agn_data(y), agn_data(want), (size_t)agn_numel(y) * agn_dtype_size(to)),
                  "kind %d: the bits of the form that makes a tensor", k);
        }
        if (k == 2 || k == 3) {
            agn_tensor *z = NULL, *wide = NULL, *part = NULL, *w = NULL, *g = untouched;
            must(agn_watch(&w, x));
            must(agn_mul(&z, w, y));
            must(agn_fft_fft_into(y, x, 0, -1, 2));
            check(&q, refused(agn_gradient(&g, (const agn_tensor *[]){z}, 1, (const agn_tensor *[]){w}, 1, NULL),
                              AGN_ESTALE, "conj", "written", NULL, g), "kind %d: a saved argument was written", k);
            must(agn_zeros(&wide, to, 1, (int64_t[]){2 * N}));
            must(agn_slice(&part, wide, 1, (int64_t[]){0}, (int64_t[]){AGN_END}, (int64_t[]){2}));
            must(agn_fft_fft_into(part, x, 0, -1, 2));
            for (int i = 0; i < N; i++)
                check(&q, cabs(peekz(part, i) - peekz(want, i)) < 1e-6 && peekz(wide, 2 * i + 1) == 0,
                      "strides");
            must(agn_fft_fft_into(x, x, 0, -1, 2));
            for (int i = 0; i < N; i++)
                check(&q, cabs(peekz(x, i) - peekz(want, i)) < 1e-6, "over its argument");
            release_all((agn_tensor *[]){z, wide, part, w}, 4);
        }
        check(&q, refused(agn_fft_fft_into(y, want, 5, -1, 0), AGN_ESHAPE, "fft_fft_into", "result is [5]",
                          "out is", untouched), "kind %d: another length", k);
        release_all((agn_tensor *[]){x, want, y}, 3);
    }
    tell(&q, "short transforms into memory");
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched;
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){2, 3}, -1, 1);
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){2, 1}, -1, 1);
    agn_tensor *none = random_of(AGN_F64, 2, (int64_t[]){2, 0}, -1, 1);
    agn_tensor *num = scalar_of(AGN_F64, 1);
    for (int k = 0; k < 4; k++) {
        check(&q,
              apply(k, NULL, x, 0, 0, 0) == AGN_ENULL &&
                  strstr(agn_error_message(), "out"),
              "out");
        check(&q,
              refused(apply(k, &out, NULL, 0, 0, 0), AGN_ENULL, names[k], "x is NULL",
                      NULL, out),
              "x");
        check(&q,
              refused(apply(k, &out, x, 0, 2, 0), AGN_EINDEX, names[k], "axis 2",
                      "2 axes", out),
              "axis");
        check(&q,
              refused(apply(k, &out, x, 0, -3, 0), AGN_EINDEX, names[k], "axis -3",
                      "2 axes", out),
              "axis");
        check(&q,
              refused(apply(k, &out, num, 0, 0, 0), AGN_EINDEX, names[k], "axis 0",
                      "0 axes", out),
              "0-D");
        check(&q,
              refused(apply(k, &out, x, -1, 0, 0), AGN_EARG, names[k], "-1", NULL, out),
              "n");
        check(&q,
              refused(apply(k, &out, x, (INT64_C(1) << 46) + 1, 0, 0), AGN_EARG, names[k],
                      "70368744177665", NULL, out),
              "n");
        check(&q,
              refused(apply(k, &out, x, INT64_C(1) << 62, 0, 0), AGN_EARG, names[k],
                      "4611686018427387904", NULL, out),
              "n");
        check(&q,
              refused(apply(k, &out, x, 0, 0, 3), AGN_EARG, names[k], "norm 3", NULL,
                      out),
              "norm");
        check(&q,
              refused(apply(k, &out, x, 0, 0, -1), AGN_EARG, names[k], "norm -1", NULL,
                      out),
              "norm");
        check(&q,
              refused(apply(k, &out, none, 0, 1, 0), AGN_EARG, names[k], "0 entries",
                      "axis 1", out),
              "empty");
    }
    check(&q,
          refused(agn_fft_rfft(&out, z, 0, 0, 0), AGN_EDTYPE, "fft_rfft", "c128", NULL,
                  out),
          "complex");
    check(&q,
          refused(agn_fft_irfft(&out, z, 0, 1, 0), AGN_EARG, "fft_irfft", "length 0",
                  "1 entries", out),
          "one bin");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_release(x);
    agn_release(z);
    agn_release(none);
    agn_release(num);
}

typedef struct making {
    agn_tensor *x;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    if (m->what < 4)
        return apply(m->what, out, m->x, 9, 1, 0);
    agn_tensor *w = NULL, *y = NULL;
    agn_status st = agn_watch(&w, m->x);
    if (!st)
        st = apply(m->what - 4, &y, w, 9, 1, 0);
    if (!st)
        st = agn_gradient(out, (const agn_tensor *const *)&y, 1,
                          (const agn_tensor *const *)&w, 1, NULL);
    agn_release(w);
    agn_release(y);
    return st;
}

static void test_memory(void)
{
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){2, 5}, -1, 1);
    for (int k = 0; k < 6; k++) {
        char name[32];
        making m = {x, k};
        snprintf(name, sizeof name, "%s%s", k < 4 ? "" : "gradient of ", names[k % 4]);
        every_allocation(make, &m, name);
    }
    /* a plan that finds no memory */
    agni_fft_clear_plans();
    agn_tensor *out = untouched;
    agn_memory_fail_after(3);
    agn_status st = agn_fft_rfft(&out, x, 0, 1, 0);
    agn_memory_fail_after(-1);
    ok(!st || (st == AGN_ENOMEM && out == untouched), "memory failing about the plan");
    if (!st)
        agn_release(out);
    agn_release(x);
}

int main(void)
{
    test_values();
    test_modes();
    test_plans();
    test_short_into();
    test_failures();
    test_memory();
    agni_fft_clear_plans();
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
