/* tools/cases-random.c - what random ops should give for a key, by the definitions in the manual,
   on wide numbers: Philox4x32-10 and the laws on top of it. */
#include "cases.h"

#include <agnesi/infer.h>
#include <agnesi/laws.h>

#include <math.h>
#include <string.h>

static void philox(uint32_t c[4], uint64_t key, uint64_t counter, uint64_t above)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    c[0] = (uint32_t)counter, c[1] = (uint32_t)(counter >> 32);
    c[2] = (uint32_t)above, c[3] = (uint32_t)(above >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p = UINT64_C(0xD2511F53) * c[0], q = UINT64_C(0xCD9E8D57) * c[2];
        uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q,
                            (uint32_t)(p >> 32) ^ c[3] ^ k1, (uint32_t)p};
        memcpy(c, next, sizeof next);
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
}

static uint64_t subkey(uint64_t key, uint64_t counter, uint64_t above)
{
    uint32_t c[4];
    philox(c, key, counter, above);
    return c[0] | (uint64_t)c[1] << 32;
}

/* element i in [0, 1), as an integer times 2^-bits */
static uint64_t draw(const wide *key, int dtype, int64_t i)
{
    uint32_t c[4];
    int64_t words = dtype == AGN_F32 ? 1 : 2, per = 4 / words;
    philox(c, subkey((uint64_t)creall(key[0]), (uint64_t)creall(key[1]), 0),
           (uint64_t)(i / per), 0);
    const uint32_t *w = c + i % per * words;
    return dtype == AGN_F32 ? w[0] >> 8 : ((uint64_t)w[0] << 32 | w[1]) >> 11;
}

static void want_uniform(const op_case *c, int dtype, wide *const *x, wide *y)
{
    for (int64_t i = 0; i < c->out.size[0]; i++)
        y[i] = ldexpl((long double)draw(x[0], dtype, i), dtype == AGN_F32 ? -24 : -53);
}

/* the quantile at the middle of the cell, by Newton's method on the complementary error
   function */
static void want_normal(const op_case *c, int dtype, wide *const *x, wide *y)
{
    const long double root2 = sqrtl(2), root2pi = sqrtl(8 * atanl(1));
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double p = ldexpl((long double)draw(x[0], dtype, i) + 0.5L,
                               dtype == AGN_F32 ? -24 : -53);
        long double z = 0;
        for (int step = 0; step < 60; step++)
            z -= (erfcl(-z / root2) / 2 - p) * root2pi * expl(z * z / 2);
        y[i] = z;
    }
}

static void want_fold(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)c, (void)dtype;
    uint64_t key = subkey((uint64_t)creall(x[0][0]), (uint64_t)creall(x[0][1]), 0);
    y[0] = (long double)(int64_t)subkey(key, (uint64_t)creall(x[1][0]),
                                        UINT64_C(0xFFFFFFFF) << 32);
    y[1] = 0;
}

/* the middle of a cell of 52 or 23 bits: the last bit set, never 0 or 1 */
static void want_exponential(const op_case *c, int dtype, wide *const *x, wide *y)
{
    for (int64_t i = 0; i < c->out.size[0]; i++)
        y[i] = -logl(ldexpl((long double)(draw(x[0], dtype, i) | 1), dtype == AGN_F32 ? -24 : -53));
}

static void want_bits(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        uint32_t w[4];
        uint64_t n = (uint64_t)(c->ints[0] + i);
        philox(w, subkey((uint64_t)creall(x[0][0]), (uint64_t)creall(x[0][1]), 0), n / 2, 0);
        y[i] = (long double)(int64_t)((uint64_t)w[2 * (n % 2)] << 32 | w[2 * (n % 2) + 1]);
    }
}

/* ---- integers: words of try t of element i are those of the counter (i, t, block) -------- */

static void words_of(uint32_t w[4], const wide *key, int64_t i, uint32_t t, uint32_t block)
{
    philox(w, subkey((uint64_t)creall(key[0]), (uint64_t)creall(key[1]), 0), (uint64_t)i,
           (uint64_t)block << 32 | t);
}

static long double open_unit(const uint32_t *w)
{
    return ldexpl((long double)(((uint64_t)w[0] << 32 | w[1]) >> 11 | 1), -53);
}

/* x n / 2^64 for the first x that Lemire's method takes; n < 2^32 */
static uint64_t below(const wide *key, int64_t i, uint64_t n)
{
    for (uint32_t t = 0;; t++) {
        uint32_t w[4];
        words_of(w, key, i, t, 0);
        uint64_t x = (uint64_t)w[0] << 32 | w[1];
        uint64_t high = w[0] * n + ((uint64_t)w[1] * n >> 32);
        if (x * n >= -n % n)
            return high >> 32;
    }
}

