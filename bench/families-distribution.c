/* bench/families-distribution.c - incomplete gamma and beta functions of a, a + 1, ... by their recurrences
   (DLMF 8.8.5, 8.17.20), in the direction in which all terms are added; quantiles by the series of the
   inverse from a point whose probability is next to the one that is asked. */
#include "bench/special-families.h"

#include <math.h>

typedef struct law { /* to one a each */
    arb_ptr lower, upper, term;
} law;

static void init_law(law *w, slong n)
{
    w->lower = _arb_vec_init(n);
    w->upper = _arb_vec_init(n);
    w->term = _arb_vec_init(n);
}
static void clear_law(law *w, slong n)
{
    _arb_vec_clear(w->lower, n);
    _arb_vec_clear(w->upper, n);
    _arb_vec_clear(w->term, n);
}
/* lower falls and upper grows with a, each by term */
static void add_terms(law *w, slong n, slong prec)
{
    for (slong i = n - 2; i >= 0; i--)
        arb_add(w->lower + i, w->lower + i + 1, w->term + i, prec);
    for (slong i = 1; i < n; i++)
        arb_add(w->upper + i, w->upper + i - 1, w->term + i - 1, prec);
}
/* P(a + i, x), Q; x^a exp(-x) / gamma(a + 1) */
static void set_gamma_law(law *w, const arb_t a, const arb_t x, slong n, slong prec)
{
    arb_t s, t;
    arb_init(s);
    arb_init(t);
    arb_log(t, x, prec);
    arb_mul(t, t, a, prec);
    arb_sub(t, t, x, prec);
    arb_add_ui(s, a, 1, prec);
    arb_lgamma(s, s, prec);
    arb_sub(t, t, s, prec);
    arb_exp(w->term, t, prec);
    for (slong i = 1; i < n; i++) {
        arb_add_si(s, a, i, prec);
        arb_mul(t, w->term + i - 1, x, prec);
        arb_div(w->term + i, t, s, prec);
    }
    arb_add_si(s, a, n - 1, prec);
    agni_set_gamma(w->lower + n - 1, s, x, false, prec);
    agni_set_gamma(w->upper, a, x, true, prec);
    add_terms(w, n, prec);
    arb_clear(s);
    arb_clear(t);
}
/* I_z(a + i, b), its complement; z^a (1 - z)^b / (a B(a, b)) */
static void set_beta_law(law *w, const arb_t a, const arb_t b, const arb_t z, slong n, slong prec)
{
    arb_t s, t, u;
    arb_init(s);
    arb_init(t);
    arb_init(u);
    arb_sub_ui(s, z, 1, prec);
    arb_neg(s, s);
    arb_log(t, s, prec);
    arb_mul(t, t, b, prec);
    arb_log(s, z, prec);
    arb_mul(s, s, a, prec);
    arb_add(t, t, s, prec);
    arb_add(s, a, b, prec);
    arb_lgamma(s, s, prec);
    arb_add(t, t, s, prec);
    arb_add_ui(s, a, 1, prec);
    arb_lgamma(s, s, prec);
    arb_sub(t, t, s, prec);
    arb_lgamma(s, b, prec);
    arb_sub(t, t, s, prec);
    arb_exp(w->term, t, prec);
    for (slong i = 1; i < n; i++) {
        arb_add_si(s, a, i, prec);
        arb_sub_ui(u, s, 1, prec);
        arb_add(u, u, b, prec);
        arb_mul(t, w->term + i - 1, z, prec);
        arb_mul(t, t, u, prec);
        arb_div(w->term + i, t, s, prec);
    }
    arb_add_si(s, a, n - 1, prec);
    agni_set_beta(w->lower + n - 1, s, b, z, false, prec);
    agni_set_beta(w->upper, a, b, z, true, prec);
    add_terms(w, n, prec);
    arb_clear(s);
    arb_clear(t);
    arb_clear(u);
}

/* the point whose value is p, from one, at, that has value; slope, and the first two derivatives of the
   slope over it: u - g u^2 / 2 + (3 g^2 - h) u^3 / 6, u = (p - value) / slope, the rest less than
   |u|^4 (|g| + 1 / at)^3 as long as that is small */
