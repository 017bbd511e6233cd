/* distribution/cpu/density.c - sums of log densities with their slopes in every argument, written
   out (Johnson, Kotz & Balakrishnan 1994; Johnson, Kemp & Kotz 2005), compiled once per CPU level.
   Blocks of numbers, whole vectors: the lanes behind the last number repeat it. Outside of the
   support a log density is -infinity and its slopes are 0. */
#include "distribution/cpu/density.h"

#include "tensor/cpu/simd/level_functions.h"
#include "tensor/cpu/special/special.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 128, ARGS = AGNI_DENSITY_ARGS, L = AGNI_L_F64 };
#define LOG_SQRT_2PI 0.91893853320467274178
#define LOG_2_PI -0.45158270528945486473 /* log(2 / pi) */

typedef struct block {
    int64_t n; /* a multiple of L */
    const agni_density_row *row;
    _Alignas(64) double v[BLOCK], x[ARGS][BLOCK], d[ARGS][BLOCK]; /* densities, arguments, slopes */
} block;

#define MAP(f, y, x, n) AGNI_LV(agni_simd_map_##f##_f64)(y, x, n)
#define EACH(i) for (int64_t i = 0; !i || i < b->n; i += L) /* there is one vector at least */
#define X(k) agni_load_f64(b->x[k] + i)
#define GIVE(p, value) agni_store_f64((p) + i, value)
#define ALL(number) agni_splat_f64(number)
#define NONE ALL(-(double)INFINITY)
#define ZERO ALL(0)

/* v and slopes where a number is outside of the support */
static inline void store_density(block *b, int64_t i, vi64 out, vf64 v)
{
    GIVE(b->v, agni_select_f64(out, NONE, v));
}
static inline void store_slope(block *b, int k, int64_t i, vi64 out, vf64 d)
{
    GIVE(b->d[k], agni_select_f64(out, ZERO, d));
}
static inline vi64 is_infinite(vf64 x) { return (x > DBL_MAX) | (x < -DBL_MAX); }
static inline vi64 is_off_half_line(vf64 x) { return (x < 0) | (x > DBL_MAX); }
static inline vi64 is_off_counts(vf64 k)
{
    return is_off_half_line(k) | (((k + 0x1p52) - 0x1p52 != k) & (k < 0x1p52));
}
/* NaN where it overflows */
static inline vf64 invert_scale(vf64 scale)
{
    return agni_select_f64(scale < DBL_MIN, ALL((double)NAN), 1 / scale);
}
/* that of argument k, once if that is one for all */
static inline void invert_argument(block *b, int k, double *by)
{
    const int64_t n = b->row->one[k] ? L : b->n;
    for (int64_t i = 0; !i || i < n; i += L)
        GIVE(by, invert_scale(X(k)));
    for (int64_t i = L; b->row->one[k] && i < b->n; i += L)
        GIVE(by, agni_load_f64(by));
}
#define AT(p) agni_load_f64((p) + i)
/* the last lanes of the last vector are no numbers */
static inline double sum_of(const double *x, int64_t n)
{
    vi64 lane;
    for (int l = 0; l < L; l++)
        lane[l] = l;
    vf64 t = {0};
    int64_t i = 0;
    for (; i + L <= n; i += L)
        t += agni_load_f64(x + i);
    if (i < n)
        t += agni_select_f64(lane < n - i, agni_load_f64(x + i), ALL(0));
    return agni_hsum_f64(t);
}

/* ---- laws of real numbers ------------------------------------------------------------------- */

static void normal_density(block *b)
{
    double inverses[BLOCK];
    invert_argument(b, 2, inverses);
    EACH(i) {
        vf64 x = X(0), by = AT(inverses), z = (x - X(1)) * by, q = z * by;
        vi64 out = is_infinite(x);
        store_density(b, i, out, -0.5 * (z * z) - (X(3) + LOG_SQRT_2PI));
        store_slope(b, 0, i, out, -q);
        store_slope(b, 1, i, out, q);
        store_slope(b, 2, i, out, z * q - by);
    }
}