enum { RANGE = 5 };

static void want_integers(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++)
        y[i] = creall(x[1][i]) + (long double)below(x[0], i, RANGE);
}

/* the op on x and a bound above it */
static agn_status with_bound(agn_tensor **out, const op_case *c, const agn_tensor *const *x,
                             double above)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    const agn_tensor *high = ag_add_c(s, x[1], above);
    agn_status st = agn_scope_status(s);
    if (!st)
        st = agn_op_apply(&y, 1, c->op, (const agn_tensor *[]){x[0], x[1], high}, 3, c->ints,
                          c->n_int, NULL, 0);
    agn_scope_return(s, out, agn_scope_adopt(s, st, &y));
    return agn_scope_close(s);
}
static agn_status run_integers(agn_tensor **out, const op_case *c, int dtype,
                               const agn_tensor *const *x)
{
    (void)dtype;
    return with_bound(out, c, x, RANGE);
}

static void want_bernoulli(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++)
        y[i] = ldexpl((long double)draw(x[0], AGN_F64, i), -53) < creall(x[1][i]);
}

/* the first number whose distribution function exceeds u */
static void want_poisson(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        uint32_t w[4];
        words_of(w, x[0], i, 0, 0);
        long double u = open_unit(w), rate = creall(x[1][i]), p = expl(-rate), k = 0;
        for (; (u -= p) > 0; p *= rate / k)
            k++;
        y[i] = k;
    }
}
static void want_binomial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        uint32_t w[4];
        words_of(w, x[0], i, 0, 0);
        long double n = creall(x[1][0]), p = creall(x[2][i]), k = 0;
        long double u = open_unit(w), q = p > 0.5L ? 1 - p : p, f = powl(1 - q, n);
        for (; (u -= f) > 0 && k < n; f *= (n - k + 1) / k * q / (1 - q))
            k++;
        y[i] = p > 0.5L ? n - k : k;
    }
}

/* ---- gamma numbers, and how they move with the concentration -------------------------------- */

static long double normal_of(uint64_t bits)
{
    long double p = ldexpl((long double)bits + 0.5L, -53), z = 0;
    for (int step = 0; step < 60; step++)
        z -= (erfcl(-z / sqrtl(2)) / 2 - p) * sqrtl(8 * atanl(1)) * expl(z * z / 2);
    return z;
}

static void want_gamma(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double a = creall(x[1][i]), d = (a < 1 ? a + 1 : a) - 1.0L / 3, v = -1, z = 0, u;
        uint32_t w[4], t = 0;
        do {
            words_of(w, x[0], i, t++, 0);
            z = normal_of(((uint64_t)w[0] << 32 | w[1]) >> 11);
            u = open_unit(w + 2);
            v = powl(1 + z / sqrtl(9 * d), 3);
        } while (!(v > 0 && (u < 1 - 0.0331L * z * z * z * z ||
                             logl(u) < z * z / 2 + d - d * v + d * logl(v))));
        words_of(w, x[0], i, 0, 1);
        y[i] = d * v * (a < 1 ? powl(open_unit(w), 1 / a) : 1);
    }
}

static long double digamma(long double x)
{
    long double shift = 0;
    for (; x < 30; x++)
        shift -= 1 / x;
    long double r = 1 / (x * x);
    return shift + logl(x) - 0.5L / x -
           r * (1.0L / 12 - r * (1.0L / 120 - r * (1.0L / 252 - r * (1.0L / 240 - r / 132))));
}

/* -int_0^inf (t + s - psi(a)) exp(a s - e^t (e^s - 1)) ds, by the double exponential rule */
static void want_slope(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double a = creall(x[0][i]), t = creall(x[1][i]), sum = 0, h = 1.0L / 64;
        for (int k = -256; k <= 256; k++) {
            long double s = expl(2 * atanl(1) * sinhl(k * h));
            long double f = a * s - expl(t) * expm1l(s);
            if (f > -11000)
                sum -= (t + s - digamma(a)) * expl(f) * s * 2 * atanl(1) * coshl(k * h) * h;
        }
        y[i] = sum;
    }
}

static void want_first(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    memcpy(y, x[0], (size_t)shape_count(&c->out) * sizeof *y);
}

/* ---- between bounds ---------------------------------------------------------------------------- */

static agn_status run_truncated(agn_tensor **out, const op_case *c, int dtype,
                                const agn_tensor *const *x)
{
    (void)dtype;
    return with_bound(out, c, x, 1.5);
}

/* where the nearer bound is within 1 of the middle: the quantile between the two, from the side
   of the longer tail */
