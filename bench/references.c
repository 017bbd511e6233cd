/* bench/references.c - definitions at PRECISION bits and more, from MPFR and from series that
   converge everywhere; none shares code or method with the library. */
#include "bench/references.h"

#include <math.h>

#define N MPFR_RNDN
#define VALUE(name) static void v_##name(mpfr_t y, mpfr_t *x, int64_t order)
#define UNUSED_ORDER (void)order

#define LIBRARY(name) \
    VALUE(name) \
    { \
        UNUSED_ORDER; \
        mpfr_##name(y, x[0], N); \
    }
LIBRARY(sqrt) LIBRARY(cbrt) LIBRARY(exp) LIBRARY(exp2) LIBRARY(expm1) LIBRARY(log) LIBRARY(log2)
LIBRARY(log10) LIBRARY(log1p) LIBRARY(sin) LIBRARY(cos) LIBRARY(tan) LIBRARY(asin) LIBRARY(acos)
LIBRARY(atan) LIBRARY(sinh) LIBRARY(cosh) LIBRARY(tanh) LIBRARY(asinh) LIBRARY(acosh)
LIBRARY(atanh) LIBRARY(erf) LIBRARY(erfc) LIBRARY(digamma)

VALUE(rsqrt) { UNUSED_ORDER; mpfr_rec_sqrt(y, x[0], N); }
VALUE(lgamma)
{
    int sign;
    UNUSED_ORDER;
    mpfr_lgamma(y, &sign, x[0], N);
}
VALUE(pow) { UNUSED_ORDER; mpfr_pow(y, x[0], x[1], N); }
VALUE(atan2) { UNUSED_ORDER; mpfr_atan2(y, x[0], x[1], N); }
VALUE(hypot) { UNUSED_ORDER; mpfr_hypot(y, x[0], x[1], N); }

/* 1 / (1 + exp(-x)) */
VALUE(sigmoid)
{
    UNUSED_ORDER;
    mpfr_neg(y, x[0], N);
    mpfr_exp(y, y, N);
    mpfr_add_ui(y, y, 1, N);
    mpfr_ui_div(y, 1, y, N);
}
VALUE(softplus)
{
    UNUSED_ORDER;
    mpfr_exp(y, x[0], N);
    mpfr_log1p(y, y, N);
    if (mpfr_inf_p(y))
        mpfr_set(y, x[0], N);
}
VALUE(logit)
{
    mpfr_t t;
    UNUSED_ORDER;
    mpfr_init2(t, 2200);
    mpfr_ui_sub(t, 1, x[0], N);
    mpfr_div(t, x[0], t, N);
    mpfr_log(y, t, N);
    mpfr_clear(t);
}
/* pi or 180 over the other */
static void degrees(mpfr_t y, mpfr_t x, bool back)
{
    mpfr_const_pi(y, N);
    mpfr_div_ui(y, y, 180, N);
    if (back)
        mpfr_div(y, x, y, N);
    else
        mpfr_mul(y, x, y, N);
}
VALUE(deg2rad) { UNUSED_ORDER; degrees(y, x[0], false); }
VALUE(rad2deg) { UNUSED_ORDER; degrees(y, x[0], true); }

