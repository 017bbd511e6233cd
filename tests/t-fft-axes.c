/* t-fft-axes - transforms over several axes against those along one after the other; cosine, sine,
   chirp-z and Hankel transforms against the sums they stand for; FFTW's own identities for every length
   to 200 (Ergun, Testing multivariate linear functions, 1995); derivatives; failures. */
#include "modes.h"

#include "fft/fft.h"

#define PI 3.14159265358979323846


/* ---- several axes -------------------------------------------------------------------------- */

/* what a transform of several axes is: the last one by the named function, the others by fft or ifft */
static agn_tensor *one_by_one(const agn_tensor *x, int kind, const int64_t *n, const int32_t *axes,
                              int n_axes, int norm)
{
    agn_tensor *y = NULL, *z = NULL;
    bool real_in = kind == 2 || kind == 5, flips = kind >= 4;
    int other = norm == 0 ? 2 : norm == 2 ? 0 : 1;
    agn_tensor *now = agn_retain(x);
    int32_t last = axes[n_axes - 1];
    if (real_in) { /* conj(rfftn) with the other norm for ihfftn */
        must(agn_fft_rfft(&y, now, n[n_axes - 1], last, flips ? other : norm));
        agn_release(now);
        now = y;
    } else if (kind == 4) {
        must(agn_conj(&y, now));
        agn_release(now);
        now = y;
    }
    for (int k = 0; k < n_axes - (kind < 2 ? 0 : 1); k++) {
        bool inverse = kind == 1 || kind == 3 || kind == 4;
        must((inverse ? agn_fft_ifft : agn_fft_fft)(&z, now, n[k], axes[k], flips ? other : norm));
        agn_release(now);
        now = z;
    }
    if (kind == 3 || kind == 4) {
        must(agn_fft_irfft(&z, now, n[n_axes - 1], last, flips ? other : norm));
        agn_release(now);
        now = z;
    }
    if (kind == 5) {
        must(agn_conj(&z, now));
        agn_release(now);
        now = z;
    }
    return now;
}

typedef agn_status any_axes(agn_tensor **, const agn_tensor *, const int64_t *, const int32_t *, int32_t,
                            int32_t);
typedef agn_status two_axes(agn_tensor **, const agn_tensor *, const int64_t *, const int32_t *, int32_t);
typedef agn_status one_axis(agn_tensor **, const agn_tensor *, int64_t, int32_t, int32_t);
static const struct {
    const char *name;
    any_axes *n;
    two_axes *two;
    one_axis *one;
    bool real, half;
} family[] = {{"fft", agn_fft_fftn, agn_fft_fft2, agn_fft_fft, false, false},
              {"ifft", agn_fft_ifftn, agn_fft_ifft2, agn_fft_ifft, false, false},
              {"rfft", agn_fft_rfftn, agn_fft_rfft2, agn_fft_rfft, true, false},
              {"irfft", agn_fft_irfftn, agn_fft_irfft2, agn_fft_irfft, false, true},
              {"hfft", agn_fft_hfftn, agn_fft_hfft2, agn_fft_hfft, false, true},
              {"ihfft", agn_fft_ihfftn, agn_fft_ihfft2, agn_fft_ihfft, true, false}};

static void test_axes(void)
{
    static const struct {
        int ndim, n_axes;
        int64_t shape[4];
        int32_t axes[3];
        int64_t n[3];
    } cases[] = {{2, 2, {4, 6}, {0, 1}, {0, 0}},          {2, 2, {4, 6}, {1, 0}, {0, 0}},
                 {3, 2, {3, 5, 4}, {-1, 0}, {7, 2}},      {3, 3, {3, 5, 4}, {2, 0, 1}, {0, 0, 0}},
                 {4, 2, {2, 3, 4, 5}, {1, 2}, {0, 5}},    {4, 3, {2, 3, 2, 5}, {3, 1, 0}, {4, 0, 3}},
                 {2, 1, {4, 6}, {0}, {0}},                {3, 2, {0, 5, 4}, {-1, -2}, {0, 0}},
                 {3, 2, {300, 5, 64}, {0, 2}, {0, 0}},    {2, 2, {257, 300}, {0, 1}, {0, 0}},
                 {3, 2, {2, 256, 200}, {1, 2}, {0, 0}},   {2, 2, {1, 1}, {0, 1}, {2, 3}},
                 {2, 2, {300, 257}, {1, 0}, {0, 0}}};
    for (int f = 0; f < COUNT(family); f++) {
        tally q = {0, 0};
        for (int k = 0; k < COUNT(cases); k++)
            for (int norm = 0; norm < 3; norm++)
                for (int single = 0; single < 2; single++) {
                    bool large = count_of(cases[k].ndim, cases[k].shape) > 2000;
                    if (large && (norm || single))
                        continue;
                    int dtype = family[f].real ? (single ? AGN_F32 : AGN_F64)
                                : single       ? AGN_C64
                                               : AGN_C128;
                    int64_t shape[4];
                    memcpy(shape, cases[k].shape, sizeof shape);
                    agn_tensor *x0 = random_of(dtype, cases[k].ndim, shape, -1, 1);
                    for (int l = 0; l < (large ? 2 : N_LAYOUTS); l++) {
                        agn_tensor *x = laid_out(x0, l), *y = NULL;
                        uint64_t before = hash_of(x);
                        int last = cases[k].n_axes - 1;
                        int64_t n[3];
                        memcpy(n, cases[k].n, sizeof n);
                        if (family[f].half && !n[last])
                            n[last] = 5; /* odd, and other than the default */
                        must(family[f].n(&y, x, n, cases[k].axes, cases[k].n_axes, norm));
                        agn_tensor *want = one_by_one(x, f, n, cases[k].axes, cases[k].n_axes, norm);
                        double apart = modes_apart(y, want), tol = single ? 4e-6 : large ? 1e-12 : 1e-14;
                        check(&q, apart < tol * 8, "%sn case %d norm %d layout %d: apart %.1e",
                              family[f].name, k, norm, l, apart);
                        check(&q, hash_of(x) == before, "the argument changed");
                        if (cases[k].n_axes == 2) {
                            agn_tensor *z = NULL;
                            must(family[f].two(&z, x, n, cases[k].axes, norm));
                            check(&q, same_values(y, z), "%s2", family[f].name);
                            agn_release(z);
                        }
                        if (cases[k].n_axes == 1) {
                            agn_tensor *z = NULL;
                            must(family[f].one(&z, x, n[0], cases[k].axes[0], norm));
                            check(&q, same_values(y, z), "%s", family[f].name);
                            agn_release(z);
                        }
                        agn_release(want);
                        agn_release(x);
                        agn_release(y);
                    }
                    agn_release(x0);
                }
        tell(&q, "%s, %s2, %sn: as along one axis after the other", family[f].name, family[f].name,
             family[f].name);
    }
    /* defaults */
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){3, 4, 5}, -1, 1), *y = NULL, *z = NULL, *w = NULL;
    must(agn_fft_fftn(&y, x, NULL, NULL, 0, 0));
    must(agn_fft_fftn(&z, x, NULL, (int32_t[]){0, 1, 2}, 3, 0));
    must(agn_fft_fftn(&w, x, (int64_t[]){3, 4, 5}, NULL, 3, 0));
    check(&q, same_values(y, z) && same_values(y, w), "no axes are all");
    release_all((agn_tensor *[]){y, z, w}, 3);
    must(agn_fft_rfft2(&y, x, NULL, NULL, 0));
    must(agn_fft_rfftn(&z, x, NULL, (int32_t[]){-2, -1}, 2, 0));
    must(agn_fft_irfft2(&w, y, (int64_t[]){4, 5}, NULL, 0));
    check(&q, same_values(y, z) && modes_apart(w, x) < 1e-14, "two axes are the last");
    release_all((agn_tensor *[]){y, z, w}, 3);
    must(agn_fft_fftn(&y, x, NULL, (int32_t[]){0}, 0, 0));
    check(&q, agn_dtype_of(y) == AGN_C128 && peekz(y, 7) == peek(x, 7), "over no axis: x itself");
    agn_release(y);
    agn_release(x);
    tell(&q, "axes and lengths that are left out");
}

