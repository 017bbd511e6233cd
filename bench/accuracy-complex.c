/* bench/accuracy-complex.c - the worst error of functions of complex numbers: |have - want| in
   units of the last place of |want|, against the C library's complex functions in long double.
   Arguments: a fourth in the square, a fourth of all magnitudes at all angles, a fourth next to 0,
   1, -1, i, -i and, of the sigmoid, its poles, a fourth next to an axis. Results that are subnormal
   or beyond
      the range are left out. */
#include "bench/accuracy.h"

#include <agnesi/agnesi.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef long double complex wide;
typedef agn_status unary(agn_tensor **, const agn_tensor *);
typedef agn_status binary(agn_tensor **, const agn_tensor *, const agn_tensor *);

static wide w_z(long double re, long double im)
{
    union {
        long double part[2];
        wide z;
    } u = {{re, im}};
    return u.z;
}
static wide w_log1p(wide z)
{
    long double x = creall(z), y = cimagl(z);
    return cabsl(z) < 0.5L ? w_z(log1pl(2 * x + x * x + y * y) / 2, atan2l(y, 1 + x))
                           : clogl(1 + z);
}
static wide w_expm1(wide z)
{
    long double h = sinl(cimagl(z) / 2);
    return w_z(expm1l(creall(z)) * cosl(cimagl(z)) - 2 * h * h, expl(creall(z)) * sinl(cimagl(z)));
}
#define LN2 0.693147180559945309417232121458176568L
#define LN10 2.302585092994045684017991454684364208L
static wide w_exp2(wide z)
{
    long double y = cimagl(z) * LN2, r = exp2l(creall(z));
    return w_z(r * cosl(y), r * sinl(y));
}
static wide w_log2(wide z) { return clogl(z) / LN2; }
static wide w_log10(wide z) { return clogl(z) / LN10; }
static wide w_reciprocal(wide z) { return 1 / z; }
static wide w_rsqrt(wide z) { return 1 / csqrtl(z); }
/* 1 + exp(-z) by half the angle, so that nothing cancels next to its roots */
static wide w_sigmoid(wide z)
{
    long double x = creall(z), y = cimagl(z), c = cosl(y / 2);
    return 1 / w_z(expm1l(-x) * cosl(y) + 2 * c * c, -expl(-x) * sinl(y));
}
static wide w_mul(wide a, wide b) { return a * b; }
static wide w_div(wide a, wide b) { return a / b; }

static const struct {
    const char *name;
    unary *f;
    wide (*want)(wide z);
    binary *g;
    wide (*want2)(wide a, wide b);
    double reach; /* of parts of an argument; of exponents of powers, in c128 */
} rows[] = {
    {"complex reciprocal", agn_reciprocal, w_reciprocal, NULL, NULL, 1e4},
    {"complex sqrt", agn_sqrt, csqrtl, NULL, NULL, 1e4},
    {"complex rsqrt", agn_rsqrt, w_rsqrt, NULL, NULL, 1e4},
    {"complex exp", agn_exp, cexpl, NULL, NULL, 80},
    {"complex exp2", agn_exp2, w_exp2, NULL, NULL, 80},
    {"complex expm1", agn_expm1, w_expm1, NULL, NULL, 80},
    {"complex log", agn_log, clogl, NULL, NULL, 1e4},
    {"complex log2", agn_log2, w_log2, NULL, NULL, 1e4},
    {"complex log10", agn_log10, w_log10, NULL, NULL, 1e4},
    {"complex log1p", agn_log1p, w_log1p, NULL, NULL, 1e4},
    {"complex sin", agn_sin, csinl, NULL, NULL, 80},
    {"complex cos", agn_cos, ccosl, NULL, NULL, 80},
    {"complex tan", agn_tan, ctanl, NULL, NULL, 80},
    {"complex asin", agn_asin, casinl, NULL, NULL, 1e4},
    {"complex acos", agn_acos, cacosl, NULL, NULL, 1e4},
    {"complex atan", agn_atan, catanl, NULL, NULL, 1e4},
    {"complex sinh", agn_sinh, csinhl, NULL, NULL, 80},
    {"complex cosh", agn_cosh, ccoshl, NULL, NULL, 80},
    {"complex tanh", agn_tanh, ctanhl, NULL, NULL, 80},
    {"complex asinh", agn_asinh, casinhl, NULL, NULL, 1e4},
    {"complex acosh", agn_acosh, cacoshl, NULL, NULL, 1e4},
    {"complex atanh", agn_atanh, catanhl, NULL, NULL, 1e4},
    {"complex sigmoid", agn_sigmoid, w_sigmoid, NULL, NULL, 80},
    {"complex mul", NULL, NULL, agn_mul, w_mul, 1e4},
    {"complex div", NULL, NULL, agn_div, w_div, 1e4},
    {"complex pow", NULL, NULL, agn_pow, cpowl, 10},
};
enum { BLOCK = 4096 };
const int n_complex = (int)(sizeof rows / sizeof *rows);

