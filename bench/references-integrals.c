/* bench/references-integrals.c - values of integrals of elementary functions, gamma and zeta
   functions, quotients. */
#include "bench/special-references.h"

VALUE(fresnel_s)
{
    UNUSED_K;
    arb_hypgeom_fresnel(y, NULL, x, 1, prec);
}
VALUE(fresnel_c)
{
    UNUSED_K;
    arb_hypgeom_fresnel(NULL, y, x, 1, prec);
}
VALUE(expi)
{
    UNUSED_K;
    arb_hypgeom_ei(y, x, prec);
}
VALUE(expn)
{
    arb_t s;
    arb_init(s);
    arb_set_si(s, (slong)k[0]);
    arb_hypgeom_expint(y, s, x, prec);
    arb_clear(s);
}
VALUE(sine_integral)
{
    UNUSED_K;
    arb_hypgeom_si(y, x, prec);
}
VALUE(cosine_integral)
{
    UNUSED_K;
    arb_hypgeom_ci(y, x, prec);
}
VALUE(sinh_integral)
{
    UNUSED_K;
    arb_hypgeom_shi(y, x, prec);
}
VALUE(cosh_integral)
{
    UNUSED_K;
    arb_hypgeom_chi(y, x, prec);
}
/* 1 / x above 4 */
UNIT(cosine_integral)
{
    arb_t a;
    UNUSED_UNIT;
    arb_init(a);
    arb_abs(u, y);
    arb_inv(a, x, 64);
    if (arf_cmp_si(arb_midref(x), 4) > 0 && arb_lt(u, a))
        arb_set(u, a);
    arb_clear(a);
}

/* 1 / (2 pi) times the integral of exp(-h^2 (1 + t^2) / 2) / (1 + t^2) from 0 to a */
static int owen_integrand(acb_ptr y, const acb_t t, void *h, slong order, slong prec)
{
    acb_t s, e;
    (void)order;
    acb_init(s);
    acb_init(e);
    acb_sqr(s, t, prec);
    acb_add_ui(s, s, 1, prec);
    acb_mul_arb(e, s, h, prec); /* h^2 / 2 */
    acb_neg(e, e);
    acb_exp(e, e, prec);
    acb_div(y, e, s, prec);
    acb_clear(s);
    acb_clear(e);
    return 0;
}
VALUE(owens_t)
{
    acb_t w, from, to;
    arb_t h;
    mag_t tolerance;
    UNUSED_K;
    acb_init(w);
    acb_init(from);
    acb_init(to);
    arb_init(h);
    mag_init(tolerance);
    arb_sqr(h, x, prec);
    arb_mul_2exp_si(h, h, -1);
    arb_neg(acb_realref(w), h);
    arb_exp(acb_realref(w), acb_realref(w), prec);
    arb_mul(acb_realref(w), acb_realref(w), x + 1, prec);
    arb_get_mag(tolerance, acb_realref(w));
    mag_mul_2exp_si(tolerance, tolerance, -80);
    acb_set_arb(to, x + 1);
    acb_zero(w);
    acb_calc_integrate_opt_t options;
    acb_calc_integrate_opt_init(options);
    options->eval_limit = 2000;
    acb_calc_integrate(w, owen_integrand, h, from, to, 80, tolerance, options, prec);
    arb_const_pi(h, prec);
    arb_mul_2exp_si(h, h, 1);
    arb_div(y, acb_realref(w), h, prec);
    acb_clear(w);
    acb_clear(from);
    acb_clear(to);
    arb_clear(h);
    mag_clear(tolerance);
}

/* ---- polylogarithms ------------------------------------------------------------------------- */

/* Im Li_2(exp(i x)) */
VALUE(clausen)
{
    acb_t w, z;
    UNUSED_K;
    acb_init(w);
    acb_init(z);
    arb_sin_cos(acb_imagref(z), acb_realref(z), x, prec);
    acb_polylog_si(w, 2, z, prec);
    arb_set(y, acb_imagref(w));
    acb_clear(w);
    acb_clear(z);
}
/* 1 - n x / (2 n + 2) + n sum B_2k x^2k / ((2 k + n) (2 k)!), |x| < 3: what follows is below
   8 (x / 2 pi)^2k */
