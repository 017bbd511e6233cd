/* tests/t-random-law.c - samplers against the laws they claim to follow, and against themselves
   under other threads, layouts, CPU levels, lanes, plans and counters. Seeds are fixed: a test
   that passes today passes tomorrow. Every statistic is compared with a quantile that a right
   sampler exceeds once in FALSE_ALARM draws of the seed. */
#include "laws.h"

#undef I
#include "core/random/philox.h"
#include "tensor/cpu/level_dispatch.h"
#include "tensor/random/cpu/random.h"

#define FALSE_ALARM "once in 10^5"

static agn_tensor *key_of(uint64_t seed, uint64_t stream)
{
    agn_tensor *k = NULL;
    int64_t pair[2] = {(int64_t)seed, (int64_t)stream};
    must(agn_from_host(&k, AGN_I64, 1, (int64_t[]){2}, pair));
    return k;
}

/* ---- statistics -------------------------------------------------------------------------------- */

/* chi^2 beyond which 1e-5 lies: Wilson & Hilferty 1931, z = 4.2649 */
static double chi2_limit(int free)
{
    double k = 2.0 / (9.0 * free), c = 1 - k + 4.2649 * sqrt(k);
    return free * c * c * c;
}

/* sum over cells of which each expects five or more; neighbours are put together */
static bool chi2_holds(const double *have, const double *expect, int cells, const char *what)
{
    double sum = 0, h = 0, e = 0;
    int free = -1;
    for (int k = 0; k < cells; k++) {
        h += have[k], e += expect[k];
        double left = 0;
        for (int j = k + 1; j < cells; j++)
            left += expect[j];
        if (e < 5 || left < 5) {
            if (k + 1 < cells)
                continue;
        }
        sum += (h - e) * (h - e) / (e > 0 ? e : 1e-300);
        free++;
        h = e = 0;
    }
    double limit = chi2_limit(free > 0 ? free : 1);
    if (sum > limit)
        diag("%s: chi^2 %.1f of %d, limit %.1f", what, sum, free, limit);
    return sum <= limit;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) D; 2.47 is exceeded with probability 1e-5 (Kolmogorov) */
typedef double cdf(double x, double a, double b);
static bool ks_holds(const agn_tensor *x, cdf *f, double a, double b, const char *what)
{
    int64_t n = agn_numel(x);
    agn_tensor *d = NULL;
    must(agn_cast(&d, x, AGN_F64));
    double *v = room_for((size_t)n * sizeof *v), worst = 0;
    must(agn_to_host(v, d, (size_t)n * sizeof *v));
    qsort(v, (size_t)n, sizeof *v, by_value);
    for (int64_t i = 0; i < n; i++) {
        double p = f(v[i], a, b);
        worst = fmax(worst, fmax((double)(i + 1) / (double)n - p, p - (double)i / (double)n));
    }
    free(v);
    agn_release(d);
    worst *= sqrt((double)n);
    diag("%s: Kolmogorov-Smirnov %.3f", what, worst);
    return worst < 2.47;
}

/* ---- distribution functions -------------------------------------------------------------------- */

static double cdf_uniform(double x, double a, double b)
{
    return x < a ? 0 : x > b ? 1 : (x - a) / (b - a);
}
static double cdf_normal(double x, double m, double s)
{
    return 0.5 * erfc(-(x - m) / s / sqrt(2));
}
static double cdf_log_normal(double x, double m, double s)
{
    return cdf_normal(log(x), m, s);
}
static double cdf_exponential(double x, double rate, double none)
{
    (void)none;
    return -expm1(-rate * x);
}
static double cdf_laplace(double x, double m, double s)
{
    double z = (x - m) / s;
    return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z);
}
static double cdf_cauchy(double x, double m, double s)
{
    return 0.5 + atan((x - m) / s) / acos(-1);
}
static double cdf_gumbel(double x, double m, double s)
{
    return exp(-exp(-(x - m) / s));
}
/* DLMF 8.7.1 and the continued fraction 8.9.2 */
static double cdf_gamma(double y, double a, double none)
{
    (void)none;
    if (y <= 0)
        return 0;
    double front = exp(a * log(y) - y - lgamma(a));
    if (y < a + 1) {
        double term = 1 / a, sum = term;
        for (int n = 1; n < 10000 && term > 1e-17 * sum; n++)
            sum += term *= y / (a + n);
        return sum * front;
    }
    double b = y + 1 - a, c = 1e300, d = 1 / b, f = d;
    for (int i = 1; i < 10000; i++) {
        double an = -i * (i - a), was = f;
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        f *= d * c;
        if (f == was)
            break;
    }
    return 1 - front * f;
}
static double cdf_log_gamma(double t, double a, double none)
{
    return a < 0.01 && t < -30 ? exp(a * t - lgamma(a + 1)) : cdf_gamma(exp(t), a, none);
}
/* a of b by the continued fraction 8.17.22, for x below the mean; else by symmetry */
static double beta_front(double x, double a, double b)
{
    double c = 1, d = 1 - (a + b) * x / (a + 1), f;
    d = 1 / d;
    f = d;
    for (int m = 1; m < 5000; m++) {
        double was = f, e = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + e * d), c = 1 + e / c, f *= d * c;
        e = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + e * d), c = 1 + e / c, f *= d * c;
        if (f == was)
            break;
    }
    return exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) * f / a;
}
static double cdf_beta(double x, double a, double b)
{
    return x <= 0 ? 0 : x >= 1 ? 1 : x < (a + 1) / (a + b + 2) ? beta_front(x, a, b)
                                                               : 1 - beta_front(1 - x, b, a);
}
/* between bounds, in the tail where both are small (laws.md L4) */
static double cdf_truncated(double x, double lo, double hi)
{
    double r = sqrt(2), sign = lo + hi > 0 ? 1 : -1;
    double a = erfc(sign * lo / r), b = erfc(sign * hi / r), c = erfc(sign * x / r);
    return (c - a) / (b - a);
}

