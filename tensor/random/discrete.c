/* tensor/random/discrete.c - random integers: uniform in a range, Bernoulli, Poisson, binomial.

   Try 0 of element i takes the words of Philox block i, try t those of the counter (i, t, 0). */
#include "tensor/random/sampler.h"

#include "tensor/cpu/special/portable_exp.h"
#include "tensor/cpu/special/special.h"
#include <math.h>

typedef struct tries {
    uint64_t key, element;
    uint32_t next; /* number of the next try */
    const uint32_t *w;
    agni_philox4 r;
} tries;

static void next_try(tries *t)
{
    t->r = agni_philox_try(t->key, t->element, t->next++, 0);
    t->w = t->r.w;
}
/* u in (0, 1), the middle of a cell, of words 2 k and 2 k + 1 */
static double open_unit(const tries *t, int k)
{
    return agni_philox_to_f64(t->w[2 * k], t->w[2 * k + 1] | 1u << 11);
}
static tries first_try(const agni_sample *b, const uint32_t *w, int j)
{
    return (tries){.key = b->key, .element = (uint64_t)(b->first + j), .next = 1, .w = w + 4 * j};
}

/* ---- integers of a range ------------------------------------------------------------------- */

/* high half of a 64 x 64 bit product; *low its low half */
static uint64_t wide_product(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t p = a0 * b0, q = a1 * b0 + (p >> 32), r = a0 * b1 + (uint32_t)q;
    *low = a * b;
    return a1 * b1 + (q >> 32) + (r >> 32);
}

/* Lemire 2019: x n / 2^64 for 64 random bits x, which is fair once x with x n mod 2^64 below
   2^64 mod n are left out. */
static uint64_t below(tries *t, uint64_t n)
{
    uint64_t low, y = wide_product((uint64_t)t->w[0] << 32 | t->w[1], n, &low);
    if (low < n)
        for (uint64_t least = (0 - n) % n; low < least;) {
            next_try(t);
            y = wide_product((uint64_t)t->w[0] << 32 | t->w[1], n, &low);
        }
    return y;
}

uint64_t agni_sample_below(uint64_t key, uint64_t element, const uint32_t w[4], uint64_t n)
{
    tries t = {.key = key, .element = element, .next = 1, .w = w};
    return below(&t, n);
}

static void draw_integers(const agni_sample *b, agni_sample_run *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    agni_sample_words(b, w);
    for (int j = 0; j < b->n; j++) {
        tries t = first_try(b, w, j);
        uint64_t lo = (uint64_t)b->p[0].i[j], n = (uint64_t)b->p[1].i[j] - lo;
        y->i[j] = (int64_t)(lo + below(&t, n));
    }
}

static agn_status check_integers(const agni_sample *b)
{
    int dtype = b->call->out[0].dtype, bits = 8 * (int)agni_dtypes[dtype].bytes;
    int64_t half = bits < 64 ? (int64_t)1 << (bits - 1) : INT64_MAX;
    int64_t least = dtype == AGN_U8 ? 0 : bits < 64 ? -half : INT64_MIN;
    int64_t most = dtype == AGN_U8 ? 2 * half : half; /* of high, which is left out */
    for (int j = 0; j < b->n; j++) {
        int64_t lo = b->p[0].i[j], hi = b->p[1].i[j];
        char need[64];
        if (lo < least || lo >= most)
            return agni_sample_fault(b, j, 0, "low", "a number of the dtype");
        if (lo < hi && hi <= most)
            continue;
        agni_format(need, sizeof need, hi > most ? "at most %lld" : "more than low, %lld,",
                    (long long)(hi > most ? most : lo));
        return agni_sample_fault(b, j, 1, "high", need);
    }
    return AGN_OK;
}

/* ---- Bernoulli -------------------------------------------------------------------------------- */

/* the 53-bit uniform number of the element, whatever the dtype of p, is below p */
static void draw_bernoulli(const agni_sample *b, agni_sample_run *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    double u[AGNI_SAMPLE_ROOM];
    b->fast->blocks(w, b->key, (uint64_t)b->first / 2, (b->n + 1) / 2);
    b->fast->unit53(u, w, b->n);
    for (int j = 0; j < b->n; j++)
        y->i[j] = u[j] < b->p[0].f[j];
}

static agn_status check_p(const agni_sample *b, int k)
{
    for (int j = 0; j < b->n; j++)
        if (!(b->p[k].f[j] >= 0 && b->p[k].f[j] <= 1))
            return agni_sample_fault(b, j, k, "p", "a number from 0 to 1");
    return AGN_OK;
}
static agn_status check_bernoulli(const agni_sample *b)
{
    return check_p(b, 0);
}