static void add_bernoulli(arb_ptr y, const arb_t x, int64_t n, slong prec)
{
    arb_t q, power, t;
    arb_init(q);
    arb_init(power);
    arb_init(t);
    arb_mul_si(y, x, -(slong)n, prec);
    arb_div_si(y, y, 2 * (slong)n + 2, prec);
    arb_add_ui(y, y, 1, prec);
    arb_sqr(q, x, prec);
    arb_one(power); /* x^2k / (2k)! */
    slong most = prec / 2 + 10; /* (3 / 2 pi)^2 < 1 / 4 */
    bernoulli_cache_compute(2 * most + 2);
    for (slong k = 1; k <= most; k++) {
        arb_mul(power, power, q, prec);
        arb_div_si(power, power, 2 * k * (2 * k - 1), prec);
        arb_bernoulli_ui(t, (ulong)(2 * k), prec);
        arb_mul(t, t, power, prec);
        arb_mul_si(t, t, (slong)n, prec);
        arb_div_si(t, t, 2 * k + (slong)n, prec);
        arb_add(y, y, t, prec);
    }
    arb_set_si(t, 1);
    arb_mul_2exp_si(t, t, 3 - 2 * most);
    arb_add_error(y, t);
    arb_clear(q);
    arb_clear(power);
    arb_clear(t);
}
/* sum of e^k / k^s, 0 <= e < 1/20 */
static void add_powers(arb_t y, ulong s, const arb_t e, slong prec)
{
    arb_t power, t;
    arb_init(power);
    arb_init(t);
    arb_zero(y);
    arb_one(power);
    slong most = prec / 4 + 10;
    for (slong k = 1; k <= most; k++) {
        arb_mul(power, power, e, prec);
        arb_set_si(t, k);
        arb_pow_ui(t, t, s, prec);
        arb_div(t, power, t, prec);
        arb_add(y, y, t, prec);
    }
    arb_mul(power, power, e, prec);
    arb_mul_2exp_si(power, power, 1);
    arb_add_error(y, power);
    arb_clear(power);
    arb_clear(t);
}
/* Li_1 to Li_21 of e^-x, kept for some arguments: they are asked for again with the next order */
static arb_srcptr keep_powers(const arb_t x, const arb_t e, slong prec)
{
    enum { KEPT = 256, MOST = 21 };
    static struct {
        double x;
        slong prec;
        arb_struct y[MOST];
    } kept[KEPT];
    static int n_used = 0;
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    int i = 0;
    while (i < KEPT && !(kept[i].x == at && kept[i].prec == prec))
        i++;
    if (i < KEPT)
        return kept[i].y;
    i = n_used++ % KEPT;
    kept[i].x = at;
    kept[i].prec = prec;
    arb_t t;
    arb_init(t);
    arb_sub_ui(t, e, 1, prec);
    arb_neg(t, t);
    arb_log(t, t, prec);
    arb_neg(kept[i].y, t);
    for (ulong j = 2; j <= MOST; j++)
        add_powers(kept[i].y + j - 1, j, e, prec);
    arb_clear(t);
    return kept[i].y;
}
/* n / x^n (n! zeta(n + 1) - sum of n! / (n - j)! x^(n - j) Li_(j + 1)(e^-x)) for |x|; below 0 n /
   (n + 1) |x| more */