/* ---- FFTW's identities ------------------------------------------------------------------------- */

/* linearity, impulse and shift decide of any function whether it is the transform */
static void test_identities(void)
{
    tally q = {0, 0};
    for (int64_t n = 1; n <= 200; n++) {
        agn_tensor *a = random_of(AGN_C128, 1, &n, -1, 1), *b = random_of(AGN_C128, 1, &n, -1, 1);
        agn_tensor *sum = NULL, *fa = NULL, *fb = NULL, *fs = NULL, *fsum = NULL, *shifted = NULL, *e = NULL,
                   *fe = NULL;
        must(agn_add(&sum, a, b));
        must(agn_fft_fft(&fa, a, 0, 0, 0));
        must(agn_fft_fft(&fb, b, 0, 0, 0));
        must(agn_fft_fft(&fs, sum, 0, 0, 0));
        must(agn_add(&fsum, fa, fb));
        double eps = 2e-15 * (double)(8 + n);
        check(&q, modes_apart(fs, fsum) < eps, "linear at %d: %.1e", (int)n, modes_apart(fs, fsum));
        double *v = room_for((size_t)n * sizeof *v);
        v[0] = 1;
        e = of_reals(AGN_C128, 1, &n, v);
        free(v);
        must(agn_fft_fft(&fe, e, 0, 0, 0));
        must(agn_roll(&shifted, a, (int64_t[]){1}, (int32_t[]){0}, 1));
        agn_release(fs);
        must(agn_fft_fft(&fs, shifted, 0, 0, 0));
        for (int64_t k = 0; k < n; k++) {
            double t = -2 * PI * (double)k / (double)n;
            check(&q, cabs(peekz(fe, k) - 1) < 1e-15 * (double)(4 + n), "impulse at %d", (int)n);
            check(&q, cabs(peekz(fs, k) - peekz(fa, k) * z_of(cos(t), sin(t))) < eps * 4, "shift at %d",
                  (int)n);
        }
        release_all((agn_tensor *[]){a, b, sum, fa, fb, fs, fsum, shifted, e, fe}, 10);
    }
    tell(&q, "linearity, impulse, shift for every length to 200");
}

/* ---- cosines and sines ----------------------------------------------------------------------- */

typedef agn_status one_type(agn_tensor **, const agn_tensor *, int32_t, int64_t, int32_t, int32_t);
typedef agn_status any_type(agn_tensor **, const agn_tensor *, int32_t, const int64_t *, const int32_t *,
                            int32_t, int32_t);
static const struct {
    const char *name;
    one_type *one;
    any_type *n;
    bool sine, inverse;
} r2r[] = {{"fft_dct", agn_fft_dct, agn_fft_dctn, false, false},
           {"fft_idct", agn_fft_idct, agn_fft_idctn, false, true},
           {"fft_dst", agn_fft_dst, agn_fft_dstn, true, false},
           {"fft_idst", agn_fft_idst, agn_fft_idstn, true, true}};

/* of pi num / den, turns taken out in whole numbers */
static double cosine(int64_t num, int64_t den)
{
    return cos(PI * (double)(num % (2 * den)) / (double)den);
}
static double sine_of(int64_t num, int64_t den)
{
    return sin(PI * (double)(num % (2 * den)) / (double)den);
}

static double term(bool sine, int type, int64_t j, int64_t k, int64_t n, double x)
{
    if (!sine)
        switch (type) {
        case 1:
            return j == 0 ? x : j == n - 1 ? (k % 2 ? -x : x) : 2 * x * cosine(j * k, n - 1);
        case 2:
            return 2 * x * cosine((2 * j + 1) * k, 2 * n);
        case 3:
            return j == 0 ? x : 2 * x * cosine(j * (2 * k + 1), 2 * n);
        default:
            return 2 * x * cosine((2 * j + 1) * (2 * k + 1), 4 * n);
        }
    switch (type) {
    case 1:
        return 2 * x * sine_of((j + 1) * (k + 1), n + 1);
    case 2:
        return 2 * x * sine_of((2 * j + 1) * (k + 1), 2 * n);
    case 3:
        return j == n - 1 ? (k % 2 ? -x : x) : 2 * x * sine_of((j + 1) * (2 * k + 1), 2 * n);
    default:
        return 2 * x * sine_of((2 * j + 1) * (2 * k + 1), 4 * n);
    }
}

