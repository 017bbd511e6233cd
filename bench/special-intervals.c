/* bench/special-intervals.c - references of many arguments from few balls: Newton's interpolation at the
   roots of a Chebyshev polynomial (Trefethen, Approximation Theory and Practice, ch. 8) of a function that
   is analytic about a short interval of one of its arguments. */
#include "bench/special-families.h"
#include "bench/special-judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 32, INTERPOLATION_BITS = 192, LEAST_LEVEL = 2, MOST_LEVEL = 14 };

static const interval intervals[] = {
    {"ellippi", 1, 16},
    {"ellippiinc", 1, 32},
    {"ellipeinc", 0, 16},
    {"elliprg", 2, 16},
    {"hyp1f1", 2, 32},
    {"hyperu", 2, 16},
    {"hyp2f1", 3, 32},
    {"modstruve", 1, 16},
    {"stdtrit", 1, 16},
    {"fdtri", 2, 16},
    {"bdtri", 2, 16},
    {"nbdtri", 2, 16},
    {"log_betaincc", 2, 16},
    {"betaincinv", 2, 16},
    {"betainccinv", 2, 16},
    {"wright_bessel", 2, 32},
    {"log_wright_bessel", 2, 32},
    {"chndtr", 0, 32},
    {"ncfdtr", 3, 32},
    {"mathieu_a", 0, 16},
    {"mathieu_b", 0, 16},
    {"mathieu_ce", 1, 16},
    {"mathieu_se", 1, 16},
    {"pro_cv", 0, 16},
    {"obl_cv", 0, 16},
    {"legendre_q", 0, 16},
    {"parabolic_w", 0, 16},
    {"bessel_integral", 0, 16},
    {"smirnov", 0, 16},
    {"smirnovi", 0, 16},
    {"tklmbda", 0, 8},
    {"chndtrix", 0, 32},
    {"ncfdtri", 3, 32},
    {"nctdtr", 2, 32},
    {"nctdtrit", 2, 32},
    {"parabolic_v", 1, 16},
    {"besselpoly", 0, 16},
    {"mathieu_modcem1", 0, 32},
    {"mathieu_modcem2", 0, 32},
    {"mathieu_modsem1", 0, 32},
    {"mathieu_modsem2", 0, 32},
    {"pro_rad1", 0, 16},
    {"pro_rad2", 0, 16},
    {"obl_rad1", 0, 16},
    {"obl_rad2", 0, 16},
    {"pro_ang1", 1, 32},
    {"obl_ang1", 1, 32},
    {"polylog", 1, 32},
    {"lerch_phi", 0, 32},
    {"fermi_dirac", 1, 32},
};

const interval *agni_find_interval(const char *name)
{
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++)
        if (!strcmp(intervals[i].name, name))
            return &intervals[i];
    return NULL;
}

/* f about centre, where t = 2 (x - centre) / half; its nodes are doubles next to 2 cos((j + 1/2) pi / n) */
typedef struct fit {
    double centre, half, x[NODES];
    arb_ptr node, c, unit; /* nodes in t, Newton's coefficients, what errors are parts of (in x's order) */
    mag_t radius;
} fit;

