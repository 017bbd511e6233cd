/* bench/accuracy-special.c - the worst error of special functions against balls of Arb.

     make bench/accuracy-special && bench/accuracy-special [--rst FILE] [--few N] [--seconds S]
     [--alone S] [--seed N] [NAME...]

   --rst puts the table in the place of that which ends FILE (doc/accuracy_special.rst); where
   functions are named, the rows of others stay. A function takes N arguments (2^20) or S seconds
   (60), whichever ends first; the table tells how many it was. Where families.c has the function,
   arguments have references of their own for --alone S seconds (5), families of them after that.

   Arguments: of each, half uniform in the box, a quarter over the exponents below its ends, an
   eighth next to joints, roots and poles (x0 (1 + s 2^-u), and x0 itself), an eighth over all
   exponents (up to 30 times the box in Bessel and hypergeometric functions and distribution
   functions); a quarter of them rounded to whole numbers, a quarter to f32. The latter are given to
   the function in f32, too. Attributes are drawn.

   The precision of a ball is doubled until its radius is 2^-68 of what errors are measured by. An
   error is |found - exact| over the exact value, or over the amplitude that the header names;
   numbers below 2^-1022 count as that. An overflow is right where the exact value overflows. NaN is
   a refusal, and is counted apart. */
#include "bench/special-families.h"
#include "bench/special-table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 256, LEAST_BITS = 100, MOST_BITS = 3200 };

/* ---- arguments ------------------------------------------------------------------- */

