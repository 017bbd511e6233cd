/* bench/accuracy-special.c - the worst error of special functions against balls of Arb.

     make bench/accuracy-special && bench/accuracy-special [--rst FILE] [--few N] [--seconds S]
     [--alone S] [--seed N] [NAME...]

   --rst puts the table in the place of that which ends FILE (doc/accuracy_special.rst); where
   functions are named, the rows of others stay. A function takes N arguments (2^20) or S seconds
   (60), whichever ends first; the table tells how many it was. Where special-intervals.c or families.c
   has the function, arguments have references of their own for --alone S seconds (5), then those of
   an interval or a family do.

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
#include "bench/special-judge.h"
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

/* ---- one function ---------------------------------------------------------------- */

static void judge_block(const special *f, int64_t n, double (*x)[BLOCK], const int64_t *k,
                        double (*y)[2], double (*z)[2], double end, result *r)
{
    arb_ptr want = _arb_vec_init(2), at = _arb_vec_init(MOST_ARGUMENTS + 2);
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
        for (int i = 0; i < 2; i++)
            arb_set_d(at + f->n + i, isnan(y[j][i]) ? 1 : fmin(fmax(y[j][i], -DBL_MAX), DBL_MAX));
        if (agni_find_reference(f, want, unit, at, k, LEAST_BITS))
            agni_judge_argument(f, point, k, y[j], z[j], want, unit, r);
        else
            r->unknown++;
    }
    arb_clear(unit);
    _arb_vec_clear(want, 2);
    _arb_vec_clear(at, MOST_ARGUMENTS + 2);
}
static void measure_function(const special *f, int64_t n, double end, result *r)
{
    static double x[MOST_ARGUMENTS][BLOCK], y[BLOCK][2], z[BLOCK][2];
    int64_t most = (f->high[0] > f->low[0] || f->high[1] > f->low[1]) && !f->whole ? 64 : BLOCK;
    while (r->in.n + r->out.n < n && cpu_now() < end) {
        int64_t k[2];
        agni_draw_attributes(f, k);
        for (int64_t j = 0; j < most; j++) {
            double at[MOST_ARGUMENTS] = {0};
            agni_draw_arguments(f, at);
            for (int i = 0; i < f->n; i++)
                x[i][j] = at[i];
        }
        agni_run_both(f, most, x, k, y, z, r);
        judge_block(f, most, x, k, y, z, end, r);
    }
}

/* ---- families -------------------------------------------------------------------- */

/* a ball of its own agrees with that of the family, where it is to be had */
static void check_family(const special *f, const double *x, arb_srcptr y, arb_srcptr unit)
{
    static const int64_t none[2] = {0, 0};
    arb_ptr want = _arb_vec_init(2), at = _arb_vec_init(MOST_ARGUMENTS + 2);
    arb_t part;
    arb_init(part);
    for (int i = 0; i < f->n; i++)
        arb_set_d(at + i, x[i]);
    arb_set_d(at + f->n, arf_get_d(arb_midref(y), ARF_RND_NEAR)); /* where Newton's step begins */
    if (agni_find_reference(f, want, part, at, none, LEAST_BITS)) {
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
    _arb_vec_clear(at, MOST_ARGUMENTS + 2);
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
            agni_draw_arguments(f, drawn[i]);
        slong good = 0;
        for (slong bits = 128; good < m && bits <= 2 * MOST_BITS; bits = bits * 3 / 2) {
            _arb_vec_zero(want, 2 * m);
            _arb_vec_zero(unit, m);
            kin->run(f, want, unit, drawn, m, bits);
            good = 0;
            for (slong i = 0; i < m; i++) {
                if (!f->unit || arb_is_zero(unit + i))
                    arb_hypot(unit + i, want + 2 * i, want + 2 * i + 1, 64);
                known[i] = agni_is_known(want + 2 * i, unit + i);
                good += known[i] || !is_drawn(f, drawn[i]);
            }
            r->tried++;
            if (good == 0 && bits > 1000)
                break;
        }
        slong some = (slong)(agni_draw_bits() % (uint64_t)m);
        if (done % 8192 < m && known[some] && is_drawn(f, drawn[some]))
            check_family(f, drawn[some], want + 2 * some, unit + some);
        for (slong i = 0; i < m; i++)
            for (int j = 0; j < f->n; j++)
                x[j][i] = drawn[i][j];
        const bool narrow = done / m % 4 == 0; /* f32 of one family in four */
        agni_run_both(f, m, x, none, y, narrow ? z : NULL, r);
        for (slong i = 0; i < m; i++)
            if (is_drawn(f, drawn[i]) && known[i])
                agni_judge_argument(f, drawn[i], none, y[i], narrow ? z[i] : NULL, want + 2 * i,
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
            agni_draw_arguments(f, at);
            for (int i = 0; i < f->n; i++)
                x[i][j] = at[i];
        }
        for (int64_t k[2] = {f->high[0], 0}; k[0] >= f->low[0] && cpu_now() < end; k[0]--) {
            agni_run_both(f, POINTS, x, k, y, z, r);
            judge_block(f, POINTS, x, k, y, z, end, r);
        }
    }
}
/* a part of the time to arguments that have nothing in common, then intervals or families */
static void measure_all(const special *f, int64_t n, double share, double end, result *r)
{
    const family *kin = agni_find_family(f->name);
    const interval *v = agni_find_interval(f->name);
    if (kin && !kin->run) {
        measure_degrees(f, n, end, r);
        return;
    }
    measure_function(f, n, kin || v ? share : end, r);
    if (v)
        agni_measure_intervals(f, v, n, end, r);
    else if (kin)
        measure_families(f, n, end, r);
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
            agni_seed += (uint64_t)r->tried;
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
            agni_seed = (uint64_t)strtoll(argv[++i], NULL, 10);
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
