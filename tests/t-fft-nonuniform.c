/* t-fft-nonuniform - Fourier sums at and over any points against the sums themselves: axes, even and odd numbers of modes,
   signs, batches, points beyond a period and on samples; derivatives in every mode; failures. */
#include "modes.h"

#include "fft/fft.h"

#define PI 3.14159265358979323846


/* exp(sign i k . x_j), mode p of all */
static double complex turn_of(const agn_tensor *points, int64_t j, int axes, const int64_t *modes, int64_t p, int sign)
{
    double angle = 0;
    for (int d = axes - 1; d >= 0; d--) {
        angle += (double)(p % modes[d] - modes[d] / 2) * peek(points, j * axes + d);
        p /= modes[d];
    }
    return z_of(cos(angle), sign * sin(angle));
}

static void test_sums(void)
{
    static const struct {
        int axes;
        int64_t modes[3], points;
    } cases[] = {{1, {1}, 3},       {1, {2}, 5},      {1, {17}, 40},    {1, {64}, 30},      {1, {301}, 20},
                 {2, {1, 6}, 9},    {2, {12, 7}, 20}, {2, {5, 30}, 15}, {3, {3, 4, 5}, 8},  {3, {1, 2, 9}, 4},
                 {1, {8}, 0}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(cases); k++)
        for (int kind = 0; kind < 4; kind++) {
            int axes = cases[k].axes, sign = kind & 1 ? 1 : -1;
            bool single = kind & 2;
            int64_t all = 1, m = cases[k].points, batch = 2, shape[4] = {batch, 1, 1, 1};
            for (int d = 0; d < axes; d++) {
                all *= cases[k].modes[d];
                shape[d + 1] = cases[k].modes[d];
            }
            agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){m, axes}, -9, 9), *y = NULL,
                       *f = random_of(single ? AGN_C64 : AGN_C128, axes + 1, shape, -1, 1),
                       *c = random_of(single ? AGN_C64 : AGN_C128, 2, (int64_t[]){batch, m}, -1, 1);
            must(agn_fft_modes_to_nonuniform(&y, f, x, sign, 0));
            check(&q, has_shape(y, 2, (int64_t[]){batch, m}) && agn_dtype_of(y) == agn_dtype_of(f), "shape %s", SHAPE_TEXT(y));
            double worst = 0, size = 0;
            for (int64_t b = 0; b < batch; b++)
                for (int64_t j = 0; j < m; j++) {
                    double complex sum = 0;
                    for (int64_t p = 0; p < all; p++)
                        sum += peekz(f, b * all + p) * turn_of(x, j, axes, cases[k].modes, p, sign);
                    worst = fmax(worst, cabs(sum - peekz(y, b * m + j)));
                }
            for (int64_t p = 0; p < all; p++)
                size += cabs(peekz(f, p));
            check(&q, worst <= (single ? 3e-6 : 1e-12) * (1 + size), "case %d, at points: off by %.1e of %.1e", k, worst, size);
            agn_release(y);
            must(agn_fft_nonuniform_to_modes(&y, c, x, cases[k].modes, axes, sign, 0));
            check(&q, has_shape(y, axes + 1, shape), "shape %s", SHAPE_TEXT(y));
            worst = size = 0;
            for (int64_t b = 0; b < batch; b++)
                for (int64_t p = 0; p < all; p++) {
                    double complex sum = 0;
                    for (int64_t j = 0; j < m; j++)
                        sum += peekz(c, b * m + j) * turn_of(x, j, axes, cases[k].modes, p, sign);
                    worst = fmax(worst, cabs(sum - peekz(y, b * all + p)));
                }
            for (int64_t j = 0; j < m; j++)
                size += cabs(peekz(c, j));
            check(&q, worst <= (single ? 3e-6 : 1e-12) * (1 + size), "case %d, over points: off by %.1e of %.1e", k, worst,
                  size);
            release_all((agn_tensor *[]){x, y, f, c}, 4);
        }
    tell(&q, "sums at points and over points");
    /* points of a grid are the transform itself; all tolerances keep what they promise; real modes, strided ones */
    tally e = {0, 0};
    enum { N = 24 };
    double v[N];
    for (int j = 0; j < N; j++)
        v[j] = 2 * PI * j / N;
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){N, 1}, v), *f = random_of(AGN_F64, 2, (int64_t[]){3, N}, -1, 1), *w = NULL,
               *y = NULL, *s = NULL, *g = NULL;
    must(agn_fft_ifftshift(&s, f, (int32_t[]){-1}, 1));
    must(agn_fft_fft(&g, s, 0, -1, AGN_FFT_BACKWARD));
    for (int l = 0; l < N_LAYOUTS; l++) {
        w = laid_out(f, l);
        must(agn_fft_modes_to_nonuniform(&y, w, x, -1, 0));
        for (int64_t i = 0; i < 3 * N; i++)
            check(&e, cabs(peekz(y, i) - peekz(g, i)) < 1e-11, "layout %d: %d", l, (int)i);
        release_all((agn_tensor *[]){w, y}, 2);
    }
    for (double tolerance = 1e-1; tolerance > 1e-13; tolerance /= 10) {
        must(agn_fft_modes_to_nonuniform(&y, f, x, -1, tolerance));
        double worst = 0, size = 0;
        for (int64_t i = 0; i < 3 * N; i++) {
            worst = fmax(worst, cabs(peekz(y, i) - peekz(g, i)));
            size = fmax(size, cabs(peekz(g, i)));
        }
        check(&e, worst < 3 * tolerance * size + 1e-12, "tolerance %g: off by %.1e of %.1e", tolerance, worst, size);
        agn_release(y);
    }
    release_all((agn_tensor *[]){x, f, s, g}, 4);
    /* NaN and infinity are no points: never finite */
    x = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){(double)NAN, (double)INFINITY});
    f = random_of(AGN_F64, 1, (int64_t[]){8}, -1, 1);
    y = NULL;
    agn_status st = agn_fft_modes_to_nonuniform(&y, f, x, 1, 0);
    check(&e, st || (isnan(creal(peekz(y, 0))) && isnan(creal(peekz(y, 1)))), "points that are none");
    release_all((agn_tensor *[]){x, f, y}, 3);
    tell(&e, "grids, tolerances, layouts, no points");
}

