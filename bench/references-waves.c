/* bench/references-waves.c - values of Legendre functions of the second kind (DLMF 14.6), W of parabolic
   cylinders (12.14), integrals of Bessel functions (10.22), Smirnov's law: recurrences and power series in
   balls. */
#include "bench/special-references.h"

#include <math.h>
#include <stdlib.h>

/* what is left of a series whose terms fall by 4 and more from this one on */
static void add_rest(arb_t sum, const arb_t term)
{
    mag_t m;
    mag_init(m);
    arb_get_mag(m, term);
    mag_mul_2exp_si(m, m, 1);
    arb_add_error_mag(sum, m);
    mag_clear(m);
}

/* ---- Legendre functions of the second kind ---------------------------------------- */

VALUE(legendre_q)
{
    slong n = (slong)k[0];
    arb_t t, a, b, c;
    arb_init(t);
    arb_init(a);
    arb_init(b);
    arb_init(c);
    arb_abs(t, x);
    if (arf_cmp_d(arb_midref(t), 1.5) < 0) { /* up from Q_0 and Q_1 = x Q_0 - 1 */
        arb_add_ui(a, x, 1, prec);
        arb_sub_ui(b, x, 1, prec);
        arb_div(a, a, b, prec);
        arb_abs(a, a);
        arb_log(a, a, prec);
        arb_mul_2exp_si(a, a, -1);
        arb_mul(b, a, x, prec);
        arb_sub_ui(b, b, 1, prec);
        for (slong j = 1; j < n; j++) {
            arb_mul(c, b, x, prec);
            arb_mul_ui(c, c, 2 * (ulong)j + 1, prec);
            arb_submul_ui(c, a, (ulong)j, prec);
            arb_set(a, b);
            arb_div_ui(b, c, (ulong)j + 1, prec);
        }
        arb_set(y, n ? b : a);
    } else { /* n! / (2 n + 1)!! x^(-n - 1) F((n + 1) / 2, n / 2 + 1; n + 3 / 2; x^-2) */
        arb_inv(t, x, prec);
        arb_pow_ui(a, t, (ulong)n + 1, prec);
        for (slong j = 1; j <= n; j++) {
            arb_mul_ui(a, a, (ulong)j, prec);
            arb_div_ui(a, a, 2 * (ulong)j + 1, prec);
        }
        arb_sqr(t, t, prec);
        arb_set(y, a);
        for (slong j = 0; j < 20 + 3 * prec && mag_cmp_2exp_si(arb_radref(y), 0) >= -2; j++) {
            arb_mul_ui(a, a, (ulong)((n + 1 + 2 * j) * (n + 2 + 2 * j)), prec);
            arb_div_ui(a, a, 2 * (ulong)((2 * n + 3 + 2 * j) * (j + 1)), prec);
            arb_mul(a, a, t, prec);
            arb_add(y, y, a, prec);
            if (j > n && arf_cmpabs_2exp_si(arb_midref(a), -1200) < 0)
                break;
            arb_mul_2exp_si(b, y, -prec);
            if (j > n && arf_cmpabs(arb_midref(a), arb_midref(b)) < 0)
                break;
        }
        arb_mul_2exp_si(a, a, 2); /* terms fall by x^-2 (1 + n / j), below 0.9 */
        add_rest(y, a);
        add_rest(y, a);
    }
    arb_clear(t);
    arb_clear(a);
    arb_clear(b);
    arb_clear(c);
}
/* between -1 and 1 with P_n pi / 2 */
UNIT(legendre_q)
{
    (void)prec;
    arb_abs(u, y);
    if (arf_cmpabs_2exp_si(arb_midref(x), 0) < 0) {
        arb_t p, pi;
        arb_init(p);
        arb_init(pi);
        arb_hypgeom_legendre_p_ui(p, NULL, (ulong)k[0], x, 64);
        arb_const_pi(pi, 64);
        arb_mul(p, p, pi, 64);
        arb_mul_2exp_si(p, p, -1);
        arb_hypot(u, u, p, 64);
        arb_clear(p);
        arb_clear(pi);
    }
}

/* ---- W of parabolic cylinders of whole a ------------------------------------------- */

