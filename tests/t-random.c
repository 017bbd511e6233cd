/* tests/t-random.c - the streams of random numbers against a second Philox, and against the
   laws they claim to follow. */
#include "laws.h"

/* ---- Philox4x32-10, written again from Salmon et al. 2011 -------------------------------- */

static void philox(const uint32_t ctr[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4], k[2];
    memcpy(c, ctr, sizeof c);
    memcpy(k, key, sizeof k);
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)c[0] * 0xD2511F53u, b = (uint64_t)c[2] * 0xCD9E8D57u;
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b,
                            (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    memcpy(out, c, sizeof c);
}
static uint64_t words01(uint64_t key, uint64_t n, uint32_t c3, uint32_t out[4])
{
    uint32_t ctr[4] = {(uint32_t)n, (uint32_t)(n >> 32), 0, c3};
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    philox(ctr, k, out);
    return (uint64_t)out[1] << 32 | out[0];
}
static uint64_t subkey(uint64_t seed, uint64_t stream)
{
    uint32_t w[4];
    return words01(seed, stream, 0, w);
}
/* the integer of element i under a sub-key: 24 or 53 bits */
static uint64_t bits32(uint64_t key, uint64_t i)
{
    uint32_t w[4];
    words01(key, i / 4, 0, w);
    return w[i % 4] >> 8;
}
static uint64_t bits64(uint64_t key, uint64_t i)
{
    uint32_t w[4];
    words01(key, i / 2, 0, w);
    return ((uint64_t)w[2 * (i % 2)] << 32 | w[2 * (i % 2) + 1]) >> 11;
}

static agn_tensor *key_of(uint64_t seed, uint64_t stream)
{
    agn_tensor *k = NULL;
    int64_t pair[2] = {(int64_t)seed, (int64_t)stream};
    must(agn_from_host(&k, AGN_I64, 1, (int64_t[]){2}, pair));
    return k;
}