/* exp(sign i s_k . x_j) */
static double complex turn_to(const agn_tensor *x, int64_t j, const agn_tensor *f, int64_t k, int axes, int sign)
{
    double angle = 0;
    for (int d = 0; d < axes; d++)
        angle += peek(x, j * axes + d) * peek(f, k * axes + d);
    return z_of(cos(angle), sign * sin(angle));
}

static void test_points_to_points(void)
{
    static const struct {
        int axes;
        double x[3], s[3]; /* extents */
        int64_t m, k;
    } cases[] = {{1, {3}, {20}, 30, 25},       {1, {1e-3}, {5e5}, 20, 9},      {1, {1e9}, {1e-7}, 9, 20}, {1, {0}, {3}, 4, 4},
                 {1, {3}, {0}, 4, 4},          {1, {0}, {0}, 1, 1},            {1, {40}, {0.01}, 8, 8},   {2, {3, 0.1}, {9, 100}, 20, 12},
                 {2, {1, 1}, {0.2, 30}, 9, 9}, {3, {2, 1, 3}, {3, 4, 2}, 9, 8}, {1, {1}, {300}, 0, 3},     {1, {1}, {300}, 3, 0}};
    tally q = {0, 0};
    for (int c = 0; c < COUNT(cases); c++)
        for (int kind = 0; kind < 4; kind++) {
            int axes = cases[c].axes, sign = kind & 1 ? 1 : -1;
            bool single = kind & 2;
            int64_t m = cases[c].m, nk = cases[c].k;
            double extent[6], worst = 0, size = 1;
            agn_tensor *u = random_of(AGN_F64, 2, (int64_t[]){m, axes}, -1, 1), *w = random_of(AGN_F64, 2, (int64_t[]){nk, axes}, -1, 1),
                       *ex = of_reals(AGN_F64, 1, (int64_t[]){axes}, cases[c].x), *es = of_reals(AGN_F64, 1, (int64_t[]){axes}, cases[c].s),
                       *x = NULL, *f = NULL, *y = NULL, *v = random_of(single ? AGN_C64 : AGN_C128, 2, (int64_t[]){2, m}, -1, 1);
            must(agn_mul(&x, u, ex));
            must(agn_mul(&f, w, es));
            for (int d = 0; d < axes; d++) {
                extent[d] = cases[c].x[d];
                extent[axes + d] = cases[c].s[d];
            }
            must(agn_fft_nonuniform_to_nonuniform(&y, v, x, f, extent, 2 * axes, sign, 0));
            check(&q, has_shape(y, 2, (int64_t[]){2, nk}) && agn_dtype_of(y) == agn_dtype_of(v), "shape %s", SHAPE_TEXT(y));
            for (int64_t j = 0; j < m; j++)
                size += cabs(peekz(v, j)) + cabs(peekz(v, m + j));
            for (int64_t i = 0; i < 2 * nk; i++) {
                double complex sum = 0;
                for (int64_t j = 0; j < m; j++)
                    sum += peekz(v, i / nk * m + j) * turn_to(x, j, f, i % nk, axes, sign);
                double e = cabs(sum - peekz(y, i));
                worst = e > worst || isnan(e) ? e : worst;
            }
            check(&q, worst <= (single ? 5e-6 : 2e-12) * size, "case %d: off by %.1e of %.1e", c, worst, size);
            release_all((agn_tensor *[]){u, w, ex, es, x, f, y, v}, 8);
        }
    tell(&q, "sums over points at frequencies");
    /* beyond the extents: NaN, and only there */
    tally e = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){1, -1}),
               *f = of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){2, 2.1, (double)NAN}), *v = random_of(AGN_F64, 1, (int64_t[]){2}, 1, 2),
               *y = NULL;
    must(agn_fft_nonuniform_to_nonuniform(&y, v, x, f, (double[]){1, 2}, 2, 1, 0));
    check(&e, isfinite(creal(peekz(y, 0))) && isnan(creal(peekz(y, 1))) && isnan(creal(peekz(y, 2))), "frequencies beyond");
    agn_release(y);
    must(agn_fft_nonuniform_to_nonuniform(&y, v, x, f, (double[]){0.9, 2}, 2, 1, 0));
    check(&e, isnan(creal(peekz(y, 0))), "points beyond");
    release_all((agn_tensor *[]){x, f, v, y}, 4);
    for (double tolerance = 1e-1; tolerance > 1e-13; tolerance /= 10) {
        double worst = 0, size = 0;
        x = random_of(AGN_F64, 2, (int64_t[]){30, 1}, -2, 2);
        f = random_of(AGN_F64, 2, (int64_t[]){30, 1}, -30, 30);
        v = random_of(AGN_F64, 1, (int64_t[]){30}, -1, 1);
        must(agn_fft_nonuniform_to_nonuniform(&y, v, x, f, (double[]){2, 30}, 2, -1, tolerance));
        for (int64_t k = 0; k < 30; k++) {
            double complex sum = 0;
            for (int64_t j = 0; j < 30; j++)
                sum += peek(v, j) * turn_to(x, j, f, k, 1, -1);
            worst = fmax(worst, cabs(sum - peekz(y, k)));
            size += fabs(peek(v, k));
        }
        check(&e, worst < 3 * tolerance * size + 1e-12, "tolerance %g: off by %.1e of %.1e", tolerance, worst, size);
        release_all((agn_tensor *[]){x, f, v, y}, 4);
    }
    tell(&e, "beyond the extents, tolerances");
}

