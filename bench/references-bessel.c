/* bench/references-bessel.c - values of Airy, Bessel, Kelvin, Struve and Faddeeva functions and
   their amplitudes. */
#include "bench/special-references.h"

#include <math.h>

/* ---- Airy ---------------------------------------------------------------------------------- */

VALUE(airy_ai)
{
    UNUSED_K;
    arb_hypgeom_airy(y, NULL, NULL, NULL, x, prec);
}
VALUE(airy_aip)
{
    UNUSED_K;
    arb_hypgeom_airy(NULL, y, NULL, NULL, x, prec);
}
VALUE(airy_bi)
{
    UNUSED_K;
    arb_hypgeom_airy(NULL, NULL, y, NULL, x, prec);
}
VALUE(airy_bip)
{
    UNUSED_K;
    arb_hypgeom_airy(NULL, NULL, NULL, y, x, prec);
}

UNIT(airy)
{
    arb_t a, b;
    UNUSED_UNIT;
    arb_abs(u, y);
    if (!arb_is_negative(x))
        return;
    arb_init(a);
    arb_init(b);
    arb_hypgeom_airy(a, NULL, b, NULL, x, 64);
    arb_hypot(u, a, b, 64);
    arb_clear(a);
    arb_clear(b);
}
UNIT(airy_slope)
{
    arb_t a, b;
    UNUSED_UNIT;
    arb_abs(u, y);
    if (!arb_is_negative(x))
        return;
    arb_init(a);
    arb_init(b);
    arb_hypgeom_airy(NULL, a, NULL, b, x, 64);
    arb_hypot(u, a, b, 64);
    arb_clear(a);
    arb_clear(b);
}

/* ---- Bessel of real order ------------------------------------------------------------------ */

/* where series take as many bits as x, and for ever */
static bool is_endless(arb_srcptr x)
{
    double nu = fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR));
    double at = fabs(arf_get_d(arb_midref(x + 1), ARF_RND_NEAR));
    return nu > 3e4 || (at > 2e4 && nu * nu > at);
}
/* by series alone, quadratures take longer */
static void set_modified(arb_ptr y, arb_srcptr x, void (*f)(acb_t, const acb_t, const acb_t, slong),
                         slong prec)
{
    acb_t nu, z, w;
    acb_init(nu);
    acb_init(z);
    acb_init(w);
    acb_set_arb(nu, x);
    acb_set_arb(z, x + 1);
    f(w, nu, z, prec);
    keep_real(y, w);
    acb_clear(nu);
    acb_clear(z);
    acb_clear(w);
}
#define BESSEL(name, call) \
    VALUE(name) \
    { \
        UNUSED_K; \
        if (is_endless(x)) { \
            arb_indeterminate(y); \
        } else { \
            call; \
        } \
    }
