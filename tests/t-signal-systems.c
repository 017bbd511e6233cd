/* t-signal-systems - linear systems against numbers of SciPy: representations and the ways between
   them, bands, samples
   of continuous systems, responses to frequencies and in time; derivatives in every mode; failures.
   */
#include "modes.h"

#include <agnesi/signal_systems.h>

#include "data/systems.inc"

#define LENGTH(a) (int)(sizeof(a) / sizeof(double))
#define NUMBERS(name) systems_##name, LENGTH(systems_##name)

#define APART(y, name) recorded_error(y, NUMBERS(name))
/* the farthest of n roots from what is nearest to it in z */
static double unmatched(const agn_tensor *z, const double *want, int n)
{
    double worst = agn_numel(z) * 2 == n ? 0 : (double)INFINITY;
    for (int k = 0; k < n / 2; k++) {
        double best = (double)INFINITY;
        for (int64_t i = 0; i < agn_numel(z); i++)
            best = fmin(best, cabs(peekz(z, i) - z_of(want[2 * k], want[2 * k + 1])));
        worst = fmax(worst, best);
    }
    return worst;
}
static agn_tensor *row_of(const double *v, int n)
{
    return of_reals(AGN_F64, 1, (int64_t[]){n}, v);
}
#define ROW(name) row_of(NUMBERS(name))
static agn_tensor *matrix_of(const double *v, int rows, int columns)
{
    return of_reals(AGN_F64, 2, (int64_t[]){rows, columns}, v);
}
static agn_tensor *number_of(double v)
{
    return of_reals(AGN_F64, 0, NULL, &v);
}

static void test_roots(void)
{
    tally q = {0, 0};
    agn_tensor *b = ROW(b), *a = ROW(a), *z = NULL, *p = NULL, *k = NULL, *b2 = NULL, *a2 = NULL,
               *w = ROW(w), *h = NULL;
    agn_tensor *sos = NULL;
    must(agn_signal_polynomials_to_roots(&z, &p, &k, b, a));
    check(&q, unmatched(p, NUMBERS(p)) < 1e-12, "poles off by %.1e", unmatched(p, NUMBERS(p)));
    /* five zeros at -1 are a cluster */
    check(&q, unmatched(z, NUMBERS(z)) < 5e-3 && APART(k, k) < 1e-15, "zeros off by %.1e",
          unmatched(z, NUMBERS(z)));
    must(agn_signal_roots_to_polynomials(&b2, &a2, z, p, k));
    check(&q, agn_dtype_of(b2) == AGN_C128, "complex coefficients of complex roots");
    for (int i = 0; i < 6; i++)
        check(&q,
              cabs(peekz(b2, i) - systems_b[i]) < 1e-13 &&
                  cabs(peekz(a2, i) - systems_a[i]) < 1e-13,
              "coefficient %d comes back", i);
    must(agn_signal_roots_response(&h, z, p, k, w, false));
    check(&q, APART(h, h) < 1e-12, "response by roots: %.1e", APART(h, h));
    agn_release(h);
    must(agn_signal_polynomials_to_sections(&sos, b, a));
    must(agn_signal_sosfreqz(&h, sos, w));
    check(&q, has_shape(sos, 2, (int64_t[]){3, 6}) && APART(h, h) < 1e-12, "sections: %.1e",
          APART(h, h));
    release_all((agn_tensor *[]){z, p, k, h, b2, a2}, 6);
    must(agn_signal_sections_to_roots(&z, &p, &k, sos));
    must(agn_signal_roots_response(&h, z, p, k, w, false));
    check(&q, has_shape(z, 1, (int64_t[]){6}) && APART(h, h) < 1e-12, "roots of sections: %.1e",
          APART(h, h));
    release_all((agn_tensor *[]){z, p, k, h, sos}, 5);
    /* no zeros: a constant numerator; sections get zeros at 0 */
    agn_tensor *none = of_reals(AGN_F64, 1, (int64_t[]){0}, NULL),
               *two = row_of((double[]){0.5, -0.25, 0.125}, 3), *gain = number_of(2);
    must(agn_signal_roots_to_polynomials(&b2, &a2, none, two, gain));
    check(&q,
          agn_numel(b2) == 1 && peek(b2, 0) == 2 && agn_numel(a2) == 4 &&
              fabs(peek(a2, 3) - 0.015625) < 1e-17 && agn_dtype_of(a2) == AGN_F64,
          "no zeros: %g", peek(a2, 3));
    must(agn_signal_roots_to_sections(&sos, none, two, 2));
    must(agn_signal_polynomials_to_roots(&z, &p, &k, b2, a2));
    check(&q,
          agn_numel(z) == 0 && agn_dtype_of(z) == AGN_C128 && agn_numel(p) == 3 && peek(k, 0) == 2,
          "none come back");
    check(&q, has_shape(sos, 2, (int64_t[]){2, 6}) && peek(sos, 0) == 2 && peek(sos, 1) == 0,
          "zeros at 0");
    release_all((agn_tensor *[]){none, two, gain, sos, z, p, k, b2, a2, b, a, w}, 12);
    /* a batch of f32: rows alike */
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){3, 4}, 1, 2),
               *y = random_of(AGN_F32, 1, (int64_t[]){3}, 1, 2);
    must(agn_signal_polynomials_to_roots(&z, &p, &k, x, y));
    must(agn_signal_roots_to_polynomials(&b2, &a2, z, p, k));
    check(&q,
          has_shape(z, 2, (int64_t[]){3, 3}) && agn_dtype_of(z) == AGN_C64 &&
              has_shape(k, 1, (int64_t[]){3}),
          "a batch");
    for (int i = 0; i < 12; i++)
        check(&q, cabs(peekz(b2, i) - peek(x, i) / peek(y, 0)) < 1e-5,
              "entry %d of a batch comes back", i);
    release_all((agn_tensor *[]){x, y, z, p, k, b2, a2}, 7);
    tell(&q, "roots, polynomials, sections");
}

