/* tensor/random/cpu/rejection.h - one number of a law that is drawn by tries: integers of a range
   (Lemire 2019), Poisson and binomial (Hoermann 1993), gamma (Marsaglia & Tsang 2000), normal
   between bounds (Marsaglia 1964). Try 0 of element i takes the words of Philox block i, try t
   those of the counter (i, t, 0). One text for the host and for devices, which give AGNI_FN their
   own meaning. */
#ifndef AGNI_REJECTION_H
#define AGNI_REJECTION_H

#include "core/random/philox.h"
#include "tensor/cpu/special/constants.h"
#include "tensor/cpu/special/normal.h"
#include "tensor/cpu/special/portable_exp.h"
#include "tensor/cpu/special/special.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef AGNI_FN
#define AGNI_FN static inline
#endif

/* the middle of a cell, in (0, 1) */
AGNI_FN double agni_unit_of_words(uint32_t high, uint32_t low)
{
    return agni_philox_to_f64(high, low | 1u << 11);
}

typedef struct agni_philox_tries {
    uint64_t key, element;
    uint32_t next; /* number of the next try */
    const uint32_t *w;
    agni_philox4 r;
} agni_philox_tries;

AGNI_FN void agni_next_try(agni_philox_tries *t)
{
    t->r = agni_philox_try(t->key, t->element, t->next++, 0);
    t->w = t->r.w;
}
/* u in (0, 1), the middle of a cell, of words 2 k and 2 k + 1 */
AGNI_FN double agni_open_unit_interval(const agni_philox_tries *t, int k)
{
    return agni_philox_to_f64(t->w[2 * k], t->w[2 * k + 1] | 1u << 11);
}
/* ---- integers of a range ---------------------------------------------------------------- */

/* high half of a 64 x 64 bit product; *low its low half */
AGNI_FN uint64_t agni_wide_product(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t p = a0 * b0, q = a1 * b0 + (p >> 32), r = a0 * b1 + (uint32_t)q;
    *low = a * b;
    return a1 * b1 + (q >> 32) + (r >> 32);
}

/* Lemire 2019: x n / 2^64 for 64 random bits x, which is fair once x with x n mod 2^64 below
   2^64 mod n are left out. */
AGNI_FN uint64_t agni_draw_below(agni_philox_tries *t, uint64_t n)
{
    uint64_t low, y = agni_wide_product((uint64_t)t->w[0] << 32 | t->w[1], n, &low);
    if (low < n)
        for (uint64_t least = (0 - n) % n; low < least;) {
            agni_next_try(t);
            y = agni_wide_product((uint64_t)t->w[0] << 32 | t->w[1], n, &low);
        }
    return y;
}

/* ---- probabilities without cancellation (Loader 2000) ---------------------------------------- */

/* log n! - log(sqrt(2 pi n) (n / e)^n), n >= 1: table, then Stirling's series */
AGNI_FN double agni_stirling_error(double n)
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
AGNI_FN double agni_binomial_deviance(double x, double m)
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

AGNI_FN double agni_log_poisson(double k, double rate)
{
    return k == 0 ? -rate
                  : -agni_stirling_error(k) - agni_binomial_deviance(k, rate) -
                        0.5 * agni_plain_log(2 * AGNI_PI * k);
}

/* log(1 + x) for -1/2 <= x <= 0: the rounding of 1 + x comes back */
AGNI_FN double agni_log_one_plus(double x)
{
    double u = 1 + x;
    return agni_plain_log(u) + (x - (u - 1)) / u;
}

/* p <= 1/2 */
AGNI_FN double agni_log_binomial(double k, double n, double p)
{
    if (k == 0)
        return n * agni_log_one_plus(-p);
    if (k == n)
        return n * agni_plain_log(p);
    double m = n - k;
    return agni_stirling_error(n) - agni_stirling_error(k) - agni_stirling_error(m) -
           agni_binomial_deviance(k, n * p) - agni_binomial_deviance(m, n * (1 - p)) +
           0.5 * agni_plain_log(n / (2 * AGNI_PI * k * m));
}

