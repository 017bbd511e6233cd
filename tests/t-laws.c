/* tests/t-laws.c - laws of every element-wise op of the table: values against the oracle that
   agnesi ops --verify reads, too (tools/oracle.def), and the same bits for an element whatever the
   size, layout, rank, dtype path, CPU thread or broadcast it is computed in. */
#include "config.h"

#include "laws.h"
#include "tools/oracle.h"

#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_GSL
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf.h>
#endif

typedef long double ld;

/* ---- rows: what the op table and the oracle say ------------------------------------------ */

enum { SAME = ORACLE_SAME, BOOL, REAL, CPLX };
enum { PROPAGATES, STOPS_NAN };
enum { MOST_ROWS = 512 };

typedef struct row {
    const char *name;
    int arity, result, nan;
    oracle q;
} row;
static row rows[MOST_ROWS];
static agn_op_info info[MOST_ROWS];
static bool ordered[MOST_ROWS]; /* takes an order */
static int n_rows;

static bool is_where(const row *r)
{
    return !strcmp(r->name, "where");
}
static agn_status apply(agn_tensor **y, const row *r, const agn_tensor *const *in)
{
    int64_t order = r->q.attribute ? r->q.attribute : 2;
    bool p = ordered[r - rows];
    return agn_op_apply(y, 1, r->name, in, r->arity, p ? &order : NULL, p, NULL, 0);
}

static void find_rows(void)
{
    tally t = {0};
    for (int id = 0; id < agn_op_count(); id++) {
        agn_op_info i = {.size = sizeof i};
        oracle q = {0};
        must(agn_op_describe(&i, id));
        check(&t, i.doc && *i.doc && i.cpu && i.vmap, "what the table says of %s", i.name);
        check(&t, !strcmp(agn_op_name(id), i.name), "name of op %d", id);
        bool known = find_oracle(&q, i.name);
        if (!known && strcmp(i.kind, "element-wise"))
            continue; /* rows of ops.def that are linear or choices are among those known */
        check(&t, known, "%s has no value of its own in ops.def: oracle.def must give one", i.name);
        check(&t, i.n_in <= 3 && i.n_out == 1, "arity of %s", i.name);
        if (n_rows == MOST_ROWS)
            bail_out("more element-wise rows than this test has room for");
        if (!known)
            continue;
        info[n_rows] = i;
        ordered[n_rows] = strstr(agn_op_signature(id), "order:") != NULL;
        rows[n_rows++] = (row){.name = i.name,
                               .arity = i.n_in,
                               .result = q.result,
                               .nan = q.stops_nan ? STOPS_NAN : PROPAGATES,
                               .q = q};
    }
    check(&t, n_rows > 100, "the table has element-wise rows");
    tell(&t, "every element-wise op of the table has an oracle");
}

/* ---- values --------------------------------------------------------------------------------- */

/* error in units of the last place of want; scale > 0: of the larger of want and scale */
static double ulps(ld have, ld want, bool f64, ld scale)
{
    int digits = f64 ? 53 : 24, least = f64 ? -1074 : -149;
    ld most = f64 ? (ld)1.7976931348623157e308 : (ld)3.4028234663852886e38;
    if (isnan(want) || isnan(have))
        return isnan(want) && isnan(have) ? 0 : (double)INFINITY;
    if (fabsl(want) > most) /* rounds to the largest number or to infinity */
        return isinf(have) && (have > 0) == (want > 0) ? 0
               : fabsl(have) == most && fabsl(want) < most * 1.0000001L
                   ? 0.5
                   : (double)INFINITY;
    if (isinf(have))
        return fabsl(want) > most * (1 - 8 * ldexpl(1, -digits)) ? 1 : (double)INFINITY;
    ld of = fmaxl(fabsl(want), scale);
    int e = of > 0 ? ilogbl(of) - digits + 1 : least;
    return (double)(fabsl(have - want) / ldexpl(1, e < least ? least : e));
}

/* where the oracle of a row holds: its own box, or that of the row */
static double sample_box(const row *r, int arg)
{
    const agn_op_info *i = &info[r - rows];
    const double *lo = r->q.lo, *hi = r->q.hi;
    return lo[arg] < hi[arg] ? rnd_in(lo[arg], hi[arg]) : rnd_in(i->lo, i->hi);
}
/* n arguments: half in the row's domain, a quarter small, a quarter over all exponents */
static double sample(const row *r, int arg, int k, bool f64)
{
    const agn_op_info *i = &info[r - rows];
    if (r->q.box)
        return sample_box(r, arg);
    if (k % 4 < 2)
        return rnd_in(arg ? -3 : i->lo, arg ? 3 : i->hi);
    double top = f64 ? 1020 : 126;
    double e = k % 4 == 2 ? rnd_in(-30, 8) : rnd_in(-top, top);
    return (rnd() & 1 ? -1 : 1) * exp2(e);
}

static const double special[] = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.5,
                                 -0.5,
                                 1.5,
                                 2.5,
                                 -1.5,
                                 -2.5,
                                 2,
                                 -2,
                                 3,
                                 1e-5,
                                 -1e-5,
                                 0.3,
                                 0.7,
                                 1.3,
                                 10,
                                 -10,
                                 100,
                                 -100,
                                 700,
                                 -700,
                                 710,
                                 -746,
                                 88,
                                 -104,
                                 1e10,
                                 -1e10,
                                 1e16,
                                 1e30,
                                 -1e30,
                                 1e300,
                                 -1e300,
                                 1.7976931348623157e308,
                                 -1.7976931348623157e308,
                                 2.2250738585072014e-308,
                                 4.9406564584124654e-324,
                                 -4.9406564584124654e-324,
                                 1e-310,
                                 3.4028234663852886e38,
                                 1.1754943508222875e-38,
                                 1.4012984643248171e-45,
                                 1e-40,
                                 (double)INFINITY,
                                 -(double)INFINITY,
                                 (double)NAN,
                                 1.5707963267948966,
                                 3.141592653589793,
                                 -4.71238898038469,
                                 0.9999999,
                                 1.0000001,
                                 1e22};

static agn_tensor *of_samples(int dtype, const double *v, int64_t n)
{
    return of_reals(dtype, 1, &n, v);
}