static agn_status to_points(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    (void)user;
    y[0] = ag_fft_nonuniform_to_nonuniform(s, x[0], x[1], x[2], (double[]){3, 9}, 2, 1, 0);
    return AGN_OK;
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    y[0] = *(const int *)user ? ag_fft_nonuniform_to_modes(s, x[0], x[1], (int64_t[]){3, 2}, 2, 1, 0)
                              : ag_fft_modes_to_nonuniform(s, x[0], x[1], -1, 0);
    return AGN_OK;
}

static void test_modes(void)
{
    for (int what = 0; what < 2; what++) {
        agn_tensor *x[2] = {random_of(AGN_C128, 1, (int64_t[]){3}, -1, 1),
                            of_reals(AGN_F64, 2, (int64_t[]){3, 1 + what},
                                     (double[]){0.31, 1.27, -2.13, 0.77, 5.2, -0.61})};
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 2, 1));
        in_every_mode(f, 2, (const agn_tensor *const *)x, 1e-2, 1e-7, what ? "nonuniform to modes" : "modes to nonuniform");
        agn_fn_release(f);
        release_all(x, 2);
    }
    agn_tensor *x[3] = {random_of(AGN_C128, 1, (int64_t[]){3}, -1, 1), of_reals(AGN_F64, 2, (int64_t[]){3, 1}, (double[]){0.31, 1.27, -2.13}),
                        of_reals(AGN_F64, 2, (int64_t[]){2, 1}, (double[]){0.77, -2.2})};
    agn_fn *f = NULL;
    must(agn_fn_new(&f, to_points, NULL, NULL, 3, 1));
    in_every_mode(f, 3, (const agn_tensor *const *)x, 1e-2, 1e-7, "points to points");
    agn_fn_release(f);
    release_all(x, 3);
}

