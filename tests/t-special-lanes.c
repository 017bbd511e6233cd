/* tests/t-special-lanes.c - special functions on vectors (tensor/cpu/vmath/special_maps.h) at every level
   that this CPU runs, against long double: series of Euler and Maclaurin (DLMF 25.11.5), the C
   library's error function, Newton's steps. What is out of their bounds is the function of one number,
   bit by bit. */
#include "tensor/cpu/level_dispatch.h"
#include "tensor/cpu/special/normal.h"
#include "tensor/cpu/vmath/special_maps.h"
#include "tests/tap.h"
#include "tests/ulps.h"

#include <stddef.h>

/* zeta(s, x) */
static long double ref_hurwitz(int s, long double x)
{
    static const long double b[] = {1 / 6.0L, -1 / 30.0L, 1 / 42.0L, -1 / 30.0L, 5 / 66.0L,
                                    -691 / 2730.0L, 7 / 6.0L, -3617 / 510.0L};
    long double sum = 0, z = x < 40 ? x + (int)(41 - x) : x, f = s * powl(z, -s - 1) / 2;
    for (int j = 0; j < 8; j++) {
        sum += b[j] * f;
        f *= (s + 2 * j + 1) * (s + 2 * j + 2) / (z * z * (2 * j + 3) * (2 * j + 4));
    }
    sum += powl(z, -s) / 2 + powl(z, 1 - s) / (s - 1);
    for (int k = (int)(z - x + 0.5L); k-- > 0;)
        sum += powl(x + k, -s);
    return sum;
}
static long double ref_trigamma(long double x)
{
    return ref_hurwitz(2, x);
}
/* next to its root by Taylor's series */
static long double ref_digamma(long double x)
{
    static const long double b[] = {1 / 12.0L, -1 / 120.0L, 1 / 252.0L, -1 / 240.0L, 1 / 132.0L,
                                    -691 / 32760.0L, 1 / 12.0L, -3617 / 8160.0L};
    const double root = 1.4616321449683622;
    long double d = (x - (long double)root) - 9.549995429965697696583e-17L, sum = 0;
    if (fabsl(d) < 0x1p-6L) {
        for (int k = 14; k > 0; k--)
            sum = ((k % 2 ? 1 : -1) * ref_hurwitz(k + 1, (long double)root + 9.549995e-17L) + sum) * d;
        return sum;
    }
    long double z = x < 40 ? x + (int)(41 - x) : x, q = 1 / (z * z);
    for (int k = 7; k >= 0; k--)
        sum = (sum + b[k]) * q;
    sum = (logl(z) - 0.5L / z) - sum;
    for (int k = (int)(z - x + 0.5L); k-- > 0;)
        sum -= 1 / (x + k);
    return sum;
}

#define ROOT_HALF 0.707106781186547524400844362104849039L
#define ROOT_HALF_LOW 0.284e-37L
#define TWO_OVER_ROOT_PI 1.12837916709551257389615890312154517L
/* the rounding of x / sqrt 2 matters to erfc as x^2 times itself: one Newton step */
static long double ref_ndtr(long double x)
{
    const long double z = -x * ROOT_HALF, dz = fmal(-x, ROOT_HALF, -z) - x * ROOT_HALF_LOW;
    return (erfcl(z) - TWO_OVER_ROOT_PI * expl(-z * z) * dz) / 2;
}
static long double ref_log_ndtr(long double x)
{
    if (x < -1e6L)
        return -x * x / 2 - logl(-x * 2.50662827463100050241576528481104525L);
    return x > 0 ? log1pl(-ref_ndtr(-x)) : logl(ref_ndtr(x));
}
static long double ref_ndtri(long double p)
{
    if (p > 0.5L)
        return -ref_ndtri(1 - p);
    const long double y = (long double)agni_ndtri((double)p);
    return y - (ref_ndtr(y) - p) / (TWO_OVER_ROOT_PI * ROOT_HALF / 2 * expl(-y * y / 2));
}
static long double ref_erfinv(long double x)
{
    const long double a = fabsl(x), y = (long double)agni_erfinv((double)a);
    const long double off = a < 0.5L ? erfl(y) - a : 1 - a - erfcl(y);
    return copysignl(y - off / (TWO_OVER_ROOT_PI * expl(-y * y)), x);
}