static void test_values(void)
{
    int n = tap_scale(8000);
    double *arg[3];
    for (int a = 0; a < 3; a++)
        arg[a] = room_for((size_t)(n + 4000) * sizeof *arg[a]);
    for (int k = 0; k < n_rows; k++) {
        const row *r = &rows[k];
        double worst[2] = {0}, at[2][2] = {{0}};
        if (!r->q.real || is_where(r) || !(info[k].dtypes & (1u << AGN_F32 | 1u << AGN_F64)))
            continue;
        rnd_stream("values", r->name);
        for (int f64 = 0; f64 < 2; f64++) {
            int d = f64 ? AGN_F64 : AGN_F32, m = 0;
            if (!(info[k].dtypes >> d & 1))
                continue;
            for (; m < n; m++)
                for (int a = 0; a < r->arity; a++)
                    arg[a][m] = sample(r, a, a ? m + (m / 4) % 4 : m, f64);
            for (int i = 0; i < COUNT(special) && !r->q.box; i++)
                for (int j = 0; j < (r->arity > 1 ? COUNT(special) : 1); j++)
                    arg[0][m] = special[i], arg[1][m++] = special[j];
            agn_tensor *x[3] = {NULL}, *y = NULL;
            for (int a = 0; a < r->arity; a++)
                x[a] = of_samples(d, arg[a], m);
            must(apply(&y, r, (const agn_tensor *const *)x));
            for (int i = 0; i < m; i++) {
                ld u = (ld)peek(x[0], i), v = r->arity > 1 ? (ld)peek(x[1], i) : 0;
                ld w = r->arity > 2 ? (ld)peek(x[2], i) : 0, have = (ld)peek(y, i);
                ld want = r->q.real(u, v, w), scale = 0;
                if ((isnan(u) || isnan(v)) && r->nan == PROPAGATES)
                    want = (ld)NAN;
                if (!strcmp(r->name, "digamma")) {
                    if (u == 0)
                        want = -copysignl((ld)INFINITY, u);
                    if (isinf(u))
                        want = u > 0 ? u : (ld)NAN;
                    if (u < -1e5L || u > 1e15L)
                        continue;
                    scale = u < 0 ? 1 : 0;
                }
                if (!strcmp(r->name, "lgamma") &&
                    u < -1) { /* lgammal cancels near its zeros */
                    if (u < -1e15L)
                        continue;
                    scale = 1;
                }
                /* intermediate over- and underflow of rows that serve derivatives alone */
                if ((!strcmp(r->name, "atan2_d") || !strcmp(r->name, "reciprocal_z")) &&
                    !(fabsl(u) < 1e18L && fabsl(v) < 1e18L && fabsl(u) > 1e-18L &&
                      fabsl(v) > 1e-18L))
                    continue;
                /* quotients beyond the digits of long double have no exact floor there */
                if ((!strcmp(r->name, "floor_divide") ||
                     !strcmp(r->name, "remainder")) &&
                    (!isfinite(u) || !isfinite(v) || v == 0 || fabsl(u / v) > 0x1p50L ||
                     fabsl(u / v) < 0x1p-50L))
                    continue;
                double e = ulps(have, want, f64, scale);
                if (!strcmp(r->name,
                            "gelu")) /* the rounding of x grows like x^2 in the tail */
                    e /= 1 + fmin(0, (double)u) * (double)u;
                if (e > worst[f64])
                    worst[f64] = e, at[f64][0] = (double)u, at[f64][1] = (double)v;
            }
            for (int a = 0; a < r->arity; a++)
                agn_release(x[a]);
            agn_release(y);
        }
        diag("%-12s f32 %.3g ulp at (%.9g, %.9g), f64 %.3g ulp at (%.17g, %.17g)",
             r->name, worst[0], at[0][0], at[0][1], worst[1], at[1][0], at[1][1]);
        ok(worst[0] <= r->q.ulp[0] && worst[1] <= r->q.ulp[1], "%s within %g and %g ulp",
           r->name, r->q.ulp[0], r->q.ulp[1]);
    }
    for (int a = 0; a < 3; a++)
        free(arg[a]);
}

static void test_polygamma(void)
{
    oracle q;
    if (!find_oracle(&q, "polygamma"))
        bail_out("no bound of polygamma");
    for (int64_t n = 0; n <= 6; n++) {
        rnd_stream("polygamma", (char[]){(char)('0' + n), 0});
        double worst[2] = {0}, at[2] = {0}, gsl = 0, fact = tgamma((double)n + 1);
        for (int f64 = 0; f64 < 2; f64++) {
            int d = f64 ? AGN_F64 : AGN_F32, m = tap_scale(3000);
            double *v = room_for((size_t)m * sizeof *v);
            for (int i = 0; i < m; i++)
                v[i] = i % 3 == 0   ? rnd_in(-12, 0)
                       : i % 3 == 1 ? rnd_in(0.01, 30)
                                    : exp2(rnd_in(-20, 40));
            agn_tensor *x = of_samples(d, v, m), *y = NULL;
            must(agn_polygamma(&y, x, (int32_t)n));
            for (int i = 0; i < m; i++) {
                double u = peek(x, i);
                ld want = oracle_polygamma((int)n, (ld)u);
                double e = ulps((ld)peek(y, i), want, f64, u < 0 ? (ld)fact : 0);
                if (e > worst[f64])
                    worst[f64] = e, at[f64] = u;
#ifdef HAVE_GSL
                gsl_sf_result s;
                gsl_set_error_handler_off();
                if (u > 0.1 && u < 1e3 && !gsl_sf_psi_n_e((int)n, u, &s))
                    gsl = fmax(gsl, fabs(s.val - (double)want) /
                                        (1e-3 * fact + fabs((double)want)));
#endif
            }
            agn_release(x), agn_release(y), free(v);
        }
        diag(
            "polygamma %d: f32 %.3g ulp, f64 %.3g ulp at %.17g; GSL and the formula here differ by "
            "%.2g",
            (int)n, worst[0], worst[1], at[1], gsl);
        ok(worst[0] <= q.ulp[0] && worst[1] <= q.ulp[1] && gsl < 1e-13, "polygamma of order %d",
           (int)n);
    }
    /* no overflow or underflow on the way to a number that exists */
    agn_tensor *x = of_samples(AGN_F64, (double[]){3000, 20, 200}, 3), *y = NULL;
    must(agn_polygamma(&y, x, 100));
    double worst = 0;
    for (int i = 0; i < 3; i++)
        worst = fmax(
            worst,
            fabs((double)((ld)peek(y, i) / oracle_polygamma(100, (ld)peek(x, i)) - 1)));
    diag("polygamma 100: relative error %.2g", worst);
    ok(worst < 1e-13, "polygamma of order 100");
    agn_release(x), agn_release(y);
#ifdef HAVE_GSL
    double e[4] = {0};
    for (int i = 0; i < 2000; i++) {
        double u = i % 2 ? rnd_in(-5, 5) : exp2(rnd_in(-3, 4)), h[4];
        agn_tensor *s = scalar_of(AGN_F64, u), *z[4] = {NULL};
        must(agn_erf(&z[0], s));
        must(agn_erfc(&z[1], s));
        must(agn_lgamma(&z[2], s));
        must(agn_digamma(&z[3], s));
        for (int k = 0; k < 4; k++)
            h[k] = peek(z[k], 0), agn_release(z[k]);
        agn_release(s);
        gsl_sf_result g[4];
        if (gsl_sf_erf_e(u, &g[0]) || gsl_sf_erfc_e(u, &g[1]) ||
            gsl_sf_lngamma_e(u, &g[2]) || gsl_sf_psi_e(u, &g[3]))
            continue;
        for (int k = 0; k < 4; k++) /* in units of GSL's own estimate of its error */
            e[k] = fmax(e[k],
                        fabs(h[k] - g[k].val) / (g[k].err + 1e-15 * fabs(g[k].val)));
    }
    diag(
        "erf, erfc, lgamma, digamma against GSL: %.2f %.2f %.2f %.2f of its error bounds",
        e[0], e[1], e[2], e[3]);
    ok(e[0] < 2 && e[1] < 2 && e[2] < 5 && e[3] < 5,
       "special functions agree with GSL");
#else
    skip("GSL is not there");
#endif
}