/* ---- real laws ------------------------------------------------------------------------------------ */

typedef agn_status of_two(agn_tensor **, const agn_tensor *, const agn_tensor *,
                          const agn_tensor *, int32_t, const int64_t *);
static agn_status exponential2(agn_tensor **y, const agn_tensor *k, const agn_tensor *a,
                               const agn_tensor *b, int32_t nd, const int64_t *n)
{
    (void)b;
    return agn_random_exponential(y, k, a, nd, n);
}
static agn_status gamma2(agn_tensor **y, const agn_tensor *k, const agn_tensor *a,
                         const agn_tensor *b, int32_t nd, const int64_t *n)
{
    (void)b;
    return agn_random_gamma(y, k, a, nd, n);
}
static agn_status log_gamma2(agn_tensor **y, const agn_tensor *k, const agn_tensor *a,
                             const agn_tensor *b, int32_t nd, const int64_t *n)
{
    (void)b;
    return agn_random_log_gamma(y, k, a, nd, n);
}
static agn_status truncated2(agn_tensor **y, const agn_tensor *k, const agn_tensor *a,
                             const agn_tensor *b, int32_t nd, const int64_t *n)
{
    agn_tensor *zero = scalar_of(agn_dtype_of(a), 0), *one = scalar_of(agn_dtype_of(a), 1);
    agn_status st = agn_random_truncated_normal(y, k, zero, one, a, b, nd, n);
    agn_release(zero), agn_release(one);
    return st;
}

static const struct {
    const char *name;
    of_two *f;
    cdf *law;
    double a, b;
    bool coarse; /* f32 cannot tell its numbers apart well enough */
} real_laws[] = {
    {"uniform", agn_random_uniform, cdf_uniform, -2, 5, false},
    {"normal", agn_random_normal, cdf_normal, 3, 0.25, false},
    {"log_normal", agn_random_log_normal, cdf_log_normal, -1, 0.7, false},
    {"exponential", exponential2, cdf_exponential, 0.4, 1, false},
    {"laplace", agn_random_laplace, cdf_laplace, 1, 2, false},
    {"cauchy", agn_random_cauchy, cdf_cauchy, -1, 0.5, false},
    {"gumbel", agn_random_gumbel, cdf_gumbel, 1, 3, false},
    {"gamma 0.02", gamma2, cdf_gamma, 0.02, 1, true},
    {"gamma 0.4", gamma2, cdf_gamma, 0.4, 1, false},
    {"gamma 1", gamma2, cdf_gamma, 1, 1, false},
    {"gamma 2.7", gamma2, cdf_gamma, 2.7, 1, false},
    {"gamma 300", gamma2, cdf_gamma, 300, 1, false},
    {"log gamma 1e-4", log_gamma2, cdf_log_gamma, 1e-4, 1, false},
    {"log gamma 5", log_gamma2, cdf_log_gamma, 5, 1, false},
    {"beta 0.3 0.2", agn_random_beta, cdf_beta, 0.3, 0.2, true},
    {"beta 2 5", agn_random_beta, cdf_beta, 2, 5, false},
    {"beta 40 60", agn_random_beta, cdf_beta, 40, 60, false},
    {"truncated [-1, 2]", truncated2, cdf_truncated, -1, 2, false},
    {"truncated [0.5, inf]", truncated2, cdf_truncated, 0.5, (double)INFINITY, false},
    {"truncated [-inf, -3]", truncated2, cdf_truncated, -(double)INFINITY, -3, false},
    {"truncated [8, 9]", truncated2, cdf_truncated, 8, 9, false},
    {"truncated [-9, -8]", truncated2, cdf_truncated, -9, -8, false},
    {"truncated [25, 25.01]", truncated2, cdf_truncated, 25, 25.01, true},
};

static void test_real_laws(void)
{
    int64_t n = tap_scale(200000);
    for (int d = AGN_F32; d <= AGN_F64; d++)
        for (int k = 0; k < COUNT(real_laws); k++) {
            if (d == AGN_F32 && real_laws[k].coarse)
                continue;
            char what[80];
            snprintf(what, sizeof what, "%s %s", real_laws[k].name, agn_dtype_name(d));
            agn_tensor *key = key_of(20261121, (uint64_t)(k + 100 * d)), *y = NULL,
                       *a = scalar_of(d, real_laws[k].a), *b = scalar_of(d, real_laws[k].b);
            must(real_laws[k].f(&y, key, a, b, 1, &n));
            ok(agn_dtype_of(y) == d &&
                   ks_holds(y, real_laws[k].law, real_laws[k].a, real_laws[k].b, what),
               "%s follows its law (Kolmogorov-Smirnov; false alarm " FALSE_ALARM ")", what);
            agn_release(key), agn_release(y), agn_release(a), agn_release(b);
        }
}

