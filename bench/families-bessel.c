/* bench/families-bessel.c - balls of Bessel, Struve and parabolic cylinder functions of nu, nu + 1, ...
   by their recurrences (DLMF 10.6.1, 10.29.1, 11.4.23, 11.4.25, 12.8.1) from two of Arb's. */
#include "bench/special-families.h"

#include <math.h>

/* orders nu + i: f_(i - 1) = 2 (nu + i) / x f_i - f_(i + 1), or + of modified functions, of K with (-1)^i;
   from the last two down, or from the first two up */
static void run_orders(arb_ptr f, const arb_t nu, const arb_t x, slong n, bool up, bool modified,
                       bool alternates, slong prec)
{
    arb_t q, s;
    arb_init(q);
    arb_init(s);
    for (slong j = 1; j + 1 < n; j++) {
        slong i = up ? j : n - 1 - j;
        arb_srcptr last = up ? f + i - 1 : f + i + 1;
        arb_add_si(q, nu, i, prec);
        arb_mul_2exp_si(q, q, 1);
        arb_div(q, q, x, prec);
        arb_mul(s, q, f + i, prec);
        if (!modified)
            arb_sub(s, s, last, prec);
        else if (up != alternates)
            arb_sub(s, last, s, prec);
        else
            arb_add(s, s, last, prec);
        arb_set(up ? f + i + 1 : f + i - 1, s);
    }
    arb_clear(q);
    arb_clear(s);
}
typedef void bessel_start(arb_t y, const arb_t nu, const arb_t x, slong prec);
static void start_i(arb_t y, const arb_t nu, const arb_t x, slong prec)
{
    acb_t a, b, w;
    acb_init(a);
    acb_init(b);
    acb_init(w);
    acb_set_arb(a, nu);
    acb_set_arb(b, x);
    acb_hypgeom_bessel_i(w, a, b, prec);
    keep_real(y, w);
    acb_clear(a);
    acb_clear(b);
    acb_clear(w);
}
static void start_k(arb_t y, const arb_t nu, const arb_t x, slong prec)
{
    acb_t a, b, w;
    acb_init(a);
    acb_init(b);
    acb_init(w);
    acb_set_arb(a, nu);
    acb_set_arb(b, x);
    acb_hypgeom_bessel_k(w, a, b, prec);
    keep_real(y, w);
    acb_clear(a);
    acb_clear(b);
    acb_clear(w);
}
static void run_from(arb_ptr f, bessel_start *start, const arb_t nu, const arb_t x, slong n, bool up,
                     bool modified, bool alternates, slong prec)
{
    arb_t q;
    arb_init(q);
    for (slong i = up ? 0 : n - 2, j = 0; j < 2; j++) {
        arb_add_si(q, nu, i + j, prec);
        start(f + i + j, q, x, prec);
    }
    run_orders(f, nu, x, n, up, modified, alternates, prec);
    arb_clear(q);
}
/* J and Y of nu + i, nu in [0, 1): Y up, J up where x is beyond all orders, else down from orders beyond x */
static void run_jy(arb_ptr j, arb_ptr y, const arb_t nu, const arb_t x, slong n, slong prec)
{
    run_from(y, arb_hypgeom_bessel_y, nu, x, n, true, false, false, prec);
    run_from(j, arb_hypgeom_bessel_j, nu, x, n, arf_cmp_si(arb_midref(x), n) > 0, false, false, prec);
}

enum { ORDERS = 502 };
/* orders 0 to 500 and a part of 1, in an order that does not matter: n of them, from any; those
   below 0 by reflection (10.4.7, 10.4.8) */