static void test_bands(void)
{
    static const struct {
        int band;
        const double *h;
        int n;
    } cases[] = {{AGN_BAND_LOW, NUMBERS(h_low)},
                 {AGN_BAND_HIGH, NUMBERS(h_high)},
                 {AGN_BAND_PASS, NUMBERS(h_pass)},
                 {AGN_BAND_STOP, NUMBERS(h_stop)}};
    tally q = {0, 0};
    agn_tensor *b = ROW(bs), *a = ROW(as), *w = ROW(w), *h = NULL, *bd = NULL, *ad = NULL,
               *z = NULL, *p = NULL, *k = NULL;
    must(agn_signal_freqs(&h, b, a, w));
    check(&q, APART(h, hs) < 1e-13, "analog: %.1e", APART(h, hs));
    agn_release(h);
    must(agn_signal_bilinear(&bd, &ad, b, a, 3));
    check(&q, APART(bd, bilinear_b) < 1e-13 && APART(ad, bilinear_a) < 1e-13,
          "bilinear: %.1e, %.1e", APART(bd, bilinear_b), APART(ad, bilinear_a));
    release_all((agn_tensor *[]){bd, ad}, 2);
    must(agn_signal_polynomials_to_roots(&z, &p, &k, b, a));
    agn_tensor *z2 = NULL, *p2 = NULL, *k2 = NULL;
    must(agn_signal_bilinear_roots(&z2, &p2, &k2, z, p, k, 3));
    check(&q,
          unmatched(z2, NUMBERS(bilinear_z)) < 1e-12 &&
              unmatched(p2, NUMBERS(bilinear_p)) < 1e-12 &&
              cabs(peekz(k2, 0) - systems_bilinear_k[0]) < 1e-14,
          "bilinear roots");
    release_all((agn_tensor *[]){z, p, k, z2, p2, k2}, 6);
    for (int i = 0; i < 4; i++) {
        must(agn_signal_transform_band(&bd, &ad, b, a, cases[i].band, 1.7, 4));
        must(agn_signal_freqs(&h, bd, ad, w));
        double off = recorded_error(h, cases[i].h, cases[i].n);
        check(&q, off < 1e-12 && peek(ad, 0) == 1, "band %d: %.1e", i, off);
        release_all((agn_tensor *[]){bd, ad, h}, 3);
    }
    release_all((agn_tensor *[]){b, a}, 2);
    b = ROW(b);
    a = ROW(a);
    must(agn_signal_group_delay(&h, b, a, w));
    /* five zeros at -1: near it both lose digits */
    for (int i = 0; i < 9; i++)
        check(&q, fabs(peek(h, i) - systems_delay[i]) < (systems_w[i] < 2.5 ? 1e-11 : 1e-5),
              "delay %d: off by %.1e", i, fabs(peek(h, i) - systems_delay[i]));
    release_all((agn_tensor *[]){h, b, a}, 3);
    /* three samples late, but for a factor: a delay of 3 at every frequency, which no phase is
       needed for */
    b = row_of((double[]){0, 0, 0, 5}, 4);
    a = row_of((double[]){2}, 1);
    must(agn_signal_group_delay(&h, b, a, w));
    for (int i = 0; i < 9; i++)
        check(&q, fabs(peek(h, i) - 3) < 1e-13, "a delay of 3: %g", peek(h, i));
    release_all((agn_tensor *[]){h, b, a, w}, 4);
    tell(&q, "bands, the bilinear map, delays");
}

typedef struct system_of {
    agn_tensor *a, *b, *c, *d;
} system_of;
static system_of small_system(void)
{
    return (system_of){matrix_of(systems_mA, 3, 3), matrix_of(systems_mB, 3, 2),
                       matrix_of(systems_mC, 2, 3), matrix_of(systems_mD, 2, 2)};
}
static void release_system(system_of y)
{
    release_all((agn_tensor *[]){y.a, y.b, y.c, y.d}, 4);
}

static void test_states(void)
{
    static const struct {
        int hold;
        double alpha;
        const double *want[4];
    } cases[] = {
        {AGN_HOLD_ZERO, 0, {systems_zoh_A, systems_zoh_B, systems_zoh_C, systems_zoh_D}},
        {AGN_HOLD_FIRST, 0, {systems_foh_A, systems_foh_B, systems_foh_C, systems_foh_D}},
        {AGN_HOLD_IMPULSE,
         0,
         {systems_impulse_A, systems_impulse_B, systems_impulse_C, systems_impulse_D}},
        {AGN_HOLD_BLEND, 0.3, {systems_gbt_A, systems_gbt_B, systems_gbt_C, systems_gbt_D}},
    };
    tally q = {0, 0};
    system_of y = small_system(), e;
    agn_tensor *num = row_of((double[]){1, 2, 3}, 3), *den = row_of((double[]){2, 3, 1, 0.5}, 4),
               *n2 = NULL, *d2 = NULL;
    agn_tensor *w = ROW(w), *h = NULL;
    must(agn_signal_polynomials_to_state(&e.a, &e.b, &e.c, &e.d, num, den));
    check(&q,
          APART(e.a, canonical_A) < 1e-15 && APART(e.b, canonical_B) < 1e-15 &&
              APART(e.c, canonical_C) < 1e-15 && APART(e.d, canonical_D) < 1e-15,
          "canonical form");
    must(agn_signal_state_to_polynomials(&n2, &d2, e.a, e.b, e.c, e.d));
    for (int i = 0; i < 4; i++)
        check(&q,
              fabs(peek(n2, i) - (i ? peek(num, i - 1) / 2 : 0)) < 1e-14 &&
                  fabs(peek(d2, i) - peek(den, i) / 2) < 1e-14,
              "coefficient %d comes back: %g, %g", i, peek(n2, i), peek(d2, i));
    release_system(e);
    release_all((agn_tensor *[]){num, den, n2, d2}, 4);
    must(agn_signal_state_to_polynomials(&n2, &d2, y.a, y.b, y.c, y.d));
    check(&q,
          has_shape(n2, 3, (int64_t[]){2, 2, 4}) && APART(n2, num) < 1e-13 &&
              APART(d2, den) < 1e-14,
          "two inputs and outputs: %.1e", APART(n2, num));
    release_all((agn_tensor *[]){n2, d2}, 2);
    must(agn_signal_state_to_polynomials(&n2, &d2, y.a, y.b, y.c, NULL));
    check(&q, peek(n2, 0) == 0 && fabs(peek(n2, 1) - 0.6) < 1e-15, "without d: %g", peek(n2, 1));
    release_all((agn_tensor *[]){n2, d2}, 2);
    must(agn_signal_state_response(&h, y.a, y.b, y.c, y.d, w, true));
    check(&q, has_shape(h, 3, (int64_t[]){9, 2, 2}) && APART(h, h_state) < 1e-13, "response: %.1e",
          APART(h, h_state));
    agn_release(h);
    for (int k = 0; k < COUNT(cases); k++) {
        must(agn_signal_discretise(&e.a, &e.b, &e.c, &e.d, y.a, y.b, y.c,
                                   cases[k].hold == AGN_HOLD_IMPULSE ? NULL : y.d, 0.25,
                                   cases[k].hold, cases[k].alpha));
        const agn_tensor *m[] = {e.a, e.b, e.c, e.d};
        static const int size[] = {9, 6, 6, 4};
        for (int i = 0; i < 4; i++)
            check(&q, recorded_error(m[i], cases[k].want[i], size[i]) < 1e-14,
                  "hold %d, matrix %d: %.1e", cases[k].hold, i,
                  recorded_error(m[i], cases[k].want[i], size[i]));
        release_system(e);
    }
    release_system(y);
    agn_release(w);
    tell(&q, "state spaces");
}

