/* bench/families-hypergeometric.c - balls of hypergeometric functions of a, a + 1, ... by contiguous relations
   (DLMF 13.3, 15.5.11), of Wright's function by one series of all x, of Owen's T by Taylor's series in a, of
   polylogarithms of s, s + 1, ... */
#include "bench/special-families.h"

#include <math.h>

void agni_set_lattice(const special *f, double (*x)[MOST_ARGUMENTS], slong n, int i, double step)
{
    double grid = x[0][i] == (double)(float)x[0][i] ? 0x1p8 : 0x1p30;
    if (f->whole && i == 0)
        grid = 1;
    double first = floor(fmin(x[0][i], f->box[i][1] - step * (double)(n - 1)) * grid) / grid;
    first = fmax(first, ceil(f->box[i][0] * grid) / grid); /* sums with steps are exact */
    for (slong j = 0; j < n; j++) {
        double p[MOST_ARGUMENTS];
        for (int k = 0; k < f->n; k++)
            p[k] = x[0][k];
        p[i] = first + step * (double)j;
        for (int k = 0; k < f->n && j; k++)
            x[j][k] = p[k];
    }
    x[0][i] = first;
}
void agni_share_others(const special *f, double (*x)[MOST_ARGUMENTS], slong n, int i)
{
    for (slong j = 1; j < n; j++)
        for (int k = 0; k < f->n; k++)
            if (k != i)
                x[j][k] = x[0][k];
}

/* ---- contiguous relations ----------------------------------------------------------------------- */

/* c[0] f(a - 1) + c[1] f(a) + c[2] f(a + 1) = 0 */
typedef void contiguous(arb_ptr c, const arb_t a, const double *x, slong prec);

/* from two balls in the middle, or at the end whence the function grows; anew where a coefficient is 0 */
static void run_contiguous(arb_ptr g, slong n, double (*x)[MOST_ARGUMENTS], reference_value *value,
                           contiguous *relation, bool up, int n_arguments, slong prec)
{
    arb_ptr c = _arb_vec_init(3), at = _arb_vec_init(MOST_ARGUMENTS + 1);
    arb_t a;
    arb_init(a);
    slong since = 0; /* how many follow from the start */
    for (slong j = 0; j < n; j++) {
        slong i = up ? j : n - 1 - j, last = up ? i - 1 : i + 1, before = up ? i - 2 : i + 2;
        arb_ptr to = g + 2 * i;
        bool good = since >= 2;
        if (good) {
            arb_set_d(a, x[last][0]);
            relation(c, a, x[last], prec);
            good = !arb_contains_zero(c + (up ? 2 : 0));
        }
        if (good) {
            arb_mul(to, c + 1, g + 2 * last, prec);
            arb_addmul(to, c + (up ? 0 : 2), g + 2 * before, prec);
            arb_div(to, to, c + (up ? 2 : 0), prec);
            arb_neg(to, to);
        } else {
            since = since >= 2 ? 0 : since;
            for (int k = 0; k < n_arguments; k++)
                arb_set_d(at + k, x[i][k]);
            value(to, at, NULL, prec);
        }
        since++;
    }
    _arb_vec_clear(c, 3);
    _arb_vec_clear(at, MOST_ARGUMENTS + 1);
    arb_clear(a);
}
static void relate_kummer(arb_ptr c, const arb_t a, const double *x, slong prec)
{
    arb_t t;
    arb_init(t);
    arb_set_d(t, x[1]);
    arb_sub(c, t, a, prec); /* b - a, 2 a - b + z, -a */
    arb_mul_2exp_si(c + 1, a, 1);
    arb_sub(c + 1, c + 1, t, prec);
    arb_set_d(t, x[2]);
    arb_add(c + 1, c + 1, t, prec);
    arb_neg(c + 2, a);
    arb_clear(t);
}
static void relate_tricomi(arb_ptr c, const arb_t a, const double *x, slong prec)
{
    arb_t t, b;
    arb_init(t);
    arb_init(b);
    arb_set_d(b, x[1]);
    arb_one(c); /* 1, b - 2 a - z, a (1 + a - b) */
    arb_mul_2exp_si(t, a, 1);
    arb_sub(c + 1, b, t, prec);
    arb_set_d(t, x[2]);
    arb_sub(c + 1, c + 1, t, prec);
    arb_add_ui(t, a, 1, prec);
    arb_sub(t, t, b, prec);
    arb_mul(c + 2, a, t, prec);
    arb_clear(t);
    arb_clear(b);
}
static void relate_gauss(arb_ptr c, const arb_t a, const double *x, slong prec)
{
    arb_t t, b, z;
    arb_init(t);
    arb_init(b);
    arb_init(z);
    arb_set_d(b, x[1]);
    arb_set_d(t, x[2]);
    arb_set_d(z, x[3]);
    arb_sub(c, t, a, prec); /* c - a, 2 a - c + (b - a) z, a (z - 1) */
    arb_sub(c + 1, a, c, prec);
    arb_sub(t, b, a, prec);
    arb_addmul(c + 1, t, z, prec);
    arb_sub_ui(t, z, 1, prec);
    arb_mul(c + 2, a, t, prec);
    arb_clear(t);
    arb_clear(b);
    arb_clear(z);
}
FAMILY(hyp1f1)
{
    (void)unit;
    agni_set_lattice(f, x, n, 0, 1);
    run_contiguous(y, n, x, value_hyp1f1, relate_kummer, x[0][2] > 0, 3, prec);
}
FAMILY(hyperu)
{
    (void)unit;
    agni_set_lattice(f, x, n, 0, 1);
    run_contiguous(y, n, x, value_hyperu, relate_tricomi, false, 3, prec);
}
FAMILY(hyp2f1)
{
    (void)unit;
    agni_set_lattice(f, x, n, 0, 1);
    run_contiguous(y, n, x, value_hyp2f1, relate_gauss, x[0][3] > 0, 4, prec);
}

