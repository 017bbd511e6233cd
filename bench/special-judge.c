/* bench/special-judge.c - arguments that a function is measured at (Steele et al. 2014, splitmix64), balls
   of Arb that hold its values, and what it errs by. */
#include "bench/special-judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ------------------------------------------------------------------- */

uint64_t agni_seed = 1748;
uint64_t agni_draw_bits(void) /* splitmix64 (Steele et al. 2014) */
{
    uint64_t z = agni_seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
double agni_draw_unit(void)
{
    return (double)(agni_draw_bits() >> 11) * 0x1p-53;
}
static double draw_argument(const special *f, int i)
{
    double lo = f->box[i][0], hi = f->box[i][1];
    switch (agni_draw_bits() % 8) {
    case 0: {
        int n = 0;
        while (n < MOST_JOINTS && f->joint[n] != 0)
            n++;
        double at = n ? f->joint[agni_draw_bits() % (uint64_t)n] : 1;
        return agni_draw_bits() % 16 == 0
                   ? at
                   : at * (1 + exp2(-55 * agni_draw_unit()) * (agni_draw_bits() & 1 ? 1 : -1));
    }
    case 1: { /* where balls of many arguments take for ever, only somewhat beyond the box */
        double most = fmax(fabs(lo), fabs(hi)),
               x = ldexp(1 + agni_draw_unit(), (int)(agni_draw_bits() % 2040) - 1020);
        if (f->narrow && x > 30 * most)
            x = 30 * most * agni_draw_unit();
        return x * (lo < 0 && agni_draw_bits() & 1 ? -1 : 1);
    }
    case 2:
    case 3:
        return fmax(fabs(lo), fabs(hi)) * exp2(-40 * agni_draw_unit()) *
               (lo < 0 && (hi <= 0 || agni_draw_bits() & 1) ? -1 : 1);
    default:
        return lo + (hi - lo) * agni_draw_unit();
    }
}
void agni_draw_arguments(const special *f, double *x)
{
    uint64_t kind = agni_draw_bits();
    for (int i = 0; i < f->n; i++, kind >>= 4) {
        x[i] = draw_argument(f, i);
        bool narrow = agni_draw_bits() % 4 == 0;
        if (narrow)
            x[i] = (double)(float)x[i];
        if ((kind & 3) == 0 || (i == 0 && f->whole))
            x[i] = nearbyint(x[i]);
        x[i] += 0; /* -0, which cuts of the plane know and balls do not */
    }
}
void agni_draw_attributes(const special *f, int64_t *k)
{
    for (int i = 0; i < 2; i++)
        k[i] = f->low[i] + (int64_t)(agni_draw_bits() % (uint64_t)(f->high[i] - f->low[i] + 1));
    if (f->high[1] && (k[1] > k[0] || k[1] < -k[0])) /* an order is no more than its degree */
        k[1] = k[1] < 0 ? -k[0] : k[0];
}

/* ---- errors ---------------------------------------------------------------------- */

static bool lies_in_box(const special *f, const double *x)
{
    for (int i = 0; i < f->n; i++)
        if (!(x[i] >= f->box[i][0] && x[i] <= f->box[i][1]))
            return false;
    return true;
}
static bool is_narrow(const special *f, const double *x)
{
    for (int i = 0; i < f->n; i++)
        if (x[i] != (double)(float)x[i] || (x[i] != 0 && fabs(x[i]) < (double)FLT_MIN))
            return false;
    return true;
}
/* whether y has a radius of 2^-68 of unit, which is at least the least normal number */
bool agni_is_known(arb_srcptr y, arb_t unit)
{
    arb_t s;
    mag_t r, u;
    if (!arb_is_finite(y) || !arb_is_finite(y + 1) || !arb_is_finite(unit))
        return false;
    arb_init(s);
    mag_init(r);
    mag_init(u);
    arb_set_d(s, DBL_MIN);
    if (arb_lt(unit, s))
        arb_set(unit, s);
    mag_add(r, arb_radref(y), arb_radref(y + 1));
    arf_get_mag_lower(u, arb_midref(unit));
    mag_mul_2exp_si(u, u, -68);
    bool known = mag_cmp(r, u) <= 0;
    arb_clear(s);
    mag_clear(r);
    mag_clear(u);
    return known;
}
/* y to 2^-68 of unit; false: not to be had */
bool agni_find_reference(const special *f, arb_ptr y, arb_t unit, arb_srcptr x, const int64_t *k,
                         slong least)
{
    bool good = false;
    for (slong bits = least; !good && bits <= MOST_BITS; bits *= 2) {
        arb_zero(y);
        arb_zero(y + 1);
        f->value(y, x, k, bits);
        if (f->unit)
            f->unit(unit, y, x, k, bits);
        else
            arb_hypot(unit, y, y + 1, 64);
        good = agni_is_known(y, unit);
    }
    return good;
}
/* |have - want| / unit, one part of a number */
static double find_error(double have, const arb_t want, const arb_t unit, double most)
{
    arb_t t;
    arb_init(t);
    arb_set_d(t, most);
    arb_abs(t, t);
    bool over = arf_cmpabs(arb_midref(want), arb_midref(t)) > 0;
    arb_mul_2exp_si(t, unit, -60); /* of what is nothing beside its unit the ball has no digits */
    bool noise = arf_cmpabs(arb_midref(want), arb_midref(t)) < 0;
    over = over && !noise;
    double error;
    if (isinf(have) || over) {
        arb_mul_2exp_si(t, unit, -42); /* an infinity has the sign of what is not next to a root */
        bool same = arf_cmpabs(arb_midref(want), arb_midref(t)) < 0 ||
                    (have > 0) == (arf_sgn(arb_midref(want)) > 0);
        error = same && fabs(have) >= most * (1 - 1e-12) ? 0 : (double)INFINITY;
        if (isinf(have) && !over) { /* rounding at the very end, or an amplitude beyond it */
            arb_set_d(t, most * (1 - 1e-12));
            error = arf_cmpabs(arb_midref(unit), arb_midref(t)) > 0 ||
                            arf_cmpabs(arb_midref(want), arb_midref(t)) > 0
                        ? 0
                        : (double)INFINITY;
        }
    } else {
        arb_set_d(t, have);
        arf_sub(arb_midref(t), arb_midref(t), arb_midref(want), 128, ARF_RND_NEAR);
        arf_div(arb_midref(t), arb_midref(t), arb_midref(unit), 64, ARF_RND_NEAR);
        error = fabs(arf_get_d(arb_midref(t), ARF_RND_NEAR));
    }
    arb_clear(t);
    return error;
}
static void keep_worst(worst *w, const double *have, arb_srcptr y, const arb_t unit,
                       const double *x, const int64_t *k, double most)
{
    w->n++;
    if (isnan(have[0]) || isnan(have[1])) {
        w->refused++;
        return;
    }
    double error = find_error(have[0], y, unit, most),
           other = find_error(have[1], y + 1, unit, most);
    error = fmax(error, other);
    if (error > w->error || w->n == 1) {
        w->error = error;
        memcpy(w->at, x, sizeof w->at);
        memcpy(w->k, k, sizeof w->k);
    }
}

/* ---- calls of a function ----------------------------------------------------------- */

/* y of x, two parts a number, in f64 from and to the host */
static agn_status run_block(const special *f, agn_dtype dtype, int64_t n, double (*x)[BLOCK],
                            const int64_t *k, double (*y)[2])
{
    agn_tensor *in[MOST_ARGUMENTS] = {NULL}, *wide = NULL, *out = NULL, *back = NULL;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < f->n; i++) {
        st = agn_from_host(&wide, AGN_F64, 1, &n, x[i]);
        if (!st)
            st = agn_cast(&in[i], wide, dtype);
        agn_release(wide);
        wide = NULL;
    }
    if (!st)
        st = f->run(&out, in, k);
    if (!st)
        st = agn_cast(&back, out, AGN_C128);
    if (!st)
        st = agn_to_host(y, back, (size_t)n * sizeof *y);
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        agn_release(in[i]);
    agn_release(out);
    agn_release(back);
    return st;
}
/* what was found of one argument, y and z by f32, against its reference; unit is changed */
void agni_judge_argument(const special *f, const double *point, const int64_t *k, const double *y,
                           const double *z, arb_srcptr want, arb_t unit, result *r)
{
    keep_worst(lies_in_box(f, point) ? &r->in : &r->out, y, want, unit, point, k, DBL_MAX);
    if (!z || !is_narrow(f, point) || !lies_in_box(f, point))
        return;
    arb_t floor;
    arb_init(floor);
    arb_set_d(floor, (double)FLT_MIN);
    if (arb_lt(unit, floor))
        arb_set(unit, floor);
    keep_worst(&r->narrow, z, want, unit, point, k, (double)FLT_MAX);
    arb_clear(floor);
}
/* by 32, after each of which the watch sees that something goes on */
void agni_run_both(const special *f, int64_t n, double (*x)[BLOCK], const int64_t *k, double (*y)[2],
                   double (*z)[2], result *r)
{
    for (int64_t j = 0; j < n; j += 32, r->tried++) {
        double (*part)[BLOCK] = (double (*)[BLOCK])&x[0][j];
        const int64_t m = n - j < 32 ? n - j : 32;
        if (run_block(f, AGN_F64, m, part, k, y + j) || (z && run_block(f, AGN_F32, m, part, k, z + j))) {
            fprintf(stderr, "%s: %s\n", f->name, agn_error_message());
            exit(1);
        }
    }
}
