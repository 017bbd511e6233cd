/* t-signal - windows, filters against numbers of SciPy; frames and their adjoint; short-time transforms
   against the sums they stand for, and back; derivatives in every mode; failures. */
#include "modes.h"

#include "fft/fft.h"
#include "data/signal.inc"

#define PI 3.14159265358979323846

static double apart_from(const agn_tensor *y, const double *want)
{
    double worst = 0, most = 1;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        worst = fmax(worst, fabs(peek(y, i) - want[i]));
        most = fmax(most, fabs(want[i]));
    }
    return worst / most;
}

static void test_windows(void)
{
    tally q = {0, 0};
    for (int k = 0; k < COUNT(scipy_windows); k++) {
        agn_tensor *w = NULL, *f = NULL;
        must(agn_signal_window(&w, scipy_windows[k].kind, AGN_F64, scipy_windows[k].n,
                               scipy_windows[k].n_params ? scipy_windows[k].params : NULL,
                               scipy_windows[k].n_params, scipy_windows[k].symmetric));
        double apart = apart_from(w, scipy_windows[k].want);
        check(&q, apart < (scipy_windows[k].kind == AGN_WINDOW_SLEPIAN ? 1e-10 : 2e-14),
              "window %d of %d points, symmetric %d: apart %.1e", scipy_windows[k].kind, scipy_windows[k].n,
              scipy_windows[k].symmetric, apart);
        must(agn_signal_window(&f, scipy_windows[k].kind, AGN_F32, scipy_windows[k].n,
                               scipy_windows[k].params, scipy_windows[k].n_params,
                               scipy_windows[k].symmetric));
        check(&q, agn_dtype_of(f) == AGN_F32 && peek(f, 2) == f32_of(peek(w, 2)), "in f32");
        release_all((agn_tensor *[]){w, f}, 2);
    }
    tell(&q, "SciPy's windows");
    tally e = {0, 0};
    for (int k = 0; k <= AGN_WINDOW_SLEPIAN; k++) {
        double p[] = {0.4, 1, 1};
        int n_p = k < AGN_WINDOW_EXPONENTIAL ? 0 : k == AGN_WINDOW_GENERAL_GAUSSIAN ? 2 : k == AGN_WINDOW_TAYLOR ? 3 : 1;
        if (k == AGN_WINDOW_TAYLOR)
            p[0] = 4, p[1] = 30;
        if (k == AGN_WINDOW_CHEBYSHEV)
            p[0] = 50;
        for (int n = 0; n < 3; n++) {
            agn_tensor *w = NULL;
            if (k == AGN_WINDOW_KAISER_DERIVED && n == 1)
                continue;
            must(agn_signal_window(&w, k, AGN_F64, n, p, n_p, n == 2));
            check(&e, agn_numel(w) == n, "window %d of %d", k, n);
            check(&e, n != 1 || peek(w, 0) == 1, "one point is 1");
            for (int i = 0; i < n; i++)
                check(&e, isfinite(peek(w, i)), "window %d of %d is finite", k, n);
            agn_release(w);
        }
    }
    tell(&e, "windows of 0, 1, 2 points");
}

/* ---- frames ------------------------------------------------------------------------------------ */

static void test_frames(void)
{
    static const int64_t sizes[][3] = {{20, 5, 2}, {20, 5, 5}, {20, 4, 7}, {7, 7, 3}, {9, 1, 1}, {11, 3, 1}};
    static const int dtypes[] = {AGN_F64, AGN_F32, AGN_C128, AGN_C64, AGN_I32, AGN_I64};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t n = sizes[k][0], length = sizes[k][1], hop = sizes[k][2];
                agn_tensor *x0 = random_of(dtypes[d], 2, (int64_t[]){3, n}, -9, 9);
                agn_tensor *x = laid_out(x0, l), *f = NULL, *y = NULL;
                must(agn_signal_frame(&f, x, length, hop));
                int64_t frames = (n - length) / hop + 1;
                check(&q, has_shape(f, 3, (int64_t[]){3, frames, length}), "shape %s", SHAPE_TEXT(f));
                for (int64_t r = 0; r < 3; r++)
                    for (int64_t t = 0; t < frames; t++)
                        for (int64_t i = 0; i < length; i++)
                            check(&q,
                                  peekz(f, (r * frames + t) * length + i) == peekz(x0, r * n + t * hop + i),
                                  "frame %d at %d", (int)t, (int)i);
                check(&q, agn_data(f) == agn_data(x), "a view");
                must(agn_signal_overlap_add(&y, f, hop));
                int64_t m = (frames - 1) * hop + length;
                check(&q, has_shape(y, 2, (int64_t[]){3, m}), "sums %s", SHAPE_TEXT(y));
                for (int64_t r = 0; r < 3; r++)
                    for (int64_t i = 0; i < m; i++) {
                        int times = 0;
                        for (int64_t t = 0; t < frames; t++)
                            times += i >= t * hop && i < t * hop + length;
                        check(&q, cabs(peekz(y, r * m + i) - times * peekz(x0, r * n + i)) < 1e-4,
                              "sum at %d", (int)i);
                    }
                release_all((agn_tensor *[]){x0, x, f, y}, 4);
            }
    tell(&q, "frames are views, overlap-add sums them");
}

/* ---- short-time transforms ----------------------------------------------------------------------- */

typedef agn_signal_stft_options options;

static double complex beyond(const agn_tensor *x, int64_t row, int64_t i, int64_t n, int edge)
{
    if (i < 0 || i >= n)
        switch (edge) {
        case AGN_SIGNAL_ZERO:
            return 0;
        case AGN_SIGNAL_EDGE:
            i = i < 0 ? 0 : n - 1;
            break;
        case AGN_SIGNAL_WRAP:
            i = (i % n + n) % n;
            break;
        default:
            while (n > 1 && (i < 0 || i >= n))
                i = i < 0 ? -i : 2 * (n - 1) - i;
            i = n > 1 ? i : 0;
        }
    return peekz(x, row * n + i);
}