/* by the larger one of x and scale, as squares overflow */
static void half_cauchy_density(block *b)
{
    double h[BLOCK];
    EACH(i) {
        vf64 x = X(0), s = X(1);
        vf64 top = agni_select_f64(x > s, x, s), low = agni_select_f64(x > s, s, x);
        vf64 q = low / top, more = 1 + q * q, r = 1 / (top * more);
        vf64 up = agni_select_f64(x > s, ALL(1), q), down = agni_select_f64(x > s, q, ALL(1));
        vi64 out = is_off_half_line(x);
        GIVE(h, top * agni_sqrt_f64(more));
        store_slope(b, 0, i, out, -2 * (up * r));
        store_slope(b, 1, i, out, invert_scale(s) - 2 * (down * r));
    }
    MAP(log, h, h, b->n);
    EACH(i) {
        vf64 v = (X(2) + LOG_2_PI) - 2 * AT(h);
        store_density(b, i, is_off_half_line(X(0)), v);
    }
}

static void uniform_density(block *b)
{
    EACH(i) {
        vf64 x = X(0), by = 1 / (X(2) - X(1));
        vi64 out = (x < X(1)) | (x > X(2)) | is_infinite(x);
        store_density(b, i, out, 0 * x - X(3));
        store_slope(b, 0, i, out, ZERO);
        store_slope(b, 1, i, out, by);
        store_slope(b, 2, i, out, -by);
    }
}

static void exponential_density(block *b)
{
    EACH(i) {
        vf64 x = X(0), rate = X(1);
        vi64 out = is_off_half_line(x);
        store_density(b, i, out, X(2) - rate * x);
        store_slope(b, 0, i, out, -rate);
        store_slope(b, 1, i, out, invert_scale(rate) - x);
    }
}

/* log(1 + w^2) of w = z / sqrt(df), by log |w| where the square overflows; X(5): 1 / sqrt(df) */
static void student_t_density(block *b)
{
    double w[BLOCK], square[BLOCK], far[BLOCK], inverses[BLOCK];
    bool any = false;
    invert_argument(b, 3, inverses);
    EACH(i) {
        vf64 y = (X(0) - X(2)) * AT(inverses) * X(5);
        GIVE(w, y);
        GIVE(square, y * y);
        any |= agni_any_f64(y * y > DBL_MAX);
    }
    MAP(log1p, far, square, b->n);
    for (int64_t i = 0; any && i < b->n; i++)
        far[i] = square[i] > DBL_MAX ? 2 * log(fabs(w[i])) : far[i];
    EACH(i) {
        vf64 x = X(0), more = X(1) + 1, by = AT(inverses), y = AT(w), y2 = AT(square);
        vi64 out = is_infinite(x), large = y2 > DBL_MAX;
        vf64 c = 1 / agni_select_f64(large, y, 1 + y2);
        vf64 g = agni_select_f64(large, c, y * c), share = agni_select_f64(large, ALL(1), y2 * c);
        vf64 q = more * g * (by * X(5));
        store_density(b, i, out, X(4) - 0.5 * more * AT(far));
        store_slope(b, 0, i, out, -q);
        store_slope(b, 2, i, out, q);
        store_slope(b, 3, i, out, (more * share - 1) * by);
    }
}

/* ---- laws by the gamma function ------------------------------------------------------------- */

/* numbers x of shapes a and rates r; lg: log gamma(a) below 8, and where whole what Stirling's
   series leaves of it from there on; log_r: NULL where r is 1 */
typedef struct gamma_numbers {
    const double *x, *a, *r, *lg, *log_r;
    bool one_shape, whole;
    vi64 (*outside)(block *b, int64_t i);
    int dx, da, dr; /* arguments whose slopes they are; -1 for none */
} gamma_numbers;

/* With t = r x: below shape 8 as it stands; from there on a log a of Stirling's series meets a
   log t as log1p(e) - e, e = (t - a) / a (DiDonato & Morris 1992, 8), and in the slope log a meets
   digamma(a). */
