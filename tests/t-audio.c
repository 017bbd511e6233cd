/* Spectrograms against their definition, summed directly; derivatives; errors. */
#include "tests/laws.h"

typedef agn_audio_spectrogram_options options;

/* ---- the definition -------------------------------------------------------------------- */

/* the signal beyond its ends, walked step by step as a mirror would */
static double beyond(const agn_tensor *x, int64_t row, int64_t i, int64_t n, int edge)
{
    int64_t at = 0, way = i < 0 ? -1 : 1;
    if (i >= 0 && i < n)
        return peek(x, row * n + i);
    if (edge == AGN_AUDIO_ZERO)
        return 0;
    if (n == 1)
        return peek(x, row);
    for (int64_t steps = i < 0 ? -i : i; steps > 0; steps--) {
        if (at + way < 0 || at + way >= n)
            way = -way;
        at += way;
    }
    return peek(x, row * n + at);
}

static double hann(int64_t k, int64_t n)
{
    return n == 1 ? 1 : 0.5 - 0.5 * cos(2 * acos(-1.0) * (double)k / (double)n);
}

/* entry (k, t) of one row */
static double complex amplitude(const agn_tensor *x, const options *a, int64_t row, int64_t k,
                                int64_t t)
{
    int64_t n = agn_shape(x)[agn_ndim(x) - 1], lead = (a->n_fft - a->win_length) / 2;
    int64_t first = t * a->hop - (a->edge == AGN_AUDIO_UNCENTRED ? 0 : a->n_fft / 2);
    double complex sum = 0;
    for (int64_t j = 0; j < a->win_length; j++) {
        double w = a->window ? peek(a->window, j) : hann(j, a->win_length);
        double turn = 2 * acos(-1.0) * (double)(k * (lead + j) % a->n_fft) / (double)a->n_fft;
        sum += w * beyond(x, row, first + lead + j, n, a->edge) * z_of(cos(turn), -sin(turn));
    }
    return sum;
}

static void test_definition(void)
{
    static const struct {
        int64_t n, n_fft, hop, win;
    } sizes[] = {{64, 16, 4, 16}, {61, 16, 5, 10},  {40, 15, 4, 15}, {40, 15, 7, 9},  {33, 8, 20, 5},
                 {7, 16, 3, 16},  {3, 32, 2, 31},   {1, 8, 1, 8},    {2, 9, 4, 1},    {50, 1, 1, 1},
                 {50, 2, 60, 2},  {12, 12, 12, 12}, {129, 32, 8, 32}};
    tally t = {0, 0}, shapes = {0, 0};
    double worst = 0;
    for (int k = 0; k < COUNT(sizes); k++)
        for (int edge = 0; edge < 3; edge++)
            for (int value = 0; value < 3; value++)
                for (int given = 0; given < 2; given++) {
                    int dtype = given ? AGN_F64 : k % 2 ? AGN_F32 : AGN_F64;
                    int64_t n = sizes[k].n;
                    if (edge == AGN_AUDIO_UNCENTRED && n < sizes[k].n_fft)
                        continue;
                    agn_tensor *x = random_of(dtype, 3, (int64_t[]){2, 1, n}, -1, 1), *y = NULL;
                    agn_tensor *w = random_of(AGN_F64, 1, &sizes[k].win, 0.1, 1);
                    agn_tensor *in = laid_out(x, k % N_LAYOUTS);
                    options a = {.size = sizeof a, .n_fft = sizes[k].n_fft, .hop = sizes[k].hop,
                                 .win_length = sizes[k].win, .value = value, .edge = edge,
                                 .window = given ? w : NULL};
                    must(agn_audio_spectrogram(&y, in, &a));
                    int64_t bins = a.n_fft / 2 + 1,
                            room = n + (edge == AGN_AUDIO_UNCENTRED ? 0 : a.n_fft / 2 * 2),
                            frames = 0;
                    while (frames * a.hop + a.n_fft <= room)
                        frames++;
                    bool wide = dtype == AGN_F64;
                    check(&shapes,
                          has_shape(y, 4, (int64_t[]){2, 1, bins, frames}) &&
                              agn_dtype_of(y) == (value == AGN_AUDIO_COMPLEX
                                                      ? (wide ? AGN_C128 : AGN_C64)
                                                      : (wide ? AGN_F64 : AGN_F32)),
                          "n %d, n_fft %d, edge %d: %s", (int)n, (int)a.n_fft, edge, SHAPE_TEXT(y));
                    double tol = (wide ? 1e-14 : 1e-6) * (double)a.n_fft * (double)a.n_fft;
                    for (int64_t i = 0; i < agn_numel(y); i++) {
                        int64_t row = i / (bins * frames), b = i / frames % bins;
                        double complex z = amplitude(x, &a, row, b, i % frames), have = peekz(y, i);
                        double off = value == AGN_AUDIO_COMPLEX     ? cabs(have - z)
                                     : value == AGN_AUDIO_MAGNITUDE ? fabs(creal(have) - cabs(z))
                                                                    : fabs(creal(have) -
                                                                           creal(z * conj(z)));
                        worst = fmax(worst, off / tol);
                        check(&t, off <= tol, "n %d n_fft %d hop %d win %d edge %d value %d at %d",
                              (int)n, (int)a.n_fft, (int)a.hop, (int)a.win_length, edge, value,
                              (int)i);
                    }
                    agn_release(in);
                    agn_release(x);
                    agn_release(w);
                    agn_release(y);
                }
    tell(&shapes, "shapes and dtypes");
    tell(&t, "%" PRId64 " entries are sums by the definition (at worst %.2f of the tolerance)",
         t.checks, worst);
}