BESSEL(jv, arb_hypgeom_bessel_j(y, x, x + 1, prec))
BESSEL(yv, arb_hypgeom_bessel_y(y, x, x + 1, prec))
BESSEL(iv, set_modified(y, x, acb_hypgeom_bessel_i, prec))
BESSEL(kv, set_modified(y, x, acb_hypgeom_bessel_k, prec))
BESSEL(kve, set_modified(y, x, acb_hypgeom_bessel_k_scaled, prec))
BESSEL(hankel1, arb_hypgeom_bessel_jy(y, y + 1, x, x + 1, prec))
BESSEL(hankel2, arb_hypgeom_bessel_jy(y, y + 1, x, x + 1, prec); arb_neg(y + 1, y + 1))
/* exp(-|x|) I */
VALUE(ive)
{
    UNUSED_K;
    arb_t t;
    if (is_endless(x)) {
        arb_indeterminate(y);
        return;
    }
    arb_init(t);
    arb_abs(t, x + 1);
    arb_neg(t, t);
    arb_exp(t, t, prec);
    set_modified(y, x, acb_hypgeom_bessel_i, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
}

/* the amplitude beyond the turning point, of negative orders everywhere */
static void oscillate(arb_t u, const arb_t y, const arb_t nu, const arb_t at, slong prec)
{
    arb_t a, b, size;
    arb_init(a);
    arb_init(b);
    arb_init(size);
    arb_abs(size, at);
    arb_abs(u, y);
    if (arb_gt(size, nu) && !arb_is_zero(at)) {
        arb_hypgeom_bessel_jy(a, b, nu, size, prec < 128 ? 128 : prec);
        arb_hypot(a, a, b, 64);
        if (!arb_is_finite(
                a)) { /* of an order next to a whole one; no smaller than sqrt(2 / (pi x)) */
            arb_const_pi(a, 64);
            arb_mul(a, a, size, 64);
            arb_mul_2exp_si(a, a, -1);
            arb_rsqrt(a, a, 64);
        }
        if (arb_gt(a, u))
            arb_set(u, a);
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(size);
}
UNIT(bessel)
{
    UNUSED_UNIT;
    oscillate(u, y, x, x + 1, prec);
}

/* ---- spherical Bessel: sqrt(pi / (2 x)) times that of order n + 1/2 ------------------------- */

enum { SPHERICAL_J, SPHERICAL_Y, SPHERICAL_I, SPHERICAL_K };
static void set_spherical(arb_ptr y, const arb_t x, int64_t n, int kind, slong prec)
{
    arb_t nu, f;
    arb_init(nu);
    arb_init(f);
    arb_set_d(nu, (double)n + 0.5);
    if (kind == SPHERICAL_J || kind == SPHERICAL_I) { /* entire: by 0F1 of x^2 */
        arb_set_d(nu, (double)n + 1.5);
        arb_sqr(f, x, prec);
        arb_mul_2exp_si(f, f, -2);
        if (kind == SPHERICAL_J)
            arb_neg(f, f);
        arb_hypgeom_0f1(y, nu, f, 1, prec);
        arb_mul_2exp_si(f, x, -1);
        arb_pow_ui(f, f, (ulong)n, prec);
        arb_mul(y, y, f, prec);
        arb_const_sqrt_pi(f, prec);
        arb_mul(y, y, f, prec);
        arb_mul_2exp_si(y, y, -1);
    } else {
        arb_abs(f, x);
        if (kind == SPHERICAL_Y)
            arb_hypgeom_bessel_y(y, nu, f, prec);
        else
            arb_hypgeom_bessel_k(y, nu, f, prec);
        arb_mul_2exp_si(f, f, 1);
        arb_inv(f, f, prec);
        arb_sqrt(f, f, prec);
        arb_mul(y, y, f, prec);
        arb_const_sqrt_pi(f, prec);
        arb_mul(y, y, f, prec);
        if (arb_is_negative(x) && n % 2 == 0)
            arb_neg(y, y);
    }
    arb_clear(nu);
    arb_clear(f);
}
VALUE(spherical_jn)
{
    set_spherical(y, x, k[0], SPHERICAL_J, prec);
}
VALUE(spherical_yn)
{
    set_spherical(y, x, k[0], SPHERICAL_Y, prec);
}
VALUE(spherical_in)
{
    set_spherical(y, x, k[0], SPHERICAL_I, prec);
}
VALUE(spherical_kn)
{
    set_spherical(y, x, k[0], SPHERICAL_K, prec);
}
UNIT(spherical)
{
    arb_t a, b;
    UNUSED_UNIT;
    arb_init(a);
    arb_init(b);
    arb_abs(u, y);
    arb_abs(a, x);
    if (mag_cmp_2exp_si(arb_radref(a), -1) < 0 && arf_cmp_si(arb_midref(a), (slong)k[0]) > 0) {
        arb_inv(a, a, 64); /* the amplitude is next to 1 / x, no smaller */
        if (arb_gt(a, u))
            arb_set(u, a);
    }
    arb_clear(a);
    arb_clear(b);
}

/* ---- Kelvin: J_n(x exp(3 pi i / 4)), exp(-pi i n / 2) K_n(x exp(pi i / 4)) ------------------- */

static void find_kelvin(acb_t w, const arb_t x, int64_t n, bool second, slong prec)
{
    acb_t z, order;
    arb_t s;
    acb_init(z);
    acb_init(order);
    arb_init(s);
    arb_sqrt_ui(s, 2, prec);
    arb_mul_2exp_si(s, s, -1);
    arb_mul(s, s, x, prec);
    acb_set_si(order, (slong)n);
    arb_set(acb_imagref(z), s);
    if (second)
        arb_set(acb_realref(z), s);
    else
        arb_neg(acb_realref(z), s);
    if (second)
        acb_hypgeom_bessel_k(w, order, z, prec);
    else
        acb_hypgeom_bessel_j(w, order, z, prec);
    acb_clear(z);
    acb_clear(order);
    arb_clear(s);
}
/* K of all orders up to 20 by their recurrence (DLMF 10.29.1), kept for some arguments: they are asked for
   again with the next order, part and amplitude */
static acb_srcptr keep_orders(const arb_t x, slong prec)
{
    enum { KEPT = 256, MOST = 21 };
    static struct {
        double x;
        slong prec;
        acb_struct k[MOST];
    } kept[KEPT];
    static int n_used = 0;
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    int i = 0;
    while (i < KEPT && !(kept[i].x == at && kept[i].prec == prec))
        i++;
    if (i < KEPT)
        return kept[i].k;
    i = n_used++ % KEPT;
    kept[i].x = at;
    kept[i].prec = prec;
    acb_t z, t;
    acb_init(z);
    acb_init(t);
    find_kelvin(kept[i].k, x, 0, true, prec);
    find_kelvin(kept[i].k + 1, x, 1, true, prec);
    arb_sqrt_ui(acb_realref(z), 2, prec);
    arb_mul_2exp_si(acb_realref(z), acb_realref(z), -1);
    arb_mul(acb_realref(z), acb_realref(z), x, prec);
    arb_set(acb_imagref(z), acb_realref(z));
    acb_inv(z, z, prec);
    for (slong n = 1; n + 1 < MOST; n++) {
        acb_mul_si(t, kept[i].k + n, 2 * n, prec);
        acb_mul(t, t, z, prec);
        acb_add(kept[i].k + n + 1, kept[i].k + n - 1, t, prec);
    }
    acb_clear(z);
    acb_clear(t);
    return kept[i].k;
}
static void set_kelvin(acb_t w, const arb_t x, int64_t n, bool second, slong prec)
{
    if (!second) {
        find_kelvin(w, x, n, false, prec);
        return;
    }
    acb_set(w, keep_orders(x, prec) + n);
    for (int64_t i = 0; i < n; i++)
        acb_div_onei(w, w);
}
static void set_kelvin_part(arb_ptr y, arb_srcptr x, int64_t n, int kind, slong prec)
{
    acb_t w;
    acb_init(w);
    set_kelvin(w, x, n, kind > 1, prec);
    arb_set(y, kind % 2 ? acb_imagref(w) : acb_realref(w));
    acb_clear(w);
}
VALUE(kelvin_ber)
{
    set_kelvin_part(y, x, k[0], 0, prec);
}
VALUE(kelvin_bei)
{
    set_kelvin_part(y, x, k[0], 1, prec);
}
VALUE(kelvin_ker)
{
    set_kelvin_part(y, x, k[0], 2, prec);
}
VALUE(kelvin_kei)
{
    set_kelvin_part(y, x, k[0], 3, prec);
}
static void set_kelvin_unit(arb_t u, arb_srcptr x, int64_t n, bool second, slong prec)
{
    acb_t w;
    acb_init(w);
    set_kelvin(w, x, n, second, prec);
    acb_abs(u, w, 64);
    acb_clear(w);
}
UNIT(kelvin_first)
{
    UNUSED_UNIT;
    set_kelvin_unit(u, x, k[0], false, prec);
}
UNIT(kelvin_second)
{
    UNUSED_UNIT;
    set_kelvin_unit(u, x, k[0], true, prec);
}

/* ---- Struve: the series (DLMF 11.2.1, 11.2.2); H far from 0 by Y and (11.6.1), whose rest is
   below the first term left out as soon as the terms alternate
   ------------------------------------------------ */

static void set_struve_series(arb_ptr y, arb_srcptr x, bool modified, slong prec)
{
    arb_struct a[1], b[2];
    arb_t z, f, g;
    arb_init(a);
    arb_init(b);
    arb_init(b + 1);
    arb_init(z);
    arb_init(f);
    arb_init(g);
    arb_set_ui(a, 1);
    arb_set_d(b, 1.5);
    arb_set_d(f, 1.5);
    arb_add(b + 1, x, f, prec);
    arb_sqr(z, x + 1, prec);
    arb_mul_2exp_si(z, z, -2);
    if (!modified)
        arb_neg(z, z);
    arb_hypgeom_pfq(y, a, 1, b, 2, z, 1, prec); /* over gamma(3/2) gamma(nu + 3/2) */
    arb_add_ui(g, x, 1, prec);
    arb_mul_2exp_si(f, x + 1, -1);
    arb_pow(f, f, g, prec);
    arb_mul(y, y, f, prec);
    arb_clear(a);
    arb_clear(b);
    arb_clear(b + 1);
    arb_clear(z);
    arb_clear(f);
    arb_clear(g);
}
/* 1 / pi sum of gamma(j + 1/2) (x/2)^(nu - 2 j - 1) / gamma(nu + 1/2 - j) */
static void set_struve_far(arb_ptr y, arb_srcptr x, slong prec)
{
    arb_t t, h, f, g, sum;
    arb_init(t);
    arb_init(h);
    arb_init(f);
    arb_init(g);
    arb_init(sum);
    arb_mul_2exp_si(h, x + 1, -1);
    arb_sub_ui(g, x, 1, prec);
    arb_pow(t, h, g, prec);
    arb_set_d(g, 0.5);
    arb_add(g, g, x, prec); /* nu + 1/2 - j */
    arb_rgamma(f, g, prec);
    arb_mul(t, t, f, prec);
    arb_const_sqrt_pi(f, prec);
    arb_mul(t, t, f, prec);
    arb_const_pi(f, prec);
    arb_div(t, t, f, prec);
    arb_inv(h, h, prec);
    arb_sqr(h, h, prec);
    for (slong j = 0; j < 2000; j++) {
        arb_add(sum, sum, t, prec);
        arb_sub_ui(g, g, 1, prec);
        arb_set_d(f, (double)j + 0.5);
        arb_mul(f, f, g, prec);
        arb_mul(t, t, f, prec);
        arb_mul(t, t, h, prec);
        if (arb_is_zero(t))
            break;
        if (arb_is_negative(g) && arf_cmpabs_2exp_si(arb_midref(t), -prec - 20) < 0)
            break;
    }
    if (!arb_is_zero(t) && !arb_is_negative(g)) {
        arb_indeterminate(y);
    } else {
        mag_t m;
        mag_init(m);
        arb_get_mag(m, t);
        arb_add_error_mag(sum, m);
        mag_clear(m);
        arb_hypgeom_bessel_y(y, x, x + 1, prec);
        arb_add(y, y, sum, prec);
    }
    arb_clear(t);
    arb_clear(h);
    arb_clear(f);
    arb_clear(g);
    arb_clear(sum);
}
VALUE(struve)
{
    UNUSED_K;
    if (arf_cmp_si(arb_midref(x + 1), 200) > 0)
        set_struve_far(y, x, prec);
    else
        set_struve_series(y, x, false, prec);
}
VALUE(modstruve)
{
    UNUSED_K;
    set_struve_series(y, x, true, prec);
}

/* ---- Faddeeva: exp(-z^2) erfc(-i z) ---------------------------------------------------------- */

static void set_faddeeva(acb_t w, const acb_t z, slong prec)
{
    acb_t t;
    acb_init(t);
    acb_mul_onei(t, z);
    acb_neg(t, t);
    acb_hypgeom_erfc(w, t, prec);
    acb_sqr(t, z, prec);
    acb_neg(t, t);
    acb_exp(t, t, prec);
    acb_mul(w, w, t, prec);
    acb_clear(t);
}
VALUE(wofz)
{
    acb_t w, z;
    UNUSED_K;
    acb_init(w);
    acb_init(z);
    acb_set_arb_arb(z, x, x + 1);
    set_faddeeva(w, z, prec);
    arb_set(y, acb_realref(w));
    arb_set(y + 1, acb_imagref(w));
    acb_clear(w);
    acb_clear(z);
}
/* sqrt(pi) / 2 exp(-x^2) erfi(x) */
VALUE(dawsn)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    arb_hypgeom_erfi(y, x, prec);
    arb_sqr(t, x, prec);
    arb_neg(t, t);
    arb_exp(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_const_sqrt_pi(t, prec);
    arb_mul(y, y, t, prec);
    arb_mul_2exp_si(y, y, -1);
    arb_clear(t);
}
/* Re w((x + i gamma) / (sigma sqrt 2)) / (sigma sqrt(2 pi)) */
VALUE(voigt_profile)
{
    acb_t w, z;
    arb_t s;
    UNUSED_K;
    acb_init(w);
    acb_init(z);
    arb_init(s);
    arb_sqrt_ui(s, 2, prec);
    arb_mul(s, s, x + 1, prec);
    acb_set_arb_arb(z, x, x + 2);
    acb_div_arb(z, z, s, prec);
    set_faddeeva(w, z, prec);
    arb_div(y, acb_realref(w), s, prec);
    arb_const_sqrt_pi(s, prec);
    arb_div(y, y, s, prec);
    acb_clear(w);
    acb_clear(z);
    arb_clear(s);
}
/* with (x / sigma)^2 eps of the normal variable's share */
UNIT(voigt)
{
    arb_t t, g;
    UNUSED_UNIT;
    arb_init(t);
    arb_init(g);
    arb_div(t, x, x + 1, 64);
    arb_sqr(t, t, 64);
    arb_mul_2exp_si(g, t, -1);
    arb_neg(g, g);
    arb_exp(g, g, 64);
    arb_mul(g, g, t, 64);
    arb_div(g, g, x + 1, 64);
    arb_div_ui(g, g, 1128, 64); /* 450 sqrt(2 pi) */
    arb_abs(u, y);
    arb_add(u, u, g, 64);
    arb_clear(t);
    arb_clear(g);
}