static void test_edges(void)
{
    tally t = {0};
    agn_tensor *key = key_of(8, 0), *y = NULL;
    const int64_t n = 20000;
    /* [a, b) is half open although rounding would reach b */
    agn_tensor *a = scalar_of(AGN_F32, 1), *b = scalar_of(AGN_F32, 1.0000004);
    must(agn_random_uniform(&y, key, a, b, 1, &n));
    double top = 0, low = 9;
    for (int64_t i = 0; i < n; i++)
        top = fmax(top, peek(y, i)), low = fmin(low, peek(y, i));
    check(&t, low == 1 && top < peek(b, 0), "[1, 1 + 3 ulp): %.9g to %.9g", low, top);
    agn_release(y);
    must(agn_random_uniform(&y, key, a, a, 1, &n));
    check(&t, peek(y, 0) == 1 && peek(y, n - 1) == 1, "[1, 1]");
    agn_release(y), agn_release(a), agn_release(b);
    /* narrow dtypes never reach 1 */
    for (int d = AGN_F16; d <= AGN_BF16; d++) {
        must(agn_uniform(&y, key, d, 1, &n));
        double most = 0;
        for (int64_t i = 0; i < n; i++)
            most = fmax(most, peek(y, i));
        check(&t, agn_dtype_of(y) == d && most < 1 && most > 0.99, "%s: %.6g", agn_dtype_name(d),
              most);
        agn_release(y);
        a = scalar_of(d, 2);
        must(agn_random_gamma(&y, key, a, 1, &n));
        check(&t, agn_dtype_of(y) == d, "gamma of %s", agn_dtype_name(d));
        agn_release(y);
        must(agn_random_normal(&y, key, a, a, 1, &n));
        check(&t, agn_dtype_of(y) == d, "normal of %s", agn_dtype_name(d));
        agn_release(y), agn_release(a);
    }
    /* exponential and Gumbel numbers are positive, finite */
    agn_tensor *lit = NULL;
    must(agn_lit(&lit, 1));
    must(agn_random_gumbel(&y, key, lit, lit, 1, &n));
    check(&t, agn_dtype_of(y) == AGN_F64, "literals give f64");
    agn_release(y), agn_release(lit);
    const int64_t none[2] = {3, 0};
    a = scalar_of(AGN_F64, 1);
    must(agn_random_gamma(&y, key, a, 2, none));
    check(&t, has_shape(y, 2, none), "empty");
    agn_release(y);
    must(agn_random_gamma(&y, key, a, 0, NULL));
    check(&t, has_shape(y, 0, NULL), "0-D");
    agn_release(y), agn_release(a), agn_release(key);
    tell(&t, "half-open ends, narrow dtypes, literals, empty and 0-D");
}

/* ---- integers ---------------------------------------------------------------------------------------- */

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

static bool counts_hold(const agn_tensor *y, int64_t low, int cells, const double *p,
                        const char *what)
{
    int64_t n = agn_numel(y);
    double *have = room_for((size_t)cells * 2 * sizeof *have), *expect = have + cells;
    bool inside = true;
    memset(have, 0, (size_t)cells * 2 * sizeof *have);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = peek_int(y, i) - low;
        inside = inside && k >= 0 && k < cells;
        if (k >= 0 && k < cells)
            have[k]++;
    }
    for (int k = 0; k < cells; k++)
        expect[k] = p[k] * (double)n;
    bool holds = inside && chi2_holds(have, expect, cells, what);
    for (int k = 0; k < cells; k++)
        if (p[k] == 0 && have[k] > 0)
            holds = false;
    free(have);
    return holds;
}

static void test_counts(void)
{
    const int64_t n = tap_scale(200000);
    double p[3000];
    static const double rates[] = {0, 0.01, 0.7, 4, 9.99, 10, 12.5, 40, 600};
    for (int k = 0; k < COUNT(rates); k++) {
        agn_tensor *key = key_of(99, (uint64_t)k), *y = NULL, *r = scalar_of(AGN_F64, rates[k]);
        must(agn_random_poisson(&y, key, r, k % 2 ? AGN_I32 : AGN_I64, 1, &n));
        for (int i = 0; i < 3000; i++)
            p[i] = rates[k] > 0 ? exp(i * log(rates[k]) - rates[k] - lgamma(i + 1)) : i == 0;
        ok(counts_hold(y, 0, 3000, p, "poisson"),
           "Poisson numbers of rate %g (chi^2; false alarm " FALSE_ALARM ")", rates[k]);
        agn_release(key), agn_release(y), agn_release(r);
    }
    static const struct {
        int64_t n;
        double p;
    } trials[] = {{0, 0.5}, {1, 0.3}, {7, 0}, {7, 1}, {20, 0.4}, {20, 0.9}, {1000, 0.003},
                  {1000, 0.3}, {1000, 0.77}, {2000, 0.5}, {25, 0.5}};
    for (int k = 0; k < COUNT(trials); k++) {
        agn_tensor *key = key_of(98, (uint64_t)k), *y = NULL, *q = scalar_of(AGN_F64, trials[k].p),
                   *m = scalar_of(k % 2 ? AGN_I64 : AGN_I16, (double)trials[k].n);
        must(agn_random_binomial(&y, key, m, q, AGN_I64, 1, &n));
        for (int i = 0; i < 3000; i++) {
            double pk = trials[k].p, nk = (double)trials[k].n;
            p[i] = i > nk ? 0
                   : pk == 0 ? i == 0
                   : pk == 1 ? i == nk
                             : exp(log_choose(nk, i) + i * log(pk) + (nk - i) * log1p(-pk));
        }
        ok(counts_hold(y, 0, 3000, p, "binomial"),
           "successes in %d trials of %g (chi^2; false alarm " FALSE_ALARM ")",
           (int)trials[k].n, trials[k].p);
        agn_release(key), agn_release(y), agn_release(m), agn_release(q);
    }
    /* large numbers: mean and variance within 4.4 standard errors */
    static const double large[] = {1e6, 1e12, 1e17};
    for (int k = 0; k < 2 * COUNT(large); k++) {
        bool trial = k % 2;
        double rate = large[k / 2], mean = trial ? 0.25 * rate : rate;
        double var = trial ? mean * 0.75 : rate, m1 = 0, m2 = 0;
        agn_tensor *key = key_of(97, (uint64_t)k), *y = NULL, *r = scalar_of(AGN_F64, rate),
                   *m = scalar_of(AGN_I64, rate), *q = scalar_of(AGN_F64, 0.25);
        must(trial ? agn_random_binomial(&y, key, m, q, AGN_I64, 1, &n)
                   : agn_random_poisson(&y, key, r, AGN_I64, 1, &n));
        for (int64_t i = 0; i < n; i++) {
            double z = ((double)peek_int(y, i) - mean) / sqrt(var);
            m1 += z / (double)n, m2 += z * z / (double)n;
        }
        ok(fabs(m1) * sqrt((double)n) < 4.4 && fabs(m2 - 1) * sqrt((double)n / 2) < 4.4,
           "%s %g: mean and variance (false alarm " FALSE_ALARM ")",
           trial ? "binomial of" : "Poisson of", rate);
        agn_release(key), agn_release(y), agn_release(r), agn_release(m), agn_release(q);
    }
}