static void test_defaults(void)
{
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){2000}, -1, 1), *y, *z, *i, *j;
    must(agn_audio_spectrogram(&y, x, NULL));
    ok(has_shape(y, 2, (int64_t[]){257, 16}), "frames of 512, 128 apart");
    options a = {.size = sizeof a, .n_fft = 512, .hop = 128, .win_length = 512};
    must(agn_audio_spectrogram(&z, x, &a));
    ok(same_values(y, z), "which can be said");
    agn_release(y);
    agn_release(z);
    agn_release(x);
    x = random_of(AGN_I32, 1, (int64_t[]){40}, -9, 9);
    a = (options){.size = sizeof a, .n_fft = 8};
    must(agn_cast(&y, x, AGN_F64));
    must(agn_audio_spectrogram(&i, x, &a));
    must(agn_audio_spectrogram(&j, y, &a));
    ok(same_values(i, j), "integers as f64");
    agn_release(i);
    agn_release(j);
    agn_release(y);
    must(agn_cast(&y, x, AGN_F16));
    must(agn_cast(&z, x, AGN_F32));
    must(agn_audio_spectrogram(&i, y, &a));
    must(agn_audio_spectrogram(&j, z, &a));
    ok(same_values(i, j), "f16 as f32");
    agn_tensor *all[] = {i, j, x, y, z};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    x = random_of(AGN_F32, 2, (int64_t[]){0, 40}, -1, 1);
    must(agn_audio_spectrogram(&y, x, &a));
    ok(has_shape(y, 3, (int64_t[]){0, 5, 21}), "an empty batch");
    agn_release(x);
    agn_release(y);

    for (int64_t n = 0; n < 9; n++) {
        must(agn_audio_hann(&x, AGN_F64, n));
        double worst = 0;
        for (int64_t k = 0; k < n; k++)
            worst = fmax(worst, fabs(peek(x, k) - hann(k, n)));
        ok(agn_numel(x) == n && worst < 1e-15, "Hann window of %d", (int)n);
        agn_release(x);
    }
    must(agn_audio_hann(&x, AGN_F32, 4));
    ok(agn_dtype_of(x) == AGN_F32 && peek(x, 1) == 0.5 && peek(x, 2) == 1 && peek(x, 3) == 0.5,
       "in f32");
    agn_release(x);
}

