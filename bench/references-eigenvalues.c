/* bench/references-eigenvalues.c - eigenvalues of symmetric tridiagonal matrices in balls, shown by Sturm's
   counts (Parlett, The Symmetric Eigenvalue Problem, ch. 3), and their vectors. */
#include "bench/references-eigenvalues.h"

#include <math.h>

void agni_open_matrix(matrix *m, slong rows)
{
    m->rows = rows;
    m->diagonal = _arb_vec_init(rows);
    m->beside = _arb_vec_init(rows);
}
void agni_close_matrix(matrix *m)
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
bool agni_set_eigenpair(arb_t a, arb_ptr v, const matrix *m, slong index, slong prec)
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