static void test_r2r(void)
{
    static const int64_t lengths[] = {1, 2, 3, 4, 5, 8, 13, 16, 17, 31, 50};
    for (int s = 0; s < 2; s++) {
        tally q = {0, 0};
        for (int type = 1; type <= 4; type++)
            for (int k = 0; k < COUNT(lengths); k++) {
                int64_t n = lengths[k];
                if (type == 1 && !s && n < 2)
                    continue;
                for (int l = 0; l < N_LAYOUTS; l++) {
                    agn_tensor *x0 = random_of(AGN_F64, 2, (int64_t[]){3, n}, -1, 1);
                    agn_tensor *x = laid_out(x0, l), *y = NULL, *o = NULL, *b = NULL;
                    must(r2r[2 * s].one(&y, x, type, 0, 1, AGN_FFT_BACKWARD));
                    double worst = 0;
                    for (int64_t r = 0; r < 3; r++)
                        for (int64_t i = 0; i < n; i++) {
                            double sum = 0;
                            for (int64_t j = 0; j < n; j++)
                                sum += term(s, type, j, i, n, peek(x0, r * n + j));
                            worst = fmax(worst, fabs(sum - peek(y, r * n + i)));
                        }
                    check(&q, worst < 4e-15 * (double)(n + 4), "%s type %d of %d: off by %.1e",
                          r2r[2 * s].name, type, (int)n, worst);
                    for (int norm = 0; norm < 3; norm++) {
                        must(r2r[2 * s].one(&o, x, type, 0, 1, norm));
                        must(r2r[2 * s + 1].one(&b, o, type, 0, 1, norm));
                        check(&q, modes_apart(b, x0) < 1e-14, "%s type %d of %d norm %d",
                              r2r[2 * s + 1].name, type, (int)n, norm);
                        if (norm == AGN_FFT_ORTHO)
                            check(&q, fabs(modes_dot(o, o) - modes_dot(x0, x0)) < 1e-13,
                                  "type %d of %d is orthogonal", type, (int)n);
                        release_all((agn_tensor *[]){o, b}, 2);
                    }
                    release_all((agn_tensor *[]){x0, x, y}, 3);
                }
            }
        tell(&q, "%s: the sums, the inverse, orthogonal", r2r[2 * s].name);
    }
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){3, 4, 5}, -1, 1);
    agn_tensor *z = random_of(AGN_C128, 2, (int64_t[]){3, 4}, -1, 1);
    for (int f = 0; f < 4; f++)
        for (int type = 1; type <= 4; type++)
            for (int norm = 0; norm < 3; norm++) {
                agn_tensor *y = NULL, *a = NULL, *b = NULL, *re = NULL, *c = NULL, *d = NULL;
                must(r2r[f].n(&y, x, type, (int64_t[]){0, 6}, (int32_t[]){2, 0}, 2, norm));
                must(r2r[f].one(&a, x, type, 0, 2, norm));
                must(r2r[f].one(&b, a, type, 6, 0, norm));
                check(&q, modes_apart(y, b) < 1e-14, "%sn type %d norm %d", r2r[f].name, type, norm);
                must(r2r[f].one(&c, z, type, 0, -1, norm));
                must(agn_imag(&re, z));
                must(r2r[f].one(&d, re, type, 0, -1, norm));
                for (int64_t i = 0; i < 12; i++)
                    check(&q, cimag(peekz(c, i)) == peek(d, i), "of complex numbers, part by part");
                release_all((agn_tensor *[]){y, a, b, re, c, d}, 6);
            }
    agn_release(x);
    agn_release(z);
    x = random_of(AGN_F32, 2, (int64_t[]){400, 300}, -1, 1); /* in passes */
    agn_tensor *y = NULL, *b = NULL;
    must(agn_fft_dctn(&y, x, 2, NULL, NULL, 0, 1));
    must(agn_fft_idctn(&b, y, 2, NULL, NULL, 0, 1));
    check(&q, modes_apart(b, x) < 2e-6, "400 x 300 and back");
    release_all((agn_tensor *[]){x, y, b}, 3);
    tell(&q, "over several axes, complex");
}

/* types 2 and 3 of so many lines that they go by chunks and pieces, of both precisions, along any
   axis and several: the sums of some of them, and each line alone */
static void test_many_lines(void)
{
    static const int64_t shapes[][3] = {
        {3, 1031, 7}, {700, 48, 3}, {5, 64, 257}, {1, 300, 301}, {90, 1000, 1}};
    tally q = {0, 0};
    for (int c = 0; c < 2 * COUNT(shapes); c++)
        for (int f = 0; f < 8; f++) {
            const int64_t *shape = shapes[c / 2], n = shape[1], m = shape[2];
            bool single = c % 2, sine = f & 1;
            int type = f & 2 ? 3 : 2, norm = f & 4 ? AGN_FFT_ORTHO : AGN_FFT_BACKWARD;
            agn_tensor *x = random_of(single ? AGN_F32 : AGN_F64, 3, shape, -1, 1), *y = NULL;
            must(r2r[2 * sine].one(&y, x, type, 0, 1, norm));
            double worst = 0, tol = (single ? 1e-6 : 2e-15) * (norm ? 1 : sqrt((double)n)) * 4;
            for (int64_t r = 0; r < 40; r++) {
                int64_t row = r % shape[0], col = (r * 5) % m, k = r * 101 % n,
                        at = row * n * m + col;
                double sum = 0, ends = 1;
                for (int64_t j = 0; j < n; j++) {
                    bool end = type == 3 && j == (sine ? n - 1 : 0);
                    double v = peek(x, at + j * m) * (end && norm ? sqrt(2) : 1);
                    sum += term(sine, type, j, k, n, v);
                }
                if (norm && type == 2 && k == (sine ? n - 1 : 0))
                    ends = sqrt(0.5);
                sum *= norm ? ends / sqrt(2 * (double)n) : 1;
                worst = fmax(worst, fabs(sum - peek(y, at + k * m)));
            }
            check(&q, worst < tol, "%s type %d of [%d,%d,%d] norm %d: off by %.1e",
                  r2r[2 * sine].name, type, (int)shape[0], (int)n, (int)m, norm, worst);
            agn_tensor *z = NULL, *a = NULL, *b = NULL;
            int64_t from[] = {shape[0] - 1, 0, m - 1}, to[] = {shape[0], n, m}, step[] = {1, 1, 1};
            must(agn_slice(&z, x, 3, from, to, step));
            must(r2r[2 * sine].one(&a, z, type, 0, 1, norm));
            must(agn_slice(&b, y, 3, from, to, step));
            check(&q, modes_apart(a, b) < tol, "the last line alone");
            release_all((agn_tensor *[]){z, a, b}, 3);
            a = b = NULL;
            if (n * shape[0] >= 1 << 12 && shape[0] >= 16) {
                must(r2r[2 * sine].n(&z, x, type, NULL, (int32_t[]){0, 1}, 2, norm));
                must(r2r[2 * sine].one(&a, y, type, 0, 0, norm));
                check(&q, modes_apart(z, a) < tol * (norm ? 1 : sqrt((double)shape[0])) * 4,
                      "two axes: off by %.1e", modes_apart(z, a));
                release_all((agn_tensor *[]){z, a}, 2);
            }
            release_all((agn_tensor *[]){x, y}, 2);
        }
    tell(&q, "types 2 and 3 of many lines");
}