static void open_fit(fit *g)
{
    g->node = _arb_vec_init(NODES);
    g->c = _arb_vec_init(NODES);
    g->unit = _arb_vec_init(NODES);
    mag_init(g->radius);
}
static void close_fit(fit *g)
{
    _arb_vec_clear(g->node, NODES);
    _arb_vec_clear(g->c, NODES);
    _arb_vec_clear(g->unit, NODES);
    mag_clear(g->radius);
}
/* the order in which products of distances stay near 1: bits reversed */
static int reverse(int j)
{
    int r = 0;
    for (int bit = 1; bit < NODES; bit *= 2, j /= 2)
        r = 2 * r + j % 2;
    return r;
}
static void place_argument(arb_t t, const fit *g, double x)
{
    arb_t s;
    arb_init(s);
    arb_set_d(t, x);
    arb_set_d(s, g->centre);
    arb_sub(t, t, s, INTERPOLATION_BITS);
    arb_set_d(s, g->half);
    arb_div(t, t, s, INTERPOLATION_BITS);
    arb_mul_2exp_si(t, t, 1);
    arb_clear(s);
    mag_zero(arb_radref(t));
}
/* half a part of the distance to the next joint or end of the box; false: no interval stands there */
static bool choose_interval(const special *f, int argument, int level, const double *point, fit *g)
{
    double x = point[argument], distance = fabs(x);
    for (int i = 0; i < MOST_JOINTS + 2; i++) {
        double e = i < MOST_JOINTS ? f->joint[i] : f->box[argument][i - MOST_JOINTS];
        if (x != e)
            distance = fmin(distance, fabs(x - e));
    }
    g->centre = x;
    g->half = ldexp(distance, -level);
    return g->half > fabs(x) * 0x1p-32 && g->half > 1e-290 && isfinite(2 * x);
}
/* a ball of x, or the reason why there is none */
static bool find_one(const special *f, const double *point, const int64_t *k, double found, arb_ptr y,
                     arb_t unit)
{
    arb_ptr at = _arb_vec_init(MOST_ARGUMENTS + 2);
    for (int i = 0; i < f->n; i++)
        arb_set_d(at + i, point[i]);
    arb_set_d(at + f->n, isnan(found) ? 1 : fmin(fmax(found, -DBL_MAX), DBL_MAX));
    bool good = agni_find_reference(f, y, unit, at, k, 160);
    _arb_vec_clear(at, MOST_ARGUMENTS + 2);
    return good;
}
/* balls at the nodes and their differences; 1: done, 0: terms do not fall, -1: a ball is not to be had */
static int fit_interval(const special *f, int argument, const double *point, const int64_t *k, fit *g,
                        result *r)
{
    static double x[MOST_ARGUMENTS][BLOCK], found[BLOCK][2];
    for (int j = 0; j < NODES; j++) {
        for (int i = 0; i < f->n; i++)
            x[i][j] = point[i];
        g->x[j] = x[argument][j] = g->centre + g->half * cos((j + 0.5) * 3.14159265358979324 / NODES);
    }
    agni_run_both(f, NODES, x, k, found, NULL, r);
    arb_ptr y = _arb_vec_init(2);
    mag_t most, size;
    mag_init(most);
    mag_init(size);
    mag_zero(g->radius);
    int state = 1;
    for (int j = 0; j < NODES && state > 0; j++) {
        int at = reverse(j);
        double p[MOST_ARGUMENTS] = {0};
        memcpy(p, point, (size_t)f->n * sizeof *p);
        p[argument] = g->x[at];
        if (!find_one(f, p, k, found[at][0], y, g->unit + at))
            state = -1;
        r->tried++;
        place_argument(g->node + j, g, g->x[at]);
        arb_set(g->c + j, y);
        mag_max(g->radius, g->radius, arb_radref(y));
        mag_zero(arb_radref(g->c + j));
        arb_get_mag(size, y);
        mag_max(most, most, size);
    }
    mag_mul_2exp_si(g->radius, g->radius, 2); /* Lebesgue's constant is below 4 */
    arb_t t;
    arb_init(t);
    for (int j = 1; j < NODES && state > 0; j++)
        for (int i = NODES - 1; i >= j; i--) {
            arb_sub(g->c + i, g->c + i, g->c + i - 1, INTERPOLATION_BITS);
            arb_sub(t, g->node + i, g->node + i - j, INTERPOLATION_BITS);
            arb_div(g->c + i, g->c + i, t, INTERPOLATION_BITS);
            mag_zero(arb_radref(g->c + i));
        }
    arb_clear(t);
    for (int j = NODES - 3; j < NODES && state > 0; j++) { /* what is left is below the last ones */
        arb_get_mag(size, g->c + j);
        mag_mul_2exp_si(size, size, 6);
        mag_add(g->radius, g->radius, size);
    }
    mag_mul_2exp_si(most, most, -84);
    if (state > 0 && mag_cmp(g->radius, most) > 0)
        state = 0;
    mag_clear(most);
    mag_clear(size);
    _arb_vec_clear(y, 2);
    return state;
}
/* the value, and the smaller unit of the two nodes about x */
static void interpolate(const special *f, const fit *g, double x, arb_ptr y, arb_t unit)
{
    arb_t t, s;
    arb_init(t);
    arb_init(s);
    place_argument(t, g, x);
    arb_set(y, g->c + NODES - 1);
    for (int j = NODES - 2; j >= 0; j--) {
        arb_sub(s, t, g->node + j, INTERPOLATION_BITS);
        arb_mul(y, y, s, INTERPOLATION_BITS);
        arb_add(y, y, g->c + j, INTERPOLATION_BITS);
    }
    mag_zero(arb_radref(y));
    arb_add_error_mag(y, g->radius);
    arb_zero(y + 1);
    if (f->unit) {
        double place = NODES * acos(0.5 * arf_get_d(arb_midref(t), ARF_RND_NEAR)) / 3.14159265358979324;
        int low = (int)fmin(fmax(floor(place - 0.5), 0), NODES - 2);
        const int less = arf_cmpabs(arb_midref(g->unit + low), arb_midref(g->unit + low + 1)) < 0;
        arb_set(unit, g->unit + (less ? low : low + 1));
    } else {
        arb_abs(unit, y);
    }
    arb_clear(t);
    arb_clear(s);
}
/* whether a ball of its own says the same of a point */
static bool agrees(const special *f, const fit *g, int argument, const double *point, const int64_t *k,
                   double found)
{
    arb_ptr y = _arb_vec_init(2), want = _arb_vec_init(2);
    arb_t unit, other;
    arb_init(unit);
    arb_init(other);
    interpolate(f, g, point[argument], y, unit);
    bool good = find_one(f, point, k, found, want, other);
    good = good && arb_overlaps(want, y);
    _arb_vec_clear(y, 2);
    _arb_vec_clear(want, 2);
    arb_clear(unit);
    arb_clear(other);
    return good;
}
/* points of an interval, a quarter of them rounded to f32 */
static void draw_points(const special *f, const fit *g, int argument, const double *point,
                        double (*x)[BLOCK])
{
    for (int j = 0; j < BLOCK; j++) {
        for (int i = 0; i < f->n; i++)
            x[i][j] = point[i];
        double at = g->centre + g->half * (2 * agni_draw_unit() - 1), narrow = (double)(float)at;
        x[argument][j] = j % 4 == 3 && fabs(narrow - g->centre) <= g->half ? narrow : at;
    }
}
/* intervals where terms do not fall, or a ball differs, are dropped, and count as one argument that is not
   known */