static double one_trigamma(double x)
{
    return agni_polygamma(x, 1);
}
enum { POSITIVE, REAL, UNIT, SIGNED_UNIT };
#define ROW(name, one, ref, domain, ulp) {#name, offsetof(agni_vspecials, name), one, ref, domain, ulp}
static const struct {
    const char *name;
    size_t at; /* in agni_vspecials */
    double (*one)(double);
    long double (*ref)(long double);
    int domain;
    double ulp;
} cases[] = {
    ROW(lgamma, agni_lgamma, lgammal, POSITIVE, 2),
    ROW(digamma, agni_digamma, ref_digamma, POSITIVE, 2),
    ROW(trigamma, one_trigamma, ref_trigamma, POSITIVE, 2),
    ROW(ndtr, agni_ndtr, ref_ndtr, REAL, 4),
    ROW(log_ndtr, agni_log_ndtr, ref_log_ndtr, REAL, 5),
    ROW(ndtri, agni_ndtri, ref_ndtri, UNIT, 7),
    ROW(erfinv, agni_erfinv, ref_erfinv, SIGNED_UNIT, 7),
};
#define BOUNDS(name, least, most) {least, most},
static const double bounds[][2] = {AGNI_VSPECIALS(BOUNDS)};
enum { CASES = sizeof cases / sizeof *cases };
_Static_assert(CASES == sizeof bounds / sizeof *bounds, "every special function has a row");

static const double marked[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, 8.0, HUGE_VAL, -HUGE_VAL, (double)NAN, 1.4616321449683622,
    1.4616321449683625, 0x1p-1074, -0x1p-1074, 0x1p-1022, 1e-150, 1e-151, 1e150, 1e151, 2.5e305, 2.6e305,
    0x1.fffffffffffffp1023, -2.5, -37.5, -38.4, -39, -40, 37.5, 38.5, 1e300, -1e150, -1e160, 2e-11, 1e-11,
    0x1.fffffffffffffp-1, 0x1.fffffffffffffp0, 0x1.0000000000001p0, 0.075, 0.925, 0.85, 7.9999999999999991,
};
enum { MARKED = sizeof marked / sizeof *marked };

static double draw_argument(int i, int domain)
{
    static const double near[] = {0.5, 1, 1.4616321449683622, 2, 8};
    const double u = (double)(next() >> 11) * 0x1p-53, sign = next() & 1 ? 1 : -1;
    if (i < MARKED)
        return marked[i];
    if (domain == POSITIVE)
        switch (i % 8) {
        case 0: return 0.5 * u;
        case 1: return 0.5 + 1.5 * u;
        case 2: return 2 + 6 * u;
        case 3: return 8 + 30 * u;
        case 4: return exp2(1000 * u);
        case 5: return exp2(-1070 * u);
        case 6: return near[next() % 5] * (1 + sign * exp2(-52 * u));
        default: return -30 * u;
        }
    if (domain == REAL)
        return i % 4 == 0 ? 4 * u - 2 : i % 4 == 1 ? -38 * u : i % 4 == 2 ? sign * exp2(-60 * u) : 40 * u;
    const double p = i % 3 == 0 ? u : i % 3 == 1 ? exp2(-40 * u) : 1 - exp2(-40 * u);
    return domain == UNIT ? p : sign * p;
}

static void take(void *p, int i, bool f32, double x)
{
    if (f32)
        ((float *)p)[i] = (float)x;
    else
        ((double *)p)[i] = x;
}
static double give(const void *p, int i, bool f32)
{
    return f32 ? (double)((const float *)p)[i] : ((const double *)p)[i];
}
static bool same(double one, double y, bool f32)
{
    const double want = f32 ? (double)(float)one : one;
    return want == y ? !signbit(want) == !signbit(y) : want != want && y != y;
}

enum { MOST = 40000 };
static double xs[MOST], ys[MOST], as[MOST];

