/* bench/references-spheroidal.c - spheroidal characteristic values, angular functions (DLMF 30.8),
   radial functions by spherical Bessel functions (30.11.3). */
#include "bench/references-eigenvalues.h"

#include <math.h>

/* spheroidal: of order m and degree n at c^2, -c^2 if oblate, over Legendre functions of square integral 1
   (DLMF 30.8.3); more rows than its values need */
static void open_spheroidal(matrix *m, const arb_t c, slong n, slong order, bool oblate, slong more,
                            slong prec)
{
    arb_t q, up, down;
    arb_init(q);
    arb_init(up);
    arb_init(down);
    arb_sqr(q, c, prec);
    double size = arf_get_d(arb_midref(q), ARF_RND_NEAR);
    slong rows = 24 + (n - order) / 2 + prec / 8 + (slong)(0.7 * sqrt(size)) + more;
    agni_open_matrix(m, rows < MOST_ROWS ? rows : MOST_ROWS);
    if (oblate)
        arb_neg(q, q);
    for (slong r = 0; r < m->rows; r++) {
        slong l = order + (n - order) % 2 + 2 * r;
        arb_t share[3];
        for (int i = 0; i < 3; i++) { /* (l^2 - m^2) / (4 l^2 - 1) of l, l + 1, l + 2 */
            slong j = l + i;
            arb_init(share[i]);
            arb_set_si(share[i], j * j - order * order);
            arb_div_si(share[i], share[i], 4 * j * j - 1, prec);
        }
        arb_add(up, share[0], share[1], prec);
        arb_mul(up, up, q, prec);
        arb_add_si(m->diagonal + r, up, l * (l + 1), prec);
        arb_mul(up, share[1], share[2], prec);
        arb_sqr(down, q, prec);
        arb_mul(m->beside + r, up, down, prec);
        for (int i = 0; i < 3; i++)
            arb_clear(share[i]);
    }
    arb_clear(q);
    arb_clear(up);
    arb_clear(down);
}
static void set_spheroidal(arb_ptr y, arb_srcptr x, slong n, slong order, bool oblate, slong prec)
{
    matrix m;
    arb_t a;
    arb_init(a);
    open_spheroidal(&m, x, n, order, oblate, 0, prec);
    arb_ptr v = _arb_vec_init(m.rows);
    if (agni_set_eigenpair(a, v, &m, (n - order) / 2, prec))
        arb_set(y, a);
    else
        arb_indeterminate(y);
    _arb_vec_clear(v, m.rows);
    agni_close_matrix(&m);
    arb_clear(a);
}
VALUE(pro_cv)
{
    set_spheroidal(y, x, (slong)k[0], (slong)k[1], false, prec);
}
VALUE(obl_cv)
{
    set_spheroidal(y, x, (slong)k[0], (slong)k[1], true, prec);
}
/* n (n + 1) + c^2 */
UNIT(spheroidal_value)
{
    UNUSED_UNIT;
    arb_sqr(u, x, 64);
    arb_add_si(u, u, k[0] * (k[0] + 1), 64);
}


/* ---- angular functions -------------------------------------------------------------------- */

/* sum over r of v_r P_l(x), or of slopes there, l = m + parity + 2 r: Legendre functions over the square
   root of the integral of (1 - x^2)^m (DLMF 14.10.3), by x P_l = b_(l+1) P_(l+1) + b_l P_(l-1) */
