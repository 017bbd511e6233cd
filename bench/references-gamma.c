/* bench/references-gamma.c - gamma, beta and Bessel functions at PRECISION bits and more, by MPFR's
   gamma function of positive arguments and by series of positive terms. */
#include "bench/references.h"

#define N MPFR_RNDN
#define VALUE(name) void v_##name(mpfr_t y, mpfr_t *x, int64_t order)
#define UNUSED_ORDER (void)order
enum { GAMMA_BITS = 700 };

/* ---- logarithm of gamma and its derivatives ------------------------------------------ */

/* log gamma(x), x > 0: MPFR's; Stirling's series (DLMF 5.11.1) beyond 2^100, where its terms fall
   by 2^-200 */
static void log_gamma(mpfr_t y, mpfr_t x)
{
    mpfr_t t;
    if (mpfr_inf_p(x) || mpfr_get_exp(x) < 100) {
        mpfr_lngamma(y, x, N);
        return;
    }
    mpfr_init2(t, mpfr_get_prec(y));
    mpfr_log(y, x, N);
    mpfr_mul(t, y, x, N);
    mpfr_sub(t, t, x, N);
    mpfr_div_2ui(y, y, 1, N);
    mpfr_sub(y, t, y, N);
    mpfr_const_pi(t, N);
    mpfr_mul_2ui(t, t, 1, N);
    mpfr_log(t, t, N);
    mpfr_div_2ui(t, t, 1, N);
    mpfr_add(y, y, t, N);
    mpfr_mul_ui(t, x, 12, N);
    mpfr_ui_div(t, 1, t, N);
    mpfr_add(y, y, t, N);
    mpfr_clear(t);
}
/* log |gamma(x)|; below 0 by log(pi / |sin(pi x)|) - log gamma(1 - x) */
VALUE(lgamma)
{
    mpfr_t t, s;
    UNUSED_ORDER;
    mpfr_set_prec(y, 2 * PRECISION);
    if (mpfr_sgn(x[0]) > 0 || mpfr_nan_p(x[0])) {
        log_gamma(y, x[0]);
    } else if (mpfr_integer_p(x[0]) || mpfr_inf_p(x[0])) {
        mpfr_set_inf(y, 1);
    } else {
        mpfr_inits2(2 * PRECISION, t, s, (mpfr_ptr)0);
        mpfr_ui_sub(t, 1, x[0], N);
        log_gamma(y, t);
        mpfr_sinpi(s, x[0], N);
        mpfr_abs(s, s, N);
        mpfr_const_pi(t, N);
        mpfr_div(s, t, s, N);
        mpfr_log(s, s, N);
        mpfr_sub(y, s, y, N);
        mpfr_clears(t, s, (mpfr_ptr)0);
    }
}
/* its derivative; below 0 that at 1 - x less pi cot(pi x) */
VALUE(digamma)
{
    mpfr_t t, s;
    UNUSED_ORDER;
    mpfr_set_prec(y, 2 * PRECISION);
    if (mpfr_regular_p(x[0]) && mpfr_get_exp(x[0]) > 300) { /* log(x), less 1 / (2 x) */
        mpfr_inits2(2 * PRECISION, t, s, (mpfr_ptr)0);
        mpfr_log(y, x[0], N);
        mpfr_ui_div(t, 1, x[0], N);
        mpfr_div_2ui(t, t, 1, N);
        mpfr_sub(y, y, t, N);
        mpfr_clears(t, s, (mpfr_ptr)0);
    } else if (mpfr_sgn(x[0]) >= 0 || mpfr_integer_p(x[0]) || !mpfr_regular_p(x[0])) {
        mpfr_digamma(y, x[0], N);
    } else {
        mpfr_inits2(2 * PRECISION, t, s, (mpfr_ptr)0);
        mpfr_ui_sub(t, 1, x[0], N);
        mpfr_digamma(y, t, N);
        mpfr_cospi(t, x[0], N);
        mpfr_sinpi(s, x[0], N);
        mpfr_div(s, t, s, N);
        mpfr_const_pi(t, N);
        mpfr_mul(s, s, t, N);
        mpfr_sub(y, y, s, N);
        mpfr_clears(t, s, (mpfr_ptr)0);
    }
}