static void set_debye(arb_ptr y, const arb_t at, int64_t n, slong prec)
{
    arb_t x, e, t, f, sum;
    arb_init(x);
    arb_init(e);
    arb_init(t);
    arb_init(f);
    arb_init(sum);
    arb_abs(x, at);
    if (arf_cmp_si(arb_midref(x), 3) < 0) {
        add_bernoulli(y, at, n, prec);
        arb_clear(x);
        arb_clear(e);
        arb_clear(t);
        arb_clear(f);
        arb_clear(sum);
        return;
    }
    arb_neg(e, x);
    arb_exp(e, e, prec);
    arb_srcptr powers = keep_powers(x, e, prec);
    arb_one(f); /* n! / (n - j)! / x^j */
    for (int64_t j = 0; j <= n; j++) {
        arb_mul(t, powers + j, f, prec);
        arb_sub(sum, sum, t, prec);
        arb_mul_si(f, f, (slong)(n - j), prec);
        if (j < n)
            arb_div(f, f, x, prec);
        if (j == n - 1) {
            arb_zeta_ui(t, (ulong)n + 1, prec);
            arb_mul(t, t, f, prec);
            arb_add(sum, sum, t, prec);
        }
    }
    arb_mul_si(y, sum, (slong)n, prec);
    if (arb_is_negative(at)) {
        arb_mul_si(t, x, (slong)n, prec);
        arb_div_si(t, t, (slong)n + 1, prec);
        arb_add(y, y, t, prec);
    }
    arb_clear(x);
    arb_clear(e);
    arb_clear(t);
    arb_clear(f);
    arb_clear(sum);
}
VALUE(debye)
{
    set_debye(y, x, k[0], prec);
}
/* x^(n - 1) (n / (n - 1) D_(n - 1)(x) - x / (e^x - 1)) */
VALUE(transport)
{
    arb_t t;
    arb_init(t);
    set_debye(y, x, k[0] - 1, prec);
    arb_mul_si(y, y, (slong)k[0], prec);
    arb_div_si(y, y, (slong)k[0] - 1, prec);
    arb_expm1(t, x, prec);
    arb_div(t, x, t, prec);
    arb_sub(y, y, t, prec);
    arb_pow_ui(t, x, (ulong)k[0] - 1, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
}
/* -Li_(order + 1)(-e^x) */
VALUE(fermi_dirac)
{
    arb_t s, z;
    UNUSED_K;
    arb_init(s);
    arb_init(z);
    arb_add_ui(s, x, 1, prec);
    arb_exp(z, x + 1, prec);
    arb_neg(z, z);
    arb_polylog(y, s, z, prec);
    arb_neg(y, y);
    arb_clear(s);
    arb_clear(z);
}
VALUE(spence)
{
    arb_t z;
    UNUSED_K;
    arb_init(z);
    arb_sub_ui(z, x, 1, prec);
    arb_neg(z, z);
    arb_hypgeom_dilog(y, z, prec);
    arb_clear(z);
}
VALUE(dirichlet_eta)
{
    acb_t w, s;
    UNUSED_K;
    acb_init(w);
    acb_init(s);
    acb_set_arb(s, x);
    acb_dirichlet_eta(w, s, prec);
    keep_real(y, w);
    acb_clear(w);
    acb_clear(s);
}

/* of 1: it has roots at -2, -4, ... */
UNIT(dirichlet_eta)
{
    UNUSED_UNIT;
    arb_abs(u, y);
    if (arf_cmpabs_2exp_si(arb_midref(u), 0) < 0)
        arb_one(u);
}

/* ---- gamma ---------------------------------------------------------------------------------- */

VALUE(gamma)
{
    UNUSED_K;
    arb_gamma(y, x, prec);
}
VALUE(rgamma)
{
    UNUSED_K;
    arb_rgamma(y, x, prec);
}
/* Newton's steps from log or the pole; what is left of the last one is its radius */
VALUE(digammainv)
{
    arb_t t, f, g, one, two;
    mag_t m;
    UNUSED_K;
    arb_init(t);
    arb_init(f);
    arb_init(g);
    arb_init(one);
    arb_init(two);
    mag_init(m);
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_set_d(t, at > -2.2 ? 0.5 : -1 / (at + 0.57721566490153286));
    if (at > -2.2) {
        arb_exp(g, x, prec);
        arb_add(t, t, g, prec);
    }
    arb_one(one);
    arb_set_ui(two, 2);
    for (int i = 0; i < 12; i++) {
        arb_digamma(f, t, prec);
        arb_sub(f, f, x, prec);
        acb_t a, s, w; /* trigamma = zeta(2, t) */
        acb_init(a);
        acb_init(s);
        acb_init(w);
        acb_set_ui(s, 2);
        acb_set_arb(a, t);
        acb_dirichlet_hurwitz(w, s, a, prec);
        arb_div(f, f, acb_realref(w), prec);
        acb_clear(a);
        acb_clear(s);
        acb_clear(w);
        arb_sub(t, t, f, prec);
        mag_zero(arb_radref(t));
        if (arb_is_zero(f) || arf_cmpabs_2exp_si(arb_midref(f), -200) < 0)
            break;
        arb_div(g, f, t, 64);
        if (arf_cmpabs_2exp_si(arb_midref(g), -90) < 0)
            break;
    }
    arb_get_mag(m, f);
    arb_set(y, t);
    arb_add_error_mag(y, m);
    arb_clear(t);
    arb_clear(f);
    arb_clear(g);
    arb_clear(one);
    arb_clear(two);
    mag_clear(m);
}
/* gamma(a) gamma(b) / gamma(a + b) */
VALUE(beta)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    arb_gamma(y, x, prec);
    arb_gamma(t, x + 1, prec);
    arb_mul(y, y, t, prec);
    arb_add(t, x, x + 1, prec);
    arb_rgamma(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
}
VALUE(betaln)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    arb_lgamma(y, x, prec);
    arb_lgamma(t, x + 1, prec);
    arb_add(y, y, t, prec);
    arb_add(t, x, x + 1, prec);
    arb_lgamma(t, t, prec);
    arb_sub(y, y, t, prec);
    arb_clear(t);
}
/* the largest of the three logarithms and 1 */
UNIT(betaln)
{
    arb_t t;
    UNUSED_UNIT;
    arb_init(t);
    arb_add(t, x, x + 1, 64);
    arb_lgamma(t, t, 64);
    arb_abs(t, t);
    arb_one(u);
    if (arb_lt(u, t))
        arb_set(u, t);
    for (int i = 0; i < 2; i++) {
        arb_lgamma(t, x + i, 64);
        arb_abs(t, t);
        if (arb_lt(u, t))
            arb_set(u, t);
    }
    arb_clear(t);
}
VALUE(binom)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    arb_add_ui(t, x, 1, prec);
    arb_gamma(y, t, prec);
    arb_add_ui(t, x + 1, 1, prec);
    arb_rgamma(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_sub(t, x, x + 1, prec);
    arb_add_ui(t, t, 1, prec);
    arb_rgamma(t, t, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
}
/* log gamma_p(a) = p (p - 1) / 4 log(pi) + sum of log gamma(a - j / 2) */
VALUE(multigammaln)
{
    arb_t t, a;
    arb_init(t);
    arb_init(a);
    arb_const_pi(t, prec);
    arb_log(t, t, prec);
    arb_mul_si(y, t, (slong)(k[0] * (k[0] - 1)), prec);
    arb_mul_2exp_si(y, y, -2);
    for (int64_t j = 0; j < k[0]; j++) {
        arb_set_d(a, -0.5 * (double)j);
        arb_add(a, a, x, prec);
        arb_lgamma(t, a, prec);
        arb_add(y, y, t, prec);
    }
    arb_clear(t);
    arb_clear(a);
}

/* ---- quotients ------------------------------------------------------------------------------ */

VALUE(exprel)
{
    UNUSED_K;
    arb_expm1(y, x, prec);
    arb_div(y, y, x, prec);
}
VALUE(cosm1)
{
    UNUSED_K;
    arb_mul_2exp_si(y, x, -1);
    arb_sin(y, y, prec);
    arb_sqr(y, y, prec);
    arb_mul_2exp_si(y, y, 1);
    arb_neg(y, y);
}
/* (exp(lambda log) - 1) / lambda; exp(log(1 + lambda y) / lambda) */
static void set_power(arb_ptr y, const arb_t log, const arb_t lambda, slong prec)
{
    if (arb_is_zero(lambda)) {
        arb_set(y, log);
        return;
    }
    arb_mul(y, log, lambda, prec);
    arb_expm1(y, y, prec);
    arb_div(y, y, lambda, prec);
}
static void set_inverse(arb_ptr y, arb_srcptr x, slong prec)
{
    if (arb_is_zero(x + 1)) {
        arb_set(y, x);
        return;
    }
    arb_mul(y, x, x + 1, prec);
    arb_log1p(y, y, prec);
    arb_div(y, y, x + 1, prec);
}
VALUE(boxcox)
{
    UNUSED_K;
    arb_log(y, x, prec);
    set_power(y, y, x + 1, prec);
}
VALUE(boxcox1p)
{
    UNUSED_K;
    arb_log1p(y, x, prec);
    set_power(y, y, x + 1, prec);
}
VALUE(inv_boxcox)
{
    UNUSED_K;
    set_inverse(y, x, prec);
    arb_exp(y, y, prec);
}
VALUE(inv_boxcox1p)
{
    UNUSED_K;
    set_inverse(y, x, prec);
    arb_expm1(y, y, prec);
}

/* ---- deviations ----------------------------------------------------------------------------- */

VALUE(log1pmx)
{
    UNUSED_K;
    arb_log1p(y, x, prec);
    arb_sub(y, y, x, prec);
}
VALUE(poch)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    arb_add(t, x, x + 1, prec);
    arb_gamma(y, t, prec);
    arb_rgamma(t, x, prec);
    arb_mul(y, y, t, prec);
    arb_clear(t);
}
/* x log(x / y) - x + y */
VALUE(kl_div)
{
    arb_t t;
    UNUSED_K;
    arb_init(t);
    if (arb_is_zero(x)) {
        arb_zero(y);
    } else {
        arb_div(t, x, x + 1, prec);
        arb_log(t, t, prec);
        arb_mul(y, t, x, prec);
    }
    arb_sub(t, x + 1, x, prec);
    arb_add(y, y, t, prec);
    arb_clear(t);
}
VALUE(huber)
{
    arb_t size, half;
    UNUSED_K;
    arb_init(size);
    arb_init(half);
    arb_abs(size, x + 1);
    if (arb_le(size, x)) {
        arb_sqr(y, size, prec);
        arb_mul_2exp_si(y, y, -1);
    } else {
        arb_mul_2exp_si(half, x, -1);
        arb_sub(y, size, half, prec);
        arb_mul(y, y, x, prec);
    }
    arb_clear(size);
    arb_clear(half);
}
VALUE(pseudo_huber)
{
    UNUSED_K;
    if (arb_is_zero(x)) {
        arb_zero(y);
        return;
    }
    arb_div(y, x + 1, x, prec);
    arb_sqr(y, y, prec);
    arb_sqrt1pm1(y, y, prec);
    arb_mul(y, y, x, prec);
    arb_mul(y, y, x, prec);
}
/* 2 sum of (-1)^(k - 1) exp(-2 k^2 x^2), whose rest is less than its next term; next to 0 1 less
   sqrt(2 pi) / x sum of exp(-(2 k - 1)^2 pi^2 / (8 x^2)), whose rest is less than twice that */
