/* bench/references.c - elementary functions and the error function's relatives at PRECISION bits
   and more, from MPFR; none shares code or method with the library. */
#include "bench/references.h"

#include <math.h>

#define N MPFR_RNDN
#define VALUE(name) void v_##name(mpfr_t y, mpfr_t *x, int64_t order)
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
LIBRARY(atanh) LIBRARY(erf) LIBRARY(erfc)

VALUE(rsqrt) /* of -0 -infinity, as IEEE 754 has it and MPFR's own has not */
{
    UNUSED_ORDER;
    mpfr_sqrt(y, x[0], N);
    mpfr_ui_div(y, 1, y, N);
}
VALUE(reciprocal) { UNUSED_ORDER; mpfr_ui_div(y, 1, x[0], N); }
VALUE(div) { UNUSED_ORDER; mpfr_div(y, x[0], x[1], N); }
VALUE(pow) { UNUSED_ORDER; mpfr_pow(y, x[0], x[1], N); }
VALUE(atan2) { UNUSED_ORDER; mpfr_atan2(y, x[0], x[1], N); }
VALUE(hypot) { UNUSED_ORDER; mpfr_hypot(y, x[0], x[1], N); }

/* the sign of a zero is not judged */
VALUE(fmod)
{
    UNUSED_ORDER;
    mpfr_set_prec(y, 2200);
    mpfr_fmod(y, x[0], x[1], N);
}
VALUE(remainder)
{
    v_fmod(y, x, order);
    if (mpfr_regular_p(y) && (mpfr_sgn(y) < 0) != (mpfr_sgn(x[1]) < 0))
        mpfr_add(y, y, x[1], N);
}

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
    if (mpfr_cmp_si(d, -100000) < 0 || mpfr_nan_p(d)) {
        mpfr_set_zero(y, 1);
    } else if (two) {
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

/* sin(pi x) / (pi x) = s, or s' = (cos(pi x) - s) / x, near 0 -pi^2 x / 3 (1 - pi^2 x^2 / 10) */
VALUE(sinc)
{
    mpfr_t t;
    if (mpfr_zero_p(x[0]) || mpfr_inf_p(x[0])) {
        mpfr_set_ui(y, order == 0 && mpfr_zero_p(x[0]), N);
        return;
    }
    mpfr_set_prec(y, 2 * PRECISION);
    mpfr_init2(t, 2 * PRECISION);
    mpfr_const_pi(y, N);
    if (order && mpfr_get_exp(x[0]) < -80) {
        mpfr_sqr(y, y, N);
        mpfr_mul(y, y, x[0], N);
        mpfr_div_si(y, y, -3, N);
    } else {
        mpfr_sinpi(t, x[0], N);
        mpfr_mul(y, y, x[0], N);
        mpfr_div(y, t, y, N);
        if (order) {
            mpfr_cospi(t, x[0], N);
            mpfr_sub(y, t, y, N);
            mpfr_div(y, y, x[0], N);
        }
    }
    mpfr_clear(t);
}

/* ---- the error function's relatives ---------------------------------------------- */

/* e = exp(x^2) erfc(x), or its derivative 2 x e - 2 / sqrt(pi), which cancels for large x */
VALUE(erfcx)
{
    mpfr_t t;
    mpfr_init2(t, 2 * PRECISION);
    mpfr_set_prec(y, 2 * PRECISION);
    mpfr_sqr(t, x[0], N);
    mpfr_exp(t, t, N);
    mpfr_erfc(y, x[0], N);
    mpfr_mul(y, y, t, N);
    if (order) {
        mpfr_mul(y, y, x[0], N);
        mpfr_const_pi(t, N);
        mpfr_rec_sqrt(t, t, N);
        mpfr_sub(y, y, t, N);
        mpfr_mul_2ui(y, y, 1, N);
    }
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
VALUE(gelu)
{
    UNUSED_ORDER;
    half_erfc(y, x[0]);
    mpfr_mul(y, y, x[0], N);
}
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