static agni_simd_map *map_of(const agni_simd_kernels *vk, int c, int real)
{
    const char *p = (const char *)vk->special + cases[c].at;
    return ((agni_simd_map *const *)(const void *)p)[real];
}
static void check(const agni_simd_kernels *vk, int c, int real)
{
    const bool f32 = real == AGNI_SIMD_F32;
    const int n = tap_scale(MOST);
    double worst = 0, at = 0;
    int differ = 0;
    for (int i = 0; i < n; i++)
        take(xs, i, f32, draw_argument(i, cases[c].domain));
    map_of(vk, c, real)(ys, xs, n);
    for (int i = 0; i < n; i++) {
        const double x = give(xs, i, f32), y = give(ys, i, f32);
        if (x >= bounds[c][0] && x <= bounds[c][1]) {
            const double e = ulps(cases[c].ref((long double)x), y, f32);
            if (e > worst)
                worst = e, at = x;
        } else if (!same(cases[c].one(x), y, f32) && ++differ == 1) {
            diag("at %a: %a, not %a", x, y, cases[c].one(x));
        }
    }
    ok(worst <= (f32 ? 0.51 : cases[c].ulp), "%s %s %s: %.3f ulp at %a", vk->name, cases[c].name,
       f32 ? "f32" : "f64", worst, at);
    ok(differ == 0, "%s %s %s: %d arguments out of the bounds are not those of one number", vk->name,
       cases[c].name, f32 ? "f32" : "f64", differ);
}

/* a log b and a log(1 + b) */
static void check_products(const agni_simd_kernels *vk, int real, bool plus)
{
    static const double b_bounds[][2] = {AGNI_VSPECIALS2(BOUNDS)};
    const bool f32 = real == AGNI_SIMD_F32;
    const int n = tap_scale(MOST);
    double worst = 0;
    int differ = 0;
    for (int i = 0; i < n; i++) {
        const double u = (double)(next() >> 11) * 0x1p-53, sign = next() & 1 ? 1 : -1;
        const double b = i < 3 * MARKED ? marked[i / 3]
                         : i % 4 == 0   ? 2 * u
                         : i % 4 == 1   ? exp2(300 * sign * u)
                         : i % 4 == 2   ? (plus ? 0 : 1) + sign * exp2(-60 * u)
                                        : 4 * u - 1;
        take(xs, i, f32, b);
        take(as, i, f32, i < 3 * MARKED ? (i % 3 ? marked[i % MARKED] : 0) : sign * exp2(40 * u - 20));
    }
    (plus ? vk->special->xlog1py : vk->special->xlogy)[real](ys, as, xs, n);
    for (int i = 0; i < n; i++) {
        const double a = give(as, i, f32), b = give(xs, i, f32), y = give(ys, i, f32);
        const long double wide = (long double)b, log = plus ? log1pl(wide) : logl(wide);
        if (a != 0 && fabs(a) <= 1e300 && b != 0 && b >= b_bounds[plus][0] && b <= b_bounds[plus][1])
            worst = fmax(worst, ulps((long double)a * log, y, f32));
        else if (!same(plus ? agni_xlog1py(a, b) : agni_xlogy(a, b), y, f32) && ++differ == 1)
            diag("at %a %a: %a", a, b, y);
    }
    ok(worst <= (f32 ? 0.51 : 1.5), "%s %s %s: %.3f ulp", vk->name, plus ? "xlog1py" : "xlogy",
       f32 ? "f32" : "f64", worst);
    ok(differ == 0, "%s %s %s: %d arguments out of the bounds are not those of one number", vk->name,
       plus ? "xlog1py" : "xlogy", f32 ? "f32" : "f64", differ);
}

/* ---- powers --------------------------------------------------------------------------------- */