static void test_integers(void)
{
    const int64_t n = tap_scale(200000);
    double p[1000];
    static const int64_t ranges[][2] = {{0, 1}, {0, 6}, {-3, 4}, {5, 1005}};
    for (int k = 0; k < COUNT(ranges); k++) {
        int64_t lo = ranges[k][0], many = ranges[k][1] - lo;
        agn_tensor *key = key_of(5, (uint64_t)k), *y = NULL, *a = scalar_of(AGN_I32, (double)lo),
                   *b = scalar_of(AGN_I64, (double)ranges[k][1]);
        must(agn_random_integers(&y, key, a, b, k % 2 ? AGN_I32 : AGN_I64, 1, &n));
        for (int i = 0; i < many; i++)
            p[i] = 1 / (double)many;
        ok(counts_hold(y, lo, (int)many, p, "integers"),
           "integers from %d to %d (chi^2; false alarm " FALSE_ALARM ")", (int)lo,
           (int)ranges[k][1]);
        agn_release(key), agn_release(y), agn_release(a), agn_release(b);
    }
    /* all that a dtype holds, of all dtypes that a table of counts can; the same numbers as wide */
    static const struct {
        int dtype;
        int64_t lo, many;
    } whole[] = {
        {AGN_U8, 0, 256}, {AGN_I8, -128, 256}, {AGN_I16, -32768, 65536}, {AGN_I16, -7, 100}};
    for (int k = 0; k < COUNT(whole); k++) {
        int64_t lo = whole[k].lo, hi = lo + whole[k].many;
        agn_tensor *key = key_of(15, (uint64_t)k), *y = NULL, *z = NULL, *same = NULL,
                   *a = scalar_of(AGN_I32, (double)lo), *b = scalar_of(AGN_I32, (double)hi);
        must(agn_random_integers(&y, key, a, b, whole[k].dtype, 1, &n));
        must(agn_random_integers(&z, key, a, b, AGN_I64, 1, &n));
        must(agn_eq(&same, y, z));
        bool equal = agn_dtype_of(y) == whole[k].dtype;
        for (int64_t i = 0; i < n; i++)
            equal = equal && ((const bool *)agn_data(same))[i];
        ok(equal, "%s: integers are those of i64", agn_dtype_name(whole[k].dtype));
        for (int i = 0; i < 1000; i++)
            p[i] = 1 / (double)whole[k].many;
        if (whole[k].many <= 1000)
            ok(counts_hold(z, lo, (int)whole[k].many, p, "integers"),
               "%s: integers from %d to %d (chi^2; false alarm " FALSE_ALARM ")",
               agn_dtype_name(whole[k].dtype), (int)lo, (int)hi);
        agn_release(key), agn_release(y), agn_release(z), agn_release(same), agn_release(a),
            agn_release(b);
    }
    /* a range of 3/4 of 2^64: without rejection its first third would come twice as often */
    agn_tensor *key = key_of(6, 0), *y = NULL, *a = NULL, *b = NULL;
    must(agn_full_i64(&a, AGN_I64, 0, NULL, INT64_MIN));
    must(agn_full_i64(&b, AGN_I64, 0, NULL, (int64_t)1 << 62));
    must(agn_random_integers(&y, key, a, b, AGN_I64, 1, &n));
    double third[3] = {0}, expect[3];
    const int64_t *v = agn_data(y);
    for (int64_t i = 0; i < n; i++)
        third[v[i] < INT64_MIN / 2 ? 0 : v[i] < 0 ? 1 : 2]++;
    for (int k = 0; k < 3; k++)
        expect[k] = (double)n / 3;
    ok(chi2_holds(third, expect, 3, "wide range"),
       "a range of 3/4 of 2^64 is fair (false alarm " FALSE_ALARM ")");
    agn_release(y), agn_release(b);
    must(agn_full_i64(&b, AGN_I64, 0, NULL, INT64_MAX));
    must(agn_random_integers(&y, key, a, b, AGN_I64, 1, &n));
    double half[2] = {0}, expect2[2] = {(double)n / 2, (double)n / 2};
    v = agn_data(y);
    for (int64_t i = 0; i < n; i++)
        half[v[i] >= 0]++;
    ok(chi2_holds(half, expect2, 2, "whole range"),
       "all of 64 bits but one (false alarm " FALSE_ALARM ")");
    agn_release(key), agn_release(y), agn_release(a), agn_release(b);
}