/* long columns, which are transformed some at a time, against the same lines as rows */
static void test_columns(void)
{
    static const int64_t shapes[][3] = {{1, 521, 150}, {1, 300, 301}, {3, 512, 47}, {70, 256, 4}, {2, 300, 131},
                                       {1, 210, 339}, {40, 112, 48}, {64, 16, 100}};
    tally q = {0, 0};
    for (int k = 0; k < 2 * COUNT(shapes); k++) {
        const int64_t *shape = shapes[k / 2];
        bool single = k % 2;
        agn_tensor *x = random_of(single ? AGN_C64 : AGN_C128, 3, shape, -1, 1), *r = NULL, *rows = NULL;
        must(agn_real(&r, x));
        for (int real = 0; real < 2; real++) {
            agn_tensor *y = NULL, *t = NULL, *z = NULL, *back = NULL, *again = NULL;
            must(agn_swapaxes(&t, real ? r : x, 1, 2));
            must(agn_contiguous(&rows, t));
            if (real) {
                must(agn_fft_dct(&y, r, 2, 0, 1, AGN_FFT_ORTHO));
                must(agn_fft_dct(&z, rows, 2, 0, 2, AGN_FFT_ORTHO));
                must(agn_fft_idct(&again, y, 2, 0, 1, AGN_FFT_ORTHO));
            } else {
                must(agn_fft_fft(&y, x, 0, 1, AGN_FFT_ORTHO));
                must(agn_fft_fft(&z, rows, 0, 2, AGN_FFT_ORTHO));
                must(agn_fft_ifft(&again, y, 0, 1, AGN_FFT_ORTHO));
            }
            must(agn_swapaxes(&back, z, 1, 2));
            double tol = single ? 4e-6 : 1e-14;
            check(&q, modes_apart(y, back) < tol, "case %d: off by %.1e", k, modes_apart(y, back));
            check(&q, modes_apart(again, real ? r : x) < tol, "case %d and back", k);
            release_all((agn_tensor *[]){y, t, z, back, again, rows}, 6);
            rows = NULL;
        }
        release_all((agn_tensor *[]){x, r}, 2);
    }
    tell(&q, "columns");
}

/* ---- the rest ------------------------------------------------------------------------------------ */

static void test_bins(void)
{
    tally q = {0, 0};
    static const double even[] = {0, 0.25, 0.5, -0.75, -0.5, -0.25}, odd[] = {0, 0.4, 0.8, -0.8, -0.4};
    agn_tensor *f = NULL, *r = NULL, *s = NULL, *b = NULL;
    must(agn_fft_fftfreq(&f, AGN_F64, 6, 2.0 / 3));
    must(agn_fft_rfftfreq(&r, AGN_F64, 6, 2.0 / 3));
    for (int i = 0; i < 6; i++) {
        check(&q, fabs(peek(f, i) - even[i]) < 1e-15, "fftfreq %d", i);
        if (i < 4)
            check(&q, fabs(peek(r, i) - fabs(even[i])) < 1e-15, "rfftfreq %d", i);
    }
    must(agn_fft_fftshift(&s, f, NULL, 0));
    must(agn_fft_ifftshift(&b, s, NULL, 0));
    for (int i = 0; i < 6; i++)
        check(&q, fabs(peek(s, i) - (i - 3) * 0.25) < 1e-15, "in order");
    check(&q, same_values(b, f), "and back");
    release_all((agn_tensor *[]){f, r, s, b}, 4);
    must(agn_fft_fftfreq(&f, AGN_F64, 5, 0.5));
    must(agn_fft_fftshift(&s, f, (int32_t[]){0}, 1));
    must(agn_fft_ifftshift(&b, s, (int32_t[]){-1}, 1));
    for (int i = 0; i < 5; i++)
        check(&q, fabs(peek(f, i) - odd[i]) < 1e-15 && fabs(peek(s, i) - (i - 2) * 0.4) < 1e-15, "odd %d",
              i);
    check(&q, same_values(b, f), "and back");
    release_all((agn_tensor *[]){f, s, b}, 3);
    static const int64_t fast[][3] = {{1, 1, 1}, {11, 12, 10}, {13, 14, 12}, {1009, 1024, 1008},
                                      {99991, 100000, 99225}};
    for (int k = 0; k < COUNT(fast); k++) {
        int64_t up, down;
        must(agn_fft_next_fast_length(&up, fast[k][0]));
        must(agn_fft_prev_fast_length(&down, fast[k][0]));
        check(&q, up == fast[k][1], "next of %d is %d", (int)fast[k][0], (int)up);
        check(&q, down <= fast[k][0] && down >= fast[k][2], "previous of %d is %d", (int)fast[k][0],
              (int)down);
    }
    tell(&q, "frequencies, shifts, fast lengths");
}