VALUE(xlogy)
{
    UNUSED_ORDER;
    mpfr_log(y, x[1], N);
    mpfr_mul(y, x[0], y, N);
    if (mpfr_zero_p(x[0]))
        mpfr_set_zero(y, 1);
}
VALUE(xlog1py)
{
    UNUSED_ORDER;
    mpfr_log1p(y, x[1], N);
    mpfr_mul(y, x[0], y, N);
    if (mpfr_zero_p(x[0]))
        mpfr_set_zero(y, 1);
}
VALUE(entr)
{
    mpfr_t a[2];
    if (mpfr_sgn(x[0]) < 0) {
        mpfr_set_inf(y, -1);
        return;
    }
    mpfr_inits2(64, a[0], a[1], (mpfr_ptr)0);
    mpfr_set(a[0], x[0], N);
    mpfr_set(a[1], x[0], N);
    v_xlogy(y, a, order);
    mpfr_neg(y, y, N);
    mpfr_clears(a[0], a[1], (mpfr_ptr)0);
}
VALUE(rel_entr)
{
    mpfr_t q;
    UNUSED_ORDER;
    mpfr_init2(q, 320);
    mpfr_div(q, x[0], x[1], N);
    mpfr_log(q, q, N);
    mpfr_mul(y, x[0], q, N);
    if (mpfr_zero_p(x[0]) && mpfr_sgn(x[1]) >= 0)
        mpfr_set_zero(y, 1);
    else if (mpfr_sgn(x[0]) <= 0 || mpfr_sgn(x[1]) <= 0)
        mpfr_set_inf(y, 1);
    mpfr_clear(q);
}
static void log_sum(mpfr_t y, mpfr_t *x, bool two)
{
    mpfr_t d;
    mpfr_init2(d, 2200);
    bool first = mpfr_greaterequal_p(x[0], x[1]);
    mpfr_sub(d, x[first], x[!first], N);
    mpfr_set_prec(y, 640);
    if (two) {
        mpfr_exp2(y, d, N);
        mpfr_log2p1(y, y, N);
    } else {
        mpfr_exp(y, d, N);
        mpfr_log1p(y, y, N);
    }
    mpfr_add(y, y, x[!first], N);
    mpfr_clear(d);
}
VALUE(logaddexp) { UNUSED_ORDER; log_sum(y, x, false); }
VALUE(logaddexp2) { UNUSED_ORDER; log_sum(y, x, true); }

VALUE(sinc)
{
    mpfr_t t;
    UNUSED_ORDER;
    if (mpfr_zero_p(x[0])) {
        mpfr_set_ui(y, 1, N);
        return;
    }
    mpfr_init2(t, PRECISION);
    mpfr_sinpi(t, x[0], N);
    mpfr_const_pi(y, N);
    mpfr_mul(y, y, x[0], N);
    mpfr_div(y, t, y, N);
    mpfr_clear(t);
}

/* ---- the error function's relatives ---------------------------------------------- */