static void invert_near(arb_ptr y, const arb_t at, const arb_t value, double p, const arb_t slope,
                        const arb_t g, const arb_t h, slong prec)
{
    arb_t u, t, s, rest;
    mag_t m;
    arb_init(u);
    arb_init(t);
    arb_init(s);
    arb_init(rest);
    mag_init(m);
    arb_set_d(u, p);
    arb_sub(u, u, value, prec);
    arb_div(u, u, slope, prec);
    arb_sqr(s, g, prec);
    arb_mul_ui(s, s, 3, prec);
    arb_sub(s, s, h, prec);
    arb_div_ui(s, s, 6, prec);
    arb_mul(s, s, u, prec);
    arb_mul_2exp_si(t, g, -1);
    arb_sub(s, s, t, prec);
    arb_mul(s, s, u, prec);
    arb_add_ui(s, s, 1, prec);
    arb_mul(s, s, u, prec);
    arb_add(y, at, s, prec);
    arb_abs(rest, g);
    arb_inv(t, at, 64);
    arb_abs(t, t);
    arb_add(rest, rest, t, 64);
    arb_abs(t, u);
    arb_mul(rest, rest, t, 64); /* |u| (|g| + 1 / at) */
    if (arf_cmp_d(arb_midref(rest), 1e-3) < 0 && p > 0 && p < 1) {
        arb_pow_ui(rest, rest, 3, 64);
        arb_mul(rest, rest, t, 64);
        arb_mul_ui(rest, rest, 64, 64);
        arb_get_mag(m, rest);
        arb_add_error_mag(y, m);
    } else {
        arb_indeterminate(y);
    }
    arb_clear(u);
    arb_clear(t);
    arb_clear(s);
    arb_clear(rest);
    mag_clear(m);
}
/* p is the value, rounded, to f32 now and then */
static double set_probability(double *p, const arb_t value)
{
    bool narrow = *p == (double)(float)*p;
    *p = arf_get_d(arb_midref(value), ARF_RND_NEAR);
    if (narrow)
        *p = (double)(float)*p;
    if (!(*p >= DBL_MIN && *p < 1))
        *p = NAN; /* no argument */
    return *p;
}
/* x of P(a, x) or Q = p; term = x slope / a */
static void invert_gamma_at(arb_ptr y, const law *w, slong i, const arb_t a, const arb_t x, double *p,
                            bool upper, slong prec)
{
    arb_t slope, g, h;
    arb_init(slope);
    arb_init(g);
    arb_init(h);
    arb_mul(slope, w->term + i, a, prec);
    arb_div(slope, slope, x, prec);
    if (upper)
        arb_neg(slope, slope);
    arb_sub_ui(h, a, 1, prec);
    arb_div(h, h, x, prec);
    arb_sub_ui(g, h, 1, prec);
    arb_div(h, h, x, prec);
    arb_submul(h, g, g, prec);
    arb_neg(h, h);
    arb_srcptr value = upper ? w->upper + i : w->lower + i;
    invert_near(y, x, value, set_probability(p, value), slope, g, h, prec);
    arb_clear(slope);
    arb_clear(g);
    arb_clear(h);
}
/* ---- rows ----------------------------------------------------------------------------------- */

typedef struct shape { /* where a row has the law's a, b and x among its arguments */
    int lattice;
    double step;
} shape;

/* a and x of the incomplete gamma function from arguments */
typedef void gamma_place(arb_t a, arb_t x, const double *at, slong prec);
static void place_plain(arb_t a, arb_t x, const double *at, slong prec)
{
    (void)prec;
    arb_set_d(a, at[0]);
    arb_set_d(x, at[1]);
}
static void place_square(arb_t a, arb_t x, const double *at, slong prec)
{
    place_plain(a, x, at, prec);
    arb_mul_2exp_si(a, a, -1);
    arb_mul_2exp_si(x, x, -1);
}
static void place_poisson(arb_t a, arb_t x, const double *at, slong prec)
{
    place_plain(a, x, at, prec);
    arb_add_ui(a, a, 1, prec);
}
static void place_rate(arb_t a, arb_t x, const double *at, slong prec)
{
    arb_t r;
    arb_init(r);
    arb_set_d(r, at[0]);
    arb_set_d(a, at[1]);
    arb_set_d(x, at[2]);
    arb_mul(x, x, r, prec);
    arb_clear(r);
}
static void run_gamma(const special *f, arb_ptr y, double (*x)[MOST_ARGUMENTS], slong n, slong prec,
                      gamma_place *place, shape s, bool upper, bool log)
{
    law w;
    arb_t a, at;
    agni_set_lattice(f, x, n, s.lattice, s.step);
    arb_init(a);
    arb_init(at);
    place(a, at, x[0], prec);
    if (arb_is_positive(a) && arb_is_positive(at)) {
        init_law(&w, n);
        set_gamma_law(&w, a, at, n, prec);
        for (slong i = 0; i < n; i++)
            arb_set(y + 2 * i, upper ? w.upper + i : w.lower + i);
        for (slong i = 0; log && i < n; i++)
            arb_log(y + 2 * i, y + 2 * i, prec);
        clear_law(&w, n);
    } else {
        for (slong i = 0; i < n; i++)
            arb_indeterminate(y + 2 * i);
    }
    arb_clear(a);
    arb_clear(at);
}
#define GAMMA_FAMILY(name, place, lattice, step, upper, log) \
    FAMILY(name) \
    { \
        (void)unit; \
        run_gamma(f, y, x, n, prec, place, (shape){lattice, step}, upper, log); \
    }