static void test_times(void)
{
    tally q = {0, 0};
    system_of y = small_system(), e;
    agn_tensor *u = matrix_of(systems_u, 2, 13), *x0 = ROW(x0), *out = NULL, *x = NULL;
    must(agn_signal_discretise(&e.a, &e.b, &e.c, &e.d, y.a, y.b, y.c, y.d, 0.25, AGN_HOLD_ZERO, 0));
    must(agn_signal_dlsim(&out, &x, e.a, e.b, e.c, e.d, u, x0));
    check(&q, APART(out, dlsim_y) < 1e-14 && APART(x, dlsim_x) < 1e-14, "samples: %.1e",
          APART(out, dlsim_y));
    release_all((agn_tensor *[]){out, x}, 2);
    must(agn_signal_lsim(&out, &x, y.a, y.b, y.c, y.d, u, x0, 0.25, AGN_HOLD_ZERO));
    check(&q, APART(out, lsim_y_zero) < 1e-14 && APART(x, lsim_x_zero) < 1e-14, "held: %.1e",
          APART(out, lsim_y_zero));
    release_all((agn_tensor *[]){out, x}, 2);
    must(agn_signal_lsim(&out, &x, y.a, y.b, y.c, y.d, u, x0, 0.25, AGN_HOLD_FIRST));
    check(&q, APART(out, lsim_y_first) < 1e-14 && APART(x, lsim_x_first) < 1e-14, "linear: %.1e",
          APART(out, lsim_y_first));
    release_all((agn_tensor *[]){out, x}, 2);
    must(agn_signal_impulse(&out, y.a, y.b, y.c, y.d, 13, 0.25));
    check(&q, has_shape(out, 3, (int64_t[]){2, 2, 13}) && APART(out, impulse) < 1e-14,
          "impulse: %.1e", APART(out, impulse));
    agn_release(out);
    must(agn_signal_step(&out, y.a, y.b, y.c, y.d, 13, 0.25));
    check(&q, APART(out, step) < 1e-14, "step: %.1e", APART(out, step));
    agn_release(out);
    must(agn_signal_impulse(&out, e.a, e.b, e.c, e.d, 13, 0));
    check(&q, APART(out, dimpulse) < 1e-14, "impulse of samples: %.1e", APART(out, dimpulse));
    agn_release(out);
    must(agn_signal_step(&out, e.a, e.b, e.c, e.d, 13, 0));
    check(&q, APART(out, dstep) < 1e-14, "step of samples: %.1e", APART(out, dstep));
    agn_release(out);
    /* one sample: what goes through alone */
    must(agn_signal_impulse(&out, e.a, e.b, e.c, e.d, 1, 0));
    check(&q, has_shape(out, 3, (int64_t[]){2, 2, 1}) && recorded_error(out, systems_mD, 4) < 1e-16,
          "one sample");
    agn_release(out);
    /* a batch of inputs over one system, f32: rows alike; a system whose state grows is followed
       all the same */
    agn_tensor *grow = of_reals(AGN_F32, 2, (int64_t[]){1, 1}, (double[]){1.5}),
               *one = of_reals(AGN_F32, 2, (int64_t[]){1, 1}, (double[]){1}), *ones = NULL;
    must(agn_ones(&ones, AGN_F32, 3, (int64_t[]){2, 1, 20}));
    must(agn_signal_dlsim(&out, &x, grow, one, one, NULL, ones, NULL));
    check(&q, has_shape(out, 3, (int64_t[]){2, 1, 20}) && agn_dtype_of(out) == AGN_F32, "shape %s",
          SHAPE_TEXT(out));
    for (int t = 0; t < 20; t++)
        check(&q,
              fabs(peek(out, 20 + t) / ((pow(1.5, t) - 1) * 2) - 1) < 1e-5 ||
                  (t == 0 && peek(out, 20) == 0),
              "a growing state at %d: %g", t, peek(out, 20 + t));
    release_all((agn_tensor *[]){grow, one, ones, out, x, u, x0}, 7);
    release_system(y);
    release_system(e);
    tell(&q, "responses in time");
}

static void test_fractions(void)
{
    tally q = {0, 0};
    agn_tensor *b = row_of((double[]){1, 0, 2, -1, 3}, 5), *a = row_of((double[]){2, 3, 4, 1}, 4),
               *r = NULL, *p = NULL, *k = NULL, *x = row_of((double[]){1, -2, 0.5, 3, 1, -1}, 6),
               *d = row_of((double[]){2, 1, -0.5}, 3), *y = NULL, *rest = NULL;
    must(agn_signal_residues(&r, &p, &k, b, a));
    check(&q,
          unmatched(p, NUMBERS(residue_p)) < 1e-13 && unmatched(r, NUMBERS(residue_r)) < 1e-12 &&
              APART(k, residue_k) < 1e-14,
          "partial fractions: %.1e", unmatched(r, NUMBERS(residue_r)));
    must(agn_signal_deconvolve(&y, &rest, x, d));
    check(&q, APART(y, quotient) < 1e-14 && APART(rest, remainder) < 1e-13, "division: %.1e",
          APART(rest, remainder));
    release_all((agn_tensor *[]){r, p, k, y, rest}, 5);
    /* a divisor that is longer: nothing of it */
    must(agn_signal_deconvolve(&y, &rest, d, x));
    check(&q, agn_numel(y) == 1 && peek(y, 0) == 0 && agn_numel(rest) == 3 && peek(rest, 2) == -0.5,
          "a longer divisor");
    release_all((agn_tensor *[]){y, rest}, 2);
    must(agn_signal_residues(&r, &p, &k, d, a));
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += creal(peekz(r, i) / (1.0 - peekz(p, i)));
    check(&q, peek(k, 0) == 0 && fabs(sum - 0.25) < 1e-14, "they add up to the value at 1: %g",
          sum);
    release_all((agn_tensor *[]){r, p, k}, 3);
    /* and back: b and a over the first of a, of one pole and of many, in a batch */
    for (int order = 1; order <= 9; order += 4)
        for (int taps = order; taps <= order + 3; taps += 3) {
            int64_t nb[] = {2, taps}, na[] = {2, order + 1};
            rnd_stream("signal systems", "fractions");
            agn_tensor *u = random_of(AGN_F64, 2, nb, -1, 1),
                       *v = random_of(AGN_F64, 2, na, 0.5, 1), *c = NULL, *e = NULL;
            must(agn_signal_residues(&r, &p, &k, u, v));
            must(agn_signal_residues_to_polynomials(&c, &e, r, p, k));
            int64_t more = agn_shape(c)[1] - taps;
            double worst = 0;
            for (int row = 0; row < 2; row++) {
                double first = peek(v, row * (order + 1));
                for (int i = 0; i <= order; i++)
                    worst = fmax(worst, cabs(peekz(e, row * (order + 1) + i) -
                                             peek(v, row * (order + 1) + i) / first));
                for (int i = 0; i < taps + more; i++)
                    worst = fmax(worst,
                                 cabs(peekz(c, row * (taps + more) + i) -
                                      (i < more ? 0 : peek(u, row * taps + i - more) / first)));
            }
            check(&q, more >= 0 && worst < 1e-9, "order %d, %d taps: %.1e, %d more", order, taps,
                  worst, (int)more);
            release_all((agn_tensor *[]){r, p, k, u, v, c, e}, 7);
        }
    release_all((agn_tensor *[]){b, a, x, d}, 4);
    tell(&q, "partial fractions and division");
}