VALUE(erfcx)
{
    mpfr_t t;
    UNUSED_ORDER;
    mpfr_init2(t, PRECISION + 160);
    mpfr_sqr(t, x[0], N);
    mpfr_exp(t, t, N);
    mpfr_erfc(y, x[0], N);
    mpfr_mul(y, y, t, N);
    mpfr_clear(t);
}
static void half_erfc(mpfr_t y, mpfr_t x)
{
    mpfr_t t;
    mpfr_init2(t, PRECISION + 160);
    mpfr_sqrt_ui(t, 2, N);
    mpfr_div(t, x, t, N);
    mpfr_neg(t, t, N);
    mpfr_erfc(y, t, N);
    mpfr_div_2ui(y, y, 1, N);
    mpfr_clear(t);
}
VALUE(ndtr) { UNUSED_ORDER; half_erfc(y, x[0]); }
VALUE(log_ndtr)
{
    mpfr_t t;
    UNUSED_ORDER;
    if (mpfr_sgn(x[0]) <= 0) {
        half_erfc(y, x[0]);
        mpfr_log(y, y, N);
        return;
    }
    mpfr_init2(t, PRECISION);
    mpfr_neg(t, x[0], N);
    half_erfc(y, t);
    mpfr_neg(y, y, N);
    mpfr_log1p(y, y, N);
    mpfr_clear(t);
}
/* Newton's iteration for erfc(y) = q, 0 < q <= 1, by the logarithm, which is concave */
static void inverse_erfc(mpfr_t y, mpfr_t q)
{
    mpfr_t e, d, l;
    mpfr_inits2(PRECISION + 64, e, d, l, (mpfr_ptr)0);
    mpfr_log(l, q, N);
    double s = -mpfr_get_d(l, N);
    mpfr_set_d(y, s < 0.5 ? s * 0.886 : sqrt(s), N);
    for (int k = 0; k < 60; k++) {
        mpfr_erfc(e, y, N);
        mpfr_log(d, e, N);
        mpfr_sub(d, d, l, N); /* (log erfc(y) - l) erfc(y) sqrt(pi)/2 exp(y^2) */
        mpfr_mul(d, d, e, N);
        mpfr_sqr(e, y, N);
        mpfr_exp(e, e, N);
        mpfr_mul(d, d, e, N);
        mpfr_const_pi(e, N);
        mpfr_sqrt(e, e, N);
        mpfr_div_2ui(e, e, 1, N);
        mpfr_mul(d, d, e, N);
        mpfr_add(y, y, d, N);
        if (mpfr_zero_p(d) || mpfr_get_exp(d) < mpfr_get_exp(y) - PRECISION / 2 - 10)
            break;
    }
    mpfr_clears(e, d, l, (mpfr_ptr)0);
}
/* erf^-1(x); near 0 by its series x sqrt(pi)/2 (1 + pi x^2 / 12) */
VALUE(erfinv)
{
    mpfr_t q;
    UNUSED_ORDER;
    mpfr_init2(q, PRECISION + 1100);
    mpfr_abs(q, x[0], N);
    if (mpfr_cmp_ui(q, 1) > 0) {
        mpfr_set_nan(y);
    } else if (mpfr_cmp_ui(q, 1) == 0) {
        mpfr_set_inf(y, 1);
    } else if (mpfr_zero_p(q)) {
        mpfr_set_zero(y, 1);
    } else if (mpfr_get_exp(q) < -60) {
        mpfr_const_pi(y, N);
        mpfr_sqrt(y, y, N);
        mpfr_mul(y, y, q, N);
        mpfr_div_2ui(y, y, 1, N);
    } else {
        mpfr_ui_sub(q, 1, q, N);
        mpfr_set_prec(y, PRECISION + 64);
        inverse_erfc(y, q);
    }
    if (mpfr_sgn(x[0]) < 0)
        mpfr_neg(y, y, N);
    mpfr_clear(q);
}
VALUE(ndtri)
{
    mpfr_t q, half;
    UNUSED_ORDER;
    mpfr_init2(q, PRECISION + 1100);
    mpfr_init2(half, 53);
    mpfr_set_d(half, 0.5, N);
    bool low = mpfr_less_p(x[0], half);
    if (mpfr_sgn(x[0]) < 0 || mpfr_cmp_ui(x[0], 1) > 0) {
        mpfr_set_nan(y);
    } else {
        if (low)
            mpfr_set(q, x[0], N);
        else
            mpfr_ui_sub(q, 1, x[0], N);
        mpfr_mul_2ui(q, q, 1, N);
        mpfr_set_prec(y, PRECISION + 64);
        if (mpfr_zero_p(q)) {
            mpfr_set_inf(y, 1);
        } else {
            inverse_erfc(y, q);
            mpfr_sqrt_ui(q, 2, N);
            mpfr_mul(y, y, q, N);
        }
        if (low)
            mpfr_neg(y, y, N);
    }
    mpfr_clears(q, half, (mpfr_ptr)0);
}

/* ---- gamma and beta -------------------------------------------------------------- */

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