static void test_chirps(void)
{
    tally q = {0, 0};
    for (int64_t n = 1; n < 40; n += 3)
        for (int64_t m = 1; m < 40; m += 5) {
            agn_tensor *x = random_of(AGN_C128, 2, (int64_t[]){n, 2}, -1, 1), *y = NULL, *z = NULL,
                       *f = NULL;
            double w[2] = {0.99 * cos(0.1), -0.99 * sin(0.1)}, a[2] = {1.01, 0.2};
            must(agn_fft_czt(&y, x, m, w, a, 0));
            must(agn_fft_zoom(&z, x, m, 0.1, 0.35, 0));
            double complex wz = z_of(w[0], w[1]), az = z_of(a[0], a[1]);
            for (int64_t c = 0; c < 2; c++)
                for (int64_t k = 0; k < m; k++) {
                    double complex sum = 0, zoom = 0;
                    double size = 0;
                    for (int64_t j = 0; j < n; j++) {
                        double complex p = cpow(wz, (double)(j * k)) / cpow(az, (double)j);
                        double t = -2 * PI * (double)j * (0.1 + 0.25 * (double)k / (double)m);
                        sum += peekz(x, j * 2 + c) * p;
                        size += cabs(p);
                        zoom += peekz(x, j * 2 + c) * z_of(cos(t), sin(t));
                    }
                    check(&q, cabs(peekz(y, k * 2 + c) - sum) < 2e-13 * (1 + (double)n) * (1 + size),
                          "czt %d of %d: %.1e", (int)m, (int)n, cabs(peekz(y, k * 2 + c) - sum));
                    check(&q, cabs(peekz(z, k * 2 + c) - zoom) < 1e-13 * (double)(n + 4), "zoom");
                }
            release_all((agn_tensor *[]){y, z}, 2);
            must(agn_fft_czt(&y, x, 0, NULL, NULL, 0));
            must(agn_fft_fft(&f, x, 0, 0, 0));
            check(&q, modes_apart(y, f) < 1e-13, "czt is fft by default");
            release_all((agn_tensor *[]){x, y, f}, 3);
        }
    tell(&q, "chirp z and zoom: the sums");
    /* r^(mu + 1) exp(-r^2 / 2) is its own transform (Hamilton 2000); off by what is cut off at the ends */
    for (int k = 0; k < 4; k++) {
        enum { N = 256 };
        double mu = k * 0.7, bias = k == 2 ? 0.1 : k == 3 ? -0.2 : 0, offset, v[N], dln = log(1e14) / N;
        must(agn_fft_fht_offset(&offset, dln, mu, 0, bias));
        for (int j = 0; j < N; j++) {
            double r = exp((j - (N - 1) / 2.0) * dln);
            v[j] = pow(r, mu + 1) * exp(-r * r / 2);
        }
        agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){N}, v), *y = NULL, *b = NULL;
        must(agn_fft_fht(&y, x, dln, mu, offset, bias));
        must(agn_fft_ifht(&b, y, dln, mu, offset, bias));
        double worst = 0;
        for (int j = 0; j < N; j++) {
            double r = exp((j - (N - 1) / 2.0) * dln + offset);
            if (r > 1e-2 && r < 1e2)
                worst = fmax(worst, fabs(peek(y, j) - pow(r, mu + 1) * exp(-r * r / 2)));
        }
        ok(worst < 2e-8 && modes_apart(b, x) < 1e-12, "Hankel of order %g, bias %g: %.1e, back %.1e", mu, bias,
           worst, modes_apart(b, x));
        release_all((agn_tensor *[]){x, y, b}, 3);
    }
    /* derivatives of sin(3 t) + cos(t), real and complex, along either axis */
    tally d = {0, 0};
    for (int64_t n = 8; n < 12; n++)
        for (int order = 0; order < 5; order++)
            for (int axis = 0; axis < 2; axis++) {
                double v[24];
                double length = 5;
                int64_t shape[] = {axis ? 2 : n, axis ? n : 2};
                for (int64_t i = 0; i < 2 * n; i++) {
                    double t = 2 * PI * (double)(axis ? i % n : i / 2) / (double)n;
                    v[i] = sin(3 * t) + cos(t);
                }
                agn_tensor *x = of_reals(AGN_F64, 2, shape, v), *z = NULL, *y = NULL, *yz = NULL;
                must(agn_cast(&z, x, AGN_C128));
                must(agn_fft_derivative(&y, x, order, length, axis));
                must(agn_fft_derivative(&yz, z, order, length, axis));
                for (int64_t i = 0; i < 2 * n; i++) {
                    double t = 2 * PI * (double)(axis ? i % n : i / 2) / (double)n, h = order * PI / 2,
                           u = 2 * PI / length;
                    double want = pow(3 * u, order) * sin(3 * t + h) + pow(u, order) * cos(t + h);
                    check(&d, fabs(peek(y, i) - want) < 1e-11 && cabs(peekz(yz, i) - want) < 1e-11,
                          "derivative %d of %d points: %g, not %g", order, (int)n, peek(y, i), want);
                }
                release_all((agn_tensor *[]){x, z, y, yz}, 4);
            }
    tell(&d, "spectral derivatives");
}

/* ---- derivatives in every mode -------------------------------------------------------------------- */