/* ---- derivatives
   --------------------------------------------------------------------------------- */

enum {
    MULTIPLY,
    ROOTS,
    STATES,
    BILINEAR,
    BAND,
    ZEROTH,
    FIRST,
    BLEND,
    DELAY,
    RESPONSE,
    SIMULATE,
    STEP,
    FRACTIONS,
    MULTIPLIED,
    DIVIDE,
    BODIES
};
static const char *const names[] = {"roots_to_polynomials",
                                    "polynomials_to_roots",
                                    "state_to_polynomials",
                                    "bilinear",
                                    "transform_band",
                                    "zoh",
                                    "foh",
                                    "gbt",
                                    "group_delay",
                                    "state_response",
                                    "lsim",
                                    "step",
                                    "residues",
                                    "residues_to_polynomials",
                                    "deconvolve"};

/* n results of a call, the sum of which is one tensor: each as it is in the scope */
static const agn_tensor *join_results(agn_scope *s, agn_status st, agn_tensor **y, int n)
{
    const agn_tensor *sum = NULL;
    for (int k = 0; k < n; k++) {
        const agn_tensor *one = agn_scope_adopt(s, st, &y[k]);
        if (st)
            return NULL;
        one = ag_sum_all(s, ag_mul_c(s, ag_square(s, one), 1 + 0.3 * k));
        sum = sum ? ag_add(s, sum, one) : one;
    }
    return sum && kind_of(agn_dtype_of(sum)) == KIND_COMPLEX
               ? ag_add(s, ag_real(s, sum), ag_imag(s, sum))
               : sum;
}

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *x, const agn_tensor **out)
{
    agn_tensor *y[4] = {NULL};
    const agn_tensor *w = ag_linspace(s, AGN_F64, 0.3, 1.1, 2),
                     *u = ag_linspace(s, AGN_F64, 0.3, 1.1, 5);
    const agn_tensor *one = ag_eye(s, AGN_F64, 2, 2, 0);
    agn_status st = agn_scope_status(s);
    int n = 2;
    if (st)
        return st;
    switch (*(const int *)user) {
    case MULTIPLY:
        st = agn_signal_roots_to_polynomials(&y[0], &y[1], x[0], x[1], ag_sum_all(s, x[0]));
        break;
    case ROOTS:
        st = agn_signal_polynomials_to_roots(&y[0], &y[1], &y[2], x[0], x[1]);
        n = 3;
        break;
    case STATES:
        st = agn_signal_state_to_polynomials(&y[0], &y[1], x[0], x[1], one, one);
        break;
    case BILINEAR:
        st = agn_signal_bilinear(&y[0], &y[1], x[0], x[1], 1.5);
        break;
    case BAND:
        st = agn_signal_transform_band(&y[0], &y[1], x[0], x[1], AGN_BAND_PASS, 1, 2);
        break;
    case ZEROTH:
    case FIRST:
    case BLEND:
        st = agn_signal_discretise(
            &y[0], &y[1], &y[2], &y[3], x[0], x[1], one, NULL, 0.5,
            *(const int *)user - ZEROTH == 2 ? AGN_HOLD_BLEND : *(const int *)user - ZEROTH, 0.4);
        n = 4;
        break;
    case DELAY:
        st = agn_signal_group_delay(&y[0], x[0], x[1], w);
        n = 1;
        break;
    case RESPONSE:
        st = agn_signal_state_response(&y[0], x[0], x[1], one, one, w, false);
        n = 1;
        break;
    case SIMULATE:
        u = ag_stack(s, (const agn_tensor *[]){u, ag_square(s, u)}, 2, 0);
        st = agn_scope_status(s);
        if (!st)
            st = agn_signal_lsim(&y[0], &y[1], x[0], x[1], one, one, u, NULL, 0.3, AGN_HOLD_FIRST);
        break;
    case STEP:
        st = agn_signal_step(&y[0], x[0], x[1], one, one, 4, 0.3);
        n = 1;
        break;
    case MULTIPLIED:
        st = agn_signal_residues_to_polynomials(&y[0], &y[1], x[0], x[1], x[0]);
        break;
    case FRACTIONS:
        st = agn_signal_residues(&y[0], &y[1], &y[2], x[0], x[1]);
        n = 3;
        break;
    default:
        st = agn_signal_deconvolve(&y[0], &y[1], x[0], x[1]);
    }
    out[0] = join_results(s, st, y, n);
    return st;
}

static void test_modes(void)
{
    for (int what = 0; what < BODIES; what++) {
        bool matrices = what == STATES || (what >= ZEROTH && what <= BLEND) ||
                        (what >= RESPONSE && what <= STEP);
        rnd_stream("signal systems", names[what]);
        agn_tensor *x[2];
        if (matrices) {
            x[0] = matrix_of((double[]){-0.5, 0.8, -0.6, -0.3}, 2, 2);
            x[1] = random_of(AGN_F64, 2, (int64_t[]){2, 2}, 0.5, 1);
        } else {
            x[0] = row_of((double[]){1, 0.3, 0.7, 0.2}, what == FRACTIONS ? 4
                                                        : what == DIVIDE  ? 4
                                                                          : 3);
            x[1] = row_of((double[]){1.2, 0.4, 0.9}, 3);
        }
        agn_fn *f = NULL;
        must(agn_fn_new(&f, body, &what, NULL, 2, 1));
        in_every_mode(f, 2, (const agn_tensor *const *)x, 2e-3, 1e-6, names[what]);
        agn_fn_release(f);
        release_all(x, 2);
    }
}

/* ---- failures
   ------------------------------------------------------------------------------------ */

