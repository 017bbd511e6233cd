/* t-signal-sections - sections with states against SciPy; convolution by every method against sums; continuous wavelets against
   their definition, and back; derivatives in every mode; failures. */
#include "modes.h"

#include "data/sections.inc"

#define PI 3.14159265358979323846

static double apart_from(const agn_tensor *y, const double *want, int n)
{
    double worst = agn_numel(y) == n ? 0 : (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y) && i < n; i++) {
        double e = fabs(peek(y, i) - want[i]);
        worst = e > worst || isnan(e) ? e : worst;
    }
    return worst;
}

static void test_sections(void)
{
    tally q = {0, 0};
    agn_tensor *sos = of_reals(AGN_F64, 2, (int64_t[]){2, 6}, sections_sos), *x = of_reals(AGN_F64, 1, (int64_t[]){40}, sections_x),
               *zi = NULL, *start = NULL, *y = NULL, *zf = NULL, *both = NULL, *rows = NULL, *w = NULL, *plain = NULL;
    must(agn_signal_sosfilt_steady(&zi, sos));
    check(&q, has_shape(zi, 2, (int64_t[]){2, 2}) && apart_from(zi, sections_zi, 4) < 1e-11, "a steady state: %s",
          SHAPE_TEXT(zi));
    must(agn_mul_c(&start, zi, sections_x[0]));
    must(agn_signal_sosfilt_state(&y, &zf, sos, x, start));
    check(&q, apart_from(y, sections_y, 40) < 1e-12, "from a state: off by %.1e", apart_from(y, sections_y, 40));
    check(&q, apart_from(zf, sections_zf, 4) < 1e-12, "the state behind it: off by %.1e", apart_from(zf, sections_zf, 4));
    must(agn_signal_sosfiltfilt(&both, sos, x));
    check(&q, apart_from(both, sections_both, 40) < 1e-11, "both ways: off by %.1e", apart_from(both, sections_both, 40));
    /* rows, in every layout, in two pieces, as at once */
    must(agn_stack(&rows, (const agn_tensor *[]){x, both, x}, 3, 0));
    must(agn_signal_sosfilt(&plain, sos, rows));
    for (int l = 0; l < N_LAYOUTS; l++)
        for (int64_t cut = 1; cut < 40; cut += 6) {
            agn_tensor *a = NULL, *b = NULL, *ya = NULL, *yb = NULL, *za = NULL, *zb = NULL, *all = NULL;
            int64_t z[2] = {0, 0}, one[2] = {1, 1};
            w = laid_out(rows, l);
            must(agn_slice(&a, w, 2, z, (int64_t[]){3, cut}, one));
            must(agn_slice(&b, w, 2, (int64_t[]){0, cut}, (int64_t[]){3, 40}, one));
            must(agn_signal_sosfilt_state(&ya, &za, sos, a, NULL));
            must(agn_signal_sosfilt_state(&yb, &zb, sos, b, za));
            must(agn_concat(&all, (const agn_tensor *[]){ya, yb}, 2, -1));
            check(&q, modes_apart(all, plain) < 1e-13 && has_shape(zb, 3, (int64_t[]){3, 2, 2}), "layout %d, cut at %d: %s", l,
                  (int)cut, SHAPE_TEXT(zb));
            release_all((agn_tensor *[]){w, a, b, ya, yb, za, zb, all}, 8);
        }
    release_all((agn_tensor *[]){sos, x, zi, start, y, zf, both, rows, plain}, 9);
    tell(&q, "SciPy's sections with states");
}