static void test_complex_values(void)
{
    for (int k = 0; k < n_rows; k++) {
        const row *r = &rows[k];
        if (r->arity != 1 || !r->q.cplx || !(info[k].dtypes >> AGN_C128 & 1))
            continue;
        rnd_stream("complex", r->name);
        double worst[2] = {0};
        for (int wider = 0; wider < 2; wider++) {
            agn_tensor *x = random_of(wider ? AGN_C128 : AGN_C64, 1,
                                      (int64_t[]){tap_scale(2000)}, r->q.box ? info[k].lo : -3,
                                      r->q.box ? info[k].hi : 3);
            agn_tensor *y = NULL;
            must(apply(&y, r, (const agn_tensor *const *)&x));
            for (int64_t i = 0; i < agn_numel(x); i++) {
                double complex want = (double complex)r->q.cplx(peekz(x, i), 0, 0);
                double size = cabs(want);
                worst[wider] = fmax(worst[wider], cabs(peekz(y, i) - want) / (size > 0 ? size : 1));
            }
            agn_release(x), agn_release(y);
        }
        ok(worst[0] < 2e-6 && worst[1] < 2e-14, "%s of complex numbers (%.2g, %.2g)",
           r->name, worst[0], worst[1]);
    }
    agn_tensor *x = random_of(AGN_C128, 1, (int64_t[]){500}, -3, 3),
               *z = random_of(AGN_C128, 1, (int64_t[]){500}, -3, 3);
    agn_tensor *y[9] = {NULL};
    must(agn_abs(&y[0], x));
    must(agn_sign(&y[1], x));
    must(agn_real(&y[2], x));
    must(agn_imag(&y[3], x));
    must(agn_complex(&y[4], y[2], y[3]));
    must(agn_mul(&y[5], x, z));
    must(agn_div(&y[6], x, z));
    must(agn_pow(&y[7], x, z));
    must(agn_square(&y[8], x));
    tally t = {0};
    for (int i = 0; i < 500; i++) {
        double complex u = peekz(x, i), v = peekz(z, i);
        double complex want[9] = {cabs(u), u / cabs(u), creal(u),   cimag(u), u,
                                  u * v,   u / v,       cpow(u, v), u * u};
        for (int k = 0; k < 9; k++)
            check(&t,
                  cabs(peekz(y[k], i) - want[k]) <=
                      4e-15 * cabs(want[k]) * (k == 7 ? 10 : 1),
                  "complex op %d", k);
    }
    check(&t,
          agn_dtype_of(y[0]) == AGN_F64 && agn_dtype_of(y[2]) == AGN_F64 &&
              agn_dtype_of(y[4]) == AGN_C128,
          "dtypes");
    for (int k = 0; k < 9; k++)
        agn_release(y[k]);
    agn_release(x), agn_release(z);
    agn_tensor *zero = scalar_of(AGN_C128, 0);
    must(agn_sign(&y[0], zero));
    check(&t, peekz(y[0], 0) == 0, "sign of complex 0");
    agn_release(zero), agn_release(y[0]);
    tell(&t, "abs, sign, parts and arithmetic of complex numbers");
}

/* integers: the formula in 128 bits, wrapped around */
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;
static u128 common(u128 a, u128 b)
{
    return b ? common(b, a % b) : a;
}
static int64_t int_value(const char *op, int64_t a, int64_t b, int d, bool *known)
{
    i128 r;
    u128 size = (u128)(a < 0 ? -(i128)a : a), other = (u128)(b < 0 ? -(i128)b : b);
    const int width = d == AGN_I32 ? 32 : 64;
    *known = true;
#define IS(name) !strcmp(op, name)
    if (IS("neg"))
        r = -(i128)a;
    else if (IS("abs"))
        r = a < 0 ? -(i128)a : a;
    else if (IS("sign"))
        r = (a > 0) - (a < 0);
    else if (IS("square"))
        r = (i128)((u128)a * (u128)a);
    else if (IS("relu"))
        r = a > 0 ? a : 0;
    else if (IS("add"))
        r = (i128)a + b;
    else if (IS("sub"))
        r = (i128)a - b;
    else if (IS("mul"))
        r = (i128)a * b;
    else if (IS("maximum"))
        r = a > b ? a : b;
    else if (IS("minimum"))
        r = a < b ? a : b;
    else if (IS("floor_divide"))
        r = b == 0 ? 0 : (i128)a / b - ((i128)a % b != 0 && (a < 0) != (b < 0));
    else if (IS("remainder"))
        r = b == 0 ? 0 : (((i128)a % b) + b) % b;
    else if (IS("pow")) {
        uint64_t p = 1;
        if (b < 0)
            r = a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
        else {
            for (int64_t i = 0; i < (b > 200 ? 200 : b); i++)
                p *= (uint64_t)a;
            *known = b <= 200;
            r = (i128)p;
        }
    } else if (IS("eq") || IS("first_eq"))
        r = a == b;
    else if (IS("ne"))
        r = a != b;
    else if (IS("lt"))
        r = a < b;
    else if (IS("le") || IS("first_min"))
        r = a <= b;
    else if (IS("gt"))
        r = a > b;
    else if (IS("ge") || IS("first_max"))
        r = a >= b;
    else if (IS("logical_and"))
        r = a && b;
    else if (IS("logical_or"))
        r = a || b;
    else if (IS("logical_not"))
        r = !a;
    else if (IS("isnan") || IS("isinf") || IS("isposinf") || IS("isneginf"))
        r = 0;
    else if (IS("isfinite") || IS("isreal"))
        r = 1;
    else if (IS("signbit"))
        r = a < 0;
    else if (IS("logical_xor"))
        r = !a != !b;
    else if (IS("fmax"))
        r = a > b ? a : b;
    else if (IS("fmin"))
        r = a < b ? a : b;
    else if (IS("fmod"))
        r = b == 0 ? 0 : (i128)a % b;
    else if (IS("floor") || IS("ceil") || IS("round") || IS("trunc"))
        r = a;
    else if (IS("bitwise_not"))
        r = -1 - (i128)a;
    else if (IS("bitwise_and"))
        r = a & b;
    else if (IS("bitwise_or"))
        r = a | b;
    else if (IS("bitwise_xor"))
        r = (a | b) - (a & b);
    else if (IS("left_shift"))
        r = b < 0 || b >= width ? 0 : (i128)((u128)a << b);
    else if (IS("right_shift"))
        r = b < 0 || b >= width ? -(a < 0) : (i128)a >> b;
    else if (IS("logical_right_shift"))
        r = b < 0 || b >= width ? 0 : (i128)(((u128)a & (((u128)1 << width) - 1)) >> b);
    else if (IS("popcount"))
        for (r = 0; size; size /= 2)
            r += (i128)(size % 2);
    else if (IS("gcd"))
        r = (i128)common(size, other);
    else if (IS("lcm")) {
        u128 g = common(size, other);
        r = g ? (i128)(size / g * other) : 0;
        r = d == AGN_I32 ? (i128)(int32_t)(uint32_t)(u128)r : (i128)(int64_t)(uint64_t)(u128)r;
        r = r < 0 ? -r : r;
    }
    else {
        *known = false;
        return 0;
    }
    return d == AGN_I32 ? (int64_t)(int32_t)(uint32_t)(u128)r
                        : (int64_t)(uint64_t)(u128)r;
}