static void want_truncated(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    const long double r = sqrtl(2);
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        uint32_t w[4];
        words_of(w, x[0], i, 0, 0);
        long double lo = creall(x[1][i]), hi = lo + 1.5L, z = 0;
        bool mirror = hi < -lo;
        long double a = mirror ? -hi : lo, b = mirror ? -lo : hi;
        long double pa = erfcl(-a / r) / 2, p = pa + open_unit(w) * (erfcl(-b / r) / 2 - pa);
        for (int step = 0; step < 60; step++)
            z -= (erfcl(-z / r) / 2 - p) * sqrtl(8 * atanl(1)) * expl(z * z / 2);
        y[i] = mirror ? -z : z;
    }
}

/* ---- order and choice ----------------------------------------------------------------------------- */

static void want_permutation(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        uint64_t j = below(x[0], i, (uint64_t)i + 1);
        y[i] = y[j];
        y[j] = i;
    }
}

static void want_multinomial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    long double whole = 0;
    for (int64_t k = 0; k < c->in[1].size[0]; k++)
        whole += creall(x[1][k]);
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double aim = ldexpl((long double)draw(x[0], AGN_F64, i), -53) * whole;
        int64_t k = 0;
        while ((aim -= creall(x[1][k])) >= 0)
            k++;
        y[i] = k;
    }
}

/* ---- sequences ------------------------------------------------------------------------------------- */

/* three dimensions: m = 1, 1, ...; x + 1 from 1; x^2 + x + 1 from 1, 3 */
static void want_sobol(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype, (void)x;
    uint64_t m[3][16] = {{1, 1}, {1, 3}, {1, 3}};
    for (int b = 2; b < 16; b++) {
        m[0][b] = 1;
        m[1][b] = 2 * m[1][b - 1] ^ m[1][b - 1];
        m[2][b] = 2 * m[2][b - 1] ^ 4 * m[2][b - 2] ^ m[2][b - 2];
    }
    for (int64_t i = 0; i < c->out.size[0]; i++)
        for (int64_t j = 0; j < c->out.size[1]; j++) {
            uint64_t n = (uint64_t)(c->ints[1] + i), sum = 0;
            for (int b = 0; b < 16; b++)
                if ((n ^ n >> 1) >> b & 1)
                    sum ^= m[j][b] << (15 - b);
            y[i * c->out.size[1] + j] = ldexpl((long double)sum, -16);
        }
}

static void want_halton(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype, (void)x;
    static const int64_t prime[] = {2, 3, 5};
    for (int64_t i = 0; i < c->out.size[0]; i++)
        for (int64_t j = 0; j < c->out.size[1]; j++) {
            long double place = 1, sum = 0;
            for (int64_t n = c->ints[1] + i; n; n /= prime[j])
                sum += (long double)(n % prime[j]) * (place /= (long double)prime[j]);
            y[i * c->out.size[1] + j] = sum;
        }
}

/* ---- derivatives in parameters: integrals by the double exponential rule, over s = -log of the argument --- */

enum { RULE_STEPS = 400 };
/* nodes s of (0, inf) and their weights */
static long double rule_node(int k, long double *weight)
{
    long double u = -5 + 10 * (long double)k / RULE_STEPS, s = expl(1.5707963267948966192L * sinhl(u));
    *weight = s * 1.5707963267948966192L * coshl(u) * 10 / RULE_STEPS;
    return s;
}
static void want_gamma_partial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double a = creall(x[0][i]), top = creall(x[1][i]), sum = 0, w;
        for (int k = 0; k <= RULE_STEPS; k++) {
            long double t = logl(top) - rule_node(k, &w);
            if (w < 1e4L && a * t > -11000)
                sum += w * (t - digamma(a)) * expl(a * t - expl(t));
        }
        y[i] = sum / tgammal(a);
    }
}
static void want_beta_partial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double a = creall(x[0][i]), b = creall(x[1][i]), top = creall(x[2][i]), sum = 0, w;
        for (int k = 0; k <= RULE_STEPS; k++) {
            long double t = logl(top) - rule_node(k, &w);
            if (w < 1e4L && a * t > -11000)
                sum += w * (t - digamma(a) + digamma(a + b)) * expl(a * t + (b - 1) * log1pl(-expl(t)));
        }
        y[i] = sum * tgammal(a + b) / (tgammal(a) * tgammal(b));
    }
}
/* the sum to q + k >= 4000, then two terms of Euler-Maclaurin */
static void want_zeta_partial(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    for (int64_t i = 0; i < c->out.size[0]; i++) {
        long double s = creall(x[0][i]), q = creall(x[1][i]), sum = 0;
        for (; q < 4000; q++)
            sum -= logl(q) * powl(q, -s);
        long double p = powl(q, -s), L = logl(q);
        sum -= p * q * (L / (s - 1) + 1 / ((s - 1) * (s - 1))) + L * p / 2;
        y[i] = sum + p * (1 - s * L) / (12 * q);
    }
}