/* sum of (q + k)^-s to q + k >= 60, then Euler-Maclaurin with B_2j by zeta(2j) */
VALUE(zeta)
{
    enum { TERMS = 44, FAR = 60 };
    static mpfr_t b[TERMS]; /* B_2j / (2j)! = 2 (-1)^(j+1) zeta(2j) / (2 pi)^(2j) */
    static bool ready;
    mpfr_t q, t, s, f;
    UNUSED_ORDER;
    mpfr_inits2(PRECISION + 64, q, t, s, f, (mpfr_ptr)0);
    if (!ready) {
        ready = true;
        mpfr_const_pi(q, N);
        mpfr_mul_2ui(q, q, 1, N);
        mpfr_sqr(q, q, N);
        mpfr_set_ui(t, 2, N);
        for (int j = 0; j < TERMS; j++) {
            mpfr_div(t, t, q, N);
            mpfr_init2(b[j], PRECISION + 64);
            mpfr_zeta_ui(b[j], 2 * (unsigned long)j + 2, N);
            mpfr_mul(b[j], b[j], t, N);
            if (j % 2)
                mpfr_neg(b[j], b[j], N);
        }
    }
    mpfr_set(q, x[1], N);
    mpfr_set_prec(y, PRECISION + 64);
    mpfr_set_zero(y, 1);
    mpfr_neg(s, x[0], N);
    while (mpfr_cmp_d(q, FAR + mpfr_get_d(x[0], N)) < 0) {
        mpfr_pow(t, q, s, N);
        mpfr_add(y, y, t, N);
        mpfr_add_ui(q, q, 1, N);
        if (mpfr_regular_p(t) && mpfr_get_exp(t) < mpfr_get_exp(y) - PRECISION - 40 &&
            mpfr_sgn(q) > 0)
            goto out;
    }
    mpfr_pow(f, q, s, N); /* q^-s */
    mpfr_mul(t, f, q, N);
    mpfr_sub_ui(s, x[0], 1, N);
    mpfr_div(t, t, s, N);
    mpfr_add(y, y, t, N);
    mpfr_div_2ui(t, f, 1, N);
    mpfr_add(y, y, t, N);
    mpfr_set(s, x[0], N);
    mpfr_mul(f, f, s, N);
    mpfr_div(f, f, q, N);
    for (int j = 0; j < TERMS; j++) {
        mpfr_mul(t, f, b[j], N);
        mpfr_add(y, y, t, N);
        mpfr_add_ui(s, s, 1, N);
        mpfr_mul(f, f, s, N);
        mpfr_div(f, f, q, N);
        mpfr_add_ui(s, s, 1, N);
        mpfr_mul(f, f, s, N);
        mpfr_div(f, f, q, N);
    }
out:
    mpfr_clears(q, t, s, f, (mpfr_ptr)0);
}
VALUE(polygamma)
{
    mpfr_t a[2];
    mpfr_inits2(64, a[0], a[1], (mpfr_ptr)0);
    mpfr_set_si(a[0], (long)order + 1, N);
    mpfr_set(a[1], x[0], N);
    v_zeta(y, a, -1);
    for (int64_t k = 2; k <= order; k++)
        mpfr_mul_si(y, y, (long)k, N);
    if (order % 2 == 0)
        mpfr_neg(y, y, N);
    mpfr_clears(a[0], a[1], (mpfr_ptr)0);
}

/* ---- incomplete functions ------------------------------------------------------------- */

/* x^a exp(-x) / gamma(a) */
static void gamma_front(mpfr_t y, mpfr_t *x)
{
    mpfr_t t;
    mpfr_init2(t, GAMMA_BITS);
    mpfr_log(y, x[1], N);
    mpfr_mul(y, y, x[0], N);
    mpfr_sub(y, y, x[1], N);
    mpfr_lngamma(t, x[0], N);
    mpfr_sub(y, y, t, N);
    mpfr_exp(y, y, N);
    mpfr_clear(t);
}
/* P over that by the series of positive terms (8.11.4) */
static void gamma_series(mpfr_t sum, mpfr_t *x)
{
    mpfr_t t, k;
    mpfr_inits2(GAMMA_BITS, t, k, (mpfr_ptr)0);
    mpfr_set(k, x[0], N);
    mpfr_ui_div(t, 1, k, N);
    mpfr_set(sum, t, N);
    do {
        mpfr_add_ui(k, k, 1, N);
        mpfr_mul(t, t, x[1], N);
        mpfr_div(t, t, k, N);
        mpfr_add(sum, sum, t, N);
    } while (mpfr_regular_p(t) && mpfr_get_exp(t) >= mpfr_get_exp(sum) - GAMMA_BITS);
    mpfr_clears(t, k, (mpfr_ptr)0);
}
/* Q over that by the continued fraction (8.9.2) for x > a + 1: numerators and denominators of its
   convergents, as long as they differ */
