/* bench/families-owen.c - balls of Owen's T (Owen 1956) of one h by Taylor's series from one a to the next; arguments
   that a family has in common. */
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