static void run_bessel(const special *f, arb_ptr y, arb_ptr unit, double (*x)[MOST_ARGUMENTS], slong n,
                       slong prec, int kind)
{
    static arb_struct j[ORDERS], v[ORDERS];
    arb_t nu, at, s, c, p, q;
    double part = fabs(x[0][0]), sign = x[0][0] < 0 ? -1 : 1;
    part = nearbyint((part - floor(part)) * 0x1p30) * 0x1p-30;
    if (part == 1)
        part = 0;
    slong first = (slong)fmin(floor(fabs(x[0][0])), (double)(ORDERS - 2 - n));
    double point = fmin(fabs(x[0][1]), f->box[1][1]);
    arb_init(nu);
    arb_init(at);
    arb_init(s);
    arb_init(c);
    arb_init(p);
    arb_init(q);
    for (slong i = 0; i < ORDERS; i++) {
        arb_init(j + i);
        arb_init(v + i);
    }
    arb_set_d(nu, part);
    arb_set_d(at, point);
    if (point > 0)
        run_jy(j, v, nu, at, ORDERS, prec);
    for (slong i = 0; i < n; i++) {
        slong o = first + i;
        arb_ptr a = j + o, b = v + o;
        x[i][0] = sign * (part + (double)o);
        x[i][1] = point;
        if (point <= 0) {
            arb_indeterminate(y + 2 * i);
            continue;
        }
        arb_set(p, a);
        arb_set(q, b);
        if (sign < 0) {
            arb_set_d(nu, part + (double)o);
            arb_sin_cos_pi(s, c, nu, prec);
            arb_mul(p, c, a, prec);
            arb_submul(p, s, b, prec);
            arb_mul(q, s, a, prec);
            arb_addmul(q, c, b, prec);
        }
        arb_ptr to = y + 2 * i;
        if (kind == 'j' || kind == 'h' || kind == 'g')
            arb_set(to, p);
        else
            arb_set(to, q);
        if (kind == 'h' || kind == 'g')
            arb_set(to + 1, q);
        if (kind == 'g')
            arb_neg(to + 1, to + 1);
        if ((kind == 'j' || kind == 'y') && point > x[i][0]) /* beyond the turning point */
            arb_hypot(unit + i, p, q, 64);
    }
    for (slong i = 0; i < ORDERS; i++) {
        arb_clear(j + i);
        arb_clear(v + i);
    }
    arb_clear(nu);
    arb_clear(at);
    arb_clear(s);
    arb_clear(c);
    arb_clear(p);
    arb_clear(q);
}
FAMILY(jv)
{
    run_bessel(f, y, unit, x, n, prec, 'j');
}
FAMILY(yv)
{
    run_bessel(f, y, unit, x, n, prec, 'y');
}
FAMILY(hankel1)
{
    run_bessel(f, y, unit, x, n, prec, 'h');
}
FAMILY(hankel2)
{
    run_bessel(f, y, unit, x, n, prec, 'g');
}

/* orders of one sign; of I below 0, I_-nu = I_nu + 2 / pi sin(nu pi) K_nu (10.27.2) */
static void run_modified(const special *f, arb_ptr y, double (*x)[MOST_ARGUMENTS], slong n, slong prec,
                         bool second, bool scaled)
{
    arb_ptr g = _arb_vec_init(n), h = _arb_vec_init(n);
    arb_t nu, at, t;
    arb_init(nu);
    arb_init(at);
    arb_init(t);
    double sign = x[0][0] < 0 ? -1 : 1, point = fabs(x[0][1]);
    double most = sign < 0 ? -f->box[0][0] : f->box[0][1];
    if (point > 2e4 && most > 1000)
        most = 1000;
    double first = fmin(nearbyint(fabs(x[0][0]) * 0x1p30) * 0x1p-30, most - (double)n);
    first = fmax(first, 0);
    bool good = point > 0 && point <= f->box[1][1];
    if (point > 1e3 && first * first > point) /* where series take for ever */
        first -= floor(first);
    arb_set_d(nu, first);
    arb_set_d(at, point);
    if (good && !second)
        run_from(g, start_i, nu, at, n, false, true, false, prec);
    if (good && (second || sign < 0))
        run_from(h, start_k, nu, at, n, true, true, true, prec);
    arb_set_d(at, second ? point : -point);
    arb_exp(at, at, prec);
    for (slong i = 0; i < n; i++) {
        arb_ptr to = y + 2 * i;
        x[i][0] = sign * (first + (double)i);
        x[i][1] = point;
        if (second) {
            arb_set(to, h + i);
        } else {
            arb_set(to, g + i);
            if (sign < 0) {
                arb_set_d(nu, first + (double)i);
                arb_sin_pi(nu, nu, prec);
                arb_mul(nu, nu, h + i, prec);
                arb_mul_2exp_si(nu, nu, 1);
                arb_const_pi(t, prec);
                arb_div(nu, nu, t, prec);
                arb_add(to, to, nu, prec);
            }
        }
        if (scaled)
            arb_mul(to, to, at, prec);
        if (!good)
            arb_indeterminate(to);
    }
    _arb_vec_clear(g, n);
    _arb_vec_clear(h, n);
    arb_clear(nu);
    arb_clear(at);
    arb_clear(t);
}
FAMILY(iv)
{
    (void)unit;
    run_modified(f, y, x, n, prec, false, false);
}
FAMILY(ive)
{
    (void)unit;
    run_modified(f, y, x, n, prec, false, true);
}
FAMILY(kv)
{
    (void)unit;
    run_modified(f, y, x, n, prec, true, false);
}
FAMILY(kve)
{
    (void)unit;
    run_modified(f, y, x, n, prec, true, true);
}

/* S_(nu - 1) = 2 nu / x S_nu - S_(nu + 1) + (x / 2)^nu / (sqrt(pi) gamma(nu + 3/2)); n orders up to the
   highest, from the two there down */