static long double ref_pow(long double a, long double b)
{
    return powl(a, b);
}
static long double times_or_zero(long double a, long double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}
/* the power that has overflown, as that of f64 has */
static long double ref_factor(long double a, long double b)
{
    const long double power = powl(a, b);
    return fabsl(power) > 0x1.fffffffffffffp1023L ? copysignl(HUGE_VALL, power) : power;
}
static long double ref_pow_log(long double a, long double b)
{
    return times_or_zero(ref_factor(a, b), logl(a));
}
static long double ref_pow_log2(long double a, long double b)
{
    return times_or_zero(ref_factor(a, b), logl(a) * logl(a));
}
#define ROW2(name, ulp) {#name, offsetof(agni_vspecials, name), ref_##name, ulp}
static const struct {
    const char *name;
    size_t at;
    long double (*ref)(long double, long double);
    double ulp;
} powers[] = {ROW2(pow, 0.85), ROW2(pow_log, 3), ROW2(pow_log2, 6)};
#define COUNT_ROW(name) +1
enum { POWERS = sizeof powers / sizeof *powers };
_Static_assert(POWERS == 0 AGNI_VPOWERS(COUNT_ROW), "every power has a row");

static const double power_marks[] = {
    0.0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, HUGE_VAL, -HUGE_VAL, (double)NAN, 0x1p-1074,
    -0x1p-1074, 0x1p-1022, -0x1p-1022, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 1e300, -1e300,
    1.01e300, 0x1p53, -0x1p53, 9007199254740991.0, 0x1.fffffffffffffp-1, 0x1.0000000000001p0, 1e-300,
    0x1p-149, 0x1.fffffep127, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bccp-1, 1024, 1075, 0x1.4p1, -7,
};
enum { POWER_MARKS = sizeof power_marks / sizeof *power_marks };

/* every pair of marked numbers, then results from the least subnormal number to beyond the largest; a
   next to 1 and anywhere, a quarter of them negative, some of those to whole powers */
static void draw_power(int i, double *a, double *b)
{
    const double u = (double)(next() >> 11) * 0x1p-53, w = (double)(next() >> 11) * 0x1p-53;
    const double sign = next() & 1 ? 1 : -1, way = next() & 1 ? 1 : -1;
    if (i < POWER_MARKS * POWER_MARKS) {
        *a = power_marks[i / POWER_MARKS];
        *b = power_marks[i % POWER_MARKS];
        return;
    }
    *a = i % 4 == 0   ? exp2(2044 * u - 1022)
         : i % 4 == 1 ? 1 + sign * exp2(-52 * u)
         : i % 4 == 2 ? 0.5 + 1.5 * u
                      : 10 * u;
    const double l = log(*a);
    *b = i % 4 == 3 ? 8 * w - 4 : l == 0 ? w : (i % 8 < 4 ? 750 * way * w : -708 - 38 * w) / l;
    if (next() % 4 == 0)
        *a = -*a, *b = next() % 8 ? rint(*b) : *b;
}
static agni_simd_map2 *power_of(const agni_simd_kernels *vk, int c, int real)
{
    const char *p = (const char *)vk->special + powers[c].at;
    return ((agni_simd_map2 *const *)(const void *)p)[real];
}
static void check_power(const agni_simd_kernels *vk, int c, int real)
{
    const bool f32 = real == AGNI_SIMD_F32;
    const int n = tap_scale(MOST);
    double worst = 0, a_worst = 0, b_worst = 0;
    for (int i = 0; i < n; i++) {
        double a, b;
        draw_power(i, &a, &b);
        take(as, i, f32, a);
        take(xs, i, f32, b);
    }
    power_of(vk, c, real)(ys, as, xs, n);
    for (int i = 0; i < n; i++) {
        const double a = give(as, i, f32), b = give(xs, i, f32), y = give(ys, i, f32);
        const long double want = powers[c].ref((long double)a, (long double)b);
        if (c > 0 && fabsl(powl((long double)a, (long double)b)) < 0x1p-1022L)
            continue; /* a factor that has lost digits, or is 0 */
        const double e = ulps(want, y, f32);
        if (!(e <= worst))
            worst = e, a_worst = a, b_worst = b;
    }
    ok(worst <= (f32 ? 0.51 : powers[c].ulp), "%s %s %s: %.4f ulp at %a %a", vk->name, powers[c].name,
       f32 ? "f32" : "f64", worst, a_worst, b_worst);
}
/* Of exact powers, no bit is lost. */
static void check_exact_powers(const agni_simd_kernels *vk, int real)
{
    const bool f32 = real == AGNI_SIMD_F32;
    int n = 0, wrong = 0;
    double want[4000];
    for (int base = -40; base <= 40; base++)
        for (int power = 0; power < 40; power++) {
            double y = 1;
            for (int k = 0; k < power; k++)
                y *= base;
            if (fabs(y) > (f32 ? 0x1p24 : 0x1p53) || (base == 0 && power == 0))
                continue;
            take(as, n, f32, base);
            take(xs, n, f32, power);
            want[n++] = y;
        }
    power_of(vk, 0, real)(ys, as, xs, n);
    for (int i = 0; i < n; i++)
        wrong += give(ys, i, f32) != want[i];
    ok(wrong == 0, "%s %s: %d of %d exact powers are not", vk->name, f32 ? "f32" : "f64", wrong, n);
}

