/* bench/references-inverses.c - quantiles without a density of their own, and zeros: one step of Newton's
   (DLMF 3.8.4) from what was found; values given by series: V of parabolic cylinders (12.2), moments of
   Bessel functions (10.22.44), zeta functions of a complex argument (25.2). */
#include "bench/special-references.h"

#include <math.h>

/* ---- quantiles ------------------------------------------------------------------------------ */

/* y: the argument, x[i], at which value is p, from what stands there: the slope is that of a chord whose ends are
   2^-(prec / 3) of it away, right to the square of that */
static void invert_value(arb_ptr y, arb_ptr x, int i, const arb_t p, reference_value *value, const int64_t *k,
                         slong prec)
{
    arb_ptr f = _arb_vec_init(2), slope = _arb_vec_init(2);
    arb_t h, found;
    arb_init(h);
    arb_init(found);
    arb_set(found, x + i);
    arb_mul_2exp_si(h, found, -prec / 3);
    if (arb_is_zero(p) || arb_is_one(p) || arb_is_zero(found)) {
        arb_indeterminate(y); /* an end of the range, found as it is */
    } else {
        value(f, x, k, 2 * prec);
        arb_div(f + 1, f, p, 2 * prec); /* of log(value), whose steps are good in tails, too */
        arb_log(f + 1, f + 1, 2 * prec);
        arb_mul(f, f, f + 1, 2 * prec);
        arb_add(x + i, found, h, 2 * prec);
        value(slope, x, k, 2 * prec);
        arb_sub(x + i, found, h, 2 * prec);
        value(slope + 1, x, k, 2 * prec);
        arb_sub(slope, slope, slope + 1, 2 * prec);
        arb_mul_2exp_si(h, h, 1);
        arb_div(slope, slope, h, prec);
        arb_div(f, f, slope, prec);
        arb_sub(y, found, f, prec);
    }
    _arb_vec_clear(f, 2);
    _arb_vec_clear(slope, 2);
    arb_clear(h);
    arb_clear(found);
}
/* of n arguments, the one at i by its probability, those in their order but for it */
static void invert_law(arb_ptr y, arb_srcptr x, int n, int i, reference_value *value, const int64_t *k,
                       slong prec)
{
    arb_ptr at = _arb_vec_init(MOST_ARGUMENTS);
    for (int j = 0; j < n; j++)
        arb_set(at + j, x + j);
    arb_set(at + i, x + n);
    invert_value(y, at, i, x + i, value, k, prec);
    _arb_vec_clear(at, MOST_ARGUMENTS);
}
VALUE(chndtrix)
{
    invert_law(y, x, 3, 0, value_chndtr, k, prec);
}
VALUE(ncfdtri)
{
    invert_law(y, x, 4, 3, value_ncfdtr, k, prec);
}
VALUE(nctdtrit)
{
    invert_law(y, x, 3, 2, value_nctdtr, k, prec);
}
UNIT(nctdtrit) /* |t| + |nc| */
{
    (void)k;
    arb_abs(u, y);
    arb_t nc;
    arb_init(nc);
    arb_abs(nc, x + 1);
    arb_add(u, u, nc, prec);
    arb_clear(nc);
}
VALUE(smirnovi)
{
    if (arb_is_one(x + 1)) /* nothing is left of p */
        arb_indeterminate(y);
    else
        invert_law(y, x, 1, 0, value_smirnov, k, prec);
}
/* Tukey's: p - (Q(p) - x) / Q'(p), Q = (p^s - (1 - p)^s) / s, Q' = p^(s - 1) + (1 - p)^(s - 1) */
VALUE(tklmbda)
{
    UNUSED_K;
    arb_srcptr p = x + 2;
    arb_t q, f, g, t;
    arb_init(q);
    arb_init(f);
    arb_init(g);
    arb_init(t);
    arb_sub_ui(q, p, 1, prec);
    arb_neg(q, q);
    if (!arb_is_positive(q) || !arb_is_positive(p)) {
        arb_indeterminate(y); /* an end of the range, found as it is */
    } else if (arb_is_zero(x + 1)) { /* 1 / (1 + e^-x) */
        arb_neg(t, x);
        arb_exp(t, t, prec);
        arb_add_ui(t, t, 1, prec);
        arb_inv(y, t, prec);
    } else {
        arb_pow(f, p, x + 1, prec);
        arb_pow(t, q, x + 1, prec);
        arb_div(g, f, p, prec);
        arb_sub(f, f, t, prec);
        arb_div(t, t, q, prec);
        arb_add(g, g, t, prec);
        arb_div(f, f, x + 1, prec);
        arb_sub(f, f, x, prec);
        arb_div(f, f, g, prec);
        arb_sub(y, p, f, prec);
    }
    arb_clear(q);
    arb_clear(f);
    arb_clear(g);
    arb_clear(t);
}
UNIT(tklmbda) /* up to 0 the value, beyond 1 */
{
    (void)k;
    (void)prec;
    arb_abs(u, y);
    if (arb_is_positive(x))
        arb_one(u);
}