static void test_convolution(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {5, 5}, {40, 3}, {3, 40}, {700, 9}, {9, 700}, {3000, 60}, {2000, 1900}};
    static const int dtypes[] = {AGN_F64, AGN_C128, AGN_F32, AGN_I32};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int mode = AGN_FULL; mode <= AGN_VALID; mode++)
                for (int method = AGN_CONVOLVE_AUTO; method <= AGN_CONVOLVE_OVERLAP_ADD; method++) {
                    agn_tensor *a = random_of(dtypes[d], 2, (int64_t[]){2, sizes[k][0]}, -3, 3),
                               *v = random_of(dtypes[d], 1, (int64_t[]){sizes[k][1]}, -3, 3), *want = NULL, *y = NULL, *c = NULL,
                               *flat = laid_out(a, d % N_LAYOUTS);
                    must(agn_convolve(&want, a, v, 1, mode));
                    must(agn_signal_convolve(&y, flat, v, mode, method));
                    must(agn_cast(&c, y, agn_dtype_of(want)));
                    double tol = dtypes[d] == AGN_F32 ? 1e-4 : 1e-11;
                    if (dtypes[d] == AGN_I32)
                        check(&q, agn_dtype_of(y) == (method == AGN_CONVOLVE_AUTO || method == AGN_CONVOLVE_DIRECT ? AGN_I32 : AGN_F64),
                              "a dtype");
                    for (int64_t i = 0; i < agn_numel(want) && dtypes[d] == AGN_I32; i++)
                        check(&q, fabs(peek(y, i) - peek(want, i)) < 1e-8, "integers: %d", (int)i);
                    check(&q, same_shapes(y, want) && (dtypes[d] == AGN_I32 || modes_apart(c, want) < tol),
                          "%d and %d, dtype %d, mode %d, method %d: off by %.1e", (int)sizes[k][0], (int)sizes[k][1], d, mode,
                          method, modes_apart(c, want));
                    release_all((agn_tensor *[]){a, v, want, y, c, flat}, 6);
                }
    agn_tensor *a = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, (double)NAN, 2}),
               *v = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1, 1}), *y = NULL;
    must(agn_signal_oaconvolve(&y, a, v, AGN_FULL));
    check(&q, isnan(peek(y, 1)) && isnan(peek(y, 2)), "NaN stays");
    release_all((agn_tensor *[]){a, v, y}, 3);
    tell(&q, "convolution by every method");
}

/* conj of the wavelet */
static double complex wavelet(int kind, double omega, double t)
{
    double g = pow(PI, -0.25) * exp(-t * t / 2);
    return kind == AGN_CWT_MORLET ? z_of(g * cos(omega * t), -g * sin(omega * t))
                                  : z_of(2 / sqrt(3) * (1 - t * t) * g, 0);
}

