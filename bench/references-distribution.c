/* bench/references-distribution.c - values of distribution functions by incomplete gamma and beta
   functions (DLMF 8), their logarithms and quantiles: of these, one Newton step from what was
   found. */
#include "bench/special-references.h"

#include <math.h>

/* ---- series of positive terms, whose quotients fall: the rest is at most term r / (1 - r) ----- */

/* sum of products of (p + n) z / (q + n), or of z / (q + n) where p is NULL; p, q, z above 0: these
   quotients fall, or rise to z */
static void sum_quotients(arb_t y, arb_srcptr p, const arb_t q, const arb_t z, slong prec)
{
    arb_t term, r, u, most;
    mag_t rest;
    arb_init(term);
    arb_init(r);
    arb_init(u);
    arb_init(most);
    mag_init(rest);
    arb_one(y);
    arb_one(term);
    bool done = false;
    for (slong n = 0; !done && n < 300000; n++) {
        if (p) {
            arb_add_si(r, p, n, prec);
            arb_mul(r, r, z, prec);
        } else {
            arb_set(r, z);
        }
        arb_add_si(u, q, n, prec);
        arb_div(r, r, u, prec);
        arb_mul(term, term, r, prec);
        arb_add(y, y, term, prec);
        if (n % 8 != 7)
            continue;
        if (p)
            arb_max(most, r, z, 64);
        else
            arb_set(most, r);
        arb_sub_ui(u, most, 1, 64);
        arb_neg(u, u);
        if (!arb_is_positive(u))
            continue;
        arb_div(u, most, u, 64); /* the rest is at most term r / (1 - r) */
        arb_mul(u, u, term, 64);
        arb_get_mag(rest, u);
        arb_mul_2exp_si(u, u, prec);
        done = arb_lt(u, y);
    }
    if (done)
        arb_add_error_mag(y, rest);
    else
        arb_indeterminate(y);
    arb_clear(term);
    arb_clear(r);
    arb_clear(u);
    arb_clear(most);
    mag_clear(rest);
}
/* z^a (1 - z)^b / (a B(a, b)) F(a + b, 1; a + 1; z) (DLMF 8.17.8) */
static void add_up_beta(arb_t y, const arb_t a, const arb_t b, const arb_t z, const arb_t w,
                        slong prec)
{
    arb_t p, q, t;
    arb_init(p);
    arb_init(q);
    arb_init(t);
    arb_add(p, a, b, prec);
    arb_add_ui(q, a, 1, prec);
    sum_quotients(y, p, q, z, prec);
    arb_pow(t, z, a, prec);
    arb_mul(y, y, t, prec);
    arb_pow(t, w, b, prec);
    arb_mul(y, y, t, prec);
    arb_lgamma(t, p, prec);
    arb_lgamma(p, q, prec);
    arb_sub(t, t, p, prec);
    arb_lgamma(p, b, prec);
    arb_sub(t, t, p, prec);
    arb_exp(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_clear(p);
    arb_clear(q);
    arb_clear(t);
}
static void one_minus(arb_t y, const arb_t x, slong prec)
{
    arb_sub_ui(y, x, 1, prec);
    arb_neg(y, y);
}
/* about how many terms the series has */
static double count_terms(const arb_t a, const arb_t b, const arb_t z, const arb_t w)
{
    double p = arf_get_d(arb_midref(a), ARF_RND_NEAR), q = arf_get_d(arb_midref(b), ARF_RND_NEAR),
           x = arf_get_d(arb_midref(z), ARF_RND_NEAR), rest = arf_get_d(arb_midref(w), ARF_RND_NEAR);
    return (fmax(0, (p + q) * x - p - 1) + 100) / fmax(rest, 1e-300);
}
/* I_z(a, b); I_(1 - z)(b, a); from the side where the series is short: that of the smaller part,
   where it is not far longer */
void agni_set_beta(arb_t y, const arb_t a, const arb_t b, const arb_t z, bool upper, slong prec)
{
    arb_t w, m;
    arb_init(w);
    arb_init(m);
    one_minus(w, z, prec);
    if (arb_is_negative(a) || arb_is_negative(b) || arb_is_negative(z) || arb_is_negative(w)) {
        arb_indeterminate(y);
    } else if (arb_is_zero(a) || arb_is_zero(w)) { /* limits, where they are one */
        if (arb_is_zero(b) || arb_is_zero(z))
            arb_indeterminate(y);
        else
            arb_set_si(y, !upper);
    } else if (arb_is_zero(b) || arb_is_zero(z)) {
        arb_set_si(y, upper);
    } else {
        arb_add(m, a, b, prec);
        arb_div(m, a, m, prec); /* the mean */
        double near = count_terms(a, b, z, w), far = count_terms(b, a, w, z);
        bool left = arf_cmp(arb_midref(z), arb_midref(m)) < 0 ? near < 8 * far : 8 * near < far;
        if (fmin(near, far) > 1e5)
            arb_indeterminate(y);
        else if (left)
            add_up_beta(y, a, b, z, w, prec);
        else
            add_up_beta(y, b, a, w, z, prec);
        if (left == upper)
            one_minus(y, y, prec);
    }
    arb_clear(w);
    arb_clear(m);
}
/* Q(a, x) for x > a >= 1: Q(f, x), f = a - n in (0, 1], and x^(a - 1) exp(-x) / gamma(a) times the
   sum of the falling products (a - 1) ... (a - k) / x^k (DLMF 8.8.10), whose rest is below that of a
   geometric series */
static void add_up_gamma(arb_t y, const arb_t a, const arb_t x, slong prec)
{
    arb_t f, term, sum, r;
    slong n = (slong)ceil(arf_get_d(arb_midref(a), ARF_RND_NEAR)) - 1, k;
    arb_init(f);
    arb_init(term);
    arb_init(sum);
    arb_init(r);
    arb_one(term);
    arb_zero(sum);
    bool done = false;
    for (k = 1; k <= n && !done; k++) {
        arb_add(sum, sum, term, prec);
        arb_sub_si(r, a, k, prec);
        arb_div(r, r, x, prec);
        arb_mul(term, term, r, prec);
        arb_sub_ui(f, r, 1, 64); /* the rest is at most term / (1 - r), of it all less than Q(f, x) */
        arb_neg(f, f);
        arb_div(f, term, f, 64);
        arb_mul_2exp_si(f, f, prec);
        done = k % 8 == 0 && arb_is_positive(f) && arb_lt(f, sum);
    }
    if (done) {
        arb_mul_2exp_si(f, f, -prec + 1);
        mag_t rest;
        mag_init(rest);
        arb_get_mag(rest, f);
        arb_add_error_mag(sum, rest);
        mag_clear(rest);
    }
    arb_log(r, x, prec);
    arb_sub_ui(f, a, 1, prec);
    arb_mul(r, r, f, prec);
    arb_sub(r, r, x, prec);
    arb_lgamma(f, a, prec);
    arb_sub(r, r, f, prec);
    arb_exp(r, r, prec);
    arb_mul(y, sum, r, prec);
    if (!done) {
        arb_sub_si(f, a, n, prec);
        arb_hypgeom_gamma_upper(r, f, x, 1, prec);
        arb_add(y, y, r, prec);
    }
    arb_clear(f);
    arb_clear(term);
    arb_clear(sum);
    arb_clear(r);
}
/* P = x^a exp(-x) / gamma(a + 1) M(1, a + 1, x) (DLMF 8.5.1), Q its complement */
void agni_set_gamma(arb_t y, const arb_t a, const arb_t x, bool upper, slong prec)
{
    arb_t t, q;
    if (!arb_is_positive(a) || arb_is_negative(x) || arf_cmp_d(arb_midref(x), 1e5) > 0) {
        if (upper)
            arb_hypgeom_gamma_upper(y, a, x, 1, prec);
        else
            arb_hypgeom_gamma_lower(y, a, x, 1, prec);
        return;
    }
    if (arb_is_zero(x)) {
        arb_set_si(y, upper);
        return;
    }
    if (arf_cmp(arb_midref(x), arb_midref(a)) > 0 && arf_cmp_si(arb_midref(a), 1) >= 0) {
        add_up_gamma(y, a, x, prec);
        if (!upper)
            one_minus(y, y, prec);
        return;
    }
    arb_init(t);
    arb_init(q);
    arb_add_ui(q, a, 1, prec);
    sum_quotients(y, NULL, q, x, prec);
    arb_log(t, x, prec);
    arb_mul(t, t, a, prec);
    arb_sub(t, t, x, prec);
    arb_lgamma(q, q, prec);
    arb_sub(t, t, q, prec);
    arb_exp(t, t, prec);
    arb_mul(y, y, t, prec);
    if (upper)
        one_minus(y, y, prec);
    arb_clear(t);
    arb_clear(q);
}
/* x^(a - 1) exp(-x) / gamma(a) */
static void set_gamma_density(arb_t y, const arb_t a, const arb_t x, slong prec)
{
    arb_t t;
    arb_init(t);
    arb_sub_ui(t, a, 1, prec);
    arb_pow(y, x, t, prec);
    arb_neg(t, x);
    arb_exp(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_rgamma(t, a, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
}
/* z^(a - 1) (1 - z)^(b - 1) / B(a, b) */
static void set_beta_density(arb_t y, const arb_t a, const arb_t b, const arb_t z, slong prec)
{
    arb_t t, w;
    arb_init(t);
    arb_init(w);
    arb_sub_ui(t, a, 1, prec);
    arb_pow(y, z, t, prec);
    arb_sub_ui(w, z, 1, prec);
    arb_neg(w, w);
    arb_sub_ui(t, b, 1, prec);
    arb_pow(w, w, t, prec);
    arb_mul(y, y, w, prec);
    arb_add(t, a, b, prec);
    arb_gamma(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_rgamma(t, a, prec);
    arb_mul(y, y, t, prec);
    arb_rgamma(t, b, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
    arb_clear(w);
}
/* found - (value - p) / slope, where that is next to it; else nothing near */
static void step_from(arb_ptr y, const arb_t found, const arb_t value, const arb_t p,
                      const arb_t slope, slong prec)
{
    arb_t t;
    if (arb_is_zero(p) || arb_is_one(p)) { /* an end of the range, found as it is */
        arb_indeterminate(y);
        return;
    }
    arb_init(t);
    arb_sub(t, value, p, prec);
    arb_div(t, t, slope, prec);
    arb_sub(y, found, t, prec);
    arb_clear(t);
}

VALUE(chdtr)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    for (int i = 0; i < 2; i++)
        arb_mul_2exp_si(t + i, x + i, -1);
    agni_set_gamma(y, t, t + 1, false, prec);
    _arb_vec_clear(t, 2);
}
VALUE(chdtrc)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    for (int i = 0; i < 2; i++)
        arb_mul_2exp_si(t + i, x + i, -1);
    agni_set_gamma(y, t, t + 1, true, prec);
    _arb_vec_clear(t, 2);
}
VALUE(pdtr)
{
    UNUSED_K;
    arb_t a;
    arb_init(a);
    arb_add_ui(a, x, 1, prec);
    agni_set_gamma(y, a, x + 1, true, prec);
    arb_clear(a);
}
VALUE(pdtrc)
{
    UNUSED_K;
    arb_t a;
    arb_init(a);
    arb_add_ui(a, x, 1, prec);
    agni_set_gamma(y, a, x + 1, false, prec);
    arb_clear(a);
}
VALUE(gdtr)
{
    UNUSED_K;
    arb_t a;
    arb_init(a);
    arb_mul(a, x, x + 2, prec);
    agni_set_gamma(y, x + 1, a, false, prec);
    arb_clear(a);
}
VALUE(gdtrc)
{
    UNUSED_K;
    arb_t a;
    arb_init(a);
    arb_mul(a, x, x + 2, prec);
    agni_set_gamma(y, x + 1, a, true, prec);
    arb_clear(a);
}
VALUE(log_gammainc)
{
    UNUSED_K;
    agni_set_gamma(y, x, x + 1, false, prec);
    arb_log(y, y, prec);
}
VALUE(log_gammaincc)
{
    UNUSED_K;
    agni_set_gamma(y, x, x + 1, true, prec);
    arb_log(y, y, prec);
}
VALUE(betaincc)
{
    UNUSED_K;
    agni_set_beta(y, x, x + 1, x + 2, true, prec);
}
VALUE(log_betainc)
{
    UNUSED_K;
    agni_set_beta(y, x, x + 1, x + 2, false, prec);
    arb_log(y, y, prec);
}
VALUE(log_betaincc)
{
    UNUSED_K;
    agni_set_beta(y, x, x + 1, x + 2, true, prec);
    arb_log(y, y, prec);
}

/* x with P(scale_a a, x / width) or Q = p */
static void invert_gamma(arb_ptr y, const arb_t a, const arb_t p, const arb_t found, bool upper,
                         slong prec)
{
    arb_t f, g;
    arb_init(f);
    arb_init(g);
    agni_set_gamma(f, a, found, upper, prec);
    set_gamma_density(g, a, found, prec);
    if (upper)
        arb_neg(g, g);
    step_from(y, found, f, p, g, prec);
    arb_clear(f);
    arb_clear(g);
}
VALUE(gammaincinv)
{
    UNUSED_K;
    invert_gamma(y, x, x + 1, x + 2, false, prec);
}
VALUE(gammainccinv)
{
    UNUSED_K;
    invert_gamma(y, x, x + 1, x + 2, true, prec);
}
VALUE(pdtri) /* the mean m with Q(k + 1, m) = p */
{
    arb_t a;
    UNUSED_K;
    arb_init(a);
    arb_add_ui(a, x, 1, prec);
    invert_gamma(y, a, x + 1, x + 2, true, prec);
    arb_clear(a);
}
VALUE(chdtri)
{
    arb_t a, h;
    UNUSED_K;
    arb_init(a);
    arb_init(h);
    arb_mul_2exp_si(a, x, -1);
    arb_mul_2exp_si(h, x + 2, -1);
    invert_gamma(y, a, x + 1, h, true, prec);
    arb_mul_2exp_si(y, y, 1);
    arb_clear(a);
    arb_clear(h);
}
VALUE(gdtrix)
{
    arb_t h;
    UNUSED_K;
    arb_init(h);
    arb_mul(h, x, x + 3, prec);
    invert_gamma(y, x + 1, x + 2, h, false, prec);
    arb_div(y, y, x, prec);
    arb_clear(h);
}

/* ---- by the beta function ------------------------------------------------------------------- */

static void invert_beta(arb_ptr y, const arb_t a, const arb_t b, const arb_t p, const arb_t found,
                        bool upper, slong prec)
{
    arb_t f, g;
    arb_init(f);
    arb_init(g);
    agni_set_beta(f, a, b, found, upper, prec);
    set_beta_density(g, a, b, found, prec);
    if (upper)
        arb_neg(g, g);
    step_from(y, found, f, p, g, prec);
    arb_clear(f);
    arb_clear(g);
}
VALUE(betaincinv)
{
    UNUSED_K;
    invert_beta(y, x, x + 1, x + 2, x + 3, false, prec);
}
VALUE(betainccinv)
{
    UNUSED_K;
    invert_beta(y, x, x + 1, x + 2, x + 3, true, prec);
}

/* half of I of df / (df + t^2), or its complement */
static void set_student(arb_ptr y, const arb_t df, const arb_t t, bool upper, slong prec)
{
    arb_t a, b, z;
    arb_init(a);
    arb_init(b);
    arb_init(z);
    arb_mul_2exp_si(a, df, -1);
    arb_set_d(b, 0.5);
    arb_sqr(z, t, prec);
    arb_add(z, z, df, prec);
    arb_div(z, df, z, prec);
    agni_set_beta(y, a, b, z, false, prec);
    arb_mul_2exp_si(y, y, -1);
    if (arb_is_negative(t) == upper) {
        arb_sub_ui(y, y, 1, prec);
        arb_neg(y, y);
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(z);
}
VALUE(stdtr)
{
    UNUSED_K;
    set_student(y, x, x + 1, false, prec);
}
VALUE(stdtrc)
{
    UNUSED_K;
    set_student(y, x, x + 1, true, prec);
}
/* density (1 + t^2 / df)^(-(df + 1) / 2) / (sqrt(df) B(df / 2, 1 / 2)) */
VALUE(stdtrit)
{
    arb_t f, g, t, b;
    UNUSED_K;
    arb_init(f);
    arb_init(g);
    arb_init(t);
    arb_init(b);
    set_student(f, x, x + 2, false, prec);
    arb_sqr(g, x + 2, prec);
    arb_div(g, g, x, prec);
    arb_add_ui(g, g, 1, prec);
    arb_add_ui(b, x, 1, prec);
    arb_mul_2exp_si(b, b, -1); /* (df + 1) / 2 */
    arb_neg(t, b);
    arb_pow(g, g, t, prec);
    arb_gamma(t, b, prec);
    arb_mul(g, g, t, prec);
    arb_mul_2exp_si(b, x, -1);
    arb_rgamma(t, b, prec);
    arb_mul(g, g, t, prec);
    arb_const_pi(t, prec);
    arb_mul(t, t, x, prec);
    arb_sqrt(t, t, prec);
    arb_div(g, g, t, prec);
    step_from(y, x + 2, f, x + 1, g, prec);
    arb_clear(f);
    arb_clear(g);
    arb_clear(t);
    arb_clear(b);
}
/* a = dfn / 2, b = dfd / 2, z = dfn x / (dfn x + dfd) */
static void set_fisher(arb_ptr t, arb_srcptr x, const arb_t at, slong prec)
{
    arb_mul_2exp_si(t, x, -1);
    arb_mul_2exp_si(t + 1, x + 1, -1);
    arb_mul(t + 2, x, at, prec);
    arb_add(t + 3, t + 2, x + 1, prec);
    arb_div(t + 2, t + 2, t + 3, prec);
}
VALUE(fdtr)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(4);
    set_fisher(t, x, x + 2, prec);
    agni_set_beta(y, t, t + 1, t + 2, false, prec);
    _arb_vec_clear(t, 4);
}
VALUE(fdtrc)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(4);
    set_fisher(t, x, x + 2, prec);
    agni_set_beta(y, t, t + 1, t + 2, true, prec);
    _arb_vec_clear(t, 4);
}
VALUE(fdtri)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(6);
    set_fisher(t, x, x + 3, prec);
    agni_set_beta(t + 4, t, t + 1, t + 2, false, prec);
    set_beta_density(t + 5, t, t + 1, t + 2, prec);
    arb_mul(t + 5, t + 5, x, prec); /* dz/dx = dfn dfd / (dfn x + dfd)^2 */
    arb_mul(t + 5, t + 5, x + 1, prec);
    arb_div(t + 5, t + 5, t + 3, prec);
    arb_div(t + 5, t + 5, t + 3, prec);
    step_from(y, x + 3, t + 4, x + 2, t + 5, prec);
    _arb_vec_clear(t, 6);
}
/* binomial: a = n - k, b = k + 1 at 1 - p; negative binomial: a = n, b = k + 1 at p */
static void set_trials(arb_ptr t, arb_srcptr x, slong prec)
{
    arb_sub(t, x + 1, x, prec);
    arb_add_ui(t + 1, x, 1, prec);
}
VALUE(bdtr)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    set_trials(t, x, prec);
    agni_set_beta(y, t + 1, t, x + 2, true, prec);
    _arb_vec_clear(t, 2);
}
VALUE(bdtrc)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    set_trials(t, x, prec);
    agni_set_beta(y, t + 1, t, x + 2, false, prec);
    _arb_vec_clear(t, 2);
}
VALUE(bdtri)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    set_trials(t, x, prec);
    invert_beta(y, t + 1, t, x + 2, x + 3, true, prec);
    _arb_vec_clear(t, 2);
}
VALUE(nbdtr)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    set_trials(t, x, prec);
    agni_set_beta(y, x + 1, t + 1, x + 2, false, prec);
    _arb_vec_clear(t, 2);
}
VALUE(nbdtrc)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    set_trials(t, x, prec);
    agni_set_beta(y, x + 1, t + 1, x + 2, true, prec);
    _arb_vec_clear(t, 2);
}
VALUE(nbdtri)
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(2);
    set_trials(t, x, prec);
    invert_beta(y, x + 1, t + 1, x + 2, x + 3, false, prec);
    _arb_vec_clear(t, 2);
}
