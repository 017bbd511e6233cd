/* bench/references-noncentral.c - balls of noncentral laws by their mixtures (Johnson, Kotz and
   Balakrishnan 29 to 31), of Wright's function by its series (DLMF 10.46.1): sums of terms whose rest
   is bounded by that of a geometric series. */
#include "bench/special-references.h"

#include <math.h>

/* f(a, x), 0 <= f <= 1, d = f(a) - f(a + 1), and of later ones d(a + 1) / d(a) */
typedef struct mixed_law {
    void (*start)(arb_t y, arb_t d, const arb_t a, arb_srcptr x, slong prec);
    void (*ratio)(arb_t q, const arb_t a, arb_srcptr x, slong prec);
} mixed_law;

/* sum over k of mu^(k + s) / gamma(k + s + 1) e^-mu f(start + k), s 0 or 1/2 */
static void mix_law(arb_t y, const arb_t mu, int halves, const arb_t start, const mixed_law *f,
                    arb_srcptr x, slong prec)
{
    arb_t a, w, t, d, q, left;
    arb_init(a);
    arb_init(w);
    arb_init(t);
    arb_init(d);
    arb_init(q);
    arb_init(left);
    arb_neg(w, mu);
    arb_exp(w, w, prec);
    if (halves) { /* sqrt(mu) / gamma(3/2) */
        arb_sqrt(t, mu, prec);
        arb_mul(w, w, t, prec);
        arb_const_sqrt_pi(t, prec);
        arb_div(w, w, t, prec);
        arb_mul_2exp_si(w, w, 1);
    }
    arb_zero(y);
    arb_set(a, start);
    f->start(t, d, a, x, prec);
    bool done = false;
    for (slong k = 0; k < 40000 && !done; k++) {
        arb_mul(left, w, t, 64); /* later weights: w mu / (k + 1) + ... */
        arb_addmul(y, t, w, prec);
        arb_mul(w, w, mu, prec);
        arb_mul_2exp_si(w, w, 1);
        arb_div_si(w, w, 2 * k + 2 + halves, prec);
        arb_sub(t, t, d, prec);
        f->ratio(q, a, x, prec);
        arb_mul(d, d, q, prec);
        arb_add_ui(a, a, 1, prec);
        if (!arb_is_finite(y))
            break;
        arb_mul_2exp_si(q, mu, 1);
        if (arf_cmp_si(arb_midref(q), k + 1) < 0) { /* quotients below 1/2 */
            arb_mul_2exp_si(left, left, prec);
            done = arb_lt(left, y) || arb_is_zero(left);
        }
    }
    if (done) {
        mag_t rest;
        mag_init(rest);
        arb_get_mag(rest, left);
        mag_mul_2exp_si(rest, rest, -prec);
        arb_add_error_mag(y, rest);
        mag_clear(rest);
    } else {
        arb_indeterminate(y);
    }
    arb_clear(a);
    arb_clear(w);
    arb_clear(t);
    arb_clear(d);
    arb_clear(q);
    arb_clear(left);
}
/* P(a, x), which falls by x^a e^-x / gamma(a + 1) (DLMF 8.8.5) */
static void start_gamma(arb_t y, arb_t d, const arb_t a, arb_srcptr x, slong prec)
{
    arb_t t;
    arb_init(t);
    agni_set_gamma(y, a, x, false, prec);
    arb_pow(d, x, a, prec);
    arb_exp(t, x, prec);
    arb_div(d, d, t, prec);
    arb_add_ui(t, a, 1, prec);
    arb_rgamma(t, t, prec);
    arb_mul(d, d, t, prec);
    arb_clear(t);
}
static void step_gamma(arb_t q, const arb_t a, arb_srcptr x, slong prec)
{
    arb_add_ui(q, a, 1, prec);
    arb_div(q, x, q, prec);
}
/* I_z(a, b) of b, z, which falls by z^a (1 - z)^b gamma(a + b) / (gamma(a + 1) gamma(b)) (8.17.20) */
static void start_beta(arb_t y, arb_t d, const arb_t a, arb_srcptr x, slong prec)
{
    arb_t t;
    arb_init(t);
    agni_set_beta(y, a, x, x + 1, false, prec);
    arb_pow(d, x + 1, a, prec);
    arb_sub_ui(t, x + 1, 1, prec);
    arb_neg(t, t);
    arb_pow(t, t, x, prec);
    arb_mul(d, d, t, prec);
    arb_add(t, a, x, prec);
    arb_gamma(t, t, prec);
    arb_mul(d, d, t, prec);
    arb_add_ui(t, a, 1, prec);
    arb_rgamma(t, t, prec);
    arb_mul(d, d, t, prec);
    arb_rgamma(t, x, prec);
    arb_mul(d, d, t, prec);
    arb_clear(t);
}
static void step_beta(arb_t q, const arb_t a, arb_srcptr x, slong prec)
{
    arb_t t;
    arb_init(t);
    arb_add_ui(t, a, 1, prec);
    arb_add(q, a, x, prec);
    arb_mul(q, q, x + 1, prec);
    arb_div(q, q, t, prec);
    arb_clear(t);
}
static const mixed_law gamma_law = {start_gamma, step_gamma}, beta_law = {start_beta, step_beta};