static void test_bernoulli(void)
{
    tally t = {0};
    const int64_t n = tap_scale(300000), shape[2] = {3, n / 3};
    agn_tensor *key = key_of(2, 0), *y = NULL,
               *p = of_reals(AGN_F32, 2, (int64_t[]){3, 1}, (double[]){0, 0.3, 1});
    must(agn_random_bernoulli(&y, key, p, 2, shape));
    int64_t sum[3] = {0};
    for (int64_t i = 0; i < shape[0] * shape[1]; i++)
        sum[i / shape[1]] += peek_int(y, i);
    double m = (double)shape[1];
    check(&t, agn_dtype_of(y) == AGN_BOOL && sum[0] == 0 && sum[2] == shape[1], "0 and 1");
    check(&t, fabs((double)sum[1] - 0.3 * m) < 4.4 * sqrt(0.21 * m), "%d of %d", (int)sum[1],
          (int)shape[1]);
    agn_release(key), agn_release(y), agn_release(p);
    tell(&t, "Bernoulli: never at 0, always at 1, right between (false alarm " FALSE_ALARM ")");
}

/* ---- choice: laws.md L8 --------------------------------------------------------------------------------- */

static void test_multinomial(void)
{
    const int64_t n = tap_scale(100000);
    static const double w[] = {0, 3, 0, 1, 0.5, 0, 0, 2.5, 0};
    double p[9];
    for (int k = 0; k < 9; k++)
        p[k] = w[k] / 7;
    agn_tensor *key = key_of(11, 0), *y = NULL, *weights = of_reals(AGN_F64, 1, (int64_t[]){9}, w);
    must(agn_random_multinomial(&y, key, weights, n, true));
    ok(has_shape(y, 1, &n) && counts_hold(y, 0, 9, p, "multinomial"),
       "L8: frequencies of categories (chi^2; false alarm " FALSE_ALARM
       "), weight 0 is never drawn");
    agn_release(y);
    /* without replacement: rows of all four, none twice; the first follows the weights, the second
       those that are left */
    agn_tensor *rows = NULL;
    must(agn_broadcast_to(&rows, weights, 2, (int64_t[]){n, 9}));
    must(agn_random_multinomial(&y, key, rows, 4, false));
    double first[9] = {0}, second[9] = {0}, e1[9], e2[9];
    bool distinct = has_shape(y, 2, (int64_t[]){n, 4});
    for (int64_t i = 0; i < n; i++) {
        int seen = 0;
        for (int k = 0; k < 4; k++)
            seen |= 1 << peek_int(y, 4 * i + k);
        distinct = distinct && seen == (1 << 1 | 1 << 3 | 1 << 4 | 1 << 7);
        first[peek_int(y, 4 * i)]++;
        second[peek_int(y, 4 * i + 1)]++;
    }
    for (int k = 0; k < 9; k++) {
        e1[k] = p[k] * (double)n;
        e2[k] = 0;
        for (int j = 0; j < 9; j++)
            if (j != k)
                e2[k] += p[j] * p[k] / (1 - p[j]) * (double)n;
    }
    ok(distinct, "L8: without replacement nothing comes twice, weight 0 never");
    ok(chi2_holds(first, e1, 9, "first") && chi2_holds(second, e2, 9, "second"),
       "L8: first and second of the drawn (chi^2; false alarm " FALSE_ALARM ")");
    agn_release(key), agn_release(y), agn_release(weights), agn_release(rows);
}

static void test_permutation(void)
{
    const int64_t n = tap_scale(120000);
    agn_tensor *key = key_of(12, 0), *keys = NULL, *y = NULL;
    must(agn_key_split(&keys, key, n));
    must(agn_random_permutation(&y, keys, 4));
    double have[24] = {0}, expect[24];
    bool fine = has_shape(y, 2, (int64_t[]){n, 4});
    const int64_t *v = agn_data(y);
    for (int64_t i = 0; i < n; i++) {
        int rank = 0, seen = 0;
        for (int k = 0; k < 4; k++) {
            int less = 0;
            for (int j = k + 1; j < 4; j++)
                less += v[4 * i + j] < v[4 * i + k];
            rank = rank * (4 - k) + less;
            seen |= 1 << v[4 * i + k];
        }
        fine = fine && seen == 15;
        have[rank]++;
    }
    for (int k = 0; k < 24; k++)
        expect[k] = (double)n / 24;
    ok(fine && chi2_holds(have, expect, 24, "permutations"),
       "all 24 orders of four (chi^2; false alarm " FALSE_ALARM ")");
    agn_release(y), agn_release(keys);
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){3, 1000}, 0, 1), *z = NULL, *order = NULL,
               *want = NULL;
    must(agn_random_shuffle(&z, key, x, 1));
    must(agn_random_permutation(&order, key, 1000));
    must(agn_gather(&want, x, order, 1));
    ok(hash_of(z) == hash_of(want) && hash_of(z) != hash_of(x), "shuffle takes a permutation");
    agn_release(key), agn_release(x), agn_release(z), agn_release(order), agn_release(want);
}