static agn_tensor *out = untouched, *p1 = untouched, *p2 = untouched, *p3 = untouched;
#define NO(call, st, op, a, b) \
    check(q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void refuse_polynomials(tally *q, agn_tensor *v, agn_tensor *z, agn_tensor *none,
                               agn_tensor *dot)
{
    static const char rp[] = "signal_roots_to_polynomials", pr[] = "signal_polynomials_to_roots",
                      rs[] = "signal_roots_to_sections", ps[] = "signal_polynomials_to_sections",
                      sr[] = "signal_sections_to_roots", re[] = "signal_residues",
                      de[] = "signal_deconvolve";
    agn_tensor *sos = random_of(AGN_F64, 2, (int64_t[]){2, 6}, 1, 2),
               *lead = row_of((double[]){0, 1, 2}, 3),
               *two = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 1, 2),
               *three = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2),
               *long_ = random_of(AGN_F64, 1, (int64_t[]){130}, 1, 2),
               *nan = row_of((double[]){1, (double)NAN}, 2);
    NO(agn_signal_roots_to_polynomials(NULL, &p1, v, v, dot), AGN_ENULL, rp, "b is", "NULL");
    NO(agn_signal_roots_to_polynomials(&out, NULL, v, v, dot), AGN_ENULL, rp, "a is", "NULL");
    NO(agn_signal_roots_to_polynomials(&out, &p1, NULL, v, dot), AGN_ENULL, rp, "zeros", "NULL");
    NO(agn_signal_roots_to_polynomials(&out, &p1, v, NULL, dot), AGN_ENULL, rp, "poles", "NULL");
    NO(agn_signal_roots_to_polynomials(&out, &p1, v, v, NULL), AGN_ENULL, rp, "gain", "NULL");
    NO(agn_signal_roots_to_polynomials(&out, &p1, dot, v, dot), AGN_ESHAPE, rp, "zeros are []",
       "axis");
    NO(agn_signal_roots_to_polynomials(&out, &p1, two, v, v), AGN_ESHAPE, rp, "[2", "[3");
    NO(agn_signal_polynomials_to_roots(NULL, &p1, &p2, v, v), AGN_ENULL, pr, "zeros", "NULL");
    NO(agn_signal_polynomials_to_roots(&out, NULL, &p2, v, v), AGN_ENULL, pr, "poles", "NULL");
    NO(agn_signal_polynomials_to_roots(&out, &p1, NULL, v, v), AGN_ENULL, pr, "gain", "NULL");
    NO(agn_signal_polynomials_to_roots(&out, &p1, &p2, NULL, v), AGN_ENULL, pr, "b is", "NULL");
    NO(agn_signal_polynomials_to_roots(&out, &p1, &p2, v, NULL), AGN_ENULL, pr, "a is", "NULL");
    NO(agn_signal_polynomials_to_roots(&out, &p1, &p2, none, v), AGN_ESHAPE, pr, "[0]", "[3]");
    NO(agn_signal_polynomials_to_roots(&out, &p1, &p2, lead, v), AGN_EDOMAIN, pr, "", NULL);
    NO(agn_signal_roots_to_sections(NULL, v, v, 1), AGN_ENULL, rs, "out", "NULL");
    NO(agn_signal_roots_to_sections(&out, NULL, v, 1), AGN_ENULL, rs, "zeros", "NULL");
    NO(agn_signal_roots_to_sections(&out, v, NULL, 1), AGN_ENULL, rs, "poles", "NULL");
    NO(agn_signal_roots_to_sections(&out, v, two, 1), AGN_ESHAPE, rs, "[2,3]", "128");
    NO(agn_signal_roots_to_sections(&out, long_, v, 1), AGN_ESHAPE, rs, "[130]", "128");
    NO(agn_signal_roots_to_sections(&out, v, nan, 1), AGN_EDOMAIN, rs, "root 1", "finite");
    NO(agn_signal_roots_to_sections(&out, z, v, 1), AGN_EDOMAIN, rs, "root 0", "conjugate");
    NO(agn_signal_roots_to_sections(&out, v, v, (double)NAN), AGN_EARG, rs, "gain of nan",
       "finite");
    NO(agn_signal_polynomials_to_sections(NULL, v, v), AGN_ENULL, ps, "out", "NULL");
    NO(agn_signal_polynomials_to_sections(&out, NULL, v), AGN_ENULL, ps, "b is", "NULL");
    NO(agn_signal_polynomials_to_sections(&out, v, NULL), AGN_ENULL, ps, "a is", "NULL");
    NO(agn_signal_polynomials_to_sections(&out, z, v), AGN_EDTYPE, ps, "c128", "real");
    NO(agn_signal_polynomials_to_sections(&out, v, long_), AGN_ESHAPE, ps, "[130]", "129");
    NO(agn_signal_polynomials_to_sections(&out, lead, v), AGN_EDOMAIN, ps, "", NULL);
    NO(agn_signal_sections_to_roots(NULL, &p1, &p2, sos), AGN_ENULL, sr, "zeros", "NULL");
    NO(agn_signal_sections_to_roots(&out, NULL, &p2, sos), AGN_ENULL, sr, "poles", "NULL");
    NO(agn_signal_sections_to_roots(&out, &p1, NULL, sos), AGN_ENULL, sr, "gain", "NULL");
    NO(agn_signal_sections_to_roots(&out, &p1, &p2, NULL), AGN_ENULL, sr, "sos", "NULL");
    NO(agn_signal_sections_to_roots(&out, &p1, &p2, two), AGN_ESHAPE, sr, "[2,3]", "6");
    static const char rp2[] = "signal_residues_to_polynomials";
    NO(agn_signal_residues_to_polynomials(NULL, &p1, v, v, v), AGN_ENULL, rp2, "b is", "NULL");
    NO(agn_signal_residues_to_polynomials(&out, NULL, v, v, v), AGN_ENULL, rp2, "a is", "NULL");
    NO(agn_signal_residues_to_polynomials(&out, &p1, NULL, v, v), AGN_ENULL, rp2, "residues",
       "NULL");
    NO(agn_signal_residues_to_polynomials(&out, &p1, v, NULL, v), AGN_ENULL, rp2, "poles", "NULL");
    NO(agn_signal_residues_to_polynomials(&out, &p1, v, v, NULL), AGN_ENULL, rp2, "direct", "NULL");
    NO(agn_signal_residues_to_polynomials(&out, &p1, none, v, v), AGN_ESHAPE, rp2, "[0]", "[3]");
    NO(agn_signal_residues_to_polynomials(&out, &p1, v, v, none), AGN_ESHAPE, rp2, "[0]",
       "coefficient");
    NO(agn_signal_residues(NULL, &p1, &p2, v, v), AGN_ENULL, re, "residues", "NULL");
    NO(agn_signal_residues(&out, NULL, &p2, v, v), AGN_ENULL, re, "poles", "NULL");
    NO(agn_signal_residues(&out, &p1, NULL, v, v), AGN_ENULL, re, "direct", "NULL");
    NO(agn_signal_residues(&out, &p1, &p2, NULL, v), AGN_ENULL, re, "b is", "NULL");
    NO(agn_signal_residues(&out, &p1, &p2, v, NULL), AGN_ENULL, re, "a is", "NULL");
    NO(agn_signal_residues(&out, &p1, &p2, v, none), AGN_ESHAPE, re, "[0]", "order");
    NO(agn_signal_residues(&out, &p1, &p2, v, lead), AGN_EDOMAIN, re, "", NULL);
    NO(agn_signal_residues(&out, &p1, &p2, two, three), AGN_ESHAPE, re, "[2", "[3");
    NO(agn_signal_deconvolve(NULL, &p1, v, v), AGN_ENULL, de, "quotient", "NULL");
    NO(agn_signal_deconvolve(&out, NULL, v, v), AGN_ENULL, de, "remainder", "NULL");
    NO(agn_signal_deconvolve(&out, &p1, NULL, v), AGN_ENULL, de, "x is", "NULL");
    NO(agn_signal_deconvolve(&out, &p1, v, NULL), AGN_ENULL, de, "divisor", "NULL");
    NO(agn_signal_deconvolve(&out, &p1, v, none), AGN_ESHAPE, de, "[0]", "[3]");
    NO(agn_signal_deconvolve(&out, &p1, two, three), AGN_ESHAPE, de, "[2", "[3");
    release_all((agn_tensor *[]){sos, lead, two, three, long_, nan}, 6);
}