typedef struct given {
    int what, type, norm;
} given;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const given *g = user;
    const agn_tensor *x = ag_mul(s, in[0], in[0]), *y = NULL;
    static const int32_t axes[] = {1, 0};
    static const int64_t n[] = {0, 4};
    switch (g->what) {
    case 0:
        y = ag_fft_fftn(s, x, n, axes, 2, g->norm);
        break;
    case 1:
        y = ag_fft_rfftn(s, x, n, axes, 2, g->norm);
        break;
    case 2:
        y = ag_fft_irfftn(s, x, (int64_t[]){2, 3 + g->type}, axes, 2, g->norm);
        break;
    case 3:
        y = ag_fft_hfftn(s, x, (int64_t[]){2, 3 + g->type}, axes, 2, g->norm);
        break;
    case 4:
        y = ag_fft_ihfftn(s, x, n, axes, 2, g->norm);
        break;
    case 5:
        y = ag_fft_dctn(s, x, g->type, NULL, axes, 2, g->norm);
        break;
    case 6:
        y = ag_fft_dstn(s, x, g->type, NULL, axes, 2, g->norm);
        break;
    case 7:
        y = ag_fft_zoom(s, x, 3, 0.1, 0.4, -1);
        break;
    case 8:
        y = ag_fft_fht(s, x, 0.3, 0.5, 0.1, 0.2);
        break;
    default:
        y = ag_fft_derivative(s, x, 1 + g->type % 2, 3, 0);
    }
    out[0] = ag_mul(s, y, y);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const given cases[] = {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}, {2, 1, 2}, {3, 0, 0}, {4, 0, 2}, {5, 1, 0},
                                  {5, 1, 1}, {5, 2, 0}, {5, 2, 1}, {5, 3, 1}, {5, 3, 2}, {5, 4, 1}, {6, 1, 0},
                                  {6, 2, 1}, {6, 3, 1}, {6, 3, 0}, {6, 4, 0}, {7, 0, 0}, {8, 0, 0}, {9, 0, 0},
                                  {9, 1, 0}};
    for (int k = 0; k < COUNT(cases); k++) {
        given g = cases[k];
        bool z = g.what == 0 || g.what == 2 || g.what == 3 || g.what == 7;
        agn_tensor *x = random_of(z ? AGN_C128 : AGN_F64, 2, (int64_t[]){3, 4}, -1, 1);
        agn_fn *f = NULL;
        char name[64];
        must(agn_fn_new(&f, body, &g, NULL, 1, 1));
        snprintf(name, sizeof name, "transform %d, type %d, norm %d", g.what, g.type, g.norm);
        in_every_mode(f, 1, (const agn_tensor *const *)&x, 1e-2, 2e-9, name);
        agn_fn_release(f);
        agn_release(x);
    }
}

/* ---- failures --------------------------------------------------------------------------------------- */