/* ---- Wright: the coefficients 1 / (k! gamma(a k + b)) of all x -------------------------------------- */

static void run_wright(const special *f, arb_ptr y, double (*x)[MOST_ARGUMENTS], slong n, slong prec, bool log)
{
    enum { MOST = 8000 };
    static arb_struct c[MOST];
    arb_t a, b, s, most, last;
    mag_t m;
    agni_share_others(f, x, n, 2);
    arb_init(a);
    arb_init(b);
    arb_init(s);
    arb_init(most);
    arb_init(last);
    mag_init(m);
    arb_set_d(a, x[0][0]);
    arb_set_d(b, x[0][1]);
    bool good = x[0][0] >= 0 && x[0][0] <= f->box[0][1] && x[0][1] >= 0 && x[0][1] <= f->box[1][1];
    for (slong i = 0; i < n; i++) {
        x[i][2] = fmin(fabs(x[i][2]), f->box[2][1]);
        arb_set_d(s, x[i][2]);
        arb_max(most, most, s, 64);
    }
    slong k = 0;
    arb_t power, sum;
    arb_init(power);
    arb_init(sum);
    arb_one(power); /* x^k / k! of the largest x */
    arb_t part;
    arb_init(part);
    arb_one(part); /* 1 / k! */
    bool done = false;
    for (; good && !done && k < MOST; k++) {
        arb_init(c + k);
        arb_mul_si(s, a, k, prec);
        arb_add(s, s, b, prec);
        arb_rgamma(c + k, s, prec);
        arb_mul(s, c + k, power, 64);
        arb_add(sum, sum, s, 64);
        arb_mul(c + k, c + k, part, prec);
        arb_div_si(part, part, k + 1, prec);
        arb_mul(power, power, most, 64);
        arb_div_si(power, power, k + 1, 64);
        /* quotients are below x / (k + 1) from where gamma grows: below 1/2, a rest like the term */
        arb_mul_2exp_si(last, most, 1);
        arb_mul_2exp_si(s, s, prec);
        done = arf_cmp_si(arb_midref(last), k) < 0 && k > 3 && arb_lt(s, sum);
    }
    for (slong i = 0; i < n; i++) {
        arb_ptr to = y + 2 * i;
        if (!done) {
            arb_indeterminate(to);
            continue;
        }
        arb_set_d(s, x[i][2]);
        arb_zero(to);
        for (slong j = k - 1; j >= 0; j--) {
            arb_mul(to, to, s, prec);
            arb_add(to, to, c + j, prec);
        }
        arb_pow_ui(last, s, (ulong)k - 1, 64);
        arb_mul(last, last, c + k - 1, 64);
        arb_get_mag(m, last);
        arb_add_error_mag(to, m);
        if (log)
            arb_log(to, to, prec);
    }
    for (slong j = 0; good && j < k; j++)
        arb_clear(c + j);
    arb_clear(a);
    arb_clear(b);
    arb_clear(s);
    arb_clear(most);
    arb_clear(last);
    arb_clear(power);
    arb_clear(sum);
    arb_clear(part);
    mag_clear(m);
}
FAMILY(wright_bessel)
{
    (void)unit;
    run_wright(f, y, x, n, prec, false);
}
FAMILY(log_wright_bessel)
{
    run_wright(f, y, x, n, prec, true);
    for (slong i = 0; i < n; i++) { /* next to a root 1 */
        arb_abs(unit + i, y + 2 * i);
        if (arf_cmp_si(arb_midref(unit + i), 1) < 0)
            arb_one(unit + i);
    }
}

/* ---- Owen's T of one h: g = exp(-h^2 (1 + a^2) / 2) / (1 + a^2), whose Taylor coefficients follow from
   (1 + a^2) g' + (2 a + h^2 a (1 + a^2)) g = 0, integrated from a to the next ------------------------- */