void agni_measure_intervals(const special *f, const interval *v, int64_t n, double end, result *r)
{
    static double x[MOST_ARGUMENTS][BLOCK], y[BLOCK][2], z[BLOCK][2];
    arb_ptr want = _arb_vec_init(2);
    arb_t unit;
    arb_init(unit);
    fit g;
    open_fit(&g);
    int level = LEAST_LEVEL, done = 0, dropped = 0, differ = 0;
    while (r->in.n + r->out.n < n && cpu_now() < end) {
        int64_t k[2];
        double point[MOST_ARGUMENTS] = {0};
        agni_draw_attributes(f, k);
        agni_draw_arguments(f, point);
        if (!choose_interval(f, v->argument, level, point, &g))
            continue;
        int state = 0;
        level -= level > LEAST_LEVEL && agni_draw_bits() % 4 == 0;
        for (int most = level + 6; state == 0 && level <= most && level <= MOST_LEVEL;) {
            if (!choose_interval(f, v->argument, level, point, &g))
                break;
            state = fit_interval(f, v->argument, point, k, &g, r);
            level += state ? 0 : 2;
        }
        level = level > MOST_LEVEL ? MOST_LEVEL : level;
        if (state <= 0) {
            r->unknown++;
            r->tried++;
            dropped++;
            continue;
        }
        const bool narrow = done++ % 4 == 0; /* f32 of one interval in four */
        for (int b = 0; b < v->blocks && state > 0; b++) {
            draw_points(f, &g, v->argument, point, x);
            agni_run_both(f, BLOCK, x, k, y, narrow ? z : NULL, r);
            for (int j = 0; j < BLOCK && state > 0; j++) {
                for (int i = 0; i < f->n; i++)
                    point[i] = x[i][j];
                if (b == 0 && j == 0 && !agrees(f, &g, v->argument, point, k, y[0][0])) {
                    state = 0;
                    r->unknown++;
                    differ++;
                    continue;
                }
                interpolate(f, &g, point[v->argument], want, unit);
                if (agni_is_known(want, unit))
                    agni_judge_argument(f, point, k, y[j], narrow ? z[j] : NULL, want, unit, r);
                else
                    r->unknown++;
            }
            r->tried++;
        }
    }
    fprintf(stderr, "%s: %d intervals, %d dropped, %d where a ball differs\n", f->name, done, dropped,
            differ);
    close_fit(&g);
    arb_clear(unit);
    _arb_vec_clear(want, 2);
}