/* ---- probabilities without cancellation (Loader 2000) ------------------------------------------- */

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
static double deviance(double x, double m)
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
                  : -stirling_error(k) - deviance(k, rate) - 0.5 * agni_plain_log(2 * AGNI_PI * k);
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
    return stirling_error(n) - stirling_error(k) - stirling_error(m) - deviance(k, n * p) -
           deviance(m, n * (1 - p)) + 0.5 * agni_plain_log(n / (2 * AGNI_PI * k * m));
}

/* ---- Poisson ------------------------------------------------------------------------------------ */

/* what a law needs of its parameters, kept while they stay the same */
typedef struct poisson_law {
    double rate, none, a, b, inverse, safe;
} poisson_law;

static poisson_law poisson_of(double rate)
{
    poisson_law q = {.rate = rate};
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
static int64_t poisson(tries *t, const poisson_law *q)
{
    if (q->rate < 10) {
        double u = open_unit(t, 0), p = q->none, sum = p;
        int64_t k = 0;
        while (u > sum && p > 0x1p-1000) {
            p *= q->rate / (double)++k;
            sum += p;
        }
        return k;
    }
    for (;; next_try(t)) {
        double u = open_unit(t, 0) - 0.5, v = open_unit(t, 1), us = 0.5 - fabs(u);
        double k = floor((2 * q->a / us + q->b) * u + q->rate + 0.43);
        if (us >= 0.07 && v <= q->safe)
            return (int64_t)k;
        if (!(k >= 0 && k < 0x1p63) || (us < 0.013 && v > us))
            continue;
        if (agni_plain_log(v * q->inverse / (q->a / (us * us) + q->b)) <= log_poisson(k, q->rate))
            return (int64_t)k;
    }
}

static void draw_poisson(const agni_sample *b, agni_sample_run *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    poisson_law q = {.rate = -1};
    agni_sample_words(b, w);
    for (int j = 0; j < b->n; j++) {
        tries t = first_try(b, w, j);
        if (b->p[0].f[j] != q.rate)
            q = poisson_of(b->p[0].f[j]);
        y->i[j] = poisson(&t, &q);
    }
}

/* large rates leave room for what lies above them */
static agn_status check_poisson(const agni_sample *b)
{
    bool narrow = b->call->out[0].dtype == AGN_I32;
    for (int j = 0; j < b->n; j++)
        if (!(b->p[0].f[j] >= 0 && b->p[0].f[j] <= (narrow ? 0x1p30 : 0x1p62)))
            return agni_sample_fault(b, j, 0, "rate",
                                     narrow ? "a number from 0 to 2^30" : "a number from 0 to 2^62");
    return AGN_OK;
}

/* ---- binomial ----------------------------------------------------------------------------------- */

typedef struct binomial_law {
    double n, p, none, odds; /* p <= 1/2 */
    double a, b, middle, alpha, safe, at_mode;
} binomial_law;

static binomial_law binomial_of(double n, double p)
{
    binomial_law q = {.n = n, .p = p};
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
static double binomial(tries *t, const binomial_law *q)
{
    if (q->n * q->p < 10) {
        double u = open_unit(t, 0), k = 0, f = q->none, sum = f;
        while (u > sum && k < q->n && f > 0x1p-1000) {
            f *= (q->n - k) / (k + 1) * q->odds;
            sum += f;
            k++;
        }
        return k;
    }
    for (;; next_try(t)) {
        double u = open_unit(t, 0) - 0.5, v = open_unit(t, 1), us = 0.5 - fabs(u);
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

static void draw_binomial(const agni_sample *b, agni_sample_run *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM];
    binomial_law q = {.n = -1};
    agni_sample_words(b, w);
    for (int j = 0; j < b->n; j++) {
        tries t = first_try(b, w, j);
        int64_t n = b->p[0].i[j];
        double p = b->p[1].f[j], less = p > 0.5 ? 1 - p : p;
        if ((double)n != q.n || less != q.p)
            q = binomial_of((double)n, less);
        int64_t k = (int64_t)binomial(&t, &q);
        k = k > n ? n : k;
        y->i[j] = p > 0.5 ? n - k : k;
    }
}

static agn_status check_binomial(const agni_sample *b)
{
    bool narrow = b->call->out[0].dtype == AGN_I32;
    for (int j = 0; j < b->n; j++)
        if (b->p[0].i[j] < 0 || b->p[0].i[j] > (narrow ? INT32_MAX : (int64_t)1 << 62))
            return agni_sample_fault(b, j, 0, "n", narrow ? "a number from 0 to 2^31 - 1"
                                                          : "a number from 0 to 2^62");
    return check_p(b, 1);
}

/* ---- rows --------------------------------------------------------------------------------------- */

static agn_status infer_integers(agni_call *c)
{
    int64_t dtype = c->at->i[0];
    if (agni_kind((int)dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: dtype is %s, an integer dtype is needed", c->op->name,
                         agni_dtypes[dtype].name);
    return agni_infer_sample(c, (int)dtype, 1);
}
static agn_status infer_bernoulli(agni_call *c)
{
    return agni_infer_sample(c, AGN_BOOL, 0);
}
static agn_status infer_binomial(agni_call *c)
{
    if (c->in[1]->dtype != AGN_I64)
        return agni_fail(AGN_EDTYPE, "random_binomial: n is %s, i64 is needed",
                         agni_dtypes[c->in[1]->dtype].name);
    return agni_infer_count(c);
}

#define LAW(law, takes_, params, types, which, infer_, lo_, hi_, text) \
    static agn_status cpu_##law(const agn_kernel_call *c) \
    { \
        return agni_sample_all(c, draw_##law, check_##law); \
    } \
    static agni_slots slots_##law; \
    const agni_op agni_op_random_##law = {.name = "random_" #law, \
                                          .takes = "key " takes_ " shape:i*", \
                                          .cls = AGNI_RANDOM, \
                                          .nin = 1 + (params), \
                                          .nout = 1, \
                                          .dtypes = types, \
                                          .promote = which, \
                                          .ew = -1, \
                                          .infer = infer_, \
                                          .cpu = cpu_##law, \
                                          .contiguous = true, \
                                          .batch = agni_batch_sample, \
                                          .slots = &slots_##law, \
                                          .lo = lo_, \
                                          .hi = hi_, \
                                          .doc = text};
LAW(integers, "low high dtype:d", 2, AGNI_BIT(I64), 6, infer_integers, -3, 3, "random integers of a range")
LAW(bernoulli, "p", 1, AGNI_FLOATS, 2, infer_bernoulli, 0, 1, "true with a probability")
LAW(poisson, "rate dtype:d", 1, AGNI_FLOATS, 2, agni_infer_count, 0.1, 6, "Poisson random numbers")
LAW(binomial, "n p dtype:d", 2, AGNI_FLOATS, 4, infer_binomial, 0.02, 0.98, "binomial random numbers")

/* ---- public functions --------------------------------------------------------------------------- */

agn_status agn_random_integers(agn_tensor **out, const agn_tensor *key, const agn_tensor *low,
                               const agn_tensor *high, agn_dtype dtype, int32_t ndim,
                               const int64_t *shape)
{
    return agni_sample_public(out, &agni_op_random_integers, key, 2,
                              (const agn_tensor *[]){low, high}, 1, &(int64_t){dtype}, ndim, shape);
}

agn_status agn_random_bernoulli(agn_tensor **out, const agn_tensor *key, const agn_tensor *p,
                                int32_t ndim, const int64_t *shape)
{
    return agni_sample_public(out, &agni_op_random_bernoulli, key, 1, &p, 0, NULL, ndim, shape);
}

agn_status agn_random_poisson(agn_tensor **out, const agn_tensor *key, const agn_tensor *rate,
                              agn_dtype dtype, int32_t ndim, const int64_t *shape)
{
    return agni_sample_public(out, &agni_op_random_poisson, key, 1, &rate, 1, &(int64_t){dtype},
                              ndim, shape);
}

agn_status agn_random_binomial(agn_tensor **out, const agn_tensor *key, const agn_tensor *n,
                               const agn_tensor *p, agn_dtype dtype, int32_t ndim,
                               const int64_t *shape)
{
    agn_tensor *whole = NULL;
    agn_status st = AGN_OK;
    if (n && agni_kind(n->dtype) <= AGNI_KIND_INT && n->dtype != AGN_I64)
        st = agn_cast(&whole, n, AGN_I64);
    if (!st)
        st = agni_sample_public(out, &agni_op_random_binomial, key, 2,
                                (const agn_tensor *[]){whole ? whole : n, p}, 1,
                                &(int64_t){dtype}, ndim, shape);
    agn_release(whole);
    return st;
}