static void gamma_fraction(mpfr_t y, mpfr_t *x)
{
    enum { BITS = PRECISION + 64 };
    mpfr_t p0, q0, p1, q1, b, c, t;
    mpfr_inits2(BITS, p0, q0, p1, q1, b, c, t, (mpfr_ptr)0);
    mpfr_set_ui(p0, 0, N);
    mpfr_set_ui(q0, 1, N);
    mpfr_set_ui(p1, 1, N);
    mpfr_sub(q1, x[1], x[0], N);
    mpfr_add_ui(q1, q1, 1, N);
    mpfr_set(b, q1, N);
    for (long k = 1;; k++) { /* numerator k (a - k), denominator x + 2 k + 1 - a */
        mpfr_add_ui(b, b, 2, N);
        mpfr_sub_si(c, x[0], k, N);
        mpfr_mul_si(c, c, k, N);
        mpfr_mul(p0, p0, c, N);
        mpfr_mul(t, p1, b, N);
        mpfr_add(p0, p0, t, N);
        mpfr_swap(p0, p1);
        mpfr_mul(q0, q0, c, N);
        mpfr_mul(t, q1, b, N);
        mpfr_add(q0, q0, t, N);
        mpfr_swap(q0, q1);
        if (k % 16)
            continue;
        mpfr_div(y, p1, q1, N);
        mpfr_div(t, p0, q0, N);
        mpfr_sub(t, t, y, N);
        if (mpfr_zero_p(t) || mpfr_get_exp(t) < mpfr_get_exp(y) - BITS + 8)
            break;
    }
    mpfr_clears(p0, q0, p1, q1, b, c, t, (mpfr_ptr)0);
}
static void gamma_ratio(mpfr_t y, mpfr_t *x, bool upper)
{
    mpfr_t t;
    mpfr_set_prec(y, GAMMA_BITS);
    mpfr_init2(t, GAMMA_BITS);
    gamma_front(y, x);
    bool far = mpfr_cmp_ui(x[1], 4) > 0 && mpfr_cmp(x[1], x[0]) > 0;
    if (far) {
        mpfr_sub(t, x[1], x[0], N);
        far = mpfr_cmp_ui(t, 1) > 0;
    }
    if (far)
        gamma_fraction(t, x);
    else
        gamma_series(t, x);
    mpfr_mul(y, y, t, N);
    if (far != upper)
        mpfr_ui_sub(y, 1, y, N);
    mpfr_clear(t);
}
VALUE(gamma_d)
{
    UNUSED_ORDER;
    mpfr_set_prec(y, GAMMA_BITS);
    gamma_front(y, x);
    mpfr_div(y, y, x[1], N);
}
VALUE(gammainc) { UNUSED_ORDER; gamma_ratio(y, x, false); }
VALUE(gammaincc) { UNUSED_ORDER; gamma_ratio(y, x, true); }

/* z^a (1 - z)^b / B(a, b) */
static void beta_front(mpfr_t y, mpfr_t a, mpfr_t b, mpfr_t z)
{
    mpfr_t t;
    mpfr_init2(t, GAMMA_BITS);
    mpfr_log(y, z, N);
    mpfr_mul(y, y, a, N);
    mpfr_neg(t, z, N);
    mpfr_log1p(t, t, N);
    mpfr_mul(t, t, b, N);
    mpfr_add(y, y, t, N);
    mpfr_add(t, a, b, N);
    mpfr_lngamma(t, t, N);
    mpfr_add(y, y, t, N);
    mpfr_lngamma(t, b, N);
    mpfr_sub(y, y, t, N);
    mpfr_lngamma(t, a, N);
    mpfr_sub(y, y, t, N);
    mpfr_exp(y, y, N);
    mpfr_clear(t);
}
/* that times a series of positive terms (DLMF 8.17.8); above the mean and next to 1, where it
   converges slowly, 1 less that of 1 - z */
