/* bench/accuracy.c - the worst error of every function of one element, against MPFR.

     make bench/accuracy && bench/accuracy [--rst FILE] [--few N] [--seed N] [NAME...]

   --rst puts the table in the place of that which ends FILE (doc/accuracy.rst); where functions are
   named, the rows of others stay.

   Arguments: a fourth in the box, a fourth over all exponents and signs with subnormal numbers,
   a fourth next to poles, roots and joints of the methods (x0 (1 + s 2^-k), and x0 itself and
   its neighbours), a fourth over the exponents around the box; functions of several arguments
   also next to curves of roots. Of f16 and bf16 every number there is. An error is given in units
   of the last place of the exact value; an overflow where MPFR finds none, or NaN, is infinite.

   Each argument is judged in long double first (quick.c). Where that finds more than the worst
   error so far, and for one argument of 128 anyway, MPFR judges, and only its word counts. By
   how much those of the 128th were worse though the quick value cleared them is told
   ("hidden"). */
/* before complex.h, whose I is a parameter there */
#include "tensor/cpu/level_dispatch.h"
#include "tensor/cpu/vmath/special_maps.h"
#include "bench/accuracy.h"

#include <agnesi/agnesi.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 4096, ONE_IN = 128 };

/* what is measured: an element type, and a kernel on tiles if not the op itself */
typedef struct number {
    const char *name;
    agn_dtype dtype;
    int digits, least, most; /* bits; exponents of the least number and beyond the largest */
    bool all;                /* every number there is */
} number;
static const number numbers[] = {
    {"f64", AGN_F64, 53, -1074, 1024, false},
    {"f32", AGN_F32, 24, -149, 128, false},
    {"f16", AGN_F16, 11, -24, 16, true},
    {"bf16", AGN_BF16, 8, -133, 128, true},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

#define ID(name) {#name, offsetof(agni_real_kernels, map[AGNI_VM_##name]), -1, false},
#define SPECIAL(name, least, most) {#name, offsetof(agni_vspecials, name), -1, true},
static const struct kernel {
    const char *name;
    size_t at; /* in the kernels of a level, or in its special ones */
    int64_t order;
    bool special;
} kernels[] = {AGNI_VMAPS(ID) AGNI_VSPECIALS(SPECIAL){
    "polygamma", offsetof(agni_vspecials, trigamma), 1, true}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* ---- arguments ------------------------------------------------------------------- */

static uint64_t seed = 1748;
static uint64_t draw(void) /* splitmix64 (Steele et al. 2014) */
{
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static double unit(void)
{
    return (double)(draw() >> 11) * 0x1p-53;
}

static double from_bits(uint64_t u, const number *t)
{
    union {
        uint64_t u;
        double d;
    } d = {u};
    union {
        uint32_t u;
        float f;
    } f = {(uint32_t)(t->dtype == AGN_BF16 ? u << 16 : u)};
    if (t->dtype == AGN_F16) {
        int e = (int)(u >> 10 & 31), m = (int)(u & 1023);
        double x = e == 31 ? (m ? (double)NAN : (double)INFINITY)
                           : ldexp(e ? 1024 + m : m, (e ? e : 1) - 25);
        return u >> 15 & 1 ? -x : x;
    }
    return t->dtype == AGN_F64 ? d.d : (double)f.f;
}
static double any_number(const number *t)
{
    double x;
    do
        x = from_bits(draw(), t);
    while (!isfinite(x));
    return x;
}
static double step(void)
{
    return exp2(-55 * unit()) * (draw() & 1 ? 1 : -1);
}

static double argument(const function *f, int i, int64_t k, const number *t)
{
    double lo = f->box[i][0], hi = f->box[i][1];
    switch (k % 4) {
    case 0:
        return lo + (hi - lo) * unit();
    case 1:
        return any_number(t);
    case 2: {
        int n = 0;
        while (n < MOST_POINTS && f->point[i][n] != END)
            n++;
        double at = f->point[i][draw() % (uint64_t)n], by = step();
        return draw() % 64 == 0 ? at : at == 0 ? by : at * (1 + by);
    }
    default: /* magnitudes evenly by exponent, from a millionth of the box up */
        return fmax(fabs(lo), fabs(hi)) * exp2(-20 * unit()) * (lo < 0 && draw() & 1 ? -1 : 1);
    }
}

/* functions of several arguments: half in the box, the rest anything, some led to a curve */
static void arguments(const function *f, int64_t k, const number *t, double *x)
{
    uint64_t kinds = f->n == 1 ? (uint64_t)k : k % 2 ? draw() : 0;
    if (t->all)
        x[0] = from_bits((uint64_t)k, t);
    for (int i = 0; i < f->n && !t->all; i++, kinds >>= 8)
        x[i] = argument(f, i, (int64_t)(kinds & 255), t);
    if (t->dtype == AGN_F32)
        for (int i = 0; i < f->n; i++)
            x[i] = (double)(float)x[i];
    if (f->lead && f->n > 1 && draw() % 4 == 0)
        f->lead(x, step());
    if (t->dtype == AGN_F32)
        for (int i = 0; i < f->n; i++)
            x[i] = (double)(float)x[i];
}

/* ---- errors ---------------------------------------------------------------------- */

/* in units of the last place of what is exact */
static double ulps(double have, mpfr_t want, const number *t)
{
    if (mpfr_nan_p(want) || isnan(have))
        return mpfr_nan_p(want) && isnan(have) ? 0 : (double)INFINITY;
    if (mpfr_inf_p(want) || (mpfr_regular_p(want) && mpfr_get_exp(want) > t->most)) {
        double high = ldexp(2 - ldexp(2, -t->digits), t->most - 1);
        return (have > 0) == (mpfr_sgn(want) > 0) && fabs(have) >= high ? 0 : (double)INFINITY;
    }
    if (isinf(have)) { /* an exact value at the very end of the range may round up to it */
        mpfr_t end;
        mpfr_init2(end, 64);
        mpfr_abs(end, want, MPFR_RNDN);
        mpfr_mul_2si(end, end, -t->most, MPFR_RNDN);
        double part = mpfr_get_d(end, MPFR_RNDN);
        mpfr_clear(end);
        return part > 1 - ldexp(4, -t->digits) ? (1 - part) * ldexp(1, t->digits)
                                               : (double)INFINITY;
    }
    mpfr_t d;
    mpfr_init2(d, 64);
    mpfr_sub_d(d, want, have, MPFR_RNDN);
    long e = mpfr_zero_p(want) ? t->least : (long)mpfr_get_exp(want) - t->digits;
    mpfr_mul_2si(d, d, -(e < t->least ? t->least : e), MPFR_RNDN);
    double u = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return u;
}
/* the same by the quick value; infinite where that says nothing */
static double quick_ulps(double have, long double want, const number *t)
{
    int e;
    if (!isfinite(want) || !isfinite(have))
        return (double)INFINITY;
    frexpl(want, &e);
    e = want == 0 || e - t->digits < t->least ? t->least : e - t->digits;
    return (double)ldexpl(fabsl(want - (long double)have), -e);
}

static bool boxed(const function *f, const double *x)
{
    for (int i = 0; i < f->n; i++)
        if (!(x[i] >= f->box[i][0] && x[i] <= f->box[i][1]))
            return false;
    return true;
}

static void judge(const function *f, const number *t, const double *x, double y, result *r)
{
    static mpfr_t a[3], want;
    static bool ready;
    if (!ready) {
        mpfr_inits2(64, a[0], a[1], a[2], (mpfr_ptr)0);
        mpfr_init2(want, PRECISION);
        ready = true;
    }
    worst *w = boxed(f, x) ? &r->in : &r->out;
    long double wide[3] = {(long double)x[0], (long double)x[1], (long double)x[2]};
    double quick = quick_ulps(y, f->quick(wide, f->order), t);
    bool sample = draw() % ONE_IN == 0;
    if (++w->n > 1 && quick <= w->error && !sample)
        return;
    for (int i = 0; i < 3; i++)
        mpfr_set_d(a[i], x[i], MPFR_RNDN);
    mpfr_set_prec(want, PRECISION);
    f->value(want, a, f->order);
    double error = ulps(y, want, t);
    r->judged++;
    if (quick <= w->error && error - w->error > r->hidden)
        r->hidden = error - w->error;
    if (error > w->error || w->n == 1) {
        w->error = error;
        memcpy(w->at, x, sizeof w->at);
    }
}

/* ---- one function ---------------------------------------------------------------- */

/* y of x, in f64 from and to the host */
static agn_status run(const function *f, const number *t, int64_t n, double (*x)[BLOCK],
                      double *y)
{
    agn_tensor *in[3] = {NULL}, *wide = NULL, *out = NULL, *back = NULL;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < f->n; i++) {
        st = agn_from_host(&wide, AGN_F64, 1, &n, x[i]);
        if (!st)
            st = agn_cast(&in[i], wide, t->dtype);
        agn_release(wide);
        wide = NULL;
    }
    if (!st)
        st = agn_op_apply(&out, 1, f->op, (const agn_tensor *const *)in, f->n, &f->order,
                          f->order >= 0, NULL, 0);
    if (!st)
        st = agn_cast(&back, out, AGN_F64);
    if (!st)
        st = agn_to_host(y, back, (size_t)n * sizeof *y);
    for (int i = 0; i < 3; i++)
        agn_release(in[i]);
    agn_release(out);
    agn_release(back);
    return st;
}
static agni_simd_map *kernel_of_level(const agni_simd_kernels *level, const struct kernel *k, int real)
{
    const char *p = k->special ? (const char *)level->special + (size_t)real * sizeof(agni_simd_map *)
                               : (const char *)&level->real[real];
    return *(agni_simd_map *const *)(const void *)(p + k->at);
}
/* the same by a kernel on tiles */
static void run_tiles(const agni_simd_kernels *level, const struct kernel *kernel, const number *t,
                      int64_t n, const double *x, double *y)
{
    static float small[BLOCK];
    if (t->dtype == AGN_F64) {
        kernel_of_level(level, kernel, AGNI_SIMD_F64)(y, x, n);
        return;
    }
    for (int64_t k = 0; k < n; k++)
        small[k] = (float)x[k];
    kernel_of_level(level, kernel, AGNI_SIMD_F32)(small, small, n);
    for (int64_t k = 0; k < n; k++)
        y[k] = (double)small[k];
}

static void measure(const function *f, const number *t, const agni_simd_kernels *level,
                    const struct kernel *kernel, int64_t n, result *r)
{
    static double x[3][BLOCK], y[BLOCK];
    /* n are judged, however many are skipped */
    for (int64_t from = 0; r->in.n + r->out.n < n && from < (t->all ? n : 8 * n); from += BLOCK) {
        int64_t m = t->all && n - from < BLOCK ? n - from : BLOCK;
        for (int64_t k = 0; k < m; k++) {
            double at[3] = {0};
            arguments(f, from + k, t, at);
            for (int i = 0; i < f->n; i++)
                x[i][k] = at[i];
        }
        if (level) {
            run_tiles(level, kernel, t, m, x[0], y);
        } else if (run(f, t, m, x, y)) {
            fprintf(stderr, "%s: %s\n", f->op, agn_error_message());
            exit(1);
        }
        for (int64_t k = 0; k < m; k++) {
            double at[3] = {x[0][k], f->n > 1 ? x[1][k] : 0, f->n > 2 ? x[2][k] : 0};
            if (!isnan(at[0]) && !(f->skip && f->skip(at)))
                judge(f, t, at, y[k], r);
        }
    }
}

/* ---- all of them ----------------------------------------------------------------- */

static void row(const function *f, const number *t, const agni_simd_kernels *level,
                const struct kernel *kernel, int64_t n, FILE *rst)
{
    char type[32];
    clock_t start = clock();
    result r;
    memset(&r, 0, sizeof r);
    measure(f, t, level, kernel, t->all ? 65536 : n, &r);
    snprintf(type, sizeof type, level ? "%s %s" : "%s", t->name, level ? level->name : "");
    accuracy_print(stdout, f, type, &r);
    if (rst)
        accuracy_rst(rst, f, type, &r);
    fprintf(stderr, "%s %s: %.1f s, %" PRId64 " by MPFR\n", f->name, type,
            (double)(clock() - start) / CLOCKS_PER_SEC, r.judged);
}

static void rows(const function *f, int64_t n, FILE *rst)
{
    const char *kernel = strcmp(f->op, "reciprocal") ? f->op : "recip";
    for (int t = 0; t < NUMBERS; t++)
        if (!numbers[t].all || f->n == 1)
            row(f, &numbers[t], NULL, NULL, n, rst);
    int k = 0;
    while (k < KERNELS && (strcmp(kernels[k].name, kernel) || kernels[k].order != f->order))
        k++;
    if (k == KERNELS)
        return;
    const agni_simd_kernels *level;
    bool usable;
    for (int l = 0; (level = agni_simd_kernels_level(l, &usable)); l++)
        for (int t = 0; usable && t < 2; t++)
            row(f, &numbers[t], level, &kernels[k], n, rst);
}

static bool asked(int argc, char **argv, bool all, const char *name)
{
    for (int i = 1; i < argc; i++)
        all = all || !strcmp(argv[i], name);
    return all;
}

int main(int argc, char **argv)
{
    const char *file = NULL;
    bool all = true;
    int64_t few = 1 << 20;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--rst") && i + 1 < argc)
            file = argv[++i];
        else if (!strcmp(argv[i], "--few") && i + 1 < argc)
            few = strtoll(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = (uint64_t)strtoll(argv[++i], NULL, 10);
        else
            all = false;
    FILE *rst = file ? tmpfile() : NULL;
    if (file && !rst) {
        perror("tmpfile");
        return 1;
    }
    if (rst)
        accuracy_rst_head(rst);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    for (int k = 0; k < n_functions; k++) {
        if (asked(argc, argv, all, functions[k].name))
            rows(&functions[k], few, rst);
        else if (rst)
            accuracy_rst_keep(rst, file, functions[k].name);
    }
    for (int k = 0; k < n_complex; k++)
        if (asked(argc, argv, all, accuracy_complex_name(k)) ||
            asked(argc, argv, false, "complex")) {
            accuracy_complex(stdout, rst, k, few, AGN_C128);
            accuracy_complex(stdout, rst, k, few, AGN_C64);
        } else if (rst) {
            accuracy_rst_keep(rst, file, accuracy_complex_name(k));
        }
    if (rst)
        accuracy_replace(file, rst);
    mpfr_free_cache();
    return 0;
}