/* value and slope */
static void set_cylinder(arb_ptr y, const arb_t x, slong a, slong prec)
{
    arb_ptr c = _arb_vec_init(5);
    acb_t z, w;
    arb_t ratio;
    acb_init(z);
    acb_init(w);
    arb_init(ratio);
    double start[2] = {0.25, 0.75};
    for (int i = 0; i < 2; i++) {
        arb_set_d(acb_realref(z), start[i]);
        arb_set_d(acb_imagref(z), 0.5 * (double)a);
        acb_lgamma(w, z, prec);
        (i ? arb_sub : arb_add)(ratio, ratio, acb_realref(w), prec);
    }
    arb_mul_2exp_si(ratio, ratio, -1);
    arb_exp(ratio, ratio, prec);
    arb_set_ui(c + 4, 2);
    arb_root_ui(c + 4, c + 4, 4, prec); /* W = 2^(-3/4) ratio, W' = -2^(-1/4) / ratio */
    arb_mul(c + 1, ratio, c + 4, prec);
    arb_mul_2exp_si(c + 1, c + 1, -1);
    arb_mul(c, ratio, c + 4, prec);
    arb_inv(c, c, prec);
    arb_neg(c, c);
    arb_mul(c, c, x, prec); /* c[j]: term of x^(n - j) */
    arb_add(y, c, c + 1, prec);
    arb_set(y + 1, c);
    slong most = 60 + prec + 3 * labs(a) +
                 2 * (slong)fabs(2 * arf_get_d(arb_midref(x), ARF_RND_NEAR));
    arb_t square, next;
    arb_init(square);
    arb_init(next);
    arb_sqr(square, x, prec);
    for (slong n = 2; n < most; n++) { /* n (n - 1) c_n = x^2 (a c_(n-2) - x^2 c_(n-4) / 4) */
        arb_mul(next, square, c + 3, prec);
        arb_mul_2exp_si(next, next, -2);
        arb_neg(next, next);
        arb_addmul_si(next, c + 1, a, prec);
        arb_mul(next, next, square, prec);
        arb_div_ui(next, next, (ulong)(n * (n - 1)), prec);
        for (int j = 3; j > 0; j--)
            arb_swap(c + j, c + j - 1);
        arb_set(c, next);
        arb_add(y, y, c, prec);
        arb_addmul_ui(y + 1, c, (ulong)n, prec);
    }
    for (int j = 0; j < 4; j++) { /* terms are far beyond the largest, and fall by 4 */
        arb_mul_ui(c + j, c + j, 4 * (ulong)most, prec);
        add_rest(y, c + j);
        add_rest(y + 1, c + j);
    }
    arb_div(y + 1, y + 1, x, prec);
    _arb_vec_clear(c, 5);
    acb_clear(z);
    acb_clear(w);
    arb_clear(ratio);
    arb_clear(square);
    arb_clear(next);
}
VALUE(parabolic_w)
{
    arb_ptr both = _arb_vec_init(2);
    if (arf_cmpabs_ui(arb_midref(x), 60) < 0) {
        set_cylinder(both, x, (slong)k[0], prec);
        arb_set(y, both);
    } else {
        arb_indeterminate(y);
    }
    _arb_vec_clear(both, 2);
}
/* of a wave its slope over the wave number as well */
UNIT(parabolic_w)
{
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR), wave = at * at / 4 - (double)k[0];
    arb_abs(u, y);
    if (wave > 0.5) {
        arb_ptr both = _arb_vec_init(2);
        arb_t root;
        arb_init(root);
        set_cylinder(both, x, (slong)k[0], prec);
        arb_set_d(root, sqrt(wave));
        arb_div(both + 1, both + 1, root, 64);
        arb_hypot(u, u, both + 1, 64);
        arb_clear(root);
        _arb_vec_clear(both, 2);
    }
}

/* ---- integrals of Bessel, Struve and Airy functions ----------------------------------- */

enum {
    FIRST_J,
    FIRST_Y,
    FIRST_I,
    FIRST_K,
    REST_J,
    REST_Y,
    REST_I,
    REST_K,
    FIRST_H,
    REST_H,
    FIRST_L
};