static void test_integers(void)
{
    tally t = {0};
    int ops = 0;
    for (int d = AGN_I32; d <= AGN_I64; d++) {
        const int64_t lo = d == AGN_I32 ? INT32_MIN : INT64_MIN,
                      hi = d == AGN_I32 ? INT32_MAX : INT64_MAX;
        const int64_t some[] = {0,  1,  -1,  2,  -2,     3,  7,      -7,      39,    62,
                                63, 64, 100, lo, lo + 1, hi, hi - 1, 1 << 20, -12345};
        enum { N = COUNT(some) * COUNT(some) };
        int64_t a[N], b[N];
        agn_tensor *x[2] = {NULL}, *w = NULL;
        for (int i = 0; i < N; i++)
            a[i] = some[i / COUNT(some)], b[i] = some[i % COUNT(some)];
        for (int s = 0; s < 2; s++) {
            must(agn_from_host(&w, AGN_I64, 1, (int64_t[]){N}, s ? b : a));
            must(agn_cast(&x[s], w, d));
            agn_release(w);
        }
        for (int k = 0; k < n_rows; k++) {
            if (!(info[k].dtypes >> d & 1) || rows[k].arity > 2)
                continue;
            agn_tensor *y = NULL;
            must(apply(&y, &rows[k], (const agn_tensor *const *)x));
            bool known = true, any = false;
            for (int i = 0; i < N; i++) {
                int64_t want = int_value(rows[k].name, a[i], b[i], d, &known);
                if (!known && rows[k].q.integer)
                    known = rows[k].q.integer(&want, a[i], b[i], d == AGN_I32 ? 32 : 64);
                any = any || known;
                if (known)
                    check(&t, peek_int(y, i) == want,
                          "%s of %s: (%" PRId64 ", %" PRId64 ") is %" PRId64
                          ", not %" PRId64,
                          rows[k].name, agn_dtype_name(d), a[i], b[i], peek_int(y, i),
                          want);
            }
            check(&t, any, "no integer formula of %s", rows[k].name);
            ops++;
            agn_release(y);
        }
        agn_release(x[0]), agn_release(x[1]);
    }
    agn_tensor *three = scalar_of(AGN_I64, 3), *p = NULL, *a = scalar_of(AGN_I32, 327),
               *b = scalar_of(AGN_I32, 80);
    must(agn_pow_c(&p, three, 39));
    check(&t, peek_int(p, 0) == 4052555153018976267, "3^39 is exact (D5)");
    agn_release(p);
    must(agn_div(&p, a, b));
    check(&t, agn_dtype_of(p) == AGN_F64 && peek(p, 0) == 4.0875,
          "327 / 80 is 4.0875 (A2)");
    agn_release(p), agn_release(three), agn_release(a), agn_release(b);
    tell(&t, "integers: %d rows with extremes, wrapped and rounded down", ops);
}

/* Python's floor division and remainder belong together */
static void test_division(void)
{
    static const double v[][4] = {{1, 0.1, 9, 0.1 - 5.551115123125783e-17},
                                  {-1, 0.1, -10, 5.551115123125783e-17},
                                  {7, -2, -4, -1},
                                  {-7, 2, -4, 1},
                                  {-4, 2, -2, 0},
                                  {4, -2, -2, -0.0},
                                  {-1, (double)INFINITY, -1, (double)INFINITY},
                                  {1, (double)INFINITY, 0, 1}};
    tally t = {0};
    for (int k = 0; k < COUNT(v); k++) {
        agn_tensor *a = scalar_of(AGN_F64, v[k][0]), *b = scalar_of(AGN_F64, v[k][1]),
                   *q = NULL, *r = NULL;
        must(agn_floor_divide(&q, a, b));
        must(agn_remainder(&r, a, b));
        check(&t, peek(q, 0) == v[k][2], "%g // %g is %g", v[k][0], v[k][1],
              peek(q, 0));
        check(&t, fabs(peek(r, 0) - v[k][3]) < 1e-16 || peek(r, 0) == v[k][3],
              "%g mod %g is %.17g", v[k][0], v[k][1], peek(r, 0));
        check(&t, !signbit(peek(r, 0)) == !signbit(v[k][1]), "the sign of %g mod %g",
              v[k][0], v[k][1]);
        agn_release(a), agn_release(b), agn_release(q), agn_release(r);
    }
    tell(&t,
         "floor_divide and remainder agree, as in Python; the sign is the divisor's");
}