static void test_wavelets(void)
{
    static const double scales[] = {4.25, 5, 6.5};
    tally q = {0, 0};
    for (int kind = 0; kind <= AGN_CWT_RICKER; kind++)
        for (int64_t n = 31; n <= 32; n++)
            for (int single = 0; single < 2; single++) {
                double omega = kind == AGN_CWT_MORLET ? 5 : 0, off = 0;
                agn_tensor *x = random_of(single ? AGN_F32 : AGN_F64, 2, (int64_t[]){2, n}, -1, 1),
                           *a = of_reals(AGN_F64, 1, (int64_t[]){3}, scales), *y = NULL;
                must(agn_signal_cwt(&y, x, a, kind, omega));
                check(&q, has_shape(y, 3, (int64_t[]){2, 3, n}), "shape %s", SHAPE_TEXT(y));
                for (int64_t i = 0; i < agn_numel(y); i++) {
                    double complex sum = 0;
                    double s = scales[i / n % 3];
                    for (int64_t j = -4 * n; j < 5 * n; j++)
                        sum += peek(x, i / (3 * n) * n + (j + 4 * n) % n) * wavelet(kind, omega, ((double)j - (double)(i % n)) / s);
                    off = fmax(off, cabs(sum / sqrt(s) - peekz(y, i)));
                }
                check(&q, off < (single ? 1e-5 : 1e-11), "wavelet %d, n %d: off by %.1e", kind, (int)n, off);
                release_all((agn_tensor *[]){x, a, y}, 3);
            }
    /* there and back: all but the mean */
    for (int kind = 0; kind <= AGN_CWT_RICKER; kind++)
        for (int64_t n = 95; n <= 96; n++) {
            double scale[40], mean = 0, off = 0;
            for (int k = 0; k < 40; k++)
                scale[k] = 0.3 * pow(2, k / 4.0);
            agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){n}, -1, 1), *a = of_reals(AGN_F64, 1, (int64_t[]){40}, scale), *y = NULL,
                       *back = NULL;
            must(agn_signal_cwt(&y, x, a, kind, 0));
            must(agn_signal_icwt(&back, y, a, kind, 0));
            for (int64_t i = 0; i < n; i++)
                mean += peek(x, i) / (double)n;
            for (int64_t i = 0; i < n; i++)
                off = fmax(off, fabs(peek(x, i) - mean - peek(back, i)));
            check(&q, off < 1e-10, "wavelet %d of %d samples and back: off by %.1e", kind, (int)n, off);
            release_all((agn_tensor *[]){x, a, y, back}, 4);
        }
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){8}, -1, 1), *a = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, 0, -1}),
               *y = NULL;
    must(agn_signal_cwt(&y, x, a, AGN_CWT_RICKER, 0));
    check(&q, isfinite(peek(y, 3)) && isnan(peek(y, 8)) && isnan(peek(y, 16)), "scales that are none");
    release_all((agn_tensor *[]){x, a, y}, 3);
    tell(&q, "continuous wavelets by their definition, and back");
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **y)
{
    agn_tensor *out = NULL, *final = NULL;
    agn_status st;
    switch (*(const int *)user) {
    case 0:
        st = agn_signal_sosfilt_state(&out, &final, x[0], x[1], x[2]);
        y[0] = agn_scope_adopt(s, st, &out);
        if (!st)
            y[0] = ag_concat(s, (const agn_tensor *[]){y[0], ag_reshape(s, agn_scope_adopt(s, st, &final), 1, (int64_t[]){4})}, 2, -1);
        return AGN_OK;
    case 1:
        y[0] = ag_signal_sosfilt_steady(s, x[0]);
        return AGN_OK;
    case 2:
        y[0] = ag_signal_sosfiltfilt(s, x[0], x[1]);
        return AGN_OK;
    case 3:
        y[0] = ag_signal_oaconvolve(s, x[0], x[1], AGN_SAME);
        return AGN_OK;
    case 4:
        y[0] = ag_signal_cwt(s, x[0], x[1], AGN_CWT_RICKER, 0);
        return AGN_OK;
    case 5:
        y[0] = ag_signal_cwt(s, x[0], x[1], AGN_CWT_MORLET, 3);
        return AGN_OK;
    default:
        y[0] = ag_signal_icwt(s, x[0], x[1], AGN_CWT_MORLET, 3);
        return AGN_OK;
    }
}

static void test_modes(void)
{
    static const double two[] = {0.3, 0.2, 0.1, 1, -0.4, 0.1, 0.5, -0.2, 0.1, 1.1, 0.3, 0.2};
    static const char *const names[] = {"states", "steady", "both ways", "blocks", "Ricker", "Morlet", "Morlet back"};
    for (int what = 0; what < COUNT(names); what++) {
        agn_tensor *x[3] = {NULL, NULL, NULL};
        int n = what == 0 ? 3 : what == 1 ? 1 : 2;
        if (what < 3) {
            x[0] = of_reals(AGN_F64, 2, (int64_t[]){2, 6}, two);
            x[1] = random_of(AGN_F64, 1, (int64_t[]){what == 2 ? 17 : 4}, -1, 1);
            x[2] = random_of(AGN_F64, 2, (int64_t[]){2, 2}, -1, 1);
        } else if (what == 3) {
            x[0] = random_of(AGN_F64, 1, (int64_t[]){150}, -1, 1);
            x[1] = random_of(AGN_F64, 1, (int64_t[]){3}, -1, 1);
        } else {
            x[0] = what == 6 ? random_of(AGN_C128, 2, (int64_t[]){2, 6}, -1, 1) : random_of(AGN_F64, 1, (int64_t[]){7}, -1, 1);
            x[1] = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){1.3, 2.1});
        }
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, n, 1));
        in_every_mode(f, n, (const agn_tensor *const *)x, 1e-2, 1e-7, names[what]);
        agn_fn_release(f);
        release_all(x, 3);
    }
}