static void test_stft(void)
{
    static const struct {
        int64_t n, n_fft, hop, win;
    } sizes[] = {{64, 16, 4, 16}, {61, 16, 5, 10}, {40, 15, 4, 15}, {40, 15, 7, 9},
                 {7, 16, 3, 16},  {50, 1, 1, 1},   {12, 12, 12, 12}, {129, 32, 8, 32}};
    tally q = {0, 0}, back = {0, 0};
    for (int k = 0; k < COUNT(sizes); k++)
        for (int edge = 0; edge <= AGN_SIGNAL_UNCENTRED; edge++)
            for (int kind = 0; kind < 8; kind++) {
                bool z = kind & 1, two = z || kind & 2, normal = kind & 4, single = k % 2;
                int64_t n = sizes[k].n, half = edge == AGN_SIGNAL_UNCENTRED ? 0 : sizes[k].n_fft / 2;
                if (n + 2 * half < sizes[k].n_fft)
                    continue;
                int dtype = z ? (single ? AGN_C64 : AGN_C128) : single ? AGN_F32 : AGN_F64;
                agn_tensor *x0 = random_of(dtype, 2, (int64_t[]){2, n}, -1, 1), *y = NULL, *b = NULL;
                agn_tensor *x = laid_out(x0, k % N_LAYOUTS);
                agn_tensor *w = random_of(AGN_F64, 1, &sizes[k].win, 0.2, 1);
                options a = {.size = sizeof a, .n_fft = sizes[k].n_fft, .hop = sizes[k].hop,
                             .win_length = sizes[k].win, .edge = edge, .two_sided = two,
                             .normalized = normal, .window = w};
                must(agn_signal_stft(&y, x, &a));
                int64_t bins = two ? a.n_fft : a.n_fft / 2 + 1, frames = 1 + (n + 2 * half - a.n_fft) / a.hop;
                check(&q, has_shape(y, 3, (int64_t[]){2, bins, frames}), "shape %s", SHAPE_TEXT(y));
                double worst = 0, scale = normal ? 1 / sqrt((double)a.n_fft) : 1;
                int64_t lead = (a.n_fft - a.win_length) / 2;
                for (int64_t r = 0; r < 2; r++)
                    for (int64_t f = 0; f < bins; f++)
                        for (int64_t t = 0; t < frames; t++) {
                            double complex sum = 0;
                            for (int64_t j = 0; j < a.win_length; j++) {
                                double turn = -2 * PI * (double)(f * (lead + j) % a.n_fft) / (double)a.n_fft;
                                sum += scale * peek(w, j) *
                                       beyond(x0, r, t * a.hop - half + lead + j, n, edge) *
                                       z_of(cos(turn), sin(turn));
                            }
                            worst = fmax(worst, cabs(sum - peekz(y, (r * bins + f) * frames + t)));
                        }
                check(&q, worst < (single ? 2e-6 : 4e-15) * (double)(a.n_fft + 4),
                      "n %d n_fft %d edge %d kind %d: off by %.1e", (int)n, (int)a.n_fft, edge, kind, worst);
                bool covered = a.win_length == a.n_fft && a.hop <= a.win_length;
                int64_t reach = (frames - 1) * a.hop + a.n_fft - half;
                int64_t length = reach < n ? reach : n;
                if (covered && length > 0) {
                    must(agn_signal_istft(&b, y, length, &a));
                    double off = 0;
                    for (int64_t r = 0; r < 2; r++)
                        for (int64_t i = 0; i < length; i++)
                            off = fmax(off, cabs(peekz(b, r * length + i) - peekz(x0, r * n + i)));
                    check(&back, off < (single ? 1e-5 : 1e-13) && agn_dtype_of(b) ==
                              (two ? (single ? AGN_C64 : AGN_C128) : dtype),
                          "back: n %d n_fft %d hop %d edge %d kind %d: off by %.1e", (int)n, (int)a.n_fft,
                          (int)a.hop, edge, kind, off);
                    agn_release(b);
                }
                release_all((agn_tensor *[]){x0, x, y, w}, 4);
            }
    tell(&q, "short-time transforms are the sums they stand for");
    tell(&back, "istft(stft(x)) = x, %" PRId64 " times", back.checks);
    /* defaults, lengths, f16, one sample, NaN */
    tally d = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){2000}, -1, 1), *y = NULL, *b = NULL, *h = NULL;
    must(agn_signal_stft(&y, x, NULL));
    check(&d, has_shape(y, 2, (int64_t[]){257, 16}), "defaults: %s", SHAPE_TEXT(y));
    must(agn_signal_istft(&b, y, 0, NULL));
    check(&d, agn_numel(b) == 15 * 128, "as far as centres reach: %d", (int)agn_numel(b));
    agn_release(b);
    must(agn_signal_istft(&b, y, 2500, NULL));
    check(&d, agn_numel(b) == 2500 && peek(b, 2400) == 0 && fabs(peek(b, 1500) - peek(x, 1500)) < 1e-14,
          "followed by zeros");
    release_all((agn_tensor *[]){y, b}, 2);
    must(agn_cast(&h, x, AGN_F16));
    must(agn_signal_stft(&y, h, NULL));
    check(&d, agn_dtype_of(y) == AGN_C64, "f16 as f32");
    release_all((agn_tensor *[]){x, y, h}, 3);
    x = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){2});
    must(agn_signal_stft(&y, x, &(options){.size = sizeof(options), .n_fft = 4, .hop = 4, .edge = AGN_SIGNAL_ZERO}));
    check(&d, has_shape(y, 2, (int64_t[]){3, 1}) && cabs(peekz(y, 1) + 2) < 1e-15, "one sample");
    release_all((agn_tensor *[]){x, y}, 2);
    x = of_reals(AGN_F64, 1, (int64_t[]){8}, (double[]){1, (double)NAN, 0, 0, 0, 0, 0, 0});
    must(agn_signal_stft(&y, x,
                         &(options){.size = sizeof(options), .n_fft = 4, .hop = 4, .edge = AGN_SIGNAL_UNCENTRED}));
    check(&d, isnan(creal(peekz(y, 0))) && peekz(y, 1) == 0, "NaN stays in its frames");
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&d, "defaults, lengths, f16, one sample, NaN");
}

/* ---- filters ---------------------------------------------------------------------------------------- */