/* the power series of the function (DLMF 10.2.2, 10.8.1, 10.25.2, 10.31.2, 11.2.1), by its terms */
static void set_integral(arb_t y, const arb_t x, int kind, slong prec)
{
    bool struve = kind >= FIRST_H, over = kind >= REST_J && kind <= REST_K,
         logs = kind == FIRST_Y || kind == FIRST_K || kind == REST_Y || kind == REST_K,
         falls = kind == FIRST_J || kind == FIRST_Y || kind == REST_J || kind == REST_Y ||
                 kind == FIRST_H || kind == REST_H;
    arb_t term, part, log, harmonic, square, pi;
    arb_init(term);
    arb_init(part);
    arb_init(log);
    arb_init(harmonic);
    arb_init(square);
    arb_init(pi);
    arb_const_pi(pi, prec);
    arb_sqr(square, x, prec);
    if (falls)
        arb_neg(square, square);
    if (logs) { /* log(x / 2) + Euler's constant */
        arb_mul_2exp_si(part, x, -1);
        arb_log(log, part, prec);
        arb_const_euler(part, prec);
        arb_add(log, log, part, prec);
    }
    int first = over ? 0 : kind == FIRST_H || kind == FIRST_L ? 2 : 1;
    arb_pow_ui(term, x, (ulong)first, prec);
    arb_zero(y);
    slong most = 40 + prec / 2 + 2 * (slong)arf_get_d(arb_midref(x), ARF_RND_UP);
    for (slong j = 0; j < most; j++) {
        ulong degree = 2 * (ulong)j + (ulong)first;
        arb_set(part, term);
        if (logs && degree) {
            arb_t by;
            arb_init(by);
            arb_set_ui(by, 1);
            arb_div_ui(by, by, degree, prec);
            arb_add(by, by, harmonic, prec);
            arb_sub(by, log, by, prec);
            arb_mul(part, part, by, prec);
            arb_clear(by);
        }
        if (degree) {
            arb_div_ui(part, part, degree, prec);
            arb_add(y, y, part, prec);
        }
        ulong next = struve ? 2 * (ulong)j + 3 : 2 * (ulong)j + 2;
        arb_mul(term, term, square, prec);
        arb_div_ui(term, term, next * next, prec);
        arb_set_ui(part, 1);
        arb_div_ui(part, part, (ulong)j + 1, prec);
        arb_add(harmonic, harmonic, part, prec);
    }
    arb_mul_ui(term, term, 4000, prec); /* beyond twice x they fall by 4 and more */
    add_rest(y, term);
    if (kind == FIRST_Y || struve) {
        arb_mul_2exp_si(y, y, 1);
        arb_div(y, y, pi, prec);
    }
    if (kind == FIRST_K || kind == REST_J || kind == REST_H)
        arb_neg(y, y);
    if (kind == REST_H) {
        arb_mul_2exp_si(pi, pi, -1);
        arb_add(y, y, pi, prec);
    }
    if (kind == REST_Y || kind == REST_K) { /* pi / 6 - (L^2 + 2 y) / pi, pi^2 / 24 + L^2 / 2 + y */
        arb_sqr(log, log, prec);
        arb_mul_2exp_si(log, log, -1);
        arb_add(y, y, log, prec);
        arb_sqr(part, pi, prec);
        arb_div_ui(part, part, 24, prec);
        if (kind == REST_Y) {
            arb_mul_2exp_si(y, y, 1);
            arb_div(y, y, pi, prec);
            arb_neg(y, y);
            arb_div_ui(part, pi, 6, prec);
        }
        arb_add(y, y, part, prec);
    }
    arb_clear(term);
    arb_clear(part);
    arb_clear(log);
    arb_clear(harmonic);
    arb_clear(square);
    arb_clear(pi);
}
VALUE(bessel_integral)
{
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    if (at > 0 && at < 300)
        set_integral(y, x, (int)k[0], prec);
    else
        arb_indeterminate(y);
}
/* of kinds that oscillate the amplitude of that far out */
UNIT(bessel_integral)
{
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR), wave = 0;
    (void)prec;
    if (at > 1 && (k[0] == FIRST_J || k[0] == FIRST_Y || k[0] == FIRST_H))
        wave = 0.8 / sqrt(at);
    if (at > 1 && (k[0] == REST_Y || k[0] == REST_H))
        wave = 0.8 / (at * sqrt(at));
    arb_t a;
    arb_init(a);
    arb_set_d(a, wave);
    arb_abs(u, y);
    arb_add(u, u, a, 64);
    arb_clear(a);
}

/* ---- Smirnov's law ------------------------------------------------------------------------- */

/* d sum of C(n, j) (d + j / n)^(j - 1) (1 - d - j / n)^(n - j) (Birnbaum and Tingey 1951) */
VALUE(smirnov)
{
    slong n = (slong)k[0];
    double d = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_t p, q, t;
    arb_init(p);
    arb_init(q);
    arb_init(t);
    arb_zero(y);
    if (!(d >= 0 && d <= 1))
        arb_indeterminate(y);
    for (slong j = 0; arb_is_finite(y) && j <= n; j++) {
        arb_set_si(p, j);
        arb_div_si(p, p, n, prec);
        arb_add(p, p, x, prec);
        arb_sub_ui(q, p, 1, prec);
        arb_neg(q, q);
        if (!arb_is_positive(q))
            break;
        arb_pow_ui(t, q, (ulong)(n - j), prec);
        if (j > 0) {
            arb_pow_ui(p, p, (ulong)j - 1, prec);
            arb_mul(t, t, p, prec);
            arb_mul(t, t, x, prec);
            arb_bin_uiui(p, (ulong)n, (ulong)j, prec);
            arb_mul(t, t, p, prec);
        }
        arb_add(y, y, t, prec);
    }
    arb_clear(p);
    arb_clear(q);
    arb_clear(t);
}