VALUE(chndtr) /* x, df, nc */
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(3);
    for (int i = 0; i < 3; i++)
        arb_mul_2exp_si(t + i, x + i, -1);
    if (arb_is_positive(t + 1) && !arb_is_negative(t + 2) &&
        arf_cmp_si(arb_midref(t + 2), 4000) < 0)
        mix_law(y, t + 2, 0, t + 1, &gamma_law, t, prec);
    else
        arb_indeterminate(y);
    _arb_vec_clear(t, 3);
}
VALUE(ncfdtr) /* dfn, dfd, nc, f */
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(5);
    for (int i = 0; i < 3; i++)
        arb_mul_2exp_si(t + i, x + i, -1);
    arb_mul(t + 3, x, x + 3, prec);
    arb_add(t + 4, t + 3, x + 1, prec);
    arb_div(t + 4, t + 3, t + 4, prec);
    arb_set(t + 3, t + 1);
    if (arb_is_positive(t) && arb_is_positive(t + 1) && !arb_is_negative(t + 2) &&
        arf_cmp_si(arb_midref(t + 2), 4000) < 0)
        mix_law(y, t + 2, 0, t, &beta_law, t + 3, prec);
    else
        arb_indeterminate(y);
    _arb_vec_clear(t, 5);
}
/* Phi(-nc) + half of the sums of I_z(k + 1/2, df / 2) and, with the sign of nc, of I_z(k + 1, df / 2), z =
   t^2 / (df + t^2), t >= 0 (Johnson, Kotz and Balakrishnan 31.5); 1 less that of -t and -nc below 0 */
VALUE(nctdtr) /* df, nc, t */
{
    UNUSED_K;
    arb_ptr p = _arb_vec_init(2); /* df / 2, z */
    arb_t mu, s, part;
    arb_init(mu);
    arb_init(s);
    arb_init(part);
    const bool below = arb_is_negative(x + 2), minus = arb_is_negative(x + 1) != below;
    arb_mul_2exp_si(p, x, -1);
    arb_sqr(mu, x + 1, prec);
    arb_mul_2exp_si(mu, mu, -1);
    arb_sqr(p + 1, x + 2, prec);
    arb_add(s, p + 1, x, prec);
    arb_div(p + 1, p + 1, s, prec);
    if (arb_is_positive(x) && arf_cmp_si(arb_midref(mu), 5001) < 0) {
        arb_set_d(s, 0.5);
        mix_law(y, mu, 0, s, &beta_law, p, prec);
        if (!arb_is_zero(mu)) {
            arb_one(s);
            mix_law(part, mu, 1, s, &beta_law, p, prec);
            (minus ? arb_sub : arb_add)(y, y, part, prec);
        }
        arb_sqrt(s, mu, prec); /* Phi(-nc) = erfc(nc / sqrt 2) / 2 */
        if (minus)
            arb_neg(s, s);
        arb_hypgeom_erfc(s, s, prec);
        arb_add(y, y, s, prec);
        arb_mul_2exp_si(y, y, -1);
        if (below) {
            arb_sub_ui(y, y, 1, prec);
            arb_neg(y, y);
        }
    } else {
        arb_indeterminate(y);
    }
    _arb_vec_clear(p, 2);
    arb_clear(mu);
    arb_clear(s);
    arb_clear(part);
}
/* terms x^k / (k! gamma(a k + b)), which fall by 1/2 from where (k + 1) min(1, (a k + b)^a) > 2 x
   on, about: here from where two quotients have been below 1/4 */
static void set_wright(arb_t y, arb_srcptr x, slong prec)
{
    arb_t z, w, t, last;
    mag_t rest;
    arb_init(z);
    arb_init(w);
    arb_init(t);
    arb_init(last);
    mag_init(rest);
    arb_zero(y);
    arb_one(w);
    bool done = false, bad = arb_is_negative(x) || arb_is_negative(x + 1) || arb_is_negative(x + 2);
    int small = 0;
    for (slong k = 0; !bad && !done && k < 20000; k++) {
        arb_mul_si(z, x, k, prec);
        arb_add(z, z, x + 1, prec);
        arb_rgamma(t, z, prec);
        arb_mul(t, t, w, prec);
        arb_add(y, y, t, prec);
        arb_mul(w, w, x + 2, prec);
        arb_div_si(w, w, k + 1, prec);
        arb_mul_2exp_si(z, t, 2);
        small = arb_lt(z, last) ? small + 1 : 0;
        arb_set(last, t);
        arb_mul_2exp_si(t, t, prec);
        done = (small > 1 && arb_lt(t, y)) || (arb_is_zero(x + 2) && k > 1);
    }
    if (done) {
        arb_get_mag(rest, last);
        arb_add_error_mag(y, rest);
    } else {
        arb_indeterminate(y);
    }
    arb_clear(z);
    arb_clear(w);
    arb_clear(t);
    arb_clear(last);
    mag_clear(rest);
}
VALUE(wright_bessel)
{
    UNUSED_K;
    set_wright(y, x, prec);
}
VALUE(log_wright_bessel)
{
    UNUSED_K;
    set_wright(y, x, prec);
    arb_log(y, y, prec);
}
/* next to a root 1 */
UNIT(log_wright)
{
    UNUSED_UNIT;
    arb_abs(u, y);
    if (arf_cmp_si(arb_midref(u), 1) < 0)
        arb_one(u);
}