/* Probabilities of one law that tries asked for, near its mean; negative: not yet. */
enum { AGNI_SEEN = 64 };
typedef struct agni_seen {
    double first, p[AGNI_SEEN];
} agni_seen;
AGNI_FN void agni_forget_seen(agni_seen *seen, double mean)
{
    seen->first = floor(mean) - AGNI_SEEN / 2;
    for (int i = 0; i < AGNI_SEEN; i++)
        seen->p[i] = -1;
}
/* where that of k stands; NULL: nowhere */
AGNI_FN double *agni_find_seen(agni_seen *seen, double k)
{
    double at = seen ? k - seen->first : -1;
    return at >= 0 && at < AGNI_SEEN ? &seen->p[(int)at] : (double *)0;
}

/* ---- Poisson --------------------------------------------------------------------------------- */

/* what a law needs of its parameters, kept while they stay the same */
typedef struct agni_poisson_constants {
    double rate, none, a, b, inverse, safe;
} agni_poisson_constants;

AGNI_FN agni_poisson_constants agni_prepare_poisson(double rate)
{
    agni_poisson_constants q = {rate, 0, 0, 0, 0, 0};
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

AGNI_FN double agni_poisson_probability(double k, const agni_poisson_constants *q, agni_seen *seen)
{
    double *at = agni_find_seen(seen, k);
    if (at && *at >= 0)
        return *at;
    double p = agni_plain_exp(agni_log_poisson(k, q->rate));
    if (at)
        *at = p;
    return p;
}

/* Below 10, the first k whose distribution function exceeds u; else PTRS of Hoermann 1993. seen: of
   this rate, or NULL; no number depends on it. */
AGNI_FN int64_t agni_draw_one_poisson(agni_philox_tries *t, const agni_poisson_constants *q,
                                      agni_seen *seen)
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
        if (v * q->inverse <= agni_poisson_probability(k, q, seen) * (q->a / (us * us) + q->b))
            return (int64_t)k;
    }
}

/* ---- binomial -------------------------------------------------------------------------------- */

typedef struct agni_binomial_constants {
    double n, p, none, odds; /* p <= 1/2 */
    double a, b, middle, alpha, safe, at_mode;
} agni_binomial_constants;

AGNI_FN agni_binomial_constants agni_prepare_binomial(double n, double p)
{
    agni_binomial_constants q = {n, p, 0, 0, 0, 0, 0, 0, 0, 0};
    if (n * p < 10) {
        q.none = agni_plain_exp(n * agni_log_one_plus(-p));
        q.odds = p / (1 - p);
        return q;
    }
    double spread = sqrt(n * p * (1 - p));
    q.b = 1.15 + 2.53 * spread;
    q.a = -0.0873 + 0.0248 * q.b + 0.01 * p;
    q.middle = n * p + 0.5;
    q.alpha = (2.83 + 5.1 / q.b) * spread;
    q.safe = 0.92 - 4.2 / q.b;
    q.at_mode = agni_log_binomial(floor((n + 1) * p), n, p);
    return q;
}

/* over that of the mode */
AGNI_FN double agni_binomial_ratio(double k, const agni_binomial_constants *q, agni_seen *seen)
{
    double *at = agni_find_seen(seen, k);
    if (at && *at >= 0)
        return *at;
    double p = agni_plain_exp(agni_log_binomial(k, q->n, q->p) - q->at_mode);
    if (at)
        *at = p;
    return p;
}

/* Few successes expected: the first k whose distribution function exceeds u; else BTRS of Hoermann
   1993, with probabilities relative to that of the mode. seen: of these n and p, or NULL; no number
   depends on it. */
AGNI_FN double agni_draw_one_binomial(agni_philox_tries *t, const agni_binomial_constants *q,
                                      agni_seen *seen)
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
        if (v * q->alpha <= agni_binomial_ratio(k, q, seen) * (q->a / (us * us) + q->b))
            return k;
    }
}

/* ---- gamma: Marsaglia & Tsang 2000 ------------------------------------------------------- */

/* log v of an accepted try, v = (1 + c z)^3; false if it is not */
AGNI_FN bool agni_gamma_accepts(double z, double u, double d, double c, double *v)
{
    double root = 1 + c * z;
    if (root <= 0)
        return false;
    *v = root * root * root;
    double z2 = z * z;
    return u < 1 - 0.0331 * z2 * z2 ||
           agni_plain_log(u) < 0.5 * z2 + d * (1 - *v + agni_plain_log(*v));
}