static void test_filters(void)
{
    tally q = {0, 0};
    for (int k = 0; k < COUNT(scipy_filters); k++) {
        int64_t n = scipy_filters[k].n, nb = scipy_filters[k].nb, na = scipy_filters[k].na,
                m = (nb > na ? nb : na) - 1;
        agn_tensor *b = of_reals(AGN_F64, 1, &nb, scipy_filters[k].b),
                   *a = of_reals(AGN_F64, 1, &na, scipy_filters[k].a),
                   *x = of_reals(AGN_F64, 1, &n, scipy_filters[k].x),
                   *zi = of_reals(AGN_F64, 1, &m, scipy_filters[k].zi);
        agn_tensor *y = NULL, *yi = NULL, *zf = NULL, *back = NULL, *bt = NULL, *at = NULL, *yt = NULL;
        must(agn_signal_lfilter(&y, b, a, x));
        check(&q, apart_from(y, scipy_filters[k].y) < 1e-14, "filter %d: %.1e", k,
              apart_from(y, scipy_filters[k].y));
        must(agn_signal_lfilter_state(&yi, &zf, b, a, x, zi));
        check(&q, apart_from(yi, scipy_filters[k].yi) < 1e-14, "filter %d with a state", k);
        check(&q, agn_numel(zf) == m && apart_from(zf, scipy_filters[k].zf) < 1e-14, "state of %d: %.1e", k,
              apart_from(zf, scipy_filters[k].zf));
        release_all((agn_tensor *[]){yi, zf}, 2);
        /* in two parts, the first one shorter than the state */
        agn_tensor *head = NULL, *tail = NULL, *z1 = NULL, *z2 = NULL, *y1 = NULL, *y2 = NULL, *both = NULL;
        for (int64_t cut = 1; cut < 8; cut += 2) {
            must(agn_slice(&head, x, 1, (int64_t[]){0}, &cut, (int64_t[]){1}));
            must(agn_slice(&tail, x, 1, &cut, &n, (int64_t[]){1}));
            must(agn_signal_lfilter_state(&y1, &z1, b, a, head, NULL));
            must(agn_signal_lfilter_state(&y2, &z2, b, a, tail, z1));
            must(agn_concat(&both, (const agn_tensor *[]){y1, y2}, 2, 0));
            check(&q, apart_from(both, scipy_filters[k].y) < 1e-14, "filter %d cut at %d", k, (int)cut);
            release_all((agn_tensor *[]){head, tail, z1, z2, y1, y2, both}, 7);
        }
        must(agn_signal_filtfilt(&back, b, a, x));
        check(&q, apart_from(back, scipy_filters[k].back) < 1e-12, "filtfilt %d: %.1e", k,
              apart_from(back, scipy_filters[k].back));
        must(agn_broadcast_to(&bt, b, 2, (int64_t[]){n, nb}));
        must(agn_broadcast_to(&at, a, 2, (int64_t[]){n, na}));
        must(agn_signal_lfilter_varying(&yt, bt, at, x));
        check(&q, apart_from(yt, scipy_filters[k].y) < 1e-13, "varying %d", k);
        release_all((agn_tensor *[]){b, a, x, zi, y, back, bt, at, yt}, 9);
    }
    agn_tensor *sos = of_reals(AGN_F64, 2, (int64_t[]){5, 6}, scipy_sos),
               *x = of_reals(AGN_F64, 1, (int64_t[]){40}, scipy_sos_x), *y = NULL;
    must(agn_signal_sosfilt(&y, sos, x));
    check(&q, apart_from(y, scipy_sos_y) < 1e-13, "sections: %.1e", apart_from(y, scipy_sos_y));
    release_all((agn_tensor *[]){sos, x, y}, 3);
    /* batches broadcast: rows of filters, rows of signals; f32, complex; many taps; varying for good */
    agn_tensor *b = random_of(AGN_F32, 3, (int64_t[]){2, 1, 3}, -1, 1),
               *a = random_of(AGN_F32, 2, (int64_t[]){4, 3}, -0.3, 0.3), *ones = NULL, *a1 = NULL;
    must(agn_ones(&ones, AGN_F32, 2, (int64_t[]){4, 1}));
    must(agn_concat(&a1, (const agn_tensor *[]){ones, a}, 2, 1));
    x = random_of(AGN_C64, 2, (int64_t[]){4, 30}, -1, 1);
    must(agn_signal_lfilter(&y, b, a1, x));
    check(&q, has_shape(y, 3, (int64_t[]){2, 4, 30}) && agn_dtype_of(y) == AGN_C64, "batches");
    double worst = 0;
    for (int r = 0; r < 8; r++) {
        double complex v[30];
        for (int t = 0; t < 30; t++) {
            v[t] = 0;
            for (int j = 0; j < 3 && j <= t; j++)
                v[t] += peek(b, r / 4 * 3 + j) * peekz(x, r % 4 * 30 + t - j);
            for (int j = 1; j < 4 && j <= t; j++)
                v[t] -= peek(a1, r % 4 * 4 + j) * v[t - j];
            worst = fmax(worst, cabs(v[t] - peekz(y, r * 30 + t)));
        }
    }
    check(&q, worst < 2e-6, "each row by its own filter: %.1e", worst);
    release_all((agn_tensor *[]){b, a, a1, ones, x, y}, 6);
    b = random_of(AGN_F64, 1, (int64_t[]){40}, -1, 1);
    a = of_reals(AGN_F64, 1, (int64_t[]){1}, (double[]){2});
    x = random_of(AGN_F64, 1, (int64_t[]){100}, -1, 1);
    must(agn_signal_lfilter(&y, b, a, x));
    worst = 0;
    for (int t = 0; t < 100; t++) {
        double sum = 0;
        for (int j = 0; j < 40 && j <= t; j++)
            sum += peek(b, j) * peek(x, t - j) / 2;
        worst = fmax(worst, fabs(sum - peek(y, t)));
    }
    check(&q, worst < 1e-14, "many taps");
    release_all((agn_tensor *[]){b, a, y}, 3);
    b = random_of(AGN_F64, 2, (int64_t[]){100, 2}, -1, 1);
    a = random_of(AGN_F64, 2, (int64_t[]){100, 4}, 0.5, 0.8);
    must(agn_signal_lfilter_varying(&y, b, a, x));
    double v[100];
    worst = 0;
    for (int t = 0; t < 100; t++) {
        v[t] = peek(b, 2 * t) * peek(x, t) + (t ? peek(b, 2 * t + 1) * peek(x, t - 1) : 0);
        for (int j = 1; j < 4 && j <= t; j++)
            v[t] -= peek(a, t * 4 + j) * v[t - j];
        v[t] /= peek(a, t * 4);
        worst = fmax(worst, fabs(v[t] - peek(y, t)) / (1 + fabs(v[t])));
    }
    check(&q, worst < 1e-10, "coefficients of each time: %.1e", worst);
    release_all((agn_tensor *[]){b, a, x, y}, 4);
    tell(&q, "filters: SciPy's numbers, states, batches, coefficients of each time");
}

