/* bench/references-noncentral.c - balls of noncentral laws by their mixtures (Johnson, Kotz and
   Balakrishnan 29 to 31), of Wright's function by its series (DLMF 10.46.1): sums of terms whose rest
   is bounded by that of a geometric series. */
#include "bench/special-references.h"

#include <math.h>

typedef void mixed_law(arb_t y, const arb_t a, arb_srcptr x, slong prec);

/* sum over k of mu^k / k! e^-mu f(start + k), 0 <= f <= 1 */
static void mix_law(arb_t y, const arb_t mu, const arb_t start, mixed_law *f, arb_srcptr x,
                    slong prec)
{
    arb_t a, w, t, left;
    arb_init(a);
    arb_init(w);
    arb_init(t);
    arb_init(left);
    arb_neg(w, mu);
    arb_exp(w, w, prec);
    arb_zero(y);
    arb_one(left); /* the weights that are left, times the largest f: these fall with k */
    bool done = false;
    for (slong k = 0; k < 20000 && !done; k++) {
        arb_add_si(a, start, k, prec);
        f(t, a, x, prec);
        arb_mul(left, w, t, 64); /* later weights: w mu / (k + 1) + ... */
        arb_addmul(y, t, w, prec);
        arb_mul(w, w, mu, prec);
        arb_div_si(w, w, k + 1, prec);
        if (!arb_is_finite(y))
            break;
        arb_mul_2exp_si(a, mu, 1);
        if (arf_cmp_si(arb_midref(a), k + 1) < 0) { /* quotients below 1/2 */
            arb_mul_2exp_si(left, left, prec);
            done = arb_lt(left, y);
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
    arb_clear(left);
}
static void gamma_law(arb_t y, const arb_t a, arb_srcptr v, slong prec)
{
    agni_set_gamma(y, a, v, false, prec);
}
static void beta_law(arb_t y, const arb_t a, arb_srcptr t, slong prec)
{
    agni_set_beta(y, a, t, t + 1, false, prec);
}
VALUE(chndtr) /* x, df, nc */
{
    UNUSED_K;
    arb_ptr t = _arb_vec_init(3);
    for (int i = 0; i < 3; i++)
        arb_mul_2exp_si(t + i, x + i, -1);
    if (arb_is_positive(t + 1) && !arb_is_negative(t + 2) &&
        arf_cmp_si(arb_midref(t + 2), 4000) < 0)
        mix_law(y, t + 2, t + 1, gamma_law, t, prec);
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
        mix_law(y, t + 2, t, beta_law, t + 3, prec);
    else
        arb_indeterminate(y);
    _arb_vec_clear(t, 5);
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