VALUE(kolmogorov)
{
    arb_t q, t, sum;
    UNUSED_K;
    arb_init(q);
    arb_init(t);
    arb_init(sum);
    bool far = arf_cmp_d(arb_midref(x), 0.75) > 0;
    arb_sqr(q, x, prec);
    if (far) {
        arb_mul_si(q, q, -2, prec);
    } else {
        arb_const_pi(t, prec);
        arb_sqr(t, t, prec);
        arb_div(q, t, q, prec);
        arb_mul_2exp_si(q, q, -3);
        arb_neg(q, q);
    }
    for (slong i = 1;; i++) {
        arb_mul_si(t, q, far ? i * i : (2 * i - 1) * (2 * i - 1), prec);
        arb_exp(t, t, prec);
        if (i * i > prec) {
            arb_mul_2exp_si(t, t, 1);
            arb_add_error(sum, t);
            break;
        }
        if (far && i % 2 == 0)
            arb_neg(t, t);
        arb_add(sum, sum, t, prec);
    }
    if (far) {
        arb_mul_2exp_si(y, sum, 1);
    } else {
        arb_const_pi(t, prec);
        arb_mul_2exp_si(t, t, 1);
        arb_sqrt(t, t, prec);
        arb_mul(sum, sum, t, prec);
        arb_div(sum, sum, x, prec);
        arb_sub_ui(y, sum, 1, prec);
        arb_neg(y, y);
    }
    arb_clear(q);
    arb_clear(t);
    arb_clear(sum);
}