static void sum_legendre(arb_t sum, arb_srcptr v, slong rows, const arb_t x, slong order, int parity,
                         bool slope, slong prec)
{
    arb_ptr p = _arb_vec_init(6); /* P_(l-1), P_l, P_(l+1), and their slopes */
    arb_t b, last, t;
    arb_init(b);
    arb_init(last);
    arb_init(t);
    arb_sqr(t, x, prec);
    arb_sub_ui(t, t, 1, prec);
    arb_neg(t, t);
    if (order % 2)
        arb_sqrt(p + 1, t, prec);
    else
        arb_one(p + 1);
    arb_pow_ui(t, t, (ulong)(order / 2), prec);
    arb_mul(p + 1, p + 1, t, prec); /* slopes are asked for at 0, where the first one is 0 */
    arb_zero(sum);
    for (slong j = 0; j < 2 * rows; j++) {
        slong l = order + j;
        if (j % 2 == parity)
            arb_addmul(sum, v + j / 2, p + (slope ? 4 : 1), prec);
        arb_set_si(b, (l + 1) * (l + 1) - order * order);
        arb_div_si(b, b, 4 * (l + 1) * (l + 1) - 1, prec);
        arb_sqrt(b, b, prec);
        arb_mul(p + 2, x, p + 1, prec);
        arb_submul(p + 2, last, p, prec);
        arb_div(p + 2, p + 2, b, prec);
        if (slope) {
            arb_mul(p + 5, x, p + 4, prec);
            arb_add(p + 5, p + 5, p + 1, prec);
            arb_submul(p + 5, last, p + 3, prec);
            arb_div(p + 5, p + 5, b, prec);
        }
        arb_set(last, b);
        for (int i = 0; i < 6; i++)
            if (i % 3 < 2)
                arb_swap(p + i, p + i + 1);
    }
    _arb_vec_clear(p, 6);
    arb_clear(b);
    arb_clear(last);
    arb_clear(t);
}
/* value or slope at 0 of the Legendre function without a phase */
static void set_norm(arb_t y, slong n, slong order, bool slope, slong prec)
{
    arb_ptr p = _arb_vec_init(4); /* P_(l-1), P_l and their slopes */
    arb_t t;
    arb_init(t);
    arb_one(p + 1);
    for (slong j = 1; j <= order; j++)
        arb_mul_si(p + 1, p + 1, 2 * j - 1, prec);
    for (slong l = order; l < n; l++) {
        for (int i = 0; i < 4; i += 2) {
            arb_mul_si(t, p + i, -(l + order), prec);
            if (i)
                arb_addmul_si(t, p, 2 * l + 1, prec); /* swapped: what was P_l */
            arb_div_si(t, t, l - order + 1, prec);
            arb_swap(p + i, p + i + 1);
            arb_swap(p + i + 1, t);
        }
    }
    arb_set(y, p + (slope ? 3 : 1));
    _arb_vec_clear(p, 4);
    arb_clear(t);
}
/* at c and x, and the root of the mean square over -1 to 1 */
static void set_angular(arb_ptr y, arb_t mean, arb_srcptr x, slong n, slong order, bool oblate,
                        slong prec)
{
    matrix m;
    arb_t a, at, zero;
    arb_init(a);
    arb_init(at);
    arb_init(zero);
    open_spheroidal(&m, x, n, order, oblate, 0, prec);
    arb_ptr v = _arb_vec_init(m.rows);
    const int parity = (int)((n - order) % 2);
    if (!agni_set_eigenpair(a, v, &m, (n - order) / 2, prec)) {
        arb_indeterminate(y);
        arb_one(mean);
    } else {
        for (slong r = 1; oblate && r < m.rows; r += 2) /* what stands beside is below 0 */
            arb_neg(v + r, v + r);
        sum_legendre(at, v, m.rows, zero, order, parity, parity, prec);
        set_norm(a, n, order, parity, prec);
        arb_div(at, a, at, prec);
        sum_legendre(y, v, m.rows, x + 1, order, parity, false, prec);
        arb_mul(y, y, at, prec);
        arb_zero(a); /* 4^m m!^2 / (2 m + 1)!, half the integral of (1 - x^2)^m */
        for (slong r = 0; r < m.rows; r++)
            arb_addmul(a, v + r, v + r, 64);
        for (slong j = 1; j <= order; j++) {
            arb_mul_si(a, a, 2 * j, 64);
            arb_div_si(a, a, 2 * j + 1, 64);
        }
        arb_sqrt(a, a, 64);
        arb_mul(mean, a, at, 64);
        arb_abs(mean, mean);
    }
    _arb_vec_clear(v, m.rows);
    agni_close_matrix(&m);
    arb_clear(a);
    arb_clear(at);
    arb_clear(zero);
}
static void set_angular_value(arb_ptr y, arb_srcptr x, const int64_t *k, bool oblate, slong prec)
{
    arb_t mean;
    arb_init(mean);
    if (arf_cmpabs_2exp_si(arb_midref(x + 1), 0) <= 0)
        set_angular(y, mean, x, (slong)k[0], (slong)k[1], oblate, prec);
    else
        arb_indeterminate(y);
    arb_clear(mean);
}
VALUE(pro_ang1)
{
    set_angular_value(y, x, k, false, prec);
}
VALUE(obl_ang1)
{
    set_angular_value(y, x, k, true, prec);
}
/* the mean is below the largest value */
UNIT(pro_ang1)
{
    arb_t value;
    arb_init(value);
    (void)y;
    set_angular(value, u, x, (slong)k[0], (slong)k[1], false, prec);
    arb_clear(value);
}
UNIT(obl_ang1)
{
    arb_t value;
    arb_init(value);
    (void)y;
    set_angular(value, u, x, (slong)k[0], (slong)k[1], true, prec);
    arb_clear(value);
}

/* ---- radial functions ---------------------------------------------------------------------- */