static void refuse_maps(tally *q, agn_tensor *v, agn_tensor *z, agn_tensor *none, agn_tensor *dot)
{
    static const char bi[] = "signal_bilinear", tb[] = "signal_transform_band",
                      br[] = "signal_bilinear_roots", fs[] = "signal_freqs",
                      rr[] = "signal_roots_response", gd[] = "signal_group_delay";
    agn_tensor *two = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 1, 2),
               *three = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2),
               *four = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2);
    NO(agn_signal_bilinear(NULL, &p1, v, v, 1), AGN_ENULL, bi, "b is", "NULL");
    NO(agn_signal_bilinear(&out, NULL, v, v, 1), AGN_ENULL, bi, "a is", "NULL");
    NO(agn_signal_bilinear(&out, &p1, NULL, v, 1), AGN_ENULL, bi, "num", "NULL");
    NO(agn_signal_bilinear(&out, &p1, v, NULL, 1), AGN_ENULL, bi, "den", "NULL");
    NO(agn_signal_bilinear(&out, &p1, none, v, 1), AGN_ESHAPE, bi, "[0]", "[3]");
    NO(agn_signal_bilinear(&out, &p1, two, three, 1), AGN_ESHAPE, bi, "[2", "[3");
    NO(agn_signal_bilinear(&out, &p1, v, v, 0), AGN_EARG, bi, "rate of 0", "positive");
    NO(agn_signal_transform_band(NULL, &p1, v, v, 0, 1, 2), AGN_ENULL, tb, "b is", "NULL");
    NO(agn_signal_transform_band(&out, NULL, v, v, 0, 1, 2), AGN_ENULL, tb, "a is", "NULL");
    NO(agn_signal_transform_band(&out, &p1, NULL, v, 0, 1, 2), AGN_ENULL, tb, "num", "NULL");
    NO(agn_signal_transform_band(&out, &p1, v, NULL, 0, 1, 2), AGN_ENULL, tb, "den", "NULL");
    NO(agn_signal_transform_band(&out, &p1, v, none, 0, 1, 2), AGN_ESHAPE, tb, "[0]", "1024");
    NO(agn_signal_transform_band(&out, &p1, v, v, 4, 1, 2), AGN_EARG, tb, "band 4", "0 to 3");
    NO(agn_signal_transform_band(&out, &p1, v, v, AGN_BAND_PASS, 2, 1), AGN_EARG, tb, "2 and 1",
       "rising");
    NO(agn_signal_bilinear_roots(NULL, &p1, &p2, v, v, dot, 1), AGN_ENULL, br, "zeros", "NULL");
    NO(agn_signal_bilinear_roots(&out, NULL, &p2, v, v, dot, 1), AGN_ENULL, br, "poles", "NULL");
    NO(agn_signal_bilinear_roots(&out, &p1, NULL, v, v, dot, 1), AGN_ENULL, br, "gain", "NULL");
    NO(agn_signal_bilinear_roots(&out, &p1, &p2, NULL, v, dot, 1), AGN_ENULL, br, "z is", "NULL");
    NO(agn_signal_bilinear_roots(&out, &p1, &p2, v, NULL, dot, 1), AGN_ENULL, br, "p is", "NULL");
    NO(agn_signal_bilinear_roots(&out, &p1, &p2, v, v, NULL, 1), AGN_ENULL, br, "k is", "NULL");
    NO(agn_signal_bilinear_roots(&out, &p1, &p2, four, v, dot, 1), AGN_ESHAPE, br, "[4]", "[3]");
    NO(agn_signal_bilinear_roots(&out, &p1, &p2, v, v, dot, -1), AGN_EARG, br, "rate of -1",
       "positive");
    NO(agn_signal_freqs(NULL, v, v, v), AGN_ENULL, fs, "out", "NULL");
    NO(agn_signal_freqs(&out, NULL, v, v), AGN_ENULL, fs, "b is", "NULL");
    NO(agn_signal_freqs(&out, v, NULL, v), AGN_ENULL, fs, "a is", "NULL");
    NO(agn_signal_freqs(&out, v, v, NULL), AGN_ENULL, fs, "w is", "NULL");
    NO(agn_signal_freqs(&out, v, v, z), AGN_EDTYPE, fs, "c128", "real");
    NO(agn_signal_freqs(&out, v, v, two), AGN_ESHAPE, fs, "[2,3]", "rank 2");
    NO(agn_signal_freqs(&out, none, v, v), AGN_ESHAPE, fs, "[0]", "[3]");
    NO(agn_signal_freqs(&out, two, three, v), AGN_ESHAPE, fs, "[2", "[3");
    NO(agn_signal_roots_response(NULL, v, v, dot, v, true), AGN_ENULL, rr, "out", "NULL");
    NO(agn_signal_roots_response(&out, NULL, v, dot, v, true), AGN_ENULL, rr, "zeros", "NULL");
    NO(agn_signal_roots_response(&out, v, NULL, dot, v, true), AGN_ENULL, rr, "poles", "NULL");
    NO(agn_signal_roots_response(&out, v, v, NULL, v, true), AGN_ENULL, rr, "gain", "NULL");
    NO(agn_signal_roots_response(&out, v, v, dot, NULL, true), AGN_ENULL, rr, "w is", "NULL");
    NO(agn_signal_roots_response(&out, v, v, dot, z, true), AGN_EDTYPE, rr, "c128", "real");
    NO(agn_signal_roots_response(&out, v, v, dot, two, true), AGN_ESHAPE, rr, "[2,3]", "rank 2");
    NO(agn_signal_roots_response(&out, dot, v, dot, v, true), AGN_ESHAPE, rr, "zeros are []",
       "axis");
    NO(agn_signal_roots_response(&out, two, three, dot, v, true), AGN_ESHAPE, rr, "[2", "[3");
    NO(agn_signal_group_delay(NULL, v, v, v), AGN_ENULL, gd, "out", "NULL");
    NO(agn_signal_group_delay(&out, NULL, v, v), AGN_ENULL, gd, "b is", "NULL");
    NO(agn_signal_group_delay(&out, v, NULL, v), AGN_ENULL, gd, "a is", "NULL");
    NO(agn_signal_group_delay(&out, v, v, NULL), AGN_ENULL, gd, "w is", "NULL");
    NO(agn_signal_group_delay(&out, v, v, z), AGN_EDTYPE, gd, "c128", "real");
    NO(agn_signal_group_delay(&out, v, v, two), AGN_ESHAPE, gd, "[2,3]", "rank 2");
    NO(agn_signal_group_delay(&out, v, none, v), AGN_ESHAPE, gd, "[0]", "[3]");
    NO(agn_signal_group_delay(&out, two, three, v), AGN_ESHAPE, gd, "[2", "[3");
    release_all((agn_tensor *[]){two, three, four}, 3);
}