/* ---- densities, analytic signals ------------------------------------------------------------------ */

static double apart_from_pairs(const agn_tensor *y, const double *want)
{
    double worst = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        worst = fmax(worst, cabs(peekz(y, i) - z_of(want[2 * i], want[2 * i + 1])));
    return worst;
}

static void test_densities(void)
{
    tally q = {0, 0};
    agn_tensor *x = of_reals(AGN_F64, 1, (int64_t[]){120}, scipy_wx),
               *y = of_reals(AGN_F64, 1, (int64_t[]){120}, scipy_wy), *p = NULL;
    for (int odd = 0; odd < 2; odd++) {
        agn_signal_welch_options a = {.size = sizeof a, .length = odd ? 25 : 32, .hop = odd ? 10 : 16,
                                      .rate = 40, .spectrum = odd};
        must(agn_signal_welch(&p, x, &a));
        check(&q, apart_from(p, odd ? scipy_welch_odd : scipy_welch_even) < 1e-15, "welch %d", odd);
        agn_release(p);
        must(agn_signal_csd(&p, x, y, &a));
        check(&q, apart_from_pairs(p, odd ? scipy_csd_odd : scipy_csd_even) < 1e-15, "csd %d", odd);
        agn_release(p);
        must(agn_signal_coherence(&p, x, y, &a));
        check(&q, apart_from(p, odd ? scipy_coherence_odd : scipy_coherence_even) < 1e-13, "coherence %d", odd);
        agn_release(p);
    }
    static const struct {
        int n, m;
        const double *want;
    } of[] = {{12, 7, scipy_resample_12_7},   {12, 8, scipy_resample_12_8},   {12, 12, scipy_resample_12_12},
              {12, 13, scipy_resample_12_13}, {12, 20, scipy_resample_12_20}, {12, 21, scipy_resample_12_21},
              {13, 7, scipy_resample_13_7},   {13, 8, scipy_resample_13_8},   {13, 12, scipy_resample_13_12},
              {13, 13, scipy_resample_13_13}, {13, 20, scipy_resample_13_20}, {13, 21, scipy_resample_13_21}};
    for (int k = 0; k < COUNT(of); k++) {
        agn_tensor *part = of_reals(AGN_F64, 1, (int64_t[]){of[k].n}, scipy_wx);
        must(agn_signal_resample(&p, part, of[k].m));
        check(&q, agn_numel(p) == of[k].m && apart_from(p, of[k].want) < 1e-14, "resample %d to %d: %.1e",
              of[k].n, of[k].m, apart_from(p, of[k].want));
        agn_release(p);
        must(agn_signal_hilbert(&p, part));
        check(&q, apart_from_pairs(p, of[k].n == 12 ? scipy_hilbert_12 : scipy_hilbert_13) < 1e-14, "hilbert");
        agn_tensor *e = NULL;
        must(agn_signal_envelope(&e, part));
        for (int i = 0; i < of[k].n; i++)
            check(&q, fabs(peek(e, i) - cabs(peekz(p, i))) < 1e-15, "envelope");
        release_all((agn_tensor *[]){p, e}, 2);
        must(agn_signal_detrend(&p, part, true));
        check(&q, apart_from(p, of[k].n == 12 ? scipy_detrend_12 : scipy_detrend_13) < 1e-14, "detrend");
        agn_release(p);
        must(agn_signal_detrend(&p, part, false));
        double sum = 0;
        for (int i = 0; i < of[k].n; i++)
            sum += peek(p, i);
        check(&q, fabs(sum) < 1e-14, "without its mean");
        release_all((agn_tensor *[]){p, part}, 2);
    }
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&q, "densities, resampling, analytic signals, trends: SciPy's numbers");
}

/* ---- derivatives ---------------------------------------------------------------------------------- */