/* ---- zeros ------------------------------------------------------------------------------------ */

/* y = z - f / g, both parts */
static void step_zero(arb_ptr y, acb_t z, acb_t f, acb_t g, slong prec)
{
    acb_div(f, f, g, prec);
    acb_sub(f, z, f, prec);
    arb_set(y, acb_realref(f));
    arb_set(y + 1, acb_imagref(f));
}
typedef struct three {
    acb_t z, f, g; /* where, the function, its slope */
} three;
static void open_three(three *t, arb_srcptr found)
{
    acb_init(t->z);
    acb_init(t->f);
    acb_init(t->g);
    acb_set_arb_arb(t->z, found, found + 1);
}
static void close_three(arb_ptr y, three *t, slong prec)
{
    step_zero(y, t->z, t->f, t->g, prec);
    acb_clear(t->z);
    acb_clear(t->f);
    acb_clear(t->g);
}
VALUE(airy_zeros)
{
    three t;
    open_three(&t, x + 1);
    const bool second = k[0] >= 2;
    acb_hypgeom_airy(second ? NULL : t.f, second ? NULL : t.g, second ? t.f : NULL, second ? t.g : NULL,
                     t.z, prec);
    if (k[0] % 2) { /* of the slope, whose own is z times the function */
        acb_mul(t.f, t.f, t.z, prec);
        acb_swap(t.f, t.g);
    }
    close_three(y, &t, prec);
}
VALUE(erf_zeros)
{
    UNUSED_K;
    three t;
    open_three(&t, x + 1);
    acb_hypgeom_erf(t.f, t.z, prec);
    acb_mul(t.g, t.z, t.z, prec);
    acb_neg(t.g, t.g);
    acb_exp(t.g, t.g, prec);
    acb_mul_2exp_si(t.g, t.g, 1);
    arb_t root;
    arb_init(root);
    arb_const_sqrt_pi(root, prec);
    acb_div_arb(t.g, t.g, root, prec);
    arb_clear(root);
    close_three(y, &t, prec);
}
VALUE(fresnel_zeros)
{
    three t;
    open_three(&t, x + 1);
    acb_hypgeom_fresnel(k[0] ? t.f : NULL, k[0] ? NULL : t.f, t.z, 1, prec);
    acb_mul(t.g, t.z, t.z, prec);
    acb_mul_2exp_si(t.g, t.g, -1);
    (k[0] ? acb_sin_pi : acb_cos_pi)(t.g, t.g, prec);
    close_three(y, &t, prec);
}
/* w = I_0, or K_0, of e^(i pi / 4) x, whose parts are Kelvin's functions, w' and w'' = i w - w' / x */
VALUE(kelvin_zeros)
{
    acb_t w[3], turn, at;
    for (int i = 0; i < 3; i++)
        acb_init(w[i]);
    acb_init(turn);
    acb_init(at);
    arb_set_d(acb_realref(at), 0.25);
    acb_exp_pi_i(turn, at, prec);
    acb_mul_arb(at, turn, x + 1, prec);
    for (int i = 0; i < 2; i++) {
        acb_t nu;
        acb_init(nu);
        acb_set_si(nu, i);
        (k[0] % 4 >= 2 ? acb_hypgeom_bessel_k : acb_hypgeom_bessel_i)(w[i], nu, at, prec);
        acb_clear(nu);
    }
    acb_mul(w[1], w[1], turn, prec);
    if (k[0] % 4 >= 2)
        acb_neg(w[1], w[1]);
    acb_mul_onei(w[2], w[0]);
    acb_div_arb(at, w[1], x + 1, prec);
    acb_sub(w[2], w[2], at, prec);
    const int order = k[0] >= 4;
    arb_t t;
    arb_init(t);
    arb_div(t, k[0] % 2 ? acb_imagref(w[order]) : acb_realref(w[order]),
            k[0] % 2 ? acb_imagref(w[order + 1]) : acb_realref(w[order + 1]), prec);
    arb_sub(y, x + 1, t, prec);
    arb_clear(t);
    for (int i = 0; i < 3; i++)
        acb_clear(w[i]);
    acb_clear(turn);
    acb_clear(at);
}
/* of orders k / 2: f, f' = nu f / x - f_(nu + 1), f'' = (nu^2 / x^2 - 1) f - f' / x */
VALUE(bessel_zeros)
{
    arb_t nu, f[3], t;
    arb_init(nu);
    arb_init(t);
    for (int i = 0; i < 3; i++)
        arb_init(f[i]);
    const bool second = k[0] % 2, slope = k[0] % 4 >= 2;
    arb_set_si(nu, k[0] / 4);
    arb_mul_2exp_si(nu, nu, -1);
    (second ? arb_hypgeom_bessel_y : arb_hypgeom_bessel_j)(f[0], nu, x + 1, prec);
    arb_add_ui(t, nu, 1, prec);
    (second ? arb_hypgeom_bessel_y : arb_hypgeom_bessel_j)(f[1], t, x + 1, prec);
    arb_div(t, nu, x + 1, prec);
    arb_mul(f[2], t, f[0], prec);
    arb_sub(f[1], f[2], f[1], prec);
    arb_sqr(t, t, prec);
    arb_sub_ui(t, t, 1, prec);
    arb_mul(f[2], t, f[0], prec);
    arb_div(t, f[1], x + 1, prec);
    arb_sub(f[2], f[2], t, prec);
    arb_div(t, f[slope], f[slope + 1], prec);
    arb_sub(y, x + 1, t, prec);
    arb_clear(nu);
    arb_clear(t);
    for (int i = 0; i < 3; i++)
        arb_clear(f[i]);
}

