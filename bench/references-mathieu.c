/* bench/references-mathieu.c - Mathieu's characteristic values and functions (DLMF 28.4), and modified
   functions by products of Bessel functions (28.24). */
#include "bench/references-eigenvalues.h"

#include <math.h>

/* Mathieu's: even or odd harmonics of an even or odd function of order n at q (DLMF 28.4.5 to 28.4.8) */
static slong open_mathieu(matrix *m, arb_t q, bool odd, slong n, slong prec)
{
    double size = fabs(arf_get_d(arb_midref(q), ARF_RND_NEAR));
    slong first = n % 2 ? 1 : odd ? 2 : 0, rows = 30 + n / 2 + prec / 8 + (slong)(1.5 * sqrt(size));
    agni_open_matrix(m, rows < MOST_ROWS ? rows : MOST_ROWS);
    for (slong r = 0; r < m->rows; r++) {
        arb_set_si(m->diagonal + r, (first + 2 * r) * (first + 2 * r));
        if (r == 0 && first == 1)
            (odd ? arb_sub : arb_add)(m->diagonal, m->diagonal, q, prec);
        arb_sqr(m->beside + r, q, prec);
        if (r == 0 && first == 0)
            arb_mul_2exp_si(m->beside, m->beside, 1);
    }
    return first;
}
/* the value (arb_ptr y), or at x the function, of square sum 1 over harmonics */
static void set_mathieu(arb_ptr y, arb_srcptr x, bool odd, bool value, slong n, slong prec)
{
    matrix m;
    arb_t a, q, sum, square, c, s, t;
    arb_init(a);
    arb_init(q);
    arb_init(sum);
    arb_init(square);
    arb_init(c);
    arb_init(s);
    arb_init(t);
    arb_set(q, x);
    slong first = open_mathieu(&m, q, odd, n, prec);
    arb_ptr v = _arb_vec_init(m.rows);
    if (!agni_set_eigenpair(a, v, &m, n / 2 - (odd && n % 2 == 0), prec)) {
        arb_indeterminate(y);
    } else if (value) {
        arb_set(y, a);
    } else {
        for (slong r = 0; r < m.rows; r++) {
            arb_set_si(c, first + 2 * r);
            arb_mul(s, c, x + 1, prec);
            (odd ? arb_sin : arb_cos)(s, s, prec);
            arb_addmul(square, v + r, v + r, prec);
            if (r == 0 && first == 0) { /* the constant is counted over sqrt 2 */
                arb_sqrt_ui(c, 2, prec);
                arb_div(s, s, c, prec);
                arb_inv(c, c, prec);
            } else if (!odd) {
                arb_one(c);
            }
            arb_addmul(sum, v + r, s, prec);
            arb_addmul(t, v + r, c, prec); /* value or slope at 0 */
        }
        arb_sqrt(square, square, prec);
        arb_div(y, sum, square, prec);
        if (arb_is_negative(t))
            arb_neg(y, y);
        else if (!arb_is_positive(t))
            arb_indeterminate(y);
    }
    _arb_vec_clear(v, m.rows);
    agni_close_matrix(&m);
    arb_clear(a);
    arb_clear(q);
    arb_clear(sum);
    arb_clear(square);
    arb_clear(c);
    arb_clear(s);
    arb_clear(t);
}
VALUE(mathieu_a)
{
    set_mathieu(y, x, false, true, (slong)k[0], prec);
}
VALUE(mathieu_b)
{
    set_mathieu(y, x, true, true, (slong)k[0], prec);
}
VALUE(mathieu_ce)
{
    set_mathieu(y, x, false, false, (slong)k[0], prec);
}
VALUE(mathieu_se)
{
    set_mathieu(y, x, true, false, (slong)k[0], prec);
}
UNIT(one)
{
    UNUSED_UNIT;
    arb_one(u);
}
/* of the size of q, which the roots of a value are differences of */
UNIT(mathieu_value)
{
    (void)prec;
    arb_abs(u, y);
    arb_t q;
    arb_init(q);
    arb_abs(q, x);
    arb_mul_2exp_si(q, q, 1);
    arb_add(u, u, q, 64);
    arb_add_si(u, u, k[0] * k[0] + 1, 64);
    arb_clear(q);
}


/* ---- modified functions ------------------------------------------------------------------- */

