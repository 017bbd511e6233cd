/* tensor/random/poisson_binomial.c - Poisson and binomial numbers: inversion for small means,
   transformed rejection (Hoermann 1993, PTRS and BTRS) else, with probabilities after Loader
   2000. */
#include "tensor/random/discrete.h"

#include "tensor/cpu/special/portable_exp.h"
#include "tensor/cpu/special/special.h"
#include <math.h>

/* ---- probabilities without cancellation (Loader 2000) ---------------------------------------- */

/* log n! - log(sqrt(2 pi n) (n / e)^n), n >= 1: table, then Stirling's series */
static double stirling_error(double n)
{
    static const double small[] = {
        8.10614667953272611e-02, 4.13406959554092970e-02, 2.76779256849983384e-02,
        2.07906721037650934e-02, 1.66446911898211931e-02, 1.38761288230707484e-02,
        1.18967099458917695e-02, 1.04112652619720962e-02, 9.25546218271273285e-03,
        8.33056343336287079e-03, 7.57367548795184059e-03, 6.94284010720952992e-03,
        6.40899418800420714e-03, 5.95137011275884750e-03, 5.55473355196280105e-03};
    if (n < 16)
        return small[(int)n - 1];
    double r = 1 / n, r2 = r * r;
    return r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 / 1188))));
}

/* x log(x / m) + m - x >= 0 for x, m > 0 */
static double binomial_deviance(double x, double m)
{
    if (fabs(x - m) >= 0.1 * (x + m))
        return x * agni_plain_log(x / m) + m - x;
    double v = (x - m) / (x + m), sum = (x - m) * v, term = 2 * x * v;
    for (int j = 1; j < 40; j++) {
        term *= v * v;
        double next = sum + term / (2 * j + 1);
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

static double log_poisson(double k, double rate)
{
    return k == 0 ? -rate
                  : -stirling_error(k) - binomial_deviance(k, rate) -
                        0.5 * agni_plain_log(2 * AGNI_PI * k);
}

/* log(1 + x) for -1/2 <= x <= 0: the rounding of 1 + x comes back */
static double log_one_plus(double x)
{
    double u = 1 + x;
    return agni_plain_log(u) + (x - (u - 1)) / u;
}

/* p <= 1/2 */
static double log_binomial(double k, double n, double p)
{
    if (k == 0)
        return n * log_one_plus(-p);
    if (k == n)
        return n * agni_plain_log(p);
    double m = n - k;
    return stirling_error(n) - stirling_error(k) - stirling_error(m) - binomial_deviance(k, n * p) -
           binomial_deviance(m, n * (1 - p)) + 0.5 * agni_plain_log(n / (2 * AGNI_PI * k * m));
}

/* ---- Poisson --------------------------------------------------------------------------------- */

/* what a law needs of its parameters, kept while they stay the same */
typedef struct poisson_constants {
    double rate, none, a, b, inverse, safe;
} poisson_constants;

static poisson_constants prepare_poisson(double rate)
{
    poisson_constants q = {.rate = rate};
    if (rate < 10) {
        q.none = agni_plain_exp(-rate);
        return q;
    }
    q.b = 0.931 + 2.53 * sqrt(rate);
    q.a = -0.059 + 0.02483 * q.b;
    q.inverse = 1.1239 + 1.1328 / (q.b - 3.4);
    q.safe = 0.9277 - 3.6224 / (q.b - 2);
    return q;
}

/* Below 10, the first k whose distribution function exceeds u; else PTRS of Hoermann 1993. */
static int64_t draw_one_poisson(agni_philox_tries *t, const poisson_constants *q)
{
    if (q->rate < 10) {
        double u = agni_open_unit_interval(t, 0), p = q->none, sum = p;
        int64_t k = 0;
        while (u > sum && p > 0x1p-1000) {
            p *= q->rate / (double)++k;
            sum += p;
        }
        return k;
    }
    for (;; agni_next_try(t)) {
        double u = agni_open_unit_interval(t, 0) - 0.5, v = agni_open_unit_interval(t, 1),
               us = 0.5 - fabs(u);
        double k = floor((2 * q->a / us + q->b) * u + q->rate + 0.43);
        if (us >= 0.07 && v <= q->safe)
            return (int64_t)k;
        if (!(k >= 0 && k < 0x1p63) || (us < 0.013 && v > us))
            continue;
        if (agni_plain_log(v * q->inverse / (q->a / (us * us) + q->b)) <= log_poisson(k, q->rate))
            return (int64_t)k;
    }
}

void agni_draw_poisson(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    poisson_constants q = {.rate = -1};
    agni_sample_philox_words(b, w);
    for (int j = 0; j < b->n; j++) {
        agni_philox_tries t = agni_first_try(b, w, j);
        if (b->p[0].f[j] != q.rate)
            q = prepare_poisson(b->p[0].f[j]);
        y->i[j] = draw_one_poisson(&t, &q);
    }
}

/* ---- binomial -------------------------------------------------------------------------------- */

typedef struct binomial_constants {
    double n, p, none, odds; /* p <= 1/2 */
    double a, b, middle, alpha, safe, at_mode;
} binomial_constants;

static binomial_constants prepare_binomial(double n, double p)
{
    binomial_constants q = {.n = n, .p = p};
    if (n * p < 10) {
        q.none = agni_plain_exp(n * log_one_plus(-p));
        q.odds = p / (1 - p);
        return q;
    }
    double spread = sqrt(n * p * (1 - p));
    q.b = 1.15 + 2.53 * spread;
    q.a = -0.0873 + 0.0248 * q.b + 0.01 * p;
    q.middle = n * p + 0.5;
    q.alpha = (2.83 + 5.1 / q.b) * spread;
    q.safe = 0.92 - 4.2 / q.b;
    q.at_mode = log_binomial(floor((n + 1) * p), n, p);
    return q;
}

/* Few successes expected: the first k whose distribution function exceeds u; else BTRS of Hoermann
   1993, with probabilities relative to that of the mode. */
static double draw_one_binomial(agni_philox_tries *t, const binomial_constants *q)
{
    if (q->n * q->p < 10) {
        double u = agni_open_unit_interval(t, 0), k = 0, f = q->none, sum = f;
        while (u > sum && k < q->n && f > 0x1p-1000) {
            f *= (q->n - k) / (k + 1) * q->odds;
            sum += f;
            k++;
        }
        return k;
    }
    for (;; agni_next_try(t)) {
        double u = agni_open_unit_interval(t, 0) - 0.5, v = agni_open_unit_interval(t, 1),
               us = 0.5 - fabs(u);
        double k = floor((2 * q->a / us + q->b) * u + q->middle);
        if (!(k >= 0 && k <= q->n))
            continue;
        if (us >= 0.07 && v <= q->safe)
            return k;
        if (agni_plain_log(v * q->alpha / (q->a / (us * us) + q->b)) <=
            log_binomial(k, q->n, q->p) - q->at_mode)
            return k;
    }
}

void agni_draw_binomial(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    binomial_constants q = {.n = -1};
    agni_sample_philox_words(b, w);
    for (int j = 0; j < b->n; j++) {
        agni_philox_tries t = agni_first_try(b, w, j);
        int64_t n = b->p[0].i[j];
        double p = b->p[1].f[j], less = p > 0.5 ? 1 - p : p;
        if ((double)n != q.n || less != q.p)
            q = prepare_binomial((double)n, less);
        int64_t k = (int64_t)draw_one_binomial(&t, &q);
        k = k > n ? n : k;
        y->i[j] = p > 0.5 ? n - k : k;
    }
}