static void write_gamma_density(block *b, const gamma_numbers *g)
{
    static const double stirling[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                      1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400,
                                      43867.0 / 244188, -174611.0 / 125400};
    static const double digamma[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                     1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
    enum {
        STIRLING = sizeof stirling / sizeof *stirling,
        DIGAMMA = sizeof digamma / sizeof *digamma
    };
    double u[BLOCK], e[BLOCK], l[BLOCK], near[BLOCK], log_a[BLOCK], slope_a[BLOCK];
    bool large = false, any_near = false, any_lost = false;
    const int64_t n = b->n, shapes = g->one_shape ? 1 : n;
    for (int64_t i = 0; i < shapes; i++)
        large |= g->a[i] >= 8;
    EACH(i) {
        vf64 a = AT(g->a), t = AT(g->r) * AT(g->x);
        GIVE(u, t);
        if (large) {
            vf64 y = (t - a) / a;
            vi64 far = a >= 8;
            GIVE(e, y);
            GIVE(u, agni_select_f64(far, t / a, t));
            any_near |= agni_any_f64(far & (agni_abs_f64(y) < 0.5));
        }
        any_lost |= agni_any_f64((AT(u) < DBL_MIN) | (AT(u) > DBL_MAX));
    }
    MAP(log, l, u, n);
    if (any_near) {
        MAP(log1p, near, e, n);
        EACH(i) {
            vi64 close = (AT(g->a) >= 8) & (agni_abs_f64(AT(e)) < 0.5);
            GIVE(l, agni_select_f64(close, AT(near), AT(l)));
        }
    }
    for (int64_t i = 0; any_lost && i < n; i++) /* the product has lost its digits */
        if ((u[i] < DBL_MIN || u[i] > DBL_MAX) && g->x[i] > 0 && g->r[i] > 0)
            l[i] = log(g->r[i]) + log(g->x[i]) - (g->a[i] >= 8 ? log(g->a[i]) : 0);
    if (large && !g->whole)
        MAP(log, log_a, g->a, n);
    for (int64_t i = 0; g->da >= 0 && i < shapes; i++)
        slope_a[i] = g->a[i] >= 8 ? 0 : -agni_digamma(g->a[i]);
    for (int64_t i = 1; g->da >= 0 && g->one_shape && i < n; i++)
        slope_a[i] = slope_a[0];
    EACH(i) {
        vf64 a = AT(g->a), r = AT(g->r), x = AT(g->x), t = r * x, log_t = AT(l);
        vi64 out = g->outside(b, i), flat = a == 1, far = a >= 8;
        vf64 y = (agni_select_f64(flat, ZERO, (a - 1) * log_t) - t) - AT(g->lg);
        vf64 dx = agni_select_f64(flat, ZERO, (a - 1) / x) - r;
        vf64 da = g->da >= 0 ? log_t + AT(slope_a) : ZERO;
        if (large) {
            vf64 rest = AT(g->lg);
            if (!g->whole) {
                vf64 q = 1 / a, q2 = q * q;
                rest = (0.5 * AT(log_a) + LOG_SQRT_2PI) + agni_poly_f64(q2, stirling, STIRLING) * q;
                vf64 lost = 0.5 * q + agni_poly_f64(q2, digamma, DIGAMMA) * q2;
                da += agni_select_f64(far, lost, ZERO);
            }
            y = agni_select_f64(far, ((a - 1) * log_t - a * AT(e)) - rest, y);
            dx = agni_select_f64(far & (t <= DBL_MAX), ((a - 1) - t) / x, dx);
        }
        store_density(b, i, out, g->log_r ? y + AT(g->log_r) : y);
        store_slope(b, g->dx, i, out, dx);
        if (g->da >= 0)
            store_slope(b, g->da, i, out, da);
        if (g->dr >= 0)
            store_slope(b, g->dr, i, out, agni_select_f64(t > DBL_MAX, a / r - x, (a - t) / r));
    }
}

static vi64 is_negative(block *b, int64_t i) { return is_off_half_line(X(0)); }
static vi64 is_no_count(block *b, int64_t i) { return is_off_counts(X(0)); }

static void gamma_density(block *b)
{
    const gamma_numbers g = {.x = b->x[0],
                             .a = b->x[1],
                             .r = b->x[2],
                             .lg = b->x[3],
                             .log_r = b->x[4],
                             .one_shape = b->row->one[1],
                             .outside = is_negative,
                             .dx = 0,
                             .da = b->row->slope[1] ? 1 : -1,
                             .dr = b->row->slope[2] ? 2 : -1};
    write_gamma_density(b, &g);
}
/* The density at the rate of the gamma law of shape k + 1 and rate 1. */
static void poisson_density(block *b)
{
    double a[BLOCK], unit[BLOCK];
    EACH(i) {
        GIVE(a, X(0) + 1);
        GIVE(unit, ALL(1));
    }
    const gamma_numbers g = {.x = b->x[1],
                             .a = a,
                             .r = unit,
                             .lg = b->x[2],
                             .whole = true,
                             .outside = is_no_count,
                             .dx = 1,
                             .da = -1,
                             .dr = -1};
    write_gamma_density(b, &g);
}

/* -log p and -log(1 - p) of the logit are softplus of it and of its opposite: both of
   exp(-|logit|) */
static void binomial_logits_density(block *b)
{
    double e[BLOCK], l[BLOCK];
    EACH(i) GIVE(e, -agni_abs_f64(X(2)));
    MAP(exp, e, e, b->n);
    MAP(log1p, l, e, b->n);
    EACH(i) {
        vf64 k = X(0), rest = X(1) - k, logit = X(2), high = 1 / (1 + AT(e)), low = AT(e) * high;
        vf64 less = AT(l), more = agni_abs_f64(logit) + less;
        vi64 out = is_off_counts(k) | (k > X(1)), up = logit >= 0;
        vf64 loss = k * agni_select_f64(up, less, more) + rest * agni_select_f64(up, more, less);
        store_density(b, i, out, X(3) - loss);
        vf64 missed = agni_select_f64(up, low, high), hit = agni_select_f64(up, high, low);
        store_slope(b, 2, i, out, k * missed - rest * hit);
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void (*const laws[AGNI_DENSITIES])(block *b) = {
    [AGNI_DENSITY_NORMAL] = normal_density,
    [AGNI_DENSITY_HALF_CAUCHY] = half_cauchy_density,
    [AGNI_DENSITY_UNIFORM] = uniform_density,
    [AGNI_DENSITY_EXPONENTIAL] = exponential_density,
    [AGNI_DENSITY_GAMMA] = gamma_density,
    [AGNI_DENSITY_POISSON] = poisson_density,
    [AGNI_DENSITY_STUDENT_T] = student_t_density,
    [AGNI_DENSITY_BINOMIAL_LOGITS] = binomial_logits_density,
};

/* n numbers at from, or one for all, as whole vectors */
static inline void load_block(double *to, const double *from, bool one, int64_t n)
{
    int64_t i = 0;
    for (; one && i < n; i += L)
        agni_store_f64(to + i, ALL(*from));
    for (; i + L <= n; i += L)
        agni_store_f64(to + i, agni_load_f64(from + i));
    if (i < n)
        agni_store_f64(to + i, agni_load_part_f64(from + i, n - i));
}
/* n slopes */
static inline void give_slopes(double *to, const double *d, int64_t n)
{
    int64_t i = 0;
    for (; i + L <= n; i += L)
        agni_store_f64(to + i, agni_load_f64(d + i));
    if (i < n)
        agni_store_part_f64(to + i, agni_load_f64(d + i), n - i);
}

/* a row of one number, as most priors are */
static void run_number(const agni_density_row *r)
{
    block b;
    b.row = r;
    b.n = L;
    for (int k = 0; k < r->args; k++)
        agni_store_f64(b.x[k], ALL(*r->x[k]));
    laws[r->law](&b);
    *r->sum = *b.v;
    for (int k = 0; k < r->args; k++)
        if (r->slope[k])
            *r->slope[k] = *b.d[k];
}

static void sum_row(const agni_density_row *r)
{
    if (r->n == 1) {
        run_number(r);
        return;
    }
    block b;
    double sum = 0, slopes[ARGS] = {0};
    b.row = r;
    for (int64_t at = 0; at < r->n; at += BLOCK) {
        const int64_t n = r->n - at < BLOCK ? r->n - at : BLOCK;
        b.n = (n + L - 1) / L * L;
        for (int k = 0; k < r->args; k++)
            if (!r->one[k] || !at)
                load_block(b.x[k], r->x[k] + (r->one[k] ? 0 : at), r->one[k], n);
        laws[r->law](&b);
        sum += sum_of(b.v, n);
        for (int k = 0; k < r->args; k++)
            if (r->slope[k] && r->one[k])
                slopes[k] += sum_of(b.d[k], n);
            else if (r->slope[k])
                give_slopes(r->slope[k] + at, b.d[k], n);
    }
    *r->sum = sum;
    for (int k = 0; k < r->args; k++)
        if (r->slope[k] && r->one[k])
            *r->slope[k] = slopes[k];
}

const agni_vdensity AGNI_LV(agni_vdensity) = {.sum_row = sum_row};