VALUE(betainc)
{
    mpfr_t a, b, z, t, k, n;
    UNUSED_ORDER;
    mpfr_set_prec(y, GAMMA_BITS);
    mpfr_inits2(GAMMA_BITS, a, b, z, t, k, n, (mpfr_ptr)0);
    mpfr_add(n, x[0], x[1], N);
    mpfr_div(n, x[0], n, N);
    bool flip = mpfr_cmp_d(x[2], mpfr_greater_p(x[2], n) ? 0.5 : 0.999) > 0;
    mpfr_set(a, x[flip ? 1 : 0], N);
    mpfr_set(b, x[flip ? 0 : 1], N);
    mpfr_set(z, x[2], N);
    if (flip)
        mpfr_ui_sub(z, 1, z, N);
    mpfr_ui_div(t, 1, a, N);
    mpfr_set(y, t, N);
    mpfr_add(n, a, b, N);
    mpfr_set(k, a, N);
    do {
        mpfr_add_ui(k, k, 1, N);
        mpfr_mul(t, t, z, N);
        mpfr_mul(t, t, n, N);
        mpfr_div(t, t, k, N);
        mpfr_add_ui(n, n, 1, N);
        mpfr_add(y, y, t, N);
    } while (mpfr_regular_p(t) && mpfr_get_exp(t) >= mpfr_get_exp(y) - GAMMA_BITS);
    beta_front(t, a, b, z);
    mpfr_mul(y, y, t, N);
    if (flip)
        mpfr_ui_sub(y, 1, y, N);
    mpfr_clears(a, b, z, t, k, n, (mpfr_ptr)0);
}
VALUE(beta_d)
{
    mpfr_t t;
    UNUSED_ORDER;
    mpfr_set_prec(y, GAMMA_BITS);
    mpfr_init2(t, GAMMA_BITS);
    beta_front(y, x[0], x[1], x[2]);
    mpfr_div(y, y, x[2], N);
    mpfr_ui_sub(t, 1, x[2], N);
    mpfr_div(y, y, t, N);
    mpfr_clear(t);
}

/* ---- Bessel ---------------------------------------------------------------------- */

/* the power series to |x| = 300, then the asymptotic one (DLMF 10.40.1): exp(-600) is 2^-865 */
static void bessel(mpfr_t y, mpfr_t at, int64_t n, bool scaled)
{
    mpfr_t x, t, sum, k;
    if (mpfr_inf_p(at)) {
        mpfr_set_inf(y, n % 2 ? mpfr_sgn(at) : 1);
        if (scaled)
            mpfr_set_zero(y, 1);
        return;
    }
    mpfr_inits2(PRECISION + 64, x, t, sum, k, (mpfr_ptr)0);
    mpfr_abs(x, at, N);
    mpfr_set_ui(t, 1, N);
    mpfr_set_ui(sum, 1, N);
    if (mpfr_cmp_ui(x, 300) < 0) {
        mpfr_sqr(k, x, N);
        mpfr_div_2ui(k, k, 2, N);
        for (long j = 1; mpfr_regular_p(t); j++) {
            mpfr_mul(t, t, k, N);
            mpfr_div_si(t, t, j * (j + (long)n), N);
            mpfr_add(sum, sum, t, N);
            if (mpfr_regular_p(t) && mpfr_get_exp(t) < mpfr_get_exp(sum) - PRECISION - 20)
                break;
        }
        mpfr_div_2ui(t, x, 1, N);
        mpfr_pow_si(t, t, (long)n, N);
        mpfr_mul(sum, sum, t, N);
        for (int64_t j = 2; j <= n; j++)
            mpfr_div_si(sum, sum, (long)j, N);
        mpfr_neg(t, x, N);
        mpfr_exp(t, t, N);
        if (scaled)
            mpfr_mul(sum, sum, t, N);
    } else {
        for (long j = 1; j < 500; j++) {
            mpfr_mul_si(t, t, (2 * j - 1) * (2 * j - 1) - 4 * (long)(n * n), N);
            mpfr_div_si(t, t, 8 * j, N);
            mpfr_div(t, t, x, N);
            mpfr_add(sum, sum, t, N);
            if (mpfr_regular_p(t) && mpfr_get_exp(t) < -PRECISION - 20)
                break;
        }
        mpfr_const_pi(t, N);
        mpfr_mul_2ui(t, t, 1, N);
        mpfr_mul(t, t, x, N);
        mpfr_sqrt(t, t, N);
        mpfr_div(sum, sum, t, N);
        mpfr_exp(t, x, N);
        if (!scaled)
            mpfr_mul(sum, sum, t, N);
    }
    mpfr_set(y, sum, N);
    if (n % 2 && mpfr_sgn(at) < 0)
        mpfr_neg(y, y, N);
    mpfr_clears(x, t, sum, k, (mpfr_ptr)0);
}
VALUE(bessel_i) { bessel(y, x[0], order, false); }
VALUE(bessel_ie) { bessel(y, x[0], order, true); }