/* ---- series ------------------------------------------------------------------------------------- */

/* V(a, x), a = -v - 1/2, by V(a, 0) = 2^(a/2 + 1/4) sin(pi (3/4 - a/2)) / gamma(3/4 - a/2) and V'(a, 0) =
   2^(a/2 + 3/4) sin(pi (1/4 - a/2)) / gamma(1/4 - a/2), whole functions of a (DLMF 12.2.8, 12.4.1) */
static void set_second(arb_ptr y, arb_t size, arb_srcptr x, slong prec)
{
    arb_t a, b, q, s, t, half;
    arb_init(a);
    arb_init(b);
    arb_init(q);
    arb_init(s);
    arb_init(t);
    arb_init(half); /* a / 2 */
    arb_set_d(half, 0.5);
    arb_add(half, half, x, prec);
    arb_mul_2exp_si(half, half, -1);
    arb_neg(half, half);
    arb_sqr(q, x + 1, prec);
    arb_mul_2exp_si(q, q, -1);
    arb_zero(y);
    arb_zero(size);
    for (int i = 0; i < 2; i++) {
        arb_set_d(b, i ? 0.75 : 0.25);
        arb_add(a, half, b, prec);
        arb_set_d(t, i ? 1.5 : 0.5);
        arb_hypgeom_1f1(s, a, t, q, 0, prec);
        if (i)
            arb_mul(s, s, x + 1, prec);
        arb_set_ui(t, 2);
        arb_pow(t, t, a, prec);
        arb_mul(s, s, t, prec);
        arb_set_d(b, i ? 0.25 : 0.75);
        arb_sub(b, b, half, prec);
        arb_sin_pi(t, b, prec);
        arb_mul(s, s, t, prec);
        arb_rgamma(t, b, prec);
        arb_mul(s, s, t, prec);
        arb_add(y, y, s, prec);
        arb_abs(s, s);
        arb_add(size, size, s, prec);
    }
    arb_mul_2exp_si(q, q, -1);
    arb_neg(q, q);
    arb_exp(q, q, prec);
    arb_mul(y, y, q, prec);
    arb_mul(size, size, q, prec);
    arb_clear(a);
    arb_clear(b);
    arb_clear(q);
    arb_clear(s);
    arb_clear(t);
    arb_clear(half);
}
VALUE(parabolic_v)
{
    UNUSED_K;
    arb_t size;
    arb_init(size);
    set_second(y, size, x, prec);
    arb_clear(size);
}
UNIT(parabolic_v) /* even and odd part, as they are without their sum */
{
    (void)k;
    arb_ptr value = _arb_vec_init(1);
    set_second(value, u, x, prec);
    arb_max(u, u, y, prec);
    _arb_vec_clear(value, 1);
}
/* power 3 k0 / 4, order k1 / 2: a^o / (gamma(o + 1) (p + o + 1)) 1F2((p + o + 1) / 2; o + 1, (p + o + 3) / 2;
   -a^2) */