GAMMA_FAMILY(chdtr, place_square, 0, 2, false, false)
GAMMA_FAMILY(chdtrc, place_square, 0, 2, true, false)
GAMMA_FAMILY(gdtr, place_rate, 1, 1, false, false)
GAMMA_FAMILY(gdtrc, place_rate, 1, 1, true, false)
GAMMA_FAMILY(pdtr, place_poisson, 0, 1, true, false)
GAMMA_FAMILY(pdtrc, place_poisson, 0, 1, false, false)
GAMMA_FAMILY(log_gammainc, place_plain, 0, 1, false, true)
GAMMA_FAMILY(log_gammaincc, place_plain, 0, 1, true, true)

/* quantiles about what is drawn for the point, in units of that of x[0]'s a: from a uniform u a (2 u)^3 */
static double draw_quantile(double a, double p)
{
    return a * 8 * p * p * p + 1e-3 * p;
}
/* probability: which argument it is; one random point serves all a */
static void run_gamma_quantiles(const special *f, arb_ptr y, double (*x)[MOST_ARGUMENTS], slong n,
                                slong prec, shape s, double less, int probability, bool upper,
                                double scale)
{
    static double point, last[MOST_ARGUMENTS];
    law w;
    arb_t a, at;
    double p = x[0][probability];
    agni_set_lattice(f, x, n, s.lattice, s.step);
    bool again = true; /* the same family, to more bits */
    for (int i = 0; i < f->n; i++)
        again = again && x[0][i] == last[i];
    double first = x[0][s.lattice] / s.step + less, middle = first + (double)(n / 2);
    if (!again)
        point = draw_quantile(p > 0.75 ? first : p < 0.1 ? first + (double)n : middle, p);
    arb_init(a);
    arb_init(at);
    arb_set_d(a, x[0][s.lattice]);
    if (s.step > 1)
        arb_mul_2exp_si(a, a, -1);
    arb_set_d(at, less);
    arb_add(a, a, at, prec);
    arb_set_d(at, point);
    init_law(&w, n);
    set_gamma_law(&w, a, at, n, prec);
    for (slong i = 0; i < n; i++) {
        invert_gamma_at(y + 2 * i, &w, i, a, at, &x[i][probability], upper, prec);
        arb_add_ui(a, a, 1, prec);
        arb_t t;
        arb_init(t);
        if (scale > 0)
            arb_set_d(t, scale);
        else
            arb_set_d(t, x[0][0]);
        if (scale > 0)
            arb_mul(y + 2 * i, y + 2 * i, t, prec);
        else
            arb_div(y + 2 * i, y + 2 * i, t, prec);
        arb_clear(t);
    }
    for (int i = 0; i < f->n; i++)
        last[i] = x[0][i];
    clear_law(&w, n);
    arb_clear(a);
    arb_clear(at);
}
#define GAMMA_QUANTILES(name, lattice, step, less, probability, upper, scale) \
    FAMILY(name) \
    { \
        (void)unit; \
        run_gamma_quantiles(f, y, x, n, prec, (shape){lattice, step}, less, probability, upper, scale); \
    }
GAMMA_QUANTILES(gammaincinv, 0, 1, 0, 1, false, 1)
GAMMA_QUANTILES(gammainccinv, 0, 1, 0, 1, true, 1)
GAMMA_QUANTILES(chdtri, 0, 2, 0, 1, true, 2)
GAMMA_QUANTILES(pdtri, 0, 1, 1, 1, true, 1)
GAMMA_QUANTILES(gdtrix, 1, 1, 0, 2, false, 0)

/* ---- by the beta function ------------------------------------------------------------------- */

FAMILY(log_betainc)
{
    (void)unit;
    law w;
    arb_t a, b, z;
    agni_set_lattice(f, x, n, 0, 1);
    arb_init(a);
    arb_init(b);
    arb_init(z);
    arb_set_d(a, x[0][0]);
    arb_set_d(b, x[0][1]);
    arb_set_d(z, x[0][2]);
    bool inside = x[0][0] > 0 && x[0][1] > 0 && x[0][2] > 0 && x[0][2] < 1;
    init_law(&w, n);
    if (inside)
        set_beta_law(&w, a, b, z, n, prec);
    for (slong i = 0; i < n; i++)
        if (inside)
            arb_log(y + 2 * i, w.lower + i, prec);
        else
            arb_indeterminate(y + 2 * i);
    clear_law(&w, n);
    arb_clear(a);
    arb_clear(b);
    arb_clear(z);
}