/* An element's bits depend neither on its neighbours nor on length, place or aliasing. */
static void check_power_places(const agni_simd_kernels *vk, int real)
{
    const bool f32 = real == AGNI_SIMD_F32;
    const size_t size = f32 ? 4 : 8;
    char part[160 * 8];
    int bad = 0;
    for (int c = 0; c < POWERS; c++) {
        for (int i = 0; i < 600; i++) {
            double a, b;
            draw_power(i < 100 ? 17 * i : POWER_MARKS * POWER_MARKS + i, &a, &b);
            take(as, i, f32, a);
            take(xs, i, f32, b);
        }
        power_of(vk, c, real)(ys, as, xs, 600);
        for (int n = 1; n <= 150; n++) {
            const size_t from = (size_t)((n * 37) % 450) * size, length = (size_t)n * size;
            memcpy(part + size, n % 2 ? (char *)as + from : (char *)xs + from, length);
            power_of(vk, c, real)(part + size, n % 2 ? part + size : (char *)as + from,
                                  n % 2 ? (char *)xs + from : part + size, n);
            for (int i = 0; i < n; i++) {
                const double y = give(part + size, i, f32), w = give((char *)ys + from, i, f32);
                bad += !same(w, y, f32);
            }
        }
    }
    ok(bad == 0, "%s %s: %d numbers differ in pieces", vk->name, f32 ? "f32" : "f64", bad);
}

/* the same of functions of one number */
static void check_places(const agni_simd_kernels *vk, int real)
{
    const bool f32 = real == AGNI_SIMD_F32;
    const size_t size = f32 ? 4 : 8;
    char part[160 * 8];
    int bad = 0;
    for (int c = 0; c < CASES; c++) {
        for (int i = 0; i < 600; i++)
            take(xs, i, f32, draw_argument(i + (i % 7 ? MARKED : 0), cases[c].domain));
        map_of(vk, c, real)(ys, xs, 600);
        for (int n = 1; n <= 150; n++) {
            const size_t from = (size_t)((n * 37) % 450) * size, length = (size_t)n * size;
            memcpy(part + size, (char *)xs + from, length);
            map_of(vk, c, real)(part + size, part + size, n);
            bad += memcmp(part + size, (char *)ys + from, length) != 0;
        }
    }
    ok(bad == 0, "%s %s: %d of %d pieces differ", vk->name, f32 ? "f32" : "f64", bad, 150 * CASES);
}

int main(void)
{
    const agni_simd_kernels *vk;
    bool usable;
    const volatile long double near_root = 1.4140625L; /* not for the compiler to work out */
    if (fabsl(logl(near_root) - 0.34646676734620858091846218843L) > 0x1p-60L) {
        skip("the logarithm of long double of this computer is no reference");
        return done();
    }
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++)
        for (int real = 0; usable && tap_level(vk->name) && real < AGNI_SIMD_REALS; real++) {
            for (int c = 0; c < CASES; c++)
                check(vk, c, real);
            check_products(vk, real, false);
            check_products(vk, real, true);
            check_places(vk, real);
            for (int c = 0; c < POWERS; c++)
                check_power(vk, c, real);
            check_exact_powers(vk, real);
            check_power_places(vk, real);
        }
    return done();
}