/* a tone of a whole number of periods stands in one bin and, by the window, its neighbours */
static void test_tone(void)
{
    enum { N = 256 };
    double v[N];
    static const int64_t n = N;
    for (int i = 0; i < N; i++)
        v[i] = cos(2 * acos(-1.0) * 5 * i / 64);
    agn_tensor *x = of_reals(AGN_F64, 1, &n, v), *y;
    options a = {.size = sizeof a, .n_fft = 64, .value = AGN_AUDIO_MAGNITUDE,
                 .edge = AGN_AUDIO_UNCENTRED};
    must(agn_audio_spectrogram(&y, x, &a));
    int64_t frames = agn_shape(y)[1];
    double worst = 0;
    for (int64_t k = 0; k < 33; k++)
        for (int64_t t = 0; t < frames; t++)
            worst = fmax(worst, fabs(peek(y, k * frames + t) - (k == 5              ? 16
                                                                : k == 4 || k == 6 ? 8
                                                                                   : 0)));
    ok(worst < 1e-13, "a tone is where it belongs, with its neighbours by the window");
    agn_release(x);
    agn_release(y);
}

/* ---- derivatives ---------------------------------------------------------------------------- */

/* sum of c * S(x u(t)) with the window as a function of t, too: everything is in play */
static agn_status measure(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const options *a = user;
    options mine = *a;
    const agn_tensor *t = in[0], *ramp = ag_linspace(s, AGN_F64, 0.3, 1.1, 11);
    const agn_tensor *x = ag_sin(s, ag_mul(s, ag_mul_c(s, ramp, 5), t));
    mine.window = ag_exp(s, ag_mul(s, ag_linspace(s, AGN_F64, -0.4, 0.3, a->win_length), t));
    const agn_tensor *y = ag_audio_spectrogram(s, x, &mine);
    if (a->value == AGN_AUDIO_COMPLEX)
        y = ag_add(s, ag_real(s, y), ag_mul_c(s, ag_imag(s, y), 0.7));
    const agn_tensor *bins = ag_expand_dims(s, ag_linspace(s, AGN_F64, 1, 2, a->n_fft / 2 + 1), 1);
    out[0] = ag_sum_all(s, ag_mul(s, y, bins));
    return agn_scope_status(s);
}

static agn_status forward(void *user, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *arg[] = {in[0], ag_full(s, AGN_F64, 0, NULL, 1)}, *y[2] = {NULL, NULL};
    agn_fn_apply(s, y, 2, user, arg, 2);
    out[0] = y[1];
    return agn_scope_status(s);
}
static void drop_fn(void *f)
{
    agn_fn_release(f);
}
static double at(const agn_fn *f, double t)
{
    agn_tensor *x = scalar_of(AGN_F64, t), *y = NULL;
    must(agn_fn_call(&y, 1, f, (const agn_tensor *const *)&x, 1));
    double v = peek(y, 0);
    agn_release(x);
    agn_release(y);
    return v;
}