enum { GAMMA_BITS = 700 };
/* P by the series of positive terms, and 1 - P with bits to spare */
static void gamma_ratio(mpfr_t y, mpfr_t *x, bool upper)
{
    mpfr_t t, sum, k, front;
    mpfr_inits2(GAMMA_BITS, t, sum, k, front, (mpfr_ptr)0);
    mpfr_set_ui(t, 1, N);
    mpfr_set_ui(sum, 1, N);
    mpfr_set(k, x[0], N);
    for (;;) {
        mpfr_add_ui(k, k, 1, N);
        mpfr_mul(t, t, x[1], N);
        mpfr_div(t, t, k, N);
        mpfr_add(sum, sum, t, N);
        if (mpfr_zero_p(t) || mpfr_get_exp(t) < mpfr_get_exp(sum) - GAMMA_BITS)
            break;
    }
    mpfr_add_ui(k, x[0], 1, N);
    mpfr_lngamma(front, k, N);
    mpfr_log(t, x[1], N);
    mpfr_mul(t, t, x[0], N);
    mpfr_sub(t, t, x[1], N);
    mpfr_sub(t, t, front, N);
    mpfr_exp(t, t, N);
    mpfr_mul(t, t, sum, N);
    if (upper)
        mpfr_ui_sub(t, 1, t, N);
    mpfr_set(y, t, N);
    mpfr_clears(t, sum, k, front, (mpfr_ptr)0);
}
VALUE(gammainc) { UNUSED_ORDER; gamma_ratio(y, x, false); }
VALUE(gammaincc) { UNUSED_ORDER; gamma_ratio(y, x, true); }
static bool not_gamma(const double *x)
{
    /* where Q is below 2^-430, 1 - P has too few bits */
    return !(x[0] > 1e-90 && x[1] > 1e-300 && x[0] < 2e4 && x[1] < 2e4) ||
           (x[1] > x[0] && x[1] - x[0] - x[0] * log(x[1] / x[0]) > 300);
}

/* x^a (1 - x)^b / (a B(a, b)) times a series of positive terms (DLMF 8.17.8) */
VALUE(betainc)
{
    mpfr_t a, b, z, t, sum, k, n;
    UNUSED_ORDER;
    mpfr_inits2(GAMMA_BITS, a, b, z, t, sum, k, n, (mpfr_ptr)0);
    bool flip = mpfr_cmp_d(x[2], 0.5) > 0;
    mpfr_set(a, x[flip ? 1 : 0], N);
    mpfr_set(b, x[flip ? 0 : 1], N);
    mpfr_set(z, x[2], N);
    if (flip)
        mpfr_ui_sub(z, 1, z, N);
    mpfr_set_ui(t, 1, N);
    mpfr_set_ui(sum, 1, N);
    mpfr_add(n, a, b, N);
    mpfr_set(k, a, N);
    for (;;) {
        mpfr_add_ui(k, k, 1, N);
        mpfr_mul(t, t, z, N);
        mpfr_mul(t, t, n, N);
        mpfr_div(t, t, k, N);
        mpfr_add_ui(n, n, 1, N);
        mpfr_add(sum, sum, t, N);
        if (mpfr_zero_p(t) || mpfr_get_exp(t) < mpfr_get_exp(sum) - GAMMA_BITS)
            break;
    }
    mpfr_log(t, z, N);
    mpfr_mul(t, t, a, N);
    mpfr_neg(k, z, N);
    mpfr_log1p(k, k, N);
    mpfr_mul(k, k, b, N);
    mpfr_add(t, t, k, N);
    mpfr_add(k, a, b, N);
    mpfr_lngamma(k, k, N);
    mpfr_add(t, t, k, N);
    mpfr_lngamma(k, b, N);
    mpfr_sub(t, t, k, N);
    mpfr_add_ui(k, a, 1, N);
    mpfr_lngamma(k, k, N);
    mpfr_sub(t, t, k, N);
    mpfr_exp(t, t, N);
    mpfr_mul(t, t, sum, N);
    if (flip)
        mpfr_ui_sub(t, 1, t, N);
    mpfr_set(y, t, N);
    mpfr_clears(a, b, z, t, sum, k, n, (mpfr_ptr)0);
}
static bool not_beta(const double *x)
{
    return !(x[0] > 1e-90 && x[1] > 1e-90 && x[0] < 3e3 && x[1] < 3e3 && x[2] > 0 && x[2] < 1);
}

/* ---- Bessel ---------------------------------------------------------------------- */