static void refuse_states(tally *q, agn_tensor *v, agn_tensor *z, agn_tensor *none, agn_tensor *dot)
{
    static const char pt[] = "signal_polynomials_to_state", sp[] = "signal_state_to_polynomials",
                      di[] = "signal_discretise", sr[] = "signal_state_response",
                      dl[] = "signal_dlsim", ls[] = "signal_lsim", im[] = "signal_impulse",
                      st[] = "signal_step";
    agn_tensor *m = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2),
               *four = random_of(AGN_F64, 1, (int64_t[]){4}, 1, 2),
               *odd = random_of(AGN_F64, 2, (int64_t[]){3, 2}, 1, 2), *nan = NULL;
    double hole[9] = {(double)NAN};
    nan = matrix_of(hole, 3, 3);
    NO(agn_signal_polynomials_to_state(NULL, &p1, &p2, &p3, v, v), AGN_ENULL, pt, "a is", "NULL");
    NO(agn_signal_polynomials_to_state(&out, NULL, &p2, &p3, v, v), AGN_ENULL, pt, "b is", "NULL");
    NO(agn_signal_polynomials_to_state(&out, &p1, NULL, &p3, v, v), AGN_ENULL, pt, "c is", "NULL");
    NO(agn_signal_polynomials_to_state(&out, &p1, &p2, NULL, v, v), AGN_ENULL, pt, "d is", "NULL");
    NO(agn_signal_polynomials_to_state(&out, &p1, &p2, &p3, NULL, v), AGN_ENULL, pt, "num", "NULL");
    NO(agn_signal_polynomials_to_state(&out, &p1, &p2, &p3, v, NULL), AGN_ENULL, pt, "den", "NULL");
    NO(agn_signal_polynomials_to_state(&out, &p1, &p2, &p3, four, v), AGN_ESHAPE, pt, "[4]", "[3]");
    NO(agn_signal_polynomials_to_state(&out, &p1, &p2, &p3, v, none), AGN_ESHAPE, pt, "[0]", "[3]");
    NO(agn_signal_state_to_polynomials(NULL, &p1, m, m, m, m), AGN_ENULL, sp, "num", "NULL");
    NO(agn_signal_state_to_polynomials(&out, NULL, m, m, m, m), AGN_ENULL, sp, "den", "NULL");
    NO(agn_signal_state_to_polynomials(&out, &p1, NULL, m, m, m), AGN_ENULL, sp, "a is", "NULL");
    NO(agn_signal_state_to_polynomials(&out, &p1, m, NULL, m, m), AGN_ENULL, sp, "b is", "NULL");
    NO(agn_signal_state_to_polynomials(&out, &p1, m, m, NULL, m), AGN_ENULL, sp, "c is", "NULL");
    NO(agn_signal_state_to_polynomials(&out, &p1, odd, m, m, m), AGN_ESHAPE, sp, "[3,2]", "order");
    NO(agn_signal_state_to_polynomials(&out, &p1, m, m, m, odd), AGN_ESHAPE, sp, "d is [3,2]",
       "[3, 3]");
    NO(agn_signal_state_to_polynomials(&out, &p1, v, m, m, m), AGN_ESHAPE, sp, "a is [3]",
       "matrix");