/* ---- counters: 2^32, 2^63 and the end, laws.md G3 and G4 ---------------------------------------------- */

static void test_counters(void)
{
    tally t = {0};
    agn_tensor *key = key_of(3, 1), *y = NULL, *whole = NULL;
    uint64_t sub = agni_philox_subkey(3, 1);
    static const uint64_t around[] = {0,
                                      (uint64_t)1 << 32,
                                      (uint64_t)1 << 33,
                                      (uint64_t)1 << 34,
                                      (uint64_t)1 << 63,
                                      UINT64_MAX - 20};
    const int64_t many = 600;
    for (int k = 0; k < COUNT(around); k++)
        for (int shift = -301; shift <= 0; shift += 43) {
            uint64_t first = around[k] + (uint64_t)(int64_t)(k ? shift : 0);
            must(agn_random_bits(&y, key, (int64_t)first, 1, &many));
            const int64_t *v = agn_data(y);
            for (int64_t i = 0; i < many; i++) {
                uint64_t n = first + (uint64_t)i;
                agni_philox4 r = agni_philox(
                    (uint32_t)(n / 2), (uint32_t)(n / 2 >> 32), 0, 0, (uint32_t)sub,
                    (uint32_t)(sub >> 32));
                uint64_t want = (uint64_t)r.w[2 * (n % 2)] << 32 | r.w[2 * (n % 2) + 1];
                check(&t, (uint64_t)v[i] == want, "number %" PRIu64, n);
            }
            agn_release(y);
        }
    tell(&t, "G3, G4: numbers around 2^32, 2^33, 2^34, 2^63 and 2^64 of a stream");
    /* the loops of each level, block by block, around the same counters */
    t = (tally){0};
    bool usable;
    for (int level = 0; agni_simd_kernels_level(level, &usable); level++) {
        if (!usable)
            continue;
        const agni_vrandom *q = agni_simd_kernels_level(level, NULL)->random;
        uint32_t w[4 * 100];
        for (int k = 0; k < COUNT(around); k++)
            for (int n = 1; n < 70; n += 7) {
                uint64_t first = around[k] - 33;
                q->blocks(w, sub, first, n);
                for (int i = 0; i < n; i++) {
                    agni_philox4 r = agni_philox_block(sub, first + (uint64_t)i);
                    check(&t, !memcmp(w + 4 * i, r.w, 16), "level %d, block %" PRIu64, level,
                          first + (uint64_t)i);
                }
            }
    }
    tell(&t, "blocks of every CPU level around the same counters");
    /* skipping is drawing: a slice by itself */
    int64_t first = 12345, n = 1000, all = 20000;
    must(agn_random_bits(&whole, key, 0, 1, &all));
    must(agn_random_bits(&y, key, first, 1, &n));
    ok(!memcmp(agn_data(y), (const int64_t *)agn_data(whole) + first, 8000), "a slice of a stream");
    agn_release(whole), agn_release(y), agn_release(key);
    /* G3: a big draw ends as random as it begins, and has no block twice: 2^21 numbers of 64 bits
       have a birthday with probability 2^-23 */
    n = tap_scale(1 << 21);
    key = key_of(44, 0);
    agn_tensor *sorted = NULL;
    must(agn_random_bits(&y, key, ((int64_t)1 << 33) - n / 2, 1, &n));
    must(agn_sort(&sorted, y, 0, false));
    const int64_t *s = agn_data(sorted), *v = agn_data(y);
    int64_t equal = 0, same = 0;
    for (int64_t i = 1; i < n; i++)
        equal += s[i] == s[i - 1];
    for (int64_t i = n - 64; i < n; i++)
        same += v[i] == v[n - 1];
    ok(equal == 0 && same == 1, "G3: no birthday among %" PRId64 " integers across 2^33", n);
    agn_release(sorted), agn_release(y);
    /* birthday spacings (Marsaglia 1985): 2^9 birthdays in 2^24 days, lambda = 2^27 / 2^26 = 2 */
    double have[10] = {0}, expect[10];
    int64_t days = 512, rounds = tap_scale(4000), total = days * rounds;
    must(agn_random_bits(&y, key, 0, 1, &total));
    v = agn_data(y);
    for (int64_t r = 0; r < rounds; r++) {
        double day[513], gap[512];
        for (int i = 0; i < 512; i++)
            day[i] = (double)((uint64_t)v[512 * r + i] >> 40);
        qsort(day, 512, sizeof *day, by_value);
        gap[0] = day[0];
        for (int i = 1; i < 512; i++)
            gap[i] = day[i] - day[i - 1];
        qsort(gap, 512, sizeof *gap, by_value);
        int twice = 0;
        for (int i = 1; i < 512; i++)
            twice += gap[i] == gap[i - 1];
        have[twice < 9 ? twice : 9]++;
    }
    double p = exp(-2), rest = 1;
    for (int k = 0; k < 9; p *= 2.0 / ++k)
        expect[k] = p * (double)rounds, rest -= p;
    expect[9] = rest * (double)rounds;
    ok(chi2_holds(have, expect, 10, "birthday spacings"),
       "birthday spacings follow Poisson's law (false alarm " FALSE_ALARM ")");
    agn_release(y), agn_release(key);
}