/* j, or y, of orders from 0 on, from two balls where the recurrence is stable */
static void set_spherical(arb_ptr y, slong n, const arb_t z, bool second, slong prec)
{
    arb_t nu, t, root;
    arb_init(nu);
    arb_init(t);
    arb_init(root);
    arb_const_pi(root, prec);
    arb_mul_2exp_si(root, root, -1);
    arb_div(root, root, z, prec);
    arb_sqrt(root, root, prec);
    for (slong j = 0; j < n; j++) {
        slong i = second ? j : n - 1 - j;
        if (j < 2) {
            arb_set_d(nu, (double)i + 0.5);
            (second ? arb_hypgeom_bessel_y : arb_hypgeom_bessel_j)(y + i, nu, z, prec);
            arb_mul(y + i, y + i, root, prec);
            continue;
        }
        slong last = second ? i - 1 : i + 1, before = second ? i - 2 : i + 2;
        arb_mul_si(t, y + last, 2 * last + 1, prec);
        arb_div(t, t, z, prec);
        arb_sub(y + i, t, y + before, prec);
    }
    arb_clear(nu);
    arb_clear(t);
    arb_clear(root);
}
/* what the attributes say: degree, order, and c = 4^j / 2 */
static slong split_degree(arb_t c, const int64_t *k, slong *order)
{
    slong n = (slong)(k[0] % 21);
    *order = (slong)(k[1] % (n + 1));
    arb_one(c);
    arb_mul_2exp_si(c, c, 2 * (slong)(k[0] / 21) - 1);
    return n;
}
/* (1 -+ x^-2)^(m/2) times the sum of (-1)^((l - n) / 2) b_l f_l(c x) over that of b_l, b_l = v_l sqrt((2 l + 1)
   (l + m)! / (l - m)!): terms of the second kind fall by x^-2, which must not be next to 1 */
static void set_radial(arb_ptr y, const arb_t x, const int64_t *k, bool oblate, bool second, slong prec)
{
    const double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    if (!(at > 1.1 && at < 1e4)) {
        arb_indeterminate(y);
        return;
    }
    matrix m;
    arb_t a, c, b, sum, t;
    arb_init(a);
    arb_init(c);
    arb_init(b);
    arb_init(sum);
    arb_init(t);
    slong order, n = split_degree(c, k, &order), parity = (n - order) % 2;
    open_spheroidal(&m, c, n, order, oblate, (slong)(0.35 * (double)prec / log(at)), prec);
    arb_ptr v = _arb_vec_init(m.rows), f = _arb_vec_init(order + 2 * m.rows + 2);
    if (!agni_set_eigenpair(a, v, &m, (n - order) / 2, prec)) {
        arb_indeterminate(y);
    } else {
        arb_mul(t, c, x, prec);
        set_spherical(f, order + 2 * m.rows + 2, t, second, prec);
        arb_zero(y);
        arb_one(a); /* (l + m)! / (l - m)! over its first */
        for (slong r = 0; r < m.rows; r++) {
            slong l = order + parity + 2 * r;
            arb_mul_si(b, a, 2 * l + 1, prec);
            arb_sqrt(b, b, prec);
            arb_mul(b, b, v + r, prec);
            if (oblate && r % 2)
                arb_neg(b, b);
            arb_add(sum, sum, b, prec);
            arb_mul(t, b, f + l, prec);
            ((l - n) / 2 % 2 ? arb_sub : arb_add)(y, y, t, prec);
            for (slong j = 1; j <= 2; j++) {
                arb_mul_si(a, a, l + order + j, prec);
                arb_div_si(a, a, l - order + j, prec);
            }
        }
        mag_t rest;
        mag_init(rest);
        arb_get_mag(rest, t);
        mag_mul_ui(rest, rest, (ulong)(4 / (1 - 1 / (at * at))));
        arb_add_error_mag(y, rest);
        mag_clear(rest);
        arb_div(y, y, sum, prec);
        arb_sqr(t, x, prec);
        arb_inv(t, t, prec);
        if (!oblate)
            arb_neg(t, t);
        arb_add_ui(t, t, 1, prec);
        arb_sqrt(t, t, prec);
        arb_pow_ui(t, t, (ulong)order, prec);
        arb_mul(y, y, t, prec);
    }
    _arb_vec_clear(f, order + 2 * m.rows + 2);
    _arb_vec_clear(v, m.rows);
    agni_close_matrix(&m);
    arb_clear(a);
    arb_clear(c);
    arb_clear(b);
    arb_clear(sum);
    arb_clear(t);
}
VALUE(pro_rad1)
{
    set_radial(y, x, k, false, false, prec);
}
VALUE(pro_rad2)
{
    set_radial(y, x, k, false, true, prec);
}
VALUE(obl_rad1)
{
    set_radial(y, x, k, true, false, prec);
}
VALUE(obl_rad2)
{
    set_radial(y, x, k, true, true, prec);
}
/* where it oscillates 1 / (c x): c^2 (x^2 - 1) is beyond n (n + 1) there */
UNIT(radial)
{
    arb_t c;
    slong order;
    arb_init(c);
    const double n = (double)split_degree(c, k, &order), wave = arf_get_d(arb_midref(c), ARF_RND_NEAR),
                 at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_abs(u, y);
    if (wave * wave * (at * at - 1) > n * (n + 1)) {
        arb_mul(c, c, x, prec);
        arb_inv(c, c, prec);
        arb_hypot(u, u, c, 64);
    }
    arb_clear(c);
}
