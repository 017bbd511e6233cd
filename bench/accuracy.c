/* bench/accuracy.c - the worst error of every function of one element, against MPFR.

     make bench/accuracy && bench/accuracy [--rst] [--few N] [NAME...]

   Arguments: a fourth in the box, a fourth over all exponents and signs with subnormal numbers,
   a fourth next to poles, roots and joints of the methods (x0 (1 + s 2^-k), and x0 itself and
   its neighbours), a fourth over the exponents around the box. An error is given in units of
   the last place of the exact value; an overflow where MPFR finds none, or NaN, is infinite. */
#include "bench/references.h"

#include <agnesi/agnesi.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

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

static double any_number(bool f64)
{
    uint64_t u = draw();
    union {
        uint64_t u;
        double d;
    } d = {u};
    union {
        uint32_t u;
        float f;
    } f = {(uint32_t)u};
    double x = f64 ? d.d : (double)f.f;
    return isfinite(x) ? x : any_number(f64);
}

static double argument(const function *f, int i, int64_t k, bool f64)
{
    double lo = f->box[i][0], hi = f->box[i][1], x;
    switch (k % 4) {
    case 0:
        x = lo + (hi - lo) * unit();
        break;
    case 1:
        x = any_number(f64);
        break;
    case 2: {
        int n = 0;
        while (n < MOST_POINTS && f->point[i][n] != END)
            n++;
        double at = n ? f->point[i][draw() % (uint64_t)n] : lo + (hi - lo) * (double)(draw() % 2);
        double step = exp2(-55 * unit()) * (draw() & 1 ? 1 : -1);
        x = draw() % 64 == 0 ? at : at == 0 ? step : at * (1 + step);
        break;
    }
    default: { /* magnitudes evenly by exponent, from a millionth of the box up */
        double top = fmax(fabs(lo), fabs(hi));
        x = top * exp2(-20 * unit()) * (lo < 0 && draw() & 1 ? -1 : 1);
        break;
    }
    }
    return f64 ? x : (double)(float)x;
}

/* ---- one function ---------------------------------------------------------------- */

typedef struct worst {
    double error, at[3];
    int64_t n;
} worst;

static double ulps(double have, mpfr_t want, bool f64)
{
    int digits = f64 ? 53 : 24, least = f64 ? -1074 : -149, most = f64 ? 1024 : 128;
    if (mpfr_nan_p(want))
        return isnan(have) ? 0 : (double)INFINITY;
    if (isnan(have))
        return (double)INFINITY;
    if (mpfr_inf_p(want) || (mpfr_regular_p(want) && mpfr_get_exp(want) > most)) {
        double high = f64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
        return (have > 0) == (mpfr_sgn(want) > 0) && (isinf(have) || fabs(have) == high)
                   ? 0
                   : (double)INFINITY;
    }
    if (isinf(have)) { /* an exact value at the very end of the range may round up to it */
        mpfr_t end;
        mpfr_init2(end, 64);
        mpfr_abs(end, want, MPFR_RNDN);
        mpfr_mul_2si(end, end, -most, MPFR_RNDN);
        double part = mpfr_get_d(end, MPFR_RNDN);
        mpfr_clear(end);
        return part > 1 - ldexp(4, -digits) ? (1 - part) * ldexp(1, digits) : (double)INFINITY;
    }
    mpfr_t d;
    mpfr_init2(d, 64);
    mpfr_sub_d(d, want, have, MPFR_RNDN);
    long e = mpfr_zero_p(want) ? least : (long)mpfr_get_exp(want) - digits;
    mpfr_mul_2si(d, d, -(e < least ? least : e), MPFR_RNDN);
    double u = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return u;
}

static bool boxed(const function *f, const double *x)
{
    for (int i = 0; i < f->n; i++)
        if (!(x[i] >= f->box[i][0] && x[i] <= f->box[i][1]))
            return false;
    return true;
}

static void note(worst *w, double error, const double *x)
{
    w->n++;
    if (error > w->error || w->n == 1) {
        w->error = error;
        memcpy(w->at, x, sizeof w->at);
    }
}