/* ---- the same numbers however they are asked for: laws.md L6, L10 --------------------------------------- */

static agn_tensor *endless;

typedef struct request {
    const char *name;
    agn_status (*f)(agn_tensor **, const agn_tensor *key, const agn_tensor *p, int64_t n);
} request;
#define ASK(name, call)                                                                        \
    static agn_status ask_##name(agn_tensor **y, const agn_tensor *k, const agn_tensor *p, \
                                 int64_t n)                                                    \
    {                                                                                          \
        const int64_t shape[2] = {n, 5};                                                       \
        (void)p, (void)shape;                                                                              \
        return call;                                                                           \
    }
ASK(uniform, agn_uniform(y, k, AGN_F64, 2, shape))
ASK(normal, agn_normal(y, k, AGN_F64, 2, shape))
ASK(normal32, agn_normal(y, k, AGN_F32, 2, shape))
ASK(exponential, agn_exponential(y, k, AGN_F64, 2, shape))
ASK(gamma, agn_random_gamma(y, k, p, 2, shape))
ASK(beta, agn_random_beta(y, k, p, p, 2, shape))
ASK(poisson, agn_random_poisson(y, k, p, AGN_I64, 2, shape))
ASK(bernoulli, agn_random_bernoulli(y, k, p, 2, shape))
ASK(laplace, agn_random_laplace(y, k, p, p, 2, shape))
ASK(truncated, agn_random_truncated_normal(y, k, p, p, p, endless, 2, shape))
ASK(permutation, agn_random_permutation(y, k, n))
ASK(sobol, agn_sobol(y, k, AGN_F64, 3, n, 5))
ASK(halton, agn_halton(y, k, AGN_F64, 3, n, 5))
ASK(latin, agn_latin_hypercube(y, k, AGN_F64, n, 5))
static const request requests[] = {
    {"uniform", ask_uniform},   {"normal", ask_normal},       {"normal f32", ask_normal32},
    {"exponential", ask_exponential},
    {"gamma", ask_gamma},       {"beta", ask_beta},           {"poisson", ask_poisson},
    {"bernoulli", ask_bernoulli},
    {"laplace", ask_laplace},   {"truncated", ask_truncated}, {"permutation", ask_permutation},
    {"sobol", ask_sobol},       {"halton", ask_halton},       {"latin hypercube", ask_latin}};

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const request *q = user;
    agn_tensor *y = NULL;
    agn_status st = q->f(&y, in[0], in[1], 40);
    out[0] = agn_scope_adopt(s, st, &y);
    return AGN_OK;
}

static void test_same(void)
{
    endless = scalar_of(AGN_F64, (double)INFINITY);
    tally threads = {0}, layouts = {0}, plans = {0}, lanes = {0}, seeds = {0};
    agn_tensor *p = random_of(AGN_F64, 2, (int64_t[]){40, 5}, 0.2, 0.9), *big = NULL;
    agn_tensor *row = random_of(AGN_F64, 1, (int64_t[]){5}, 0.2, 0.9);
    agn_tensor *k1 = key_of(17, 0), *k2 = key_of(18, 0), *keys = NULL;
    must(agn_stack(&keys, (const agn_tensor *[]){k1, k2}, 2, 0));
    for (int r = 0; r < COUNT(requests); r++) {
        const request *q = &requests[r];
        agn_tensor *y = NULL, *z = NULL, *o = NULL;
        must(agn_threads_set(1));
        must(q->f(&big, k1, row, 9001));
        for (int n = 2; n <= 4; n++) {
            must(agn_threads_set(n));
            must(q->f(&z, k1, row, 9001));
            check(&threads, hash_of(z) == hash_of(big), "%s: %d threads", q->name, n);
            agn_release(z);
        }
        must(agn_threads_set(0));
        must(q->f(&z, k2, row, 9001));
        check(&seeds, hash_of(z) != hash_of(big), "%s: the seed", q->name);
        agn_release(z), agn_release(big);
        must(q->f(&y, k1, p, 40));
        for (int l = 0; l < N_LAYOUTS; l++) {
            agn_tensor *x = laid_out(p, l);
            must(q->f(&z, k1, x, 40));
            check(&layouts, hash_of(z) == hash_of(y), "%s: %s", q->name, layout_names[l]);
            agn_release(x), agn_release(z);
        }
        agn_fn *f = NULL, *fast = NULL, *wide = NULL;
        must(agn_fn_new(&f, body, (void *)(uintptr_t)q, NULL, 2, 1));
        must(agn_fn_compile(&fast, f, NULL));
        for (int again = 0; again < 2; again++) { /* L6 */
            must(agn_fn_call(&z, 1, fast, AGN_ARGS(k1, p)));
            check(&plans, hash_of(z) == hash_of(y), "%s, compiled", q->name);
            agn_release(z);
        }
        must(agn_fn_vmap(&wide, f, (int32_t[]){0, AGN_UNBATCHED}, 2, NULL, 0));
        must(agn_fn_call(&z, 1, wide, AGN_ARGS(keys, p)));
        must(agn_index_axis(&o, z, 0, 0));
        check(&lanes, hash_of(o) == hash_of(y), "%s: lane 0 of keys", q->name);
        agn_release(o), agn_release(y);
        must(q->f(&y, k2, p, 40));
        must(agn_index_axis(&o, z, 0, 1));
        check(&lanes, hash_of(o) == hash_of(y), "%s: lane 1 of keys", q->name);
        agn_release(o), agn_release(y), agn_release(z);
        /* one key, lanes of parameters: numbers of a lane are those of the folded key */
        agn_tensor *pp = NULL, *lane = NULL, *folded = NULL;
        must(agn_stack(&pp, (const agn_tensor *[]){p, p}, 2, 0));
        agn_fn_release(wide);
        must(agn_fn_vmap(&wide, f, (int32_t[]){AGN_UNBATCHED, 0}, 2, NULL, 0));
        must(agn_fn_call(&z, 1, wide, AGN_ARGS(k1, pp)));
        for (int l = 0; l < 2; l++) {
            lane = scalar_of(AGN_I64, l);
            must(agn_key_fold(&folded, k1, lane));
            if (strcmp(q->name, "beta") && strcmp(q->name, "laplace") &&
                strcmp(q->name, "latin hypercube")) { /* those take folds of a key themselves */
                must(q->f(&y, folded, p, 40));
                must(agn_index_axis(&o, z, 0, l));
                check(&lanes, hash_of(o) == hash_of(y), "%s: lane %d of parameters", q->name, l);
                agn_release(y), agn_release(o);
            }
            agn_release(lane), agn_release(folded);
        }
        agn_release(z), agn_release(pp);
        agn_fn_release(f), agn_fn_release(fast), agn_fn_release(wide);
    }
    agn_release(endless), agn_release(p), agn_release(row), agn_release(k1), agn_release(k2),
        agn_release(keys);
    tell(&threads, "any number of threads");
    tell(&layouts, "any layout of the parameters");
    tell(&plans, "L6: compiled, first call and second");
    tell(&lanes, "lanes of vmap draw under their keys, or under the folded one");
    tell(&seeds, "L10: the seed governs every sampler");
}