/* the power series to |x| = 300, then the asymptotic one (DLMF 10.40.1): exp(-600) is 2^-865 */
static void bessel(mpfr_t y, mpfr_t at, int64_t n, bool scaled)
{
    mpfr_t x, t, sum, k;
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

/* ---- the table ------------------------------------------------------------------- */

static bool far_below(const double *x) /* MPFR takes minutes over gamma functions there */
{
    return x[0] < -1e6 || fabs(x[0]) > 1e30;
}
static bool not_positive(const double *x)
{
    return !(x[0] > 1e-60 && x[0] < 1e60);
}
static bool not_hurwitz(const double *x)
{
    return !(x[0] > 1 && x[0] < 1e3 && x[1] > 1e-6 && x[1] < 1e6);
}
static bool huge(const double *x) /* MPFR runs out of exponents */
{
    return fabs(x[0]) > 1e8;
}
static bool underflown(const double *x) /* minutes for what is 0 */
{
    return x[0] > 1e4;
}
static bool wide_apart(const double *x)
{
    return fabs(x[0] - x[1]) > 1e8;
}

#define F1(name, lo, hi, ...) \
    {#name, #name, 1, -1, v_##name, {{lo, hi}}, {{__VA_ARGS__, END}}, 0, NULL}
#define F2(name, lo, hi, lo2, hi2, ...) \
    {#name, #name, 2, -1, v_##name, {{lo, hi}, {lo2, hi2}}, {{__VA_ARGS__, END}, {__VA_ARGS__, END}}, 0, NULL}
const function functions[] = {
    F1(sqrt, 0, 1e300, 1), F1(rsqrt, 0, 1e300, 1), F1(cbrt, -1e300, 1e300, 1),
    F1(exp, -708, 709, 0, 709.78, -708.4, -745.1, 88.7, -87.3, -103.9),
    F1(exp2, -1022, 1023, 0, 1024, -1074, 128, -126, -149),
    F1(expm1, -708, 709, 0, 709.78, -37, 88.7, -17), F1(log, 0, 1e300, 1),
    F1(log2, 0, 1e300, 1), F1(log10, 0, 1e300, 1), F1(log1p, -1, 1e300, 0, -1),
    F1(sin, -1e5, 1e5, 3.141592653589793, 6.283185307179586, 355, 1e22, 0),
    F1(cos, -1e5, 1e5, 1.5707963267948966, 4.71238898038469, 1e22, 0),
    F1(tan, -1e5, 1e5, 1.5707963267948966, 3.141592653589793, 1e22, 0),
    F1(asin, -1, 1, 0, 1, -1, 0.5), F1(acos, -1, 1, 0, 1, -1, 0.5), F1(atan, -1e300, 1e300, 0, 1, 0.4375),
    F1(sinh, -709, 709, 0, 1, 22, 710.47, 89.4), F1(cosh, -709, 709, 0, 1, 22, 710.47, 89.4),
    F1(tanh, -30, 30, 0, 0.5, 1, 22), F1(asinh, -1e300, 1e300, 0, 1, 2), F1(acosh, 1, 1e300, 1, 2),
    F1(atanh, -1, 1, 0, 1, -1, 0.5), F1(erf, -6, 6, 0, 0.84375, 0.65, 1.25, 6),
    {"erfc", "erfc", 1, -1, v_erfc, {{-6, 26}}, {{0, 0.84375, 0.65, 1.25, 6, 26.5, 10, END}}, 0, underflown},
    F1(sigmoid, -700, 700, 0, 36, -745, -88), F1(softplus, -700, 700, 0, 36, -745, -88),
    F1(logit, 0, 1, 0, 0.25, 0.5, 0.75, 1), F1(deg2rad, -1e300, 1e300, 1), F1(rad2deg, -1e300, 1e300, 1),
    F2(pow, 0, 1e4, -50, 50, 0, 1, 2, 0.5, -1), F2(atan2, -1e4, 1e4, -1e4, 1e4, 0, 1, -1),
    F2(hypot, -1e4, 1e4, -1e4, 1e4, 0, 1, -1), F2(xlogy, -1e4, 1e4, 0, 1e4, 0, 1),
    F2(xlog1py, -1e4, 1e4, -1, 1e4, 0, -1), F1(entr, 0, 1e4, 1, 0),
    F2(rel_entr, 0, 1e4, 0, 1e4, 1, 2, 0.5),
    {"logaddexp", "logaddexp", 2, -1, v_logaddexp, {{0, 700}, {-700, 700}}, {{0, 1, END}, {0, 1, END}}, 0, wide_apart},
    {"logaddexp2", "logaddexp2", 2, -1, v_logaddexp2, {{0, 700}, {-700, 700}}, {{0, 1, END}, {0, 1, END}}, 0, wide_apart},
    {"sinc", "sinc", 1, 0, v_sinc, {{-1e4, 1e4}}, {{0, 1, 2, 3, 0.5, END}}, 0, NULL},
    {"erfcx", "erfcx", 1, 0, v_erfcx, {{-26, 1e4}}, {{0, 28, -26.6, 3.75, END}}, 1 << 18, huge},
    {"ndtr", "ndtr", 1, -1, v_ndtr, {{-37, 10}}, {{0, -1, -38, END}}, 1 << 18, huge},
    {"log_ndtr", "log_ndtr", 1, -1, v_log_ndtr, {{-1e4, 37}}, {{0, -1, 1, 8, END}}, 1 << 18, huge},
    {"erfinv", "erfinv", 1, -1, v_erfinv, {{-1, 1}}, {{0, 1, 0.85, END}}, 1 << 16, NULL},
    {"ndtri", "ndtri", 1, -1, v_ndtri, {{0, 1}}, {{0, 0.5, 1, 0.925, 0.075, 1e-11, END}}, 1 << 16, NULL},
    {"lgamma", "lgamma", 1, -1, v_lgamma, {{0, 1e30}}, {{1, 2, -1, -2.457024738, -2.747682646, END}}, 1 << 18, far_below},
    {"digamma", "digamma", 1, -1, v_digamma, {{0, 1e30}}, {{1.4616321449683622, -1, -0.504083008, 10, END}}, 1 << 18, far_below},
    {"polygamma 1", "polygamma", 1, 1, v_polygamma, {{0, 1e30}}, {{1, 10, END}}, 1 << 15, not_positive},
    {"polygamma 2", "polygamma", 1, 2, v_polygamma, {{0, 1e30}}, {{1, 10, END}}, 1 << 15, not_positive},
    {"zeta", "zeta", 2, -1, v_zeta, {{1, 100}, {1e-3, 1e3}}, {{1, 2, END}, {1, 12, END}}, 1 << 15, not_hurwitz},
    {"gammainc", "gammainc", 2, -1, v_gammainc, {{0, 100}, {0, 100}}, {{1, 1.1, 1000, END}, {1, 1.1, 1000, END}}, 1 << 15, not_gamma},
    {"gammaincc", "gammaincc", 2, -1, v_gammaincc, {{0, 100}, {0, 100}}, {{1, 1.1, 1000, END}, {1, 1.1, 1000, END}}, 1 << 15, not_gamma},
    {"betainc", "betainc", 3, -1, v_betainc, {{0.1, 100}, {0.1, 100}, {0, 1}}, {{1, END}, {1, END}, {0.5, 1, END}}, 1 << 15, not_beta},
    {"i0", "bessel_i", 1, 0, v_bessel_i, {{-700, 700}}, {{0, 20, 713, END}}, 1 << 16, NULL},
    {"i1", "bessel_i", 1, 1, v_bessel_i, {{-700, 700}}, {{0, 20, 713, END}}, 1 << 16, NULL},
    {"bessel_i 5", "bessel_i", 1, 5, v_bessel_i, {{-700, 700}}, {{0, 20, 25, END}}, 1 << 16, NULL},
    {"i0e", "bessel_ie", 1, 0, v_bessel_ie, {{-1e4, 1e4}}, {{0, 20, END}}, 1 << 16, NULL},
    {"i1e", "bessel_ie", 1, 1, v_bessel_ie, {{-1e4, 1e4}}, {{0, 20, END}}, 1 << 16, NULL},
};
const int n_functions = (int)(sizeof functions / sizeof *functions);