/* ---- the cases --------------------------------------------------------------------------------------- */

/* ---- log densities: the op has as many results as slopes are asked for ---------------------------- */

static agn_status normal_numbers(void *user, agn_scope *s, agn_model_trace *t)
{
    const agn_distribution *law = ag_distribution_normal(s, ag_lit(s, 0.25), ag_lit(s, 2), NULL);
    (void)agn_model_parameter(s, t, "x", law, 1, user);
    return agn_scope_status(s);
}
static agn_status run_density(agn_tensor **out, const op_case *c, int dtype, const agn_tensor *const *x)
{
    agn_model *m = NULL;
    agn_fn *f = NULL;
    const agn_tensor *y = NULL;
    int64_t n = c->in[0].size[0];
    (void)dtype;
    agn_status st = agn_model_new(&m, normal_numbers, &n, NULL);
    st = st ? st : agn_model_log_density(&f, m);
    agn_scope *s = agn_scope_open(NULL);
    if (!agn_scope_fail(s, st))
        (void)agn_fn_apply(s, &y, 1, f, x, 1);
    agn_scope_return(s, out, y);
    agn_fn_release(f);
    agn_model_release(m);
    return agn_scope_close(s);
}
static void want_density(const op_case *c, int dtype, wide *const *x, wide *y)
{
    (void)dtype;
    y[0] = 0;
    for (int64_t i = 0; i < c->in[0].size[0]; i++) {
        long double z = (creall(x[0][i]) - 0.25L) / 2;
        y[0] -= z * z / 2 + logl(2) + logl(8 * atanl(1)) / 2;
    }
}

#define KEY {1, {2}}
#define NINE {1, {9}}
#define FILL(name, want_) \
    {name, 1, "K", {KEY}, NINE, 2, {0, 9}, .want = want_, .dtype_first = true}
const op_case cases_random[] = {
    FILL("uniform", want_uniform),
    FILL("normal", want_normal),
    FILL("exponential", want_exponential),
    {"random_bits", 1, "K", {KEY}, NINE, 2, {(int64_t)1 << 33 | 1, 9}, .want = want_bits},
    {"key_fold", 2, "KN", {KEY, {0, {0}}}, KEY, .want = want_fold},
    {"random_integers", 2, "KD", {KEY, NINE}, NINE, 2, {AGN_I64, 9}, .want = want_integers,
     .run = run_integers},
    {"random_bernoulli", 2, "KD", {KEY, NINE}, NINE, 1, {9}, .want = want_bernoulli},
    {"random_poisson", 2, "KD", {KEY, NINE}, NINE, 2, {AGN_I64, 9}, .want = want_poisson},
    {"random_binomial", 3, "KID", {KEY, {0, {0}}, NINE}, NINE, 2, {AGN_I64, 9}, {7},
     .want = want_binomial},
    {"random_gamma", 2, "KD", {KEY, NINE}, NINE, 2, {0, 9}, .want = want_gamma},
    {"log_density", 1, "D", {NINE}, {0, {0}}, 2, {0, 1}, .want = want_density, .run = run_density, .run_diff = 1,
     .inner = true},
    {"gamma_slope", 2, "DD", {NINE, NINE}, NINE, 1, {1}, .want = want_slope},
    {"gamma_partial", 2, "DD", {NINE, NINE}, NINE, 2, {1, 0}, .want = want_gamma_partial},
    {"beta_partial", 3, "DDD", {NINE, NINE, NINE}, NINE, 3, {1, 0, 0}, .want = want_beta_partial},
    {"zeta_partial", 2, "DD", {NINE, NINE}, NINE, 1, {1}, .want = want_zeta_partial},
    {"gamma_path", 2, "DD", {NINE, NINE}, NINE, 1, {0}, .want = want_first, .path = true},
    {"random_truncated", 2, "KD", {KEY, NINE}, NINE, 1, {9}, .want = want_truncated,
     .run = run_truncated},
    {"truncated_path", 3, "DDD", {NINE, NINE, NINE}, NINE, .want = want_first, .path = true},
    {"random_permutation", 1, "K", {KEY}, NINE, 1, {9}, .want = want_permutation},
    {"random_multinomial", 2, "KD", {KEY, {1, {5}}}, NINE, 3, {9, 1, 0}, .want = want_multinomial},
    {"sobol", 1, "K", {KEY}, {2, {4, 3}}, 5, {0, 5, 0, 4, 3}, .want = want_sobol,
     .dtype_first = true},
    {"halton", 1, "K", {KEY}, {2, {4, 3}}, 5, {0, 5, 0, 4, 3}, .want = want_halton,
     .dtype_first = true},
    {.op = NULL},
};