enum { STFT, ISTFT, LFILTER, STATE, VARYING, SOS, FILTFILT, COHERENCE, ANALYTIC, MODES };
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    int what = *(int *)user;
    options a = {.size = sizeof a, .n_fft = 4, .hop = 2, .win_length = 4};
    const agn_tensor *y = NULL, *one;
    agn_tensor *r = NULL, *z = NULL;
    agn_status st;
    switch (what) {
    case STFT:
        a.window = in[1];
        a.two_sided = kind_of(agn_dtype_of(in[0])) == KIND_COMPLEX;
        y = ag_signal_stft(s, ag_square(s, in[0]), &a);
        break;
    case ISTFT:
        a.window = in[1];
        a.two_sided = agn_shape(in[0])[0] == 4;
        y = ag_signal_istft(s, ag_square(s, in[0]), 0, &a);
        break;
    case LFILTER:
    case FILTFILT:
        one = ag_add_c(s, ag_mul_c(s, in[2], 0.2), 1);
        y = what == LFILTER ? ag_signal_lfilter(s, in[1], one, in[0])
                            : ag_signal_filtfilt(s, in[1], one, in[0]);
        break;
    case STATE:
        one = ag_add_c(s, ag_mul_c(s, in[2], 0.2), 1);
        if (!one)
            return agn_scope_status(s);
        st = agn_signal_lfilter_state(&r, &z, in[1], one, in[0], in[3]);
        y = agn_scope_adopt(s, st, &r);
        y = ag_concat(s, (const agn_tensor *[]){y, agn_scope_adopt(s, st, &z)}, 2, -1);
        break;
    case VARYING:
        one = ag_add_c(s, ag_mul_c(s, in[2], 0.2), 1);
        y = ag_signal_lfilter_varying(s, in[1], one, in[0]);
        break;
    case COHERENCE:
        y = ag_signal_coherence(s, in[0], in[1],
                                &(agn_signal_welch_options){.size = sizeof(agn_signal_welch_options),
                                                            .length = 4, .hop = 2, .keep_mean = true});
        break;
    case ANALYTIC:
        y = ag_signal_hilbert(s, ag_signal_resample(s, ag_signal_detrend(s, ag_square(s, in[0]), true), 7));
        break;
    default:
        one = ag_add_c(s, ag_mul_c(s, in[1], 0.1), 0.7);
        y = ag_signal_sosfilt(s, one, in[0]);
    }
    out[0] = y ? ag_mul(s, y, y) : NULL;
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"stft", "istft", "lfilter", "lfilter_state", "lfilter_varying",
                                        "sosfilt", "filtfilt", "coherence", "analytic"};
    for (int what = 0; what < MODES; what++)
        for (int z = 0; z < 2; z++) {
            if ((what == FILTFILT || what >= COHERENCE) && z)
                continue;
            int dtype = z || what == ISTFT ? AGN_C128 : AGN_F64, real = z ? AGN_C128 : AGN_F64;
            agn_tensor *x[4] = {NULL};
            int n = 3;
            switch (what) {
            case STFT:
                n = 2;
                x[0] = random_of(dtype, 2, (int64_t[]){2, 6}, -1, 1);
                x[1] = random_of(AGN_F64, 1, (int64_t[]){4}, 0.3, 1);
                break;
            case ISTFT:
                n = 2;
                x[0] = random_of(dtype, 2, (int64_t[]){z ? 4 : 3, 3}, -1, 1); /* both sides where z */
                x[1] = random_of(AGN_F64, 1, (int64_t[]){4}, 0.3, 1);
                break;
            case VARYING:
                x[0] = random_of(dtype, 1, (int64_t[]){5}, -1, 1);
                x[1] = random_of(real, 2, (int64_t[]){5, 2}, -1, 1);
                x[2] = random_of(real, 2, (int64_t[]){5, 3}, -1, 1);
                break;
            case COHERENCE:
            case ANALYTIC:
                n = what == COHERENCE ? 2 : 1;
                x[0] = random_of(AGN_F64, 1, (int64_t[]){8}, 0.5, 1);
                x[1] = random_of(AGN_F64, 1, (int64_t[]){8}, 0.5, 1);
                break;
            case SOS:
                n = 2;
                x[0] = random_of(dtype, 1, (int64_t[]){6}, -1, 1);
                x[1] = random_of(real, 2, (int64_t[]){2, 6}, -1, 1);
                break;
            default:
                n = what == STATE ? 4 : 3;
                x[0] = random_of(dtype, 1, (int64_t[]){what == FILTFILT ? 11 : 5}, -1, 1);
                x[1] = random_of(real, 1, (int64_t[]){2}, -1, 1);
                x[2] = random_of(real, 1, (int64_t[]){3}, -1, 1);
                if (n == 4)
                    x[3] = random_of(real, 1, (int64_t[]){2}, -1, 1);
            }
            agn_fn *f = NULL;
            char name[64];
            snprintf(name, sizeof name, "%s of %s", names[what], agn_dtype_name(dtype));
            must(agn_fn_new(&f, body, &what, NULL, n, 1));
            in_every_mode(f, n, (const agn_tensor *const *)x, what == COHERENCE ? 1e-3 : 1e-2, 5e-9, name);
            agn_fn_release(f);
            release_all(x, 4);
        }
}

/* ---- failures --------------------------------------------------------------------------------------- */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *other = untouched, *x = random_of(AGN_F64, 2, (int64_t[]){3, 20}, 0, 1),
               *z = random_of(AGN_C64, 1, (int64_t[]){20}, 0, 1), *zero = scalar_of(AGN_F64, 1),
               *none = random_of(AGN_F64, 2, (int64_t[]){3, 0}, 0, 1),
               *b = random_of(AGN_F64, 1, (int64_t[]){3}, 0, 1),
               *rows = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1),
               *bins = random_of(AGN_C128, 2, (int64_t[]){5, 4}, 0, 1), *wide = NULL;
    int64_t ones[32];
    for (int k = 0; k < 32; k++)
        ones[k] = k == 31 ? 9 : 1;
    wide = random_of(AGN_F64, 32, ones, 0, 1);
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
#define WINDOW(...) agn_signal_window(&out, __VA_ARGS__)
    NO(agn_signal_window(NULL, 0, AGN_F64, 3, NULL, 0, true), AGN_ENULL, "signal_window", "out", "NULL");
    NO(WINDOW(0, AGN_I32, 3, NULL, 0, true), AGN_EDTYPE, "signal_window", "i32", "f64");
    NO(WINDOW(0, AGN_F64, -3, NULL, 0, true), AGN_ESHAPE, "signal_window", "-3", "points");
    NO(WINDOW(0, AGN_F64, INT64_C(1) << 62, NULL, 0, true), AGN_ENOMEM, "signal_window", "4611686018427387904",
       "points");
    NO(WINDOW(99, AGN_F64, 3, NULL, 0, true), AGN_EARG, "signal_window", "99", "24");
    NO(WINDOW(0, AGN_F64, 3, (double[]){1}, 1, true), AGN_EARG, "signal_window", "0 parameters", "got 1");
    NO(WINDOW(AGN_WINDOW_KAISER, AGN_F64, 3, NULL, 0, true), AGN_EARG, "signal_window", "1 parameters", "got 0");
    NO(WINDOW(AGN_WINDOW_GAUSSIAN, AGN_F64, 3, (double[]){0}, 1, true), AGN_EARG, "signal_window",
       "parameter 0", "is 0");
    NO(WINDOW(AGN_WINDOW_SLEPIAN, AGN_F64, 8, (double[]){4}, 1, true), AGN_EARG, "signal_window", "band of 4",
       "8 points");
    NO(WINDOW(AGN_WINDOW_TAYLOR, AGN_F64, 8, (double[]){4.5, 30, 1}, 3, true), AGN_EARG, "signal_window",
       "4.5 side lobes", "63");
    NO(WINDOW(AGN_WINDOW_KAISER, AGN_F64, 8, (double[]){900}, 1, true), AGN_EARG, "signal_window", "900", "700");
    NO(WINDOW(AGN_WINDOW_KAISER_DERIVED, AGN_F64, 7, (double[]){4}, 1, true), AGN_EARG, "signal_window",
       "7 points", "even");
    NO(agn_signal_frame(NULL, x, 2, 1), AGN_ENULL, "signal_frame", "out", "NULL");
    NO(agn_signal_frame(&out, NULL, 2, 1), AGN_ENULL, "signal_frame", "x is", "NULL");
    NO(agn_signal_frame(&out, zero, 2, 1), AGN_ESHAPE, "signal_frame", "[]", "sample");
    NO(agn_signal_frame(&out, x, 21, 1), AGN_ESHAPE, "signal_frame", "21", "[3,20]");
    NO(agn_signal_frame(&out, x, 3, 0), AGN_ESHAPE, "signal_frame", "steps of 0", "[3,20]");
    NO(agn_signal_overlap_add(NULL, x, 2), AGN_ENULL, "signal_overlap_add", "out", "NULL");
    NO(agn_signal_overlap_add(&out, NULL, 2), AGN_ENULL, "signal_overlap_add", "x is", "NULL");
    NO(agn_signal_overlap_add(&out, z, 2), AGN_ESHAPE, "signal_overlap_add", "[20]", "frames");
    NO(agn_signal_overlap_add(&out, x, 0), AGN_ESHAPE, "signal_overlap_add", "[3,20]", "steps of 0");