VALUE(besselpoly)
{
    arb_ptr c = _arb_vec_init(3);
    arb_t z, s;
    arb_init(z);
    arb_init(s);
    arb_set_d(s, 0.75 * (double)k[0] + 0.5 * (double)k[1] + 1);
    arb_mul_2exp_si(c, s, -1);
    arb_set_d(c + 1, 0.5 * (double)k[1] + 1);
    arb_add_ui(c + 2, c, 1, prec);
    arb_sqr(z, x, prec);
    arb_neg(z, z);
    if (arf_cmpabs_ui(arb_midref(x), 1000) > 0 || (arb_is_negative(x) && k[1] % 2)) {
        arb_indeterminate(y);
    } else {
        arb_hypgeom_pfq(y, c, 1, c + 1, 2, z, 0, prec);
        arb_div(y, y, s, prec);
        arb_rgamma(s, c + 1, prec);
        arb_mul(y, y, s, prec);
        arb_set_d(s, 0.5 * (double)k[1]);
        arb_pow(s, x, s, prec);
        arb_mul(y, y, s, prec);
    }
    _arb_vec_clear(c, 3);
    arb_clear(z);
    arb_clear(s);
}
/* where it oscillates J's amplitude over 2 a, of the last part of the integral */
UNIT(besselpoly)
{
    (void)prec;
    const double at = fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR));
    arb_abs(u, y);
    if (at > 1 + 0.5 * (double)k[1]) {
        arb_t wave;
        arb_init(wave);
        arb_set_d(wave, 0.56 / (2 * at * sqrt(at)));
        arb_hypot(u, u, wave, 64);
        arb_clear(wave);
    }
}
static void set_complex(arb_ptr y, arb_srcptr x, void (*f)(acb_t, const acb_t, slong), slong prec)
{
    acb_t z;
    acb_init(z);
    acb_set_arb_arb(z, x, x + 1);
    f(z, z, prec);
    arb_set(y, acb_realref(z));
    arb_set(y + 1, acb_imagref(z));
    acb_clear(z);
}
VALUE(zeta_complex)
{
    UNUSED_K;
    set_complex(y, x, acb_zeta, prec);
}
VALUE(dirichlet_eta_complex)
{
    UNUSED_K;
    set_complex(y, x, acb_dirichlet_eta, prec);
}
UNIT(one_more) /* 1 + |value| */
{
    (void)x;
    (void)k;
    arb_hypot(u, y, y + 1, prec);
    arb_add_ui(u, u, 1, prec);
}