/* formulas that notice a kernel in another's place (N7) */
static void test_identities(void)
{
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){1000}, 0.1, 0.9);
    double worst = 0;
    enum {
        SIN,
        COS,
        TAN,
        EXP,
        LOG,
        SINH,
        COSH,
        TANH,
        SIGMOID,
        ERF,
        ERFC,
        ASIN,
        ACOS,
        ATAN,
        EXPM1,
        LOG1P,
        EXP2,
        LOG2,
        LOG10,
        SQRT,
        RSQRT,
        SOFTPLUS,
        N
    };
    agn_status (*const f[N])(agn_tensor **, const agn_tensor *) = {
        agn_sin,   agn_cos,  agn_tan,     agn_exp,     agn_log,  agn_sinh,
        agn_cosh,  agn_tanh, agn_sigmoid, agn_erf,     agn_erfc, agn_asin,
        agn_acos,  agn_atan, agn_expm1,   agn_log1p,   agn_exp2, agn_log2,
        agn_log10, agn_sqrt, agn_rsqrt,   agn_softplus};
    agn_tensor *y[N] = {NULL};
    for (int k = 0; k < N; k++)
        must(f[k](&y[k], x));
#define V(k) peek(y[k], i)
    for (int i = 0; i < 1000; i++) {
        double u = peek(x, i);
        double off[] = {V(SIN) * V(SIN) + V(COS) * V(COS) - 1,
                        V(TAN) - V(SIN) / V(COS),
                        V(SINH) + V(COSH) - V(EXP),
                        V(COSH) - V(SINH) - 1 / V(EXP),
                        V(TANH) - V(SINH) / V(COSH),
                        V(SIGMOID) * (1 + 1 / V(EXP)) - 1,
                        V(ERF) + V(ERFC) - 1,
                        V(ASIN) + V(ACOS) - acos(-1) / 2,
                        V(EXPM1) + 1 - V(EXP),
                        V(LOG2) * log(2) - V(LOG),
                        V(LOG10) * log(10) - V(LOG),
                        V(SQRT) * V(RSQRT) - 1,
                        V(SOFTPLUS) - u - log1p(1 / V(EXP)),
                        V(SIGMOID) - 0.5 * (1 + tanh(u / 2)),
                        V(ATAN) - V(ASIN) / V(ASIN) * atan(u),
                        exp(V(LOG1P)) - 1 - u,
                        log(V(EXP2)) / log(2) - u};
        for (int k = 0; k < COUNT(off); k++)
            worst = fmax(worst, fabs(off[k]));
    }
    for (int k = 0; k < N; k++)
        agn_release(y[k]);
    agn_release(x);
    ok(worst < 2e-15, "identities between functions hold to %.2g (N7)", worst);
}

/* ---- the same bits wherever an element stands --------------------------------------------------- */

/* Arguments: numbers of a pool. ref[i * POOL + j] is the op on the 0-D tensors i and j. */
enum { POOL = 37 };

static void fill_pool(int d, const agn_op_info *i, int which, double *v)
{
    static const double hard[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  (double)INFINITY,
                                  -(double)INFINITY,
                                  (double)NAN,
                                  1e-310,
                                  4.9e-324,
                                  1.7976931348623157e308,
                                  -2.5,
                                  1e-40,
                                  3.4028234663852886e38,
                                  1e5,
                                  -1e5,
                                  750,
                                  -750};
    for (int k = 0; k < POOL; k++) {
        v[k] = k < COUNT(hard) ? hard[(k + which * 5) % COUNT(hard)]
                               : rnd_in(which ? 0.4 : i->lo, which ? 3 : i->hi);
        if (kind_of(d) == KIND_BOOL)
            v[k] = k % 2;
        if (kind_of(d) == KIND_INT)
            v[k] = k < 5 ? (double[]){0, 1, -1, 100, -100}[k]
                         : nearbyint(rnd_in(-9, 9));
    }
}

typedef struct bench {
    const row *r;
    int d, in_dtype[3], out_dtype;
    char pool[3][POOL][16];
    char *ref; /* POOL^2 results; where: condition i % 2 */
    size_t out_bytes;
} bench;

static void *pool_at(bench *q, int arg, int64_t k)
{
    return q->pool[arg][(uint64_t)k % POOL];
}

/* scalars one by one: no vector loop, no stride, no thread */
static void make_reference(bench *q, const row *r, const agn_op_info *i, int d)
{
    double v[POOL];
    rnd_stream("bits", r->name);
    q->r = r, q->d = d;
    for (int a = 0; a < r->arity; a++) {
        q->in_dtype[a] = is_where(r) && a == 0 ? AGN_BOOL : d;
        fill_pool(q->in_dtype[a], i, a, v);
        for (int k = 0; k < POOL; k++)
            poke(q->pool[a][k], q->in_dtype[a], v[k], v[(k + 3) % POOL]);
    }
    q->out_dtype = r->result == BOOL   ? AGN_BOOL
                   : r->result == REAL ? (d == AGN_C64 ? AGN_F32 : AGN_F64)
                   : r->result == CPLX ? (d == AGN_F32 ? AGN_C64 : AGN_C128)
                                       : d;
    q->out_bytes = agn_dtype_size(q->out_dtype);
    int second = r->arity > 1 ? POOL : 1;
    q->ref = room_for((size_t)(POOL * second) * q->out_bytes);
    for (int k = 0; k < POOL; k++)
        for (int j = 0; j < second; j++) {
            agn_tensor *x[3] = {NULL}, *y = NULL;
            int at[3] = {k, j, j};
            for (int a = 0; a < r->arity; a++)
                must(agn_from_host(&x[a], q->in_dtype[a], 0, NULL, q->pool[a][at[a]]));
            must(apply(&y, r, (const agn_tensor *const *)x));
            memcpy(q->ref + (size_t)(k * second + j) * q->out_bytes, agn_data(y),
                   q->out_bytes);
            for (int a = 0; a < r->arity; a++)
                agn_release(x[a]);
            agn_release(y);
        }
}

static bool same_number(const char *a, const char *b, int d)
{
    if (!memcmp(a, b, agn_dtype_size(d)))
        return true;
    double complex u = peek_at(a, d), v = peek_at(b, d);
    return (creal(u) == creal(v) || (isnan(creal(u)) && isnan(creal(v)))) &&
           (cimag(u) == cimag(v) || (isnan(cimag(u)) && isnan(cimag(v)))) &&
           (isnan(creal(u)) || isnan(cimag(u)));
}