#define DISCRETE(...) agn_signal_discretise(&out, &p1, &p2, &p3, __VA_ARGS__)
    NO(agn_signal_discretise(NULL, &p1, &p2, &p3, m, m, m, m, 1, 0, 0), AGN_ENULL, di, "ad",
       "NULL");
    NO(agn_signal_discretise(&out, NULL, &p2, &p3, m, m, m, m, 1, 0, 0), AGN_ENULL, di, "bd",
       "NULL");
    NO(agn_signal_discretise(&out, &p1, NULL, &p3, m, m, m, m, 1, 0, 0), AGN_ENULL, di, "cd",
       "NULL");
    NO(agn_signal_discretise(&out, &p1, &p2, NULL, m, m, m, m, 1, 0, 0), AGN_ENULL, di, "dd",
       "NULL");
    NO(DISCRETE(m, m, NULL, m, 1, 0, 0), AGN_ENULL, di, "c is", "NULL");
    NO(DISCRETE(m, m, odd, m, 1, 0, 0), AGN_ESHAPE, di, "c [3,2]", "order");
    NO(DISCRETE(m, m, m, m, 0, 0, 0), AGN_EARG, di, "period of 0", "positive");
    NO(DISCRETE(m, m, m, m, 1, 4, 0), AGN_EARG, di, "hold 4", "0 to 3");
    NO(DISCRETE(m, m, m, m, 1, AGN_HOLD_BLEND, 2), AGN_EARG, di, "alpha 2", "between");
    NO(DISCRETE(m, m, m, m, 1, AGN_HOLD_IMPULSE, 0), AGN_EARG, di, "d is [3,3]", "NULL");
    NO(DISCRETE(nan, m, m, m, 1, AGN_HOLD_BLEND, 1), AGN_EDOMAIN, di, "", NULL);
    NO(agn_signal_state_response(NULL, m, m, m, m, v, true), AGN_ENULL, sr, "out", "NULL");
    NO(agn_signal_state_response(&out, m, m, NULL, m, v, true), AGN_ENULL, sr, "c is", "NULL");
    NO(agn_signal_state_response(&out, m, m, m, m, NULL, true), AGN_ENULL, sr, "w is", "NULL");
    NO(agn_signal_state_response(&out, m, m, m, m, z, true), AGN_EDTYPE, sr, "c128", "real");
    NO(agn_signal_state_response(&out, m, m, m, m, m, true), AGN_ESHAPE, sr, "w is [3,3]",
       "rank 2");
    NO(agn_signal_state_response(&out, m, odd, odd, m, v, true), AGN_ESHAPE, sr, "c [3,2]",
       "order");
    NO(agn_signal_state_response(&out, nan, m, m, m, v, true), AGN_EDOMAIN, sr, "", NULL);
    NO(agn_signal_dlsim(NULL, &p1, m, m, m, m, m, NULL), AGN_ENULL, dl, "y is", "NULL");
    NO(agn_signal_dlsim(&out, NULL, m, m, m, m, m, NULL), AGN_ENULL, dl, "states", "NULL");
    NO(agn_signal_dlsim(&out, &p1, m, m, m, m, NULL, NULL), AGN_ENULL, dl, "u is", "NULL");
    NO(agn_signal_dlsim(&out, &p1, odd, m, m, m, m, NULL), AGN_ESHAPE, dl, "[3,2]", "order");
    NO(agn_signal_dlsim(&out, &p1, m, m, m, m, v, NULL), AGN_ESHAPE, dl, "u is [3]", "3 inputs");
    NO(agn_signal_dlsim(&out, &p1, m, m, m, m, m, four), AGN_ESHAPE, dl, "[4]", "order 3");
    NO(agn_signal_lsim(NULL, &p1, m, m, m, m, m, NULL, 1, 0), AGN_ENULL, ls, "y is", "NULL");
    NO(agn_signal_lsim(&out, NULL, m, m, m, m, m, NULL, 1, 0), AGN_ENULL, ls, "states", "NULL");
    NO(agn_signal_lsim(&out, &p1, m, m, m, m, NULL, NULL, 1, 0), AGN_ENULL, ls, "u is", "NULL");
    NO(agn_signal_lsim(&out, &p1, odd, m, m, m, m, NULL, 1, 0), AGN_ESHAPE, ls, "[3,2]", "order");
    NO(agn_signal_lsim(&out, &p1, m, m, m, m, m, four, 1, 0), AGN_ESHAPE, ls, "[4]", "order 3");
    NO(agn_signal_lsim(&out, &p1, m, m, m, m, m, NULL, 0, 0), AGN_EARG, ls, "period of 0",
       "positive");
    NO(agn_signal_lsim(&out, &p1, m, m, m, m, m, NULL, 1, 2), AGN_EARG, ls, "hold 2", "0 or 1");
    NO(agn_signal_lsim(&out, &p1, nan, m, m, m, m, NULL, 1, 0), AGN_EDOMAIN, ls, "", NULL);
    NO(agn_signal_impulse(NULL, m, m, m, m, 3, 1), AGN_ENULL, im, "out", "NULL");
    NO(agn_signal_impulse(&out, m, m, NULL, m, 3, 1), AGN_ENULL, im, "c is", "NULL");
    NO(agn_signal_impulse(&out, odd, m, m, m, 3, 1), AGN_ESHAPE, im, "[3,2]", "order");
    NO(agn_signal_impulse(&out, m, m, m, m, 0, 1), AGN_EARG, im, "0 samples", "positive");
    NO(agn_signal_impulse(&out, m, m, m, m, 3, -1), AGN_EARG, im, "period of -1", "negative");
    NO(agn_signal_impulse(&out, nan, m, m, m, 3, 1), AGN_EDOMAIN, im, "", NULL);
    NO(agn_signal_step(NULL, m, m, m, m, 3, 1), AGN_ENULL, st, "out", "NULL");
    NO(agn_signal_step(&out, m, m, NULL, m, 3, 1), AGN_ENULL, st, "c is", "NULL");
    NO(agn_signal_step(&out, odd, m, m, m, 3, 1), AGN_ESHAPE, st, "[3,2]", "order");
    NO(agn_signal_step(&out, m, m, m, m, 0, 1), AGN_EARG, st, "0 samples", "positive");
    NO(agn_signal_step(&out, m, m, m, m, 3, (double)INFINITY), AGN_EARG, st, "period of inf",
       "negative");
    NO(agn_signal_step(&out, nan, m, m, m, 3, 1), AGN_EDOMAIN, st, "", NULL);
    (void)dot;
    release_all((agn_tensor *[]){m, four, odd, nan}, 4);
}

enum {
    MAKE_ROOTS,
    MAKE_SECTIONS,
    MAKE_BAND,
    MAKE_STATE,
    MAKE_SAMPLES,
    MAKE_TIMES,
    MAKE_STEP,
    MAKE_DELAY,
    MAKE_DIVISION,
    MAKE_PRODUCTS,
    MAKES
};
typedef struct making {
    int what;
    agn_tensor *v, *m, *u;
} making;
static agn_status make(void *user, agn_tensor **y)
{
    const making *a = user;
    agn_tensor *more[3] = {NULL, NULL, NULL};
    agn_status st;
    switch (a->what) {
    case MAKE_ROOTS:
        st = agn_signal_polynomials_to_roots(y, &more[0], &more[1], a->v, a->v);
        break;
    case MAKE_SECTIONS:
        st = agn_signal_polynomials_to_sections(y, a->v, a->v);
        break;
    case MAKE_BAND:
        st = agn_signal_transform_band(y, &more[0], a->v, a->v, AGN_BAND_STOP, 1, 2);
        break;
    case MAKE_STATE:
        st = agn_signal_state_to_polynomials(y, &more[0], a->m, a->m, a->m, NULL);
        break;
    case MAKE_SAMPLES:
        st = agn_signal_discretise(y, &more[0], &more[1], &more[2], a->m, a->m, a->m, a->m, 1,
                                   AGN_HOLD_FIRST, 0);
        break;
    case MAKE_TIMES:
        st = agn_signal_lsim(y, &more[0], a->m, a->m, a->m, a->m, a->u, a->v, 0.5, AGN_HOLD_FIRST);
        break;
    case MAKE_STEP:
        st = agn_signal_step(y, a->m, a->m, a->m, a->m, 4, 0.5);
        break;
    case MAKE_DELAY:
        st = agn_signal_group_delay(y, a->v, a->v, a->v);
        break;
    case MAKE_PRODUCTS:
        st = agn_signal_residues_to_polynomials(y, &more[0], a->v, a->v, a->v);
        break;
    default:
        st = agn_signal_residues(y, &more[0], &more[1], a->u, a->v);
    }
    if (!st)
        release_all(more, 3);
    return st;
}

int main(void)
{
    static const char *const made[] = {"roots",  "sections", "a band",  "quotients", "samples",
                                       "states", "a step",   "a delay", "fractions",
                                       "products"};
    tally q = {0, 0};
    agn_tensor *v = row_of((double[]){1.5, 0.4, -0.3}, 3),
               *z = random_of(AGN_C128, 1, (int64_t[]){3}, 0.5, 1),
               *none = of_reals(AGN_F64, 1, (int64_t[]){0}, NULL), *dot = number_of(1);
    test_roots();
    test_bands();
    test_states();
    test_times();
    test_fractions();
    test_modes();
    refuse_polynomials(&q, v, z, none, dot);
    refuse_maps(&q, v, z, none, dot);
    refuse_states(&q, v, z, none, dot);
    check(&q, p1 == untouched && p2 == untouched && p3 == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
    making a = {0, v, random_of(AGN_F64, 2, (int64_t[]){3, 3}, -0.5, 0.5),
                random_of(AGN_F64, 2, (int64_t[]){3, 5}, 0.5, 1)};
    for (a.what = 0; a.what < MAKES; a.what++)
        every_allocation(make, &a, made[a.what]);
    release_all((agn_tensor *[]){v, z, none, dot, a.m, a.u}, 6);
    return done();
}