static void test_failures(void)
{
    tally q = {0, 0};
    int64_t ones[32];
    for (int k = 0; k < 32; k++)
        ones[k] = 1;
    agn_tensor *out = untouched, *final = untouched, *x = random_of(AGN_F64, 1, (int64_t[]){20}, 0, 1),
               *sos = random_of(AGN_F64, 2, (int64_t[]){2, 6}, 1, 2), *no = random_of(AGN_F64, 2, (int64_t[]){0, 6}, 1, 2),
               *empty = random_of(AGN_F64, 1, (int64_t[]){0}, 0, 1), *z = random_of(AGN_C128, 1, (int64_t[]){20}, 0, 1),
               *flags = random_of(AGN_BOOL, 1, (int64_t[]){4}, 0, 1), *wide = random_of(AGN_F64, 32, ones, 0, 1),
               *rows = random_of(AGN_F64, 2, (int64_t[]){3, 20}, 0, 1), *zr = random_of(AGN_C128, 2, (int64_t[]){20, 5}, 0, 1);
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())
    NO(agn_signal_sosfilt_state(NULL, &final, sos, x, NULL), AGN_ENULL, "signal_sosfilt_state", "out", "NULL");
    NO(agn_signal_sosfilt_state(&out, NULL, sos, x, NULL), AGN_ENULL, "signal_sosfilt_state", "final", "NULL");
    NO(agn_signal_sosfilt_state(&out, &final, NULL, x, NULL), AGN_ENULL, "signal_sosfilt_state", "sos", "NULL");
    NO(agn_signal_sosfilt_state(&out, &final, x, x, NULL), AGN_ESHAPE, "signal_sosfilt_state", "[20]", "6");
    NO(agn_signal_sosfilt_state(&out, &final, no, x, NULL), AGN_ESHAPE, "signal_sosfilt_state", "[0,6]", "section");
    NO(agn_signal_sosfilt_state(&out, &final, sos, empty, NULL), AGN_ESHAPE, "signal_sosfilt_state", "[0]", "sample");
    NO(agn_signal_sosfilt_state(&out, &final, sos, x, x), AGN_ESHAPE, "signal_sosfilt_state", "[20]", "2 sections");
    NO(agn_signal_sosfilt_steady(NULL, sos), AGN_ENULL, "signal_sosfilt_steady", "out", "NULL");
    NO(agn_signal_sosfilt_steady(&out, NULL), AGN_ENULL, "signal_sosfilt_steady", "sos", "NULL");
    NO(agn_signal_sosfilt_steady(&out, no), AGN_ESHAPE, "signal_sosfilt_steady", "[0,6]", "section");
    NO(agn_signal_sosfiltfilt(&out, sos, flags), AGN_ESHAPE, "signal_sosfiltfilt", "[4]", "15");
    NO(agn_signal_sosfiltfilt(&out, NULL, x), AGN_ENULL, "signal_sosfiltfilt", "sos", "NULL");
    NO(agn_signal_oaconvolve(NULL, x, x, AGN_FULL), AGN_ENULL, "signal_oaconvolve", "out", "NULL");
    NO(agn_signal_oaconvolve(&out, x, x, 7), AGN_EARG, "signal_oaconvolve", "mode 7", "0 to 2");
    NO(agn_signal_oaconvolve(&out, empty, x, AGN_FULL), AGN_ESHAPE, "signal_oaconvolve", "[0]", "[20]");
    NO(agn_signal_oaconvolve(&out, flags, flags, AGN_FULL), AGN_EDTYPE, "signal_oaconvolve", "bool", "[4]");
    NO(agn_signal_oaconvolve(&out, wide, x, AGN_FULL), AGN_EARG, "signal_oaconvolve", "[20]", "31 axes");
    NO(agn_signal_convolve(&out, x, x, AGN_FULL, 4), AGN_EARG, "signal_convolve", "method 4", "0 to 3");
    NO(agn_signal_convolve(&out, x, NULL, AGN_FULL, 0), AGN_ENULL, "signal_convolve", "v is", "NULL");
    NO(agn_signal_cwt(&out, NULL, x, 0, 0), AGN_ENULL, "signal_cwt", "x", "NULL");
    NO(agn_signal_cwt(&out, x, NULL, 0, 0), AGN_ENULL, "signal_cwt", "scales", "NULL");
    NO(agn_signal_cwt(&out, z, x, 0, 0), AGN_EDTYPE, "signal_cwt", "c128", "[20]");
    NO(agn_signal_cwt(&out, x, z, 0, 0), AGN_EDTYPE, "signal_cwt", "c128", "scales");
    NO(agn_signal_cwt(&out, x, sos, 0, 0), AGN_ESHAPE, "signal_cwt", "[2,6]", "[scales]");
    NO(agn_signal_cwt(&out, wide, x, 0, 0), AGN_ESHAPE, "signal_cwt", "32", "axis");
    NO(agn_signal_cwt(&out, x, x, 2, 0), AGN_EARG, "signal_cwt", "kind 2", "0 to 1");
    NO(agn_signal_cwt(&out, x, x, 0, -1), AGN_EARG, "signal_cwt", "omega -1", "negative");
    NO(agn_signal_icwt(&out, NULL, x, 0, 0), AGN_ENULL, "signal_icwt", "x", "NULL");
    NO(agn_signal_icwt(&out, x, NULL, 0, 0), AGN_ENULL, "signal_icwt", "scales", "NULL");
    NO(agn_signal_icwt(&out, rows, x, 0, 0), AGN_ESHAPE, "signal_icwt", "[3,20]", "[20]");
    NO(agn_signal_icwt(&out, zr, x, AGN_CWT_RICKER, 0), AGN_EDTYPE, "signal_icwt", "c128", "real");
    NO(agn_signal_icwt(&out, rows, x, 5, 0), AGN_EARG, "signal_icwt", "kind 5", "0 to 1");
    check(&q, final == untouched, "nothing written");
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, sos, no, empty, z, flags, wide, rows, zr}, 9);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor **in = user, *y = NULL, *z = NULL, *w = NULL, *c = NULL;
    agn_status st = agn_signal_sosfilt_state(&y, &z, in[0], in[1], NULL);
    if (!st)
        st = agn_signal_oaconvolve(&c, y, in[2], AGN_FULL);
    if (!st)
        st = agn_signal_cwt(&w, c, in[2], AGN_CWT_RICKER, 0);
    if (!st)
        st = agn_signal_icwt(out, w, in[2], AGN_CWT_RICKER, 0);
    release_all((agn_tensor *[]){y, z, w, c}, 4);
    return st;
}

int main(void)
{
    test_sections();
    test_convolution();
    test_wavelets();
    test_modes();
    test_failures();
    agn_tensor *in[] = {random_of(AGN_F64, 2, (int64_t[]){1, 6}, 1, 2), random_of(AGN_F64, 1, (int64_t[]){5}, 0, 1),
                        random_of(AGN_F64, 1, (int64_t[]){2}, 1, 2)};
    every_allocation(make, in, "sections, blocks, wavelets");
    release_all(in, 3);
    return done();
}