/* the argument whose element i is pool number first + i * by (where: second and third alike) */
static agn_tensor *from_pool(bench *q, int a, int nd, const int64_t *shape,
                             int64_t first, int64_t by)
{
    int64_t n = count_of(nd, shape);
    size_t b = agn_dtype_size(q->in_dtype[a]);
    char *p = room_for((size_t)n * b);
    for (int64_t i = 0; i < n; i++)
        memcpy(p + (size_t)i * b, pool_at(q, a, first + i * by), b);
    agn_tensor *x = NULL;
    must(agn_from_host(&x, q->in_dtype[a], nd, shape, p));
    free(p);
    return x;
}

/* where element flat of the broadcast shape lies in an operand */
static int64_t spread(const agn_tensor *x, int nd, const int64_t *shape, int64_t flat)
{
    int64_t at = 0, unit = 1;
    for (int d = nd - 1; d >= 0; d--) {
        int e = d - (nd - agn_ndim(x));
        if (e >= 0) {
            at += (agn_shape(x)[e] == 1 ? 0 : flat % shape[d]) * unit;
            unit *= agn_shape(x)[e];
        }
        flat /= shape[d];
    }
    return at;
}

/* Applies to operands filled by from_pool and compares every element. */
static bool holds(bench *q, agn_tensor *const *x, const int64_t *first,
                  const int64_t *by, int64_t *bad)
{
    agn_tensor *y = NULL, *view = NULL;
    uint64_t h[3];
    *bad = -1;
    for (int a = 0; a < q->r->arity; a++)
        h[a] = agn_numel(x[a]) < 5000 ? hash_of(x[a]) : 0;
    must(apply(&view, q->r, (const agn_tensor *const *)x));
    must(agn_contiguous(&y, view)); /* the parts of complex numbers are views */
    bool part = !strcmp(q->r->name, "real") || !strcmp(q->r->name, "imag");
    int second = q->r->arity > 1 ? POOL : 1, nd = agn_ndim(y);
    bool good = agn_dtype_of(y) == q->out_dtype && (part || view == y), plain = true;
    for (int a = 0; a < q->r->arity; a++)
        plain = plain && same_shapes(x[a], y);
    const char *p = agn_data(y);
    for (int64_t i = 0; good && i < agn_numel(y); i++) {
        uint64_t at[3] = {0};
        for (int a = 0; a < q->r->arity; a++)
            at[a] = (uint64_t)(first[a] +
                               (plain ? i : spread(x[a], nd, agn_shape(y), i)) *
                                   by[a]) %
                    POOL;
        const char *want = q->ref +
                           (at[0] * (uint64_t)second + (second > 1 ? at[1] : 0)) *
                               q->out_bytes;
        good = same_number(p + (size_t)i * q->out_bytes, want, q->out_dtype);
        *bad = good ? -1 : i;
    }
    for (int a = 0; a < q->r->arity; a++)
        good = good && (!h[a] || hash_of(x[a]) == h[a]);
    agn_release(y), agn_release(view);
    return good;
}

static const int computed[] = {AGN_BOOL, AGN_I32, AGN_I64, AGN_F32,
                               AGN_F64,  AGN_C64, AGN_C128};

static void sweep_sizes(tally *t, bench *q)
{
    static const int64_t sizes[] = {0,  1,  2,    3,    7,    8,     9,     31,
                                    32, 33, 1023, 1024, 1025, 65535, 65536, 65537};
    int64_t bad;
    for (int s = 0; s < COUNT(sizes); s++) {
        int64_t n = sizes[s], first[3] = {s, 2 * s, 2 * s}, by[3] = {1, 2, 2};
        if (n > 2000 && (tap_quick() || (kind_of(q->d) == KIND_COMPLEX && s != COUNT(sizes) - 1)))
            continue;
        agn_tensor *x[3] = {NULL};
        for (int a = 0; a < q->r->arity; a++)
            x[a] = from_pool(q, a, 1, &n, first[a], by[a]);
        check(t, holds(q, x, first, by, &bad), "%s of %" PRId64 " %s at %" PRId64,
              q->r->name, n, agn_dtype_name(q->d), bad);
        for (int a = 0; a < q->r->arity; a++)
            agn_release(x[a]);
    }
}

static void sweep_layouts(tally *t, bench *q)
{
    static const int64_t one = 1, zero = 0;
    int64_t bad, shape[3] = {3, 5, 11};
    (void)one, (void)zero;
    for (int la = 0; la <= N_LAYOUTS; la++)
        for (int lb = 0; lb <= N_LAYOUTS; lb++) {
            if (q->r->arity == 1 && lb)
                continue;
            int64_t first[3] = {la, lb, lb}, by[3] = {1, 3, 3};
            agn_tensor *x[3] = {NULL};
            for (int a = 0; a < q->r->arity; a++) {
                int layout = a ? lb : la;
                agn_tensor *b = from_pool(q, a, 3, shape, first[a], by[a]);
                if (layout == N_LAYOUTS) { /* every stride 0 */
                    agn_tensor *s = from_pool(q, a, 0, NULL, first[a], 0);
                    must(agn_broadcast_to(&x[a], s, 3, shape));
                    agn_release(s);
                    by[a] = 0;
                } else {
                    x[a] = laid_out(b, layout);
                }
                agn_release(b);
            }
            check(t, holds(q, x, first, by, &bad),
                  "%s of %s, layouts %d and %d, at %" PRId64, q->r->name,
                  agn_dtype_name(q->d), la, lb, bad);
            for (int a = 0; a < q->r->arity; a++)
                agn_release(x[a]);
        }
    for (int nd = 0; nd <= 8; nd++) { /* ranks */
        int64_t dims[8], first[3] = {nd, 5, 5}, by[3] = {1, 1, 1};
        for (int d = 0; d < nd; d++)
            dims[d] = d % 3 == 2 ? 3 : 2 - d % 2;
        agn_tensor *x[3] = {NULL}, *tr[3] = {NULL};
        for (int a = 0; a < q->r->arity; a++)
            x[a] = from_pool(q, a, nd, dims, first[a], by[a]);
        check(t, holds(q, x, first, by, &bad), "%s of %s, rank %d", q->r->name,
              agn_dtype_name(q->d), nd);
        for (int a = 0; a < q->r->arity; a++) {
            agn_tensor *b = laid_out(x[a], nd % N_LAYOUTS);
            tr[a] = b;
        }
        check(t, holds(q, tr, first, by, &bad), "%s of %s, rank %d in layout %d",
              q->r->name, agn_dtype_name(q->d), nd, nd % N_LAYOUTS);
        for (int a = 0; a < q->r->arity; a++)
            agn_release(x[a]), agn_release(tr[a]);
    }
    for (int64_t n = 1; n <= 33;
         n++) /* slices that begin anywhere: vector loads (D13) */
        for (int64_t off = 0; off < 8; off += n % 3 + 1) {
            int64_t all = n + off, first[3] = {1, 2, 2}, by[3] = {1, 1, 1};
            agn_tensor *x[3] = {NULL};
            for (int a = 0; a < q->r->arity; a++) {
                agn_tensor *b = from_pool(q, a, 1, &all, first[a] - off, by[a]);
                must(agn_slice(&x[a], b, 1, &off, &all, NULL));
                agn_release(b);
            }
            for (int a = 0; a < 3; a++)
                first[a] += POOL;
            check(t, holds(q, x, first, by, &bad),
                  "%s of %s, %" PRId64 " elements at offset %" PRId64, q->r->name,
                  agn_dtype_name(q->d), n, off);
            for (int a = 0; a < q->r->arity; a++)
                agn_release(x[a]);
        }
}