static void test_derivatives(void)
{
    static const double T = 0.83;
    for (int value = 0; value < 3; value++)
        for (int edge = 0; edge < 3; edge++) {
            options a = {.size = sizeof a, .n_fft = edge == 1 ? 7 : 8, .hop = 3, .win_length = 6,
                         .value = value, .edge = edge};
            agn_fn *f, *reverse, *fwd, *jet;
            must(agn_fn_new(&f, measure, &a, NULL, 1, 1));
            must(agn_fn_jet(&jet, f, 3));
            agn_tensor *in[4], *c[4];
            for (int k = 0; k < 4; k++)
                in[k] = scalar_of(AGN_F64, k == 0 ? T : k == 1);
            must(agn_fn_call(c, 4, jet, (const agn_tensor *const *)in, 4));
            tally t = {0, 0};
            reverse = agn_fn_retain(f);
            fwd = agn_fn_retain(f);
            double factorial = 1;
            for (int n = 0; n < 4; n++) {
                double want = at(fwd, T), tol = 1e-11 * (1 + fabs(want));
                factorial *= n ? n : 1;
                check(&t, fabs(at(reverse, T) - want) < tol, "reverse %d: %g, not %g", n,
                      at(reverse, T), want);
                check(&t, fabs(peek(c[n], 0) * factorial - want) < tol, "jet %d: %g, not %g", n,
                      peek(c[n], 0) * factorial, want);
                agn_fn *v, *fast, *next;
                agn_tensor *lanes = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){0.5, T, 1.3}), *y;
                must(agn_fn_vmap(&v, reverse, NULL, 0, NULL, 0));
                must(agn_fn_call(&y, 1, v, (const agn_tensor *const *)&lanes, 1));
                check(&t, fabs(peek(y, 1) - want) < tol, "vmap %d: %g, not %g", n, peek(y, 1), want);
                agn_release(y);
                agn_release(lanes);
                agn_fn_release(v);
                must(agn_fn_compile(&fast, reverse, NULL));
                check(&t, fabs(at(fast, T) - want) < tol, "compiled %d", n);
                agn_fn_release(fast);
                must(agn_fn_jvp(&v, fwd));
                must(agn_fn_new(&next, forward, v, drop_fn, 1, 1));
                /* central differences of order 8, short: magnitudes have corners where they are 0 */
                double h = 0.001, d = (672 * (at(fwd, T + h) - at(fwd, T - h)) -
                                      168 * (at(fwd, T + 2 * h) - at(fwd, T - 2 * h)) +
                                      32 * (at(fwd, T + 3 * h) - at(fwd, T - 3 * h)) -
                                      3 * (at(fwd, T + 4 * h) - at(fwd, T - 4 * h))) / 840 / h;
                check(&t, fabs(at(next, T) - d) < 1e-7 * (1 + fabs(d)), "differences %d: %g, not %g",
                      n + 1, at(next, T), d);
                agn_fn_release(fwd);
                fwd = next;
                must(agn_fn_grad(&next, reverse, NULL, 1));
                agn_fn_release(reverse);
                reverse = next;
                agn_release(c[n]);
            }
            for (int k = 0; k < 4; k++)
                agn_release(in[k]);
            agn_fn_release(f);
            agn_fn_release(jet);
            agn_fn_release(fwd);
            agn_fn_release(reverse);
            tell(&t, "value %d, edge %d: derivatives to order 3 in every mode", value, edge);
        }
}

/* ---- errors ------------------------------------------------------------------------------------- */

static void test_errors(void)
{
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 1, (int64_t[]){20}, -1, 1),
               *z = random_of(AGN_C64, 1, (int64_t[]){20}, -1, 1), *zero = scalar_of(AGN_F64, 1),
               *none = random_of(AGN_F64, 2, (int64_t[]){3, 0}, -1, 1);