#define STFT(...) agn_signal_stft(&out, x, &(options){.size = sizeof(options), __VA_ARGS__})
#define ISTFT_(...) agn_signal_istft(&out, bins, 0, &(options){.size = sizeof(options), __VA_ARGS__})
    NO(agn_signal_stft(NULL, x, NULL), AGN_ENULL, "signal_stft", "out", "NULL");
    NO(agn_signal_stft(&out, NULL, NULL), AGN_ENULL, "signal_stft", "x is", "NULL");
    NO(agn_signal_stft(&out, z, NULL), AGN_EDTYPE, "signal_stft", "c64", "both sides");
    NO(agn_signal_stft(&out, none, NULL), AGN_ESHAPE, "signal_stft", "[3,0]", "sample");
    NO(agn_signal_stft(&out, wide, &(options){.size = sizeof(options), .n_fft = 4}), AGN_ESHAPE, "signal_stft",
       "rank 32", "room");
    NO(STFT(.n_fft = 32, .edge = AGN_SIGNAL_UNCENTRED), AGN_ESHAPE, "signal_stft", "[3,20]", "32");
    NO(agn_signal_stft(&out, x, &(options){.size = 4}), AGN_EARG, "signal_stft", "4 bytes", "has");
    NO(STFT(.n_fft = -1), AGN_EARG, "signal_stft", "-1", "negative");
    NO(STFT(.hop = -2), AGN_EARG, "signal_stft", "-2", "negative");
    NO(STFT(.n_fft = 8, .win_length = 9), AGN_EARG, "signal_stft", "9", "8");
    NO(STFT(.edge = 5), AGN_EARG, "signal_stft", "5", "4");
    NO(STFT(.n_fft = 8, .window = x), AGN_ESHAPE, "signal_stft", "[3,20]", "8");
    NO(STFT(.n_fft = 20, .window = z), AGN_EDTYPE, "signal_stft", "c64", "real");
    NO(agn_signal_istft(NULL, bins, 0, NULL), AGN_ENULL, "signal_istft", "out", "NULL");
    NO(agn_signal_istft(&out, NULL, 0, NULL), AGN_ENULL, "signal_istft", "x is", "NULL");
    NO(agn_signal_istft(&out, bins, 0, NULL), AGN_ESHAPE, "signal_istft", "[5,4]", "257");
    NO(agn_signal_istft(&out, bins, -4, &(options){.size = sizeof(options), .n_fft = 8}), AGN_EARG,
       "signal_istft", "-4", "negative");
    NO(ISTFT_(.n_fft = 8, .two_sided = true), AGN_ESHAPE, "signal_istft", "[5,4]", "8");
    NO(ISTFT_(.n_fft = 8, .hop = 9), AGN_EDOMAIN, "signal_istft", "steps of 9", "uncovered");
    NO(ISTFT_(.n_fft = 8, .edge = AGN_SIGNAL_UNCENTRED), AGN_EDOMAIN, "signal_istft", "sample 0", "uncovered");
    NO(ISTFT_(.n_fft = 8, .window = b), AGN_ESHAPE, "signal_istft", "[3]", "8");
    NO(ISTFT_(.n_fft = 8, .window = z), AGN_EDTYPE, "signal_istft", "c64", "real");
    agn_tensor *single = random_of(AGN_C128, 2, (int64_t[]){5, 1}, 0, 1);
    NO(agn_signal_istft(&out, single, 0, &(options){.size = sizeof(options), .n_fft = 8}), AGN_ESHAPE,
       "signal_istft", "[5,1]", "no sample");
    agn_release(single);
    agn_status (*const f3[])(agn_tensor **, const agn_tensor *, const agn_tensor *, const agn_tensor *) = {
        agn_signal_lfilter, agn_signal_lfilter_varying, agn_signal_filtfilt};
    static const char *const n3[] = {"signal_lfilter", "signal_lfilter_varying", "signal_filtfilt"};
    for (int k = 0; k < 3; k++) {
        NO(f3[k](NULL, b, b, x), AGN_ENULL, n3[k], "out", "NULL");
        NO(f3[k](&out, NULL, b, x), AGN_ENULL, n3[k], "b is", "NULL");
        NO(f3[k](&out, b, NULL, x), AGN_ENULL, n3[k], "a is", "NULL");
        NO(f3[k](&out, b, b, NULL), AGN_ENULL, n3[k], "x is", "NULL");
        NO(f3[k](&out, b, b, none), AGN_ESHAPE, n3[k], "[3,0]", "sample");
        NO(f3[k](&out, zero, b, x), AGN_ESHAPE, n3[k], "[]", "[3]");
        NO(f3[k](&out, b, none, x), AGN_ESHAPE, n3[k], "[3,0]", "[3]");
        if (k != 1)
            NO(f3[k](&out, b, rows, x), AGN_ESHAPE, n3[k], "[3,", "[2,");
        else
            NO(f3[k](&out, b, b, x), AGN_ESHAPE, n3[k], "[3]", "20, taps");
    }
    agn_tensor *vary = random_of(AGN_F64, 2, (int64_t[]){20, 2}, 1, 2),
               *vary2 = random_of(AGN_F64, 3, (int64_t[]){2, 20, 2}, 1, 2);
    NO(agn_signal_lfilter_varying(&out, vary, vary2, x), AGN_ESHAPE, "signal_lfilter_varying", "[3,20", "[2,20");
    agn_release(vary);
    agn_release(vary2);
    agn_tensor *few = random_of(AGN_F64, 1, (int64_t[]){9}, 0, 1);
    NO(agn_signal_filtfilt(&out, b, b, few), AGN_ESHAPE, "signal_filtfilt", "[9]", "order 2");
    NO(agn_signal_lfilter_state(NULL, &other, b, b, x, NULL), AGN_ENULL, "signal_lfilter_state", "out", "NULL");
    NO(agn_signal_lfilter_state(&out, NULL, b, b, x, NULL), AGN_ENULL, "signal_lfilter_state", "final", "NULL");
    NO(agn_signal_lfilter_state(&out, &other, NULL, b, x, NULL), AGN_ENULL, "signal_lfilter_state", "b is",
       "NULL");
    NO(agn_signal_lfilter_state(&out, &other, b, b, none, NULL), AGN_ESHAPE, "signal_lfilter_state", "[3,0]",
       "sample");
    NO(agn_signal_lfilter_state(&out, &other, b, rows, x, NULL), AGN_ESHAPE, "signal_lfilter_state", "[3,20",
       "[2,");
    NO(agn_signal_lfilter_state(&out, &other, b, b, x, few), AGN_ESHAPE, "signal_lfilter_state", "[9]", "order 2");
    check(&q, other == untouched, "nothing is written");
    agn_release(few);
    NO(agn_signal_sosfilt(NULL, rows, x), AGN_ENULL, "signal_sosfilt", "out", "NULL");
    NO(agn_signal_sosfilt(&out, NULL, x), AGN_ENULL, "signal_sosfilt", "sos", "NULL");
    NO(agn_signal_sosfilt(&out, rows, x), AGN_ESHAPE, "signal_sosfilt", "[2,3]", "6");
    agn_tensor *six = random_of(AGN_F64, 3, (int64_t[]){2, 1, 6}, 1, 2);
    NO(agn_signal_sosfilt(&out, six, none), AGN_ESHAPE, "signal_sosfilt", "[3,0]", "sample");
    NO(agn_signal_sosfilt(&out, six, x), AGN_ESHAPE, "signal_sosfilt", "[3,20", "[2,");
    agn_release(six);
    agn_tensor *plain = random_of(AGN_F64, 1, (int64_t[]){20}, 0, 1);
    agn_status (*const pair[])(agn_tensor **, const agn_tensor *, const agn_tensor *,
                               const agn_signal_welch_options *) = {agn_signal_csd, agn_signal_coherence};
    for (int k = 0; k < 3; k++) {
        const char *op = k == 0 ? "signal_welch" : k == 1 ? "signal_csd" : "signal_coherence";
#define DENSITY(out, x, y, ...)                                                                             \
    (k ? pair[k - 1](out, x, y, &(agn_signal_welch_options){.size = sizeof(agn_signal_welch_options), __VA_ARGS__}) \
       : agn_signal_welch(out, x, &(agn_signal_welch_options){.size = sizeof(agn_signal_welch_options), __VA_ARGS__}))
        NO(DENSITY(NULL, plain, plain, .rate = 1), AGN_ENULL, op, "out", "NULL");
        NO(DENSITY(&out, NULL, plain, .rate = 1), AGN_ENULL, op, "x is", "NULL");
        NO(DENSITY(&out, z, z, .rate = 1), AGN_EDTYPE, op, "c64", "real");
        NO(DENSITY(&out, none, none, .rate = 1), AGN_ESHAPE, op, "[3,0]", "sample");
        NO(DENSITY(&out, plain, plain, .length = 21), AGN_ESHAPE, op, "21", "[20]");
        NO(DENSITY(&out, plain, plain, .hop = -1), AGN_ESHAPE, op, "-1", "[20]");
        NO(DENSITY(&out, plain, plain, .length = 8, .window = b), AGN_ESHAPE, op, "[3]", "8");
        NO(DENSITY(&out, plain, plain, .rate = -1), AGN_EARG, op, "rate of -1", "[20]");
        NO(k ? pair[k - 1](&out, plain, plain, &(agn_signal_welch_options){.size = 1})
             : agn_signal_welch(&out, plain, &(agn_signal_welch_options){.size = 1}),
           AGN_EARG, op, "1 bytes", "has");
        if (k) {
            NO(DENSITY(&out, plain, NULL, .rate = 1), AGN_ENULL, op, "y is", "NULL");
            NO(DENSITY(&out, plain, z, .rate = 1), AGN_EDTYPE, op, "y is c64", "real");
            NO(DENSITY(&out, plain, b, .rate = 1), AGN_ESHAPE, op, "[20]", "[3]");
        }
    }
    agn_status (*const f1[])(agn_tensor **, const agn_tensor *) = {agn_signal_hilbert, agn_signal_envelope};
    for (int k = 0; k < 2; k++) {
        const char *op = k ? "signal_envelope" : "signal_hilbert";
        NO(f1[k](NULL, x), AGN_ENULL, op, "out", "NULL");
        NO(f1[k](&out, NULL), AGN_ENULL, op, "x is", "NULL");
        NO(f1[k](&out, z), AGN_EDTYPE, op, "c64", "real");
        NO(f1[k](&out, none), AGN_ESHAPE, op, "[3,0]", "sample");
    }
    NO(agn_signal_resample(NULL, x, 3), AGN_ENULL, "signal_resample", "out", "NULL");
    NO(agn_signal_resample(&out, NULL, 3), AGN_ENULL, "signal_resample", "x is", "NULL");
    NO(agn_signal_resample(&out, z, 3), AGN_EDTYPE, "signal_resample", "c64", "real");
    NO(agn_signal_resample(&out, zero, 3), AGN_ESHAPE, "signal_resample", "[]", "sample");
    NO(agn_signal_resample(&out, x, 0), AGN_EARG, "signal_resample", "0 samples", "[3,20]");
    NO(agn_signal_detrend(NULL, x, true), AGN_ENULL, "signal_detrend", "out", "NULL");
    NO(agn_signal_detrend(&out, NULL, true), AGN_ENULL, "signal_detrend", "x is", "NULL");
    NO(agn_signal_detrend(&out, none, true), AGN_ESHAPE, "signal_detrend", "[3,0]", "sample");
    agn_release(plain);
    tell(&q, "failures: status, op, two facts, nothing written");
    release_all((agn_tensor *[]){x, z, zero, none, b, rows, bins, wide}, 8);
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_tensor **in = user;
    options a = {.size = sizeof a, .n_fft = 4};
    switch (in[2] ? 0 : in[3] ? 1 : 2) {
    case 0:
        return agn_signal_stft(out, in[0], &a);
    case 1:
        return agn_signal_filtfilt(out, in[1], in[1], in[0]);
    default:
        return agn_signal_window(out, AGN_WINDOW_SLEPIAN, AGN_F32, 9, (double[]){2}, 1, true);
    }
}