static void test_streams(void)
{
    tally t = {0};
    static const struct {
        uint32_t ctr[4], key[2], out[4];
    } known[] = {/* Random123's kat_vectors */
                 {{0}, {0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{~0u, ~0u, ~0u, ~0u},
                  {~0u, ~0u},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (int k = 0; k < COUNT(known); k++) {
        uint32_t out[4];
        philox(known[k].ctr, known[k].key, out);
        check(&t, !memcmp(out, known[k].out, sizeof out), "known answer %d", k);
    }
    tell(&t, "the test's own Philox gives the published answers");
    t = (tally){0};
    static const uint64_t seeds[] = {0, 1, 42, UINT64_MAX, 0x123456789abcdef0u};
    for (int s = 0; s < COUNT(seeds); s++)
        for (uint64_t stream = 0; stream < 3; stream++) {
            agn_tensor *key = key_of(seeds[s], stream), *f = NULL, *d = NULL;
            uint64_t sub = subkey(seeds[s], stream);
            int64_t shape[2] = {13, 1 + 77 * (int64_t)stream};
            must(agn_uniform(&f, key, AGN_F32, 2, shape));
            must(agn_uniform(&d, key, AGN_F64, 2, shape));
            bool good = has_shape(f, 2, shape) && has_shape(d, 2, shape);
            for (int64_t i = 0; good && i < agn_numel(f); i++)
                good = peek(f, i) == ldexp((double)bits32(sub, (uint64_t)i), -24) &&
                       peek(d, i) == ldexp((double)bits64(sub, (uint64_t)i), -53);
            check(&t, good, "seed %" PRIu64 ", stream %" PRIu64, seeds[s], stream);
            agn_release(key), agn_release(f), agn_release(d);
        }
    tell(&t, "uniform f32 and f64 are the integers that the design fixes");

    t = (tally){0};
    static const int64_t counts[] = {0, 1, 2, 3, 4, 5, 8191, 8192, 8193, 100001};
    agn_tensor *key = key_of(7, 3), *all = NULL;
    for (int d = AGN_F32; d <= AGN_F64; d++) {
        must(agn_normal(&all, key, d, 1, (int64_t[]){200000}));
        for (int k = 0; k < COUNT(counts); k++) {
            agn_tensor *some = NULL;
            must(agn_normal(&some, key, d, 1, &counts[k]));
            check(&t,
                  agn_numel(some) == counts[k] &&
                      !memcmp(agn_data(some), agn_data(all),
                              (size_t)counts[k] * agn_dtype_size(d)),
                  "%" PRId64 " of %s", counts[k], agn_dtype_name(d));
            agn_release(some);
        }
        uint64_t h = hash_of(all);
        for (int threads = 1; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
            agn_tensor *again = NULL;
            must(agn_threads_set(threads));
            must(agn_normal(&again, key, d, 1, (int64_t[]){200000}));
            check(&t, hash_of(again) == h, "%d threads", threads);
            agn_release(again);
        }
        must(agn_threads_set(0));
        agn_release(all);
    }
    tell(&t,
         "an element depends on its number alone: any length, any number of threads");

    /* leading axes of a key are lanes */
    int64_t three[6] = {7, 3, 7, 4, -1, 0};
    agn_tensor *keys = NULL, *y = NULL, *one = NULL;
    must(agn_from_host(&keys, AGN_I64, 2, (int64_t[]){3, 2}, three));
    must(agn_uniform(&y, keys, AGN_F64, 1, (int64_t[]){10000}));
    bool good = has_shape(y, 2, (int64_t[]){3, 10000});
    for (int l = 0; l < 3; l++) {
        agn_tensor *k = key_of((uint64_t)three[2 * l], (uint64_t)three[2 * l + 1]);
        must(agn_uniform(&one, k, AGN_F64, 1, (int64_t[]){10000}));
        good = good &&
               !memcmp(agn_data(one), (const double *)agn_data(y) + 10000 * l, 80000);
        agn_release(one), agn_release(k);
    }
    ok(good, "leading axes of a key are lanes, each with its own numbers");
    agn_release(keys), agn_release(y), agn_release(key);

    agn_generator *g = NULL;
    must(agn_generator_new(&g, 99));
    t = (tally){0};
    for (int i = 0; i < 3; i++) {
        must(agn_key(&key, g));
        check(&t,
              peek_int(key, 0) == 99 && peek_int(key, 1) == i &&
                  has_shape(key, 1, (int64_t[]){2}),
              "key %d", i);
        agn_release(key);
    }
    tell(&t, "a generator gives the keys (seed, 0), (seed, 1), ...");
    agn_generator_release(g);
}

static void test_fold(void)
{
    tally t = {0};
    agn_tensor *key = key_of(5, 9), *y = NULL;
    int64_t n[6] = {0, 1, 2, -1, INT64_MAX, INT64_MIN};
    agn_tensor *many = NULL;
    must(agn_from_host(&many, AGN_I64, 1, (int64_t[]){6}, n));
    must(agn_key_fold(&y, key, many));
    check(&t, has_shape(y, 2, (int64_t[]){6, 2}), "shape %s", SHAPE_TEXT(y));
    for (int i = 0; i < 6; i++) {
        uint32_t w[4];
        uint64_t want = words01(subkey(5, 9), (uint64_t)n[i], 0xFFFFFFFFu, w);
        check(&t, (uint64_t)peek_int(y, 2 * i) == want && peek_int(y, 2 * i + 1) == 0,
              "fold %d", i);
        for (int j = 0; j < i; j++)
            check(&t, peek_int(y, 2 * i) != peek_int(y, 2 * j),
                  "folds %d and %d are equal", i, j);
        agn_tensor *k = NULL, *one = scalar_of(AGN_I64, 0);
        void *p = NULL;
        must(agn_data_mut(&p, one));
        memcpy(p, &n[i], 8);
        must(agn_key_fold(&k, key, one));
        check(&t,
              has_shape(k, 1, (int64_t[]){2}) && peek_int(k, 0) == peek_int(y, 2 * i),
              "0-D");
        agn_release(k), agn_release(one);
    }
    agn_release(y), agn_release(many);
    tell(&t, "key_fold: Philox of the number in a block no sampler reaches");
    /* streams of folded keys are uncorrelated with each other and with their parent's */
    enum { LANES = 16, N = 20000 };
    int64_t lane[LANES];
    for (int i = 0; i < LANES; i++)
        lane[i] = i;
    must(agn_from_host(&many, AGN_I64, 1, (int64_t[]){LANES}, lane));
    agn_tensor *keys = NULL, *u = NULL, *v = NULL;
    must(agn_key_fold(&keys, key, many));
    must(agn_normal(&u, keys, AGN_F64, 1, (int64_t[]){N}));
    must(agn_normal(&v, key, AGN_F64, 1, (int64_t[]){N}));
    double worst = 0;
    const double *a = agn_data(u), *p = agn_data(v);
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * (i == j ? p[k] : a[j * N + k]);
            worst = fmax(worst, fabs(sum) / sqrt(N));
        }
    diag("largest correlation of 136 pairs of folded streams: %.2f standard errors",
         worst);
    ok(worst < 4.5, "folded keys give independent streams");
    agn_release(key), agn_release(many), agn_release(keys), agn_release(u),
        agn_release(v);
}

/* ---- the laws -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) times the largest distance of the empirical distribution from its law */
static double kolmogorov(double *v, int64_t n, bool normal)
{
    double worst = 0;
    qsort(v, (size_t)n, sizeof *v, by_value);
    for (int64_t i = 0; i < n; i++) {
        double f = normal ? 0.5 * erfc(-v[i] / sqrt(2)) : v[i];
        worst = fmax(worst,
                     fmax((double)(i + 1) / (double)n - f, f - (double)i / (double)n));
    }
    return worst * sqrt((double)n);
}

static void test_laws(int dtype)
{
    int64_t n = tap_scale(1000000);
    for (int normal = 0; normal < 2; normal++) {
        agn_tensor *key = key_of(20240, (uint64_t)(dtype + normal)), *x = NULL,
                   *d = NULL;
        must((normal ? agn_normal : agn_uniform)(&x, key, dtype, 1, &n));
        must(agn_cast(&d, x, AGN_F64));
        double *v = room_for((size_t)n * sizeof *v), m[5] = {0}, lag = 0;
        must(agn_to_host(v, d, (size_t)n * sizeof *v));
        double centre = normal ? 0 : 0.5, lo = v[0], hi = v[0];
        for (int64_t i = 0; i < n; i++) {
            double z = v[i] - centre;
            for (int k = 1; k <= 4; k++)
                m[k] += pow(z, k) / (double)n;
            lag += i ? z * (v[i - 1] - centre) / (double)n : 0;
            lo = fmin(lo, v[i]), hi = fmax(hi, v[i]);
        }
        double r = sqrt((double)n), var = normal ? 1 : 1.0 / 12,
               fourth = normal ? 3 : 1.0 / 80;
        double spread4 = normal ? sqrt(96) : sqrt(1.0 / 2304 - 1.0 / 6400);
        const char *what = normal ? "normal" : "uniform", *type = agn_dtype_name(dtype);
        ok(fabs(m[1]) * r < 4.5 * sqrt(var) &&
               fabs(m[2] - var) * r < 4.5 * (normal ? sqrt(2) : sqrt(1.0 / 180)) &&
               fabs(m[3]) * r < 4.5 * (normal ? sqrt(15) : sqrt(1.0 / 448)) &&
               fabs(m[4] - fourth) * r < 4.5 * spread4,
           "%s %s: four moments of %" PRId64 " numbers", what, type, n);
        ok(fabs(lag) * r < 4.5 * var, "%s %s: neighbours are uncorrelated", what, type);
        if (!normal)
            ok(lo >= 0 && hi < 1 && lo < 20 / (double)n && hi > 1 - 20 / (double)n,
               "uniform %s in [0, 1), from end to end", type);
        double ks = kolmogorov(v, n, normal);
        diag("%s %s: Kolmogorov-Smirnov %.3f", what, type, ks);
        ok(ks < 1.95, "%s %s follows its law (Kolmogorov-Smirnov)", what,
           type); /* p = 0.001 */
        free(v);
        agn_release(key), agn_release(x), agn_release(d);
    }
}

/* quantile of the middle of cell k of 2^bits, in long double: Newton's method from near */
static long double quantile(uint64_t k, int bits, double near)
{
    bool upper = k >> (bits - 1) & 1;
    uint64_t mirrored = upper ? ((uint64_t)1 << bits) - 1 - k : k;
    long double p = ldexpl((long double)mirrored + 0.5L, -bits), r = sqrtl(2);
    long double z = (long double)-fabs(near);
    for (int i = 0; i < 3; i++) {
        long double density = expl(-z * z / 2) / sqrtl(2 * acosl(-1));
        long double f = z > -1 ? erfl(z / r) / 2 - (p - 0.5L) : erfcl(-z / r) / 2 - p;
        z -= f / (density + z * f / 2);
    }
    return upper ? -z : z;
}

static void test_normal_values(void)
{
    int64_t n = tap_scale(400000);
    double worst[2] = {0}, biggest = 0;
    for (int d = 0; d < 2; d++) {
        agn_tensor *key = key_of(31, (uint64_t)d), *x = NULL;
        uint64_t sub = subkey(31, (uint64_t)d);
        must(agn_normal(&x, key, d ? AGN_F64 : AGN_F32, 1, &n));
        for (int64_t i = 0; i < n; i++) {
            uint64_t k = d ? bits64(sub, (uint64_t)i) : bits32(sub, (uint64_t)i);
            double have = peek(x, i);
            long double want = quantile(k, d ? 53 : 24, have);
            double unit = d ? 0x1p-53 : 0x1p-24;
            double ulp = fabs((double)((long double)have - want)) /
                         (unit * exp2(floor(log2(fabs((double)want))) + 1));
            worst[d] = fmax(worst[d], ulp);
            biggest = fmax(biggest, fabs(have));
        }
        agn_release(key), agn_release(x);
    }
    diag("normal: worst error f32 %.2f ulp, f64 %.2f ulp; largest number %.2f",
         worst[0], worst[1], biggest);
    ok(worst[0] <= 1 && worst[1] <= 8,
       "normals are quantiles of the middles of their cells");

    /* tails against erfc, both sides */
    n = tap_scale(4000000);
    agn_tensor *key = key_of(77, 0), *x = NULL;
    must(agn_normal(&x, key, AGN_F32, 1, &n));
    const float *v = agn_data(x);
    for (int side = -1; side <= 1; side += 2)
        for (double z = 2; z <= 4.5; z += 0.5) {
            int64_t count = 0;
            for (int64_t i = 0; i < n; i++)
                count += side * (double)v[i] > z;
            double p = 0.5 * erfc(z / sqrt(2)), want = p * (double)n;
            ok(fabs((double)count - want) < 4.5 * sqrt(want) + 1,
               "tail beyond %+.1f: %" PRId64 " numbers, %.1f expected", side * z, count,
               want);
        }
    agn_release(key), agn_release(x);
    /* no repeated blocks (G3) */
    key = key_of(3, 0);
    n = tap_scale(1000000);
    must(agn_uniform(&x, key, AGN_F64, 1, &n));
    agn_tensor *s = NULL;
    must(agn_sort(&s, x, 0, false));
    const double *u = agn_data(s);
    int64_t equal = 0;
    for (int64_t i = 1; i < n; i++)
        equal += u[i] == u[i - 1];
    ok(equal <= 1, "10^6 f64 uniforms have no birthdays (%" PRId64 ")", equal);
    agn_release(key), agn_release(x), agn_release(s);
}

int main(void)
{
    test_streams();
    test_fold();
    test_laws(AGN_F32);
    test_laws(AGN_F64);
    test_normal_values();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