/* J, or Y, of orders from 0 on, from two balls where the recurrence is stable */
static void set_orders(arb_ptr y, slong n, const arb_t z, bool second, slong prec)
{
    arb_t nu, t;
    arb_init(nu);
    arb_init(t);
    for (slong j = 0; j < n; j++) {
        slong i = second ? j : n - 1 - j;
        if (j < 2) {
            arb_set_si(nu, i);
            (second ? arb_hypgeom_bessel_y : arb_hypgeom_bessel_j)(y + i, nu, z, prec);
            continue;
        }
        slong last = second ? i - 1 : i + 1, before = second ? i - 2 : i + 2;
        arb_mul_si(t, y + last, 2 * last, prec);
        arb_div(t, t, z, prec);
        arb_sub(y + i, t, y + before, prec);
    }
    arb_clear(nu);
    arb_clear(t);
}
/* the function of order l of any sign */
static void take_order(arb_t y, arb_srcptr all, slong l)
{
    arb_set(y, all + (l < 0 ? -l : l));
    if (l < 0 && l % 2)
        arb_neg(y, y);
}
/* what the attribute says: the order, of odd functions from 1 on, and q = 4^j / 4 */
static slong split_order(arb_t q, const int64_t *k, bool odd)
{
    arb_one(q);
    arb_mul_2exp_si(q, q, 2 * (slong)(k[0] / 31) - 2);
    return (slong)(k[0] % 31) + odd;
}
/* sum of (-1)^l A_l / A_s (J_(l-s)(h e^-x) C_(l+s+p)(h e^x) +- J_(l+s+p)(h e^-x) C_(l-s)(h e^x)), h^2 = q,
   p: the first harmonic, C: J or Y, s: the largest coefficient's place */
static void set_modified(arb_ptr y, const arb_t x, const int64_t *k, bool odd, bool second, slong prec)
{
    matrix m;
    arb_t a, q, t, small, large;
    arb_init(a);
    arb_init(q);
    arb_init(t);
    arb_init(small);
    arb_init(large);
    slong n = split_order(q, k, odd), first = open_mathieu(&m, q, odd, n, prec);
    arb_ptr v = _arb_vec_init(m.rows);
    slong orders = 2 * m.rows + 3;
    arb_ptr in = _arb_vec_init(orders), out = _arb_vec_init(orders);
    if (!agni_set_eigenpair(a, v, &m, n / 2 - (odd && n % 2 == 0), prec)) {
        arb_indeterminate(y);
    } else {
        arb_sqrt(q, q, prec);
        arb_exp(t, x, prec);
        arb_mul(large, q, t, prec);
        arb_div(small, q, t, prec);
        set_orders(in, orders, small, false, prec);
        set_orders(out, orders, large, second, prec);
        if (first == 0) { /* the constant is counted over sqrt 2 */
            arb_sqrt_ui(t, 2, prec);
            arb_div(v, v, t, prec);
        }
        slong s = 0;
        for (slong r = 0; r < m.rows; r++)
            if (arf_cmpabs(arb_midref(v + r), arb_midref(v + s)) > 0)
                s = r;
        arb_zero(y);
        for (slong l = 0; l < m.rows; l++) {
            take_order(small, in, l - s);
            take_order(large, out, l + s + first);
            arb_mul(t, small, large, prec);
            take_order(small, in, l + s + first);
            take_order(large, out, l - s);
            (odd ? arb_submul : arb_addmul)(t, small, large, prec);
            arb_mul(t, t, v + l, prec);
            (l % 2 ? arb_sub : arb_add)(y, y, t, prec);
            if (l + 1 == m.rows) { /* terms fall by 4 and more by now */
                mag_t rest;
                mag_init(rest);
                arb_get_mag(rest, t);
                arb_add_error_mag(y, rest);
                mag_clear(rest);
            }
        }
        arb_div(y, y, v + s, prec);
        if ((n / 2 - (odd && n % 2 == 0)) % 2)
            arb_neg(y, y);
        if (first == 0 && s == 0)
            arb_mul_2exp_si(y, y, -1);
    }
    _arb_vec_clear(v, m.rows);
    _arb_vec_clear(in, orders);
    _arb_vec_clear(out, orders);
    agni_close_matrix(&m);
    arb_clear(a);
    arb_clear(q);
    arb_clear(t);
    arb_clear(small);
    arb_clear(large);
}
VALUE(mathieu_modcem1)
{
    set_modified(y, x, k, false, false, prec);
}
VALUE(mathieu_modcem2)
{
    set_modified(y, x, k, false, true, prec);
}
VALUE(mathieu_modsem1)
{
    set_modified(y, x, k, true, false, prec);
}
VALUE(mathieu_modsem2)
{
    set_modified(y, x, k, true, true, prec);
}
/* where it oscillates sqrt(2 / (pi w)), w the wave number, and the phase's rounding far out */
static void set_modified_unit(arb_t u, arb_srcptr y, arb_srcptr x, const int64_t *k, bool odd)
{
    arb_t q;
    arb_init(q);
    const slong n = split_order(q, k, odd);
    double size = arf_get_d(arb_midref(q), ARF_RND_NEAR),
           at = arf_get_d(arb_midref(x), ARF_RND_NEAR), wave;
    set_mathieu(u, q, odd, true, n, 100);
    wave = 2 * size * cosh(2 * at) - arf_get_d(arb_midref(u), ARF_RND_NEAR);
    arb_abs(u, y);
    if (wave > 1) {
        arb_set_d(q, 0.8 / pow(wave, 0.25));
        arb_hypot(u, u, q, 64);
    }
    arb_set_d(q, 1 + 1e-3 * sqrt(size) * exp(at));
    arb_mul(u, u, q, 64);
    arb_clear(q);
}
UNIT(modified_mathieu)
{
    (void)prec;
    set_modified_unit(u, y, x, k, false);
}
UNIT(modified_odd)
{
    (void)prec;
    set_modified_unit(u, y, x, k, true);
}