/* signals of many pieces: one side of the spectrum as part of both, the adjoint by inner products; what the
   ops refuse */
static void test_pieces(void)
{
    tally q = {0, 0};
    static const int64_t sizes[][2] = {{30, 7}, {31, 40}, {64, 16}, {1, 1}, {2, 3}};
    for (int k = 0; k < COUNT(sizes) * 2; k++) {
        int dtype = k % 2 ? AGN_F64 : AGN_F32;
        double eps = k % 2 ? 1e-13 : 1e-5, left = 0, right = 0;
        int64_t n = 9001, length = sizes[k / 2][0], hop = sizes[k / 2][1], frames = (n - length) / hop + 1;
        double *v = room_for((size_t)(2 * n) * sizeof *v);
        agn_tensor *wide = NULL, *x = NULL, *one = NULL, *both = NULL, *part = NULL, *w = NULL, *turned = NULL,
                   *back = NULL, *narrow = NULL;
        for (int64_t i = 0; i < 2 * n; i++)
            v[i] = rnd_in(-1, 1);
        wide = of_reals(AGN_F64, 2, (int64_t[]){2, n}, v);
        must(agn_cast(&x, wide, dtype));
        agn_signal_stft_options as = {.size = sizeof as, .n_fft = length, .hop = hop, .edge = AGN_SIGNAL_UNCENTRED};
        must(agn_signal_stft(&one, x, &as));
        as.two_sided = true;
        must(agn_signal_stft(&both, x, &as));
        must(agn_slice(&part, both, 2, (int64_t[]){0, 0}, (int64_t[]){2, length / 2 + 1}, (int64_t[]){1, 1}));
        check(&q, agn_numel(one) == 2 * (length / 2 + 1) * frames, "%d numbers", (int)agn_numel(one));
        for (int64_t i = 0; i < agn_numel(one); i++)
            check(&q, cabs(peekz(one, i) - peekz(part, i)) <= eps * (double)length, "length %d, number %d", (int)length,
                  (int)i);
        /* Re <stft x, stft x> with inner bins twice is <x, adjoint of it> */
        must(agn_signal_window(&w, AGN_WINDOW_HANN, dtype, length, NULL, 0, false));
        must(agn_transpose(&turned, one));
        must(agn_op_apply(&back, 1, "signal_stft_adjoint", (const agn_tensor *[]){turned, w}, 2, (int64_t[]){n, hop}, 2,
                          (double[]){1, 1}, 2));
        for (int64_t i = 0; i < agn_numel(both); i++)
            left += cabs(peekz(both, i)) * cabs(peekz(both, i));
        for (int64_t i = 0; i < 2 * n; i++)
            right += peek(x, i) * peek(back, i);
        check(&q, fabs(left - right) <= 10 * eps * fabs(left), "length %d: %g and %g", (int)length, left, right);
        agn_release(back);
        /* of all bins: |stft x|^2 is Re <x, adjoint of it> */
        agn_tensor *all_bins = NULL;
        must(agn_transpose(&all_bins, both));
        must(agn_op_apply(&back, 1, "signal_stft_both_adjoint", (const agn_tensor *[]){all_bins, w}, 2,
                          (int64_t[]){n, hop, 1}, 3, (double[]){1}, 1));
        right = 0;
        for (int64_t i = 0; i < 2 * n; i++)
            right += peek(x, i) * creal(peekz(back, i));
        check(&q, fabs(left - right) <= 10 * eps * fabs(left), "all of length %d: %g and %g", (int)length, left, right);
        agn_release(back);
        back = untouched;
        check(&q, agn_op_apply(&back, 1, "signal_stft_both_adjoint", (const agn_tensor *[]){all_bins, w}, 2,
                               (int64_t[]){n, hop, 0}, 3, (double[]){1}, 1) == AGN_EARG && back == untouched,
              "a sign of 0");
        agn_release(all_bins);
        check(&q, agn_op_apply(&back, 1, "signal_stft_adjoint", (const agn_tensor *[]){turned, w}, 2,
                               (int64_t[]){length - 1, hop}, 2, (double[]){1, 1}, 2) == AGN_ESHAPE,
              "frames do not fit");
        check(&q, agn_op_apply(&back, 1, "signal_stft", (const agn_tensor *[]){x, w}, 2, (int64_t[]){0}, 1,
                               (double[]){1, 1}, 2) == AGN_ESHAPE,
              "steps of 0");
        must(agn_cast(&narrow, w, dtype == AGN_F32 ? AGN_F64 : AGN_F32));
        check(&q, agn_op_apply(&back, 1, "signal_stft", (const agn_tensor *[]){x, narrow}, 2, &hop, 1, (double[]){1, 1},
                               2) == AGN_EDTYPE && back == untouched,
              "a window of another precision");
        agn_tensor *all[] = {wide, x, one, both, part, w, turned, narrow};
        for (int i = 0; i < COUNT(all); i++)
            agn_release(all[i]);
        free(v);
    }
    tell(&q, "short-time transforms of many pieces, their adjoint, what they refuse");
}

int main(void)
{
    test_windows();
    test_frames();
    test_stft();
    test_filters();
    test_densities();
    test_modes();
    test_failures();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){20}, -1, 1), *b = random_of(AGN_F64, 1, (int64_t[]){3}, 0.4, 1);
    agn_tensor *in[] = {x, b, x, x};
    every_allocation(make, in, "stft");
    in[2] = NULL;
    every_allocation(make, in, "filtfilt");
    in[3] = NULL;
    every_allocation(make, in, "a window");
    release_all((agn_tensor *[]){x, b}, 2);
    agni_fft_clear_plans();
    test_pieces();
    return done();
}