/* y or log y for a >= 1; below it y of a + 1 times u^(1 / a), u of block 1 of try 0 */
AGNI_FN double agni_draw_one_gamma(uint64_t key, uint64_t i, double a, double z, const uint32_t *w,
                                   bool log_form)
{
    double d = (a < 1 ? a + 1 : a) - 1.0 / 3, c = 1 / sqrt(9 * d), v;
    double u = agni_unit_of_words(w[2], w[3]);
    for (uint32_t t = 1; !agni_gamma_accepts(z, u, d, c, &v); t++) {
        agni_philox4 r = agni_philox_try(key, i, t, 0);
        z = agni_normal_at(agni_philox_to_f64(r.w[0], r.w[1]), 0x1p-54);
        u = agni_unit_of_words(r.w[2], r.w[3]);
    }
    double less = 0;
    if (a < 1) {
        agni_philox4 r = agni_philox_try(key, i, 0, 1);
        less = agni_plain_log(agni_unit_of_words(r.w[0], r.w[1])) / a;
    }
    return log_form ? agni_plain_log(d * v) + less : a < 1 ? d * v * agni_plain_exp(less) : d * v;
}

/* ---- normal numbers between bounds ------------------------------------------------------- */

AGNI_FN double agni_upper_tail(double x) /* 1 - the distribution function */
{
    return 0.5 * erfc(x * 0.70710678118654752440);
}

/* Inversion: the quantile of a uniform number between the values of the distribution function, each
   taken in the tail in which it is small. */
typedef struct agni_between {
    double a, b, below_a, above_b; /* bounds, and the probabilities outside */
} agni_between;
AGNI_FN double agni_draw_by_quantile(const agni_between *q, double u)
{
    double inside = 1 - q->below_a - q->above_b, p = q->below_a + u * inside;
    return p <= 0.5 ? agni_normal_quantile(p)
                    : -agni_normal_quantile(q->above_b + (1 - u) * inside);
}

/* a >= 1: rejection from the Rayleigh tail x exp(-x^2 / 2) between the bounds, accepted with
   probability a / x (Marsaglia 1964). Computed is x - a. */
AGNI_FN double agni_draw_by_tail_rejection(double a, double b, uint64_t key, uint64_t element,
                                     agni_philox4 r)
{
    double all = -expm1(-0.5 * (b - a) * (b + a));
    for (uint32_t t = 1;; t++) {
        double e = -2 * log1p(-agni_unit_of_words(r.w[0], r.w[1]) * all);
        double more = e / (a + hypot(a, sqrt(e))), x = a + more;
        if (agni_unit_of_words(r.w[2], r.w[3]) * x <= a)
            return x;
        r = agni_philox_try(key, element, t, 0);
    }
}

/* close bounds, where the quantile would lose digits: rejection from the uniform distribution,
   accepted with the density over its maximum */
AGNI_FN double agni_draw_by_uniform_rejection(double a, double b, uint64_t key, uint64_t element,
                                        agni_philox4 r)
{
    double top = a > 0 ? a : 0; /* b >= -a: where the density is largest */
    for (uint32_t t = 1;; t++) {
        double x = a + agni_unit_of_words(r.w[0], r.w[1]) * (b - a);
        if (agni_unit_of_words(r.w[2], r.w[3]) <= exp(-0.5 * (x - top) * (x + top)))
            return x;
        r = agni_philox_try(key, element, t, 0);
    }
}

/* between lo and hi; q: what the quantile needs of the bounds, kept while they stay the same */
AGNI_FN double agni_draw_one_truncated(uint64_t key, uint64_t i, double lo, double hi,
                                       agni_between *q)
{
    bool mirror = hi < -lo;
    double l = mirror ? -hi : lo, h = mirror ? -lo : hi, z;
    agni_philox4 r = agni_philox_block(key, i);
    if (l >= h)
        z = l;
    else if (l >= 1)
        z = agni_draw_by_tail_rejection(l, h, key, i, r);
    else if (h - l < 0x1p-10)
        z = agni_draw_by_uniform_rejection(l, h, key, i, r);
    else {
        if (l != q->a || h != q->b) {
            q->a = l, q->b = h;
            q->below_a = agni_upper_tail(-l), q->above_b = agni_upper_tail(h);
        }
        z = agni_draw_by_quantile(q, agni_unit_of_words(r.w[0], r.w[1]));
    }
    z = z < l ? l : z > h ? h : z;
    return mirror ? -z : z;
}

#endif