const char *accuracy_complex_name(int k)
{
    return rows[k].name;
}

static uint64_t state = 1748;
static double unit(void) /* splitmix64 */
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static double both(double reach)
{
    return reach * (2 * unit() - 1);
}
static double tiny(void)
{
    return exp2(-55 * unit()) * (unit() < 0.5 ? -1 : 1);
}
static void draw(double *z, double reach, bool poles, int64_t k)
{
    static const double at[][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    double angle = 6.283185307179586 * unit(), r = reach * exp2(-60 * unit());
    int p = (int)(5 * unit()), axis = unit() < 0.5;
    switch (k % 4) {
    case 0:
        z[0] = both(reach), z[1] = both(reach);
        break;
    case 1:
        z[0] = r * cos(angle), z[1] = r * sin(angle);
        break;
    case 2:
        z[0] = at[p][0] + tiny(), z[1] = at[p][1] + tiny();
        if (poles && k / 4 % 2) /* odd multiples of i pi */
            z[0] = tiny(), z[1] = 3.141592653589793 * (2 * floor(20 * unit()) - 19) + tiny();
        break;
    default:
        z[axis] = both(reach), z[!axis] = unit() < 0.25 ? 0 : tiny();
    }
}

static agn_status narrowed(agn_tensor **out, double (*z)[2], int64_t n, int dtype)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, AGN_C128, 1, &n, z);
    if (!st)
        st = agn_cast(out, x, dtype);
    if (!st && dtype == AGN_C64) /* what it was rounded to */
        for (int64_t i = 0; i < n; i++)
            z[i][0] = (double)(float)z[i][0], z[i][1] = (double)(float)z[i][1];
    agn_release(x);
    return st;
}

static agn_status block(int k, int dtype, int64_t from, double (*a)[2], double (*b)[2],
                        double (*y)[2])
{
    agn_tensor *x = NULL, *w = NULL, *r = NULL, *c = NULL;
    for (int64_t i = 0; i < BLOCK; i++) {
        draw(a[i], rows[k].reach, rows[k].f == agn_sigmoid, from + i);
        draw(b[i], rows[k].reach, false, (from + i) / 4);
    }
    agn_status st = narrowed(&x, a, BLOCK, dtype);
    if (!st)
        st = narrowed(&w, b, BLOCK, dtype);
    if (!st)
        st = rows[k].f ? rows[k].f(&r, x) : rows[k].g(&r, x, w);
    if (!st)
        st = agn_cast(&c, r, AGN_C128);
    if (!st)
        st = agn_to_host(y, c, BLOCK * sizeof *y);
    agn_release(x), agn_release(w), agn_release(r), agn_release(c);
    return st;
}

void accuracy_complex(FILE *to, FILE *rst, int k, int64_t n, int dtype)
{
    static double a[BLOCK][2], b[BLOCK][2], y[BLOCK][2];
    const int digits = dtype == AGN_C64 ? 24 : 53;
    const long double least = dtype == AGN_C64 ? 0x1p-126L : 0x1p-1022L,
                      most = dtype == AGN_C64 ? 0x1p127L : 0x1p1023L;
    double largest = 0, at[4] = {0};
    int64_t judged = 0;
    for (int64_t from = 0; judged < n && from < 8 * n; from += BLOCK) {
        if (block(k, dtype, from, a, b, y)) {
            fprintf(stderr, "%s: %s\n", rows[k].name, agn_error_message());
            exit(1);
        }
        for (int64_t i = 0; i < BLOCK; i++) {
            wide z = w_z(a[i][0], a[i][1]), v = w_z(b[i][0], b[i][1]);
            wide want = rows[k].f ? rows[k].want(z) : rows[k].want2(z, v);
            long double size = cabsl(want);
            if (!(size >= least && size <= most))
                continue;
            int e;
            frexpl(size, &e);
            double error = (double)ldexpl(cabsl(w_z(y[i][0], y[i][1]) - want), digits - e);
            judged++;
            if (!(error <= largest)) {
                largest = error == error ? error : (double)INFINITY;
                at[0] = a[i][0], at[1] = a[i][1], at[2] = b[i][0], at[3] = b[i][1];
            }
        }
    }
    const char *type = dtype == AGN_C64 ? "c64" : "c128";
    fprintf(to, "%-18s %-5s %.2g  %.3g at (%.17g %.17g", rows[k].name, type, (double)judged,
            largest, at[0], at[1]);
    fprintf(to, rows[k].f ? ")\n" : ", %.17g %.17g)\n", at[2], at[3]);
    fflush(to);
    if (!rst)
        return;
    fprintf(rst, "   \"%s\", %s, %.2g, –, %.3g, \"%.17g %.17g", rows[k].name, type, (double)judged,
            largest, at[0], at[1]);
    fprintf(rst, rows[k].f ? "" : ", %.17g %.17g", at[2], at[3]);
    fprintf(rst, "\", \"parts in [-%g, %g]\", –, –, –\n", rows[k].reach, rows[k].reach);
}