static void test_failures(void)
{
    tally q = {0, 0};
    int64_t ones[32], many[] = {INT32_MAX / 4, INT32_MAX / 4, 4}, none[] = {0}, four[] = {4};
    for (int k = 0; k < 32; k++)
        ones[k] = 1;
    agn_tensor *out = untouched, *x = random_of(AGN_F64, 1, (int64_t[]){5}, 0, 1), *p = random_of(AGN_F64, 2, (int64_t[]){5, 1}, 0, 1),
               *p3 = random_of(AGN_F64, 2, (int64_t[]){5, 3}, 0, 1), *z = random_of(AGN_C64, 2, (int64_t[]){5, 1}, 0, 1),
               *p4 = random_of(AGN_F64, 2, (int64_t[]){5, 4}, 0, 1), *wide = random_of(AGN_F64, 32, ones, 0, 1),
               *empty = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1), *one = random_of(AGN_F64, 2, (int64_t[]){1, 1}, 0, 1);
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
    static const char to[] = "fft_modes_to_nonuniform", from[] = "fft_nonuniform_to_modes";
    NO(agn_fft_modes_to_nonuniform(NULL, x, p, 1, 0), AGN_ENULL, to, "out", "NULL");
    NO(agn_fft_modes_to_nonuniform(&out, NULL, p, 1, 0), AGN_ENULL, to, "x is", "NULL");
    NO(agn_fft_modes_to_nonuniform(&out, x, NULL, 1, 0), AGN_ENULL, to, "points", "NULL");
    NO(agn_fft_modes_to_nonuniform(&out, x, z, 1, 0), AGN_EDTYPE, to, "c64", "real");
    NO(agn_fft_modes_to_nonuniform(&out, x, x, 1, 0), AGN_ESHAPE, to, "points is [5]", "axes");
    NO(agn_fft_modes_to_nonuniform(&out, x, p4, 1, 0), AGN_ESHAPE, to, "[5,4]", "1 to 3");
    NO(agn_fft_modes_to_nonuniform(&out, x, p3, 1, 0), AGN_ESHAPE, to, "x is [5]", "[5,3]");
    NO(agn_fft_modes_to_nonuniform(&out, wide, p, 1, 0), AGN_ESHAPE, to, "[5,1]", "modes");
    NO(agn_fft_modes_to_nonuniform(&out, x, p, 0, 0), AGN_EARG, to, "sign 0", "1 or -1");
    NO(agn_fft_modes_to_nonuniform(&out, x, p, 1, 1), AGN_EARG, to, "tolerance 1", "0 to 1");
    NO(agn_fft_modes_to_nonuniform(&out, empty, p, 1, 0), AGN_EARG, to, "0 modes", "axis 0");
    NO(agn_fft_nonuniform_to_modes(NULL, x, p, four, 1, 1, 0), AGN_ENULL, from, "out", "NULL");
    NO(agn_fft_nonuniform_to_modes(&out, NULL, p, four, 1, 1, 0), AGN_ENULL, from, "x is", "NULL");
    NO(agn_fft_nonuniform_to_modes(&out, x, NULL, four, 1, 1, 0), AGN_ENULL, from, "points", "NULL");
    NO(agn_fft_nonuniform_to_modes(&out, x, p, NULL, 1, 1, 0), AGN_ENULL, from, "modes", "NULL");
    NO(agn_fft_nonuniform_to_modes(&out, x, z, four, 1, 1, 0), AGN_EDTYPE, from, "c64", "real");
    NO(agn_fft_nonuniform_to_modes(&out, x, p4, four, 1, 1, 0), AGN_ESHAPE, from, "[5,4]", "1 to 3");
    NO(agn_fft_nonuniform_to_modes(&out, x, p, four, 2, 1, 0), AGN_ESHAPE, from, "2 numbers", "[5,1]");
    NO(agn_fft_nonuniform_to_modes(&out, x, one, four, 1, 1, 0), AGN_ESHAPE, from, "[5]", "[1,1]");
    NO(agn_fft_nonuniform_to_modes(&out, wide, one, four, 1, 1, 0), AGN_ESHAPE, from, "[1,1]", "points");
    NO(agn_fft_nonuniform_to_modes(&out, x, p, four, 1, 2, 0), AGN_EARG, from, "sign 2", "1 or -1");
    NO(agn_fft_nonuniform_to_modes(&out, x, p, four, 1, 1, -1), AGN_EARG, from, "tolerance -1", "0 to 1");
    NO(agn_fft_nonuniform_to_modes(&out, x, p, none, 1, 1, 0), AGN_EARG, from, "0 modes", "axis 0");
    NO(agn_fft_nonuniform_to_modes(&out, x, p3, many, 3, 1, 0), AGN_EARG, from, "axis 1", "2^50");
    static const char both[] = "fft_nonuniform_to_nonuniform";
    double far[] = {1, 1, 1, 1, 1, 1}, huge[] = {1e9, 1e9}, minus[] = {-1, 1}, grid[] = {1e4, 1e4, 1e4, 1e4, 1e4, 1e4};
    NO(agn_fft_nonuniform_to_nonuniform(NULL, x, p, p, far, 2, 1, 0), AGN_ENULL, both, "out", "NULL");
    NO(agn_fft_nonuniform_to_nonuniform(&out, NULL, p, p, far, 2, 1, 0), AGN_ENULL, both, "x is", "NULL");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, NULL, p, far, 2, 1, 0), AGN_ENULL, both, "points", "NULL");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, NULL, far, 2, 1, 0), AGN_ENULL, both, "frequencies", "NULL");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, NULL, 2, 1, 0), AGN_ENULL, both, "extent", "NULL");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, z, p, far, 2, 1, 0), AGN_EDTYPE, both, "points", "c64");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, z, far, 2, 1, 0), AGN_EDTYPE, both, "frequencies", "c64");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p3, far, 2, 1, 0), AGN_ESHAPE, both, "[5,3]", "[5,1]");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, far, 1, 1, 0), AGN_ESHAPE, both, "1 extents", "[5,1]");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p4, p4, far, 8, 1, 0), AGN_ESHAPE, both, "[5,4]", "1 to 3");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, one, one, far, 2, 1, 0), AGN_ESHAPE, both, "[5]", "[1,1]");
    NO(agn_fft_nonuniform_to_nonuniform(&out, wide, one, one, far, 2, 1, 0), AGN_ESHAPE, both, "[1,1]", "points");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, minus, 2, 1, 0), AGN_EARG, both, "-1", "axis 0");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, huge, 2, 1, 0), AGN_EARG, both, "1e+09", "2^27");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, (double[]){1e-320, 1e-320}, 2, 1, 0), AGN_EARG, both, "extents", "range");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p3, p3, grid, 6, 1, 0), AGN_EARG, both, "axis 1", "2^46");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, far, 2, 0, 0), AGN_EARG, both, "sign 0", "1 or -1");
    NO(agn_fft_nonuniform_to_nonuniform(&out, x, p, p, far, 2, 1, 2), AGN_EARG, both, "tolerance 2", "0 to 1");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, p, p3, z, p4, wide, empty, one}, 8);
}