static uint64_t seed = 1748;
static uint64_t draw_bits(void) /* splitmix64 (Steele et al. 2014) */
{
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static double draw_unit(void)
{
    return (double)(draw_bits() >> 11) * 0x1p-53;
}
static double draw_argument(const special *f, int i)
{
    double lo = f->box[i][0], hi = f->box[i][1];
    switch (draw_bits() % 8) {
    case 0: {
        int n = 0;
        while (n < MOST_JOINTS && f->joint[n] != 0)
            n++;
        double at = n ? f->joint[draw_bits() % (uint64_t)n] : 1;
        return draw_bits() % 16 == 0
                   ? at
                   : at * (1 + exp2(-55 * draw_unit()) * (draw_bits() & 1 ? 1 : -1));
    }
    case 1: { /* where balls of many arguments take for ever, only somewhat beyond the box */
        double most = fmax(fabs(lo), fabs(hi)),
               x = ldexp(1 + draw_unit(), (int)(draw_bits() % 2040) - 1020);
        if (f->narrow && x > 30 * most)
            x = 30 * most * draw_unit();
        return x * (lo < 0 && draw_bits() & 1 ? -1 : 1);
    }
    case 2:
    case 3:
        return fmax(fabs(lo), fabs(hi)) * exp2(-40 * draw_unit()) *
               (lo < 0 && (hi <= 0 || draw_bits() & 1) ? -1 : 1);
    default:
        return lo + (hi - lo) * draw_unit();
    }
}
static void draw_arguments(const special *f, double *x)
{
    uint64_t kind = draw_bits();
    for (int i = 0; i < f->n; i++, kind >>= 4) {
        x[i] = draw_argument(f, i);
        bool narrow = draw_bits() % 4 == 0;
        if (narrow)
            x[i] = (double)(float)x[i];
        if ((kind & 3) == 0 || (i == 0 && f->whole))
            x[i] = nearbyint(x[i]);
        x[i] += 0; /* -0, which cuts of the plane know and balls do not */
    }
}
static void draw_attributes(const special *f, int64_t *k)
{
    for (int i = 0; i < 2; i++)
        k[i] = f->low[i] + (int64_t)(draw_bits() % (uint64_t)(f->high[i] - f->low[i] + 1));
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
static bool is_known(arb_srcptr y, arb_t unit)
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
static bool find_reference(const special *f, arb_ptr y, arb_t unit, arb_srcptr x, const int64_t *k)
{
    bool good = false;
    for (slong bits = LEAST_BITS; !good && bits <= MOST_BITS; bits *= 2) {
        arb_zero(y);
        arb_zero(y + 1);
        f->value(y, x, k, bits);
        if (f->unit)
            f->unit(unit, y, x, k, bits);
        else
            arb_hypot(unit, y, y + 1, 64);
        good = is_known(y, unit);
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

static double cpu_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- one function ---------------------------------------------------------------- */

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
static void judge_argument(const special *f, const double *point, const int64_t *k, const double *y,
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
static void judge_block(const special *f, int64_t n, double (*x)[BLOCK], const int64_t *k,
                        double (*y)[2], double (*z)[2], double end, result *r)
{
    arb_ptr want = _arb_vec_init(2), at = _arb_vec_init(MOST_ARGUMENTS + 1);
    arb_t unit;
    arb_init(unit);
    for (int64_t j = 0; j < n && cpu_now() < end; j++) {
        double point[MOST_ARGUMENTS] = {0};
        r->tried++;
        for (int i = 0; i < f->n; i++) {
            point[i] = x[i][j];
            arb_set_d(at + i, point[i]);
        }
        /* a step from the end of the range tells whether an infinity is right */
        arb_set_d(at + f->n, isnan(y[j][0]) ? 1 : fmin(fmax(y[j][0], -DBL_MAX), DBL_MAX));
        if (find_reference(f, want, unit, at, k))
            judge_argument(f, point, k, y[j], z[j], want, unit, r);
        else
            r->unknown++;
    }
    arb_clear(unit);
    _arb_vec_clear(want, 2);
    _arb_vec_clear(at, MOST_ARGUMENTS + 1);
}
static void run_both(const special *f, int64_t n, double (*x)[BLOCK], const int64_t *k, double (*y)[2],
                     double (*z)[2])
{
    if (run_block(f, AGN_F64, n, x, k, y) || (z && run_block(f, AGN_F32, n, x, k, z))) {
        fprintf(stderr, "%s: %s\n", f->name, agn_error_message());
        exit(1);
    }
}
static void measure_function(const special *f, int64_t n, double end, result *r)
{
    static double x[MOST_ARGUMENTS][BLOCK], y[BLOCK][2], z[BLOCK][2];
    int64_t most = f->high[0] > f->low[0] || f->high[1] > f->low[1] ? 64 : BLOCK;
    while (r->in.n + r->out.n < n && cpu_now() < end) {
        int64_t k[2];
        draw_attributes(f, k);
        for (int64_t j = 0; j < most; j++) {
            double at[MOST_ARGUMENTS] = {0};
            draw_arguments(f, at);
            for (int i = 0; i < f->n; i++)
                x[i][j] = at[i];
        }
        run_both(f, most, x, k, y, z);
        judge_block(f, most, x, k, y, z, end, r);
    }
}

/* ---- families -------------------------------------------------------------------- */

/* a ball of its own agrees with that of the family, where it is to be had */
static void check_family(const special *f, const double *x, arb_srcptr y, arb_srcptr unit)
{
    static const int64_t none[2] = {0, 0};
    arb_ptr want = _arb_vec_init(2), at = _arb_vec_init(MOST_ARGUMENTS + 1);
    arb_t part;
    arb_init(part);
    for (int i = 0; i < f->n; i++)
        arb_set_d(at + i, x[i]);
    arb_set_d(at + f->n, arf_get_d(arb_midref(y), ARF_RND_NEAR)); /* where Newton's step begins */
    if (find_reference(f, want, part, at, none)) {
        for (int i = 0; i < 2; i++) {
            arb_sub(want + i, want + i, y + i, 128);
            arb_mul_2exp_si(part, unit, -60);
            if (arf_cmpabs(arb_midref(want + i), arb_midref(part)) > 0) {
                fprintf(stderr, "%s: a family and a ball differ at", f->name);
                for (int j = 0; j < f->n; j++)
                    fprintf(stderr, " %.17g", x[j]);
                fprintf(stderr, ": %.17g, %.17g\n", arf_get_d(arb_midref(y + i), ARF_RND_NEAR),
                        arf_get_d(arb_midref(want + i), ARF_RND_NEAR));
                exit(1);
            }
        }
    }
    arb_clear(part);
    _arb_vec_clear(want, 2);
    _arb_vec_clear(at, MOST_ARGUMENTS + 1);
}
/* members of a family that lie beyond the range are NaN */
static bool is_drawn(const special *f, const double *x)
{
    for (int i = 0; i < f->n; i++)
        if (isnan(x[i]))
            return false;
    return true;
}
/* one member in 2^13 has a ball of its own, too */
static void measure_families(const special *f, int64_t n, double end, result *r)
{
    static double drawn[BLOCK][MOST_ARGUMENTS], x[MOST_ARGUMENTS][BLOCK], y[BLOCK][2], z[BLOCK][2];
    static const int64_t none[2] = {0, 0};
    const family *kin = agni_find_family(f->name);
    const slong m = kin->length;
    arb_ptr want = _arb_vec_init(2 * m), unit = _arb_vec_init(m);
    for (int64_t done = 0; r->in.n + r->out.n < n && cpu_now() < end; done += m) {
        bool known[BLOCK] = {false};
        for (slong i = 0; i < m; i++)
            draw_arguments(f, drawn[i]);
        slong good = 0;
        for (slong bits = 128; good < m && bits <= 2 * MOST_BITS; bits = bits * 3 / 2) {
            _arb_vec_zero(want, 2 * m);
            _arb_vec_zero(unit, m);
            kin->run(f, want, unit, drawn, m, bits);
            good = 0;
            for (slong i = 0; i < m; i++) {
                if (!f->unit || arb_is_zero(unit + i))
                    arb_hypot(unit + i, want + 2 * i, want + 2 * i + 1, 64);
                known[i] = is_known(want + 2 * i, unit + i);
                good += known[i] || !is_drawn(f, drawn[i]);
            }
            r->tried++;
            if (good == 0 && bits > 1000)
                break;
        }
        slong some = (slong)(draw_bits() % (uint64_t)m);
        if (done % 8192 < m && known[some] && is_drawn(f, drawn[some]))
            check_family(f, drawn[some], want + 2 * some, unit + some);
        for (slong i = 0; i < m; i++)
            for (int j = 0; j < f->n; j++)
                x[j][i] = drawn[i][j];
        const bool narrow = done / m % 4 == 0; /* f32 of one family in four */
        run_both(f, m, x, none, y, narrow ? z : NULL);
        for (slong i = 0; i < m; i++)
            if (is_drawn(f, drawn[i]) && known[i])
                judge_argument(f, drawn[i], none, y[i], narrow ? z[i] : NULL, want + 2 * i,
                               unit + i, r);
            else if (is_drawn(f, drawn[i]))
                r->unknown++;
        r->tried++;
    }
    _arb_vec_clear(want, 2 * m);
    _arb_vec_clear(unit, m);
}
/* the same arguments for all attributes: the references of some are found together */
static void measure_degrees(const special *f, int64_t n, double end, result *r)
{
    enum { POINTS = 64 };
    static double x[MOST_ARGUMENTS][BLOCK], y[BLOCK][2], z[BLOCK][2];
    while (r->in.n + r->out.n < n && cpu_now() < end) {
        for (int64_t j = 0; j < POINTS; j++) {
            double at[MOST_ARGUMENTS] = {0};
            draw_arguments(f, at);
            for (int i = 0; i < f->n; i++)
                x[i][j] = at[i];
        }
        for (int64_t k[2] = {f->high[0], 0}; k[0] >= f->low[0] && cpu_now() < end; k[0]--) {
            run_both(f, POINTS, x, k, y, z);
            judge_block(f, POINTS, x, k, y, z, end, r);
        }
    }
}
/* a part of the time to arguments that have nothing in common, then families */
static void measure_all(const special *f, int64_t n, double share, double end, result *r)
{
    const family *kin = agni_find_family(f->name);
    if (!kin) {
        measure_function(f, n, end, r);
    } else if (!kin->run) {
        measure_degrees(f, n, end, r);
    } else {
        measure_function(f, n, share, r);
        measure_families(f, n, end, r);
    }
}

/* seconds that a process has used of a core */
static double cpu_seconds(pid_t child)
{
    clockid_t id;
    struct timespec t = {0, 0};
    if (clock_getcpuclockid(child, &id) == 0)
        clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/* by a process of its own, which is ended where a ball takes more than three seconds of a core:
   there is no reference then, and another goes on with other arguments */
static double watch_function(const special *f, int64_t n, double alone, double seconds, result *r)
{
    double before = 0;
    while (r->in.n + r->out.n < n && before < seconds) {
        pid_t child = fork();
        if (child < 0) {
            perror("fork");
            exit(1);
        }
        if (child == 0) {
            measure_all(f, n, alone - before, seconds - before, r);
            _exit(0);
        }
        int64_t tried = -1;
        double since = 0, used = 0;
        siginfo_t ended = {0};
        while (used - since < 3 &&
               waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               ended.si_pid == 0) {
            nanosleep(&(struct timespec){0, 10000000}, NULL);
            used = cpu_seconds(child);
            if (r->tried != tried) {
                tried = r->tried;
                since = used;
            }
        }
        before += used;
        bool stuck = used - since >= 3;
        if (stuck)
            kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (stuck) {
            r->unknown++;
            seed += (uint64_t)r->tried;
        } else if (r->tried == 0) {
            exit(1);
        } else {
            break;
        }
    }
    return before;
}

int main(int argc, char **argv)
{
    const char *file = NULL, *names[256];
    int n_names = 0;
    int64_t few = 1 << 20;
    double seconds = 60, alone = 5;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--rst") && i + 1 < argc)
            file = argv[++i];
        else if (!strcmp(argv[i], "--few") && i + 1 < argc)
            few = strtoll(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = strtod(argv[++i], NULL);
        else if (!strcmp(argv[i], "--alone") && i + 1 < argc)
            alone = strtod(argv[++i], NULL);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = (uint64_t)strtoll(argv[++i], NULL, 10);
        else if (n_names < 256)
            names[n_names++] = argv[i];
    FILE *rst = file ? tmpfile() : NULL;
    if (file && !rst) {
        perror("tmpfile");
        return 1;
    }
    result *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    if (rst)
        agni_print_head(rst);
    for (int j = 0; j < n_special; j++) {
        const special *f = &special_functions[j];
        bool asked = n_names == 0;
        for (int i = 0; i < n_names; i++)
            asked = asked || !strcmp(names[i], f->name);
        if (asked) {
            memset(r, 0, sizeof *r);
            double used = watch_function(f, few, alone, seconds, r);
            agni_print_row(stdout, f, r);
            fprintf(stderr, "%s: %.1f s\n", f->name, used);
            if (rst)
                agni_print_row(rst, f, r);
        } else if (rst) {
            agni_keep_row(rst, file, f->name);
        }
    }
    int bad = rst ? agni_replace_table(file, rst) : 0;
    flint_cleanup();
    return bad;
}