static void sweep_broadcast(tally *t, bench *q)
{
    static const struct {
        int na, nb;
        int64_t a[4], b[4];
    } pair[] = {{0, 0, {0}, {0}},
                {0, 1, {0}, {5}},
                {1, 2, {1}, {3, 4}},
                {2, 2, {3, 1}, {1, 4}},
                {2, 3, {3, 1}, {2, 3, 4}},
                {3, 3, {2, 1, 4}, {1, 3, 1}},
                {1, 1, {0}, {1}},
                {2, 2, {0, 3}, {1, 3}},
                {4, 2, {2, 1, 3, 1}, {3, 5}},
                {1, 3, {6}, {5, 1, 6}},
                {2, 1, {40, 1}, {50}},
                {2, 2, {7, 33}, {1, 33}},
                {2, 2, {33, 7}, {33, 1}},
                {3, 3, {1, 1, 1}, {2, 3, 4}}};
    int64_t bad;
    for (int k = 0; k < COUNT(pair); k++)
        for (int swap = 0; swap < 2; swap++) {
            int64_t first[3] = {k, k + 1, k + 1}, by[3] = {1, 2, 2};
            agn_tensor *x[3] = {NULL};
            for (int a = 0; a < q->r->arity; a++)
                x[a] = (a == 0) != swap
                           ? from_pool(q, a, pair[k].na, pair[k].a, first[a], by[a])
                           : from_pool(q, a, pair[k].nb, pair[k].b, first[a], by[a]);
            check(t, holds(q, x, first, by, &bad), "%s of %s: %s with %s at %" PRId64,
                  q->r->name, agn_dtype_name(q->d), SHAPE_TEXT(x[0]), SHAPE_TEXT(x[1]),
                  bad);
            for (int a = 0; a < q->r->arity; a++)
                agn_release(x[a]);
        }
    /* an argument twice (T3) */
    if (q->r->arity == 2) {
        agn_tensor *x = from_pool(q, 0, 1, (int64_t[]){POOL}, 0, 1), *c = NULL,
                   *y = NULL, *z = NULL;
        must(agn_copy(&c, x));
        must(apply(&y, q->r, (const agn_tensor *[]){x, x}));
        must(apply(&z, q->r, (const agn_tensor *[]){x, c}));
        check(t, same_values(y, z), "%s of %s with an argument twice", q->r->name,
              agn_dtype_name(q->d));
        agn_release(x), agn_release(c), agn_release(y), agn_release(z);
    }
}

static void sweep_threads(tally *t, bench *q)
{
    int64_t n = 200003, first[3] = {0, 0, 0}, by[3] = {1, 5, 5}, bad;
    agn_tensor *x[3] = {NULL};
    for (int a = 0; a < q->r->arity; a++)
        x[a] = from_pool(q, a, 1, &n, first[a], by[a]);
    for (int threads = 1; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
        must(agn_threads_set(threads));
        check(t, holds(q, x, first, by, &bad), "%s of %s with %d threads at %" PRId64,
              q->r->name, agn_dtype_name(q->d), threads, bad);
    }
    must(agn_threads_set(0));
    for (int a = 0; a < q->r->arity; a++)
        agn_release(x[a]);
}

static void test_sweeps(void)
{
    tally sizes = {0}, layouts = {0}, broadcast = {0}, threads = {0}, nans = {0};
    int pairs = 0;
    for (int k = 0; k < n_rows; k++)
        for (int c = 0; c < COUNT(computed); c++) {
            bench *q = room_for(sizeof *q);
            int d = computed[c];
            if (!(info[k].dtypes >> d & 1)) {
                free(q);
                continue;
            }
            pairs++;
            make_reference(q, &rows[k], &info[k], d);
            sweep_sizes(&sizes, q);
            sweep_layouts(&layouts, q);
            if (rows[k].arity > 1)
                sweep_broadcast(&broadcast, q);
            if ((d == AGN_F64 || d == AGN_F32) && !tap_quick())
                sweep_threads(&threads, q);
            if (kind_of(d) == KIND_FLOAT && rows[k].nan == PROPAGATES) {
                int second = rows[k].arity > 1 ? POOL : 1;
                for (int i = 0; i < POOL; i++)
                    for (int j = 0; j < second; j++) {
                        bool nan = isnan(creal(peek_at(q->pool[0][i], d))) ||
                                   (second > 1 &&
                                    isnan(creal(peek_at(q->pool[1][j], d))));
                        double complex v = peek_at(q->ref + (size_t)(i * second + j) *
                                                                q->out_bytes,
                                                   q->out_dtype);
                        check(&nans, !nan || isnan(creal(v)) || isnan(cimag(v)),
                              "%s of NaN is %g", rows[k].name, creal(v));
                    }
            }
            free(q->ref), free(q);
        }
    tell(&sizes, "%d pairs of op and dtype: sizes 0 to 65537", pairs);
    tell(&layouts, "layouts, ranks 0 to 8, offsets 0 to 7");
    tell(&broadcast, "broadcasting both ways against index arithmetic (D1)");
    if (!tap_quick())
        tell(&threads, "the same bits for 1, 2, 3 and 8 threads");
    tell(&nans, "NaN in, NaN out, where not documented otherwise (D16)");
}

/* ---- the dtype matrix ----------------------------------------------------------------------------- */

static const int wide_of[AGN_NDTYPES] = {AGN_BOOL, AGN_I32, AGN_I32, AGN_I32,
                                         AGN_I32,  AGN_I64, AGN_F32, AGN_F32,
                                         AGN_F32,  AGN_F64, AGN_C64, AGN_C128};

