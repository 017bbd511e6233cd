/* bench/references-waves.c - values of Mathieu's and spheroidal functions (DLMF 28.4, 30.8), Legendre
   functions of the second kind (14.6), W of parabolic cylinders (12.14), integrals of Bessel functions
   (10.22), Smirnov's law: recurrences and power series in balls. */
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

/* ---- eigenvalues of tridiagonal matrices and their vectors --------------------------------- */

enum { MOST_ROWS = 400 };

typedef struct matrix {
    slong rows;
    arb_ptr diagonal, beside; /* squares of what stands beside it */
} matrix;

static void open_matrix(matrix *m, slong rows)
{
    m->rows = rows;
    m->diagonal = _arb_vec_init(rows);
    m->beside = _arb_vec_init(rows);
}
static void close_matrix(matrix *m)
{
    _arb_vec_clear(m->diagonal, m->rows);
    _arb_vec_clear(m->beside, m->rows);
}
/* how many eigenvalues are below a (Sturm), -1: not to be said */
static slong count_below(const matrix *m, const arb_t a, slong prec)
{
    slong count = 0;
    arb_t d, t;
    arb_init(d);
    arb_init(t);
    for (slong r = 0; r < m->rows && count >= 0; r++) {
        arb_sub(t, m->diagonal + r, a, prec);
        if (r) {
            arb_div(d, m->beside + r - 1, d, prec);
            arb_sub(d, t, d, prec);
        } else {
            arb_set(d, t);
        }
        if (arb_is_negative(d))
            count++;
        else if (!arb_is_positive(d))
            count = -1;
    }
    arb_clear(d);
    arb_clear(t);
    return count;
}
static double bisect_value(const matrix *m, slong index)
{
    double diagonal[MOST_ROWS], beside[MOST_ROWS], low = (double)INFINITY, high = -low;
    for (slong r = 0; r < m->rows; r++) {
        diagonal[r] = arf_get_d(arb_midref(m->diagonal + r), ARF_RND_NEAR);
        beside[r] = r + 1 < m->rows ? arf_get_d(arb_midref(m->beside + r), ARF_RND_NEAR) : 0;
        double radius = sqrt(beside[r]) + (r ? sqrt(beside[r - 1]) : 0) + 1;
        low = fmin(low, diagonal[r] - radius), high = fmax(high, diagonal[r] + radius);
    }
    for (int j = 0; j < 70; j++) {
        double a = 0.5 * (low + high), d = 1;
        slong count = 0;
        for (slong r = 0; r < m->rows; r++) {
            d = diagonal[r] - a - (r ? beside[r - 1] / d : 0);
            d = d == 0 ? 1e-300 : d;
            count += d < 0;
        }
        *(count > index ? &high : &low) = a;
    }
    return 0.5 * (low + high);
}
/* v to the peak from both ends, 1 there; the rest of its row over |v|^2, by which a is off (Rayleigh's
   quotient) */