static void test_failures(void)
{
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 2, (int64_t[]){3, 4}, 0, 1),
               *z = random_of(AGN_C64, 2, (int64_t[]){3, 4}, 0, 1), *zero = scalar_of(AGN_F64, 1),
               *none = random_of(AGN_F64, 2, (int64_t[]){3, 0}, 0, 1),
               *one = random_of(AGN_F64, 2, (int64_t[]){3, 1}, 0, 1);
    tally q = {0, 0};
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
    for (int k = 0; k < COUNT(family); k++) {
        char n[32], two[32], single[32];
        snprintf(n, sizeof n, "fft_%sn", family[k].name);
        snprintf(single, sizeof single, "fft_%s", family[k].name);
        snprintf(two, sizeof two, "fft_%s2", family[k].name);
        NO(family[k].n(NULL, x, NULL, NULL, 0, 0), AGN_ENULL, n, "out", "NULL");
        NO(family[k].n(&out, NULL, NULL, NULL, 0, 0), AGN_ENULL, n, "x is", "NULL");
        NO(family[k].n(&out, x, NULL, NULL, 3, 0), AGN_EARG, n, "3 axes", "[3,4]");
        NO(family[k].n(&out, x, NULL, (int32_t[]){0}, -1, 0), AGN_EARG, n, "-1 axes", "[3,4]");
        NO(family[k].n(&out, x, NULL, (int32_t[]){0, -2}, 2, 0), AGN_EARG, n, "axis 0", "twice");
        NO(family[k].n(&out, x, NULL, (int32_t[]){0, 2}, 2, 0), AGN_EINDEX, n, "axis 2", "2 axes");
        NO(family[k].n(&out, x, (int64_t[]){0, -2}, NULL, 2, 0), AGN_EARG, n, "-2", "2^46");
        NO(family[k].n(&out, x, (int64_t[]){0, (INT64_C(1) << 46) + 1}, NULL, 2, 0), AGN_EARG, n, "70368744177665",
           "2^46");
        NO(family[k].n(&out, x, NULL, NULL, 0, 3), AGN_EARG, n, "norm 3", "0, 1, 2");
        NO(family[k].n(&out, none, NULL, NULL, 0, 0), AGN_EARG, n, "0 entries", "axis 1");
        NO(family[k].two(NULL, x, NULL, NULL, 0), AGN_ENULL, two, "out", "NULL");
        NO(family[k].two(&out, NULL, NULL, NULL, 0), AGN_ENULL, two, "x is", "NULL");
        NO(family[k].two(&out, zero, NULL, NULL, 0), AGN_EARG, two, "2 axes", "[]");
        NO(family[k].two(&out, x, NULL, (int32_t[]){1, 1}, 0), AGN_EARG, two, "axis 1", "twice");
        NO(family[k].two(&out, x, NULL, (int32_t[]){1, -3}, 0), AGN_EINDEX, two, "axis -3", "2 axes");
        NO(family[k].two(&out, x, NULL, NULL, -1), AGN_EARG, two, "norm -1", "0, 1, 2");
        if (k > 1)
            NO(family[k].n(&out, family[k].real ? x : z, NULL, (int32_t[]){0}, 0, 0), AGN_EARG, n, "no axis",
               "[3,4]");
        if (family[k].real) {
            NO(family[k].n(&out, z, NULL, NULL, 0, 0), AGN_EDTYPE, n, "c64", "real");
            NO(family[k].two(&out, z, NULL, NULL, 0), AGN_EDTYPE, two, "c64", "real");
            NO(family[k].one(&out, z, 0, 0, 0), AGN_EDTYPE, single, "c64", "real");
        }
        NO(family[k].one(NULL, x, 0, 0, 0), AGN_ENULL, single, "out", "NULL");
        NO(family[k].one(&out, NULL, 0, 0, 0), AGN_ENULL, single, "x is", "NULL");
        NO(family[k].one(&out, x, 0, 5, 0), AGN_EINDEX, single, "axis 5", "2 axes");
        NO(family[k].one(&out, x, -1, 0, 0), AGN_EARG, single, "-1", "2^46");
        NO(family[k].one(&out, none, 0, 1, 0), AGN_EARG, single, "0 entries", "axis 1");
        NO(family[k].one(&out, x, 0, 0, 7), AGN_EARG, single, "norm 7", "0, 1, 2");
    }
    for (int k = 0; k < 4; k++) {
        char n[32];
        snprintf(n, sizeof n, "%sn", r2r[k].name);
        NO(r2r[k].one(NULL, x, 2, 0, 0, 0), AGN_ENULL, r2r[k].name, "out", "NULL");
        NO(r2r[k].one(&out, NULL, 2, 0, 0, 0), AGN_ENULL, r2r[k].name, "x is", "NULL");
        NO(r2r[k].one(&out, x, 5, 0, 0, 0), AGN_EARG, r2r[k].name, "type 5", "1, 2, 3, 4");
        NO(r2r[k].one(&out, x, 2, 0, 2, 0), AGN_EINDEX, r2r[k].name, "axis 2", "2 axes");
        NO(r2r[k].one(&out, x, 2, -1, 0, 0), AGN_EARG, r2r[k].name, "-1", "2^46");
        NO(r2r[k].one(&out, x, 2, 0, 0, 4), AGN_EARG, r2r[k].name, "norm 4", "0, 1, 2");
        NO(r2r[k].one(&out, none, 2, 0, 1, 0), AGN_EARG, r2r[k].name, "0 entries", "axis 1");
        NO(r2r[k].n(NULL, x, 2, NULL, NULL, 0, 0), AGN_ENULL, n, "out", "NULL");
        NO(r2r[k].n(&out, NULL, 2, NULL, NULL, 0, 0), AGN_ENULL, n, "x is", "NULL");
        NO(r2r[k].n(&out, x, 0, NULL, NULL, 0, 0), AGN_EARG, n, "type 0", "1, 2, 3, 4");
        NO(r2r[k].n(&out, x, 2, NULL, (int32_t[]){0, 0}, 2, 0), AGN_EARG, n, "axis 0", "twice");
        NO(r2r[k].n(&out, x, 2, NULL, (int32_t[]){7}, 1, 0), AGN_EINDEX, n, "axis 7", "2 axes");
        NO(r2r[k].n(&out, x, 2, NULL, NULL, 9, 0), AGN_EARG, n, "9 axes", "[3,4]");
        NO(r2r[k].n(&out, x, 2, (int64_t[]){-3}, NULL, 1, 0), AGN_EARG, n, "-3", "2^46");
        NO(r2r[k].n(&out, x, 2, NULL, NULL, 0, -2), AGN_EARG, n, "norm -2", "0, 1, 2");
        if (k < 2) {
            NO(r2r[k].one(&out, one, 1, 0, 1, 0), AGN_EARG, r2r[k].name, "2 points", "[3,1]");
            NO(r2r[k].n(&out, one, 1, NULL, NULL, 0, 0), AGN_EARG, n, "2 points", "[3,1]");
        }
    }
    agn_status (*const freq[])(agn_tensor **, agn_dtype, int64_t, double) = {agn_fft_fftfreq,
                                                                             agn_fft_rfftfreq};
    agn_status (*const shift[])(agn_tensor **, const agn_tensor *, const int32_t *, int32_t) = {
        agn_fft_fftshift, agn_fft_ifftshift};
    for (int k = 0; k < 2; k++) {
        const char *f = k ? "fft_rfftfreq" : "fft_fftfreq", *sh = k ? "fft_ifftshift" : "fft_fftshift";
        NO(freq[k](NULL, AGN_F64, 3, 1), AGN_ENULL, f, "out", "NULL");
        NO(freq[k](&out, AGN_I32, 3, 1), AGN_EDTYPE, f, "i32", "f64");
        NO(freq[k](&out, AGN_F64, 0, 1), AGN_EARG, f, "n is 0", "d 1");
        NO(freq[k](&out, AGN_F64, 4, 0), AGN_EARG, f, "n is 4", "d 0");
        NO(freq[k](&out, AGN_F64, 4, (double)NAN), AGN_EARG, f, "n is 4", "d ");
        NO(shift[k](NULL, x, NULL, 0), AGN_ENULL, sh, "out", "NULL");
        NO(shift[k](&out, NULL, NULL, 0), AGN_ENULL, sh, "x is", "NULL");
        NO(shift[k](&out, x, NULL, 3), AGN_EARG, sh, "3 axes", "[3,4]");
        NO(shift[k](&out, x, (int32_t[]){2}, 1), AGN_EINDEX, sh, "axis 2", "2 axes");
    }
    int64_t length = 7;
    NO(agn_fft_next_fast_length(NULL, 3), AGN_ENULL, "fft_next_fast_length", "out", "NULL");
    NO(agn_fft_next_fast_length(&length, 0), AGN_EARG, "fft_next_fast_length", "n is 0", "1 to");
    NO(agn_fft_next_fast_length(&length, INT64_MAX), AGN_EARG, "fft_next_fast_length", "n is 9223", "1 to");
    NO(agn_fft_prev_fast_length(NULL, 3), AGN_ENULL, "fft_prev_fast_length", "out", "NULL");
    NO(agn_fft_prev_fast_length(&length, -1), AGN_EARG, "fft_prev_fast_length", "-1", "positive");
    check(&q, length == 7, "nothing is written");
    const double bad[2] = {0, 0};
    NO(agn_fft_czt(NULL, x, 3, NULL, NULL, 0), AGN_ENULL, "fft_czt", "out", "NULL");
    NO(agn_fft_czt(&out, NULL, 3, NULL, NULL, 0), AGN_ENULL, "fft_czt", "x is", "NULL");
    NO(agn_fft_czt(&out, x, 3, NULL, NULL, 2), AGN_EINDEX, "fft_czt", "axis 2", "2 axes");
    NO(agn_fft_czt(&out, x, 3, bad, NULL, 0), AGN_EARG, "fft_czt", "w is 0", "not 0");
    NO(agn_fft_czt(&out, x, 3, NULL, bad, 0), AGN_EARG, "fft_czt", "a 0", "not 0");
    NO(agn_fft_czt(&out, x, -3, NULL, NULL, 0), AGN_EARG, "fft_czt", "-3 points", "3 entries");
    NO(agn_fft_czt(&out, none, 3, NULL, NULL, 1), AGN_EARG, "fft_czt", "3 points", "0 entries");
    NO(agn_fft_zoom(NULL, x, 3, 0, 1, 0), AGN_ENULL, "fft_zoom", "out", "NULL");
    NO(agn_fft_zoom(&out, NULL, 3, 0, 1, 0), AGN_ENULL, "fft_zoom", "x is", "NULL");
    NO(agn_fft_zoom(&out, x, 3, 0, 1, -3), AGN_EINDEX, "fft_zoom", "axis -3", "2 axes");
    NO(agn_fft_zoom(&out, x, 3, (double)NAN, 1, 0), AGN_EARG, "fft_zoom", "from", "finite");
    NO(agn_fft_zoom(&out, x, INT64_C(1) << 40, 0, 1, 0), AGN_EARG, "fft_zoom", "1099511627776", "2^29");
    agn_status (*const hankel[])(agn_tensor **, const agn_tensor *, double, double, double, double) = {
        agn_fft_fht, agn_fft_ifht};
    for (int k = 0; k < 2; k++) {
        const char *h = k ? "fft_ifht" : "fft_fht";
        NO(hankel[k](NULL, x, 0.1, 0, 0, 0), AGN_ENULL, h, "out", "NULL");
        NO(hankel[k](&out, NULL, 0.1, 0, 0, 0), AGN_ENULL, h, "x is", "NULL");
        NO(hankel[k](&out, z, 0.1, 0, 0, 0), AGN_EDTYPE, h, "c64", "real");
        NO(hankel[k](&out, zero, 0.1, 0, 0, 0), AGN_ESHAPE, h, "[]", "samples");
        NO(hankel[k](&out, none, 0.1, 0, 0, 0), AGN_ESHAPE, h, "[3,0]", "samples");
        NO(hankel[k](&out, x, 0, 0, 0, 0), AGN_EARG, h, "dln is 0", "positive");
        NO(hankel[k](&out, x, 0.1, 0, 0, 1), AGN_EARG, h, "bias 1", "pole");
        NO(hankel[k](&out, x, 0.1, (double)INFINITY, 0, 0), AGN_EARG, h, "mu inf", "pole");
    }
    double offset = 0;
    NO(agn_fft_fht_offset(NULL, 0.1, 0, 0, 0), AGN_ENULL, "fft_fht_offset", "out", "NULL");
    NO(agn_fft_fht_offset(&offset, -1, 0, 0, 0), AGN_EARG, "fft_fht_offset", "dln is -1", "positive");
    NO(agn_fft_fht_offset(&offset, 1, (double)NAN, 0, 0), AGN_EARG, "fft_fht_offset", "dln is 1", "finite");
    NO(agn_fft_derivative(NULL, x, 1, 1, 0), AGN_ENULL, "fft_derivative", "out", "NULL");
    NO(agn_fft_derivative(&out, NULL, 1, 1, 0), AGN_ENULL, "fft_derivative", "x is", "NULL");
    NO(agn_fft_derivative(&out, x, 1, 1, 2), AGN_EINDEX, "fft_derivative", "axis 2", "2 axes");
    NO(agn_fft_derivative(&out, x, -1, 1, 0), AGN_EARG, "fft_derivative", "order -1", "length of 1");
    NO(agn_fft_derivative(&out, x, 1, 0, 0), AGN_EARG, "fft_derivative", "order 1", "length of 0");
    NO(agn_fft_derivative(&out, none, 1, 1, 1), AGN_EARG, "fft_derivative", "0 samples", "there are samples");
    /* the op itself */
    static const int64_t twice[] = {-1, -1, -1}, bad_kind[] = {-1, 9};
    static const double f[] = {1, 1, 1};
    NO(agni_apply1(&agni_op_fft_c2c, &(agni_attr){.ni = 3, .i = twice, .nf = 1, .f = f}, 1,
                   (const agn_tensor *const *)&z, &out),
       AGN_EARG, "fft_c2c", "axis -1", "twice");
    NO(agni_apply1(&agni_op_fft_r2r, &(agni_attr){.ni = 2, .i = bad_kind, .nf = 3, .f = f}, 1,
                   (const agn_tensor *const *)&x, &out),
       AGN_EARG, "fft_r2r", "kind 9", "0 to 7");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, z, zero, none, one}, 5);
}