#define SAYS(st, want, a, b) ok(refused(st, want, "audio_spectrogram", a, b, out), #st)
#define WITH(...) agn_audio_spectrogram(&out, x, &(options){.size = sizeof(options), __VA_ARGS__})
    SAYS(agn_audio_spectrogram(NULL, x, NULL), AGN_ENULL, "out", "NULL");
    SAYS(agn_audio_spectrogram(&out, NULL, NULL), AGN_ENULL, "x is", "NULL");
    SAYS(agn_audio_spectrogram(&out, z, NULL), AGN_EDTYPE, "c64", "[20]");
    SAYS(agn_audio_spectrogram(&out, zero, NULL), AGN_ESHAPE, "[]", "512");
    SAYS(agn_audio_spectrogram(&out, none, NULL), AGN_ESHAPE, "[3,0]", "512");
    SAYS(WITH(.edge = AGN_AUDIO_UNCENTRED), AGN_ESHAPE, "[20]", "512");
    SAYS(WITH(.edge = AGN_AUDIO_UNCENTRED, .n_fft = 21), AGN_ESHAPE, "[20]", "21");
    SAYS(agn_audio_spectrogram(&out, x, &(options){.size = 4}), AGN_EARG, "4 bytes", "has");
    SAYS(WITH(.n_fft = -1), AGN_EARG, "-1", "negative");
    SAYS(WITH(.n_fft = (int64_t)1 << 31), AGN_EARG, "2147483648", "2147483647");
    SAYS(WITH(.hop = -2), AGN_EARG, "-2", "negative");
    SAYS(WITH(.win_length = -3), AGN_EARG, "-3", "negative");
    SAYS(WITH(.n_fft = 8, .win_length = 9), AGN_EARG, "9", "8");
    SAYS(WITH(.value = 3), AGN_EARG, "3", "2");
    SAYS(WITH(.value = -1), AGN_EARG, "-1", "2");
    SAYS(WITH(.edge = 3), AGN_EARG, "3", "2");
    SAYS(WITH(.edge = -1), AGN_EARG, "-1", "2");
    SAYS(WITH(.window = x), AGN_ESHAPE, "[20]", "512");
    SAYS(WITH(.window = none, .n_fft = 8), AGN_ESHAPE, "[3,0]", "8");
    SAYS(WITH(.window = z, .n_fft = 20), AGN_EDTYPE, "c64", "[20]");
    ok(refused(agn_audio_hann(NULL, AGN_F64, 3), AGN_ENULL, "audio_hann", "out", "NULL", out),
       "hann: out");
    ok(refused(agn_audio_hann(&out, AGN_I32, 3), AGN_EDTYPE, "audio_hann", "i32", "f64", out),
       "hann: dtype");
    ok(refused(agn_audio_hann(&out, 99, 3), AGN_EDTYPE, "audio_hann", "?", "f64", out),
       "hann: no dtype");
    ok(refused(agn_audio_hann(&out, AGN_F64, -3), AGN_ESHAPE, "audio_hann", "-3", NULL, out),
       "hann: n");
    ok(refused(agn_audio_hann(&out, AGN_F64, (int64_t)1 << 62), AGN_ENOMEM, "audio_hann", NULL, NULL,
               out), "hann: 2^62");
    agn_release(x);
    agn_release(z);
    agn_release(zero);
    agn_release(none);
}

static void test_memory(void)
{
    agn_tensor *x = random_of(AGN_F32, 1, (int64_t[]){40}, -1, 1), *y = untouched;
    options a = {.size = sizeof a, .n_fft = 10, .win_length = 7, .value = AGN_AUDIO_MAGNITUDE};
    tally t = {0, 0};
    for (a.edge = 0; a.edge < 3; a.edge++) { /* plans of transforms are kept from now on */
        must(agn_audio_spectrogram(&y, x, &a));
        agn_release(y);
    }
    for (int call = 0; call < 4; call++) {
        int64_t before, after;
        agn_memory_live(NULL, &before, NULL);
        for (int n = 0;; n++) {
            y = untouched;
            a.edge = call % 3;
            agn_memory_fail_after(n);
            agn_status st = call < 3 ? agn_audio_spectrogram(&y, x, &a)
                                     : agn_audio_hann(&y, AGN_F32, 5);
            agn_memory_fail_after(-1);
            if (!st)
                break;
            check(&t, st == AGN_ENOMEM && y == untouched, "call %d, allocation %d: %s", call, n,
                  agn_error_message());
        }
        agn_release(y);
        agn_memory_live(NULL, &after, NULL);
        is_int(after, before, "nothing is lost");
    }
    tell(&t, "%d allocations failed in turn", (int)t.checks);
    agn_release(x);
}

int main(void)
{
    test_definition();
    test_defaults();
    test_tone();
    test_derivatives();
    test_errors();
    test_memory();
    return done();
}