FAMILY(struve)
{
    arb_ptr g = _arb_vec_init(n), at = _arb_vec_init(2), amplitude = _arb_vec_init(2 * ORDERS);
    arb_t t, u, s;
    arb_init(t);
    arb_init(u);
    arb_init(s);
    double part = x[0][0] - floor(x[0][0]), point = fabs(x[0][1]);
    part = nearbyint(part * 0x1p30) * 0x1p-30;
    double low = f->box[0][1] - (double)n + (part < 1 ? part : 0);
    bool good = point > 0 && point <= f->box[1][1];
    for (int i = 0; good && i < 2; i++) {
        double nu = low + (double)(n - 2 + i);
        arb_set_d(at, nu);
        arb_set_d(at + 1, point);
        value_struve(g + n - 2 + i, at, NULL, prec);
    }
    arb_set_d(at + 1, point);
    arb_mul_2exp_si(t, at + 1, -1);
    arb_set_d(at, low + (double)(n - 2));
    arb_pow(u, t, at, prec); /* (x / 2)^nu / gamma(nu + 3/2) / sqrt(pi) */
    arb_set_d(s, 1.5);
    arb_add(s, s, at, prec);
    arb_rgamma(s, s, prec);
    arb_mul(u, u, s, prec);
    arb_const_sqrt_pi(s, prec);
    arb_div(u, u, s, prec);
    for (slong i = n - 2; good && i > 0; i--) {
        arb_set_d(at, 2 * (low + (double)i));
        arb_div(s, at, at + 1, prec);
        arb_mul(g + i - 1, s, g + i, prec);
        arb_add(g + i - 1, g + i - 1, u, prec);
        arb_sub(g + i - 1, g + i - 1, g + i + 1, prec);
        arb_set_d(s, low + (double)i + 0.5); /* gamma(nu + 3/2) = (nu + 1/2) gamma(nu + 1/2) */
        arb_mul(u, u, s, prec);
        arb_div(u, u, t, prec);
    }
    if (good) { /* J and Y of the orders above and below 0, or no amplitude */
        double up = low - floor(low);
        arb_set_d(s, up);
        run_jy(amplitude, amplitude + ORDERS, s, at + 1, 128, prec);
    }
    for (slong i = 0; i < n; i++) {
        double nu = low + (double)i;
        x[i][0] = nu;
        x[i][1] = point;
        if (!good) {
            arb_indeterminate(y + 2 * i);
            continue;
        }
        arb_set(y + 2 * i, g + i);
        if (point <= nu)
            continue;
        arb_t size;
        arb_init(size);
        if (nu >= 0) {
            slong order = (slong)floor(nu);
            arb_hypot(unit + i, amplitude + order, amplitude + ORDERS + order, 64);
            arb_abs(size, y + 2 * i);
            arb_max(unit + i, unit + i, size, 64);
        } else {
            int64_t none[2] = {0, 0};
            arb_set_d(at, nu);
            unit_bessel(unit + i, y + 2 * i, at, none, 128);
        }
        arb_clear(size);
    }
    _arb_vec_clear(g, n);
    _arb_vec_clear(at, 2);
    _arb_vec_clear(amplitude, 2 * ORDERS);
    arb_clear(t);
    arb_clear(u);
    arb_clear(s);
}

/* D_(v + 1) = x D_v - v D_(v - 1), up from the lowest */
FAMILY(parabolic_d)
{
    (void)unit;
    arb_ptr at = _arb_vec_init(2), g = _arb_vec_init(n);
    arb_t t;
    arb_init(t);
    double part = x[0][0] - floor(x[0][0]), point = fabs(x[0][1]);
    part = nearbyint(part * 0x1p30) * 0x1p-30;
    double low = f->box[0][0] + (part < 1 ? part : 0);
    bool good = point <= f->box[1][1];
    arb_set_d(at + 1, point);
    for (int i = 0; i < 2 && good; i++) {
        arb_set_d(at, low + i);
        value_parabolic_d(g + i, at, NULL, prec);
    }
    for (slong i = 1; i + 1 < n && good; i++) {
        arb_set_d(t, low + (double)i);
        arb_mul(t, t, g + i - 1, prec);
        arb_mul(g + i + 1, g + i, at + 1, prec);
        arb_sub(g + i + 1, g + i + 1, t, prec);
    }
    for (slong i = 0; i < n; i++) {
        x[i][0] = low + (double)i;
        x[i][1] = point;
        if (good)
            arb_set(y + 2 * i, g + i);
        else
            arb_indeterminate(y + 2 * i);
    }
    _arb_vec_clear(at, 2);
    _arb_vec_clear(g, n);
    arb_clear(t);
}