typedef struct making {
    agn_tensor *x;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    switch (m->what) {
    case 0:
        return agn_fft_rfft2(out, m->x, NULL, NULL, 0);
    case 1:
        return agn_fft_hfftn(out, m->x, (int64_t[]){7, 9}, NULL, 2, 0);
    case 2:
        return agn_fft_dctn(out, m->x, 3, NULL, NULL, 0, 1);
    case 3:
        return agn_fft_fftfreq(out, AGN_F32, 5, 1);
    case 4:
        return agn_fft_fftshift(out, m->x, NULL, 0);
    case 5:
        return agn_fft_czt(out, m->x, 3, NULL, NULL, 1);
    case 6:
        return agn_fft_fht(out, m->x, 0.1, 0.5, 0, 0.1);
    default:
        return agn_fft_derivative(out, m->x, 1, 1, 0);
    }
}

/* by rows and columns, its plans and turns made anew */
static agn_status make_long(void *user, agn_tensor **out)
{
    agni_fft_clear_plans();
    agn_tensor *x = user;
    agn_status st = agn_dtype_of(x) == AGN_F64 ? agn_fft_rfft(out, x, 0, -1, AGN_FFT_BACKWARD)
                                               : agn_fft_fft(out, x, 0, 0, AGN_FFT_BACKWARD);
    agni_fft_clear_plans();
    return st;
}

int main(void)
{
    test_axes();
    test_identities();
    test_r2r();
    test_many_lines();
    test_columns();
    test_bins();
    test_chirps();
    test_modes();
    test_failures();
    making m = {random_of(AGN_F64, 2, (int64_t[]){6, 7}, -1, 1), 0};
    for (; m.what < 8; m.what++)
        every_allocation(make, &m, "transforms");
    agn_tensor *line[] = {random_of(AGN_C64, 1, (int64_t[]){1 << 17}, -1, 1),
                          random_of(AGN_F64, 1, (int64_t[]){1 << 13}, -1, 1),
                          random_of(AGN_C128, 2, (int64_t[]){128, 515}, -1, 1)};
    static const char *const what[] = {"a long transform", "a long one of reals", "columns"};
    for (int k = 0; k < 3; k++)
        every_allocation(make_long, line[k], what[k]);
    release_all(line, 3);
    agn_release(m.x);
    agni_fft_clear_plans();
    return done();
}