static void set_vector(arb_ptr v, arb_t rest, const matrix *m, const arb_t a, slong peak,
                       slong prec)
{
    arb_t d, t, sum;
    arb_init(d);
    arb_init(t);
    arb_init(sum);
    for (int side = 0; side < 2; side++) {
        slong end = side ? m->rows - 1 : 0, step = side ? -1 : 1;
        for (slong r = end; r != peak; r += step) { /* v[r] / v[r + step] = -b / d, to keep */
            slong link = side ? r - 1 : r;
            arb_sub(t, m->diagonal + r, a, prec);
            if (r == end)
                arb_set(d, t);
            else {
                arb_div(d, m->beside + (side ? r : r - 1), d, prec);
                arb_sub(d, t, d, prec);
            }
            arb_sqrt(t, m->beside + link, prec);
            arb_div(v + r, t, d, prec);
            arb_neg(v + r, v + r);
        }
    }
    arb_one(v + peak);
    for (slong r = peak - 1; r >= 0; r--)
        arb_mul(v + r, v + r, v + r + 1, prec);
    for (slong r = peak + 1; r < m->rows; r++)
        arb_mul(v + r, v + r, v + r - 1, prec);
    arb_sub(rest, m->diagonal + peak, a, prec);
    for (slong r = 0; r < m->rows; r++)
        arb_addmul(sum, v + r, v + r, prec);
    if (peak > 0) {
        arb_sqrt(t, m->beside + peak - 1, prec);
        arb_addmul(rest, t, v + peak - 1, prec);
    }
    if (peak + 1 < m->rows) {
        arb_sqrt(t, m->beside + peak, prec);
        arb_addmul(rest, t, v + peak + 1, prec);
    }
    arb_div(rest, rest, sum, prec);
    arb_clear(d);
    arb_clear(t);
    arb_clear(sum);
}
/* a, with the radius that Sturm's counts show, and v of largest part 1; false: not to be had */
static bool set_eigenpair(arb_t a, arb_ptr v, const matrix *m, slong index, slong prec)
{
    arb_t rest, edge;
    arb_init(rest);
    arb_init(edge);
    arb_set_d(a, bisect_value(m, index));
    slong peak = index < m->rows ? index : 0;
    for (int j = 0; j < 7; j++) {
        set_vector(v, rest, m, a, peak, prec);
        slong most = peak;
        for (slong r = 0; r < m->rows; r++)
            if (arf_cmpabs(arb_midref(v + r), arb_midref(v + most)) > 0)
                most = r;
        if (most == peak)
            arb_add(a, a, rest, prec);
        peak = most;
        mag_zero(arb_radref(a));
    }
    mag_t radius;
    mag_init(radius);
    arb_get_mag(radius, a);
    mag_add_ui(radius, radius, 1);
    mag_mul_2exp_si(radius, radius, 22 - prec);
    bool good = true;
    for (int side = 0; side < 2; side++) {
        arf_set_mag(arb_midref(rest), radius);
        mag_zero(arb_radref(rest));
        (side ? arb_add : arb_sub)(edge, a, rest, 2 * prec);
        good = good && count_below(m, edge, 2 * prec) == index + side;
    }
    arb_add_error_mag(a, radius);
    set_vector(v, rest, m, a, peak, prec);
    mag_clear(radius);
    arb_clear(rest);
    arb_clear(edge);
    return good;
}

/* Mathieu's: even or odd harmonics of an even or odd function of order n at q (DLMF 28.4.5 to 28.4.8) */
static slong open_mathieu(matrix *m, arb_t q, bool odd, slong n, slong prec)
{
    double size = fabs(arf_get_d(arb_midref(q), ARF_RND_NEAR));
    slong first = n % 2 ? 1 : odd ? 2 : 0, rows = 30 + n / 2 + prec / 8 + (slong)(1.5 * sqrt(size));
    open_matrix(m, rows < MOST_ROWS ? rows : MOST_ROWS);
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
    if (!set_eigenpair(a, v, &m, n / 2 - (odd && n % 2 == 0), prec)) {
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
    close_matrix(&m);
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

/* spheroidal: of order m and degree n at c^2, -c^2 if oblate (DLMF 30.8.3) */
static void set_spheroidal(arb_ptr y, arb_srcptr x, slong n, slong order, bool oblate, slong prec)
{
    matrix m;
    arb_t a, q, up, down;
    arb_init(a);
    arb_init(q);
    arb_init(up);
    arb_init(down);
    arb_sqr(q, x, prec);
    double size = arf_get_d(arb_midref(q), ARF_RND_NEAR);
    slong rows = 24 + (n - order) / 2 + prec / 8 + (slong)(0.7 * sqrt(size));
    open_matrix(&m, rows < MOST_ROWS ? rows : MOST_ROWS);
    if (oblate)
        arb_neg(q, q);
    for (slong r = 0; r < m.rows; r++) {
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
        arb_add_si(m.diagonal + r, up, l * (l + 1), prec);
        arb_mul(up, share[1], share[2], prec);
        arb_sqr(down, q, prec);
        arb_mul(m.beside + r, up, down, prec);
        for (int i = 0; i < 3; i++)
            arb_clear(share[i]);
    }
    arb_ptr v = _arb_vec_init(m.rows);
    if (set_eigenpair(a, v, &m, (n - order) / 2, prec))
        arb_set(y, a);
    else
        arb_indeterminate(y);
    _arb_vec_clear(v, m.rows);
    close_matrix(&m);
    arb_clear(a);
    arb_clear(q);
    arb_clear(up);
    arb_clear(down);
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