enum { OWEN_TERMS = 64 };
/* the integral from a to next, whose distance is below (1 + a^2)^(1/2) / 8 and 1 / (h^2 a + 2 h) */
static void step_owen(arb_t sum, double a, double next, const arb_t h2, slong prec)
{
    static arb_struct c[OWEN_TERMS];
    arb_ptr q = _arb_vec_init(4);
    arb_t s, t, step;
    arb_init(s);
    arb_init(t);
    arb_init(step);
    for (int i = 0; i < OWEN_TERMS; i++)
        arb_init(c + i);
    arb_set_d(s, a);
    arb_sqr(t, s, prec);
    arb_add_ui(t, t, 1, prec); /* 1 + a^2 */
    arb_mul(c, t, h2, prec);
    arb_mul_2exp_si(c, c, -1);
    arb_neg(c, c);
    arb_exp(c, c, prec);
    arb_div(c, c, t, prec);
    /* with v from a: (t + 2 a v + v^2) g' + (q0 + q1 v + q2 v^2 + q3 v^3) g = 0 */
    arb_mul_ui(q, s, 2, prec);
    arb_mul(q + 1, s, t, prec);
    arb_addmul(q, q + 1, h2, prec);
    arb_sqr(q + 1, s, prec);
    arb_mul_ui(q + 1, q + 1, 3, prec);
    arb_add_ui(q + 1, q + 1, 1, prec);
    arb_mul(q + 1, q + 1, h2, prec);
    arb_add_ui(q + 1, q + 1, 2, prec);
    arb_mul_ui(q + 2, s, 3, prec);
    arb_mul(q + 2, q + 2, h2, prec);
    arb_set(q + 3, h2);
    arb_mul_2exp_si(s, s, 1);
    for (slong k = 0; k + 1 < OWEN_TERMS; k++) {
        arb_ptr to = c + k + 1;
        arb_mul_si(to, s, k, prec);
        arb_mul(to, to, c + k, prec);
        if (k > 0)
            arb_addmul_si(to, c + k - 1, k - 1, prec);
        for (slong j = 0; j < 4 && j <= k; j++)
            arb_addmul(to, q + j, c + k - j, prec);
        arb_div(to, to, t, prec);
        arb_div_si(to, to, k + 1, prec);
        arb_neg(to, to);
    }
    arb_set_d(step, next);
    arb_set_d(t, a);
    arb_sub(step, step, t, prec);
    arb_zero(t);
    for (slong k = OWEN_TERMS - 1; k >= 0; k--) {
        arb_div_si(s, c + k, k + 1, prec);
        arb_mul(t, t, step, prec);
        arb_add(t, t, s, prec);
    }
    arb_mul(t, t, step, prec);
    arb_add(sum, sum, t, prec);
    /* terms fall by 1/2 and more: the last one of two */
    arb_pow_ui(s, step, OWEN_TERMS - 1, 64);
    arb_abs(t, c + OWEN_TERMS - 1);
    arb_abs(c, c + OWEN_TERMS - 2);
    arb_add(t, t, c, 64);
    arb_mul(s, s, t, 64);
    arb_abs(s, s);
    mag_t m;
    mag_init(m);
    arb_get_mag(m, s);
    mag_mul_2exp_si(m, m, 2);
    arb_add_error_mag(sum, m);
    mag_clear(m);
    for (int i = 0; i < OWEN_TERMS; i++)
        arb_clear(c + i);
    _arb_vec_clear(q, 4);
    arb_clear(s);
    arb_clear(t);
    arb_clear(step);
}
FAMILY(owens_t)
{
    (void)unit;
    arb_t sum, h2, pi2;
    arb_init(sum);
    arb_init(h2);
    arb_init(pi2);
    double h = fmin(fabs(x[0][0]), 37);
    bool done[1024] = {false};
    arb_set_d(h2, h);
    arb_sqr(h2, h2, prec);
    arb_const_pi(pi2, prec);
    arb_mul_2exp_si(pi2, pi2, 1);
    double a = 0;
    for (slong i = 0; i < n; i++) {
        x[i][0] = (i & 1 ? -1 : 1) * h;
        x[i][1] = fmax(fmin(x[i][1], f->box[1][1]), f->box[1][0]);
    }
    for (slong j = 0; j < n; j++) { /* the next larger one */
        slong i = -1;
        for (slong k = 0; k < n; k++)
            if (!done[k] && (i < 0 || fabs(x[k][1]) < fabs(x[i][1])))
                i = k;
        done[i] = true;
        double to = fabs(x[i][1]);
        while (a < to) {
            double most = 0.125 * fmin(sqrt(1 + a * a), 1 / (h * h * a / 8 + h / 4 + 1e-9));
            /* beyond, less than exp(-h^2 a^2 / 2) is left, of all; one step says nothing smaller */
            double next = to - a > most ? a + most : to;
            if (h * h * a * a > 2 * 0.7 * (double)prec + 40) {
                arb_t left;
                arb_init(left);
                arb_mul_2exp_si(left, sum, -prec);
                arb_add_error(sum, left);
                arb_clear(left);
                a = to;
                break;
            }
            step_owen(sum, a, next, h2, prec);
            a = next;
        }
        arb_div(y + 2 * i, sum, pi2, prec);
        if (x[i][1] < 0)
            arb_neg(y + 2 * i, y + 2 * i);
    }
    arb_clear(sum);
    arb_clear(h2);
    arb_clear(pi2);
}