static int compute_dtype(uint32_t mask, int p)
{
    if (mask >> p & 1)
        return p;
    if (mask >> wide_of[p] & 1)
        return wide_of[p];
    if (kind_of(p) <= KIND_INT && mask >> AGN_I64 & 1)
        return AGN_I64;
    return kind_of(p) <= KIND_INT && mask >> AGN_F64 & 1 ? AGN_F64 : -1;
}

static void test_dtypes(void)
{
    tally t = {0};
    for (int k = 0; k < n_rows; k++) {
        rnd_stream("dtypes", rows[k].name);
        for (int da = 0; da < AGN_NDTYPES; da++)
            for (int db = 0; db < (rows[k].arity > 1 ? AGN_NDTYPES : 1); db++) {
                int n = rows[k].arity, p = n > 1 ? agn_promote(da, db) : da;
                int w = compute_dtype(info[k].dtypes, p);
                int64_t shape[1] = {5};
                agn_tensor *x[3] = {NULL}, *cast_to[3] = {NULL}, *y = untouched, *z = NULL,
                           *want = NULL;
                int at = 0, choice = is_where(&rows[k]);
                if (choice)
                    cast_to[at] = random_of(AGN_BOOL, 1, shape, 0, 1),
                    x[at++] = agn_retain(cast_to[0]);
                x[at++] = random_of(da, 1, shape, 1, 3);
                while (at < n)
                    x[at++] = random_of(db, 1, shape, 1, 3);
                uint64_t h = hash_of(x[n - 1]);
                agn_status st = apply(&y, &rows[k], (const agn_tensor *const *)x);
                if (w < 0) {
                    check(&t,
                          refused(st, AGN_EDTYPE, rows[k].name, agn_dtype_name(p), NULL,
                                  y),
                          "%s of %s is refused", rows[k].name, agn_dtype_name(p));
                } else {
                    int same = p != w && w == wide_of[p] ? p : w;
                    int d = rows[k].result == BOOL ? AGN_BOOL
                            : rows[k].result == REAL
                                ? (w == AGN_C64 ? AGN_F32 : AGN_F64)
                            : rows[k].result == CPLX
                                ? (w == AGN_F32 ? AGN_C64 : AGN_C128)
                                : same;
                    check(&t, !st && agn_dtype_of(y) == d,
                          "%s of %s and %s is %s, not %s", rows[k].name,
                          agn_dtype_name(da), agn_dtype_name(db),
                          st ? agn_error_message() : agn_dtype_name(agn_dtype_of(y)),
                          agn_dtype_name(d));
                    for (int a = choice; a < n; a++)
                        must(agn_cast(&cast_to[a], x[a], w));
                    must(apply(&z, &rows[k], (const agn_tensor *const *)cast_to));
                    must(agn_cast(&want, z, d));
                    check(&t, st || same_values(y, want),
                          "%s of %s and %s is computed in %s", rows[k].name,
                          agn_dtype_name(da), agn_dtype_name(db), agn_dtype_name(w));
                    check(&t, hash_of(x[n - 1]) == h, "%s changed an argument",
                          rows[k].name);
                    if (!st)
                        agn_release(y);
                }
                for (int a = 0; a < n; a++)
                    agn_release(x[a]), agn_release(cast_to[a]);
                agn_release(z), agn_release(want);
            }
    }
    tell(
        &t,
        "inferred dtype = actual dtype, narrow ones computed wide: every op, all pairs (P5)");
}

/* ---- attributes by reflection ---------------------------------------------------------------------- */

static void test_reflection(void)
{
    tally t = {0};
    agn_tensor *x = scalar_of(AGN_F64, 2), *y = untouched;
    const agn_tensor *in[3] = {x, x, x};
    int64_t ints[2] = {1, 1};
    for (int k = 0; k < n_rows; k++) {
        bool p = ordered[k];
        agn_status st = agn_op_apply(&y, 1, rows[k].name, in, rows[k].arity, ints,
                                     p ? 0 : 1, NULL, 0);
        check(&t,
              st && y == untouched &&
                  !strncmp(agn_error_message(), rows[k].name, strlen(rows[k].name)),
              "%s takes %s attribute: %s", rows[k].name, p ? "an" : "no",
              agn_error_message());
        if (!st)
            agn_release(y), y = untouched;
        st = agn_op_apply(&y, 1, rows[k].name, in, rows[k].arity + 1, NULL, 0, NULL, 0);
        check(&t, st == AGN_EARG && y == untouched, "%s takes %d arguments",
              rows[k].name, rows[k].arity);
    }
    for (int k = 0; k < n_rows; k++)
        for (int64_t n = -1; ordered[k] && n <= 104; n += 105)
            check(&t,
                  refused(agn_op_apply(&y, 1, rows[k].name, in, 1, &n, 1, NULL, 0),
                          AGN_EARG, rows[k].name, "order", "103", y),
                  "%s of order %d", rows[k].name, (int)n);
    tell(&t, "attributes and arguments too many or too few are refused");
    agn_release(x);
}

/* ---- CPU levels ------------------------------------------------------------------------------------- */

static void test_levels(const char *self)
{
    static const char *const levels[] = {"base", "avx2", "avx512"};
    for (int k = 0; k < COUNT(levels); k++) {
        char line[4400];
        if (!strcmp(agn_cpu_level(NULL), levels[k])) {
            skip("%s is the level of this very run", levels[k]);
            continue;
        }
        snprintf(line, sizeof line, "AGNESI_CPU=%s '%s' --level 2>&1", levels[k], self);
        FILE *p = popen(line, "r");
        if (!p)
            bail_out("no shell");
        while (fgets(line, sizeof line, p))
            if (strncmp(line, "ok", 2) && strncmp(line, "1..", 3))
                printf("# %s: %s", levels[k], line[0] == '#' ? line + 2 : line);
        int st = pclose(p);
        if (WIFEXITED(st) && WEXITSTATUS(st) == 77)
            skip("this CPU has no %s", levels[k]);
        else
            ok(WIFEXITED(st) && WEXITSTATUS(st) == 0, "values and bits at CPU level %s",
               levels[k]);
    }
}

int main(int argc, char **argv)
{
    bool level = argc > 1 && !strcmp(argv[1], "--level");
    if (level) {
        const char *why = "";
        agn_cpu_level(&why);
        if (*why)
            return 77;
    }
    find_rows();
    test_values();
    test_identities();
    test_sweeps();
    if (level)
        return done();
    test_polygamma();
    test_complex_values();
    test_integers();
    test_division();
    test_dtypes();
    test_reflection();
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = 0;
        test_levels(self);
    } else {
        skip("no /proc: the other CPU levels are not run");
    }
    (void)argv;
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