static agn_status run(const function *f, bool f64, int64_t n, double (*x)[BLOCK], double *y)
{
    agn_tensor *in[3] = {NULL}, *wide = NULL, *out = NULL, *back = NULL;
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < f->n; i++) {
        st = agn_from_host(&wide, AGN_F64, 1, &n, x[i]);
        if (!st)
            st = agn_cast(&in[i], wide, f64 ? AGN_F64 : AGN_F32);
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

/* what the exact value of sums with roots is measured by: the larger of it and this */
static void measure(const function *f, bool f64, int64_t n, worst *in, worst *out)
{
    static double x[3][BLOCK], y[BLOCK];
    mpfr_t a[3], want;
    mpfr_inits2(64, a[0], a[1], a[2], (mpfr_ptr)0);
    mpfr_init2(want, PRECISION);
    for (int64_t from = 0; from < n; from += BLOCK) {
        int64_t m = n - from < BLOCK ? n - from : BLOCK;
        for (int64_t k = 0; k < m; k++) {
            uint64_t kinds = f->n == 1 ? (uint64_t)k : draw();
            for (int i = 0; i < f->n; i++, kinds >>= 8)
                x[i][k] = argument(f, i, k % 2 ? (int64_t)kinds : f->n == 1 ? k : 0, f64);
        }
        if (run(f, f64, m, x, y)) {
            fprintf(stderr, "%s: %s\n", f->op, agn_error_message());
            exit(1);
        }
        for (int64_t k = 0; k < m; k++) {
            double at[3] = {x[0][k], f->n > 1 ? x[1][k] : 0, f->n > 2 ? x[2][k] : 0};
            if (f->skip && f->skip(at))
                continue;
            for (int i = 0; i < 3; i++)
                mpfr_set_d(a[i], at[i], MPFR_RNDN);
            f->value(want, a, f->order);
            note(boxed(f, at) ? in : out, ulps(y[k], want, f64), at);
        }
    }
    mpfr_clears(a[0], a[1], a[2], want, (mpfr_ptr)0);
}

/* ---- the table ------------------------------------------------------------------- */

static void print_at(const function *f, const worst *w)
{
    for (int i = 0; i < f->n; i++)
        printf("%s%.17g", i ? " " : "", w->at[i]);
}

static void print_row(const function *f, bool f64, const worst *in, const worst *out, bool rst)
{
    printf(rst ? "   \"%s\", %s, %.1e, %.3g, \"" : "%-14s %s %.1e  box %.3g at (", f->name,
           f64 ? "f64" : "f32", (double)(in->n + out->n), in->error);
    print_at(f, in);
    if (rst) {
        printf("\", \"");
        for (int i = 0; i < f->n; i++)
            printf("%s[%g, %g]", i ? " " : "", f->box[i][0], f->box[i][1]);
        printf("\", ");
    } else {
        printf(")  outside ");
    }
    if (out->n) {
        printf(rst ? "%.3g, \"" : "%.3g at (", out->error);
        print_at(f, out);
        printf(rst ? "\"\n" : ")\n");
    } else {
        printf(rst ? "–, –\n" : "-\n");
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    bool rst = false, all = true;
    int64_t few = 1 << 20;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--rst"))
            rst = true;
        else if (!strcmp(argv[i], "--few") && i + 1 < argc)
            few = strtoll(argv[++i], NULL, 10);
        else
            all = false;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    for (int k = 0; k < n_functions; k++) {
        const function *f = &functions[k];
        bool wanted = all;
        for (int i = 1; i < argc; i++)
            wanted = wanted || !strcmp(argv[i], f->name);
        for (int f64 = 0; wanted && f64 < 2; f64++) {
            worst in = {0}, out = {0};
            int64_t n = f->most && f->most < few ? f->most : few;
            measure(f, f64, n, &in, &out);
            print_row(f, f64, &in, &out, rst);
        }
    }
    mpfr_free_cache();
    return 0;
}