/* the ops beneath: sorted points of many cells and slabs, of each row its own, and what they refuse */
static void test_ops(void)
{
    tally q = {0, 0};
    static const struct {
        int axes;
        int64_t n[3], m;
    } cases[] = {{1, {9000}, 3000}, {2, {300, 200}, 2000}, {3, {70, 20, 40}, 1000}, {2, {40, 18}, 200}, {1, {16}, 5}};
    for (int k = 0; k < 2 * COUNT(cases); k++) {
        int axes = cases[k / 2].axes, own = k & 1;
        int64_t m = cases[k / 2].m, shape[4] = {2}, width = 16, *n = shape + 1, ints[7] = {width}, all = 1;
        double beta = 36.8;
        for (int d = 0; d < axes; d++) {
            n[d] = ints[1 + d] = cases[k / 2].n[d];
            all *= n[d];
        }
        agn_tensor *u = own ? random_of(AGN_F64, 3, (int64_t[]){2, m, axes}, -9, 400)
                            : random_of(AGN_F64, 2, (int64_t[]){m, axes}, -9, 400),
                   *v = random_of(AGN_C128, 2, (int64_t[]){2, m}, -1, 1), *g = random_of(AGN_C128, axes + 1, shape, -1, 1),
                   *y = NULL, *z = NULL, *c = NULL;
        must(agn_op_apply(&y, 1, "fft_spread", (const agn_tensor *[]){v, u}, 2, ints, 1 + 2 * axes, &beta, 1));
        memset(ints + 1, 0, sizeof ints - sizeof *ints);
        must(agn_op_apply(&z, 1, "fft_gather", (const agn_tensor *[]){g, u}, 2, ints, 1 + axes, &beta, 1));
        /* each is the other's adjoint */
        double complex a = 0, b = 0;
        for (int64_t i = 0; i < 2 * all; i++)
            a += conj(peekz(y, i)) * peekz(g, i);
        for (int64_t j = 0; j < 2 * m; j++)
            b += conj(peekz(v, j)) * peekz(z, j);
        check(&q, cabs(a - b) < 1e-12 * (double)m, "case %d: adjoints: %g + %gi, %g + %gi", k, creal(a), cimag(a), creal(b), cimag(b));
        /* a few sums themselves */
        for (int64_t j = 0; j < 2 * m; j += 1 + m / 7) {
            const double *at = (const double *)agn_data(u) + (own ? j : j % m) * axes;
            double complex sum = 0;
            int64_t count = axes == 1 ? width : axes == 2 ? width * width : width * width * width;
            for (int64_t t = 0; t < count; t++) {
                int64_t rest = t, place = 0, step = 1;
                double w = 1;
                for (int d = axes - 1; d >= 0; d--) {
                    double i = ceil(at[d] - 0.5 * (double)width) + (double)(rest % width), s = 2 * (i - at[d]) / (double)width;
                    w *= exp(beta * (sqrt(fmax(0, 1 - s * s)) - 1));
                    place += step * (int64_t)(i - (double)n[d] * floor(i / (double)n[d]));
                    step *= n[d];
                    rest /= width;
                }
                sum += w * peekz(g, j / m * all + place);
            }
            check(&q, cabs(sum - peekz(z, j)) < 1e-11, "case %d: point %d is off by %g", k, (int)j, cabs(sum - peekz(z, j)));
        }
        /* the bits do not depend on threads */
        int32_t threads = agn_threads();
        must(agn_threads_set(1));
        memcpy(ints + 1, n, (size_t)axes * sizeof *ints);
        must(agn_op_apply(&c, 1, "fft_spread", (const agn_tensor *[]){v, u}, 2, ints, 1 + 2 * axes, &beta, 1));
        must(agn_threads_set(threads));
        check(&q, !memcmp(agn_data(c), agn_data(y), (size_t)(2 * all) * 16), "case %d: threads", k);
        release_all((agn_tensor *[]){u, v, g, y, z, c}, 6);
    }
    tell(&q, "ops about points: adjoints, sums, threads");
    tally e = {0, 0};
    agn_tensor *out = untouched, *g = random_of(AGN_C64, 1, (int64_t[]){8}, -1, 1), *v = random_of(AGN_C64, 1, (int64_t[]){3}, -1, 1),
               *u = random_of(AGN_F64, 2, (int64_t[]){3, 1}, -1, 1), *u32 = random_of(AGN_F32, 2, (int64_t[]){3, 1}, -1, 1);
    double beta = 9;
#define REFUSED(op, x, p, ints, n, st, a, b)                                                                           \
    check(&e, refused(agn_op_apply(&out, 1, op, (const agn_tensor *[]){x, p}, 2, ints, n, &beta, 1), st, op, a, b, out), \
          "line %d: %s", __LINE__, agn_error_message())
    REFUSED("fft_gather", g, u32, ((int64_t[]){4, 0}), 2, AGN_ESHAPE, "f32", "1 axes");
    REFUSED("fft_gather", g, v, ((int64_t[]){4, 0}), 2, AGN_ESHAPE, "[8]", "[3]");
    REFUSED("fft_gather", g, u, ((int64_t[]){17, 0}), 2, AGN_EARG, "17 samples", "1 axes");
    REFUSED("fft_gather", g, u, ((int64_t[]){9, 0}), 2, AGN_EARG, "8 samples", "9");
    REFUSED("fft_gather", g, u, ((int64_t[]){4, 7}), 2, AGN_EUNSUPPORTED, "derivative 7", "6");
    REFUSED("fft_spread", g, u, ((int64_t[]){4, 8, 0}), 3, AGN_ESHAPE, "[8]", "[3,1]");
    REFUSED("fft_spread", v, u, ((int64_t[]){4, 3, 0}), 3, AGN_EARG, "3 samples", "4");
    REFUSED("fft_spread", v, u, ((int64_t[]){4, 8, -1}), 3, AGN_EARG, "8 samples", "-1");
    tell(&e, "ops about points: what they refuse");
    release_all((agn_tensor *[]){g, v, u, u32}, 4);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor **in = user, *c = NULL;
    agn_status st = agn_fft_modes_to_nonuniform(&c, in[0], in[1], 1, 1e-3);
    agn_tensor *m = NULL;
    if (!st)
        st = agn_fft_nonuniform_to_modes(&m, c, in[1], (int64_t[]){3}, 1, -1, 1e-3);
    if (!st)
        st = agn_fft_nonuniform_to_nonuniform(out, m, in[1], in[1], (double[]){1, 1}, 2, -1, 1e-3);
    agn_release(m);
    agn_release(c);
    return st;
}

int main(void)
{
    test_sums();
    test_points_to_points();
    test_modes();
    test_ops();
    test_failures();
    agn_tensor *in[] = {random_of(AGN_F32, 1, (int64_t[]){4}, 0, 1), random_of(AGN_F32, 2, (int64_t[]){3, 1}, 0, 1)};
    every_allocation(make, in, "sums");
    release_all(in, 2);
    agni_fft_clear_plans();
    return done();
}