/* into memory of the caller, with strides */
static void test_into(void)
{
    tally t = {0};
    agn_tensor *key = key_of(9, 9), *want = NULL, *p = scalar_of(AGN_F64, 2);
    const int64_t shape[2] = {7, 11};
    for (int gamma = 0; gamma < 2; gamma++) {
        must(gamma ? agn_random_gamma(&want, key, p, 2, shape)
                   : agn_normal(&want, key, AGN_F64, 2, shape));
        static const int64_t strides[][2] = {{11, 1}, {1, 7}, {31, 2}, {-11, -1}};
        static double room[400];
        for (int l = 0; l < 4; l++) {
            agn_tensor *y = NULL;
            must(agn_wrap_host(&y, AGN_F64, 2, shape, strides[l], room + (l == 3 ? 100 : 0), false,
                               NULL, NULL));
            must(gamma ? agn_random_gamma_into(y, key, p, 2, shape)
                       : agn_normal_into(y, key, AGN_F64, 2, shape));
            check(&t, hash_of(y) == hash_of(want), "strides %d, %d", (int)strides[l][0],
                  (int)strides[l][1]);
            agn_release(y);
        }
        agn_release(want);
    }
    agn_release(key), agn_release(p);
    tell(&t, "a sample into strided memory is the contiguous one");
}

/* numbers of every CPU level are the same, bit for bit */
static void test_levels(void)
{
    tally t = {0};
    enum { N = 1000 };
    uint32_t w[4 * N];
    double u[N + AGNI_RANDOM_SLACK], z[2][N + AGNI_RANDOM_SLACK], q[N + AGNI_RANDOM_SLACK] = {0};
    for (int i = 0; i < 4 * N; i++)
        w[i] = (uint32_t)rnd();
    w[0] = w[1] = 0; /* the smallest and the largest u, and the far tail */
    w[2] = w[3] = ~0u;
    w[4] = 0, w[5] = 1u << 20;
    bool usable;
    for (int level = 0; agni_simd_kernels_level(level, &usable); level++) {
        if (!usable)
            continue;
        const agni_vrandom *r = agni_simd_kernels_level(level, NULL)->random;
        for (int n = 1; n <= N; n = n * 3 + 1) {
            r->unit53(u, w, n);
            for (int i = 0; i < n; i++)
                check(&t, u[i] == agni_philox_to_f64(w[2 * i], w[2 * i + 1]), "unit53");
            for (int i = 0; i < n; i++)
                q[i] = (u[i] - 0.5) + 0x1p-54;
            r->normal(z[1], q, n);
            const agni_vrandom *base = agni_simd_kernels_level(0, NULL)->random;
            base->normal(z[0], q, n);
            check(&t, !memcmp(z[0], z[1], (size_t)n * 8), "normal, %d of level %d", n, level);
            for (int i = 0; i < n; i++)
                u[i] = u[i] > 0 ? u[i] : 0x1p-53;
            base->minus_log(z[0], u, n);
            r->minus_log(z[1], u, n);
            check(&t, !memcmp(z[0], z[1], (size_t)n * 8), "minus_log, %d of level %d", n, level);
            r->unit24(z[0], w, n);
            for (int i = 0; i < n; i++)
                check(&t, z[0][i] == (double)agni_philox_to_f32(w[i]), "unit24");
        }
    }
    tell(&t, "numbers of every CPU level, bit for bit");
}

int main(void)
{
    test_levels();
    test_counters();
    test_same();
    test_into();
    test_edges();
    test_real_laws();
    test_integers();
    test_bernoulli();
    test_counts();
    test_multinomial();
    test_permutation();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
